"""The rulebooks of this house. A new one is one more line."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from referee.common.errors import UsageError
from referee.rulebooks.cards import Cards
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.rulebook import Rulebook
from referee.rulebooks.spies import Spies

AnyRulebook = Rulebook[Any, Any, Any]

RULEBOOKS: tuple[AnyRulebook, ...] = (Confusion(), Spies(), Cards())


def find_rulebook(name: str, rulebooks: Sequence[AnyRulebook] = RULEBOOKS) -> AnyRulebook:
    """Return the rulebook of that name, in any case. Raises UsageError that suggests the nearest name."""
    for rulebook in rulebooks:
        if rulebook.name == name.strip().lower():
            return rulebook
    known = ", ".join(rulebook.name for rulebook in rulebooks)
    near = nearest_rulebook(name, rulebooks)
    meant = f"; did you mean {near}?" if near else ""
    raise UsageError(f"there are no rules named {name.strip()!r}; known are: {known}{meant}")


def nearest_rulebook(name: str, rulebooks: Sequence[AnyRulebook] = RULEBOOKS) -> str:
    """Return the name of the rulebook that was perhaps meant, "" when none is near."""
    names = [rulebook.name for rulebook in rulebooks]
    return next(iter(get_close_matches(name.strip().lower(), names, 1)), "")
