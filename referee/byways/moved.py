"""The word from a new address that it is a player's, and the word from the old one that it was not meant."""

from __future__ import annotations

from referee.commands.command import Cancel, Confirm
from referee.correspondence import Words
from referee.desk import addresses
from referee.desk.addresses import CONFIRMED_WITHIN
from referee.hearing import Conclusion, Hearing, begins_with, written
from referee.letters.letter import Letter
from referee.reports.report import Note
from referee.store.lookup import address_key
from referee.store.records import Tag

MOST_SLIPS_A_DAY = 5
"""Letters that did not begin with the word that was asked for which are answered in a day."""


def confirm_address(hearing: Hearing, letter: Letter, tag: Tag) -> Conclusion | None:
    """Take an address as a player's, when the word comes from there, to the tag that only was written there.

    None when all is well but nobody vouches for the letter: it is to be held.
    """
    unit = hearing.unit
    player = unit.player(tag.player)
    read = hearing.grammar.read(letter.lines)
    asked = next((each for each in unit.further_addresses(tag.player) if each.tag == tag.text), None)
    if asked is None or hearing.now - asked.created > CONFIRMED_WITHIN:
        return Conclusion("ignored", "a new address was confirmed too late", None, written(read))
    if address_key(letter.sender) != address_key(asked.address):
        if not letter.verified or not hearing.is_his(letter, player) or hearing.told_often(player.address):
            return Conclusion("ignored", "a new address was confirmed from another")
        words = Words(kind="help", notes=(Note("address-from-there", {"address": asked.address}),))
        hearing.post().to_player(player.number, words, answers=hearing.answered(letter), reply_tag=tag.text)
        return Conclusion("answered", "a new address was confirmed from another", None, written(read))
    owner = unit.player_by_address(letter.sender)
    if owner is not None and owner.number != player.number:
        return Conclusion("ignored", "a new address has become another player's meanwhile")
    if not begins_with(Confirm, letter, read):
        return _not_the_word(hearing, letter, tag, "confirm")
    if not letter.verified:
        return None
    addresses.confirm(hearing.work(player), asked, hearing.answered(letter))
    return Conclusion("answered", "", None, written(read))


def take_address_back(hearing: Hearing, letter: Letter, tag: Tag) -> Conclusion:
    """Set a player's old address back, when it says so. That it has the tag proves who reads that mailbox, so no
    other vouching is asked for."""
    unit = hearing.unit
    read = hearing.grammar.read(letter.lines)
    former = unit.further_address(tag.player, "former")
    if former is None or former.tag != tag.text or hearing.now - former.created > CONFIRMED_WITHIN:
        return Conclusion("ignored", "a change of address was taken back too late", None, written(read))
    if address_key(letter.sender) != address_key(former.address):
        return Conclusion("ignored", "a change of address was taken back from another")
    if unit.player_by_address(letter.sender) is not None:
        return Conclusion("ignored", "an old address has become another player's meanwhile")
    if not begins_with(Cancel, letter, read):
        return _not_the_word(hearing, letter, tag, "cancel")
    addresses.take_back(hearing.work(unit.player(tag.player)), former, hearing.answered(letter))
    return Conclusion("answered", "", None, written(read))


def _not_the_word(hearing: Hearing, letter: Letter, tag: Tag, word: str) -> Conclusion:
    """Tell whoever was asked for one word and wrote others that nothing was done; a few times at most."""
    reason = f"it did not begin with {word}"
    if hearing.sent_today(letter.sender, "help") >= MOST_SLIPS_A_DAY:
        return Conclusion("ignored", reason)
    words = Words(kind="help", notes=(Note("address-as-before", {"word": word}),))
    hearing.post().to_stranger(letter.sender, words, answers=hearing.answered(letter), reply_tag=tag.text)
    return Conclusion("answered", reason)
