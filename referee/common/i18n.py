"""The languages that letters are written in, and their catalogues.

English is the source: every sentence stands in the templates and in the code as it is sent. Every other
language has catalogues of these sentences (gettext's `.po` files, in `locale/LANGUAGE/`): `desk.po` for the
service, and one per rulebook, named after it. Each process reads them, uncompiled, when the first letter
needs them.

`python -m tests.common.catalogues` updates the catalogues from the sentences; a missing translation fails the tests.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from typing import Any
from zoneinfo import ZoneInfo

SOURCE = "en"
"""The language that sentences in the code are written in."""
LANGUAGES: Mapping[str, str] = {"en": "English", "fr": "français"}
"""The languages of letters: code, and the name that its speakers use."""

Translate = Callable[[str], str]
"""Translates a sentence of the source language, and leaves its {names} and %(names)s as they are."""


def N_(sentence: str) -> str:
    """Return a sentence unchanged: it marks the sentence for the catalogues. The letter's code translates it."""
    return sentence


@cache
def translations(language: str) -> NullTranslations:
    """Return a language's catalogue. The source language and unknown ones give every sentence unchanged."""
    found = NullTranslations()
    folder = resources.files("referee") / "locale" / language
    if language == SOURCE or not folder.is_dir():
        return found
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.name.endswith(".po"):
            catalogue = _read(file.read_bytes(), language)
            catalogue.add_fallback(found)
            found = catalogue
    return found


def _read(content: bytes, language: str) -> GNUTranslations:
    # Only letters in another language need these, and they are slow to import.
    from babel.messages.mofile import write_mo  # noqa: PLC0415
    from babel.messages.pofile import read_po  # noqa: PLC0415

    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(content), locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)


def translate(language: str) -> Translate:
    """Return the function that translates into a language."""
    return translations(language).gettext


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of a sentence, translated with it. message: a phrase with {names}, filled from facts."""

    message: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def write(self, translate: Translate = str) -> str:
        """Return the phrase in words."""
        return fill(self.message, self.facts, translate)

    def __str__(self) -> str:
        return self.write()


def fill(message: str, facts: Mapping[str, Any], translate: Translate = str) -> str:
    """Return a sentence with its {names} filled from facts; Phrases among them are translated too."""
    said = {name: fact.write(translate) if isinstance(fact, Phrase) else fact for name, fact in facts.items()}
    return translate(message).format(**said)


def listed(parts: Sequence[str | Phrase]) -> Phrase:
    """Return several phrases as one, separated by commas."""
    facts = {f"part{number}": part for number, part in enumerate(parts)}
    return Phrase(", ".join(f"{{{name}}}" for name in facts), facts)


def both(parts: Sequence[str | Phrase]) -> str | Phrase:
    """Return "A", "A and B", "A, B and C"; parts: at least one."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0] if len(parts) == 2 else listed(parts[:-1])
    return Phrase(N_("{first} and {last}"), {"first": first, "last": parts[-1]})


# Dates, times and numbers


def write_day(at: date, language: str) -> str:
    """Return a day: "Thu 3 Dec 2026", "jeu. 3 déc. 2026"."""
    return _date(at, "EEE d MMM y", language)


def write_day_of_week(at: date, language: str) -> str:
    """Return a day without its year: "Thu 3 Dec", "jeu. 3 déc."."""
    return _date(at, "EEE d MMM", language)


def write_short_day(day: date, language: str) -> str:
    """Return a day of the near future or past: "3 Dec", "3 déc."."""
    return _date(day, "d MMM", language)


def _date(day: date, form: str, language: str) -> str:
    from babel.dates import format_date  # noqa: PLC0415

    if language == "fr" and day.day == 1:  # French counts only the first day by an ordinal
        form = form.replace("d", "d'er'")
    return format_date(day, form, locale=language)


def write_city(zone: str, language: str) -> str:
    """Return the name of a zone's city: "Europe/London" is London in English, Londres in French."""
    if language == SOURCE:
        return zone.rpartition("/")[2].replace("_", " ")
    from babel.dates import get_timezone_location  # noqa: PLC0415

    return get_timezone_location(ZoneInfo(zone), locale=language, return_city=True)


@lru_cache(maxsize=1024)
def write_number(number: int, language: str) -> str:
    """Return a whole number with its thousands separated: "12,345", "12 345"."""
    if language == SOURCE:
        return f"{number:,}"
    from babel.numbers import format_decimal  # noqa: PLC0415

    return format_decimal(number, locale=language)
