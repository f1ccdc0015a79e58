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
from referee.store.values import StoredCompetition
from tests.store.scenery import NOON, start_game

LEAGUE = Competition("Spring League", rules=("confusion",), leave=30)


def make(store: Store, terms: Competition = LEAGUE) -> int:
    with store.unit() as unit:
        return unit.add_competition(terms)


def test_an_event_is_kept_with_its_terms(store: Store) -> None:
    number = make(store)
    with store.reading() as lookup:
        assert lookup.competition(number) == StoredCompetition(number, LEAGUE, 1, NOON)
        assert lookup.competitions() == [lookup.competition(number)]
        with pytest.raises(LookupError):
            lookup.competition(number + 1)


def test_an_event_is_found_by_any_name_that_looks_like_its_own_and_there_is_no_second(store: Store) -> None:
    number = make(store)
    for name in ("Spring League", "spring  LEAGUE", "Sprlng Leàgue", "ЅPRING LEAGUE", "Springleague"):
        with store.reading() as lookup:
            assert lookup.find_competition(name).number == number
        with pytest.raises(Contested):
            make(store, Competition(name))


def test_an_event_that_is_none_is_named_with_what_was_perhaps_meant(store: Store) -> None:
    make(store)
    asked = {"Spring Leagues": "mean 'Spring League'", "Cup": "referee event list", "": "no event ''"}
    for name, said in asked.items():
        with store.reading() as lookup, pytest.raises(UsageError, match=said):
            lookup.find_competition(name)


def test_other_terms_hold_from_now_on_and_the_earlier_ones_stay(store: Store) -> None:
    number = make(store)
    other = Competition("Club Cup", leave=14)
    with store.unit() as unit:
        unit.change_competition(number, other, "It was too long.")
    with store.reading() as lookup:
        assert (lookup.competition(number).terms, lookup.competition(number).version) == (other, 2)
        assert lookup.competition_named("Spring League") is None
        assert lookup.find_competition("club cup").number == number
        assert [(each.version, each.reason, each.terms) for each in lookup.terms_of(number)] == [
            (1, "", LEAGUE),
            (2, "It was too long.", other),
        ]


def test_an_office_has_one_holder_and_passes_from_one_to_the_next(store: Store) -> None:
    number = make(store)
    _, anna, bert = start_game(store)
    with store.unit() as unit:
        unit.appoint(number, "deputy", bert)
        unit.appoint(number, "umpire", anna)
        unit.appoint(number, "director", anna)
    with store.reading() as lookup:
        assert lookup.competition(number).officers == (
            Officer("director", anna),
            Officer("umpire", anna),
            Officer("deputy", bert),
        )
    with store.unit() as unit:
        unit.appoint(number, "umpire", bert)
        assert unit.dismiss(number, "deputy") == bert
        assert unit.dismiss(number, "deputy") is None
    with store.reading() as lookup:
        assert lookup.competition(number).officers == (Officer("director", anna), Officer("umpire", bert))


def test_whoever_leaves_holds_no_office_any_more(store: Store) -> None:
    number = make(store)
    _, anna, bert = start_game(store)
    with store.unit() as unit:
        unit.appoint(number, "umpire", anna)
        unit.appoint(number, "deputy", bert)
    with store.unit() as unit:
        unit.forget_player(anna, letter=1)
    with store.reading() as lookup:
        assert lookup.competition(number).officers == (Officer("deputy", bert),)


def test_games_belong_to_one_event_or_to_none(store: Store) -> None:
    league, cup = make(store), make(store, Competition("Club Cup"))
    outside, anna, bert = start_game(store)
    with store.unit() as unit:
        inside = unit.new_game("confusion", NOON, competition=league)
        unit.append(inside, [(1, "Opened", {"secret": "11"})], at=NOON)
        unit.add_seat(inside, Seat("white"), anna)
        unit.update_game(inside, status="playing", last_event=1, at=NOON)
        unit.appoint(cup, "umpire", bert)
    with store.reading() as lookup:
        row = lookup.game_row(inside)
        assert row is not None and row.competition == league
        assert [each.number for each in lookup.games()] == [outside, inside]
        assert [each.number for each in lookup.games(competition=league)] == [inside]
        assert lookup.games(competition=cup) == []
        assert (lookup.count_playing(league), lookup.count_playing(cup)) == (1, 0)
        assert [each.number for each in lookup.competitions_of(anna)] == [league]
        assert [each.number for each in lookup.competitions_of(bert)] == [cup]
    with store.unit() as unit:
        unit.update_game(inside, status="ended", last_event=1, at=NOON + timedelta(days=1))
    with store.reading() as lookup:
        assert lookup.competitions_of(anna) == []


def test_a_game_of_no_event_costs_no_question_about_events(store: Store) -> None:
    game, _, _ = start_game(store)
    asked: list[str] = []
    with store.unit() as unit:
        engine = unit._connection.engine
        sql_event.listen(engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
        row = unit.game_row(game)
    assert row is not None and row.competition is None
    assert len([each for each in asked if "game.number" in each]) == 1
    assert not any("competition.number" in each or "officer" in each for each in asked)
