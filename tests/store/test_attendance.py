"""Who is at work on the database, and which letter was in hand when one of them ended uncleanly."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from referee.common.clock import FixedClock
from referee.mail.message.message import RawLetter
from referee.store.database import Store
from referee.store.engine import LONGEST_NAME, name_of_process

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
AT_WORK = """
import os, sys
from referee.common.clock import SystemClock
from referee.store.database import Store
if len(sys.argv) > 2:
    os.getpid = lambda: int(sys.argv[2])
store = Store(sys.argv[1], SystemClock())
store.open(create=False)
with store.at_work() as noted:
    print(noted, flush=True)
    sys.stdin.readline()
store.close()
"""


class Service:
    """A service at work in a process of its own. noted: what it was told when it began."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        assert process.stdout is not None
        self.noted = process.stdout.readline().strip()

    def ends(self) -> None:
        self._process.communicate("\n")
        assert self._process.returncode == 0

    def is_killed(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def service(url: str, number: int | None = None) -> Iterator[Service]:
    """Start a service. number: that of its process, if it shall have one that others have."""
    command = [sys.executable, "-c", AT_WORK, url, *([] if number is None else [str(number)])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Service(process)
        finally:
            process.kill()


def with_letters(url: str, count: int) -> Store:
    store = Store(url, FixedClock(NOON))
    store.open(create=False)
    contents = [b"Subject: %d\r\n\r\nhelp\r\n" % number for number in range(count)]
    store.incoming.record(
        [RawLetter("INBOX", 1, str(uid), NOON, len(each), each) for uid, each in enumerate(contents)]
    )
    return store


@pytest.mark.subprocess
def test_after_a_good_end_nothing_is_noted(url: str) -> None:
    with_letters(url, 2).close()
    for _ in range(2):
        with service(url) as works:
            assert works.noted == "None"
            works.ends()


@pytest.mark.subprocess
@pytest.mark.full
def test_a_service_that_was_killed_leaves_the_oldest_letter_noted_and_the_third_time_another(
    url: str,
) -> None:
    store = with_letters(url, 2)
    for noted in ("None", "(1, 1)", "(1, 2)", "(1, 3)", "(2, 1)"):
        with service(url) as works:
            assert works.noted == noted
            works.is_killed()
    assert store.incoming.suspects() == [1]
    assert store.incoming.waiting(10) == [2]
    store.close()


@pytest.mark.subprocess
@pytest.mark.full
def test_on_postgresql_services_that_are_still_at_work_are_not_taken_for_dead(postgres_emptied: str) -> None:
    """Given two at work, when one of them is killed, then the next one to begin notes a letter, once; the other stays
    counted as at work, and its own bad end is noted in its turn."""
    with_letters(postgres_emptied, 2).close()
    with service(postgres_emptied) as first, service(postgres_emptied) as second:
        assert (first.noted, second.noted) == ("None", "None")
        first.is_killed()
        with service(postgres_emptied) as third:
            assert third.noted == "(1, 1)"
            with service(postgres_emptied) as fourth:
                assert fourth.noted == "None"
                fourth.ends()
            third.ends()
        second.is_killed()
        with service(postgres_emptied) as fifth:
            assert fifth.noted == "(1, 2)"
            fifth.ends()


@pytest.mark.subprocess
@pytest.mark.full
def test_services_of_one_host_name_and_process_number_are_told_apart(postgres_emptied: str) -> None:
    """In each container the service is process 1, and all on one host may bear its name."""
    with_letters(postgres_emptied, 2).close()
    with service(postgres_emptied, 1) as first, service(postgres_emptied, 1) as second:
        assert (first.noted, second.noted) == ("None", "None")
        second.ends()
        with service(postgres_emptied, 1) as third:
            assert third.noted == "None"
            first.is_killed()
            with service(postgres_emptied, 1) as fourth:
                assert fourth.noted == "(1, 1)"
                fourth.ends()
            third.ends()


@pytest.mark.parametrize("host", ["clubhost", "h" * 64, "klubhäuschen" * 5])
def test_the_name_of_a_process_is_one_that_postgresql_keeps_whole(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: host)
    monkeypatch.setattr(os, "getpid", lambda: 4_194_304)
    name = name_of_process()
    assert name.isascii()
    assert len(name) <= LONGEST_NAME
    assert name.startswith(f"referee, process 4194304 on {host[:4]}")
    assert name != name_of_process(), "no two bear one name"
