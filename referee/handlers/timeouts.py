"""What is done about a clock when it is due: it is started, or the time of its player is up."""

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
"""So long the house's clock must have gone regularly before anybody is reminded by it."""
UNHEARD_LONG = timedelta(hours=1)
"""What a letter waits for no longer than this is nothing that an operator need look after."""
LOOK_AGAIN = timedelta(minutes=1)
"""After which it is asked again whether a letter was accepted, or whether a game may be ended."""


def look(work: HandlerContext, number: int, seat: Seat) -> None:
    """Look at a seat's clock, which may be due: start it, or see to it that its time is up."""
    game = work.game(number)
    if game is None or not game.timed:
        return
    player = game.seats[seat]
    since = work.clocks.ledger(game).since(seat)
    due = next_look(work, game, seat)
    if game.status == "playing" and seat in game.due and (since is None or _is_ahead(work, game, seat)):
        if (at := _asked_at(work, game, seat)) is not None:
            _happen(work, game, ClockStarted(seat, at))
            return
        due = work.now + LOOK_AGAIN
    elif due is not None and due <= work.now:
        if may_be_over(work, game, seat):
            _time_is_up(work, game, seat)
            return
        if _remind(work, game, seat):
            due = next_look(work, game, seat)
        if due is None or due <= work.now:
            due = work.now + LOOK_AGAIN
        waits = waits_for(work, game, seat)
        if waits is not None and (waits.outcome == "set-aside" or waits.recorded < work.now - UNHEARD_LONG):
            work.unit.clocks.put_off(number, seat, due, f"{waits.number}")
            return
    work.unit.clocks.set(number, seat, player, due, anew=False)


def _is_ahead(work: HandlerContext, game: Game, seat: Seat) -> bool:
    """Return whether a clock that was wrong has dated the start of a seat's."""
    started = [fact.at for fact in game.times if isinstance(fact, Started) and fact.seat == seat]
    return bool(started) and started[-1] > work.now + CLOCK_SKEW_TOLERANCE


def _asked_at(work: HandlerContext, game: Game, seat: Seat) -> datetime | None:
    """Return when the letter that asks a seat for its move was accepted for delivery (TM-1.1); None while it was not.

    Where no letter does, since the player wants fewer, it is when that would have gone.
    """
    heard = game.heard(seat)
    # What he has said himself since, for nobody else to hear, is nothing that he must be told.
    asked_by = max((place for place, each in enumerate(heard, 1) if each.heard_by != {seat}), default=0)
    told, sent = work.unit.outbox.asked(game.seats[seat], game.number, asked_by)
    if told:
        return None if sent is None else min(sent, work.now)
    asked = work.unit.events.turn_since(game.number)
    return min(asked or work.now, work.now)


def _remind(work: HandlerContext, game: Game, seat: Seat) -> bool:
    """Remind a player of a deadline, once for each mark (TM-8), unless the player wants no reminders; tell whether
    anything was due.

    Of several that are due at once only the last is written, and none while no time of his runs, or the house's clock
    may be wrong: he would be told a deadline that is none.
    """
    ledger = work.clocks.ledger(game)
    sent = reminded(work, game, seat)
    found = reminders_due(ledger, seat, work.clocks.marks(game), sent, work.now)
    left = ledger.left(seat, work.now)
    off = next(ledger.off(seat, work.now), None)
    rests = off is not None and off.start <= work.now
    if not found or left is None or rests or work.unit.clocks.regular_by(work.now) < CLOCK_GOES:
        return False
    kept = (*sent, *(Reminder(each.mark, work.now) for each in found))
    work.unit.clocks.keep_reminded(game.number, seat, tuple((each.mark, each.at) for each in kept))
    work.clocks.forget(game.number)
    news = Phrase(N_("{time} left"), {"time": duration_phrase(left)})
    words = LetterContent(kind="reminder", news=news)
    if work.post.player(game.seats[seat]).letters == "quiet":
        return True
    work.post.to_player(game.seats[seat], words, game=game, title=work.titles[game.number])
    return True


def _time_is_up(work: HandlerContext, game: Game, seat: Seat) -> None:
    """End the game, or tell the players that it may be claimed, as they have agreed (TM-5.2, TM-5.3)."""
    if lapse_of(game.options) == "hard":
        _tell_of_end(work, _happen(work, game, over_on_time(game, seat)))
        return
    deadline = work.clocks.deadline(game, seat) or work.now
    sealed = game.rulebook.sealed
    opened = sealed.unseal(game.position) if sealed is not None else ()
    game = _happen(work, game, TimeUp(seat, deadline), *([SealOpened(opened)] if opened else []))
    if game.status == "ended":
        _tell_of_end(work, game)
        return
    late, waits = game.seats[seat], game.seats[other_seat(game.seats, seat)]
    for player, code, who in ((waits, "time-up", late), (late, "your-time-up", waits)):
        seat_of = game.seat_of(who) or ""
        facts = {"who": work.post.player(who).name or seat_of.capitalize()}
        note = Note(code, facts | {"game": game.number} if code == "time-up" else facts)
        # Who has waited for an answer gets it now, as he would have had it with the move.
        kind: Kind = "report" if opened and player == waits else "notice"
        words = LetterContent(kind=kind, news=N_("time is up"), notes=(note,))
        work.post.to_player(player, words, game=game, title=work.titles[game.number])


def _tell_of_end(work: HandlerContext, game: Game) -> None:
    """Write to the players how their game has ended."""
    for each, player in game.seats.items():
        notes = (Note("plan-over"),) if each in game.plans else ()
        words = LetterContent(kind="result", news=N_("ended"), notes=notes)
        work.post.to_player(player, words, game=game, title=work.titles[game.number])


def _happen(work: HandlerContext, game: Game, *events: Event) -> Game:
    """Let events come to pass that nobody's letter asked for; return the game after them."""
    game = work.happen(game, *events)
    keep_events(work, game, list(events), None)
    return game
