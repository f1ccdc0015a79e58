"""Time by letter: clocks start with what the mail server accepts, and deadlines are told and kept."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from referee.competitions.competition import Competition
from referee.rulebooks.rulebook import Seat
from referee.secretary import Secretary
from tests.desk.begun import DEAL, said
from tests.playing import START, Club, Correspondent

WHITE, YELLOW = Seat("white"), Seat("yellow")
DAY = timedelta(days=1)


def timed(club: Club, **agreed: str) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on white, who begins, and Bert on yellow; her letter is accepted and her clock runs."""
    game = _seated(club, **agreed) if agreed else club.begins(_seated)
    return club.reader("anna@example.net"), club.reader("bert@example.net"), game


def _seated(club: Club, time: str = "3d/move", lapse: str = "hard") -> int:
    club.waits(2 * DAY)
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, time=time, lapse=lapse)
    club.posts()
    club.looks_at_clocks()
    return game


def started(club: Club, game: int) -> dict[str, datetime]:
    with club.store.reading() as lookup:
        events = lookup.events(game)
    return {
        each.body["seat"]: datetime.fromisoformat(each.body["at"])
        for each in events
        if each.kind == "ClockStarted"
    }


def kinds(club: Club, game: int) -> list[str]:
    with club.store.reading() as lookup:
        return [each.kind for each in lookup.events(game)]


def test_a_clock_starts_when_the_letter_was_accepted_and_not_before(club: Club) -> None:
    club.waits(2 * DAY)
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, time="3d/move")
    club.looks_at_clocks()
    assert started(club, game) == {}
    club.waits(timedelta(hours=5))
    accepted = club.clock.now()
    club.posts()
    club.waits(timedelta(minutes=30))
    club.looks_at_clocks()
    assert started(club, game) == {"white": accepted}
    club.looks_at_clocks()
    assert kinds(club, game).count("ClockStarted") == 1


def test_it_stops_when_the_letter_with_the_move_was_recorded(club: Club) -> None:
    anna, _bert, game = timed(club, time="20d")
    club.waits(2 * DAY)
    anna.replies("L-S2", to=anna.last_about(game))
    clocks = club.game(game).clocks()
    assert clocks.since(WHITE) is None
    used = clocks.account(WHITE).used
    assert 2 * DAY <= used < 2 * DAY + timedelta(hours=1)


def test_each_letter_says_until_when_its_reader_has_or_the_other(club: Club) -> None:
    anna, bert, game = timed(club)
    first = said(anna.last_about(game))
    assert "You have until Wed 2 Dec, 17:14 UTC." in first
    assert "3 days a move. Whoever uses it up loses the game." in first
    assert "White (Anna) has until" in said(bert.last_about(game))
    anna.replies("L-S2", to=anna.last_about(game))
    assert "You have until" in said(bert.last) and "Yellow (Bert) has until" in said(anna.last)


def test_a_deadline_is_told_in_the_readers_zone_and_for_programs(club: Club) -> None:
    anna, bert, game = timed(club)
    bert.writes("set zone Paris", "set reports json")
    anna.replies("L-S2", to=anna.last_about(game))
    told = datetime.fromisoformat(bert.last.json["deadline"])
    assert told.tzinfo is not None and told - club.clock.now() < 3 * DAY
    local = datetime.fromisoformat(bert.last.json["deadline_local"])
    assert (local, local.utcoffset()) == (told, timedelta(hours=1))
    until = f"You have until {local:%a %-d %b, %H:%M} in Paris ({told:%H:%M} UTC)."
    page = next(part for part in bert.last.parts if part.get_content_type() == "text/html")
    assert until in said(bert.last) and until in str(page.get_content()).replace("\xa0", " ")
    bert.writes("games")
    assert "against Anna; your move, turn 2. You have until " in said(bert.last)
    anna.writes("games")
    assert "against Bert, who is to move; turn 2. Bert has until " in said(anna.last)


def test_a_game_without_time_control_says_nothing_of_time(club: Club) -> None:
    club.waits(2 * DAY)
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    club.posts()
    club.looks_at_clocks()
    assert "until" not in said(anna.last_about(game)).split("Where everything stands")[0].replace(
        "until you write", ""
    )
    assert kinds(club, game) == ["Opened"]


def test_whoever_uses_his_time_up_loses_once(club: Club) -> None:
    anna, bert, game = timed(club)
    club.waits(3 * DAY - timedelta(hours=1))
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.waits(timedelta(hours=2))
    sent = club.looks_at_clocks()
    assert [letter.kind for letter in sent] == ["result", "result"]
    assert "You have won on time." in said(bert.last) and "Yellow (Bert) has won on time." in said(anna.last)
    assert club.looks_at_clocks() == () and kinds(club, game).count("Ended") == 1
    assert club.game(game).result is not None


def test_nobody_loses_while_the_mailbox_was_not_looked_into_since(club: Club) -> None:
    _anna, _bert, game = timed(club)
    club.waits(3 * DAY - timedelta(minutes=30))
    club.clock.at += timedelta(minutes=45)
    club.house.see_to_clocks()
    assert club.game(game).status == "playing"


def test_an_outage_is_credited(club: Club) -> None:
    anna, _bert, game = timed(club)
    before = club.game(game).clocks().deadline(WHITE)
    club.waits(DAY)
    club.clock.at += 5 * DAY
    club.waits(timedelta(hours=1))
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    anna.writes("status", to=anna.last_about(game)["Reply-To"])
    anna.writes("set reports json")
    anna.replies("status", to=anna.last_about(game))
    assert before is not None
    assert datetime.fromisoformat(anna.last_about(game).json["deadline"]) >= before + 5 * DAY - timedelta(
        minutes=1
    )


def test_a_clock_that_is_a_year_ahead_for_an_hour_costs_nobody_his_game(club: Club) -> None:
    _anna, _bert, game = timed(club)
    club.waits(DAY)
    right = club.clock.at
    club.clock.at += 365 * DAY
    club.house.looked()
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.clock.at = right + timedelta(hours=1)
    club.house.looked()
    club.looks_at_clocks()
    club.waits(DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.waits(3 * DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_a_letter_that_is_held_and_came_in_time_keeps_the_game(club: Club) -> None:
    anna, _bert, game = timed(club)
    club.waits(DAY)
    anna.replies("L-S2", to=anna.last_about(game), vouched=False)
    question = anna.last
    club.waits(4 * DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    anna.replies("confirm", to=question)
    assert club.game(game).happenings[-1].code == "attempted"
    assert club.game(game).clocks().account(WHITE).used < 2 * DAY


@pytest.mark.parametrize("taken_in", [timedelta(minutes=59), timedelta(days=2)])
def test_a_letter_that_lay_in_the_mailbox_in_time_counts_however_late_it_is_taken_in(
    club: Club, taken_in: timedelta
) -> None:
    anna, _bert, game = timed(club)
    club.waits(3 * DAY - timedelta(minutes=30))
    letter = club.raw(anna.reply(anna.last_about(game), ("L-S2",), (), True))
    club.clock.at += taken_in
    club.take(letter)
    assert club.game(game).happenings[-1].code == "attempted"
    assert club.game(game).clocks().account(WHITE).used < 3 * DAY


def test_a_mail_host_whose_clock_is_ahead_costs_nobody_time(club: Club) -> None:
    anna, _bert, game = timed(club)
    club.waits(DAY)
    club.take(
        club.raw(anna.reply(anna.last_about(game), ("L-S2",), (), True), received=club.clock.at + 9 * DAY)
    )
    assert club.game(game).happenings[-1].code == "attempted"
    assert club.game(game).clocks().account(WHITE).used < 2 * DAY


def test_a_move_that_comes_too_late_is_not_done(club: Club) -> None:
    anna, _bert, game = timed(club)
    club.waits(3 * DAY + timedelta(hours=1))
    anna.replies("L-S2", to=anna.last_about(game))
    assert "was up when this came in" in said(anna.last) and anna.last.kind == "refusal"
    anna.replies("try L-S2", to=anna.last_about(game))
    assert "was up when this came in" in said(anna.last)
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_where_time_is_claimed_both_are_told_once_and_a_move_still_counts(club: Club) -> None:
    anna, bert, game = timed(club, lapse="soft")
    club.waits(3 * DAY + timedelta(hours=1))
    sent = club.looks_at_clocks()
    assert [letter.kind for letter in sent] == ["notice", "notice"]
    assert "write claim time" in said(bert.last) and "Your time is up." in said(anna.last)
    assert club.looks_at_clocks() == () and kinds(club, game).count("TimeUp") == 1
    anna.replies("L-S2", to=anna.last_about(game))
    assert club.game(game).happenings[-1].code == "attempted" and not club.game(game).time_up
    bert.replies("claim time", to=bert.last_about(game))
    assert "is not up" in said(bert.last)


def test_time_can_be_claimed_when_it_is_up_and_not_before(club: Club) -> None:
    anna, bert, game = timed(club, lapse="soft")
    bert.replies("claim time", to=bert.last_about(game))
    assert "the time of Anna in game 1 is not up" in said(bert.last)
    anna.replies("claim time", to=anna.last_about(game))
    assert club.game(game).status == "playing"
    club.waits(3 * DAY + timedelta(hours=1))
    club.looks_at_clocks()
    bert.replies("claim time", "Thanks for the game!", to=bert.last_about(game))
    assert bert.last.kind == "result" and "You have won on time." in said(bert.last)
    assert "has won on time" in said(anna.last)


def test_a_plan_that_moves_at_once_tells_no_more_by_its_clock_than_a_move(club: Club) -> None:
    anna, bert, game = timed(club)
    bert.replies("try C-N2", to=bert.last_about(game))
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    club.looks_at_clocks()
    assert list(started(club, game)) == ["white"]
    assert club.game(game).clocks().account(YELLOW).used == timedelta(0)
    assert "You have until" in said(anna.last_about(game))


def test_when_turns_are_taken_back_the_clock_starts_anew_with_the_letter_that_says_so(club: Club) -> None:
    """Given Bert has thought for two days of three, when the game goes back to White, then nobody's time runs until
    Anna's letter is accepted; she has three days, and so has he afterwards."""
    anna, bert, game = timed(club)
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    club.waits(2 * DAY)
    club.looks_at_clocks()
    club.house.take_back(game, 1, "A letter was misread.")
    club.collect()
    assert "You have until" in said(anna.last) and "White (Anna) has until" in said(bert.last)
    club.waits(2 * DAY)
    club.looks_at_clocks()
    assert club.game(game).clocks().since(WHITE) is None and club.game(game).status == "playing"
    accepted = club.clock.now()
    club.posts()
    club.waits(timedelta(minutes=5))
    club.looks_at_clocks()
    assert club.game(game).clocks().deadline(WHITE) == accepted + 3 * DAY
    anna.replies("L-S1", to=anna.last_about(game))
    used = club.game(game).clocks().account(YELLOW)
    assert 2 * DAY <= used.used < 2 * DAY + timedelta(hours=1) and used.left == 3 * DAY
    assert (used.moves, club.game(game).clocks().account(WHITE).moves) == (0, 2)


def test_where_time_was_to_be_claimed_taking_back_gives_the_next_move_a_clock_of_its_own(club: Club) -> None:
    anna, bert, game = timed(club, lapse="soft")
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    club.looks_at_clocks()
    club.waits(4 * DAY)
    assert "notice" in [each.kind for each in club.looks_at_clocks()] and club.game(game).time_up == {YELLOW}
    club.house.take_back(game, 1, "A letter was misread.")
    club.collect()
    assert not club.game(game).time_up
    bert.replies("claim time", to=bert.last_about(game))
    assert "is not up" in said(bert.last)
    club.posts()
    club.looks_at_clocks()
    club.waits(4 * DAY)
    club.looks_at_clocks()
    assert club.game(game).time_up == {WHITE}


def test_a_player_is_reminded_at_each_mark_once_and_by_the_last_where_several_are_due(club: Club) -> None:
    anna, bert, game = timed(club)
    club.waits(DAY + timedelta(minutes=10))
    (letter,) = club.looks_at_clocks()
    assert (letter.recipient, letter.kind) == (anna.address, "reminder")
    assert "[1 day and 23 hours left]" in letter["Subject"] and "You have until" in said(letter)
    assert club.looks_at_clocks() == ()
    club.waits(DAY)
    assert [each.kind for each in club.looks_at_clocks()] == ["reminder"]
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    club.looks_at_clocks()
    club.waits(2 * DAY + timedelta(minutes=10))
    assert [each.recipient for each in club.looks_at_clocks()] == [bert.address]


def test_leave_stops_a_players_clock_and_is_told(club: Club) -> None:
    anna, bert, game = timed(club)
    before = club.game(game).clocks().deadline(WHITE)
    anna.writes("leave 2026-11-30 2026-12-04")
    assert "Leave from Mon 30 Nov 2026 to Fri 4 Dec 2026." in said(anna.last)
    assert "25 days of leave are left in 2026." in said(anna.last)
    assert "Anna takes leave from Mon 30 Nov 2026 to Fri 4 Dec 2026" in said(bert.last)
    club.waits(6 * DAY)
    assert [each.kind for each in club.looks_at_clocks()] in ([], ["reminder"])
    assert club.game(game).status == "playing" and before is not None
    club.waits(2 * DAY + timedelta(hours=1))
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_leave_can_be_ended_and_what_cannot_be_taken_is_refused(club: Club) -> None:
    anna, bert, _game = timed(club)
    anna.writes("leave 2026-11-01 2026-11-03")
    assert "leave begins tomorrow at the earliest" in said(anna.last)
    anna.writes("leave 2026-12-01 2027-01-30")
    assert "there are 30 days of leave a year" in said(anna.last)
    assert "(TM-" not in said(anna.last) and "the number of a rule" not in said(anna.last)
    anna.writes("leave soon")
    anna.writes("leave 2026-13-01")
    assert "days of leave are written as in 2027-07-01" in said(anna.last)
    anna.writes("leave off")
    assert "no leave that could be ended" in said(anna.last)
    anna.writes("leave 2026-12-10")
    anna.writes("leave off")
    assert "You have taken no leave" in said(anna.last)
    assert "Anna no longer takes leave on Thu 10 Dec 2026." in said(bert.last)


def test_whoever_ends_the_leave_that_he_is_on_keeps_what_he_has_taken_for_later(club: Club) -> None:
    anna, bert, _game = timed(club)
    anna.writes("leave 2026-12-01 2026-12-05", "leave 2026-12-24 2027-01-02")
    club.waits(3 * DAY)
    before = len(bert.letters)
    anna.writes("leave off")
    assert "Leave on Wed 2 Dec 2026." not in said(anna.last)
    assert "Leave from Thu 24 Dec 2026 to Sat 2 Jan 2027." in said(anna.last)
    assert "28 days of leave are left in 2027." in said(anna.last)
    (told,) = bert.letters[before:]
    assert "Anna no longer takes leave from Tue 1 Dec 2026 to Sat 5 Dec 2026." in said(told)


def test_leave_that_is_given_back_gives_no_time(club: Club) -> None:
    """TM-7.6: else anybody would have a month more for each move, and keep his days."""
    anna, _bert, game = timed(club)
    before = club.game(game).clocks().deadline(WHITE)
    assert before is not None
    anna.replies("leave 2026-12-01 2026-12-20", to=anna.last_about(game))
    assert "You have until Tue 22 Dec" in said(anna.last)
    anna.replies("leave off", to=anna.last_about(game))
    assert f"You have until {before:%a %-d %b, %H:%M} UTC." in said(anna.last)
    club.waits(3 * DAY + timedelta(hours=1))
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_whoever_takes_back_several_leaves_has_each_told(club: Club) -> None:
    anna, bert, _game = timed(club)
    anna.writes("leave 2026-12-10", "leave 2026-12-24 2027-01-02")
    before = len(bert.letters)
    anna.writes("leave off")
    told = " ".join(map(said, bert.letters[before:]))
    assert "on Thu 10 Dec 2026" in told and "from Thu 24 Dec 2026" in told


def test_a_pause_begins_when_both_want_it_and_ends_a_day_after_one_does_not(club: Club) -> None:
    anna, bert, game = timed(club)
    anna.replies("pause", to=anna.last_about(game))
    assert "You have offered Bert a pause" in said(anna.last) and "Anna offers a pause" in said(bert.last)
    anna.replies("pause", to=anna.last_about(game))
    assert "already" in said(anna.last)
    bert.replies("pause", to=bert.last_about(game))
    assert "rests, as both of you have agreed" in said(anna.last)
    assert "The game rests, as both players have agreed, and no time runs." in said(bert.last)
    club.waits(20 * DAY)
    assert club.looks_at_clocks() == () and club.game(game).status == "playing"
    anna.replies("resume", to=anna.last_about(game))
    assert "The pause ends; time runs again from" in said(anna.last) and "The pause ends" in said(bert.last)
    club.waits(4 * DAY + timedelta(hours=1))
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_an_offer_of_a_pause_can_be_taken_back_and_lapses_with_a_move(club: Club) -> None:
    anna, bert, game = timed(club)
    anna.replies("pause", to=anna.last_about(game))
    anna.replies("resume", to=anna.last_about(game))
    assert "Your offer of a pause is taken back." in said(anna.last)
    anna.replies("pause", to=anna.last_about(game))
    anna.replies("L-S2", to=anna.last_about(game))
    assert not club.game(game).consent.agreed
    bert.replies("resume", to=bert.last_about(game))
    assert "does not rest by an agreement" in said(bert.last)


def test_a_house_that_dies_while_it_ends_a_game_ends_it_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert, game = timed(club)
    club.waits(3 * DAY + timedelta(hours=1))
    with monkeypatch.context() as patched:
        patched.setattr("referee.correspondence.Correspondence.to_player", _dies)
        with pytest.raises(KeyboardInterrupt):
            club.house.see_to_clocks()
    club.open_house()
    assert club.game(game).status == "playing"
    assert len(club.looks_at_clocks()) == 2 and club.looks_at_clocks() == ()
    assert (anna.last.kind, bert.last.kind) == ("result", "result")


def _dies(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_game_that_cannot_be_read_does_not_keep_other_clocks(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    _anna, _bert, game = timed(club)
    club.waits(3 * DAY + timedelta(hours=1))
    with monkeypatch.context() as patched:
        patched.setattr("referee.desk.due.look", _fails)
        club.house.see_to_clocks()
    with club.store.reading() as lookup:
        assert lookup.clocks_due(club.clock.now(), 9) == []
        assert lookup.clocks_due(club.clock.now() + timedelta(hours=1), 9) == [(game, WHITE)]
        assert [(each.game, each.seat, each.why) for each in lookup.clocks_stuck(START)] == [
            (game, WHITE, "LookupError")
        ]
    club.waits(timedelta(hours=2))
    club.looks_at_clocks()
    with club.store.reading() as lookup:
        assert lookup.clocks_stuck(club.clock.now()) == []


def _fails(*_: object) -> None:
    raise LookupError


def test_leave_and_a_calendar_belong_to_an_event(club: Club) -> None:
    Secretary(club.store, club.service, club.clock).make(
        Competition("League", rules=("confusion",), time="3d/move", days_off=("sunday",), leave=5)
    )
    club.waits(2 * DAY)
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="League")
    # It is Sunday; the letter is accepted at 17:14, and time runs from midnight on.
    assert "You have until Thu 3 Dec, 00:00 UTC." in said(anna.last)
    anna.writes("leave 2026-12-01 2026-12-06")
    assert "there are 5 days of leave a year" in said(anna.last)
    anna.writes("leave 2026-12-01 2026-12-05")
    assert "In the event League: Leave from Tue 1 Dec" in said(anna.last)
    assert "0 days of leave are left" in said(anna.last)


def test_leave_holds_in_a_game_of_the_event_that_begins_meanwhile(club: Club) -> None:
    Secretary(club.store, club.service, club.clock).make(
        Competition("League", rules=("confusion",), time="3d/move", leave=20)
    )
    club.waits(2 * DAY)
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.member("Carl")
    club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="League")
    club.starts({"white": bert, "yellow": carl}, deal=DEAL, event="League")
    anna.replies("resign")
    anna.writes("leave 2026-12-01 2026-12-10")
    assert "In the event League: Leave from Tue 1 Dec" in said(anna.last)
    club.waits(3 * DAY)
    club.starts({"white": anna, "yellow": carl}, deal=DEAL, event="League")
    assert "until Mon 14 Dec, 00:00 UTC" in said(anna.last)
