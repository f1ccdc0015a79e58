"""Who is to take a seat is found by his name or his address; what cannot be read as either finds nobody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.faults import Fault
from referee.handlers.action_requests import read_whom
from tests.handlers.test_umpires import YELLOW, League, league  # noqa: F401
from tests.support.begun import said

GARBLED = (
    "Carl <carl@else where.org>",
    "Carl <carl@example.org",
    "Carl carl@example.org>",
    "Carl <>",
    "Carl < >",
    "Carl <carl>",
    "Carl carl@example.org",
    "Carl <mailto:carl@exam ple.org>",
    "Carl <a@example.org> <b@example.org>",
    "Carl \u2039carl@example.org\u203a",
    "Carl \uff1ccarl@example.org\uff1e",
    "Carl \u3008carl@example.org\u3009",
    "Carl@",
    "carl@example",
    "Carl <carl@example.org> Junior",
    "Carl mailto carl",
)


@pytest.mark.parametrize("whom", GARBLED)
def test_an_address_that_cannot_be_read_is_a_fault_and_never_the_name_beside_it(whom: str) -> None:
    found = read_whom(whom)
    assert isinstance(found, Fault) or found == ("", "carl@example")  # a domain of a closed network
    if isinstance(found, Fault):
        assert found.code == "person-unreadable"
        assert whom in str(found.facts["whom"])


@given(st.text("Ca@<>.: \u2039\u203a", max_size=14))
def test_whoever_has_typed_a_sign_of_an_address_is_taken_by_that_address_or_not_at_all(whom: str) -> None:
    found = read_whom(whom)
    if set(whom) & set("@<>\u2039\u203a"):
        assert isinstance(found, Fault) or found[1]


@pytest.mark.parametrize(
    ("whom", "read"),
    [
        ("Carl", ("Carl", "")),
        ("  Carl  of York ", ("Carl of York", "")),
        ("carl@Example.org", ("", "carl@example.org")),
        ("<carl@example.org>", ("", "carl@example.org")),
        ('"Carl" <carl@example.org>', ("Carl", "carl@example.org")),
        ("Carl< carl@example.org >", ("Carl", "carl@example.org")),
    ],
)
def test_a_name_an_address_and_both_are_read(whom: str, read: tuple[str, str]) -> None:
    assert read_whom(whom) == read


def test_a_mistyped_address_gives_the_seat_to_nobody_of_that_name(league: League) -> None:  # noqa: F811
    league.club.member("Carl")
    answer = league.asks(
        league.olga, "umpire replace {game} Yellow Carl <carl@else where.org>: Bert is gone."
    )
    assert "the address in Carl <carl@else where.org> cannot be read" in said(answer)
    assert "Nothing is done yet" not in said(answer)


def test_the_question_shows_who_was_found_and_that_he_is_a_player(league: League) -> None:  # noqa: F811
    league.club.member("Carl")
    asked = league.asks(league.olga, "umpire replace {game} Yellow carl@example.net: Bert is gone.")
    assert "Carl plays Yellow in game" in said(asked)
    assert "Carl is a player here already." in said(asked)
    asked = league.asks(league.olga, "umpire replace {game} Yellow Kurt <carl@example.net>: Bert is gone.")
    assert "Carl plays Yellow in game" in said(asked)
    assert "Kurt" not in said(asked)
    league.olga.replies("confirm", to=asked)
    with league.club.store.reading() as lookup:
        assert lookup.players.find(league.now.seats[YELLOW]).name == "Carl"


def test_the_question_shows_the_address_of_whoever_is_to_be_registered(league: League) -> None:  # noqa: F811
    asked = league.asks(league.olga, "umpire replace {game} Yellow Karl <karl@Example.org>: Bert is gone.")
    assert "Karl <karl@example.org> is not registered here yet, and will be by this." in said(asked)
