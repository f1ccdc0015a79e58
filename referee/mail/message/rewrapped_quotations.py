"""A quotation that was wrapped anew is told from what its reader answers within it.

Some programs quote a letter, break its long lines, and mark only the first piece of each, or every few lines. What
they leave unmarked would be read as the writer's own: `cancel 1.` is the end of a sentence of ours. People, too, write
unmarked lines between marked ones, and the example of our letter is what they answer most.

The letters that may be quoted are known, so all lines, marked or not, are laid along their words; where a line was
broken does not matter. An unmarked line that says just what comes next in our letter, where no marked line says it, is
a piece of it. What the marked lines around it say already, it adds: then it is the writer's. In between is doubt:

- a piece that is a whole short line of ours may be the example, whose mark its reader has taken off;
- a single piece says little of a program; one that leaves marks off does so again and again;
- below a marked line that is in no letter we know, anything may be a piece of that.

A doubtful line is not done; the desk asks about it. The letter is gone through once, with a few places of ours in
mind, so that the cost grows with its length and no faster.
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
"""So many words no order has, and no player writes by chance as we do."""
_ORDER = 4
"""So many words an order has at most, in an example of ours."""
_CHANCE = 2
"""So many words of a line fit by chance."""
_MISSING = 4_000
"""So much of what is missing in a quotation is looked through for a line."""
_PLACES = 4
"""So many places of our letters are borne in mind at once."""
_SEARCHES = 200
"""So often a marked line is looked for in all of our letters."""
_AROUND = 3
"""So many marked lines above and below an unmarked one show where in our letter it stands."""
_LEAP = 48
"""What it costs, in letters that fit, that a marked line does not go on where the last one ended: an unmarked line that
fits by chance is shorter."""
Verdict = Literal["", "piece", "doubtful", "added"]
"""What an unmarked line is: nothing is known, a piece of the quotation, perhaps one, or the writer's own."""
_CERTAIN: Mapping[Verdict, bool | None] = {"": None, "doubtful": False, "added": True}
_MARKS = re.compile(r"\s*(?:[>|¦»＞]\s?)+|\s{0,3}[A-Za-z]{1,4}> ")
_WORD = re.compile(r"[^\W_]+")


def without_pieces(
    lines: tuple[OwnLine, ...], marked: Sequence[MarkedLine], ours: Iterable[str]
) -> tuple[OwnLine, ...]:
    """Return the lines without the unmarked pieces of a quotation; those that may be some are doubtful.

    marked: see `marked_around`. ours: texts of letters that may be quoted.
    """
    if not marked:
        return lines[:OWN_LINES]
    verdicts = _Laid(_in_order(lines, marked), _Letters(ours)).verdicts()
    return tuple(
        replace(line, certain=_CERTAIN[verdicts.get(line.number, "")])
        for line in lines
        if verdicts.get(line.number) != "piece"
    )[:OWN_LINES]


def marked_around(marked: Sequence[tuple[int, str]], own: Sequence[OwnLine]) -> tuple[MarkedLine, ...]:
    """Return the marked lines next to the writer's own; none where all of these stand above them.

    marked: each marked line that says anything, with its number, as it was written.
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
    """A line that is laid along our letters. own: it bears no mark. apart: see MarkedLine. said: its letters and
    digits. place: where in `_Letters.text` it stands, None for nowhere."""

    number: int
    text: str
    own: bool
    apart: bool
    said: str
    words: int
    place: int | None = None

    @property
    def end(self) -> int | None:
        """Where it ends there."""
        return None if self.place is None else self.place + len(self.said)


@dataclass(frozen=True, slots=True)
class _Gap:
    """Unmarked lines between marked ones. above, below: None where there is none.

    begins, ends: which part of our letters the marked lines around it and what fits between leave out; the same place
    where they leave out nothing, and None where that is not known.
    """

    above: _Line | None
    unmarked: Sequence[_Line]
    below: _Line | None
    begins: int | None = None
    ends: int | None = None

    @property
    def complete(self) -> bool:
        """True when the lines around and what fits between say all that our letter does from here to there."""
        return self.begins is not None and self.begins == self.ends


class _Letters:
    """Letters of ours as one run of letters and digits, and where their lines begin and end in it."""

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
            pieces.append("\n")  # nothing goes on from one letter into the next
            place += 1
        self.text = "".join(pieces)
        self.searches = 0

    def places(self, said: str) -> list[int]:
        """Return where this stands, the first few places."""
        found: list[int] = []
        self.searches += 1
        place = self.text.find(said) if self.searches <= _SEARCHES else -1
        while place >= 0 and len(found) < _PLACES:
            found.append(place)
            place = self.text.find(said, place + 1)
        return found

    def end_of_letter(self, place: int) -> int:
        """Return the end of the letter that holds a place."""
        return self.text.index("\n", place)

    def is_whole(self, line: _Line) -> bool:
        """Return whether a line that has its place says one or more whole lines of ours."""
        return line.place in self.starts and line.end in self.ends


class _Path(NamedTuple):
    """One way to lay the lines so far along our letters. fit: how much fits. end: the place behind the last line that
    did, -1 where that is not known. line: which it was, -1 for none; place: where it stands."""

    fit: int
    end: int
    before: _Path | None = None
    line: int = -1
    place: int = -1


class _Laid:
    """Lines laid along our letters as they fit best."""

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
        """Return what a line is that has its place in our letters."""
        if gap.above is None:  # the first words are the writer's, but for what nobody writes by chance
            longer = line.words > _ORDER
            return "piece" if longer and self.by_program else "doubtful" if longer or self.by_program else ""
        if gap.complete and line.words >= _WIDE:
            return "piece"
        shows = self._shows_a_program(line) or (self.whole_lines and gap.complete)
        if self.by_program and shows and self._fits_well(gap, line):
            return "piece"
        return "doubtful" if gap.complete or self.by_program or not self.ours.is_whole(line) else ""

    def _fits_well(self, gap: _Gap, line: _Line) -> bool:
        """Return whether a line that has its place has it hardly by chance."""
        return gap.complete or line.words > _CHANCE

    def _shows_a_program(self, line: _Line) -> bool:
        """Return whether a line that has its place hardly lost its mark by hand."""
        return line.words >= _WIDE or not self.ours.is_whole(line)

    def _is_missing(self, gap: _Gap, line: _Line) -> bool:
        """Return whether a program has perhaps left the mark off a line that does not fit: what should be there was
        changed on the way, and holds it."""
        if not self.by_program or gap.begins is None or gap.ends is None:
            return False
        ends = min(gap.ends, gap.begins + _MISSING)
        return gap.above is not None and self.ours.text.find(line.said, gap.begins, ends) >= 0

    def _below_unknown(self, gap: _Gap) -> Iterator[int]:
        """Yield the numbers of the lines in a gap that may go on from a marked line that is not known."""
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
        """Return the best way to lay all lines, its last line first."""
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
        """Return the run above the first marked line; what stands in it is found from there up."""
        if below.place is None:
            return _Gap(None, unmarked, below)
        begins = below.place
        for line in reversed(unmarked):
            if self.ours.text.endswith(line.said, 0, begins):
                begins = line.place = begins - len(line.said)
        return _Gap(None, unmarked, below, below.place, below.place)


def _best_by_end(paths: Iterable[_Path]) -> list[_Path]:
    """Return the best path to each end, the best of all first; not more than are borne in mind."""
    by_end = {each.end: each for each in sorted(paths, key=_fit)}
    return sorted(by_end.values(), key=_fit, reverse=True)[:_PLACES]


def _fit(path: _Path) -> int:
    return path.fit


def _in_order(lines: Sequence[OwnLine], marked: Sequence[MarkedLine]) -> list[_Line]:
    """Return the lines of both kinds that have letters or digits."""
    quoted = (_Line(line.number, line.text, False, line.apart, *_said(line.text)) for line in marked)
    written = ((line.number, (line.written or line.text).strip()) for line in lines)
    own = (_Line(number, text, True, False, *_said(text)) for number, text in written)
    return sorted((line for line in (*quoted, *own) if line.said), key=lambda line: line.number)


def _said(text: str) -> tuple[str, int]:
    """Return the letters and digits of a line, in small letters, and how many words they are."""
    if not text.isascii() and len(text) <= LINE_CHARACTERS:
        text = unicodedata.normalize("NFKC", text)
    words = _WORD.findall(text.casefold())
    return "".join(words), len(words)
