"""What a command imports before it does its work: modules are counted, since times depend on the machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.operating import SEATS, Desk

pytestmark = pytest.mark.subprocess

SAMPLE = Path(__file__).parents[2] / "referee" / "rulebooks" / "confusion" / "sample-game.txt"

BATTLES = {"shapely", "numpy"}
"""Libraries that games with a table of miniatures need."""
OF_SERVERS = {"imapclient", "aiosmtplib", "aiosmtpd", "dns"}
"""Libraries for mail servers."""
SELDOM = {"alembic", "babel", "email_validator", "icalendar", "prometheus_client"}
"""Libraries that few letters and commands need."""
DATABASE = {"sqlalchemy", "sqlmodel", "pydantic"}
LETTERS = {"jinja2", "PIL"}
TERMINAL = {"structlog", "rich"}


def imported_by(desk: Desk, *words: str) -> list[str]:
    """Return the names of all modules that a command imports, in a process of its own."""
    command = [sys.executable, "-X", "importtime", *desk.command(*words)[1:]]
    ended = subprocess.run(command, cwd=desk.folder, capture_output=True, text=True, check=True)
    rows = (line.split("|") for line in ended.stderr.splitlines() if line.startswith("import time:"))
    return [row[-1].strip() for row in rows][1:]


@pytest.mark.parametrize(
    ("words", "budget", "spared"),
    [
        pytest.param(
            ("--help",),
            150,
            DATABASE | LETTERS | TERMINAL | BATTLES | OF_SERVERS | SELDOM,
            id="help",
        ),
        pytest.param(
            ("replay", str(SAMPLE)),
            280,
            DATABASE | LETTERS | TERMINAL | BATTLES | OF_SERVERS | SELDOM,
            id="replay",
        ),
        pytest.param(("games",), 660, LETTERS | TERMINAL | BATTLES | OF_SERVERS | SELDOM, id="games"),
        pytest.param(
            ("run", "--once"), 940, {"PIL"} | BATTLES | OF_SERVERS | SELDOM, id="run with nothing to do"
        ),
        pytest.param(("new", "confusion", *SEATS), 990, BATTLES | OF_SERVERS | SELDOM - {"babel"}, id="new"),
    ],
)
def test_a_command_imports_what_it_needs_and_no_more(
    words: tuple[str, ...], budget: int, spared: set[str], tmp_path: Path
) -> None:
    """budget: how many modules it may import, Python's own among them. spared: libraries that it does without."""
    desk = Desk(tmp_path)
    if words[0] not in ("--help", "replay"):
        desk.done("init", "--offline")
    modules = imported_by(desk, *words)
    assert {name.partition(".")[0] for name in modules} & spared == set()
    assert len(modules) <= budget
