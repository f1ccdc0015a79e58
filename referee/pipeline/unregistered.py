"""Letters of people who are not registered, whom their mail host vouches for."""

from __future__ import annotations

from collections.abc import Sequence

from referee.commands.command import Help
from referee.common.faults import Fault
from referee.games.player import Player
from referee.handlers import invitation_limits
from referee.handlers.account import pages_about
from referee.handlers.former_addresses import ADDRESS_CHANGE_TTL, former_address, who_left
from referee.handlers.letter_content import LetterContent
from referee.mail.message.addresses import is_nobodys, is_unread
from referee.mail.message.message import Letter, OwnLine
from referee.pipeline.letter_context import Disposition, LetterContext, commands_for_log
from referee.pipeline.letter_tags import asks_for_fewer
from referee.reports.report import Note

MOST_SLIPS_A_DAY = 5
"""How many failed attempts of a stranger to register are answered in a day."""


def register_or_tell(context: LetterContext) -> Disposition | None:
    """Register somebody who asks for it, and continue with the letter as theirs: None.

    Tell anybody else, once a week, what this address is.
    """
    letter = context.letter
    if asks_for_fewer(letter):
        return Disposition("ignored", "asked for fewer letters, by somebody who is not registered")
    unit = context.unit
    lines = context.own_lines(letter, None, ())
    if is_unread(letter.sender) or (is_nobodys(letter.sender) and not _only_registers(context, lines)):
        return Disposition("ignored", "unknown sender, at an address that nobody reads")
    read = context.read_commands(lines)
    if (left := who_left(unit, letter.sender, context.now)) is not None:
        return _tell_who_left(context, letter, left)
    if language := context.registers_in(lines):
        context.player, context.tags = unit.players.add("", letter.sender, language), ()
        return None
    slips = tuple(fault for fault in read.faults if _registers_badly(fault))
    if slips and context.sent_today(letter.sender, "refusal") < MOST_SLIPS_A_DAY:
        return _write(
            context,
            letter,
            LetterContent(kind="refusal", faults=slips),
            Disposition("answered", slips[0].code),
        )
    if unit.outbox.count_sent(letter.sender, "help", since=context.now - invitation_limits.STRANGER_EVERY):
        return Disposition("ignored", "unknown sender, told this week what this address is")
    asked = next((command.topic for command in read.commands if isinstance(command, Help)), "")
    pages = pages_about(asked, context.service.rulebooks)
    words = LetterContent(kind="help", notes=(Note("stranger"),), pages=tuple(pages))
    return _write(
        context, letter, words, Disposition("answered", "unknown sender", None, commands_for_log(read))
    )


def _only_registers(context: LetterContext, lines: Sequence[OwnLine]) -> bool:
    """Return whether a letter asks for registration and nothing else, as a person at an office's address does."""
    return len(lines) == 1 and bool(context.registers_in(lines))


def _registers_badly(fault: Fault) -> bool:
    """Return whether a line was meant to register somebody, and could not be read."""
    misspelt = fault.code == "no-word" and fault.suggestion.startswith("register ")
    return misspelt or fault.code == "no-language" or fault.code.startswith("name-")


def _tell_who_left(context: LetterContext, letter: Letter, player: Player) -> Disposition:
    """Tell somebody at a player's old address how to restore it; while they can, nobody is registered there."""
    former = former_address(context.unit, player.number, context.now)
    if former is None or former.tag is None or context.sent_today(letter.sender, "help") >= MOST_SLIPS_A_DAY:
        return Disposition("ignored", "from a player's old address")
    words = LetterContent(kind="help", notes=(Note("address-kept", {"days": ADDRESS_CHANGE_TTL.days}),))
    context.composer().to_stranger(
        letter.sender, words, answers=context.answered(letter), player=player.number, reply_tag=former.tag
    )
    return Disposition("answered", "from a player's old address")


def _write(context: LetterContext, letter: Letter, words: LetterContent, end: Disposition) -> Disposition:
    """Write to a stranger, unless too many strangers were written to."""
    if not invitation_limits.one_more(context.unit):
        return Disposition("ignored", "unknown sender, when too many were written to")
    context.composer().to_stranger(letter.sender, words, answers=context.answered(letter))
    return end
