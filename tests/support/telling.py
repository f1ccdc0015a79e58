"""Which tests and which cases the quick run takes; the other runs take all.

`uv run pytest` leaves out what is marked as a story, as slow, or as needing a process, a server or a browser of
its own, and of the tests that write letters to a whole service those that are not marked as telling.
Of a long list of cases it takes the telling ones, each said by name: a list says them with `telling`, a test with its
mark of that name. None is chosen by its place in a list.
A run of some files, or of a word in the names of tests, leaves out the full figures alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

LONG = ("story", "letters", "slow", "subprocess")
"""The marks of what takes longest."""


def telling(cases: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Return the cases for `parametrize`: all of `others` that are not among the telling ones are marked as full."""
    told = list(cases)
    rest = [case for case in others if case not in told]
    full = [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.full) for case in rest
    ]
    return [*told, *full]


def mark_other_cases(items: Iterable[pytest.Item], whole: bool) -> None:
    """Mark the cases of which a test's mark `telling` does not speak.

    The mark names cases by their ids, or by the values of their parameters.
    whole: all tests are there, so that each name that the mark says is one of a case.
    """
    families = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("telling") is not None:
            families[item.path, item.parent, item.originalname].append(item)
    for cases in families.values():
        mark = cases[0].get_closest_marker("telling")
        assert mark is not None
        if whole and (unknown := list(_names_of_no_case(cases, mark))):
            raise pytest.UsageError(f"{cases[0].nodeid}: no case is called {unknown}")
        for case in cases:
            if not _is_told(case, mark):
                case.add_marker(pytest.mark.case)


def _id_of(case: pytest.Function) -> str:
    return case.name.partition("[")[2].removesuffix("]")


def _is_told(case: pytest.Function, mark: pytest.Mark) -> bool:
    if mark.args and _id_of(case) not in mark.args:
        return False
    return all(case.callspec.params[name] in values for name, values in mark.kwargs.items())


def _names_of_no_case(cases: Sequence[pytest.Function], mark: pytest.Mark) -> Iterator[object]:
    """Yield what a mark names and no case is called; a mark that speaks of no case at all."""
    yield from set(mark.args) - set(map(_id_of, cases))
    for name, values in mark.kwargs.items():
        there = [case.callspec.params[name] for case in cases]
        yield from (value for value in values if value not in there)
    if not any(_is_told(case, mark) for case in cases):
        yield mark


def longest_first(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no process is still at it when the others have done."""
    items.sort(key=lambda item: not any(item.get_closest_marker(mark) for mark in LONG))
