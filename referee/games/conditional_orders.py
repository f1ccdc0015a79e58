"""Plans: orders for a seat's coming turns, each tried after certain answers (`try V-NW2; if no V-N1; if yes …`).

A plan is a tree. Its first order is tried in the seat's next turn; when the seat's turn comes again, the
first branch whose condition holds gives the next order, and so on. A branch that begins with `then` always
holds and must be the only branch of its order. Where no condition holds, the plan ends.

In text, the steps follow one another. Brackets group what follows one order: `try A; if no (B; if yes C); if
yes D`. Without brackets, a condition that differs from the one before it belongs to the same attempt as that
one; the same condition follows the order before it, and so does everything after `then`. `else` stands for
every condition that the branches before it leave open; after no branch, or only "no", it means "no".
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
"""The maximum number of orders in a plan."""
THEN = "then"
"""The condition that always holds."""
ELSE = "else"
"""The condition that holds where none of the branches before it does. Where it can only mean no, it is read as no."""
NO, YES = "no", "yes"
"""The answers that every rulebook whose plans accept `else` gives to an order."""


class Notation(Protocol):
    """The part of a rulebook's notation that reading a plan needs."""

    def read(self, line: OrderLine) -> Any | Fault: ...

    def write(self, order: Any) -> str: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """An order and the plans that may follow it.

    order: in canonical form.
    branches: pairs of a condition and the plan from there on; the first whose condition holds counts, and a
        branch of THEN is the only one.
    """

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
        """The number of orders in the plan."""
        return 1 + sum(plan.orders for _, plan in self.branches)


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a plan as it is displayed.

    number: from 1.
    after: the number of the step that it follows, None for the first.
    """

    number: int
    order: str
    condition: str = ""
    after: int | None = None


def next_step(plan: Plan, heard: Collection[str]) -> Plan | None:
    """Return what to try after a plan's first order; None where no branch applies.

    heard: the conditions that hold.
    """
    return next(
        (after for condition, after in plan.branches if condition in heard or condition in (THEN, ELSE)), None
    )


def steps(plan: Plan) -> tuple[Step, ...]:
    """Return a plan's steps, each as close after the step that it follows as possible."""
    found: list[Step] = []

    def add(each: Plan, condition: str, after: int | None) -> None:
        found.append(Step(len(found) + 1, each.order, condition, after))
        number = len(found)
        for further, branch in each.branches:
            add(branch, further, number)

    add(plan, "", None)
    return tuple(found)


def write_plan(plan: Plan) -> str:
    """Return a plan in canonical text, as after `try`: `L-S2; if no K-S1; if no C-S1`."""
    return plan.order + "".join(_write_branch(condition, after, plan) for condition, after in plan.branches)


def _write_branch(condition: str, after: Plan, before: Plan) -> str:
    if condition == THEN:
        return f"; {THEN} {write_plan(after)}"
    follows = [further for further, _ in after.branches]
    word = condition if condition == ELSE else f"if {condition}"
    # A step stands alone if it would be read as following its order anyway; otherwise brackets are needed.
    plain = not follows or (len(before.branches) == 1 and follows == [condition])
    written = write_plan(after)
    return f"; {word} {written}" if plain else f"; {word} ({written})"


def conditions_of(rulebook: Rulebook) -> tuple[str, ...]:
    """Return the conditions that a plan can depend on; empty for a rulebook without plans."""
    return () if isinstance(rulebook.planning, Fault) else rulebook.planning.conditions


def read_plan(text: str, notation: Notation, conditions: Collection[str]) -> Plan | Fault:
    """Return the plan in the text after `try`.

    A fault's place is a column of the text, in line 1; its excerpt is the step.
    """
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
    """The step that was read last within one pair of brackets: its condition, its owner and how it was written."""

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
    """Return whether `else` after a step means "no".

    It does where nothing but "no" was said of the order that the step follows, or where both answers were
    said, so that "no" is said twice.

    last: the step.
    """
    return last is None or last.condition in (THEN, NO, ELSE) or {NO, YES} <= set(last.owner.branches)


_ORDER = re.compile(r"(?:(?!\s(?:if|then|else)\b)[^;()])*", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:[;,][\s;]*|(?=(?:if|then|else)\b))", re.IGNORECASE)
"""What separates two steps; optional where the next step begins with its keyword."""
_CONDITION = re.compile(r"(?P<word>if|then|else)\b\s*", re.IGNORECASE)
_WORD = re.compile(r"(?P<condition>[^\W\d_]+)\b\s*")
_BLANKS = re.compile(r"\s*")
_END = re.compile(r"[\s;.!]*$")


class _Reader:
    """Reads a text as a plan, from left to right; raises _Slip where it cannot."""

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
        """Read an order and the steps after it, up to the end of the text or the closing bracket."""
        start = self._place
        first = self._order()
        last: _Last | None = None
        while between := _BETWEEN.match(self._text, self._place):
            self._place = between.end()
            if self._ends():
                break  # a semicolon after the last step
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
        """Return the order that a step follows, judging by the text before it."""
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
        """Return the whole text with brackets put around the last step and all that follows within its own brackets.

        "" where that text could not be read, either.
        """
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
        """Raise the slip for a missing or unknown condition after `if`.

        word: the word there.
        end: the position after it.
        """
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
        """Read one order, up to the plan's next punctuation or keyword."""
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
        """Return the text at a position, up to the plan's next punctuation or keyword."""
        found = _ORDER.match(self._text, self._place if place is None else place)
        return found[0].strip() if found else ""

    def _slip(
        self, code: str, message: str, at: int, *, meant: str = "", facts: dict[str, str] | None = None
    ) -> _Slip:
        """Return the slip for an error at a position of the text, counted from 0."""
        end = re.compile(r"[;)]|$").search(self._text, min(at + 1, len(self._text)))
        excerpt = self._text[at : end.start() if end else None].strip() or self._text[at : at + 1]
        return _Slip(Fault(code, message, facts or {}, "unreadable", excerpt, Place(1, at + 1), meant))
