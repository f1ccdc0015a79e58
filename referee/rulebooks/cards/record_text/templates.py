"""Templates of the record's text: a template with values writes a text, and reads the values back.

The text of a record is checked by anybody who holds one, so what is written here is read here, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from referee.rulebooks.cards.chunks import COMMANDER
from referee.rulebooks.cards.decks import PACK
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.rulebook import Result, Seat

STOPS: Mapping[str, str] = {
    "face-to-face": "face to face with",
    "belt": "not past",
    "enemy": "stopped by",
    "edge": "at the edge",
    "water": "at the water",
    "friends": "among friends",
}
"""Why a move ended early, by code. A stop by the unit's own order is confidential and has no text (E7)."""
PHASES: Mapping[int, str] = {2: "artillery", 3: "combats"}
"""Names of phases, for a record that must say that one has begun: before a question (E4)."""
FIRST_WITHOUT_CARDS: Mapping[str, str] = {"set": "as agreed", "lot": "by lot"}
"""How it was settled who is first, where no cards were cut."""
NO_RESULT = "No result"

Values = Mapping[str, Any]


def same_text(one: str, other: str) -> bool:
    """Return whether two texts differ at most in blanks and capitals."""
    return "".join(one.split()).casefold() == "".join(other.split()).casefold()


def write_result(result: Result) -> str:
    """Write how a battle ended: `Red wins: by three objectives`, `Draw: by agreement`, `No result: …`."""
    outcome = f"{result.winner.capitalize()} wins" if result.winner else NO_RESULT if result.void else "Draw"
    return f"{outcome}: {result.how}" if result.how else outcome


class _Kind(NamedTuple):
    """How a value is written and read. pattern: without groups; it does not depend on capitals."""

    pattern: str
    read: Callable[[str], Any] = str.upper
    write: Callable[[Any], str] = str


def _cm(number: float) -> str:
    """Write a length or an angle with at most two decimals."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _listed(kind: _Kind, mark: str) -> _Kind:
    """Values of one kind with a mark between them."""
    return _Kind(
        rf"{kind.pattern}(?:{_spaces(mark)}{kind.pattern})*",
        lambda text: tuple(kind.read(each.strip()) for each in text.split(mark.strip())),
        lambda values: mark.join(map(kind.write, values)),
    )


def _named(names: Mapping[Any, str]) -> _Kind:
    """One of these values, by its name; any other value has no text."""
    values = {name: value for value, name in names.items()}
    pattern = "|".join(map(_spaces, values))
    return _Kind(
        f"(?:{pattern})",
        lambda text: values[" ".join(text.lower().split())],
        lambda value: names.get(value, ""),
    )


def _spaces(text: str) -> str:
    """Return a pattern for literal text in which any number of blanks may stand for one, and none behind a colon."""
    return re.escape(text).replace(r":\ ", r":\s*").replace(r"\ ", r"\s+")


def _read_result(text: str) -> Result:
    outcome, _, how = text.partition(":")
    first = outcome.split()[0].lower()
    winner = Seat(first) if first in SIDES else None
    return Result(winner, how.strip(), first == "no")


def _read_how_first(text: str) -> str | tuple[tuple[str, ...], ...]:
    for how, name in FIRST_WITHOUT_CARDS.items():
        if same_text(text, name):
            return how
    return tuple(tuple(re.split(r"\s+TO\s+", cut.strip())) for cut in text.upper().split(","))


def _write_how_first(how: str | Sequence[Sequence[str]]) -> str:
    if isinstance(how, str):
        return FIRST_WITHOUT_CARDS[how]
    return ", ".join(f"{red} to {blue}" for red, blue in how)


_UNIT = _Kind(r"[RB][ICA]\d{1,2}")
_COMMANDER = _Kind(COMMANDER.pattern)
_NUMBER = _Kind(r"\d{1,4}", int)
_LENGTH = _Kind(r"\d{1,4}(?:\.\d{1,2})?", float, _cm)
_COORDINATE = _Kind(rf"-?{_LENGTH.pattern}", float, _cm)
_SIDE = _Kind("(?:Red|Blue)", lambda text: Seat(text.lower()), str.capitalize)
_KINDS: dict[str, _Kind] = {
    "unit": _UNIT,
    "units": _listed(_UNIT, " & "),
    "parted": _listed(_UNIT, " and "),
    "commander": _COMMANDER,
    "helped": _listed(_COMMANDER, " and "),
    "cannon": _Kind(r"[RB]A\d{1,2}\.\d{1,2}"),
    "number": _NUMBER,
    "men": _listed(_NUMBER, ","),
    "cm": _LENGTH,
    "place": _Kind(
        rf"{_COORDINATE.pattern},{_COORDINATE.pattern}",
        lambda text: tuple(map(float, text.split(","))),
        lambda place: ",".join(map(_cm, place[:2])),
    ),
    "stop": _named(STOPS),
    "to_go": _Kind(
        ".*", str, lambda to_go: ", ".join(f"{number} {_cm(left)}" for number, left in to_go.items())
    ),
    "markers": _Kind(
        r"\d{1,4}\s+markers?",
        lambda text: int(text.split()[0]),
        lambda count: f"{count} marker{'s' * (count != 1)}",
    ),
    "files": _Kind(_NUMBER.pattern, int, lambda files: str(files[1])),
    "flank": _named({True: "on the flank"}),
    "side": _SIDE,
    "card": _Kind(f"(?:{'|'.join(PACK)})"),
    "phase": _named(PHASES),
    "objective": _Kind(r"[A-Z][\w-]*", str),
    "result": _Kind(
        rf"(?:{_SIDE.pattern}\s+wins|Draw|{_spaces(NO_RESULT)})(?::.*)?",
        _read_result,
        write_result,
    ),
    "first": _Kind(r"[^\W\d]+", str, str.capitalize),
    "how": _Kind(".+", _read_how_first, _write_how_first),
}
"""The kinds of values, by their names in templates."""


class Template:
    """A text with its values in braces.

    `{unit}` is a value of the kind of that name, `{enemy:unit}` one of another name. What stands between brackets is
    left out where its value is missing, or has no text.
    """

    def __init__(self, template: str) -> None:
        self._template = template
        self._kinds = {name: kind or name for name, kind in _VALUE.findall(template)}

    @property
    def pattern(self) -> str:
        """The regular expression of the text, with a group for each value."""
        text = _spaces(self._template).replace(r"\[", "(?:").replace(r"\]", ")?")
        return _ESCAPED_VALUE.sub(lambda each: f"(?P<{each[1]}>{_KINDS[each[2] or each[1]].pattern})", text)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE | re.ASCII)

    def write(self, values: Values) -> str:
        """Return the text with these values."""
        texts = {
            name: _KINDS[kind].write(values[name])
            for name, kind in self._kinds.items()
            if values.get(name) is not None
        }
        text = self._template
        while "[" in text:
            text = _OPTIONAL.sub(
                lambda part: part[1] if all(texts.get(name) for name, _ in _VALUE.findall(part[1])) else "",
                text,
            )
        return _VALUE.sub(lambda each: texts[each[1]], text)

    def read(self, text: str) -> Values | None:
        """Return the values in a text, None for those left out; None where the text has another form."""
        found = self._compiled.fullmatch(text)
        if found is None:
            return None
        return {
            name: None if found[name] is None else _KINDS[kind].read(found[name])
            for name, kind in self._kinds.items()
        }


_VALUE = re.compile(r"\{(\w+):?(\w*)\}")
_ESCAPED_VALUE = re.compile(r"\\\{(\w+):?(\w*)\\\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_LOSS = Template("{unit} killed {killed:number}[ confused {confused:men}]")
_KINDS["losses"] = _listed(_Kind(re.sub(r"\?P<\w+>", "?:", _LOSS.pattern), _LOSS.read, _LOSS.write), " + ")
