"""What follows at once from each event, before the next one (CC-3.25, CC-3.26, CC-7.15, CC-7.27, CC-7.28, CC-8.6)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.engagements import part
from referee.rulebooks.cards.forming import dress
from referee.rulebooks.cards.moving import clear_commanders
from referee.rulebooks.cards.victory import decided, end, occupy
from referee.rulebooks.rulebook import Happening

TAKEN_OFF = "taken-off"


def settled(battle: Battle, happening: Happening) -> Outcome:
    """Settle a battle after an event: its dead are taken off, engagements end, gaps close, objectives change hands, and
    if that decides it the battle is over (CC-8.6).

    happening: the event. Where it led through objectives (`through`), its unit's side has trodden them (CC-8.4).
    """
    told: list[Happening] = []
    for step in (take_off, part, dress, clear_commanders):
        battle, more = step(battle)
        told += more
    through: Sequence[str] = happening.facts.get("through") or ()
    mover = battle.units[happening.facts["unit"]].side if through else None
    battle, more = occupy(battle, mover, through)
    told += more
    battle, more = end(battle, decided(battle))
    return battle, (*told, *more)


def take_off(battle: Battle) -> Outcome:
    """Take off the units of which nobody lives; their cannons stay as markers nobody can use (CC-7.28)."""
    told: list[Happening] = []
    for unit in [*battle.units.values()]:
        if not unit.living:
            then = battle.without(unit.id)
            told.append(happened(battle, then, TAKEN_OFF, "CC-7.28", unit=unit.id))
            battle = then
    return battle, tuple(told)
