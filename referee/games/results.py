"""How a game may end off the board: by the players' agreement or by an umpire's ruling."""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.common.i18n import N_
from referee.rulebooks.branches import trimmed
from referee.rulebooks.rulebook import Result, Seat

DRAW, NONE = "draw", "none"
"""Ends without a winner: a draw, and no result, for an abandoned game. Any other end is a seat, which has won."""

RESIGNATION = N_("by resignation")
AGREEMENT = N_("by agreement")
ON_TIME = N_("on time")
ABANDONED = N_("abandoned by agreement")
ADJUDICATED = "adjudicated: "
"""Precedes an umpire's reason."""

LONGEST_REASON = 300
"""The most characters in an umpire's reason, which is written on a line of the record's head."""
_ADDRESS = re.compile(r"[^\s@＠][@＠]\w")


@dataclass(frozen=True, slots=True)
class Offer:
    """An end that a seat has proposed, and to which the other may agree.

    end: DRAW, NONE, or the seat that would have won.
    after: how many letters about the game the other player had been sent before; each later one states the
        proposal.
    told: the number of the seat's own letter about the game that states it.
    """

    by: Seat
    end: str
    after: int = 0
    told: int = 0


def end_of(result: Result) -> str:
    """Return the end that a result stands for: DRAW, NONE, or the seat that has won."""
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
    """Return the result of a game that an umpire ends. reason: the umpire's words; see `tidy_reason`."""
    return result_of(end, f"{ADJUDICATED}{tidy_reason(reason)}")


def tidy_reason(reason: str) -> str:
    """Return a reason in the form that a record's head preserves.

    It is on one line, without a final full stop and without semicolons, which begin a comment there.
    """
    return trimmed(" ".join(reason.replace(";", ",").split()))


def names_an_address(reason: str) -> bool:
    """Return whether an umpire's reason contains what looks like an email address.

    Such a reason is refused, since it would be kept unchanged in the game's log and record, on published
    pages and in letters to people who must not see each other's addresses.
    """
    return _ADDRESS.search(reason) is not None


def ruling_of(result: Result) -> str:
    """Return the umpire's reason if an umpire ended the game, otherwise ""."""
    return result.how.removeprefix(ADJUDICATED) if result.how.startswith(ADJUDICATED) else ""
