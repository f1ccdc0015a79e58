"""A PostgreSQL server for one run of the tests, and a fresh database for whoever asks."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.servers.launching import ServerAbsent, end, find_program, free_port, wait_for_port
from tests.support.folders import quick_folder
from tests.support.waiting import until


class PostgresServer:
    """Listens on loopback only; its files are gone after `stop`.

    fleeting: they lie in memory where there is room, and nothing is made certain on the disk. What a process that was
    killed has committed is there all the same; what is measured would be another thing.
    """

    def __init__(self, *, fleeting: bool = False) -> None:
        self._fleeting = fleeting
        places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
        self._initdb = find_program("initdb", beside=places)
        self._postgres = find_program("postgres", beside=places)
        # It refuses to run as root, so there it runs as the account that its package makes.
        self._account = "postgres" if os.geteuid() == 0 else None
        self._numbers = itertools.count(1)
        self.port = free_port()

    def start(self) -> None:
        self._folder = Path(
            tempfile.mkdtemp(prefix="referee-pg-", dir=quick_folder() if self._fleeting else "/tmp")
        )
        if self._account is not None:
            try:
                shutil.chown(self._folder, self._account)
            except LookupError as error:
                raise ServerAbsent("there is no account postgres to run PostgreSQL as") from error
        cluster, log = self._folder / "cluster", self._folder / "log"
        subprocess.run(
            [
                *(self._initdb, "--no-sync", "-D", cluster, "-U", "postgres", "-A", "trust"),
                *("-E", "UTF8", "--locale=C.UTF-8"),
            ],
            check=True,
            capture_output=True,
            cwd=self._folder,
            user=self._account,
        )
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self._folder,
            **(dict.fromkeys(("fsync", "full_page_writes"), "off") if self._fleeting else {}),
        }
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        with log.open("wb") as writing:
            self._program = subprocess.Popen(
                [self._postgres, "-D", cluster, *options],
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                cwd=self._folder,
                user=self._account,
                start_new_session=True,
            )
        wait_for_port(self.port, self._program, log)
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        """Wait out the moment in which it listens already but only says that it is starting up."""
        until(self._is_ready, "that PostgreSQL is ready")

    def _is_ready(self) -> bool:
        with suppress(psycopg.OperationalError):
            self._connect().close()
            return True
        return False

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(host="127.0.0.1", port=self.port, user="postgres", autocommit=True)

    def new_database(self) -> str:
        """Make an empty database and return its SQLAlchemy URL."""
        name = f"referee_{next(self._numbers)}"
        with psycopg.connect(
            host="127.0.0.1", port=self.port, user="postgres", autocommit=True
        ) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        end(self._program, signal.SIGQUIT)  # its "immediate" shutdown: nothing of it is kept
        shutil.rmtree(self._folder, ignore_errors=True)
