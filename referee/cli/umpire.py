"""Operator commands for umpires: act in a game, or in all games of a tournament; first as a trial."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from functools import wraps
from typing import Any

import click

from referee.cli.arguments import LARGEST_NUMBER, a_game, one_sentence, read_person, the_game
from referee.cli.context import Call, Commands, as_json, pass_call, say_json, say_plainly
from referee.common.errors import UsageError
from referee.games.clocks.durations import read_duration
from referee.games.umpire_actions import Act as Action
from referee.games.umpire_actions import (
    ActFor,
    AddTime,
    Adjudicate,
    Close,
    Pause,
    Restore,
    Resume,
    Rule,
)
from referee.handlers.action_requests import begin_of
from referee.rulebooks.rulebook import Seat
from referee.service.bootstrap import Application
from referee.service.umpiring import Act, InEvent, Told

the_event = click.option(
    "--event", "event", metavar="NAME", help="In all games of this event that are being played."
)
the_reason = click.option(
    "--reason",
    required=True,
    callback=one_sentence,
    help="Why; both players read it, and the record keeps it.",
)
the_seat = click.option(
    "--seat", metavar="COLOUR", help="Whose turn of that number; if left out, the side that was first in it."
)
the_officer = click.option(
    "--as", "officer", metavar="NAME", help="In the name of this officer of the event."
)
do_it = click.option("--do", "do", is_flag=True, help="Do it; without, it is only said what would be told.")


@dataclass(frozen=True, slots=True)
class Where:
    """Where an action applies: in a game, or in all games of a tournament."""

    application: Application
    game: int | None
    event: str | None


def in_games(what: str, *own: Callable[[Any], Any]) -> Callable[[Callable[..., Action]], Callable[..., None]]:
    """Make a command of a function that returns an action: for one game, or for all games of a tournament.

    what: a phrase for what was done.
    own: the command's own options, passed to the function after Where.
    """

    def decorate(action_of: Callable[..., Action]) -> Callable[..., None]:
        @wraps(action_of)
        def command(
            call: Call,
            game: int | None,
            event: str | None,
            reason: str,
            officer: str | None,
            do: bool,
            as_json: bool,
            **given: Any,
        ) -> None:
            with call.application() as application:
                action = action_of(Where(application, game, event), **given)
                _do(application, action, game, event, reason, what, officer, do=do, as_json=as_json)

        of_all: tuple[Callable[[Any], Any], ...] = (
            a_game,
            the_event,
            *own,
            the_reason,
            the_officer,
            do_it,
            as_json,
        )
        made: Callable[..., None] = pass_call(command)
        for parameter in reversed(of_all):
            made = parameter(made)
        return made

    return decorate


@click.group(cls=Commands)
def umpire() -> None:
    """Act in a game as its umpire, first as a trial: only --do does it.

    To stop a game altogether, so that no move is taken, use `referee freeze`; `referee thaw` lets it go on.

    Example: referee umpire take-back 17 --to 12 --reason "White's order was misread."
    """


@umpire.command("pause")
@in_games(
    "paused",
    click.option("--until", metavar="DATE", help="The day on which time runs again; the event's, else UTC."),
)
def pause(where: Where, until: str | None) -> Action:
    """Stop all clocks of a game; moves are taken all the same.

    Example: referee umpire pause 17 --until 2027-01-03 --reason "The club is closed."
    """
    return Pause(_day(where, until) if until else None)


@umpire.command("resume")
@in_games("resumed")
def resume(where: Where) -> Action:
    """Let the clocks of a game run again that were stopped by `pause`.

    Example: referee umpire resume --event "Spring League" --reason "The club is open again." --do
    """
    return Resume()


@umpire.command("add-time")
@in_games(
    "given time",
    click.option("--time", "amount", required=True, metavar="TIME", help="So much: 3d, 12h, 1d12h."),
    click.option("--seat", metavar="COLOUR", help="Whom; both sides if left out."),
)
def add_time(where: Where, amount: str, seat: str | None) -> Action:
    """Give a side time, or both; time is never taken.

    In an event, nothing is given twice within a day by the same officer for the same reason.

    Example: referee umpire add-time 17 --seat white --time 3d --reason "White was in hospital."
    """
    given = read_duration("".join(amount.lower().split()))
    if given is None:
        raise UsageError(f"--time {amount}: expected days and hours, as in 3d, 12h or 1d12h.")
    return AddTime(given, _seat(seat))


@umpire.command("take-back")
@the_game
@click.option(
    "--to", "turn", required=True, type=click.IntRange(1, LARGEST_NUMBER), help="The turn to go on from."
)
@the_seat
@the_reason
@the_officer
@do_it
@as_json
@pass_call
def take_back(
    call: Call,
    game: int,
    turn: int,
    seat: str | None,
    reason: str,
    officer: str | None,
    do: bool,
    as_json: bool,
) -> None:
    """Let a game go on from the beginning of an earlier turn.

    What was tried since counts no more; the record keeps it, and both players are told. A game that is over is not
    taken back, since its end has shown all types.

    Example: referee umpire take-back 17 --to 12 --seat white --reason "White's order was misread."
    """
    with call.application() as application:
        by = find_officer(application, officer)
        act = application.referee.umpire.take_back(game, turn, reason, seat=_seat(seat), by=by, dry=not do)
    _say(act, f"taken back to turn {turn}", do=do, as_json=as_json)


@umpire.command("correct")
@the_game
@click.argument("order")
@click.option(
    "--turn", type=click.IntRange(1, LARGEST_NUMBER), help="Of the order; the last that was ruled on."
)
@the_seat
@the_reason
@the_officer
@do_it
@as_json
@pass_call
def correct(
    call: Call,
    game: int,
    order: str,
    turn: int | None,
    seat: str | None,
    reason: str,
    officer: str | None,
    do: bool,
    as_json: bool,
) -> None:
    """Put another order in the place of one that was ruled on; what followed it is taken back.

    It is ruled on in its seat's name, and both players are told that the umpire gave it.

    Example: referee umpire correct 17 V-NW2 --reason "The letter said NW, and was read as W."
    """
    with call.application() as application:
        by = find_officer(application, officer)
        act = application.referee.umpire.correct(
            game, order, reason, turn=turn, seat=_seat(seat), by=by, dry=not do
        )
    _say(act, "corrected", do=do, as_json=as_json)


@umpire.command("restore")
@the_game
@the_reason
@the_officer
@do_it
@as_json
@pass_call
def restore(call: Call, game: int, reason: str, officer: str | None, do: bool, as_json: bool) -> None:
    """Put back in its place what was taken back last; what was played since is taken back in its turn.

    Its orders are ruled on once more, and the answers are the same. Both branches stay in the record.

    Example: referee umpire restore 17 --reason "The order was read rightly after all."
    """
    with call.application() as application:
        _do(application, Restore(), game, None, reason, "restored", officer, do=do, as_json=as_json)


@umpire.command("act")
@the_game
@click.argument("seat", metavar="COLOUR")
@click.argument("order")
@the_reason
@the_officer
@do_it
@as_json
@pass_call
def act(
    call: Call, game: int, seat: str, order: str, reason: str, officer: str | None, do: bool, as_json: bool
) -> None:
    """Give an order in the name of a side whose turn it is; both players are told who gave it.

    Example: referee umpire act 17 white V-NW2 --reason "White has telephoned it." --do
    """
    with call.application() as application:
        action = ActFor(Seat(seat.strip().lower()), order)
        _do(application, action, game, None, reason, "moved on", officer, do=do, as_json=as_json)


@umpire.command("rule")
@the_game
@the_reason
@the_officer
@do_it
@as_json
@pass_call
def rule(call: Call, game: int, reason: str, officer: str | None, do: bool, as_json: bool) -> None:
    """Rule in words: both players read it, the record keeps it, and nothing else changes.

    Answers are the engine's; an order that was wrongly read is corrected or taken back.

    Example: referee umpire rule 17 --reason "Press about other games is out of place here." --do
    """
    with call.application() as application:
        _do(application, Rule(), game, None, reason, "ruled on", officer, do=do, as_json=as_json)


@umpire.command("replace")
@the_game
@click.argument("seat", metavar="COLOUR")
@click.argument("who", metavar='"NAME <ADDRESS>"')
@the_reason
@the_officer
@do_it
@as_json
@pass_call
def replace(
    call: Call, game: int, seat: str, who: str, reason: str, officer: str | None, do: bool, as_json: bool
) -> None:
    """Let another player take a seat; they are registered, if they are not.

    They get all that the seat has learned, and the full time for the move in hand. The first player gets no more
    letters about the game. Someone who plays in it, has sat on its other side, or watches it cannot take the seat.

    Example: referee umpire replace 17 white "Carl <carl@example.net>" --reason "Anna does not answer any more."
    """
    person = read_person(who)
    with call.application() as application:
        by = find_officer(application, officer)
        colour = Seat(seat.strip().lower())
        done = application.referee.umpire.replace_player(game, colour, person, reason, by=by, dry=not do)
    _say(done, f"{person[0] or person[1]}'s to play for {colour.capitalize()}", do=do, as_json=as_json)


@umpire.command("close")
@in_games("closed")
def close(where: Where) -> Action:
    """End a game without a result; a proposal that waits is withdrawn.

    Example: referee umpire close 17 --reason "It was begun by mistake."
    """
    return Close()


@umpire.command("adjudicate")
@the_game
@click.option(
    "--winner",
    "end",
    required=True,
    metavar="COLOUR|draw|none",
    help="Whose side has won; none closes the game without a result.",
)
@the_reason
@the_officer
@do_it
@as_json
@pass_call
def adjudicate(
    call: Call, game: int, end: str, reason: str, officer: str | None, do: bool, as_json: bool
) -> None:
    """End a game by a ruling, as `referee adjudicate` does.

    Example: referee umpire adjudicate 17 --winner white --reason "Yellow has not written since May."
    """
    with call.application() as application:
        action = Adjudicate(end.strip().lower())
        _do(application, action, game, None, reason, "ended", officer, do=do, as_json=as_json)


def _do(
    application: Application,
    action: Action,
    game: int | None,
    event: str | None,
    reason: str,
    what: str,
    officer: str | None,
    *,
    do: bool,
    as_json: bool,
) -> None:
    """Do an action in a game, or in all games of a tournament, and print the result. what: a phrase for it."""
    if (game is None) == (event is None):
        raise UsageError("Name one game, or an event with --event: one of them, and not both.")
    by = find_officer(application, officer)
    if game is not None:
        _say(
            application.referee.umpire.act(game, action, reason, by=by, dry=not do),
            what,
            do=do,
            as_json=as_json,
        )
    elif event is not None:
        _say_all(
            application.referee.umpire.act_in_event(event, action, reason, by=by, dry=not do),
            what,
            do=do,
            as_json=as_json,
        )


def find_officer(application: Application, name: str | None) -> int | None:
    """Return the number of the officer of that name. Raises UsageError for an unknown name."""
    if name is None:
        return None
    with application.store.reading() as lookup:
        found = lookup.players.named(name)
    if len(found) != 1:
        raise UsageError(f"--as {name}: nobody is called so here.")
    return found[0].number


def _day(where: Where, said: str) -> datetime:
    """Return when a day begins in the zone of the tournament, or of the game's; UTC where there is none."""
    try:
        day = date.fromisoformat(said)
    except ValueError as error:
        raise UsageError(f"--until {said}: expected a day, as in 2027-01-03.") from error
    zone = "UTC"
    with where.application.store.reading() as lookup:
        row = lookup.games.get(where.game) if where.game is not None else None
        if where.event is not None:
            zone = lookup.tournaments.find_named(where.event).terms.zone
        elif row is not None and row.competition is not None:
            zone = lookup.tournaments.find(row.competition).terms.zone
    return begin_of(day, zone)


def _seat(said: str | None) -> Seat | None:
    return Seat(said.strip().lower()) if said is not None else None


def _say(act: Act, what: str, *, do: bool, as_json: bool) -> None:
    """Print what was done, or would be. what: a phrase for it."""
    game = act.game
    turn = game.rulebook.rules.turn(game.view(next(iter(game.seats)))) if game.seats else None
    if as_json:
        say_json(
            {
                "game": game.number,
                "done": do,
                "turn": turn,
                "to_move": sorted(game.due),
                "told": [asdict(each) for each in act.told],
                "settles": list(act.settles),
            }
        )
        return
    say_plainly(f"Game {game.number} {'is' if do else 'would be'} {what}.")
    for case in act.settles:
        say_plainly(
            f"Case {case}, which was upheld, {'has' if do else 'would have'} by it what it asked for."
        )
    _say_told(act.told, do=do)
    if not do:
        say_plainly("Nothing was done; --do does it.")


def _say_told(letters: Sequence[Told], *, do: bool) -> None:
    for told in letters:
        say_plainly(f"{told.name} {'is' if do else 'would be'} told: {told.subject}")
        if not do:
            for line in _beginning(told.text):
                say_plainly(f"  {line}".rstrip())


def _say_all(became: Sequence[InEvent], what: str, *, do: bool, as_json: bool) -> None:
    """Print the result of an action in each game of a tournament, and the total."""
    if as_json:
        games = [
            {"game": each.game, "refused": each.refused or None, "told": [asdict(told) for told in each.told]}
            for each in became
        ]
        say_json({"done": do, "games": games})
        return
    for each in became:
        if each.refused:
            say_plainly(f"Game {each.game} is left as it is: {each.refused}")
        else:
            names = " and ".join(told.name for told in each.told)
            say_plainly(f"Game {each.game} {'is' if do else 'would be'} {what}; {names} told.")
    count = sum(not each.refused for each in became)
    say_plainly(f"Games {what}: {count}; left as they are: {len(became) - count}.")
    if not do:
        say_plainly("Nothing was done; --do does it.")


def _beginning(text: str) -> list[str]:
    """Return the part of a letter before its first heading in capitals."""
    lines = text.strip().splitlines()
    end = next((at for at, line in enumerate(lines) if len(line) > 3 and line.isupper()), len(lines))
    return "\n".join(lines[:end]).strip().splitlines()
