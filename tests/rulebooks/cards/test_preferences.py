"""Standing wishes: each is looked up by itself, of the unit, of ALL, of the rules (E4)."""

from __future__ import annotations

import random

from referee.rulebooks.cards.casualties import Taste
from referee.rulebooks.cards.fold import as_order
from referee.rulebooks.cards.orders import Choice, Flight, Prefer
from referee.rulebooks.cards.preferences import NO_WISHES, Wishes
from tests.rulebooks.cards.battles import battle_by_lot, random_wish


def wishing(*lines: str) -> Wishes:
    wishes = NO_WISHES
    for line in lines:
        order = as_order(line)
        assert isinstance(order, Prefer)
        wishes = wishes.with_wish(order)
    return wishes


def test_whoever_has_said_nothing_has_the_rules_own_wishes() -> None:
    """A-78: nearest, away, officers first, never asked."""
    assert NO_WISHES.taste("RI1") == Taste(Choice("NEAR"), Choice("NEAR"))
    assert (NO_WISHES.flight("RI1"), NO_WISHES.rally("RI1"), NO_WISHES.ask("RI1")) == (
        Flight(),
        None,
        "NEVER",
    )
    assert NO_WISHES.lines() == ()


def test_a_units_own_wish_counts_before_that_for_all_each_by_itself() -> None:
    wishes = wishing("PR ALL KILL FAR CONF REAR ASK ALWAYS", "PR RI1 KILL LEFT FLEE HOME ASK NEVER")
    assert wishes.taste("RI1") == Taste(Choice("LEFT"), Choice("REAR"))
    assert wishes.taste("RI2") == Taste(Choice("FAR"), Choice("REAR"))
    assert (wishes.flight("RI1"), wishes.flight("RI2")) == (Flight("HOME"), Flight())
    assert (wishes.ask("RI1"), wishes.ask("RI2")) == ("NEVER", "ALWAYS")
    assert wishes.rally("RI1") is None


def test_a_new_wish_leaves_what_it_does_not_speak_of() -> None:
    wishes = wishing("PR RI1 KILL FAR CONF REAR", "PR RI1 CONF MAN 3,4 RALLY FRONT", "PR ALL KILL NEAR")
    assert wishes.taste("RI1") == Taste(Choice("FAR"), Choice("MAN", (3, 4)))
    assert wishes.rally("RI1") == Choice("FRONT")
    assert wishes.lines() == ("PR ALL KILL NEAR", "PR RI1 KILL FAR CONF MAN 3,4 RALLY FRONT")


def test_lines_read_again_are_the_same_wishes() -> None:
    lot = random.Random(4)
    laid = battle_by_lot(3)
    for _ in range(100):
        wishes = NO_WISHES
        for _ in range(4):
            wishes = wishes.with_wish(random_wish(laid, laid.active, lot))
        lines = [line for line in wishes.lines() if len(line.split()) > 2]
        again = wishing(*lines)
        assert all(again.taste(unit) == wishes.taste(unit) for unit in laid.units)
        assert again.lines() == tuple(lines)
