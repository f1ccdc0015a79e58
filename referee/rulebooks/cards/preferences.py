"""The standing wishes of a player: whom his units hit, whither his mobs run, when he wants to be asked (E4).

What he wishes for a unit counts for it; for what he has not said of it, what he wishes for ALL; and else the rules'
own defaults. Each wish (KILL, CONF, FLEE, RALLY, ASK) is looked up by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from referee.rulebooks.cards.casualties import NEAREST, Taste
from referee.rulebooks.cards.chunks import LONGEST
from referee.rulebooks.cards.figures import id_order
from referee.rulebooks.cards.orders import ALL, AWAY, Ask, Choice, Flight, Prefer
from referee.rulebooks.cards.writing import write_order, write_orders

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

    def given(self) -> tuple[Prefer, ...]:
        """Return orders that give the wishes, those for ALL first; given again they are the same wishes."""
        ids = sorted(self.of_units, key=lambda id: (id != ALL, id_order(id)))
        return tuple(order for id in ids for order in _as_orders(self.of_units[id]))

    def lines(self) -> tuple[str, ...]:
        """Return the wishes as lines of a letter."""
        return write_orders(self.given())


def _as_orders(wish: Prefer) -> Iterator[Prefer]:
    """Yield a wish as orders that a line holds: what several letters have wished may together be too long for one."""
    if len(write_order(wish)) <= LONGEST:
        yield wish
        return
    for each in fields(wish):
        if each.name != "unit" and (value := getattr(wish, each.name)) is not None:
            yield replace(Prefer(wish.unit), **{each.name: value})


NO_WISHES = Wishes()
