"""Confusion behind the common protocol of rulebooks: each method calls the module that does the work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.common.i18n import SOURCE
from referee.rulebooks.confusion import own_compass
from referee.rulebooks.confusion.adjudicate import adjudicate, conclude
from referee.rulebooks.confusion.compass import WHITE, YELLOW
from referee.rulebooks.confusion.conditions import CONDITIONS, heard_conditions
from referee.rulebooks.confusion.fold import COURSE, fold_position, fold_view, hear
from referee.rulebooks.confusion.likeness import looks_like_order
from referee.rulebooks.confusion.notation import Move, read_move, write_move
from referee.rulebooks.confusion.options import FIRST, check_options, opening, tidy_deal
from referee.rulebooks.confusion.orders import read_orders
from referee.rulebooks.confusion.position import Position, View
from referee.rulebooks.confusion.possible import examples
from referee.rulebooks.confusion.preview import Preview, preview
from referee.rulebooks.confusion.reasons import explain
from referee.rulebooks.confusion.record import recorded, write_record
from referee.rulebooks.confusion.replay import replay
from referee.rulebooks.confusion.scene import Guide, Scene, make_guide, make_scene
from referee.rulebooks.confusion.table import MovementTable, default_table, read_table
from referee.rulebooks.confusion.view import truth_data, view_data
from referee.rulebooks.rulebook import (
    Happening,
    Json,
    OrderLine,
    Question,
    Reading,
    Replay,
    Result,
    Seat,
)


class ConfusionRules:
    """How a game opens, what an order does, and how it ends."""

    left_to_lot = (FIRST,)

    def __init__(self, table: MovementTable | None) -> None:
        self._table = table

    def check_options(self, options: Mapping[str, str]) -> Sequence[Fault]:
        return check_options(options)

    def tidy_deal(self, deal: str) -> str:
        return tidy_deal(deal)

    def opening(self, options: Mapping[str, str], chance: Chance) -> tuple[Happening, ...]:
        return opening(options, chance, self._table or default_table())

    def fold(self, position: Position | None, happening: Happening) -> Position:
        return fold_position(position, happening)

    def hear(self, view: View | None, happening: Happening, seat: Seat) -> View:
        return hear(view, happening, seat)

    def view(self, heard: Iterable[Happening], seat: Seat) -> View:
        return fold_view(heard, seat)

    def due(self, position: Position) -> Mapping[Seat, Question]:
        board = position.board
        if board.result is not None:
            return {}
        return {board.to_move: Question("order", examples(board, board.to_move))}

    def read_orders(self, view: View, lines: Sequence[OrderLine]) -> Reading:
        return read_orders(view, lines)

    def is_turn(self, order: Move) -> bool:
        return True

    def at_any_time(self, order: Move) -> bool:
        return False

    def adjudicate(
        self,
        position: Position,
        seat: Seat,
        order: Move,
        chance: Chance,
    ) -> tuple[Happening, ...]:
        return adjudicate(position, seat, order)

    def conclude(self, position: Position, result: Result) -> tuple[Happening, ...]:
        return conclude(position, result)

    def result(self, position: Position) -> Result | None:
        return position.board.result

    def turn(self, view: View) -> int:
        return view.board.row

    def turn_of(self, heard: Sequence[Happening], seat: Seat, turn: int) -> int | None:
        return COURSE.turn_of(heard, seat, turn)

    def standing(self, heard: Sequence[Happening]) -> tuple[Happening, ...]:
        return COURSE.standing(heard)


class ConfusionNotation:
    """Reads and writes orders as text."""

    def __init__(self, table: MovementTable | None) -> None:
        self._table = table

    def looks_like_order(self, text: str) -> bool:
        return looks_like_order(text)

    def read(self, line: OrderLine) -> Move | Fault:
        return read_move(line.text, line.number)

    def write(self, order: Move) -> str:
        return write_move(order)

    def guide(self) -> Guide:
        return make_guide(self._table or default_table())


class ConfusionPresentation:
    """What is shown of a game."""

    def data(self, view: View) -> Mapping[str, Json]:
        return view_data(view)

    def truth(self, position: Position) -> Mapping[str, Json]:
        return truth_data(position)

    def scene(self, view: View, heard: Sequence[Happening], told: int) -> Scene:
        return make_scene(view, heard, told)

    def picture(self, view: View, *, small: bool = False) -> bytes | None:
        from referee.rulebooks.confusion import picture  # noqa: PLC0415 - pillow

        return picture.png(view, small=small)

    def picture_svg(self, view: View) -> str | None:
        from referee.rulebooks.confusion import picture  # noqa: PLC0415 - pillow

        return picture.svg(view)

    def explain(self, view: View, subject: str) -> Json | Fault:
        return explain(view, subject)

    def preview(self, view: View, line: OrderLine) -> Preview | Fault:
        return preview(view, line)


class ConfusionRecords:
    """Games as files."""

    counted = ("attempt", "attempts")

    def __init__(self, table: MovementTable | None) -> None:
        self._table = table

    def recorded(self, happening: Happening) -> Mapping[str, str]:
        return recorded(happening)

    def write(self, happenings: Sequence[Happening], head: Mapping[str, str], seat: Seat | None) -> str:
        return write_record(happenings, head)

    def replay(self, text: str, table: str | None = None, row: int | None = None) -> Replay:
        return replay(text, read_table(table) if table is not None else self._table or default_table(), row)


class ConfusionSheets:
    """Both sheets as pictures."""

    def picture(self, view: View, language: str = SOURCE) -> bytes | None:
        from referee.rulebooks.confusion import sheets_picture  # noqa: PLC0415 - pillow

        return sheets_picture.png(view, language)

    def svg(self, view: View) -> str | None:
        from referee.rulebooks.confusion import sheets_picture  # noqa: PLC0415 - pillow

        return sheets_picture.svg(view)


class ConfusionCompass:
    """Moves as each side sees them from its own seat."""

    def beside(self, shown: Json, seat: Seat) -> Json:
        return own_compass.beside_all(shown, seat)

    def to_own(self, order: str, seat: Seat) -> str:
        return own_compass.to_own(order, seat)

    def from_own(self, text: str, seat: Seat) -> str:
        return own_compass.from_own(text, seat)

    def slip_as_seen(self, fault: Fault, text: str, seat: Seat) -> Fault:
        return own_compass.slip_as_seen(fault, text, seat)


class ConfusionPlanning:
    """Plans for coming turns."""

    conditions = CONDITIONS

    def heard_conditions(self, heard: Sequence[Happening], view: View) -> frozenset[str]:
        return heard_conditions(heard)

    def may_plan(self, view: View) -> Fault | None:
        return None


class Confusion:
    """Robert Abbott's game of pieces that their owner does not know. See RULES.md.

    table: an umpire's movement table for new games; games in progress keep the one they began with (CF-2.1).
    """

    name = "confusion"
    title = "Confusion"
    version = "1"
    seats = (WHITE, YELLOW)
    rule_ids: Mapping[str, str] = {"one-attempt": "CF-4.1", "out-of-turn": "CF-4.1", "back-over": "CF-11.5"}
    presentation = ConfusionPresentation()
    planning = ConfusionPlanning()
    sheets = ConfusionSheets()
    oriented = ConfusionCompass()
    drafts = None
    sealed = None

    def __init__(self, table: MovementTable | None = None) -> None:
        self.rules = ConfusionRules(table)
        self.notation = ConfusionNotation(table)
        self.records = ConfusionRecords(table)
