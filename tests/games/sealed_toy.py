"""A rulebook with sealed answers, for tests: Confusion, where an attempt is answered with the other side's next turn.

Before his move a player may `whisper` any number of words, which are told to both when he closes his turn; `ever WORD`
is what he whispers where he says nothing, at any time. With set-up, each side says first that it is `ready WORD`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.common.chance import Chance
from referee.common.faults import Fault, Place
from referee.rulebooks.branches import Course
from referee.rulebooks.confusion.fold import fold_board, hear
from referee.rulebooks.confusion.position import Board, Deal, Position, View
from referee.rulebooks.confusion.rulebook import (
    Confusion,
    ConfusionNotation,
    ConfusionPlanning,
    ConfusionPresentation,
    ConfusionRecords,
    ConfusionRules,
)
from referee.rulebooks.rulebook import (
    OBSERVER,
    Happening,
    Json,
    OrderLine,
    Question,
    Reading,
    Result,
    Seat,
)

WHITE, YELLOW = Confusion.seats
BOTH = frozenset((WHITE, YELLOW))
WHISPERED, STANDING, READY, SET_UP, SEALED, OVERHEARD = (
    "whispered",
    "ever",
    "ready",
    "set-up",
    "sealed",
    "overheard",
)
_OURS = frozenset((WHISPERED, STANDING, READY, SET_UP, SEALED, OVERHEARD))


@dataclass(frozen=True)
class Said:
    """An order in words. how: "whisper", "ever", or "ready"."""

    how: str
    word: str


@dataclass(frozen=True)
class Truth:
    """The whole truth. sealed: seat, row and text of the turn that waits. said: in this turn; ever: at any time."""

    board: Board
    deals: Mapping[Seat, Deal]
    sealed: tuple[Seat, int, str] | None = None
    said: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    ever: Mapping[Seat, str] = field(default_factory=dict)
    ready: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Known(View):
    """A view with what the seat has said itself."""

    ever: str = ""
    said: tuple[str, ...] = ()


def other(seat: Seat) -> Seat:
    return YELLOW if seat == WHITE else WHITE


def board_after(board: Board | None, happening: Happening) -> Board:
    """Return the board as everybody knows it: a sealed turn changes whose turn it is and nothing else."""
    facts = happening.facts
    if board is not None and happening.code == SEALED:
        row = facts["row"] + (facts["seat"] == WHITE)
        return replace(board, to_move=other(Seat(facts["seat"])), row=row)
    if board is not None and happening.code == "attempted":
        board = replace(board, to_move=Seat(facts["seat"]), row=facts["row"])
    return fold_board(board, happening)


COURSE: Course[Board] = Course(
    board_after,
    lambda board, seat, row: board.result is None and (board.to_move, board.row) == (seat, row),
    frozenset(("dealt", SET_UP)),
)


class ToyNotation(ConfusionNotation):
    def looks_like_order(self, text: str) -> bool:
        return text.partition(" ")[0].lower() in ("whisper", "ever", "ready") or super().looks_like_order(
            text
        )

    def read(self, line: OrderLine) -> Any:
        how, _, word = line.text.partition(" ")
        if how.lower() not in ("whisper", "ever", "ready"):
            return super().read(line)
        if not word.strip():
            return Fault("toy-word", "say a word", excerpt=line.text, place=Place(line.number, 1))
        return Said(how.lower(), word.strip().lower())

    def write(self, order: Any) -> str:
        return f"{order.how} {order.word}" if isinstance(order, Said) else super().write(order)


class ToySeal:
    def unseal(self, position: Any) -> tuple[Happening, ...]:
        if position.sealed is None:
            return ()
        seat, row, text = position.sealed
        opener = other(seat)
        words = position.said.get(opener, ()) or tuple(filter(None, (position.ever.get(opener, ""),)))
        overheard = Happening(OVERHEARD, BOTH, {"seat": opener, "words": list(words)})
        inner = Position(replace(position.board, to_move=seat, row=row), position.deals)
        move = NOTATION.read(OrderLine(1, text))
        assert not isinstance(move, Fault)
        return (overheard, *ConfusionRules(None).adjudicate(inner, seat, move, Chance(bytes(32))))


NOTATION = ToyNotation(None)
SEALED_ANSWERS = ToySeal()


class ToyRules(ConfusionRules):
    """set_up: sides set up."""

    def __init__(self, *, set_up: bool) -> None:
        super().__init__(None)
        self._set_up = set_up

    def fold(self, position: Any, happening: Happening) -> Any:
        board = board_after(position.board if position else None, happening)
        truth = replace(position, board=board) if position else Truth(board, {})
        facts, code = happening.facts, happening.code
        if code == "dealt":
            return replace(truth, deals={**truth.deals, Seat(facts["seat"]): dict(facts["types"])})
        if code == SEALED:
            seat = Seat(facts["seat"])
            return replace(truth, sealed=(seat, facts["row"], facts["text"]), said={**truth.said, seat: ()})
        if code == "attempted":
            return replace(truth, sealed=None)
        if code == WHISPERED:
            seat = Seat(facts["seat"])
            return replace(truth, said={**truth.said, seat: (*truth.said.get(seat, ()), facts["word"])})
        if code == STANDING:
            return replace(truth, ever={**truth.ever, Seat(facts["seat"]): facts["word"]})
        if code in (READY, SET_UP):
            return replace(truth, ready=truth.ready | {Seat(facts["seat"])})
        return truth

    def hear(self, view: View | None, happening: Happening, seat: Seat) -> View:
        if view is None:
            found = hear(None, happening, seat)
        else:
            found = replace(hear(view, happening, seat), board=board_after(view.board, happening))
        ever = view.ever if isinstance(view, Known) else ""
        said = view.said if isinstance(view, Known) else ()
        if happening.code == STANDING:
            ever = happening.facts["word"]
        elif happening.code == WHISPERED:
            said = (*said, happening.facts["word"])
        return Known(
            found.seat, found.board, found.opponent_types, found.own_types, found.sheets, ever=ever, said=said
        )

    def view(self, heard: Iterable[Happening], seat: Seat) -> View:
        view: View | None = None
        for happening in COURSE.standing(tuple(heard)):
            view = self.hear(view, happening, seat)
        if view is None:
            raise ValueError("nothing was heard of this game")
        return view

    def due(self, position: Any) -> Mapping[Seat, Question]:
        owing = [seat for seat in Confusion.seats if seat not in position.ready] if self._set_up else []
        if owing and position.board.result is None:
            return {seat: Question("set-up", ("ready now",)) for seat in owing}
        return super().due(position)

    def read_orders(self, view: View, lines: Sequence[OrderLine]) -> Reading:
        order = NOTATION.read(lines[0])
        if not isinstance(order, Said):
            return super().read_orders(view, lines)
        if order.word == "nonsense":
            place = Place(lines[0].number, 1)
            fault = Fault(
                "toy-nonsense", "that is nonsense", grade="not-allowed", excerpt=lines[0].text, place=place
            )
            return Reading((), (fault,))
        return Reading((order,), ())

    def is_turn(self, order: Any) -> bool:
        return not isinstance(order, Said) or order.how == "ready"

    def at_any_time(self, order: Any) -> bool:
        return isinstance(order, Said) and order.how == "ever"

    def adjudicate(self, position: Any, seat: Seat, order: Any, chance: Chance) -> tuple[Happening, ...]:
        if isinstance(order, Said):
            facts: dict[str, Json] = {"seat": seat, "word": "" if order.word == "nothing" else order.word}
            if order.how == "ready" and position.ready:
                return (Happening(SET_UP, BOTH, facts),)
            code = {"whisper": WHISPERED, "ever": STANDING, "ready": READY}[order.how]
            return (Happening(code, frozenset((seat,)), facts),)
        opened = SEALED_ANSWERS.unseal(position)
        if any(each.code == "ended" for each in opened):
            return opened
        facts = {"seat": seat, "row": position.board.row, "text": NOTATION.write(order)}
        return (*opened, Happening(SEALED, BOTH, facts))

    def conclude(self, position: Any, result: Result) -> tuple[Happening, ...]:
        return super().conclude(Position(position.board, position.deals), result)

    def turn_of(self, heard: Sequence[Happening], seat: Seat, turn: int) -> int | None:
        return COURSE.turn_of(heard, seat, turn)

    def standing(self, heard: Sequence[Happening]) -> tuple[Happening, ...]:
        return COURSE.standing(heard)


class ToyPresentation(ConfusionPresentation):
    def scene(self, view: View, heard: Sequence[Happening], told: int) -> Any:
        return super().scene(view, _known(heard), len(_known(heard[:told])))


class ToyRecords(ConfusionRecords):
    def write(self, happenings: Sequence[Happening], head: Mapping[str, str], seat: Seat | None) -> str:
        return super().write(_known(happenings), head, seat)


class ToyPlanning(ConfusionPlanning):
    def may_plan(self, view: View) -> Fault | None:
        assert isinstance(view, Known)
        return None if view.ever else Fault("toy-plan", "say first what you would ever whisper")


class SealedToy(Confusion):
    """See the module. It goes by the name of Confusion, and its letters are that game's. set_up: sides set up."""

    presentation = ToyPresentation()
    planning = ToyPlanning()
    sealed = SEALED_ANSWERS  # type: ignore[assignment]  # Confusion has none

    def __init__(self, *, set_up: bool = False) -> None:
        super().__init__()
        self.rules = ToyRules(set_up=set_up)
        self.notation = NOTATION
        self.records = ToyRecords(None)


def _known(heard: Sequence[Happening]) -> tuple[Happening, ...]:
    """Return what Confusion itself knows of what was heard, as it stands."""
    return tuple(each for each in COURSE.standing(heard) if each.code not in _OURS)


__all__ = ["BOTH", "OBSERVER", "WHITE", "YELLOW", "Known", "Said", "SealedToy", "Truth"]
