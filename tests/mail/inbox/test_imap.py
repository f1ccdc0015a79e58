"""The IMAP door before a small server that misbehaves on request."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from imapclient import IMAPClient

from referee.common.clock import FixedClock
from referee.common.errors import MailboxClosed, SettingsError, TokenRefused
from referee.mail.inbox.imap import ImapMailbox
from referee.mail.inbox.imap_connection import Account
from referee.mail.inbox.mailbox import EARLIEST, LATEST
from referee.mail.message.message import RawLetter
from tests.servers.launching import free_port
from tests.servers.small_imap import SmallImap
from tests.support.waiting import FOR_EVER, PATIENCE

LETTER = b"From: anna@example.net\r\n\r\nV-NW2\r\n"


@pytest.fixture
def server() -> Iterator[SmallImap]:
    with SmallImap().running() as running:
        yield running


def account_at(server: SmallImap, **changes: object) -> Account:
    settings: dict[str, object] = {
        "host": "127.0.0.1",
        "port": server.port,
        "username": "referee",
        "security": "none",
        "password": "secret",
        "timeout": 5.0,
    }
    return Account(**{**settings, **changes})  # type: ignore[arg-type]


class Box(ImapMailbox):
    """The door with a clock that stands still in November 2026."""

    def __init__(self, account: Account, **options: float) -> None:
        super().__init__(account, FixedClock(datetime(2026, 11, 30, 23, 0, tzinfo=UTC)), **options)  # type: ignore[arg-type]


@pytest.fixture
def box(server: SmallImap) -> Iterator[Box]:
    opened = Box(account_at(server))
    yield opened
    opened.close()


def test_letters_come_oldest_first_whole_and_with_their_time_in_utc(server: SmallImap, box: Box) -> None:
    for number in range(3):
        server.deliver(LETTER + b"%d" % number)
    letters = box.unread()
    assert [(letter.uid, letter.content) for letter in letters] == [
        (str(number + 1), LETTER + b"%d" % number) for number in range(3)
    ]
    assert letters[0].uidvalidity == 7
    assert letters[0].received == datetime(2026, 11, 2, 10, 0, tzinfo=UTC)
    assert letters[0].size == len(LETTER) + 1
    assert letters[0].mailbox == "imap:referee@127.0.0.1/INBOX"


@pytest.mark.parametrize(
    "date",
    [
        "31-Dec-9999 23:59:59 -0100",
        "31-Dec-9999 23:59:59 +0000",
        "01-Jan-0001 00:00:00 +0100",
        "30-Feb-2026 10:00:00 +0000",
        "28-Nov-99999999999999999999 10:00:00 +0000",
        "28-Nov-2026 10:00:00 +9999",
        "28-Nov-2026 10:00:00 -99999999999999999999",
        "yesterday",
        "",
    ],
)
def test_a_letter_whose_date_is_none_counts_as_come_now_and_hides_no_other(
    server: SmallImap, box: Box, date: str
) -> None:
    server.deliver(LETTER + b"odd")
    server.deliver(LETTER)
    server.dates[1] = date
    odd, common = box.unread()
    assert (odd.content, common.content) == (LETTER + b"odd", LETTER)
    assert EARLIEST <= odd.received < LATEST
    assert common.received == datetime(2026, 11, 3, 10, 0, tzinfo=UTC)
    server.dates[1] = "28-Nov-2026 10:00:00 +0000"
    assert box.unread()[0].received == datetime(2026, 11, 28, 10, tzinfo=UTC)


def test_looking_marks_nothing(server: SmallImap, box: Box) -> None:
    server.deliver(LETTER)
    box.unread()
    asked = [rest for command, rest in server.said if command == "UID FETCH"]
    assert [rest.split(" ", 1)[1] for rest in asked] == ["(RFC822.SIZE INTERNALDATE)", "(BODY.PEEK[])"]
    assert "UID STORE" not in server.words()


def test_letters_not_yet_handled_come_again(server: SmallImap, box: Box) -> None:
    server.deliver(LETTER)
    assert box.unread() == box.unread()


def test_no_more_letters_come_than_were_asked_for(server: SmallImap, box: Box) -> None:
    for _ in range(5):
        server.deliver(LETTER)
    assert [letter.uid for letter in box.unread(limit=2)] == ["1", "2"]


def test_of_a_letter_of_30_megabytes_only_the_header_is_fetched(server: SmallImap, box: Box) -> None:
    server.deliver(b"Subject: huge\r\n\r\nnot all of it", size=30_000_000)
    server.deliver(LETTER)
    huge, other = box.unread()
    assert (huge.size, huge.content) == (30_000_000, b"Subject: huge\r\n\r\n")
    assert other.content == LETTER
    assert not any(rest.startswith("1 (BODY.PEEK[])") for _, rest in server.said)


def test_a_letter_of_30_megabytes_whose_header_is_refused_comes_without_content(
    server: SmallImap, box: Box
) -> None:
    server.withheld.add(server.deliver(b"huge", size=30_000_000))
    server.deliver(LETTER)
    huge, other = box.unread()
    assert (huge.size, huge.content) == (30_000_000, None)
    assert other.content == LETTER


def test_a_letter_of_no_octets_has_empty_content(server: SmallImap, box: Box) -> None:
    server.deliver(b"")
    (letter,) = box.unread()
    assert (letter.size, letter.content) == (0, b"")


def test_much_mail_is_fetched_in_several_batches(server: SmallImap, box: Box) -> None:
    for _ in range(5):
        server.deliver(b"x" * 1_500_000)
    assert all(letter.size == 1_500_000 for letter in box.unread())
    asked = [rest.split(" ")[0] for command, rest in server.said if command == "UID FETCH" and "BODY" in rest]
    assert asked == ["1,2", "3,4", "5"]


def test_handled_letters_are_moved_in_one_batch_to_the_folder_of_the_month(
    server: SmallImap, box: Box
) -> None:
    for _ in range(3):
        server.deliver(LETTER)
    box.handled(box.unread())
    assert server.folders["INBOX"] == {}
    assert list(server.folders["Done/2026-11"]) == [1, 2, 3]
    moves = [rest for command, rest in server.said if command == "UID MOVE"]
    assert moves == ['1,2,3 "Done/2026-11"'] * 2  # the first one finds that the folder is not there


def test_the_folder_is_named_with_the_servers_prefix_and_delimiter(server: SmallImap, box: Box) -> None:
    server.prefix, server.delimiter = "INBOX.", "."
    server.deliver(LETTER)
    box.handled(box.unread())
    assert list(server.folders["INBOX.Done.2026-11"]) == [1]


def test_a_new_month_has_a_new_folder(server: SmallImap) -> None:
    clock = FixedClock(datetime(2026, 11, 30, 23, 59, tzinfo=UTC))
    box = ImapMailbox(account_at(server), clock)
    server.deliver(LETTER)
    box.handled(box.unread())
    clock.at = datetime(2026, 12, 1, tzinfo=UTC)
    server.deliver(LETTER)
    box.handled(box.unread())
    box.close()
    assert [list(server.folders[f"Done/2026-{month}"]) for month in (11, 12)] == [[1], [2]]


def test_without_move_exactly_these_letters_are_copied_and_expunged(server: SmallImap, box: Box) -> None:
    server.capabilities.remove("MOVE")
    for _ in range(3):
        server.deliver(LETTER)
    server.deleted.add(3)  # marked by another program, and not ours to take away
    box.handled(box.unread()[:2])
    assert list(server.folders["INBOX"]) == [3]
    assert list(server.folders["Done/2026-11"]) == [1, 2]
    assert "EXPUNGE" not in server.words()


def test_without_move_and_uidplus_letters_stay_with_a_keyword_and_are_passed_over(
    server: SmallImap, box: Box
) -> None:
    server.capabilities = ["IMAP4rev1"]
    server.deliver(LETTER)
    box.handled(box.unread())
    assert list(server.folders["INBOX"]) == [1]
    assert server.keywords == {1: {"$Handled"}}
    assert box.unread() == []
    assert not any("EXPUNGE" in word or "COPY" in word for word in server.words())


def test_letters_that_cannot_be_moved_are_passed_over_and_moved_later(server: SmallImap, box: Box) -> None:
    server.refused["UID MOVE"] = "[OVERQUOTA] full"
    server.deliver(LETTER)
    box.handled(box.unread())
    assert box.unread() == []
    server.refused.clear()
    server.deliver(LETTER)
    box.handled(box.unread())
    assert server.folders["INBOX"] == {}


def test_a_connection_lost_while_moving_repeats_nothing(server: SmallImap, box: Box) -> None:
    server.deliver(LETTER)
    letters = box.unread()
    server.hang_up_at.add("UID MOVE")
    with pytest.raises(MailboxClosed):
        box.handled(letters)
    server.hang_up_at.clear()
    assert box.unread() == []
    box.handled(letters)
    assert list(server.folders["Done/2026-11"]) == [1]


def test_after_a_change_of_uidvalidity_nothing_known_of_uids_counts(server: SmallImap, box: Box) -> None:
    server.refused["UID MOVE"] = "no"
    server.deliver(LETTER)
    old = box.unread()
    box.handled(old)
    server.refused.clear()
    server.uidvalidity = 8
    server.lose_connections()
    with pytest.raises(MailboxClosed):
        box.unread()
    (letter,) = box.unread()
    assert (letter.uidvalidity, letter.uid) == (8, "1")
    box.handled(old)
    assert list(server.folders["INBOX"]) == [1]


def test_a_vanished_letter_is_left_out(server: SmallImap, box: Box) -> None:
    first = server.deliver(LETTER)
    server.deliver(LETTER)
    letters = box.unread()
    del server.folders["INBOX"][first]
    assert [letter.uid for letter in box.unread()] == ["2"]
    box.handled(letters)
    assert list(server.folders["Done/2026-11"]) == [2]


def test_a_letter_that_the_server_withholds_stands_in_nobodys_way(server: SmallImap, box: Box) -> None:
    server.withheld.add(server.deliver(LETTER))
    server.deliver(LETTER)
    assert [letter.content for letter in box.unread()] == [None, LETTER]


def test_a_letter_over_which_a_connection_was_lost_is_fetched_from_another(
    server: SmallImap, box: Box
) -> None:
    server.deadly.add(server.deliver(LETTER))
    assert [letter.content for letter in box.unread()] == [None]
    server.deadly.clear()
    assert [letter.content for letter in box.unread()] == [LETTER]


def test_the_end_of_a_connection_is_an_error_and_the_next_call_reconnects(
    server: SmallImap, box: Box
) -> None:
    server.deliver(LETTER)
    box.unread()
    server.lose_connections()
    with pytest.raises(MailboxClosed, match=r"ended the connection|was lost") as trouble:
        box.unread()
    assert not trouble.value.permanent
    assert len(box.unread()) == 1


def test_a_server_that_falls_silent_is_given_up_after_the_timeout(server: SmallImap) -> None:
    box = Box(account_at(server, timeout=1.0))
    box.unread()
    server.silent_at.add("UID SEARCH")
    with pytest.raises(MailboxClosed, match="does not answer"):
        box.unread()
    server.silent_at.clear()
    assert box.unread() == []
    box.close()


def test_a_wrong_password_will_not_get_better_by_waiting(server: SmallImap) -> None:
    with pytest.raises(MailboxClosed, match=r"refused the login of referee.*correct \[inbox\]") as trouble:
        Box(account_at(server, password="wrong")).unread()
    assert trouble.value.permanent
    assert "b'" not in str(trouble.value)


def test_a_connection_lost_at_login_says_nothing_about_the_password(server: SmallImap) -> None:
    server.hang_up_at.add("LOGIN")
    with pytest.raises(MailboxClosed, match="ended the connection") as trouble:
        Box(account_at(server)).unread()
    assert not trouble.value.permanent


def test_a_server_that_is_too_busy_to_log_in_is_worth_waiting_for(server: SmallImap) -> None:
    server.refused["LOGIN"] = "[UNAVAILABLE] try later"
    with pytest.raises(MailboxClosed, match="at the moment") as trouble:
        Box(account_at(server)).unread()
    assert not trouble.value.permanent


def test_gmail_is_known_to_need_an_app_password() -> None:
    from referee.mail.inbox.imap_connection import _login_refused

    account = Account(host="imap.gmail.com", port=993, username="club@gmail.com", password="x")
    assert "needs an app password" in str(_login_refused(account, "Invalid credentials"))


def test_microsoft_is_known_to_take_no_passwords() -> None:
    from referee.mail.inbox.imap_connection import _login_refused

    account = Account(host="outlook.office365.com", port=993, username="club@example.org", password="x")
    assert "let [inbox] token_command print an access token" in str(_login_refused(account, "LOGIN failed."))


def test_a_token_is_asked_for_at_each_login_and_used(server: SmallImap) -> None:
    asked = []

    def token() -> str:
        asked.append(1)
        return "good"

    box = Box(account_at(server, token=token))
    box.unread()
    box.close()
    box.unread()
    box.close()
    assert len(asked) == 2


def test_a_command_that_gives_no_token_closes_the_mailbox_and_says_why(server: SmallImap) -> None:
    def token() -> str:
        raise TokenRefused("token_command oama failed (exit status 1): consent has expired")

    with pytest.raises(MailboxClosed, match=r"cannot be logged in to.*consent has expired"):
        Box(account_at(server, token=token)).unread()


def test_a_refused_token_is_reported_with_the_servers_reason(server: SmallImap) -> None:
    with pytest.raises(MailboxClosed, match=r"401.*token_command") as trouble:
        Box(account_at(server, token=lambda: "stale")).unread()
    assert trouble.value.permanent
    assert ("ANSWER", "") in server.said
    assert "stale" not in str(trouble.value)


def test_a_password_beyond_ascii_is_sent_as_utf_8(server: SmallImap) -> None:
    box = Box(account_at(server, password="pässword"))
    assert box.unread() == []
    box.close()


def test_a_missing_folder_is_named_with_those_that_exist(server: SmallImap) -> None:
    server.folders["Games"] = {}
    with pytest.raises(MailboxClosed, match=r"no folder 'Gmaes'.*Games, INBOX") as trouble:
        Box(account_at(server, folder="Gmaes")).unread()
    assert trouble.value.permanent


def test_a_server_without_starttls_is_told_apart(server: SmallImap) -> None:
    with pytest.raises(MailboxClosed, match="offers no STARTTLS") as trouble:
        Box(account_at(server, security="starttls")).unread()
    assert trouble.value.permanent
    assert "LOGIN" not in server.words()


def test_tls_to_a_port_without_it_names_the_setting(server: SmallImap) -> None:
    with pytest.raises(MailboxClosed, match="security"):
        Box(account_at(server, security="tls")).unread()


def test_nobody_listening_is_said_so() -> None:
    account = Account(host="127.0.0.1", port=free_port(), username="referee", security="none")
    with pytest.raises(MailboxClosed, match="refuses connections") as trouble:
        Box(account).unread()
    assert not trouble.value.permanent


def test_an_unknown_host_is_said_so() -> None:
    account = Account(host="imap.invalid", port=993, username="referee")
    with pytest.raises(MailboxClosed, match=r"there is no host imap\.invalid"):
        Box(account).unread()


def test_passwords_are_sent_without_tls_to_this_machine_only() -> None:
    with pytest.raises(SettingsError, match="security"):
        Account(host="imap.example.org", port=143, username="referee", security="none")


def test_secrets_are_not_in_the_accounts_repr() -> None:
    account = Account(host="imap.example.org", port=993, username="referee", password="hidden word")
    assert "hidden word" not in repr(account)


def test_probing_tells_capabilities_and_folders(server: SmallImap, box: Box) -> None:
    server.folders["Done/2026-10"] = {}
    facts = box.probe()
    assert "IDLE" in facts.capabilities
    assert facts.folders == ("Done/2026-10", "INBOX")
    assert (facts.delimiter, facts.prefix) == ("/", "")


def test_the_letters_that_lie_there_are_counted(server: SmallImap, box: Box) -> None:
    assert box.waiting() == 0
    server.deliver(LETTER)
    server.deliver(LETTER)
    assert box.waiting() == 2


def test_waiting_says_look_when_it_begins_to_listen_and_then_waits(server: SmallImap, box: Box) -> None:
    assert box.wait(PATIENCE)
    assert not box.wait(0.05)
    assert server.words().count("IDLE") == 1


def test_news_ends_the_waiting(server: SmallImap, box: Box) -> None:
    box.wait(PATIENCE)
    threading.Timer(0.05, server.deliver, [LETTER]).start()
    assert box.wait(PATIENCE)


def test_news_that_came_between_two_waits_is_not_missed(server: SmallImap, box: Box) -> None:
    box.wait(PATIENCE)
    server.deliver(LETTER)
    assert box.wait(PATIENCE)


def test_news_in_the_packet_of_consent_is_covered_by_looking(server: SmallImap, box: Box) -> None:
    server.early_news = True
    assert box.wait(PATIENCE)


def test_idle_is_begun_anew_after_its_slice_and_that_is_a_reason_to_look(server: SmallImap) -> None:
    box = Box(account_at(server), idle_slice=0.1)
    box.wait(PATIENCE)
    assert box.wait(PATIENCE)  # the slice has ended
    assert box.wait(PATIENCE)  # begun anew
    assert [word for word in server.words() if word in ("IDLE", "DONE")] == ["IDLE", "DONE", "IDLE"]
    box.close()


def test_the_end_of_the_connection_in_idle_is_noticed(server: SmallImap, box: Box) -> None:
    box.wait(PATIENCE)
    threading.Timer(0.05, server.lose_connections).start()
    assert box.wait(PATIENCE)


def test_after_losing_the_listening_connection_one_looks_again_without_haste(server: SmallImap) -> None:
    box = Box(account_at(server), poll=0.05)
    box.wait(PATIENCE)
    server.lose_connections()
    box.wait(PATIENCE)
    connections = server.connections
    for _ in range(4):
        assert box.wait(PATIENCE)  # polling in the meantime
    assert server.connections == connections
    box.close()


def test_without_idle_one_looks_every_few_seconds(server: SmallImap) -> None:
    server.capabilities.remove("IDLE")
    box = Box(account_at(server), poll=0.05)
    assert box.wait(PATIENCE)
    assert "IDLE" not in server.words()
    box.close()


def test_one_connection_works_and_one_listens(server: SmallImap, box: Box) -> None:
    for _ in range(5):
        server.deliver(LETTER)
        box.handled(box.unread())
        box.wait(0.01)
    assert server.connections == 2


def test_waiting_can_be_interrupted_from_another_thread(box: Box) -> None:
    box.wait(PATIENCE)
    threading.Timer(0.05, box.interrupt).start()
    assert not box.wait(FOR_EVER)


def test_an_interruption_that_comes_before_the_waiting_counts(box: Box) -> None:
    box.interrupt()
    assert not box.wait(FOR_EVER)


def test_a_blocked_look_can_be_interrupted(server: SmallImap) -> None:
    box = Box(account_at(server, timeout=FOR_EVER))
    box.unread()
    server.silent_at.add("UID SEARCH")
    threading.Timer(0.1, box.interrupt).start()
    with pytest.raises(MailboxClosed):
        box.unread()
    box.close()


@pytest.mark.parametrize("blocked", ["wait", "unread"])
def test_a_signal_handler_in_the_same_thread_may_interrupt(server: SmallImap, blocked: str) -> None:
    box = Box(account_at(server, timeout=FOR_EVER))
    box.unread()
    box.wait(PATIENCE)
    server.silent_at.add("UID SEARCH")
    before = signal.signal(signal.SIGUSR1, lambda *_: box.interrupt())
    try:
        threading.Timer(0.1, signal.pthread_kill, [threading.get_ident(), signal.SIGUSR1]).start()
        if blocked == "wait":
            assert not box.wait(FOR_EVER)
        else:
            with pytest.raises(MailboxClosed):
                box.unread()
    finally:
        signal.signal(signal.SIGUSR1, before)
    box.close()


def test_connecting_to_a_host_that_says_nothing_can_be_interrupted() -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        account = Account(
            host="127.0.0.1",
            port=mute.getsockname()[1],
            username="referee",
            security="none",
            timeout=FOR_EVER,
        )
        box = Box(account)
        threading.Timer(0.1, box.interrupt).start()
        with pytest.raises(MailboxClosed, match="stopping"):
            box.unread()


def test_what_was_committed_can_still_be_moved_after_an_interruption(server: SmallImap, box: Box) -> None:
    server.deliver(LETTER)
    letters = box.unread()
    box.interrupt()
    box.handled(letters)
    assert server.folders["INBOX"] == {}


def test_a_closed_door_can_be_used_again(server: SmallImap, box: Box) -> None:
    server.deliver(LETTER)
    box.unread()
    box.interrupt()
    box.close()
    assert len(box.unread()) == 1
    assert box.wait(PATIENCE)


def test_letters_seen_before_can_be_left_out_and_still_be_put_away(server: SmallImap, box: Box) -> None:
    for number in range(5):
        server.deliver(LETTER + b"%d" % number)
    first = [replace(letter, content=None) for letter in box.unread(2)]
    second = box.unread(2, first)
    assert [letter.uid for letter in second] == ["3", "4"]
    assert [letter.uid for letter in box.unread(2, [*first, *second])] == ["5"]
    assert box.unread(2, box.unread()) == []
    box.handled(first)
    assert [letter.uid for letter in box.unread()] == ["3", "4", "5"]
    server.uidvalidity = 8
    server.lose_connections()
    with pytest.raises(MailboxClosed):
        box.unread()
    assert [letter.uid for letter in box.unread(besides=second)] == ["3", "4", "5"], "these are others now"


def test_no_more_letters_are_fetched_together_than_the_memory_bears(
    server: SmallImap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.mail.inbox.imap.TOGETHER", 100)
    for size in (40, 60, 1, 150, 20, 9000, 70):
        server.deliver(b"x" * size)
    box = Box(account_at(server), size_limit=200)
    together, seen = [], list[RawLetter]()
    while letters := box.unread(besides=seen):
        together.append([letter.size for letter in letters])
        seen += letters
    box.close()
    assert together == [[40, 60], [1], [150], [20], [9000], [70]]


def test_a_letter_for_which_the_memory_does_not_suffice_comes_without_content(
    server: SmallImap, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.deliver(LETTER)
    server.deliver(LETTER + b"large")
    fetch = IMAPClient.fetch

    def fail(client: IMAPClient, uids: list[int], parts: list[str]) -> object:
        if 2 in uids and parts == ["BODY.PEEK[]"]:
            raise MemoryError
        return fetch(client, uids, parts)

    monkeypatch.setattr(IMAPClient, "fetch", fail)
    letters = box.unread()
    assert [letter.content for letter in letters] == [LETTER, None]
    assert "the memory does not suffice" in letters[1].why
