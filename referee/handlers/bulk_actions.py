"""What an umpire does in all games of an event at once: shown first, then done game by game, in the background.

How an officer asks for it, and what of it he is shown, lies in deeds; what he does in one game, in umpires.
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
from referee.store.values import AskedDeed, Errand, StoredCompetition

_NEAR = 0.75
"""So much alike are the name of an event and what may have been meant by it."""


@dataclass(frozen=True, slots=True)
class _InEvent:
    """What a deed comes to in an event. command: with the event as it is called. games: in which it can be done; left:
    in which its officer does not act himself."""

    command: Umpire
    event: StoredCompetition
    office: Office
    act: Act
    games: Sequence[Game]
    left: Sequence[int]


def ask_or_begin(work: HandlerContext, command: Umpire, asked: AskedDeed | None = None) -> None:
    """Show what would follow in all games of an event that are being played; or have it done. asked: what was asked and
    is confirmed, None where it is still to be shown. It is shown anew where games have begun since.

    That they have gone on changes nothing: in an event that is played they always have.
    """
    found = _in_event(work, command)
    if found is None:
        return
    if asked is None or any(game.number not in asked.stands for game in found.games):
        told = (shown_facts(work, found.games[0], found.act, found.command, found.office),)
        ask(work, found.command, found.games, told, found.left, stale=asked is not None)
        return
    work.unit.bulk_actions.begin(found.event.number, work.player.number, write_line(found.command))
    work.took(command, note=Note("errand-begun", {"event": found.event.name}))
    work.part(None).kind = "receipt"


def _in_event(work: HandlerContext, command: Umpire) -> _InEvent | None:
    """Return what a deed comes to in the games of an event; None where it cannot be done, which is noted."""
    event, command = _event_of(work, command)
    me = work.player.number
    office = "no office" if event is None else office_to_act(event.officers, me, (), away=away(work, event))
    if event is None or office == "no office":
        spelt = vocabulary(work.player.language)
        if event is None and any(spelt.read_deed(word) == "until" for word in command.event.split()):
            message = "until when is a day, written as in 2027-01-03"
            work.wrong(command, "deed-day", message, suggestion="help umpire")
            return None
        message = "you are no officer of an event called {event}, so nothing was done"
        mine = {
            each.name.casefold(): each.name
            for each in work.unit.tournaments.of_player(me)
            if _holds(each.officers, me)
        }
        near = get_close_matches(command.event.casefold(), mine, 1, _NEAR)
        # Where no such name is meant, it may be a game: its umpire is not led to act in all games at once.
        meant = replace(command, event=mine[near[0]]).write() if near else "help umpire"
        work.wrong(command, "deed-no-event", message, suggestion=meant, event=command.event)
        return None
    if office not in ("umpire", "director", "deputy"):
        message = "by your office you act in no game of {event} at present"
        work.wrong(command, "deed-no-part", message, event=event.name)
        return None
    command = replace(command, event=event.name)
    act = act_of(work, command, event)
    if isinstance(act, Fault):
        work.fault(in_its_line(act, command))
        return None
    games, left, faults = [], [], []
    for row in work.unit.games.all(("playing",), competition=event.number):
        game = work.readable(row.number)
        if game is None or me in seated(game):
            left.append(row.number)
            continue
        decided = decide_act(game, act, command.reason, me, work.now)
        if isinstance(decided, Fault):
            faults.append(decided)
        else:
            games.append(game)
    if not games:
        message = "nothing of that can be done in any game of {event} that is being played and is not yours"
        fault = faults[0] if faults else Fault("deed-no-games", message, {"event": event.name})
        work.fault(in_its_line(fault, command))
        return None
    return _InEvent(command, event, office, act, games, left)


def _event_of(work: HandlerContext, command: Umpire) -> tuple[StoredCompetition | None, Umpire]:
    """Return the event that is meant, None for none, and what is asked for. What was read as a colour may be the last
    word of its name."""
    spelt = vocabulary(work.player.language)
    for side in (command.seat, spelt.writer.write_end(command.seat)) if command.seat else ():
        event = work.unit.tournaments.named(f"{command.event} {side}")
        if event is not None:
            return event, replace(command, event=event.name, seat="")
    return work.unit.tournaments.named(command.event), command


def _holds(officers: Collection[Officer], player: int) -> bool:
    return any(each.player == player for each in officers)


# Game by game


def go_on(work: HandlerContext, errand: Errand) -> Errand | None:
    """Do an errand's deed in its next game, or write at the end what was done; return it as it is then, None at its
    end.

    Whatever was done is kept with how far the errand has come, so that nothing is done twice.
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
        work.post.to_player(errand.player, words)
        work.unit.bulk_actions.end(errand.number)
        return None
    done = errand.done
    game = work.readable(number)
    office = None
    if game is not None:
        office = office_to_act(event.officers, errand.player, seated(game), away=away(work, event))
    if game is not None and office in ("umpire", "director", "deputy"):
        ruler = Ruler(errand.player, office, work.post.player(errand.player).name)
        left = left_to_do(game, act, command.reason, errand.player, work.now)
        if left is not None and not isinstance(
            umpire_actions.do(work, game, left, command.reason, ruler, in_all=True), Fault
        ):
            done = (*done, number)
    gone_on = replace(errand, after=number, done=done)
    work.unit.bulk_actions.keep_progress(gone_on)
    return gone_on


_DAMAGED = (GameUnreadable, ArithmeticError, LookupError, TypeError, ValueError)
"""What goes wrong in a game of which something that was kept makes no sense."""


def finish_errands(work: HandlerContext) -> None:
    """Do at once what the writer has asked for in all games of an event and is not at its end: he leaves, and it would
    be done in some of them and not in others.

    Each game stands for itself. One in which it fails stays as it is, and the operator is told, since there will be
    nobody else to see to it.
    """
    while (errand := work.unit.bulk_actions.next(work.player.number)) is not None:
        failed: set[int] = set()
        going: Errand | None = errand
        while (here := going) is not None:
            number = work.unit.bulk_actions.next_playing(here.competition, here.after)
            try:
                with work.unit.attempt():
                    if number is not None and work.readable(number) is None:
                        failed.add(number)
                    going = go_on(work, here)
            except _DAMAGED:
                going = _pass_over(work, here, number)
                failed |= {number} if number is not None else set()
        if failed:
            event = work.unit.tournaments.find(errand.competition).name
            work.post.to_operator(Note("errand-unfinished", {"event": event, "games": tuple(sorted(failed))}))


def _pass_over(work: HandlerContext, errand: Errand, number: int | None) -> Errand | None:
    """Let an errand go on behind the game in which it failed; one that fails at its end, with None, is over."""
    if number is None:
        work.unit.bulk_actions.end(errand.number)
        return None
    work.forget(number)
    passed = replace(errand, after=number)
    work.unit.bulk_actions.keep_progress(passed)
    return passed
