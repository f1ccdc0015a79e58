"""Time controls: how much time a player has for which moves, as agreed between players (`option time=3d/move`).

Each is written as one word:

    none             no deadline
    3d/move          for each move; what is left of it is lost (TM-2.1)
    40d/10           for every ten moves; what is left is carried over (TM-2.2)
    20d+2d           at the start, and the increment after each move (TM-2.3)
    20d+2d,max30d    the same, up to a total of thirty days (TM-2.4)
    60d              for the whole game (TM-2.5)

A control knows the time at the start of the game and the change by a move; the ledger keeps the account.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from typing import Literal, NamedTuple

from referee.common.durations import DAY, HOUR, ZERO
from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.games.clocks.durations import DURATION, duration_phrase, read_duration, write_duration

TIME = "time"
LAPSE = "lapse"
"""The options of a game that are read here."""

LEAST = HOUR
MOST = 1000 * DAY
"""The bounds of every duration (TM-2.7)."""
LEAST_TOTAL = 7 * DAY
"""A smaller total was probably meant for one move."""
MOST_MOVES = 500
"""The most moves that one control can be for."""


class Renewal(NamedTuple):
    """The change to a player's time by a move. granted: time that is added; lapsed: remaining time that is lost."""

    granted: timedelta
    lapsed: timedelta


@dataclass(frozen=True, slots=True)
class Untimed:
    """No time is counted."""

    def phrase(self) -> Phrase:
        return Phrase(N_("no deadline"))

    def write(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class PerMove:
    """A time for each move (TM-2.1)."""

    allowance: timedelta

    @property
    def opening(self) -> timedelta:
        return self.allowance

    def renewal(self, left: timedelta, made: int) -> Renewal:
        """Return the change by the `made`th move of a player with `left` time remaining."""
        return Renewal(self.allowance, left)

    def to_control(self, made: int) -> int | None:
        """Return the number of moves until more time is given; None where it is given after each move."""
        return None

    def phrase(self) -> Phrase:
        return Phrase(N_("{time} a move"), {"time": duration_phrase(self.allowance)})

    def write(self) -> str:
        return f"{write_duration(self.allowance)}/move"


@dataclass(frozen=True, slots=True)
class Period:
    """A time for every so many moves; what is left is carried over (TM-2.2)."""

    allowance: timedelta
    moves: int

    @property
    def opening(self) -> timedelta:
        return self.allowance

    def renewal(self, left: timedelta, made: int) -> Renewal:
        return Renewal(ZERO if made % self.moves else self.allowance, ZERO)

    def to_control(self, made: int) -> int | None:
        return self.moves - made % self.moves

    def phrase(self) -> Phrase:
        time = duration_phrase(self.allowance)
        if self.moves == 1:
            return Phrase(N_("{time} for every move; what is left is carried over"), {"time": time})
        facts = {"time": time, "moves": self.moves}
        return Phrase(N_("{time} for every {moves} moves; what is left is carried over"), facts)

    def write(self) -> str:
        return f"{write_duration(self.allowance)}/{self.moves}"


@dataclass(frozen=True, slots=True)
class Fischer:
    """Time at the start, and more after each move, up to a total of `cap` (TM-2.3, TM-2.4)."""

    start: timedelta
    increment: timedelta
    cap: timedelta | None = None

    @property
    def opening(self) -> timedelta:
        return self.start

    def renewal(self, left: timedelta, made: int) -> Renewal:
        room = self.increment if self.cap is None else max(ZERO, self.cap - left)
        return Renewal(min(self.increment, room), ZERO)

    def to_control(self, made: int) -> int | None:
        return None

    def phrase(self) -> Phrase:
        facts = {"start": duration_phrase(self.start), "increment": duration_phrase(self.increment)}
        if self.cap is None:
            return Phrase(N_("{start} at the start, and {increment} more after each move"), facts)
        facts["cap"] = duration_phrase(self.cap)
        message = N_("{start} at the start, and {increment} more after each move, up to {cap}")
        return Phrase(message, facts)

    def write(self) -> str:
        cap = "" if self.cap is None else f",max{write_duration(self.cap)}"
        return f"{write_duration(self.start)}+{write_duration(self.increment)}{cap}"


@dataclass(frozen=True, slots=True)
class Total:
    """A time for the whole game (TM-2.5)."""

    allowance: timedelta

    @property
    def opening(self) -> timedelta:
        return self.allowance

    def renewal(self, left: timedelta, made: int) -> Renewal:
        return Renewal(ZERO, ZERO)

    def to_control(self, made: int) -> int | None:
        return None

    def phrase(self) -> Phrase:
        return Phrase(N_("{time} for the whole game"), {"time": duration_phrase(self.allowance)})

    def write(self) -> str:
        return write_duration(self.allowance)


Timed = PerMove | Period | Fischer | Total
Control = Untimed | Timed

UNTIMED = Untimed()

_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Timed]], ...] = (
    (
        re.compile(rf"({DURATION})/(?:1?(?:moves?|turns?|m|coups?|tours?))"),
        lambda found: PerMove(_duration(found[1])),
    ),
    (
        re.compile(rf"({DURATION})/([0-9]{{1,6}})(?:moves|turns|coups|tours)?"),
        lambda found: Period(_duration(found[1]), int(found[2])),
    ),
    (
        re.compile(
            rf"({DURATION})\+({DURATION})(?:/(?:move|turn|m|coup|tour))?(?:[,;]?max[=:]?({DURATION}))?"
        ),
        lambda found: Fischer(
            _duration(found[1]), _duration(found[2]), _duration(found[3]) if found[3] else None
        ),
    ),
    (re.compile(rf"({DURATION})"), lambda found: Total(_duration(found[1]))),
)
_NO_UNIT = re.compile(r"(?<![0-9/])([0-9]{1,6})(?=$|[/+,;])")
"""A number in place of a duration."""
_NONE = frozenset({"none", "no", "off", "0", "unlimited", "without", "aucun", "aucune", "non", "sans"})


def _duration(text: str) -> timedelta:
    found = read_duration(text)
    assert found is not None, "the expression admits nothing else"
    return found


def read_control(text: str) -> Control | Fault:
    """Read a time control as in `time=…`: in any case, with units spelt out in English or French.

    A number without a unit is a fault, whose suggestion reads it as days.
    """
    said = text.strip().casefold()
    if said == "none":
        return UNTIMED
    found = _shaped(said)
    if found is None:
        return _unreadable(text.strip(), said)
    return _absurd(text.strip(), found) or found


def write_control(control: Control) -> str:
    """Return a control in canonical text: `3d/move`."""
    return control.write()


def _shaped(said: str) -> Timed | None:
    for form, made in _FORMS:
        if found := form.fullmatch(said):
            return made(found)
    return None


def _unreadable(text: str, said: str) -> Fault:
    """Return the fault for a text that is no control, suggesting the one that was probably meant."""
    if said in _NONE:
        meant: Control | None = UNTIMED
    else:
        closer = "".join(said.split())
        closer = re.sub(r"[-_]?(?:per|par|a|each|à|pro)[-_]?(?=move|turn|coup|tour)", "/", closer)
        closer = _NO_UNIT.sub(r"\1d", closer)
        meant = _shaped(closer) or _shaped(re.sub(r"[,;]?max.*", "", closer))  # a cap where none is allowed
        if meant is not None and _absurd(text, meant):
            meant = None
    return Fault(
        "time-control",
        "there is no time control {said}; there are 3d/move, 40d/10, 20d+2d, 20d+2d,max30d, 60d (for the whole game) "
        "and none, where d stands for days and h for hours",
        {"said": text},
        "unreadable",
        f"{TIME}={text}",
        None,
        f"{TIME}={meant.write()}" if meant is not None else "",
        "TM-2.6",
    )


def _absurd(text: str, control: Timed) -> Fault | None:
    """Return the fault of a control that can be read but not played (TM-2.7), None for none."""

    def refused(message: str, meant: Control | None = None, facts: Mapping[str, int] | None = None) -> Fault:
        suggestion = f"{TIME}={meant.write()}" if meant is not None else ""
        excerpt = f"{TIME}={text}"
        return Fault("time-bounds", message, facts or {}, "not-allowed", excerpt, None, suggestion, "TM-2.7")

    match control:
        case PerMove(allowance):
            times, each = [allowance], allowance
        case Period(allowance, moves):
            if not 1 <= moves <= MOST_MOVES:
                message = "time can be given for 1 to {most} moves at once"
                return refused(message, facts={"most": MOST_MOVES})
            times, each = [allowance], allowance / moves
        case Fischer(start, increment, cap):
            times, each = [start, increment, *([] if cap is None else [cap])], min(start, increment)
            if cap is not None and ZERO < cap < max(start, increment):
                message = (
                    "the cap is less than what is given; after max stands the larger of the two, or more"
                )
                return refused(message, Fischer(start, increment, max(start, increment)))
        case Total(allowance):
            times, each = [allowance], allowance
            if LEAST <= allowance < LEAST_TOTAL:
                message = "this would be for the whole game, and that is at least {days} days"
                return refused(message, PerMove(allowance), {"days": LEAST_TOTAL.days})
    if each < LEAST:
        message = "a move has at least an hour"
        return refused(message)
    if max(times) > MOST:
        message = "nobody has more than {days} days at once"
        return refused(message, facts={"days": MOST.days})
    return None


# What happens when the time is up

Lapse = Literal["hard", "soft"]
"""hard: the service ends the game. soft: the opponent may claim it (TM-5.2, TM-5.3)."""

LAPSES: tuple[Lapse, ...] = ("hard", "soft")
_MEANT: Mapping[str, Lapse] = {
    **dict.fromkeys(("strict", "auto", "automatic", "forfeit", "yes", "on", "dur"), "hard"),
    **dict.fromkeys(("claim", "lenient", "manual", "no", "off", "none", "souple"), "soft"),
}


def read_lapse(text: str) -> Lapse | Fault:
    """Read the value of `lapse=…`."""
    said = text.strip().casefold()
    for lapse in LAPSES:
        if said == lapse:
            return lapse
    near: str = _MEANT.get(said, "") or "".join(get_close_matches(said, LAPSES, 1))
    return Fault(
        "lapse",
        "lapse is hard (the game is lost when the time is up) or soft (the opponent may claim it), not {said}",
        {"said": text.strip()},
        "unreadable",
        f"{LAPSE}={text.strip()}",
        None,
        f"{LAPSE}={near}" if near else "",
        "TM-5.2",
    )


def lapse_phrase(lapse: Lapse) -> Phrase:
    """Return what happens when the time is up, as the end of a sentence."""
    if lapse == "hard":
        return Phrase(N_("whoever uses it up loses the game"))
    return Phrase(N_("when it is used up, the opponent may claim the game"))
