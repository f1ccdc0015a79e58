"""Letters that cannot be heard now, and those behind them: none overtakes an earlier one of its game or its writer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, select, update

from referee.common.errors import Contested
from referee.mail.message.outline import read_outline
from referee.pipeline.game_resolver import seems_about
from referee.pipeline.processor import MOST_ENDS
from referee.service.referee import Referee
from referee.store.tables import EVENTS, LETTERS
from tests.support import moves
from tests.support.playing import SERVICE, Club


@pytest.fixture
def club(url: str) -> Iterator[Club]:
    club = Club(url)
    yield club
    club.close()


def suspect(url: str, number: int, ends: int = 3) -> None:
    """Let a letter have been in hand at so many unclean ends."""
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(update(LETTERS).where(LETTERS.c.number == number).values(interrupted=ends))
    engine.dispose()


def heard_in(url: str) -> list[tuple[int, int]]:
    """Return which letters have changed games, as they did."""
    engine = create_engine(url)
    asked = select(EVENTS.c.game, EVENTS.c.letter).where(EVENTS.c.letter.is_not(None))
    with engine.connect() as connection:
        rows = connection.execute(asked.order_by(EVENTS.c.game, EVENTS.c.number))
        heard = [(game, letter) for game, letter in rows]
    engine.dispose()
    return list(dict.fromkeys(heard))


def interrupted(url: str, number: int) -> int:
    """Return at how many unclean ends a letter was in hand."""
    engine = create_engine(url)
    with engine.connect() as connection:
        ends: int = connection.execute(
            select(LETTERS.c.interrupted).where(LETTERS.c.number == number)
        ).scalar_one()
    engine.dispose()
    return ends


def go_through(referee: Referee) -> list[int]:
    """Go through all that waits; return what was settled."""
    settled = []
    for numbers in referee.letters.waiting(50):
        for number in numbers:
            try:
                if not referee.letters.is_put_off(number) and referee.letters.settle(number):
                    settled.append(number)
            except Contested:
                assert referee.letters.waits_its_turn(number)
    return settled


# Letters by which the service may end


def test_later_letters_of_its_game_wait_for_a_suspect_and_other_games_go_on(club: Club, url: str) -> None:
    here, there = moves.begin(club, 2, 2)
    club.referee.letters.take_in([club.raw(each) for each in (here[0], here[1], there[0], here[2], there[1])])
    suspect(url, 1)
    assert go_through(club.referee) == [3, 5]
    assert not club.referee.letters.has_passed_over, "nobody has it in hand, so nobody looks again and again"
    assert club.referee.letters.suspects() == [1]
    assert (settled := club.referee.letters.settle_suspect(1)) and settled.outcome == "ruled"
    assert go_through(club.referee) == [2, 4]
    assert heard_in(url) == [(1, 1), (1, 2), (1, 4), (2, 3), (2, 5)]


def test_later_letters_of_its_writer_wait_for_a_suspect_from_whatever_address_and_about_whatever(
    club: Club, url: str
) -> None:
    anna, bert = club.member("Anna"), club.member("Bert")
    club.referee.letters.take_in(
        [
            club.raw(who.letter([line]))
            for who, line in ((anna, "open confusion"), (bert, "games"), (anna, "games"))
        ]
    )
    suspect(url, 3)
    assert go_through(club.referee) == [4]
    assert club.referee.letters.settle_suspect(3)
    assert go_through(club.referee) == [5]


def test_an_earlier_letter_does_not_wait_for_a_suspect_which_waits_for_it(club: Club, url: str) -> None:
    (here,) = moves.begin(club, 1, 2)
    club.referee.letters.take_in([club.raw(each) for each in here[:3]])
    suspect(url, 2)
    next(club.referee.letters.waiting(50))
    club.referee.letters.put_off(1)
    with pytest.raises(Contested):
        club.referee.letters.settle_suspect(2)
    club.referee.letters.take_up_again()
    assert go_through(club.referee) == [1]
    assert club.referee.letters.settle_suspect(2)
    assert go_through(club.referee) == [3]


def test_a_suspect_by_which_the_service_does_not_end_is_tried_as_often_as_ever(club: Club, url: str) -> None:
    (here,) = moves.begin(club, 1, 2)
    club.referee.letters.take_in([club.raw(each) for each in here[:2]])
    suspect(url, 1)
    suspect(url, 2)
    for _ in range(2 * MOST_ENDS):
        next(club.referee.letters.waiting(50), [])
        with pytest.raises(Contested):
            club.referee.letters.settle_suspect(2)
    assert club.referee.letters.settle_suspect(1)
    next(club.referee.letters.waiting(50), [])
    assert (settled := club.referee.letters.settle_suspect(2)) and settled.outcome == "ruled"


def test_a_suspect_is_set_aside_after_so_many_ends_and_those_behind_it_go_on(club: Club, url: str) -> None:
    (here,) = moves.begin(club, 1, 2)
    club.referee.letters.take_in([club.raw(each) for each in here[:2]])
    suspect(url, 1, MOST_ENDS)
    settled = club.referee.letters.settle_suspect(1)
    assert settled is not None
    assert (settled.outcome, settled.reason) == ("set-aside", "the service has ended 5 times with it in hand")
    (told,) = club.collect()
    assert "Your letter could not be handled" in told.text
    assert go_through(club.referee) == [2]


TRYING = """
import os, signal, sys
from referee.common.clock import SystemClock
from referee.store.database import Store
store = Store(sys.argv[1], SystemClock())
store.open(create=False)
with store.at_work() as noted, store.incoming.trying(1):
    print(noted, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.subprocess
@pytest.mark.full
def test_an_end_with_a_suspect_in_hand_is_put_down_to_no_other_letter(club: Club, url: str) -> None:
    """Given that the service ends by a suspect while letters wait for it, when it begins anew, then it knows."""
    (here,) = moves.begin(club, 1, 2)
    club.referee.letters.take_in([club.raw(each) for each in here[:2]])
    suspect(url, 1)
    command = [sys.executable, "-c", TRYING, url]
    noted = [subprocess.run(command, capture_output=True, text=True, check=False).stdout for _ in range(3)]
    assert [each.strip() for each in noted] == ["None", "(1, 4)", "(1, 5)"]
    with club.store.at_work() as in_hand:
        assert in_hand == (1, 6)
    assert club.store.incoming.waiting() == [2]
    assert interrupted(url, 2) == 0


# Letters over which the service fails


def test_later_letters_wait_for_one_that_is_put_off_and_for_no_other(club: Club, url: str) -> None:
    here, there = moves.begin(club, 2, 2)
    club.referee.letters.take_in([club.raw(each) for each in (there[0], here[0], here[1], there[1])])
    next(club.referee.letters.waiting(50))
    club.referee.letters.put_off(2)
    assert club.referee.letters.is_put_off(2)
    assert go_through(club.referee) == [1, 4]
    assert club.referee.letters.take_up_again()
    assert go_through(club.referee) == [2, 3]
    assert not club.referee.letters.take_up_again()


# What a header tells


ANNAS = {"writer anna@example.net", "writer a2@example.net", "game 1", "game 3", "game 4"}


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("From: Anna <anna@example.net>", ANNAS),
        ("From: A2@example.net", ANNAS),
        ("From: x@example.com\nSubject: Re: [game 2] x", {"writer x@example.com", "game 2", "game 3"}),
        (
            "From: x@example.com\nTo: referee+{tag}@example.org",
            {"writer x@example.com", "game 1", "game 3", "game 4"},
        ),
        ("From: x@example.com\nReferences: <{answered}>", {"writer x@example.com", "game 1", "game 3"}),
        ("From: two@example.com, one@example.com", {"writer ", "game 3"}),
        ("\x00\xff no header at all", {"writer ", "game 3"}),
    ],
)
def test_a_letter_seems_to_be_about_every_game_that_its_writer_or_its_tag_may_mean(
    club: Club, header: str, expected: set[str]
) -> None:
    """Given Anna in games 1 and 4, others in 2, and a game that anybody may join, 3."""
    anna, bert, carl, dora = (club.member(name) for name in ("Anna", "Bert", "Carl", "Dora"))
    club.starts({"white": anna, "yellow": bert})
    club.starts({"white": carl, "yellow": dora})
    carl.writes("open confusion")
    club.starts({"white": bert, "yellow": anna})
    with club.store.unit() as unit:
        number = unit.players.by_address("anna@example.net")
        assert number is not None
        unit.addresses.add(number.number, "second", "a2@example.net")
    first = anna.last_about(1)
    tag = str(first.message["Reply-To"]).partition("+")[2].partition("@")[0]
    filled = header.format(tag=tag, answered=str(first.message["Message-ID"]).strip("<>"))
    outline = read_outline(filled.encode("latin-1") + b"\n\nbody [game 2]", SERVICE.address)
    with club.store.reading() as lookup:
        found = seems_about(lookup, outline)
    assert found == expected
