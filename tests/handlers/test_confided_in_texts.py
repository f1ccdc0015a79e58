"""A sealed order never gets into a text for the opponent, whatever mark stands before it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.playing import Club, new_database

pytestmark = pytest.mark.letters

MARKS = (
    *(
        "{}",
        "({})",
        "(({}))",
        "*{}*",
        "=> {}",
        "①{}",
        "[1] {}",
        "1. {}",
        "1. 1. {}",
        "A) {}",
        "I. {}",
        "№1 {}",
    ),
    *(
        "1° {}",
        "1 - {}",
        "1/ {}",
        "Nr. 2 {}",
        "# {}",
        "#1 {}",
        "{}.",
        f"{20 * '-'} {{}}",
        f"{15 * '*'} {{}} {15 * '*'}",
    ),
)


@pytest.mark.parametrize(
    ("rules", "seats", "order"),
    [("spies", ("white", "red"), "agent never"), ("cards", ("red", "blue"), "MV RI1 A20")],
)
def test_an_order_for_the_referee_alone_is_not_passed_on(
    tmp_path: Path, rules: str, seats: tuple[str, str], order: str
) -> None:
    club = Club(new_database(tmp_path))
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts(dict(zip(seats, (anna, bert), strict=True)), rules=rules, first=seats[0])
    for mark in MARKS:
        club.clock.at += timedelta(hours=3)  # only so much is passed on in an hour
        written = anna.replies("press Good luck!", mark.format(order), to=anna.last_about(game))
        heard = [letter for letter in written.sent if letter.recipient == bert.address]
        assert [order in letter.text for letter in heard if "Good luck!" in letter.text] == [False], mark
    club.close()
