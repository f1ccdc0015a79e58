"""What was taken back is nobody's news and nobody's knowledge, and tells a seat nothing that it has not heard."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from referee.rulebooks.branches import TAKEN_BACK, Return, taken_back
from referee.rulebooks.confusion.compass import WHITE, YELLOW
from referee.rulebooks.confusion.happenings import BOTH
from referee.rulebooks.confusion.notation import read_move
from referee.rulebooks.confusion.position import Position
from referee.rulebooks.rulebook import Happening, Seat
from tests.rulebooks.confusion.boards import CONFUSION
from tests.secrecy.truths import NO_CHANCE, two_truths
from tests.support.telling import telling


def truth(log: Sequence[Happening]) -> Position:
    position: Position | None = None
    for each in CONFUSION.rules.standing(log):
        position = CONFUSION.rules.fold(position, each)
    assert position is not None
    return position


def played(deal: str, moves: Sequence[str], returns: Sequence[tuple[int, Return]] = ()) -> list[Happening]:
    """Return all happenings of a game that White begins. returns: behind how many attempts the game was taken back."""
    log = list(CONFUSION.rules.opening({"first": "white", "deal": deal}, NO_CHANCE))
    for count, text in enumerate(moves, 1):
        position = truth(log)
        move = read_move(text)
        log += CONFUSION.rules.adjudicate(position, position.board.to_move, move, NO_CHANCE)  # type: ignore[arg-type]
        log += [taken_back(back, BOTH) for after, back in returns if after == count]
    return log


def heard(log: Sequence[Happening], seat: Seat) -> list[Happening]:
    return [each for each in log if seat in each.heard_by]


DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


def test_news_are_those_that_stand_and_were_not_told() -> None:
    log = heard(played(DEAL, ["L-S2", "A-N1", "A-S1", "K-N1"], [(3, Return(2, YELLOW, "a slip"))]), YELLOW)
    view = CONFUSION.rules.view(log, YELLOW)
    backed = next(place for place, each in enumerate(log) if each.code == TAKEN_BACK)
    assert [each.text for each in view.board.attempts] == ["L-S2", "K-N1"]
    for told, news in (
        (0, ["L-S2", "K-N1"]),
        (2, ["L-S2", "K-N1"]),
        (3, ["K-N1"]),
        (backed, ["K-N1"]),
        (backed + 1, ["K-N1"]),
        (len(log), []),
    ):
        assert [each.text for each in CONFUSION.presentation.scene(view, log, told).news] == news, told


def test_sheets_count_no_answer_that_was_taken_back() -> None:
    """Though the answer was true: sheets are those of the game as it stands, which its record shows again."""
    once = heard(played(DEAL, ["L-S2"]), WHITE)
    more = heard(played(DEAL, ["L-S2", "A-N1", "A-S1"], [(3, Return(2, YELLOW, "a slip"))]), WHITE)
    assert CONFUSION.presentation.data(CONFUSION.rules.view(more, WHITE)) == CONFUSION.presentation.data(
        CONFUSION.rules.view(once, WHITE)
    )


@pytest.mark.parametrize("seed", telling(range(6), others=range(6, 60)))
def test_two_truths_that_a_seat_cannot_tell_apart_stay_so_over_what_is_taken_back(seed: int) -> None:
    """The same attempts, taken back at the same places and made again, are heard alike; and so is their record."""
    truths, random = two_truths(seed, 24), Random(seed)
    moves = [text for _, text in truths.turns]
    returns: list[tuple[int, Return]] = []
    again = list(moves)
    for _ in range(2):
        after = random.randint(1, len(again))
        # White begins: the attempt at place 0 is White's in row 1, that at place 1 Yellow's in row 2.
        stands = standing_after(again, returns, after)
        to = random.randrange(len(stands))
        returns.append((after, Return(1 + (to + 1) // 2, (WHITE, YELLOW)[to % 2], "a slip")))
        again[after:after] = stands[to:]
        returns = [(at + len(stands) - to if at > after else at, back) for at, back in returns]
    logs = [heard(played(deal, again, returns), truths.watched) for deal in truths.deals]
    shown = [[each for each in log if each.code != "revealed"] for log in logs]
    assert shown[0] == shown[1]
    if logs[0] == logs[1]:
        records = [CONFUSION.records.write(log, {}, truths.watched) for log in logs]
        assert records[0] == records[1]
        assert CONFUSION.records.replay(records[0]).errors == ()


def standing_after(moves: Sequence[str], returns: Sequence[tuple[int, Return]], count: int) -> list[str]:
    """Return the attempts that stand behind so many attempts."""
    stands: list[str] = []
    for at, text in enumerate(moves[:count], 1):
        stands.append(text)
        for after, back in returns:
            if after == at and at < count:
                del stands[2 * (back.turn - 1) - (back.seat == YELLOW) :]
    return stands
