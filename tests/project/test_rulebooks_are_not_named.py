"""No module outside `rulebooks/` names a rulebook: it imports none, and no string of it is a name or a rule's id."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from referee.rulebooks.catalogue import CATALOGUE

HOUSE = Path(referee.__file__).parent
NAMES = {entry.name for entry in CATALOGUE}
RULE_ID = re.compile(r"(CF|CC)-\d[\d.a-z]*")
OF_A_RULEBOOK = re.compile(rf"referee\.rulebooks\.({'|'.join(sorted(NAMES))}|\w+_site)\b")


def named_in(tree: ast.Module) -> Iterator[str]:
    """Yield what a module says of one rulebook by name; prose is not looked at."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if text in NAMES or RULE_ID.fullmatch(text):
                yield text
            case ast.Constant(value=str() as text) if OF_A_RULEBOOK.match(text):
                yield text
            case ast.ImportFrom(module=str() as module):
                places = (module, *(f"{module}.{alias.name}" for alias in node.names))
                yield from filter(OF_A_RULEBOOK.match, places)
            case ast.Import():
                yield from filter(OF_A_RULEBOOK.match, (alias.name for alias in node.names))


@pytest.mark.parametrize(
    "line",
    [
        "from referee.rulebooks.cards import Cards",
        "from referee.rulebooks import spies",
        "import referee.rulebooks.confusion.table",
        "from referee.rulebooks.abbott_site.stage import stage",
        'x = game.rulebook.name == "confusion"',
        'x = Fault("one-attempt", rule="CF-4.1")',
        'x = import_module("referee.rulebooks.cards.site")',
    ],
)
def test_a_name_is_found(line: str) -> None:
    assert list(named_in(ast.parse(line)))


def test_no_module_outside_the_rulebooks_names_one() -> None:
    modules = [path for path in HOUSE.rglob("*.py") if "rulebooks" not in path.relative_to(HOUSE).parts]
    assert len(modules) > 100
    naming = {
        path.relative_to(HOUSE).as_posix(): found
        for path in modules
        if (found := list(named_in(ast.parse(path.read_text("utf-8")))))
    }
    assert not naming
