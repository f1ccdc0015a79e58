"""What one side knows while a turn is previewed: its own wishes, neither the cards nor the other side's wishes (E7).

Where the turn needs more, the methods here raise an exception, and the preview stops there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from referee.rulebooks.cards.actions import Resolution
from referee.rulebooks.cards.asking import Deciding, Unanswered
from referee.rulebooks.cards.battle import Battle, Outcome
from referee.rulebooks.cards.casualties import Loss, Taste
from referee.rulebooks.cards.choices import Choices
from referee.rulebooks.cards.firing import Shot
from referee.rulebooks.cards.orders import Choice, Flight
from referee.rulebooks.cards.preferences import Wishes
from referee.rulebooks.rulebook import Json, Seat

T = TypeVar("T")


class CardTurned(Exception):
    """A card would be turned, and its value is not known."""


class MobRuns(Exception):
    """An enemy mob would run, and only its owner knows where to."""


class UnknownDeck:
    """Cards in an unknown order."""

    def turn(self, battle: Battle, side: Seat) -> Outcome:
        raise CardTurned


class SideKnowledge:
    """Settles the choices of one side by its standing wishes. Those of the other side are not known.

    asked: the steps of the resolution, by their number, in which the side would be asked.
    """

    def __init__(self, resolution: Resolution, side: Seat, wishes: Wishes) -> None:
        self.asked: set[int] = set()
        self._resolution, self._side = resolution, side
        never = {id: replace(each, ask="NEVER") for id, each in wishes.of_units.items()}
        self._asking, self._wished = Deciding({side: wishes}), Deciding({side: Wishes(never)})

    def _choice(self, choose: Callable[[Choices], T]) -> T:
        try:
            return choose(self._asking)
        except Unanswered:
            self.asked.add(len(self._resolution.steps) - 1)
            return choose(self._wished)

    def casualties(self, battle: Battle, loss: Loss, combat: Mapping[str, Json]) -> Taste:
        raise CardTurned

    def shot(self, battle: Battle, shot: Shot) -> Choice:
        return self._choice(lambda choices: choices.shot(battle, shot))

    def flight(self, battle: Battle, mob: str, approaching: str) -> Flight:
        if battle.units[mob].side != self._side:
            raise MobRuns
        return self._choice(lambda choices: choices.flight(battle, mob, approaching))

    def rally(self, battle: Battle, unit: str) -> Choice | None:
        return self._choice(lambda choices: choices.rally(battle, unit))
