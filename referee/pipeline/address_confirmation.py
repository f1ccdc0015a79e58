"""The word from a new address that it is a player's, and the word from the old one that it was not meant."""

from __future__ import annotations

from collections.abc import Mapping

from referee.commands.command import Cancel, Command, Confirm
from referee.handlers import addresses, invitation_limits
from referee.handlers.composer import LetterContent
from referee.handlers.former_addresses import CONFIRMED_WITHIN, former_address
from referee.handlers.giving_way import give_way
from referee.mail.message.addresses import is_unread
from referee.mail.message.message import Letter
from referee.pipeline.ignored_lines import what_else, word_of
from referee.pipeline.letter_context import Disposition, LetterContext, begins_with, commands_for_log
from referee.reports.report import Note
from referee.store.values import Purpose, Tag, address_key

MOST_SLIPS_A_DAY = 5
"""Letters to an address that a question went to, by which nothing was done, and which are answered in a day."""

_WORDS: Mapping[Purpose, type[Command]] = {"address": Confirm, "former": Cancel, "hold": Confirm}
"""The word that a question asks for."""


def confirm_address(hearing: LetterContext, letter: Letter, tag: Tag) -> Disposition | None:
    """Take an address as a player's, when the word comes from there, to the tag that only was written there.

    Where it was the player's own address that the question went to, since the new one had answered what was asked there
    (addresses.offer), the word may come from either. None when all is well but nobody vouches for the letter: it is to
    be held.
    """
    unit = hearing.unit
    player = unit.players.find(tag.player)
    asked = next((each for each in unit.addresses.of_player(tag.player) if each.tag == tag.text), None)
    if asked is None or not asked.is_within(CONFIRMED_WITHIN, hearing.now):
        return _tell_anybody(hearing, letter, tag, Note("too-late"), "a new address was confirmed too late")
    from_either = tag.letter is not None and hearing.is_his(letter, player)
    if not from_either and address_key(letter.sender) != address_key(asked.address):
        return _tell_from_there(hearing, letter, tag, asked.address)
    if not begins_with(Confirm, letter, hearing.read_commands(letter.lines, player)):
        return _tell_not_the_word(hearing, letter, tag, "confirm")
    if not letter.verified:
        return None
    if not _is_free(hearing, asked.address, tag):
        return _tell_taken(hearing, letter, tag)
    work = hearing.work(player)
    work.part(None).notes.extend((*hearing.take_besides(), *_what_else(hearing, letter, tag)))
    addresses.confirm(work, asked, hearing.answered(letter))
    return Disposition("answered", "", None, ("confirm",))


def take_address_back(hearing: LetterContext, letter: Letter, tag: Tag) -> Disposition:
    """Set a player's old address back, when it says so. That it has the tag proves who reads that mailbox, so no
    other vouching is asked for."""
    unit = hearing.unit
    former = former_address(unit, tag.player, hearing.now)
    if former is None or former.tag != tag.text:
        reason = "a change of address was taken back too late"
        return _tell_anybody(hearing, letter, tag, Note("too-late"), reason)
    if address_key(letter.sender) != address_key(former.address):
        return _tell_from_there(hearing, letter, tag, former.address)
    if not begins_with(Cancel, letter, hearing.read_commands(letter.lines, unit.players.find(tag.player))):
        return _tell_not_the_word(hearing, letter, tag, "cancel")
    if not _is_free(hearing, letter.sender, tag):
        return _tell_taken(hearing, letter, tag)
    work = hearing.work(unit.players.find(tag.player))
    work.part(None).notes.extend(_what_else(hearing, letter, tag))
    addresses.take_back(work, former, hearing.answered(letter))
    return Disposition("answered", "", None, ("cancel",))


def hear_too_late(hearing: LetterContext, letter: Letter) -> Disposition | None:
    """Answer a word to a question that is no longer asked, from somebody whom his mail host vouches for; None for any
    other letter."""
    if not letter.verified:
        return None
    for tag in hearing.former_tags(letter):
        read = hearing.read_commands(letter.lines, hearing.unit.players.find(tag.player))
        word = _WORDS.get(tag.purpose)
        if (
            word is None
            or not begins_with(word, letter, read)
            or not hearing.unit.players.find(tag.player).address
        ):
            continue
        note = Note("held-no-more") if tag.purpose == "hold" else Note("too-late")
        return _tell_anybody(hearing, letter, tag, note, "what it answers is no longer asked")
    return None


def _what_else(hearing: LetterContext, letter: Letter, tag: Tag, *, again: bool = True) -> tuple[Note, ...]:
    """Return what is to be said of all but the word in an answer; see ignored_lines.what_else."""
    read = hearing.read_commands(letter.lines, hearing.unit.players.find(tag.player))
    return what_else(hearing, letter, tag, word_of(_WORDS[tag.purpose], letter, read), again=again)


def _is_free(hearing: LetterContext, address: str, tag: Tag) -> bool:
    """Return whether an address is nobody else's, now that it is proved whose it is: whoever was only invited there
    gives way."""
    owner = hearing.unit.players.by_address(address)
    if owner is None or owner.number == tag.player:
        return True
    work = hearing.work(owner)
    gone = give_way(work, hearing.stored.number)
    hearing.games.update(work.games)
    return gone


def _tell_taken(hearing: LetterContext, letter: Letter, tag: Tag) -> Disposition:
    return _tell(
        hearing, letter, tag, Note("address-taken"), "the address has become another player's meanwhile"
    )


def _tell_from_there(hearing: LetterContext, letter: Letter, tag: Tag, address: str) -> Disposition:
    # Whoever else has come by the tag does not learn the address from it.
    known = hearing.is_his(letter, hearing.unit.players.find(tag.player))
    note = Note("address-from-there", {"address": address if known else ""})
    return _tell_anybody(hearing, letter, tag, note, "the word came from another address")


def _tell_not_the_word(hearing: LetterContext, letter: Letter, tag: Tag, word: str) -> Disposition:
    note = Note("address-as-before", {"word": word})
    return _tell(hearing, letter, tag, note, f"it did not begin with {word}", tag.text)


def _tell_anybody(hearing: LetterContext, letter: Letter, tag: Tag, note: Note, reason: str) -> Disposition:
    """Tell why nothing was done where the question need not have gone to the sender: only if it is certain who that is,
    and as one of those who did not ask to be written to."""
    told_enough = hearing.sent_today(letter.sender, "help") >= MOST_SLIPS_A_DAY
    if not letter.verified or told_enough or not invitation_limits.one_more(hearing.unit):
        hearing.unit.letters.mark_about(hearing.stored.number, tag.player)
        return Disposition("ignored", reason)
    return _tell(hearing, letter, tag, note, reason)


def _tell(
    hearing: LetterContext, letter: Letter, tag: Tag, note: Note, reason: str, reply_tag: str = ""
) -> Disposition:
    """Tell whoever answers a question why nothing was done, if somebody reads that; a few times a day at most."""
    hearing.unit.letters.mark_about(hearing.stored.number, tag.player)
    if is_unread(letter.sender) or hearing.sent_today(letter.sender, "help") >= MOST_SLIPS_A_DAY:
        return Disposition("ignored", reason)
    his = hearing.is_his(letter, hearing.unit.players.find(tag.player))
    notes = (note, *_what_else(hearing, letter, tag, again=his))
    words, answered = LetterContent(kind="help", notes=notes), hearing.answered(letter)
    hearing.post().to_stranger(letter.sender, words, answers=answered, player=tag.player, reply_tag=reply_tag)
    return Disposition(
        "answered",
        reason,
        None,
        commands_for_log(hearing.read_commands(letter.lines, hearing.unit.players.find(tag.player))),
    )
