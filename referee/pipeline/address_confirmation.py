"""The confirmation of a player's new address from that address, and its reversal from the old one."""

from __future__ import annotations

from collections.abc import Mapping

from referee.commands.command import Cancel, Command, Confirm
from referee.handlers import addresses, invitation_limits
from referee.handlers.former_addresses import ADDRESS_CHANGE_TTL, former_address
from referee.handlers.giving_way import give_way
from referee.handlers.letter_content import LetterContent
from referee.mail.message.addresses import is_unread
from referee.mail.message.message import Letter
from referee.pipeline.ignored_lines import what_else, word_of
from referee.pipeline.letter_context import Disposition, LetterContext, begins_with, commands_for_log
from referee.reports.report import Note
from referee.store.values import Purpose, Tag, address_key

MOST_SLIPS_A_DAY = 5
"""How many answers to a question that did nothing are answered per address in a day."""

_WORDS: Mapping[Purpose, type[Command]] = {"address": Confirm, "former": Cancel, "hold": Confirm}
"""The word that a question asks for."""


def confirm_address(context: LetterContext, letter: Letter, tag: Tag) -> Disposition | None:
    """Accept an address as a player's, when `confirm` comes from there to the tag that was only sent there.

    If the new address had answered a question in the player's name, the question about it went to the
    player's own address (addresses.offer), and the word may come from either. None when all is well but
    nobody vouches for the letter, which is then held.
    """
    unit = context.unit
    player = unit.players.find(tag.player)
    asked = next((each for each in unit.addresses.of_player(tag.player) if each.tag == tag.text), None)
    if asked is None or not asked.is_within(ADDRESS_CHANGE_TTL, context.now):
        return _tell_anybody(context, letter, tag, Note("too-late"), "a new address was confirmed too late")
    from_either = tag.letter is not None and context.is_his(letter, player)
    if not from_either and address_key(letter.sender) != address_key(asked.address):
        return _tell_from_there(context, letter, tag, asked.address)
    if not begins_with(Confirm, letter, context.read_commands(letter.lines, player)):
        return _tell_not_the_word(context, letter, tag, "confirm")
    if not letter.verified:
        return None
    if not _is_free(context, asked.address, tag):
        return _tell_taken(context, letter, tag)
    work = context.work_for(player)
    work.outcome.of(None).notes.extend((*context.take_besides(), *_what_else(context, letter, tag)))
    addresses.confirm(work, asked, context.answered(letter))
    return Disposition("answered", "", None, ("confirm",))


def take_address_back(context: LetterContext, letter: Letter, tag: Tag) -> Disposition:
    """Restore a player's old address when its reader asks for it.

    Having the tag proves that they read that mailbox, so no other vouching is needed.
    """
    unit = context.unit
    former = former_address(unit, tag.player, context.now)
    if former is None or former.tag != tag.text:
        reason = "a change of address was taken back too late"
        return _tell_anybody(context, letter, tag, Note("too-late"), reason)
    if address_key(letter.sender) != address_key(former.address):
        return _tell_from_there(context, letter, tag, former.address)
    if not begins_with(Cancel, letter, context.read_commands(letter.lines, unit.players.find(tag.player))):
        return _tell_not_the_word(context, letter, tag, "cancel")
    if not _is_free(context, letter.sender, tag):
        return _tell_taken(context, letter, tag)
    work = context.work_for(unit.players.find(tag.player))
    work.outcome.of(None).notes.extend(_what_else(context, letter, tag))
    addresses.take_back(work, former, context.answered(letter))
    return Disposition("answered", "", None, ("cancel",))


def hear_too_late(context: LetterContext, letter: Letter) -> Disposition | None:
    """Answer a word for a question that is no longer open; None for other letters.

    The sender's mail host must vouch for them.
    """
    if not letter.verified:
        return None
    for tag in context.letter_tags.former(letter):
        read = context.read_commands(letter.lines, context.unit.players.find(tag.player))
        word = _WORDS.get(tag.purpose)
        if (
            word is None
            or not begins_with(word, letter, read)
            or not context.unit.players.find(tag.player).address
        ):
            continue
        note = Note("held-no-more") if tag.purpose == "hold" else Note("too-late")
        return _tell_anybody(context, letter, tag, note, "what it answers is no longer asked")
    return None


def _what_else(context: LetterContext, letter: Letter, tag: Tag, *, again: bool = True) -> tuple[Note, ...]:
    """Return the notes on everything in an answer except the word; see ignored_lines.what_else."""
    read = context.read_commands(letter.lines, context.unit.players.find(tag.player))
    return what_else(context, letter, tag, word_of(_WORDS[tag.purpose], letter, read), again=again)


def _is_free(context: LetterContext, address: str, tag: Tag) -> bool:
    """Return whether nobody else has an address that is now proved to be the player's.

    An account that was only invited at that address is given up.
    """
    owner = context.unit.players.by_address(address)
    if owner is None or owner.number == tag.player:
        return True
    work = context.work_for(owner)
    gone = give_way(work, context.stored.number)
    context.effects.games.update(work.games.by_number)
    return gone


def _tell_taken(context: LetterContext, letter: Letter, tag: Tag) -> Disposition:
    return _tell(
        context, letter, tag, Note("address-taken"), "the address has become another player's meanwhile"
    )


def _tell_from_there(context: LetterContext, letter: Letter, tag: Tag, address: str) -> Disposition:
    # Anyone else who has obtained the tag does not learn the address from it.
    known = context.is_his(letter, context.unit.players.find(tag.player))
    note = Note("address-from-there", {"address": address if known else ""})
    return _tell_anybody(context, letter, tag, note, "the word came from another address")


def _tell_not_the_word(context: LetterContext, letter: Letter, tag: Tag, word: str) -> Disposition:
    note = Note("address-as-before", {"word": word})
    return _tell(context, letter, tag, note, f"it did not begin with {word}", tag.text)


def _tell_anybody(context: LetterContext, letter: Letter, tag: Tag, note: Note, reason: str) -> Disposition:
    """Tell why nothing was done, where the question may not have gone to the sender.

    This is done only if it is certain who that is, and within the limits for people who did not ask for mail.
    """
    told_enough = context.sent_today(letter.sender, "help") >= MOST_SLIPS_A_DAY
    if not letter.verified or told_enough or not invitation_limits.one_more(context.unit):
        context.unit.letters.mark_about(context.stored.number, tag.player)
        return Disposition("ignored", reason)
    return _tell(context, letter, tag, note, reason)


def _tell(
    context: LetterContext, letter: Letter, tag: Tag, note: Note, reason: str, reply_tag: str = ""
) -> Disposition:
    """Tell the sender of an answer why nothing was done, if somebody reads that address; a few times a day at most."""
    context.unit.letters.mark_about(context.stored.number, tag.player)
    if is_unread(letter.sender) or context.sent_today(letter.sender, "help") >= MOST_SLIPS_A_DAY:
        return Disposition("ignored", reason)
    his = context.is_his(letter, context.unit.players.find(tag.player))
    notes = (note, *_what_else(context, letter, tag, again=his))
    words, answered = LetterContent(kind="help", notes=notes), context.answered(letter)
    context.composer().to_stranger(
        letter.sender, words, answers=answered, player=tag.player, reply_tag=reply_tag
    )
    return Disposition(
        "answered",
        reason,
        None,
        commands_for_log(context.read_commands(letter.lines, context.unit.players.find(tag.player))),
    )
