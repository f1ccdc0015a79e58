"""When the clocks of games are to be checked, and whether a player's time is up."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta

from referee.commands.command_table import WORDS
from referee.games.clocks.reminders import Reminder, reminders
from referee.games.clocks.spans import later
from referee.games.events import Confided, Ended, Event, Opened, Replaced, Ruled, TakenBack
from referee.games.game import Game
from referee.games.game_options import lapse_of
from referee.games.results import ON_TIME
from referee.handlers.handler_context import HandlerContext
from referee.rulebooks.rulebook import Result, Seat, other_seat
from referee.store.queries import Lookup
from referee.store.values import CLOCK_PROVED, EarlyLetter, address_key

HELD_FOR = timedelta(days=3)
"""How long a held move can be confirmed and still counts from its arrival.

With more time, an opponent would wait for weeks for a game that they have won, and a late player could choose
among moves that they have never confirmed.
"""
REPEATED = "it says what was heard before, and may be that letter once more"
LATE = "it was written before what has happened since, and may be an old letter"
OLD = frozenset((REPEATED, LATE))
"""Why a letter is held although it is certain who wrote it. What is confirmed counts as of then (TM-1.2).

Otherwise a player who sends several moves at once, with an old date, could think for days and confirm one.
"""
WAITED_FOR = timedelta(days=3)
"""How long a game waits after the deadline for a letter whose writer is unknown."""
GRACE = timedelta(minutes=10)
"""The time between a deadline and the end of a game.

A letter that a mail host accepts at the last moment appears in the mailbox some minutes later. One that is
dated after the deadline is late all the same.
"""
_MOVES = frozenset(("try",))
"""Command words by which a move may be made."""
_NO_MOVES = frozenset(word.name for word in WORDS) - _MOVES
_READ = re.compile(r"(?:(\d+): )?(\S*)")
AT_ONCE = timedelta(microseconds=1)


def keep(work: HandlerContext, game: Game, events: Collection[Event]) -> None:
    """Store when the clocks of a game are to be checked, after events that have just happened."""
    for seat, player in game.seats.items():
        anew = any(
            isinstance(each, Opened | TakenBack)
            or (isinstance(each, Ruled | Replaced) and each.seat == seat)
            or (isinstance(each, Confided) and each.moved and each.seat == seat)
            for each in events
        )
        work.unit.clocks.set(
            game.number, seat, player, None if anew else next_look(work, game, seat), anew=anew
        )
        work.games.clocks.forget(game.number)
        if anew and (due := next_look(work, game, seat)) is not None:
            work.unit.clocks.set(game.number, seat, player, due, anew=True)
            work.games.clocks.forget(game.number)


def next_look(work: HandlerContext, game: Game, seat: Seat) -> datetime | None:
    """Return when a seat's clock is to be checked, None for not at all at present."""
    if game.status != "playing" or seat not in game.due:
        return None
    ledger = work.games.clocks.ledger(game)
    if ledger.since(seat) is None:
        return work.request.now
    deadline = work.games.clocks.deadline(game, seat)
    if deadline is None or seat in game.time_up:
        return None
    marks = reminders(ledger, seat, work.games.clocks.marks(game), reminded(work, game, seat))
    return min([each.at for each in marks if each.at <= deadline], default=later(deadline, GRACE + AT_ONCE))


def reminded(work: HandlerContext, game: Game, seat: Seat) -> tuple[Reminder, ...]:
    """Return the reminders that a seat's player got for the move in progress."""
    kept = work.games.clocks.kept(game).get(seat)
    return tuple(Reminder(mark, at) for mark, at in kept.reminded) if kept else ()


def may_be_over(work: HandlerContext, game: Game, seat: Seat, before: datetime | None = None) -> bool:
    """Return whether a seat's time is certainly up.

    The deadline has passed for a while, the mailbox was read since, no letter of the player that may count is
    still unheard, and the service's clock has run regularly.

    before: when a claim to the time arrived: earlier letters count too.
    """
    since = work.games.clocks.ledger(game).since(seat)
    deadline = work.games.clocks.deadline(game, seat)
    if (
        since is None
        or deadline is None
        or deadline >= work.request.heard
        or later(deadline, GRACE) >= work.request.now
    ):
        return False
    looked = work.unit.clocks.last_look()
    if (
        looked is None
        or looked <= later(deadline, GRACE)
        or work.unit.clocks.regular_by(work.request.now) < CLOCK_PROVED
    ):
        return False
    return waits_for(work, game, seat, before) is None


def waits_for(
    work: HandlerContext, game: Game, seat: Seat, before: datetime | None = None
) -> EarlyLetter | None:
    """Return a letter because of which it is not certain that a seat's time is up; None for none.

    before: as in may_be_over.
    """
    since = work.games.clocks.ledger(game).since(seat)
    deadline = work.games.clocks.deadline(game, seat)
    if since is None or deadline is None:
        return None
    until = deadline if before is None else max(deadline, before - AT_ONCE)
    unheard = work.unit.letters.unheard_by(until, game.seats[seat], since)
    his = _addresses(work, game.seats[seat]) if unheard else frozenset()
    for letter in unheard:
        if letter.outcome == "held":
            counts = (
                letter.reason not in OLD
                and _may_move(letter, game.number)
                and work.request.now <= counts_until(work.unit, letter.arrived)
            )
        elif letter.outcome == "set-aside" and letter.sender:
            counts = letter.sender in his  # the service has failed, and the operator is told so
        else:
            counts = work.request.now <= later(max(deadline, letter.recorded), WAITED_FOR)
        if counts:
            return letter
    return None


def counts_until(unit: Lookup, arrived: datetime) -> datetime:
    """Return until when a held move can be confirmed and still counts from its arrival.

    Outages of the service extend this.
    """
    out = (ended - max(began, arrived) for began, ended in unit.clocks.outages(arrived))
    return arrived + HELD_FOR + sum(out, timedelta(0))


def _addresses(work: HandlerContext, player: int) -> frozenset[str]:
    """Return the addresses from which a player may write, in the store's form."""
    second = (each.address for each in work.unit.addresses.of_player(player) if each.use == "second")
    return frozenset(map(address_key, (work.composer.player(player).address, *second)))


def _may_move(letter: EarlyLetter, game: int) -> bool:
    """Return whether a letter may contain a move for a game, by what was read in it."""
    for said in letter.commands:
        found = _READ.match(said)
        about = int(found[1]) if found and found[1] else letter.game
        if found and about in (None, game) and found[2] not in _NO_MOVES:
            return True
    return False


def is_late(work: HandlerContext, game: Game, seat: Seat, at: datetime | None = None) -> bool:
    """Return whether nothing of a seat's counts any more, since its time was up when the letter arrived.

    at: another instant from which it counts.
    """
    if not game.timed or lapse_of(game.options) == "soft":
        return False
    deadline = work.games.clocks.deadline(game, seat)
    running = work.games.clocks.ledger(game).since(seat) is not None
    late = running and deadline is not None and (at or work.request.received) > deadline
    return late and work.unit.clocks.regular_by(work.request.now) >= CLOCK_PROVED


def over_on_time(game: Game, seat: Seat) -> Ended:
    """Return the end of a game by a seat's lack of time."""
    result = Result(other_seat(game.seats, seat), ON_TIME)
    return Ended(result, game.rulebook.rules.conclude(game.position, result))
