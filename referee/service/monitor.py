"""The monitor: checks mail connections, disk and clock now and then, and writes to the operator if needed.

It knows about the connections what the service has learned in passing (health), and queries no server itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from referee.common.clock import Clock, steady
from referee.common.health import Health, Ticks
from referee.reports.report import Note
from referee.service.jobs import Job
from referee.service.referee import Referee
from referee.store.database import Store
from referee.store.values import CLOCK_SKEW_TOLERANCE

log = structlog.get_logger()

OUT_OF_REACH = timedelta(hours=1)
"""A connection that is lost for longer needs the operator; most troubles of mail hosts pass sooner."""
TOLD_AGAIN = timedelta(days=1)
"""A lasting problem is reported to the operator once a day."""
LOGGED_AGAIN = timedelta(hours=1)
"""A problem that no letter can report is logged this often."""
NEARLY_FULL = 500_000_000
"""With fewer free bytes on the disk, the operator is told while there is still room for a letter to them."""
LONG_ASLEEP = timedelta(days=30)
"""After this long without a letter, in or out, a clock that is ahead is the likelier reason."""


class Monitor:
    """Checks what may need the operator. ticks: seconds that pass evenly, by which the clock is checked."""

    def __init__(
        self, referee: Referee, store: Store, health: Health, clock: Clock, ticks: Ticks = steady
    ) -> None:
        self._referee = referee
        self._store = store
        self._health = health
        self._clock = clock
        self._ticks = ticks
        self._told: dict[str, float] = {}
        self._unreached: set[int] = set()
        self._post_out: tuple[datetime, str] | None = None
        self._last_look: tuple[datetime, float] | None = None

    def chores(self) -> tuple[Job, ...]:
        """Return the monitor's jobs."""
        return (
            Job("a look at the mailbox", timedelta(minutes=1), self.look_at_mailbox),
            Job("a look at the post", timedelta(minutes=1), self.look_at_post),
            Job("a look at the clock", timedelta(minutes=1), self.look_at_clock),
            Job("a look at the disk", timedelta(minutes=10), self.look_at_disk),
            Job("a look at what reaches nobody", timedelta(minutes=10), self.look_at_games),
        )

    def look_at_mailbox(self) -> None:
        """Report when no letter can come in; the report can go out."""
        door = self._health.mailbox
        out = timedelta(seconds=door.out_for)
        if out >= OUT_OF_REACH:
            self._tell(Note("mailbox-lost", {"since": self._clock.now() - out, "reason": door.trouble}))
        elif not out:
            self._told.pop("mailbox-lost", None)

    def look_at_post(self) -> None:
        """Report that no letter could go out: in the log while it lasts, by letter when it is over."""
        door = self._health.post
        out = timedelta(seconds=door.out_for)
        now = self._clock.now()
        if out >= OUT_OF_REACH:
            since = now - out
            self._post_out = since, door.trouble
            if self._is_due("nothing posted", LOGGED_AGAIN):
                log.error("nothing can be posted", since=f"{since:%Y-%m-%d %H:%M} UTC", reason=door.trouble)
                self._told["nothing posted"] = self._ticks()
        elif not out and self._post_out is not None:
            since, reason = self._post_out
            self._told.pop("post-was-closed", None)
            self._tell(Note("post-was-closed", {"since": since, "until": now, "reason": reason}))
            self._post_out = None
            self._told.pop("nothing posted", None)

    def look_at_clock(self) -> None:
        """Report a clock that was set while the service ran, or that is behind the newest stored letter.

        At the start, report one that shows a time long after it.
        """
        now, ticks = self._clock.now(), self._ticks()
        before, self._last_look = self._last_look, (now, ticks)
        if before is not None:
            jump = (now - before[0]) - timedelta(seconds=ticks - before[1])
            if abs(jump) > CLOCK_SKEW_TOLERANCE:
                self._told.pop("clock-jumped", None)  # each jump is reported
                self._tell(
                    Note("clock-jumped", {"by": span(abs(jump)), "ahead": jump > timedelta(0), "now": now})
                )
                return
        newest = self._store.status.newest()
        if newest is not None and before is None and now - newest > LONG_ASLEEP:
            self._tell(Note("clock-ahead", {"now": now, "newest": newest}))
        if newest is not None and newest > now + CLOCK_SKEW_TOLERANCE:
            self._tell(Note("clock-behind", {"now": now, "newest": newest}))
        else:
            self._told.pop("clock-behind", None)

    def look_at_disk(self) -> None:
        """Report when the disk with the database is nearly full."""
        room = self._store.status.room()
        if room is not None and room[0] < NEARLY_FULL:
            self._tell(Note("disk-low", {"free": f"{room[0] / 1e6:,.0f} MB"}))
        else:
            self._told.pop("disk-low", None)

    def look_at_games(self) -> None:
        """Report games whose newest letters reached none of their players: nobody else can know of it."""
        with self._store.reading() as lookup:
            games = {each.game for each in lookup.deliveries.unreached()}
        if games - self._unreached:
            self._told.pop("games-unreached", None)
        self._unreached = games
        if games:
            self._tell(Note("games-unreached", {"games": tuple(sorted(games))}))

    def _is_due(self, what: str, every: timedelta) -> bool:
        told = self._told.get(what)
        return told is None or self._ticks() - told >= every.total_seconds()

    def _tell(self, note: Note) -> None:
        """Report to the operator by letter and in the log, once a day while it lasts."""
        if not self._is_due(note.code, TOLD_AGAIN):
            return
        log.error(
            "the operator is needed", about=note.code, **{key: str(fact) for key, fact in note.facts.items()}
        )
        self._referee.runtime.tell_operator(note)
        self._told[note.code] = self._ticks()


def span(length: timedelta) -> str:
    """Return a duration in words: "7 minutes", "3 hours", "12 days"."""
    minutes = round(length.total_seconds() / 60)
    for unit, size in (("day", 24 * 60), ("hour", 60)):
        if minutes >= 2 * size:
            return f"{round(minutes / size)} {unit}s"
    return f"{minutes} minutes" if minutes != 1 else "1 minute"
