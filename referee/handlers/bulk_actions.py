"""An umpire's acts in all games of an event at once: shown first, then done game by game in the background.

`action_requests` contains the question to the officer, `umpire_actions` the act in one game.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from referee.commands.command import Umpire
from referee.commands.vocabulary import vocabulary
from referee.common.errors import GameUnreadable
from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.games.game import Game
from referee.games.tournaments.officers import Office, Officer, office_to_act
from referee.games.umpire_actions import Act, decide_act, left_to_do
from referee.handlers import umpire_actions
from referee.handlers.action_requests import (
    act_of,
    ask,
    away,
    in_its_line,
    read_line,
    seated,
    shown_facts,
    write_line,
)
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.umpire_actions import Ruler
from referee.reports.report import Note
from referee.store.values import AskedAction, Errand, StoredCompetition

_NEAR = 0.75
"""The least similarity of an event's name for a suggestion."""


@dataclass(frozen=True, slots=True)
class _InEvent:
    """A request in an event.

    command: with the event's full name.
    games: those in which it can be done.
    left: those in which its officer does not act.
    """

    command: Umpire
    event: StoredCompetition
    office: Office
    act: Act
    games: Sequence[Game]
    left: Sequence[int]


def ask_or_begin(work: HandlerContext, command: Umpire, asked: AskedAction | None = None) -> None:
    """Show the consequences of a request in all running games of an event; or have it done, if confirmed.

    It is shown again where games have begun since. That games have progressed changes nothing, since in a
    running event they always have.

    asked: the confirmed request, None where it is still to be shown.
    """
    found = _in_event(work, command)
    if found is None:
        return
    if asked is None or any(game.number not in asked.stands for game in found.games):
        told = (shown_facts(work, found.games[0], found.act, found.command, found.office),)
        ask(work, found.command, found.games, told, found.left, stale=asked is not None)
        return
    work.unit.bulk_actions.begin(found.event.number, work.request.player.number, write_line(found.command))
    work.outcome.accept(command, note=Note("errand-begun", {"event": found.event.name}))
    work.outcome.of(None).kind = "receipt"


def _in_event(work: HandlerContext, command: Umpire) -> _InEvent | None:
    """Return what a request means in the games of an event; None where it cannot be done, which is recorded."""
    event, command = _event_of(work, command)
    me = work.request.player.number
    office = "no office" if event is None else office_to_act(event.officers, me, (), away=away(work, event))
    if event is None or office == "no office":
        spelt = vocabulary(work.request.player.language)
        if event is None and any(spelt.read_action(word) == "until" for word in command.event.split()):
            message = "until when is a day, written as in 2027-01-03"
            work.outcome.reject(command, "deed-day", message, suggestion="help umpire")
            return None
        message = "you are no officer of an event called {event}, so nothing was done"
        mine = {
            each.name.casefold(): each.name
            for each in work.unit.tournaments.of_player(me)
            if _holds(each.officers, me)
        }
        near = get_close_matches(command.event.casefold(), mine, 1, _NEAR)
        # Where no such name is meant, it may be a game: its umpire must not be led to act in all games at
        # once.
        meant = replace(command, event=mine[near[0]]).write() if near else "help umpire"
        work.outcome.reject(command, "deed-no-event", message, suggestion=meant, event=command.event)
        return None
    if office not in ("umpire", "director", "deputy"):
        message = "by your office you act in no game of {event} at present"
        work.outcome.reject(command, "deed-no-part", message, event=event.name)
        return None
    command = replace(command, event=event.name)
    act = act_of(work, command, event)
    if isinstance(act, Fault):
        work.outcome.add_fault(in_its_line(act, command))
        return None
    games, left, faults = [], [], []
    for row in work.unit.games.all(("playing",), competition=event.number):
        game = work.games.readable(row.number)
        if game is None or me in seated(game):
            left.append(row.number)
            continue
        decided = decide_act(game, act, command.reason, me, work.request.now)
        if isinstance(decided, Fault):
            faults.append(decided)
        else:
            games.append(game)
    if not games:
        message = "nothing of that can be done in any game of {event} that is being played and is not yours"
        fault = faults[0] if faults else Fault("deed-no-games", message, {"event": event.name})
        work.outcome.add_fault(in_its_line(fault, command))
        return None
    return _InEvent(command, event, office, act, games, left)


def _event_of(work: HandlerContext, command: Umpire) -> tuple[StoredCompetition | None, Umpire]:
    """Return the event that is meant, None for none, and the request.

    A word that was read as a colour may be the last word of the event's name.
    """
    spelt = vocabulary(work.request.player.language)
    for side in (command.seat, spelt.writer.write_end(command.seat)) if command.seat else ():
        event = work.unit.tournaments.named(f"{command.event} {side}")
        if event is not None:
            return event, replace(command, event=event.name, seat="")
    return work.unit.tournaments.named(command.event), command


def _holds(officers: Collection[Officer], player: int) -> bool:
    return any(each.player == player for each in officers)


# Game by game


def go_on(work: HandlerContext, errand: Errand) -> Errand | None:
    """Do the act in the next game, or report at the end what was done; return the new progress, None at the end.

    The progress is stored with the effects, so that nothing is done twice.
    """
    event = work.unit.tournaments.find(errand.competition)
    _, command = _event_of(work, read_line(errand.line))
    number = work.unit.bulk_actions.next_playing(event.number, errand.after)
    act = act_of(work, command, event)
    if number is None or isinstance(act, Fault):
        rows = work.unit.games.all(("playing",), competition=event.number)
        told = {
            "acts": (),
            "games": errand.done,
            "event": event.name,
            "left": tuple(row.number for row in rows if row.number not in errand.done),
            "told": (),
        }
        words = LetterContent(kind="notice", news=N_("done"), notes=(Note("deed-done", told),))
        work.composer.to_player(errand.player, words)
        work.unit.bulk_actions.end(errand.number)
        return None
    done = errand.done
    game = work.games.readable(number)
    office = None
    if game is not None:
        office = office_to_act(event.officers, errand.player, seated(game), away=away(work, event))
    if game is not None and office in ("umpire", "director", "deputy"):
        ruler = Ruler(errand.player, office, work.composer.player(errand.player).name)
        left = left_to_do(game, act, command.reason, errand.player, work.request.now)
        if left is not None and not isinstance(
            umpire_actions.do(work, game, left, command.reason, ruler, in_all=True), Fault
        ):
            done = (*done, number)
    gone_on = replace(errand, after=number, done=done)
    work.unit.bulk_actions.keep_progress(gone_on)
    return gone_on


_DAMAGED = (GameUnreadable, ArithmeticError, LookupError, TypeError, ValueError)
"""The errors raised in a game with damaged data."""


def finish_errands(work: HandlerContext) -> None:
    """Finish at once what the writer has requested in all games of an event, since they are leaving.

    Otherwise it would be done in some games only. Each game is separate: one in which it fails stays as it
    is, and the operator is told, since nobody else will take care of it.
    """
    while (errand := work.unit.bulk_actions.next(work.request.player.number)) is not None:
        failed: set[int] = set()
        going: Errand | None = errand
        while (here := going) is not None:
            number = work.unit.bulk_actions.next_playing(here.competition, here.after)
            try:
                with work.unit.attempt():
                    if number is not None and work.games.readable(number) is None:
                        failed.add(number)
                    going = go_on(work, here)
            except _DAMAGED:
                going = _pass_over(work, here, number)
                failed |= {number} if number is not None else set()
        if failed:
            event = work.unit.tournaments.find(errand.competition).name
            work.composer.to_operator(
                Note("errand-unfinished", {"event": event, "games": tuple(sorted(failed))})
            )


def _pass_over(work: HandlerContext, errand: Errand, number: int | None) -> Errand | None:
    """Continue after the game in which the request failed; None where it failed at its end."""
    if number is None:
        work.unit.bulk_actions.end(errand.number)
        return None
    work.forget(number)
    passed = replace(errand, after=number)
    work.unit.bulk_actions.keep_progress(passed)
    return passed
