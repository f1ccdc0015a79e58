"""A connection to an IMAP server: connect, log in, select a folder. Errors become a sentence.

The library is untyped and blocks; only this module and `imap` use it.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from referee.common.errors import MailboxClosed, SettingsError, TokenRefused
from referee.mail.inbox.imap_answers import Answers, AnswerTooLarge, AnswerTooSlow, Client

Security = Literal["tls", "starttls", "none"]

TROUBLE = (
    IMAPClientError,
    OSError,
    ValueError,
    LookupError,
    ArithmeticError,
    TypeError,
    AttributeError,
    RecursionError,
    MemoryError,
)
"""What the library raises: its own errors, the network's, its parser's, and MemoryError for a huge answer.

An IMAPClientError that is no IMAPClientAbortError is a refusal and leaves the connection usable.
"""

LONGEST_ANSWER = 300
"""Most characters of a server's answer that are quoted."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server says about itself. prefix: how every folder's name except INBOX begins, often ""."""

    capabilities: tuple[str, ...]
    folders: tuple[str, ...]
    delimiter: str
    prefix: str

    def folder_name(self, name: str) -> str:
        """Return the server's name for a folder, which the settings give with slashes and without prefix."""
        if name.upper() == "INBOX":
            return name
        if self.delimiter:
            name = name.strip("/").replace("/", self.delimiter)
        return name if name.startswith(self.prefix) else self.prefix + name


@dataclass
class Line:
    """One connection, logged in, with its folder selected."""

    client: Any
    uidvalidity: int
    facts: ServerFacts
    keeps_keywords: bool
    idling_since: float = 0.0
    """When IDLE began (monotonic seconds); 0 when it has not."""

    def can(self, capability: str) -> bool:
        """Return whether the server has a capability, named in capitals."""
        return capability in self.facts.capabilities

    def drop(self) -> None:
        """Close the connection without saying goodbye."""
        with suppress(*TROUBLE):
            self.client.shutdown()


@dataclass(frozen=True, slots=True)
class Account:
    """Where and how to log in.

    password or token: token returns an OAuth2 access token (XOAUTH2).
    folder: letters are read there.
    done: handled letters go below it, by month.
    timeout: seconds for each answer; see `imap_answers`.
    """

    host: str
    port: int
    username: str
    security: Security = "tls"
    password: str = field(default="", repr=False)
    token: Callable[[], str] | None = field(default=None, repr=False)
    folder: str = "INBOX"
    done: str = "Done"
    timeout: float = 30.0
    ssl_context: ssl.SSLContext | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.security == "none" and not (
            self.host in ("localhost", "::1") or self.host.startswith("127.")
        ):
            raise SettingsError(
                f'[inbox] security = "none" would send the password to {self.host} for everybody to read; '
                'use "tls" or "starttls" ("none" is for a server on this machine)'
            )

    @property
    def where(self) -> str:
        """The server in words."""
        return f"the mailbox server {self.host}:{self.port}"


def dial(account: Account, most: int) -> Line:
    """Connect, log in and select the folder.

    most: bytes of letters that one answer may hold.
    Raises MailboxClosed, or one of TROUBLE (see `closed`).
    """
    context = None
    if account.security == "tls":
        context = account.ssl_context or ssl.create_default_context()
    answers = Answers(most, account.timeout)
    client = Client(account.host, account.port, answers, context=context, timeout=account.timeout)
    try:
        client.normalise_times = False  # else times come without their zone
        if account.security == "starttls":
            _start_tls(client, account)
        _log_in(client, account)
        facts = _ask(client)
        selected = _select(client, account, facts)
        client.socket().setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    except BaseException:
        with suppress(*TROUBLE):
            client.shutdown()
        raise
    keywords = selected.get(b"PERMANENTFLAGS", ())
    return Line(client, int(selected[b"UIDVALIDITY"]), facts, keeps_keywords=b"\\*" in keywords)


def _token(account: Account) -> str:
    assert account.token is not None
    try:
        return account.token()
    except TokenRefused as error:
        raise MailboxClosed(f"{account.where} cannot be logged in to: {error}") from error


def _start_tls(client: Any, account: Account) -> None:
    if not client.has_capability("STARTTLS"):
        raise MailboxClosed(
            f"{account.where} offers no STARTTLS; "
            'set [inbox] security = "tls" with the port for it, mostly 993',
            permanent=True,
        )
    client.starttls(account.ssl_context or ssl.create_default_context())


def _log_in(client: Any, account: Account) -> None:
    reason = b""
    try:
        if account.token is not None:
            greeting = f"user={account.username}\1auth=Bearer {_token(account)}\1\1".encode()
            answers = iter([greeting])

            def answer(challenge: bytes) -> bytes:
                # A second challenge carries the reason for a refusal and requires an empty answer.
                nonlocal reason
                reason = challenge
                return next(answers, b"")

            client.sasl_login("XOAUTH2", answer)
        elif account.username.isascii() and account.password.isascii():
            if client.has_capability("LOGINDISABLED"):
                raise MailboxClosed(
                    f'{account.where} takes no password without TLS; set [inbox] security = "starttls"',
                    permanent=True,
                )
            client.login(account.username, account.password)
        else:
            plain = f"\0{account.username}\0{account.password}".encode()
            client.sasl_login("PLAIN", lambda _: plain)
    except LoginError as error:
        if isinstance(error.__context__, IMAPClientAbortError):
            raise error.__context__ from error  # the connection was lost: this says nothing about the password
        detail = reason.decode(errors="replace").strip()
        raise _login_refused(account, f"{answer_of(error)} {detail}".strip()) from error


def _login_refused(account: Account, answer: str) -> MailboxClosed:
    # Servers say these about accounts in good order, so waiting helps.
    if any(word in answer.upper() for word in ("UNAVAILABLE", "LIMIT", "INUSE", "TOO MANY")):
        return MailboxClosed(f"{account.where} lets nobody in at the moment: {answer}")
    if account.token is not None:
        cure = "see that [inbox] token_command prints a valid access token for this account"
    elif account.host.lower().endswith(("office365.com", "outlook.com")):
        cure = (
            "passwords are no longer taken there: let [inbox] token_command print an access token "
            "(deploy/README.md, section 2)"
        )
    elif account.host.endswith(("gmail.com", "googlemail.com")):
        cure = (
            "Gmail needs an app password: switch on 2-step verification, make one (16 letters) "
            "and set it as [inbox] password"
        )
    else:
        cure = "correct [inbox] username or password"
    return MailboxClosed(
        f"{account.where} refused the login of {account.username} ({answer}); {cure}", permanent=True
    )


def _ask(client: Any) -> ServerFacts:
    """Ask for capabilities (after login, since they change with it), folders and how folders are named."""
    capabilities = tuple(word.decode("ascii", "replace") for word in client.capabilities())
    listed = client.list_folders()
    delimiter = next((mark.decode("ascii", "replace") for _, mark, _ in listed if mark), "")
    prefix = ""
    if "NAMESPACE" in capabilities:
        personal = client.namespace().personal
        if personal:
            prefix, delimiter = personal[0][0], personal[0][1] or delimiter
    return ServerFacts(capabilities, tuple(sorted(str(name) for _, _, name in listed)), delimiter, prefix)


def _select(client: Any, account: Account, facts: ServerFacts) -> Mapping[bytes, Any]:
    folder = facts.folder_name(account.folder)
    try:
        selected: Mapping[bytes, Any] = client.select_folder(folder)
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        raise MailboxClosed(
            f"{account.where} has no folder {folder!r} for {account.username} ({answer_of(error)}); "
            f"set [inbox] folder to one of: {', '.join(facts.folders)}",
            permanent=True,
        ) from error
    return selected


def answer_of(error: Exception) -> str:
    """Return a server's answer, without the library's bytes literal marks, and cut to LONGEST_ANSWER."""
    text = str(error)
    text = text[2:-1] if text.startswith(("b'", 'b"')) else text
    return text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}…"


def closed(account: Account, error: Exception) -> MailboxClosed:
    """Return in a sentence what went wrong with a connection, and the cure."""
    where, security = account.where, account.security
    match error:
        case MailboxClosed():
            return error
        case ssl.SSLCertVerificationError():
            text = (
                f"the certificate of {where} is not trusted ({error.verify_message}); correct [inbox] host, "
                "or install the authority's certificate on this machine"
            )
        case ssl.SSLError():
            text = (
                f"{where} does not speak TLS as expected ({error.reason or error}); "
                f'[inbox] security is "{security}": "tls" goes with port 993, "starttls" with 143'
            )
        case AnswerTooLarge():
            text = f"{where} sends more than an answer may have ({error}), so it was cut off; see the server's log"
        case AnswerTooSlow():
            text = (
                f"{where} gives its answer too slowly and was cut off; see the network, and the server's log"
            )
        case TimeoutError():
            text = f"{where} does not answer; see whether host, port and network are right"
        case socket.gaierror():
            text = f"there is no host {account.host} ({error.strerror}); correct [inbox] host"
        case ConnectionRefusedError():
            text = f"{where} refuses connections; see whether the server runs and [inbox] port is right"
        case OSError():
            text = f"the connection to {where} was lost ({error.strerror or error}); see the network"
        case MemoryError():
            text = f"the memory does not suffice for what {where} sent; it will be tried again"
        case IMAPClientAbortError():
            text = f"{where} ended the connection ({answer_of(error)}); it will be tried again"
        case IMAPClientError():
            text = f"{where} refused a command ({answer_of(error)}); see the server's log"
        case _:
            text = f"{where} answered what cannot be read ({answer_of(error)}); see the server's log"
    return MailboxClosed(text)
