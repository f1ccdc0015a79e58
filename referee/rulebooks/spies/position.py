"""A game of spies as everybody sees it, as it truly is, and as a seat knows it.

`Table` is public: it is folded from what both seats hear. `Position` is the truth: the table, both deals, and
what each seat has confided. `View` is a seat's knowledge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.rulebooks.confusion.compass import Square
from referee.rulebooks.confusion.position import Board, Deal
from referee.rulebooks.rulebook import OBSERVER, Seat
from referee.rulebooks.spies.edition import Variants
from referee.rulebooks.spies.orders import Action, Answer, Instruct, Move

ASK = Instruct("ask")


@dataclass(frozen=True, slots=True)
class Sealed:
    """A turn that was ordered and is not answered yet (CF-10.8).

    row: of the record.
    action: what preceded the move, in effect already.
    tries: one attempt, or two by the token Move 2, with the tails that their writer could know; none for a
        passed turn.
    """

    row: int
    seat: Seat
    action: Action | None
    tries: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """An action that was taken, with its row and seat; `Unmask` with its letter."""

    row: int
    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Table:
    """What both players see.

    board: as far as turns were answered; its `to_move` and `row` are the present ones.
    set_up: both sides are set up, or need not be.
    sealed: the turn that waits for its answer.
    tokens: those that are left.
    taken: all actions so far, oldest first.
    removed: spies removed from the game, by owner, oldest first (CF-10.4, CF-10.5, CF-10.11).
    unmasked: the double agents that both know, by owner.
    cleared: spies whose promotion proved that they are not double agents.
    """

    board: Board
    variants: Variants
    set_up: bool
    sealed: Sealed | None = None
    tokens: Mapping[Seat, frozenset[str]] = field(default_factory=dict)
    taken: tuple[Taken, ...] = ()
    removed: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    unmasked: Mapping[Seat, str] = field(default_factory=dict)
    cleared: Mapping[Seat, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Confided:
    """What a seat has told the referee alone.

    answer, action: of the turn in play.
    placed: its set-up, while the other side's is missing.
    shown: types of its own spies, as shown by the token Reveal 1.
    seen: the letters of all spies that it was ever shown, even in turns that were taken back, since that
        knowledge cannot be undone.
    """

    instruction: Instruct = ASK
    answer: Answer | None = None
    action: Action | None = None
    placed: Mapping[str, Square] | None = None
    shown: Mapping[str, int] = field(default_factory=dict)
    seen: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Position:
    """The whole truth. Never given to reports, templates or logs. Deals represent the double agent by the number 13."""

    table: Table
    deals: Mapping[Seat, Deal] = field(repr=False)
    confided: Mapping[Seat, Confided] = field(repr=False)


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows: the table, the opponent's types, what it has confided itself, its own types once revealed.

    An observer's view (seat OBSERVER) is drawn from Red's side.

    sheets: the game is played with deduction sheets.
    """

    seat: Seat
    table: Table
    opponent_types: Deal = field(repr=False)
    own_types: Deal | None = field(repr=False)
    own: Confided = field(repr=False)
    sheets: bool = True

    @property
    def board(self) -> Board:
        """The board after all answers that were told to everybody."""
        return self.table.board

    @property
    def side(self) -> Seat:
        """The side at the bottom, whose letters are capitals: the seat's own, an observer's the southern."""
        return self.board.edition.side_of(self.seat)

    @property
    def observed(self) -> bool:
        """Whether the viewer has no pieces."""
        return self.seat == OBSERVER
