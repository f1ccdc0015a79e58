"""How often something may happen, and be reported."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update

from referee.store import rate_counters
from referee.store.repositories.repository import Repository
from referee.store.tables import HOUSE


class Limits(Repository):
    """Counts of recent things, for all processes together."""

    def count(self, kind: str, most: int, within: timedelta) -> bool:
        """Count one more thing; False, and not counted, when there were `most` recently (see rate_counters)."""
        now = self._clock.now()
        if not rate_counters.left(self._connection, kind, most, within, now):
            return False
        rate_counters.add(self._connection, kind, 1, within, now)
        return True

    def allows(self, kind: str, most: int, within: timedelta) -> bool:
        """Return whether `count` would count one more thing; nothing is counted."""
        return rate_counters.left(self._connection, kind, most, within, self._clock.now()) > 0

    def erase_stale(self, before: datetime) -> None:
        """Erase the counts that began before a time."""
        stale = HOUSE.c.name.startswith(rate_counters.COUNTED), HOUSE.c.value < before.isoformat()
        self._connection.execute(delete(HOUSE).where(*stale))

    def is_news(self, kind: str, every: timedelta) -> bool:
        """Return whether the operator was told nothing of this kind for this long, and record that they are now."""
        now = self._clock.now()
        name = f"told {kind}"
        before = self._connection.execute(
            select(HOUSE.c.value).where(HOUSE.c.name == name).with_for_update()
        ).scalar()
        if before is None:
            self._connection.execute(insert(HOUSE).values(name=name, value=now.isoformat()))
            return True
        # A time ahead of now was written by a wrong clock.
        if timedelta(0) <= now - datetime.fromisoformat(before) < every:
            return False
        self._connection.execute(update(HOUSE).where(HOUSE.c.name == name).values(value=now.isoformat()))
        return True
