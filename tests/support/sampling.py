"""Which cases the quick tests take; the full tests take all.

Where a list of cases says itself how many are enough, `sample` takes the first ones. Of every other test with many
cases the quick run of the whole suite takes some that are spread over them (`leave_to_the_full_tests`), and of
tests that take long every fifth. Whoever names a file or a word of a test's name runs all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

FEW = 2
"""Cases of one test in the quick run, unless its mark `spread` names another number."""
PURE = ("commands", "games/clocks", "mail/message", "rulebooks", "service/settings")
"""Folders whose tests do no more than reckon: they are quick, and more cases of theirs are taken."""
MANY = 8
"""Cases of one test in these folders."""
LONG = (
    "archive",
    "games",
    "handlers",
    "mail/inbox",
    "mail/outbox",
    "outages",
    "pipeline",
    "reports",
    "store",
)
"""Folders with whole games and databases behind their tests: the quick run takes every fifth, the full tests all."""
LONGEST = ("test_year.py", "test_demo.py", "test_kills.py", "test_sample_game_by_mail.py", "test_secrets.py")
"""Files with tests that take half a minute each."""


def sample(cases: Iterable[Any], quick: int = 1) -> list[Any]:
    """Return the cases for `parametrize`, all but the first `quick` ones marked as full."""
    return [
        case
        if number < quick
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.full)
        for number, case in enumerate(cases)
    ]


def leave_to_the_full_tests(items: Iterable[pytest.Item], folder: Path) -> None:
    """Mark as full what the quick run leaves out. folder: that of the tests."""
    families = defaultdict(list)
    for item in items:
        if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
            continue
        if item.get_closest_marker("full") is None:
            families[item.path, item.parent, item.originalname].append(item)
    for (path, *_), cases in families.items():
        mark = cases[0].get_closest_marker("spread")
        pure = _lies_in(path.relative_to(folder), PURE)
        most = mark.args[0] if mark is not None else MANY if pure else FEW
        chosen = {len(cases) * number // most for number in range(most)}
        for number, case in enumerate(cases):
            if number not in chosen and len(cases) > most:
                case.add_marker(pytest.mark.full)
    long = defaultdict(list)
    for item in items:
        place = item.path.relative_to(folder)
        if not _lies_in(place, LONG) or _lies_in(place, PURE):
            continue
        if item.get_closest_marker("full") is None:
            long[item.path].append(item)
    for tests in long.values():
        for item in (each for number, each in enumerate(tests) if number % 5):
            item.add_marker(pytest.mark.full)


def _lies_in(path: Path, folders: Iterable[str]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def longest_first(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no process is still at it when the others have done."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
