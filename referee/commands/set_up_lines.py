"""A set-up that is drawn: a word on one line, and below it the ranks, a line each.

An order is one line of a letter, so the ranks are put behind the word: `setup ..ACE.HKL.. / ..NOPXSTV..`. A list of
spies and squares that a mail program has broken, or that was begun below the word, is put together likewise.
"""

from __future__ import annotations

import re
from dataclasses import replace

from referee.mail.message.message import OwnLine

_BEGINS = re.compile(r"(?:my |ma )?(?:set[ -]?up|disposition|placement|pr[ée]paration)\b", re.IGNORECASE)
_PAIRS = re.compile(r"(?>[^\W\d_] ?[:=-]? ?\(? ?\d{1,2} ?[-/,.:] ?\d{1,2}(?: ?\))?[ ,;.]*)+")
_EMPTY = "._·*-–—"
WIDTHS = (9, 11)
"""Squares of a rank, in a small world and in the whole one."""
_SHORTEST = 7
_LABEL = re.compile(r"^[12] ?[:|)]? ")
"""The number of a rank, which people write before it."""
BETWEEN_RANKS = " / "


def with_ranks_below(line: OwnLine, begun: str, rest: list[OwnLine]) -> OwnLine:
    """Return a line with the ranks and squares of the lines below it, which are taken from `rest`.

    begun: what the line says, without a game's number. An empty line may stand in between.
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
    """Return what a line draws or lists, "" for any other. Signs of a list at its beginning are squares here."""
    said = " ".join((line.written or line.text).replace("…", "...").split())
    if _PAIRS.fullmatch(said):
        return said
    said = _LABEL.sub("", said)
    return said if _is_drawn(said) else ""


def _is_drawn(text: str) -> bool:
    """Return whether a text is a rank: letters and signs for empty squares, set apart or in one."""
    squares = text.split()
    if not all(sign.isalpha() or sign in _EMPTY for sign in "".join(squares)):
        return False
    if all(len(square) == 1 for square in squares):
        return len(squares) > 4
    empty, inside = (sum(map(part.count, _EMPTY)) for part in (text, text.rstrip(_EMPTY)))
    drawn = inside > 1 or (empty > 1 and len(text) in WIDTHS)
    return len(squares) == 1 and len(text) >= _SHORTEST and drawn
