"""A command becomes events, or a fault that says why not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.common.errors import GameUnreadable
from referee.games.decisions import (
    Decision,
    ReadOrder,
    decide_cancel,
    decide_confirm,
    decide_offer,
    decide_order,
    decide_read_order,
    decide_resign,
    draw_seats,
    open_game,
    read_order,
)
from referee.games.events import (
    CheckedIn,
    Declined,
    Ended,
    EndOffered,
    Event,
    Frozen,
    OfferWithdrawn,
    Proposed,
    ResignationAsked,
    ResignationDropped,
    Ruled,
    Thawed,
    Withdrawn,
)
from referee.games.game import Game, fold_game
from referee.games.results import AGREEMENT, RESIGNATION, Offer
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.rulebook import OrderLine, Result, Seat

CONFUSION = find_rulebook("confusion")
WHITE, YELLOW = Seat("white"), Seat("yellow")
SECRET = bytes(range(32))
DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


def new_game(deal: str = DEAL) -> Game:
    opened = open_game(7, CONFUSION, {"first": "white"}, {YELLOW: 2, WHITE: 1}, SECRET, deal)
    return Game(number=7, rulebook=CONFUSION, status="proposed").after(opened)


def line(text: str, number: int = 1) -> OrderLine:
    return OrderLine(number, text)


def after(game: Game, decision: Decision) -> Game:
    assert decision.fault is None, decision.fault
    for event in decision.events:
        game = game.after(event)
    return game


def play(game: Game, *moves: str) -> Game:
    for move in moves:
        (seat,) = game.due
        game = after(game, decide_order(game, seat, line(move)))
    return game


def code(decision: Decision) -> str:
    assert not decision.events
    assert decision.fault is not None
    return decision.fault.code


def test_a_game_opens_with_both_seated_and_the_deal_bound() -> None:
    game = new_game()
    assert game.status == "playing"
    assert list(game.seats) == [WHITE, YELLOW]
    assert game.last_event == 1
    assert game.deal_set
    assert list(game.due) == [WHITE]
    assert game.commitment != new_game("").commitment
    assert len(game.commitment) == 64


def test_a_deal_that_nobody_set_follows_from_the_secret_alone() -> None:
    first, second = new_game(""), new_game("")
    assert first.position == second.position
    assert not first.deal_set


def test_the_deal_that_was_set_is_no_option() -> None:
    """Options are told to both players."""
    game = new_game()
    assert "deal" not in game.options
    for seat in (WHITE, YELLOW):
        (began, *_) = game.heard(seat)
        assert "deal" not in began.facts["options"]


def test_the_proposer_gets_the_colour_that_he_asked_for() -> None:
    assert draw_seats(CONFUSION, 1, 2, YELLOW, SECRET) == {YELLOW: 1, WHITE: 2}
    assert draw_seats(CONFUSION, 1, 2, WHITE, SECRET) == {WHITE: 1, YELLOW: 2}


def test_without_a_wish_the_seats_are_drawn_by_lot() -> None:
    drawn = [draw_seats(CONFUSION, 1, 2, None, bytes([n]) * 32) for n in range(20)]
    assert {WHITE: 1, YELLOW: 2} in drawn
    assert {WHITE: 2, YELLOW: 1} in drawn


def test_a_frozen_game_takes_no_order_until_it_is_thawed() -> None:
    game = new_game().after(Frozen("a ruling is checked."))
    refused = decide_order(game, WHITE, line("L-S2", 3))
    assert code(refused) == "game-frozen"
    assert refused.fault is not None
    assert refused.fault.sentence() == (
        "Line 3, column 1, `L-S2`: game 7 is frozen by the umpire (a ruling is checked), so nothing was done; "
        "you will hear when it goes on."
    )
    assert code(decide_order(game, WHITE, line("L-S99"))) != "game-frozen"
    assert play(game.after(Thawed()), "L-S2").last_event == 4


def test_an_order_is_ruled_on_and_the_turn_goes_over() -> None:
    decision = decide_order(new_game(), WHITE, line("l s2"))
    (event,) = decision.events
    assert isinstance(event, Ruled)
    assert (event.seat, event.order, decision.order) == (WHITE, "L-S2", "L-S2")
    assert list(after(new_game(), decision).due) == [YELLOW]


@pytest.mark.parametrize(
    ("seat", "text", "what"),
    [
        (YELLOW, "L-N1", "out-of-turn"),
        (WHITE, "L-N1", "own-piece"),
        (WHITE, "L-S9", "no-type-goes-so"),
    ],
)
def test_an_order_that_cannot_be_ruled_on_is_a_fault(seat: Seat, text: str, what: str) -> None:
    game = new_game()
    decision = decide_order(game, seat, line(text))
    assert code(decision) == what
    assert decision.fault is not None
    assert decision.fault.excerpt == text
    assert decision.fault.place is not None


def test_an_order_that_cannot_be_read_is_faulted_as_such_also_out_of_turn() -> None:
    """Whose turn it is does not help a writer who has mistyped."""
    assert "direction" in str(decide_order(new_game(), YELLOW, line("L-SS2")).fault)


def decide_after(game: Game, text: str, earlier: str) -> Decision:
    """Rule on White's order behind an earlier one of the same letter."""
    read, before = (read_order(game, each) for each in (line(text, 2), line(earlier)))
    assert isinstance(read, ReadOrder) and isinstance(before, ReadOrder)
    return decide_read_order(game, WHITE, read, [before])


def test_the_same_order_twice_in_a_letter_asks_for_nothing_more() -> None:
    game = play(new_game(), "L-S2")
    assert decide_after(game, "l - s 2", "L-S2") == Decision()


def test_another_order_in_the_same_letter_is_one_too_many() -> None:
    game = play(new_game(), "L-S2")
    decision = decide_after(game, "K-S1", "L-S2")
    assert code(decision) == "one-attempt"
    assert decision.fault is not None
    assert "L-S2" in decision.fault.reason()


def test_resigning_in_a_letter_of_its_own_acts_at_once() -> None:
    game = after(new_game(), decide_resign(new_game(), WHITE, whole_letter=True))
    assert game.status == "ended"
    assert game.result == Result(YELLOW, RESIGNATION)


def test_resigning_among_other_things_waits_for_a_confirmation() -> None:
    asked = decide_resign(new_game(), YELLOW, whole_letter=False)
    assert asked.events == (ResignationAsked(YELLOW),)
    game = after(new_game(), asked)
    assert game.status == "playing"
    assert code(decide_confirm(game, WHITE)) == "nothing-to-confirm"
    ended = after(game, decide_confirm(game, YELLOW))
    assert ended.result == Result(WHITE, RESIGNATION)
    assert not ended.resigning


def test_a_move_takes_an_unconfirmed_resignation_back() -> None:
    game = play(after(new_game(), decide_resign(new_game(), WHITE, whole_letter=False)), "L-S2")
    assert not game.resigning
    assert code(decide_confirm(game, WHITE)) == "nothing-to-confirm"


def test_a_draw_is_offered_and_agreed() -> None:
    game = after(new_game(), decide_offer(new_game(), WHITE, "draw"))
    assert game.offer == Offer(WHITE, "draw")
    assert code(decide_offer(game, WHITE, "draw")) == "offered-already"
    ended = after(game, decide_offer(game, YELLOW, "draw"))
    assert ended.status == "ended"
    assert ended.result == Result(None, AGREEMENT)


def test_a_draw_offer_stands_over_ones_own_move_and_lapses_with_the_others() -> None:
    game = play(after(new_game(), decide_offer(new_game(), WHITE, "draw")), "L-S2")
    assert game.offer == Offer(WHITE, "draw")
    assert play(game, "C-N1").offer is None


def test_what_waits_can_be_cancelled_by_its_owner_alone() -> None:
    game = after(new_game(), decide_offer(new_game(), WHITE, "draw"))
    game = after(game, decide_resign(game, WHITE, whole_letter=False))
    assert code(decide_cancel(game, YELLOW)) == "nothing-to-cancel"
    cancelled = decide_cancel(game, WHITE)
    assert cancelled.events == (OfferWithdrawn(WHITE, "draw"), ResignationDropped(WHITE))
    assert code(decide_cancel(after(game, cancelled), WHITE)) == "nothing-to-cancel"


def test_nothing_can_be_ruled_on_after_the_end() -> None:
    game = after(new_game(), decide_resign(new_game(), WHITE, whole_letter=True))
    assert code(decide_order(game, YELLOW, line("L-N2"))) == "game-over"
    assert not game.due


def test_the_end_shows_both_deals_to_both() -> None:
    game = new_game()
    assert game.view(WHITE).own_types is None
    game = after(game, decide_resign(game, WHITE, whole_letter=True))
    for seat in (WHITE, YELLOW):
        assert game.view(seat).own_types == game.position.deals[seat]


def test_a_game_is_the_fold_of_its_events() -> None:
    events: list[Event] = [
        Proposed(by=1, to=2, rules="confusion", options={"sheets": "off"}),
        open_game(7, CONFUSION, {"first": "white"}, {WHITE: 1, YELLOW: 2}, SECRET),
        CheckedIn(WHITE),
        EndOffered(WHITE, "draw"),
    ]
    folded = fold_game(7, events, find_rulebook)
    assert folded is not None
    assert folded.last_event == 4
    assert folded.proposed_by == 1
    assert folded.checked_in == {WHITE}
    moved = decide_order(folded, WHITE, line("L-S1"))
    again = fold_game(7, [*events, *moved.events], find_rulebook)
    assert again == after(folded, moved)


def test_a_seats_view_is_at_all_times_what_it_heard_adds_up_to() -> None:
    """It is kept from happening to happening, and holds nothing that the seat did not hear."""
    game = new_game("")
    for _ in range(12):
        for seat in (WHITE, YELLOW):
            heard = tuple(each for each in game.happenings if seat in each.heard_by)
            assert game.heard(seat) == heard
            assert game.view(seat) == CONFUSION.rules.view(heard, seat)
        (seat,) = game.due
        game = play(game, game.due[seat].forms[0])
    with pytest.raises(LookupError):
        game.view(Seat("red"))


def test_a_proposal_ends_declined_or_withdrawn() -> None:
    proposed = Proposed(by=1, to=2, rules="confusion")
    for event, status in ((Declined(2), "declined"), (Withdrawn(1), "withdrawn")):
        game = fold_game(7, [proposed, event], find_rulebook)
        assert game is not None
        assert game.status == status
        assert game.result is None


def test_no_events_make_no_game_and_a_game_cannot_begin_in_the_middle() -> None:
    assert fold_game(7, [], find_rulebook) is None
    with pytest.raises(GameUnreadable, match=r"game 7 .*\(TypeError\)"):
        fold_game(7, [CheckedIn(WHITE)], find_rulebook)


def test_a_game_concerns_those_who_sit_in_it_who_proposed_it_and_who_were_asked() -> None:
    game = fold_game(7, [Proposed(by=1, to=2, rules="confusion")], find_rulebook)
    assert game is not None
    assert game.concerns(1)
    assert game.concerns(2)
    assert not game.concerns(3)
    assert game.seat_of(1) is None
    assert new_game().seat_of(2) == YELLOW


def test_a_game_shows_nothing_hidden_when_it_is_printed() -> None:
    shown = repr(replace(new_game()))
    assert "types" not in shown
    assert "position" not in shown
    assert "secret" not in shown


def test_an_end_off_the_board_after_the_end_adds_nothing() -> None:
    game = after(new_game(), decide_resign(new_game(), WHITE, whole_letter=True))
    again = game.after(
        Ended(Result(WHITE, RESIGNATION), CONFUSION.rules.conclude(game.position, Result(WHITE, RESIGNATION)))
    )
    assert again.result == Result(YELLOW, RESIGNATION)
