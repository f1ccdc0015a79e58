"""The small programs that check records, as a site offers them next to the records themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.archive.site.page_data import Entry
from referee.archive.verify import PROGRAMS, small_program


def program_file(rules: str) -> str:
    """Return the path of the program that checks records of these rules, "" where there is none."""
    return f"downloads/{PROGRAMS[rules]}" if rules in PROGRAMS else ""


def programs() -> Mapping[str, bytes]:
    """Return all programs, by path."""
    return {program_file(rules): small_program(rules).encode() for rules in PROGRAMS}


def checked_by(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return the titles of these finished games' rules, each with the path of its checking program.

    Rules without a program are left out.
    """
    over = sorted({(entry.title, program_file(entry.rules)) for entry in entries if entry.late is None})
    return [(title, file) for title, file in over if file]


def example(entries: Sequence[Entry]) -> Entry | None:
    """Return the first of these games whose record has such a program."""
    return next((entry for entry in entries if entry.late is None and entry.rules in PROGRAMS), None)
