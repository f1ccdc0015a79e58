"""The reply tag of a player's letters about a game: who has it still needs to be the player, but it is his alone."""

from __future__ import annotations

from dataclasses import replace

from referee.commands.command import NewTag
from referee.correspondence import Words
from referee.desk import answers
from referee.desk.play import find_game
from referee.desk.work import Work
from referee.reports.report import Note
from referee.store.records import Tag


def new_tag(work: Work, command: NewTag, number: int | None) -> None:
    """Give the writer's letters about a game another reply tag; letters to the old one are read as if it had none."""
    game = find_game(work, command, number)
    if game is None:
        return
    _replace_tag(work, game.number)
    work.took(command, game.number, Note("new-tag", {"game": game.number}))


def renew(work: Work, leaked: Tag) -> None:
    """Give the letters about a tag's game another one, since somebody else has it, and tell the player.

    It is done together with the question about a held letter, so once a day at most: else whoever has the newest
    tag could have it go on for ever.
    """
    who, number = leaked.player, leaked.game
    if leaked.purpose != "seat" or number is None:
        return
    game = work.game(number)
    seat = game.seat_of(who) if game else None
    if game is None or seat is None:
        return
    _replace_tag(work, number)
    words = Words(
        kind="notice", news=answers.news_of(game, seat), notes=(Note("tag-leaked", {"game": number}),)
    )
    work.post.to_player(who, words, game=game, title=work.titles[number])


def _replace_tag(work: Work, game: int) -> None:
    thread = work.unit.thread(work.player.number, game)
    if thread.tag:
        work.unit.revoke_tag(thread.tag)
    tag = work.draws.tag()
    work.unit.add_tag(tag, "seat", player=work.player.number, game=game)
    work.unit.save_thread(replace(thread, tag=tag))
