"""Reads a set-up: where a side's spies begin, as a list or as two drawn ranks (CF-10.11).

A list gives each spy's file and rank, `setup A3-2 C4-2 …`; a drawing has the second rank above the first,
with dots for the empty squares, `setup ..ACE.HKL.. / ..NOPXSTV..`. Both are as the owner sees the board: file
1 is on their left, rank 1 is nearest to them. All faults are reported together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase, both
from referee.rulebooks.confusion.compass import SIZE, WHITE, Square
from referee.rulebooks.confusion.edition import CLASSIC, Edition
from referee.rulebooks.confusion.notation import plain
from referee.rulebooks.rulebook import OrderLine, Seat
from referee.rulebooks.spies.edition import CENTRE
from referee.rulebooks.spies.orders import SetUp

RANKS = (1, 2)
"""The ranks on which a side may begin."""
MOST_ON_A_RANK = 7
LEAST_DOUBLE_FILES = 4
"""The least number of files with spies on both ranks."""

_WORD = re.compile(r"(?:(?:MY|THE|MA|LA) )?(?:SET[ -]?UP|DISPOSITION|PLACEMENT|PR[ÉE]PARATION) ?[:=]*(?: |$)")
_PAIR = re.compile(
    r"(?P<letter>[^\W\d_]) ?[:=-]? ?\(? ?(?P<file>\d{1,4}) ?[-/,.:] ?(?P<rank>\d{1,4})(?!\d) ?\)?"
)
_SEPARATORS = " ,;./|&"
_EMPTY = ".-_·*"
"""Signs for an empty square in a drawing."""
_DRAWN = re.compile(rf"[^\W\d_]|[{re.escape(_EMPTY)}]")


def words_end(line: str) -> int | None:
    """Return where the word for a set-up ends in a plain line; None for a line that does not begin with it."""
    found = _WORD.match(line)
    return found.end() if found else None


def looks_like_set_up(line: str) -> bool:
    """Return whether a plain line is meant as a set-up: its word alone, or followed by spies or a drawing."""
    end = words_end(line)
    if end is None:
        return False
    rest = line[end:].strip(" .!")
    return not rest or is_arrangement(rest)


def is_arrangement(text: str) -> bool:
    """Return whether a plain text as a whole, or mostly, names spies and squares, or draws ranks."""
    if _PAIR.match(text):
        return True
    parts = [part for part in text.split() if part != "/"]
    drawn = all(len(_DRAWN.sub("", part.replace("/", ""))) == 0 for part in parts)
    single = all(len(part) == 1 for part in parts) and len(parts) > 3
    return bool(parts) and drawn and (single or any(sign in text for sign in _EMPTY))


def write_set_up(order: SetUp) -> str:
    """Return a set-up in canonical text: `A3-2 C4-2 …`, in the order of letters."""
    return " ".join(f"{letter}{file}-{rank}" for letter, (file, rank) in sorted(order.squares.items()))


def usual(edition: Edition) -> SetUp:
    """Return the set-up of games in which it cannot be chosen (CF-1.4, CF-1.5)."""
    squares = dict(CLASSIC.start[CLASSIC.south]) | {"X": CENTRE}
    return SetUp({letter: squares[letter] for letter in edition.letters})


def on_the_board(edition: Edition, seat: Seat, squares: Mapping[str, Square]) -> dict[str, Square]:
    """Return the squares of the board for a seat's spies, from squares as their owner sees them.

    White's side is the southern one's rotated by half a turn (CF-1.4). The function is its own inverse.
    """
    if seat != WHITE:
        return dict(squares)
    return {letter: (SIZE + 1 - file, SIZE + 1 - rank) for letter, (file, rank) in squares.items()}


def read_set_up(text: str, edition: Edition, line: int = 1) -> SetUp | Fault:
    """Read a set-up against the game's edition; the fault states everything that is wrong.

    text: with or without the word before it.
    line: of the letter.
    """
    read = _read(text)
    if not read.stands and not read.unread:
        return _missing(text, line)
    slips = (*_unread(read), *_drawn_amiss(read, edition), *_misplaced(read, edition))
    if not slips:
        squares = dict(read.stands)
        return SetUp({letter: squares[letter] for letter in edition.letters})
    facts = {"slips": _in_turn(slips)}
    message = N_("this set-up cannot be: {slips}")
    return Fault("set-up", message, facts, "unreadable", text.strip(), Place(line, 1), "", "CF-10.11")


def read_loosely(line: OrderLine) -> SetUp | Fault:
    """Read a set-up as far as possible without knowing the game's edition; `read_set_up` does the rest."""
    read = _read(line.text)
    return SetUp(dict(read.stands)) if read.stands or read.unread else _missing(line.text, line.number)


@dataclass(frozen=True, slots=True)
class _Placing:
    """The content of a text.

    stands: each letter with its square, as often as it occurs.
    unread: unreadable parts.
    ranks: for a drawing, how many squares each rank has; () for a list.
    """

    stands: tuple[tuple[str, Square], ...]
    unread: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()


def _read(text: str) -> _Placing:
    made = plain(text).text
    rest = made[words_end(made) or 0 :].strip()
    return _read_list(rest) if any(map(str.isdigit, rest)) else _read_drawing(rest)


def _read_list(text: str) -> _Placing:
    stands: list[tuple[str, Square]] = []
    unread: list[str] = []
    last = 0
    for found in _PAIR.finditer(text):
        unread.append(text[last : found.start()])
        stands.append((found["letter"], (int(found["file"]), int(found["rank"]))))
        last = found.end()
    unread.append(text[last:])
    left = (each.strip(_SEPARATORS) for each in unread)
    return _Placing(tuple(stands), tuple(filter(None, left)))


def _read_drawing(text: str) -> _Placing:
    """Read ranks with a slash between them, or two of equal length in one."""
    drawn = [_cells(part) for part in text.split("/") if part.strip()]
    if len(drawn) == 1 and len(drawn[0]) in (2 * SIZE, 2 * SIZE - 4):
        half = len(drawn[0]) // 2
        drawn = [drawn[0][:half], drawn[0][half:]]
    stands = tuple(
        (sign, (_first_file(cells) + place, rank))
        for rank, cells in zip((2, 1), drawn, strict=False)
        for place, sign in enumerate(cells)
        if sign.isalpha()
    )
    signs = (sign for cells in drawn for sign in cells if not sign.isalpha() and sign not in _EMPTY)
    return _Placing(stands, tuple(dict.fromkeys(signs)), tuple(map(len, drawn)))


def _cells(text: str) -> str:
    return "".join(text.split())


def _first_file(cells: str) -> int:
    """Return the file of a drawn rank's first square: ranks of a small world have two squares fewer."""
    return 2 if len(cells) == SIZE - 2 else 1


def _missing(text: str, line: int) -> Fault:
    message = N_("the set-up is missing: name each spy with his file and rank, as in {example}")
    facts = {"example": "setup A3-2 C4-2"}
    return Fault("set-up", message, facts, "unreadable", text.strip(), Place(line, 1), "", "CF-10.11")


def _unread(read: _Placing) -> Iterable[Phrase]:
    for said in read.unread:
        yield Phrase(N_("`{said}` is no spy with his square, as in A3-2"), {"said": said})


def _drawn_amiss(read: _Placing, edition: Edition) -> Iterable[Phrase]:
    if read.ranks and len(read.ranks) != len(RANKS):
        message = N_("it draws {count} ranks, while there are two: the second, and below it the first")
        if len(read.ranks) == 1:
            message = N_("it draws one rank, while there are two: the second, and below it the first")
        yield Phrase(message, {"count": len(read.ranks)})
    widths = _widths(edition)
    for count in dict.fromkeys(each for each in read.ranks if each not in widths):
        message = N_(
            "it draws a rank of {count} squares, while a rank has {size}, with dots for the empty ones"
        )
        yield Phrase(message, {"count": count, "size": widths[0]})


def _widths(edition: Edition) -> tuple[int, int]:
    """Return how many squares a drawn rank may have: those in play, or all of the board."""
    first, last = edition.files
    return last - first + 1, SIZE


def _misplaced(read: _Placing, edition: Edition) -> Iterable[Phrase]:
    letters = Counter(letter for letter, _ in read.stands)
    first, last = edition.files
    if strange := [letter for letter in letters if letter not in edition.letters]:
        facts = {"letters": ", ".join(strange), "known": " ".join(edition.letters)}
        yield Phrase(N_("there is no spy {letters}; the letters are {known}"), facts)
    if missing := [letter for letter in edition.letters if letter not in letters]:
        message = N_("{letters} is missing") if len(missing) == 1 else N_("{letters} are missing")
        yield Phrase(message, {"letters": both(missing)})
    for letter, times in letters.items():
        if times > 1:
            message = N_("{letter} is placed twice") if times == 2 else N_("{letter} is placed {times} times")
            yield Phrase(message, {"letter": letter, "times": times})
    if ranks := [_said(each) for each in read.stands if each[1][1] not in RANKS]:
        yield Phrase(N_("only ranks 1 and 2 are one's own, not those of {spies}"), {"spies": both(ranks)})
    aligned = all(count in _widths(edition) for count in read.ranks)
    off = [_said(each) for each in read.stands if not first <= each[1][0] <= last]
    if off and aligned:
        message = N_("the files go from {first} to {last}, which leaves out {spies}")
        yield Phrase(message, {"first": first, "last": last, "spies": both(off)})
    yield from _crowded(read)
    yield from _too_many(read, edition)
    if aligned and len(read.ranks) != 1:
        yield from _too_few_double(read, edition)


def _crowded(read: _Placing) -> Iterable[Phrase]:
    on: dict[Square, list[str]] = {}
    for letter, square in read.stands:
        on.setdefault(square, []).append(letter)
    for (file, rank), together in on.items():
        if len(set(together)) > 1:
            spies = both(list(dict.fromkeys(together)))
            message = N_("{spies} stand on the same square, {square}")
            yield Phrase(message, {"spies": spies, "square": f"{file}-{rank}"})


def _too_many(read: _Placing, edition: Edition) -> Iterable[Phrase]:
    known = {(letter, square) for letter, square in read.stands if letter in edition.letters}
    for rank in RANKS:
        number = sum(square[1] == rank for _, square in known)
        if number > MOST_ON_A_RANK:
            message = N_("{number} spies stand on rank {rank}, where at most {most} may")
            yield Phrase(message, {"number": number, "rank": rank, "most": MOST_ON_A_RANK})


def _too_few_double(read: _Placing, edition: Edition) -> Iterable[Phrase]:
    first, last = edition.files
    taken = {square for letter, square in read.stands if letter in edition.letters}
    double = sum(all((file, rank) in taken for rank in RANKS) for file in range(first, last + 1))
    if double < LEAST_DOUBLE_FILES:
        message = N_("only {number} files have spies on both ranks; at least {least} must")
        if double < 2:
            none = N_("no file has spies on both ranks; at least {least} must")
            message = N_("only 1 file has spies on both ranks; at least {least} must") if double else none
        yield Phrase(message, {"number": double, "least": LEAST_DOUBLE_FILES})


def _said(stands: tuple[str, Square]) -> str:
    letter, (file, rank) = stands
    return f"{letter}{file}-{rank}"


def _in_turn(slips: tuple[Phrase, ...]) -> Phrase:
    said, *others = slips
    for slip in others:
        said = Phrase(N_("{before}; {slip}"), {"before": said, "slip": slip})
    return said
