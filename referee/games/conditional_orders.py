"""Plans: what a seat would try in its coming turns, and what after which answer (`try V-NW2; if no V-N1; if yes …`).

A plan is a tree. Its first order is tried in the seat's next turn; when the turn has come back, the first of its
branches whose condition has come true gives the order of that turn, and so on. A branch that begins with `then` holds
in any case, and is the only one of its order. Where nothing holds, the plan is at its end.

In writing, the steps stand one behind the other. Brackets keep together what follows one order: `try A; if no (B; if
yes C); if yes D`. Without them, a condition other than the one before it belongs to the same attempt as that one; the
same condition follows the order before it, and so does everything behind `then`. `else` stands for all that the
conditions before it leave; where these are none, or only no, it says no.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from referee.common.faults import Fault, Place
from referee.rulebooks.rulebook import OrderLine, Rulebook

MOST_MOVES = 30
"""Orders in one plan."""
THEN = "then"
"""The condition that always holds."""
ELSE = "else"
"""The condition that holds where none of the branches before it does. Where it can only mean no, it is read as that."""
NO, YES = "no", "yes"
"""The answers that every rulebook whose plans know `else` gives to an order."""


class Notation(Protocol):
    """What reading a plan needs of a rulebook's notation."""

    def read(self, line: OrderLine) -> Any | Fault: ...

    def write(self, order: Any) -> str: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """An order and what is to follow it. order: canonical. branches: each a condition and the plan from there on, the
    first that holds counts; a branch of THEN is the only one."""

    order: str
    branches: tuple[tuple[str, Plan], ...] = ()

    def __post_init__(self) -> None:
        conditions = [condition for condition, _ in self.branches]
        if len(set(conditions)) < len(conditions) or (THEN in conditions and len(conditions) > 1):
            raise ValueError(f"no plan branches so: {conditions}")
        if ELSE in conditions and conditions.index(ELSE) not in range(1, len(conditions))[-1:]:
            raise ValueError(f"no plan branches so: {conditions}")

    @property
    def orders(self) -> int:
        """How many orders it holds."""
        return 1 + sum(plan.orders for _, plan in self.branches)


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a plan as it is shown. number: from 1. after: the step that it follows, None for the first."""

    number: int
    order: str
    condition: str = ""
    after: int | None = None


def next_step(plan: Plan, heard: Collection[str]) -> Plan | None:
    """Return what to try after a plan's first order; None where nothing fits. heard: the conditions that hold."""
    return next(
        (after for condition, after in plan.branches if condition in heard or condition in (THEN, ELSE)), None
    )


def steps(plan: Plan) -> tuple[Step, ...]:
    """Return a plan's lines, each behind the one that it follows as near as can be."""
    found: list[Step] = []

    def add(each: Plan, condition: str, after: int | None) -> None:
        found.append(Step(len(found) + 1, each.order, condition, after))
        number = len(found)
        for further, branch in each.branches:
            add(branch, further, number)

    add(plan, "", None)
    return tuple(found)


def write_plan(plan: Plan) -> str:
    """Write a plan canonically, as it stands behind `try`: `L-S2; if no K-S1; if no C-S1`."""
    return plan.order + "".join(_write_branch(condition, after, plan) for condition, after in plan.branches)


def _write_branch(condition: str, after: Plan, before: Plan) -> str:
    if condition == THEN:
        return f"; {THEN} {write_plan(after)}"
    follows = [further for further, _ in after.branches]
    word = condition if condition == ELSE else f"if {condition}"
    # What would be read as following an order stands alone; all else is kept together by brackets.
    plain = not follows or (len(before.branches) == 1 and follows == [condition])
    written = write_plan(after)
    return f"; {word} {written}" if plain else f"; {word} ({written})"


def conditions_of(rulebook: Rulebook) -> tuple[str, ...]:
    """Return what a plan can depend on; nothing in a game without such plans."""
    return () if isinstance(rulebook.planning, Fault) else rulebook.planning.conditions


def read_plan(text: str, notation: Notation, conditions: Collection[str]) -> Plan | Fault:
    """Read what stands behind `try`. A fault's place is a column of the text, in line 1; its excerpt, the step."""
    try:
        return _Reader(text, notation, conditions).whole()
    except _Slip as slip:
        return slip.fault


@dataclass
class _Draft:
    """A plan that is being read."""

    order: str
    branches: dict[str, _Draft] = field(default_factory=dict)

    def plan(self) -> Plan:
        return Plan(
            self.order, tuple((condition, after.plan()) for condition, after in self.branches.items())
        )


@dataclass
class _Last:
    """The step that was read last in one pair of brackets: whose branch it is, on what, and how it was written."""

    condition: str
    owner: _Draft
    draft: _Draft
    bracketed: bool
    start: int


class _Slip(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


def _means_no(last: _Last | None) -> bool:
    """Return whether `else` behind a step means no: nothing, or nothing but no, was said of the order that it follows,
    or both answers were, so that no is said twice. last: the step."""
    return last is None or last.condition in (THEN, NO, ELSE) or {NO, YES} <= set(last.owner.branches)


_ORDER = re.compile(r"(?:(?!\s(?:if|then|else)\b)[^;()])*", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:[;,][\s;]*|(?=(?:if|then|else)\b))", re.IGNORECASE)
"""What parts two steps; where the next one begins with its word, nothing need."""
_CONDITION = re.compile(r"(?P<word>if|then|else)\b\s*", re.IGNORECASE)
_WORD = re.compile(r"(?P<condition>[^\W\d_]+)\b\s*")
_BLANKS = re.compile(r"\s*")
_END = re.compile(r"[\s;.!]*$")


class _Reader:
    """Reads one text as a plan, from left to right; raises _Slip where it cannot."""

    def __init__(self, text: str, notation: Notation, conditions: Collection[str]) -> None:
        self._text = text
        self._conditions = conditions
        self._notation = notation
        self._place = 0
        self._orders = 0

    def whole(self) -> Plan:
        plan = self._steps(depth=0).plan()
        if self._at("("):
            message = "before a bracket stands if and what must have been heard, or then"
            raise self._slip("plan-brackets", message, self._place)
        if not _END.match(self._text, self._place):
            message = "this bracket closes none; every ) needs its ( before it"
            raise self._slip("plan-brackets", message, self._place)
        return plan

    def _steps(self, depth: int) -> _Draft:
        """Read an order and the steps behind it, up to the end of the text or the bracket that closes them."""
        start = self._place
        first = self._order()
        last: _Last | None = None
        while between := _BETWEEN.match(self._text, self._place):
            self._place = between.end()
            if self._ends():
                break  # a semicolon behind the last step
            last = self._step(first, last, depth)
        if depth and not self._at(")"):
            message = "the bracket that opens here is not closed"
            raise self._slip("plan-brackets", message, self._text.rfind("(", 0, start + 1))
        return first

    def _step(self, first: _Draft, last: _Last | None, depth: int) -> _Last:
        at = self._place
        condition = self._condition()
        if condition == ELSE and _means_no(last):
            condition = NO
        owner = self._owner(condition, first, last, at)
        self._check_branch(owner, condition, at)
        bracketed, start = self._at("("), self._place
        if bracketed:
            self._place += 1
            draft = self._steps(depth + 1)
            self._place += 1
        else:
            draft = self._order()
        owner.branches[condition] = draft
        self._blanks()
        if not (self._ends() or self._at(")") or _BETWEEN.match(self._text, self._place)):
            message = "a semicolon is missing before this step"
            raise self._slip("plan-semicolon", message, self._place)
        return _Last(condition, owner, draft, bracketed, start)

    def _check_branch(self, owner: _Draft, condition: str, at: int) -> None:
        facts = {"order": owner.order, "condition": condition}
        if condition in owner.branches:
            message = (
                "what follows {order} if {condition} was said already; "
                "put steps that follow another move in brackets behind it"
            )
            raise self._slip("plan-twice", message, at, facts=facts)
        if ELSE in owner.branches:
            message = "what follows {order} in any other case was said already, and must come last"
            raise self._slip("plan-else", message, at, facts=facts)
        if owner.branches and condition == THEN:
            message = "{order} has a condition behind it, so nothing can follow it in any case; write if here as well"
            raise self._slip("plan-then", message, at, facts=facts)

    def _owner(self, condition: str, first: _Draft, last: _Last | None, at: int) -> _Draft:
        """Return the order that a step follows, by what stands before it."""
        if last is None:
            return first
        if last.condition == THEN:
            return last.draft
        if condition == THEN:
            if last.bracketed:
                return last.owner
            facts = {"one": last.owner.order, "other": last.draft.order}
            message = "this can follow {other}, or {one} in any case; put what follows {other} in brackets behind it"
            raise self._slip("plan-two-readings", message, at, facts=facts, meant=self._bracketed(last))
        return last.draft if condition == last.condition and not last.bracketed else last.owner

    def _bracketed(self, last: _Last) -> str:
        """Return the whole text with the last step and all that stands behind it, as far as its own brackets go, in
        brackets; "" where that could not be read, either."""
        end, depth = last.start, 0
        while end < len(self._text) and depth >= 0:
            depth += {"(": 1, ")": -1}.get(self._text[end], 0)
            end += depth >= 0
        kept = self._text[last.start : end].rstrip(" ;.")
        meant = f"{self._text[: last.start]}({kept}){self._text[end:]}".strip()
        read = read_plan(meant, self._notation, self._conditions)
        if isinstance(read, Fault):
            return read.suggestion if read.code == "plan-two-readings" else ""
        return meant

    def _condition(self) -> str:
        """Read `if no` or `then`."""
        found = _CONDITION.match(self._text, self._place)
        if found is None:
            message = "a step begins with if and what must have been heard, or with then"
            meant = f"{THEN} {self._excerpt()}" if self._excerpt() else ""
            raise self._slip("plan-step", message, self._place, meant=meant)
        self._place = found.end()
        if (alone := found["word"].lower()) in (THEN, ELSE):
            return alone
        said = _WORD.match(self._text, self._place)
        word = said["condition"].lower() if said else ""
        if said is None or word not in self._conditions:
            self._no_condition(word, said.end() if said else self._place)
        else:
            self._place = said.end()
        return word

    def _no_condition(self, word: str, end: int) -> None:
        """Say that no condition stands behind `if`. word: that stands there; end: the place behind it."""
        known = self._conditions
        if not isinstance(self._notation.read(OrderLine(1, self._excerpt())), Fault):
            message = "behind if stands what must have been heard: {known}"
            facts = {"known": ", ".join(known)}
            raise self._slip("plan-condition", message, self._place, facts=facts)
        near = difflib.get_close_matches(word, known, 1, 0.5)
        order = self._excerpt(end)
        meant = f"if {near[0]} {order}" if near and order else ""
        message = "there is no condition {said}; there are {known}"
        facts = {"said": word or self._excerpt(), "known": ", ".join(known)}
        if not facts["said"]:
            message = "behind if stands what must have been heard: {known}"
        raise self._slip("plan-condition", message, self._place, meant=meant, facts=facts)

    def _order(self) -> _Draft:
        """Read one order, up to the next sign of the plan's own."""
        self._blanks()
        found = _ORDER.match(self._text, self._place)
        written = found[0].rstrip() if found else ""
        if not written:
            message = "a move is missing here"
            raise self._slip("plan-order", message, self._place)
        self._orders += 1
        if self._orders > MOST_MOVES:
            message = "a plan has at most {most} moves"
            facts = {"most": str(MOST_MOVES)}
            raise self._slip("plan-long", message, self._place, facts=facts)
        read = self._notation.read(OrderLine(1, written))
        if isinstance(read, Fault):
            column = self._place + (read.place.column if read.place else 1)
            raise _Slip(replace(read, place=Place(1, column), excerpt=written))
        self._place += len(written)
        self._blanks()
        return _Draft(self._notation.write(read))

    def _blanks(self) -> None:
        found = _BLANKS.match(self._text, self._place)
        self._place = found.end() if found else self._place

    def _at(self, sign: str, place: int | None = None) -> bool:
        place = self._place if place is None else place
        return self._text[place : place + 1] == sign

    def _ends(self) -> bool:
        return _END.match(self._text, self._place) is not None

    def _excerpt(self, place: int | None = None) -> str:
        """Return what stands at a place, up to the next sign of the plan's own."""
        found = _ORDER.match(self._text, self._place if place is None else place)
        return found[0].strip() if found else ""

    def _slip(
        self, code: str, message: str, at: int, *, meant: str = "", facts: dict[str, str] | None = None
    ) -> _Slip:
        """Return what is wrong at a place of the text, from 0."""
        end = re.compile(r"[;)]|$").search(self._text, min(at + 1, len(self._text)))
        excerpt = self._text[at : end.start() if end else None].strip() or self._text[at : at + 1]
        return _Slip(Fault(code, message, facts or {}, "unreadable", excerpt, Place(1, at + 1), meant))
