"""Letters from an address that a player has given up: they are his still, and go when he leaves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import create_engine, select

from referee.store.tables import LETTER_CONTENTS, LETTERS
from tests.handlers.test_account_deletion import leaves, post, traces
from tests.support.playing import Club, Correspondent

OLD, NEW = "anna@given-up.example", "anna@new.example"


def moves(club: Club, to: str) -> Correspondent:
    """Have Anna's letters go elsewhere, for good; return her there."""
    there = club.person("Anna", to)
    club.reader(OLD).writes(f"set address {to}")
    there.replies("confirm")
    club.later(timedelta(days=8))
    club.referee.jobs.erase_what_is_due()
    return there


def moves_on(club: Club) -> Correspondent:
    """Have them go elsewhere and on to a third address: that between is given up at once."""
    between = moves(club, "anna@between.example")
    there = club.person("Anna", NEW)
    between.writes(f"set address {NEW}")
    there.replies("confirm")
    club.later(timedelta(days=8))
    club.referee.jobs.erase_what_is_due()
    return there


def has_no_second(club: Club) -> Correspondent:
    """Have the address as the second one, and then no more."""
    anna = club.person("Anna", NEW)
    club.reader(OLD).writes(f"set address {NEW}")
    anna.replies("confirm")
    club.later(timedelta(days=8))
    anna.writes(f"set second {OLD}")
    club.reader(OLD).replies("confirm")
    club.reader(OLD).writes("games")
    anna.writes("set second none")
    club.referee.jobs.erase_what_is_due()
    return anna


WAYS: tuple[Callable[[Club], Correspondent], ...] = (lambda club: moves(club, NEW), moves_on, has_no_second)


def letters(club: Club) -> list[tuple[int, str, int | None, bool]]:
    """Return of each letter that came in its number, its sender, whose it is, and whether its bytes are here."""
    asked = select(LETTERS.c.number, LETTERS.c.sender, LETTERS.c.held_for, LETTER_CONTENTS.c.letter)
    asked = asked.join_from(
        LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter, isouter=True
    )
    engine = create_engine(club.url)
    with engine.connect() as connection:
        rows = connection.execute(asked.order_by(LETTERS.c.number)).all()
    engine.dispose()
    return [(number, sender, whose, here is not None) for number, sender, whose, here in rows]


@pytest.mark.parametrize("way", WAYS, ids=["moved", "moved on", "no second"])
def test_they_are_kept_without_the_address_until_their_writer_leaves(
    club: Club, way: Callable[[Club], Correspondent]
) -> None:
    anna, bert = club.member("Anna", OLD), club.member("Bert")
    club.starts({"white": anna, "yellow": bert})
    anna.replies("A-S1", to=anna.last_about(1))
    there = way(club)
    from_there = [each for each in letters(club) if each[2] == 1]
    assert len(from_there) >= 3 and all(sender == "" and here for _, sender, _, here in from_there)
    assert not any(sender == OLD for _, sender, _, _ in letters(club))
    leaves(there)
    post(club)
    club.referee.jobs.erase_what_is_due()
    assert traces(club, ["anna@"]) == []
    assert [here for number, _, _, here in letters(club) if number in {each[0] for each in from_there}] == [
        False
    ] * len(from_there)


def test_a_letter_that_was_held_can_be_confirmed_all_the_same(club: Club) -> None:
    anna, bert = club.member("Anna", NEW), club.member("Bert")
    phone = club.person("Anna", OLD)
    club.starts({"white": anna, "yellow": bert}, first="white")
    phone.replies("A-S1", to=anna.last_about(1))
    asked = anna.last
    anna.writes(f"set second {OLD}")
    phone.replies("confirm")
    anna.writes("set second none")
    assert club.game(1).happenings[-1].code != "attempted"
    anna.replies("confirm", to=asked)
    assert club.game(1).happenings[-1].code == "attempted"


def test_what_came_from_there_in_anothers_name_is_erased(club: Club) -> None:
    anna, bert, carl = club.member("Anna", OLD), club.member("Bert"), club.member("Carl")
    club.starts({"white": carl, "yellow": bert})
    anna.writes("games", to=bert.last["Reply-To"])
    number = club.last_letter()
    assert [whose for at, _, whose, _ in letters(club) if at == number] == [2]
    moves(club, NEW)
    assert [each for each in letters(club) if each[0] == number] == [(number, "", 2, False)]


def test_another_players_time_does_not_wait_for_one_that_was_set_aside(club: Club) -> None:
    """Of a letter without a sender nobody else knows whose it is; of this one it is known."""
    anna = club.member("Anna", OLD)
    club.member("Bert")
    club.referee.letters.take_in([club.raw(anna.letter(("games",)))])
    number = club.last_letter()
    club.referee.letters.give_up(number, "KeyError in the service", tell=False)
    since, until = club.clock.at - timedelta(days=1), club.clock.at + timedelta(days=1)
    moves(club, NEW)
    with club.store.reading() as lookup:
        assert [each.number for each in lookup.letters.unheard_by(until, 1, since)] == [number]
        assert lookup.letters.unheard_by(until, 2, since) == []
