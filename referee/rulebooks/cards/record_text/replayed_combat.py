"""Combat, replayed from a record: declared, the cards turned, who was hit (CC-7.4, CC-7.9, CC-7.10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.common.chance import Chance
from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.casualties import NEAREST, Loss, Taste
from referee.rulebooks.cards.choices import AsTheRulesHaveIt
from referee.rulebooks.cards.decks import PACK, Decks
from referee.rulebooks.cards.fighting import DECLARED, clash, may_not_fight
from referee.rulebooks.cards.figures import other_side
from referee.rulebooks.cards.orders import Choice
from referee.rulebooks.cards.record_text.replayed_actions import Impossible, unit_called
from referee.rulebooks.cards.record_text.templates import Values
from referee.rulebooks.rulebook import Json, Seat


@dataclass(frozen=True)
class _KnownCard(Decks):
    """Decks of which nothing is known but the next card in the record."""

    card: str = ""

    def order(self, side: Seat, generation: int) -> tuple[str, ...]:
        return (self.card,) * len(PACK)


class _RecordedLosses(AsTheRulesHaveIt):
    """Chooses the men of whom the record says that they were hit. losses: as values of an effect."""

    def __init__(self, losses: tuple[Values, ...]) -> None:
        self._losses = {each["unit"]: each for each in losses}

    def casualties(self, battle: Battle, loss: Loss, combat: Mapping[str, Json]) -> Taste:
        hit = self._losses.get(loss.unit)
        if hit is None:
            return Taste()
        confused = Choice("MAN", hit["confused"]) if hit["confused"] else NEAREST
        return Taste(Choice("MAN", (hit["killed"],)), confused)


class ReplayedCombat:
    """The combat that was declared last in a turn. decks: None where their order is not known.

    Every method raises Impossible where the rules do not allow it.
    """

    def __init__(self, decks: Decks | None) -> None:
        self._decks = decks
        self._attacker = ""
        self._targets: tuple[str, ...] = ()
        """Those who answer with a card, in the order in which it is settled with them."""
        self._turned: list[str] = []

    def declare(self, battle: Battle, told: Values) -> Outcome:
        """Declare a combat; it takes the place of the one before."""
        unit, targets = unit_called(battle, told["unit"]), list(told["targets"])
        if refusal := may_not_fight(battle, unit.id, targets):
            raise Impossible(f"by the rules {unit.id} cannot fight so here ({refusal.rule})")
        self._attacker = unit.id
        self._targets = tuple(each for each in targets if not battle.units[each].mob)
        self._turned = []
        then = battle.with_units(replace(unit, fought=True))
        return then, (happened(battle, then, DECLARED, "CC-7.4", unit=unit.id, targets=targets),)

    def turn_card(self, battle: Battle, side: Seat, card: str | None) -> Outcome:
        """Turn a card, behind a shuffle where the deck is empty. card: as the record has it, None if it has none."""
        order = [battle.active] * bool(self._targets) + [other_side(battle.active)] * len(self._targets)
        if len(self._turned) >= len(order) or order[len(self._turned)] != side:
            raise Impossible(f"{side.capitalize()} has no card to turn here (CC-7.9)")
        outcome = (self._decks or _known_card(battle, side, card)).turn(battle, side)
        self._turned.append(str(outcome[1][-1].facts["card"]))
        return outcome

    def fight(self, battle: Battle, told: Values) -> Outcome:
        """Let the cards decide between two of its units."""
        one, other = told["unit"], told["enemy"]
        if one != self._attacker or other not in self._targets or len(self._turned) <= len(self._targets):
            why = f"no combat of {one} with {other} was declared, or its cards are not turned (CC-7.9)"
            raise Impossible(why)
        for id in (one, other):
            if not unit_called(battle, id).in_ranks:
                raise Impossible(f"{id} has nobody in ranks, and does not fight (CC-7.8)")
        cards = self._turned[0], self._turned[1 + self._targets.index(other)]
        return clash(battle, one, other, cards, _RecordedLosses(told["losses"]))


def _known_card(battle: Battle, side: Seat, card: str | None) -> Decks:
    """Return decks on which the card lies that the record has."""
    if card is None:
        raise Impossible("behind a shuffle stands the card that was turned (CC-7.29)")
    cards = battle.cards[side]
    if cards.left and card in cards.discards:
        raise Impossible(f"{card} lies among the cards turned already (CC-7.29)")
    return _KnownCard(Chance(bytes(32)), {}, card)
