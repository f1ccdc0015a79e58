"""Where armies may stand before the first turn, and the set-up that a player sends (CC-1.11 to CC-1.13, A-12, A-13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import shapely

from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import ARTILLERY, Commander, Unit, full_ranks, in_cells
from referee.rulebooks.cards.ground import Ground
from referee.rulebooks.cards.orders import Placing, Station, StationCommander
from referee.rulebooks.cards.shapes import TINY, bearing_kept, kept, rounded
from referee.rulebooks.cards.switches import Switches
from referee.rulebooks.cards.tracks import overlap
from referee.rulebooks.rulebook import Seat


@dataclass(frozen=True, slots=True)
class SetUp:
    """How a side stands at the start: all its units and commanders, by id."""

    units: Mapping[str, Unit]
    commanders: Mapping[str, Commander]


def set_up(battle: Battle, side: Seat, stations: Sequence[Placing]) -> SetUp | tuple[Fault, ...]:
    """Return a side's set-up, or all that is wrong with it.

    battle: all stand where the scenario has them; so does whoever is not named (A-13).
    """
    units = {unit.id: unit for unit in battle.of(side)}
    commanders = {each.id: each for each in battle.commanders.values() if each.side == side}
    faults: list[Fault] = []
    named: set[str] = set()
    for station in stations:
        id = station.unit if isinstance(station, Station) else station.commander
        known = units if isinstance(station, Station) else commanders
        if id not in known:
            faults.append(_unknown(id, [*units, *commanders]))
            continue
        if id in named:
            faults.append(_fault("station-twice", N_("{unit} is set up twice"), {"unit": id}, id, "CC-1.13"))
            continue
        named.add(id)
        if isinstance(station, StationCommander):
            commanders[id] = replace(commanders[id], x=kept(station.x), y=kept(station.y))
        elif fault := _unfit_files(units[id], station.files):
            faults.append(fault)
        else:
            units[id] = _stationed(units[id], station)
    standing = SetUp(units, commanders)
    if faults or (
        faults := check_deployment(battle.ground, battle.switches, units.values(), commanders.values())
    ):
        return tuple(faults)
    return standing


def _stationed(unit: Unit, station: Station) -> Unit:
    files = station.files or unit.files
    if files != unit.files:
        men = in_cells(unit.men, files)
        unit = replace(unit, men=men, files=files, widths=full_ranks(len(men), files))
    return replace(unit, x=kept(station.x), y=kept(station.y), bearing=bearing_kept(station.bearing))


def _unfit_files(unit: Unit, files: int | None) -> Fault | None:
    if files is None:
        return None
    if unit.arm == ARTILLERY:
        return _fault(
            "no-files", N_("{unit} is artillery, which has no files"), {"unit": unit.id}, unit.id, "CC-3.23"
        )
    if not 1 <= files <= len(unit.men):
        facts = {"unit": unit.id, "most": len(unit.men), "files": files}
        return _fault("files", N_("{unit} has 1 to {most} files, not {files}"), facts, unit.id, "CC-1.16")
    return None


def check_deployment(
    ground: Ground, switches: Switches, units: Iterable[Unit], commanders: Iterable[Commander]
) -> list[Fault]:
    """Return all that is wrong with where these stand: units of one side or of both, and commanders."""
    laid = list(units)
    faults = [fault for unit in laid if (fault := _misplaced(ground, switches, unit))]
    for number, unit in enumerate(laid):
        faults += [
            _fault(
                "station-overlap",
                N_("{unit} would lie on {other}"),
                {"unit": unit.id, "other": other.id},
                unit.id,
                "CC-1.13",
            )
            for other in laid[number + 1 :]
            if overlap(unit.formation.footprint, other.formation.footprint)
        ]
    return faults + [fault for each in commanders if (fault := _misplaced_commander(ground, each))]


def _misplaced(ground: Ground, switches: Switches, unit: Unit) -> Fault | None:
    """Return why a unit may not stand where it does; None where it may (CC-1.11 to CC-1.13)."""
    facts = {"unit": unit.id}
    if ground.over_edge(unit.formation.footprint):
        return _fault(
            "station-edge", N_("{unit} would stand over the edge of the table"), facts, unit.id, "CC-1.13"
        )
    if not shapely.covers(ground.footing, unit.formation.footprint):
        return _fault("station-water", N_("{unit} would stand in the water"), facts, unit.id, "CC-3.21")
    nearest, farthest = _from_back_line(ground, unit)
    if farthest > ground.deploy_depth:
        message = "{unit} reaches {cm} cm from its back line, and may reach {most}"
        reach = {**facts, "cm": f"{farthest:.1f}", "most": f"{ground.deploy_depth:.1f}"}
        rule = "CC-1.11" if switches.deploy == "zone" else "CC-1.12"
        return _fault("station-far", message, reach, unit.id, rule)
    if switches.deploy == "line" and nearest > ground.deploy_gap:
        message = "{unit} stands {cm} cm off its back line, and must come within {most}"
        gap = {**facts, "cm": f"{nearest:.1f}", "most": f"{ground.deploy_gap:.1f}"}
        return _fault("station-off-line", message, gap, unit.id, "CC-1.12")
    return None


def _from_back_line(ground: Ground, unit: Unit) -> tuple[float, float]:
    """Return how far the nearest and the farthest of a footprint is from its side's back line, as it is read."""
    _, south, _, north = map(float, shapely.bounds(unit.formation.footprint))
    line = ground.back_line(unit.side)
    near, far = sorted((abs(south - line), abs(north - line)))
    return rounded(near), rounded(far)


def _misplaced_commander(ground: Ground, commander: Commander) -> Fault | None:
    """Return why a commander may not stand where he does: his disc lies dry in the zone, in any edition (A-12)."""
    facts = {"unit": commander.id}
    radius = ground.bases.commander
    inside = 0 <= commander.x <= ground.width and 0 <= commander.y <= ground.height
    if not inside or shapely.distance(commander.shape, ground.no_footing) < radius - TINY:
        message = "the disc of {unit} would not be all on dry ground"
        return _fault("station-disc", message, facts, commander.id, "CC-1.13")
    reach = rounded(abs(commander.y - ground.back_line(commander.side)) + radius)
    if reach > ground.deploy_depth:
        message = "{unit} reaches {cm} cm from its back line, and may reach {most}"
        far = {**facts, "cm": f"{reach:.1f}", "most": f"{ground.deploy_depth:.1f}"}
        return _fault("station-far", message, far, commander.id, "CC-1.11")
    return None


def _unknown(id: str, known: Sequence[str]) -> Fault:
    near = get_close_matches(id.upper(), known, 1)
    return Fault(
        "no-unit",
        "you have no {unit}; yours are {known}",
        {"unit": id, "known": ", ".join(known)},
        excerpt=id,
        suggestion=near[0] if near else "",
    )


def _fault(code: str, message: str, facts: Mapping[str, object], excerpt: str, rule: str) -> Fault:
    return Fault(code, message, facts, excerpt=excerpt, rule=rule)
