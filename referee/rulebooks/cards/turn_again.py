"""One cell of a record held against the rules: what was confided, what came of it, and whether the one follows from the
other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from referee.rulebooks.cards.checking import check_order
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.drafting import duty_of
from referee.rulebooks.cards.effects import HALFWAY_SAID, ON_THE_TABLE, result_in, say
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.happenings import chosen, ordered, waiting, wished
from referee.rulebooks.cards.notation import write_order
from referee.rulebooks.cards.orders import Action, Choose, Fight, Fire, Pass, Prefer
from referee.rulebooks.cards.position import Half, Ordered, Position
from referee.rulebooks.cards.preferences import Wishes
from referee.rulebooks.cards.retelling import CHOOSES, END, HALFWAY, Retelling, Untrue
from referee.rulebooks.cards.rows import NOTHING, Cell, Parting, Spoken
from referee.rulebooks.cards.starting_again import order_in
from referee.rulebooks.cards.turn import play
from referee.rulebooks.cards.victory import ENDED
from referee.rulebooks.rulebook import Happening, OrderLine, Result, Seat

Take = Callable[[Iterable[Happening]], Position]
"""Lets things happen, and returns the position then."""


class TurnAgain:
    """A turn as a cell has it. Every method raises Parting at the first line that cannot be.

    take: lets things happen. decks: None where their order is not known. result: what the head says of the end.
    """

    def __init__(
        self, position: Position, cell: Cell, take: Take, decks: Decks | None, result: Result | None
    ) -> None:
        if position.table.first is None:
            raise self._parting(cell, "", "row 0 does not say who is first, so nobody has moved")
        self._position, self._cell, self._take = position, cell, take
        self._decks, self._result, self._first = decks, result, position.table.first
        self._before = position.battle
        self._split, self._half = position.table.split, self._which_half(position, cell)
        self._retelling = Retelling(self._before, self._first, decks, split=self._split)
        self._orders: list[Action | Fire | Fight] = []
        self._answers: list[Choose] = []
        self._wishes: Mapping[Seat, Wishes] = {}
        self._told: list[Happening] = []
        self._asked: Seat | None = None

    @staticmethod
    def _parting(cell: Cell, text: str, reason: str, seat: Seat | None = None) -> Parting:
        return Parting(cell.row or 0, seat or cell.side, text, reason)

    @staticmethod
    def _which_half(position: Position, cell: Cell) -> Half:
        """Return which half of a turn a cell is. Without a second letter go turns that are passed, and those which only
        plans have made."""
        if not position.table.split:
            return 0
        if position.table.halfway:
            return 2
        own = [each for each in cell.spoken if each.side == cell.side and not each.by_plan]
        direct = any(isinstance(order_in(cell, each), Action | Fire | Fight) for each in own)
        return 1 if direct or HALFWAY.fullmatch((cell.sayings or [""])[-1]) else 0

    def tell(self, *, published: bool) -> None:
        """Let it happen again. published: all that was confided in it is known, so that it can be ruled on again."""
        cell = self._cell
        if not cell.sayings:
            raise self._parting(cell, "", f"behind - stands what came of it, or `{NOTHING}`")
        begins = next(place for place, each in enumerate(cell.lines) if not isinstance(each, Spoken))
        known = self._confide([each for each in cell.lines[:begins] if isinstance(each, Spoken)])
        lines = cell.lines[begins:]
        for line in lines:
            if isinstance(line, Spoken):
                self._answer(line)
            elif line != [NOTHING] or len(lines) > 1:
                self._tell(partial(self._retelling.tell, line, self._how))
        if self._goes_by and self._half == 1:
            raise self._parting(cell, "", f"by the rules `{HALFWAY_SAID}` follows here")
        if self._goes_by:
            self._tell(self._retelling.pass_on)
        if published and self._decks is not None and self._is_turn:
            if not known:
                raise self._parting(
                    cell, "", "the orders of this turn are missing, or PASS where there were none"
                )
            self._rule_again(self._decks)

    @property
    def _how(self) -> str:
        return self._result.how if self._result else ""

    @property
    def _is_turn(self) -> bool:
        """Whether anything was carried out: an end off the table can come before that."""
        return len(self._cell.sayings) > 1 or self._off_the_table(self._cell.sayings[0]) is False

    @staticmethod
    def _off_the_table(saying: str) -> bool:
        found = END.fullmatch(saying)
        return found is not None and (found["how"] or "") not in ON_THE_TABLE

    @property
    def _goes_by(self) -> bool:
        """Whether the turn came to its end: it did not stop at a choice, and not with the battle."""
        waits = CHOOSES.fullmatch(self._cell.sayings[-1]) or HALFWAY.fullmatch(self._cell.sayings[-1])
        return self._is_turn and not waits and self._retelling.battle.result is None

    def _tell(self, bring: Callable[[], Sequence[Happening]]) -> None:
        try:
            news = bring()
        except Untrue as untrue:
            raise self._parting(self._cell, untrue.saying, untrue.reason) from None
        self._told += news
        self._position = self._take(news)
        self._asked = self._position.table.chooser

    # --- what was confided

    def _confide(self, lines: Sequence[Spoken]) -> bool:
        """Take wishes and orders; return whether the orders are known."""
        side = self._cell.side
        written: list[str] = []
        passes = False
        for line in lines:
            order = order_in(self._cell, line)
            if (fault := check_order(self._before, line.side, order, OrderLine(1, line.text))) is not None:
                raise self._parting(self._cell, line.text, fault.reason(), line.side)
            if isinstance(order, Prefer):
                self._position = self._take((wished(line.side, write_order(order)),))
            elif line.side == side and isinstance(order, Action | Fire | Fight):
                if self._half and isinstance(order, Action) != (self._half == 1):
                    reason = (
                        "actions stand in the first letter of a turn, shots and combats in the second (E3)"
                    )
                    raise self._parting(self._cell, line.text, reason)
                if duty_of(order) in map(duty_of, self._orders):
                    raise self._parting(
                        self._cell, line.text, "of two orders for the same thing one is carried out (E2)"
                    )
                self._orders.append(order)
                written.append(write_order(order))
            elif line.side == side and isinstance(order, Pass) and not passes:
                passes = True
            else:
                reason = f"before what came of it stand orders of {side.capitalize()}'s, and wishes"
                raise self._parting(self._cell, line.text, reason, line.side)
        if passes and written:
            raise self._parting(self._cell, "PASS", "a turn with orders is not passed")
        if passes or written:
            planned = tuple(write_order(order_in(self._cell, each)) for each in lines if each.by_plan)
            told = ordered(Ordered(self._before.turn, side, tuple(written), planned, half=self._half))
            self._position = self._take((told,))
        self._wishes = {each: self._position.own[each].wishes for each in SIDES}
        return passes or bool(written)

    def _answer(self, line: Spoken) -> None:
        order = order_in(self._cell, line)
        asked, self._asked = self._asked, None
        if not isinstance(order, Choose) or asked != line.side:
            reason = (
                "in the middle of a turn stands what was chosen, by whoever was asked, and no other order"
            )
            raise self._parting(self._cell, line.text, reason, line.side)
        self._answers.append(order)
        self._position = self._take((chosen(line.side, write_order(order)),))

    # --- ruled on again

    def _rule_again(self, decks: Decks) -> None:
        """Play the turn by its orders, wishes, answers and cards, and hold that against what has come of it here."""
        here = [
            said
            for each in self._told
            if (said := say(each)) and not (each.code == ENDED and result_in(each).how not in ON_THE_TABLE)
        ]
        true = [said for said in self._played(decks) if said]
        for place in range(max(len(here), len(true))):
            said = here[place] if place < len(here) else ""
            right = true[place] if place < len(true) else ""
            if said != right:
                reason = (
                    f"by these orders it is `{right}`" if right else "by these orders nothing more follows"
                )
                raise self._parting(self._cell, said, reason)

    def _played(self, decks: Decks) -> Iterator[str]:
        """Yield what the turn brings, up to its end or to a choice that nobody has made."""
        told = 0
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
            yield from map(say, played.happenings[told:])
            told = len(played.happenings)
            if played.asked is None:
                return
            yield say(waiting(played.asked.seat))
