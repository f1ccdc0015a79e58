"""The edition of thirteen spies behind the common protocol of rulebooks.

Each method calls the module that does the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.common.i18n import SOURCE
from referee.rulebooks.confusion.options import FIRST
from referee.rulebooks.confusion.scene import Guide
from referee.rulebooks.confusion.table import MovementTable, default_table, read_table
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
from referee.rulebooks.spies import own_compass
from referee.rulebooks.spies.adjudicate import adjudicate, conclude, unsealed
from referee.rulebooks.spies.conditions import CONDITIONS, heard_conditions
from referee.rulebooks.spies.edition import SEATS
from referee.rulebooks.spies.fold import COURSE, fold_position, fold_view, hear
from referee.rulebooks.spies.likeness import looks_like_order
from referee.rulebooks.spies.notation import read_order, write_order
from referee.rulebooks.spies.options import check_options, opening, tidy_deal
from referee.rulebooks.spies.orders import Instruct, Order
from referee.rulebooks.spies.position import Position, View
from referee.rulebooks.spies.preview import Preview, preview
from referee.rulebooks.spies.questions import due, may_plan
from referee.rulebooks.spies.reading import is_turn, read_orders
from referee.rulebooks.spies.reasons import explain
from referee.rulebooks.spies.record import recorded, write_record
from referee.rulebooks.spies.replay import replay
from referee.rulebooks.spies.scene import Scene, make_guide, make_scene
from referee.rulebooks.spies.view import truth_data, view_data


class SpiesRules:
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
        return due(position)

    def read_orders(self, view: View, lines: Sequence[OrderLine]) -> Reading:
        return read_orders(view, lines)

    def is_turn(self, order: Order) -> bool:
        return is_turn(order)

    def at_any_time(self, order: Order) -> bool:
        return isinstance(order, Instruct)

    def adjudicate(
        self,
        position: Position,
        seat: Seat,
        order: Order,
        chance: Chance,
    ) -> tuple[Happening, ...]:
        return adjudicate(position, seat, order)

    def conclude(self, position: Position, result: Result) -> tuple[Happening, ...]:
        return conclude(position, result)

    def result(self, position: Position) -> Result | None:
        return position.table.board.result

    def turn(self, view: View) -> int:
        return view.board.row

    def turn_of(self, heard: Sequence[Happening], seat: Seat, turn: int) -> int | None:
        return COURSE.turn_of(heard, seat, turn)

    def standing(self, heard: Sequence[Happening]) -> tuple[Happening, ...]:
        return COURSE.standing(heard)


class SpiesNotation:
    """Reads and writes orders as text."""

    def __init__(self, table: MovementTable | None) -> None:
        self._table = table

    def looks_like_order(self, text: str) -> bool:
        return looks_like_order(text)

    def read(self, line: OrderLine) -> Order | Fault:
        return read_order(line)

    def write(self, order: Order) -> str:
        return write_order(order)

    def guide(self) -> Guide:
        return make_guide(self._table or default_table())


class SpiesPresentation:
    """What is shown of a game."""

    def data(self, view: View) -> Mapping[str, Json]:
        return view_data(view)

    def truth(self, position: Position) -> Mapping[str, Json]:
        return truth_data(position)

    def scene(self, view: View, heard: Sequence[Happening], told: int) -> Scene:
        return make_scene(view, heard, told)

    def picture(self, view: View, *, small: bool = False) -> bytes | None:
        from referee.rulebooks.spies import picture  # noqa: PLC0415 - pillow

        return picture.png(view, small=small)

    def picture_svg(self, view: View) -> str | None:
        from referee.rulebooks.spies import picture  # noqa: PLC0415 - pillow

        return picture.svg(view)

    def explain(self, view: View, subject: str) -> Json | Fault:
        return explain(view, subject)

    def preview(self, view: View, line: OrderLine) -> Preview | Fault:
        return preview(view, line)


class SpiesRecords:
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


class SpiesSheets:
    """Both sheets as pictures."""

    def picture(self, view: View, language: str = SOURCE) -> bytes | None:
        from referee.rulebooks.spies import sheets_picture  # noqa: PLC0415 - pillow

        return sheets_picture.png(view, language)

    def svg(self, view: View) -> str | None:
        from referee.rulebooks.spies import sheets_picture  # noqa: PLC0415 - pillow

        return sheets_picture.svg(view)


class SpiesCompass:
    """Moves as each side sees them from its own seat."""

    def beside(self, shown: Json, seat: Seat) -> Json:
        return own_compass.beside_all(shown, seat)

    def to_own(self, order: str, seat: Seat) -> str:
        return own_compass.to_own(order, seat)

    def from_own(self, text: str, seat: Seat) -> str:
        return own_compass.from_own(text, seat)

    def slip_as_seen(self, fault: Fault, text: str, seat: Seat) -> Fault:
        return own_compass.slip_as_seen(fault, text, seat)


class SpiesPlanning:
    """Plans for coming turns."""

    conditions = CONDITIONS

    def heard_conditions(self, heard: Sequence[Happening], view: View) -> frozenset[str]:
        return heard_conditions(heard, view)

    def may_plan(self, view: View) -> Fault | None:
        return may_plan(view)


class SpiesSeal:
    """Turns whose answers wait for the other side's next turn."""

    def unseal(self, position: Position) -> tuple[Happening, ...]:
        return unsealed(position)


class Spies:
    """Confusion with thirteen spies a side, of which one is a double agent, and with sealed answers. See RULES.md.

    table: an umpire's movement table for new games; games in progress keep the one they began with (CF-2.1).
    """

    name = "spies"
    title = "Confusion: Spies"
    version = "1"
    seats = SEATS
    rule_ids: Mapping[str, str] = {}
    presentation = SpiesPresentation()
    planning = SpiesPlanning()
    sheets = SpiesSheets()
    oriented = SpiesCompass()
    drafts = None
    sealed = SpiesSeal()

    def __init__(self, table: MovementTable | None = None) -> None:
        self.rules = SpiesRules(table)
        self.notation = SpiesNotation(table)
        self.records = SpiesRecords(table)
