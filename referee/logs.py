"""The service's own log: structured lines on standard error.

Lines name letters, games and players by number. Hidden facts, tags and passwords are kept out in two ways: nobody
here is given them to log, and a last processor withholds every key that is not known to be harmless.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_NAMES = """
event level timestamp letter letters outcome reason game games error again_in again_at attempt id code kind sent
failures pause host port folder seconds pid version mailbox outbox database state count message_id answer answers tries
at uncertain file uid
"""
HARMLESS = frozenset(_NAMES.split())
"""Keys that a line may carry."""


def withhold(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace the value of every key that is not known to be harmless."""
    return {key: value if key in HARMLESS else "(withheld)" for key, value in line.items()}


def set_up(*, verbose: bool) -> None:
    """Send structured lines to standard error: for people on a terminal, key=value elsewhere."""
    renderer: Any = (
        structlog.dev.ConsoleRenderer(colors=True)
        if sys.stderr.isatty()
        else structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"])
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            withhold,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if verbose else logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    # Libraries may log what a server said, and with it a login: only their warnings, and never imapclient's dialogue.
    logging.getLogger("imapclient").setLevel(logging.CRITICAL)
    logging.getLogger("aiosmtplib").setLevel(logging.CRITICAL)
