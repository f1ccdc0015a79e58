"""What one move, one refusal and one look into an empty mailbox cost: counted, since times depend on the machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from jinja2 import Template
from sqlalchemy import Engine, event

from referee.commands.grammar import Grammar
from referee.games.game import Game
from referee.mail.message.reader import read_letter
from tests.support.begun import begun
from tests.support.operating import Desk
from tests.support.playing import Club

pytestmark = pytest.mark.telling

CALLS: Mapping[CodeType, str] = {
    Template.render.__code__: "templates",
    Game.after.__code__: "folds",
    read_letter.__code__: "letters read",
    Grammar.read_line.__code__: "lines parsed",
}
"""The functions whose calls are counted, and what they are counted as."""

ONE_LETTER = {"letters read": 1, "lines parsed": 2, "templates": 3, "folds": 0}
"""What any letter of one line may cost; a game that was read before is not folded again."""
A_MOVE = {"statements": 30, "templates": 10, "folds": 1, "bytes": 71_000}
"""It is told to both players."""


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the statements of all databases, and the calls of the functions above."""
    count: Counter[str] = Counter()

    def state(_connection: Any, _cursor: Any, _statement: str, *_others: Any) -> None:
        count["statements"] += 1

    def call(frame: FrameType, what: str, _argument: Any) -> None:
        if what == "call" and frame.f_code in CALLS:
            count[CALLS[frame.f_code]] += 1

    event.listen(Engine, "before_cursor_execute", state)
    before = sys.getprofile()
    sys.setprofile(call)
    try:
        yield count
    finally:
        sys.setprofile(before)
        event.remove(Engine, "before_cursor_execute", state)


def settled(club: Club, content: bytes) -> Counter[str]:
    """Return what it costs to take a letter in and to settle it; with the bytes of what is written."""
    with counted() as count:
        club.referee.letters.take_in([club.raw(content)])
        club.referee.letters.settle(club.last_letter())
    answers = club.collect()
    assert answers
    count["bytes"] = sum(len(each.content) for each in answers)
    return count


@pytest.mark.parametrize(
    ("line", "budget"),
    [
        pytest.param("L-E1", ONE_LETTER | A_MOVE, id="a move"),
        pytest.param("L-EE1", {"statements": 25, "bytes": 37_000} | ONE_LETTER, id="a refusal"),
        pytest.param("status", {"statements": 23, "bytes": 37_000} | ONE_LETTER, id="a question"),
    ],
)
def test_a_letter_costs_no_more_than_its_budget(
    club: Club, tmp_path: Path, line: str, budget: Mapping[str, int]
) -> None:
    """Given a game under way, as a service that has been at work for a while has it: it has met such a letter before.

    What a process keeps of one letter for the next (words that recur) does not depend on the tests that ran before.
    """
    anna, bert, _ = begun(club)
    anna.replies("L-S2")
    bert.replies("C-N2")
    letter = anna.reply(anna.last, [line])
    with closing(club.copy(tmp_path)) as other:
        settled(other, letter)
    spent = settled(club, letter)
    assert spent.keys() >= {"statements", "bytes", "letters read", "lines parsed", "templates"}, (
        "it is counted"
    )
    assert {what: number for what, number in spent.items() if number > budget.get(what, 0)} == {}


def test_a_look_into_an_empty_mailbox_costs_no_more_than_its_budget(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.done("init", "--offline")
    desk.new_game()
    desk.done("run", "--once")
    with counted() as count:
        desk.done("run", "--once")
    assert count.keys() == {"statements"}
    assert count["statements"] <= 63
