"""Given a mailbox server that answers OK and hands no letter over, when letters are asked for, then what it gave is no
letter, and the letters beside it come."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from referee.common.clock import FixedClock
from referee.common.errors import MailboxClosed
from referee.mail.inbox.fetching import ASKED_AGAIN, is_whole
from referee.mail.inbox.imap import PATIENCE, ImapMailbox
from referee.mail.inbox.imap_connection import Account
from tests.servers.small_imap import SmallImap

LETTER = b"From: anna@example.net\r\nTo: referee@example.org\r\n\r\nV-NW2\r\nThank you\r\n"
PARTS = (
    b'From: a@b\r\nContent-Type: multipart/mixed; boundary="one"\r\n\r\n'
    b"--one\r\nContent-Type: text/plain\r\n\r\nV-NW2\r\n--one--\r\n"
)


@pytest.fixture
def server() -> Iterator[SmallImap]:
    with SmallImap().running() as running:
        yield running


@pytest.fixture
def door(server: SmallImap) -> Iterator[ImapMailbox]:
    account = Account("127.0.0.1", server.port, "referee", "none", "secret", timeout=10.0)
    opened = ImapMailbox(account, FixedClock(datetime(2026, 11, 30, tzinfo=UTC)))
    yield opened
    opened.close()


def literal(content: bytes, of: str = "UID 2 BODY[]") -> bytes:
    return b"%b {%d}\r\n%b" % (of.encode(), len(content), content)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"UID 2 BODY[] NIL", "NIL"),
        (b'UID 2 BODY[] ""', "no bytes"),
        (literal(b""), "no bytes"),
        (b"UID 2 BODY[] 17", "no text"),
        (b"UID 2 BODY[] (a b)", "no text"),
        (literal(LETTER[:50]), "50 bytes and had announced"),
        (literal(LETTER[:-4]), "and had announced"),
        (b"", "nothing"),
        (b"UID 2 FLAGS (\\Seen)", "nothing"),
        (literal(LETTER, "UID 9 BODY[]"), "nothing"),
        (literal(LETTER, "UID 2 BODY[TEXT]"), "nothing"),
    ],
)
def test_what_is_no_letter_comes_without_content_and_keeps_no_other_from_coming(
    server: SmallImap, door: ImapMailbox, capsys: pytest.CaptureFixture[str], said: bytes, why: str
) -> None:
    server.deliver(LETTER + b"1\r\n")
    server.instead[server.deliver(LETTER)] = said
    server.deliver(LETTER + b"3\r\n")
    letters = door.unread()
    assert [letter.content for letter in letters] == [LETTER + b"1\r\n", None, LETTER + b"3\r\n"]
    assert why in letters[1].why
    assert letters[1].why in capsys.readouterr().out
    server.instead.clear()
    assert [letter.content for letter in door.unread()][1] == LETTER


def test_the_bytes_of_another_letter_under_its_uid_are_not_taken_for_it(
    server: SmallImap, door: ImapMailbox
) -> None:
    """A server that leaves the UID out means a place in the folder, and the library takes that for the UID."""
    for number in range(1, 5):
        server.deliver(LETTER + b"%d\r\n" % number)
    del server.folders["INBOX"][1]
    server.instead[2] = b""
    server.instead[3] = literal(LETTER + b"3\r\n", "BODY[]")
    assert {letter.uid: letter.content for letter in door.unread()} == {
        "2": None,
        "3": None,
        "4": LETTER + b"4\r\n",
    }


def test_a_letter_of_which_not_even_the_size_is_told_is_asked_for_all_the_same(
    server: SmallImap, door: ImapMailbox
) -> None:
    server.untold.add(server.deliver(LETTER))
    assert [letter.content for letter in door.unread()] == [LETTER]
    server.instead[1] = b'UID 1 BODY[] ""'
    assert [letter.content for letter in door.unread()] == [None]


@pytest.mark.parametrize("factor", [1.02, 1.5, 3.0])
@pytest.mark.parametrize("content", [LETTER, PARTS], ids=["text", "parts"])
def test_a_server_that_announces_more_than_its_letters_have_is_believed_when_they_have_an_end(
    server: SmallImap, door: ImapMailbox, content: bytes, factor: float
) -> None:
    """Exchange announces what a letter takes in its store."""
    for _ in range(3):
        server.deliver(content, size=int(len(content) * factor))
    assert [letter.content for letter in door.unread()] == [content] * 3
    asked = [rest for command, rest in server.said if command == "UID FETCH" and "BODY.PEEK[]" in rest]
    assert len(asked) == 1 + ASKED_AGAIN


def test_a_server_that_announces_less_than_its_letters_have_is_believed(
    server: SmallImap, door: ImapMailbox
) -> None:
    server.deliver(LETTER, size=len(LETTER) - 9)
    server.deliver(LETTER, size=0)
    assert [letter.content for letter in door.unread()] == [LETTER] * 2


@pytest.mark.parametrize("end", range(1, len(PARTS), 3))
def test_a_letter_of_which_the_end_is_missing_is_none(server: SmallImap, door: ImapMailbox, end: int) -> None:
    server.deliver(PARTS[:end], size=len(PARTS))
    (letter,) = door.unread()
    assert letter.content in (None, PARTS)


@pytest.mark.parametrize(
    ("content", "whole"),
    [
        (LETTER, True),
        (PARTS, True),
        (LETTER.replace(b"\r\n", b"\n"), True),
        (LETTER.partition(b"V-NW2")[0], True),
        (LETTER[:-2], False),
        (LETTER[:30], False),
        (LETTER[: LETTER.index(b"To:")], False),
        (PARTS[: PARTS.index(b"--one--")], False),
        (b"", False),
    ],
)
def test_a_letter_is_whole_when_its_header_its_last_line_and_its_parts_have_an_end(
    content: bytes, whole: bool
) -> None:
    assert is_whole(content) is whole


def test_what_differs_each_time_it_is_asked_for_is_no_letter(
    server: SmallImap, door: ImapMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.deliver(LETTER, size=10 * len(LETTER))
    fetched = server.folders["INBOX"]

    class Growing(dict[int, bytes]):
        def __getitem__(self, uid: int) -> bytes:
            self[uid] = super().__getitem__(uid) + b"more\r\n"
            return super().__getitem__(uid)

    server.folders["INBOX"] = Growing(fetched)
    (letter,) = door.unread()
    assert letter.content is None


def test_a_letter_that_goes_while_it_is_asked_for_is_left_out(server: SmallImap, door: ImapMailbox) -> None:
    server.instead[server.deliver(LETTER)] = b""
    server.deliver(LETTER)
    look = server.folders["INBOX"]

    class Going(dict[int, bytes]):
        def __getitem__(self, uid: int) -> bytes:
            content = super().__getitem__(uid)
            if ("UID FETCH", "1,2 (BODY.PEEK[])") in server.said:
                self.pop(1, None)
            return content

    server.folders["INBOX"] = Going(look)
    assert [letter.uid for letter in door.unread()] == ["2"]


def test_a_header_that_is_not_handed_over_is_no_letter_either(server: SmallImap, door: ImapMailbox) -> None:
    server.instead[server.deliver(LETTER, size=30_000_000)] = b"UID 1 BODY[HEADER]<0> NIL"
    (letter,) = door.unread()
    assert (letter.content, letter.size) == (None, 30_000_000)


@pytest.mark.parametrize("place", [1, 3, 5])
def test_a_letter_over_which_the_connection_is_lost_keeps_no_other_from_coming(
    server: SmallImap, door: ImapMailbox, place: int
) -> None:
    for number in range(1, 6):
        server.deliver(LETTER + b"%d\r\n" % number)
    server.deadly.add(place)
    letters = door.unread()
    assert [letter.content is None for letter in letters] == [number == place for number in range(1, 6)]
    assert "ended the connection" in letters[place - 1].why
    assert server.connections == 3  # over all of them, over this one, and the last


def test_a_server_that_loses_the_connection_at_each_letter_is_not_asked_for_all_of_them_at_once(
    server: SmallImap, door: ImapMailbox
) -> None:
    server.deadly.update(server.deliver(LETTER) for _ in range(20))
    letters = door.unread()
    assert [(letter.uid, letter.content) for letter in letters] == [
        (str(uid), None) for uid in range(1, PATIENCE + 1)
    ]
    with pytest.raises(MailboxClosed, match="ended the connection"):
        door.unread(besides=letters)
    assert [letter.uid for letter in door.unread(besides=letters)] == [str(uid) for uid in range(6, 11)]
    assert server.connections < 20


def test_a_server_that_is_gone_in_the_midst_of_a_look_costs_no_letter(
    server: SmallImap, door: ImapMailbox
) -> None:
    server.deadly.update(server.deliver(LETTER) for _ in range(20))
    door.probe()
    server.hang_up_at.add("LOGIN")
    assert [letter.content for letter in door.unread()] == [None] * PATIENCE
    with pytest.raises(MailboxClosed):
        door.unread()
    server.hang_up_at.clear()
    server.deadly.clear()
    assert [letter.content for letter in door.unread()] == [LETTER] * 20


def test_when_the_folder_begins_anew_in_the_midst_of_a_look_nothing_is_taken_for_another_letter(
    server: SmallImap, door: ImapMailbox
) -> None:
    server.deadly.add(server.deliver(LETTER))
    server.deliver(LETTER + b"old\r\n")
    door.probe()
    server.uidvalidity = 8
    with pytest.raises(MailboxClosed, match="begun its UIDs anew"):
        door.unread()
    server.deadly.clear()
    assert [letter.uidvalidity for letter in door.unread()] == [8, 8]
