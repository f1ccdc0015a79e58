"""Games are looked over, many at once: what is found in the service's books, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event, update

from referee.games.clock_events import facts_after
from referee.games.events import read_event
from referee.games.summary import Outline, outline_of, read_outline
from referee.games.tournaments.tournament import Competition, Holiday
from referee.handlers.game_clocks import GameClocks
from referee.handlers.overview_builder import KINDS, Audience, build_overview
from referee.reports.overview import GameSeen, Overview, SeatSeen
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from referee.store.tables import GAMES
from referee.store.values import StoredCompetition
from tests.service.test_damaged_games import NO_JSON, NO_KIND, damage
from tests.support.begun import DEAL
from tests.support.bounces import bounce
from tests.support.playing import RULES, Club, Correspondent, new_database, once

WHITE, YELLOW = Seat("white"), Seat("yellow")
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
LEAGUE = Competition("Spring League", rules=("confusion",), time="3d/move", lapse="soft", leave=30)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


def secretary(club: Club) -> TournamentService:
    return TournamentService(club.store, club.service, club.clock, club.draws)


@once
def league(club: Club, terms: Competition = LEAGUE) -> tuple[Correspondent, Correspondent, Correspondent]:
    """Anna and Bert are members, and Olga umpires the event."""
    anna, bert, olga = (club.member(name) for name in ("Anna", "Bert", "Olga"))
    secretary(club).make(terms)
    secretary(club).appoint(terms.name, "umpire", ("", olga.address))
    club.waits(2 * DAY)
    return anna, bert, olga


def begin(club: Club, white: Correspondent, yellow: Correspondent, event: str = LEAGUE.name) -> int:
    game = club.starts({"white": white, "yellow": yellow}, deal=DEAL, event=event)
    club.posts()
    club.looks_at_clocks()
    return game


def seen(club: Club, event: str | None = None, reader: int | None = None, **how: Any) -> Overview:
    """Look over all games, or those of an event."""
    with club.store.reading() as lookup:
        which: tuple[StoredCompetition, ...] | None = None
        if event is not None:
            which = (lookup.tournaments.find_named(event),)
        now = club.clock.now()
        how = {"most": 100, **how}
        return build_overview(lookup, club.service.time, RULES, now, Audience(which, reader), **how)


def the_game(club: Club, number: int) -> GameSeen:
    return next(line.game for line in seen(club).lines if line.game.number == number)


def side(club: Club, number: int, seat: Seat) -> SeatSeen:
    return next(each for each in the_game(club, number).seats if each.seat == seat)


def codes(club: Club, number: int) -> list[str]:
    line = next(line for line in seen(club).lines if line.game.number == number)
    return [each.code for each in line.matters]


# what is found


def test_it_says_who_is_to_move_since_when_and_when_the_last_letters_came_and_went(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    club.waits(DAY)
    moved = club.clock.now()
    anna.replies("L-S2", to=anna.last_about(number))
    game = the_game(club, number)
    assert (game.turn, game.event, game.since) == (2, "Spring League", moved)
    assert [each.seat for each in game.due] == [YELLOW]
    white, yellow = side(club, number, WHITE), side(club, number, YELLOW)
    assert (white.name, white.letter_in, white.letter_out, white.posted) == ("Anna", moved, moved, False)
    assert (yellow.letter_in, yellow.letter_out, yellow.posted) == (None, moved, False)
    club.posts()
    assert side(club, number, YELLOW).posted


def test_days_used_and_left_are_those_of_the_house_s_own_clocks(club: Club) -> None:
    """Moves, leave, an outage, time that was given, and a pause: the overview reckons them as the letters do."""
    terms = replace(LEAGUE, days_off=("sunday",), holidays=(Holiday(date(2026, 12, 8), "A feast"),))
    anna, bert, _ = league(club, terms)
    number = begin(club, anna, bert)
    for day in range(9):
        if day == 3:
            club.clock.at += 2 * DAY  # the service is out
            club.referee.letters.looked()
        if day == 5:
            bert.writes(f"leave {club.clock.at.date() + DAY} {club.clock.at.date() + 2 * DAY}")
        who, move = ((anna, "L-S2"), (bert, "C-N2"), (anna, "L-E1"), (bert, "C-NW1"))[day % 4]
        if day < 4:
            who.replies(move, to=who.last_about(number))
        if day == 6:
            anna.replies("pause", to=anna.last_about(number))
            bert.replies("pause", to=bert.last_about(number))
        club.posts()
        club.looks_at_clocks()
        _hold_against_the_house(club, number)
        club.waits(15 * HOUR)
    assert the_game(club, number).due


def _hold_against_the_house(club: Club, number: int) -> None:
    game, now = club.game(number), club.clock.now()
    with club.store.unit() as unit:
        clocks = GameClocks(unit, club.service.time, now)
        standing = {seat: clocks.ledger(game).standing(seat, now) for seat in game.seats}
        expected = {
            seat: (standing[seat].used, clocks.ledger(game).left(seat, now), clocks.deadline(game, seat))
            for seat in game.seats
        }
    shown = {each.seat: (each.used, each.left, each.deadline) for each in the_game(club, number).seats}
    assert shown == expected


def test_all_that_bears_on_the_clocks_of_a_game_is_looked_up_and_no_plan(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    anna.replies("L-S2", to=anna.last_about(number))
    bert.replies("try C-N2; if no V-N1", "diary Mine alone.", to=bert.last_about(number))
    club.referee.umpire.freeze(number, "A ruling is being checked.")
    club.referee.umpire.thaw(number)
    club.referee.umpire.take_back(number, 1, "It was misread.")
    anna.replies("L-S2", to=anna.last_about(number))
    game = club.game(number)
    with club.store.reading() as lookup:
        told = lookup.events.of_kinds([number], [], KINDS)[number]
    facts: Any = ()
    for each in told:
        facts = facts_after(facts, read_event(each.kind, each.body), tuple(game.seats))
    assert facts == game.times and facts
    assert not KINDS & {"Planned", "PlanDropped", "Noted", "Pressed", "Opened"}


def test_a_deadline_that_has_passed_and_then_a_soft_one_that_was_told(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    deadline = side(club, number, WHITE).deadline
    assert deadline is not None and codes(club, number) == []
    club.waits(3 * DAY + HOUR)
    assert codes(club, number) == ["late"]
    club.looks_at_clocks()
    assert codes(club, number) == ["time-up"]
    assert the_game(club, number).time_up[0].since == deadline
    anna.replies("L-S2", to=anna.last_about(number))
    assert codes(club, number) == []


def test_what_is_frozen_and_why_and_that_no_time_runs_meanwhile(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    at = club.clock.now()
    club.referee.umpire.freeze(number, "A ruling is being checked.")
    club.waits(9 * DAY)
    game = the_game(club, number)
    assert game.frozen is not None
    assert (game.frozen.since, game.frozen.said) == (at, "A ruling is being checked.")
    white = side(club, number, WHITE)
    assert (white.deadline, white.rests, codes(club, number)) == (None, "frozen", ["frozen"])
    assert white.left is not None and white.left > 2 * DAY
    club.referee.umpire.thaw(number)
    assert codes(club, number) == [] and side(club, number, WHITE).deadline is not None


def test_who_cannot_be_reached_and_since_when(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    club.take(club.raw(bounce(bert.last)))
    club.later(DAY + HOUR)
    (copy,) = club.looks_round()
    assert codes(club, number) == []
    at = club.clock.now()
    club.take(club.raw(bounce(copy)))
    game = the_game(club, number)
    assert [(each.seat, each.since) for each in game.unreachable] == [(YELLOW, at)]
    assert (codes(club, number), side(club, number, WHITE).rests) == (["unreachable"], "unreachable")
    bert.replies("status", to=bert.last_about(number))
    assert codes(club, number) == []


def test_offers_that_wait_for_an_answer(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    first = club.clock.now()
    bert.replies("draw", to=bert.last_about(number))
    second = club.clock.now()
    bert.replies("pause", to=bert.last_about(number))
    game = the_game(club, number)
    assert game.offer is not None
    assert (game.offer.seat, game.offer.said, game.offer.since) == (YELLOW, "draw", first)
    assert [(each.seat, each.since) for each in game.pauses] == [(YELLOW, second)]
    anna.replies("pause", to=anna.last_about(number))
    assert the_game(club, number).pauses == ()
    assert (side(club, number, WHITE).rests, side(club, number, WHITE).until) == ("pause", None)
    ends = club.clock.now() + DAY
    anna.replies("resume", to=anna.last_about(number))
    assert (side(club, number, WHITE).rests, side(club, number, WHITE).until) == ("pause", ends)
    anna.replies("L-S2", to=anna.last_about(number))
    assert the_game(club, number).offer is None


def test_leave_and_days_off_are_told_apart(club: Club) -> None:
    anna, bert, _ = league(club, replace(LEAGUE, days_off=("saturday", "sunday")))
    club.waits(DAY)
    number = begin(club, anna, bert)  # a Monday
    today = club.clock.at.date()
    anna.writes(f"leave {today + DAY} {today + 2 * DAY}")
    assert side(club, number, WHITE).rests is None
    club.waits(DAY)
    white = side(club, number, WHITE)
    assert (white.rests, white.on_leave) == ("leave", today + 2 * DAY)
    club.waits(4 * DAY)  # a Saturday
    white = side(club, number, WHITE)
    assert (white.rests, white.on_leave) == ("day off", None)
    assert white.until == datetime(2026, 12, 7, tzinfo=club.clock.at.tzinfo)


def test_a_letter_that_is_held_and_a_case_that_is_open(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    held = club.clock.now()
    bert.replies("status", to=bert.last_about(number), vouched=False)
    claimed = club.clock.now()
    anna.replies("claim The answer was wrong.", to=anna.last_about(number))
    game = the_game(club, number)
    assert [(each.seat, each.since) for each in game.held] == [(YELLOW, held)]
    assert [(each.number, each.seat, each.since, each.said) for each in game.cases] == [
        (1, WHITE, claimed, "Olga")
    ]
    assert codes(club, number) == ["case", "held"]
    anna.replies("resign", to=anna.last_about(number))
    overview = seen(club)
    assert [(each.game, each.case.number) for each in overview.cases] == [(number, 1)]
    assert (overview.playing, overview.lines) == (0, ())


def test_a_held_letter_is_forgotten_after_a_week(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    bert.replies("status", to=bert.last_about(number), vouched=False)
    club.waits(7 * DAY - HOUR)
    assert the_game(club, number).held
    club.waits(2 * HOUR)
    assert not the_game(club, number).held


def test_a_game_of_no_event_without_a_clock_is_silent_after_a_month(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert, event="")
    game = the_game(club, number)
    assert (game.event, game.time, side(club, number, WHITE).left) == ("", "", None)
    club.waits(30 * DAY)
    assert codes(club, number) == ["silent"]
    assert [line.game.number for line in seen(club, late=True).needs] == [number]


def test_only_games_that_are_being_played_are_listed(club: Club) -> None:
    anna, bert, _ = league(club)
    over, running = begin(club, anna, bert), begin(club, bert, anna)
    anna.writes("challenge Bert confusion")
    anna.replies("resign", to=anna.last_about(over))
    assert [line.game.number for line in seen(club).lines] == [running]


def test_of_a_game_that_the_reader_plays_nothing_is_told_but_what_he_knows(club: Club) -> None:
    anna, bert, olga = league(club)
    mine, other = begin(club, anna, olga), begin(club, anna, bert)
    anna.replies("claim I suspect that K is the Crab.", to=anna.last_about(mine))
    club.waits(4 * DAY)
    with club.store.reading() as lookup:
        me = lookup.players.by_address(olga.address)
    assert me is not None
    overview = seen(club, LEAGUE.name, me.number)
    assert [line.game.number for line in overview.lines] == [other]
    assert [(each.number, each.who, each.turn, each.due) for each in overview.own] == [
        (mine, "Anna", 1, False)
    ]
    assert overview.cases == ()


# what is kept for it


def test_the_outline_that_is_kept_is_always_that_of_the_game(club: Club) -> None:
    anna, bert, _ = league(club)
    number = begin(club, anna, bert)
    for who, lines in (
        (anna, ("L-S2",)),
        (bert, ("draw", "pause")),
        (anna, ("try A-S1",)),
        (bert, ("C-N2", "press Hello")),
        (anna, ("pause", "agree none")),
    ):
        who.replies(*lines, to=who.last_about(number))
        assert _kept(club, number) == outline_of(club.game(number))
    club.referee.umpire.freeze(number, "A ruling is being checked.")
    assert _kept(club, number) == outline_of(club.game(number))
    club.referee.umpire.adjudicate(number, "none", "Nobody plays on.")
    ended = Outline(club.game(number).last_event, 3, time="3d/move", how="adjudicated: Nobody plays on")
    assert _kept(club, number) == ended == outline_of(club.game(number))


def _kept(club: Club, number: int) -> Any:
    engine = create_engine(club.url)
    with engine.connect() as connection:
        kept = connection.execute(GAMES.select().where(GAMES.c.number == number)).one().outline
    engine.dispose()
    return read_outline(kept)


def _forget_outlines(club: Club, *numbers: int, kept: str = "") -> None:
    engine = create_engine(club.url)
    with engine.begin() as connection:
        connection.execute(update(GAMES).where(GAMES.c.number.in_(numbers)).values(outline=kept))
    engine.dispose()


def test_a_game_whose_outline_an_earlier_release_did_not_keep_is_read(club: Club) -> None:
    anna, bert, _ = league(club)
    first, second = begin(club, anna, bert), begin(club, bert, anna)
    club.referee.umpire.freeze(first, "A ruling is being checked.")
    before = seen(club)
    _forget_outlines(club, first)
    _forget_outlines(club, second, kept='{"last_event":1,"turn":77}')
    assert seen(club) == before


@pytest.mark.parametrize("how", [NO_JSON, NO_KIND])
@pytest.mark.parametrize("kept", [True, False], ids=["with its outline", "without"])
def test_a_game_that_cannot_be_read_is_named_and_keeps_no_other_from_being_listed(
    club: Club, how: str, kept: bool
) -> None:
    anna, bert, _ = league(club)
    bad, good = begin(club, anna, bert), begin(club, bert, anna)
    club.referee.umpire.freeze(bad, "A ruling is being checked.")
    club.referee.umpire.thaw(bad)
    if not kept:
        _forget_outlines(club, bad)
    with club.store.reading() as lookup:
        thawed = lookup.events.of_game(bad)[-1]
    damage(club, how, bad, thawed.number)
    assert codes(club, bad) == ["unread"]
    assert codes(club, good) == []


# what it costs


@contextmanager
def counted(club: Club) -> Iterator[list[str]]:
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        asked.append(statement)

    event.listen(club.store.connections.engine, "before_cursor_execute", note)
    yield asked
    event.remove(club.store.connections.engine, "before_cursor_execute", note)


@pytest.mark.slow
@pytest.mark.parametrize("reader", [False, True], ids=["operator", "officer"])
def test_it_takes_as_many_questions_for_fifty_games_as_for_five(club: Club, reader: bool) -> None:
    anna, bert, olga = league(club)
    with club.store.reading() as lookup:
        found = lookup.players.by_address(olga.address)
    assert found is not None
    me = found.number if reader else None
    costs = []
    for games in (5, 45):
        for number in range(games):
            last = begin(club, anna, bert, event=LEAGUE.name if number % 2 else "")
            if number % 3 == 0:
                anna.replies("claim Please look.", to=anna.last_about(last))
        club.waits(4 * DAY)
        with counted(club) as asked:
            overview = seen(club, LEAGUE.name if reader else None, me)
        assert overview.lines
        costs.append(len(asked))
    assert costs[0] == costs[1] <= 20


def test_no_more_games_are_looked_into_than_are_listed_and_the_rest_is_counted(club: Club) -> None:
    anna, bert, _ = league(club)
    games = [begin(club, anna, bert, event="") for _ in range(6)]
    club.referee.umpire.freeze(games[4], "A ruling is being checked.")
    overview = seen(club, most=2)
    assert [line.game.number for line in overview.lines] == [games[4], games[0]]
    assert (overview.playing, overview.left_out) == (6, 4)
