"""Leaving for good: the command `bye`, and what it does once it is confirmed."""

from __future__ import annotations

from collections.abc import Sequence

from referee.commands.command import Bye
from referee.games.decisions import decide_resign
from referee.games.game import Game
from referee.handlers import replies
from referee.handlers.bulk_actions import finish_errands
from referee.handlers.former_addresses import ADDRESS_CHANGE_TTL, former_address
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import InReplyTo, LetterContent
from referee.handlers.observers import leave as watch_no_more
from referee.handlers.observers import watched_games
from referee.handlers.proposals import take_back, turn_down
from referee.reports.report import Note
from referee.store.departures import forget_player


def ask_to_leave(work: HandlerContext, command: Bye) -> None:
    """Ask the writer whether they mean it, stating what will happen; the answer goes to a tag of its own.

    Refused while their old address can reverse a change of address: an attacker who has taken over a player's
    mail could otherwise delete the account.
    """
    if former_address(work.unit, work.request.player.number, work.request.now) is not None:
        message = "your address has changed within the last {days} days; you can leave when they are over"
        work.outcome.reject(command, "bye-too-soon", message, days=str(ADDRESS_CHANGE_TTL.days))
        return
    rows = work.unit.games.of_player(work.request.player.number)
    games = tuple(row.number for row in rows if row.status == "playing")
    work.outcome.reply_tag = work.composer.new_tag("bye", work.request.player.number)
    facts = {"games": games, "proposals": len(rows) - len(games)}
    work.outcome.accept(command, note=Note("bye-confirm", facts))
    work.outcome.of(None).kind = "receipt"


def leave(work: HandlerContext, letter: InReplyTo, besides: Sequence[Note] = ()) -> None:
    """Resign the player's games, withdraw and decline proposals, write to them a last time, and erase them.

    Acts that they have requested as an officer in all games of an event are completed first. A game that
    cannot be read stays as it is, and the operator is told.

    letter: the one that confirmed it.
    besides: further notes for the last letter.
    """
    me = work.request.player.number
    finish_errands(work)
    work.unit.writings.forget(me)  # before the letters that end their games: their diaries are erased unread
    for watched in watched_games(work):
        watch_no_more(work, watched)
    unreadable = []
    for row in work.unit.games.of_player(me):
        game = work.games.readable(row.number)
        if game is not None:
            _end(work, game)
        else:
            unreadable.append(row.number)
    if unreadable:
        work.composer.to_operator(Note("left-unreadable", {"games": tuple(unreadable)}))
    replies.tell_others(work, letter.number)
    work.composer.to_player(
        me, LetterContent(kind="notice", notes=(Note("bye-done"), *besides)), answers=letter
    )
    forget_player(work.unit, me, letter=letter.number)
    work.unit.letters.erase(letter.number)


def _end(work: HandlerContext, game: Game) -> None:
    """End a game for the player, even if it is frozen: resign, withdraw or decline."""
    me = work.request.player.number
    seat = game.seat_of(me)
    if seat is not None:
        work.apply_events(game, *decide_resign(game, seat, whole_letter=True).events)
    elif game.proposed_by == me:
        take_back(work, game)
    elif game.proposed_by is not None:
        turn_down(work, game, game.proposed_by)
