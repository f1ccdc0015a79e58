"""What a letter shows of a game besides the moves: its names, event, clocks, diaries, and who watches."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from referee.games.clocks.calendar import day_of
from referee.games.game import Game
from referee.games.game_options import watchers_of
from referee.games.results import ruling_of
from referee.games.tournaments.officers import officer_for
from referee.handlers.game_clocks import GameClocks
from referee.handlers.letter_content import LetterContent
from referee.handlers.waiting_news import Players, names_of
from referee.mail.message.message import Kind
from referee.reports.comments import BY_UMPIRES, Comment, readable_by
from referee.reports.report import ClockFace, DaysOff, DiaryEntry, GameFace, Note
from referee.rulebooks.rulebook import Happening, Seat
from referee.store.unit_of_work import UnitOfWork

HOLIDAYS_TOLD = 3
"""The most coming holidays that a letter names."""


@dataclass(frozen=True, slots=True)
class Perspective:
    """A reader's perspective on a game: what was heard from there, and what is known.

    seat: theirs, OBSERVER for observers, None for neither.
    late: they hear of turns only when later ones are in play.
    receipt: the latest by then.
    by_office: they do not watch, but hold an office in the event and are shown the same.
    plays: the seat is a player's.
    """

    seat: Seat | None = None
    heard: tuple[Happening, ...] = field(default=(), repr=False)
    view: Any = field(default=None, repr=False)
    late: bool = False
    receipt: str = ""
    by_office: bool = False
    plays: bool = False


class GameFaces:
    """Looks up what letters show of games, within one unit of work."""

    def __init__(self, unit: UnitOfWork, now: datetime, clocks: GameClocks, players: Players) -> None:
        self._unit = unit
        self._now = now
        self._clocks = clocks
        self._players = players

    def face(self, game: Game, title: str, here: Perspective, *, with_event: bool = False) -> GameFace:
        """Return a game's face. with_event: with its event, and who umpires it."""
        names = {seat: self._players(who).name or seat.capitalize() for seat, who in game.seats.items()}
        if not names and game.proposed_by is not None:
            names = {Seat("proposer"): self._players(game.proposed_by).name}
        event, umpire = self._event_of(game) if with_event else ("", "")
        return GameFace(
            number=game.number,
            title=title,
            rulebook=game.rulebook,
            names=names,
            options=game.options,
            commitment=game.commitment,
            secret=game.secret.hex() if game.status == "ended" else "",
            by_umpire=game.proposed_by is None,
            deal_by_umpire=game.deal_set,
            deal=game.deal if game.status == "ended" else "",
            receipt=here.receipt,
            lots=lots_of(game),
            event=event,
            brought=game.brought,
            umpire=umpire,
            days_off=self._days_off(game),
        )

    def _event_of(self, game: Game) -> tuple[str, str]:
        """Return the name of a game's event and that of its umpire; "" for no event, and for no officer who can act."""
        if game.competition is None:
            return "", ""
        event = self._unit.tournaments.find(game.competition)
        officers = {each.player: self._players(each.player) for each in event.officers}
        away = [number for number, player in officers.items() if not player.address or player.unreachable]
        umpire = officer_for(event.officers, tuple(game.seats.values()), away=away)
        return event.name, officers[umpire.player].name if umpire else ""

    def _days_off(self, game: Game) -> DaysOff | None:
        """Return the days on which no time runs in a running game, None for none."""
        if not game.timed or game.status != "playing":
            return None
        calendar = self._clocks.calendar(game)
        today = day_of(self._now, calendar.zone)
        coming = sorted(day for day in calendar.holidays if day >= today)
        if not calendar.weekend and not coming:
            return None
        told = tuple(coming[:HOLIDAYS_TOLD])
        return DaysOff(tuple(sorted(calendar.weekend)), told, len(coming) > len(told), calendar.zone)

    def clocks(self, game: Game) -> dict[Seat, ClockFace]:
        """Return the clocks of the seats that are to move; empty where no time is counted."""
        if not game.timed:
            return {}
        faces = {seat: self._clocks.face(game, seat) for seat in game.due}
        return {seat: face for seat, face in faces.items() if face is not None}

    def notes(self, game: Game, player: int, words: LetterContent) -> list[Note]:
        """Return a letter's further notes on a game: its observers, and the player's open claims."""
        notes = []
        if words.newcomers:
            notes.append(Note("newcomers", {"names": names_of(words.newcomers, self._players)}))
        if words.watchers is not None:
            late = watchers_of(game.options) or 0
            notes.append(Note("watchers", {"names": names_of(words.watchers, self._players), "late": late}))
        return [*notes, *self._claims_left(game, player, words.kind)]

    def _claims_left(self, game: Game, player: int, kind: Kind) -> list[Note]:
        """Return the note in the last letter of a game on the reader's claims that no umpire has answered.

        After an umpire's ruling there is none, since the ruling may be the answer.
        """
        if kind != "result" or game.result is None or ruling_of(game.result) or not game.seat_of(player):
            return []
        left = tuple(f"{game.number}/{each}" for each in self._unit.cases.open_claims(game.number, player))
        return [Note("claims-stand", {"numbers": left})] if left else []

    def diary(self, game: Game) -> tuple[DiaryEntry, ...]:
        """Return the diaries of both players, once a game is over."""
        if game.status != "ended":
            return ()
        seats = {**game.former, **{player: seat for seat, player in game.seats.items()}}
        return tuple(
            DiaryEntry(seats[each.player], each.turn, each.text, game.seat_of(each.player) is None)
            for each in self._unit.writings.of_kind(game.number, "diary")
            if each.player in seats
        )

    def beside(self, game: Game, here: Perspective) -> tuple[Comment, ...]:
        """Return the umpires' statements and acts in a finished game."""
        beside = self._unit.comments.beside_the_moves(game.number, game.rulebook)
        return tuple(each for each in readable_by(here.seat, beside, over=True) if each.kind in BY_UMPIRES)


def lots_of(game: Game) -> tuple[Literal["colours", "first"], ...]:
    """Return what was drawn besides the deal: the colours, unless somebody chose, and who begins."""
    colours = game.proposed_by is not None and game.colour is None
    return (*(("colours",) if colours else ()), *(("first",) if "first" not in game.options else ()))
