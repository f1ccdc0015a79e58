"""A game that comes with a rulebook, for the demonstration to play."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SampleGame:
    """A sample game as two correspondents play it. deal: as `--deal` takes it. moves: by seat, in their order."""

    first: str
    deal: str
    moves: dict[str, list[str]]
