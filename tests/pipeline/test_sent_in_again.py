"""A genuine letter that somebody sends in again, or keeps back: ruled once, or its writer is asked; never lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from sqlalchemy import delete

from referee.pipeline.processor import ProcessingResult
from referee.store.tables import LETTER_CONTENTS
from tests.support.begun import game_of, member
from tests.support.playing import HOST, REFEREE, SERVICE, Club, Correspondent, Exchange, new_database

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


@pytest.fixture
def wendy(club: Club) -> Correspondent:
    return member(club, "Wendy")


@pytest.fixture
def yannick(club: Club) -> Correspondent:
    return member(club, "Yannick", "yannick@example.com")


@pytest.fixture
def game(club: Club, wendy: Correspondent, yannick: Correspondent) -> int:
    return game_of(club, wendy.address, yannick.address)


def take(club: Club, content: bytes) -> ProcessingResult:
    settled = club.take(club.raw(content)).settled
    assert settled is not None
    return settled


def flat(exchange: Exchange) -> str:
    return " ".join(exchange.only.text.split())


def header(content: bytes, name: str, value: str | None) -> bytes:
    """Return a letter with another value of a header, or without it."""
    line = b"" if value is None else f"{name}: {value}\r\n".encode()
    changed, times = re.subn(rb"(?m)^%s: .*\r\n" % name.encode(), lambda _: line, content, count=1)
    assert times == 1, name
    return changed


def above(content: bytes, *lines: str) -> bytes:
    """Return a letter with more headers on top."""
    return "".join(f"{line}\r\n" for line in lines).encode() + content


def dated(content: bytes, when: datetime) -> bytes:
    return header(content, "Date", format_datetime(when))


# What can be changed in a letter whose signature holds


MUTATIONS: Mapping[str, Callable[[bytes, Mapping[str, str]], bytes]] = {
    "as it was": lambda letter, _: letter,
    "another Message-ID": lambda letter, _: header(letter, "Message-ID", "<another@evil.example>"),
    "no Message-ID": lambda letter, _: header(letter, "Message-ID", None),
    "an empty Message-ID": lambda letter, _: header(letter, "Message-ID", ""),
    "a second Message-ID": lambda letter, _: above(letter, "Message-ID: <another@evil.example>"),
    "no thread": lambda letter, _: header(header(letter, "In-Reply-To", None), "References", None),
    "another thread": lambda letter, to: header(letter, "In-Reply-To", to["newest"]),
    "a thread of another game": lambda letter, to: header(letter, "In-Reply-To", to["elsewhere"]),
    "a second In-Reply-To": lambda letter, to: above(letter, f"In-Reply-To: {to['newest']}"),
    "further References": lambda letter, to: header(letter, "References", to["newest"]),
    "a tag of another game": lambda letter, to: header(letter, "To", to["other tag"]),
    "two tags": lambda letter, to: header(letter, "To", f"{to['tag']}, {to['other tag']}"),
    "no tag": lambda letter, _: header(letter, "To", REFEREE),
    "no tag, and another thread": lambda letter, to: header(
        header(letter, "To", REFEREE), "In-Reply-To", to["elsewhere"]
    ),
    "the opponent's tag": lambda letter, to: header(letter, "To", to["opponent's tag"]),
    "another name of the mailbox": lambda letter, to: header(letter, "To", f"Umpire <{to['tag']}>"),
    "a second To": lambda letter, to: above(letter, f"To: {to['other tag']}"),
    "delivered to another tag": lambda letter, to: above(letter, f"Delivered-To: {to['other tag']}"),
    "delivered elsewhere, no tag in To": lambda letter, to: above(
        header(letter, "To", REFEREE), f"Delivered-To: {to['other tag']}"
    ),
    "another game in the subject": lambda letter, _: header(letter, "Subject", "Re: [game 2] Confusion 2"),
    "a second Subject": lambda letter, _: above(letter, "Subject: [game 2]"),
    "a second Date": lambda letter, _: above(letter, "Date: Sat, 28 Nov 2026 20:00:00 +0000"),
    "other blanks in the Date": lambda letter, _: letter.replace(b"Date: ", b"Date:  \t", 1),
    "another way": lambda letter, _: above(letter, "Received: from a by b; Sat, 28 Nov 2026 20:00:00 +0000"),
    "marks of programs": lambda letter, _: above(letter, "X-Mailer: y", "Importance: high", "Sensitivity: x"),
    "another From name": lambda letter, _: letter.replace(b"From: Wendy <", b'From: "W." <', 1),
    "blanks in the text": lambda letter, _: (
        letter.replace(b"\r\n\r\nA-S1", b"\r\n\r\nA-S1 \t", 1) + b"\r\n\r\n"
    ),
    "as flowed text": lambda letter, _: above(letter, "Content-Type: text/plain; format=flowed; delsp=yes"),
    "as markup": lambda letter, _: above(letter, "Content-Type: text/html"),
    "in another encoding": lambda letter, _: above(letter, "Content-Transfer-Encoding: quoted-printable"),
    "in another charset": lambda letter, _: above(letter, "Content-Type: text/plain; charset=utf-7"),
    "as one of several parts": lambda letter, _: above(letter, 'Content-Type: multipart/mixed; boundary=""'),
    "from a list": lambda letter, _: above(letter, "List-Id: <x.example>"),
    "as sent by another": lambda letter, _: above(
        letter, "Sender: anna@example.com", "Reply-To: x@evil.example"
    ),
    "sent on": lambda letter, _: above(letter, "Resent-From: x@evil.example", "Resent-Message-ID: <x@y>"),
}
"""What whoever has a raw copy of a letter can make of it, beginning with what every signature leaves open."""


@pytest.mark.telling(
    name=[
        "as it was",
        "another Message-ID",
        "no Message-ID",
        "a thread of another game",
        "a tag of another game",
        "another game in the subject",
    ]
)
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_letter_that_was_ruled_is_not_ruled_again_whatever_is_changed_in_it(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int, name: str
) -> None:
    """Given that it is Wendy's turn again, in this game and another, when her last letter is sent in once more, then it
    moves nothing in either; she may be asked whether it is new, and nothing else is written to anybody."""
    letter = wendy.reply(wendy.last_about(game), ["A-S1"])
    assert take(club, letter).moves == 1
    yannick.replies("A-N1", to=yannick.last_about(game))
    other = club.starts({"white": wendy, "yellow": yannick})
    to = {
        "newest": wendy.last_about(game)["Message-ID"],
        "elsewhere": wendy.last_about(other)["Message-ID"],
        "tag": wendy.last_about(game)["Reply-To"],
        "other tag": wendy.last_about(other)["Reply-To"],
        "opponent's tag": yannick.last_about(game)["Reply-To"],
    }
    before = club.game(game).happenings, club.game(other).happenings
    for each in (letter, MUTATIONS[name](letter, to)) * 2:
        exchange = club.take(club.raw(each))
        assert exchange.settled is not None and exchange.settled.outcome in ("ignored", "held", "answered")
        assert all(sent.kind in ("notice", "refusal", "help") for sent in exchange.sent)
        assert not exchange.sent or exchange.sent[0].recipient == wendy.address
    assert (club.game(game).happenings, club.game(other).happenings) == before
    assert club.game(game).due.keys() == club.game(other).due.keys() == {"white"}


@pytest.mark.parametrize(
    "name", ["another Message-ID", "no Message-ID", "another thread", "another way", "as markup"]
)
def test_of_a_letter_that_is_certainly_the_same_nobody_is_asked(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int, name: str
) -> None:
    letter = wendy.reply(wendy.last_about(game), ["A-S1"])
    first = take(club, letter)
    yannick.replies("A-N1", to=yannick.last_about(game))
    again = club.take(club.raw(MUTATIONS[name](letter, {"newest": wendy.last_about(game)["Message-ID"]})))
    assert again.settled is not None and again.sent == ()
    assert (again.settled.outcome, again.settled.reason) == (
        "ignored",
        f"the same letter as number {first.number}",
    )


@pytest.mark.parametrize("words", ["draw", "resign", "press Hello!", "try B-S1; if no C-S1", "resend 1"])
def test_what_moves_nothing_is_not_heard_again_either(
    club: Club, wendy: Correspondent, game: int, words: str
) -> None:
    letter = wendy.reply(wendy.last_about(game), [words])
    assert take(club, letter).outcome == "answered"
    again = club.take(club.raw(header(letter, "Message-ID", "<another@evil.example>")))
    assert again.settled is not None and (again.settled.outcome, again.sent) == ("ignored", ())


def test_a_letter_that_was_erased_meanwhile_is_known_again(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    letter = wendy.reply(wendy.last_about(game), ["A-S1"])
    take(club, letter)
    yannick.replies("A-N1", to=yannick.last_about(game))
    with club.store.unit() as unit:
        unit._transaction.connection.execute(delete(LETTER_CONTENTS))
    assert take(club, header(letter, "Message-ID", None)).outcome == "ignored"


def test_a_copy_that_comes_in_before_the_letter_counts_as_the_letter(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    letter = wendy.reply(wendy.last_about(game), ["A-S1"])
    copy = header(letter, "Message-ID", "<another@evil.example>")
    assert [take(club, each).outcome for each in (copy, letter, copy)] == ["ruled", "ignored", "ignored"]
    assert club.game(game).due.keys() == {"yellow"}


def send_with_an_old_date(club: Club, writer: Correspondent, number: int, *moves: str) -> None:
    """Let a clock of a day a move run, and send these moves at once, each in a letter of two days ago."""
    report = writer.last_about(number)
    club.posts()
    club.looks_at_clocks()
    for move in moves:
        club.take(club.raw(dated(writer.reply(report, [move]), club.clock.at - 2 * DAY)))
        assert "Is this new?" in " ".join(writer.last.text.split())


@pytest.mark.parametrize("moves", [["A-S1"], ["A-S1", "C-S1", "E-S1"]])
def test_a_move_with_an_old_date_counts_as_of_its_confirmation(
    club: Club, wendy: Correspondent, yannick: Correspondent, moves: list[str]
) -> None:
    """Else whoever sends all moves at once, with an old date, thinks for days and confirms one (TM-1.2)."""
    club.waits(2 * DAY)
    number = club.starts({"white": wendy, "yellow": yannick}, time="1d/move")
    send_with_an_old_date(club, wendy, number, *moves)
    question = wendy.last
    for _ in range(30):
        club.waits(HOUR)
        club.looks_at_clocks()
    assert club.game(number).status == "ended", "the game does not wait for what would count as of later"
    assert wendy.replies("confirm", to=question).settled.moves == 0  # type: ignore[union-attr]


def test_a_move_with_an_old_date_that_is_confirmed_in_time_counts(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    club.waits(2 * DAY)
    number = club.starts({"white": wendy, "yellow": yannick}, time="1d/move")
    send_with_an_old_date(club, wendy, number, "A-S1")
    club.waits(20 * HOUR)
    club.looks_at_clocks()
    assert wendy.replies("confirm", to=wendy.last).settled.moves == 1  # type: ignore[union-attr]
    assert club.game(number).due.keys() == {"yellow"}


# What a person really sends twice


def test_the_same_move_one_turn_later_counts(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    for _ in range(3):
        assert wendy.replies("A-S1", to=wendy.last_about(game)).settled.moves == 1  # type: ignore[union-attr]
        assert yannick.replies("A-N1", to=yannick.last_about(game)).settled.moves == 1  # type: ignore[union-attr]


def test_a_program_that_answers_within_a_second_makes_the_same_move_again(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    """Given that all happens in one second, when a letter answers what was written since the one like it, it is new."""
    began = club.clock.at
    for nth in range(3):
        for who, move in ((wendy, "A-S1"), (yannick, "A-N1")):
            club.clock.at = began + timedelta(milliseconds=(100 * nth) + (50 if who is yannick else 0))
            answered = who.last_about(game)
            content = who.letter(
                [move], answered["Reply-To"], headers=[f"In-Reply-To: {answered['Message-ID']}"]
            )
            assert take(club, dated(content, began)).moves == 1


def test_the_same_words_in_the_same_second_for_another_game_count_when_they_are_confirmed(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    """Few hosts sign To, so a copy of the letter for one game may be sent in for another."""
    other = club.starts({"white": wendy, "yellow": yannick})
    letter = wendy.letter(["A-S1"], to=wendy.last_about(game)["Reply-To"])
    assert take(club, letter).moves == 1
    held = club.take(club.raw(header(letter, "To", wendy.last_about(other)["Reply-To"])))
    assert held.settled is not None and (held.settled.outcome, held.settled.game) == ("held", other)
    asked = flat(held)
    assert f"Is this new? A letter about game {other} came in your name that may be an old one" in asked
    assert "says the same as a letter of yours that has counted already" in asked
    assert "It says: A-S1." in asked and "DKIM" not in asked
    wendy.replies("confirm", to=held.only)
    assert club.game(other).due.keys() == {"yellow"}


def test_a_letter_without_a_message_id_that_is_handed_over_twice_is_one_letter(
    club: Club, wendy: Correspondent, game: int
) -> None:
    """Each copy has got a Message-ID by a mail host on its way, another place, UIDVALIDITY and time."""
    letter = header(wendy.reply(wendy.last_about(game), ["status"]), "Message-ID", None)
    outcomes = []
    for nth in range(4):
        copy = letter.replace(b"\r\n\r\n", b"\r\nMessage-Id: <%d.4X@mx.example.org>\r\n\r\n" % nth, nth > 0)
        exchange = club.take(club.raw(copy, uid=str(nth), uidvalidity=nth, received=club.clock.at))
        outcomes.append((exchange.settled and exchange.settled.outcome, len(exchange.sent)))
    assert outcomes == [("answered", 1), ("ignored", 0), ("ignored", 0), ("ignored", 0)]


# Letters without a date


def bare(who: Correspondent, to: str, move: str, *headers: str) -> bytes:
    domain = who.address.partition("@")[2]
    lines = [f"Authentication-Results: {HOST}; dmarc=pass header.from={domain}", *headers]
    lines += [f"From: {who.address}", f"To: {to}", "", move, ""]
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize(
    ("first", "then", "outcome"),
    [
        ((), (), "held"),
        (("Message-ID: <1@x>",), ("Message-ID: <1@x>",), "ignored"),
        (("Message-ID: <1@x>",), ("Message-ID: <2@x>",), "held"),
        (("Message-ID: <1@x>",), (), "held"),
        (("Date: some day", "Message-ID: <1@x>"), ("Date: some day", "Message-ID: <2@x>"), "held"),
        (("Date: some day",), ("Date: another day",), "held"),
        ((), ("Date: Fri, 27 Nov 2026 17:30:00 +0000",), "held"),
        (("Received: from a by b; one day",), ("Received: from a by b; one day",), "ignored"),
        (("Received: from a by b; one day",), ("Received: from a by b; another day",), "held"),
    ],
)
def test_a_letter_that_bears_no_date_counts_once_for_its_words_and_then_its_writer_is_asked(
    club: Club,
    wendy: Correspondent,
    yannick: Correspondent,
    game: int,
    first: tuple[str, ...],
    then: tuple[str, ...],
    outcome: str,
) -> None:
    """It is certainly the same where its Message-ID is, or where it lacks one and was copied with all its traces."""
    to = wendy.last_about(game)["Reply-To"]
    assert take(club, bare(wendy, to, "A-S1", *first)).moves == 1
    yannick.replies("A-N1", to=yannick.last_about(game))
    again = club.take(club.raw(bare(wendy, to, "A-S1", *then)))
    assert again.settled is not None and again.settled.outcome == outcome
    if outcome == "held":
        wendy.replies("confirm", to=again.only)
        assert club.game(game).due.keys() == {"yellow"}


def test_other_words_without_a_date_count(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    to = wendy.last_about(game)["Reply-To"]
    assert take(club, bare(wendy, to, "A-S1")).moves == 1
    yannick.replies("A-N1", to=yannick.last_about(game))
    assert take(club, bare(wendy, to, "C-S1")).moves == 1


# Old letters


def later_answer(club: Club, who: Correspondent, game: int, move: str, written: datetime) -> bytes:
    """Return an answer to the newest letter about a game that says it was written at another time."""
    return dated(who.reply(who.last_about(game), [move]), written)


@pytest.mark.parametrize(
    ("older_by", "move", "outcome"),
    [
        (20 * HOUR, "C-S1", "ruled"),
        (26 * HOUR, "C-S1", "held"),
        (20 * HOUR, "A-S1", "held"),
        (400 * DAY, "C-S1", "held"),
        (-20 * HOUR, "A-S1", "ruled"),
        (-400 * DAY, "A-S1", "ruled"),
    ],
)
def test_a_letter_older_than_the_one_it_answers_is_held_by_more_than_a_day_or_when_it_says_what_was_ruled(
    club: Club,
    wendy: Correspondent,
    yannick: Correspondent,
    game: int,
    older_by: timedelta,
    move: str,
    outcome: str,
) -> None:
    """Given that A-S1 was ruled some days ago, when an answer to a new letter bears an old date, or one to come."""
    assert wendy.replies("A-S1", to=wendy.last_about(game)).settled.moves == 1  # type: ignore[union-attr]
    club.waits(3 * DAY)
    yannick.replies("A-N1", to=yannick.last_about(game))
    letter = later_answer(club, wendy, game, move, club.clock.at - older_by)
    exchange = club.take(club.raw(letter))
    assert exchange.settled is not None and exchange.settled.outcome == outcome
    if outcome == "held":
        assert "older than a letter of yours that has counted since, or than the letter it answers" in flat(
            exchange
        )
        assert wendy.replies("confirm", to=exchange.only).settled.outcome == "answered"  # type: ignore[union-attr]
        assert club.game(game).due.keys() == {"yellow"}, "it is never lost"


@pytest.mark.parametrize(
    ("older_by", "move", "outcome"),
    [
        (20 * HOUR, "C-S1", "ruled"),
        (26 * HOUR, "C-S1", "held"),
        (HOUR, "A-S1", "held"),
        (SECOND, "A-S1", "held"),
        (-SECOND, "A-S1", "ruled"),
    ],
)
def test_a_letter_older_than_the_writer_s_newest_that_was_ruled_is_held_likewise(
    club: Club,
    wendy: Correspondent,
    yannick: Correspondent,
    game: int,
    older_by: timedelta,
    move: str,
    outcome: str,
) -> None:
    """One that names no letter of ours, only its reply address."""
    to = wendy.last_about(game)["Reply-To"]
    for mine, yours in (("A-S1", "A-N1"), ("H-S1", "C-N1")):
        club.waits(2 * DAY)
        newest = club.clock.at
        wendy.writes(mine, to=to)
        yannick.replies(yours, to=yannick.last_about(game))
    exchange = club.take(club.raw(dated(wendy.letter([move], to=to), newest - older_by)))
    assert exchange.settled is not None and exchange.settled.outcome == outcome
    assert club.game(game).due.keys() == ({"white"} if outcome == "held" else {"yellow"})


def test_a_letter_that_was_overtaken_on_its_way_is_asked_about_and_not_lost(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    to = wendy.last_about(game)["Reply-To"]
    delayed = wendy.letter(["C-S1"], to=to)
    club.waits(2 * DAY)
    wendy.writes("A-S1", to=to)
    yannick.replies("A-N1", to=yannick.last_about(game))
    held = club.take(club.raw(delayed))
    assert held.settled is not None and held.settled.outcome == "held"
    wendy.replies("confirm", to=held.only)
    assert club.game(game).due.keys() == {"yellow"}


def test_what_only_asks_makes_no_letter_an_old_one(club: Club, wendy: Correspondent, game: int) -> None:
    to = wendy.last_about(game)["Reply-To"]
    delayed = wendy.letter(["C-S1"], to=to)
    club.waits(2 * DAY)
    wendy.writes("status", to=to)
    assert take(club, delayed).moves == 1


def test_a_date_that_was_yet_to_come_makes_no_later_letter_an_old_one(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    """A clock that was a year ahead for one letter must not have every other one held for a year."""
    ahead = dated(wendy.reply(wendy.last_about(game), ["A-S1"]), club.clock.at + 365 * DAY)
    assert take(club, ahead).moves == 1
    yannick.replies("A-N1", to=yannick.last_about(game))
    assert wendy.replies("C-S1", to=wendy.last_about(game)).settled.moves == 1  # type: ignore[union-attr]


def test_our_own_clock_when_it_was_wrong_makes_no_letter_an_old_one(
    club: Club, wendy: Correspondent, yannick: Correspondent
) -> None:
    club.later(365 * DAY)
    game = club.starts({"white": wendy, "yellow": yannick})
    club.later(-365 * DAY)
    assert wendy.replies("A-S1", to=wendy.last_about(game)).settled.moves == 1  # type: ignore[union-attr]


def test_letters_of_before_do_not_make_another_player_s_old(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    delayed = wendy.letter(["A-S1"], to=wendy.last_about(game)["Reply-To"])
    other = club.starts({"white": yannick, "yellow": wendy})
    club.waits(3 * DAY)
    yannick.replies("A-S1", to=yannick.last_about(other))
    wendy.replies("A-N1", to=wendy.last_about(other))
    assert take(club, delayed).moves == 1, "in this game nothing has happened since"


def test_each_letter_of_a_clock_that_is_slow_is_asked_about_though_others_were_that_day(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int
) -> None:
    wendy.writes("hello", vouched=False)  # the day's question
    assert not wendy.writes("draw", vouched=False).sent
    wendy.replies("A-S1", to=wendy.last_about(game))
    yannick.replies("A-N1", to=yannick.last_about(game))
    club.take(club.raw(later_answer(club, wendy, game, "C-S1", club.clock.at - 3 * DAY)))
    (question,) = (each for each in wendy.letters if "Did you write these?" in each.text)
    club.take(club.raw(later_answer(club, wendy, game, "E-S1", club.clock.at - 3 * DAY)))
    assert "Is this new?" in wendy.letters[-1].text
    text = " ".join(question.text.split())
    assert (
        "Did you write these? 2 letters came in your name that may not be yours, or may be old ones." in text
    )
    assert "It is dated" in text and "DKIM" in text


def question_to(who: Correspondent) -> str:
    """Return the address that answers the newest question to somebody."""
    return next(
        letter["Reply-To"]
        for letter in reversed(who.letters)
        if "In your name" in letter.text or "Did you write" in letter.text
    )


@pytest.mark.parametrize("date", [None, "Fri, 27 Nov 2026 12:00:00 +0000"])
def test_confirmations_of_two_questions_are_two_letters_though_they_say_the_same(
    club: Club, wendy: Correspondent, yannick: Correspondent, game: int, date: str | None
) -> None:
    headers = () if date is None else (f"Date: {date}",)
    for move, reply in (("A-S1", "A-N1"), ("C-S1", "C-N1")):
        wendy.replies(move, to=wendy.last_about(game), vouched=False)
        confirmed = take(club, bare(wendy, question_to(wendy), "confirm", *headers))
        assert (confirmed.outcome, confirmed.moves) == ("answered", 1), confirmed.reason
        assert yannick.replies(reply, to=yannick.last_about(game)).settled.moves == 1  # type: ignore[union-attr]
        club.later(2 * DAY)


@pytest.mark.parametrize("words", ["status", "games", "help", "record", "resend", "why A"])
def test_what_asks_to_be_told_something_is_answered_each_time_though_it_bears_no_date(
    club: Club, wendy: Correspondent, game: int, words: str
) -> None:
    for _ in range(3):
        assert take(club, bare(wendy, wendy.last_about(game)["Reply-To"], words)).outcome == "answered"


# Where anybody is believed


def test_where_from_headers_are_believed_no_date_has_a_letter_held(tmp_path: Path) -> None:
    """There is no signature there that could be used again; a letter by hand need not even have a date."""
    club = Club(new_database(tmp_path), service=replace(SERVICE, trust="header"))
    wendy, yannick = club.member("Wendy"), club.member("Yannick")
    game = club.starts({"white": wendy, "yellow": yannick})
    for nth in range(2):
        for who, move in ((wendy, "A-S1"), (yannick, "A-N1")):
            assert take(club, bare(who, who.last_about(game)["Reply-To"], move)).moves == 1
        for who, move in ((wendy, "C-S1"), (yannick, "C-N1")):
            letter = bare(who, who.last_about(game)["Reply-To"], move, f"Message-ID: <{nth}@x>")
            assert take(club, letter).moves == 1
    long_ago = later_answer(club, wendy, game, "H-S1", club.clock.at - 1000 * DAY)
    assert take(club, long_ago).moves == 1
    assert take(club, header(long_ago, "Message-ID", "<another@x>")).outcome == "ignored"
    club.close()


@pytest.mark.parametrize("number", ["9999", "999999999", "99999999999999999999"])
def test_a_line_that_names_no_game_there_is_makes_no_letter_fail(
    club: Club, wendy: Correspondent, game: int, number: str
) -> None:
    settled = wendy.replies(f"{number}: A-S1", "C-S1", to=wendy.last_about(game)).settled
    assert settled is not None and settled.moves == 1
