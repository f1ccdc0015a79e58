"""A record is replayed by the rules that it names itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import Rulebook
from tests.archive.spies_played import random_game_of_spies
from tests.archive.test_verify import record_of as record_of_game
from tests.games.played import sample_game_played
from tests.games.test_titles import SEATED
from tests.rulebooks.cards.proofs import close_game
from tests.rulebooks.cards.proofs import record as record_of_battle
from tests.support.operating import Desk, type_words

RECORDS: Mapping[str, Callable[[], str]] = {
    "confusion": lambda: record_of_game(sample_game_played("on the board")[0]),
    "spies": lambda: random_game_of_spies(3).record(),
    "cards": lambda: record_of_battle(*close_game()),
}
"""Of each rulebook a game that is over, with its proof."""

every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.name)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def record_of(desk: Desk, game: int) -> str:
    return desk.done("record", str(game)).out


@every_rulebook
@pytest.mark.parametrize("over", [True, False])
def test_a_record_is_replayed_by_its_own_rules(
    desk: Desk, tmp_path: Path, rulebook: Rulebook, over: bool
) -> None:
    """Over, it names them in its head; before, its sides tell which they are."""
    desk.done("new", rulebook.name, *SEATED[rulebook.name])
    if over:
        desk.done("adjudicate", "1", "--winner", "draw", "--reason", "They met")
    path = tmp_path / "record.txt"
    path.write_text(record_of(desk, 1))
    said = type_words("replay", str(path))
    how = "a draw, adjudicated: They met" if over else "not finished"
    assert (said.status, said.out) == (0, f"consistent: 0 {rulebook.records.counted[1]}, {how}\n")
    assert type_words("replay", str(path), "--rules", rulebook.name).out == said.out


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_whoever_names_a_game_is_told_how_its_record_is_had(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = type_words(command, "17")
    assert said.status == 2
    assert "referee record 17 > game-17.txt" in said.err
    monkeypatch.chdir(tmp_path)
    (tmp_path / "17").write_text("")
    assert "referee record 17" not in type_words(command, "17").err, "the file is there, and nothing is in it"


def test_records_of_several_rules_in_one_file_are_each_replayed_by_their_own(
    desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "records.txt"
    for rules in ("spies", "confusion"):
        desk.done("new", rules, *SEATED[rules])
    path.write_text(f"{record_of(desk, 1)}\n{record_of(desk, 2)}")
    replayed = type_words("replay", str(path), "--json").json
    assert replayed["consistent"] and len(replayed["records"]) == 2


@pytest.mark.telling("confusion")
@every_rulebook
def test_what_a_record_is_said_to_hold_has_the_words_of_its_rules(tmp_path: Path, rulebook: Rulebook) -> None:
    """`replay` and `verify`, of one record and of several: a battle has no attempts."""
    one, several = tmp_path / "record.txt", tmp_path / "records.txt"
    one.write_text(RECORDS[rulebook.name]())
    several.write_text(f"{one.read_text()}\n{one.read_text()}")
    count = type_words("replay", str(one), "--json").json["attempts"]
    assert count > 1
    for path in (one, several):
        replayed, verified = (type_words(word, str(path)).out for word in ("replay", "verify"))
        assert f"consistent: {count} {rulebook.records.counted[1]}, " in replayed
        assert re.search(rf"(?m)^  {rulebook.records.counted[1]} +\d+.*, each as the rules say$", verified)
        others = {word for each in RULEBOOKS for word in each.records.counted} - set(rulebook.records.counted)
        assert not any(re.search(rf"\b{word}\b", replayed + verified) for word in others)


@pytest.mark.telling("confusion")
@every_rulebook
def test_sheets_are_written_or_it_is_said_that_there_are_none(tmp_path: Path, rulebook: Rulebook) -> None:
    path = tmp_path / "record.txt"
    path.write_text(RECORDS[rulebook.name]())
    for further in ([], ["--json"]):
        said = type_words("replay", str(path), "--sheets", "1", *further)
        if rulebook.name == "cards":
            assert (said.status, said.out) == (2, "")
            assert "--sheets: in a game of cards nothing is to be deduced, so it has no sheets." in said.err
        else:
            assert said.status == 0 and (further or "deals agree with all answers." in said.out)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "this is empty: expected a record"),
        (
            b"Dear aunt,\nit rains.\n",
            "this is no record of a game: expected a file as `referee record GAME` writes it",
        ),
        (b"[service]\nname = 'R'\n", "this is no record of a game"),
        (b"\x89PNG\r\n\x1a\n\0\xff", "this is no record of a game"),
        (
            b"From: a@example.net\nTo: r@example.org\nSubject: x\n\n1. A-N1\n",
            "this is a whole letter: save the lines",
        ),
        (b'{"game": 1}\n', "this is JSON, as `referee log` writes it"),
        (b"SQLite format 3\0\x10\0", "this is a database"),
        (
            b"game".ljust(257, b"\0") + b"ustar\x0000",
            "this is a bundle, and no record: `referee bundle --check`",
        ),
    ],
)
def test_a_file_that_is_no_record_is_named_with_what_it_is(tmp_path: Path, content: bytes, why: str) -> None:
    """What is printed on standard output stays the first inconsistency, and the status that of a wrong record."""
    path = tmp_path / "file"
    path.write_bytes(content)
    for word in ("replay", "verify"):
        said = type_words(word, str(path))
        assert said.status == 1
        assert said.err.startswith(f"referee: {path}: {why}") and said.err.count("\n") == 1
        assert said.out and " : " not in said.out.splitlines()[0]
        told = type_words(word, str(path), "--json").json
        assert told["consistent" if word == "replay" else "verified"] is False


def test_a_record_with_a_mistake_is_not_taken_for_another_file(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    for wrong in ("White = A1\n", "; Anna\nRules = confusion 1\nprose\n"):
        path.write_text(wrong)
        said = type_words("replay", str(path))
        assert said.status == 1 and said.out and not said.err


def test_a_record_of_unknown_rules_is_refused_by_their_name(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    path.write_text("Rules = spais 1\n")
    said = type_words("replay", str(path))
    assert said.status == 2 and "'spais'" in said.err and "did you mean spies?" in said.err
