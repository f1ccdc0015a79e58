"""What two players agree on besides their game's rules: options that every game has and rulebooks don't know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Literal

from referee.common.faults import Fault
from referee.games.clocks.controls import (
    LAPSE,
    TIME,
    UNTIMED,
    Control,
    Lapse,
    read_control,
    read_lapse,
    write_control,
)

Press = Literal["named", "anonymous", "off"]
"""How players of a game may write to each other: under their names, without a name, or not at all."""

PRESS = "press"
WATCHERS = "watchers"
MOST_TURNS_LATE = 99
"""The greatest delay, in turns, of reports to observers."""
PRESS_CHOICES: tuple[Press, ...] = ("named", "anonymous", "off")
_CHOICES: Mapping[str, tuple[Press, ...]] = {PRESS: PRESS_CHOICES}
_TIMES: Mapping[str, Callable[[str], Control | Lapse | Fault]] = {TIME: read_control, LAPSE: read_lapse}
"""Options that games.clocks.controls reads."""
KEYS = (*_CHOICES, WATCHERS, *_TIMES)
"""The options that every game has."""
_MEANT = {
    **dict.fromkeys(("no", "none", "0", "false", "without"), "off"),
    **dict.fromkeys(("on", "yes"), "named"),
}
"""The choice probably meant by other words."""
_WATCHERS_MEANT = dict.fromkeys(("no", "none", "0", "false", "without", "nobody"), "off")


def of_the_rules(options: Mapping[str, str]) -> dict[str, str]:
    """Return a game's options without those that every game has."""
    return {key: value for key, value in options.items() if key not in KEYS}


def press_of(options: Mapping[str, str]) -> Press:
    """Return how the players of a game may write to each other: under their names, unless they agreed otherwise."""
    said = options.get(PRESS, "named")
    return next((choice for choice in _CHOICES[PRESS] if choice == said), "named")


def watchers_of(options: Mapping[str, str]) -> int | None:
    """Return by how many turns observers' reports are delayed; None where nobody may watch, the default."""
    said = options.get(WATCHERS, "off")
    return 0 if said == "on" else int(said) if _is_number_of_turns(said) else None


def control_of(options: Mapping[str, str]) -> Control:
    """Return the time control of a game: none, unless the players agreed on one."""
    said = read_control(options.get(TIME, "none"))
    return UNTIMED if isinstance(said, Fault) else said


def lapse_of(options: Mapping[str, str]) -> Lapse:
    """Return what happens when a player's time runs out: they lose, unless the players agreed otherwise."""
    said = read_lapse(options.get(LAPSE, "hard"))
    return "hard" if isinstance(said, Fault) else said


def is_timed(options: Mapping[str, str]) -> bool:
    """Return whether time is counted in a game."""
    return TIME in options and control_of(options) is not UNTIMED


def record_head(options: Mapping[str, str]) -> dict[str, str]:
    """Return the lines on a game's time for its record's head; none where no time is counted."""
    if not is_timed(options):
        return {}
    return {"Time": write_control(control_of(options)), "Lapse": lapse_of(options)}


def tidy_agreements(options: Mapping[str, str]) -> dict[str, str]:
    """Return a game's options with the time control in the canonical form of commitments and records."""
    tidied = dict(options)
    if TIME in tidied and not isinstance(control := read_control(tidied[TIME]), Fault):
        tidied[TIME] = write_control(control)
    return tidied


def _is_number_of_turns(said: str) -> bool:
    return said.isascii() and said.isdigit() and said == str(int(said)) and 1 <= int(said) <= MOST_TURNS_LATE


def _check_watchers(options: Mapping[str, str]) -> tuple[Fault, ...]:
    said = options.get(WATCHERS, "off")
    if said in ("off", "on") or _is_number_of_turns(said):
        return ()
    digits = "".join(filter(str.isdigit, said)) if said.isascii() else ""
    near = (
        str(min(int(digits), MOST_TURNS_LATE)) if digits and int(digits) else _WATCHERS_MEANT.get(said, "on")
    )
    message = (
        "watchers is off, on, or by how many turns later others see the game, from 1 to {most}, not {said}"
    )
    facts = {"most": str(MOST_TURNS_LATE), "said": said}
    return (
        Fault(
            "option-watchers", message, facts, "unreadable", f"{WATCHERS}={said}", None, f"{WATCHERS}={near}"
        ),
    )


def check_agreements(options: Mapping[str, str]) -> tuple[Fault, ...]:
    """Return the faults of those options that every game has; empty when all are valid."""
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
    times = [read(options[key]) for key, read in _TIMES.items() if key in options]
    return (*faults, *_check_watchers(options), *(each for each in times if isinstance(each, Fault)))
