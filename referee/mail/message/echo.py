"""Separates our own letter, repeated without quotation marks, from its reader's answer.

Some programs and most absence notices put the answered letter below (or above) the answer, unmarked. Its
example line would then be read as a move, and `register Anna` as a request. The answered letter is known, so
its lines are searched for, word by word. Wrapping, indentation, marks and capitals do not matter.

An answer must never be lost, and answers are often copied from the example. So a line that is repeated alone
is the writer's. It is an echo
- within a passage of ours that is clearly copied: it holds two lines of ours in a row, and more than just the
  few short ones of an example that takes several lines;
- below such a passage, when it is a whole line of ours from further on: what stood between was changed on the
  way.

The first line of all is the writer's, unless our letter begins with it. Of a line that occurs twice in a row,
one is the echo and the other the answer. Lines that are certainly the writer's stay (see
`rewrapped_quotations`).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from referee.mail.message.charsets import decode_text
from referee.mail.message.limits import LINE_CHARACTERS, TEXT_OCTETS, LimitExceeded
from referee.mail.message.message import OwnLine
from referee.mail.message.mime_parts import open_letter, read_body

_CHAINS = 20
"""Most places of our letter that are followed at once as the source of a copied passage."""

_SHORT = 4
"""Most words in an order of a game: "V-N1 & H-E1" has four."""
_EXAMPLE = 3
"""Most lines in an example: the word for a set-up, and two drawn ranks."""

_WORD = re.compile(r"[^\W_]+")


def text_of_ours(content: bytes) -> str:
    """Return the plain text of one of our own letters as it was sent, "" when it has none."""
    try:
        parts = list(open_letter(content).walk())
    except LimitExceeded:
        return ""
    for part in parts:
        if part.media_type == "text/plain":
            return decode_text(read_body(part, TEXT_OCTETS)[0], part.parameters.get("charset", ""))
    return ""


def without_echo(lines: Sequence[OwnLine], ours: str) -> tuple[OwnLine, ...]:
    """Return the lines without those that repeat our letter.

    ours: the plain text of the answered letter, "" when it is unknown.
    """
    letter = _Ours(ours)
    said = ["" if line.certain else _words(line.written or line.text) for line in lines]
    echoed, answers = _copied_passages(said, letter)
    kept: list[OwnLine] = []
    reached = 0
    own = True
    for at, line in enumerate(lines):
        end = echoed.get(at)
        if end is None and reached and at not in answers:
            end = letter.whole_line_from(said[at], reached)
        if end is not None:
            reached, own = end, False
        elif said[at] or line.certain:
            own = True
        # A line without words (a rule, an empty row of the board) goes with the line above it.
        if own:
            kept.append(line)
    return tuple(kept)


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """Lines of the writer that repeat ours from `start` to `end` (positions in `_Ours.text`).

    first, last: the first and the last of them.
    before: the chain without its last line; None for a single line.
    """

    first: int
    start: int
    end: int
    last: int
    before: _Chain | None = None

    def with_line(self, at: int, words: str) -> _Chain:
        """Return the chain with one more line."""
        return _Chain(self.first, self.start, self.end + len(words) - 1, at, self)


class _Ours:
    """Our letter as one run of words, each between blanks, with the positions where its lines begin and end."""

    def __init__(self, text: str) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.long: list[int] = []  # the numbers of the lines that are longer than an order
        self.by_words: dict[str, list[int]] = {}
        pieces: list[str] = []
        place = 0
        for line in text.splitlines():
            words = _words(line)
            if words:
                if words.count(" ") > _SHORT + 1:
                    self.long.append(len(self.starts))
                self.starts.append(place)
                place += len(words) - 1
                self.ends.append(place)
                self.by_words.setdefault(words, []).append(place)
                pieces.append(words[:-1])
        self.text = "".join(pieces) + " "

    def places(self, words: str) -> list[int]:
        """Return the first few positions of these words."""
        found: list[int] = []
        place = self.text.find(words)
        while place >= 0 and len(found) < _CHAINS:
            found.append(place)
            place = self.text.find(words, place + 1)
        return found

    def shows_a_copy(self, chain: _Chain) -> bool:
        """Return whether a chain is clearly a copy.

        It holds two lines of ours and either one longer than an order or our letter's beginning; or more lines
        than an example has. A long last line need not be whole.
        """
        first = bisect_left(self.starts, chain.start)
        last = bisect_left(self.ends, chain.end + 1)
        begun = (
            last < len(self.starts) and self.text.count(" ", self.starts[last], chain.end + 1) > _SHORT + 1
        )
        long = bisect_left(self.long, first)
        telling = begun or first == 0 or (long < len(self.long) and self.long[long] < last)
        return last + begun - first > (1 if telling else _EXAMPLE)

    def whole_line_from(self, words: str, place: int) -> int | None:
        """Return the end of our first line at or after a position with exactly these words; None for none."""
        ends = self.by_words.get(words, [])
        first = bisect_left(ends, place + len(words) - 1)
        return ends[first] if first < len(ends) else None


def _words(text: str) -> str:
    """Return the words of a line in lower case, each between blanks; "" when it has none."""
    if not text.isascii() and len(text) <= LINE_CHARACTERS:
        text = unicodedata.normalize("NFKC", text)
    found = _WORD.findall(text.casefold())
    return f" {' '.join(found)} " if found else ""


def _copied_passages(said: Sequence[str], ours: _Ours) -> tuple[dict[int, int], set[int]]:
    """Return the lines in copied passages, each with the position in our letter up to which it repeats it.

    Return also the lines that were written between two of them that our letter has one after the other.
    """
    echoed: dict[int, int] = {}
    answers: set[int] = set()
    chains: list[_Chain] = []
    for at, words in enumerate(said):
        if not words:
            continue
        going_on = [chain for chain in chains if ours.text.startswith(words, chain.end)]
        longer = [chain.with_line(at, words) for chain in going_on]
        fresh = [_Chain(at, place, place + len(words) - 1, at) for place in ours.places(words)]
        ending_here = _oldest_by_end([*longer, *fresh])  # in the order in which they began
        copied = next(filter(ours.shows_a_copy, ending_here), None)
        if copied:
            answers |= _mark(echoed, said, copied)
        # A line may be written within our letter's beginning.
        answered = [chain for chain in chains if chain.start == 0 and chain not in going_on]
        chains = _oldest_by_end(sorted([*ending_here, *answered], key=lambda chain: chain.first))
    return echoed, answers


def _oldest_by_end(chains: Sequence[_Chain]) -> list[_Chain]:
    """Return one chain for each end, the earliest; never more than _CHAINS."""
    by_end: dict[int, _Chain] = {}
    for chain in chains:
        by_end.setdefault(chain.end, chain)
    return list(by_end.values())[:_CHAINS]


def _mark(echoed: dict[int, int], said: Sequence[str], chain: _Chain) -> set[int]:
    """Mark the lines of a chain as echoed, from the last one up; return the lines that stand between them.

    Lines already marked stay as they are.
    """
    between: set[int] = set()
    link: _Chain | None = chain
    while link is not None:
        if echoed.get(link.last) == link.end and link is not chain:
            break  # the same chain, marked up to here when it was shorter
        if link.last == chain.first and _is_the_writers(echoed, said, chain):
            break
        echoed.setdefault(link.last, link.end)
        if link.before is not None:
            between.update(range(link.before.last + 1, link.last))
        link = link.before
    return between


def _is_the_writers(echoed: dict[int, int], said: Sequence[str], chain: _Chain) -> bool:
    """Return whether a chain's first line is an answer: it is the first line of all, or right below its own echo."""
    at = chain.first
    if not any(said[:at]):
        return chain.start > 0
    above = next(above for above in range(at - 1, -1, -1) if said[above])
    return echoed.get(above) == chain.start + len(said[at]) - 1
