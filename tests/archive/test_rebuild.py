"""Every letter that was sent follows from what was kept: it is made again, byte for byte, or it is said why not."""

from __future__ import annotations

import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.archive.rebuild import MadeAgain, make_again
from referee.games import umpire_actions
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.rulebook import Seat
from referee.service.tournaments import TournamentService
from referee.store.tables import LETTER_CONTENTS, OUTGOING_CONTENTS
from tests.archive.site.made_up import application
from tests.archive.test_importing import RECORD, brings, half_record
from tests.support.operating import WENDY, YANNICK, Desk, _as_if_long_at_work, answer
from tests.support.playing import Club, furnish, new_database
from tests.transcripts.shown import name_of
from tests.transcripts.stories import STORIES, Story

OF_WHOEVER_LEFT = {"a-player-who-leaves", "un-depart"}
"""Stories in which letters are erased, since somebody has left."""
TICK = timedelta(milliseconds=7)
"""How far a clock goes between two looks at it: one that stands still would hide what was written at which look."""


def again(club: Club) -> MadeAgain:
    with _as_if_long_at_work():
        return make_again(application(club))


@pytest.mark.telling("two-strangers-ticking")
@pytest.mark.parametrize("tick", [timedelta(), TICK], ids=["", "ticking"])
@pytest.mark.parametrize("story", STORIES, ids=name_of)
def test_every_letter_of_every_story_is_made_again(story: Story, tick: timedelta, tmp_path: Path) -> None:
    club = Club(new_database(tmp_path))
    club.clock.step = tick
    story(club)
    sent = len(club.store.history.kept().outgoing)
    made = again(club)
    if name_of(story) in OF_WHOEVER_LEFT:
        assert made.unheard, "then it needs no exception"
        assert sent == made.equal + made.erased + sum(
            each.why != "it was never sent" for each in made.differs
        )
    else:
        assert replace(made, unheard=()) == MadeAgain(
            sent, 0, (), (), ()
        )  # a bounce may be erased, and brings nothing
        assert club.collect() == (), "something was written in the house itself"
    club.close()


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Club]:
    """Three letters of a challenge and a move, and what they brought about."""
    club = Club(new_database(tmp_path))
    anna, bert = club.member("Anna"), club.member("Bert")
    anna.writes("challenge Bert confusion")
    bert.replies("accept")
    for who in (anna, bert):
        if club.game(1).due and club.game(1).seat_of(1 if who is anna else 2) in club.game(1).due:
            who.replies("A-S1", to=who.last_about(1))
    yield club
    club.close()


def tamper(club: Club, statement: str) -> None:
    with closing(sqlite3.connect(club.url.removeprefix("sqlite:///"))) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")  # as one who may change a file can do
        assert connection.execute(statement).rowcount
        connection.commit()


def test_a_letter_that_was_changed_is_named_with_its_first_line_that_is_another(played: Club) -> None:
    table = OUTGOING_CONTENTS.name
    tamper(
        played,
        f"UPDATE {table} SET content = CAST(replace(CAST(content AS TEXT), 'Anna', 'Anne') AS BLOB) WHERE id = 1",
    )
    (found,) = again(played).differs
    assert found.recipient == "anna@example.net" and "Anne" in found.sent
    assert found.made == found.sent.replace("Anne", "Anna") and f"line {found.line} is" in found.why


def test_a_letter_that_came_in_otherwise_brings_other_letters_about(played: Club) -> None:
    """So letters of ours are not copied: they follow from what came in."""
    table = LETTER_CONTENTS.name
    tamper(
        played, f"UPDATE {table} SET content = CAST(replace(CAST(content AS TEXT), 'A-S1', 'A-S2') AS BLOB)"
    )
    found = again(played)
    assert found.differs and {each.game for each in found.differs} == {1}
    assert not any("never sent" in each.why for each in found.differs[:1])


def test_a_secret_that_was_changed_brings_other_letters_about(played: Club) -> None:
    secret = played.game(1).secret.hex()
    tamper(played, f"UPDATE event SET body = replace(body, '{secret}', '{'0' * 64}')")
    assert {each.game for each in again(played).differs} == {1}


def test_what_is_erased_is_counted_and_not_passed_over(played: Club) -> None:
    tamper(played, f"DELETE FROM {OUTGOING_CONTENTS.name} WHERE id = 2")
    found = again(played)
    assert (found.erased, found.differs) == (1, ())
    tamper(played, f"DELETE FROM {LETTER_CONTENTS.name} WHERE letter = 2")
    found = again(played)
    assert found.unheard == (2,) and found.differs


@pytest.mark.slow
def test_no_more_than_some_letters_are_in_memory_at_once(played: Club) -> None:
    octets = 20_000_000
    tamper(played, f"UPDATE {OUTGOING_CONTENTS.name} SET content = zeroblob({octets})")
    letters = len(played.store.history.kept().outgoing)
    tracemalloc.start()
    try:
        made = again(played)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(made.differs) == letters > 6
    assert most < 5 * octets, f"{most:,}"


@pytest.mark.servers
def test_a_house_on_postgresql_is_gone_through_as_well(postgres_url: str) -> None:
    """Its clock goes on from row to row, as that of such a service does."""
    club = Club(furnish(postgres_url))
    club.clock.step = TICK
    next(story for story in STORIES if name_of(story) == "a-second-address")(club)
    club.posts()
    assert again(club) == MadeAgain(len(club.store.history.kept().outgoing), 0, (), (), ())
    club.close()


def test_a_letter_of_ours_that_is_not_there_any_more_is_said_to_be_made_too_much(played: Club) -> None:
    tamper(played, f"DELETE FROM {OUTGOING_CONTENTS.name} WHERE id = 1")
    tamper(played, "DELETE FROM outgoing WHERE id = 1")
    (found,) = again(played).differs
    assert found.why == "it was never sent"


@pytest.mark.slow
def test_a_game_from_elsewhere_and_its_clock_are_gone_through_as_well(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path))
    club.referee.letters.looked()
    number = brings(club, half_record(tmp_path / "elsewhere"), time="3d/move")
    club.posts()
    club.clock.at += timedelta(minutes=1)
    club.looks_at_clocks()
    club.waits(timedelta(days=4))
    club.looks_at_clocks()
    assert club.game(number).result is not None
    brings(club, RECORD)
    made = again(club)
    assert made.undone == ()
    assert made.differs == ()
    assert made.equal == len(club.store.history.kept().outgoing)
    club.close()


@pytest.mark.slow
def test_the_command_does_it_with_a_clock_that_goes_and_tags_that_were_drawn(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    number = desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), "L-S2", sender=WENDY))
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(YANNICK), "C-N2\nhelp", sender=YANNICK))
    desk.done("run", "--once")
    desk.done("adjudicate", str(number), "--winner", "draw", "--reason", "The room is closed.")
    said = desk.done("letters", "again")
    assert "0 are not; 0 are erased" in said.out
    assert desk.done("letters", "again", "--json").json["equal"] >= 7
    with closing(sqlite3.connect(desk.database)) as connection:
        connection.execute("UPDATE outgoing_content SET content = CAST(content || 'x' AS BLOB) WHERE id = 2")
        connection.commit()
    wrong = desk.do("letters", "again")
    assert wrong.status == 1 and "1 are not" in wrong.out and "was sent as" in wrong.out


@pytest.mark.slow
def test_whatever_an_umpire_does_by_hand_is_done_again(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path))
    anna, bert, carl = club.member("Anna"), club.member("Bert"), club.person("Carl")
    secretary = TournamentService(club.store, club.service, club.clock, club.draws)
    terms = Competition("Spring League", ("confusion",), time="3d/move", watchers="on")
    secretary.make(terms)
    secretary.appoint("Spring League", "umpire", ("Olga", "olga@example.net"))
    club.clock.at += timedelta(minutes=1)
    secretary.change("Spring League", replace(terms, rules=("confusion", "spies")), "More games.")
    club.clock.at += timedelta(minutes=1)
    for white, yellow in ((anna, bert), (bert, anna)):
        club.starts({"white": white, "yellow": yellow}, event="Spring League")
    anna.replies("A-S1", "claim Bert knows it.", to=anna.last_about(1))
    olga = next(each for each in club.store.history.kept().officers).player
    referee = club.referee

    def by_hand(do: Callable[[], object]) -> None:
        do()
        club.noted("By hand.")

    by_hand(lambda: referee.umpire.act(1, umpire_actions.AddTime(timedelta(days=1)), "For both."))
    by_hand(
        lambda: referee.umpire.act(
            1, umpire_actions.AddTime(timedelta(days=2), Seat("white")), "For one.", by=olga
        )
    )
    by_hand(lambda: referee.umpire.act(1, umpire_actions.Pause(), "The club is closed."))
    by_hand(lambda: referee.umpire.act(1, umpire_actions.Resume(), "It is open."))
    by_hand(lambda: referee.umpire.act(1, umpire_actions.Rule(), "Press about other games is out of place."))
    by_hand(lambda: referee.umpire.rule_on_case(1, 1, "He does not.", "rejected", by=olga))
    by_hand(lambda: referee.umpire.watch(1, "Carl", carl.address))
    by_hand(
        lambda: referee.umpire.act(1, umpire_actions.ActFor(Seat("yellow"), "A-N1"), "Telephoned.", by=olga)
    )
    by_hand(lambda: referee.umpire.correct(1, "C-N1", "It was misheard."))
    by_hand(lambda: referee.umpire.take_back(1, 1, "White's too.", seat=Seat("white"), by=olga))
    by_hand(lambda: referee.umpire.act(1, umpire_actions.Restore(), "No, it was right."))
    by_hand(lambda: referee.umpire.watch_no_more(1, carl.address))
    by_hand(lambda: referee.umpire.freeze(2, "A ruling is being checked."))
    by_hand(lambda: referee.umpire.thaw(2))
    by_hand(
        lambda: referee.umpire.act_in_event(
            "Spring League", umpire_actions.AddTime(timedelta(days=1)), "For all.", by=olga
        )
    )
    by_hand(
        lambda: referee.umpire.replace_player(2, Seat("white"), ("Dora", "dora@example.net"), "Bert is ill.")
    )
    by_hand(lambda: referee.umpire.act(1, umpire_actions.Close(), "It was begun by mistake."))
    by_hand(lambda: referee.umpire.adjudicate(2, "yellow", "Dora does not write."))
    made = again(club)
    assert made.undone == ()
    assert made.differs == ()
    assert made.equal == len(club.store.history.kept().outgoing)
    club.close()
