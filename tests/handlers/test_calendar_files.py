"""Deadlines for a player's calendar program: what stands there is what counts, or is taken back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest

from referee.games.clocks.formatting import to_the_minute, write_moment
from referee.games.player import Player
from referee.games.umpire_actions import AddTime
from referee.handlers.game_clocks import GameClocks
from tests.handlers.test_clocks import DAY, WHITE, YELLOW, timed
from tests.support.begun import DEAL, said
from tests.support.playing import Club, Correspondent, Delivered
from tests.support.telling import telling


def entries(letter: Delivered) -> list[Any]:
    """Return the entries of the file that a letter carries, none where it carries none."""
    files = [part for part in letter.parts if part.get_content_type() == "text/calendar"]
    assert len(files) <= 1
    for part in files:
        assert part.get_param("method") == "PUBLISH" and part.get_filename() == "deadline.ics"
        assert part.get_content_disposition() == "attachment"
    contents = [str(part.get_content()) for part in files]
    return [event for content in contents for event in icalendar.Calendar.from_ical(content).walk("VEVENT")]


class Program:
    """A calendar program: it takes each file in, and of what is told twice keeps the newer."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}

    def takes(self, letter: Delivered) -> Program:
        for event in entries(letter):
            before = self._kept.get(str(event["UID"]))
            assert before is None or event["SEQUENCE"] > before["SEQUENCE"]
            self._kept[str(event["UID"])] = event
        return self

    @property
    def shows(self) -> dict[str, datetime]:
        """What stands there: when, by what each entry says."""
        standing = (event for event in self._kept.values() if event.get("STATUS") != "CANCELLED")
        return {str(event["SUMMARY"]): event["DTSTART"].dt for event in standing}


class Reader:
    """A player with a calendar program that takes in each letter to him."""

    def __init__(self, who: Correspondent) -> None:
        self.who, self.program, self._seen = who, Program(), 0

    @property
    def shows(self) -> dict[str, datetime]:
        for letter in self.who.letters[self._seen :]:
            self.program.takes(letter)
        self._seen = len(self.who.letters)
        return self.program.shows


DUE = "Your move is due in game 1"


def deadline(club: Club, game: int = 1) -> datetime | None:
    """Return until when whoever is to move has, as told."""
    (seat,) = club.game(game).due
    found = club.game(game).clocks().deadline(seat)
    return None if found is None else to_the_minute(found)


def _begun(club: Club) -> int:
    anna, bert, game = timed(club)
    for who in (anna, bert):
        who.writes("set calendar on")
    return game


def with_calendars(club: Club) -> tuple[Reader, Reader, int]:
    game = club.begins(_begun)
    anna, bert = (club.reader(f"{name}@example.net") for name in ("anna", "bert"))
    return Reader(anna), Reader(bert), game


def test_nobody_gets_such_files_who_has_not_asked_for_them(club: Club) -> None:
    anna, bert, game = timed(club)
    anna.replies("L-S2", to=anna.last_about(game))
    assert [entries(letter) for letter in (*anna.letters, *bert.letters)] == [[]] * len(
        [*anna.letters, *bert.letters]
    )


def test_what_is_due_already_is_in_the_answer_to_who_asks_for_such_files(club: Club) -> None:
    anna, bert, _game = with_calendars(club)
    assert anna.shows == {DUE: deadline(club)} and bert.shows == {}
    assert "bring a file for your calendar program from now on" in said(anna.who.last)


def test_a_deadline_is_told_with_the_letter_that_asks_for_a_move_and_taken_back_with_the_answer(
    club: Club,
) -> None:
    anna, bert, game = with_calendars(club)
    for mover, waits, move in ((anna, bert, "L-S2"), (bert, anna, "C-N2"), (anna, bert, "L-E1")):
        mover.who.replies(move, to=mover.who.last_about(game))
        assert mover.shows == {}
        assert list(waits.shows) == [DUE]
        club.posts()
        club.looks_at_clocks()
        club.waits(timedelta(hours=3))
        waits.who.replies("status", to=waits.who.last_about(game))
        assert waits.shows == {DUE: deadline(club)}
        assert "You have until" in said(waits.who.last)


def test_a_reminder_tells_the_calendar_anew_what_an_outage_has_moved(club: Club) -> None:
    anna, _bert, _game = with_calendars(club)
    before = anna.shows[DUE]
    club.waits(timedelta(hours=2))
    club.clock.at += 2 * DAY
    club.waits(DAY)
    club.looks_at_clocks()
    assert anna.who.last.kind == "reminder"
    assert anna.shows[DUE] >= before + 2 * DAY - timedelta(minutes=1)
    assert f"You have until {anna.shows[DUE]:%a %-d %b %Y, %H:%M} UTC." in said(anna.who.last)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("time", telling(["3d/move", "10d+1d"], others=["40d/10", "10d+1d,max12d", "60d"]))
@pytest.mark.parametrize("zone", telling(["Paris", "Auckland"], others=["UTC", "New York", "Kathmandu"]))
def test_each_letter_tells_the_deadline_as_its_calendar_file_does_and_as_the_house_counts(
    club: Club, zone: str, time: str, language: str
) -> None:
    """TM-9.1, TM-9.2: through moves, leave over a change of clocks, an outage, a pause, and time that is given."""
    club.clock.at = datetime(2027, 3, 22, 17, 0, 31, tzinfo=UTC)
    anna, bert, game = timed(club, time=time)
    for who in (anna, bert):
        who.writes("set calendar on", f"set zone {zone}", f"set language {language}")
    told = 0

    def check() -> None:
        nonlocal told
        club.posts()
        club.looks_at_clocks()
        for who in (anna, bert):
            mine = player_of(club, who)
            for letter in filter(lambda each: each.game, who.letters):
                for event in entries(letter):
                    if event.get("STATUS") != "CANCELLED":
                        assert write_moment(event["DTSTART"].dt, mine.zone, language) in said(letter)
                        told += 1
            who.letters[:] = [letter for letter in who.letters if letter.game][-1:]
        (seat,) = club.game(game).due
        with club.store.reading() as lookup:
            kept = GameClocks(lookup, club.service.time, club.clock.now()).deadline(club.game(game), seat)
        asked = (anna if seat == WHITE else bert).replies("status").only
        for event in entries(asked):
            assert event.get("STATUS") == "CANCELLED" or kept is not None
            if kept is not None:
                assert event["DTSTART"].dt == to_the_minute(kept)
        assert bool(entries(asked)) == (kept is not None)

    check()
    anna.replies("L-S2")
    check()
    bert.writes("leave 2027-03-26 2027-03-29")
    check()
    club.clock.at += 2 * DAY  # nobody looks into the mailbox
    club.looks_at_clocks()
    check()
    bert.replies("C-N2", to=bert.last_about(game))
    check()
    bert.replies("pause", to=bert.last_about(game))
    anna.replies("pause", to=anna.last_about(game))
    check()
    anna.replies("resume", to=anna.last_about(game))
    club.waits(2 * DAY)
    check()
    club.referee.umpire.act(game, AddTime(DAY), "A holiday.")
    club.collect()
    check()
    assert told >= 5


def player_of(club: Club, who: Correspondent) -> Player:
    with club.store.reading() as lookup:
        found = lookup.players.by_address(who.address)
    assert found is not None
    return found


@pytest.mark.parametrize("how", ["resigns", "is late", "agrees"])
def test_when_a_game_has_ended_nothing_of_it_stands_in_a_calendar(club: Club, how: str) -> None:
    anna, bert, game = with_calendars(club)
    assert list(anna.shows) == [DUE]
    if how == "resigns":
        bert.who.replies("resign", to=bert.who.last_about(game))
    elif how == "is late":
        club.waits(4 * DAY)
        club.looks_at_clocks()
    else:
        bert.who.replies("draw", to=bert.who.last_about(game))
        anna.who.replies("draw", to=anna.who.last_about(game))
    assert club.game(game).status == "ended"
    assert anna.shows == {} and bert.shows == {}


def test_in_a_pause_nothing_stands_there_and_after_it_the_new_deadline(club: Club) -> None:
    anna, bert, game = with_calendars(club)
    anna.who.replies("pause", to=anna.who.last_about(game))
    assert list(anna.shows) == [DUE]
    bert.who.replies("pause", to=bert.who.last_about(game))
    assert anna.shows == {} and bert.shows == {}
    club.waits(5 * DAY)
    anna.who.replies("resume", to=anna.who.last_about(game))
    assert anna.shows == {DUE: deadline(club)} and bert.shows == {}


def test_while_the_umpire_has_stopped_a_game_nothing_of_it_stands_there(club: Club) -> None:
    anna, _bert, game = with_calendars(club)
    club.referee.umpire.freeze(game, "A ruling is looked into.")
    club.collect()
    assert anna.shows == {}
    club.clock.at += DAY
    club.referee.umpire.thaw(game)
    club.collect()
    assert anna.shows == {DUE: deadline(club)}


def test_leave_moves_what_stands_there_for_all_games(club: Club) -> None:
    anna, bert, _game = with_calendars(club)
    club.starts({"white": anna.who, "yellow": bert.who}, deal=DEAL, time="20d")
    club.posts()
    club.looks_at_clocks()
    anna.who.replies("status", to=anna.who.last_about(2))
    before = anna.shows
    assert len(before) == 2
    anna.who.writes("leave 2026-12-01 2026-12-03")
    later = {title: at + 3 * DAY for title, at in before.items()}
    assert anna.shows == later and bert.shows == {}
    anna.who.writes("leave off")
    assert anna.shows == before, "he would have the days again, and their time as well"


def test_whoever_wants_no_such_files_any_more_has_nothing_left_of_them(club: Club) -> None:
    anna, _bert, game = with_calendars(club)
    assert list(anna.shows) == [DUE]
    anna.who.writes("set calendar off")
    assert anna.shows == {} and "no files for your calendar program" in said(anna.who.last)
    anna.who.replies("status", to=anna.who.last_about(game))
    assert entries(anna.who.last) == []


def test_the_letter_with_the_news_of_a_day_brings_the_deadlines_of_all_games(club: Club) -> None:
    anna, bert, game = with_calendars(club)
    other = club.starts({"white": bert.who, "yellow": anna.who}, deal=DEAL, time="20d")
    bert.who.writes("set letters daily")
    anna.who.replies("L-S2", to=anna.who.last_about(game))
    bert.who.replies("L-S2", to=bert.who.last_about(other))
    assert bert.shows == {}
    club.clock.at = club.clock.at.replace(hour=17, minute=59) + DAY
    for _ in range(3):
        club.strikes()
        club.clock.at += timedelta(hours=1)
    assert bert.who.last["Subject"] == "Referee: your games"
    assert list(bert.shows) == [DUE]


def test_whoever_gives_up_his_seat_keeps_nothing_of_the_game_in_his_calendar(club: Club) -> None:
    anna, bert, game = with_calendars(club)
    carl = Reader(club.member("Carl"))
    carl.who.writes("set calendar on")
    assert list(anna.shows) == [DUE]
    club.referee.umpire.replace_player(game, WHITE, ("", carl.who.address), "Anna has fallen ill.")
    club.collect()
    assert anna.shows == {} and list(carl.shows) == [DUE] and bert.shows == {}


def test_a_copy_of_an_older_letter_does_not_undo_what_a_newer_one_has_told(club: Club) -> None:
    anna, _bert, game = with_calendars(club)
    anna.who.replies("status", to=anna.who.last_about(game))
    told = anna.who.last
    anna.who.replies("L-S2", to=told)
    ((taken_back,),) = [entries(anna.who.last)]
    anna.who.replies(f"resend {told.number}", to=told)
    (again,) = entries(anna.who.last)
    assert again["SEQUENCE"] < taken_back["SEQUENCE"] and taken_back["STATUS"] == "CANCELLED"


def test_the_file_is_in_the_readers_language_and_tells_nothing_but_the_game_and_the_time(club: Club) -> None:
    anna, _bert, game = with_calendars(club)
    anna.who.writes("régler langue fr", "set language fr")
    anna.who.replies("status", to=anna.who.last_about(game))
    (event,) = entries(anna.who.last)
    assert str(event["SUMMARY"]) == "C'est à vous de jouer dans la partie 1"
    assert sorted(event) == ["DTSTAMP", "DTSTART", "SEQUENCE", "SUMMARY", "TRANSP", "UID"]
    assert str(event["UID"]) == f"game-1-{WHITE}@example.org" and YELLOW not in str(event["UID"])
