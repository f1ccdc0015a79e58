"""Every rule, every decision and every worked example is cited by a test, in its name or its docstring."""

from __future__ import annotations

import ast
import re
from importlib import resources
from pathlib import Path

HERE = Path(__file__).parent
RULES = resources.files("referee.rulebooks.cards").joinpath("RULES.md").read_text(encoding="utf-8")

RULE_COUNTS = (20, 6, 26, 14, 11, 20, 32, 12)
"""How many rules each section has: CC-1.1 to CC-1.20, and so on."""
EXAMPLE_COUNTS = (19, 6, 29, 14, 10, 19, 36, 12)
DECISIONS = 92

ALL = {
    *(f"CC-{section}.{n}" for section, most in enumerate(RULE_COUNTS, 1) for n in range(1, most + 1)),
    *(f"EX-{section}.{n:02}" for section, most in enumerate(EXAMPLE_COUNTS, 1) for n in range(1, most + 1)),
    *(f"A-{n:02}" for n in range(1, DECISIONS + 1)),
}

IN_NAMES = re.compile(r"(?:^|_)(cc|ex|a)_(\d+)(?:_(\d+))?(?=_|$)")
IN_TEXT = re.compile(r"\b(CC|EX)-(\d)\.(\d+)(?: to (?:CC|EX)-\d\.(\d+))?|\bA-(\d\d)")


def cited_in(name: str, docstring: str) -> set[str]:
    """Return the ids that a test's name (`test_ex_3_09_…`) and docstring (`CC-3.9 to CC-3.16`, `A-26`) cite."""
    cited = set()
    for kind, section, number in IN_NAMES.findall(name):
        if kind == "a":
            cited.add(f"A-{int(section):02}")
        elif number:
            cited.add(_id(kind.upper(), section, int(number)))
    for kind, section, first, last, decision in IN_TEXT.findall(docstring):
        if decision:
            cited.add(f"A-{decision}")
        else:
            cited |= {_id(kind, section, n) for n in range(int(first), int(last or first) + 1)}
    return cited


def _id(kind: str, section: str, number: int) -> str:
    return f"EX-{section}.{number:02}" if kind == "EX" else f"CC-{section}.{number}"


def cited() -> set[str]:
    found: set[str] = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= cited_in(node.name, ast.get_docstring(node) or "")
    return found


def test_every_id_is_cited_by_a_test() -> None:
    assert sorted(ALL - cited()) == []


def test_every_cited_id_exists() -> None:
    assert sorted(cited() - ALL) == []


def test_the_rules_state_every_id_once() -> None:
    stated = re.findall(r"^- \*\*(CC-\d\.\d+|A-\d\d)\*\*", RULES, re.MULTILINE)
    assert len(stated) == len(set(stated))
    assert sorted(stated) == sorted(each for each in ALL if not each.startswith("EX"))


def test_ids_cited_in_the_code_exist() -> None:
    folder = Path(str(resources.files("referee.rulebooks.cards")))
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found = {_id("CC", *_pair(each)) for each in re.findall(r"CC-(\d\.\d+)", text)}
        found |= {f"A-{each}" for each in re.findall(r"\bA-(\d\d)", text)}
        assert sorted(found - ALL) == [], path.name


def _pair(text: str) -> tuple[str, int]:
    section, number = text.split(".")
    return section, int(number)


def test_how_ids_are_cited() -> None:
    assert cited_in("test_ex_3_09_units_halt", "") == {"EX-3.09"}
    assert cited_in("test_a_24_a_pivot", "A-01") == {"A-24", "A-01"}
    assert cited_in("test_cc_3_25_gaps", "CC-4.6 to CC-4.8, EX-3.12") == {
        "CC-3.25",
        "CC-4.6",
        "CC-4.7",
        "CC-4.8",
        "EX-3.12",
    }
