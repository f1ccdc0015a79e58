"""What a rulebook is: a game's rules as pure functions, behind one protocol.

A rulebook has no clock, does no I/O and rolls no dice of its own; the same happenings give the same
game for ever. Everything that comes to pass is a `Happening`, which names the seats that hear it. The whole
truth is folded from all happenings, a seat's view from those that it heard and from nothing else:
what a seat was not told is not in its view, so it cannot leak from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NewType, Protocol

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.common.i18n import SOURCE

Seat = NewType("Seat", str)
"""A place at the table: "white", "yellow"."""

Json = Any
"""Plain data: dict, list, str, int, bool, None."""

UMPIRE = Seat("umpire")
"""Not a player: who hears everything."""

OBSERVER = Seat("observer")
"""Not a player: who watches, and hears what every seat hears and nothing else."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that came to pass, in the past tense, and who hears of it.

    code: what kind ("attempted"). heard_by: seats, never the umpire, who hears all. facts: plain data.
    rule: the id of the statement that ruled.
    """

    code: str
    heard_by: frozenset[Seat]
    facts: Mapping[str, Json] = field(repr=False)
    rule: str = ""


def other_seat(seats: Iterable[Seat], seat: Seat) -> Seat:
    """Return the seat opposite one of two."""
    (other,) = (each for each in seats if each != seat)
    return other


def heard_by_all(happenings: Iterable[Happening], seats: Iterable[Seat]) -> tuple[Happening, ...]:
    """Return what an observer hears: what each of the seats hears, in the same order."""
    everybody = frozenset(seats)
    return tuple(each for each in happenings if everybody <= each.heard_by)


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat owes: an order, an answer, a choice, a set-up.

    forms: examples of what would answer it, the first one playable as it stands.
    """

    kind: Literal["order", "answer", "choice", "set-up"]
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line that is meant as an order: its number in the letter (from 1) and its text, normalised."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. winner: a seat, or None for a draw. how: a phrase ("by resignation").

    void: it was given up without a result, so that nobody has won and it is no draw either.
    """

    winner: Seat | None
    how: str
    void: bool = False

    def plain(self) -> dict[str, Json]:
        """Return it as plain data: winner and how; void only where it is."""
        return {"winner": self.winner, "how": self.how} | ({"void": True} if self.void else {})


Position = Any
"""The whole truth of a game: a value of the rulebook's own, which nobody else looks into."""

View = Any
"""What one seat knows: a value of the rulebook's own, added up from what that seat heard."""

Order = Any
"""What a line of the notation says: a value of the rulebook's own."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from order lines: orders (of the rulebook's own type) in order, and faults."""

    orders: tuple[Order, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Orders of a turn that wait to be carried out together. orders: canonical, in the order in which they will be;
    none, where only the turn itself is to be made. closing: the order that carries them out."""

    orders: tuple[str, ...]
    closing: str


@dataclass(frozen=True, slots=True)
class RecordError:
    """The first place where a record and the rules part: the record's row, who moved, what stands there, why."""

    row: int
    seat: Seat | None
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Branch:
    """What a record has of turns that were taken back. row, seat: the turn from which the game went on; attempts: so
    many were taken back. reason: "" where the record gives none."""

    row: int
    seat: Seat
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class Replay:
    """What replaying a record gave. happenings: all up to the first error. rows: the last row reached, 0 for none.

    attempts, rows, result, summary and sheets are of the game as it stands; branches: what was taken back before.
    """

    happenings: tuple[Happening, ...]
    errors: tuple[RecordError, ...]
    attempts: int
    rows: int
    result: Result | None
    summary: Mapping[str, Json]
    """Plain data for `referee replay --json` beyond the above: board, z, what each side can know."""
    sheets: Mapping[Seat, Json]
    """What each side can know, for the rulebook's template `replayed.j2`; empty for games without sheets."""
    branches: tuple[Branch, ...] = ()

    @property
    def consistent(self) -> bool:
        return not self.errors


class Rules(Protocol):
    """How a game is played: its beginning, what an order brings about, its end. All methods are pure."""

    @property
    def left_to_lot(self) -> tuple[str, ...]:
        """Options that decide by lot where they are left out.

        For these `first=lot` says what leaving the option out says, and is no option. Elsewhere it is one like others.
        """
        ...

    def check_options(self, options: Mapping[str, str]) -> Sequence[Fault]:
        """Return what is wrong with a game's options (unknown key, unreadable deal); nothing when all is well."""
        ...

    def tidy_deal(self, deal: str) -> str:
        """Return a deal that check_options accepts in the one way in which a commitment binds it."""
        ...

    def opening(self, options: Mapping[str, str], chance: Chance) -> tuple[Happening, ...]:
        """Return the happenings of the start. The table and options played with are among them.

        options may hold "first" (a seat) and "deal" (as `referee new --deal`); what they leave out is drawn.
        The deal is told only to whom it may concern: it is never among the options that a happening tells.
        Raises ValueError for options that check_options faults.
        """
        ...

    def fold(self, position: Position | None, happening: Happening) -> Position:
        """Return the whole truth after `happening`; None is the truth before the first."""
        ...

    def hear(self, view: View | None, happening: Happening, seat: Seat) -> View:
        """Return what `seat` knows after hearing one more happening; None is its view before the first."""
        ...

    def view(self, heard: Iterable[Happening], seat: Seat) -> View:
        """Add up what `seat` knows from all that it heard, as `hear` does one by one.

        seat: of the rulebook's own, or OBSERVER, who has no side and no sheets; what shows a view shows theirs as well.
        """
        ...

    def due(self, position: Position) -> Mapping[Seat, Question]:
        """Return who owes what; empty when the game is over. Public: depends on nothing hidden."""
        ...

    def read_orders(self, view: View, lines: Sequence[OrderLine]) -> Reading:
        """Read lines and hold them against the view: orders that may be ruled on, and faults. Uses the view alone."""
        ...

    def is_turn(self, order: Order) -> bool:
        """Return whether an order by itself makes a seat's turn.

        Any other is told to nobody else, and leaves the turn open: what it brings is heard by its seat alone.
        """
        ...

    def at_any_time(self, order: Order) -> bool:
        """Return whether an order may be given out of turn, too. No order that makes a turn is one.

        It belongs to no turn then, and stands until another takes its place, also where turns are taken back.
        """
        ...

    def adjudicate(
        self, position: Position, seat: Seat, order: Order, chance: Chance
    ) -> tuple[Happening, ...]:
        """Rule on an order that read_orders let pass: what happens, in order (an ended game's reveal included)."""
        ...

    def conclude(self, position: Position, result: Result) -> tuple[Happening, ...]:
        """Return the happenings of an end that came from off the board (resignation, agreement)."""
        ...

    def result(self, position: Position) -> Result | None:
        """Return how the game ended, None while it is played."""
        ...

    def turn(self, view: View) -> int:
        """Return the number of the turn that is being played, from 1: what players and records call it."""
        ...

    def turn_of(self, heard: Sequence[Happening], seat: Seat, turn: int) -> int | None:
        """Return how many of these happenings the seat had heard when its turn of this number came.

        None for no such turn so far, and for one that was taken back. heard: all that it has heard, oldest first.
        """
        ...

    def standing(self, heard: Sequence[Happening]) -> tuple[Happening, ...]:
        """Return what stands of all that was heard: without what was taken back (see branches)."""
        ...


class Notation(Protocol):
    """How orders are written. No board is needed."""

    def looks_like_order(self, text: str) -> bool:
        """Return whether a normalised line is meant as an order, well written or not."""
        ...

    def read(self, line: OrderLine) -> Order | Fault:
        """Read one line by the notation alone."""
        ...

    def write(self, order: Order) -> str:
        """Write an order canonically."""
        ...

    def guide(self) -> Json:
        """Return what the help page of this game shows besides its own words (a movement table, for instance)."""
        ...


class Presentation(Protocol):
    """How a game is shown: as plain data, for templates, as a picture. All but `truth` use the view alone."""

    def data(self, view: View) -> Mapping[str, Json]:
        """Return the view as plain data: the JSON part's keys that depend on the rulebook."""
        ...

    def truth(self, position: Position) -> Mapping[str, Json]:
        """Return the whole truth as plain data: for the umpire alone."""
        ...

    def scene(self, view: View, heard: Sequence[Happening], told: int) -> Json:
        """Return what the rulebook's templates show of a view: any value of the rulebook's own.

        heard: all that the seat heard, oldest first; the first `told` of them are no news to it.
        """
        ...

    def picture(self, view: View, *, small: bool = False) -> bytes | None:
        """Return the view as a PNG for a letter, None when there is nothing to see. Same view, same bytes.

        small: rather smaller than sooner, for a letter that has more to carry.
        """
        ...

    def picture_svg(self, view: View) -> str | None:
        """Return the view as an SVG document, for keeping and printing."""
        ...

    def explain(self, view: View, subject: str) -> Json | Fault:
        """Return why a thing is known to be what it is (`why H`), for the template `why.j2` of the rulebook.

        subject: what the writer asked about, in the words of the letter.
        """
        ...

    def preview(self, view: View, line: OrderLine) -> Json | Fault:
        """Return what an order would bring as far as a seat can know it, for the template `preview.j2` of the rulebook.

        Whether it is the seat's turn or not. What could not be ruled on is refused with the same fault as a real order.
        Changes nothing.
        """
        ...


class Records(Protocol):
    """How a game is kept as a file, and read again."""

    @property
    def counted(self) -> tuple[str, str]:
        """What a replay counts as `attempts`, in words for operators, one and several: ("attempt", "attempts")."""
        ...

    def recorded(self, happening: Happening) -> Mapping[str, str]:
        """Return what the record says of a happening, for the game's receipts; nothing of what has no place in it.

        Of an attempt: seat, order (canonical, as its cell has it) and answer; of the end: result, as the head has it;
        of a game that was taken back: taken_back, as its line says to where and why.
        Must follow from the record's text alone: `replay` gives happenings of which the same is said.
        """
        ...

    def write(self, happenings: Sequence[Happening], head: Mapping[str, str], seat: Seat | None) -> str:
        """Write the game in the book's notation. head: further `KEY = VALUE` lines (WhiteName, Date, …).

        happenings: those heard by `seat`, or all for the umpire (seat None).
        """
        ...

    def replay(self, text: str, table: str | None = None, row: int | None = None) -> Replay:
        """Replay a record (text of a file) against the rules.

        table: text of another movement table, if any. row: what each side can know is given as of the end of this
        row, not as of the end; 0 is the start.
        """
        ...


class Sheets(Protocol):
    """Pictures of what a view's owner and their opponent can know, where there is something to deduce."""

    def picture(self, view: View, language: str = SOURCE) -> bytes | None:
        """Return the sheets as a PNG, None where this view has none. language: that of the words in it."""
        ...

    def svg(self, view: View) -> str | None:
        """Return the same as an SVG document, for keeping and printing."""
        ...


class OrientedNotation(Protocol):
    """Orders as each player sees them from their own seat, where directions depend on it."""

    def beside(self, shown: Json, seat: Seat) -> Json:
        """Return what templates are given with each order as its reader sees it beside it: "V-NW2 (FL)".

        shown: a scene, an explanation, an order's text. What holds no order comes back as it is.
        """
        ...

    def to_own(self, order: str, seat: Seat) -> str:
        """Return a line with the canonical orders in it as they may be written from this seat.

        "V-FL2", "try V-FL2; if no V-F1".
        """
        ...

    def from_own(self, text: str, seat: Seat) -> str:
        """Return a line in which orders may be written as seen from a seat, with all as the notation reads them.

        What is no such order stays as it is, and everything stays in its column.
        """
        ...

    def slip_as_seen(self, fault: Fault, text: str, seat: Seat) -> Fault:
        """Return what the notation finds wrong with an order, told to somebody who writes it as seen from a seat.

        text: what was read, in which the fault's column counts.
        """
        ...


class Planning(Protocol):
    """Plans for coming turns that depend on what happens: `try V-NW2; if no V-N1`."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a plan can depend on ("yes", "no"), by words of its notation; their sentences are in `plan.j2`."""
        ...

    def heard_conditions(self, heard: Sequence[Happening], view: View) -> frozenset[str]:
        """Return which conditions hold. heard: all that a seat has heard since an order of its own, that included.

        view: what the seat knows now; where answers are sealed, it may know one that nobody has been told.
        """
        ...

    def may_plan(self, view: View) -> Fault | None:
        """Return why its seat can leave no plan for its coming turns, or none can go on; None where it may."""
        ...


class Drafts(Protocol):
    """Orders of a turn that are drafted line by line, for their seat alone, and carried out together."""

    def draft(self, view: View) -> Draft | None:
        """Return what a seat has drafted of its turn; None where nothing is. Uses the view alone."""
        ...

    def keeps_back(self, order: Order) -> bool:
        """Return whether an order asks that its letter's draft wait until its writer has it carried out."""
        ...

    def letter_done(self, heard: Sequence[Happening], seat: Seat) -> int:
        """Return how many of these happenings the seat had heard when its last letter of orders was carried out.

        0 for none so far. What was taken back does not count. heard: all that it has heard, oldest first.
        """
        ...


class Sealed(Protocol):
    """Sealed answers: what a turn brings is told with the other seat's next turn.

    So nobody learns from the hour of an answer whether a player was asked for it.
    """

    def unseal(self, position: Position) -> tuple[Happening, ...]:
        """Return what opening the sealed answers brings when nobody opens them by a turn; nothing where none is sealed.

        A seat that owed a turn owes it still, unless the game ends by it (its reveal included).
        """
        ...


class Rulebook(Protocol):
    """A game behind the one protocol of all: what it is called, its parts, and what it can do besides.

    Every game has the four parts `rules`, `notation`, `presentation` and `records`. What not every game has is None
    in a rulebook that lacks it.
    """

    @property
    def name(self) -> str:
        """The name in commands and settings: "confusion"."""
        ...

    @property
    def title(self) -> str:
        """The name in prose: "Confusion"."""
        ...

    @property
    def version(self) -> str:
        """The version of these rules; kept with every game."""
        ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, in the order in which a game's title names them."""
        ...

    @property
    def rule_ids(self) -> Mapping[str, str]:
        """Which numbered rule of the game stands behind a refusal that all games share, by the refusal's code."""
        ...

    @property
    def rules(self) -> Rules: ...

    @property
    def notation(self) -> Notation: ...

    @property
    def presentation(self) -> Presentation: ...

    @property
    def records(self) -> Records: ...

    @property
    def planning(self) -> Planning | Fault:
        """Plans for coming turns, or why this game has none of that kind."""
        ...

    @property
    def sheets(self) -> Sheets | None: ...

    @property
    def oriented(self) -> OrientedNotation | None: ...

    @property
    def drafts(self) -> Drafts | None: ...

    @property
    def sealed(self) -> Sealed | None: ...
