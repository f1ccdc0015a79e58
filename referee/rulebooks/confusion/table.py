"""The movement table: what each type of piece can do (CF-2). It is data, which this module reads and queries.

A table is a TOML file (`table.toml` is the one in the package) with `name = …` and a section for each of the
types 1 to 12, for `+` (promoted) and optionally for `?` (the double agent of the thirteen-spy edition). The
opening of a game holds the whole table, so that a later table does not change the game (CF-2.1).
"""

from __future__ import annotations

import re
import tomllib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any

from referee.common.errors import SettingsError
from referee.common.long_keys import MOST_DOTS, line_of_dots
from referee.rulebooks.confusion.compass import HEADINGS
from referee.rulebooks.limits import LARGEST_TABLE

NUMBERS = tuple(range(1, 13))
"""The twelve types (CF-2.1)."""

PROMOTED = "+"
DOUBLE_AGENT = "?"
LONGEST_REACH = 11
_FIELDS = ("name", "reach", "promotes", *HEADINGS)
_ARTICLES: Mapping[str, Mapping[str, str]] = {
    "fr": {
        "": "le type ",
        **dict.fromkeys(("Fusée", "Sonde", "Tour", "Lavette"), "la "),
        **dict.fromkeys(("Pied de poule", "Novice", "Roi", "Crabe", "Cardinal"), "le "),
        **dict.fromkeys(("Arroseur", "Évêque", "Abbé", "Agent double"), "l'"),
    }
}
"""What precedes a type's name, in languages where that depends on the name; "" is for any other name."""


@dataclass(frozen=True, slots=True)
class Row:
    """One type.

    number: "1".."12", "+" or "?".
    names: by language ("en", "fr").
    reach: longest move in squares, 0 for `?` alone.
    headings: each with the evidence for it, in table order.
    """

    number: str
    names: Mapping[str, str]
    reach: int
    headings: Mapping[str, str]
    promotes: bool

    def can(self, heading: str, length: int) -> bool:
        """Return whether the type goes `length` squares (1 or more) that way."""
        return length <= self.reach and heading in self.headings

    def name(self, language: str = "en") -> str:
        """Return the type's name, in English where the language has none."""
        return self.names.get(language) or self.names["en"]

    def definite(self, language: str = "en") -> str:
        """Return the name as in sentences about that one type: "Tower", "la Tour".

        Where the article depends on the name it is included; sentences of other languages contain their own.
        """
        name = self.name(language)
        articles = _ARTICLES.get(language)
        return name if articles is None else f"{articles.get(name) or articles['']}{name}"


@dataclass(frozen=True)
class MovementTable:
    """The whole table. rows: types 1 to 12 in this order. double_agent: the row `?`, if the file has it."""

    name: str
    rows: tuple[Row, ...]
    promoted: Row
    double_agent: Row | None = None
    promoting: int = field(init=False, repr=False, compare=False)
    """The types that are promoted on the far rank, as bits: type 1 is the lowest."""
    _farthest: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _goes: dict[tuple[str, int], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows = (*self.rows, self.promoted)
        farthest = {
            heading: max((row.reach for row in rows if heading in row.headings), default=0)
            for heading in HEADINGS
        }
        object.__setattr__(self, "_farthest", farthest)
        object.__setattr__(self, "_goes", {})
        object.__setattr__(self, "promoting", sum(1 << number - 1 for number in self.types_that_promote()))

    @property
    def agent_number(self) -> int:
        """The number of the double agent in sheets: the one after the last type's, 13."""
        return len(self.rows) + 1

    def row(self, number: int) -> Row:
        """Return the row of type 1..12, or of the double agent. Raises LookupError for an unknown type."""
        if number == self.agent_number and self.double_agent is not None:
            return self.double_agent
        return self.rows[number - 1]

    def can(self, number: int, heading: str, length: int) -> bool:
        """Return whether type `number` (1..12) goes `length` squares that way."""
        return self.rows[number - 1].can(heading, length)

    def farthest(self, heading: str) -> int:
        """Return the longest move that way of any row, including the promoted one; 0 for none (CF-4.2)."""
        return self._farthest[heading]

    def types_that_can(self, heading: str, length: int) -> tuple[int, ...]:
        """Return the numbers of the types (1..12) that go `length` squares that way."""
        return tuple(number for number, row in enumerate(self.rows, 1) if row.can(heading, length))

    def goes(self, heading: str, length: int) -> int:
        """Return the types (1..12) that go `length` squares that way as bits: type 1 is the lowest."""
        key = (heading, length)
        if key not in self._goes:
            self._goes[key] = sum(1 << number - 1 for number in self.types_that_can(heading, length))
        return self._goes[key]

    def types_that_promote(self) -> tuple[int, ...]:
        """Return the numbers of the types that are promoted on the far rank (CF-2.2)."""
        return tuple(number for number, row in enumerate(self.rows, 1) if row.promotes)

    def plain(self) -> dict[str, Any]:
        """Return the table as plain data for storage; `table_from` reads it."""
        rows = (*self.rows, self.promoted, *((self.double_agent,) if self.double_agent else ()))
        return {
            "name": self.name,
            "types": [
                {
                    "number": row.number,
                    "names": dict(row.names),
                    "reach": row.reach,
                    "headings": dict(row.headings),
                    "promotes": row.promotes,
                }
                for row in rows
            ],
        }


_read_back: deque[tuple[Mapping[str, Any], MovementTable]] = deque(maxlen=8)


def table_from(plain: Mapping[str, Any]) -> MovementTable:
    """Return the table that `MovementTable.plain` wrote; equal data gives the very same table while it is in use."""
    for known, table in tuple(_read_back):
        if known == plain:
            return table
    table = _table_from(plain)
    _read_back.appendleft((plain, table))
    return table


def _table_from(plain: Mapping[str, Any]) -> MovementTable:
    rows = {
        kept["number"]: Row(
            kept["number"], dict(kept["names"]), kept["reach"], dict(kept["headings"]), kept["promotes"]
        )
        for kept in plain["types"]
    }
    return MovementTable(
        plain["name"],
        tuple(rows[str(number)] for number in NUMBERS),
        rows[PROMOTED],
        rows.get(DOUBLE_AGENT),
    )


@cache
def default_table() -> MovementTable:
    """Return the table in the package."""
    return read_table(resources.files(__package__).joinpath("table.toml").read_text(encoding="utf-8"))


def read_table(text: str) -> MovementTable:
    """Read a movement table (TOML) and check it (CF-2.1).

    Raises SettingsError, whose text begins with the line at fault ("line 12: …"), unless the table has a
    name, the twelve numbers and the promoted row, no two types alike in movement, and for each a reach of 1
    to 11 and at least one direction.
    """
    if len(text) > LARGEST_TABLE:
        raise SettingsError(f"line 1: a movement table has at most {LARGEST_TABLE:,} characters")
    if (line := line_of_dots(text)) is not None:
        raise SettingsError(f"line {line}: this has more than {MOST_DOTS} dots outside of texts and numbers")
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(text, str(error)) from error
    lines = _Lines(text)
    for key in said:
        if key not in ("name", "type"):
            raise SettingsError(
                f"line {lines.top(key)}: unknown key `{key}`{_nearest(key, ('name', 'type'))}"
            )
    name = said.get("name")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise SettingsError(
            f'line {lines.top("name")}: the table needs a name in one line, as in name = "classic"'
        )
    sections = said.get("type")
    if not isinstance(sections, dict):
        raise SettingsError("line 1: the table has no types; each is a section, as in [type.1]")
    rows = {number: _read_row(number, section, lines) for number, section in sections.items()}
    for number in (*map(str, NUMBERS), PROMOTED):
        if number not in rows:
            after = max((lines.section(other) for other in rows if _before(other, number)), default=1)
            raise SettingsError(f"line {after}: after this section [type.{_key(number)}] is missing")
    _refuse_twins(rows, lines)
    return MovementTable(
        name.strip(),
        tuple(rows[str(number)] for number in NUMBERS),
        rows[PROMOTED],
        rows.get(DOUBLE_AGENT),
    )


class _Lines:
    """Finds the line of a section or key in the text of a table, for messages."""

    _SECTION = re.compile(r"""\s*\[\s*type\s*\.\s*["']?([^"'\]\s]+)["']?\s*\]""")

    def __init__(self, text: str) -> None:
        self._sections: dict[str, int] = {}
        self._keys: dict[tuple[str, str], int] = {}
        section = ""
        for number, line in enumerate(text.splitlines(), 1):
            if found := self._SECTION.match(line):
                section = found[1]
                self._sections.setdefault(section, number)
            elif found := re.match(r"""\s*["']?([\w-]+)["']?\s*[=.]""", line):
                self._keys.setdefault((section, found[1]), number)
            elif found := re.match(r"\s*\[+\s*([\w-]+)", line):
                self._keys.setdefault(("", found[1]), number)

    def top(self, key: str) -> int:
        return self._keys.get(("", key), 1)

    def section(self, number: str) -> int:
        return self._sections.get(number, 1)

    def key(self, number: str, key: str) -> int:
        return self._keys.get((number, key), self.section(number))


def _read_row(number: str, section: Any, lines: _Lines) -> Row:
    here = f"line {lines.section(number)}"
    if number not in (*map(str, NUMBERS), PROMOTED, DOUBLE_AGENT):
        raise SettingsError(f"{here}: there is no type {number}; the types are 1 to 12, + and ?")
    if not isinstance(section, dict):
        raise SettingsError(f"{here}: type {number} is a section, as in [type.{_key(number)}]")
    for key in section:
        if key not in _FIELDS:
            where = lines.key(number, key)
            raise SettingsError(
                f"line {where}: type {number} has an unknown key `{key}`{_nearest(key, _FIELDS)}"
            )
    names = section.get("name")
    if not isinstance(names, dict) or not all(isinstance(name, str) and name for name in names.values()):
        where = lines.key(number, "name")
        raise SettingsError(f'line {where}: type {number} needs its name, as in name = {{ en = "Rocket" }}')
    if "en" not in names:
        raise SettingsError(f"line {lines.key(number, 'name')}: type {number} needs a name in English (en)")
    promotes = section.get("promotes")
    if not isinstance(promotes, bool):
        where = lines.key(number, "promotes")
        raise SettingsError(f"line {where}: type {number} needs promotes = true or promotes = false")
    headings = {heading: section[heading] for heading in HEADINGS if heading in section}
    for heading, evidence in headings.items():
        if not isinstance(evidence, str):
            where = lines.key(number, heading)
            raise SettingsError(
                f'line {where}: beside {heading} stands how it is known, as in {heading} = "text"'
            )
    if number == DOUBLE_AGENT:
        if headings or "reach" in section:
            raise SettingsError(f"{here}: type ? has no movement of its own; leave out reach and directions")
        return Row(number, names, 0, {}, promotes)
    reach = section.get("reach")
    if not isinstance(reach, int) or isinstance(reach, bool) or not 1 <= reach <= LONGEST_REACH:
        where = lines.key(number, "reach")
        raise SettingsError(f"line {where}: type {number} needs a reach from 1 to {LONGEST_REACH}")
    if not headings:
        raise SettingsError(f"{here}: type {number} needs at least one direction of {', '.join(HEADINGS)}")
    return Row(number, names, reach, headings, promotes)


def _refuse_twins(rows: Mapping[str, Row], lines: _Lines) -> None:
    seen: dict[tuple[int, frozenset[str]], str] = {}
    for number in map(str, NUMBERS):
        movement = (rows[number].reach, frozenset(rows[number].headings))
        if movement in seen:
            raise SettingsError(
                f"line {lines.section(number)}: type {number} moves exactly like type {seen[movement]}; no two may"
            )
        seen[movement] = number


def _not_toml(text: str, complaint: str) -> SettingsError:
    found = re.search(r"\(at line (\d+), column \d+\)", complaint)
    line = int(found[1]) if found else text.count("\n") + 1
    words = re.sub(r"\s*\(at .*\)$", "", complaint)
    return SettingsError(f"line {line}: this is not TOML: {words}")


def _before(number: str, other: str) -> bool:
    order = [*map(str, NUMBERS), PROMOTED, DOUBLE_AGENT]
    return order.index(number) < order.index(other)


def _key(number: str) -> str:
    return number if number.isdigit() else f'"{number}"'


def _nearest(key: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(key, known, 1)
    return f"; did you mean `{near[0]}`?" if near else f"; known are {', '.join(known)}"
