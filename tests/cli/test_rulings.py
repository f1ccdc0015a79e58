"""An umpire's rulings: a game ended by hand, claims that wait for him, and what was written beside the moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.rulebooks.confusion import Confusion
from referee.rulebooks.rulebook import Result, Seat
from tests.support.operating import WENDY, YANNICK, Desk, Said, answer, text_of

REASON = "Yellow has not written since May; see the rules."
HOW = "adjudicated: Yellow has not written since May, see the rules"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A game between Wendy and Yannick, whose turn it is after Wendy's first move."""
    desk = Desk(tmp_path)
    desk.sample_game_begun()
    desk.done("run", "--once")
    return desk


def writes(desk: Desk, who: str, text: str) -> None:
    desk.put(answer(desk.last_to(who), text))
    desk.done("run", "--once")


def adjudicate(desk: Desk, winner: str, *more: str) -> Said:
    return desk.do("adjudicate", "1", "--winner", winner, "--reason", REASON, *more)


@pytest.mark.parametrize(
    ("winner", "result", "line", "said", "wendy_reads"),
    [
        (
            "white",
            {"winner": "white", "how": HOW},
            f"White wins: {HOW}",
            f"White wins by ruling: {HOW.removeprefix('adjudicated: ')}",
            "The umpire has ruled that you have won: Yellow has not written since May, see the rules.",
        ),
        (
            "none",
            {"winner": None, "how": HOW, "void": True},
            f"No result: {HOW}",
            f"No result by ruling: {HOW.removeprefix('adjudicated: ')}",
            "The umpire has closed the game without a result: Yellow has not written since May, see the rules.",
        ),
    ],
)
def test_a_game_is_ended_by_a_ruling_and_both_read_the_reason(
    desk: Desk, winner: str, result: dict[str, Any], line: str, said: str, wendy_reads: str
) -> None:
    tried = adjudicate(desk, winner, "--dry-run", "--json").json
    assert (tried["result"], tried["record"], tried["done"]) == (result, line, False)
    assert desk.done("show", "1", "--json").json["status"] == "playing"
    before = len(desk.posted())
    assert adjudicate(desk, winner).out == f"Game 1 has ended. {said}. Wendy and Yannick are told.\n"
    assert f"\nResult: {said}\n" in desk.done("show", "1").out
    desk.done("run", "--once")
    assert len(desk.posted()) == before + 2
    assert text_of(desk.last_to(WENDY)).startswith(wendy_reads)
    for who in (WENDY, YANNICK):
        assert desk.last_to(who)["X-Referee-Kind"] == "result"
        assert "Yellow has not written since May" in text_of(desk.last_to(who))
        assert "YOUR PIECES, REVEALED" in text_of(desk.last_to(who))
        assert "answer this letter with the word claim" in text_of(desk.last_to(who))
    shown = desk.done("show", "1", "--json").json
    assert (shown["status"], shown["result"]) == ("ended", result)
    record = desk.done("record", "1").out
    assert f"Result = {line}" in record.splitlines()
    replayed = Confusion().records.replay(record)
    assert replayed.consistent
    assert replayed.result == Result(Seat(winner) if winner == "white" else None, HOW, void=winner == "none")


def test_what_cannot_be_ruled_is_said_and_nothing_is_done(desk: Desk) -> None:
    before = len(desk.posted())
    for words, says in (
        (("1", "--winner", "green", "--reason", "so"), "expected one of white, yellow, draw, none"),
        (("1", "--winner", "draw", "--reason", " ; "), "expected a sentence"),
        (("1", "--winner", "draw", "--reason", "x" * 301), "at most 300 signs"),
        (("9", "--winner", "draw", "--reason", "so"), "there is no game 9"),
    ):
        said = desk.do("adjudicate", *words)
        assert (said.status, says in said.err) == (2, True), said.err
    assert adjudicate(desk, "draw").status == 0
    again = adjudicate(desk, "white")
    assert (again.status, "not being played" in again.err) == (2, True)
    desk.done("run", "--once")
    assert len(desk.posted()) == before + 2


def test_a_frozen_game_can_be_ended(desk: Desk) -> None:
    desk.done("freeze", "1", "--reason", "A ruling is being checked.")
    assert adjudicate(desk, "draw").status == 0
    assert desk.done("show", "1", "--json").json["frozen"] is None


def test_claims_wait_until_their_game_is_over(desk: Desk) -> None:
    assert desk.done("claims").out == "No claims wait.\n"
    writes(desk, WENDY, "claim My opponent has not written\nfor two months.")
    assert "An umpire can stop it, let it go on, or end it by a ruling" in text_of(desk.last_to(WENDY))
    (claim,) = desk.done("claims", "--json").json
    assert {key: claim[key] for key in ("game", "claim", "seat", "turn", "text", "state")} == {
        "game": 1,
        "claim": 1,
        "seat": "white",
        "turn": 1,
        "text": "My opponent has not written\nfor two months.",
        "state": "open",
    }
    said = desk.done("claims").out
    assert said.startswith("case 1/1: White (Wendy), turn 1, ")
    assert said.endswith(
        ", open, for 0 days with whoever runs the service\n  My opponent has not written\n  for two months.\n"
    )
    adjudicate(desk, "white")
    desk.done("run", "--once")
    assert "is with the umpire still" not in text_of(desk.last_to(WENDY)), "the ruling may be the answer"
    assert [each["state"] for each in desk.done("claims", "--json").json] == ["game over"]
    writes(desk, YANNICK, "claim I was in hospital.")
    assert [each["state"] for each in desk.done("claims", "--json").json] == ["game over", "game over"]


def test_a_ruling_is_either_for_the_player_or_against_him(desk: Desk) -> None:
    writes(desk, WENDY, "claim My opponent has not written\nfor two months.")
    for both in (("--upheld", "--rejected"), ("--rejected", "--upheld")):
        tried = desk.do("claims", "--settle", "1/1", "--answer", "He is ill.", *both)
        assert tried.status == 2 and "--upheld and --rejected exclude each other" in tried.err
    assert [each["state"] for each in desk.done("claims", "--json").json] == ["open"]


@pytest.mark.slow
def test_a_claim_is_answered_by_letter_and_waits_no_more(desk: Desk) -> None:
    writes(desk, WENDY, "claim My opponent has not written\nfor two months.")
    writes(desk, YANNICK, "claim I was in hospital.")
    assert "1/1, 1/2; `referee claims` shows them" in desk.do("doctor", "--offline").out
    before = len(desk.posted())
    desk.done("claims", "--settle", "1/1", "--answer", "He is ill.\nGive him a week.")
    assert [each["claim"] for each in desk.done("claims", "--json").json] == [2]
    shown = desk.done("claims", "--all", "--json").json
    assert [each["state"] for each in shown] == ["answered", "open"]
    desk.done("run", "--once")
    assert len(desk.posted()) == before + 1
    letter = desk.last_to(WENDY)
    text = text_of(letter)
    assert (letter["X-Referee-Kind"], "[your claim]" in letter["Subject"]) == ("notice", True)
    assert text.startswith("The umpire has answered your claim, case 1/1.")
    assert "> He is ill.\n> Give him a week." in text.replace("\r", "")
    assert "> My opponent has not written\n> for two months." in text.replace("\r", "")
    assert "1/2;" in desk.do("doctor", "--offline").out
    shown = desk.done("show", "1").out
    assert "\nCASES\n" in shown and "White, case 1, ruling, " in shown
    for words, told in (((), True), (("--as", "white"), True), (("--as", "yellow"), False)):
        for what in ("show", "record"):
            assert ("He is ill" in desk.done(what, "1", *words).out) == told
    record = desk.done("record", "1").out
    assert "; turn 1, White, case 1, ruling:\n;   He is ill.\n;   Give him a week.\n" in record
    assert Confusion().records.replay(record).consistent


def test_the_steps_of_a_case_are_listed_and_a_ruling_without_another_officer_is_looked_at_once_more(
    desk: Desk,
) -> None:
    writes(desk, WENDY, "claim My opponent has not written.")
    desk.done("claims", "--settle", "1/1", "--rejected", "--answer", "He is ill.")
    desk.done("run", "--once")
    assert text_of(desk.last_to(WENDY)).startswith("The umpire has rejected your claim, case 1/1.")
    writes(desk, WENDY, "appeal 1/1 He is not.")
    listed = desk.done("claims").out
    assert ", appealed, for 0 days with whoever runs the service\n" in listed
    assert listed.endswith("  ruling (rejected):\n  He is ill.\n  appeal:\n  He is not.\n")
    (case,) = desk.done("claims", "--json").json
    assert {key: case[key] for key in ("state", "days", "with", "office", "against")} == {
        "state": "appealed",
        "days": 0,
        "with": None,
        "office": None,
        "against": None,
    }
    assert [(each["step"], each["text"]) for each in case["steps"]] == [
        ("claim", "My opponent has not written."),
        ("ruling", "He is ill."),
        ("appeal", "He is not."),
    ]
    assert case["steps"][1]["verdict"] == "rejected"
    assert "1/1; `referee claims` shows them" in desk.do("doctor", "--offline").out
    desk.done("claims", "--settle", "1/1", "--upheld", "--answer", "So it seems.")
    assert ", to change, for 0 days with whoever runs the service\n" in desk.done("claims").out
    desk.done("claims", "--settle", "1/1", "--upheld", "--unchanged", "--answer", "It is over anyway.")
    assert desk.done("claims").out == "No claims wait.\n"
    again = desk.do("claims", "--settle", "1/1", "--answer", "Once more.")
    assert (again.status, "the ruling on case 1/1 is final" in again.err) == (2, True)


def test_a_game_that_is_ended_by_a_ruling_settles_the_case_that_is_named_and_no_other(desk: Desk) -> None:
    writes(desk, WENDY, "claim My opponent has not written.")
    writes(desk, YANNICK, "claim I was in hospital.")
    for said, says in (
        ("1/3", "does not wait for a ruling"),
        ("2/1", "no case of game 1"),
        ("x", "expected a game"),
    ):
        refused = adjudicate(desk, "white", "--settles", said)
        assert (refused.status, says in refused.err) == (2, True), refused.err
    tried = adjudicate(desk, "white", "--settles", "1/1", "--dry-run", "--json").json
    assert tried["cases"] == ["1/2"]
    assert len(desk.done("claims", "--json").json) == 2
    done = adjudicate(desk, "white", "--settles", "1/1").out
    assert done.endswith("Still waiting for a ruling: case 1/2; see `referee claims`.\n")
    (left,) = desk.done("claims", "--json").json
    assert (left["claim"], left["state"]) == (2, "game over")
    desk.done("run", "--once")
    texts = [text_of(each) for each in desk.posted()]
    assert any("The umpire has answered your claim, case 1/1." in each for each in texts)


def test_what_is_no_claim_that_waits_is_not_settled(desk: Desk) -> None:
    writes(desk, WENDY, "claim He sleeps.")
    for words, says in (
        (("--settle", "1/2", "--answer", "so"), "there is no case 1/2"),
        (("--settle", "9/1", "--answer", "so"), "There is no game 9"),
        (("--settle", "1", "--answer", "so"), "expected a game and a case of it"),
        (("--settle", "1/1", "--answer", " "), "expected a text"),
        (("--settle", "1/1", "--answer", "x" * 2001), "at most 2000 signs"),
        (("--settle", "1/1"), "belong together"),
        (("--upheld",), "belong together"),
    ):
        said = desk.do("claims", *words)
        assert (said.status, says in said.err) == (2, True), said.err
    desk.done("claims", "--settle", "1/1", "--answer", "Wake him.")
    assert "was ruled on before" in desk.do("claims", "--settle", "1/1", "--answer", "Wake him.").err


def test_the_claimant_reads_at_the_end_that_the_claim_still_waits(desk: Desk) -> None:
    writes(desk, WENDY, "claim He peeks.")
    writes(desk, YANNICK, "resign")
    assert "Your claim 1/1 is with the umpire still" in text_of(desk.last_to(WENDY))
    assert "claim 1" not in text_of(desk.last_to(YANNICK))
    desk.done("claims", "--settle", "1/1", "--answer", "He does not.")
    assert desk.done("claims").out == "No claims wait.\n"


def test_an_answer_to_a_claim_goes_when_its_reader_does(desk: Desk) -> None:
    writes(desk, WENDY, "claim He peeks.")
    desk.done("claims", "--settle", "1/1", "--answer", "He does not.")
    desk.done("run", "--once")
    writes(desk, WENDY, "bye")
    writes(desk, WENDY, "confirm")
    assert desk.done("claims", "--all", "--json").json == []
    assert "claims" in desk.done("show", "1", "--json").json


@pytest.mark.slow
def test_what_was_written_beside_the_moves_is_shown_to_those_who_may_read_it(desk: Desk) -> None:
    writes(desk, WENDY, "press Good luck!\nWhite = A1 C2")
    writes(desk, WENDY, "diary I fear his Crab.")
    writes(desk, YANNICK, "diary She fears my Crab.")
    writes(desk, YANNICK, "claim She peeks.")

    def read(*words: str) -> dict[str, list[str]]:
        shown = desk.done("show", "1", *words, "--json").json
        plain = desk.done("show", "1", *words).out
        for key in ("press", "diary", "claims"):
            assert all(each["text"].splitlines()[0] in plain for each in shown[key])
        return {
            key: [each["text"].splitlines()[0] for each in shown[key]] for key in ("press", "diary", "claims")
        }

    hers, his, claim = "I fear his Crab.", "She fears my Crab.", "She peeks."
    assert read() == {"press": ["Good luck!"], "diary": [], "claims": [claim]}
    assert read("--as", "white") == {"press": ["Good luck!"], "diary": [hers], "claims": []}
    assert read("--as", "yellow") == {"press": ["Good luck!"], "diary": [his], "claims": [claim]}
    for words, told in (((), (claim,)), (("--as", "white"), (hers,)), (("--as", "yellow"), (his, claim))):
        record = desk.done("record", "1", *words).out
        assert {text for text in (hers, his, claim) if text in record} == set(told)
        assert "; turn 1, White, press:\n;   Good luck!\n;   White = A1 C2\n" in record
        bare = desk.done("record", "1", *words, "--bare").out
        assert record.startswith(bare)
        assert "Good luck!" not in bare
        assert Confusion().records.replay(record).happenings == Confusion().records.replay(bare).happenings
    writes(desk, WENDY, "record")
    (sent,) = [part for part in desk.last_to(WENDY).iter_attachments() if part.get_filename() == "game-1.txt"]
    assert hers in sent.get_content()
    assert his not in sent.get_content()
    writes(desk, WENDY, "resign")
    over = {"press": ["Good luck!"], "diary": [hers, his]}
    assert read() == {**over, "claims": [claim]}
    assert read("--as", "white") == {**over, "claims": []}
    writes(desk, YANNICK, "bye")
    writes(desk, YANNICK, "confirm")
    assert read() == {"press": ["Good luck!"], "diary": [hers], "claims": []}
    assert desk.done("claims", "--all", "--json").json == []
