"""What a letter's templates show of a view: plain values, no prose.

It adds to Confusion's the turn that waits for its answer, actions before moves, tokens, and what the reader
has told the referee alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from referee.rulebooks.confusion import scene as shared
from referee.rulebooks.confusion.compass import far_rank, square_after
from referee.rulebooks.confusion.edition import Edition
from referee.rulebooks.confusion.happenings import read_attempt, read_ended
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.position import Attempt
from referee.rulebooks.confusion.possible import mover
from referee.rulebooks.confusion.scene import Guide
from referee.rulebooks.confusion.table import MovementTable, Row
from referee.rulebooks.rulebook import Happening, Result, Seat
from referee.rulebooks.spies.answering import DENIED, ON_THE_BOARD
from referee.rulebooks.spies.edition import TOKENS, Variants
from referee.rulebooks.spies.fold import COURSE
from referee.rulebooks.spies.happenings import (
    ATTEMPTED,
    ENDED,
    INSTRUCTED,
    LAPSED,
    PASSED,
    SEALED,
    SET_UP,
    SHOWN,
    UNMASKED,
    read_sealed,
    read_shown,
    read_unmasked,
)
from referee.rulebooks.spies.knowledge import make_knowledge
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.orders import Action, Answer, Eliminate, Reveal, Swap, Unmask
from referee.rulebooks.spies.outlook import Outlook, outlook, outlook_of
from referee.rulebooks.spies.position import Sealed, View
from referee.rulebooks.spies.setting_up import usual
from referee.rulebooks.spies.shown import as_shown, is_ahead, waiting
from referee.rulebooks.spies.suggesting import suggest_on_each

ALLOWED = Answer(allow=True)

What = Literal[
    "attempt",
    "passed",
    "lapsed",
    "unmasked",
    "removed",
    "exposed",
    "revealed",
    "shown",
    "swapped",
    "set-up",
]


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened.

    seat: the one that did it; for `unmasked` the double agent's.
    text: for `lapsed` the attempt, for an action the order.
    letter: the spy that was removed, exposed as the double agent, shown by a token, or one that changed
        places, with other; the player hears `shown` as soon as they ask, both hear `revealed` with the move.
    other: for `unmasked` the spy that then has the briefcase, "" for none.
    attempt: for `attempt` only.
    """

    what: What
    row: int
    seat: Seat
    text: str = ""
    letter: str = ""
    other: str = ""
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class Ordered:
    """The turn that waits for its answer.

    mine: the reader's own.
    row: of the record.
    tries: as they were ordered, none for a passed turn.
    known: whether the reader can tell the outcome.
    brings: the outcome, if known.
    ends: how the game ends by it, if it does.
    asked: the double agent's attempt that the reader has to answer, "" for none.
    answer: what they or their instruction have answered; None for nothing yet.
    wishes: allowing what is asked would unmask the double agent.
    taker: the reader's spy that would then have the briefcase.
    then: a move that could follow whether what is asked is allowed or refused, while nobody has answered.
    """

    mine: bool
    seat: Seat
    row: int
    tries: tuple[str, ...]
    known: bool = False
    brings: tuple[Told, ...] = ()
    ends: Result | None = None
    asked: str = ""
    letter: str = ""
    answer: str | None = None
    said: bool = False
    wishes: bool = False
    taker: str = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that a seat did in its turn, for the list of all turns.

    text: as it is ordered.
    answer: None where it has none, or not yet.
    waits: not answered yet.
    """

    text: str
    answer: bool | None = None
    waits: bool = False
    lapsed: bool = False


@dataclass(frozen=True, slots=True)
class Turns:
    """A row of the record: what each seat did in it. south: the seat opposite White's."""

    row: int
    south: tuple[Entry, ...]
    white: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Instruction:
    """A standing instruction for the opponent's double agent. kind: the type for "as"."""

    how: str
    kind: Row | None
    text: str


@dataclass(frozen=True, slots=True)
class Mine:
    """What the reader has told the referee alone.

    action: what precedes their move, as it is ordered.
    before: the same in its parts.
    placed: they are set up, and the other side is not.
    """

    instruction: Instruction
    action: str = ""
    before: Told | None = None
    placed: bool = False


@dataclass(frozen=True, slots=True)
class Scene(shared.Scene):
    """A view as a letter shows it to its reader: see Confusion's.

    The board is the one that they will find (`shown`).

    told: all that happened and that no earlier letter reported, oldest first; news has the attempts among it.
    ordered: the turn that waits.
    newly_ordered: no earlier letter reported that turn.
    just_sealed: newly_ordered, and it is the reader's own.
    instructed: the reader has given an instruction that no earlier letter reported.
    ahead: only the reader knows this board yet.
    setting_up: the spies are being arranged.
    turns: all so far.
    tokens: those left, by seat.
    removed: spies that were removed from the game, by owner.
    unmasked: double agents that both know, by owner.
    own: what the reader has told the referee alone; None for an observer.
    ranks: while the spies are being arranged, an example of a drawn set-up, the second rank first.
    void: the game is over by what is on the board, so that the order that revealed this is void (CF-10.2).
    """

    headline_tells_claim: ClassVar[bool] = True
    """The headline says that the other side's time is up, and what can be done about it."""
    told: tuple[Told, ...] = ()
    ordered: Ordered | None = None
    newly_ordered: bool = False
    just_sealed: bool = False
    instructed: bool = False
    ahead: bool = False
    setting_up: bool = False
    turns: tuple[Turns, ...] = ()
    variants: Variants = field(default_factory=Variants)
    tokens: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    removed: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    unmasked: Mapping[Seat, str] = field(default_factory=dict)
    own: Mine | None = None
    ranks: tuple[str, ...] = ()
    void: bool = False

    @property
    def second_line(self) -> str:
        """A move that may follow the answer that the reader owes, "" where none is due."""
        return self.ordered.then if self.ordered is not None else ""

    @property
    def decided(self) -> bool:
        """Whether the waiting order ends the game, whatever the reader orders (CF-10.2)."""
        return self.result is None and self.ordered is not None and self.ordered.ends is not None

    @property
    def further_words(self) -> tuple[str, ...]:
        """This edition's command words that help in a turn, besides those of every game."""
        if self.setting_up:
            return ()
        return ("preview", "agent") if self.agent else ("preview",)

    @property
    def open_end(self) -> bool:
        """Whether the drawing shows where an order that waits for its answer would lead."""
        return any("?" in line for line in self.drawing)

    @property
    def asks(self) -> bool:
        """Whether the reader has to answer the double agent before closing the turn."""
        return self.ordered is not None and bool(self.ordered.asked) and self.ordered.answer is None

    @property
    def agent(self) -> bool:
        """Whether the opponent's double agent may still attempt something."""
        return self.variants.double_agent and self.opponent not in self.unmasked

    def history(
        self, words: Mapping[str, str], left_out: str = "", stop: str = ""
    ) -> list[tuple[str, str, str]]:
        """Return all turns so far as lines of cells: see Confusion's. A turn has a line for each thing done in it.

        words: the reader's for "yes", "no", "sealed" and "lapsed".
        """
        found: list[tuple[str, str, str]] = []
        for turns in self.turns:
            south = [_cell(entry, words) for entry in turns.south] or [left_out]
            white = [_cell(entry, words) for entry in turns.white]
            for place in range(max(len(south), len(white))):
                left, right = (side[place] if place < len(side) else "" for side in (south, white))
                found.append((f"{turns.row}{stop}" if place == 0 else "", left, right))
        return found


def _cell(entry: Entry, words: Mapping[str, str]) -> str:
    if entry.waits:
        return f"{entry.text} {words['sealed']}"
    if entry.lapsed:
        return f"{entry.text} {words['lapsed']}"
    if entry.answer is None:
        return entry.text
    return f"{entry.text} {words['yes' if entry.answer else 'no']}"


def make_scene(view: View, heard: Sequence[Happening], told: int) -> Scene:
    """Return what a letter shows. heard: all the seat heard, of which earlier letters reported the first `told`."""
    shown = as_shown(view)
    table, board = shown.table, shown.board
    edition, other = board.edition, board.edition.other(view.side)
    standing = COURSE.standing(heard)
    news = standing[shared.news_from(COURSE, heard, told) :]
    waits = tuple(end for _, end in waiting(view))
    return Scene(
        edition=edition,
        seat=view.seat,
        opponent=other,
        first=board.first,
        to_move=None if view.board.result or not table.set_up else board.to_move,
        turn=board.row,
        news=tuple(read_attempt(each) for each in news if each.code in (ATTEMPTED, PASSED)),
        rows=(),
        mine=shared.lines_of(board, view.side, _own_types(view)),
        theirs=shared.lines_of(board, other, {**_unmasked(view, other), **view.opponent_types}),
        captured=board.captured,
        z=board.z,
        holder=board.holder(),
        threat=board.threat,
        result=view.board.result,
        revealed=view.own_types is not None,
        drawing=shared.drawing(shown, waits),
        up=shared.up(view),
        guide=guide_of(board.table, table.variants),
        knowledge=make_knowledge(view, heard, told),
        told=tuple(each for happening in news for each in tell(happening) if not _known(view, each)),
        ordered=_ordered(view),
        newly_ordered=any(each.code == SEALED for each in news),
        just_sealed=any(each.code == SEALED and read_sealed(each).seat == view.seat for each in news),
        instructed=any(each.code == INSTRUCTED for each in news),
        ahead=is_ahead(view),
        setting_up=not table.set_up,
        turns=_turns(standing, view.table.sealed, edition.south),
        variants=table.variants,
        tokens={seat: tuple(each for each in TOKENS if each in table.tokens[seat]) for seat in edition.seats},
        removed=table.removed,
        unmasked=table.unmasked,
        own=None if view.observed else _mine(view),
        ranks=() if table.set_up else drawn_ranks(edition),
        void=view.board.result is not None and view.board.result.how in ON_THE_BOARD,
    )


def make_guide(table: MovementTable) -> Guide:
    """Return what the help page shows of a movement table."""
    return guide_of(table, Variants())


def guide_of(table: MovementTable, variants: Variants) -> Guide:
    """Return what letters about a game show of its movement table."""
    agent = table.double_agent if variants.double_agent else None
    return replace(shared.make_guide(table), agent=agent, comrade=variants.comrade)


def drawn_ranks(edition: Edition) -> tuple[str, ...]:
    """Return the usual set-up as a player may draw it: the second rank, then the first."""
    stands = {square: letter for letter, square in usual(edition).squares.items()}
    first, last = edition.files
    return tuple(
        " ".join(stands.get((file, rank), ".") for file in range(first, last + 1)) for rank in (2, 1)
    )


def _own_types(view: View) -> Mapping[str, int]:
    """Return the types of a player's own spies that they know because they have seen them."""
    if view.own_types is not None:
        return view.own_types
    return {**view.own.shown, **_unmasked(view, view.side)}


def _unmasked(view: View, owner: Seat) -> Mapping[str, int]:
    """Return the type of a double agent that everybody knows."""
    letter = view.table.unmasked.get(owner)
    return {letter: view.board.table.agent_number} if letter else {}


def _known(view: View, told: Told) -> bool:
    """Return whether the reader was told of something when they ordered it."""
    return told.what == "revealed" and told.seat == view.seat


def tell(happening: Happening) -> Iterable[Told]:
    """Yield a happening's news; nothing for what is obvious, or is shown with the waiting turn."""
    match happening.code:
        case c if c in (ATTEMPTED, PASSED):
            attempt = read_attempt(happening)
            what: What = "attempt" if c == ATTEMPTED else "passed"
            yield Told(what, attempt.row, attempt.seat, attempt.text, attempt.letter, attempt=attempt)
        case c if c == LAPSED:
            facts = happening.facts
            yield Told("lapsed", facts["row"], Seat(facts["seat"]), facts["text"])
        case c if c == UNMASKED:
            seat, letter, taker = read_unmasked(happening)
            yield Told("unmasked", happening.facts["row"], seat, letter=letter, other=taker or "")
        case c if c == SEALED:
            turn = read_sealed(happening)
            if turn.action is not None:
                yield tell_action(turn.row, turn.seat, turn.action)
        case c if c == SHOWN:
            seat, letter, _ = read_shown(happening)
            yield Told("shown", 0, seat, letter=letter)
        case c if c == SET_UP:
            yield Told("set-up", 0, Seat(""))


def tell_action(row: int, seat: Seat, action: Action) -> Told:
    """Return the news of the action before a move."""
    text = write_order(action)
    match action:
        case Eliminate(letter):
            return Told("removed", row, seat, text, letter)
        case Unmask(letter):
            return Told("exposed", row, seat, text, letter)
        case Reveal(letter):
            return Told("revealed", row, seat, text, letter)
        case Swap(one, other):
            return Told("swapped", row, seat, text, one, other)


def _ordered(view: View) -> Ordered | None:
    turn = view.table.sealed
    if turn is None:
        return None
    mine = turn.seat == view.seat
    tries = tuple(map(write_move, turn.tries))
    if view.table.board.to_move != view.seat:
        return Ordered(mine, turn.seat, turn.row, tries)
    now = outlook(view)
    piece = mover(view.board, turn.seat, now.asked) if now.asked is not None else None
    ends = next((read_ended(each) for each in now.brings if each.code == ENDED), None)
    wishes = now.asked is not None and _wishes(view, turn, now.asked)
    return Ordered(
        mine,
        turn.seat,
        turn.row,
        tries,
        known=not now.unanswered,
        brings=tuple(each for happening in now.brings for each in tell(happening)),
        ends=ends,
        asked=write_move(now.asked) if now.asked is not None else "",
        letter=piece.letter if piece is not None else "",
        answer=write_order(now.answer) if now.answer is not None else None,
        said=view.own.answer is not None,
        wishes=wishes,
        taker=_taker(view) if wishes else "",
        then=_after_either(view) if now.unanswered else "",
    )


def _answered(view: View, answer: Answer) -> Outlook:
    """Return what a view's owner would find after a given answer."""
    return outlook_of(view.table, view.seat, view.opponent_types, replace(view.own, answer=answer))


def _after_either(view: View) -> str:
    """Return a move that the player can make whether they allow or refuse what is asked, "" where there is none."""
    boards = [_answered(view, answer).acted for answer in (ALLOWED, DENIED)]
    goes_on = [table for table in boards if table.board.result is None]
    return suggest_on_each(goes_on, view.seat, view.own.action)


def _taker(view: View) -> str:
    """Return the player's spy that has the briefcase after they allow what unmasks the double agent."""
    brings = _answered(view, ALLOWED).brings
    return next((read_unmasked(each)[2] or "" for each in brings if each.code == UNMASKED), "")


def _wishes(view: View, turn: Sealed, asked: Move) -> bool:
    """Return whether the double agent would accept promotion by its attempt, and so be unmasked."""
    piece = mover(view.board, turn.seat, asked)
    if piece is None or not (view.table.variants.comrade and asked.promotes and asked.letter):
        return False
    return square_after(piece.square, asked.direction, asked.length)[1] == far_rank(turn.seat)


def _mine(view: View) -> Mine:
    own, table = view.own, view.board.table
    how = own.instruction
    kind = table.row(how.number) if how.how == "as" else None
    action = own.action
    return Mine(
        instruction=Instruction(how.how, kind, write_order(how)),
        action=write_order(action) if action is not None else "",
        before=tell_action(view.board.row, view.seat, action) if action is not None else None,
        placed=own.placed is not None,
    )


def _turns(standing: Sequence[Happening], waits: Sealed | None, south: Seat) -> tuple[Turns, ...]:
    """Return all turns so far. waits: the one whose attempts are not all answered."""
    found: dict[int, dict[bool, list[Entry]]] = {}

    def enter(row: int, seat: Seat, entry: Entry) -> None:
        found.setdefault(row, {True: [], False: []})[seat == south].append(entry)

    for happening in standing:
        match happening.code:
            case c if c in (ATTEMPTED, PASSED):
                attempt = read_attempt(happening)
                answer = attempt.answer if c == ATTEMPTED else None
                enter(attempt.row, attempt.seat, Entry(attempt.text, answer))
            case c if c == LAPSED:
                facts = happening.facts
                enter(facts["row"], Seat(facts["seat"]), Entry(facts["text"], lapsed=True))
            case c if c == SEALED and happening.facts["action"]:
                facts = happening.facts
                enter(facts["row"], Seat(facts["seat"]), Entry(facts["action"]))
    if waits is not None:
        for move in waits.tries:
            enter(waits.row, waits.seat, Entry(write_move(move), waits=True))
        if not waits.tries:
            enter(waits.row, waits.seat, Entry("pass", waits=True))
    return tuple(Turns(row, tuple(sides[True]), tuple(sides[False])) for row, sides in sorted(found.items()))
