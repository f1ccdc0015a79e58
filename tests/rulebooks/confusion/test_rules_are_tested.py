"""Every rule that RULES.md states is covered by a test that names it."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

RULES = resources.files("referee.rulebooks.confusion").joinpath("RULES.md").read_text(encoding="utf-8")
HERE = Path(__file__).parent


def rule_ids() -> list[str]:
    return re.findall(r"\*\*CF-(\d+\.\d+)\*\*", RULES)


def named_in_tests() -> set[str]:
    names = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    return {f"{section}.{number}" for section, number in re.findall(r"def test_cf_(\d+)_(\d+)_", names)}


def test_every_rule_has_a_test_that_names_it() -> None:
    untested = [rule for rule in rule_ids() if rule not in named_in_tests()]
    assert untested == []


def test_every_test_names_a_rule_that_exists() -> None:
    assert sorted(named_in_tests() - set(rule_ids())) == []


def test_the_rules_are_the_sections_that_this_game_needs() -> None:
    sections = {rule.split(".")[0] for rule in rule_ids()}
    assert sections == {"1", "2", "3", "4", "5", "6", "7", "8", "11"}
    assert len(rule_ids()) == len(set(rule_ids())) == 39


def test_ids_cited_in_the_code_are_stated_in_the_rules() -> None:
    # What both editions share may cite the other's rules as well, which has a test of its own.
    edition = resources.files("referee.rulebooks.spies").joinpath("RULES.md").read_text(encoding="utf-8")
    stated = {*rule_ids(), *re.findall(r"\*\*CF-(\d+\.\d+)\*\*", edition)}
    folder = Path(str(resources.files("referee.rulebooks.confusion")))
    for path in folder.glob("*.py"):
        cited = set(re.findall(r"CF-(\d+\.\d+)", path.read_text(encoding="utf-8")))
        assert cited <= stated, path.name
