"""Which comments belong to turns that no longer count at the end of a game: pure.

Turns are taken back, and what was taken back last may be restored. So what was written in a turn goes with
it, and comes back with it.
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
    """Return for each comment whether its turn no longer counts.

    events: all of a game, each with its time, oldest first.
    branches: what was taken back by them, oldest first.
    """
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
    """Return whether a comment belongs to withdrawn turns.

    In the turn to which a game was taken back, only the comments of its own player do.
    """
    return comment.turn > back.turn or (comment.turn == back.turn and comment.seat == back.seat)


def _put_back(events: Sequence[Dated], branches: Sequence[Undone]) -> int:
    """Return which of these branches is restored by the events that begin here.

    It is the last, or, where later play had to be taken back for it, the one before. Orders that begin the
    last branch are never restored after it was taken back for them, so the answer is certain.
    """
    run = takewhile(
        lambda each: isinstance(each[1], BETWEEN) or (isinstance(each[1], Ruled) and each[1].again), events
    )
    orders = tuple((each.seat, each.order) for _, each in run if isinstance(each, Ruled))
    last = len(branches) - 1
    return last if branches[last].turns == orders else last - 1
