"""The wheel holds everything that the referee needs, and nothing of it comes from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.subprocess

PROJECT = Path(__file__).resolve().parents[2]

UMPIRE = """\
import sys
from pathlib import Path
from click.testing import CliRunner
import referee
from referee.cli.main import main

folder = Path(sys.argv[1])
assert str(referee.__file__).startswith(sys.argv[2]), referee.__file__
(folder / "referee.toml").write_text('''
[service]
address = "referee@example.org"
[inbox]
kind = "maildir"
path = "in"
[outbox]
kind = "maildir"
path = "out"
''')
seats = ["--seat", "white=w@example.net", "--seat", "yellow=y@example.net"]
for words in (["new", "confusion", *seats], ["run", "--once"]):
    result = CliRunner().invoke(main, ["--config", str(folder / "referee.toml"), *words])
    assert result.exit_code == 0, result.output
letters = [path.read_bytes() for path in (folder / "out" / "new").iterdir()]
assert len(letters) == 2
assert all(b"image/png" in letter and b"text/html" in letter for letter in letters)
"""
"""A program that starts a game and posts its first letters."""


def uv() -> str:
    found = os.environ.get("UV") or shutil.which("uv")
    if found is None:
        pytest.skip("uv is not installed")
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [uv(), "build", "--wheel", "--quiet", "--out-dir", str(folder), str(PROJECT)]
    # The builder lies in the cache, since this environment was made with it; else the registry has it.
    if subprocess.run([*build, "--offline"], capture_output=True, check=False).returncode:
        subprocess.run(build, check=True)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_whatever_lies_in_the_package_and_all_templates(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {
        path.relative_to(PROJECT).as_posix()
        for path in (PROJECT / "referee").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    templates = {
        f"referee/{path.relative_to(PROJECT).as_posix()}"
        for path in (PROJECT / "templates").rglob("*")
        if path.is_file()
    }
    assert package | templates <= names
    for needed in (
        "referee/py.typed",
        "referee/templates/letter.j2",
        "referee/store/migrations/versions/r0001_first_tables.py",
        "referee/rulebooks/confusion/table.toml",
        "referee/rulebooks/confusion/sample-game.txt",
    ):
        assert needed in names
    assert not [name for name in names if name.startswith(("tests/", "deploy/"))]


def test_the_wheel_names_its_command_licence_and_python(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (entry,) = [name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt")]
    assert "referee = referee.cli.main:main" in archive.read(entry).decode()
    metadata = archive.read(entry.replace("entry_points.txt", "METADATA")).decode()
    assert "Requires-Python: >=3.11" in metadata
    assert "License-Expression: MIT" in metadata


@pytest.mark.full
def test_what_the_wheel_holds_is_enough_to_write_a_letter(wheel: Path, tmp_path: Path) -> None:
    unpacked, work = tmp_path / "unpacked", tmp_path / "work"
    work.mkdir()
    zipfile.ZipFile(wheel).extractall(unpacked)
    subprocess.run(
        [sys.executable, "-c", UMPIRE, str(work), str(unpacked)],
        check=True,
        cwd=work,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
    )


@pytest.mark.full
def test_an_installed_wheel_works_with_its_own_dependencies_alone(wheel: Path, tmp_path: Path) -> None:
    isolated = [uv(), "run", "--isolated", "--no-project", "--with", str(wheel)]
    environment = {
        name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")
    }
    told = subprocess.run(
        [*isolated, "referee", "--help"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=True,
    )
    assert "referee demo" in told.stdout
    subprocess.run(
        [*isolated, "python", "-c", UMPIRE, str(tmp_path), "/"], cwd=tmp_path, env=environment, check=True
    )
