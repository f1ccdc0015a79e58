"""Terms that their reader may not have read: nobody accepts a game by a word that was meant for another proposal.

A bare `accept`, or `rematch`, answers what its writer knew of. A counter-proposal may have crossed with it,
and so may a whole proposal while a letter was held: then nothing is done, and the terms are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.commands.command import Accept, Command
from referee.commands.options import LOT
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat, other_seat

MOST_ROUNDS = 10
"""How often the terms of one proposal may be countered."""


def has_read(work: HandlerContext, game: Game) -> bool:
    """Return whether the writer knows the terms of a game that is offered to them.

    They are stated in the letter that the writer answers, or were never changed.
    """
    if not game.rounds:
        return not work.request.changed(game.number)
    return work.request.answered_about(game.number) > game.terms_after


def changed_meanwhile(work: HandlerContext, command: Command, game: Game) -> bool:
    """Return whether a letter was held while something else came to wait in its game; record the fault.

    What it withdraws, declines or confirms is then no longer what it meant.
    """
    if not work.request.changed(game.number):
        return False
    message = "your letter was held, and something else waits in game {game} since; this was not done"
    about = game.number if game.concerns(work.request.player.number) else None
    work.outcome.reject(command, "held-since", message, about=about, game=str(game.number))
    return True


def names_all(game: Game, options: Mapping[str, str]) -> bool:
    """Return whether somebody has named all of a proposal's terms, so that they need not have read them."""
    return bool(options) and {*game.options, *(["colour"] if game.colour else [])} <= set(options)


def show_again(work: HandlerContext, command: Command, game: Game, who: str) -> None:
    """Accept nothing, and show the terms; an answer to that letter accepts them.

    who: the name or address of the proposer, as far as the writer may know.
    """
    number = game.number
    terms = {**game.options, "colour": other_colour(game) or LOT}
    work.outcome.reject(
        command,
        "other-terms",
        "the terms of game {game} are not those of the letter that you answer; nothing was done, and here they are",
        about=number,
        suggestion=Accept(line=command.line, game=number, options=terms).write(),
        game=str(number),
    )
    part = work.outcome.of(number)
    if game.proposed_by is not None and not any(note.code == "was-countered" for note in part.notes):
        part.shows.append(game.proposed_by)
        part.notes.append(Note("was-countered", {"who": who, **told_terms(game)}))


def told_terms(game: Game) -> dict[str, Any]:
    """Return the facts of a proposal's terms; its colour is the proposer's."""
    return {
        "game": game.number,
        "seats": tuple(map(str, game.rulebook.seats)),
        "rulebook": game.rulebook.name,
        "options": {**game.options, **({"colour": game.colour} if game.colour else {})},
        "last": game.rounds == MOST_ROUNDS,
    }


def other_colour(game: Game) -> Seat | None:
    """Return the seat that is left to the invited player, None for lots."""
    return None if game.colour is None else other_seat(game.rulebook.seats, game.colour)
