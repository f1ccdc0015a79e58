"""Material for letters: the sample game cut off after any number of attempts, and a report about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import Any

from referee.reports.report import GameFace, Reader, Report
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.happenings import ATTEMPTED
from referee.rulebooks.rulebook import Happening, Seat

CONFUSION = Confusion()
WHITE, YELLOW = CONFUSION.seats
SENT = datetime(2026, 11, 27, 17, 0, 5, tzinfo=UTC)
COMMITMENT = "0123456789abcdef" * 4
SECRET = "fedcba9876543210" * 4
RECEIPT = "00112233445566778899aabbccddeeff" * 2
WHOLE = 76
"""Attempts in the sample game."""


@cache
def sample_game() -> tuple[Happening, ...]:
    """Return all that comes to pass in the sample game."""
    text = resources.files("referee.rulebooks.confusion").joinpath("sample-game.txt").read_text("utf-8")
    replay = CONFUSION.records.replay(text)
    assert replay.consistent, replay.errors
    return replay.happenings


def after(attempts: int) -> tuple[Happening, ...]:
    """Return the happenings up to and with so many attempts; WHOLE includes the end."""
    happenings, seen = sample_game(), 0
    for place, happening in enumerate(happenings):
        seen += happening.code == ATTEMPTED
        if happening.code == ATTEMPTED and seen > attempts:
            return happenings[:place]
    return happenings


def heard_by(seat: Seat, happenings: Iterable[Happening]) -> tuple[Happening, ...]:
    return tuple(happening for happening in happenings if seat in happening.heard_by)


def game_face(**changes: Any) -> GameFace:
    facts: dict[str, Any] = {
        "number": 17,
        "title": "Confusion 17: Anna - Bert",
        "rulebook": CONFUSION,
        "names": {WHITE: "Bert", YELLOW: "Anna"},
        "commitment": COMMITMENT,
        "receipt": RECEIPT,
    }
    return GameFace(**(facts | changes))


def reader(**changes: Any) -> Reader:
    return Reader(**({"address": "anna@example.net", "name": "Anna", "zone": "Europe/Paris"} | changes))


def game_report(attempts: int, seat: Seat, *, fresh: int = 1, **changes: Any) -> Report:
    """Return a report to a seat after so many attempts, of which the last `fresh` are news to it."""
    happenings = after(attempts)
    position = None
    for happening in happenings:
        position = CONFUSION.rules.fold(position, happening)
    assert position is not None
    heard = heard_by(seat, happenings)
    facts: dict[str, Any] = {
        "kind": "report",
        "reader": reader(),
        "sent": SENT,
        "service": "Referee",
        "address": "referee@example.org",
        "game": game_face(),
        "seat": seat,
        "number": 9,
        "news": "your move 31",
        "heard": heard,
        "told": len(heard_by(seat, after(attempts - fresh))),
        "due": CONFUSION.rules.due(position),
        "result": CONFUSION.rules.result(position),
    }
    return Report(**(facts | changes))


def first_report(seat: Seat, **changes: Any) -> Report:
    facts: dict[str, Any] = {"told": 0, "first": True, "news": "", "number": 1, "game": game_face(receipt="")}
    return game_report(0, seat, fresh=0, **(facts | changes))


def result_report(seat: Seat, **changes: Any) -> Report:
    facts: dict[str, Any] = {"kind": "result", "news": "ended", "game": game_face(secret=SECRET)}
    return game_report(WHOLE, seat, **(facts | changes))


def without_sheets(report: Report) -> Report:
    """Return the same report of a game that is played without deduction sheets."""
    began, *others = report.heard
    facts = {**began.facts, "options": {**began.facts["options"], "sheets": "off"}}
    return replace(report, heard=(replace(began, facts=facts), *others))


def desk_report(**changes: Any) -> Report:
    """Return a report that concerns no game."""
    facts: dict[str, Any] = {
        "kind": "receipt",
        "reader": reader(zone="UTC"),
        "sent": SENT,
        "service": "Referee",
        "address": "referee@example.org",
    }
    return Report(**(facts | changes))
