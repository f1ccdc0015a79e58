"""A record file as it is written: head, columns, rows, notes (CF-8.2, CF-8.3, CF-8.5). No rule is asked here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from referee.faults import Fault
from referee.rulebooks.confusion.compass import WHITE, YELLOW, opponent
from referee.rulebooks.confusion.likeness import looks_like_order
from referee.rulebooks.confusion.notation import Move, read_move, read_move_before_notes
from referee.rulebooks.confusion.options import SEAT_WORDS
from referee.rulebooks.confusion.record import BY_RESIGNATION
from referee.rulebooks.rulebook import RecordError, Result, Seat

_HEAD_LINE = re.compile(r"\s*([^\W\d]\w*)\s*=\s*(.*?)\s*$")
_ROW_LINE = re.compile(r"\s*(\d{1,6})(?:\s*[.):]|(?=\s|$))")
_SEAT = r"(white|yellow|blanc|jaune)"
_HEADING_LINE = re.compile(rf"\s*{_SEAT}s?\W+{_SEAT}s?\s*$", re.IGNORECASE)
_WINS = re.compile(rf"{_SEAT}\s+(?:wins?|won|gagne|a gagné)\b", re.IGNORECASE)
_RESIGNS = re.compile(rf"{_SEAT}\s+(?:resigns?|resigned|abandonne)\b", re.IGNORECASE)
_DRAW = re.compile(r"(?:draw|drawn|nulle|partie nulle)\b", re.IGNORECASE)
_VOID = re.compile(r"(?:no result|sans r[ée]sultat)\b", re.IGNORECASE)
_PASS = re.compile(r"\(?\s*pass[e]?\b(?:\s*\))?", re.IGNORECASE)
_NOTHING = re.compile(r"(?:[-‐‑‒–—−]+|\.{2,}|…)(?=\s|$)")
_BACK_LINE = re.compile(
    r"\s*(?P<open>\[)?\s*(?:taken\s+back\s+to|repris[e]?\s+(?:au|à))\s+(?:(?:turn|row|tour|rang)\s+)?"
    rf"(?P<row>\d{{1,6}})(?:[\s,(]+{_SEAT}\)?)?\s*(?::(?P<reason>.*)|[\].]*$)",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\(([^()\t]*)\)")
_OUR_KEYS = ("white", "yellow", "first", "table", "view", "result")


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
class Cell:
    """One cell of a row. text: as written. move and refused; or the end; or a pass; or nothing of these: empty."""

    text: str
    column: int
    move: Move | None = None
    refused: bool = False
    end: End | None = None
    passes: bool = False
    resigns: bool = False
    fault: Fault | None = None

    @property
    def empty(self) -> bool:
        return self.move is None and self.end is None and not self.passes and self.fault is None


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


@dataclass
class Score:
    """A record as read: its head and rows, before any rule is asked."""

    head: dict[str, str] = field(default_factory=dict)
    rows: list[RecordRow] = field(default_factory=list)
    backs: list[Back] = field(default_factory=list)
    columns: tuple[Seat, Seat] = (YELLOW, WHITE)
    right_edge: int = 18
    """Where the right column begins: under its heading, where there is a heading line."""


def read_score(text: str) -> Score:
    """Read a record file. Raises Parting where a line is none of its kinds; errors in the head have row 0."""
    score = Score()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        said = line.split(";", 1)[0].rstrip()
        if not said.strip():
            continue
        if found := _HEAD_LINE.match(line):
            _keep_head(score, found[1], found[2], line)
        elif found := _HEADING_LINE.match(said):
            left, right = SEAT_WORDS[found[1].lower()], SEAT_WORDS[found[2].lower()]
            if left == right:
                raise Parting(0, None, line.strip(), "both columns are headed alike")
            score.columns = (left, right)
            score.right_edge = len(said[: found.start(2)].expandtabs())
        elif found := _BACK_LINE.match(said):
            score.backs.append(_read_back(found, said, len(score.rows)))
        elif found := _ROW_LINE.match(said):
            score.rows.append(_read_row(int(found[1]), said, found.end()))
        elif not score.rows:
            reason = (
                f"line {number} is neither a comment (;), nor KEY = VALUE, nor a heading, nor a numbered row"
            )
            raise Parting(0, None, line.strip(), reason)
        # Below a row, lines without a number are notes (CF-8.3).
    if not score.head and not score.rows:
        raise Parting(0, None, "", "there is no record here: no line of a head and no row")
    return score


def _keep_head(score: Score, key: str, said: str, line: str) -> None:
    key = str(SEAT_WORDS.get(key.lower(), key.lower()))
    if key in _OUR_KEYS:
        said = said.split(";", 1)[0].rstrip()
        if key in score.head:
            raise Parting(0, None, line.strip(), f"{key.capitalize()} is given twice")
    score.head[key] = said


def _read_back(found: re.Match[str], line: str, after: int) -> Back:
    reason = " ".join((found["reason"] or "").split())
    if found["open"]:
        reason = reason.removesuffix("]")
    seat = SEAT_WORDS[found[3].lower()] if found[3] else None
    return Back(int(found["row"]), seat, reason.strip(" :,.!()"), line.strip(), after)


def _read_row(number: int, line: str, start: int) -> RecordRow:
    """Read the cells of a row. Notes may follow a move; two blanks or a tab part the columns, one may."""
    cells: list[Cell] = []
    place = start
    while len(cells) < 2:
        found = _cell_at(line, place) if not cells else _next_cell(line, place)
        if found is None:
            break
        cell, place = found
        cells.append(cell)
    return RecordRow(number, tuple(cells))


def _next_cell(line: str, place: int) -> tuple[Cell, int] | None:
    """Return the second cell, somewhere behind the first and its notes."""
    wide = [gap.start() for gap in re.finditer(r"\s{2,}|\t", line[place:])]
    for gap in wide:
        found = _cell_at(line, place + gap)
        if found and found[0].fault is None:
            return found
    for blank in re.finditer(r"\s(?=\(|[^\W\d_]Z?\s?[-‐‑‒–—−])", line[place:]):
        found = _cell_at(line, place + blank.start())
        if found and found[0].fault is None and not found[0].empty:
            return found
    for blank in re.finditer(r"\s+", line[place:]):
        # Nothing can be read: is it a note, or a cell with a slip?
        found = _cell_at(line, place + blank.start())
        if found and looks_like_order(found[0].text):
            return found
    return None


def _cell_at(line: str, place: int) -> tuple[Cell, int] | None:
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
    if found := (_WINS.match(rest) or _RESIGNS.match(rest) or _DRAW.match(rest) or _VOID.match(rest)):
        resigns = found.re is _RESIGNS
        return Cell(found[0], column, end=read_end(found[0]), resigns=resigns), place + found.end()
    if found := _BRACKETS.match(rest):
        move = read_move(found[1])
        if isinstance(move, Move):
            return Cell(found[0], column, move, refused=True), place + found.end()
        return Cell(found[0], column, fault=move), place + found.end()
    if (read := read_move_before_notes(rest)) is not None:
        move, end = read
        return Cell(rest[:end], column, move), place + end
    token = re.split(r"\s{2,}|\t", rest)[0]
    whole = read_move(token)
    if isinstance(whole, Fault):
        return Cell(token, column, fault=whole), place + len(token)
    return Cell(token, column, whole), place + len(token)


def read_end(text: str) -> End | None:
    """Read `White wins: how`, `Yellow resigns`, `Draw: how`, `No result: how`; None for anything else."""
    if found := _RESIGNS.match(text):
        return End(opponent(SEAT_WORDS[found[1].lower()]), BY_RESIGNATION)
    if found := (_WINS.match(text) or re.match(rf"{_SEAT}\b", text, re.IGNORECASE)):
        return End(SEAT_WORDS[found[1].lower()], text[found.end() :].strip(" :,.!()\t"))
    if found := _DRAW.match(text):
        return End(None, text[found.end() :].strip(" :,.!()\t"))
    if found := _VOID.match(text):
        return End(None, text[found.end() :].strip(" :,.!()\t"), void=True)
    return None
