"""Turns that are drafted line by line: carried out at once where all is good, held where it is not (E2)."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import reduce
from typing import Any

import pytest

from referee.common.faults import Fault
from referee.games.events import Confided, Ruled, read_event
from referee.games.game import Game
from referee.games.take_backs import put_back
from referee.rulebooks.cards.writing import write_orders
from referee.rulebooks.rulebook import Seat
from tests.support.begun import said
from tests.support.playing import Club, Correspondent
from tests.transcripts.stories_of_cards import BLUE_SET_UP, RED_SET_UP, anna_and_bert, orders_of_a_captain
from tests.transcripts.stories_of_time import clocks_start

HOUR = timedelta(hours=1)


def orders_of(club: Club, game: int) -> list[tuple[str, str]]:
    """Return the orders of a game that were ruled on or confided, each with its kind."""
    with club.store.reading() as lookup:
        events = [read_event(each.kind, each.body) for each in lookup.events.of_game(game)]
    return [(type(each).__name__, each.order) for each in events if isinstance(each, Confided | Ruled)]


def since(club: Club, game: int, before: int) -> list[tuple[str, str]]:
    return orders_of(club, game)[before:]


@pytest.fixture
def played(club: Club) -> tuple[Club, Correspondent, Correspondent, int, int]:
    """A battle that is set up, with how many orders it took."""
    anna, bert, game = anna_and_bert(club)
    return club, anna, bert, game, len(orders_of(club, game))


Played = tuple[Club, Correspondent, Correspondent, int, int]


def test_a_letter_of_good_lines_is_carried_out_at_once(played: Played) -> None:
    club, anna, bert, game, before = played
    anna.replies("MV RI1 A20", "GO RG BY RI1")
    assert since(club, game, before) == [
        ("Confided", "MV RI1 A20"),
        ("Confided", "GO RG BY RI1"),
        ("Ruled", "CARRY OUT"),
    ]
    assert anna.letters[-1].kind == bert.letters[-1].kind == "report"
    assert "GO RG" not in bert.letters[-1].text


@pytest.mark.parametrize(
    "bad", ["MV RI9 A20", "MV RI1 A20 R10", "FI RA1 > NEAR", "MV RI2 A20 and then\nMX RI1 A20"]
)
def test_a_letter_with_a_bad_line_waits_for_an_hour(played: Played, bad: str) -> None:
    club, anna, bert, game, before = played
    told = len(bert.letters)
    anna.replies("MV RC1 A20", *bad.split("\n"))
    assert ("Ruled", "CARRY OUT") not in since(club, game, before)
    answer = anna.letters[-1]
    assert "[partly accepted]" in answer["Subject"]
    assert "carry out" in answer.text
    club.later(HOUR / 2)
    assert club.carries_drafts_out() == ()
    club.later(HOUR)
    assert len(club.carries_drafts_out()) == 2
    assert since(club, game, before)[-1] == ("Ruled", "CARRY OUT")
    assert len(bert.letters) == told + 1
    assert club.carries_drafts_out() == ()


def test_a_letter_sent_once_more_with_its_slip_mended_does_not_wait(played: Played) -> None:
    """A line that was drafted already, said again, takes no other's place; nor does one twice in a letter."""
    club, anna, _, game, before = played
    anna.replies("MV RC1 A20", "MV RI9 A20")
    anna.replies("MV RC1 A20", "MV RI1 A20", "MV RC1 A20")
    assert since(club, game, before)[-1] == ("Ruled", "CARRY OUT")


SECOND = [
    ("MV RC1 A20", "MV RC1 A30", "CC-2.3"),
    ("MV RI1 A20", "RL RI1", "CC-2.3"),
    ("GO RG 150,20", "GO RG BY RI1", "CC-2.4"),
    ("FI RA1.1 > NEAR", "FI RA1.1 HOLD", "CC-6.1"),
    ("CO RI1 > BI1", "CO RI1 > BI2", "CC-7.4"),
    ("CO ALL > NEAR", "CO ALL > ANY", "CC-7.4"),
]


@pytest.mark.parametrize(("first", "second", "rule"), SECOND)
def test_the_second_line_of_a_letter_for_the_same_thing_is_refused_and_named(
    played: Played, first: str, second: str, rule: str
) -> None:
    """EX-2.03, EX-6.01, EX-7.04: the first stands, and the draft waits."""
    club, anna, _, game, before = played
    anna.replies(first, "MV RI2 A5", second)
    assert since(club, game, before) == [("Confided", first), ("Confided", "MV RI2 A5")]
    letter = said(anna.letters[-1])
    assert "[partly accepted]" in anna.letters[-1]["Subject"]
    assert second in letter and f"{first} above in this letter is taken" in letter and rule in letter
    club.later(2 * HOUR)
    club.carries_drafts_out()
    assert set(club.game(game).position.log[-1].orders) == {first, "MV RI2 A5"}


def test_the_second_station_of_a_letter_for_the_same_unit_is_refused_and_named(club: Club) -> None:
    """CC-1.13: also where a set-up that is in is changed at once."""
    anna, _, game = anna_and_bert(club, set_up=False)
    anna.replies("AT RI1 100,6 B0 W4", "AT RI1 110,6 B0 W4", to=anna.last_about(game))
    assert "AT RI1 100,6 B0 W4 above in this letter is taken" in said(anna.letters[-1])
    anna.replies("carry out")
    anna.replies("AT RI1 104,6 B0 W4", "AT RI1 110,6 B0 W4", to=anna.last_about(game))
    assert write_orders(club.game(game).view(Seat("red")).own.stations) == ("AT RI1 104,6 B0 W4",)


def test_what_a_letter_clears_again_is_not_in_the_way_of_its_other_lines(played: Played) -> None:
    club, anna, _, game, _ = played
    anna.replies("MV RI1 A20", "FI RA1.1 > NEAR", "CLEAR RI1", "MV RI1 A10", "CLEAR RA1", "FI RA1.1 HOLD")
    assert club.game(game).position.log[-1].orders == ("MV RI1 A10", "FI RA1.1 HOLD")


def test_a_later_letters_line_takes_the_place_of_an_earlier_ones_and_says_so(played: Played) -> None:
    """E2: it says so to its writer alone; a line that says the same once more replaces nothing."""
    club, anna, bert, game, _ = played
    anna.replies("MV RC1 A20", "MV RI1 A20", "CHECK")
    anna.replies("MV RC1 A20", "MV RI1 A10", "CHECK")
    assert "MV RI1 A10 takes the place of MV RI1 A20, which you had drafted before." in said(anna.letters[-1])
    anna.replies("MV RC1 A1", "RL RI1")
    letter = said(anna.letters[-1])
    assert "Some of these lines take the place of others" in letter
    assert "MV RC1 A1 in place of MV RC1 A20" in letter and "RL RI1 in place of MV RI1 A10" in letter
    assert club.game(game).position.log[-1].orders == ("MV RC1 A1", "RL RI1")
    assert not any("had drafted before" in said(each) or "MV RI1 A20" in said(each) for each in bert.letters)


@pytest.mark.parametrize(
    ("letters", "orders"),
    [
        ([["MV RC1 A20", "MV RI1 A20"], ["MV RC1 A10"]], ("MV RI1 A20", "MV RC1 A10")),
        ([["MV RC1 A20", "MV RI1 A20"], ["MV RC1 A20"]], ("MV RI1 A20", "MV RC1 A20")),
        ([["MV RC1 A20", "MV RI1 A20"], ["MV RI1 A20", "MV RC1 A20"]], ("MV RI1 A20", "MV RC1 A20")),
        ([["RL RI2", "MV RI1 A20"], ["GO RG BY RI2", "RL RI2"]], ("MV RI1 A20", "GO RG BY RI2", "RL RI2")),
    ],
)
def test_lines_are_carried_out_in_the_order_of_the_newest_letter(
    played: Played, letters: list[list[str]], orders: tuple[str, ...]
) -> None:
    """E2, CC-2.1: a line that is sent again takes its new place, behind what no later letter speaks of."""
    club, anna, _, game, _ = played
    for lines in letters:
        anna.replies(*lines, "CHECK")
    anna.replies("carry out")
    assert club.game(game).position.log[-1].orders == orders


def test_carry_out_does_not_wait(played: Played) -> None:
    club, anna, _, game, before = played
    anna.replies("MV RC1 A20", "MV RI9 A20")
    anna.replies("carry out")
    assert since(club, game, before) == [("Confided", "MV RC1 A20"), ("Ruled", "CARRY OUT")]
    club.later(2 * HOUR)
    assert club.carries_drafts_out() == ()


def test_a_line_that_is_mended_is_carried_out_with_the_others(played: Played) -> None:
    club, anna, _, game, before = played
    anna.replies("MV RC1 A20", "MV RI9 A20")
    anna.replies("MV RI1 A20")
    assert since(club, game, before)[-1] == ("Ruled", "CARRY OUT")
    assert club.game(game).position.log[-1].orders == ("MV RC1 A20", "MV RI1 A20")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_check_keeps_the_draft_back_wherever_it_stands(played: Played, place: int) -> None:
    club, anna, _, game, before = played
    lines = ["MV RI1 A20", "MV RI2 A5"]
    lines.insert(place, "check")
    anna.replies(*lines)
    assert not any(kind == "Ruled" for kind, _ in since(club, game, before))
    assert "advances 20.0 cm" in anna.letters[-1].text
    club.later(timedelta(days=2))
    assert club.carries_drafts_out() == ()


@pytest.mark.parametrize(
    "beside", ["PR ALL KILL FAR", "PLAN 2 MV RI2 A5", "MAP ARCS", "CLEAR RI2", "preview MV RC1 A3"]
)
def test_a_letter_that_adds_nothing_to_a_draft_does_not_carry_it_out(played: Played, beside: str) -> None:
    club, anna, _, game, before = played
    anna.replies("MV RI1 A20", "MV RI2 A5", "CHECK")
    anna.replies(beside)
    assert not any(kind == "Ruled" for kind, _ in since(club, game, before))
    assert "MV RI1 A20" in write_orders(club.game(game).view(Seat("red")).own.draft)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_carry_out_counts_for_the_whole_letter_wherever_it_stands(played: Played, place: int) -> None:
    club, anna, _, game, _ = played
    lines = ["MV RI1 A20", "MV RI2 A5"]
    lines.insert(place, "carry out")
    anna.replies(*lines)
    assert club.game(game).position.log[-1].orders == ("MV RI1 A20", "MV RI2 A5")


def test_carry_out_beside_a_bad_line_carries_the_good_ones_out(played: Played) -> None:
    club, anna, _, game, _ = played
    anna.replies("MV RI1 A20", "MV RI9 A5", "carry out")
    assert club.game(game).position.log[-1].orders == ("MV RI1 A20",)


@pytest.mark.parametrize(
    ("said", "waits"), [("15m", timedelta(minutes=15)), ("6h", 6 * HOUR), ("1d", 24 * HOUR)]
)
def test_a_player_sets_how_long_his_drafts_wait(played: Played, said: str, waits: timedelta) -> None:
    club, anna, _, _, _ = played
    anna.replies(f"set hold {said}")
    anna.replies("MV RC1 A20", "MV RI9 A20")
    club.clock.at += waits - timedelta(minutes=10)
    assert club.carries_drafts_out() == ()
    club.clock.at += timedelta(minutes=10)
    assert len(club.carries_drafts_out()) == 2


def test_a_player_may_have_his_drafts_wait_for_his_word(played: Played) -> None:
    club, anna, _, game, before = played
    anna.replies("set hold wait")
    anna.replies("MV RC1 A20", "MV RI9 A20")
    club.later(timedelta(days=30))
    assert club.carries_drafts_out() == ()
    anna.replies("carry out")
    assert since(club, game, before)[-1] == ("Ruled", "CARRY OUT")


def test_a_draft_waits_while_the_game_is_frozen(played: Played) -> None:
    club, anna, _, game, before = played
    anna.replies("MV RC1 A20", "MV RI9 A20")
    club.referee.umpire.freeze(game, "a dispute")
    club.later(2 * HOUR)
    club.carries_drafts_out()
    assert not any(kind == "Ruled" for kind, _ in since(club, game, before))
    club.referee.umpire.thaw(game)
    club.later(HOUR)
    club.carries_drafts_out()
    assert since(club, game, before)[-1] == ("Ruled", "CARRY OUT")


def test_a_draft_of_a_game_that_has_ended_is_forgotten(played: Played) -> None:
    club, anna, bert, _, _ = played
    anna.replies("MV RC1 A20", "MV RI9 A20")
    bert.replies("resign")
    club.later(2 * HOUR)
    assert club.carries_drafts_out() == ()


def test_a_set_up_with_a_slip_waits_too(club: Club) -> None:
    anna, bert, game = anna_and_bert(club, set_up=False)
    anna.replies(*RED_SET_UP[:-1], "AT RI7 10,10 B0", to=anna.last_about(game))
    assert len(club.game(game).due) == 2
    club.later(2 * HOUR)
    (told,) = club.carries_drafts_out()
    assert told.recipient == "anna@example.net"
    assert list(club.game(game).due) == ["blue"]
    bert.replies(*BLUE_SET_UP, to=bert.last_about(game))
    assert list(club.game(game).due) == ["red"]


def test_what_is_written_behind_press_is_no_order_for_others_to_read(played: Played) -> None:
    club, anna, bert, game, _ = played
    anna.replies("press Well met", "and good luck", "MV RI1 A20", "GO RG BY RI1")
    assert club.game(game).position.log[-1].orders == ("MV RI1 A20", "GO RG BY RI1")
    said = "\n".join(letter.text for letter in bert.letters)
    assert "and good luck" in said
    assert "GO RG BY" not in said


# choices


def asked(club: Club) -> tuple[Correspondent, Correspondent, int]:
    """A battle in which Bert's guns have hit somebody, and he is asked whom."""
    anna, bert, game = anna_and_bert(club)
    bert.replies("PR ALL ASK ALWAYS", to=bert.last_about(game))
    players = {"red": anna, "blue": bert}
    while club.game(game).position.table.chooser is None:
        battle = club.game(game).position.battle
        players[battle.active].replies(*orders_of_a_captain(battle, battle.active))
    assert list(club.game(game).due) == ["blue"]
    return anna, bert, game


def test_a_choice_that_does_not_come_in_a_day_is_made_by_the_standing_preference(club: Club) -> None:
    """E4"""
    anna, bert, game = asked(club)
    form = club.game(game).due[Seat("blue")].forms[0]
    club.later(timedelta(hours=20))
    assert club.carries_drafts_out() == ()
    club.later(timedelta(hours=5))
    told = club.carries_drafts_out()
    assert {each.recipient for each in told} == {anna.address, bert.address}
    assert orders_of(club, game)[-1] == ("Ruled", form)
    assert club.carries_drafts_out() == ()


def test_a_choice_that_was_answered_waits_no_more(club: Club) -> None:
    _, bert, game = asked(club)
    bert.replies("CHOOSE KILL FAR")
    while club.game(game).position.table.chooser is not None:
        bert.replies(club.game(game).due[Seat("blue")].forms[0])
    before = orders_of(club, game)
    club.later(timedelta(days=3))
    assert club.carries_drafts_out() == ()
    assert orders_of(club, game) == before


def test_a_wish_beside_a_question_answers_it_not(club: Club) -> None:
    _, bert, game = asked(club)
    bert.replies("PR ALL KILL FAR")
    assert list(club.game(game).due) == ["blue"]
    assert orders_of(club, game)[-1] == ("Confided", "PR ALL KILL FAR")


def test_orders_joined_in_one_line_wait_and_the_answer_brings_their_lines(played: Played) -> None:
    """E2: one order per line. The lines of the answer can be sent as they stand there."""
    club, anna, bert, game, before = played
    told = len(bert.letters)
    anna.replies("MV RI1 A20; GO RG BY RI1; WAKE 60")
    assert (since(club, game, before), len(bert.letters)) == ([], told)
    rows = [line.strip() for line in anna.letters[-1].text.splitlines()]
    at = rows.index("MV RI1 A20")
    assert rows[at : at + 4] == ["MV RI1 A20", "GO RG BY RI1", "WAKE 60", ""]
    anna.replies(*rows[at : at + 3])
    assert since(club, game, before)[-1] == ("Ruled", "CARRY OUT")


# turns of two letters


def moved(club: Club, *lines: str, **options: Any) -> tuple[Correspondent, Correspondent, int, int]:
    """Play the first letter of a turn that takes two; return the players, the game and how many orders it took."""
    anna, bert, game = anna_and_bert(club, split="on", **options)
    clocks_start(club)
    anna.replies(*lines, to=anna.last_about(game))
    assert club.game(game).position.table.halfway
    clocks_start(club)
    return anna, bert, game, len(orders_of(club, game))


def test_each_of_two_letters_is_told_to_both(club: Club) -> None:
    anna, bert, game, before = moved(club, "MV RI1 A20", "FI RA1.1 > NEAR")
    assert anna.letters[-1].kind == bert.letters[-1].kind == "report"
    assert "Your shots and combats are waited for" in anna.letters[-1].text
    assert "FI RA1.1" not in bert.letters[-1].text
    anna.replies("CO ALL > NEAR", to=anna.last_about(game))
    assert since(club, game, before) == [("Confided", "CO ALL > NEAR"), ("Ruled", "CARRY OUT")]
    assert list(club.game(game).due) == ["blue"]
    assert "FI RA1.1 > NEAR" in anna.letters[-1].text


def test_what_waits_for_the_second_letter_is_not_carried_out_by_itself(club: Club) -> None:
    anna, _, game, before = moved(club, "MV RI1 A20", "FI RA1.1 > NEAR")
    club.later(timedelta(days=9))
    assert club.carries_drafts_out() == ()
    anna.replies("PR ALL KILL FAR", to=anna.last_about(game))
    assert since(club, game, before) == [("Confided", "PR ALL KILL FAR")]


@pytest.mark.parametrize("bad", ["MV RI2 A20", "FI RA1.9 > NEAR"])
def test_a_second_letter_with_a_slip_waits_like_any_other(club: Club, bad: str) -> None:
    anna, _, game, _ = moved(club, "MV RI1 A20")
    anna.replies("CO ALL > NEAR", bad, to=anna.last_about(game))
    assert "[partly accepted]" in anna.letters[-1]["Subject"]
    assert list(club.game(game).due) == ["red"]
    club.later(2 * HOUR)
    assert len(club.carries_drafts_out()) == 2
    assert list(club.game(game).due) == ["blue"]


def test_a_first_letter_with_a_slip_is_carried_out_to_its_half_alone(club: Club) -> None:
    anna, _, game = anna_and_bert(club, split="on")
    anna.replies("MV RI1 A20", "CO ALL > NEAR", "MV RI9 A20", to=anna.last_about(game))
    club.later(2 * HOUR)
    assert len(club.carries_drafts_out()) == 2
    assert club.game(game).position.table.halfway
    club.later(2 * HOUR)
    assert club.carries_drafts_out() == ()


def test_one_letter_is_one_half_however_often_it_says_carry_out(club: Club) -> None:
    anna, _, game = anna_and_bert(club, split="on")
    anna.replies("MV RI1 A20", "carry out", "CO ALL > NEAR", "carry out", to=anna.last_about(game))
    assert club.game(game).position.table.halfway


def test_each_of_two_letters_has_the_time_of_a_move(club: Club) -> None:
    """TM-2.1: whoever does not write the second one in time loses like anybody else."""
    club.waits(timedelta(days=2))
    anna, bert, game, _ = moved(club, "MV RI1 A20", time="1d/move", lapse="hard")
    club.waits(timedelta(hours=20))
    anna.replies("PASS", to=anna.last_about(game))
    clocks_start(club)
    bert.replies("MV BI1 A20", to=bert.last_about(game))
    clocks_start(club)
    club.looks_at_clocks("")
    assert club.game(game).status == "playing"
    club.waits(timedelta(hours=26))
    club.looks_at_clocks("Bert's second letter does not come.")
    result = club.game(game).result
    assert result is not None
    assert (result.winner, result.how) == ("red", "on time")


def test_an_umpire_takes_a_turn_of_two_letters_back_and_puts_it_back(club: Club) -> None:
    anna, _, game, _ = moved(club, "MV RI1 A20")
    start = club.game(game).position
    anna.replies("CO ALL > NEAR", to=anna.last_about(game))
    after = club.game(game).position.battle
    club.referee.umpire.take_back(game, 1, "It was misread.", seat=Seat("red"))
    assert club.game(game).position.battle.units["RI1"] != start.battle.units["RI1"]
    assert list(club.game(game).due) == ["red"]
    assert not club.game(game).position.table.halfway
    again = put_back(club.game(game), "It was not misread.")
    assert not isinstance(again, Fault)
    assert reduce(Game.after, again, club.game(game)).position.battle == after


def test_an_umpire_corrects_a_turn_of_two_letters(club: Club) -> None:
    """What takes the place of its first letter takes that of both."""
    _anna, _, game, _ = moved(club, "MV RI1 A20")
    club.referee.umpire.correct(game, "PASS", "It was misread.", turn=1, seat=Seat("red"))
    assert list(club.game(game).due) == ["blue"]
    assert [each.orders for each in club.game(game).position.log] == [()]


def test_an_open_game_of_two_letters_a_turn_says_so_to_whoever_may_join(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    anna.writes("open cards option split=true option first=red option colour=red")
    assert "each turn takes two letters" in " ".join(anna.letters[-1].text.split())
    bert.writes("games open")
    bert.writes("join 1")
    assert club.game(1).status == "playing"
    for who in (anna, bert):
        assert "Each turn takes two letters" in " ".join(who.last_about(1).text.split())
        who.replies("PASS", to=who.last_about(1))
    anna.replies("MV RI1 A20", to=anna.last_about(1))
    assert club.game(1).position.table.halfway


FIRST_LETTERS = [
    ["GAME CC1 TURN 1 RED", "MV RI1 A20", "FI RA1.1 > NEAR", "END"],
    ["MV RI1 A20", "CO ALL > NEAR"],
    ["MV RI1 A20 @1", "FI RA1.1 > NEAR @1"],
    ["FI RA1.1 > NEAR"],
    ["FI RA1.1 > NEAR", "carry out"],
    ["carry out", "FI RA1.1 > NEAR", "PR ALL KILL FAR"],
    ["FI RA1.1 > NEAR", "FI RA1.9 > NEAR", "carry out"],
]


@pytest.mark.parametrize("lines", FIRST_LETTERS)
def test_a_first_letter_sent_once_more_is_no_second_one(club: Club, lines: list[str]) -> None:
    """Its writer has not seen what came of the first half: it answers a letter from before."""
    anna, _, game = anna_and_bert(club, split="on")
    report = anna.last_about(game)
    anna.replies(*lines, to=report)
    assert club.game(game).position.table.halfway
    before = ruled(club, game)
    told = anna.replies(*lines, to=report).sent
    club.later(timedelta(hours=3))
    club.carries_drafts_out()
    assert club.game(game).position.table.halfway
    assert ruled(club, game) == before
    assert any("before your last orders were carried out" in said(each) for each in told)
    assert any("In case you have not seen it" in said(each) for each in told), "he gets the report once more"


@pytest.mark.parametrize("lines", [["CO ALL > NEAR"], ["FI RA1.1 > NEAR @1", "carry out"], ["PASS"]])
def test_a_second_letter_sent_once_more_is_no_first_one_of_the_next_turn(
    club: Club, lines: list[str]
) -> None:
    anna, bert, game, _ = moved(club, "MV RI1 A20")
    report = anna.last_about(game)
    anna.replies(*lines, to=report)
    assert list(club.game(game).due) == ["blue"]
    before = ruled(club, game)
    anna.replies(*lines, to=report)
    assert ruled(club, game) == before
    bert.replies("PASS", to=bert.last_about(game))
    before = ruled(club, game)
    anna.replies(*lines, to=report)
    club.later(timedelta(hours=3))
    club.carries_drafts_out()
    assert ruled(club, game) == before
    assert list(club.game(game).due) == ["red"]


def test_an_old_answer_is_taken_where_it_names_our_newest_letter_or_answers_the_refusal(club: Club) -> None:
    anna, bert, game = anna_and_bert(club, split="on")
    old = anna.last_about(game)
    anna.replies("MV RI1 A20", to=old)
    refused = anna.replies("CO ALL > NEAR", to=old).sent
    suggested = re.search(r"CO ALL > NEAR @letter \d+", " ".join(map(said, refused)))
    assert suggested is not None
    anna.replies(suggested[0], to=old)
    assert list(club.game(game).due) == ["blue"]
    bert.replies("PASS", to=bert.last_about(game))
    refused = anna.replies("MV RI1 A20", to=old).sent
    anna.replies("MV RI1 A20", to=next(each for each in refused if each.kind == "refusal"))
    assert club.game(game).position.table.halfway


def test_what_belongs_to_no_half_is_taken_in_answer_to_any_letter(club: Club) -> None:
    anna, _, game = anna_and_bert(club, split="on")
    old = anna.last_about(game)
    anna.replies("MV RI1 A20", "FI RA1.1 > NEAR", to=old)
    before = len(orders_of(club, game))
    lines = ["PR ALL KILL FAR", "PLAN 3 MV RI2 A5", "WAKE 60", "MAP ARCS"]
    anna.replies(*lines, to=old)
    assert since(club, game, before) == [("Confided", line) for line in lines]


def test_where_one_letter_makes_a_turn_an_older_letter_may_be_answered(club: Club) -> None:
    anna, bert, game = anna_and_bert(club)
    report = anna.last_about(game)
    anna.replies("MV RI1 A20", to=report)
    bert.replies("PASS", to=bert.last_about(game))
    anna.replies("MV RI1 A20", to=report)
    assert list(club.game(game).due) == ["blue"]


@pytest.mark.parametrize("split", ["on", "off"])
def test_what_an_umpire_has_taken_back_bars_no_answer_that_names_its_turn(club: Club, split: str) -> None:
    anna, _, game = anna_and_bert(club, split=split)
    report = anna.last_about(game)
    anna.replies("MV RI1 A20", to=report)
    club.referee.umpire.take_back(game, 1, "A slip.", seat=Seat("red"))
    club.collect()
    anna.replies("MV RI1 A5 @1", to=report)
    assert club.game(game).position.table.halfway == (split == "on")
    assert orders_of(club, game)[-1] == ("Ruled", "CARRY OUT")


def ruled(club: Club, game: int) -> list[str]:
    return [order for kind, order in orders_of(club, game) if kind == "Ruled"]


# what a pass drops


@pytest.mark.parametrize(
    ("split", "first", "dropped"),
    [
        ("off", [], ["MV RI1 A20", "FI RA1.1 > NEAR"]),
        ("on", [], ["MV RI1 A20", "FI RA1.1 > NEAR"]),
        ("on", ["MV RI2 A5", "FI RA1.1 > NEAR"], ["FI RA1.1 > NEAR", "CO ALL > NEAR"]),
    ],
)
def test_a_pass_says_to_its_writer_alone_which_drafted_orders_it_drops(
    club: Club, split: str, first: list[str], dropped: list[str]
) -> None:
    anna, bert, game = anna_and_bert(club, split=split)
    if first:
        anna.replies(*first, to=anna.last_about(game))
    anna.replies(*(line for line in dropped if line not in first), "CHECK", to=anna.last_about(game))
    assert "Dropped, and not done:" not in said(anna.letters[-1])
    anna.replies("PASS", to=anna.last_about(game))
    assert f"Dropped, and not done: {' '.join(dropped)}" in said(anna.letters[-1])
    assert "Dropped" not in said(bert.letters[-1])
    bert.replies("PASS", to=bert.last_about(game))
    assert "Dropped" not in said(anna.letters[-1]) + said(bert.letters[-1])


def test_a_set_up_that_is_passed_says_so_too(club: Club) -> None:
    anna, _, game = anna_and_bert(club, set_up=False)
    anna.replies("AT RI1 100,6 B0 W4", "CHECK", to=anna.last_about(game))
    anna.replies("PASS", to=anna.last_about(game))
    assert "Dropped, and not done: AT RI1 100,6 B0 W4" in said(anna.letters[-1])


# how many letters a turn takes is said in one way

ONE = {
    "en": "All your orders of a turn go into one letter",
    "fr": "Tous vos ordres d'un tour tiennent dans une lettre",
}
TWO = {
    "en": "Your orders of a turn go into two letters",
    "fr": "Vos ordres d'un tour tiennent dans deux lettres",
}
EITHER = {
    "en": "Where you have agreed on two letters a turn",
    "fr": "Si vous avez convenu de deux lettres par tour",
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("split", ["", "on", "true", "off"])
def test_whatever_tells_the_rules_says_how_many_letters_a_turn_takes(
    club: Club, split: str, language: str
) -> None:
    right, wrong = (TWO, ONE) if split in ("on", "true") else (ONE, TWO)
    anna = club.member("Anna")
    anna.writes(f"set language {language}")
    bert = club.person("Bert", "bert@example.com")
    anna.writes(
        f"challenge bert@example.com cards option first=red{f' option split={split}' if split else ''}"
    )
    invitation = said(bert.last)
    assert any(each in invitation for each in right.values())
    assert not any(each in invitation for each in wrong.values())
    bert.replies("accept")
    begun = said(anna.last_about(1))
    assert right[language] in begun and wrong[language] not in begun
    anna.writes("help cards")
    assert EITHER[language] in said(anna.last)
