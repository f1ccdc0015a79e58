"""The two decks: shuffled, cut, turned and shuffled again (CC-1.9, CC-1.14, CC-7.29, CC-7.30)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from referee.common.chance import Chance
from referee.rulebooks.cards.battle import BOTH, DeckState, after
from referee.rulebooks.cards.decks import (
    PACK,
    Decks,
    First,
    first_by_cut,
    name,
    read_deal,
    value,
    who_is_first,
)
from referee.rulebooks.cards.figures import BLUE, RED, SIDES
from tests.rulebooks.cards.combats import decks, fought, fresh, said
from tests.rulebooks.cards.tables import battle

SECRET = Chance(bytes(range(32)))


def test_ex_1_10_each_side_has_a_deck_of_its_own() -> None:
    """CC-1.9, A-10: 13 values four times, no jokers; three combats take three cards of each."""
    assert Counter(map(value, PACK)) == dict.fromkeys(range(1, 14), 4)
    shuffled = Decks(SECRET)
    orders = [shuffled.order(side, generation) for side in SIDES for generation in (1, 2)]
    assert len(set(orders)) == 4
    assert all(sorted(order) == sorted(PACK) for order in orders)
    laid = battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180")
    for _ in range(3):
        cards = laid.cards
        laid = replace(fresh(laid), cards=cards)
        for side in SIDES:
            laid, _ = shuffled.turn(laid, side)
    assert [laid.cards[side].left for side in SIDES] == [49, 49]
    one, _ = fought(battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180"), "RI1", "BI1")
    assert [one.cards[side].left for side in SIDES] == [51, 51]


@pytest.mark.parametrize(
    ("cuts", "first"),
    [
        ([("9H", "QS")], First(BLUE, (("9H", "QS"),))),
        ([("7H", "7S"), ("3C", "2C")], First(RED, (("7H", "7S"), ("3C", "2C")))),
        ([("AH", "2C")], First(BLUE, (("AH", "2C"),))),
    ],
)
def test_ex_1_15_the_higher_cut_moves_first(cuts: list[tuple[str, str]], first: First) -> None:
    """CC-1.14, A-14: aces are low, equal cards are cut again."""
    assert first_by_cut([*cuts, ("KH", "2H")]) == first


def test_ex_1_15_cut_and_lot_leave_the_decks_alone() -> None:
    """CC-1.14, A-14: the cut is of a pack of its own, and a lot has no card at all."""
    secrets = [Chance(bytes([number]) * 32) for number in range(40)]
    cut = [who_is_first(secret, "cut") for secret in secrets]
    lots = [who_is_first(secret, "lot") for secret in secrets]
    assert {each.side for each in cut} == {each.side for each in lots} == set(SIDES)
    assert all(each.cuts for each in cut)
    assert not any(each.cuts for each in lots)
    assert cut[3] == who_is_first(secrets[3], "cut")
    assert len(Decks(secrets[0]).order(RED, 1)) == 52


def test_ex_7_36_an_empty_deck_is_shuffled_again() -> None:
    """CC-7.29, CC-7.30, A-79: all 52 discards, whose new order nobody sees; what is turned both see."""
    shuffled = Decks(SECRET)
    order = shuffled.order(RED, 1)
    laid = battle("RI1 12m/6f @100,100 b0")
    laid = replace(laid, cards={**laid.cards, RED: DeckState(1, order[:51])})
    one, told = shuffled.turn(laid, RED)
    assert [each.code for each in told] == ["card"]
    assert (one.cards[RED].left, len(one.cards[RED].discards)) == (0, 52)
    assert told[-1].facts["card"] == order[-1]
    two, told = shuffled.turn(one, RED)
    assert [(each.code, each.rule) for each in told] == [("shuffled", "CC-7.29"), ("card", "CC-7.9")]
    assert two.cards[RED] == DeckState(51, (shuffled.order(RED, 2)[0],), 2)
    assert all(each.heard_by == BOTH for each in told)
    assert "order" not in told[0].facts
    assert two.cards[BLUE] == DeckState()


def test_e8_3_deck_and_discards_are_always_52_cards() -> None:
    """E8.3, through two shuffles; and what is told gives the same state (CC-7.30)."""
    shuffled = Decks(SECRET)
    laid = folded = battle("RI1 12m/6f @100,100 b0")
    for _ in range(120):
        laid, told = shuffled.turn(laid, BLUE)
        for each in told:
            folded = after(folded, each)
        mine = laid.cards[BLUE]
        rest = shuffled.order(BLUE, mine.generation)[-mine.left :] if mine.left else ()
        assert sorted((*rest, *mine.discards)) == sorted(PACK)
    assert folded == laid
    assert laid.cards[BLUE].generation == 3


def test_cards_are_named_as_one_says_them() -> None:
    """CC-7.9, CC-7.30: beside the card itself, for whoever reads the report."""
    assert [name(card) for card in ("KH", "10S", "AC", "JD", "QC")] == [
        "king of hearts",
        "10 of spades",
        "ace of clubs",
        "jack of diamonds",
        "queen of clubs",
    ]
    _, told = fought(battle("RI1 12m/6f @100,100 b0", "BI1 12m/6f @100,116 b180"), "RI1", "BI1", "K", "5")
    turned = said(told, "card")
    assert [(each.facts["side"], each.facts["name"]) for each in turned] == [
        (RED, "king of hearts"),
        (BLUE, "5 of hearts"),
    ]


def test_a_deal_is_set_from_the_top() -> None:
    """CC-1.9: the rest follows, shuffled, and there are 52 cards all the same."""
    deal = read_deal("Red=KH 2C …; Blue=10S")
    assert deal == {RED: ("KH", "2C"), BLUE: ("10S",)}
    assert isinstance(deal, dict)
    dealt = Decks(SECRET, deal)
    assert dealt.order(RED, 1)[:2] == ("KH", "2C")
    assert sorted(dealt.order(RED, 1)) == sorted(PACK)
    assert dealt.order(RED, 2) == Decks(SECRET).order(RED, 2)


@pytest.mark.parametrize(
    ("text", "codes", "suggestion"),
    [
        ("Green=KH", ["deal-side"], ""),
        ("KH 2C", ["deal-side"], ""),
        ("Red=KH; red=2C", ["deal-twice"], ""),
        ("Red=KH KH", ["deal-card-twice"], ""),
        ("Red=TH", ["no-card"], "10H"),
        ("Red=1S", ["no-card"], "AS"),
        ("Red=XX", ["no-card"], ""),
    ],
)
def test_a_wrong_deal_is_told(text: str, codes: list[str], suggestion: str) -> None:
    faults = read_deal(text)
    assert isinstance(faults, tuple)
    assert [fault.code for fault in faults] == codes
    assert faults[0].suggestion == suggestion


def test_test_decks_have_their_cards_on_top() -> None:
    assert decks("9 9", "K").order(RED, 1)[:2] == ("9H", "9S")
