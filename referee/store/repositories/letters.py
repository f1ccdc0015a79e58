"""Letters that did something in a game, by what tells one of them that is sent in again, or late, from a new one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select

from referee.mail.message.message import OwnLine
from referee.store.tables import HeardRow
from referee.store.values import Heard

HEARD = HeardRow.__table__  # type: ignore[attr-defined]

_theirs = (HEARD.c.player == bindparam("who"), HEARD.c.game == bindparam("which"))
_alike = (*_theirs, HEARD.c.lines == bindparam("lines"))
_asked = select(
    select(func.max(HEARD.c.dated)).where(*_theirs, HEARD.c.dated <= bindparam("until")).scalar_subquery(),
    select(func.min(HEARD.c.letter)).where(*_alike, HEARD.c.dated == bindparam("dated")).scalar_subquery(),
    exists().where(*_alike, HEARD.c.dated.is_not(None)),
    exists().where(*_alike, HEARD.c.dated.is_(None)),
)


def keep(
    connection: Connection,
    letter: int,
    player: int,
    game: int,
    dated: datetime | None,
    lines: Sequence[OwnLine],
) -> None:
    """Keep that a letter did something in a game."""
    row = {"letter": letter, "player": player, "game": game, "dated": dated, "lines": _hashed(lines)}
    connection.execute(insert(HEARD), row)


def look_up(
    connection: Connection,
    player: int,
    game: int,
    dated: datetime | None,
    lines: Sequence[OwnLine],
    until: datetime,
) -> Heard:
    """Return what is known of a player's letters that did something in a game; see Lookup.heard."""
    asked = {"who": player, "which": game, "dated": dated, "lines": _hashed(lines), "until": until}
    return Heard(*connection.execute(_asked, asked).one())


def forget_player(connection: Connection, player: int) -> None:
    """Keep nothing of what a player wrote."""
    connection.execute(delete(HEARD).where(HEARD.c.player == player))


def _hashed(lines: Sequence[OwnLine]) -> str:
    return sha256("\n".join(line.text for line in lines).encode("utf-8", "backslashreplace")).hexdigest()
