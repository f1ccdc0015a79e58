"""A letter's lines are read once, however many they are; again only where its game takes one otherwise."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType

import pytest

from referee.commands.command import Command
from referee.commands.grammar import Grammar
from referee.common.faults import Fault
from referee.mail.message.message import OwnLine
from referee.rulebooks.cards.notation import read_order
from tests.support.playing import Club
from tests.transcripts.stories_of_cards import anna_and_bert


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each line was read."""
    counted: Counter[str] = Counter()
    read_line = Grammar.read_line

    def counting(grammar: Grammar, line: OwnLine) -> Command | Fault | None:
        counted[line.text] += 1
        return read_line(grammar, line)

    monkeypatch.setattr(Grammar, "read_line", counting)
    return counted


def test_each_line_of_a_letter_about_a_game_is_read_once(club: Club, read: Counter[str]) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    read.clear()
    settled = anna.replies("L-S2", "status", "mute").settled
    assert settled is not None and settled.moves == 1
    assert read == {"L-S2": 1, "status": 1, "mute": 1}


def test_each_order_of_a_turn_is_read_once(club: Club, read: Counter[str]) -> None:
    anna, _, _ = anna_and_bert(club)
    read.clear()
    orders = ["MV RI1 A20", "MV RI2 A20", "MV RC1 A20", "GO RG BY RI1"]
    anna.replies(*orders)
    assert read == dict.fromkeys(orders, 1)


MANY_ORDERS = (
    *("MV RI1 A20", "MV RI2 A20", "MV RC1 A20", "GO RG BY RI1", "FI RA1.1 > BI2 | NEAR", "CO RI1 > BI2"),
    *("CO RI2 > BI1", "CO RC1 > BC1", "PR RI1 KILL NEAR", "PR RI2 KILL NEAR", "PR RC1 KILL NEAR"),
    *("PLAN 3 MV RI1 A20", "PLAN 3 MV RI2 A20", "PLAN 3 MV RC1 A20"),
)


@pytest.mark.parametrize("many", [1, 4, len(MANY_ORDERS)])
def test_how_often_an_order_is_read_by_its_notation_does_not_depend_on_how_many_there_are(
    club: Club, many: int
) -> None:
    """Once to put the letter's lines in order, once to rule, and once where its line is drafted."""
    anna, _, _ = anna_and_bert(club)
    orders = MANY_ORDERS[:many]
    read: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code is read_order.__code__:
            read[frame.f_locals["line"].text] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        anna.replies(*orders)
    finally:
        sys.setprofile(before)
    assert set(orders) <= set(read)
    assert max(read.values()) <= 3


def test_what_is_an_order_in_another_game_alone_is_read_again(club: Club, read: Counter[str]) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    read.clear()
    anna.replies("MV RI1 A20", "L-S2")
    assert read == {"MV RI1 A20": 2, "L-S2": 2}
    assert "MV RI1" not in bert.last.text
