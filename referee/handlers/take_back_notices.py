"""What is told of a game that was taken back: by whom, why, and what counts no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.common.faults import Fault
from referee.games.events import Confided, Event
from referee.games.game import Game
from referee.handlers.notices import undone_attempts
from referee.reports.report import Note
from referee.rulebooks.rulebook import OrderLine, Seat


def confided_gone(game: Game, branch: int, seat: Seat, events: Sequence[Event]) -> tuple[str, ...]:
    """Return what a seat had told the referee alone in turns that were taken back, and that was not put back by the
    same act. It is for that seat's own letter, and for nobody else's (CF-10.8). events: what the act has brought
    about."""
    again = [each.order for each in events if isinstance(each, Confided) and each.seat == seat]
    gone: dict[str, None] = {}
    for given in game.branches[branch].given:
        if not isinstance(given.event, Confided) or given.event.seat != seat:
            continue
        if given.event.order in again:
            again.remove(given.event.order)
        else:
            gone[given.event.order] = None
    return tuple(gone)


def confided_since(game: Game, seat: Seat) -> tuple[str, ...]:
    """Return what a seat has told the referee alone for its turn since a game was taken back last, and nobody else has
    given an order since: it goes when what was taken back is put back. It is for that seat's own letter."""
    since = game.after(game.branches[-1].back).branches[-1].given
    orders = [
        each.event.order for each in since if isinstance(each.event, Confided) and each.event.seat == seat
    ]
    return tuple(dict.fromkeys(order for order in orders if not _holds_on(game, order)))


def _holds_on(game: Game, order: str) -> bool:
    """Return whether an order belongs to no turn, so that it stays whatever becomes of the turns."""
    read = game.rulebook.notation.read(OrderLine(1, order))
    return not isinstance(read, Fault) and game.rulebook.rules.at_any_time(read)


def back_note(
    game: Game,
    branch: int,
    *,
    office: str = "",
    who: str = "",
    corrected: str = "",
    plan: bool = False,
    offer: bool = False,
    restored: Sequence[Mapping[str, str]] = (),
    confided: Sequence[str] = (),
) -> Note:
    """Return a note on what was taken back. branch: which of the game's, from 0.

    office, who: of the officer who has done it, "" for whoever runs the service. corrected: the order that was ruled on
    instead. plan, offer: of the reader's, and about the game's end, that have lapsed. restored: attempts that were put
    back in their place, with their answers. confided: those of the reader's own orders that are gone
    and of which nobody else hears.
    """
    undone = game.branches[branch]
    return Note(
        "taken-back",
        {
            "turn": undone.back.turn,
            "seat": undone.back.seat,
            "moves": list(undone_attempts(game, undone)),
            "reason": undone.back.reason,
            "who": who,
            "office": office,
            "corrected": corrected,
            "plan": plan,
            "offer": offer,
            "restored": tuple(map(dict, restored)),
            "confided": tuple(confided),
            "drafts": game.rulebook.drafts is not None,
        },
    )
