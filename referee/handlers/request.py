"""A request to the service: who makes it, when it counts, and which game its letter names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from referee.commands.command import Command
from referee.games.events import Confided, read_event
from referee.games.player import Player
from referee.mail.message.message import OwnLine
from referee.rulebooks.rulebook import Seat
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import SentLetter

ASKED_LATELY = timedelta(days=7)
"""How long after a question a bare `confirm` may be meant for it."""


@dataclass(slots=True)
class Request:
    """A letter as the handlers see it, or work that no letter asked for."""

    unit: UnitOfWork = field(repr=False)
    now: datetime
    """When it is processed."""
    player: Player
    """The writer, or the player in whose name the work is done."""
    received: datetime
    """When the letter arrived; `now` for work that no letter asked for."""
    heard: datetime
    """When it counts for everything but a move of the writer's.

    For a letter that was held or set aside, this is when it was confirmed or settled.
    """
    lines: Sequence[OwnLine] = ()
    """The letter's own lines."""
    held: int | None = None
    """The letter's number, if it was held or set aside and is heard only now."""
    thread: Sequence[str] = ()
    """Message-IDs of the letters that it answers, nearest first."""
    target_game: int | None = None
    """The game that the letter itself names, by its reply address, its thread or its subject."""
    explicit_game_only: bool = False
    """Commands that name no game apply to none, even where the writer plays a single one.

    The letter was held, and the question about it named no game.
    """
    addressed_to_other: bool = False
    """It was written to the reply address of a question to somebody else."""

    @property
    def whole_letter(self) -> bool:
        """Whether the letter consists of a single line: a command in it is then certainly meant."""
        return len(self.lines) == 1

    def opens(self, command: Command) -> bool:
        """Return whether a command is the letter's first line, which no quotation below it can be."""
        return bool(self.lines) and command.line.number == self.lines[0].number

    def went_on(self, game: int) -> bool:
        """Return whether a game progressed while this letter was held, so that its moves were for another turn."""
        return self.held is not None and self.unit.events.moved_since(game, self.held)

    def changed(self, game: int) -> bool:
        """Return whether a game, or a proposal in it, has changed while this letter was held."""
        return self.held is not None and self.unit.events.changed_since(game, self.held)

    def confided_since(self, game: int, seat: Seat) -> bool:
        """Return whether a seat gave orders that nobody else hears of after this letter, which was held, arrived."""
        held = self.unit.letters.get(self.held, decided=True) if self.held is not None else None
        if held is None:
            return False
        events = (read_event(each.kind, each.body) for each in self.unit.events.of_game(game))
        given = (each for each in events if isinstance(each, Confided) and each.seat == seat)
        return any(each.received is not None and each.received > held.arrived for each in given)

    def answered(self) -> SentLetter | None:
        """Return the letter to the writer that theirs answers; None where it names none."""
        answered = next(filter(None, map(self.unit.outbox.get, self.thread)), None)
        return answered if answered is not None and answered.player == self.player.number else None

    def answered_about(self, game: int) -> int:
        """Return the number of our letter about a game that the writer's answers; 0 for none of these."""
        answered = self.answered()
        return (answered.number or 0) if answered is not None and answered.game == game else 0

    def may_answer_another_question(self) -> bool:
        """Return whether a bare `confirm` may answer a question that is not about a game.

        The letter does not say which question it answers, and there is one.
        """
        if self.held is not None or self.target_game is not None or self.answered() is not None:
            return False
        return self.unit.tags.awaits_confirmation(self.player.number, self.now - ASKED_LATELY)
