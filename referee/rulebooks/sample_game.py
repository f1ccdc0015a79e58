"""A game that comes with a rulebook, for the demonstration to play."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SampleGame:
    """A sample game between two correspondents.

    deal: in the form of `--deal`.
    moves: by seat, in order.
    """

    first: str
    deal: str
    moves: dict[str, list[str]]
