"""The standing wishes of a player: whom his units hit, whither his mobs run, when he wants to be asked (E4).

What he wishes for a unit counts for it; for what he has not said of it, what he wishes for ALL; and else the rules'
own defaults. Each wish (KILL, CONF, FLEE, RALLY, ASK) is looked up by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from referee.rulebooks.cards.casualties import NEAREST, Taste
from referee.rulebooks.cards.figures import id_order
from referee.rulebooks.cards.notation import write_order
from referee.rulebooks.cards.orders import ALL, Ask, Choice, Flight, Prefer

AWAY = Flight()

T = TypeVar("T")


@dataclass(frozen=True)
class Wishes:
    """What a player has wished so far. of_units: by unit, or ALL."""

    of_units: Mapping[str, Prefer] = field(default_factory=dict)

    def with_wish(self, wish: Prefer) -> Wishes:
        """Return the wishes with one more; what it does not speak of stays as it was."""
        before = self.of_units.get(wish.unit, Prefer(wish.unit))
        said = {each.name: getattr(wish, each.name) for each in fields(wish)}
        now = replace(before, **{name: value for name, value in said.items() if value is not None})
        return replace(self, of_units={**self.of_units, wish.unit: now})

    def _of(self, unit: str, name: str, default: T) -> T:
        for id in (unit, ALL):
            wished: T | None = getattr(self.of_units.get(id), name, None)
            if wished is not None:
                return wished
        return default

    def taste(self, unit: str) -> Taste:
        """Return whom a unit is to hit, by its id: the nearest unless its owner has said otherwise."""
        return Taste(self._of(unit, "kill", NEAREST), self._of(unit, "confuse", NEAREST))

    def flight(self, unit: str) -> Flight:
        """Return whither a unit is to run as a mob: away unless its owner has said otherwise."""
        return self._of(unit, "flee", AWAY)

    def rally(self, unit: str) -> Choice | None:
        """Return which men of a unit are to return first; None for the rules' own order (CC-5.9)."""
        return self._of(unit, "rally", None)

    def ask(self, unit: str) -> Ask:
        """Return when the owner of a unit wants to be asked: never unless he has said otherwise."""
        return self._of(unit, "ask", "NEVER")

    def lines(self) -> tuple[str, ...]:
        """Return the wishes as lines of a letter, those for ALL first; read again they are the same wishes."""
        ids = sorted(self.of_units, key=lambda id: (id != ALL, id_order(id)))
        return tuple(write_order(self.of_units[id]) for id in ids)


NO_WISHES = Wishes()
