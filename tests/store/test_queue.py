"""Letters that go out: claimed once, in order for each reader, and never lost."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, text
from sqlalchemy.dialects import sqlite

from referee.common.clock import FixedClock
from referee.mail.outbox.retry import LONGEST_PAUSE, SPREAD
from referee.mail.outbox.transport import Queue
from referee.store.database import Store
from referee.store.outbox_queue import _CLAIM, _PUT_RIGHT, LONGEST_WAIT
from tests.store.scenery import NOON, clock_at_noon, report

LATER = NOON + timedelta(minutes=1)
YEAR = timedelta(days=365)


def queue(store: Store, *letters: tuple[str, str]) -> None:
    with store.unit() as unit:
        for message_id, recipient in letters:
            unit.outbox.queue(report(message_id, recipient))


def claimed(store: Store, limit: int = 9) -> list[str]:
    return [posting.message_id for posting in store.outbox.claim(LATER, limit)]


def test_the_store_is_the_queue_that_the_poster_wants(store: Store) -> None:
    wanted: Queue = store.outbox
    assert list(wanted.claim(NOON, 9)) == []


def test_a_claimed_letter_is_complete_and_claimed_once(store: Store) -> None:
    queue(store, ("m1", "Anna@example.net"))
    (posting,) = store.outbox.claim(LATER, 9)
    assert (posting.message_id, posting.sender, posting.recipient) == (
        "m1",
        "referee@example.org",
        "Anna@example.net",
    )
    assert posting.content == b"Message-ID: <m1>\r\n\r\nYour move.\r\n"
    assert (posting.tries, posting.uncertain) == (0, 0)
    assert "anna" not in repr(posting).lower()
    assert store.outbox.claim(LATER, 9) == []


def test_nothing_is_tried_again_before_its_time(store: Store) -> None:
    queue(store, ("m1", "anna@example.net"))
    (posting,) = store.outbox.claim(LATER, 9)
    at = LATER + LONGEST_PAUSE * (1 + SPREAD)
    store.outbox.again(posting.id, at, "450 later", uncertain=False)
    assert store.outbox.claim(at - timedelta(seconds=1), 9) == []
    assert store.outbox.claim(LATER, 9) == []
    assert [each.message_id for each in store.outbox.claim(at, 9)] == ["m1"]


def test_every_pause_is_shorter_than_what_is_taken_for_a_wrong_clocks_doing() -> None:
    assert LONGEST_PAUSE * (1 + SPREAD) < LONGEST_WAIT


@pytest.mark.parametrize("wrong", [timedelta(days=-400), timedelta(minutes=-7), timedelta(minutes=7), YEAR])
def test_letters_written_by_a_wrong_clock_go_out_once_it_is_put_right(url: str, wrong: timedelta) -> None:
    """They go in their order with those written before and after, and hold nobody up."""
    clock = FixedClock(NOON)
    store = Store(url, clock)
    queue(store, ("m1", "a@example.net"))
    clock.at = NOON + wrong
    queue(store, ("m2", "a@example.net"), ("m3", "b@example.net"))
    clock.at = NOON
    queue(store, ("m4", "a@example.net"), ("m5", "b@example.net"))
    assert claimed(store) == ["m1", "m2", "m3", "m4", "m5"]
    store.close()


def test_a_next_try_set_by_a_clock_that_was_ahead_is_due_once_it_is_put_right(store: Store) -> None:
    queue(store, ("m1", "a@example.net"), ("m2", "a@example.net"))
    first, second = store.outbox.claim(NOON + YEAR, 9)
    store.outbox.again(first.id, NOON + YEAR + timedelta(hours=1), "450 later", uncertain=False)
    store.outbox.release([second.id])
    assert claimed(store) == ["m1"], "and m2 keeps its place behind it"
    store.outbox.accepted([(first.id, "250 ok")])
    assert claimed(store) == ["m2"]


def test_the_oldest_letters_are_claimed_first_and_no_more_than_asked(store: Store) -> None:
    queue(
        store,
        ("m1", "a@example.net"),
        ("m2", "b@example.net"),
        ("m3", "a@example.net"),
        ("m4", "c@example.net"),
    )
    assert claimed(store, 3) == ["m1", "m2", "m3"]
    assert claimed(store, 3) == ["m4"]


def test_an_accepted_letter_is_done_and_found_by_the_hosts_own_message_id(store: Store) -> None:
    """Some hosts put a Message-ID of theirs in place of ours, and name it in their answer."""
    queue(store, ("m1@example.org", "anna@example.net"))
    (posting,) = store.outbox.claim(LATER, 9)
    store.outbox.accepted(
        [(posting.id, "2.0.0 OK <AM0PR01@eurprd01.example.com> [InternalId=7, Hostname=x]")]
    )
    assert store.outbox.claim(LATER + timedelta(days=9), 9) == []
    with store.reading() as lookup:
        found = [lookup.outbox.get(name) for name in ("m1@example.org", "AM0PR01@eurprd01.example.com")]
    assert [each.message_id for each in found if each] == ["m1@example.org", "m1@example.org"]


def test_a_letter_refused_for_good_is_not_tried_again(store: Store) -> None:
    queue(store, ("m1", "a@example.net"), ("m2", "a@example.net"))
    first, second = store.outbox.claim(LATER, 9)
    store.outbox.refused(first.id, "550 no such mailbox")
    store.outbox.release([second.id])
    assert claimed(store) == ["m2"]


def test_a_letter_to_be_tried_again_comes_at_its_time_and_counts_its_tries(store: Store) -> None:
    queue(store, ("m1", "a@example.net"))
    (posting,) = store.outbox.claim(LATER, 9)
    at = LATER + timedelta(hours=1)
    store.outbox.again(posting.id, at, "450 later\x00", uncertain=False)
    assert store.outbox.claim(LATER, 9) == []
    (posting,) = store.outbox.claim(at, 9)
    assert (posting.tries, posting.uncertain) == (1, 0)
    store.outbox.again(posting.id, at, "lost after DATA", uncertain=True)
    (posting,) = store.outbox.claim(at, 9)
    assert (posting.tries, posting.uncertain) == (2, 1)
    assert posting.content == b"Message-ID: <m1>\r\n\r\nYour move.\r\n"


def test_a_released_letter_is_as_it_was(store: Store) -> None:
    queue(store, ("m1", "a@example.net"))
    before = store.outbox.claim(LATER, 9)
    store.outbox.release([posting.id for posting in before])
    store.outbox.release([])
    assert store.outbox.claim(LATER, 9) == before


def test_a_sent_letter_cannot_be_released_into_the_queue(store: Store) -> None:
    queue(store, ("m1", "a@example.net"))
    (posting,) = store.outbox.claim(LATER, 9)
    store.outbox.accepted([(posting.id, "250 ok")])
    store.outbox.release([posting.id])
    assert store.outbox.claim(LATER, 9) == []


def test_a_reader_gets_no_later_letter_while_an_earlier_one_waits(store: Store) -> None:
    queue(store, ("m1", "A@example.net"), ("m2", "a@example.net"), ("m3", "b@example.net"))
    (first,) = store.outbox.claim(LATER, 1)
    assert claimed(store) == ["m3"], "m2 waits while m1 is being posted"
    store.outbox.again(first.id, LATER + timedelta(hours=1), "450 later", uncertain=False)
    assert claimed(store) == [], "m2 waits while m1 waits for its next try"
    at = LATER + timedelta(hours=2)
    assert [posting.message_id for posting in store.outbox.claim(at, 1)] == ["m1"]
    store.outbox.accepted([(first.id, "250 ok")])
    assert claimed(store) == ["m2"]


def test_threads_that_claim_at_once_never_get_the_same_letter(store: Store) -> None:
    letters = [(f"m{number}", f"{number % 7}@example.net") for number in range(60)]
    queue(store, *letters)
    got: list[str] = []
    order: dict[str, list[int]] = {}

    def post() -> None:
        while postings := store.outbox.claim(LATER, 3):
            for posting in postings:
                got.append(posting.message_id)
                order.setdefault(posting.recipient, []).append(posting.id)
            store.outbox.accepted([(posting.id, "250 ok") for posting in postings])

    threads = [threading.Thread(target=post) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    post()  # a thread finds nothing while others have every reader's earlier letter in hand
    assert Counter(got) == Counter(message_id for message_id, _ in letters)
    assert all(ids == sorted(ids) for ids in order.values())


def test_what_a_dead_process_had_claimed_is_queued_again(sqlite_file: Path) -> None:
    url = f"sqlite:///{sqlite_file}"
    dead, alive = Store(url, clock_at_noon()), Store(url, clock_at_noon())
    queue(dead, ("m1", "a@example.net"), ("m2", "b@example.net"))
    dead.outbox.claim(LATER, 1)
    dead.close()
    assert claimed(alive) == ["m2"]
    assert alive.outbox.reclaim() == 1
    assert claimed(alive) == ["m1"]
    assert alive.outbox.reclaim() == 0, "its own claims are in good hands"
    alive.close()


def test_claiming_uses_the_indexes_of_open_letters_alone(sqlite_file: Path) -> None:
    """However many letters were sent, the next one is found among those that wait."""
    facts = {"own": "here", "now": "2026", "latest": "2026", "most": 9, "param_1": 0}
    steps = []
    engine = create_engine(f"sqlite:///{sqlite_file}")
    with engine.connect() as connection:
        for asked in (_PUT_RIGHT, _CLAIM):
            statement = text(
                f"EXPLAIN QUERY PLAN {asked.compile(dialect=sqlite.dialect(paramstyle='named'))}"
            )
            used = {name: facts[name] for name in statement.compile().params}
            steps += [row.detail for row in connection.execute(statement, used)]
    engine.dispose()
    assert "SEARCH outgoing USING INDEX ix_outgoing_due (next_try>?)" in steps, steps
    assert any("this USING INDEX ix_outgoing_due" in step for step in steps), steps
    assert any("earlier USING INDEX ix_outgoing_pending" in step for step in steps), steps
    assert not any(step.startswith("SCAN this") or step.startswith("SCAN outgoing") for step in steps), steps


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    readers=st.lists(st.sampled_from("abc"), min_size=1, max_size=12),
    fates=st.lists(st.sampled_from(["accepted", "refused", "again", "release"]), max_size=60),
    limit=st.integers(1, 4),
)
def test_whatever_happens_each_letter_is_posted_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory,
    sqlite_with_tables: Path,
    readers: list[str],
    fates: list[str],
    limit: int,
) -> None:
    path = tmp_path_factory.mktemp("queue") / "referee.db"
    path.write_bytes(sqlite_with_tables.read_bytes())
    store = Store(f"sqlite:///{path}", clock_at_noon())
    queue(store, *((f"m{number}", f"{reader}@example.net") for number, reader in enumerate(readers)))
    now = LATER
    ends: dict[str, list[int]] = {}
    script = iter(fates)
    for _ in range(len(readers) + len(fates)):
        now += timedelta(minutes=1)
        broken: set[str] = set()
        for posting in store.outbox.claim(now, limit):
            fate = next(script, "accepted")
            if posting.recipient in broken or fate == "release":
                broken.add(posting.recipient)
                store.outbox.release([posting.id])
            elif fate == "again":
                broken.add(posting.recipient)
                store.outbox.again(posting.id, now + timedelta(minutes=3), "450", uncertain=False)
            else:
                ends.setdefault(posting.recipient, []).append(posting.id)
                if fate == "refused":
                    store.outbox.refused(posting.id, "550")
                else:
                    store.outbox.accepted([(posting.id, "250")])
        if sum(map(len, ends.values())) == len(readers):
            break
        now += timedelta(minutes=3)
    store.close()
    assert sorted(id_ for ids in ends.values() for id_ in ids) == list(range(1, len(readers) + 1))
    assert all(ids == sorted(ids) for ids in ends.values())


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    readers=st.lists(st.sampled_from("abc"), min_size=1, max_size=10),
    jumps=st.lists(st.timedeltas(timedelta(days=-400), timedelta(days=400)), min_size=1, max_size=12),
    fates=st.lists(st.sampled_from(["accepted", "again", "release"]), max_size=20),
)
def test_however_the_clock_jumps_each_letter_is_posted_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory,
    sqlite_with_tables: Path,
    readers: list[str],
    jumps: list[timedelta],
    fates: list[str],
) -> None:
    path = tmp_path_factory.mktemp("queue") / "referee.db"
    path.write_bytes(sqlite_with_tables.read_bytes())
    clock = FixedClock(NOON)
    store = Store(f"sqlite:///{path}", clock)
    jumping, script = itertools.cycle(jumps), iter(fates)
    for number, reader in enumerate(readers):
        clock.at = NOON + next(jumping)
        queue(store, (f"m{number}", f"{reader}@example.net"))
    posted: dict[str, list[int]] = {}
    for _ in range(len(readers) + len(fates)):
        clock.at = NOON + next(jumping)
        due = store.outbox.claim(clock.at, 9)
        if not due:  # all wait for their next try: no longer than a clock that is right would have them wait
            due = store.outbox.claim(clock.at + LONGEST_WAIT, 9)
        broken: set[str] = set()
        for posting in due:
            fate = "release" if posting.recipient in broken else next(script, "accepted")
            if fate == "accepted":
                posted.setdefault(posting.recipient, []).append(posting.id)
                store.outbox.accepted([(posting.id, "250")])
                continue
            broken.add(posting.recipient)
            if fate == "again":
                store.outbox.again(posting.id, clock.at + timedelta(hours=1), "450", uncertain=False)
            else:
                store.outbox.release([posting.id])
    store.close()
    assert sorted(id_ for ids in posted.values() for id_ in ids) == list(range(1, len(readers) + 1))
    assert all(ids == sorted(ids) for ids in posted.values())


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("250 2.6.0 <new.name@mx.example.org> queued", True),
        ("250 2.1.5 <Anna@Example.net> and <x@y>: recipient ok", False),
        ("250 ok", False),
    ],
)
def test_a_message_id_in_the_answer_is_kept_and_a_readers_address_is_none(
    store: Store, answer: str, found: bool
) -> None:
    queue(store, ("m1@example.org", "Anna@example.net"))
    (posting,) = store.outbox.claim(LATER, 9)
    store.outbox.accepted([(posting.id, answer)])
    with store.reading() as lookup:
        assert (lookup.outbox.get("new.name@mx.example.org") is not None) == found
        assert lookup.outbox.get("Anna@Example.net") is None
        assert lookup.outbox.get("m1@example.org") is not None
