"""The door through which letters go out, and the queue in which they wait for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from referee.common.errors import DeliveryRefused


class Posting(Protocol):
    """A finished letter that is to be handed over to one recipient.

    message_id: without angle brackets, the same at every try. content: the bytes as they go out.
    sender, recipient: the envelope's. tries: how often it was tried before; uncertain: how many of these
    may have succeeded all the same.
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
        """Yield the same letter in ever smaller forms, each with a name: for a server that finds it too large."""
        ...


class Queue(Protocol):
    """Where finished letters wait. What was claimed is nobody else's until its result is told."""

    def claim(self, now: datetime, limit: int) -> Sequence[Posting]:
        """Take up to `limit` letters that are due; those to one recipient stand in their order.

        A recipient's later letter is not given out while an earlier one is in hand or has to wait. To be called
        now and then while letters are in hand, with whatever limit: else they may be given to somebody else.
        """
        ...

    def holds(self, id_: int) -> bool:
        """Return whether a letter that was claimed is still ours to post."""
        ...

    def accepted(self, results: Sequence[tuple[int, str]]) -> None:
        """These letters were taken over, with the server's words for each."""
        ...

    def refused(self, id_: int, answer: str) -> None:
        """This letter is given up."""
        ...

    def again(self, id_: int, at: datetime, answer: str, uncertain: bool) -> None:
        """This letter is to be tried again, not before `at`."""
        ...

    def release(self, ids: Sequence[int]) -> None:
        """These letters were not tried at all; they are due as before."""
        ...


class PostClosed(DeliveryRefused):
    """Nothing can be posted now, whatever the letter: server, network, certificate, login or disk.

    Cure: as the text says; no letter is lost, and no try is counted against any.
    """

    def __init__(self, text: str, *, code: int = 0) -> None:
        super().__init__(text, code=code, temporary=True)


class Post(Protocol):
    """A way for letters to leave the house."""

    @property
    def lanes(self) -> int:
        """How many letters may be handed over at the same time."""
        ...

    async def send(self, posting: Posting) -> str:
        """Hand one letter over and return the answer's words.

        Raises PostClosed or DeliveryRefused. When cancelled after the letter was on its way, raises
        DeliveryRefused as uncertain instead of asyncio.CancelledError.
        """
        ...

    async def close(self) -> None:
        """Let go of connections; the next `send` makes new ones."""
        ...
