"""Letters of people who are not registered, whom their mail host vouches for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from referee.commands.command import Register
from referee.correspondence import Words
from referee.games.player import Player
from referee.hearing import AN_HOUR, SILENCING, Conclusion, Hearing, written
from referee.letters.letter import Letter
from referee.reports.report import Note
from referee.store.records import Tag

STRANGER_HELP_EVERY = timedelta(days=7)
"""How often, at most, somebody who is not registered is told what this address is."""
MOST_STRANGERS_AN_HOUR = 100
"""Letters to people who are not registered, all of them together: nobody may make the house write to the world."""
MOST_SLIPS_A_DAY = 5
"""Slips of a stranger who tries to register that are answered in a day."""


def hear_stranger(
    hearing: Hearing, letter: Letter, hear: Callable[[Letter, Player, Sequence[Tag]], Conclusion]
) -> Conclusion:
    """Register somebody who asks for it; tell anybody else, once a week, what this address is.

    hear: what hears a player's letter.
    """
    if any(text.startswith(SILENCING) for text in letter.tags):
        return Conclusion("ignored", "asked for fewer letters, by somebody who is not registered")
    unit = hearing.unit
    read = hearing.grammar.read(hearing.own_lines(letter, None, ()))
    if any(isinstance(command, Register) for command in read.commands):
        return hear(letter, unit.add_player("", letter.sender, hearing.service.language), ())
    slips = tuple(fault for fault in read.faults if fault.excerpt.lower().startswith("register"))
    if slips and hearing.sent_today(letter.sender, "refusal") < MOST_SLIPS_A_DAY:
        return _write(
            hearing, letter, Words(kind="refusal", faults=slips), Conclusion("answered", slips[0].code)
        )
    if unit.last_sent(letter.sender, "help", since=hearing.now - STRANGER_HELP_EVERY):
        return Conclusion("ignored", "unknown sender, told this week what this address is")
    words = Words(kind="help", notes=(Note("stranger"),), pages=("help",))
    return _write(hearing, letter, words, Conclusion("answered", "unknown sender", None, written(read)))


def _write(hearing: Hearing, letter: Letter, words: Words, end: Conclusion) -> Conclusion:
    """Write to a stranger, unless the house writes to too many."""
    if not hearing.unit.one_more("letters to strangers", MOST_STRANGERS_AN_HOUR, AN_HOUR):
        return Conclusion("ignored", "unknown sender, when too many were written to")
    hearing.post().to_stranger(letter.sender, words, answers=hearing.answered(letter))
    return end
