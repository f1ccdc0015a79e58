"""The quick run leaves tests out by their marks alone, all said by name, and the gate runs what it leaves out."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
MODULES = sorted((ROOT / "tests").rglob("*.py"))
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
LEFT_OUT = set(re.findall(r"\w+", OPTIONS["addopts"].partition("'")[2].partition("'")[0])) - {"not", "or"}


def test_each_mark_that_the_quick_run_leaves_out_is_declared() -> None:
    assert {"full", "story", "letters", "subprocess", "servers", "browser"} <= LEFT_OUT
    assert {mark.partition(":")[0] for mark in OPTIONS["markers"]} >= LEFT_OUT


def test_the_gate_runs_what_the_quick_run_leaves_out() -> None:
    stages = re.findall(r"^uv run pytest (.*)$", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    (every,) = (stage for stage in stages if stage.startswith('-m "not full and ('))
    assert LEFT_OUT - {"full"} == set(re.findall(r"\w+", every)) - {"m", "not", "full", "and", "or"}


def chosen_by_position(tree: ast.AST) -> Iterator[str]:
    """Yield where `telling`, as a mark or a list, is given a number of cases, or a piece that is cut out of a list."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="telling"), args=args, keywords=keywords):
                named = [*args, *(each.value for each in keywords)]
                counts = [each for each in args if not isinstance(ast.literal_eval(each), str)]
            case ast.Call(func=ast.Name(id="telling"), args=args, keywords=keywords):
                named = args[:1]
                counts = [each.value for each in keywords if each.arg != "others"]
            case _:
                continue
        cut = [each for one in named for each in ast.walk(one) if isinstance(each, ast.Slice)]
        if counts or cut:
            yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize(
    "line",
    [
        "pytest.mark.telling(4)",
        "telling(range(40), first=4)",
        "telling(CASES[:4], others=CASES)",
        "telling([READING[::4]], others=[READING])",
        "pytest.mark.telling(line=LINES[:3])",
    ],
)
def test_what_is_chosen_by_its_place_in_a_list_is_found(line: str) -> None:
    assert list(chosen_by_position(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        'pytest.mark.telling("two-strangers")',
        'pytest.mark.telling(line=["resign", "draw"], seed=range(4))',
        'telling(["resign"], others=LINES[1:])',
    ],
)
def test_what_is_chosen_by_name_is_not(line: str) -> None:
    assert not list(chosen_by_position(ast.parse(line)))


def test_no_case_is_chosen_by_its_place_in_a_list() -> None:
    texts = {path: path.read_text("utf-8") for path in MODULES}
    found = {
        path.relative_to(ROOT).as_posix(): lines
        for path, text in texts.items()
        if "telling(" in text and (lines := list(chosen_by_position(ast.parse(text))))
    }
    assert not found


def test_no_test_is_left_out_by_its_place_among_others() -> None:
    """What marks and orders the tests that were found reads their marks, and counts none."""
    for name in ("conftest.py", "support/telling.py"):
        tree = ast.parse((ROOT / "tests" / name).read_text("utf-8"))
        assert not [each.lineno for each in ast.walk(tree) if isinstance(each, ast.Slice)], name
        assert "enumerate" not in {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}, name
