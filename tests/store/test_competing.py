"""Events as they are kept, on both databases: names, terms in all versions, officers, and the games of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import event as sql_event

from referee.common.errors import Contested, UsageError
from referee.games.tournaments.officers import Officer
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Seat
from referee.store.database import Store
from referee.store.departures import forget_player
from referee.store.values import StoredCompetition
from tests.store.scenery import NOON, start_game

LEAGUE = Competition("Spring League", rules=("confusion",), leave=30)


def make(store: Store, terms: Competition = LEAGUE) -> int:
    with store.unit() as unit:
        return unit.tournaments.add(terms)


def test_an_event_is_kept_with_its_terms(store: Store) -> None:
    number = make(store)
    with store.reading() as lookup:
        assert lookup.tournaments.find(number) == StoredCompetition(number, LEAGUE, 1, NOON)
        assert lookup.tournaments.all() == [lookup.tournaments.find(number)]
        with pytest.raises(LookupError):
            lookup.tournaments.find(number + 1)


def test_an_event_is_found_by_any_name_that_looks_like_its_own_and_there_is_no_second(store: Store) -> None:
    number = make(store)
    for name in ("Spring League", "spring  LEAGUE", "Sprlng Leàgue", "ЅPRING LEAGUE", "Springleague"):
        with store.reading() as lookup:
            assert lookup.tournaments.find_named(name).number == number
        with pytest.raises(Contested):
            make(store, Competition(name))


def test_an_event_that_is_none_is_named_with_what_was_perhaps_meant(store: Store) -> None:
    make(store)
    asked = {"Spring Leagues": "mean 'Spring League'", "Cup": "referee event list", "": "no event ''"}
    for name, said in asked.items():
        with store.reading() as lookup, pytest.raises(UsageError, match=said):
            lookup.tournaments.find_named(name)


def test_other_terms_hold_from_now_on_and_the_earlier_ones_stay(store: Store) -> None:
    number = make(store)
    other = Competition("Club Cup", leave=14)
    with store.unit() as unit:
        unit.tournaments.change(number, other, "It was too long.")
    with store.reading() as lookup:
        assert (lookup.tournaments.find(number).terms, lookup.tournaments.find(number).version) == (other, 2)
        assert lookup.tournaments.named("Spring League") is None
        assert lookup.tournaments.find_named("club cup").number == number
        assert [(each.version, each.reason, each.terms) for each in lookup.tournaments.history(number)] == [
            (1, "", LEAGUE),
            (2, "It was too long.", other),
        ]


def test_an_office_has_one_holder_and_passes_from_one_to_the_next(store: Store) -> None:
    number = make(store)
    _, anna, bert = start_game(store)
    with store.unit() as unit:
        unit.tournaments.appoint(number, "deputy", bert)
        unit.tournaments.appoint(number, "umpire", anna)
        unit.tournaments.appoint(number, "director", anna)
    with store.reading() as lookup:
        assert lookup.tournaments.find(number).officers == (
            Officer("director", anna),
            Officer("umpire", anna),
            Officer("deputy", bert),
        )
    with store.unit() as unit:
        unit.tournaments.appoint(number, "umpire", bert)
        assert unit.tournaments.dismiss(number, "deputy") == bert
        assert unit.tournaments.dismiss(number, "deputy") is None
    with store.reading() as lookup:
        assert lookup.tournaments.find(number).officers == (
            Officer("director", anna),
            Officer("umpire", bert),
        )


def test_whoever_leaves_holds_no_office_any_more(store: Store) -> None:
    number = make(store)
    _, anna, bert = start_game(store)
    with store.unit() as unit:
        unit.tournaments.appoint(number, "umpire", anna)
        unit.tournaments.appoint(number, "deputy", bert)
    with store.unit() as unit:
        forget_player(unit, anna, letter=1)
    with store.reading() as lookup:
        assert lookup.tournaments.find(number).officers == (Officer("deputy", bert),)


def test_games_belong_to_one_event_or_to_none(store: Store) -> None:
    league, cup = make(store), make(store, Competition("Club Cup"))
    outside, anna, bert = start_game(store)
    with store.unit() as unit:
        inside = unit.games.add("confusion", NOON, competition=league)
        unit.events.append(inside, [(1, "Opened", {"secret": "11"})], at=NOON)
        unit.games.add_seat(inside, Seat("white"), anna)
        unit.games.update(inside, status="playing", last_event=1, at=NOON)
        unit.tournaments.appoint(cup, "umpire", bert)
    with store.reading() as lookup:
        row = lookup.games.get(inside)
        assert row is not None and row.competition == league
        assert [each.number for each in lookup.games.all()] == [outside, inside]
        assert [each.number for each in lookup.games.all(competition=league)] == [inside]
        assert lookup.games.all(competition=cup) == []
        assert (lookup.games.count_playing(league), lookup.games.count_playing(cup)) == (1, 0)
        assert [each.number for each in lookup.tournaments.of_player(anna)] == [league]
        assert [each.number for each in lookup.tournaments.of_player(bert)] == [cup]
    with store.unit() as unit:
        unit.games.update(inside, status="ended", last_event=1, at=NOON + timedelta(days=1))
    with store.reading() as lookup:
        assert lookup.tournaments.of_player(anna) == []


def test_a_game_of_no_event_costs_no_question_about_events(store: Store) -> None:
    game, _, _ = start_game(store)
    asked: list[str] = []
    with store.unit() as unit:
        engine = unit._transaction.connection.engine
        sql_event.listen(engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
        row = unit.games.get(game)
    assert row is not None and row.competition is None
    assert len([each for each in asked if "game.number" in each]) == 1
    assert not any("competition.number" in each or "officer" in each for each in asked)
