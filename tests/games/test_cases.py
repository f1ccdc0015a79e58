"""Cases: what a game's events make of them, what may follow, and against what a player may appeal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.cases import (
    APPEALED_WITHIN,
    Case,
    Happened,
    UmpireAction,
    actions_of,
    cases_of,
    next_number,
    sat_before,
    waiting,
)
from referee.games.clock_events import BY_UMPIRE
from referee.games.events import (
    Appealed,
    CheckedIn,
    ClaimAnswered,
    Claimed,
    Ended,
    Event,
    Noted,
    Paused,
    Replaced,
    Resumed,
    Ruled,
    Stated,
    TakenBack,
    TimeAdded,
    read_event,
    write_event,
)
from referee.games.results import adjudicated, agreed
from referee.rulebooks.rulebook import Seat

WHITE, YELLOW = Seat("white"), Seat("yellow")
START = datetime(2026, 11, 27, 17, 0, tzinfo=UTC)
A_DAY = timedelta(days=1)
ULLA, OLGA = 5, 6


def happened(*events: Event) -> list[Happened]:
    """Return events as a game has them, a day after each other."""
    return [
        Happened(number, START + number * A_DAY, 10 + number, event) for number, event in enumerate(events, 1)
    ]


def the_case(*events: Event) -> Case:
    (case,) = cases_of(happened(*events))
    return case


CLAIM = Claimed(YELLOW, 1, player=2)
RULING = ClaimAnswered(1, 2, "rejected", ULLA)
APPEAL = Appealed(1, 3)
FINAL = ClaimAnswered(1, 4, "upheld", OLGA)


@pytest.mark.parametrize(
    ("events", "state", "duty", "since"),
    [
        ((CLAIM,), "open", "ruling", 1),
        ((CLAIM, RULING), "ruled", None, 2),
        ((CLAIM, RULING, APPEAL), "appealed", "appeal", 3),
        ((CLAIM, RULING, APPEAL, FINAL), "settled", None, 4),
        ((CLAIM, ClaimAnswered(1, 2)), "ruled", None, 2),
    ],
)
def test_a_case_waits_for_a_ruling_and_after_an_appeal_for_another(
    events: tuple[Event, ...], state: str, duty: str | None, since: int
) -> None:
    case = the_case(*events)
    assert (case.state, case.duty, case.since) == (state, duty, START + since * A_DAY)
    assert (case.number, case.seat, case.player, case.letter) == (1, YELLOW, 2, 11)


def test_an_appeal_is_possible_for_fourteen_days_from_the_ruling() -> None:
    assert the_case(CLAIM).until is None
    assert the_case(CLAIM, RULING).until == START + 2 * A_DAY + APPEALED_WITHIN
    assert the_case(CLAIM, RULING, APPEAL).until is None
    assert the_case(CLAIM, RULING, APPEAL, FINAL).until is None


def test_an_appeal_against_an_action_waits_at_once_and_its_ruling_is_final() -> None:
    action = UmpireAction(4, "taken-back", START, ULLA)
    appeal = Claimed(WHITE, 1, action.plain(), player=1)
    case = the_case(appeal)
    assert (case.state, case.duty, case.against, case.ruled) == ("appealed", "appeal", action, (ULLA,))
    settled = the_case(appeal, ClaimAnswered(1, 2, "upheld", OLGA))
    assert (settled.state, settled.duty, settled.until) == ("settled", None, None)


def test_who_has_ruled_is_known_for_the_appeal() -> None:
    assert the_case(CLAIM, RULING, APPEAL).ruled == (ULLA,)
    assert the_case(CLAIM, ClaimAnswered(1, 2), APPEAL).ruled == (), "whoever runs the service is no officer"


def test_those_cases_come_first_that_wait_longest() -> None:
    cases = cases_of(
        happened(CLAIM, Claimed(WHITE, 5), RULING, CheckedIn(WHITE), Appealed(1, 6), Claimed(WHITE, 7))
    )
    assert [each.number for each in cases] == [1, 2, 3], "as logs of earlier releases have them"
    assert [each.number for each in waiting(cases)] == [2, 1, 3]


@given(st.lists(st.sampled_from([WHITE, YELLOW]), max_size=12), st.integers(0, 3))
def test_the_number_of_a_case_tells_nothing_of_the_other_sides(seats: list[Seat], old: int) -> None:
    """Each has its own, whatever the other side brings; old: so many were numbered as they came."""
    cases: list[Case] = []
    for at, seat in enumerate(seats):
        number = at + 1 if at < old else next_number(cases, seat, (WHITE, YELLOW))
        cases.append(Case(number, seat, START, at))
    numbers = [each.number for each in cases]
    assert len({*numbers}) == len(numbers)
    if not old:
        for seat, first in ((WHITE, 1), (YELLOW, 2)):
            mine = [each.number for each in cases if each.seat == seat]
            assert mine == list(range(first, first + 2 * len(mine), 2))


@given(
    st.lists(st.tuples(st.sampled_from([WHITE, YELLOW]), st.booleans()), max_size=24),
    st.integers(1, 4),
)
def test_the_number_of_a_case_tells_nothing_of_whoever_had_the_seat_before(
    steps: list[tuple[Seat, bool]], again: int
) -> None:
    """Whoever brings cases and takes over seats, also one that was his, the first number that he reads hangs on how
    often his seat was taken over, and on nothing else. steps: of a seat, that it is taken over, or brings a case."""
    log: list[Event] = []
    sits = {WHITE: 1, YELLOW: 2}
    taken = {WHITE: 0, YELLOW: 0}
    brought: list[Case] = []
    newcomer = 10
    for seat, takes_over in steps:
        if takes_over:
            newcomer += 1
            taken[seat] += 1
            comes = 1 + 10 * again if newcomer == 12 + again else newcomer
            comes = comes if comes not in sits.values() else newcomer
            log.append(Replaced(seat, comes, sits[seat], "gone"))
            sits[seat] = comes
            continue
        before = sat_before(happened(*log), seat, sits[seat])
        number = next_number(brought, seat, (WHITE, YELLOW), before)
        own = [each for each in brought if (each.seat, each.evidence["of"]) == (seat, taken[seat])]
        first = 100 * taken[seat] + (1 if seat == WHITE else 2)
        assert number == first + 2 * len(own)
        brought.append(Case(number, seat, START, 1, sits[seat], evidence={"of": taken[seat]}))
    assert len({each.number for each in brought}) == len(brought)


def test_a_game_goes_on_from_the_cases_that_it_has() -> None:
    events = happened(CLAIM, RULING, Claimed(WHITE, 3), APPEAL, FINAL)
    for cut in range(len(events) + 1):
        assert cases_of(events[cut:], cases_of(events[:cut])) == cases_of(events)


@given(
    st.lists(
        st.one_of(
            st.builds(Claimed, st.sampled_from([WHITE, YELLOW]), st.integers(1, 9)),
            st.builds(ClaimAnswered, st.integers(1, 4), st.integers(1, 9)),
            st.builds(Appealed, st.integers(1, 4), st.integers(1, 9)),
        ),
        max_size=12,
    )
)
def test_no_log_makes_a_case_wait_that_is_settled(events: list[Event]) -> None:
    """Whatever stands in it, each claim is one case, and its state says what is left to be done."""
    cases = cases_of(happened(*events))
    assert len(cases) == sum(isinstance(each, Claimed) for each in events)
    for case in cases:
        assert (case.duty is None) == (case.state in ("ruled", "settled"))
        assert (case.until is not None) == (case.state == "ruled")
        assert len(case.decisions) < 2 or case.appeal is None or case.state == "settled"


def test_a_claim_of_an_earlier_release_is_a_case_of_whoever_sits_there() -> None:
    events = (
        read_event("Claimed", {"seat": "yellow", "text": 3}),
        read_event("ClaimAnswered", {"claim": 1, "text": 4}),
    )
    case = the_case(*events)
    assert (case.number, case.player, case.evidence, case.state) == (1, None, {}, "ruled")
    assert case.decisions[0].verdict == "" and case.decisions[0].by is None


BACK = TakenBack(2, WHITE, "misread", (), ULLA)
ORDER = Ruled(WHITE, "L-S2", (), by=ULLA)
AGAIN = Ruled(WHITE, "L-S2", (), by=ULLA, reason="it was right", again=True)


@pytest.mark.parametrize(
    ("events", "actions"),
    [
        ((BACK,), [("taken-back", 1, ULLA)]),
        ((BACK, ORDER), [("corrected", 2, ULLA)]),
        ((ORDER,), [("acted", 1, ULLA)]),
        ((Ruled(WHITE, "L-S2", (), by=0),), [("acted", 1, None)]),
        ((AGAIN, AGAIN), [("restored", 2, ULLA)]),
        ((BACK, AGAIN, AGAIN), [("taken-back", 1, ULLA), ("restored", 3, ULLA)]),  # on another day
        ((AGAIN, BACK, ORDER), [("restored", 1, ULLA), ("corrected", 3, ULLA)]),
        ((BACK, CheckedIn(WHITE), ORDER), [("taken-back", 1, ULLA), ("acted", 3, ULLA)]),
        ((Ended(adjudicated("draw", "so"), (), by=ULLA),), [("adjudicated", 1, ULLA)]),
        ((TimeAdded(WHITE, 60, START, ULLA),), [("time-added", 1, ULLA)]),
        ((Paused(BY_UMPIRE, START, by=ULLA),), [("paused", 1, ULLA)]),
        ((Resumed(BY_UMPIRE, START, by=ULLA),), [("resumed", 1, ULLA)]),
        ((Replaced(WHITE, 7, 1, "gone", ULLA),), [("replaced", 1, ULLA)]),
        ((Stated(3, ULLA),), [("stated", 1, ULLA)]),
        ((Ruled(WHITE, "L-S2", ()), Paused("consent", START), Resumed("consent", START)), []),
        ((Ended(agreed("draw"), ()), Noted(WHITE, 1), CLAIM, RULING), []),
    ],
)
def test_what_an_umpire_does_can_be_appealed_against_and_nothing_else(
    events: tuple[Event, ...], actions: list[tuple[str, int, int | None]]
) -> None:
    assert [(each.what, each.number, each.by) for each in actions_of(happened(*events))] == actions


def test_what_is_taken_back_to_put_other_turns_in_its_place_is_one_action_with_that() -> None:
    turned: tuple[Event, ...] = (BACK, AGAIN, AGAIN)
    events = (Happened(number, START, 10, event) for number, event in enumerate(turned, 1))
    assert [(each.what, each.number) for each in actions_of(events)] == [("restored", 3)]


@given(
    st.builds(
        UmpireAction,
        st.integers(1, 999),
        st.sampled_from(["taken-back", "stated"]),
        st.datetimes(timezones=st.just(UTC)),
        st.one_of(st.none(), st.integers(1, 99)),
    )
)
def test_an_action_is_kept_with_the_appeal_against_it(action: UmpireAction) -> None:
    kept = read_event(*write_event(Claimed(WHITE, 1, action.plain())))
    assert isinstance(kept, Claimed)
    assert UmpireAction.read(kept.against) == action
    assert UmpireAction.read({}) is None
