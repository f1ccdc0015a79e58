"""What a dead process had claimed is queued again while the living go on posting, and what they have in hand is not."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event

from referee.common.errors import StoreUnreachable
from referee.store.database import Store
from tests.store.scenery import NOON, clock_at_noon, report

LETTERS = 40


def queue(store: Store, letters: int) -> None:
    with store.unit() as unit:
        for number in range(letters):
            unit.outbox.queue(report(f"m{number}", f"reader{number}@example.net"))


def test_what_is_being_posted_is_not_queued_again_however_often_it_is_looked_for(store: Store) -> None:
    """Given a thread that claims and posts, when another looks for claims of the dead, then it finds none, and each
    letter is posted once."""
    queue(store, LETTERS)
    posted: Counter[int] = Counter()
    released: set[int] = set()

    def post() -> None:
        """Give each letter back when it is claimed for the first time, and post it at the second."""
        while postings := store.outbox.claim(NOON, 4):
            ids = [each.id for each in postings]
            again = [id_ for id_ in ids if id_ in released]
            posted.update(again)
            if again:
                store.outbox.accepted([(id_, "250 ok") for id_ in again])
            store.outbox.release([id_ for id_ in ids if id_ not in released])
            released.update(ids)

    posting = threading.Thread(target=post)
    posting.start()
    reclaimed = 0
    while posting.is_alive():
        reclaimed += store.outbox.reclaim()
    posting.join()
    assert reclaimed == 0
    assert len(posted) == LETTERS
    assert set(posted.values()) == {1}


@pytest.mark.parametrize("kept", [False, True])
def test_a_claim_that_failed_is_in_nobodys_hands(sqlite_file: Path, kept: bool) -> None:
    """Given a claim whose end is not known, when a while later claims of the dead are looked for, it is among them."""
    url = f"sqlite:///{sqlite_file}"
    store = Store(url, clock_at_noon())
    queue(store, 2)

    def fail(_connection: object) -> None:
        raise StoreUnreachable("the disk is full")

    event.listen(store.connections.engine, "commit", fail)
    with pytest.raises(StoreUnreachable):
        store.outbox.claim(NOON, 1)
    event.remove(store.connections.engine, "commit", fail)
    if kept:
        with sqlite3.connect(sqlite_file) as connection:
            connection.execute(
                "UPDATE outgoing SET state = 'claimed', claimed_at = '2026-03-02 12:00:00' WHERE id = 1"
            )
        connection.close()
    assert store.outbox.reclaim() == int(kept)
    assert [each.id for each in store.outbox.claim(NOON + timedelta(minutes=1), 9)] == [1, 2]
    store.close()
