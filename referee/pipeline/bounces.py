"""Bounces: matches them to the letters that were not delivered."""

from __future__ import annotations

from referee.handlers.delivery_failures import came_back, notice_came_back, tell_of_delay
from referee.mail.message.message import Letter
from referee.mail.message.refusals import read_refusal
from referee.pipeline.letter_context import Disposition, LetterContext


def process_bounce(context: LetterContext, letter: Letter) -> Disposition:
    """Find the letter that was not delivered by its Message-ID, which nobody can guess.

    The reply tag that a bounce was sent to proves nothing. Mail hosts write to the envelope's sender, which
    has no tag, and anyone who has seen a tag could write such a letter in its owner's name.
    """
    unit = context.unit
    sent = next(filter(None, map(unit.outbox.get, letter.bounced)), None)
    if sent is not None and sent.player is None and letter.bounce_permanent:
        operator = context.service.operator
        if notice_came_back(unit, operator, sent, context.now):
            _keep_nothing(context)
            return Disposition("bounce", f"{letter.reason}; a notice to the operator, which is sent again")
    if sent is None or sent.player is None:
        _keep_nothing(context)
        return Disposition("bounce", f"{letter.reason}; no player's letter is named")
    if not unit.players.find(sent.player).address:
        _keep_nothing(context)
        return Disposition("bounce", f"{letter.reason}; player {sent.player}, who has left", sent.game)
    unit.letters.mark_about(context.stored.number, sent.player)
    refusal = read_refusal(letter.bounce_words, letter.bounce_status)
    work = context.work_for(unit.players.find(sent.player))
    if not letter.bounce_permanent:
        if refusal.status.startswith("4"):
            tell_of_delay(work, sent, refusal)
        return Disposition("bounce", f"{letter.reason}; it counts for nothing", sent.game)
    said = came_back(work, sent, refusal, letter=context.stored.number)
    context.effects.games.update(work.games.by_number)
    return Disposition("bounce", f"{letter.reason}; {said}", sent.game)


def _keep_nothing(context: LetterContext) -> None:
    """Erase a bounce that is of no use: it contains somebody's address, and could not be found when they leave."""
    context.unit.letters.erase(context.stored.number)
    context.effects.erased = True
