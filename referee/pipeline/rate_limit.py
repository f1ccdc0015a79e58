"""Limits the letters of an address that writes more than any person does."""

from __future__ import annotations

from referee.common.durations import HOUR
from referee.handlers.letter_content import LetterContent
from referee.pipeline.letter_context import Disposition, LetterContext
from referee.reports.report import Note


def check_rate_limit(context: LetterContext) -> Disposition | None:
    """End the letters of an address that has written too often, and tell a player so once an hour; None for others."""
    letter = context.letter
    unit, most, came = context.unit, context.service.letters_an_hour, context.stored.received
    if unit.letters.count_heard(letter.sender, came - HOUR, came, most) < most:
        return None
    reason = f"more than {most} letters in an hour"
    player = unit.players.by_address(letter.sender)
    if player is None or not letter.verified:
        return Disposition("ignored", reason)
    if unit.limits.count(f"letters too often, player {player.number}", 1, HOUR):
        note = Note("too-often", {"most": most, "received": came})
        words = LetterContent(kind="refusal", notes=(note,))
        context.composer().to_player(player.number, words, answers=context.answered(letter))
    return Disposition("ignored", reason)
