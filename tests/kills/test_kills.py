"""Given a service that is killed again and again, when it is started again, then nothing is lost or doubled."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.common.clock import FixedClock
from referee.mail.outbox.maildir import MaildirPost
from referee.mail.outbox.sender import Poster
from referee.service.daemon import Daemon
from referee.store.database import Store
from tests.kills.life import BATCH, WatchedMailbox
from tests.kills.mailbag import PacedHouse, drop, moment, prepare, record
from tests.kills.state import compare
from tests.kills.steps import Steps
from tests.servers.launching import ServerAbsent
from tests.servers.postgres import PostgresServer
from tests.support.harnesses import figures_of
from tests.support.playing import new_database

KINDS = {
    *(
        "begin anew: done",
        "record: insert letter",
        "record: done",
        "settle: insert outgoing",
        "settle: update letter",
    ),
    *("settle: before the commit", "settle: done", "claim: before the commit", "claimed", "accepted: done"),
    *("before a file goes from tmp to new", "delivered", "before a file goes from new to cur", "put away"),
}
"""Steps at which it must have died: some of each room."""


pytestmark = pytest.mark.subprocess

kill = partial(figures_of, "tests.kills")


def assert_nothing_is_lost_or_doubled(figures: Any) -> None:
    found = {what: figures[what] for what in ("lost", "doubled", "changed", "overtaken")}
    assert not any(found.values()), figures["named"]


@pytest.fixture
def postgres() -> None:
    """See that PostgreSQL is there; the harness starts one of its own."""
    try:
        PostgresServer()
    except ServerAbsent as absent:
        pytest.skip(str(absent))


def test_killed_at_every_step_it_loses_and_doubles_nothing() -> None:
    figures = kill("--letters", "2", "--kills", "1")
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["kills"] == sum(figures["steps"].values()) > 50
    assert figures["steps"].keys() >= KINDS
    assert figures["repeats"] > 0, "it was never killed between a delivery and the note of it"


def assert_no_clock_is_lost_or_doubled(figures: Any) -> None:
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["steps"].keys() >= {
        *("clock, started: insert event", "clock, reminded: update clock", "clock, soft: insert event"),
        *("clock, hard: insert event", "clock, hard: insert outgoing", "clock, hard: before the commit"),
        *("clock, started: done", "clock, reminded: done", "clock, soft: done", "clock, hard: done"),
    }


@pytest.mark.full
@pytest.mark.timeout(600)
def test_killed_while_it_looks_at_clocks_it_starts_reminds_and_ends_each_once() -> None:
    assert_no_clock_is_lost_or_doubled(kill("--clocks"))


@pytest.mark.full
@pytest.mark.servers
@pytest.mark.timeout(600)
def test_killed_while_it_looks_at_clocks_on_postgresql_it_does_each_once(postgres: None) -> None:
    assert_no_clock_is_lost_or_doubled(kill("--clocks", "--database", "postgresql"))


@pytest.mark.full
@pytest.mark.timeout(600)
def test_killed_while_it_writes_the_news_of_a_day_it_loses_and_doubles_nothing() -> None:
    figures = kill("--letters", "19", "--stepped", "19", "--kills", "1")
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["steps"].keys() >= {
        *("day: insert outgoing", "day: update player", "day: before the commit", "day: done")
    }


OF_DRAFTS = {
    *("settle: insert held_draft", "settle: delete held_draft", "settle: insert event"),
    *("draft: delete held_draft", "draft: insert event", "draft: insert outgoing"),
    *("draft: before the commit", "draft: done"),
}
"""Steps at which it must have died while turns were held, and carried out when their time had come."""


@pytest.mark.full
@pytest.mark.timeout(1800)
def test_killed_while_a_battle_is_fought_it_carries_each_turn_out_once() -> None:
    figures = kill("--battle", "--kills", "1")
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["steps"].keys() >= OF_DRAFTS


@pytest.mark.full
@pytest.mark.servers
@pytest.mark.timeout(1800)
def test_killed_while_a_battle_is_fought_on_postgresql_it_carries_each_turn_out_once(postgres: None) -> None:
    figures = kill("--battle", "--letters", "9", "--kills", "1", "--database", "postgresql")
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["steps"].keys() >= OF_DRAFTS


@pytest.mark.full
@pytest.mark.servers
def test_killed_at_every_step_on_postgresql_it_loses_and_doubles_nothing(postgres: None) -> None:
    figures = kill("--letters", "1", "--kills", "1", "--database", "postgresql")
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["kills"] > 30


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_killed_thousands_of_times_it_loses_and_doubles_nothing() -> None:
    figures = kill("--kills", "2000")
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["kills"] >= 2000


@pytest.mark.full
@pytest.mark.servers
@pytest.mark.timeout(3600)
def test_killed_thousands_of_times_on_postgresql_it_loses_and_doubles_nothing(postgres: None) -> None:
    figures = kill("--kills", "2000", "--database", "postgresql")
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["kills"] >= 2000


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_killed_thousands_of_times_it_lets_no_letter_overtake_an_earlier_one_of_its_game() -> None:
    figures = kill("--order", "--kills", "2000")
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["kills"] >= 2000


@pytest.mark.full
@pytest.mark.servers
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_thousands_of_times_on_postgresql_it_lets_no_letter_overtake_an_earlier_one_of_its_game(
    postgres: None, workers: str
) -> None:
    figures = kill("--order", "--kills", "2000", "--database", "postgresql", "--workers", workers)
    assert_nothing_is_lost_or_doubled(figures)
    assert figures["kills"] >= 2000


@pytest.mark.full
@pytest.mark.parametrize(("flaw", "found"), [("hasty", "lost"), ("repeating", "doubled")])
def test_a_service_that_is_broken_is_found_out(flaw: str, found: str) -> None:
    assert kill("--letters", "2", "--kills", "1", "--flaw", flaw)[found] > 0


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_service_in_which_letters_are_overtaken_is_found_out() -> None:
    assert kill("--order", "--kills", "60", "--flaw", "overtaking")["overtaken"] > 0


def test_what_is_missing_added_or_otherwise_is_named() -> None:
    difference = compare(
        {"a": "1", "b": "1", "c": "1"}, {"b": "1", "c": "2", "d": "1", "overtaken: letter 1": ""}
    )
    assert (difference.lost, difference.doubled, difference.changed) == (("a",), ("d",), ("c",))
    assert difference.overtaken == ("overtaken: letter 1",)


def test_a_single_run_goes_on_behind_letters_that_a_dead_process_had_settled(tmp_path: Path) -> None:
    """They fill a whole look into the mailbox, and nothing of them is left to do but to put them away."""
    (tmp_path / "recorded").mkdir()
    bag = record(new_database(tmp_path / "recorded"), BATCH + 1)
    url = new_database(tmp_path)
    prepare(url)
    drop(bag, tmp_path / "in")
    clock = FixedClock(moment(1))
    store = Store(url, clock)
    store.open(create=False)
    referee = PacedHouse(store, clock)
    mailbox = WatchedMailbox(tmp_path / "in", Steps())
    referee.letters.take_in(mailbox.unread())
    for number in store.incoming.waiting():
        referee.letters.settle(number)
    poster = Poster(store.outbox, MaildirPost(tmp_path / "out"), clock)
    daemon = Daemon(referee=referee, store=store, mailbox=mailbox, poster=poster, clock=clock, poll=1.0)
    tally = daemon.run_once()
    store.close()
    assert tally.letters == 1
    assert not list((tmp_path / "in" / "new").iterdir())
