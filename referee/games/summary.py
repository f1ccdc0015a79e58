"""How a game stands or has ended, as far as it can be said without its board.

It is kept beside the game's row whenever something has happened, so that an overview or a list of many games need not
read one of them. It holds what both players may know, and nothing of plans.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from referee.games.clocks.controls import TIME, Lapse
from referee.games.game import Game
from referee.games.game_options import lapse_of
from referee.rulebooks.rulebook import Seat


@dataclass(frozen=True, slots=True)
class Outline:
    """A game that is being played, or was. last_event: of the game, when this was so. due: seats that are to move.

    time: its time control as an option has it, "" where none is counted. frozen: the umpire's reason, "" while it goes
    on. offered_by: who has proposed how the game is to end, which is `offered`; None and "" for nobody. pausing: seats
    that want a pause to which the other has not agreed. unreachable: seats whose letters come back. time_up: seats
    whose time was up, and their opponents were told that they may claim the game. Of a game that is over only
    the turn and the time control are kept, and how it ended, a phrase.
    """

    last_event: int
    turn: int
    due: tuple[Seat, ...] = ()
    time: str = ""
    lapse: Lapse = "hard"
    frozen: str = ""
    offered_by: Seat | None = None
    offered: str = ""
    pausing: tuple[Seat, ...] = ()
    unreachable: tuple[Seat, ...] = ()
    time_up: tuple[Seat, ...] = ()
    how: str = ""


def outline_of(game: Game) -> Outline | None:
    """Return how a game stands, or has ended; None for one that was never played."""
    if game.status not in ("playing", "ended") or not game.seats:
        return None
    seat = next(iter(game.seats))
    turn, time = game.rulebook.rules.turn(game.view(seat)), game.options[TIME] if game.timed else ""
    if game.result is not None:
        return Outline(game.last_event, turn, time=time, how=game.result.how)
    return Outline(
        last_event=game.last_event,
        turn=turn,
        due=tuple(sorted(game.due)),
        time=time,
        lapse=lapse_of(game.options),
        frozen=game.frozen,
        offered_by=game.offer.by if game.offer else None,
        offered=game.offer.end if game.offer else "",
        pausing=() if game.consent.paused else tuple(Seat(each) for each in sorted(game.consent.agreed)),
        unreachable=tuple(sorted(game.unreachable)),
        time_up=tuple(sorted(game.time_up)),
    )


def write_outline(outline: Outline | None) -> str:
    """Return an outline as text, to be kept; "" for none. What is as it mostly is stays unsaid."""
    if outline is None:
        return ""
    said = {key: value for key, value in asdict(outline).items() if value not in ((), "", None, "hard")}
    return json.dumps(said, separators=(",", ":"))


def read_outline(text: str) -> Outline | None:
    """Return the outline that `write_outline` wrote; None for none, and for what cannot be read."""
    try:
        said = json.loads(text)
        lists = ("due", "pausing", "unreachable", "time_up")
        made: dict[str, Any] = {key: tuple(value) if key in lists else value for key, value in said.items()}
        return Outline(**made)
    except (AttributeError, TypeError, ValueError, RecursionError):
        return None
