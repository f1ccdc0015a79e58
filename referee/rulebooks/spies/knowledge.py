"""What a letter shows of the two deduction sheets: as in Confusion, with thirteen types and this edition's evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.rulebooks.branches import TAKEN_BACK
from referee.rulebooks.confusion.knowledge import Knowledge, SheetShown, marks_on, show_sheet
from referee.rulebooks.rulebook import Happening, Seat
from referee.rulebooks.spies.deduction import evidence, evidence_of, moments, shown_to
from referee.rulebooks.spies.fold import fold_view
from referee.rulebooks.spies.position import Table, View


def make_knowledge(view: View, heard: Sequence[Happening], told: int) -> Knowledge | None:
    """Return what is shown of the sheets, None in a game without them.

    heard: all the seat heard, of which earlier letters reported the first `told`; what was taken back is no
        longer news, and everything after it is.
    """
    if not view.sheets:
        return None
    seats = (view.seat, view.board.edition.other(view.seat))
    backs = (place for place, each in enumerate(heard[told:], told + 1) if each.code == TAKEN_BACK)
    then = [fold_view(heard[:until], view.seat) for until in (told, *backs) if until]
    return Knowledge(
        table=view.board.table,
        evidence={seat: evidence_of(view, seat) for seat in seats},
        marks={seat: marks(view.table, seat) for seat in seats},
        since={seat: min((_moments(each, seat) for each in then), default=0) for seat in seats},
    )


def _moments(view: View, seat: Seat) -> int:
    return len(moments(view.table, seat, shown_to(view, seat)))


def sheets_after(table: Table, shown: Mapping[Seat, Mapping[str, int]]) -> Mapping[Seat, SheetShown]:
    """Return the sheet of either side. shown: by side, what the token Reveal 1 has shown to its owner."""
    return {
        seat: show_sheet(
            evidence(table, seat, shown.get(seat, {})).sheet, table.board.table, marks=marks(table, seat)
        )
        for seat in table.board.edition.seats
    }


def marks(table: Table, seat: Seat) -> dict[str, str]:
    """Return the marks of letters, including those that were removed; see SheetLine."""
    return marks_on(table.board, seat) | {letter: f"[{letter}]" for letter in table.removed[seat]}
