"""`rematch`: another game of the same two players, by the same rules and options, with colours swapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.commands.command import Rematch
from referee.common.i18n import N_, Phrase
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.orders import find_game
from referee.handlers.proposals import (
    Invited,
    Terms,
    accept,
    is_told,
    may_propose,
    may_send,
    propose,
    waiting_proposals,
)
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat, other_seat


def rematch(work: HandlerContext, command: Rematch, number: int | None) -> None:
    """Propose a finished game again; if the other player has done so already, accept."""
    game = _find_over(work, command, number)
    if game is None:
        return
    seat = game.seat_of(work.request.player.number)
    assert seat is not None  # _find_over has checked this
    theirs = other_seat(game.seats, seat)
    other = work.composer.player(game.seats[theirs])
    about = game.number
    if not other.address:
        message = "nobody sits on the other side of game {game} any more"
        work.outcome.reject(command, "rematch-with-nobody", message, about=about, game=str(about))
        return
    waiting = _waiting_between(work, other.number)
    asked = next(
        (each for each in waiting if each.rematch_of == about and each.proposed_by == other.number), None
    )
    if asked is not None:
        accept(work, command, asked.number)
        return
    if waiting:
        _already(work, command, about, waiting[0])
        return
    if not may_propose(work, command) or not may_send(work, command):
        return
    if not is_told(work, Invited(other.number, other.name, other.address)):
        who = other.name or Phrase(theirs.capitalize())
        message = "{who} has had enough such letters for today, and this one was not written; offer it again tomorrow"
        work.outcome.reject(command, "rematch-tomorrow", message, about=about, who=who)
        return
    terms = Terms(game.rulebook, options_of_a_rematch(game.options, game.rulebook.seats), theirs)
    offered = propose(work, terms, other.number, other.name, rematch_of=about)
    told = {"game": offered.number, "before": about, "rulebook": game.rulebook.name, "options": terms.options}
    who = other.name or theirs.capitalize()
    work.outcome.accept(command, offered.number, Note("rematch", {"who": who, "colour": theirs, **told}))
    asked_for = Note("rematch-wanted", {"who": work.request.player.name, "colour": seat, **told})
    words = LetterContent(kind="invitation", news=N_("a rematch"), notes=(asked_for,))
    work.outcome.others.append((offered.number, other.number, words))


def options_of_a_rematch(options: Mapping[str, str], seats: Sequence[Seat]) -> dict[str, str]:
    """Return a game's options with colours swapped: an option of one seat, a handicap, follows its player.

    Such an option is named after its seat: `tokens.white`.
    """
    named = {}
    for key, said in options.items():
        what, dot, seat = key.rpartition(".")
        other = other_seat(seats, Seat(seat)) if dot and seat in seats else seat
        named[f"{what}{dot}{other}"] = said
    return named


def _already(work: HandlerContext, command: Rematch, about: int, waiting: Game) -> None:
    """Record that the two have a proposal between them that has to be answered first."""
    mine = waiting.proposed_by == work.request.player.number
    message = "you have proposed a game already, and it still waits for its answer: game {game}"
    if not mine:
        message = "a game is offered to you already by the same player: game {game}"
    work.outcome.reject(
        command,
        "rematch-waits" if mine else "rematch-offered",
        message,
        about=about,
        game=str(waiting.number),
        suggestion="" if mine else f"accept {waiting.number}",
    )


def _find_over(work: HandlerContext, command: Rematch, number: int | None) -> Game | None:
    """Return the game that is meant, by default the writer's last finished one; otherwise record the fault."""
    if number is None:
        number = _last_over(work)
        if number is None:
            work.outcome.reject(command, "rematch-of-nothing", "you have no game that is over")
            return None
    game = find_game(work, command, number)
    if game is None:
        return None
    if game.status != "ended":
        begun = game.status == "playing"
        message = "game {game} is not over yet" if begun else "game {game} was never played"
        last = _last_over(work) if command.game is None else None
        work.outcome.reject(
            command,
            f"not-over-{game.status}",
            message,
            about=game.number,
            suggestion=f"rematch {last}" if last else "",
            game=str(game.number),
        )
        return None
    return game


def _last_over(work: HandlerContext) -> int | None:
    me = work.request.player.number
    over = [row.number for row in work.unit.games.of_player(me, ("ended",)) if me in row.seats.values()]
    return max(over, default=None)


def _waiting_between(work: HandlerContext, other: int) -> list[Game]:
    """Return the proposals between the writer and another player that both know of."""
    found = []
    for row in waiting_proposals(work):
        game = work.games.readable(row.number)
        if game is None:
            continue
        if game.proposed_by == other or (game.proposed_to == other and _is_known(work, game)):
            found.append(game)
    return found


def _is_known(work: HandlerContext, game: Game) -> bool:
    """Return whether the writer knows to whom they have proposed a game: by name, not by address."""
    return game.rematch_of is not None or game.rounds > 0 or " - " in work.games.titles[game.number]
