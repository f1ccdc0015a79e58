"""Services that are broken on purpose, to see that the harness finds them out."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select, update

from referee.mail.inbox.mailbox import Mailbox
from referee.mail.message.message import RawLetter
from referee.store.database import Store
from referee.store.tables import OUTGOING
from tests.kills.life import Life, WatchedMailbox, WatchedQueue, WatchedStore
from tests.kills.order import Overtaking


class HastyMailbox(WatchedMailbox):
    """Puts letters away before anybody has recorded them."""

    def unread(self, limit: int = 50, besides: Collection[RawLetter] = ()) -> list[RawLetter]:
        letters = super().unread(limit, besides)
        if letters:
            self.handled(letters)
        return letters


class Hasty(Life):
    """Loses letters."""

    def mailbox(self) -> Mailbox:
        return HastyMailbox(self.place.inbox, self.steps)


class RepeatingQueue(WatchedQueue):
    """Thinks, when it begins anew, that the last letter it posted was not posted."""

    def reclaim(self) -> int:
        reclaimed = super().reclaim()
        last = select(func.max(OUTGOING.c.id)).where(OUTGOING.c.state == "sent").scalar_subquery()
        with self._connections.transaction(writing=True) as connection:
            connection.execute(update(OUTGOING).where(OUTGOING.c.id == last).values(state="queued"))
        return reclaimed


class Repeating(Life):
    """Posts letters twice."""

    def store(self) -> Store:
        store = WatchedStore(self.place, self.desk_clock, self.steps)
        store.outbox = RepeatingQueue(store.connections, self.desk_clock, self.steps, self.place)
        return store


FLAWS: dict[str, type[Life]] = {"hasty": Hasty, "repeating": Repeating, "overtaking": Overtaking}
