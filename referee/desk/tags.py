"""The reply tag of a player's letters about a game: who has it still needs to be the player, but it is his alone."""

from __future__ import annotations

from dataclasses import replace

from referee.commands.command import NewTag
from referee.desk.play import find_game
from referee.desk.work import Work
from referee.reports.report import Note


def new_tag(work: Work, command: NewTag, number: int | None) -> None:
    """Give the writer's letters about a game another reply tag; letters to the old one are read as if it had none."""
    game = find_game(work, command, number)
    if game is None:
        return
    thread = work.unit.thread(work.player.number, game.number)
    if thread.tag:
        work.unit.revoke_tag(thread.tag)
    tag = work.draws.tag()
    work.unit.add_tag(tag, "seat", player=work.player.number, game=game.number)
    work.unit.save_thread(replace(thread, tag=tag))
    work.took(command, game.number, Note("new-tag", {"game": game.number}))
