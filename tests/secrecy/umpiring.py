"""What an umpire does in two games side by side: the same act at the same hour in both, by letter or at the desk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from referee.common.durations import DAY
from referee.common.errors import UsageError
from referee.common.faults import Fault
from referee.games import umpire_actions
from referee.games.game import Game
from referee.games.take_backs import correct_order
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.fold import COURSE
from referee.rulebooks.spies.happenings import SEALED, read_sealed
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import Position
from tests.rulebooks.spies.tables import view_of

if TYPE_CHECKING:
    from tests.secrecy.agents import Room, SideBySide

REASON = "It was misread."
BY_LETTER = 0.6
"""How often an umpire writes who has an office in the event; else it is done at the desk."""


@dataclass(frozen=True)
class Action:
    """An act as it is done at the desk, and in words, as an umpire writes it."""

    what: umpire_actions.Act
    words: str


def umpire_acts(both: SideBySide) -> None:
    """Let an umpire do one thing or another in both games."""
    kinds = {
        "take back": (3, taking_back),
        "correct": (3, correcting),
        "restore": (1, lambda _: iter([Action(umpire_actions.Restore(), "restore 1")])),
        "put back": (3, putting_back),
        "act": (2, acting),
        "time": (2, keeping_time),
        "rule": (1, lambda _: iter([Action(umpire_actions.Rule(), "rule 1")])),
        "replace": (2, replacing),
        "freeze": (1, freezing),
    }
    kind = both.dice.choices([*kinds], [weight for weight, _ in kinds.values()])[0]
    for action in kinds[kind][1](both):
        do(both, action)
    both.acts.append(kind)


def do(both: SideBySide, action: Action) -> None:
    """Do an act in both games; what an operator is answered is the same in both."""
    by_letter = both.told.umpired and both.dice.random() < BY_LETTER
    means_it = both.dice.random() < 0.85
    both.at += 2 * both.an_hour
    answered = [_is_done(room, both, action, by_letter=by_letter, means_it=means_it) for room in both.rooms]
    both.at += both.an_hour
    assert answered[0] == answered[1], "letter to an operator: an act is refused in one of the two games"
    for room in both.rooms:
        room.seated_anew()


def _is_done(room: Room, both: SideBySide, action: Action, *, by_letter: bool, means_it: bool) -> str:
    if by_letter:
        room.umpire_writes(both.at, f"umpire {action.words}: {REASON}", means_it=means_it)
        return ""
    said = ""

    def how() -> None:
        nonlocal said
        try:
            room.club.referee.umpire.act(1, action.what, REASON)
        except UsageError as refused:
            said = str(refused)
        room.club.noted("An umpire acts.")

    room.does(both.at, how)
    return said


def taking_back(both: SideBySide) -> Iterator[Action]:
    """One turn, or two."""
    if (turn := _turn(both)) is not None:
        row, seat = turn
        yield Action(umpire_actions.TakeBack(row, seat), f"take back 1 to {row} {seat.capitalize()}")


def putting_back(both: SideBySide) -> Iterator[Action]:
    """A turn is taken back, and put back again; meanwhile the opponent has said something that holds on."""
    yield from taking_back(both)
    both.instructs()
    yield Action(umpire_actions.Restore(), "restore 1")


def _turn(both: SideBySide) -> tuple[int, Seat] | None:
    """Draw one of the newest turns that were closed."""
    stands = COURSE.standing(both.one.game.happenings)
    turns = [read_sealed(each) for each in stands if each.code == SEALED]
    if not turns or both.one.game.status != "playing":
        return None
    turn = both.dice.choice(turns[-2:])
    return turn.row, turn.seat


def correcting(both: SideBySide) -> Iterator[Action]:
    """Another move for one of the newest, which brings the same answers whoever is the double agent."""
    if (turn := _turn(both)) is None:
        return
    row, seat = turn
    for order in _moves(both.dice, both.one.position, seat, settled=both):
        corrected = [correct_order(room.game, order, REASON, None, row, seat) for room in both.rooms]
        found = [_played(room.game, each) for room, each in zip(both.rooms, corrected, strict=True)]
        answers = [both.answers_to(where) for where in found if where is not None]
        if len(answers) < len(found) or answers[0] == answers[1]:
            yield Action(
                umpire_actions.Correct(order, row, seat), f"correct 1 {row} {seat.capitalize()} {order}"
            )
            return


def _played(game: Game, events: tuple[object, ...] | Fault) -> Position | None:
    if isinstance(events, Fault):
        return None
    for event in events:
        game = game.after(event)  # type: ignore[arg-type]
    position: Position = game.position
    return position


def _moves(random: Random, where: Position, seat: Seat, *, settled: SideBySide) -> list[str]:
    """Draw some moves of a seat's, as it stands or would if it were its turn."""
    board = outlook(view_of(settled.settled(where), seat)).acted.board
    moves = list(possible_moves(board, seat))
    return [write_order(each) for each in random.sample(moves, min(len(moves), 6))]


def acting(both: SideBySide) -> Iterator[Action]:
    """A move in the name of whoever is to move: it opens the seal as time does."""
    seat = next(iter(both.one.game.due), None)
    if seat is None or not both.one.position.table.set_up:
        return
    both.says_what_is_answered()
    for order in _moves(both.dice, both.one.position, seat, settled=both):
        found = [
            _played(
                room.game,
                umpire_actions.decide_act(
                    room.game, umpire_actions.ActFor(seat, order), REASON, None, both.at
                ),
            )
            for room in both.rooms
        ]
        answers = [both.answers_to(where) for where in found if where is not None]
        if len(answers) < len(found) or answers[0] == answers[1]:
            yield Action(umpire_actions.ActFor(seat, order), f"act 1 {seat.capitalize()} {order}")
            return


def keeping_time(both: SideBySide) -> Iterator[Action]:
    """The clocks are stopped for a while, or time is given; refused where none is counted."""
    seat = both.dice.choice(list(both.one.game.seats))
    pause = Action(umpire_actions.Pause(), "pause 1")
    add = Action(umpire_actions.AddTime(2 * DAY, seat), f"add 1 {seat.capitalize()} 2d")
    resume = Action(umpire_actions.Resume(), "resume 1")
    yield from both.dice.choice(([pause], [resume], [add], [pause, resume], [add, resume]))


def replacing(both: SideBySide) -> Iterator[Action]:
    """Somebody else takes a seat, who has nothing to do with the game so far."""
    name = both.dice.choice([*both.comes_for])
    seat = both.seat_of(name)
    comes = both.one.mailboxes[both.comes_for[name]]
    both.at += both.an_hour
    for room in both.rooms:
        room.does(both.at, lambda room=room: room.comes(both.comes_for[name]))  # type: ignore[misc]
    (number,) = {room.number_of(both.comes_for[name]) for room in both.rooms}
    yield Action(umpire_actions.Replace(seat, number), f"replace 1 {seat.capitalize()} {comes.address}")


def freezing(both: SideBySide) -> Iterator[Action]:
    """Whoever runs the service stops the game, and lets it go on."""
    both.at += both.an_hour
    for room in both.rooms:
        room.does(both.at, lambda room=room: room.freezes())  # type: ignore[misc]
    both.asks()
    both.at += both.an_hour
    for room in both.rooms:
        room.does(both.at, lambda room=room: room.thaws())  # type: ignore[misc]
    yield from ()
