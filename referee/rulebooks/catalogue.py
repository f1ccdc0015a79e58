"""The rulebooks of this service, and those of other packages; each is loaded when it is first used.

A new one of this service needs one more entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache

from referee.common.errors import RulesUnusable, UsageError
from referee.rulebooks.entry import Entry, RulebookSettings, Spoken, folder_of, load
from referee.rulebooks.installed import find_installed, trouble, usable
from referee.rulebooks.limits import LARGEST_SCENARIO
from referee.rulebooks.rulebook import Rulebook, Seat

OWN = (
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
"""The rulebooks of this service."""
INSTALLED, UNUSABLE = find_installed([entry.name for entry in OWN])
"""The rulebooks of other packages, and those among them that cannot be used."""
CATALOGUE = (*OWN, *INSTALLED)
ENTRIES: Mapping[str, Entry] = {entry.name: entry for entry in CATALOGUE}
"""The entries by name."""
USUAL = CATALOGUE[0].name
"""The game that is used where operators name none, and in the demonstration."""


@cache
def _made(place: str) -> Rulebook:
    rulebook: Rulebook = load(place)()
    return rulebook


def read_beside(name: str, file: str) -> str:
    """Return the text of a file in a rulebook's folder."""
    from importlib import resources  # noqa: PLC0415 - most commands read no such file

    return resources.files(folder_of(ENTRIES[name].place)).joinpath(file).read_text(encoding="utf-8")


class Rulebooks(Mapping[str, Rulebook]):
    """The rulebooks by name, in the order of the catalogue; each is loaded when it is first used.

    Those of other packages are loaded as soon as anybody asks which there are: one that fails is left out.

    others: rulebooks that replace those of the same names.
    """

    def __init__(self, *others: Rulebook) -> None:
        self._others = {rulebook.name: rulebook for rulebook in others}

    def __getitem__(self, name: str) -> Rulebook:
        if name not in self:
            raise RulesUnusable(name, why_unusable(name))
        return self._others[name] if name in self._others else _made(ENTRIES[name].place)

    def __iter__(self) -> Iterator[str]:
        return (entry.name for entry in usable(CATALOGUE))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in ENTRIES and any(usable((ENTRIES[str(name)],)))


def with_movements(table: str) -> list[Rulebook]:
    """Return the rulebooks that use a movement table, with this one. Raises SettingsError for an invalid table."""
    return [load(entry.place)(load(entry.movements)(table)) for entry in usable(CATALOGUE) if entry.movements]


_BY_NAME = Rulebooks()
RULEBOOKS = _BY_NAME.values()
"""All rulebooks; each is loaded when it is reached."""


def find_rulebook(name: str) -> Rulebook:
    """Return the rulebook of a name, in any case. Raises UsageError that suggests the nearest name."""
    if (wanted := name.strip().lower()) in _BY_NAME:
        return _BY_NAME[wanted]
    if reason := why_unusable(wanted):
        raise UsageError(f"the rules {wanted} cannot be used: {reason}; see `referee rulebooks`")
    near = nearest_rulebook(name)
    meant = f"; did you mean {near}?" if near else ""
    raise UsageError(f"there are no rules named {name.strip()!r}; known are: {', '.join(_BY_NAME)}{meant}")


def why_unusable(name: str) -> str:
    """Return why the rulebook of this name cannot be used, "" where it can, or where there is none."""
    if name in ENTRIES and ENTRIES[name].package:
        return trouble(ENTRIES[name])
    return next((each.reason for each in UNUSABLE if each.name == name), "")


def all_unusable() -> list[tuple[str, str]]:
    """Return the names of all rulebooks that cannot be used, with the reasons. Those of other packages are loaded."""
    found = [(entry.name, trouble(entry)) for entry in INSTALLED]
    return [each for each in found if each[1]] + [(each.name, each.reason) for each in UNUSABLE]


def nearest_rulebook(name: str) -> str:
    """Return the name of the rulebook that was probably meant, "" when none is similar."""
    return next(iter(get_close_matches(name.strip().lower(), list(_BY_NAME), 1)), "")
