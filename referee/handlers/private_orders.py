"""Orders that nobody else hears of: the sequence in which a letter's are carried out, and the note to their writer.

They leave the writer's turn open. No letter, number or clock shows anybody else that there were any.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.commands.command import Command, Decline, Order, Try
from referee.commands.free_text import before_move
from referee.common.faults import Fault
from referee.games.events import Confided, Ruled
from referee.games.game import Game
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import in_record, opponent
from referee.reports.report import Note
from referee.rulebooks.rulebook import OrderLine, Rulebook


def is_confided(rulebook: Rulebook, text: str) -> bool:
    """Return whether a line is an order in words that others must not read, or was meant as one."""
    said = before_move(text)  # "allow" of "allow V-N1"
    if rulebook.drafts is not None:
        return rulebook.notation.looks_like_order(text)
    return (
        rulebook.sealed is not None
        and bool(said)
        and all(map(rulebook.notation.looks_like_order, (text, said)))
    )


def as_meant(work: HandlerContext, commands: Sequence[Command], number: int | None) -> list[Command]:
    """Return a letter's commands as they are meant, in the order in which they are carried out.

    number: the letter's own game.
    """
    return _confided_first(work, _as_orders(work, commands, number), number)


def _as_orders(work: HandlerContext, commands: Sequence[Command], number: int | None) -> list[Command]:
    """Return a letter's commands, with a word that declines read as an order where one is due.

    A language may have one word for both. A player with an open invitation declines that.

    number: the letter's own game.
    """
    me = work.request.player.number
    if not any(isinstance(each, Decline) for each in commands) or any(
        row.proposed_to == me for row in work.unit.games.of_player(me, ("proposed",))
    ):
        return list(commands)
    return [_order_meant(work, each, number) if isinstance(each, Decline) else each for each in commands]


def _order_meant(work: HandlerContext, command: Decline, number: int | None) -> Command:
    """Return the order that a declining line may also be, where it is possible; otherwise the command unchanged."""
    game = _meant(work, command, number)
    seat = game.seat_of(work.request.player.number) if game is not None and game.status == "playing" else None
    word = command.line.text.rpartition(":")[2].split()[:1]
    if game is None or seat is None or not word or game.rulebook.sealed is None:
        return command
    line = OrderLine(command.line.number, word[0])
    read = game.rulebook.rules.read_orders(game.view(seat), [line])
    if read.faults or not read.orders:
        return command
    return Order(line=command.line, game=command.game, text=word[0])


def _confided_first(work: HandlerContext, commands: Sequence[Command], number: int | None) -> list[Command]:
    """Return a letter's commands with the orders that leave a turn open moved before the first that ends or plans it.

    An answer is often written below the move, and CHECK above the lines that it is about.

    number: the letter's own game.
    """
    ends: dict[int, int] = {}
    early: list[tuple[int, Command]] = []
    for place, command in enumerate(commands):
        if not isinstance(command, Order | Try):
            continue
        game = _meant(work, command, number)
        if game is None or (game.rulebook.sealed is None and game.rulebook.drafts is None):
            continue
        drafts = game.rulebook.drafts
        seat = game.seat_of(work.request.player.number)
        if isinstance(command, Try) or seat is None:
            ends.setdefault(game.number, place)
            continue
        read = game.rulebook.notation.read(OrderLine(1, in_record(work, game, seat, command.text)))
        if isinstance(read, Fault):
            if drafts is None:
                ends.setdefault(game.number, place)
        elif game.rulebook.rules.is_turn(read) or (drafts is not None and drafts.keeps_back(read)):
            ends.setdefault(game.number, place)
        elif game.number in ends:
            early.append((ends[game.number], command))
    moved = [command for _, command in early]
    found: list[Command] = []
    for place, command in enumerate(commands):
        found += (each for before, each in early if before == place)
        if not any(command is each for each in moved):
            found.append(command)
    return found


def _meant(work: HandlerContext, command: Command, number: int | None) -> Game | None:
    """Return the game that a command is about, as `find_game` finds it, but None for a fault."""
    number = command.game if command.game is not None else number
    if number is None:
        playing = work.unit.games.of_player(work.request.player.number, ("playing",))
        number = playing[0].number if len(playing) == 1 else None
    return work.games.readable(number) if number is not None else None


def note_confided(work: HandlerContext, game: Game) -> None:
    """Add a note on the orders that nobody else hears of, where the writer's turn goes on."""
    part, seat = work.outcome.of(game.number), game.seat_of(work.request.player.number)
    mine = [each for each in part.events if isinstance(each, Confided | Ruled) and each.seat == seat]
    if seat is None or game.status != "playing" or not mine or any(isinstance(each, Ruled) for each in mine):
        return
    facts = {
        "orders": tuple(each.order for each in mine),
        "due": seat in game.due and not part.faults,  # any faults are reported nearby
        "moved": any(isinstance(each, Confided) and each.moved for each in mine),
        "who": opponent(work, game, seat),
    }
    part.notes.insert(0, Note("confided", facts))
