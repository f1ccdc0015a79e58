"""`referee scenario`: files checked, drawn, listed, shown and made up, as an operator types it."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from PIL import Image

from referee.cli.rulebook_commands import RulebookCommands
from referee.rulebooks.cards.scenarios.scenario import given_scenario, given_scenarios, given_text
from referee.rulebooks.operator_commands import OPERATOR_COMMANDS
from tests.support.operating import Said, type_words

NAMES = ("cc-guns", "cc-skirmish", "cc-standard")
GOOD = given_text("cc-skirmish")
(SCENARIO,) = [RulebookCommands(each).load() for each in OPERATOR_COMMANDS]


@pytest.fixture(autouse=True)
def _in_a_folder_without_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of these commands needs settings or a database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_CONFIG", raising=False)


def typed(*words: str) -> Said:
    return type_words("scenario", *words)


def spoilt(*changes: tuple[str, str]) -> str:
    text = GOOD
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def line_of(text: str, piece: str) -> int:
    return text[: text.index(piece)].count("\n") + 1


@pytest.mark.parametrize("name", SCENARIO.commands)
def test_each_word_has_an_example_that_can_be_typed(name: str, tmp_path: Path) -> None:
    (tmp_path / "my-battle.toml").write_text(GOOD)
    (example,) = re.findall(r"Example: referee (.*)", SCENARIO.commands[name].help or "")
    words = shlex.split(example.partition(" > ")[0])
    assert words[:2] == ["scenario", name]
    said = type_words(*words)
    assert (said.status, said.err) == (0, "")


# --- check


def test_a_good_file_is_told_to_be_one_with_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(GOOD)
    said = typed("check", "good.toml")
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == [
        "good.toml: it can be played.",
        "  Two Sheepfolds (cc-skirmish)",
        "  A small battle to begin with: two units of foot, a troop of horse and a gun on either side.",
        "  table       300 cm along the back lines, 200 cm between them",
        "  red         37 men and 1 gun; units: 2 infantry, 1 cavalry, 1 artillery",
        "  blue        37 men and 1 gun; units: 2 infantry, 1 cavalry, 1 artillery",
        "  objectives  K1 West Knoll; K2 North Fold; K3 South Fold; K4 East Knoll",
        "  turns       20 for each side",
        "  editions    fr, also en",
    ]


def test_all_faults_are_told_at_once_by_their_lines(tmp_path: Path) -> None:
    text = spoilt(('kind = "hill"', 'kind = "hil"'), ("wide_cm", "width_cm"), ("men = 12", 'men = "12"'))
    (tmp_path / "bad.toml").write_text(text)
    said = typed("check", "bad.toml")
    assert (said.status, said.err) == (1, "")
    head, *faults = said.out.splitlines()
    assert head == "bad.toml: 4 faults."
    lines = [line_of(text, "[table]"), *(line_of(text, each) for each in ("width_cm", '"hil"', '"12"'))]
    assert [each.split(",")[0] for each in faults] == [f"  Line {line}" for line in lines]
    assert "Did you mean hill?" in said.out


def test_what_the_rules_forbid_is_told_too_with_the_rule(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(spoilt(("men = 12", "men = 11")))
    said = typed("check", "bad.toml")
    assert said.status == 1
    assert "Red has 36 men and Blue 37; both must have as many. (CC-1.5)" in said.out


def test_several_files_may_be_checked_and_one_bad_one_is_enough_for_the_status(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("format = ")
    for name in NAMES:
        (tmp_path / f"{name}.toml").write_text(given_text(name))
    said = typed("check", "cc-guns.toml", "bad.toml", "cc-standard.toml")
    assert said.status == 1
    guns, bad, standard = said.out.split("\n\n")
    assert guns.startswith("cc-guns.toml: it can be played.")
    # Warnings come behind, and are no faults.
    assert (
        guns.splitlines()[-1]
        == "  But: In the edition fr 5 cannons of a side share 4 shot markers (CC-1.10)."
    )
    assert bad.splitlines()[0] == "bad.toml: 1 fault."
    assert standard.startswith("cc-standard.toml: it can be played.")
    assert typed("check", "cc-guns.toml", "cc-standard.toml").status == 0


def test_an_edition_may_be_named_that_the_file_does_not(tmp_path: Path) -> None:
    """CC-1.2: the English table has one size."""
    text = spoilt(('editions_ok = ["en", "fr"]', 'editions_ok = ["fr"]'))
    text = text.replace("wide_cm = 200.0", "wide_cm = 210.0").replace("296.0, 180.0]", "306.0, 180.0]")
    # The north back line is ten cm farther off now.
    for old, new in (("195.0", "205.0"), ("196.0", "206.0"), ("191.0", "201.0")):
        text = text.replace(old, new)
    (tmp_path / "french.toml").write_text(text)
    assert typed("check", "french.toml").status == 0
    said = typed("check", "french.toml", "--edition", "en")
    assert said.status == 1
    assert "(CC-1.2)" in said.out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "format is missing"),
        (
            b"format = 1\n# caf\xe9\n",
            "Line 2, column 6, a scenario is text in UTF-8; this is none from here on.",
        ),
        (b"\xff\xfef\x00", "Line 1, column 1"),
        (b"x" * 1_000_000, "a scenario has at most 40,000 characters"),
        ("é".encode() * 400_001 + b"x", "a scenario has at most 40,000 characters"),
        (b"a" + "é".encode() * 500_000, "a scenario has at most 40,000 characters"),
        (b"[" * 30_000, "a scenario is TOML"),
        (b"format = 1\nformat = 1\n", "a scenario is TOML"),
    ],
)
def test_any_file_is_checked_and_never_more_of_it_read_than_can_be_one(
    content: bytes, told: str, tmp_path: Path
) -> None:
    (tmp_path / "odd.toml").write_bytes(content)
    said = typed("check", "odd.toml")
    assert said.status == 1
    assert told.lower() in said.out.lower()


def test_a_file_from_elsewhere_cannot_steer_the_terminal(tmp_path: Path) -> None:
    text = spoilt(('title = "Two Sheepfolds"', 'title = "Two \\u202e Folds"'), ('"hill"', '"\\u001b[2J"'))
    (tmp_path / "odd.toml").write_text(text)
    said = typed("check", "odd.toml")
    assert said.status == 1
    assert said.out.replace("\n", "").isprintable()


def test_what_is_made_can_be_checked_without_a_file() -> None:
    """referee scenario make --seed x | referee scenario check -"""
    said = CliRunner().invoke(SCENARIO, ["check", "-"], input=typed("make", "--seed", "x").out)
    assert (said.exit_code, said.stderr) == (0, "")
    assert said.stdout.startswith("-: it can be played.")


def test_a_mark_at_the_beginning_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "windows.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert typed("check", "windows.toml").status == 0


def test_a_check_can_be_read_by_programs(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(GOOD)
    text = spoilt(('on = "T1"', 'on = "T11"'))
    (tmp_path / "bad.toml").write_text(text)
    said = typed("check", "good.toml", "bad.toml", "--json")
    assert (said.status, said.err) == (1, "")
    good, bad = said.json["files"]
    assert (good["good"], good["faults"], good["warnings"]) == (True, [], [])
    assert good["scenario"]["sides"][0] == {
        "side": "red",
        "men": 37,
        "guns": 1,
        "units": {"infantry": 2, "cavalry": 1, "artillery": 1},
    }
    assert (bad["good"], bad["scenario"]) == (False, None)
    (fault,) = bad["faults"]
    assert (fault["line"], fault["code"]) == (line_of(text, 'on = "T11"'), "scenario-on")


def test_a_file_that_is_not_there_is_a_usage_error() -> None:
    assert typed("check", "nowhere.toml").status == 2
    assert typed("check").status == 2


# --- picture


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_is_drawn_as_the_ending_says(name: str, tmp_path: Path) -> None:
    assert typed("picture", name, "--to", "table.png") == Said(0, "", "")
    with Image.open(io.BytesIO((tmp_path / "table.png").read_bytes())) as image:
        assert image.format == "PNG"
    assert typed("picture", name, "--to", "table.SVG") == Said(0, "", "")
    root = ElementTree.fromstring((tmp_path / "table.SVG").read_text("utf-8"))
    assert {"RI1", "BI1"} <= {element.text for element in root.iter() if element.text}


def test_a_file_is_drawn_too_and_a_bad_one_is_told_off(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(GOOD)
    assert typed("picture", "good.toml", "--to", "good.svg").status == 0
    assert (tmp_path / "good.svg").exists()
    (tmp_path / "bad.toml").write_text(spoilt(("men = 12", "men = 11")))
    said = typed("picture", "bad.toml", "--to", "bad.svg")
    assert (said.status, said.out) == (1, "")
    assert "(CC-1.5)" in said.err
    assert not (tmp_path / "bad.svg").exists()


def test_the_map_is_printed_as_text() -> None:
    said = typed("picture", "cc-skirmish", "--map")
    assert said.status == 0
    ruler, *rows = said.out.splitlines()
    assert ruler.split() == ["0", "50", "100", "150", "200", "250"]
    assert len(rows) == 20
    assert "I1^" in rows[-1]


def test_an_aide_is_on_the_map_where_the_edition_knows_one() -> None:
    """CC-1.8."""
    assert "D" in typed("picture", "cc-standard", "--map", "--edition", "en").out
    assert "D" not in typed("picture", "cc-standard", "--map", "--edition", "fr").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cc-skirmish"], "into which file?"),
        (["cc-skirmish", "--to", "table.gif"], "expected a name that ends with .svg or .png"),
        (["cc-skirmsh", "--map"], "did you mean cc-skirmish?"),
        (["nothing", "--map"], "given are cc-guns, cc-skirmish, cc-standard"),
    ],
)
def test_what_cannot_be_drawn_is_refused(words: list[str], said: str) -> None:
    answer = typed("picture", *words)
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err


# --- list, show


def test_the_given_scenarios_are_listed() -> None:
    assert given_scenarios() == NAMES
    said = typed("list")
    assert [line.split()[0] for line in said.out.splitlines()] == list(NAMES)
    assert "Two Sheepfolds: 37 men and 1 gun a side, 300 by 200 cm." in said.out
    listed = typed("list", "--json").json
    assert [each["id"] for each in listed] == list(NAMES)
    assert listed[2]["editions"] == ["en", "fr"]


@pytest.mark.parametrize("name", NAMES)
def test_a_given_scenario_is_shown_so_that_it_can_be_changed_and_checked(name: str, tmp_path: Path) -> None:
    shown = typed("show", name)
    assert (shown.status, shown.out) == (0, given_text(name))
    (tmp_path / "mine.toml").write_text(shown.out.replace(name, "mine"))
    said = typed("check", "mine.toml")
    assert said.status == 0
    assert f"{given_scenario(name).title} (mine)" in said.out


def test_what_is_not_given_cannot_be_shown() -> None:
    said = typed("show", "../scenario.py")
    assert (said.status, said.out) == (2, "")
    assert "no scenario of that name" in said.err


# --- make


def test_a_scenario_is_made_up_and_is_as_good_as_any(tmp_path: Path) -> None:
    words = (
        "make",
        "--seed",
        "Autumn rain",
        "--units",
        "8",
        "--men",
        "80",
        "--guns",
        "2",
        "--table",
        "200x300",
    )
    printed = typed(*words)
    assert (printed.status, printed.err) == (0, "")
    said = typed(*words, "--to", "autumn.toml")
    assert said.status == 0
    assert said.out.startswith("autumn.toml: ")
    assert (tmp_path / "autumn.toml").read_bytes() == printed.out.encode()
    checked = typed("check", "autumn.toml")
    assert checked.status == 0
    assert "80 men and 2 guns" in checked.out
    assert "200 cm along the back lines, 300 cm between them" in checked.out
    assert "But:" not in checked.out
    assert typed("picture", "autumn.toml", "--to", "autumn.png").status == 0


@pytest.mark.parametrize(
    "seed", ["Autumn rain", "-x", "--to", "it's", '"', "#1", "$(ls) `ls`", "\\", "été", "雨", "a  b "]
)
def test_the_words_at_its_head_make_it_again(seed: str) -> None:
    made = typed("make", "--seed", seed, "--units", "5", "--edition", "en")
    assert made.status == 0
    (line,) = re.findall(r"^# Made up by: referee (.*)$", made.out, re.MULTILINE)
    assert type_words(*shlex.split(line)) == made


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("mine")
    said = typed("make", "--seed", "x", "--to", "mine.toml")
    assert (said.status, said.out) == (2, "")
    assert "it was left as it is" in said.err
    assert (tmp_path / "mine.toml").read_text() == "mine"


def test_editions_may_be_named(tmp_path: Path) -> None:
    said = typed("make", "--seed", "x", "--edition", "fr")
    assert 'editions_ok = ["fr"]' in said.out
    said = typed("make", "--seed", "x", "--edition", "fr", "--edition", "EN")
    assert 'editions_ok = ["fr", "en"]' in said.out


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--seed", ""],
        ["--seed", "x", "--units", "none"],
        ["--seed", "x", "--units", "99"],
        ["--seed", "x", "--units", "-1"],
        ["--seed", "x", "--men", "1"],
        ["--seed", "x", "--men", "9" * 30],
        ["--seed", "x", "--guns", "-1"],
        ["--seed", "x", "--guns", "9" * 30],
        ["--seed", "x", "--table", "large"],
        ["--seed", "x", "--table", "300"],
        ["--seed", "x", "--table", "0x0"],
        ["--seed", "x", "--table", "9999x9999"],
        ["--seed", "x", "--edition", "de"],
        ["--seed", "x\u202ey"],
    ],
)
def test_what_cannot_be_made_is_refused_in_a_sentence(words: list[str]) -> None:
    said = typed("make", *words)
    assert (said.status, said.out) == (2, "")
    assert said.err.strip()
    assert "Traceback" not in said.err
