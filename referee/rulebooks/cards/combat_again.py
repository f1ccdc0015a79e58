"""A combat fought again as a record tells it: declared, the cards turned, who was hit (CC-7.4, CC-7.9, CC-7.10)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.common.chance import Chance
from referee.rulebooks.cards.battle import Battle, Told, happened
from referee.rulebooks.cards.casualties import NEAREST, Loss, Taste
from referee.rulebooks.cards.choices import AsTheRulesHaveIt
from referee.rulebooks.cards.decks import PACK, Decks
from referee.rulebooks.cards.deeds import MEN, NUMBER, UNIT, Impossible, men, pattern, unit_called
from referee.rulebooks.cards.fighting import DECLARED, clash, may_not_fight
from referee.rulebooks.cards.figures import SIDES, other_side
from referee.rulebooks.cards.orders import Choice
from referee.rulebooks.rulebook import Json, Seat

SIDE = "(?P<side>Red|Blue)"
_CARD = r"(?:10|[A2-9JQK])[CDHS]"
_LOSS = rf"{UNIT} killed {NUMBER}(?: confused {MEN})?"

DECLARES = pattern(rf"(?P<unit>{UNIT}) fights (?P<targets>{UNIT}(?: & {UNIT})*)")
CARD = pattern(rf"{SIDE} (?:shuffles|turns (?P<card>{_CARD}))")
COMBAT = pattern(
    rf"(?P<unit>{UNIT}) {NUMBER} to (?P<enemy>{UNIT}) {NUMBER}(?: on the flank)?: (?P<losses>{_LOSS}(?: \+ {_LOSS})?)"
)
_LOSSES = pattern(rf"(?P<unit>{UNIT}) killed (?P<killed>{NUMBER})(?: confused (?P<confused>{MEN}))?")


def side_of(found: re.Match[str]) -> Seat:
    """Return the side that a saying names."""
    return next(side for side in SIDES if side == found["side"].lower())


@dataclass(frozen=True)
class _AsTold(Decks):
    """Decks of which nothing is known but the card that the record has next."""

    card: str = ""

    def order(self, side: Seat, generation: int) -> tuple[str, ...]:
        return (self.card,) * len(PACK)


class _Hit(AsTheRulesHaveIt):
    """Chooses the men of whom the record says that they were hit. losses: killed and confused, by unit."""

    def __init__(self, losses: Mapping[str, tuple[int, tuple[int, ...]]]) -> None:
        self._losses = losses

    def casualties(self, battle: Battle, loss: Loss, combat: Mapping[str, Json]) -> Taste:
        if loss.unit not in self._losses:
            return Taste()
        killed, confused = self._losses[loss.unit]
        return Taste(Choice("MAN", (killed,)), Choice("MAN", confused) if confused else NEAREST)


class CombatAgain:
    """The combat that was declared last in a turn. decks: None where their order is not known.

    Every method raises Impossible where the rules let no such thing happen.
    """

    def __init__(self, decks: Decks | None) -> None:
        self._decks = decks
        self._attacker = ""
        self._targets: tuple[str, ...] = ()
        """Those who answer with a card, in the order in which it is settled with them."""
        self._turned: list[str] = []

    def declare(self, battle: Battle, found: re.Match[str]) -> Told:
        """Declare it anew; it takes the place of the one before."""
        unit = unit_called(battle, found["unit"])
        targets = [each.strip().upper() for each in found["targets"].split("&")]
        if refusal := may_not_fight(battle, unit.id, targets):
            raise Impossible(f"by the rules {unit.id} cannot fight so here ({refusal.rule})")
        self._attacker = unit.id
        self._targets = tuple(each for each in targets if not battle.units[each].mob)
        self._turned = []
        then = battle.with_units(replace(unit, fought=True))
        return then, (happened(battle, then, DECLARED, "CC-7.4", unit=unit.id, targets=targets),)

    def turn_card(self, battle: Battle, side: Seat, card: str | None) -> Told:
        """Turn a card, behind a shuffle where the deck is empty. card: as the record has it, None if it has none."""
        order = [battle.active] * bool(self._targets) + [other_side(battle.active)] * len(self._targets)
        if len(self._turned) >= len(order) or order[len(self._turned)] != side:
            raise Impossible(f"{side.capitalize()} has no card to turn here (CC-7.9)")
        told = (self._decks or _as_told(battle, side, card)).turn(battle, side)
        self._turned.append(str(told[1][-1].facts["card"]))
        return told

    def fight(self, battle: Battle, found: re.Match[str]) -> Told:
        """Let the cards decide between two of its units."""
        one, other = found["unit"].upper(), found["enemy"].upper()
        if one != self._attacker or other not in self._targets or len(self._turned) <= len(self._targets):
            why = f"no combat of {one} with {other} was declared, or its cards are not turned (CC-7.9)"
            raise Impossible(why)
        for id in (one, other):
            if not unit_called(battle, id).in_ranks:
                raise Impossible(f"{id} has nobody in ranks, and does not fight (CC-7.8)")
        losses = {
            each["unit"].upper(): (int(each["killed"]), men(each["confused"]))
            for each in _LOSSES.finditer(found["losses"])
        }
        cards = self._turned[0], self._turned[1 + self._targets.index(other)]
        return clash(battle, one, other, cards, _Hit(losses))


def _as_told(battle: Battle, side: Seat, card: str | None) -> Decks:
    """Return decks on which the card lies that the record has."""
    if card is None:
        raise Impossible("behind a shuffle stands the card that was turned (CC-7.29)")
    cards = battle.cards[side]
    if cards.left and card.upper() in cards.discards:
        raise Impossible(f"{card.upper()} lies among the cards turned already (CC-7.29)")
    return _AsTold(Chance(bytes(32)), {}, card.upper())
