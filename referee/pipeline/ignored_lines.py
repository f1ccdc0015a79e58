"""Names what else is in the answer to a question, which is not done.

A question asks for one word, and its answer does what the word confirms. Moves, texts and faults besides the
word are named to the writer, who may send them in a separate letter. Prose is ignored, as in any other
letter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.commands.command import Command, Written
from referee.commands.grammar import PERHAPS_QUOTED, Understanding
from referee.mail.message.message import Letter
from referee.pipeline.game_resolver import confided_by, orders_of
from referee.pipeline.letter_context import LetterContext, begins_with
from referee.reports.report import Note
from referee.store.values import Tag

Counts = Callable[[Command], bool]
"""Returns whether a command is the word that a question asks for, or repeats it."""


def word_of(word: type[Command], letter: Letter, read: Understanding) -> Counts:
    """Return the test for the word, where a letter begins with it; otherwise a test that never holds.

    The word counts in the first line, and anywhere without a number, which may be the example in our letter.
    """
    if not begins_with(word, letter, read):
        return lambda command: False
    first = letter.lines[0].number
    return lambda command: (
        isinstance(command, word) and (command.game is None or command.line.number == first)
    )


def not_done(read: Understanding, counts: Counts, *, again: bool = True) -> tuple[Note, ...]:
    """Return the note that names all other commands and faults in a letter; empty where there are none.

    again: they may be sent again.
    """
    found = [
        (command.line.number, line)
        for command in read.commands
        if not counts(command)
        for line in (command.line.text, *(command.unread if isinstance(command, Written) else ()))
    ]
    found += [
        (fault.place.line if fault.place else 0, line)
        for fault in read.faults
        for line in (
            fault.facts["lines"] if fault.code == PERHAPS_QUOTED and fault.facts else (fault.excerpt,)
        )
        if line
    ]
    lines = tuple(line for _, line in sorted(found, key=lambda each: each[0]))
    return (Note("not-done", {"lines": lines, "again": again}),) if lines else ()


def what_else(
    context: LetterContext, letter: Letter, tag: Tag, counts: Counts, *, again: bool = True
) -> tuple[Note, ...]:
    """Return the notes on everything except the word in the answer to a question: what was not done or not read.

    Only the writer's own lines are named. Where a service has several rulebooks, the lines are read as in a
    letter about the same game.

    tag: the question's.
    again: see not_done.
    """
    sender = context.unit.players.by_address(letter.sender)
    lines = context.own_lines(
        letter, sender, () if sender is None else context.letter_tags.naming(letter, sender)
    )
    player = context.unit.players.find(tag.player)
    if len(context.service.rulebooks) < 2:
        read = context.read_commands(lines, player)
    else:
        work = context.work_for(player)
        read = context.read_commands(lines, player, orders_of(work, tag.game), confided_by(work))
    notes = not_done(read, counts, again=again)
    return (*notes, Note("cut", {"line": context.cut_below})) if context.cut_below else notes


def for_the_last_time(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Return the notes of a letter by somebody who leaves by it, and cannot send anything more."""
    return tuple(
        replace(note, facts={**note.facts, "again": False}) for note in notes if note.code == "not-done"
    )
