"""What one letter has brought about so far.

Games go on in memory, as values, and are kept together at the end (`answers.finish`): all or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from referee.commands.command import Command
from referee.common.chance import Draws
from referee.common.errors import GameUnreadable
from referee.common.faults import Fault, Place
from referee.common.i18n import Phrase
from referee.games.clock_events import dated
from referee.games.events import Confided, Event, Ruled, read_event
from referee.games.game import Game, fold_game
from referee.games.player import Player
from referee.games.results import Offer
from referee.handlers.composer import Composer
from referee.handlers.game_clocks import GameClocks
from referee.handlers.letter_content import LetterContent
from referee.handlers.service_config import ServiceConfig
from referee.mail.message.message import Attachment, Kind, OwnLine
from referee.reports.report import Note
from referee.rulebooks.rulebook import OrderLine, Seat
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import SentLetter, StoredEvent, StoredGame

ASKED_LATELY = timedelta(days=7)
"""So long after a question a bare `confirm` may be meant for it."""


@dataclass(slots=True)
class GameOutcome:
    """What a letter brought about in one game, or in none."""

    understood: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    rescheduled: list[int] = field(default_factory=list)
    """Games of which the writer's calendar program is to be told anew: his deadlines in them are other ones."""
    shown: bool = False
    """The game's standing was asked for."""
    ruled: list[OrderLine] = field(default_factory=list)
    """The letter's lines that were ruled on as orders, and that others hear of."""
    confided: list[OrderLine] = field(default_factory=list)
    """Those of which nobody else hears."""
    sealed_by: Seat | None = None
    """Whose turn ended last, where what it brought is told with the next one."""
    whispers: list[tuple[Seat, Note]] = field(default_factory=list)
    """What one other seat alone is told, in what it hears of this letter."""
    overtaken: bool = False
    """Something was refused as the game stands now: it might have gone when an older letter was the newest."""
    newcomers: tuple[int, ...] = ()
    """Who began to watch before the orders that were ruled on: their players are told so with the answers."""
    watchers: tuple[int, ...] | None = None
    """All who watch, where that was asked for and anybody may."""
    speaks_of: list[int] = field(default_factory=list)
    """Further players whom the answer names."""
    shows: list[int] = field(default_factory=list)
    """Players of whom the answer may show the address by which its reader has invited them."""
    offer_before: Offer | None = None
    """What was proposed before anything happened in the game."""
    lapsed: Offer | None = None
    """What was proposed, and has lapsed by a move."""
    kind: Kind | None = None
    """The kind of the answer, where no command says it."""

    @property
    def speaks(self) -> bool:
        """Return whether there is anything to be said of it."""
        return bool(self.understood or self.faults or self.notes or self.shown)


class HandlerContext:
    """One letter's work.

    known: games as last committed, by number: a cache, never written here. cause: see Composer. lines: the
    letter's own lines. held: the letter's number, if it was held or set aside and is heard only now. thread:
    Message-IDs that it names as those which it answers, nearest first. received: when the letter came in, None for
    work that no letter asked for. heard: as of when it counts in everything but a move of the writer's: of a letter
    that was held or set aside, when he confirmed it, or when it was settled after all.
    """

    def __init__(
        self,
        unit: UnitOfWork,
        service: ServiceConfig,
        now: datetime,
        player: Player,
        known: Mapping[int, Game],
        draws: Draws,
        cause: str,
        lines: Sequence[OwnLine] = (),
        held: int | None = None,
        thread: Sequence[str] = (),
        received: datetime | None = None,
        heard: datetime | None = None,
    ) -> None:
        self.unit = unit
        self.service = service
        self.now = now
        self.player = player
        self.received = received or now
        self.heard = heard or self.received
        self.draws = draws
        self.clocks = GameClocks(unit, service.time, now)
        self.post = Composer(unit, service, now, draws, cause, self.clocks)
        self.games: dict[int, Game] = {}
        self.titles: dict[int, str] = {}
        self.parts: dict[int | None, GameOutcome] = {}
        self.pages: list[str] = []
        self.listing: list[Mapping[str, Any]] = []
        self.others: list[tuple[int, int, LetterContent]] = []
        """Letters to other people that no event speaks of by itself: game, player, words."""
        self.copies: dict[tuple[int, int], None] = {}
        """Letters to be sent to the writer again, in order: game (0 for none) and number."""
        self.stood_at: dict[str, int] = {}
        """In which line of the letter what was taken stands, by how it is shown."""
        self.about: int | None = None
        """The game that the letter itself names, by its reply address, its thread or its subject."""
        self.no_guess = False
        """What it does not say itself in which game is done in none, though there be only one: it was held, and the
        question about it named none."""
        self.others_question = False
        """It was written to the reply address of a question that somebody else was asked."""
        self.about_no_game = False
        """What the letter asks for is about no game, whichever it answers."""
        self.reply_tag = ""
        """Another reply tag for the answer than the game's: it is asked for something that only its reader can say."""
        self._known = known
        self._rows: dict[int, StoredGame | None] = {}
        self._lines = lines
        self._held = held
        self._thread = thread

    @property
    def held(self) -> bool:
        """Return whether the letter was held or set aside before: it is an old one, and nobody vouched for it."""
        return self._held is not None

    @property
    def whole_letter(self) -> bool:
        """Return whether the letter consists of a single line: then a word in it is meant without any doubt."""
        return len(self._lines) == 1

    def opens(self, command: Command) -> bool:
        """Return whether a command is the letter's first line: nothing that a mail program quotes below can be."""
        return bool(self._lines) and command.line.number == self._lines[0].number

    def went_on(self, game: int) -> bool:
        """Return whether a game has gone on while this letter was held, so that its moves were meant for another
        turn."""
        return self._held is not None and self.unit.events.moved_since(game, self._held)

    def confided_since(self, game: int, seat: Seat) -> bool:
        """Return whether a seat gave orders of which nobody else hears by letters that came in later than this one,
        which was held."""
        held = self.unit.letters.get(self._held, decided=True) if self._held is not None else None
        if held is None:
            return False
        events = map(_event, self.unit.events.of_game(game))
        given = (each for each in events if isinstance(each, Confided) and each.seat == seat)
        return any(each.received is not None and each.received > held.arrived for each in given)

    def changed(self, game: int) -> bool:
        """Return whether a game, or what is proposed in it, has become another while this letter was held."""
        return self._held is not None and self.unit.events.changed_since(game, self._held)

    def answered(self) -> SentLetter | None:
        """Return the letter of ours to the writer that his answers; None where it names none."""
        answered = next(filter(None, map(self.unit.outbox.get, self._thread)), None)
        return answered if answered is not None and answered.player == self.player.number else None

    def answered_about(self, game: int) -> int:
        """Return the number of our letter about a game that the writer's answers; 0 where it answers none of these."""
        answered = self.answered()
        return (answered.number or 0) if answered is not None and answered.game == game else 0

    def may_answer_another_question(self) -> bool:
        """Return whether a bare `confirm` may answer a question about something else than a game: the letter does not
        say which it answers, and there is one."""
        if self._held is not None or self.about is not None or self.answered() is not None:
            return False
        return self.unit.tags.awaits_confirmation(self.player.number, self.now - ASKED_LATELY)

    def row(self, number: int) -> StoredGame | None:
        """Return a game without its events, locked until the end of the work; None when there is none."""
        if number not in self._rows:
            self._rows[number] = self.unit.games.get(number)
        return self._rows[number]

    def game(self, number: int) -> Game | None:
        """Return a game as it stands now, locked until the end of the work; None when there is none."""
        if number in self.games:
            return self.games[number]
        row = self.row(number)
        if row is None:
            return None
        game = self._known.get(number)
        if game is not None and game.last_event > row.last_event:
            game = None
        if game is None or game.last_event < row.last_event:
            stored = self.unit.events.of_game(number, after=game.last_event if game else 0)
            game = fold_game(number, map(_event, stored), self.service.rulebooks.__getitem__, game)
        if game is not None:
            self.games[number] = game
            self.titles[number] = row.title
        return game

    def readable(self, number: int) -> Game | None:
        """Return a game as `game` does, and None for one that cannot be read: for looking among several, since a
        letter about another must not suffer for it."""
        try:
            game = self.game(number)
            if game is not None and game.timed and game.status == "playing":
                self.clocks.terms(game)  # without which nobody's time can be told
        except GameUnreadable:
            return None
        return game

    def forget(self, number: int) -> None:
        """See a game anew, as it is kept: what was done in it is taken back, since it has failed."""
        self.games.pop(number, None)
        self.titles.pop(number, None)
        self.parts.pop(number, None)
        self.clocks.forget(number)
        self.post.forget_standpoints()

    def part(self, game: int | None) -> GameOutcome:
        """Return what was brought about in a game, or in none."""
        return self.parts.setdefault(game, GameOutcome())

    def happen(self, game: Game, *events: Event) -> Game:
        """Let events come to pass; return the game after them."""
        if not self.part(game.number).events:
            self.part(game.number).offer_before = game.offer
        for event in events:
            if isinstance(event, Ruled) and game.newcomers:
                self.part(game.number).newcomers = game.newcomers
            if isinstance(event, Ruled):
                self.part(game.number).sealed_by = event.seat if _is_sealed(game, event) else None
            before = self.part(game.number).events
            if isinstance(event, Confided) and not (event.received or event.again):
                event = replace(event, received=self.received)  # noqa: PLW2901
            if game.timed:
                moves = any(map(_is_move, (*before, event)))
                event = dated(event, self.now, self.received if moves else self.heard)  # noqa: PLW2901
            game = game.after(event)
            before.append(event)
        self.games[game.number] = game
        return game

    def took(self, command: Command, game: int | None = None, note: Note | None = None) -> None:
        """Note that a command was taken, and what is to be said of it."""
        part = self.part(game)
        self.understood(part, command)
        if note is not None:
            part.notes.append(note)

    def understood(self, part: GameOutcome, command: Command) -> None:
        """Note a command as one that was taken, and where it stands in the letter."""
        part.understood.append(written := command.write())
        self.stood_at.setdefault(written, command.line.number)

    def fault(self, fault: Fault, game: int | None = None) -> None:
        """Note a fault for the answer."""
        self.part(game).faults.append(fault)

    def wrong(
        self,
        command: Command,
        code: str,
        message: str,
        *,
        about: int | None = None,
        suggestion: str = "",
        **facts: str | Phrase,
    ) -> None:
        """Note what is wrong with a command. message: a sentence with {facts}; see Fault. about: a game."""
        self.fault(
            Fault(
                code,
                message,
                facts,
                excerpt=command.line.text,
                place=Place(command.line.number, 1),
                suggestion=suggestion,
            ),
            about,
        )

    def change_player(self, **changes: str) -> None:
        """Change what is kept of the writer."""
        self.unit.players.change(self.player.number, **changes)
        self.post.forget(self.player.number)
        self.player = self.post.player(self.player.number)


def _is_move(event: Event) -> bool:
    return isinstance(event, Ruled) or (isinstance(event, Confided) and event.moved)


def _is_sealed(game: Game, ruled: Ruled) -> bool:
    """Return whether what a turn brings is told with the next one; of a set-up there is nothing to be told."""
    question = game.due.get(ruled.seat)
    return game.rulebook.sealed is not None and question is not None and question.kind != "set-up"


def _event(stored: StoredEvent) -> Event:
    return read_event(stored.kind, stored.body)
