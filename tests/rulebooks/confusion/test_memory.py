"""Answers that are remembered: the same for the same values, and never another's."""

from __future__ import annotations

from referee.common.chance import Chance
from referee.rulebooks.confusion.fold import fold_board
from referee.rulebooks.confusion.memory import remembered
from referee.rulebooks.confusion.table import default_table, table_from
from tests.rulebooks.confusion.boards import CONFUSION, uniform_table


def test_an_answer_is_given_again_for_the_very_same_values_and_for_no_others() -> None:
    asked: list[tuple[tuple[int, ...], str]] = []

    @remembered(2)
    def ask(numbers: tuple[int, ...], seat: str) -> int:
        asked.append((numbers, seat))
        return len(asked)

    some = (1, 2)
    equal = tuple(sorted(some))
    assert [ask(some, "white"), ask(some, "white"), ask(some, "yel" + "low"), ask(some, "yellow")] == [
        1,
        1,
        2,
        2,
    ]
    assert ask(equal, "white") == 3, "equal is not the same"
    assert ask(some, "white") == 4, "only the last two are remembered"


def test_the_truth_and_both_views_share_their_board() -> None:
    position, views = None, dict.fromkeys(CONFUSION.seats)
    for happening in CONFUSION.rules.opening({}, Chance(bytes(32))):
        position = CONFUSION.rules.fold(position, happening)
        for seat in happening.heard_by:
            views[seat] = CONFUSION.rules.hear(views[seat], happening, seat)
    assert position is not None
    for view in views.values():
        assert view is not None
        assert view.board is position.board


def test_two_games_that_stand_alike_never_get_each_others_boards() -> None:
    games = [CONFUSION.rules.opening({"first": first}, Chance(bytes(32))) for first in ("white", "yellow")]
    boards = [fold_board(None, game[0]) for game in (*games, *games)]
    assert [board.first for board in boards] == ["white", "yellow", "white", "yellow"]


def test_equal_tables_are_read_back_as_one_and_others_as_their_own() -> None:
    table, other = default_table().plain(), uniform_table(2, "F").plain()
    read = [table_from(each) for each in (table, other, default_table().plain(), dict(other))]
    assert read[0] is read[2]
    assert read[1] is read[3]
    assert read[0] == default_table() != read[1]
