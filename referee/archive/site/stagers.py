"""The rulebooks whose games are played on their pages, and their stagers.

Other records appear without a board. A new one is one more line: a function of a rulebook and happenings that
returns a stage. There are two kinds: pieces on squares, and armies on a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from referee.archive.site import abbott, battle
from referee.rulebooks.stages.battle import BattleStage
from referee.rulebooks.stages.board import Stage
from referee.rulebooks.catalogue import AnyRulebook
from referee.rulebooks.rulebook import Happening

AnyStage: TypeAlias = Stage | BattleStage


class Stager(Protocol):
    """Makes a game's stage. over: the happenings are all of a finished game; otherwise an observer's."""

    def __call__(self, rulebook: AnyRulebook, happenings: Sequence[Happening], *, over: bool) -> AnyStage: ...


STAGERS: Mapping[str, Stager] = {"confusion": abbott.stage, "spies": abbott.stage, "cards": battle.stage}
"""The stagers by the rulebook's name."""
