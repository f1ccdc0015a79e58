"""Checks a record against the rules, up to the first place where they differ. `score` reads the file."""

from __future__ import annotations

from collections.abc import Mapping

from referee.common.faults import Fault
from referee.rulebooks.branches import Return, Trail, taken_back
from referee.rulebooks.confusion.adjudicate import (
    ON_THE_BOARD,
    answered,
    arrives,
    passes,
    type_of,
    with_reveal,
)
from referee.rulebooks.confusion.compass import WHITE, YELLOW, heading
from referee.rulebooks.confusion.deduction import agreeing
from referee.rulebooks.confusion.fold import COURSE, fold_board, start_board
from referee.rulebooks.confusion.happenings import BOTH, PASS, began, dealt, read_attempt
from referee.rulebooks.confusion.knowledge import SheetShown, sheets_after
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.options import SHEETS, read_deal
from referee.rulebooks.confusion.position import Board, Deal
from referee.rulebooks.confusion.possible import mover, possible_moves, refusal
from referee.rulebooks.confusion.record_turns import Turn
from referee.rulebooks.confusion.retelling import (
    Retelling,
    contradiction,
    nothing_to_take_back,
    told,
    wrongly_promoted,
)
from referee.rulebooks.confusion.score import (
    CLASSIC_LAYOUT,
    Back,
    Parting,
    Score,
    Tried,
)
from referee.rulebooks.confusion.table import MovementTable
from referee.rulebooks.rulebook import Branch, Happening, Replay, Seat


def replay(text: str, table: MovementTable, row: int | None = None) -> Replay:
    """Replay a record; see Records.replay. Errors in the head have row 0."""
    return told(_Game(table), text, row)


class _Game(Retelling):
    """A game of the classic edition."""

    layout = CLASSIC_LAYOUT
    on_the_board = ON_THE_BOARD

    def __init__(self, table: MovementTable) -> None:
        super().__init__(table)
        self._board = start_board(WHITE, table)
        self._trail = Trail(COURSE)
        self.read = 0
        """How many of the board's turns the record has covered."""
        self.rows: list[int] = []
        """For each of the board's turns its row in the record, which may omit a passed turn."""

    @property
    def board(self) -> Board:
        return self._board

    @property
    def rows_told(self) -> int:
        return self.rows[-1] if self.rows else 0

    def sheets_after(self, row: int | None) -> Mapping[Seat, SheetShown]:
        return sheets_after(self.board if row is None else self._board_after(row))

    def _board_after(self, row: int) -> Board:
        """Return the board at the end of a row of the record; of row 0, at the start."""
        turns = sum(each <= row for each in self.rows)
        after: Board | None = None
        for happening in COURSE.standing(self.happenings):
            further = fold_board(after, happening)
            if len(further.attempts) > turns:
                break
            after = further
        return after or self.board

    def read_deal(self, text: str) -> Deal | Fault:
        return read_deal(text)

    def begin(self, first: Seat, score: Score) -> None:
        self._board = start_board(first, self.table)
        self.happenings = [
            began(first, self.table, {SHEETS: "on"}, deal_set=bool(self.deals)),
            *(dealt(seat, self.deals[seat]) for seat in (WHITE, YELLOW) if seat in self.deals),
        ]
        self.take(passes(self.board))

    def tell(self, turn: Turn, seat: Seat) -> None:
        self._tell(turn, seat)
        self.rows += [turn.row] * (len(self.board.attempts) - len(self.rows))

    def _tell(self, turn: Turn, seat: Seat) -> None:
        cell, board = turn.cell, self.board
        if self.read < len(board.attempts) and board.attempts[self.read].seat == seat:
            # Nothing could be tried; that need not be written, but nothing else may be (CF-11.3).
            if not (cell.passes or cell.empty):
                raise turn.parting(f"{seat.capitalize()} has nothing that could be tried here, and passes")
            self.read += 1
            return
        self.hold_against_turn(turn, seat)
        if cell.passes:
            instead = write_move(next(possible_moves(board, seat)))
            raise turn.parting(f"{seat.capitalize()} may not pass, he could try {instead} (CF-11.3)")
        (tried,) = cell.tries
        self._attempt(turn, seat, tried)
        self.read += 1

    def _attempt(self, turn: Turn, seat: Seat, tried: Tried) -> None:
        """Check one attempt and its answer against the rules, and apply it."""
        board, refused, move = self.board, tried.refused, self.compass.as_played(tried.move)
        if (fault := refusal(board, seat, move, any_length=refused)) is not None:
            raise turn.parting(self.compass.as_written(fault).reason())
        piece = mover(board, seat, move)
        assert piece is not None  # refusal has checked this
        promotes = move.promotes if arrives(board, seat, move) and not refused else None
        if piece.promoted or seat in self.deals:
            row = type_of(board, piece, self.deals.get(seat, {}))
            yes = row.can(heading(seat, move.direction), move.length)
            if yes == refused:
                raise turn.parting(contradiction(row, piece, tried.move, refused=refused))
            if promotes is not None:
                if promotes and not row.promotes:
                    raise turn.parting(wrongly_promoted(row, piece))
                promotes = row.promotes
        happenings = answered(board, seat, move, yes=not refused, promotes=promotes)
        if seat not in self.deals and not piece.promoted:
            attempt = read_attempt(happenings[0])
            agrees = agreeing(self.table, attempt)
            self.open_types.hold_against(turn, board.edition, seat, attempt.letter, agrees)
        self.take(happenings)

    def take(self, happenings: tuple[Happening, ...]) -> None:
        for happening in with_reveal(happenings, self.deals):
            self.happenings.append(happening)
            self._board = fold_board(self.board, happening)

    def take_back(self, back: Back) -> tuple[int, Seat]:
        def parting(reason: str) -> Parting:
            return Parting(back.row, back.seat, back.text, reason)

        turns = list(zip(self.rows, self.board.attempts, strict=False))  # a passed turn may be in no row yet
        place = next(
            (
                at
                for at, (row, attempt) in enumerate(turns)
                if row == back.row and back.seat in (None, attempt.seat)
            ),
            None,
        )
        if place is None:
            raise parting(nothing_to_take_back(back))
        first, taken = turns[place][1], [attempt for _, attempt in turns[place:] if attempt.text != PASS]
        if first.text == PASS:
            raise parting(f"{first.seat.capitalize()} could only pass in row {back.row} (CF-11.3)")
        self.branches.append(Branch(back.row, first.seat, len(taken), back.reason))
        self.happenings.append(taken_back(Return(first.row, first.seat, back.reason), BOTH))
        self._board = self._trail.follow(self.happenings)
        del self.rows[place:]
        self.read = place
        return back.row, first.seat
