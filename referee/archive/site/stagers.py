"""Which rulebooks' games are played on their pages, and by what. The record of any other stands there without a board.

A new one is one more line: a function of a rulebook and happenings that returns a Stage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from referee.archive.site import abbott
from referee.archive.site.stage import Stage
from referee.rulebooks.catalogue import AnyRulebook
from referee.rulebooks.rulebook import Happening


class Stager(Protocol):
    """Makes a game's stage. over: the happenings are all of a game that has ended; else what an observer has heard."""

    def __call__(self, rulebook: AnyRulebook, happenings: Sequence[Happening], *, over: bool) -> Stage: ...


STAGERS: Mapping[str, Stager] = {"confusion": abbott.stage, "spies": abbott.stage}
"""By the rulebook's name."""
