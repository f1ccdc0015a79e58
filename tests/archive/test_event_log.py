"""A game's log: all of its events, from which the same game comes back; what it holds, and who may have it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.archive.event_log import FORMAT, Log, Logged, game_in, read_log, write_log
from referee.archive.exports import log_of, mail_of
from referee.archive.mbox import read_mbox, write_mbox
from referee.common.errors import UsageError
from referee.service.bootstrap import Application
from referee.service.settings import Settings
from tests.support.operating import WENDY, Desk, answer
from tests.support.playing import RULES, Club, new_database
from tests.transcripts.shown import name_of
from tests.transcripts.stories import STORIES, Story

EVENTS = st.lists(
    st.tuples(
        st.text(min_size=1),
        st.datetimes(timezones=st.just(UTC)),
        st.none() | st.integers(1),
        st.dictionaries(
            st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text())
        ),
    )
)


def application(club: Club) -> Application:
    return Application(Settings(), club.service, club.store, club.clock)


def lines(log: Log) -> list[str]:
    return "".join(write_log(log)).splitlines(keepends=True)


def log_in(text: str) -> Log:
    return read_log(text.splitlines())


@given(st.integers(1), EVENTS, st.text())
def test_any_log_is_read_as_it_was_written(game: int, events: list[tuple], title: str) -> None:  # type: ignore[type-arg]
    logged = tuple(Logged(number, *each) for number, each in enumerate(events, 1))
    log = Log(game, logged, {"title": title})
    written = lines(log)
    assert len(written) == 1 + len(events) and all(line.isascii() for line in written)
    assert read_log(written) == log
    assert lines(read_log(written)) == written


@pytest.mark.telling("two-strangers")
@pytest.mark.parametrize("story", STORIES, ids=name_of)
def test_the_game_in_a_log_is_the_one_that_is_kept(story: Story, tmp_path: Path) -> None:
    """Of every story that is told anywhere: taken back, ended by whomever, with clocks, plans and press. And each of
    its players' letters about it comes back from a file for mail programs."""
    club = Club(new_database(tmp_path))
    story(club)
    club.posts()
    with club.store.reading() as lookup:
        games = lookup.games.all()
    for row in games:
        log, over = log_of(application(club), row.number)
        read = read_log(lines(log))
        assert read == log and len(log.events) == row.last_event
        assert game_in(read, RULES.__getitem__) == club.game(row.number)
        assert over == (row.status not in ("proposed", "playing"))
        for seat in row.seats:
            letters = mail_of(application(club), row.number, seat).letters
            assert read_mbox(b"".join(write_mbox(letters))) == [each.content for each in letters]
    club.close()


WRONG: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "nothing": (lambda _: [], "line 1: there is no log"),
    "a record": (lambda _: ["; Confusion. Directions are Yellow's.\n"], "line 1: "),
    "another form": (lambda log: [log[0].replace("log 1", "log 2"), *log[1:]], "line 1: a log begins with"),
    "no head": (lambda log: log[1:], "line 1: a log begins with"),
    "an event left out": (lambda log: [log[0], *log[2:]], "line 2: event 1 was to stand here, not event 2"),
    "one twice": (lambda log: [*log[:2], *log[1:]], "line 3: event 2 was to stand here, not event 1"),
    "cut off": (lambda log: [*log[:2], log[2][:40]], "line 3: it is no line of a log"),
    "a list": (lambda log: [log[0], "[1]\n"], "line 2: it is no line of a log"),
    "no zone": (lambda log: [log[0], log[1].replace("+00:00", "", 1)], "line 2: its time is of no zone"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_log_is_refused_with_its_line(club: Club, wrong: str) -> None:
    club.starts({"white": club.member("Anna"), "yellow": club.member("Bert")})
    club.reader("anna@example.net").replies("A-S1")
    change, why = WRONG[wrong]
    written = lines(log_of(application(club), 1)[0])
    with pytest.raises(ValueError, match=why):
        read_log(change(written))


def test_a_log_without_events_holds_no_game() -> None:
    with pytest.raises(ValueError, match="no event"):
        game_in(Log(1, ()), RULES.__getitem__)


def test_the_command_writes_it_and_says_for_whom_it_is_while_the_game_goes_on(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    number = desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), "L-S2"))
    desk.done("run", "--once")
    said = desk.done("log", str(number))
    head, *events = map(json.loads, said.out.splitlines())
    assert (head["format"], head["game"], head["rules"], head["status"]) == (
        FORMAT,
        1,
        "confusion",
        "playing",
    )
    assert head["seats"]["white"] == {"player": 1, "name": "Wendy"}
    assert [each["number"] for each in events] == [*range(1, len(events) + 1)]
    assert [each["kind"] for each in events] == ["Opened", "CheckedIn", "Ruled"]
    assert (events[0]["letter"], events[-1]["letter"], events[-1]["facts"]["order"]) == (None, 1, "L-S2")
    assert said.err == (
        "Game 1 is not over: this log holds all that is hidden in it, and is for the umpire alone.\n"
    )
    assert game_in(log_in(said.out), RULES.__getitem__).secret.hex() == events[0]["facts"]["secret"]
    desk.done("adjudicate", "1", "--winner", "white", "--reason", "Yellow has not written since May.")
    assert desk.done("log", "1").err == ""


def test_there_is_no_log_of_a_game_that_is_none(club: Club) -> None:
    with pytest.raises(UsageError, match="there is no game 1"):
        log_of(application(club), 1)
