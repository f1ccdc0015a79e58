"""What a writer got wrong: a value, collected and reported together, never an exception."""

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
        """Return it in words: "line 3, column 5"."""
        return translate(N_("line {line}, column {column}")).format(line=self.line, column=self.column)


@dataclass(frozen=True, slots=True)
class Fault:
    """One slip: what, where, why, and what was perhaps meant.

    message is a whole sentence without place and full stop, with {names} filled from facts, which is translated
    where it is read; facts that are words of ours are Phrases (see i18n). It uses only what its reader
    knows. excerpt is what was written. suggestion is text that would be read; rule is the id of the statement that
    was broken ("CF-4.2"), if any.
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
        """The bare sentence: 'there is no piece B'."""
        return fill(self.message, self.facts, translate)

    def sentence(self) -> str:
        """The whole of it: place, reason, suggestion and rule, for a person to read."""
        where = f"{self.place}, ".capitalize() if self.place else ""
        quoted = f"`{self.excerpt}`: " if self.excerpt else ""
        meant = f" Did you mean {self.suggestion}?" if self.suggestion else ""
        rule = f" ({self.rule})" if self.rule else ""
        return f"{where}{quoted}{self.reason()}.{meant}{rule}"
