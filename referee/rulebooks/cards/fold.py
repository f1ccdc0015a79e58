"""From happenings to the table, the truth and a seat's view. Each happening adds; nothing is looked up elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from referee.common.faults import Fault
from referee.rulebooks.branches import Course
from referee.rulebooks.cards.battle import BOTH, after, read_battle
from referee.rulebooks.cards.drafting import actor, placings, with_draft, with_draft_in_place, without
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.happenings import (
    AROUND,
    ASKED,
    CHOSEN,
    CLEARED,
    DEALT,
    DRAFTED,
    FIRST_SETTLED,
    OPENED,
    ORDERED,
    REVEALED,
    SHOWN,
    STATIONED,
    WAITING,
    WISHED,
    read_ordered,
    read_revealed,
)
from referee.rulebooks.cards.notation import read_order
from referee.rulebooks.cards.options import is_split
from referee.rulebooks.cards.orders import (
    Action,
    Choose,
    Fight,
    Fire,
    Order,
    Plan,
    Prefer,
    ShowMap,
    Wake,
)
from referee.rulebooks.cards.position import NOTHING_SAID, Own, Position, Running, Table, View
from referee.rulebooks.cards.turn import HALFWAY, TURN
from referee.rulebooks.cards.writing import write_orders
from referee.rulebooks.rulebook import Happening, Json, OrderLine, Seat


@lru_cache(maxsize=4096)  # the truth and its owner's view are folded from the same lines
def as_order(text: str) -> Order:
    """Return the order that a stored line is. Raises ValueError where it is none."""
    match read_order(OrderLine(1, text)):
        case Fault() as fault:
            raise ValueError(f"{text!r}: {fault.reason()}")
        case order:
            return order


def as_orders(lines: Iterable[str]) -> tuple[Order, ...]:
    """Return the orders that stored lines are. Raises ValueError where one is none."""
    return tuple(map(as_order, lines))


def without_actions(orders: Iterable[Order]) -> tuple[Order, ...]:
    """Return those of these orders that are for phases 2 and 3."""
    return tuple(each for each in orders if not isinstance(each, Action))


def fold_table(table: Table | None, happening: Happening) -> Table:
    """Return the table after a happening; what is confided leaves it as it is."""
    facts = happening.facts
    if table is None:
        if happening.code != OPENED:
            raise ValueError(f"a game begins with its opening, not with {happening.code!r}")
        options = facts["options"]
        return Table(read_battle(facts["battle"]), facts["scenario"], options, split=is_split(options))
    if not happening.heard_by >= BOTH:
        return table
    table = replace(table, battle=after(table.battle, happening), chooser=None)
    match happening.code:
        case c if c == FIRST_SETTLED:
            return replace(table, stage="playing", first=Seat(facts["side"]), began=table.battle)
        case c if c == WAITING:
            return replace(table, chooser=Seat(facts["side"]))
        case c if c == TURN:
            return replace(table, before=table.began, began=table.battle)
    return table


def own_after(own: Own, happening: Happening) -> Own:
    """Return what a seat has confided after a happening that it hears."""
    facts = happening.facts
    match happening.code:
        case c if c == DRAFTED:
            return replace(own, draft=_drafting(own.draft, facts))
        case c if c == CLEARED:
            return replace(own, draft=without(own.draft, as_orders(facts["orders"])))
        case c if c == WISHED:
            return _wishing(own, as_order(facts["order"]))
        case c if c == STATIONED:
            return replace(own, draft=(), stations=placings(as_orders(facts["orders"])))
        case c if c == SHOWN:
            return replace(own, draft=(), stations=None)
        case c if c == ORDERED:
            if facts.get("half") == 2:
                return replace(own, draft=())
            # A plan that did not go on has made way for an order of the letter's, or its unit is lost.
            gone_on = set(map(actor, as_orders(facts["planned"])))
            plans = own.plans.after_turn(own.plans.of_units.keys() - gone_on)
            later = without_actions(own.draft) if facts.get("half") == 1 else ()
            return replace(own, draft=later, plans=plans)
        case c if c == ASKED:
            return replace(own, asked=facts)
        case c if c in (CHOSEN, HALFWAY, TURN):
            return replace(own, asked=None) if own.asked is not None else own
    return own


def _drafting(draft: Sequence[Order], facts: Mapping[str, Json]) -> tuple[Order, ...]:
    """Return a draft after an order was drafted; see `happenings.drafted`."""
    order = as_order(facts["order"])
    if "instead" in facts:
        return with_draft_in_place(draft, order, as_orders(facts["instead"]))
    return with_draft(draft, order, as_orders(facts["replaced"]))


def _wishing(own: Own, order: Order) -> Own:
    match order:
        case Prefer():
            return replace(own, wishes=own.wishes.with_wish(order))
        case Plan() | Wake():
            return replace(own, plans=own.plans.with_plan(order))
        case ShowMap("OFF"):
            return replace(own, show=())
        case ShowMap(what):
            return replace(own, show=tuple(sorted({*own.show, what})))
    raise ValueError(f"{order!r} is no standing wish")


def fold_position(position: Position | None, happening: Happening) -> Position:
    """Return the whole truth after a happening; None is the truth before the first."""
    table = fold_table(position.table if position else None, happening)
    if position is None:
        return Position(table)
    own = {
        seat: own_after(each, happening) if seat in happening.heard_by else each
        for seat, each in position.own.items()
    }
    position = replace(_counted(position, happening), own=own)
    facts = happening.facts
    match happening.code:
        case c if c == DEALT:
            dealt = {Seat(side): tuple(cards) for side, cards in facts["cards"].items()}
            return replace(position, table=table, dealt=dealt)
        case c if c == ORDERED:
            said = read_ordered(facts)
            wishes = {seat: each.wishes for seat, each in position.own.items()}
            said = replace(said, wishes={seat: each.lines() for seat, each in wishes.items()})
            orders = tuple(each for each in as_orders(said.orders) if isinstance(each, Action | Fire | Fight))
            running = Running(position.battle, orders, wishes, half=said.half)
            since = position.since if said.half == 2 else {**position.since, said.side: ()}
            return replace(position, table=table, running=running, log=(*position.log, said), since=since)
        case c if c == CHOSEN and position.running is not None:
            answer = [each for each in as_orders([facts["order"]]) if isinstance(each, Choose)]
            running = replace(position.running, answers=(*position.running.answers, *answer))
            *earlier, now = position.log
            now = replace(now, answers=(*now.answers, (Seat(facts["side"]), facts["order"])))
            return replace(position, table=table, running=running, log=(*earlier, now))
        case c if c in (HALFWAY, TURN):
            return replace(position, table=table, running=None)
    return replace(position, table=table)


def _counted(position: Position, happening: Happening) -> Position:
    """Return the truth with one more happening of the turn that is running, and since each side's last turn."""
    if happening.code in AROUND:
        return position
    running = position.running
    if running is not None:
        running = replace(running, told=running.told + 1)
    since = {seat: (*each, happening) for seat, each in position.since.items()}
    return replace(position, running=running, since=since)


def hear(view: View | None, happening: Happening, seat: Seat) -> View:
    """Return what a seat knows after one more happening; None is before the first, which is the opening."""
    table = fold_table(view.table if view else None, happening)
    if view is None:
        return View(seat, table)
    own = own_after(view.own, happening) if seat in SIDES else NOTHING_SAID
    log = read_revealed(happening.facts) if happening.code == REVEALED else view.log
    return View(seat, table, own, log)


def fold_view(heard: Iterable[Happening], seat: Seat) -> View:
    """Add up what `seat` knows from what it heard. Raises ValueError when it did not hear the opening."""
    view: View | None = None
    for happening in COURSE.standing(tuple(heard)):
        view = hear(view, happening, seat)
    if view is None:
        raise ValueError("nothing was heard of this game")
    return view


def _is_due(table: Table, seat: Seat, turn: int) -> bool:
    """Return whether a seat's turn of a number is being played."""
    battle = table.battle
    return table.stage == "playing" and battle.result is None and (battle.active, battle.turn) == (seat, turn)


COURSE: Course[Table] = Course(fold_table, _is_due, frozenset())
"""How its turns go by. One that is taken back takes with it what was drafted and wished in it."""


def letter_done(heard: Sequence[Happening], seat: Seat) -> int:
    """Return how many of these a seat had heard when its last letter was carried out, of those that stand; 0 for none,
    and where a turn takes one letter (E3)."""
    if not heard or not is_split(heard[0].facts["options"]):
        return 0
    places, _ = COURSE.along(heard)
    return max((place + 1 for place in places if _ends_letter(heard[place], seat)), default=0)


def _ends_letter(happening: Happening, seat: Seat) -> bool:
    """Return whether a happening ends what a seat's letter ordered: half of its turn, or the turn."""
    if happening.code == HALFWAY:
        return bool(happening.facts["side"] == seat)
    return happening.code == TURN and bool(happening.facts["side"] != seat)


def confided_lines(own: Own) -> Mapping[str, tuple[str, ...]]:
    """Return what a seat has confided and still stands, as lines."""
    return {
        "draft": write_orders(own.draft),
        "wishes": own.wishes.lines(),
        "plans": own.plans.lines(),
        "map": tuple(f"MAP {each}" for each in own.show),
    }
