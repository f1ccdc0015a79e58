"""The reply tag of a player's letters about a game: who has it still needs to be the player, but it is his alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.commands.command import NewTag
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import find_game
from referee.reports.report import Note
from referee.store.values import Purpose, Tag


def new_tag(work: HandlerContext, command: NewTag, number: int | None) -> None:
    """Give the writer's letters about a game another reply tag; his to the old one are read as if it had none."""
    game = find_game(work, command, number)
    if game is None:
        return
    _replace_tag(work, game.number, "watch" if work.player.number in game.watchers else "seat")
    work.took(command, game.number, Note("new-tag", {"game": game.number}))


def renew(work: HandlerContext, leaked: Tag) -> None:
    """Give the letters about a tag's game another one, since somebody else has it.

    The new one comes with the game's next letter. It is done once a day at most: else whoever has the newest tag
    could have it go on for ever.
    """
    number = leaked.game
    game = work.readable(number) if leaked.purpose == "seat" and number is not None else None
    if game is None or game.seat_of(leaked.player) is None:
        return
    if work.unit.limits.count(
        f"tags of player {leaked.player} in game {number} renewed", 1, timedelta(days=1)
    ):
        _replace_tag(work, game.number, "seat")


def _replace_tag(work: HandlerContext, game: int, purpose: Purpose) -> None:
    thread = work.unit.threads.get(work.player.number, game)
    if thread.tag:
        work.unit.tags.revoke(thread.tag)
    tag = work.draws.tag()
    work.unit.tags.add(tag, purpose, player=work.player.number, game=game)
    work.unit.threads.save(replace(thread, tag=tag))
