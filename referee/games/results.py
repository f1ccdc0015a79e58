"""How a game may end off the board: what two players agree on, and what an umpire rules."""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.common.i18n import N_
from referee.rulebooks.branches import trimmed
from referee.rulebooks.rulebook import Result, Seat

DRAW, NONE = "draw", "none"
"""Ends that are no side's: a draw; and none, where the game is given up without a result. Any other is a seat, whose
side has won."""

RESIGNATION = N_("by resignation")
AGREEMENT = N_("by agreement")
ON_TIME = N_("on time")
ABANDONED = N_("abandoned by agreement")
ADJUDICATED = "adjudicated: "
"""What stands before an umpire's reason."""

LONGEST_REASON = 300
"""Signs of an umpire's reason: it stands in a line of the record's head."""
_ADDRESS = re.compile(r"[^\s@＠][@＠]\w")


@dataclass(frozen=True, slots=True)
class Offer:
    """An end that a seat has proposed, and the other may agree to. end: DRAW, NONE, or the seat that would have won.

    after: so many letters about the game the other had been written before; each later one says what is proposed.
    told: the number of the seat's own letter about the game that says so.
    """

    by: Seat
    end: str
    after: int = 0
    told: int = 0


def end_of(result: Result) -> str:
    """Return which end a result is: DRAW, NONE, or the seat that has won."""
    return NONE if result.void else result.winner or DRAW


def result_of(end: str, how: str) -> Result:
    """Return the result of a game with an end. how: a phrase, as in Result."""
    return Result(None if end in (DRAW, NONE) else Seat(end), how, void=end == NONE)


def agreed(end: str) -> Result:
    """Return the result of a game whose players have agreed on an end."""
    if end == NONE:
        return Result(None, ABANDONED, void=True)
    return Result(None if end == DRAW else Seat(end), AGREEMENT)


def adjudicated(end: str, reason: str) -> Result:
    """Return the result of a game that an umpire ends. reason: his words; see `tidy_reason`."""
    return result_of(end, f"{ADJUDICATED}{tidy_reason(reason)}")


def tidy_reason(reason: str) -> str:
    """Return a reason as a record's head keeps it and gives it back: on one line, without a full stop at its end and
    without semicolons, which begin a comment there."""
    return trimmed(" ".join(reason.replace(";", ",").split()))


def names_an_address(reason: str) -> bool:
    """Return whether an umpire's reason holds what looks like a mail address. It stands in the game's log and record,
    on published pages and in letters to people who are to see no address of each other's, and is never changed there;
    so such a reason is not taken."""
    return _ADDRESS.search(reason) is not None


def ruling_of(result: Result) -> str:
    """Return the umpire's reason where it was he who ended the game, else ""."""
    return result.how.removeprefix(ADJUDICATED) if result.how.startswith(ADJUDICATED) else ""
