"""Time by letter: clocks start with what the mail server accepts, and deadlines are told and kept."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from referee.commands.command_table import WORDS
from referee.games import umpire_actions
from referee.games.tournaments.tournament import WEEKDAYS, Competition, Holiday
from referee.handlers.game_clocks import GameClocks
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from tests.support.begun import DEAL, said
from tests.support.bounces import bounce
from tests.support.playing import START, Club, Correspondent

WHITE, YELLOW = Seat("white"), Seat("yellow")
DAY = timedelta(days=1)


def timed(club: Club, **agreed: str) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on white, who begins, and Bert on yellow; her letter is accepted and her clock runs."""
    game = club.begins(_seated, **agreed)
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
        events = lookup.events.of_game(game)
    return {
        each.body["seat"]: datetime.fromisoformat(each.body["at"])
        for each in events
        if each.kind == "ClockStarted"
    }


def kinds(club: Club, game: int) -> list[str]:
    with club.store.reading() as lookup:
        return [each.kind for each in lookup.events.of_game(game)]


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
    assert "You have until Wed 2 Dec 2026, 17:14 UTC." in first
    assert first.count("3 days a move. Whoever uses it up loses the game.") == 1
    assert said(bert.last_about(game)).count("3 days a move.") == 1
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
    until = f"You have until {local:%a %-d %b %Y, %H:%M} in Paris ({told:%H:%M} UTC)."
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
    club.referee.jobs.see_to_clocks()
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
    club.referee.letters.looked()
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.clock.at = right + timedelta(hours=1)
    club.referee.letters.looked()
    club.looks_at_clocks()
    club.waits(DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.waits(3 * DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_a_letter_that_is_held_and_came_in_time_keeps_the_game(club: Club) -> None:
    anna, bert, game = timed(club)
    club.waits(2 * DAY)
    anna.replies("L-S2", to=anna.last_about(game), vouched=False)
    question = anna.last
    club.waits(2 * DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    bert.replies("status", to=bert.last_about(game))
    assert "ends by itself as soon as it is certain" in said(bert.last) and "L-S2" not in said(bert.last)
    anna.replies("confirm", to=question)
    assert club.game(game).happenings[-1].code == "attempted"
    assert club.game(game).clocks().account(WHITE).used < 3 * DAY


def test_a_move_that_is_held_for_longer_counts_as_of_when_it_is_confirmed(club: Club) -> None:
    anna, _bert, game = timed(club, time="6d/move")
    club.waits(DAY)
    anna.replies("L-S2", to=anna.last_about(game), vouched=False)
    question = anna.last
    club.waits(4 * DAY)
    anna.replies("confirm", to=question)
    assert club.game(game).happenings[-1].code == "attempted"
    assert club.game(game).clocks().account(WHITE).used > 5 * DAY


@pytest.mark.parametrize(
    ("said_so", "waits"), [("L-S2", True), ("thanks for the fish", False), ("status", False)]
)
def test_a_held_letter_keeps_a_game_for_three_days_and_only_if_it_may_hold_a_move(
    club: Club, said_so: str, waits: bool
) -> None:
    anna, _bert, game = timed(club)
    club.waits(2 * DAY)
    anna.replies(said_so, to=anna.last_about(game), vouched=False)
    club.waits(2 * DAY)
    club.looks_at_clocks()
    assert (club.game(game).status == "playing") is waits
    club.waits(2 * DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_an_outage_does_not_shorten_the_days_in_which_a_held_move_can_be_confirmed(club: Club) -> None:
    anna, _bert, game = timed(club)
    club.waits(2 * DAY)
    anna.replies("L-S2", to=anna.last_about(game), vouched=False)
    question = anna.last
    club.clock.at += 4 * DAY
    club.waits(DAY + timedelta(hours=2))
    club.looks_at_clocks()
    anna.replies("confirm", to=question)
    assert club.game(game).happenings[-1].code == "attempted"
    assert club.game(game).clocks().account(WHITE).used < 3 * DAY


def test_a_letter_with_which_the_house_has_failed_keeps_the_game_until_it_is_seen_to(club: Club) -> None:
    anna, _bert, game = timed(club)
    club.waits(2 * DAY)
    club.referee.letters.take_in([club.raw(anna.reply(anna.last_about(game), ("L-S2",), (), True))])
    number = club.last_letter()
    club.referee.letters.give_up(number, "LookupError, three times", tell=True)
    club.collect()
    club.waits(9 * DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    with club.store.reading() as lookup:
        (stuck,) = lookup.clocks.stuck(club.clock.now() - DAY)
    assert stuck.why == str(number)
    club.referee.letters.settle_again(number)
    assert club.game(game).happenings[-1].code == "attempted"
    assert club.game(game).clocks().account(WHITE).used < 3 * DAY


def test_a_letter_that_the_operator_drops_keeps_no_game(club: Club) -> None:
    anna, _bert, game = timed(club)
    club.waits(2 * DAY)
    club.referee.letters.take_in([club.raw(anna.reply(anna.last_about(game), ("L-S2",), (), True))])
    number = club.last_letter()
    club.referee.letters.give_up(number, "LookupError, three times", tell=False)
    club.waits(2 * DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.referee.letters.drop(number, "it says nothing")
    club.waits(timedelta(minutes=2))
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_a_letter_of_which_nobody_knows_whose_it_is_keeps_games_for_three_days(club: Club) -> None:
    _anna, bert, game = timed(club)
    club.waits(2 * DAY)
    club.referee.letters.take_in([club.raw(bert.letter(("status",)))])
    club.waits(3 * DAY)
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.waits(DAY + timedelta(hours=1))
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_a_letter_that_is_in_time_by_its_date_may_be_taken_in_some_minutes_later(club: Club) -> None:
    anna, _bert, game = timed(club)
    deadline = club.game(game).clocks().deadline(WHITE)
    assert deadline is not None
    club.waits(deadline - club.clock.now() - timedelta(minutes=1))
    second = timedelta(seconds=1)
    letter = club.raw(anna.reply(anna.last_about(game), ("L-S2",), (), True), received=deadline - second)
    club.clock.at = deadline + 2 * timedelta(minutes=1)
    club.referee.letters.looked()
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.take(letter)
    assert club.game(game).happenings[-1].code == "attempted"


@pytest.mark.parametrize("word", ["draw", "agree white", "agree", "resign", "pause"])
def test_nothing_is_agreed_on_or_given_up_when_somebodys_time_was_up(club: Club, word: str) -> None:
    """TM-5.2: else who has lost on time would have a draw, and who has won would give it away."""
    anna, bert, game = timed(club)
    bert.replies("draw" if word == "agree" else word.replace("resign", "draw"), to=bert.last_about(game))
    club.waits(3 * DAY + timedelta(minutes=5))
    anna.replies(word, to=anna.last_about(game))
    assert "was up when this came in" in said(anna.last) and club.game(game).status == "playing"
    bert.replies(word, to=bert.last_about(game))
    assert "the time of Anna in game 1 was up when this came in" in said(bert.last)
    club.waits(timedelta(minutes=20))
    club.looks_at_clocks()
    result = club.game(game).result
    assert result is not None and (result.winner, result.how) == (YELLOW, "on time")


def test_a_held_letter_ends_a_pause_a_day_after_it_is_confirmed(club: Club) -> None:
    """TM-6.3: else who has an opponent that trusts in the pause wins by a letter of which he has heard nothing."""
    anna, bert, game = timed(club)
    anna.replies("pause", to=anna.last_about(game))
    bert.replies("pause", to=bert.last_about(game))
    bert.replies("resume", to=bert.last_about(game), vouched=False)
    question = bert.last
    club.waits(10 * DAY)
    bert.replies("confirm", to=question)
    ends = club.game(game).consent.ends
    assert ends is not None and ends >= club.clock.now() + DAY - timedelta(minutes=30)


def test_leave_that_was_held_is_taken_and_ended_as_of_when_it_is_confirmed(club: Club) -> None:
    anna, _bert, _game = timed(club, time="20d/move")
    anna.writes("leave 2026-12-01 2026-12-20", vouched=False)
    question = anna.last
    club.waits(9 * DAY)
    anna.replies("confirm", to=question)
    assert "leave begins tomorrow at the earliest" in said(anna.last)
    anna.writes("leave 2026-12-12 2026-12-28")
    anna.writes("leave off", vouched=False)
    question = anna.last
    club.waits(9 * DAY)
    anna.replies("confirm", to=question)
    today = f"{club.clock.now():%a %-d %b %Y}"
    assert f"Leave from Sat 12 Dec 2026 to {today} (UTC), 6 days." in said(anna.last)


def test_leave_that_bears_on_no_deadline_takes_none_back_that_was_told(club: Club) -> None:
    """TM-7.6: a deadline that was told for another reason holds."""
    anna, _bert, game = timed(club)
    deadline = club.game(game).clocks().deadline(WHITE)
    assert deadline is not None
    with club.store.unit() as unit:
        unit.clocks.promise(game, WHITE, deadline + 4 * DAY)
    anna.writes("leave 2027-08-01 2027-08-03")
    anna.writes("leave off")
    with club.store.reading() as lookup:
        assert lookup.clocks.of_game(game)[WHITE].promised == deadline + 4 * DAY


def in_auckland(club: Club) -> date:
    """Return tomorrow's date in Auckland."""
    return (club.clock.at + timedelta(hours=13)).date() + DAY


@pytest.mark.parametrize("apart", [None, timedelta(hours=3), timedelta(hours=23)])
def test_no_change_of_zone_brings_leave_nearer(club: Club, apart: timedelta | None) -> None:
    """TM-7.2: in the same letter or in one of the day before, by whichever name it is set."""
    anna, _, _ = timed(club)
    if apart is None:
        answer = anna.writes("set zone Auckland", f"leave {in_auckland(club)}").sent[-1]
    else:
        anna.writes("set zone Auckland")
        anna.writes("status")
        club.clock.at += apart
        answer = anna.writes(f"leave {in_auckland(club)}").sent[-1]
    assert "you have set another time zone within the last 24 hours" in said(answer)
    (day,) = re.findall(r"in 24 hours at the earliest, on (\S+)\.", said(answer))
    assert day == f"{in_auckland(club) + DAY}"
    assert "leave on" in str(anna.writes(f"leave {day}").sent[-1]["Subject"])


def test_whoever_has_set_his_zone_two_days_ago_has_leave_by_his_own_day(club: Club) -> None:
    anna, _, _ = timed(club)
    anna.writes("set zone Auckland")
    club.waits(2 * DAY)
    assert "leave on" in str(anna.writes(f"leave {in_auckland(club)}").sent[-1]["Subject"])


def test_a_move_that_came_before_a_claim_is_heard_first_though_it_is_held(club: Club) -> None:
    anna, bert, game = timed(club, lapse="soft")
    club.waits(3 * DAY + timedelta(hours=1))
    club.looks_at_clocks()
    anna.replies("L-S2", to=anna.last_about(game), vouched=False)
    question = anna.last
    bert.replies("claim time", to=bert.last_about(game))
    assert club.game(game).status == "playing" and "not certain yet" in said(bert.last)
    anna.replies("confirm", to=question)
    assert club.game(game).happenings[-1].code == "attempted"


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
    club.referee.umpire.take_back(game, 1, "A letter was misread.")
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
    club.referee.umpire.take_back(game, 1, "A letter was misread.")
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
    assert "from Mon 30 Nov 2026 to Fri 4 Dec 2026 (UTC)" in said(anna.last)
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
    assert said(anna.last).startswith("Your leave on Thu 10 Dec 2026 is cancelled")
    assert "Anna no longer takes leave on Thu 10 Dec 2026." in said(bert.last)


def test_whoever_ends_the_leave_that_he_is_on_keeps_what_he_has_taken_for_later(club: Club) -> None:
    anna, bert, _game = timed(club)
    anna.writes("leave 2026-12-01 2026-12-05", "leave 2026-12-24 2027-01-02")
    club.waits(3 * DAY)
    before = len(bert.letters)
    anna.writes("leave off")
    assert "Leave on Wed 2 Dec 2026" not in said(anna.last)
    assert "Leave from Thu 24 Dec 2026 to Sat 2 Jan 2027 (UTC), 10 days." in said(anna.last)
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
    assert f"You have until {before:%a %-d %b %Y, %H:%M} UTC." in said(anna.last)
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
    assert "You have offered Bert a pause of game 1" in said(anna.last) and "Anna offers a pause" in said(
        bert.last
    )
    anna.replies("pause", to=anna.last_about(game))
    assert "already" in said(anna.last)
    bert.replies("pause", to=bert.last_about(game))
    assert "Game 1 rests, as you and Bert have agreed" in said(anna.last)
    assert "rests, as you and Anna have agreed" in said(bert.last)
    assert "as both players have agreed" not in said(bert.last), "it is said once"
    assert "The game rests, as both players have agreed" in said(bert.writes("status 1").only)
    club.waits(20 * DAY)
    assert club.looks_at_clocks() == () and club.game(game).status == "playing"
    anna.replies("resume", to=anna.last_about(game))
    assert "The pause of game 1 with Bert ends; time runs again from" in said(anna.last)
    assert "The pause of game 1 with Anna ends" in said(bert.last)
    club.posts()
    club.waits(4 * DAY + timedelta(hours=1))
    club.looks_at_clocks()
    assert club.game(game).status == "ended"


def test_an_offer_of_a_pause_can_be_taken_back_and_lapses_with_a_move(club: Club) -> None:
    anna, bert, game = timed(club)
    anna.replies("pause", to=anna.last_about(game))
    anna.replies("resume", to=anna.last_about(game))
    assert "Your offer to Bert of a pause of game 1 is taken back." in said(anna.last)
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
        patched.setattr("referee.handlers.composer.Composer.to_player", _dies)
        with pytest.raises(KeyboardInterrupt):
            club.referee.jobs.see_to_clocks()
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
        patched.setattr("referee.handlers.timeouts.look", _fails)
        club.referee.jobs.see_to_clocks()
    with club.store.reading() as lookup:
        assert lookup.clocks.due(club.clock.now(), 9) == []
        assert lookup.clocks.due(club.clock.now() + timedelta(hours=1), 9) == [(game, WHITE)]
        assert [(each.game, each.seat, each.why) for each in lookup.clocks.stuck(START)] == [
            (game, WHITE, "LookupError")
        ]
    club.waits(timedelta(hours=2))
    club.looks_at_clocks()
    with club.store.reading() as lookup:
        assert lookup.clocks.stuck(club.clock.now()) == []


def _fails(*_: object) -> None:
    raise LookupError


def test_leave_and_a_calendar_belong_to_an_event(club: Club) -> None:
    TournamentService(club.store, club.service, club.clock).make(
        Competition("League", rules=("confusion",), time="3d/move", days_off=("sunday",), leave=5)
    )
    club.waits(2 * DAY)
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert}, deal=DEAL, event="League")
    # It is Sunday; the letter is accepted at 17:14, and time runs from midnight on.
    assert "You have until Thu 3 Dec 2026, 00:00 UTC." in said(anna.last)
    anna.writes("leave 2026-12-01 2026-12-06")
    assert "there are 5 days of leave a year" in said(anna.last)
    anna.writes("leave 2026-12-01 2026-12-05")
    assert "In the event League: Leave from Tue 1 Dec" in said(anna.last)
    assert "0 days of leave are left" in said(anna.last)


def test_leave_holds_in_a_game_of_the_event_that_begins_meanwhile(club: Club) -> None:
    TournamentService(club.store, club.service, club.clock).make(
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
    assert "until Mon 14 Dec 2026, 00:00 UTC" in said(anna.last)


@pytest.mark.parametrize(
    ("cap", "until"), [(30, "until Sat 12 Dec 2026, 17:42 UTC"), (5, "until Wed 2 Dec 2026, 17:42 UTC")]
)
def test_leave_holds_in_a_game_of_another_event_that_begins_later_as_far_as_there_is_room(
    club: Club, cap: int, until: str
) -> None:
    anna, _bert, _game = timed(club)
    TournamentService(club.store, club.service, club.clock).make(
        Competition("League", rules=("confusion",), time="3d/move", leave=cap)
    )
    anna.writes("leave 2026-12-01 2026-12-10")
    carl = club.member("Carl")
    club.starts({"white": anna, "yellow": carl}, deal=DEAL, event="League")
    assert until in said(anna.last)


def test_leave_that_is_taken_twice_is_shown_once(club: Club) -> None:
    anna, _bert, _game = timed(club)
    for _ in range(2):
        anna.writes("leave 2026-12-01 2026-12-10")
    assert said(anna.last).count("from Tue 1 Dec") == 1


# What others do to a clock


def league(club: Club, terms: Competition) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna and Bert in a game of an event; her clock runs."""
    TournamentService(club.store, club.service, club.clock).make(terms)
    club.waits(2 * DAY)
    anna, bert = club.member("Anna"), club.member("Bert")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, event=terms.name)
    club.posts()
    club.looks_at_clocks()
    return anna, bert, game


def changed(club: Club, terms: Competition) -> None:
    TournamentService(club.store, club.service, club.clock).change(terms.name, terms, "So it was decided.")


def left_of(club: Club, game: int, seat: Seat) -> timedelta:
    with club.store.reading() as lookup:
        left = GameClocks(lookup, club.service.time, club.clock.now()).ledger(club.game(game))
    found = left.left(seat, club.clock.now())
    assert found is not None
    return found


def deadline_of(club: Club, game: int, seat: Seat) -> datetime | None:
    with club.store.reading() as lookup:
        return GameClocks(lookup, club.service.time, club.clock.now()).deadline(club.game(game), seat)


def sums(club: Club, game: int) -> tuple[timedelta, ...]:
    return tuple(left_of(club, game, seat) for seat in (WHITE, YELLOW))


def test_a_seat_keeps_the_leave_of_who_sat_there_and_gets_none_that_the_newcomer_had_before(
    club: Club,
) -> None:
    """TM-7.8."""
    anna, bert, game = timed(club, time="20d", lapse="hard")
    carl = club.member("Carl")
    club.starts({"white": carl, "yellow": bert}, deal=DEAL, time="3d/move")
    anna.writes("leave 2026-12-01 2026-12-03")
    carl.writes("leave 2026-12-04 2026-12-14")
    club.waits(17 * DAY)
    anna.replies("L-S2", to=anna.last_about(game))
    before = sums(club, game)
    assert left_of(club, game, WHITE) < 7 * DAY, "three days of leave, not fourteen"
    with club.store.reading() as lookup:
        newcomer = lookup.players.by_address(carl.address)
    assert newcomer is not None
    club.referee.umpire.act(game, umpire_actions.Replace(WHITE, newcomer.number), "She is ill.")
    club.collect()
    assert sums(club, game) == before
    anna.writes("bye")
    anna.replies("bye")
    assert sums(club, game) == before


def test_a_pause_that_ends_on_a_day_off_says_when_time_runs_again(club: Club) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    every_day = tuple(day for day in WEEKDAYS if day != "friday")
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("League", rules=("confusion",), time="3d/move", days_off=every_day))
    seats = {WHITE: ("", anna.address), YELLOW: ("", bert.address)}
    game = club.referee.umpire.new_game("confusion", seats, {"first": "white"}, DEAL, "League")
    club.collect()
    club.posts()
    club.looks_at_clocks()
    anna.replies("pause", to=anna.last_about(game))
    bert.replies("pause", to=bert.last_about(game))
    while club.clock.now().strftime("%a") != "Mon":
        club.waits(DAY)
    anna.replies("resume", to=anna.last_about(game))
    for reader in (anna, bert):
        assert re.search(
            r"The pause of game \d with \w+ ends; time runs again from Fri \d+ \w+ 20\d\d, 00:00 UTC",
            said(reader.last),
        )


def test_an_events_calendar_is_told_to_whoever_takes_part(club: Club) -> None:
    anna = club.member("Anna")
    day = club.clock.now().date()
    holidays = (Holiday(day - DAY, "Past"), Holiday(day + 20 * DAY, "Feast"))
    terms = Competition(
        "League", ("confusion",), "3d/move", "soft", "Europe/Paris", ("sunday",), holidays, leave=30
    )
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(terms)
    secretary.appoint("League", "umpire", ("", anna.address))
    club.collect()
    office = said(anna.last)
    assert "help umpire brings all that can be done" in office and "The other officers" not in office
    anna.writes("events")
    told = said(anna.last)
    assert "3 days a move." in told and "Days off, each week: Sunday." in told and "(Feast)" in told
    assert "Past" not in told and "midnight in Paris" in told and "30 days of leave a year" in told
    dora = club.member("Dora")
    secretary.appoint("League", "deputy", ("", dora.address))
    club.collect()
    assert "The other officers: Anna (umpire)." in said(dora.last)


@pytest.mark.parametrize("line", ["help time", "help clock", "help calendar", "help deadlines"])
def test_a_page_says_how_time_is_counted(club: Club, line: str) -> None:
    anna = club.member("Anna")
    page = said(anna.writes(line).only)
    assert page.startswith("How time is counted.")
    for word in ("option time=3d/move", "claim time", "events", "leave", "pause", "resume", "set zone CITY"):
        assert word in page
    anna.writes("set language fr")
    for word in ("aide temps", "aide pendule", "aide agenda"):
        assert said(anna.writes(word).only).startswith("Comment le temps est compté.")


def test_a_timed_game_that_an_umpire_sets_up_does_not_say_that_it_waits(club: Club) -> None:
    anna, _bert, game = timed(club)
    first = said(anna.letters[-1] if game is None else anna.last_about(game))
    assert (
        "Time runs in it, against whoever writes nothing at all, too." in first and "only waits" not in first
    )


@pytest.mark.parametrize("kept", [{}, {"days_off": ("sunday",)}, {"zone": "Pacific/Auckland"}])
def test_days_off_that_an_event_gives_up_are_charged_to_no_game_that_runs(
    club: Club, kept: dict[str, Any]
) -> None:
    """TM-4.6."""
    holidays = (Holiday(date(2026, 12, 1), "Feast"), Holiday(date(2026, 12, 20), "Another"))
    terms = Competition(
        "League", rules=("confusion",), time="20d", days_off=("saturday", "sunday"), holidays=holidays
    )
    anna, _, game = league(club, terms)
    club.waits(9 * DAY)
    anna.replies("L-S2", to=anna.last_about(game))
    club.posts()
    club.looks_at_clocks()
    club.waits(5 * DAY)
    before = sums(club, game)
    changed(club, replace(terms, **({"days_off": (), "holidays": ()} | kept)))
    assert all(after >= each for after, each in zip(sums(club, game), before, strict=True))
    if not kept:
        club.waits(7 * DAY)
        assert left_of(club, game, YELLOW) == before[1] - 7 * DAY, "from now on they count"


def test_other_reminders_of_an_event_hold_for_the_move_in_hand(club: Club) -> None:
    terms = Competition("League", rules=("confusion",), time="10d/move", reminders=(DAY,))
    anna, _, _ = league(club, terms)
    changed(club, replace(terms, reminders=(7 * DAY,)))
    club.waits(4 * DAY)
    club.looks_at_clocks()
    assert anna.last.kind == "reminder"


@pytest.mark.parametrize("how", ["thaw", "umpire", "consent"])
@pytest.mark.parametrize("posted", [True, False])
def test_when_a_game_goes_on_who_is_to_move_has_a_day_from_the_letter_that_says_so(
    club: Club, how: str, posted: bool
) -> None:
    """TM-3.9."""
    anna, bert, game = timed(club)
    club.waits(3 * DAY - timedelta(hours=2))
    if how == "thaw":
        club.referee.umpire.freeze(game, "Something is looked into.")
    elif how == "umpire":
        club.referee.umpire.act(game, umpire_actions.Pause(), "We are closed.")
    else:
        anna.replies("pause", to=anna.last_about(game))
        bert.replies("pause", to=bert.last_about(game))
    club.posts()
    club.waits(5 * DAY)
    if how == "thaw":
        club.referee.umpire.thaw(game)
    elif how == "umpire":
        club.referee.umpire.act(game, umpire_actions.Resume(), "We are back.")
    else:
        bert.replies("resume", to=bert.last_about(game))
    club.collect()
    if posted:
        club.posts()
    club.waits(DAY - timedelta(hours=1))
    club.looks_at_clocks()
    deadline = deadline_of(club, game, WHITE)
    assert club.game(game).status == "playing"
    assert deadline is not None
    club.waits(3 * DAY)
    club.looks_at_clocks()
    assert (club.game(game).status == "ended") is posted
    if not posted:
        club.posts()
        club.waits(DAY - timedelta(hours=1))
        anna.replies("L-S2", to=anna.last_about(game))
        assert "Ruled" in kinds(club, game)


@pytest.mark.parametrize("posted", [True, False])
def test_when_the_other_can_be_reached_again_who_is_to_move_has_a_day_from_the_letter_that_says_so(
    club: Club, posted: bool
) -> None:
    """TM-3.9."""
    anna, bert, game = timed(club)
    club.waits(DAY)
    club.take(club.raw(bounce(bert.last)))
    club.waits(DAY + timedelta(hours=1))
    (copy,) = (each for each in club.looks_round() if each.recipient == bert.address)
    club.take(club.raw(bounce(copy)))
    club.posts()
    assert club.game(game).unreachable == {"yellow"}
    left = 3 * DAY - club.game(game).clocks().account(WHITE).used
    club.waits(5 * DAY)
    assert left > DAY and deadline_of(club, game, WHITE) is None
    bert.writes("games")
    assert "Bert" in said(anna.last) and "again" in said(anna.last).split(".")[0]
    club.collect()
    if posted:
        club.posts()
    club.waits(DAY - timedelta(hours=1))
    club.looks_at_clocks()
    assert club.game(game).status == "playing"
    club.waits(3 * DAY)
    club.looks_at_clocks()
    assert (club.game(game).status == "ended") is posted


@pytest.mark.parametrize(
    "claim", ["claim time please", "claim the time", "claim time is up", "claim on time!", "claim time"]
)
def test_that_the_time_is_up_is_claimed_however_it_is_put(club: Club, claim: str) -> None:
    _, bert, game = timed(club, time="3d/move", lapse="soft")
    club.waits(4 * DAY)
    club.looks_at_clocks()
    bert.replies(claim, to=bert.last_about(game))
    assert club.game(game).status == "ended"


def test_whoever_claims_something_else_while_the_time_is_up_is_told_how_to_claim_by_it(club: Club) -> None:
    _, bert, game = timed(club, time="3d/move", lapse="soft")
    hint = "writes claim time and nothing else on the line"
    bert.replies("claim The time control is not what we had agreed.", to=bert.last_about(game))
    assert hint not in said(bert.last)
    club.waits(4 * DAY)
    club.looks_at_clocks()
    bert.replies("claim Anna has not moved in time, and does not answer.", to=bert.last_about(game))
    assert hint in said(bert.last)


@pytest.mark.parametrize(
    ("options", "meant"),
    [
        ("option time=3 days/move", "option time=3d/move"),
        ("option time=20d + 2d", "option time=20d+2d"),
        ("option time = 3d/move option colour=white", "option time=3d/move"),
        ("option temps=3 jours par coup", "option time=3d/move"),
        ("option time: 3/move", "option time=3d/move"),
        ("option sheets off", "option sheets=off"),
    ],
)
def test_a_time_control_in_several_words_is_answered_with_the_one_that_was_meant(
    club: Club, options: str, meant: str
) -> None:
    anna = club.member("Anna")
    club.member("Bert")
    anna.writes(f"challenge Bert confusion {options}")
    assert f"Did you mean {meant}?" in said(anna.last)


def test_who_takes_leave_is_told_its_days_first_and_the_games_that_it_covers(club: Club) -> None:
    anna, bert, game = timed(club)
    other = club.starts({"white": bert, "yellow": anna}, deal=DEAL, time="3d/move")
    anna.writes("set zone Paris")
    anna.writes("leave 2026-12-24 2027-01-02")
    assert "Referee: leave from 24 Dec to 2 Jan" in anna.last["Subject"]
    told = said(anna.last)
    assert told.startswith("Your leave is noted: 10 days, from Thu 24 Dec 2026 to Sat 2 Jan 2027 (Paris).")
    assert f"It holds in games {game}, {other}." in told
    assert "22 days of leave are left in 2026. 28 days of leave are left in 2027." in told
    assert "[leave from 24 Dec to 2 Jan]" in bert.last["Subject"]
    anna.writes("leave 2026-12-20", "leave 2026-12-22")
    assert anna.last["Subject"] == "Referee: your leave"
    anna.writes("leave")
    assert anna.last["Subject"] == "Referee: accepted"
    assert said(anna.last).startswith("This is the leave that you have taken.")
    anna.writes("leave off")
    assert anna.last["Subject"] == "Referee: leave cancelled"
    assert "[leave cancelled]" in bert.last["Subject"]


AT_NO_TIME = (
    "register Ann", "help", "help leave", "games", "events", "overview", "status", "challenge Carl confusion",
    "open confusion", "join 99", "accept", "decline", "draw", "agree white", "cancel", "confirm", "record",
    "resend", "resend 1", "new tag", "why L", "preview L-S1", "L-Q9", "L-S1 @14", "press Hello", "press all Hello",
    "mute", "mute off", "diary A thought", "claim He is slow", "claim time", "appeal 1/1 Again", "pause", "resume",
    "watch 1", "umpire add 1 white 3d: I am late.", "rematch", "leave 2026-12-20 2026-12-24", "leave", "leave off",
    "set letters daily", "set letters urgent", "set letters each", "set zone Tokyo", "set zone Honolulu",
    "set zone none", "set calendar on", "set language en", "set address anna@example.com", "set second none",
    "allow", "deny", "carry out",
)  # fmt: skip
"""Lines by which nobody moves and that bear on no day before the deadline."""
MOVES_OR_LEAVES = frozenset(("try", "resign", "bye"))


def test_no_word_of_his_own_gives_a_player_time_for_the_move_he_is_on(club: Club) -> None:
    """Whatever he writes, in whatever order, the deadline stays: only a move stops his clock (TM-1.2, TM-1.3)."""
    anna, bert, game = timed(club)
    words = {word.name for word in WORDS} - MOVES_OR_LEAVES
    assert not {word for word in words if not any(f"{line} ".startswith(f"{word} ") for line in AT_NO_TIME)}
    bert.replies("press Good luck", to=bert.last_about(game))

    def deadline() -> datetime | None:
        with club.store.reading() as lookup:
            keeper = GameClocks(lookup, club.service.time, club.clock.now())
            return keeper.deadline(club.game(game), WHITE)

    before = deadline()
    assert before is not None
    for line in AT_NO_TIME:
        anna.replies(line, to=anna.last_about(game))
        club.posts()
        club.looks_at_clocks()
        assert deadline() == before, line
    assert club.clock.now() < before and "Ruled" not in kinds(club, game)
