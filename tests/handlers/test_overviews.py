"""The word `overview`, and the overview that comes by itself: for officers, of their own events alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, select

from referee.games.player import Player
from referee.games.tournaments.officers import Office
from referee.games.tournaments.tournament import Competition
from referee.handlers import digests, overview_mails
from referee.service.tournaments import TournamentService
from referee.store.repositories.digests import Overviews
from referee.store.repositories.outbox import Outbox
from referee.store.repositories.tags import Threads
from referee.store.tables import OUTGOING, OUTGOING_CONTENTS, PLAYERS
from tests.support.begun import DEAL, said
from tests.support.playing import Club, Correspondent, Delivered, furnish, new_database, once

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
OTHER_DEAL = "White=A5 C8 E10 H11 K2 L1 N3 O9 P7 S6 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"
"""White's A and S have changed places; L-S2 is answered alike."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=(pytest.mark.full, pytest.mark.servers))])
def club(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Club]:
    """A club whose service keeps its books in either database."""
    on_sqlite = request.param == "sqlite"
    club = Club(new_database(tmp_path) if on_sqlite else furnish(request.getfixturevalue("postgres_url")))
    yield club
    club.close()


def secretary(club: Club) -> TournamentService:
    return TournamentService(club.store, club.service, club.clock, club.draws)


def event(club: Club, name: str = "Spring League", **officers: Correspondent) -> None:
    """Make an event and give its offices."""
    secretary(club).make(Competition(name, rules=("confusion",), time="3d/move", lapse="soft", leave=30))
    for office, who in officers.items():
        appoint(club, name, office, who)


def appoint(club: Club, name: str, office: Any, who: Correspondent) -> None:
    given: Office = office
    secretary(club).appoint(name, given, ("", who.address))


@once
def people(club: Club) -> tuple[Correspondent, Correspondent, Correspondent]:
    anna, bert, olga = (club.member(name) for name in ("Anna", "Bert", "Olga"))
    return anna, bert, olga


def begin(club: Club, white: Correspondent, yellow: Correspondent, event: str = "Spring League") -> int:
    game = club.starts({"white": white, "yellow": yellow}, deal=DEAL, event=event)
    club.posts()
    club.looks_at_clocks()
    return game


def due(club: Club, who: Correspondent) -> datetime | None:
    """Return when the next overview is due to somebody."""
    with club.store.reading() as lookup:
        player = lookup.players.by_address(who.address)
    assert player is not None
    engine = create_engine(club.url)
    with engine.connect() as connection:
        at: datetime | None = connection.execute(
            select(PLAYERS.c.overview_at).where(PLAYERS.c.number == player.number)
        ).scalar_one()
    engine.dispose()
    return at


# the word


def test_an_officer_sees_the_games_of_his_events_and_of_no_other(club: Club) -> None:
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    event(club, "Club Cup", director=bert)
    league, cup, none = (begin(club, anna, bert, name) for name in ("Spring League", "Club Cup", ""))
    olga.writes("overview")
    assert (olga.last.kind, olga.last.game, olga.last["Subject"]) == (
        "receipt",
        None,
        "Referee: how your events stand",
    )
    assert said(olga.last).startswith("Spring League: nothing needs you. 1 game is being played.")
    assert f"\r\n{league}: White (Anna) - Yellow (Bert), turn 1\r\n" in olga.last.text
    assert not any(f"\r\n{number}: " in olga.last.text for number in (cup, none))
    assert "Club Cup" not in olga.last.text


@pytest.mark.parametrize("office", ["director", "umpire", "deputy", "appeals"])
def test_every_office_sees_it_but_only_who_may_act_is_told_how(club: Club, office: str) -> None:
    anna, bert, olga = people(club)
    event(club, "Spring League", **{office: olga})
    if office != "umpire":
        appoint(club, "Spring League", "umpire", club.member("Ulla"))
    club.waits(2 * DAY)
    begin(club, anna, bert)
    club.waits(4 * DAY)
    olga.writes("overview")
    assert "White has been late since" in said(olga.last)
    told = "write umpire add 1 White TIME: REASON" in said(olga.last)
    assert told is (office in ("director", "umpire"))


def test_a_deputy_is_told_how_to_act_where_the_umpire_plays(club: Club) -> None:
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=anna, deputy=olga)
    club.waits(2 * DAY)
    begin(club, anna, bert)
    club.waits(4 * DAY)
    olga.writes("overview late")
    assert "write umpire add 1 White TIME: REASON" in said(olga.last)
    anna.writes("overview late")
    assert "White is late" not in anna.last.text


def test_an_event_can_be_named_however_it_is_written(club: Club) -> None:
    anna, bert, olga = people(club)
    for name in ("Spring League", "Club Cup"):
        event(club, name, umpire=olga)
        begin(club, anna, bert, name)
    olga.writes("overview")
    assert said(olga.last).startswith("Spring League, Club Cup: nothing needs you. 2 games")
    assert olga.last.text.index("SPRING LEAGUE") < olga.last.text.index("CLUB CUP")
    olga.writes("Overview club cup.")
    assert said(olga.last).startswith("Club Cup: nothing needs you. 1 game is")
    assert "SPRING" not in olga.last.text


@pytest.mark.parametrize(
    "named", ["Winter League", "Autumn League"], ids=["it is not there", "it is another's"]
)
def test_an_event_in_which_he_holds_no_office_is_as_good_as_none(club: Club, named: str) -> None:
    _, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    event(club, "Autumn League", umpire=bert)
    olga.writes(f"overview {named}")
    assert olga.last.kind == "refusal"
    assert said(olga.last).startswith(
        f"Not accepted. Line 1, column 1, overview {named}: you hold no office in an event that is called {named}; "
        "those in which you do are Spring League."
    )


@pytest.mark.parametrize(
    "line", ["overview", "overview late", "overview Spring League", "set overview daily"]
)
def test_whoever_holds_no_office_is_told_for_whom_it_is(club: Club, line: str) -> None:
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    begin(club, anna, bert)
    anna.writes(line)
    assert anna.last.kind == "refusal"
    assert (
        "the overview is for those who hold an office in an event; your own games are listed by the word games."
        in (said(anna.last))
    )
    assert due(club, anna) is None


def test_who_holds_the_office_no_more_sees_nothing_more(club: Club) -> None:
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    begin(club, anna, bert)
    secretary(club).dismiss("Spring League", "umpire", olga.address)
    olga.writes("overview")
    assert olga.last.kind == "refusal"


def test_with_no_games_there_is_one_friendly_sentence(club: Club) -> None:
    _, _, olga = people(club)
    event(club, "Spring League", umpire=olga)
    for line in ("overview", "overview late"):
        olga.writes(line)
        first = "no game is late." if "late" in line else "no game is being played, and nothing is open."
        assert said(olga.last).startswith(f"Spring League: {first} Letter ")


def test_a_letter_that_also_moves_gets_the_answer_to_its_move_as_ever(club: Club) -> None:
    anna, bert, _ = people(club)
    event(club, "Spring League", umpire=anna)
    own, other = begin(club, anna, bert), begin(club, bert, club.member("Carl"))
    exchange = anna.replies("L-S2", "overview", to=anna.last_about(own))
    mine = [letter for letter in exchange.sent if letter.recipient == anna.address]
    assert [letter.game for letter in mine] == [own, None] or [letter.game for letter in mine] == [None, own]
    (overview,) = (letter for letter in mine if letter.game is None)
    assert f"\r\n{other}: White (Bert) - Yellow (Carl)" in overview.text


def test_a_held_letter_brings_no_overview_before_it_is_confirmed(club: Club) -> None:
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    begin(club, anna, bert)
    sent = olga.writes("overview", vouched=False).sent
    assert not any("White (Anna)" in letter.text for letter in sent)
    olga.replies("confirm")
    assert "White (Anna)" in olga.last.text


# a game that he plays himself


def test_of_his_own_game_he_sees_no_more_than_any_player(club: Club) -> None:
    anna, _, olga = people(club)
    event(club, "Spring League", umpire=olga)
    club.waits(2 * DAY)
    begin(club, anna, olga)
    anna.replies("claim My K is the Crab, I think.", to=anna.last_about(1))
    club.waits(4 * DAY)
    olga.writes("overview")
    text = said(olga.last)
    assert (
        "GAMES THAT YOU PLAY YOURSELF 1: against Anna, who is to move, turn 1. You do not act in these"
        in text
    )
    assert not any(word in text for word in ("late", "used", "left", "Case", "Last letter", "Crab"))


def test_what_his_opponent_does_in_private_changes_nothing_in_it(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path))
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    begin(club, olga, anna)
    begin(club, bert, anna)
    other = club.copy(tmp_path)
    found = []
    for each, lines in (
        (club, ("try A-N1; if no K-N1", "diary K is no Crab.")),
        (other, ("status", "status")),
    ):
        theirs = each.reader(anna.address)
        for line in lines:
            theirs.replies(line, to=theirs.last_about(2))
        each.reader(olga.address).writes("overview")
        found.append(each.reader(olga.address).last.text)
    assert found[0] == found[1]
    assert "2: White (Bert)" in found[0]
    for each in (club, other):
        each.close()


@pytest.mark.slow
def test_of_a_game_in_which_another_took_his_seat_it_says_nothing(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path))
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=bert)
    appoint(club, "Spring League", "director", olga)
    begin(club, olga, anna)
    club.member("Carl")
    anna.replies("claim Olga cheats.", to=anna.last_about(1))
    bert.writes("umpire replace 1 White Carl: She travels.")
    assert "Case 1/" in said(bert.writes("overview").only)
    bert.replies("confirm", to=next(each for each in bert.letters if "Carl plays White" in each.text))
    for later in (timedelta(0), 4 * DAY):
        club.waits(later)
        assert said(olga.writes("overview").only).startswith("Spring League: nothing needs you. Letter")
        assert "1: White (Carl)" in said(bert.writes("overview").only)
    anna.writes("1: resign")
    assert "Case" not in said(olga.writes("overview").only)
    assert "Case 1/" in said(bert.writes("overview").only)
    club.close()


# it holds nothing of what is hidden


@pytest.mark.slow
def test_two_deals_give_the_same_overview_byte_for_byte(tmp_path: Path) -> None:
    """An umpire may learn nothing of the types, whatever stands in an overview: late, frozen, offers, cases."""
    told = []
    for number, deal in enumerate((DEAL, OTHER_DEAL)):
        (tmp_path / f"{number}").mkdir()
        club = Club(new_database(tmp_path / f"{number}"))
        anna, bert, olga = people(club)
        event(club, "Spring League", umpire=olga)
        club.waits(2 * DAY)
        for _ in range(3):
            club.starts({"white": anna, "yellow": bert}, deal=deal, event="Spring League")
            club.posts()
            club.looks_at_clocks()
        anna.replies("L-S2", to=anna.last_about(1))
        bert.replies("try C-N2; if no V-N1", "diary A is a Crab.", "draw", to=bert.last_about(1))
        bert.replies("pause", "claim Is that right?", to=bert.last_about(2))
        club.referee.umpire.freeze(3, "A ruling is being checked.")
        club.posts()
        club.waits(4 * DAY)
        olga.writes("overview", "overview late")
        olga.writes("set language fr", "overview")
        told.append([letter.content for letter in olga.letters[-2:]])
        assert "C-N2" not in olga.last.text and "Crab" not in olga.last.text
        club.close()
    assert told[0] == told[1]


def test_whoever_leaves_stands_in_no_overview_any_more(club: Club) -> None:
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    begin(club, anna, bert)
    olga.writes("overview")
    club.posts()
    told = f"Letter {olga.last.number},".encode()
    assert any(told in letter and b"White (Anna)" in letter for letter in _contents(club))
    anna.writes("bye")
    anna.replies("confirm")
    club.posts()
    for _ in range(3):
        club.referee.jobs.erase_what_is_due()
    assert not any(b"White (Anna)" in letter for letter in _contents(club))


def _contents(club: Club) -> list[bytes]:
    engine = create_engine(club.url)
    with engine.connect() as connection:
        asked = select(OUTGOING_CONTENTS.c.content).join(OUTGOING, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
        found = [bytes(each) for each in connection.execute(asked).scalars()]
    engine.dispose()
    return found


# by itself


def evening(club: Club, day: int = 28) -> tuple[Delivered, ...]:
    """Let it be the evening of a day in November; return what is written then."""
    club.clock.at = datetime(2026, 11, day, 18, tzinfo=UTC)
    return club.strikes()


@pytest.fixture
def olga(club: Club) -> Correspondent:
    """Olga, who umpires an event with a game; it is the morning of a Saturday."""
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    begin(club, anna, bert)
    club.clock.at = datetime(2026, 11, 28, 8, tzinfo=UTC)
    return olga


def test_it_comes_once_a_day_at_the_hour_of_the_day_s_letter(club: Club, olga: Correspondent) -> None:
    olga.writes("set overview daily")
    assert said(olga.last).startswith(
        "The overview of your events comes once a day from now on, at 18:00 UTC,"
    )
    assert due(club, olga) == datetime(2026, 11, 28, 18, tzinfo=UTC)
    club.clock.at = datetime(2026, 11, 28, 17, 59, tzinfo=UTC)
    assert club.strikes() == ()
    (letter,) = evening(club)
    assert (letter.kind, letter.recipient, letter.game) == ("notice", olga.address, None)
    assert "1: White (Anna) - Yellow (Bert), turn 1" in letter.text
    assert evening(club) == ()
    assert len(evening(club, 29)) == 1


def test_weekly_is_mondays_by_his_own_clock(club: Club, olga: Correspondent) -> None:
    olga.writes("set zone Auckland", "set overview weekly")
    at = due(club, olga)
    assert at is not None
    there = at.astimezone(ZoneInfo("Pacific/Auckland"))
    assert (there.weekday(), there.hour, there.date().isoformat()) == (0, 18, "2026-11-30")
    assert evening(club, 28) == ()
    (letter,) = evening(club, 30)
    assert letter.recipient == olga.address
    assert due(club, olga) == at + 7 * DAY


def test_another_zone_moves_it_and_off_ends_it(club: Club, olga: Correspondent) -> None:
    olga.writes("set overview daily")
    olga.writes("set zone New York")
    assert due(club, olga) == datetime(2026, 11, 28, 23, tzinfo=UTC)
    olga.writes("set overview off")
    assert said(olga.last).startswith("No overview comes by itself from now on; overview brings it.")
    assert due(club, olga) is None
    assert evening(club) == ()


def test_nothing_comes_where_nothing_is_open(club: Club) -> None:
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    olga.writes("set overview daily")
    assert evening(club) == ()
    begin(club, anna, olga)  # a game of hers alone
    assert evening(club, 29) == ()
    begin(club, anna, bert)
    assert len(evening(club, 30)) == 1


def test_none_comes_to_whoever_is_no_officer_any_more_and_it_comes_again_with_an_office(
    club: Club, olga: Correspondent
) -> None:
    olga.writes("set overview daily")
    secretary(club).dismiss("Spring League", "umpire", olga.address)
    club.collect()
    assert evening(club) == ()
    appoint(club, "Spring League", "director", olga)
    club.collect()
    assert len(evening(club, 29)) == 1


def test_it_is_among_the_choices_of_officers_alone(club: Club, olga: Correspondent) -> None:
    olga.writes("set")
    assert "set overview off: no overview but when you ask for it." in said(olga.last)
    anna = club.reader("anna@example.net")
    anna.writes("set")
    assert "set overview" not in anna.last.text


def test_a_process_that_dies_writes_it_neither_twice_nor_never(
    club: Club, olga: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    olga.writes("set overview daily")
    steps = ((Overviews, "take"), (Outbox, "queue"), (Threads, "save"), (Overviews, "mark_written"))
    for kind, step in steps:
        with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
            patched.setattr(kind, step, _dies(getattr(kind, step)))
            assert evening(club) == ()
        assert club.collect() == ()
        club.open_house()
    assert len(evening(club)) == 1
    club.open_house()
    assert evening(club) == ()


def _dies(do: Any) -> Any:
    def does(*given: Any, **more: Any) -> None:
        do(*given, **more)
        raise KeyboardInterrupt

    return does


def test_two_processes_write_it_once(
    club: Club, olga: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    olga.writes("set overview daily")
    club.clock.at = datetime(2026, 11, 28, 18, tzinfo=UTC)
    with club.store.reading() as lookup:
        waiting = lookup.overviews.due(club.clock.at, club.clock.at + overview_mails.OVERVIEW_HORIZON, 10)
    assert len(waiting) == 1
    monkeypatch.setattr("referee.store.repositories.digests.OverviewQueries.due", lambda *_: waiting)
    assert len(club.strikes()) == 1
    assert club.strikes() == ()


def test_a_clock_that_was_a_year_ahead_keeps_none_from_coming(club: Club, olga: Correspondent) -> None:
    club.clock.at += 365 * DAY
    olga.writes("set overview daily")
    club.clock.at -= 365 * DAY
    assert evening(club) == ()  # it is planned anew
    assert len(evening(club, 29)) == 1


INSTANTS = st.integers(0, 730 * 24 * 60).map(
    lambda n: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=n)
)
ZONES = st.sampled_from(("UTC", "Europe/Paris", "Pacific/Auckland", "America/New_York", "Africa/Casablanca"))


@given(INSTANTS, ZONES, st.integers(0, 23), st.sampled_from(("daily", "weekly")), st.booleans())
def test_the_next_is_always_ahead_and_never_so_far_that_a_clock_would_seem_wrong(
    now: datetime, zone: str, hour: int, every: Any, again: bool
) -> None:
    player = Player(1, "Olga", "olga@example.net", "en", zone=zone, overview=every)
    at = overview_mails.next_time(now, now if again else None, player, hour)
    assert now < at < now + overview_mails.OVERVIEW_HORIZON
    assert not again or at - now >= digests.APART
    there = at.astimezone(ZoneInfo(zone))
    assert every == "daily" or there.weekday() == 0


def test_a_player_who_leaves_gets_none(club: Club, olga: Correspondent) -> None:
    olga.writes("set overview daily")
    olga.writes("bye")
    olga.replies("confirm")
    assert evening(club) == ()


def test_what_is_asked_for_twice_in_a_letter_is_shown_once(club: Club, olga: Correspondent) -> None:
    olga.writes("overview", "overview Spring League", "overview", "overview late", "overview late")
    assert olga.last.text.count("nothing needs you.") == olga.last.text.count("no game is late.") == 1


def test_it_lists_forty_games_and_counts_the_rest(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview_mails, "MOST_LISTED", 2)
    anna, bert, olga = people(club)
    event(club, "Spring League", umpire=olga)
    for _ in range(3):
        begin(club, anna, bert)
    olga.writes("overview")
    assert "1 more game is not listed, which needs less than these." in said(olga.last)
