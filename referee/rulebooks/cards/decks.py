"""The two decks: how they are shuffled, cut and turned (CC-1.9, CC-1.14, CC-7.9, CC-7.29, CC-7.30).

In which order a deck lies follows from the game's secret alone, so nothing of it is kept: a battle knows how many cards
are left, which have been turned, and how often the deck has been shuffled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.cards.battle import Battle, DeckState, Outcome, happened
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.rulebook import Happening, Seat

CARD_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
PACK = tuple(rank + suit for suit in SUITS for rank in CARD_RANKS)
"""52 cards, no jokers (A-10): "KH" is the king of hearts."""

_RANK_NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

SHUFFLED, TURNED = "shuffled", "card"


def value(card: str) -> int:
    """Return what a card counts: ace 1, as printed, jack 11, queen 12, king 13; suits do not matter (CC-7.9)."""
    return CARD_RANKS.index(card[:-1]) + 1


def name(card: str) -> str:
    """Return a card as a person says it: "king of hearts"."""
    return f"{_RANK_NAMES.get(card[:-1], card[:-1])} of {_SUIT_NAMES[card[-1]]}"


class Deck(Protocol):
    """What cards are turned from."""

    def turn(self, battle: Battle, side: Seat) -> Outcome:
        """Turn a card of a side's; the last happening is the card, in its fact `card`."""
        ...


@dataclass(frozen=True)
class Decks:
    """The order of both decks. dealt: cards set by the umpire, of the first deck of a side, the top card first."""

    chance: Chance
    dealt: Mapping[Seat, Sequence[str]] = field(default_factory=dict)

    def order(self, side: Seat, generation: int) -> tuple[str, ...]:
        """Return a side's deck, the top card first. generation: 1, and one more for each new shuffle (CC-7.29)."""
        shuffled = self.chance.shuffle(PACK, f"cards {side} {generation}")
        dealt = tuple(self.dealt.get(side, ())) if generation == 1 else ()
        return (*dealt, *(card for card in shuffled if card not in dealt))

    def turn(self, battle: Battle, side: Seat) -> Outcome:
        """Turn the top card of a side's deck onto its discards, for both to see; an empty one is shuffled first.

        The last happening is the card, in its fact `card` (CC-7.9, CC-7.29, CC-7.30).
        """
        told: list[Happening] = []
        cards = battle.cards[side]
        if cards.left == 0:
            # An empty deck has turned all its cards, so the new one is a whole pack again.
            cards = DeckState(generation=cards.generation + 1)
            then = _with_cards(battle, side, cards)
            told.append(happened(battle, then, SHUFFLED, "CC-7.29", side=side, generation=cards.generation))
            battle = then
        card = self.order(side, cards.generation)[-cards.left]
        cards = replace(cards, left=cards.left - 1, discards=(*cards.discards, card))
        then = _with_cards(battle, side, cards)
        told.append(
            happened(
                battle,
                then,
                TURNED,
                "CC-7.9",
                side=side,
                card=card,
                name=name(card),
                value=value(card),
                left=cards.left,
            )
        )
        return then, tuple(told)


def _with_cards(battle: Battle, side: Seat, cards: DeckState) -> Battle:
    return replace(battle, cards={**battle.cards, side: cards})


# --- who moves first


@dataclass(frozen=True, slots=True)
class First:
    """Who moves first, and how that was settled. cuts: the cards of each cut, red's first; none for a lot."""

    side: Seat
    cuts: tuple[tuple[str, str], ...] = ()


def first_by_cut(cuts: Iterable[tuple[str, str]]) -> First:
    """Return whose card is the higher; equal ones are cut again (CC-1.14, A-14). cuts: red's and blue's cards."""
    seen: list[tuple[str, str]] = []
    for red, blue in cuts:
        seen.append((red, blue))
        if value(red) != value(blue):
            return First(SIDES[0] if value(red) > value(blue) else SIDES[1], tuple(seen))
    raise ValueError("all cuts are equal")


def who_is_first(chance: Chance, how: str) -> First:
    """Return who moves first, by "cut" or by "lot" (CC-1.14). Neither uses up a card of the decks."""
    if how == "lot":
        return First(chance.lot(SIDES, "first"))
    return first_by_cut(_cuts(chance))


def _cuts(chance: Chance) -> Iterator[tuple[str, str]]:
    number = 0
    while True:
        number += 1
        red, blue = (chance.lot(PACK, f"cut {side} {number}") for side in SIDES)
        yield red, blue


# --- decks that the umpire sets


def read_deal(text: str) -> Mapping[Seat, tuple[str, ...]] | tuple[Fault, ...]:
    """Return the decks that a set deal names ("Red=KH 2C; Blue=10S"), or all that is wrong with it.

    Cards that it does not name follow behind those that it does, shuffled.
    """
    dealt: dict[Seat, tuple[str, ...]] = {}
    faults: list[Fault] = []
    for part in filter(str.strip, text.split(";")):
        side_name, equals, listed = part.partition("=")
        side = Seat(side_name.strip().lower())
        if not equals or side not in SIDES:
            faults.append(Fault("deal-side", "a deal says Red= or Blue= and its cards", excerpt=part.strip()))
            continue
        if side in dealt:
            faults.append(Fault("deal-twice", "{side} is dealt twice", {"side": side}, excerpt=part.strip()))
            continue
        cards = [word.upper() for word in re.split(r"[\s,]+", listed.replace("…", " ")) if word]
        faults += [_no_card(word) for word in cards if word not in PACK]
        faults += [
            Fault(
                "deal-card-twice",
                "{card} is in {side}'s deck twice",
                {"card": card, "side": side},
                excerpt=card,
            )
            for card in sorted({card for card in cards if cards.count(card) > 1 and card in PACK})
        ]
        dealt[side] = tuple(cards)
    return tuple(faults) or dealt


def _no_card(word: str) -> Fault:
    digit = word.replace("T", "10", 1) if word.startswith("T") else word.replace("1", "A", 1)
    return Fault(
        "no-card",
        "there is no card {card}; one is written like KH, 10S or AC",
        {"card": word},
        excerpt=word,
        suggestion=digit if digit in PACK else "",
    )
