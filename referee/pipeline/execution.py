"""The last stages: a letter is refused, or its commands are carried out and their effects stored and reported."""

from __future__ import annotations

from referee.common.faults import Fault
from referee.games.events import CheckedIn, Ruled
from referee.handlers import conditional_orders, drafts, private_orders, replies, resending
from referee.handlers.delivery_failures import welcome_back
from referee.handlers.dispatcher import dispatch
from referee.handlers.handler_context import HandlerContext
from referee.pipeline.letter_context import Disposition, LetterContext, commands_for_log
from referee.pipeline.old_letters import keep_done
from referee.reports.report import Note
from referee.store.values import Outcome


def refuse_unclear(context: LetterContext) -> Disposition | None:
    """Refuse a letter that may be about several games or none, or whose heading contradicts its game (E2).

    End one that was refused for this before.
    """
    if context.fault is not None and context.game is not None:
        check_in(context.work, context.game)
        return _refuse(context, context.fault)
    if context.player.returns:
        welcome_back(context.work)
    if context.fault is None:
        return None
    if earlier := context.refused_before or context.repeats:
        return Disposition("ignored", f"the same letter as number {earlier}")
    return _refuse(context, context.fault)


def _refuse(context: LetterContext, fault: Fault) -> Disposition:
    """End a letter without any effect, and report why."""
    context.work.outcome.add_fault(fault, context.game)
    finish(context, context.game)
    return Disposition("answered", fault.code, context.game, commands_for_log(context.understood))


def execute(context: LetterContext) -> Disposition | None:
    """Carry out the letter's commands, then what follows from them: drafted turns, plans, repeated letters."""
    work, game = context.work, context.game
    if game is not None:
        check_in(work, game)
    _note_unread(context)
    for command in private_orders.as_meant(work, context.understood.commands, game):
        dispatch(work, command, game)
    drafts.carry_out(work)
    conditional_orders.go_on(work)
    if (
        context.held is None
    ):  # otherwise it was written before the game went on, and answered a letter of that time
        resending.send_unseen(work)
    return None


def _note_unread(context: LetterContext) -> None:
    """Record for the answer what in the letter could not be read."""
    work, understood = context.work, context.understood
    if context.letter.reason and not context.lines:
        work.outcome.of(None).notes.append(Note("unreadable", {"reason": context.letter.reason}))
    elif understood.empty:
        passed_over = tuple(line.text for line in understood.passed_over)
        work.outcome.of(None).notes.append(Note("nothing-read", {"lines": passed_over}))
    for fault in understood.faults:
        work.outcome.add_fault(fault)


def conclude(context: LetterContext) -> Disposition:
    """Store the letter's effects, write the letters that report them, and return the letter's outcome."""
    work, effects = context.work, context.effects
    finish(context, context.game)
    keep_done(work, context.held or context.stored.number, context.letter, context.lines)
    effects.moves += sum(
        isinstance(event, Ruled) for part in work.outcome.by_game.values() for event in part.events
    )
    reason = str(context.letter.reason) if context.understood.empty and not context.lines else ""
    outcome: Outcome = "ruled" if effects.moves else "answered"
    return Disposition(outcome, reason, context.game, commands_for_log(context.understood))


def finish(context: LetterContext, game: int | None) -> None:
    """Store the effects, and write the answer and the news for others. game: the letter's own."""
    work = context.work
    general = work.outcome.of(None)
    if context.effects.besides and not general.speaks and general.kind is None:
        general.kind = "notice"
    general.notes += context.take_besides()
    if context.cut_below:
        general.notes.insert(0, Note("cut", {"line": context.cut_below}))
    if context.last_of_its_kind:
        general.notes.insert(0, Note("last-answer"))
    context.effects.refused = (
        replies.save_and_reply(work, game, context.answered(context.letter)) == "refusal"
    )
    context.effects.games.update(work.games.by_number)


def check_in(work: HandlerContext, number: int) -> None:
    """Record that a seat's first letter about a game has arrived."""
    game = work.games.readable(number)
    seat = game.seat_of(work.request.player.number) if game else None
    if game is not None and seat is not None and game.status == "playing" and seat not in game.checked_in:
        work.apply_events(game, CheckedIn(seat))
