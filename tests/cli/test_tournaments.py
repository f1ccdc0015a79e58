"""The operator's commands about events: what each prints, its JSON, and its exit status."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from referee.cli.tournaments import event
from referee.rulebooks.catalogue import RULEBOOKS
from tests.support.operating import SEATS, Desk, text_of, type_words

LEAGUE = 'name = "Spring League"\nzone = "Europe/Paris"\nreminders = ["7d", "12h"]\nleave = 30\n'
OLGA = "Olga <olga@example.net>"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A desk with an event, for what changes nothing."""
    return league(Desk(tmp_path_factory.mktemp("desk")))


def file(desk: Desk, text: str = LEAGUE, name: str = "league.toml") -> Path:
    path = desk.folder / name
    path.write_text(text, encoding="utf-8")
    return path


def league(desk: Desk) -> Desk:
    desk.done("event", "new", file(desk))
    return desk


@pytest.mark.parametrize("name", list(event.commands))
def test_each_has_help_with_an_example_that_can_be_typed(name: str) -> None:
    said = type_words("event", name, "--help")
    assert said.status == 0
    command = event.commands[name]
    (example,) = re.findall(r"Example: (.*)", command.help or "")
    program, group, typed, *words = shlex.split(example.partition(" > ")[0])
    assert (program, group, typed) == ("referee", "event", name)
    command.make_parser(click.Context(command)).parse_args(list(words))
    assert f"$ {example}" in type_words("event", "--help").out


def test_an_event_is_made_of_a_file_and_shown(desk: Desk) -> None:
    assert desk.done("event", "list").out.startswith("There are no events yet")
    tried = desk.done("event", "new", file(desk), "--dry-run").out
    assert tried.startswith("Spring League could be made:\n") and '  reminders  ["7d", "12h"]\n' in tried
    assert desk.done("event", "list", "--json").json == []
    made = desk.done("event", "new", file(desk)).out
    assert made == tried.replace("could be made", "is made")
    shown = desk.done("event", "show", "spring league").out
    assert shown.startswith("Spring League, since ") and '  zone       "Europe/Paris"\n' in shown
    assert "  games      0 being played, 0 over\n" in shown


def test_its_json_is_one_document(desk: Desk) -> None:
    terms: dict[str, Any] = {
        "event": "Spring League",
        "rules": [rulebook.name for rulebook in RULEBOOKS],
        "time": "none",
        "lapse": "hard",
        "zone": "Europe/Paris",
        "days_off": [],
        "holidays": {},
        "reminders": ["7d", "12h"],
        "leave": 30,
        "press": "named",
        "watchers": "off",
        "notes": "",
    }
    assert desk.done("event", "new", file(desk), "--dry-run", "--json").json == {**terms, "made": False}
    assert desk.done("event", "new", file(desk), "--json").json == {**terms, "made": True}
    line = {"event": "Spring League", "officers": {}, "playing": 0, "ended": 0}
    assert desk.done("event", "list", "--json").json == [line]
    assert desk.done("event", "show", "Spring League", "--json").json == {**terms, **line, "changes": []}


def test_its_file_comes_out_as_it_can_go_in(desk: Desk) -> None:
    written = league(desk).done("event", "show", "Spring League", "--toml").out
    again = file(desk, written, "again.toml")
    said = desk.done("event", "change", "Spring League", again, "--reason", "A round trip.").out
    assert said == "Spring League says all this already; nothing is changed.\n"
    said = desk.done("event", "change", "Spring League", again, "--reason", "A round trip.", "--json").json
    assert said == {"event": "Spring League", "changed": False, "playing": 0, "changes": []}


def test_a_file_is_refused_with_all_that_is_wrong_with_it(desk: Desk) -> None:
    bad = file(desk, 'name = "Spring; League"\nzone = "Pariss"\nleaf = 3\n')
    for words in (("new", bad), ("new", bad, "--dry-run"), ("change", "Spring League", bad, "--reason", "x")):
        said = desk.do("event", *words)
        assert (said.status, said.out) == (2, "")
        assert said.err.splitlines() == [
            f'{bad}: Line 1, column 1, `name = "Spring; League"`: the name of an event cannot hold the sign ;.',
            f'{bad}: Line 2, column 1, `zone = "Pariss"`: there is no time zone Pariss. Did you mean Europe/Paris?',
            f"{bad}: Line 3, column 1, `leaf = 3`: an event has no key leaf; its keys are name, rules, time, lapse, "
            "zone, days_off, reminders, leave, press, watchers, notes, holidays. Did you mean leave?",
        ]
    assert desk.done("event", "list", "--json").json == []


def test_a_file_in_another_encoding_is_refused(desk: Desk) -> None:
    path = file(desk)
    path.write_bytes('name = "Été"\n'.encode("latin-1"))
    said = desk.do("event", "new", path)
    assert (said.status, said.out) == (2, "") and "is not UTF-8 text" in said.err
    path.write_bytes('\ufeffname = "Été"\n'.encode())
    assert desk.done("event", "new", path).out.startswith("Été is made")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["event", "new", "league.toml"], "There is an event of that name"),
        (["event", "show", "Sprung League"], "did you mean 'Spring League'?"),
        (["event", "show", "Spring League", "--toml", "--json"], "choose one"),
        (["event", "change", "Cup", "league.toml", "--reason", "x"], "there is no event 'Cup'"),
        (["event", "change", "Spring League", "league.toml"], "Missing option '--reason'"),
        (["event", "change", "Spring League", "league.toml", "--reason", " "], "expected a sentence"),
        (["event", "officer", "Spring League", "king", OLGA], "'king' is not one of"),
        (["event", "officer", "Spring League", "umpire", "olga"], "'olga'"),
        (["event", "officer", "Spring League", "umpire", "olga@example.net"], "is not registered: write"),
        (["event", "officer", "Spring League", "umpire", OLGA, "--remove"], "has no umpire"),
        (["event", "officer", "Cup", "umpire", OLGA], "there is no event 'Cup'"),
        (["event", "new", "/no/file"], "does not exist"),
        (["event"], "Usage"),
        (["event", "nonsense"], "No such command"),
        (["games", "--event", "Cup"], "there is no event 'Cup'"),
        (["new", "confusion", "--event", "Cup", *SEATS], "there is no event 'Cup'"),
        (["new", "confusion", "--event", "Spring League", "--option", "press=off", *SEATS], "says press=named"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_status_2_and_said_on_standard_error(
    settled: Desk, words: Sequence[str], said: str
) -> None:
    tried = settled.do(*(str(settled.folder / word) if word == "league.toml" else word for word in words))
    assert (tried.status, tried.out) == (2, "")
    assert said in tried.err
    assert settled.done("games", "--json").json == []


def test_a_change_says_what_follows_and_is_done_only_without_dry_run(desk: Desk) -> None:
    league(desk).done("new", "confusion", "--event", "Spring League", *SEATS)
    other = file(desk, LEAGUE.replace("30", "14").replace("Spring", "Summer"))
    words = ("event", "change", "Spring League", other, "--reason", "A shorter one.")
    tried = desk.done(*words, "--dry-run").out
    assert tried.startswith("Spring League would change; 1 game of it being played:\n  name ")
    assert (
        "  leave      30  ->  14\n             (holds in games that are being played, too; no deadline"
        in tried
    )
    assert desk.done("event", "show", "Spring League", "--json").json["leave"] == 30
    done = desk.done(*words, "--json").json
    assert (done["changed"], done["playing"]) == (True, 1)
    assert [each["key"] for each in done["changes"]] == ["name", "leave"]
    shown = desk.done("event", "show", "Summer League", "--json").json
    assert [each["reason"] for each in shown["changes"]] == ["A shorter one."]
    assert re.search(
        r"^changed \d{4}-.* UTC: A shorter one\.$", desk.done("event", "show", "Summer League").out, re.M
    )


def test_an_office_is_given_and_taken_and_its_holder_is_told(desk: Desk) -> None:
    said = league(desk).done("event", "officer", "Spring League", "umpire", OLGA).out
    assert said == "Olga is now umpire of Spring League, and is told by letter.\n"
    said = desk.done("event", "officer", "spring league", "APPEALS", "olga@example.net").out
    assert said.splitlines() == [
        "but Olga also rules: appeals against those rulings go to the director.",
        "Olga is now officer for appeals of Spring League, and is told by letter.",
    ]
    said = desk.done("event", "officer", "Spring League", "umpire", "Dora <dora@example.net>", "--json").json
    assert (said["name"], said["instead_of"], said["newcomer"], said["removed"]) == (
        "Dora",
        "Olga",
        True,
        False,
    )
    line = "Spring League: games: 0 being played, 0 over; umpire Dora; appeals Olga\n"
    assert desk.done("event", "list").out == line
    said = desk.done("event", "officer", "Spring League", "appeals", "olga@example.net", "--remove").out
    assert said == "Olga is no longer officer for appeals of Spring League, and is told by letter.\n"
    desk.done("run", "--once")
    told = [text_of(letter).split(".")[0] for letter in desk.posted() if "olga@example.net" in letter["To"]]
    assert sorted(told) == [
        "You hear appeals in the event Spring League from now on",
        "You no longer hear appeals in the event Spring League",
        "You no longer umpire the event Spring League",
        "You umpire the event Spring League from now on",
    ]


def test_games_of_an_event_are_listed_shown_and_recorded_as_such(desk: Desk) -> None:
    desk.new_game()
    none = league(desk).done("games", "--event", "Spring League").out
    assert none.startswith("The event has no games yet")
    assert desk.done("new", "confusion", "--event", "spring league", *SEATS).out == "2\n"
    assert [each["event"] for each in desk.done("games", "--json").json] == ["Spring League", None]
    (listed,) = desk.done("games", "--event", "SPRING LEAGUE", "--json").json
    assert listed["game"] == 2
    assert "Event: Spring League" in desk.done("show", "2").out
    assert desk.done("show", "2", "--json").json["event"] == "Spring League"
    assert desk.done("show", "1", "--json").json["event"] is None
    for viewer in ("umpire", "white"):
        assert "\nEvent = Spring League\n" in desk.done("record", "2", "--as", viewer).out
        assert "Event" not in desk.done("record", "1", "--as", viewer).out
    recorded = file(desk, desk.done("record", "2").out, "game-2.txt")
    assert desk.done("replay", recorded, "--json").json["consistent"]
