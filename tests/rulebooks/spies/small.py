"""Small games of spies, and what is heard in them held against the list of all deals.

Few types that move at random, few letters, one of which is the double agent's; all variants, tokens, instructions and
answers. Which deals agree with what was heard is asked of the rules themselves: of each deal it is reckoned whether a
turn could have been answered so, had it been the true one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations, product
from random import Random

from referee.rulebooks.confusion.adjudicate import arrives
from referee.rulebooks.confusion.compass import HEADINGS, heading
from referee.rulebooks.confusion.edition import Edition
from referee.rulebooks.confusion.position import Deal
from referee.rulebooks.confusion.possible import mover, possible_moves, refusal
from referee.rulebooks.confusion.table import MovementTable, Row, default_table
from referee.rulebooks.rulebook import Happening, OrderLine, Seat
from referee.rulebooks.spies.adjudicate import adjudicate, unsealed
from referee.rulebooks.spies.allowed import after_yes
from referee.rulebooks.spies.answering import opened
from referee.rulebooks.spies.edition import LETTERS, RED, SEATS, TOKENS
from referee.rulebooks.spies.happenings import (
    ATTEMPTED,
    ENDED,
    LAPSED,
    PASSED,
    SEALED,
    SHOWN,
    UNMASKED,
    read_sealed,
    read_shown,
)
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.orders import Answer, Double, Move, Reveal, Unmask
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import ASK, Position
from referee.rulebooks.spies.questions import due
from referee.rulebooks.spies.reading import read_orders
from tests.rulebooks.spies.tables import after, position, view_of

_Z = (6, 6)
_SQUARES = [(file, rank) for file in range(3, 10) for rank in range(3, 10) if (file, rank) != _Z]
_OPENING = (ATTEMPTED, PASSED, LAPSED, UNMASKED, ENDED)
_ANSWERS = tuple(Answer(*each) for each in product((True, False), repeat=2))


@dataclass(frozen=True)
class Step:
    """What came to pass at once. before and after: the truth."""

    before: Position
    happenings: tuple[Happening, ...]
    after: Position


def small_table(random: Random, types: int) -> MovementTable:
    """Return a table of few types, no two alike, and the double agent."""
    ways: set[tuple[int, tuple[str, ...]]] = set()
    while len(ways) < types:
        headings = tuple(heading for heading in HEADINGS if random.random() < 0.5)
        if headings:
            ways.add((random.randint(1, 3), headings))
    rows = tuple(
        Row(
            str(number),
            {"en": f"Type {number}"},
            reach,
            dict.fromkeys(headings, "drawn"),
            random.random() < 0.5,
        )
        for number, (reach, headings) in enumerate(sorted(ways), 1)
    )
    known = default_table()
    return MovementTable("small", rows, known.promoted, known.double_agent)


def small_game(random: Random, types: int, *, honour: bool, late: bool, comrade: bool) -> Position:
    """Return the beginning of a game of so many types, its pieces near to each other, to Z and to the far ranks."""
    letters = "".join(sorted(random.sample(LETTERS, types + (not honour))))
    table = small_table(random, types)
    squares = random.sample(_SQUARES, 2 * len(letters))
    white, red = (
        dict(zip(letters, some, strict=True)) for some in (squares[: len(letters)], squares[len(letters) :])
    )
    numbers = range(1, len(letters) + 1)
    deals = {seat: dict(zip(letters, random.sample(numbers, len(letters)), strict=True)) for seat in SEATS}
    tokens = {seat: frozenset(token for token in TOKENS if random.random() < 0.6) for seat in SEATS}
    where = position(
        white=white,
        red=red,
        z=random.choice((_Z, *squares)),
        to_move=random.choice(SEATS),
        deals=deals,
        table=table,
        tokens=tokens,
        code_of_honour=honour,
        late_contact=late,
        comrade=comrade,
    )
    edition = Edition(RED, letters, {}, double_agent=not honour)
    return replace(where, table=replace(where.table, board=replace(where.table.board, edition=edition)))


def drawn_game(seed: int, kinds: int) -> tuple[Random, Position]:
    """Return a small game; its variants go round with the seeds, one in three without a double agent."""
    random = Random(seed)
    comrade, late = bool(seed & 1), bool(seed & 2)
    return random, small_game(random, kinds, honour=seed % 3 == 2, late=late, comrade=comrade)


def steps(random: Random, where: Position, turns: int) -> Iterator[Step]:
    """Play at random, and yield what comes to pass."""
    for _ in range(turns):
        owing = due(where)
        if not owing:
            return
        (seat,) = owing
        for line in (*_lines(random, where, seat), *owing[seat].forms[:1]):
            if seat not in due(where):
                break
            for order in read_orders(view_of(where, seat), [OrderLine(1, line)]).orders:
                step = _step(where, adjudicate(where, seat, order))
                where = step.after
                yield step
        if random.random() < 0.1 and (found := unsealed(where)):
            step = _step(where, found)
            where = step.after
            yield step


def _lines(random: Random, where: Position, seat: Seat) -> Iterator[str]:
    """Yield what a player writes: answers and instructions for a double agent, what goes before a move, and a move."""
    if random.random() < 0.3:
        yield random.choice(("agent always", "agent never", "agent ask", "agent as 1", "agent as 2"))
    yield random.choice(("allow", "allow", "deny", "allow without Z"))
    view = view_of(where, seat)
    one, other = random.sample(view.board.edition.letters, 2)
    if random.random() < 0.4:
        yield random.choice((f"?{one}", f"?{one}", f"{one}<>{other}", f"#{one}", "#x?"))
    board = outlook(view).acted.board
    moves = list(possible_moves(board, seat))
    if not moves:
        return
    likings = [_liking(where, seat, move) for move in moves]
    first, *others = random.choices(moves, likings, k=3)
    seconds = [each for each in moves if each.letter not in ("", first.letter)]
    if seconds and random.random() < 0.4:
        # Rather one that the first makes impossible, so that it lapses.
        then = after_yes(board, seat, first)
        lapsing = [each for each in seconds if refusal(then, seat, each) is not None]
        yield write_order(Double(first, random.choice(lapsing or seconds)))
    for move in (first, *others):
        wishes = view.table.variants.comrade and arrives(board, seat, move) and random.random() < 0.8
        yield write_order(replace(move, promotes=wishes))


def _liking(where: Position, seat: Seat, move: Move) -> int:
    """Return how gladly a player makes a move, who has a feeling for his types: forward, with Z, to the far rank."""
    board = where.table.board
    way = heading(seat, move.direction)
    piece = mover(board, seat, move)
    number = where.deals[seat][piece.letter] if piece is not None else board.table.agent_number
    lucky = number == board.table.agent_number or board.table.row(number).can(way, move.length)
    liking = 1 + 2 * (way in ("F", "FD")) + 6 * (move.with_z or move.takes_z) + 6 * arrives(board, seat, move)
    return liking * (5 if lucky else 1)


def _step(where: Position, happenings: tuple[Happening, ...]) -> Step:
    return Step(where, happenings, after(where, happenings))


def every_deal(where: Position) -> list[Deal]:
    """Return all deals of a side."""
    letters = where.table.board.edition.letters
    numbers = range(1, len(letters) + 1)
    return [dict(zip(letters, each, strict=True)) for each in permutations(numbers)]


def could_be(step: Step, seat: Seat, deal: Mapping[str, int], *, to_owner: bool) -> bool:
    """Return whether what came to pass could have, were this a side's deal, for all its owner heard or, if not
    to_owner, for all his opponent knows that he has heard."""
    agent = step.before.table.board.table.agent_number
    for happening in step.happenings:
        if happening.code == SHOWN and to_owner:
            whose, letter, number = read_shown(happening)
            if whose == seat and deal[letter] != number:
                return False
        if happening.code == SEALED:
            turn = read_sealed(happening)
            match turn.action:
                case Unmask(letter) if turn.seat != seat and deal[letter] != agent:
                    return False
                case Reveal(letter) if turn.seat == seat and deal[letter] != step.before.deals[seat][letter]:
                    return False
    waited = step.before.table.sealed
    heard = tuple(each for each in step.happenings if each.code in _OPENING)
    if waited is None or waited.seat != seat or not heard:
        return True
    return any(opened(step.before.table, deal, answer, ASK) == heard for answer in _ANSWERS)
