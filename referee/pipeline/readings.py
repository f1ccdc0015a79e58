"""Reads the commands in a letter's lines only once.

The meaning of the lines may depend on the game that they are about: a line that is an order of one game is
prose in another. The lines themselves help to find the game. A reading therefore records what the grammar
asked the rulebooks; it is valid for a game whose rulebook gives the same answers, and the lines are read
again only where one differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from referee.commands.grammar import Grammar, Understanding
from referee.commands.line_reader import Looks
from referee.mail.message.message import OwnLine

OrdersOf = Callable[[int | None], Looks]
"""Returns the test for orders in a line that names a game, or none."""


@dataclass(slots=True)
class _Reading:
    """The reading of some lines, with all questions to the rulebooks and their answers."""

    orders: dict[tuple[int | None, str], bool] = field(default_factory=dict)
    confided: dict[str, bool] = field(default_factory=dict)
    understood: Understanding | None = None

    def asking(self, orders: OrdersOf) -> OrdersOf:
        """Return the same tests, which also record their answers here."""

        def about(game: int | None) -> Looks:
            looks = orders(game)

            def ask(text: str) -> bool:
                self.orders[game, text] = answer = looks(text)
                return answer

            return ask

        return about

    def asking_of_confided(self, confided: Looks) -> Looks:
        """Return the same test, which also records its answers here."""

        def ask(text: str) -> bool:
            self.confided[text] = answer = confided(text)
            return answer

        return ask

    def counts_for(self, orders: OrdersOf, confided: Looks) -> bool:
        """Return whether these rulebooks give the same answers."""
        looks = {game: orders(game) for game, _ in self.orders}
        return all(looks[game](text) == answer for (game, text), answer in self.orders.items()) and all(
            confided(text) == answer for text, answer in self.confided.items()
        )


class Readings:
    """The readings of one letter."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._found: dict[tuple[tuple[OwnLine, ...], str, tuple[str, ...]], list[_Reading]] = {}

    def read(
        self,
        lines: Sequence[OwnLine],
        language: str,
        others: tuple[str, ...],
        orders: OrdersOf | None = None,
        confided: Looks | None = None,
    ) -> Understanding:
        """Return the commands in lines.

        language, others: as in Grammar.
        orders, confided: of the game that they are about; None for any rulebook's.
        """
        orders = orders or (lambda game: self._grammar.looks_like_order)
        confided = confided or self._grammar.is_confided
        known = self._found.setdefault((tuple(lines), language, others), [])
        for reading in known:
            if reading.understood is not None and reading.counts_for(orders, confided):
                return reading.understood
        reading = _Reading()
        asking = reading.asking(orders)
        grammar = replace(
            self._grammar.in_language(language).beside(others),
            looks_like_order=asking(None),
            of_game=asking,
            is_confided=reading.asking_of_confided(confided),
        )
        reading.understood = grammar.read(lines)
        known.append(reading)
        return reading.understood
