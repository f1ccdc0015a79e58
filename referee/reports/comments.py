"""What players wrote beside the moves, for those who may read it: press, diaries and claims.

Press is for both sides. A diary is its owner's alone until the game is over, then it is for both. A claim is for who
brought it and for the umpire, who sees a diary no sooner than the other side does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from referee.rulebooks.rulebook import Json, Seat

CommentKind = Literal["press", "diary", "claim"]
MOST_IN_A_LETTER = 100
"""Comments of a record that is sent by letter: the newest so many."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Something that a seat wrote. turn: what was being played. at: aware UTC. text: may have several lines."""

    kind: CommentKind
    seat: Seat
    turn: int
    at: datetime
    text: str = field(repr=False)

    def plain(self) -> dict[str, Json]:
        """Return it as plain data; `at` as in "2026-12-03T17:00:00Z"."""
        at = self.at.strftime("%Y-%m-%dT%H:%M:%SZ")
        return {"seat": self.seat, "turn": self.turn, "at": at, "text": self.text}

    @property
    def lines(self) -> list[str]:
        """Its lines, as a terminal or a record can show them: without signs that steer anything."""
        return ["".join(c if c.isprintable() else " " for c in line) for line in self.text.splitlines()]


def readable_by(seat: Seat | None, written: Iterable[Comment], *, over: bool) -> list[Comment]:
    """Return what a seat may read of what was written in a game, or the umpire (None), in its order. over: it is."""
    return [
        each
        for each in written
        if each.kind == "press"
        or (each.kind == "diary" and (over or each.seat == seat))
        or (each.kind == "claim" and seat in (None, each.seat))
    ]


def with_comments(record: str, comments: Sequence[Comment], most: int | None = None) -> str:
    """Return a record with press and diaries below its rows, as comments (`;`), which nothing that reads it takes for
    anything else; claims have no place in it. most: the newest so many; None for all.
    """
    told = [each for each in comments if each.kind != "claim"]
    shown = told if most is None else told[-most:]
    if not shown:
        return record
    lines = ["; What was written beside the moves:"]
    if len(shown) < len(told):
        lines.append(f"; (the newest {len(shown)} of {len(told)})")
    for each in shown:
        lines.append(f"; turn {each.turn}, {each.seat.capitalize()}, {each.kind}:")
        lines += [f";   {line}".rstrip() for line in each.lines]
    return record + "\n".join(lines) + "\n"
