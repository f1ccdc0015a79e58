"""Who chooses in the middle of a turn: whom a win or a shot hits, whither a mob runs, who returns to the ranks (E4).

The rules ask at each such point and take what they are told. `asking` answers by the players' standing wishes, and
stops the turn where a player wants to be asked himself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.casualties import NEAREST, Loss, Taste
from referee.rulebooks.cards.firing import Shot
from referee.rulebooks.cards.orders import Choice, Flight
from referee.rulebooks.rulebook import Json


class Choices(Protocol):
    """Decides at each choice, in the battle as it then is."""

    def casualties(self, battle: Battle, loss: Loss, combat: Mapping[str, Json]) -> Taste:
        """Return whom the owner of `loss.by` wants hit (CC-7.17). combat: what both know of it, its cards say."""
        ...

    def shot(self, battle: Battle, shot: Shot) -> Choice:
        """Return whom the firing player wants hit among those exposed (CC-6.17)."""
        ...

    def flight(self, battle: Battle, mob: str, approaching: str) -> Flight:
        """Return whither a mob's owner wants it to run (CC-4.9)."""
        ...

    def rally(self, battle: Battle, unit: str) -> Choice | None:
        """Return who is to return first of a unit that rallies; None for the rules' own order (CC-5.9)."""
        ...


class AsTheRulesHaveIt:
    """The choices of players who have wished for nothing."""

    def casualties(self, battle: Battle, loss: Loss, combat: Mapping[str, Json]) -> Taste:
        return Taste()

    def shot(self, battle: Battle, shot: Shot) -> Choice:
        return NEAREST

    def flight(self, battle: Battle, mob: str, approaching: str) -> Flight:
        return Flight()

    def rally(self, battle: Battle, unit: str) -> Choice | None:
        return None


BY_THE_RULES = AsTheRulesHaveIt()
