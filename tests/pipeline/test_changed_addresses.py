"""An answer from an address that the desk does not know, with the right tag: so writes whoever has changed the address
of an account. It becomes theirs only with proof that they read the old one, and nobody else takes a seat so."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.handlers.addresses import MOST_ASKED_A_DAY
from referee.pipeline.held import MOST_TOLD_A_DAY
from tests.support.begun import begun, said
from tests.support.playing import Club, Correspondent, Delivered, Exchange

pytestmark = pytest.mark.telling

NEW = "anna.new@gmail.com"


def question(
    club: Club, there: Correspondent, anna: Correspondent, game: int, *, vouched: bool = True
) -> Delivered:
    """Let a move come from another address to Anna's reply address; return what she is asked."""
    held = there.replies("L-S2", to=anna.last_about(game), vouched=vouched)
    assert held.settled and held.settled.outcome == "held"
    return held.only


def address(club: Club) -> str:
    with club.store.reading() as lookup:
        return lookup.players.find(1).address


def told(exchange: Exchange, who: Correspondent) -> list[Delivered]:
    return [letter for letter in exchange.sent if letter.recipient == who.address]


@pytest.mark.parametrize("from_old", [False, True])
def test_whoever_answers_from_the_new_address_what_came_to_the_old_one_is_offered_to_have_letters_there(
    club: Club, from_old: bool
) -> None:
    anna, bert, game = begun(club)
    there = club.person("Anna", NEW)
    asked = question(club, there, anna, game)
    assert asked.recipient == anna.address and "answer from the new one" in said(asked)
    offered = there.replies("confirm", to=asked).only
    assert (offered.recipient, offered.kind) == (anna.address, "notice")
    assert f"Is {NEW} your new address?" in said(offered)
    assert address(club) == anna.address and club.game(game).due.keys() == {"white"}, "nothing is done yet"
    answer = (anna if from_old else there).replies("confirm", to=offered)
    assert address(club) == NEW
    assert "Your letters come to anna.new@gmail.com" in said(told(answer, there)[0])
    assert "reply within 7 days" in said(told(answer, anna)[0])
    assert told(answer, bert) == [] and club.game(game).due.keys() == {"white"}
    assert "Nothing is left to be confirmed" in said(there.replies("confirm", to=asked).only)
    there.replies("L-S2", to=anna.last_about(game))
    assert club.game(game).due.keys() == {"yellow"}, "what is written from there is Anna's"


def test_the_old_address_takes_it_back(club: Club) -> None:
    anna, _, game = begun(club)
    there = club.person("Anna", NEW)
    offered = there.replies("confirm", to=question(club, there, anna, game)).only
    warned = told(there.replies("confirm", to=offered), anna)[0]
    anna.replies("cancel", to=warned)
    assert address(club) == anna.address
    there.replies("L-S2", to=anna.last_about(game))
    assert club.game(game).due.keys() == {"white"}


# Nobody takes a seat without proof


def test_without_the_question_nothing_is_offered_however_many_letters_come(club: Club) -> None:
    """Otto has a letter of Anna's that was forwarded, and its tag."""
    anna, _, game = begun(club)
    otto, seen = club.person("Otto", "otto@elsewhere.example"), anna.last_about(game)
    for line in ("L-S2", "confirm", f"set address {otto.address}", "confirm 1"):
        otto.replies(line, to=seen)
    assert all("not know your address" in said(each) for each in otto.letters)
    assert not any("new address?" in said(each) for each in anna.letters)
    assert address(club) == anna.address


def test_a_question_that_was_passed_on_gives_nothing_away(club: Club) -> None:
    """Given that Anna has forwarded the question, when Otto answers it, then she is told whose address that is, at her
    own, and without that second letter he gets no further."""
    anna, _, game = begun(club)
    otto = club.person("Otto", "otto@elsewhere.example")
    asked = question(club, otto, anna, game)
    for _ in range(3):
        sent = otto.replies("confirm", to=asked).sent
        assert all(letter.recipient == anna.address for letter in sent)
    assert sum("new address?" in said(each) for each in anna.letters) == 1, "it is offered once a week"
    assert otto.letters == []
    assert address(club) == anna.address and club.game(game).due.keys() == {"white"}


@pytest.mark.parametrize("who", ["forged", "another", "unvouched held"])
def test_it_is_offered_only_where_it_is_certain_that_both_letters_came_from_there(
    club: Club, who: str
) -> None:
    anna, _, game = begun(club)
    there, other = club.person("Anna", NEW), club.person("Otto", "otto@elsewhere.example")
    asked = question(club, there, anna, game, vouched=who != "unvouched held")
    if who == "forged":
        sent = there.replies("confirm", to=asked, vouched=False).sent
    else:
        sent = other.replies("confirm", to=asked).sent
    assert all(letter.recipient == anna.address for letter in sent)
    assert not any("new address?" in said(letter) for letter in sent)


@pytest.mark.parametrize("vouched", [True, False])
def test_the_offer_takes_the_word_from_one_of_the_two_addresses_that_somebody_vouches_for(
    club: Club, vouched: bool
) -> None:
    anna, _, game = begun(club)
    there, otto = club.person("Anna", NEW), club.person("Otto", "otto@elsewhere.example")
    offered = there.replies("confirm", to=question(club, there, anna, game)).only
    otto.replies("confirm", to=offered, vouched=vouched)
    assert address(club) == anna.address
    if not vouched:
        there.replies("confirm", to=offered, vouched=False)
        anna.replies("confirm", to=offered, vouched=False)
        assert address(club) == anna.address
    there.replies("What is this?", to=offered)
    assert address(club) == anna.address
    club.later(timedelta(days=8))
    there.replies("confirm", to=offered)
    assert address(club) == anna.address, "after a week it is too late"


def test_an_address_of_another_player_is_not_offered(club: Club) -> None:
    anna, _, game = begun(club)
    carl = club.member("Carl")
    held = carl.replies("L-S2", to=anna.last_about(game))
    (asked,) = told(held, anna)
    sent = carl.replies("confirm", to=asked).sent
    assert not any("new address?" in said(letter) for letter in (*sent, *anna.letters))
    assert address(club) == anna.address


def test_an_address_that_was_asked_for_by_the_player_is_not_pushed_aside(club: Club) -> None:
    anna, _, game = begun(club)
    mine, otto = club.person("Anna", "anna@mine.example"), club.person("Otto", "otto@elsewhere.example")
    anna.writes(f"set address {mine.address}")
    sent = otto.replies("confirm", to=question(club, otto, anna, game)).sent
    assert not any("new address?" in said(letter) for letter in sent)
    mine.replies("confirm")
    assert address(club) == mine.address


def test_what_is_told_is_bounded(club: Club) -> None:
    anna, _, game = begun(club)
    otto = club.person("Otto", "otto@elsewhere.example")
    asked = question(club, otto, anna, game)
    had = len(anna.letters)
    for _ in range(MOST_TOLD_A_DAY + MOST_ASKED_A_DAY + 3):
        otto.replies("confirm", to=asked)
    assert len(anna.letters) - had == MOST_TOLD_A_DAY
