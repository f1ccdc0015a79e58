"""A database as it stands after years: archived games, many running ones, and every letter in and out for them.

It is written by SQL alone, in the shapes that the service itself leaves: each archived move is an event, the letter
that brought it, and two reports. Only two things are smaller than life. Of the letters that came in, the newest
alone still have their bytes, as when raw letters are kept for a time; and the bytes of old reports are a few
hundred, which the tables that are searched do not see.
"""

from __future__ import annotations

import secrets
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

LETTER, REPORT = 2_000, 200
"""Octets of a letter in, as large as life, and of an archived report."""

LONG_AGO = "2025-03-02 12:00:00.000000"
AT_ONCE = "1970-01-01 00:00:00.000000"

_FAST = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; PRAGMA temp_store = MEMORY;
DROP TRIGGER event_follows;
"""
_SCRATCH = """
CREATE TEMP TABLE sample (number INTEGER PRIMARY KEY, kind TEXT, body TEXT);
CREATE TEMP TABLE standing (game INTEGER PRIMARY KEY, events INTEGER, white INTEGER, yellow INTEGER, done INTEGER);
CREATE TEMP TABLE move (nth INTEGER PRIMARY KEY, game INTEGER, number INTEGER, sender TEXT);
"""
_FILL = """
INSERT INTO game (number, rules, title, status, last_event, created, ended, result)
SELECT game, 'confusion', 'Confusion ' || game || ': White - Yellow', iif(done, 'ended', 'playing'), events,
    :ago, iif(done, :ago, NULL), iif(done, iif(game % 2, 'white', 'yellow'), NULL) FROM standing;
INSERT INTO seat (game, seat, player, done)
SELECT game, 'white', white, done FROM standing UNION ALL SELECT game, 'yellow', yellow, done FROM standing;
INSERT INTO thread (player, game, letters, told, tag, root, last)
SELECT player, seat.game, events, events, lower(hex(randomblob(10))), lower(hex(randomblob(16))) || '@example.org',
    lower(hex(randomblob(16))) || '@example.org'
FROM seat JOIN standing ON standing.game = seat.game;
INSERT INTO tag (tag, purpose, game, player, created)
SELECT tag, 'seat', game, player, :ago FROM thread WHERE game IN (SELECT game FROM standing);
INSERT INTO move (game, number, sender)
SELECT game, number, iif(number % 2, white, yellow)
FROM standing CROSS JOIN sample WHERE kind = 'Ruled' AND number <= events ORDER BY game, number;
CREATE INDEX temp.move_of_game ON move (game, number);
INSERT INTO letter (number, mailbox, uidvalidity, uid, received, recorded, size, digest, sender, outcome, reason, game,
    commands, attempts)
SELECT :letters + nth, :mailbox, 1, CAST(nth AS TEXT), :ago, :ago, :octets, lower(hex(randomblob(32))), address_key,
    'ruled', '', game, '["V-NW2"]', 0 FROM move JOIN person ON person.player = move.sender ORDER BY nth;
INSERT INTO letter_content (letter, content)
SELECT :letters + nth, randomblob(:octets) FROM move WHERE nth > (SELECT max(nth) FROM move) - :kept ORDER BY nth;
INSERT INTO event (game, number, kind, at, body, letter)
SELECT standing.game, sample.number, kind, :ago,
    iif(kind = 'Opened', json_set(body, '$.seats.white', white, '$.seats.yellow', yellow), body), :letters + nth
FROM standing JOIN sample ON sample.number <= standing.events
LEFT JOIN move ON move.game = standing.game AND move.number = sample.number ORDER BY standing.game, sample.number;
INSERT INTO outgoing (id, message_id, sender, recipient, reader, kind, subject, game, player, seat, number, answers,
    state, tries, uncertain, next_try, answer, created, sent)
SELECT :outgoing + 2 * nth - (seat = 'white'), lower(hex(randomblob(16))) || '@example.org', 'referee@example.org',
    address, address_key, 'report', 'Re: [game ' || move.game || '] [your move 8] Confusion ' || move.game, move.game,
    seat.player, seat, move.number, :letters + nth, 'sent', 1, 0, :at_once, '2.0.0 Ok: queued as 4ABCDEFGHI', :ago, :ago
FROM move JOIN seat ON seat.game = move.game JOIN person ON person.player = seat.player ORDER BY nth;
INSERT INTO outgoing_content (id, content)
SELECT id, randomblob(:report) FROM outgoing WHERE id > :outgoing ORDER BY id;
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How much a database holds.

    running: games under way. archived: moves of ended games. letters: those whose bytes are kept. players: who plays
    all these games, those who are registered already among them.
    """

    running: int = 10_000
    archived: int = 1_000_000
    letters: int = 50_000
    players: int = 4_000


def grow(ready: Path, grown: Path, size: Size, mailbox: str) -> None:
    """Write a copy of a database with games in it, grown to a size. mailbox: the name of that of the letters.

    The longest game in it is the pattern of all others; its players play others beside.
    """
    shutil.copyfile(ready, grown)
    connection = sqlite3.connect(grown)
    try:
        _fill(connection, size, mailbox)
    finally:
        connection.close()


def _fill(connection: sqlite3.Connection, size: Size, mailbox: str) -> None:
    follows: str = connection.execute(
        "SELECT sql FROM sqlite_master WHERE name = 'event_follows'"
    ).fetchone()[0]
    connection.executescript(_FAST + _SCRATCH)
    last: tuple[int, ...] = connection.execute(
        "SELECT (SELECT max(number) FROM game), (SELECT coalesce(max(number), 0) FROM letter),"
        " (SELECT coalesce(max(id), 0) FROM outgoing)"
    ).fetchone()
    games, letters, outgoing = last
    players = _players(connection, size.players)
    pattern = connection.execute(
        "SELECT number, kind, body FROM event WHERE game ="
        " (SELECT number FROM game ORDER BY last_event DESC LIMIT 1) ORDER BY number"
    ).fetchall()
    connection.executemany("INSERT INTO sample VALUES (?, ?, ?)", pattern)
    moves = sum(kind == "Ruled" for _, kind, _ in pattern)
    ended = -(-size.archived // moves)
    for nth in range(1, ended + size.running + 1):
        done = nth <= ended
        events = len(pattern) if done else 4 + nth % (len(pattern) - 4)
        white, yellow = players[2 * nth % len(players)], players[(2 * nth + 1 + nth // 7 * 2) % len(players)]
        connection.execute(
            "INSERT INTO standing VALUES (?, ?, ?, ?, ?)", (games + nth, events, white, yellow, done)
        )
    facts = {
        "ago": LONG_AGO,
        "at_once": AT_ONCE,
        "letters": letters,
        "outgoing": outgoing,
        "mailbox": mailbox,
        "octets": LETTER,
        "report": REPORT,
        "kept": size.letters,
    }
    for statement in _FILL.split(";\n"):
        if statement.strip():
            connection.execute(statement, {name: facts[name] for name in facts if f":{name}" in statement})
    connection.execute(follows)
    connection.commit()


def _players(connection: sqlite3.Connection, wanted: int) -> list[int]:
    """Register players until there are so many; return the numbers of all."""
    here: list[int] = [
        number for (number,) in connection.execute("SELECT number FROM player ORDER BY number")
    ]
    joined = connection.execute("SELECT max(joined) FROM player").fetchone()[0]
    for number in range(len(here) + 1, wanted + 1):
        name = f"Player {secrets.token_hex(4)}"
        address = f"player{number}@example.net"
        connection.execute(
            "INSERT INTO player (number, language, zone, form, joined) VALUES (?, 'en', 'UTC', 'html', ?)",
            (number, joined),
        )
        connection.execute(
            "INSERT INTO person (player, name, name_key, name_folded, address, address_key)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (number, name, name.lower(), name.lower(), address, address),
        )
        here.append(number)
    return here
