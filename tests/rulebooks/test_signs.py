"""Signs that only look like plain ones: no rulebook reads one in an order, and none overlooks the line."""

from __future__ import annotations

import unicodedata

import pytest

from referee.common.characters import is_another
from referee.common.faults import Fault
from referee.mail.message.normalisation import normalise
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import OrderLine

ORDERS = {
    "confusion": ("V-NW2xZ", "VZ-E1+", "Z-S1>T", "V - N E 1"),
    "spies": ("V-N1", "move V-N1, H-E1", "A<>H", "#xH", "?H", "agent as 4", "allow", "swap A H"),
    "cards": ("MV RI1 R15 A20", "FI RA1.1 > BI2 | NEAR", "CO RI1 > BI2 MIN 6", "RL RI1 PICK 3,4", "PASS"),
}
OTHERS: dict[str, str] = {}
"""One sign of each kind for each plain text that it would become."""
for _point in range(0x80, 0x110000):
    if is_another(chr(_point)):
        _key = unicodedata.normalize("NFKC", chr(_point)) + unicodedata.decomposition(chr(_point)).split()[0]
        OTHERS.setdefault(_key, chr(_point))
SIGNS = "".join(OTHERS.values())
RULES = {rulebook.name: rulebook for rulebook in RULEBOOKS}


def test_every_rulebook_is_asked() -> None:
    assert set(ORDERS) == set(RULES)
    assert {"²", "₂", "½", "①", "⒈", "𝐀", "Ⅴ", "⁺", "ℓ"} <= set(SIGNS) | {"ℓ"}


@pytest.mark.telling(order=["V-NW2xZ", "V-N1", "swap A H", "PASS", "RL RI1 PICK 3,4"])
@pytest.mark.parametrize(("rules", "order"), [(rules, order) for rules in ORDERS for order in ORDERS[rules]])
def test_no_sign_that_looks_like_another_is_read_as_it(rules: str, order: str) -> None:
    """In place of a sign of an order and anywhere between two (CF-8.1, E2): `MV RI1 A2²` is no advance of 22."""
    rulebook = RULES[rules]
    assert not isinstance(rulebook.notation.read(OrderLine(1, order)), Fault)
    for sign in SIGNS:
        plain = unicodedata.normalize("NFKC", sign)
        for at in range(len(order) + 1):
            written = [f"{order[:at]}{sign}{order[at:]}"]
            if order[at : at + 1].upper() == plain.upper():
                written.append(f"{order[:at]}{sign}{order[at + 1 :]}")
            for text in map(normalise, written):
                if text != order:  # a circled number before a line counts it
                    read = rulebook.notation.read(OrderLine(1, text))
                    assert isinstance(read, Fault), (text, read)
                    assert read.grade == "unreadable"


@pytest.mark.parametrize(("rules", "order"), [(rules, order) for rules in ORDERS for order in ORDERS[rules]])
def test_an_order_in_signs_that_look_like_its_own_is_not_passed_over(rules: str, order: str) -> None:
    """Whichever of its signs is another: its writer is asked."""
    rulebook = RULES[rules]
    for at, plain in enumerate(order):
        for key, sign in OTHERS.items():
            if key.partition("<")[0].upper() == plain.upper():
                text = normalise(f"{order[:at]}{sign}{order[at + 1 :]}")
                assert rulebook.notation.looks_like_order(text), text


@pytest.mark.parametrize(
    ("rules", "written", "meant"),
    [
        ("confusion", "V-N1²", ""),
        ("confusion", "V-NW²", "V-NW2"),
        ("confusion", "𝐕-𝐍𝟏", "V-N1"),
        ("confusion", "V-N①", "V-N1"),
        ("spies", "A<>Ⓗ", "swap A H"),
        ("spies", "V-N¹", "V-N1"),
    ],
)
def test_what_was_perhaps_meant_is_said(rules: str, written: str, meant: str) -> None:
    read = RULES[rules].notation.read(OrderLine(3, written))
    assert isinstance(read, Fault)
    assert read.place is not None
    assert (read.code, read.place.line, read.suggestion, read.rule) == ("no-plain-sign", 3, meant, "CF-8.1")
    assert is_another(written[read.place.column - 1])


@pytest.mark.parametrize("order", ["ＶＺ－ＮＷ１", "V\u00a0-\u202fN\u20071", "Ｖ‑Ｎ１"])
def test_other_widths_and_blanks_are_read(order: str) -> None:
    assert not isinstance(RULES["confusion"].notation.read(OrderLine(1, normalise(order))), Fault)
    cards = normalise("ＭＶ\u00a0ＲＩ１\u3000Ａ２０")
    assert not isinstance(RULES["cards"].notation.read(OrderLine(1, cards)), Fault)
