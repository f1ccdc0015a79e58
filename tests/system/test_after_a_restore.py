"""After an old backup was restored: what is heard again is written again as it was, and nothing else looks like it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.reports.report import Note
from tests.support.playing import SERVICE, Club, Delivered, new_database


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    opened = Club(new_database(tmp_path), service=replace(SERVICE, operator="postmaster@example.org"))
    yield opened
    opened.close()


def ids(letters: tuple[Delivered, ...]) -> list[str]:
    return [letter["Message-ID"] for letter in letters]


class Backup:
    """A copy of a club's database."""

    def __init__(self, club: Club, folder: Path) -> None:
        self._club, self._copy = club, folder / "backup.db"
        self.seen = club.seen
        club.store.backup(self._copy)

    def restore(self) -> None:
        """Put the copy in the place of the database, as an operator does while the service stands."""
        for store in self._club._stores:
            store.close()
        self._club._reading.dispose()
        place = Path(self._club.url.removeprefix("sqlite:///"))
        for rest in place.parent.glob(f"{place.name}-*"):
            rest.unlink()
        shutil.copy(self._copy, place)
        self._club.seen = self.seen
        self._club.open_house()


def test_the_same_letter_is_answered_under_the_same_message_ids_and_another_under_others(
    club: Club, tmp_path: Path
) -> None:
    wendy, yannick = club.member("Wendy"), club.member("Yannick")
    club.starts({"white": wendy, "yellow": yannick})
    first, other = (club.raw(wendy.reply(wendy.last, [move])) for move in ("A-S1", "C-S1"))
    stranger = club.person("Otto")
    asked, asked_otherwise = (club.raw(stranger.letter([words])) for words in ("Who is there?", "Hello?"))
    backup = Backup(club, tmp_path)
    before = ids(club.take(first).sent) + ids(club.take(asked).sent)
    backup.restore()
    again = ids(club.take(first).sent) + ids(club.take(asked).sent)
    backup.restore()
    instead = ids(club.take(other).sent) + ids(club.take(asked_otherwise).sent)
    assert len(before) == len(instead) == 3
    assert again == before
    assert not {*instead} & {*before}


def test_what_the_umpire_and_the_house_do_of_themselves_is_written_under_others(
    club: Club, tmp_path: Path
) -> None:
    wendy, yannick = club.member("Wendy"), club.member("Yannick")
    game = club.starts({"white": wendy, "yellow": yannick})
    backup = Backup(club, tmp_path)

    def acts() -> list[str]:
        club.referee.umpire.freeze(game, "Wait.")
        club.referee.runtime.tell_operator(Note("disk-low", {"free": "1 MB"}))
        sent = club.collect()
        club.starts({"white": yannick, "yellow": wendy})
        return ids((*sent, *club.exchanges[-1].sent))

    before = acts()
    backup.restore()
    assert len(before) == 5 and not {*acts()} & {*before}


def test_a_letter_about_a_game_that_was_lost_counts_in_no_other_that_has_its_number_now(
    club: Club, tmp_path: Path
) -> None:
    wendy, yannick, otto = club.member("Wendy"), club.member("Yannick"), club.member("Otto")
    backup = Backup(club, tmp_path)
    club.starts({"white": wendy, "yellow": yannick}, first="white")
    for_the_lost_one = wendy.reply(wendy.last, ["L-S2"])
    backup.restore()
    game = club.starts({"white": wendy, "yellow": otto}, first="white")
    answered = club.take(club.raw(for_the_lost_one))
    assert answered.only["X-Referee-Kind"] == "refusal"
    assert "a game that was lost" in answered.only.text
    settled = wendy.writes("L-S2", subject=f"[game {game}]").settled
    assert settled is not None and settled.outcome == "ruled", "nothing was ruled on before"
