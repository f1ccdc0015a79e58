"""Section 2 of the rules: the movement table as data."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from referee.common.chance import Chance
from referee.common.errors import SettingsError
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.fold import fold_position
from referee.rulebooks.confusion.table import default_table, read_table, table_from
from tests.rulebooks.confusion.boards import CONFUSION, opened

TEXT = resources.files("referee.rulebooks.confusion").joinpath("table.toml").read_text(encoding="utf-8")
EVIDENCE_WORDS = ("text", "game", "example", "reconstructed")


def line_of(text: str, fragment: str) -> int:
    return text[: text.index(fragment)].count("\n") + 1


def test_cf_2_1_every_direction_has_its_evidence_and_every_row_says_whether_it_promotes() -> None:
    table = default_table()
    for row in (*table.rows, table.promoted):
        assert row.headings
        assert all(any(word in evidence for word in EVIDENCE_WORDS) for evidence in row.headings.values())
        assert isinstance(row.promotes, bool)
    assert table.double_agent is not None
    assert table.row(9).name("fr") == "Crabe"
    assert table.row(9).name("nl") == "Crab"


def test_cf_2_1_a_table_survives_being_kept_as_plain_data() -> None:
    table = default_table()
    assert table_from(json.loads(json.dumps(table.plain()))) == table


def test_cf_2_1_a_game_keeps_the_table_it_began_with() -> None:
    other = read_table(
        TEXT.replace('name = "classic"', 'name = "long wimp"').replace(
            'name = { en = "Wimp", fr = "Lavette" }\nreach = 1',
            'name = { en = "Wimp", fr = "Lavette" }\nreach = 3',
        )
    )
    referee = Confusion(other)
    (began, *_) = referee.rules.opening({}, Chance(bytes(32)))
    assert began.facts["table_name"] == "long wimp"
    # The default service folds the old game with the table of that game.
    board = fold_position(None, began).board
    assert board.table.can(8, "S", 3)
    assert not opened()[0].board.table.can(8, "S", 3)
    (usual, *_) = CONFUSION.rules.opening({}, Chance(bytes(32)))
    assert usual.facts["table_name"] == "classic"


@pytest.mark.parametrize(
    ("old", "new", "at", "reason"),
    [
        ("reach = 4", "reach = 12", "reach = 12", "type 1 needs a reach from 1 to 11"),
        ("reach = 4", "reach = 0", "reach = 0", "type 1 needs a reach from 1 to 11"),
        ("reach = 4", "reach = true", "reach = true", "type 1 needs a reach from 1 to 11"),
        ("reach = 4\n", "", "[type.1]", "type 1 needs a reach from 1 to 11"),
        (
            'reach = 4\npromotes = true\nF = "text"',
            "reach = 4\npromotes = true",
            "[type.1]",
            "type 1 needs at least one direction",
        ),
        (
            "promotes = true",
            "promotes = 1",
            "promotes = 1",
            "type 1 needs promotes = true or promotes = false",
        ),
        (
            'FD = "game"\nB = "game"',
            'FD = "game"\nBD = "game"',
            "[type.11]",
            "type 11 moves exactly like type 10",
        ),
        ("[type.12]", "[type.13]", "[type.13]", "there is no type 13"),
        ("[type.7]", "[type.6]", '[type.6]\nname = { en = "Spr', "this is not TOML"),
        ('F = "text"\n\n[type.2]', 'U = "text"\n\n[type.2]', 'U = "text"', "type 1 has an unknown key `U`"),
        ('F = "text"\n\n[type.2]', "F = 1\n\n[type.2]", "F = 1", "beside F stands how it is known"),
        ('name = "classic"', "", "# How", "the table needs a name"),
        ('name = "classic"', 'nam = "classic"', 'nam = "classic"', "unknown key `nam`; did you mean `name`?"),
        ('name = { en = "Crab", fr = "Crabe" }', 'name = "Crab"', 'name = "Crab"', "type 9 needs its name"),
        (
            'name = { en = "Crab", fr = "Crabe" }',
            'name = { fr = "Crabe" }',
            'name = { fr = "Crabe" }',
            "in English",
        ),
        ("reach = 4", "reach = = 4", "reach = = 4", "this is not TOML"),
        ('[type."?"]\n', '[type."?"]\nreach = 2\n', '[type."?"]', "type ? has no movement of its own"),
    ],
)
def test_cf_2_1_a_faulty_table_is_refused_and_its_line_named(
    old: str, new: str, at: str, reason: str
) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    with pytest.raises(SettingsError) as refused:
        read_table(text)
    assert str(refused.value).startswith(f"line {line_of(text, at)}: ")
    assert reason in str(refused.value)


def test_cf_2_1_a_table_without_one_of_the_twelve_or_the_promoted_row_is_refused() -> None:
    start, end = TEXT.index("[type.5]"), TEXT.index("[type.6]")
    missing = rf"line {line_of(TEXT, '[type.4]')}: after this section \[type\.5\] is missing"
    with pytest.raises(SettingsError, match=missing):
        read_table(TEXT[:start] + TEXT[end:])
    start, end = TEXT.index('[type."+"]'), TEXT.index('[type."?"]')
    with pytest.raises(SettingsError, match=r'\[type\."\+"\] is missing'):
        read_table(TEXT[:start] + TEXT[end:])
    with pytest.raises(SettingsError, match="line 1: the table has no types"):
        read_table('name = "empty"\n')


def test_cf_2_2_types_1_5_9_and_12_never_go_backward_and_only_they_promote() -> None:
    table = default_table()
    no_way_back = [number for number in range(1, 13) if not {"B", "BD"} & set(table.row(number).headings)]
    assert no_way_back == [1, 5, 9, 12]
    assert table.types_that_promote() == (1, 5, 9, 12)


def test_cf_2_3_the_example_of_deduction_fits_the_table() -> None:
    table = default_table()
    assert table.types_that_can("F", 1) == (1, 2, 3, 4, 5, 6, 7)
    assert table.types_that_can("S", 1) == (4, 5, 6, 7, 8, 9)
    assert [number for number in (8, 9) if table.can(number, "FD", 2)] == [9]


def test_cf_2_each_type_goes_as_far_as_the_rules_say() -> None:
    table = default_table()
    said = {
        1: (4, "F"), 2: (3, "F BD"), 3: (2, "F BD B"), 4: (2, "F S B"), 5: (2, "F FD S"), 6: (1, "F FD S BD B"),
        7: (1, "F FD S B"), 8: (1, "FD S BD"), 9: (2, "FD S"), 10: (2, "FD BD"), 11: (2, "FD B"), 12: (3, "FD"),
    }  # fmt: skip
    assert {row.number: (row.reach, " ".join(row.headings)) for row in table.rows} == {
        str(number): movement for number, movement in said.items()
    }
    assert (table.promoted.reach, " ".join(table.promoted.headings)) == (2, "F FD S BD B")
    assert [table.farthest(way) for way in ("F", "FD", "S", "BD", "B")] == [4, 3, 2, 3, 2]
