"""Games whose newest letters reached none of their players."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.store.database import Store
from referee.store.undelivered import Unreached
from tests.store.scenery import NOON, report, start_game

TOO_BIG = "552 5.3.4 too big"


def unreached(store: Store) -> list[int]:
    with store.reading() as lookup:
        found = [each.game for each in lookup.deliveries.unreached()]
    assert store.status.load().unreached == len(found)
    assert [each.which for each in store.status.standing().unreached] == [str(game) for game in found]
    return found


@pytest.fixture
def seats(store: Store) -> tuple[int, int, int]:
    """A game, and its two players."""
    return start_game(store)


def write(store: Store, game: int, *players: int, number: int = 1) -> None:
    with store.unit() as unit:
        for player in players:
            name, who = f"{game}.{player}.{number}", unit.players.find(player)
            unit.outbox.queue(report(name, who.address, game=game, player=player, number=number))


def refuse(store: Store, *, but: int = 0) -> None:
    """Let all letters that wait be refused, but the first so many, which are accepted."""
    for place, letter in enumerate(store.outbox.claim(NOON, 99)):
        if place < but:
            store.outbox.accepted([(letter.id, "250 ok")])
        else:
            store.outbox.refused(letter.id, TOO_BIG)


def test_a_game_stands_still_when_neither_player_got_the_newest_letter(
    store: Store, seats: tuple[int, int, int]
) -> None:
    write(store, *seats)
    assert unreached(store) == [], "they are on their way"
    refuse(store)
    assert unreached(store) == [seats[0]]
    with store.reading() as lookup:
        assert lookup.deliveries.unreached() == (Unreached(seats[0], TOO_BIG),)
    with store.unit() as unit:
        for player in seats[1:]:
            assert unit.deliveries.mark_returned(f"{seats[0]}.{player}.1")
    assert unreached(store) == [seats[0]], "and when it is seen to"


def test_a_letter_that_came_back_counts_as_one_that_was_refused(
    store: Store, seats: tuple[int, int, int]
) -> None:
    write(store, *seats)
    refuse(store, but=2)
    assert unreached(store) == []
    game, anna, bert = seats
    for player, found in ((anna, []), (bert, [game])):
        with store.unit() as unit:
            unit.deliveries.mark_returned(f"{game}.{player}.1")
        assert unreached(store) == found


def test_it_goes_on_where_one_of_them_got_it_or_a_later_one_is_on_its_way(
    store: Store, seats: tuple[int, int, int]
) -> None:
    game, anna, _ = seats
    write(store, *seats)
    refuse(store, but=1)
    assert unreached(store) == []
    write(store, *seats, number=2)
    refuse(store)
    assert unreached(store) == [game]
    write(store, game, anna, number=3)
    assert unreached(store) == []
    refuse(store)
    assert unreached(store) == [game]


def test_games_that_are_over_and_other_games_are_none_of_these(
    store: Store, seats: tuple[int, int, int]
) -> None:
    write(store, *seats)
    refuse(store)
    with store.unit() as unit:
        unit.games.update(seats[0], status="ended", last_event=1, at=NOON)
    assert unreached(store) == []


def test_notices_to_the_operator_that_did_not_arrive_are_named(store: Store) -> None:
    with store.unit() as unit:
        unit.outbox.queue(report("m1", "Postmaster@example.org", kind="notice"))
        unit.outbox.queue(report("m2", "anna@example.net"))
    operator = "postmaster@example.org"
    assert store.status.standing(operator).notices == ()
    for _ in range(3):
        for letter in store.outbox.claim(NOON, 9):
            store.outbox.again(letter.id, NOON, "451 not now", uncertain=False)
    (waiting,) = store.status.standing(operator).notices
    refuse(store)
    (refused,) = store.status.standing(operator).notices
    assert (waiting.why, refused.why) == ("451 not now", TOO_BIG)
    assert waiting.which == refused.which == "Postmaster@example.org"
    with store.unit() as unit:
        unit.deliveries.post_again("m1", NOON + timedelta(hours=1))
    assert store.outbox.claim(NOON + timedelta(minutes=59), 9) == []
    (letter,) = store.outbox.claim(NOON + timedelta(hours=1), 9)
    store.outbox.accepted([(letter.id, "250 ok")])
    assert store.status.standing(operator).notices == ()
    assert store.status.standing().notices == ()
