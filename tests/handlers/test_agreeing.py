"""How two players end a game by letter: `draw`, `agree RESULT`, and `agree` alone."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta

import pytest

from referee.games.results import Offer
from referee.rulebooks.rulebook import Result, Seat
from tests.support.begun import begun, said
from tests.support.playing import Club, Correspondent
from tests.support.telling import telling

WHITE, YELLOW = Seat("white"), Seat("yellow")


def offer(club: Club, game: int) -> tuple[str, str] | None:
    """Return who has proposed what, None for nothing."""
    found = club.game(game).offer
    return None if found is None else (found.by, found.end)


@pytest.mark.parametrize(
    ("end", "told", "answer", "over", "result"),
    [
        (
            "yellow",
            "Anna proposes that Yellow has won; you play Yellow.",
            "You have proposed in game 1 that Yellow has won; you play White.",
            "You have won by agreement.",
            {"winner": "yellow", "how": "by agreement"},
        ),
        (
            "white",
            "Anna proposes that White has won; you play Yellow.",
            "You have proposed in game 1 that White has won; you play White.",
            "White (Anna) has won by agreement.",
            {"winner": "white", "how": "by agreement"},
        ),
        (
            "none",
            "Anna proposes to give the game up without a result.",
            "You have proposed to give game 1 up without a result.",
            "Both players have given the game up, without a result.",
            {"winner": None, "how": "abandoned by agreement", "void": True},
        ),
        (
            "draw",
            "Anna offers a draw.",
            "You have offered a draw in game 1.",
            "The game is drawn by agreement.",
            {"winner": None, "how": "by agreement"},
        ),
    ],
)
def test_a_result_is_proposed_and_agreed_to(
    club: Club, end: str, told: str, answer: str, over: str, result: dict[str, object]
) -> None:
    anna, bert, game = begun(club)
    bert.replies("set reports json", to=bert.last_about(game))
    anna.replies(f"agree {end}", to=anna.last_about(game))
    assert said(anna.last).startswith(answer)
    asked = bert.last_about(game)
    assert (asked["X-Referee-Kind"], said(asked).startswith(told)) == ("notice", True)
    line = "draw" if end == "draw" else f"agree {end}"
    assert line in asked.text.splitlines(), "the line to write stands alone, to be copied"
    bert.replies("agree", to=asked)
    ended = bert.last_about(game)
    assert (ended["X-Referee-Kind"], said(ended).startswith(over)) == ("result", True)
    (part,) = [each for each in ended.parts if each.get_content_type() == "application/json"]
    data = json.loads(part.get_content())
    assert (data["status"], data["result"]) == ("over", result)
    assert club.game(game).status == "ended"
    record = anna.last_about(game).text
    assert {"none": "No result: abandoned by agreement", "draw": "Draw: by agreement"}.get(
        end, f"{end.capitalize()} wins: by agreement"
    ) in record


@pytest.mark.telling
def test_the_line_itself_agrees_from_whatever_letter(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("agree none", to=anna.last_about(game))
    bert.writes("agree none 1", subject="from my phone")
    assert club.game(game).result == Result(None, "abandoned by agreement", void=True)


def test_crossing_letters_that_propose_the_same_are_an_agreement(club: Club) -> None:
    anna, bert, game = begun(club)
    first = bert.last_about(game)
    anna.replies("agree white", to=anna.last_about(game))
    bert.replies("agree white", to=first)
    assert club.game(game).result == Result(WHITE, "by agreement")


def test_crossing_letters_that_propose_different_ends_agree_on_neither(club: Club) -> None:
    anna, bert, game = begun(club)
    first = bert.last_about(game)
    anna.replies("agree white", to=anna.last_about(game))
    bert.replies("draw", to=first)
    assert offer(club, game) == ("yellow", "draw")
    assert "It takes the place of what Anna had proposed." in said(bert.last_about(game))
    assert said(anna.last_about(game)).startswith("Bert offers a draw.")
    anna.replies("agree", to=anna.last_about(game))
    assert club.game(game).result == Result(None, "by agreement")


def test_the_bare_word_in_answer_to_an_older_letter_agrees_to_nothing(club: Club) -> None:
    """Bert agrees to a draw; meanwhile Anna has proposed something else, which he gets again."""
    anna, bert, game = begun(club)
    anna.replies("draw", to=anna.last_about(game))
    seen = bert.last_about(game)
    anna.replies("agree white", to=anna.last_about(game))
    unseen = bert.last_about(game)
    bert.replies("agree", to=seen)
    assert club.game(game).status == "playing"
    answer = next(each for each in reversed(bert.letters) if each["X-Referee-Kind"] == "refusal")
    assert "what White proposes now, that White has won, is not in the letter that you answer" in said(answer)
    assert "agree white" in answer.text
    assert [each["X-Referee-Number"] for each in bert.letters].count(unseen["X-Referee-Number"]) == 2
    bert.replies("agree", to=answer)
    assert club.game(game).result == Result(WHITE, "by agreement")


def test_the_bare_word_in_a_letter_that_answers_none_agrees_to_nothing(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("draw", to=anna.last_about(game))
    bert.writes("agree 1")
    assert (club.game(game).status, offer(club, game)) == ("playing", ("white", "draw"))
    assert "agree draw" in bert.last.text


def test_a_proposal_stands_in_every_letter_until_the_other_side_moves(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("agree yellow", "L-S2", to=anna.last_about(game))
    bert.replies("status", to=bert.last_about(game))
    assert "White (Anna) proposes that Yellow has won. Reply agree yellow to agree, or just move." in said(
        bert.last
    )
    anna.replies("status", to=anna.last_about(game))
    assert "Your proposal stands that Yellow has won." in said(anna.last)
    bert.replies("C-N2", to=bert.last_about(game))
    assert offer(club, game) is None
    assert "Your proposal that Yellow has won has lapsed with the move of Bert." in said(
        anna.last_about(game)
    )
    bert.replies("agree", to=bert.last_about(game))
    assert "nothing is proposed to you that you could agree to" in said(bert.last)


@pytest.mark.telling
def test_a_proposal_is_taken_back(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("agree none", to=anna.last_about(game))
    asked = bert.last_about(game)
    anna.replies("cancel", to=anna.last_about(game))
    assert said(bert.last_about(game)).startswith(
        "Anna has taken back the proposal to give the game up without a result."
    )
    bert.replies("agree", to=asked)
    assert club.game(game).status == "playing"


@pytest.mark.telling
def test_of_two_proposals_in_a_letter_the_last_one_is_told(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("draw", "agree none", to=anna.last_about(game))
    assert offer(club, game) == ("white", "none")
    assert "draw." not in bert.last_about(game).text.split("To agree")[0]


def frozen(club: Club, anna: Correspondent, game: int) -> None:
    club.referee.umpire.freeze(game, "a ruling is being checked")
    club.collect()
    anna.replies("agree draw", to=anna.last_about(game))


def over(club: Club, anna: Correspondent, game: int) -> None:
    anna.replies("resign", to=anna.last_about(game))
    anna.replies("agree draw", to=anna.last_about(game))


def not_his(club: Club, anna: Correspondent, game: int) -> None:
    club.member("Carl").writes(f"agree draw {game}")


def unregistered(club: Club, anna: Correspondent, game: int) -> None:
    club.person("Nemo").writes(f"agree draw {game}")


def no_such_game(club: Club, anna: Correspondent, game: int) -> None:
    anna.writes("agree draw 99")


@pytest.mark.parametrize(
    ("write", "who", "answer"),
    [
        (frozen, "Anna", "game 1 is frozen by the umpire"),
        (over, "Anna", "game 1 is over"),
        (not_his, "Carl", "you do not sit in game 1"),
        (unregistered, "Nemo", "I do not know your address yet"),
        (no_such_game, "Anna", "you do not sit in game 99"),
    ],
)
def test_what_cannot_be_proposed_is_answered_and_nobody_else_hears_of_it(
    club: Club, write: object, who: str, answer: str
) -> None:
    anna, bert, game = begun(club)
    assert callable(write)
    write(club, anna, game)
    heard = [each for each in bert.letters if "propos" in each.text or "draw." in each.text]
    assert offer(club, game) is None
    assert answer in said(club.reader(f"{who.lower()}@example.net").last)
    assert heard == []


def test_a_proposal_that_was_held_counts_when_it_is_confirmed_unless_the_game_has_gone_on(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("agree none", to=anna.last_about(game), vouched=False)
    assert offer(club, game) is None
    anna.replies("confirm")
    assert offer(club, game) == ("white", "none")
    bert.replies("agree", to=bert.last_about(game), vouched=False)
    question = bert.last
    anna.replies("cancel", to=anna.last_about(game))
    anna.replies("agree yellow", to=anna.last_about(game))
    bert.replies("confirm", to=question)
    assert club.game(game).status == "playing", "what he agreed to was another proposal"
    assert "is not in the letter that you answer" in said(bert.last)


@pytest.mark.parametrize(
    ("words", "read"),
    telling(
        [("convenir nulle", ("white", "draw")), ("convenir blanc", ("white", "white"))],
        others=[
            ("je conviens aucun 1", ("white", "none")),
            ("1: convenir jaune", ("white", "yellow")),
            ("agree none", ("white", "none")),
        ],
    ),
)
def test_it_is_said_in_french_too(club: Club, words: str, read: tuple[str, str]) -> None:
    anna, _, game = begun(club)
    anna.replies("set language fr", to=anna.last_about(game))
    anna.replies(words, to=anna.last_about(game))
    assert offer(club, game) == read
    assert isinstance(club.game(game).offer, Offer)


def test_an_answer_to_whoever_waits_says_since_when_the_other_is_to_move(club: Club) -> None:
    anna, bert, game = begun(club)
    told = club.clock.at
    anna.replies("L-S2", to=anna.last_about(game))
    assert "Nothing is due from you now; you will hear as soon as Yellow (Bert) has moved." in said(anna.last)
    club.later(timedelta(days=3))
    for words in ("status", "agree none", "diary hm", "K-S1"):
        anna.replies(words, to=anna.last_about(game))
        since = f"it has been the turn of Yellow (Bert) since {told:%a} {told.day} {told:%b %Y, %H:%M} UTC."
        assert since in said(anna.last), words
    bert.replies("status", to=bert.last_about(game))
    assert "Nothing is due" not in bert.last.text


@pytest.mark.parametrize(
    ("waits", "told"),
    [
        (("draw",), "You have taken back your draw offer in game 1."),
        (("agree white",), "You have taken back your proposal in game 1 that White has won."),
        (("agree none",), "You have taken back your proposal to give game 1 up without a result."),
        (("try L-S2", "draw"), None),
        (
            ("resign", "or not?"),
            "You have taken back your resignation of game 1, which you had not confirmed.",
        ),
    ],
)
def test_what_was_taken_back_is_named(club: Club, waits: tuple[str, ...], told: str | None) -> None:
    anna, bert, game = begun(club)
    if told is None:
        bert.replies("try C-N2", "draw", to=bert.last_about(game))
        bert.writes(f"cancel {game}")
        answer = said(bert.last)
        assert "You have taken back your draw offer in game 1." in answer
        assert "You have taken back your plan for game 1." in answer
    else:
        anna.replies(*waits, to=anna.last_about(game))
        anna.replies("cancel", to=anna.last_about(game))
        assert said(anna.last).startswith(told)


@pytest.mark.telling
def test_who_has_resigned_reads_so_and_both_how_to_play_once_more(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("resign", to=anna.last_about(game))
    assert said(anna.last).startswith("You have resigned game 1; Yellow (Bert) has won.")
    assert said(bert.last).startswith("You have won by resignation.")
    for player in (anna, bert):
        assert "To play once more, with the colours exchanged, answer with the one word rematch." in said(
            player.last
        )


def test_the_line_that_the_commitment_binds_stands_in_the_last_letter(club: Club) -> None:
    """So that anybody who can hash a line can check it."""
    anna, bert, game = begun(club)
    commitment = club.game(game).commitment
    assert commitment in bert.last_about(game).text
    anna.replies("resign", to=anna.last_about(game))
    line = next(each for each in bert.last.text.splitlines() if '"secret":' in each)
    assert hashlib.sha256(line.encode()).hexdigest() == commitment
    assert json.loads(line)["secret"] == club.game(game).secret.hex()
