"""Terms that their reader may not have read: nobody takes up a game by a word that was meant for another proposal.

A bare `accept`, or `rematch`, answers what its writer knew of. Terms that were answered with others may have crossed
with it, and so may a whole proposal while a letter was held: then nothing is done, and the terms are shown.
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
"""So often may the terms of one proposal be answered with others."""


def has_read(work: HandlerContext, game: Game) -> bool:
    """Return whether the writer knows the terms on which a game is offered to him: from the letter that he answers, or
    because they were never others."""
    if not game.rounds:
        return not work.changed(game.number)
    return work.answered_about(game.number) > game.terms_after


def changed_meanwhile(work: HandlerContext, command: Command, game: Game) -> bool:
    """Note that a letter was held while something else came to wait in a game than what it takes back, turns down or
    confirms."""
    if not work.changed(game.number):
        return False
    message = "your letter was held, and something else waits in game {game} since; this was not done"
    about = game.number if game.concerns(work.player.number) else None
    work.wrong(command, "held-since", message, about=about, game=str(game.number))
    return True


def names_all(game: Game, options: Mapping[str, str]) -> bool:
    """Return whether somebody has named every one of a proposal's terms himself, so that he need not have read them."""
    return bool(options) and {*game.options, *(["colour"] if game.colour else [])} <= set(options)


def show_again(work: HandlerContext, command: Command, game: Game, who: str) -> None:
    """Take nothing up, and show the terms, which an answer to that letter accepts. who: what the writer may know of
    whoever offers them, his name or an address."""
    number = game.number
    terms = {**game.options, "colour": other_colour(game) or LOT}
    work.wrong(
        command,
        "other-terms",
        "the terms of game {game} are not those of the letter that you answer; nothing was done, and here they are",
        about=number,
        suggestion=Accept(line=command.line, game=number, options=terms).write(),
        game=str(number),
    )
    part = work.part(number)
    if game.proposed_by is not None and not any(note.code == "was-countered" for note in part.notes):
        part.shows.append(game.proposed_by)
        part.notes.append(Note("was-countered", {"who": who, **told_terms(game)}))


def told_terms(game: Game) -> dict[str, Any]:
    """Return what is told of a proposal's terms, its colour being that of whoever offers them."""
    return {
        "game": game.number,
        "seats": tuple(map(str, game.rulebook.seats)),
        "rulebook": game.rulebook.name,
        "options": {**game.options, **({"colour": game.colour} if game.colour else {})},
        "last": game.rounds == MOST_ROUNDS,
    }


def other_colour(game: Game) -> Seat | None:
    """Return the seat that is left to whom a game is offered, None where the lot decides."""
    return None if game.colour is None else other_seat(game.rulebook.seats, game.colour)
