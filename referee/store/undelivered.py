"""Games whose newest letters reached none of their players: they stand still, and no player can know it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, and_, distinct, exists, func, literal_column, not_, select, union_all

from referee.store.tables import OUTGOING, SEATS

MOST = 100
"""Most of these games that are read: more of them have one cause."""

_later, _seats = OUTGOING.alias("later"), SEATS.alias("seats")

# Two conditions, as in the two indexes of bounced and of refused letters.
_RETURNED = select(OUTGOING.c.id).where(OUTGOING.c.returned.is_not(None))
_REFUSED = select(OUTGOING.c.id).where(
    OUTGOING.c.state == literal_column("'refused'"), OUTGOING.c.returned.is_(None)
)

_UNREACHED = {
    dialect: (
        select(SEATS.c.game, func.max(OUTGOING.c.answer))
        .join_from(
            OUTGOING, SEATS, and_(SEATS.c.player == OUTGOING.c.player, SEATS.c.game == OUTGOING.c.game)
        )
        .where(
            OUTGOING.c.id.in_(union_all(_RETURNED, _REFUSED)),
            goes_on,
            OUTGOING.c.number.is_not(None),
            ~exists().where(
                _later.c.player == OUTGOING.c.player,
                _later.c.game == OUTGOING.c.game,
                _later.c.number.is_not(None),
                _later.c.id > OUTGOING.c.id,
            ),
        )
        .group_by(SEATS.c.game)
        .having(
            func.count(distinct(SEATS.c.seat))
            == select(func.count()).where(_seats.c.game == SEATS.c.game).scalar_subquery()
        )
        .order_by(SEATS.c.game)
        .limit(MOST)
    )
    for dialect, goes_on in (
        ("sqlite", SEATS.c.done == literal_column("0")),
        ("postgresql", not_(SEATS.c.done)),
    )
}


@dataclass(frozen=True, slots=True)
class Unreached:
    """A game that stands still. said: a mail host's answer for one of its letters."""

    game: int
    said: str


def unreached(connection: Connection) -> tuple[Unreached, ...]:
    """Return the games that stand still, by number. A letter under way may yet reach its reader."""
    rows = connection.execute(_UNREACHED[connection.dialect.name])
    return tuple(Unreached(game, said) for game, said in rows)
