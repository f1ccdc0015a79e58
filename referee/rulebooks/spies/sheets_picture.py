"""Draws both deduction sheets as one picture, as in Confusion, with the double agent's column."""

from __future__ import annotations

from collections.abc import Mapping

from referee.common.i18n import SOURCE
from referee.rulebooks.confusion.knowledge import SheetShown
from referee.rulebooks.confusion.sheets_picture import png_of, svg_of
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.deduction import shown_to
from referee.rulebooks.spies.knowledge import sheets_after
from referee.rulebooks.spies.position import View


def png(view: View, language: str = SOURCE) -> bytes | None:
    """Return both sheets as a PNG, None in a game without. Same view, same bytes. language: of the two titles."""
    return png_of(view, _sheets(view), language) if view.sheets else None


def svg(view: View) -> str | None:
    """Return both sheets as an SVG document, with the types' names, None in a game without sheets."""
    return svg_of(view, _sheets(view), "Spies") if view.sheets else None


def _sheets(view: View) -> Mapping[Seat, SheetShown]:
    return sheets_after(view.table, {seat: shown_to(view, seat) for seat in view.board.edition.seats})
