"""Every rule that this edition's RULES.md states is covered by a test that names it."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

HERE = Path(__file__).parent


def rules_of(rulebook: str) -> list[str]:
    text = resources.files(f"referee.rulebooks.{rulebook}").joinpath("RULES.md").read_text(encoding="utf-8")
    return re.findall(r"\*\*CF-(\d+\.\d+)\*\*", text)


def named_in_tests() -> set[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    names = re.findall(r"def (test_\w*)\(", text)
    return {
        f"{section}.{number}" for name in names for section, number in re.findall(r"cf_(\d+)_(\d+)_", name)
    }


def test_every_rule_has_a_test_that_names_it() -> None:
    assert [rule for rule in rules_of("spies") if rule not in named_in_tests()] == []


def test_every_test_names_a_rule_that_exists() -> None:
    assert sorted(named_in_tests() - {*rules_of("spies"), *rules_of("confusion")}) == []


def test_the_rules_are_the_section_of_this_edition_and_what_it_puts_more_exactly() -> None:
    edition = [f"10.{number}" for number in range(1, 14)]
    assert sorted(rules_of("spies")) == sorted(["1.5", *edition, "11.3"])


def test_ids_cited_in_the_code_are_stated_in_the_rules() -> None:
    stated = {*rules_of("spies"), *rules_of("confusion")}
    folder = Path(str(resources.files("referee.rulebooks.spies")))
    for path in folder.glob("*.py"):
        cited = set(re.findall(r"CF-(\d+\.\d+)", path.read_text(encoding="utf-8")))
        assert cited <= stated, path.name


def test_every_id_of_the_edition_is_cited_in_the_code() -> None:
    folder = Path(str(resources.files("referee.rulebooks.spies")))
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    cited = set(re.findall(r"CF-(\d+\.\d+)", code))
    assert [rule for rule in rules_of("spies") if rule not in cited] == []
