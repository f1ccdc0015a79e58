"""An event as its file: TOML that reads the same whoever wrote it first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

from referee.common.durations import DAY, HOUR
from referee.games.tournaments.tournament import Competition


def write_competition(competition: Competition) -> str:
    """Write an event's file, every key in its order; `read_competition` reads the same event in it."""
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
    """Write a span of whole hours: `7d`, `12h`, `1d12h`."""
    days, rest = divmod(span, DAY)
    hours = rest // HOUR
    return (f"{days}d" if days else "") + (f"{hours}h" if hours or not days else "")


def _list(words: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, words))}]"


def _text(text: str) -> str:
    return f'"{_escaped(text)}"'


def _long_text(text: str) -> str:
    """Write a text of several lines as one that can be read as such."""
    if "\n" not in text:
        return _text(text)
    lines = "\n".join(map(_escaped, text.split("\n")))
    return f'"""\n{lines}"""'


def _escaped(text: str) -> str:
    """Write what TOML does not take as it is: quotes, backslashes and control characters."""
    said = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    return re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", said)
