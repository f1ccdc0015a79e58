"""Keeps compiled templates from one process to the next: compiling those of a first letter takes seconds.

They are in the folder that systemd names (`CacheDirectory=`), otherwise in `~/.cache/referee`. Either may be emptied at
any time.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.metadata import version
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(FileSystemBytecodeCache):
    """The compiled templates of a medium and a language.

    A file that cannot be read or written is no obstacle: the template is compiled anew.

    Raises OSError or RuntimeError where there is no folder that is safe to read code from.
    """

    def __init__(self, medium: str, language: str) -> None:
        super().__init__(str(_folder()))
        self._kind = f"{medium}-{language}"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the key of a template; media and languages differ in what filters make of constants."""
        return super().get_cache_key(f"{self._kind}/{name}", filename)

    def get_source_checksum(self, source: str) -> str:
        """Return what changes with a template and with the code of the filters."""
        return super().get_source_checksum(f"{program_digest()}\n{source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template, where it is there and whole."""
        with suppress(Exception):  # a damaged file may raise anything
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template, where the folder has room for it."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_templates(medium: str, language: str) -> CompiledTemplates | None:
    """Return where the compiled templates are kept; None where there is no safe folder for them."""
    try:
        return CompiledTemplates(medium, language)
    except (OSError, RuntimeError):
        return None


def _folder() -> Path:
    """Return the folder for compiled templates. Raises RuntimeError where others could put code into it."""
    if named := os.environ.get("CACHE_DIRECTORY"):
        folder = Path(named.partition(":")[0])  # systemd names all that the unit lists
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "referee"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_ours_alone(folder.stat()):
        raise RuntimeError(f"{folder} can be written by others")
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # another process has just put a file in place
            if not _is_ours_alone(path.lstat()):
                raise RuntimeError(f"{path} may have been written by others")
    for parent in folder.resolve().parents:
        found = parent.stat()
        # In a sticky folder nobody moves what is another's.
        if found.st_uid not in (0, os.getuid()) or (
            _others_write(found) and not found.st_mode & stat.S_ISVTX
        ):
            raise RuntimeError(f"{parent}, in which {folder} is, can be written by others")
    return folder


def _is_ours_alone(found: os.stat_result) -> bool:
    return found.st_uid == os.getuid() and not stat.S_ISLNK(found.st_mode) and not _others_write(found)


def _others_write(found: os.stat_result) -> bool:
    return bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


@cache
def program_digest() -> str:
    """Return a digest that differs between two states of the installed program, and of what compiles templates."""
    package = Path(str(resources.files("referee")))
    digest = sha256(" ".join(map(version, ("jinja2", "markupsafe"))).encode())
    for path in sorted(each for kind in ("*.py", "*.po") for each in package.rglob(kind)):
        with suppress(OSError):  # an editor's own file, or one that has just gone
            digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    return digest.hexdigest()
