"""The mailbox and the outbox of the settings. The libraries for servers are loaded only where there is one."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pydantic import SecretStr

from referee.common.clock import Clock
from referee.mail.inbox.mailbox import Mailbox
from referee.mail.inbox.maildir import MaildirMailbox
from referee.mail.oauth import get_token
from referee.mail.outbox.maildir import MaildirPost
from referee.mail.outbox.transport import Post
from referee.service.settings import Inbox, Outbox


def open_mailbox(inbox: Inbox, clock: Clock) -> Mailbox:
    """Return the mailbox that letters come from."""
    if inbox.kind == "maildir":
        return MaildirMailbox(_folder(inbox.path), clock, size_limit=inbox.size_limit)
    from referee.mail.inbox.imap import ImapMailbox  # noqa: PLC0415 - imapclient
    from referee.mail.inbox.imap_connection import Account  # noqa: PLC0415

    account = Account(
        host=inbox.host,
        port=inbox.port,
        username=inbox.username,
        security=inbox.security,
        password=_said(inbox.password),
        token=_token(inbox.token_command),
        folder=inbox.folder,
        done=inbox.done,
        timeout=float(inbox.timeout),
        ssl_context=_trusting(inbox.ca_file),
    )
    return ImapMailbox(account, clock, size_limit=inbox.size_limit)


def open_post(outbox: Outbox) -> Post:
    """Return the way out for letters."""
    if outbox.kind == "maildir":
        return MaildirPost(_folder(outbox.path))
    from referee.mail.outbox.smtp import SmtpPost, Submission  # noqa: PLC0415 - aiosmtplib

    return SmtpPost(
        Submission(
            host=outbox.host,
            port=outbox.port,
            username=outbox.username,
            security=outbox.security,
            password=_said(outbox.password),
            token=_token(outbox.token_command),
            ssl_context=_trusting(outbox.ca_file),
            timeout=float(outbox.timeout),
        )
    )


def _folder(path: Path | None) -> Path:
    assert path is not None, "the settings were checked for it"
    return path


def _said(secret: SecretStr | None) -> str:
    return secret.get_secret_value() if secret is not None else ""


def _token(command: str) -> Callable[[], str] | None:
    return partial(get_token, command) if command else None


def _trusting(ca_file: Path | None) -> ssl.SSLContext | None:
    return ssl.create_default_context(cafile=ca_file) if ca_file is not None else None
