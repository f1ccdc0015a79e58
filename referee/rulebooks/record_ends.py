"""Reads how a game ended, as a record states it. An end that is in doubt or was only offered does not count."""

from __future__ import annotations

import re

from referee.rulebooks.branches import trimmed

_BRACKETED = re.compile(r"\((.*)\)[\s.!]*", re.DOTALL)
_PARTED = re.compile(r"\A\s*[-‐‑‒–—−,]\s*(?=\S)")
_BEGINS = re.compile(
    r"(?:by|because|agreed|agreement|declared|adjudicated|adjudication|abandoned|given up|resignation|forfeit|default"
    r"|walkover|withdrawal|stalemate|time(?:out)?|on (?:time|forfeit|adjudication|points|the board)|par|pour|faute"
    r"|abandon|d'|d’|au temps|à la pendule)(?:(?<=['’])|\b)",
    re.IGNORECASE,
)
"""Words that begin the reason for an end. Other words may describe a game that goes on."""
_REASONED = re.compile(r"adjudicated:", re.IGNORECASE)
"""Precedes an umpire's own reason, which may contain any words."""
_DOUBT = re.compile(
    r"\?|\b(?:offer(?:s|ed|ing)?|propos(?:al|es|ed|ing|ée?|ition)|suggest(?:s|ed)?|ask(?:s|ed)?|claim(?:s|ed)?"
    r"|refus(?:es|ed|al|ée?)|declin(?:es|ed)|decliné?e?|déclinée?|reject(?:s|ed)?|withdr(?:ew|awn)|not|no|never|none"
    r"|maybe|perhaps|possibly|probably|likely|almost|nearly|soon|yet|if|unless|or|may|might|could|would|should"
    r"|offerte?|demandée?|rejetée?|retirée?|peut-être|pas|non|si|ou|presque|bientôt|jamais)\b",
    re.IGNORECASE,
)


def read_how(said: str) -> str | None:
    """Return how a game ended; "" where the text does not say, None where it describes no end.

    `: by agreement`, ` by agreement`, `, by agreement` and ` (by agreement)` are equivalent; text after a
    colon keeps its own brackets.
    """
    said = said.strip()
    if not said.strip(" .!:-"):
        return ""
    bracketed = _BRACKETED.fullmatch(said)
    how = bracketed[1] if bracketed else said.removeprefix(":")
    how = _PARTED.sub("", how, count=1).lstrip()
    if not _BEGINS.match(how):
        return None
    how = trimmed(how)
    return None if _DOUBT.search(how) and not _REASONED.match(how) else how
