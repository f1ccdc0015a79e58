"""What a letter may ask for: frozen values with imperative names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.letters.letter import OwnLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One line that asks for something. game: the number the line itself names, if it does (`18: V-NW2`)."""

    line: OwnLine
    game: int | None = None

    def write(self) -> str:
        """Return the command as the desk understood it, canonically."""
        raise NotImplementedError
