"""The grammar of orders: what stands behind the first word of each kind (E2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import get_args

from referee.common.i18n import N_, Phrase
from referee.rulebooks.cards.chunks import (
    CANNON,
    COMMANDER,
    MARKS,
    MOST_TURNS,
    UNIT,
    UNIT_OR_COMMANDER,
    Reader,
)
from referee.rulebooks.cards.orders import (
    ALL,
    ANY,
    NEAR,
    Ask,
    Bearing,
    CarryOut,
    Check,
    Choice,
    Choose,
    Clear,
    Fight,
    Fire,
    Flight,
    Form,
    Go,
    Guard,
    How,
    Move,
    MoveMob,
    Order,
    Pass,
    Pivot,
    PivotBy,
    Placing,
    Plan,
    Prefer,
    Rally,
    ShowMap,
    Station,
    StationCommander,
    Towards,
    Wake,
    Way,
)
from referee.rulebooks.rulebook import OrderLine

FORMS: Mapping[str, str] = {
    "AT": "AT RI1 110,4 B0 W6",
    "MV": "MV RI1 R15 A20",
    "FM": "FM RI1 W3",
    "RL": "RL RI1 PICK 3,4",
    "GO": "GO RG BY RI2",
    "FI": "FI RA1.1 > BI2 | NEAR",
    "CO": "CO RI1 > BI2 MIN 6",
    "PR": "PR ALL KILL NEAR FLEE HOME",
    "PLAN": "PLAN 3 MV RI1 A20",
    "WAKE": "WAKE 60",
    "MAP": "MAP ARCS",
    "CARRY": "CARRY OUT",
    "PASS": "PASS",
    "CLEAR": "CLEAR RI1",
    "CHECK": "CHECK",
    "CHOOSE": "CHOOSE KILL MAN 3 CONF NEAR",
}
"""Every kind of order, with an example."""

LONG: Mapping[str, str] = {
    "PLACE": "AT",
    "MOVE": "MV",
    "FORM": "FM",
    "FORMATION": "FM",
    "RALLY": "RL",
    "FIRE": "FI",
    "COMBAT": "CO",
    "FIGHT": "CO",
    "ATTACK": "CO",
    "PREFER": "PR",
}
"""Longer words for the kinds of orders."""
WISHES: Mapping[str, str] = {
    "KILL": "kill",
    "CONF": "confuse",
    "FLEE": "flee",
    "RALLY": "rally",
    "ASK": "ask",
}
"""The words for wishes, and what orders call them."""
MAP_LAYERS = ("ARCS", "ZONES", "OFF")
"""What `MAP` can show besides."""
MOST_ALTERNATIVES, MOST_IN_GROUP = 12, 8
"""Targets with | between them, and with &."""


def verb_of(word: str) -> str:
    """Return the word of a kind of orders, for a longer word of it, too."""
    return LONG.get(word.upper(), word.upper())


def read_whole(line: OrderLine) -> Order:
    """Read the order that a line is. Raises Slip where it is none."""
    reader = Reader(line)
    order = read_kind(reader, FORMS)
    reader.end()
    return order


def read_kind(reader: Reader, allowed: Collection[str]) -> Order:
    """Read an order of one of the allowed kinds."""
    verb = verb_of(reader.here.word) if not reader.here.number else reader.here.text
    if verb not in allowed:
        known = [*allowed, *(word for word, short in LONG.items() if short in allowed)]
        near = next(iter(get_close_matches(verb, known, 1, 0.5)), "")
        words = ", ".join(allowed)
        raise reader.slip("no-order", N_("an order begins with {words}"), near, words=words)
    reader.next += 1
    return _READ[verb](reader)


def _station(reader: Reader) -> Placing:
    if COMMANDER.fullmatch(reader.here.text):
        return StationCommander(reader.id(COMMANDER, Phrase("a general or an aide"), "RG"), *reader.point())
    unit, point = reader.unit(), reader.point()
    if reader.mark("B") is None:
        raise reader.slip("no-bearing", N_("there should be a bearing, such as B0"), "B0")
    bearing = reader.degrees()
    files = reader.count(Phrase("a number of files"), 100) if reader.mark("W") else None
    return Station(unit, *point, bearing, files)


def _move(reader: Reader) -> Move | MoveMob:
    unit = reader.unit()
    pivot = _pivot(reader)
    if isinstance(pivot, Bearing) and reader.mark("D"):
        return MoveMob(unit, pivot.degrees, reader.cm())
    cm: float | None = 0.0
    advancing = reader.mark("A") is not None
    if advancing:
        cm = None if reader.taken("MAX") else reader.cm()
    keep = reader.cm() if reader.taken("KEEP") else None
    if pivot is None and not advancing:
        raise reader.slip(
            "no-move", N_("a move has a pivot, an advance, or both, as in {example}"), example=FORMS["MV"]
        )
    if keep is not None and not advancing:
        raise reader.slip("no-advance", N_("KEEP goes with an advance, as in MV RI1 A20 KEEP 25"))
    if advancing and MARKS.get(reader.here.word, reader.here.word) in ("R", "L", "B", "A", "TO"):
        before = reader.line.text[: reader.here.column - 1].rstrip()
        raise reader.slip(
            "after-advance", N_("after its advance a unit neither turns nor goes on"), before, "CC-3.6"
        )
    return Move(unit, pivot, cm, keep)


def _pivot(reader: Reader) -> Pivot | None:
    match reader.mark("R", "L", "B"):
        case "R":
            return PivotBy(reader.degrees())
        case "L":
            return PivotBy(-reader.degrees() or 0.0)
        case "B":
            return Bearing(reader.degrees())
    if not reader.taken("TO"):
        return None
    if not reader.here.word:
        return Towards(reader.point())
    target = reader.here.text
    reader.next += 1
    return Towards(target)


def _form(reader: Reader) -> Form:
    unit = reader.unit()
    if reader.taken("ABOUT"):
        return Form(unit)
    if reader.mark("W") is None:
        raise reader.slip("no-formation", N_("there should be a number of files, such as W3, or ABOUT"), "W3")
    return Form(unit, reader.count(Phrase("a number of files"), 100))


def _rally(reader: Reader) -> Rally:
    unit = reader.unit()
    pick = reader.numbers(Phrase("a man's number")) if reader.taken("PICK") else ()
    bearing = reader.degrees() if reader.mark("B") else None
    return Rally(unit, pick, bearing)


def _go(reader: Reader) -> Go:
    commander = reader.id(COMMANDER, Phrase("a general or an aide"), "RG")
    if reader.taken("BY"):
        return Go(commander, reader.unit())
    reader.taken("TO")
    return Go(commander, reader.point())


def _fire(reader: Reader) -> Fire:
    here = reader.here
    if UNIT.fullmatch(here.text) and here.text[1] == "A":
        raise reader.slip(
            "no-cannon", N_("a cannon is called {cannon}"), f"{here.text}.1", cannon=f"{here.text}.1"
        )
    cannon = reader.id(CANNON, Phrase("a cannon"), "RA1.1")
    if reader.taken("HOLD"):
        return Fire(cannon)
    _sign(reader, ">", Phrase("a target behind >, or HOLD"))
    targets = [_target(reader)]
    while reader.taken("|"):
        reader.room(targets, MOST_ALTERNATIVES, Phrase("targets with | between them"))
        targets.append(_target(reader))
    return Fire(cannon, tuple(targets))


def _sign(reader: Reader, sign: str, what: Phrase) -> None:
    if not reader.taken(sign):
        meant = f"{sign} {reader.here.text}".rstrip()
        raise reader.slip("no-sign", N_("there should be {what}"), meant, what=what)


def _target(reader: Reader) -> str:
    here = reader.here
    if here.text in (NEAR, ANY):
        reader.next += 1
        return here.text
    if COMMANDER.fullmatch(here.text):
        message = "{id} is no unit: nobody can fire at him or fight him"
        raise reader.slip("no-target", message, rule="CC-3.26", id=here.text)
    return reader.id(UNIT, Phrase("a unit, NEAR or ANY"), "BI1")


def _fight(reader: Reader) -> Fight:
    unit = ALL if reader.taken(ALL) else reader.unit()
    _sign(reader, ">", Phrase("a target behind >"))
    groups = [_group(reader)]
    while reader.taken("|"):
        reader.room(groups, MOST_ALTERNATIVES, Phrase("targets with | between them"))
        groups.append(_group(reader))
    guards: list[Guard] = []
    while (guard := _guard(reader)) is not None:
        guards.append(guard)
    return Fight(unit, tuple(groups), tuple(guards))


def _group(reader: Reader) -> tuple[str, ...]:
    group = [_target(reader)]
    while reader.taken("&"):
        reader.room(group, MOST_IN_GROUP, Phrase("targets with & between them"))
        group.append(_target(reader))
    return tuple(group)


def _guard(reader: Reader) -> Guard | None:
    if reader.mark("MIN"):
        return Guard("min", reader.count(Phrase("a number of men"), 100))
    if reader.taken("FLANK"):
        return Guard("flank")
    if reader.taken("IF"):
        how = reader.one_of(("WON", "LOST"), Phrase("the word behind IF"))
        return Guard("won" if how == "WON" else "lost", unit=reader.unit())
    return None


def _show_map(reader: Reader) -> ShowMap:
    match reader.one_of(MAP_LAYERS, Phrase("a map")):
        case "ARCS":
            return ShowMap("ARCS")
        case "ZONES":
            return ShowMap("ZONES")
    return ShowMap("OFF")


def _prefer(reader: Reader) -> Prefer:
    unit = ALL if reader.taken(ALL) else reader.unit()
    return Prefer(unit, **_wishes(reader, tuple(WISHES), FORMS["PR"]))  # type: ignore[arg-type]


def _choose(reader: Reader) -> Choose:
    keys = tuple(key for key in WISHES if key != "ASK")
    return Choose(**_wishes(reader, keys, FORMS["CHOOSE"]))  # type: ignore[arg-type]


def _wishes(reader: Reader, keys: Sequence[str], example: str) -> dict[str, Choice | Flight | Ask]:
    wishes: dict[str, Choice | Flight | Ask] = {}
    while reader.more:
        match key := reader.one_of(keys, Phrase("a wish")):
            case "FLEE":
                wishes["flee"] = _flight(reader)
            case "ASK":
                wishes["ask"] = reader.one_of(get_args(Ask), Phrase("ASK"))  # type: ignore[assignment]
            case _:
                wishes[WISHES[key]] = _choice(reader, confused=key == "KILL")
    if not wishes:
        raise reader.slip("no-wish", N_("there should be a wish, as in {example}"), example=example)
    return wishes


def _choice(reader: Reader, *, confused: bool) -> Choice:
    hows = [how for how in get_args(How) if confused or how != "CONFUSED"]
    how: How = reader.one_of(hows, Phrase("a choice of men"))  # type: ignore[assignment]
    return Choice(how, reader.numbers(Phrase("a man's number")) if how == "MAN" else ())


def _flight(reader: Reader) -> Flight:
    if reader.mark("B"):
        return Flight("BEARING", reader.degrees())
    way: Way = reader.one_of(get_args(Way), Phrase("FLEE"))  # type: ignore[assignment]
    return Flight(way)


def _plan(reader: Reader) -> Plan:
    turns = reader.count(Phrase("a number of turns"), MOST_TURNS, 0)
    if turns == 0:
        return Plan(0, reader.id(UNIT_OR_COMMANDER, Phrase("a unit"), "RI1"))
    order = read_kind(reader, ("MV", "FM", "GO"))
    if not isinstance(order, Move | Form | Go):
        raise reader.slip("no-plan", N_("a mob's move cannot be planned"))
    return Plan(turns, order.commander if isinstance(order, Go) else order.unit, order)


def _carry_out(reader: Reader) -> CarryOut:
    if not reader.taken("OUT"):
        raise reader.slip("no-out", N_("there should be OUT: CARRY OUT"), "OUT")
    return CarryOut()


def _clear(reader: Reader) -> Clear:
    if not reader.more or reader.taken(ALL):
        return Clear()
    return Clear(reader.id(UNIT_OR_COMMANDER, Phrase("a unit"), "RI1"))


_READ: Mapping[str, Callable[[Reader], Order]] = {
    "AT": _station,
    "MV": _move,
    "FM": _form,
    "RL": _rally,
    "GO": _go,
    "FI": _fire,
    "CO": _fight,
    "PR": _prefer,
    "PLAN": _plan,
    "WAKE": lambda reader: Wake(reader.cm()),
    "MAP": _show_map,
    "CARRY": _carry_out,
    "PASS": lambda _: Pass(),
    "CLEAR": _clear,
    "CHECK": lambda _: Check(),
    "CHOOSE": _choose,
}
"""What reads the rest of an order, behind its first word."""
