"""Who may take the free seat of an open game: conditions set by the proposer, which end when the game begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.common.faults import Fault

FINISHED, PLAYING, NOT = "finished", "playing", "not"
KEYS = (FINISHED, PLAYING, NOT)
MOST = 1000
"""The largest number of games a condition may ask for."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions for joining a game.

    finished: the least number of finished games.
    playing: the greatest number of running games, None for any number.
    others_than: numbers of players who may not join.
    """

    finished: int = 0
    playing: int | None = None
    others_than: tuple[int, ...] = field(default=())

    def plain(self) -> dict[str, Any]:
        """Return the conditions as plain data for the event; empty where there are none."""
        said: dict[str, Any] = {FINISHED: self.finished, PLAYING: self.playing, NOT: list(self.others_than)}
        return {key: value for key, value in said.items() if value or (key == PLAYING and value is not None)}

    def __bool__(self) -> bool:
        return bool(self.plain())

    def refuses(self, player: int, finished: int, playing: int) -> Fault | None:
        """Return why a player may not join, None where they may. finished, playing: how many games they have."""
        if player in self.others_than:
            return Fault("not-open-to-you", "game {game} was opened to others, not to you")
        if finished < self.finished:
            return Fault(
                "too-few-finished",
                "game {game} asks for {least} or more games finished here; finished by you: {count}",
                {"least": str(self.finished), "count": str(finished)},
            )
        if self.playing is not None and playing > self.playing:
            return Fault(
                "too-many-playing",
                "game {game} asks for players with no more than {most} running games; running with you: {count}",
                {"most": str(self.playing), "count": str(playing)},
            )
        return None


def read_conditions(said: Mapping[str, Any]) -> Conditions:
    """Return the conditions that `plain` wrote."""
    return Conditions(said.get(FINISHED, 0), said.get(PLAYING), tuple(said.get(NOT, ())))


def read_number(key: str, said: str, least: int) -> int | Fault:
    """Read the number of games that a condition asks for."""
    if said.isascii() and said.isdigit() and len(said) < 6 and least <= int(said) <= MOST:
        return int(said)
    return Fault(
        "option-number",
        "{key} is a number of games from {least} to {most}, not {said}",
        {"key": key, "least": str(least), "most": str(MOST), "said": said},
        "unreadable",
        f"{key}={said}",
        None,
        f"option {key}={3 if key == FINISHED else 5}",
    )


def names_of(said: str) -> Sequence[str]:
    """Return the names in `not=Bert,Carl_Maria`; a blank in a name is written `_`."""
    return [name for name in (each.replace("_", " ").strip() for each in said.split(",")) if name]
