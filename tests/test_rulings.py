"""An umpire's rulings: a game ended by hand, claims that wait for him, and what was written beside the moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.rulebooks.confusion import Confusion
from referee.rulebooks.rulebook import Result, Seat
from tests.operating import WENDY, YANNICK, Desk, Said, answer, text_of

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
    ("winner", "result", "line", "wendy_reads"),
    [
        (
            "white",
            {"winner": "white", "how": HOW},
            f"White wins: {HOW}",
            "The umpire has ruled that you have won: Yellow has not written since May, see the rules.",
        ),
        (
            "none",
            {"winner": None, "how": HOW, "void": True},
            f"No result: {HOW}",
            "The umpire has closed the game without a result: Yellow has not written since May, see the rules.",
        ),
    ],
)
def test_a_game_is_ended_by_a_ruling_and_both_read_the_reason(
    desk: Desk, winner: str, result: dict[str, Any], line: str, wendy_reads: str
) -> None:
    tried = adjudicate(desk, winner, "--dry-run", "--json").json
    assert (tried["result"], tried["record"], tried["done"]) == (result, line, False)
    assert desk.done("show", "1", "--json").json["status"] == "playing"
    before = len(desk.posted())
    assert adjudicate(desk, winner).out == f"Game 1 has ended: {line}. Wendy and Yannick are told.\n"
    desk.done("run", "--once")
    assert len(desk.posted()) == before + 2
    assert text_of(desk.last_to(WENDY)).startswith(wendy_reads)
    for who in (WENDY, YANNICK):
        assert desk.last_to(who)["X-Referee-Kind"] == "result"
        assert "Yellow has not written since May" in text_of(desk.last_to(who))
        assert "YOUR PIECES, REVEALED" in text_of(desk.last_to(who))
    shown = desk.done("show", "1", "--json").json
    assert (shown["status"], shown["result"]) == ("ended", result)
    record = desk.done("record", "1").out
    assert f"Result = {line}" in record.splitlines()
    replayed = Confusion().replay(record)
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
    assert said.startswith("game 1, claim 1: White (Wendy), turn 1, ")
    assert said.endswith("open\n  My opponent has not written\n  for two months.\n")
    adjudicate(desk, "white")
    assert desk.done("claims", "--json").json == []
    assert [each["state"] for each in desk.done("claims", "--all", "--json").json] == ["closed"]
    desk.done("run", "--once")
    writes(desk, YANNICK, "claim I was in hospital.")
    assert [each["state"] for each in desk.done("claims", "--json").json] == ["late"]


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
    for words, told in (((), ()), (("--as", "white"), (hers,)), (("--as", "yellow"), (his,))):
        record = desk.done("record", "1", *words).out
        assert {text for text in (hers, his, claim) if text in record} == set(told)
        assert "; turn 1, White, press:\n;   Good luck!\n;   White = A1 C2\n" in record
        bare = desk.done("record", "1", *words, "--bare").out
        assert record.startswith(bare)
        assert "Good luck!" not in bare
        assert Confusion().replay(record).happenings == Confusion().replay(bare).happenings
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
