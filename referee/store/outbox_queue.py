"""The outbox's queue: letters are claimed, posted elsewhere, and come back sent, refused or to be tried again.

A claim holds as long as the process that made it is at work (see service_runs). What is told of a letter that somebody
else has claimed meanwhile, or posted, changes nothing any more, save that it was accepted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BindParameter,
    ColumnClause,
    ColumnElement,
    Connection,
    Text,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
    update,
)

from referee.store.locks import Lock, take
from referee.store.tables import OUTGOING, OUTGOING_CONTENTS, PLAYERS
from referee.store.values import Posting

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""When a letter is due that was not tried yet: no clock, however wrong, may keep it back."""

LONGEST_WAIT = timedelta(hours=5)
"""No try is put off for longer than this; one that is further away was set by a clock that was wrong."""

# States are written out, since the databases use an index of open rows only where they see its condition.
_QUEUED: ColumnClause[str] = literal_column("'queued'")
_CLAIMED: ColumnClause[str] = literal_column("'claimed'")
_SENT: ColumnClause[str] = literal_column("'sent'")

_MESSAGE_ID = re.compile(r"<([^<>@\s]+@[^<>@\s]+)>")

_this, _earlier = OUTGOING.alias("this"), OUTGOING.alias("earlier")

_DUE = (
    # Letters to one reader keep their order: one waits while an earlier one is being posted or waits longer.
    select(_this.c.id)
    .where(
        _this.c.state == _QUEUED,
        _this.c.next_try <= bindparam("now"),
        ~exists().where(
            _earlier.c.reader == _this.c.reader,
            _earlier.c.id < _this.c.id,
            _earlier.c.state.in_((_QUEUED, _CLAIMED)),
            or_(_earlier.c.state == _CLAIMED, _earlier.c.next_try > _this.c.next_try),
        ),
    )
    .order_by(_this.c.next_try, _this.c.id)
    .limit(bindparam("most"))
    .with_for_update(of=_this, skip_locked=True)
    .cte("due")
)

_PUT_RIGHT = (
    update(OUTGOING)
    .where(OUTGOING.c.state == _QUEUED, OUTGOING.c.next_try > bindparam("latest"))
    .values(next_try=bindparam("now"))
)

_CLAIM = (
    update(OUTGOING)
    .where(OUTGOING.c.id.in_(select(_DUE.c.id)))
    .values(state=_CLAIMED, claimed_at=bindparam("now"), claimed_by=bindparam("own"))
    .returning(OUTGOING.c.id)
)

_POSTINGS = (
    select(
        OUTGOING.c.id,
        OUTGOING.c.message_id,
        OUTGOING.c.sender,
        OUTGOING.c.recipient,
        OUTGOING_CONTENTS.c.content,
        OUTGOING.c.tries,
        OUTGOING.c.uncertain,
        PLAYERS.c.language,
    )
    .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .outerjoin(PLAYERS, PLAYERS.c.number == OUTGOING.c.player)
    .where(OUTGOING.c.id.in_(bindparam("claimed", expanding=True)))
    .order_by(OUTGOING.c.next_try, OUTGOING.c.id)
)

_NAME: BindParameter[str] = bindparam("name", type_=Text)
_ACCEPT = (
    update(OUTGOING)
    .where(OUTGOING.c.id == bindparam("which"))
    .values(
        state="sent",
        sent=bindparam("now"),
        claimed_at=None,
        claimed_by=None,
        tries=OUTGOING.c.tries + 1,
        # some hosts repeat the reader's address, which looks the same
        renamed=case((OUTGOING.c.reader == func.lower(_NAME), None), else_=_NAME),
        answer=bindparam("said"),
    )
)


def claim(connection: Connection, own: str, now: datetime, limit: int) -> list[Posting]:
    """Claim up to `limit` due letters; those to one reader stand in their order, and are to be posted in it.

    own: the name of the process that claims them. A next try that lies further away than any pause is due now.
    """
    take(connection, Lock.CLAIMING)
    connection.execute(_PUT_RIGHT, {"latest": now + LONGEST_WAIT, "now": now})
    claimed = connection.execute(_CLAIM, {"own": own, "now": now, "most": limit}).scalars().all()
    if not claimed:
        return []
    return [Posting(*row) for row in connection.execute(_POSTINGS, {"claimed": claimed})]


def accepted(connection: Connection, results: Sequence[tuple[int, str]], now: datetime) -> None:
    """Keep that letters were accepted, each with the mail host's answer.

    Some hosts replace our Message-ID and name theirs in the answer; players' programs will refer to that.
    """
    connection.execute(
        _ACCEPT,
        [{"which": id_, "said": answer, "name": _renamed(answer), "now": now} for id_, answer in results],
    )


def claimed(connection: Connection, own: str) -> set[int]:
    """Return which letters a process has claimed."""
    asked = select(OUTGOING.c.id).where(OUTGOING.c.state == _CLAIMED, OUTGOING.c.claimed_by == own)
    return set(connection.execute(asked).scalars())


def _still_open(id_: int, own: str) -> ColumnElement[bool]:
    """A letter, unless it was sent meanwhile or is in somebody else's hands."""
    is_ours = or_(OUTGOING.c.claimed_by == own, OUTGOING.c.claimed_by.is_(None))
    return and_(OUTGOING.c.id == id_, OUTGOING.c.state != _SENT, is_ours)


def refused(connection: Connection, own: str, id_: int, answer: str) -> None:
    """Keep that a letter was refused for good, and with what answer."""
    connection.execute(
        update(OUTGOING)
        .where(_still_open(id_, own))
        .values(state="refused", claimed_at=None, claimed_by=None, tries=OUTGOING.c.tries + 1, answer=answer)
    )


def again(connection: Connection, own: str, id_: int, at: datetime, answer: str, uncertain: bool) -> None:
    """Queue a letter again, to be tried `at`; uncertain: it may have been accepted all the same."""
    connection.execute(
        update(OUTGOING)
        .where(_still_open(id_, own))
        .values(
            state="queued",
            claimed_at=None,
            claimed_by=None,
            tries=OUTGOING.c.tries + 1,
            uncertain=OUTGOING.c.uncertain + int(uncertain),
            next_try=at,
            answer=answer,
        )
    )


def release(connection: Connection, own: str, ids: Sequence[int]) -> None:
    """Give claimed letters back untouched."""
    connection.execute(
        update(OUTGOING)
        .where(OUTGOING.c.id.in_(ids), OUTGOING.c.state == _CLAIMED, OUTGOING.c.claimed_by == own)
        .values(state="queued", claimed_at=None, claimed_by=None)
    )


def reclaim(connection: Connection, living: Collection[str], ours: Collection[int]) -> int:
    """Queue claimed letters again, save those that others have claimed who are at work, and save `ours`; return how
    many."""
    is_nobodys = or_(OUTGOING.c.claimed_by.is_(None), OUTGOING.c.claimed_by.not_in(living))
    asked = update(OUTGOING).where(OUTGOING.c.state == _CLAIMED, is_nobodys, OUTGOING.c.id.not_in(ours))
    return connection.execute(asked.values(state="queued", claimed_at=None, claimed_by=None)).rowcount


def _renamed(answer: str) -> str | None:
    named = _MESSAGE_ID.search(answer[:1000])
    return named.group(1) if named else None
