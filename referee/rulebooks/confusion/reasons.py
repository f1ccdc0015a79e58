"""Explains why a letter is what it is: the few answers that rule out everything else (`why H`; CF-7.1, CF-7.2).

A letter loses types in two ways: by its own answers, and because no two letters have the same type. The
second has a short proof for every type lost: either some other letters, as many as their types, can only be
these types, so that no other letter is one of them; or some letters including this one, as many as some
types, are the only ones that can be these types, so that none of them is anything else. Both need only each
letter's own answers.

Like the sheets, an explanation is a function of the attempts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.confusion.assignments import single_bits
from referee.rulebooks.confusion.compass import YELLOW
from referee.rulebooks.confusion.deduction import (
    Clue,
    Evidence,
    Heard,
    Sheet,
    contradiction,
    evidence,
    numbers_of,
)
from referee.rulebooks.confusion.knowledge import Types
from referee.rulebooks.confusion.notation import nearest_letter, plain
from referee.rulebooks.confusion.options import SEAT_WORDS
from referee.rulebooks.confusion.position import Attempt, Seen
from referee.rulebooks.confusion.table import DOUBLE_AGENT, MovementTable, Row
from referee.rulebooks.rulebook import Seat


@dataclass(frozen=True, slots=True)
class Ground:
    """One of the letter's own answers. ruled_out: the types that no earlier ground rules out."""

    heard: Heard
    ruled_out: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Witness:
    """Another letter, with those of its answers that are needed."""

    letter: str
    heard: tuple[Heard, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """A reason that considers several letters together, as many as types.

    way: "taken": other letters can only be these types, so the letter is none of them; they are the
        witnesses. "only": these letters, this one among them, are the only ones that can be these types, so
        it is nothing else; all other letters are the witnesses.
    ruled_out: the types that the letter cannot be for this reason and for no earlier one.
    """

    way: Literal["taken", "only"]
    letters: tuple[str, ...]
    types: tuple[Row, ...]
    witnesses: tuple[Witness, ...]
    ruled_out: tuple[Row, ...]

    @property
    def answers(self) -> int:
        """How many answers the proof needs."""
        return sum(len(witness.heard) for witness in self.witnesses)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a letter is what it is. Exactly one ground or shared reason rules out each type that it cannot be.

    mine: it is the asker's own piece.
    ruled_out: what all grounds together rule out.
    left, shares: the types that it can still be, and the number of assignments for each.
    answers_as_promoted: it was promoted and has answered since, which says nothing (CF-7.4).
    revealed: its type, once the game is over and all types are shown.
    contradicts: the two grounds that allowed and refused the letter the same way, where they prove by
        themselves that it is the double agent (CF-10.3).
    """

    seat: Seat
    mine: bool
    letter: str
    grounds: tuple[Ground, ...]
    ruled_out: tuple[Row, ...]
    shared: tuple[Shared, ...]
    left: tuple[Row, ...]
    shares: tuple[int, ...]
    assignments: int
    answers_as_promoted: bool = False
    revealed: Row | None = None
    contradicts: tuple[Attempt, Attempt] | None = None

    @property
    def agent(self) -> Row | None:
        """The double agent, if the letter can still be it; it is the last of the types that are left."""
        return self.left[-1] if self.left and self.left[-1].number == DOUBLE_AGENT else None

    @property
    def certain(self) -> bool:
        """Return whether the type is known."""
        return len(self.left) == 1

    @property
    def untouched(self) -> bool:
        """Return whether it can still be anything."""
        return not (self.grounds or self.shared)

    @property
    def even(self) -> bool:
        """Return whether all types that are left are equally likely."""
        return len(set(self.shares)) == 1


def explain(view: Seen, subject: str) -> Explanation | Fault:
    """Explain what can be known of the letter that was asked about: `H`, or `white H` for that side's.

    In a game without deduction sheets everybody has the same answer, whatever they ask about. Uses the
    attempts alone.
    """
    board = view.board
    return explain_by(view, subject, lambda seat: evidence(board.table, board.attempts, seat))


def explain_by(view: Seen, subject: str, heard: Callable[[Seat], Evidence]) -> Explanation | Fault:
    """Explain a letter from what was heard of its side."""
    if not view.sheets:
        return Fault(
            "no-sheets",
            "this game is played without deduction sheets: what follows from the answers is for its players to find",
        )
    asked = _read_subject(view, subject)
    if isinstance(asked, Fault):
        return asked
    seat, letter = asked
    board = view.board
    said = heard(seat)
    explained = explain_letter(board.table, said.clues, said.sheet, letter, mine=seat == view.seat)
    own = [attempt for attempt in board.attempts if (attempt.seat, attempt.letter) == (seat, letter)]
    return replace(
        explained,
        answers_as_promoted=any(attempt.promoted for attempt in own[:-1]),
        revealed=_revealed(view, seat, letter),
    )


def _revealed(view: Seen, seat: Seat, letter: str) -> Row | None:
    if view.own_types is None:  # while the asker's own types are hidden, the game goes on
        return None
    types = view.own_types if seat == view.seat else view.opponent_types
    return view.board.table.row(types[letter])


_SIDES = {**SEAT_WORDS, "red": Seat("red"), "rouge": Seat("red")}
_ONE_PIECE = {
    YELLOW: N_("ask about one piece: a letter, with white or yellow before it for one side's"),
    Seat("red"): N_("ask about one piece: a letter, with white or red before it for one side's"),
}


def _read_subject(view: Seen, subject: str) -> tuple[Seat, str] | Fault:
    """Read whose letter is asked about, the asker's own where no side is named."""
    edition = view.board.edition
    *side, letter = plain(subject).text.split() or [""]
    seat = _SIDES.get(side[0].lower()) if side else view.seat
    if len(side) > 1 or seat not in edition.seats:
        return Fault("no-piece", _ONE_PIECE[edition.south], {}, "unreadable")
    before = " ".join(side).lower()
    if letter == "Z":
        return Fault("no-piece", "Z has no type; it goes as the piece that controls it", rule="CF-5.2")
    if letter not in edition.letters or len(letter) != 1:
        near = nearest_letter(letter)
        facts = {"letter": letter, "letters": " ".join(edition.letters)}
        message = N_("there is no piece {letter}; the letters are {letters}")
        meant = f"{before} {near}".strip() if near else ""
        return Fault("no-such-letter", message, facts, "unreadable", suggestion=meant, rule="CF-1.3")
    return seat, letter


def explain_letter(
    table: MovementTable, said: Sequence[Clue], known: Sheet, letter: str, *, mine: bool
) -> Explanation:
    """Explain one letter of a sheet. Some deal must agree with the sheet, as with every sheet of a game.

    said: the clues that the sheet was made from, oldest first.
    """
    kinds = (1 << len(known.own)) - 1
    shares = known.shares[letter]
    ruled_out = kinds & ~known.own[letter]
    closed = known.own[letter] & ~sum(1 << number - 1 for number in shares)
    needed = _needed(said, letter, ruled_out)
    pair = contradiction(needed, letter)
    return Explanation(
        seat=known.seat,
        mine=mine,
        letter=letter,
        grounds=_grounds(table, needed, kinds),
        ruled_out=_rows(table, numbers_of(ruled_out)),
        shared=_Proofs(table, said, known.own, letter).of(closed) if closed else (),
        left=_rows(table, shares),
        shares=tuple(shares.values()),
        assignments=known.assignments,
        contradicts=pair,
    )


def _rows(table: MovementTable, numbers: Iterable[int]) -> Types:
    return Types(map(table.row, numbers))


def _needed(said: Sequence[Clue], letter: str, wanted: int) -> list[Clue]:
    """Return a few of a letter's clues that together rule out all of the wanted types; each of them is needed.

    They are those that ruled something out when they were heard, which is how the letters reported it, minus
    those that later ones make redundant. Where two answers contradict each other, these replace several
    others: they leave only the double agent, and nothing shows it better.
    """
    chosen: list[Clue] = []
    left = wanted
    for clue in said:
        if clue.letter == letter and left & ~clue.agrees:
            chosen.append(clue)
            left &= clue.agrees
    chosen = _spared(chosen, wanted)
    pair = contradiction(said, letter) if len(chosen) > 1 else None
    if pair is None:
        return chosen
    return _spared([clue for clue in said if clue.heard is pair[0] or clue.heard is pair[1]], wanted)


def _spared(chosen: Sequence[Clue], wanted: int) -> list[Clue]:
    """Return clues without those that others make redundant, the older ones first."""
    left = list(chosen)
    for clue in chosen:
        if not _still_left([each for each in left if each is not clue], wanted):
            left.remove(clue)
    return left


def _still_left(said: Iterable[Clue], types: int) -> int:
    """Return which of some types these clues leave."""
    for clue in said:
        types &= clue.agrees
    return types


def _grounds(table: MovementTable, needed: Sequence[Clue], kinds: int) -> tuple[Ground, ...]:
    found = []
    left = kinds
    for clue in needed:
        found.append(Ground(clue.heard, _rows(table, numbers_of(left & ~clue.agrees))))
        left &= clue.agrees
    return tuple(found)


class _Proofs:
    """Proofs that a letter cannot be types that its own answers would allow, from any one full assignment.

    From the holder of such a type we go on to the holders of the types that it could be, and so on until no
    letter is added. The letter itself is never reached: otherwise all letters along that path could exchange
    their types in a ring, and it could have the type after all. The letters reached are therefore as many as
    the types that they can be. Starting from the letter's own type and going on to every letter that could be
    a reached type gives the other proof, which never reaches the closed types.
    """

    def __init__(
        self, table: MovementTable, said: Sequence[Clue], own: Mapping[str, int], letter: str
    ) -> None:
        self._table = table
        self._said = said
        self._own = own
        self._letter = letter
        self._kinds = (1 << len(own)) - 1
        self._holder = _one_assignment(own)

    def of(self, closed: int) -> tuple[Shared, ...]:
        """Return the reasons for all closed types: of the two ways, the one with fewer letters."""
        taken, only = self._taken(closed), self._only(closed)
        return (only,) if len(only.letters) < sum(len(reason.letters) for reason in taken) else taken

    def _taken(self, closed: int) -> tuple[Shared, ...]:
        sets: list[set[str]] = []
        for kind in single_bits(closed):
            found = self._confined(self._holder[kind])
            for other in [other for other in sets if other & found]:
                # What two sets share is confined too; merged into one, it is stated only once.
                sets.remove(other)
                found |= other
            sets.append(found)
        return tuple(
            self._taken_by(letters, closed)
            for letters in sorted(sets, key=lambda each: (len(each), min(each)))
        )

    def _confined(self, holder: str) -> set[str]:
        """Return the smallest set of letters around one whose own answers leave just as many types."""
        letters, waiting = {holder}, [holder]
        while waiting:
            for kind in single_bits(self._own[waiting.pop()]):
                if self._holder[kind] not in letters:
                    letters.add(self._holder[kind])
                    waiting.append(self._holder[kind])
        return letters

    def _taken_by(self, letters: set[str], closed: int) -> Shared:
        types = 0
        for letter in letters:
            types |= self._own[letter]
        return self._shared("taken", letters, types, letters, self._kinds & ~types, closed & types)

    def _only(self, closed: int) -> Shared:
        held = {letter: kind for kind, letter in self._holder.items()}
        types, grown = held[self._letter], 0
        while types != grown:
            grown = types
            for letter, left in self._own.items():
                if left & grown:
                    types |= held[letter]
        letters = {letter for letter, kind in held.items() if kind & types}
        return self._shared("only", letters, types, set(self._own) - letters, types, closed)

    def _shared(
        self,
        way: Literal["taken", "only"],
        letters: set[str],
        types: int,
        witnesses: set[str],
        denied: int,
        ruled_out: int,
    ) -> Shared:
        """Return a reason. denied: the types that the witnesses' answers must rule out."""
        in_order = [letter for letter in self._own if letter in witnesses]
        return Shared(
            way=way,
            letters=tuple(letter for letter in self._own if letter in letters),
            types=_rows(self._table, numbers_of(types)),
            witnesses=tuple(
                Witness(each, tuple(clue.heard for clue in _needed(self._said, each, denied)))
                for each in in_order
            ),
            ruled_out=_rows(self._table, numbers_of(ruled_out)),
        )


def _one_assignment(own: Mapping[str, int]) -> dict[int, str]:
    """Return any one full assignment: each type, as a bit, with the letter that has it. There must be one."""
    holder: dict[int, str] = {}

    def place(letter: str, tried: set[int]) -> bool:
        for kind in single_bits(own[letter]):
            if kind not in tried:
                tried.add(kind)
                if kind not in holder or place(holder[kind], tried):
                    holder[kind] = letter
                    return True
        return False

    for letter in own:
        place(letter, set())
    return holder
