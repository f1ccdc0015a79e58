"""An umpire's act in full, as the players saw it, for the officer who hears an appeal against it. All is public."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import chain
from typing import Any

from referee.games.cases import BETWEEN, Happened, UmpireAction
from referee.games.clocks.durations import duration_phrase
from referee.games.events import (
    Ended,
    Event,
    Paused,
    Replaced,
    Resumed,
    Ruled,
    Stated,
    TakenBack,
    TimeAdded,
)
from referee.games.game import Game, Undone, happenings_of, turn_for_all
from referee.games.results import ruling_of
from referee.handlers.handler_context import HandlerContext
from referee.handlers.notices import attempts_of, undone_attempts

_NOTHING: dict[str, Any] = {
    "turn": 0,
    "seat": "",
    "gone": (),
    "order": "",
    "again": (),
    "time": "",
    "until": None,
    "reason": "",
    "lines": (),
}


def account_of(
    work: HandlerContext, game: Game, action: UmpireAction, happened: Sequence[Happened]
) -> dict[str, Any]:
    """Return an act's turn and side, the orders that it took back or restored, what was given, and why.

    happened: all of the game's events.
    """
    events = {each.number: each.event for each in happened}
    match events.get(_began(action, events)):
        case TakenBack() as back:
            new = events.get(action.number) if action.what == "corrected" else None
            found = {
                "turn": back.turn,
                "seat": back.seat,
                "gone": undone_attempts(game, gone) if (gone := _branch(game, action, happened)) else (),
                "order": new.order if isinstance(new, Ruled) else "",
                "reason": back.reason,
            }
        case Ruled(again=True) as ruled:
            found = {"again": attempts_of(game, _put_back(events, action.number)), "reason": ruled.reason}
        case Ruled() as ruled:
            before = (each.event for each in happened if each.number < action.number)
            turn = turn_for_all(game.rulebook, chain.from_iterable(map(happenings_of, before)))
            found = {"turn": turn, "seat": ruled.seat, "order": ruled.order, "reason": ruled.reason}
        case TimeAdded() as added:
            time = duration_phrase(timedelta(seconds=added.seconds))
            found = {"seat": added.seat, "time": time, "reason": added.reason}
        case Paused() as paused:
            found = {"until": paused.until, "reason": paused.reason}
        case Resumed(reason=reason):
            found = {"reason": reason}
        case Replaced(seat=seat, reason=reason):
            found = {"seat": seat, "reason": reason}
        case Ended(result=result):
            found = {"reason": ruling_of(result)}
        case Stated(text=text):
            said = (
                each.lines
                for each in work.unit.writings.of_kind(game.number, "ruling")
                if each.number == text
            )
            found = {"lines": next(said, ())}
        case _:
            found = {}
    return _NOTHING | found


def letters_in_question(
    game: Game, action: UmpireAction | None, happened: Sequence[Happened]
) -> frozenset[int]:
    """Return the numbers of the letters that a case is about.

    They are those of each side's latest order, and of the order that an act took back or corrected.
    """
    orders = [each for each in happened if isinstance(each.event, Ruled) and each.letter is not None]
    newest = {each.event.seat: each for each in orders if isinstance(each.event, Ruled)}
    found = {each.letter for each in newest.values()}
    gone = (
        _branch(game, action, happened)
        if action is not None and action.what in ("taken-back", "corrected")
        else None
    )
    which = gone.turns[:1] if gone is not None else ()
    if action is not None and which:
        events = {each.number: each.event for each in happened}
        disputed = [
            each.letter
            for each in orders
            if each.number < _began(action, events)
            and isinstance(each.event, Ruled)
            and (each.event.seat, each.event.order) == which[0]
        ]
        found.update(disputed[-1:])
    return frozenset(each for each in found if each is not None)


def _began(action: UmpireAction, events: Mapping[int, Event]) -> int:
    """Return the number of an act's first event: a correction takes the game back, and then rules.

    events: of the game, by number.
    """
    first = action.number
    while action.what == "corrected" and first in events and not isinstance(events[first], TakenBack):
        first -= 1
    return first


def _branch(game: Game, action: UmpireAction, happened: Sequence[Happened]) -> Undone | None:
    """Return what an act took back; None for nothing."""
    began = _began(action, {each.number: each.event for each in happened})
    before = sum(isinstance(each.event, TakenBack) for each in happened if each.number < began)
    return game.branches[before] if before < len(game.branches) else None


def _put_back(events: Mapping[int, Event], last: int) -> list[Event]:
    """Return the orders that one act restored, ending with event `last`, and openings between them, oldest first."""
    found: list[Event] = []
    while isinstance(event := events.get(last), BETWEEN) or (isinstance(event, Ruled) and event.again):
        found.insert(0, event)
        last -= 1
    return found
