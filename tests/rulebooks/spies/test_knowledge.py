"""What letters show of sheets and lessons of thirteen types, before it is put into words (CF-7, CF-10)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.knowledge import WIDTH, Knowledge, Types
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.rulebook import Happening, Seat
from referee.rulebooks.spies.deduction import evidence_of, mine, revealed, theirs
from referee.rulebooks.spies.edition import RED, SEATS, Variants
from referee.rulebooks.spies.fold import COURSE
from referee.rulebooks.spies.knowledge import make_knowledge, sheets_after
from tests.rulebooks.spies.games import game_by
from tests.rulebooks.spies.small import drawn_game, steps
from tests.rulebooks.spies.tables import (
    ALL_TOKENS,
    folded,
    heard_by,
    opened,
    play,
    say,
    view_after,
    view_of,
)

TABLE = default_table()
BEGUN = opened(Variants(tokens=ALL_TOKENS))
"""All tokens, and the types of IDENTITY on both sides: A1, C2, E3, H4, K5 … X13."""


def game(*turns: str) -> list[Happening]:
    """Return all that happened in a game of these turns."""
    _, found = play(folded(BEGUN), *turns)
    return [*BEGUN, *found]


def shown(happenings: Sequence[Happening], seat: Seat = RED, told: int = 0) -> Knowledge:
    """Return what a letter shows a seat. told: the happenings of which an earlier letter told."""
    heard = heard_by(happenings, seat)
    before = len(heard_by(happenings[:told], seat))
    knowledge = make_knowledge(view_after(happenings, seat), heard, before)
    assert knowledge is not None
    return knowledge


def types(*numbers: int) -> Types:
    return Types(map(TABLE.row, numbers))


def test_the_double_agent_is_called_by_a_question_mark() -> None:
    (line,) = shown(game("X-N1", "allow; A-S1", "X-N1", "deny; H-S1", "A-N1")).mine.told[-1:]
    assert (line.letter, line.certain, line.signs[-1], line.cells[-1]) == ("X", True, "?", 13)
    assert line.left.agent == TABLE.double_agent
    assert line.left.regular == ()
    assert types(11, 12, 13).runs == (("11", "11"), ("12", "12"), ("?", "?"))
    assert types(10, 11, 12, 13).runs == (("10", "12"), ("?", "?"))
    assert types(1, 2).agent is None


def test_a_drawing_shows_types_by_their_numbers_and_the_double_agent_by_his_sign() -> None:
    drawing = shown(game("H-N1", "A-S1")).mine.drawing()
    assert drawing == (" H  1 2 3 4 5 6 7 . . .  .  .  ?",)
    proved = shown(game("X-N1", "allow; A-S1", "X-N1", "deny; H-S1", "A-N1")).mine.drawing()
    assert " X  ? Double Agent" in proved
    assert all(len(line) <= WIDTH for line in proved)


def test_a_contradiction_is_learned_as_one() -> None:
    happenings = game("X-N1", "allow; A-S1", "X-N1", "deny; H-S1", "A-N1")
    first, second = [each for each in shown(happenings).learned[RED] if each.letter == "X"]
    assert first.against is None
    assert second.against is not None
    assert (second.against.text, second.against.answer, second.answer) == ("X-N1", True, False)
    assert second.left == types(13)
    assert second.nobody_else == types(13)


def test_what_is_possible_or_the_double_agent_is_told_as_both() -> None:
    (learned,) = shown(game("H-N1", "A-S1")).learned[RED]
    assert learned.left == types(1, 2, 3, 4, 5, 6, 7, 13)
    assert learned.ruled_out == types(8, 9, 10, 11, 12)
    assert (learned.by, learned.answer) == ("answer", True)


def test_cf_10_9_what_was_revealed_is_learned_and_told_once() -> None:
    where, _ = say(folded(BEGUN), "?H")
    confided = [*BEGUN, *say(folded(BEGUN), "?H")[1]]
    (learned,) = shown(confided, told=len(BEGUN)).learned[RED]
    assert (learned.by, learned.text, learned.letter, learned.left) == ("reveal", "?H", "H", types(4))
    assert shown(confided, WHITE).learned == {}
    closed = [*confided, *say(where, "A-N1")[1]]
    assert shown(closed, told=len(confided)).learned == {}, "his own letter told it"
    (learned,) = shown(closed, WHITE, told=len(confided)).learned[RED]
    assert (learned.by, learned.left) == ("reveal", types(4))


def test_cf_10_5_an_unmasking_is_learned() -> None:
    happenings = game("H-N1", "#xX; A-S1")
    learned = shown(happenings).learned[RED]
    assert [(each.by, each.text, each.letter) for each in learned] == [
        ("answer", "H-N1", "H"),
        ("unmasked", "#xX", "X"),
    ]
    assert learned[-1].left == types(13)
    assert shown(happenings).mine.marks == "ACEHKLNOPSTV[X]"


def test_letters_are_marked_that_were_captured_promoted_or_removed() -> None:
    happenings = game("#T; H-N1", "A-S1")
    assert shown(happenings).mine.marks == "ACEHKLNOPS[T]VX"
    assert shown(happenings, WHITE).theirs.marks == "ACEHKLNOPS[T]VX"
    assert shown(happenings).mine.untouched[-3:] == ("[T]", "V", "X")


def test_what_was_taken_back_is_no_news_and_all_that_follows_is() -> None:
    happenings = game("H-N1", "A-S1", "H-N1", "A-S1")
    assert [each.row for each in shown(happenings).learned[RED]] == [1, 2]
    back = taken_back(Return(1, WHITE, "a slip"), SEATS)
    again = [*happenings, back]
    assert shown(again, told=len(happenings)).learned == {}
    anew = folded(COURSE.standing(again))
    _, found = play(anew, "A-S1")
    told = shown([*again, *found], told=len(happenings)).learned
    assert [(each.letter, each.row) for each in told[RED]] == [("H", 1)]


def test_a_game_without_sheets_shows_none() -> None:
    happenings = opened(Variants(), options={"sheets": "off"})
    assert make_knowledge(view_after(happenings, RED), heard_by(happenings, RED), 0) is None


@pytest.mark.telling(seed=range(2))
@pytest.mark.parametrize("seed", range(6))
def test_both_seats_are_shown_the_same_two_sheets_and_an_umpire_too(seed: int) -> None:
    variants = Variants(comrade=bool(seed % 2), tokens=ALL_TOKENS)
    happenings = game_by(Random(seed), variants, 40)
    where = folded(happenings)
    views = {seat: view_after(happenings, seat) for seat in SEATS}
    own = sheets_after(where.table, {seat: where.confided[seat].shown for seat in SEATS})
    closed = sheets_after(
        where.table, {seat: revealed(where.table, seat, where.deals[seat]) for seat in SEATS}
    )
    for seat in SEATS:
        other = where.table.board.edition.other(seat)
        knowledge = make_knowledge(views[seat], heard_by(happenings, seat), 0)
        assert knowledge is not None
        assert knowledge.mine.plain() == own[seat].plain()
        assert knowledge.theirs.plain() == closed[other].plain()
        if where.confided[seat].action is None:
            assert own[seat].plain() == closed[seat].plain()
            assert mine(views[seat]) == theirs(views[other])


@pytest.mark.parametrize("seed", range(500, 510))
def test_what_is_told_letter_by_letter_adds_up_to_the_sheet(seed: int) -> None:
    """Each letter tells what was learned since the one before; together they rule out what the sheets do."""
    random, where = drawn_game(seed, 4)
    left = {
        (reader, seat): {letter: set(range(1, len(where.deals[seat]) + 1)) for letter in where.deals[seat]}
        for reader in SEATS
        for seat in SEATS
    }
    told = {(reader, seat): 0 for reader in SEATS for seat in SEATS}
    for step in steps(random, where, 25):
        where = step.after
        for reader in SEATS:
            for seat in SEATS:
                said = evidence_of(view_of(where, reader), seat)
                since = told[reader, seat]
                for lesson in said.lessons(since):
                    for letter, gone in lesson.closed.items():
                        assert set(gone) <= left[reader, seat][letter], "nothing is told twice"
                        left[reader, seat][letter] -= set(gone)
                told[reader, seat] = max([since, *(clue.place + 1 for clue in said.clues)])
                found = {letter: tuple(sorted(each)) for letter, each in left[reader, seat].items()}
                assert found == said.sheet.open
