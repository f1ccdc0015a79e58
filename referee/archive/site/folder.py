"""The folder of a published site: unchanged files are left alone, and so are foreign ones.

A file next to the pages, `.referee-site.json`, lists them, each with the SHA-256 of its bytes. It also lists
each game's stamp (see `page_data`), which shows that its pages need not be made again.

New files are staged first. Then the list is written with the present and the coming files, everything is
moved to its place, and the final list is written. So a run can be killed at any time: the digests show which
files are ours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from referee.archive.site.disk import ABSENT, NO_FILE, Disk, opened
from referee.common.errors import UsageError

LIST = ".referee-site.json"
FORMAT = "referee site 1"
_NAME = re.compile(r"(?:[a-z0-9-]{1,60}/)?[a-z0-9][a-z0-9_-]{0,60}\.[a-z0-9]{1,10}")
"""A valid name of a site's file: not hidden, and neither deeper nor elsewhere."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Listed:
    """A list's content: files with their digests, the stamps of games, and digests of files that may have arrived."""

    files: Mapping[str, str] = field(default_factory=dict)
    stamps: Mapping[str, str] = field(default_factory=dict)
    coming: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Folder:
    """A site's folder.

    written, unchanged, removed: the numbers of files up to now.
    left: the number of files that were ours once and stay, since somebody has changed them.
    """

    path: Path
    _disk: Disk
    written: int = 0
    unchanged: int = 0
    removed: int = 0
    left: int = 0
    _before: dict[str, str] = field(default_factory=dict)
    _stamps_before: Mapping[str, str] = field(default_factory=dict)
    _now: dict[str, str] = field(default_factory=dict)
    _stamps: dict[str, str] = field(default_factory=dict)
    _stood: dict[str, str] = field(default_factory=dict)
    _staged: dict[str, str] = field(default_factory=dict)

    def begin(self) -> None:
        """Read the previous list, and remove what a killed run has left.

        Raises UsageError where the list cannot be read.
        """
        content = self._disk.read(LIST)
        if content is not None:
            try:
                listed = _read_list(content)
            except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
                raise UsageError(
                    f"{self.path / LIST} is no list of a site's files: publish into another folder, or empty this one."
                ) from error
            arrived = {name: digest for name, digest in listed.coming.items() if self._is(name, digest)}
            self._before, self._stamps_before = {**listed.files, **arrived}, listed.stamps
        self._disk.tidy()

    def expect(self, names: Iterable[str]) -> None:
        """Check the files that will be written in any case. Raises UsageError for one that is not ours.

        So the error comes at once, and not after all games are done.
        """
        for name in names:
            self._look(name)

    def stands(self, stamp: str, key: str, names: Collection[str]) -> bool:
        """Return whether files written with a stamp are unchanged; if so, keep them.

        names: all their possible names.
        """
        if not stamp or self._stamps_before.get(key) != stamp:
            return False
        names = [name for name in names if name in self._before]
        if not all(self._is(name, self._before[name]) for name in names):
            return False
        self._now |= {name: self._before[name] for name in names}
        self._stamps[key] = self._stood[key] = stamp
        self.unchanged += len(names)
        return True

    def put(self, name: str, content: bytes) -> None:
        """Write a file, unless it is there unchanged. Raises UsageError where there is one that is not ours."""
        digest = sha256(content).hexdigest()
        self._now[name] = digest
        if self._look(name) == digest:
            self.unchanged += 1
            return
        self._staged[name] = self._disk.stage(content)

    def stamp(self, key: str, stamp: str) -> None:
        """Store the stamp with which a thing's files were written."""
        if stamp:
            self._stamps[key] = stamp

    def close(self) -> None:
        """Remove obsolete files, move new ones to their places, and write the list."""
        gone = [name for name in self._before if name not in self._now]
        for name in gone[:]:
            if not self._is(name, self._before[name]):
                self.left += self._disk.look(name) != ABSENT
                gone.remove(name)
        if gone or self._staged:
            coming = {name: self._now[name] for name in self._staged}
            self._write_list(Listed(self._before, self._stood, coming))
        for name in gone:
            self._disk.remove(name)
            self.removed += 1
        for name, staged in self._staged.items():
            self._disk.move(staged, name)
            self.written += 1
        self._write_list(Listed(self._now, self._stamps))

    @property
    def size(self) -> int:
        """The size of all files of the site, in bytes."""
        return sum(map(self._disk.size, self._now))

    def _is(self, name: str, digest: str) -> bool:
        return self._disk.look(name) == digest

    def _look(self, name: str) -> str:
        """Return the digest of one of our files, or ABSENT. Raises UsageError for a file of somebody else's."""
        found = self._disk.look(name)
        if found == NO_FILE:
            self._disk.read(name)  # which says why it is none
        if found == ABSENT or name in self._before:
            return found
        raise UsageError(
            f"{self.path / name} is there, and was not written by `referee publish`: "
            "publish into another folder, or move it away."
        )

    def _write_list(self, listed: Listed) -> None:
        said: dict[str, str | dict[str, str]] = {
            "format": FORMAT,
            "files": dict(sorted(listed.files.items())),
            "stamps": dict(sorted(listed.stamps.items())),
        }
        if listed.coming:
            said["coming"] = dict(sorted(listed.coming.items()))
        content = (json.dumps(said, indent=0) + "\n").encode()
        if self._disk.read(LIST) != content:
            self._disk.move(self._disk.stage(content), LIST)


@contextmanager
def open_folder(path: Path) -> Iterator[Folder]:
    """Open the folder of a site.

    Raises UsageError where its list cannot be read, and RefereeError while somebody else is publishing into
    it.
    """
    with opened(path) as disk:
        folder = Folder(path, disk)
        folder.begin()
        try:
            yield folder
        finally:
            disk.tidy()


def _read_list(content: bytes) -> Listed:
    """Return a list's content. Raises ValueError, and others, for a list that was not written here."""
    said = json.loads(content)
    if said["format"] != FORMAT:
        raise ValueError(said["format"])
    stamps = {str(key): str(stamp) for key, stamp in said["stamps"].items()}
    return Listed(_read_files(said["files"]), stamps, _read_files(said.get("coming", {})))


def _read_files(said: Mapping[str, str]) -> dict[str, str]:
    for name, digest in said.items():
        if not _NAME.fullmatch(name) or not _DIGEST.fullmatch(digest):
            raise ValueError(name)
    return dict(said)
