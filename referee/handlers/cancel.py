"""Withdrawing what waits: a challenge, a plan, a proposal to end the game, an unconfirmed resignation."""

from __future__ import annotations

from referee.commands.command import Cancel, Decline
from referee.games.decisions import decide_cancel
from referee.games.events import Event, OfferWithdrawn, PlanDropped
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import decided, find_game, find_seat
from referee.handlers.proposals import decline, withdraw
from referee.handlers.stale_offers import changed_meanwhile
from referee.reports.report import Note


def cancel(work: HandlerContext, command: Cancel, number: int | None) -> None:
    """Withdraw what waits: a challenge, a plan, a proposal to end the game, an unconfirmed resignation."""
    waiting = _waiting(work)
    if command.game is None and not waiting:
        work.outcome.reject(command, "nothing-waits", "nothing of yours waits that could be taken back")
        return
    if command.game is None and number not in waiting:
        if number is not None and number == work.request.target_game:
            message = "nothing of yours waits in game {game} that could be taken back"
            suggestion = f"cancel {waiting[0]}"
            work.outcome.reject(
                command, "nothing-waits-there", message, suggestion=suggestion, game=str(number)
            )
            return
        if len(waiting) == 1:
            (number,) = waiting
    game = find_game(work, command, number)
    if game is None or changed_meanwhile(work, command, game):
        return
    if game.status == "proposed" and game.proposed_by == work.request.player.number:
        withdraw(work, command, game)
        return
    if game.status == "proposed" and game.rounds and game.proposed_to == work.request.player.number:
        # The writer's proposal has been countered meanwhile, and they want none of it.
        decline(work, Decline(line=command.line), game.number)
        return
    seated = find_seat(work, command, game.number, running=True)
    if seated is not None:
        game, seat = seated
        decision = decide_cancel(game, seat, offer_only=_answers_receipt(work, game))
        taken_back = tuple(map(_what, decision.events))
        only_what_stands(work, game.number, *taken_back)
        facts = {"game": game.number, "taken_back": taken_back}
        decided(work, command, game, decision, Note("cancelled", facts))


def _waiting(work: HandlerContext) -> list[int]:
    """Return the games in which something of the writer's can be withdrawn."""
    found = []
    for row in work.unit.games.of_player(work.request.player.number, ("proposed", "playing")):
        game = work.games.readable(row.number)
        if game is None:
            continue
        seat = game.seat_of(work.request.player.number)
        proposed = game.status == "proposed" and (
            game.proposed_by == work.request.player.number
            or (game.rounds > 0 and game.concerns(work.request.player.number))
        )
        if proposed or (
            seat is not None
            and ((game.offer and game.offer.by == seat) or seat in game.resigning or seat in game.plans)
        ):
            found.append(game.number)
    return found


def _answers_receipt(work: HandlerContext, game: Game) -> bool:
    """Return whether the letter answers the receipt of the writer's proposal, which explains how to withdraw it."""
    return game.offer is not None and 0 < work.request.answered_about(game.number) == game.offer.told


def _what(event: Event) -> str:
    """Return what an event withdraws: a plan, a resignation, or the end that was proposed."""
    match event:
        case PlanDropped():
            return "plan"
        case OfferWithdrawn(end=end):
            return end
        case _:
            return "resignation"


def only_what_stands(work: HandlerContext, game: int, *others: str) -> None:
    """Remove from the answer what earlier lines of the same letter began and a later one has undone.

    others: what replaces it or is withdrawn: "plan", "resignation", or a proposed end.
    """
    notes = work.outcome.of(game).notes
    ends = any(each not in ("plan", "resignation") for each in others)
    gone = {"planned", "plan"} if "plan" in others else set()
    gone |= {"resign-confirm"} if "resignation" in others else set()
    notes[:] = [
        note
        for note in notes
        if note.code not in gone
        and not (ends and note.code == "offered")
        and not (
            ends and note.code == "cancelled" and not {"plan", "resignation"} & {*note.facts["taken_back"]}
        )
    ]
