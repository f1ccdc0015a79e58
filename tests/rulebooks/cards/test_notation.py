"""Orders as players write them, both ways (E2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.rulebooks.cards.chunks import LONGEST, MOST_MEN
from referee.rulebooks.cards.grammar import FORMS, MOST_ALTERNATIVES, MOST_IN_GROUP
from referee.rulebooks.cards.notation import looks_like_order, read_order
from referee.rulebooks.cards.orders import (
    Bearing,
    CarryOut,
    Check,
    Choice,
    Choose,
    Clear,
    Fight,
    Fire,
    Flight,
    Form,
    Go,
    Guard,
    Move,
    MoveMob,
    Order,
    Pass,
    PivotBy,
    Plan,
    Prefer,
    Rally,
    ShowMap,
    Station,
    StationCommander,
    Towards,
    Wake,
)
from referee.rulebooks.cards.shapes import Point
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import OrderLine


def read(text: str) -> Order:
    order = read_order(OrderLine(3, text))
    assert not isinstance(order, Fault), order.sentence()
    return order


def fault(text: str) -> Fault:
    found = read_order(OrderLine(3, text))
    assert isinstance(found, Fault), found
    assert found.place is not None
    assert found.place.line == 3
    assert found.sentence()
    return found


@pytest.mark.parametrize(
    ("text", "order"),
    [
        # The two letters printed as examples.
        ("AT RI1 110,4 B0 W6", Station("RI1", 110, 4, 0, 6)),
        ("AT RA1 135,5 B0", Station("RA1", 135, 5, 0)),
        ("AT RG 150,4", StationCommander("RG", 150, 4)),
        ("PR ALL KILL NEAR CONF NEAR", Prefer("ALL", Choice("NEAR"), Choice("NEAR"))),
        ("PR ALL FLEE HOME ASK NEVER", Prefer("ALL", flee=Flight("HOME"), ask="NEVER")),
        ("GO RG BY RI2", Go("RG", "RI2")),
        ("RL RI2 PICK 3,4", Rally("RI2", (3, 4))),
        ("MV RI1 R15 A20", Move("RI1", PivotBy(15), 20)),
        ("MV RC1 TO K4 A MAX KEEP 22", Move("RC1", Towards("K4"), None, 22)),
        ("FI RA1.1 > BI2 | NEAR", Fire("RA1.1", ("BI2", "NEAR"))),
        ("CO RC1 > BA1 | BI2 FLANK", Fight("RC1", (("BA1",), ("BI2",)), (Guard("flank"),))),
        ("CO RI1 > NEAR MIN 6", Fight("RI1", (("NEAR",),), (Guard("min", 6),))),
        # Everything else that the grammar has.
        ("MV RI1 L15", Move("RI1", PivotBy(-15))),
        ("MV RI1 B350 A5.5", Move("RI1", Bearing(350), 5.5)),
        ("MV RI1 A5", Move("RI1", None, 5)),
        ("MV RI1 TO 100,50.25", Move("RI1", Towards(Point(100, 50.25)))),
        ("MV RI1 TO BI2 A20", Move("RI1", Towards("BI2"), 20)),
        ("MV RI1 B135 D30", MoveMob("RI1", 135, 30)),
        ("FM RI1 W3", Form("RI1", 3)),
        ("FM RI1 ABOUT", Form("RI1")),
        ("RL RI1", Rally("RI1")),
        ("RL RI1 B90", Rally("RI1", (), 90)),
        ("GO RD 100,50", Go("RD", Point(100, 50))),
        ("FI RA1.2 HOLD", Fire("RA1.2")),
        ("CO ALL > ANY", Fight("ALL", (("ANY",),))),
        (
            "CO RI1 > BI1 & BI2 | BC1 IF WON RI2 IF LOST RI3",
            Fight("RI1", (("BI1", "BI2"), ("BC1",)), (Guard("won", unit="RI2"), Guard("lost", unit="RI3"))),
        ),
        (
            "PR RI1 KILL MAN 3,4 CONF CENTRE RALLY FRONT FLEE BEARING 90.5 ASK MATTER",
            Prefer(
                "RI1",
                Choice("MAN", (3, 4)),
                Choice("CENTRE"),
                Flight("BEARING", 90.5),
                Choice("FRONT"),
                "MATTER",
            ),
        ),
        ("PR RI1 KILL CONFUSED", Prefer("RI1", Choice("CONFUSED"))),
        ("PLAN 3 MV RI1 A20", Plan(3, "RI1", Move("RI1", None, 20))),
        ("PLAN 2 GO RG BY RI2", Plan(2, "RG", Go("RG", "RI2"))),
        ("PLAN 2 FM RI1 ABOUT", Plan(2, "RI1", Form("RI1"))),
        ("PLAN 0 RI1", Plan(0, "RI1")),
        ("WAKE 60", Wake(60)),
        ("MAP ARCS", ShowMap("ARCS")),
        ("MAP ZONES", ShowMap("ZONES")),
        ("CARRY OUT", CarryOut()),
        ("PASS", Pass()),
        ("CLEAR", Clear()),
        ("CLEAR RI1", Clear("RI1")),
        ("CLEAR RG", Clear("RG")),
        ("CHECK", Check()),
        ("CHOOSE KILL MAN 3 CONF NEAR", Choose(Choice("MAN", (3,)), Choice("NEAR"))),
        ("CHOOSE FLEE BEARING 90", Choose(flee=Flight("BEARING", 90))),
        ("CHOOSE RALLY MAN 3,4", Choose(rally=Choice("MAN", (3, 4)))),
    ],
)
def test_e2_every_form_is_read(text: str, order: Order) -> None:
    assert read(text) == order
    assert read(write_order(order)) == order


@pytest.mark.parametrize("text", FORMS.values())
def test_the_examples_are_canonical(text: str) -> None:
    assert write_order(read(text)) == text
    assert looks_like_order(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  mv ri1   r15  a20  ", "MV RI1 R15 A20"),
        ("Move RI1 right 15 advance 20", "MV RI1 R15 A20"),
        ("mv ri1 bearing 90 a max keep 25", "MV RI1 B90 A MAX KEEP 25"),
        ("MV RI1 R 15 A 20  # to the left of the wood", "MV RI1 R15 A20"),
        ("MV RI1 R15.0 A20.00", "MV RI1 R15 A20"),
        ("attack ri1>bi1&bi2|near", "CO RI1 > BI1 & BI2 | NEAR"),
        ("fire ra1.1 >near", "FI RA1.1 > NEAR"),
        ("at ri1 110 , 4 b0", "AT RI1 110,4 B0"),
        ("at ri1 110 4 b0 files 6", "AT RI1 110,4 B0 W6"),
        ("rally ri2 pick 3, 4", "RL RI2 PICK 3,4"),
        ("go rg to 100,50", "GO RG 100,50"),
        ("form ri1 about", "FM RI1 ABOUT"),
        ("pr all flee b90", "PR ALL FLEE BEARING 90"),
        ("MV RI1 R0", "MV RI1 R0"),
        ("MV RI1 L0 A5", "MV RI1 R0 A5"),
        ("carry  out", "CARRY OUT"),
        ("Carry out.", "CARRY OUT"),
        ("exécuter", "CARRY OUT"),
        ("Passer !", "PASS"),
        ("Clear!", "CLEAR"),
        ("clear ri1.", "CLEAR RI1"),
        ("check # before I send it", "CHECK"),
        ("choose conf far kill man 3, 4", "CHOOSE KILL MAN 3,4 CONF FAR"),
        # The end of a sentence.
        ("MV RI1 A20.", "MV RI1 A20"),
        ("MV RI1 A7.5.", "MV RI1 A7.5"),
        ("MV RI1 A7,5.", "MV RI1 A7.5"),
        ("co ri1 > near min 6 ;", "CO RI1 > NEAR MIN 6"),
        ("PR ALL KILL NEAR!!", "PR ALL KILL NEAR"),
        ("FI RA1.1 > BI2,", "FI RA1.1 > BI2"),
        ("FI RA1.1 HOLD.", "FI RA1.1 HOLD"),
        ("AT RI1 110,4 B0;", "AT RI1 110,4 B0"),
        ("GO RG 110,4,", "GO RG 110,4"),
        ("CARRY OUT,", "CARRY OUT"),
        ("passer,", "PASS"),
        ("clear;", "CLEAR"),
        # A decimal comma.
        ("MV RI1 R22,5 A7,5 KEEP 20,25", "MV RI1 R22.5 A7.5 KEEP 20.2"),
        ("mv ri1 bearing 90,5 distance 7,5", "MV RI1 B90.5 D7.5"),
        ("MV RI1 TO 110,4 A7,5", "MV RI1 TO 110,4 A7.5"),
        ("WAKE 60,5 # cm", "WAKE 60.5"),
        ("RL RI1 PICK 3,4 B90,5", "RL RI1 PICK 3,4 B90.5"),
        ("PR ALL KILL MAN 3,4 FLEE BEARING 90,5", "PR ALL KILL MAN 3,4 FLEE BEARING 90.5"),
    ],
)
def test_reading_is_lenient_and_writing_canonical(text: str, canonical: str) -> None:
    assert write_order(read(text)) == canonical


@pytest.mark.parametrize(
    ("text", "code", "column", "suggestion"),
    [
        ("MV RI1 A10 R30 A10", "after-advance", 12, "MV RI1 A10"),
        ("MV RI1 A10 A10", "after-advance", 12, "MV RI1 A10"),
        ("MX RI1 A10", "no-order", 1, "MV RI1 A10"),
        ("MV", "no-id", 3, "MV RI1"),
        ("MV R1 A10", "no-id", 4, ""),
        ("MV RI1", "no-move", 7, ""),
        ("MV RI1 KEEP 25", "no-move", 15, ""),
        ("MV RI1 R15 KEEP 25", "no-advance", 19, ""),
        ("MV RI1 A", "no-number", 9, ""),
        ("MV RI1 A1000", "number", 9, ""),
        ("MV RI1 R361", "number", 9, ""),
        ("MV RI1 A20 quickly", "too-much", 12, "MV RI1 A20"),
        ("MV RI1 A20 ?", "too-much", 12, "MV RI1 A20"),
        ("FM RI1", "no-formation", 7, "FM RI1 W3"),
        ("FM RI1 W0", "number", 9, ""),
        ("FM RI1 W2.5", "whole", 9, ""),
        ("RL RI1 PICK", "no-number", 12, ""),
        ("GO RI1 BY RI2", "no-id", 4, ""),
        ("GO RG", "no-number", 6, ""),
        ("FI RA1 > BI1", "no-cannon", 4, "FI RA1.1 > BI1"),
        ("FI RA1.1 BI1", "no-sign", 10, "FI RA1.1 > BI1"),
        ("FI RA1.1 > BG", "no-target", 12, ""),
        ("CO RI1 > BG", "no-target", 10, ""),
        ("CO RI1 > BI1 IF WAN RI2", "no-word", 17, "CO RI1 > BI1 IF WON RI2"),
        ("PR ALL", "no-wish", 7, ""),
        ("PR ALL KILL NAER", "no-word", 13, "PR ALL KILL NEAR"),
        ("PR ALL CONF CONFUSED", "no-word", 13, ""),
        ("PR ALL ASK SOMETIMES", "no-word", 12, ""),
        ("PLAN 3 RL RI1", "no-order", 8, ""),
        ("PLAN 3 MV RI1 B90 D30", "no-plan", 22, ""),
        ("PLAN 21 MV RI1 A20", "number", 6, ""),
        ("MAP ARC", "no-word", 5, "MAP ARCS"),
        ("AT RI1 110,4", "no-bearing", 13, "AT RI1 110,4 B0"),
        ("", "no-order", 1, ""),
        ("CARRY IN", "no-out", 7, "CARRY OUT"),
        ("CARRY OUT RI1", "too-much", 11, "CARRY OUT"),
        ("PASS RI1", "too-much", 6, "PASS"),
        ("CLEAR R1", "no-id", 7, ""),
        ("CHOOSE MAN 3", "no-word", 8, ""),
        ("CHOOSE ASK NEVER", "no-word", 8, ""),
        ("CHOOSE CONF CONFUSED", "no-word", 13, ""),
        # No decimals: behind a blank, three of them, two commas, or where a whole number stands.
        ("MV RI1 A7, 5", "too-much", 10, "MV RI1 A7"),
        ("MV RI1 A1,000", "too-much", 10, "MV RI1 A1"),
        ("MV RI1 A7,5,3", "too-much", 12, "MV RI1 A7,5"),
        ("MV RI1 A7,5.3", "too-much", 10, "MV RI1 A7"),
        ("GO RG 110,4,5", "too-much", 12, "GO RG 110,4"),
        ("CO RI1 > NEAR MIN 6,5", "too-much", 20, "CO RI1 > NEAR MIN 6"),
        # The end of no sentence.
        ("MV RI1. A20", "no-move", 7, ""),
        ("MV RI1 A20; and good luck", "too-much", 11, "MV RI1 A20"),
        ("MV RI1 A20; MX RI2 A20", "too-much", 11, "MV RI1 A20"),
        ("MV RI1 A20; MV RI2 A20", "several-orders", 13, ""),
        ("CO RI1 > BI2, then PASS", "several-orders", 20, ""),
        ("RL RI2 PICK 3,", "no-number", 15, ""),
        ("FI RA1.1 > BI2 |.", "no-id", 17, ""),
        # No digits that an order is written with.
        ("MV RI1 A2²", "no-digit", 10, ""),
        ("MV RI1 A٢٠", "no-digit", 9, ""),
        ("MV RI1 A２０", "no-digit", 9, ""),
        ("MV RI1 A½", "no-digit", 9, ""),
        ("MV RI२ A20", "no-digit", 6, ""),
    ],
)
def test_each_slip_is_named_with_its_place(text: str, code: str, column: int, suggestion: str) -> None:
    """CC-3.6 (EX-3.06): nothing follows the advance; CC-3.26 (EX-3.29): a commander is no target."""
    found = fault(text)
    assert found.place is not None
    assert (found.code, found.place.column, found.suggestion) == (code, column, suggestion)


# --- no order is too long for a record


@pytest.mark.parametrize(
    "text", ["MV RI1 A" + "9" * LONGEST, "MV RI1 A20 # " + "x" * LONGEST, "PASS" + " " * LONGEST]
)
def test_a_line_of_more_signs_than_a_record_has_room_for_is_no_order(text: str) -> None:
    found = fault(text)
    assert found.code == "order-long"
    assert len(found.excerpt) <= 40


def test_what_is_long_as_it_is_written_is_no_order_either() -> None:
    """Blanks are put between targets."""
    group = "&".join(["BI1"] * MOST_IN_GROUP)
    text = f"CO RI1>{'|'.join([group] * MOST_ALTERNATIVES)}"
    assert len(text) <= LONGEST
    assert fault(text).code == "order-long"


@pytest.mark.parametrize(
    ("text", "listed", "most", "sign"),
    [
        ("RL RI1 PICK ", "3", MOST_MEN, ","),
        ("PR ALL KILL MAN ", "3", MOST_MEN, ","),
        ("CHOOSE RALLY MAN ", "3", MOST_MEN, ","),
        ("FI RA1.1 > ", "BI1", MOST_ALTERNATIVES, "|"),
        ("CO RI1 > ", "BI1", MOST_ALTERNATIVES, "|"),
        ("CO RI1 > ", "BI1", MOST_IN_GROUP, "&"),
    ],
)
def test_a_list_is_as_long_as_anybody_needs_and_no_longer(
    text: str, listed: str, most: int, sign: str
) -> None:
    order = read(text + sign.join([listed] * most))
    assert read(write_order(order)) == order
    found = fault(text + sign.join([listed] * (most + 1)))
    assert found.code == "list-long"
    assert str(most) in found.reason()


# --- lines that begin with a unit

COLOURS = st.sampled_from("RB")
HEADS = st.one_of(
    st.builds("{}{}{}".format, COLOURS, st.sampled_from("ICA"), st.integers(1, 99)),
    st.builds("{}A{}.{}".format, COLOURS, st.integers(1, 99), st.integers(1, 99)),
    st.builds("{}{}".format, COLOURS, st.sampled_from("GD")),
)
SECOND = [
    "F20",
    "M 60,49",
    "F²0",
    "fires at BI2",
    "is lost",
    "A20",
    "to the hill",
    "60,40",
    "MV A20",
    "²",
    "advances",
]


@given(
    HEADS,
    st.sampled_from(["", "  "]),
    st.sampled_from([" ", ": ", ", ", " - "]),
    st.sampled_from(SECOND) | st.text("abfmxz2-,.>", min_size=1, max_size=12).map("q{}".format),
)
def test_a_line_that_begins_with_a_unit_is_never_passed_over(
    head: str, indent: str, joint: str, second: str
) -> None:
    """E2: an unreadable line is named, and nothing is executed yet; whatever stands behind the unit."""
    text = f"{indent}{head}{joint}{second}"
    assert looks_like_order(text)
    found = fault(text)
    assert found.place is not None and len(indent) < found.place.column <= len(text) + 1
    if found.code == "no-order":
        assert found.excerpt
        assert head in found.suggestion and not isinstance(read_order(OrderLine(1, found.suggestion)), Fault)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("RI2 MV A20", "MV RI2 A20"),
        ("ri2 moves A20", "MV RI2 A20"),
        ("RI2A20", "MV RI2 A20"),
        ("RI2: W3", "FM RI2 W3"),
        ("RG 60,40", "GO RG 60,40"),
        ("rg 60,40", "GO RG 60,40"),
        ("RI2 F20", "MV RI2 R15 A20"),
        ("RA1.1 fires at BI2", "FI RA1.1 > BI2 | NEAR"),
    ],
)
def test_what_a_line_that_begins_with_a_unit_was_perhaps_meant_as(text: str, meant: str) -> None:
    assert looks_like_order(text)
    assert fault(text).suggestion == meant


@pytest.mark.parametrize("name", ["RI2", "BC11", "RA1", "RA1.1", "RG", "BD"])
@pytest.mark.parametrize("talk", ["I think {} is lost", "Your {} is strong.", "The {} F20", "({} is lost)"])
def test_talk_of_a_unit_is_prose(name: str, talk: str) -> None:
    text = talk.format(name)
    assert looks_like_order(text) == (text.split()[1] == name and text.split()[0].isalpha())


# --- what is prose, and what is the rest of an order

PROSE = ["GAME CC17 TURN 5 RED", "END", "Dear Anna", "at last we meet", "resign", "draw", "go on", ""]
PROSE += [
    "Carry out what you like",
    "pass me the salt",
    "Check 3 times",
    "CHECK the woods",
    "the coast is clear",
]
PROSE += [
    "Min is my cat",
    "Ask me",
    "if won we drink to it",
    "If won, RI2",
    "Keep 22 of them",
    "Flee home, my friend",
]
PROSE += [
    "near",
    "any",
    "hold on",
    "about turn",
    "A",
    "B.",
    "RG",
    "RG.",
    "Rd. of the hills",
    "bd is here",
    "BDs and books",
    "RI200 is no unit",
    "R2-D2 3",
    "To 3",
    "to Anna",
    "by the river we met",
    "Kill nearly all",
]
PROSE += [
    "A 20 % rise",
    "Max",
    "a maximum",
    "out",
    "flank attack",
    "| table |",
    "& co",
    "3,4",
    "rally round",
    "R2D2",
]
PROSE += ["Clear 2 rooms", "choose between 2 of them", "Pass on my 10 greetings"]


@pytest.mark.parametrize("text", PROSE)
def test_what_is_prose_is_no_order(text: str) -> None:
    assert not looks_like_order(text)


@pytest.mark.parametrize(
    "text",
    [
        *("mv ri1 a20", "MV RI", "FI RA1.1 HOLD", "co ri1 > bi1", "MAP ARCS", "MX RI1 A10"),
        *("exécuter", "Exécutez !"),
        *("carry out", "Carry out.", "pass", "check", "Check! # please", "clear", "clear ri1"),
        *("choose kill far", "CHOOSE MAN 3"),
    ],
)
def test_what_looks_like_one_is_meant_as_one(text: str) -> None:
    assert looks_like_order(text)


RESTS = [
    "MIN 6",
    "FLANK",
    "IF WON RI2",
    "KEEP 22",
    "| NEAR",
    "& BI2",
    "A20",
    "A MAX",
    "B 90",
    "> BI2",
    "PICK 3,4",
]
RESTS += [
    "FLEE HOME ASK NEVER",
    "KILL NEAR",
    "min 6.",
    "flank!",
    "if lost ri2",
    "keep 22,5",
    "R15 A20",
    "TO K4 A MAX",
]
RESTS += [
    "TO 110,4 A20",
    "BY RI2",
    "BI2 | NEAR",
    "& BI2 | BC1 IF WON RI2 FLANK",
    "RI1 A20",
    "RA1.1 > BI2",
    "RG BY RI2",
]
RESTS += [
    "HOLD",
    "ABOUT",
    "W6",
    "wide 6",
    "advance 20",
    "KILL MAN 3, 4 FLEE BEARING 90",
    "rally front",
    "RI1",
    "A7,5",
]
MEANT = {"RI1 A20": "MV RI1 A20", "RA1.1 > BI2": "FI RA1.1 > BI2", "RG BY RI2": "GO RG BY RI2"}
"""The same with the word for what a unit is to do."""


@pytest.mark.parametrize("text", RESTS)
def test_the_rest_of_an_order_is_meant_as_one_and_does_not_stand_alone(text: str) -> None:
    assert looks_like_order(text)
    found = fault(f"  {text}")
    assert found.place is not None
    assert (found.code, found.place.column) == ("rest-of-order", 3)
    assert found.suggestion == MEANT.get(text, "")


def test_a_long_line_of_rests_is_looked_at_in_no_time() -> None:
    looks_like_order("A20 " * 100_000)
    looks_like_order("A20 " * 99 + "MIN")


IDS = st.builds("{}{}{}".format, st.sampled_from("RB"), st.sampled_from("ICA"), st.integers(1, 20))
COMMANDERS = st.sampled_from(["RG", "BG", "RD", "BD"])
CM = st.integers(0, 9999).map(lambda tenths: tenths / 10)
DEGREES = st.integers(0, 3600).map(lambda tenths: tenths / 10)
POINTS = st.builds(
    Point, st.integers(0, 30000).map(lambda n: n / 100), st.integers(0, 30000).map(lambda n: n / 100)
)
NUMBERS = st.lists(st.integers(1, 100), min_size=1, max_size=5).map(tuple)
TARGETS = IDS | st.sampled_from(["NEAR", "ANY"])
PIVOTS = (
    st.builds(PivotBy, st.integers(-3600, 3600).map(lambda tenths: tenths / 10))
    | st.builds(Bearing, DEGREES)
    | st.builds(Towards, POINTS | IDS)
)
ADVANCES = st.builds(Move, IDS, st.none() | PIVOTS, st.none() | CM, st.none() | CM)
MOVES = ADVANCES | st.builds(Move, IDS, PIVOTS, st.just(0.0), st.none())
FORMED = st.builds(Form, IDS, st.none() | st.integers(1, 100))
GOING = st.builds(Go, COMMANDERS, POINTS | IDS)
CHOICES = st.builds(Choice, st.sampled_from(["NEAR", "FAR", "OBJ", "GUN"])) | st.builds(
    Choice, st.just("MAN"), NUMBERS
)
FLIGHTS = st.builds(Flight, st.sampled_from(["AWAY", "HOME", "GENERAL"])) | st.builds(
    Flight, st.just("BEARING"), DEGREES
)
STATIONS = st.builds(Station, IDS, CM, CM, DEGREES, st.none() | st.integers(1, 50))
GUARDS = (
    st.builds(Guard, st.just("min"), st.integers(1, 100))
    | st.just(Guard("flank"))
    | st.builds(Guard, st.sampled_from(["won", "lost"]), st.just(0), IDS)
)
ORDERS: st.SearchStrategy[Order] = st.one_of(
    MOVES,
    FORMED,
    GOING,
    st.builds(MoveMob, IDS, DEGREES, CM),
    STATIONS,
    st.builds(StationCommander, COMMANDERS, CM, CM),
    st.builds(Rally, IDS, st.just(()) | NUMBERS, st.none() | DEGREES),
    st.builds(
        Fire,
        st.builds("{}A{}.{}".format, st.sampled_from("RB"), st.integers(1, 20), st.integers(1, 10)),
        st.lists(TARGETS, max_size=3).map(tuple),
    ),
    st.builds(
        Fight,
        IDS | st.just("ALL"),
        st.lists(st.lists(TARGETS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple),
        st.lists(GUARDS, max_size=2).map(tuple),
    ),
    st.builds(
        Prefer,
        IDS | st.just("ALL"),
        CHOICES,
        st.none() | CHOICES,
        st.none() | FLIGHTS,
        st.none() | CHOICES,
        st.sampled_from([None, "NEVER", "MATTER", "ALWAYS"]),
    ),
    st.builds(lambda turns, order: Plan(turns, order.unit, order), st.integers(1, 20), MOVES | FORMED),
    st.builds(lambda turns, order: Plan(turns, order.commander, order), st.integers(1, 20), GOING),
    st.builds(Plan, st.just(0), IDS | COMMANDERS),
    st.builds(Wake, CM),
    st.builds(ShowMap, st.sampled_from(["ARCS", "ZONES"])),
    st.sampled_from([CarryOut(), Pass(), Check(), Clear()]),
    st.builds(Clear, IDS | COMMANDERS),
    st.builds(Choose, CHOICES, st.none() | CHOICES, st.none() | FLIGHTS, st.none() | CHOICES),
)


@given(ORDERS)
def test_what_is_written_is_read_again(order: Order) -> None:
    text = write_order(order)
    assert read(text) == order
    assert looks_like_order(text)
    assert read(text.lower()) == order


@given(ORDERS)
def test_no_half_of_an_order_is_carried_out_for_all_of_it(order: Order) -> None:
    """A mail program breaks a line at a blank. Where its beginning can be read, its end must not be passed over."""
    text = write_order(order)
    for at, sign in enumerate(text):
        begin, end = text[:at], text[at + 1 :]
        # Two letters alone are as often somebody's initials.
        if (
            sign != " "
            or isinstance(read_order(OrderLine(1, begin)), Fault)
            or end in ("RG", "BG", "RD", "BD")
        ):
            continue
        for each in (end, end.lower()):
            assert looks_like_order(each), (begin, each)
            assert fault(each).code == "rest-of-order"


@given(ORDERS, st.text(".,;! ", max_size=4))
def test_the_end_of_a_sentence_says_nothing(order: Order, end: str) -> None:
    text = write_order(order)
    if "," in end and text.split()[-2:-1] in (["PICK"], ["MAN"]):
        return
    assert looks_like_order(text + end)
    assert read(text + end) == order


@given(
    st.text(max_size=60)
    | st.from_regex(r"(MV|FM|CO|FI|PR|AT|GO|CARRY|CLEAR|CHOOSE) [RBICA0-9 ,.>|&A-Z]{0,30}", fullmatch=True)
)
def test_any_line_gives_an_order_or_a_fault_in_it(text: str) -> None:
    found = read_order(OrderLine(1, text))
    if isinstance(found, Fault):
        assert found.place is not None
        assert 1 <= found.place.column <= len(text) + 1
    else:
        assert read(write_order(found)) == found


IN_ANY_CASE = (
    *FORMS.values(),
    "CO ALL > NEAR",
    "CO ALL > ANY | NEAR",
    "PR ALL KILL FAR",
    "PR ALL ASK ALWAYS",
    "MAP ARCS",
    "MAP OFF",
    "FIRE RA1.1 > NEAR",
    "ATTACK ALL > NEAR",
    "CLEAR ALL",
    "CLEAR RI1",
    "CARRY OUT",
    "PASS",
)


@pytest.mark.parametrize("text", IN_ANY_CASE)
def test_every_kind_of_order_is_seen_in_any_case(text: str) -> None:
    """A telephone begins lines with a capital, and people write small."""
    for written in (text, text.lower(), text.capitalize()):
        assert looks_like_order(written), written
        assert not isinstance(read_order(OrderLine(1, written)), Fault), written


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("carry out please", CarryOut()),
        ("OK, please carry out.", CarryOut()),
        ("Yes, carry it out", None),
        ("Carry out the turn, thanks!", CarryOut()),
        ("I pass.", Pass()),
        ("please carry out the rubbish", None),
        ("I pass the salt", None),
    ],
)
def test_a_turn_is_carried_out_for_whoever_asks_politely(text: str, order: CarryOut | Pass | None) -> None:
    assert looks_like_order(text) == (order is not None)
    if order is not None:
        assert read_order(OrderLine(1, text)) == order


@pytest.mark.parametrize("joint", ["; ", ";", " ; ", " / ", ", ", " and ", ", then ", " ET ", "; and "])
@pytest.mark.parametrize("first", FORMS.values())
def test_orders_in_one_line_are_told_with_the_lines_that_they_need(first: str, joint: str) -> None:
    """E2: one order per line; each kind before each other. None of them is taken, and none is passed over."""
    for second in FORMS.values():
        text = f"{first}{joint}{second}"
        found = fault(text)
        assert (found.code, found.facts["lines"]) == ("several-orders", (first, second)), text
        assert found.place is not None and text[found.place.column - 1 :].startswith(second)
        assert ";" not in joint or looks_like_order(text)
        three = fault(f"{text}{joint}{first}.")
        assert three.facts["lines"] == (first, second, first)


@pytest.mark.parametrize("text", ["PASS; CHECK", "carry out; thanks", "pass; see you", "map; territory"])
def test_only_orders_beside_orders_look_like_several(text: str) -> None:
    assert looks_like_order(text) == (text == "PASS; CHECK")
