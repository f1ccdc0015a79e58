"""One cell of a record, compared with the rules: its orders, its effects, and whether the effects follow from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest

from referee.rulebooks.cards.checking import check_order
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.drafting import duty_of
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.happenings import WAITING, chosen, ordered, waiting, wished
from referee.rulebooks.cards.orders import Action, Choose, Fight, Fire, Pass, Prefer
from referee.rulebooks.cards.position import Half, Ordered, Position
from referee.rulebooks.cards.preferences import Wishes
from referee.rulebooks.cards.record_text.effects import (
    ON_THE_TABLE,
    TEMPLATES,
    code_of,
    effect_text,
    read_effect,
    result_in,
)
from referee.rulebooks.cards.record_text.layout import NOTHING, Cell, Mismatch, WrittenOrder
from referee.rulebooks.cards.record_text.replayed_turn import ReplayedTurn, WrongEffect
from referee.rulebooks.cards.record_text.row_zero import order_in
from referee.rulebooks.cards.turn import HALFWAY, play
from referee.rulebooks.cards.victory import ENDED
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Happening, OrderLine, Result, Seat

Take = Callable[[Iterable[Happening]], Position]
"""Lets things happen, and returns the position then."""


class CellCheck:
    """A turn as a cell has it. Every method raises Mismatch at the first line that cannot be.

    take: lets things happen.
    decks: None where their order is not known.
    result: the end of the battle by the head of the record.
    """

    def __init__(
        self, position: Position, cell: Cell, take: Take, decks: Decks | None, result: Result | None
    ) -> None:
        if position.table.first is None:
            raise self._mismatch(cell, "", "row 0 does not say who is first, so nobody has moved")
        self._position, self._cell, self._take = position, cell, take
        self._decks, self._result, self._first = decks, result, position.table.first
        self._before = position.battle
        self._split, self._half = position.table.split, self._which_half(position, cell)
        self._replayed = ReplayedTurn(self._before, self._first, decks, split=self._split)
        self._orders: list[Action | Fire | Fight] = []
        self._answers: list[Choose] = []
        self._wishes: Mapping[Seat, Wishes] = {}
        self._happened: list[Happening] = []
        self._asked: Seat | None = None

    @staticmethod
    def _mismatch(cell: Cell, text: str, reason: str, seat: Seat | None = None) -> Mismatch:
        return Mismatch(cell.row or 0, seat or cell.side, text, reason)

    @staticmethod
    def _which_half(position: Position, cell: Cell) -> Half:
        """Return which half of a turn a cell is. Turns that are passed, or played by plans alone, have no halves."""
        if not position.table.split:
            return 0
        if position.table.halfway:
            return 2
        own = [each for each in cell.orders if each.side == cell.side and not each.by_plan]
        direct = any(isinstance(order_in(cell, each), Action | Fire | Fight) for each in own)
        return 1 if direct or code_of((cell.effects or [""])[-1]) == HALFWAY else 0

    def check(self, *, published: bool) -> None:
        """Replay the turn. published: its orders, wishes and answers are known, so that it can be played from them."""
        cell = self._cell
        if not cell.effects:
            raise self._mismatch(cell, "", f"behind - stands what came of it, or `{NOTHING}`")
        begins = next(place for place, each in enumerate(cell.lines) if not isinstance(each, WrittenOrder))
        known = self._confide([each for each in cell.lines[:begins] if isinstance(each, WrittenOrder)])
        lines = cell.lines[begins:]
        for line in lines:
            if isinstance(line, WrittenOrder):
                self._answer(line)
            elif line != [NOTHING] or len(lines) > 1:
                self._replay(partial(self._replayed.replay, line, self._how))
        if self._goes_by and self._half == 1:
            raise self._mismatch(cell, "", f"by the rules `{TEMPLATES[HALFWAY].write({})}` follows here")
        if self._goes_by:
            self._replay(self._replayed.pass_on)
        if published and self._decks is not None and self._is_turn:
            if not known:
                raise self._mismatch(
                    cell, "", "the orders of this turn are missing, or PASS where there were none"
                )
            self._compare_with_orders(self._decks)

    @property
    def _how(self) -> str:
        return self._result.how if self._result else ""

    @property
    def _is_turn(self) -> bool:
        """Whether anything was carried out: an end off the table can come before that."""
        return len(self._cell.effects) > 1 or self._off_the_table(self._cell.effects[0]) is False

    @staticmethod
    def _off_the_table(text: str) -> bool:
        effect = read_effect(text)
        return effect is not None and effect.code == ENDED and effect.values["result"].how not in ON_THE_TABLE

    @property
    def _goes_by(self) -> bool:
        """Whether the turn came to its end: it did not stop at a choice, and not with the battle."""
        waits = code_of(self._cell.effects[-1]) in (WAITING, HALFWAY)
        return self._is_turn and not waits and self._replayed.battle.result is None

    def _replay(self, replay: Callable[[], Sequence[Happening]]) -> None:
        try:
            news = replay()
        except WrongEffect as wrong:
            raise self._mismatch(self._cell, wrong.text, wrong.reason) from None
        self._happened += news
        self._position = self._take(news)
        self._asked = self._position.table.chooser

    # --- confidential lines

    def _confide(self, lines: Sequence[WrittenOrder]) -> bool:
        """Take wishes and orders; return whether the orders are known."""
        side = self._cell.side
        written: list[str] = []
        passes = False
        for line in lines:
            order = order_in(self._cell, line)
            if (fault := check_order(self._before, line.side, order, OrderLine(1, line.text))) is not None:
                raise self._mismatch(self._cell, line.text, fault.reason(), line.side)
            if isinstance(order, Prefer):
                self._position = self._take((wished(line.side, order),))
            elif line.side == side and isinstance(order, Action | Fire | Fight):
                if self._half and isinstance(order, Action) != (self._half == 1):
                    reason = (
                        "actions stand in the first letter of a turn, shots and combats in the second (E3)"
                    )
                    raise self._mismatch(self._cell, line.text, reason)
                if duty_of(order) in map(duty_of, self._orders):
                    raise self._mismatch(
                        self._cell, line.text, "of two orders for the same thing one is carried out (E2)"
                    )
                self._orders.append(order)
                written.append(write_order(order))
            elif line.side == side and isinstance(order, Pass) and not passes:
                passes = True
            else:
                reason = f"before what came of it stand orders of {side.capitalize()}'s, and wishes"
                raise self._mismatch(self._cell, line.text, reason, line.side)
        if passes and written:
            raise self._mismatch(self._cell, "PASS", "a turn with orders is not passed")
        if passes or written:
            planned = tuple(write_order(order_in(self._cell, each)) for each in lines if each.by_plan)
            given = Ordered(self._before.turn, side, tuple(written), planned, half=self._half)
            self._position = self._take((ordered(given),))
        self._wishes = {each: self._position.own[each].wishes for each in SIDES}
        return passes or bool(written)

    def _answer(self, line: WrittenOrder) -> None:
        order = order_in(self._cell, line)
        asked, self._asked = self._asked, None
        if not isinstance(order, Choose) or asked != line.side:
            reason = (
                "in the middle of a turn stands what was chosen, by whoever was asked, and no other order"
            )
            raise self._mismatch(self._cell, line.text, reason, line.side)
        self._answers.append(order)
        self._position = self._take((chosen(line.side, order),))

    # --- played from its orders

    def _compare_with_orders(self, decks: Decks) -> None:
        """Play the turn from its orders, wishes, answers and cards, and compare that with its effects."""
        here = [
            text
            for each in self._happened
            if (text := effect_text(each))
            and not (each.code == ENDED and result_in(each).how not in ON_THE_TABLE)
        ]
        true = filter(None, self._played(decks))
        for text, right in zip_longest(here, true, fillvalue=""):
            if text != right:
                reason = f"it is `{right}`" if right else "nothing more follows"
                raise self._mismatch(self._cell, text, f"by these orders {reason}")

    def _played(self, decks: Decks) -> Iterator[str]:
        """Yield the text of each happening of the turn, up to its end or to a choice that nobody has made."""
        before = 0
        for count in range(len(self._answers) + 1):
            played = play(
                self._before,
                self._orders,
                decks,
                first=self._first,
                wishes=self._wishes,
                answers=self._answers[:count],
                halfway=self._half == 1,
            )
            yield from map(effect_text, played.happenings[before:])
            before = len(played.happenings)
            if played.asked is None:
                return
            yield effect_text(waiting(played.asked.seat))
