"""What is told of umpires' acts: for which move time is, an act in full to whoever hears an appeal against it; and that
a mistyped number means none."""

from __future__ import annotations

import pytest

from referee.commands.command import Appeal
from referee.commands.free_text import read_written
from referee.games.tournaments.reading import read_competition
from referee.mail.message.message import OwnLine
from tests.handlers.test_umpires import League, league  # noqa: F401
from tests.support.begun import said
from tests.support.playing import Correspondent, Delivered

RESTS = (
    "It is for the move that is due. No time runs at present; what is left for it then: 11 days and 23 hours"
)


def to(who: Correspondent, sent: list[Delivered]) -> str:
    (letter,) = (said(each) for each in sent if each.recipient == who.address)
    return letter


@pytest.mark.parametrize("rests", ["paused", "frozen"])
def test_time_that_is_given_while_none_runs_is_for_the_move_that_is_due(league: League, rests: str) -> None:  # noqa: F811
    league.club.posts()
    league.club.looks_at_clocks()
    if rests == "paused":
        league.does(league.olga, "umpire pause {game}: We are closed.")
    else:
        league.club.referee.umpire.freeze(league.game, "An answer is looked at.")
    league.club.collect()
    asked = league.asks(league.olga, "umpire add {game} Yellow 5d: He was ill.")
    assert RESTS in said(asked)
    sent = list(league.olga.replies("confirm", to=asked).sent)
    for who in (league.anna, league.bert):
        assert RESTS in to(who, sent)


@pytest.mark.telling
def test_time_for_whoever_is_not_to_move_is_said_to_be_for_the_next_move_of_that_side(league: League) -> None:  # noqa: F811
    sent = league.does(league.olga, "umpire add {game} White 5d: He was ill.")
    assert "It is for your next move." in to(league.anna, sent)
    assert "It is for the next move of White." in to(league.bert, sent)


@pytest.mark.parametrize(
    ("line", "act", "reason"),
    [
        (
            "umpire correct {game} L-S1: It was misread.",
            ("turn 1 of White", "White L-S2 (", "tried instead: L-S1"),
            1,
        ),
        ("umpire take back {game} to 1: It was misread.", ("turn 1 of White", "White L-S2 ("), 1),
        ("umpire add {game} White 2d: It was misread.", ("White was given 2 days more.",), 1),
        (
            "umpire act {game} Yellow A-N1: It was misread.",
            ("In turn 2 A-N1 was tried in the name of Yellow.",),
            1,
        ),
        (
            "umpire pause {game} until 2027-01-03: It was misread.",
            ("stand until Sun 3 Jan 2027, 00:00 UTC.",),
            1,
        ),
        ("umpire rule {game}: It was misread.", ("> It was misread.",), 0),
    ],
    ids=lambda each: each.split()[1] if isinstance(each, str) else "",
)
def test_whoever_hears_an_appeal_is_told_the_act_in_full(
    league: League,  # noqa: F811
    line: str,
    act: tuple[str, ...],
    reason: int,
) -> None:
    uwe = league.club.member("Uwe")
    league.appoint("appeals", uwe)
    league.does(league.olga, line)
    league.bert.writes(f"appeal {league.game} It was not.")
    told = said(uwe.last)
    for each in act:
        assert each in told
    assert ("The reason: It was misread." in told) == bool(reason)


@pytest.mark.telling
def test_the_letter_with_the_order_in_question_is_named_however_old_it_is(league: League) -> None:  # noqa: F811
    uwe = league.club.member("Uwe")
    league.appoint("appeals", uwe)
    for number in range(6):
        league.anna.writes(f"status {league.game}", f"press {league.game} Number {number}.")
    league.does(league.olga, "umpire correct {game} L-S1: It was misread.")
    league.bert.writes(f"appeal {league.game} It was not.")
    told = said(uwe.last)
    assert "that came in from White" in told and "It held L-S2." in told
    assert told.count("that came in from White") == 6, "the newest five, and that one"
    assert "It held" not in said(league.bert.last)


NUMBERS = ("act 9999999999 x", "act -1 x", "act 1.5 x", "act #-2 x", "act 1st x", "act 0 x")


@pytest.mark.parametrize("behind", NUMBERS)
def test_what_looks_like_the_number_of_an_act_and_is_none_names_no_act(league: League, behind: str) -> None:  # noqa: F811
    league.does(league.olga, "umpire pause {game}: We are closed.")
    league.does(league.olga, "umpire resume {game}: We are open.")
    answer = said(
        league.bert.replies(f"appeal {league.game} {behind}", to=league.bert.last_about(league.game)).sent[-1]
    )
    assert (
        f"that is no act in game {league.game} that you can appeal against; those that you can are 1 ("
        in answer
    )
    with league.club.store.reading() as lookup:
        assert lookup.cases.of_game(league.game) == ()


@pytest.mark.parametrize("number", ["9999999999999", "-1", "#99999999999", "1.5", "2nd"])
def test_what_looks_like_the_number_of_a_case_and_is_none_names_no_case(league: League, number: str) -> None:  # noqa: F811
    league.does(league.olga, "umpire pause {game}: We are closed.")
    line = f"appeal {league.game}/{number} x"
    answer = said(league.bert.replies(line, to=league.bert.last_about(league.game)).sent[-1])
    assert f"you have brought no case {league.game}/0" in answer
    with league.club.store.reading() as lookup:
        assert lookup.cases.of_game(league.game) == ()


@pytest.mark.parametrize(
    "text", ["The act of 1812 was worse.", "act now, please", "12 of my letters came back", "/ well"]
)
def test_a_text_is_a_text_all_the_same(text: str) -> None:
    command = read_written(OwnLine(1, f"appeal {text}", f"appeal {text}"), None, "appeal", text)
    assert isinstance(command, Appeal)
    assert (command.act, command.case, command.day) == (None, None, None)


def test_a_day_may_stand_behind_the_word_act() -> None:
    text = "act 2026-11-28 It was wrong."
    command = read_written(OwnLine(1, f"appeal {text}", f"appeal {text}"), None, "appeal", text)
    assert isinstance(command, Appeal) and command.day is not None and command.text == "It was wrong."


@pytest.mark.parametrize(
    ("name", "meant"),
    [("2026 Cup", "Cup 2026"), ("17/2 Open", "Open 17/2"), ("[3] Cup", ""), ("17: Cup", "")],
)
def test_an_event_is_not_called_by_what_a_game_is_called_by(name: str, meant: str) -> None:
    faults = read_competition(f'name = "{name}"\nrules = ["confusion"]\n')
    assert isinstance(faults, tuple) and faults
    assert not meant or faults[0].suggestion == f'name = "{meant}"'
