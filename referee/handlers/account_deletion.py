"""Leaving for good: the word `bye`, and what it does once it was confirmed."""

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
    """Ask the writer whether he means it, naming what will happen; the answer comes to a tag of its own.

    Not as long as his old address can take back that he has another: whoever has made himself master of a player's
    letters could else put an end to it all.
    """
    if former_address(work.unit, work.player.number, work.now) is not None:
        message = "your address has changed within the last {days} days; you can leave when they are over"
        work.wrong(command, "bye-too-soon", message, days=str(ADDRESS_CHANGE_TTL.days))
        return
    rows = work.unit.games.of_player(work.player.number)
    games = tuple(row.number for row in rows if row.status == "playing")
    work.reply_tag = work.draws.tag()
    work.unit.tags.add(work.reply_tag, "bye", player=work.player.number)
    facts = {"games": games, "proposals": len(rows) - len(games)}
    work.took(command, note=Note("bye-confirm", facts))
    work.part(None).kind = "receipt"


def leave(work: HandlerContext, letter: InReplyTo, besides: Sequence[Note] = ()) -> None:
    """Resign the player's games, take back and turn down what was proposed, write to him a last time, and erase him.

    What he has asked for as an officer in all games of an event is done before. A game that cannot be read stays as
    it is; the operator is told. letter: that confirmed it. besides: what is to be said of it, too.
    """
    me = work.player.number
    finish_errands(work)
    work.unit.writings.forget(me)  # before the letters that end his games: his diaries go with him, unread
    for watched in watched_games(work):
        watch_no_more(work, watched)
    unreadable = []
    for row in work.unit.games.of_player(me):
        game = work.readable(row.number)
        if game is not None:
            _end(work, game)
        else:
            unreadable.append(row.number)
    if unreadable:
        work.post.to_operator(Note("left-unreadable", {"games": tuple(unreadable)}))
    replies.tell_others(work, letter.number)
    work.post.to_player(me, LetterContent(kind="notice", notes=(Note("bye-done"), *besides)), answers=letter)
    forget_player(work.unit, me, letter=letter.number)
    work.unit.letters.erase(letter.number)


def _end(work: HandlerContext, game: Game) -> None:
    """End what a game is for the player; one that the umpire has frozen as well."""
    me = work.player.number
    seat = game.seat_of(me)
    if seat is not None:
        work.happen(game, *decide_resign(game, seat, whole_letter=True).events)
    elif game.proposed_by == me:
        take_back(work, game)
    elif game.proposed_by is not None:
        turn_down(work, game, game.proposed_by)
