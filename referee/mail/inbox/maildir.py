"""The Maildir mailbox: letters are in new/ and cur/; handled ones go to the subfolder .Done."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import structlog

from referee.common.clock import Clock, SystemClock
from referee.common.errors import MailboxClosed
from referee.mail.inbox.mailbox import TOGETHER, when_it_came
from referee.mail.inbox.wakeup import Alarm
from referee.mail.message.message import RawLetter

log = structlog.get_logger(__name__)

DONE = ".Done"
SEEN = ":2,S"
"""The flags in the name of a handled letter's file."""
BOXES = ("cur", "new", "tmp")
BRISK = 1.0
"""For this many seconds after the last letter, polls are five times as frequent."""
NASCENT = 0.05
"""Seconds for which an empty file is left alone: some programs do not deliver in one move."""
LONGEST_NAME = 255
"""Longest file name, in bytes, on any file system that may hold a Maildir."""
HEADER_OCTETS = 65_536
"""Bytes searched for the header of a letter over the limit."""

_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class _File:
    """A file in the Maildir. at: its time, in nanoseconds since 1970. size: bytes."""

    path: Path
    at: int
    size: int

    @property
    def name(self) -> str:
        """The part of the file's name before the colon; mail programs put flags after it."""
        return self.path.name.partition(":")[0]

    @property
    def stamp(self) -> str:
        """What is known of a letter without reading it."""
        return f"{self.name}@{self.at}+{self.size}"

    def in_order(self) -> tuple[int, str]:
        """Return the key that sorts letters by age, oldest first."""
        return self.at, self.path.name


class MaildirMailbox:
    """A Maildir as a mailbox; missing folders are created.

    size_limit: bytes; of a larger file only the letter's header is read.
    poll: seconds between two polls while waiting.

    A letter's uid is its file's unique name (the part before the colon) with the file's time and size and a
    digest of its bytes, since names are not always unique. A file that cannot be read is a letter without
    content.
    """

    def __init__(
        self, path: Path, clock: Clock | None = None, *, size_limit: int = 2_000_000, poll: float = 0.1
    ) -> None:
        self._path = path.absolute()
        self._clock = clock or SystemClock()
        self._size_limit = size_limit
        self._poll = poll
        self._alarm = Alarm()
        self._shown: set[str] = set()
        self._handled: set[str] = set()

    def unread(self, limit: int = 50, besides: Collection[RawLetter] = ()) -> list[RawLetter]:
        left_out = {letter.uid for letter in besides}
        unmoved = set(map(_stamp_in, self._handled | left_out))
        waiting = sorted((file for file in self._files() if file.stamp not in unmoved), key=_File.in_order)
        if not all(file.size for file in waiting[:limit]):
            time.sleep(NASCENT)
        letters: list[RawLetter] = []
        octets = 0
        for file in waiting[:limit]:
            octets += min(file.size, self._size_limit)
            if letters and octets > TOGETHER:
                break
            if letter := self._read(file):
                letters.append(letter)
        self._shown = {letter.uid for letter in letters} | left_out
        return letters

    def handled(self, letters: Sequence[RawLetter]) -> None:
        uids = self._handled | {letter.uid for letter in letters}
        stamps = set(map(_stamp_in, uids))
        left = set()
        for file in self._files():
            # The file may by now be another letter than the one that was read.
            letter = self._read(file) if file.stamp in stamps else None
            if letter and letter.uid in uids and not self._put_away(file, letter.uid):
                left.add(letter.uid)
        self._handled = left

    def wait(self, seconds: float) -> bool:
        started = time.monotonic()
        known = set(map(_stamp_in, self._shown | self._handled))
        while not self._alarm.rung:
            if any(file.stamp not in known for file in self._files()):
                return True
            waited = time.monotonic() - started
            if waited >= seconds:
                return False
            # Where a letter has just arrived, the next is often near.
            pause = self._poll / 5 if waited < BRISK else self._poll
            self._alarm.sleep(min(pause, seconds - waited))
        return False

    def interrupt(self) -> None:
        self._alarm.ring()

    def close(self) -> None:
        self._alarm.reset()

    def probe(self) -> None:
        """Create missing folders and try to write a file, leaving nothing behind; raises MailboxClosed."""
        self._make()
        trial = self._path / "tmp" / "referee-trial"
        try:
            trial.write_bytes(b"")
            trial.unlink()
        except OSError as error:
            raise self._closed(error) from error

    def waiting(self) -> int:
        """Return how many letters are here."""
        return sum(1 for _ in self._files())

    def waiting_since(self) -> datetime | None:
        """Return when the oldest letter here arrived; None when there is none."""
        now = self._clock.now()
        return min((when_it_came(file.at / 1e9, now) for file in self._files()), default=None)

    def _make(self) -> None:
        try:
            for box in BOXES:
                (self._path / box).mkdir(parents=True, exist_ok=True)
                (self._path / DONE / box).mkdir(parents=True, exist_ok=True)
            (self._path / DONE / "maildirfolder").touch()  # tells other programs that this is a subfolder
        except OSError as error:
            raise self._closed(error) from error

    def _files(self) -> Iterator[_File]:
        """Yield the letters here. Links are not letters, since they may lead anywhere."""
        for box in ("new", "cur"):
            folder = self._path / box
            try:
                entries = list(folder.iterdir())
            except FileNotFoundError:
                self._make()
                continue
            except OSError as error:
                raise self._closed(error) from error
            for path in entries:
                file = None if path.name.startswith(".") else _look_at(path)
                if file:
                    yield file

    def _read(self, file: _File) -> RawLetter | None:
        content: bytes | None = None
        why, size = "", file.size
        try:
            if size <= self._size_limit:
                content = file.path.read_bytes()
                size = len(content)
            else:
                content = _read_header(file.path)
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever is wrong with one file, the others are read
            reason = (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
            log.warning("a letter cannot be read and stays where it is", file=str(file.path), reason=reason)
            why, size = f"its file cannot be read: {reason}", 0
        if _look_at(file.path) != file:
            return None  # it is being written and will be complete at the next poll
        return RawLetter(
            mailbox=f"maildir:{self._path}",
            uidvalidity=0,
            uid=f"{file.stamp}/{_seal(content)}",
            received=when_it_came(file.at / 1e9, self._clock.now()),
            size=size,
            content=content,
            why=why,
        )

    def _put_away(self, file: _File, uid: str) -> bool:
        """Move a file into the subfolder; return whether it is gone from here."""
        target = self._path / DONE / "cur" / _short(file.name)
        try:
            if target.exists():
                target = target.with_name(_short(f"{file.name}.{file.at}.{uid.rpartition('/')[2]}"))
            if not target.parent.exists():
                self._make()
            file.path.rename(target)
        except FileNotFoundError:
            pass  # another program was quicker
        except OSError as error:
            log.warning("a handled letter cannot be moved", file=str(file.path), reason=error.strerror)
            return False
        return True

    def _closed(self, error: OSError) -> MailboxClosed:
        return MailboxClosed(
            f"the Maildir {self._path} cannot be used: {error.strerror} ({error.filename}); "
            "see that the folder exists and that the referee may write in it"
        )


def _look_at(path: Path) -> _File | None:
    """Return a file that may be a letter; None for a link, a folder, or a missing file."""
    try:
        status = path.lstat()
    except OSError:
        return None  # a mail program has just moved it; the next poll finds it
    if not stat.S_ISREG(status.st_mode):
        return None
    return _File(path, status.st_mtime_ns, status.st_size)


def _read_header(path: Path) -> bytes:
    """Return a letter's header with the empty line that ends it, or what the first 64 KB hold of it."""
    with path.open("rb") as file:
        start = file.read(HEADER_OCTETS)
    end = _EMPTY_LINE.search(start)
    return start[: end.end()] if end else start


def _seal(content: bytes | None) -> str:
    """Return what distinguishes letters with the same stamp: 16 hex digits, "unread" without content."""
    return "unread" if content is None else hashlib.sha256(content).hexdigest()[:16]


def _short(name: str) -> str:
    """Return a handled letter's file name: its own, with the end of a long one replaced by a digest."""
    name_in_octets = os.fsencode(name)
    if len(name_in_octets) + len(SEEN) > LONGEST_NAME:
        digest = hashlib.sha256(name_in_octets).hexdigest()[:32]
        name = f"{os.fsdecode(name_in_octets[: LONGEST_NAME - len(SEEN) - len(digest) - 1])}.{digest}"
    return name + SEEN


def _stamp_in(uid: str) -> str:
    return uid.rpartition("/")[0]
