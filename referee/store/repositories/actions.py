"""What umpires do, as far as it is kept beside the games' events: what is to be confirmed, what is done in all games of
an event one after the other, and who sat where until another player took his seat."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, delete, insert, or_, select, true, update

from referee.rulebooks.rulebook import Seat
from referee.store.tables import (
    ASKED_DEEDS,
    ERRANDS,
    FORMER_SEATS,
    GAMES,
    GATHERED,
    SEATS,
    THREADS,
    WATCHES,
)
from referee.store.values import AskedDeed, Errand


def ask(
    connection: Connection,
    tag: str,
    player: int,
    line: str,
    stands: Mapping[int, str],
    newcomer: int | None,
    now: datetime,
) -> None:
    """Keep what a player is to confirm by a tag; see AskedDeed."""
    written = json.dumps({str(game): said for game, said in stands.items()})
    kept = insert(ASKED_DEEDS).values(
        tag=tag, player=player, line=line, stands=written, newcomer=newcomer, created=now
    )
    connection.execute(kept)


def asked(connection: Connection, tag: str) -> AskedDeed | None:
    """Return what is to be confirmed by a tag; None for nothing."""
    found = ASKED_DEEDS.c
    row = connection.execute(
        select(found.player, found.line, found.stands, found.created, found.newcomer).where(found.tag == tag)
    ).first()
    if row is None:
        return None
    stands = {int(game): said for game, said in json.loads(row.stands).items()}
    return AskedDeed(row.player, row.line, stands, row.created, row.newcomer)


def drop(connection: Connection, tag: str) -> None:
    """Keep no more what was to be confirmed by a tag."""
    connection.execute(delete(ASKED_DEEDS).where(ASKED_DEEDS.c.tag == tag))


def erase_stale(connection: Connection, before: datetime) -> None:
    """Keep no more what was to be confirmed and was not, since it was asked about before a time: it may name people."""
    connection.execute(delete(ASKED_DEEDS).where(ASKED_DEEDS.c.created < before))


def forget_player(connection: Connection, player: int) -> None:
    """Keep nothing that a player has asked for, who leaves; no question whether he is to take a seat, and none about a
    game in which he sits, or has: what is to be said there may name him, and would be kept once it is confirmed."""
    of_him = or_(ASKED_DEEDS.c.player == player, ASKED_DEEDS.c.newcomer == player)
    connection.execute(delete(ASKED_DEEDS).where(of_him))
    sits = select(SEATS.c.game).where(SEATS.c.player == player)
    sat = select(FORMER_SEATS.c.game).where(FORMER_SEATS.c.player == player)
    his = {str(game) for game in connection.execute(sits.union(sat)).scalars()}
    for tag, stands in connection.execute(select(ASKED_DEEDS.c.tag, ASKED_DEEDS.c.stands)).all():
        if his & json.loads(stands).keys():
            drop(connection, tag)
    connection.execute(delete(ERRANDS).where(ERRANDS.c.player == player))


def next_playing(connection: Connection, competition: int, after: int) -> int | None:
    """Return the next game of an event that is being played, above a number; None behind the last."""
    asked = select(GAMES.c.number).where(
        GAMES.c.competition == competition, GAMES.c.status == "playing", GAMES.c.number > after
    )
    found: int | None = connection.execute(asked.order_by(GAMES.c.number).limit(1)).scalar()
    return found


def begin_errand(connection: Connection, competition: int, player: int, line: str, now: datetime) -> None:
    """Keep that a deed is to be done in all games of an event."""
    begun = insert(ERRANDS).values(
        competition=competition, player=player, line=line, after=0, done="[]", created=now
    )
    connection.execute(begun)


def errand(connection: Connection, player: int | None = None) -> Errand | None:
    """Return the oldest errand, locked; None for none, or where another process has it in hand. player: whose, None for
    anybody's."""
    found = ERRANDS.c
    row = connection.execute(
        select(
            found.number, found.competition, found.player, found.line, found.after, found.done, found.created
        )
        .where(true() if player is None else found.player == player)
        .order_by(found.number)
        .limit(1)
        .with_for_update(skip_locked=True)
    ).first()
    if row is None:
        return None
    return Errand(
        row.number,
        row.competition,
        row.player,
        row.line,
        row.after,
        tuple(json.loads(row.done)),
        row.created,
    )


def go_on(connection: Connection, errand: Errand) -> None:
    """Keep how far an errand has come."""
    which = update(ERRANDS).where(ERRANDS.c.number == errand.number)
    connection.execute(which.values(after=errand.after, done=json.dumps(list(errand.done))))


def end(connection: Connection, number: int) -> None:
    """Keep an errand no more."""
    connection.execute(delete(ERRANDS).where(ERRANDS.c.number == number))


def replace_player(
    connection: Connection, game: int, seat: Seat, player: int, before: int, now: datetime
) -> None:
    """Seat another player. What is kept of the first one's letters about the game loses its reply tag, and what had
    still to be told him of it is dropped; whoever comes is told all that his seat has heard."""
    here = SEATS.c.game == game, SEATS.c.seat == seat
    connection.execute(update(SEATS).where(*here).values(player=player))
    sat = FORMER_SEATS.c.game == game, FORMER_SEATS.c.player.in_((player, before))
    connection.execute(delete(FORMER_SEATS).where(*sat))
    connection.execute(insert(FORMER_SEATS).values(game=game, player=before, seat=seat, until=now))
    left = THREADS.c.game == game, THREADS.c.player == before
    connection.execute(update(THREADS).where(*left).values(tag=""))
    came = THREADS.c.game == game, THREADS.c.player == player
    connection.execute(update(THREADS).where(*came).values(tag="", told=0))
    connection.execute(delete(WATCHES).where(WATCHES.c.game == game, WATCHES.c.player == player))
    connection.execute(delete(GATHERED).where(GATHERED.c.game == game, GATHERED.c.player == before))
