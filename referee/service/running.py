"""The running service: the daemon of a database, and its metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from referee import __version__
from referee.common.clock import steady
from referee.mail.outbox.sender import Poster
from referee.service.bootstrap import Application
from referee.service.daemon import Daemon, stopping_on_signals
from referee.service.mail_connections import open_mailbox, open_post


def watched(application: Application) -> dict[str, str | int]:
    """Return what a running service looks after, for the log."""
    inbox = application.settings.inbox
    with application.store.reading() as lookup:
        games = len(lookup.games.all(("playing",)))
    return {
        "mailbox": str(inbox.path)
        if inbox.kind == "maildir"
        else f"{inbox.folder} at {inbox.host}:{inbox.port}",
        "database": application.store.place,
        "games": games,
        "version": __version__,
    }


@contextmanager
def working(application: Application, ticks: Callable[[], float] = steady) -> Iterator[Daemon]:
    """Be the daemon of this database until the end; SIGTERM stops it. Raises AnotherDaemon. ticks: see Daemon."""
    settings, store, clock = application.settings, application.store, application.clock
    with store.lock(), store.at_work() as noted:
        daemon = Daemon(
            referee=application.referee,
            store=store,
            mailbox=open_mailbox(settings.inbox, clock),
            poster=Poster(store.outbox, open_post(settings.outbox), clock),
            clock=clock,
            poll=float(settings.inbox.poll),
            ticks=ticks,
        )
        daemon.mind(noted)
        with stopping_on_signals(daemon):
            yield daemon


@contextmanager
def measured(application: Application, daemon: Daemon) -> Iterator[None]:
    """Serve a running daemon's metrics, if the settings name a port. Raises RefereeError when it is taken."""
    port = application.settings.metrics.port
    if not port:
        yield
        return
    from referee.service.metrics import serve_metrics  # noqa: PLC0415 - slow to load, and seldom needed

    with serve_metrics(port, daemon.health, application.store, application.clock):
        yield
