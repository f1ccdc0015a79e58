"""Joins a drawn set-up: a word on one line, and the ranks below it, a line each.

An order is one line of a letter, so the ranks are put after the word: `setup ..ACE.HKL.. / ..NOPXSTV..`. A
list of spies and squares that a mail program has broken, or that begins below the word, is joined as well.
"""

from __future__ import annotations

import re
from dataclasses import replace

from referee.mail.message.message import OwnLine

_BEGINS = re.compile(r"(?:my |ma )?(?:set[ -]?up|disposition|placement|pr[ée]paration)\b", re.IGNORECASE)
_PAIRS = re.compile(r"(?>[^\W\d_] ?[:=-]? ?\(? ?\d{1,2} ?[-/,.:] ?\d{1,2}(?: ?\))?[ ,;.]*)+")
_EMPTY = "._·*-–—"
WIDTHS = (9, 11)
"""Squares of a rank, in a small world and in the full one."""
_SHORTEST = 7
_LABEL = re.compile(r"^[12] ?[:|)]? ")
"""The number of a rank, which people write before it."""
BETWEEN_RANKS = " / "


def with_ranks_below(line: OwnLine, begun: str, rest: list[OwnLine]) -> OwnLine:
    """Return a line with the ranks and squares of the lines below it, which are removed from `rest`.

    An empty line may come between.

    begun: the line without a game's number.
    """
    if _BEGINS.match(begun) is None:
        return line
    last = line.number
    drawn = bool(_BEGINS.sub("", begun, count=1).strip(" :=.")) and not any(map(str.isdigit, begun))
    while rest and rest[0].number <= last + 2 and (rank := _rank(rest[0])):
        below = rest.pop(0)
        last = below.number
        between = BETWEEN_RANKS if drawn and _PAIRS.fullmatch(rank) is None else " "
        line = replace(
            line, text=f"{line.text}{between}{rank}", written=f"{line.written or line.text}{between}{rank}"
        )
        drawn = True
    return line


def _rank(line: OwnLine) -> str:
    """Return the part of a line that draws or lists squares, "" for any other line.

    List marks at its start are squares.
    """
    said = " ".join((line.written or line.text).replace("…", "...").split())
    if _PAIRS.fullmatch(said):
        return said
    said = _LABEL.sub("", said)
    return said if _is_drawn(said) else ""


def _is_drawn(text: str) -> bool:
    """Return whether a text is a rank: letters and marks for empty squares, separate or in one word."""
    squares = text.split()
    if not all(sign.isalpha() or sign in _EMPTY for sign in "".join(squares)):
        return False
    if all(len(square) == 1 for square in squares):
        return len(squares) > 4
    empty, inside = (sum(map(part.count, _EMPTY)) for part in (text, text.rstrip(_EMPTY)))
    drawn = inside > 1 or (empty > 1 and len(text) in WIDTHS)
    return len(squares) == 1 and len(text) >= _SHORTEST and drawn
