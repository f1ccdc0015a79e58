"""What an umpire may do in a game: each act as a value, and the events that it causes. Pure.

The fault for an act that cannot be done states nothing that is not public. Take-backs, corrections and
restorations are in `take_backs`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from referee.common.durations import DAY
from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.games.clock_events import BY_UMPIRE
from referee.games.clocks.controls import Untimed
from referee.games.decisions import adjudicate_game
from referee.games.events import (
    Event,
    Paused,
    Replaced,
    Resumed,
    SealOpened,
    Stated,
    TimeAdded,
    Withdrawn,
)
from referee.games.game import Game
from referee.games.game_options import control_of
from referee.games.results import DRAW, LONGEST_REASON, NONE, names_an_address, tidy_reason
from referee.games.take_backs import correct_order, order_in_a_name, put_back, take_back_to
from referee.rulebooks.rulebook import OBSERVER, Seat, heard_by_all

MOST_TIME = 1000 * DAY
"""The most time that an umpire can give at once (TM-2.7)."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop both sides' time; moves are still accepted. until: when the pause ends by itself, aware UTC."""

    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """End a pause that an umpire began."""


@dataclass(frozen=True, slots=True)
class AddTime:
    """Give time to a seat, or to both (None)."""

    time: timedelta
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the game back to the beginning of a turn. seat: whose turn; None for the seat that was first in it."""

    turn: int
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """Replace an order that was ruled on by another. turn: of the order, None for the last."""

    order: str
    turn: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Restore:
    """Undo the last take-back."""


@dataclass(frozen=True, slots=True)
class ActFor:
    """Give an order in a seat's name."""

    seat: Seat
    order: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Make a statement, which changes nothing else. text: the number of the stored text."""

    text: int = field(default=0)


@dataclass(frozen=True, slots=True)
class Replace:
    """Let another player take a seat. player: their number."""

    seat: Seat
    player: int


@dataclass(frozen=True, slots=True)
class Close:
    """End a game without a result, or withdraw a proposal."""


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """End a game. end: the seat whose side has won, "draw", or "none"."""

    end: str


Act = Pause | Resume | AddTime | TakeBack | Correct | Restore | ActFor | Rule | Replace | Close | Adjudicate
Decided = tuple[Event, ...] | Fault


def decide_act(game: Game, act: Act, reason: str, by: int | None, now: datetime) -> Decided:
    """Return the events that an act causes in a game, or why it cannot be done.

    reason: the umpire's words, which the players read and the record holds; the text of a statement is stored
        elsewhere.
    by: the number of the officer, None for the service's operator.
    now: aware UTC.
    """
    said = tidy_reason(reason)
    if not isinstance(act, Rule) and (not said or len(said) > LONGEST_REASON):
        message = "a reason is a sentence of at most {most} signs; both players read it, and it stands in the record"
        return Fault("act-reason", message, {"most": str(LONGEST_REASON)})
    if not isinstance(act, Rule) and names_an_address(said):
        message = "a reason holds no mail address, since it is published with the game; say it in other words"
        return Fault("act-address", message)
    match act:
        case TakeBack(turn, seat):
            return take_back_to(game, turn, seat, said, by)
        case Correct(order, turn, seat):
            return correct_order(game, order, said, by, turn, seat)
        case Restore():
            return put_back(game, said, by)
        case Close() if game.status == "proposed" and game.proposed_by is not None:
            return (Withdrawn(game.proposed_by, said),)
        case Rule(text) if game.status in ("playing", "ended"):
            return (Stated(text, by),)
    if game.status != "playing":
        return Fault("act-not-playing", "game {game} is not being played", {"game": str(game.number)})
    match act:
        case Pause(until):
            return _pause(game, until, said, by, now)
        case Resume():
            return _resume(game, said, by, now)
        case AddTime(time, seat):
            return _add_time(game, time, seat, said, by, now)
        case ActFor(seat, order):
            return _act_for(game, seat, order, said, by)
        case Replace(seat, player):
            return _replace(game, seat, player, said, by)
        case Close():
            return (replace(adjudicate_game(game, NONE, said), by=by),)
        case Adjudicate(end) if end in (*game.seats, DRAW, NONE):
            return (replace(adjudicate_game(game, end, said), by=by),)
        case Adjudicate(end):
            ends = ", ".join((*game.seats, DRAW, NONE))
            return Fault("act-end", "a game ends with one of {ends}, not {end}", {"ends": ends, "end": end})
    raise TypeError(f"{type(act).__name__} is no act")  # pragma: no cover


def _about(game: Game, **more: str | Phrase) -> dict[str, str | Phrase]:
    return {"game": str(game.number), **more}


def is_paused(game: Game, now: datetime) -> bool:
    """Return whether a game is paused by an umpire."""
    return game.paused is not None and (game.paused.until is None or now < game.paused.until)


def _untimed(game: Game) -> Fault | None:
    if isinstance(control_of(game.options), Untimed):
        return Fault("act-not-timed", "no time is counted in game {game}", _about(game))
    return None


def _pause(game: Game, until: datetime | None, reason: str, by: int | None, now: datetime) -> Decided:
    if fault := _untimed(game):
        return fault
    if until is not None and until <= now:
        message = "a pause ends at a time that is still to come"
        return Fault("act-past", message, suggestion=_a_year_on(until, now))
    if game.paused is not None and is_paused(game, now):
        ends = game.paused.until
        if ends is None or (until is not None and until <= ends):
            message = (
                "game {game} rests already by an umpire's pause; one that is to end sooner is ended by resume"
            )
            return Fault("act-paused-already", message, _about(game))
    return (Paused(BY_UMPIRE, now, until, by, reason),)


def _a_year_on(until: datetime, now: datetime) -> str:
    """Return the next occurrence of the same day of the year, for a past year that may have been written by habit."""
    for years in (1, 2):
        try:
            day = until.replace(year=until.year + years)
        except ValueError:  # a leap day
            day = until.replace(year=until.year + years, month=3, day=1)
        if day > now:
            return f"{day:%Y-%m-%d}"
    return ""


def _resume(game: Game, reason: str, by: int | None, now: datetime) -> Decided:
    if game.frozen and not is_paused(game, now):
        message = (
            "game {game} is frozen ({why}), and whoever runs this service alone lets it go on; an umpire ends the "
            "pauses of umpires"
        )
        return Fault("act-frozen", message, _about(game, why=game.frozen.rstrip(".")))
    if not is_paused(game, now):
        return Fault("act-not-paused", "game {game} does not rest by an umpire's pause", _about(game))
    return (Resumed(BY_UMPIRE, now, by, reason),)


def _add_time(
    game: Game, time: timedelta, seat: Seat | None, reason: str, by: int | None, now: datetime
) -> Decided:
    if fault := _no_such_seat(game, seat) or _untimed(game):
        return fault
    if not timedelta() < time <= MOST_TIME:
        message = "an umpire gives time and takes none: from one hour to {most} days"
        return Fault("act-time", message, {"most": str(MOST_TIME.days)}, rule="TM-2.9")
    seats = game.seats if seat is None else (seat,)
    return tuple(TimeAdded(each, int(time.total_seconds()), now, by, reason) for each in seats)


def _no_such_seat(game: Game, seat: Seat | None) -> Fault | None:
    if seat is None or seat in game.seats:
        return None
    message = "there is no seat {seat}; the seats are {seats}"
    return Fault("act-seat", message, {"seat": seat, "seats": ", ".join(game.seats)})


def _act_for(game: Game, seat: Seat, order: str, reason: str, by: int | None) -> Decided:
    if fault := _no_such_seat(game, seat):
        return fault
    if seat not in game.due:
        message = "it is not the turn of {side} in game {game}, so nothing can be tried in its name"
        return Fault("act-turn", message, _about(game, side=Phrase(seat.capitalize())))
    opened: tuple[Event, ...] = ()
    sealed = game.rulebook.sealed
    if sealed is not None and (happenings := sealed.unseal(game.position)):
        # This way nobody, not even the umpire, learns whether the seat had to be asked.
        opened = (SealOpened(happenings),)
        game = game.after(*opened)
        if game.status != "playing":
            return opened
    ruled = order_in_a_name(game, seat, order)
    if isinstance(ruled, Fault):
        return replace(ruled, excerpt="", place=None)
    return (*opened, replace(ruled, by=by or 0, reason=reason))


def _replace(game: Game, seat: Seat, player: int, reason: str, by: int | None) -> Decided:
    if fault := _no_such_seat(game, seat):
        return fault
    message = ""
    if player in game.seats.values():
        message = N_("whoever is to take the seat sits in game {game} already")
    elif player in game.watchers:
        message = N_(
            "whoever is to take the seat watches game {game}, and would play with what others have heard"
        )
    elif game.former.get(player, seat) != seat:
        message = N_(
            "whoever is to take the seat has sat on the other side of game {game}, and knows its secrets"
        )
    elif player == by:
        message = N_("you cannot take the seat of a game in which you act yourself")
    if message:
        return Fault("act-player", message, _about(game))
    return (Replaced(seat, player, game.seats[seat], reason, by),)


def left_to_do(game: Game, act: Act, reason: str, by: int | None, now: datetime) -> Act | None:
    """Return what remains of an act; None for nothing.

    A seat that was given the same time by the same officer and for the same reason within a day is given
    nothing more. An act in all games of an event that was interrupted can therefore be repeated without
    giving time twice, and the other seat still gets its time. (Other acts refuse a repetition by themselves.)
    """
    if not isinstance(act, AddTime):
        return act
    alike = (int(act.time.total_seconds()), tidy_reason(reason), by)
    given = {
        each.seat
        for each in game.added
        if (each.seconds, each.reason, each.by) == alike and now - each.at < DAY
    }
    seats = game.seats if act.seat is None else (act.seat,)
    left = [seat for seat in seats if seat not in given]
    if not left:
        return None
    return act if len(left) == len(seats) else replace(act, seat=left[0])


# The public side of an act before it is done, and the state of the game it was meant for


@dataclass(frozen=True, slots=True)
class Attempt:
    """An order with its answer, both public: "yes", "no", or "pass"."""

    seat: Seat
    order: str
    answer: str


def attempts_in(game: Game, happenings: Sequence[Any]) -> tuple[Attempt, ...]:
    """Return the attempts among happenings that every seat has heard."""
    heard = heard_by_all(happenings, game.rulebook.seats)
    said: list[Mapping[str, Any]] = [game.rulebook.records.recorded(each) for each in heard]
    return tuple(Attempt(each["seat"], each["order"], each["answer"]) for each in said if "order" in each)


def stands_at(game: Game) -> str:
    """Return a text of the state of a game, to check that an act still applies.

    It changes with every public fact that may bear on an act, and with nothing else, so that it reveals
    nothing of plans or diaries.
    """
    paused = "" if game.paused is None else f"{game.paused.at.isoformat()} {game.paused.until}"
    seats = " ".join(f"{seat} {who}" for seat, who in game.seats.items())
    heard = len(game.heard(OBSERVER)) if game.seats else 0
    added = sum(each.seconds for each in game.added)
    offer = "" if game.offer is None else f"{game.offer.by} {game.offer.end}"
    agreed = f"{' '.join(sorted(game.consent.agreed))} {game.consent.until} {game.consent.ends}"
    here = f"{' '.join(sorted(game.checked_in))}, {' '.join(sorted(game.unreachable))}"
    stands = (game.status, heard, seats, game.frozen, paused, added, offer, agreed, here, len(game.to_all))
    return "; ".join(map(str, stands))
