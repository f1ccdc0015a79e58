"""Checks a record against the rules, as far as this is the same in two editions: the head, the cells' seats, the end.

`score` reads the file. Each edition defines its own turns (`replay`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.common.faults import Fault
from referee.common.i18n import Phrase
from referee.rulebooks.confusion.assignments import count_assignments
from referee.rulebooks.confusion.compass import WHITE, WORDS, turned
from referee.rulebooks.confusion.deduction import types_dealt
from referee.rulebooks.confusion.edition import Edition
from referee.rulebooks.confusion.happenings import PASS, ended
from referee.rulebooks.confusion.knowledge import SheetShown
from referee.rulebooks.confusion.notation import Move
from referee.rulebooks.confusion.position import Board, Deal, Piece
from referee.rulebooks.confusion.record import (
    ABANDONED,
    BY_AGREEMENT,
    VIEW,
    seen_by_white,
    write_result,
)
from referee.rulebooks.confusion.record_turns import Turn, first_seat, parts_of, seat_in, turns_of
from referee.rulebooks.confusion.score import (
    Back,
    Cell,
    End,
    Layout,
    Parting,
    Score,
    read_score,
)
from referee.rulebooks.confusion.table import MovementTable, Row
from referee.rulebooks.confusion.view import board_data
from referee.rulebooks.rulebook import Branch, Happening, Json, RecordError, Replay, Result, Seat

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNFINISHED = ("", "*", "-", "unfinished", "open")


def told(game: Retelling, text: str, row: int | None) -> Replay:
    """Return the replay of a record. row: see Records.replay."""
    errors: tuple[RecordError, ...] = ()
    try:
        game.play(read_score(text, game.layout))
    except Parting as parting:
        errors = (parting.error,)
    board = game.board
    sheets = game.sheets_after(row)
    everything = board_data(board)
    summary = {
        "board": everything["board"],
        "z": everything["z"],
        "sheets": {seat: shown.plain() for seat, shown in sheets.items()},
        "shares": {
            seat: {
                line.letter: {str(number): ways for number, ways in line.ways.items()} for line in shown.lines
            }
            for seat, shown in sheets.items()
        },
        "assignments": {seat: shown.assignments for seat, shown in sheets.items()},
        **game.more,
    }
    return Replay(
        tuple(game.happenings),
        errors,
        sum(attempt.text != PASS for attempt in board.attempts),
        game.rows_told,
        board.result,
        summary,
        sheets,
        tuple(game.branches),
    )


class OpenTypes:
    """The types that the answers leave open for each letter of the sides without a deal in the record.

    Answers that were taken back count, since they were true as well.
    """

    def __init__(self, table: MovementTable) -> None:
        self._table = table
        self._left: dict[Seat, dict[str, int]] = {}

    def hold_against(self, turn: Turn, edition: Edition, seat: Seat, letter: str, agrees: int) -> None:
        """Check that some deal agrees with all answers so far (CF-7.2).

        agrees: the types, as bits, that agree with what was just heard of a letter.
        """
        dealt = types_dealt(self._table, double_agent=edition.double_agent)
        left = self._left.setdefault(seat, dict.fromkeys(edition.letters, dealt))
        left[letter] &= agrees
        if count_assignments(tuple(left.values())).total == 0:
            reason = f"no deal of {seat.capitalize()}'s types agrees with this and with the answers before"
            raise turn.parting(reason)


@dataclass(frozen=True, slots=True)
class RecordCompass:
    """The directions of a record. turned: it has them as seen by White (CF-8.4)."""

    turned: bool = False

    def as_played(self, move: Move) -> Move:
        """Return a move of the record with the compass of the board."""
        return seen_by_white(move) if self.turned else move

    def as_written(self, fault: Fault) -> Fault:
        """Return a refusal that names directions as the record does."""
        directions = {WORDS[direction]: WORDS[turned(direction)] for direction in WORDS}
        said = fault.facts.get("direction")
        if not self.turned or said is None:
            return fault
        return replace(fault, facts={**fault.facts, "direction": Phrase(directions[said.message])})


class Retelling(ABC):
    """A game as far as its record was checked; every method raises Parting at the first error.

    It contains what two editions share: the head, the cells' seats, the end. Each edition defines its own
    turns.
    """

    layout: Layout
    on_the_board: tuple[str, ...]
    """Ends that the rules themselves cause."""

    def __init__(self, table: MovementTable) -> None:
        self.table = table
        self.happenings: list[Happening] = []
        self.deals: dict[Seat, Deal] = {}
        self.claim: End | None = None
        self.compass = RecordCompass()
        self.open_types = OpenTypes(table)
        self.branches: list[Branch] = []

    @property
    @abstractmethod
    def board(self) -> Board:
        """The present board."""

    @property
    @abstractmethod
    def rows_told(self) -> int:
        """The last of the record's rows of which something stands, 0 for none."""

    @property
    def more(self) -> Mapping[str, Json]:
        """Further keys of the summary in this edition."""
        return {}

    @abstractmethod
    def sheets_after(self, row: int | None) -> Mapping[Seat, SheetShown]:
        """Return what each side can know at the end of a row of the record; None for the end of them all."""

    @abstractmethod
    def read_deal(self, text: str) -> Deal | Fault:
        """Read a side's deal in the head."""

    @abstractmethod
    def begin(self, first: Seat, score: Score) -> None:
        """Begin the game with what precedes the first turn."""

    @abstractmethod
    def tell(self, turn: Turn, seat: Seat) -> None:
        """Check a seat's cell, which is no end, against the rules, and apply it."""

    @abstractmethod
    def take_back(self, back: Back) -> tuple[int, Seat]:
        """Take the game back to an earlier turn (CF-8.6); return the row and seat with which the record continues."""

    @abstractmethod
    def take(self, happenings: tuple[Happening, ...]) -> None:
        """Apply these happenings; if they end the game, reveal the deals that are known."""

    def play(self, score: Score) -> None:
        """Play the whole record."""
        self.read_head(score.head)
        self.begin(first_seat(score, self.layout), score)
        row, begins = 1, self.board.first
        for rows, back in parts_of(score):
            for turn in turns_of(score, rows, row, begins):
                if turn.cell.fault is not None or turn.seat is None:
                    raise turn.parting(turn.cell.fault.reason() if turn.cell.fault else "this cannot be read")
                if turn.cell.end is not None:
                    self.end(turn, turn.cell.end)
                else:
                    self.tell(turn, turn.seat)
            if back is not None:
                if (result := self.board.result) is not None:
                    reason = f"the game was over, and is not taken back any more: {write_result(result)}"
                    raise Parting(back.row, back.seat, back.text, reason)
                row, begins = self.take_back(back)
        self._finish(score)

    def read_head(self, head: Mapping[str, str]) -> None:
        """Read all but the rows."""
        if (name := head.get("table", self.table.name)).casefold() != self.table.name.casefold():
            reason = f"the record was played with the table {name}, but it is held against {self.table.name}"
            raise Parting(0, None, f"Table = {name}", reason)
        for seat in self.layout.edition.seats:
            if seat in head:
                deal = self.read_deal(head[seat])
                if isinstance(deal, Fault):
                    raise Parting(0, seat, f"{seat.capitalize()} = {head[seat]}", deal.reason())
                self.deals[seat] = deal
        self.compass = RecordCompass(turned=seat_in(head, VIEW.lower(), self.layout) == WHITE)
        said = head.get("result", "").strip()
        self.claim = self.layout.read_end(said)
        if self.claim is None and said.lower() not in _UNFINISHED:
            reason = "a result is written as in `White wins: by resignation` or `Draw: by agreement`"
            raise Parting(0, None, f"Result = {said}", reason)

    def hold_against_turn(self, turn: Turn, seat: Seat) -> None:
        """Check that a cell belongs to the seat to move, in a game that is not over."""
        board = self.board
        if board.result is not None:
            raise turn.parting(f"the game was over: {write_result(board.result)}")
        if board.to_move != seat:
            raise turn.parting(f"{board.to_move.capitalize()} is to move here, not {seat.capitalize()}")
        if turn.cell.empty:
            raise turn.parting(f"{seat.capitalize()} is to move here, but the cell is empty")

    def end(self, turn: Turn, end: End) -> None:
        """Check an end stated in a cell against the rules; an end off the board is accepted as stated (CF-6.3)."""
        how = "" if turn.cell.resigns else end.how
        if (result := self.board.result) is not None:
            if not end.agrees(result) or turn.cell.resigns or not _same_how(how, result.how):
                raise turn.parting(f"the game was over: {write_result(result)}")
            return
        claim = self.claim
        if claim is not None and not (claim.agrees(end) and _same_how(how, claim.how)):
            said, in_its_head = (
                write_result(Result(each.winner, each.how, each.void)) for each in (end, claim)
            )
            raise turn.parting(f"here the record says `{said}`, in its head `{in_its_head}`")
        unsaid = ABANDONED if end.void else BY_AGREEMENT if end.winner is None else ""
        how = (claim.how if claim else "") or end.how or unsaid
        if not how or how in self.on_the_board:
            raise turn.parting(_not_over(self.board, end.winner))
        told = ended(Result(end.winner, how, end.void), "CF-6.3")
        self.take((replace(told, heard_by=frozenset(self.layout.edition.seats)),))

    def _finish(self, score: Score) -> None:
        """Check the head's `Result` against the end of the rows."""
        claim, result = self.claim, self.board.result
        if claim is None or (result is not None and claim.agrees(result)):
            return
        last = Turn(
            score.rows[-1].number if score.rows else 0, None, Cell(f"Result = {score.head['result']}", 0)
        )
        if result is not None:
            raise last.parting(f"the rows end otherwise: {write_result(result)}")
        self.end(last, claim)


def _not_over(board: Board, winner: Seat | None) -> str:
    """Return the reason why a game is not over on the board."""
    threat = board.threat
    if winner is not None and threat is not None and threat[0] == winner:
        why = f"{board.edition.other(winner).capitalize()} still has a turn to capture {threat[1]}"
    else:
        why = "if it ended off the board, the head must say how, as in `Result = White wins: by resignation`"
    return f"by the rules nobody has won here; {why}" if winner else f"by the rules this is no draw; {why}"


def _same_how(one: str, other: str) -> bool:
    """Return whether two statements of how a record ended are compatible; "" states nothing."""
    return not (one and other) or one.casefold() == other.casefold()


def nothing_to_take_back(back: Back) -> str:
    """Return the reason why a line takes back nothing."""
    whose = f"{back.seat.capitalize()} had tried nothing" if back.seat else "nothing was tried"
    return f"{whose} in row {back.row} that could be taken back"


def wrongly_promoted(row: Row, piece: Piece) -> str:
    """Return the reason why a record cannot have a piece promoted."""
    return f"{called(row, piece)} is not promoted on the far rank, but the record has it promoted"


def contradiction(row: Row, piece: Piece, move: Move, *, refused: bool) -> str:
    """Return the reason why an answer is wrong. move: as the record has it."""
    count = f"{_COUNTS[move.length]} square{'s' if move.length > 1 else ''} {WORDS[move.direction]}"
    who = called(row, piece)
    if refused:
        return f"{who} can go {count}, but the record has it refused"
    return f"{who} cannot go {count}, but the record has it answered yes"


def called(row: Row, piece: Piece) -> str:
    """Return the name of a piece whose type the record states."""
    if piece.promoted:
        return f"the promoted piece {piece.letter}"
    return f"the {row.name()} ({row.number}) on {piece.letter}"
