"""A battle as it truly is, as everybody sees it, and as a seat knows it.

The table lies open; what is hidden is what the players have confided to the referee (drafts, set-ups that are not shown
yet, wishes, plans, the orders behind an effect) and in which order the decks lie, which follows from the game's secret
and is kept nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.drafting import placings
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.orders import Action, Choose, Fight, Fire, Order, Placing
from referee.rulebooks.cards.plans import NO_PLANS, Plans
from referee.rulebooks.cards.preferences import NO_WISHES, Wishes
from referee.rulebooks.rulebook import OBSERVER, Happening, Json, Seat

Stage: TypeAlias = Literal["set-up", "playing"]
Half: TypeAlias = Literal[0, 1, 2]
"""Which half of a turn: before its second letter, or after that; 0 for a turn of one letter."""


@dataclass(frozen=True, slots=True)
class Table:
    """All that lies open.

    While both sides set up, the battle has everybody where the scenario puts him. scenario: its id, title and blurb.
    first: who moved first, once that is settled (CC-1.14). chooser: the side whose choice the turn waits for (E4).
    began: how the battle lay as the turn began that is being played; before: as the one before it began.
    split: whether each turn takes two letters (E3).
    """

    battle: Battle
    scenario: Mapping[str, Json]
    options: Mapping[str, str]
    stage: Stage = "set-up"
    first: Seat | None = None
    chooser: Seat | None = None
    began: Battle | None = field(default=None, repr=False)
    before: Battle | None = field(default=None, repr=False)
    split: bool = False

    @property
    def halfway(self) -> bool:
        """Whether phase 1 of the turn is over, and its second letter is waited for: shots and combats (E3)."""
        return self.split and self.chooser is None and self.battle.phase == 2 and self.battle.result is None


@dataclass(frozen=True, slots=True)
class Own:
    """What a seat has confided.

    draft: orders of its coming turn, or of its set-up, as they were given. stations: its set-up once it was given,
    while the other's is not in; show: what its map shows besides ("ARCS", "ZONES"). asked: the choice that it owes, as
    plain data (see asking).
    """

    draft: tuple[Order, ...] = ()
    wishes: Wishes = NO_WISHES
    plans: Plans = NO_PLANS
    show: tuple[str, ...] = ()
    stations: tuple[Placing, ...] | None = None
    asked: Mapping[str, Json] | None = None

    @property
    def placed(self) -> tuple[Placing, ...]:
        """Its set-up as it was given, or as it is drafted."""
        return self.stations or placings(self.draft)


NOTHING_SAID = Own()


@dataclass(frozen=True, slots=True)
class Running:
    """A turn that is being played and waits for a choice: it is played again from its beginning with each answer.

    Of a turn of two letters it is the half that is being played. before: the battle as it began. wishes: of both sides,
    as they were then. answers: so far. told: so many happenings of it have been told. half: as of Ordered.
    """

    before: Battle
    orders: tuple[Action | Fire | Fight, ...]
    wishes: Mapping[Seat, Wishes]
    answers: tuple[Choose, ...] = ()
    told: int = 0
    half: Half = 0


@dataclass(frozen=True, slots=True)
class Ordered:
    """The orders of a turn, or of a half of one that took two letters, as they are published after the end.

    planned: those of them that went on by a plan. wishes: of both sides, as it began. answers: to what was asked in it,
    oldest first, with whoever gave them.
    """

    turn: int
    side: Seat
    orders: tuple[str, ...]
    planned: tuple[str, ...] = ()
    wishes: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    answers: tuple[tuple[Seat, str], ...] = ()
    half: Half = 0


@dataclass(frozen=True, slots=True)
class Position:
    """The whole truth. Never given to reports, templates or logs.

    dealt: cards that the umpire has set, the top ones first. since: what has happened since each side's last turn.
    log: the orders of all turns, oldest first.
    """

    table: Table
    own: Mapping[Seat, Own] = field(default_factory=lambda: dict.fromkeys(SIDES, NOTHING_SAID), repr=False)
    dealt: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict, repr=False)
    running: Running | None = field(default=None, repr=False)
    since: Mapping[Seat, tuple[Happening, ...]] = field(
        default_factory=lambda: dict.fromkeys(SIDES, ()), repr=False
    )
    log: tuple[Ordered, ...] = field(default=(), repr=False)

    @property
    def battle(self) -> Battle:
        return self.table.battle


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows: the table, and what it has confided itself. log: the orders of all turns, after the end."""

    seat: Seat
    table: Table
    own: Own = field(default=NOTHING_SAID, repr=False)
    log: tuple[Ordered, ...] = ()

    @property
    def battle(self) -> Battle:
        return self.table.battle

    @property
    def observed(self) -> bool:
        """Whether neither army is the viewer's own."""
        return self.seat == OBSERVER

    @property
    def second_half(self) -> bool:
        """Whether the seat owes the second letter of its turn: shots and combats."""
        return self.is_due and self.table.halfway

    @property
    def is_due(self) -> bool:
        """Whether an order of the seat's is waited for."""
        table = self.table
        if table.battle.result is not None or self.observed:
            return False
        if table.stage == "set-up":
            return self.own.stations is None
        return self.seat == (table.chooser or table.battle.active)
