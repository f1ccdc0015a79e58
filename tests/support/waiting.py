"""Waits for what happens in another thread or process, with a limit that no busy machine comes near.

Tests sleep nowhere else and read no clock: they wait for a condition, and measure work in seconds of the processor,
which other programs do not take from it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Found = TypeVar("Found")

PATIENCE = 300.0
"""Seconds after which a test gives up waiting; nothing takes that long when it works."""
FOR_EVER = 3600.0
"""Seconds that no test lasts: the limit of pytest ends a test that waits for so long and is not woken."""
LOOKS_EVERY = 0.01
"""Seconds between two looks at a condition."""


def until(happened: Callable[[], Found], what: object = "it", seconds: float = PATIENCE) -> Found:
    """Wait until something is true, and return it. what: what the failure says did not happen."""
    end = time.monotonic() + seconds
    while not (found := happened()):
        assert time.monotonic() < end, f"{what() if callable(what) else what} did not happen"
        time.sleep(LOOKS_EVERY)
    return found


async def until_soon(happened: Callable[[], object]) -> None:
    """Wait until something is true, while the other tasks of this thread go on."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        await asyncio.sleep(LOOKS_EVERY)


async def let_others_go_on() -> None:
    """Let the other tasks of this thread go on, once."""
    await asyncio.sleep(0)


def stays_as_it_is(told: Callable[[], object], seconds: float) -> bool:
    """Return whether something is the same for some seconds; a busy machine looks less often, and no less long."""
    first, end = told(), time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(LOOKS_EVERY)
        if told() != first:
            return False
    return True


def next_second() -> None:
    """Wait until the machine's clock shows another second."""
    second = int(time.time())
    until(lambda: int(time.time()) != second)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Let a block take at most some seconds of the processor, in this thread."""
    began = time.thread_time()
    yield
    assert time.thread_time() - began < seconds
