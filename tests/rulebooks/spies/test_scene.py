"""What letters show of a game of spies: the board that its reader will find, and what waits for an answer (CF-10.8)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee.common.faults import Fault
from referee.rulebooks.confusion.compass import WHITE
from referee.rulebooks.rulebook import OBSERVER, OrderLine, Seat
from referee.rulebooks.spies.edition import RED, SEATS, TOKENS, Variants
from referee.rulebooks.spies.happenings import CONFIDED
from referee.rulebooks.spies.reading import read_orders
from referee.rulebooks.spies.scene import Scene
from referee.rulebooks.spies.setting_up import read_set_up, usual
from tests.rulebooks.spies.games import game_by
from tests.rulebooks.spies.letters import SPIES, State, game, heard, states
from tests.rulebooks.spies.tables import ALL_TOKENS, IDENTITY

WORDS = {"yes": "yes", "no": "no", "sealed": "sealed", "lapsed": "lapsed"}


def scene(state: State | str, seat: Seat, *, told: int | None = None) -> Scene:
    """Return what a letter to a seat shows, with what came last as its news."""
    if isinstance(state, str):
        state = states()[state]
    all_heard = heard(state.happenings, seat)
    before = heard(state.happenings[: len(state.happenings) - state.new], seat)
    view = SPIES.rules.view(all_heard, seat)
    return SPIES.presentation.scene(view, all_heard, len(before) if told is None else told)


def test_the_side_to_move_sees_the_board_that_it_will_find() -> None:
    mover, other = scene("sealed", RED), scene("sealed", WHITE)
    assert mover.piece(RED, "L").square == (9, 2)
    assert other.piece(RED, "L").square == (9, 3)
    assert other.ahead and not mover.ahead
    assert other.ordered is not None and other.ordered.known
    assert [(told.what, told.text) for told in other.ordered.brings] == [("attempt", "L-N1")]
    assert mover.ordered is not None and mover.ordered.mine and not mover.ordered.known
    assert mover.ordered.brings == ()


def test_who_is_asked_sees_where_the_order_would_lead_and_two_lines_that_answer_it() -> None:
    shown = scene("asked", WHITE)
    assert shown.asks and not shown.ahead
    assert shown.ordered is not None
    assert (shown.ordered.asked, shown.ordered.letter, shown.ordered.answer) == ("X-N1", "X", None)
    assert shown.piece(RED, "X").square == (6, 1)
    assert shown.drawing[2].split()[6] == "?"
    assert shown.open_end
    view = SPIES.rules.view(heard(states()["asked"].happenings, WHITE), WHITE)
    reading = read_orders(view, [OrderLine(1, "deny"), OrderLine(2, shown.second_line)])
    assert reading.faults == () and len(reading.orders) == 2


@pytest.mark.parametrize(
    ("name", "answer", "said", "square"),
    [
        ("answer confided", "allow", True, (6, 2)),
        ("answered by instruction", "deny", False, (6, 1)),
    ],
)
def test_what_was_answered_is_on_the_board(
    name: str, answer: str, said: bool, square: tuple[int, int]
) -> None:
    shown = scene(name, WHITE)
    assert shown.ordered is not None
    assert (shown.ordered.answer, shown.ordered.said) == (answer, said)
    assert not shown.asks and shown.second_line == ""
    assert shown.piece(RED, "X").square == square


def test_the_other_side_sees_nothing_of_what_was_confided() -> None:
    plain = scene("asked", RED, told=0)
    for name in ("answer confided", "answered by instruction"):
        assert scene(name, RED, told=0) == plain
    assert scene("action confided", RED, told=0) == scene("sealed", RED, told=0)
    assert scene("one arranged", WHITE, told=0) == scene("arranging", WHITE, told=0)


def test_the_mover_cannot_tell_whether_his_opponent_is_asked() -> None:
    """Two deals that differ in who is the double agent, and of which the mover has heard the same so far (CF-10.8)."""
    swapped = {**IDENTITY, "L": IDENTITY["X"], "X": IDENTITY["L"]}
    turns = ((RED, "A-N1"), (WHITE, "A-S1"), (RED, "X-N1"))
    one, other = (
        game(Variants(), *turns, deals={WHITE: IDENTITY, RED: deal}) for deal in (IDENTITY, swapped)
    )
    assert scene(one, WHITE).asks and not scene(other, WHITE).asks
    assert scene(one, RED) == scene(other, RED)


def test_what_goes_before_the_move_is_on_the_board_of_who_wants_it_alone() -> None:
    shown = scene("action confided", WHITE)
    assert shown.piece(WHITE, "A").square is None
    assert shown.own is not None and shown.own.action == "#A"
    assert shown.own.before is not None and shown.own.before.what == "removed"
    assert scene("action confided", RED).piece(WHITE, "A").square == (9, 10)


def test_what_was_done_before_moves_is_told_to_both() -> None:
    variants = Variants(tokens=ALL_TOKENS)
    told = {
        seat: [
            (each.what, each.letter, each.other)
            for each in scene(
                game(
                    variants,
                    (RED, "A<>C; L-N1"),
                    (WHITE, "?V; C-S1"),
                    (RED, "#H; L-N1"),
                    (WHITE, "#xX; C-S1"),
                ),
                seat,
                told=0,
            ).told
            if each.what not in ("attempt", "passed")
        ]
        for seat in SEATS
    }
    swapped, removed, exposed = ("swapped", "A", "C"), ("removed", "H", ""), ("exposed", "X", "")
    assert told[RED] == [swapped, ("revealed", "V", ""), removed, exposed]
    # Who was shown his spy was told so when he asked.
    assert told[WHITE] == [swapped, ("shown", "V", ""), removed, exposed]


def test_a_spy_that_was_shown_to_its_player_is_named_to_him() -> None:
    shown = scene("tokens", WHITE)
    kind = shown.piece(WHITE, "V").kind
    assert kind is not None and kind.number == "12"
    assert shown.piece(WHITE, "A").kind is None
    assert shown.tokens == {WHITE: ("move", "swap"), RED: ("reveal",)}


def test_a_turn_stands_in_the_list_with_all_that_was_done_in_it() -> None:
    assert scene("a round", RED).history(WORDS, "-", ".") == [
        ("1.", "L-N1 yes", "#A"),
        ("", "", "L-S1 yes"),
        ("2.", "#xX", "C-S1 sealed"),
        ("", "L-N1 yes", ""),
    ]


def test_an_attempt_that_lapsed_stands_so() -> None:
    lapsing = game(
        Variants(tokens=ALL_TOKENS), (RED, "E-N1 & H-NW1"), (WHITE, "A-S1"), (RED, "A-N1"), (WHITE, "A-E1")
    )
    assert [cells[1] for cells in scene(lapsing, RED).history(WORDS)][:2] == ["E-N1 yes", "H-NW1 no"]
    same_square = game(
        Variants(tokens=ALL_TOKENS), (RED, "H-NW1 & E-NE1"), (WHITE, "A-S1"), (RED, "A-N1"), (WHITE, "A-E1")
    )
    deals = {WHITE: IDENTITY, RED: {**IDENTITY, "H": 6, "L": 4}}
    lapsed = game(
        Variants(tokens=ALL_TOKENS),
        *((RED, "H-NW1 & E-NE1"), (WHITE, "A-S1"), (RED, "A-N1"), (WHITE, "A-E1")),
        deals=deals,
    )
    assert [cells[1] for cells in scene(same_square, RED).history(WORDS)][:2] == ["H-NW1 no", "E-NE1 no"]
    assert [cells[1] for cells in scene(lapsed, RED).history(WORDS)][:2] == ["H-NW1 yes", "E-NE1 lapsed"]


def test_while_the_spies_are_arranged_only_ones_own_are_seen() -> None:
    owing, waiting = scene("one arranged", WHITE), scene("one arranged", RED)
    assert owing.setting_up and waiting.setting_up
    assert owing.to_move is None
    assert not any(line.square for line in (*owing.mine, *owing.theirs))
    assert all(line.square for line in waiting.mine)
    assert not any(line.square for line in waiting.theirs)
    assert waiting.own is not None and waiting.own.placed
    both = scene("arranged", WHITE)
    assert not both.setting_up
    assert all(line.square for line in (*both.mine, *both.theirs))
    assert [told.what for told in both.told] == ["set-up"]


@pytest.mark.parametrize("small_world", [False, True])
@pytest.mark.parametrize("code_of_honour", [False, True])
def test_the_set_up_that_is_drawn_for_a_player_is_one_that_he_may_send(
    small_world: bool, code_of_honour: bool
) -> None:
    variants = Variants(variable_setup=True, small_world=small_world, code_of_honour=code_of_honour)
    shown = scene(game(variants), WHITE, told=0)
    read = read_set_up("\n".join(("setup", *shown.ranks)), shown.edition)
    assert not isinstance(read, Fault)
    assert read == usual(shown.edition)


def test_dark_files_are_drawn_as_such() -> None:
    lines = scene("small world", RED).drawing
    assert all(line[3] == line[33] == "/" for line in lines[1:-1])
    assert max(map(len, lines)) <= 38
    assert "/" not in "".join(scene("sealed", RED).drawing)


def test_a_double_agent_that_betrays_itself_is_told() -> None:
    asked, told = scene("comrade asked", WHITE), scene("comrade unmasked", RED)
    assert asked.ordered is not None and asked.ordered.wishes
    assert [each.what for each in told.told] == ["attempt", "unmasked"]
    assert told.told[1].other == "A"
    assert told.removed[RED] == ("X",) and told.unmasked == {RED: "X"}
    kind = told.piece(RED, "X").kind
    assert kind is not None and kind.number == "?"
    assert not scene("comrade unmasked", WHITE).agent


def test_an_order_that_ends_the_game_is_announced_to_who_will_open_it() -> None:
    deals = {WHITE: IDENTITY, RED: {**IDENTITY, "X": 1, "A": 13}}
    turns: list[tuple[Seat, str]] = [(RED, "X-N3"), (WHITE, "A-E1"), (RED, "X-N2xZ"), (WHITE, "A-E1")]
    turns += [(RED, "XZ-N4"), (WHITE, "A-E1"), (RED, "XZ-N1")]
    near = game(Variants(), *turns, deals=deals)
    shown = scene(near, WHITE)
    assert shown.ordered is not None and shown.ordered.ends is not None
    assert shown.ordered.ends.winner == RED
    assert shown.result is None
    assert scene(near, RED).ordered is not None
    assert scene(near, RED).ordered.ends is None  # type: ignore[union-attr]


def test_who_watches_hears_what_both_hear_and_has_confided_nothing() -> None:
    for name in states():
        shown = scene(name, OBSERVER)
        assert shown.observed and shown.own is None
        if shown.result is None:
            known = {(line.seat, line.letter) for line in (*shown.mine, *shown.theirs) if line.kind}
            assert known == set(shown.unmasked.items())
            assert not shown.ahead and not shown.asks


@pytest.mark.parametrize("seed", range(6))
def test_a_scene_follows_from_what_its_seat_has_heard_alone(seed: int) -> None:
    """Whatever the other side confides leaves it as it is, along a game with all variants."""
    random = Random(seed)
    variants = Variants(
        small_world=seed % 2 == 0,
        comrade=seed % 3 == 0,
        variable_setup=seed % 3 == 1,
        tokens=dict.fromkeys(SEATS, frozenset(TOKENS)),
    )
    happenings = game_by(random, variants, 12)
    for until in range(3, len(happenings) + 1):
        last = happenings[until - 1]
        if last.code not in CONFIDED:
            continue
        (teller,) = last.heard_by
        other = RED if teller == WHITE else WHITE
        now, before = (State(tuple(happenings[:end]), 0) for end in (until, until - 1))
        assert scene(now, other, told=0) == scene(before, other, told=0)
        assert replace(scene(now, teller, told=0), own=None) is not None
