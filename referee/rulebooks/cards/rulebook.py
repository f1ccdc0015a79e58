"""Cards and Confusion behind the one protocol of all rulebooks: each method names the module that does the work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.cards import picture
from referee.rulebooks.cards.adjudicate import adjudicate, conclude
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.fold import COURSE, fold_position, fold_view, hear, letter_done
from referee.rulebooks.cards.notation import looks_like_order, read_order
from referee.rulebooks.cards.options import check_options, opening, tidy_deal
from referee.rulebooks.cards.orders import Check, Order
from referee.rulebooks.cards.position import Position, View
from referee.rulebooks.cards.preview import Rehearsed, preview
from referee.rulebooks.cards.questions import PLANS_ARE_LINES, draft, due
from referee.rulebooks.cards.reading import at_any_time, check_further, is_turn, read_orders
from referee.rulebooks.cards.reasons import explain
from referee.rulebooks.cards.record_text.record import recorded, write_record
from referee.rulebooks.cards.record_text.replay import replay
from referee.rulebooks.cards.scene import Guide, Scene, as_seen, make_guide, make_scene
from referee.rulebooks.cards.view import truth_data, view_data
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import (
    Draft,
    Happening,
    Json,
    OrderLine,
    Question,
    Reading,
    Replay,
    Result,
    Seat,
)


class CardsRules:
    """How a game opens, what an order brings about, and how it ends."""

    left_to_lot: tuple[str, ...] = ()

    def check_options(self, options: Mapping[str, str]) -> Sequence[Fault]:
        return check_options(options)

    def tidy_deal(self, deal: str) -> str:
        return tidy_deal(deal)

    def opening(self, options: Mapping[str, str], chance: Chance) -> tuple[Happening, ...]:
        return opening(options, chance)

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
        return at_any_time(order)

    def adjudicate(
        self, position: Position, seat: Seat, order: Order, chance: Chance
    ) -> tuple[Happening, ...]:
        return adjudicate(position, seat, order, chance)

    def conclude(self, position: Position, result: Result) -> tuple[Happening, ...]:
        return conclude(position, result)

    def result(self, position: Position) -> Result | None:
        return position.battle.result

    def turn(self, view: View) -> int:
        return view.battle.turn

    def turn_of(self, heard: Sequence[Happening], seat: Seat, turn: int) -> int | None:
        return COURSE.turn_of(heard, seat, turn)

    def standing(self, heard: Sequence[Happening]) -> tuple[Happening, ...]:
        return COURSE.standing(heard)


class CardsNotation:
    """Orders as text, both ways."""

    def looks_like_order(self, text: str) -> bool:
        return looks_like_order(text)

    def read(self, line: OrderLine) -> Order | Fault:
        return read_order(line)

    def write(self, order: Order) -> str:
        return write_order(order)

    def guide(self) -> Guide:
        return make_guide()


class CardsPresentation:
    """What is shown of a game."""

    def data(self, view: View) -> Mapping[str, Json]:
        return view_data(view)

    def truth(self, position: Position) -> Mapping[str, Json]:
        return truth_data(position)

    def scene(self, view: View, heard: Sequence[Happening], told: int) -> Scene:
        return make_scene(view, heard, told)

    def picture(self, view: View, *, small: bool = False) -> bytes | None:
        return picture.png(as_seen(view), **_shown(view))

    def picture_svg(self, view: View) -> str | None:
        return picture.svg(as_seen(view), **_shown(view))

    def explain(self, view: View, subject: str) -> Json | Fault:
        return explain(view, subject)

    def preview(self, view: View, line: OrderLine) -> Rehearsed | Fault:
        return preview(view, line)


class CardsRecords:
    """Games as files."""

    counted = ("deed", "deeds")

    def recorded(self, happening: Happening) -> Mapping[str, str]:
        return recorded(happening)

    def write(self, happenings: Sequence[Happening], head: Mapping[str, str], seat: Seat | None) -> str:
        return write_record(happenings, head, seat)

    def replay(self, text: str, table: str | None = None, row: int | None = None) -> Replay:
        return replay(text, table, row)


class CardsDrafts:
    """Turns that are drafted line by line."""

    def draft(self, view: View) -> Draft | None:
        return draft(view)

    def check_further(
        self, view: View, line: OrderLine, order: Order, earlier: Sequence[Order]
    ) -> Order | Fault:
        return check_further(view, line, order, earlier)

    def keeps_back(self, order: Order) -> bool:
        return isinstance(order, Check)

    def letter_done(self, heard: Sequence[Happening], seat: Seat) -> int:
        return letter_done(heard, seat)


class Cards:
    """The battle of miniatures driven by cards, two armies on one table. See RULES.md."""

    name = "cards"
    title = N_("Cards and Confusion")
    version = "1"
    seats = SIDES
    rule_ids: Mapping[str, str] = {}
    rules = CardsRules()
    notation = CardsNotation()
    presentation = CardsPresentation()
    records = CardsRecords()
    planning = PLANS_ARE_LINES
    sheets = None
    oriented = None  # bearings are those of the table, whoever reads
    drafts = CardsDrafts()
    sealed = None


def _shown(view: View) -> dict[str, Json]:
    """Return what the map shows besides the table: the trails of the last turn, and what its reader has asked for."""
    mine = (view.seat,) if view.seat in SIDES else ()
    show = view.own.show
    return {
        "before": view.table.before,
        "arcs": mine if "ARCS" in show else (),
        "zones": mine if "ZONES" in show else (),
    }
