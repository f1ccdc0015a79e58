"""What the cases of games need of the store: their events, and of a game's letters the numbers and times."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import groupby

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from referee.common.errors import GameUnreadable
from referee.games.cases import DEEDS, Case, Decision, Duty, Happened, cases_of, is_changed
from referee.games.cases import EVENTS as KINDS
from referee.games.events import DAMAGED, read_event
from referee.games.evidence import CameIn, WentOut
from referee.reports.comments import Comment, Step
from referee.rulebooks.rulebook import Seat
from referee.store.tables import BRIEFS, EVENTS, LETTERS, OUTGOING, PERSONS, SEATS, WRITINGS

_OF_CASES = (
    select(EVENTS.c.game, EVENTS.c.number, EVENTS.c.at, EVENTS.c.letter, EVENTS.c.kind, EVENTS.c.body)
    .where(
        EVENTS.c.game.in_(bindparam("games", expanding=True)),
        EVENTS.c.kind.in_([kind.__name__ for kind in KINDS]),
    )
    .order_by(EVENTS.c.game, EVENTS.c.number)
)
_ANSWERED = (
    select(LETTERS.c.number, LETTERS.c.received, LETTERS.c.recorded)
    .join_from(OUTGOING, LETTERS, OUTGOING.c.answers == LETTERS.c.number)
    .where(OUTGOING.c.player == bindparam("who"), OUTGOING.c.game == bindparam("which"))
    .distinct()
    .order_by(LETTERS.c.number.desc())
    .limit(bindparam("most"))
)
_ANSWERED_SO = _ANSWERED.limit(None).where(LETTERS.c.number.in_(bindparam("numbers", expanding=True)))
_HELD = (
    select(LETTERS.c.number, LETTERS.c.received, LETTERS.c.recorded)
    .where(
        LETTERS.c.held_for == bindparam("who"),
        LETTERS.c.game == bindparam("which"),
        LETTERS.c.outcome == "held",
    )
    .order_by(LETTERS.c.number.desc())
    .limit(bindparam("most"))
)
_WRITTEN = (
    select(OUTGOING.c.number, OUTGOING.c.created, OUTGOING.c.sent)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.game == bindparam("which"),
        OUTGOING.c.number.is_not(None),
    )
    .order_by(OUTGOING.c.number.desc(), OUTGOING.c.id)
    .limit(bindparam("most"))
)


def cases_or_damage(
    connection: Connection, games: Collection[int]
) -> dict[int, tuple[Case, ...] | GameUnreadable]:
    """Return the cases of several games, by the games that have some; for a game that is damaged, what is wrong."""
    rows = connection.execute(_OF_CASES, {"games": sorted(games)})
    found: dict[int, tuple[Case, ...] | GameUnreadable] = {}
    for game, some in groupby(rows, key=lambda row: row.game):
        try:
            read = cases_of(
                Happened(row.number, row.at, row.letter, read_event(row.kind, json.loads(row.body)))
                for row in some
            )
            hash(tuple((each.number, each.seat, each.text, each.player) for each in read))
            found[game] = read
        except DAMAGED as error:
            found[game] = GameUnreadable(game, error)
    return found


def cases(connection: Connection, game: int) -> tuple[Case, ...]:
    """Return the cases of a game. Raises GameUnreadable where they are damaged."""
    found = cases_or_damage(connection, (game,)).get(game, ())
    if isinstance(found, GameUnreadable):
        raise found
    return found


def changed_since(connection: Connection, game: int, ruling: Decision) -> bool:
    """Tell whether an umpire has done anything in a game since a ruling; see `is_changed`. Raises GameUnreadable."""
    asked = (
        select(EVENTS.c.number, EVENTS.c.at, EVENTS.c.letter, EVENTS.c.kind, EVENTS.c.body)
        .where(
            EVENTS.c.game == game,
            EVENTS.c.number > ruling.number,
            EVENTS.c.kind.in_([kind.__name__ for kind in DEEDS]),
        )
        .order_by(EVENTS.c.number)
    )
    try:
        return is_changed(
            Happened(number, at, letter, read_event(kind, json.loads(body)))
            for number, at, letter, kind, body in connection.execute(asked)
        )
    except DAMAGED as error:
        raise GameUnreadable(game, error) from error


def comments(connection: Connection, game: int) -> list[tuple[int, Comment]]:
    """Return what was written in a game's cases, each with its number; what was erased is left out."""
    asked = (
        select(WRITINGS.c.number, WRITINGS.c.player, WRITINGS.c.turn, WRITINGS.c.at, WRITINGS.c.text)
        .where(WRITINGS.c.game == game, WRITINGS.c.kind.in_(("claim", "answer", "appeal")))
        .order_by(WRITINGS.c.number)
    )
    kept = {row.number: row for row in connection.execute(asked)}
    if not kept:
        return []
    seats = select(SEATS.c.seat, SEATS.c.player).where(SEATS.c.game == game)
    sits = {player: seat for seat, player in connection.execute(seats)}
    found: list[tuple[int, Comment]] = []
    for case in cases(connection, game):
        steps: list[tuple[Step, int, str, int | None]] = [
            ("claim" if case.against is None else "appeal", case.text, "", None)
        ]
        if case.appeal is not None:
            steps.append(("appeal", case.appeal.text, "", None))
        rulings = (*case.decisions, *([case.left] if case.left is not None else ()))
        steps += (("ruling", each.text, each.verdict, each.by) for each in rulings)
        former = case.player is not None and sits.get(case.player) != case.seat
        for step, text, verdict, by in steps:
            if text in kept:
                row = kept[text]
                comment = Comment("claim", case.seat, row.turn, row.at, row.text, case.number, step, verdict)
                found.append((text, replace(comment, by=_name(connection, by), former=former)))
    return found


def _name(connection: Connection, player: int | None) -> str:
    """Return what a player is called, "" for nobody and for who has left."""
    if player is None:
        return ""
    return connection.execute(select(PERSONS.c.name).where(PERSONS.c.player == player)).scalar() or ""


def to_change(connection: Connection, game: int) -> tuple[Case, ...]:
    """Return the cases of a game that were upheld, and for which nobody has done anything in it since."""
    return tuple(
        each
        for each in cases(connection, game)
        if each.remedy is not None and not changed_since(connection, game, each.remedy)
    )


def came_in(
    connection: Connection, game: int, seats: Mapping[Seat, int], most: int, asked_for: Collection[int] = ()
) -> list[CameIn]:
    """Return the newest letters of each seat about a game, oldest of them first: those that were answered, and those
    that are held. asked_for: numbers of letters that are among them however old they are."""
    found = []
    for seat, player in seats.items():
        asked = {"who": player, "which": game, "most": most}
        answered = [CameIn(seat, *row) for row in connection.execute(_ANSWERED, asked)]
        held = [CameIn(seat, *row, held=True) for row in connection.execute(_HELD, asked)]
        newest = sorted((*answered, *held), key=lambda each: each.number)[-most:]
        numbers = {"numbers": sorted({*asked_for} - {each.number for each in newest})}
        older = [CameIn(seat, *row) for row in connection.execute(_ANSWERED_SO, {**asked, **numbers})]
        found += sorted((*older, *newest), key=lambda each: each.number)
    return found


def went_out(connection: Connection, game: int, seats: Mapping[Seat, int], most: int) -> list[WentOut]:
    """Return the newest of our letters to each seat about a game, oldest of them first; a copy counts as the letter
    that it is of."""
    found = []
    for seat, player in seats.items():
        rows = connection.execute(_WRITTEN, {"who": player, "which": game, "most": 3 * most})
        first = {row.number: WentOut(seat, *row) for row in reversed(rows.all())}
        found += [first[number] for number in sorted(first)[-most:]]
    return found


def sent_to(connection: Connection, game: int, number: int, duty: Duty) -> tuple[int, ...]:
    """Return to whom a case was sent, whoever has it now last: officers, by their numbers, and 0 for whoever runs the
    service."""
    asked = select(BRIEFS.c.player).where(
        BRIEFS.c.game == game, BRIEFS.c.number == number, BRIEFS.c.duty == duty
    )
    return tuple(connection.execute(asked.order_by(BRIEFS.c.place)).scalars())


def mark_sent(connection: Connection, game: int, number: int, duty: Duty, player: int) -> None:
    """Keep that a case was sent to somebody, and is with him now, as `sent_to` returns him."""
    before = sent_to(connection, game, number, duty)
    which = {"game": game, "number": number, "duty": duty, "player": player}
    if player in before:
        connection.execute(delete(BRIEFS).where(*(BRIEFS.c[name] == value for name, value in which.items())))
    newest = select(func.coalesce(func.max(BRIEFS.c.place), 0)).where(
        BRIEFS.c.game == game, BRIEFS.c.number == number, BRIEFS.c.duty == duty
    )
    connection.execute(insert(BRIEFS).values(place=(connection.execute(newest).scalar() or 0) + 1, **which))
