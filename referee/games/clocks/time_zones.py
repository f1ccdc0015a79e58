"""Time zones as people write them: a name of the IANA list, or a city alone, in any case."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from zoneinfo import available_timezones

from referee.common.i18n import LANGUAGES, SOURCE, write_city
from referee.common.nearest import Nearest, Words, nearest_word

UTC = "UTC"
_ALIASES = {"gmt": UTC, "z": UTC, "zulu": UTC, "universal": UTC}
_AREAS = (
    "Europe",
    "America",
    "Asia",
    "Africa",
    "Australia",
    "Pacific",
    "Atlantic",
    "Indian",
    "Arctic",
    "Antarctica",
)
"""The areas of the list that are used. Other zones (GMT+1, EST, US/Eastern) are outdated or commonly misread."""
SHORTEST = 4
"""The least number of letters in a name for spelling correction: shorter names resemble too many."""
_NEAREST = 0.7
"""The least similarity of two names for a suggestion (difflib's ratio)."""


def find_zone(said: str) -> str:
    """Return the IANA name of a zone: `europe/paris`, `Paris`, `New York`, `londres`, `utc`; "" where there is none."""
    return _known().get(_key(said), "")


def nearest_zone(said: str, nearest: Nearest = nearest_word) -> str:
    """Return the zone that was probably meant by an unknown name, "" where no name is similar."""
    names = _known()
    if len(said) < SHORTEST or any(map(str.isdigit, said)):
        return ""
    key = _key(said)
    words = _words()
    near = nearest(key.rpartition("/")[2], words, _NEAREST) or nearest(key, words, _NEAREST)
    return names[near] if near else ""


@cache
def _words() -> Words:
    return Words(_known())


def _key(said: str) -> str:
    """Return the common form of all spellings of a name: case, accents, blanks and hyphens do not count."""
    plain = unicodedata.normalize("NFKD", said.strip().strip(".!,").casefold())
    bare = "".join(c for c in plain if not unicodedata.combining(c))
    return "_".join(bare.replace("_", " ").replace("-", " ").replace("'", "").replace("’", "").split())


@cache
def _known() -> Mapping[str, str]:
    """Return all names by key: whole names, and cities alone in the languages of letters.

    Where two zones have cities of the same name, the zone in the area listed first has it.
    """
    # Imported here because few letters need it, and it is slow to import.
    from babel.core import get_global  # noqa: PLC0415

    zones = sorted(
        (zone for zone in available_timezones() if zone.partition("/")[0] in _AREAS),
        key=lambda zone: (_AREAS.index(zone.partition("/")[0]), zone.count("/"), zone),
    )
    known = {_key(UTC): UTC, **_ALIASES}
    aliases = get_global("zone_aliases")  # outdated names of zones are not translated, only their cities
    for zone in zones:
        known[_key(zone)] = zone
    for zone in zones:
        known.setdefault(_key(zone.rpartition("/")[2]), zone)
    for language in LANGUAGES:
        if language != SOURCE:
            for zone in zones:
                if zone not in aliases:
                    known.setdefault(_key(write_city(zone, language)), zone)
    return known
