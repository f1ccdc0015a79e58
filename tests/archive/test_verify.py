"""A finished game's record proves itself: honest ones fit, and whatever is forged in one is found, by both programs."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from random import Random

import pytest

from referee.archive.event_records import join_records
from referee.archive.verify import PROGRAMS, Discrepancy, Verified, small_program, verify
from referee.common.chance import commitment
from referee.games.decisions import decide_order, open_game
from referee.games.events import Ended, TakenBack
from referee.games.game import Game
from referee.games.game_options import record_head, tidy_agreements
from referee.games.proof import write_options
from referee.games.results import adjudicated, tidy_reason
from referee.games.take_backs import take_back
from referee.rulebooks.confusion import Confusion, verify_game
from referee.rulebooks.confusion.adjudicate import answer_to
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.confusion.table import read_table
from referee.rulebooks.rulebook import UMPIRE, OrderLine, Result, Seat
from referee.rulebooks.spies import verify_spies
from tests.archive.forging import FORGERS, forgeries, with_its_chain
from tests.games.played import ENDS, SEATS, Played, random_game_played, sample_game_played
from tests.reports.material import CONFUSION, WHITE, YELLOW
from tests.support.operating import Desk, type_words
from tests.support.playing import Club

KINGS = "A1 C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12"
REASONS = (
    "misread (twice)",
    "(so they agreed)",
    "a) the host b) the clock",
    "Bo's letter: lost, not late!",
    "x = y; 12 White: no",
    "la lettre était arrivée à temps – dit l'arbitre",
    '[sic] 50% \\u0020 "quoted"',
)


def record_of(game: Game, seat: Seat | None = None, **head: str) -> str:
    """Return the record of a game as the umpire, or a seat, may have it."""
    heard = game.happenings if seat is None else game.heard(seat)
    return game.rulebook.records.write(heard, {**head, **game.proof}, seat)


def small(record: str, *numbers: str, table: str = "") -> list[verify_game.Misfit]:
    """Return what does not fit for the small program."""
    return verify_game.verify(record, numbers, table)[0]


def fits(record: str, *numbers: str, table: str = "") -> Verified:
    """Hold a record against itself by both programs, and see that it fits; return what verifying gave."""
    verified = verify(record, table or None, numbers)
    assert [each.sentence() for each in verified.misfits] == []
    assert list(map(str, small(record, *numbers, table=table))) == []
    return verified


def misfits(record: str, *numbers: str) -> tuple[Discrepancy, ...]:
    """Return what does not fit in a record; the small program has to find something, too."""
    verified = verify(record, None, numbers)
    assert bool(small(record, *numbers)) == (not verified.fits)
    return verified.misfits


def begun(options: Mapping[str, str] | None = None, deal: str = "", rulebook: Confusion = CONFUSION) -> Game:
    opened = open_game(17, rulebook, options or {}, SEATS, Random(len(deal)).randbytes(32), deal)
    return Game(17, rulebook, "proposed").after(opened)


def tried(game: Game, *moves: str) -> Game:
    for move in moves:
        (seat,) = game.due
        decision = decide_order(game, seat, OrderLine(1, move))
        assert decision.fault is None
        game = game.after(decision.events[0])
    return game


def at_random(game: Game, attempts: int, random: Random) -> Game:
    for _ in range(attempts):
        if game.status == "playing":
            (seat,) = game.due
            game = tried(game, write_move(random.choice(list(possible_moves(game.position.board, seat)))))
    return game


def onward(game: Game, attempts: int, random: Random) -> Game:
    """Play attempts that are answered yes, where there are any, and leave Z alone."""
    for _ in range(attempts):
        if game.status == "playing":
            (seat,), position = game.due, game.position
            moves = list(possible_moves(position.board, seat))
            good = [move for move in moves if not move.takes_z and answer_to(position, seat, move)[0]]
            game = tried(game, write_move(random.choice(good or moves)))
    return game


def ended(game: Game, result: Result) -> Game:
    over = game.after(Ended(result, game.rulebook.rules.conclude(game.position, result)))
    assert over.status == "ended"
    return over


def taken_back(game: Game, turn: int, reason: str) -> Game:
    event = take_back(game, turn, None, reason)
    assert isinstance(event, TakenBack)
    return game.after(event)


# Honest games


@pytest.mark.parametrize("ends", ENDS)
def test_the_sample_game_fits_however_it_ends_and_whoever_has_the_record(ends: str) -> None:
    game, receipts = sample_game_played(ends)
    for seat in (None, WHITE, YELLOW):
        for view in ("White", "Yellow"):
            verified = fits(record_of(game, seat, View=view), game.commitment, *receipts)
            assert verified.receipts == len(receipts)
            assert verified.result == game.result
            assert verified.deal_set


def test_what_is_said_of_a_game_that_fits() -> None:
    game, receipts = sample_game_played("on the board")
    verified = fits(record_of(game), game.commitment, receipts[0].upper(), receipts[-1])
    assert list(verified.lines()) == [
        "game 17 fits: White wins, by holding Z on the opponent's first rank",
        f"  commitment  {game.commitment}",
        "  deal        set by an umpire, and bound",
        "  attempts    76, each as the rules say",
        f"  receipts    77, the last {receipts[-1]}",
        f"  {game.commitment}: the commitment",
        f"  {receipts[0]}: receipt 1 of 77: white L-S2 yes",
        f"  {receipts[-1]}: receipt 77 of 77: White wins: by holding Z on the opponent's first rank",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("taken", [0, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_random_games_fit(seed: int, taken: float) -> None:
    game, receipts = random_game_played(seed, taken_back=taken)
    verified = fits(record_of(game, View="White"), *receipts)
    assert verified.taken_back == sum(len(each.happenings) for each in game.branches)
    assert not verified.deal_set


@pytest.mark.parametrize("reason", REASONS)
def test_a_game_fits_whatever_the_umpire_has_given_as_his_reason(reason: str) -> None:
    """Also where brackets end it: these once were lost when a record was read."""
    game = taken_back(at_random(begun(), 7, Random(3)), 2, reason)
    game = at_random(game, 3, Random(4))
    for end in ("white", "draw", "none"):
        over = ended(game, adjudicated(end, reason))
        assert f"adjudicated: {tidy_reason(reason)}" in record_of(over)
        fits(record_of(over))


@pytest.mark.parametrize(
    "result",
    [
        Result(WHITE, "on time"),
        Result(YELLOW, "by agreement"),
        Result(None, "abandoned by agreement", void=True),
    ],
)
def test_a_game_fits_that_ends_before_anything_was_tried(result: Result) -> None:
    for first in ("white", "yellow"):
        assert fits(record_of(ended(begun({"first": first}), result))).attempts == 0


@pytest.mark.parametrize("deal", [f"White={KINGS}", f"Yellow={KINGS}", f"White={KINGS}; Yellow={KINGS}"])
def test_a_deal_that_was_set_is_bound_and_the_rest_is_drawn(deal: str) -> None:
    record = record_of(ended(at_random(begun({}, deal), 6, Random(1)), Result(WHITE, "on time")))
    assert f"\nDeal = {deal}\n" in record
    assert fits(record).deal_set


@pytest.mark.telling(options=[{"time": "3d/move", "lapse": "soft"}])
@pytest.mark.parametrize(
    "options",
    [
        {"sheets": "off", "first": "yellow"},
        {"time": "3d/move", "lapse": "soft"},
        {"time": "30d"},
        {"press": "off", "watchers": "2"},
    ],
)
def test_a_game_with_options_fits(options: dict[str, str]) -> None:
    options = tidy_agreements(options)
    game = ended(at_random(begun(options), 9, Random(2)), Result(WHITE, "by resignation"))
    head = record_head(options)
    record = record_of(game, None, **head)
    fits(record)
    assert bool(head) == ("time" in options)
    for key in head:
        found = misfits(record_of(game, None, **{**head, key: "1d/move"}))
        assert [(each.part, each.text) for each in found] == [("deal", f"{key} = 1d/move")]
        without = {other: said for other, said in head.items() if other != key}
        assert [each.part for each in misfits(record_of(game, None, **without))] == ["deal"]
    kinds = {kind for kind, _ in forgeries(record, Random(1))}
    assert not head or {"other time", "no line Time", "no line Lapse"} <= kinds
    for kind, forged in forgeries(record, Random(1)):
        assert misfits(forged), kind


def one_way() -> str:
    """Return a table of pieces that only go forward: those that have arrived cannot try anything any more."""
    sections = [
        f'[type.{number}]\nname = {{ en = "T{number}" }}\nreach = {min(number, 11)}\npromotes = false\n'
        'F = "test"\n' + ('FD = "test"\n' if number < 12 else "")
        for number in range(1, 13)
    ]
    promoted = '[type."+"]\nname = { en = "P" }\nreach = 1\npromotes = false\nF = "test"\n'
    return "\n".join(['name = "one way"', *sections, promoted])


@pytest.mark.story
def test_a_game_with_another_table_and_with_turns_passed_fits() -> None:
    rulebook = Confusion(read_table(one_way()))
    passes = ends = 0
    for seed in range(12):
        game = onward(begun({}, "", rulebook), 300, Random(seed))
        if game.status == "playing":
            game = ended(game, Result(WHITE, "by agreement"))
        else:
            ends += 1
        record = record_of(game)
        passes += record.count(" pass")
        fits(record, table=one_way())
        assert {each.part for each in misfits(record)} == {"moves", "chain"}
    assert passes > 5
    assert ends > 5


def test_comments_names_and_the_way_of_writing_change_nothing() -> None:
    game, _ = random_game_played(1)
    record = record_of(game, WhiteName="Zoë = 1. A-N1", Event="Mai; 2026")
    record = record.replace("Zoë", "Ann").replace("\n2. ", "\n2.   ") + "; Yellow: well played\n\n"
    fits(record)
    fits("\ufeff" + record.replace("\n", "\r\n"))
    start = record.index("    Yellow  ")
    spelt = record[start:].replace("-", " – ").replace("x", "×").lower()
    assert verify(record[:start].replace("Result =", "result =") + spelt).fits


def test_the_record_of_a_last_letter_and_the_one_by_letter_fit(club: Club) -> None:
    """As they stand in letters, and with the numbers of these letters."""
    anna, bert = club.member("Anna"), club.member("Bert")
    number = club.starts({"white": anna, "yellow": bert})
    committed = re.findall(r"[0-9a-f]{64}", anna.last.text)
    for who, move in ((anna, "A-S1"), (bert, "A-N1"), (anna, "C-S1")):
        who.replies(move, to=who.last_about(number))
    receipt = re.findall(r"Receipt: ([0-9a-f]{64})", bert.last.text)
    anna.replies("resign", to=anna.last_about(number))
    bert.replies("record", to=bert.last_about(number))
    for letter in (anna.last, bert.letters[-2], bert.last):
        text = letter.text.replace("\r\n", "\n")
        record = text[text.index("; Confusion.") : text.rindex("\nReceipt:")]
        found = fits(record, *committed, *receipt).found
        assert [each.what for each in found] == [
            "the commitment",
            "receipt 3 of 4: white C-S1 " + found[1].what[-3:].strip(),
        ]


def test_every_record_in_every_story_fits() -> None:
    """Games that were resigned, agreed on, lost on time, adjudicated, taken back, and left by somebody, as letters
    brought them."""
    count = 0
    for page in sorted((Path(__file__).parent.parent / "transcripts").rglob("*.txt")):
        for record in re.findall(r"(?ms)^; Confusion\. .*?\n\n", page.read_text(encoding="utf-8")):
            if "\nChain = " not in record:
                continue
            assert verify(record).fits, f"{page}: {[each.sentence() for each in verify(record).misfits]}"
            assert not small(record), page
            count += 1
    assert count > 60


# Forged records


def honest(random_games: int) -> Iterator[Played]:
    """Yield honest games: the sample game, and games at random, every other one taken back now and then."""
    yield from map(sample_game_played, ENDS)
    for seed in range(random_games):
        yield random_game_played(seed, taken_back=0.2 * ((seed + 1) % 2))


def forge_all(games: Iterator[Played]) -> tuple[int, Counter[str]]:
    """Let every forger try every game; return how many honest games there were, and how often each kind was found."""
    count, found = 0, Counter[str]()
    for count, (game, _) in enumerate(games, 1):
        record = record_of(game, View=("White", "Yellow")[count % 2])
        fits(record)
        for kind, forged in forgeries(record, Random(count)):
            by_command, by_program = verify(forged).misfits, small(forged)
            assert by_command, f"{kind}, not found by `referee verify`:\n{forged}"
            assert by_program, f"{kind}, not found by the small program:\n{forged}"
            # Under another game's rules the one reads it by those, and the other knows them not.
            for part in ("commitment", "deal") if kind != "other rules" else ():
                both = [any(each.part == part for each in said) for said in (by_command, by_program)]
                assert both[0] == both[1], f"{kind}: the programs differ on the {part}:\n{forged}"
            found[kind] += 1
    return count, found


RARE = {"other time", "no line Time", "no line Lapse"}
"""What only games with a clock have: see the games with options."""


@pytest.mark.story
def test_whatever_is_forged_is_found_by_both_programs() -> None:
    games, found = forge_all(honest(1))
    assert games == 4
    assert set(found) == set(FORGERS) - RARE
    assert found.total() > 250


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_whatever_is_forged_in_a_hundred_games_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    games, found = forge_all(honest(100))
    with capsys.disabled():
        print(
            f"\nhonest games: {games}, none refused; forged records: {found.total()}, all found by both programs"
        )
        for kind in FORGERS:
            print(f"  {found[kind]:5}  {kind}")
    assert games == 103
    assert found.total() > 6_000


@pytest.mark.slow
def test_every_answer_that_is_flipped_and_every_row_that_is_missing_is_found() -> None:
    """Not some of them: all of the sample game."""
    record = record_of(sample_game_played("on the board")[0])
    cells = [
        each
        for each in re.finditer(r"\(?[A-Z]Z?-[NSEW]+\d[xA-Z>+]*\)?", record)
        if each.start() > record.index("\n1. ")
    ]
    assert len(cells) == 76
    for cell in cells:
        flipped = cell[0].strip("()") if cell[0].startswith("(") else f"({cell[0]})"
        found = misfits(record[: cell.start()] + flipped + record[cell.end() :])
        row = int(re.findall(r"(?m)^(\d+)\.", record[: cell.start()])[-1])
        assert (found[0].part, found[0].row, found[0].text) == ("moves", row, flipped)
    for row in range(1, 40):
        assert misfits(re.sub(rf"(?m)^{row}\..*\n", "", record))


@pytest.mark.parametrize(
    ("old", "new", "part", "sentence"),
    [
        ("Secret = 0001", "Secret = 0011", "commitment", r"Commitment = \w{64}: game, rules, options, .* \w{64}"),
        ("Game = 17", "Game = 18", "commitment", r"Commitment = \w{64}: game, rules, .*"),
        ("A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4\nY", "A6 C8 E10 H11 K1 L2 N3 O9 P7 S5 T12 V4\nY", "deal",
         "White = A6 C8 E10 H11 K1 L2 .*: by the secret, the options and the deal that was set it is A6 .* K2 L1 .*"),
        ("First  = White", "First  = Yellow", "deal", "First = Yellow: by the secret, .* it is White"),
        ("E-NW1           L-S4xA", "E-NW1           (L-S4xA)", "moves",
         r"row 4 White \(L-S4xA\): the Rocket \(1\) on L can go four squares south, but the record has it refused"),
        ("V-NW2xZ", "V-NW2", "rows", r"row 8 `8. V-NW2 V-W1`: by the moves .* `8. V-NW2xZ V-W1`"),
        ("wins: by holding", "wins: by folding", "result", "Result = .* by folding .*: by the rows it is .*"),
        ("\nResult = White", "\nResult = Yellow", "moves", "row 39 Result = .*: the rows end otherwise: .*"),
        ("Chain = ", "Chain = 0", "proof", "Chain = 0.*: 64 digits of 0-9 and a-f are expected"),
        ("Rules = confusion 1", "Rules = confusion 2", "proof",
         "Rules = confusion 2: here these rules are known as version 1, and as no other"),
        ("Rules = confusion 1", "Rules = confuson 1", "proof", "Rules = .*: there are no rules named 'confuson'; .*"),
        ("Options = {", "Options = [", "proof", r"Options = \[.*: options are expected as in \{\"first\": \"white\"\}"),
        ("\nChain =", "\nLink =", "proof", "the record has no line `Chain = …`, as it has at the end of a game"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_exactly(old: str, new: str, part: str, sentence: str) -> None:
    record = record_of(sample_game_played("on the board")[0])
    assert record.count(old) == 1
    first = misfits(record.replace(old, new))[0]
    assert first.part == part
    assert re.fullmatch(sentence, first.sentence()), first.sentence()


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Yellow resigns",
            "White wins",
            "White\twins",
            "White  wins",
            "White has won",
            "Draw",
            "No  result",
        ),
        *("V-N1    L-S1", "- 4. K-N1", "A-S1 no", "V-N1 yes", "(V-N1", "No. 5 V-N1 L-S1", "pass", "1-0"),
        *("(taken back to 2 Yellow: x)", "Result: White wins", "Draw: by agreement"),
    ],
)
def test_a_turn_or_an_end_below_the_rows_is_found_by_both_programs(line: str) -> None:
    record = record_of(sample_game_played("on the board")[0])
    assert misfits(f"{record}{line}\n")
    fits(f"{record}; {line}\n{{{line}}}\nV-N1 was better, and White wins in a few turns\n")


def test_an_empty_line_of_a_deal_sets_none() -> None:
    game, _ = random_game_played(1)
    record = f"Deal =\n{record_of(game)}"
    assert "  deal        drawn from the secret" in fits(record).lines()
    assert "  deal        drawn from the secret" in verify_game.verify(record, (), "")[1]


def test_a_changed_deal_alone_leaves_answers_and_chain_as_they_are() -> None:
    """For the answers are held against the deal that the commitment binds, and not against the forged one."""
    record = record_of(random_game_played(0)[0])
    for number, (kind, forged) in enumerate(forgeries(record, Random(1))):
        if kind.startswith("two types of"):
            assert [each.part for each in misfits(forged)] == ["deal"], number


# Forgers who know the secret, and reckon everything anew


def rewritten(game: Game, changed: Game) -> str:
    """Return the record of another game, with the proof of this one and a chain that follows."""
    record = changed.rulebook.records.write(changed.happenings, game.proof, None)
    return with_its_chain(
        record, [dict(said) for each in changed.happenings if (said := CONFUSION.records.recorded(each))]
    )


def test_a_false_answer_is_found_though_the_chain_was_reckoned_with_it() -> None:
    """An umpire's lie: the deal is bound, so the answer cannot be."""
    game, _ = random_game_played(2)
    record = record_of(game)
    for kind, forged in forgeries(record, Random(3)):
        if kind == "an answer":
            replayed = CONFUSION.records.replay(re.sub(r"(?m)^(White|Yellow) +=.*\n", "", forged))
            said = [dict(each) for each in map(CONFUSION.records.recorded, replayed.happenings) if each]
            assert {each.part for each in misfits(with_its_chain(forged, said))} >= {"moves"}


def test_another_course_of_the_game_is_found_by_the_receipt_of_any_letter_after_it() -> None:
    """Who knows the secret can make up a game that fits in itself. It is not the one of which the letters told."""
    true = ended(tried(begun({"first": "white"}), "A-S1", "A-N1", "C-S1", "C-N1"), Result(WHITE, "on time"))
    told = [tried(begun({"first": "white"}), *("A-S1", "A-N1", "C-S1")[:count]).chain for count in (1, 2, 3)]
    other = ended(tried(begun({"first": "white"}), "A-S1", "E-N1", "C-S1", "C-N1"), Result(WHITE, "on time"))
    made_up = rewritten(true, other)
    fits(made_up)
    fits(made_up, true.commitment, told[0])
    fits(record_of(true), true.commitment, *told)
    for receipt in told[1:]:
        (found,) = misfits(made_up, true.commitment, receipt)
        assert (found.part, found.text) == ("letter", receipt)


def test_a_whole_record_made_up_is_found_by_the_commitment_of_the_first_letter() -> None:
    true = ended(begun({"first": "white"}), Result(WHITE, "on time"))
    made_up = replace(
        true,
        secret=bytes(32),
        happenings=open_game(17, CONFUSION, {"first": "white"}, SEATS, bytes(32)).happenings,
    )
    forged = ended(
        Game(17, CONFUSION, "proposed").after(
            open_game(17, CONFUSION, {"first": "white"}, SEATS, made_up.secret)
        ),
        Result(WHITE, "on time"),
    )
    fits(record_of(forged))
    assert [each.part for each in misfits(record_of(forged), true.commitment)] == ["letter"]


# The command, and the small program by itself


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without settings, in which an honest record and a forged one lie."""
    monkeypatch.chdir(tmp_path)
    record = record_of(sample_game_played("on the board")[0])
    (tmp_path / "honest.txt").write_text(record)
    (tmp_path / "forged.txt").write_text(record.replace("(L-E1)", "L-E1"))
    return tmp_path


def test_the_command_needs_no_settings_and_says_what_it_found(files: Path) -> None:
    game, receipts = sample_game_played("on the board")
    said = type_words("verify", "honest.txt", receipts[0])
    assert said.status == 0
    assert said.out.startswith("game 17 fits: White wins")
    assert type_words("verify", "honest.txt", "--json", game.commitment).json == {
        "verified": True,
        "errors": [],
        "game": 17,
        "rules": "confusion",
        "deal_set": True,
        "commitment": game.commitment,
        "attempts": 76,
        "taken_back": 0,
        "receipts": 77,
        "chain": receipts[-1],
        "result": {"winner": "white", "how": "by holding Z on the opponent's first rank"},
        "letters": {game.commitment: "the commitment"},
    }


def test_the_command_names_what_does_not_fit_and_ends_with_1(files: Path) -> None:
    said = type_words("verify", "forged.txt")
    assert said.status == 1
    assert said.out.startswith("row 2 White L-E1: the Rocket (1) on L cannot go one square east")
    said = type_words("verify", "forged.txt", "--json")
    assert said.status == 1
    assert said.json["verified"] is False
    error = said.json["errors"][0]
    assert (error["part"], error["row"], error["seat"], error["text"]) == ("moves", 2, "white", "L-E1")


@pytest.mark.parametrize(
    ("cut", "reason"),
    [
        (lambda number: f"{number[:12]}…", "this has 12 of 64 digits: give the whole number"),
        (lambda number: f"{number[:12].upper()}...", "this has 12 of 64 digits: give the whole number"),
        (lambda number: f"{number[:4]}…{number[-4:]}", "this has 8 of 64 digits: give the whole number"),
        (lambda number: number[:-1], "this has 63 of 64 digits: give the whole number"),
        (lambda number: f"{number}0", "give a number of 64 digits, 0-9 and a-f"),
        (lambda number: "game-17", "give a number of 64 digits, 0-9 and a-f"),
        (lambda number: number[::-1], "this is neither the commitment nor a receipt"),
    ],
)
def test_a_number_that_is_cut_short_proves_nothing_and_the_whole_one_is_asked_for(
    files: Path, cut: Callable[[str], str], reason: str
) -> None:
    game, _ = sample_game_played("on the board")
    number = cut(game.commitment)
    said = type_words("verify", "honest.txt", number)
    assert said.status == 1
    assert said.out.startswith(f"{number}: ") and reason in said.out
    ran = alone(files, "honest.txt", number)
    assert ran.returncode == 1 and "each has 64 digits" in ran.stdout


def test_each_record_of_a_file_is_checked(files: Path) -> None:
    honest, forged = ((files / name).read_text() for name in ("honest.txt", "forged.txt"))
    (files / "both.txt").write_text("".join(join_records([honest, forged])))
    said = type_words("verify", "both.txt")
    assert said.status == 1 and said.out.endswith("1 of 2 records fit.\n")
    assert "record 1, game 17 fits" in said.out and "record 2, row 2 White L-E1: " in said.out
    (files / "twice.txt").write_text("".join(join_records([honest, honest])))
    assert type_words("verify", "twice.txt").status == 0
    found = type_words("verify", "both.txt", "--json").json
    assert [each["verified"] for each in found["records"]] == [True, False] and not found["verified"]
    assert type_words("verify", "twice.txt", "a" * 64).status == 2


@pytest.mark.parametrize("words", [["verify"], ["verify", "none.txt"], ["verify", "--script", "honest.txt"]])
def test_the_command_says_how_it_is_used(words: list[str], files: Path) -> None:
    said = type_words(*words)
    assert said.status == 2
    assert not said.out


def test_a_record_that_the_operator_writes_fits(tmp_path: Path) -> None:
    """And one of a game that is still played does not: it has no proof yet."""
    desk = Desk(tmp_path)
    desk.sample_game_begun()
    desk.done("run", "--once")
    record = tmp_path / "record.txt"
    record.write_text(desk.done("record", "1").out)
    said = type_words("verify", str(record))
    assert said.status == 1
    assert "the record has no line `Secret = …`, as it has at the end of a game" in said.out
    desk.done("adjudicate", "1", "--winner", "draw", "--reason", "The host was down (for good).")
    record.write_text(desk.done("record", "1").out)
    fits(record.read_text())
    assert type_words("verify", str(record)).status == 0


def alone(folder: Path, *words: str, rules: str = "confusion") -> subprocess.CompletedProcess[str]:
    """Run the small program as a player does, with nothing of ours and nothing that was installed."""
    (folder / PROGRAMS[rules]).write_text(small_program(rules))
    command = [sys.executable, "-I", "-S", PROGRAMS[rules], *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.subprocess
def test_the_small_program_runs_by_itself(files: Path) -> None:
    game, receipts = sample_game_played("on the board")
    ran = alone(files, "honest.txt", game.commitment, receipts[3])
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[0] == (
        "Game 17, 76 attempts, White wins: by holding Z on the opponent's first rank: all of it fits."
    )
    assert f"{game.commitment}: the commitment" in ran.stdout
    assert f"{receipts[3]}: receipt 4 of 77: yellow C-NE2 no" in ran.stdout
    ran = alone(files, "forged.txt")
    assert ran.returncode == 1
    assert "White L-E1: L is of type 1, so the answer is no, not yes" in ran.stdout


@pytest.mark.subprocess
@pytest.mark.parametrize("rules", PROGRAMS)
@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "no file is named"),
        (("absent.txt",), "absent.txt: No such file or directory"),
        (("absent.txt", "0" * 64), "absent.txt: No such file or directory"),
        ((".",), ".: Is a directory"),
        (("honest.txt", "--table"), "no file is named"),
        (("honest.txt", "--table", "absent.toml"), "absent.toml: No such file or directory"),
        (("honest.txt", "--table", "honest.txt"), "--table: "),
    ],
)
def test_a_small_program_without_a_file_says_in_a_line_what_it_needs(
    files: Path, rules: str, words: tuple[str, ...], why: str
) -> None:
    ran = alone(files, *words, rules=rules)
    (line,) = ran.stderr.splitlines()
    assert (ran.returncode, ran.stdout) == (2, "")
    assert line.startswith(why)
    assert line.endswith(f". Usage: python3 {PROGRAMS[rules]} RECORD [NUMBER ...] [--table FILE]")


@pytest.mark.subprocess
@pytest.mark.parametrize("rules", PROGRAMS)
def test_a_small_program_says_what_it_checks_when_it_is_asked_for_help(files: Path, rules: str) -> None:
    ran = alone(files, "--help", rules=rules)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "What it checks, in this order:" in ran.stdout


@pytest.mark.subprocess
def test_the_small_program_takes_another_table_from_its_file(files: Path) -> None:
    game = ended(
        at_random(begun({}, "", Confusion(read_table(one_way()))), 20, Random(1)), Result(WHITE, "on time")
    )
    (files / "game.txt").write_text(record_of(game))
    (files / "table.toml").write_text(one_way())
    assert alone(files, "game.txt", "--table", "table.toml").returncode == 0
    assert alone(files, "game.txt").returncode == 1
    assert type_words("verify", "game.txt", "--table", "table.toml").status == 0


@pytest.mark.parametrize("rules", PROGRAMS)
def test_the_small_programs_need_nothing_but_python_and_ask_no_network(rules: str) -> None:
    program = small_program(rules)
    tree = ast.parse(program)
    modules = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert modules <= set(sys.stdlib_module_names)
    assert not modules & {"socket", "urllib", "http", "subprocess", "os", "ctypes", "importlib", "pickle"}
    assert len(program.splitlines()) <= 975
    assert program == Path(str({"confusion": verify_game, "spies": verify_spies}[rules].__file__)).read_text()


def test_the_small_program_has_the_table_of_the_package() -> None:
    text = resources.files("referee.rulebooks.confusion").joinpath("table.toml").read_text(encoding="utf-8")
    assert verify_game.read_table(text) == ("classic", verify_game.CLASSIC)
    assert verify_spies.CLASSIC == verify_game.CLASSIC


def test_the_small_program_says_which_rules_it_does_not_know() -> None:
    record = record_of(random_game_played(1)[0]).replace("Rules = confusion 1", "Rules = spies 1")
    (said,) = map(str, small(record))
    assert said.startswith("Rules = spies 1: this program knows the rules `confusion 1` alone; ")
    assert "The commitment does not fit: " in said and said.endswith("Nothing else was checked")


def test_options_stand_on_one_line_that_a_head_keeps_as_it_is() -> None:
    options = {"note": "a  b   c", "first": "white"}
    said = write_options(options)
    assert "  " not in said
    assert json.loads(said) == options
    bound = commitment(bytes(32), game=1, rules="confusion", version="1", options=options)
    assert bound == commitment(bytes(32), game=1, rules="confusion", version="1", options=json.loads(said))


def test_the_umpires_record_is_the_one_with_both_deals() -> None:
    """A seat's record has them as well at the end, so it fits; a record of neither fits no more."""
    game, _ = random_game_played(1)
    assert UMPIRE not in game.seats
    for side in ("White", "Yellow"):
        found = misfits(re.sub(rf"(?m)^{side} *=.*\n", "", record_of(game)))
        assert [each.part for each in found] == ["deal"]
        assert f"the record has no line `{side}`" in found[0].reason
