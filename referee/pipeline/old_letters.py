"""Holds letters of players that may be old, although it is certain who wrote them, until their writer is asked.

A letter that was written before the one it answers, or before one by its writer that has since had an effect
in the game, may have been delayed, or somebody may have kept it back to send it now. A clock may be wrong by
a day; but where the same lines had an effect in the game before, that does not count.

A letter that certainly came before is heard once (pipeline.duplicates); one that may have, or that repeats
earlier lines without a date, is held here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from referee.commands.command import (
    Events,
    Games,
    Help,
    Overview,
    Preview,
    Record,
    Resend,
    ShowChoices,
    Status,
    Why,
)
from referee.common.durations import DAY
from referee.games.events import Confided, Planned, Ruled
from referee.handlers.deadlines import LATE, REPEATED
from referee.handlers.handler_context import HandlerContext
from referee.mail.message.message import Letter, OwnLine
from referee.pipeline.duplicates import ONE_SECOND, answers_later
from referee.pipeline.held import hold_letter
from referee.pipeline.letter_context import Disposition, LetterContext
from referee.store.values import CLOCK_SKEW_TOLERANCE, Heard, SentLetter

CLOCK_WRONG = DAY
"""How far a Date may be off because of a wrong clock."""

_ASKS_TO_BE_TOLD = (Help, Games, Events, Overview, Status, Preview, Record, Why, Resend, ShowChoices)
"""Commands that change nothing, however often they come."""
_DONE = (Ruled, Confided, Planned)
"""Effects of a letter in a game that must not be repeated."""


def hold_if_old(context: LetterContext) -> Disposition | None:
    """Hold a player's letter that may be old, and end one that certainly is.

    None where it is new, only asks for information, or was held already.
    """
    if context.held is not None or context.fault is not None or context.service.trust == "header":
        return None
    if all(isinstance(each, _ASKS_TO_BE_TOLD) for each in context.understood.commands):
        return None
    work, letter = context.work, context.letter
    answered, why = work.request.answered(), REPEATED if context.repeats else ""
    games = (*context.named_in_lines, *(() if context.game is None else (context.game,)))
    known = [
        work.unit.letters.heard(
            work.request.player.number, game, letter.date, context.lines, context.stored.arrived
        )
        for game in dict.fromkeys(games)
    ]
    for each in known if not why else ():
        if each.same is not None and not _is_another(context, letter, each.same):
            return Disposition("ignored", f"the same letter as number {each.same}")
        if each.undated or (each.said and letter.date is None):
            why = REPEATED
        elif _is_overtaken(letter, each):
            why = why or LATE
    if not why and _is_too_early(context, letter, answered, said=any(each.said for each in known)):
        why = LATE
    return hold_letter(context, letter, work.request.player.number, context.tags, why) if why else None


def keep_done(work: HandlerContext, number: int, letter: Letter, lines: Sequence[OwnLine]) -> None:
    """Record the games in which a letter has had an effect, by its number."""
    for game, part in work.outcome.by_game.items():
        if game is not None and any(isinstance(event, _DONE) for event in part.events):
            work.unit.letters.mark_heard(number, work.request.player.number, game, letter.date, lines)


def _is_another(context: LetterContext, letter: Letter, earlier: int) -> bool:
    """Return whether a letter differs from that of the same lines and the same Date."""
    stored = context.unit.letters.get(earlier, decided=True)
    return stored is not None and answers_later(context, letter, stored.recorded)


def _is_overtaken(letter: Letter, known: Heard) -> bool:
    """Return whether a letter was written before another by its writer that has had an effect in the game."""
    if letter.date is None or known.newest is None:
        return False
    return letter.date < known.newest - (timedelta(0) if known.said else CLOCK_WRONG)


def _is_too_early(context: LetterContext, letter: Letter, answered: SentLetter | None, *, said: bool) -> bool:
    """Return whether a letter was written before the one that it answers.

    If ours is dated after the letter arrived, our own clock was wrong, and this says nothing.
    """
    if letter.date is None or answered is None or answered.created > context.stored.arrived:
        return False
    return letter.date + ONE_SECOND <= answered.created - (CLOCK_SKEW_TOLERANCE if said else CLOCK_WRONG)
