"""Posting over SMTP: the only module with its own connections in an event loop."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPResponseException,
    SMTPServerDisconnected,
)

from referee.errors import DeliveryRefused, SettingsError, TokenRefused
from referee.outbox.delivery import is_temporary
from referee.outbox.door import PostClosed, Posting

Security = Literal["tls", "starttls", "none"]

UNAVAILABLE = 421
LOGIN_CODES = frozenset({454, 530, 534, 535, 538})
"""Answers that speak of us and not of the letter: log in (otherwise) first."""

_ODD = re.compile(r"[\x00-\x20\x7f<>]")

GOODBYE = 0.3
"""Seconds that a server has for its last word."""


@dataclass(frozen=True, slots=True)
class Submission:
    """Where and as whom letters are handed over. An empty username: without login.

    password or token: the latter gives an OAuth2 access token (XOAUTH2). timeout: seconds for each answer but
    the last. patience: seconds for the last one, after the whole letter was sent: to give it up early would
    mean to send it twice.
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
    def where(self) -> str:
        """The server in words."""
        return f"the mail server {self.host}:{self.port}"


class SmtpPost:
    """A submission server as a way out. Connections are made when they are needed and kept until `close`."""

    def __init__(self, submission: Submission, *, lanes: int = 3) -> None:
        self._submission = submission
        self._lanes = lanes
        self._free: list[SMTP] = []
        self.connections = 0
        """How many connections were made so far."""

    @property
    def lanes(self) -> int:
        return self._lanes

    async def send(self, posting: Posting) -> str:
        if self._free:
            try:
                return await self._post(self._free.pop(), posting)
            except _ConnectionWorn:
                # Servers end connections that were kept for a while, or after a number of letters.
                pass
        try:
            return await self._post(await self._connect(), posting)
        except _ConnectionWorn as error:
            raise error.refusal from error

    async def close(self) -> None:
        """Say goodbye, and leave no socket open behind a loop that ends after this."""
        clients, self._free = self._free, []
        await asyncio.gather(*map(_say_goodbye, clients))
        await asyncio.sleep(0)  # a connection that was closed lets go of its socket in the loop's next turn

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
            # The library would ask the name service who we are; that can take its time.
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
        """Post one letter on a connection, which is kept if it is still sound afterwards."""
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
        """Say from whom and to whom. Up to here a lost connection has done no harm."""
        for address in (posting.sender, posting.recipient):
            if _ODD.search(address):
                # The library would make another address of it and send the letter there.
                raise DeliveryRefused("the address holds spaces, brackets or line ends", temporary=False)
        options = [f"size={len(posting.content)}"] if client.supports_extension("size") else []
        if not posting.content.isascii() and client.supports_extension("8bitmime"):
            options.append("body=8bitmime")
        encoding = "ascii"
        if not (posting.sender.isascii() and posting.recipient.isascii()):
            if not client.supports_extension("smtputf8"):
                raise DeliveryRefused(
                    f"{self._submission.where} takes no address with letters beyond ASCII", temporary=False
                )
            options.append("smtputf8")
            encoding = "utf-8"
        try:
            await client.mail(posting.sender, options=options, encoding=encoding)
            await client.rcpt(posting.recipient, encoding=encoding)
        except SMTPResponseException as error:
            if error.code == UNAVAILABLE:
                raise _ConnectionWorn(_refusal(self._submission, error)) from error
            if error.code in LOGIN_CODES:
                raise _closed(self._submission, error) from error
            raise _refusal(self._submission, error) from error
        except (SMTPServerDisconnected, OSError) as error:
            raise _ConnectionWorn(
                DeliveryRefused(
                    f"{self._submission.where} was lost before it took the letter ({error})", temporary=True
                )
            ) from error
        except ValueError as error:
            raise DeliveryRefused(
                f"the address cannot be written in SMTP ({error})", temporary=False
            ) from error

    async def _hand_over(self, client: SMTP, posting: Posting) -> str:
        """Send the letter itself. Where the answer is missing, it may have arrived all the same."""
        try:
            response = await client.data(posting.content, timeout=self._submission.patience)
        except SMTPResponseException as error:
            raise _refusal(self._submission, error) from error
        except (SMTPException, OSError, asyncio.CancelledError) as error:
            client.close()
            why = "we were stopped" if isinstance(error, asyncio.CancelledError) else str(error)
            raise DeliveryRefused(
                f"{self._submission.where} has perhaps taken the letter: its answer did not come ({why})",
                temporary=True,
                uncertain=True,
            ) from error
        return response.message


class _Connection(SMTP):
    """A connection that is gone at once when it is closed, by us or by the library.

    Over TLS it would otherwise wait for the server to take leave, and stay open when the loop ends before that.
    """

    def close(self) -> None:
        transport = self.transport
        super().close()
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()


class _ConnectionWorn(Exception):
    """A connection came to its end before the letter was sent; on a fresh one it may well go."""

    def __init__(self, refusal: DeliveryRefused) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


async def _say_goodbye(client: SMTP) -> None:
    with suppress(SMTPException, OSError):
        await client.quit(timeout=GOODBYE)
    client.close()


async def _is_sound(client: SMTP, timeout: float) -> bool:
    """Tell whether a connection can be used on after a refusal; the envelope is forgotten."""
    if not client.is_connected:
        return False
    try:
        await client.rset(timeout=timeout)
    except (SMTPException, OSError):
        return False
    return True


def _refusal(submission: Submission, error: SMTPResponseException) -> DeliveryRefused:
    answer = f"{error.code} {error.message}"
    return DeliveryRefused(
        f"{submission.where} refused the letter: {answer}",
        code=error.code,
        temporary=is_temporary(error.code, error.message),
    )


def _closed(submission: Submission, error: Exception) -> PostClosed:
    """Say in a sentence why nothing can be posted, and what to do about it."""
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
            if submission.token is not None:
                cure = "see that [outbox] token_command prints a valid access token for this account"
            elif submission.host.endswith(("gmail.com", "googlemail.com")):
                cure = "Gmail needs an app password (16 letters) as [outbox] password"
            else:
                cure = "correct [outbox] username or password"
            text = f"{where} refused the login of {submission.username} ({code} {cause.message}); {cure}"
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
