"""What is left in the end: all events, outcomes and letters, as lines that can be held against another run's."""

from __future__ import annotations

import email
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, NullPool, Table, create_engine, select

from referee.mail.inbox.maildir import DONE
from referee.store.tables import (
    CLOCKS,
    EVENTS,
    GAMES,
    GATHERED,
    HELD_DRAFTS,
    LETTERS,
    OUTGOING,
    OUTGOING_CONTENTS,
    PERSONS,
    PLAYERS,
    SEATS,
    TAGS,
    THREADS,
)
from tests.kills.life import Place

# What depends on where and when a process lived is left out: the mailbox's path, and when a letter was taken in,
# claimed and posted.
_KEPT: Mapping[Table, tuple[str, ...]] = {
    LETTERS: ("number", "uid", "received", "sender", "outcome", "reason", "game", "commands", "attempts"),
    GAMES: ("number", "rules", "title", "status", "last_event", "ended"),
    SEATS: ("game", "seat", "player", "done"),
    EVENTS: ("game", "number", "kind", "at", "body", "letter"),
    PERSONS: ("player", "name", "address"),
    PLAYERS: ("number", "letters", "zone", "digest_at", "digested", "hold"),
    HELD_DRAFTS: ("game", "seat", "due"),
    GATHERED: ("number", "player", "game", "code", "facts", "at"),
    THREADS: ("player", "game", "letters", "told", "tag", "root", "last"),
    CLOCKS: ("game", "seat", "player", "next", "promised", "reminded"),
    TAGS: ("tag", "purpose", "player", "game", "letter", "created", "revoked"),
    OUTGOING: (
        *("id", "message_id", "recipient", "kind", "subject", "game", "player", "seat", "number", "answers"),
        *("state", "tries", "uncertain", "created"),
    ),
}

_TAKEN_IN = re.compile(r'"received": ?"[^"]*"')
"""In an event: the letters of the bag bear later times than the service's clock has when it takes them in, so that they
came in when it did (TM-1.2)."""

_OVERTAKEN = "overtaken: "

State = Mapping[str, str]
"""What there is, each under its name ("event 1 17"), and how it is."""


@dataclass(frozen=True)
class Difference:
    """How a run's end differs from the undisturbed one's: the names of what is missing, of what is there beyond it,
    of what is otherwise, and of the letters that later ones of their game were heard before."""

    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    changed: tuple[str, ...]
    overtaken: tuple[str, ...] = ()


def compare(undisturbed: State, found: State) -> Difference:
    """Hold a run's end against the undisturbed one's."""
    both = undisturbed.keys() & found.keys()
    overtaken = {name for name in found.keys() - both if name.startswith(_OVERTAKEN)}
    return Difference(
        lost=tuple(sorted(undisturbed.keys() - found.keys())),
        doubled=tuple(sorted(found.keys() - both - overtaken)),
        changed=tuple(sorted(name for name in both if undisturbed[name] != found[name])),
        overtaken=tuple(sorted(overtaken)),
    )


@dataclass
class Readers:
    """The players' own mailboxes: letters that lie in the Maildir out are carried there after each death.

    repeats: letters that came again as they were, because the process died before it could note that they were
    posted; a reader's mail program shows such a letter once.
    """

    repeats: int = 0
    _letters: dict[str, str] = field(default_factory=dict)
    _noted: set[str] = field(default_factory=set)

    def collect(self, place: Place) -> None:
        """Carry the letters on, and see which of them the service has noted as posted."""
        for path in sorted((place.outbox / "new").glob("*")):
            self._receive(path.read_bytes())
            path.unlink()
        engine = create_engine(place.url, poolclass=NullPool)
        asked = select(OUTGOING.c.message_id).where(OUTGOING.c.state == "sent")
        with engine.connect() as connection:
            self._noted.update(connection.scalars(asked))

    def _receive(self, content: bytes) -> None:
        message = email.message_from_bytes(content)
        message_id = str(message["Message-ID"]).strip("<>")
        name = f"received by {message['To']}: {message_id}"
        digest = hashlib.sha256(content).hexdigest()
        if name in self._letters and message_id not in self._noted and self._letters[name] == digest:
            self.repeats += 1
            return
        copies = sum(1 for each in self._letters if each == name or each.startswith(f"{name}, "))
        self._letters[f"{name}, copy {copies + 1}" if copies else name] = digest

    @property
    def letters(self) -> State:
        """What the players received; a letter that came again without need stands there again."""
        return self._letters


def read_state(place: Place, readers: Readers) -> State:
    """Return what there is in the end."""
    state = dict(readers.letters)
    for path in (place.inbox / DONE / "cur").glob("*"):
        state[f"put away: {path.name}"] = hashlib.sha256(path.read_bytes()).hexdigest()
    engine = create_engine(place.url, poolclass=NullPool)
    with engine.connect() as connection:
        for table in _KEPT:
            state |= _read_table(connection, table)
        for id_, content in connection.execute(select(OUTGOING_CONTENTS)):
            state[f"content of outgoing {id_}"] = hashlib.sha256(content).hexdigest()
        state |= read_overtaken(connection)
    return state


def read_overtaken(connection: Connection) -> State:
    """Return which letters of each game were heard after a later one, by what came of them: its events, and the letters
    that answer them."""
    events = select(EVENTS.c.game, EVENTS.c.letter).order_by(EVENTS.c.game, EVENTS.c.number)
    answers = select(OUTGOING.c.game, OUTGOING.c.answers).order_by(OUTGOING.c.game, OUTGOING.c.id)
    found = {}
    for what, asked in (("changed", events), ("was answered in", answers)):
        latest: dict[int, int] = {}
        for game, letter in connection.execute(asked):
            if game is None or letter is None:
                continue
            if letter < latest.setdefault(game, letter):
                found[f"{_OVERTAKEN}letter {letter} {what} game {game} after letter {latest[game]}"] = ""
            latest[game] = max(letter, latest[game])
    return found


def _read_table(connection: Connection, table: Table) -> State:
    keys = [column.name for column in table.primary_key]
    kept = [table.c[name] for name in _KEPT[table]]
    return {
        f"{table.name} {' '.join(str(getattr(row, key)) for key in keys)}": _TAKEN_IN.sub(
            "", repr(tuple(row))
        )
        for row in connection.execute(select(*kept))
    }
