"""The files of scenarios (E9): of those that come with the game, and of any other as it would be written by hand.

What is written here, `read_scenario` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from referee.common.i18n import N_
from referee.rulebooks.cards.figures import ARTILLERY, BASES, INITIALS, SIDES, Role, Unit
from referee.rulebooks.cards.ground import Ground, Objective, Terrain
from referee.rulebooks.cards.scenarios.scenario import FORMAT, Scenario

GIVEN_BLURBS = (
    N_("A small battle to begin with: two units of foot, a troop of horse and a gun on either side."),
    N_("Eight units a side, with a stream between them: four of foot, two of horse, two guns."),
    N_(
        "A battle of guns: five cannons and four units of foot on either side, a troop of horse, a redoubt to hold."
    ),
)
"""What the scenarios that come with the game say of themselves, for letters in another language."""


def write_scenario(scenario: Scenario, remarks: Sequence[str] = ()) -> str:
    """Return a scenario's file. remarks: comments at its head, a line each."""
    blocks = [
        [*(f"# {line}" for line in remarks), f"format = {FORMAT}"],
        *_terms(scenario),
        *([*_terrain(each)] for each in scenario.ground.terrain),
        *([*_objective(each)] for each in scenario.ground.objectives),
        *_sides(scenario),
        *([*_unit(each)] for each in scenario.units),
    ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _terms(scenario: Scenario) -> Iterator[list[str]]:
    ground = scenario.ground
    short = ground.width <= ground.height
    yield _table(
        "[scenario]",
        id=scenario.id,
        title=scenario.title,
        blurb=scenario.blurb,
        edition=scenario.edition,
        editions_ok=list(scenario.editions_ok),
        turn_limit_per_side=scenario.turn_limit,
        free_table=scenario.free_table,
    )
    yield _table(
        "[table]",
        long_cm=max(ground.width, ground.height),
        wide_cm=min(ground.width, ground.height),
        back_lines="short" if short else "long",
        grid_cm=ground.grid,
    )
    yield _table(
        "[deploy]",
        depth_cm=ground.deploy_depth,
        max_gap_to_back_line_cm=ground.deploy_gap,
        secret=scenario.secret,
    )
    yield [*_bases(ground)]


def _bases(ground: Ground) -> Iterator[str]:
    bases = ground.bases
    yield "[bases]"
    if bases.name in BASES:
        yield _pair("set", bases.name)
        return
    for name in ("foot", "horse", "gunner", "cannon"):
        yield _pair(name, list(getattr(bases, name)))
    yield _pair("commander", bases.commander)


def _terrain(piece: Terrain) -> Iterator[str]:
    yield from _table("[[terrain]]", id=piece.id, name=piece.name, kind=piece.kind)
    if piece.thickness is None:
        yield _pair("polygon", _points(piece.points))
    else:
        yield _pair("thickness", piece.thickness)
        yield _pair("line", _points(piece.points))
    if piece.parapet:
        yield _pair("parapet", _points(piece.parapet))
    if piece.note:
        yield _pair("note", piece.note)


def _objective(objective: Objective) -> list[str]:
    on = {"on": objective.on} if objective.on else {}
    polygon = _points(objective.points)
    return _table("[[objective]]", id=objective.id, name=objective.name, **on, polygon=polygon)


def _sides(scenario: Scenario) -> Iterator[list[str]]:
    for side in SIDES:
        line = "south" if side == scenario.ground.south else "north"
        yield _table("[[side]]", id=INITIALS[side], name=side.capitalize(), back_line=line)
    for each in scenario.generals:
        aide = each.side in scenario.aides
        start = [each.x, each.y]
        yield _table("[[commander]]", id=each.id, side=INITIALS[each.side], aide=aide, start=start)


def _unit(unit: Unit) -> Iterator[str]:
    yield from _table("[[unit]]", id=unit.id, side=INITIALS[unit.side], type=unit.arm, men=len(unit.men))
    if unit.arm == ARTILLERY:
        yield _pair("cannons", len(unit.cannons))
    else:
        yield _pair("files", unit.files)
    roles: tuple[tuple[str, Role], ...] = (("officers", "O"), ("flags", "F"), ("musicians", "D"))
    for key, role in roles:
        if numbers := [man.number for man in unit.men if man.role == role]:
            yield _pair(key, numbers)
    yield _pair("start", [unit.x, unit.y, unit.bearing])


def _points(points: Iterable[Sequence[float]]) -> list[list[float]]:
    return [[float(cm) for cm in point] for point in points]


def _table(header: str, **values: Any) -> list[str]:
    return [header, *(_pair(key, value) for key, value in values.items())]


def _pair(key: str, value: Any) -> str:
    """Return a line of TOML: numbers, words, and lists of these are written there as in JSON.

    Only a DEL is not, and a scenario's texts cannot hold one.
    """
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"
