"""The command `overview`: the state of an event's games for its officers, on request or regularly."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from referee.commands.command import Command, Overview
from referee.commands.vocabulary import vocabulary
from referee.common.i18n import N_
from referee.games.player import Player
from referee.games.player_names import skeleton
from referee.handlers import digests
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.overview_builder import Audience, build_overview
from referee.reports.overview import Overview as Overseen
from referee.reports.report import Note
from referee.store.values import StoredCompetition

MOST_LISTED = 40
"""The most games in one letter: the rest is counted."""
OVERVIEW_HORIZON = timedelta(days=10)
"""No overview is planned for later by a correct clock."""
_MONDAY = 0


def events_run(work: HandlerContext) -> list[StoredCompetition]:
    """Return the events in which the writer holds an office, oldest first."""
    me = work.request.player.number
    found = work.unit.tournaments.of_player(me)
    return [each for each in found if any(held.player == me for held in each.officers)]


def overview(work: HandlerContext, command: Overview) -> None:
    """Show the state of the writer's games as an officer, or those of one event."""
    run = events_run(work)
    if not run:
        _not_an_officer(work, command)
        return
    chosen = run
    if command.event:
        chosen = [each for each in run if skeleton(each.name) == skeleton(command.event)]
    if not chosen:
        names = {each.name.casefold(): each.name for each in run}
        near = difflib.get_close_matches(command.event.casefold(), names, 1)
        work.outcome.reject(
            command,
            "no-office-there",
            "you hold no office in an event that is called {event}; those in which you do are {events}",
            event=command.event,
            events=", ".join(names.values()),
            suggestion=f"overview {names[near[0]]}" if near else "",
        )
        return
    work.outcome.about_no_game = True
    work.outcome.accept(command)
    part = work.outcome.of(None)
    asked = (tuple(each.name for each in chosen), command.late)
    shown = [each.facts["overview"] for each in part.notes if each.code == "overseen"]
    if asked not in [(each.events, each.late) for each in shown]:
        overseen = _oversee(work, chosen, late=command.late)
        part.notes.append(_note(work, overseen))
        part.speaks_of += _players(work, overseen)


def may_have(work: HandlerContext, command: Command) -> bool:
    """Return whether the writer may get regular overviews; record the fault where they hold no office."""
    if work.request.player.overview == "off" and not events_run(work):
        _not_an_officer(work, command)
        return False
    return True


def _not_an_officer(work: HandlerContext, command: Command) -> None:
    work.outcome.reject(
        command,
        "no-officer",
        "the overview is for those who hold an office in an event; your own games are listed by the word {games}",
        games=vocabulary(work.request.player.language).writer.write("games"),
    )


def plan(work: HandlerContext) -> None:
    """Plan the writer's next overview, since they have chosen another frequency or zone."""
    player = work.request.player
    if player.overview == "off":
        work.unit.overviews.plan(player.number, None)
        return
    last = work.unit.overviews.last(player.number)
    work.unit.overviews.plan(
        player.number, next_time(work.request.now, last, player, work.service.digest_hour)
    )


def next_time(now: datetime, last: datetime | None, player: Player, hour: int) -> datetime:
    """Return when an officer's next overview is due: at the digest hour, every day or on Mondays.

    last: when one was written; see digests.next_time.
    """
    at = digests.next_time(now, last, player.zone, hour)
    while player.overview == "weekly" and at.astimezone(ZoneInfo(player.zone)).weekday() != _MONDAY:
        at = digests.next_hour(at, player.zone, hour)
    return at


def write(work: HandlerContext) -> bool:
    """Write an officer the overview of their events, unless nothing is open there; return whether it was written."""
    run = events_run(work)
    if not run:
        return False
    overseen = _oversee(work, run, late=False)
    if not (overseen.needs or overseen.sections or overseen.cases or overseen.unread):
        return False
    words = LetterContent(
        kind="notice",
        news=N_("how your events stand"),
        notes=(_note(work, overseen),),
        speaks_of=tuple(_players(work, overseen)),
    )
    work.composer.to_player(work.request.player.number, words)
    return True


def _oversee(work: HandlerContext, events: Sequence[StoredCompetition], *, late: bool) -> Overseen:
    whose = Audience(tuple(events), work.request.player.number)
    service = work.service
    return build_overview(
        work.unit, service.time, service.rulebooks, work.request.now, whose, most=MOST_LISTED, late=late
    )


def _note(work: HandlerContext, overseen: Overseen) -> Note:
    said = tuple(line.game.frozen.said for line in overseen.lines if line.game.frozen)
    return Note("overseen", {"overview": overseen, "zone": work.request.player.zone, "said": said})


def _players(work: HandlerContext, overseen: Overseen) -> list[int]:
    """Return all players whom an overview names, so that it is erased when one of them leaves."""
    games = {line.game.number for line in overseen.lines} | {each.number for each in overseen.own}
    return sorted(work.unit.players.mentioned(games, (), ()))
