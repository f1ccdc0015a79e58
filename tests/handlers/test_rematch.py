"""The same two once more: `rematch`; and a challenge answered with other terms."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.handlers.stale_offers import MOST_ROUNDS
from referee.rulebooks.rulebook import Seat
from tests.support.playing import Club, Correspondent, Delivered, Exchange, once


def to(who: Correspondent, exchange: Exchange) -> Delivered:
    (letter,) = (letter for letter in exchange.sent if letter.recipient == who.address)
    return letter


def flat(letter: Delivered) -> str:
    return " ".join(letter.text.split())


@once
def played(club: Club, *options: str) -> tuple[Correspondent, Correspondent, int]:
    """Two players whose game is over; White comes first."""
    anna, bert = club.member("Anna"), club.member("Bert")
    agreed = " ".join(f"option {each}" for each in ("colour=white", *options))
    anna.writes(f"challenge Bert confusion {agreed}")
    bert.replies("accept")
    anna.replies("resign", to=anna.last_about(1))
    return anna, bert, 1


# Once more


@pytest.mark.telling
def test_a_rematch_has_the_same_options_and_the_colours_exchanged(club: Club) -> None:
    anna, bert, _ = played(club, "sheets=off", "first=white", "press=off")
    before = club.game(1)
    exchange = anna.replies("rematch")
    offer = to(bert, exchange)
    assert offer.kind == "invitation"
    assert "Anna wants a rematch of game 1, with the colours exchanged." in offer.text
    assert "you play White" in flat(offer)
    assert "you play Yellow" in flat(to(anna, exchange))
    bert.replies("accept", to=offer)
    after = club.game(2)
    assert (after.status, dict(after.options)) == ("playing", dict(before.options))
    white, yellow = Seat("white"), Seat("yellow")
    assert dict(after.seats) == {white: before.seats[yellow], yellow: before.seats[white]}
    assert after.secret != before.secret


def test_who_answers_a_wish_for_a_rematch_with_the_same_wish_accepts_it(club: Club) -> None:
    anna, bert, game = played(club)
    anna.replies("rematch")
    bert.replies("rematch", to=bert.last_about(game))
    assert club.game(2).status == "playing"


def test_the_last_game_that_is_over_is_meant_where_none_is_named(club: Club) -> None:
    anna, bert, _ = played(club)
    offer = to(bert, anna.writes("rematch", subject="Once more?"))
    assert "rematch of game 1" in offer.text


def test_a_rematch_is_declined_and_taken_back_like_a_challenge(club: Club) -> None:
    anna, bert, game = played(club)
    offer = to(bert, anna.replies("rematch"))
    assert "Bert has declined" in to(anna, bert.replies("decline", to=offer)).text
    second = to(bert, anna.replies("rematch", to=anna.last_about(game)))
    assert "taken back" in to(bert, anna.writes("cancel 3")).text
    assert "taken back" in bert.replies("accept", to=second).only.text


def test_it_waits_only_once_between_the_two(club: Club) -> None:
    anna, bert, game = played(club)
    anna.replies("rematch")
    again = anna.replies("rematch", to=anna.last_about(game))
    assert [letter.recipient for letter in again.sent] == [anna.address]
    assert "still waits for its answer: game 2" in flat(again.only)
    anna.writes("cancel 2")
    bert.writes("challenge Anna confusion option sheets=off")
    offered = anna.replies("rematch", to=anna.last_about(game)).only
    assert "offered to you already by the same player: game 3. Did you mean accept 3?" in flat(offered)


def test_an_offer_of_which_the_other_player_hears_nothing_is_not_said_to_be_made(club: Club) -> None:
    anna, bert, game = played(club)
    anna.replies("rematch")
    anna.writes("cancel 2")
    again = anna.replies("rematch", to=anna.last_about(game)).only
    assert "Bert has had enough such letters for today, and this one was not written" in flat(again)
    assert "You have no games." in anna.writes("games").only.text
    club.later(timedelta(days=1))
    assert to(bert, anna.replies("rematch", to=anna.last_about(game))).kind == "invitation"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rematch 1", "game 1 is not over yet"),
        ("rematch 2", "game 2 was never played"),
        ("rematch 9", "you do not sit in game 9"),
    ],
)
def test_what_cannot_be_played_once_more_is_refused_with_the_reason(club: Club, line: str, said: str) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    anna.writes("challenge Bert confusion")
    bert.writes("decline 2")
    refused = anna.writes(line).only
    assert refused.kind == "refusal"
    assert said in flat(refused)


def test_the_game_that_may_have_been_meant_is_named(club: Club) -> None:
    anna, bert, _ = played(club)
    assert "you have no game that is over" in flat(club.member("Carl").writes("rematch").only)
    second = club.starts({"white": anna, "yellow": bert})
    refused = anna.replies("rematch", to=anna.last_about(second)).only
    assert "game 2 is not over yet. Did you mean rematch 1?" in flat(refused)


def test_there_is_no_rematch_with_whoever_has_left(club: Club) -> None:
    anna, bert, game = played(club)
    bert.writes("bye")
    bert.replies("confirm")
    refused = anna.replies("rematch", to=anna.last_about(game)).only
    assert "nobody sits on the other side of game 1 any more" in flat(refused)


def test_a_rematch_counts_as_a_challenge_of_the_day(club: Club) -> None:
    anna, bert, game = played(club)
    for number in range(9):
        anna.writes(f"challenge v{number}@example.edu confusion", f"cancel {number + 2}")
    refused = anna.replies("rematch", to=anna.last_about(game)).only
    assert "10 challenges within a day" in flat(refused)
    club.later(timedelta(days=1))
    assert to(bert, anna.replies("rematch", to=anna.last_about(game))).kind == "invitation"


# On other terms


@once
def challenged(club: Club, *options: str) -> tuple[Correspondent, Correspondent]:
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion" + "".join(f" option {each}" for each in options))
    return anna, bert


@pytest.mark.telling
def test_other_terms_turn_the_proposal_round(club: Club) -> None:
    anna, bert = challenged(club, "sheets=off", "colour=white")
    exchange = bert.replies("accept option colour=white option first=yellow")
    asked, answer = to(anna, exchange), to(bert, exchange)
    assert (asked.kind, answer.kind) == ("invitation", "receipt")
    assert asked["Subject"] == "Re: [game 1] [other terms] Confusion 1: Anna - Bert"
    assert "[other terms]" in answer["Subject"]
    assert "Bert would play game 1 on other terms." in asked.text
    assert "The terms: Bert plays White, Yellow begins, press" in flat(asked)
    assert flat(asked).count("no deduction sheets") == 1
    assert club.game(1).status == "proposed"
    refused = bert.replies("accept", to=bert.last_about(1)).only
    assert "the proposal is your own" in refused.text
    anna.replies("accept", to=asked)
    game = club.game(1)
    assert game.options == {"sheets": "off", "first": "yellow"}
    assert game.seats == {"white": 2, "yellow": 1}


def test_what_is_not_named_stays_as_it_was_proposed(club: Club) -> None:
    anna, bert = challenged(club, "colour=yellow", "sheets=off")
    anna.replies("accept", to=to(anna, bert.replies("accept option first=white")))
    game = club.game(1)
    assert game.options == {"sheets": "off", "first": "white"}
    assert game.seats == {"white": 2, "yellow": 1}, "Anna wanted Yellow, and nobody has said otherwise"


def test_the_terms_proposed_named_once_more_accept_the_game(club: Club) -> None:
    _, bert = challenged(club, "sheets=off", "colour=white")
    bert.replies("accept option sheets=off option colour=yellow")
    assert club.game(1).status == "playing"


@pytest.mark.telling
def test_terms_are_declined_and_taken_back(club: Club) -> None:
    anna, bert = challenged(club)
    asked = to(anna, bert.replies("accept option first=white"))
    declined = anna.replies("decline", to=asked)
    assert "Anna has declined" in to(bert, declined).text
    anna.writes("challenge Bert confusion")
    bert.replies("accept option first=white")
    withdrawn = bert.writes("cancel 2")
    assert "Bert has taken back" in to(anna, withdrawn).text
    assert club.game(2).status == "withdrawn"


def test_terms_that_cannot_be_played_change_nothing(club: Club) -> None:
    anna, bert = challenged(club)
    for terms, said in (
        ("colour=green", "there is no seat green"),
        ("deal=A1", "only an umpire may set it"),
        ("sheets=maybe", "sheets is on or off, not maybe"),
        ("press=never", "press is named, anonymous, off, not never"),
    ):
        exchange = bert.replies(f"accept option {terms}", to=bert.letters[-1])
        assert said in flat(exchange.only)
    assert club.game(1).proposed_to == 2
    assert anna.letters[-1].kind == "receipt"


def test_terms_are_answered_with_terms_only_so_often(club: Club) -> None:
    anna, bert = challenged(club)
    for number in range(MOST_ROUNDS):
        writer = (bert, anna)[number % 2]
        exchange = writer.writes(f"accept 1 option first={('white', 'yellow')[number % 2]}")
        assert exchange.settled is not None and exchange.settled.outcome == "answered"
        assert club.game(1).rounds == number + 1
    assert "can only be accepted or declined" in flat(bert.letters[-1])
    refused = bert.writes("accept 1 option first=white").only
    assert "answered with others 10 times; accept it as it stands, or decline" in flat(refused)
    bert.replies("accept 1")
    assert club.game(1).status == "playing"


UNREAD = (
    "the terms of game 1 are not those of the letter that you answer; nothing was done, and here they are"
)


@pytest.mark.parametrize("line", ["accept", "accept 1", "accept 1 option sheets=off"])
def test_terms_that_crossed_with_an_answer_are_shown_and_not_taken_up(club: Club, line: str) -> None:
    anna, bert = challenged(club, "colour=white")
    invitation = bert.last
    bert.replies("accept option sheets=off", to=invitation)
    anna.replies("accept option watchers=on option colour=yellow", to=anna.last)
    refused = bert.replies(line, to=invitation).only
    assert (refused.kind, club.game(1).status) == ("refusal", "proposed")
    assert UNREAD in flat(refused)
    for term in ("no deduction sheets", "others may watch", "Anna plays Yellow"):
        assert term in flat(refused)
    bert.replies("accept", to=refused)
    assert club.game(1).status == "playing"


def test_the_challenger_takes_up_no_terms_that_he_has_not_read(club: Club) -> None:
    anna, bert = challenged(club)
    challenge = anna.last
    bert.replies("accept option watchers=on")
    for answer in (anna.replies("accept", to=challenge), anna.writes("accept"), anna.writes("accept 1")):
        assert UNREAD in flat(answer.only)
        assert club.game(1).status == "proposed"
    anna.replies("accept")
    assert club.game(1).status == "playing"


def test_terms_that_are_all_named_are_taken_up_by_any_letter(club: Club) -> None:
    """As a program needs it that does not say which letter it answers."""
    anna, bert = challenged(club, "colour=white", "sheets=off")
    bert.replies("accept option watchers=on")
    refused = anna.writes("accept 1").only
    line = "accept 1 option sheets=off option watchers=on option colour=white"
    assert f"Did you mean {line}?" in flat(refused)
    anna.writes("accept 1 option sheets=off option watchers=on")
    assert club.game(1).status == "proposed", "which colour, she has not said"
    anna.writes(line)
    assert club.game(1).status == "playing"


def test_a_lot_that_is_named_is_among_the_terms(club: Club) -> None:
    _, bert = challenged(club, "colour=white", "first=white")
    bert.replies("accept option colour=lot option first=lot")
    game = club.game(1)
    assert (game.status, game.colour, dict(game.options)) == ("proposed", None, {})


def test_a_rematch_on_terms_that_were_not_read_is_no_answer_to_them(club: Club) -> None:
    anna, bert, game = played(club)
    result = anna.last_about(game)
    anna.replies("rematch", to=result)
    bert.replies("accept option watchers=on", to=bert.last)
    refused = anna.replies("rematch", to=result).only
    assert UNREAD.replace("game 1", "game 2") in flat(refused)
    assert club.game(2).status == "proposed"
    anna.replies("rematch 1", to=refused)
    assert club.game(2).status == "playing"


def test_a_stranger_takes_up_no_terms_that_he_has_not_read(club: Club) -> None:
    anna, nemo = club.member("Anna"), club.person("Nemo")
    anna.writes(f"challenge {nemo.address} confusion")
    invitation = nemo.last
    nemo.replies("accept option first=white", to=invitation)
    anna.replies("accept option watchers=on", to=anna.last)
    assert UNREAD in flat(nemo.replies("accept", to=invitation).only)
    assert club.game(1).status == "proposed"
    nemo.replies("accept", to=nemo.last)
    assert club.game(1).status == "playing"


def test_a_held_answer_takes_up_nothing_that_came_meanwhile(club: Club) -> None:
    anna, bert = challenged(club)
    question = to(bert, bert.writes("accept", vouched=False))
    anna.writes("cancel 1")
    anna.writes("challenge Bert confusion option watchers=on")
    refused = bert.replies("confirm", to=question).only
    assert UNREAD.replace("game 1", "game 2") in flat(refused)
    assert club.game(2).status == "proposed"
    bert.replies("accept", to=refused)
    assert club.game(2).status == "playing"


def test_an_answer_that_was_held_takes_up_what_it_answered(club: Club) -> None:
    _, bert = challenged(club)
    question = to(bert, bert.replies("accept", vouched=False))
    bert.replies("confirm", to=question)
    assert club.game(1).status == "playing"


def test_an_open_game_is_taken_as_it_is(club: Club) -> None:
    """Else anybody could take it off the list by terms that nobody wants."""
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("open confusion option sheets=off")
    refused = bert.writes("accept 1 option first=white").only
    assert "Did you mean challenge Anna confusion option first=white?" in flat(refused)
    assert club.game(1).proposed_to is None
    bert.writes("join 1")
    assert club.game(1).status == "playing"


def test_the_second_who_answers_an_open_game_is_told_that_it_is_taken(club: Club) -> None:
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    anna.writes("open confusion")
    bert.writes("join 1")
    for line in ("join 1", "accept 1"):
        refused = carl.writes(line).only
        assert refused.kind == "refusal"
        assert "game 1 was open to all, and somebody else was first" in flat(refused)


@pytest.mark.telling
def test_nobody_plays_with_himself(club: Club) -> None:
    anna = club.member("Anna")
    for line in ("challenge Anna confusion", f"challenge {anna.address} confusion"):
        assert "you cannot challenge yourself" in flat(anna.writes(line).only)
    anna.writes("open confusion")
    for line in ("join 1", "accept 1", "accept 1 option first=white"):
        assert "the proposal is your own" in flat(anna.writes(line).only)


def test_one_who_was_invited_by_address_is_named_when_he_answers_with_terms(club: Club) -> None:
    """As when he accepts: he has made up his mind to play."""
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes(f"challenge {bert.address} confusion")
    asked = to(anna, bert.replies("accept option first=white"))
    assert asked.text.startswith("Bert would play game 1 on other terms.")


@pytest.mark.telling
def test_a_newcomer_answers_with_terms_of_his_own(club: Club) -> None:
    anna, nemo = club.member("Anna"), club.person("Nemo")
    anna.writes(f"challenge {nemo.address} confusion")
    asked = to(anna, nemo.replies("accept option first=white"))
    assert asked.text.startswith(f"{nemo.address} would play game 1 on other terms.")
    anna.replies("accept", to=asked)
    assert club.game(1).status == "playing"
