"""Compiled templates are kept from one process to the next, and what happens to their folder changes no letter."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import Environment

from referee.reports import compiled_templates as kept
from referee.reports.renderer import Templates

KINDS = [(medium, language) for medium in ("txt", "html") for language in ("en", "fr")]
NAME = "words.j2"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that systemd has made for the service."""
    folder = tmp_path / "referee"
    folder.mkdir(0o700)
    monkeypatch.setenv("CACHE_DIRECTORY", str(folder))
    return folder


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that are compiled during a test."""
    names: list[str] = []
    compiling: Callable[..., object] = Environment.compile

    def count(self: Environment, source: object, name: str, *more: object) -> object:
        names.append(name)
        return compiling(self, source, name, *more)

    monkeypatch.setattr(Environment, "compile", count)
    return names


def load_all() -> None:
    """Load a template in each medium and language, as a new process does."""
    templates = Templates()
    for kind in KINDS:
        templates.get(*kind, NAME)


def test_a_template_is_compiled_once_for_each_medium_and_language(folder: Path, compiled: list[str]) -> None:
    load_all()
    assert compiled == [NAME] * len(KINDS)
    assert len(list(folder.iterdir())) == len(KINDS)
    load_all()
    assert len(compiled) == len(KINDS)


def test_another_state_of_the_program_compiles_anew_in_the_same_files(
    folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_all()
    monkeypatch.setattr(kept, "program_digest", lambda: "another state")
    load_all()
    assert len(compiled) == 2 * len(KINDS)
    assert len(list(folder.iterdir())) == len(KINDS)


@pytest.mark.parametrize("left", [slice(-20), slice(40), slice(0), slice(1, None)], ids=str)
def test_a_damaged_file_is_compiled_anew(folder: Path, compiled: list[str], left: slice) -> None:
    load_all()
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes()[left])
    load_all()
    assert len(compiled) == 2 * len(KINDS)


def test_of_several_folders_that_systemd_names_the_first_is_used(
    folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CACHE_DIRECTORY", f"{folder}:{folder / 'another'}")
    load_all()
    load_all()
    assert len(compiled) == len(KINDS)
    assert len(list(folder.iterdir())) == len(KINDS)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of a user to whom systemd has given none."""
    monkeypatch.setenv("CACHE_DIRECTORY", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_without_a_folder_of_the_service_they_are_in_the_users_own(home: Path, compiled: list[str]) -> None:
    load_all()
    load_all()
    assert len(compiled) == len(KINDS)
    assert [path.name for path in home.iterdir()] == ["referee"]
    assert (home / "referee").stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_not_there_any_more_is_no_obstacle(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CACHE_DIRECTORY", str(tmp_path / "emptied"))
    load_all()
    assert len(compiled) == len(KINDS)


def test_nothing_is_read_from_a_folder_that_others_may_write(folder: Path, compiled: list[str]) -> None:
    load_all()
    folder.chmod(0o777)
    assert [kept.compiled_templates(*kind) for kind in KINDS] == [None] * len(KINDS)
    load_all()
    assert len(compiled) == 2 * len(KINDS)


def test_nothing_is_read_from_a_folder_in_one_that_others_may_write(
    folder: Path, compiled: list[str]
) -> None:
    """Else they put another folder in its place."""
    load_all()
    folder.parent.chmod(0o777)
    load_all()
    folder.parent.chmod(0o700)
    assert len(compiled) == 2 * len(KINDS)


@pytest.mark.parametrize("kind", ["another's", "written by others", "a link"])
def test_a_file_that_is_not_the_users_own_makes_the_folder_unsafe(
    folder: Path, compiled: list[str], kind: str
) -> None:
    """The folder may have been open to others for a while."""
    load_all()
    strange = folder / "strange.cache"
    strange.touch(0o600)
    match kind:
        case "another's":
            if os.getuid() != 0:
                pytest.skip("only root gives files away")
            os.chown(strange, 12345, -1)
        case "written by others":
            strange.chmod(0o666)
        case _:
            strange.unlink()
            strange.symlink_to("/etc/passwd")
    load_all()
    assert len(compiled) == 2 * len(KINDS)
    strange.unlink()
    load_all()
    assert len(compiled) == 2 * len(KINDS)


def test_a_home_that_cannot_have_the_folder_is_no_obstacle(home: Path, compiled: list[str]) -> None:
    home.write_text("no folder")
    load_all()
    assert len(compiled) == len(KINDS)
