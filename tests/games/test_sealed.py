"""Sealed answers: orders that nobody else hears of, turns that are answered with the next one, and what acts do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import pytest

from referee.common.faults import Fault
from referee.games.cases import Happened, actions_of
from referee.games.clock_events import dated, facts_after
from referee.games.clocks import ledger
from referee.games.decisions import (
    Decision,
    ReadOrder,
    decide_order,
    decide_read_order,
    open_game,
    read_order,
)
from referee.games.events import (
    Confided,
    Ended,
    EndOffered,
    Event,
    PlanDropped,
    Planned,
    Ruled,
    SealOpened,
    TakenBack,
    TimeAdded,
    TimeUp,
    Watched,
)
from referee.games.evidence import brought_by, gather
from referee.games.game import Game, happenings_of
from referee.games.plan_execution import follow_plan
from referee.games.summary import outline_of
from referee.games.umpire_actions import ActFor, Correct, Restore, TakeBack, decide_act, stands_at
from referee.games.umpire_log import acts_among, acts_beside_the_moves
from referee.rulebooks.rulebook import OBSERVER, OrderLine, Result, Seat
from tests.games.sealed_toy import OVERHEARD, SEALED_ANSWERS, WHITE, YELLOW, Known, SealedToy, ToyRecords

SECRET = bytes(range(32))
DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"
NOW = datetime(2026, 11, 27, 17, 0, tzinfo=UTC)
UMPIRE = 9


def new_game(*, set_up: bool = False, **options: str) -> Game:
    toy = SealedToy(set_up=set_up)
    opened = open_game(7, toy, {"first": "white", **options}, {WHITE: 1, YELLOW: 2}, SECRET, DEAL)
    return Game(number=7, rulebook=toy, status="proposed").after(opened)


def says(game: Game, seat: Seat, text: str) -> Game:
    return after(game, *decided(game, seat, text))


def decided(game: Game, seat: Seat, text: str) -> tuple[Event, ...]:
    decision = decide_order(game, seat, OrderLine(1, text))
    assert decision.fault is None, decision.fault
    return decision.events


def after(game: Game, *events: Event) -> Game:
    for event in events:
        game = game.after(event)
    return game


def play(game: Game, *orders: str) -> Game:
    """Let whoever is to move give orders, one after the other."""
    for order in orders:
        (seat,) = game.due
        game = says(game, seat, order)
    return game


def acted(game: Game, act: TakeBack | Correct | Restore | ActFor) -> tuple[Event, ...]:
    found = decide_act(game, act, "It was misread.", UMPIRE, NOW)
    assert not isinstance(found, Fault), found
    return found


def refused(game: Game, act: TakeBack | Correct | Restore | ActFor) -> Fault:
    found = decide_act(game, act, "It was misread.", UMPIRE, NOW)
    assert isinstance(found, Fault), found
    return found


def words(game: Game) -> list[tuple[str, list[str]]]:
    """Return what was whispered, as all have heard it when a turn was opened, of what stands."""
    heard = game.rulebook.rules.standing(game.happenings)
    return [(each.facts["seat"], each.facts["words"]) for each in heard if each.code == OVERHEARD]


def tried(game: Game) -> list[str]:
    return [
        each.facts["text"]
        for each in game.rulebook.rules.standing(game.happenings)
        if each.code == "attempted"
    ]


# orders of which nobody else hears


def test_an_order_that_nobody_else_hears_of_is_confided() -> None:
    (event,) = decided(new_game(), WHITE, "whisper hello")
    assert isinstance(event, Confided)
    assert (event.seat, event.order, event.moved, event.received) == (WHITE, "whisper hello", False, None)


def test_what_is_confided_changes_nothing_that_anybody_else_could_notice() -> None:
    game = new_game()
    game = after(play(game, "L-S2"), EndOffered(WHITE, "draw"), Watched(5), Planned(WHITE, "A-S1"))
    later = says(game, YELLOW, "whisper hello")
    # what is kept of it, and who knows of it: its seat and the whole truth
    apart = {"position", "happenings", "views", "orders", "stands", "last_event"}
    for each in fields(Game):
        if each.name not in apart and not each.name.startswith("_"):
            assert getattr(later, each.name) == getattr(game, each.name), each.name
    assert later.heard(WHITE) == game.heard(WHITE)
    assert later.heard(OBSERVER) == game.heard(OBSERVER)
    assert later.view(WHITE) == game.view(WHITE)
    assert later.view(OBSERVER) == game.view(OBSERVER)
    assert later.receipt == game.receipt
    assert later.due == game.due
    assert stands_at(later) == stands_at(game)
    assert outline_of(later) == replace(outline_of(game) or pytest.fail(), last_event=later.last_event)
    view = later.view(YELLOW)
    assert isinstance(view, Known) and view.said == ("hello",)


def test_no_receipt_binds_what_is_confided_even_where_a_rulebook_would_record_it() -> None:
    class Talkative(ToyRecords):
        def recorded(self, happening):  # type: ignore[no-untyped-def]
            return {"order": happening.code}

    toy = SealedToy()
    toy.records = Talkative(None)
    game = replace(new_game(), rulebook=toy)
    assert says(game, WHITE, "whisper hello").receipt == game.receipt
    assert says(game, WHITE, "L-S2").receipt != game.receipt


def test_a_turn_is_answered_with_the_other_side_s_next_one() -> None:
    game = play(new_game(), "L-S2")
    assert tried(game) == []
    assert list(game.due) == [YELLOW]
    game = play(game, "whisper one", "whisper two", "A-N1")
    assert tried(game) == ["L-S2"]
    assert words(game) == [(YELLOW, ["one", "two"])]
    assert game.heard(WHITE)[-1] == game.heard(YELLOW)[-1] == game.happenings[-1]


def test_orders_for_any_time_are_taken_out_of_turn_and_others_are_not() -> None:
    game = new_game()
    (event,) = decided(game, YELLOW, "ever no")
    assert isinstance(event, Confided) and not event.moved
    fault = decide_order(game, YELLOW, OrderLine(3, "whisper no")).fault
    assert fault is not None and fault.code == "out-of-turn"
    assert fault.suggestion == "", "no plan could hold it"
    assert "send it with your next move" in fault.sentence()
    move = decide_order(game, YELLOW, OrderLine(3, "A-N1")).fault
    assert move is not None and move.suggestion == "try A-N1"


def decide_after(game: Game, text: str, earlier: Sequence[str]) -> Decision:
    """Rule on White's order behind earlier ones of the same letter."""
    read = [read_order(game, OrderLine(place, each)) for place, each in enumerate((*earlier, text), 1)]
    orders = [each for each in read if isinstance(each, ReadOrder)]
    assert len(orders) == len(read)
    return decide_read_order(game, WHITE, orders[-1], orders[:-1])


def test_a_letter_holds_any_number_of_confided_orders_and_one_that_makes_a_turn() -> None:
    earlier = ["whisper one", "L-S2"]
    game = play(new_game(), "whisper one", "L-S2")
    again = decide_after(game, "whisper one", earlier)
    assert again == Decision(), "the same words ask for nothing more"
    second = decide_after(game, "A-S1", earlier).fault
    assert second is not None and second.code == "one-attempt" and second.facts["move"] == "L-S2"
    only_whispered = decide_after(says(new_game(), WHITE, "whisper one"), "L-S2", earlier[:1])
    assert isinstance(only_whispered.events[0], Ruled)


def test_the_set_up_that_comes_first_is_confided_and_stops_that_seat_s_clock() -> None:
    game = new_game(set_up=True)
    assert list(game.due) == [WHITE, YELLOW]
    given = TimeAdded(WHITE, 3600, NOW)
    game = after(game, given, TimeUp(WHITE, NOW))
    (first,) = decided(game, WHITE, "ready secretly")
    assert isinstance(first, Confided) and first.moved
    game = game.after(first)
    assert list(game.due) == [YELLOW]
    assert game.given == ()
    assert game.time_up == frozenset()
    (second,) = decided(game, YELLOW, "ready openly")
    assert isinstance(second, Ruled)
    assert list(game.after(second).due) == [WHITE]


# clocks


def test_no_clock_stops_for_what_is_confided_unless_nothing_is_due_any_more() -> None:
    facts = (ledger.Started(WHITE, NOW),)
    plain, moved = Confided(WHITE, "whisper", ()), Confided(WHITE, "ready", (), moved=True)
    assert dated(plain, NOW, NOW) == plain
    assert facts_after(facts, dated(plain, NOW, NOW), (WHITE, YELLOW)) == facts
    came = NOW + timedelta(hours=1)
    dated_move = dated(moved, NOW + timedelta(hours=2), came)
    assert facts_after(facts, dated_move, (WHITE, YELLOW)) == (*facts, ledger.Moved(WHITE, came))
    again = replace(moved, received=came, again=True)
    assert facts_after(facts, again, (WHITE, YELLOW)) == facts, "by the act that put it back all clocks stand"


def test_an_opening_stops_the_clocks_only_where_the_game_ends_by_it() -> None:
    game = play(new_game(time="3d/move"), "L-S2")
    opened = dated(SealOpened(SEALED_ANSWERS.unseal(game.position)), NOW, NOW)
    assert isinstance(opened, SealOpened) and opened.at == NOW
    assert game.after(opened).times == game.times
    over = replace(
        opened, happenings=game.rulebook.rules.conclude(game.position, Result(WHITE, "by holding Z"))
    )
    assert game.after(over).status == "ended"
    assert game.after(over).times == (*game.times, ledger.Ended(NOW))


def test_what_was_opened_by_the_clock_is_not_opened_again() -> None:
    game = play(new_game(), "L-S2", "whisper late")
    opened = SealOpened(SEALED_ANSWERS.unseal(game.position))
    assert happenings_of(opened) == opened.happenings
    game = game.after(opened)
    assert tried(game) == ["L-S2"]
    assert list(game.due) == [YELLOW], "the turn stays his"
    assert SEALED_ANSWERS.unseal(game.position) == ()
    game = play(game, "A-N1")
    assert tried(game) == ["L-S2"]
    assert words(game) == [(YELLOW, ["late"])]


# plans


def test_a_plan_goes_on_only_while_the_rules_let_it() -> None:
    game = after(new_game(), Planned(YELLOW, "A-N1"))
    game = play(game, "L-S2")
    stopped = follow_plan(game, YELLOW)
    assert stopped is not None and stopped.why == "refused"
    assert stopped.event == PlanDropped(YELLOW, "refused")
    assert stopped.fault is not None and stopped.fault.code == "toy-plan"
    followed = follow_plan(says(game, YELLOW, "ever yes"), YELLOW)
    assert followed is not None and isinstance(followed.event, Ruled)


def test_what_is_confided_ends_no_plan_and_no_plan_confides() -> None:
    game = play(after(new_game(), Planned(YELLOW, "whisper no")), "L-S2")
    game = says(game, YELLOW, "ever yes")
    assert YELLOW in game.plans
    stopped = follow_plan(game, YELLOW)
    assert stopped is not None and stopped.why == "refused"
    assert stopped.fault is not None and stopped.fault.code == "plan-no-turn"


# what umpires do


def test_a_turn_that_is_taken_back_takes_what_was_confided_in_it() -> None:
    game = play(new_game(), "whisper one", "L-S2", "whisper two", "A-N1")
    back, *more = acted(game, TakeBack(2, YELLOW))
    assert isinstance(back, TakenBack) and not more
    game = game.after(back)
    assert tried(game) == [] and list(game.due) == [YELLOW]
    assert YELLOW not in game.position.said
    assert [each.event.seat for each in game.orders if not isinstance(each.event, SealOpened)] == [
        WHITE,
        WHITE,
    ]
    assert words(play(game, "A-N1")) == [(YELLOW, [])]


def test_whether_anything_was_confided_in_a_turn_shows_in_no_act() -> None:
    quiet = play(new_game(), "L-S2")
    busy = says(says(quiet, YELLOW, "whisper no"), YELLOW, "ever yes")
    for act in (TakeBack(2, YELLOW), TakeBack(2, WHITE), Correct("A-N1", 2, YELLOW)):
        assert refused(busy, act) == refused(quiet, act)
    for act in (TakeBack(1, WHITE), Correct("A-S1")):
        done = [
            tuple(each for each in acted(game, act) if not isinstance(each, Confided))
            for game in (quiet, busy)
        ]
        assert done[0] == done[1]
    for order in ("A-N1", "A-N4", "whisper no", "nothing at all"):
        found = [decide_act(game, ActFor(YELLOW, order), "Why.", UMPIRE, NOW) for game in (quiet, busy)]
        if not isinstance(found[0], Fault):
            assert not isinstance(found[1], Fault)
            kinds = [[type(event) for event in events] for events in found if not isinstance(events, Fault)]
            assert kinds == [[SealOpened, Ruled]] * 2
        else:
            assert found[0] == found[1]


def test_what_was_said_for_any_time_outlasts_the_turns_that_are_taken_back() -> None:
    game = play(new_game(), "L-S2")
    game = says(says(game, WHITE, "ever so"), YELLOW, "ever no")
    game = says(play(game, "A-N1"), YELLOW, "ever yes")
    back, *again = acted(game, TakeBack(1, WHITE))
    assert isinstance(back, TakenBack)
    assert all(isinstance(each, Confided) and each.again for each in again)
    game = after(game, back, *again)
    assert game.position.ever == {WHITE: "so", YELLOW: "yes"}
    assert game.view(YELLOW).ever == "yes"


def test_a_corrected_order_follows_what_its_turn_began_with() -> None:
    game = play(new_game(), "L-S2", "whisper one", "whisper two", "A-N1")
    events = acted(game, Correct("A-N2"))
    assert [type(each) for each in events] == [TakenBack, Confided, Confided, Ruled]
    game = after(game, *events)
    assert tried(game) == ["L-S2"] and words(game) == [(YELLOW, ["one", "two"])]
    assert list(game.due) == [WHITE]
    assert tried(play(game, "A-S1")) == ["L-S2", "A-N2"]


def test_a_correction_leaves_open_what_the_clock_has_opened() -> None:
    game = play(new_game(), "L-S2")
    game = game.after(SealOpened(SEALED_ANSWERS.unseal(game.position)))
    game = play(game, "whisper too late", "A-N1")
    events = acted(game, Correct("A-N2"))
    assert [type(each) for each in events] == [TakenBack, SealOpened, Confided, Ruled]
    game = after(game, *events)
    assert tried(game) == ["L-S2"] and words(game) == [(YELLOW, [])]


def test_what_was_taken_back_is_put_back_with_what_was_confided() -> None:
    game = play(new_game(), "L-S2", "whisper one", "A-N1", "whisper two", "A-S1")
    stood = game.rulebook.rules.standing(game.happenings)
    game = after(game, *acted(game, TakeBack(2, YELLOW)))
    game = play(says(game, WHITE, "ever new"), "whisper other", "A-N2")
    game = after(game, *acted(game, Restore()))
    again = game.rulebook.rules.standing(game.happenings)
    assert again[: len(stood)] == stood
    assert [each.code for each in again[len(stood) :]] == ["ever"], "it was said since, and stands"
    assert game.position.ever[WHITE] == "new"


def test_an_order_in_a_seat_s_name_opens_what_is_sealed_first() -> None:
    game = says(play(new_game(), "L-S2"), YELLOW, "ever no")
    opened, ruled = acted(game, ActFor(YELLOW, "A-N1"))
    assert isinstance(opened, SealOpened) and isinstance(ruled, Ruled) and ruled.by == UMPIRE
    game = after(game, opened, ruled)
    assert words(game) == [(YELLOW, ["no"])] and list(game.due) == [WHITE]


def test_nobody_confides_anything_in_a_seat_s_name() -> None:
    assert refused(new_game(), ActFor(WHITE, "whisper no")).code == "act-no-turn"
    assert refused(new_game(set_up=True), ActFor(WHITE, "ready now")).code == "act-order"
    assert refused(play(new_game(), "L-S2"), Correct("whisper no")).code == "act-no-turn"


def test_why_an_order_in_a_seat_s_name_is_no_good_is_not_told_where_answers_are_sealed() -> None:
    fault = refused(new_game(), ActFor(WHITE, "L-S9"))
    assert fault.code == "act-order"
    assert "L-S9 cannot be tried in the name of White as game 7 stands" in fault.reason()


def test_the_last_order_is_the_last_that_made_a_turn() -> None:
    game = says(play(new_game(), "L-S2"), YELLOW, "whisper no")
    (back, ruled) = acted(game, Correct("L-S1"))
    assert isinstance(back, TakenBack) and (back.turn, back.seat) == (1, WHITE)
    assert isinstance(ruled, Ruled) and ruled.order == "L-S1"


# what is kept and told of a game


def test_a_correction_and_a_restoring_are_one_action_each_whatever_lies_between() -> None:
    game = play(new_game(), "L-S2", "whisper one", "A-N1")
    done = [*acted(game, Correct("A-N2"))]
    game = after(game, *done)
    done += acted(game, Restore())
    happened = [Happened(number, NOW, None, event) for number, event in enumerate(done, 1)]
    assert [each.what for each in actions_of(happened)] == ["corrected", "restored"]
    between = [*happened[:1], Happened(2, NOW, 4, Confided(WHITE, "ever no", ())), *happened[1:]]
    assert [each.what for each in actions_of(between)] == ["corrected", "restored"]


def test_evidence_and_chronicle_say_nothing_of_what_is_confided() -> None:
    game = play(new_game(), "L-S2")
    confided = decided(game, YELLOW, "whisper no")
    happened = [Happened(number, NOW, 3, event) for number, event in enumerate(confided, 1)]
    assert brought_by(happened, 3, YELLOW) == ()
    assert gather(after(game, *confided), NOW) == gather(game, NOW)
    said = [(NOW, event) for event in confided]
    assert list(acts_among(said)) == []
    opened = SealOpened(SEALED_ANSWERS.unseal(game.position))
    assert list(acts_beside_the_moves([*said, (NOW, opened)], game.rulebook)) == []


def test_an_end_off_the_board_follows_what_was_confided() -> None:
    game = says(play(new_game(), "L-S2"), YELLOW, "whisper no")
    result = Result(WHITE, "by resignation")
    game = game.after(Ended(result, game.rulebook.rules.conclude(game.position, result)))
    assert game.status == "ended"
