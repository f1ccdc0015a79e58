"""A game as its page plays it: its steps, and what each viewer sees at each of them. Plain data.

A rulebook makes it out of happenings and views; the page knows no rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

CLEAR = "clear"
"""The viewer who sees all; the others are named after their seats, or after the observer."""

Square = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """An attempt on the board. answer: None while it waits for one."""

    start: Square
    end: Square
    answer: bool | None


@dataclass(frozen=True, slots=True)
class Step:
    """A step at which the game can be viewed.

    key: the end of a link to it ("22w").
    turn, seat: the turn that caused it, 0 and "" for the start and the end.
    text: its cell of the record.
    said: a sentence or two.
    answer: as in Line; also None where nothing was asked.
    sealed: the turn was ordered, and has no answer yet.
    """

    key: str
    turn: int
    seat: str
    text: str
    said: str
    answer: bool | None = None
    lines: tuple[Line, ...] = ()
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a side can know of its pieces.

    assignments: number of full deals that are left.
    open: for each letter the possible types, as bits, type 1 the lowest.
    """

    assignments: int
    open: tuple[int, ...]

    def numbers(self, place: int) -> tuple[int, ...]:
        """Return the types that a letter can still be."""
        return tuple(number for number in range(1, 33) if self.open[place] >> number - 1 & 1)


@dataclass(frozen=True, slots=True)
class Frame:
    """What a viewer sees after a step.

    pieces: for each piece of the stage its square as "file,rank", with a "+" once it is promoted; "x" once it
        was captured, "r" once it was removed from the game, "" where it is not seen.
    z: the square of the neutral piece.
    types: for each piece the number of its type, 0 where unknown.
    sheets: by side; empty where none are visible.
    """

    pieces: tuple[str, ...]
    z: str
    types: tuple[int, ...] = field(repr=False)
    sheets: tuple[Sheet, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Eyes:
    """A viewer of the game, step by step. side: the one at the bottom."""

    name: str
    side: str
    frames: tuple[Frame, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of piece: its number in the sheets, its mark on the board, its name, how it moves."""

    number: int
    sign: str
    name: str
    moves: str


@dataclass(frozen=True, slots=True)
class Back:
    """Turns that were taken back.

    turn, seat: the turn to which the game was taken back.
    reason: why.
    tried: each withdrawn turn with its attempts, as the record has them.
    """

    turn: int
    seat: str
    reason: str
    tried: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """A game to be played on its page.

    sides: the seats in the order of the record's columns, the southern one first.
    pieces: (seat, letter), all of a side together.
    kinds: the types, by number.
    eyes: the viewers; the first sees most.
    called: what the game calls one of its pieces, and several.
    removes: pieces can be removed as well as captured.
    """

    sides: tuple[str, str]
    pieces: tuple[tuple[str, str], ...]
    kinds: tuple[Kind, ...]
    files: tuple[int, int]
    steps: tuple[Step, ...]
    eyes: tuple[Eyes, ...]
    backs: tuple[Back, ...] = ()
    called: tuple[str, str] = ("piece", "pieces")
    removes: bool = False

    def letters(self, side: str) -> str:
        """Return the letters of a side, as its sheet has them."""
        return "".join(letter for seat, letter in self.pieces if seat == side)

    def turns(self) -> Iterator[tuple[int, tuple[list[Step], list[Step]]]]:
        """Yield the rows of the record: each turn's number, and the steps of either column.

        A sealed turn appears as it was answered, once it was.
        """
        rows: dict[int, tuple[list[Step], list[Step]]] = {}
        for step, further in zip(self.steps, (*self.steps[1:], None), strict=True):
            answered = further is not None and (further.turn, further.seat) == (step.turn, step.seat)
            if step.turn and not (step.sealed and answered):
                cells = rows.setdefault(step.turn, ([], []))
                cells[self.sides.index(step.seat)].append(step)
        yield from sorted(rows.items())

    def plain(self) -> dict[str, Any]:
        """Return the data that the page's script plays.

        Each value of a frame is stored once in `pool`, and a frame names the indexes of its pieces, types and
        sheets there.
        """
        pool: dict[str, int] = {}

        def place(said: str) -> int:
            return pool.setdefault(said, len(pool))

        eyes = [
            {
                "name": each.name,
                "side": each.side,
                "frames": [
                    [
                        place(" ".join((frame.z, *(piece or "-" for piece in frame.pieces)))),
                        place(" ".join(map(str, frame.types))),
                        *(place(_sheet(sheet)) for sheet in frame.sheets),
                    ]
                    for frame in each.frames
                ],
            }
            for each in self.eyes
        ]
        return {
            "sides": list(self.sides),
            "letters": [self.letters(side) for side in self.sides],
            "signs": [kind.sign for kind in self.kinds],
            "names": [kind.name for kind in self.kinds],
            "steps": [_step(each) for each in self.steps],
            "eyes": eyes,
            "pool": list(pool),
        }


def _sheet(sheet: Sheet) -> str:
    return " ".join((str(sheet.assignments), *(f"{types:x}" for types in sheet.open)))


def _step(step: Step) -> list[Any]:
    lines = [[*line.start, *line.end, {True: 1, False: 0, None: 2}[line.answer]] for line in step.lines]
    return [step.key, step.turn, step.said, lines]
