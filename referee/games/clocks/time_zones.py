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
"""What a zone of the list is in. What lies elsewhere there (GMT+1, EST, US/Eastern) is old, or is read by most people
the wrong way round."""
SHORTEST = 4
"""Letters of a name that may be misspelt: with fewer, anything is like anything."""
_NEAREST = 0.7
"""How alike two names must be for the one to be asked about (difflib's ratio)."""


def find_zone(said: str) -> str:
    """Return the IANA name of a zone: `europe/paris`, `Paris`, `New York`, `londres`, `utc`; "" where there is none."""
    return _known().get(_key(said), "")


def nearest_zone(said: str, nearest: Nearest = nearest_word) -> str:
    """Return the zone that was perhaps meant by a name that is none, "" where no name is near."""
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
    """Return what all spellings of a name have in common: case, accents, blanks and hyphens do not count."""
    plain = unicodedata.normalize("NFKD", said.strip().strip(".!,").casefold())
    bare = "".join(c for c in plain if not unicodedata.combining(c))
    return "_".join(bare.replace("_", " ").replace("-", " ").replace("'", "").replace("’", "").split())


@cache
def _known() -> Mapping[str, str]:
    """Return all names by their keys: whole names, and cities alone in the languages of letters.

    Of two zones whose cities are called alike, that in the area named first has the name.
    """
    # Few letters need these, and they take a while to begin.
    from babel.core import get_global  # noqa: PLC0415

    zones = sorted(
        (zone for zone in available_timezones() if zone.partition("/")[0] in _AREAS),
        key=lambda zone: (_AREAS.index(zone.partition("/")[0]), zone.count("/"), zone),
    )
    known = {_key(UTC): UTC, **_ALIASES}
    aliases = get_global("zone_aliases")  # old names of a zone are not translated, but that of its city is
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
