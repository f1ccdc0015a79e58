"""Letters of people who are not registered, whom their mail host vouches for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.commands.command import Help
from referee.common.faults import Fault
from referee.games.player import Player
from referee.handlers import invitation_limits
from referee.handlers.account import pages_about
from referee.handlers.composer import LetterContent
from referee.handlers.former_addresses import CONFIRMED_WITHIN, former_address, who_left
from referee.mail.message.addresses import is_nobodys, is_unread
from referee.mail.message.message import Letter, OwnLine
from referee.pipeline.letter_context import Disposition, LetterContext, asks_for_fewer, commands_for_log
from referee.reports.report import Note
from referee.store.values import Tag

MOST_SLIPS_A_DAY = 5
"""Slips of a stranger who tries to register that are answered in a day."""


def process_unregistered_sender(
    hearing: LetterContext, letter: Letter, hear: Callable[[Letter, Player, Sequence[Tag]], Disposition]
) -> Disposition:
    """Register somebody who asks for it; tell anybody else, once a week, what this address is.

    hear: what hears a player's letter.
    """
    if asks_for_fewer(letter):
        return Disposition("ignored", "asked for fewer letters, by somebody who is not registered")
    unit = hearing.unit
    lines = hearing.own_lines(letter, None, ())
    if is_unread(letter.sender) or (is_nobodys(letter.sender) and not _only_registers(hearing, lines)):
        return Disposition("ignored", "unknown sender, at an address that nobody reads")
    read = hearing.read_commands(lines)
    if (left := who_left(unit, letter.sender, hearing.now)) is not None:
        return _tell_who_left(hearing, letter, left)
    if language := hearing.registers_in(lines):
        return hear(letter, unit.players.add("", letter.sender, language), ())
    slips = tuple(fault for fault in read.faults if _registers_badly(fault))
    if slips and hearing.sent_today(letter.sender, "refusal") < MOST_SLIPS_A_DAY:
        return _write(
            hearing,
            letter,
            LetterContent(kind="refusal", faults=slips),
            Disposition("answered", slips[0].code),
        )
    if unit.outbox.count_sent(letter.sender, "help", since=hearing.now - invitation_limits.STRANGER_EVERY):
        return Disposition("ignored", "unknown sender, told this week what this address is")
    asked = next((command.topic for command in read.commands if isinstance(command, Help)), "")
    pages = pages_about(asked, hearing.service.rulebooks)
    words = LetterContent(kind="help", notes=(Note("stranger"),), pages=tuple(pages))
    return _write(
        hearing, letter, words, Disposition("answered", "unknown sender", None, commands_for_log(read))
    )


def _only_registers(hearing: LetterContext, lines: Sequence[OwnLine]) -> bool:
    """Return whether a letter says nothing but that its writer is to be registered: so a person at an office's address
    shows that there is one."""
    return len(lines) == 1 and bool(hearing.registers_in(lines))


def _registers_badly(fault: Fault) -> bool:
    """Return whether a line was meant to register somebody, and could not be read."""
    misspelt = fault.code == "no-word" and fault.suggestion.startswith("register ")
    return misspelt or fault.code == "no-language" or fault.code.startswith("name-")


def _tell_who_left(hearing: LetterContext, letter: Letter, player: Player) -> Disposition:
    """Tell somebody at a player's old address how to go back to it: as long as he can, nobody is registered there."""
    former = former_address(hearing.unit, player.number, hearing.now)
    if former is None or former.tag is None or hearing.sent_today(letter.sender, "help") >= MOST_SLIPS_A_DAY:
        return Disposition("ignored", "from a player's old address")
    words = LetterContent(kind="help", notes=(Note("address-kept", {"days": CONFIRMED_WITHIN.days}),))
    hearing.post().to_stranger(
        letter.sender, words, answers=hearing.answered(letter), player=player.number, reply_tag=former.tag
    )
    return Disposition("answered", "from a player's old address")


def _write(hearing: LetterContext, letter: Letter, words: LetterContent, end: Disposition) -> Disposition:
    """Write to a stranger, unless the house writes to too many."""
    if not invitation_limits.one_more(hearing.unit):
        return Disposition("ignored", "unknown sender, when too many were written to")
    hearing.post().to_stranger(letter.sender, words, answers=hearing.answered(letter))
    return end
