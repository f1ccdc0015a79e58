"""The clocks of games, and what affects them: outages and leave."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, delete, exists, func, insert, or_, select, update

from referee.games.clocks.leave import Leave
from referee.rulebooks.rulebook import Seat
from referee.store import clock_regularity
from referee.store.repositories.repository import Repository
from referee.store.tables import CLOCKS, FORMER_SEATS, GAMES, HOUSE, LEAVES, OUTAGES
from referee.store.values import CLOCK_SKEW_TOLERANCE, StoredClock, StoredLeave, StuckClock

_LOOKED = "mailbox looked into"
CLOCK_FAR_AHEAD = timedelta(days=30)
"""Deadlines told by a clock that was further ahead than this are implausible to everyone."""
_LOOK = HOUSE.c.name == _LOOKED
_LAST_LOOK = select(HOUSE.c.value).where(_LOOK)
_LAST_LOOK_LOCKED = _LAST_LOOK.with_for_update()
_KEEP_LOOK = update(HOUSE).where(_LOOK).values(value=bindparam("at"))
_OUTAGES = (
    select(OUTAGES.c.began, OUTAGES.c.ended)
    .where(OUTAGES.c.ended > bindparam("since"))
    .order_by(OUTAGES.c.number)
)
_WHICH = (CLOCKS.c.game == bindparam("which"), CLOCKS.c.seat == bindparam("whose"))
_SET_CLOCK = update(CLOCKS).where(*_WHICH).values(player=bindparam("who"), next=bindparam("due"), failed="")
_SET_CLOCK_ANEW = _SET_CLOCK.values(promised=None, reminded="")
_ADD_CLOCK = insert(CLOCKS)
_PUT_OFF = update(CLOCKS).where(*_WHICH).values(next=bindparam("until"), failed=bindparam("why"))
_PROMISE = (
    update(CLOCKS)
    .where(*_WHICH, or_(CLOCKS.c.promised.is_(None), CLOCKS.c.promised < bindparam("deadline")))
    .values(promised=bindparam("deadline"))
)
_KEEP_REMINDED = update(CLOCKS).where(*_WHICH).values(reminded=bindparam("sent"))
_CLOCKS = select(CLOCKS.c.seat, CLOCKS.c.next, CLOCKS.c.promised, CLOCKS.c.reminded).where(
    CLOCKS.c.game == bindparam("which")
)
_DUE = (
    select(CLOCKS.c.game, CLOCKS.c.seat)
    .where(CLOCKS.c.next.is_not(None), CLOCKS.c.next <= bindparam("now"))
    .order_by(CLOCKS.c.next, CLOCKS.c.game, CLOCKS.c.seat)
    .limit(bindparam("most"))
)
_LEAVES = (
    select(LEAVES.c.player, LEAVES.c.competition, LEAVES.c.first, LEAVES.c.last, LEAVES.c.zone)
    .where(LEAVES.c.player.in_(bindparam("players", expanding=True)))
    .order_by(LEAVES.c.number)
)


class ClockQueries(Repository):
    """Queries about the clocks of games."""

    def of_game(self, game: int) -> dict[Seat, StoredClock]:
        """Return the stored clocks of a game, by seat."""
        return {Seat(row.seat): _clock(row) for row in self._connection.execute(_CLOCKS, {"which": game})}

    def stuck(self, before: datetime) -> list[StuckClock]:
        """Return the clocks whose check failed, and those whose check is overdue."""
        asked = (
            select(CLOCKS.c.game, CLOCKS.c.seat, CLOCKS.c.next, CLOCKS.c.failed)
            .where(CLOCKS.c.next.is_not(None), or_(CLOCKS.c.failed != "", CLOCKS.c.next < before))
            .order_by(CLOCKS.c.game, CLOCKS.c.seat)
        )
        return [
            StuckClock(game, Seat(seat), due, why) for game, seat, due, why in self._connection.execute(asked)
        ]

    def due(self, now: datetime, limit: int) -> list[tuple[int, Seat]]:
        """Return the clocks that are due for a check, longest wait first."""
        found = self._connection.execute(_DUE, {"now": now, "most": limit})
        return [(game, Seat(seat)) for game, seat in found]

    def outages(self, since: datetime) -> list[tuple[datetime, datetime]]:
        """Return the outages that ended after a time."""
        return [(began, ended) for began, ended in self._connection.execute(_OUTAGES, {"since": since})]

    def last_look(self) -> datetime | None:
        """Return when the mailbox was last polled, None for never."""
        said = self._connection.execute(_LAST_LOOK).scalar()
        return None if said is None else datetime.fromisoformat(said)

    def regular_by(self, now: datetime) -> timedelta:
        """Return how long the clock has run regularly, as far as it is known; see clock_regularity."""
        return clock_regularity.known(self._connection, now)


class Clocks(ClockQueries):
    """The clocks of games."""

    def set(self, game: int, seat: Seat, player: int, due: datetime | None, *, anew: bool) -> None:
        """Store when a seat's clock is due for a check. anew: it is for another move than before."""
        values = {"which": game, "whose": seat, "who": player, "due": due}
        if not self._connection.execute(_SET_CLOCK_ANEW if anew else _SET_CLOCK, values).rowcount:
            first = {"game": game, "seat": seat, "player": player, "next": due}
            self._connection.execute(_ADD_CLOCK, first | {"promised": None, "reminded": "", "failed": ""})

    def keep_look(self, now: datetime, longest: timedelta) -> None:
        """Record that the mailbox was polled. longest: a longer gap was an outage, which costs nobody time.

        Where the clock has been set back, no stored time may lie ahead of now, and all clocks are checked
        anew.
        """
        said = self._connection.execute(_LAST_LOOK_LOCKED).scalar()
        if said is None:
            self._connection.execute(insert(HOUSE).values(name=_LOOKED, value=now.isoformat()))
            return
        last = datetime.fromisoformat(said)
        if -CLOCK_SKEW_TOLERANCE <= now - last <= timedelta(0):
            return  # another process, whose clock is a little ahead
        if now < last:
            leapt = self._connection.execute(
                select(func.min(OUTAGES.c.ended)).where(OUTAGES.c.ended > now)
            ).scalar()
            self._connection.execute(delete(OUTAGES).where(OUTAGES.c.began >= now))
            self._connection.execute(update(OUTAGES).where(OUTAGES.c.ended > now).values(ended=now))
            self._connection.execute(update(CLOCKS).where(CLOCKS.c.next.is_not(None)).values(next=now))
            if last - now > CLOCK_FAR_AHEAD:
                told = CLOCKS.c.promised > (leapt or last)  # by the clock that was ahead, from then on
                self._connection.execute(update(CLOCKS).where(told).values(promised=None))
        elif now - last > longest:
            self._connection.execute(insert(OUTAGES).values(began=last, ended=now))
        self._connection.execute(_KEEP_LOOK, {"at": now.isoformat()})

    def put_off(self, game: int, seat: Seat, until: datetime, why: str) -> None:
        """Record that the check of a seat's clock failed, with the kind of error; it is tried again later."""
        self._connection.execute(_PUT_OFF, {"which": game, "whose": seat, "until": until, "why": why})

    def promise(self, game: int, seat: Seat, deadline: datetime) -> None:
        """Record that a player was told a deadline; one earlier than before changes nothing."""
        self._connection.execute(_PROMISE, {"which": game, "whose": seat, "deadline": deadline})

    def retract_promise(self, game: int, seat: Seat) -> None:
        """Withdraw the deadline that a player was told: they have given back leave."""
        which = CLOCKS.c.game == game, CLOCKS.c.seat == seat
        self._connection.execute(update(CLOCKS).where(*which).values(promised=None))

    def keep_reminded(self, game: int, seat: Seat, sent: tuple[tuple[timedelta, datetime], ...]) -> None:
        """Store the reminders that a player got for the present move: marks, and when."""
        written = " ".join(f"{int(mark.total_seconds())}@{at.isoformat()}" for mark, at in sent)
        self._connection.execute(_KEEP_REMINDED, {"which": game, "whose": seat, "sent": written})

    def wake(self, player: int) -> None:
        """Make all clocks of a player due for a check, since something has changed for all of them."""
        which = CLOCKS.c.player == player, CLOCKS.c.next.is_not(None)
        self._connection.execute(update(CLOCKS).where(*which).values(next=self._clock.now()))

    def wake_tournament(self, competition: int) -> None:
        """Make all clocks of a tournament's games due for a check, since its terms have changed."""
        games = select(GAMES.c.number).where(GAMES.c.competition == competition, GAMES.c.status == "playing")
        which = CLOCKS.c.game.in_(games), CLOCKS.c.next.is_not(None)
        self._connection.execute(update(CLOCKS).where(*which).values(next=self._clock.now()))


class LeaveQueries(Repository):
    """Queries about players' leave."""

    def of_players(self, players: Collection[int]) -> list[StoredLeave]:
        """Return the leave that players have taken, in the order in which they took it."""
        rows = self._connection.execute(_LEAVES, {"players": [*players]})
        return [StoredLeave(player, event, _leave(*leave)) for player, event, *leave in rows]


class Leaves(LeaveQueries):
    """Players' leave."""

    def add(self, player: int, competition: int | None, leave: Leave) -> None:
        """Store leave of a player for the games of a tournament, or of none."""
        said = {"first": leave.first.isoformat(), "last": leave.last.isoformat(), "zone": leave.zone}
        self._connection.execute(insert(LEAVES).values(player=player, competition=competition, **said))

    def change(self, player: int, competition: int | None, before: Leave, after: Leave | None) -> None:
        """Shorten leave, or drop it."""
        which = (
            LEAVES.c.player == player,
            LEAVES.c.competition.is_(None) if competition is None else LEAVES.c.competition == competition,
            LEAVES.c.first == before.first.isoformat(),
            LEAVES.c.last == before.last.isoformat(),
            LEAVES.c.zone == before.zone,
        )
        if after is None:
            self._connection.execute(delete(LEAVES).where(*which))
        else:
            self._connection.execute(update(LEAVES).where(*which).values(last=after.last.isoformat()))

    def forget(self, player: int) -> None:
        """Delete the leave of a departing player, except where it counts.

        The clock of a seat that they gave up to another player depends on the days on which they were away.
        """
        goes_on = exists().where(
            FORMER_SEATS.c.player == player,
            FORMER_SEATS.c.game == GAMES.c.number,
            GAMES.c.status == "playing",
        )
        self._connection.execute(delete(LEAVES).where(LEAVES.c.player == player, ~goes_on))


def _clock(row: Any) -> StoredClock:
    sent = (each.split("@") for each in row.reminded.split())
    reminded = tuple((timedelta(seconds=int(mark)), datetime.fromisoformat(at)) for mark, at in sent)
    return StoredClock(row.next, row.promised, reminded)


def _leave(first: str, last: str, zone: str) -> Leave | None:
    """Return stored leave; None where it is damaged, which must not hide the leave of others."""
    try:
        ZoneInfo(zone)
        return Leave(date.fromisoformat(first), date.fromisoformat(last), zone)
    except (LookupError, TypeError, ValueError):
        return None
