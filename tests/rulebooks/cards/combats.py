"""Combats with cards that a test sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.common.chance import Chance
from referee.rulebooks.cards.actions import Resolution
from referee.rulebooks.cards.battle import Battle, DeckState, Outcome
from referee.rulebooks.cards.casualties import Loss, Taste
from referee.rulebooks.cards.choices import BY_THE_RULES, AsTheRulesHaveIt, Choices
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.fighting import clash, fight
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.orders import Choice
from referee.rulebooks.rulebook import Happening, Json

SUITS = "HSDC"


def cards(values: str) -> list[str]:
    """Return cards of these values, no two the same: "9 9 K"."""
    words = values.split()
    return [word + SUITS[words[:place].count(word)] for place, word in enumerate(words)]


def decks(red: str = "", blue: str = "") -> Decks:
    """Return decks with cards of these values on top."""
    return Decks(Chance(bytes(32)), {RED: cards(red), BLUE: cards(blue)})


def fresh(laid: Battle) -> Battle:
    """Return a battle of which nobody has fought this turn or turned a card."""
    units = {unit.id: replace(unit, fought=False) for unit in laid.units.values()}
    return replace(laid, units=units, cards=dict.fromkeys(SIDES, DeckState()))


def fought(
    laid: Battle, id: str, targets: str, red: str = "", blue: str = "", choices: Choices = BY_THE_RULES
) -> Outcome:
    """Fight one combat ("BI1" or "BI1 BI2") with cards of these values, and settle it."""
    resolution = Resolution(fresh(laid))
    fight(resolution, id, targets.split(), decks(red, blue), choices)
    return resolution.battle, tuple(resolution.happenings)


def clashed(laid: Battle, id: str, target: str, red: str, blue: str) -> Battle:
    """Return the battle after the cards alone, before anything is settled."""
    both = cards(red)[0], cards(blue)[0]
    return clash(laid, id, target, both if laid.units[id].side == RED else (both[1], both[0]))[0]


def said(told: Sequence[Happening], code: str) -> list[Happening]:
    return [each for each in told if each.code == code]


def refusal(told: Sequence[Happening]) -> str | None:
    """Return the rule by which the first order was refused; None where it was carried out."""
    return next((each.rule for each in told if each.code == "refused"), None)


class Wanting(AsTheRulesHaveIt):
    """Choices of players who want the same men hit, whoever strikes."""

    def __init__(self, taste: Taste) -> None:
        self._taste = taste

    def casualties(self, battle: Battle, loss: Loss, combat: Mapping[str, Json]) -> Taste:
        return self._taste


def wanting(kill: str = "NEAR", confuse: str = "NEAR") -> Choices:
    """Return wishes in the notation: "MAN 8", "FRONT"."""
    return Wanting(Taste(_choice(kill), _choice(confuse)))


def _choice(text: str) -> Choice:
    how, _, numbers = text.partition(" ")
    return Choice(how, tuple(int(number) for number in numbers.split(",") if number))  # type: ignore[arg-type]
