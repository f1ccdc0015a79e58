"""Previews of moves, and plans for coming turns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.commands.command import Preview, Try
from referee.commands.vocabulary import Vocabulary, vocabulary
from referee.common.faults import Fault, Place
from referee.common.i18n import Phrase
from referee.games.conditional_orders import conditions_of, read_plan, steps, write_plan
from referee.games.events import EndOffered, PlanDropped, Planned
from referee.games.game import Game
from referee.games.plan_execution import NO_TURN, Followed, follow_plan, may_plan, plan_waits
from referee.games.results import DRAW
from referee.handlers import replies
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_outcome import GameOutcome
from referee.handlers.orders import as_seen, comes_late, find_seat, in_record
from referee.handlers.plan_notices import dropped_note, left_note, used_note, whisper
from referee.reports.report import Note
from referee.rulebooks.rulebook import OrderLine, Seat


def preview(work: HandlerContext, command: Preview, number: int | None) -> None:
    """Show what the writer's view says of a move: in any turn, any number of times, without effect."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    line = OrderLine(command.line.number, in_record(work, game, seat, command.text))
    found = game.rulebook.presentation.preview(game.view(seat), line)
    if isinstance(found, Fault):
        found = as_seen(work, game, seat, found, line.text)
        before = command.line.text.find(command.text)
        column = found.place.column if found.place else 1
        meant = replace(command, text=found.suggestion).write() if found.suggestion else ""
        place = Place(command.line.number, before + column)
        work.outcome.add_fault(
            replace(found, excerpt=command.line.text, place=place, suggestion=meant), game.number
        )
        return
    note = Note("preview", {"rulebook": game.rulebook.name, "preview": found, "due": seat in game.due})
    told = note in work.outcome.of(game.number).notes
    work.outcome.accept(command, game.number, None if told else note)


def leave_plan(work: HandlerContext, command: Try, number: int | None) -> None:
    """Store a plan for the writer's coming turns. If it is their turn, it begins after the whole letter was read."""
    seated = find_seat(work, command, number, timely=True)
    if seated is None:
        return
    game, seat = seated
    if seat in game.due and comes_late(work, command, game, seat):
        return
    text = in_record(work, game, seat, command.text)
    plan = read_plan(text, _Notation(work, game, seat), conditions_of(game.rulebook))
    if isinstance(plan, Fault):
        column = plan.place.column if plan.place else 1
        at = text.rfind(plan.excerpt, 0, column - 1 + len(plan.excerpt))
        written = _as_written(command, at, len(plan.excerpt), vocabulary(work.request.player.language))
        meant = plan.suggestion
        if plan.code == "plan-two-readings" and meant:  # it is the whole plan, not a step
            meant = replace(command, text=meant).write()
        plan = _in_words(
            replace(plan, excerpt=written, suggestion=meant), vocabulary(work.request.player.language)
        )
        work.outcome.add_fault(_in_the_letter(plan, command), game.number)
        return
    if (hindered := may_plan(game, seat)) is not None:
        place = Place(command.line.number, 1)
        work.outcome.add_fault(replace(hindered, excerpt=command.line.text, place=place), game.number)
        return
    if seat in game.due and (faults := _first_faults(game, seat, plan.order)):
        column = 1 + len(command.text) - len(command.text.lstrip())
        fault = replace(faults[0], excerpt=plan.order, place=Place(1, column))
        work.outcome.add_fault(_in_the_letter(fault, command), game.number)
        return
    after = work.apply_events(game, Planned(seat, write_plan(plan), work.request.answered_about(game.number)))
    note = Note(
        "planned",
        {
            "game": game.number,
            "rulebook": game.rulebook.name,
            "steps": steps(plan),
            "due": seat in game.due,
            "instead": seat in game.plans,
            "waits": plan_waits(after, seat),
        },
    )
    part = work.outcome.of(game.number)
    part.notes[:] = [each for each in part.notes if each.code not in ("planned", "plan")]
    work.outcome.accept(replace(command, text=write_plan(plan)), game.number, note)


@dataclass(frozen=True, slots=True)
class _Notation:
    """A game's notation as the writer of a letter sees it from their seat."""

    work: HandlerContext
    game: Game
    seat: Seat

    def read(self, line: OrderLine) -> Any | Fault:
        read = self.game.rulebook.notation.read(line)
        if isinstance(read, Fault):
            return as_seen(self.work, self.game, self.seat, read, line.text)
        return read if self.game.rulebook.rules.is_turn(read) else NO_TURN

    def write(self, order: Any) -> str:
        return self.game.rulebook.notation.write(order)


def _as_written(command: Try, at: int, length: int, spelt: Vocabulary) -> str:
    """Return a part of a plan as in the letter: by the writer's compass, and in their language."""
    piece = command.text[at : at + length]
    (line, start), (last, end) = command.place(at + 1), command.place(at + len(piece))
    if line == last == command.line.number:
        return command.line.text[start - 1 : end]
    return spelt.writer.write_steps(piece)


def _in_words(fault: Fault, spelt: Vocabulary) -> Fault:
    """Return a fault of a plan with the words between its moves in the writer's language."""
    facts = dict(fault.facts)
    if fault.code.startswith("plan-"):
        for name in {"known", "condition"} & set(facts):
            facts[name] = ", ".join(map(spelt.writer.write_step, str(facts[name]).split(", ")))
    return replace(fault, facts=facts, suggestion=spelt.writer.write_steps(fault.suggestion))


def _first_faults(game: Game, seat: Seat, order: str) -> tuple[Fault, ...]:
    return game.rulebook.rules.read_orders(game.view(seat), [OrderLine(1, order)]).faults


def _in_the_letter(fault: Fault, command: Try) -> Fault:
    """Return a fault of a plan with its place in the letter. Its suggestion is for the step alone."""
    line, column = command.place(fault.place.column if fault.place else 1)
    return replace(fault, place=Place(line, column))


def go_on(work: HandlerContext) -> None:
    """Continue plans in all games that the letter has affected, after all of its lines were handled.

    Both seats may have a plan: each order of a plan is given once, so this ends.
    """
    for number, part in list(work.outcome.by_game.items()):
        if number is None or not part.events:
            continue
        game = work.games.by_number[number]
        if any(isinstance(event, EndOffered) for event in part.events):
            game = _ask_about_end(work, game)
        _follow(work, game, part)


def _ask_about_end(work: HandlerContext, game: Game) -> Game:
    """End the plan of the player who is asked how to end the game, since no plan answers that question.

    A player who is not asked, because they were asked often enough today, keeps the plan: nobody should lose
    one unnoticed.
    """
    offer = game.offer
    if offer is None:
        return game
    for seat in [each for each in game.plans if each != offer.by]:
        if not (replies.hears_of_offer(work, game, seat) or _moves_by_plan(game, offer.by)):
            continue
        why = "draw" if offer.end == DRAW else "offer"
        game = work.apply_events(game, PlanDropped(seat, why))
        whisper(work, game, seat, dropped_note(why))
    return game


def _moves_by_plan(game: Game, seat: Seat) -> bool:
    """Return whether a seat's plan now makes a move that both seats hear of."""
    followed = follow_plan(game, seat) if seat in game.due else None
    return followed is not None and followed.why is None


def _next(game: Game) -> tuple[Seat, Followed] | None:
    """Return the seat whose plan does something now, and what."""
    for seat in game.due:
        if (followed := follow_plan(game, seat)) is not None:
            return seat, followed
    return None


def _follow(work: HandlerContext, game: Game, part: GameOutcome) -> None:
    orders: dict[Seat, list[str]] = {}
    used_up: set[Seat] = set()
    while (found := _next(game)) is not None:
        seat, due = found
        offer = game.offer
        game = work.apply_events(game, due.event)
        if due.why is not None:
            whisper(work, game, seat, dropped_note(due.why, due.order, due.fault))
            continue
        if offer is not None and game.offer is None and game.status == "playing":
            if game.seats[offer.by] == work.request.player.number:
                who = work.composer.player(game.seats[seat]).name or Phrase(seat.capitalize())
                part.notes.append(Note("offer-lapsed", {"who": who, "end": offer.end}))
            else:
                part.lapsed = offer
        orders.setdefault(seat, []).append(due.order)
        if due.used_up:
            used_up.add(seat)
    for seat, tried in orders.items():
        whisper(work, game, seat, used_note(tried, used_up=seat in used_up))
        begun = any(note.code == "planned" for note in part.notes) and len(tried) == 1
        if (left := left_note(game, seat)) and not (begun and game.seats[seat] == work.request.player.number):
            whisper(work, game, seat, left)
    mine = game.seat_of(work.request.player.number)
    if game.status == "ended" and mine in game.plans:
        part.notes.append(Note("plan-over"))
