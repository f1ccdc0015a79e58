"""Reads a record file: head, columns, rows, notes (CF-8.2, CF-8.3, CF-8.5). The rules are not consulted.

The files of two editions differ in their seats and in the content of a cell; a `Layout` describes this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from referee.common.faults import Fault
from referee.rulebooks.branches import trimmed
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.edition import CLASSIC, Edition
from referee.rulebooks.confusion.likeness import looks_like_order
from referee.rulebooks.confusion.notation import Move, read_move, read_move_before_notes
from referee.rulebooks.confusion.options import SEAT_WORDS
from referee.rulebooks.confusion.record import BY_AGREEMENT, BY_RESIGNATION
from referee.rulebooks.record_ends import read_how
from referee.rulebooks.record_text import (
    head_line,
    hides_row,
    no_line,
    record_lines,
    too_long,
    without_comments,
)
from referee.rulebooks.rulebook import RecordError, Result, Seat

_ROW_LINE = re.compile(r"\s*([0-9]{1,6})(?:\s*[.):]|(?=\s|$))")
LONGEST_CELL = 120
"""The most characters in which a move is looked for; no real move has as many."""
MOST_PLACES = 16
"""The most places in a row at which a second turn is looked for; a row with more is taken to have one."""
_OVER = r"(?=[\s.,:;!()]|$)"
"""Must follow the words of an end, so that they are not part of a longer word."""
_DRAW = re.compile(rf"(?:draw|drawn|nulle|partie nulle){_OVER}", re.IGNORECASE)
_VOID = re.compile(rf"(?:no result|sans r[ée]sultat){_OVER}", re.IGNORECASE)
_PASS = re.compile(r"\(\s*pass[e]?\s*\)|pass[e]?\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?:[-‐‑‒–—−]+|\.{2,}|…)(?=\s|$)")
_BRACKETS = re.compile(rf"\(([^()\t]{{0,{LONGEST_CELL}}})\)")
_WIDE = re.compile(r"\s{2,}|\t")
_GROWN_ON = re.compile(r"[.,:!…]*[^\s.,:!…]")
"""Follows a cell without a blank."""
_AGREED = re.compile(r"agreed|d['’](?:un )?commun accord", re.IGNORECASE)
_NOTED = re.compile(
    r"[\s.,:!…]*(?:$|\s[!?=+/±-]+\s*$|[(\[].*[)\]][\s.]*$|\d.*[:.-]|(?:ok|so)\b|.*[^\W\d_]{3})"
)
"""May follow a move: only punctuation, or a note, that is a word, a mark, a time, or anything in brackets.

One or two letters may be the rest of a move.
"""
_STUMP = re.compile(r"[^\W\d_]Z?\s?[-‐‑‒–—−]\S{0,8}")
"""The rest of a damaged move, with nothing else."""
_LOST_NUMBER = re.compile(r"\s*(?:(?=\S*\d)\S{1,8}|\S{1,4}[.):]|[^\w\s(\[#?]{1,3})\s+")
"""What may once have been the number of a row."""
_SCORE = r"(?:1|0|½|1/2)\s?[-–]\s?(?:1|0|½|1/2)\s*$"
_LIKE_A_SCORE = re.compile(rf"\s*{_SCORE}")
_LIKE_A_RESULT = re.compile(rf"\s*(?:(?:result|résultat)\b|{_SCORE})", re.IGNORECASE)
_TURN_MAY_BEGIN = re.compile(r"\s+(?=[(\[#?]|[^\W\d_]Z?\s?[-‐‑‒–—−]|[^\W\d_]\s?<)")
"""Follows notes: a blank and the beginning of a turn of any edition."""
_BESIDE_TURNS = re.compile(
    r"\s+|(?:(?:was|is|est)\s)?(?:yes|no|oui|non|ok|refused|refusée?|allowed|denied|impossible|illegal)\b"
    r"|(?:n[r°]|(?:row|turn|move|rang|tour|coup|and|then|et|puis)\b)|\d+\b",
    re.IGNORECASE,
)
"""Makes no prose of a line of turns: answers, numbers, and the words before them."""
_SIGNS = re.compile(r"[\W_]+")
_PROSE = re.compile(r"[^\W\d_]{3}")
_SAYS_NO = re.compile(
    r"\W*(?:(?:was|is|est)\s+)?(?:no|not|non|refused|refusée?|impossible|illegal)\b", re.IGNORECASE
)


_TURN_ASTRAY = "a turn stands in a row, which begins with its number"
_END_ASTRAY = "how a game ended stands in its head, as in `Result = White wins`, or in a cell"
_BACK_ASTRAY = (
    "what takes turns back is a line that begins so, without brackets, as in `taken back to 12 White: REASON`"
)


@dataclass(frozen=True, slots=True)
class End:
    """What a record states of the end.

    winner: None for a draw, and where it is void. how: "" where it is not stated.
    """

    winner: Seat | None
    how: str
    void: bool = False

    def agrees(self, result: End | Result) -> bool:
        """Return whether another end has the same winner."""
        return (self.winner, self.void) == (result.winner, result.void)


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt as in a cell.

    refused: in brackets.
    unanswered: in square brackets.
    unmasked: it revealed a double agent, in editions that have one.
    taken_by: the piece of the other side that then took Z, "" for none.
    """

    move: Move
    refused: bool = False
    unanswered: bool = False
    unmasked: bool = False
    taken_by: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a row: a turn (attempts, or a pass), an end, or nothing.

    text: as written.
    action: what precedes the attempts of a turn, canonical, in editions that have such.
    unanswered: the cell is a pass in square brackets.
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
    """A numbered row as written.

    cells: none, one or two.
    stray: the first line below it that is no part of a record, as a cell with its fault.
    """

    number: int
    cells: tuple[Cell, ...]
    stray: Cell | None = None

    @property
    def sound(self) -> bool:
        """Whether it has no fault."""
        return self.stray is None and all(cell.fault is None for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Back:
    """A line that takes turns back (CF-8.6).

    seat: None where it does not say whose turn of the row it is.
    reason: "" where it gives none.
    after: how many of the record's rows precede it.
    """

    row: int
    seat: Seat | None
    reason: str
    text: str
    after: int


class Parting(Exception):
    """The first place where a record and the rules differ; carries the error to the top of the replay."""

    def __init__(self, row: int, seat: Seat | None, text: str, reason: str) -> None:
        super().__init__(reason)
        self.error = RecordError(row, seat, text, reason)


@dataclass(frozen=True)
class Layout:
    """The form of an edition's record files.

    edition: its seats and pieces.
    seats: by their words in records, in lower case.
    keys: lines of the head that the game itself fills in, in lower case.
    turn_at: reads the turn at the beginning of a text, at a column of the line; notes may follow it. Returns
        the cell and its length in characters.
    looks_like_order: whether unreadable text was meant as a turn.
    """

    edition: Edition
    seats: Mapping[str, Seat]
    keys: tuple[str, ...]
    turn_at: Callable[[str, int], tuple[Cell, int]]
    looks_like_order: Callable[[str], bool] = looks_like_order

    @cached_property
    def seat(self) -> str:
        """The words for a seat, as a pattern."""
        return f"({'|'.join(self.seats)})"

    @cached_property
    def seat_word(self) -> re.Pattern[str]:
        """A seat at the beginning of a text."""
        return re.compile(rf"{self.seat}s?\b", re.IGNORECASE)

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
    def back_astray(self) -> re.Pattern[str]:
        """What was meant as such a line, behind signs or with more than its form has."""
        return re.compile(
            r"[\W_]*(?:then )?(?:taken back to|repris[e]? (?:au|à)) (?:(?:turn|row|tour|rang) )?[0-9]{1,6}"
            rf"(?:[ ,(]{{1,3}}{self.seat}\b|\s?:|[^\w]*$)",
            re.IGNORECASE,
        )

    @cached_property
    def addressed(self) -> re.Pattern[str]:
        """The seat or the number of a turn in words, before the turn."""
        return re.compile(rf"\s*(?:{self.seat}|turn|move|row|tour|coup)\s*\d*\W{{1,3}}", re.IGNORECASE)

    @cached_property
    def _wins(self) -> re.Pattern[str]:
        return re.compile(rf"{self.seat}\s+(?:wins?|won|gagne|a gagné){_OVER}", re.IGNORECASE)

    @cached_property
    def _resigns(self) -> re.Pattern[str]:
        return re.compile(rf"{self.seat}\s+(?:resigns?|resigned|abandonne){_OVER}", re.IGNORECASE)

    def is_no_move(self, text: str) -> bool:
        """Return whether a text was meant as an end, or as an attempt that lacks one of its brackets."""
        return self._like_an_end.match(text) is not None or text.startswith("(")

    @cached_property
    def _like_an_end(self) -> re.Pattern[str]:
        words = "draw|nulle|partie|no result|sans|resign|abandon|wins?|won|gagne"
        return re.compile(rf"\W*(?:{self.seat}\b|{words})", re.IGNORECASE)

    def why_no_cell(self, text: str) -> Fault:
        """Return why a text is neither a turn nor an end."""
        if self._like_an_end.match(text):
            one, other = (seat.capitalize() for seat in (WHITE, self.edition.other(WHITE)))
            reason = (
                f"an end is written `{one} wins`, `{other} resigns`, `Draw` or `No result`, and how it came about "
                "as in `Draw: by agreement`; what is in doubt, or only offered, is none"
            )
            return Fault("record-end", reason)
        if text.count("(") != text.count(")"):
            return Fault(
                "record-brackets", "a refused attempt stands in two brackets, as in `(V-E1)`", rule="CF-8.1"
            )
        read = read_move(text[:LONGEST_CELL], letters=self.edition.letters)
        return read if isinstance(read, Fault) else Fault("record", "this cannot be read")

    @cached_property
    def _told_end(self) -> re.Pattern[str]:
        """An end in words, in other forms than a cell has."""
        apart, seat = r"[\W_]{1,9}", f"(?:the )?{self.seat}s?"
        ends = "|".join(
            (
                rf"{seat}{apart}(?:is|was|are) (?:the )?(?:winners?|victorious)",
                rf"{seat}{apart}(?:(?:has|have|had|a|ont) )?(?:wins?|won|gagnen?t?|gagnée?s?|resigns?|resigned"
                r"|abandonnen?t?|abandonnée?s?|gives? up|gave up|given up|loses?|lost|concedes?|conceded|perd|perdu)",
                rf"(?:a )?(?:win|won|victory|victoire|resignation|resigned|abandon) (?:for|of|by|pour|des?) {seat}",
                r"(?:(?:the|this|la) )?(?:(?:game|partie) )?(?:(?:is|was|ends?|ended|est) )?(?:in )?(?:a )?"
                r"(?:draw|drawn|nulle)",
                rf"(?:no|without(?: a)?|sans){apart}(?:result|r[ée]sultat)",
            )
        )
        begin = r"[\W_]*(?:(?:then|result|résultat)[\W_]{1,3})?"
        return re.compile(rf"{begin}(?:{ends})\b(?: (?:the|this|la) (?:game|match|partie)\b)?", re.IGNORECASE)

    def tells_end(self, said: str) -> bool:
        """Return whether a text with single blanks says, in any words, that the game ended, and nothing else."""
        found = self._told_end.match(said)
        if found is None:
            return False
        rest = said[found.end() :]
        return re.search(r"\w", rest) is None or read_how(rest) is not None

    def end_at(self, text: str) -> Cell | None:
        """Return the cell of an end at the beginning of a text, up to a gap between columns; None for no end."""
        words = (self._wins, self._resigns, _DRAW, _VOID)
        if not any(each.match(text) for each in words):
            return None
        said = _WIDE.split(text, maxsplit=1)[0].rstrip()
        end = self.read_end(said)
        if end is None:
            return Cell(said, 0, fault=self.why_no_cell(said))
        return Cell(said, 0, end=end, resigns=self._resigns.match(text) is not None)

    def read_end(self, text: str) -> End | None:
        """Read `White wins: how`, `Yellow resigns`, `Draw: how`, `No result: how`.

        None for anything else, and for a draw that was only offered.
        """
        winner, void = None, False
        if found := self._resigns.match(text):
            rest = text[found.end() :].strip(" .!")
            return None if rest else End(self.edition.other(self.seats[found[1].lower()]), BY_RESIGNATION)
        if found := (self._wins.match(text) or re.match(rf"{self.seat}\b", text, re.IGNORECASE)):
            winner = self.seats[found[1].lower()]
        elif found := _VOID.match(text):
            void = True
        elif not (found := _DRAW.match(text)):
            return None
        how = read_how(text[found.end() :])
        if how is None:
            return None
        return End(winner, BY_AGREEMENT if _AGREED.fullmatch(how) else how, void)


@dataclass
class Score:
    """A record as read: its head and rows, before the rules are consulted."""

    columns: tuple[Seat, Seat]
    head: dict[str, str] = field(default_factory=dict)
    rows: list[RecordRow] = field(default_factory=list)
    backs: list[Back] = field(default_factory=list)
    right_edge: int = 18
    """The column where the right cells begin: under their heading, if there is a heading line."""


def read_score(text: str, layout: Layout) -> Score:
    """Read a record file. Raises Parting for an unreadable line; errors in the head have row 0.

    The rows end with the first that has a fault: nothing after it can be replayed.
    """
    score = Score((layout.edition.south, WHITE))
    if why := too_long(text):
        raise Parting(0, None, "", why)
    for number, line in enumerate(record_lines(text), 1):
        _read_line(layout, score, number, line)
    if not score.head and not score.rows:
        raise Parting(0, None, "", "there is no record here: no line of a head and no row")
    return score


def _read_line(layout: Layout, score: Score, number: int, line: str) -> None:
    said = without_comments(line)
    if not said:
        return
    if head := head_line(line):
        _keep_head(layout, score, *head, line)
    elif found := layout.heading.match(said):
        left, right = layout.seats[found[1].lower()], layout.seats[found[2].lower()]
        if left == right:
            raise Parting(0, None, line.strip(), "both columns are headed alike")
        score.columns = (left, right)
        score.right_edge = len(said[: found.start(2)].expandtabs())
    elif score.rows and not score.rows[-1].sound:
        return
    elif found := layout.back.match(whole := line.split(";", 1)[0].rstrip()):
        score.backs.append(_read_back(layout, found, whole, len(score.rows)))
    elif found := _ROW_LINE.match(said):
        score.rows.append(RecordRow(int(found[1]), _cells(layout, said, found.end())))
    elif not score.rows:
        raise Parting(0, None, line.strip(), no_line(number, line))
    else:
        _read_unnumbered(layout, score, said, no_line(number, line) if hides_row(line) else "")


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


def _read_unnumbered(layout: Layout, score: Score, line: str, why: str) -> None:
    """Read a line without a number below a row: a note, the second cell of a broken row (CF-8.3), or a stray.

    why: why it is a stray, whatever it contains; "" where it may be a note.
    """
    row = score.rows[-1]
    is_broken = len(row.cells) == 1 and not (score.backs and score.backs[-1].after == len(score.rows))
    said, lost = line.strip(), _LOST_NUMBER.match(line) or layout.addressed.match(line)
    cells = _cells(layout, line, 0)
    bare = _are_all(cells, said)
    if is_broken and len(cells) == 1 and cells[0].fault is None and (bare or cells[0].tries):
        score.rows[-1] = replace(row, cells=(*row.cells, replace(cells[0], column=score.right_edge)))
        return
    if bare or (is_broken and _cell_further(layout, f" {line}", 0) is not None):
        why = _TURN_ASTRAY
    elif lost and _are_all(_cells(layout, line, lost.end()), line[lost.end() :]):
        why = f"`{lost[0].strip()}` is not the number of a row"
    elif is_broken and _STUMP.fullmatch(said):
        why = layout.why_no_cell(said).reason()
    elif _LIKE_A_RESULT.match(" ".join(said.split())):
        why = _END_ASTRAY
    else:
        why = why or _why_astray(layout, said)
    if why:
        literally = why.replace("{", "{{").replace("}", "}}")
        score.rows[-1] = replace(row, stray=Cell(said, 0, fault=Fault("record", literally)))


def _why_astray(layout: Layout, said: str) -> str:
    """Return why a line below a row is no note but a turn, an end or a take-back; "" for prose (CF-8.3).

    Two blanks, a bracket or an answer make no prose of it; words behind a move do, as in `V-NW2 was better`.
    """
    if layout.looks_like_order(said) and not _PROSE.search(said):
        return _TURN_ASTRAY
    said, place, looks, turns = " ".join(said.split()), 0, 0, 0
    while place < len(said) and looks < MOST_PLACES:
        rest = said[place:]
        if why := _why_no_note(layout, rest):
            return why
        found = _BESIDE_TURNS.match(rest) or layout.seat_word.match(rest)
        if found is None:
            looks += 1
            cell, length = _cell_in(layout, rest, 0)
            if cell.fault is None and not cell.empty:
                turns, place = turns + 1, place + length
                continue
            if (found := _SIGNS.match(rest)) is None:
                return ""
        place += found.end()
    return _TURN_ASTRAY if turns or place < len(said) else ""


def _why_no_note(layout: Layout, said: str) -> str:
    """Return why words are no note: they tell an end or a take-back. "" for a note."""
    if layout.tells_end(said) or _LIKE_A_SCORE.match(said):
        return _END_ASTRAY
    return _BACK_ASTRAY if layout.back_astray.match(said) else ""


def _are_all(cells: Sequence[Cell], line: str) -> bool:
    """Return whether a line holds only cells without a fault, at least one of them a turn or an end."""
    for cell in cells:
        line = line.replace(cell.text, "", 1)
    sound = all(cell.fault is None for cell in cells) and not all(cell.empty for cell in cells)
    return sound and not line.strip(" \t.,;!")


def _cells(layout: Layout, line: str, start: int) -> tuple[Cell, ...]:
    """Return the cells in a line from a position on, at most two.

    Notes may follow a move. Anything else between or after the cells is a fault of the cell before it.
    """
    if (found := _cell_at(layout, line, start)) is None:
        return ()
    first, end = found
    second = _second_place(layout, line, end)
    if not _may_follow(layout, first, line[end:second]):
        first = _with_more(layout, first, line, start, end, second)
    if (found := _cell_at(layout, line, second)) is None:
        return (first,)
    cell, end = found
    third = _cell_further(layout, line, end)
    if third is not None or not _may_follow(layout, cell, line[end:]):
        cell = _with_more(layout, cell, line, second, end, len(line))
    return first, cell


def _may_follow(layout: Layout, cell: Cell, said: str) -> bool:
    """Return whether a text may follow a cell: notes follow a move (CF-8.3)."""
    if not said.strip():
        return True
    if not cell.tries or (_SAYS_NO.match(said) and not cell.tries[-1].refused):
        return False
    return _NOTED.match(said) is not None and not _why_no_note(layout, " ".join(said.split()))


def _second_place(layout: Layout, line: str, place: int) -> int:
    """Return the position of the second cell, after the first and its notes; the end of the line where there is none.

    Two blanks or a tab separate the columns; one blank may.
    """
    wide = [gap.start() for gap in islice(_WIDE.finditer(line, place), MOST_PLACES)]
    for gap in wide:
        found = _cell_at(layout, line, gap)
        if found and found[0].fault is None:
            return gap
    if _begins_second(layout, line, place):
        return place
    if (close := _cell_further(layout, line, place)) is not None:
        return close
    # Unreadable text in the second column is no note.
    return wide[0] if wide else len(line)


def _cell_further(layout: Layout, line: str, place: int) -> int | None:
    """Return the position of the next turn after notes, or of what was meant as one; None where only notes are left.

    Where there are too many places to try, it is the first untried one, so that nothing stays hidden after
    them.
    """
    blanks = list(islice(_TURN_MAY_BEGIN.finditer(line, place), MOST_PLACES + 1))
    cells = [_cell_at(layout, line, blank.start()) for blank in blanks[:MOST_PLACES]]
    found = [(blank, cell[0]) for blank, cell in zip(blanks, cells, strict=False) if cell]
    for blank, cell in found:
        if cell.tries:
            return blank.start()
    for blank, cell in found:
        if layout.looks_like_order(cell.text) or _STUMP.fullmatch(line[blank.end() :].strip()):
            return blank.start()
    return blanks[MOST_PLACES].start() if len(blanks) > MOST_PLACES else None


def _begins_second(layout: Layout, line: str, place: int) -> bool:
    """Return whether the text that one blank separates from the first cell is the second, or was meant as an end."""
    found, said = _cell_at(layout, line, place), line[place:].strip()
    return found is not None and (
        found[0].fault is None or (layout.is_no_move(said) and not _is_bracketed(said))
    )


def _is_bracketed(said: str) -> bool:
    """Return whether a text begins with words in brackets, as notes do."""
    return said.startswith("(") and said.count("(") == said.count(")")


def _with_more(layout: Layout, cell: Cell, line: str, start: int, end: int, edge: int) -> Cell:
    """Return a cell, from `start` to `end`, with the text that follows it up to `edge` as its fault."""
    if cell.fault is not None:
        return cell
    more, text = line[end:edge].strip(), cell.text.strip()
    message = (
        "behind {text} nothing more is expected, but there is `{more}`; "
        "a note has words, or stands in braces: {noted}"
    )
    facts = {"text": text, "more": more, "noted": f"{text} {{{more}}}"}
    fault = layout.why_no_cell(more) if cell.empty else Fault("record-more", message, facts, rule="CF-8.3")
    return replace(cell, text=line[start:edge].strip(), tries=(), end=None, passes=False, fault=fault)


def _cell_at(layout: Layout, line: str, place: int) -> tuple[Cell, int] | None:
    """Return the cell at a position, after blanks, and its end; None at the end of the line.

    Text that is neither a turn nor an end, or that continues one without a blank, is a cell with a fault.
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
    """Return the cell at the beginning of a text, and its length."""
    if found := _NOTHING.match(rest):
        return Cell(found[0], column), found.end()
    if found := _PASS.match(rest):
        return Cell(found[0], column, passes=True), found.end()
    if cell := layout.end_at(rest):
        return replace(cell, column=column), len(cell.text)
    return layout.turn_at(rest, column)


def _turn_at(rest: str, column: int) -> tuple[Cell, int]:
    """Return the one attempt at the beginning of a text."""
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
)
"""The layout of the classic edition."""
