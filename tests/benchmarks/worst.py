"""Look for the letters that cost most to read: `uv run python -m tests.benchmarks.worst --seconds 300`.

A letter is made from a few lines that are said over and over up to the size, in one of several structures and
encodings. The search begins with lines that people and programs write, changes them by pieces (repeats, splices, sets
signs and words in, gives each line a number of its own, changes structure, encoding and charset), and goes on from
those that cost most. What counts is the ratio to an ordinary letter that is read beside it. The same seed tries the
same letters as long as the machine finds the same ones dear.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from referee.commands.command_table import WORDS
from referee.commands.vocabulary import vocabulary
from tests.benchmarks.hostile import GOAL, LINES, headed, in_turns, ordinary, quickest

KEPT = 30
"""So many letters are gone on from."""
SHOWN = 5
MOST_LINES = 12
_NUMBER = "\N{PILCROW SIGN}"
"""Stands in a line for the number of its turn, so that no two are alike."""

STRUCTURES = ("plain", "flowed", "html", "divs", "pre", "mixed", "alternative")
ENCODINGS = ("8bit", "quoted-printable", "base64", "x-uuencode")
CHARSETS = ("utf-8", "windows-1252", "utf-16", "utf-7", "iso-2022-jp", "gb18030", "x-none")
PIECES = (
    *(word.name for word in WORDS),
    *(sample for word in WORDS for sample in word.examples),
    *vocabulary("fr").read,
    *(
        "game",
        "17:",
        "option",
        "a=b",
        "if no",
        "then",
        "@",
        "#",
        "> ",
        "| ",
        "-- ",
        "--",
        "---",
        "wrote:",
        "On",
    ),
    *(
        "From:",
        "Sent:",
        "2026",
        "17:00",
        "anna@example.net",
        "(",
        ")",
        '"',
        "'",
        "V-NW2xZ",
        "MV RI1 A20",
        ";",
        "&",
    ),
    *(
        "PASS;",
        "RI1",
        "setup",
        "A3-2",
        "..ACE",
        "\t",
        "\N{ZERO WIDTH SPACE}",
        "\N{CIRCLED DIGIT ONE}",
        "\N{BULLET} ",
    ),
    *(
        "é",
        "\N{COMBINING GRAVE ACCENT}",
        "漢字",
        "\N{ARABIC-INDIC DIGIT TWO}",
        "\N{FULLWIDTH LATIN CAPITAL LETTER A}",
    ),
    *("<b>", "<p a=b>", "<blockquote>", "&amp;", "&#1;", "<!-- ", 'style="a:b"', _NUMBER),
)
"""What is set into lines."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a letter is made. first: lines that stand once, at the top. lines: what is said over and over."""

    kind: str
    lines: tuple[str, ...]
    first: tuple[str, ...] = ()
    structure: str = "plain"
    encoding: str = "8bit"
    charset: str = "utf-8"

    def letter(self, size: int) -> bytes:
        """Return the letter, of at most so many bytes."""
        parts = 40 if self.structure in ("mixed", "alternative") else 1
        room = (size - 2_000) // parts - 200
        head, body = self._encoded(self._said(room), room)
        if parts == 1:
            return headed(*head, body="") + body
        part = "".join(f"{field}\r\n" for field in head).encode() + b"\r\n" + body + b"\r\n"
        whole = (b"--b1\r\n" + part) * parts + b"--b1--\r\n"
        return headed(f'Content-Type: multipart/{self.structure}; boundary="b1"', body="") + whole

    def _said(self, room: int) -> str:
        """Return the text: the lines over and over."""
        marked = self.structure in ("html", "divs", "pre")
        end = {"html": "<br>\r\n", "divs": "</div><div>"}.get(self.structure, "\r\n")
        if self.structure == "flowed":
            end = " \r\n"
        said = [*self.first]
        length = sum(map(len, said))
        turn = 0
        while length < room:
            turn += 1
            for line in self.lines:
                said.append(line.replace(_NUMBER, str(turn)))
                length += len(said[-1]) + len(end)
            if not length:
                break
        text = end.join(said)[:room]
        return f"<pre>{text}" if marked and self.structure == "pre" else text

    def _encoded(self, text: str, room: int) -> tuple[tuple[str, str], bytes]:
        """Return the fields and the body of a part with this text."""
        subtype = "html" if self.structure in ("html", "divs", "pre") else "plain"
        form = "; format=flowed" if self.structure == "flowed" else ""
        try:
            said = text.encode(self.charset, "replace")
        except LookupError:
            said = text.encode("latin-1", "replace")
        body = _TRANSFERRED[self.encoding](said[:room])[:room]
        return (
            f"Content-Type: text/{subtype}; charset={self.charset}{form}",
            f"Content-Transfer-Encoding: {self.encoding}",
        ), body


def _uuencoded(said: bytes) -> bytes:
    rows = (binascii.b2a_uu(said[at : at + 45]) for at in range(0, len(said), 45))
    return b"begin 644 x\r\n" + b"".join(rows) + b"end\r\n"


_TRANSFERRED: dict[str, Callable[[bytes], bytes]] = {
    "8bit": bytes,
    "quoted-printable": quopri.encodestring,
    "base64": base64.encodebytes,
    "x-uuencode": _uuencoded,
}


def beginning() -> list[Recipe]:
    """Return the letters that the search begins with."""
    lines = [Recipe(kind, (line.replace("{n}", _NUMBER),)) for kind, line in LINES.items()]
    words = [Recipe(f"the word {word.name}", word.examples) for word in WORDS]
    return [*lines, *words]


def changed(recipe: Recipe, pool: list[Recipe], chance: random.Random) -> Recipe:
    """Return a recipe changed in one to three places."""
    for _ in range(chance.randint(1, 3)):
        recipe = chance.choice(_CHANGES)(recipe, chance.choice(pool), chance)
    return replace(recipe, lines=recipe.lines[:MOST_LINES] or ("",))


def _with_piece(recipe: Recipe, other: Recipe, chance: random.Random) -> Recipe:
    """Set a piece into a line."""
    lines = [*recipe.lines]
    which = chance.randrange(len(lines))
    at = chance.randint(0, len(lines[which]))
    times = chance.choice((1, 1, 1, 2, 5, 30))
    piece = chance.choice(PIECES) + chance.choice(("", " "))
    lines[which] = (lines[which][:at] + piece * times + lines[which][at:])[:2_000]
    return replace(recipe, lines=tuple(lines))


def _with_less(recipe: Recipe, other: Recipe, chance: random.Random) -> Recipe:
    """Take a piece out of a line."""
    lines = [*recipe.lines]
    which = chance.randrange(len(lines))
    start = chance.randint(0, len(lines[which]))
    lines[which] = lines[which][:start] + lines[which][start + chance.randint(1, 8) :]
    return replace(recipe, lines=tuple(lines))


def _spliced(recipe: Recipe, other: Recipe, chance: random.Random) -> Recipe:
    """Put lines of two letters together."""
    lines = [*recipe.lines, *other.lines]
    chance.shuffle(lines)
    kind = recipe.kind if other.kind in recipe.kind else f"{recipe.kind} + {other.kind}"[:120]
    return replace(recipe, kind=kind, lines=tuple(lines))


def _longer(recipe: Recipe, other: Recipe, chance: random.Random) -> Recipe:
    """Say a line several times in one."""
    lines = [*recipe.lines]
    which = chance.randrange(len(lines))
    lines[which] = chance.choice(("", " ")).join([lines[which]] * chance.choice((2, 3, 8)))[:2_000]
    return replace(recipe, lines=tuple(lines))


def _numbered(recipe: Recipe, other: Recipe, chance: random.Random) -> Recipe:
    """Make each turn's lines others than those before."""
    joint = chance.choice(("", " "))
    return replace(
        recipe, lines=tuple(line if _NUMBER in line else line + joint + _NUMBER for line in recipe.lines)
    )


def _opened(recipe: Recipe, other: Recipe, chance: random.Random) -> Recipe:
    """Let another letter's line stand on top, once."""
    return replace(recipe, first=(*recipe.first, chance.choice(other.lines))[-3:])


def _in_another_form(recipe: Recipe, other: Recipe, chance: random.Random) -> Recipe:
    match chance.randrange(3):
        case 0:
            return replace(recipe, structure=chance.choice(STRUCTURES))
        case 1:
            return replace(recipe, encoding=chance.choice(ENCODINGS))
    return replace(recipe, charset=chance.choice(CHARSETS))


_CHANGES = (_with_piece, _with_piece, _with_less, _spliced, _longer, _numbered, _opened, _in_another_form)


@dataclass(frozen=True, slots=True)
class Found:
    """A letter and what it costs, in ordinary ones."""

    ratio: float
    recipe: Recipe


def cost(recipe: Recipe, size: int) -> Found:
    """Read a letter once, after an ordinary one."""
    content = recipe.letter(size)
    floor = quickest(ordinary(), 10)
    return Found(quickest(content, 1) / floor, recipe)


def cost_in_turns(recipe: Recipe, size: int) -> Found:
    """Read a letter and an ordinary one in turns."""
    took, floor = in_turns(recipe.letter(size), ordinary())
    return Found(took / floor, recipe)


def _dearest(found: Iterable[Found], most: int) -> list[Found]:
    return sorted(found, key=lambda each: -each.ratio)[:most]


@click.command(help="Look for the letters that cost most to read, and keep them in a folder.")
@click.option("--seconds", default=60, show_default=True, type=click.IntRange(min=1))
@click.option("--rounds", default=1_000_000, show_default=True, help="Letters that are tried at most.")
@click.option("--seed", default=1, show_default=True)
@click.option("--size", default=1_000_000, show_default=True, help="Bytes of a letter.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the dearest are kept; else a new one.")
def main(seconds: int, rounds: int, seed: int, size: int, folder: Path | None) -> None:
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    pool: list[Found] = []
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=seconds)
        waiting = beginning()
        tried = 0
        while tried < rounds and (left := end - time.monotonic()) > 0:
            if waiting:
                recipe = waiting.pop()
            else:
                recipe = changed(chance.choice(pool).recipe, [each.recipe for each in pool], chance)
            tried += 1
            found = cost(recipe, size)
            if len(pool) == KEPT and found.ratio > pool[-1].ratio:
                found = cost_in_turns(recipe, size)  # what was slow once may have been in the way of others
            pool = _dearest([*pool, found], KEPT)
            bar.update(
                task,
                completed=seconds - left,
                description=f"{tried} letters, the dearest {pool[0].ratio:.0f}x",
            )
    folder = folder or Path(tempfile.mkdtemp(prefix="referee-worst-"))
    folder.mkdir(parents=True, exist_ok=True)
    best = _dearest([cost_in_turns(each.recipe, size) for each in pool], SHOWN)
    for number, each in enumerate(best, 1):
        file = folder / f"{number}.eml"
        file.write_bytes(each.recipe.letter(size))
        how = ", ".join((each.recipe.structure, each.recipe.encoding, each.recipe.charset))
        click.echo(f"{each.ratio:6.1f} times an ordinary letter: {each.recipe.kind} ({how}): {file}")
    click.echo(f"{tried} letters tried; the goal is {GOAL.written()}.")
    sys.exit(0 if GOAL.met(best[0].ratio) else 1)


if __name__ == "__main__":
    main()
