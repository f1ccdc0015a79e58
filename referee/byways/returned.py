"""Bounces: what came back is tied to the letter of ours that did not arrive."""

from __future__ import annotations

from referee.desk.returns import came_back
from referee.hearing import Conclusion, Hearing
from referee.letters.letter import Letter


def hear_bounce(hearing: Hearing, letter: Letter) -> Conclusion:
    """Find the letter of ours that did not arrive: by its Message-ID, which nobody can guess, or else by the reply
    tag that the bounce was sent to, as that player's newest letter."""
    unit = hearing.unit
    sent = next(filter(None, map(unit.sent_message, letter.bounced)), None)
    for tag in hearing.tags(letter) if sent is None else ():
        thread = unit.thread(tag.player, tag.game or 0)
        sent = next(filter(None, map(unit.sent_message, reversed(thread.last))), None)
    if sent is None or sent.player is None:
        return Conclusion("bounce", f"{letter.reason}; no player's letter is named")
    if not unit.player(sent.player).address:
        unit.erase_letter(hearing.stored.number)  # it holds the address
        hearing.erased = True
        return Conclusion("bounce", f"{letter.reason}; player {sent.player}, who has left", sent.game)
    unit.mark_about(hearing.stored.number, sent.player)
    if not letter.bounce_permanent:
        return Conclusion("bounce", f"{letter.reason}; it counts for nothing", sent.game)
    work = hearing.work(unit.player(sent.player))
    said = came_back(work, sent, letter.bounce_status, letter=hearing.stored.number)
    hearing.games.update(work.games)
    return Conclusion("bounce", f"{letter.reason}; {said}", sent.game)
