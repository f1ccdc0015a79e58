"""The edition of thirteen spies, and its variants (CF-10.1, CF-10.11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from referee.rulebooks.confusion.compass import SIZE, WHITE
from referee.rulebooks.confusion.edition import CLASSIC, Edition, facing
from referee.rulebooks.rulebook import Json, Seat

RED = Seat("red")
SEATS = (WHITE, RED)
BOTH = frozenset(SEATS)

LETTERS = CLASSIC.letters + "X"
"""The thirteen letters of each side (CF-1.5)."""
CENTRE = (6, 1)
"""The square of Red's X at the start (CF-1.5)."""
SMALL = (2, SIZE - 1)
"""The files that are in play in a small world; the dark files are the outermost ones."""

REVEAL, MOVE, SWAP = "reveal", "move", "swap"
TOKENS = (REVEAL, MOVE, SWAP)
"""The action tokens (CF-10.9)."""


@dataclass(frozen=True, slots=True)
class Variants:
    """The variants of a game. tokens: those that each seat begins with (CF-10.10)."""

    code_of_honour: bool = False
    small_world: bool = False
    late_contact: bool = False
    variable_setup: bool = False
    comrade: bool = False
    tokens: Mapping[Seat, frozenset[str]] = field(default_factory=dict)

    @property
    def double_agent(self) -> bool:
        """Whether each side has a double agent: in all games except under the code of honour."""
        return not self.code_of_honour

    @property
    def edition(self) -> Edition:
        """The seats, the letters and the files of the game."""
        return _edition(self.code_of_honour, self.small_world, self.variable_setup)

    def plain(self) -> dict[str, Json]:
        """Return the variants as plain data; `variants_from` reads them."""
        return {
            "code_of_honour": self.code_of_honour,
            "small_world": self.small_world,
            "late_contact": self.late_contact,
            "variable_setup": self.variable_setup,
            "comrade": self.comrade,
            "tokens": {
                str(seat): [each for each in TOKENS if each in self.tokens[seat]] for seat in self.tokens
            },
        }


def variants_from(plain: Mapping[str, Json]) -> Variants:
    """Return the variants that `plain` wrote."""
    tokens = {Seat(seat): frozenset(names) for seat, names in plain["tokens"].items()}
    return Variants(**{**plain, "tokens": tokens})


@lru_cache(maxsize=8)
def _edition(code_of_honour: bool, small_world: bool, variable_setup: bool) -> Edition:
    own = dict(CLASSIC.start[CLASSIC.south])
    if not code_of_honour:
        own["X"] = CENTRE
    return Edition(
        south=RED,
        letters=CLASSIC.letters if code_of_honour else LETTERS,
        start={WHITE: {}, RED: {}} if variable_setup else facing(RED, own),
        files=SMALL if small_world else CLASSIC.files,
        double_agent=not code_of_honour,
    )
