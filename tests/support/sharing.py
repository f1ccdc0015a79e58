"""What the processes that run tests share, so that not each of them works it out anew."""

from __future__ import annotations

import importlib
from contextlib import suppress
from pathlib import Path


def import_from_another_place(tests: Path, number: int, processes: int) -> None:
    """Import all modules of tests, each process from another one on, before they are collected.

    pytest compiles a module of tests when it is first imported, which takes most of the time of collecting; so the
    processes find compiled what others have come to before, and do not all compile everything at the same time.
    """
    paths = sorted(tests.rglob("test_*.py"))
    start = len(paths) * number // processes
    for path in (*paths[start:], *paths[:start]):
        with suppress(Exception):  # collecting comes to it once more, and tells
            importlib.import_module(".".join(path.relative_to(tests.parent).with_suffix("").parts))
