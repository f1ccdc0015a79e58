"""No class has more than 25 methods, no function more than 60 lines, and no module is loose at the top."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import referee

PACKAGE = Path(referee.__file__).parent
MOST_METHODS, MOST_LINES = 25, 60
AT_THE_TOP = {"__init__.py", "__main__.py"}
PROGRAMS = ("verify_game.py", "verify_spies.py")
"""Programs that verify a game by themselves, each in one file: how long their functions are is up to them."""


def methods(one: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> set[str]:
    """Return a class's methods, with those that it gets from classes of this package: mixins make it no smaller."""
    found = {each.name for each in one.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
    for base in one.bases:
        named = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(named, ast.Name) and named.id != one.name and named.id in classes:
            found |= methods(classes[named.id], classes)
    return found


def too_long(tree: ast.Module) -> Iterator[str]:
    """Yield the functions that are too long."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_LINES:
                yield f"{node.name}, {lines} lines"


def trees() -> dict[Path, ast.Module]:
    """Return all modules of the package, by their path in it."""
    return {path.relative_to(PACKAGE): ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")}


def test_no_class_is_too_large() -> None:
    found = [
        (path, node)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]
    classes = {node.name: node for _, node in found}
    sizes = [(len(methods(node, classes)), node.name, path) for path, node in found]
    assert max(sizes)[0] > 10
    assert [each for each in sizes if each[0] > MOST_METHODS] == []


def test_no_function_is_too_long() -> None:
    """Migrations are history, and stay as they were."""
    looked_at = {
        path: tree
        for path, tree in trees().items()
        if path.name not in PROGRAMS and "migrations" not in path.parts
    }
    assert len(looked_at) > 300
    assert {path: found for path, tree in looked_at.items() if (found := list(too_long(tree)))} == {}


def test_no_module_is_loose_at_the_top() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == AT_THE_TOP
