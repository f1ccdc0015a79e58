"""A folder into which a site is written: what stands there so already is left alone, and so is what is not ours.

A file beside the pages, `.referee-site.json`, lists them, each with the SHA-256 of its bytes, and each game's stamp
(see `shown`), by which it is known that its pages need not be made again. The list is also written before the first
page is, with all names in it, so that a run that was cut short does not find its own pages to be somebody else's.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath

from referee.errors import UsageError

LIST = ".referee-site.json"
FORMAT = "referee site 1"


@dataclass
class Folder:
    """A site's folder.

    written, unchanged, removed, left: how many files have been so far; left: that were ours once and were changed by
    somebody since, so that they stay.
    """

    path: Path
    written: int = 0
    unchanged: int = 0
    removed: int = 0
    left: int = 0
    _before: Mapping[str, str] = field(default_factory=dict)
    _stamps_before: Mapping[str, str] = field(default_factory=dict)
    _now: dict[str, str] = field(default_factory=dict)
    _stamps: dict[str, str] = field(default_factory=dict)
    _folders: set[Path] = field(default_factory=set)

    def open(self) -> None:
        """Read what was written the last time. Raises UsageError where the list cannot be read."""
        self.path.mkdir(parents=True, exist_ok=True)
        place = self.path / LIST
        if not place.exists():
            return
        try:
            self._before, self._stamps_before = _read_list(place.read_bytes())
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise UsageError(
                f"{place} is no list of a site's files: publish into another folder, or empty this one."
            ) from error

    def announce(self, names: Iterable[str]) -> None:
        """Say which files may be written, before the first of them is. Raises UsageError for one that is there already
        and is not ours."""
        names = tuple(names)
        for name in names:
            if name not in self._before and (self.path / name).exists():
                raise UsageError(
                    f"{self.path / name} is there, and was not written by `referee publish`: "
                    "publish into another folder, or move it away."
                )
        self._write_list({**dict.fromkeys(names, ""), **self._before}, self._stamps_before)

    def stands(self, stamp: str, key: str, names: Collection[str]) -> bool:
        """Tell whether files that were written with a stamp stand as they were written; then they are kept so. names:
        all that there may be of them."""
        if not stamp or self._stamps_before.get(key) != stamp:
            return False
        names = [name for name in names if name in self._before]
        if not all(self._digest(name) == self._before[name] for name in names):
            return False
        self._now |= {name: self._before[name] for name in names}
        self._stamps[key] = stamp
        self.unchanged += len(names)
        return True

    def put(self, name: str, content: bytes) -> None:
        """Write a file, unless it stands there so."""
        digest = sha256(content).hexdigest()
        self._now[name] = digest
        if self._before.get(name) in (digest, "") and self._digest(name) == digest:
            self.unchanged += 1
            return
        place = self.path / name
        if place.parent not in self._folders:
            place.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(place.parent)
        aside = place.with_name(f".{place.name}.new")
        aside.write_bytes(content)
        aside.replace(place)
        self.written += 1

    def stamp(self, key: str, stamp: str) -> None:
        """Keep with what stamp something's files were written."""
        if stamp:
            self._stamps[key] = stamp

    def close(self) -> None:
        """Remove what was written once and is no more, and write the list."""
        for name, digest in self._before.items():
            if name in self._now or not (self.path / name).exists():
                continue
            if digest and self._digest(name) != digest:
                self.left += 1
                continue
            (self.path / name).unlink()
            self.removed += 1
        self._write_list(self._now, self._stamps)

    @property
    def size(self) -> int:
        """Bytes of all files of the site."""
        return sum((self.path / name).stat().st_size for name in self._now)

    def _digest(self, name: str) -> str:
        try:
            return sha256((self.path / name).read_bytes()).hexdigest()
        except (FileNotFoundError, NotADirectoryError):
            return ""

    def _write_list(self, files: Mapping[str, str], stamps: Mapping[str, str]) -> None:
        said = {
            "format": FORMAT,
            "files": dict(sorted(files.items())),
            "stamps": dict(sorted(stamps.items())),
        }
        content = (json.dumps(said, indent=0) + "\n").encode()
        place = self.path / LIST
        if not place.exists() or place.read_bytes() != content:
            aside = self.path / f"{LIST}.new"
            aside.write_bytes(content)
            aside.replace(place)


def _read_list(content: bytes) -> tuple[dict[str, str], dict[str, str]]:
    """Return the files and the stamps that a list holds."""
    said = json.loads(content)
    if said["format"] != FORMAT:
        raise ValueError(said["format"])
    files = {_inside(str(name)): str(digest) for name, digest in said["files"].items()}
    return files, {str(name): str(stamp) for name, stamp in said["stamps"].items()}


def _inside(name: str) -> str:
    """Return a name that lies in the folder. Raises ValueError for any other."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(name)
    return name
