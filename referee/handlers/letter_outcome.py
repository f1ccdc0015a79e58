"""The effects of a letter so far: what to store, and what to report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.commands.command import Command
from referee.common.faults import Fault, Place
from referee.common.i18n import Phrase
from referee.games.decisions import ReadOrder
from referee.games.events import Event
from referee.games.results import Offer
from referee.handlers.letter_content import LetterContent
from referee.mail.message.message import Attachment, Kind
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat


@dataclass(slots=True)
class GameOutcome:
    """The effects of a letter in one game, or in none."""

    understood: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    rescheduled: list[int] = field(default_factory=list)
    """Games in which the writer's deadlines have changed, for their calendar program."""
    shown: bool = False
    """The game's state was asked for."""
    ruled: list[ReadOrder] = field(default_factory=list)
    """The orders of the letter that were ruled on and that others hear of."""
    confided: list[ReadOrder] = field(default_factory=list)
    """Those that nobody else hears of."""
    sealed_by: Seat | None = None
    """The seat whose turn ended last, where its outcome is told with the next turn."""
    whispers: list[tuple[Seat, Note]] = field(default_factory=list)
    """Notes for another seat alone, in what it hears of this letter."""
    overtaken: bool = False
    """Something was refused now that might have been possible when an older letter was the latest."""
    newcomers: tuple[int, ...] = ()
    """Players who began to watch before the orders that were ruled on; the game's players are told with the answers."""
    watchers: tuple[int, ...] | None = None
    """All observers, where that was asked for and observers are allowed."""
    speaks_of: list[int] = field(default_factory=list)
    """Further players whom the answer names."""
    shows: list[int] = field(default_factory=list)
    """Players whose address the answer may show, since its reader invited them by it."""
    offer_before: Offer | None = None
    """The proposal before anything happened in the game."""
    lapsed: Offer | None = None
    """The proposal that has lapsed by a move."""
    kind: Kind | None = None
    """The kind of the answer, where no command determines it."""

    @property
    def speaks(self) -> bool:
        """Return whether there is anything to report."""
        return bool(self.understood or self.faults or self.notes or self.shown)


@dataclass(slots=True)
class LetterOutcome:
    """The effects of a letter, game by game, and further content for its writer and others."""

    by_game: dict[int | None, GameOutcome] = field(default_factory=dict)
    """The effects in each game; under None, those in no game."""
    pages: list[str] = field(default_factory=list)
    listing: list[Mapping[str, Any]] = field(default_factory=list)
    others: list[tuple[int, int, LetterContent]] = field(default_factory=list)
    """Letters to other people that no event implies: game, player, content."""
    copies: dict[tuple[int, int], None] = field(default_factory=dict)
    """Letters to be sent to the writer again, in order: game (0 for none) and number."""
    line_of: dict[str, int] = field(default_factory=dict)
    """The line of the letter with each accepted command, by the command's text."""
    about_no_game: bool = False
    """Its request is about no game, whichever it answers."""
    reply_tag: str = ""
    """The answer's reply tag, if not the game's: it asks for something that only its reader can say."""

    def of(self, game: int | None) -> GameOutcome:
        """Return the effects in a game, or in none."""
        return self.by_game.setdefault(game, GameOutcome())

    def accept(self, command: Command, game: int | None = None, note: Note | None = None) -> None:
        """Record an accepted command, and a note on it."""
        part = self.of(game)
        part.understood.append(written := command.write())
        self.line_of.setdefault(written, command.line.number)
        if note is not None:
            part.notes.append(note)

    def add_fault(self, fault: Fault, game: int | None = None) -> None:
        """Record a fault for the answer."""
        self.of(game).faults.append(fault)

    def reject(
        self,
        command: Command,
        code: str,
        message: str,
        *,
        about: int | None = None,
        suggestion: str = "",
        **facts: str | Phrase,
    ) -> None:
        """Record the fault of a command. message: a sentence with {facts}; see Fault. about: a game."""
        place = Place(command.line.number, 1)
        fault = Fault(code, message, facts, excerpt=command.line.text, place=place, suggestion=suggestion)
        self.add_fault(fault, about)
