"""Delivery over SMTP: the only module with its own connections in an event loop."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPResponse,
    SMTPResponseException,
    SMTPServerDisconnected,
)

from referee.common.errors import DeliveryRefused, SettingsError, TokenRefused
from referee.mail.message.delivery_status import (
    ADDRESS_BEYOND_ASCII,
    ADDRESS_ODD,
    LINE_LOST,
    Step,
    smaller_may_do,
    status_at,
)
from referee.mail.outbox.retry import is_temporary
from referee.mail.outbox.transport import PostClosed, Posting

Security = Literal["tls", "starttls", "none"]

UNAVAILABLE = 421
LOGIN_CODES = frozenset({454, 530, 534, 535, 538})
"""Answers about us and not about the letter: log in (differently) first."""
SENDER_CODES = frozenset({550, 551, 553, 554})
"""Answers to MAIL that refuse the sender, not the command's syntax."""
GO_ON = 354
TAKEN = range(200, 300)

_NO_PASSWORDS = re.compile(r"5\.7\.(?:139|57)\b|basic authentication|SmtpClientAuthentication", re.IGNORECASE)
"""Microsoft 365's answers where passwords, or authenticated SMTP at all, are switched off."""

_ODD = re.compile(r"[\x00-\x20\x7f<>]")

GOODBYE = 0.3
"""Seconds that a server has for its last word."""
PIECE = 1 << 15
"""Bytes of a letter that are sent at a time."""
LOOK_AGAIN = 0.01
"""Seconds between two checks whether a server has read on, for letters longer than the buffers between us."""


@dataclass(frozen=True, slots=True)
class Submission:
    """Where and how letters are delivered.

    username: empty for no login. password or token: token returns an OAuth2 access token (XOAUTH2).
    timeout: seconds for each answer but the last.
    patience: seconds for the last answer, after the whole letter was sent. Giving up early would mean sending
        it twice.
    """

    host: str
    port: int
    username: str = ""
    security: Security = "starttls"
    password: str = field(default="", repr=False)
    token: Callable[[], str] | None = field(default=None, repr=False)
    ssl_context: ssl.SSLContext | None = field(default=None, repr=False)
    timeout: float = 60.0
    patience: float = 600.0

    def __post_init__(self) -> None:
        here = self.host in ("localhost", "::1") or self.host.startswith("127.")
        if self.security == "none" and self.username and not here:
            raise SettingsError(
                f'[outbox] security = "none" would send the password to {self.host} for everybody to read; '
                'use "tls" or "starttls" ("none" with a login is for a server on this machine)'
            )

    @property
    def is_microsofts(self) -> bool:
        """Whether the server is Microsoft's."""
        return self.host.lower().endswith(("office365.com", "outlook.com", "office.com"))

    @property
    def cure_at_microsoft(self) -> str:
        """The cure for a login that Microsoft 365 refuses."""
        if self.token is None:
            return (
                "passwords are no longer taken there: let [outbox] token_command print an access token, and have the "
                "administrator allow authenticated SMTP for the mailbox (deploy/README.md, section 2)"
            )
        return (
            "see that [outbox] token_command prints a valid access token for this account with the right SMTP.Send, "
            "and have the administrator allow authenticated SMTP for the mailbox (deploy/README.md, section 2)"
        )

    @property
    def where(self) -> str:
        """The server in words."""
        return f"the mail server {self.host}:{self.port}"


class SmtpPost:
    """A submission server as a way out. Connections are made on demand and kept until `close`."""

    def __init__(self, submission: Submission, *, lanes: int = 3) -> None:
        self._submission = submission
        self._lanes = lanes
        self._free: list[SMTP] = []
        self.connections = 0
        """How many connections were made up to now."""

    @property
    def lanes(self) -> int:
        return self._lanes

    async def send(self, posting: Posting) -> str:
        if self._free:
            try:
                return await self._post(self._free.pop(), posting)
            except _ConnectionWorn:
                # Servers end connections after a while, or after a number of letters.
                pass
        try:
            return await self._post(await self._connect(), posting)
        except _ConnectionWorn as error:
            raise error.refusal from error

    async def close(self) -> None:
        """Say goodbye, and leave no socket open behind a loop that ends after this."""
        clients, self._free = self._free, []
        await asyncio.gather(*map(_say_goodbye, clients))
        await asyncio.sleep(0)  # a closed connection releases its socket in the loop's next turn

    async def probe(self) -> str:
        """Connect and log in, and return the server's own list of extensions; raises PostClosed."""
        client = await self._connect()
        self._free.append(client)
        return " ".join(sorted(client.esmtp_extensions))

    async def _connect(self) -> SMTP:
        submission = self._submission

        async def token() -> str:
            assert submission.token is not None
            try:
                return await asyncio.to_thread(submission.token)
            except TokenRefused as error:
                raise PostClosed(f"{submission.where} cannot be logged in to: {error}") from error

        context = submission.ssl_context
        if context is None and submission.security != "none":
            context = ssl.create_default_context()
        by_token = submission.token is not None
        client = _Connection(
            hostname=submission.host,
            port=submission.port,
            username=submission.username or None,
            password=None if by_token else submission.password or None,
            oauth_token_generator=token if by_token else None,
            # The library would ask the name service for our name; that can take a while.
            local_hostname="[127.0.0.1]",
            use_tls=submission.security == "tls",
            start_tls=submission.security == "starttls",
            tls_context=context,
            timeout=submission.timeout,
        )
        try:
            await client.connect()
            if client.is_ehlo_or_helo_needed:
                await client.ehlo()
        except PostClosed:
            client.close()
            raise
        except (SMTPException, OSError, ValueError) as error:
            client.close()
            raise _closed(submission, error) from error
        self.connections += 1
        return client

    async def _post(self, client: SMTP, posting: Posting) -> str:
        """Send one letter on a connection, which is kept if it is still usable afterwards."""
        try:
            await self._address(client, posting)
            answer = await self._hand_over(client, posting)
        except DeliveryRefused as refusal:
            if isinstance(refusal, PostClosed) or not await _is_sound(client, self._submission.timeout):
                client.close()
            else:
                self._free.append(client)
            raise
        except BaseException:
            client.close()
            raise
        self._free.append(client)
        return answer

    async def _address(self, client: SMTP, posting: Posting) -> None:
        """Send the envelope. Up to here a lost connection has done no harm."""
        for address in (posting.sender, posting.recipient):
            if _ODD.search(address):
                # The library would make another address of it and send the letter there.
                raise _never("the address holds spaces, brackets or line ends", ADDRESS_ODD)
        self._check_size(client, posting.content)
        options = [f"size={len(posting.content)}"] if client.supports_extension("size") else []
        if not posting.content.isascii() and client.supports_extension("8bitmime"):
            options.append("body=8bitmime")
        encoding = "ascii"
        if not (posting.sender.isascii() and posting.recipient.isascii()):
            if not client.supports_extension("smtputf8"):
                raise _never(
                    f"{self._submission.where} takes no address with letters beyond ASCII",
                    ADDRESS_BEYOND_ASCII,
                )
            options.append("smtputf8")
            encoding = "utf-8"
        with self._at("MAIL"):
            await client.mail(posting.sender, options=options, encoding=encoding)
        with self._at("RCPT"):
            await client.rcpt(posting.recipient, encoding=encoding)

    def _check_size(self, client: SMTP, content: bytes) -> None:
        """Refuse a letter larger than the server says it accepts (RFC 1870)."""
        most = client.esmtp_extensions.get("size", "").strip()
        if most.isdecimal() and 0 < int(most) < len(content):
            status = "5.3.4"
            raise DeliveryRefused(
                f"{self._submission.where} takes no letter of more than {most} bytes ({status}), and this one has "
                f"{len(content)}",
                temporary=False,
                status=status,
                too_large=True,
            )

    async def _hand_over(self, client: SMTP, posting: Posting) -> str:
        """Send the letter itself.

        It cannot have been accepted before its last line is sent. After that, without a proper answer, it may
        have been.
        """
        patience = self._submission.patience
        with self._at("DATA"):
            _check(await client.execute_command(b"DATA"), GO_ON)
        try:
            with self._at("END"):
                answer = await _send_text(client, posting.content, patience)
        except BaseException:
            client.close()  # the server still waits for the rest, and would take any command for it
            raise
        try:
            with self._at("END"):
                response = await asyncio.wait_for(answer, patience)
                _check(response, *TAKEN)
        except (_ConnectionWorn, asyncio.CancelledError) as error:
            client.close()
            why = error.why if isinstance(error, _ConnectionWorn) else "we were stopped"
            raise DeliveryRefused(
                f"{self._submission.where} has perhaps taken the letter ({LINE_LOST}): its answer did not come ({why})",
                temporary=True,
                uncertain=True,
                status=LINE_LOST,
            ) from error
        return response.message

    @contextmanager
    def _at(self, step: Step) -> Iterator[None]:
        """Turn an error at a step of the dialogue into a refusal.

        A lost connection, or an answer that is no SMTP, becomes _ConnectionWorn.
        """
        where = self._submission.where
        try:
            yield
        except SMTPResponseException as error:
            is_refusal = 400 <= error.code <= 599 and (step == "END" or error.code != UNAVAILABLE)
            if not is_refusal:
                raise _worn(where, f"it said {error.code} {error.message}") from error
            raise self._refusal(step, error) from error
        except (SMTPServerDisconnected, OSError) as error:
            raise _worn(where, str(error) or "no answer in time") from error
        except ValueError as error:
            raise _never(f"the address cannot be written in SMTP ({error})", ADDRESS_ODD) from error

    def _refusal(self, step: Step, error: SMTPResponseException) -> DeliveryRefused:
        """Return the meaning of an answer that refuses something (400 to 599)."""
        status = status_at(step, error.code, error.message)
        too_large = smaller_may_do(error.code, status)
        if error.code in LOGIN_CODES:
            return _closed(self._submission, error)
        if step == "MAIL" and error.code in SENDER_CODES and not too_large:
            # All our letters have one sender: the next would fare no better.
            return PostClosed(
                f"{self._submission.where} takes no letter from this service's address "
                f"({error.code} {error.message}); see that [outbox] username may send as [service] address",
                code=error.code,
            )
        said = "" if status and status in error.message else f" ({status})" if status else ""
        return DeliveryRefused(
            f"{self._submission.where} refused the letter{said}: {error.code} {error.message}",
            code=error.code,
            temporary=is_temporary(error.code, error.message),
            status=status,
            too_large=too_large,
        )


def _check(response: SMTPResponse, *wanted: int) -> None:
    """Raise SMTPResponseException for an unwanted answer."""
    if response.code not in wanted:
        raise SMTPResponseException(response.code, response.message)


def as_data(content: bytes) -> bytes:
    """Return a letter as DATA carries it, without its last line end: lines end with CRLF, and a leading dot is doubled.

    The library does the same with regular expressions, which takes most of the time of sending a letter.
    """
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n")
    return (b"\n" + lines).replace(b"\n.", b"\n..").replace(b"\n", b"\r\n")[2:]


async def _send_text(client: SMTP, content: bytes, patience: float) -> asyncio.Future[SMTPResponse]:
    """Send a letter's text, then the line that ends it; return the answer to that, to be awaited.

    The text is sent piece by piece, and its end not before everything else is gone. So for a long letter it
    is often known that a lost connection has carried only half of it. Raises the server's answer before the
    end, or TimeoutError.
    """
    protocol = client.protocol
    if protocol is None or not isinstance(protocol.transport, asyncio.WriteTransport):
        raise SMTPServerDisconnected("Connection lost")
    transport = protocol.transport
    text = as_data(content)
    answer = asyncio.ensure_future(protocol.read_response())
    try:
        async with asyncio.timeout(patience):
            for at in range(0, len(text), PIECE):
                protocol.write(text[at : at + PIECE])
                await asyncio.sleep(0)
                while not answer.done() and transport.get_write_buffer_size():
                    await asyncio.wait([answer], timeout=LOOK_AGAIN)
                if answer.done():
                    _check(answer.result())  # no answer at this point accepts the letter
        protocol.write(b"\r\n.\r\n")
    except BaseException:
        answer.cancel()
        await asyncio.wait([answer])
        raise
    return answer


class _Connection(SMTP):
    """A connection that is gone at once when we or the library close it.

    Over TLS it would otherwise wait for the server to say goodbye, and stay open when the loop ends before
    that.
    """

    def close(self) -> None:
        transport = self.transport
        super().close()
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()


class _ConnectionWorn(Exception):
    """A connection ended before the letter was sent; a fresh one may work. why: in a few words."""

    def __init__(self, refusal: DeliveryRefused, why: str) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.why = why


def _worn(where: str, why: str) -> _ConnectionWorn:
    text = f"{where} was lost before it took the letter ({LINE_LOST}): {why}"
    return _ConnectionWorn(DeliveryRefused(text, temporary=True, status=LINE_LOST), why)


def _never(why: str, status: str) -> DeliveryRefused:
    """Return the refusal of a letter that no server is asked about."""
    return DeliveryRefused(f"{why} ({status})", temporary=False, status=status)


async def _say_goodbye(client: SMTP) -> None:
    with suppress(SMTPException, OSError):
        await client.quit(timeout=GOODBYE)
    client.close()


async def _is_sound(client: SMTP, timeout: float) -> bool:
    """Return whether a connection is usable after a refusal; the envelope is forgotten."""
    if not client.is_connected:
        return False
    try:
        await client.rset(timeout=timeout)
    except (SMTPException, OSError):
        return False
    return True


def _closed(submission: Submission, error: Exception) -> PostClosed:
    """Return in a sentence why nothing can be sent, and the cure."""
    where, security = submission.where, submission.security
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    code = error.code if isinstance(error, SMTPResponseException) else 0
    match cause:
        case ssl.SSLCertVerificationError():
            text = (
                f"the certificate of {where} is not trusted ({cause.verify_message}); correct [outbox] host, "
                "or install the authority's certificate on this machine"
            )
        case ssl.SSLError():
            text = (
                f"{where} does not speak TLS as expected ({cause.reason or cause}); "
                f'[outbox] security is "{security}": "tls" goes with port 465, "starttls" with 587'
            )
        case SMTPAuthenticationError():
            if _NO_PASSWORDS.search(cause.message) or submission.is_microsofts:
                cure = submission.cure_at_microsoft
            elif submission.token is not None:
                cure = "see that [outbox] token_command prints a valid access token for this account"
            elif submission.host.endswith(("gmail.com", "googlemail.com")):
                cure = "Gmail needs an app password (16 letters) as [outbox] password"
            else:
                cure = "correct [outbox] username or password"
            text = f"{where} refused the login of {submission.username} ({code} {cause.message}); {cure}"
        case SMTPResponseException() if _NO_PASSWORDS.search(cause.message):
            text = f"{where} lets us post nothing ({code} {cause.message}); {submission.cure_at_microsoft}"
        case SMTPResponseException():
            text = f"{where} lets us post nothing ({code} {cause.message}); see [outbox] and the server's log"
        case TimeoutError():
            text = f"{where} does not answer; see whether [outbox] host, port and security are right"
        case socket.gaierror():
            text = f"there is no host {submission.host} ({cause.strerror}); correct [outbox] host"
        case ConnectionRefusedError():
            text = f"{where} refuses connections; see whether the server runs and [outbox] port is right"
        case SMTPException() if "STARTTLS" in str(cause):
            text = (
                f'{where} offers no STARTTLS; set [outbox] security = "tls" with the port for it, mostly 465'
            )
        case _:
            text = f"{where} cannot be used ({cause}); see whether [outbox] host and port are right"
    return PostClosed(text, code=code)
