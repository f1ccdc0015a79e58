"""Tables, answers and games drawn at random, and the rules once more in their plainest form to hold them against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from hypothesis import strategies as st

from referee.rulebooks.confusion.adjudicate import adjudicate, answer_to
from referee.rulebooks.confusion.compass import DIRECTIONS, HEADINGS, SIZE, heading, square_after
from referee.rulebooks.confusion.deduction import Lesson, evidence
from referee.rulebooks.confusion.edition import CLASSIC
from referee.rulebooks.confusion.fold import fold_position, start_board
from referee.rulebooks.confusion.position import LETTERS, WHITE, YELLOW, Attempt, Deal, Position, far_rank
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.confusion.table import NUMBERS, MovementTable, Row
from referee.rulebooks.rulebook import Happening, Seat

SEATS = (WHITE, YELLOW)
ALL = NUMBERS
"""The twelve types."""


def tried(
    seat: Seat, letter: str, direction: str, length: int, *, yes: bool, promoted: bool | None = None
) -> Attempt:
    """Return an attempt and its answer, from wherever there is room for it."""
    start = next(
        (file, rank)
        for file in range(1, SIZE + 1)
        for rank in range(1, SIZE + 1)
        if CLASSIC.room((file, rank), direction) >= length
        and (promoted is None or square_after((file, rank), direction, length)[1] == far_rank(seat))
    )
    return Attempt(
        row=1,
        seat=seat,
        text=f"{letter}-{direction}{length}",
        answer=yes,
        start=start,
        end=square_after(start, direction, length),
        promoted=promoted,
        letter=letter,
    )


@st.composite
def tables(draw: st.DrawFn, least: int, most: int) -> MovementTable:
    """Draw a movement table: no two types alike, and the promoted row goes everywhere."""
    moves = st.tuples(st.integers(1, 4), st.frozensets(st.sampled_from(HEADINGS), min_size=1))
    drawn = draw(st.lists(moves, min_size=least, max_size=most, unique=True))
    rows = tuple(
        Row(str(number), {"en": f"Type {number}"}, reach, dict.fromkeys(ways, "drawn"), draw(st.booleans()))
        for number, (reach, ways) in enumerate(drawn, 1)
    )
    promoted = Row("+", {"en": "promoted"}, 4, dict.fromkeys(HEADINGS, "drawn"), promotes=False)
    agent = Row("?", {"en": "Double Agent"}, 0, {}, promotes=False)
    return MovementTable("drawn", rows, promoted, agent)


def answered(
    random: Random, table: MovementTable, deal: Sequence[int], seat: Seat, turns: int
) -> list[Attempt]:
    """Return attempts with the answers that a deal brings; the double agent's come as they like."""
    promoted: set[str] = set()
    heard = []
    for _ in range(turns):
        place = random.randrange(len(deal))
        letter = LETTERS[place]
        row = table.promoted if letter in promoted else table.row(deal[place])
        direction, length = random.choice(DIRECTIONS), random.randint(1, 4)
        yes = row.can(heading(seat, direction), length)
        if row.number == "?":
            yes = random.random() < 0.5
        ahead = heading(seat, direction) in ("F", "FD")
        arrives = yes and ahead and letter not in promoted and random.random() < 0.5
        if arrives and row.promotes:
            promoted.add(letter)
        heard.append(
            tried(seat, letter, direction, length, yes=yes, promoted=row.promotes if arrives else None)
        )
    return heard


def agrees(table: MovementTable, deal: Sequence[int], heard: Sequence[Attempt]) -> bool:
    """Return whether a deal would have brought these answers: the rules once more, in the plainest way."""
    promoted: set[str] = set()
    for attempt in heard:
        if attempt.letter in promoted:
            continue
        row = table.row(deal[LETTERS.index(attempt.letter)])
        direction, length = attempt.text.split("-")[1][:-1], int(attempt.text[-1])
        if row.number != "?" and row.can(heading(attempt.seat, direction), length) != attempt.answer:
            return False
        if attempt.promoted is not None and attempt.promoted != row.promotes:
            return False
        if attempt.promoted:
            promoted.add(attempt.letter)
    return True


def played(seed: int, table: MovementTable, turns: int) -> tuple[Position, list[Happening]]:
    """Play a game at random, taking what is allowed a little more often."""
    random = Random(seed)
    deals: Mapping[Seat, Deal] = {
        seat: dict(zip(LETTERS, random.sample(ALL, 12), strict=True)) for seat in SEATS
    }
    where, heard = Position(start_board(WHITE, table), deals), list[Happening]()
    while where.board.result is None and len(where.board.attempts) < turns:
        seat = where.board.to_move
        choices = random.choices(list(possible_moves(where.board, seat)), k=3)
        chosen = next((each for each in choices if answer_to(where, seat, each)[0]), choices[0])
        for happening in adjudicate(where, seat, chosen):
            heard.append(happening)
            where = fold_position(where, happening)
    return where, heard


def lessons(table: MovementTable, attempts: Sequence[Attempt], since: int) -> list[Lesson]:
    """Return what each attempt taught from number `since` (from 0) on, in the order in which they were answered."""
    taught: dict[int, Lesson] = {}
    for seat in SEATS:
        heard = evidence(table, tuple(attempts), seat)
        places = (clue.place for clue in heard.clues if clue.place >= since)
        taught |= dict(zip(places, heard.lessons(since), strict=True))
    return [taught[place] for place in sorted(taught)]
