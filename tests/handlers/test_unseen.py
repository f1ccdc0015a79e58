"""A reply that shows that its writer has not seen our last letters gets them again, each once."""

from __future__ import annotations

import pytest
from sqlalchemy import create_engine, delete, select

from referee.store.tables import OUTGOING, OUTGOING_CONTENTS
from tests.support.playing import Club, Correspondent, Delivered, Exchange
from tests.support.telling import telling

ONCE_MORE = "In case you have not seen"


def playing(club: Club) -> tuple[Correspondent, Correspondent, int]:
    game = club.begins(begin)
    return club.reader("anna@example.net"), club.reader("bert@example.net"), game


def begin(club: Club) -> int:
    return club.starts({"white": club.member("Anna"), "yellow": club.member("Bert")})


def about(who: Correspondent, game: int, number: int) -> Delivered:
    """Return the first letter with a number that somebody had about a game."""
    return next(each for each in who.letters if each.game == game and each.number == number)


def got(exchange: Exchange, who: Correspondent) -> list[tuple[int, str]]:
    """Return what somebody got by an exchange: numbers and kinds, in their order."""
    return [(each.number, each.kind) for each in exchange.sent if each.recipient == who.address]


def write_sixteen_letters(anna: Correspondent, bert: Correspondent) -> None:
    """Play until Anna has had sixteen letters about the game, all of them reports."""
    for piece in "ACEHKLA":
        anna.replies(f"{piece}-S1")
        bert.replies(f"{piece}-N1")
    anna.replies("C-S1")
    assert anna.last.number == 16


def body(letter: Delivered) -> bytes:
    return letter.content.partition(b"\r\n\r\n")[2]


def test_a_move_that_comes_too_late_for_an_older_letter_brings_the_newer_ones_again(club: Club) -> None:
    """Anna has the report of her first move before her, and not what Bert has tried since."""
    anna, bert, game = playing(club)
    anna.replies("A-S1")
    first = anna.last
    bert.replies("A-N1")
    anna.replies("C-S1", to=first)
    bert.replies("C-N1")
    anna.replies("E-S1")
    exchange = anna.replies("E-S2", to=first)
    assert got(exchange, anna) == [(3, "report"), (4, "report"), (5, "report"), (6, "report"), (7, "refusal")]
    assert all(body(each) == body(about(anna, game, each.number)) for each in exchange.sent[:-1])
    assert exchange.sent[0]["In-Reply-To"] == exchange.sent[-1]["In-Reply-To"]
    assert f"{ONCE_MORE} them, letters 3, 4, 5 and 6 come once more." in anna.last.text
    assert got(exchange, bert) == []


def test_a_move_that_a_newer_position_refuses_does_so_too(club: Club) -> None:
    anna, bert, game = playing(club)
    first = anna.last
    anna.replies("A-S1")
    bert.replies("A-N1")
    exchange = anna.replies("Z-N1", to=first)
    assert got(exchange, anna) == [(2, "report"), (3, "report"), (4, "refusal")]
    assert about(anna, game, 4)["Subject"].startswith("Re: [game 1] [not accepted]")


def test_one_letter_is_spoken_of_as_one(club: Club) -> None:
    anna, _, _ = playing(club)
    first = anna.last
    anna.replies("A-S1")
    anna.replies("C-S1", to=first)
    assert f"{ONCE_MORE} it, letter 2 comes once more." in anna.last.text


@pytest.mark.telling
def test_each_is_sent_again_only_once(club: Club) -> None:
    anna, bert, game = playing(club)
    first = anna.last
    anna.replies("A-S1")
    assert got(anna.replies("C-S1", to=first), anna) == [(2, "report"), (3, "refusal")]
    assert got(anna.replies("E-S1", to=first), anna) == [(4, "refusal")]
    assert ONCE_MORE not in anna.last.text
    bert.replies("A-N1")
    anna.replies("C-S1")
    assert got(anna.replies("E-S1", to=first), anna) == [(5, "report"), (6, "report"), (7, "refusal")]
    assert [each.number for each in anna.letters if each.game == game] == [1, 2, 2, 3, 4, 5, 6, 5, 6, 7]


def test_who_answers_the_newest_letter_has_seen_them_all(club: Club) -> None:
    anna, _, _ = playing(club)
    anna.replies("A-S1")
    assert got(anna.replies("C-S1"), anna) == [(3, "refusal")]


def test_a_copy_shows_as_much_as_the_letter_itself(club: Club) -> None:
    anna, _, _ = playing(club)
    anna.replies("A-S1")
    anna.replies("resend")
    assert anna.last.number == 2
    assert got(anna.replies("C-S1"), anna) == [(3, "refusal")]


def test_who_answers_old_letters_and_has_his_moves_taken_gets_nothing_twice(club: Club) -> None:
    anna, bert, _ = playing(club)
    first = anna.last
    for piece in "ACEH":
        assert got(anna.replies(f"{piece}-S1", to=first), anna)[0][1] == "report"
        bert.replies(f"{piece}-N1")
    assert [each.number for each in anna.letters if each.game == 1] == list(range(1, 10))


@pytest.mark.parametrize(
    "slip", telling(["V-NN2", "status", "thank you!"], others=["NE1", "draw", "why B", "resend 40"])
)
def test_what_would_be_refused_at_any_time_shows_nothing(club: Club, slip: str) -> None:
    anna, _, _ = playing(club)
    first = anna.last
    anna.replies("A-S1")
    assert len(got(anna.replies(slip, to=first), anna)) == 1


def test_a_second_move_in_a_letter_whose_first_was_taken_shows_nothing(club: Club) -> None:
    anna, bert, _ = playing(club)
    first = anna.last
    anna.replies("A-S1")
    bert.replies("A-N1")
    assert got(anna.replies("C-S1", "E-S1", to=first), anna) == [(4, "report")]


@pytest.mark.telling
def test_only_news_comes_again(club: Club) -> None:
    """Answers to what he has asked and refusals are not sent again."""
    anna, _, _ = playing(club)
    first = anna.last
    anna.replies("A-S1")
    anna.replies("V-NN2")
    anna.replies("set reports text")
    anna.replies("help")
    exchange = anna.replies("C-S1", to=first)
    assert got(exchange, anna) == [(2, "report"), (anna.last.number, "refusal")]


def test_the_end_and_a_notice_come_again_as_well(club: Club) -> None:
    anna, bert, _ = playing(club)
    first = anna.last
    anna.replies("A-S1")
    bert.replies("draw")
    bert.replies("resign")
    exchange = anna.replies("C-S1", to=first)
    assert [kind for _, kind in got(exchange, anna)] == ["report", "notice", "result", "refusal"]
    assert got(anna.replies("resign", to=first), anna) == [(6, "refusal")]


def test_to_resign_a_game_that_is_over_shows_it_too(club: Club) -> None:
    anna, bert, _ = playing(club)
    first = anna.last
    bert.replies("resign")
    assert got(anna.replies("resign", to=first), anna) == [(2, "result"), (3, "refusal")]


@pytest.mark.slow
def test_the_newest_ten_come_and_the_older_ones_stay(club: Club) -> None:
    anna, bert, game = playing(club)
    first = anna.last
    write_sixteen_letters(anna, bert)
    exchange = anna.replies("P-S1", to=first)
    assert got(exchange, anna) == [*((number, "report") for number in range(7, 17)), (17, "refusal")]
    assert got(anna.replies("P-S1", to=about(anna, game, 2)), anna) == [(18, "refusal")]


@pytest.mark.slow
def test_what_was_asked_for_counts_among_the_ten_and_comes_once(club: Club) -> None:
    anna, bert, _ = playing(club)
    first = anna.last
    write_sixteen_letters(anna, bert)
    asked = [f"resend {number}" for number in (16, 2, 3, 4, 5)]
    numbers = [number for number, _ in got(anna.replies("P-S1", *asked, to=first), anna)]
    assert numbers == [16, 2, 3, 4, 5, 11, 12, 13, 14, 15, 17]


@pytest.mark.slow
def test_ten_that_were_asked_for_leave_room_for_no_other(club: Club) -> None:
    anna, bert, _ = playing(club)
    first = anna.last
    write_sixteen_letters(anna, bert)
    asked = [f"resend {number}" for number in range(1, 11)]
    assert [number for number, _ in got(anna.replies("P-S1", *asked, to=first), anna)] == [*range(1, 11), 17]
    assert ONCE_MORE not in anna.last.text
    assert len(got(anna.replies("P-S1", to=first), anna)) == 11


def test_a_line_about_another_game_shows_nothing_of_that_one(club: Club) -> None:
    anna, bert, first = playing(club)
    second = club.starts({"white": anna, "yellow": bert})
    anna.replies("A-S1", to=about(anna, second, 1))
    old = about(anna, first, 1)
    exchange = anna.replies(f"{second}: C-S1", to=old)
    assert [(each.game, each.kind) for each in exchange.sent] == [(second, "refusal")]
    anna.replies("A-S1", to=old)
    exchange = anna.replies("C-S1", f"{second}: C-S1", to=old)
    assert [(each.game, each.number) for each in exchange.sent] == [(first, 2), (first, 3)]
    assert f"{ONCE_MORE} it, letter 2 comes once more." in anna.last.text


def test_the_letters_of_each_game_are_looked_at_by_themselves(club: Club) -> None:
    anna, bert, first = playing(club)
    second = club.starts({"white": anna, "yellow": bert})
    for game in (first, second):
        anna.replies("A-S1", to=about(anna, game, 1))
    for game in (first, second):
        exchange = anna.replies("C-S1", to=about(anna, game, 1))
        assert [(each.game, each.number) for each in exchange.sent] == [(game, 2), (game, 3)]


@pytest.mark.telling
def test_letters_that_cross_on_the_way(club: Club) -> None:
    """Both resign a long game at once: the second learns from the letters that come again why his was late."""
    anna, bert, game = playing(club)
    anna.replies("A-S1")
    before_anna, before_bert = about(anna, game, 2), about(bert, game, 2)
    bert.replies("resign", to=before_bert)
    exchange = anna.replies("resign", to=before_anna)
    assert got(exchange, anna) == [(3, "result"), (4, "refusal")]
    assert "game 1 is over" in anna.last.text
    assert got(exchange, bert) == []


def test_an_answer_to_somebody_elses_letter_shows_nothing(club: Club) -> None:
    """His opponent has forwarded him his own letter."""
    anna, bert, game = playing(club)
    anna.replies("A-S1")
    forwarded = about(bert, game, 1)
    exchange = anna.replies("C-S1", to=forwarded, address=about(anna, game, 1)["Reply-To"])
    assert got(exchange, anna) == [(3, "refusal")]


def test_a_letter_without_a_thread_shows_nothing(club: Club) -> None:
    anna, _, _ = playing(club)
    anna.replies("A-S1")
    assert got(anna.writes("C-S1"), anna) == [(3, "refusal")]


@pytest.mark.parametrize("meanwhile", ["A-N1", "resign"])
def test_a_letter_that_was_held_was_written_before_the_game_went_on(club: Club, meanwhile: str) -> None:
    anna, bert, game = playing(club)
    anna.replies("A-S1")
    bert.replies("C-N1")
    anna.replies("C-S1")
    anna.replies("E-S1", to=anna.last_about(game), vouched=False)
    asked = anna.last
    assert asked.kind == "notice"
    bert.replies(meanwhile)
    exchange = anna.replies("confirm", to=asked)
    assert [each.kind for each in exchange.sent if each.game == game] == ["refusal"]


def test_what_is_not_kept_any_more_is_left_out(club: Club) -> None:
    anna, bert, _ = playing(club)
    first = anna.last
    anna.replies("A-S1")
    bert.replies("A-N1")
    anna.replies("C-S1")
    erased = select(OUTGOING.c.id).where(OUTGOING.c.player == 1, OUTGOING.c.number == 3)
    engine = create_engine(club.url)
    with engine.begin() as connection:
        connection.execute(delete(OUTGOING_CONTENTS).where(OUTGOING_CONTENTS.c.id.in_(erased)))
    engine.dispose()
    exchange = anna.replies("E-S1", to=first)
    assert got(exchange, anna) == [(2, "report"), (4, "report"), (5, "refusal")]
    assert f"{ONCE_MORE} them, letters 2 and 4 come once more." in anna.last.text


@pytest.mark.parametrize("said", ["A-S1", "draw"])
def test_a_frozen_game_tells_once_more_that_it_is(club: Club, said: str) -> None:
    anna, _, game = playing(club)
    first = anna.last
    club.referee.umpire.freeze(game, "A ruling is checked.")
    club.collect()
    assert got(anna.replies(said, to=first), anna) == [(2, "notice"), (3, "refusal")]
