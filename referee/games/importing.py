"""Turns the record of a game that was played elsewhere, in whole or in part, into events of a game here. Pure.

The record is checked against the rules first (`Rulebook.replay`). Its happenings then become events as if
they had been ruled on order by order, so that they can be taken back, corrected and restored like any others.
The game begins with a deal that was set: the record's. Receipts bind the earlier play from the import on, but
not from before: the players' letters held no commitment then, which the game and its record state
(`Opened.brought`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.common.errors import RecordRefused, UsageError
from referee.games.decisions import open_game
from referee.games.events import Ended, Event, Ruled, TakenBack
from referee.games.game import Game
from referee.games.records_from_elsewhere import (
    check_facts,
    check_rules,
    check_text,
    printable,
    refusal,
    shown,
)
from referee.rulebooks.branches import TAKEN_BACK, read_taken_back
from referee.rulebooks.rulebook import Happening, Replay, Rulebook, Seat, heard_by_all

_HEAD_LINE = re.compile(r"^(\w+) *= (.*)$", re.MULTILINE)
_NOT_OF_THE_START = ("Result", "View")


@dataclass(frozen=True, slots=True)
class Brought:
    """A game read from its record and checked against the rules.

    first: the seat that began.
    deal: of both sides, in the form of `new --deal`.
    """

    replayed: Replay
    first: Seat
    deal: str


def read_brought(rulebook: Rulebook, text: str) -> Brought:
    """Return the game in a record.

    Raises RecordRefused for a record that is inconsistent or of other rules, and for one without both deals,
    since nobody could rule on it. Games with drafted turns cannot be imported: their cards follow from the
    secret of the service that began them, which no record holds during play.
    """
    check_text(text)
    check_rules(text, rulebook)
    if rulebook.drafts is not None:
        raise RecordRefused(
            f"a game of {rulebook.name} goes on only where it was begun, since its cards follow from a secret of that "
            "service: `referee replay` reads its record, `referee verify` checks that of a finished one; nothing was "
            "started"
        )
    replayed = rulebook.records.replay(text)
    if replayed.errors:
        raise RecordRefused(refusal(rulebook, text, replayed.errors[0]))
    check_facts(replayed.happenings)
    head = _head(rulebook, replayed.happenings)
    if missing := [seat.capitalize() for seat in rulebook.seats if seat.capitalize() not in head]:
        raise RecordRefused(
            f"the record has no line `{missing[0]} = …` with {missing[0]}'s types: without both deals nobody could rule"
        )
    deal = "; ".join(f"{seat.capitalize()}={head[seat.capitalize()]}" for seat in rulebook.seats)
    return Brought(replayed, Seat(head["First"].lower()), deal)


def open_brought(
    number: int,
    rulebook: Rulebook,
    options: Mapping[str, str],
    seats: Mapping[Seat, int],
    secret: bytes,
    brought: Brought,
    competition: int | None = None,
) -> list[Event]:
    """Return the events of a game that continues where its record ends, or that ended there.

    options: checked, with `first` among them.
    Raises UsageError where they would begin the game differently from its record.
    """
    opened = open_game(number, rulebook, options, seats, secret, brought.deal, competition)
    theirs = brought.replayed.happenings
    slices = _slices(rulebook, theirs, len(opened.happenings))
    start = theirs[: slices[0][0]] if slices else theirs
    _check_start(rulebook, opened.happenings, start)
    # The options decide about sheets; a record says nothing of them.
    ours = opened.happenings[: len(start)]
    opened = replace(opened, happenings=(*ours, *start[len(ours) :]), brought=brought.replayed.attempts)
    before = game = Game(number, rulebook, "proposed").after(opened)
    events: list[Event] = [opened]
    for begin, end in slices:
        event, last = _event(game, theirs[begin:end]), events[-1]
        if isinstance(event, Ended) and isinstance(last, Ruled) and not _off_the_board(game, event):
            event, game = replace(last, happenings=last.happenings + event.happenings), before
            del events[-1]
        before, game = game, game.after(event)
        events.append(event)
    return events


def _off_the_board(game: Game, end: Ended) -> bool:
    """Return whether a game ended by something other than the order before."""
    return game.rulebook.rules.conclude(game.position, end.result) == end.happenings


def comments_in(rulebook: Rulebook, text: str, most: int) -> str:
    """Return at most `most` characters of a record's comments, without the lines that every record has."""
    said = (
        printable(line.strip()).removeprefix(";").rstrip()
        for line in text.splitlines()
        if line.lstrip().startswith(";")
    )
    own = (f"{rulebook.title}. Directions are ", "What was written beside the moves:")
    kept = "\n".join(line.removeprefix(" ") for line in said if not line.strip().startswith(own)).strip("\n")
    return kept if len(kept) <= most else f"{kept[: most - 1]}…"


def _head(rulebook: Rulebook, happenings: Sequence[Happening]) -> dict[str, str]:
    """Return the head lines about a game's start, however its record was written."""
    said = _HEAD_LINE.findall(rulebook.records.write(happenings, {}, None))
    return {key: value.strip() for key, value in said if key not in _NOT_OF_THE_START}


def _check_start(rulebook: Rulebook, ours: Sequence[Happening], theirs: Sequence[Happening]) -> None:
    here, there = _head(rulebook, ours), _head(rulebook, theirs[: len(ours)])
    for key, said in there.items():
        if key in here and here[key] != said:
            raise UsageError(
                f"the record says {key} = {shown(said)}, but by the options it would be {here[key]}"
            )
        if key not in here:
            raise UsageError(
                f"the record says {key} = {shown(said)}: give the option that it was played with"
            )


def _slices(rulebook: Rulebook, happenings: Sequence[Happening], opening: int) -> list[tuple[int, int]]:
    """Return where each order, take-back and off-board end begins and ends among happenings.

    What one seat alone hears just before its order belongs to the order, and so does an end that the order
    causes.

    opening: the number of happenings of the start.
    """
    begins: list[int] = []
    for place, happening in enumerate(happenings):
        said = rulebook.records.recorded(happening)
        ordered = "sealed" in said if rulebook.sealed is not None else said.get("answer", "pass") != "pass"
        if not (ordered or happening.code == TAKEN_BACK or "result" in said):
            continue
        begin = place
        while ordered and begin > opening and _is_private(rulebook, happenings[begin - 1]):
            begin -= 1
        begins.append(begin)
    return [*pairwise((*begins, len(happenings)))]


def _is_private(rulebook: Rulebook, happening: Happening) -> bool:
    return len(happening.heard_by) == 1 and not heard_by_all((happening,), rulebook.seats)


def _event(game: Game, happenings: Sequence[Happening]) -> TakenBack | Ended | Ruled:
    """Return the event that caused these happenings."""
    rulebook, told = game.rulebook, tuple(happenings)
    if told[0].code == TAKEN_BACK:
        back = read_taken_back(told[0])
        return TakenBack(back.turn, back.seat, back.reason, told)
    recorded = map(rulebook.records.recorded, told)
    said = next(each for each in recorded if {"sealed", "order", "result"} & each.keys())
    if "result" in said:
        position = game.position
        for happening in told:
            position = rulebook.rules.fold(position, happening)
        result = rulebook.rules.result(position)
        assert result is not None, "what is recorded as a result ends the game"
        return Ended(result, told)
    order = said["sealed"] if "sealed" in said else said["order"]
    return Ruled(Seat(said["seat"]), order, told)


def opening_options(options: Mapping[str, str], brought: Brought) -> dict[str, str]:
    """Return the options for opening the game: those given, and the seat that began.

    Raises UsageError where another seat was given.
    """
    said = options.get("first")
    if said is not None and said != brought.first:
        raise UsageError(f"--first {said}: by the record {brought.first.capitalize()} began")
    return {**options, "first": str(brought.first)}
