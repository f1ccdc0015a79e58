"""Playing: orders, resign, confirm; and asking how a game stands, and what is known."""

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
    decide_confirm,
    decide_order,
    decide_resign,
    frozen_fault,
)
from referee.games.events import Confided, PlanDropped
from referee.games.game import Game
from referee.games.game_options import watchers_of
from referee.handlers import deadlines
from referee.handlers.game_faces import Perspective
from referee.handlers.handler_context import HandlerContext
from referee.handlers.participants import oversees
from referee.handlers.parts import named_game
from referee.handlers.plan_notices import dropped_note, left_note
from referee.handlers.stale_offers import changed_meanwhile
from referee.handlers.stale_orders import answers_an_earlier_half, answers_what_was_taken_back, is_stale
from referee.handlers.standing_actions import standing_note
from referee.mail.message.message import Attachment
from referee.reports.comments import MOST_IN_A_LETTER, Comment, readable_by, with_comments
from referee.reports.report import Note
from referee.rulebooks.rulebook import OrderLine, Seat, other_seat

LONGEST_SUGGESTION = 120
"""Signs of a line that is suggested with the writer's own text in it."""


def order(work: HandlerContext, command: Order, number: int | None, *, meant_now: bool = False) -> None:
    """Rule on a move. meant_now: what it closes was held against the letter that it answers, and taken."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if too_late(work, command, game):
        return
    part = work.part(game.number)
    line = OrderLine(command.line.number, in_record(work, game, seat, command.text))
    read = game.rulebook.notation.read(line)
    readable = not isinstance(read, Fault)
    if readable and not game.rulebook.rules.is_turn(read) and confided_since(work, command, game, seat):
        return
    if readable and not part.ruled and is_stale(work, command, game, seat):
        part.overtaken = True
        return
    of_a_turn = readable and not meant_now and not game.rulebook.rules.at_any_time(read)
    if of_a_turn and not part.ruled and answers_what_was_taken_back(work, command, game, seat):
        part.overtaken = True
        return
    if of_a_turn and not part.ruled and answers_an_earlier_half(work, command, game, seat):
        part.overtaken = True
        return
    if readable and not part.ruled and seat in game.due and comes_late(work, command, game, seat):
        return
    decision = decide_order(game, seat, line, (*part.confided, *part.ruled))
    if decision.fault:
        if decision.fault.grade == "not-allowed" and not part.ruled:
            part.overtaken = True
        fault = as_seen(work, game, seat, decision.fault, line.text)
        work.fault(_as_it_stands(fault, command, line.text), game.number)
        return
    if not decision.events:
        return
    if any(isinstance(event, Confided) for event in decision.events):
        work.happen(game, *decision.events)
        part.confided.append(line)
        work.understood(part, replace(command, text=decision.order))
        return
    if seat in game.plans:
        game = work.happen(game, PlanDropped(seat, "by-hand"))
        part.notes.append(dropped_note("by-hand"))
    after = work.happen(game, *decision.events)
    part.ruled.append(line)
    if game.offer is not None and after.offer is None and after.status == "playing":
        part.lapsed = game.offer
    work.understood(part, replace(command, text=decision.order))


def confided_since(work: HandlerContext, command: Command, game: Game, seat: Seat) -> bool:
    """Note that a letter was held while its writer gave other orders of which nobody else hears, and that this is older
    than they."""
    if not work.confided_since(game.number, seat):
        return False
    message = (
        "your letter was held, and you have given other orders like this since; it is older, and was not done"
    )
    work.wrong(command, "held-confided", message, about=game.number)
    return True


def time_was_up(work: HandlerContext, command: Command, game: Game, seat: Seat) -> bool:
    """Note that nothing can be agreed or given up any more, since the time of either player was up (TM-5.2)."""
    if comes_late(work, command, game, seat, work.heard):
        return True
    other = other_seat(game.seats, seat)
    if not deadlines.is_late(work, game, other, work.heard):
        return False
    message = (
        "the time of {who} in game {game} was up when this came in, so it was not done; the game ends by that, "
        "as soon as it is certain that no move came in time"
    )
    who = opponent(work, game, seat)
    work.wrong(command, "their-time-up", message, about=game.number, who=who, game=str(game.number))
    return True


def opponent(work: HandlerContext, game: Game, seat: Seat) -> str | Phrase:
    """Return what whoever sits opposite a seat is called: his name, or his colour until he has given one."""
    other = other_seat(game.seats, seat)
    return work.post.player(game.seats[other]).name or Phrase(other.capitalize())


def comes_late(
    work: HandlerContext, command: Command, game: Game, seat: Seat, at: datetime | None = None
) -> bool:
    """Note that something does not count, since the seat's time was up when the letter came in (TM-5.2). at: see
    clocks.is_late."""
    if not deadlines.is_late(work, game, seat, at):
        return False
    message = "your time in game {game} was up when this came in, so it was not done; by that the game ends"
    work.wrong(command, "time-up", message, about=game.number, game=str(game.number))
    return True


def in_record(work: HandlerContext, game: Game, seat: Seat, text: str) -> str:
    """Return a line with the orders in it as the record has them, whichever compass the writer goes by."""
    oriented = game.rulebook.oriented
    return oriented.from_own(text, seat) if oriented is not None and work.player.compass == "own" else text


def as_seen(work: HandlerContext, game: Game, seat: Seat, fault: Fault, text: str) -> Fault:
    """Return a fault of an order by the compass that the writer goes by. text: what was read, as `in_record` has it."""
    oriented = game.rulebook.oriented
    if oriented is None or work.player.compass != "own":
        return fault
    return oriented.slip_as_seen(fault, text, seat)


def _as_it_stands(fault: Fault, command: Order, read: str) -> Fault:
    """Return an order's fault, placed and quoted as the whole line stands in the letter, its game's number included.

    read: what of it was read as the order.
    """
    before = max(0, command.line.text.find(command.text))
    if fault.place is None:
        return fault
    if not before and command.guard is None:
        return replace(fault, excerpt=command.line.text) if read != command.text else fault
    # A plan is for the turns to come: nothing guards it.
    meant = replace(command, guard=None) if fault.code == "out-of-turn" else command
    return replace(
        fault,
        excerpt=command.line.text,
        place=Place(fault.place.line, fault.place.column + before),
        suggestion=replace(meant, text=fault.suggestion).write() if fault.suggestion else "",
    )


def too_late(work: HandlerContext, command: Command, game: Game) -> bool:
    """Note that a letter was held while the game went on, so that what it says was meant for another turn."""
    if not work.went_on(game.number):
        return False
    work.wrong(
        command,
        "held-too-long",
        "your letter was held, and the game has gone on since; this was meant for an earlier turn and was not done",
        about=game.number,
    )
    return True


def resign(work: HandlerContext, command: Resign, number: int | None) -> None:
    """Give a game up: at once when the letter says nothing else."""
    seated = find_seat(work, command, number, timely=True)
    if seated is None or time_was_up(work, command, *seated):
        return
    game, seat = seated
    decision = decide_resign(game, seat, whole_letter=work.whole_letter)
    decided(work, command, game, decision, None)
    if decision.fault is None and not work.whole_letter:
        _ask_whether_meant(work, game.number)


def _ask_whether_meant(work: HandlerContext, game: int) -> None:
    """Ask about a resignation; where several are asked about, each is to be confirmed with its number."""
    asked = _resigning(work)
    for number, who in asked.items():
        notes = work.part(number).notes if number in work.parts else []
        asked_here = [note for note in notes if note.code == "resign-confirm"]
        if number == game or asked_here:
            notes[:] = [note for note in notes if note not in asked_here]
            facts = {"game": number, "who": who, "several": len(asked) > 1}
            notes.append(Note("resign-confirm", facts))


def _resigning(work: HandlerContext) -> dict[int, str | Phrase]:
    """Return the games in which the writer was asked whether he means to resign, with his opponent in each."""
    me = work.player.number
    # What this letter has begun is not kept yet.
    numbers = {row.number for row in work.unit.games.of_player(me, ("playing",))} | set(work.games)
    games = [work.readable(number) for number in sorted(numbers)]
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
        work.wrong(
            command,
            "confirm-which",
            "you were asked about several games, {games}: say which",
            suggestion=f"confirm {number if number in asked else min(asked)}",
            games=", ".join(map(str, asked)),
        )
        return
    if command.game is None and (work.others_question or work.may_answer_another_question()):
        asked = _resigning(work)
        message = (
            "you were asked more than this lately; please answer the letter that asks, nothing was confirmed"
        )
        if not asked:
            message = "`confirm` counts only as a reply to the letter that asks for it; nothing was confirmed"
        suggestion = f"confirm {min(asked)}" if asked else ""
        work.wrong(command, "confirm-where", message, suggestion=suggestion)
        return
    if number is None and command.game is None and not _resigning(work):
        work.wrong(command, "nothing-to-confirm", "there is nothing to confirm")
        return
    seated = find_seat(work, command, number, running=True)
    if seated is not None:
        game, seat = seated
        if changed_meanwhile(work, command, game) or time_was_up(work, command, game, seat):
            return
        if not work.opens(command):
            work.wrong(
                command,
                "confirm-first",
                "`confirm` counts only as the first line of a letter; nothing was confirmed",
                about=game.number,
            )
            return
        decided(work, command, game, decide_confirm(game, seat), None)


def status(work: HandlerContext, command: Status, number: int | None) -> None:
    """Show how a game stands."""
    game = find_game(work, command, number)
    if game is not None:
        part = work.part(game.number)
        part.shown = True
        seat = game.seat_of(work.player.number)
        if seat is not None and game.status == "playing" and watchers_of(game.options) is not None:
            part.watchers = tuple(game.watchers)
        if seat is not None and (plan := left_note(game, seat)) and plan not in part.notes:
            part.notes.append(plan)
        absent = _not_checked_in(work, game) if game.concerns(work.player.number) else None
        if (late := _is_looked_at(work, game)) is not None and late not in part.notes:
            part.notes.append(late)
        here = work.post.standpoint(game, work.player.number)
        if here.by_office and (hold := standing_note(work, game, frozen=True)) and hold not in part.notes:
            part.notes.append(hold)
        told = absent is None or absent in part.notes
        work.took(command, game.number, None if told else absent)


def _is_looked_at(work: HandlerContext, game: Game) -> Note | None:
    """Return a note that an opponent of the writer's is late in a game that has not ended yet, if he is. What is waited
    for is not told: it is a letter of somebody else's."""
    for seat, player in game.seats.items():
        mine = player == work.player.number or not game.concerns(work.player.number)
        if not mine and not game.frozen and deadlines.is_late(work, game, seat, work.now):
            who = work.post.player(player).name or Phrase(seat.capitalize())
            return Note("time-looked-at", {"who": who})
    return None


def _not_checked_in(work: HandlerContext, game: Game) -> Note | None:
    """Return a note on an opponent of the writer's who has written nothing about the game yet, if he has not."""
    for seat, player in game.seats.items():
        if player != work.player.number and game.status == "playing" and seat not in game.checked_in:
            who = work.post.player(player).name or Phrase(seat.capitalize())
            return Note("not-checked-in", {"who": who})
    return None


def record(work: HandlerContext, command: Record, number: int | None) -> None:
    """Send the game's record as the writer's seat knows it, or whoever watches."""
    game = find_game(work, command, number)
    if game is None:
        return
    here = work.post.standpoint(game, work.player.number)
    if here.seat is None:
        find_seat(work, command, game.number)  # says why there is none
        return
    text = game.rulebook.records.write(here.heard, record_head(work, game), here.seat)
    part = work.part(game.number)
    whole = with_comments(text, _comments(work, game, here), MOST_IN_A_LETTER)
    part.attachments.append(Attachment(f"game-{game.number}.txt", "text/plain", whole))
    work.took(command, game.number, Note("record", {"text": text}))


def _comments(work: HandlerContext, game: Game, here: Perspective) -> list[Comment]:
    """Return what a seat may read of all that stands beside the moves; whoever hears late, what was written or done
    before the last that he has heard of. (Turns do not tell that: they come again where some were taken back.)"""
    beside = work.unit.comments.beside_the_moves(game.number, game.rulebook)
    told = readable_by(here.seat, beside, over=game.status == "ended")
    return [each for each in told if not here.late or each.heard < len(here.heard)]


def why(work: HandlerContext, command: Why, number: int | None) -> None:
    """Explain what the writer's view says of a piece: at any time, and as often as he likes."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    explained = game.rulebook.presentation.explain(game.view(seat), command.subject)
    if isinstance(explained, Fault):
        work.fault(_about_the_line(explained, command), game.number)
        return
    note = Note("why", {"rulebook": game.rulebook.name, "why": explained})
    told = note in work.part(game.number).notes
    work.took(command, game.number, None if told else note)


def _about_the_line(fault: Fault, command: Why) -> Fault:
    """Return what is wrong with what was asked about as a fault of the line that asks."""
    return replace(
        fault,
        excerpt=command.line.text,
        place=Place(command.line.number, _place_of(command.subject.rpartition(" ")[2], command.line.text)),
        suggestion=replace(command, subject=fault.suggestion).write() if fault.suggestion else "",
    )


def _place_of(letter: str, text: str) -> int:
    """Return the column, from 1, of a word of one letter in a line; 1 where it does not stand by itself."""
    found = re.search(rf"(?<!\w){re.escape(letter)}(?!\w)", text, re.IGNORECASE)
    return found.start() + 1 if found else 1


def record_head(work: HandlerContext, game: Game) -> dict[str, str]:
    """Return the record's head lines that the rulebook does not know: who played, and the proof at the end."""
    names = {seat: work.post.player(who).name for seat, who in game.seats.items()}
    event, _ = work.post.event_of(game)
    head = {f"{seat.capitalize()}Name": name for seat, name in names.items() if name}
    head |= {"Event": event} if event else {}
    return head | game_options.record_head(game.options) | dict(game.proof)


def decided(
    work: HandlerContext, command: Command, game: Game, decision: Decision, note: Note | None
) -> None:
    """Let what was decided come to pass, and note it for the answer; or note the fault, as one of the whole line."""
    if decision.fault:
        place = Place(command.line.number, 1)
        work.fault(replace(decision.fault, excerpt=command.line.text, place=place), game.number)
        return
    work.happen(game, *decision.events)
    work.took(command, game.number, note)


def find_seat(
    work: HandlerContext, command: Command, number: int | None, *, running: bool = False, timely: bool = False
) -> tuple[Game, Seat] | None:
    """Return the game that is meant and the writer's seat in it. running: it must be neither over nor frozen; timely:
    nor may it have gone on while the letter was held."""
    running = running or timely
    game = find_game(work, command, number)
    if game is None:
        return None
    seat = game.seat_of(work.player.number)
    if seat is None:
        work.wrong(
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
        work.part(game.number).overtaken = True
    if running and game.status != "playing":
        work.wrong(command, "game-over", "game {game} is over", about=game.number, game=str(game.number))
        return None
    if running and game.frozen:
        place = Place(command.line.number, 1)
        work.fault(frozen_fault(game, command.line.text, place), game.number)
        return None
    if timely and too_late(work, command, game):
        return None
    return game, seat


def _would_do(work: HandlerContext, command: Command, number: int) -> bool:
    """Return whether a move would be ruled on in a game as it stands; any other command would do in each."""
    game = work.readable(number)
    seat = game.seat_of(work.player.number) if game else None
    if not isinstance(command, Order) or game is None or seat is None:
        return True
    line = OrderLine(command.line.number, in_record(work, game, seat, command.text))
    return decide_order(game, seat, line).fault is None


def _ask_which(work: HandlerContext, command: Command, playing: Sequence[int]) -> None:
    """Ask in which of the writer's games something is meant that would do in each: none of them is put forward, and
    what he wrote lies ready in a line for each. playing: their numbers, more than one."""
    lines, left_out = [], False
    for number in playing:
        game = work.readable(number)
        other = (
            next((who for who in game.seats.values() if who != work.player.number), None) if game else None
        )
        line = replace(command, game=number)
        if isinstance(line, Written) and len(line.write()) > LONGEST_SUGGESTION:
            line, left_out = replace(line, text="TEXT"), True
        who = work.post.player(other).name if other is not None else ""
        colour = next((seat for seat, each in game.seats.items() if each == other), "") if game else ""
        lines.append({"line": line.write(), "who": who or Phrase(colour.capitalize())})
        work.part(None).speaks_of += [other] if other is not None else []
    message = "you play several games, {games}, and this must say in which; nothing was done"
    work.wrong(command, "which-game", message, games=", ".join(map(str, playing)))
    text = command.text.splitlines() if isinstance(command, Written) and left_out else []
    work.part(None).notes.append(Note("which-game", {"asked": tuple(lines), "lines": tuple(text)}))


def find_game(work: HandlerContext, command: Command, number: int | None) -> Game | None:
    """Return the game that is meant, if it concerns the writer; else note what is wrong."""
    if number is None:
        playing = [row.number for row in work.unit.games.of_player(work.player.number, ("playing",))]
        if len(playing) != 1 or work.no_guess:
            if not playing:
                work.wrong(command, "which-game", "you have no game that is being played")
                return None
            if isinstance(command, Resign | Draw | Agree | Pause | Resume | Written):
                _ask_which(work, command, playing)
                return None
            fitting = next((each for each in playing if _would_do(work, command, each)), playing[0])
            work.wrong(
                command,
                "which-game",
                "you play several games, {games}: say which",
                suggestion=f"{fitting}: {command.line.text}",
                games=", ".join(map(str, playing)),
            )
            return None
        (number,) = playing
    game = named_game(work, number)
    me = work.player.number
    if game is not None and me in game.watchers and not game.concerns(me):
        if isinstance(command, Status | Record | Resend | NewTag):
            return game
        message = "you watch game {game} and do not play in it, so nothing was done"
        work.wrong(command, "only-watches", message, about=number, game=str(number))
        return None
    if game is not None and isinstance(command, Status | Record | Resend) and oversees(work.unit, game, me):
        work.post.admit(game, me)
        return game
    if game is None or not game.concerns(me):
        work.wrong(command, "not-your-game", "you do not sit in game {game}", game=str(number))
        return None
    return game
