"""Which of what was written beside the moves belongs to turns that stand no more, at the end of a game: pure.

Turns are taken back, and what was taken back last may be put back in its place. So what was written in a turn goes with
it, and comes again with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import takewhile

from referee.games.cases import BETWEEN
from referee.games.events import Event, Ruled, TakenBack
from referee.games.game import Undone
from referee.reports.comments import Comment

Dated = tuple[datetime, Event]


def are_gone(
    comments: Sequence[Comment], events: Sequence[Dated], branches: Sequence[Undone]
) -> tuple[bool, ...]:
    """Tell of each comment whether its turn stands no more. events: all of a game, each with its time, oldest first.
    branches: what was taken back by them, oldest first."""
    gone_with: list[int | None] = [None] * len(comments)
    returns, put_back = 0, False
    for place, (at, event) in enumerate(events):
        if isinstance(event, TakenBack):
            for number, each in enumerate(comments):
                if gone_with[number] is None and each.at < at and _belongs_to_it(each, event):
                    gone_with[number] = returns
            returns, put_back = returns + 1, False
        elif isinstance(event, Ruled) and event.again and not put_back:
            put_back = True
            branch = _put_back(events[place:], branches[:returns])
            gone_with = [None if each == branch else each for each in gone_with]
    return tuple(each is not None for each in gone_with)


def _belongs_to_it(comment: Comment, back: TakenBack) -> bool:
    """In the turn to which a game was taken back, only what its own player wrote belongs to what stands no more."""
    return comment.turn > back.turn or (comment.turn == back.turn and comment.seat == back.seat)


def _put_back(events: Sequence[Dated], branches: Sequence[Undone]) -> int:
    """Return which of these branches takes its place again by the events that begin here: the last, or, where what was
    played since had to be taken back for it, the one before that. Orders that begin the last are never put back after
    it was taken back for them, so it is certain which."""
    run = takewhile(
        lambda each: isinstance(each[1], BETWEEN) or (isinstance(each[1], Ruled) and each[1].again), events
    )
    orders = tuple((each.seat, each.order) for _, each in run if isinstance(each, Ruled))
    last = len(branches) - 1
    return last if branches[last].turns == orders else last - 1
