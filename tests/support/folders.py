"""Where the files of a run of the tests lie: in memory where there is room for them.

A database makes each commit certain on the disk, and the tests commit some ten thousand times; nothing of theirs has to
outlive the machine.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
ON_DISK = Path("/tmp")
"""Both have short names, for the names of sockets are limited."""
ROOM = 2 << 30
"""Bytes that must be free in the folder, and available in memory: some times what a run needs at once."""


def quick_folder() -> str:
    """Return the folder to make temporary folders in."""
    try:
        place = os.statvfs(IN_MEMORY)
        said = re.search(r"^MemAvailable: +(\d+) kB$", Path("/proc/meminfo").read_text(), re.MULTILINE)
    except OSError:
        return str(ON_DISK)
    there_is_room = said is not None and min(place.f_bavail * place.f_frsize, int(said[1]) << 10) > ROOM
    usable = os.access(IN_MEMORY, os.W_OK | os.X_OK) and not place.f_flag & os.ST_NOEXEC
    return str(IN_MEMORY if there_is_room and usable else ON_DISK)


def cache_folder() -> str:
    """Make the folder for compiled templates, the same for all runs on this machine."""
    folder = Path(os.environ["TMPDIR"]) / f"referee-tests-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return str(folder)
