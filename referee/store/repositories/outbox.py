"""Outgoing letters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from sqlalchemy import Connection, Select, and_, bindparam, func, insert, literal_column, or_, select, update

from referee.games.game import Status
from referee.mail.message.message import Kind
from referee.rulebooks.rulebook import Seat
from referee.store import erasure
from referee.store.outbox_queue import AT_ONCE
from referee.store.overview_values import Passed
from referee.store.repositories.players import PlayerQueries, Players
from referee.store.repositories.repository import Repository
from referee.store.tables import FORMER_SEATS, GAMES, LETTERS, NAMINGS, OUTGOING, OUTGOING_CONTENTS, SEATS
from referee.store.transaction import Transaction
from referee.store.values import (
    AnswerLine,
    LetterLine,
    LetterWritten,
    MailedLetter,
    NumberedLetter,
    QueuedLetter,
    SentLetter,
    address_key,
)

_this_sent = OUTGOING.alias("this_sent")
_NAMED_SO = or_(OUTGOING.c.message_id == bindparam("which"), OUTGOING.c.renamed == bindparam("which"))
_SENT = select(
    OUTGOING.c.message_id,
    OUTGOING.c.kind,
    OUTGOING.c.game,
    OUTGOING.c.player,
    OUTGOING.c.seat,
    OUTGOING.c.number,
    OUTGOING.c.recipient,
    OUTGOING.c.created,
).where(_NAMED_SO)
_SENT_CONTENT = (
    select(OUTGOING_CONTENTS.c.content)
    .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .where(_NAMED_SO)
)


def _about(asked: Select[Any]) -> Mapping[bool, Select[Any]]:
    """Return a query about our letters in two forms, about a game and about none, each served by an index."""
    return {
        True: asked.where(OUTGOING.c.game == bindparam("which")),
        False: asked.where(OUTGOING.c.game.is_(None)),
    }


_NUMBERED = _about(
    select(
        OUTGOING.c.message_id,
        OUTGOING.c.kind,
        OUTGOING.c.subject,
        OUTGOING.c.seat,
        OUTGOING_CONTENTS.c.content,
    )
    .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.number == bindparam("number"),
    )
    .order_by(OUTGOING.c.id)
    .limit(1)
)
_TOLD = _about(
    select(OUTGOING.c.told)
    .where(OUTGOING.c.player == bindparam("who"), OUTGOING.c.number == bindparam("number"))
    .order_by(OUTGOING.c.id)
    .limit(1)
)
_NEWER = _about(
    select(OUTGOING.c.number)
    .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.number > bindparam("after"),
        OUTGOING.c.kind.in_(bindparam("kinds", expanding=True)),
    )
    .distinct()
    .order_by(OUTGOING.c.number.desc())
    .limit(20)
)
_seated = (
    select(SEATS.c.player)
    .where(SEATS.c.game == bindparam("which"), SEATS.c.seat == bindparam("seat"))
    .union(
        select(FORMER_SEATS.c.player).where(
            FORMER_SEATS.c.game == bindparam("which"), FORMER_SEATS.c.seat == bindparam("seat")
        )
    )
)
_OF_SEAT = (
    select(OUTGOING.c.sender, OUTGOING.c.created, OUTGOING.c.sent, OUTGOING_CONTENTS.c.content)
    .outerjoin_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .where(
        OUTGOING.c.player.in_(_seated),
        OUTGOING.c.game == bindparam("which"),
        # Before the game began nobody had a seat, and letters name none.
        or_(OUTGOING.c.seat == bindparam("seat"), OUTGOING.c.seat.is_(None)),
    )
    .order_by(OUTGOING.c.id)
)
_ANSWERS: Select[Any] = select(
    OUTGOING.c.message_id,
    OUTGOING.c.recipient,
    OUTGOING.c.kind,
    OUTGOING.c.game,
    OUTGOING.c.number,
    OUTGOING.c.state,
    OUTGOING.c.tries,
    OUTGOING.c.answer,
    OUTGOING.c.created,
    OUTGOING.c.sent,
).order_by(OUTGOING.c.id)
_COUNT_SENT = select(func.count()).where(
    OUTGOING.c.reader == bindparam("who"),
    OUTGOING.c.kind == bindparam("kind"),
    OUTGOING.c.created.between(bindparam("since"), bindparam("until")),
)
_INVITATIONS = (
    select(GAMES.c.proposed_by, GAMES.c.status)
    .join_from(OUTGOING, GAMES, OUTGOING.c.game == GAMES.c.number)
    .where(
        OUTGOING.c.reader == bindparam("who"),
        OUTGOING.c.kind == literal_column("'invitation'"),
        OUTGOING.c.created.between(bindparam("since"), bindparam("until")),
    )
)
_INVITED = (
    select(OUTGOING.c.id)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.game == bindparam("which"),
        OUTGOING.c.kind == literal_column("'invitation'"),
    )
    .limit(1)
)
_ANSWERED = select(OUTGOING.c.id).where(
    OUTGOING.c.player == bindparam("who"), OUTGOING.c.answers.is_not(None)
)
"""A player who was answered has written."""
_HAS_WRITTEN = _ANSWERED.limit(1)
_SENT_ID = select(_this_sent.c.id).where(_this_sent.c.message_id == bindparam("which")).scalar_subquery()
_HAS_WRITTEN_SINCE = _ANSWERED.where(OUTGOING.c.id > _SENT_ID).limit(1)
_QUEUE = insert(OUTGOING)
_QUEUE_CONTENT = insert(OUTGOING_CONTENTS)


_ASKED = select(func.count(), func.min(OUTGOING.c.sent)).where(
    OUTGOING.c.player == bindparam("who"),
    OUTGOING.c.game == bindparam("which"),
    OUTGOING.c.told >= bindparam("told"),
)
_WRITTEN_SINCE = (
    select(OUTGOING.c.state, OUTGOING.c.sent)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.game == bindparam("which"),
        OUTGOING.c.created >= bindparam("since"),
    )
    .order_by(OUTGOING.c.id)
    .limit(1)
)
_WRITTEN_TO = (
    select(
        func.coalesce(OUTGOING.c.sent, OUTGOING.c.created),
        OUTGOING.c.created,
        OUTGOING.c.answers,
        OUTGOING.c.kind,
    )
    .where(
        OUTGOING.c.reader == bindparam("who"),
        OUTGOING.c.kind.in_(get_args(Kind)),  # the index has it between the two others
        OUTGOING.c.created.between(bindparam("since"), bindparam("until")),
    )
    .order_by(OUTGOING.c.created.desc(), OUTGOING.c.id.desc())
    .limit(bindparam("most"))
)


class OutboxQueries(Repository):
    """Queries about our letters."""

    def __init__(self, transaction: Transaction, players: PlayerQueries) -> None:
        super().__init__(transaction)
        self._players = players

    def get(self, message_id: str) -> SentLetter | None:
        """Return what is known of one of our letters, by our Message-ID or the one that the mail host gave it."""
        row = self._connection.execute(_SENT, {"which": message_id}).first()
        return None if row is None else SentLetter(*row)

    def content(self, message_id: str) -> bytes | None:
        """Return the bytes of one of our letters, found as by `get`; None for none, or an erased one."""
        content: bytes | None = self._connection.execute(_SENT_CONTENT, {"which": message_id}).scalar()
        return content

    def numbered(self, player: int, game: int, number: int) -> NumberedLetter | None:
        """Return a player's letter about a game (0: about none) by its number, as first written; None for none."""
        asked = {"who": player, "which": game, "number": number}
        row = self._connection.execute(_NUMBERED[bool(game)], asked).first()
        return None if row is None else NumberedLetter(*row)

    def of_seat(self, game: int, seat: Seat) -> list[MailedLetter]:
        """Return our letters about a game to the present and former players of a seat, oldest first.

        Letters from before the game began, and unsent ones, are included.
        """
        rows = self._connection.execute(_OF_SEAT, {"which": game, "seat": seat})
        return [MailedLetter(*row) for row in rows]

    def answers_to(self, letter: LetterLine) -> list[AnswerLine]:
        """Return the answers to a letter's sender, oldest first.

        They went to the address the letter came from, or to the player's main one.
        """
        player = self._players.by_address(letter.sender)
        readers = {letter.sender, address_key(player.address) if player else letter.sender}
        asked = _ANSWERS.where(OUTGOING.c.reader.in_(sorted(readers)), OUTGOING.c.answers == letter.number)
        return [AnswerLine(*row) for row in self._connection.execute(asked)]

    def told_by(self, player: int, game: int, number: int) -> int | None:
        """Return how many happenings of a game a player had heard by one of their letters; None if unknown."""
        asked = {"who": player, "which": game, "number": number}
        told: int | None = self._connection.execute(_TOLD[bool(game)], asked).scalar()
        return told

    def newer(self, player: int, game: int, *, after: int, kinds: Collection[str]) -> list[int]:
        """Return the numbers, above another, of a player's letters of these kinds about a game: the newest twenty."""
        asked = {"who": player, "which": game, "after": after, "kinds": tuple(kinds)}
        return list(self._connection.execute(_NEWER[bool(game)], asked).scalars())[::-1]

    def count_sent(self, recipient: str, kind: str, *, since: datetime) -> int:
        """Return how many letters of a kind were written to an address since then."""
        asked = {
            "who": address_key(recipient),
            "kind": kind,
            "since": since,
            "until": self._transaction.present(),
        }
        return self._connection.execute(_COUNT_SENT, asked).scalar_one()

    def written_to(
        self, recipient: str, since: datetime, until: datetime, most: int
    ) -> Sequence[LetterWritten]:
        """Return the newest of our letters to an address in a period, newest first."""
        asked = {"who": address_key(recipient), "since": since, "until": until, "most": most}
        return [LetterWritten(*row) for row in self._connection.execute(_WRITTEN_TO, asked)]

    def invitations(self, recipient: str, since: datetime) -> list[tuple[int, Status]]:
        """Return the invitations written to an address since then: the sender of each, and the state of the game."""
        asked = {"who": address_key(recipient), "since": since, "until": self._transaction.present()}
        return [(by, status) for by, status in self._connection.execute(_INVITATIONS, asked)]

    def was_invited(self, player: int, game: int) -> bool:
        """Return whether an invitation to a game was written to a player."""
        return self._connection.execute(_INVITED, {"who": player, "which": game}).first() is not None

    def has_written(self, player: int) -> bool:
        """Return whether a letter by the player ever counted."""
        return self._connection.execute(_HAS_WRITTEN, {"who": player}).first() is not None

    def has_written_since(self, player: int, message_id: str) -> bool:
        """Return whether a letter by the player counted after one of ours was written to them."""
        asked = {"who": player, "which": message_id}
        return self._connection.execute(_HAS_WRITTEN_SINCE, asked).first() is not None

    def asked(self, player: int, game: int, told: int) -> tuple[bool, datetime | None]:
        """Return whether a letter has told a player this much of a game, and when the first such one was accepted."""
        count, sent = self._connection.execute(_ASKED, {"who": player, "which": game, "told": told}).one()
        return count > 0, sent

    def accepted_since(self, player: int, game: int, since: datetime) -> tuple[bool, datetime | None]:
        """Return the state of the first letter about a game written to a player since then.

        The result is whether it waits to be sent, and when it was accepted for delivery; None where it was
        not, or there is none.
        """
        row = self._connection.execute(_WRITTEN_SINCE, {"who": player, "which": game, "since": since}).first()
        return (False, None) if row is None else (row.state in ("queued", "claimed"), row.sent)

    def passed(self, games: Collection[int]) -> dict[tuple[int, int], Passed]:
        """Return the newest letters about several games, from their players and to them, by game and player."""
        if not games:
            return {}
        newest = (
            select(
                OUTGOING.c.game,
                OUTGOING.c.player,
                func.max(OUTGOING.c.id).label("ours"),
                func.max(OUTGOING.c.answers).label("theirs"),
            )
            .join_from(
                SEATS, OUTGOING, and_(OUTGOING.c.game == SEATS.c.game, OUTGOING.c.player == SEATS.c.player)
            )
            .where(SEATS.c.game.in_(sorted(games)))
            .group_by(OUTGOING.c.game, OUTGOING.c.player)
            .subquery()
        )
        asked = (
            select(newest.c.game, newest.c.player, LETTERS.c.received, OUTGOING.c.created, OUTGOING.c.sent)
            .join_from(newest, OUTGOING, OUTGOING.c.id == newest.c.ours)
            .outerjoin(LETTERS, LETTERS.c.number == newest.c.theirs)
        )
        return {(game, player): Passed(*times) for game, player, *times in self._connection.execute(asked)}


class Outbox(OutboxQueries):
    """Outgoing letters."""

    def __init__(self, transaction: Transaction, players: Players) -> None:
        super().__init__(transaction, players)
        self.queued: list[QueuedLetter] = []
        """The letters queued here, in order."""

    def queue(self, letter: QueuedLetter) -> int:
        """Queue a finished letter; return its number in the outbox.

        Raises Contested when its Message-ID was used: another process wrote the same letter.
        """
        number = self._transaction.insert(
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
            created=letter.sent or self._clock.now(),
            told=letter.told,
        )
        self._connection.execute(_QUEUE_CONTENT, {"id": number, "content": letter.content})
        self.queued.append(letter)
        return number

    def mark_naming(self, letter: int, players: Iterable[int]) -> None:
        """Record the players that a letter to others mentions and that its game does not lead to.

        letter: as `queue` returned it.
        """
        named = [{"player": player, "letter": letter} for player in players]
        if named:
            self._connection.execute(insert(NAMINGS), named)

    def mark_naming_as(self, letter: int, message_id: str) -> None:
        """Record that a letter is a copy of another, and so mentions the same players."""
        first = select(OUTGOING.c.id).where(OUTGOING.c.message_id == message_id).scalar_subquery()
        named = select(NAMINGS.c.player).where(NAMINGS.c.letter == first)
        self.mark_naming(letter, self._connection.execute(named).scalars().all())

    def assign(self, address: str, player: int) -> None:
        """Assign the letters written to an address to a player."""
        there = OUTGOING.c.reader == address_key(address)
        self._connection.execute(update(OUTGOING).where(there).values(player=player))

    def erase_posted(self, player: int) -> None:
        """Erase the bytes and recipients of our sent letters to a player."""
        erasure.erase_posted(self._connection, OUTGOING.c.player == player)


def written(
    connection: Connection, reader: str, since: datetime, until: datetime, most: int
) -> Sequence[LetterWritten]:
    """Return the newest of our letters to an address in a period, newest first."""
    asked = {"who": reader, "since": since, "until": until, "most": most}
    return [LetterWritten(*row) for row in connection.execute(_WRITTEN_TO, asked)]
