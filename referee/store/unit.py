"""One transaction: all that a letter caused, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any

from sqlalchemy import Insert, bindparam, delete, insert, literal_column, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from referee.commands.names import skeleton
from referee.errors import Contested
from referee.games.game import Status
from referee.games.player import Player
from referee.rulebooks.rulebook import Json, Seat
from referee.store.lookup import RUNNING, Lookup, address_key
from referee.store.posting import AT_ONCE
from referee.store.records import Outcome, Purpose, QueuedLetter, Thread
from referee.store.tables import (
    EVENTS,
    GAMES,
    HOUSE,
    LETTER_CONTENTS,
    LETTERS,
    OUTGOING,
    OUTGOING_CONTENTS,
    PERSONS,
    PLAYERS,
    SEATS,
    TAGS,
    THREADS,
)

_PERSONAL: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "name": ("name_key", skeleton),
    "address": ("address_key", address_key),
}
"""What lies in the row that can be erased, the column by which it is found, and what stands there."""


# Statements that every letter needs are built once; see lookup.

_CONCLUDE = update(LETTERS).where(
    LETTERS.c.number == bindparam("which"),
    or_(
        LETTERS.c.outcome.is_(None),
        LETTERS.c.outcome.in_((literal_column("'held'"), literal_column("'set-aside'"))),
    ),
)
_UPDATE_GAME = update(GAMES).where(GAMES.c.number == bindparam("which"))
_APPEND = insert(EVENTS)
_QUEUE = insert(OUTGOING)
_QUEUE_CONTENT = insert(OUTGOING_CONTENTS)


def _save_thread(dialect: ModuleType) -> Any:
    """Return the statement that inserts a thread or changes it, in a database's own dialect."""
    inserting = dialect.insert(THREADS)
    changed = {
        name: inserting.excluded[name] for name in ("letters", "told", "tag", "root", "last", "resent")
    }
    return inserting.on_conflict_do_update(index_elements=["player", "game"], set_=changed)


_SAVE_THREAD = {"sqlite": _save_thread(sqlite), "postgresql": _save_thread(postgresql)}


class Unit(Lookup):
    """A transaction that writes. What it reads to change it, it locks; see the questions in Lookup."""

    locks = True

    # letters that came in

    def conclude(
        self,
        number: int,
        *,
        outcome: Outcome,
        reason: str = "",
        game: int | None = None,
        commands: Sequence[str] = (),
        sender: str = "",
    ) -> None:
        """Give a letter its outcome, once; only one that was held or set aside may be given another.

        Raises Contested when another process has decided it meanwhile.
        """
        concluded = self._connection.execute(
            _CONCLUDE,
            {
                "which": number,
                "outcome": outcome,
                "reason": reason,
                "game": game,
                "commands": json.dumps(list(commands)),
                "sender": address_key(sender),
            },
        )
        if concluded.rowcount != 1:
            raise Contested(f"letter {number} was decided already; nothing was kept")

    def failed(self, number: int, reason: str) -> int:
        """Keep that deciding a letter failed, and why; return how often it has by now."""
        attempts: int = self._connection.execute(
            update(LETTERS)
            .where(LETTERS.c.number == number)
            .values(attempts=LETTERS.c.attempts + 1, reason=reason)
            .returning(LETTERS.c.attempts)
        ).scalar_one()
        return attempts

    # players

    def add_player(self, name: str, address: str, language: str) -> Player:
        """Register somebody; name "" until he gives one. Raises Contested when the address is registered."""
        number = self._number_of(
            insert(PLAYERS),
            language=language,
            zone="UTC",
            form="html",
            sheets="grid",
            joined=self._clock.now(),
        )
        self._connection.execute(
            insert(PERSONS).values(
                player=number,
                name=name,
                name_key=skeleton(name),
                address=address,
                address_key=address_key(address),
                returns=0,
            )
        )
        return Player(number=number, name=name, address=address, language=language)

    def change_player(self, number: int, **changes: str) -> None:
        """Change a player's name, address, language, zone, form or sheets."""
        person = {key: value for key, value in changes.items() if key in _PERSONAL}
        for what, (column, key_of) in _PERSONAL.items():
            if what in person:
                person[column] = key_of(person[what])
        ways = {key: value for key, value in changes.items() if key not in _PERSONAL}
        if person:
            self._connection.execute(update(PERSONS).where(PERSONS.c.player == number).values(person))
        if ways:
            self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == number).values(ways))

    def forget_player(self, number: int) -> None:
        """Erase who a player is: name and address, his letters, and ours to him that are no longer to be posted.

        His games, events and outcomes stay, under his number alone.
        """
        address = self._connection.execute(
            delete(PERSONS).where(PERSONS.c.player == number).returning(PERSONS.c.address_key)
        ).scalar()
        if address is None:
            return
        his = select(LETTERS.c.number).where(LETTERS.c.sender == address)
        self._connection.execute(delete(LETTER_CONTENTS).where(LETTER_CONTENTS.c.letter.in_(his)))
        self._connection.execute(update(LETTERS).where(LETTERS.c.sender == address).values(sender=""))
        posted = OUTGOING.c.player == number, OUTGOING.c.state.in_(("sent", "refused"))
        ours = select(OUTGOING.c.id).where(*posted)
        self._connection.execute(delete(OUTGOING_CONTENTS).where(OUTGOING_CONTENTS.c.id.in_(ours)))
        self._connection.execute(update(OUTGOING).where(*posted).values(recipient="", reader="", subject=""))
        self._connection.execute(
            update(TAGS)
            .where(TAGS.c.player == number, TAGS.c.revoked.is_(None))
            .values(revoked=self._clock.now())
        )

    # games

    def new_game(
        self, rules: str, now: datetime, *, proposed_by: int | None = None, proposed_to: int | None = None
    ) -> int:
        """Make a game that has not begun and return its number; its first event must follow in the same unit.

        proposed_by, proposed_to: players; proposed_to None lets anybody join. An umpire's game has neither.
        """
        return self._number_of(
            insert(GAMES),
            rules=rules,
            title="",
            status="proposed",
            last_event=0,
            proposed_by=proposed_by,
            proposed_to=proposed_to,
            created=now,
        )

    def title_game(self, number: int, title: str) -> None:
        """Give a game the title that its letters' subjects bear."""
        self._connection.execute(update(GAMES).where(GAMES.c.number == number).values(title=title))

    def append(
        self,
        game: int,
        events: Sequence[tuple[int, str, Json]],
        *,
        at: datetime,
        letter: int | None = None,
    ) -> None:
        """Append events, each with its number, kind and body (plain data), to a game.

        Raises Contested when they do not follow the last event: another process has appended meanwhile.
        """
        self._connection.execute(
            _APPEND,
            [
                {
                    "game": game,
                    "number": number,
                    "kind": kind,
                    "at": at,
                    "body": json.dumps(body, separators=(",", ":")),
                    "letter": letter,
                }
                for number, kind, body in events
            ],
        )

    def update_game(self, number: int, *, status: Status, last_event: int, at: datetime) -> None:
        """Keep how a game stands after its last event. When nothing more can happen it ended `at`."""
        running = status in RUNNING
        self._connection.execute(
            _UPDATE_GAME,
            {"which": number, "status": status, "last_event": last_event, "ended": None if running else at},
        )
        if not running:
            self._connection.execute(update(SEATS).where(SEATS.c.game == number).values(done=True))

    def add_seat(self, game: int, seat: Seat, player: int) -> None:
        """Seat a player."""
        self._connection.execute(insert(SEATS).values(game=game, seat=seat, player=player, done=False))

    # letters of ours

    def add_tag(
        self, text: str, purpose: Purpose, *, player: int, game: int | None = None, letter: int | None = None
    ) -> None:
        """Keep a new reply tag and what it is about."""
        self._connection.execute(
            insert(TAGS).values(
                tag=text, purpose=purpose, player=player, game=game, letter=letter, created=self._clock.now()
            )
        )

    def revoke_tag(self, text: str) -> None:
        """Let a reply tag count no more."""
        self._connection.execute(update(TAGS).where(TAGS.c.tag == text).values(revoked=self._clock.now()))

    def save_thread(self, thread: Thread) -> None:
        """Keep where a player's letters about a game have come to."""
        self._connection.execute(
            _SAVE_THREAD[self._connection.dialect.name],
            {
                "player": thread.player,
                "game": thread.game,
                "letters": thread.letters,
                "told": thread.told,
                "tag": thread.tag,
                "root": thread.root,
                "last": " ".join(thread.last),
                "resent": thread.resent,
            },
        )

    def queue(self, letter: QueuedLetter) -> int:
        """Put a finished letter into the outbox; return its number there.

        Raises Contested when its Message-ID was used: another process wrote the same letter.
        """
        now = self._clock.now()
        number = self._number_of(
            _QUEUE,
            message_id=letter.message_id,
            sender=letter.sender,
            recipient=letter.recipient,
            reader=address_key(letter.recipient),
            kind=letter.kind,
            subject=letter.subject,
            game=letter.game,
            player=letter.player,
            seat=letter.seat,
            number=letter.number,
            answers=letter.answers,
            state="queued",
            tries=0,
            uncertain=0,
            next_try=AT_ONCE,
            answer="",
            created=now,
        )
        self._connection.execute(_QUEUE_CONTENT, {"id": number, "content": letter.content})
        return number

    def is_news(self, kind: str, every: timedelta) -> bool:
        """Tell whether the operator was told nothing of this kind for so long; if so he is now."""
        now = self._clock.now()
        name = f"told {kind}"
        before = self._connection.execute(
            select(HOUSE.c.value).where(HOUSE.c.name == name).with_for_update()
        ).scalar()
        if before is None:
            self._connection.execute(insert(HOUSE).values(name=name, value=now.isoformat()))
            return True
        # A time ahead of now was written by a clock that was wrong.
        if timedelta(0) <= now - datetime.fromisoformat(before) < every:
            return False
        self._connection.execute(update(HOUSE).where(HOUSE.c.name == name).values(value=now.isoformat()))
        return True

    def _number_of(self, inserting: Insert, **values: Any) -> int:
        """Insert a row and return the number that the database gave it."""
        key: Any = self._connection.execute(inserting, values).inserted_primary_key
        return int(key[0])
