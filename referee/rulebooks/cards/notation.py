"""Orders as players write them, both ways (E2).

Reading is lenient: any case, long words for short ones, blanks where one likes. Writing is canonical (`writing`), and
reading what was written gives the same order. Nothing here knows the table: `checking` holds orders against it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import get_args

from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase
from referee.rulebooks.cards.chunks import (
    CANNON,
    COMMANDER,
    LONGEST,
    MARKS,
    MOST_TURNS,
    UNIT,
    UNIT_OR_COMMANDER,
    Reader,
    Slip,
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
from referee.rulebooks.cards.rests import is_rest
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import OrderLine

__all__ = ["FORMS", "looks_like_order", "read_order", "write_order"]

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
FRENCH: Mapping[str, CarryOut | Pass] = {
    **dict.fromkeys(("EXÉCUTER", "EXÉCUTEZ", "EXECUTER", "EXECUTEZ"), CarryOut()),
    "PASSER": Pass(),
}
"""Whole lines as letters in French write them (`referee/commands/french.py`)."""
ALONE = re.compile(rf"(carry\s+out|pass|check|clear(\s+all)?|{'|'.join(FRENCH)})[\s.,;!]*", re.IGNORECASE)
"""Words that people use otherwise, too: they are orders where nothing else stands in the line."""
_UNIT_FIRST = re.compile(
    # "RI2A20", too; but "RI2nd" is no unit, and "BDs" no commander.
    rf"(?:{CANNON.pattern}|{UNIT.pattern}(?!\.?[0-9])|(?P<commander>{COMMANDER.pattern}))(?=$|\W|[A-Z]+[0-9])",
    re.IGNORECASE | re.ASCII,
)
SHOWN = ("ARCS", "ZONES", "OFF")
"""What `MAP` can show besides."""
POLITELY = re.compile(
    r"(?:(?:ok|okay|yes|please|now|then|so)[\s.,!]+)*(?:(carry\s+out)(?:\s+(?:it|them|all|everything|the\s+turn))?|i\s+pass)"
    r"(?:[\s,]+(?:please|now|then|thanks|thank\s+you))*[\s.,;!]*",
    re.IGNORECASE,
)
"""How people say that their turn is to be carried out, or goes by, in a line that says nothing else."""
JOINT = re.compile(
    r"\s*[;/]+\s*(?:(?:and|then|et|puis)\s+)*|,?\s+(?:(?:and|then|et|puis)\s+)+|,\s+(?=[^\W\d_]{2})",
    re.IGNORECASE,
)
"""What people put between two orders in one line."""
MOST_JOINED = 12
"""So many parts of a line are asked whether each is an order."""
MOST_ALTERNATIVES, MOST_IN_GROUP = 12, 8
"""Targets with | between them, and with &."""


def looks_like_order(text: str) -> bool:
    """Return whether a line is meant as an order: it begins with the word of one or with a unit, or names a unit behind
    its first word, or is the rest of one that was broken.

    A word in small letters that people use otherwise ("at", "go") needs something behind it that no prose has: a digit,
    a sign of aiming, ALL behind CO or PR, what a map can show. A sign that only looks like another (`Ⓡ`) makes no order
    prose: its writer is asked.
    """
    text = unicodedata.normalize("NFKC", text[:LONGEST]) + text[LONGEST:]
    text = text.split("#", 1)[0].strip()
    if ALONE.fullmatch(text) or POLITELY.fullmatch(text) or is_rest(text):
        return True
    if ";" in text and (parts := _joined(text)) and all(map(looks_like_order, parts[:MOST_JOINED])):
        return True  # "PASS; WAKE 60"
    if _begins_with_unit(text):
        return True
    words = text.split(maxsplit=2)
    if len(words) < 2:
        return False
    second = words[1].upper()
    if any(form.match(second) for form in (UNIT, CANNON, COMMANDER)) and words[0].isalpha():
        return True
    verb = _verb(words[0])
    if verb == "CHOOSE":
        return words[0].isupper() or second in WISHES
    if verb in ("CARRY", "PASS", "CLEAR", "CHECK"):
        return False
    if (verb in ("CO", "PR") and second == ALL) or (verb == "MAP" and second in SHOWN):
        return True
    return verb in FORMS and (words[0].isupper() or ">" in text or any(map(str.isdigit, text)))


def _begins_with_unit(text: str) -> bool:
    """Return whether a line begins with what can be ordered, and says something of it. A commander's two letters are
    others' initials, too: they stand in capitals, or above a number."""
    found = _UNIT_FIRST.match(text)
    if found is None:
        return False
    if found["commander"] is None:
        return True
    said = text[found.end() :]
    return any(map(str.isalnum, said)) and (found[0].isupper() or any(map(str.isdigit, said)))


def _joined(text: str) -> list[str]:
    """Return the parts of a line of several, nothing for one of a single part, or of more than are looked at."""
    parts = [part for part in JOINT.split(text[: LONGEST + 1]) if part.strip(" .,;!")]
    return parts if len(parts) > 1 else []


def _verb(word: str) -> str:
    return LONG.get(word.upper(), word.upper())


def read_order(line: OrderLine) -> Order | Fault:
    """Read one line; a Fault names the place in it and what was perhaps meant."""
    text = line.text.split("#", 1)[0]
    if said := POLITELY.fullmatch(text.strip()):
        return CarryOut() if said[1] else Pass()
    if order := FRENCH.get(text.strip().rstrip(".,;! ").upper()):
        return order
    if (fault := _beforehand(line, text)) is not None:
        return fault
    try:
        read = _Orders(line).whole()
    except Slip as slip:
        return _several(line, text) or slip.fault
    # A line without blanks may be longer as it is written.
    return _too_long(line) if len(write_order(read)) > LONGEST else read


def _several(line: OrderLine, text: str) -> Fault | None:
    """Return the fault of a line into which several orders were put, with the lines that they should be; None where it
    is not just that."""
    parts = _joined(text)
    read = [read_order(OrderLine(line.number, part)) for part in parts]
    orders = [write_order(each) for each in read if not isinstance(each, Fault)]
    if not orders or len(orders) < len(parts):
        return None
    message = N_("each order stands on a line of its own, so none of these was taken; write them like this")
    place = Place(line.number, line.text.find(parts[1]) + 1)
    return Fault("several-orders", message, {"lines": tuple(orders)}, "unreadable", line.text.strip(), place)


def _beforehand(line: OrderLine, text: str) -> Fault | None:
    """Return what is wrong with a line before any of it is read as an order. text: the line without its comment."""
    if len(line.text) > LONGEST:
        return _too_long(line)
    for column, sign in enumerate(text, start=1):
        if sign.isnumeric() and not sign.isascii():
            # A small 2 behind another digit is a power, or a note: whoever reads it as a digit reads another number.
            message = N_("{sign} is not read as a number; numbers are written with the digits 0 to 9")
            place = Place(line.number, column)
            return Fault("no-digit", message, {"sign": sign}, "unreadable", sign, place)
    if is_rest(text.strip()):
        message = N_("this is the rest of an order; write it on the order's own line")
        place = Place(line.number, len(text) - len(text.lstrip()) + 1)
        meant = _meant_of_unit(line) if _begins_with_unit(text.strip()) else ""
        return Fault("rest-of-order", message, {}, "unreadable", text.strip(), place, meant)
    return None


def _too_long(line: OrderLine) -> Fault:
    message = N_("an order has at most {most} signs")
    excerpt = line.text.strip()[:40]
    return Fault("order-long", message, {"most": str(LONGEST)}, "unreadable", excerpt, Place(line.number, 1))


def _meant_of_unit(line: OrderLine) -> str:
    """Return what a line was perhaps meant as that begins with a unit, where the word for what that is to do belongs:
    with this word before it, or put before it from behind; "" where neither makes an order."""
    text = line.text.split("#", 1)[0].strip()
    found = _UNIT_FIRST.match(text)
    unit = found[0].upper() if found else ""
    behind = text[len(unit) :].strip(" :,.-")
    said, _, rest = behind.partition(" ")
    moved = next(iter(get_close_matches(said.upper(), [*FORMS, *LONG], 1, 0.7)), "") if said else ""
    likely = [f"{moved} {unit} {rest}"] if moved else []
    verbs = ("FI",) if CANNON.fullmatch(unit) else ("GO",) if COMMANDER.fullmatch(unit) else _OF_UNITS
    likely += [f"{verb} {unit} {behind}" for verb in verbs if behind]
    for each in likely:
        read = read_order(OrderLine(line.number, each))
        if not isinstance(read, Fault):
            return write_order(read)
    return ""


def _form_for(unit: str) -> str:
    """Return an order as one is written for this unit, commander or cannon."""
    form = FORMS["FI" if CANNON.fullmatch(unit) else "GO" if COMMANDER.fullmatch(unit) else "MV"]
    word, _, rest = form.split(" ", 2)
    return f"{word} {unit} {rest}"


_OF_UNITS = ("MV", "FM", "RL", "CO", "PR", "AT")
"""Words for what a unit is to do, the likeliest first."""


class _Orders(Reader):
    """Reads the order that a line is."""

    def whole(self) -> Order:
        """Read the order that the line is."""
        order = self._order(FORMS)
        self.end()
        return order

    def _order(self, allowed: Mapping[str, str]) -> Order:
        verb = _verb(self.here.word) if not self.here.number else self.here.text
        if verb not in allowed:
            known = [*allowed, *(word for word, short in LONG.items() if short in allowed)]
            words = ", ".join(allowed)
            if self.next == 0 and (unit := _UNIT_FIRST.match(self.line.text.lstrip())) is not None:
                slip = self.slip("no-order", N_("an order begins with {words}"), words=words)
                meant = _meant_of_unit(self.line) or _form_for(unit[0].upper())
                raise Slip(replace(slip.fault, suggestion=meant))
            near = next(iter(get_close_matches(verb, known, 1, 0.5)), "")
            raise self.slip("no-order", N_("an order begins with {words}"), near, words=words)
        self.next += 1
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
            "WAKE": lambda: Wake(self.cm()),
            "MAP": self._show_map,
            "CARRY": self._carry_out,
            "PASS": Pass,
            "CLEAR": self._clear,
            "CHECK": Check,
            "CHOOSE": self._choose,
        }
        return read[verb]()

    def _station(self) -> Station | StationCommander:
        if COMMANDER.fullmatch(self.here.text):
            return StationCommander(self.id(COMMANDER, Phrase("a general or an aide"), "RG"), *self.point())
        unit, point = self.unit(), self.point()
        if self.mark("B") is None:
            raise self.slip("no-bearing", N_("there should be a bearing, such as B0"), "B0")
        bearing = self.degrees()
        files = self.count(Phrase("a number of files"), 100) if self.mark("W") else None
        return Station(unit, *point, bearing, files)

    def _move(self) -> Move | MoveMob:
        unit = self.unit()
        pivot = self._pivot()
        if isinstance(pivot, Bearing) and self.mark("D"):
            return MoveMob(unit, pivot.degrees, self.cm())
        cm: float | None = 0.0
        advancing = self.mark("A") is not None
        if advancing:
            cm = None if self.taken("MAX") else self.cm()
        keep = self.cm() if self.taken("KEEP") else None
        if pivot is None and not advancing:
            raise self.slip(
                "no-move", N_("a move has a pivot, an advance, or both, as in {example}"), example=FORMS["MV"]
            )
        if keep is not None and not advancing:
            raise self.slip("no-advance", N_("KEEP goes with an advance, as in MV RI1 A20 KEEP 25"))
        if advancing and MARKS.get(self.here.word, self.here.word) in ("R", "L", "B", "A", "TO"):
            before = self.line.text[: self.here.column - 1].rstrip()
            raise self.slip(
                "after-advance", N_("after its advance a unit neither turns nor goes on"), before, "CC-3.6"
            )
        return Move(unit, pivot, cm, keep)

    def _pivot(self) -> Pivot | None:
        match self.mark("R", "L", "B"):
            case "R":
                return Turn(self.degrees())
            case "L":
                return Turn(-self.degrees() or 0.0)
            case "B":
                return Bearing(self.degrees())
        if not self.taken("TO"):
            return None
        if not self.here.word:
            return Towards(self.point())
        target = self.here.text
        self.next += 1
        return Towards(target)

    def _form(self) -> Form:
        unit = self.unit()
        if self.taken("ABOUT"):
            return Form(unit)
        if self.mark("W") is None:
            raise self.slip(
                "no-formation", N_("there should be a number of files, such as W3, or ABOUT"), "W3"
            )
        return Form(unit, self.count(Phrase("a number of files"), 100))

    def _rally(self) -> Rally:
        unit = self.unit()
        pick = self.numbers(Phrase("a man's number")) if self.taken("PICK") else ()
        bearing = self.degrees() if self.mark("B") else None
        return Rally(unit, pick, bearing)

    def _go(self) -> Go:
        commander = self.id(COMMANDER, Phrase("a general or an aide"), "RG")
        if self.taken("BY"):
            return Go(commander, self.unit())
        self.taken("TO")
        return Go(commander, self.point())

    def _fire(self) -> Fire:
        here = self.here
        if UNIT.fullmatch(here.text) and here.text[1] == "A":
            raise self.slip(
                "no-cannon", N_("a cannon is called {cannon}"), f"{here.text}.1", cannon=f"{here.text}.1"
            )
        cannon = self.id(CANNON, Phrase("a cannon"), "RA1.1")
        if self.taken("HOLD"):
            return Fire(cannon)
        self._sign(">", Phrase("a target behind >, or HOLD"))
        targets = [self._target()]
        while self.taken("|"):
            self.room(targets, MOST_ALTERNATIVES, Phrase("targets with | between them"))
            targets.append(self._target())
        return Fire(cannon, tuple(targets))

    def _sign(self, sign: str, what: Phrase) -> None:
        if not self.taken(sign):
            meant = f"{sign} {self.here.text}".rstrip()
            raise self.slip("no-sign", N_("there should be {what}"), meant, what=what)

    def _target(self) -> str:
        here = self.here
        if here.text in (NEAR, ANY):
            self.next += 1
            return here.text
        if COMMANDER.fullmatch(here.text):
            message = "{id} is no unit: nobody can fire at him or fight him"
            raise self.slip("no-target", message, rule="CC-3.26", id=here.text)
        return self.id(UNIT, Phrase("a unit, NEAR or ANY"), "BI1")

    def _fight(self) -> Fight:
        unit = ALL if self.taken(ALL) else self.unit()
        self._sign(">", Phrase("a target behind >"))
        groups = [self._group()]
        while self.taken("|"):
            self.room(groups, MOST_ALTERNATIVES, Phrase("targets with | between them"))
            groups.append(self._group())
        guards: list[Guard] = []
        while (guard := self._guard()) is not None:
            guards.append(guard)
        return Fight(unit, tuple(groups), tuple(guards))

    def _group(self) -> tuple[str, ...]:
        group = [self._target()]
        while self.taken("&"):
            self.room(group, MOST_IN_GROUP, Phrase("targets with & between them"))
            group.append(self._target())
        return tuple(group)

    def _guard(self) -> Guard | None:
        if self.mark("MIN"):
            return Guard("min", self.count(Phrase("a number of men"), 100))
        if self.taken("FLANK"):
            return Guard("flank")
        if self.taken("IF"):
            how = self.one_of(("WON", "LOST"), Phrase("the word behind IF"))
            return Guard("won" if how == "WON" else "lost", unit=self.unit())
        return None

    def _show_map(self) -> ShowMap:
        match self.one_of(SHOWN, Phrase("a map")):
            case "ARCS":
                return ShowMap("ARCS")
            case "ZONES":
                return ShowMap("ZONES")
        return ShowMap("OFF")

    def _prefer(self) -> Prefer:
        unit = ALL if self.taken(ALL) else self.unit()
        return Prefer(unit, **self._wishes(tuple(WISHES), FORMS["PR"]))  # type: ignore[arg-type]

    def _choose(self) -> Choose:
        keys = tuple(key for key in WISHES if key != "ASK")
        return Choose(**self._wishes(keys, FORMS["CHOOSE"]))  # type: ignore[arg-type]

    def _wishes(self, keys: Sequence[str], example: str) -> dict[str, Choice | Flight | Ask]:
        wishes: dict[str, Choice | Flight | Ask] = {}
        while self.more:
            match key := self.one_of(keys, Phrase("a wish")):
                case "FLEE":
                    wishes["flee"] = self._flight()
                case "ASK":
                    wishes["ask"] = self.one_of(get_args(Ask), Phrase("ASK"))  # type: ignore[assignment]
                case _:
                    wishes[WISHES[key]] = self._choice(confused=key == "KILL")
        if not wishes:
            raise self.slip("no-wish", N_("there should be a wish, as in {example}"), example=example)
        return wishes

    def _choice(self, *, confused: bool) -> Choice:
        hows = [how for how in get_args(How) if confused or how != "CONFUSED"]
        how: How = self.one_of(hows, Phrase("a choice of men"))  # type: ignore[assignment]
        return Choice(how, self.numbers(Phrase("a man's number")) if how == "MAN" else ())

    def _flight(self) -> Flight:
        if self.mark("B"):
            return Flight("BEARING", self.degrees())
        way: Way = self.one_of(get_args(Way), Phrase("FLEE"))  # type: ignore[assignment]
        return Flight(way)

    def _plan(self) -> Plan:
        turns = self.count(Phrase("a number of turns"), MOST_TURNS, 0)
        if turns == 0:
            return Plan(0, self.id(UNIT_OR_COMMANDER, Phrase("a unit"), "RI1"))
        order = self._order({verb: FORMS[verb] for verb in ("MV", "FM", "GO")})
        if not isinstance(order, Move | Form | Go):
            raise self.slip("no-plan", N_("a mob's move cannot be planned"))
        return Plan(turns, order.commander if isinstance(order, Go) else order.unit, order)

    def _carry_out(self) -> CarryOut:
        if not self.taken("OUT"):
            raise self.slip("no-out", N_("there should be OUT: CARRY OUT"), "OUT")
        return CarryOut()

    def _clear(self) -> Clear:
        if not self.more or self.taken(ALL):
            return Clear()
        return Clear(self.id(UNIT_OR_COMMANDER, Phrase("a unit"), "RI1"))
