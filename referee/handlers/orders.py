"""Playing: orders, resign, confirm; and questions on a game's state and on what is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from referee.commands.command import (
    Agree,
    Command,
    Confirm,
    Draw,
    NewTag,
    Order,
    Pause,
    Record,
    Resend,
    Resign,
    Resume,
    Status,
    Why,
    Written,
)
from referee.common.faults import Fault, Place
from referee.common.i18n import Phrase
from referee.games import game_options
from referee.games.decisions import (
    Decision,
    ReadOrder,
    decide_confirm,
    decide_order,
    decide_read_order,
    decide_resign,
    frozen_fault,
    read_order,
)
from referee.games.events import Confided, PlanDropped
from referee.games.game import Game
from referee.games.game_options import watchers_of
from referee.handlers import deadlines
from referee.handlers.game_faces import Perspective
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_outcome import GameOutcome
from referee.handlers.participants import oversees
from referee.handlers.parts import named_game
from referee.handlers.plan_notices import dropped_note, left_note
from referee.handlers.stale_offers import changed_meanwhile
from referee.handlers.stale_orders import is_for_another_turn
from referee.handlers.standing_actions import standing_note
from referee.mail.message.message import Attachment
from referee.reports.comments import MOST_IN_A_LETTER, Comment, readable_by, with_comments
from referee.reports.report import Note
from referee.rulebooks.rulebook import OrderLine, Seat, other_seat

LONGEST_SUGGESTION = 120
"""The most characters of a suggested line with the writer's own text."""


def order(work: HandlerContext, command: Order, number: int | None, *, meant_now: bool = False) -> None:
    """Rule on a move. meant_now: its orders were checked against the letter that it answers, and accepted."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if too_late(work, command, game):
        return
    part = work.outcome.of(game.number)
    text = in_record(work, game, seat, command.text)
    read = read_order(game, OrderLine(command.line.number, text))
    if isinstance(read, Fault):
        _refuse(work, command, game, seat, read, text)
        return
    if _is_for_another_time(work, command, game, seat, read, part, meant_now=meant_now):
        return
    decision = decide_read_order(game, seat, read, (*part.confided, *part.ruled))
    if decision.fault:
        _refuse(work, command, game, seat, decision.fault, text)
        return
    if not decision.events:
        return
    if any(isinstance(event, Confided) for event in decision.events):
        work.apply_events(game, *decision.events)
        part.confided.append(read)
        work.outcome.accept(replace(command, text=decision.order), game.number)
        return
    if seat in game.plans:
        game = work.apply_events(game, PlanDropped(seat, "by-hand"))
        part.notes.append(dropped_note("by-hand"))
    after = work.apply_events(game, *decision.events)
    part.ruled.append(read)
    if game.offer is not None and after.offer is None and after.status == "playing":
        part.lapsed = game.offer
    work.outcome.accept(replace(command, text=decision.order), game.number)


def _is_for_another_time(
    work: HandlerContext,
    command: Order,
    game: Game,
    seat: Seat,
    read: ReadOrder,
    part: GameOutcome,
    *,
    meant_now: bool,
) -> bool:
    """Return whether an order was meant for another time, or came after the seat's time was up; record the fault."""
    rules = game.rulebook.rules
    if not rules.is_turn(read.order) and confided_since(work, command, game, seat):
        return True
    if part.ruled:
        return False
    of_a_turn = not meant_now and not rules.at_any_time(read.order)
    if is_for_another_turn(work, command, game, seat, of_a_turn=of_a_turn):
        part.overtaken = True
        return True
    return seat in game.due and comes_late(work, command, game, seat)


def _refuse(work: HandlerContext, command: Order, game: Game, seat: Seat, fault: Fault, text: str) -> None:
    """Record the fault of an order. text: the order as read, from `in_record`."""
    part = work.outcome.of(game.number)
    if fault.grade == "not-allowed" and not part.ruled:
        part.overtaken = True
    work.outcome.add_fault(_as_it_stands(as_seen(work, game, seat, fault, text), command, text), game.number)


def confided_since(work: HandlerContext, command: Command, game: Game, seat: Seat) -> bool:
    """Return whether a held letter is older than other orders of its writer in confidence; record the fault."""
    if not work.request.confided_since(game.number, seat):
        return False
    message = (
        "your letter was held, and you have given other orders like this since; it is older, and was not done"
    )
    work.outcome.reject(command, "held-confided", message, about=game.number)
    return True


def time_was_up(work: HandlerContext, command: Command, game: Game, seat: Seat) -> bool:
    """Return whether nothing can be agreed or resigned, since a player's time was up (TM-5.2); record the fault."""
    if comes_late(work, command, game, seat, work.request.heard):
        return True
    other = other_seat(game.seats, seat)
    if not deadlines.is_late(work, game, other, work.request.heard):
        return False
    message = (
        "the time of {who} in game {game} was up when this came in, so it was not done; the game ends by that, "
        "as soon as it is certain that no move came in time"
    )
    who = opponent(work, game, seat)
    work.outcome.reject(command, "their-time-up", message, about=game.number, who=who, game=str(game.number))
    return True


def opponent(work: HandlerContext, game: Game, seat: Seat) -> str | Phrase:
    """Return the name of a seat's opponent, or their colour while they have none."""
    other = other_seat(game.seats, seat)
    return work.composer.player(game.seats[other]).name or Phrase(other.capitalize())


def comes_late(
    work: HandlerContext, command: Command, game: Game, seat: Seat, at: datetime | None = None
) -> bool:
    """Return whether a letter came too late, since the seat's time was up (TM-5.2); record the fault.

    at: see deadlines.is_late.
    """
    if not deadlines.is_late(work, game, seat, at):
        return False
    message = "your time in game {game} was up when this came in, so it was not done; by that the game ends"
    work.outcome.reject(command, "time-up", message, about=game.number, game=str(game.number))
    return True


def in_record(work: HandlerContext, game: Game, seat: Seat, text: str) -> str:
    """Return a line with its orders by the record's compass, whichever compass the writer uses."""
    oriented = game.rulebook.oriented
    return (
        oriented.from_own(text, seat)
        if oriented is not None and work.request.player.compass == "own"
        else text
    )


def as_seen(work: HandlerContext, game: Game, seat: Seat, fault: Fault, text: str) -> Fault:
    """Return a fault of an order by the writer's compass. text: what was read, as returned by `in_record`."""
    oriented = game.rulebook.oriented
    if oriented is None or work.request.player.compass != "own":
        return fault
    return oriented.slip_as_seen(fault, text, seat)


def _as_it_stands(fault: Fault, command: Order, read: str) -> Fault:
    """Return an order's fault with the place and text of the whole line, including its game's number.

    read: the part of it that was read as the order.
    """
    before = max(0, command.line.text.find(command.text))
    if fault.place is None:
        return fault
    if not before and command.guard is None:
        return replace(fault, excerpt=command.line.text) if read != command.text else fault
    # A plan is for coming turns, so it has no guard.
    meant = replace(command, guard=None) if fault.code == "out-of-turn" else command
    return replace(
        fault,
        excerpt=command.line.text,
        place=Place(fault.place.line, fault.place.column + before),
        suggestion=replace(meant, text=fault.suggestion).write() if fault.suggestion else "",
    )


def too_late(work: HandlerContext, command: Command, game: Game) -> bool:
    """Return whether a letter was held while the game progressed and was meant for another turn; record the fault."""
    if not work.request.went_on(game.number):
        return False
    work.outcome.reject(
        command,
        "held-too-long",
        "your letter was held, and the game has gone on since; this was meant for an earlier turn and was not done",
        about=game.number,
    )
    return True


def resign(work: HandlerContext, command: Resign, number: int | None) -> None:
    """Resign a game: at once when the letter says nothing else."""
    seated = find_seat(work, command, number, timely=True)
    if seated is None or time_was_up(work, command, *seated):
        return
    game, seat = seated
    decision = decide_resign(game, seat, whole_letter=work.request.whole_letter)
    decided(work, command, game, decision, None)
    if decision.fault is None and not work.request.whole_letter:
        _ask_whether_meant(work, game.number)


def _ask_whether_meant(work: HandlerContext, game: int) -> None:
    """Ask about a resignation; where there are several, each is to be confirmed with its number."""
    asked = _resigning(work)
    for number, who in asked.items():
        notes = work.outcome.of(number).notes if number in work.outcome.by_game else []
        asked_here = [note for note in notes if note.code == "resign-confirm"]
        if number == game or asked_here:
            notes[:] = [note for note in notes if note not in asked_here]
            facts = {"game": number, "who": who, "several": len(asked) > 1}
            notes.append(Note("resign-confirm", facts))


def _resigning(work: HandlerContext) -> dict[int, str | Phrase]:
    """Return the games in which the writer was asked whether they mean to resign, with the opponent in each."""
    me = work.request.player.number
    # What this letter has begun is not stored yet.
    numbers = {row.number for row in work.unit.games.of_player(me, ("playing",))} | set(work.games.by_number)
    games = [work.games.readable(number) for number in sorted(numbers)]
    found = ((game, game.seat_of(me)) for game in games if game is not None)
    return {
        game.number: opponent(work, game, seat)
        for game, seat in found
        if seat is not None and seat in game.resigning
    }


def confirm(work: HandlerContext, command: Confirm, number: int | None) -> None:
    """Confirm a resignation. Only the letter's first line can, so that no quotation below does.

    Where several wait, which one is meant is never guessed.
    """
    if command.game is None and len(asked := _resigning(work)) > 1:
        work.outcome.reject(
            command,
            "confirm-which",
            "you were asked about several games, {games}: say which",
            suggestion=f"confirm {number if number in asked else min(asked)}",
            games=", ".join(map(str, asked)),
        )
        return
    if command.game is None and (
        work.request.addressed_to_other or work.request.may_answer_another_question()
    ):
        asked = _resigning(work)
        message = (
            "you were asked more than this lately; please answer the letter that asks, nothing was confirmed"
        )
        if not asked:
            message = "`confirm` counts only as a reply to the letter that asks for it; nothing was confirmed"
        suggestion = f"confirm {min(asked)}" if asked else ""
        work.outcome.reject(command, "confirm-where", message, suggestion=suggestion)
        return
    if number is None and command.game is None and not _resigning(work):
        work.outcome.reject(command, "nothing-to-confirm", "there is nothing to confirm")
        return
    seated = find_seat(work, command, number, running=True)
    if seated is not None:
        game, seat = seated
        if changed_meanwhile(work, command, game) or time_was_up(work, command, game, seat):
            return
        if not work.request.opens(command):
            work.outcome.reject(
                command,
                "confirm-first",
                "`confirm` counts only as the first line of a letter; nothing was confirmed",
                about=game.number,
            )
            return
        decided(work, command, game, decide_confirm(game, seat), None)


def status(work: HandlerContext, command: Status, number: int | None) -> None:
    """Show the state of a game."""
    game = find_game(work, command, number)
    if game is not None:
        part = work.outcome.of(game.number)
        part.shown = True
        seat = game.seat_of(work.request.player.number)
        if seat is not None and game.status == "playing" and watchers_of(game.options) is not None:
            part.watchers = tuple(game.watchers)
        if seat is not None and (plan := left_note(game, seat)) and plan not in part.notes:
            part.notes.append(plan)
        absent = _not_checked_in(work, game) if game.concerns(work.request.player.number) else None
        if (late := _is_looked_at(work, game)) is not None and late not in part.notes:
            part.notes.append(late)
        here = work.composer.standpoint(game, work.request.player.number)
        if here.by_office and (hold := standing_note(work, game, frozen=True)) and hold not in part.notes:
            part.notes.append(hold)
        told = absent is None or absent in part.notes
        work.outcome.accept(command, game.number, None if told else absent)


def _is_looked_at(work: HandlerContext, game: Game) -> Note | None:
    """Return a note that an opponent of the writer is late in a game that has not ended yet; None for none.

    It does not say what the service waits for, which is somebody else's letter.
    """
    for seat, player in game.seats.items():
        mine = player == work.request.player.number or not game.concerns(work.request.player.number)
        if not mine and not game.frozen and deadlines.is_late(work, game, seat, work.request.now):
            who = work.composer.player(player).name or Phrase(seat.capitalize())
            return Note("time-looked-at", {"who": who})
    return None


def _not_checked_in(work: HandlerContext, game: Game) -> Note | None:
    """Return a note on an opponent of the writer who has not written about the game yet; None for none."""
    for seat, player in game.seats.items():
        if player != work.request.player.number and game.status == "playing" and seat not in game.checked_in:
            who = work.composer.player(player).name or Phrase(seat.capitalize())
            return Note("not-checked-in", {"who": who})
    return None


def record(work: HandlerContext, command: Record, number: int | None) -> None:
    """Send the game's record as the writer's seat, or an observer, knows it."""
    game = find_game(work, command, number)
    if game is None:
        return
    here = work.composer.standpoint(game, work.request.player.number)
    if here.seat is None:
        find_seat(work, command, game.number)  # records why there is none
        return
    text = game.rulebook.records.write(here.heard, record_head(work, game), here.seat)
    part = work.outcome.of(game.number)
    whole = with_comments(text, _comments(work, game, here), MOST_IN_A_LETTER)
    part.attachments.append(Attachment(f"game-{game.number}.txt", "text/plain", whole))
    work.outcome.accept(command, game.number, Note("record", {"text": text}))


def _comments(work: HandlerContext, game: Game, here: Perspective) -> list[Comment]:
    """Return the comments that a seat may read.

    For a delayed observer these are only those before the last happening that they have heard of. (Turns do
    not show that, since they recur after a take-back.)
    """
    beside = work.unit.comments.beside_the_moves(game.number, game.rulebook)
    told = readable_by(here.seat, beside, over=game.status == "ended")
    return [each for each in told if not here.late or each.heard < len(here.heard)]


def why(work: HandlerContext, command: Why, number: int | None) -> None:
    """Explain what the writer's view says of a piece: at any time, any number of times."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    explained = game.rulebook.presentation.explain(game.view(seat), command.subject)
    if isinstance(explained, Fault):
        work.outcome.add_fault(_about_the_line(explained, command), game.number)
        return
    note = Note("why", {"rulebook": game.rulebook.name, "why": explained})
    told = note in work.outcome.of(game.number).notes
    work.outcome.accept(command, game.number, None if told else note)


def _about_the_line(fault: Fault, command: Why) -> Fault:
    """Return the fault of a question as one of the line that asks."""
    return replace(
        fault,
        excerpt=command.line.text,
        place=Place(command.line.number, _place_of(command.subject.rpartition(" ")[2], command.line.text)),
        suggestion=replace(command, subject=fault.suggestion).write() if fault.suggestion else "",
    )


def _place_of(letter: str, text: str) -> int:
    """Return the column, from 1, of a word of one letter in a line; 1 where it is not there."""
    found = re.search(rf"(?<!\w){re.escape(letter)}(?!\w)", text, re.IGNORECASE)
    return found.start() + 1 if found else 1


def record_head(work: HandlerContext, game: Game) -> dict[str, str]:
    """Return the record's head lines that the rulebook does not know: the players, and the proof at the end."""
    names = {seat: work.composer.player(who).name for seat, who in game.seats.items()}
    event = work.unit.tournaments.find(game.competition).name if game.competition is not None else ""
    head = {f"{seat.capitalize()}Name": name for seat, name in names.items() if name}
    head |= {"Event": event} if event else {}
    return head | game_options.record_head(game.options) | dict(game.proof)


def decided(
    work: HandlerContext, command: Command, game: Game, decision: Decision, note: Note | None
) -> None:
    """Record the events of a decision with a note for the answer; or its fault, as one of the whole line."""
    if decision.fault:
        place = Place(command.line.number, 1)
        work.outcome.add_fault(replace(decision.fault, excerpt=command.line.text, place=place), game.number)
        return
    work.apply_events(game, *decision.events)
    work.outcome.accept(command, game.number, note)


def find_seat(
    work: HandlerContext, command: Command, number: int | None, *, running: bool = False, timely: bool = False
) -> tuple[Game, Seat] | None:
    """Return the game that is meant and the writer's seat in it.

    running: it must be neither over nor frozen.
    timely: nor may it have progressed while the letter was held.
    """
    running = running or timely
    game = find_game(work, command, number)
    if game is None:
        return None
    seat = game.seat_of(work.request.player.number)
    if seat is None:
        work.outcome.reject(
            command,
            f"not-begun-{game.status}",
            {
                "proposed": "game {game} has not begun: the challenge waits for its answer",
                "declined": "game {game} never began: the challenge was declined",
                "withdrawn": "game {game} never began: the challenge was taken back",
            }[game.status],
            about=game.number,
            game=str(game.number),
        )
        return None
    if running and (game.status != "playing" or game.frozen):
        work.outcome.of(game.number).overtaken = True
    if running and game.status != "playing":
        work.outcome.reject(
            command, "game-over", "game {game} is over", about=game.number, game=str(game.number)
        )
        return None
    if running and game.frozen:
        place = Place(command.line.number, 1)
        work.outcome.add_fault(frozen_fault(game, command.line.text, place), game.number)
        return None
    if timely and too_late(work, command, game):
        return None
    return game, seat


def _would_do(work: HandlerContext, command: Command, number: int) -> bool:
    """Return whether a move would be ruled on in a game as it is; any other command is possible in each."""
    game = work.games.readable(number)
    seat = game.seat_of(work.request.player.number) if game else None
    if not isinstance(command, Order) or game is None or seat is None:
        return True
    line = OrderLine(command.line.number, in_record(work, game, seat, command.text))
    return decide_order(game, seat, line).fault is None


def _ask_which(work: HandlerContext, command: Command, playing: Sequence[int]) -> None:
    """Ask in which of the writer's games something is meant that is possible in each.

    None is preferred, and the answer has the command in a line for each.

    playing: their numbers, more than one.
    """
    lines, left_out = [], False
    for number in playing:
        game = work.games.readable(number)
        other = (
            next((who for who in game.seats.values() if who != work.request.player.number), None)
            if game
            else None
        )
        line = replace(command, game=number)
        if isinstance(line, Written) and len(line.write()) > LONGEST_SUGGESTION:
            line, left_out = replace(line, text="TEXT"), True
        who = work.composer.player(other).name if other is not None else ""
        colour = next((seat for seat, each in game.seats.items() if each == other), "") if game else ""
        lines.append({"line": line.write(), "who": who or Phrase(colour.capitalize())})
        work.outcome.of(None).speaks_of += [other] if other is not None else []
    message = "you play several games, {games}, and this must say in which; nothing was done"
    work.outcome.reject(command, "which-game", message, games=", ".join(map(str, playing)))
    text = command.text.splitlines() if isinstance(command, Written) and left_out else []
    work.outcome.of(None).notes.append(Note("which-game", {"asked": tuple(lines), "lines": tuple(text)}))


def find_game(work: HandlerContext, command: Command, number: int | None) -> Game | None:
    """Return the game that is meant, if it concerns the writer; otherwise record the fault."""
    if number is None:
        playing = [row.number for row in work.unit.games.of_player(work.request.player.number, ("playing",))]
        if len(playing) != 1 or work.request.explicit_game_only:
            if not playing:
                work.outcome.reject(command, "which-game", "you have no game that is being played")
                return None
            if isinstance(command, Resign | Draw | Agree | Pause | Resume | Written):
                _ask_which(work, command, playing)
                return None
            fitting = next((each for each in playing if _would_do(work, command, each)), playing[0])
            work.outcome.reject(
                command,
                "which-game",
                "you play several games, {games}: say which",
                suggestion=f"{fitting}: {command.line.text}",
                games=", ".join(map(str, playing)),
            )
            return None
        (number,) = playing
    game = named_game(work, number)
    me = work.request.player.number
    if game is not None and me in game.watchers and not game.concerns(me):
        if isinstance(command, Status | Record | Resend | NewTag):
            return game
        message = "you watch game {game} and do not play in it, so nothing was done"
        work.outcome.reject(command, "only-watches", message, about=number, game=str(number))
        return None
    if game is not None and isinstance(command, Status | Record | Resend) and oversees(work.unit, game, me):
        work.composer.admit(game, me)
        return game
    if game is None or not game.concerns(me):
        work.outcome.reject(command, "not-your-game", "you do not sit in game {game}", game=str(number))
        return None
    return game
