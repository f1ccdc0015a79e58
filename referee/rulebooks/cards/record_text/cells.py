"""Happenings become the cells of a record: which line stands in which turn, and in what order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.rulebooks.branches import TAKEN_BACK, Return, read_taken_back
from referee.rulebooks.cards.battle import BOTH
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.fold import COURSE, as_order
from referee.rulebooks.cards.happenings import (
    AROUND,
    CHOSEN,
    FIRST_SETTLED,
    ORDERED,
    REVEALED,
    SHOWN,
    STATIONED,
    WAITING,
    WISHED,
    read_ordered,
    read_revealed,
)
from referee.rulebooks.cards.orders import Pass, Prefer
from referee.rulebooks.cards.position import Ordered
from referee.rulebooks.cards.preferences import NO_WISHES, Wishes
from referee.rulebooks.cards.record_text.effects import acting_side, effect_text, set_up_orders
from referee.rulebooks.cards.record_text.layout import NOTHING, Cell, WrittenOrder
from referee.rulebooks.cards.record_text.templates import PHASES
from referee.rulebooks.cards.turn import HALFWAY, PHASE, TURN
from referee.rulebooks.cards.victory import ENDED
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Happening, Seat

Lines = dict[Seat, tuple[str, ...]]
_PASSED = (write_order(Pass()),)
_NONE: Mapping[Seat, tuple[str, ...]] = dict.fromkeys(SIDES, ())


class CellWriter:
    """Writes cells. happenings: all that a reader has heard, or all of the game.

    Orders are those among the happenings; once all are published, the published ones, and none for turns that were
    taken back. A wish stands in the first turn that it has been given for.
    """

    def __init__(self, happenings: Sequence[Happening]) -> None:
        self._happenings = happenings
        reveal = next((each.facts for each in happenings if each.code == REVEALED), None)
        self._published: dict[tuple[int, Seat], list[Ordered]] | None = None
        self._last: Mapping[str, Sequence[str]] = {}
        if reveal is not None:
            self._published = {}
            for each in read_revealed(reveal):
                self._published.setdefault((each.turn, each.side), []).append(each)
            self._last = reveal["wishes"]
        self._stands = self._standing_places()
        self._parts: list[Cell | Return] = []
        self._cell: Cell | None = None
        self._turn: tuple[int, Seat] | None = None
        self._wishes: dict[Seat, Wishes] = dict.fromkeys(SIDES, NO_WISHES)
        self._written: Lines = dict(_NONE)
        self._written_before: dict[tuple[int, Seat], Lines] = {}
        self._answers: list[tuple[Seat, str]] = []
        self._stations: dict[Seat, Sequence[str]] = {}
        self._phase = 0

    def _standing_places(self) -> frozenset[int]:
        """Return the places of the happenings that were not taken back."""
        if all(each.code != TAKEN_BACK for each in self._happenings):
            return frozenset(range(len(self._happenings)))
        return frozenset(COURSE.along(self._happenings)[0])

    def parts(self) -> list[Cell | Return]:
        """Return the cells of all turns, and the lines that take turns back, in their order."""
        for place, happening in enumerate(self._happenings):
            self._add(place, happening)
        self._close()
        if not self._parts:
            self._set_up()
        for side in SIDES:
            if self._last.get(side):
                self._parts.append(Cell(None, side, [WrittenOrder(side, line) for line in self._last[side]]))
        return self._parts

    def _add(self, place: int, happening: Happening) -> None:
        facts = happening.facts
        match happening.code:
            case c if c == TAKEN_BACK:
                self._take_back(place, read_taken_back(happening))
            case c if c == STATIONED:
                self._stations[Seat(facts["side"])] = facts["orders"]
            case c if c == SHOWN:
                self._stations = {
                    side: list(map(write_order, orders)) for side, orders in set_up_orders(happening).items()
                }
            case c if c == FIRST_SETTLED:
                self._set_up(effect_text(happening))
                self._begin(1, Seat(facts["side"]))
            case c if c == ENDED and self._turn is None:
                self._set_up(effect_text(happening))
            case c if c == WISHED:
                (seat,) = happening.heard_by
                self._wish(seat, facts["order"])
            case c if c == ORDERED and self._published is None:
                self._open(read_ordered(facts))
            case c if c == CHOSEN and self._published is None and self._cell is not None:
                self._cell.lines.append(WrittenOrder(Seat(facts["side"]), facts["order"]))
            case _:
                if happening.heard_by >= BOTH and (happening.code not in AROUND or happening.code == WAITING):
                    self._tell(place, happening)

    # --- before the first turn, and between two

    def _set_up(self, saying: str = "") -> None:
        """Write row 0: the set-ups that are in, then who is first, or an end before that."""
        cells = [
            Cell(0, side, [WrittenOrder(side, line) for line in self._stations[side] or _PASSED])
            for side in SIDES
            if side in self._stations
        ]
        if saying:
            cells = cells or [Cell(0, SIDES[0])]
            cells[-1].lines.append([saying])
        self._parts += cells

    def _begin(self, turn: int, side: Seat) -> None:
        self._turn = (turn, side)
        self._written_before[turn, side] = dict(self._written)

    def _take_back(self, place: int, back: Return) -> None:
        self._close()
        self._parts.append(back)
        self._turn = (back.turn, back.seat)
        self._written = dict(self._written_before[self._turn])
        self._wishes = dict.fromkeys(SIDES, NO_WISHES)
        for happening in COURSE.standing(self._happenings[: place + 1]):
            if happening.code == WISHED:
                (seat,) = happening.heard_by
                self._wish(seat, happening.facts["order"])

    def _wish(self, seat: Seat, line: str) -> None:
        order = as_order(line)
        if isinstance(order, Prefer):
            self._wishes[seat] = self._wishes[seat].with_wish(order)

    # --- a turn

    def _tell(self, place: int, happening: Happening) -> None:
        """Write a happening on the table into the cell of the present turn."""
        assert self._turn is not None
        if self._cell is None:
            published = None
            if self._published is not None and place in self._stands:
                # A turn of two letters has two cells, in their order.
                halves = self._published.get(self._turn)
                published = halves.pop(0) if halves else None
            self._open(published)
        assert self._cell is not None
        if happening.code == PHASE:
            self._phase = happening.facts["phase"]
            return
        if happening.code == TURN:
            self._close()
            self._begin(happening.facts["turn"], Seat(happening.facts["side"]))
            return
        if happening.code == WAITING and self._phase:
            # Nothing else tells that the phase has begun.
            self._cell.lines.append([PHASES[self._phase]])
        self._phase = 0
        self._write(happening)
        if happening.code == HALFWAY:
            self._close()
            return
        if happening.code == WAITING and self._answers:
            self._cell.lines.append(WrittenOrder(*self._answers.pop(0)))

    def _write(self, happening: Happening) -> None:
        assert self._cell is not None
        said = effect_text(happening)
        before = self._cell.lines[-1] if self._cell.lines else None
        if not said:
            return
        if acting_side(happening) is None and before is not None and not isinstance(before, WrittenOrder):
            before.append(said)
        else:
            self._cell.lines.append([said])

    def _open(self, ordered: Ordered | None) -> None:
        """Begin the cell of the present turn. ordered: its orders, None where they are not known."""
        assert self._turn is not None
        self._cell = Cell(*self._turn, lines=[*self._new_wishes(ordered)])
        self._parts.append(self._cell)
        self._phase = 0
        if ordered is not None:
            side, planned = ordered.side, set(ordered.planned)
            self._cell.lines += [
                WrittenOrder(side, line, line in planned) for line in ordered.orders or _PASSED
            ]
            self._answers = [*ordered.answers]

    def _new_wishes(self, ordered: Ordered | None) -> Iterator[WrittenOrder]:
        """Yield the wishes that have not been written yet as the turn begins."""
        if self._published is None:
            now: Mapping[Seat, Sequence[str]] = {side: self._wishes[side].lines() for side in SIDES}
        elif ordered is None:
            return
        else:
            now = ordered.wishes
        for side in SIDES:
            before = self._written[side]
            yield from (WrittenOrder(side, line) for line in now[side] if line not in before)
            self._written[side] = tuple(now[side])

    def _close(self) -> None:
        """End the cell; one without effects says so."""
        cell, self._cell, self._answers = self._cell, None, []
        if cell is not None and not cell.effects:
            cell.lines.append([NOTHING])
