"""The letters of a seat in one file: mail programs open it, and every letter comes back as it was sent."""

from __future__ import annotations

import mailbox
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.archive.exports import mail_of
from referee.archive.mbox import Mailed, read_mbox, write_mbox
from referee.cli.demo import sample_game
from referee.common.errors import UsageError
from referee.rulebooks.rulebook import Seat
from referee.service.bootstrap import Application
from referee.service.settings import Settings
from tests.support.operating import WENDY, Desk, answer
from tests.support.playing import Club, Correspondent, new_database

AT = datetime(2026, 3, 7, 9, 5, 1, tzinfo=UTC)
LINES = st.sampled_from(
    [b"", b"From ", b">From x", b">>From me", b" From ", b"from ", b"Subject: a", b"\xc3\xa9 > From"]
)


def application(club: Club) -> Application:
    return Application(Settings(), club.service, club.store, club.clock)


def begun(club: Club) -> tuple[Correspondent, Correspondent]:
    """A game comes about by letter, and some moves are played, refused and commented on; all of it is posted."""
    anna, bert = club.member("Anna"), club.member("Bert")
    club.member("Carl")
    anna.writes("challenge Bert confusion")
    bert.replies("accept")
    white = club.game(1).seats[Seat("white")]
    first, second = (anna, bert) if white == 1 else (bert, anna)
    for who in (first, second, first):
        who.replies("A-S1", to=who.last_about(1))
    first.writes("watch 1")
    club.posts()
    return first, second


@given(st.lists(st.lists(LINES, min_size=1, max_size=6), max_size=4))
def test_any_letters_come_back_as_they_were(letters: list[list[bytes]]) -> None:
    sent = [b"\r\n".join([b"A: b", b"", *lines, b""]) for lines in letters]
    written = b"".join(write_mbox(Mailed("referee@example.org", AT, each) for each in sent))
    assert read_mbox(written) == sent


def test_the_form_is_the_one_that_is_called_mboxrd() -> None:
    letter = Mailed("referee@example.org", AT, b"Subject: s\r\n\r\nFrom me\r\n>From you\r\nx From\r\n")
    assert b"".join(write_mbox([letter, letter])) == 2 * (
        b"From referee@example.org Sat Mar  7 09:05:01 2026\nSubject: s\n\n>From me\n>>From you\nx From\n\n"
    )


@pytest.mark.parametrize("wrong", [b"Subject: s\n\ntext\n", b"x\nFrom me Sat\nSubject: s\n\n"])
def test_what_is_no_such_file_is_not_read(wrong: bytes) -> None:
    with pytest.raises(ValueError, match="does not begin with a line `From"):
        read_mbox(wrong)
    assert read_mbox(b"") == []


def test_a_seat_has_each_letter_that_it_was_sent_and_no_other(club: Club, tmp_path: Path) -> None:
    """From the first that led to the game on, byte for byte, in their order; Python's mailbox finds the same ones."""
    for who, seat in zip(begun(club), ("white", "yellow"), strict=True):
        mail = mail_of(application(club), 1, seat)
        about = [letter.content for letter in who.letters if letter.game == 1]
        file = tmp_path / f"{seat}.mbox"
        file.write_bytes(b"".join(write_mbox(mail.letters)))
        assert (mail.erased, mail.unposted) == (0, 0) and len(about) >= 3
        assert read_mbox(file.read_bytes()) == about
        assert any(letter.kind in ("invitation", "receipt") for letter in who.letters if letter.game == 1)
        found = mailbox.mbox(file, create=False)
        expected = [letter["Message-ID"] for letter in who.letters if letter.game == 1]
        assert [str(each["Message-ID"]) for each in found] == expected
        found.close()


@pytest.mark.story
def test_a_whole_game_comes_back(tmp_path: Path) -> None:
    club, sample = Club(new_database(tmp_path)), sample_game()
    players = {"white": club.member("Anna"), "yellow": club.member("Bert")}
    club.starts(players, first=sample.first, deal=sample.deal)
    other = next(seat for seat in sample.moves if seat != sample.first)
    for turn in range(len(sample.moves[sample.first])):
        for seat in (sample.first, other):
            if turn < len(sample.moves[seat]):
                players[seat].replies(sample.moves[seat][turn], to=players[seat].last_about(1))
    club.posts()
    for seat, who in players.items():
        letters = mail_of(application(club), 1, seat).letters
        assert read_mbox(b"".join(write_mbox(letters))) == [
            letter.content for letter in who.letters if letter.game == 1
        ]
        assert [letter.at for letter in letters] == sorted(letter.at for letter in letters)
    club.close()


def test_whoever_sat_there_before_is_among_them_and_what_was_erased_is_counted(club: Club) -> None:
    first, second = begun(club)
    carl = club.reader("carl@example.net")
    club.referee.umpire.replace_player(1, Seat("white"), ("Carl", carl.address), "Somebody is ill.")
    club.noted("Carl takes the seat.")
    club.posts()
    before = [letter.content for letter in first.letters if letter.game == 1]
    after = [letter.content for letter in carl.letters if letter.game == 1]
    assert after and [each.content for each in mail_of(application(club), 1, "white").letters] == [
        *before,
        *after,
    ]
    second.writes("bye")
    second.replies("confirm")
    club.posts()
    club.later(timedelta(days=1))
    club.referee.jobs.erase_what_is_due()
    mail = mail_of(application(club), 1, "yellow")
    assert mail.letters == () and mail.erased >= 3


def test_who_has_no_seat_has_no_letters(club: Club) -> None:
    begun(club)
    club.reader("anna@example.net").writes("challenge Bert confusion")
    for number, seat, why in (
        (1, "red", "--as red: expected"),
        (2, "white", "has not begun"),
        (9, "white", "no game 9"),
    ):
        with pytest.raises(UsageError, match=why):
            mail_of(application(club), number, seat)


def test_the_command_writes_the_file_and_says_what_is_left_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    number = desk.sample_game_begun()
    nothing = desk.done("mbox", str(number), "--as", "white")
    assert (nothing.out, nothing.err) == ("", "1 letter is left out: not posted.\n")
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), "L-S2"))
    desk.done("run", "--once")
    said = desk.done("mbox", str(number), "--as", "WHITE")
    assert said.err == "" and said.out.startswith("From referee@example.org ")
    letters = read_mbox(said.out.encode())
    assert len(letters) == 2 and all(b'\r\nTo: "Wendy" <wendy@example.net>\r\n' in each for each in letters)
    assert desk.do("mbox", str(number)).status == 2
