"""Turns whose orders are carried out together: drafted line by line, and carried out after the whole letter was read.

Where something in the letter was wrong, the turn waits: as long as its player has chosen, or until they say
`carry out`. So a mistake can be corrected, and a player who does not write again loses nothing. Where a line
replaces one of an earlier letter, its writer is told.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.commands.command import Order
from referee.commands.grammar import PASSED_OVER
from referee.common.i18n import N_
from referee.games.decisions import decide_order
from referee.games.events import Confided, Ruled
from referee.games.game import Game
from referee.handlers import deadlines
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent, Urgency
from referee.handlers.letter_outcome import GameOutcome
from referee.handlers.orders import order
from referee.handlers.replies import keep_events, news_of
from referee.mail.message.message import OwnLine
from referee.reports.report import Note
from referee.rulebooks.rulebook import Draft, OrderLine, Seat

HOLD = {
    "15m": timedelta(minutes=15),
    "1h": timedelta(hours=1),
    "6h": timedelta(hours=6),
    "1d": timedelta(days=1),
}
"""How long a draft waits, by the value of `set hold`; other values have no limit."""
BEFORE_DEADLINE = timedelta(minutes=5)
"""A draft waits at most until this long before its player's deadline."""
CHOICE_WAITS = timedelta(days=1)
"""How long a turn waits for a choice; then the player's earlier wishes decide."""
LOOK_AGAIN = timedelta(minutes=10)
"""When a draft in a frozen game is checked again."""


def carry_out(work: HandlerContext) -> None:
    """Carry out what a letter has drafted in each game, or store when that will be done."""
    _carry_out(work)
    for number, part in work.outcome.by_game.items():
        if number is not None and any(isinstance(event, Ruled) for event in part.events):
            _wait_for_choices(work, work.games.by_number[number])


def _wait_for_choices(work: HandlerContext, game: Game) -> None:
    """Store until when a turn waits for the choice of the player who has to make it."""
    for seat, question in game.due.items():
        if question.kind == "choice":
            work.unit.drafts.hold(
                game.number, seat, _by_deadline(work, game, seat, work.request.now + CHOICE_WAITS)
            )


def _carry_out(work: HandlerContext) -> None:
    for number, part in list(work.outcome.by_game.items()):
        if number is None or not part.confided:
            continue
        game = work.games.by_number[number]
        seat = game.seat_of(work.request.player.number)
        if seat is None:
            continue
        if replaced := _replaced(part):
            part.notes.append(Note("draft-replaced", {"replaced": replaced}))
        draft = _draft(game, seat)
        if draft is None:
            work.unit.drafts.drop(number, seat)
        elif any(isinstance(event, Ruled) and event.order == draft.closing for event in part.events):
            continue  # what is left is for the second letter of its turn
        elif not _adds_to(game, draft, part):
            continue  # a wish next to a waiting draft does not affect it
        elif why := _doubt(work, game, part):
            due = _due(work, game, seat) if why != "kept-back" else None
            if due is None:
                work.unit.drafts.drop(number, seat)
            else:
                work.unit.drafts.hold(number, seat, due)
            part.notes.append(
                Note("draft-held", {"why": why, "until": due, "zone": work.request.player.zone})
            )
        else:
            work.unit.drafts.drop(number, seat)
            line = OwnLine(part.confided[-1].line.number, draft.closing)
            order(work, Order(line=line, text=draft.closing), number, meant_now=_of_a_turn(game, part))


def _draft(game: Game, seat: Seat) -> Draft | None:
    drafts = game.rulebook.drafts
    return drafts.draft(game.view(seat)) if drafts is not None else None


def _adds_to(game: Game, draft: Draft, part: GameOutcome) -> bool:
    """Return whether a letter has drafted something that counts, or asks that its draft be kept back."""
    given = [each.order for each in part.events if isinstance(each, Confided)]
    return any(each in draft.orders for each in given) or _keeps_back(game, part)


def _keeps_back(game: Game, part: GameOutcome) -> bool:
    drafts = game.rulebook.drafts
    return drafts is not None and any(drafts.keeps_back(each.order) for each in part.confided)


def _of_a_turn(game: Game, part: GameOutcome) -> bool:
    """Return whether a letter has confided lines of the turn, which were accepted as meant for now."""
    return not all(game.rulebook.rules.at_any_time(each.order) for each in part.confided)


def _doubt(work: HandlerContext, game: Game, part: GameOutcome) -> str:
    """Return why a draft waits: "kept-back" at its writer's wish, "faults" of its letter; "" where it does not."""
    if _keeps_back(game, part):
        return "kept-back"
    faults = [*part.faults, *work.outcome.of(None).faults]
    return "faults" if any(fault.code != PASSED_OVER for fault in faults) else ""


def _replaced(part: GameOutcome) -> tuple[tuple[str, str], ...]:
    """Return the lines of earlier letters that lines of this one replace, each with the new one.

    A repeated line replaces nothing.
    """
    return tuple(
        (line, each.order)
        for each in part.events
        if isinstance(each, Confided)
        for happening in each.happenings
        for line in happening.facts.get("replaced", ())
        if line != each.order
    )


def _due(work: HandlerContext, game: Game, seat: Seat) -> datetime | None:
    """Return when a draft is carried out by itself; None for only at its player's word."""
    waits = HOLD.get(work.request.player.hold)
    if waits is None:
        return None
    return _by_deadline(work, game, seat, work.request.now + waits)


def _by_deadline(work: HandlerContext, game: Game, seat: Seat, due: datetime) -> datetime:
    """Return an instant, or an earlier one if the player's time would be up before."""
    deadline = work.games.clocks.deadline(game, seat) if game.timed else None
    return due if deadline is None else max(work.request.now, min(due, deadline - BEFORE_DEADLINE))


def carry_out_due(work: HandlerContext, number: int, seat: Seat) -> None:
    """Carry out a draft whose time has come, and write to the players."""
    game = work.games.load(number)
    work.unit.drafts.drop(number, seat)
    if game is None or game.status != "playing":
        return
    draft = _draft(game, seat)
    if draft is None or seat not in game.due or deadlines.is_late(work, game, seat, work.request.received):
        return
    if game.frozen:
        work.unit.drafts.hold(number, seat, work.request.now + LOOK_AGAIN)
        return
    decision = decide_order(game, seat, OrderLine(1, draft.closing))
    if decision.fault is not None:
        facts = {"fault": decision.fault, "orders": draft.orders}
        words = LetterContent(kind="notice", weight="question", notes=(Note("draft-failed", facts),))
        work.composer.to_player(game.seats[seat], words, game=game, title=work.games.titles[number])
        return
    game = work.apply_events(game, *decision.events)
    keep_events(work, game, list(decision.events), None)
    _wait_for_choices(work, game)
    for each, player in game.seats.items():
        notes = (Note("draft-done", {"chosen": not draft.orders}),) if each == seat else ()
        if game.status == "ended":
            words = LetterContent(kind="result", news=N_("ended"), notes=notes)
        elif all(isinstance(event, Confided) for event in decision.events):
            if each != seat:
                continue
            words = LetterContent(kind="notice", news=news_of(game, each), notes=notes)
        else:
            weight: Urgency = "turn" if each in game.due else "news"
            words = LetterContent(kind="report", weight=weight, news=news_of(game, each), notes=notes)
        work.composer.to_player(player, words, game=game, title=work.games.titles[number])
