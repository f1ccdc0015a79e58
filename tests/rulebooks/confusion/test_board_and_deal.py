"""Sections 1 and 3 of the rules: the board, the start, the deal and who hears of what."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.common.chance import Chance
from referee.rulebooks.confusion.compass import DIRECTIONS, heading, square_after, turned
from referee.rulebooks.confusion.edition import CLASSIC
from referee.rulebooks.confusion.options import check_options, read_deals, write_deal
from referee.rulebooks.confusion.position import LETTERS, START, WHITE, YELLOW, Z_START, far_rank, opponent
from referee.rulebooks.rulebook import Happening, Result, Seat
from tests.rulebooks.confusion.boards import CONFUSION, IDENTITY, opened, play, position

IDENTITY_TEXT = "A1 C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12"


def test_cf_1_1_the_board_is_eleven_by_eleven_with_yellow_in_the_south() -> None:
    assert CLASSIC.on_board((1, 1))
    assert CLASSIC.on_board((11, 11))
    assert not CLASSIC.on_board((0, 5))
    assert not CLASSIC.on_board((5, 12))
    assert (far_rank(YELLOW), far_rank(WHITE)) == (11, 1)
    assert {square[1] for square in START[YELLOW].values()} == {1, 2}
    assert {square[1] for square in START[WHITE].values()} == {10, 11}


def test_cf_1_2_north_is_the_way_yellow_looks_and_south_the_way_white_looks() -> None:
    assert heading(YELLOW, "N") == heading(WHITE, "S") == "F"
    assert heading(YELLOW, "SW") == heading(WHITE, "NE") == "BD"
    assert heading(YELLOW, "E") == heading(WHITE, "E") == "S"
    assert square_after((6, 6), "N", 2) == (6, 8)
    assert square_after((6, 6), "SW", 3) == (3, 3)
    assert [turned(direction) for direction in DIRECTIONS] == ["S", "SW", "W", "NW", "N", "NE", "E", "SE"]
    assert (CLASSIC.room((6, 6), "NE"), CLASSIC.room((1, 1), "W"), CLASSIC.room((9, 3), "SE")) == (5, 0, 2)


def test_cf_1_3_each_side_has_the_same_twelve_letters() -> None:
    assert LETTERS == "ACEHKLNOPSTV"
    assert set(START[WHITE]) == set(START[YELLOW]) == set(LETTERS)


def test_cf_1_4_the_start_is_as_recovered_and_whites_side_is_turned() -> None:
    assert START[YELLOW]["A"] == (3, 2)
    assert START[YELLOW]["H"] == (7, 2)
    assert START[YELLOW]["V"] == (9, 1)
    assert START[WHITE]["A"] == (9, 10)
    assert START[WHITE]["N"] == (9, 11)
    assert all(
        START[WHITE][letter] == (12 - file, 12 - rank) for letter, (file, rank) in START[YELLOW].items()
    )
    board = opened()[0].board
    assert (board.z, Z_START) == ((6, 6), (6, 6))
    assert len(board.pieces) == 24
    assert board.holder() is None


def test_cf_1_5_there_is_no_thirteenth_piece_on_the_centre_file() -> None:
    assert not [square for square in opened()[0].board.pieces if square[0] == 6]


def test_cf_3_1_each_deal_gives_every_letter_another_type_and_none_is_favoured() -> None:
    dealt_to_a: Counter[int] = Counter()
    for secret in range(256):
        deals = opened(secret)[0].deals
        for seat in (WHITE, YELLOW):
            assert sorted(deals[seat].values()) == list(range(1, 13))
        assert deals[WHITE] != deals[YELLOW]
        dealt_to_a[deals[WHITE]["A"]] += 1
    # 256 deals, 12 types: about 21 each; a shuffle that left a type out would show.
    assert len(dealt_to_a) == 12
    assert max(dealt_to_a.values()) < 45


def test_cf_3_1_the_same_secret_deals_the_same() -> None:
    assert opened(7) == opened(7)
    assert opened(7)[0].deals != opened(8)[0].deals


def test_cf_3_2_a_deal_is_heard_by_the_opponent_alone() -> None:
    where, happenings = opened()
    for happening in happenings:
        if happening.code == "dealt":
            assert happening.heard_by == {opponent(happening.facts["seat"])}
    for seat in (WHITE, YELLOW):
        view = CONFUSION.rules.view(_heard(happenings, seat), seat)
        assert view.own_types is None
        assert view.opponent_types == where.deals[opponent(seat)]


def test_cf_3_3_captured_and_promoted_types_stay_hidden_until_the_end() -> None:
    where = position(white={"A": (5, 11)}, yellow={"P": (4, 10), "C": (1, 1)})
    _, happenings = play(where, "P-NE1xA+")
    assert happenings[0].facts["captured"] == "A"
    assert happenings[0].facts["promoted"] is True
    types = [number for happening in happenings for number in (happening.facts.get("types") or {})]
    assert types == []


def test_cf_3_3_an_end_off_the_board_reveals_all_types_to_both() -> None:
    where, happenings = opened()
    ended = CONFUSION.rules.conclude(where, Result(None, "by agreement"))
    for seat in (WHITE, YELLOW):
        view = CONFUSION.rules.view(_heard([*happenings, *ended], seat), seat)
        assert view.own_types == where.deals[seat]
        assert view.opponent_types == where.deals[opponent(seat)]


def test_cf_3_4_attempts_and_answers_are_heard_by_both() -> None:
    where, _ = opened(first="white")
    _, happenings = play(where, "L-S2", "C-N2")
    assert [happening.heard_by for happening in happenings] == [{WHITE, YELLOW}, {WHITE, YELLOW}]
    assert {"text", "answer", "captured", "promoted"} <= set(happenings[0].facts)


def test_cf_3_5_either_side_may_begin_as_said_or_by_lot() -> None:
    assert opened(first="white")[0].board.to_move == WHITE
    assert opened(first="yellow")[0].board.to_move == YELLOW
    drawn = {opened(secret)[0].board.to_move for secret in range(20)}
    assert drawn == {WHITE, YELLOW}


def test_a_deal_that_was_set_is_played_and_told_to_nobody_else() -> None:
    where, happenings = opened(deal=f"White={IDENTITY_TEXT}")
    assert where.deals[WHITE] == IDENTITY
    assert where.deals[YELLOW] == opened()[0].deals[YELLOW]
    assert happenings[0].facts["deal_set"] is True
    assert "deal" not in happenings[0].facts["options"]


def test_a_deal_is_written_as_it_is_read() -> None:
    assert write_deal(IDENTITY) == IDENTITY_TEXT
    assert read_deals(f"white={IDENTITY_TEXT} ; YELLOW = {IDENTITY_TEXT}") == {
        WHITE: IDENTITY,
        YELLOW: IDENTITY,
    }


@pytest.mark.parametrize(
    ("key", "said", "reason", "meant"),
    [
        ("frist", "white", "there is no option frist; known are first, sheets", "first"),
        ("first", "red", "first is white or yellow, not red", ""),
        ("sheets", "onn", "sheets is on or off, not onn", "sheets=on"),
        ("deal", "", "the deal is empty", ""),
        ("deal", "Red=A1", "a deal names its side, as in White=A6 C8 …; Red is none", ""),
        ("deal", "White=A1 C2", "no type is dealt to E, H, K, L, N, O, P, S, T, V", ""),
        ("deal", "White=A1 C1", "type 1 is dealt to both A and C", ""),
        ("deal", "White=A1 A2", "A is dealt twice", ""),
        ("deal", "White=A13", "there is no type 13; they are 1 to 12", ""),
        (
            "deal",
            "White=B1",
            "a deal gives each letter of A C E H K L N O P S T V its type, as in A6; B1 does not",
            "",
        ),
        ("deal", f"White={IDENTITY_TEXT}; White={IDENTITY_TEXT}", "White has two deals", ""),
    ],
)
def test_an_option_that_cannot_be_is_a_fault_with_the_nearest(
    key: str, said: str, reason: str, meant: str
) -> None:
    (fault,) = check_options({key: said})
    assert (fault.reason(), fault.suggestion) == (reason, meant)
    with pytest.raises(ValueError, match="these options cannot be played with"):
        CONFUSION.rules.opening({key: said}, Chance(bytes(32)))


def _heard(happenings: list[Happening], seat: Seat) -> list[Happening]:
    return [happening for happening in happenings if seat in happening.heard_by]


@pytest.mark.parametrize(
    ("said", "meant"),
    [("none", "off"), ("no", "off"), ("0", "off"), ("False", "off"), ("yes", "on"), ("of", "off")],
)
def test_a_wish_for_sheets_or_none_is_not_taken_for_its_opposite(said: str, meant: str) -> None:
    (fault,) = check_options({"sheets": said})
    assert fault.suggestion == f"sheets={meant}"
