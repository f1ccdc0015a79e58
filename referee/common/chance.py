"""The only place that draws random values, and the proof that the draws are fair.

Each game has a 32-byte secret, drawn at its start. Its commitment stands in every player's first letter, and
the secret is published at the end. All draws follow from the secret: HMAC-SHA256 in counter mode gives a
stream of bytes. Numbers below a bound come from the stream without bias (rejection), shuffles use Fisher and
Yates's method. Anybody can repeat the draws offline and compare.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")

COMMITMENT_DOMAIN = "referee commitment 1"


def new_secret() -> bytes:
    """Draw a game's secret: 32 bytes from the operating system."""
    return secrets.token_bytes(32)


def new_tag() -> str:
    """Draw an unguessable reply tag: 20 characters of a-z and 0-9 (over 100 bits)."""
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
    return "".join(secrets.choice(alphabet) for _ in range(20))


class Draws(Protocol):
    """Draws values that must be unguessable. It is passed in where it is needed, like the clock."""

    def secret(self) -> bytes:
        """Return a game's secret: 32 bytes."""
        ...

    def tag(self) -> str:
        """Return a reply tag: 20 characters of a-z and 0-9."""
        ...


class SystemDraws:
    """Draws from the operating system."""

    def secret(self) -> bytes:
        return new_secret()

    def tag(self) -> str:
        return new_tag()


def commitment(
    secret: bytes, *, game: int, rules: str, version: str, options: Mapping[str, str], deal: str = ""
) -> str:
    """Return the SHA-256 of `bound_line`, which binds the service to `secret`: 64 lower-case hex digits."""
    line = bound_line(secret, game=game, rules=rules, version=version, options=options, deal=deal)
    return hashlib.sha256(line.encode("ascii")).hexdigest()


def bound_line(
    secret: bytes, *, game: int, rules: str, version: str, options: Mapping[str, str], deal: str = ""
) -> str:
    """Return what a commitment binds, as one line of canonical JSON (keys sorted, no spaces).

    The line holds the domain tag, the game's number, the rulebook's name and version, its options and the
    secret in hex. A deal set by an umpire is in it too, so that it cannot be exchanged afterwards.
    """
    said = {
        **({"deal": deal} if deal else {}),
        "domain": COMMITMENT_DOMAIN,
        "game": game,
        "options": dict(options),
        "rules": rules,
        "secret": secret.hex(),
        "version": version,
    }
    return json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


class Chance:
    """Random draws from a secret. Each purpose ("deal white") has its own stream, so order does not matter."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != 32:
            raise ValueError(f"a secret has 32 bytes, not {len(secret)}")
        self._secret = secret

    def __repr__(self) -> str:
        return "Chance(hidden)"

    def _bytes(self, purpose: str) -> Iterator[int]:
        counter = 0
        while True:
            block = hmac.new(self._secret, f"{purpose}\n{counter}".encode(), hashlib.sha256).digest()
            yield from block
            counter += 1

    @staticmethod
    def _below(stream: Iterator[int], bound: int) -> int:
        """Return a number from 0 to bound - 1, each equally likely. bound: 1 to 65536."""
        if not 1 <= bound <= 65536:
            raise ValueError(f"the bound is from 1 to 65536, not {bound}")
        limit = 65536 - 65536 % bound
        while True:
            value = next(stream) << 8 | next(stream)
            if value < limit:
                return value % bound

    def shuffle(self, things: Sequence[T], purpose: str) -> tuple[T, ...]:
        """Return `things` in a random order for `purpose`; every order is equally likely."""
        stream = self._bytes(purpose)
        shuffled = list(things)
        for last in range(len(shuffled) - 1, 0, -1):
            other = self._below(stream, last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return tuple(shuffled)

    def lot(self, things: Sequence[T], purpose: str) -> T:
        """Return one of `things`, drawn at random for `purpose`."""
        return things[self._below(self._bytes(purpose), len(things))]
