"""A reply which shows that its writer has not seen our last letters: he gets them again, each at most once unasked.

It shows that when it answers an older letter about a game and something in it is refused as the game stands now. Who
answers old letters out of habit, and has his moves taken, gets nothing twice.
"""

from __future__ import annotations

from dataclasses import replace

from referee.handlers.handler_context import HandlerContext
from referee.handlers.resending import MOST_COPIES
from referee.mail.message.message import Kind
from referee.reports.report import Note

NEWS: tuple[Kind, ...] = ("report", "result", "notice")
"""What tells how a game goes on; the other kinds answer what somebody wrote, and are no news when they are old."""


def send_again(work: HandlerContext) -> None:
    """Note for sending what was written to the writer since the letter that he answers, the newest ten at most.

    Comes after all of the letter's lines have been attended.
    """
    if not any(part.overtaken for part in work.parts.values()):
        return
    answered, me = work.answered(), work.player.number
    if answered is None or answered.game is None or answered.number is None:
        return
    part = work.parts.get(answered.game)
    if part is None or not part.overtaken:
        return
    written = work.unit.threads.get(me, answered.game)
    newer = work.unit.outbox.newer(me, answered.game, after=max(answered.number, written.resent), kinds=NEWS)
    missing = [number for number in newer if (answered.game, number) not in work.copies]
    room = MOST_COPIES - len(work.copies)
    numbers = missing[-room:] if room > 0 else []
    if not numbers:
        return
    work.copies |= {(answered.game, number): None for number in numbers}
    work.unit.threads.save(replace(written, resent=written.letters))
    part.notes.append(Note("unseen", {"numbers": tuple(numbers)}))
