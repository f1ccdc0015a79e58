"""The lines at the end of a game's record by which anybody can check it without asking us (see archive.verify)."""

from __future__ import annotations

import json
from collections.abc import Mapping

IMPORTED = "Imported"
"""The head line that states how much of a game was played elsewhere."""


def proof_lines(
    *,
    game: int,
    rules: str,
    version: str,
    options: Mapping[str, str],
    deal: str,
    commitment: str,
    secret: str,
    chain: str,
    brought: int | None = None,
) -> dict[str, str]:
    """Return the lines of a record's head from which the commitment and all receipts follow.

    deal: as an umpire set it; "" where everything was drawn, and then there is no such line.
    secret: hex.
    brought: how many attempts were made elsewhere, before anything was bound; None for a game that began
        here.
    """
    return {
        "Game": str(game),
        "Rules": f"{rules} {version}",
        "Options": write_options(options),
        **({"Deal": deal} if deal else {}),
        "Commitment": commitment,
        "Secret": secret,
        "Chain": chain,
        **({IMPORTED: f"{brought} attempts"} if brought is not None else {}),
    }


def write_options(options: Mapping[str, str]) -> str:
    """Return options as JSON on one line without two adjacent blanks, since a head line keeps only one of them."""
    said = json.dumps(dict(options), sort_keys=True, ensure_ascii=True)
    return said.replace("  ", " \\u0020")
