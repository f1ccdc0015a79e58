"""The differences between two editions before the first move: the seats, the letters, the files in play.

The board, the movement of the pieces, the neutral piece and what can be deduced are the same for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.rulebooks.confusion.compass import SIZE, STEPS, WHITE, YELLOW, Square
from referee.rulebooks.rulebook import OBSERVER, Seat


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition, with the variants that a game is played with.

    south: the seat opposite White's.
    letters: one for each piece of a side, in the order of all lists.
    start: where each letter stands at the start.
    files: the first and the last that are in play.
    double_agent: one of a side's pieces moves as the opponent decides, so that there is one type more than
        the table has rows.
    """

    south: Seat
    letters: str
    start: Mapping[Seat, Mapping[str, Square]] = field(repr=False)
    files: tuple[int, int] = (1, SIZE)
    double_agent: bool = False

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Both seats, White first."""
        return WHITE, self.south

    def other(self, seat: Seat) -> Seat:
        """Return the opponent of a seat."""
        return self.south if seat == WHITE else WHITE

    def side_of(self, seat: Seat) -> Seat:
        """Return the side from which a seat sees the board: an observer looks from the south."""
        return self.south if seat == OBSERVER else seat

    def on_board(self, square: Square) -> bool:
        """Return whether a square is in play."""
        first, last = self.files
        return first <= square[0] <= last and 1 <= square[1] <= SIZE

    def room(self, start: Square, direction: str) -> int:
        """Return how many squares in play there are from `start` to the edge (0..10)."""
        east, north = STEPS[direction]
        first, last = self.files
        free = SIZE
        if east:
            free = min(free, last - start[0] if east > 0 else start[0] - first)
        if north:
            free = min(free, SIZE - start[1] if north > 0 else start[1] - 1)
        return free


def facing(south: Seat, own: Mapping[str, Square]) -> dict[Seat, dict[str, Square]]:
    """Return the start of both sides: White's is the southern one rotated by half a turn (CF-1.4)."""
    turned = {letter: (SIZE + 1 - file, SIZE + 1 - rank) for letter, (file, rank) in own.items()}
    return {WHITE: turned, south: dict(own)}


LETTERS = "ACEHKLNOPSTV"
"""The twelve letters of each side (CF-1.3)."""
_FILES = (3, 4, 5, 7, 8, 9)
START: Mapping[Seat, Mapping[str, Square]] = facing(
    YELLOW, {letter: (_FILES[place % 6], 2 - place // 6) for place, letter in enumerate(LETTERS)}
)
"""Each letter's square at the start: A C E H K L in front of N O P S T V; White's side is rotated (CF-1.4)."""

CLASSIC = Edition(YELLOW, LETTERS, START)
"""Robert Abbott's original edition."""
