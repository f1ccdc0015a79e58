"""What an umpire has taken back: a game goes on from an earlier turn, and all that was heard stays heard.

That a game was taken back is a happening like any other, heard by every seat: so what a seat has heard only ever grows,
and what an earlier letter has told of it stays told. What *stands* is all of it without the happenings that were taken
back; positions, views and sheets are added up from that alone. Each rulebook says itself what stands, since it knows
its turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.rulebooks.rulebook import Happening, Seat

TAKEN_BACK = "taken-back"


@dataclass(frozen=True, slots=True)
class Return:
    """To where a game was taken back: the beginning of a seat's turn. reason: the umpire's, on one line."""

    turn: int
    seat: Seat
    reason: str


def taken_back(back: Return, seats: Iterable[Seat]) -> Happening:
    """The game goes on from the beginning of a turn; all hear it."""
    facts = {"turn": back.turn, "seat": back.seat, "reason": back.reason}
    return Happening(TAKEN_BACK, frozenset(seats), facts)


def read_taken_back(happening: Happening) -> Return:
    """Return to where the game was taken back."""
    facts = happening.facts
    return Return(facts["turn"], Seat(facts["seat"]), facts["reason"])
