"""Formations: new files, about-turns, and how gaps are closed (CC-3.23 to CC-3.25)."""

from __future__ import annotations

from dataclasses import replace

from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.figures import ARTILLERY, GONE, Man, Unit, full_ranks, in_cells
from referee.rulebooks.cards.moving import Refusal, barred, friend_under, no_room, refused
from referee.rulebooks.cards.shapes import kept, turned
from referee.rulebooks.rulebook import Happening

FORMED, DRESSED = "formed", "dressed"


def form(battle: Battle, id: str, files: int) -> Outcome:
    """A unit of foot or horse takes a new number of files; its front keeps its centre (CC-3.23, CC-3.24)."""
    unit = battle.units[id]
    if refusal := _may_not_form(unit):
        return refused(battle, unit, refusal)
    if not 1 <= files <= unit.strength:
        return refused(battle, unit, Refusal("files", "CC-3.23", {"files": files, "most": unit.strength}))
    return _take(battle, unit, in_files(unit, files))


def turn_about(battle: Battle, id: str) -> Outcome:
    """A unit of foot or horse turns about in place: its rear rank becomes its front rank (CC-3.23, CC-3.24)."""
    unit = battle.units[id]
    if refusal := _may_not_form(unit):
        return refused(battle, unit, refusal)
    return _take(battle, unit, about(unit))


def _may_not_form(unit: Unit) -> Refusal | None:
    if unit.arm == ARTILLERY:
        return Refusal("no-formations", "CC-3.23")
    if unit.mob:
        return Refusal("mob", "CC-3.24")
    refusal = barred(unit)
    # What bars a unit from moving bars it from this too.
    return replace(refusal, rule="CC-3.24") if refusal and refusal.code in ("engaged", "mixed") else refusal


def _take(battle: Battle, unit: Unit, formed: Unit) -> Outcome:
    if refusal := no_room(battle, formed):
        return refused(battle, unit, replace(refusal, rule="CC-3.24"))
    if friend := friend_under(battle, formed):
        return refused(battle, unit, Refusal("friend", "CC-3.24", {"by": friend.id}))
    then = battle.with_units(replace(formed, acted=True))
    happening = happened(
        battle,
        then,
        FORMED,
        "CC-3.23",
        unit=unit.id,
        origin=list(unit.place),
        place=list(formed.place),
        files=[unit.files, formed.files],
    )
    return then, (happening,)


def in_files(unit: Unit, files: int) -> Unit:
    """Return a unit in full ranks of so many files, its men in the order of their cells."""
    standing = sorted(unit.living, key=_by_cell)
    return replace(
        unit.with_men(in_cells(standing, files)), files=files, widths=full_ranks(len(standing), files)
    )


def about(unit: Unit) -> Unit:
    """Return a unit turned about in place: each man stays where he is, and looks the other way."""
    rear = len(unit.widths) - 1
    pivot = unit.place.at(0, -rear * unit.base.depth)
    men = tuple(
        man
        if man.place == GONE
        else replace(man, rank=rear - man.rank, file=unit.widths[man.rank] - 1 - man.file)
        for man in unit.men
    )
    return replace(
        unit,
        x=kept(pivot.x),
        y=kept(pivot.y),
        bearing=turned(unit.bearing, 180),
        men=men,
        widths=unit.widths[::-1],
    )


def _by_cell(man: Man) -> tuple[int, int]:
    return man.rank, man.file


def dress(battle: Battle) -> Outcome:
    """Units with gaps close up, as soon as neither bodies nor confused men are left in them (CC-3.25).

    It waits while a man would come within 1.0 cm of an enemy, onto a friend or off dry ground (A-36).
    """
    told: list[Happening] = []
    for unit in [*battle.units.values()]:
        if unit.arm == ARTILLERY or unit.bodies or unit.confused or not 0 < unit.strength < sum(unit.widths):
            continue
        dressed = in_files(unit, unit.files)
        if no_room(battle, dressed) or friend_under(battle, dressed):
            continue
        then = battle.with_units(dressed)
        told.append(happened(battle, then, DRESSED, "CC-3.25", unit=unit.id))
        battle = then
    return battle, tuple(told)
