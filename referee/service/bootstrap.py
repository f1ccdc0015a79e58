"""Wires the rooms together as the settings say: the one place that knows them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from referee.common.clock import Clock, SystemClock
from referee.common.faults import Fault
from referee.games.clocks.calendar import Calendar
from referee.games.clocks.reminders import read_marks
from referee.handlers.game_clocks import TimeRules
from referee.handlers.service_config import ServiceConfig
from referee.rulebooks.catalogue import Rulebooks
from referee.service.settings import Settings
from referee.service.settings.sections import WEEKDAYS, Time
from referee.store.database import Store

if TYPE_CHECKING:  # loaded by `Application.referee`
    from referee.service.referee import Referee


@dataclass(frozen=True)
class Application:
    """The application, with its servers not yet connected."""

    settings: Settings
    service: ServiceConfig
    store: Store
    clock: Clock

    @cached_property
    def referee(self) -> Referee:
        """Everything that is done for players; loaded when it is first used."""
        from referee.service.referee import Referee  # noqa: PLC0415 - commands that only read do not need it

        return Referee(self.store, self.service, self.clock)


@contextmanager
def open_application(
    settings: Settings, *, create: bool = True, clock: Clock | None = None
) -> Iterator[Application]:
    """Open the store and wire the rooms. create: make a missing SQLite database."""
    clock = clock or SystemClock()
    service = service_of(settings)
    store = Store(settings.service.database, clock, posted_an_hour=settings.outbox.letters_an_hour)
    try:
        store.open(create=create)
        yield Application(settings, service, store, clock)
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
    """Return the part of the settings that processing a letter needs."""
    return ServiceConfig(
        name=settings.service.name,
        address=settings.service.address,
        language=settings.service.language,
        trust=settings.trust.sender,
        authserv_ids=tuple(settings.trust.authserv_id),
        rulebooks=_rulebooks(settings.rules.tables()),
        aliases=tuple(settings.trust.aliases),
        size_limit=settings.inbox.size_limit,
        letters_an_hour=settings.inbox.letters_an_hour,
        operator=settings.service.operator,
        digest_hour=settings.service.digest_hour,
        keep_letters=timedelta(days=settings.service.keep_letters) or None,
        time=_time_rules(settings.time),
    )


def _rulebooks(tables: Mapping[str, Path]) -> Rulebooks:
    """Return the rulebooks. tables: the file of a movement table for new games, by its setting; none for the usual."""
    for key, table in tables.items():
        from referee.service.movement_table import rulebooks_with  # noqa: PLC0415 - loads the rulebooks that have one

        return rulebooks_with(table, key)
    return Rulebooks()


def _time_rules(said: Time) -> TimeRules:
    """Return how time is counted in games of no tournament."""
    marks = read_marks(said.reminders)
    assert not isinstance(marks, Fault), "the settings were checked for it"
    weekend = frozenset(WEEKDAYS.index(day) + 1 for day in said.days_off)
    calendar = Calendar(said.zone, weekend, frozenset(map(date.fromisoformat, said.holidays)))
    return TimeRules(calendar, marks, said.leave, timedelta(seconds=said.outage_after))
