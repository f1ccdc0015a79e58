"""A letter's lines are read once, however many they are; again only where its game takes one otherwise."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.commands.command import Command
from referee.commands.grammar import Grammar
from referee.common.faults import Fault
from referee.mail.message.message import OwnLine
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


def test_what_is_an_order_in_another_game_alone_is_read_again(club: Club, read: Counter[str]) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    read.clear()
    anna.replies("MV RI1 A20", "L-S2")
    assert read == {"MV RI1 A20": 2, "L-S2": 2}
    assert "MV RI1" not in bert.last.text
