"""The service's own log: structured lines on standard error.

Lines name letters, games and players by number. Hidden facts, tags and passwords are kept out in two ways:
code here does not receive them, and a last processor withholds every key that is not known to be harmless.
The service goes on whether or not the log can be written.
"""

from __future__ import annotations

import io
import logging
import os
import sys
import threading
import traceback
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, TextIO

import structlog

_NAMES = """
event level timestamp letter letters outcome reason game games player error again_in again_at attempt id code kind sent
failures pause host port folder seconds pid version mailbox outbox database state count message_id answer answers tries
at uncertain file uid where chore times after about since until free by ahead now newest case form
"""
HARMLESS = frozenset(_NAMES.split())
"""Keys that a line may have: every key that is logged anywhere is declared here."""


class Lines:
    """The log file. A line that cannot be written is dropped, and the next written one says how many were."""

    def __init__(self, file: TextIO | None) -> None:
        """file: None when this process was started without a standard error."""
        self._file = file
        self._writing = threading.Lock()
        self._lost = 0
        self._torn = False

    def msg(self, line: str) -> None:
        """Write a line at once, or drop it."""
        if self._file is None:
            return
        with self._writing:
            lost = f" lines_lost={self._lost}" if self._lost else ""
            torn = "\n" if self._torn else ""
            try:
                self._write(self._file, f"{torn}{line}{lost}\n")
            except (OSError, ValueError):  # a full disk, a reader that has gone, a closed file
                self._lost += 1
            else:
                self._lost = 0

    debug = info = warning = error = critical = msg

    def _write(self, file: TextIO, text: str) -> None:
        """Write all of a text past Python's buffer, which would keep what cannot be written and retry it for ever."""
        try:
            target = file.fileno()
        except io.UnsupportedOperation:  # a file in memory
            file.write(text)
            return
        left = text.encode(file.encoding, "backslashreplace")
        while left:
            left = left[os.write(target, left) :]
            self._torn = bool(left)


def tell_error(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Name an error by its kind and its place in the code: its text may quote a letter or a hidden fact."""
    error = line.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        line.setdefault("error", type(error).__name__)
        for frame in traceback.extract_tb(error.__traceback__)[-1:]:
            line["where"] = f"{Path(frame.filename).name}:{frame.lineno}"
    return line


def withhold(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace the value of every key that is not known to be harmless."""
    return {key: value if key in HARMLESS else "(withheld)" for key, value in line.items()}


def set_up(*, verbose: bool) -> None:
    """Send structured lines to standard error: for people on a terminal, key=value elsewhere."""
    renderer: Any = (
        structlog.dev.ConsoleRenderer(colors=True)
        if sys.stderr is not None and sys.stderr.isatty()
        else structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"])
    )
    lines = Lines(sys.stderr)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            tell_error,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            withhold,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if verbose else logging.INFO),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=False,
    )
    # Libraries may log a server's words, and a login with them: only warnings, and never imapclient's
    # dialogue.
    logging.getLogger("imapclient").setLevel(logging.CRITICAL)
    logging.getLogger("aiosmtplib").setLevel(logging.CRITICAL)
