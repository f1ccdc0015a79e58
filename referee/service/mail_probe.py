"""`referee init` proves that mail comes and goes.

A letter is sent to the service's own address, with a reply tag like players' answers, and awaited in the
mailbox. What arrives shows most of what operators get wrong: login, ports, plus-addressing, headers that the
provider rewrites, folders, and who authenticates senders. The letter is moved to the `done` folder and
recorded nowhere. The daemon puts away one that was left behind (see `mail.message.probe_mark`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.utils import parseaddr

from referee.common.chance import new_tag
from referee.common.errors import DeliveryRefused, MailboxClosed
from referee.handlers.service_config import ServiceConfig
from referee.mail.inbox.imap import ImapMailbox
from referee.mail.inbox.mailbox import Mailbox
from referee.mail.inbox.maildir import MaildirMailbox
from referee.mail.message.addresses import find_tags, read_sender
from referee.mail.message.authentication import name_of_server
from referee.mail.message.headers import Headers
from referee.mail.message.message import OutgoingLetter, RawLetter
from referee.mail.message.mime_parts import open_header
from referee.mail.message.mime_writer import write_letter
from referee.mail.message.probe_mark import NONCE, write_mark, write_subject
from referee.mail.message.threading import read_message_id
from referee.mail.outbox.maildir import MaildirPost
from referee.mail.outbox.smtp import SmtpPost
from referee.mail.outbox.transport import Post, PostClosed, Posting
from referee.service.bootstrap import Application
from referee.service.dns import Records, ask_resolver, look_up
from referee.service.mail_connections import open_mailbox, open_post
from referee.service.settings import Inbox, Outbox

PATIENCE = 60.0
"""Seconds in which the letter has to arrive."""
PATIENCE_FOR_TAG = 40.0
"""Seconds after which a second letter goes to the address without a tag, to see which of the two arrives."""

TEXT = """\
The referee posted this letter to itself, to see whether mail comes and goes. There is nothing to do about it;
it may be deleted.
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. good: it is as it should be. blocks: the service cannot work without it."""

    text: str
    good: bool
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class TrialLetter:
    """The trial letter; see `transport.Posting`. mark: in its Subject and in its reply tag."""

    mark: str
    message_id: str
    sender: str
    recipient: str
    content: bytes = field(repr=False)
    id: int = 0
    tries: int = 0
    uncertain: int = 0

    def smaller(self) -> Iterator[tuple[str, Posting]]:
        """Yield nothing: a server that refuses this letter as too large accepts none of ours."""
        return iter(())


def probe_servers(
    application: Application, say: Callable[[str], None] = lambda _: None, records: Records = ask_resolver
) -> list[Finding]:
    """Test mailbox and outgoing mail and return the findings, each a sentence with its cure.

    say: called with the name of each step.
    records: queries the DNS about the service's domain.

    With a Maildir on either side, only reading and writing are tested. Nothing remains except the trial
    letter in the `done` folder. Raises SettingsError for impossible settings, and MailboxClosed when the
    mailbox is lost on the way.
    """
    mailbox = open_mailbox(application.settings.inbox, application.clock)
    post = open_post(application.settings.outbox)
    try:
        say("Trying the mailbox")
        found = try_mailbox(mailbox, application.settings.inbox)
        say("Trying the way out")
        found += try_post(post, application.settings.outbox)
        if any(finding.blocks for finding in found):
            return found
        if isinstance(mailbox, ImapMailbox) and isinstance(post, SmtpPost):
            found += _RoundTrip(application, mailbox, post, say).findings()
            say("Looking up the domain")
            found += (Finding(each.text, each.good) for each in look_up(application.service.address, records))
        return found
    finally:
        mailbox.close()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def try_mailbox(mailbox: Mailbox, inbox: Inbox) -> list[Finding]:
    """Open the mailbox and return the findings. inbox: its settings."""
    try:
        match mailbox:
            case MaildirMailbox():
                mailbox.probe()
                return [
                    Finding(f"Letters can be read from the Maildir {inbox.path} and put away there.", True)
                ]
            case ImapMailbox():
                able = mailbox.probe().capabilities
            case _:
                raise AssertionError("no such door")
    except MailboxClosed as error:
        return [Finding(_sentence(str(error)), False, blocks=True)]
    found = [
        Finding(
            f"{inbox.username} can log in at the mailbox server {inbox.host}:{inbox.port}, and the folder "
            f"{inbox.folder} is there.",
            True,
        )
    ]
    if "IDLE" not in able:
        found.append(
            Finding(
                "The mailbox server does not announce letters (no IDLE): it is asked again and again.", True
            )
        )
    return found


def try_post(post: Post, outbox: Outbox) -> list[Finding]:
    """Open the way out and return the findings. outbox: its settings."""

    async def log_in(post: SmtpPost) -> None:
        await post.probe()
        await post.close()

    try:
        match post:
            case MaildirPost():
                post.probe()
                return [Finding(f"Letters can be written into the Maildir {outbox.path}.", True)]
            case SmtpPost():
                asyncio.run(log_in(post))
            case _:
                raise AssertionError("no such door")
    except PostClosed as error:
        return [Finding(_sentence(str(error)), False, blocks=True)]
    who = f"{outbox.username} can log in at" if outbox.username else "There is, without login,"
    return [Finding(f"{who} the mail server {outbox.host}:{outbox.port}.", True)]


class _RoundTrip:
    """A letter goes out by SMTP and is awaited by IMAP."""

    def __init__(
        self, application: Application, mailbox: ImapMailbox, post: SmtpPost, say: Callable[[str], None]
    ) -> None:
        self._premises = application
        self._service = application.service
        self._mailbox = mailbox
        self._post = post
        self._say = say
        with application.store.reading() as lookup:
            self._key = lookup.service_key()

    def findings(self) -> list[Finding]:
        local, _, domain = self._service.address.rpartition("@")
        tagged_form = f"{local}+TAG@{domain}"
        tagged = self._write(tagged=True)
        refusal = self._hand_over(tagged)
        patience = PATIENCE
        if refusal is None:
            letter = self._await(tagged, PATIENCE_FOR_TAG)
            if letter is not None:
                return self._look_at(tagged, letter)
            patience -= PATIENCE_FOR_TAG
        elif isinstance(refusal, PostClosed):
            return [Finding(_sentence(str(refusal)), False, blocks=True)]
        plain = self._write(tagged=False)
        plain_refusal = self._hand_over(plain)
        if plain_refusal is not None:
            return [Finding(_sentence(str(plain_refusal)), False, blocks=True)]
        arrived = [each for each in (plain, tagged) if self._await(each, patience if each is plain else 0.0)]
        self._put_away(*arrived)
        if tagged in arrived:  # it was only slow
            return [Finding("The letter came, but late: the mail server takes its time.", True)]
        if plain in arrived:
            why = f" ({refusal})" if refusal else ""
            return [
                Finding(
                    f"Letters to {self._service.address} arrive, but those to {tagged_form} do not{why}, and players "
                    "answer to such addresses; switch plus-addressing on at your provider, or let every address "
                    "that begins so come to this mailbox.",
                    False,
                    blocks=True,
                )
            ]
        inbox = self._premises.settings.inbox
        return [
            Finding(
                f"A letter to {self._service.address} was taken by the mail server but did not come into the folder "
                f"{inbox.folder} of {inbox.username} within {PATIENCE:.0f} seconds; see that this address is "
                "delivered there, and look into the folder for spam.",
                False,
                blocks=True,
            )
        ]

    # Writing, posting, waiting

    def _write(self, *, tagged: bool) -> TrialLetter:
        service = self._service
        mark = write_mark(new_tag()[:NONCE], self._key)
        local, _, domain = service.address.rpartition("@")
        letter = OutgoingLetter(
            message_id=f"{mark}.probe@{service.domain}",
            recipient=f"{local}+probe-{mark}@{domain}" if tagged else service.address,
            recipient_name=service.name,
            kind="notice",
            subject=write_subject(mark),
            sent=self._premises.clock.now(),
            text=TEXT,
            reply_tag=mark,
            answers=False,
        )
        content = write_letter(letter, service_name=service.name, service_address=service.address)
        return TrialLetter(mark, letter.message_id, service.address, letter.recipient, content)

    def _hand_over(self, letter: TrialLetter) -> DeliveryRefused | None:
        """Send a letter; return the refusal, if it is refused."""

        async def send() -> None:
            try:
                await self._post.send(letter)
            finally:
                await self._post.close()

        self._say(f"Posting a letter to {letter.recipient}")
        try:
            asyncio.run(send())
        except DeliveryRefused as refusal:
            return refusal
        return None

    def _await(self, letter: TrialLetter, seconds: float) -> RawLetter | None:
        """Wait for a letter to arrive in the mailbox, at most `seconds`; None when it does not."""
        started = time.monotonic()
        while True:
            come = self._mailbox.with_subject(letter.mark)
            if come:
                return come[0]
            waited = time.monotonic() - started
            if waited >= seconds:
                return None
            self._say(f"Waiting for the letter to come back ({waited:.0f} s)")
            self._mailbox.wait(min(2.0, seconds - waited))

    def _put_away(self, *letters: TrialLetter) -> bool:
        """Move letters to the `done` folder; return whether they are gone from here."""
        for letter in letters:
            self._mailbox.handled(self._mailbox.with_subject(letter.mark))
        return not any(self._mailbox.with_subject(letter.mark) for letter in letters)

    # What the letter shows

    def _look_at(self, sent: TrialLetter, letter: RawLetter) -> list[Finding]:
        headers = open_header(letter.content or b"").headers
        inbox = self._premises.settings.inbox
        moved = self._put_away(sent)
        return [
            Finding(f"A letter to {sent.recipient} came back.", True),
            _tag_kept(headers, sent, self._service),
            _message_id_kept(headers, sent),
            _reply_to_kept(headers, sent, self._service),
            _from_kept(headers, self._service),
            _vouched_for(headers, self._service),
            Finding(f"It was moved to the folder {inbox.done}.", True)
            if moved
            else Finding(
                f"It could not be moved to the folder {inbox.done}: settled letters will stay in {inbox.folder}, "
                "marked as handled where the server allows it; set [inbox] done to a folder that can be made.",
                False,
            ),
        ]


def _tag_kept(headers: Headers, sent: TrialLetter, service: ServiceConfig) -> Finding:
    if f"probe-{sent.mark}" in find_tags(headers, service.address):
        return Finding("The reply tag was kept (plus-addressing).", True)
    return Finding(
        "The letter came, but its reply tag (plus-addressing) is in none of Delivered-To, X-Original-To and To; "
        "games are then found by the thread and the Subject. Have the mail host keep the tagged address.",
        False,
    )


def _message_id_kept(headers: Headers, sent: TrialLetter) -> Finding:
    came = read_message_id(headers)
    if came == sent.message_id:
        return Finding("The Message-ID was kept.", True)
    return Finding(
        f"The provider gave the letter another Message-ID ({came or 'none'}); answers are then matched by the name "
        "that the mail server tells, by the reply tag and by the Subject. Nothing needs to be done.",
        False,
    )


def _reply_to_kept(headers: Headers, sent: TrialLetter, service: ServiceConfig) -> Finding:
    local, _, domain = service.address.rpartition("@")
    came = parseaddr(headers.first("reply-to"))[1]
    if came.lower() == f"{local}+{sent.mark}@{domain}".lower():
        return Finding("Reply-To was kept.", True)
    return Finding(
        f"Reply-To was changed (to {came or 'nothing'}), so that answers will lack their tag; games are then found by "
        "the thread and the Subject. See whether the provider can be told to leave it.",
        False,
    )


def _from_kept(headers: Headers, service: ServiceConfig) -> Finding:
    came = read_sender(headers).address
    if came.lower() == service.address.lower():
        return Finding(f"Letters go out as {service.address}.", True)
    return Finding(
        f"The provider sends our letters as {came or 'nobody'}, not as {service.address}; set [service] address to "
        "what the account may send as, or allow the address in the account's settings.",
        False,
    )


def _vouched_for(headers: Headers, service: ServiceConfig) -> Finding:
    """Return whether the settings name a host that stamps incoming letters."""
    if service.trust == "header":
        return Finding('From headers are believed unchecked ([trust] sender = "header").', True)
    servers = [name for value in headers.all("authentication-results") if (name := name_of_server(value))]
    named = {name.lower() for name in service.authserv_ids}
    trusted = next((name for name in servers if name in named), None)
    if trusted is not None:
        return Finding(f"{trusted} checks senders, and [trust] authserv_id names it.", True)
    if servers:
        return Finding(
            f"{servers[0]} checks senders, but [trust] authserv_id does not name it, so nobody would be verified; "
            f'if that is your mail host, set authserv_id = ["{servers[0]}"].',
            False,
        )
    told = ", ".join(service.authserv_ids)
    ours = f"[trust] authserv_id names {told}" if told else "[trust] authserv_id names none"
    return Finding(
        "The letter bears no Authentication-Results; many hosts stamp only what comes from outside. "
        f"{ours}: compare it with the first word of that header in a letter from elsewhere.",
        bool(told),
    )
