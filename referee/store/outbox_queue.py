"""The outgoing queue: letters are claimed, and come back as sent, refused or to be tried again.

A claim holds as long as its process is alive (see service_runs). Results for a letter that another process
has claimed or sent meanwhile change nothing, except that it was accepted.
"""

from __future__ import annotations

import math
import re
import threading
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

from referee.common.clock import Clock, steady
from referee.common.durations import HOUR
from referee.common.errors import RefereeError
from referee.store import rate_counters, service_runs
from referee.store.connections import Connections
from referee.store.locks import Lock, take
from referee.store.tables import OUTGOING, OUTGOING_CONTENTS, PLAYERS
from referee.store.values import Posting

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""When an untried letter is due: no clock, however wrong, may hold it back."""

LONGEST_WAIT = timedelta(hours=5)
"""Longest pause before a try; a later time was set by a wrong clock."""

POSTED = "letters posted"
"""The counter behind an hourly limit."""

RENEWED_EVERY = 10.0
"""Seconds after which this process renews its record that it is alive and holds its claims."""
HOLDS_FOR = 25.0
"""Seconds after which this process must no longer rely on its record: fewer than others wait."""

# States are written out, since the databases use an index of open rows only where they see its condition.
_QUEUED: ColumnClause[str] = literal_column("'queued'")
_CLAIMED: ColumnClause[str] = literal_column("'claimed'")
_SENT: ColumnClause[str] = literal_column("'sent'")

_MESSAGE_ID = re.compile(r"<([^<>@\s]+@[^<>@\s]+)>")

_this, _earlier = OUTGOING.alias("this"), OUTGOING.alias("earlier")

_DUE = (
    # Letters to one reader keep their order: one waits while an earlier one is being sent or waits longer.
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
    """Claim up to `limit` due letters; those to one reader are in order, and are to be sent in it.

    own: the name of the claiming process. A next try that is later than any pause is due now.
    """
    take(connection, Lock.CLAIMING)
    connection.execute(_PUT_RIGHT, {"latest": now + LONGEST_WAIT, "now": now})
    claimed = connection.execute(_CLAIM, {"own": own, "now": now, "most": limit}).scalars().all()
    if not claimed:
        return []
    return [Posting(*row) for row in connection.execute(_POSTINGS, {"claimed": claimed})]


def accepted(connection: Connection, results: Sequence[tuple[int, str]], now: datetime) -> None:
    """Record that letters were accepted, each with the mail host's answer.

    Some hosts replace our Message-ID and name theirs in the answer; players' programs will refer to that.
    """
    connection.execute(
        _ACCEPT,
        [{"which": id_, "said": answer, "name": _renamed(answer), "now": now} for id_, answer in results],
    )


def claimed(connection: Connection, own: str) -> set[int]:
    """Return the letters that a process has claimed."""
    asked = select(OUTGOING.c.id).where(OUTGOING.c.state == _CLAIMED, OUTGOING.c.claimed_by == own)
    return set(connection.execute(asked).scalars())


def _still_open(id_: int, own: str) -> ColumnElement[bool]:
    """Return the condition that a letter was not sent meanwhile and is in no other process's hands."""
    is_ours = or_(OUTGOING.c.claimed_by == own, OUTGOING.c.claimed_by.is_(None))
    return and_(OUTGOING.c.id == id_, OUTGOING.c.state != _SENT, is_ours)


def refused(connection: Connection, own: str, id_: int, answer: str) -> None:
    """Record that a letter was refused for good, and the answer."""
    connection.execute(
        update(OUTGOING)
        .where(_still_open(id_, own))
        .values(state="refused", claimed_at=None, claimed_by=None, tries=OUTGOING.c.tries + 1, answer=answer)
    )


def again(connection: Connection, own: str, id_: int, at: datetime, answer: str, uncertain: bool) -> None:
    """Queue a letter again, to be tried `at`; uncertain: it may have been accepted after all."""
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
    """Queue claimed letters again, except `ours` and those of other living processes; return how many."""
    is_nobodys = or_(OUTGOING.c.claimed_by.is_(None), OUTGOING.c.claimed_by.not_in(living))
    asked = update(OUTGOING).where(OUTGOING.c.state == _CLAIMED, is_nobodys, OUTGOING.c.id.not_in(ours))
    return connection.execute(asked.values(state="queued", claimed_at=None, claimed_by=None)).rowcount


def _renamed(answer: str) -> str | None:
    named = _MESSAGE_ID.search(answer[:1000])
    return named.group(1) if named else None


class OutboxQueue:
    """Outgoing letters that wait to be sent; each method is a transaction of its own."""

    def __init__(self, connections: Connections, clock: Clock, posted_an_hour: int | None = None) -> None:
        """posted_an_hour: most letters given out for sending in an hour, None for no limit."""
        self._connections = connections
        self._clock = clock
        self._posted_an_hour = posted_an_hour
        self._claimed: set[int] = set()
        self._claiming = threading.Lock()
        """Held while letters are claimed, and while abandoned claims are searched for."""
        self.at_work = False
        """Whether this process records that it is alive; see `Store.at_work`."""
        self._renewed = -math.inf
        self._sightings = service_runs.Sightings()

    def claim(self, now: datetime, limit: int) -> list[Posting]:
        """Claim up to `limit` due letters; those to one reader are in order, and are to be sent in it.

        A reader's later letter is not given out while an earlier one is being sent or waits longer. Letters
        claimed before and still in hand stay claimed: call this now and then as long as there are any.
        """
        self._keep_claims()
        if limit <= 0:
            return []
        most = self._posted_an_hour
        claimed: list[Posting] = []
        try:
            with self._connections.transaction(writing=True) as connection, self._claiming:
                if most is not None:
                    left = rate_counters.left(connection, POSTED, most, HOUR, now)
                    limit = min(limit, left - len(self._claimed))
                claimed = claim(connection, self._connections.process, now, limit) if limit > 0 else []
                # Before any other process sees the claim, or `reclaim` could mistake it for a dead process's.
                self._claimed.update(each.id for each in claimed)
        except RefereeError:
            # Whether the claim was stored or not, nobody has these letters in hand.
            self._claimed.difference_update(each.id for each in claimed)
            raise
        return claimed

    def holds(self, id_: int) -> bool:
        """Return whether a letter is still in this process's hands, and may be sent.

        On PostgreSQL others may have it when this process was silent for a while, for instance when it was
        stopped.
        """
        if self._is_watched and steady() - self._renewed >= HOLDS_FOR:
            return False
        return id_ in self._claimed

    @property
    def _is_watched(self) -> bool:
        """Whether other processes see from this one's records that it is alive."""
        return self._connections.is_shared and self.at_work

    def _keep_claims(self) -> None:
        """Now and then record that this process is alive, check its claims, and reclaim those of dead
        processes.

        On SQLite there are no other processes.
        """
        began = steady()
        if not self._is_watched or began - self._renewed < RENEWED_EVERY:
            return
        with self._connections.transaction(writing=True) as connection:
            service_runs.renew(connection, self._connections.process)
            self._claimed &= claimed(connection, self._connections.process)
        self._renewed = began
        self.reclaim()

    def accepted(self, results: Sequence[tuple[int, str]]) -> None:
        """Record that letters were accepted, each with the mail host's answer."""
        with self._connections.transaction(writing=True) as connection:
            accepted(connection, results, self._clock.now())
            if self._posted_an_hour is not None:
                rate_counters.add(connection, POSTED, len(results), HOUR, self._clock.now())
        self._claimed.difference_update(id_ for id_, _ in results)

    def refused(self, id_: int, answer: str) -> None:
        """Record that a letter was refused for good, and the answer."""
        with self._connections.transaction(writing=True) as connection:
            refused(connection, self._connections.process, id_, answer)
        self._claimed.discard(id_)

    def again(self, id_: int, at: datetime, answer: str, uncertain: bool) -> None:
        """Queue a letter again, to be tried `at`; uncertain: it may have been accepted after all."""
        with self._connections.transaction(writing=True) as connection:
            again(connection, self._connections.process, id_, at, answer, uncertain)
        self._claimed.discard(id_)

    def release(self, ids: Sequence[int]) -> None:
        """Give claimed letters back untouched."""
        with self._connections.transaction(writing=True) as connection:
            release(connection, self._connections.process, ids)
        self._claimed.difference_update(ids)

    def reclaim(self) -> int:
        """Queue the claims of dead processes again; return how many letters.

        On SQLite these are all that this store has not claimed itself, so `lock` must be held. On PostgreSQL
        they are the claims of processes that are not alive (see service_runs).
        """
        with self._connections.transaction(writing=True) as connection:
            return self.reclaim_in(connection)

    def reclaim_in(self, connection: Connection) -> int:
        """Do what `reclaim` does in an open transaction."""
        living: set[str] = set()
        if self._connections.is_shared:
            living = service_runs.living(connection, self._connections.process, self._sightings, steady())
        with self._claiming:  # otherwise a fresh claim of the sending thread could seem abandoned
            return reclaim(connection, living, frozenset(self._claimed))
