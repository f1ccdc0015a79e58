"""A game that was played elsewhere, or half played, becomes one of ours: its record's happenings become events. Pure.

The record is held against the rules first (`Rulebook.replay`); what came of that is told here as if it had been ruled
on order by order, so that it can be taken back, corrected and put back like any other. It begins with a deal that was
set, the record's. What was played before is bound by the receipts from the import on, and by nothing earlier: no
commitment stood in anybody's letter then, which the game and its record say (`Opened.brought`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.common.errors import RecordRefused, UsageError
from referee.games.decisions import open_game
from referee.games.events import Ended, Event, Ruled, TakenBack
from referee.games.game import AnyRulebook, Game
from referee.games.records_from_elsewhere import (
    check_facts,
    check_rules,
    check_text,
    printable,
    refusal,
    shown,
)
from referee.rulebooks.branches import TAKEN_BACK, read_taken_back
from referee.rulebooks.rulebook import Happening, Replay, Seat, heard_by_all

_HEAD_LINE = re.compile(r"^(\w+) *= (.*)$", re.MULTILINE)
_NOT_OF_THE_START = ("Result", "View")


@dataclass(frozen=True, slots=True)
class Brought:
    """A game as its record tells it, held against the rules. first: who began; deal: of both sides, as `new --deal`
    takes it."""

    replayed: Replay
    first: Seat
    deal: str


def read_brought(rulebook: AnyRulebook, text: str) -> Brought:
    """Return the game that a record tells. Raises RecordRefused for one that is not consistent, for one of other rules,
    and for one without both deals: nobody could rule on it. Of games with drafted turns none is brought in: their cards
    follow from the secret of the house that began them, which no record has while they are played."""
    check_text(text)
    check_rules(text, rulebook)
    if rulebook.drafts is not None:
        raise RecordRefused(
            f"a game of {rulebook.name} goes on only where it was begun, since its cards follow from a secret of that "
            "house: `referee replay` reads its record, `referee verify` checks that of a finished one; nothing was "
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
    rulebook: AnyRulebook,
    options: Mapping[str, str],
    seats: Mapping[Seat, int],
    secret: bytes,
    brought: Brought,
    competition: int | None = None,
) -> list[Event]:
    """Return the events of a game that goes on from where its record ends, or that ended there.

    options: checked, with `first` among them. Raises UsageError where the game would begin otherwise by them than by
    its record.
    """
    opened = open_game(number, rulebook, options, seats, secret, brought.deal, competition)
    theirs = brought.replayed.happenings
    slices = _slices(rulebook, theirs, len(opened.happenings))
    start = theirs[: slices[0][0]] if slices else theirs
    _check_start(rulebook, opened.happenings, start)
    # What the options say of sheets is ours to say; a record does not tell.
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
    """Return whether a game has ended by something else than the order before."""
    return game.rulebook.rules.conclude(game.position, end.result) == end.happenings


def comments_in(rulebook: AnyRulebook, text: str, most: int) -> str:
    """Return the comments of a record, without the lines that every record has; the first `most` signs of them."""
    said = (
        printable(line.strip()).removeprefix(";").rstrip()
        for line in text.splitlines()
        if line.lstrip().startswith(";")
    )
    own = (f"{rulebook.title}. Directions are ", "What was written beside the moves:")
    kept = "\n".join(line.removeprefix(" ") for line in said if not line.strip().startswith(own)).strip("\n")
    return kept if len(kept) <= most else f"{kept[: most - 1]}…"


def _head(rulebook: AnyRulebook, happenings: Sequence[Happening]) -> dict[str, str]:
    """Return what a record's head says of the start, however the record was written."""
    said = _HEAD_LINE.findall(rulebook.records.write(happenings, {}, None))
    return {key: value.strip() for key, value in said if key not in _NOT_OF_THE_START}


def _check_start(rulebook: AnyRulebook, ours: Sequence[Happening], theirs: Sequence[Happening]) -> None:
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


def _slices(rulebook: AnyRulebook, happenings: Sequence[Happening], opening: int) -> list[tuple[int, int]]:
    """Return where each order begins and ends among happenings, and where turns were taken back, and an end off the
    board. opening: so many of them are of the start.

    What a seat alone has heard right before its order belongs to the order, and so does an end that it brings about.
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


def _is_private(rulebook: AnyRulebook, happening: Happening) -> bool:
    return len(happening.heard_by) == 1 and not heard_by_all((happening,), rulebook.seats)


def _event(game: Game, happenings: Sequence[Happening]) -> TakenBack | Ended | Ruled:
    """Return the event that has made such happenings happen."""
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
    """Return the options that a game is opened with: those given, and who began. Raises UsageError where that was
    given otherwise."""
    said = options.get("first")
    if said is not None and said != brought.first:
        raise UsageError(f"--first {said}: by the record {brought.first.capitalize()} began")
    return {**options, "first": str(brought.first)}
