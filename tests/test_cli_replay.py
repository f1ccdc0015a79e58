"""A record is replayed by the rules that it names itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rulebooks.catalogue import RULEBOOKS, AnyRulebook
from tests.desk.test_titles import SEATED
from tests.operating import Desk, type_words

every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.name)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def record_of(desk: Desk, game: int) -> str:
    return desk.done("record", str(game)).out


@every_rulebook
@pytest.mark.parametrize("over", [True, False])
def test_a_record_is_replayed_by_its_own_rules(
    desk: Desk, tmp_path: Path, rulebook: AnyRulebook, over: bool
) -> None:
    """Over, it names them in its head; before, its sides tell which they are."""
    desk.done("new", rulebook.name, *SEATED[rulebook.name])
    if over:
        desk.done("adjudicate", "1", "--winner", "draw", "--reason", "They met")
    path = tmp_path / "record.txt"
    path.write_text(record_of(desk, 1))
    said = type_words("replay", str(path))
    how = "a draw, adjudicated: They met" if over else "not finished"
    assert (said.status, said.out) == (0, f"consistent: 0 attempts, {how}\n")
    assert type_words("replay", str(path), "--rules", rulebook.name).out == said.out


def test_records_of_several_rules_in_one_file_are_each_replayed_by_their_own(
    desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "records.txt"
    for rules in ("spies", "confusion"):
        desk.done("new", rules, *SEATED[rules])
    path.write_text(f"{record_of(desk, 1)}\n{record_of(desk, 2)}")
    replayed = type_words("replay", str(path), "--json").json
    assert replayed["consistent"] and len(replayed["records"]) == 2


def test_a_record_of_unknown_rules_is_refused_by_their_name(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    path.write_text("Rules = spais 1\n")
    said = type_words("replay", str(path))
    assert said.status == 2 and "'spais'" in said.err and "did you mean spies?" in said.err
