"""The rulebooks of this service. A new one is one more entry; it is loaded when somebody plays by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

from referee.common.errors import UsageError
from referee.rulebooks.rulebook import Rulebook, Seat

AnyRulebook = Rulebook


@dataclass(frozen=True, slots=True)
class Entry:
    """What can be said of a rulebook before it is loaded. place: its class, as "module:class".

    program: the file in its folder that checks records by itself, for players. stage: the function that plays a game
    on its page. sample: the function that gives the game of the demonstration. movements: the function that reads a
    movement table of an operator's own, which the rulebook then takes. These three are written as place. Each is ""
    where there is none.

    topics: other words that are told on its help page. french: how its name and these topics are called in French.
    """

    name: str
    title: str
    seats: tuple[Seat, ...]
    place: str
    program: str = ""
    stage: str = ""
    sample: str = ""
    movements: str = ""
    topics: tuple[str, ...] = ()
    french: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


CATALOGUE = (
    Entry(
        "confusion",
        "Confusion",
        (Seat("white"), Seat("yellow")),
        "referee.rulebooks.confusion:Confusion",
        program="verify_game.py",
        stage="referee.rulebooks.abbott_site.stage:stage",
        sample="referee.rulebooks.confusion.sample:sample_game",
        movements="referee.rulebooks.confusion.table:read_table",
    ),
    Entry(
        "spies",
        "Confusion: Spies",
        (Seat("white"), Seat("red")),
        "referee.rulebooks.spies:Spies",
        program="verify_spies.py",
        topics=(
            *("allow", "deny", "agent", "agents", "double agent", "instruction", "instructions"),
            *("eliminate", "remove", "reveal", "swap", "token", "tokens", "setup", "set-up", "sealed"),
            *("variant", "variants", "comrade", "promotion", "briefcase", "spy"),
        ),
        french={
            "agent": ("agent", "agents", "agent double"),
            "eliminate": ("éliminer", "retirer"),
            "reveal": ("révéler",),
            "swap": ("échanger",),
            "tokens": ("jetons", "jeton"),
            "setup": ("disposition", "placement", "préparation"),
            "variants": ("variantes", "variante"),
            "briefcase": ("mallette",),
            "spies": ("espions", "espion"),
        },
        stage="referee.rulebooks.abbott_site.stage:stage",
        movements="referee.rulebooks.confusion.table:read_table",
    ),
    Entry(
        "cards",
        "Cards and Confusion",
        (Seat("red"), Seat("blue")),
        "referee.rulebooks.cards:Cards",
        stage="referee.rulebooks.cards.site.stage:stage",
        french={"cards": ("cartes",)},
    ),
)
ENTRIES: Mapping[str, Entry] = {entry.name: entry for entry in CATALOGUE}
"""The same by their names."""
USUAL = CATALOGUE[0].name
"""The game that is meant where operators name none, and that the demonstration plays."""


def load(place: str) -> Any:
    """Return what stands at a place, "module:name"."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


@cache
def _made(place: str) -> AnyRulebook:
    rulebook: AnyRulebook = load(place)()
    return rulebook


def read_beside(name: str, file: str) -> str:
    """Return the text of a file in a rulebook's folder."""
    from importlib import resources  # noqa: PLC0415 - most commands read no such file

    return resources.files(ENTRIES[name].place.partition(":")[0]).joinpath(file).read_text(encoding="utf-8")


class Rulebooks(Mapping[str, AnyRulebook]):
    """The rulebooks by their names, in the order of the catalogue; each is loaded when it is asked for.

    others: rulebooks that take the place of those of their names.
    """

    def __init__(self, *others: AnyRulebook) -> None:
        self._others = {rulebook.name: rulebook for rulebook in others}
        self._places = {entry.name: entry.place for entry in CATALOGUE}

    def __getitem__(self, name: str) -> AnyRulebook:
        return self._others[name] if name in self._others else _made(self._places[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places


def with_movements(table: str) -> list[AnyRulebook]:
    """Return the rulebooks that have a movement table with this one. Raises SettingsError where it cannot be used."""
    return [load(entry.place)(load(entry.movements)(table)) for entry in CATALOGUE if entry.movements]


_BY_NAME = Rulebooks()
RULEBOOKS = _BY_NAME.values()
"""All rulebooks; each is loaded when it is reached."""


def find_rulebook(name: str) -> AnyRulebook:
    """Return the rulebook of that name, in any case. Raises UsageError that suggests the nearest name."""
    if (wanted := name.strip().lower()) in _BY_NAME:
        return _BY_NAME[wanted]
    near = nearest_rulebook(name)
    meant = f"; did you mean {near}?" if near else ""
    raise UsageError(f"there are no rules named {name.strip()!r}; known are: {', '.join(_BY_NAME)}{meant}")


def nearest_rulebook(name: str) -> str:
    """Return the name of the rulebook that was perhaps meant, "" when none is near."""
    return next(iter(get_close_matches(name.strip().lower(), list(_BY_NAME), 1)), "")
