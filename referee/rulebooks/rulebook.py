"""What a rulebook is: a game's rules as pure functions, behind one protocol.

A rulebook has no clock, no I/O and no random numbers of its own; the same happenings always give the same
game. Everything that happens is a `Happening`, which names the seats that hear it. The whole truth is folded
from all happenings, a seat's view only from those that it heard. A view contains nothing that its seat was
not told, so no secret can leak from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NewType, Protocol

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.common.i18n import SOURCE

Seat = NewType("Seat", str)
"""A side in a game: "white", "yellow"."""

Json = Any
"""Plain data: dict, list, str, int, bool, None."""

UMPIRE = Seat("umpire")
"""Not a player: the umpire hears everything."""

OBSERVER = Seat("observer")
"""Not a player: an observer hears what every seat hears and nothing else."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened, in the past tense, and who hears of it.

    code: its kind ("attempted").
    heard_by: seats, never the umpire, who hears everything.
    facts: plain data.
    rule: the id of the rule that applies.
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
    """What is due from a seat: an order, an answer, a choice, a set-up.

    forms: examples of answers, the first one playable as it stands.
    """

    kind: Literal["order", "answer", "choice", "set-up"]
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line that is meant as an order. number: in the letter, from 1. text: normalised."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    winner: a seat, or None for a draw.
    how: a phrase ("by resignation").
    void: it was abandoned without a result, so that there is neither a winner nor a draw.
    """

    winner: Seat | None
    how: str
    void: bool = False

    def plain(self) -> dict[str, Json]:
        """Return the result as plain data: winner and how; void only where it is true."""
        return {"winner": self.winner, "how": self.how} | ({"void": True} if self.void else {})


Position = Any
"""The whole truth of a game, in a type of the rulebook's own that nobody else looks into."""

View = Any
"""What one seat knows, in a type of the rulebook's own, built from what that seat heard."""

Order = Any
"""The content of an order line, in a type of the rulebook's own."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The orders read from order lines, in a type of the rulebook's own and in order, and the faults."""

    orders: tuple[Order, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Orders of a turn that wait to be carried out together.

    orders: in canonical form, in the order in which they will be carried out; empty where only the turn
        itself is to be made.
    closing: the order that carries them out.
    """

    orders: tuple[str, ...]
    closing: str


@dataclass(frozen=True, slots=True)
class RecordError:
    """The first conflict between a record and the rules: the record's row, the player, the text, the reason."""

    row: int
    seat: Seat | None
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Branch:
    """Turns of a record that were taken back.

    row, seat: the turn from which the game continued.
    attempts: how many were taken back.
    reason: "" where the record gives none.
    """

    row: int
    seat: Seat
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of replaying a record.

    attempts, rows, result, summary and sheets describe the game without what was taken back.

    happenings: all up to the first error.
    rows: the last row reached, 0 for none.
    branches: what was taken back.
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
    """How a game is played: its opening, the effects of orders, its end. All methods are pure."""

    @property
    def left_to_lot(self) -> tuple[str, ...]:
        """Options that are drawn by lots where they are left out.

        For these `first=lot` means the same as leaving the option out, and is no option. For others "lot" is
        an ordinary value.
        """
        ...

    def check_options(self, options: Mapping[str, str]) -> Sequence[Fault]:
        """Return the faults of a game's options (unknown key, unreadable deal); empty when all are valid."""
        ...

    def tidy_deal(self, deal: str) -> str:
        """Return a deal that check_options accepts in canonical form, which commitments bind."""
        ...

    def opening(self, options: Mapping[str, str], chance: Chance) -> tuple[Happening, ...]:
        """Return the happenings of the start, which include the movement table and options of the game.

        The deal is told only to those whom it concerns: it is never among the options in a happening. Raises
        ValueError for options that check_options refuses.

        options: may hold "first" (a seat) and "deal" (as in `referee new --deal`); what they leave out is
            drawn.
        """
        ...

    def fold(self, position: Position | None, happening: Happening) -> Position:
        """Return the whole truth after `happening`; None is the truth before the first."""
        ...

    def hear(self, view: View | None, happening: Happening, seat: Seat) -> View:
        """Return what `seat` knows after hearing one more happening; None is its view before the first."""
        ...

    def view(self, heard: Iterable[Happening], seat: Seat) -> View:
        """Return what `seat` knows from everything it heard, built as `hear` does one by one.

        seat: the rulebook's own, or OBSERVER, which has no side and no sheets; observers' views are displayed
            too.
        """
        ...

    def due(self, position: Position) -> Mapping[Seat, Question]:
        """Return the question that each seat has to answer; empty when the game is over. Depends on nothing hidden."""
        ...

    def read_orders(self, view: View, lines: Sequence[OrderLine]) -> Reading:
        """Return the orders in some lines that can be ruled on, and the faults, judging by the view alone."""
        ...

    def is_turn(self, order: Order) -> bool:
        """Return whether an order by itself makes a seat's turn.

        Any other order leaves the turn open, and its seat alone hears of it and its effects.
        """
        ...

    def at_any_time(self, order: Order) -> bool:
        """Return whether an order may also be given out of turn, which no order that makes a turn may.

        Such an order belongs to no turn: it stands until another replaces it, even when turns are taken back.
        """
        ...

    def adjudicate(
        self, position: Position, seat: Seat, order: Order, chance: Chance
    ) -> tuple[Happening, ...]:
        """Return the happenings of an order that read_orders accepted, including the reveal if the game ends."""
        ...

    def conclude(self, position: Position, result: Result) -> tuple[Happening, ...]:
        """Return the happenings of an end off the board (resignation, agreement)."""
        ...

    def result(self, position: Position) -> Result | None:
        """Return the result, None while the game goes on."""
        ...

    def turn(self, view: View) -> int:
        """Return the number of the present turn, from 1, as players and records count it."""
        ...

    def turn_of(self, heard: Sequence[Happening], seat: Seat, turn: int) -> int | None:
        """Return how many of these happenings the seat had heard when its turn of this number began.

        None for a turn that has not begun, or was taken back.

        heard: all that it has heard, oldest first.
        """
        ...

    def standing(self, heard: Sequence[Happening]) -> tuple[Happening, ...]:
        """Return the happenings that stand, without those that were taken back (see branches)."""
        ...


class Notation(Protocol):
    """How orders are written. No board is needed."""

    def looks_like_order(self, text: str) -> bool:
        """Return whether a normalised line is meant as an order, correct or not."""
        ...

    def read(self, line: OrderLine) -> Order | Fault:
        """Read one line by the notation alone."""
        ...

    def write(self, order: Order) -> str:
        """Return an order in canonical text."""
        ...

    def guide(self) -> Json:
        """Return what the game's help page shows besides its text (a movement table, for instance)."""
        ...


class Presentation(Protocol):
    """How a game is shown: as plain data, for templates, as a picture. All but `truth` use the view alone."""

    def data(self, view: View) -> Mapping[str, Json]:
        """Return the view as plain data: the keys of the JSON part that depend on the rulebook."""
        ...

    def truth(self, position: Position) -> Mapping[str, Json]:
        """Return the whole truth as plain data, for the umpire alone."""
        ...

    def scene(self, view: View, heard: Sequence[Happening], told: int) -> Json:
        """Return what the rulebook's templates show of a view, in a type of the rulebook's own.

        heard: all that the seat heard, oldest first.
        told: how many of them earlier letters reported.
        """
        ...

    def picture(self, view: View, *, small: bool = False) -> bytes | None:
        """Return the view as a PNG for a letter, None when there is nothing to show. Same view, same bytes.

        small: prefer a small file to speed, for a letter that carries other pictures.
        """
        ...

    def picture_svg(self, view: View) -> str | None:
        """Return the view as an SVG document, for keeping and printing."""
        ...

    def explain(self, view: View, subject: str) -> Json | Fault:
        """Return why a fact is known (`why H`), for the rulebook's template `why.j2`.

        subject: what the writer asked about, in the words of the letter.
        """
        ...

    def preview(self, view: View, line: OrderLine) -> Json | Fault:
        """Return what an order would do, as far as the seat can know, for the rulebook's template `preview.j2`.

        It need not be the seat's turn. An order that could not be ruled on has the same fault as a real one.
        Nothing changes.
        """
        ...


class Records(Protocol):
    """How a game is written to a file and read from it."""

    @property
    def counted(self) -> tuple[str, str]:
        """What a replay counts as `attempts`, in words for operators, singular and plural: ("attempt", "attempts")."""
        ...

    def recorded(self, happening: Happening) -> Mapping[str, str]:
        """Return what the record states of a happening, for the game's receipts; empty where it states nothing.

        For an attempt: seat, order (canonical, as in its cell) and answer; for the end: result, as in the
        head; for a take-back: taken_back, as its line states the turn and the reason. It must follow from the
        record's text alone: `replay` returns happenings with the same facts.
        """
        ...

    def write(self, happenings: Sequence[Happening], head: Mapping[str, str], seat: Seat | None) -> str:
        """Return the game in the book's notation.

        head: further `KEY = VALUE` lines (WhiteName, Date, …).
        happenings: those heard by `seat`, or all for the umpire (seat None).
        """
        ...

    def replay(self, text: str, table: str | None = None, row: int | None = None) -> Replay:
        """Replay a record (the text of a file) against the rules.

        table: text of another movement table, if any.
        row: what each side can know is computed as of the end of this row, 0 for the start; None for the end
            of the record.
        """
        ...


class Sheets(Protocol):
    """Pictures of what a view's owner and their opponent can know, in games with something to deduce."""

    def picture(self, view: View, language: str = SOURCE) -> bytes | None:
        """Return the sheets as a PNG, None where this view has none. language: of the words in it."""
        ...

    def svg(self, view: View) -> str | None:
        """Return the sheets as an SVG document, for keeping and printing."""
        ...


class OrientedNotation(Protocol):
    """Orders as players see them from their own seats, in games where directions depend on the seat."""

    def beside(self, shown: Json, seat: Seat) -> Json:
        """Return template values in which each order is followed by the same order as its reader sees it: "V-NW2 (FL)".

        Values without orders are returned unchanged.

        shown: a scene, an explanation, an order's text.
        """
        ...

    def to_own(self, order: str, seat: Seat) -> str:
        """Return a line whose canonical orders are replaced by those that may be written from this seat.

        "V-FL2", "try V-FL2; if no V-F1".
        """
        ...

    def from_own(self, text: str, seat: Seat) -> str:
        """Return a line whose orders as seen from a seat are replaced by those that the notation reads.

        Everything else stays unchanged, and everything stays in its column.
        """
        ...

    def slip_as_seen(self, fault: Fault, text: str, seat: Seat) -> Fault:
        """Return the notation's fault of an order, worded for a writer who writes orders as seen from a seat.

        text: what was read; the fault's column refers to it.
        """
        ...


class Planning(Protocol):
    """Plans for coming turns that depend on what happens: `try V-NW2; if no V-N1`."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """What a plan can depend on ("yes", "no"), as words of its notation; their sentences are in `plan.j2`."""
        ...

    def heard_conditions(self, heard: Sequence[Happening], view: View) -> frozenset[str]:
        """Return the conditions that hold.

        heard: all that a seat has heard since an order of its own, including that order.
        view: what the seat knows now; where answers are sealed, it may know one that nobody has been told.
        """
        ...

    def may_plan(self, view: View) -> Fault | None:
        """Return why the view's seat can leave no plan, or why a plan cannot continue; None where it can."""
        ...


class Drafts(Protocol):
    """Orders of a turn that are drafted line by line, known to their seat alone, and carried out together."""

    def draft(self, view: View) -> Draft | None:
        """Return a seat's draft of its turn; None where there is none. Uses the view alone."""
        ...

    def check_further(
        self, view: View, line: OrderLine, order: Order, earlier: Sequence[Order]
    ) -> Order | Fault:
        """Return one further order of a letter as it may be ruled on, or why it may not. Uses the view alone.

        line: where it was read. earlier: the letter's orders that were ruled on, oldest first; the view has them.
        """
        ...

    def keeps_back(self, order: Order) -> bool:
        """Return whether an order asks that its letter's draft wait until its writer carries it out."""
        ...

    def letter_done(self, heard: Sequence[Happening], seat: Seat) -> int:
        """Return how many of these happenings the seat had heard when its last letter of orders was carried out.

        0 for none so far. What was taken back does not count.

        heard: all that it has heard, oldest first.
        """
        ...


class Sealed(Protocol):
    """Sealed answers: the outcome of a turn is told with the other seat's next turn.

    The time of an answer therefore does not reveal whether a player was asked for it.
    """

    def unseal(self, position: Position) -> tuple[Happening, ...]:
        """Return the happenings of opening the sealed answers without a turn; empty where none is sealed.

        A seat that owed a turn still owes it, unless the game ends (its reveal included).
        """
        ...


class Rulebook(Protocol):
    """A game behind the common protocol: its name, its parts, and its optional features.

    Every game has the four parts `rules`, `notation`, `presentation` and `records`. Optional parts are None
    in a rulebook that lacks them.
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
        """The version of these rules; stored with every game."""
        ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, in the order in which a game's title names them."""
        ...

    @property
    def rule_ids(self) -> Mapping[str, str]:
        """The id of the game's rule behind a refusal that all games share, by the refusal's code."""
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
        """Plans for coming turns, or why this game has none."""
        ...

    @property
    def sheets(self) -> Sheets | None: ...

    @property
    def oriented(self) -> OrientedNotation | None: ...

    @property
    def drafts(self) -> Drafts | None: ...

    @property
    def sealed(self) -> Sealed | None: ...
