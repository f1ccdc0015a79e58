"""Whole games as letters play them: lines are read, ruled on and folded, for the tests."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import reduce

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.cards.adjudicate import adjudicate
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.fold import COURSE, fold_position, fold_view
from referee.rulebooks.cards.options import opening
from referee.rulebooks.cards.position import Position, View
from referee.rulebooks.cards.questions import due
from referee.rulebooks.cards.reading import read_orders
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Happening, OrderLine, Seat
from tests.rulebooks.cards.battles import random_orders, random_wish

SECRET = bytes(range(32))


class Play:
    """A game that is being played. happenings: all so far."""

    def __init__(self, options: Mapping[str, str] | None = None, secret: bytes = SECRET) -> None:
        self.chance = Chance(secret)
        self.happenings: list[Happening] = list(opening(options or {}, self.chance))
        self.stand_anew()

    def stand_anew(self) -> None:
        """Fold the position from what happened; what was taken back is left out."""
        position = reduce(fold_position, COURSE.standing(self.happenings), None)
        assert position is not None
        self.position: Position = position

    def told(self, news: Sequence[Happening]) -> None:
        """Let things happen, whether an order brings them or not."""
        self.happenings += news
        self.position = reduce(fold_position, news, self.position)

    def heard(self, seat: Seat) -> list[Happening]:
        return [each for each in self.happenings if seat in each.heard_by]

    def view(self, seat: Seat) -> View:
        return fold_view(self.heard(seat), seat)

    @property
    def due(self) -> list[Seat]:
        return list(due(self.position))

    def say(self, seat: Seat, *lines: str) -> list[Happening]:
        """Send lines that must be taken, one after the other; return what they brought."""
        brought: list[Happening] = []
        for line in lines:
            fault, news = self.attempt(seat, line)
            assert fault is None, (line, fault.reason())
            brought += news
        return brought

    def fault(self, seat: Seat, line: str) -> str:
        """Return the code of the fault of a line that must not be taken."""
        fault, _ = self.attempt(seat, line)
        assert fault is not None, line
        return fault.code

    def attempt(self, seat: Seat, line: str) -> tuple[Fault | None, list[Happening]]:
        """Send a line; return its fault, or what it brought."""
        reading = read_orders(self.view(seat), [OrderLine(1, line)])
        if reading.faults:
            return reading.faults[0], []
        (order,) = reading.orders
        news = list(adjudicate(self.position, seat, order, self.chance))
        self.told(news)
        return None, news

    def begin(self, red: Sequence[str] = (), blue: Sequence[str] = ()) -> Seat:
        """Set both sides up; return who moves first."""
        for seat, lines in zip(SIDES, (red, blue), strict=True):
            self.say(seat, *lines, "CARRY OUT")
        first = self.position.table.first
        assert first is not None
        return first

    def turn(self, *lines: str) -> list[Happening]:
        """Play the turn of the side that is active; nothing where there are no lines."""
        return self.say(self.position.battle.active, *lines, "CARRY OUT" if lines else "PASS")


def random_game(seed: int, options: Mapping[str, str] | None = None, turns: int = 6) -> Play:
    """Play a game by lot: set-ups as they lie, wishes, plans, questions, orders sensible and foolish."""
    lot = random.Random(seed)
    play = Play(options, lot.randbytes(32))
    for seat in SIDES:
        if lot.random() < 0.5:
            play.attempt(seat, write_order(random_wish(play.position.battle, seat, lot)))
    play.begin()
    for _ in range(2 * turns):
        if not play.due:
            break
        seat = play.due[0]
        if play.position.table.chooser is not None:
            asked = play.view(seat).own.asked
            assert asked is not None
            play.say(seat, lot.choice(asked["forms"]))
            continue
        for order in random_orders(play.position.battle, seat, lot):
            play.attempt(seat, write_order(order))
        if play.view(seat).own.draft:
            play.say(seat, "CARRY OUT")
        else:
            play.say(seat, "PASS")
    return play
