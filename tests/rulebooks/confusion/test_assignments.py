"""Counting assignments: two methods, held against the list of all assignments and against each other (CF-7.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import factorial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rulebooks.confusion.assignments import (
    Assignments,
    count_assignments,
    count_packed,
    count_total,
    count_walking,
    open_types,
    single_bits,
)

METHODS = (count_walking, count_packed)
every_method = pytest.mark.parametrize("count", METHODS, ids=lambda method: method.__name__)
Count = Callable[[Sequence[int]], Assignments]


def listed(left: Sequence[int]) -> Assignments:
    """Count by listing every assignment."""
    n = len(left)
    shares = [[0] * n for _ in range(n)]
    total = 0
    for assignment in permutations(range(n)):
        if all(left[letter] >> kind & 1 for letter, kind in enumerate(assignment)):
            total += 1
            for letter, kind in enumerate(assignment):
                shares[letter][kind] += 1
    return Assignments(total, tuple(map(tuple, shares)))


def sheets(least: int, most: int) -> st.SearchStrategy[list[int]]:
    """Draw what is left for each letter: now and then nothing at all."""
    sizes = st.integers(least, most)
    return sizes.flatmap(lambda n: st.lists(st.integers(0, 2**n - 1), min_size=n, max_size=n))


def full_sheet(n: int) -> tuple[int, ...]:
    return (2**n - 1,) * n


@every_method
@given(left=sheets(1, 6))
def test_every_method_counts_what_a_list_of_all_assignments_holds(count: Count, left: list[int]) -> None:
    assert count(left) == listed(left)


@every_method
@given(left=st.lists(st.integers(1, 2**7 - 1), min_size=7, max_size=7))
@settings(max_examples=20, deadline=None)
def test_seven_letters_are_counted_as_listed(count: Count, left: list[int]) -> None:
    assert count(left) == listed(left)


@given(seed=st.integers(0, 2**32), n=st.integers(8, 13), most=st.integers(2, 13))
@settings(max_examples=40, deadline=None)
def test_the_methods_agree_where_nobody_would_list(seed: int, n: int, most: int) -> None:
    """Every sheet holds at least one assignment; letters are left up to `most` types."""
    random = Random(seed)
    deal = random.sample(range(n), n)
    left = [
        1 << kind | sum(1 << each for each in set(random.choices(range(n), k=random.randint(0, most))))
        for kind in deal
    ]
    counted = count_walking(left)
    assert counted == count_packed(left) == count_assignments(tuple(left))
    assert counted.total >= 1


@every_method
@pytest.mark.parametrize("n", [1, 2, 8, 9, 12, 13])
def test_with_nothing_heard_every_assignment_is_left(count: Count, n: int) -> None:
    counted = count(full_sheet(n))
    assert counted.total == factorial(n)
    assert {ways for share in counted.shares for ways in share} == {factorial(n - 1)}


@every_method
@pytest.mark.parametrize(("n", "total"), [(8, 14833), (12, 176214841), (13, 2290792932)])
def test_when_no_letter_can_be_its_own_type_the_derangements_are_left(
    count: Count, n: int, total: int
) -> None:
    """No two letters have the same types left, and the counts are nearly the largest that there are."""
    counted = count([2**n - 1 & ~(1 << kind) for kind in range(n)])
    assert counted.total == total
    for letter, share in enumerate(counted.shares):
        assert share == tuple(0 if kind == letter else total // (n - 1) for kind in range(n))


@every_method
@given(left=sheets(2, 9))
def test_the_shares_of_a_letter_and_of_a_type_add_up_to_all_assignments(
    count: Count, left: list[int]
) -> None:
    counted = count(left)
    assert {sum(share) for share in counted.shares} == {counted.total}
    assert {sum(share) for share in zip(*counted.shares, strict=True)} == {counted.total}


@every_method
def test_letters_that_want_the_same_one_type_leave_no_assignment(count: Count) -> None:
    counted = count([1, 1, *[2**12 - 1] * 10])
    assert counted.total == 0
    assert {ways for share in counted.shares for ways in share} == {0}


@pytest.mark.parametrize("left", [(4, 1), (1, 2, 8), (-1, 1)])
def test_more_types_than_letters_are_refused(left: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="types to share"):
        count_assignments(left)


@given(types=st.integers(0, 2**13 - 1))
def test_the_bits_of_a_set_are_told_lowest_first(types: int) -> None:
    bits = single_bits(types)
    assert sum(bits) == types
    assert list(bits) == sorted(set(bits))
    assert all(bit.bit_count() == 1 for bit in bits)


@given(left=sheets(1, 7) | sheets(11, 13))
@settings(max_examples=60, deadline=None)
def test_the_total_alone_and_the_open_types_alone_are_those_of_the_shares(left: list[int]) -> None:
    counted = count_assignments(tuple(left))
    assert count_total(left) == counted.total
    assert open_types(left) == tuple(
        sum(1 << kind for kind, ways in enumerate(share) if ways) for share in counted.shares
    )


@pytest.mark.parametrize("n", [1, 2, 8, 12, 13])
def test_with_nothing_heard_everything_is_open(n: int) -> None:
    assert count_total(full_sheet(n)) == factorial(n)
    assert open_types(full_sheet(n)) == full_sheet(n)
