"""What the launchers share: free ports, waiting for a port, saying why a server cannot run here."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.support.waiting import PATIENCE, until


class ServerAbsent(Exception):
    """A server cannot be started on this machine; the text says why."""


LENT = Path("/proc/sys/net/ipv4/ip_local_port_range")
"""Between which ports the kernel lends one to whoever connects to somewhere."""


def free_port() -> int:
    """Return a port of the loopback interface on which nobody listens at the moment. Raises OSError for want of one.

    It is below those that the kernel lends: one of them may be lent before the server that is to have it has begun.
    """
    first = int(LENT.read_text().split()[0]) if LENT.exists() else 32768
    for port in random.sample(range(max(first - 12000, 1024), max(first, 13024)), 1000):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("no port of the loopback interface is free")


def find_program(name: str, *, beside: Sequence[Path] = ()) -> Path:
    """Return where a program is: on the path, in the folders of system programs, or `beside`."""
    places = [*map(str, beside), os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]
    found = shutil.which(name, path=os.pathsep.join(places))
    if found is None:
        raise ServerAbsent(f"{name} is not installed")
    return Path(found)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def greets(port: int, seconds: float = PATIENCE) -> bool:
    """Return whether a server on `port` says a first word within `seconds`; listening alone is the kernel's work."""
    with socket.socket() as probe, suppress(OSError):
        probe.settimeout(seconds)
        probe.connect(("127.0.0.1", port))
        return bool(probe.recv(1))
    return False


def wait_for_port(port: int, program: subprocess.Popen[bytes], log: Path, seconds: float = PATIENCE) -> None:
    """Wait until `program` listens on `port`; raises RuntimeError with the end of its log if it does not."""
    with suppress(AssertionError):
        until(lambda: listens(port) or program.poll() is not None, seconds=seconds)
    if not listens(port):
        said = log.read_text(errors="replace")[-2000:] if log.exists() else ""
        raise RuntimeError(f"{program.args!r} does not listen on port {port}: {said}")


def end(program: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM) -> None:
    """End a program that was started in a session of its own, and whatever it has started there."""
    if program.poll() is None:
        program.send_signal(how)
        try:
            program.wait(10)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait(10)
    with suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)
        # What is started next in the same folders finds locks and sockets held as long as one of these is there.
        with suppress(AssertionError):
            until(lambda: not runs(program.pid), seconds=PATIENCE)


def runs(group: int) -> bool:
    """Return whether a process of a group runs; those that have ended and were not asked after count no more."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, _, its_group = stat.read_text(errors="replace").rpartition(")")[2].split()[:3]
            if int(its_group) == group and state not in "ZX":
                return True
    return False
