"""Tests wait for what happens, and take the doors that the code offers; so they hold on a busy machine, and when it is
rebuilt behind its doors."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
MODULES = sorted(path for path in TESTS.rglob("*.py") if "letters" not in path.relative_to(TESTS).parts)

MAY_SLEEP = ("support/waiting.py", "servers/wire.py", "kills/", "soak/", "benchmarks/")
"""What waits for others, a slow wire, and the programs that load or measure the service."""
CLOCKS = {"time", "monotonic", "perf_counter", "sleep"}
"""Functions of the module `time`, and of asyncio, with which a test would depend on the machine's speed."""


def reads_the_clock(tree: ast.Module) -> Iterator[str]:
    """Yield the calls that sleep or measure time."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="time" | "asyncio"), attr=name)) if (
                name in CLOCKS
            ):
                yield f"line {node.lineno}: {name}"
            case ast.ImportFrom(module="time" | "asyncio") if CLOCKS & {each.name for each in node.names}:
                yield f"line {node.lineno}: import"


def patches_what_is_private(tree: ast.Module) -> Iterator[str]:
    """Yield what is put in the place of a private name: by `setattr`, `patch` or an assignment from outside."""
    own = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="setattr" | "delattr" | "object" | "patch") | ast.Name(id="setattr")
            ):
                named = [each.value for each in node.args if isinstance(each, ast.Constant)]
                holders = [ast.unparse(node.args[0])] if node.args else []
                said = [each for each in (*named, *holders) if isinstance(each, str)]
                if any(re.search(r"(^|\.)_[A-Za-z]|__defaults__", each) for each in said):
                    yield f"line {node.lineno}: {ast.unparse(node)}"
            case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Store() | ast.Del()):
                if re.match("_[A-Za-z]", name) and name not in own:
                    yield f"line {node.lineno}: {owner}.{name}"


def found_in(
    look: Callable[[ast.Module], Iterator[str]], words: str, modules: list[Path]
) -> dict[str, list[str]]:
    """Return what is found in modules. words: one of them stands in each module that is worth a look."""
    texts = {path: path.read_text("utf-8") for path in modules}
    return {
        path.relative_to(TESTS).as_posix(): found
        for path, text in texts.items()
        if re.search(words, text) and (found := list(look(ast.parse(text))))
    }


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(1)",
        "await asyncio.sleep(0)",
        "began = time.perf_counter()",
        "from time import monotonic, sleep",
    ],
)
def test_what_depends_on_time_is_found(line: str) -> None:
    assert list(reads_the_clock(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        'monkeypatch.setattr(quoting, "_meaning", counted)',
        'monkeypatch.setattr("referee.store.engine._make_nothing", only_reading)',
        'patch.setattr(mail_probe._RoundTrip, "hand_over", break_off)',
        'patch.setattr(MissingLetters.__init__, "__defaults__", (now,))',
        'mock.patch.object(Answers, "_receive")',
        "play._position = None",
    ],
)
def test_a_private_name_that_is_patched_is_found(line: str) -> None:
    assert list(patches_what_is_private(ast.parse(line)))


def test_no_test_sleeps_or_looks_at_the_clock() -> None:
    others = [path for path in MODULES if not path.relative_to(TESTS).as_posix().startswith(MAY_SLEEP)]
    assert len(others) > 300
    assert found_in(reads_the_clock, r"\bsleep\b|monotonic|perf_counter|time\.time", others) == {}


def test_no_test_patches_a_private_name() -> None:
    assert (
        found_in(patches_what_is_private, r"""["'.]_[a-zA-Z]\w*"|\._\w+(, | = )|__defaults__""", MODULES)
        == {}
    )
