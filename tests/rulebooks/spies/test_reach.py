"""Where own spies can go: what the board marks, with the double agent in mind."""

from __future__ import annotations

from referee.rulebooks.confusion.reach import Reach, reach_by
from referee.rulebooks.spies.deduction import mine
from referee.rulebooks.spies.edition import RED
from referee.rulebooks.spies.position import Position
from tests.rulebooks.spies.tables import play, position, view_of


def marked(where: Position, letter: str) -> list[Reach]:
    view = view_of(where, RED)
    return [each for each in reach_by(view, lambda: mine(view)) if each.letter == letter]


def begun() -> Position:
    return position(red={"A": (2, 2), "X": (10, 2)}, white={"A": (2, 10), "C": (6, 10), "X": (10, 10)})


def test_who_can_be_the_double_agent_goes_for_certain_nowhere() -> None:
    where, _ = play(begun(), "A-N4", "A-E1")
    assert [(each.direction, each.known) for each in marked(where, "A")] == [("N", False)] * 4
    where, _ = play(begun(), "A-N4", "#xX; A-E1")
    assert [(each.direction, each.known) for each in marked(where, "A")] == [("N", True)] * 4


def test_where_the_double_agent_goes_is_not_marked() -> None:
    where, _ = play(begun(), "X-N1", "allow; A-E1", "X-N1", "deny; A-E1")
    assert mine(view_of(where, RED)).certain("X") == 13
    assert marked(where, "X") == []
