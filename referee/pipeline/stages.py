"""The processing of one letter, in one transaction. Read this first.

A letter was taken from the mailbox and recorded (pipeline.processor). The stages below then bring it to
exactly one outcome. Each examines the letter's context and either ends the processing with a disposition, or
records there what it has found out and returns None, so that the next stage continues. Events, outgoing
letters and the letter's own outcome are committed together, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.pipeline import authentication
from referee.pipeline.arrival import classify, ignore_repeated, open_letter
from referee.pipeline.confirmations import confirm, silence
from referee.pipeline.execution import conclude, execute, refuse_unclear
from referee.pipeline.game_resolver import find_game
from referee.pipeline.letter_context import Disposition, LetterContext
from referee.pipeline.old_letters import hold_if_old
from referee.pipeline.parsing import parse, parse_for_game
from referee.pipeline.rate_limit import check_rate_limit

Stage = Callable[[LetterContext], Disposition | None]


def process_letter(context: LetterContext) -> Disposition:
    """Settle a letter."""
    return _run((*ARRIVAL, *PLAYERS_LETTER), context)


def authenticate_sender(context: LetterContext) -> Disposition | None:
    """Find the player who wrote. A held letter that this one confirms continues from here, too, as that player's."""
    return authentication.authenticate_sender(context, lambda held: _run(PLAYERS_LETTER, held))


ARRIVAL: Sequence[Stage] = (
    open_letter,
    ignore_repeated,
    classify,
    check_rate_limit,
    authenticate_sender,
)
"""From the letter's bytes to the player who wrote it."""

PLAYERS_LETTER: Sequence[Stage] = (
    silence,
    parse,
    confirm,
    find_game,
    hold_if_old,
    refuse_unclear,
    parse_for_game,
    execute,
    conclude,
)
"""From the lines that a player wrote to their effects. The last one always ends the processing."""


def _run(stages: Sequence[Stage], context: LetterContext) -> Disposition:
    """Run a letter through stages until one ends the processing."""
    for stage in stages:
        if (end := stage(context)) is not None:
            return end
    raise AssertionError("the last stage ends a letter's way")
