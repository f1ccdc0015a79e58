"""A record held against the rules: true ones agree, and whatever is forged in one is found where it stands."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

import pytest

from referee.archive.verify import verify
from referee.common.chance import Chance
from referee.games.receipts import last_receipt
from referee.rulebooks.cards.battle import BOTH, Battle
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.happenings import WAITING, waiting
from referee.rulebooks.cards.options import check_options
from referee.rulebooks.cards.orders import Action, Choose, Fight, Fire, Order
from referee.rulebooks.cards.preferences import NO_WISHES
from referee.rulebooks.cards.record_text.effects import effect_text
from referee.rulebooks.cards.record_text.record import recorded
from referee.rulebooks.cards.record_text.replay import replay
from referee.rulebooks.cards.record_text.replayed_turn import ReplayedTurn, WrongEffect
from referee.rulebooks.cards.record_text.templates import PHASES
from referee.rulebooks.cards.turn import PHASE, play
from referee.rulebooks.rulebook import Happening, RecordError
from tests.rulebooks.cards.battles import battle_by_lot, random_answer, random_orders, random_wish
from tests.rulebooks.cards.games import Play
from tests.rulebooks.cards.proofs import close_game, end, finished, proof, record
from tests.rulebooks.cards.tables import battle

EN, FR = ({"scenario": "cc-skirmish", "edition": edition} for edition in ("en", "fr"))
TERMS = (EN, FR, EN | {"split": "on"}, FR | {"split": "on"})


# A turn happens again


class Retold:
    """A battle by lot, each of whose turns is told again from its sayings alone."""

    def __init__(self, seed: int) -> None:
        self.split = seed % 3 == 1
        self.lot = random.Random(seed)
        self.battle = battle_by_lot(seed)
        self.first = self.battle.active
        self.decks = Decks(Chance(self.lot.randbytes(32)))
        self.wishes = dict.fromkeys(SIDES, NO_WISHES)
        for side in SIDES:
            for _ in range(3):
                self.wishes[side] = self.wishes[side].with_wish(random_wish(self.battle, side, self.lot))

    def one_turn(self) -> None:
        orders = [
            order
            for order in random_orders(self.battle, self.battle.active, self.lot)
            if isinstance(order, Action | Fire | Fight)
        ]
        halfway = self.split and self.battle.phase == 1
        told, after = self._played(orders, halfway=halfway)
        sayings = _sayings(told)
        again = ReplayedTurn(self.battle, self.first, split=self.split)
        happenings = again.replay(sayings)
        if again.battle.result is None and not halfway:
            happenings += again.pass_on()
        assert list(happenings) == told, sayings
        assert again.battle == after
        self.battle = after

    def _played(self, orders: Sequence[Order], *, halfway: bool) -> tuple[list[Happening], Battle]:
        """Play a turn with all its questions; return what both have heard of it."""
        answers: list[Choose] = []
        public: list[Happening] = []
        told = 0
        while True:
            played = play(
                self.battle,
                orders,  # type: ignore[arg-type]
                self.decks,
                first=self.first,
                wishes=self.wishes,
                answers=answers,
                halfway=halfway,
            )
            public += [each for each in played.happenings[told:] if each.heard_by >= BOTH]
            told = len(played.happenings)
            if played.asked is None:
                return public, played.battle
            public.append(waiting(played.asked.seat))
            answers.append(random_answer(played.asked, self.lot))


def _sayings(happenings: Sequence[Happening]) -> list[str]:
    """Return what the record says of happenings; that a phase has begun, only before a question."""
    sayings: list[str] = []
    phase = 0
    for each in happenings:
        if each.code == PHASE:
            phase = each.facts["phase"]
            continue
        if each.code == WAITING and phase:
            sayings.append(PHASES[phase])
        phase = 0
        sayings += [said] if (said := effect_text(each)) else []
    return sayings


def _retell(seeds: Sequence[int]) -> None:
    for seed in seeds:
        retold = Retold(seed)
        while retold.battle.result is None:
            retold.one_turn()


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_any_turn_happens_again_as_its_sayings_tell_it(block: int) -> None:
    _retell(range(2 * block, 2 * block + 2))


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("block", range(10))
def test_many_turns_happen_again_as_their_sayings_tell_them(block: int) -> None:
    _retell(range(100 + 50 * block, 150 + 50 * block))


FIELD = (
    *("RI1 8m/4f @100,100 b0", "RI2 8m/4f @140,100 b0 ~:5,6", "RC1 4m/2f @60,60 b0", "RA1 4m/1g @150,40 b0"),
    *("RG @150,95", "BI1 8m/4f @100,118 b180", "BI2 6m/3f @20,140 b180", "BG @100,280"),
)


@pytest.mark.parametrize(
    ("sayings", "reason"),
    [
        ("RI9 B0 A5 to 100,105", "there is no RI9 on the table"),
        ("BI2 B180 A5 to 20,135", "it is Red's turn, and BI2 is not his"),
        ("RC1 B0 A50 to 60,110", "by the rules it is `RC1 B0 A40 to 60,100`"),
        ("RC1 B0 A10 to 60,71", "by the rules it is `RC1 B0 A10 to 60,70`"),
        ("RC1 B400 A10 to 60,70", "bearings go from 0 to 359.9"),
        ("RC1 B0 A10 to 60,70: at the edge", "by the rules it is `RC1 B0 A10.1 to 60,70.1`"),
        ("RC1 B0 A10 to 60,70 / RC1 B0 A10 to 60,80", "this cannot be done here (CC-2.3)"),
        ("RI2 B0 A5 to 140,105", "this cannot be done here (CC-3.18)"),
        ("RI2 rallies 5", "by the rules it is `RI2 rallies 5,6 by RG`"),
        ("RI2 rallies 5,6", "by the rules it is `RI2 rallies 5,6 by RG`"),
        ("RI1 forms W9", "this cannot be done here (CC-3.23)"),
        ("RI1 flees BI1 B180 D30 to 100,70", "RI1 is no mob"),
        ("RG A70 to 150,165", "RG goes up to 60 cm"),
        ("RG A10 to 150,106", "RG goes up to 60 cm, and as far as from his place to the next"),
        ("RG A54.4 to 100,116.5", "RG cannot stand there"),
        ("RA1 gunners go back", "no gunners go back here"),
        ("RA1.1 fires at BI9: kills 1 for 1 marker", "RA1.1 cannot fire so here (CC-7.28)"),
        ("RA1.2 fires at BI1: kills 1 for 1 marker", "there is no cannon RA1.2"),
        ("RA1.1 fires at BI1: kills 9 for 1 marker", "by the rules it is `RA1.1 fires at BI1: kills"),
        ("RC1 fights BI1", "RC1 cannot fight so here (CC-7.1)"),
        ("RI1 fights BI1 / Blue turns KH", "Blue has no card to turn here"),
        ("Red turns KH", "Red has no card to turn here"),
        ("RI1 fights BI1 / RC1 B0 A10 to 60,70", "phase 1 of the turn was over before"),
        ("RI1 fights BI1 / RI1 13 to BI1 2: BI1 killed 2", "its cards are not turned"),
        (
            "RI1 fights BI1 / Red turns KH / Blue turns 2C / RI1 12 to BI1 2: BI1 killed 2 confused 3",
            "by the rules it is `RI1 13 to BI1 2: BI1 killed 2 confused 3`",
        ),
        (
            "RI1 fights BI1 / Red turns KH / Blue turns 2C / RI1 13 to BI1 2: BI1 killed 2 confused 3,4",
            "by the rules it is `RI1 13 to BI1 2: BI1 killed 2 confused 3`",
        ),
        ("K1 to Red", "nothing brings this about here"),
        ("Red wins: by three objectives", "nobody has won here"),
        ("Red wins", "the head must say how"),
        ("anything else", "nothing brings this about here, or it cannot be read"),
    ],
)
def test_what_the_rules_do_not_bear_out_is_found_where_it_stands(sayings: str, reason: str) -> None:
    with pytest.raises(WrongEffect) as untrue:
        ReplayedTurn(battle(*FIELD), RED).replay(sayings.split(" / "))
    assert reason in untrue.value.reason
    assert untrue.value.text in sayings


def test_a_card_is_not_turned_twice_from_one_deck() -> None:
    turn = ReplayedTurn(battle(*FIELD, "RI3 4m/4f @116,104 b0"), RED)
    turn.replay(
        ["RI1 fights BI1", "Red turns KH", "Blue turns 2C", "RI1 13 to BI1 2: BI1 killed 2 confused 3"]
    )
    with pytest.raises(WrongEffect, match="KH lies among the cards turned already"):
        turn.replay(["RI3 fights BI1", "Red turns KH"])


# A battle that is over


def _lines(text: str) -> tuple[list[str], int]:
    """Return a record's lines, and at which of them its rows begin."""
    lines = text.splitlines()
    return lines, next(place for place, line in enumerate(lines) if line.startswith("Turn")) + 1


def _forged(line: str) -> Iterator[str]:
    """Yield a line of a record with one thing changed: a number, a card, a side, a word; without it; twice."""
    for found in re.finditer(r"\d+(?:\.\d+)?", line):
        number = f"{float(found[0]) + 1:g}"
        yield line[: found.start()] + number + line[found.end() :]
    for found in re.finditer(r"\b(?:10|[A2-9JQK])[CDHS]\b", line):
        yield line[: found.start()] + ("KH" if found[0] != "KH" else "2C") + line[found.end() :]
    for found in re.finditer(r"\b[RB](?=[ICAGD])", line):
        yield line[: found.start()] + ("B" if found[0] == "R" else "R") + line[found.end() :]
    for one, other in (
        ("Red", "Blue"),
        ("Blue", "Red"),
        ("NEAR", "FAR"),
        ("A MAX", "A1"),
        (" / ", " "),
        ("(plan)", ""),
    ):
        if one in line:
            yield line.replace(one, other, 1)
    yield ""
    yield f"{line}\n{line}"


def _all_forged(text: str) -> list[tuple[str, str]]:
    """Return all records that have one thing of the rows forged, each with its changed line."""
    lines, start = _lines(text)
    return [
        ("\n".join([*lines[:place], changed, *lines[place + 1 :], ""]), changed)
        for place in range(start, len(lines))
        for changed in _forged(lines[place])
        if changed != lines[place]
    ]


def _hold_forgeries(seed: int, terms: dict[str, str], turns: int, count: int) -> None:
    game, head = finished(seed, terms, turns)
    text = record(game, head)
    assert verify(text).fits
    forged = _all_forged(text)
    for changed, line in random.Random(seed).sample(forged, min(count, len(forged))):
        assert not verify(changed).fits, line
        # The receipts can be forged as well, but not so that an effect fits that the orders and cards have not had.
        chain = last_receipt(
            head["Commitment"], bytes.fromhex(head["Secret"]), map(recorded, replay(changed).happenings)
        )
        if verify(changed.replace(head["Chain"], chain)).fits:
            assert not line.lstrip().startswith(("-", "/")), line


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "terms"), [(5, EN), (14, FR), (6, EN | {"split": "on"})])
def test_whatever_is_forged_in_a_record_is_found(seed: int, terms: dict[str, str]) -> None:
    _hold_forgeries(seed, terms, 4, 15)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(20, 32))
def test_whatever_is_forged_in_many_records_is_found(seed: int) -> None:
    _hold_forgeries(seed, TERMS[seed % len(TERMS)], 8, 120)


@pytest.mark.slow
def test_the_proof_of_a_battle_fits_its_record_whoever_wrote_it() -> None:
    game, head = close_game()
    assert any(each.code == WAITING for each in game.happenings)
    for seat in (None, *SIDES):
        text = record(game, head, seat)
        verified = verify(text, letters=(head["Commitment"], head["Chain"]))
        assert [each.sentence() for each in verified.misfits] == [], text
        assert verified.deal_set
        assert verified.attempts == replay(text).attempts > 0


def test_a_scenario_of_the_umpires_own_is_proved_with_the_options() -> None:
    folder = resources.files("referee.rulebooks.cards") / "scenarios"
    file = (folder / "cc-skirmish.toml").read_text(encoding="utf-8").replace('"cc-skirmish"', '"the-mill"')
    options = {"scenario": file, "edition": "en"}
    game = Play(options)
    game.begin()
    game.turn(f"MV {game.position.battle.of(game.due[0])[0].id} A20")
    end(game)
    text = record(game, proof(game, options))
    assert verify(text).fits
    assert "Scenario = the-mill" in text


def unit_of(saying: str) -> str:
    return saying.partition(" ")[0]


def first_error(text: str) -> RecordError:
    (error,) = replay(text).errors
    return error


@cache
def a_close_game() -> str:
    return record(*close_game())


@pytest.mark.telling(reason=["is first", "the head must say how", "behind what stood at the end"])
@pytest.mark.parametrize(
    ("pattern", "instead", "reason"),
    [
        (r"Red turns KH", "Red turns KS", "by the rules it is `Red turns KH`"),
        (r"Blue turns 5C", "Blue turns 6C", "by the rules it is `Blue turns 5C`"),
        (r"killed \d+", "killed 12", "by the"),
        (r"13 to BI1 5", "13 to BI1 6", "by the rules it is `RC1 13 to BI1 5"),
        (r"(?s)(   5\. Red.*?)CO RC1 > BI1\n", r"\1CO RC1 > BI2\n", "by these orders nothing more follows"),
        (r"(?s)(   5\. Red.*?)            CO RC1 > BI1\n", r"\1", "by these orders nothing more follows"),
        (r"            CHOOSE.*\n", "", "by these orders nothing more follows"),
        (r"CHOOSE KILL LEFT CONF LEFT", "CHOOSE KILL FAR CONF FAR", "by these orders it is `RC1 13 to BI1 5"),
        (r"(            CHOOSE.*\n)", r"\1\1", "in the middle of a turn stands what was chosen"),
        (r"( end\. Red .*\n)", r"\1\1", "behind the rows stands, once for each side"),
        (r"( end\. Red .*\n)", r"\1   9. Blue  - nothing\n", "behind what stood at the end"),
        (r" / Red chooses\n", "\n", "in the middle of a turn stands what was chosen"),
        (r"ASK ALWAYS", "ASK NEVER", "by these orders it is"),
        (r"MV BI1 A20", "MV BI1 A19", "by these orders it is `BI1"),
        (r"First    = Red", "First    = Blue", "is first"),
        (r"= Red wins: by resignation", "= Blue wins: by resignation", "by the rows it is otherwise"),
        (r"= Red wins: by resignation", "= Red wins: by three objectives", "the head must say how"),
        (r"\nRed      = KH 9S", "\nRed      = 9S KH", "by the rules it is `Red turns 9S`"),
    ],
)
def test_the_first_place_where_a_record_and_the_rules_part_is_named(
    pattern: str, instead: str, reason: str
) -> None:
    text = a_close_game()
    forged = re.sub(pattern, instead, text, count=1)
    assert forged != text
    error = first_error(forged)
    assert reason in error.reason
    assert not verify(forged).fits


@pytest.mark.slow
def test_a_head_that_says_another_scenario_edition_or_secret_is_found() -> None:
    game, head = close_game()
    text = record(game, head)
    for one, other in (
        ("Edition  = en", "Edition  = fr"),
        ("Scenario = cc-skirmish", "Scenario = cc-standard"),
        (head["Secret"], "0" * 64),
        (head["Commitment"], "0" * 64),
        (head["Chain"], "0" * 64),
        ("Deal = Red=KH 9S", "Deal = Red=KH 8S"),
    ):
        assert not verify(text.replace(one, other)).fits, one


@pytest.mark.slow
def test_each_line_of_the_head_that_follows_from_the_proof_has_to_stand_there_and_once() -> None:
    """The rows alone tell who is first, and some of the proof is said twice: a line that is missing is missing."""
    for game, head in (close_game(), finished(3, FR, 2)):
        text = record(game, head)
        lines = text[: text.index("\nTurn ")].splitlines()
        keys = [line.partition(" ")[0] for line in lines if " = " in line]
        assert {"Scenario", "Edition", "First", "Result", "Commitment"} <= {*keys}
        for key in keys:
            own = next(line for line in lines if line.startswith(f"{key} "))
            assert not verify(text.replace(f"{own}\n", "", 1)).fits, f"no line {key}"
        assert verify(text).fits


# A battle that is being played


def test_of_a_battle_that_is_being_played_what_lies_open_is_held_against_the_rules() -> None:
    game = Play(FR)
    game.begin()
    for unit in ("RI1", "BI1") if game.position.table.first == RED else ("BI1", "RI1"):
        game.turn(f"MV {unit} A20")
    for seat in SIDES:
        text = record(game, seat=seat)
        for side, saying in ((RED, "RI1 B0 A20 to 110,24"), (BLUE, "BI1 B180 A20 to 190,176")):
            forged = saying.replace("A20", "A19")
            error = first_error(text.replace(saying, forged))
            assert (error.row, error.seat, error.text) == (1, side, forged)
            assert error.reason.startswith(f"by the rules it is `{unit_of(forged)} B")


@pytest.mark.parametrize(
    ("rows", "row", "reason"),
    [
        ("1. Red  - nothing", 1, "row 0 does not say who is first"),
        (
            "0. Red PASS\n0. Blue PASS\n- Red is first: by lot\n1. Blue - nothing",
            1,
            "row 1 Red should stand here",
        ),
        (
            "0. Red PASS\n0. Blue PASS\n- Red is first: by lot\n2. Red - nothing",
            2,
            "row 1 Red should stand here",
        ),
        ("0. Red PASS\n0. Blue PASS\n- Red is first: KH to 5C", 0, "it is `Red is first: by lot`"),
        ("0. Red PASS\n0. Blue PASS\n- Red is first: by lot\n1. Red MV RI1 A5", 1, "stands what came of it"),
        (
            "0. Red PASS\n0. Blue PASS\n- Red is first: by lot\n1. Red MV BI1 A5\n- nothing",
            1,
            "unit of yours",
        ),
        (
            "0. Red PASS\n0. Blue PASS\n- Red is first: by lot\n1. Red HOP RI1\n- nothing",
            1,
            "an order begins with",
        ),
        (
            "0. Red PASS\n0. Blue PASS\n- Red is first: by lot\n1. Red MV RI1 A5\nMV RI1 A6\n- nothing",
            1,
            "of two orders for the same thing",
        ),
        (
            "0. Red PASS\n0. Blue PASS\n- Red is first: by lot\n1. Red - Blue chooses\n1. Blue - nothing",
            1,
            "waits for a choice of Blue's",
        ),
        ("0. Red PASS\n0. Blue PASS\n- Red is first: by lot\ntaken back to 2 Red: why", 2, "had not come"),
        (
            "0. Red PASS\n0. Blue PASS\n- Red is first: by lot\nend. Red PR ALL KILL FAR",
            0,
            "battle is not over",
        ),
        ("0. Red MV RI1 A5", 0, "row 0 has the set-ups"),
        ("0. Red AT RI1 100,100 B0 W4\n0. Blue PASS\n- Red is first: by lot", 0, "reaches"),
        (
            "0. Red AT RI1 110,4 B0 W6\n0. Blue PASS\n- Red is first: by lot",
            0,
            "names each that stands otherwise",
        ),
        ("0. Red PASS\n0. Red PASS", 0, "was set up above"),
        ("1. Green - nothing", 1, "stands Red or Blue"),
    ],
)
def test_a_row_that_cannot_be_is_named(rows: str, row: int, reason: str) -> None:
    error = first_error(f"Scenario = cc-skirmish\nEdition = fr\n\n{rows}\n")
    assert (error.row, reason in error.reason) == (row, True), error


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("Edition = en", "no line `Scenario = …`"),
        ("Scenario = no-such", "none of those given"),
        ("Scenario = cc-skirmish\nEdition = de", "there is no edition de"),
        ("Scenario = cc-skirmish\nFirst = Green", "First is Red or Blue"),
        ("Scenario = cc-skirmish\nRed = KH KH", "twice"),
        ("Scenario = cc-skirmish\nSecret = 12", "64 digits"),
        ("Scenario = cc-skirmish\nResult = who knows", "a result is written as in"),
        ("Scenario = cc-skirmish\nResult = Red wins: by resignation", "by the rows it is otherwise"),
        ("Scenario = cc-skirmish\nScenario = cc-guns", "Scenario is given twice"),
        ("A line of prose", "line 1 is neither a comment"),
        ("", "there is no record here"),
    ],
)
def test_a_head_that_cannot_be_is_named(head: str, reason: str) -> None:
    error = first_error(head)
    assert error.row == 0
    assert reason in error.reason


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_done_to_a_record_it_is_read_or_faulted(seed: int) -> None:
    """Signs are changed, left out and put in: nothing but an error of the record comes of it."""
    lot = random.Random(seed)
    game, head = finished(seed, (EN, FR)[seed % 2], 3)
    text = record(game, head) if seed else record(game, {}, RED)
    for _ in range(25):
        signs = [*text]
        for _ in range(lot.randint(1, 3)):
            place = lot.randrange(len(signs))
            if lot.random() < 0.5:
                signs[place] = lot.choice("0123456789ABCRIK.,-/;:=>|& \n\x00é²٣")
            elif lot.random() < 0.5:
                del signs[place : place + lot.randint(1, 30)]
            else:
                signs[place:place] = lot.choice(
                    ["9" * 5000, "\n   1. Red   ", "\ntaken back to 1 Red\n", " / ", "\n- "]
                )
        assert len(replay("".join(signs)).errors) <= 1


# Who is first

EDITIONS = [
    {},
    {"edition": "en"},
    {"edition": "fr"},
    {"edition": "custom"},
    {"edition": "custom", "base": "en"},
    {"edition": "custom", "base": "fr"},
]
ENDS = ("before either set-up", "with one set-up", "with both", "in the first turn")


def begun_and_ended(options: dict[str, str], ends: str) -> Iterator[str]:
    """Play a battle so far, and end it; yield its records before that, and then the one that has the proof."""
    play = Play(options)
    if ends == "with one set-up":
        play.say(RED, "CARRY OUT")
    elif ends != "before either set-up":
        play.begin()
    if ends == "in the first turn":
        play.turn(*(f"MV {unit} A20" for unit in ("RI1", "BI1") if unit[0].lower() == play.due[0][0]))
    for seat in (None, *SIDES):
        yield record(play, seat=seat)
    end(play)
    yield record(play, proof(play, options))


@pytest.mark.telling(edition=[{"edition": "custom"}], first=["Lot"], split=[{"split": "on"}])
@pytest.mark.parametrize("split", [{}, {"split": "on"}], ids=str)
@pytest.mark.parametrize("first", [None, "red", "blue", "lot", "cut", "Lot"])
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
def test_however_it_is_settled_who_is_first_the_record_fits_wherever_the_game_ends(
    edition: dict[str, str], first: str | None, split: dict[str, str]
) -> None:
    """CC-1.14: what an option says of how it is settled is no side, and settles none before both set-ups are in."""
    options = {"scenario": "cc-skirmish", **edition, **split, **({"first": first} if first else {})}
    if faults := check_options(options):
        # Who is first by cards or by lot is the edition's, but in one of one's own.
        assert [each.code for each in faults] == ["not-custom"]
        assert edition.get("edition") != "custom" and str(first).lower() in ("lot", "cut")
        return
    for ends in ENDS:
        *open_records, proved = begun_and_ended(options, ends)
        for written in (*open_records, proved):
            assert replay(written).errors == (), ends
            heads = [line for line in written.splitlines() if line.startswith("First ")]
            assert heads in ([], ["First    = Red"], ["First    = Blue"])
            assert bool(heads) == (first in SIDES or ends in ENDS[2:])
        checked = verify(proved)
        assert checked.fits, (ends, checked.misfits)


@pytest.mark.telling(how=["by lot"], edition=[{}, {"edition": "fr"}])
@pytest.mark.parametrize("edition", EDITIONS, ids=str)
@pytest.mark.parametrize("how", ["by lot", "as agreed", "KH to 5C", "5C to KH"])
def test_a_record_that_says_otherwise_how_it_was_settled_does_not_fit(
    edition: dict[str, str], how: str
) -> None:
    """CC-1.14."""
    (*_, proved) = begun_and_ended({"scenario": "cc-skirmish", **edition}, "with both")
    forged = re.sub(r"is first: .+", f"is first: {how}", proved)
    assert (forged == proved) == verify(forged).fits
