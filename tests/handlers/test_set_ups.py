"""Letters while the sides are being set up: what is in stands, and no word keeps an order for a turn yet (CF-10.11)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rulebooks.rulebook import OBSERVER
from tests.support.begun import said
from tests.support.playing import Club
from tests.transcripts.stories_of_spies import anna_and_bert

pytestmark = pytest.mark.telling

A_SET_UP = "setup A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"
ANOTHER = A_SET_UP.replace("A3-2", "A6-1").replace("X6-1", "X3-2")
STANDS = "your set-up is in, and stands; the game begins when the other side's is in as well"
FIRST = "first both sides arrange their spies; then the first turn begins"


@pytest.mark.telling(line=["A-N1", "pass"], together=[False])
@pytest.mark.parametrize(
    ("line", "why"),
    [
        (A_SET_UP, STANDS),
        (ANOTHER, STANDS),
        ("A-N1", FIRST),
        ("#A", FIRST),
        ("allow", FIRST),
        ("pass", FIRST),
    ],
)
@pytest.mark.parametrize("together", [False, True])
def test_whoever_is_set_up_is_told_what_stands_and_not_to_wait_for_a_turn(
    club: Club, line: str, why: str, together: bool
) -> None:
    anna, bert, game = anna_and_bert(club, **{"variable-setup": "on"})
    if together:
        bert.replies(A_SET_UP, line, to=bert.last_about(game))
    else:
        bert.replies(A_SET_UP, to=bert.last_about(game))
        bert.replies(line, to=bert.last_about(game))
    if line != A_SET_UP or not together:  # the same again in one letter asks for nothing
        assert why in said(bert.last_about(game))
    assert "with the word try" not in said(bert.last_about(game))
    begun = anna.replies(A_SET_UP, to=anna.last_about(game))
    assert begun.settled and begun.settled.outcome == "ruled"


BEGINNINGS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "confusion": ("white", "yellow", {}),
    "spies": ("white", "red", {"variable-setup": "on"}),
    "cards": ("red", "blue", {"scenario": "cc-standard"}),
}
"""Who begins, the other side, and what is agreed, so that a set-up goes before the first turn, if a game has one."""


@pytest.mark.telling(late=[2])
@pytest.mark.parametrize("rules", [*BEGINNINGS])
@pytest.mark.parametrize("late", [1, 2, 9])
def test_whoever_watches_late_sees_the_beginning_while_no_turn_has_come(
    club: Club, rules: str, late: int
) -> None:
    first, other, agreed = BEGINNINGS[rules]
    anna, bert, carl = (club.member(name) for name in ("Anna", "Bert", "Carl"))
    game = club.starts({first: anna, other: bert}, rules=rules, first=first, watchers=str(late), **agreed)
    assert carl.writes(f"watch {game}").only.kind == "report"
    for lines in (["status"], ["record"], ["games"]):
        assert carl.replies(*lines, to=carl.last_about(game)).only.kind in ("report", "receipt")
    now = club.game(game)
    assert now.heard_late(late) == now.heard(OBSERVER)
    if rules == "spies":
        bert.replies(A_SET_UP, to=bert.last_about(game))
        anna.replies(A_SET_UP, to=anna.last_about(game))
        assert carl.replies("status", to=carl.last_about(game)).only.kind == "report"
