"""A letter once more, for whoever has lost one or suspects that one did not come."""

from __future__ import annotations

from referee.commands.command import Resend
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import find_game

MOST_COPIES = 10
"""Letters sent again for one letter that asks."""


def resend(work: HandlerContext, command: Resend, number: int | None) -> None:
    """Send one of the writer's letters again: of the game that is meant, or of those about no game.

    number: the game's. The copy is the answer; nothing is said besides.
    """
    about = number or 0
    if number is not None and find_game(work, command, number) is None:
        return
    written = work.unit.threads.get(work.player.number, about).letters
    which = written if command.number is None else command.number
    facts = {"which": str(which), "game": str(number), "newest": str(written)}
    if not written:
        message = "no letter about game {game} was written to you yet"
        if number is None:
            message = "no letter about no game was written to you yet"
        work.wrong(command, "no-such-letter", message, about=number, **facts)
    elif not 1 <= which <= written:
        message = "there is no letter {which} about game {game}; the newest is {newest}"
        if number is None:
            message = "there is no letter {which} about no game; the newest is {newest}"
        work.wrong(command, "no-such-letter", message, about=number, **facts)
    elif work.unit.outbox.numbered(work.player.number, about, which) is None:
        message = "letter {which} about game {game} is not kept any more"
        if number is None:
            message = "letter {which} about no game is not kept any more"
        work.wrong(command, "letter-erased", message, about=number, **facts)
    elif (about, which) not in work.copies and len(work.copies) == MOST_COPIES:
        message = "one letter may ask for {most} letters again; this one was left out"
        work.wrong(command, "too-many-copies", message, about=number, most=str(MOST_COPIES))
    else:
        work.copies[about, which] = None
