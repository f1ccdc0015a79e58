"""One damaged row stops neither what is shown of everything else nor what is done there, and is itself named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import create_engine, text

from referee.cli.dashboard import late_games, look_over, plain, write_late, write_overview
from referee.common.errors import EventUnreadable, GameUnreadable
from referee.games import umpire_actions
from referee.handlers.overview_builder import UNREAD
from referee.reports.overview import Unread
from referee.service.bootstrap import Application
from referee.service.doctor import _claims
from referee.service.game_list import list_games
from referee.service.queries import game_as, list_claims, write_claim
from tests.handlers.test_overview_of_umpire_actions import BODIES, TIMES, Played, begin, seen
from tests.support.begun import said
from tests.support.playing import Club, new_database
from tests.support.telling import telling

DAY = timedelta(days=1)
BAD, GOOD = "Spring League", "Club Cup"
TERMS = {
    "no JSON": '{"cut off',
    "nothing": "{}",
    "a list": "[]",
    "another key": '{"name": "Spring League", "speed": 3}',
    "no such zone": '{"name": "Spring League", "zone": "Mars/Olympus"}',
    "no such day": '{"name": "Spring League", "days_off": ["someday"]}',
    "a holiday that is none": '{"name": "Spring League", "holidays": {"2027-02-30": "Never"}}',
    "leave that is no number": '{"name": "Spring League", "leave": "plenty"}',
    "reminders that are none": '{"name": "Spring League", "reminders": ["soon"]}',
}
"""What may stand in the place of an event's terms, once somebody has changed them."""

every_body = pytest.mark.parametrize("body", telling(["[]", '{"cut off'], others=BODIES))
every_time = pytest.mark.parametrize("time", TIMES.values(), ids=TIMES)
all_terms = pytest.mark.parametrize(
    "body", telling([TERMS["no JSON"], TERMS["nothing"]], others=TERMS.values()), ids=TERMS
)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    for name in ("Anna", "Bert", "Dora"):
        club.member(name)
    club.reader("anna@example.net").writes("set letters daily")
    yield club
    club.close()


def two_games(club: Club, time: str) -> tuple[Played, Played]:
    """Anna and Bert play a game in either of two events, and in both a claim waits."""
    bad, good = begin(club, "confusion", time, BAD), begin(club, "confusion", time, GOOD)
    anna = club.reader("anna@example.net")
    for played in (bad, good):
        anna.replies("claim Please look.", to=anna.last_about(played.number))
    return bad, good


@contextmanager
def changed(club: Club, table: str, column: str, value: str, where: str) -> Iterator[None]:
    """Put something else into one row, and at the end what was there."""
    engine = create_engine(club.url)
    with engine.begin() as connection:
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
        for name in names.scalars().all():
            connection.execute(text(f"DROP TRIGGER {name}"))
        before = connection.execute(text(f"SELECT {column} FROM {table} WHERE {where}")).scalar_one()
        change = text(f"UPDATE {table} SET {column} = :value WHERE {where}")
        connection.execute(change, {"value": value})
    club.open_house()
    yield
    with engine.begin() as connection:
        connection.execute(change, {"value": before})
    engine.dispose()


def application(club: Club) -> Application:
    return Application(cast(Any, None), club.service, club.store, club.clock)


def does_all_chores(club: Club) -> None:
    """Let the service do all that it does unasked: none of it fails."""
    referee = club.referee
    referee.letters.looked()
    for chore in (
        referee.jobs.see_to_returns,
        referee.jobs.write_days,
        referee.jobs.write_overviews,
        referee.jobs.hand_cases_on,
        referee.jobs.see_to_clocks,
        referee.jobs.carry_drafts_out,
        referee.jobs.go_on_with_errands,
        referee.jobs.ask_about_held,
        referee.jobs.erase_what_is_due,
    ):
        chore()
    club.collect()


def shows_the_good(club: Club, good: Played) -> None:
    """Hold that every view has the good game, and its case."""
    cases = list_claims(application(club), all_of_them=True)
    assert [each["state"] for each in cases if each["game"] == good.number] == ["open"]
    listed = {line["game"]: line["fault"] for line in list_games(application(club)).games}
    assert listed[good.number] is None
    (line,) = [line for line in seen(club).lines if line.game.number == good.number]
    assert [each.code for each in line.matters] == ["case"] and not line.game.unread
    assert game_as(application(club), good.number, "umpire").text
    json.dumps(plain(*look_over(application(club))))
    json.dumps(late_games(look_over(application(club), late=True)[0]))
    assert list(write_late(look_over(application(club), late=True)[0])) == []


@every_time
@every_body
def test_whatever_event_of_a_game_is_damaged_it_is_named_and_all_else_goes_on(
    club: Club, time: str, body: str
) -> None:
    bad, good = two_games(club, time)
    club.referee.umpire.act(bad.number, umpire_actions.Replace(bad.seats[1], bad.dora), "It has to be so.")
    club.referee.umpire.rule_on_case(bad.number, 1, "No.", "rejected")
    with club.store.reading() as lookup:
        events = lookup.events.of_game(bad.number)
    assert {"Opened", "Ruled", "Claimed", "Replaced", "ClaimAnswered"} <= {each.kind for each in events}
    for each in events:
        with changed(club, "event", "body", body, f"game = {bad.number} AND number = {each.number}"):
            shows_the_good(club, good)
            (line,) = [line for line in seen(club).lines if line.game.number == bad.number]
            assert line.game.unread == UNREAD, each.kind
            written = "\n".join(write_overview(*look_over(application(club))))
            assert "What was kept of it cannot be read. See `referee show 1`." in written
            club.waits(DAY)
            before = len(good.olga.letters)
            does_all_chores(club)
            assert GOOD in said(good.olga.last) and len(good.olga.letters) == before + 1


@every_body
@pytest.mark.parametrize("over", [False, True], ids=["played", "over"])
def test_cases_that_cannot_be_read_are_named_wherever_cases_are_listed(
    club: Club, body: str, over: bool
) -> None:
    bad, good = two_games(club, TIMES["timed"])
    if over:
        club.referee.umpire.adjudicate(bad.number, "draw", "Nobody plays on.")
    with club.store.reading() as lookup:
        (claimed,) = [each.number for each in lookup.events.of_game(bad.number) if each.kind == "Claimed"]
    with changed(club, "event", "body", body, f"game = {bad.number} AND number = {claimed}"):
        shows_the_good(club, good)
        for all_of_them in (False, True):
            *_, last = list_claims(application(club), all_of_them=all_of_them)
            assert write_claim(last) == [
                f"game {bad.number}: its cases cannot be read; see `referee show {bad.number}`"
            ]
        assert f"The cases of game {bad.number} cannot be read" in next(iter(_claims(club.store))).text
        assert seen(club).unread == ((Unread(game=bad.number),) if over else ())
        bad.olga.writes("overview")
        assert "cannot be read. Whoever runs the service has to look into it." in said(bad.olga.last)
        with club.store.reading() as lookup, pytest.raises(GameUnreadable):
            lookup.cases.of_game(bad.number)


@pytest.mark.telling(body=[TERMS["no JSON"]])
@every_time
@all_terms
def test_an_event_whose_terms_are_damaged_is_named_and_all_else_goes_on(
    club: Club, time: str, body: str
) -> None:
    bad, good = two_games(club, time)
    bert = club.reader("bert@example.net")
    with changed(club, "terms", "body", body, "competition = 1"):
        listed = list_claims(application(club), all_of_them=False)
        assert [each["game"] for each in listed] == [bad.number, good.number]
        faults = {line["game"]: line["fault"] for line in list_games(application(club)).games}
        assert faults[good.number] is None and ("EventUnreadable" in str(faults[bad.number])) == (
            time == TIMES["timed"]
        )
        overview = seen(club)
        assert overview.unread == (Unread(event=BAD),)
        codes = {line.game.number: [each.code for each in line.matters] for line in overview.lines}
        unread = ["unread"] if time == TIMES["timed"] else []
        assert codes == {bad.number: ["case", *unread], good.number: ["case"]}
        written = "\n".join(write_overview(*look_over(application(club))))
        assert f"The terms of {BAD} cannot be read. See `referee doctor`." in written
        assert list(write_late(look_over(application(club), late=True)[0])) == []
        assert any(BAD in each.text for each in _claims(club.store))
        moved = bert.replies("C-N2", to=bert.last_about(good.number)).settled
        assert moved is not None and moved.moves == 1
        club.waits(DAY)
        does_all_chores(club)
        assert GOOD in said(good.olga.last)
        assert f"The terms of {BAD} cannot be read." in said(bad.olga.last)
        anna = club.reader("anna@example.net")
        assert "C-N2" in said(anna.last)  # the news of the day
        for line in ("leave 2027-01-04 2027-01-05", "games", f"status {good.number}"):
            exchange = bert.replies(line, to=bert.last_about(good.number))
            assert exchange.settled is not None and exchange.settled.outcome == "answered", line
        with club.store.reading() as lookup:
            found = lookup.tournaments.find(1)
            assert found.name == BAD and found.officers
            with pytest.raises(EventUnreadable, match=BAD):
                _ = found.terms


@all_terms
def test_terms_as_they_were_before_a_change_are_damaged(club: Club, body: str) -> None:
    """Days off that are past stay as they were: without the earlier terms no clock can be reckoned."""
    bad, good = two_games(club, TIMES["timed"])
    with changed(club, "competition", "version", "2", "number = 1"):
        engine = create_engine(club.url)
        with engine.begin() as connection:
            copy = "INSERT INTO terms SELECT competition, 2, body, 'A slip.', at FROM terms WHERE competition = 1"
            connection.execute(text(copy))
        engine.dispose()
        with changed(club, "terms", "body", body, "competition = 1 AND version = 1"):
            shown = {line.game.number: line.game.unread for line in seen(club).lines}
            assert shown == {bad.number: UNREAD, good.number: ""}
            club.waits(DAY)
            does_all_chores(club)
            assert GOOD in said(good.olga.last)


ELSEWHERE = {
    "an outline": ("game", "outline", "number = 1"),
    "a player's zone": ("player", "zone", "number = (SELECT player FROM person WHERE name = 'Anna')"),
    "reminders": ("clock", "reminded", "game = 1 AND seat = 'yellow'"),
    "news that wait": ("gathered", "facts", "number = (SELECT max(number) FROM gathered WHERE game = 1)"),
    "leave": ("leave", "first", "number = 1"),
    "a zone of leave": ("leave", "zone", "number = 1"),
}
"""Other rows of which something makes no sense: table, column, which one."""


@pytest.mark.telling(body=["[]"], where=[ELSEWHERE["reminders"]])
@pytest.mark.parametrize("body", ["[]", '{"cut off', "7"])
@pytest.mark.parametrize("where", ELSEWHERE.values(), ids=ELSEWHERE)
def test_whatever_else_is_damaged_all_that_is_done_unasked_is_done_for_others(
    club: Club, where: tuple[str, str, str], body: str
) -> None:
    bad = begin(club, "confusion", "3d/move", BAD)
    bert = club.reader("bert@example.net")
    bert.replies("press Hello.", "leave 2027-01-04 2027-01-05", to=bert.last_about(bad.number))
    carl, emil = club.member("Carl"), club.member("Emil")
    emil.writes("set letters daily")
    good = club.starts({"white": carl, "yellow": emil}, event=BAD)
    club.posts()
    club.looks_at_clocks()
    carl.replies("press Hello.", to=carl.last_about(good))
    table, column, which = where
    with changed(club, table, column, body, which):
        listed = {line["game"]: line["fault"] for line in list_games(application(club)).games}
        assert listed[good] is None
        assert next(line for line in seen(club).lines if line.game.number == good).game.unread == ""
        list(write_overview(*look_over(application(club))))
        before = len(emil.letters)
        club.waits(DAY)
        does_all_chores(club)
        assert len(emil.letters) == before + 1 and "Hello." in said(emil.last)
        club.waits(2 * DAY)
        does_all_chores(club)
        assert club.game(good).result is not None, "Carl's time is up"
