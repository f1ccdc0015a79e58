"""What happens in the club's year, as far as it does not depend on the service: who plays, by which terms, what fails.

Times are minutes from the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random

from referee.games.tournaments.tournament import Competition, Holiday
from tests.support.playing import START

HOUR = 60
DAY = 24 * HOUR
LENGTH = 365 * DAY
"""From 27 November 2026, 17:00, on: both changes of clocks lie in it, on both halves of the earth."""

A_DAY = timedelta(days=1)
EVENTS = (
    Competition(
        "Winter League",
        rules=("confusion",),
        time="3d/move",
        zone="Europe/Paris",
        days_off=("saturday", "sunday"),
        holidays=tuple(
            Holiday(date.fromisoformat(day), name)
            for day, name in (
                ("2026-12-24", "Christmas Eve"),
                ("2026-12-25", "Christmas"),
                ("2027-01-01", "New Year"),
                ("2027-03-29", "Easter Monday"),
                ("2027-11-01", "All Saints"),
            )
        ),
        reminders=(2 * A_DAY, A_DAY),
        leave=30,
    ),
    Competition(
        "Southern Cup",
        rules=("confusion",),
        time="10d+1d,max14d",
        zone="Australia/Sydney",
        days_off=("sunday",),
        reminders=(7 * A_DAY, 2 * A_DAY, A_DAY),
        leave=14,
    ),
    Competition(
        "Prairie Open",
        rules=("confusion",),
        time="4d/move",
        lapse="soft",
        zone="America/Regina",
        days_off=("friday",),
        reminders=(2 * A_DAY,),
        leave=20,
    ),
)
TERMS: tuple[tuple[str, str, str], ...] = (
    ("Winter League", "3d/move", "hard"),
    ("Southern Cup", "10d+1d,max14d", "hard"),
    ("Winter League", "3d/move", "hard"),
    ("Prairie Open", "4d/move", "soft"),
    ("", "30d/10", "hard"),
    ("", "20d", "hard"),
    ("", "5d/move", "soft"),
    ("", "none", "hard"),
)
"""Event, time control and what happens when the time is up, of one game after the other; "" for no event."""
ZONES = (
    "UTC",
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "Asia/Tokyo",
    "America/Santiago",
)
LONGEST = 20
"""Attempts of a game."""


@dataclass(frozen=True, slots=True)
class Spell:
    """A part of the year: [start, end)."""

    start: int
    end: int

    def __contains__(self, minute: int) -> bool:
        return self.start <= minute < self.end


BETWEEN_LOOKS = 8 * HOUR
"""The service is started by a timer, and whenever a letter comes in."""
OUTAGE_AFTER = timedelta(hours=9)
OUT = Spell(96 * DAY + 8 * HOUR, 98 * DAY + 8 * HOUR)
"""The service is out for two days: letters lie in the mailbox. It looked last as it began."""
WRONG = Spell(201 * DAY + 8 * HOUR, 201 * DAY + 11 * HOUR)
"""The machine's clock is a year ahead, from just after a look on, until it is set right."""
AHEAD = 365 * A_DAY
CLOSED = tuple(Spell(day * DAY, day * DAY + 7 * HOUR) for day in (40, 130, 201, 310))
"""The mail server takes no letters: they wait in the outbox, and clocks do not start. The third time the service's
clock is wrong soon after."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Leave that a player takes. said: when he writes of it. cut: when he writes that it ends, None for never."""

    said: int
    first: date
    last: date
    cut: int | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """A player. pace: how many hours he thinks on the average. silent: when he writes nothing."""

    name: str
    zone: str
    language: str
    pace: float
    absences: tuple[Absence, ...]
    silent: Spell

    @property
    def cuts(self) -> list[int]:
        """When he ends leave early."""
        return [each.cut for each in self.absences if each.cut is not None]

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@example.net"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to be played. players: White and Yellow. begins: when. length: attempts, before one resigns."""

    event: str
    time: str
    lapse: str
    players: tuple[int, int]
    begins: int
    length: int
    pause: int | None
    """Before which attempt its players agree on a pause."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A year. people: the players; pairings: their games, by when they begin."""

    people: tuple[Person, ...]
    pairings: tuple[Pairing, ...]
    seed: int = field(default=6)


def plan(games: int, players: int, seed: int = 6) -> Plan:
    """Return a year with so many games; the same for the same numbers."""
    random = Random(f"{seed} {games} {players}")
    people = tuple(_person(random, number) for number in range(players))
    pairings = tuple(_pairing(random, number, games, players) for number in range(games))
    return Plan(people, pairings, seed)


def _person(random: Random, number: int) -> Person:
    silent = Spell(LENGTH, LENGTH)
    if number % 10 == 7:
        start = random.randrange(60 * DAY, 300 * DAY)
        silent = Spell(start, LENGTH if number % 20 == 7 else start + random.randrange(4, 25) * DAY)
    return Person(
        f"Player{_letters(number)}",
        ZONES[number % len(ZONES)],
        "fr" if number % 5 == 3 else "en",
        random.choice((6.0, 18.0, 30.0)),
        tuple(_absences(random, number)),
        silent,
    )


def _letters(number: int) -> str:
    """Return a number in letters, for names are not to hold digits alone."""
    return chr(97 + number // 26 % 26) + chr(97 + number % 26)


def _absences(random: Random, number: int) -> list[Absence]:
    """Two thirds of the players take leave, one of them over a change of clocks, some end it early."""
    found = []
    if number % 3 != 2:
        begins = random.randrange(30, 330)
        if number % 6 == 1:
            begins = (
                113  # 20 March 2027; clocks are changed in Europe on the 28th, and in the south on 4 April
            )
        first = (START + timedelta(days=begins)).date()
        last = first + timedelta(days=random.randrange(3, 14) if number % 6 != 1 else 13)
        said = (begins - random.randrange(2, 9)) * DAY + random.randrange(0, 4) * HOUR
        cut = (begins + 2) * DAY if number % 9 == 0 else None
        found.append(Absence(said, first, last, cut))
    return found


def _pairing(random: Random, number: int, games: int, players: int) -> Pairing:
    event, time, lapse = TERMS[number % len(TERMS)]
    white, yellow = random.sample(range(players), 2)
    begins = 3 * DAY + number * (325 * DAY) // games + random.randrange(0, 180)
    length = random.randrange(8, LONGEST + 1)
    pause = random.randrange(2, length) if random.random() < 0.06 and time != "none" else None
    return Pairing(event, time, lapse, (white, yellow), begins, length, pause)


def instant(minute: int) -> datetime:
    """Return the instant that a minute of the year begins with."""
    return START + timedelta(minutes=minute)


def minute_of(at: datetime) -> int:
    """Return the minute of the year in which an instant lies."""
    return (at - START) // timedelta(minutes=1)
