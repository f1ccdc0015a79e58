"""Rulebooks that other packages bring: how they are found, and what becomes of one that fails."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.common.errors import GameUnreadable, RulesUnusable
from referee.rulebooks.catalogue import OWN, Rulebooks
from referee.rulebooks.installed import GROUP, TEMPLATES, find_installed, trouble, usable
from tests.support.operating import SEATS, WENDY, YANNICK, Desk, answer, text_of

TAKEN = [entry.name for entry in OWN]
CASES = itertools.count(1)
OUR_TEMPLATES = Path(referee.__file__).parents[1] / "templates"
ENTRY = """\
from referee.rulebooks.entry import Entry

ENTRY = Entry({name!r}, {title!r}, {seats!r}, {place!r})
"""
RULES = """\
from referee.rulebooks.confusion import Confusion


class Harmony(Confusion):
    name = "harmony"
    title = "Harmony"
"""


def install(
    folder: Path,
    module: str = "harmony_game",
    *,
    name: str = "harmony",
    named: str = "",
    title: str = "Harmony",
    seats: tuple[str, ...] = ("white", "yellow"),
    entry: str = "",
    rules: str = RULES,
    templates: bool = True,
) -> None:
    """Lay a package into a folder as an installer does. named: its entry point, if that is not the name."""
    package = folder / module
    package.mkdir(parents=True)
    place = f"{module}.rules:Harmony"
    (package / "__init__.py").write_text(
        entry or ENTRY.format(name=name, title=title, seats=seats, place=place)
    )
    (package / "rules.py").write_text(rules)
    if templates:
        shutil.copytree(OUR_TEMPLATES / "confusion", package / TEMPLATES)
    about = folder / f"{module}-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{named or name} = {module}:ENTRY\n")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which this process looks for packages."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    yield folder
    for module in [each for each in sys.modules if each.partition(".")[0].endswith("_game")]:
        del sys.modules[module]


def test_there_are_none_here_but_those_of_this_service() -> None:
    assert find_installed(TAKEN) == ((), ())


def test_a_rulebook_is_found_with_the_package_it_comes_from(path: Path) -> None:
    install(path)
    (found,), unusable = find_installed(TAKEN)
    assert (found.name, found.title, found.package) == ("harmony", "Harmony", "harmony_game 1.2")
    assert (unusable, trouble(found)) == ((), "")
    assert list(usable((*OWN, found))) == [*OWN, found]


@pytest.mark.parametrize(
    ("package", "reason"),
    [
        ({"entry": "import nothing_of_this_name"}, "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ({"entry": "1 / 0"}, "ZeroDivisionError: division by zero"),
        ({"entry": "raise SystemExit(3)"}, "SystemExit: 3"),
        ({"entry": "OTHER = 1"}, "AttributeError: "),
        ({"entry": "ENTRY = 17"}, "TypeError: harmony_game:ENTRY is no Entry, but of the type int"),
        ({"named": "melody"}, "ValueError: its entry point is called melody, and its entry harmony"),
        ({"name": "spies"}, "ValueError: there are other rules named spies"),
        ({"name": "Har mony"}, "ValueError: its name is not of small letters, digits and dashes"),
        ({"title": " "}, "ValueError: it has no title"),
        ({"seats": ("white", "red", "blue")}, "ValueError: it has 3 seats; a game of this service has 2"),
        ({"seats": ("white", "white")}, "ValueError: it has 2 seats; a game of this service has 2, each with its own"),
        ({"seats": ("white", "umpire")}, "ValueError: no seat can be called 'umpire'"),
    ],
)  # fmt: skip
def test_one_that_is_not_what_it_should_be_is_left_out_with_the_reason(
    path: Path, package: Mapping[str, Any], reason: str
) -> None:
    install(path, **package)
    install(path, "other_game", name="melody2", title="Melody")
    found, (unusable,) = find_installed(TAKEN)
    assert [each.name for each in found] == ["melody2"]
    assert unusable.package == "harmony_game 1.2"
    assert unusable.reason.startswith(reason)


@pytest.mark.parametrize(
    ("package", "reason"),
    [
        ({"rules": "raise OSError('no licence')"}, "OSError: no licence"),
        ({"rules": "Other = 1"}, "AttributeError: "),
        ({"rules": "Harmony = 17"}, "TypeError: 'int' object is not callable"),
        ({"title": "Discord"}, "it says that it is ('harmony', 'Harmony', ('white', 'yellow')), and its entry that "),
        ({"templates": False}, " has no folder templates"),
    ],
)  # fmt: skip
def test_one_whose_rules_cannot_be_loaded_says_why(
    path: Path, package: Mapping[str, Any], reason: str
) -> None:
    module = f"case{next(CASES)}_game"  # what was loaded once is not loaded again
    install(path, module, **package)
    (found,), _ = find_installed(TAKEN)
    assert trouble(found).removeprefix(module).startswith(reason)
    assert list(usable((*OWN, found))) == list(OWN)


def test_of_two_with_one_name_the_second_is_left_out(path: Path) -> None:
    install(path, "b_game")
    install(path, "a_game")
    (found,), (unusable,) = find_installed(TAKEN)
    assert (found.package, unusable.package) == ("a_game 1.2", "b_game 1.2")
    assert unusable.reason == "ValueError: there are other rules named harmony"


def test_a_game_whose_rules_are_gone_says_so_and_no_more() -> None:
    with pytest.raises(RulesUnusable) as gone:
        Rulebooks()["harmony"]
    assert str(GameUnreadable(17, gone.value)) == (
        "game 17 cannot be read: its rules harmony cannot be used (no package with them is installed); "
        "`referee rulebooks` lists what is installed"
    )
    assert Rulebooks().get("harmony") is None


@pytest.mark.subprocess
def test_a_game_of_another_package_is_played_by_letter_and_one_that_fails_stops_nothing(
    tmp_path: Path,
) -> None:
    packages = tmp_path / "site-packages"
    install(packages)
    install(packages, "discord_game", name="discord", rules="raise OSError('no licence')")
    desk = Desk(tmp_path)

    def do(*words: str, status: int = 0) -> str:
        ended = subprocess.run(
            desk.command(*words),
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(packages), *sys.path[:1]))},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == status, ended
        return ended.stdout if not status else ended.stdout + ended.stderr

    do("init", "--offline")
    listed = {each["name"]: each for each in json.loads(do("rulebooks", "--json"))}
    assert list(listed) == [*TAKEN, "discord", "harmony"]
    assert listed["harmony"]["package"] == "harmony_game 1.2" and listed["harmony"]["fault"] is None
    assert listed["discord"]["fault"] == "OSError: no licence"
    assert "The rules discord cannot be used: OSError: no licence" in do("doctor", "--offline", status=1)
    assert "cannot be used: OSError: no licence" in do("new", "discord", *SEATS, status=2)

    for rules, title in (
        ("harmony", "Harmony 1: Wendy - Yannick"),
        ("confusion", "Confusion 2: Wendy - Yannick"),
    ):
        do("new", rules, *SEATS, "--first", "white")
        do("run", "--once")
        assert title in desk.last_to(WENDY)["Subject"]
    desk.put(answer(desk.last_to(WENDY), "1: L-S2"))
    do("run", "--once")
    assert "White tried L-S2" in text_of(desk.last_to(YANNICK))

    shutil.rmtree(packages / "harmony_game-1.2.dist-info")
    games = {each["game"]: each for each in json.loads(do("games", "--json"))}
    assert "its rules harmony cannot be used (no package with them is installed)" in games[1]["fault"]
    assert games[2]["fault"] is None
    desk.put(answer(desk.last_to(WENDY), "2: L-S2"))
    do("run", "--once")
    assert "White tried L-S2" in text_of(desk.last_to(YANNICK))
