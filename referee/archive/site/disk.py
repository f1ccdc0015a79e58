"""A site's folder on the disk.

Links out of it are not followed, and files are staged until they are complete.

Names are of files in the folder, or in a subfolder: `index.html`, `games/1.html`. New files are written into
a staging folder, `.referee-site-` and 32 hexadecimal digits, which nobody else may read, and then moved to
their places. A killed run leaves it behind, and the next run removes it. The folder is locked during
publishing.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from referee.common.errors import RefereeError, UsageError

ABSENT, NO_FILE = "", "no plain file"
"""Stand in for a digest: there is nothing; there is a link, a folder, or something else unreadable."""
_ASIDE = re.compile(r"\.referee-site-[0-9a-f]{32}")
_STAGED = re.compile(r"[0-9]{1,9}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""A pipe would make the reader wait: it is opened without waiting, and then recognised as no file."""


class Disk:
    """A site's folder on the disk. All access goes through open folders, so that none can become a link meanwhile."""

    def __init__(self, path: Path, top: int) -> None:
        self._path = path
        self._top = top
        self._folders: dict[str, int] = {}
        self._aside: str | None = None
        self._staged = 0

    def look(self, name: str) -> str:
        """Return the SHA-256 of a file; ABSENT where there is none, NO_FILE for whatever `read` refuses."""
        try:
            content = self.read(name)
        except UsageError:
            return NO_FILE
        return ABSENT if content is None else sha256(content).hexdigest()

    def read(self, name: str) -> bytes | None:
        """Return a file's bytes, None where there is none.

        Raises UsageError for a name that is no plain file, or cannot be read.
        """
        folder, last = self._place(name)
        if folder is None:
            return None
        try:
            opened = os.open(last, _READ, dir_fd=folder)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):  # a link, a socket
                raise self._no_file(name) from error
            raise UsageError(f"{self._path / name} cannot be read ({error.strerror}).") from error
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            os.close(opened)
            raise self._no_file(name)
        with os.fdopen(opened, "rb") as file:
            return file.read()

    def size(self, name: str) -> int:
        """Return the size of an existing file in bytes."""
        folder, last = self._place(name)
        return os.stat(last, dir_fd=folder, follow_symlinks=False).st_size

    def stage(self, content: bytes) -> str:
        """Write a staged file; return its staging name."""
        aside = self._folder_aside()
        staged, self._staged = str(self._staged), self._staged + 1
        file = os.open(staged, _NEW, 0o666, dir_fd=aside)
        try:
            while content:
                content = content[os.write(file, content) :]
        finally:
            os.close(file)
        return staged

    def move(self, staged: str, name: str) -> None:
        """Move a staged file to its place, over an existing one."""
        folder, last = self._place(name, make=True)
        os.replace(staged, last, src_dir_fd=self._folder_aside(), dst_dir_fd=folder)

    def remove(self, name: str) -> None:
        """Remove an existing file."""
        folder, last = self._place(name)
        os.unlink(last, dir_fd=folder)

    def tidy(self) -> None:
        """Remove the staged files of this run and of killed ones.

        Other files in such a folder are not ours, and keep it there.
        """
        if self._aside is not None:
            os.close(self._folders.pop(self._aside))
            self._aside = None
        with os.scandir(self._top) as there:
            left = [
                each.name
                for each in there
                if _ASIDE.fullmatch(each.name) and each.is_dir(follow_symlinks=False)
            ]
        for name in left:
            aside = os.open(name, _FOLDER, dir_fd=self._top)
            try:
                with os.scandir(aside) as there:
                    files = [each.name for each in there if each.is_file(follow_symlinks=False)]
                for staged in filter(_STAGED.fullmatch, files):
                    os.unlink(staged, dir_fd=aside)
                with suppress(OSError):  # it holds a file of somebody else's
                    os.rmdir(name, dir_fd=self._top)
            finally:
                os.close(aside)

    def close(self) -> None:
        """Close the open folders."""
        for each in self._folders.values():
            os.close(each)
        self._folders.clear()

    def _no_file(self, name: str) -> UsageError:
        return UsageError(
            f"{self._path / name} is no plain file, and a page is called so: "
            "publish into another folder, or move it away."
        )

    def _folder_aside(self) -> int:
        if self._aside is None:
            name = f".referee-site-{secrets.token_hex(16)}"
            os.mkdir(name, 0o700, dir_fd=self._top)
            self._folders[name] = os.open(name, _FOLDER, dir_fd=self._top)
            self._aside = name
        return self._folders[self._aside]

    def _place(self, name: str, *, make: bool = False) -> tuple[int | None, str]:
        """Return the open folder of a file, None for a missing one, and the last part of the file's name.

        Raises UsageError where a link or a file is in the folder's place.
        """
        folder, _, last = name.rpartition("/")
        if not folder:
            return self._top, last
        if folder not in self._folders:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o777, dir_fd=self._top)
            try:
                self._folders[folder] = os.open(folder, _FOLDER, dir_fd=self._top)
            except FileNotFoundError:
                return None, last
            except NotADirectoryError as error:  # also raised for a link
                raise UsageError(
                    f"{self._path / folder} is no folder, or a link to one, and a folder of the site's is called so: "
                    "publish into another folder, or move it away."
                ) from error
        return self._folders[folder], last


@contextmanager
def opened(path: Path) -> Iterator[Disk]:
    """Open a site's folder, create it if needed, and keep others from publishing into it.

    Raises RefereeError while somebody else is publishing, and for a full or failing disk.
    """
    path.mkdir(parents=True, exist_ok=True)
    top = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _lock(top, path)
        disk = Disk(path, top)
        try:
            yield disk
        except OSError as error:
            raise RefereeError(f"{path} cannot be written or read: {error.strerror or error}.") from error
        finally:
            disk.close()
    finally:
        os.close(top)


def _lock(top: int, path: Path) -> None:
    """Lock a folder until it is closed, or its process ends."""
    try:
        fcntl.flock(top, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise RefereeError(f"somebody else is publishing into {path} just now: try again later.") from error
    except OSError:
        pass  # some network disks cannot lock folders; their users must take care themselves
