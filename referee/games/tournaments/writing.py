"""Writes an event as a file: canonical TOML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

from referee.common.durations import DAY, HOUR
from referee.games.tournaments.tournament import Competition


def write_competition(competition: Competition) -> str:
    """Return an event's file with every key in order; `read_competition` reads the same event from it."""
    lines = [
        f"name = {_text(competition.name)}",
        f"rules = {_list(competition.rules)}",
        f"time = {_text(competition.time)}",
        f"lapse = {_text(competition.lapse)}",
        f"zone = {_text(competition.zone)}",
        f"days_off = {_list(competition.days_off)}",
        f"reminders = {_list(map(write_span, competition.reminders))}",
        f"leave = {competition.leave}",
        f"press = {_text(competition.press)}",
        f"watchers = {_text(competition.watchers)}",
        f"notes = {_long_text(competition.notes)}",
    ]
    if competition.holidays:
        lines += ["", "[holidays]"]
        lines += [f"{each.day.isoformat()} = {_text(each.name)}" for each in competition.holidays]
    return "\n".join(lines) + "\n"


def write_span(span: timedelta) -> str:
    """Return a span of whole hours as text: `7d`, `12h`, `1d12h`."""
    days, rest = divmod(span, DAY)
    hours = rest // HOUR
    return (f"{days}d" if days else "") + (f"{hours}h" if hours or not days else "")


def _list(words: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, words))}]"


def _text(text: str) -> str:
    return f'"{_escaped(text)}"'


def _long_text(text: str) -> str:
    """Return a TOML string, on several lines where the text has several."""
    if "\n" not in text:
        return _text(text)
    lines = "\n".join(map(_escaped, text.split("\n")))
    return f'"""\n{lines}"""'


def _escaped(text: str) -> str:
    """Return a text with TOML escapes for quotes, backslashes and control characters."""
    said = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    return re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", said)
