"""What stands beside the moves, for those who may read it: press, diaries and cases, and what umpires have done.

Press is for both sides. A diary is its owner's alone until the game is over, then it is for both. A case, with what was
ruled, is for who brought it and for the umpire, who sees a diary no sooner than the other side does. What an umpire has
ruled in words or done is for both sides, and for whoever watches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from referee.games.umpire_log import Done
from referee.rulebooks.rulebook import OBSERVER, Json, Seat

CommentKind = Literal["press", "diary", "claim", "ruling", "act"]
Step = Literal["claim", "ruling", "appeal"]
BY_UMPIRES: frozenset[CommentKind] = frozenset(("ruling", "act"))
"""What an umpire has ruled in words, or done."""
MOST_IN_A_LETTER = 100
"""Comments by players in a record that is sent by letter: the newest so many."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Something that a seat wrote. turn: what was being played. at: aware UTC. text: may have several lines.

    Of a claim, which opens a case: its number there; step: of the case; and of a ruling, verdict and by, the name of
    the officer who ruled, "" for whoever runs the service. former: who wrote it, or has brought it, sits there no more.
    Of an act of an umpire's, whose reason is the text: what was done; public: whoever watches may hear of it. heard: of
    an act, or a ruling in words, how many happenings all had heard when it came.
    """

    kind: CommentKind
    seat: Seat
    turn: int
    at: datetime
    text: str = field(repr=False)
    case: int | None = None
    step: Step = "claim"
    verdict: str = ""
    by: str = ""
    former: bool = False
    what: str = ""
    public: bool = True
    heard: int = 0

    def plain(self) -> dict[str, Json]:
        """Return it as plain data; `at` as in "2026-12-03T17:00:00Z"."""
        at = self.at.strftime("%Y-%m-%dT%H:%M:%SZ")
        said: dict[str, Json] = {"seat": self.seat, "turn": self.turn, "at": at, "text": self.text}
        if self.former:
            said["former"] = True
        if self.case is not None:
            said |= {"case": self.case, "step": self.step}
        if self.step == "ruling":
            said |= {"verdict": self.verdict or None, "by": self.by or None}
        return said

    @property
    def heading(self) -> str:
        """What it is, to an operator and in a record: "press", "case 1, ruling by Ulla (rejected)"."""
        if self.kind == "act":
            return self.what
        if self.case is None:
            return f"{self.kind} of an earlier player" if self.former else self.kind
        by = f" by {self.by}" if self.by else ""
        verdict = f" ({self.verdict})" if self.verdict else ""
        return f"case {self.case}, {self.step}{by}{verdict}"

    @property
    def lines(self) -> list[str]:
        """Its lines, as a terminal or a record can show them: without signs that steer anything."""
        return ["".join(c if c.isprintable() else " " for c in line) for line in self.text.splitlines()]


def comments_on(acts: Iterable[Done]) -> list[Comment]:
    """Return what umpires have done as comments: each act, and why."""
    return [
        Comment(
            "act",
            Seat(""),
            done.turn,
            done.at,
            done.reason,
            what=done.what,
            public=done.public,
            heard=done.heard,
        )
        for done in acts
    ]


def readable_by(seat: Seat | None, written: Iterable[Comment], *, over: bool) -> list[Comment]:
    """Return what a seat may read of what stands beside a game's moves, or the umpire (None), or whoever watches
    (OBSERVER), in its order. over: it is."""
    if seat == OBSERVER:
        return [each for each in written if each.kind in BY_UMPIRES and each.public]
    return [
        each
        for each in written
        if each.kind == "press"
        or each.kind in BY_UMPIRES
        or (each.kind == "diary" and (over or (each.seat == seat and not each.former)))
        or (each.kind == "claim" and (seat is None or (each.seat == seat and not each.former)))
    ]


def with_comments(record: str, comments: Sequence[Comment], most: int | None = None) -> str:
    """Return a record with what was written beside the moves below its rows, as comments (`;`), which nothing that
    reads it takes for anything else. most: the newest so many that players wrote; None for all.
    """
    if not comments:
        return record
    places = [place for place, each in enumerate(comments) if each.kind not in BY_UMPIRES]
    left_out = frozenset(places[: max(0, len(places) - most)] if most is not None else ())
    lines = ["; What was written beside the moves:"]
    if left_out:
        lines.append(f"; (the newest {len(places) - len(left_out)} of {len(places)})")
    for place, each in enumerate(comments):
        if place in left_out:
            continue
        who = each.seat.capitalize() or "the umpire"
        lines.append(f"; turn {each.turn}, {who}, {each.heading}{':' if each.text else ''}")
        lines += [f";   {line}".rstrip() for line in each.lines]
    return record + "\n".join(lines) + "\n"
