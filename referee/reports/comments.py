"""Comments in a game, for those who may read them: press, diaries, cases and umpires' actions.

Both sides read press. A diary belongs to its owner alone until the game is over, then both sides read it. A
case and its ruling are for the player who brought it and for the umpire. The umpire sees a diary no sooner
than the opponent does. Umpires' rulings in words and their actions are for both sides and for observers.
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
"""An umpire's ruling in words, or action."""
MOST_IN_A_LETTER = 100
"""Most players' comments in a record sent by letter: the newest ones."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Something that a seat wrote.

    turn: the turn being played.
    at: aware UTC.
    text: may have several lines. For an umpire's action it is the reason.
    case: of a claim, which opens a case: its number in the game.
    step: of the case.
    verdict, by: of a ruling; by is the name of the officer who ruled, "" for the operator.
    former: the writer, or the player who brought the case, no longer has the seat.
    what: of an umpire's action: what was done.
    public: of an umpire's action: observers may see it.
    heard: of an action or a ruling in words: how many happenings all seats had heard when it came.
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
        """Return the comment as plain data; `at` as in "2026-12-03T17:00:00Z"."""
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
        """What the comment is, for operators and in records: "press", "case 1, ruling by Ulla (rejected)"."""
        if self.kind == "act":
            return self.what
        if self.case is None:
            return f"{self.kind} of an earlier player" if self.former else self.kind
        by = f" by {self.by}" if self.by else ""
        verdict = f" ({self.verdict})" if self.verdict else ""
        return f"case {self.case}, {self.step}{by}{verdict}"

    @property
    def lines(self) -> list[str]:
        """Its lines, as a terminal or a record can show them: without control characters."""
        return ["".join(c if c.isprintable() else " " for c in line) for line in self.text.splitlines()]


def comments_on(acts: Iterable[Done]) -> list[Comment]:
    """Return umpires' actions as comments: each action with its reason."""
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
    """Return the comments of a game that one reader may read, in order.

    seat: the reader's; None for the umpire, OBSERVER for observers.
    over: whether the game is over.
    """
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
    """Return a record with the comments below its rows, as comment lines (`;`).

    most: how many of the players' comments, the newest ones; None for all.
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
