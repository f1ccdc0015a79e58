"""Recognises files that were given in place of a record: letters, bundles, databases. Pure."""

from __future__ import annotations

import re

from referee.mail.message.mime_parts import is_letter
from referee.rulebooks.catalogue import CATALOGUE
from referee.rulebooks.record_text import head_line, record_lines

_KEYS = {"game", "rules", "scenario", "table", "first", "result", "view", "commitment", "secret", "chain"} | {
    seat + end for each in CATALOGUE for seat in each.seats for end in ("", "name")
}
"""Keys of a record's head, in small letters; one of them is enough to take a file for a record."""
_ROW = re.compile(r"\s*\d{1,6}\s*[.):]\s")
_TAR = slice(257, 262)
"""Where a tar says what it is."""


def why_no_record(text: str) -> str:
    """Return what a file is instead of a record, and what to do with it; "" where it may be a record.

    text: of the file, which may be of any kind.
    """
    if not text.strip():
        return "this is empty: expected a record, as `referee record GAME` writes it"
    if text.startswith("SQLite format 3"):
        return "this is a database, and no record: `referee record GAME` writes a game's record"
    if text[_TAR] == "ustar":
        return (
            "this is a bundle, and no record: `referee bundle --check` checks it; the records are files in it"
        )
    if text.startswith("{"):
        return "this is JSON, as `referee log` writes it, and no record: `referee record GAME` writes one"
    if is_letter(text.encode()):
        return "this is a whole letter: save the lines of its record as a file of their own, or see `referee read`"
    lines = record_lines(text)
    if any(_ROW.match(line) or ((head := head_line(line)) and head[0].lower() in _KEYS) for line in lines):
        return ""
    return "this is no record of a game: expected a file as `referee record GAME` writes it"
