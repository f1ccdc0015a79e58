"""The record of the thirteen-spy edition: all that is new, in the style of the book, and who has what in his."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.receipts import last_receipt
from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.rulebook import Happening, Result, Seat, heard_by_all
from referee.rulebooks.spies.adjudicate import conclude
from referee.rulebooks.spies.edition import BOTH, RED, SEATS, TOKENS, Variants
from referee.rulebooks.spies.fold import COURSE
from referee.rulebooks.spies.happenings import CONFIDED, SHOWN
from referee.rulebooks.spies.record import recorded, write_record
from referee.rulebooks.spies.replay import replay
from tests.rulebooks.spies.games import game_by, going_on, variants
from tests.rulebooks.spies.tables import ALL_TOKENS, by_the_clock, folded, heard_by, opened, play, say

TABLE = default_table()
QUICK = settings(max_examples=6, deadline=None)
FULL = settings(max_examples=200, deadline=None)
SEEDS = st.integers(0, 2**32)


def rows(text: str) -> list[str]:
    """Return the numbered rows of a record, and the lines that take turns back, without the blanks between."""
    return [
        " ".join(line.split()) for line in text.splitlines() if line[:1].isdigit() or line.startswith("taken")
    ]


def said(happenings: Sequence[Happening]) -> list[dict[str, str]]:
    return [found for found in map(recorded, happenings) if found]


def assert_reads_back(happenings: Sequence[Happening], head: dict[str, str] | None = None) -> None:
    """A record is consistent, says the same again, and its links are those of the receipts."""
    text = write_record(happenings, head or {})
    again = replay(text, TABLE)
    assert again.errors == (), text
    assert said(again.happenings) == said(happenings), text
    assert write_record(again.happenings, head or {}) == text
    chains = [
        last_receipt("0" * 64, bytes(32), map(recorded, each)) for each in (happenings, again.happenings)
    ]
    assert chains[0] == chains[1]


def tell(*turns: str, variants: Variants | None = None, first: Seat = RED) -> list[Happening]:
    """Return a game from its beginning on. turns: of both sides alternately, see tables.play."""
    happenings = opened(variants or Variants(tokens=ALL_TOKENS), first=first)
    _, heard = play(folded(happenings), *turns)
    return happenings + heard


# Written and read back


def with_returns(random: Random, variants: Variants) -> list[Happening]:
    """Play a game in which an umpire takes turns back."""
    happenings = game_by(random, variants, random.randint(1, 10))
    for _ in range(random.randint(0, 2)):
        came = list(turns_that_came(happenings))
        if not came or folded(COURSE.standing(happenings)).table.board.result is not None:
            break
        seat, turn = random.choice(came)
        happenings.append(taken_back(Return(turn, seat, random.choice(("", "a slip: read amiss"))), BOTH))
        happenings = going_on(random, happenings, random.randint(0, 5))
    return happenings


def turns_that_came(happenings: Sequence[Happening]) -> Iterator[tuple[Seat, int]]:
    """Yield the turns to which a game can go back: something that all have heard lies behind each."""
    stands = COURSE.standing(happenings)
    for turn in range(1, folded(stands).table.board.row + 1):
        for seat in SEATS:
            count = COURSE.turn_of(stands, seat, turn)
            if count is not None and heard_by_all(stands[count:], SEATS):
                yield seat, turn


def assert_everybodys_record_reads_back(seed: int, variants: Variants) -> None:
    random = Random(seed)
    happenings = with_returns(random, variants)
    position = folded(COURSE.standing(happenings))
    if random.random() < 0.3:
        happenings += conclude(position, Result(random.choice((*SEATS, None)), "on time"))
    assert_reads_back(happenings)
    assert_reads_back(happenings, {"View": "White", "Event": "Club"})
    for seat in SEATS:
        assert_reads_back(heard_by(happenings, seat))
    assert_reads_back(heard_by_all(happenings, SEATS))


@QUICK
@given(seed=SEEDS, variants=variants())
def test_any_game_is_written_and_read_back_to_the_same_game(seed: int, variants: Variants) -> None:
    assert_everybodys_record_reads_back(seed, variants)


@pytest.mark.full
@pytest.mark.timeout(600)
@FULL
@given(seed=SEEDS, variants=variants())
def test_many_games_are_written_and_read_back_to_the_same_games(seed: int, variants: Variants) -> None:
    assert_everybodys_record_reads_back(seed, variants)


@QUICK
@given(seed=SEEDS, variants=variants())
def test_what_is_confided_is_in_no_receipt_and_changes_no_record_but_its_own(
    seed: int, variants: Variants
) -> None:
    happenings = game_by(Random(seed), variants, 8)
    assert all(recorded(each) == {} for each in happenings if each.heard_by != BOTH)
    public = write_record([each for each in happenings if each.code not in CONFIDED], {})
    placed = [] if folded(happenings).table.set_up else ["WhiteSetUp", "RedSetUp"]
    whole = write_record(happenings, {}).splitlines()
    assert [line for line in whole if line.partition(" ")[0] not in placed] == public.splitlines()


# How each thing is written


def test_what_goes_before_a_move_stands_before_it() -> None:
    happenings = tell("?A; C-NE1", "#L; A-S1", "A<>C; E-N1", "#xX; H-S1", "H-N1")
    assert rows(write_record(happenings, {})) == [
        "1. ?A (C-NE1) #L A-S1",
        "2. A<>C E-N1 #xX H-S1",
        "3. [H-N1]",
    ]
    assert_reads_back(happenings)


def test_a_turn_stands_in_square_brackets_until_it_is_answered() -> None:
    happenings = tell("A-N4", "A-S2")
    assert rows(write_record(happenings, {})) == ["1. A-N4 [A-S2]"]
    _, clock = by_the_clock(folded(happenings))
    assert rows(write_record([*happenings, *clock], {})) == ["1. A-N4 A-S2"]
    happenings = tell("C-NE1 & E-N1")
    assert rows(write_record(happenings, {})) == ["1. [C-NE1] & [E-N1]"]
    assert_reads_back(happenings)


def test_two_attempts_stand_in_one_cell_and_one_that_lapses_in_square_brackets() -> None:
    happenings = tell("C-NE1 & E-N1", "K-S3 & T-S1")
    happenings += play(folded(happenings), "X-N1")[1]
    assert rows(write_record(happenings, {})) == ["1. (C-NE1) & E-N1 (K-S3) & [T-S1]", "2. [X-N1]"]
    assert said(happenings)[-2] == {"seat": "white", "lapsed": "T-S1"}
    assert_reads_back(happenings)


FAR = ("A-N4", "A-S1", "A-N4xL", "A-N1")
"""Red's Rocket runs to the last rank but one, while White's moves to and fro."""


def test_a_promotion_is_written_with_its_plus_as_in_the_book() -> None:
    happenings = tell(*FAR[:3], "H-S1", "A-N1xV", "H-S1")
    assert rows(write_record(happenings, {}))[-1] == "3. A-N1xV+ [H-S1]"
    assert_reads_back(happenings)


def test_cf_10_12_a_wish_keeps_its_plus_whatever_comes_of_it() -> None:
    comrade = Variants(comrade=True)
    wished = tell(*FAR[:3], "H-S1", "A-N1xV+", "H-S1", variants=comrade)
    declined = tell(*FAR[:3], "H-S1", "A-N1xV", "H-S1", variants=comrade)
    refused = tell(*FAR[:3], "H-S1", "A-NE1xT+", "H-S1", variants=comrade)
    assert rows(write_record(wished, {}))[-1] == "3. A-N1xV+ [H-S1]"
    assert rows(write_record(declined, {}))[-1] == "3. A-N1xV [H-S1]"
    assert rows(write_record(refused, {}))[-1] == "3. (A-NE1xT+) [H-S1]"
    for happenings in (wished, declined, refused):
        assert_reads_back(happenings)


@pytest.mark.parametrize(
    ("answer", "cell"), [("allow", "A-N1xV+?>A"), ("allow without Z", "A-N1xV+?"), ("deny", "(A-N1xV+)")]
)
def test_cf_10_11_a_double_agent_unmasked_by_his_wish_is_written_with_who_took_the_briefcase(
    answer: str, cell: str
) -> None:
    happenings = opened(Variants(comrade=True), deals=AGENT_ON_A)
    _, heard = play(
        folded(happenings), "A-N4", "allow; A-S1", "A-N4xL", "allow; H-S1", "A-N1xV+", f"{answer}; H-S1"
    )
    happenings += heard
    assert rows(write_record(happenings, {}))[-1] == f"3. {cell} [H-S1]"
    assert_reads_back(happenings)


_RED = {
    "A": 13,
    "C": 2,
    "E": 3,
    "H": 4,
    "K": 5,
    "L": 6,
    "N": 7,
    "O": 8,
    "P": 9,
    "S": 10,
    "T": 11,
    "V": 12,
    "X": 1,
}
_WHITE = {**_RED, "A": 6, "L": 1, "X": 13}
AGENT_ON_A = {WHITE: _WHITE, RED: _RED}


def test_deals_name_the_double_agent_by_his_sign() -> None:
    text = write_record(opened(Variants(), deals=AGENT_ON_A), {})
    assert "White  = A6 C2 E3 H4 K5 L1 N7 O8 P9 S10 T11 V12 X?\n" in text
    assert "Red    = A? C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12 X1\n" in text


def test_the_head_says_what_is_played_with() -> None:
    everything = Variants(
        tokens={WHITE: frozenset(TOKENS), RED: frozenset(("swap",))},
        small_world=True,
        late_contact=True,
        comrade=True,
    )
    text = write_record(opened(everything), {"WhiteName": "Anna", "Variants": "none"})
    assert "Variants = small-world late-contact comrade\n" in text
    assert "WhiteTokens = reveal move swap\nRedTokens = swap\n" in text
    assert "WhiteName = Anna\n" in text
    assert text.count("Variants") == 1
    plain = write_record(opened(Variants()), {})
    assert "Variants" not in plain
    assert "Tokens" not in plain


SET_UP = "A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X1-1"


def test_a_set_up_stands_in_the_head_as_its_player_sees_it_and_only_once_he_may_be_read() -> None:
    happenings = opened(Variants(variable_setup=True))
    where, placed = say(folded(happenings), f"setup {SET_UP}", seat=WHITE)
    happenings += placed
    line = f"WhiteSetUp = {SET_UP}\n"
    assert line in write_record(happenings, {})
    assert line in write_record(heard_by(happenings, WHITE), {})
    assert "SetUp" not in write_record(heard_by(happenings, RED), {})
    assert "SetUp" not in write_record(heard_by_all(happenings, SEATS), {})
    assert_reads_back(happenings)
    happenings += say(where, f"setup {SET_UP}", seat=RED)[1]
    written = write_record(heard_by(happenings, RED), {})
    assert line in written
    assert f"RedSetUp = {SET_UP}\n" in written
    assert said(happenings) == [{"set_up": f"White={SET_UP}; Red={SET_UP}"}]
    assert_reads_back(happenings)


# Whose record holds what


def test_a_seats_record_before_the_end_lacks_its_own_deal_but_has_what_it_was_shown() -> None:
    happenings = tell("?A; C-NE1", "?X; A-S1", "H-N1")
    red, white = (write_record(heard_by(happenings, seat), {}) for seat in (RED, WHITE))
    assert "Red    =" not in red
    assert "White  = A1" in red
    assert "RedShown = A1\n" in red
    assert "WhiteShown" not in red
    assert "WhiteShown = X?\n" in white
    assert rows(red) == rows(white) == ["1. ?A (C-NE1) ?X A-S1", "2. [H-N1]"]
    for seat in SEATS:
        again = replay(write_record(heard_by(happenings, seat), {}), TABLE)
        assert [each.heard_by for each in again.happenings if each.code == SHOWN] == [
            frozenset((each,)) for each in SEATS[::-1]
        ]


def test_what_a_player_was_shown_in_a_turn_that_he_has_not_closed_is_not_in_the_record_yet() -> None:
    happenings = tell("C-NE1", "A-S1")
    happenings += say(folded(happenings), "?A")[1]
    assert "Shown" not in write_record(heard_by(happenings, RED), {})
    assert_reads_back(heard_by(happenings, RED))


def test_the_record_is_complete_after_the_end_for_everybody() -> None:
    happenings = tell("?A; C-NE1", "#L; A-S1", "H-N1")
    happenings += conclude(folded(happenings), Result(RED, "by resignation"))
    whole = write_record(happenings, {})
    assert rows(whole) == ["1. ?A (C-NE1) #L A-S1", "2. H-N1 White resigns"]
    assert "Shown" not in whole
    for seat in SEATS:
        assert write_record(heard_by(happenings, seat), {}) == whole
    assert write_record(heard_by_all(happenings, SEATS), {}) == whole


# What was taken back


def test_the_turn_before_one_that_was_taken_back_stands_again_with_what_it_is_answered_then() -> None:
    happenings = opened(Variants(), deals=AGENT_ON_A)
    where, heard = play(folded(happenings), "A-N4", "allow; A-S1", "C-N1")
    happenings += heard
    happenings.append(taken_back(Return(1, WHITE, "he was asked amiss"), BOTH))
    where = folded(COURSE.standing(happenings))
    _, heard = play(where, "deny; H-S1", "C-N1")
    happenings += heard
    assert rows(write_record(happenings, {})) == [
        "1. A-N4 A-S1",
        "2. [C-N1]",
        "taken back to 1 White: he was asked amiss",
        "1. (A-N4) H-S1",
        "2. [C-N1]",
    ]
    assert_reads_back(happenings)


def test_a_seal_that_the_clock_opened_is_taken_back_as_well() -> None:
    happenings = opened(Variants(), deals=AGENT_ON_A)
    _, heard = play(folded(happenings), "A-N4")
    happenings += heard
    happenings += by_the_clock(folded(happenings))[1]
    happenings.append(taken_back(Return(1, WHITE, ""), BOTH))
    assert rows(write_record(happenings, {})) == ["1. (A-N4)", "taken back to 1 White", "1. [A-N4]"]
    assert_reads_back(happenings)
