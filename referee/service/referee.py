"""The referee, wired together: letters, scheduled jobs, and an umpire's actions."""

from __future__ import annotations

from referee.common.chance import Draws
from referee.common.clock import Clock
from referee.handlers.service_config import ServiceConfig
from referee.pipeline.processor import LetterProcessor
from referee.pipeline.runtime import Runtime
from referee.service.scheduled_jobs import ScheduledJobs
from referee.service.umpire_service import UmpireService
from referee.store.database import Store


class Referee:
    """Everything that is done for players, with one store and one cache of games."""

    def __init__(
        self, store: Store, service: ServiceConfig, clock: Clock, draws: Draws | None = None
    ) -> None:
        self.runtime = Runtime(store, service, clock, draws)
        self.letters = LetterProcessor(self.runtime)
        self.jobs = ScheduledJobs(self.runtime, self.letters)
        self.umpire = UmpireService(self.runtime)
