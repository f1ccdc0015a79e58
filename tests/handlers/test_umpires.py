"""An officer acts by letter: he is shown what would follow, and his `confirm` does it; nobody else's does anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import select

from referee.common.errors import UsageError
from referee.games import umpire_actions
from referee.games.events import Paused, Replaced, Ruled, Stated, TimeAdded, read_event
from referee.games.game import Game
from referee.games.tournaments.officers import Office
from referee.games.tournaments.tournament import Competition
from referee.handlers import replies
from referee.handlers import umpire_actions as desk_acts
from referee.rulebooks.rulebook import UMPIRE, Seat
from referee.service.bootstrap import Application
from referee.service.queries import game_as
from referee.service.settings import Settings
from referee.service.tournaments import TournamentService
from referee.store.tables import ASKED_ACTIONS, ERRANDS, TAGS
from referee.store.values import WritingKind
from tests.reports.material import CONFUSION
from tests.service.test_damaged_games import NO_JSON, NO_KIND, damage
from tests.support.begun import DEAL, said
from tests.support.playing import Club, Correspondent, Delivered, new_database

WHITE, YELLOW = Seat("white"), Seat("yellow")
DAY = timedelta(days=1)
LEAGUE = "Spring League"


@dataclass
class League:
    """An event with Olga as its umpire, Dora as her deputy, and Anna (white) against Bert in its game, turn 2."""

    club: Club
    game: int
    anna: Correspondent
    bert: Correspondent
    olga: Correspondent
    dora: Correspondent

    @property
    def now(self) -> Game:
        return self.club.game(self.game)

    def kinds(self) -> list[str]:
        with self.club.store.reading() as lookup:
            return [each.kind for each in lookup.events.of_game(self.game)]

    def asks(self, who: Correspondent, line: str) -> Delivered:
        """Let somebody write an action; return the one answer."""
        return who.writes(line.format(game=self.game)).only

    def does(self, who: Correspondent, line: str) -> list[Delivered]:
        """Let an officer write an action and confirm it; return what was sent then."""
        asked = self.asks(who, line)
        assert asked.text.startswith("Nothing is done yet"), asked.text
        return list(who.replies("confirm", to=asked).sent)

    def appoint(self, office: Office, who: Correspondent, event: str = LEAGUE) -> None:
        secretary(self.club).appoint(event, office, ("", who.address))
        self.club.collect()

    def starts(self, white: Correspondent, yellow: Correspondent, event: str = LEAGUE) -> int:
        seats = {WHITE: ("", white.address), YELLOW: ("", yellow.address)}
        game = self.club.referee.umpire.new_game("confusion", seats, {"first": "white"}, DEAL, event)
        self.club.collect()
        return game


def attached(letter: Delivered) -> str:
    """Return the record that comes with a letter."""
    (record,) = (part for part in letter.parts if (part.get_filename() or "").startswith("game-"))
    return str(record.get_content()).replace("\r\n", "\n")


def secretary(club: Club) -> TournamentService:
    return TournamentService(club.store, club.service, club.clock, club.draws)


def _begin(club: Club) -> int:
    people = [club.member(name) for name in ("Anna", "Bert", "Olga", "Dora")]
    secretary(club).make(Competition(LEAGUE, rules=("confusion",), time="7d/move", watchers="on"))
    secretary(club).appoint(LEAGUE, "umpire", ("", people[2].address))
    secretary(club).appoint(LEAGUE, "deputy", ("", people[3].address))
    club.collect()
    anna, bert, *_ = people
    seats = {WHITE: ("", anna.address), YELLOW: ("", bert.address)}
    game = club.referee.umpire.new_game("confusion", seats, {"first": "white"}, DEAL, LEAGUE)
    club.collect()
    anna.replies("L-S2", to=anna.last_about(game))
    return game


@pytest.fixture
def league(club: Club) -> League:
    game = club.begins(_begin)
    anna, bert, olga, dora = (club.reader(f"{name}@example.net") for name in ("anna", "bert", "olga", "dora"))
    return League(club, game, anna, bert, olga, dora)


# Shown first, done by confirming


@pytest.mark.parametrize(
    ("line", "shown", "kind"),
    [
        ("umpire pause {game} until 2027-01-03: We are closed.", "stop until Sun 3 Jan 2027", "Paused"),
        ("umpire add {game} Yellow 3d: He was ill.", "Yellow gets 3 days more in game 1", "TimeAdded"),
        ("umpire take back {game} to 1: It was misread.", "Game 1 goes on from turn 1", "TakenBack"),
        ("umpire correct {game} L-S1: It was misread.", "L-S1 takes the place of the last attempt", "Ruled"),
        ("umpire act {game} Yellow A-N1: He has called.", "A-N1 is tried in the name of Yellow", "Ruled"),
        ("umpire rule {game}: Be polite.", "> Be polite.", "Stated"),
        ("umpire replace {game} Yellow Carl <carl@example.net>: Ill.", "plays Yellow in game 1", "Replaced"),
        ("umpire close {game}: By mistake.", "Game 1 ends without a result", "Ended"),
        ("umpire adjudicate {game} white: He has cheated.", "and White has won", "Ended"),
    ],
)
def test_an_act_is_shown_first_and_done_by_confirming(
    league: League, line: str, shown: str, kind: str
) -> None:
    before = league.kinds()
    asked = league.asks(league.olga, line)
    assert shown in said(asked)
    assert "Anna (White), Bert (Yellow)" in said(asked)
    assert league.kinds() == before
    done = league.olga.replies("confirm", to=asked)
    assert league.kinds()[len(before) :][-1] == kind
    readers = {each.recipient for each in done.sent}
    assert {league.anna.address, league.bert.address, league.olga.address} <= readers
    assert said(league.olga.last).startswith("It is done.")
    for reader in (league.anna, league.bert):
        assert "The umpire Olga" in said(reader.last)
    reason = line.partition(": ")[2]
    assert reason in said(league.bert.last)


def test_time_that_is_given_is_told_with_its_move_and_how_long_that_has_then(league: League) -> None:
    league.club.posts()
    league.club.looks_at_clocks()
    asked = said(league.asks(league.olga, "umpire add {game} Yellow 3d: He was ill."))
    shown = re.search(r"It is for the move that is due, whose time lasts until ([^.]*) then\.", asked)
    assert shown is not None
    to_the_other = league.asks(league.olga, "umpire add {game} White 3d: He was ill.")
    assert "It is for the next move of White." in said(to_the_other)
    league.does(league.olga, "umpire add {game} Yellow 3d: He was ill.")
    assert f"whose time lasts until {shown[1]}" in said(league.bert.last)
    face = league.club.game(league.game).clocks()
    assert face.deadline(YELLOW) is not None


def test_what_was_done_is_in_the_log_with_its_officer_its_reason_and_the_letter(league: League) -> None:
    league.does(league.olga, "umpire pause {game}: We are closed.")
    with league.club.store.reading() as lookup:
        last = lookup.events.of_game(league.game)[-1]
        olga = lookup.players.by_address(league.olga.address)
    event = read_event(last.kind, last.body)
    assert isinstance(event, Paused) and olga is not None
    assert (event.by, event.reason, event.cause) == (olga.number, "We are closed", "umpire")
    assert last.letter == league.club.last_letter()


def test_time_stands_still_in_a_pause_and_moves_are_taken_all_the_same(league: League) -> None:
    league.does(league.olga, "umpire pause {game}: We are closed.")
    assert "no time of yours runs at present" in said(league.bert.last).lower()
    league.club.later(40 * DAY)
    moved = league.bert.replies("A-N1", to=league.bert.last_about(league.game))
    assert moved.settled is not None
    assert moved.settled.moves == 1


def test_the_answer_to_an_order_is_not_shown_before_it_was_ruled_on(league: League) -> None:
    """Else an umpire could ask for as many as he likes."""
    for order in ("A-N1", "A-N2", "A-NE3"):
        asked = said(league.asks(league.olga, f"umpire act {{game}} Yellow {order}: He has called."))
        assert "(yes)" not in asked and "(no)" not in asked
        assert (
            asked.replace(order, "A-N1").partition("Letter")[0]
            == (
                said(league.asks(league.olga, "umpire act {game} Yellow A-N1: He has called.")).partition(
                    "Letter"
                )[0]
            )
        )
    done = league.olga.replies("confirm")
    assert "Yellow A-N1 (yes)" in said(done.sent[-1])


def test_what_was_taken_back_is_put_back_by_letter(league: League) -> None:
    league.does(league.olga, "umpire take back {game} to 1: It was misread.")
    league.anna.replies("K-S1", to=league.anna.last_about(league.game))
    league.does(league.olga, "umpire restore {game}: It was read rightly.")
    assert "has put back what was taken back" in said(league.bert.last)
    assert "What stands again: White L-S2 (yes)." in said(league.bert.last)
    assert "counts no more: White K-S1 (yes)" in said(league.bert.last)
    assert [
        each.facts["text"]
        for each in league.now.rulebook.rules.standing(league.now.happenings)[1:]
        if "text" in each.facts
    ] == ["L-S2"]


def test_what_is_put_back_is_kept_with_its_officer_and_reason_and_can_be_appealed_against(
    league: League,
) -> None:
    league.does(league.olga, "umpire take back {game} to 1: It was misread.")
    league.does(league.olga, "umpire restore {game}: It was read rightly.")
    with league.club.store.reading() as lookup:
        last = lookup.events.of_game(league.game)[-1]
        olga = lookup.players.by_address(league.olga.address)
    event = read_event(last.kind, last.body)
    assert isinstance(event, Ruled) and event.again and olga is not None
    assert (event.by, event.reason) == (olga.number, "It was read rightly")
    league.bert.replies("appeal It was wrong.", to=league.bert.last_about(league.game))
    assert "The umpire Olga has put back what was taken back, " in said(league.dora.last)


def test_the_plan_of_the_other_side_goes_on_after_an_order_in_a_seats_name(league: League) -> None:
    league.anna.replies("try A-S1", to=league.anna.last_about(league.game))
    sent = league.does(league.olga, "umpire act {game} Yellow A-N1: He has called.")
    assert league.now.due.keys() == {YELLOW}
    assert "planned" in said(league.anna.last).lower() or "plan" in said(league.anna.last).lower()
    (officers,) = [each for each in sent if each.recipient == league.olga.address]
    assert "plan" not in said(officers).replace("explain", "")


def test_whoever_takes_turns_back_is_shown_first_which_attempts_go(league: League) -> None:
    league.bert.replies("A-N1", to=league.bert.last_about(league.game))
    for line, gone in (
        ("take back {game} to 1", "White L-S2 (yes), Yellow A-N1 (yes)"),
        ("correct {game} A-N2", "Yellow A-N1 (yes)"),
    ):
        asked = said(league.asks(league.olga, f"umpire {line}: It was misread."))
        assert f"What counts no more then: {gone}." in asked
    assert "What counts no more" not in said(league.asks(league.olga, "umpire pause {game}: Closed."))


# Confirming


def test_a_confirmation_counts_once(league: League) -> None:
    asked = league.asks(league.olga, "umpire add {game} Yellow 3d: He was ill.")
    league.olga.replies("confirm", to=asked)
    again = league.olga.replies("confirm", to=asked).only
    assert said(again).startswith("Nothing waits to be confirmed there any more")
    assert league.kinds().count("TimeAdded") == 1


def test_a_confirmation_a_week_later_does_nothing(league: League) -> None:
    asked = league.asks(league.olga, "umpire pause {game}: We are closed.")
    league.club.later(8 * DAY)
    late = league.olga.replies("confirm", to=asked).only
    assert said(late).startswith("Nothing waits to be confirmed there any more")
    assert "Paused" not in league.kinds()


def test_a_game_that_has_gone_on_is_shown_anew(league: League) -> None:
    asked = league.asks(league.olga, "umpire take back {game} to 1: It was misread.")
    league.bert.replies("A-N1", to=league.bert.last_about(league.game))
    anew = league.olga.replies("confirm", to=asked).only
    assert said(anew).startswith("The game has gone on since you were asked, so nothing was done.")
    assert "TakenBack" not in league.kinds()
    league.olga.replies("confirm", to=anew)
    assert "TakenBack" in league.kinds()


def test_a_plan_or_a_note_of_a_players_changes_nothing_for_the_officer(league: League) -> None:
    """He would else learn of them."""
    asked = league.asks(league.olga, "umpire take back {game} to 1: It was misread.")
    league.anna.replies("try A-S1", "diary I have a plan.", to=league.anna.last_about(league.game))
    league.olga.replies("confirm", to=asked)
    assert "TakenBack" in league.kinds()


@pytest.mark.parametrize("what", ["a draw", "a pause", "a first letter"])
def test_what_a_player_has_done_meanwhile_is_a_reason_to_ask_anew(league: League, what: str) -> None:
    if what != "a first letter":
        league.bert.replies("status", to=league.bert.last_about(league.game))
    asked = league.asks(league.olga, "umpire adjudicate {game} white: Bert is silent.")
    line = {"a draw": "draw", "a pause": "pause", "a first letter": "claim I was in hospital."}[what]
    league.bert.replies(line, to=league.bert.last_about(league.game))
    anew = league.olga.replies("confirm", to=asked).only
    assert said(anew).startswith("The game has gone on since you were asked, so nothing was done.")
    assert "Ended" not in league.kinds()


def test_two_questions_about_one_gift_give_it_once_whatever_was_given_before(league: League) -> None:
    league.does(league.olga, "umpire add {game} White 3d: The first.")
    one, two = (league.asks(league.olga, "umpire add {game} White 3d: Ill.") for _ in range(2))
    league.olga.replies("confirm", to=one)
    anew = league.olga.replies("confirm", to=two).only
    assert said(anew).startswith("The game has gone on since you were asked")
    assert league.kinds().count("TimeAdded") == 2


def test_what_cannot_be_done_any_more_is_said(league: League) -> None:
    asked = league.asks(league.olga, "umpire act {game} Yellow A-N1: He has called.")
    league.bert.replies("A-N1", to=league.bert.last_about(league.game))
    answer = league.olga.replies("confirm", to=asked).only
    assert "it is not the turn of Yellow in game 1" in said(answer)


@pytest.mark.parametrize("vouched", [True, False])
def test_a_confirmation_from_another_address_does_nothing(league: League, vouched: bool) -> None:
    asked = league.asks(league.olga, "umpire pause {game}: We are closed.")
    other = league.anna if vouched else league.olga
    other.replies("confirm", to=asked, vouched=vouched)
    assert "Paused" not in league.kinds()


def test_a_letter_that_was_held_neither_asks_nor_confirms(league: League) -> None:
    league.olga.writes(f"umpire pause {league.game}: We are closed.", vouched=False)
    answer = league.olga.replies("confirm").sent[-1]
    assert "your letter was held, and nothing is done in a game by such a letter" in said(answer)
    asked = league.asks(league.olga, "umpire pause {game}: We are closed.")
    league.club.later(2 * DAY)
    league.olga.replies("confirm", to=asked, vouched=False)
    league.olga.replies("confirm")
    assert "Paused" not in league.kinds()


def test_a_letter_can_ask_for_one_act(league: League) -> None:
    answer = league.olga.writes(
        f"umpire pause {league.game}: We are closed.", "", f"umpire close {league.game}: By mistake."
    ).only
    assert "one letter can ask for one thing that is to be confirmed" in said(answer)
    league.olga.replies("confirm")
    assert "Ended" not in league.kinds()
    assert "Paused" in league.kinds()


def test_an_answer_that_does_not_confirm_does_nothing(league: League) -> None:
    asked = league.asks(league.olga, "umpire close {game}: By mistake.")
    league.olga.replies("Thank you, I shall think about it.", "confirm", to=asked)
    assert "Ended" not in league.kinds()
    answer = said(league.olga.last)
    assert 'confirm: "confirm" counts only as the first line of a letter; nothing was confirmed' in answer
    league.olga.replies("confirm", to=asked)
    assert "Ended" in league.kinds(), "it waits still"


@pytest.mark.parametrize("games", [0, 1])
def test_a_confirmation_that_does_not_count_is_answered_as_one_whatever_the_officer_plays(
    league: League, games: int
) -> None:
    for _ in range(games):
        league.starts(league.olga, league.anna)
    asked = league.asks(league.olga, "umpire close {game}: By mistake.")
    greeted = league.olga.replies("Thanks,", "confirm", to=asked).only
    assert "counts only as the first line of a letter" in said(greeted)
    league.club.later(2 * DAY)
    league.olga.replies("confirm", to=asked, vouched=False)
    released = league.olga.replies("confirm").only
    assert "your letter was held, and such a letter confirms nothing here" in said(released)
    for answer in (greeted, released):
        assert answer.kind == "refusal"
        assert answer.game is None
    assert "Ended" not in league.kinds()


def test_beside_a_confirmation_that_does_not_count_other_lines_do(league: League) -> None:
    asked = league.asks(league.olga, "umpire close {game}: By mistake.")
    both = league.olga.replies(
        "Thanks,", "confirm", "", f"umpire pause {league.game}: Closed.", to=asked
    ).only
    assert "counts only as the first line of a letter" in said(both)
    league.olga.replies("confirm", to=both)
    assert league.kinds()[-1] == "Paused"


def test_an_officer_may_name_the_game_in_his_subject(league: League) -> None:
    answer = league.olga.writes(
        f"umpire pause {league.game}: We are closed.", subject=f"[game {league.game}] a pause"
    ).only
    assert said(answer).startswith("Nothing is done yet")


# Who may


def refusal(letter: Delivered) -> str:
    """Return a refusal, without what differs in every letter."""
    return said(letter).partition("Letter ")[0]


def test_whoever_has_no_office_is_told_the_same_whether_there_is_such_a_game_or_not(league: League) -> None:
    eve, carl = league.club.member("Eve"), league.club.member("Carl")
    free = league.club.starts({"white": carl, "yellow": eve}, deal=DEAL)
    secretary(league.club).make(Competition("Club Cup", rules=("confusion",)))
    league.appoint("umpire", eve, "Club Cup")
    told = set()
    for who, game in ((eve, league.game), (eve, 99), (eve, free), (league.anna, league.game), (carl, free)):
        answer = league.asks(who, f"umpire pause {game}: Because.")
        told.add(refusal(answer).replace(f"game {game}", "game N").replace(f"pause {game}", "pause N"))
    assert len(told) == 1
    assert "you are no officer of an event with a game N" in told.pop()


def test_who_plays_in_the_game_does_not_act_in_it(league: League) -> None:
    game = league.starts(league.olga, league.anna)
    answer = league.asks(league.olga, f"umpire pause {game}: Because.")
    assert f"you play in game {game}, or have played in it" in said(answer)
    deputy = league.asks(league.dora, f"umpire pause {game}: Because.")
    assert said(deputy).startswith("Nothing is done yet"), "the umpire plays"


def test_the_deputy_acts_where_the_umpire_plays_or_is_away_and_nowhere_else(league: League) -> None:
    line = "umpire pause {game}: Because."
    assert "the umpire of Spring League can act in game 1" in said(league.asks(league.dora, line))
    today = league.club.clock.at.date()
    league.olga.writes(f"leave {today + DAY} {today + 5 * DAY}")
    assert "the umpire of Spring League can act" in said(league.asks(league.dora, line)), "not yet"
    league.club.later(2 * DAY)
    assert said(league.asks(league.dora, line)).startswith("Nothing is done yet")


def test_the_deputy_does_not_act_in_a_game_of_his_own(league: League) -> None:
    game = league.starts(league.dora, league.olga)
    assert f"you play in game {game}" in said(league.asks(league.dora, f"umpire pause {game}: Because."))


def test_an_officer_for_appeals_does_not_act(league: League) -> None:
    eve = league.club.member("Eve")
    league.appoint("appeals", eve)
    assert "you hear appeals in Spring League" in said(league.asks(eve, "umpire pause {game}: Because."))


def test_who_has_lost_his_office_meanwhile_confirms_nothing(league: League) -> None:
    asked = league.asks(league.olga, "umpire pause {game}: Because.")
    secretary(league.club).dismiss(LEAGUE, "umpire", league.olga.address)
    league.club.collect()
    answer = league.olga.replies("confirm", to=asked).only
    assert "you are no officer of an event with a game 1" in said(answer)
    assert "Paused" not in league.kinds()


def test_the_director_acts_too(league: League) -> None:
    eve = league.club.member("Eve")
    league.appoint("director", eve)
    league.does(eve, "umpire pause {game}: Because.")
    assert "The director Eve has stopped all clocks" in said(league.bert.last)


# What is wrong


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("umpire pause {game} until 2026-01-03: Closed.", "until 2027-01-03"),
        ("umpire resume {game}: Open.", "does not rest by an umpire's pause"),
        ("umpire act {game} White A-S1: Called.", "it is not the turn of White"),
        ("umpire act {game} Yellow B-N1: Called.", "there is no piece B"),
        ("umpire take back {game} to 9: Misread.", "turn 9 has not come"),
        ("umpire restore {game}: Misread.", "nothing was taken back"),
        ("umpire replace {game} White Nobody: Ill.", "nobody is called Nobody here"),
        ("umpire replace {game} White Bert: Ill.", "sits in game 1 already"),
        ("umpire replace {game} White Olga: Ill.", "in which you act yourself"),
        ("umpire replace {game} White Bert <other@example.net>: Ill.", "somebody else is called Bert here"),
        ("umpire replace {game} White referee@example.org: Ill.", "the referee's own address"),
        ("umpire add {game} White 2000d: Ill.", "from one hour to 1000 days"),
        ("umpire add {game} White: Ill.", "umpire add GAME COLOUR TIME: REASON"),
        ("umpire pause {game}", "the reason stands behind a colon"),
        ("umpire pause Autumn League: Closed.", "no officer of an event called Autumn League"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_was_perhaps_meant(
    league: League, line: str, fault: str
) -> None:
    before = league.kinds()
    answer = league.asks(league.olga, line)
    assert answer.kind == "refusal"
    assert fault in said(answer)
    assert league.kinds() == before


@pytest.mark.parametrize("line", ["thaw {game}", "freeze {game}: Bad.", "thaw game {game}", "thaw"])
def test_an_officer_who_would_freeze_a_game_or_let_it_go_on_is_told_who_does_that(
    league: League, line: str
) -> None:
    answer = league.asks(league.olga, f"umpire {line}")
    assert answer.kind == "refusal"
    who = "only whoever runs this service " + ("lets a frozen game" if "thaw" in line else "freezes a game")
    assert who in said(answer)


def test_an_officer_who_would_resume_a_game_that_is_frozen_is_told_who_lets_it_go_on(league: League) -> None:
    league.club.referee.umpire.freeze(league.game, "The deal is being checked.")
    league.club.collect()
    seen = said(league.asks(league.olga, "status {game}"))
    assert "The game is frozen, and no move is taken: The deal is being checked." in seen
    answer = league.asks(league.olga, "umpire resume {game}: It is well.")
    assert "game 1 is frozen (The deal is being checked), and whoever runs this service alone" in said(answer)
    with pytest.raises(UsageError, match="`referee thaw 1` lets it go on"):
        league.club.referee.umpire.act(league.game, umpire_actions.Resume(), "It is well.")
    league.does(league.olga, "umpire pause {game}: We are closed.")
    league.does(league.olga, "umpire resume {game}: We are open.")
    assert league.kinds()[-1] == "Resumed", "his own pause he ends"


# Another player


def test_whoever_takes_a_seat_gets_a_first_letter_with_all_that_the_seat_has_learned(league: League) -> None:
    league.bert.replies("A-N1", "diary My secret.", to=league.bert.last_about(league.game))
    league.anna.replies("K-S1", to=league.anna.last_about(league.game))
    carl = league.club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    first = carl.last_about(league.game)
    assert (first.number, first.kind) == (1, "report")
    assert said(first).startswith("The umpire Olga asks you to go on with game 1: you play Yellow")
    assert "A 1 2 3 4 5 6 7 . . . . ." in said(first), "the sheet as Bert's was"
    assert "A-N1" in said(first)
    assert "My secret" not in said(first)
    assert "A game begins" not in said(first)
    moved = carl.replies("A-N1").settled
    assert moved is not None
    assert moved.moves == 1
    assert carl.last_about(league.game).number == 2


def test_the_new_player_has_the_old_ones_time_and_the_move_in_hand_begins_anew(league: League) -> None:
    club = league.club
    club.posts()
    club.looks_at_clocks()
    league.club.waits(5 * DAY)
    carl = club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    club.waits(5 * DAY)
    club.looks_at_clocks()
    assert league.now.status == "playing", "ten days after Bert was asked, and Carl's letter has not gone yet"
    club.posts()
    club.looks_at_clocks()
    assert "You have until" in said(carl.replies("status", to=carl.last_about(league.game)).only)
    club.waits(6 * DAY)
    club.looks_at_clocks()
    assert "Ended" not in league.kinds()
    club.waits(2 * DAY)
    club.looks_at_clocks()
    assert league.kinds()[-1] == "Ended"


def test_the_old_player_hears_and_asks_no_more_of_the_game(league: League) -> None:
    old = league.bert.last_about(league.game)
    carl = league.club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    assert "has given your seat in game 1 to another player" in said(league.bert.last)
    heard = len(league.bert.letters)
    carl.replies("A-N1", to=carl.last_about(league.game))
    assert len(league.bert.letters) == heard
    for line in (
        "status",
        "A-N1",
        "record",
        "resend",
        "diary",
        "press Hello",
        "why A",
        f"status {league.game}",
    ):
        answer = league.bert.replies(line, to=old).only
        assert "you do not sit in game 1" in said(answer).lower() or answer.kind == "help", line
        assert "BOARD" not in answer.text, line
    assert "1" not in {each for each in said(league.bert.writes("games").only).split() if each.isdigit()}


def test_whoever_is_not_registered_is_by_being_confirmed_and_not_before(league: League) -> None:
    line = "umpire replace {game} Yellow Carl <carl@example.com>: Bert is ill."
    asked = league.asks(league.olga, line)
    with league.club.store.reading() as lookup:
        assert lookup.players.by_address("carl@example.com") is None
    carl = league.club.person("Carl", "carl@example.com")
    league.olga.replies("confirm", to=asked)
    assert carl.last.number == 1
    assert "Carl plays Yellow from now on" in said(league.anna.last)


def test_the_old_player_may_be_seated_again_where_he_sat(league: League) -> None:
    carl = league.club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    league.does(league.olga, "umpire replace {game} Yellow Bert: He is well again.")
    number = league.bert.last_about(league.game).number
    assert number == 3, "his letters about the game are numbered on"
    assert league.bert.replies("A-N1", to=league.bert.last_about(league.game)).settled is not None
    assert league.now.due.keys() == {WHITE}
    assert carl.replies("status", to=carl.last_about(league.game)).only.kind != "report"


def test_what_was_wanted_of_the_old_player_is_not_done_by_his_letters_that_are_late(league: League) -> None:
    late = league.bert.reply(league.bert.last_about(league.game), ["A-N1"])
    league.club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    settled = league.club.take(league.club.raw(late)).settled
    assert settled is not None
    assert settled.moves == 0
    assert league.now.due.keys() == {YELLOW}


def test_a_replaced_player_who_leaves_is_named_nowhere(league: League) -> None:
    league.club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    league.bert.writes("bye")
    league.bert.replies("confirm")
    league.club.posts()
    league.club.referee.jobs.erase_what_is_due()
    with league.club.store.reading() as lookup:
        row = lookup.games.get(league.game)
        assert row is not None
        assert "Bert" not in row.title
        numbers = range(1, league.anna.last_about(league.game).number + 1)
        anna = lookup.players.by_address(league.anna.address)
        assert anna is not None
        kept = [lookup.outbox.numbered(anna.number, league.game, number) for number in numbers]
    assert not any(each is not None and b"Bert" in each.content for each in kept)


def test_what_those_wrote_who_play_on_stays_when_a_replaced_player_leaves(league: League) -> None:
    club, game, anna, bert = league.club, league.game, league.anna, league.bert
    anna.replies("diary Annas note.", "claim He is rude.", "press Hello.", to=anna.last_about(game))
    bert.replies("diary Berts note.", "claim She is slow.", to=bert.last_about(game))
    held = anna.replies("press Held.", to=anna.last_about(game), vouched=False)
    carl = club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: He is ill.")
    club.posts()
    club.later(DAY)
    carl.replies("diary Carls note.", to=carl.last_about(game))
    carl.replies("press Good day.", to=carl.last_about(game))
    newest = carl.last_about(game).number
    bert.writes("bye")
    bert.replies("confirm")
    club.posts()
    club.referee.jobs.erase_what_is_due()
    with club.store.reading() as lookup:
        kinds: tuple[WritingKind, ...] = ("diary", "claim", "press")
        kept = {line for kind in kinds for each in lookup.writings.of_kind(game, kind) for line in each.lines}
    assert kept == {"Annas note.", "Carls note.", "He is rude.", "Hello.", "Good day."}
    assert carl.replies(f"resend {newest}", to=carl.last_about(game)).only.number == newest
    assert "BOARD" in said(carl.replies("status", to=carl.last_about(game)).only)
    confirmed = anna.replies("confirm", to=held.only)
    assert any("Held." in said(each) for each in confirmed.sent), "a letter that waits for its writer is kept"


@pytest.mark.parametrize("replaced", ["Anna", "Bert"])
def test_who_had_proposed_a_game_has_nothing_to_do_with_it_once_he_is_replaced(
    league: League, replaced: str
) -> None:
    """So had whoever was asked to play: it is the seats that count, once it has begun."""
    club = league.club
    league.anna.writes("challenge Bert confusion")
    league.bert.writes("accept 2")
    old = {"Anna": league.anna, "Bert": league.bert}[replaced]
    with club.store.reading() as lookup:
        player = lookup.players.by_address(old.address)
    seat = club.game(2).seat_of(player.number) if player else None
    assert seat is not None
    last = old.last_about(2)
    carl = club.member("Carl")
    club.referee.umpire.replace_player(2, seat, ("Carl", carl.address), "He is ill.")
    club.collect()
    heard = len([each for each in old.letters if each.game == 2])
    for line in (
        "A-N1",
        "status",
        "record",
        "why A",
        "mute",
        "draw",
        "agree none",
        "resign",
        "cancel",
        "pause",
    ):
        for answer in (old.replies(line, to=last).only, old.writes(f"2: {line}").only):
            assert "BOARD" not in answer.text, line
            assert answer.kind in ("refusal", "help"), line
    assert len([each for each in old.letters if each.game == 2]) == heard
    assert club.game(2).status == "playing"


# Those who watch


def test_the_player_is_seated_who_was_shown_and_nobody_who_has_his_name_by_now(league: League) -> None:
    carl, eve = league.club.member("Carl"), league.club.member("Eve")
    asked = league.asks(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    assert "Bert (Yellow), Carl (Yellow)" in said(asked), "who comes gets a letter, too"
    carl.writes("register Karlheinz")
    eve.writes("register Carl")
    answer = league.olga.replies("confirm", to=asked).only
    assert "is another player by now than when you were asked, so nothing was done" in said(answer)
    assert "Replaced" not in league.kinds()


@pytest.mark.parametrize("office", ["director", "umpire", "deputy", "appeals"])
def test_whoever_holds_an_office_in_the_event_takes_no_seat_in_its_games(
    league: League, office: Office
) -> None:
    """He may have read what one side has brought before him."""
    eve = league.club.member("Eve")
    if office == "umpire":
        league.appoint("director", league.olga)
    league.appoint(office, eve)
    answer = league.asks(league.olga, "umpire replace {game} Yellow Eve: He is ill.")
    assert "Eve holds an office in the event of game 1" in said(answer)
    with pytest.raises(UsageError, match="holds an office"):
        league.club.referee.umpire.replace_player(league.game, YELLOW, ("", eve.address), "He is ill.")


def test_whoever_held_an_office_while_a_game_was_played_takes_no_seat_in_it(league: League) -> None:
    """Once he has given it up, he still knows what he has read."""
    eve, carl = league.club.member("Eve"), league.club.member("Carl")
    league.appoint("appeals", eve)
    league.club.later(DAY)
    secretary(league.club).dismiss(LEAGUE, "appeals", eve.address)
    league.club.later(DAY)
    league.club.collect()
    answer = league.asks(league.olga, "umpire replace {game} Yellow Eve: He is ill.")
    assert "Eve held an office in the event of game 1 while it was being played" in said(answer)
    with pytest.raises(UsageError, match="held an office"):
        league.club.referee.umpire.replace_player(league.game, YELLOW, ("", eve.address), "He is ill.")
    later = league.starts(carl, league.anna)
    asked = league.asks(league.olga, f"umpire replace {later} White Eve: He is ill.")
    assert said(asked).startswith("Nothing is done yet"), "that game began when he held it no more"


def test_from_the_command_line_nobody_new_is_seated_by_a_name_that_is_taken(league: League) -> None:
    league.club.member("Carl")
    for name in ("Carl", "CARL"):
        with pytest.raises(UsageError, match="Somebody else is called"):
            league.club.referee.umpire.replace_player(
                league.game, YELLOW, (name, "new@example.net"), "He is ill."
            )


def test_an_officer_who_leaves_is_not_named_in_letters_to_whoever_sat_there_once_either(
    league: League,
) -> None:
    league.club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    league.club.posts()
    league.olga.writes("bye")
    league.olga.replies("confirm")
    league.club.posts()
    league.club.referee.jobs.erase_what_is_due()
    with league.club.store.reading() as lookup:
        kept = [lookup.outbox.content(each["Message-ID"].strip("<>")) for each in league.bert.letters]
    assert any("Olga" in each.text for each in league.bert.letters if each.number == 1 and each.game)
    assert not any(b"Olga" in each for each in kept if each)


def test_nobody_is_seated_whose_letters_come_back(league: League) -> None:
    carl = league.club.member("Carl")
    with league.club.store.unit() as unit:
        player = unit.players.by_address(carl.address)
        assert player is not None
        unit.players.mark_unreachable(player.number)
    answer = league.asks(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    assert "letters to Carl come back" in said(answer)


def test_what_was_proposed_to_the_old_player_and_by_him_has_lapsed_and_that_is_said(league: League) -> None:
    league.bert.replies("draw", to=league.bert.last_about(league.game))
    league.anna.replies("pause", to=league.anna.last_about(league.game))
    league.club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    told = said(league.anna.last_about(league.game))
    assert "What was proposed about the game's end has lapsed by it." in told
    assert "What was proposed about a pause has lapsed by it." in told


@pytest.mark.telling(others=[0], answers=["the notice", "an older letter"])
@pytest.mark.parametrize("line", ["appeal I was well.", "appeal 1 I was well."])
@pytest.mark.parametrize("answers", ["the notice", "an older letter", "nothing"])
@pytest.mark.parametrize("others", [0, 1, 2])
def test_a_replaced_player_appeals_in_whatever_way_he_writes(
    league: League, line: str, answers: str, others: int
) -> None:
    """others: so many games he plays besides, in which nothing can be appealed against."""
    older = league.bert.last_about(league.game)
    carl = league.club.member("Carl")
    for _ in range(others):
        league.starts(carl, league.bert)
    league.does(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    notice = league.bert.last
    assert "write within two weeks appeal 1 TEXT" in said(notice)
    if answers == "nothing":
        league.bert.writes(line)
    else:
        league.bert.replies(line, to=notice if answers == "the notice" else older)
    assert "Your appeal in game 1 was taken; it is case 1/" in said(league.bert.last)


def test_what_a_former_player_wrote_is_not_told_as_the_newcomers(league: League) -> None:
    league.bert.replies("diary Berts note.", "press Berts word.", to=league.bert.last_about(league.game))
    carl = league.club.member("Carl")
    league.does(league.olga, "umpire replace {game} Yellow Carl: He is ill.")
    carl.replies("diary Carls note.", "press Carls word.", to=carl.last_about(league.game))
    carl.replies("resign", to=carl.last_about(league.game))
    carl.replies("confirm")
    with league.club.store.reading() as lookup:
        kept = [(each.heading, each.text) for each in lookup.comments.of_game(league.game)]
    assert sorted(kept) == [
        ("diary", "Carls note."),
        ("diary of an earlier player", "Berts note."),
        ("press", "Carls word."),
        ("press of an earlier player", "Berts word."),
    ]
    club = league.club
    application = Application(Settings(), club.service, club.store, club.clock)
    shown = game_as(application, league.game, UMPIRE).text
    for text, who in (("Berts note.", "Yellow (an earlier player), "), ("Carls note.", "Yellow, ")):
        assert who in shown[: shown.index(text)].splitlines()[-2]
    end = next(each for each in reversed(league.anna.letters) if each.kind == "result")
    (diary,) = (str(part.get_content()) for part in end.parts if "Berts note." in str(part.get_content()))
    assert diary.index("Yellow, before another player came, turn 2") < diary.index("Berts note.")
    assert diary.index("Yellow (Carl), turn 2") < diary.index("Carls note.")


def test_those_who_watch_at_once_are_told_of_what_is_public(league: League) -> None:
    eve = league.club.member("Eve")
    eve.writes(f"watch {league.game}")
    asked = league.asks(league.olga, "umpire rule {game}: Be polite.")
    assert "Eve, who watches" in said(asked)
    league.olga.replies("confirm", to=asked)
    assert "The umpire Olga has ruled in this game. > Be polite." in said(eve.last)
    league.does(league.olga, "umpire act {game} Yellow A-N1: He has called.")
    assert "The umpire Olga has tried A-N1 in the name of Yellow." in said(eve.last)


def test_who_watches_only_since_then_is_told_what_still_holds(league: League) -> None:
    for line in ("pause {game}: Closed.", "add {game} Yellow 3d: Ill.", "rule {game}: Be polite."):
        league.does(league.olga, f"umpire {line}")
    eve = league.club.member("Eve")
    first = said(eve.writes(f"watch {league.game}").sent[0])
    assert first.startswith("You watch game 1")
    for told in (
        "What umpires have done in this game, and holds now:",
        "All clocks are stopped: no time runs until an umpire lets it.",
        "Yellow was given 3 days more, for the next move of that side.",
        "It was ruled: > Be polite.",
    ):
        assert told in first
    assert "Ill" not in first and "Closed" not in first
    eve.writes(f"watch off {league.game}")
    league.does(league.olga, "umpire resume {game}: Open.")
    league.bert.replies("A-N1", to=league.bert.last_about(league.game))
    again = said(eve.writes(f"watch {league.game}").sent[0])
    assert "Be polite" in again
    assert "3 days more" not in again and "clocks are stopped" not in again


def test_who_watches_a_turn_late_is_told_of_no_act(league: League) -> None:
    club, eve = league.club, league.club.member("Eve")
    terms = "option watchers=1 option colour=white option first=white option time=7d/move"
    league.anna.writes(f"challenge Bert confusion {terms}")
    league.bert.writes("accept 2")
    club.referee.umpire.act(2, umpire_actions.Pause(), "He has tried L-S2.")
    club.collect()
    assert "clocks are stopped" not in said(eve.writes("watch 2").sent[0])


# What an officer may see


def boardless(letter: Delivered) -> bool:
    return "BOARD" not in letter.text and letter.kind != "report"


def test_an_officer_sees_a_game_of_his_event_as_far_as_it_is_public(league: League) -> None:
    league.does(league.olga, "umpire pause {game} until 2027-01-03: We are closed.")
    seen = league.olga.writes(f"status {league.game}").only
    assert (seen.kind, seen.game, seen.number) == ("report", league.game, 1)
    told = said(seen)
    assert "BOARD" in told and "You see this game by your office" in told
    assert "All clocks are stopped: no time runs until Sun 3 Jan 2027" in told
    assert "Yellow (Bert) has until Sun 10 Jan 2027" in told
    assert "L-S2" in told and "Cardinal 1" not in told
    assert not re.search(r"\bA 1 2 3\b", told), "no sheets"
    record = attached(league.olga.replies("record", to=seen).only)
    assert "clocks stopped until 2027-01-03" in record
    assert not re.search("^(White|Yellow) ", record, re.MULTILINE), "no deal"
    again = league.olga.replies("resend 1", to=seen).only
    assert again.number == 1
    for line in ("A-N1", "why A", "diary Hm", "press Hello", "resign", "draw", "pause", "mute"):
        refused = league.olga.replies(line, to=seen).only
        assert boardless(refused), line
    assert league.kinds()[-1] == "Paused"
    assert not league.now.watchers


def test_the_officers_clocks_tell_until_when_a_side_has(league: League) -> None:
    league.club.posts()
    league.club.looks_at_clocks()
    assert "Yellow (Bert) has until Fri 4 Dec 2026" in said(league.olga.writes(f"status {league.game}").only)


@pytest.mark.parametrize("line", ["status {game}", "record {game}", "{game}: resend"])
def test_nobody_else_sees_a_game_by_an_office(league: League, line: str) -> None:
    """Neither who holds one elsewhere, nor who held one, nor who holds none."""
    eve, carl = league.club.member("Eve"), league.club.member("Carl")
    secretary(league.club).make(Competition("Club Cup", rules=("confusion",)))
    league.appoint("umpire", eve, "Club Cup")
    seen = league.dora.writes(f"status {league.game}").only
    assert seen.kind == "report", "the deputy may look at any time"
    secretary(league.club).dismiss(LEAGUE, "deputy", league.dora.address)
    league.club.collect()
    answers = [who.writes(line.format(game=league.game)).only for who in (eve, carl, league.dora)]
    answers.append(league.dora.replies(line.replace("{game}", "").strip(" :"), to=seen).only)
    for answer in answers:
        assert answer.kind == "refusal" and answer.game is None
        assert not any((part.get_filename() or "").startswith("game-") for part in answer.parts)
        assert "you do not sit in game 1" in said(answer).lower()


def test_an_officer_who_plays_sees_his_game_from_his_seat_and_once_he_is_replaced_not_at_all(
    league: League,
) -> None:
    game = league.starts(league.dora, league.anna)
    mine = said(league.dora.writes(f"status {game}").only)
    assert "by your office" not in mine and "Your move" in mine
    assert "Letter 3, game 2" in said(league.dora.writes(f"record {game}").only), "numbered as his seat's"
    league.club.member("Carl")
    asked = league.asks(league.olga, f"umpire replace {game} White Carl: Dora is away.")
    league.olga.replies("confirm", to=asked)
    for line in (f"status {game}", f"record {game}"):
        assert "you do not sit in game" in said(league.dora.writes(line).only).lower()


def test_an_officer_who_watches_late_hears_late(league: League) -> None:
    """By his office he sees more, once he watches no more; the players know of him as one who watches."""
    assert league.olga.writes(f"watch {league.game}").sent
    told = said(league.olga.writes(f"status {league.game}").only)
    assert "You watch this game" in told and "by your office" not in told


def test_what_an_officer_sees_is_the_same_whatever_was_dealt(two: list[League]) -> None:
    for line in ("status {game}", "record {game}"):
        texts = []
        for each in two:
            seen = each.asks(each.olga, line)
            whole = seen.text + "".join(
                str(part.get_content()) for part in seen.parts if part.get_content_type() == "text/plain"
            )
            texts.append(re.sub(r"[0-9a-f]{64}", "", whole))
        assert texts[0] == texts[1]


def test_what_an_officer_was_sent_of_a_game_is_erased_with_whoever_played_it(league: League) -> None:
    seen = league.olga.writes(f"status {league.game}").only
    league.club.posts()
    league.bert.writes("bye")
    league.bert.replies("confirm")
    league.club.posts()
    league.club.referee.jobs.erase_what_is_due()
    with league.club.store.reading() as lookup:
        assert not lookup.outbox.content(seen["Message-ID"].strip("<>"))


# All games of an event


def errand_done(league: League) -> None:
    league.club.referee.jobs.go_on_with_errands()
    league.club.collect()


def test_all_games_of_an_event_are_paused_one_after_the_other_with_a_sum_at_the_end(league: League) -> None:
    eve, carl = league.club.member("Eve"), league.club.member("Carl")
    games = [league.game, *(league.starts(eve, carl) for _ in range(3))]
    asked = league.asks(league.olga, f"umpire pause {LEAGUE} until 2027-01-03: We are closed.")
    assert "All clocks of 4 games of Spring League stop until" in said(asked)
    begun = league.olga.replies("confirm", to=asked).only
    assert "It is being done, game by game, in Spring League" in said(begun)
    assert all(league.club.game(game).paused is None for game in games)
    errand_done(league)
    assert all(league.club.game(game).paused is not None for game in games)
    assert "It is done in 4 games of Spring League." in said(league.olga.last)
    assert "The umpire Olga has stopped all clocks" in said(carl.last)
    errand_done(league)
    assert said(league.olga.last).count("It is done in 4") == 1


@pytest.mark.parametrize(
    "line", ["add gaem {game} White 2d", "pause gaem {game}", "close teh {game}", "add x White 2d"]
)
def test_what_may_have_been_a_game_is_never_suggested_for_all_games_of_an_event(
    league: League, line: str
) -> None:
    answer = said(league.asks(league.olga, f"umpire {line}: He was ill."))
    assert "no officer of an event called" in answer
    assert f"umpire {line.partition(' ')[0]} {LEAGUE}" not in answer
    assert "Did you mean help umpire?" in answer


def test_an_event_whose_name_is_misspelt_is_suggested(league: League) -> None:
    answer = said(league.asks(league.olga, "umpire add spring leage 2d: He was ill."))
    assert f"Did you mean umpire add {LEAGUE} 2d: He was ill.?" in answer


@pytest.mark.parametrize("name", ["Spring until Summer", "Open White", "Open"])
def test_an_event_may_be_called_by_words_that_stand_in_such_lines(league: League, name: str) -> None:
    secretary(league.club).make(Competition(name, rules=("confusion",), time="7d/move"))
    league.appoint("umpire", league.olga, name)
    game = league.starts(league.bert, league.anna, name)
    for line in (f"pause {name}", f"add {name} 3d", f"add {name} White 2d"):
        asked = league.asks(league.olga, f"umpire {line}: Closed.")
        assert f"1 game of {name}" in said(asked), line
        league.olga.replies("confirm", to=asked)
        errand_done(league)
    now = league.club.game(game)
    assert now.paused is not None
    assert [(each.seat, each.seconds // 86400) for each in now.added] == [(WHITE, 3), (YELLOW, 3), (WHITE, 2)]


def test_a_day_that_is_none_is_not_taken_for_the_name_of_an_event(league: League) -> None:
    answer = league.asks(league.olga, f"umpire pause {LEAGUE} until Easter: Closed.")
    assert "until when is a day, written as in 2027-01-03" in said(answer)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_pause_until_any_day_that_there_is_is_answered(league: League, zone: str, day: str) -> None:
    secretary(league.club).make(Competition("Cup", rules=("confusion",), time="7d/move", zone=zone))
    league.appoint("umpire", league.olga, "Cup")
    game = league.starts(league.bert, league.anna, "Cup")
    for which in (str(game), "Cup"):
        answer = said(league.asks(league.olga, f"umpire pause {which} until {day}: Closed."))
        past = "a pause ends at a time that is still to come" in answer
        assert past == (day == "0001-01-01")
        assert past or answer.startswith("Nothing is done yet")


def test_who_has_lost_his_office_meanwhile_confirms_nothing_in_an_event(league: League) -> None:
    asked = league.asks(league.olga, f"umpire pause {LEAGUE}: We are closed.")
    secretary(league.club).dismiss(LEAGUE, "umpire", league.olga.address)
    league.club.collect()
    answer = league.olga.replies("confirm", to=asked).only
    assert "you are no officer of an event called Spring League, so nothing was done" in said(answer)
    errand_done(league)
    assert league.now.paused is None


def test_what_can_be_done_in_no_game_of_an_event_any_more_is_said_when_it_is_confirmed(
    league: League,
) -> None:
    until = league.club.clock.at.date() + 2 * DAY
    asked = league.asks(league.olga, f"umpire pause {LEAGUE} until {until}: We are closed.")
    league.club.later(3 * DAY)
    answer = league.olga.replies("confirm", to=asked).only
    assert "a pause ends at a time that is still to come" in said(answer)


def test_games_that_have_begun_since_the_question_are_shown_before_it_is_done_in_them(league: League) -> None:
    asked = league.asks(league.olga, f"umpire add {LEAGUE} 2d: Whitsun.")
    league.bert.replies("A-N1", to=league.bert.last_about(league.game))
    later = league.starts(league.bert, league.anna)
    anew = league.olga.replies("confirm", to=asked).only
    assert said(anew).startswith(
        "Games of Spring League have begun since you were asked, so nothing was done."
    )
    assert "Both sides get 2 days more in 2 games of Spring League." in said(anew)
    errand_done(league)
    assert not league.now.added
    league.olga.replies("confirm", to=anew)
    errand_done(league)
    assert [len(league.club.game(game).added) for game in (league.game, later)] == [2, 2]


def test_who_was_given_it_already_is_given_it_once_and_his_opponent_too(league: League) -> None:
    league.does(league.olga, "umpire add {game} White 2d: Whitsun.")
    league.does(league.olga, "umpire add {game} White 1d: He is ill.")
    asked = league.asks(league.olga, f"umpire add {LEAGUE} 2d: Whitsun.")
    league.olga.replies("confirm", to=asked)
    errand_done(league)
    days = [(each.seat, each.seconds // 86400) for each in league.now.added]
    assert days == [(WHITE, 2), (WHITE, 1), (YELLOW, 2)]
    assert "The umpire Olga has given you 2 days more." in said(league.bert.last)


def test_what_an_officer_has_begun_in_an_event_is_done_in_all_games_before_he_leaves(league: League) -> None:
    eve, carl = league.club.member("Eve"), league.club.member("Carl")
    games = [league.game, *(league.starts(eve, carl) for _ in range(2))]
    asked = league.asks(league.olga, f"umpire pause {LEAGUE}: We are closed.")
    league.olga.replies("confirm", to=asked)
    league.olga.writes("bye")
    league.olga.replies("confirm")
    assert all(league.club.game(game).paused is not None for game in games)
    with league.club.store.reading() as lookup:
        assert lookup._transaction.connection.execute(select(ERRANDS.c.number)).first() is None
    assert "has stopped all clocks" in said(carl.last)


@pytest.mark.parametrize("how", [NO_JSON, NO_KIND])
def test_a_damaged_game_keeps_an_officer_who_leaves_from_nothing_else(league: League, how: str) -> None:
    """The others are done, and he has left; the operator is told of the one that stays as it was."""
    _leaves_with_two_more_games(league, lambda game: damage(league.club, how, game))


@pytest.mark.parametrize(("room", "step"), [(desk_acts, "decide_act"), (replies, "news_of")])
def test_a_game_in_which_it_fails_keeps_an_officer_who_leaves_from_nothing_else(
    league: League, room: ModuleType, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it fails before or after something was written: nothing of that is kept."""
    real = getattr(room, step)

    def fail_in(broken: int) -> None:
        def fails(*given: Any, **more: Any) -> object:
            if any(isinstance(each, Game) and each.number == broken for each in given):
                raise OverflowError("date value out of range")
            return real(*given, **more)

        monkeypatch.setattr(room, step, fails)

    broken = _leaves_with_two_more_games(league, fail_in)
    assert league.club.game(broken).paused is None
    with league.club.store.reading() as lookup:
        assert "Paused" not in [each.kind for each in lookup.events.of_game(broken)]


def _leaves_with_two_more_games(league: League, breaks: Callable[[int], None]) -> int:
    """Let an umpire leave while something is still to be done in three games, the second of which is broken before;
    return that."""
    club = league.club
    club.service = replace(club.service, operator="operator@example.org")
    club.open_house()
    eve, carl = club.member("Eve"), club.member("Carl")
    broken, last = (league.starts(eve, carl) for _ in range(2))
    asked = league.asks(league.olga, f"umpire pause {LEAGUE}: We are closed.")
    league.olga.replies("confirm", to=asked)
    league.olga.writes("bye")
    breaks(broken)
    club.open_house()
    exchange = league.olga.replies("confirm")
    assert exchange.settled is not None and exchange.settled.outcome == "answered"
    assert all(club.game(game).paused is not None for game in (league.game, last))
    (told,) = (each for each in exchange.sent if each.recipient == "operator@example.org")
    assert f"all games of Spring League could not be done in game {broken}." in said(told)
    assert f"referee show {broken} says more" in said(told)
    with club.store.reading() as lookup:
        assert lookup._transaction.connection.execute(select(ERRANDS.c.number)).first() is None
        assert lookup.players.by_address(league.olga.address) is None
    about = [each for each in exchange.sent if each.game == broken]
    assert not about, "its players are told nothing"
    return broken


def test_a_game_of_his_own_is_left_out_by_an_umpire(league: League) -> None:
    own = league.starts(league.olga, league.anna)
    asked = league.asks(league.olga, f"umpire pause {LEAGUE}: We are closed.")
    assert f"Game {own} is left out: you play in it" in said(asked)
    league.olga.replies("confirm", to=asked)
    errand_done(league)
    assert league.club.game(own).paused is None
    assert league.now.paused is not None
    assert f"Game {own} is left as it is: you play in it" in said(league.olga.last)


@pytest.mark.parametrize("broken_after", [0, 1, 2])
def test_what_was_broken_off_goes_on_and_gives_nothing_twice(
    league: League, monkeypatch: pytest.MonkeyPatch, broken_after: int
) -> None:
    eve, carl = league.club.member("Eve"), league.club.member("Carl")
    games = [league.game, *(league.starts(eve, carl) for _ in range(2))]
    asked = league.asks(league.olga, f"umpire add {LEAGUE} 3d: Easter was left out.")
    league.olga.replies("confirm", to=asked)
    count = 0
    real = umpire_actions.decide_act

    def breaks(*given: object) -> object:
        nonlocal count
        count += 1
        if count > broken_after:
            raise KeyboardInterrupt
        return real(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as broken:
        broken.setattr("referee.handlers.umpire_actions.decide_act", breaks)
        with pytest.raises(KeyboardInterrupt):
            league.club.referee.jobs.go_on_with_errands()
    league.club.open_house()
    errand_done(league)
    for game in games:
        with league.club.store.reading() as lookup:
            kinds = [each.kind for each in lookup.events.of_game(game)]
        assert kinds.count("TimeAdded") == 2, "one for each seat"
    with league.club.store.reading() as lookup:
        assert lookup._transaction.connection.execute(select(ERRANDS.c.number)).first() is None


def test_from_the_command_line_nothing_is_given_twice_within_a_day_for_one_reason(league: League) -> None:
    referee = league.club.referee
    act = umpire_actions.AddTime(3 * DAY)
    assert [each.refused for each in referee.umpire.act_in_event(LEAGUE, act, "Easter", dry=True)] == [""]
    assert league.kinds().count("TimeAdded") == 0
    assert [each.refused for each in referee.umpire.act_in_event(LEAGUE, act, "Easter")] == [""]
    assert [bool(each.refused) for each in referee.umpire.act_in_event(LEAGUE, act, "Easter")] == [True]
    assert league.kinds().count("TimeAdded") == 2
    assert [each.refused for each in referee.umpire.act_in_event(LEAGUE, act, "Whitsun")] == [""]


# What is kept


def test_what_was_asked_for_is_forgotten_with_whoever_asked(league: League) -> None:
    league.asks(league.olga, "umpire replace {game} Yellow Carl <carl@example.com>: Bert is ill.")
    league.olga.writes("bye")
    league.olga.replies("confirm")
    with league.club.store.reading() as lookup:
        assert lookup._transaction.connection.execute(select(ASKED_ACTIONS.c.tag)).first() is None


def test_what_was_asked_about_a_player_is_forgotten_with_him(league: League) -> None:
    """The line names him who was to take a seat."""
    carl = league.club.member("Carl")
    asked = league.asks(league.olga, "umpire replace {game} Yellow Carl: Bert is ill.")
    carl.writes("bye")
    carl.replies("confirm")
    with league.club.store.reading() as lookup:
        assert lookup._transaction.connection.execute(select(ASKED_ACTIONS.c.tag)).first() is None
    assert said(league.olga.replies("confirm", to=asked).only).startswith("Nothing waits to be confirmed")


def test_the_words_of_a_ruling_are_kept_apart_and_are_in_the_record(league: League) -> None:
    league.does(league.olga, "umpire rule {game}: Be polite.")
    with league.club.store.reading() as lookup:
        event = lookup.events.of_game(league.game)[-1]
        assert event.body == {"text": event.body["text"], "by": event.body["by"]}
        (comment,) = lookup.comments.of_game(league.game)
    assert (comment.kind, comment.seat, comment.text) == ("ruling", "", "Be polite.")
    sent = league.bert.replies("record", to=league.bert.last_about(league.game)).only
    assert "; turn 2, the umpire, ruling:\r\n;   Be polite." in sent.text or any(
        "Be polite." in str(part.get_content())
        for part in sent.parts
        if part.get_content_type() == "text/plain"
    )


def test_every_act_is_in_the_record_of_both_sides_and_of_whoever_watches(league: League) -> None:
    eve, _ = league.club.member("Eve"), league.club.member("Carl")
    eve.writes(f"watch {league.game}")
    for line in (
        "pause {game} until 2027-01-03: We are closed.",
        "resume {game}: We are open = again.",
        "add {game} Yellow 3d: He was ill; 1. A-N1.",
        "act {game} Yellow A-N1: He has called.",
        "take back {game} to 1: Misread.",
        "restore {game}: Read rightly.",
        "correct {game} A-N2: He meant that.",
        "rule {game}: Be polite.",
        "replace {game} Yellow Carl: He is ill.",
    ):
        league.does(league.olga, f"umpire {line}")
    club = league.club
    club.referee.umpire.freeze(league.game, "A check.")
    club.referee.umpire.thaw(league.game)
    club.collect()
    records = {
        who: attached(who.replies("record", to=who.last_about(league.game)).only)
        for who in (league.anna, club.reader("carl@example.net"), eve)
    }
    public = (
        "; turn 2, the umpire, clocks stopped until 2027-01-03T00:00:00Z:\n;   We are closed\n",
        "; turn 2, the umpire, clocks go on:\n;   We are open = again\n",
        "; turn 2, the umpire, given to Yellow: 3 days:\n;   He was ill, 1. A-N1\n",
        "; turn 2, the umpire, tried for Yellow: A-N1:\n;   He has called\n",
        "taken back to 1 White: Misread",
        "; turn 1, the umpire, put back: White L-S2:\n;   Read rightly\n",
        "; turn 2, the umpire, tried for Yellow: A-N2\n",
        "; turn 2, the umpire, ruling:\n;   Be polite.",
        "; turn 2, the umpire, another player for Yellow:\n;   He is ill\n",
    )
    for who, record in records.items():
        assert [each for each in public if each not in record] == [], who.address
        assert ("the umpire, frozen" in record) == (who != eve), "of that the players alone hear"
        assert "Olga" not in record
        replayed = CONFUSION.records.replay(record)
        assert replayed.errors == ()
        assert (replayed.attempts, len(replayed.branches)) == (2, 2)
    league.does(league.olga, "umpire adjudicate {game} draw: Both agree.")
    final = attached(league.anna.last)
    assert [each for each in public if each not in final] == []
    assert CONFUSION.records.replay(final).errors == ()


def test_who_hears_late_reads_of_no_act_before_its_turn_in_his_record(league: League) -> None:
    """Its reason may say what was tried there."""
    club = league.club
    anna, bert, eve = league.anna, league.bert, club.member("Eve")
    anna.writes(
        "challenge Bert confusion option watchers=1 option colour=white option first=white option time=7d/move"
    )
    bert.writes("accept 2")
    eve.writes("watch 2")
    club.referee.umpire.act(2, umpire_actions.AddTime(DAY, WHITE), "He means L-S2.")
    club.collect()
    assert "He means" not in attached(eve.replies("record", to=eve.last_about(2)).only)
    for who in (anna, bert, anna, bert):
        club.referee.umpire.act(
            2,
            umpire_actions.ActFor(next(iter(club.game(2).due)), "K-S1" if who is anna else "A-N1"),
            "Called.",
        )
    club.collect()
    assert "He means" in attached(eve.replies("record", to=eve.last_about(2)).only)


# Secrecy


OTHER_DEAL = "White=A4 C8 E12 H11 K10 L1 N2 O3 P7 S6 T5 V9; Yellow=A1 C8 E10 H11 K2 L6 N3 O9 P7 S5 T12 V4"


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[League]]:
    """The same league twice, with deals of which all that is public is equal so far."""
    leagues = []
    for name, deal in (("one", DEAL), ("other", OTHER_DEAL)):
        club = Club(new_database(tmp_path, name))
        people = [club.member(who) for who in ("Anna", "Bert", "Olga", "Dora")]
        secretary(club).make(Competition(LEAGUE, rules=("confusion",), time="7d/move"))
        secretary(club).appoint(LEAGUE, "umpire", ("", people[2].address))
        seats = {WHITE: ("", people[0].address), YELLOW: ("", people[1].address)}
        game = club.referee.umpire.new_game("confusion", seats, {"first": "white"}, deal, LEAGUE)
        club.collect()
        people[0].replies("L-S2", to=people[0].last_about(game))
        leagues.append(League(club, game, *people))
    yield leagues
    for each in leagues:
        each.club.close()


@pytest.mark.telling(line=["umpire correct {game} L-S1: It was misread."])
@pytest.mark.parametrize(
    "line",
    [
        "umpire act {game} Yellow A-NE3: He has called.",
        "umpire correct {game} L-S1: It was misread.",
        "umpire correct {game} K-SE3: It was misread.",
        "umpire take back {game} to 1: It was misread.",
        "umpire adjudicate {game} white: Because.",
        "umpire replace {game} Yellow Carl <carl@example.net>: He is ill.",
        "umpire act {game} Yellow A-N9: He has called.",
    ],
)
def test_an_officer_is_shown_the_same_whatever_was_dealt(two: list[League], line: str) -> None:
    one, other = (each.asks(each.olga, line) for each in two)
    assert one.content == other.content


@pytest.mark.slow
def test_an_officers_letters_before_and_after_plans_and_diaries_are_the_same(two: list[League]) -> None:
    one, other = two
    one.anna.replies("try A-S1; if no A-E1", "diary A note.", to=one.anna.last_about(one.game))
    other.anna.replies("status", "status", to=other.anna.last_about(other.game))
    line = "umpire take back {game} to 1: It was misread."
    assert one.asks(one.olga, line).text == other.asks(other.olga, line).text
    texts = [each.olga.replies("confirm").sent[-1].text for each in two]
    assert texts[0] == texts[1]


def test_events_that_acts_append_are_read_as_they_were(league: League) -> None:
    league.club.member("Carl")
    for line in (
        "umpire add {game} White 3d: Ill.",
        "umpire act {game} Yellow A-N1: Called.",
        "umpire rule {game}: Be polite.",
        "umpire replace {game} Yellow Carl: Ill.",
    ):
        league.does(league.olga, line)
    with league.club.store.reading() as lookup:
        events = [read_event(each.kind, each.body) for each in lookup.events.of_game(league.game)]
    kinds = {type(each) for each in events}
    assert {TimeAdded, Ruled, Stated, Replaced} <= kinds
    (ruled,) = [each for each in events if isinstance(each, Ruled) and each.by is not None]
    assert ruled.reason == "Called"


def test_a_tag_of_a_question_counts_no_more_with_another_address(league: League) -> None:
    league.asks(league.olga, "umpire pause {game}: Because.")
    with league.club.store.unit() as unit:
        olga = unit.players.by_address(league.olga.address)
        assert olga is not None
        unit.players.change(olga.number, address="olga@elsewhere.example")
        revoked = unit._transaction.connection.execute(
            select(TAGS.c.revoked).where(TAGS.c.purpose == "deed")
        ).scalars()
        assert all(revoked)


def test_from_the_command_line_an_officer_is_named_who_may_act(league: League) -> None:
    with league.club.store.reading() as lookup:
        numbers = {
            name: player.number
            for name in ("olga", "dora", "anna")
            if (player := lookup.players.by_address(f"{name}@example.net"))
        }
    with pytest.raises(UsageError, match="is the deputy, and the umpire can act"):
        league.club.referee.umpire.act(league.game, umpire_actions.Pause(), "Because.", by=numbers["dora"])
    with pytest.raises(UsageError, match="has no office"):
        league.club.referee.umpire.act(league.game, umpire_actions.Pause(), "Because.", by=numbers["anna"])
    league.club.referee.umpire.act(league.game, umpire_actions.Pause(), "Because.", by=numbers["olga"])
    league.club.collect()
    assert "The umpire Olga has stopped all clocks" in said(league.bert.last)


@pytest.mark.slow
def test_whoever_takes_a_seat_learns_nothing_that_the_seat_may_not_know(tmp_path: Path) -> None:
    """Two truths that differ in Yellow's own types alone, and as many answers alike: the new player reads the same."""
    texts = []
    other = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E10 H11 K12 L2 N1 O3 P7 S6 T5 V9"
    for name, deal in (("one", DEAL), ("other", other)):
        club = Club(new_database(tmp_path, name))
        people = [club.member(who) for who in ("Anna", "Bert", "Olga", "Dora", "Carl")]
        secretary(club).make(Competition(LEAGUE, rules=("confusion",), time="7d/move"))
        secretary(club).appoint(LEAGUE, "umpire", ("", people[2].address))
        seats = {WHITE: ("", people[0].address), YELLOW: ("", people[1].address)}
        game = club.referee.umpire.new_game("confusion", seats, {"first": "white"}, deal, LEAGUE)
        club.collect()
        league = League(club, game, *people[:4])
        people[0].replies("L-S2", to=people[0].last_about(game))
        people[1].replies("A-N1", to=people[1].last_about(game))
        league.does(people[2], "umpire replace {game} Yellow Carl: He is ill.")
        texts.append(re.sub(r"\b[0-9a-f]{64}\b", "", people[4].last_about(game).text))
        club.close()
    assert texts[0] == texts[1]


def test_a_proposal_is_withdrawn_from_the_command_line_and_both_are_told(league: League) -> None:
    club = league.club
    league.anna.writes("challenge Bert confusion")
    number = league.game + 1
    act = club.referee.umpire.act(number, umpire_actions.Close(), "It was written by mistake.", dry=True)
    assert [each.name for each in act.told] == ["Anna", "Bert"]
    league.anna.writes("challenge nobody@example.com confusion")
    invited = club.referee.umpire.act(
        number + 1, umpire_actions.Close(), "It was written by mistake.", dry=True
    )
    assert [each.name for each in invited.told] == ["Anna", "nobody@example.com"]
    club.referee.umpire.act(number, umpire_actions.Close(), "It was written by mistake.")
    club.collect()
    for who in (league.anna, league.bert):
        assert said(who.last).startswith("The umpire has withdrawn game 2, which had not begun.")
        assert "The reason: It was written by mistake." in said(who.last)
    assert club.game(number).status == "withdrawn"
    assert "takes it up" not in said(league.bert.writes(f"accept {number}").only)
    assert club.game(number).status == "withdrawn"


def test_the_events_officers_letters_are_not_about_a_game_and_hold_no_board(league: League) -> None:
    for line in ("umpire act {game} Yellow A-N1: He has called.", "umpire take back {game} to 1: Misread."):
        *_, done = league.does(league.olga, line)
        assert (done.recipient, done.game) == (league.olga.address, None)
        assert "BOARD" not in done.text and "image/png" not in done.media_types
