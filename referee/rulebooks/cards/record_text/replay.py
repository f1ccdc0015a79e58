"""Replay of a record: it is checked against the rules up to the first row that does not fit.

Each turn is replayed from the effects in its row (`replayed_turn`). Once the battle is over, its secret is published.
Then each turn is also played from its orders, the wishes and answers of both sides, and the cards. Both must agree
(`cell_check`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.common.chance import Chance
from referee.rulebooks.branches import Course, Return, Trail, taken_back
from referee.rulebooks.cards.battle import BOTH
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.fold import COURSE, fold_position
from referee.rulebooks.cards.happenings import revealed
from referee.rulebooks.cards.orders import Plan, Prefer, Wake
from referee.rulebooks.cards.position import Position
from referee.rulebooks.cards.record_text.cell_check import CellCheck
from referee.rulebooks.cards.record_text.head import Beginning, read_beginning
from referee.rulebooks.cards.record_text.layout import BACK, Cell, Mismatch, Score, read_score, write_back
from referee.rulebooks.cards.record_text.record import recorded
from referee.rulebooks.cards.record_text.row_zero import check_row_zero, how_first_was_settled, order_in
from referee.rulebooks.cards.record_text.templates import write_result
from referee.rulebooks.cards.view import table_data
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Branch, Happening, RecordError, Replay, Seat

_POSITIONS: Course[Position] = Course(
    fold_position, lambda position, seat, turn: COURSE.due(position.table, seat, turn), COURSE.before
)
"""The course of a battle with all of its position, and not only what is public."""


def replay(text: str, table: str | None = None, row: int | None = None) -> Replay:
    """Replay a record; see Records.replay. The table is open, so nothing depends on the row.

    table: the text of the scenario's file, where it is none of those given.
    """
    game = _Game()
    errors: tuple[RecordError, ...] = ()
    try:
        game.play(read_score(text), table)
    except Mismatch as parting:
        errors = (parting.error,)
    return game.told(errors)


class _Game:
    """A battle as far as its record was checked; every method raises Mismatch at the first error."""

    def __init__(self) -> None:
        self._happenings: list[Happening] = []
        self._branches: list[Branch] = []
        self._position: Position | None = None
        self._trail = Trail(_POSITIONS)
        self._row = 0
        self._last: dict[Seat, tuple[str, ...]] = {}

    def _take(self, happenings: Iterable[Happening]) -> Position:
        for happening in happenings:
            self._position = fold_position(self._position, happening)
            self._happenings.append(happening)
        return self._here

    @property
    def _here(self) -> Position:
        assert self._position is not None
        return self._position

    def play(self, score: Score, table: str | None) -> None:
        """Play the whole record."""
        parts = [*score.parts]
        count = next(
            (n for n, each in enumerate(parts) if isinstance(each, Return) or each.row != 0), len(parts)
        )
        start = [each for each in parts[:count] if isinstance(each, Cell)]
        beginning = read_beginning(score.head, table, how_first=how_first_was_settled(start))
        self._take(beginning.happenings)
        self._take(check_row_zero(self._here.battle, start, beginning))
        for place, part in enumerate(parts[count:], count):
            if isinstance(part, Return):
                self._take_back(part)
            elif part.row is None:
                self._last_wishes(part)
            else:
                stands = not any(_undoes(each, part, self._here.table.first) for each in parts[place:])
                self._tell(part, beginning, stands=stands)
        self._finish(score, beginning)

    def _tell(self, cell: Cell, beginning: Beginning, *, stands: bool) -> None:
        table, battle = self._here.table, self._here.battle
        row = cell.row or 0
        if self._last:
            raise Mismatch(row, cell.side, "", "behind what stood at the end of the battle stands no turn")
        if battle.result is not None:
            raise Mismatch(row, cell.side, "", f"the battle was over: {write_result(battle.result)}")
        if table.chooser is not None:
            reason = (
                f"the turn before waits for a choice of {table.chooser.capitalize()}'s, so none is behind it"
            )
            raise Mismatch(row, cell.side, "", reason)
        if (row, cell.side) != (battle.turn, battle.active):
            reason = f"row {battle.turn} {battle.active.capitalize()} should stand here"
            raise Mismatch(row, cell.side, "", reason)
        decks = None if beginning.secret is None else Decks(Chance(beginning.secret), self._here.dealt)
        check = CellCheck(self._here, cell, self._take, decks, beginning.result)
        # What was taken back is not published, so it cannot be ruled on again.
        check.check(published=stands and beginning.result is not None)
        self._row = row

    def _last_wishes(self, cell: Cell) -> None:
        """Take the wishes and plans of a side at the end."""
        orders = [order_in(cell, each) for each in cell.orders]
        strange = cell.effects or [
            each.text
            for each, order in zip(cell.orders, orders, strict=True)
            if each.side != cell.side or not isinstance(order, Prefer | Plan | Wake)
        ]
        if strange or cell.side in self._last:
            reason = f"behind the rows stands, once for each side, what {cell.side.capitalize()} wished and planned"
            raise Mismatch(self._row, cell.side, strange[0] if strange else "end.", reason)
        self._last[cell.side] = tuple(map(write_order, orders))

    def _take_back(self, back: Return) -> None:
        line = f"{BACK} {write_back(back)}"
        if (result := self._here.battle.result) is not None:
            reason = f"the battle was over, and is not taken back any more: {write_result(result)}"
            raise Mismatch(back.turn, back.seat, line, reason)
        self._trail.follow(self._happenings)
        came = self._trail.came(back.seat, back.turn)
        if came is None:
            reason = f"{back.seat.capitalize()}'s turn {back.turn} had not come, and cannot be taken back"
            raise Mismatch(back.turn, back.seat, line, reason)
        gone = [self._happenings[place] for place in self._trail.places[came:]]
        self._happenings.append(taken_back(back, BOTH))
        self._position = self._trail.follow(self._happenings)
        self._branches.append(Branch(back.turn, back.seat, _deeds(gone), back.reason))

    def _finish(self, score: Score, beginning: Beginning) -> None:
        """Compare the head's `Result` with the end of the rows, and publish all orders."""
        claim, result = beginning.result, self._here.battle.result
        if claim is not None and claim != result:
            here = write_result(result) if result else "the battle is not over"
            said = f"Result = {score.head['result']}"
            raise Mismatch(self._row, None, said, f"by the rows it is otherwise: {here}")
        if result is None and self._last:
            raise Mismatch(self._row, None, "end.", "the battle is not over, so nothing of it is published")
        if result is not None:
            self._take((revealed(self._here.log, {side: self._last.get(side, ()) for side in SIDES}),))

    def told(self, errors: tuple[RecordError, ...]) -> Replay:
        """Return the replay, as far as it came."""
        here = self._position
        return Replay(
            tuple(self._happenings),
            errors,
            _deeds(COURSE.standing(self._happenings)) if self._happenings else 0,
            self._row,
            here.battle.result if here else None,
            table_data(here.table, here.battle) if here else {},
            {},
            tuple(self._branches),
        )


def _deeds(happenings: Sequence[Happening]) -> int:
    return sum("answer" in recorded(each) for each in happenings)


def _undoes(part: Cell | Return, cell: Cell, first: Seat | None) -> bool:
    """Return whether a line takes back a turn that stands above it."""
    if not isinstance(part, Return) or cell.row is None:
        return False
    return (part.turn, part.seat != first) <= (cell.row, cell.side != first)
