"""Who has a part in a game, told without what has happened in it, which may be damaged."""

from __future__ import annotations

from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.participants import holds_office


def has_part(work: HandlerContext, number: int) -> bool:
    """Return whether the writer has anything to do with a game: he plays or watches it, or holds an office there."""
    row = work.row(number)  # its events may be damaged, and not every letter to it needs them
    me = work.player.number
    return row is not None and (
        row.concerns(me)
        or work.unit.games.has_watched(me, number)
        or holds_office(work.unit, row.competition, me)
    )


def named_game(work: HandlerContext, number: int) -> Game | None:
    """Return a game that a line names, as it stands now; None when there is none.

    Raises GameUnreadable for a damaged one in which the writer has a part. To anybody else it is as none: he learns
    nothing of it, and his letter does not suffer for it.
    """
    return work.game(number) if has_part(work, number) else work.readable(number)
