"""Receipts: a chain of hashes through a game, so that nothing in it can be changed, omitted or inserted.

Every attempt that was ruled on adds a link, and so does the end; letters state the latest. A link binds
everything before it, back to the game's commitment. The game's secret enters every link: without it a receipt
reveals nothing, and guesses cannot be tested against it. Once the secret is published, all links follow from
the record alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import reduce

RECEIPT_DOMAIN = "referee receipt 1"
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def receipt(before: str, secret: bytes, said: Mapping[str, str]) -> str:
    """Return the link that follows another one: 64 lower-case hex digits.

    The hash covers one line of canonical JSON (sorted keys, no spaces): `said`, `before`, the domain tag, and
    the secret in hex.

    before: the previous receipt; for the first, the game's commitment.
    said: the recorded facts by key, such as seat, order and answer (see Records.recorded).
    """
    bound = {**said, "before": before, "domain": RECEIPT_DOMAIN, "secret": secret.hex()}
    return hashlib.sha256(_CANONICAL.encode(bound).encode("ascii")).hexdigest()


def last_receipt(before: str, secret: bytes, recorded: Iterable[Mapping[str, str]]) -> str:
    """Return the latest link after some recorded facts, oldest first; `before` when there are none.

    recorded: as returned by Records.recorded; empty facts add no link.
    """
    return reduce(lambda link, said: receipt(link, secret, said) if said else link, recorded, before)
