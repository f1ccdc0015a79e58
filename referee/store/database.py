"""Everything is kept here: letters, players, games, events, outgoing letters.

`unit` is one writing transaction, `reading` one that only asks; the rest are transactions of their own. All
of it may be used from several threads.
"""

from __future__ import annotations

import errno
import math
import os
import shutil
import socket
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from referee.common.clock import Clock, steady
from referee.common.errors import (
    AnotherDaemon,
    DatabaseGone,
    RefereeError,
    SchemaError,
    StoreUnreachable,
    UsageError,
)
from referee.mail.message.message import RawLetter
from referee.store import (
    clock_regularity,
    erasure,
    history,
    incoming,
    load,
    missing_letters,
    outbox_queue,
    rate_counters,
    schema,
    service_runs,
    status,
)
from referee.store.database_errors import trouble
from referee.store.engine import (
    BUSY_SECONDS,
    make_engine,
    make_file,
    name_of_process,
    place,
    read_url,
    sqlite_path,
)
from referee.store.letter_ordering import PassedOver, Turn, enter_gate
from referee.store.migrations import HEAD, revision_of
from referee.store.queries import Lookup
from referee.store.transaction import Transaction
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import CLOCKS_APART, Identity, Known, Load, Posting, Standing

POSTED = "letters posted"
A_MINUTE = timedelta(minutes=1)
AN_HOUR = timedelta(hours=1)
RENEWED_EVERY = 10.0
"""Seconds after which it is kept that this process is still at work, and has in hand what it has claimed."""
HOLDS_FOR = 25.0
"""Seconds after which this process must not trust in that any more: less than those after which others do not."""


class _Undone(Exception):
    """Undoes a transaction that was a trial."""


class Store:
    """The house's memory, in SQLite or PostgreSQL.

    Every method may raise StoreUnreachable, and Contested when another process was faster; then nothing of the
    transaction is kept, and it may be tried again.
    """

    def __init__(self, url: str, clock: Clock, *, posted_an_hour: int | None = None) -> None:
        """url: [service] database. posted_an_hour: so many letters are handed out for posting, None for all.

        Raises SettingsError for a URL that is none. Nothing is opened yet.
        """
        self._url = read_url(url)
        self._clock = clock
        self._path = sqlite_path(self._url)
        self._name = name_of_process()
        self._engine = make_engine(self._url, self._name)
        self._opened: tuple[int, int] | None = None
        self._key = b""
        # SQLite has one writer at a time, and lets others wait by sleeping; threads wait here, which is quicker.
        self._writer = threading.Lock()
        self._claimed: set[int] = set()
        self._claiming = threading.Lock()
        """Held while letters are claimed, and while it is looked for claims that are nobody's."""
        self._erased_in = self._erased_out = 0
        self._at_work = False
        self._renewed = -math.inf
        self._sightings = service_runs.Sightings()
        self._looked: datetime | None = None
        self._posted_an_hour = posted_an_hour

    def __repr__(self) -> str:
        return f"Store({self.place!r})"

    @property
    def place(self) -> str:
        """The database as operators know it: the file's path, or the URL without its password."""
        return place(self._url)

    # opening, copying, closing

    def open(self, *, create: bool = True) -> None:
        """Make sure that the database can be used. create: make an absent or empty SQLite database.

        Raises SchemaError for a database of another release or program, and for an empty PostgreSQL one;
        StoreUnreachable for one that is absent and must not be made, as where a service has worked with one before.
        """
        create = create and self._path is not None
        if self._path and not create and not self._path.exists():
            raise StoreUnreachable(f"there is no database {self.place}; `referee init` creates it")
        if self._path and not self._path.exists() and _lock_of(self._path).exists():
            raise StoreUnreachable(
                f"the database {self.place}, with which a service was at work before, is not there; put it back, or "
                "restore the last backup (`referee init` creates an empty one)"
            )
        if self._path:
            make_file(self._path)
        with self._transaction() as connection:
            ready = schema.check(connection, self.place)
        if not ready:
            if not create:
                raise SchemaError(f"the database {self.place} is empty; `referee init` creates its tables")
            self._bring_up()
        with self._transaction() as connection:
            self._key = schema.house_key(connection)
        self._opened = self._file()

    def check_place(self) -> None:
        """Make sure that the file of an SQLite database lies where it was opened. Raises DatabaseGone.

        What is written to one that was moved, deleted or replaced, nobody finds again.
        """
        if self._opened is None or (there := self._file()) == self._opened:
            return
        what = "has gone" if there is None else "was replaced by another file"
        raise DatabaseGone(
            f"the database {self.place} {what} while the service was at work; what was written last is in the old "
            "file: put that back, or else restore the last backup, and start the service again"
        )

    def check_writing(self) -> None:
        """Make sure that the database can be written; nothing is changed. Waits for a program that writes just now."""
        with self._transaction(writing=True) as connection:
            schema.write_nothing(connection)

    def _file(self) -> tuple[int, int] | None:
        """Return what no other file has, device and number; None when there is none, and for PostgreSQL."""
        if self._path is None:
            return None
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        except OSError:
            return self._opened  # the folder cannot be asked just now: whoever writes will see
        return found.st_dev, found.st_ino

    def upgrade(self) -> Path | None:
        """Create the tables, or bring those of an older release up to this one; `open` must follow.

        An SQLite database is copied first; the copy's path is returned, None when there was nothing to copy.
        Raises AnotherDaemon when the referee is running, SchemaError for a newer release's database.
        """
        if self._path:
            make_file(self._path)
        with self._transaction() as connection:
            revision = revision_of(connection, self.place)
        if revision == HEAD:
            return None
        with self.lock():
            copy = None
            if self._path and revision is not None:
                copy = schema.name_of_copy(self._path, revision, self._clock.now())
                schema.copy(self._path, copy)
            self._bring_up()
        return copy

    def _bring_up(self) -> None:
        with self._transaction(writing=True, migrating=True) as connection:
            schema.bring_up(connection, self.place)
        self.close()  # the connection that migrated did not check references

    def backup(self, target: Path) -> None:
        """Copy the database, in use or not, to a file that is not there yet.

        Raises UsageError when it is there, and for PostgreSQL, which has tools of its own.
        """
        if self._path is None:
            raise UsageError(f"{self.place} is a PostgreSQL database; save it with pg_dump")
        if not self._path.exists():
            raise StoreUnreachable(f"there is no database {self.place}")
        try:
            schema.copy(self._path, target)
        except FileExistsError as error:
            raise UsageError(f"{target} exists already; a backup does not overwrite anything") from error

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Be the only daemon on an SQLite database; PostgreSQL takes any number.

        Raises AnotherDaemon, naming the one that runs. The lock ends with the process, however it ends. It lies beside
        the file itself, by whatever link that is called here.
        """
        if self._path is None:
            yield
            return
        locked = _lock_of(self._path)
        note = locked.with_suffix(".daemon")
        lock = FileLock(locked, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            who = note.read_text().strip() if note.exists() else "another process"
            raise AnotherDaemon(
                f"{who} works on the database {self.place} already; stop it first, or use PostgreSQL for several"
            ) from error
        except OSError as error:
            raise _cannot_write(Path(lock.lock_file), error) from error
        try:
            try:
                note.write_text(f"process {os.getpid()} on {socket.gethostname()}\n")
            except OSError as error:
                raise _cannot_write(note, error) from error
            yield
        finally:
            note.unlink(missing_ok=True)
            lock.release()

    @contextmanager
    def at_work(self) -> Iterator[tuple[int, int] | None]:
        """Be at work until the end, which is kept as a good one; within `lock`.

        Gives the letter that was in hand when a service ended uncleanly, and how often by now; None commonly. What such
        a service had claimed is queued again at once.
        """
        with self._transaction(writing=True) as connection:
            noted = service_runs.begin(connection, self._name)
            self._reclaim(connection)
        self._at_work = True
        try:
            yield noted
        finally:
            self._at_work = False
            with suppress(RefereeError), self._transaction(writing=True) as connection:
                service_runs.end(connection, self._name)

    @property
    def is_shared(self) -> bool:
        """Whether several processes may hear letters at the same time."""
        return self._path is None

    def close(self) -> None:
        """Let go of the database; the store may be used again."""
        self._engine.dispose()

    # what is erased

    def regular_for(self) -> timedelta:
        """Look at the clock; return how long it has gone regularly by now (see clock_regularity)."""
        with self._transaction(writing=True) as connection:
            return clock_regularity.regular_for(connection, self._clock.now())

    def ask_again(self, proved: timedelta, within: timedelta) -> None:
        """Let players be asked once more what a clock that was wrong has asked them (see clock_regularity)."""
        with self._transaction(writing=True) as connection:
            clock_regularity.ask_again(connection, self._clock.now(), proved, within)

    def erase_left(self) -> None:
        """Erase what is left of players who have left, as far as it can go by now."""
        more = True
        while more:
            with self._transaction(writing=True) as connection:
                more = erasure.erase_left(connection)

    def forget_addresses(self, before: datetime) -> None:
        """Forget addresses that were asked for before that time and not confirmed, or given up before."""
        with self._transaction() as connection:
            lapsed = erasure.lapsed_addresses(connection, before, self._clock.now() + CLOCKS_APART)
        for player, use, address in lapsed:
            with self.unit() as unit:
                unit.addresses.drop(player, use)
                if use == "former":
                    unit.letters.unlink_from(address, player)

    def erase_stale(self, counted: datetime, partings: datetime) -> None:
        """Erase counts that began before the first time, and what is kept of players who left before the second."""
        with self.unit() as unit:
            unit.limits.erase_stale(counted)
            unit.partings.erase_stale(partings)
            unit.pending_actions.erase_stale(counted)

    def erase_letters(self, before: datetime) -> None:
        """Erase the bytes of letters that are older and no longer needed: up to a thousand of either direction, and
        the next time those that follow."""
        with self._transaction(writing=True) as connection:
            self._erased_in = erasure.erase_letters_in(connection, self._erased_in, before)
            self._erased_out = erasure.erase_letters_out(connection, self._erased_out, before)

    # for whoever looks after the house

    def standing(self, operator: str = "") -> Standing:
        """Return what waits and what is stuck. operator: the address of whoever runs the service."""
        with self._transaction() as connection:
            return status.look(connection, self._clock.now(), operator)

    def load(self) -> Load:
        """Return how much is open; cheap, however much is archived."""
        with self._transaction() as connection:
            return load.look(connection)

    def newest(self) -> datetime | None:
        """Return when the newest letter was kept, one that came in or one of ours; None when there is none."""
        with self._transaction() as connection:
            return status.newest(connection)

    def damage(self) -> str:
        """Return what is wrong with the database itself, "" when it is sound; this reads all of it on SQLite."""
        with self._transaction() as connection:
            return status.damage(connection)

    def room(self) -> tuple[int, int] | None:
        """Return how many octets are free where the database lies, and how many it has; None for PostgreSQL."""
        if self._path is None:
            return None
        try:
            return shutil.disk_usage(self._path.absolute().parent).free, self._path.stat().st_size
        except OSError as error:
            raise StoreUnreachable(
                f"the database {self.place} cannot be looked at ({error.strerror}); see where its file is, and that "
                "the user of the service may read its folder"
            ) from error

    # letters that come in

    def record(self, letters: Sequence[RawLetter]) -> list[int]:
        """Record letters as they lay in the mailbox, each once; return the numbers of those that are new."""
        with self._transaction(writing=True) as connection:
            return incoming.record(connection, letters, self._clock.now())

    def not_handed_over(self, letter: RawLetter, most: int) -> bool:
        """Keep that the mailbox did not hand a letter over; tell whether that was `most` times, and then count anew."""
        with self._transaction(writing=True) as connection:
            often = missing_letters.count(connection, letter, self._clock.now()) >= most
            if often:
                missing_letters.forget(connection, letter)
        return often

    def handed_over(self, letter: RawLetter) -> None:
        """Keep that the mailbox has handed a letter over at last."""
        with self._transaction(writing=True) as connection:
            missing_letters.forget(connection, letter)

    def missing(self) -> tuple[list[Identity], list[Identity]]:
        """Return where letters lie that were not handed over: those on trial, and those recorded without content."""
        with self._transaction() as connection:
            return missing_letters.on_trial(connection), missing_letters.recorded(connection)

    def looked(self, longest: timedelta, at: datetime | None = None) -> None:
        """Keep that the mailbox was just looked into, at most once a minute; see timekeeping. longest: a gap that is
        longer was an outage. at: when that was; now without it."""
        now = at or self._clock.now()
        if self._looked is not None and timedelta(0) <= now - self._looked < A_MINUTE:
            return
        with self.unit() as unit:
            unit.clocks.keep_look(now, longest)
        self._looked = now

    def known(self, letters: Sequence[RawLetter]) -> dict[Identity, Known]:
        """Return which of these letters are recorded, by where they lie (`records.identity`)."""
        with self._transaction() as connection:
            return incoming.known(connection, letters)

    def waiting(self, limit: int = 50, *, after: int = 0) -> list[int]:
        """Return the numbers of up to `limit` letters behind `after` that have no outcome, oldest first; not those of
        `suspects`."""
        with self._transaction() as connection:
            return incoming.waiting(connection, limit, after)

    def suspects(self) -> list[int]:
        """Return the numbers of letters without an outcome that were in hand at three unclean ends, oldest first."""
        with self._transaction() as connection:
            return incoming.suspects(connection)

    @contextmanager
    def trying(self, suspect: int) -> Iterator[int | None]:
        """Keep, as long as this lasts, that this process has a suspect in hand: should it end by that, it is known.

        Gives how often the suspect was in hand at an unclean end, this time included as long as it is not known how it
        ends; None when it is decided by now, or another process keeps something of it.
        """
        with self._transaction(writing=True) as connection:
            ends = service_runs.try_suspect(connection, self._name, suspect)
        try:
            yield ends
        finally:
            if ends is not None:
                with self._transaction(writing=True) as connection:
                    service_runs.survive_suspect(connection, self._name, suspect)

    def head(self, number: int) -> bytes:
        """Return the beginning of a letter, in which its header is; nothing of one that could not be had."""
        with self._transaction() as connection:
            return incoming.head(connection, number)

    # one transaction of several steps

    @contextmanager
    def unit(self) -> Iterator[UnitOfWork]:
        """Open a writing transaction: committed at the end, undone when anything is raised within.

        Units exclude each other on SQLite, so nothing slow belongs inside, and no unit inside another.
        """
        with self._transaction(writing=True) as connection:
            yield UnitOfWork(Transaction(connection, self._key, self._clock, writes=True))

    @contextmanager
    def trial(self) -> Iterator[UnitOfWork]:
        """Open a writing transaction that is undone at the end, to see what would follow; letters queued in it are
        among the unit's `queued`."""
        with suppress(_Undone), self.unit() as unit:
            yield unit
            raise _Undone

    @contextmanager
    def hearing(self, number: int, passed_over: PassedOver) -> Iterator[UnitOfWork]:
        """Open a unit for one letter, which must not be heard before earlier ones about the same (see letter_ordering).

        passed_over: the letters that have to wait; when this one has to, it is added. Raises Contested then.
        """
        passed_over.check(number)
        turn = None
        with ExitStack() as gate:
            if self.is_shared:
                enter_gate(gate.enter_context(self._transaction(writing=True)))
            try:
                with self._transaction(writing=True) as connection:
                    turn = Turn(connection, number, passed_over, gate.close)
                    yield UnitOfWork(Transaction(connection, self._key, self._clock, writes=True, turn=turn))
            except Exception:
                if turn is not None and not turn.free:
                    passed_over.let_wait(number, turn.about)
                elif turn is not None:
                    passed_over.add(number, turn.about)  # it waits for no other, but none may overtake it
                raise

    @contextmanager
    def reading(self) -> Iterator[Lookup]:
        """Open a transaction that only asks, and sees the database as it is at one instant."""
        with self._transaction() as connection:
            yield Lookup(Transaction(connection, self._key, self._clock))

    # making letters again

    def kept(self) -> history.Kept:
        """Return what the house has kept of its own course, without what is long."""
        with self._transaction() as connection:
            return history.read_kept(connection)

    def raw_letter(self, number: int) -> RawLetter:
        """Return a letter as it lay in the mailbox; see history."""
        with self._transaction() as connection:
            return history.raw_letter(connection, number)

    def bodies_of(self, game: int, numbers: Collection[int]) -> list[tuple[str, dict[str, Any]]]:
        """Return kind and body of some events of a game, in their order."""
        with self._transaction() as connection:
            return history.bodies_of(connection, game, numbers)

    def writing(self, number: int) -> str:
        """Return what somebody wrote beside moves. Raises LookupError where it is erased."""
        with self._transaction() as connection:
            return history.writing(connection, number)

    def sent_bytes(self, id_: int) -> bytes:
        """Return a letter of ours, which is not erased."""
        with self._transaction() as connection:
            return history.sent_bytes(connection, id_)

    def numbers_of(self, message_ids: Collection[str]) -> dict[str, int]:
        """Return the numbers in the outbox of letters of ours, by their Message-IDs."""
        with self._transaction() as connection:
            return history.numbers_of(connection, message_ids)

    def take_key(self, key: bytes) -> None:
        """Give this house, which must be new, the key of another, on which the Message-IDs hang."""
        with self._transaction(writing=True) as connection:
            history.take_key(connection, key)
        self._key = key

    # letters that go out

    def claim(self, now: datetime, limit: int) -> list[Posting]:
        """Claim up to `limit` due letters; those to one reader stand in their order, and are to be posted in it.

        A reader's later letter is not handed out while an earlier one is being posted or waits longer. What was
        claimed before and is still in hand stays so: to be called now and then as long as anything is.
        """
        self._keep_claims()
        if limit <= 0:
            return []
        most = self._posted_an_hour
        claimed: list[Posting] = []
        try:
            with self._transaction(writing=True) as connection, self._claiming:
                if most is not None:
                    left = rate_counters.left(connection, POSTED, most, AN_HOUR, now)
                    limit = min(limit, left - len(self._claimed))
                claimed = outbox_queue.claim(connection, self._name, now, limit) if limit > 0 else []
                # Before anybody else sees the claim, or `reclaim` could take it for a dead process's.
                self._claimed.update(each.id for each in claimed)
        except RefereeError:
            # Whether the claim was kept or not, nobody has these letters in hand.
            self._claimed.difference_update(each.id for each in claimed)
            raise
        return claimed

    def holds(self, id_: int) -> bool:
        """Tell whether a letter is still in this process's hands, and may be posted.

        On PostgreSQL it is in the hands of others when this one was not heard of for a while, as when it was stopped.
        """
        if self._is_watched and steady() - self._renewed >= HOLDS_FOR:
            return False
        return id_ in self._claimed

    @property
    def _is_watched(self) -> bool:
        """Whether other processes see by what this one keeps that it is at work."""
        return self.is_shared and self._at_work

    def _keep_claims(self) -> None:
        """Keep now and then that this process is at work, see which of its claims still hold, and queue those of the
        dead again. On SQLite there is nobody else."""
        began = steady()
        if not self._is_watched or began - self._renewed < RENEWED_EVERY:
            return
        with self._transaction(writing=True) as connection:
            service_runs.renew(connection, self._name)
            self._claimed &= outbox_queue.claimed(connection, self._name)
        self._renewed = began
        self.reclaim()

    def accepted(self, results: Sequence[tuple[int, str]]) -> None:
        """Keep that letters were accepted, each with the mail host's answer."""
        with self._transaction(writing=True) as connection:
            outbox_queue.accepted(connection, results, self._clock.now())
            if self._posted_an_hour is not None:
                rate_counters.add(connection, POSTED, len(results), AN_HOUR, self._clock.now())
        self._claimed.difference_update(id_ for id_, _ in results)

    def refused(self, id_: int, answer: str) -> None:
        """Keep that a letter was refused for good, and with what answer."""
        with self._transaction(writing=True) as connection:
            outbox_queue.refused(connection, self._name, id_, answer)
        self._claimed.discard(id_)

    def again(self, id_: int, at: datetime, answer: str, uncertain: bool) -> None:
        """Queue a letter again, to be tried `at`; uncertain: it may have been accepted all the same."""
        with self._transaction(writing=True) as connection:
            outbox_queue.again(connection, self._name, id_, at, answer, uncertain)
        self._claimed.discard(id_)

    def release(self, ids: Sequence[int]) -> None:
        """Give claimed letters back untouched."""
        with self._transaction(writing=True) as connection:
            outbox_queue.release(connection, self._name, ids)
        self._claimed.difference_update(ids)

    def reclaim(self) -> int:
        """Queue again what processes that have died had claimed; return how many letters.

        On SQLite that is all that this store has not claimed itself, so `lock` must be held; on PostgreSQL, what others
        have claimed that are not at work (see service_runs).
        """
        with self._transaction(writing=True) as connection:
            return self._reclaim(connection)

    def _reclaim(self, connection: Connection) -> int:
        living: set[str] = set()
        if self.is_shared:
            living = service_runs.living(connection, self._name, self._sightings, steady())
        with self._claiming:  # or what the thread that posts claims now could be taken for a dead process's
            return outbox_queue.reclaim(connection, living, frozenset(self._claimed))

    # the shell of it all

    @contextmanager
    def _transaction(self, *, writing: bool = False, migrating: bool = False) -> Iterator[Connection]:
        """Open a transaction on a connection of its own; database errors become the house's own."""
        with self._alone(writing=writing):
            try:
                with self._engine.connect() as connection:
                    if self._path:
                        connection.execution_options(writing=writing, migrating=migrating)
                    elif not writing:
                        connection.execution_options(
                            isolation_level="REPEATABLE READ", postgresql_readonly=True
                        )
                    with connection.begin():
                        yield connection
            except DBAPIError as error:
                known = trouble(error, self.place)
                if known is None:
                    raise
                raise known from error

    @contextmanager
    def _alone(self, *, writing: bool) -> Iterator[None]:
        """Let the threads of this process write to SQLite one after another."""
        if not (writing and self._path):
            yield
            return
        if not self._writer.acquire(timeout=BUSY_SECONDS):
            raise StoreUnreachable(
                f"the database {self.place} is being written by another thread for too long"
            )
        try:
            yield
        finally:
            self._writer.release()


def _lock_of(path: Path) -> Path:
    """Return the file by which daemons exclude each other; it stays when they have ended."""
    path = path.resolve()
    return path.with_name(f"{path.name}.lock")


def _cannot_write(path: Path, error: OSError) -> StoreUnreachable:
    """Say that a file beside the database cannot be written, without which the service does not start."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        cure = "free some space: without it no letter can be taken in"
    else:
        cure = "give the user of the service the right to write in its folder"
    return StoreUnreachable(f"{path} cannot be written ({error.strerror}); {cure}")
