"""Recognises letters that come again by what their writer sent.

Somebody with a raw copy of a player's letter can submit it again, and can change whatever its signature does
not cover: nearly always its Message-ID, often its thread, with some mail hosts even its To. The writer, the
date and the text remain, so a letter that agrees in these with one that was heard is that letter, whatever
else it says. Only if it names another game, or has no date, may it be a different one, and only its writer
can tell.

Where the settings trust From headers, anybody can write anything. A letter is then a different one as soon as
anything but the Message-ID differs, and without a date if that differs, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from referee.mail.message.headers import has_field
from referee.mail.message.message import Letter, Nature
from referee.pipeline.letter_context import LetterContext
from referee.store.values import Outcome

ONE_SECOND = timedelta(seconds=1)
"""The precision of a Date header."""
MOST_COMPARED = 8
"""The most letters with the same words that one is compared with: nobody writes more in a second."""


def same_letter(
    context: LetterContext,
    number: int,
    letter: Letter,
    outcomes: Sequence[Outcome] = ("ruled", "answered"),
    besides: Sequence[str] = (),
) -> tuple[int, bool] | None:
    """Return the heard letter that another one repeats, and whether that is certain; None for none.

    It is not certain where the writer may have meant something else by the same words, and can be asked.

    outcomes, besides: see LetterQueries.duplicate.
    """
    unit = context.unit
    perhaps = None
    if earlier := unit.letters.duplicate(number, outcomes, besides):
        stored = unit.letters.get(earlier, decided=True)
        other = None if stored is None or stored.content is None else context.read(stored.content)
        if other is None or _reads_alike(letter, other):
            return earlier, True
        perhaps = earlier if other.lines else None
    for each in unit.letters.with_same_text(number, outcomes, besides, MOST_COMPARED):
        if each.content is None:
            return each.number, True
        other = context.read(each.content)
        if answers_later(context, letter, each.recorded) or _answers_another_question(context, letter, other):
            continue
        if not _reads_alike(letter, other):
            perhaps = each.number if other.lines else perhaps
            continue
        if _is_same(context, number, letter, other, each.content):
            return each.number, True
        if context.service.trust != "header":
            perhaps = each.number
    if perhaps is None or unit.players.by_address(letter.sender) is None:
        return None
    return perhaps, not _can_be_asked(context, letter)


def _reads_alike(letter: Letter, other: Letter) -> bool:
    """Return whether two letters of the same text read the same.

    A signature may not cover how the text is to be read: a copy with another Content-Type may read
    differently, or as nothing, in which case it has done nothing either.
    """
    return [line.text for line in letter.lines] == [line.text for line in other.lines]


def answers_later(context: LetterContext, letter: Letter, recorded: datetime) -> bool:
    """Return whether a letter answers one of ours that was written after an earlier one with the same words arrived.

    It must not have been written earlier than ours: a program writes several in a second.
    """
    if letter.date is None:
        return False
    sent = next(filter(None, map(context.unit.outbox.get, letter.thread)), None)
    return sent is not None and recorded < sent.created < letter.date + ONE_SECOND


def _answers_another_question(context: LetterContext, letter: Letter, other: Letter) -> bool:
    """Return whether a letter answers a question by an address that another letter was not sent to.

    Only the letter's writer was told that address, and it counts once.
    """
    return letter.tags != other.tags and not _answers_no_question(context, letter)


def _answers_no_question(context: LetterContext, letter: Letter) -> bool:
    return all(tag.purpose in ("seat", "watch") for tag in context.letter_tags.valid(letter))


def _is_same(context: LetterContext, number: int, letter: Letter, other: Letter, content: bytes) -> bool:
    """Return whether a letter is certainly the other one, of the same words and date.

    content: the bytes of the other.
    """
    if letter.date is None:
        if letter.message_id or other.message_id:
            return letter.message_id == other.message_id
        # A letter delivered twice has traces of two routes; one with the same traces was copied in the
        # mailbox.
        stored = context.unit.letters.get(number, decided=True)
        return stored is not None and stored.content == content and has_field(content, "received")
    if letter.tags != other.tags:
        return False
    # The thread of a letter cannot contradict what a reply tag says of the game.
    names_the_same = (letter.thread, letter.subject_game) == (other.thread, other.subject_game)
    return names_the_same or (bool(letter.tags) and context.service.trust != "header")


def _can_be_asked(context: LetterContext, letter: Letter) -> bool:
    """Return whether the player who wrote a letter can be asked about it: it answers no question itself."""
    return letter.nature is Nature.PERSON and _answers_no_question(context, letter)
