"""Clocks tell nothing of what is hidden: two truths that a seat cannot tell apart give it the same deadlines, reminders
and notices, at the same times, in letters that are the same byte for byte."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from tests.secrecy.comparing import compare_letters
from tests.secrecy.table import THE_GAME, Heard
from tests.secrecy.truths import TwoTruths, two_truths
from tests.support.playing import Club, new_database
from tests.support.telling import telling

DAY = timedelta(days=1)


def played(told: TwoTruths, deal: str, folder: Path, seed: int, time: str, lapse: str) -> Club:
    """Play a truth with clocks, in which both sides need their time, until one writes no more.

    Letters wait in the outbox for a while, some moves were planned, and the other player takes leave.
    """
    random = Random(seed)
    club = Club(new_database(folder, f"truth-{len(list(folder.iterdir()))}"))
    club.waits(2 * DAY)
    people = {str(told.watched): club.member("Wanda"), str(told.other): club.member("Otto")}
    for who in people.values():
        who.writes("set reports text", "set zone Paris")
    club.starts(people, first=str(told.turns[0][0]), deal=deal, time=time, lapse=lapse)
    for number, (seat, move) in enumerate(told.turns):
        if random.random() < 0.3:
            club.waits(timedelta(hours=random.randint(1, 9)))
        club.posts()
        club.looks_at_clocks()
        if number == len(told.turns) // 2:
            people[str(told.other)].writes("leave 2027-01-10 2027-01-14", "status")
        for _ in range(random.randint(0, 4)):
            club.waits(timedelta(hours=15))
            club.looks_at_clocks()
        people[str(seat)].replies(move, to=people[str(seat)].last_about(THE_GAME))
    for _ in range(9):
        club.posts()
        club.waits(DAY)
        club.looks_at_clocks()
    return club


def clocks_of(club: Club) -> list[object]:
    """Return what the log says of time."""
    with club.store.reading() as lookup:
        events = lookup.events.of_game(THE_GAME)
        kept = lookup.clocks.of_game(THE_GAME)
    return [kept, *((each.kind, each.at, each.body.get("at"), each.body.get("received")) for each in events)]


def letters_to(club: Club, name: str) -> list[Heard]:
    return [
        Heard(when, letter)
        for when, exchange in enumerate(club.exchanges)
        for letter in exchange.sent
        if letter.recipient == f"{name}@example.net"
    ]


@pytest.mark.story
@pytest.mark.parametrize(
    ("seed", "time", "lapse"),
    telling(
        [(1, "4d/move", "soft")], others=[(2, "9d+1d", "hard"), (3, "8d", "soft"), (4, "4d/move", "hard")]
    ),
)
def test_deadlines_reminders_and_what_comes_after_them_are_the_same_for_both_truths(
    seed: int, time: str, lapse: str, tmp_path: Path
) -> None:
    told = two_truths(seed, 8)
    one, other = (played(told, deal, tmp_path, seed, time, lapse) for deal in told.deals)
    assert clocks_of(one) == clocks_of(other)
    commitments = [club.game(THE_GAME).commitment for club in (one, other)]
    ours, theirs = letters_to(one, "wanda"), letters_to(other, "wanda")
    compare_letters(ours, theirs, commitments)
    about = [[each.letter.message.items() for each in letters_to(club, "otto")] for club in (one, other)]
    assert about[0] == about[1]
    kinds = [each.letter.kind for each in (*ours, *letters_to(one, "otto"))]
    assert "reminder" in kinds and ("notice" if lapse == "soft" else "result") in kinds
    assert any("You have until" in each.letter.text for each in ours)
    for club in (one, other):
        club.close()
