"""Several processes hear letters on one PostgreSQL database: it ends as with one.

Each is a thread with a store of its own.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, select, text

from referee.common.clock import FixedClock
from referee.common.errors import Contested, StoreUnreachable
from referee.pipeline.letter_context import LetterContext
from referee.pipeline.processor import LetterProcessor, ProcessingResult
from referee.pipeline.runtime import Runtime
from referee.store.database import Store
from referee.store.letter_ordering import PassedOver
from referee.store.locks import Lock
from referee.store.tables import EVENTS, LETTERS, OUTGOING
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import StoredLetter
from tests.support import moves
from tests.support.moves import in_turn
from tests.support.playing import SERVICE, START, Club, CountedDraws, new_database
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.servers

PROCESSES = 4
GAMES = 3
MOVES = 6
"""Letters of each seat in each game."""


class Rash(Store):
    """What must not be: letters are heard without waiting for their turn."""

    @contextmanager
    def settling(self, number: int, passed_over: PassedOver) -> Iterator[UnitOfWork]:
        with self.unit() as unit:
            yield unit


class Slow(LetterProcessor):
    """Takes a letter, and reads it only when it is let go on."""

    def __init__(self, store: Store) -> None:
        super().__init__(Runtime(store, SERVICE, FixedClock(START), CountedDraws()))
        self.has_taken = threading.Event()
        self.go_on = threading.Event()

    def hear(self, unit: UnitOfWork, stored: StoredLetter) -> LetterContext:
        self.has_taken.set()
        assert self.go_on.wait(PATIENCE)
        return super().hear(unit, stored)


class SlowDraws(CountedDraws):
    """Draws a reply tag only when it is let go on: in the midst of what a letter brings about."""

    def __init__(self) -> None:
        super().__init__()
        self.is_drawing = threading.Event()
        self.go_on = threading.Event()

    def tag(self) -> str:
        self.is_drawing.set()
        assert self.go_on.wait(PATIENCE)
        return super().tag()


@pytest.fixture
def club(postgres_emptied: str) -> Iterator[Club]:
    club = Club(postgres_emptied)
    yield club
    club.close()


def begin(club: Club, games: int) -> list[list[bytes]]:
    """Start games; return the letters that are then written in each, in their order."""
    return moves.begin(club, games, MOVES)


def open_store(club: Club, kind: type[Store] = Store) -> Store:
    store = kind(club.url, FixedClock(START))
    store.open(create=False)
    return store


def now_waiting(referee: LetterProcessor) -> list[int]:
    """Begin to go through the letters that wait; return the first of them."""
    return next(referee.waiting(50), [])


def settle_all(store: Store, ready: threading.Barrier) -> None:
    """Do what a daemon does, until no letter waits."""
    referee = LetterProcessor(Runtime(store, SERVICE, FixedClock(START), CountedDraws()))
    ready.wait()

    def has_settled() -> bool:
        for number in now_waiting(referee):
            with suppress(Contested):
                referee.settle(number)
        return not now_waiting(referee)

    until(has_settled)
    store.close()


def settle_together(club: Club, processes: int, kind: type[Store] = Store) -> None:
    ready = threading.Barrier(processes)
    threads = [
        threading.Thread(target=settle_all, args=(open_store(club, kind), ready)) for _ in range(processes)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def end_of(club: Club) -> list[list[tuple[object, ...]]]:
    """Return what has become of all games and letters, but for the order in which different games went on."""
    asked = (
        select(LETTERS.c.number, LETTERS.c.outcome, LETTERS.c.reason, LETTERS.c.game).order_by(
            LETTERS.c.number
        ),
        select(EVENTS.c.game, EVENTS.c.number, EVENTS.c.kind, EVENTS.c.body, EVENTS.c.letter).order_by(
            EVENTS.c.game, EVENTS.c.number
        ),
        select(
            OUTGOING.c.player, OUTGOING.c.game, OUTGOING.c.number, OUTGOING.c.kind, OUTGOING.c.answers
        ).order_by(OUTGOING.c.player, OUTGOING.c.game, OUTGOING.c.number),
    )
    engine = create_engine(club.url)
    with engine.connect() as connection:
        found = [[tuple(row) for row in connection.execute(each)] for each in asked]
    engine.dispose()
    return found


def test_many_letters_of_few_games_end_with_four_processes_as_with_one(club: Club, tmp_path: Path) -> None:
    """Given moves of three games that all wait, when four processes hear them, then each is ruled on in its turn."""
    lonely = Club(new_database(tmp_path))
    ends = []
    for each, processes in ((lonely, 1), (club, PROCESSES)):
        letters = in_turn(begin(each, GAMES))
        each.referee.letters.take_in([each.raw(content) for content in letters])
        settle_together(each, processes)
        ends.append(end_of(each))
    lonely.close()
    alone, together = ends
    assert {outcome for _, outcome, *_ in alone[0]} == {"ruled"}
    assert together == alone


def waits_at_gate(club: Club) -> bool:
    asked = text(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = :gate AND NOT granted"
    )
    engine = create_engine(club.url)
    with engine.connect() as connection:
        waiting: int = connection.execute(asked, {"gate": int(Lock.GATE)}).scalar_one()
    engine.dispose()
    return waiting > 0


def second_while_first_is_read(club: Club, kind: type[Store]) -> list[ProcessingResult | None]:
    """Let one process take the first of two letters, and another the second before the first is read."""
    (written,) = begin(club, 1)
    club.referee.letters.take_in([club.raw(content) for content in written[:2]])
    first, second = club.store.incoming.waiting()
    slow = Slow(open_store(club, kind))
    quick = LetterProcessor(Runtime(open_store(club, kind), SERVICE, FixedClock(START), CountedDraws()))
    settled: list[ProcessingResult | None] = []
    slowly = threading.Thread(target=lambda: settled.append(slow.settle(first)))
    quickly = threading.Thread(target=lambda: settled.append(_patiently(quick, second)))
    slowly.start()
    assert slow.has_taken.wait(PATIENCE)
    quickly.start()
    until(lambda: not quickly.is_alive() or waits_at_gate(club))
    slow.go_on.set()
    slowly.join()
    quickly.join()
    for referee in (slow, quick):
        referee._store.close()
    return settled


def _patiently(referee: LetterProcessor, number: int) -> ProcessingResult | None:
    """Settle a letter as a daemon does: again and again, while it has to wait."""
    settled: ProcessingResult | None = None

    def is_settled() -> bool:
        nonlocal settled
        with suppress(Contested):
            settled = referee.settle(number) if number in now_waiting(referee) else None
            return True
        return False

    until(is_settled)
    return settled


def test_a_letter_is_not_ruled_while_an_earlier_one_of_its_game_is_read(club: Club) -> None:
    first, second = second_while_first_is_read(club, Store)
    assert first is not None and second is not None
    assert (first.outcome, second.outcome) == ("ruled", "ruled")
    assert first.number < second.number


def test_without_turns_a_later_letter_would_overtake(club: Club) -> None:
    """Given a store without turns, when it happens as above, then the second is refused: so the test above can fail."""
    overtaking, _ = second_while_first_is_read(club, Rash)
    assert overtaking is not None
    assert overtaking.outcome == "answered"


def test_letters_behind_one_that_waits_its_turn_wait_too_and_those_of_other_games_do_not(club: Club) -> None:
    """Given a game of which a letter is being ruled on, when another process goes through those that wait, then it
    rules on the other game, and passes over all of this one, even once that is free."""
    here, there = begin(club, 2)
    club.referee.letters.take_in([club.raw(content) for content in (here[0], here[1], here[2], there[0])])
    first, second, third, other = club.store.incoming.waiting()
    busy, quick = (
        open_store(club),
        LetterProcessor(Runtime(open_store(club), SERVICE, FixedClock(START), CountedDraws())),
    )
    assert now_waiting(quick) == [first, second, third, other]
    with busy.settling(first, PassedOver()) as unit:
        assert unit.letters.get(first) is not None
        unit.take_turn([1])
        assert quick.settle(first) is None
        with pytest.raises(Contested):
            quick.settle(second)
        settled = quick.settle(other)
        assert settled is not None
        assert settled.outcome == "ruled"
    with pytest.raises(Contested):
        quick.settle(third)
    assert quick.has_passed_over
    outcomes = [settled.outcome for number in now_waiting(quick) if (settled := quick.settle(number))]
    assert outcomes == ["ruled", "ruled", "ruled"]
    busy.close()
    quick._store.close()


def test_a_letter_that_another_process_gave_up_is_not_overtaken(club: Club) -> None:
    """Given that one process has the first of two letters in hand, when another has seen so, and the first one fails,
    then the other hears the second only after the first."""
    (written,) = begin(club, 1)
    club.referee.letters.take_in([club.raw(content) for content in written[:2]])
    first, second = club.store.incoming.waiting()
    failing, other = (
        open_store(club),
        LetterProcessor(Runtime(open_store(club), SERVICE, FixedClock(START), CountedDraws())),
    )
    assert now_waiting(other) == [first, second]
    with pytest.raises(ZeroDivisionError), failing.settling(first, PassedOver()) as unit:
        assert unit.letters.get(first) is not None
        unit.take_turn([1])
        assert other.settle(first) is None
        raise ZeroDivisionError
    with pytest.raises(Contested):
        other.settle(second)
    assert other.has_passed_over, "it is looked at again soon"
    outcomes = [settled.outcome for number in now_waiting(other) if (settled := other.settle(number))]
    assert outcomes == ["ruled", "ruled"]
    failing.close()
    other._store.close()


def test_a_turn_that_was_given_up_leaves_nothing_reserved(club: Club) -> None:
    (written,) = begin(club, 1)
    club.referee.letters.take_in([club.raw(written[0])])
    (number,) = club.store.incoming.waiting()
    broken = open_store(club)
    for taken in (False, True):
        with pytest.raises(ZeroDivisionError), broken.settling(number, PassedOver()) as unit:
            assert unit.letters.get(number) is not None
            unit.reserve("game 1")
            if taken:
                unit.take_turn()
            raise ZeroDivisionError
    settled = club.referee.letters.settle(number)
    assert settled is not None
    assert settled.outcome == "ruled"
    broken.close()


@pytest.mark.parametrize("kind", [Store, Rash])
def test_the_same_letter_heard_by_two_processes_at_once_counts_once(club: Club, kind: type[Store]) -> None:
    """Given a letter delivered twice, when one process is in the midst of the first, another does not hear the second;
    without turns it would."""
    anna = club.member("Anna")
    content = anna.letter(["open confusion"])
    club.referee.letters.take_in([club.raw(content), club.raw(content)])
    first, second = club.store.incoming.waiting()
    draws = SlowDraws()
    slow = LetterProcessor(Runtime(open_store(club, kind), SERVICE, FixedClock(START), draws))
    quick = LetterProcessor(
        Runtime(open_store(club, kind), SERVICE, FixedClock(START), CountedDraws(tags=100))
    )
    settled: list[ProcessingResult | None] = []
    slowly = threading.Thread(target=lambda: settled.append(slow.settle(first)))
    slowly.start()
    assert draws.is_drawing.wait(PATIENCE)
    if kind is Rash:
        assert (heard := quick.settle(second)) is not None
        assert heard.outcome == "answered"
    else:
        with pytest.raises(Contested):
            quick.settle(second)
    draws.go_on.set()
    slowly.join()
    assert settled[0] is not None
    assert settled[0].outcome == "answered"
    if kind is Store:
        again = quick.settle(now_waiting(quick)[0])
        assert again is not None
        assert (again.outcome, again.reason) == ("ignored", f"the same letter as number {first}")
    for referee in (slow, quick):
        referee._store.close()


def test_letters_of_other_games_are_reached_however_many_of_one_wait(club: Club) -> None:
    """Given a game whose letters wait, more than are looked at together, when a service goes through all, the letter of
    another game behind them is ruled on."""
    here, there = begin(club, 2)
    club.referee.letters.take_in([club.raw(content) for content in (*here[:8], there[0])])
    *_, other = club.store.incoming.waiting()
    busy = open_store(club)
    with busy.settling(1, PassedOver()) as unit:
        assert unit.letters.get(1) is not None
        unit.take_turn([1])
        assert settled_in_pages(club.referee.letters, 3) == [other]
    busy.close()


def settled_in_pages(referee: LetterProcessor, most: int) -> list[int]:
    """Go through all that waits; return what could be settled."""
    settled = []
    for numbers in referee.waiting(most):
        for number in numbers:
            try:
                settled += [number] if referee.settle(number) else []
            except Contested:
                assert referee.waits_its_turn(number)
    return settled


def test_a_letter_settled_again_is_not_heard_while_its_copy_is(club: Club) -> None:
    anna = club.member("Anna")
    content = anna.letter(["open confusion"])
    club.referee.letters.take_in([club.raw(content)])
    first = club.last_letter()
    club.referee.letters.give_up(first, "it failed", tell=False)
    club.referee.letters.take_in([club.raw(content)])
    draws = SlowDraws()
    slow = LetterProcessor(Runtime(open_store(club), SERVICE, FixedClock(START), draws))
    slowly = threading.Thread(target=slow.settle, args=(club.last_letter(),))
    slowly.start()
    assert draws.is_drawing.wait(PATIENCE)
    with pytest.raises(Contested):
        club.referee.letters.settle_again(first)
    draws.go_on.set()
    slowly.join()
    settled = club.referee.letters.settle_again(first)
    assert (settled.outcome, settled.reason) == ("ignored", f"the same letter as number {club.last_letter()}")
    slow._store.close()


# Processes that stand still

STANDING = """
import os, signal, sys
from referee.common.clock import SystemClock
from referee.store.database import Store
from referee.store.letter_ordering import PassedOver
store = Store(sys.argv[1], SystemClock())
store.open(create=False)
with store.settling(1, PassedOver()) as unit:
    unit.letters.get(1)
    print("inside", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""


def with_options(url: str, options: str) -> str:
    address = make_url(url).update_query_dict({"options": options})
    return address.render_as_string(hide_password=False)


@pytest.mark.subprocess
@pytest.mark.full
def test_a_process_that_stands_still_at_the_gate_stops_nobody_for_long(club: Club) -> None:
    """Given a process that was stopped while it found out what a letter is about, when another hears letters, its first
    try ends soon, `referee doctor` can name who stands still, and once the database has ended that, all goes on."""
    (written,) = begin(club, 1)
    club.referee.letters.take_in([club.raw(content) for content in written[:2]])
    first, second = club.store.incoming.waiting()
    command = [sys.executable, "-c", STANDING]
    still = [*command, with_options(club.url, "-c idle_in_transaction_session_timeout=7s")]
    brisk = Store(with_options(club.url, "-c lock_timeout=200ms"), FixedClock(START))
    brisk.open(create=False)
    referee = LetterProcessor(Runtime(brisk, SERVICE, FixedClock(START), CountedDraws()))
    with subprocess.Popen(still, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "inside\n"
            with pytest.raises(StoreUnreachable, match="stood still"):
                referee.settle(first)
            named = until(lambda: brisk.status.standing().standing_still)
            assert {each.which.partition(" (")[0] for each in named} == {
                f"referee, process {process.pid} on {socket.gethostname()}"
            }
            assert until(lambda: not brisk.status.standing().standing_still)
            outcomes = [
                settled.outcome for number in now_waiting(referee) if (settled := referee.settle(number))
            ]
            assert outcomes == ["ruled", "ruled"]
            process.send_signal(signal.SIGCONT)
            assert process.wait(PATIENCE) == 1, "what it had begun is not kept"
        finally:
            process.kill()
    assert second not in club.store.incoming.waiting()
    brisk.close()


def has_ended(club: Club, process: int) -> bool:
    """Return whether the database has ended the transaction of a process of its own."""
    engine = create_engine(club.url)
    with engine.connect() as connection:
        asked = text("SELECT count(*) FROM pg_stat_activity WHERE pid = :process")
        running: int = connection.execute(asked, {"process": process}).scalar_one()
    engine.dispose()
    return not running


@pytest.mark.parametrize("option", ["idle_in_transaction_session_timeout", "statement_timeout"])
def test_a_transaction_that_the_database_has_ended_is_one_that_may_be_tried_again(
    club: Club, option: str
) -> None:
    store = Store(club.url, FixedClock(START))
    store.open(create=False)
    for _ in range(2):
        with pytest.raises(StoreUnreachable), store.unit() as unit:
            connection = unit._transaction.connection
            process = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            connection.exec_driver_sql(f"SET LOCAL {option} = '50ms'")
            if option.startswith("statement"):
                connection.exec_driver_sql("SELECT pg_sleep(1)")
            until(lambda: has_ended(club, process))  # noqa: B023
            unit.letters.get(1)
    with store.unit() as unit:
        assert unit.letters.get(1) is None
    store.close()
