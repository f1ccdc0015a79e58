"""What somebody who has written a scenario is told of it: that it can be played, or all that is wrong, by its lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.common.faults import Fault, Place
from referee.rulebooks.cards.figures import ARM_LETTERS, SIDES
from referee.rulebooks.cards.scenarios.scenario import (
    Scenario,
    check_in,
    read_scenario,
    warnings,
)
from referee.rulebooks.cards.switches import EDITIONS
from referee.rulebooks.limits import LARGEST_SCENARIO
from referee.rulebooks.rulebook import Json


@dataclass(frozen=True, slots=True)
class Checked:
    """What a file holds: a scenario, or what is wrong with it; and what is odd, but no fault. name: the file's."""

    name: str
    scenario: Scenario | None
    faults: tuple[Fault, ...] = ()
    warnings: tuple[str, ...] = ()


def check_file(name: str, content: bytes, edition: str | None = None) -> Checked:
    """Read a scenario's file, in the editions that it names, and in this one too."""
    # Of what is too long for any scenario the last sign may be cut off.
    errors = "replace" if len(content) > 4 * LARGEST_SCENARIO else "strict"
    try:
        read = read_scenario(content.decode("utf-8-sig", errors))
    except UnicodeDecodeError as error:
        before = content[: error.start]
        place = Place(before.count(b"\n") + 1, error.start - before.rfind(b"\n"))
        message = "a scenario is text in UTF-8; this is none from here on"
        return Checked(name, None, (Fault("scenario-text", message, grade="unreadable", place=place),))
    if isinstance(read, tuple):
        return Checked(name, None, read)
    if edition is not None and (faults := tuple(check_in(read, EDITIONS[edition]))):
        return Checked(name, None, faults)
    return Checked(name, read, warnings=tuple(warnings(read)))


def write_checked(checked: Checked) -> Iterator[str]:
    """Yield it as lines to be read."""
    if checked.scenario is not None:
        yield f"{checked.name}: it can be played."
        yield from (f"  {line}" for line in _summary(checked.scenario))
    else:
        faults = "1 fault" if len(checked.faults) == 1 else f"{len(checked.faults)} faults"
        yield f"{checked.name}: {faults}."
        yield from (f"  {fault.sentence()}" for fault in checked.faults)
    yield from (f"  But: {each}" for each in checked.warnings)


def _summary(scenario: Scenario) -> Iterator[str]:
    """Yield what a scenario is, in a few lines."""
    yield f"{scenario.title} ({scenario.id})"
    if scenario.blurb:
        yield scenario.blurb
    wide, long = scenario.ground.width, scenario.ground.height
    yield f"{'table':11} {wide:g} cm along the back lines, {long:g} cm between them"
    for force in forces(scenario):
        units = ", ".join(f"{number} {arm}" for arm, number in force.units.items())
        yield f"{force.side:11} {force.men_and_guns()}; units: {units}"
    yield f"{'objectives':11} " + "; ".join(f"{each.id} {each.name}" for each in scenario.ground.objectives)
    yield f"{'turns':11} " + (f"{scenario.turn_limit} for each side" if scenario.turn_limit else "no limit")
    first, *others = editions_of(scenario)
    yield f"{'editions':11} {first}" + (f", also {', '.join(others)}" if others else "")


@dataclass(frozen=True, slots=True)
class Force:
    """What a side has. units: how many of each arm."""

    side: str
    men: int
    guns: int
    units: dict[str, int]

    def men_and_guns(self) -> str:
        """Return "77 men and 5 guns"."""
        guns = "1 gun" if self.guns == 1 else f"{self.guns} guns"
        return f"{self.men} men and {guns}" if self.guns else f"{self.men} men"


def forces(scenario: Scenario) -> Iterator[Force]:
    """Yield what either side has, Red first."""
    for side in SIDES:
        units = [unit for unit in scenario.units if unit.side == side]
        arms = {arm: sum(unit.arm == arm for unit in units) for arm in ARM_LETTERS.values()}
        men, guns = sum(len(unit.men) for unit in units), sum(len(unit.cannons) for unit in units)
        yield Force(str(side), men, guns, {arm: number for arm, number in arms.items() if number})


def editions_of(scenario: Scenario) -> tuple[str, ...]:
    """Return the editions that a scenario can be played in, the one it is meant for first."""
    return tuple(dict.fromkeys((scenario.edition, *scenario.editions_ok)))


# --- for programs


def plain_scenario(scenario: Scenario) -> dict[str, Json]:
    """Return what a scenario is as plain data."""
    return {
        "id": scenario.id,
        "title": scenario.title,
        "blurb": scenario.blurb,
        "table": [scenario.ground.width, scenario.ground.height],
        "sides": [
            {"side": each.side, "men": each.men, "guns": each.guns, "units": each.units}
            for each in forces(scenario)
        ],
        "objectives": [{"id": each.id, "name": each.name} for each in scenario.ground.objectives],
        "turns": scenario.turn_limit,
        "editions": list(editions_of(scenario)),
    }


def plain_checked(checked: Checked) -> dict[str, Json]:
    """Return what a check has found as plain data."""
    return {
        "file": checked.name,
        "good": checked.scenario is not None,
        "faults": [_plain_fault(each) for each in checked.faults],
        "warnings": list(checked.warnings),
        "scenario": plain_scenario(checked.scenario) if checked.scenario is not None else None,
    }


def _plain_fault(fault: Fault) -> dict[str, Json]:
    return {
        "line": fault.place.line if fault.place else None,
        "column": fault.place.column if fault.place else None,
        "code": fault.code,
        "text": fault.sentence(),
        "suggestion": fault.suggestion,
        "rule": fault.rule,
    }
