"""A finished game of spies proves itself like any other: honest records fit, and what is forged is found twice over."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from referee.archive.verify import PROGRAMS, Verified, small_program, verify
from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.confusion import verify_game
from referee.rulebooks.confusion.table import read_table
from referee.rulebooks.rulebook import Result, Seat
from referee.rulebooks.spies import verify_spies
from referee.rulebooks.spies.adjudicate import conclude
from referee.rulebooks.spies.edition import BOTH
from referee.rulebooks.spies.fold import COURSE
from referee.service.queries import write_record
from tests.archive.forging import forgeries, with_its_chain
from tests.archive.forging_spies import FORGERS_OF_SPIES
from tests.archive.site.made_up import application
from tests.archive.spies_played import (
    AGENT_A,
    OTHERS,
    SPIES,
    Whole,
    an_agent_unmasked,
    answered,
    random_game_of_spies,
    scripted,
)
from tests.archive.test_verify import one_way, record_of
from tests.games.played import random_game_played
from tests.rulebooks.spies.tables import folded
from tests.support.operating import type_words
from tests.support.playing import Club
from tests.transcripts.stories_of_spies import a_whole_game_of_spies

RED, WHITE = Seat("red"), Seat("white")


def small(record: str, *numbers: str, table: str = "") -> list[verify_spies.Misfit]:
    """Return what does not fit for the small program."""
    return verify_spies.verify(record, numbers, table)[0]


def fits(record: str, *numbers: str, table: str = "") -> Verified:
    """Hold a record against itself by both programs, and see that it fits; return what verifying gave."""
    verified = verify(record, table or None, numbers)
    assert [each.sentence() for each in verified.misfits] == []
    assert list(map(str, small(record, *numbers, table=table))) == [], record
    return verified


# Honest games


def every_record_fits(game: Whole, seed: int, *, both: bool = True, table: str = "") -> None:
    """Hold the umpire's record and a player's against themselves. both: also by `referee verify`, which is slower."""
    record = game.record(View=("White", "Red")[seed % 2])
    assert list(map(str, small(record, game.commitment, *game.receipts, table=table))) == [], record
    if both:
        fits(record, *game.receipts, table=table)
    assert small(game.record((WHITE, RED)[seed % 2]), *game.receipts, table=table) == []


@pytest.mark.story
def test_thirty_random_games_fit() -> None:
    codes = Counter[str]()
    for seed in range(30):
        game = random_game_of_spies(seed, 40)
        every_record_fits(game, seed, both=seed % 5 == 0)
        codes.update(each.code for each in game.happenings)
    assert min(codes[code] for code in ("attempted", "sealed", "taken-back", "shown", "lapsed")) > 5


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_two_hundred_random_games_fit(capsys: pytest.CaptureFixture[str]) -> None:
    codes, ends = Counter[str](), Counter[str]()
    for seed in range(1000, 1200):
        game = random_game_of_spies(seed)
        every_record_fits(game, seed)
        codes.update(each.code for each in game.happenings)
        ends[re.findall("(?m)^Result = (.*)$", game.record())[0]] += 1
    with capsys.disabled():
        print(
            f"\nhonest games of spies: 200, none refused; what came to pass: {dict(codes)}; ends: {dict(ends)}"
        )
    assert codes["unmasked"] and codes["set-up"]


@pytest.mark.story
def test_games_with_another_table_and_with_turns_passed_fit() -> None:
    """Spies that only go forward: there are turns passed, draws for want of a move, and Z held on the far rank."""
    ends, passed = set[str](), 0
    for seed in range(16):
        late = ("on", "off")[seed % 2]
        game = random_game_of_spies(seed, 150, read_table(one_way()), late_contact=late)
        record = game.record()
        fits(record, game.commitment, *game.receipts, table=one_way())
        assert {each.part for each in small(record)} >= {"moves"}
        ends |= set(re.findall("(?m)^Result = .*: (.*)$", record))
        passed += sum(each.code == "passed" for each in game.happenings)
    assert ends >= set(verify_spies.ON_THE_BOARD)
    assert passed > 10


@pytest.mark.parametrize("answer", ["allow", "allow without Z"])
@pytest.mark.parametrize("variants", [{}, {"late-contact": "on"}, {"small-world": "on"}])
def test_a_double_agent_who_is_unmasked_fits(answer: str, variants: dict[str, str]) -> None:
    game = an_agent_unmasked(answer, **variants)
    assert ("A-N1xV+?>A" if answer == "allow" else "A-N1xV+? ") in game.record()
    every_record_fits(game, 0)


def test_every_record_of_spies_in_every_story_fits() -> None:
    count = 0
    for page in sorted((Path(__file__).parent.parent / "transcripts").rglob("*.txt")):
        for record in re.findall(r"(?ms)^; Spies\. .*?\n\n", page.read_text(encoding="utf-8")):
            if "\nChain = " in record:
                fits(record)
                count += 1
    assert count > 8


def test_a_game_that_ends_before_anything_was_ordered_fits() -> None:
    """Also where one side was set up: of that, no receipt tells."""
    result = Result(WHITE, "on time")
    for options in ({}, {"first": "white"}, {"variable-setup": "on"}):
        fits(scripted(options, "", (), result).record())


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Red resigns",
            "White wins",
            "White\twins",
            "Red has won",
            "Draw",
            "No  result",
            "V-N1 yes",
            "A-S1 no",
        ),
        *("V-N1    L-S1", "- 4. K-N1", "(V-N1", "[V-N1] no", "(taken back to 2 Red: x)"),
    ],
)
def test_a_turn_or_an_end_below_the_rows_is_found_by_both_programs(line: str) -> None:
    record = scripted({}, "", (), Result(WHITE, "on time")).record()
    fits(f"{record}; {line}\n{{{line}}}\nV-N1 was better, and White wins in a few turns\n")
    assert verify(f"{record}{line}\n").misfits and small(f"{record}{line}\n")


# Forged records


def forge_all(games: Iterable[Whole], both: int) -> tuple[int, Counter[str]]:
    """Let every forger try every game; return how many honest games there were, and how often each kind was found.

    both: so many games go to `referee verify`, too, which takes longer.
    """
    count, found = 0, Counter[str]()
    for count, game in enumerate(games, 1):
        record = game.record(View=("White", "Red")[count % 2])
        assert small(record) == []
        for kind, forged in forgeries(record, Random(count), FORGERS_OF_SPIES):
            by_program = small(forged)
            assert by_program, f"{kind}, not found by the small program:\n{forged}"
            found[kind] += 1
            if count <= both:
                by_command = verify(forged).misfits
                assert by_command, f"{kind}, not found by `referee verify`:\n{forged}"
                if {each.part for each in by_command} != {"proof"} and kind != "what was shown":
                    for part in ("commitment", "deal"):
                        said = [any(each.part == part for each in said) for said in (by_command, by_program)]
                        assert said[0] == said[1], f"{kind}: the programs differ on the {part}:\n{forged}"
    return count, found


def played_to_be_forged(seeds: Iterable[int], turns: int = 60) -> Iterable[Whole]:
    yield an_agent_unmasked("allow")
    yield an_agent_unmasked("allow without Z")
    for seed in seeds:
        yield random_game_of_spies(seed, turns)


RARE = {"no pass"}
"""What a random game has only now and then: Z passed to somebody."""


@pytest.mark.story
def test_whatever_is_forged_is_found_by_both_programs() -> None:
    """In games that have between them a place for every kind."""
    _, found = forge_all(played_to_be_forged((58, 2, 11, 0, 1, 3), turns=25), both=3)
    assert set(FORGERS_OF_SPIES) - set(found) == RARE
    assert found.total() > 600


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_whatever_is_forged_in_two_hundred_games_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    games, found = forge_all(played_to_be_forged(range(198)), both=20)
    with capsys.disabled():
        print(f"\nhonest games of spies: {games}; forged records: {found.total()}, all found")
        for kind in FORGERS_OF_SPIES:
            print(f"  {found[kind]:5}  {kind}")
    assert set(found) == set(FORGERS_OF_SPIES)
    assert found.total() > 15_000


@pytest.mark.parametrize(
    ("old", "new", "part", "sentence"),
    [
        ("A-N1xV+?>A", "A-N1xV+", "moves", r"row `3\. .*`: Red A-N1xV\+: by the rules it is written A-N1xV\+\?"),
        ("A-N1xV+?>A", "A-N1xV+?>C", "moves", r".*: A takes Z here, not C"),
        ("1.  A-N4   ", "1.  (C-N1) ", "moves", r".*: C is of type 1, so the answer is yes, not no"),
        ("2.  A-N4xL  ", "2.  A-N2 & (A-N1)", "moves", r".*: Red has no token move, or has none left"),
        ("3.  A-N1xV+?>A      ", "3.  A-S4            ", "moves", r".*: no type goes so far in this direction"),
        ("1.  A-N4   ", "1.  #A C-N1", "moves", r"row `2\. .*A is not on the board any more"),
        ("1.  A-N4   ", "1.  ?A C-N1", "moves", r".*: Red has no token reveal, or has none left"),
        ("1.  A-N4   ", "1.  #xC C-N1", "moves", r".*: C is of type 2, no double agent"),
        ("Variants = comrade", "Variants = small-world", "deal", r"Variants = small-world: by the proof it is comrade"),
        ("\nView", "\nRedTokens = swap\nView", "deal", r"RedTokens = swap: by the proof there is no such line"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_exactly(old: str, new: str, part: str, sentence: str) -> None:
    record = an_agent_unmasked("allow").record()
    assert record.count(old) == 1
    first = small(record.replace(old, new))[0]
    assert first.part == part
    assert re.fullmatch(sentence, str(first)), str(first)


@pytest.mark.parametrize("line", ["Variants = late-contact", "RedTokens = swap"])
def test_a_line_of_the_start_that_should_not_be_there_is_found(line: str) -> None:
    """Though it changes nothing in the course of the game, and so nothing that a receipt binds."""
    record = answered("deny").record()
    forged = record.replace("\nView", f"\n{line}\nView")
    assert [each.part for each in verify(forged).misfits] == ["deal"]
    assert [each.part for each in small(forged)] == ["deal"]


# Forgers who know the secret, and reckon everything anew


def test_a_false_answer_is_found_though_the_chain_was_reckoned_with_it() -> None:
    """An umpire's lie about a spy whose type the commitment binds."""
    record = answered("deny").record()
    forged = record.replace("C-N1", "(C-N1)", 1)
    without_deals = re.sub(r"(?m)^(White|Red) +=.*\n", "", forged)
    said = [
        dict(each)
        for each in map(SPIES.records.recorded, SPIES.records.replay(without_deals).happenings)
        if each
    ]
    assert {each.part for each in small(with_its_chain(forged, said))} == {"moves", "chain"}


def test_what_a_double_agent_was_answered_is_bound_by_the_receipts_of_letters_alone() -> None:
    """For either answer is true. Who knows the secret can make up the other one; no letter has its receipts."""
    true, other = answered("deny"), answered("allow")
    assert "(A-N2)" in true.record()
    fits(other.record(), other.commitment, *other.receipts)
    told = true.receipts[:5]
    assert small(other.record(), true.commitment, *told) == []
    (found,) = small(other.record(), true.commitment, *told, true.receipts[5])
    assert (found.part, true.receipts[5] in str(found)) == ("letter", True)


def test_another_spy_removed_is_found_by_the_receipt_of_any_letter_after_it() -> None:
    options, result = {"first": "red"}, Result(RED, "on time")
    deal = f"White={OTHERS}; Red={AGENT_A}"
    true, other = (scripted(options, deal, ("C-N1", f"#{letter}; A-S1", "E-N1"), result) for letter in "KL")
    fits(other.record(), true.commitment, *true.receipts[:2])
    assert [each.part for each in small(other.record(), true.receipts[2])] == ["letter"]


# The program by itself


def alone(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "verify_spies.py").write_text(type_words("verify", "--script", "spies").out)
    command = [sys.executable, "-I", "-S", "verify_spies.py", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.subprocess
def test_the_program_for_spies_runs_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = answered("allow")
    (tmp_path / "honest.txt").write_text(game.record())
    (tmp_path / "forged.txt").write_text(game.record().replace("C-N1", "(C-N1)", 1))
    ran = alone(tmp_path, "honest.txt", game.commitment, game.receipts[1])
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[0] == "Game 17, 4 attempts, Red wins: on time: all of it fits."
    assert f"{game.receipts[1]}: receipt 2 of 9: red C-N1 yes" in ran.stdout
    ran = alone(tmp_path, "forged.txt")
    assert ran.returncode == 1
    assert "Red (C-N1): C is of type 1, so the answer is yes, not no" in ran.stdout
    assert alone(tmp_path, "absent.txt").returncode == alone(tmp_path).returncode == 2


def test_the_command_prints_the_program_for_the_rules_that_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spies.txt").write_text(answered("allow").record())
    assert type_words("verify", "--script").out == small_program("confusion")
    assert type_words("verify", "--script", "confusion").out == small_program("confusion")
    assert type_words("verify", "--script", "spies").out == small_program("spies")
    assert type_words("verify", "spies.txt", "--script").out == small_program("spies")
    for wrong in (["--script", "cards"], ["--script", "spies", "spies.txt"], ["--script", "--json"]):
        said = type_words("verify", *wrong)
        assert (said.status, said.out) == (2, "")


def test_both_programs_have_what_is_the_same_in_both_sign_for_sign() -> None:
    """Whoever has read the one needs to read no more of the other than its beginning and its rules."""
    begins, ends = "# From here on to the line with `The rules`", "# The rules\n"
    parts = []
    for rules, name in PROGRAMS.items():
        text = small_program(rules)
        assert text.count(begins) == text.count(ends) == 1, name
        parts.append(text[text.index(begins) : text.index(ends)])
    assert parts[0] == parts[1]
    for rules in PROGRAMS:
        own = small_program(rules).replace(parts[0], "")
        assert len(own.splitlines()) < 520


def test_each_program_says_which_rules_it_does_not_know(club: Club) -> None:
    a_whole_game_of_spies(club)
    record = write_record(application(club), 1, "umpire")
    fits(record)
    for text, fit in ((record, "fits"), (record.replace("Game = 1", "Game = 2"), "does not fit")):
        (said,) = map(str, verify_game.verify(text)[0])
        assert said.startswith("Rules = spies 1: this program knows the rules `confusion 1` alone")
        assert f"The commitment {fit}" in said and said.endswith("Nothing else was checked")


SIGNS = "abxzAXZ019()[]&#?<>+-;=. \t\n{}\"'é²\u0663"


def damaged(record: str, random: Random) -> str:
    """Return a record with a sign or two exchanged, left out, put in, or with a piece cut out."""
    for _ in range(random.choice((1, 1, 2, 3))):
        place = random.randrange(len(record))
        cut = random.choice((0, 1, 1, random.randrange(1, 60)))
        record = record[:place] + random.choice((random.choice(SIGNS), "")) + record[place + cut :]
    return record


@pytest.mark.telling(seed=[0])
@pytest.mark.parametrize("seed", range(12))
def test_no_damage_stops_a_program_and_none_of_them_overlooks_what_referee_verify_finds(seed: int) -> None:
    random = Random(seed)
    whole = (
        random_game_of_spies(seed, 20).record()
        if seed % 2
        else record_of(random_game_played(seed, taken_back=0.1).game)
    )
    program = (verify_game, verify_spies)[seed % 2]
    for _ in range(80):
        record = damaged(whole, random)
        if not program.verify(record)[0]:
            assert verify(record).fits, record


def test_a_turn_that_stands_again_is_told_again_though_more_was_taken_back_at_once() -> None:
    """It has no answer there, so no receipt tells whether it stood there."""
    options, deal = {"first": "red"}, f"White={OTHERS}; Red={AGENT_A}"
    game = scripted(options, deal, ("C-N1", "A-S1", "E-N1", "C-S1"))
    backs = [taken_back(Return(turn, seat, "a slip"), BOTH) for turn, seat in ((2, WHITE), (2, RED))]
    position = folded(COURSE.standing((*game.happenings, *backs)))
    ends = conclude(position, Result(RED, "on time"))
    whole = game._replace(happenings=(*game.happenings, *backs, *ends))
    fits(whole.record(), *whole.receipts)
    forged = re.sub(r"(back to 2 White: a slip\n).*\n", r"\1", whole.record())
    assert forged != whole.record()
    assert not verify(forged).fits
    assert [each.part for each in small(forged)] == ["moves", "chain"]
