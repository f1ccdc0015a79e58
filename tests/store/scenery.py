"""Letters, players and a game for the tests of the store."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from referee.common.clock import FixedClock
from referee.mail.message.message import RawLetter
from referee.rulebooks.rulebook import Seat
from referee.store.database import Store
from referee.store.values import QueuedLetter

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def clock_at_noon() -> FixedClock:
    return FixedClock(NOON)


def letter(
    uid: str = "1", content: bytes | None = b"Subject: a move\r\n\r\nV-NW2xZ\r\n", **other: Any
) -> RawLetter:
    """A letter as the mailbox gives it."""
    facts: dict[str, Any] = {
        "mailbox": "inbox",
        "uidvalidity": 7,
        "received": NOON,
        "size": 32_000_000 if content is None else len(content),
        **other,
    }
    return RawLetter(uid=uid, content=content, **facts)


def report(message_id: str, recipient: str = "anna@example.net", **other: Any) -> QueuedLetter:
    """A letter of ours, ready to be posted."""
    facts: dict[str, Any] = {
        "sender": "referee@example.org",
        "kind": "report",
        "subject": "[game 1] Confusion 1: Anna - Bert",
        "content": f"Message-ID: <{message_id}>\r\n\r\nYour move.\r\n".encode(),
        **other,
    }
    return QueuedLetter(message_id=message_id, recipient=recipient, **facts)


def start_game(store: Store) -> tuple[int, int, int]:
    """Register Anna and Bert and seat them in a game of one event; return its number and theirs."""
    with store.unit() as unit:
        anna = unit.players.add("Anna", "anna@example.net", "en").number
        bert = unit.players.add("Bert", "Bert@Example.com", "fr").number
        game = unit.games.add("confusion", NOON)
        unit.games.set_title(game, f"Confusion {game}: Anna - Bert")
        unit.events.append(game, [(1, "Opened", {"secret": "11"})], at=NOON)
        unit.games.add_seat(game, Seat("white"), anna)
        unit.games.add_seat(game, Seat("yellow"), bert)
        unit.games.update(game, status="playing", last_event=1, at=NOON)
    return game, anna, bert
