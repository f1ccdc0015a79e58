"""What an edition decides: one table of switches drives all rules (part B of the rules).

A game is played in the edition `en`, `fr` or `custom`; that one takes a base edition and says what it has otherwise.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple

from referee.common.faults import Fault
from referee.rulebooks.rulebook import Json

EDITION, BASE = "edition", "base"
"""The options that name the edition, and of a custom game the one that it starts from."""
CUSTOM = "custom"


class Halt(NamedTuple):
    """Where a unit stops before an enemy face to face (CC-3.9, CC-3.10).

    how: at the first step below the distance, or at the last one that leaves it open.
    """

    how: str
    cm: float


class CloseIn(NamedTuple):
    """Face to face from this distance on, a unit may close in until it falls below another (CC-3.11)."""

    start: float
    stop_below: float


class Markers(NamedTuple):
    """How many shot markers there are for each cannon, or for each side (CC-1.10)."""

    how: str
    number: int


class MobRally(NamedTuple):
    """How far off a mob must be to be rallied (CC-5.6, CC-5.7). enemies: men in "ranks", or all "living" ones."""

    cm: float
    enemies: str


@dataclass(frozen=True, slots=True)
class Switches:
    """What a game is played with. Lengths in cm; None where a rule is left out.

    Each field is a switch; its name is also the option of a custom game.
    """

    edition: str
    table: float | None
    """How wide the table must be; None: the scenario says (CC-1.2)."""
    markers: Markers
    """CC-1.10, CC-6.16"""
    deploy: Literal["zone", "line"]
    """Near the back line, or on it (CC-1.11, CC-1.12)."""
    first: Literal["cut", "lot"]
    """How it is settled who moves first (CC-1.14)."""
    aide: bool
    """Whether a side may have an aide (CC-1.8, CC-3.8, CC-5.5)."""
    halt: Halt
    close_in: CloseIn | None
    pass_by: float | None
    """How near a unit passes an enemy that it is not face to face with (CC-3.12, CC-3.13)."""
    alarm: float
    """A mob runs from an enemy that comes nearer than this (CC-4.4, CC-4.10)."""
    mob_lost_if: Literal["short_of_30", "off_table"]
    """When a mob that flees is lost (CC-4.6 to CC-4.8)."""
    rally_helper: Literal["staff", "general"]
    """Who brings back one man more: general or aide, or the general alone (CC-5.5)."""
    mob_rally: MobRally
    rally_ban: float
    """No unit rallies that near to an enemy who faces it (CC-5.2)."""
    combat_below: float
    """CC-7.1, CC-7.2"""
    enemies_per_combat: Literal["one", "many"]
    """CC-7.5, CC-7.6"""
    officers_last: bool
    """CC-6.17, CC-7.19, CC-7.20"""
    artillery_confuses: Literal["half_up", "full"]
    """CC-7.21, CC-7.22"""

    def plain(self) -> dict[str, Json]:
        """Return them as plain data; `switches_from` gives them back."""
        return {"edition": self.edition} | {
            name: kind.write(getattr(self, name)) for name, kind in SWITCH_FORMATS.items()
        }


@dataclass(frozen=True, slots=True)
class SwitchFormat:
    """How a switch's value is written as an option. read: raises ValueError for what is no such value."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]
    forms: str


def _words(*words: str) -> SwitchFormat:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return SwitchFormat(read, str, " or ".join(words))


def _flag(text: str) -> bool:
    return {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}[text]


_LENGTH = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,4})?")
_NUMBER = re.compile(r"[0-9]{1,2}")


def _length(text: str) -> float:
    if _LENGTH.fullmatch(text) is None:
        raise ValueError(text)
    # What rounds to nothing would be written as a length that cannot be read again.
    cm = round(float(text), 1)
    if not 0 < cm <= 300:
        raise ValueError(text)
    return cm


def _write_length(cm: float) -> str:
    return f"{cm:.1f}"


def _parts(text: str, count: int) -> list[str]:
    parts = text.replace(":", " ").replace(",", " ").split()
    if len(parts) != count:
        raise ValueError(text)
    return parts


def _read_halt(text: str) -> Halt:
    how, cm = _parts(text, 2)
    return Halt(_words("first_below", "last_at_least").read(how), _length(cm))


def _read_markers(text: str) -> Markers:
    how, number = _parts(text, 2)
    if _NUMBER.fullmatch(number) is None:
        raise ValueError(text)
    return Markers(_words("per_cannon", "per_side").read(how), int(number))


def _read_close_in(text: str) -> CloseIn:
    start, stop = map(_length, _parts(text, 2))
    if stop > start:
        raise ValueError(text)
    return CloseIn(start, stop)


def _read_mob_rally(text: str) -> MobRally:
    cm, enemies = _parts(text, 2)
    return MobRally(_length(cm), _words("ranks", "living").read(enemies))


def _or_none(kind: SwitchFormat, none: str = "none") -> SwitchFormat:
    return SwitchFormat(
        lambda text: None if text == none else kind.read(text),
        lambda value: none if value is None else kind.write(value),
        f"{kind.forms} or {none}",
    )


def _joined(read: Callable[[str], Any], forms: str) -> SwitchFormat:
    """Values of several parts are written with a colon between them: first_below:20.0."""
    return SwitchFormat(
        read,
        lambda value: ":".join(_write_length(x) if isinstance(x, float) else str(x) for x in value),
        forms,
    )


FLAG = SwitchFormat(_flag, lambda flag: "on" if flag else "off", "on or off")
LENGTH = SwitchFormat(_length, _write_length, "a length in cm")

SWITCH_FORMATS: Mapping[str, SwitchFormat] = {
    "table": _or_none(LENGTH, "any"),
    "markers": _joined(_read_markers, "per_cannon:4 or per_side:4"),
    "deploy": _words("zone", "line"),
    "first": _words("cut", "lot"),
    "aide": FLAG,
    "halt": _joined(_read_halt, "first_below:20 or last_at_least:20"),
    "close_in": _or_none(_joined(_read_close_in, "20:8")),
    "pass_by": _or_none(LENGTH),
    "alarm": LENGTH,
    "mob_lost_if": _words("short_of_30", "off_table"),
    "rally_helper": _words("staff", "general"),
    "mob_rally": _joined(_read_mob_rally, "40:ranks or 50:living"),
    "rally_ban": LENGTH,
    "combat_below": LENGTH,
    "enemies_per_combat": _words("one", "many"),
    "officers_last": FLAG,
    "artillery_confuses": _words("half_up", "full"),
}
"""How each switch is written, by its name."""

EN = Switches(
    edition="en",
    table=200.0,
    markers=Markers("per_cannon", 4),
    deploy="zone",
    first="cut",
    aide=True,
    halt=Halt("first_below", 20.0),
    close_in=None,
    pass_by=20.0,
    alarm=20.0,
    mob_lost_if="short_of_30",
    rally_helper="staff",
    mob_rally=MobRally(40.0, "ranks"),
    rally_ban=20.0,
    combat_below=20.0,
    enemies_per_combat="one",
    officers_last=True,
    artillery_confuses="half_up",
)
FR = Switches(
    edition="fr",
    table=None,
    markers=Markers("per_side", 4),
    deploy="line",
    first="lot",
    aide=False,
    halt=Halt("last_at_least", 20.0),
    close_in=CloseIn(20.0, 8.0),
    pass_by=None,
    alarm=15.0,
    mob_lost_if="off_table",
    rally_helper="general",
    mob_rally=MobRally(50.0, "living"),
    rally_ban=20.0,
    combat_below=8.0,
    enemies_per_combat="many",
    officers_last=False,
    artillery_confuses="full",
)
EDITIONS: Mapping[str, Switches] = {"en": EN, "fr": FR}


def switches_from(plain: Mapping[str, Json]) -> Switches:
    """Return the switches that `plain` wrote."""
    values = {name: kind.read(plain[name]) for name, kind in SWITCH_FORMATS.items()}
    return Switches(edition=plain["edition"], **values)


def read_switches(options: Mapping[str, str], default: str = "en") -> Switches | tuple[Fault, ...]:
    """Return the switches that a game's options ask for, or all that is wrong with them; other options are passed over.

    default: the edition where none is named. A custom game starts from `base`, or from the default; any other has
    the switches of its edition, whether they are said or not.
    """
    edition = options.get(EDITION, default)
    if edition not in (*EDITIONS, CUSTOM):
        return (_no_edition(EDITION, edition, (*EDITIONS, CUSTOM)),)
    base = options.get(BASE, default) if edition == CUSTOM else edition
    if base not in EDITIONS:
        return (_no_edition(BASE, base, tuple(EDITIONS)),)
    asked = {name: options[name] for name in SWITCH_FORMATS if name in options}
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, text in asked.items():
        try:
            values[name] = SWITCH_FORMATS[name].read(text.strip().lower())
        except (ValueError, KeyError):
            faults.append(_no_value(name, text))
    if edition != CUSTOM:
        # What the edition says anyway may be said.
        faults = [
            _not_custom(name)
            for name in asked
            if name not in values or values[name] != getattr(EDITIONS[base], name)
        ]
    if faults:
        return tuple(faults)
    return replace(EDITIONS[base], edition=edition, **values)


def _no_edition(option: str, text: str, known: tuple[str, ...]) -> Fault:
    near = difflib.get_close_matches(text.lower(), known, 1)
    return Fault(
        "no-edition",
        "there is no edition {edition}; it may be {known}",
        {"edition": text, "known": ", ".join(known)},
        excerpt=f"{option}={text}",
        suggestion=f"{option}={near[0]}" if near else "",
    )


def _not_custom(name: str) -> Fault:
    return Fault(
        "not-custom",
        "{option} is set only in a custom edition",
        {"option": name},
        excerpt=name,
        suggestion=f"{EDITION}={CUSTOM}",
    )


def _no_value(name: str, text: str) -> Fault:
    forms = SWITCH_FORMATS[name].forms
    near = difflib.get_close_matches(text.lower(), forms.split(" or "), 1)
    return Fault(
        "no-such-value",
        "{option} is {forms}",
        {"option": name, "forms": forms},
        grade="unreadable",
        excerpt=f"{name}={text}",
        suggestion=f"{name}={near[0]}" if near else "",
    )


assert [each.name for each in fields(Switches)][1:] == list(SWITCH_FORMATS), "each switch has its kind"
