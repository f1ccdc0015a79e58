"""The data of a site, read from the database into plain values: games, their players and their comments.

No address is read here, and no title of a game, which may hold one. People appear by name, or by colour if
they have no name or have left.
"""

from __future__ import annotations

import hmac
import json
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime

from referee.archive.site.stagers import AnyStage, has_stage, stage_of
from referee.archive.site.visibility import lets_watch, turns_late
from referee.archive.site.withdrawn_turns import are_gone
from referee.common.errors import GameUnreadable
from referee.games.events import read_event
from referee.games.game import Game, fold_game
from referee.games.results import result_of
from referee.games.summary import read_outline
from referee.games.tournaments.tournament import Competition
from referee.games.umpire_log import acts_beside_the_moves
from referee.reports.comments import Comment, comments_on, readable_by, with_comments
from referee.rulebooks.rulebook import OBSERVER, Result
from referee.service.bootstrap import Application
from referee.service.queries import head_of
from referee.store.queries import Lookup
from referee.store.values import StoredGame

WRITINGS = ("press", "diaries")
"""Players' texts for each other or for themselves, which a site shows only if its publisher chooses so."""
_KINDS = {"press": "press", "diaries": "diary"}
_STEERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Invisible characters that reverse the direction of the text after them."""


def plainly(text: str) -> str:
    """Return people's text without characters that steer a page: they could make it read differently than it is."""
    return "".join(
        " " if sign in _STEERING or unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign
        for sign in text
    )


@dataclass(frozen=True, slots=True)
class Person:
    """The player of a seat. number: of their page, None for a player without one, since they have no name."""

    seat: str
    name: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as in lists.

    players: in the order of its seats.
    late: the delay in turns of a running game; None where it is over.
    event: number and name.
    """

    number: int
    rules: str
    title: str
    players: tuple[Person, ...]
    begun: datetime
    ended: datetime | None
    event: tuple[int, str] | None
    result: Result | None = None
    late: int | None = None

    @property
    def outcome(self) -> str:
        """How it ended, in few words."""
        if self.result is None:
            return "in play" if self.late is not None else "over"
        if self.result.void:
            return "no result"
        return "draw" if self.result.winner is None else f"{self.result.winner.capitalize()} won"


@dataclass(frozen=True, slots=True)
class Note:
    """A comment.

    turn: 0 where unknown.
    who: in words.
    kind: what it is.
    back: its turn was taken back later, and no longer counts.
    """

    turn: int
    at: datetime
    who: str
    kind: str
    lines: tuple[str, ...] = field(repr=False)
    back: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """The final board, for download."""

    svg: str | None = field(repr=False)
    png: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game as its page shows it. record, drawn: for download, None while it is being played."""

    entry: Entry
    stage: AnyStage | None = field(repr=False)
    notes: tuple[Note, ...] = field(repr=False)
    record: str | None = field(default=None, repr=False)
    drawn: Drawn | None = field(default=None, repr=False)


class Archive:
    """The games that a site may show, as one read of the database sees them.

    event: only the games of this tournament.
    writings: which of WRITINGS are shown.
    """

    def __init__(self, application: Application, event: str | None, writings: Collection[str]) -> None:
        self.application = application
        self.writings = {_KINDS[each] for each in writings}
        self._people: dict[int, str] = {}
        with application.store.reading() as lookup:
            self.key = lookup.service_key()
            only = lookup.tournaments.find_named(event).number if event is not None else None
            rows = lookup.games.all(("playing", "ended"), only)
            self.events: Mapping[int, Competition] = {
                each.number: each.terms for each in lookup.tournaments.all() if not each.unread
            }
        self.rows: Sequence[StoredGame] = [row for row in rows if self._may_be_shown(row)]

    def _may_be_shown(self, row: StoredGame) -> bool:
        """Return whether a game may be shown, so that others need not be read."""
        event = self.events.get(row.competition) if row.competition is not None else None
        return row.status == "ended" or (event is not None and lets_watch(event) is not None)

    def look_at(self, number: int) -> Looked | None:
        """Return what is shown of a game, None for nothing. Raises GameUnreadable."""
        with self.application.store.reading() as lookup:
            row = lookup.games.get(number)
            if row is None or row.status not in ("playing", "ended"):
                return None
            if row.rules not in self.application.service.rulebooks:
                raise GameUnreadable(number, LookupError(row.rules))
            for player in row.seats.values():
                if player not in self._people:
                    self._people[player] = plainly(lookup.players.find(player).name)
            written = lookup.comments.of_game(number) if row.status == "ended" else []
        return Looked(self, row, written)

    def entry(self, row: StoredGame, result: Result | None, late: int | None) -> Entry:
        """Return a game as in lists."""
        rulebook = self.application.service.rulebooks[row.rules]
        people = tuple(
            Person(str(seat), name or seat.capitalize(), row.seats[seat] if name else None)
            for seat in rulebook.seats
            for name in (self._people[row.seats[seat]],)
        )
        event = None
        if row.competition in self.events and row.competition is not None:
            event = row.competition, plainly(self.events[row.competition].name)
        return Entry(
            row.number, row.rules, rulebook.title, people, row.created, row.ended, event, result, late
        )


@dataclass(frozen=True)
class Looked:
    """A game that may be shown. comments: all its comments, once it is over."""

    archive: Archive = field(repr=False)
    row: StoredGame
    comments: Sequence[Comment] = field(repr=False)

    def stamp(self, edition: str) -> str:
        """Return a value that changes whenever the page does, "" for a running game.

        For a running game it would reveal that something secret has happened. The stamp is stored next to the
        pages, so it depends on the service's key: nobody else can use it to guess private texts.

        edition: of the site.
        """
        row = self.row
        if row.status != "ended":
            return ""
        entry = self.archive.entry(row, None, None)
        said = [edition, asdict(entry), row.last_event, sorted(self.archive.writings)]
        said += [[*asdict(each).values()] for each in self.comments]
        return hmac.new(self.archive.key, json.dumps(said, default=str).encode(), "sha256").hexdigest()

    def listed(self) -> Entry | None:
        """Return a finished game as in lists, from its row alone; None where the row does not say it."""
        row = self.row
        outline = read_outline(row.outline)
        if row.status != "ended" or row.result is None or outline is None:
            return None
        if outline.last_event != row.last_event:
            return None
        return self.archive.entry(row, result_of(row.result, outline.how), None)

    def shown(self) -> ShownGame | None:
        """Return the game as its page shows it, None where nothing may be shown. Raises GameUnreadable."""
        application, row = self.archive.application, self.row
        with application.store.reading() as lookup:
            return self._shown(lookup, application, row)

    def _shown(self, lookup: Lookup, application: Application, row: StoredGame) -> ShownGame | None:
        events = [(each.at, read_event(each.kind, each.body)) for each in lookup.events.of_game(row.number)]
        folded = fold_game(
            row.number, (event for _, event in events), application.service.rulebooks.__getitem__
        )
        assert folded is not None, "a game's first event is kept with it"
        game: Game = folded
        if row.status != "ended" or game.status != "ended":
            competition = self.archive.events.get(row.competition) if row.competition else None
            late = turns_late(game, competition)
            if late is None or not has_stage(row.rules):
                return None
            heard = game.heard_late(late)
            return ShownGame(
                self.archive.entry(row, None, late), stage_of(game.rulebook, heard, over=False), ()
            )
        acts = comments_on(acts_beside_the_moves(events, game.rulebook))
        to_all = {
            each.text for each in lookup.writings.of_kind(row.number, "press") if each.number in game.to_all
        }
        beside = sorted([*self.comments, *acts], key=lambda each: each.at)
        public = [each for each in beside if self._is_released(each, to_all)]
        entry = self.archive.entry(row, game.result, None)
        names = {seat: person.name for seat, person in zip(game.rulebook.seats, entry.players, strict=True)}
        record = game.rulebook.records.write(
            game.happenings, head_of(game, names, entry.event[1] if entry.event else ""), None
        )
        view = game.view(OBSERVER)
        return ShownGame(
            entry,
            stage_of(game.rulebook, game.happenings, over=True),
            tuple(_notes(public, are_gone(public, events, game.branches))),
            with_comments(record, public),
            Drawn(game.rulebook.presentation.picture_svg(view), game.rulebook.presentation.picture(view)),
        )

    def _is_released(self, comment: Comment, to_all: Collection[str]) -> bool:
        """Return whether a comment may be public.

        These are umpires' rulings in words and actions that observers may see, press written to all, and what
        the site's publisher has chosen.
        """
        if readable_by(OBSERVER, [comment], over=True):
            return True
        if comment.kind == "press" and comment.text in to_all:
            return True
        return comment.kind in self.archive.writings


def _notes(comments: Sequence[Comment], gone: Sequence[bool]) -> Iterator[Note]:
    for each, back in zip(comments, gone, strict=True):
        who = each.seat.capitalize() or "The umpire"
        kind = each.heading if each.kind == "act" else "" if each.kind == "ruling" else each.kind
        lines = tuple(plainly(line) for line in each.lines)
        name = f"{who} (an earlier player)" if each.former else who
        yield Note(each.turn, each.at, name, kind, lines, back)
