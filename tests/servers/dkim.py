"""OpenDKIM for Postfix: one that signs as a player's mail host, one that checks as the referee's."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.servers.launching import end, find_program, wait_for_port

SELECTOR = "mail"

DEBIAN = """
Canonicalization    relaxed/simple
OversignHeaders     From
"""
"""What Debian's opendkim.conf says of signatures: of all else that is signed it leaves OpenDKIM's own list."""


class Keys:
    """A domain's key, and the file that stands for its record. Raises ServerAbsent."""

    def __init__(self, folder: Path, domain: str) -> None:
        openssl = find_program("openssl")
        self.domain = domain
        self.private, self.record = folder / "private.key", folder / "public.keys"
        subprocess.run([openssl, "genrsa", "-out", self.private, "2048"], check=True, capture_output=True)
        self.private.chmod(0o600)
        public = subprocess.run(
            [openssl, "rsa", "-in", self.private, "-pubout"], check=True, capture_output=True, text=True
        ).stdout
        key = "".join(public.splitlines()[1:-1])
        self.record.write_text(f"{SELECTOR}._domainkey.{domain} v=DKIM1; k=rsa; p={key}\n")


@contextmanager
def signing(folder: Path, port: int, keys: Keys, settings: str) -> Iterator[None]:
    """Sign what comes by a port, as settings say that leave out whose key it is. Raises ServerAbsent."""
    here = {
        "Mode": "s",
        "Domain": keys.domain,
        "Selector": SELECTOR,
        "KeyFile": str(keys.private),
        "InternalHosts": "127.0.0.1",
    }
    with _running(folder, port, settings, here):
        yield


@contextmanager
def checking(folder: Path, port: int, keys: Keys, settings: str) -> Iterator[None]:
    """Check what comes by a port, whatever machine it comes from. Raises ServerAbsent."""
    here = {
        "Mode": "v",
        "Domain": "example.org",
        "Selector": SELECTOR,
        "KeyFile": str(keys.private),
        "InternalHosts": "192.0.2.1",
        "TestPublicKeys": str(keys.record),
    }
    with _running(folder, port, settings, here):
        yield


@contextmanager
def _running(folder: Path, port: int, settings: str, here: Mapping[str, str]) -> Iterator[None]:
    opendkim = find_program("opendkim")
    here = {**here, "Socket": f"inet:{port}@127.0.0.1", "RequireSafeKeys": "no", "Syslog": "no"}
    kept = [line for line in settings.splitlines() if line.split()[:1] and line.split()[0] not in here]
    config = folder / f"opendkim-{port}.conf"
    config.write_text("\n".join([*kept, *(f"{name} {value}" for name, value in here.items()), ""]))
    log = folder / f"opendkim-{port}.log"
    with log.open("wb") as said:
        program = subprocess.Popen(
            [opendkim, "-f", "-x", config],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        wait_for_port(port, program, log)
        yield
    finally:
        end(program, signal.SIGKILL)
