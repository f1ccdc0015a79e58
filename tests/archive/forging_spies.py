"""Forgers at work on a record of spies: what is forged in other records, and what only these games have."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.archive.forging import (
    BACK,
    FORGERS,
    Forger,
    back,
    dealt,
    dropped,
    line,
    said,
    twice,
    where_something_was_tried,
)

TURN = re.compile(
    r"(?:(?:#x?[A-Z]|\?[A-Z]|[A-Z]<>[A-Z]) )?"
    r"(?:[(\[]?[A-Z]Z?-[NSEW]{1,2}\d[^\s]*(?: & [(\[]?[A-Z]Z?-[NSEW]{1,2}\d[^\s]*)?|\[?pass\]?)"
)
LETTERS = "ACEHKLNOPSTVX"


def turn(change: Callable[[str, Random], str], only: str = "") -> Forger:
    """Change one turn, of those in which something is found if it is named."""

    def forge(record: str, random: Random) -> str:
        rows = record.index("\n1. ") if "\n1. " in record else len(record)
        found = [each for each in TURN.finditer(record, rows) if re.search(only, each[0])]
        if not found:
            return record
        chosen = random.choice(found)
        return record[: chosen.start()] + change(chosen[0], random) + record[chosen.end() :]

    return forge


def with_action(action: str) -> Forger:
    """Put something before a move. action: with letters that are drawn where it has a `_`."""
    return turn(
        lambda said, random: re.sub("_", lambda _: random.choice(LETTERS), action) + f" {said}",
        r"^[(\[]?[A-Z]Z?-|^\[?pass",
    )


def another_letter(pattern: str) -> Forger:
    """Exchange a letter that a pattern captures for another one."""

    def change(said: str, random: Random) -> str:
        found = re.search(pattern, said)
        assert found
        letter = random.choice([each for each in LETTERS if each != found[1]])
        return said[: found.start(1)] + letter + said[found.end(1) :]

    return turn(change, pattern)


def where_both_are_set_up(forge: Forger) -> Forger:
    """Before both are, nobody is told of the one, so no receipt binds it."""
    return lambda record, random: (
        forge(record, random) if "\nWhiteSetUp" in record and "\nRedSetUp" in record else record
    )


def set_up(record: str, random: Random) -> str:
    """Let two spies begin on each other's squares."""
    side = random.choice(("White", "Red"))

    def exchanged(said: str) -> str:
        squares = dict(re.findall(r"([A-Z])(\S+)", said))
        one, other = random.sample(list(squares), 2)
        squares[one], squares[other] = squares[other], squares[one]
        return " ".join(f"{letter}{square}" for letter, square in squares.items())

    return line(record, f"{side}SetUp", exchanged)


def in_one_place(record: str, random: Random) -> str:
    """Let two spies begin on the same square."""
    return line(record, "WhiteSetUp", lambda said: re.sub(r"^A(\S+) C\S+", r"A\1 C\1", said))


def another_variant(record: str, random: Random) -> str:
    if "\nVariants" not in record:
        return record.replace("\nView", "\nVariants = late-contact\nView", 1)
    return line(
        record, "Variants", lambda said: "comrade" if "comrade" not in said else "late-contact small-world"
    )


def last_word_twice(key: str) -> Forger:
    return lambda record, _: line(record, key, lambda said: f"{said} {said.split()[-1]}" if said else said)


def another_token(record: str, random: Random) -> str:
    return line(record, "WhiteTokens", lambda said: "swap" if "swap" not in said else "reveal move")


def without_what_stands_again(record: str, random: Random) -> str:
    """Leave out the turn that stands again behind what was taken back."""
    lines = record.split("\n")
    places = [
        place + 1
        for place, each in enumerate(lines[:-1])
        if BACK.match(each) and re.match(r"\d+\. +- ", lines[place + 1])
    ]
    if not places:
        return record
    del lines[random.choice(places)]
    return "\n".join(lines)


FORGERS_OF_SPIES: dict[str, Forger] = {
    **{kind: forge for kind, forge in FORGERS.items() if "Yellow" not in kind},
    **{f"no line {key}": dropped(key) for key in ("Red", "Variants", "WhiteTokens", "RedTokens")},
    **{f"no line {key}": where_both_are_set_up(dropped(key)) for key in ("WhiteSetUp", "RedSetUp")},
    **{f"{key} twice": twice(key) for key in ("Red", "Variants", "WhiteTokens", "RedSetUp")},
    "two types of Red": dealt("Red"),
    "other rules": said("Rules", "spies 2", "spies", "confusion 1", "chess 1"),
    "other options": said("Options", '{"comrade": "on"}', '{"first": "red"}', '{"sheets": "off"}', "{}", "["),
    "who begins": said("First", "White", "Red"),
    "the compass": where_something_was_tried(said("View", "White", "Red")),
    "other variants": another_variant,
    "other tokens": another_token,
    **{f"a word twice in {key}": last_word_twice(key) for key in ("Variants", "WhiteTokens", "RedTokens")},
    "tokens that nobody has": lambda record, _: re.sub(
        r"\n(?:Red|White)Tokens = .*|$", "\nRedTokens = reveal move swap swap", record, count=1
    ),
    "what was shown": lambda record, _: record.replace("\nView", "\nWhiteShown = A1\nView", 1),
    "a set-up": where_both_are_set_up(set_up),
    "a set-up that cannot be": in_one_place,
    "a set-up that nobody chose": lambda record, _: (
        record if "SetUp" in record else record.replace("\nView", "\nRedSetUp = A3-2 C4-2\nView", 1)
    ),
    "nothing before the move": turn(lambda text, _: text.partition(" ")[2], r"^(?:[#?]|[A-Z]<)"),
    "another spy removed": another_letter(r"^#([A-Z])"),
    "another double agent removed": another_letter(r"^#x([A-Z])"),
    "another spy shown": another_letter(r"^\?([A-Z])"),
    "another spy exchanged": another_letter(r"^([A-Z])<>"),
    "a spy removed": with_action("#_"),
    "a double agent removed": with_action("#x_"),
    "a token to see": with_action("?_"),
    "a token to exchange": with_action("_<>_"),
    "a token to move twice": turn(
        lambda text, random: f"{text} & {random.choice(LETTERS)}-N1", r"^[(\[]?[A-Z]-[^&]*$"
    ),
    "one attempt of two": turn(lambda text, _: text.partition(" & ")[0], " & "),
    "the other attempt of two": turn(lambda text, _: text.partition(" & ")[2], " & "),
    "two attempts exchanged": turn(lambda text, _: " & ".join(text.split(" & ")[::-1]), "^[^#?]+ & "),
    "a lapse that was none": turn(
        lambda text, _: re.sub(r"& [(\[]?([^)\]]*)[)\]]?$", r"& [\1]", text), r"& [^\[]+$"
    ),
    "an answer where one lapsed": turn(lambda text, _: re.sub(r"& \[(.*)\]", r"& \1", text), r"& \["),
    "a refusal where one lapsed": turn(lambda text, _: re.sub(r"& \[(.*)\]", r"& (\1)", text), r"& \["),
    "an answer that was not given": turn(lambda text, _: re.sub(r"\[|\]", "", text), r"\["),
    "no answer": turn(lambda text, _: re.sub(r"[(]?([A-Z]Z?-[^\s)]+)[)]?$", r"[\1]", text), r"^[^\[&]+$"),
    "a wish for promotion": turn(
        lambda text, _: re.sub(r"(-[NSEW]+\d[xA-Z]*)", r"\1+", text, count=1), "^[^+]*$"
    ),
    "no wish for promotion": turn(lambda text, _: text.replace("+", "", 1), r"\+"),
    "somebody unmasked": turn(lambda text, _: text.replace("+", "+?", 1), r"\+(?!\?)"),
    "nobody unmasked": turn(lambda text, _: re.sub(r"\?(>[A-Z])?$", "", text), r"\+\?"),
    "who takes the briefcase": another_letter(r"\?>([A-Z])"),
    "nobody takes the briefcase": turn(lambda text, _: re.sub(r"\?>[A-Z]", "?", text), r"\?>"),
    "somebody takes the briefcase": turn(lambda text, _: text + ">X", r"\+\?$"),
    "a turn passed where something could be tried": turn(lambda text, _: "pass", "-"),
    "no turn that stands again": without_what_stands_again,
    "whose turn was taken back": back(
        lambda text, _: text.replace("White", "?").replace("Red", "White").replace("?", "Red")
    ),
    "the last cell": lambda record, _: re.sub(
        r"(?:(White|Red) (wins|resigns)|Draw|No result)\n(?![^\n]*=)",
        lambda found: "Draw\n" if found[1] else "White wins\n",
        record,
    ),
    "columns exchanged": where_something_was_tried(
        lambda record, _: re.sub(r"\n(    )Red( +)White\n", r"\n\1White\2Red\n", record, count=1)
    ),
    "the head alone": lambda record, _: record[: record.index("    Red  ")],
}
"""What may be forged, by what it changes."""
