"""The protocols of outgoing mail: the way out, and the queue in which letters wait for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from referee.common.errors import DeliveryRefused


class Posting(Protocol):
    """A finished letter to one recipient.

    message_id: without angle brackets, the same at every try.
    content: the bytes as they go out.
    sender, recipient: the envelope's.
    tries: number of earlier tries.
    uncertain: how many of these may have succeeded after all.
    """

    @property
    def id(self) -> int: ...
    @property
    def message_id(self) -> str: ...
    @property
    def sender(self) -> str: ...
    @property
    def recipient(self) -> str: ...
    @property
    def content(self) -> bytes: ...
    @property
    def tries(self) -> int: ...
    @property
    def uncertain(self) -> int: ...

    def smaller(self) -> Iterator[tuple[str, Posting]]:
        """Yield the same letter in ever smaller forms, each with a name, for a server that finds it too large."""
        ...


class Queue(Protocol):
    """Where finished letters wait. A claimed letter belongs to its claimer until its result is reported."""

    def claim(self, now: datetime, limit: int) -> Sequence[Posting]:
        """Claim up to `limit` letters that are due; those to one recipient are in order.

        A recipient's later letter is not given out while an earlier one is in hand or has to wait. While
        letters are in hand, call it now and then with any limit: otherwise they may be given to another
        process.
        """
        ...

    def holds(self, id_: int) -> bool:
        """Return whether a claimed letter is still ours to send."""
        ...

    def accepted(self, results: Sequence[tuple[int, str]]) -> None:
        """Record that these letters were accepted, with the server's answer for each."""
        ...

    def refused(self, id_: int, answer: str) -> None:
        """Record that this letter is given up."""
        ...

    def again(self, id_: int, at: datetime, answer: str, uncertain: bool) -> None:
        """Record that this letter is to be tried again, not before `at`."""
        ...

    def release(self, ids: Sequence[int]) -> None:
        """Give these letters back untried; they are due as before."""
        ...


class PostClosed(DeliveryRefused):
    """Nothing can be sent now, whatever the letter: server, network, certificate, login or disk.

    Cure: as the text says. No letter is lost, and no try is counted against any.
    """

    def __init__(self, text: str, *, code: int = 0) -> None:
        super().__init__(text, code=code, temporary=True)


class Post(Protocol):
    """A way for letters to leave the service."""

    @property
    def lanes(self) -> int:
        """How many letters may be sent at the same time."""
        ...

    async def send(self, posting: Posting) -> str:
        """Send one letter and return the answer's words.

        Raises PostClosed or DeliveryRefused. When cancelled after the letter was under way, raises
        DeliveryRefused as uncertain instead of asyncio.CancelledError.
        """
        ...

    async def close(self) -> None:
        """Release connections; the next `send` makes new ones."""
        ...
