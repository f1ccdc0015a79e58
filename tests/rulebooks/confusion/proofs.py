"""What is told of a letter, held against the sheet: it proves what is known, and nothing in it can be spared."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rulebooks.confusion.deduction import Clue, Heard, Sheet, numbers_of, sheet_from
from referee.rulebooks.confusion.reasons import Explanation
from referee.rulebooks.confusion.table import MovementTable, Row


def cited(explained: Explanation) -> list[Heard]:
    """Return every attempt that an explanation names."""
    witnesses = (witness for shared in explained.shared for witness in shared.witnesses)
    return [ground.heard for ground in explained.grounds] + [
        attempt for witness in witnesses for attempt in witness.heard
    ]


def numbers(rows: Sequence[Row], table: MovementTable) -> set[int]:
    return {table.agent_number if row.number == "?" else int(row.number) for row in rows}


def check(
    table: MovementTable, said: Sequence[Clue], known: Sheet, explained: Explanation, dealt: int
) -> None:
    """Hold an explanation against the sheet: complete, nothing twice, proved by what it names, nothing to spare."""
    letter = explained.letter
    own = numbers_of(known.own[letter])
    ruled_out = [numbers(ground.ruled_out, table) for ground in explained.grounds]
    assert sum(map(len, ruled_out)) == len(set().union(*ruled_out)) == len(known.own) - len(own)
    closed = [numbers(shared.ruled_out, table) for shared in explained.shared]
    assert sum(map(len, closed)) == len(set().union(*closed))
    assert set().union(*closed) == set(own) - set(known.open[letter])
    assert all(ruled_out) and all(closed)
    assert numbers(explained.ruled_out, table) == set(range(1, len(known.own) + 1)) - set(own)
    assert numbers(explained.left, table) == set(known.open[letter])

    named = cited(explained)
    only_named = sheet_from(
        known.seat, (clue for clue in said if clue.heard in named), dealt, "".join(known.own)
    )
    assert only_named.open[letter] == known.open[letter]

    for ground in explained.grounds:
        left = dealt
        for clue in said:
            if clue.letter == letter and clue.heard in named and clue.heard != ground.heard:
                left &= clue.agrees
        assert left != known.own[letter], f"{ground.heard.text} could be left out"

    for shared in explained.shared:
        types = numbers(shared.types, table)
        assert len(types) == len(shared.letters)
        can_be = {each: set(numbers_of(left)) for each, left in known.own.items()}
        witnesses = tuple(witness.letter for witness in shared.witnesses)
        if shared.way == "taken":
            assert letter not in shared.letters
            assert set().union(*(can_be[each] for each in shared.letters)) == types
            assert numbers(shared.ruled_out, table) <= types
            assert witnesses == shared.letters
        else:
            assert explained.shared == (shared,)
            assert letter in shared.letters
            assert tuple(each for each in known.own if can_be[each] & types) == shared.letters
            assert not numbers(shared.ruled_out, table) & types
            assert {*witnesses, *shared.letters} == set(known.own)
