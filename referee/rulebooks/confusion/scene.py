"""What a letter's templates show of a view: plain values in the order of display, no prose."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rulebooks.branches import TAKEN_BACK, Course
from referee.rulebooks.confusion.compass import SIZE, WHITE, Square
from referee.rulebooks.confusion.edition import Edition
from referee.rulebooks.confusion.fold import COURSE
from referee.rulebooks.confusion.happenings import ATTEMPTED, PASSED
from referee.rulebooks.confusion.knowledge import Knowledge, make_knowledge
from referee.rulebooks.confusion.position import Attempt, Board, Piece, Seen, View
from referee.rulebooks.confusion.table import MovementTable, Row
from referee.rulebooks.rulebook import OBSERVER, Happening, Result, Seat

_EMPTY = "."
_Z = "*"
_PROMOTED = "+"
_PROMOTED_ON_Z = "#"
_OUT_OF_PLAY = "/"
_WAITS = "?"


@dataclass(frozen=True, slots=True)
class PieceLine:
    """One piece in words. kind: None where the reader may not know it. square: None once it is captured."""

    seat: Seat
    letter: str
    square: Square | None
    promoted: bool
    holds_z: bool
    kind: Row | None


@dataclass(frozen=True, slots=True)
class Turns:
    """A row of the record: each seat's attempt in it, None for none. south: the seat opposite White's."""

    row: int
    south: Attempt | None
    white: Attempt | None


@dataclass(frozen=True, slots=True)
class Guide:
    """What the help page shows of a movement table.

    promoting: the types that are promoted.
    agent: in the edition of thirteen spies, the double agent, if there is one.
    comrade: in that edition, every piece but the double agent may be promoted (CF-10.11).
    """

    table_name: str
    rows: tuple[Row, ...]
    promoted: Row
    promoting: tuple[Row, ...]
    agent: Row | None = None
    comrade: bool = False

    def called(self, language: str) -> list[str]:
        """Return the names of the types that are promoted."""
        return [row.name(language) for row in self.promoting]


@dataclass(frozen=True, slots=True)
class Scene:
    """A view as a letter shows it to its reader.

    To an observer (seat OBSERVER) mine, theirs, opponent and the drawing are as from the southern side.

    to_move: None when the game is over.
    turn: the record's row.
    news: attempts (and passed turns) that no earlier letter reported.
    rows: all attempts so far, by rows of the record.
    mine, theirs: all letters of a side.
    captured: by owner.
    drawing: lines of at most 38 columns, the reader's side at the bottom: own letters capital, the opponent's
        small, "+" promoted, "*" Z, "#" both, "." an empty square, "/" one out of play, "?" one where a
        waiting attempt would lead.
    up: the direction at its top ("S" for White).
    knowledge: the deduction sheets and what was learned since; None in a game without them.
    """

    edition: Edition
    seat: Seat
    opponent: Seat
    first: Seat
    to_move: Seat | None
    turn: int
    news: tuple[Attempt, ...]
    rows: tuple[Turns, ...]
    mine: tuple[PieceLine, ...]
    theirs: tuple[PieceLine, ...]
    captured: Mapping[Seat, tuple[str, ...]]
    z: Square
    holder: Piece | None
    threat: tuple[Seat, str] | None
    result: Result | None
    revealed: bool
    drawing: tuple[str, ...]
    up: str
    guide: Guide
    knowledge: Knowledge | None = None

    @property
    def side(self) -> Seat:
        """The side that is drawn at the bottom."""
        return self.edition.side_of(self.seat)

    @property
    def observed(self) -> bool:
        """Whether the reader only watches."""
        return self.seat == OBSERVER

    def against(self, seat: Seat) -> Seat:
        """Return the opponent of a side."""
        return self.edition.other(seat)

    def history(
        self, words: Mapping[str, str], left_out: str = "", stop: str = ""
    ) -> list[tuple[str, str, str]]:
        """Return all turns so far as lines of cells: the row's number, the southern side's attempt, White's.

        words: the reader's words for each answer.
        left_out: replaces the missing attempt in a first row that White began.
        stop: follows the number.
        """

        def cell(attempt: Attempt | None) -> str:
            if attempt is None or attempt.start is None:
                return attempt.text if attempt else ""
            return f"{attempt.text} {words['yes' if attempt.answer else 'no']}"

        return [
            (f"{turns.row}{stop}", cell(turns.south) or left_out, cell(turns.white)) for turns in self.rows
        ]

    def piece(self, seat: Seat, letter: str) -> PieceLine:
        """Return a piece's line. letter: one of its side's."""
        return (self.mine if seat == self.side else self.theirs)[self.edition.letters.index(letter)]


def make_scene(view: View, heard: Sequence[Happening], told: int) -> Scene:
    """Return what a letter shows. heard: all the seat heard, of which earlier letters reported the first `told`.

    What was taken back is no longer news, and everything after it is.
    """
    board = view.board
    edition = board.edition
    other = edition.other(view.side)
    earlier = COURSE.standing(heard)[: news_from(COURSE, heard, told)]
    told_of = sum(each.code in (ATTEMPTED, PASSED) for each in earlier)
    return Scene(
        edition=edition,
        seat=view.seat,
        opponent=other,
        first=board.first,
        to_move=None if board.result else board.to_move,
        turn=board.row,
        news=board.attempts[told_of:],
        rows=_rows(board.attempts),
        mine=lines_of(board, view.side, view.own_types or {}),
        theirs=lines_of(board, other, view.opponent_types),
        captured=board.captured,
        z=board.z,
        holder=board.holder(),
        threat=board.threat,
        result=board.result,
        revealed=view.own_types is not None,
        drawing=drawing(view),
        up=up(view),
        guide=make_guide(board.table),
        knowledge=make_knowledge(view, told_of),
    )


def news_from(course: Course[Any], heard: Sequence[Happening], told: int) -> int:
    """Return the place of the first standing happening that is news.

    What was taken back is no longer news, and everything after it is.

    heard: all that a seat heard, of which earlier letters reported the first `told`.
    """
    backs = (place for place, each in enumerate(heard[told:], told + 1) if each.code == TAKEN_BACK)
    return min(len(course.standing(heard[:until])) for until in (told, *backs))


def make_guide(table: MovementTable) -> Guide:
    """Return what the help page shows of a movement table."""
    promoting = tuple(row for row in table.rows if row.promotes)
    return Guide(table.name, table.rows, table.promoted, promoting)


def _rows(attempts: Sequence[Attempt]) -> tuple[Turns, ...]:
    found: dict[int, dict[bool, Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.row, {})[attempt.seat == WHITE] = attempt
    return tuple(Turns(row, sides.get(False), sides.get(True)) for row, sides in found.items())


def lines_of(board: Board, seat: Seat, types: Mapping[str, int]) -> tuple[PieceLine, ...]:
    """Return a side's pieces in words. types: those that the reader may know."""
    standing = {piece.letter: piece for piece in board.pieces.values() if piece.seat == seat}
    lines = []
    for letter in board.edition.letters:
        piece = standing.get(letter)
        number = types.get(letter)
        lines.append(
            PieceLine(
                seat=seat,
                letter=letter,
                square=piece.square if piece else None,
                promoted=piece.promoted if piece else False,
                holds_z=piece is not None and piece.square == board.z,
                kind=board.table.row(number) if number else None,
            )
        )
    return tuple(lines)


def up(view: Seen) -> str:
    """Return the direction at the top of a view's board."""
    return "S" if view.side == WHITE else "N"


def drawing(view: Seen, waits: Collection[Square] = ()) -> tuple[str, ...]:
    """Return a view's board as lines, as described in Scene. waits: where waiting attempts would lead."""
    files = range(SIZE, 0, -1) if view.side == WHITE else range(1, SIZE + 1)
    edge = "   " + "".join(f"{file:<3}" for file in files).rstrip()
    middle = (
        f"{rank:>2} " + "".join(f"{_cell(view, (file, rank), waits):<3}" for file in files) + f"{rank:>2}"
        for rank in reversed(files)
    )
    return (edge, *middle, edge)


def _cell(view: Seen, square: Square, waits: Collection[Square]) -> str:
    board = view.board
    if not board.edition.on_board(square):
        return _OUT_OF_PLAY
    piece = board.pieces.get(square)
    on_z = square == board.z
    if piece is None:
        return _Z if on_z else _WAITS if square in waits else _EMPTY
    letter = piece.letter if piece.seat == view.side else piece.letter.lower()
    if piece.promoted:
        return letter + (_PROMOTED_ON_Z if on_z else _PROMOTED)
    return letter + (_Z if on_z else "")
