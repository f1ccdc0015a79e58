"""The clocks of games as they are kept: when something is due, what was told, and when the house was out.

What has happened in a game stands in its events. A row of `clock` says when somebody has to look at a seat's clock
again, and may be made anew from the events at any time, save for what was told to the player.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, union_all, update

from referee.games.clocks.leave import Leave
from referee.rulebooks.rulebook import Seat
from referee.store.tables import CLOCKS, GAMES, HOUSE, LEAVES, LETTER_CONTENTS, LETTERS, OUTAGES, OUTGOING
from referee.store.values import CLOCKS_APART, EarlyLetter, StoredClock, StoredLeave, StuckClock

_LOOKED = "mailbox looked into"
FAR_AHEAD = timedelta(days=30)
"""A clock that was further ahead than this told deadlines that nobody will hold to be one."""
_LOOK = HOUSE.c.name == _LOOKED

# As in lookup: statements that a letter or a look needs are built once. `which` and `whose` are their parameters.

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
_SENT_LATELY = (
    select(OUTGOING.c.answers)
    .where(OUTGOING.c.player == bindparam("who"), OUTGOING.c.created >= bindparam("since"))
    .order_by(OUTGOING.c.id.desc())
    .limit(500)
    .subquery()
)
_HEARD_LATELY = select(LETTERS.c.commands).join_from(
    _SENT_LATELY, LETTERS, _SENT_LATELY.c.answers == LETTERS.c.number
)
_LEAVES = (
    select(LEAVES.c.player, LEAVES.c.competition, LEAVES.c.first, LEAVES.c.last, LEAVES.c.zone)
    .where(LEAVES.c.player.in_(bindparam("players", expanding=True)))
    .order_by(LEAVES.c.number)
)


def look(connection: Connection, now: datetime, longest: timedelta) -> None:
    """Keep that the mailbox was looked into. longest: a gap that is longer was an outage, which costs nobody time.

    Where the clock has been set back, nothing that was kept reaches beyond now, and all clocks are looked at anew.
    """
    said = connection.execute(_LAST_LOOK_LOCKED).scalar()
    if said is None:
        connection.execute(insert(HOUSE).values(name=_LOOKED, value=now.isoformat()))
        return
    last = datetime.fromisoformat(said)
    if -CLOCKS_APART <= now - last <= timedelta(0):
        return  # another process, whose clock is a little ahead
    if now < last:
        leapt = connection.execute(select(func.min(OUTAGES.c.ended)).where(OUTAGES.c.ended > now)).scalar()
        connection.execute(delete(OUTAGES).where(OUTAGES.c.began >= now))
        connection.execute(update(OUTAGES).where(OUTAGES.c.ended > now).values(ended=now))
        connection.execute(update(CLOCKS).where(CLOCKS.c.next.is_not(None)).values(next=now))
        if last - now > FAR_AHEAD:
            told = CLOCKS.c.promised > (leapt or last)  # by the clock that was ahead, from then on
            connection.execute(update(CLOCKS).where(told).values(promised=None))
    elif now - last > longest:
        connection.execute(insert(OUTAGES).values(began=last, ended=now))
    connection.execute(_KEEP_LOOK, {"at": now.isoformat()})


def last_look(connection: Connection) -> datetime | None:
    """Return when the mailbox was last looked into, None for never."""
    said = connection.execute(_LAST_LOOK).scalar()
    return None if said is None else datetime.fromisoformat(said)


def outages(connection: Connection, since: datetime) -> list[tuple[datetime, datetime]]:
    """Return when the house was out, as far as that ended after a time."""
    return [(began, ended) for began, ended in connection.execute(_OUTAGES, {"since": since})]


def set_clock(
    connection: Connection, game: int, seat: Seat, player: int, due: datetime | None, *, anew: bool
) -> None:
    """Keep when a seat's clock is to be looked at. anew: it is for another move than before."""
    values = {"which": game, "whose": seat, "who": player, "due": due}
    if not connection.execute(_SET_CLOCK_ANEW if anew else _SET_CLOCK, values).rowcount:
        first = {"game": game, "seat": seat, "player": player, "next": due}
        connection.execute(_ADD_CLOCK, first | {"promised": None, "reminded": "", "failed": ""})


def put_off(connection: Connection, game: int, seat: Seat, until: datetime, why: str) -> None:
    """Keep that a seat's clock could not be looked at, and why; it is tried again later."""
    connection.execute(_PUT_OFF, {"which": game, "whose": seat, "until": until, "why": why})


def stuck(connection: Connection, before: datetime) -> list[StuckClock]:
    """Return the clocks that could not be looked at, and those that nobody has looked at though it was due by then,
    in the order of games."""
    asked = (
        select(CLOCKS.c.game, CLOCKS.c.seat, CLOCKS.c.next, CLOCKS.c.failed)
        .where(CLOCKS.c.next.is_not(None), or_(CLOCKS.c.failed != "", CLOCKS.c.next < before))
        .order_by(CLOCKS.c.game, CLOCKS.c.seat)
    )
    return [StuckClock(game, Seat(seat), due, why) for game, seat, due, why in connection.execute(asked)]


def promise(connection: Connection, game: int, seat: Seat, deadline: datetime) -> None:
    """Keep that a player was told a deadline; an earlier one than he was told before changes nothing."""
    connection.execute(_PROMISE, {"which": game, "whose": seat, "deadline": deadline})


def promise_no_more(connection: Connection, game: int, seat: Seat) -> None:
    """Keep that what a player was told of his deadline holds no more, by his own doing."""
    which = CLOCKS.c.game == game, CLOCKS.c.seat == seat
    connection.execute(update(CLOCKS).where(*which).values(promised=None))


def clocks(connection: Connection, game: int) -> dict[Seat, StoredClock]:
    """Return what is kept of a game's clocks, by seats."""
    return {Seat(row.seat): _clock(row) for row in connection.execute(_CLOCKS, {"which": game})}


def _clock(row: Any) -> StoredClock:
    sent = (each.split("@") for each in row.reminded.split())
    reminded = tuple((timedelta(seconds=int(mark)), datetime.fromisoformat(at)) for mark, at in sent)
    return StoredClock(row.next, row.promised, reminded)


def keep_reminded(
    connection: Connection, game: int, seat: Seat, sent: tuple[tuple[timedelta, datetime], ...]
) -> None:
    """Keep which reminders a player got for the move he is on: marks, and when."""
    written = " ".join(f"{int(mark.total_seconds())}@{at.isoformat()}" for mark, at in sent)
    connection.execute(_KEEP_REMINDED, {"which": game, "whose": seat, "sent": written})


def due(connection: Connection, now: datetime, limit: int) -> list[tuple[int, Seat]]:
    """Return the clocks that are to be looked at by now, those first that wait longest."""
    found = connection.execute(_DUE, {"now": now, "most": limit})
    return [(game, Seat(seat)) for game, seat in found]


def wake(connection: Connection, player: int, now: datetime) -> None:
    """Let all clocks of a player's be looked at now, since something has changed for all of them."""
    which = CLOCKS.c.player == player, CLOCKS.c.next.is_not(None)
    connection.execute(update(CLOCKS).where(*which).values(next=now))


def wake_in(connection: Connection, competition: int, now: datetime) -> None:
    """Let all clocks of an event's games be looked at now."""
    games = select(GAMES.c.number).where(GAMES.c.competition == competition, GAMES.c.status == "playing")
    which = CLOCKS.c.game.in_(games), CLOCKS.c.next.is_not(None)
    connection.execute(update(CLOCKS).where(*which).values(next=now))


def asked(connection: Connection, player: int, game: int, told: int) -> tuple[bool, datetime | None]:
    """Return whether a letter to a player has told so much of a game, and when the first that did was accepted for
    delivery, None where none was yet."""
    count, sent = connection.execute(_ASKED, {"who": player, "which": game, "told": told}).one()
    return count > 0, sent


def accepted_since(
    connection: Connection, player: int, game: int, since: datetime
) -> tuple[bool, datetime | None]:
    """Return whether the first letter to a player about a game that was written since then waits to be posted, and when
    it was accepted for delivery, None where it was not, or there is none."""
    row = connection.execute(_WRITTEN_SINCE, {"who": player, "which": game, "since": since}).first()
    return (False, None) if row is None else (row.state in ("queued", "claimed"), row.sent)


def unheard_by(connection: Connection, until: datetime, player: int, since: datetime) -> list[EarlyLetter]:
    """Return the letters that came in by an instant and were not heard, the oldest first: those that wait for their
    outcome, that are held for a player, and that were set aside, whosever they are, though they are here as a whole.

    since: of the held and those set aside, what was recorded before it is too old.
    """
    row = LETTERS.c
    asked = select(row.number, row.outcome, row.received, row.recorded, row.game, row.commands, row.sender)
    asked = asked.where(or_(row.received <= until, row.recorded <= until))
    whole = LETTERS.join(LETTER_CONTENTS, row.number == LETTER_CONTENTS.c.letter)
    late_enough = row.recorded >= since
    found = union_all(
        asked.where(row.outcome.is_(None)),
        asked.where(row.held_for == player, row.held_for.is_not(None), row.outcome == "held", late_enough),
        asked.select_from(whole).where(
            row.outcome == "set-aside",
            # From an address that somebody has given up: it is known whose letter it is.
            or_(row.sender != "", row.held_for.is_(None), row.held_for == player),
            late_enough,
            func.length(LETTER_CONTENTS.c.content) >= row.size,
        ),
    )
    return sorted(
        (
            EarlyLetter(
                each.number,
                each.outcome,
                min(each.received, each.recorded),
                each.recorded,
                each.game,
                tuple(json.loads(each.commands or "[]")),
                each.sender,
            )
            for each in connection.execute(found)
        ),
        key=lambda letter: letter.number,
    )


def leaves(connection: Connection, players: Collection[int]) -> list[StoredLeave]:
    """Return the leave that players have taken, in the order in which they did."""
    rows = connection.execute(_LEAVES, {"players": [*players]})
    return [StoredLeave(player, event, _leave(*leave)) for player, event, *leave in rows]


def _leave(first: str, last: str, zone: str) -> Leave | None:
    """Return leave as it was kept; None where it is damaged, which must not keep that of others from being read."""
    try:
        ZoneInfo(zone)
        return Leave(date.fromisoformat(first), date.fromisoformat(last), zone)
    except (LookupError, TypeError, ValueError):
        return None


def has_asked_for(connection: Connection, player: int, beginning: str, since: datetime) -> bool:
    """Tell whether a letter that a player was answered since then held a command that begins so. Only the newest that
    he was sent are looked at."""
    found = connection.execute(_HEARD_LATELY, {"who": player, "since": since}).scalars()
    return any(said.startswith(beginning) for commands in found for said in json.loads(commands))


def add_leave(connection: Connection, player: int, competition: int | None, leave: Leave) -> None:
    """Keep leave that a player takes."""
    said = {"first": leave.first.isoformat(), "last": leave.last.isoformat(), "zone": leave.zone}
    connection.execute(insert(LEAVES).values(player=player, competition=competition, **said))


def change_leave(
    connection: Connection, player: int, competition: int | None, before: Leave, after: Leave | None
) -> None:
    """Cut leave short, or drop it; where it was taken twice, both."""
    which = (
        LEAVES.c.player == player,
        LEAVES.c.competition.is_(None) if competition is None else LEAVES.c.competition == competition,
        LEAVES.c.first == before.first.isoformat(),
        LEAVES.c.last == before.last.isoformat(),
        LEAVES.c.zone == before.zone,
    )
    if after is None:
        connection.execute(delete(LEAVES).where(*which))
    else:
        connection.execute(update(LEAVES).where(*which).values(last=after.last.isoformat()))
