"""Every numbered statement on time is tested by its number, and only these are cited."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
BY_LETTER = ROOT / "tests" / "handlers"
RULES = ROOT / "referee" / "games" / "clocks" / "RULES.md"
ID = re.compile(r"TM-\d+\.\d+")


def _cited(folder: Path) -> set[str]:
    return {found for path in folder.glob("*.py") for found in ID.findall(path.read_text("utf-8"))}


def test_every_rule_of_time_is_tested_by_its_number_and_no_other_is_cited() -> None:
    stated = re.findall(r"^- \*\*(TM-\d+\.\d+)\*\*", RULES.read_text("utf-8"), re.MULTILINE)
    assert len(stated) == len(set(stated)) > 40
    cited = _cited(Path(__file__).parent) | _cited(BY_LETTER)
    assert set(stated) - cited == set()
    assert (cited | _cited(RULES.parent)) - set(stated) == set()
