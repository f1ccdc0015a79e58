"""Reads `set`: each key with its values, a time zone, and the writer's addresses."""

from __future__ import annotations

import re
from typing import Literal

from referee.commands.command import (
    Command,
    SetAddress,
    SetPreference,
    ShowChoices,
)
from referee.commands.vocabulary import Vocabulary
from referee.common.faults import Fault, Place
from referee.common.i18n import LANGUAGES, SOURCE
from referee.common.nearest import Nearest, cached_words
from referee.games.clocks.time_zones import find_zone, nearest_zone
from referee.mail.message.addresses import read_address, why_no_address
from referee.mail.message.message import OwnLine

PREFERENCES = {
    "reports": ("text", "html", "json"),
    "sheets": ("grid", "list", "picture"),
    "language": tuple(LANGUAGES),
    "picture": ("on", "off"),
    "compass": ("record", "own"),
    "letters": ("each", "daily", "urgent"),
    "calendar": ("on", "off"),
    "overview": ("off", "daily", "weekly"),
    "hold": ("15m", "1h", "6h", "1d", "wait"),
}
"""The keys of `set`, with their values."""
NOT_OFFERED = {"letters": ("quiet",)}
"""Values that `set` accepts but doesn't list: what the unsubscribe button of a mail program sets."""

ZONE = "zone"
"""Another key of `set`: a time zone, whose values are in `time_zones`."""
LONGEST_ZONE = 4
"""The most words in a city's name."""

_SWITCHES = {"yes": "on", "no": "off", "none": "off"}
"""Other words for on and off."""

_ADDRESSES: dict[str, Literal["main", "second"]] = {"address": "main", "second": "second"}
"""Further keys of `set`: the writer's addresses, and their uses."""


def read_set(line: OwnLine, rest: list[str], spelt: Vocabulary, nearest: Nearest) -> Command | Fault | None:
    """Read what follows `set`; None for prose."""
    if not rest:
        return ShowChoices(line=line)
    if 1 < len(rest) <= LONGEST_ZONE + 1 and spelt.read_key(rest[0]) == ZONE:
        return _read_zone(line, " ".join(rest[1:]), nearest)
    if len(rest) == 1:
        return _value_missing(line, rest[0], spelt)
    return _read_value(line, rest, spelt, nearest) if len(rest) == 2 else None


def _read_set_address(
    line: OwnLine, use: Literal["main", "second"], said: str, spelt: Vocabulary
) -> Command | Fault:
    if use == "second" and spelt.read_value(said) in ("none", "off", "no"):
        return SetAddress(line=line, use=use, address="")
    written = re.sub(r"^<?(?:mailto:)?|[>,;]+$", "", said, flags=re.IGNORECASE)
    if address := read_address(written):
        return SetAddress(line=line, use=use, address=address)
    return Fault(
        "no-address",
        why_no_address(written),
        {"whom": said},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.rfind(said) + 1)),
    )


def _value_missing(line: OwnLine, said: str, spelt: Vocabulary) -> Fault | None:
    """Return the fault of a key of `set` without a value, listing the values; None if it is not a key."""
    key = spelt.read_key(said)
    values = PREFERENCES.get(key, ())
    if key == ZONE:
        message = "the city is missing; name a large one in your time zone behind it, as in `set zone Paris`"
    elif key in _ADDRESSES:
        message = "the address is missing; write it behind {key}"
    elif values:
        message = "{key} can be {values}; write which behind it"
    else:
        return None
    return Fault(
        "value-missing",
        message,
        {"key": spelt.writer.write_key(key), "values": ", ".join(map(spelt.writer.write_value, values))},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, len(line.text) + 1),
    )


def _read_zone(line: OwnLine, said: str, nearest: Nearest) -> Command | Fault:
    if zone := find_zone(said):
        return SetPreference(line=line, key=ZONE, value=zone)
    near = nearest_zone(said, nearest)
    return Fault(
        "no-zone",
        "there is no time zone {zone}; name a large city in yours, as in `set zone Paris`",
        {"zone": said},
        grade="unreadable",
        excerpt=line.text,
        place=Place(line.number, max(1, line.text.rfind(said.split(maxsplit=1)[0]) + 1)),
        suggestion=f"set zone {near}" if near else "",
    )


def _read_value(line: OwnLine, rest: list[str], spelt: Vocabulary, nearest: Nearest) -> Command | Fault:
    key, value = spelt.read_key(rest[0]), spelt.read_value(rest[1])
    if key in _ADDRESSES:
        return _read_set_address(line, _ADDRESSES[key], rest[1], spelt)
    if key not in PREFERENCES:
        fitting = (each for each in PREFERENCES if value in PREFERENCES[each])
        meant = nearest(key, cached_words(tuple(PREFERENCES)), 0.7) or next(fitting, "")
        return Fault(
            "no-preference",
            "there is nothing called {key} to set; what can be set is {known}",
            {
                "key": rest[0],
                "known": ", ".join(map(spelt.writer.write_key, (*PREFERENCES, ZONE, *_ADDRESSES))),
            },
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.find(rest[0]) + 1)),
            suggestion=f"set {meant} {value if value in PREFERENCES[meant] else PREFERENCES[meant][0]}"
            if meant
            else "help set",
        )
    if key == "sheets" and value in ("on", "off", "none", "no"):
        return Fault(
            "sheets-of-a-game",
            "whether a game has sheets is agreed before it starts, by option sheets=off; "
            "what you can set is how they look: {values}",
            {"values": ", ".join(map(spelt.writer.write_value, PREFERENCES[key]))},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.rfind(rest[1]) + 1)),
        )
    if "off" in PREFERENCES[key]:
        value = _SWITCHES.get(value, value)
    if key == "language" and value not in LANGUAGES:
        return Fault(
            "no-language",
            "letters cannot be written in the language {language} yet; I write {known}",
            {"language": rest[1], "known": ", ".join(LANGUAGES)},
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.rfind(rest[1]) + 1)),
            suggestion=f"set language {SOURCE}",
        )
    if value not in (*PREFERENCES[key], *NOT_OFFERED.get(key, ())):
        near = nearest(value, cached_words(PREFERENCES[key]), 0.5) or PREFERENCES[key][0]
        return Fault(
            "no-preference-value",
            "{key} can be {values}",
            {
                "key": spelt.writer.write_key(key),
                "values": ", ".join(map(spelt.writer.write_value, PREFERENCES[key])),
            },
            grade="unreadable",
            excerpt=line.text,
            place=Place(line.number, max(1, line.text.rfind(rest[1]) + 1)),
            suggestion=f"set {key} {near}",
        )
    return SetPreference(line=line, key=key, value=value)
