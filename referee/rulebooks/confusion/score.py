"""A record file as it is written: head, columns, rows, notes (CF-8.2, CF-8.3, CF-8.5). No rule is asked here.

The files of two editions differ in who sits where and in what a cell can hold; a `Layout` says in what.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from referee.faults import Fault
from referee.rulebooks.branches import trimmed
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.edition import CLASSIC, Edition
from referee.rulebooks.confusion.likeness import looks_like_order
from referee.rulebooks.confusion.notation import Move, read_move, read_move_before_notes
from referee.rulebooks.confusion.options import SEAT_WORDS
from referee.rulebooks.confusion.record import BY_RESIGNATION
from referee.rulebooks.record_text import head_line, too_long
from referee.rulebooks.rulebook import RecordError, Result, Seat

_ROW_LINE = re.compile(r"\s*([0-9]{1,6})(?:\s*[.):]|(?=\s|$))")
LONGEST_CELL = 120
"""Signs in which a move is looked for; with all that may be written inside, none has so many."""
_DRAW = re.compile(r"(?:draw|drawn|nulle|partie nulle)\b", re.IGNORECASE)
_VOID = re.compile(r"(?:no result|sans r[ée]sultat)\b", re.IGNORECASE)
_PASS = re.compile(r"\(?\s*pass[e]?\b(?:\s*\))?", re.IGNORECASE)
_NOTHING = re.compile(r"(?:[-‐‑‒–—−]+|\.{2,}|…)(?=\s|$)")
_BRACKETS = re.compile(rf"\(([^()\t]{{0,{LONGEST_CELL}}})\)")
_WIDE = re.compile(r"\s{2,}|\t")
_BLANKS = re.compile(r"\s+")
MOST_PLACES = 20
"""Behind so many blanks of a row's notes it is tried whether the second cell stands there."""


@dataclass(frozen=True, slots=True)
class End:
    """What a record says of the end. winner: None for a draw, and where it is void. how: "" where it does not say."""

    winner: Seat | None
    how: str
    void: bool = False

    def agrees(self, result: End | Result) -> bool:
        """Tell whether it says of who has won what another end says."""
        return (self.winner, self.void) == (result.winner, result.void)


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt as a cell has it. refused: in brackets. unanswered: in square ones.

    unmasked: it has shown a double agent, in editions that have such; taken_by: the piece of the other side that took Z
    then, "" for none.
    """

    move: Move
    refused: bool = False
    unanswered: bool = False
    unmasked: bool = False
    taken_by: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a row. text: as written. A turn: its attempts, or a pass; or the end; or nothing of these: empty.

    action: what goes before the attempts of a turn, canonical, in editions that have such. unanswered: of a pass, in
    square brackets.
    """

    text: str
    column: int
    tries: tuple[Tried, ...] = ()
    action: str = ""
    end: End | None = None
    passes: bool = False
    unanswered: bool = False
    resigns: bool = False
    fault: Fault | None = None

    @property
    def empty(self) -> bool:
        return not self.tries and self.end is None and not self.passes and self.fault is None


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A numbered row as written. cells: none, one or two."""

    number: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Back:
    """A line that takes turns back (CF-8.6). after: so many of the record's rows stand before it. seat: None where it
    does not say whose turn of the row it is; reason: "" where it gives none."""

    row: int
    seat: Seat | None
    reason: str
    text: str
    after: int


class Parting(Exception):
    """The first place where a record and the rules part; carries the error to the top of the replay."""

    def __init__(self, row: int, seat: Seat | None, text: str, reason: str) -> None:
        super().__init__(reason)
        self.error = RecordError(row, seat, text, reason)


@dataclass(frozen=True)
class Layout:
    """What the record files of an edition are like.

    edition: who sits where. seats: them in the words of records, in small letters. keys: lines of the head that the
    game itself fills in, in small letters. turn_at: reads the turn that a text begins with, in which notes may follow,
    at a column of the line; it returns the cell and the number of characters up to its end. begins: what stands behind
    one blank where a turn begins, as a pattern. looks_like_order: whether what cannot be read was meant as a turn.
    """

    edition: Edition
    seats: Mapping[str, Seat]
    keys: tuple[str, ...]
    turn_at: Callable[[str, int], tuple[Cell, int]]
    begins: str
    looks_like_order: Callable[[str], bool] = looks_like_order

    @cached_property
    def seat(self) -> str:
        """The words for a seat, as a pattern."""
        return f"({'|'.join(self.seats)})"

    @cached_property
    def heading(self) -> re.Pattern[str]:
        """The line above the columns."""
        return re.compile(rf"\s*{self.seat}s?\W+{self.seat}s?\s*$", re.IGNORECASE)

    @cached_property
    def back(self) -> re.Pattern[str]:
        """A line that takes turns back (CF-8.6)."""
        return re.compile(
            r"\s*(?P<open>\[\s*)?(?:taken\s+back\s+to|repris[e]?\s+(?:au|à))\s+(?:(?:turn|row|tour|rang)\s+)?"
            rf"(?P<row>[0-9]{{1,6}})(?:[\s,(]+{self.seat}\)?)?\s*(?::(?P<reason>.*)|[\].]*$)",
            re.IGNORECASE,
        )

    @cached_property
    def second(self) -> re.Pattern[str]:
        """The blank before a second cell that stands close to the first."""
        return re.compile(rf"\s(?={self.begins})")

    @cached_property
    def _wins(self) -> re.Pattern[str]:
        return re.compile(rf"{self.seat}\s+(?:wins?|won|gagne|a gagné)\b", re.IGNORECASE)

    @cached_property
    def _resigns(self) -> re.Pattern[str]:
        return re.compile(rf"{self.seat}\s+(?:resigns?|resigned|abandonne)\b", re.IGNORECASE)

    def end_at(self, text: str) -> tuple[str, bool] | None:
        """Return the words of an end that a cell begins with, and whether somebody resigns by them."""
        resigns = self._resigns.match(text)
        found = self._wins.match(text) or resigns or _DRAW.match(text) or _VOID.match(text)
        return (found[0], found is resigns) if found else None

    def read_end(self, text: str) -> End | None:
        """Read `White wins: how`, `Yellow resigns`, `Draw: how`, `No result: how`; None for anything else."""
        if found := self._resigns.match(text):
            return End(self.edition.other(self.seats[found[1].lower()]), BY_RESIGNATION)
        if found := (self._wins.match(text) or re.match(rf"{self.seat}\b", text, re.IGNORECASE)):
            return End(self.seats[found[1].lower()], _how(text[found.end() :]))
        if found := _DRAW.match(text):
            return End(None, _how(text[found.end() :]))
        if found := _VOID.match(text):
            return End(None, _how(text[found.end() :]), void=True)
        return None


@dataclass
class Score:
    """A record as read: its head and rows, before any rule is asked."""

    columns: tuple[Seat, Seat]
    head: dict[str, str] = field(default_factory=dict)
    rows: list[RecordRow] = field(default_factory=list)
    backs: list[Back] = field(default_factory=list)
    right_edge: int = 18
    """Where the right column begins: under its heading, where there is a heading line."""


def read_score(text: str, layout: Layout) -> Score:
    """Read a record file. Raises Parting where a line is none of its kinds; errors in the head have row 0."""
    score = Score((layout.edition.south, WHITE))
    if why := too_long(text):
        raise Parting(0, None, "", why)
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        said = line.split(";", 1)[0].rstrip()
        if not said.strip():
            continue
        if head := head_line(line):
            _keep_head(layout, score, *head, line)
        elif found := layout.heading.match(said):
            left, right = layout.seats[found[1].lower()], layout.seats[found[2].lower()]
            if left == right:
                raise Parting(0, None, line.strip(), "both columns are headed alike")
            score.columns = (left, right)
            score.right_edge = len(said[: found.start(2)].expandtabs())
        elif found := layout.back.match(said):
            score.backs.append(_read_back(layout, found, said, len(score.rows)))
        elif found := _ROW_LINE.match(said):
            score.rows.append(_read_row(layout, int(found[1]), said, found.end()))
        elif not score.rows:
            reason = (
                f"line {number} is neither a comment (;), nor KEY = VALUE, nor a heading, nor a numbered row"
            )
            raise Parting(0, None, line.strip(), reason)
        # Below a row, lines without a number are notes (CF-8.3).
    if not score.head and not score.rows:
        raise Parting(0, None, "", "there is no record here: no line of a head and no row")
    return score


def _keep_head(layout: Layout, score: Score, key: str, said: str, line: str) -> None:
    key = str(layout.seats.get(key.lower(), key.lower()))
    if key in layout.keys:
        said = said.split(";", 1)[0].rstrip()
        if key in score.head:
            raise Parting(0, None, line.strip(), f"{key.capitalize()} is given twice")
    score.head[key] = said


def _read_back(layout: Layout, found: re.Match[str], line: str, after: int) -> Back:
    reason = " ".join((found["reason"] or "").split())
    if found["open"]:
        reason = reason.removesuffix("]")
    seat = layout.seats[found[3].lower()] if found[3] else None
    return Back(int(found["row"]), seat, trimmed(reason), line.strip(), after)


def _read_row(layout: Layout, number: int, line: str, start: int) -> RecordRow:
    """Read the cells of a row. Notes may follow a move; two blanks or a tab part the columns, one may."""
    cells: list[Cell] = []
    place = start
    while len(cells) < 2:
        found = _cell_at(layout, line, place) if not cells else _next_cell(layout, line, place)
        if found is None:
            break
        cell, place = found
        cells.append(cell)
    return RecordRow(number, tuple(cells))


def _next_cell(layout: Layout, line: str, place: int) -> tuple[Cell, int] | None:
    """Return the second cell, somewhere behind the first and its notes."""
    rest = line[place:]
    wide = [gap.start() for gap in islice(_WIDE.finditer(rest), MOST_PLACES)]
    for gap in wide:
        found = _cell_at(layout, line, place + gap)
        if found and found[0].fault is None:
            return found
    for blank in islice(layout.second.finditer(rest), MOST_PLACES):
        found = _cell_at(layout, line, place + blank.start())
        if found and found[0].fault is None and not found[0].empty:
            return found
    for blank in islice(_BLANKS.finditer(rest), MOST_PLACES):
        # Nothing can be read: is it a note, or a cell with a slip?
        found = _cell_at(layout, line, place + blank.start())
        if found and layout.looks_like_order(found[0].text):
            return found
    return None


def _cell_at(layout: Layout, line: str, place: int) -> tuple[Cell, int] | None:
    """Return the cell that starts at a place, blanks skipped, and where it ends; None when the line is over."""
    place += len(line[place:]) - len(line[place:].lstrip())
    rest = line[place:]
    column = len(line[:place].expandtabs())
    if not rest:
        return None
    if found := _NOTHING.match(rest):
        return Cell(found[0], column), place + found.end()
    if (found := _PASS.match(rest)) is not None:
        return Cell(found[0], column, passes=True), place + found.end()
    if said := layout.end_at(rest):
        words, resigns = said
        return Cell(words, column, end=layout.read_end(words), resigns=resigns), place + len(words)
    cell, length = layout.turn_at(rest, column)
    return cell, place + length


def _turn_at(rest: str, column: int) -> tuple[Cell, int]:
    """Return the one attempt that a text begins with."""
    if found := _BRACKETS.match(rest):
        move = read_move(found[1])
        if isinstance(move, Move):
            return Cell(found[0], column, (Tried(move, refused=True),)), found.end()
        return Cell(found[0], column, fault=move), found.end()
    if (read := read_move_before_notes(rest[:LONGEST_CELL])) is not None:
        move, end = read
        return Cell(rest[:end], column, (Tried(move),)), end
    token = _WIDE.split(rest, maxsplit=1)[0]
    whole = read_move(token[:LONGEST_CELL])
    if isinstance(whole, Fault):
        return Cell(token, column, fault=whole), len(token)
    return Cell(token, column, (Tried(whole),)), len(token)


CLASSIC_LAYOUT = Layout(
    CLASSIC,
    SEAT_WORDS,
    ("white", "yellow", "first", "table", "view", "result"),
    _turn_at,
    r"\(|[^\W\d_]Z?\s?[-‐‑‒–—−]",
)
"""That of Robert Abbott's own edition."""


def _how(said: str) -> str:
    """Return how a game ended: `: by agreement`, ` by agreement` and ` (by agreement)` say the same; what stands behind
    a colon keeps brackets of its own."""
    if (bracketed := re.fullmatch(r"\s*\((.*)\)[\s.!]*", said)) is not None:
        said = bracketed[1]
    return trimmed(said)
