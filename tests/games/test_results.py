"""How a game ends by what both players agree on, and by an umpire's ruling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.decisions import (
    adjudicate_game,
    decide_agree,
    decide_cancel,
    decide_offer,
    decide_order,
)
from referee.games.events import Ended, EndOffered, OfferWithdrawn, read_event
from referee.games.game import Game
from referee.games.results import ABANDONED, AGREEMENT, Offer, adjudicated, agreed, ruling_of, tidy_reason
from referee.rulebooks.rulebook import Result, Seat
from tests.games.test_decisions import WHITE, YELLOW, after, code, line, new_game, play

ENDS = ("white", "yellow", "draw", "none")
RESULTS = {
    "white": Result(WHITE, AGREEMENT),
    "yellow": Result(YELLOW, AGREEMENT),
    "draw": Result(None, AGREEMENT),
    "none": Result(None, ABANDONED, void=True),
}


def offered(end: str, by: Seat = WHITE) -> Game:
    return after(new_game(), decide_offer(new_game(), by, end, after=3))


@pytest.mark.parametrize("end", ENDS)
def test_what_is_proposed_waits_until_the_other_agrees(end: str) -> None:
    game = offered(end)
    assert (game.status, game.offer) == ("playing", Offer(WHITE, end, 3))
    for decision in (decide_agree(game, YELLOW, seen=True), decide_offer(game, YELLOW, end)):
        ended = after(game, decision)
        assert (ended.status, ended.result, ended.offer) == ("ended", RESULTS[end], None)
        assert ended.view(WHITE).own_types == ended.position.deals[WHITE], (
            "the types are shown, as at any end"
        )


@pytest.mark.parametrize("end", ENDS)
def test_nobody_agrees_to_his_own_proposal(end: str) -> None:
    game = offered(end)
    assert code(decide_offer(game, WHITE, end)) == "offered-already"
    assert code(decide_agree(game, WHITE, seen=True)) == "nothing-to-agree"


def test_there_is_nothing_to_agree_to_where_nothing_is_proposed() -> None:
    assert code(decide_agree(new_game(), WHITE, seen=True)) == "nothing-to-agree"
    lapsed = play(offered("none", YELLOW), "L-S2")
    assert code(decide_agree(lapsed, WHITE, seen=True)) == "nothing-to-agree"


@pytest.mark.parametrize("by", [WHITE, YELLOW])
def test_another_end_takes_the_place_of_what_was_proposed(by: Seat) -> None:
    game = after(offered("draw"), decide_offer(offered("draw"), by, "yellow"))
    assert game.offer == Offer(by, "yellow")
    other = YELLOW if by == WHITE else WHITE
    assert after(game, decide_agree(game, other, seen=True)).result == RESULTS["yellow"]


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ("draw", "what White proposes now, a draw, is not in the letter that you answer"),
        ("yellow", "what White proposes now, that Yellow has won, is not in the letter that you answer"),
        ("none", "what White proposes now, to give the game up without a result, is not in the letter"),
    ],
)
def test_the_bare_word_does_not_agree_to_what_its_writer_has_not_seen(end: str, says: str) -> None:
    refused = decide_agree(offered(end), YELLOW, seen=False)
    assert code(refused) == "other-offer"
    assert refused.fault is not None
    assert refused.fault.sentence().startswith(says)
    assert refused.fault.suggestion == f"agree {end}"


@pytest.mark.parametrize("end", ENDS)
def test_a_proposal_stands_over_ones_own_move_and_lapses_with_the_others(end: str) -> None:
    game = play(offered(end), "L-S2")
    assert game.offer == Offer(WHITE, end, 3)
    assert play(game, "C-N1").offer is None


def test_a_proposal_is_taken_back_by_its_owner_alone() -> None:
    game = offered("none")
    assert code(decide_cancel(game, YELLOW)) == "nothing-to-cancel"
    assert decide_cancel(game, WHITE).events == (OfferWithdrawn(WHITE, "none"),)
    assert after(game, decide_cancel(game, WHITE)).offer is None


def test_a_draw_offer_that_was_kept_before_other_ends_could_be_proposed_is_one_still() -> None:
    assert read_event("DrawOffered", {"seat": "white"}) == EndOffered(WHITE, "draw")
    assert read_event("DrawWithdrawn", {"seat": "white"}) == OfferWithdrawn(WHITE, "draw")


@given(
    st.lists(
        st.tuples(
            st.sampled_from([WHITE, YELLOW]),
            st.sampled_from([*ENDS, "agree", "agree unseen", "cancel", "move"]),
        ),
        max_size=12,
    )
)
def test_an_end_by_agreement_needs_the_words_of_both_seats(said: list[tuple[Seat, str]]) -> None:
    """Whatever two players write, in any order: no game ends unless the one has proposed that end, last of all that
    was proposed, has not taken it back, and the other has agreed to it before moving."""
    game = new_game()
    proposed: tuple[Seat, str] | None = None
    for seat, word in said:
        match word:
            case "move":
                if seat not in game.due:
                    continue
                decision = decide_order(game, seat, line(game.due[seat].forms[0]))
                if proposed and proposed[0] != seat:
                    proposed = None
            case "cancel":
                decision = decide_cancel(game, seat)
                if proposed and proposed[0] == seat:
                    proposed = None
            case "agree" | "agree unseen":
                decision = decide_agree(game, seat, seen=word == "agree")
                agrees = word == "agree" and proposed is not None and proposed[0] != seat
                assert any(isinstance(event, Ended) for event in decision.events) == agrees
            case _:
                decision = decide_offer(game, seat, word)
                agrees = proposed is not None and proposed[0] != seat and proposed[1] == word
                assert any(isinstance(event, Ended) for event in decision.events) == agrees
                if not agrees:
                    proposed = (seat, word)
        for event in decision.events:
            game = game.after(event)
        if game.status == "ended":
            assert proposed is not None
            assert game.result == RESULTS[proposed[1]]
            return
        assert game.offer == (Offer(*proposed) if proposed else None)


@pytest.mark.parametrize("end", ENDS)
def test_an_umpire_ends_a_game_with_his_reason(end: str) -> None:
    game = offered("draw").after(adjudicate_game(offered("draw"), end, "White has left; see the rules."))
    winner = Seat(end) if end in ("white", "yellow") else None
    assert game.result == Result(winner, "adjudicated: White has left, see the rules", void=end == "none")
    assert (game.status, game.offer) == ("ended", None)
    assert game.result is not None
    assert ruling_of(game.result) == "White has left, see the rules"


@given(st.text(max_size=80))
def test_a_reason_is_tidied_once_and_for_all(reason: str) -> None:
    tidy = tidy_reason(reason)
    assert tidy_reason(tidy) == tidy
    assert ";" not in tidy
    assert "\n" not in tidy


def test_what_players_agree_on_is_no_ruling() -> None:
    assert not any(ruling_of(agreed(end)) for end in ENDS)
    assert ruling_of(adjudicated("draw", "so be it")) == "so be it"
