"""Receipts: a chain of hashes through a game, so that nothing in it can be changed, left out or put in between.

Every attempt that was ruled on adds a link, and so does the end; letters say the newest. A link binds all that went
before it, and the game's commitment at the very beginning. The game's secret goes into every link: without it a
receipt tells nobody anything, and whatever is guessed cannot be tried on it. Once the secret is published, all links
follow from the record alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import reduce

RECEIPT_DOMAIN = "referee receipt 1"


def receipt(before: str, secret: bytes, said: Mapping[str, str]) -> str:
    """Return the link that follows another one: 64 lower-case hex digits.

    before: the receipt before it, the game's commitment for the first. said: what the record says of it, by keys
    such as seat, order and answer (see Records.recorded). Hashed is one line of canonical JSON (keys sorted, no
    spaces): these, `before`, the domain tag, and the secret in hex.
    """
    bound = {**said, "before": before, "domain": RECEIPT_DOMAIN, "secret": secret.hex()}
    line = json.dumps(bound, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(line.encode("ascii")).hexdigest()


def last_receipt(before: str, secret: bytes, recorded: Iterable[Mapping[str, str]]) -> str:
    """Return the newest link after a number of things recorded, oldest first; `before` when there are none.

    recorded: as Records.recorded gives them; what is empty there adds no link.
    """
    return reduce(lambda link, said: receipt(link, secret, said) if said else link, recorded, before)
