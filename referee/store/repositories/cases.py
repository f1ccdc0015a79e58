"""Cases of games: claims, rulings, and the people to whom each was sent."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import groupby

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    true,
    union,
)

from referee.common.errors import GameUnreadable
from referee.games.cases import ACTIONS, Case, Decision, Duty, Happened, cases_of, is_changed
from referee.games.cases import EVENTS as KINDS
from referee.games.events import DAMAGED, read_event
from referee.games.evidence import CameIn, WentOut
from referee.reports.comments import Comment, Step
from referee.rulebooks.rulebook import Seat
from referee.store.overview_values import Docket, OpenCase, UnreadCases
from referee.store.repositories.repository import Repository
from referee.store.repositories.writings import WritingQueries
from referee.store.tables import (
    BRIEFS,
    EVENTS,
    FORMER_SEATS,
    GAMES,
    LETTERS,
    OUTGOING,
    PERSONS,
    SEATS,
    WRITINGS,
)
from referee.store.transaction import Transaction
from referee.store.values import Claim

_CLAIMS = (
    select(
        WRITINGS.c.number,
        WRITINGS.c.game,
        GAMES.c.title,
        PERSONS.c.name,
        WRITINGS.c.turn,
        WRITINGS.c.text,
        GAMES.c.ended,
        GAMES.c.competition,
        WRITINGS.c.player,
    )
    .join_from(WRITINGS, GAMES, WRITINGS.c.game == GAMES.c.number)
    .join(PERSONS, PERSONS.c.player == WRITINGS.c.player)
    .where(WRITINGS.c.kind == "claim")
    .order_by(WRITINGS.c.at, WRITINGS.c.game, WRITINGS.c.number)
)


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


class CaseQueries(Repository):
    """Queries about the cases of games."""

    def __init__(self, transaction: Transaction, writings: WritingQueries) -> None:
        super().__init__(transaction)
        self._writings = writings

    def claims(self) -> list[Claim]:
        """Return all cases whose claim is stored, oldest first; those of departed players are not.

        Cases of a damaged game are left out; `waiting` names it.
        """
        rows = self._connection.execute(_CLAIMS).all()
        found = cases_or_damage(self._connection, {row.game for row in rows})
        texts = {
            (game, case.text): case
            for game, some in found.items()
            if not isinstance(some, GameUnreadable)
            for case in some
        }
        return [
            Claim(texts[game, text], game, *others) for text, game, *others in rows if (game, text) in texts
        ]

    def of_game(self, game: int) -> tuple[Case, ...]:
        """Return the cases of a game, by number, including those of departed players. Raises GameUnreadable."""
        found = cases_or_damage(self._connection, (game,)).get(game, ())
        if isinstance(found, GameUnreadable):
            raise found
        return found

    def to_change(self, game: int) -> tuple[Case, ...]:
        """Return the upheld cases of a game in which nothing has been done since."""
        return tuple(
            each
            for each in self.of_game(game)
            if each.remedy is not None and not _changed_since(self._connection, game, each.remedy)
        )

    def open_claims(self, game: int, player: int) -> tuple[int, ...]:
        """Return the numbers of a player's cases in a game that wait for a ruling."""
        brought = {each.number for each in self._writings.of_kind(game, "claim") if each.player == player}
        return tuple(each.number for each in self.of_game(game) if each.duty and each.text in brought)

    def sent_to(self, game: int, number: int, duty: Duty) -> tuple[int, ...]:
        """Return the people to whom a case was sent for a ruling, perhaps on an appeal, the present one last.

        They are officers, and 0 for the operator.
        """
        asked = select(BRIEFS.c.player).where(
            BRIEFS.c.game == game, BRIEFS.c.number == number, BRIEFS.c.duty == duty
        )
        return tuple(self._connection.execute(asked.order_by(BRIEFS.c.place)).scalars())

    def came_in(
        self, game: int, seats: Mapping[Seat, int], most: int, asked_for: Collection[int] = ()
    ) -> list[CameIn]:
        """Return the newest letters of each seat about a game that were answered or are held, oldest first.

        asked_for: numbers of letters to include, however old they are.
        """
        found = []
        for seat, player in seats.items():
            asked = {"who": player, "which": game, "most": most}
            answered = [CameIn(seat, *row) for row in self._connection.execute(_ANSWERED, asked)]
            held = [CameIn(seat, *row, held=True) for row in self._connection.execute(_HELD, asked)]
            newest = sorted((*answered, *held), key=lambda each: each.number)[-most:]
            numbers = {"numbers": sorted({*asked_for} - {each.number for each in newest})}
            older = [
                CameIn(seat, *row) for row in self._connection.execute(_ANSWERED_SO, {**asked, **numbers})
            ]
            found += sorted((*older, *newest), key=lambda each: each.number)
        return found

    def went_out(self, game: int, seats: Mapping[Seat, int], most: int) -> list[WentOut]:
        """Return the newest of our letters to each seat about a game, oldest first."""
        found = []
        for seat, player in seats.items():
            rows = self._connection.execute(_WRITTEN, {"who": player, "which": game, "most": 3 * most})
            first = {row.number: WentOut(seat, *row) for row in reversed(rows.all())}
            found += [first[number] for number in sorted(first)[-most:]]
        return found

    def comments(self, game: int) -> list[tuple[int, Comment]]:
        """Return the comments in a game's cases, each with its number, without erased ones."""
        asked = (
            select(WRITINGS.c.number, WRITINGS.c.player, WRITINGS.c.turn, WRITINGS.c.at, WRITINGS.c.text)
            .where(WRITINGS.c.game == game, WRITINGS.c.kind.in_(("claim", "answer", "appeal")))
            .order_by(WRITINGS.c.number)
        )
        kept = {row.number: row for row in self._connection.execute(asked)}
        if not kept:
            return []
        seats = select(SEATS.c.seat, SEATS.c.player).where(SEATS.c.game == game)
        sits = {player: seat for seat, player in self._connection.execute(seats)}
        found: list[tuple[int, Comment]] = []
        for case in self.of_game(game):
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
                    comment = Comment(
                        "claim", case.seat, row.turn, row.at, row.text, case.number, step, verdict
                    )
                    found.append((text, replace(comment, by=self._name(by), former=former)))
        return found

    def _name(self, player: int | None) -> str:
        """Return a player's name, "" for nobody and for departed players."""
        if player is None:
            return ""
        return (
            self._connection.execute(select(PERSONS.c.name).where(PERSONS.c.player == player)).scalar() or ""
        )

    def waiting(self, competitions: Collection[int] | None) -> Docket:
        """Return the cases of some tournaments, or of all games, that wait for a ruling or a change of the
        game.

        Games whose cases cannot be read are returned too.
        """
        asked = (
            select(GAMES.c.number, GAMES.c.title, GAMES.c.status, GAMES.c.competition)
            .join_from(EVENTS, GAMES, EVENTS.c.game == GAMES.c.number)
            .where(EVENTS.c.kind == literal_column("'Claimed'"), _within(competitions))
            .distinct()
        )
        games = {row.number: row for row in self._connection.execute(asked)}
        if not games:
            return Docket()
        waiting: list[tuple[int, Case]] = []
        unread = []
        for game, some in cases_or_damage(self._connection, games).items():
            if isinstance(some, GameUnreadable):
                unread.append(game)
            else:
                waiting += [
                    (game, each) for each in some if each.duty or _to_change(self._connection, game, each)
                ]
        which = {*unread, *(game for game, _ in waiting)}
        seats = union(
            select(SEATS.c.game, SEATS.c.player).where(SEATS.c.game.in_(which)),
            select(FORMER_SEATS.c.game, FORMER_SEATS.c.player).where(FORMER_SEATS.c.game.in_(which)),
        )
        players: dict[int, tuple[int, ...]] = {}
        for game, player in self._connection.execute(seats) if which else ():
            players[game] = (*players.get(game, ()), player)
        damaged = (
            UnreadCases(game, games[game].title, games[game].status != "playing", players.get(game, ()))
            for game in unread
        )
        found = (
            OpenCase(
                game,
                each.number,
                each.seat,
                each.since,
                each.duty or "ruling",
                each.ruled,
                games[game].status != "playing",
                games[game].competition,
                players.get(game, ()),
                to_change=each.duty is None,
                appealed=each.appeal is not None or each.against is not None,
            )
            for game, each in waiting
        )
        return Docket(tuple(found), tuple(damaged))


class Cases(CaseQueries):
    """The cases of games."""

    def mark_sent(self, game: int, number: int, duty: Duty, player: int) -> None:
        """Record that a case was sent to a person: an officer, or 0 for the operator."""
        before = self.sent_to(game, number, duty)
        which = {"game": game, "number": number, "duty": duty, "player": player}
        if player in before:
            self._connection.execute(
                delete(BRIEFS).where(*(BRIEFS.c[name] == value for name, value in which.items()))
            )
        newest = select(func.coalesce(func.max(BRIEFS.c.place), 0)).where(
            BRIEFS.c.game == game, BRIEFS.c.number == number, BRIEFS.c.duty == duty
        )
        self._connection.execute(
            insert(BRIEFS).values(place=(self._connection.execute(newest).scalar() or 0) + 1, **which)
        )


def cases_or_damage(
    connection: Connection, games: Collection[int]
) -> dict[int, tuple[Case, ...] | GameUnreadable]:
    """Return the cases of several games, by game; for a damaged game, the error."""
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


def _changed_since(connection: Connection, game: int, ruling: Decision) -> bool:
    """Return whether an umpire has acted in a game since a ruling; see `is_changed`. Raises GameUnreadable."""
    asked = (
        select(EVENTS.c.number, EVENTS.c.at, EVENTS.c.letter, EVENTS.c.kind, EVENTS.c.body)
        .where(
            EVENTS.c.game == game,
            EVENTS.c.number > ruling.number,
            EVENTS.c.kind.in_([kind.__name__ for kind in ACTIONS]),
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


def _within(competitions: Collection[int] | None) -> ColumnElement[bool]:
    """Return the condition that a game is of these tournaments; None: of any, or of none."""
    return true() if competitions is None else GAMES.c.competition.in_(sorted(competitions))


def _to_change(connection: Connection, game: int, case: Case) -> bool:
    """Return whether the game is still to be changed since a case was upheld; True where it is damaged."""
    try:
        return case.remedy is not None and not _changed_since(connection, game, case.remedy)
    except GameUnreadable:
        return True
