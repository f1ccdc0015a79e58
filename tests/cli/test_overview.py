"""`referee overview` and `referee games --late`: what they print, their JSON, and how wide it is."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import click
import pytest

from referee.cli.dashboard import WIDTH, Beside, late_games, look_over, plain, write_late, write_overview
from referee.cli.overview import overview
from referee.games.tournaments.tournament import Competition
from referee.service.bootstrap import Application
from referee.service.game_list import list_games
from referee.service.tournaments import TournamentService
from tests.support.begun import DEAL
from tests.support.bounces import bounce
from tests.support.operating import SEATS, Desk, type_words
from tests.support.playing import Club, Correspondent, new_database

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
LEAGUE = Competition("Spring League", rules=("confusion",), time="3d/move", lapse="soft", leave=30)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


def application(club: Club) -> Application:
    """What an operator's commands know of a club's service."""
    return cast(Application, SimpleNamespace(service=club.service, store=club.store, clock=club.clock))


def lines(club: Club, event: str | None = None, **how: Any) -> list[str]:
    return list(write_overview(*look_over(application(club), event, **how)))


def text(club: Club, **how: Any) -> str:
    """The overview on one line."""
    return " ".join(" ".join(lines(club, **how)).split())


def begin(club: Club, white: Correspondent, yellow: Correspondent, event: str = "Spring League") -> int:
    game = club.starts({"white": white, "yellow": yellow}, deal=DEAL, event=event)
    club.posts()
    club.looks_at_clocks()
    return game


@pytest.fixture
def people(club: Club) -> tuple[Correspondent, Correspondent]:
    """Anna and Bert, and an event to play in."""
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(LEAGUE)
    anna, bert = club.member("Anna"), club.member("Bert")
    club.waits(2 * DAY)
    return anna, bert


# as typed


def test_it_has_help_with_an_example_that_can_be_typed() -> None:
    said = type_words("overview", "--help")
    assert said.status == 0
    (example,) = re.findall(r"Example: (.*)", overview.help or "")
    program, name, *words = shlex.split(example)
    assert (program, name) == ("referee", "overview")
    overview.make_parser(click.Context(overview)).parse_args(list(words))


def test_with_nothing_there_it_is_one_friendly_sentence(desk: Desk) -> None:
    assert desk.done("overview").out == "No game is being played, and nothing waits for you.\n"
    assert desk.done("overview", "--late").out == "No game is late.\n"
    assert desk.done("games", "--late").out == "No game is late.\n"
    assert desk.done("games", "--late", "--json").json == []


def test_an_event_that_is_none_is_bad_usage(desk: Desk) -> None:
    for words in (("overview",), ("games", "--late")):
        said = desk.do(*words, "--event", "Winter League")
        assert (said.status, said.out) == (2, "") and "there is no event 'Winter League'" in said.err


def test_a_frozen_game_and_the_others_are_told_and_no_type(desk: Desk) -> None:
    for _ in range(2):
        desk.done("new", "confusion", *SEATS, "--first", "white", "--deal", DEAL)
    assert "Nothing needs you." in desk.done("overview").out
    desk.done("freeze", "2", "--reason", "A ruling is being checked.")
    said = desk.done("overview").out
    frozen, others = said.split("\n\nNO EVENT\n")
    assert "    2  Wendy - Yannick, turn 1\n       Frozen since " in frozen
    assert "`referee thaw 2` lets it go on." in " ".join(frozen.split())
    assert re.search(r"^ +1 +Wendy - Yannick +1 +White +- +- +no clock +- ", others, re.MULTILINE)
    assert "2  Wendy" not in others
    document = desk.done("overview", "--json").json
    assert [each["game"] for each in document["needs"]] == [2]
    assert document["needs"][0]["needs"][0]["what"] == "frozen"
    assert [each["game"] for section in document["events"] for each in section["games"]] == [1]
    assert "A6" not in said and "Rocket" not in said


def test_its_limit_lists_the_most_urgent(desk: Desk) -> None:
    for _ in range(3):
        desk.done("new", "confusion", *SEATS, "--first", "white")
    desk.done("freeze", "3", "--reason", "A ruling is being checked.")
    said = desk.done("overview", "--limit", "1").out
    assert "    3  Wendy" in said and "NO EVENT" not in said
    assert "Not listed: 2 more, which need less; --limit lists more, --event one event." in said
    assert desk.done("overview", "--limit", "1", "--json").json["left_out"] == 2


# what it tells


def test_every_line_fits_a_terminal_of_eighty_columns(
    club: Club, people: tuple[Correspondent, Correspondent]
) -> None:
    anna, bert = people
    long = [club.person(f"Name{n}", f"name{n}@example.net") for n in range(2)]
    for who, name in zip(
        long, ("Maximiliana Wolkenstein Trostburg", "Bartholomaeus Hohenlohe Langenburg"), strict=True
    ):
        who.writes(f"register {name}")
        assert name in who.last.text
    for white, yellow in ((anna, bert), (bert, anna), (long[0], long[1]), (long[1], anna), (anna, long[0])):
        begin(club, white, yellow)
    anna.replies("L-S2", to=anna.last_about(1))
    bert.replies("agree none", "pause", to=bert.last_about(1))
    anna.replies("claim " + "Please look at this. " * 20, to=anna.last_about(2))
    club.referee.umpire.freeze(
        3, "A ruling is being checked, which takes a while, since it is a long story. " * 3
    )
    club.take(club.raw(bounce(long[0].last)))
    club.waits(4 * DAY)
    club.looks_at_clocks()
    said = lines(club)
    assert max(map(len, said)) <= WIDTH
    assert sum("Wolkenstein" in line for line in said) >= 2
    assert all(len(line) <= 132 for line in write_late(look_over(application(club), late=True)[0]))


def test_each_thing_that_needs_somebody_is_told_with_its_cure(
    club: Club, people: tuple[Correspondent, Correspondent]
) -> None:
    anna, bert = people
    late, up, case = (begin(club, anna, bert) for _ in range(3))
    silent = begin(club, anna, bert, "")
    anna.replies("claim Please look.", to=anna.last_about(case))
    club.waits(3 * DAY + HOUR)
    bert.replies("status", to=bert.last_about(up), vouched=False)
    said = text(club, event="Spring League")
    assert (
        f"White is late since 12-02 17:21. `referee umpire add-time {late} --seat white` gives time." in said
    )
    assert f"Case {case}/1, brought by White, waits since" in said
    assert f"for you. `referee claims --settle {case}/1` rules on it." in said
    assert "in the name of Yellow is held since" in said
    club.looks_at_clocks()
    said = text(club)
    assert "White's time is up since 12-02 17:35; it may be claimed." in said
    assert f"`referee umpire add-time {up} --seat white` gives time." in said
    club.waits(30 * DAY)
    said = text(club)
    assert "White has not moved since" in said and f"`referee adjudicate {silent}` ends it." in said


def test_letters_set_aside_and_proposals_are_told_to_whoever_runs_the_service(
    club: Club, people: tuple[Correspondent, Correspondent]
) -> None:
    anna, bert = people
    begin(club, anna, bert)
    anna.writes("challenge Bert confusion")
    bert.writes("open confusion")
    number = club.last_letter()
    seen, beside = look_over(application(club))
    assert (beside.proposals, [each.is_open for each in beside.oldest]) == (2, [False, True])
    said = " ".join(" ".join(write_overview(seen, replace(beside, set_aside=((number, "a fault"),)))).split())
    assert f"Letter {number} was set aside: a fault. Look at it with `referee letters show {number}`." in said
    assert "Proposals that wait for an answer: 2 2: Anna - Bert, since" in said
    assert look_over(application(club), "Spring League")[1] == Beside()


def test_games_that_are_late_have_a_line_each_and_the_keys_of_the_list(
    club: Club, people: tuple[Correspondent, Correspondent]
) -> None:
    anna, bert = people
    first, second = begin(club, anna, bert), begin(club, bert, anna)
    club.waits(2 * DAY)
    bert.replies("L-S2", to=bert.last_about(second))
    club.posts()
    club.looks_at_clocks()
    club.waits(DAY + HOUR)
    seen, _ = look_over(application(club), late=True)
    (line,) = write_late(seen)
    assert line == "    1  Anna - Bert: turn 1, White is late since 12-02 17:21; left 0m, last letter in -"
    (found,) = late_games(seen)
    (listed,) = (each for each in list_games(application(club)).games if each["game"] == first)
    assert {key: found[key] for key in listed} == listed
    assert set(found) - set(listed) == {"since", "seats", "needs"}
    assert found["seats"]["white"]["left"] == 0 and found["seats"]["white"]["used"] > 3 * 86400
    assert json.loads(json.dumps(found)) == found


def test_an_open_offer_is_a_line_below_its_game(
    club: Club, people: tuple[Correspondent, Correspondent]
) -> None:
    anna, bert = people
    begin(club, anna, bert)
    bert.replies("draw", "pause", to=bert.last_about(1))
    lines = list(write_overview(*look_over(application(club))))
    game = next(place for place, line in enumerate(lines) if line.lstrip().startswith("1  "))
    below = " ".join(line.strip() for line in lines[game + 1 : game + 3])
    assert below.startswith("Waits for an answer: a draw, by yellow since ")
    assert "; a pause, by yellow since " in below and below.endswith(".")
    assert max(map(len, lines)) <= WIDTH


def test_its_json_says_every_column(club: Club, people: tuple[Correspondent, Correspondent]) -> None:
    anna, bert = people
    begin(club, anna, bert)
    began = club.clock.now()
    bert.replies("draw", "pause", to=bert.last_about(1))
    club.waits(DAY)
    document = plain(*look_over(application(club)))
    ((game,),) = (section["games"] for section in document["events"])
    assert game["offer"] == {"by": "yellow", "end": "draw", "since": f"{began:%Y-%m-%dT%H:%M:%SZ}"}
    assert game["pause_offers"] == [{"by": "yellow", "since": f"{began:%Y-%m-%dT%H:%M:%SZ}"}]
    assert (game["time"], game["lapse"], game["to_move"], game["turn"]) == ("3d/move", "soft", ["white"], 1)
    white, yellow = game["seats"]["white"], game["seats"]["yellow"]
    assert (white["to_move"], white["left"] + white["used"], white["letter_in"]) == (True, 3 * 86400, None)
    assert white["deadline"] == "2026-12-02T17:21:00Z"
    assert yellow["letter_in"] == f"{began:%Y-%m-%dT%H:%M:%SZ}" and yellow["deadline"] is None
    assert (document["needs"], document["left_out"], document["playing"]) == ([], 0, 1)
    json.dumps(document)
