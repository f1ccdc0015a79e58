"""Letters are erased when they were kept long enough, and nothing that is still needed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.store import erasure
from referee.store.database import Store
from tests.store.scenery import NOON, letter, report, start_game

LATER = NOON + timedelta(days=401)


def kept_in(store: Store, numbers: list[int]) -> list[int]:
    with store.reading() as lookup:
        found = {number: lookup.letters.get(number, decided=True) for number in numbers}
    return [number for number, each in found.items() if each is not None and each.content is not None]


def kept_out(store: Store, *message_ids: str) -> list[str]:
    with store.reading() as lookup:
        return [each for each in message_ids if lookup.outbox.content(f"{each}@example.org") is not None]


def settle(store: Store, *outcomes: str) -> list[int]:
    """Take letters in and give them these outcomes, "" for none."""
    numbers = store.incoming.record(
        [letter(f"{outcome}-{n}", f"{n}".encode()) for n, outcome in enumerate(outcomes)]
    )
    with store.unit() as unit:
        for number, outcome in zip(numbers, outcomes, strict=True):
            if outcome:
                unit.letters.conclude(number, outcome=outcome, sender="anna@example.net")  # type: ignore[arg-type]
    return numbers


def test_old_letters_that_are_settled_are_erased_and_what_became_of_them_stays(store: Store) -> None:
    numbers = settle(store, "ruled", "answered", "ignored", "bounce", "held", "set-aside", "")
    store.retention.erase_letters(NOON)
    assert kept_in(store, numbers) == numbers
    store.retention.erase_letters(NOON + timedelta(seconds=1))
    assert kept_in(store, numbers) == numbers[4:]
    with store.reading() as lookup:
        assert [line.outcome for line in lookup.letters.newest(9)][:4] == [
            "ruled",
            "answered",
            "ignored",
            "bounce",
        ]


def test_our_old_letters_are_erased_once_they_are_posted_and_their_game_is_over(store: Store) -> None:
    running, anna, _ = start_game(store)
    with store.unit() as unit:
        for name, game in (("running", running), ("none", None), ("refused", None)):
            unit.outbox.queue(report(f"{name}@example.org", game=game, player=anna))
    store.retention.erase_letters(LATER)
    assert kept_out(store, "running", "none", "refused") == ["running", "none", "refused"]
    for each in store.outbox.claim(NOON, 9):
        if each.message_id.startswith("refused"):
            store.outbox.refused(each.id, "550 no")
        else:
            store.outbox.accepted([(each.id, "250 ok")])
    store.retention.erase_letters(LATER)
    assert kept_out(store, "running", "none", "refused") == ["running"]
    with store.unit() as unit:
        unit.games.update(running, status="ended", last_event=1, at=NOON)
    store.retention.erase_letters(LATER)
    assert kept_out(store, "running") == []


def test_letters_are_erased_so_many_at_a_time_and_those_that_stay_are_no_hindrance(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "AT_A_TIME", 3)
    numbers = settle(store, *["held"] * 4, *["ruled"] * 4)
    erased = []
    for _ in range(4):
        store.retention.erase_letters(LATER)
        erased.append(len(numbers) - len(kept_in(store, numbers)))
    assert erased == [0, 2, 4, 4]
    with store.unit() as unit:
        unit.letters.conclude(numbers[0], outcome="ignored")
    for _ in range(3):
        store.retention.erase_letters(LATER)
    assert kept_in(store, numbers) == numbers[1:4]


def test_a_second_address_is_one_players_and_found_with_the_main_ones(store: Store) -> None:
    _, anna, bert = start_game(store)
    with store.unit() as unit:
        unit.addresses.add(anna, "second", "Spare@Example.com")
        unit.addresses.add(bert, "asked-second", "other@example.com", "t" * 20)
        found = [unit.players.by_address(each) for each in ("spare@example.COM", "other@example.com")]
        assert [each and each.number for each in found] == [anna, None]
        unit.addresses.drop(anna, "second")
        assert unit.players.by_address("spare@example.com") is None
