"""The rulebooks of this service. A new one needs one more entry; it is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

from referee.common.errors import UsageError
from referee.rulebooks.limits import LARGEST_SCENARIO
from referee.rulebooks.rulebook import Rulebook, Seat


@dataclass(frozen=True, slots=True)
class RulebookSettings:
    """A section of the settings file about one game's rules.

    about: the section's description, a sentence.
    table: the description of its key `table`, the file of an operator's own movement table; sentences.
    """

    about: str
    table: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """The words about one game in another language, by the English ones.

    topics: its name and the topics of its help page. options: the keys of its options. values: their values.
    orders: the beginnings of orders in words, and what may follow an answer, as letters write them.
    samples: examples that contain more than command words.
    """

    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    orders: Mapping[str, str] = field(default_factory=dict)
    samples: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """The facts about a rulebook that are needed before it is loaded.

    place: its class, as "module:class".
    program: the file in its folder with which players check records themselves; "" for none.
    stage: the function that shows a game on its page, written like place; "" for none.
    sample: the function that returns the demonstration's game, written like place; "" for none.
    movements: the function that reads an operator's movement table for the rulebook, written like place; ""
        for none.
    settings: the settings that an operator has about its rules, in `[rules.NAME]` of the settings file.
    files: the options whose value may be a file's text, each with the largest size in characters; where an
        operator gives a file's name, the game keeps the text.
    topics: other words that its help page explains.
    french: what players write in French about it.
    """

    name: str
    title: str
    seats: tuple[Seat, ...]
    place: str
    program: str = ""
    stage: str = ""
    sample: str = ""
    movements: str = ""
    settings: RulebookSettings | None = None
    files: Mapping[str, int] = field(default_factory=dict)
    topics: tuple[str, ...] = ()
    french: Spoken = field(default_factory=Spoken)


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
        settings=RulebookSettings(
            about="The rules of Confusion, in both editions.",
            table="Another movement table than the one in the package; games begun earlier keep theirs.",
        ),
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
        french=Spoken(
            topics={
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
            options={
                "small-world": ("petit-monde",),
                "late-contact": ("contact-tardif", "contact-retard"),
                "variable-setup": ("préparation-variable", "disposition-variable"),
                "comrade": ("camarade",),
                "tokens.white": ("jetons.blanc", "jetons.blancs"),
                "tokens.red": ("jetons.rouge", "jetons.rouges"),
            },
            values={
                "reveal": ("révéler", "révéler1"),
                "move": ("déplacer", "déplacer2"),
                "swap": ("échanger", "échanger2"),
            },
            orders={
                "agent always": "agent toujours",
                "agent never": "agent jamais",
                "agent ask": "agent demander",
                "agent as": "agent comme",
                "eliminate their": "éliminer son",
                "eliminate": "éliminer",
                "reveal": "révéler",
                "swap": "échanger",
                "pass": "passer",
                "setup": "disposition",
                "without": "sans",
            },
            samples={
                "challenge Bert spies option small-world=on option tokens.white=reveal,swap": (
                    "défier Bernard spies option small-world=on option tokens.white=reveal,swap"
                ),
            },
        ),
        stage="referee.rulebooks.abbott_site.stage:stage",
        movements="referee.rulebooks.confusion.table:read_table",
    ),
    Entry(
        "cards",
        "Cards and Confusion",
        (Seat("red"), Seat("blue")),
        "referee.rulebooks.cards:Cards",
        stage="referee.rulebooks.cards.site.stage:stage",
        files={"scenario": LARGEST_SCENARIO},
        french=Spoken(topics={"cards": ("cartes",)}),
    ),
)
ENTRIES: Mapping[str, Entry] = {entry.name: entry for entry in CATALOGUE}
"""The entries by name."""
USUAL = CATALOGUE[0].name
"""The game that is used where operators name none, and in the demonstration."""


def load(place: str) -> Any:
    """Return the object at a place, "module:name"."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


@cache
def _made(place: str) -> Rulebook:
    rulebook: Rulebook = load(place)()
    return rulebook


def read_beside(name: str, file: str) -> str:
    """Return the text of a file in a rulebook's folder."""
    from importlib import resources  # noqa: PLC0415 - most commands read no such file

    return resources.files(ENTRIES[name].place.partition(":")[0]).joinpath(file).read_text(encoding="utf-8")


class Rulebooks(Mapping[str, Rulebook]):
    """The rulebooks by name, in the order of the catalogue; each is loaded when it is first used.

    others: rulebooks that replace those of the same names.
    """

    def __init__(self, *others: Rulebook) -> None:
        self._others = {rulebook.name: rulebook for rulebook in others}
        self._places = {entry.name: entry.place for entry in CATALOGUE}

    def __getitem__(self, name: str) -> Rulebook:
        return self._others[name] if name in self._others else _made(self._places[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places


def with_movements(table: str) -> list[Rulebook]:
    """Return the rulebooks that use a movement table, with this one. Raises SettingsError for an invalid table."""
    return [load(entry.place)(load(entry.movements)(table)) for entry in CATALOGUE if entry.movements]


_BY_NAME = Rulebooks()
RULEBOOKS = _BY_NAME.values()
"""All rulebooks; each is loaded when it is reached."""


def find_rulebook(name: str) -> Rulebook:
    """Return the rulebook of a name, in any case. Raises UsageError that suggests the nearest name."""
    if (wanted := name.strip().lower()) in _BY_NAME:
        return _BY_NAME[wanted]
    near = nearest_rulebook(name)
    meant = f"; did you mean {near}?" if near else ""
    raise UsageError(f"there are no rules named {name.strip()!r}; known are: {', '.join(_BY_NAME)}{meant}")


def nearest_rulebook(name: str) -> str:
    """Return the name of the rulebook that was probably meant, "" when none is similar."""
    return next(iter(get_close_matches(name.strip().lower(), list(_BY_NAME), 1)), "")
