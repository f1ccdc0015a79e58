"""A record file as it is written: head, columns, rows, notes (CF-8.2, CF-8.3, CF-8.5). No rule is asked here.

The files of two editions differ in who sits where and in what a cell can hold; a `Layout` says in what.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from referee.rulebooks.record_text import head_line, record_lines, too_long
from referee.rulebooks.rulebook import RecordError, Result, Seat

_ROW_LINE = re.compile(r"\s*([0-9]{1,6})(?:\s*[.):]|(?=\s|$))")
LONGEST_CELL = 120
"""Signs in which a move is looked for; with all that may be written inside, none has so many."""
_OVER = r"(?=[\s.,:;!()]|$)"
"""Behind the words of an end: what is grown together with them is none."""
_DRAW = re.compile(rf"(?:draw|drawn|nulle|partie nulle){_OVER}", re.IGNORECASE)
_VOID = re.compile(rf"(?:no result|sans r[ée]sultat){_OVER}", re.IGNORECASE)
_PASS = re.compile(r"\(\s*pass[e]?\s*\)|pass[e]?\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?:[-‐‑‒–—−]+|\.{2,}|…)(?=\s|$)")
_BRACKETS = re.compile(rf"\(([^()\t]{{0,{LONGEST_CELL}}})\)")
_WIDE = re.compile(r"\s{2,}|\t")
_BLANKS = re.compile(r"\s+")
_GROWN_ON = re.compile(r"[.,:;!?…]*[^\s.,:;!?…]")
"""Behind a cell: something that no blank parts from it."""
_STUMP = re.compile(r"[^\W\d_]Z?\s?[-‐‑‒–—−]\S{0,8}")
"""The rest of a damaged move, with nothing else."""
_LOST_NUMBER = re.compile(r"\s*(?:(?=\S*\d)\S{1,8}|\S{1,4}[.):])\s+")
"""What may once have been the number of a row."""
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
        return re.compile(rf"{self.seat}\s+(?:wins?|won|gagne|a gagné){_OVER}", re.IGNORECASE)

    @cached_property
    def _resigns(self) -> re.Pattern[str]:
        return re.compile(rf"{self.seat}\s+(?:resigns?|resigned|abandonne){_OVER}", re.IGNORECASE)

    def is_no_move(self, text: str) -> bool:
        """Tell whether a text was meant as an end, or as an attempt that lost one of its brackets."""
        return self._like_an_end.match(text) is not None or text.startswith("(")

    @cached_property
    def _like_an_end(self) -> re.Pattern[str]:
        words = "draw|nulle|partie|no result|sans|resign|abandon|wins?|won|gagne"
        return re.compile(rf"\W*(?:{self.seat}\b|{words})", re.IGNORECASE)

    def why_no_cell(self, text: str) -> Fault:
        """Return why a text is neither a turn nor an end."""
        if self._like_an_end.match(text):
            one, other = (seat.capitalize() for seat in (WHITE, self.edition.other(WHITE)))
            reason = f"an end is written `{one} wins`, `{other} resigns`, `Draw` or `No result`"
            return Fault("record-end", reason)
        if text.count("(") != text.count(")"):
            return Fault(
                "record-brackets", "a refused attempt stands in two brackets, as in `(V-E1)`", rule="CF-8.1"
            )
        read = read_move(text[:LONGEST_CELL], letters=self.edition.letters)
        return read if isinstance(read, Fault) else Fault("record", "this cannot be read")

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
    for number, line in enumerate(record_lines(text), 1):
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
        else:
            _read_unnumbered(layout, score, said)
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
    """Read the cells of a row (CF-8.3)."""
    cells, _ = _cells(layout, line, start)
    return RecordRow(number, cells)


def _read_unnumbered(layout: Layout, score: Score, line: str) -> None:
    """Read a line below a row that has no number of its own: a note, or the second cell of a row that was broken in two
    (CF-8.3). Raises Parting where it holds turns whose number is lost."""
    row = score.rows[-1]
    is_broken = len(row.cells) == 1 and not (score.backs and score.backs[-1].after == len(score.rows))
    cells, end = _cells(layout, line, 0)
    if _is_whole(cells, line[end:]):
        if len(cells) > 1 or not is_broken:
            raise Parting(
                row.number, None, line.strip(), "a turn stands in a row, which begins with its number"
            )
        score.rows[-1] = RecordRow(row.number, (*row.cells, replace(cells[0], column=score.right_edge)))
    elif is_broken and _STUMP.fullmatch(line.strip()):
        raise Parting(row.number, None, line.strip(), layout.why_no_cell(line.strip()).reason())
    elif lost := _LOST_NUMBER.match(line):
        cells, end = _cells(layout, line, lost.end())
        if _is_whole(cells, line[end:]):
            raise Parting(row.number, None, line.strip(), f"`{lost[0].strip()}` is not the number of a row")


def _is_whole(cells: Sequence[Cell], rest: str) -> bool:
    """Tell whether nothing but cells stands there, and some turn or end among them. rest: what stands behind them."""
    sound = all(cell.fault is None for cell in cells)
    return sound and not all(cell.empty for cell in cells) and not rest.strip(" .,;!")


def _cells(layout: Layout, line: str, start: int) -> tuple[tuple[Cell, ...], int]:
    """Return the cells that stand in a line from a place on, at most two, and where the last ends.

    Notes may follow a move. One blank or more parts them from it; two, or a tab, part the columns, and one may.
    """
    cells: list[Cell] = []
    place = start
    while len(cells) < 2:
        found = _cell_at(layout, line, place) if not cells else _next_cell(layout, line, place)
        if found is None:
            break
        cell, place = found
        cells.append(cell)
    if cells and cells[-1].empty and (rest := line[place:].strip()):
        text = f"{cells[-1].text} {rest}"  # notes follow a move, and not an empty cell
        cells[-1], place = replace(cells[-1], text=text, fault=layout.why_no_cell(rest)), len(line)
    return tuple(cells), place


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
    if wide:  # what stands there is no note, though it cannot be read
        return _cell_at(layout, line, place + wide[0])
    for blank in islice(_BLANKS.finditer(rest), MOST_PLACES):
        # Nothing can be read: is it a note, or a cell with a slip?
        found = _cell_at(layout, line, place + blank.start())
        if found and (layout.looks_like_order(found[0].text) or _STUMP.fullmatch(rest[blank.end() :])):
            return found
    return None


def _cell_at(layout: Layout, line: str, place: int) -> tuple[Cell, int] | None:
    """Return the cell that starts at a place, blanks skipped, and where it ends; None when the line is over.

    What is neither a turn nor an end, or has something grown on, is a cell with a fault.
    """
    place += len(line[place:]) - len(line[place:].lstrip())
    rest = line[place:]
    column = len(line[:place].expandtabs())
    if not rest:
        return None
    cell, length = _cell_in(layout, rest, column)
    if (cell.fault is None and _GROWN_ON.match(rest, length)) or (
        cell.fault is not None and layout.is_no_move(rest)
    ):
        text = _WIDE.split(rest, maxsplit=1)[0]
        return Cell(text, column, fault=layout.why_no_cell(text)), place + len(text)
    return cell, place + length


def _cell_in(layout: Layout, rest: str, column: int) -> tuple[Cell, int]:
    """Return the cell that a text begins with, and its length."""
    if found := _NOTHING.match(rest):
        return Cell(found[0], column), found.end()
    if found := _PASS.match(rest):
        return Cell(found[0], column, passes=True), found.end()
    if said := layout.end_at(rest):
        words, resigns = said
        return Cell(words, column, end=layout.read_end(words), resigns=resigns), len(words)
    return layout.turn_at(rest, column)


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
