"""The rooms put together as the settings say: the one place that knows them all."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from pydantic import SecretStr

from referee import __version__
from referee.common.clock import Clock, SystemClock
from referee.common.errors import SettingsError
from referee.common.faults import Fault
from referee.common.files import read_file
from referee.games.clocks.calendar import Calendar
from referee.games.clocks.reminders import read_marks
from referee.handlers.composer import ServiceConfig
from referee.handlers.game_clocks import TimeRules
from referee.mail.inbox.imap import ImapMailbox
from referee.mail.inbox.imap_connection import Account
from referee.mail.inbox.mailbox import Mailbox
from referee.mail.inbox.maildir import MaildirMailbox
from referee.mail.oauth import get_token
from referee.mail.outbox.maildir import MaildirPost
from referee.mail.outbox.sender import Poster
from referee.mail.outbox.smtp import SmtpPost, Submission
from referee.mail.outbox.transport import Post
from referee.rulebooks.catalogue import Rulebooks
from referee.rulebooks.confusion.table import LARGEST_TABLE, MovementTable, read_table
from referee.service.daemon import Daemon, stopping_on_signals
from referee.service.referee import Referee
from referee.service.settings import Inbox, Outbox, Settings
from referee.service.settings.sections import WEEKDAYS, Time
from referee.store.database import Store


@dataclass(frozen=True, slots=True)
class Application:
    """The house as it stands, its doors not yet opened."""

    settings: Settings
    service: ServiceConfig
    store: Store
    house: Referee
    clock: Clock

    def watched(self) -> dict[str, str | int]:
        """Return what a service at work looks after, for the log."""
        inbox = self.settings.inbox
        with self.store.reading() as lookup:
            games = len(lookup.games.all(("playing",)))
        return {
            "mailbox": str(inbox.path)
            if inbox.kind == "maildir"
            else f"{inbox.folder} at {inbox.host}:{inbox.port}",
            "database": self.store.place,
            "games": games,
            "version": __version__,
        }

    @contextmanager
    def working(self) -> Iterator[Daemon]:
        """Be the daemon of this database until the end; SIGTERM stops it. Raises AnotherDaemon."""
        with self.store.lock(), self.store.at_work() as noted:
            poster = Poster(self.store.outbox, open_post(self.settings.outbox), self.clock)
            daemon = Daemon(
                house=self.house,
                store=self.store,
                mailbox=open_mailbox(self.settings.inbox, self.clock),
                poster=poster,
                clock=self.clock,
                poll=float(self.settings.inbox.poll),
            )
            daemon.mind(noted)
            with stopping_on_signals(daemon):
                yield daemon

    @contextmanager
    def measured(self, daemon: Daemon) -> Iterator[None]:
        """Serve figures of a daemon at work, if the settings name a port. Raises RefereeError when it is taken."""
        port = self.settings.metrics.port
        if not port:
            yield
            return
        from referee.service.metrics import serve_metrics  # noqa: PLC0415 - slow to load, and seldom wanted

        with serve_metrics(port, daemon.health, self.store, self.clock):
            yield


@contextmanager
def open_application(
    settings: Settings, *, create: bool = True, clock: Clock | None = None
) -> Iterator[Application]:
    """Open the store and put the rooms together. create: make an absent SQLite database."""
    clock = clock or SystemClock()
    service = service_of(settings)
    store = Store(settings.service.database, clock, posted_an_hour=settings.outbox.letters_an_hour)
    try:
        store.open(create=create)
        yield Application(settings, service, store, Referee(store, service, clock), clock)
    finally:
        store.close()


def upgrade_store(settings: Settings, clock: Clock | None = None) -> Path | None:
    """Create the database, or copy it and bring it up to this release; return the copy's path, if one was made."""
    store = Store(settings.service.database, clock or SystemClock())
    try:
        return store.upgrade()
    finally:
        store.close()


def service_of(settings: Settings) -> ServiceConfig:
    """Return what a letter's way needs of the settings."""
    return ServiceConfig(
        name=settings.service.name,
        address=settings.service.address,
        language=settings.service.language,
        trust=settings.trust.sender,
        authserv_ids=tuple(settings.trust.authserv_id),
        rulebooks=_rulebooks(settings.rules.confusion.table),
        aliases=tuple(settings.trust.aliases),
        size_limit=settings.inbox.size_limit,
        letters_an_hour=settings.inbox.letters_an_hour,
        operator=settings.service.operator,
        digest_hour=settings.service.digest_hour,
        keep_letters=timedelta(days=settings.service.keep_letters) or None,
        time=_time_rules(settings.time),
    )


def _rulebooks(table: Path | None) -> Rulebooks:
    """Return the rulebooks. table: the file of a movement table for new games, if it is not the usual one."""
    if table is None:
        return Rulebooks()
    from referee.rulebooks.confusion import Confusion  # noqa: PLC0415 - a rulebook is loaded when it is asked for
    from referee.rulebooks.spies import Spies  # noqa: PLC0415

    movements = _movements(table)
    return Rulebooks(Confusion(movements), Spies(movements))


def _time_rules(said: Time) -> TimeRules:
    """Return how time is counted in games of no event."""
    marks = read_marks(said.reminders)
    assert not isinstance(marks, Fault), "the settings were checked for it"
    weekend = frozenset(WEEKDAYS.index(day) + 1 for day in said.days_off)
    calendar = Calendar(said.zone, weekend, frozenset(map(date.fromisoformat, said.holidays)))
    return TimeRules(calendar, marks, said.leave, timedelta(seconds=said.outage_after))


def _movements(path: Path) -> MovementTable:
    try:
        return read_table(read_file(path, 4 * LARGEST_TABLE, "a movement table").decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"rules.confusion.table: {path} cannot be read: {error}") from error
    except SettingsError as error:
        raise SettingsError(f"rules.confusion.table: {path}: {error}") from error


def open_mailbox(inbox: Inbox, clock: Clock) -> Mailbox:
    """Return the door that letters come in by."""
    if inbox.kind == "maildir":
        return MaildirMailbox(_folder(inbox.path), clock, size_limit=inbox.size_limit)
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
    """Return the door that letters go out by."""
    if outbox.kind == "maildir":
        return MaildirPost(_folder(outbox.path))
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
