"""What is done about a clock when it is due: it is started, or its player's time is up."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.common.i18n import N_, Phrase
from referee.games.clocks.durations import duration_phrase
from referee.games.clocks.ledger import Started
from referee.games.clocks.reminders import Reminder
from referee.games.clocks.reminders import due as reminders_due
from referee.games.events import ClockStarted, Event, SealOpened, TimeUp
from referee.games.game import Game
from referee.games.game_options import lapse_of
from referee.handlers.deadlines import may_be_over, next_look, over_on_time, reminded, waits_for
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.replies import keep_events
from referee.mail.message.message import Kind
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat, other_seat
from referee.store.values import CLOCK_SKEW_TOLERANCE

CLOCK_GOES = timedelta(hours=1)
"""How long the service's clock must have run regularly before anybody is reminded by it."""
UNHEARD_LONG = timedelta(hours=1)
"""An operator need not look at a letter that a game has waited for no longer than this."""
LOOK_AGAIN = timedelta(minutes=1)
"""When to check again whether a letter was accepted, or whether a game may be ended."""


def look(work: HandlerContext, number: int, seat: Seat) -> None:
    """Check a seat's clock, which may be due: start it, or act on its time being up."""
    game = work.games.load(number)
    if game is None or not game.timed:
        return
    player = game.seats[seat]
    since = work.games.clocks.ledger(game).since(seat)
    due = next_look(work, game, seat)
    if game.status == "playing" and seat in game.due and (since is None or _is_ahead(work, game, seat)):
        if (at := _asked_at(work, game, seat)) is not None:
            _happen(work, game, ClockStarted(seat, at))
            return
        due = work.request.now + LOOK_AGAIN
    elif due is not None and due <= work.request.now:
        if may_be_over(work, game, seat):
            _time_is_up(work, game, seat)
            return
        if _remind(work, game, seat):
            due = next_look(work, game, seat)
        if due is None or due <= work.request.now:
            due = work.request.now + LOOK_AGAIN
        waits = waits_for(work, game, seat)
        if waits is not None and (
            waits.outcome == "set-aside" or waits.recorded < work.request.now - UNHEARD_LONG
        ):
            work.unit.clocks.put_off(number, seat, due, f"{waits.number}")
            return
    work.unit.clocks.set(number, seat, player, due, anew=False)


def _is_ahead(work: HandlerContext, game: Game, seat: Seat) -> bool:
    """Return whether a wrong clock has dated the start of a seat's clock."""
    started = [fact.at for fact in game.times if isinstance(fact, Started) and fact.seat == seat]
    return bool(started) and started[-1] > work.request.now + CLOCK_SKEW_TOLERANCE


def _asked_at(work: HandlerContext, game: Game, seat: Seat) -> datetime | None:
    """Return when the letter that asks a seat for its move was accepted for delivery (TM-1.1); None before that.

    Where there is no such letter, since the player wants fewer, it is when that would have been sent.
    """
    heard = game.heard(seat)
    # What the player has confided since is nothing that they must be told.
    asked_by = max((place for place, each in enumerate(heard, 1) if each.heard_by != {seat}), default=0)
    told, sent = work.unit.outbox.asked(game.seats[seat], game.number, asked_by)
    if told:
        return None if sent is None else min(sent, work.request.now)
    asked = work.unit.events.turn_since(game.number)
    return min(asked or work.request.now, work.request.now)


def _remind(work: HandlerContext, game: Game, seat: Seat) -> bool:
    """Remind a player of a deadline, once for each mark (TM-8); return whether anything was due.

    Nothing is written to a player who wants no reminders. Of several that are due at once only the last is
    written, and none while no time of theirs runs, or the service's clock may be wrong, since the stated
    deadline would be wrong.
    """
    ledger = work.games.clocks.ledger(game)
    sent = reminded(work, game, seat)
    found = reminders_due(ledger, seat, work.games.clocks.marks(game), sent, work.request.now)
    left = ledger.left(seat, work.request.now)
    off = next(ledger.off(seat, work.request.now), None)
    rests = off is not None and off.start <= work.request.now
    if not found or left is None or rests or work.unit.clocks.regular_by(work.request.now) < CLOCK_GOES:
        return False
    kept = (*sent, *(Reminder(each.mark, work.request.now) for each in found))
    work.unit.clocks.keep_reminded(game.number, seat, tuple((each.mark, each.at) for each in kept))
    work.games.clocks.forget(game.number)
    news = Phrase(N_("{time} left"), {"time": duration_phrase(left)})
    words = LetterContent(kind="reminder", news=news)
    if work.composer.player(game.seats[seat]).letters == "quiet":
        return True
    work.composer.to_player(game.seats[seat], words, game=game, title=work.games.titles[game.number])
    return True


def _time_is_up(work: HandlerContext, game: Game, seat: Seat) -> None:
    """End the game, or tell the players that it may be claimed, as they have agreed (TM-5.2, TM-5.3)."""
    if lapse_of(game.options) == "hard":
        _tell_of_end(work, _happen(work, game, over_on_time(game, seat)))
        return
    deadline = work.games.clocks.deadline(game, seat) or work.request.now
    sealed = game.rulebook.sealed
    opened = sealed.unseal(game.position) if sealed is not None else ()
    game = _happen(work, game, TimeUp(seat, deadline), *([SealOpened(opened)] if opened else []))
    if game.status == "ended":
        _tell_of_end(work, game)
        return
    late, waits = game.seats[seat], game.seats[other_seat(game.seats, seat)]
    for player, code, who in ((waits, "time-up", late), (late, "your-time-up", waits)):
        seat_of = game.seat_of(who) or ""
        facts = {"who": work.composer.player(who).name or seat_of.capitalize()}
        note = Note(code, facts | {"game": game.number} if code == "time-up" else facts)
        # A player who has waited for an answer gets it now, as with the move.
        kind: Kind = "report" if opened and player == waits else "notice"
        words = LetterContent(kind=kind, news=N_("time is up"), notes=(note,))
        work.composer.to_player(player, words, game=game, title=work.games.titles[game.number])


def _tell_of_end(work: HandlerContext, game: Game) -> None:
    """Write to the players how their game has ended."""
    for each, player in game.seats.items():
        notes = (Note("plan-over"),) if each in game.plans else ()
        words = LetterContent(kind="result", news=N_("ended"), notes=notes)
        work.composer.to_player(player, words, game=game, title=work.games.titles[game.number])


def _happen(work: HandlerContext, game: Game, *events: Event) -> Game:
    """Record events that no letter asked for; return the game after them."""
    game = work.apply_events(game, *events)
    keep_events(work, game, list(events), None)
    return game
