"""The sentences that letters are made of, and the catalogues of their translations.

`uv run python -m tests.common.catalogues` brings the catalogues up to date: what is new stands there without a
translation, to be filled in, and what is no longer said is gone.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from referee.common.i18n import LANGUAGES, SOURCE
from referee.rulebooks.catalogue import RULEBOOKS

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "referee" / "locale"
DESK = "desk"
MESSAGES = {"N_": 0, "_": 0, "Phrase": 0, "Fault": 1, "reject": 2, "wrong": 2, "Word": 2}
"""In the code: which argument of a call is a sentence, counted from 0; or it, or a variable, is called `message`."""
HEADER = """\
# What letters say in another language. See referee/common/i18n.py.
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""
PLURALS = {"fr": "nplurals=2; plural=(n > 1);"}

SHARED = {"abbott": "confusion"}
"""Folders whose sentences are several rulebooks', and in whose catalogue they are."""

Key = str | tuple[str, str]


@cache
def sentences() -> Mapping[str, Mapping[Key, list[str]]]:
    """Return the sentences of each catalogue, with the places where they stand.

    Raises ValueError for a sentence that is put together where it stands, since it cannot be looked up.
    """
    found: dict[str, dict[Key, list[str]]] = {DESK: {}, **{each.name: {} for each in RULEBOOKS}}
    for path in sorted((ROOT / "referee").rglob("*.py")):
        if _is_of_a_rulebook_to_come(path):
            continue
        for line, sentence in _in_code(path):
            found[_catalogue(path)].setdefault(sentence, []).append(f"{path.relative_to(ROOT)}:{line}")
    for path in sorted((ROOT / "templates").rglob("*.j2")):
        for line, sentence in _in_template(path):
            found[_catalogue(path)].setdefault(sentence, []).append(f"{path.relative_to(ROOT)}:{line}")
    return found


def _is_of_a_rulebook_to_come(path: Path) -> bool:
    """Return whether a module belongs to a rulebook that is not in the catalogue, of which no letter speaks yet."""
    room = ROOT / "referee" / "rulebooks"
    folder = path.relative_to(room).parts[0] if path.is_relative_to(room) else ""
    return (room / folder).is_dir() and folder not in ("", *(each.name for each in RULEBOOKS))


def _in_code(path: Path) -> Iterator[tuple[int, Key]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "message":
            yield from ((node.lineno, each) for each in _literals(node.value) if each)
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in MESSAGES:
            continue
        given = [
            *node.args[MESSAGES[name] :][:1],
            *(each.value for each in node.keywords if each.arg == "message"),
        ]
        for sentence in given:
            for each in _literals(sentence):
                if each is None:
                    raise ValueError(f"{path}:{node.lineno}: a sentence is put together where it stands")
                yield node.lineno, each


def _literals(node: ast.expr) -> Iterator[str | None]:
    match node:
        case ast.Constant(value=str(said)):
            yield said
        case ast.IfExp():
            yield from _literals(node.body)
            yield from _literals(node.orelse)
        case ast.Subscript(value=ast.Dict(values=chosen)):
            for each in chosen:
                yield from _literals(each)
        case ast.JoinedStr() | ast.BinOp():
            yield None


def _in_template(path: Path) -> Iterator[tuple[int, Key]]:
    with path.open("rb") as file:
        for line, _, message, _ in babel_extract(
            file, ["_", "gettext", "ngettext"], [], {"trimmed": "true", "silent": "false"}
        ):
            match message:
                case str():
                    yield line, message
                case (str(one), str(many), *_):
                    yield line, (one, many)
                case (str(one), *_):
                    yield line, one


def _catalogue(path: Path) -> str:
    """Return which catalogue a file's sentences are in."""
    for folder, name in (*SHARED.items(), *((each.name, each.name) for each in RULEBOOKS)):
        if folder in path.relative_to(ROOT).parts:
            return name
    return DESK


def catalogues() -> Iterator[tuple[str, str, Path]]:
    """Go through the catalogues: language, name, file."""
    for language in LANGUAGES:
        if language != SOURCE:
            for name in (DESK, *(each.name for each in RULEBOOKS)):
                yield language, name, LOCALE / language / f"{name}.po"


def read(path: Path, language: str) -> Catalog:
    """Return a catalogue as it stands; an empty one where there is no file."""
    if not path.exists():
        return Catalog(locale=language, domain=path.stem)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=path.stem)


def placeholders(sentence: str) -> list[str]:
    """Return what a sentence leaves open: its {names} and %(names)s."""
    return sorted(re.findall(r"\{\w+\}|%\(\w+\)s", sentence))


_ELIDED = re.compile(
    r"\b(?:que|de|lorsque|puisque|le|la) (?:%\(|\{)(?:who|whom|names?|opponent|proposer|address|service)\b",
    re.IGNORECASE,
)
"""French words that lose their vowel before one, so that nobody's name may follow them."""


def problems(message: Message, language: str) -> Iterator[str]:
    """Say what is wrong with a translation."""
    sources = [message.id] if isinstance(message.id, str) else list(message.id)
    said = (
        [message.string]
        if isinstance(message.string, str)
        else [each or "" for each in message.string or [""]]
    )
    if not all(said) or "fuzzy" in message.flags:
        yield "is not translated"
        return
    open_ones = [set(placeholders(each)) for each in sources]
    for each in said:
        if set(placeholders(each)) not in open_ones:
            yield f"leaves {placeholders(each)} open in {each!r}"
        if any(source.endswith(".") for source in sources) != each.endswith((".", "»")):
            yield f"does not end as the sentence does: {each!r}"
        if language == "fr" and re.search(r"[\w»)] [:;!?»]|« ", each):
            yield f"could break its line before a sign: {each!r}"
        if language == "fr" and _ELIDED.search(each):
            yield f"would need an apostrophe before a name with a vowel: {each!r}"


def update() -> None:
    """Bring every catalogue up to date."""
    said = sentences()
    for language, name, path in catalogues():
        before = read(path, language)
        after = Catalog(locale=language, domain=name)
        after.mime_headers = [("Plural-Forms", PLURALS[language])]
        for key in said[name]:
            known = before.get(key[0] if isinstance(key, tuple) else key)
            after.add(key, known.string if known and known.id == key else None)
        written = io.BytesIO()
        write_po(written, after, width=110, omit_header=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        header = HEADER.format(language=language, plurals=PLURALS[language])
        path.write_bytes(header.encode() + written.getvalue().lstrip())
        missing = sum(1 for each in after if each.id and any(problems(each, language)))
        print(f"{path.relative_to(ROOT)}: {len(said[name])} sentences, {missing} to be seen to")


if __name__ == "__main__":
    update()
