"""What an operator may look at: games, one game as a viewer sees it, records, letters. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.assembly import Premises
from referee.commands.words import WORDS
from referee.errors import UsageError
from referee.games.events import read_event
from referee.games.game import Game, fold_game
from referee.games.player import Player
from referee.reports.report import GameFace, Reader, Report
from referee.reports.typeset import typeset
from referee.rulebooks.rulebook import UMPIRE, Json, Seat
from referee.store.unit import Unit


@dataclass(frozen=True, slots=True)
class Seen:
    """One game as a viewer may see it: in words, as plain data, as pictures."""

    text: str = field(repr=False)
    data: Mapping[str, Json] = field(repr=False)
    png: bytes | None = field(repr=False)
    svg: str | None = field(repr=False)
