"""The operator's commands as an umpire: what is done to a game by hand, first as a trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

import click

from referee.cli_manners import (
    LARGEST_NUMBER,
    Call,
    Commands,
    as_json,
    one_sentence,
    pass_call,
    say_json,
    say_plainly,
)
from referee.rulebooks.rulebook import Seat
from referee.umpiring import Act

F = TypeVar("F", bound=Callable[..., Any])

the_game = click.argument("game", type=click.IntRange(1, LARGEST_NUMBER))
the_reason = click.option(
    "--reason",
    required=True,
    callback=one_sentence,
    help="Why; both players read it, and the record keeps it.",
)
the_seat = click.option(
    "--seat", metavar="COLOUR", help="Whose turn of that number; whoever was first in it."
)
do_it = click.option("--do", "do", is_flag=True, help="Do it; without, it is only said what would be told.")


@click.group(cls=Commands)
def umpire() -> None:
    """Act in a game as its umpire, first as a trial: only --do does it.

    Example: referee umpire take-back 17 --to 12 --reason "White's order was misread."
    """


@umpire.command("take-back")
@the_game
@click.option(
    "--to", "turn", required=True, type=click.IntRange(1, LARGEST_NUMBER), help="The turn to go on from."
)
@the_seat
@the_reason
@do_it
@as_json
@pass_call
def take_back(
    call: Call, game: int, turn: int, seat: str | None, reason: str, do: bool, as_json: bool
) -> None:
    """Let a game go on from the beginning of an earlier turn.

    What was tried since counts no more; the record keeps it, and both players are told. A game that is over is not
    taken back, since its end has shown all types.

    Example: referee umpire take-back 17 --to 12 --seat white --reason "White's order was misread."
    """
    with call.premises() as premises:
        act = premises.house.take_back(game, turn, reason, seat=_seat(seat), dry=not do)
    _say(act, f"taken back to turn {turn}", do=do, as_json=as_json)


@umpire.command("correct")
@the_game
@click.argument("order")
@click.option(
    "--turn", type=click.IntRange(1, LARGEST_NUMBER), help="Of the order; the last that was ruled on."
)
@the_seat
@the_reason
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
    do: bool,
    as_json: bool,
) -> None:
    """Put another order in the place of one that was ruled on; what followed it is taken back.

    It is ruled on in its seat's name, and both players are told that the umpire gave it.

    Example: referee umpire correct 17 V-NW2 --reason "The letter said NW, and was read as W."
    """
    with call.premises() as premises:
        act = premises.house.correct(game, order, reason, turn=turn, seat=_seat(seat), dry=not do)
    _say(act, "corrected", do=do, as_json=as_json)


def _seat(said: str | None) -> Seat | None:
    return Seat(said.strip().lower()) if said is not None else None


def _say(act: Act, what: str, *, do: bool, as_json: bool) -> None:
    """Print what was done, or would be. what: a phrase for it."""
    game = act.game
    turn = game.rulebook.turn(game.view(next(iter(game.seats))))
    if as_json:
        say_json(
            {
                "game": game.number,
                "done": do,
                "turn": turn,
                "to_move": sorted(game.due),
                "told": [asdict(each) for each in act.told],
            }
        )
        return
    say_plainly(f"Game {game.number} {'is' if do else 'would be'} {what}.")
    for told in act.told:
        say_plainly(f"{told.name} {'is' if do else 'would be'} told: {told.subject}")
        if not do:
            for line in _beginning(told.text):
                say_plainly(f"  {line}".rstrip())
    if not do:
        say_plainly("Nothing was done; --do does it.")


def _beginning(text: str) -> list[str]:
    """Return what a letter says before its first heading, in capitals."""
    lines = text.strip().splitlines()
    end = next((at for at, line in enumerate(lines) if len(line) > 3 and line.isupper()), len(lines))
    return "\n".join(lines[:end]).strip().splitlines()
