"""What the templates of a letter show of a view: plain values, in the order in which they are shown, no prose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.rulebooks.branches import TAKEN_BACK
from referee.rulebooks.confusion.compass import SIZE, YELLOW, Square, opponent
from referee.rulebooks.confusion.fold import standing
from referee.rulebooks.confusion.happenings import ATTEMPTED, PASSED
from referee.rulebooks.confusion.knowledge import Knowledge, make_knowledge
from referee.rulebooks.confusion.position import LETTERS, Attempt, Piece, View, side_of
from referee.rulebooks.confusion.table import MovementTable, Row
from referee.rulebooks.rulebook import OBSERVER, Happening, Result, Seat

_EMPTY = "."
_Z = "*"
_PROMOTED = "+"
_PROMOTED_ON_Z = "#"


@dataclass(frozen=True, slots=True)
class PieceLine:
    """One piece in words. kind: None where the reader may not know it. square: None once it was captured."""

    seat: Seat
    letter: str
    square: Square | None
    promoted: bool
    holds_z: bool
    kind: Row | None


@dataclass(frozen=True, slots=True)
class Turns:
    """A row of the record: what each seat tried in it, None where it did not."""

    row: int
    yellow: Attempt | None
    white: Attempt | None


@dataclass(frozen=True, slots=True)
class Guide:
    """What the help page tells of a movement table. promoting: the types that are promoted."""

    table_name: str
    rows: tuple[Row, ...]
    promoted: Row
    promoting: tuple[Row, ...]

    def called(self, language: str) -> list[str]:
        """Return the names of the types that are promoted."""
        return [row.name(language) for row in self.promoting]


@dataclass(frozen=True, slots=True)
class Scene:
    """A view as a letter shows it to its reader.

    to_move: None when the game is over. turn: the record's row. news: attempts (and turns passed) that no earlier
    letter told. rows: all attempts so far, by rows of the record. mine and theirs: all twelve letters each.
    captured: by owner. drawing: lines of at most 38 columns, the reader's side below: own letters capital, the
    opponent's small, "+" promoted, "*" Z, "#" both, "." an empty square. up: the direction at its top ("N" for Yellow).
    knowledge: the deduction sheets and what was learned since; None where the game is played without. To an observer
    (seat OBSERVER) mine, theirs and the drawing are as from side, Yellow's, and so is opponent.
    """

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
        """The side that is drawn below."""
        return side_of(self.seat)

    @property
    def observed(self) -> bool:
        """Whether the reader only watches."""
        return self.seat == OBSERVER

    def against(self, seat: Seat) -> Seat:
        """Return whom a side plays against."""
        return opponent(seat)

    def history(self, yes: str, no: str, left_out: str = "") -> list[tuple[str, str, str]]:
        """Return all rows so far as cells: the row's number, Yellow's attempt, White's.

        yes, no: the reader's words. left_out: stands for Yellow's attempt in a first row that White began.
        """

        def cell(attempt: Attempt | None) -> str:
            if attempt is None or attempt.start is None:
                return attempt.text if attempt else ""
            return f"{attempt.text} {yes if attempt.answer else no}"

        return [(str(turns.row), cell(turns.yellow) or left_out, cell(turns.white)) for turns in self.rows]

    def piece(self, seat: Seat, letter: str) -> PieceLine:
        """Return a piece's line. letter: one of the twelve."""
        return (self.mine if seat == self.side else self.theirs)[LETTERS.index(letter)]


def make_scene(view: View, heard: Sequence[Happening], told: int) -> Scene:
    """Return what a letter shows. heard: all the seat heard, of which the first `told` are no news.

    What was taken back is no news any more, and all that follows is.
    """
    board = view.board
    other = opponent(view.side)
    told_of = _told_of(heard, told)
    return Scene(
        seat=view.seat,
        opponent=other,
        first=board.first,
        to_move=None if board.result else board.to_move,
        turn=board.row,
        news=board.attempts[told_of:],
        rows=_rows(board.attempts),
        mine=_lines(view, view.side),
        theirs=_lines(view, other),
        captured=board.captured,
        z=board.z,
        holder=board.holder(),
        threat=board.threat,
        result=board.result,
        revealed=view.own_types is not None,
        drawing=_drawing(view),
        up="N" if view.side == YELLOW else "S",
        guide=make_guide(board.table),
        knowledge=make_knowledge(view, told_of),
    )


def _told_of(heard: Sequence[Happening], told: int) -> int:
    """Return how many of the attempts that stand are no news."""

    def attempts(until: int) -> int:
        return sum(each.code in (ATTEMPTED, PASSED) for each in standing(heard[:until]))

    backs = (place for place, each in enumerate(heard[told:], told + 1) if each.code == TAKEN_BACK)
    return min(map(attempts, (told, *backs)))


def make_guide(table: MovementTable) -> Guide:
    """Return what the help page shows of a movement table."""
    promoting = tuple(row for row in table.rows if row.promotes)
    return Guide(table.name, table.rows, table.promoted, promoting)


def _rows(attempts: Sequence[Attempt]) -> tuple[Turns, ...]:
    found: dict[int, dict[bool, Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.row, {})[attempt.seat == YELLOW] = attempt
    return tuple(Turns(row, sides.get(True), sides.get(False)) for row, sides in found.items())


def _lines(view: View, seat: Seat) -> tuple[PieceLine, ...]:
    types = view.own_types if seat == view.side else view.opponent_types
    standing = {piece.letter: piece for piece in view.board.pieces.values() if piece.seat == seat}
    lines = []
    for letter in LETTERS:
        piece = standing.get(letter)
        number = types.get(letter) if types else None
        lines.append(
            PieceLine(
                seat=seat,
                letter=letter,
                square=piece.square if piece else None,
                promoted=piece.promoted if piece else False,
                holds_z=piece is not None and piece.square == view.board.z,
                kind=view.board.table.row(number) if number else None,
            )
        )
    return tuple(lines)


def _drawing(view: View) -> tuple[str, ...]:
    files = range(1, SIZE + 1) if view.side == YELLOW else range(SIZE, 0, -1)
    edge = "   " + "".join(f"{file:<3}" for file in files).rstrip()
    middle = (
        f"{rank:>2} " + "".join(f"{_cell(view, (file, rank)):<3}" for file in files) + f"{rank:>2}"
        for rank in reversed(files)
    )
    return (edge, *middle, edge)


def _cell(view: View, square: Square) -> str:
    piece = view.board.pieces.get(square)
    on_z = square == view.board.z
    if piece is None:
        return _Z if on_z else _EMPTY
    letter = piece.letter if piece.seat == view.side else piece.letter.lower()
    if piece.promoted:
        return letter + (_PROMOTED_ON_Z if on_z else _PROMOTED)
    return letter + (_Z if on_z else "")
