"""Reads an event's file: returns the event, or all faults of the file at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from difflib import get_close_matches
from typing import Any, TypeVar

from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase
from referee.common.long_keys import MOST_DOTS, line_of_dots
from referee.games.clocks.controls import TIME, read_control, write_control
from referee.games.clocks.time_zones import find_zone, nearest_zone
from referee.games.game_options import PRESS_CHOICES
from referee.games.player_names import skeleton
from referee.games.tournaments.tournament import (
    LAPSES,
    LONGEST_TITLE,
    NO_TIME,
    WEEKDAYS,
    Competition,
    Holiday,
    path_in,
    tidy_title,
    unfit_sign,
)
from referee.rulebooks.catalogue import CATALOGUE, nearest_rulebook

ReadTime = Callable[[str], "str | Fault"]
"""Reads a time control: returns it in canonical text, or a fault."""

LARGEST_FILE = 100_000
"""The most characters in an event's file."""
LONGEST_NOTES = 4000
LONGEST_DAY_NAME = 80
MOST_HOLIDAYS = 400
MOST_REMINDERS = 10
LEAST_REMINDER, MOST_REMINDER = timedelta(hours=1), timedelta(days=90)
MOST_LEAVE = 365
MOST_LATE = 1000
"""The most turns by which observers may be behind."""

T = TypeVar("T")
FORMS: Mapping[str, str] = {
    "name": N_("a text on one line"),
    "rules": N_("a list of the names of rules"),
    "time": N_("a time control in quotes"),
    "lapse": N_("hard or soft, in quotes"),
    "zone": N_("a time zone in quotes"),
    "days_off": N_("a list of days of the week"),
    "reminders": N_("a list of times before the deadline, such as 2d or 12h"),
    "leave": N_("a whole number of days"),
    "press": N_("named, anonymous or off, in quotes"),
    "watchers": N_("off, on, or after how many turns, in quotes"),
    "notes": N_("a text in quotes"),
    "holidays": N_("a section of days, each with its name"),
}
"""Every key of the file, in order, with the form of its value."""


def read_time(text: str) -> str | Fault:
    """Read a time control as in a letter's `option time=`; return it in canonical text."""
    control = read_control("".join(text.split()))
    if not isinstance(control, Fault):
        return write_control(control)
    meant = control.suggestion.removeprefix(f"{TIME}=")
    return replace(control, suggestion=f'time = "{meant}"' if meant else "")


def read_competition(text: str, time: ReadTime = read_time) -> Competition | tuple[Fault, ...]:
    """Read an event's file: return the event, or every fault in it, in the order of its lines.

    time: reads its time control.
    """
    if len(text) > LARGEST_FILE:
        return (
            Fault(
                "event-long",
                "the file of an event has at most {most} characters",
                {"most": f"{LARGEST_FILE:,}"},
            ),
        )
    if (line := line_of_dots(text)) is not None:
        message = "this line has more than {most} dots outside of texts and numbers"
        return (Fault("event-dots", message, {"most": str(MOST_DOTS)}, "unreadable", place=Place(line, 1)),)
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return (_no_toml(error),)
    except ValueError:  # a date such as 2027-02-30
        return (Fault("event-toml", "the file holds a date or a number that is none", grade="unreadable"),)
    reading = _Reading(text, document)
    reading.unknown_keys()
    competition = reading.competition(time)
    if reading.faults:
        return tuple(sorted(reading.faults, key=_line))
    return competition


def check_title(name: str) -> Fault | None:
    """Return the fault of an event's name, None when it is valid."""
    if sign := unfit_sign(name):
        shown = sign if sign.isprintable() else ascii(sign)[1:-1]
        message = "the name of an event cannot hold the sign {sign}"
        return Fault("event-sign", message, {"sign": shown}, "unreadable")
    if part := path_in(name):
        message = "the name of an event cannot hold {part}, which stands in the paths of files; / stands between digits"
        return Fault("event-path", message, {"part": part}, "unreadable")
    if len(begins := name.split()) > 1 and begins[0].strip("[],.#").split("/")[0].isdigit():
        # In an umpire's command it would be taken for a game.
        message = (
            "the name of an event cannot begin with a number, since games are called so; write it behind"
        )
        behind = " ".join([*begins[1:], begins[0]])
        return Fault("event-number", message, {}, "unreadable", suggestion=f'name = "{behind}"')
    if len(name) > LONGEST_TITLE or not any(map(str.isalpha, name)) or not skeleton(name):
        message = "the name of an event has 1 to {most} characters, and letters among them"
        return Fault("event-name-length", message, {"most": str(LONGEST_TITLE)}, "unreadable")
    return None


def _no_toml(error: Exception) -> Fault:
    found = re.search(r"line (\d+), column (\d+)", str(error))
    return Fault(
        "event-toml",
        'the file of an event is TOML, lines such as name = "Spring League"; it cannot be read from here on',
        grade="unreadable",
        place=Place(int(found[1]), int(found[2])) if found else None,
    )


def _line(fault: Fault) -> tuple[int, int]:
    return (fault.place.line, fault.place.column) if fault.place else (0, 0)


@dataclass
class _Reading:
    """A file being read. faults: all that were found so far."""

    text: str
    document: Mapping[str, Any]
    faults: list[Fault] = field(default_factory=list)

    def unknown_keys(self) -> None:
        """Record a fault for every key that an event does not have."""
        for key in self.document:
            if key not in FORMS:
                near = next(iter(get_close_matches(key.lower(), FORMS, 1)), "")
                message = "an event has no key {key}; its keys are {keys}"
                self.wrong(key, "event-key", message, {"key": key, "keys": ", ".join(FORMS)}, near)

    def competition(self, time: ReadTime) -> Competition:
        """Return the event; faulty keys have their defaults."""
        control = self._of(str, "time", NO_TIME)
        return Competition(
            name=self._name(),
            rules=self._rules(),
            time=self._time(control, time),
            lapse=self._choice("lapse", LAPSES),
            zone=self._zone(),
            days_off=self._days_off(),
            holidays=self._holidays(),
            reminders=self._reminders(),
            leave=self._leave(),
            press=self._choice("press", PRESS_CHOICES),
            watchers=self._watchers(),
            notes=self._notes(),
        )

    def wrong(
        self, key: str, code: str, message: str, facts: Mapping[str, Any], meant: str = "", entry: str = ""
    ) -> None:
        """Record a fault of a key.

        meant: what was probably meant.
        entry: the word at fault in the value.
        """
        fault = Fault(code, message, facts, "unreadable", suggestion=meant)
        self.faults.append(self._placed(fault, key, entry))

    def _placed(self, fault: Fault, key: str, entry: str = "") -> Fault:
        """Return a fault with the line of its key, if it can be found."""
        within = ""
        for number, line in enumerate(self.text.split("\n"), 1):
            if heading := re.match(r"""\s*\[+\s*["']?([^\[\]"']+?)["']?\s*\]""", line):
                within = heading[1]
            said = re.match(r"""\s*(["']?)([^=\s"']+)\1\s*=""", line)
            if (heading and within == key) or (
                said and key == (f"{within}.{said[2]}" if within else said[2])
            ):
                column = (
                    line.find(entry) + 1 if entry and entry in line else len(line) - len(line.lstrip()) + 1
                )
                return replace(fault, place=Place(number, column), excerpt=line.strip()[:LONGEST_TITLE])
        return fault

    def _of(self, kind: type[T], key: str, default: T) -> T:
        """Return a key's value if it has the right type; otherwise record a fault and return the default."""
        value = self.document.get(key, default)
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        self.wrong(key, "event-form", "{key} needs {form}", {"key": key, "form": Phrase(FORMS[key])})
        return default

    def _words(self, key: str) -> list[str]:
        """Return the list of words that is a key's value."""
        said = self._of(list, key, [])
        if all(isinstance(each, str) for each in said):
            return said
        self.wrong(key, "event-form", "{key} needs {form}", {"key": key, "form": Phrase(FORMS[key])})
        return []

    def _name(self) -> str:
        if "name" not in self.document:
            self.faults.append(
                Fault("event-name", "an event needs a name", suggestion='name = "Spring League"')
            )
            return ""
        if not isinstance(self.document["name"], str):
            return self._of(str, "name", "")
        name = tidy_title(self.document["name"])
        if fault := check_title(name):
            self.faults.append(self._placed(fault, "name"))
        return name

    def _rules(self) -> tuple[str, ...]:
        known = [entry.name for entry in CATALOGUE]
        if "rules" not in self.document:
            return tuple(known)
        said = self._words("rules")
        for each in said:
            if each.lower() not in known:
                facts = {"rules": each, "known": ", ".join(known)}
                near = nearest_rulebook(each)
                self.wrong(
                    "rules", "event-rules", "there are no rules {rules}; known are {known}", facts, near, each
                )
        if not said and isinstance(self.document["rules"], list) and not self.document["rules"]:
            self.wrong(
                "rules", "event-no-rules", "an event needs the rules of at least one game", {}, known[0]
            )
        return tuple(name for name in known if name in map(str.lower, said))

    def _time(self, control: str, time: ReadTime) -> str:
        read = time(control)
        if isinstance(read, Fault):
            self.faults.append(self._placed(read, "time"))
            return NO_TIME
        return read

    def _choice(self, key: str, choices: Sequence[T]) -> T:
        said = self._of(str, key, str(choices[0]))
        found = [each for each in choices if each == said.strip().lower()]
        if not found:
            facts = {"key": key, "form": Phrase(FORMS[key])}
            near = next(iter(get_close_matches(said.lower(), list(map(str, choices)), 1)), "")
            self.wrong(key, "event-form", "{key} needs {form}", facts, near)
        return found[0] if found else choices[0]

    def _zone(self) -> str:
        said = self._of(str, "zone", "UTC")
        zone = find_zone(said)
        if not zone:
            self.wrong(
                "zone", "event-zone", "there is no time zone {zone}", {"zone": said}, nearest_zone(said)
            )
        return zone

    def _days_off(self) -> tuple[Any, ...]:
        said = self._words("days_off")
        days = [each.strip().lower() for each in said]
        for written, each in zip(said, days, strict=True):
            if each not in WEEKDAYS:
                near = next((day for day in WEEKDAYS if len(each) > 1 and day.startswith(each)), "")
                near = near or next(iter(get_close_matches(each, WEEKDAYS, 1)), "")
                message = "{day} is no day of the week"
                self.wrong("days_off", "event-weekday", message, {"day": written}, near, written)
        if set(days) >= set(WEEKDAYS):
            message = "when every day of the week is off, no time ever runs"
            self.wrong("days_off", "event-all-off", message, {}, f'time = "{NO_TIME}"')
        return tuple(day for day in WEEKDAYS if day in days)

    def _holidays(self) -> tuple[Holiday, ...]:
        said = self._of(dict, "holidays", {})
        found = []
        for written, name in said.items():
            try:
                day = date.fromisoformat(written)
            except ValueError:
                message = "{day} is no day of a year; write it as in 2027-12-25"
                self.wrong(f"holidays.{written}", "event-day", message, {"day": written})
                continue
            called = " ".join(name.split()) if isinstance(name, str) else ""
            if not called or len(called) > LONGEST_DAY_NAME or not called.isprintable():
                message = "a day of holidays has a name of 1 to {most} characters, in quotes"
                self.wrong(f"holidays.{written}", "event-day-name", message, {"most": str(LONGEST_DAY_NAME)})
            found.append(Holiday(day, called))
        if len({each.day for each in found}) < len(found):
            self.wrong("holidays", "event-day-twice", "a day of holidays stands here twice", {})
        if len(found) > MOST_HOLIDAYS:
            message = "an event has at most {most} days of holidays"
            self.wrong("holidays", "event-days", message, {"most": str(MOST_HOLIDAYS)})
        return tuple(sorted(found, key=lambda each: each.day))

    def _reminders(self) -> tuple[timedelta, ...]:
        marks = set()
        said = self._words("reminders")
        for each in said:
            span = _read_span(each)
            if span is None or not LEAST_REMINDER <= span <= MOST_REMINDER:
                message = "a reminder comes from 1h to 90d before the deadline, written in days and hours; not {said}"
                self.wrong("reminders", "event-reminder", message, {"said": each}, _near_span(each), each)
            else:
                marks.add(span)
        if len(said) > MOST_REMINDERS:
            message = "an event has at most {most} reminders"
            self.wrong("reminders", "event-reminders", message, {"most": str(MOST_REMINDERS)})
        return tuple(sorted(marks, reverse=True))

    def _leave(self) -> int:
        days = self._of(int, "leave", 0)
        if not 0 <= days <= MOST_LEAVE:
            message = "leave is 0 to {most} days a year, not {days}"
            self.wrong("leave", "event-leave", message, {"most": str(MOST_LEAVE), "days": _short(days)})
        return days

    def _watchers(self) -> str:
        said = self._of(str, "watchers", "off").strip().lower()
        if said in ("off", "on"):
            return said
        if said.isascii() and said.isdigit() and len(said) < 6 and 0 < int(said) <= MOST_LATE:
            return str(int(said))
        facts = {"key": "watchers", "form": Phrase(FORMS["watchers"])}
        self.wrong(
            "watchers", "event-form", "{key} needs {form}", facts, "on" if said in ("0", "yes") else ""
        )
        return "off"

    def _notes(self) -> str:
        notes = self._of(str, "notes", "").replace("\r\n", "\n")
        if len(notes) > LONGEST_NOTES:
            message = "notes have at most {most} characters"
            self.wrong("notes", "event-notes", message, {"most": f"{LONGEST_NOTES:,}"})
        return notes


def _short(number: int) -> str:
    """Return a number in digits; "…" for an absurdly large one."""
    return str(number) if abs(number) < 10**9 else "…"


def _read_span(text: str) -> timedelta | None:
    """Read `7d`, `12h`, `1d12h`, `1d 12h`; None for anything else."""
    found = re.fullmatch(r"(?:([0-9]{1,4})d)?(?:([0-9]{1,4})h)?", "".join(text.lower().split()))
    if found is None or not found[0]:
        return None
    return timedelta(days=int(found[1] or 0), hours=int(found[2] or 0))


def _near_span(text: str) -> str:
    """Return the span that was probably meant by `2 days`, `3`, `36 hours`; "" where none is similar."""
    found = re.fullmatch(r"([0-9]{1,4})\s*(d|days?|h|hours?)?", text.strip().lower())
    if found is None or not int(found[1]):
        return ""
    meant = f"{int(found[1])}{(found[2] or 'd')[0]}"
    span = _read_span(meant)
    return meant if span and LEAST_REMINDER <= span <= MOST_REMINDER else ""
