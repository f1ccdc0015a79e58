"""Games that two deals explain: whoever does not see the types cannot tell which of the two was dealt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from referee.common.chance import Chance
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.adjudicate import answer_to
from referee.rulebooks.confusion.compass import WHITE, YELLOW, heading, opponent
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.options import write_deal
from referee.rulebooks.confusion.position import LETTERS, Deal, Position
from referee.rulebooks.confusion.possible import mover, possible_moves
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.rulebook import Happening, Seat

CONFUSION = Confusion()
TABLE = default_table()
NUMBERS = range(1, 13)
NO_CHANCE = Chance(bytes(32))

Turns = list[tuple[Seat, Move]]
Happenings = tuple[Happening, ...]


@dataclass(frozen=True)
class TwoTruths:
    """A game that two deals explain. watched: the seat whose owner reads the letters. turns: (seat, move) in turn."""

    watched: Seat
    deals: tuple[str, str]
    turns: tuple[tuple[Seat, str], ...]
    differing: int
    """Letters whose types differ between the two."""
    ruled: tuple[Happenings, ...] = field(repr=False)
    """What each attempt made happen, with the first deal."""

    @property
    def other(self) -> Seat:
        return opponent(self.watched)


def two_truths(seed: int, most: int, *, both: bool = False) -> TwoTruths:
    """Draw a game of at most so many attempts, and two deals between which the owner of the watched seat cannot decide.

    both: the other side's deal is another, too, so that nobody can decide who sees no types at all.
    """
    random = Random(seed)
    seat = random.choice((WHITE, YELLOW))
    deals = {each: dict(zip(LETTERS, random.sample(NUMBERS, 12), strict=True)) for each in (WHITE, YELLOW)}
    turns = play_at_random(random, deals, most)
    changed = (WHITE, YELLOW) if both else (seat,)
    while (others := other_deals(random, changed, deals, turns)) is None:
        turns.pop()
    two: tuple[Mapping[Seat, Deal], ...] = (deals, {**deals, **others})
    ruled = [rulings(deal, turns) for deal in two]
    heard = [hear(changed, deal, each) for deal, each in zip(two, ruled, strict=True)]
    assert heard[0] == heard[1], "the second deal does not explain the game"
    return TwoTruths(
        seat,
        (written(two[0]), written(two[1])),
        tuple((mover_, write_move(move)) for mover_, move in turns),
        sum(others[each][letter] != deals[each][letter] for each in changed for letter in LETTERS),
        tuple(ruled[0]),
    )


def written(deals: Mapping[Seat, Deal]) -> str:
    return "; ".join(f"{seat.capitalize()}={write_deal(deal)}" for seat, deal in deals.items())


def opening(deals: Mapping[Seat, Deal]) -> Happenings:
    return CONFUSION.rules.opening({"first": "white", "deal": written(deals)}, NO_CHANCE)


def position_after(position: Position | None, happenings: Iterable[Happening]) -> Position:
    for happening in happenings:
        position = CONFUSION.rules.fold(position, happening)
    assert position is not None
    return position


def attempt_at_random(random: Random, position: Position) -> Move:
    """Choose an attempt, one that is allowed a little more often, since otherwise nothing moves."""
    seat = position.board.to_move
    choices = random.choices(list(possible_moves(position.board, seat)), k=3)
    return next((each for each in choices if answer_to(position, seat, each)[0]), choices[0])


def play_at_random(random: Random, deals: Mapping[Seat, Deal], most: int) -> Turns:
    position, turns = position_after(None, opening(deals)), Turns()
    while len(turns) < most and position.board.result is None:
        seat = position.board.to_move
        move = attempt_at_random(random, position)
        turns.append((seat, move))
        position = position_after(position, CONFUSION.rules.adjudicate(position, seat, move, NO_CHANCE))
    return turns


def rulings(deals: Mapping[Seat, Deal], turns: Turns) -> list[Happenings]:
    """Return what each attempt makes happen."""
    position, ruled = position_after(None, opening(deals)), list[Happenings]()
    for seat, move in turns:
        ruled.append(CONFUSION.rules.adjudicate(position, seat, move, NO_CHANCE))
        position = position_after(position, ruled[-1])
    return ruled


def hear(seats: Collection[Seat], deals: Mapping[Seat, Deal], ruled: Iterable[Happenings]) -> list[Any]:
    """Return what these seats hear alike until the deals are shown; of a single seat, all that it hears."""
    happenings = [*opening(deals), *(happening for each in ruled for happening in each)]
    return [each for each in happenings if each.heard_by.issuperset(seats) and each.code != "revealed"]


def other_deals(
    random: Random, seats: Iterable[Seat], deals: Mapping[Seat, Deal], turns: Turns
) -> dict[Seat, Deal] | None:
    """Return another deal of each of these sides with which every answer is the same, None when there is none."""
    found = {seat: another_deal(random, seat, deals, turns) for seat in seats}
    return {seat: deal for seat, deal in found.items() if deal is not None} if all(found.values()) else None


def another_deal(random: Random, seat: Seat, deals: Mapping[Seat, Deal], turns: Turns) -> Deal | None:
    """Return another deal of that side with which every answer is the same, None when there is none."""
    left = {letter: set(NUMBERS) for letter in LETTERS}
    position = position_after(None, opening(deals))
    for mover_, move in turns:
        piece = mover(position.board, mover_, move)
        assert piece is not None
        if mover_ == seat and not piece.promoted:
            told = answer_to(position, seat, move)
            way = heading(seat, move.direction)
            for number in NUMBERS:
                row = TABLE.row(number)
                yes = row.can(way, move.length)
                if yes != told[0] or (told[1] is not None and row.promotes != told[1]):
                    left[piece.letter].discard(number)
        position = position_after(position, CONFUSION.rules.adjudicate(position, mover_, move, NO_CHANCE))
    found = [deal for _ in range(20) for deal in assignments(random, left, {}, deals[seat])]
    return max(found, key=lambda deal: sum(deal[each] != deals[seat][each] for each in LETTERS), default=None)


def assignments(
    random: Random, left: Mapping[str, set[int]], taken: dict[str, int], but: Deal
) -> Iterator[dict[str, int]]:
    """Yield one assignment of what is left, other than `but`, drawn at random; nothing when there is none."""
    open_letters = [letter for letter in LETTERS if letter not in taken]
    if not open_letters:
        if taken != but:
            yield dict(taken)
        return
    letter = min(open_letters, key=lambda each: len(left[each] - set(taken.values())))
    for number in random.sample(NUMBERS, 12):
        if number in left[letter] and number not in taken.values():
            found = next(assignments(random, left, {**taken, letter: number}, but), None)
            if found is not None:
                yield found
                return
