"""The word `resend`: a letter comes once more, the same in all but its sending."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

import pytest

from tests.support.playing import Club, Correspondent, Delivered

ITS_OWN = ("To", "Date", "Message-ID", "In-Reply-To", "Auto-Submitted")


def playing(club: Club) -> tuple[Correspondent, Correspondent, int]:
    game = club.begins(begin)
    return club.reader("anna@example.net"), club.reader("bert@example.net"), game


def begin(club: Club) -> int:
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert})
    anna.replies("A-S1")
    bert.replies("A-N1")
    return game


def about(who: Correspondent, game: int, number: int) -> Delivered:
    """Return the first letter with a number that somebody had about a game."""
    return next(each for each in who.letters if each.game == game and each.number == number)


def body(letter: Delivered) -> bytes:
    return letter.content.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize(
    ("said", "number"), [("resend", 3), ("resend 2", 2), ("Resend 1.", 1), ("resend #2", 2)]
)
def test_a_letter_is_sent_again_with_its_number_and_a_message_id_of_its_own(
    club: Club, said: str, number: int
) -> None:
    anna, _, game = playing(club)
    first = about(anna, game, number)
    exchange = anna.replies(said)
    copy = exchange.only
    assert copy.recipient == anna.address
    assert (copy.number, copy.game, copy.kind) == (number, game, first.kind)
    assert body(copy) == body(first)
    assert copy["Message-ID"] != first["Message-ID"]
    assert copy["Auto-Submitted"] == "auto-replied"
    assert parsedate_to_datetime(copy["Date"]) > parsedate_to_datetime(first["Date"])
    others = {name for name, _ in (*first.message.items(), *copy.message.items())} - set(ITS_OWN)
    assert all(copy.message.get_all(name) == first.message.get_all(name) for name in others)
    assert exchange.settled is not None and exchange.settled.outcome == "answered"


def test_a_copy_counts_for_nothing_in_the_numbers(club: Club) -> None:
    anna, bert, game = playing(club)
    anna.replies("resend 1", "resend 2", "resend 1")
    assert [letter.number for letter in anna.letters if letter.game == game] == [1, 2, 3, 1, 2]
    anna.replies("resend 2")
    anna.replies("A-S1")
    assert anna.last.number == 4
    ids = [letter["Message-ID"] for letter in (*anna.letters, *bert.letters)]
    assert len(ids) == len(set(ids))


def test_a_copy_comes_beside_the_answer_where_more_was_asked(club: Club) -> None:
    anna, _, game = playing(club)
    exchange = anna.replies("A-S1", "resend 1")
    mine = [letter for letter in exchange.sent if letter.recipient == anna.address]
    assert sorted((letter.number, letter.kind) for letter in mine) == [(1, "report"), (4, "report")]
    assert about(anna, game, 4).text.startswith("A-S1: ")


def test_what_is_not_there_is_refused_and_told(club: Club) -> None:
    anna, bert, game = playing(club)
    for said, told in (
        ("resend 4", f"there is no letter 4 about game {game}; the newest is 3"),
        ("resend 0", "there is no letter 0 about game"),
        (f"{game + 1}: resend", f"you do not sit in game {game + 1}"),
    ):
        anna.replies(said, to=about(anna, game, 3))
        assert anna.last.kind == "refusal"
        assert told in anna.last.text, anna.last.text
    carl = club.member("Carl")
    other = club.starts({"white": bert, "yellow": carl})
    anna.writes(f"{other}: resend 1")
    assert "you do not sit in game" in anna.last.text


def test_letters_about_no_game_are_sent_again_too(club: Club) -> None:
    anna = club.member("Anna")
    first = anna.last
    anna.writes("resend 1")
    assert (anna.last.number, body(anna.last)) == (1, body(first))
    anna.writes("resend me the rules, please")
    assert anna.last.kind == "help"


def test_one_letter_brings_ten_copies_at_most(club: Club) -> None:
    anna, bert, _ = playing(club)
    for _ in range(5):
        anna.replies("A-S1")
        bert.replies("A-N1")
    exchange = anna.replies(*[f"resend {number}" for number in range(1, 13)])
    copies = [letter for letter in exchange.sent if letter.number <= 12 and letter is not exchange.sent[-1]]
    assert len(copies) == 10
    assert "one letter may ask for 10 letters again" in exchange.sent[-1].text


def test_anothers_letters_are_nobodys_to_ask_for(club: Club) -> None:
    """Both players' letters have numbers; each gets his own."""
    anna, bert, game = playing(club)
    anna.replies("resend 2")
    bert.replies("resend 2")
    assert body(anna.last) == body(about(anna, game, 2))
    assert body(bert.last) == body(about(bert, game, 2))
    assert body(anna.last) != body(bert.last)
