"""Who has a part in a game, determined without its events, which may be damaged."""

from __future__ import annotations

from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.participants import holds_office


def has_part(work: HandlerContext, number: int) -> bool:
    """Return whether the writer has a part in a game: they play or watch it, or hold an office there."""
    row = work.games.row(number)  # its events may be damaged, and not every letter about it needs them
    me = work.request.player.number
    return row is not None and (
        row.concerns(me)
        or work.unit.games.has_watched(me, number)
        or holds_office(work.unit, row.competition, me)
    )


def named_game(work: HandlerContext, number: int) -> Game | None:
    """Return the game that a line names, as it is now; None when there is none.

    Raises GameUnreadable for a damaged game in which the writer has a part. To anybody else there is none:
    they learn nothing of it, and their letter is not affected.
    """
    return work.games.load(number) if has_part(work, number) else work.games.readable(number)
