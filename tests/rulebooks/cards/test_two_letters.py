"""Turns of two letters: the first one moves, and when that has been told the second one fires and fights (E3.4)."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache

import pytest

from referee.archive.verify import verify
from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.branches import TAKEN_BACK, Return, taken_back
from referee.rulebooks.cards.battle import BOTH, CHANGES
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from referee.rulebooks.cards.fold import COURSE, fold_position, fold_view
from referee.rulebooks.cards.orders import Action, Fight, Fire
from referee.rulebooks.cards.preview import preview
from referee.rulebooks.cards.questions import draft, due
from referee.rulebooks.cards.record_text.record import write_record
from referee.rulebooks.cards.record_text.replay import replay
from referee.rulebooks.cards.rehearsal import rehearse_draft
from referee.rulebooks.cards.turn import HALFWAY, PHASE, play
from referee.rulebooks.cards.view import truth_data, view_data
from referee.rulebooks.cards.writing import write_order, write_orders
from referee.rulebooks.rulebook import OBSERVER, Happening, OrderLine, Seat
from tests.reports.material import reader
from tests.rulebooks.cards.battles import battle_by_lot, random_orders
from tests.rulebooks.cards.games import SECRET, Play, random_game
from tests.rulebooks.cards.letters import CARDS, heard, text
from tests.rulebooks.cards.proofs import end, finished, proof, record, rows
from tests.transcripts.stories_of_cards import RED_SET_UP

SPLIT = {"scenario": "cc-skirmish", "edition": "en", "first": "red", "split": "on"}


def begun(**options: str) -> Play:
    play = Play(SPLIT | options)
    play.begin()
    return play


def codes(happenings: Sequence[Happening]) -> list[str]:
    return [each.code for each in happenings]


def close(**options: str) -> Play:
    """Return a battle in which RC1 may attack BI1, in the first half of Red's turn."""
    play = begun(deal="Red=KH; Blue=5C", **options)
    for blue in (*(["MV BI1 A20"],) * 3, ["MV BI2 A1"]):
        play.say(RED, "MV RC1 TO BI1 A MAX", "CARRY OUT")
        play.say(RED, "PASS")
        play.say(BLUE, *blue, "CARRY OUT")
        play.say(BLUE, "PASS")
    return play


# how it goes


def test_the_first_letter_moves_and_the_second_fires_and_fights() -> None:
    """CC-2.1."""
    play = close()
    first = play.say(RED, "CO RC1 > BI1", "MV RC1 TO BI1 A MAX", "CARRY OUT")
    assert codes(first) == ["drafted", "drafted", "ordered", "moved", HALFWAY]
    assert (play.due, play.position.battle.active, play.position.battle.turn) == ([RED], RED, 5)
    assert play.view(RED).second_half
    assert write_orders(play.view(RED).own.draft) == ("CO RC1 > BI1",)
    second = play.say(RED, "CARRY OUT")
    assert [each for each in codes(second) if each not in ("declared", "card")] == [
        *("ordered", PHASE, PHASE, "fought", "turn")
    ]
    assert play.due == [BLUE]
    assert not play.view(BLUE).second_half
    assert play.view(RED).own.draft == ()


def test_nothing_is_asked_of_the_other_side_between_the_letters() -> None:
    play = begun()
    play.say(RED, "MV RI1 A20", "CARRY OUT")
    assert dict(due(play.position))[RED].kind == "order"
    assert play.fault(BLUE, "MV BI1 A20") == "not-your-turn"
    assert play.fault(BLUE, "CARRY OUT") == "not-your-turn"
    play.say(BLUE, "PR ALL FLEE HOME", "PLAN 2 MV BI1 A5")


@pytest.mark.parametrize("line", ["MV RI1 A20", "FM RI1 W3", "RL RI1", "GO RG 150,20", "MV RI1 B10 D20"])
def test_nobody_moves_in_the_second_half(line: str) -> None:
    """CC-2.1: whatever belongs to phase 1 is sent back, and said in an example that would do."""
    play = begun()
    play.say(RED, "FI RA1.1 > NEAR", "CARRY OUT")
    fault, _ = play.attempt(RED, line)
    assert fault is not None
    assert (fault.code, fault.rule) == ("phase-over", "CC-2.1")
    play.say(RED, str(fault.facts["example"]), "CARRY OUT")
    assert play.due == [BLUE]


def test_each_example_of_either_half_can_be_sent_as_it_stands() -> None:
    play = close()
    lines = CARDS.presentation.scene(play.view(RED), play.heard(RED), 0).examples
    assert lines
    assert not any(line.startswith(("FI", "CO")) for line in lines)
    play.say(RED, lines[0], "CARRY OUT")
    for _ in range(2):
        lines = CARDS.presentation.scene(play.view(RED), play.heard(RED), 0).examples
        assert [line for line in lines if not line.startswith(("FI", "CO"))] in ([], ["PASS"])
        for form in (*due(play.position)[RED].forms, *lines):
            fault, _ = begun_again(play).attempt(RED, form)
            assert fault is None, form
        play.say(RED, "PASS")
        play.say(BLUE, "PASS")
        play.say(RED, "MV RI1 A1", "CARRY OUT")


def begun_again(play: Play) -> Play:
    """Return the same game, which may go on otherwise."""
    other = Play(SPLIT)
    other.happenings = [*play.happenings]
    other.position = play.position
    return other


def test_a_pass_lets_the_whole_turn_go_by_and_in_the_second_half_the_rest() -> None:
    play = begun()
    assert codes(play.say(RED, "FI RA1.1 > NEAR", "PASS")) == ["drafted", "ordered", PHASE, PHASE, "turn"]
    play.say(BLUE, "MV BI1 A20", "FI BA1.1 > NEAR", "CARRY OUT")
    assert codes(play.say(BLUE, "PASS")) == ["ordered", PHASE, PHASE, "turn"]
    assert play.view(BLUE).own.draft == ()
    assert (play.due, play.position.battle.turn) == ([RED], 2)


def test_a_first_letter_of_shots_alone_moves_nobody() -> None:
    play = begun()
    assert codes(play.say(RED, "FI RA1.1 > NEAR", "CARRY OUT")) == ["drafted", "ordered", HALFWAY]
    assert draft(play.view(RED)) is not None
    play.say(RED, "CLEAR")
    assert play.fault(RED, "CARRY OUT") == "nothing-drafted"


def test_a_battle_that_is_won_in_the_first_half_has_no_second() -> None:
    """CC-8.6."""
    play = Play(SPLIT)
    play.begin(RED_SET_UP)
    march = [f"MV {unit} TO {aim} A MAX" for unit, aim in (("RI1", "K1"), ("RI2", "K3"), ("RC1", "K4"))]
    while play.say(RED, *march, "FI RA1.1 > NEAR", "CARRY OUT")[-1].code == HALFWAY:
        play.say(RED, "PASS")
        play.say(BLUE, "PASS")
        assert play.position.battle.turn < 9
    assert codes(play.happenings)[-2:] == ["ended", "revealed"]
    assert due(play.position) == {}
    assert not play.position.table.halfway
    written = record(play)
    assert replay(written).errors == ()
    assert "Red wins: by three objectives" in rows(written)[-1]


def test_without_the_option_a_turn_is_one_letter() -> None:
    for said in ({}, {"split": "off"}, {"split": "no"}):
        play = Play({"scenario": "cc-skirmish", "edition": "en", "first": "red", **said})
        play.begin()
        assert HALFWAY not in codes(play.say(RED, "MV RI1 A20", "CARRY OUT"))
        assert play.due == [BLUE]
        assert "split" not in play.position.table.options


@pytest.mark.parametrize("said", ["on", "true", "YES", " True "])
@pytest.mark.parametrize("edition", [{"edition": "fr"}, {"edition": "custom", "rally_ban": "7.9"}])
def test_the_option_goes_with_any_edition_and_stands_in_the_record(
    said: str, edition: dict[str, str]
) -> None:
    play = Play({"scenario": "cc-skirmish", "split": said, **edition})
    assert play.position.table.split
    assert play.position.table.options["split"] == "on"
    play.begin()
    assert "Split    = on" in record(play).splitlines()


# plans, wishes, questions


def test_a_turn_that_plans_alone_make_is_played_whole() -> None:
    play = begun()
    play.say(BLUE, *(f"PLAN 3 MV {unit} A5" for unit in ("BI1", "BI2", "BC1", "BA1")))
    play.say(RED, "MV RI1 A20", "CARRY OUT")
    told = codes(play.say(RED, "PASS"))
    assert told.count("turn") == 2
    assert HALFWAY not in told
    assert (play.due, play.position.battle.turn) == ([RED], 2)


def test_a_plan_counts_once_for_both_letters_and_one_of_the_second_half_begins_with_the_next_turn() -> None:
    play = begun()
    play.say(RED, "PLAN 2 MV RI1 A5", "FI RA1.1 > NEAR", "CARRY OUT")
    assert play.position.log[-1].orders == play.position.log[-1].planned == ("MV RI1 A5",)
    play.say(RED, "PLAN 2 MV RI2 A5", "CARRY OUT")
    assert play.position.log[-1].orders == ("FI RA1.1 > NEAR",)
    assert play.view(RED).own.plans.lines() == ("PLAN 1 MV RI1 A5", "PLAN 2 MV RI2 A5")


def test_what_happened_in_the_first_half_wakes_a_player_as_well() -> None:
    """E3.3: the second letter does not begin anew what has happened since his last turn began."""
    play = close()
    play.say(RED, "MV RC1 TO BI1 A MAX", "CARRY OUT")
    before = codes(play.position.since[RED])
    play.say(RED, "PASS")
    assert codes(play.position.since[RED])[: len(before)] == before != []


def test_a_wish_between_the_letters_counts_from_the_second_on() -> None:
    play = close()
    play.say(RED, "MV RC1 TO BI1 A MAX", "CO RC1 > BI1", "CARRY OUT", "PR ALL KILL MAN 7", "CARRY OUT")
    (fought,) = [each for each in play.happenings if each.code == "fought"]
    assert fought.facts["losses"][0]["killed"] == 7
    first, second = (each.wishes[RED] for each in play.position.log[-2:])
    assert not any("MAN 7" in line for line in first)
    assert any("KILL MAN 7" in line for line in second)


def test_a_question_stops_the_second_half_and_its_answer_goes_on() -> None:
    play = close()
    play.say(RED, "PR ALL ASK ALWAYS", "MV RC1 TO BI1 A MAX", "CO RC1 > BI1", "CARRY OUT", "CARRY OUT")
    assert play.position.table.chooser == RED
    assert not play.position.table.halfway
    assert play.fault(RED, "CARRY OUT") == "choice-first"
    told = play.say(RED, "CHOOSE KILL FAR CONF FAR")
    assert codes(told)[-1] == "turn"
    assert play.due == [BLUE]


# what is foretold


def test_a_draft_is_foretold_from_the_half_that_is_due() -> None:
    play = close()
    play.say(RED, "MV RC1 TO BI1 A MAX", "CO RC1 > BI1", "PLAN 3 MV RI1 A5")
    assert [each.order and write_order(each.order) for each in rehearse_draft(play.view(RED)).lines] == [
        *("MV RC1 TO BI1 A MAX", "MV RI1 A5", "CO RC1 > BI1")
    ]
    play.say(RED, "CARRY OUT", "CHECK")
    (line,) = rehearse_draft(play.view(RED)).lines
    assert line.order is not None and write_order(line.order) == "CO RC1 > BI1"
    assert [each.refusal for each in line.reach] == [None]
    for seat, order, code in (
        (RED, "CO RC1 > BI1", None),
        (RED, "MV RI1 A5", "phase-over"),
        (BLUE, "MV BI1 A5", None),
    ):
        found = preview(play.view(seat), OrderLine(1, order))
        assert (found.code if isinstance(found, Fault) else None) == code


# what is told


def public(happenings: Sequence[Happening]) -> list[tuple[str, object]]:
    return [
        (each.code, {name: fact for name, fact in each.facts.items() if name != CHANGES})
        for each in happenings
        if each.heard_by >= BOTH and each.code != HALFWAY
    ]


@pytest.mark.telling(seed=range(3))
@pytest.mark.parametrize("seed", range(30))
def test_two_letters_bring_and_tell_what_one_would_have(seed: int) -> None:
    """Of the same orders both hear the same, no more by the end of the first half than of a whole turn by then."""
    lot = random.Random(seed)
    battle = battle_by_lot(seed)
    decks = Decks(Chance(lot.randbytes(32)))
    for _ in range(4):
        orders = [
            each
            for each in random_orders(battle, battle.active, lot)
            if isinstance(each, Action | Fire | Fight)
        ]
        whole = play(battle, orders, decks, first=RED)
        one = play(battle, orders, decks, first=RED, halfway=True)
        told = public(one.happenings)
        assert told == public(whole.happenings)[: len(told)]
        if one.battle.result is not None:
            assert one.battle == whole.battle
            return
        two = play(one.battle, orders, decks, first=RED)
        assert told + public(two.happenings) == public(whole.happenings)
        assert two.battle == whole.battle
        battle = whole.battle
        if battle.result is not None:
            return


def test_what_waits_in_the_draft_is_told_to_nobody_else() -> None:
    games = [begun(), begun()]
    for game, lines in zip(games, ((), ("FI RA1.1 > NEAR", "CO ALL > NEAR")), strict=True):
        game.say(RED, "MV RI1 A20", *lines, "CARRY OUT")
    for seat in (BLUE, OBSERVER):
        one, other = (heard(game.happenings, seat) for game in games)
        assert one == other
        assert view_data(fold_view(one, seat)) == view_data(fold_view(other, seat))
        assert text(games[0], seat) == text(games[1], seat)


def test_letters_say_which_half_is_waited_for() -> None:
    play = begun()
    news = play.say(RED, "MV RI1 A20", "CARRY OUT")
    mine, theirs = (text(play, seat, news[-2:]) for seat in SIDES)
    assert "Your shots and combats are waited for, turn 1." in mine
    assert "has moved, and has still to fire and fight, turn 1." in theirs
    assert "Here the movement is over; the next letter of Red fires and fights." in theirs
    news = play.say(RED, "PASS")
    assert "Red neither fires nor fights." in text(play, BLUE, news)
    assert "In turn 1 you ordered neither shots nor combats." in text(play, RED, news)
    assert "let the turn go by" not in text(play, BLUE, news)


def test_letters_in_french_say_so_too() -> None:
    play = begun()
    news = play.say(RED, "MV RI1 A20", "CARRY OUT")
    mine, theirs = (text(play, seat, news[-2:], reader=reader(language="fr")) for seat in SIDES)
    assert "Vos tirs et vos combats sont attendus, tour 1." in mine
    assert "a fait ses mouvements, et doit encore tirer et combattre" in theirs


def test_programs_read_which_half_is_waited_for() -> None:
    play = begun()
    assert view_data(play.view(BLUE))["waits_for_second_letter"] is False
    play.say(RED, "MV RI1 A20", "CARRY OUT")
    assert view_data(play.view(BLUE))["waits_for_second_letter"] is True
    play.say(RED, "PASS")
    assert [each["half"] for each in truth_data(play.position)["orders"]] == [1, 2]
    assert "waits_for_second_letter" not in view_data(Play().view(RED))


# taken back, kept, recorded


def test_an_umpire_takes_both_letters_of_a_turn_back() -> None:
    play = begun()
    start = play.position.battle
    for lines in (("MV RI1 A20", "CARRY OUT"), ("PASS",)):
        play.say(RED, *lines)
        back = [*play.happenings, taken_back(Return(1, RED, "misread"), BOTH)]
        position = None
        for each in COURSE.standing(back):
            position = fold_position(position, each)
        assert position is not None
        assert position.battle == start
        assert not position.table.halfway
    assert TAKEN_BACK in codes(back)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_any_game_is_kept_and_its_record_is_written_again_alike(seed: int) -> None:
    """Whoever wrote it, while it is played and after its end: byte for byte."""
    options = {"scenario": "cc-skirmish", "edition": ("en", "fr")[seed % 2], "split": "on"}
    game = random_game(seed, options, 8)
    assert HALFWAY in codes(game.happenings)
    kept = [
        Happening(
            each.code,
            frozenset(map(Seat, each.heard_by)),
            json.loads(json.dumps(dict(each.facts))),
            each.rule,
        )
        for each in game.happenings
    ]
    position = None
    for each in kept:
        position = fold_position(position, each)
    assert position is not None
    assert truth_data(position) == truth_data(game.position)
    for seat in (None, *SIDES):
        written = record(game, {}, seat)
        replayed = replay(written)
        assert replayed.errors == ()
        assert rows(write_record(replayed.happenings, {}, None)) == rows(written)
    end(game)
    written = record(game, proof(game, options, random.Random(seed).randbytes(32)))
    assert verify(written).fits
    assert rows(write_record(replay(written).happenings, {}, None)) == rows(written)


FORGED = [
    (" / phase 1 ends", "", "by the rules `phase 1 ends` follows here"),
    ("Split    = on\n", "", "the turns of this battle take one letter"),
    ("/ phase 1 ends\n", "/ phase 1 ends / RI2 B0 A5 to 190,9\n", "the second letter of the turn"),
    ("            CO RC1 > BI1\n            - ", "            MV RI1 A5\n            - ", "actions stand in"),
    (
        "   1. Red   MV RC1 TO BI1 A MAX\n",
        "   1. Red   MV RC1 TO BI1 A MAX\n            FI RA1.1 > NEAR\n",
        "actions stand",
    ),
    ("   1. Red   PASS\n            - nothing\n", "", "row 1 Red should stand here"),
    (
        "   1. Red   PASS\n            - nothing",
        "   1. Red   PASS\n            - phase 1 ends",
        "phase 1 of the turn was over",
    ),
    (
        "   1. Red   PASS\n            - nothing",
        "   1. Red   PASS\n            - RI1 B0 A5 to 110,9",
        "phase 1 of the turn was over",
    ),
]


@cache
def a_true_record() -> str:
    game = close()
    game.say(RED, "MV RC1 TO BI1 A MAX", "CARRY OUT", "FI RA1.1 > NEAR", "CO RC1 > BI1", "CARRY OUT")
    end(game)
    options = SPLIT | {"deal": "Red=KH; Blue=5C"}
    written = record(game, proof(game, options, SECRET))
    assert verify(written).fits
    return written


@pytest.mark.parametrize(("one", "other", "reason"), FORGED)
def test_a_forged_half_is_found_where_it_stands(one: str, other: str, reason: str) -> None:
    written = a_true_record()
    assert one in written
    forged = written.replace(one, other, 1)
    (error,) = replay(forged).errors
    assert reason in error.reason, error
    assert not verify(forged).fits


@pytest.mark.slow
def test_the_proof_holds_a_game_of_two_letters_to_its_options() -> None:
    game, head = finished(3, SPLIT, 4)
    written = record(game, head)
    assert verify(written).fits
    assert not verify(written.replace("Split    = on", "Split    = off")).fits
