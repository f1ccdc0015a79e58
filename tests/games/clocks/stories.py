"""Small stories of a clock, as a club secretary would write them down, and checked line by line.

The first line names the control, and the calendar if there is one. Each other line begins with an instant in UTC, says
what happened, and may go on with what must be true then, behind a colon; behind `#` stands the sum.

    3d/move weekend=67 zone=Europe/Paris holidays=2027-01-06
    2027-01-04 10:00  white starts     : left=3d deadline=2027-01-07T10:00     # 4 + 3 = 7
    2027-01-06 09:00  white moves      : used=1d23h left=3d
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from referee.common.durations import DAY, HOUR, MINUTE
from referee.games.clocks.calendar import Calendar
from referee.games.clocks.controls import read_control
from referee.games.clocks.ledger import (
    Added,
    ClockFailed,
    ClockMended,
    Ended,
    Excluded,
    Fact,
    Ledger,
    Moved,
    OnLeave,
    Paused,
    Resumed,
    Started,
    TakenBack,
    fold,
    open_ledger,
)
from referee.games.clocks.spans import Span

SEATS = ("white", "yellow")


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def duration(text: str) -> timedelta:
    """Read `1d2h30m`."""
    total, number = timedelta(0), ""
    for sign in text:
        if sign.isdigit():
            number += sign
        else:
            total += int(number) * {"d": DAY, "h": HOUR, "m": MINUTE}[sign]
            number = ""
    assert not number, f"{text}: unit missing"
    return total


def begin(head: str) -> Ledger:
    """Return the clocks of a game by a story's first line."""
    control, *settings = head.split()
    said = dict(each.split("=") for each in settings)
    calendar = Calendar(
        said.get("zone", "UTC"),
        frozenset(int(day) for day in said.get("weekend", "")),
        frozenset(date.fromisoformat(day) for day in said.get("holidays", "").split(",") if day),
    )
    found: Any = read_control(control)
    return open_ledger(found, SEATS, calendar)


def fact(at: datetime, said: str) -> Fact | None:
    """Return what a line says that happened, None where it only looks at the clocks."""
    match said.split():
        case ["look" | "white" | "yellow"]:
            return None
        case [seat, "starts"]:
            return Started(seat, at)
        case [seat, "moves"]:
            return Moved(seat, at)
        case [seat, "gets", time]:
            return Added(seat, at, duration(time))
        case ["pause", cause, *rest]:
            about = dict(each.split("=") for each in rest)
            until = utc(about["until"]) if "until" in about else None
            return Paused(cause, at, until, frozenset({about["for"]}) if "for" in about else None)
        case ["resume", cause, *rest]:
            return Resumed(cause, utc(rest[0]) if rest else at)
        case ["out", "from", start, "to", end, *seats]:
            return Excluded(utc(start), utc(end), frozenset(seats) or None)
        case [seat, "leaves", *booked]:
            spans = (each.split("/") for each in booked)
            return OnLeave(seat, at, tuple(Span(utc(start), utc(end)) for start, end in spans))
        case ["clock", "fails", "at", instant]:
            return ClockFailed(utc(instant))
        case ["clock", "mended"]:
            return ClockMended(at)
        case ["ends"]:
            return Ended(at)
        case ["turns", "are", "taken", "back"]:
            return TakenBack(at)
    raise ValueError(said)


def lines(story: str) -> Iterator[tuple[str, str, str]]:
    """Return each line's instant, what happened, and what must be true then."""
    for line in story.strip().splitlines()[1:]:
        bare = line.partition("#")[0].strip()
        if bare:
            happened, _, expected = bare.partition(" : ")
            day, time, said = happened.split(None, 2)
            yield f"{day} {time}", said.strip(), expected.strip()


def tell(story: str) -> Ledger:
    """Follow a story to its end, and check what it says must be true on the way."""
    ledger = begin(story.strip().splitlines()[0])
    for when, said, expected in lines(story):
        at = utc(when)
        happened = fact(at, said)
        if happened is not None:
            ledger = fold(ledger, [happened])
        seat = said.split()[0] if said.split()[0] in SEATS else "white"
        found = state(ledger, seat, at)
        wanted = dict(each.split("=") for each in expected.split())
        shown = {key: found[key] for key in wanted}
        assert shown == {key: _value(key, value) for key, value in wanted.items()}, f"{when} {said}"
    return ledger


def state(ledger: Ledger, seat: str, at: datetime) -> dict[str, Any]:
    """Return all that a story can ask for."""
    standing = ledger.standing(seat, at)
    account = ledger.account(seat)
    return {
        "used": standing.used,
        "move": standing.in_move,
        "left": standing.left,
        "over": standing.over,
        "moves": standing.moves,
        "to": standing.to_control,
        "deadline": standing.deadline,
        "lapsed": account.lapsed,
        "overs": account.over,
        "runs": standing.running,
    }


def _value(key: str, text: str) -> Any:
    match key:
        case "deadline":
            return None if text == "-" else utc(text)
        case "moves" | "to":
            return None if text == "-" else int(text)
        case "runs":
            return text == "yes"
    return None if text == "-" else duration(text)
