"""A challenge answered with other terms: `accept 17 option sheets=off` reverses the proposal."""

from __future__ import annotations

from collections.abc import Mapping

from referee.commands.command import Accept, write_options
from referee.commands.options import LOT
from referee.common.i18n import N_
from referee.games.events import Countered
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.proposals import accept, address_given, check_terms, find_offer, has_seat, without_lots
from referee.handlers.stale_offers import MOST_ROUNDS, names_all, other_colour, told_terms
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat


def accept_or_counter(work: HandlerContext, command: Accept, number: int | None) -> None:
    """Accept a challenge as it is, or counter it with the terms in the command."""
    if command.options:
        _accept_with(work, command, number)
    else:
        accept(work, command, number)


def _accept_with(work: HandlerContext, command: Accept, number: int | None) -> None:
    """Accept a challenge if the given terms are those proposed; otherwise propose them to its proposer.

    Terms that are not given stay as proposed. The colour is the writer's own; `lot` leaves it to lots.
    """
    offered = find_offer(work, command, number)
    if offered is None:
        return
    game, proposer = offered
    said = {key: value for key, value in command.options.items() if key != "colour"}
    colour = _colour(game, command.options.get("colour"))
    if not has_seat(work, command, game.rulebook, colour):
        return
    options = without_lots({**game.options, **said}, game.rulebook)
    if not check_terms(work, command, game.rulebook, options):
        return
    if options == game.options and colour == _colour(game, None):
        accept(work, command, game.number, named=names_all(game, command.options))
        return
    if game.proposed_to is None:
        terms = write_options(command.options).strip()
        work.outcome.reject(
            command,
            "open-as-it-is",
            "game {game} is open to all as it was offered; write `join {game}`, or challenge {who} with your own terms",
            game=str(game.number),
            who=work.composer.player(proposer).name,
            suggestion=f"challenge {work.composer.player(proposer).name} {game.rulebook.name} {terms}",
        )
        return
    if game.rounds >= MOST_ROUNDS:
        work.outcome.reject(
            command,
            "enough-terms",
            "the terms of game {game} were answered with others {most} times; accept it as it stands, or decline",
            about=game.number,
            game=str(game.number),
            most=str(MOST_ROUNDS),
            suggestion=f"accept {game.number}",
        )
        return
    _counter(work, command, game, proposer, options, colour)


def _colour(game: Game, said: str | None) -> Seat | None:
    """Return the writer's seat: the one they ask for, otherwise that of the proposal, None for lots."""
    if said is not None:
        return None if said == LOT else Seat(said)
    return other_colour(game)


def _counter(
    work: HandlerContext,
    command: Accept,
    game: Game,
    proposer: int,
    options: Mapping[str, str],
    colour: Seat | None,
) -> None:
    """Make the proposal the writer's, and ask the other player."""
    told_before = work.unit.threads.get(proposer, game.number).letters
    after = work.apply_events(game, Countered(work.request.player.number, options, colour, told_before))
    work.unit.games.reverse_proposal(game.number, by=work.request.player.number, to=proposer)
    told = told_terms(after)
    me = work.request.player
    name = work.composer.player(proposer).name or address_given(work, game, me.number)
    work.outcome.accept(command, game.number, Note("countered", {"who": name, **told}))
    work.outcome.of(game.number).shows.append(proposer)
    asked = Note("was-countered", {"who": me.name or address_given(work, game, proposer), **told})
    words = LetterContent(kind="invitation", news=N_("other terms"), notes=(asked,), shows=(me.number,))
    work.outcome.others.append((game.number, proposer, words))
