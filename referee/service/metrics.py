"""Metrics of a running service, for a monitoring system: Prometheus' text, on loopback only.

Counters start with the service; queue lengths are read from the database at each fetch. No metric names a
player, a game or an address, and none grows more lines with their number.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector

from referee import __version__
from referee.common.clock import Clock
from referee.common.errors import Contested, DatabaseGone, RefereeError, StoreUnreachable
from referee.common.health import Door, Health
from referee.store.database import Store

LOOPBACK = "127.0.0.1"
"""The only address listened on: only this machine can fetch the metrics."""


@contextmanager
def serve_metrics(port: int, health: Health, store: Store, clock: Clock) -> Iterator[None]:
    """Serve the metrics until the end. Raises RefereeError when the port is not available."""
    registry = CollectorRegistry()
    registry.register(Figures(health, store, clock))
    ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(port, addr=LOOPBACK, registry=registry)
    except OSError as error:
        raise RefereeError(
            f"the metrics cannot be served at {LOOPBACK}:{port} ({error.strerror}); free that port or set another one "
            "as [metrics] port"
        ) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Figures(Collector):
    """All metrics, collected again at each fetch."""

    def __init__(self, health: Health, store: Store, clock: Clock) -> None:
        self._health = health
        self._store = store
        self._clock = clock

    def collect(self) -> Iterable[Metric]:
        """Yield every metric; those from the database are left out while it is unreachable."""
        yield _labelled_gauge(
            "referee_build_info",
            "Which release runs, and on which Python.",
            ("version", "python"),
            [((__version__, platform.python_version()), 1)],
        )
        yield from self._work()
        yield from _door("mailbox", "last answered", self._health.mailbox)
        yield from _door("post", "last took a letter", self._health.post)
        yield from self._database()

    def _work(self) -> Iterator[Metric]:
        health = self._health
        letters = CounterMetricFamily(
            "referee_letters", "Letters settled, by what became of them.", labels=("outcome",)
        )
        for outcome, count in health.letters.so_far().items():
            letters.add_metric((outcome,), count)
        yield letters
        yield CounterMetricFamily("referee_orders_ruled", "Orders ruled on.", value=health.moves)
        yield CounterMetricFamily(
            "referee_letters_failed", "Times that a letter made the service fail.", value=health.failed
        )
        posted = CounterMetricFamily(
            "referee_letters_posted",
            "Letters of ours handed over: accepted, refused (for good), or put-off (to be tried again).",
            labels=("result",),
        )
        for result, count in health.posted.so_far().items():
            posted.add_metric((result,), count)
        yield posted
        yield SummaryMetricFamily(
            "referee_round_seconds",
            "Rounds of the service (letters fetched, settled and put away), and how long they took.",
            count_value=health.rounds,
            sum_value=health.round_seconds,
        )

    def _database(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("referee_database_up", "1 when the database answers.")
        try:
            self._store.connections.check_place()
            load = self._store.status.load()
            room = self._store.status.room()
        except (StoreUnreachable, Contested, DatabaseGone):
            up.add_metric((), 0)
            yield up
            return
        up.add_metric((), 1)
        yield up
        now = self._clock.now()
        for name, about, value in (
            ("letters_waiting", "Letters taken in that have no outcome yet.", load.waiting),
            (
                "letters_waiting_oldest_seconds",
                "How long the oldest letter without an outcome has waited.",
                _age(load.waiting_since, now),
            ),
            ("letters_queued", "Letters of ours that are not posted yet.", load.queued),
            (
                "letters_queued_oldest_seconds",
                "How long the oldest letter of ours that is not posted has waited.",
                _age(load.queued_since, now),
            ),
            ("letters_set_aside", "Letters set aside, which need the operator.", load.set_aside),
            ("players_unreachable", "Players whose letters come back.", load.unreachable),
            (
                "games_unreached",
                "Games whose newest letters reached none of their players, so that they stand still unknown.",
                load.unreached,
            ),
            ("database_size_bytes", "What the database takes.", load.octets),
        ):
            yield GaugeMetricFamily(f"referee_{name}", about, value=value)
        yield _labelled_gauge(
            "referee_games",
            "Games that are played, and games that are only proposed.",
            ("status",),
            [((status,), count) for status, count in load.games.items()],
        )
        if room is not None:
            yield GaugeMetricFamily(
                "referee_disk_free_bytes", "What is free where the database lies.", value=room[0]
            )


def _door(name: str, answered: str, door: Door) -> Iterator[Metric]:
    up = 0 if door.trouble else 1
    yield GaugeMetricFamily(f"referee_{name}_up", f"0 while the {name} is out of reach.", value=up)
    silent = door.silent_for
    if silent is not None:
        yield GaugeMetricFamily(
            f"referee_{name}_silent_seconds", f"Seconds since the {name} {answered}.", value=silent
        )


def _labelled_gauge(
    name: str, about: str, labels: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], float]]
) -> Metric:
    gauge = GaugeMetricFamily(name, about, labels=labels)
    for values, figure in rows:
        gauge.add_metric(values, figure)
    return gauge


def _age(since: datetime | None, now: datetime) -> float:
    """Return how long ago something was, in seconds; 0 for None, or for a future time from a wrong clock."""
    return max(0.0, (now - since).total_seconds()) if since is not None else 0.0
