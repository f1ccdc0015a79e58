"""The first stages: a letter is opened, and letters by machines and repeated letters are stopped."""

from __future__ import annotations

from referee.handlers import replies
from referee.mail.message.message import Nature
from referee.mail.message.mime_parts import header_alone
from referee.pipeline import duplicates
from referee.pipeline.bounces import process_bounce
from referee.pipeline.game_resolver import resolve_game
from referee.pipeline.letter_context import Disposition, LetterContext
from referee.pipeline.letter_tags import asks_for_fewer
from referee.reports.report import Note
from referee.store import letter_ordering
from referee.store.values import Outcome

NOT_ABOUT_A_GAME = ("games-disagree", "not-your-game", "anothers-letter", "lost-address")
"""Reasons for which nothing in a letter is done, whatever it says, and which may stem from its headers alone.

Somebody with a copy may submit it with other headers before the letter itself arrives, which still counts.
"""


def open_letter(context: LetterContext) -> Disposition | None:
    """Read the letter's bytes. A letter whose writer left by a later letter is not processed."""
    stored = context.stored
    if stored.content is None:
        why = f" ({stored.reason})" if stored.reason else ""
        return Disposition("set-aside", f"the mailbox does not hand it over{why}; it is asked for again")
    context.open(stored.content)
    if left := _erase_if_left(context):
        return left
    context.unit.reserve(letter_ordering.writer(context.letter.sender))
    return None


def ignore_repeated(context: LetterContext) -> Disposition | None:
    """End a letter that certainly came before; record which one it may be where that is not certain."""
    stored = context.stored
    if not stored.repeated:
        return None
    outcomes: tuple[Outcome, ...] = ("ruled", "answered")
    if stored.too_large:
        outcomes = (*outcomes, "set-aside")  # it will not be smaller the second time
    earlier = duplicates.same_letter(context, stored.number, context.letter, outcomes, NOT_ABOUT_A_GAME)
    if earlier is not None:
        context.repeats, certain = earlier
        if certain:
            return Disposition("ignored", f"the same letter as number {context.repeats}")
    context.refused_before = context.unit.letters.duplicate(stored.number, outcomes)
    return None


def classify(context: LetterContext) -> Disposition | None:
    """End a letter by a machine with the reason, and never answer it (mail.message.classification).

    A letter that is too large to be read is set aside.
    """
    letter = context.letter
    if letter.nature is Nature.BOUNCE:
        return process_bounce(context, letter)
    pressed = letter.nature is Nature.AUTO_REPLY and asks_for_fewer(letter)
    if letter.nature not in (Nature.PERSON, Nature.UNREADABLE) and not pressed:
        return Disposition("ignored", str(letter.reason) or letter.nature.value)
    if not letter.sender:
        return Disposition("ignored", letter.sender_fault)
    if not context.stored.too_large:
        return None
    limit = f"{context.service.size_limit / 1_000_000:g} MB"
    reason = f"too large to be read: {context.stored.size:,} octets"
    return _set_aside(context, reason, Note("too-large", {"limit": limit}))


def give_up(context: LetterContext, reason: str, *, tell: bool, read: bool = True) -> Disposition:
    """Set a letter aside that has made the service fail.

    Only its header is read, since the rest may be what fails; with read=False not even that.

    tell: tell a player who certainly wrote it.
    """
    if context.stored.content is None or not read:
        return Disposition("set-aside", reason)
    context.open(header_alone(context.stored.content))
    if left := _erase_if_left(context):
        return left
    if not tell or context.letter.nature is not Nature.PERSON:
        return Disposition("set-aside", reason)
    return _set_aside(context, reason, Note("set-aside", {"received": context.stored.received}))


def _erase_if_left(context: LetterContext) -> Disposition | None:
    """Erase a letter whose writer left by a later letter; None for others."""
    left = context.unit.partings.of_address(context.letter.sender)
    if left is None or context.stored.number >= left.letter:
        return None
    context.effects.erased = True
    context.unit.letters.erase(context.stored.number)
    return Disposition("ignored", "its writer has left meanwhile")


def _set_aside(context: LetterContext, reason: str, note: Note) -> Disposition:
    """Set a letter aside, and tell a player who certainly wrote it."""
    letter = context.letter
    player = context.unit.players.by_address(letter.sender)
    if player is None or not letter.verified or context.told_often(player.address):
        return Disposition("set-aside", reason)
    work = context.work_for(player)
    game, _ = resolve_game(work, letter, context.letter_tags.naming(letter, player))
    work.outcome.of(None).notes.append(note)
    replies.save_and_reply(work, game, context.answered(letter))
    return Disposition("set-aside", reason, game)
