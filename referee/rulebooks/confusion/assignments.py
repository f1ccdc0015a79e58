"""Counts the ways to give letters types, one each, when each letter can only be some of them (CF-7.2).

Everything on a deduction sheet follows from these numbers. They are exact, and large: 12! with nothing heard,
and 13! in the edition with a thirteenth piece, a double agent. The ways are therefore never listed. They are
counted by the set of types that the letters so far have used up, of which there are at most 2^13. Types and
sets of types are bits of an integer.

Two methods share the work, since neither is fast for every sheet (tests/benchmarks/sheets.py measures both):

- Where few types are left, few sets can occur. They are walked one by one, forward and back, and a set is
  dropped as soon as it omits a type that no later letter could take.
- Where many types are left, nearly all sets occur. The counts of all of them are then packed side by side in
  one large integer, so that one shift gives a letter a certain type in all sets at once, and one addition
  adds the ways.

Walking takes time in proportion to the sets that occur: it roughly doubles with each further type that a
letter has left. The packed counts take 2^n times the number of types left, but so little for each that they
are faster from six types a letter on. Letters that have heard the same are counted once, which makes the
sheets at the beginning of a game the cheapest. Arrays of a number library are no faster where few types are
left, and loading one takes longer (100 ms) than all sheets of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

MOST_PACKED = 13
"""With more letters, a count might need more than 32 bits."""
_PACKED_FROM = 5.5
"""The average number of types left for a letter from which packed counts are faster."""
_NARROW, _WIDE = 16, 32
"""Bits for one count."""
_LAST_NARROW = 8
"""The most letters with types for which every sum, at most 13 * 7! ways, fits into 16 bits."""


@dataclass(frozen=True, slots=True)
class Assignments:
    """The number of assignments, and the number with each type for each letter.

    total: the number of full one-to-one assignments.
    shares[letter][type]: in how many of them the letter has the type.
    """

    total: int
    shares: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=512)
def count_assignments(left: tuple[int, ...]) -> Assignments:
    """Count the assignments of n types to n letters. Raises ValueError for a type beyond the first n.

    Results are cached: a sheet seldom changes in more than one letter, and two players read it.

    left: for each letter the types that it can be, as bits.
    """
    if any(types >> len(left) for types in left):
        raise ValueError(f"{len(left)} letters have {len(left)} types to share")
    most = sum(types.bit_count() for types in left)
    if len(left) <= MOST_PACKED and most > _PACKED_FROM * len(left):
        return count_packed(left)
    return count_walking(left)


def count_walking(left: Sequence[int]) -> Assignments:
    """Count by walking over the sets of types that can occur."""
    n = len(left)
    full = (1 << n) - 1
    order = _few_new_types_first(left)
    later = [0] * (n + 1)
    for place in reversed(range(n)):
        later[place] = later[place + 1] | left[order[place]]
    layers: list[dict[int, int]] = [{0: 1}]
    for place, letter in enumerate(order):
        last_chance, types = full & ~later[place + 1], left[letter]
        reached: dict[int, int] = {}
        for used, ways in layers[-1].items():
            due = last_chance & ~used
            if due & (due - 1):
                continue  # two types that no later letter could take
            for kind in single_bits((due or ~used) & types):
                reached[used | kind] = reached.get(used | kind, 0) + ways
        layers.append(reached)
    completions = {full: 1}
    shares = [[0] * n for _ in left]
    for place in reversed(range(n)):
        types, share = left[order[place]], dict.fromkeys(single_bits(left[order[place]]), 0)
        before: dict[int, int] = {}
        for used, ways in layers[place].items():
            both = 0
            for kind in single_bits(types & ~used):
                if more := completions.get(used | kind):
                    both += more
                    share[kind] += ways * more
            if both:
                before[used] = both
        completions = before
        for kind, ways in share.items():
            shares[order[place]][kind.bit_length() - 1] = ways
    return Assignments(completions.get(0, 0), tuple(map(tuple, shares)))


def _few_new_types_first(left: Sequence[int]) -> list[int]:
    """Return an order that keeps the sets few: the next letter is always the one that adds the fewest new types."""
    waiting, seen = set(range(len(left))), 0
    order = []
    while waiting:
        letter = min(
            waiting, key=lambda each: ((left[each] & ~seen).bit_count(), left[each].bit_count(), each)
        )
        waiting.remove(letter)
        order.append(letter)
        seen |= left[letter]
    return order


@cache
def single_bits(types: int) -> tuple[int, ...]:
    """Return the bits of a set of types, lowest first, each as a set of its own."""
    return (types & -types, *single_bits(types & (types - 1))) if types else ()


@dataclass(frozen=True, slots=True)
class _Packed:
    """The ways to give `letters` letters types, for every set of types used up: set s in bits from width * s on."""

    counts: int
    letters: int = 0
    width: int = _NARROW


def count_packed(left: Sequence[int]) -> Assignments:
    """Count with all sets side by side. At most MOST_PACKED letters.

    A letter's types are read off when all others have theirs. To let every letter be the last once, the
    letters are halved recursively: one half is given types while the other is halved again, and vice versa.
    Letters with the same types left have the same shares, so only one of them need be last.
    """
    shares: dict[int, tuple[int, ...]] = {}

    def come_last(letters: Sequence[int], ways: _Packed) -> None:
        if letters[0] == letters[-1]:  # sorted, so all are alike
            shares[letters[0]] = _read_last(_give(ways, letters[1:], len(left)), letters[0], len(left))
            return
        middle = len(letters) // 2
        come_last(letters[:middle], _give(ways, letters[middle:], len(left)))
        come_last(letters[middle:], _give(ways, letters[:middle], len(left)))

    come_last(sorted(left), _Packed(1))
    return Assignments(sum(shares[left[0]]), tuple(shares[types] for types in left))


def _give(ways: _Packed, letters: Sequence[int], n: int) -> _Packed:
    """Give each of these letters a type in every way.

    Adding a type to a set adds its bit to the set's number, which is a shift. Where the set had that type
    already, the addition carries and gives a set with no more types than before, so only the sets with one
    more type are kept.
    """
    counts, given, width = ways.counts, ways.letters, ways.width
    for types in letters:
        if width == _NARROW and given == _LAST_NARROW:
            counts, width = _widened(counts, n), _WIDE
        given += 1
        counts = sum(counts << width * kind for kind in single_bits(types)) & _sets_of(given, n, width)
    return _Packed(counts, given, width)


def _read_last(ways: _Packed, types: int, n: int) -> tuple[int, ...]:
    """Return in how many ways the one letter without a type has each type."""
    full, digits = (1 << n) - 1, (1 << ways.width) - 1
    return tuple(
        ways.counts >> ways.width * (full ^ 1 << kind) & digits if types >> kind & 1 else 0
        for kind in range(n)
    )


def _widened(counts: int, n: int) -> int:
    """Return counts of 16 bits as counts of 32."""
    narrow = counts.to_bytes(2 << n, "little")
    wide = bytearray(4 << n)
    wide[0::4], wide[1::4] = narrow[0::2], narrow[1::2]
    return int.from_bytes(wide, "little")


@cache
def _sets_of(size: int, n: int, width: int) -> int:
    """Return a mask of the counts of all sets with `size` of n types."""
    ones, none = b"\xff" * (width // 8), bytes(width // 8)
    slots = (ones if types.bit_count() == size else none for types in range(1 << n))
    return int.from_bytes(b"".join(slots), "little")


def count_total(left: Sequence[int]) -> int:
    """Return the number of assignments without shares, in a third of the time. left: as in count_assignments."""
    n = len(left)
    if n > MOST_PACKED or sum(types.bit_count() for types in left) <= _PACKED_FROM * n:
        return count_walking(left).total
    last, *others = sorted(left)
    return sum(_read_last(_give(_Packed(1), others, n), last, n))


def open_types(left: Sequence[int]) -> tuple[int, ...]:
    """Return for each letter the types that it has in at least one assignment, as bits.

    All sets of types that letters can have used up are packed side by side, a bit each: first from the front,
    letter by letter, then from the back. A type is open to a letter where both meet.

    left: as in count_assignments.
    """
    n = len(left)
    lacking = _sets_without(n)
    used = [1]
    for types in left:
        reached = 0
        for kind in single_bits(types):
            reached |= (used[-1] & lacking[kind]) << kind
        used.append(reached)
    found = [0] * n
    completed = 1 << (1 << n) - 1
    for place in reversed(range(n)):
        before = 0
        for kind in single_bits(left[place]):
            sets = completed >> kind & lacking[kind]
            before |= sets
            if sets & used[place]:
                found[place] |= kind
        completed = before
    return tuple(found)


@cache
def _sets_without(n: int) -> dict[int, int]:
    """Return for each of n types, a bit, the sets that lack it: set s in bit s."""
    kinds = [1 << kind for kind in range(n)]
    return {kind: sum(1 << types for types in range(1 << n) if not types & kind) for kind in kinds}
