"""The rulebooks that other packages bring, found by the entry point group `referee.rulebooks`.

Such a package names an `Entry` there. One that cannot be used is left out, with the reason; the others are
not affected.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint, entry_points

from referee.rulebooks.entry import Entry, folder_of, load
from referee.rulebooks.rulebook import OBSERVER, UMPIRE, Rulebook, Seat

GROUP = "referee.rulebooks"
TEMPLATES = "templates"
"""The folder in such a package with the templates of its letters."""
SEATS = 2
"""How many seats a game has."""
_NAME, _SEAT = re.compile(r"[a-z][a-z0-9-]{1,30}"), re.compile(r"[a-z]{2,20}")


@dataclass(frozen=True, slots=True)
class Unusable:
    """A rulebook that cannot be used.

    package: what it comes from, with the version.
    reason: a clause.
    """

    name: str
    package: str
    reason: str


def find_installed(taken: Collection[str]) -> tuple[tuple[Entry, ...], tuple[Unusable, ...]]:
    """Return the rulebooks of other packages, and those that cannot be used. taken: names of other rulebooks."""
    found: dict[str, Entry] = {}
    unusable = []
    for point in sorted(entry_points(group=GROUP), key=lambda each: (each.name, _package(each))):
        try:
            found[point.name] = _entry(point, {*taken, *found})
        except (Exception, SystemExit) as error:
            unusable.append(Unusable(point.name, _package(point), reason_of(error)))
    return tuple(found.values()), tuple(unusable)


def _entry(point: EntryPoint, taken: Collection[str]) -> Entry:
    """Return what an entry point names. Raises an exception of any kind where it is unusable."""
    entry = point.load()
    if not isinstance(entry, Entry):
        raise TypeError(f"{point.value} is no Entry, but of the type {type(entry).__name__}")
    if faults := list(_faults(entry, point.name, taken)):
        raise ValueError("; ".join(faults))
    return replace(entry, package=_package(point))


def _faults(entry: Entry, name: str, taken: Collection[str]) -> Iterator[str]:
    if entry.name != name:
        yield f"its entry point is called {name}, and its entry {entry.name}"
    if not _NAME.fullmatch(entry.name):
        yield "its name is not of small letters, digits and dashes"
    if entry.name in taken:
        yield f"there are other rules named {entry.name}"
    if not entry.title.strip() or not entry.title.isprintable():
        yield "it has no title"
    if len(set(entry.seats)) != SEATS or len(entry.seats) != SEATS:
        yield f"it has {len(entry.seats)} seats; a game of this service has {SEATS}, each with its own name"
    if bad := [seat for seat in entry.seats if not _SEAT.fullmatch(seat) or seat in (UMPIRE, OBSERVER)]:
        yield f"no seat can be called {', '.join(map(repr, bad))}"


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.module


def trouble(entry: Entry) -> str:
    """Load a rulebook of another package; return why it cannot be used, "" where it can."""
    return _trouble(entry.place, (entry.name, entry.title, entry.seats))


@cache
def _trouble(place: str, meant: tuple[str, str, tuple[Seat, ...]]) -> str:
    try:
        rulebook: Rulebook = load(place)()
        said = rulebook.name, rulebook.title, tuple(rulebook.seats)
        folder = folder_of(place)
        if not resources.files(folder).joinpath(TEMPLATES).is_dir():
            return f"{folder} has no folder {TEMPLATES}"
    except (Exception, SystemExit) as error:
        return reason_of(error)
    return "" if said == meant else f"it says that it is {said}, and its entry that it is {meant}"


def reason_of(error: BaseException) -> str:
    """Return what went wrong as a clause on one line."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def usable(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries whose rulebooks can be used; those of other packages are loaded to see it."""
    yield from (each for each in entries if not each.package or not trouble(each))
