"""Every sentence of every letter is there in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tests.common.catalogues
from tests.common.catalogues import ROOT, catalogues, problems, read, sentences

CATALOGUES = [pytest.param(*each, id=f"{each[0]}-{each[1]}") for each in catalogues()]


@pytest.mark.parametrize(("language", "name", "path"), CATALOGUES)
def test_a_catalogue_has_every_sentence_that_is_said_and_no_other(
    language: str, name: str, path: Path
) -> None:
    said = sentences()[name]
    kept = {message.id for message in read(path, language) if message.id}
    missing = {str(each): said[each] for each in said if each not in kept}
    left_over = [each for each in kept if each not in said]
    assert not missing and not left_over, "bring it up to date: uv run python -m tests.common.catalogues"


@pytest.mark.parametrize(("language", "name", "path"), CATALOGUES)
def test_every_sentence_is_translated_and_leaves_the_same_open(language: str, name: str, path: Path) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {message.id!r} {what}"
        for message in read(path, language)
        if message.id
        for what in problems(message, language)
    ]
    assert not wrong, "\n".join(wrong[:20])


def test_no_template_joins_words_by_a_sign_that_is_set_apart_in_another_language() -> None:
    """In French a space stands before `;`, `:`, `!` and `?`; so they belong into sentences, which are translated."""
    joined = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in sorted((ROOT / "templates").rglob("*.j2"))
        for found in re.finditer(r'(?<!_\()"(?:[;:!] ?|\? )"', path.read_text("utf-8"))
    ]
    assert not joined, "\n".join(joined)


@pytest.mark.parametrize("folder", ["cards", "confusion", "spies", "abbott"])
def test_a_sentence_is_the_desk_s_in_whatever_folder_the_whole_lies(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tests.common.catalogues, "ROOT", root := Path("/home") / folder)
    assert (
        tests.common.catalogues._catalogue(root / "templates" / "letter.j2") == tests.common.catalogues.DESK
    )
    assert tests.common.catalogues._catalogue(root / "templates" / "cards" / "due.j2") == "cards"
