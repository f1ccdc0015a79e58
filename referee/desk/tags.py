"""The reply tag of a player's letters about a game: who has it still needs to be the player, but it is his alone."""

from __future__ import annotations

from dataclasses import replace

from referee.commands.command import NewTag
from referee.desk.work import Work
from referee.reports.report import Note


def new_tag(work: Work, command: NewTag, number: int | None) -> None:
    """Give the writer's letters about a game another reply tag; letters to the old one are read as if it had none."""
    game = work.game(number) if number is not None else None
    if number is None or game is None or not game.concerns(work.player.number):
        if number is None:
            work.wrong(command, "which-game", "say which game's letters should have another reply address")
        else:
            work.wrong(command, "not-your-game", "you do not sit in game {game}", game=str(number))
        return
    thread = work.unit.thread(work.player.number, number)
    if thread.tag:
        work.unit.revoke_tag(thread.tag)
    tag = work.draws.tag()
    work.unit.add_tag(tag, "seat", player=work.player.number, game=number)
    work.unit.save_thread(replace(thread, tag=tag))
    work.took(command, number, Note("new-tag", {"game": number}))
