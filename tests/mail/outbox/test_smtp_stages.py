"""Every step of the dialogue with a mail server, and every way in which it can go wrong there: what is known of the
letter then, and whom it speaks of."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Literal

import pytest

from referee.common.errors import DeliveryRefused
from referee.mail.message.delivery_status import speaks_of
from referee.mail.message.refusals import status_among_words
from referee.mail.outbox.smtp import SmtpPost, Submission
from referee.mail.outbox.transport import PostClosed
from tests.mail.outbox.fakes import Waiting
from tests.servers.certificates import make_authority, server_context
from tests.servers.launching import free_port
from tests.servers.small_smtp import GARBAGE, HANG_UP, RESET, SILENCE, SmallSmtp

Outcome = Literal["closed", "later", "perhaps", "taken"]
"""closed: no letter was tried. later: this one was not taken for certain. perhaps: nobody knows."""

HICCUPS = {"close": HANG_UP, "reset": RESET, "timeout": SILENCE, "garbage": GARBAGE}
TABLE: dict[str, Outcome] = {
    "CONNECT": "closed",
    "EHLO": "closed",
    "STARTTLS": "closed",
    "AUTH": "closed",
    "MAIL": "later",
    "RCPT": "later",
    "DATA": "later",
    "TEXT": "later",
    "END": "perhaps",
    "AFTER": "taken",
    "QUIT": "taken",
}
"""What is known by the word in whose place it goes wrong: CONNECT for the banner, TEXT in the midst of the letter, END
for the answer to it, AFTER when the letter was accepted."""
LETTER = Waiting.make(1, content=b"Subject: report\r\n\r\n" + b"Your move.\r\n" * 100)
LONG = Waiting.make(1, content=b"Subject: report\r\n\r\n" + b"Your move.\r\n" * 500_000)
"""More than lies between two processes of one machine, so that half of it is known to have stayed here."""


@dataclass
class Line:
    """A server that offers TLS and wants a login, and the way to it."""

    server: SmallSmtp
    submission: Submission

    def goes_wrong(self, step: str, hiccup: str, *, after: int = 0) -> None:
        """Let it go wrong at a step, after it went well so often; where nothing is said, it is not waited for long."""
        self.server.answers[step] = [*[""] * after, HICCUPS[hiccup]]
        if hiccup == "timeout":
            self.submission = replace(self.submission, timeout=2.0, patience=2.0)

    def goes_right(self) -> None:
        """Let all be as usual from now on."""
        self.server.answers.clear()
        self.submission = replace(self.submission, timeout=60.0, patience=60.0)

    def send(self, *letters: Waiting) -> list[str | DeliveryRefused]:
        """Send letters one after the other over one post; return the answers and refusals."""

        async def sending() -> list[str | DeliveryRefused]:
            post = SmtpPost(self.submission)
            outcomes: list[str | DeliveryRefused] = []
            for letter in letters:
                try:
                    outcomes.append(await post.send(letter))
                except DeliveryRefused as refusal:
                    outcomes.append(refusal)
            await post.close()
            return outcomes

        return asyncio.run(sending())


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("authority")
    make_authority(folder)
    return folder


@pytest.fixture
def line(authority: Path) -> Iterator[Line]:
    with SmallSmtp().running() as server:
        server.extensions = ["8BITMIME", "STARTTLS", "AUTH PLAIN XOAUTH2"]
        server.tls = server_context(authority, "good")
        submission = Submission(
            host="localhost",
            port=server.port,
            username="referee",
            password="secret",
            ssl_context=ssl.create_default_context(cafile=authority / "ca.pem"),
        )
        yield Line(server, submission)


def outcome_of(said: str | DeliveryRefused) -> Outcome:
    match said:
        case str():
            return "taken"
        case PostClosed():
            return "closed"
        case _:
            assert said.temporary
            return "perhaps" if said.uncertain else "later"


def see_that_nobody_is_blamed(said: str | DeliveryRefused) -> None:
    """The text is all that is kept of a refusal: what it says in the end must not speak of the player's address."""
    if isinstance(said, DeliveryRefused) and not isinstance(said, PostClosed):
        assert speaks_of(status_among_words(str(said))) == "service", said


@pytest.mark.telling(step=[each for each in TABLE if each != "TEXT"])
@pytest.mark.parametrize(("step", "hiccup"), [*product(TABLE, HICCUPS)])
def test_what_is_known_of_a_letter_when_the_dialogue_goes_wrong(line: Line, step: str, hiccup: str) -> None:
    line.goes_wrong(step, hiccup)
    letter = LONG if step == "TEXT" else LETTER
    (said,) = line.send(letter)
    assert outcome_of(said) == TABLE[step], said
    see_that_nobody_is_blamed(said)
    assert len(line.server.taken) == (step in ("END", "AFTER", "QUIT"))
    line.goes_right()
    (again,) = line.send(letter)
    assert outcome_of(again) == "taken"
    assert {taken.content for taken in line.server.taken} == {letter.content}


@pytest.mark.parametrize(("step", "hiccup"), [*product(("MAIL", "RCPT", "DATA"), HICCUPS)])
def test_a_connection_that_was_kept_is_replaced_at_once_where_the_letter_was_not_taken_for_certain(
    line: Line, step: str, hiccup: str
) -> None:
    line.goes_wrong(step, hiccup, after=1)
    first, second = line.send(LETTER, Waiting.make(2))
    assert (outcome_of(first), outcome_of(second)) == ("taken", "taken")
    assert [taken.recipient for taken in line.server.taken] == [
        "<player1@example.net>",
        "<player2@example.net>",
    ]


@pytest.mark.parametrize("hiccup", HICCUPS)
def test_a_letter_behind_one_that_was_accepted_goes_whatever_became_of_the_connection(
    line: Line, hiccup: str
) -> None:
    line.goes_wrong("AFTER", hiccup)
    first, second = line.send(LETTER, Waiting.make(2))
    assert (outcome_of(first), outcome_of(second)) == ("taken", "taken")
    assert len(line.server.taken) == 2


@pytest.mark.parametrize("hiccup", HICCUPS)
def test_a_short_letter_that_is_cut_in_its_midst_is_never_taken_for_accepted_or_refused(
    line: Line, hiccup: str
) -> None:
    """It has left this process as a whole before the server says anything: nobody can tell here what it has read."""
    line.goes_wrong("TEXT", hiccup)
    (said,) = line.send(LETTER)
    assert outcome_of(said) in ("later", "perhaps"), said
    see_that_nobody_is_blamed(said)


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "TEXT", "END"])
def test_a_server_that_takes_its_leave_has_not_taken_the_letter(line: Line, step: str) -> None:
    line.server.answers[step] = ["421 4.3.2 closing down"]
    (said,) = line.send(LONG if step == "TEXT" else LETTER)
    assert outcome_of(said) == "later"
    see_that_nobody_is_blamed(said)


@pytest.mark.parametrize("answer", ["552 too big", "451 not now"])
def test_what_a_server_says_in_the_midst_of_the_letter_is_heard(line: Line, answer: str) -> None:
    line.server.answers["TEXT"] = [answer]
    said, after = line.send(LONG, Waiting.make(2))
    assert isinstance(said, DeliveryRefused)
    assert (str(said.code), said.uncertain) == (answer[:3], False)
    assert outcome_of(after) == "taken"


def test_a_server_that_is_not_there_is_no_letter_s_fault(line: Line) -> None:
    line.submission = Submission(host="localhost", port=free_port(), security="none")
    assert outcome_of(line.send(LETTER)[0]) == "closed"
