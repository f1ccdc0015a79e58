"""No cost of a letter grows with what lies in the archive: counted in steps of the database, not in time."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event, text

from referee.cli.demo import sample_game
from referee.store.database import Store
from tests.benchmarks.grown import Size, grow
from tests.kills.mailbag import BOUNCE
from tests.support.playing import REFEREE, Club, Correspondent, Exchange, new_database

pytestmark = pytest.mark.slow

ARCHIVED = 4_000
"""Moves of games between the same two players that have ended."""
LARGE = (
    "letter",
    "letter_content",
    "heard",
    "game",
    "seat",
    "thread",
    "event",
    "outgoing",
    "outgoing_content",
    "tag",
    "player",
)


class Counted:
    """What the statements of a store cost, each in SQLite's steps."""

    def __init__(self, store: Store) -> None:
        self.most: Counter[str] = Counter()
        """For each statement the most that it took at one time."""
        self._statement = ""
        self._steps = 0
        engine = store.connections.engine
        engine.dispose()
        event.listen(engine, "connect", self._connect)
        event.listen(engine, "before_cursor_execute", self._begin)
        event.listen(engine, "commit", lambda _: self._note())

    def _connect(self, connection: sqlite3.Connection, _record: Any) -> None:
        connection.set_progress_handler(self._step, 1)

    def _step(self) -> int:
        self._steps += 1
        return 0

    def _begin(self, _conn: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        self._note()
        self._statement = statement

    def _note(self) -> None:
        self.most[self._statement] = max(self.most[self._statement], self._steps)
        self._steps = 0


def begin(club: Club) -> tuple[Correspondent, Correspondent]:
    """Two players begin a game and play a few moves."""
    anna, bert = club.member("Anna"), club.member("Bert")
    sample = sample_game()
    club.starts({"white": anna, "yellow": bert}, first=sample.first, deal=sample.deal)
    for turn in range(3):
        for seat in (sample.first, *(seat for seat in sample.moves if seat != sample.first)):
            (anna if seat == "white" else bert).replies(sample.moves[seat][turn])
    return anna, bert


def go_on(club: Club, anna: Correspondent, bert: Correspondent) -> None:
    """Letters of all kinds, each settled and its answers posted."""
    sample = sample_game()
    first, second = (anna, bert) if sample.first == "white" else (bert, anna)
    other = next(seat for seat in sample.moves if seat != sample.first)
    here = first.last_about(1)
    first.replies(sample.moves[sample.first][3], to=here)
    _post(club)
    second.replies(
        sample.moves[other][3], "status", "games", "resend 2", "why A", "record", to=second.last_about(1)
    )
    _post(club)
    first.replies("L-SS9", "draw", "set sheets list", "new tag", to=here)
    first.writes("status", subject="Re: [game 1] [your move 3] Confusion 1")
    first.replies(sample.moves[sample.first][4], to=here, vouched=False)
    first.replies("confirm")
    club.take(club.raw(first.reply(first.last, ["status"])))
    second.writes("challenge Anna confusion", "open confusion", "games", "help")
    invited = [letter for letter in first.letters if letter.kind == "invitation"][-1]
    first.replies("accept", to=invited)
    assert invited.game and club.game(invited.game).status == "playing"
    anna.writes("set second anna@example.com", "cancel")
    club.person("Someone").writes("What is this?")
    bounce = (
        f"From: MAILER-DAEMON@mx.example.com\nTo: {second.last_about(1)['Reply-To']}\nSubject: Undelivered\n"
    )
    club.take(club.raw((bounce + BOUNCE).replace("\n", "\r\n").encode()))
    second.writes("status 1", to=REFEREE)
    _post(club)
    club.store.outbox.reclaim()
    second.replies("resign", to=second.last_about(1))
    second.replies("confirm")
    _post(club)


def _post(club: Club) -> None:
    """Post what waits, one letter refused and one to be tried again, and look what waits as a daemon does."""
    now = club.clock.now()
    for nth, posting in enumerate(club.store.outbox.claim(now, 32)):
        match nth:
            case 1:
                club.store.outbox.again(posting.id, now + timedelta(minutes=1), "450 later", uncertain=False)
            case 2:
                club.store.outbox.refused(posting.id, "550 no such mailbox")
            case 3:
                club.store.outbox.release([posting.id])
            case _:
                club.store.outbox.accepted([(posting.id, "250 ok <renamed@mx.example.org>")])
    club.referee.jobs.see_to_returns()
    club.store.incoming.waiting()
    club.store.incoming.known([club.raw(b"Subject: one more\r\n\r\n")])


def counted(folder: Path, archived: int) -> Counter[str]:
    """Return what a few letters cost with so many moves in the archive."""
    url = new_database(folder, f"with-{archived}")
    club = Club(url)
    anna, bert = begin(club)
    if archived:
        club.close()
        ready, grown = (Path(url.removeprefix("sqlite:///")), folder / "grown.db")
        grow(ready, grown, Size(running=0, archived=archived, letters=archived, players=2), "INBOX of old")
        grown.replace(ready)
        with sqlite3.connect(ready) as connection:
            club.seen = connection.execute("SELECT max(id) FROM outgoing").fetchone()[0]
        connection.close()
        club.open_house()
    counting = Counted(club.store)
    go_on(club, anna, bert)
    club.close()
    return counting.most


def test_no_statement_of_a_letters_way_costs_more_with_a_large_archive(tmp_path: Path) -> None:
    """Given two players with a hundred old games, when they write letters, then each costs as if these were not."""
    empty, grown = (counted(tmp_path, archived) for archived in (0, ARCHIVED))
    assert len(grown) > 60
    dearer = {
        statement: (empty[statement], steps)
        for statement, steps in grown.items()
        if steps > 2 * empty[statement] + 100
    }
    assert not dearer


COPIES = 3_000
FLOOD = """
WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < :copies)
INSERT INTO letter (number, mailbox, uidvalidity, uid, received, recorded, size, digest, words, sender, outcome, reason,
    game, commands, attempts)
SELECT 1000 + n, 'flood', 1, CAST(n AS TEXT), datetime(received, '-2 days'), recorded, size, digest, words, sender,
    'ignored', '', game, commands, 0 FROM nth, letter WHERE number = (SELECT max(number) FROM letter)
"""
OF_OLD = """
INSERT INTO heard (letter, game, player, dated, lines)
SELECT other.number, game.number, heard.player, datetime(heard.dated, '-' || other.number || ' minutes'), heard.lines
FROM heard, game, letter AS other
WHERE heard.letter = (SELECT max(letter) FROM heard) AND game.number = heard.game AND other.number > 1000
"""


def letters_again(folder: Path, copies: int) -> Counter[str]:
    """Return what it costs to hear a letter, and two that come again, when so many copies have come before."""
    club = Club(new_database(folder, f"again-{copies}"))
    anna, bert = begin(club)
    sample = sample_game()
    first, second = (anna, bert) if sample.first == "white" else (bert, anna)
    other = next(seat for seat in sample.moves if seat != sample.first)
    ruled = first.reply(first.last_about(1), [sample.moves[sample.first][3]])
    club.take(club.raw(ruled))
    if copies:
        with sqlite3.connect(club.url.removeprefix("sqlite:///")) as connection:
            connection.execute(FLOOD, {"copies": copies})
            assert connection.execute(OF_OLD).rowcount == copies
        connection.close()
    second.replies(sample.moves[other][3], to=second.last_about(1))
    counting = Counted(club.store)
    altered = ruled.replace(b"Message-ID: <", b"Message-ID: <2.", 1)
    for content in (ruled, altered, first.reply(first.last_about(1), [sample.moves[sample.first][3]])):
        club.referee.letters.take_in([club.raw(content)])
        club.referee.letters.settle(club.last_letter())
    club.close()
    return counting.most


def test_a_letter_that_comes_again_costs_no_more_after_thousands_of_copies(tmp_path: Path) -> None:
    few, many = letters_again(tmp_path, 0), letters_again(tmp_path, COPIES)
    dearer = {each: (few[each], steps) for each, steps in many.items() if steps > 2 * few[each] + 100}
    assert not dearer


@contextmanager
def _watched(store: Store, seen: dict[str, Any]) -> Iterator[None]:
    def note(_conn: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        seen[statement] = parameters[0] if many else parameters

    event.listen(store.connections.engine, "before_cursor_execute", note)
    yield
    event.remove(store.connections.engine, "before_cursor_execute", note)


@pytest.mark.servers
def test_on_postgresql_no_statement_of_a_letters_way_needs_to_read_a_whole_table(
    postgres_emptied: str,
) -> None:
    """Given letters of all kinds, when PostgreSQL is asked how it finds their rows, then an index serves each."""
    club = Club(postgres_emptied)
    anna, bert = begin(club)
    seen: dict[str, Any] = {}
    with _watched(club.store, seen):
        go_on(club, anna, bert)
    club.close()
    engine = create_engine(postgres_emptied)
    scans = {}
    with engine.connect() as connection:
        connection.execute(text("SET enable_seqscan = off"))
        for statement, parameters in seen.items():
            if not statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
                continue
            plan = [row[0] for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)]
            if found := [line for line in plan for table in LARGE if f"Seq Scan on {table} " in line]:
                scans[statement] = found
    engine.dispose()
    assert len(seen) > 60
    assert not scans


def timed_move(club: Club, who: Correspondent, move: str) -> tuple[list[str], list[str]]:
    """Play a move in a game with clocks; return what was asked of the store for the letter, and for the clock that
    starts by its answer."""
    asked: list[str] = []

    def note(_conn: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        asked.append(statement)

    event.listen(club.store.connections.engine, "before_cursor_execute", note)
    number = (
        club.referee.letters.take_in([club.raw(who.reply(who.last_about(1), [move]))]) and club.last_letter()
    )
    asked.clear()
    club.referee.letters.settle(number)
    letter = [*asked]
    club._note(Exchange(None, None, club.collect()))
    club.posts()
    club.waits(timedelta(minutes=2))
    asked.clear()
    club.referee.jobs.see_to_clocks()
    event.remove(club.store.connections.engine, "before_cursor_execute", note)
    return letter, [*asked]


def test_a_letter_in_a_game_with_clocks_asks_little_more_of_the_store_and_no_more_as_the_game_goes_on(
    tmp_path: Path,
) -> None:
    counts = {}
    sample = sample_game()
    for time in ("none", "20d+1d"):
        club = Club(new_database(tmp_path, f"time-{time}"))
        players = {"white": club.member("Anna"), "yellow": club.member("Bert")}
        club.starts(players, first=sample.first, deal=sample.deal, time=time)
        club.posts()
        club.referee.jobs.see_to_clocks()
        moves = [
            timed_move(club, players[seat], sample.moves[seat][turn])
            for turn in range(8)
            for seat in (sample.first, *(each for each in sample.moves if each != sample.first))
        ]
        counts[time] = [(len(letter), len(clock)) for letter, clock in moves]
        club.close()
    for each in counts.values():
        assert len(set(each[2:])) == 1, each  # the first letter of a player's is his check-in
    timed, untimed = counts["20d+1d"][-1], counts["none"][-1]
    assert timed[0] - untimed[0] <= 12 and timed[1] <= 16, (timed, untimed)
