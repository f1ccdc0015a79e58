"""Posting into a Maildir: one file for each letter, for a local mail server or for tests."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from referee.outbox.door import PostClosed, Posting

BOXES = ("cur", "new", "tmp")

# No slash, no colon (it begins the flags), no dot or dash in front; short enough for every file system.
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@=+-]{0,199}")


def file_name(message_id: str) -> str:
    """Return the file's name for a Message-ID (without angle brackets): itself, or its SHA-256 where it is odd."""
    if _SAFE.fullmatch(message_id):
        return message_id
    return "sha256-" + hashlib.sha256(message_id.encode("utf-8", "surrogateescape")).hexdigest()


class MaildirPost:
    """A Maildir as a way out. A letter that is posted again overwrites itself."""

    lanes = 1

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()

    async def send(self, posting: Posting) -> str:
        name = file_name(posting.message_id)
        try:
            self._write(name, posting.content)
        except OSError as error:
            raise PostClosed(
                f"the Maildir {self._path} cannot be written: {error.strerror}; "
                "see that there is room on the disk and that the referee may write there"
            ) from error
        return f"written to new/{name}"

    async def close(self) -> None:
        """There is nothing to let go of."""

    def probe(self) -> None:
        """Make what is missing and try to write, leaving nothing behind; raises PostClosed."""
        try:
            self._make()
            trial = self._path / "tmp" / "referee-trial"
            trial.write_bytes(b"")
            trial.unlink()
        except OSError as error:
            raise PostClosed(
                f"the Maildir {self._path} cannot be written: {error.strerror}; "
                "see that the folder exists and that the referee may write there"
            ) from error

    def _make(self) -> None:
        for box in BOXES:
            (self._path / box).mkdir(parents=True, exist_ok=True)

    def _write(self, name: str, content: bytes) -> None:
        """Write so that a reader finds the whole letter or none, even after the power has failed."""
        self._make()
        draft = self._path / "tmp" / name
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new = self._path / "new"
        draft.replace(new / name)
        folder = os.open(new, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
