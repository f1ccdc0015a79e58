"""Orders as players write them, both ways (E2).

Reading is lenient: any case, long words for short ones, blanks where one likes. Writing is canonical, and reading what
was written gives the same order. Nothing here knows the table: `checking` holds orders against it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import get_args

from referee.faults import Fault, Place
from referee.rulebooks.cards.orders import (
    ALL,
    ANY,
    NEAR,
    Ask,
    Bearing,
    Choice,
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
    Pivot,
    Plan,
    Prefer,
    Rally,
    ShowMap,
    Station,
    StationCommander,
    Towards,
    Turn,
    Wake,
    Way,
)
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.rulebook import OrderLine

UNIT = re.compile(r"[RB][ICA][1-9]\d?")
CANNON = re.compile(r"[RB]A[1-9]\d?\.[1-9]\d?")
COMMANDER = re.compile(r"[RB][GD]")

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
MARKS: Mapping[str, str] = {
    "ADVANCE": "A",
    "AHEAD": "A",
    "RIGHT": "R",
    "LEFT": "L",
    "BEARING": "B",
    "FILES": "W",
    "WIDE": "W",
    "DISTANCE": "D",
}
"""Longer words for the letters before a number."""

MOST_CM, MOST_DEGREES, MOST_TURNS = 999.9, 360.0, 20

_CHUNK = re.compile(
    r"\s*(?:(?P<word>[A-Za-z]+)(?P<after>\d+(?:\.\d+)?)?|(?P<number>\d+(?:\.\d+)?)|(?P<sign>[>|&,]))"
)


def looks_like_order(text: str) -> bool:
    """Tell whether a line is meant as an order: it begins with the word of one, or names a unit behind its first word.

    A word in small letters that people use otherwise ("at", "go") needs a number or a capital somewhere behind it.
    """
    words = text.split()
    if len(words) < 2:
        return False
    second = words[1].upper()
    if any(form.match(second) for form in (UNIT, CANNON, COMMANDER)) and words[0].isalpha():
        return True
    return _verb(words[0]) in FORMS and (words[0].isupper() or bool(re.search(r"\d", text)))


def _verb(word: str) -> str:
    return LONG.get(word.upper(), word.upper())


def read_order(line: OrderLine) -> Order | Fault:
    """Read one line; a Fault names the place in it and what was perhaps meant."""
    reader = _Reader(line)
    try:
        return reader.whole()
    except _Slip as slip:
        return slip.fault


class _Slip(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A word, a number or a sign, and its column from 1. number: also the one that stands right behind a word."""

    word: str
    number: str
    column: int

    @property
    def text(self) -> str:
        return self.word + self.number


class _Reader:
    """Reads one line from left to right."""

    def __init__(self, line: OrderLine) -> None:
        self._line, self._next = line, 0
        text = line.text.split("#", 1)[0]
        self._chunks: list[_Chunk] = []
        at = 0
        while at < len(text.rstrip()):
            found = _CHUNK.match(text, at)
            if found is None:
                column = at + len(text[at:]) - len(text[at:].lstrip()) + 1
                self._chunks.append(_Chunk(text[column - 1], "", column))
                at = column
                continue
            start = found.start(found.lastgroup or 0) if found["word"] is None else found.start("word")
            word = (found["word"] or found["sign"] or "").upper()
            self._chunks.append(_Chunk(word, found["after"] or found["number"] or "", start + 1))
            at = found.end()

    # --- the smallest things

    @property
    def _here(self) -> _Chunk:
        """The next chunk; an empty one behind the last."""
        if self._next < len(self._chunks):
            return self._chunks[self._next]
        end = len(self._line.text.split("#", 1)[0].rstrip())
        return _Chunk("", "", end + 1)

    def _slip(self, code: str, message: str, near: str = "", rule: str = "", **facts: str) -> _Slip:
        here = self._here
        place = Place(self._line.number, here.column)
        return _Slip(Fault(code, message, facts, "unreadable", here.text, place, near, rule))

    def _taken(self, word: str) -> bool:
        """Take a word or sign, if it comes next."""
        if self._here.word == word and not self._here.number:
            self._next += 1
            return True
        return False

    def _mark(self, *letters: str) -> str | None:
        """Take a letter that stands before a number, and return it; the number comes next. None where none does."""
        here = self._here
        letter = MARKS.get(here.word, here.word)
        if letter not in letters:
            return None
        if here.number:
            self._chunks[self._next] = _Chunk("", here.number, here.column + len(here.word))
        else:
            self._next += 1
        return letter

    def _number(self, what: str, most: float, *, least: float = 0.0) -> float:
        here = self._here
        if here.word or not here.number:
            raise self._slip("no-number", "there should be {what}", what=what)
        number = round(float(here.number), 2)
        if not least <= number <= most:
            message = "{what} is {least} to {most}"
            raise self._slip("number", message, what=what, least=f"{least:g}", most=f"{most:g}")
        self._next += 1
        return number

    def _cm(self) -> float:
        return round(self._number("a length in cm", MOST_CM), 1)

    def _degrees(self) -> float:
        return round(self._number("an angle in degrees", MOST_DEGREES), 1)

    def _count(self, what: str, most: int, least: int = 1) -> int:
        number = self._number(what, most, least=least)
        if number != int(number):
            self._next -= 1
            raise self._slip("whole", "{what} is a whole number", what=what)
        return int(number)

    def _numbers(self, what: str) -> tuple[int, ...]:
        numbers = [self._count(what, 100)]
        while self._taken(","):
            numbers.append(self._count(what, 100))
        return tuple(numbers)

    def _point(self) -> Point:
        x = self._number("a point, x and y in cm", MOST_CM)
        self._taken(",")
        return Point(x, self._number("a point, x and y in cm", MOST_CM))

    def _id(self, form: re.Pattern[str], what: str, example: str) -> str:
        here = self._here
        if not form.fullmatch(here.text):
            near = example if not here.text else ""
            raise self._slip(
                "no-id", "there should be {what}, such as {example}", near, what=what, example=example
            )
        self._next += 1
        return here.text

    def _unit(self) -> str:
        return self._id(UNIT, "a unit", "RI1")

    def _one_of(self, words: Sequence[str], what: str) -> str:
        here = self._here
        if here.word not in words or here.number:
            near = next(iter(get_close_matches(here.word, words, 1)), "")
            raise self._slip("no-word", "{what} is {words}", near, what=what, words=", ".join(words))
        self._next += 1
        return here.word

    def _end(self) -> None:
        if self._next < len(self._chunks):
            before = self._line.text[: self._here.column - 1].rstrip()
            raise self._slip("too-much", "nothing more can stand here", before)

    # --- orders

    def whole(self) -> Order:
        """Read the order that the line is."""
        order = self._order(FORMS)
        self._end()
        return order

    def _order(self, allowed: Mapping[str, str]) -> Order:
        verb = _verb(self._here.word) if not self._here.number else self._here.text
        if verb not in allowed:
            known = [*allowed, *(word for word, short in LONG.items() if short in allowed)]
            near = next(iter(get_close_matches(verb, known, 1, 0.5)), "")
            words = ", ".join(allowed)
            raise self._slip("no-order", "an order begins with {words}", near, words=words)
        self._next += 1
        read: Mapping[str, Callable[[], Order]] = {
            "AT": self._station,
            "MV": self._move,
            "FM": self._form,
            "RL": self._rally,
            "GO": self._go,
            "FI": self._fire,
            "CO": self._fight,
            "PR": self._prefer,
            "PLAN": self._plan,
            "WAKE": lambda: Wake(self._cm()),
            "MAP": lambda: ShowMap("ARCS" if self._one_of(("ARCS", "ZONES"), "a map") == "ARCS" else "ZONES"),
        }
        return read[verb]()

    def _station(self) -> Station | StationCommander:
        if COMMANDER.fullmatch(self._here.text):
            return StationCommander(self._id(COMMANDER, "", ""), *self._point())
        unit, point = self._unit(), self._point()
        if self._mark("B") is None:
            raise self._slip("no-bearing", "there should be a bearing, such as B0", "B0")
        bearing = self._degrees()
        files = self._count("a number of files", 100) if self._mark("W") else None
        return Station(unit, *point, bearing, files)

    def _move(self) -> Move | MoveMob:
        unit = self._unit()
        pivot = self._pivot()
        if isinstance(pivot, Bearing) and self._mark("D"):
            return MoveMob(unit, pivot.degrees, self._cm())
        cm: float | None = 0.0
        advancing = self._mark("A") is not None
        if advancing:
            cm = None if self._taken("MAX") else self._cm()
        keep = self._cm() if self._taken("KEEP") else None
        if pivot is None and not advancing:
            raise self._slip(
                "no-move", "a move has a pivot, an advance, or both, as in {example}", example=FORMS["MV"]
            )
        if keep is not None and not advancing:
            raise self._slip("no-advance", "KEEP goes with an advance, as in MV RI1 A20 KEEP 25")
        if advancing and MARKS.get(self._here.word, self._here.word) in ("R", "L", "B", "A", "TO"):
            before = self._line.text[: self._here.column - 1].rstrip()
            raise self._slip(
                "after-advance", "after its advance a unit neither turns nor goes on", before, "CC-3.6"
            )
        return Move(unit, pivot, cm, keep)

    def _pivot(self) -> Pivot | None:
        match self._mark("R", "L", "B"):
            case "R":
                return Turn(self._degrees())
            case "L":
                return Turn(-self._degrees() or 0.0)
            case "B":
                return Bearing(self._degrees())
        if not self._taken("TO"):
            return None
        if not self._here.word:
            return Towards(self._point())
        target = self._here.text
        self._next += 1
        return Towards(target)

    def _form(self) -> Form:
        unit = self._unit()
        if self._taken("ABOUT"):
            return Form(unit)
        if self._mark("W") is None:
            raise self._slip("no-formation", "there should be a number of files, such as W3, or ABOUT", "W3")
        return Form(unit, self._count("a number of files", 100))

    def _rally(self) -> Rally:
        unit = self._unit()
        pick = self._numbers("a man's number") if self._taken("PICK") else ()
        bearing = self._degrees() if self._mark("B") else None
        return Rally(unit, pick, bearing)

    def _go(self) -> Go:
        commander = self._id(COMMANDER, "a general or an aide", "RG")
        if self._taken("BY"):
            return Go(commander, self._unit())
        self._taken("TO")
        return Go(commander, self._point())

    def _fire(self) -> Fire:
        here = self._here
        if UNIT.fullmatch(here.text) and here.text[1] == "A":
            raise self._slip(
                "no-cannon", "a cannon is called {cannon}", f"{here.text}.1", cannon=f"{here.text}.1"
            )
        cannon = self._id(CANNON, "a cannon", "RA1.1")
        if self._taken("HOLD"):
            return Fire(cannon)
        self._sign(">", "a target behind >, or HOLD")
        targets = [self._target()]
        while self._taken("|"):
            targets.append(self._target())
        return Fire(cannon, tuple(targets))

    def _sign(self, sign: str, what: str) -> None:
        if not self._taken(sign):
            raise self._slip("no-sign", "there should be {what}", sign, what=what)

    def _target(self) -> str:
        here = self._here
        if here.text in (NEAR, ANY):
            self._next += 1
            return here.text
        if COMMANDER.fullmatch(here.text):
            message = "{id} is no unit: nobody can fire at him or fight him"
            raise self._slip("no-target", message, rule="CC-3.26", id=here.text)
        return self._id(UNIT, "a unit, NEAR or ANY", "BI1")

    def _fight(self) -> Fight:
        unit = ALL if self._taken(ALL) else self._unit()
        self._sign(">", "a target behind >")
        groups = [self._group()]
        while self._taken("|"):
            groups.append(self._group())
        guards: list[Guard] = []
        while (guard := self._guard()) is not None:
            guards.append(guard)
        return Fight(unit, tuple(groups), tuple(guards))

    def _group(self) -> tuple[str, ...]:
        group = [self._target()]
        while self._taken("&"):
            group.append(self._target())
        return tuple(group)

    def _guard(self) -> Guard | None:
        if self._mark("MIN"):
            return Guard("min", self._count("a number of men", 100))
        if self._taken("FLANK"):
            return Guard("flank")
        if self._taken("IF"):
            how = self._one_of(("WON", "LOST"), "behind IF stands")
            return Guard("won" if how == "WON" else "lost", unit=self._unit())
        return None

    def _prefer(self) -> Prefer:
        unit = ALL if self._taken(ALL) else self._unit()
        wishes: dict[str, Choice | Flight | Ask] = {}
        while self._next < len(self._chunks):
            match key := self._one_of(("KILL", "CONF", "FLEE", "RALLY", "ASK"), "a wish"):
                case "FLEE":
                    wishes["flee"] = self._flight()
                case "ASK":
                    wishes["ask"] = self._one_of(get_args(Ask), "ASK")  # type: ignore[assignment]
                case _:
                    name = {"KILL": "kill", "CONF": "confuse", "RALLY": "rally"}[key]
                    wishes[name] = self._choice(confused=key == "KILL")
        if not wishes:
            raise self._slip("no-wish", "there should be a wish, as in {example}", example=FORMS["PR"])
        return Prefer(unit, **wishes)  # type: ignore[arg-type]

    def _choice(self, *, confused: bool) -> Choice:
        hows = [how for how in get_args(How) if confused or how != "CONFUSED"]
        how: How = self._one_of(hows, "a choice of men")  # type: ignore[assignment]
        return Choice(how, self._numbers("a man's number") if how == "MAN" else ())

    def _flight(self) -> Flight:
        if self._mark("B"):
            return Flight("BEARING", self._degrees())
        way: Way = self._one_of(get_args(Way), "FLEE")  # type: ignore[assignment]
        return Flight(way)

    def _plan(self) -> Plan:
        turns = self._count("a number of turns", MOST_TURNS, 0)
        if turns == 0:
            return Plan(0, self._id(re.compile(f"{UNIT.pattern}|{COMMANDER.pattern}"), "a unit", "RI1"))
        order = self._order({verb: FORMS[verb] for verb in ("MV", "FM", "GO")})
        if not isinstance(order, Move | Form | Go):
            raise self._slip("no-plan", "a mob's move cannot be planned")
        return Plan(turns, order.commander if isinstance(order, Go) else order.unit, order)


# --- writing


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


def _write_move(move: Move) -> str:
    words = [f"MV {move.unit}"]
    match move.pivot:
        case Turn(degrees):
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
    words = [f"PR {prefer.unit}"]
    for name, choice in (("KILL", prefer.kill), ("CONF", prefer.confuse), ("RALLY", prefer.rally)):
        if choice is not None:
            words.append(f"{name} {choice.how}" + (f" {_list(choice.men)}" if choice.men else ""))
    if prefer.flee is not None:
        way = prefer.flee
        words.append(f"FLEE {way.way}" + (f" {_n(way.bearing)}" if way.bearing is not None else ""))
    if prefer.ask is not None:
        words.append(f"ASK {prefer.ask}")
    return " ".join(words)


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _list(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
