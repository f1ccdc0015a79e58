"""Separates a rewrapped quotation from what its reader answers within it.

Some programs quote a letter, break its long lines, and mark only the first piece of each, or every few lines.
The unmarked rest would be read as the writer's own: `cancel 1.` is the end of one of our sentences. People
also write unmarked lines between marked ones, and most often they answer the example in our letter.

The letters that may be quoted are known. So all lines, marked or not, are aligned with their words; it does
not matter where a line was broken. An unmarked line is a piece of the quotation when it says exactly what
comes next in our letter and no marked line says it. If the marked lines around it already say it, the line is
an addition: the writer's own. In between is doubt:
- a piece that is a whole short line of ours may be the example, whose mark its reader has removed;
- a single piece is weak evidence of a program; one that drops marks does so again and again;
- below a marked line that is in no letter we know, anything may be a piece of that line.

A doubtful line is not executed; the service asks about it. The letter is read once, with a few candidate
places in our letters, so the cost is linear in its length.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from referee.common.characters import visible
from referee.mail.message.limits import LINE_CHARACTERS, OWN_LINES
from referee.mail.message.message import MarkedLine, OwnLine
from referee.mail.message.wrapping import may_be_broken

_WIDE = 8
"""No order has this many words, and no player writes this many of ours by chance."""
_ORDER = 4
"""Most words of an order in an example of ours."""
_CHANCE = 2
"""Most words of a line that fit by chance."""
_MISSING = 4_000
"""Characters of a gap in a quotation that are searched for a line."""
_PLACES = 4
"""Most candidate places in our letters that are kept at once."""
_SEARCHES = 200
"""How often a marked line is searched for in all of our letters."""
_AROUND = 3
"""Marked lines above and below an unmarked one that show where in our letter it stands."""
_LEAP = 48
"""The cost, in fitting letters, of a marked line that does not continue where the last one ended.

An unmarked line that fits by chance is shorter.
"""
Verdict = Literal["", "piece", "doubtful", "added"]
"""What an unmarked line is: unknown, a piece of the quotation, perhaps one, or the writer's own."""
_CERTAIN: Mapping[Verdict, bool | None] = {"": None, "doubtful": False, "added": True}
_MARKS = re.compile(r"\s*(?:[>|¦»＞]\s?)+|\s{0,3}[A-Za-z]{1,4}> ")
_WORD = re.compile(r"[^\W_]+")


def without_pieces(
    lines: tuple[OwnLine, ...], marked: Sequence[MarkedLine], ours: Iterable[str]
) -> tuple[OwnLine, ...]:
    """Return the lines without the unmarked pieces of a quotation; possible pieces are marked as doubtful.

    marked: see `marked_around`.
    ours: texts of letters that may be quoted.
    """
    if not marked:
        return lines[:OWN_LINES]
    laid = _Laid(_in_order(lines, marked), _Letters(ours))
    verdicts = laid.verdicts()
    if laid.by_program:
        _judge_wordless(lines, marked, verdicts)
    return tuple(
        replace(line, certain=_CERTAIN[verdicts.get(line.number, "")])
        for line in lines
        if verdicts.get(line.number) != "piece"
    )[:OWN_LINES]


def marked_around(marked: Sequence[tuple[int, str]], own: Sequence[OwnLine]) -> tuple[MarkedLine, ...]:
    """Return the marked lines next to the writer's own; none where all of the writer's stand above them.

    marked: each non-empty marked line with its number, as it was written.
    """
    numbers = [number for number, _ in marked]
    if not numbers or all(line.number < numbers[0] for line in own):
        return ()
    near: set[int] = set()
    for line in own:
        first = bisect_left(numbers, line.number)
        near.update(range(max(0, first - _AROUND), min(first + _AROUND, len(numbers))))
    return tuple(
        MarkedLine(numbers[at], _MARKS.sub("", visible(marked[at][1]), count=1).strip(), at - 1 not in near)
        for at in sorted(near)
    )


@dataclass(slots=True)
class _Line:
    """A line that is aligned with our letters.

    own: it has no mark.
    apart: see MarkedLine.
    said: its letters and digits.
    place: its position in `_Letters.text`, None for nowhere.
    """

    number: int
    text: str
    own: bool
    apart: bool
    said: str
    words: int
    place: int | None = None

    @property
    def end(self) -> int | None:
        """The position of its end."""
        return None if self.place is None else self.place + len(self.said)


@dataclass(frozen=True, slots=True)
class _Gap:
    """Unmarked lines between marked ones.

    above, below: the marked lines, None where there is none.
    begins, ends: the part of our letters that the marked lines and the fitting lines between them leave out;
        the same position where they leave out nothing, None where it is unknown.
    """

    above: _Line | None
    unmarked: Sequence[_Line]
    below: _Line | None
    begins: int | None = None
    ends: int | None = None

    @property
    def complete(self) -> bool:
        """True when the lines around and the fitting ones between say all that our letter does from begin to end."""
        return self.begins is not None and self.begins == self.ends


class _Letters:
    """Our letters as one run of letters and digits, with the positions where their lines begin and end."""

    def __init__(self, texts: Iterable[str]) -> None:
        pieces: list[str] = []
        self.starts: set[int] = set()
        self.ends: set[int] = set()
        place = 0
        for text in texts:
            for line in text.splitlines():
                said = _said(line)[0]
                if said:
                    self.starts.add(place)
                    place += len(said)
                    self.ends.add(place)
                    pieces.append(said)
            pieces.append("\n")  # nothing continues from one letter into the next
            place += 1
        self.text = "".join(pieces)
        self.searches = 0

    def places(self, said: str) -> list[int]:
        """Return the first few positions of this text."""
        found: list[int] = []
        self.searches += 1
        place = self.text.find(said) if self.searches <= _SEARCHES else -1
        while place >= 0 and len(found) < _PLACES:
            found.append(place)
            place = self.text.find(said, place + 1)
        return found

    def begins_at(self, place: int) -> bool:
        """Return whether a letter begins at a position."""
        return place == 0 or self.text[place - 1] == "\n"

    def end_of_letter(self, place: int) -> int:
        """Return the end of the letter that holds a position."""
        return self.text.index("\n", place)

    def is_whole(self, line: _Line) -> bool:
        """Return whether an aligned line says one or more whole lines of ours."""
        return line.place in self.starts and line.end in self.ends


class _Path(NamedTuple):
    """One way to align the lines up to now with our letters.

    fit: how much fits.
    end: the position after the last fitting line, -1 where it is unknown.
    line: the index of that line, -1 for none.
    place: its position.
    """

    fit: int
    end: int
    before: _Path | None = None
    line: int = -1
    place: int = -1


class _Laid:
    """Lines aligned with our letters in the best way."""

    def __init__(self, lines: Sequence[_Line], ours: _Letters) -> None:
        self.lines = lines
        self.ours = ours
        path: _Path | None = self._best_path()
        while path is not None:
            if path.line >= 0:
                lines[path.line].place = path.place
            path = path.before
        self.gaps = list(self._gaps())
        showing = [
            line
            for gap in self.gaps
            for line in gap.unmarked
            if line.place is not None and self._fits_well(gap, line) and self._shows_a_program(line)
        ]
        self.by_program = len(showing) > 1
        self.whole_lines = any(map(ours.is_whole, showing))

    def verdicts(self) -> dict[int, Verdict]:
        """Return what the unmarked lines are, by their numbers."""
        found: dict[int, Verdict] = {}
        for gap in self.gaps:
            unknown = set(self._below_unknown(gap))
            for line in gap.unmarked:
                if line.place is not None:
                    found[line.number] = self._of_fitting(gap, line)
                elif line.number in unknown or self._is_missing(gap, line):
                    found[line.number] = "doubtful"
                elif gap.complete and gap.above is not None:
                    found[line.number] = "added"
        return found

    def _of_fitting(self, gap: _Gap, line: _Line) -> Verdict:
        """Return what an aligned line is."""
        if gap.above is None:  # the first words are the writer's, except what nobody writes by chance
            longer = line.words > _ORDER
            if longer and self.by_program:
                return "piece"
            return "doubtful" if longer or self.by_program or self._holds_a_beginning(gap) else ""
        if gap.complete and line.words >= _WIDE:
            return "piece"
        shows = self._shows_a_program(line) or (self.whole_lines and gap.complete)
        if self.by_program and shows and self._fits_well(gap, line):
            return "piece"
        return "doubtful" if gap.complete or self.by_program or not self.ours.is_whole(line) else ""

    def _holds_a_beginning(self, gap: _Gap) -> bool:
        """Return whether a gap's lines say our letter from its first word on."""
        return any(line.place is not None and self.ours.begins_at(line.place) for line in gap.unmarked)

    def _fits_well(self, gap: _Gap, line: _Line) -> bool:
        """Return whether an aligned line is unlikely to fit by chance."""
        return gap.complete or line.words > _CHANCE

    def _shows_a_program(self, line: _Line) -> bool:
        """Return whether an aligned line is unlikely to have lost its mark by hand."""
        return line.words >= _WIDE or not self.ours.is_whole(line)

    def _is_missing(self, gap: _Gap, line: _Line) -> bool:
        """Return whether a program may have dropped the mark of a line that does not fit.

        The text expected there was changed on the way, and holds the line.
        """
        if not self.by_program or gap.begins is None or gap.ends is None:
            return False
        ends = min(gap.ends, gap.begins + _MISSING)
        return gap.above is not None and self.ours.text.find(line.said, gap.begins, ends) >= 0

    def _below_unknown(self, gap: _Gap) -> Iterator[int]:
        """Yield the numbers of a gap's lines that may continue an unknown marked line."""
        above = gap.above
        if above is None or above.place is not None:
            return
        for line in gap.unmarked:
            if line.number > above.number + 1 or line.place is not None:
                return
            if not self.by_program and not may_be_broken(above.text, line.text):
                return
            yield line.number
            above = line

    def _best_path(self) -> _Path:
        """Return the best way to align all lines, its last line first."""
        paths = [_Path(0, -1)]
        for at, line in enumerate(self.lines):
            best = paths[0]
            if line.apart:
                paths = [_Path(best.fit, -1, best)]
            going_on = [
                _Path(each.fit + len(line.said), each.end + len(line.said), each, at, each.end)
                for each in paths
                if each.end >= 0 and self.ours.text.startswith(line.said, each.end)
            ]
            if line.own and going_on:
                going_on += paths  # the writer may have put it there
            elif not line.own and not going_on:
                fit = best.fit + len(line.said) - _LEAP
                places = self.ours.places(line.said)
                going_on = [_Path(fit, place + len(line.said), best, at, place) for place in places]
            if going_on:
                paths = _best_by_end(going_on)
        return paths[0]

    def _gaps(self) -> Iterator[_Gap]:
        """Yield the runs of unmarked lines with the marked ones around them."""
        above: _Line | None = None
        unmarked: list[_Line] = []
        for line in (*self.lines, None):
            if line is not None and line.own:
                unmarked.append(line)
                continue
            if unmarked:
                yield self._gap(above, unmarked, line)
            above, unmarked = line, []

    def _gap(self, above: _Line | None, unmarked: Sequence[_Line], below: _Line | None) -> _Gap:
        if above is None and below is not None:
            return self._gap_on_top(unmarked, below)
        ends = [line.end for line in (above, *unmarked) if line is not None and line.end is not None]
        begins = ends[-1] if ends else None
        if below is not None:
            return _Gap(above, unmarked, below, begins, below.place)
        return _Gap(
            above, unmarked, None, begins, None if begins is None else self.ours.end_of_letter(begins)
        )

    def _gap_on_top(self, unmarked: Sequence[_Line], below: _Line) -> _Gap:
        """Return the run above the first marked line; its lines are aligned from there upwards.

        A marked line that is too short to be placed alone stands where the lines above it fit best.
        """
        places = self.ours.places(below.said) if below.place is None else [below.place]
        runs = [dict(self._upwards(unmarked, place)) for place in places]
        best = max(runs, key=len, default={})
        for line in unmarked:
            line.place = best.get(line.number)
        if below.place is None and not best:
            return _Gap(None, unmarked, below)
        begins = places[runs.index(best)]
        return _Gap(None, unmarked, below, begins, begins)

    def _upwards(self, unmarked: Sequence[_Line], place: int) -> Iterator[tuple[int, int]]:
        """Yield the numbers and positions of the lines that say what stands before a position."""
        for line in reversed(unmarked):
            if self.ours.text.endswith(line.said, 0, place):
                place -= len(line.said)
                yield line.number, place


def _judge_wordless(
    lines: Iterable[OwnLine], marked: Iterable[MarkedLine], verdicts: dict[int, Verdict]
) -> None:
    """Add what the lines without a letter or digit are, the end of a board's row for one.

    Each goes with the line right above it; below a marked line it is doubtful.
    """
    quoted = {line.number for line in marked}
    for line in lines:
        if not _said(line.written or line.text)[0]:
            above = line.number - 1
            verdicts[line.number] = "doubtful" if above in quoted else verdicts.get(above, "")


def _best_by_end(paths: Iterable[_Path]) -> list[_Path]:
    """Return the best path to each end, the best of all first; never more than _PLACES."""
    by_end = {each.end: each for each in sorted(paths, key=_fit)}
    return sorted(by_end.values(), key=_fit, reverse=True)[:_PLACES]


def _fit(path: _Path) -> int:
    return path.fit


def _in_order(lines: Sequence[OwnLine], marked: Sequence[MarkedLine]) -> list[_Line]:
    """Return the lines of both kinds that have letters or digits, in order."""
    quoted = (_Line(line.number, line.text, False, line.apart, *_said(line.text)) for line in marked)
    written = ((line.number, (line.written or line.text).strip()) for line in lines)
    own = (_Line(number, text, True, False, *_said(text)) for number, text in written)
    return sorted((line for line in (*quoted, *own) if line.said), key=lambda line: line.number)


def _said(text: str) -> tuple[str, int]:
    """Return the letters and digits of a line, in lower case, and its number of words."""
    if not text.isascii() and len(text) <= LINE_CHARACTERS:
        text = unicodedata.normalize("NFKC", text)
    words = _WORD.findall(text.casefold())
    return "".join(words), len(words)
