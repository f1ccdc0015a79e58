"""Sends letters again: to players who ask, and to players whose reply shows that they missed our latest letters.

A reply shows that when it answers an older letter about a game, and something in it is refused as the game is
now. Each letter is sent again at most once without being asked for. A player who answers old letters out of
habit, and whose moves are accepted, gets nothing twice.
"""

from __future__ import annotations

from dataclasses import replace

from referee.commands.command import Resend
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import find_game
from referee.mail.message.message import Kind
from referee.reports.report import Note

MOST_COPIES = 10
"""The most letters that are sent again for one letter that asks."""
NEWS: tuple[Kind, ...] = ("report", "result", "notice")
"""The kinds of letters that report on a game; the other kinds answer a letter, and are no news when they are old."""


def resend(work: HandlerContext, command: Resend, number: int | None) -> None:
    """Send one of the writer's letters again: of the game that is meant, or of those about no game.

    The copy is the answer; nothing else is said.

    number: the game's.
    """
    about = number or 0
    if number is not None and find_game(work, command, number) is None:
        return
    written = work.unit.threads.get(work.request.player.number, about).letters
    which = written if command.number is None else command.number
    facts = {"which": str(which), "game": str(number), "newest": str(written)}
    if not written:
        message = "no letter about game {game} was written to you yet"
        if number is None:
            message = "no letter about no game was written to you yet"
        work.outcome.reject(command, "no-such-letter", message, about=number, **facts)
    elif not 1 <= which <= written:
        message = "there is no letter {which} about game {game}; the newest is {newest}"
        if number is None:
            message = "there is no letter {which} about no game; the newest is {newest}"
        work.outcome.reject(command, "no-such-letter", message, about=number, **facts)
    elif work.unit.outbox.numbered(work.request.player.number, about, which) is None:
        message = "letter {which} about game {game} is not kept any more"
        if number is None:
            message = "letter {which} about no game is not kept any more"
        work.outcome.reject(command, "letter-erased", message, about=number, **facts)
    elif (about, which) not in work.outcome.copies and len(work.outcome.copies) == MOST_COPIES:
        message = "one letter may ask for {most} letters again; this one was left out"
        work.outcome.reject(command, "too-many-copies", message, about=number, most=str(MOST_COPIES))
    else:
        work.outcome.copies[about, which] = None


def send_unseen(work: HandlerContext) -> None:
    """Mark the letters to the writer since the one they answer for sending again, at most the newest ten.

    Called after all of the letter's lines.
    """
    if not any(part.overtaken for part in work.outcome.by_game.values()):
        return
    answered, me = work.request.answered(), work.request.player.number
    if answered is None or answered.game is None or answered.number is None:
        return
    part = work.outcome.by_game.get(answered.game)
    if part is None or not part.overtaken:
        return
    written = work.unit.threads.get(me, answered.game)
    newer = work.unit.outbox.newer(me, answered.game, after=max(answered.number, written.resent), kinds=NEWS)
    missing = [number for number in newer if (answered.game, number) not in work.outcome.copies]
    room = MOST_COPIES - len(work.outcome.copies)
    numbers = missing[-room:] if room > 0 else []
    if not numbers:
        return
    work.outcome.copies |= {(answered.game, number): None for number in numbers}
    work.unit.threads.save(replace(written, resent=written.letters))
    part.notes.append(Note("unseen", {"numbers": tuple(numbers)}))
