"""What is known of a rulebook before it is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from referee.rulebooks.rulebook import Seat


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
    package: what it comes from, with the version; "" for this service.
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
    package: str = ""


def folder_of(place: str) -> str:
    """Return the package in which the files of what is at a place are, "module:name"."""
    module = place.partition(":")[0]
    spec = find_spec(module)
    return spec.parent or module if spec is not None else module


def load(place: str) -> Any:
    """Return the object at a place, "module:name"."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
