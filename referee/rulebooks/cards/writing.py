"""Orders as lines of a letter, in the one canonical way; `notation` reads them again (E2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.rulebooks.cards.orders import (
    Bearing,
    CarryOut,
    Check,
    Choose,
    Clear,
    Fight,
    Fire,
    Form,
    Go,
    Guard,
    Move,
    MoveMob,
    Order,
    Pass,
    PivotBy,
    Plan,
    Prefer,
    Rally,
    ShowMap,
    Station,
    StationCommander,
    Towards,
    Wake,
)
from referee.rulebooks.cards.shapes import Point


def write_order(order: Order) -> str:
    """Write an order canonically."""
    match order:
        case Station(unit, x, y, bearing, files):
            return f"AT {unit} {_n(x)},{_n(y)} B{_n(bearing)}" + (f" W{files}" if files is not None else "")
        case StationCommander(commander, x, y):
            return f"AT {commander} {_n(x)},{_n(y)}"
        case Move():
            return _write_move(order)
        case MoveMob(unit, bearing, cm):
            return f"MV {unit} B{_n(bearing)} D{_n(cm)}"
        case Form(unit, files):
            return f"FM {unit} ABOUT" if files is None else f"FM {unit} W{files}"
        case Rally(unit, pick, rally_bearing):
            words = [f"RL {unit}"]
            words += [f"PICK {_list(pick)}"] if pick else []
            words += [f"B{_n(rally_bearing)}"] if rally_bearing is not None else []
            return " ".join(words)
        case Go(commander, Point(x, y)):
            return f"GO {commander} {_n(x)},{_n(y)}"
        case Go(commander, target):
            return f"GO {commander} BY {target}"
        case Fire(cannon, targets):
            return f"FI {cannon} > {' | '.join(targets)}" if targets else f"FI {cannon} HOLD"
        case Fight(unit, groups, guards):
            against = " | ".join(" & ".join(group) for group in groups)
            return " ".join([f"CO {unit} > {against}", *map(_write_guard, guards)])
        case Prefer():
            return _write_prefer(order)
        case Plan(turns, unit, None):
            return f"PLAN {turns} {unit}"
        case Plan(turns, _, planned):
            return f"PLAN {turns} {write_order(planned)}" if planned else ""
        case Wake(cm):
            return f"WAKE {_n(cm)}"
        case ShowMap(what):
            return f"MAP {what}"
        case CarryOut():
            return "CARRY OUT"
        case Pass():
            return "PASS"
        case Clear(unit):
            return "CLEAR" if unit is None else f"CLEAR {unit}"
        case Check():
            return "CHECK"
        case Choose():
            return " ".join(["CHOOSE", *_write_wishes(order)])


def write_orders(orders: Iterable[Order]) -> tuple[str, ...]:
    """Write orders canonically, each on a line of its own."""
    return tuple(map(write_order, orders))


def _write_move(move: Move) -> str:
    words = [f"MV {move.unit}"]
    match move.pivot:
        case PivotBy(degrees):
            words.append(f"L{_n(-degrees)}" if degrees < 0 else f"R{_n(degrees)}")
        case Bearing(degrees):
            words.append(f"B{_n(degrees)}")
        case Towards(Point(x, y)):
            words.append(f"TO {_n(x)},{_n(y)}")
        case Towards(target):
            words.append(f"TO {target}")
    if move.cm is None:
        words.append("A MAX")
    elif move.cm > 0 or move.pivot is None or move.keep is not None:
        words.append(f"A{_n(move.cm)}")
    if move.keep is not None:
        words.append(f"KEEP {_n(move.keep)}")
    return " ".join(words)


def _write_guard(guard: Guard) -> str:
    match guard.kind:
        case "min":
            return f"MIN {guard.number}"
        case "flank":
            return "FLANK"
    return f"IF {guard.kind.upper()} {guard.unit}"


def _write_prefer(prefer: Prefer) -> str:
    asked = [f"ASK {prefer.ask}"] if prefer.ask is not None else []
    return " ".join([f"PR {prefer.unit}", *_write_wishes(prefer), *asked])


def _write_wishes(wishes: Prefer | Choose) -> list[str]:
    words = []
    for name, choice in (("KILL", wishes.kill), ("CONF", wishes.confuse), ("RALLY", wishes.rally)):
        if choice is not None:
            words.append(f"{name} {choice.how}" + (f" {_list(choice.men)}" if choice.men else ""))
    if wishes.flee is not None:
        way = wishes.flee
        words.append(f"FLEE {way.way}" + (f" {_n(way.bearing)}" if way.bearing is not None else ""))
    return words


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _list(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
