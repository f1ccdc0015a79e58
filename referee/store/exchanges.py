"""What an address and the house have written to each other lately, by which a program that answers shows itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import get_args

from sqlalchemy import Connection, bindparam, func, literal_column, or_, select

from referee.mail.message.message import Kind
from referee.store.tables import LETTER_CONTENTS, LETTERS, OUTGOING


@dataclass(frozen=True, slots=True)
class LetterHeard:
    """A letter that was answered, or passed over for a reason that was asked for. content: None when it was erased."""

    number: int
    received: datetime
    recorded: datetime
    reason: str
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class LetterWritten:
    """A letter of ours. at: when it went out, or was written where it has not. answers: the letter that it answers."""

    at: datetime
    written: datetime
    answers: int | None
    kind: Kind


_HEARD = (
    select(
        LETTERS.c.number,
        LETTERS.c.received,
        LETTERS.c.recorded,
        LETTERS.c.reason,
        LETTER_CONTENTS.c.content,
    )
    .outerjoin_from(LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter)
    .where(
        LETTERS.c.sender == bindparam("who"),
        LETTERS.c.received <= bindparam("until"),
        LETTERS.c.number < bindparam("before"),
        or_(
            LETTERS.c.outcome.in_(("ruled", "answered")),
            (LETTERS.c.outcome == literal_column("'ignored'")) & (LETTERS.c.reason == bindparam("reason")),
        ),
    )
    .order_by(LETTERS.c.received.desc(), LETTERS.c.number.desc())
    .limit(bindparam("most"))
)
_WRITTEN = (
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


def heard(
    connection: Connection, sender: str, *, before: int, until: datetime, reason: str, most: int
) -> Sequence[LetterHeard]:
    """Return the newest letters of an address from before another, newest first: those that were ruled or answered,
    and those that were ignored for a reason."""
    asked = {"who": sender, "before": before, "until": until, "reason": reason, "most": most}
    return [LetterHeard(*row) for row in connection.execute(_HEARD, asked)]


def written(
    connection: Connection, reader: str, since: datetime, until: datetime, most: int
) -> Sequence[LetterWritten]:
    """Return the newest letters of ours to an address that were written between then and then, newest first."""
    asked = {"who": reader, "since": since, "until": until, "most": most}
    return [LetterWritten(*row) for row in connection.execute(_WRITTEN, asked)]
