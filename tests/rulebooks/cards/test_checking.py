"""Orders are held against the open table before anything is done (E2)."""

from __future__ import annotations

import pytest

from referee.common.faults import Fault
from referee.rulebooks.cards.checking import check_order
from referee.rulebooks.cards.figures import RED
from referee.rulebooks.cards.notation import read_order
from referee.rulebooks.cards.switches import EN, FR, Switches
from referee.rulebooks.rulebook import OrderLine
from tests.rulebooks.cards.tables import battle, objective


def check(text: str, switches: Switches = EN) -> Fault | None:
    laid = battle(
        "RI1 12m/6f @100,100 b0",
        "RI2 12m/6f @120,100 b0",
        "RA1 5m/1g @50,100 b0",
        "BI1 12m/6f @100,140 b180",
        "BI2 12m/6f @120,140 b180",
        "RG @20,20",
        "BG @20,200",
        objectives=[objective("K1", 0, 100, 10, 110)],
        switches=switches,
    ).without("RI2")
    line = OrderLine(4, text)
    order = read_order(line)
    assert not isinstance(order, Fault), order.sentence()
    return check_order(laid, RED, order, line)


@pytest.mark.parametrize(
    "text",
    [
        "MV RI1 A5",
        "mv ri1 to k1 a5",
        "MV RI1 TO BI2",
        "MV RI1 TO 5,5",
        "MV RI2 A5",  # lost since: told when it is carried out
        "FM RI1 W3",
        "RL RI1",
        "GO RG BY RI1",
        "GO RG 5,5",
        "FI RA1.1 > BI1 | NEAR",
        "FI RA1.1 HOLD",
        "CO RI1 > BI1 | ANY IF WON RA1",
        "CO ALL > NEAR",
        "PR ALL KILL NEAR",
        "PR RI1 FLEE HOME",
        "PLAN 3 MV RI1 A5",
        "PLAN 3 GO RG BY RI1",
        "PLAN 0 RG",
        "AT RI1 5,5 B0",
        "AT RG 5,5",
        "WAKE 60",
        "MAP ARCS",
        "CARRY OUT",
        "PASS",
        "CHECK",
        "CLEAR",
        "CLEAR RI1",
        "CLEAR RG",
        "CHOOSE KILL MAN 3",
    ],
)
def test_what_names_what_there_is_is_right(text: str) -> None:
    assert check(text) is None


@pytest.mark.parametrize(
    ("text", "column", "suggestion"),
    [
        ("MV RI9 A5", 4, "MV RI2 A5"),
        ("mv bi1 a5", 4, "mv RI1 a5"),
        ("MV RI1 TO K7", 11, "MV RI1 TO K1"),
        ("GO BG 5,5", 4, "GO RG 5,5"),
        ("GO RG BY BI1", 10, "GO RG BY RI1"),
        ("FI RA1.2 > BI1", 4, "FI RA1.1 > BI1"),
        ("FI BA1.1 > BI1", 4, "FI RA1.1 > BI1"),
        ("FI RA1.1 > RI1", 12, "FI RA1.1 > BI1"),
        ("CO RI1 > BI3", 10, "CO RI1 > BI2"),
        ("CO RI1 > BI1 IF WON BI2", 21, "CO RI1 > BI1 IF WON RI2"),
        ("PR BI1 KILL NEAR", 4, "PR RI1 KILL NEAR"),
        ("PLAN 3 FM RI7 ABOUT", 11, "PLAN 3 FM RI2 ABOUT"),
        ("CLEAR BI1", 7, "CLEAR RI1"),
    ],
)
def test_what_names_somebody_else_is_told_with_who_was_meant(text: str, column: int, suggestion: str) -> None:
    found = check(text)
    assert found is not None
    assert found.code == "no-such-id"
    assert found.place is not None
    assert (found.place.line, found.place.column, found.suggestion) == (4, column, suggestion)
    assert "BG" not in str(found.facts["known"])


def test_several_enemies_at_once_are_for_the_edition_that_has_them() -> None:
    """One in `en`; `fr` takes them."""
    found = check("CO RI1 > BI1 & BI2")
    assert found is not None
    assert (found.rule, found.suggestion) == ("CC-7.5", "BI1 | BI2")
    assert check("CO RI1 > BI1 & BI2", FR) is None
