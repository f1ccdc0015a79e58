"""The operator's commands for scenarios: check, draw, list, show, make up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from referee.common.errors import UsageError
from referee.rulebooks.cards.picture import png, svg
from referee.rulebooks.cards.scenarios.making import ScenarioSettings, make_scenario
from referee.rulebooks.cards.scenarios.scenario import (
    Scenario,
    given_scenario,
    given_scenarios,
    given_text,
    read_scenario,
)
from referee.rulebooks.cards.scenarios.scenario_report import (
    Checked,
    check_file,
    forces,
    plain_checked,
    plain_scenario,
    write_checked,
)
from referee.rulebooks.cards.switches import EDITIONS
from referee.rulebooks.cards.text_map import text_map
from referee.rulebooks.limits import LARGEST_SCENARIO
from referee.rulebooks.operator_commands import (
    GivenFile,
    OperatorCommand,
    OperatorGroup,
    Output,
    Parameter,
    ParameterKind,
)

PICTURES = (".png", ".svg")

_EDITION = Parameter(
    "edition",
    ParameterKind.CHOICE,
    "--edition",
    "As in this one; as the scenario says if left out.",
    choices=tuple(EDITIONS),
)


def check(files: Sequence[GivenFile], edition: str | None) -> Output:
    """Check files. The exit status is 1 when there is a fault in any."""
    checked = [_check(file, edition) for file in files]
    lines: list[str] = []
    for each in checked:
        lines += ["", *write_checked(each)] if lines else write_checked(each)
    return Output(
        lines=lines,
        data={"files": [plain_checked(each) for each in checked]},
        status=int(any(each.faults for each in checked)),
    )


def _check(file: GivenFile, edition: str | None = None) -> Checked:
    """Check a file. No more is read than a scenario may have."""
    return check_file(file.name, file.read(4 * LARGEST_SCENARIO + 4), edition)


def picture(which: str, path: Path | None, as_text: bool, edition: str | None) -> Output:
    """Draw a table as it is at the start. Raises UsageError where it is not said how, or there is no such scenario."""
    if path is None and not as_text:
        raise UsageError("into which file? --to FILE.png or --to FILE.svg; or --map, which prints it as text")
    if path is not None and path.suffix.lower() not in PICTURES:
        raise UsageError(f"{path}: expected a name that ends with .svg or .png.")
    found = _find(which)
    if not isinstance(found, Scenario):
        return Output(errors=list(write_checked(found)), status=1)
    battle = found.battle(EDITIONS[edition or found.edition])
    drawn = None
    if path is not None:
        drawn = (path, png(battle) if path.suffix.lower() == ".png" else svg(battle).encode())
    return Output(lines=text_map(battle).splitlines() if as_text else (), file=drawn)


def _find(which: str) -> Scenario | Checked:
    """Return a built-in scenario, or else that of a file, or what is wrong in that. Raises UsageError."""
    if which in given_scenarios():
        return given_scenario(which)
    if not Path(which).is_file():
        raise UsageError(_nothing(which, "there is neither a file of that name nor a given scenario"))
    with Path(which).open("rb") as stream:
        checked = _check(GivenFile(which, stream.read))
    return checked.scenario or checked


def _nothing(name: str, what: str) -> str:
    near = get_close_matches(name.lower(), given_scenarios(), 1)
    meant = f"; did you mean {near[0]}?" if near else f"; given are {', '.join(given_scenarios())}"
    return f"{name}: {what}{meant}"


def list_given() -> Output:
    """List the scenarios that come with the game."""
    listed = [given_scenario(name) for name in given_scenarios()]
    lines = []
    for each in listed:
        size = (
            f"{next(forces(each)).men_and_guns()} a side, {each.ground.width:g} by {each.ground.height:g} cm"
        )
        lines.append(f"{each.id:12} {each.title}: {size}. {each.blurb}")
    return Output(text="".join(f"{line}\n" for line in lines), data=[plain_scenario(each) for each in listed])


def show(name: str) -> Output:
    """Return the file of a built-in scenario. Raises UsageError where there is none of that name."""
    if name not in given_scenarios():
        raise UsageError(_nothing(name, "no scenario of that name comes with the game"))
    return Output(text=given_text(name))


def make(
    seed: str,
    units: int | None,
    men: int | None,
    guns: int | None,
    table: str,
    editions: Sequence[str],
    path: Path | None,
) -> Output:
    """Make up a scenario, for a file or to be printed. Raises UsageError where a wish cannot be met."""
    text = make_scenario(ScenarioSettings(seed, units, men, guns, _read_table(table), tuple(editions)))
    if path is None:
        return Output(text=text)
    made = read_scenario(text)
    assert isinstance(made, Scenario), made
    return Output(
        lines=[f"{path}: {made.title}. {made.blurb}"], file=(path, text.encode("utf-8")), replaces=False
    )


def _read_table(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,4})\s*[xX×]\s*(\d{1,4})\s*", text)
    if found is None:
        raise UsageError(f"--table {text!r}: expected two lengths in whole cm, such as 300x200")
    return int(found[1]), int(found[2])


SCENARIO_COMMANDS = OperatorGroup(
    help="""Check, draw, list, show or make up scenarios of Cards and Confusion.

A scenario is a file with the table, the armies and where they start. Those that come with the game go by their
names, your own by their files.

Example: referee scenario list
""",
    commands=(
        OperatorCommand(
            "check",
            """Tell whether scenarios can be played, or all that is wrong with each, by its lines.

Each must be playable in the editions that it names; with --edition in that one too. What is odd but allowed is told
behind it. The file - is standard input. Exit status 1 when there is a fault in any.

Example: referee scenario check my-battle.toml
""",
            check,
            (
                Parameter("files", ParameterKind.FILE_TO_READ, metavar="FILE...", required=True, many=True),
                _EDITION,
            ),
            json=True,
        ),
        OperatorCommand(
            "picture",
            """Draw a scenario's table as it is at the start, as a picture or in plain text.

Example: referee scenario picture cc-skirmish --to skirmish.svg
""",
            picture,
            (
                Parameter("which", metavar="FILE|NAME", required=True),
                Parameter(
                    "path",
                    ParameterKind.FILE_TO_WRITE,
                    "--to",
                    "Into which file: FILE.svg, as sharp as the printer is, or FILE.png.",
                ),
                Parameter("as_text", ParameterKind.SWITCH, "--map", "Print the map as text instead."),
                _EDITION,
            ),
        ),
        OperatorCommand(
            "list",
            """List the scenarios that come with the game.

Example: referee scenario list
""",
            list_given,
            json=True,
        ),
        OperatorCommand(
            "show",
            """Print the file of a scenario that comes with the game, to be changed and checked.

Example: referee scenario show cc-standard > my-battle.toml
""",
            show,
            (Parameter("name", required=True),),
        ),
        OperatorCommand(
            "make",
            """Make up a scenario: fair ground, four objectives, and two armies alike.

The same words make the same scenario, everywhere; the ground follows from seed and table alone. What is made can be
changed by hand, checked and drawn.

Example: referee scenario make --seed "Autumn rain" --units 8 --to autumn.toml
""",
            make,
            (
                Parameter(
                    "seed",
                    option="--seed",
                    help="A word or a few, which all else is drawn from.",
                    metavar="TEXT",
                    required=True,
                ),
                Parameter("units", ParameterKind.NUMBER, "--units", "Units of a side; six if left out."),
                Parameter(
                    "men",
                    ParameterKind.NUMBER,
                    "--men",
                    "Men of a side; if left out, as many as is usual for its units.",
                ),
                Parameter(
                    "guns", ParameterKind.NUMBER, "--guns", "Guns of a side; one for four units if left out."
                ),
                Parameter(
                    "table",
                    option="--table",
                    help="The table in cm: how wide it is along the back lines, and how far these lie apart.",
                    metavar="WxL",
                    default="300x200",
                ),
                Parameter(
                    "editions",
                    ParameterKind.CHOICE,
                    "--edition",
                    "Playable in this one; in each that its guns are not too many for if left out. May be said twice.",
                    choices=tuple(EDITIONS),
                    many=True,
                ),
                Parameter(
                    "path",
                    ParameterKind.FILE_TO_WRITE,
                    "--to",
                    "Into which file; it must be a new one. Else it is printed.",
                ),
            ),
        ),
    ),
)
"""`referee scenario`."""
