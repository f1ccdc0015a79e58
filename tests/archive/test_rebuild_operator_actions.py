"""Letters made again after an operator had a hand in it: letters retried and dropped, offices, notices to himself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from referee.archive.rebuild import MadeAgain
from referee.games.tournaments.tournament import Competition
from referee.reports.report import Note
from referee.service.tournaments import TournamentService
from referee.store.incoming import Incoming
from tests.archive.test_rebuild import TICK, again
from tests.support.playing import Club, Correspondent

DAY = timedelta(days=1)
FAILED = "KeyError in the service"


@pytest.fixture
def anna(club: Club) -> Correspondent:
    """Anna, to move against Bert in a game with three days a move."""
    club.clock.step = TICK
    club.waits(DAY)
    anna, bert = club.member("Anna"), club.member("Bert")
    club.starts({"white": anna, "yellow": bert}, first="white", time="3d/move", lapse="hard")
    club.posts()
    club.looks_at_clocks()
    return anna


def everything(club: Club) -> MadeAgain:
    """Return what it is when every letter that was sent is made again."""
    return MadeAgain(len(club.store.history.kept().outgoing), 0, (), (), ())


def set_aside(club: Club, anna: Correspondent, *lines: str, tell: bool = True) -> int:
    """Have a letter of hers make the service fail some times; return its number."""
    club.referee.letters.take_in([club.raw(anna.reply(anna.last_about(1), lines, (), True))])
    number = club.last_letter()
    club.clock.at += timedelta(minutes=2)
    club.referee.letters.give_up(number, FAILED, tell=tell)
    club.noted("It is set aside.")
    return number


@pytest.mark.parametrize("tell", [True, False])
@pytest.mark.parametrize("lines", [("A-S1",), ("status",), ("A-S1", "press all Hello!", "games"), ("",)])
def test_a_letter_that_was_set_aside_and_retried(
    club: Club, anna: Correspondent, lines: tuple[str, ...], tell: bool
) -> None:
    number = set_aside(club, anna, *lines, tell=tell)
    assert again(club) == everything(club)
    anna.writes("games")
    club.referee.letters.settle_again(number)
    club.noted("It is settled again.")
    anna.writes("status")
    assert again(club) == everything(club)


@pytest.mark.parametrize("lines", [("A-S1",), ("status",)])
def test_a_letter_that_the_mailbox_handed_over_late(
    club: Club, anna: Correspondent, lines: tuple[str, ...]
) -> None:
    whole = club.raw(anna.reply(anna.last_about(1), lines, (), True))
    club.referee.letters.take_in([replace(whole, content=None, why="it gave NIL")])
    number = club.last_letter()
    club.referee.letters.settle(number)
    club.noted("It is set aside.")
    anna.writes("games")
    assert again(club) == everything(club)
    assert club.referee.letters.take_in([whole]) == 1
    club.referee.letters.settle(number)
    club.noted("It is heard at last.")
    anna.writes("status")
    assert again(club) == everything(club)


def test_a_letter_that_is_held_and_retried_is_held_once_more(club: Club, anna: Correspondent) -> None:
    anna.replies("A-S1", to=anna.last_about(1), vouched=False)
    number = club.last_letter()
    anna.writes("games")
    assert club.referee.letters.settle_again(number).outcome == "held"
    club.noted("It is held again.")
    anna.replies("confirm")
    assert again(club) == everything(club)


@pytest.mark.parametrize("tell", [True, False])
def test_a_letter_that_was_given_up_keeps_no_game_any_more(
    club: Club, anna: Correspondent, tell: bool
) -> None:
    """That its writer's time is up comes to pass when it has been given up, and not before."""
    club.clock.step = timedelta()  # an hour and a moment between two looks is an outage
    club.waits(2 * DAY)
    number = set_aside(club, anna, "A-S1", tell=tell)
    club.waits(9 * DAY)
    club.looks_at_clocks()
    anna.writes("help")
    assert club.game(1).status == "playing"
    club.referee.letters.drop(number, "it says nothing")
    club.waits(timedelta(hours=2))
    club.looks_at_clocks()
    assert club.game(1).status == "ended"
    assert again(club) == everything(club)


def test_a_letter_that_may_have_ended_the_service_and_was_given_up(
    club: Club, anna: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.referee.letters.take_in([club.raw(anna.letter(("status",)))])
    number = club.last_letter()
    with monkeypatch.context() as patch:
        patch.setattr(Incoming, "suspects", lambda self: [number])
        club.referee.letters.drop(number, "it kills")
    anna.writes("games")
    assert again(club) == everything(club)


def test_what_the_service_has_told_of_itself_is_counted_and_not_made_again(
    club: Club, anna: Correspondent
) -> None:
    club.service = replace(club.service, operator="postmaster@example.org")
    club.open_house()
    number = set_aside(club, anna, "A-S1")
    for note in (
        Note("letter-set-aside", {"letter": number, "reason": FAILED}),
        Note("disk-low", {"free": "3 MB"}),
    ):
        club.referee.runtime.tell_operator(note)
    anna.writes("claim Bert knows it.")  # which is sent to the operator, since no event has an umpire for it
    sent = len(club.store.history.kept().outgoing)
    assert again(club) == MadeAgain(sent - 2, 0, (), (), (), told=2)


def test_offices_that_are_given_and_taken(club: Club, anna: Correspondent) -> None:
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    secretary.make(Competition("Spring League", ("confusion",)))

    def by_hand(do: Callable[[], object]) -> None:
        do()
        club.noted("By hand.")

    olga, dora = ("Olga", "olga@example.net"), ("Dora", "dora@example.net")
    by_hand(lambda: secretary.appoint("Spring League", "umpire", olga))
    by_hand(lambda: secretary.appoint("Spring League", "umpire", dora))
    by_hand(lambda: secretary.appoint("Spring League", "director", olga))
    club.person("Olga").writes("register Ulla")
    by_hand(lambda: secretary.dismiss("Spring League", "umpire", dora[1]))
    by_hand(lambda: secretary.appoint("Spring League", "umpire", ("Ulla", olga[1])))
    assert again(club) == everything(club)


def test_what_hangs_on_no_erased_letter_is_made_again_all_the_same(club: Club, anna: Correspondent) -> None:
    """Message-IDs hang on the numbers of letters: these are kept, whatever is erased, and whatever was never kept."""
    anna.writes("games")
    erased = club.last_letter()
    with club.store.unit() as unit:
        unit.letters.erase(erased)
    anna.replies("A-S1", to=anna.last_about(1))
    made = again(club)
    assert made.unheard == (erased,) and made.undone == ()
    assert [each.why for each in made.differs] == ["it was not made again"]
    assert made.equal == len(club.store.history.kept().outgoing) - 1
