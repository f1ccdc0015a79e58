"""Draws a view of the thirteen spies as in Confusion, whose module explains the picture.

The board is the one that its reader will find (`shown`). The line of a turn that waits for its answer is
dashed: from a dot where the reader knows that it will be allowed, to a cross where it will be refused, to a
ring with a question mark where the reader does not know the answer or has still to give it.
"""

from __future__ import annotations

from referee.rulebooks.confusion.picture import TRACE, Look, Trace, last_trace, png_of, svg_of
from referee.rulebooks.confusion.reach import Reach, reach_by
from referee.rulebooks.spies.deduction import mine
from referee.rulebooks.spies.edition import LETTERS, RED
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import View
from referee.rulebooks.spies.shown import as_shown, foreseen, waiting

RED_FILL = "#f4978e"
"""Light enough for dark letters, in print too; without red vision it is a grey distinct from white."""

LOOK = Look("Spies", RED, RED_FILL, LETTERS, TRACE, files_out_of_play=True)


def png(view: View, *, small: bool = False) -> bytes:
    """Return the view as a PNG, of the same size and palette in every game. small: see Confusion's."""
    return png_of(as_shown(view), LOOK, traces(view), _reach(view), small=small)


def svg(view: View) -> str:
    """Return the view as an SVG document."""
    return svg_of(as_shown(view), LOOK, traces(view), _reach(view))


def traces(view: View) -> tuple[Trace, ...]:
    """Return the lines on the board: of the waiting turn, or else of the last attempt that was answered."""
    if view.table.sealed is None:
        return last_trace(view.board)
    if waits := waiting(view):
        return tuple(Trace(start, end, None, sealed=True) for start, end in waits)
    return tuple(
        Trace(each.start, each.end, each.answer, sealed=True)
        for each in foreseen(view)
        if each.start is not None and each.end is not None
    )


def _reach(view: View) -> tuple[Reach, ...]:
    """Return where own spies can go, on the board that is shown, as far as is known of them."""
    if view.observed or outlook(view).over:
        return ()
    return reach_by(as_shown(view), lambda: mine(view))
