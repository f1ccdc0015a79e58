"""Delivery into a Maildir: one file per letter, for a local mail server or for tests."""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from referee.common.errors import DeliveryRefused
from referee.mail.message.delivery_status import FAILED_HERE
from referee.mail.outbox.transport import PostClosed, Posting

BOXES = ("cur", "new", "tmp")
TRIAL = 1 << 16
"""Bytes written to test whether a letter could be."""
_CURES = {
    errno.ENOSPC: "see that there is room on the disk",
    errno.EDQUOT: "free some of what the service's user may take of the disk, or raise that",
    errno.EROFS: "let its file system be written again: one that was made read-only by itself has a disk that fails",
    errno.EIO: "see what the system's log says of the disk",
    errno.EACCES: "give the service's user the right to write there",
    errno.EPERM: "give the service's user the right to write there",
}

# No slash, no colon (it begins the flags), no dot or dash in front; short enough for every file system.
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@=+-]{0,199}")


def file_name(message_id: str) -> str:
    """Return the file name for a Message-ID (without angle brackets): itself, or its SHA-256 where it is odd."""
    if _SAFE.fullmatch(message_id):
        return message_id
    return "sha256-" + hashlib.sha256(message_id.encode("utf-8", "surrogateescape")).hexdigest()


class MaildirPost:
    """A Maildir as a way out. A letter that is sent again overwrites itself."""

    lanes = 1

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()

    async def send(self, posting: Posting) -> str:
        name = file_name(posting.message_id)
        with self._writing():
            self._make()
            _write(self._path / "tmp" / name, posting.content)
            (self._path / "tmp" / name).replace(self._path / "new" / name)
        try:
            _confirm(self._path / "new")
        except OSError as error:
            # A program that reads the Maildir may have the letter already, and would get it again and again.
            raise DeliveryRefused(
                f"the Maildir {self._path} has perhaps lost the letter again ({FAILED_HERE}): {_said(error)}",
                temporary=True,
                uncertain=True,
                status=FAILED_HERE,
            ) from error
        return f"written to new/{name}"

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def probe(self) -> None:
        """Create missing folders and try to write as much as a letter, leaving nothing behind; raises PostClosed."""
        trial = self._path / "tmp" / "referee-trial"
        with self._writing():
            self._make()
            try:
                _write(trial, bytes(TRIAL))
            finally:
                trial.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn errors that keep letters from being written into PostClosed."""
        try:
            yield
        except OSError as error:
            raise PostClosed(f"the Maildir {self._path} cannot be written: {_said(error)}") from error

    def _make(self) -> None:
        for box in BOXES:
            (self._path / box).mkdir(parents=True, exist_ok=True)


def _write(path: Path, content: bytes) -> None:
    """Write a file so that it survives a power failure whole; if that fails, remove it."""
    try:
        with path.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def _confirm(folder: Path) -> None:
    """Make a folder's entries survive a power failure, as far as its file system can."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(opened)


def _said(error: OSError) -> str:
    """Return the system's error message, and the cure."""
    cure = _CURES.get(error.errno or 0, "see that the folder exists and that the referee may write there")
    return f"{error.strerror}; {cure}"
