"""Letters that come again: told from new ones by what their writer sent.

Somebody with a raw copy of a player's letter can hand it in once more, and can change in it whatever its signature
does not cover: its Message-ID nearly always, often its thread, with some mail hosts even its To. Who wrote, when, and
what, stays; so a letter that agrees in these with one that was heard is that letter, whatever else it says. Only where
it names another game, or bears no date, it may be another one all the same, and only its writer can tell.

Where the settings say that From headers are believed, anybody can write whatever they like. There a letter is another
one as soon as anything but the Message-ID differs, and without a date by that, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from referee.mail.message.headers import has_field
from referee.mail.message.message import Letter, Nature
from referee.pipeline.letter_context import LetterContext
from referee.store.values import Outcome

ONE_SECOND = timedelta(seconds=1)
"""No Date says more exactly when a letter was written."""
MOST_COMPARED = 8
"""Letters of the same words that one is held against: nobody writes more in a second."""


def same_letter(
    context: LetterContext,
    number: int,
    letter: Letter,
    outcomes: Sequence[Outcome] = ("ruled", "answered"),
    besides: Sequence[str] = (),
) -> tuple[int, bool] | None:
    """Return which heard letter another one is, and whether that is certain; None where it is none.

    It is not certain where the writer may have meant something else by the same words, and can be asked. outcomes,
    besides: see LetterQueries.duplicate.
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
        if not context.trusts_headers:
            perhaps = each.number
    if perhaps is None or unit.players.by_address(letter.sender) is None:
        return None
    return perhaps, not _can_be_asked(context, letter)


def _reads_alike(letter: Letter, other: Letter) -> bool:
    """Return whether two letters of the same text say the same. A signature may leave out what its text is: a copy with
    another Content-Type may say something else, or nothing, in which case it has done nothing either."""
    return [line.text for line in letter.lines] == [line.text for line in other.lines]


def answers_later(context: LetterContext, letter: Letter, recorded: datetime) -> bool:
    """Return whether a letter answers one of ours that was written after another of the same words had been taken in,
    and was itself written no sooner: a program writes several in a second."""
    if letter.date is None:
        return False
    sent = next(filter(None, map(context.unit.outbox.get, letter.thread)), None)
    return sent is not None and recorded < sent.created < letter.date + ONE_SECOND


def _answers_another_question(context: LetterContext, letter: Letter, other: Letter) -> bool:
    """Return whether a letter answers a question of ours by an address that another letter was not written to: its
    writer alone was told that address, and it counts once."""
    return letter.tags != other.tags and not _answers_no_question(context, letter)


def _answers_no_question(context: LetterContext, letter: Letter) -> bool:
    return all(tag.purpose in ("seat", "watch") for tag in context.letter_tags.valid(letter))


def _is_same(context: LetterContext, number: int, letter: Letter, other: Letter, content: bytes) -> bool:
    """Return whether a letter is certainly the other one, of the same words and date. content: the bytes of that."""
    if letter.date is None:
        if letter.message_id or other.message_id:
            return letter.message_id == other.message_id
        # What was delivered twice bears the traces of two ways; what has the same ones was copied in the mailbox.
        stored = context.unit.letters.get(number, decided=True)
        return stored is not None and stored.content == content and has_field(content, "received")
    if letter.tags != other.tags:
        return False
    # What a reply tag says of the game, no thread can contradict.
    names_the_same = (letter.thread, letter.subject_game) == (other.thread, other.subject_game)
    return names_the_same or (bool(letter.tags) and not context.trusts_headers)


def _can_be_asked(context: LetterContext, letter: Letter) -> bool:
    """Return whether the player who wrote a letter can be asked about it: it answers no question of ours itself."""
    return letter.nature is Nature.PERSON and _answers_no_question(context, letter)
