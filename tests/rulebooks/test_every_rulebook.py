"""What every rulebook of the house must keep to, whatever its game. A new rulebook is tested by being in RULEBOOKS."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.catalogue import RULEBOOKS, AnyRulebook
from referee.rulebooks.rulebook import OBSERVER, UMPIRE, Happening, OrderLine, Result, Seat, heard_by_all

every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.name)
EXAMPLES = settings(max_examples=12, deadline=None)


def heard_by(happenings: Sequence[Happening], seat: Seat) -> list[Happening]:
    return [happening for happening in happenings if seat in happening.heard_by]


def truth(rulebook: AnyRulebook, happenings: Sequence[Happening]) -> Any:
    position = None
    for happening in happenings:
        position = rulebook.fold(position, happening)
    return position


def play(rulebook: AnyRulebook, secret: bytes, draw: st.DataObject, turns: int) -> list[Happening]:
    """Play a game by what its questions offer and by lines drawn from the notations of all games, turn by turn."""
    happenings = list(rulebook.opening({}, Chance(secret)))
    for _ in range(turns):
        seat = next(iter(rulebook.due(truth(rulebook, happenings))), None)
        if seat is None:
            break
        while (question := rulebook.due(truth(rulebook, happenings)).get(seat)) is not None:
            assert question.forms, "a question shows what would answer it"
            view = rulebook.view(heard_by(happenings, seat), seat)
            lines = [OrderLine(1, draw.draw(order_texts(rulebook))), OrderLine(2, question.forms[0])]
            reading = rulebook.read_orders(view, lines)
            assert reading.orders, "the first form of a question is playable as it stands"
            for order in reading.orders:
                position = truth(rulebook, happenings)
                found = rulebook.adjudicate(position, seat, order, Chance(secret))
                assert found
                if not rulebook.is_turn(order):
                    assert {each.heard_by for each in found} == {frozenset((seat,))}
                happenings += found
            if any(map(rulebook.is_turn, reading.orders)):
                break
    return happenings


def order_texts(rulebook: AnyRulebook) -> st.SearchStrategy[str]:
    letters = st.sampled_from("ACEHKLNOPSTVXZ")
    directions = st.sampled_from(["N", "NE", "E", "SE", "S", "SW", "W", "NW"])
    moves = st.builds("{}-{}{}".format, letters, directions, st.integers(1, 4))
    if not rulebook.sealed:
        return moves
    confided = st.sampled_from(["allow", "deny", "agent always", "agent as 5", "agent ask", "#x?"])
    return st.one_of(moves, confided, st.builds("#{}".format, letters))


@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_a_game_can_be_played_kept_and_folded_again(
    rulebook: AnyRulebook, secret: bytes, draw: st.DataObject
) -> None:
    """Whatever is tried, nothing breaks; the same happenings, kept as plain data, give the same game and views."""
    happenings = play(rulebook, secret, draw, 12)
    kept = [
        Happening(happening.code, happening.heard_by, json.loads(json.dumps(happening.facts)), happening.rule)
        for happening in happenings
    ]
    assert kept == happenings
    assert truth(rulebook, kept) == truth(rulebook, happenings)
    for seat in rulebook.seats:
        view = rulebook.view(heard_by(kept, seat), seat)
        assert view == rulebook.view(heard_by(happenings, seat), seat)
        assert json.loads(json.dumps(rulebook.data(view))) == rulebook.data(view)
    for happening in happenings:
        assert happening.heard_by <= set(rulebook.seats)
        assert UMPIRE not in happening.heard_by


@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_a_written_record_replays_to_the_same_game(
    rulebook: AnyRulebook, secret: bytes, draw: st.DataObject
) -> None:
    happenings = play(rulebook, secret, draw, 12)
    record = rulebook.write_record(happenings, {"Event": "Club"}, None)
    replayed = rulebook.replay(record)
    assert replayed.errors == ()
    said = [list(filter(None, map(rulebook.recorded, each))) for each in (happenings, replayed.happenings)]
    assert said[0] == said[1] != []
    assert all(isinstance(value, str) for each in said[0] for value in each.values())
    assert rulebook.write_record(replayed.happenings, {"Event": "Club"}, None) == record
    told = [
        dict(rulebook.data(rulebook.view(each, rulebook.seats[0])))
        for each in (replayed.happenings, happenings)
    ]
    for each in told:
        each.pop("confided", None)  # what players say to the referee alone has no place in a record
    assert told[0] == told[1]


@every_rulebook
@EXAMPLES
@given(secrets=st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=2), draw=st.data())
def test_what_a_seat_did_not_hear_changes_nothing_that_it_is_shown(
    rulebook: AnyRulebook, secrets: list[bytes], draw: st.DataObject
) -> None:
    """Two truths that differ in what a seat did not hear give it the same view, refusals, due and record."""
    happenings = play(rulebook, secrets[0], draw, 8)
    others = list(rulebook.opening({}, Chance(secrets[1])))
    line = OrderLine(1, draw.draw(order_texts(rulebook)))
    for seat in rulebook.seats:
        unheard = iter([happening for happening in others if seat not in happening.heard_by])
        other_truth = [
            happening if seat in happening.heard_by else next(unheard, happening) for happening in happenings
        ]
        one, other = heard_by(happenings, seat), heard_by(other_truth, seat)
        view, other_view = rulebook.view(one, seat), rulebook.view(other, seat)
        assert view == other_view
        assert rulebook.read_orders(view, [line]) == rulebook.read_orders(other_view, [line])
        due, other_due = (rulebook.due(truth(rulebook, each)) for each in (happenings, other_truth))
        assert list(due) == list(other_due)
        assert due.get(seat) == other_due.get(seat)
        assert rulebook.write_record(one, {}, seat) == rulebook.write_record(other, {}, seat)
        assert rulebook.scene(view, one, 1) == rulebook.scene(other_view, other, 1)


@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_an_observer_sees_what_all_have_heard_until_the_end_and_all_of_it_after(
    rulebook: AnyRulebook, secret: bytes, draw: st.DataObject
) -> None:
    """All that shows a view shows his; what only some seats have heard changes none of it."""
    happenings = play(rulebook, secret, draw, 6)
    others = rulebook.opening({}, Chance(bytes(reversed(secret))))
    private = iter([each for each in others if not set(rulebook.seats) <= each.heard_by])
    other_truth = [
        each if set(rulebook.seats) <= each.heard_by else next(private, each) for each in happenings
    ]
    shown = []
    for truly in (happenings, other_truth):
        heard = heard_by_all(truly, rulebook.seats)
        view = rulebook.view(heard, OBSERVER)
        seat = rulebook.seats[0]
        assert rulebook.turn(view) == rulebook.turn(rulebook.view(heard_by(truly, seat), seat))
        shown.append(
            (
                json.dumps(rulebook.data(view)),
                rulebook.scene(view, heard, 1),
                rulebook.picture(view),
                rulebook.picture_svg(view),
                rulebook.write_record(heard, {}, OBSERVER),
            )
        )
        assert rulebook.sheets_picture(view) is None
    assert shown[0] == shown[1]
    position = truth(rulebook, happenings)
    heard = heard_by_all(
        [*happenings, *rulebook.conclude(position, Result(None, "by agreement"))], rulebook.seats
    )
    assert rulebook.replay(rulebook.write_record(heard, {}, OBSERVER)).consistent


@every_rulebook
def test_an_end_off_the_board_ends_every_game(rulebook: AnyRulebook) -> None:
    happenings = list(rulebook.opening({}, Chance(bytes(32))))
    result = Result(rulebook.seats[0], "by resignation")
    position = truth(rulebook, happenings)
    assert rulebook.result(position) is None
    happenings += rulebook.conclude(position, result)
    position = truth(rulebook, happenings)
    assert rulebook.result(position) == result
    assert rulebook.due(position) == {}
    assert rulebook.replay(rulebook.write_record(happenings, {}, None)).result == result


@every_rulebook
@given(text=st.text(max_size=60))
@settings(deadline=None)
def test_any_line_is_an_order_or_a_fault(rulebook: AnyRulebook, text: str) -> None:
    happenings = rulebook.opening({}, Chance(bytes(32)))
    rulebook.looks_like_order(text)
    read = rulebook.read_order(OrderLine(1, text))
    if not isinstance(read, Fault):
        assert rulebook.read_order(OrderLine(1, rulebook.write_order(read))) == read
    for seat in rulebook.seats:
        view = rulebook.view(heard_by(happenings, seat), seat)
        reading = rulebook.read_orders(view, [OrderLine(1, text)])
        assert len(reading.orders) + len(reading.faults) == 1
        for fault in reading.faults:
            assert fault.sentence()


@every_rulebook
@given(text=st.text(max_size=200))
@settings(deadline=None)
def test_any_text_replays_or_says_why_not(rulebook: AnyRulebook, text: str) -> None:
    replayed = rulebook.replay(text)
    assert replayed.consistent or replayed.errors[0].reason


@every_rulebook
def test_an_unknown_option_is_a_fault_and_is_not_played_with(rulebook: AnyRulebook) -> None:
    assert rulebook.check_options({}) in ((), [])
    assert rulebook.check_options({"frist": "x"})
    with pytest.raises(ValueError, match="option"):
        rulebook.opening({"frist": "x"}, Chance(bytes(32)))


@every_rulebook
def test_a_rulebook_names_itself_and_its_seats(rulebook: AnyRulebook) -> None:
    assert rulebook.name == rulebook.name.lower()
    assert rulebook.title
    assert rulebook.version
    assert len(rulebook.seats) == len(set(rulebook.seats)) >= 2
    assert rulebook.guide() == rulebook.guide()


@every_rulebook
def test_the_same_view_gives_the_same_picture(rulebook: AnyRulebook) -> None:
    happenings = list(rulebook.opening({}, Chance(bytes(32))))
    for seat in rulebook.seats:
        view = rulebook.view(heard_by(happenings, seat), seat)
        again = rulebook.view(heard_by(happenings, seat), seat)
        assert rulebook.picture(view) == rulebook.picture(again)
        assert rulebook.picture_svg(view) == rulebook.picture_svg(again)


@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_what_opening_the_seal_brings_leaves_nothing_sealed_and_the_turn_where_it_was(
    rulebook: AnyRulebook, secret: bytes, draw: st.DataObject
) -> None:
    """Where answers are not sealed, there is never anything to open."""
    happenings = play(rulebook, secret, draw, draw.draw(st.integers(0, 4)))
    position = truth(rulebook, happenings)
    found = rulebook.unseal(position)
    if not rulebook.sealed:
        assert found == ()
    for each in found:
        assert each.heard_by == frozenset(rulebook.seats)
    opened = truth(rulebook, [*happenings, *found])
    assert rulebook.unseal(opened) == ()
    if rulebook.result(opened) is None:
        assert list(rulebook.due(opened)) == list(rulebook.due(position))


@every_rulebook
def test_no_order_that_may_be_given_at_any_time_makes_a_turn(rulebook: AnyRulebook) -> None:
    happenings = rulebook.opening({}, Chance(bytes(32)))
    for text in ("A-N1", "allow", "agent never", "#A", "pass"):
        read = rulebook.read_order(OrderLine(1, text))
        if isinstance(read, Fault):
            continue
        assert not (rulebook.is_turn(read) and rulebook.at_any_time(read))
        if rulebook.at_any_time(read):
            for seat in rulebook.seats:
                view = rulebook.view(heard_by(happenings, seat), seat)
                assert rulebook.read_orders(view, [OrderLine(1, text)]).faults == ()
