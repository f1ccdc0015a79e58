"""The state or result of a game, as far as it can be stated without its board.

It is stored in the game's row after each change, so that an overview or a list of many games need not read
each game. It holds only what both players may know, and nothing of plans.
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
    """A game that is in play or over.

    Of a finished game only the turn, the time control and the result are kept.

    last_event: the number of the game's last event at the time.
    due: seats that are to move.
    time: its time control as an option has it, "" where time is not counted.
    frozen: the umpire's reason, "" while the game is not frozen.
    offered_by, offered: the seat that proposed an end, and that end; None and "" for no proposal.
    pausing: seats that want a pause to which the other has not agreed.
    unreachable: seats whose mail bounces.
    time_up: seats whose time is up, and whose opponents were told that they may claim the game.
    how: how a finished game ended, a phrase.
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
    """Return the outline of a game; None for one that was never played."""
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
    """Return an outline as text for storage; "" for none. Default values are left out."""
    if outline is None:
        return ""
    said = {key: value for key, value in asdict(outline).items() if value not in ((), "", None, "hard")}
    return json.dumps(said, separators=(",", ":"))


def read_outline(text: str) -> Outline | None:
    """Return the outline that `write_outline` wrote; None for no outline, and for text that cannot be read."""
    try:
        said = json.loads(text)
        lists = ("due", "pausing", "unreachable", "time_up")
        made: dict[str, Any] = {key: tuple(value) if key in lists else value for key, value in said.items()}
        return Outline(**made)
    except (AttributeError, TypeError, ValueError, RecursionError):
        return None
