"""Stops answering programs that answer every letter without saying that they are programs.

A sender is taken for a person if their words differ, if they answer later, or if their letter does something.
What is counted are consecutive letters with the same words, each within minutes of a letter to that sender,
and none with any effect. The last one that is answered is told so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from referee.commands.command import (
    Accept,
    Agree,
    Cancel,
    Command,
    Confirm,
    Decline,
    Draw,
    Order,
    Pause,
    Rematch,
    Resign,
    Resume,
    Try,
    Written,
)
from referee.commands.grammar import Understanding
from referee.common.durations import DAY
from referee.games.player import Player
from referee.handlers.composer import Composer
from referee.mail.message.message import Letter
from referee.pipeline.letter_context import Disposition, LetterContext
from referee.reports.report import Note
from referee.store.values import LetterHeard, LetterWritten

WITHIN = timedelta(minutes=5)
"""The longest time between a letter to a program and its answer, in either order."""
MOST_WITHOUT_A_WORD = 3
"""How many such letters without a known word are answered."""
MOST_WITH_A_SLIP = 10
"""How many such letters with something like a word or a move are answered: a person may insist."""
ANSWERS_BY_ITSELF = "the same words again, within minutes of each letter of ours, as a program answers"
"""Why such a letter is ignored."""
_COUNTS_IN_A_GAME: tuple[type[Command], ...] = (
    *(Order, Try, Draw, Agree, Resign, Accept, Decline, Rematch, Confirm, Cancel, Pause, Resume, Written),
)
"""Commands that may be refused now and done later: a player who waits for their turn may repeat them."""
_NOTHING_DONE = frozenset(("help", "refusal"))
_LETTERS_OF_OURS = 500
"""The most letters to the sender that are examined."""


def leave_alone(
    context: LetterContext, letter: Letter, player: Player, read: Understanding | None = None
) -> Disposition | None:
    """Ignore a letter that a program seems to have written, and tell the operator when that begins; None for others.

    Sets `context.last_of_its_kind` for the last letter that is answered.

    read: what it asks for; None where it contains no known word.
    """
    if read and any(isinstance(each, _COUNTS_IN_A_GAME) for each in read.commands):
        return None
    most = MOST_WITHOUT_A_WORD if read is None or read.empty else MOST_WITH_A_SLIP
    before = _alike(context, letter, player, most)
    context.last_of_its_kind = len(before) == most - 1
    if len(before) < most:
        return None
    if before[0].reason != ANSWERS_BY_ITSELF:
        _tell_operator(context.composer(), context, player)
    return Disposition("ignored", ANSWERS_BY_ITSELF)


def _tell_operator(post: Composer, context: LetterContext, player: Player) -> None:
    if context.unit.limits.count(f"player {player.number} left alone", 1, DAY):
        note = Note("left-alone", {"player": player.number})
        post.to_operator(note, every=None, what=f"player {player.number}")


def _alike(context: LetterContext, letter: Letter, player: Player, most: int) -> Sequence[LetterHeard]:
    """Return the consecutive letters before this one that resemble it, newest first, at most `most`."""
    unit, stored = context.unit, context.stored
    ours = unit.outbox.written_to(letter.sender, stored.received - WITHIN, stored.recorded, 1)
    if not ours or not _is_quick(stored.received, stored.recorded, ours):
        return ()
    earlier = unit.letters.heard_from(letter.sender, stored.number, stored.received, ANSWERS_BY_ITSELF, most)
    if not earlier:
        return ()
    ours = unit.outbox.written_to(
        letter.sender, earlier[-1].received - WITHIN, stored.recorded, _LETTERS_OF_OURS
    )
    words = _words(context, letter, player)
    for count, each in enumerate(earlier):
        answers = {one.kind for one in ours if one.answers == each.number}
        nothing_done = each.reason == ANSWERS_BY_ITSELF or (answers and answers <= _NOTHING_DONE)
        prompted = [one for one in ours if one.answers is None or one.answers < each.number]
        if not nothing_done or not _is_quick(each.received, each.recorded, prompted):
            return earlier[:count]
        if each.content is None or _words(context, context.read(each.content), player) != words:
            return earlier[:count]
    return earlier


def _is_quick(received: datetime, recorded: datetime, ours: Sequence[LetterWritten]) -> bool:
    """Return whether a letter came within minutes of one to its sender, which was written before this one was recorded.

    The time of its arrival comes from another clock.
    """
    return any(one.written <= recorded and abs(received - one.at) <= WITHIN for one in ours)


def _words(context: LetterContext, letter: Letter, player: Player) -> tuple[str, ...]:
    """Return a letter's own words."""
    lines = context.own_lines(letter, player, context.letter_tags.naming(letter, player))
    return tuple(line.text for line in lines)
