"""What stands on a battle's table as a page draws it: each thing as paths around its own middle, and cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.rulebooks.stages.battle import BODY, CONFUSED, RANKS, Look, Thing

_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_FRONT_TIP = 32
"""How far an arrow reaches ahead of a front."""


def paths_of(thing: Thing, look: Look) -> tuple[str, str, str, str]:
    """Return the paths of a unit around its own middle: men in ranks, confused men, bodies, and its front.

    The page's script draws exactly the same.
    """
    men = tuple(zip(look.states, look.men, strict=True))
    squares = [
        "".join(_square(thing, at, less) for state, at in men if state == wanted)
        for wanted, less in ((RANKS, 1), (CONFUSED, 3))
    ]
    bodies = "".join(_cross(thing, at) for state, at in men if state == BODY)
    return squares[0], squares[1], bodies, _front(look)


def _square(thing: Thing, at: tuple[int, int], less: int) -> str:
    wide, deep = thing.base[0] - 2 * less, thing.base[1] - 2 * less
    return f"M{_half(2 * at[0] - wide)} {_half(2 * at[1] - deep)}h{wide}v{deep}h{-wide}z"


def _cross(thing: Thing, at: tuple[int, int]) -> str:
    reach = min(thing.base) - 4
    x, y = _half(2 * at[0] - reach), _half(2 * at[1] - reach)
    return f"M{x} {y}l{reach} {reach}m0 {-reach}l{-reach} {reach}"


def _front(look: Look) -> str:
    if look.front is None:
        return ""
    ahead, left, right = look.front
    middle = _half(left + right)
    tip = _FRONT_TIP - 4
    return f"M{left} {-ahead}H{right}M{middle} {-ahead - _FRONT_TIP}l16 {tip}h-32z"


def _half(twice: int) -> str:
    return f"{twice / 2:g}"


def turned_cards(cards: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield cards as they are written, "K♥", each with whether its suit is red."""
    for card in cards:
        suit = card[-1]
        yield f"{card[:-1]}{_SUITS[suit]}", suit in "DH"
