"""Notes on a take-back: by whom, why, and what no longer counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.common.faults import Fault
from referee.games.events import Confided, Event
from referee.games.game import Game
from referee.handlers.notices import undone_attempts
from referee.reports.report import Note
from referee.rulebooks.rulebook import OrderLine, Seat


def confided_gone(game: Game, branch: int, seat: Seat, events: Sequence[Event]) -> tuple[str, ...]:
    """Return what a seat confided in turns that were taken back, and that the same act did not restore.

    It is for that seat's own letter, and for nobody else's (CF-10.8).

    events: of the act.
    """
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
    """Return what a seat has confided for its turn since the last take-back, if nobody has given an order since.

    It is lost when the take-back is undone. It is for that seat's own letter.
    """
    since = game.after(game.branches[-1].back).branches[-1].given
    orders = [
        each.event.order for each in since if isinstance(each.event, Confided) and each.event.seat == seat
    ]
    return tuple(dict.fromkeys(order for order in orders if not _holds_on(game, order)))


def _holds_on(game: Game, order: str) -> bool:
    """Return whether an order belongs to no turn, so that it stays whatever happens to the turns."""
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
    """Return a note on a take-back.

    branch: its index in the game, from 0.
    office, who: of the officer who did it, "" for the service's operator.
    corrected: the order that was ruled on instead.
    plan, offer: the reader's plan, and a proposed end, that have lapsed.
    restored: attempts that were restored, with their answers.
    confided: those of the reader's own orders that are lost and that nobody else hears of.
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
