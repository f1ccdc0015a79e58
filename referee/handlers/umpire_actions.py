"""Carries out umpires' acts: their events are stored, and everybody who is to hear of them is told.

This is shared by acts by letter and from the command line. games.umpire_actions defines the acts; `umpire`
checks who may do them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.games.clock_events import dated
from referee.games.clocks.durations import duration_phrase
from referee.games.clocks.spans import later
from referee.games.events import Ended, Event, Paused, Replaced, Resumed, Ruled, TakenBack, TimeAdded
from referee.games.game import Game
from referee.games.titles import write_title
from referee.games.tournaments.officers import Office
from referee.games.umpire_actions import (
    Act,
    ActFor,
    AddTime,
    Adjudicate,
    Close,
    Correct,
    Pause,
    Replace,
    Restore,
    Resume,
    Rule,
    TakeBack,
    decide_act,
)
from referee.handlers import conditional_orders, observers, replies
from referee.handlers.cases import called
from referee.handlers.game_clocks import deadline_of
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.notices import attempts_of, facts_of, news_of
from referee.handlers.take_back_notices import back_note, confided_gone, confided_since
from referee.mail.message.message import Kind
from referee.reports.report import Note
from referee.rulebooks.rulebook import OBSERVER, Seat

LONGEST_RULING = 2000
"""The most characters in a statement."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """The umpire who acts: an officer, or the service's operator (player None). office, name: "" for the latter."""

    player: int | None = None
    office: Office | str = ""
    name: str = ""


def do(
    work: HandlerContext,
    game: Game,
    act: Act,
    reason: str,
    ruler: Ruler,
    *,
    letter: int | None = None,
    in_all: bool = False,
) -> Game | Fault:
    """Do an act in a game and write to all who are to hear of it; return the new game, or why it cannot be done.

    A fault leaves everything unchanged.

    letter: the one that confirmed it, None for none.
    in_all: it is done in all games of the event.
    """
    if isinstance(act, Rule):
        fault = check_ruling(reason)
        if fault is not None:
            return fault
    found = decide_act(game, act, reason, ruler.player, work.request.now)
    if isinstance(found, Fault):
        return found
    if isinstance(act, Replace) and (fault := check_newcomer(work, game, act.player)) is not None:
        return fault
    if isinstance(act, Rule):
        writer = ruler.player if ruler.player is not None else next(iter(game.seats.values()))
        turn = game.rulebook.rules.turn(game.view(next(iter(game.seats))))
        text = work.unit.writings.add(game.number, writer, "ruling", turn, reason.strip())
        found = decide_act(game, Rule(text), reason, ruler.player, work.request.now)
        assert not isinstance(found, Fault), "it could be done before it had a number"
    if in_all:
        in_every_game = (Paused, Resumed, TimeAdded, Ended)
        found = tuple(
            replace(event, in_all=True) if isinstance(event, in_every_game) else event for event in found
        )
    if game.timed:  # it happens now, and not when the letter that asks for it arrived
        found = tuple(dated(event, work.request.now, work.request.now) for event in found)
    before = game
    game = work.apply_events(game, *found)
    if any(isinstance(event, Ruled) for event in found):
        conditional_orders.go_on(work)  # those of the other side, who may be to move now
        game = work.games.by_number[game.number]
    part = work.outcome.by_game.pop(game.number)
    for event in found:
        if isinstance(event, Replaced):
            work.unit.games.replace_player(game.number, event.seat, event.player, event.before)
            work.composer.forget_standpoints()
            _title_anew(work, game)
    for event in found:
        if isinstance(event, TimeAdded):
            _promise_more(work, before, event)
    replies.keep_events(work, game, part.events, letter)
    _tell(work, before, game, found, act, reason, ruler, part.whispers)
    return game


def _title_anew(work: HandlerContext, game: Game) -> None:
    """Give a game a title with the names of its present players."""
    names = (work.composer.player(game.seats[seat]).name or seat.capitalize() for seat in game.rulebook.seats)
    work.games.titles[game.number] = write_title(game.rulebook.title, game.number, names)
    work.unit.games.set_title(game.number, work.games.titles[game.number])


def _promise_more(work: HandlerContext, game: Game, event: TimeAdded) -> None:
    """Add time from the deadline that a player was told, where this is later than the clock's."""
    kept = work.games.clocks.kept(game).get(event.seat)
    if kept is not None and kept.promised is not None and event.seat in game.due:
        work.unit.clocks.promise(
            game.number, event.seat, later(kept.promised, timedelta(seconds=event.seconds))
        )
        work.games.clocks.forget(game.number)


def ends_with(work: HandlerContext, game: Game, act: AddTime, *, done: bool = False) -> dict[str, Any]:
    """Return for which move added time is, as facts of a note.

    lasts: the deadline then of the player to move. then_left: the time they have left then, where none of
        their time runs. Neither where none of it is for the present move.

    done: it was added already; otherwise it is computed as if it were now.
    """
    neither = {"lasts": None, "then_left": ""}
    seat = next((each for each in game.due if act.seat in (None, each)), None)
    if seat is None:
        return neither
    kept = work.games.clocks.kept(game).get(seat)
    promised = kept.promised if kept is not None else None
    if not done:
        found = decide_act(game, act, "-", None, work.request.now)
        if isinstance(found, Fault):
            return neither
        promised = later(promised, act.time) if promised is not None else None
        for event in found:
            game = game.after(dated(event, work.request.now, work.request.now))
    ledger = work.games.clocks.ledger(game)
    until = (
        work.games.clocks.deadline(game, seat)
        if done
        else deadline_of(ledger, seat, promised, work.request.now)
    )
    left = ledger.left(seat, work.request.now)
    return {"lasts": until, "then_left": duration_phrase(left) if until is None and left is not None else ""}


def cases_settled(work: HandlerContext, game: Game, act: Act) -> tuple[str, ...]:
    """Return the names of the upheld cases whose remedy is this act: all of its game that wait for one."""
    if isinstance(act, Rule):
        return ()
    return tuple(called(game.number, each.number) for each in work.unit.cases.to_change(game.number))


def check_newcomer(work: HandlerContext, game: Game, player: int) -> Fault | None:
    """Return why a player cannot take a seat because of facts outside the game; None where they can."""
    known = work.unit.players.find(player)
    facts = {"who": known.name or Phrase(N_("whoever is to take the seat")), "game": str(game.number)}
    if known.unreachable:
        message = "letters to {who} come back, so the seat in game {game} cannot be given away like that"
        return Fault("act-unreachable", message, facts)
    if game.competition is None:
        return None
    if any(each.player == player for each in work.unit.tournaments.find(game.competition).officers):
        message = (
            "{who} holds an office in the event of game {game}, and may have read there what only one side is "
            "to know"
        )
        return Fault("act-officer", message, facts)
    row = work.games.row(game.number)
    if row is not None and work.unit.tournaments.held_office(game.competition, player, since=row.created):
        message = (
            "{who} held an office in the event of game {game} while it was being played, and may have read there what "
            "only one side is to know"
        )
        return Fault("act-was-officer", message, facts)
    return None


def check_ruling(text: str) -> Fault | None:
    """Return the fault of a statement's text; None where it is valid."""
    if not text.strip() or len(text) > LONGEST_RULING:
        message = "a ruling is a text of at most {most} signs, which both players read"
        return Fault("ruling-long", message, {"most": str(LONGEST_RULING)})
    return None


def _tell(
    work: HandlerContext,
    before: Game,
    game: Game,
    events: Sequence[Event],
    act: Act,
    reason: str,
    ruler: Ruler,
    whispers: Sequence[tuple[Seat, Note]],
) -> None:
    """Write to the players, and to a player who has lost a seat. (Observers are told with the events.)"""
    title = work.games.titles[game.number]
    if not game.seats:
        _tell_of_withdrawal(work, before, reason, ruler)
        return
    for seat, player in game.seats.items():
        note = _note(work, before, game, events, act, reason, ruler, seat)
        notes = [note, *(each for whom, each in whispers if whom == seat)]
        kind: Kind = "notice" if isinstance(act, Pause | Resume | AddTime | Rule) else "report"
        news = replies.news_of(game, seat)
        if game.status != "ended" or isinstance(act, Rule):
            news = news_of(act, news, due=seat in game.due)
        if game.status == "ended" and before.status != "ended":
            kind, news = "result", N_("ended")
            if isinstance(act, Close | Adjudicate) and ruler.player is None:
                notes.remove(note)  # the letter itself states the ruling and the reason
            if isinstance(act, ActFor) and not any(isinstance(event, Ruled) for event in events):
                notes.remove(note)  # opening the seal has ended the game, and nothing was tried
            if seat in game.plans:
                notes.append(Note("plan-over"))
        words = LetterContent(kind=kind, news=news, notes=tuple(notes))
        work.composer.to_player(player, words, game=game, title=title)
    if isinstance(act, Pause | Resume | AddTime | Rule | Replace):
        observers.tell_of_act(work, game, _note(work, before, game, events, act, reason, ruler, OBSERVER))
    for event in events:
        if isinstance(event, Replaced):
            facts = {"game": game.number, "reason": reason, "who": ruler.name, "office": ruler.office}
            words = LetterContent(kind="notice", notes=(Note("seat-lost", facts),), rescheduled=(game,))
            work.composer.to_player(event.before, words)


def _tell_of_withdrawal(work: HandlerContext, game: Game, reason: str, ruler: Ruler) -> None:
    """Write to those concerned by a proposal that an umpire has withdrawn."""
    facts = {"game": game.number, "reason": reason, "who": ruler.name, "office": ruler.office}
    for player in (game.proposed_by, game.proposed_to):
        if player is not None:
            words = LetterContent(kind="notice", notes=(Note("proposal-closed", facts),))
            work.composer.to_player(player, words)


def _note(
    work: HandlerContext,
    before: Game,
    game: Game,
    events: Sequence[Event],
    act: Act,
    reason: str,
    ruler: Ruler,
    seat: Seat,
) -> Note:
    """Return the note on an act for a seat's player, or for observers (OBSERVER)."""
    plan, offer = seat in before.plans, before.offer is not None and game.offer is None
    if isinstance(act, TakeBack | Correct) or (isinstance(act, Restore) and _goes_back(events)):
        return back_note(
            game,
            len(game.branches) - 1,
            office=ruler.office,
            who=ruler.name,
            corrected=next((each.order for each in events if isinstance(each, Ruled)), "")
            if isinstance(act, Correct)
            else "",
            plan=plan,
            offer=offer,
            restored=attempts_of(game, events) if isinstance(act, Restore) else (),
            confided=confided_gone(game, len(game.branches) - 1, seat, events),
        )
    facts = facts_of(game, act, reason) | {
        "who": ruler.name,
        "office": ruler.office,
        "attempts": attempts_of(game, events, act.seat if isinstance(act, ActFor) else None),
        "plan": plan and seat not in game.plans,
        "mine": seat,
        "zone": work.composer.player(game.seats[seat]).zone if seat in game.seats else "UTC",
        "comes": "",
        "left_by": "",
        "offer": offer and game.status == "playing",
        "pause": bool(before.consent.agreed) and not game.consent.agreed and game.status == "playing",
        "confided": confided_since(before, seat) if isinstance(act, Restore) and seat in game.seats else (),
    }
    if isinstance(act, AddTime):
        facts |= ends_with(work, game, act, done=True)
        facts["seat"] = "" if sum(isinstance(each, TimeAdded) for each in events) > 1 else facts["seat"]
    for event in events:
        if isinstance(event, Replaced):
            facts["comes"] = work.composer.player(event.player).name or event.seat.capitalize()
            facts["left_by"] = work.composer.player(event.before).name
            if event.seat == seat:
                return Note("seat-taken", {key: facts[key] for key in _SEAT_TAKEN})
    return Note("umpired", facts)


_SEAT_TAKEN = ("game", "seat", "left_by", "reason", "who", "office")


def _goes_back(events: Sequence[Event]) -> bool:
    return any(isinstance(event, TakenBack) for event in events)
