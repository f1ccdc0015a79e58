"""The games of a tournament in one file: a tar with a manifest that holds the SHA-256 of each of its files.

    games/17/record.txt   the record, with its proof
    games/17/log.jsonl    the log (see event_log)
    games/17/white.mbox   the letters to a seat (see mbox), where letters were requested
    manifest.json         the last one

The manifest holds the format, the event, each other file's name, size and SHA-256, and the SHA-256 of the
whole. The latter covers the line `event  NAME OF THE EVENT` and then the lines `SHA256  NAME` of the files in
the order of their names, each ended by a line feed. Anybody who has that one number from elsewhere can check
that nothing was changed. The same games give the same bytes: files are in order, have no owner, and have the
dates of their games.

A bundle is checked without being unpacked: it is read once from front to back, a piece at a time. It fits
only if it is written exactly as here, including the bytes that fill up a block, in which something could be
hidden. What the manifest does not bind has no meaning: the files' dates in the tar, and their order in the
tar and in the manifest. Both the record and the log of a game have its dates.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from typing import IO, Any

from referee.rulebooks.rulebook import Json

FORMAT = "referee bundle 1"
MANIFEST = "manifest.json"
LARGEST_MANIFEST = 64 * 1024 * 1024
LARGEST_FILE = 256 * 1024 * 1024
"""Largest file in a bundle, in bytes; one that claims to be larger is not read."""
MOST_PROBLEMS = 1000
"""After this many problems, nothing more is read."""
MOST_FILES = 200_000
"""Most files in a bundle: enough for some fifty thousand games."""
_NAME = re.compile(r"games/[1-9][0-9]{0,17}/[a-z][a-z0-9]{0,30}\.(?:txt|jsonl|mbox)")
_DIGITS = re.compile(r"[0-9a-f]{64}")
_PIECE = 1024 * 1024
_BLOCK, _TOGETHER = tarfile.BLOCKSIZE, tarfile.RECORDSIZE
"""Sizes in bytes: of a tar's heads, to which each file is filled up, and of the units of the whole tar."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a bundle. at: its date, aware UTC."""

    name: str
    content: bytes = field(repr=False)
    at: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a manifest. sha256: 64 hex digits."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a bundle.

    problems: a sentence for each mismatch.
    whole: the SHA-256 of the whole, computed from the files present.
    """

    problems: tuple[str, ...]
    event: str = ""
    files: int = 0
    whole: str = ""

    @property
    def fits(self) -> bool:
        return not self.problems


def whole_of(event: str, entries: Iterable[Entry]) -> str:
    """Return the SHA-256 of the whole."""
    whole = hashlib.sha256(f"event  {event}\n".encode())
    for each in sorted(entries, key=lambda entry: entry.name):
        whole.update(f"{each.sha256}  {each.name}\n".encode())
    return whole.hexdigest()


def write_bundle(file: IO[bytes], event: str, parts: Iterable[Part]) -> tuple[list[Entry], str]:
    """Write a bundle, file by file; return the manifest's entries, and the SHA-256 of the whole."""
    entries: list[Entry] = []
    last = 0
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.USTAR_FORMAT) as tar:
        for part in parts:
            if not _NAME.fullmatch(part.name):
                raise ValueError(f"{part.name!r} is no name of a file in a bundle")
            at = int(part.at.timestamp())
            last = max(last, at)
            _add(tar, part.name, part.content, at)
            entries.append(Entry(part.name, len(part.content), hashlib.sha256(part.content).hexdigest()))
        whole = whole_of(event, entries)
        _add(tar, MANIFEST, _write_manifest(event, entries, whole), last)
    return entries, whole


def _add(tar: tarfile.TarFile, name: str, content: bytes, at: int) -> None:
    tar.addfile(_head(name, len(content), at), BytesIO(content))
    tar.members.clear()  # type: ignore[attr-defined]  # kept for reading, which nobody does here


def _head(name: str, size: int, at: int) -> tarfile.TarInfo:
    head = tarfile.TarInfo(name)
    head.size, head.mtime, head.mode = size, at, 0o644
    return head


def _write_manifest(event: str, entries: Iterable[Entry], whole: str) -> bytes:
    files = [{"name": each.name, "size": each.size, "sha256": each.sha256} for each in entries]
    said = {"format": FORMAT, "event": event, "files": files, "sha256": whole}
    return (json.dumps(said, indent=1) + "\n").encode("ascii")


def check_bundle(file: IO[bytes]) -> Checked:
    """Check a bundle against its own manifest. The file may be anything; nothing of it is unpacked."""
    problems: list[str] = []
    found: dict[str, Entry] = {}
    manifest: bytes | None = None
    at = 0
    try:
        while (member := _next(file, problems)) is not None:
            if len(problems) > MOST_PROBLEMS:
                break
            if len(found) >= MOST_FILES:
                problems.append(f"it has more than {MOST_FILES:,} files")
                break
            name = member.name
            at += _BLOCK + member.size + -member.size % _BLOCK
            if why := _refused(member):
                problems.append(f"{name!r}: {why}")
                if member.size > LARGEST_FILE:
                    break  # skipping it would mean reading it
                _read(file, member, [])
                continue
            if manifest is not None:
                problems.append(f"{name!r}: it stands behind the manifest, which is the last file")
            if name in found:
                problems.append(f"{name}: it is there twice")
            entry, content = _read(file, member, problems)
            if name == MANIFEST:
                manifest = content
            else:
                found.setdefault(name, entry)
        else:
            _check_end(file, at, problems)
    except (tarfile.TarError, EOFError, OverflowError, ValueError) as error:
        problems.append(f"the file is damaged, cut short or no tar ({error})")
    except OSError as error:
        problems.append(f"the file cannot be read ({error.strerror or error})")
    if manifest is None:
        problems.append(f"there is no {MANIFEST}: the file is no bundle, or was cut short")
        return Checked(tuple(problems), files=len(found))
    event, listed, said = _read_manifest(manifest, problems)
    problems += _differences(listed, found)
    whole = whole_of(event, found.values())
    if not problems and said != whole:
        problems.append(f"{MANIFEST}: the number of the whole is {whole} by its files, not {said}")
    if not problems and manifest != _write_manifest(event, found.values(), whole):
        problems.append(f"{MANIFEST}: it says what it should, but is written otherwise than here")
    return Checked(tuple(problems), event, len(found), whole)


def _next(file: IO[bytes], problems: list[str]) -> tarfile.TarInfo | None:
    """Return the head of the next file; None after the last."""
    block = file.read(_BLOCK)
    if block == bytes(_BLOCK):
        return None
    head = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    if not _refused(head) and block != _head(head.name, head.size, int(head.mtime)).tobuf(
        tarfile.USTAR_FORMAT
    ):
        problems.append(f"{head.name}: its head in the tar is written otherwise than here")
    return head


def _check_end(file: IO[bytes], at: int, problems: list[str]) -> None:
    """Check what follows the last file and one empty block: one more, and the tar's padding.

    at: where the last file ends.
    """
    right, rest = _BLOCK + -(at + 2 * _BLOCK) % _TOGETHER, 0
    while piece := file.read(_PIECE):
        rest += len(piece)
        if piece.strip(b"\0"):
            problems.append("behind the last file there stands something that is of no file")
            return
        if rest > right:
            problems.append(
                f"behind the last file there are more than the {right} empty bytes that should be there"
            )
            return
    if rest != right:
        problems.append(f"behind the last file there are {rest} empty bytes, and should be {right}")


def _refused(member: tarfile.TarInfo) -> str:
    """Return why a file cannot belong to a bundle, "" where it can."""
    if member.name != MANIFEST and not _NAME.fullmatch(member.name):
        return "no file of a bundle is called so"
    if member.type != tarfile.REGTYPE:
        return "a bundle holds plain files alone, no folders, links or devices"
    most = LARGEST_MANIFEST if member.name == MANIFEST else LARGEST_FILE
    return f"it is larger than {most} octets" if member.size > most else ""


def _read(file: IO[bytes], member: tarfile.TarInfo, problems: list[str]) -> tuple[Entry, bytes]:
    """Return a file's entry, and the bytes of a manifest."""
    digest, left, kept = hashlib.sha256(), member.size, []
    while left > 0:
        piece = file.read(min(left, _PIECE))
        if not piece:
            raise EOFError(f"{member.name!r} ends early")
        left -= len(piece)
        digest.update(piece)
        if member.name == MANIFEST:
            kept.append(piece)
    filling = file.read(-member.size % _BLOCK)
    if len(filling) != -member.size % _BLOCK:
        raise EOFError(f"{member.name!r} ends early")
    if filling.strip(b"\0"):
        problems.append(f"{member.name}: behind its end there stands something that is of no file")
    return Entry(member.name, member.size, digest.hexdigest()), b"".join(kept)


def _read_manifest(content: bytes, problems: list[str]) -> tuple[str, dict[str, Entry], str]:
    """Return the event, the files and the SHA-256 of the whole from a manifest; errors go to problems."""
    try:
        said: Any = json.loads(content)
        listed, event, whole = _entries(said), said["event"], said["sha256"]
    except (KeyError, TypeError, ValueError, RecursionError, AttributeError) as error:
        problems.append(f"{MANIFEST} is none of a bundle ({error})")
        return "", {}, ""
    by_name = {each.name: each for each in listed}
    if len(by_name) < len(listed):
        problems.append(f"{MANIFEST}: a file is listed twice")
    return event, by_name, whole


def _entries(said: Json) -> list[Entry]:
    """Return the files in a manifest. Raises KeyError, TypeError or ValueError for an invalid one."""
    if said["format"] != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    if not (isinstance(said["event"], str) and isinstance(said["sha256"], str)):
        raise TypeError("its event and sha256 are texts")
    if not (said["event"].isprintable() and _DIGITS.fullmatch(said["sha256"])):
        raise ValueError("its event is one line that can be shown, and its sha256 has 64 digits")
    return [_entry(each) for each in said["files"]]


def _entry(said: Json) -> Entry:
    name, size, sha256 = said["name"], said["size"], said["sha256"]
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise ValueError(f"no file of a bundle is called {name!r}")
    if type(size) is not int or not (isinstance(sha256, str) and _DIGITS.fullmatch(sha256)):
        raise ValueError(f"what it says of {name} is no size and SHA-256")
    return Entry(name, size, sha256)


def _differences(listed: dict[str, Entry], found: dict[str, Entry]) -> Iterator[str]:
    for name in sorted(listed.keys() | found.keys()):
        right, here = listed.get(name), found.get(name)
        if right is None:
            yield f"{name}: the manifest does not list it"
        elif here is None:
            yield f"{name}: it is missing"
        elif here.size != right.size:
            yield f"{name}: it has {here.size} octets, by the manifest {right.size}"
        elif here != right:
            yield f"{name}: its SHA-256 is {here.sha256}, by the manifest {right.sha256}"
