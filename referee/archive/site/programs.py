"""The small programs that check records, as a site hands them out beside the records themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.archive.site.page_data import Entry
from referee.archive.verify import PROGRAMS, small_program


def program_file(rules: str) -> str:
    """Return where the program lies that checks records of games by these rules, "" where there is none."""
    return f"downloads/{PROGRAMS[rules]}" if rules in PROGRAMS else ""


def programs() -> Mapping[str, bytes]:
    """Return all programs, by where they lie."""
    return {program_file(rules): small_program(rules).encode() for rules in PROGRAMS}


def checked_by(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return what the rules are called by which those of these games were played that are over, and where the program
    lies that checks their records; without rules for which there is none."""
    over = sorted({(entry.title, program_file(entry.rules)) for entry in entries if entry.late is None})
    return [(title, file) for title, file in over if file]


def example(entries: Sequence[Entry]) -> Entry | None:
    """Return the first game of these whose record can be checked so."""
    return next((entry for entry in entries if entry.late is None and entry.rules in PROGRAMS), None)
