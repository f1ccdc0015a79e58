"""What two players agree on beside the rules of their game: options that every game has, and no rulebook knows of."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Literal

from referee.faults import Fault

Press = Literal["named", "anonymous", "off"]
"""How players of a game may write to each other: by their names, without a name, or not at all."""

PRESS = "press"
PRESS_CHOICES: tuple[Press, ...] = ("named", "anonymous", "off")
_CHOICES: Mapping[str, tuple[Press, ...]] = {PRESS: PRESS_CHOICES}
KEYS = tuple(_CHOICES)
"""The options that every game has."""
_MEANT = {
    **dict.fromkeys(("no", "none", "0", "false", "without"), "off"),
    **dict.fromkeys(("on", "yes"), "named"),
}
"""What was perhaps meant by words that look like another choice."""


def of_the_rules(options: Mapping[str, str]) -> dict[str, str]:
    """Return a game's options without those that every game has."""
    return {key: value for key, value in options.items() if key not in _CHOICES}


def press_of(options: Mapping[str, str]) -> Press:
    """Return how the players of a game may write to each other: by their names, unless they have agreed otherwise."""
    said = options.get(PRESS, "named")
    return next((choice for choice in _CHOICES[PRESS] if choice == said), "named")


def check_agreements(options: Mapping[str, str]) -> tuple[Fault, ...]:
    """Return what is wrong with those of a game's options that every game has; nothing when all is well."""
    faults = []
    for key, choices in _CHOICES.items():
        said = options.get(key)
        if said is None or said in choices:
            continue
        near = _MEANT.get(said) or next(iter(get_close_matches(said, choices, 1)), "")
        faults.append(
            Fault(
                "option-choice",
                "{key} is {choices}, not {said}",
                {"key": key, "choices": ", ".join(choices), "said": said},
                "unreadable",
                f"{key}={said}",
                None,
                f"{key}={near}" if near else "",
            )
        )
    return tuple(faults)
