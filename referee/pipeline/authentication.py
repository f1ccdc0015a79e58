"""Finds the writer of a letter: by its sender, what their mail host vouches for, and the reply tags it was sent to.

A letter in somebody's name that nobody vouches for is held, and the person is asked (pipeline.held). A player
or officer of the game speaks for themselves, whatever reply tag they answer: a letter that was forwarded to
them has their opponent's tag, and what they confide in the answer must not reach the tag's owner (CF-10.8),
who is neither asked nor told. The tag is not replaced either, since its owner could tell by this who has
written.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.commands.command import Cancel, Command, Confirm
from referee.games.player import Player
from referee.handlers.parts import has_part
from referee.pipeline.address_confirmation import confirm_address, hear_too_late, take_address_back
from referee.pipeline.held import Hear, hold_letter, release_letter, tell_writer
from referee.pipeline.letter_context import Disposition, LetterContext, begins_with
from referee.pipeline.unregistered import register_or_tell
from referee.store.values import Tag


def authenticate_sender(context: LetterContext, hear: Hear) -> Disposition | None:
    """Find the player who wrote; None where that is certain. hear: processes a held letter that this one releases."""
    letter = context.letter = context.without_pieces(context.letter)
    player = context.unit.players.by_address(letter.sender)
    tags = context.letter_tags.used(letter, player)
    mine = [tag for tag in tags if player is not None and tag.player == player.number]
    himself = player is not None and (bool(mine) or not tags or _speaks_for_himself(context, player, tags))
    if ended := _answer_question(context, mine, tags, hear, himself=himself):
        return ended
    if all(tag.revoked for tag in tags) and (late := hear_too_late(context, letter)):
        return late
    if tags and not himself:
        return _hold_for_another(context, player, tags[0])
    if player is None:
        return _meet_stranger(context)
    if not letter.verified:
        return _hold_unvouched(context, player, wrote=bool(mine))
    context.player = player
    context.tags = context.letter_tags.naming(letter, player)
    # It was settled before and is settled again: the game may have gone on since it arrived.
    context.held = context.stored.number if context.stored.again else None
    return None


def _answer_question(
    context: LetterContext, mine: Sequence[Tag], tags: Sequence[Tag], hear: Hear, *, himself: bool
) -> Disposition | None:
    """Accept the answer to a question, by its tag; None for a letter that is no answer.

    mine: those of the tags that are the sender's own.
    himself: the sender speaks for themselves.
    """
    letter = context.letter
    for tag in mine or tags:
        answers = bool(mine) or not himself
        match tag.purpose if not tag.revoked else "":
            case "hold" if answers:
                if released := release_letter(context, letter, tag, hear, besides=len(mine) > 1):
                    return released
            case "address" if answers or _begins(context, tag, Confirm):
                confirmed = confirm_address(context, letter, tag)
                return confirmed or hold_letter(context, letter, tag.player, (tag,), letter.verdict)
            case "former" if answers or _begins(context, tag, Cancel):
                return take_address_back(context, letter, tag)
    return None


def _begins(context: LetterContext, tag: Tag, word: type[Command]) -> bool:
    """Return whether the letter begins with the word that a question asks for, in its player's language."""
    letter = context.letter
    return begins_with(
        word, letter, context.read_commands(letter.lines, context.unit.players.find(tag.player))
    )


def _speaks_for_himself(context: LetterContext, player: Player, tags: Sequence[Tag]) -> bool:
    """Return whether a player who wrote to others' reply tags may be meant themselves.

    They are if they have a part in the game, or are playing any game with the tag's owner.
    """
    work = context.work_for(player)
    if any(has_part(work, tag.game) for tag in tags if tag.game is not None):
        return True
    playing = context.unit.games.of_player(player.number)
    return any(row.concerns(tag.player) for row in playing for tag in tags)


def _hold_for_another(context: LetterContext, player: Player | None, tag: Tag) -> Disposition:
    """Hold a letter to another player's reply tag, and ask that player. player: the sender, if registered."""
    reason = "the reply tag is another player's"
    if context.unit.players.find(tag.player).address:
        held = hold_letter(context, context.letter, tag.player, (tag,), reason, leaked=not tag.revoked)
    else:
        held = Disposition("ignored", reason)  # the player has left, and there is nobody to be asked
    if player is not None and context.letter.verified:
        tell_writer(context, context.letter, player)
    return held


def _meet_stranger(context: LetterContext) -> Disposition | None:
    """Settle the letter of somebody who is not registered; None where it registers them."""
    letter = context.letter
    if not letter.verified:
        return Disposition("ignored", f"unknown sender, {letter.verdict}")
    silenced = next(iter(context.letter_tags.silencing(letter)), None)
    if silenced is None:
        return register_or_tell(context)
    if silenced.revoked or not context.unit.players.find(silenced.player).address:
        return Disposition("ignored", "asked for fewer letters, by an address that counts no more")
    reason = "asked for fewer letters, from an unknown address"
    return hold_letter(context, letter, silenced.player, (silenced,), reason)


def _hold_unvouched(context: LetterContext, player: Player, *, wrote: bool) -> Disposition:
    """Hold a letter in a player's name that nobody vouches for. wrote: it went to a reply tag of that player's."""
    letter = context.letter
    if not (wrote or player.name or context.unit.outbox.has_written(player.number)):
        # Somebody who was only invited must not get mail because of what others write in their name.
        return Disposition("ignored", f"{letter.verdict}, and that player never wrote")
    return hold_letter(
        context, letter, player.number, context.letter_tags.naming(letter, player), letter.verdict
    )
