"""Games of spies played at random through their notation, with all variants, tokens, instructions and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from hypothesis import strategies as st

from referee.rulebooks.confusion.compass import heading
from referee.rulebooks.confusion.position import Deal
from referee.rulebooks.confusion.possible import mover, possible_moves
from referee.rulebooks.rulebook import Happening, OrderLine, Seat
from referee.rulebooks.spies.adjudicate import adjudicate, unsealed
from referee.rulebooks.spies.edition import SEATS, TOKENS, Variants
from referee.rulebooks.spies.fold import COURSE
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.orders import Double, Move
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import Position
from referee.rulebooks.spies.questions import due
from referee.rulebooks.spies.reading import read_orders
from tests.rulebooks.spies.tables import after, folded, opened, view_of

ANSWERS = ("allow", "deny", "allow without Z")
INSTRUCTIONS = ("agent always", "agent never", "agent ask", *(f"agent as {each}" for each in range(1, 13)))


@st.composite
def variants(draw: st.DrawFn) -> Variants:
    """Draw what a game is played with, in any combination (CF-10.11)."""
    switches = {
        name: draw(st.booleans())
        for name in ("code_of_honour", "small_world", "late_contact", "variable_setup", "comrade")
    }
    tokens = {seat: draw(st.frozensets(st.sampled_from(TOKENS))) for seat in SEATS}
    return Variants(tokens=tokens, **switches)


def deals_by(random: Random, variants: Variants) -> Mapping[Seat, Deal]:
    """Deal both sides' types."""
    letters = variants.edition.letters
    return {
        seat: dict(zip(letters, random.sample(range(1, len(letters) + 1), len(letters)), strict=True))
        for seat in SEATS
    }


def game_by(random: Random, variants: Variants, turns: int) -> list[Happening]:
    """Play a game at random: whatever the rules let pass of what comes to mind, and then what a question offers."""
    happenings = opened(variants, first=random.choice(SEATS), deals=deals_by(random, variants))
    return going_on(random, happenings, turns)


def going_on(random: Random, happenings: list[Happening], turns: int) -> list[Happening]:
    """Play a game on at random, and return it from the beginning on. What was taken back in it stays so."""
    happenings = list(happenings)
    where = folded(COURSE.standing(happenings))
    for _ in range(turns):
        owing = due(where)
        if not owing:
            break
        seat = random.choice(list(owing))
        for line in (*thoughts(random, where, seat), *owing[seat].forms[:1]):
            if seat not in due(where):
                break
            where, found = ruled(where, seat, line)
            happenings += found
        if random.random() < 0.1 and (found := list(unsealed(where))):
            where = after(where, found)
            happenings += found
        if random.random() < 0.1 and due(where):
            other = random.choice(SEATS)
            where, found = ruled(where, other, random.choice(INSTRUCTIONS))
            happenings += found
    return happenings


def ruled(where: Position, seat: Seat, line: str) -> tuple[Position, list[Happening]]:
    """Give one line of a seat to the rules; what they refuse changes nothing."""
    found: list[Happening] = []
    for order in read_orders(view_of(where, seat), [OrderLine(1, line)]).orders:
        found += adjudicate(where, seat, order)
    return after(where, found), found


def thoughts(random: Random, where: Position, seat: Seat) -> Iterator[str]:
    """Yield lines that a player may write in one letter: often sensible and lucky, sometimes not."""
    view = view_of(where, seat)
    letters = view.board.edition.letters + ("X" if random.random() < 0.05 else "")
    one, other = random.choice(letters), random.choice(letters)
    if random.random() < 0.7:
        yield random.choice(ANSWERS)
    if random.random() < 0.3:
        yield random.choice(INSTRUCTIONS)
    if random.random() < 0.4:
        yield random.choice((f"#{one}", f"#x{one}", "#x?", f"?{one}", f"{one}<>{other}"))
    if random.random() < 0.2:
        yield random.choice(ANSWERS)
    moves = list(possible_moves(outlook(view).acted.board, view.seat)) if view.table.set_up else []
    if not moves:
        return
    if random.random() < 0.3:
        yield write_order(Double(random.choice(moves), random.choice(moves)))
    weights = [_liking(where, seat, move) for move in moves]
    for move in random.choices(moves, weights, k=3):
        yield write_order(move) + ("+" if random.random() < 0.3 and move.letter else "")
        if random.random() < 0.5:
            return


def _liking(where: Position, seat: Seat, move: Move) -> int:
    """Return how gladly a player makes a move, who has a feeling for his types: the briefcase forward, then whatever
    takes something, then forward."""
    way = heading(seat, move.direction)
    forward = way in ("F", "FD")
    liking = 1 + 2 * forward + 20 * (move.with_z and forward) + 10 * move.takes_z + 5 * bool(move.captures)
    piece = mover(where.table.board, seat, move)
    row = where.table.board.table.row(where.deals[seat][piece.letter]) if piece else None
    lucky = row is not None and (row.number == "?" or row.can(way, move.length))
    return liking * (8 if lucky else 1)
