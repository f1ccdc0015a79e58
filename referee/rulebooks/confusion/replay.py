"""Holding a record against the rules, up to the first place where they part. `score` reads the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.faults import Fault
from referee.languages import Phrase
from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.confusion.adjudicate import (
    ON_THE_BOARD,
    answered,
    arrives,
    passes,
    type_of,
    with_reveal,
)
from referee.rulebooks.confusion.assignments import count_assignments
from referee.rulebooks.confusion.compass import WHITE, WORDS, YELLOW, heading, opponent, turned
from referee.rulebooks.confusion.deduction import agreeing, types_dealt
from referee.rulebooks.confusion.fold import boards_along, fold_board, standing, start_board
from referee.rulebooks.confusion.happenings import BOTH, PASS, began, dealt, ended, read_attempt
from referee.rulebooks.confusion.knowledge import sheets_after
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.options import SEAT_WORDS, SHEETS, read_deal
from referee.rulebooks.confusion.position import LETTERS, Attempt, Board, Deal, Piece
from referee.rulebooks.confusion.possible import mover, possible_moves, refusal
from referee.rulebooks.confusion.record import (
    ABANDONED,
    BY_AGREEMENT,
    VIEW,
    seen_by_white,
    write_outcome,
    write_result,
)
from referee.rulebooks.confusion.score import (
    Back,
    Cell,
    End,
    Parting,
    RecordRow,
    Score,
    read_end,
    read_score,
)
from referee.rulebooks.confusion.table import MovementTable, Row
from referee.rulebooks.confusion.view import board_data
from referee.rulebooks.rulebook import Branch, Happening, RecordError, Replay, Result, Seat

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNFINISHED = ("", "*", "-", "unfinished", "open")


def replay(text: str, table: MovementTable, row: int | None = None) -> Replay:
    """Replay a record; see Rulebook.replay. Errors in the head have row 0."""
    game = _Game(table)
    errors: tuple[RecordError, ...] = ()
    try:
        game.play(read_score(text))
    except Parting as parting:
        errors = (parting.error,)
    board = game.board
    attempts = [attempt for attempt in board.attempts if attempt.text != PASS]
    everything = board_data(board)
    sheets = sheets_after(board if row is None else game.board_after(row))
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
    }
    rows = game.rows[-1] if game.rows else 0
    return Replay(
        tuple(game.happenings),
        errors,
        len(attempts),
        rows,
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
class _Turn:
    """One cell in the order of play. seat None: it belongs to nobody."""

    row: int
    seat: Seat | None
    cell: Cell

    def parting(self, reason: str) -> Parting:
        """Return the error that the record and the rules part here."""
        return Parting(self.row, self.seat, self.cell.text, reason)


class _Game:
    """The game as far as it was replayed; every method raises Parting at the first error."""

    def __init__(self, table: MovementTable) -> None:
        self.table = table
        self.board: Board = start_board(WHITE, table)
        self.happenings: list[Happening] = []
        self.deals: dict[Seat, Deal] = {}
        self.claim: End | None = None
        self.turned = False
        self.read = 0
        """How many of the board's turns the record has told."""
        self.rows: list[int] = []
        """For each of the board's turns the row in which the record has it; a turn passed may be left out there."""
        self.left: dict[Seat, dict[str, int]] = {}
        """What the answers of a side leave of its types, letter by letter, as bits: where the record has no deal. What
        was taken back was answered truly, too."""
        self.branches: list[Branch] = []

    def play(self, score: Score) -> None:
        """Play the whole record."""
        self._read_head(score)
        self._begin(score)
        row, begins = 1, self.board.first
        for rows, back in _parts(score):
            for turn in self._turns(score, rows, row, begins):
                self._turn(turn)
                self.rows += [turn.row] * (len(self.board.attempts) - len(self.rows))
            if back is not None:
                row, begins = back.row, self._take_back(back)
        self._finish(score)

    def board_after(self, row: int) -> Board:
        """Return the board at the end of a row of the record; of row 0, at the start."""
        turns = sum(each <= row for each in self.rows)
        after: Board | None = None
        for happening in standing(self.happenings):
            further = fold_board(after, happening)
            if len(further.attempts) > turns:
                break
            after = further
        return after or self.board

    def _read_head(self, score: Score) -> None:
        head = score.head
        if (name := head.get("table", self.table.name)).casefold() != self.table.name.casefold():
            reason = f"the record was played with the table {name}, but it is held against {self.table.name}"
            raise Parting(0, None, f"Table = {name}", reason)
        for seat in (WHITE, YELLOW):
            if seat in head:
                deal = read_deal(head[seat])
                if isinstance(deal, Fault):
                    raise Parting(0, seat, f"{seat.capitalize()} = {head[seat]}", deal.reason())
                self.deals[seat] = deal
        self.turned = self._seat_in(head, VIEW.lower()) == WHITE
        said = head.get("result", "").strip()
        self.claim = read_end(said)
        if self.claim is None and said.lower() not in _UNFINISHED:
            reason = "a result is written as in `White wins: by resignation` or `Draw: by agreement`"
            raise Parting(0, None, f"Result = {said}", reason)

    @staticmethod
    def _seat_in(head: Mapping[str, str], key: str) -> Seat | None:
        said = head.get(key)
        if said is None:
            return None
        if (seat := SEAT_WORDS.get(said.strip().lower())) is None:
            reason = f"{key.capitalize()} is White or Yellow, not {said or 'nothing'}"
            raise Parting(0, None, f"{key.capitalize()} = {said}", reason)
        return seat

    def _first_in(self, score: Score) -> Seat | None:
        return self._seat_in(score.head, "first")

    def _begin(self, score: Score) -> None:
        """Set who begins: `First`, else as row 1 tells (CF-8.5)."""
        first = self._first_in(score)
        if first is None:
            left, right = score.columns
            first = right if score.rows and self._placed(score.rows, 0, score, None)[0].empty else left
        self.board = start_board(first, self.table)
        self.happenings = [
            began(first, self.table, {SHEETS: "on"}, deal_set=bool(self.deals)),
            *(dealt(seat, self.deals[seat]) for seat in (WHITE, YELLOW) if seat in self.deals),
        ]
        self._take(passes(self.board))

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

    def _turns(self, score: Score, rows: Sequence[RecordRow], row: int, begins: Seat) -> list[_Turn]:
        """Return all cells in the order of play, without the empty ones before the first and after the last turn.

        rows: those up to where turns are taken back, or to the end. row: the number of the first. begins: in it.
        """
        turns: list[_Turn] = []
        for place, line in enumerate(rows):
            expected = row + place
            if line.number != expected:
                reason = f"row {expected} should stand here"
                turns.append(_Turn(line.number, None, Cell(f"{line.number}.", 0, fault=Fault("row", reason))))
                break
            cells = self._placed(rows, place, score, begins)
            for seat, cell in zip(score.columns, cells, strict=True):
                turns.append(_Turn(line.number, seat, cell))
        if turns and begins == score.columns[1] and turns[0].cell.empty:
            del turns[0]
        while turns and turns[-1].cell.empty:
            turns.pop()
        return turns

    def _turn(self, turn: _Turn) -> None:
        cell, seat, board = turn.cell, turn.seat, self.board
        if cell.fault is not None or seat is None:
            raise turn.parting(cell.fault.reason() if cell.fault else "this cannot be read")
        if cell.end is not None:
            self._end(turn, cell.end)
        elif self.read < len(board.attempts) and board.attempts[self.read].seat == seat:
            # He had nothing to try; that need not be written, but nothing else may be (CF-11.3).
            if not (cell.passes or cell.empty):
                raise turn.parting(f"{seat.capitalize()} has nothing that could be tried here, and passes")
            self.read += 1
        elif board.result is not None:
            raise turn.parting(f"the game was over: {write_result(board.result)}")
        elif board.to_move != seat:
            raise turn.parting(f"{board.to_move.capitalize()} is to move here, not {seat.capitalize()}")
        elif cell.move is not None:
            self._attempt(turn, seat, seen_by_white(cell.move) if self.turned else cell.move)
            self.read += 1
        elif cell.passes:
            instead = write_move(next(possible_moves(board, seat)))
            raise turn.parting(f"{seat.capitalize()} may not pass, he could try {instead} (CF-11.3)")
        else:
            raise turn.parting(f"{seat.capitalize()} is to move here, but the cell is empty")

    def _attempt(self, turn: _Turn, seat: Seat, move: Move) -> None:
        """Hold one attempt and its answer against the rules, and let it happen."""
        board, refused = self.board, turn.cell.refused
        if (fault := refusal(board, seat, move, any_length=refused)) is not None:
            raise turn.parting(self._as_written(fault).reason())
        piece = mover(board, seat, move)
        assert piece is not None  # refusal has seen it
        promotes = move.promotes if arrives(board, seat, move) and not refused else None
        if piece.promoted or seat in self.deals:
            row = type_of(board, piece, self.deals.get(seat, {}))
            yes = row.can(heading(seat, move.direction), move.length)
            if yes == refused:
                raise turn.parting(_contradiction(row, piece, turn.cell.move or move, refused=refused))
            if promotes is not None:
                if promotes and not row.promotes:
                    who = _called(row, piece)
                    raise turn.parting(
                        f"{who} is not promoted on the far rank, but the record has it promoted"
                    )
                promotes = row.promotes
        happenings = answered(board, seat, move, yes=not refused, promotes=promotes)
        if seat not in self.deals and not piece.promoted:
            self._hold_against_the_answers_before(turn, seat, read_attempt(happenings[0]))
        self._take(happenings)

    def _hold_against_the_answers_before(self, turn: _Turn, seat: Seat, attempt: Attempt) -> None:
        """Where the record has no deal, there must at least be one that agrees with all answers (CF-7.2)."""
        left = self.left.setdefault(seat, dict.fromkeys(LETTERS, types_dealt(self.table)))
        left[attempt.letter] &= agreeing(self.table, attempt)
        if count_assignments(tuple(left.values())).total == 0:
            reason = f"no deal of {seat.capitalize()}'s types agrees with this and with the answers before"
            raise turn.parting(reason)

    def _as_written(self, fault: Fault) -> Fault:
        """Return a refusal that names directions as the record does (CF-8.4)."""
        directions = {WORDS[direction]: WORDS[turned(direction)] for direction in WORDS}
        said = fault.facts.get("direction")
        if not self.turned or said is None:
            return fault
        return replace(fault, facts={**fault.facts, "direction": Phrase(directions[said.message])})

    def _take(self, happenings: tuple[Happening, ...]) -> None:
        for happening in with_reveal(happenings, self.deals):
            self.happenings.append(happening)
            self.board = fold_board(self.board, happening)

    def _take_back(self, back: Back) -> Seat:
        """Let the game go on from an earlier turn (CF-8.6); return whose turn that is."""

        def parting(reason: str) -> Parting:
            return Parting(back.row, back.seat, back.text, reason)

        board = self.board
        if board.result is not None:
            raise parting(f"the game was over, and is not taken back any more: {write_result(board.result)}")
        turns = list(zip(self.rows, board.attempts, strict=False))  # a turn passed may be in no row yet
        place = next(
            (
                at
                for at, (row, attempt) in enumerate(turns)
                if row == back.row and back.seat in (None, attempt.seat)
            ),
            None,
        )
        if place is None:
            whose = f"{back.seat.capitalize()} had tried nothing" if back.seat else "nothing was tried"
            raise parting(f"{whose} in row {back.row} that could be taken back")
        first, taken = turns[place][1], [attempt for _, attempt in turns[place:] if attempt.text != PASS]
        if first.text == PASS:
            raise parting(f"{first.seat.capitalize()} could only pass in row {back.row} (CF-11.3)")
        self.branches.append(Branch(back.row, first.seat, len(taken), back.reason))
        self.happenings.append(taken_back(Return(first.row, first.seat, back.reason), BOTH))
        self.board = boards_along(self.happenings)[1][-1]
        del self.rows[place:]
        self.read = place
        return first.seat

    def _end(self, turn: _Turn, end: End) -> None:
        """Hold what a cell says of the end against the rules; an end off the board is taken as said (CF-6.3)."""
        said = write_outcome(end.winner, void=end.void)
        if (result := self.board.result) is not None:
            if not end.agrees(result) or turn.cell.resigns:
                raise turn.parting(f"the game was over: {write_result(result)}")
            return
        claim = self.claim
        if claim is not None and not claim.agrees(end):
            in_its_head = write_outcome(claim.winner, void=claim.void)
            raise turn.parting(f"here the record says `{said}`, in its head `{in_its_head}`")
        unsaid = ABANDONED if end.void else BY_AGREEMENT if end.winner is None else ""
        how = (claim.how if claim else "") or end.how or unsaid
        if not how or how in ON_THE_BOARD:
            raise turn.parting(self._not_over(end.winner))
        self._take((ended(Result(end.winner, how, end.void), "CF-6.3"),))

    def _not_over(self, winner: Seat | None) -> str:
        threat = self.board.threat
        if winner is not None and threat is not None and threat[0] == winner:
            why = f"{opponent(winner).capitalize()} still has a turn to capture {threat[1]}"
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
        last = _Turn(
            score.rows[-1].number if score.rows else 0, None, Cell(f"Result = {score.head['result']}", 0)
        )
        if result is not None:
            raise last.parting(f"the rows end otherwise: {write_result(result)}")
        self._end(last, claim)


def _contradiction(row: Row, piece: Piece, move: Move, *, refused: bool) -> str:
    count = f"{_COUNTS[move.length]} square{'s' if move.length > 1 else ''} {WORDS[move.direction]}"
    who = _called(row, piece)
    if refused:
        return f"{who} can go {count}, but the record has it refused"
    return f"{who} cannot go {count}, but the record has it answered yes"


def _called(row: Row, piece: Piece) -> str:
    if piece.promoted:
        return f"the promoted piece {piece.letter}"
    return f"the {row.name()} ({row.number}) on {piece.letter}"
