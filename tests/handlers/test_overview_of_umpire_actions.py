"""Whatever an umpire has done in a game, the overviews show it: in games of every rulebook, timed or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy import create_engine, text

from referee.games import umpire_actions
from referee.games.tournaments.tournament import Competition
from referee.games.umpire_actions import Act
from referee.handlers.overview_builder import UNREAD, Audience, build_overview
from referee.reports.overview import Overview
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from tests.service.test_damaged_games import HERE, damage
from tests.support.begun import DEAL, said
from tests.support.playing import RULES, Club, Correspondent, new_database
from tests.transcripts.stories_of_cards import BLUE_SET_UP, RED_SET_UP

DAY = timedelta(days=1)
OPENINGS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "confusion": (("L-S2",),),
    "spies": (("L-S1",),),
    "cards": (RED_SET_UP, BLUE_SET_UP, ("PASS",)),
}
"""What is played before the umpire acts, letter by letter: whoever is first begins."""
UNTIMED = "none"
TIMES = {"untimed": UNTIMED, "timed": "20d+2d"}
BODIES = ("[]", '{"seat": {}}', '{"cut off', '{"seat": "white", "player": 3, "before": [3]}', "7")
"""What may stand in the place of what an event says, once somebody has changed it."""

every_rulebook = pytest.mark.parametrize("rules", RULES)
every_time = pytest.mark.parametrize("time", TIMES.values(), ids=TIMES)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    for name in ("Anna", "Bert", "Dora"):
        club.member(name)
    yield club
    club.close()


@dataclass(frozen=True)
class Played:
    """A game of Anna's and Bert's in an event that Olga umpires; Dora may take a seat."""

    club: Club
    number: int
    seats: tuple[Seat, ...]
    olga: Correspondent
    dora: int

    def a_turn(self) -> Act:
        """Return the act by which an umpire plays for whoever is to move."""
        game = self.club.game(self.number)
        seat, question = next(iter(game.due.items()))
        return umpire_actions.ActFor(seat, "PASS" if game.rulebook.name == "cards" else question.forms[0])


def number_of(club: Club, who: Correspondent) -> int:
    with club.store.reading() as lookup:
        player = lookup.players.by_address(who.address)
    assert player is not None
    return player.number


def event(club: Club, name: str, time: str) -> Correspondent:
    """Make an event; return its umpire, who wants an overview every day."""
    olga = club.member(f"Olga of {name}", name.replace(" ", ".") + "@example.org")
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition(name, rules=tuple(RULES), time=time, leave=0 if time == UNTIMED else 30))
    secretary.appoint(name, "umpire", ("", olga.address))
    olga.writes("set overview daily")
    return olga


def begin(club: Club, rules: str, time: str, name: str = "Spring League") -> Played:
    olga = event(club, name, time)
    anna, bert, dora = (club.reader(f"{name}@example.net") for name in ("anna", "bert", "dora"))
    first, second = (Seat(each) for each in RULES[rules].seats)
    if rules == "cards":
        first, second = Seat("red"), Seat("blue")
    seats: dict[str, Correspondent] = {first: anna, second: bert}
    options: dict[str, Any] = {"confusion": {"deal": DEAL}, "cards": {"edition": "en"}}.get(rules, {})
    number = club.starts(seats, rules=rules, first=first, event=name, **options)
    club.posts()
    club.looks_at_clocks()
    who = [anna, bert]
    for lines in OPENINGS[rules]:
        player, other = who
        player.replies(*lines, to=player.last_about(number))
        who = [other, player]
    club.waits(DAY)
    return Played(club, number, (first, second), olga, number_of(club, dora))


ACTS: Mapping[str, Callable[[Played], tuple[Act, ...]]] = {
    "Pause": lambda it: (umpire_actions.Pause(it.club.clock.now() + 9 * DAY), umpire_actions.Pause()),
    "Resume": lambda _: (umpire_actions.Resume(),),
    "AddTime": lambda it: (umpire_actions.AddTime(DAY), umpire_actions.AddTime(DAY, it.seats[1])),
    "Correct": lambda it: (umpire_actions.Correct(OPENINGS[it.club.game(it.number).rulebook.name][-1][0]),),
    "TakeBack": lambda _: (umpire_actions.TakeBack(1),),
    "Restore": lambda _: (umpire_actions.Restore(),),
    "ActFor": lambda it: (it.a_turn(),),
    "Rule": lambda _: (umpire_actions.Rule(),),
    "Replace": lambda it: (umpire_actions.Replace(it.seats[0], it.dora),),
}
"""What an umpire does in a game that goes on, in an order in which all of it can be done."""
OF_CLOCKS = {"Pause", "Resume", "AddTime"}
ENDS = {"Close", "Adjudicate"}


def seen(club: Club, reader: int | None = None, *, late: bool = False) -> Overview:
    with club.store.reading() as lookup:
        which = None if reader is None else tuple(lookup.tournaments.all())
        now = club.clock.now()
        return build_overview(
            lookup, club.service.time, RULES, now, Audience(which, reader), most=100, late=late
        )


def check(played: Played, *, playing: bool = True) -> None:
    """Hold that everybody's overview has the game and could read it."""
    club = played.club
    for reader in (None, number_of(club, played.olga)):
        lines = [line.game for line in seen(club, reader).lines]
        assert [(game.number, game.unread) for game in lines] == [(played.number, "")] * playing
        seen(club, reader, late=True)


def hears_of_the_day(played: Played, *, playing: bool) -> None:
    """Hold that the umpire is shown the game when he asks, and once a day while it is played."""
    club = played.club
    played.olga.writes("overview")
    assert ("Anna" in played.olga.last.text or "Dora" in played.olga.last.text) == playing
    before = len(played.olga.letters)
    club.waits(DAY)
    club.strikes()
    assert len(played.olga.letters) == before + playing


def test_all_acts_of_an_umpire_are_looked_at() -> None:
    assert {*ACTS, *ENDS} == {each.__name__ for each in get_args(Act)}


@pytest.mark.slow
@every_rulebook
@every_time
@pytest.mark.parametrize(
    "end", [umpire_actions.Close(), umpire_actions.Adjudicate("draw")], ids=["closed", "adjudicated"]
)
def test_whatever_an_umpire_does_in_a_game_is_shown(club: Club, rules: str, time: str, end: Act) -> None:
    """All that he may do, one after the other, with a freeze between; and then he ends the game."""
    played = begin(club, rules, time)
    for name, what in ACTS.items():
        if name in OF_CLOCKS and time == UNTIMED:
            continue
        for each in what(played):
            club.referee.umpire.act(played.number, each, "It has to be so.")
            check(played)
        club.referee.umpire.freeze(played.number, "A ruling is being checked.")
        check(played)
        club.referee.umpire.thaw(played.number)
    hears_of_the_day(played, playing=True)
    club.referee.umpire.act(played.number, end, "It has to be so.")
    check(played, playing=False)
    hears_of_the_day(played, playing=False)


@every_time
@pytest.mark.parametrize("body", BODIES)
def test_an_act_that_cannot_be_read_hides_no_other_game(club: Club, time: str, body: str) -> None:
    played = begin(club, "confusion", time)
    club.referee.umpire.act(
        played.number, umpire_actions.Replace(played.seats[0], played.dora), "It has to be so."
    )
    good = begin(club, "spies", time, "Club Cup")
    damage_the(club, "Replaced", played.number, body)
    club.open_house()
    shown = {line.game.number: line.game.unread for line in seen(club).lines}
    assert shown == {played.number: UNREAD, good.number: ""}
    club.waits(DAY)
    club.strikes()
    assert "Bert" in good.olga.last.text and "Bert" in played.olga.last.text


def damage_the(club: Club, kind: str, game: int, body: str) -> None:
    """Put something else in the place of what the newest event of a kind says."""
    with club.store.reading() as lookup:
        found = [each.number for each in lookup.events.of_game(game) if each.kind == kind]
    damage(club, f"UPDATE event SET body = '{body}' {HERE}", game, found[-1])


@pytest.mark.parametrize("body", BODIES)
@every_time
def test_a_case_that_cannot_be_read_hides_no_other(club: Club, time: str, body: str) -> None:
    played, other = begin(club, "confusion", time), begin(club, "spies", time, "Club Cup")
    anna = club.reader("anna@example.net")
    for number in (played.number, other.number):
        anna.replies("claim Please look.", to=anna.last_about(number))
    damage_the(club, "Claimed", played.number, body)
    club.open_house()
    shown = {line.game.number: [each.code for each in line.matters] for line in seen(club).lines}
    assert shown == {played.number: ["unread"], other.number: ["case"]}
    club.referee.jobs.hand_cases_on()


def test_an_event_that_cannot_be_read_keeps_no_other_officer_from_his_overview(club: Club) -> None:
    bad, good = begin(club, "confusion", UNTIMED), begin(club, "spies", UNTIMED, "Club Cup")
    engine = create_engine(club.url)
    with engine.begin() as connection:
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
        for name in names.scalars().all():
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text("UPDATE terms SET body = '{}' WHERE competition = 1"))
    engine.dispose()
    club.waits(DAY)
    before = len(bad.olga.letters), len(good.olga.letters)
    club.strikes()
    assert (len(bad.olga.letters), len(good.olga.letters)) == (before[0] + 1, before[1] + 1)
    assert "Club Cup" in said(good.olga.last)
    assert "The terms of Spring League cannot be read." in said(bad.olga.last)
    assert club.strikes() == ()
