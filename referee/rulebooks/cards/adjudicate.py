"""Ruling: what an order brings about. Orders are held against the view before they come here.

Order lines are drafted, for their own side alone; carried out, they make a turn (E2, E3). Of a turn that takes two
letters, the first carries out the lines of phase 1, and the others stay in the draft for the second. Where plans go on
for the side that moves next, its turn is played in the same breath, whole, for nothing is to be asked of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from referee.common.chance import Chance
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.decks import Decks, First, who_is_first
from referee.rulebooks.cards.drafting import clears, in_the_way, with_draft
from referee.rulebooks.cards.figures import SIDES, other_side
from referee.rulebooks.cards.fold import as_order, confided_lines, fold_position, without_actions
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
from referee.rulebooks.cards.notation import write_order
from referee.rulebooks.cards.options import set_first
from referee.rulebooks.cards.orders import (
    Action,
    CarryOut,
    Check,
    Choose,
    Clear,
    Fight,
    Fire,
    Order,
    Pass,
    Plan,
    Prefer,
    ShowMap,
    Station,
    StationCommander,
    Wake,
)
from referee.rulebooks.cards.position import Half, Ordered, Position
from referee.rulebooks.cards.setting_up import SetUp, set_up
from referee.rulebooks.cards.turn import play
from referee.rulebooks.cards.victory import end, off_the_table
from referee.rulebooks.rulebook import Happening, Result, Seat


def adjudicate(position: Position, seat: Seat, order: Order, chance: Chance) -> tuple[Happening, ...]:
    """Rule on an order that read_orders let pass: what happens, in order. Raises ValueError after the end."""
    if position.battle.result is not None:
        raise ValueError("the battle is over")
    match order:
        case Prefer() | Plan() | Wake() | ShowMap():
            return (wished(seat, write_order(order)),)
        case Clear(unit):
            draft = position.own[seat].draft
            return (cleared(seat, [line for line in draft if clears(unit, as_order(line))]),)
        case Check():
            return (checked(seat),)
        case Choose():
            return _go_on(position, (chosen(seat, write_order(order)),), chance)
        case CarryOut() | Pass() if position.table.stage == "set-up":
            return _set_up(position, seat, order, chance)
        case CarryOut():
            return _turn(position, seat, position.own[seat].draft, _half(position), chance)
        case Pass():
            # Who passes has no second letter to write.
            return _turn(position, seat, (), 2 if position.table.halfway else 0, chance)
    if isinstance(order, Station | StationCommander) and position.own[seat].stations is not None:
        return (stationed(seat, _with_station(position.own[seat].stations or (), order)),)
    line = write_order(order)
    return (drafted(seat, line, _replaced(position.own[seat].draft, order)),)


def _replaced(draft: Iterable[str], order: Order) -> list[str]:
    """Return the drafted lines whose place an order takes."""
    return [write_order(each) for each in in_the_way(order, map(as_order, draft))]


# --- set-up


def _with_station(lines: Sequence[str], order: Station | StationCommander) -> tuple[str, ...]:
    """Return a set-up that was given with one station changed, while nobody else has seen it (A-13)."""
    return with_draft(lines, write_order(order), _replaced(lines, order))


def _set_up(position: Position, seat: Seat, order: CarryOut | Pass, chance: Chance) -> tuple[Happening, ...]:
    """Take a set-up; when the other is in as well, show both and settle who moves first (CC-1.13, CC-1.14)."""
    lines = position.own[seat].draft if isinstance(order, CarryOut) else ()
    given = stationed(seat, lines)
    theirs = position.own[other_side(seat)].stations
    if theirs is None:
        return (given,)
    before = position.battle
    both = {seat: lines, other_side(seat): theirs}
    after = before
    for side in SIDES:
        standing = _standing(before, side, both[side])
        after = after.with_units(*standing.units.values()).with_commanders(*standing.commanders.values())
    settled, how = _who_is_first(position, chance)
    begun = replace(after, active=settled.side)
    return _play_on(position, (given, shown(before, after), first(after, begun, settled, how)), chance)


def _standing(battle: Battle, side: Seat, lines: Iterable[str]) -> SetUp:
    orders = map(as_order, lines)
    placed = [each for each in orders if isinstance(each, Station | StationCommander)]
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
    position: Position, seat: Seat, lines: Sequence[str], half: Half, chance: Chance
) -> tuple[Happening, ...]:
    """Carry a turn out, or a half of it: these lines, and what goes on by plan for whoever has none among them (E3)."""
    if position.battle.active != seat or position.running is not None:
        raise ValueError(f"it is not {seat}'s turn")
    return _go_on(position, (_ordered(position, seat, lines, half),), chance)


def _ordered(position: Position, seat: Seat, lines: Sequence[str], half: Half = 0) -> Happening:
    battle, plans = position.battle, position.own[seat].plans
    if half == 2:
        return ordered(Ordered(battle.turn, seat, tuple(lines), half=half))
    if half == 1:
        later = without_actions(lines)
        lines = [each for each in lines if each not in later]
    planned = [write_order(each) for each in plans.beside(map(as_order, lines), battle)]
    return ordered(Ordered(battle.turn, seat, (*lines, *planned), tuple(planned), half=half))


def _go_on(position: Position, happenings: tuple[Happening, ...], chance: Chance) -> tuple[Happening, ...]:
    """Play the turn that runs, from its beginning with all the answers so far, and leave out what has been told of it.

    happenings: what has just happened, and began the turn or answered its question.
    """
    then = reduce(fold_position, happenings, position)
    running = then.running
    if running is None or then.table.first is None:
        raise ValueError("no turn is being played")
    orders = [each for each in map(as_order, running.orders) if isinstance(each, Action | Fire | Fight)]
    answers = [each for each in map(as_order, running.answers) if isinstance(each, Choose)]
    played = play(
        running.before,
        orders,
        Decks(chance, then.dealt),
        first=then.table.first,
        wishes=running.wishes,
        answers=answers,
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
