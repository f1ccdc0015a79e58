"""A record held against the rules, as far as that is the same in two editions: the head, whose cell is whose, the end.

`score` reads the file. What a turn is, each edition says itself (`replay`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.common.faults import Fault
from referee.common.i18n import Phrase
from referee.rulebooks.confusion.assignments import count_assignments
from referee.rulebooks.confusion.compass import WHITE, WORDS, turned
from referee.rulebooks.confusion.deduction import types_dealt
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
from referee.rulebooks.confusion.score import (
    Back,
    Cell,
    End,
    Layout,
    Parting,
    RecordRow,
    Score,
    read_score,
)
from referee.rulebooks.confusion.table import MovementTable, Row
from referee.rulebooks.confusion.view import board_data
from referee.rulebooks.rulebook import Branch, Happening, Json, RecordError, Replay, Result, Seat

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNFINISHED = ("", "*", "-", "unfinished", "open")


def told(game: Retelling, text: str, row: int | None) -> Replay:
    """Return what a record tells. row: see Records.replay."""
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


def _parts(score: Score) -> Iterator[tuple[Sequence[RecordRow], Back | None]]:
    """Yield the rows up to each line that takes turns back, and that line; at last the rows behind them all."""
    start = 0
    for back in score.backs:
        yield score.rows[start : back.after], back
        start = back.after
    yield score.rows[start:], None


@dataclass(frozen=True, slots=True)
class Turn:
    """One cell in the order of play. seat None: it belongs to nobody."""

    row: int
    seat: Seat | None
    cell: Cell

    def parting(self, reason: str) -> Parting:
        """Return the error that the record and the rules part here."""
        return Parting(self.row, self.seat, self.cell.text, reason)


def _damaged(row: RecordRow, reason: str) -> Turn:
    """Return the fault of a whole row."""
    return Turn(row.number, None, Cell(f"{row.number}.", 0, fault=Fault("row", reason)))


def _without_last_empty(turns: Sequence[Turn]) -> list[Turn]:
    """Return turns without the empty ones at their end."""
    count = len(turns)
    while count and turns[count - 1].cell.empty:
        count -= 1
    return list(turns[:count])


class Retelling(ABC):
    """A game as far as its record was held against the rules; every method raises Parting at the first error.

    What is the same in two editions is here: the head, which cell is whose, the end. What a turn is, each says itself.
    """

    layout: Layout
    on_the_board: tuple[str, ...]
    """Ends that the rules themselves bring."""

    def __init__(self, table: MovementTable) -> None:
        self.table = table
        self.happenings: list[Happening] = []
        self.deals: dict[Seat, Deal] = {}
        self.claim: End | None = None
        self.turned = False
        self.left: dict[Seat, dict[str, int]] = {}
        """What the answers of a side leave of its types, letter by letter, as bits: where the record has no deal. What
        was taken back was answered truly, too."""
        self.branches: list[Branch] = []

    @property
    @abstractmethod
    def board(self) -> Board:
        """The board as it stands."""

    @property
    @abstractmethod
    def rows_told(self) -> int:
        """The last of the record's rows of which something stands, 0 for none."""

    @property
    def more(self) -> Mapping[str, Json]:
        """What the summary says besides what it says of every edition."""
        return {}

    @abstractmethod
    def sheets_after(self, row: int | None) -> Mapping[Seat, SheetShown]:
        """Return what each side can know at the end of a row of the record; None for the end of them all."""

    @abstractmethod
    def read_deal(self, text: str) -> Deal | Fault:
        """Read a side's deal in the head."""

    @abstractmethod
    def begin(self, first: Seat, score: Score) -> None:
        """Begin the game: what comes before the first turn."""

    @abstractmethod
    def tell(self, turn: Turn, seat: Seat) -> None:
        """Hold a seat's cell, which is no end, against the rules, and let it happen."""

    @abstractmethod
    def take_back(self, back: Back) -> tuple[int, Seat]:
        """Let the game go on from an earlier turn (CF-8.6); return in which row and with whose cell the record does."""

    @abstractmethod
    def take(self, happenings: tuple[Happening, ...]) -> None:
        """Let these happen, with the reveal of what deals are known where they end the game."""

    def play(self, score: Score) -> None:
        """Play the whole record."""
        self.read_head(score.head)
        self.begin(self._first(score), score)
        row, begins = 1, self.board.first
        for rows, back in _parts(score):
            for turn in self._turns(score, rows, row, begins):
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
        self.turned = self._seat_in(head, VIEW.lower()) == WHITE
        said = head.get("result", "").strip()
        self.claim = self.layout.read_end(said)
        if self.claim is None and said.lower() not in _UNFINISHED:
            reason = "a result is written as in `White wins: by resignation` or `Draw: by agreement`"
            raise Parting(0, None, f"Result = {said}", reason)

    def _seat_in(self, head: Mapping[str, str], key: str) -> Seat | None:
        said = head.get(key)
        if said is None:
            return None
        if (seat := self.layout.seats.get(said.strip().lower())) is None:
            one, other = (each.capitalize() for each in self.layout.edition.seats)
            reason = f"{key.capitalize()} is {one} or {other}, not {said or 'nothing'}"
            raise Parting(0, None, f"{key.capitalize()} = {said}", reason)
        return seat

    def _first(self, score: Score) -> Seat:
        """Return who begins: `First`, else as row 1 tells (CF-8.5)."""
        first = self._seat_in(score.head, "first")
        if first is None:
            left, right = score.columns
            first = right if score.rows and self._placed(score.rows, 0, score, None)[0].empty else left
        return first

    @staticmethod
    def _placed(
        rows: Sequence[RecordRow], place: int, score: Score, begins: Seat | None
    ) -> tuple[Cell, Cell]:
        """Return both columns' cells of a row; a lone cell may be the right one. begins: in the first of these rows, if
        that is known."""
        line, nothing = rows[place], Cell("", 0)
        if len(line.cells) == 2:
            return line.cells[0], line.cells[1]
        if not line.cells:
            return nothing, nothing
        lone = line.cells[0]
        to_the_right = lone.column >= score.right_edge - 2
        if place == 0 and not lone.empty:
            # Were it the left cell, the right column would owe a turn before the next row.
            to_the_right = to_the_right or len(rows) > 1 or begins == score.columns[1]
        return (nothing, lone) if to_the_right else (lone, nothing)

    def _turns(self, score: Score, rows: Sequence[RecordRow], row: int, begins: Seat) -> list[Turn]:
        """Return all cells in the order of play, without the empty ones before the first and after the last turn.

        rows: those up to where turns are taken back, or to the end. row: the number of the first. begins: in it.
        """
        turns: list[Turn] = []
        for place, line in enumerate(rows):
            expected = row + place
            if line.number != expected:
                turns.append(_damaged(line, f"row {expected} should stand here"))
                break
            if not line.cells:
                turns = _without_last_empty(turns) if place == len(rows) - 1 else turns
                turns.append(
                    _damaged(line, "behind the number of a row stands a turn or an end, and here is none")
                )
            cells = self._placed(rows, place, score, begins)
            for seat, cell in zip(score.columns, cells, strict=True):
                if not (line.stray and cell.empty and seat == score.columns[1]):
                    turns.append(Turn(line.number, seat, cell))
            if line.stray is not None:
                turns.append(Turn(line.number, None, line.stray))
        if turns and begins == score.columns[1] and turns[0].cell.empty:
            del turns[0]
        return _without_last_empty(turns)

    def hold_against_turn(self, turn: Turn, seat: Seat) -> None:
        """A cell belongs to the seat whose turn it is, of a game that is not over."""
        board = self.board
        if board.result is not None:
            raise turn.parting(f"the game was over: {write_result(board.result)}")
        if board.to_move != seat:
            raise turn.parting(f"{board.to_move.capitalize()} is to move here, not {seat.capitalize()}")
        if turn.cell.empty:
            raise turn.parting(f"{seat.capitalize()} is to move here, but the cell is empty")

    def as_played(self, move: Move) -> Move:
        """Return a move of the record with the compass of the board (CF-8.4)."""
        return seen_by_white(move) if self.turned else move

    def as_written(self, fault: Fault) -> Fault:
        """Return a refusal that names directions as the record does (CF-8.4)."""
        directions = {WORDS[direction]: WORDS[turned(direction)] for direction in WORDS}
        said = fault.facts.get("direction")
        if not self.turned or said is None:
            return fault
        return replace(fault, facts={**fault.facts, "direction": Phrase(directions[said.message])})

    def hold_against_the_answers_before(self, turn: Turn, seat: Seat, letter: str, agrees: int) -> None:
        """Where the record has no deal, there must at least be one that agrees with all answers (CF-7.2).

        agrees: the types, as bits, that agree with what was heard of a letter now.
        """
        edition = self.board.edition
        dealt = types_dealt(self.table, double_agent=edition.double_agent)
        left = self.left.setdefault(seat, dict.fromkeys(edition.letters, dealt))
        left[letter] &= agrees
        if count_assignments(tuple(left.values())).total == 0:
            reason = f"no deal of {seat.capitalize()}'s types agrees with this and with the answers before"
            raise turn.parting(reason)

    def end(self, turn: Turn, end: End) -> None:
        """Hold what a cell says of the end against the rules; an end off the board is taken as said (CF-6.3)."""
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
            raise turn.parting(self._not_over(end.winner))
        told = ended(Result(end.winner, how, end.void), "CF-6.3")
        self.take((replace(told, heard_by=frozenset(self.layout.edition.seats)),))

    def _not_over(self, winner: Seat | None) -> str:
        threat = self.board.threat
        if winner is not None and threat is not None and threat[0] == winner:
            other = self.board.edition.other(winner)
            why = f"{other.capitalize()} still has a turn to capture {threat[1]}"
        else:
            why = "if it ended off the board, the head must say how, as in `Result = White wins: by resignation`"
        return (
            f"by the rules nobody has won here; {why}" if winner else f"by the rules this is no draw; {why}"
        )

    def _finish(self, score: Score) -> None:
        """Hold the head's `Result` against the end of the rows."""
        claim, result = self.claim, self.board.result
        if claim is None or (result is not None and claim.agrees(result)):
            return
        last = Turn(
            score.rows[-1].number if score.rows else 0, None, Cell(f"Result = {score.head['result']}", 0)
        )
        if result is not None:
            raise last.parting(f"the rows end otherwise: {write_result(result)}")
        self.end(last, claim)


def _same_how(one: str, other: str) -> bool:
    """Return whether two places of a record can both be right about how it ended; "" where one does not say."""
    return not (one and other) or one.casefold() == other.casefold()


def nothing_to_take_back(back: Back) -> str:
    """Return the reason why a line that takes turns back cannot be followed: there are none."""
    whose = f"{back.seat.capitalize()} had tried nothing" if back.seat else "nothing was tried"
    return f"{whose} in row {back.row} that could be taken back"


def wrongly_promoted(row: Row, piece: Piece) -> str:
    """Return the reason why the record cannot have a piece promoted."""
    return f"{called(row, piece)} is not promoted on the far rank, but the record has it promoted"


def contradiction(row: Row, piece: Piece, move: Move, *, refused: bool) -> str:
    """Return the reason why an answer cannot stand. move: as the record has it."""
    count = f"{_COUNTS[move.length]} square{'s' if move.length > 1 else ''} {WORDS[move.direction]}"
    who = called(row, piece)
    if refused:
        return f"{who} can go {count}, but the record has it refused"
    return f"{who} cannot go {count}, but the record has it answered yes"


def called(row: Row, piece: Piece) -> str:
    """Return what a piece is called whose type the record tells."""
    if piece.promoted:
        return f"the promoted piece {piece.letter}"
    return f"the {row.name()} ({row.number}) on {piece.letter}"
