"""Jobs that the service does on its own, now and then: no letter asks for them, and none waits for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from referee.common.clock import Clock
from referee.common.errors import Contested, StoreUnreachable
from referee.service.referee import Referee
from referee.store.database import Store

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Job:
    """One job. every: the shortest time between two runs."""

    name: str
    every: timedelta
    do: Callable[[], object]


def chores_of(referee: Referee, store: Store) -> tuple[Job, ...]:
    """Return all jobs."""
    return (
        Job("letters that a dead process had in hand", timedelta(minutes=1), store.outbox.reclaim),
        Job("letters that did not arrive", timedelta(minutes=1), referee.jobs.see_to_returns),
        Job("letters that were perhaps taken twice", timedelta(minutes=1), referee.jobs.tell_of_uncertain),
        Job("the news of a day", timedelta(minutes=1), referee.jobs.write_days),
        Job("overviews of events", timedelta(minutes=1), referee.jobs.write_overviews),
        Job("cases that somebody else hears by now", timedelta(minutes=5), referee.jobs.hand_cases_on),
        Job("clocks", timedelta(minutes=1), referee.jobs.see_to_clocks),
        Job("turns that were drafted", timedelta(minutes=1), referee.jobs.carry_drafts_out),
        Job(
            "what umpires do in all games of an event", timedelta(minutes=1), referee.jobs.go_on_with_errands
        ),
        Job("letters that are held", timedelta(minutes=5), referee.jobs.ask_about_held),
        Job("what is to be erased", timedelta(minutes=5), referee.jobs.erase_what_is_due),
    )


class JobScheduler:
    """Runs the jobs that are due. A failure is logged, and the other jobs are run all the same."""

    def __init__(self, chores: Sequence[Job], clock: Clock) -> None:
        self._chores = chores
        self._clock = clock
        self._done: dict[str, datetime] = {}

    def do(self) -> None:
        """Run each job that is due. Raises StoreUnreachable."""
        now = self._clock.now()
        for chore in self._chores:
            last = self._done.get(chore.name)
            # A clock that was set back must not postpone a job by as much.
            if last is not None and timedelta(0) <= now - last < chore.every:
                continue
            self._done[chore.name] = now
            try:
                chore.do()
            except StoreUnreachable:
                raise
            except Contested:
                continue  # another process does it
            except Exception as error:
                log.exception("a chore failed", chore=chore.name, error=type(error).__name__, exc_info=False)
