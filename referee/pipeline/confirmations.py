"""Letters that are not about a game's turn: fewer letters, a confirmed farewell, a confirmed act of an umpire."""

from __future__ import annotations

from referee.commands.command import Confirm
from referee.handlers import account, account_deletion, replies, umpire
from referee.handlers.former_addresses import ADDRESS_CHANGE_TTL, former_address
from referee.pipeline.execution import finish
from referee.pipeline.ignored_lines import for_the_last_time, not_done, word_of
from referee.pipeline.letter_context import (
    Disposition,
    LetterContext,
    begins_with,
    commands_for_log,
)
from referee.pipeline.letter_tags import asks_for_fewer
from referee.pipeline.parsing import understood_in, without
from referee.store.values import Tag


def silence(context: LetterContext) -> Disposition | None:
    """Process a letter to the address for fewer letters: it counts in no game, and its writer is told."""
    letter, player = context.letter, context.player
    if not asks_for_fewer(letter):
        return None
    if not any(tag.player == player.number for tag in context.letter_tags.silencing(letter)):
        return Disposition("ignored", "asked for fewer letters, by an address that is none of his")
    work = context.work_for(player)
    account.fall_silent(work)
    replies.save_and_reply(work, None, context.answered(letter))
    return Disposition("answered", "asked for fewer letters")


def confirm(context: LetterContext) -> Disposition | None:
    """Do what a player was asked about and confirms: leaving, or an officer's act in a game."""
    return _confirm_leaving(context) or _confirm_act(context)


def _confirm_leaving(context: LetterContext) -> Disposition | None:
    """Let a player leave who confirms it in time and whose old address cannot reverse a change of address."""
    asked = next((each for each in context.tags if each.purpose == "bye"), None)
    if asked is None or not asked.is_within(ADDRESS_CHANGE_TTL, context.now):
        return None
    if former_address(context.unit, asked.player, context.now) is not None:
        return None
    if not begins_with(Confirm, context.letter, context.understood):
        return None
    confirms = word_of(Confirm, context.letter, context.understood)
    context.effects.besides += not_done(understood_in(context, None), confirms)
    left = for_the_last_time(context.take_besides())
    account_deletion.leave(context.work, context.answered(context.letter), left)
    context.effects.erased = True
    context.effects.games.update(context.work.games.by_number)
    return Disposition("answered", "has left")


def _confirm_act(context: LetterContext) -> Disposition | None:
    """Do what an officer was asked about and has confirmed; explain where such a `confirm` does not count."""
    if (asked := _act_confirmed(context)) is not None:
        meant = understood_in(context, None)
        context.effects.besides = not_done(meant, word_of(Confirm, context.letter, meant))
        umpire.confirm(context.work, asked, context.answered(context.letter))
        finish(context, None)
        return Disposition("answered", "", None, commands_for_log(context.understood))
    context.confirmed = ()
    if not any(tag.purpose == "deed" for tag in context.tags):
        return None
    understood = context.understood
    confirms = [each for each in understood.commands if isinstance(each, Confirm) and each.game is None]
    for each in confirms:
        umpire.confirm_nothing(context.work, each)
    if confirms and len(confirms) == len(understood.commands) and not understood.faults:
        kind = replies.save_and_reply(context.work, None, context.answered(context.letter))
        context.effects.refused = kind == "refusal"
        return Disposition("answered", "", None, commands_for_log(understood))
    context.confirmed = confirms
    context.understood = without(understood, confirms)
    return None


def _act_confirmed(context: LetterContext) -> Tag | None:
    """Return the tag of the question about an umpire's act that a letter confirms, None for none.

    The act may be done by now. A letter that was held confirms nothing.
    """
    if context.held is not None or not begins_with(Confirm, context.letter, context.understood):
        return None
    former = context.letter_tags.former(context.letter)
    mine = (*context.tags, *(each for each in former if each.player == context.player.number))
    return next((each for each in mine if each.purpose == "deed"), None)
