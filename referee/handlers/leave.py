"""Leave: days off that a player takes for all their games with time control (TM-7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from referee.commands.command import Leave as LeaveCommand
from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase
from referee.games.clocks.calendar import day_of
from referee.games.clocks.leave import ZONE_WAIT, Leave, LeaveBook
from referee.games.game import Game
from referee.games.tournaments.tournament import NO_TIME
from referee.handlers.game_clocks import deadline_of
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.reports.report import Note

_A_ZONE = "set zone "
Scope = int | None
"""The number of an event, or None for all games of no event."""


@dataclass(frozen=True, slots=True)
class _Book:
    """A player's leave in an event, or in no event. event: its name. games: their running ones there."""

    event: str
    book: LeaveBook
    games: tuple[Game, ...]


def leave(work: HandlerContext, command: LeaveCommand) -> None:
    """Take leave, end it, or show what was taken."""
    books = _books(work)
    taken: list[Leave] = []
    ended: list[Leave] = []
    if command.off:
        ended = _end(work, command, books)
    elif command.first is not None:
        taken = _take(work, command, books)
    else:
        work.outcome.accept(command)
    if not work.outcome.of(None).faults:
        _show(work, taken, ended)


def _books(work: HandlerContext) -> Mapping[Scope, _Book]:
    """Return the writer's leave, for each event that they play in, and for their games of none.

    A player without a running game in an event still plays in it: they may be paired again.
    """
    games: dict[Scope, list[Game]] = {}
    for row in work.unit.games.of_player(work.request.player.number, ("playing",)):
        game = work.games.readable(row.number)
        if game is None or not game.timed or game.status != "playing":
            continue
        if work.games.clocks.can_read(game):
            games.setdefault(game.competition, []).append(game)
    for number in work.unit.tournaments.played_by(work.request.player.number):
        event = work.unit.tournaments.find(number)
        if not event.unread and event.terms.time != NO_TIME:
            games.setdefault(number, [])
    if not games:
        games[None] = []
    kept = work.unit.leaves.of_players([work.request.player.number])
    books = {}
    for scope, played in sorted(games.items(), key=lambda each: each[0] or 0):
        taken = tuple(sorted(each.leave for each in kept if each.competition == scope))
        cap = work.service.time.leave
        name = ""
        if scope is not None:
            event = work.unit.tournaments.find(scope)
            cap, name = event.terms.leave, event.name
        books[scope] = _Book(name, LeaveBook(cap, taken), tuple(played))
    return books


def carry_over(work: HandlerContext, game: Game) -> None:
    """Apply leave that a game's players have taken elsewhere to this game, as far as its event has room (TM-7.7).

    They were told that no time of theirs runs on these days.
    """
    cap = work.service.time.leave
    if game.competition is not None:
        cap = work.unit.tournaments.find(game.competition).terms.leave
    kept = work.unit.leaves.of_players(list(game.seats.values()))
    for player in game.seats.values():
        mine = [each for each in kept if each.player == player]
        book = LeaveBook(
            cap, tuple(sorted(each.leave for each in mine if each.competition == game.competition))
        )
        for taken in sorted({each.leave for each in mine} - {*book.taken}):
            longer = book.with_more(taken) if taken.last >= day_of(work.request.now, taken.zone) else None
            if longer is not None:
                work.unit.leaves.add(player, game.competition, taken)
                book = longer


def _take(work: HandlerContext, command: LeaveCommand, books: Mapping[Scope, _Book]) -> list[Leave]:
    """Take leave in every event that allows any; if one refuses, none is taken. Return what was taken."""
    first, last = command.first, command.last or command.first
    assert first is not None and last is not None
    granting = {scope: each for scope, each in books.items() if each.book.cap}
    if not granting:
        work.outcome.reject(
            command, "leave-none", "no leave can be taken in any of your events, so none was noted"
        )
        return []
    moved = _has_moved(work)
    asked = {
        scope: each.book.ask(first, last, work.request.player.zone, work.request.heard, moved=moved)
        for scope, each in granting.items()
    }
    for answer in asked.values():
        if isinstance(answer, Fault):
            work.outcome.add_fault(
                Fault(
                    answer.code,
                    answer.message,
                    answer.facts,
                    answer.grade,
                    command.line.text,
                    Place(command.line.number, 1),
                    rule=answer.rule,
                )
            )
            return []
    taken = Leave(first, last, work.request.player.zone)
    for scope in asked:
        if taken not in books[scope].book.taken:
            work.unit.leaves.add(work.request.player.number, scope, taken)
    work.outcome.accept(command)
    _tell(work, [each for scope, each in granting.items()], "on-leave", taken)
    return [taken]


def _has_moved(work: HandlerContext) -> bool:
    """Return whether the writer has set a zone in this letter, or in another within the last 24 hours (TM-7.2)."""
    here = (said for part in work.outcome.by_game.values() for said in part.understood)
    return any(said.startswith(_A_ZONE) for said in here) or work.unit.letters.has_asked_for(
        work.request.player.number, _A_ZONE, work.request.heard - ZONE_WAIT
    )


def _end(work: HandlerContext, command: LeaveCommand, books: Mapping[Scope, _Book]) -> list[Leave]:
    """End the writer's present leave, or else cancel leave that has not begun. Return what was ended."""
    ended: dict[Leave, list[_Book]] = {}
    before = {game.number: _deadline(work, game) for each in books.values() for game in each.games}
    on = any(each.book.on(work.request.heard) for each in books.values())
    for scope, each in books.items():
        for taken in each.book.taken:
            today = day_of(work.request.heard, taken.zone)
            if today > taken.last or (on and today < taken.first):
                continue  # past leave stays, and other leave is later
            rest = each.book.end(taken, work.request.heard).taken
            kept = next(
                (left for left in rest if left.first == taken.first and left.zone == taken.zone), None
            )
            if kept == taken:
                continue  # its last day is today
            work.unit.leaves.change(work.request.player.number, scope, taken, kept)
            ended.setdefault(taken, []).append(each)
    if not ended:
        work.outcome.reject(command, "no-leave", "you have taken no leave that could be ended")
        return []
    work.outcome.accept(command)
    work.games.clocks.forget_all()
    for game in {
        game.number: game for found in ended.values() for each in found for game in each.games
    }.values():
        seat, then, now = game.seat_of(work.request.player.number), before[game.number], _deadline(work, game)
        if seat is None or then is None or now == then:
            continue
        told = work.games.clocks.kept(game).get(seat)
        if told is not None and told.promised is not None and told.promised <= then:
            # Otherwise the days would be theirs again, and with them the time until the deadline they were
            # told. A later deadline was told for another reason, and remains.
            work.unit.clocks.retract_promise(game.number, seat)
            work.games.clocks.forget(game.number)
    for taken, found in ended.items():
        _tell(work, found, "back-from-leave", taken)
    return [*ended]


def _deadline(work: HandlerContext, game: Game) -> datetime | None:
    """Return the writer's computed deadline in a game, whatever they were told; None where none runs."""
    seat = game.seat_of(work.request.player.number)
    if seat is None or seat not in game.due:
        return None
    return deadline_of(work.games.clocks.ledger(game), seat, None, work.request.now)


def _tell(work: HandlerContext, books: list[_Book], code: str, taken: Leave) -> None:
    """Tell the opponents, and have all clocks of the writer checked again."""
    work.unit.clocks.wake(work.request.player.number)
    work.games.clocks.forget_all()
    games = [game for book in books for game in book.games]
    if work.request.player.calendar == "on":
        work.outcome.of(None).rescheduled += [game.number for game in games]
    for game in games:
        seat = game.seat_of(work.request.player.number)
        who = work.request.player.name or (seat or "").capitalize()
        facts = {"who": who, "first_day": f"{taken.first}", "last_day": f"{taken.last}"}
        news = taken.phrase() if code == "on-leave" else N_("leave ended")
        if code != "on-leave" and not _has_begun(work, taken):
            news = N_("leave cancelled")
        words = LetterContent(
            kind="notice", weight="news", by=work.request.player.number, news=news, notes=(Note(code, facts),)
        )
        for other, player in game.seats.items():
            if other != seat:
                work.outcome.others.append((game.number, player, words))


def news_of(facts: Mapping[str, Any]) -> str | Phrase | None:
    """Return the subject's news of a letter with the note on leave, None where no leave was taken or ended.

    facts: the note's.
    """
    if facts["new"]:
        first, *more = facts["new"]
        return _leave_of(first).phrase() if not more else N_("your leave")
    if facts["ended"]:
        return N_("leave ended") if any(each["begun"] for each in facts["ended"]) else N_("leave cancelled")
    return None


def _leave_of(told: Mapping[str, Any]) -> Leave:
    return Leave(date.fromisoformat(told["first"]), date.fromisoformat(told["last"]), told["zone"])


def _show(work: HandlerContext, taken: list[Leave], ended: list[Leave]) -> None:
    """Show the writer's leave, its games, and how much is left, once for the whole letter.

    taken, ended: what this line has taken or ended.
    """
    today = day_of(work.request.now, work.request.player.zone)
    shown = []
    for each in _books(work).values():
        still = [leave for leave in each.book.taken if leave.last >= day_of(work.request.now, leave.zone)]
        years = sorted({today.year, *(day.year for leave in still for day in leave)})
        shown.append(
            {
                "event": each.event,
                "games": tuple(sorted(game.number for game in each.games)),
                "taken": tuple(map(_told, still)),
                "none": not each.book.cap,
                "left": tuple((year, each.book.remaining(year)) for year in years) if each.book.cap else (),
            }
        )
    notes = work.outcome.of(None).notes
    before = next((note.facts for note in notes if note.code == "leave"), {"new": (), "ended": ()})
    notes[:] = [note for note in notes if note.code != "leave"]
    facts = {
        "new": (*before["new"], *map(_told, taken)),
        "ended": (*before["ended"], *({**_told(each), "begun": _has_begun(work, each)} for each in ended)),
        "leave": tuple(shown),
    }
    notes.append(Note("leave", facts))


def _has_begun(work: HandlerContext, leave: Leave) -> bool:
    return leave.first <= day_of(work.request.heard, leave.zone)


def _told(leave: Leave) -> dict[str, str | int]:
    """Return leave as its taker is told: its first and last day, their zone, and the number of days."""
    return {
        "first": f"{leave.first}",
        "last": f"{leave.last}",
        "zone": leave.zone,
        "days": (leave.last - leave.first).days + 1,
    }
