"""`cancel`, and other words that wait for nobody: what they take back, and what came to wait while they were held."""

from __future__ import annotations

import pytest

from tests.support.begun import DEAL, begun, said
from tests.support.playing import Club, Correspondent, Delivered, Exchange


def to(who: Correspondent, exchange: Exchange) -> Delivered:
    return next(letter for letter in exchange.sent if letter.recipient == who.address)


def test_in_the_thread_of_a_game_nothing_of_another_is_taken_back(club: Club) -> None:
    _, bert, game = begun(club)
    other = club.starts({"white": club.member("Cleo"), "yellow": bert}, deal=DEAL)
    bert.replies("try C-N2", to=bert.last_about(other))
    refused = bert.replies("cancel", to=bert.last_about(game)).only
    assert f"nothing of yours waits in game {game} that could be taken back" in said(refused)
    assert f"Did you mean cancel {other}?" in said(refused)
    assert club.game(other).plans
    bert.writes("cancel")  # a letter that is about no game
    assert not club.game(other).plans


@pytest.mark.telling
def test_the_receipt_of_an_offer_takes_back_the_offer_alone(club: Club) -> None:
    _, bert, game = begun(club)
    bert.replies("try C-N2; if no E-N1", to=bert.last_about(game))
    receipt = to(bert, bert.replies("draw", to=bert.last_about(game)))
    answer = to(bert, bert.replies(f"cancel {game}", to=receipt))
    assert (club.game(game).offer, len(club.game(game).plans)) == (None, 1)
    assert "your plan" not in said(answer)


@pytest.mark.telling
def test_elsewhere_all_that_waits_in_the_game_is_taken_back_and_named(club: Club) -> None:
    _, bert, game = begun(club)
    bert.replies("try C-N2; if no E-N1", to=bert.last_about(game))
    bert.replies("draw", to=bert.last_about(game))
    bert.replies("resign", "or shall I?", to=bert.last_about(game))
    answer = to(bert, bert.replies("cancel", to=bert.last_about(game)))
    after = club.game(game)
    assert (after.offer, dict(after.plans), set(after.resigning)) == (None, {}, set())
    for named in ("your draw offer", "your plan", "resign"):
        assert named in said(answer)


@pytest.mark.parametrize("line", ["cancel", "resign", "confirm"])
def test_a_held_word_does_nothing_to_what_came_meanwhile(club: Club, line: str) -> None:
    anna, bert, game = begun(club)
    bert.replies("draw", "resign", to=bert.last_about(game))
    question = to(bert, bert.replies(line, to=bert.last_about(game), vouched=False))
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("C-N2", to=bert.last_about(game))
    bert.replies("try C-N1; if no E-N1", "resign", to=bert.last_about(game))
    refused = bert.replies("confirm", to=question).only
    assert "your letter was held, and" in said(refused)
    after = club.game(game)
    assert (after.status, len(after.plans), set(after.resigning)) == ("playing", 1, {"yellow"})


@pytest.mark.parametrize("line", ["cancel", "confirm"])
def test_a_held_word_is_heard_where_nothing_has_changed(club: Club, line: str) -> None:
    _, bert, game = begun(club)
    bert.replies("resign", "or shall I?", to=bert.last_about(game))
    question = to(bert, bert.replies(line, to=bert.last_about(game), vouched=False))
    bert.replies("confirm", to=question)
    after = club.game(game)
    assert (after.status, set(after.resigning)) == ("playing" if line == "cancel" else "ended", set())


@pytest.mark.telling
def test_a_held_refusal_turns_down_no_other_terms(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion")
    question = to(bert, bert.replies("decline", vouched=False))
    invitation = next(letter for letter in bert.letters if letter.game == 1)
    bert.replies("accept option sheets=off", to=invitation)
    anna.replies("accept option watchers=on", to=anna.last_about(1))
    refused = bert.replies("confirm", to=question).only
    assert "something else waits in game 1 since; this was not done" in said(refused)
    assert club.game(1).status == "proposed"


def test_a_challenger_who_takes_his_challenge_back_wants_no_other_terms(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion")
    challenge = anna.last
    bert.replies("accept option sheets=off")
    exchange = anna.replies("cancel", to=challenge)
    assert club.game(1).status == "declined"
    assert "Anna has declined" in said(to(bert, exchange))


@pytest.mark.telling
def test_whoever_declines_what_he_has_answered_with_other_terms_takes_these_back(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion")
    invitation = bert.last
    bert.replies("accept option sheets=off", to=invitation)
    exchange = bert.replies("decline", to=invitation)
    assert club.game(1).status == "withdrawn"
    assert "Bert has taken back the challenge, game 1" in said(to(anna, exchange))


def test_a_plan_is_no_answer_to_an_offer_that_its_owner_had_not_read(club: Club) -> None:
    anna, bert, game = begun(club)
    before = bert.last_about(game)
    anna.replies("draw", to=anna.last_about(game))
    receipt = to(bert, bert.replies("try C-N2; if no E-N1", to=before))
    assert "It waits: you are asked how to end the game" in said(receipt)
    anna.replies("L-S2", to=anna.last_about(game))
    after = club.game(game)
    assert (after.offer is not None, len(after.plans), list(after.due)) == (True, 1, ["yellow"])
    exchange = bert.replies("try C-N2; if no E-N1", to=bert.last_about(game))
    assert club.game(game).offer is None
    assert "C-N2: no." in said(to(bert, exchange))
    assert "Your draw offer has lapsed with the move of Bert." in said(to(anna, exchange))


def test_a_plan_that_waits_begins_when_the_offer_is_taken_back(club: Club) -> None:
    anna, bert, game = begun(club)
    before = bert.last_about(game)
    receipt = to(anna, anna.replies("draw", to=anna.last_about(game)))
    bert.replies("try C-N2; if no E-N1", to=before)
    anna.replies("L-S2", to=anna.last_about(game))
    exchange = anna.replies("cancel", to=receipt)
    assert "Tried as you planned: C-N2." in said(to(bert, exchange))


def test_an_offer_that_lapses_by_a_plan_is_told_to_whoever_has_made_it(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("draw", to=anna.last_about(game))
    bert.replies("try C-N2; if no E-N1", to=bert.last_about(game))
    exchange = anna.replies("L-S2", to=anna.last_about(game))
    assert "Your draw offer has lapsed with the move of Bert." in said(to(anna, exchange))


@pytest.mark.parametrize(
    ("lines", "mine", "theirs"),
    [
        (("draw", "cancel"), ["taken back your draw offer"], []),
        (("draw", "cancel", "draw"), ["You have offered a draw"], ["Anna offers a draw"]),
        (("draw", "agree white", "agree none"), ["to give game 1 up without a result"], ["without a result"]),
        (("draw", "agree none", "cancel", "agree white"), ["that White has won"], ["that White has won"]),
        (("try L-S1", "cancel"), ["taken back your plan"], []),
    ],
)
def test_of_what_a_letter_proposes_and_takes_back_only_what_stands_at_its_end_is_told(
    club: Club, lines: tuple[str, ...], mine: list[str], theirs: list[str]
) -> None:
    anna, bert, game = begun(club)
    exchange = anna.replies(*lines, to=anna.last_about(game))
    answer = to(anna, exchange)
    told = [letter for letter in exchange.sent if letter.recipient == bert.address]
    assert all(each in said(answer) for each in mine)
    assert [each in said(letter) for letter in told for each in theirs] == [True] * len(theirs)
    both = said(answer) + " ".join(map(said, told))
    heads = (
        "You have offered",
        "You have proposed",
        "offers a draw",
        "Anna proposes",
        "has taken",
        "Your plan for",
    )
    assert sum(head in both for head in heads) == len(theirs) * 2


def test_an_offer_that_stood_before_is_told_to_be_taken_back_once(club: Club) -> None:
    anna, bert, game = begun(club)
    anna.replies("draw", to=anna.last_about(game))
    exchange = anna.replies("agree none", "cancel", to=anna.last_about(game))
    assert club.game(game).offer is None
    assert said(to(bert, exchange)).count("Anna has taken the draw offer back") == 1
    assert "without a result" not in said(to(bert, exchange))


@pytest.mark.parametrize("question", ["bye", "set second anna2@example.net", "held"])
def test_a_bare_word_that_may_answer_several_questions_answers_none(club: Club, question: str) -> None:
    anna, _, game = begun(club)
    anna.replies("resign", "or shall I?", to=anna.last_about(game))
    asked = anna.last_about(game)
    if question == "held":
        anna.writes("set reports text", vouched=False)
    else:
        anna.writes(question)
    refused = anna.writes("confirm").only
    assert "you were asked more than this lately; please answer the letter that asks" in said(refused)
    assert f"Did you mean confirm {game}?" in said(refused)
    assert club.game(game).status == "playing"
    anna.replies("confirm", to=asked)
    assert club.game(game).status == "ended"


def test_a_bare_word_that_answers_no_question_about_a_game_is_told_where_it_counts(club: Club) -> None:
    anna, _, game = begun(club)
    anna.writes("bye")
    answer = said(anna.writes("confirm").only)
    assert '"confirm" counts only as a reply to the letter that asks for it; nothing was confirmed' in answer
    assert club.game(game).status == "playing"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("L-F2", "L-S2"),
        ("L F2", "L-S2"),
        ("preview L-F2", "preview L-S2"),
        ("try L-F2; if no L-B1", "try L-S2; if no L-N1"),
    ],
)
def test_a_held_letter_by_the_own_compass_is_shown_as_it_would_be_understood(
    club: Club, line: str, shown: str
) -> None:
    anna, _, game = begun(club)
    anna.writes("set compass own")
    question = anna.replies(line, to=anna.last_about(game), vouched=False).only
    assert f"It says: {shown}." in said(question)
