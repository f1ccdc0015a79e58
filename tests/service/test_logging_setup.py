"""The service's own log: every line says what it is to say, and one that cannot be written keeps nothing up."""

from __future__ import annotations

import ast
import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import pytest
import structlog

import referee
from referee.service import logging_setup
from tests.support.operating import Desk, write_mail
from tests.support.waiting import PATIENCE, until

SOURCE = Path(referee.__file__).parent
LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical", "bind"})
BY_LIBRARY = frozenset({"exc_info"})
"""What the log makes other keys of."""
TESTED_APART = frozenset(
    {"**watched(application)", "**{key: str(fact) for key, fact in note.facts.items()}", "**which"}
)
HANDED_ON = "self._apart"
"""What gives the log what it is given itself, as `which`."""


@dataclass(frozen=True)
class Call:
    """A call of the log as it stands in the source. keys: those that are written out; more: the rest, as written."""

    place: str
    keys: tuple[str, ...]
    more: tuple[str, ...]


def calls_in(path: Path) -> Iterator[Call]:
    source = path.read_text(encoding="utf-8")
    if not re.search(r"\blog\b|get_logger", source):
        return
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    loggers = {"log"}
    for node in nodes:
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("log.bind("):
            loggers |= {ast.unparse(target) for target in node.targets}
        if isinstance(node, ast.Assign) and "get_logger" in ast.unparse(node.value):
            assert [ast.unparse(target) for target in node.targets] == ["log"], path
    for node in nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and (
                (node.func.attr in LEVELS and ast.unparse(node.func.value) in loggers)
                or ast.unparse(node.func) == HANDED_ON
            )
        ):
            yield Call(
                f"{path.relative_to(SOURCE)}:{node.lineno}",
                tuple(each.arg for each in node.keywords if each.arg and each.arg not in BY_LIBRARY),
                tuple(f"**{ast.unparse(each.value)}" for each in node.keywords if each.arg is None),
            )


CALLS = [call for path in sorted(SOURCE.rglob("*.py")) for call in calls_in(path)]


def keys_of_dictionaries(path: Path, within: str) -> list[str]:
    """Return the keys of the dictionaries written out in calls of, or in the function, `within`."""
    keys: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = isinstance(node, ast.Call) and ast.unparse(node.func) == within
        made = isinstance(node, ast.FunctionDef) and node.name == within
        if called or made:
            for each in ast.walk(node):
                if isinstance(each, ast.Dict):
                    keys += [key.value for key in each.keys if isinstance(key, ast.Constant)]  # type: ignore[misc]
    return keys


def set_up() -> Any:
    """Set up the log as a service does, and give it."""
    logging_setup.set_up(verbose=True)
    return structlog.get_logger()


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.place)
def test_a_line_is_written_with_all_that_it_was_given(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    log = set_up()
    log.info("news", **dict.fromkeys(call.keys, "so and so"))
    assert capsys.readouterr().err.count('="so and so"') == len(call.keys), call


def test_what_is_given_to_the_log_unnamed_is_tested_as_well() -> None:
    assert len(CALLS) > 20
    assert {more for call in CALLS for more in call.more} == TESTED_APART


@pytest.mark.parametrize(
    ("file", "within"), [("service/monitor.py", "Note"), ("service/running.py", "watched")]
)
def test_facts_for_the_operator_are_written(
    file: str, within: str, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = keys_of_dictionaries(SOURCE / file, within)
    assert len(facts) > 3
    log = set_up()
    log.error("the operator is needed", **dict.fromkeys(facts, "so and so"))
    assert capsys.readouterr().err.count('="so and so"') == len(set(facts))


def test_an_error_is_told_by_its_kind_and_place_and_never_by_its_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = set_up()
    try:
        raise KeyError("the deal is A6")
    except KeyError as error:
        log.exception("it failed")
        log.error("it failed", exc_info=error)
        log.exception("it failed", exc_info=False)
    first, second, third = capsys.readouterr().err.splitlines()
    for line in (first, second):
        assert "error=KeyError" in line
        assert "where=test_logging_setup.py:" in line
    for line in (first, second, third):
        assert "A6" not in line
        assert "withheld" not in line


# A log that cannot be written


def read(end: int) -> list[str]:
    """Read all that lies in a pipe just now."""
    os.set_blocking(end, False)
    text = b""
    with suppress(BlockingIOError):
        while more := os.read(end, 4096):
            text += more
    return text.decode().splitlines()


def fill(end: int) -> None:
    """Write into a pipe until nothing more goes in."""
    os.set_blocking(end, False)
    with suppress(BlockingIOError):
        while True:
            os.write(end, b"-" * 4096)
    with suppress(BlockingIOError):
        while True:
            os.write(end, b"-")


def test_lines_that_cannot_be_written_are_counted_in_the_next_that_can() -> None:
    out, into = os.pipe()
    fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, 4096)
    with os.fdopen(into, "w", encoding="ascii") as file:
        lines = logging_setup.Lines(file)
        lines.msg("first")
        assert read(out) == ["first"]
        fill(into)
        for number in range(3):
            lines.msg(f"lost {number}")
        read(out)
        lines.msg("seen again, ž")
        lines.msg("and on")
        assert read(out) == ["seen again, \\u017e lines_lost=3", "and on"]
    os.close(out)


def test_a_line_that_was_torn_does_not_run_into_the_next() -> None:
    out, into = os.pipe()
    with os.fdopen(into, "w", encoding="ascii") as file:
        lines = logging_setup.Lines(file)
        fill(into)
        os.read(out, 4096)
        lines.msg("x" * 6000)
        read(out)
        lines.msg("seen again")
        assert read(out) == ["", "seen again lines_lost=1"]
    os.close(out)


@pytest.mark.parametrize("kind", ["full", "gone", "closed", "none"])
def test_a_log_that_cannot_be_written_raises_nothing(kind: str, tmp_path: Path) -> None:
    file: TextIO | None = None
    if kind == "full":
        file = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w", encoding="utf-8")
    elif kind == "gone":
        out, into = os.pipe()
        os.close(out)
        file = os.fdopen(into, "w", encoding="utf-8")
    elif kind == "closed":
        file = (tmp_path / "log").open("w", encoding="utf-8")
        file.close()
    logging_setup.Lines(file).msg("lost")
    if file is not None:
        file.close()


@pytest.mark.subprocess
@pytest.mark.parametrize("kind", ["full", "gone", "closed"])
def test_a_service_whose_log_cannot_be_written_goes_on_and_ends_well(desk: Desk, kind: str) -> None:
    out, into = os.pipe()
    wrapped = {"full": "2>/dev/full", "gone": "", "closed": "2>&-"}[kind]
    os.close(out)
    with os.fdopen(into, "wb", buffering=0) as gone:
        running = subprocess.Popen(
            ["sh", "-c", f'exec "$@" {wrapped}', "sh", *desk.command("run")],
            stdout=subprocess.DEVNULL,
            stderr=gone,
            cwd=desk.folder,
        )
        try:
            desk.put(write_mail("register Anna", sender="anna@example.net"))
            until(lambda: desk.posted() or running.poll() is not None)
            assert running.poll() is None
            assert len(desk.posted()) == 1
            running.terminate()
            assert running.wait(PATIENCE) == 0
        finally:
            running.kill()
            running.wait()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.done("init", "--offline")
    return desk


def test_the_log_is_set_up_without_a_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    log = set_up()
    log.info("news")
