"""What the umpire does to a letter or a game that is stuck, and what the players hear of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.common.errors import RefereeError, UsageError
from referee.pipeline.letter_context import LetterContext
from referee.reports.report import Note
from referee.service.daemon import settle_again
from referee.store.values import LetterLine
from tests.pipeline.test_processor import DEAL, MOVES
from tests.support.playing import Club, Correspondent, new_database, once

pytestmark = pytest.mark.telling


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


@pytest.fixture
def wendy(club: Club) -> Correspondent:
    """Wendy, whose turn it is against Yannick in game 1."""
    return playing(club)


@once
def playing(club: Club) -> Correspondent:
    wendy, yannick = club.member("Wendy"), club.member("Yannick")
    club.starts({"white": wendy, "yellow": yannick}, deal=DEAL)
    return wendy


def line(club: Club, number: int) -> LetterLine:
    with club.store.reading() as lookup:
        found = lookup.letters.summary(number)
    assert found is not None
    return found


def set_aside(club: Club, content: bytes) -> int:
    """Take a letter in and set it aside, as when it has made the service fail; return its number."""
    club.referee.letters.take_in([club.raw(content)])
    number = club.last_letter()
    club.referee.letters.give_up(number, "KeyError in the service", tell=False)
    return number


# Letters


def test_a_letter_that_was_set_aside_is_settled_again_and_answered(club: Club, wendy: Correspondent) -> None:
    number = set_aside(club, wendy.letter([MOVES[0]]))
    assert line(club, number).outcome == "set-aside"
    settled = settle_again(club.referee, number)
    assert (settled.outcome, settled.moves, settled.game) == ("ruled", 1, 1)
    assert {letter.recipient for letter in club.collect()} == {wendy.address, "yannick@example.net"}
    assert (line(club, number).outcome, line(club, number).commands) == ("ruled", (MOVES[0],))


def test_a_letter_that_was_held_by_fault_is_settled_again(club: Club, wendy: Correspondent) -> None:
    """The mail host's name was not in the settings; when it is, the letter need not be confirmed any more."""
    stated = club.service
    content = wendy.letter([MOVES[0]]).replace(b"mx.example.org", b"mx.example.net")
    held = club.take(club.raw(content)).settled
    assert held is not None
    assert held.outcome == "held"
    question = wendy.last
    club.service = replace(stated, authserv_ids=("mx.example.net",))
    club.open_house()
    assert settle_again(club.referee, held.number).outcome == "ruled"
    club.service = stated
    club.open_house()
    late = wendy.replies("confirm", to=question).settled
    assert late is not None
    assert (late.outcome, late.moves) == ("answered", 0), "it was heard meanwhile, and nothing is silent"
    assert line(club, held.number).outcome == "ruled"


def test_a_letter_is_held_again_when_nothing_was_mended(club: Club, wendy: Correspondent) -> None:
    held = wendy.writes(MOVES[0], vouched=False).settled
    assert held is not None
    assert settle_again(club.referee, held.number).outcome == "held"
    assert wendy.replies("confirm").settled is not None
    assert line(club, held.number).outcome == "ruled"


def test_a_move_of_a_turn_that_is_over_is_not_done_when_its_letter_is_settled_again(
    club: Club, wendy: Correspondent
) -> None:
    number = set_aside(club, wendy.letter([MOVES[2]]))
    club.later(timedelta(hours=1))
    wendy.writes(MOVES[0])
    club.person("Yannick").writes(MOVES[1])
    settled = settle_again(club.referee, number)
    assert (settled.outcome, settled.moves, settled.refused) == ("answered", 0, True)
    assert "the game has gone on since" in club.collect()[0].text.replace("\n", " ")


@pytest.mark.parametrize("write", ["status", "nonsense that is none"])
def test_what_was_settled_is_never_settled_again(club: Club, wendy: Correspondent, write: str) -> None:
    settled = wendy.writes(write).settled
    assert settled is not None
    before = line(club, settled.number)
    with pytest.raises(UsageError, match="only one that is set-aside or held can be settled again"):
        settle_again(club.referee, settled.number)
    with pytest.raises(UsageError, match="only one that is set-aside can be given up"):
        club.referee.letters.drop(settled.number, "no use")
    assert line(club, settled.number) == before
    assert club.collect() == ()


def test_a_letter_that_waits_is_left_to_the_service(club: Club, wendy: Correspondent) -> None:
    club.referee.letters.take_in([club.raw(wendy.letter(["status"]))])
    with pytest.raises(UsageError, match="waiting to be settled by the service"):
        settle_again(club.referee, club.last_letter())


@pytest.mark.parametrize("do", [settle_again, lambda referee, number: referee.letters.drop(number, "no use")])
def test_a_letter_that_does_not_exist_is_named(club: Club, do: Callable[..., Any]) -> None:
    with pytest.raises(UsageError, match="There is no letter 99"):
        do(club.referee, 99)


def test_a_letter_of_which_only_the_header_came_in_is_not_settled_again(
    club: Club, wendy: Correspondent
) -> None:
    settled = club.take(club.raw(wendy.letter([]), size=40_000_000)).settled
    assert settled is not None
    assert settled.outcome == "set-aside"
    with pytest.raises(UsageError, match="put the letter back into the mailbox"):
        settle_again(club.referee, settled.number)


def test_a_letter_that_makes_the_house_fail_again_stays_set_aside(
    club: Club, wendy: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = set_aside(club, wendy.letter([MOVES[0]]))
    before = line(club, number)

    def fail(context: LetterContext) -> None:
        raise KeyError("a hidden fact")

    monkeypatch.setattr("referee.pipeline.processor.process_letter", fail)
    with pytest.raises(RefereeError, match="KeyError") as failed:
        settle_again(club.referee, number)
    assert "hidden" not in str(failed.value)
    assert line(club, number) == before


def test_a_letter_that_is_given_up_stays_recorded_with_both_reasons(club: Club, wendy: Correspondent) -> None:
    number = set_aside(club, wendy.letter([MOVES[0]]))
    before = line(club, number)
    club.referee.letters.drop(number, "an advertisement")
    dropped = line(club, number)
    assert dropped.outcome == "ignored"
    assert "an advertisement" in dropped.reason
    assert before.reason in dropped.reason
    assert (dropped.sender, dropped.game, dropped.commands) == (before.sender, before.game, before.commands)
    with pytest.raises(UsageError):
        settle_again(club.referee, number)


def test_a_letter_that_was_given_up_may_be_sent_again(club: Club, wendy: Correspondent) -> None:
    content = wendy.letter([MOVES[0]])
    club.referee.letters.drop(set_aside(club, content), "try again")
    again = club.take(club.raw(content)).settled
    assert again is not None
    assert again.outcome == "ruled"


# The operator's own letters


def news_of(number: int) -> Note:
    return Note("letter-set-aside", {"letter": number, "reason": "KeyError in the service"})


def test_the_operator_is_told_of_a_letter_that_was_set_aside_at_most_once_an_hour(
    club: Club, wendy: Correspondent
) -> None:
    club.service = replace(club.service, operator="postmaster@example.org")
    club.open_house()
    club.referee.runtime.tell_operator(news_of(12))
    (notice,) = club.collect()
    assert (notice.recipient, notice.kind, notice.game) == ("postmaster@example.org", "notice", None)
    assert notice["Auto-Submitted"] == "auto-generated"
    said = " ".join(notice.text.split())
    assert said.startswith("Letter 12 was set aside, and needs you.")
    assert "KeyError in the service." in said
    assert "referee letters show 12" in said
    club.later(timedelta(minutes=59))
    club.referee.runtime.tell_operator(news_of(13))
    assert club.collect() == ()
    club.later(timedelta(minutes=2))
    club.referee.runtime.tell_operator(news_of(12))
    assert len(club.collect()) == 1


def test_nobody_is_told_where_the_settings_name_no_operator(club: Club, wendy: Correspondent) -> None:
    club.referee.runtime.tell_operator(news_of(12))
    assert club.collect() == ()


# Games


REASON = "A ruling is being checked."


def test_a_frozen_game_refuses_moves_with_the_reason_and_stands_still(
    club: Club, wendy: Correspondent
) -> None:
    club.referee.umpire.freeze(1, REASON)
    notices = club.collect()
    assert {notice.recipient for notice in notices} == {wendy.address, "yannick@example.net"}
    for notice in notices:
        assert (notice.kind, notice.game, notice["Auto-Submitted"]) == ("notice", 1, "auto-generated")
        assert "[frozen]" in notice["Subject"]
        assert notice.text.startswith(f"The umpire has frozen this game: {REASON}\r\n")
    before = club.game(1)
    tried = wendy.replies(MOVES[0])
    assert tried.settled is not None
    assert (tried.settled.outcome, tried.settled.moves, tried.settled.refused) == ("answered", 0, True)
    assert tried.only.kind == "refusal"
    said = " ".join(tried.only.text.split())
    assert "game 1 is frozen by the umpire (A ruling is being checked), so nothing was done" in said
    assert MOVES[0] in said
    assert club.game(1).position == before.position


@pytest.mark.parametrize("word", ["resign", "draw", "confirm", "cancel 1"])
def test_a_frozen_game_takes_no_other_decision_either(club: Club, wendy: Correspondent, word: str) -> None:
    club.referee.umpire.freeze(1, REASON)
    tried = wendy.writes(word)
    game = club.game(1)
    assert (game.status, game.offer, game.resigning) == ("playing", None, frozenset())
    assert "frozen" in tried.sent[-1].text


@pytest.mark.parametrize("word", ["status", "record", "why A"])
def test_a_frozen_game_answers_what_only_asks_and_says_that_it_is_frozen(
    club: Club, wendy: Correspondent, word: str
) -> None:
    club.referee.umpire.freeze(1, REASON)
    club.collect()
    answer = wendy.writes(word).only
    assert answer.kind in ("report", "receipt")
    assert f"This game is frozen by the umpire: {REASON}" in " ".join(answer.text.split())
    assert "REPLY WITH ONE LINE" not in answer.text


def test_a_game_goes_on_as_it_stood_when_it_is_thawed(club: Club, wendy: Correspondent) -> None:
    wendy.writes(MOVES[0])
    yannick = club.person("Yannick")
    club.referee.umpire.freeze(1, REASON)
    yannick.writes(MOVES[1])
    club.referee.umpire.thaw(1)
    told = {notice.recipient: notice for notice in club.collect()}
    assert told[yannick.address].text.startswith("The game goes on: ")
    assert "[your move 2]" in told[yannick.address]["Subject"]
    assert "[turn 2]" in told[wendy.address]["Subject"]
    settled = yannick.writes(MOVES[1]).settled
    assert settled is not None
    assert settled.outcome == "ruled"


def test_freezing_is_kept_in_the_games_log(club: Club, wendy: Correspondent) -> None:
    club.referee.umpire.freeze(1, REASON)
    club.referee.umpire.thaw(1)
    with club.store.reading() as lookup:
        *_, frozen, thawed = lookup.events.of_game(1)
    assert (frozen.kind, frozen.body, frozen.letter) == ("Frozen", {"reason": REASON, "at": None}, None)
    assert (thawed.kind, thawed.letter) == ("Thawed", None)


def test_another_process_sees_the_freeze(club: Club, wendy: Correspondent) -> None:
    """The daemon keeps games in memory; the command is given beside it."""
    wendy.writes("status")
    at_work = club.referee
    club.open_house()
    club.referee.umpire.freeze(1, REASON)
    club.referee = at_work
    settled = wendy.writes(MOVES[0]).settled
    assert settled is not None
    assert settled.moves == 0


def test_what_cannot_be_frozen_or_thawed_is_said_and_nobody_is_written_to(
    club: Club, wendy: Correspondent
) -> None:
    with pytest.raises(UsageError, match="There is no game 9"):
        club.referee.umpire.freeze(9, REASON)
    with pytest.raises(UsageError, match="Game 1 is not frozen"):
        club.referee.umpire.thaw(1)
    club.referee.umpire.freeze(1, REASON)
    club.collect()
    with pytest.raises(UsageError, match="Game 1 is frozen already: A ruling"):
        club.referee.umpire.freeze(1, "Another reason.")
    assert club.collect() == ()


def test_a_game_that_is_over_is_not_frozen(club: Club, wendy: Correspondent) -> None:
    wendy.writes("resign")
    with pytest.raises(UsageError, match="not being played"):
        club.referee.umpire.freeze(1, REASON)
