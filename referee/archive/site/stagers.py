"""How a game is played on its page: its rulebook puts it on a stage, and the site gives the words.

Other records appear without a board. There are two kinds of stages: pieces on squares, and armies on a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from referee.reports.renderer import Cast, write_part
from referee.rulebooks.catalogue import CATALOGUE
from referee.rulebooks.entry import load
from referee.rulebooks.rulebook import Happening, Result, Rulebook
from referee.rulebooks.stages.battle import BattleStage
from referee.rulebooks.stages.board import Stage
from referee.service.queries import write_result

AnyStage: TypeAlias = Stage | BattleStage

STAGERS: Mapping[str, str] = {entry.name: entry.stage for entry in CATALOGUE if entry.stage}
"""What makes a stage, by the rulebook's name."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a site; see Wording."""

    rulebook: Rulebook

    def result(self, result: Result) -> str:
        return write_result(result)

    def part(self, part: str, **shown: Any) -> str:
        return write_part(self.rulebook, part, who=Cast({}, None), **shown)


def stage_of(rulebook: Rulebook, happenings: Sequence[Happening], *, over: bool) -> AnyStage | None:
    """Return a game's stage, None where its rulebook has none.

    over: the happenings are all of a finished game; otherwise an observer's.
    """
    if not has_stage(rulebook.name):
        return None
    stage: AnyStage = load(STAGERS[rulebook.name])(rulebook, happenings, over=over, words=_Words(rulebook))
    return stage


def has_stage(rules: str) -> bool:
    """Return whether games by these rules are played on their pages."""
    return rules in STAGERS
