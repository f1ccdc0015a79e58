"""Given a mailbox server that says too much or too slowly, when its answer is read, then it is cut off in time."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest

from referee.common.clock import FixedClock
from referee.common.errors import MailboxClosed
from referee.mail.inbox import imap_answers, imap_connection
from referee.mail.inbox.imap import BATCH_OCTETS, SLACK, ImapMailbox
from referee.mail.inbox.imap_answers import MOST_TEXT, PIECE, SLOWEST, Answers, AnswerTooLarge, AnswerTooSlow
from referee.mail.inbox.imap_connection import Account
from tests.servers.certificates import make_authority, server_context
from tests.servers.small_imap import SmallImap

LETTER = b"From: anna@example.net\r\n\r\nV-NW2\r\n"
LIMIT = 2_000_000
MOST = BATCH_OCTETS + SLACK
"""Bytes of letters that one answer may bring at this limit."""
FOUR_GB = 4_294_967_296


class Said:
    """A connection on which pieces are said; each takes so many seconds."""

    def __init__(self, pieces: Iterator[bytes], seconds: float = 0.0) -> None:
        self._pieces = pieces
        self._seconds = seconds
        self.now = 0.0
        self.given = 0

    def recv(self, most: int) -> bytes:
        self.now += self._seconds
        piece = next(self._pieces, b"")
        self.given += len(piece)
        return piece

    def ticks(self) -> float:
        return self.now


def reading(said: Said, *, most: int = MOST, patience: float = 30.0) -> tuple[Answers, socket.socket]:
    return Answers(most, patience, said.ticks), cast(socket.socket, said)


def endless(piece: bytes) -> Iterator[bytes]:
    return (piece for _ in count())


# One answer


@pytest.mark.parametrize("size", [1, 2, 7, 65_536])
def test_lines_and_literals_come_as_they_were_said_whatever_the_pieces(size: int) -> None:
    words = b"* 1 FETCH (BODY[] {12}\r\nab\r\n\r\ncd\r\n!!)\r\nA1 OK\r\nhalf"
    parts = (words[at : at + size] for at in range(0, len(words), size))
    answer, connection = reading(Said(parts))
    read = [answer.line(connection), answer.literal(connection, 12), answer.line(connection)]
    assert read == [b"* 1 FETCH (BODY[] {12}\r\n", b"ab\r\n\r\ncd\r\n!!", b")\r\n"]
    assert [answer.line(connection) for _ in range(3)] == [b"A1 OK\r\n", b"half", b""]


def test_nothing_is_read_of_a_literal_that_is_announced_too_large() -> None:
    said = Said(endless(b"x"))
    answer, connection = reading(said)
    with pytest.raises(AnswerTooLarge, match="announced 4,294,967,296 bytes"):
        answer.literal(connection, FOUR_GB)
    assert said.given == 0


@pytest.mark.parametrize(
    ("piece", "read"),
    [
        (b"x" * 1000, Answers.line),
        (b"* 1 EXISTS\r\n" * 90, Answers.line),
        (b"x" * 1000, partial(Answers.literal, size=1000)),
    ],
    ids=["one line", "many lines", "many literals"],
)
def test_an_answer_ends_when_its_allowance_is_used_up(
    piece: bytes, read: Callable[[Answers, socket.socket], bytes]
) -> None:
    said = Said(endless(piece))
    answer, connection = reading(said, most=100_000)
    with pytest.raises(AnswerTooLarge):
        for _ in count():
            read(answer, connection)
    assert said.given <= MOST_TEXT + len(piece)


def test_the_next_answer_has_an_allowance_of_its_own() -> None:
    answer, connection = reading(Said(endless(b"x" * 60_000 + b"\r\n")), most=100)
    for _ in range(50):
        answer.begin()
        assert len(answer.line(connection)) == 60_002
        assert len(answer.literal(connection, 100)) == 100
        answer.begin()
        answer.line(connection)


@pytest.mark.parametrize("pause", [0.5, 5.0, 29.0])
def test_a_server_that_gives_a_byte_now_and_then_is_cut_off_after_its_time(pause: float) -> None:
    said = Said(endless(b"x"), pause)
    answer, connection = reading(said, patience=30.0)
    with pytest.raises(AnswerTooSlow):
        answer.line(connection)
    assert said.now <= 30.0 + pause + 0.1


def test_a_server_that_is_slow_and_steady_is_waited_for() -> None:
    said = Said(endless(b"x" * SLOWEST), 0.9)
    answer, connection = reading(said, most=5_000_000)
    assert len(answer.literal(connection, 5_000_000)) == 5_000_000
    assert said.now > 400


def test_what_we_do_ourselves_meanwhile_costs_the_server_no_time() -> None:
    said = Said(iter([b"a\r\n", b"b\r\n"]), 10.0)
    answer, connection = reading(said)
    answer.line(connection)
    said.now += 1000
    assert answer.line(connection) == b"b\r\n"


def test_what_was_said_before_tls_is_forgotten() -> None:
    answer, plain = reading(Said(iter([b"A1 OK begin\r\n* CAPABILITY IMAP4rev1 FORGED\r\n"])))
    assert answer.line(plain) == b"A1 OK begin\r\n"
    assert answer.line(cast(socket.socket, Said(iter([b"* CAPABILITY IMAP4rev1\r\n"])))) == (
        b"* CAPABILITY IMAP4rev1\r\n"
    )


# A server


@pytest.fixture
def server() -> Iterator[SmallImap]:
    with SmallImap().running() as running:
        yield running


class Counted:
    """A connection that notes how many bytes are taken from it, piece by piece."""

    def __init__(self, connection: socket.socket, pieces: list[int]) -> None:
        self.connection = connection
        self._pieces = pieces

    def recv(self, most: int) -> bytes:
        piece = self.connection.recv(most)
        self._pieces.append(len(piece))
        return piece


class CountedAnswers(Answers):
    """Reads answers from connections that are counted."""

    def __init__(self, pieces: list[int], *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        self._pieces = pieces
        self._counted: Counted | None = None

    def line(self, connection: socket.socket) -> bytes:
        return super().line(self._count(connection))

    def literal(self, connection: socket.socket, size: int) -> bytes:
        return super().literal(self._count(connection), size)

    def _count(self, connection: socket.socket) -> socket.socket:
        if self._counted is None or self._counted.connection is not connection:
            self._counted = Counted(connection, self._pieces)
        return cast(socket.socket, self._counted)


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes were taken from servers, piece by piece."""
    pieces: list[int] = []
    monkeypatch.setattr(imap_connection, "Answers", partial(CountedAnswers, pieces))
    return pieces


def door_to(server: SmallImap, **changes: Any) -> ImapMailbox:
    settings: dict[str, Any] = {"host": "127.0.0.1", "security": "none", "timeout": 20.0, **changes}
    account = Account(port=server.port, username="referee", password="secret", **settings)
    return ImapMailbox(account, FixedClock(datetime(2026, 11, 30, tzinfo=UTC)), size_limit=LIMIT)


LINE = b"x" * PIECE
LITERAL = b"{60000}\r\n" + b"x" * 60_000
ENDLESS = {
    "greeting": ("CONNECT", b"* OK ", LINE),
    "greeting's literal": ("CONNECT", b"* OK {4294967296}\r\n", LINE),
    "capabilities": ("CAPABILITY", b"* CAPABILITY IMAP4rev1", b" X" * 30_000),
    "login": ("LOGIN", b"", b"* OK waiting\r\n" * 4000),
    "namespace": ("NAMESPACE", b"* NAMESPACE ", b"(" * PIECE),
    "folders": ("LIST", b"", b'* LIST () "/" a\r\n' * 4000),
    "select": ("SELECT", b"", b"* 1 EXISTS\r\n" * 4000),
    "rubbish": ("NOOP", b"", b"* RUBBISH\r\n" * 4000),
    "literals of rubbish": ("UID SEARCH", b"", b"* RUBBISH " + LITERAL + b"\r\n"),
    "search": ("UID SEARCH", b"* SEARCH", b" 123" * 16_000),
    "search's literal": ("UID SEARCH", b"* SEARCH {4000000000}\r\n", LINE),
    "small literals": ("UID SEARCH", b"", b"* SEARCH {0}\r\n\r\n" * 4000),
}


@pytest.mark.telling(kind=["greeting", "login", "search", "search's literal"])
@pytest.mark.parametrize("kind", ENDLESS)
def test_an_answer_without_end_is_cut_off_wherever_it_is_said(
    server: SmallImap, received: list[int], kind: str
) -> None:
    command, beginning, piece = ENDLESS[kind]
    server.endless[command] = (beginning, piece)
    server.deliver(LETTER)
    with pytest.raises(MailboxClosed, match="sends more than an answer may have"):
        door_to(server).unread()
    assert sum(received) <= MOST + 3 * PIECE
    server.endless.clear()
    door = door_to(server)
    assert [letter.content for letter in door.unread()] == [LETTER]
    door.close()


FETCHES = {
    "a literal of 4 GB": (b"* 1 FETCH (UID 1 BODY[] {4294967296}\r\n", LINE),
    "many literals": (b"", b"* 1 FETCH (UID 1 BODY[] " + LITERAL + b")\r\n"),
    "a line": (b"* 1 FETCH (UID 1 BODY[] ", LINE),
    "parentheses": (b"* 1 FETCH ", b"(" * PIECE),
    "lines": (b"", b"* 1 FETCH (UID 1 FLAGS ())\r\n" * 2000),
}


@pytest.mark.parametrize("kind", FETCHES)
def test_a_letter_that_comes_without_end_is_cut_off_and_said_in_the_log(
    server: SmallImap, received: list[int], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    server.endless["UID FETCH"] = FETCHES[kind]
    server.deliver(LETTER)
    door = door_to(server)
    (letter,) = door.unread()
    assert letter.content is None
    assert "sends more than an answer may have" in letter.why
    assert letter.why in capsys.readouterr().out
    assert sum(received) <= MOST + 3 * PIECE
    door.close()


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_the_limit_holds_over_tls(
    server: SmallImap, received: list[int], tmp_path: Path, security: str
) -> None:
    make_authority(tmp_path)
    server.tls = server_context(tmp_path, "good")
    if security == "starttls":
        server.capabilities.append("STARTTLS")
    context = ssl.create_default_context(cafile=str(tmp_path / "ca.pem"))
    server.endless["UID SEARCH"] = (b"* SEARCH {4294967296}\r\n", LINE)
    door = door_to(server, host="localhost", security=security, ssl_context=context)
    with pytest.raises(MailboxClosed, match=r"announced 4,294,967,296 bytes"):
        door.unread()
    assert sum(received) < MOST
    server.endless.clear()
    server.deliver(LETTER)
    assert [letter.content for letter in door.unread()] == [LETTER]
    door.close()


def test_news_without_end_is_cut_off(server: SmallImap, received: list[int]) -> None:
    door = door_to(server)
    door.unread()
    assert door.wait(5)  # IDLE has begun
    server.murmur(b"* 1 EXISTS\r\n" * 200_000)
    while door.wait(0.0):
        pass
    assert sum(received) <= MOST_TEXT + 3 * PIECE
    door.close()


def test_parentheses_within_parentheses_are_no_letter_and_cost_no_other(server: SmallImap) -> None:
    server.instead[server.deliver(LETTER)] = b"UID 1 BODY[] " + b"(" * 200_000 + b")" * 200_000
    server.deliver(LETTER)
    door = door_to(server)
    bomb, other = door.unread()
    assert (bomb.content, other.content) == (None, LETTER)
    door.close()


def test_a_server_that_gives_its_answer_bit_by_bit_is_cut_off_and_the_log_says_so(
    server: SmallImap,
    received: list[int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By this clock each byte takes a tenth of a second, and the timeout is a minute."""
    clock = (tick / 10 for tick in count())
    monkeypatch.setattr(
        imap_connection, "Answers", partial(CountedAnswers, received, ticks=lambda: next(clock))
    )
    monkeypatch.setattr(imap_answers, "PIECE", 1)
    server.deliver(LETTER)
    door = door_to(server, timeout=60.0)
    door.probe()
    before = sum(received)
    server.endless["UID FETCH"] = (b"* 1 FETCH (UID 1 BODY[] {30000}\r\n", LINE)
    (letter,) = door.unread()
    assert "gives its answer too slowly" in letter.why
    assert letter.why in capsys.readouterr().out
    server.endless = {"UID SEARCH": (b"* SEARCH", b" 1" * 1000)}
    with pytest.raises(MailboxClosed, match="gives its answer too slowly"):
        door.unread()
    assert sum(received) - before < 4 * 700
    server.endless.clear()
    assert [each.content for each in door.unread()] == [LETTER]
    door.close()


def test_what_a_server_says_is_not_repeated_at_length(server: SmallImap) -> None:
    server.refused["LOGIN"] = "x" * 100_000
    with pytest.raises(MailboxClosed) as trouble:
        door_to(server).unread()
    assert len(str(trouble.value)) < 1000


def test_what_comes_unasked_is_not_kept_as_long_as_the_connection_lasts(server: SmallImap) -> None:
    door = door_to(server)
    for _ in range(3):
        server.endless["NOOP"] = (b"* 1 EXISTS\r\n* RUBBISH\r\n" * 100, b"")
        door.unread()
    assert door._work is not None
    kept = door._work.client._imap.untagged_responses
    assert sum(map(len, kept.values())) < 5
    door.close()
