"""How a game ended, as a record says it. What is in doubt, or was only offered, is no end."""

from __future__ import annotations

import re

from referee.rulebooks.branches import trimmed

_BRACKETED = re.compile(r"\((.*)\)[\s.!]*", re.DOTALL)
_PARTED = re.compile(r"\s*[-‐‑‒–—−,]\s*(?=\S)")
_BEGINS = re.compile(
    r"(?:by|on|through|after|because|since|agreed|declared|adjudicated|abandoned|par|pour|après|faute|d'|d’|au|à)"
    r"(?:(?<=['’])|\b)",
    re.IGNORECASE,
)
"""Words that tell how it ended without a colon or brackets before them."""
_REASONED = re.compile(r"adjudicated:", re.IGNORECASE)
"""Behind this stands an umpire's own reason, in which any word may stand."""
_DOUBT = re.compile(
    r"\?|\b(?:offer(?:s|ed|ing)?|propos(?:al|es|ed|ing|ée?|ition)|suggest(?:s|ed)?|ask(?:s|ed)?|claim(?:s|ed)?"
    r"|refus(?:es|ed|al|ée?)|declin(?:es|ed)|decliné?e?|déclinée?|reject(?:s|ed)?|withdr(?:ew|awn)|not|no|never|none"
    r"|maybe|perhaps|possibly|probably|likely|almost|nearly|soon|yet|if|unless|or|may|might|could|would|should"
    r"|offerte?|demandée?|rejetée?|retirée?|peut-être|pas|non|si|ou|presque|bientôt|jamais)\b",
    re.IGNORECASE,
)


def read_how(said: str) -> str | None:
    """Return how a game ended; "" where it does not say, None where what stands there tells of no end.

    `: by agreement`, ` by agreement`, `, by agreement` and ` (by agreement)` say the same; what stands behind a colon
    keeps brackets of its own.
    """
    said = said.strip()
    if not said.strip(" .!:-"):
        return ""
    parted = _PARTED.match(said)
    if bracketed := _BRACKETED.fullmatch(said):
        how = bracketed[1]
    elif said.startswith(":"):
        how = said[1:]
    elif _BEGINS.match(said, parted.end() if parted else 0):
        how = said[parted.end() if parted else 0 :]
    else:
        return None
    how = trimmed(how)
    return None if _DOUBT.search(how) and not _REASONED.match(how) else how
