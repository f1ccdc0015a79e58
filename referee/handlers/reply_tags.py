"""The reply tag of a player's letters about a game. It does not prove who writes, but belongs to that player alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.commands.command import NewTag
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import find_game
from referee.reports.report import Note
from referee.store.values import Purpose, Tag


def new_tag(work: HandlerContext, command: NewTag, number: int | None) -> None:
    """Give the writer's letters about a game another reply tag; letters to the old one are read as if they had none."""
    game = find_game(work, command, number)
    if game is None:
        return
    _replace_tag(work, game.number, "watch" if work.request.player.number in game.watchers else "seat")
    work.outcome.accept(command, game.number, Note("new-tag", {"game": game.number}))


def renew(work: HandlerContext, leaked: Tag) -> None:
    """Replace the tag of a player's letters about a game, since somebody else has it.

    The new one comes with the game's next letter. This is done once a day at most: otherwise somebody with
    the latest tag could repeat it without end.
    """
    number = leaked.game
    game = work.games.readable(number) if leaked.purpose == "seat" and number is not None else None
    if game is None or game.seat_of(leaked.player) is None:
        return
    if work.unit.limits.count(
        f"tags of player {leaked.player} in game {number} renewed", 1, timedelta(days=1)
    ):
        _replace_tag(work, game.number, "seat")


def _replace_tag(work: HandlerContext, game: int, purpose: Purpose) -> None:
    thread = work.unit.threads.get(work.request.player.number, game)
    if thread.tag:
        work.unit.tags.revoke(thread.tag)
    tag = work.composer.new_tag(purpose, work.request.player.number, game=game)
    work.unit.threads.save(replace(thread, tag=tag))
