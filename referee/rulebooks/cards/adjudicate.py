"""Ruling: what an order brings about. Orders are held against the view before they come here.

Order lines are drafted, for their own side alone; carried out, they make a turn (E2, E3). Of a turn that takes two
letters, the first carries out the lines of phase 1, and the others stay in the draft for the second. Where plans go on
for the side that moves next, its turn is played in the same breath, whole, for nothing is to be asked of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from referee.common.chance import Chance
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.decks import Decks, First, who_is_first
from referee.rulebooks.cards.drafting import clears, in_the_way, placings, with_draft
from referee.rulebooks.cards.figures import SIDES, other_side
from referee.rulebooks.cards.fold import confided_lines, fold_position
from referee.rulebooks.cards.happenings import (
    asked,
    checked,
    chosen,
    cleared,
    drafted,
    first,
    ordered,
    revealed,
    shown,
    stationed,
    waiting,
    wished,
)
from referee.rulebooks.cards.options import set_first
from referee.rulebooks.cards.orders import (
    Action,
    CarryOut,
    Check,
    Choose,
    Clear,
    Order,
    Pass,
    Placing,
    Plan,
    Prefer,
    ShowMap,
    Wake,
)
from referee.rulebooks.cards.position import Half, Ordered, Position
from referee.rulebooks.cards.setting_up import SetUp, set_up
from referee.rulebooks.cards.turn import play
from referee.rulebooks.cards.victory import end, off_the_table
from referee.rulebooks.cards.writing import write_orders
from referee.rulebooks.rulebook import Happening, Result, Seat


def adjudicate(position: Position, seat: Seat, order: Order, chance: Chance) -> tuple[Happening, ...]:
    """Rule on an order that read_orders let pass: what happens, in order. Raises ValueError after the end."""
    if position.battle.result is not None:
        raise ValueError("the battle is over")
    match order:
        case Prefer() | Plan() | Wake() | ShowMap():
            return (wished(seat, order),)
        case Clear(unit):
            draft = position.own[seat].draft
            return (cleared(seat, [each for each in draft if clears(unit, each)]),)
        case Check():
            return (checked(seat),)
        case Choose():
            return _go_on(position, (chosen(seat, order),), chance)
        case CarryOut() | Pass() if position.table.stage == "set-up":
            return _set_up(position, seat, order, chance)
        case CarryOut():
            return _turn(position, seat, position.own[seat].draft, _half(position), chance)
        case Pass():
            # Who passes has no second letter to write.
            return _turn(position, seat, (), 2 if position.table.halfway else 0, chance)
    own = position.own[seat]
    if isinstance(order, Placing) and own.stations is not None:
        # One station is changed while nobody else has seen the set-up.
        return (stationed(seat, with_draft(own.stations, order, [*in_the_way(order, own.stations)])),)
    return (drafted(seat, order, [*in_the_way(order, own.draft)]),)


# --- set-up


def _set_up(position: Position, seat: Seat, order: CarryOut | Pass, chance: Chance) -> tuple[Happening, ...]:
    """Take a set-up; when the other is in as well, show both and settle who moves first (CC-1.13, CC-1.14)."""
    placed = placings(position.own[seat].draft) if isinstance(order, CarryOut) else ()
    given = stationed(seat, placed)
    theirs = position.own[other_side(seat)].stations
    if theirs is None:
        return (given,)
    before = position.battle
    both = {seat: placed, other_side(seat): theirs}
    after = before
    for side in SIDES:
        standing = _standing(before, side, both[side])
        after = after.with_units(*standing.units.values()).with_commanders(*standing.commanders.values())
    settled, how = _who_is_first(position, chance)
    begun = replace(after, active=settled.side)
    return _play_on(position, (given, shown(before, after), first(after, begun, settled, how)), chance)


def _standing(battle: Battle, side: Seat, placed: Sequence[Placing]) -> SetUp:
    match set_up(battle, side, placed):
        case SetUp() as standing:
            return standing
        case faults:
            raise ValueError(f"{side}'s set-up cannot be: {faults[0].reason()}")


def _who_is_first(position: Position, chance: Chance) -> tuple[First, str]:
    if (side := set_first(position.table.options)) is not None:
        return First(side), "set"
    how = position.battle.switches.first
    return who_is_first(chance, how), how


# --- turns


def _half(position: Position) -> Half:
    """Return which half of a turn a letter carries out now."""
    if not position.table.split:
        return 0
    return 2 if position.table.halfway else 1


def _turn(
    position: Position, seat: Seat, orders: Sequence[Order], half: Half, chance: Chance
) -> tuple[Happening, ...]:
    """Carry a turn out, or a half of it: these orders, and what goes on by plan for those who have none (E3)."""
    if position.battle.active != seat or position.running is not None:
        raise ValueError(f"it is not {seat}'s turn")
    return _go_on(position, (_ordered(position, seat, orders, half),), chance)


def _ordered(position: Position, seat: Seat, orders: Sequence[Order], half: Half = 0) -> Happening:
    battle, plans = position.battle, position.own[seat].plans
    if half == 1:
        orders = [each for each in orders if isinstance(each, Action)]
    planned = write_orders(plans.beside(orders, battle)) if half != 2 else ()
    return ordered(Ordered(battle.turn, seat, (*write_orders(orders), *planned), planned, half=half))


def _go_on(position: Position, happenings: tuple[Happening, ...], chance: Chance) -> tuple[Happening, ...]:
    """Play the turn that runs, from its beginning with all the answers so far, and leave out what has been told of it.

    happenings: what has just happened, and began the turn or answered its question.
    """
    then = reduce(fold_position, happenings, position)
    running = then.running
    if running is None or then.table.first is None:
        raise ValueError("no turn is being played")
    played = play(
        running.before,
        running.orders,
        Decks(chance, then.dealt),
        first=then.table.first,
        wishes=running.wishes,
        answers=running.answers,
        halfway=running.half == 1,
    )
    news = played.happenings[running.told :]
    if played.asked is not None:
        question = played.asked
        return (*happenings, *news, waiting(question.seat), asked(question.seat, question.plain()))
    return _play_on(position, (*happenings, *news), chance)


def _play_on(position: Position, happenings: tuple[Happening, ...], chance: Chance) -> tuple[Happening, ...]:
    """Return what happens, with the next turn where plans make it (E3); after the end all orders are published."""
    then = reduce(fold_position, happenings, position)
    if then.battle.result is not None:
        return (*happenings, _revealed(then))
    if then.table.halfway:
        return happenings
    side = then.battle.active
    if not then.own[side].plans.goes_on(then.battle, side, then.since[side]):
        return happenings
    return (*happenings, *_go_on(then, (_ordered(then, side, ()),), chance))


# --- the end


def conclude(position: Position, result: Result) -> tuple[Happening, ...]:
    """Return the happenings of an end off the table: resignation, agreement, time (CC-8.12). Empty if it is over."""
    if position.battle.result is not None:
        return ()
    _, happenings = end(position.battle, off_the_table(result))
    return (*happenings, _revealed(reduce(fold_position, happenings, position)))


def _revealed(position: Position) -> Happening:
    wishes = {
        side: (*confided_lines(own)["wishes"], *confided_lines(own)["plans"])
        for side, own in position.own.items()
    }
    return revealed(position.log, wishes)
