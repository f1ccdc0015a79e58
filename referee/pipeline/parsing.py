"""Reads a player's lines as commands: first as for any game, then as for the letter's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.commands.command import Command
from referee.commands.framed import within_frame
from referee.commands.grammar import Understanding
from referee.pipeline.autoresponders import leave_alone
from referee.pipeline.game_resolver import confided_by, framed_in, orders_of
from referee.pipeline.letter_context import Disposition, LetterContext

_TOLD_ENOUGH = Disposition("ignored", "nothing to read, and told so often enough today")


def parse(context: LetterContext) -> Disposition | None:
    """Read the commands in the player's own lines. Programs that answer every letter are ignored after a while."""
    letter, player = context.letter, context.player
    context.lines = context.own_lines(letter, player, context.tags)
    context.work = context.work_for(player, context.lines, context.held, letter.thread)
    context.work.request.explicit_game_only = context.asked == 0
    others = (tag for tag in context.letter_tags.used(letter, player) if tag.player != player.number)
    context.work.request.addressed_to_other = any(tag.purpose != "seat" for tag in others)
    context.understood = context.read_commands(context.lines, player)
    if context.understood.empty and context.told_often(player.address):
        return _TOLD_ENOUGH
    return leave_alone(context, letter, player, context.understood) if context.held is None else None


def parse_for_game(context: LetterContext) -> Disposition | None:
    """Read the lines as in the game that the letter is about."""
    meant = without(understood_in(context, context.game), context.confirmed)
    meant = within_frame(meant, framed_in(context.work, context.game))
    if context.lost_seat is not None:
        meant = _about_game(meant, context.lost_seat)
    context.understood = meant
    return _TOLD_ENOUGH if meant.empty and context.told_often(context.player.address) else None


def understood_in(context: LetterContext, game: int | None) -> Understanding:
    """Return the commands of a letter in a game, or in none.

    Where a service has several rulebooks, a line that would be an order of another game is prose in this one.
    """
    if len(context.service.rulebooks) < 2:
        return context.read_commands(context.lines, context.player)
    work = context.work
    return context.read_commands(context.lines, work.request.player, orders_of(work, game), confided_by(work))


def without(understood: Understanding, done: Sequence[Command]) -> Understanding:
    """Return the commands of a letter except those that are done already."""
    if not done:
        return understood
    return replace(understood, commands=tuple(each for each in understood.commands if each not in done))


def _about_game(understood: Understanding, number: int) -> Understanding:
    """Return the commands of a letter, with its game where a line names none."""
    commands = (each if each.game is not None else replace(each, game=number) for each in understood.commands)
    return replace(understood, commands=tuple(commands))
