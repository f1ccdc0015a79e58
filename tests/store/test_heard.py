"""Letters that did something in a game: what is told of them, on both databases, and what is left when their writer
leaves."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select

from referee.mail.message.message import OwnLine
from referee.store.database import Store
from referee.store.departures import forget_player
from referee.store.tables import HEARD
from referee.store.values import Heard
from tests.store.scenery import NOON, letter, start_game

HOUR = timedelta(hours=1)


def lines(*texts: str) -> list[OwnLine]:
    return [OwnLine(number, text) for number, text in enumerate(texts, 1)]


def keep(store: Store, player: int, game: int, dated: datetime | None, *texts: str) -> int:
    """Take a letter in, and keep that it did something in a game."""
    with store.reading() as lookup:
        taken_in = len(lookup.letters.newest(1000))
    (number,) = store.incoming.record([letter(f"heard-{taken_in}", b"Subject: %d\r\n\r\n" % taken_in)])
    with store.unit() as unit:
        unit.letters.mark_heard(number, player, game, dated, lines(*texts))
    return number


def test_a_letter_is_held_against_its_writers_others_in_the_game(store: Store) -> None:
    game, anna, bert = start_game(store)
    first = keep(store, anna, game, NOON, "L-S2")
    keep(store, anna, game, NOON + 2 * HOUR, "K-S1", "draw")
    keep(store, anna, game, NOON + 9 * HOUR, "E-S1")
    keep(store, bert, game, NOON + 3 * HOUR, "L-S2")
    keep(store, anna, game, None, "A-S1")
    with store.reading() as lookup:

        def heard(dated: datetime | None, *texts: str) -> Heard:
            return lookup.letters.heard(anna, game, dated, lines(*texts), NOON + 5 * HOUR)

        newest = NOON + 2 * HOUR
        assert heard(NOON + HOUR, "C-S1") == Heard(newest, None, said=False, undated=False)
        assert heard(NOON + HOUR, "L-S2") == Heard(newest, None, said=True, undated=False)
        assert heard(NOON, "L-S2") == Heard(newest, first, said=True, undated=False)
        assert heard(None, "L-S2") == Heard(newest, None, said=True, undated=False)
        assert heard(NOON, "A-S1") == Heard(newest, None, said=False, undated=True)
        assert heard(NOON, "K-S1") == Heard(newest, None, said=False, undated=False), (
            "these are not all its lines"
        )
        assert heard(NOON, "draw", "K-S1") == heard(NOON, "K-S1")
        assert lookup.letters.heard(bert, game, NOON, lines("E-S1"), NOON) == Heard(None, None, False, False)
        assert lookup.letters.heard(anna, game + 1, NOON, lines("L-S2"), NOON) == Heard(
            None, None, False, False
        )


@pytest.mark.parametrize("text", ["", "\x00", "\udc80", "é" * 5000])
def test_any_line_can_be_kept_and_is_known_again(store: Store, text: str) -> None:
    game, anna, _ = start_game(store)
    number = keep(store, anna, game, NOON, text)
    with store.reading() as lookup:
        assert lookup.letters.heard(anna, game, NOON, lines(text), NOON).same == number


def test_whoever_leaves_leaves_nothing_of_it(store: Store) -> None:
    game, anna, bert = start_game(store)
    number = keep(store, anna, game, NOON, "L-S2")
    keep(store, bert, game, NOON, "L-S2")
    with store.unit() as unit:
        forget_player(unit, anna, letter=number)
    with store.unit() as unit:
        assert unit._transaction.connection.execute(
            select(func.count(), HEARD.c.player).group_by(HEARD.c.player)
        ).all() == [(1, bert)]


def test_a_letter_whose_content_came_later_is_known_by_its_words_too(store: Store) -> None:
    content = b"Date: Mon, 2 Mar 2026 12:00:00 +0000\r\nMessage-ID: <%s@x>\r\n\r\nL-S2\r\n"
    (number,) = store.incoming.record([letter("late", None)])
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="set-aside")
    assert store.incoming.record([letter("late", content % b"1")]) == [number]
    with store.unit() as unit:
        unit.letters.conclude(number, outcome="ruled")
    (again,) = store.incoming.record([letter("again", content % b"2")])
    with store.reading() as lookup:
        found = lookup.letters.with_same_text(again, ("ruled", "answered"), (), 8)
    assert [each.number for each in found] == [number]
