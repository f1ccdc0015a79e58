"""What a writer got wrong, as a value: faults are collected and reported together, never raised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from referee.common.i18n import N_, Translate, fill

Grade = Literal["unreadable", "ambiguous", "not-allowed"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a letter or file: line and column, both from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return self.write()

    def write(self, translate: Translate = str) -> str:
        """Return the place in words: "line 3, column 5"."""
        return translate(N_("line {line}, column {column}")).format(line=self.line, column=self.column)


@dataclass(frozen=True, slots=True)
class Fault:
    """One slip: what, where, why, and what was perhaps meant.

    A fault uses only what its reader knows.

    message: a whole sentence without place and full stop. It is translated where it is read.
    facts: fill the {names} in message. Facts that are our own words are Phrases (see i18n).
    excerpt: what was written.
    suggestion: text that would be accepted.
    rule: id of the rule that was broken ("CF-4.2"), if any.
    """

    code: str
    message: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    grade: Grade = "not-allowed"
    excerpt: str = ""
    place: Place | None = None
    suggestion: str = ""
    rule: str = ""

    def reason(self, translate: Translate = str) -> str:
        """Return the bare sentence: 'there is no piece B'."""
        return fill(self.message, self.facts, translate)

    def sentence(self) -> str:
        """Return the whole message for a person: place, reason, suggestion and rule."""
        where = f"{self.place}, ".capitalize() if self.place else ""
        quoted = f"`{self.excerpt}`: " if self.excerpt else ""
        meant = f" Did you mean {self.suggestion}?" if self.suggestion else ""
        rule = f" ({self.rule})" if self.rule else ""
        return f"{where}{quoted}{self.reason()}.{meant}{rule}"
