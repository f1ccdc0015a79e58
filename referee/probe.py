"""`referee init` proves that mail comes and goes."""

from __future__ import annotations

from dataclasses import dataclass

from referee.assembly import Premises


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried. good: it is as it should be. blocks: the service cannot work without it."""

    text: str
    good: bool
    blocks: bool = False


def probe_servers(premises: Premises) -> list[Finding]:
    """Placeholder."""
    return []
