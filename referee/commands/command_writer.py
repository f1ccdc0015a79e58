"""Writes commands in one language, for the examples, forms and suggestions in letters."""

from __future__ import annotations

import re

from referee.commands.language_words import LanguageWords, Spellings


class CommandWriter:
    """Translates English command lines into one language."""

    def __init__(self, tables: LanguageWords) -> None:
        self._tables = tables

    def write_steps(self, plan: str) -> str:
        """Return a plan in this language."""
        return re.sub(
            r"\b(?:if [a-z]+|then|else|if)\b",
            lambda found: self._all_first(self._tables.steps, found[0]),
            plan,
        )

    def write_step(self, word: str) -> str:
        """Return one word of a plan's steps in this language."""
        return self._first(self._tables.steps, word)

    def write_action(self, line: str) -> str:
        """Return the part after `umpire` in this language; texts by people stay unchanged."""
        head, colon, reason = line.partition(":")
        first, _, rest = head.partition(" ")
        if rest == "back" or rest.startswith("back "):
            first, rest = f"{first} back", rest.removeprefix("back").lstrip()
        said = re.sub(r"(?<![\w-])[A-Za-z]+(?![\w-])", lambda word: self._behind_an_action(word[0]), rest)
        said = f"{self._first(self._tables.actions, first)} {said}".rstrip()
        return f"{said}\u00a0:{reason}" if colon and self._tables.actions else f"{said}{colon}{reason}"

    def _behind_an_action(self, word: str) -> str:
        """Return a word that may follow an action in this language: a side, a result, or a joining word."""
        if word.istitle() and word.lower() in self._tables.sides:
            return self._first(self._tables.sides, word.lower()).capitalize()
        return self._first({**self._tables.ends, **self._tables.sides, **self._tables.actions}, word)

    def write_end(self, end: str) -> str:
        """Return the end of a game in this language."""
        return self._first({**self._tables.ends, **self._tables.sides}, end)

    def write_key(self, key: str) -> str:
        """Return a key of `set` in this language."""
        return self._first(self._tables.keys, key)

    def write_value(self, value: str) -> str:
        """Return a value of `set` in this language."""
        return self._first(self._tables.values, value)

    def write(self, line: str) -> str:
        """Return a command line in this language: its word, and the arguments that are words of the language."""
        number, colon, rest = line.partition(": ")
        if colon and number.isascii() and number.isdigit():
            return f"{number}: {self.write(rest)}"
        word, rest = _split(line, self._tables.words)
        if not word:
            return self._order(line)
        if word == "allow" and rest:
            rest = self._order(rest)
        if word == "set":
            key, _, value = rest.partition(" ")
            return " ".join(
                filter(None, (self._first(self._tables.words, word), self._set(key, value) if key else ""))
            )
        if word == "claim" and rest == "time":
            rest = self._first(self._tables.claims, rest)
        if word == "appeal" and (act := re.match(r"(?:\[?[A-Z\d]+\]? )?(act) [\dA-Z]", rest)):
            rest = f"{rest[: act.start(1)]}{self._first(self._tables.claims, act[1])}{rest[act.end(1) :]}"
        if word in ("mute", "watch", "leave") and rest:
            rest = " ".join(self._first(self._tables.values, part) for part in rest.split(" "))
        if word == "overview" and (said := re.match(r"\[?late\b\]?", rest)):
            rest = said[0].replace("late", self._first(self._tables.values, "late")) + rest[said.end() :]
        if word == "press" and rest.startswith("all "):
            rest = f"{self._first(self._tables.values, 'all')} {rest.removeprefix('all ')}"
        if word == "try":
            rest = self.write_steps(rest)
        if word == "help":
            rest = self._first(self._tables.topics, self.write(rest))
        if word == "umpire" and rest:
            rest = self.write_action(rest)
        if word == "agree" and rest:
            rest = " ".join(map(self.write_end, rest.split(" ")))
        if word == "why":
            rest = " ".join(self._first(self._tables.sides, part) for part in rest.split())
        return f"{self._first(self._tables.words, word)} {rest}".rstrip()

    def write_sample(self, line: str) -> str:
        """Return an example in this language, with names and texts of its own."""
        return self._tables.samples.get(line) or self.write(line)

    def write_form(self, form: str) -> str:
        """Return a word's form in this language: "register NAME", "inscrire NOM"."""
        return re.sub(
            r"[A-Z]{3,}", lambda found: self._first(self._tables.places, found[0]), self.write(form)
        )

    def _order(self, line: str) -> str:
        """Return an order in words in this language; any other line unchanged."""
        for said, written in self._tables.orders.items():
            if line == said or line.startswith(f"{said} "):
                return written + line.removeprefix(said)
        return line

    def _all_first(self, spellings: Spellings, words: str) -> str:
        return " ".join(self._first(spellings, each) for each in words.split())

    def _set(self, key: str, value: str) -> str:
        values = "|".join(self._first(self._tables.values, each) for each in value.split("|"))
        return f"{self._first(self._tables.keys, key)} {values}".rstrip()

    @staticmethod
    def _first(spellings: Spellings, english: str) -> str:
        return spellings[english][0] if english in spellings else english


def _split(line: str, words: Spellings) -> tuple[str, str]:
    """Return the command word at the start of a line, and the rest; "" and the line where there is none."""
    first, _, rest = line.partition(" ")
    second, _, behind = rest.partition(" ")
    if f"{first} {second}" in words:
        return f"{first} {second}", behind
    return (first, rest) if first in words else ("", line)
