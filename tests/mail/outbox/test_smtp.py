"""The SMTP way out before a small server that misbehaves on request."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from aiosmtplib.protocol import PERIOD_REGEX, normalize_message_line_endings
from hypothesis import given
from hypothesis import strategies as st

from referee.common.errors import DeliveryRefused, SettingsError, TokenRefused
from referee.mail.message.delivery_status import speaks_of
from referee.mail.message.refusals import status_among_words
from referee.mail.outbox.smtp import SmtpPost, Submission, as_data
from referee.mail.outbox.transport import PostClosed
from tests.mail.outbox.fakes import Waiting
from tests.servers.launching import free_port
from tests.servers.small_smtp import HANG_UP, SILENCE, SmallSmtp
from tests.support.waiting import until_soon


@pytest.fixture
def server() -> Iterator[SmallSmtp]:
    with SmallSmtp().running() as running:
        yield running


def submission(server: SmallSmtp, **changes: object) -> Submission:
    settings: dict[str, object] = {
        "host": "127.0.0.1",
        "port": server.port,
        "security": "none",
        "timeout": 5.0,
    }
    return Submission(**{**settings, **changes})  # type: ignore[arg-type]


def send(server: SmallSmtp, *letters: Waiting, **changes: object) -> list[str | DeliveryRefused]:
    """Send letters one after the other over one post; return the answers and refusals."""

    async def sending() -> list[str | DeliveryRefused]:
        post = SmtpPost(submission(server, **changes))
        outcomes: list[str | DeliveryRefused] = []
        for letter in letters or [Waiting.make(1)]:
            try:
                outcomes.append(await post.send(letter))
            except DeliveryRefused as refusal:
                outcomes.append(refusal)
        await post.close()
        return outcomes

    return asyncio.run(sending())


def refusal(outcomes: list[str | DeliveryRefused]) -> DeliveryRefused:
    (outcome,) = outcomes
    assert isinstance(outcome, DeliveryRefused), outcome
    return outcome


def test_the_stored_bytes_go_out_from_and_to_whom_the_envelope_says(server: SmallSmtp) -> None:
    content = b"To: somebody else\r\n\r\n.dot\r\n..\r\nlast\r\n"
    (answer,) = send(server, Waiting.make(1, content=content))
    (taken,) = server.taken
    assert taken.content == content
    assert (taken.sender, taken.recipient) == ("<referee@example.org>", "<player1@example.net>")
    assert answer == "2.0.0 taken as number 1"


def test_one_connection_carries_many_letters_and_is_ended_politely(server: SmallSmtp) -> None:
    send(server, *(Waiting.make(number) for number in range(20)))
    assert len(server.taken) == 20
    assert server.connections == 1
    assert server.words[-1] == "QUIT"


@pytest.mark.parametrize("last_word", ["", HANG_UP, SILENCE])
def test_a_post_that_is_closed_holds_no_socket(server: SmallSmtp, last_word: str) -> None:
    server.answers["QUIT"] = [last_word]

    async def sockets() -> tuple[int, int]:
        post = SmtpPost(submission(server))
        await post.send(Waiting.make(1))
        (client,) = post._free
        held = client.get_transport_info("socket")
        before = held.fileno()
        await post.close()
        return before, held.fileno()

    before, after = asyncio.run(sockets())
    assert before >= 0
    assert after == -1


def test_eight_bit_letters_are_announced(server: SmallSmtp) -> None:
    send(server, Waiting.make(1, content="\r\nGrüße\r\n".encode()))
    assert "body=8bitmime" in server.taken[0].options


def test_a_letter_larger_than_the_server_has_said_that_it_takes_is_not_sent_at_all(server: SmallSmtp) -> None:
    server.extensions = ["SIZE 100"]
    large = Waiting.make(1, content=b"Subject: report\r\n\r\n" + b"x" * 100)
    first, second = send(server, large, Waiting.make(2))
    assert isinstance(first, DeliveryRefused)
    assert (first.too_large, first.temporary, first.status) == (True, False, "5.3.4")
    assert isinstance(second, str)
    assert [taken.recipient for taken in server.taken] == ["<player2@example.net>"]
    assert (server.connections, server.words.count("MAIL")) == (1, 1)


@pytest.mark.parametrize("said", ["SIZE", "SIZE 0", "SIZE what?"])
def test_a_server_that_names_no_size_is_sent_letters_of_any(server: SmallSmtp, said: str) -> None:
    server.extensions = [said]
    assert [type(outcome) for outcome in send(server)] == [str]


def test_a_login_is_made_when_there_is_a_username(server: SmallSmtp) -> None:
    send(server, username="referee", password="secret")
    assert server.words.count("AUTH") == 1
    assert len(server.taken) == 1


def test_no_login_is_made_without_a_username(server: SmallSmtp) -> None:
    send(server, username="", password="secret")
    assert "AUTH" not in server.words


def test_a_token_is_used_where_there_is_one(server: SmallSmtp) -> None:
    send(server, username="referee", token=lambda: "good")
    assert len(server.taken) == 1


def test_a_wrong_password_closes_the_post_and_no_letter_is_to_blame(server: SmallSmtp) -> None:
    closed = refusal(send(server, username="referee", password="wrong"))
    assert isinstance(closed, PostClosed)
    assert (closed.code, closed.temporary, closed.uncertain) == (535, True, False)
    assert "correct [outbox] username or password" in str(closed)
    assert "MAIL" not in server.words


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        (
            "AUTH",
            "535 5.7.139 Authentication unsuccessful, basic authentication is disabled. Contact your administrator.",
        ),
        (
            "AUTH",
            "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.",
        ),
        ("AUTH", "550 5.7.30 Basic authentication is not supported for Client Submission."),
        ("MAIL", "530 5.7.57 Client not authenticated to send mail."),
        ("RCPT", "535 5.7.139 Authentication unsuccessful, basic authentication is disabled."),
    ],
)
@pytest.mark.parametrize("token", [False, True])
def test_a_server_that_takes_passwords_no_more_names_the_command_for_tokens(
    server: SmallSmtp, word: str, answer: str, token: bool
) -> None:
    server.answers[word] = [answer]
    by = {"token": lambda: "good"} if token else {"password": "secret"}
    closed = refusal(send(server, username="referee", **by))
    assert isinstance(closed, PostClosed)
    assert "[outbox] token_command" in str(closed) and "allow authenticated SMTP" in str(closed)
    assert ("passwords are no longer taken" in str(closed)) is not token


def test_a_command_that_gives_no_token_closes_the_post_and_says_why(server: SmallSmtp) -> None:
    def token() -> str:
        raise TokenRefused("token_command oama failed (exit status 1): consent has expired")

    closed = refusal(send(server, username="referee", token=token))
    assert isinstance(closed, PostClosed)
    assert "cannot be logged in to" in str(closed) and "consent has expired" in str(closed)


def test_a_refused_token_names_the_setting(server: SmallSmtp) -> None:
    closed = refusal(send(server, username="referee", token=lambda: "stale"))
    assert isinstance(closed, PostClosed)
    assert "token_command" in str(closed)


def test_a_server_that_wants_a_login_first_closes_the_post(server: SmallSmtp) -> None:
    server.answers["MAIL"] = ["530 5.7.0 authentication required"]
    assert isinstance(refusal(send(server)), PostClosed)


@pytest.mark.parametrize("word", ["MAIL", "RCPT", "DATA", "END"])
def test_4xx_is_temporary_and_the_next_letter_goes_on_the_same_connection(
    server: SmallSmtp, word: str
) -> None:
    server.answers[word] = ["451 4.3.0 later"]
    first, second = send(server, Waiting.make(1), Waiting.make(2))
    assert isinstance(first, DeliveryRefused)
    assert (first.code, first.temporary, first.uncertain) == (451, True, False)
    assert isinstance(second, str)
    assert [taken.recipient for taken in server.taken] == ["<player2@example.net>"]
    assert server.connections == 1


@pytest.mark.parametrize("word", ["RCPT", "DATA", "END"])
def test_5xx_is_permanent(server: SmallSmtp, word: str) -> None:
    server.answers[word] = ["550 5.1.1 never"]
    refused = refusal(send(server))
    assert not isinstance(refused, PostClosed)
    assert (refused.code, refused.temporary) == (550, False)
    assert "550 5.1.1 never" in str(refused)


@pytest.mark.parametrize(
    "answer", ["550 5.1.8 no such sender", "553 5.7.1 not owned by user referee", "554 no"]
)
def test_a_server_that_refuses_the_sender_closes_the_post(server: SmallSmtp, answer: str) -> None:
    """All letters have the same one: each would be refused, and none is to blame."""
    server.answers["MAIL"] = [answer]
    closed = refusal(send(server))
    assert isinstance(closed, PostClosed)
    assert answer in str(closed) and "[service] address" in str(closed)


@pytest.mark.parametrize(
    ("word", "answer", "speaks"),
    [
        ("RCPT", "550 no such user", "address"),
        ("RCPT", "550 5.1.1 no such user", "address"),
        ("RCPT", "552 mailbox full", "address"),
        ("RCPT", "552 5.3.4 too big", "size"),
        ("RCPT", "450 greylisted", "address"),
        ("MAIL", "552 too big", "size"),
        ("MAIL", "501 what?", "service"),
        ("DATA", "451 not now", "service"),
        ("DATA", "554 no valid recipients", "service"),
        ("END", "552 too big", "size"),
        ("END", "552 5.3.4 too big", "size"),
        ("END", "550 5.2.3 too big", "size"),
        ("END", "552 5.2.2 mailbox full", "address"),
        ("END", "552-5.7.0 blocked\r\n552 5.7.0 see our pages", "service"),
        ("END", "554 looks like an advertisement", "content"),
        ("END", "451 not now", "content"),
        ("END", "550 5.7.515 access denied, the sender does not authenticate", "service"),
        ("END", "550-5.7.26 unauthenticated\r\n550 5.7.26 see our pages", "service"),
    ],
)
def test_what_is_kept_of_a_refusal_tells_what_it_speaks_of(
    server: SmallSmtp, word: str, answer: str, speaks: str
) -> None:
    server.answers[word] = [answer]
    refused = refusal(send(server))
    assert not isinstance(refused, PostClosed)
    assert speaks_of(status_among_words(str(refused))) == speaks_of(refused.status) == speaks
    is_size = speaks == "size" or (answer.startswith("552") and "5.7.0" not in answer)
    assert refused.too_large is is_size, (
        "a mailbox that is full for one letter may have room for a smaller one"
    )


@pytest.mark.parametrize("loss", [HANG_UP, "421 4.4.2 you have been here for long"])
@pytest.mark.parametrize("word", ["MAIL", "RCPT"])
def test_a_kept_connection_that_has_ended_is_replaced_at_once(
    server: SmallSmtp, word: str, loss: str
) -> None:
    server.answers[word] = ["", loss]
    assert [type(outcome) for outcome in send(server, Waiting.make(1), Waiting.make(2))] == [str, str]
    assert len(server.taken) == 2
    assert server.connections == 2


@pytest.mark.parametrize("word", ["MAIL", "RCPT"])
def test_a_fresh_connection_that_is_lost_puts_the_letter_off(server: SmallSmtp, word: str) -> None:
    server.answers[word] = [HANG_UP]
    refused = refusal(send(server))
    assert not isinstance(refused, PostClosed)
    assert (refused.temporary, refused.uncertain) == (True, False)


def test_a_connection_lost_after_the_letter_leaves_it_uncertain(server: SmallSmtp) -> None:
    server.answers["END"] = [HANG_UP]
    first, second = send(server, Waiting.make(1), Waiting.make(1))
    assert isinstance(first, DeliveryRefused)
    assert (first.temporary, first.uncertain) == (True, True)
    assert isinstance(second, str)
    assert server.taken[0] == server.taken[1]  # the same bytes again


def test_no_answer_after_the_letter_leaves_it_uncertain(server: SmallSmtp) -> None:
    server.answers["END"] = [SILENCE]
    assert refusal(send(server, patience=0.1)).uncertain


def test_being_stopped_after_the_letter_leaves_it_uncertain(server: SmallSmtp) -> None:
    server.answers["END"] = [SILENCE]

    async def stopped() -> None:
        task = asyncio.create_task(SmtpPost(submission(server)).send(Waiting.make(1)))
        await until_soon(lambda: server.taken)
        task.cancel()
        await task

    with pytest.raises(DeliveryRefused) as trouble:
        asyncio.run(stopped())
    assert trouble.value.uncertain


def test_being_stopped_before_the_letter_is_no_try(server: SmallSmtp) -> None:
    server.answers["MAIL"] = [SILENCE]

    async def stopped() -> None:
        task = asyncio.create_task(SmtpPost(submission(server)).send(Waiting.make(1)))
        await until_soon(lambda: "MAIL" in server.words)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stopped())


def test_a_server_that_is_not_there_closes_the_post(server: SmallSmtp) -> None:
    closed = refusal(send(server, port=free_port()))
    assert isinstance(closed, PostClosed)
    assert "refuses connections" in str(closed)


def test_an_unknown_host_closes_the_post(server: SmallSmtp) -> None:
    closed = refusal(send(server, host="smtp.invalid"))
    assert isinstance(closed, PostClosed)
    assert "there is no host smtp.invalid" in str(closed)


def test_a_silent_server_closes_the_post(server: SmallSmtp) -> None:
    server.answers["CONNECT"] = [SILENCE]
    closed = refusal(send(server, timeout=0.1))
    assert isinstance(closed, PostClosed)
    assert "does not answer" in str(closed)


def test_a_server_that_turns_everybody_away_closes_the_post(server: SmallSmtp) -> None:
    server.answers["CONNECT"] = ["554 5.3.2 not today"]
    closed = refusal(send(server))
    assert isinstance(closed, PostClosed)
    assert closed.code == 554
    assert closed.temporary


@pytest.mark.parametrize("word", ["CONNECT", "EHLO", "RCPT", "END"])
@pytest.mark.parametrize(
    "endless", ["250 " + "x" * 1_000_000, "250-more\r\n" * 100_000], ids=["line", "lines"]
)
def test_an_answer_without_end_is_cut_off_and_the_letter_is_tried_again(
    server: SmallSmtp, word: str, endless: str
) -> None:
    server.answers[word] = [endless] * 2
    refused = refusal(send(server))
    assert refused.temporary
    assert len(str(refused)) < 20_000


def test_a_server_without_starttls_gets_no_password(server: SmallSmtp) -> None:
    closed = refusal(send(server, security="starttls", username="referee", password="secret"))
    assert isinstance(closed, PostClosed)
    assert "offers no STARTTLS" in str(closed)
    assert "AUTH" not in server.words


def test_tls_to_a_port_without_it_names_the_setting(server: SmallSmtp) -> None:
    closed = refusal(send(server, security="tls"))
    assert isinstance(closed, PostClosed)
    assert "does not speak TLS" in str(closed)


def test_an_address_with_letters_beyond_ascii_needs_a_server_that_takes_it(server: SmallSmtp) -> None:
    refused = refusal(send(server, Waiting.make(1, "jürgen@example.net")))
    assert not refused.temporary
    server.extensions.append("SMTPUTF8")
    send(server, Waiting.make(1, "jürgen@example.net"))
    assert server.taken[0].recipient == "<jürgen@example.net>"


def test_an_address_with_a_line_end_is_refused_and_harms_nobody(server: SmallSmtp) -> None:
    refused = refusal(send(server, Waiting.make(1, "a@example.net>\r\nRCPT TO:<b@example.net")))
    assert not refused.temporary
    assert server.taken == []


def test_passwords_are_sent_without_tls_to_this_machine_only() -> None:
    with pytest.raises(SettingsError, match="security"):
        Submission(host="smtp.example.org", port=25, username="referee", security="none")
    Submission(host="smtp.example.org", port=25, security="none")


def test_secrets_are_not_in_the_repr() -> None:
    assert "hidden word" not in repr(Submission(host="localhost", port=587, password="hidden word"))


def test_probing_logs_in_and_tells_the_extensions(server: SmallSmtp) -> None:
    async def probing() -> str:
        post = SmtpPost(submission(server, username="referee", password="secret"))
        told = await post.probe()
        await post.close()
        return told

    assert "8bitmime" in asyncio.run(probing())
    assert "AUTH" in server.words


@given(st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b".", b"..", b"a", b"\xe9"])).map(b"".join))
def test_lines_and_dots_become_what_the_library_makes_of_them(content: bytes) -> None:
    expected = PERIOD_REGEX.sub(b"..", normalize_message_line_endings(content))
    assert as_data(content) + b"\r\n" == expected
