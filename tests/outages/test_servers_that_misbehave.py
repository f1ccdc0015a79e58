"""Given a server that refuses, forgets, falls silent or shows a wrong certificate, or a clock that jumps, when it is
over, then every letter has been settled once and every answer has arrived."""

from __future__ import annotations

import gc
import shutil
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from referee.common.clock import FixedClock
from referee.common.errors import MailboxClosed
from referee.mail.inbox.imap import ImapMailbox
from referee.mail.inbox.imap_connection import Account
from referee.service.running import working
from tests.outages.settings import RealSetting, Setting, SmallSetting
from tests.outages.shifts import DAY, LATER, Shifts
from tests.servers.certificates import Kind, server_context
from tests.support.telling import telling
from tests.support.waiting import next_second, until

pytestmark = pytest.mark.slow

LETTER = b"From: anna@example.net\r\n\r\nstatus\r\n"
UNTRUSTED = [kind for kind in get_args(Kind) if kind != "good"]
YEAR = timedelta(days=365)


def both_write(shifts: Shifts, text: str = "status") -> None:
    for who in (shifts.white, shifts.yellow):
        shifts.write(who, text)


def see_that_it_ended_well(setting: Setting, letters: int) -> None:
    """So many letters of each player's were answered once, and each answer came once."""
    shifts = setting.shifts
    setting.wait_for(2 + 2 * letters)
    assert shifts.outcomes() == {"answered": 2 * letters}
    assert shifts.outgoing() == {"sent": 2 + 2 * letters}
    assert shifts.repeats() == 0
    for who in (shifts.white, shifts.yellow):
        assert shifts.numbers_of(who) == list(range(1, letters + 2))


# Certificates


@pytest.mark.parametrize("kind", telling(["expired"], others=UNTRUSTED))
def test_no_word_is_said_to_a_server_with_a_wrong_certificate_until_it_is_mended(
    small: SmallSetting, kind: Kind
) -> None:
    folder = small.speak_tls()
    small.begin()
    both_write(small.shifts)
    small.mailbox.tls = server_context(folder, kind)
    logins = small.mailbox.words().count("LOGIN")
    assert not small.shifts.turn()
    assert small.mailbox.words().count("LOGIN") == logins
    small.mailbox.tls = small.post.tls
    small.post.tls = server_context(folder, kind)
    logins = small.post.words.count("AUTH")
    assert small.shifts.turn()
    gc.collect()  # what the broken handshake left in the event loop that has ended
    assert small.post.words.count("AUTH") == logins
    assert small.shifts.outgoing() == {"sent": 2, "queued": 2}
    small.post.tls = small.mailbox.tls
    small.shifts.finish()
    see_that_it_ended_well(small, 1)


@pytest.mark.parametrize("kind", telling(["expired"], others=UNTRUSTED))
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_wrong_certificate_is_named(small: SmallSetting, kind: Kind, security: str) -> None:
    folder = small.speak_tls()
    if security == "tls":
        small.mailbox.capabilities.remove("STARTTLS")
        small.post.extensions.remove("STARTTLS")
        settings = small.shifts.desk.config.read_text().replace('"starttls"', '"tls"')
        small.shifts.desk.write_settings(settings)
    small.mailbox.tls = small.post.tls = server_context(folder, kind)
    small.shifts.start_game()
    with small.shifts.open() as application, working(application) as daemon:
        with pytest.raises(MailboxClosed, match=r"the certificate of the mailbox server .* is not trusted"):
            daemon.run_once()
        assert "the certificate of the mail server" in daemon.trouble
        assert "is not trusted" in daemon.trouble
    gc.collect()


# Refusals


@pytest.mark.parametrize(
    ("word", "answer"),
    telling(
        [("END", "452 4.3.1 no room"), ("RCPT", "421 4.7.0 too many letters")],
        others=[
            ("RCPT", "452 4.2.2 mailbox full"),
            ("CONNECT", "421 4.3.2 closing down"),
            ("MAIL", "451 4.3.0 not now"),
            ("DATA", "451 4.3.0 not now"),
        ],
    ),
)
def test_a_storm_of_4xx_delays_letters_and_loses_none(small: SmallSetting, word: str, answer: str) -> None:
    small.begin()
    both_write(small.shifts)
    small.post.answers[word] = [answer] * 100
    for _ in range(3):
        assert small.shifts.turn()
        small.shifts.clock.at += LATER
    assert small.shifts.outgoing() == {"sent": 2, "queued": 2}
    small.post.answers.clear()
    small.shifts.finish()
    see_that_it_ended_well(small, 1)


def test_a_storm_of_4xx_from_postfix_delays_letters_and_loses_none(real: RealSetting) -> None:
    real.begin()
    both_write(real.shifts)
    with real.servers.storm():
        for _ in range(3):
            assert real.shifts.turn()
            real.shifts.clock.at += LATER
        assert real.shifts.outgoing() == {"sent": 2, "queued": 2}
    real.shifts.finish()
    see_that_it_ended_well(real, 1)


def test_a_reader_whom_postfix_refuses_keeps_nobody_else_waiting(real: RealSetting) -> None:
    shifts = real.shifts
    seats = ("--seat", f"white={real.white}", "--seat", "yellow=nobody@example.net")
    shifts.desk.done("new", "confusion", *seats, "--first", "white")
    shifts.yellow = "later@example.net"
    shifts.start_game()
    assert shifts.turn()
    real.wait_for(2)
    assert shifts.ask("SELECT recipient, state FROM outgoing ORDER BY id") == [
        (real.white, "sent"),
        ("nobody@example.net", "refused"),
        (real.white, "sent"),
        ("later@example.net", "queued"),
    ]


# Letters that are too large


def see_that_they_came_in_form(setting: Setting, form: str) -> None:
    """The last letter to each player came in that form, the same letter as ever."""
    see_that_it_ended_well(setting, 1)
    answers = setting.shifts.ask("SELECT answer FROM outgoing ORDER BY id")
    assert [f"({form}, since it was too large)" in answer for (answer,) in answers[-2:]] == [True, True]
    for who in (setting.shifts.white, setting.shifts.yellow):
        first, last = setting.shifts.letters_to(who)
        assert "image/png" in {part.get_content_type() for part in first.walk()}
        assert "image/png" not in {part.get_content_type() for part in last.walk()}
        assert last["References"].split()[0] == first["Message-ID"]


@pytest.mark.parametrize(
    ("size", "form"),
    telling([(20_000, "without pictures")], others=[(6_000, "as text alone"), (2_500, "in brief")]),
)
def test_letters_larger_than_the_server_says_come_in_the_largest_form_that_it_takes(
    small: SmallSetting, size: int, form: str
) -> None:
    small.begin()
    small.post.extensions.append(f"SIZE {size}")
    both_write(small.shifts)
    assert small.shifts.turn()
    see_that_they_came_in_form(small, form)


@pytest.mark.parametrize(
    "answer", telling(["552 5.3.4 too big"], others=["552 too big", "550 5.2.3 too big"])
)
def test_letters_that_the_server_finds_too_large_when_it_has_them_come_in_a_smaller_form(
    small: SmallSetting, answer: str
) -> None:
    small.begin()
    both_write(small.shifts)
    small.post.too_large = (6_000, answer)
    assert small.shifts.turn()
    see_that_they_came_in_form(small, "as text alone")


def test_letters_that_postfix_finds_too_large_come_in_the_largest_form_that_it_takes(
    real: RealSetting,
) -> None:
    real.begin()
    both_write(real.shifts)
    with real.narrow():
        real.shifts.finish()
        see_that_they_came_in_form(real, "as text alone")


# Folders


@pytest.mark.parametrize(
    "answer", telling(["[OVERQUOTA] Quota exceeded (mailbox for user is full)"], others=["[NOPERM] no"])
)
@pytest.mark.parametrize("word", ["UID MOVE", "UID COPY"])
def test_letters_that_cannot_be_put_away_are_answered_once_and_put_away_when_there_is_room(
    small: SmallSetting, word: str, answer: str
) -> None:
    if word == "UID COPY":
        small.mailbox.capabilities.remove("MOVE")
    small.begin()
    small.mailbox.refused[word] = answer
    for number in range(3):
        both_write(small.shifts, f"status\n\n{number}")
        assert small.shifts.turn()
    assert small.shifts.waiting() == 6
    small.mailbox.refused.clear()
    small.shifts.finish()
    see_that_it_ended_well(small, 3)


def test_letters_for_which_dovecot_has_no_room_are_answered_once_and_put_away_when_it_has(
    real: RealSetting,
) -> None:
    real.begin()
    with real.servers.no_room():
        for number in range(2):
            both_write(real.shifts, f"status\n\n{number}")
            assert real.shifts.turn()
        assert real.shifts.waiting() == 4
    real.shifts.finish()
    see_that_it_ended_well(real, 2)


def test_letters_that_dovecot_cannot_put_away_are_answered_once_and_put_away_when_it_can(
    real: RealSetting,
) -> None:
    real.begin()
    month = real.box / f".Done.{DAY:%Y-%m}"
    real.deliver(
        b"From: MAILER-DAEMON@example.net\r\nAuto-Submitted: auto-replied\r\n\r\n"
    )  # makes the folder
    assert real.shifts.turn()
    assert month.is_dir()
    ignored = real.shifts.outcomes()
    for part in ("cur", "tmp", "new"):
        (month / part).rename(month / f"{part}-away")
        (month / part).write_text("in the way")
    for number in range(2):
        both_write(real.shifts, f"status\n\n{number}")
        assert real.shifts.turn()
    assert real.shifts.waiting() == 4
    for part in ("cur", "tmp", "new"):
        (month / part).unlink()
        (month / f"{part}-away").rename(month / part)
    real.shifts.finish()
    real.wait_for(6)
    assert real.shifts.outcomes() - ignored == {"answered": 4}
    assert real.shifts.repeats() == 0


def test_a_folder_for_handled_letters_that_vanished_is_made_anew(real: RealSetting) -> None:
    real.begin()
    for number in range(2):
        both_write(real.shifts, f"status\n\n{number}")
        assert real.shifts.turn()
        (done,) = real.box.glob(".Done*")
        assert len([*done.glob("[cn]*/*")]) == 2
        shutil.rmtree(done)
    real.shifts.finish()
    see_that_it_ended_well(real, 2)


def test_an_inbox_that_vanished_is_read_again_when_it_is_back(small: SmallSetting) -> None:
    small.begin()
    both_write(small.shifts)
    inbox = small.mailbox.folders.pop("INBOX")
    for _ in range(2):
        assert not small.shifts.turn()
    small.mailbox.folders["INBOX"] = inbox
    small.shifts.finish()
    see_that_it_ended_well(small, 1)


def restore(real: RealSetting, backup: list[bytes]) -> None:
    """Let the whole mailbox vanish, and lay the letters of a backup into a new one."""
    next_second()  # Dovecot makes a UIDVALIDITY of the second in which a mailbox is made
    shutil.rmtree(real.box)
    for content in backup:
        real.deliver(content)


@pytest.mark.parametrize("running", [False, True])
def test_an_inbox_that_was_restored_from_a_backup_brings_what_is_new_and_repeats_nothing(
    real: RealSetting, running: bool
) -> None:
    """Its UIDVALIDITY is another, at the latest for the next process, and all that was in it lies there again."""
    shifts = real.shifts
    real.begin()
    both_write(shifts, "status\n\n1")
    backup = [path.read_bytes() for path in real.lying()]
    with shifts.open() as application, working(application) as daemon:
        daemon.round()
        assert shifts.outcomes() == {"answered": 2}
        if running:
            restore(real, backup)

            def all_are_read() -> bool:
                with suppress(MailboxClosed):
                    daemon.round()
                return shifts.outcomes() == {"answered": 2, "ignored": 2}

            until(all_are_read, shifts.outcomes)
        daemon.run_once()
    real.wait_for(4)
    if not running:
        restore(real, backup)
    both_write(shifts, "status\n\n2")
    shifts.finish()
    real.wait_for(6)
    assert shifts.outcomes() == {"answered": 4, "ignored": 2}
    assert running or len(shifts.ask("SELECT DISTINCT uidvalidity FROM letter")) == 2
    assert shifts.repeats() == 0
    for who in (real.white, real.yellow):
        assert shifts.numbers_of(who) == [1, 2, 3]


def test_a_letter_that_was_delivered_twice_counts_once(real: RealSetting) -> None:
    real.begin()
    both_write(real.shifts)
    for path in real.lying():
        real.deliver(b"Received: by mx.example.org; again\r\n" + path.read_bytes())
    real.shifts.finish()
    real.wait_for(4)
    assert real.shifts.outcomes() == {"answered": 2, "ignored": 2}
    assert real.shifts.repeats() == 0


# Silence


def door_to(small: SmallSetting, *, timeout: float, idle_slice: float) -> ImapMailbox:
    """Return a door to the small server. timeout, idle_slice: seconds."""
    account = Account(
        host="127.0.0.1",
        port=small.reading.port,
        username="referee",
        password="secret",
        security="none",
        timeout=timeout,
    )
    return ImapMailbox(account, FixedClock(DAY), idle_slice=idle_slice)


def test_a_line_that_goes_dead_in_idle_is_noticed_and_what_came_meanwhile_is_read(
    small: SmallSetting,
) -> None:
    """As behind a router that has forgotten the connection: nothing ends it, and nothing comes through any more."""
    door = door_to(small, timeout=1.0, idle_slice=0.2)
    assert door.unread() == []
    assert door.wait(5)
    with small.reading.frozen():
        small.mailbox.deliver(LETTER)
        assert door.wait(20)  # the end of the slice is not answered
        with pytest.raises(MailboxClosed, match="does not answer"):
            door.unread()
    (letter,) = door.unread()
    assert letter.content == LETTER
    door.close()


def test_news_that_idle_never_brings_is_found_at_the_end_of_its_slice(small: SmallSetting) -> None:
    door = door_to(small, timeout=5.0, idle_slice=0.2)
    assert door.wait(5)
    small.mailbox.folders["INBOX"][1] = LETTER  # and nobody is told
    assert door.wait(20)
    assert [letter.content for letter in door.unread()] == [LETTER]
    door.close()


def test_news_that_comes_in_two_pieces_is_a_reason_to_look_and_nothing_worse(small: SmallSetting) -> None:
    door = door_to(small, timeout=5.0, idle_slice=60.0)
    assert door.wait(5)
    small.mailbox.folders["INBOX"][1] = LETTER
    small.mailbox.murmur(b"* 1 EXI")
    threading.Timer(0.1, small.mailbox.murmur, [b"STS\r\n"]).start()
    assert door.wait(20)
    assert [letter.content for letter in door.unread()] == [LETTER]
    door.close()


def test_a_slow_server_is_waited_for_and_nothing_is_said_twice(small: SmallSetting) -> None:
    small.begin()
    both_write(small.shifts)
    small.reading.slow = small.posting.slow = 0.1
    assert small.shifts.turn()
    see_that_it_ended_well(small, 1)


# Time


@pytest.mark.parametrize("leap", telling([YEAR], others=[-YEAR]))
def test_a_clock_that_jumps_and_comes_back_holds_no_letter_up(small: SmallSetting, leap: timedelta) -> None:
    shifts = small.shifts
    small.begin()
    shifts.clock.at += leap
    both_write(shifts, "status\n\nin another year")
    small.post.answers["RCPT"] = ["451 4.3.0 not now"] * 2  # so both wait for a try that lies a year away
    assert shifts.turn()
    assert shifts.outgoing() == {"sent": 2, "queued": 2}
    shifts.clock.at = DAY + LATER
    both_write(shifts, "status\n\nback again")
    shifts.finish()
    see_that_it_ended_well(small, 2)
    recorded = [
        datetime.fromisoformat(when).replace(tzinfo=UTC)
        for (when,) in shifts.ask("SELECT recorded FROM letter ORDER BY number")
    ]
    assert recorded == [DAY + leap] * 2 + [DAY + 2 * LATER] * 2
