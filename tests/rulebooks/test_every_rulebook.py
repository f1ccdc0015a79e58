"""What every rulebook must keep to, whatever its game. A new rulebook is tested by being in RULEBOOKS."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.chance import Chance
from referee.common.faults import Fault
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import (
    OBSERVER,
    UMPIRE,
    Happening,
    OrderLine,
    Result,
    Rulebook,
    Seat,
    heard_by_all,
)

every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.name)
EXAMPLES = settings(max_examples=12, deadline=None)


def heard_by(happenings: Sequence[Happening], seat: Seat) -> list[Happening]:
    return [happening for happening in happenings if seat in happening.heard_by]


def truth(rulebook: Rulebook, happenings: Sequence[Happening]) -> Any:
    return reduce(rulebook.rules.fold, happenings, None)


def play(rulebook: Rulebook, secret: bytes, draw: st.DataObject, turns: int) -> list[Happening]:
    """Play a game by what its questions offer and by lines drawn from the notations of all games, turn by turn."""
    happenings = list(rulebook.rules.opening({}, Chance(secret)))
    position = truth(rulebook, happenings)
    for _ in range(turns):
        seat = next(iter(rulebook.rules.due(position)), None)
        if seat is None:
            break
        while (question := rulebook.rules.due(position).get(seat)) is not None:
            assert question.forms, "a question shows what would answer it"
            view = rulebook.rules.view(heard_by(happenings, seat), seat)
            lines = [OrderLine(1, draw.draw(order_texts(rulebook))), OrderLine(2, question.forms[0])]
            reading = rulebook.rules.read_orders(view, lines)
            assert reading.orders, "the first form of a question is playable as it stands"
            for order in reading.orders:
                found = rulebook.rules.adjudicate(position, seat, order, Chance(secret))
                assert found
                if not rulebook.rules.is_turn(order):
                    assert {each.heard_by for each in found} == {frozenset((seat,))}
                happenings += found
                position = reduce(rulebook.rules.fold, found, position)
            if any(map(rulebook.rules.is_turn, reading.orders)):
                break
    return happenings


def order_texts(rulebook: Rulebook) -> st.SearchStrategy[str]:
    letters = st.sampled_from("ACEHKLNOPSTVXZ")
    directions = st.sampled_from(["N", "NE", "E", "SE", "S", "SW", "W", "NW"])
    moves = st.builds("{}-{}{}".format, letters, directions, st.integers(1, 4))
    if rulebook.sealed is None:
        return moves
    confided = st.sampled_from(["allow", "deny", "agent always", "agent as 5", "agent ask", "#x?"])
    return st.one_of(moves, confided, st.builds("#{}".format, letters))


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_a_game_can_be_played_kept_and_folded_again(
    rulebook: Rulebook, secret: bytes, draw: st.DataObject
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
        view = rulebook.rules.view(heard_by(kept, seat), seat)
        assert view == rulebook.rules.view(heard_by(happenings, seat), seat)
        assert json.loads(json.dumps(rulebook.presentation.data(view))) == rulebook.presentation.data(view)
    for happening in happenings:
        assert happening.heard_by <= set(rulebook.seats)
        assert UMPIRE not in happening.heard_by


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_a_written_record_replays_to_the_same_game(
    rulebook: Rulebook, secret: bytes, draw: st.DataObject
) -> None:
    happenings = play(rulebook, secret, draw, 12)
    record = rulebook.records.write(happenings, {"Event": "Club"}, None)
    replayed = rulebook.records.replay(record)
    assert replayed.errors == ()
    said = [
        list(filter(None, map(rulebook.records.recorded, each))) for each in (happenings, replayed.happenings)
    ]
    assert said[0] == said[1] != []
    assert all(isinstance(value, str) for each in said[0] for value in each.values())
    assert rulebook.records.write(replayed.happenings, {"Event": "Club"}, None) == record
    told = [
        dict(rulebook.presentation.data(rulebook.rules.view(each, rulebook.seats[0])))
        for each in (replayed.happenings, happenings)
    ]
    for each in told:
        each.pop("confided", None)  # what players say to the referee alone has no place in a record
    assert told[0] == told[1]


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@EXAMPLES
@given(secrets=st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=2), draw=st.data())
def test_what_a_seat_did_not_hear_changes_nothing_that_it_is_shown(
    rulebook: Rulebook, secrets: list[bytes], draw: st.DataObject
) -> None:
    """Two truths that differ in what a seat did not hear give it the same view, refusals, due and record."""
    happenings = play(rulebook, secrets[0], draw, 8)
    others = list(rulebook.rules.opening({}, Chance(secrets[1])))
    line = OrderLine(1, draw.draw(order_texts(rulebook)))
    for seat in rulebook.seats:
        unheard = iter([happening for happening in others if seat not in happening.heard_by])
        other_truth = [
            happening if seat in happening.heard_by else next(unheard, happening) for happening in happenings
        ]
        one, other = heard_by(happenings, seat), heard_by(other_truth, seat)
        view, other_view = rulebook.rules.view(one, seat), rulebook.rules.view(other, seat)
        assert view == other_view
        assert rulebook.rules.read_orders(view, [line]) == rulebook.rules.read_orders(other_view, [line])
        due, other_due = (rulebook.rules.due(truth(rulebook, each)) for each in (happenings, other_truth))
        assert list(due) == list(other_due)
        assert due.get(seat) == other_due.get(seat)
        assert rulebook.records.write(one, {}, seat) == rulebook.records.write(other, {}, seat)
        assert rulebook.presentation.scene(view, one, 1) == rulebook.presentation.scene(other_view, other, 1)


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_an_observer_sees_what_all_have_heard_until_the_end_and_all_of_it_after(
    rulebook: Rulebook, secret: bytes, draw: st.DataObject
) -> None:
    """All that shows a view shows his; what only some seats have heard changes none of it."""
    happenings = play(rulebook, secret, draw, 6)
    others = rulebook.rules.opening({}, Chance(bytes(reversed(secret))))
    private = iter([each for each in others if not set(rulebook.seats) <= each.heard_by])
    other_truth = [
        each if set(rulebook.seats) <= each.heard_by else next(private, each) for each in happenings
    ]
    shown = []
    for truly in (happenings, other_truth):
        heard = heard_by_all(truly, rulebook.seats)
        view = rulebook.rules.view(heard, OBSERVER)
        seat = rulebook.seats[0]
        assert rulebook.rules.turn(view) == rulebook.rules.turn(
            rulebook.rules.view(heard_by(truly, seat), seat)
        )
        shown.append(
            (
                json.dumps(rulebook.presentation.data(view)),
                rulebook.presentation.scene(view, heard, 1),
                rulebook.presentation.picture(view),
                rulebook.presentation.picture_svg(view),
                rulebook.records.write(heard, {}, OBSERVER),
            )
        )
        assert rulebook.sheets is None or rulebook.sheets.picture(view) is None
    assert shown[0] == shown[1]
    position = truth(rulebook, happenings)
    heard = heard_by_all(
        [*happenings, *rulebook.rules.conclude(position, Result(None, "by agreement"))], rulebook.seats
    )
    assert rulebook.records.replay(rulebook.records.write(heard, {}, OBSERVER)).consistent


@every_rulebook
def test_an_end_off_the_board_ends_every_game(rulebook: Rulebook) -> None:
    happenings = list(rulebook.rules.opening({}, Chance(bytes(32))))
    result = Result(rulebook.seats[0], "by resignation")
    position = truth(rulebook, happenings)
    assert rulebook.rules.result(position) is None
    happenings += rulebook.rules.conclude(position, result)
    position = truth(rulebook, happenings)
    assert rulebook.rules.result(position) == result
    assert rulebook.rules.due(position) == {}
    assert rulebook.records.replay(rulebook.records.write(happenings, {}, None)).result == result


@pytest.mark.telling("confusion", "spies")
@every_rulebook
@given(text=st.text(max_size=60))
@settings(deadline=None)
def test_any_line_is_an_order_or_a_fault(rulebook: Rulebook, text: str) -> None:
    happenings = rulebook.rules.opening({}, Chance(bytes(32)))
    rulebook.notation.looks_like_order(text)
    read = rulebook.notation.read(OrderLine(1, text))
    if not isinstance(read, Fault):
        assert rulebook.notation.read(OrderLine(1, rulebook.notation.write(read))) == read
    for seat in rulebook.seats:
        view = rulebook.rules.view(heard_by(happenings, seat), seat)
        reading = rulebook.rules.read_orders(view, [OrderLine(1, text)])
        assert len(reading.orders) + len(reading.faults) == 1
        for fault in reading.faults:
            assert fault.sentence()


@every_rulebook
@given(text=st.text(max_size=200))
@settings(deadline=None)
def test_any_text_replays_or_says_why_not(rulebook: Rulebook, text: str) -> None:
    replayed = rulebook.records.replay(text)
    assert replayed.consistent or replayed.errors[0].reason


@every_rulebook
def test_an_unknown_option_is_a_fault_and_is_not_played_with(rulebook: Rulebook) -> None:
    assert rulebook.rules.check_options({}) in ((), [])
    assert rulebook.rules.check_options({"frist": "x"})
    with pytest.raises(ValueError, match="option"):
        rulebook.rules.opening({"frist": "x"}, Chance(bytes(32)))


@every_rulebook
def test_a_rulebook_names_itself_and_its_seats(rulebook: Rulebook) -> None:
    assert rulebook.name == rulebook.name.lower()
    assert rulebook.title
    assert rulebook.version
    assert len(rulebook.seats) == len(set(rulebook.seats)) >= 2
    assert rulebook.notation.guide() == rulebook.notation.guide()


@every_rulebook
def test_the_same_view_gives_the_same_picture(rulebook: Rulebook) -> None:
    happenings = list(rulebook.rules.opening({}, Chance(bytes(32))))
    for seat in rulebook.seats:
        view = rulebook.rules.view(heard_by(happenings, seat), seat)
        again = rulebook.rules.view(heard_by(happenings, seat), seat)
        assert rulebook.presentation.picture(view) == rulebook.presentation.picture(again)
        assert rulebook.presentation.picture_svg(view) == rulebook.presentation.picture_svg(again)


@every_rulebook
@EXAMPLES
@given(secret=st.binary(min_size=32, max_size=32), draw=st.data())
def test_what_opening_the_seal_brings_leaves_nothing_sealed_and_the_turn_where_it_was(
    rulebook: Rulebook, secret: bytes, draw: st.DataObject
) -> None:
    if (sealed := rulebook.sealed) is None:
        return
    happenings = play(rulebook, secret, draw, draw.draw(st.integers(0, 4)))
    position = truth(rulebook, happenings)
    found = sealed.unseal(position)
    for each in found:
        assert each.heard_by == frozenset(rulebook.seats)
    opened = truth(rulebook, [*happenings, *found])
    assert sealed.unseal(opened) == ()
    if rulebook.rules.result(opened) is None:
        assert list(rulebook.rules.due(opened)) == list(rulebook.rules.due(position))


@every_rulebook
def test_no_order_that_may_be_given_at_any_time_makes_a_turn(rulebook: Rulebook) -> None:
    happenings = rulebook.rules.opening({}, Chance(bytes(32)))
    for text in ("A-N1", "allow", "agent never", "#A", "pass"):
        read = rulebook.notation.read(OrderLine(1, text))
        if isinstance(read, Fault):
            continue
        assert not (rulebook.rules.is_turn(read) and rulebook.rules.at_any_time(read))
        if rulebook.rules.at_any_time(read):
            for seat in rulebook.seats:
                view = rulebook.rules.view(heard_by(happenings, seat), seat)
                assert rulebook.rules.read_orders(view, [OrderLine(1, text)]).faults == ()
