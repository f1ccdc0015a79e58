"""What a stage asks of those who show it: words for what happened."""

from __future__ import annotations

from typing import Any, Protocol

from referee.rulebooks.rulebook import Result


class Wording(Protocol):
    """How a page words what happened in a game."""

    def result(self, result: Result) -> str:
        """Return how the game ended: "White wins by ruling: no letter since May"."""
        ...

    def part(self, part: str, **shown: Any) -> str:
        """Return what one of the rulebook's templates says in English, as plain text, to people who do not play."""
        ...
