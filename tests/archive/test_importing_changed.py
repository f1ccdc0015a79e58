"""A record that was changed anyhow is refused and nothing is started, or it becomes a game that is right by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from referee.archive.verify import verify
from referee.common.errors import RecordRefused, UsageError
from referee.common.files import read_text
from referee.games.records_from_elsewhere import LONGEST_FACT
from referee.service.queries import write_record
from tests.archive.site.made_up import application, sample_game_played
from tests.archive.test_importing import RECORD, brings
from tests.support.playing import Club, new_database
from tests.support.telling import telling
from tests.transcripts.stories_of_spies import a_whole_game_of_spies

pytestmark = pytest.mark.slow

CHANGES = 24
"""Changed records of one kind in one case."""
HOSTILE = (
    "\x1b[2J\x1b]0;x\x07",
    "\x00",
    "\u202e\u2066",
    "\u2028",
    "\x85",
    "x" * 10_000,
    "=",
    ";",
    "'\"<&{{}}",
    "é漢😀",
)
BACK = "taken back to 9 White: misread\n9.  -               (N-E1)\n"

Change = Callable[[str, Random], str]


@dataclass(frozen=True)
class Played:
    """A record to be changed, with the rules and the options of its game."""

    rules: str
    record: str
    options: dict[str, str]


@cache
def _played() -> dict[str, Played]:
    """Return records: with a proof and without, half and whole, with what was taken back."""
    with TemporaryDirectory() as folder:
        club = Club(new_database(Path(folder)))
        half = write_record(application(club), sample_game_played(club, attempts=21), "umpire", bare=True)
        club.close()
        club = Club(new_database(Path(folder), "spies"))
        a_whole_game_of_spies(club)
        options = {key: said for key, said in club.game(1).options.items() if key != "first"}
        written = write_record(application(club), 1, "umpire", bare=True)
        club.close()
    return {
        "sample": Played("confusion", RECORD, {}),
        "branch": Played("confusion", half + BACK, {}),
        "spies": Played("spies", written, options),
    }


def _bytes(record: str, random: Random) -> str:
    content = bytearray(record.encode())
    for _ in range(random.randint(1, 4)):
        content[random.randrange(len(content))] = random.randrange(256)
    return read_text(bytes(content))


def _cut(record: str, random: Random) -> str:
    begin, end = sorted((random.randrange(len(record)), random.randrange(len(record))))
    return random.choice((record[:begin], record[begin:], record[:begin] + record[end:]))


def _lines(record: str, random: Random) -> str:
    lines = record.splitlines(keepends=True)
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines[one] = lines[one].replace(" ", random.choice(("", "  ", "\t", "\N{NO-BREAK SPACE}")))
    return "".join(lines)


def _numbers(record: str, random: Random) -> str:
    found = random.choice([*re.finditer(r"\d+", record)])
    numbers = ("0", "1", "-1", "13", "99", "٣", "²", "9" * 5000, "1e9", str(int(found[0]) + 1))
    return record[: found.start()] + random.choice(numbers) + record[found.end() :]


def _cells(record: str, random: Random) -> str:
    cells = [*re.finditer(r"\S+", record)]
    one, other = random.choice(cells), random.choice(cells)
    return record[: one.start()] + other[0] + record[one.end() :]


def _names(record: str, random: Random) -> str:
    key = random.choice(
        ("WhiteName", "YellowName", "RedName", "Event", "Time", "Lapse", "Result", "Table", "Options")
    )
    return f"{key} = {random.choice(('', 'White wins: '))}{random.choice(HOSTILE)}\n{record}"


def _comments(record: str, random: Random) -> str:
    hostile = random.choice(HOSTILE)
    lines = record.splitlines(keepends=True)
    said = random.choice(
        (f"; {hostile}\n", f"taken back to 2 White: {hostile}\n", f"{hostile}\n", f"3. {hostile}\n")
    )
    lines.insert(random.randrange(len(lines) + 1), said)
    return "".join(lines)


CHANGES_OF: dict[str, Change] = {
    "bytes": _bytes,
    "a piece": _cut,
    "lines": _lines,
    "numbers": _numbers,
    "cells": _cells,
    "names": _names,
    "comments": _comments,
}


def _cases(seeds: Iterable[int]) -> Iterator[tuple[str, str, int]]:
    """Yield the kinds of changes for each record, again and again with other draws."""
    for seed in seeds:
        for record in ("sample", "branch", "spies"):
            for kind in CHANGES_OF:
                yield record, kind, seed


@pytest.mark.telling(name=["sample"], seed=[0])
@pytest.mark.parametrize(("name", "kind", "seed"), telling(_cases(range(4)), others=_cases(range(4, 20))))
def test_a_changed_record_is_refused_or_becomes_a_game_that_is_right(
    name: str, kind: str, seed: int, club: Club
) -> None:
    played, random = _played()[name], Random(f"{name} {kind} {seed}")
    begun = 0
    for _ in range(CHANGES):
        record = CHANGES_OF[kind](played.record, random)
        if not record.strip():
            continue
        try:
            number = brings(club, record, played.rules, **played.options)
        except (RecordRefused, UsageError) as refused:
            assert str(refused).isprintable() and len(str(refused)) < 700, record
            assert len(_games(club)) == begun and club.collect() == (), "something was started"
            continue
        begun += 1
        assert _games(club) == [*range(1, number + 1)]
        again = write_record(application(club), number, "umpire")
        assert club.game(number).rulebook.records.replay(again).consistent, record
        if club.game(number).status == "ended":
            assert verify(again).fits, record
        assert all(sign.isprintable() or sign in "\n" for sign in again)
        assert max(map(len, again.splitlines())) <= LONGEST_FACT + 100, record[:300]


def _games(club: Club) -> list[int]:
    with club.store.reading() as lookup:
        return sorted(row.number for row in lookup.games.all() if row.seats)
