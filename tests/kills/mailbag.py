"""A mailbag: what a club writes to the referee in a fixed order, and what must be alike in every life to answer it.

Times, secrets and tags follow from the number of the letter that is settled and from nothing else. So it makes no
difference in which process, and after how many deaths, a letter is heard: what it causes is the same byte for byte.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from referee.cli.demo import sample_game
from referee.common.clock import FixedClock
from referee.mail.message.message import RawLetter
from referee.pipeline.processor import LetterProcessor, ProcessingResult
from referee.pipeline.runtime import Runtime
from referee.rulebooks.rulebook import Seat
from referee.service.referee import Referee
from referee.service.scheduled_jobs import ScheduledJobs
from referee.store.database import Store
from tests.kills.battle import a_battle
from tests.support.bounces import delivery_report
from tests.support.playing import BETWEEN_LETTERS, SERVICE, START, Club, Correspondent, Exchange

BOUNCE = f"""\
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

{delivery_report("bert@example.com")}"""


def moment(number: int) -> datetime:
    """Return when the letter with this number comes in and is settled; 0: before the first."""
    return START + number * BETWEEN_LETTERS


class LetterDraws:
    """Secrets and tags that depend on the letter in hand alone."""

    def __init__(self) -> None:
        self.begin("letter 0")

    def begin(self, what: str) -> None:
        """Begin with a letter, or with something that is done before one; letter 0: what the umpire does before all."""
        self._names = (f"{what}, draw {nth}" for nth in itertools.count(1))

    def secret(self) -> bytes:
        return hashlib.sha256(next(self._names).encode()).digest()

    def tag(self) -> str:
        return self.secret().hex()[:20]


class PacedJobs(ScheduledJobs):
    """What is done unasked, where each letter has its own time and its own draws."""

    def __init__(self, runtime: Runtime, letters: LetterProcessor, draws: LetterDraws) -> None:
        super().__init__(runtime, letters)
        self._own_draws = draws

    def write_news_before(self, number: int) -> None:
        super().write_days()

    def write_days(self) -> None:
        """Write none between two letters: the desk's clock leaps there, from one process to the next."""

    def carry_drafts_out_before(self, number: int) -> None:
        super().carry_drafts_out()

    def carry_drafts_out(self) -> None:
        """Carry none out between two letters, for the same reason."""

    def _carry_draft_out(self, number: int, seat: Seat, now: datetime) -> None:
        self._own_draws.begin(f"the draft of {seat} in game {number}")
        super()._carry_draft_out(number, seat, now)


class PacedLetters(LetterProcessor):
    """The letters, where each has its own time and its own draws."""

    def __init__(self, runtime: Runtime, jobs: PacedJobs, clock: FixedClock, draws: LetterDraws) -> None:
        """clock: the store's too; it is set."""
        super().__init__(runtime)
        self._jobs = jobs
        self._own_clock = clock
        self._own_draws = draws

    def settle(self, number: int) -> ProcessingResult | None:
        """Write the news of a day and carry out the drafted turns that are due by then, and settle a letter."""
        self._own_clock.at = moment(number)
        self._own_draws.begin(f"the day before letter {number}")
        self._jobs.write_news_before(number)
        self._jobs.carry_drafts_out_before(number)
        self._own_draws.begin(f"letter {number}")
        return super().settle(number)


class PacedHouse(Referee):
    """The service, where each letter has its own time and its own draws."""

    def __init__(self, store: Store, clock: FixedClock) -> None:
        """clock: the store's too; it is set."""
        draws = LetterDraws()
        super().__init__(store, SERVICE, clock, draws)
        jobs = PacedJobs(self.runtime, self.letters, draws)
        self.jobs = jobs
        self.letters = PacedLetters(self.runtime, jobs, clock, draws)


class Recording(Club):
    """A club whose letters are kept for a mailbag."""

    def __init__(self, url: str) -> None:
        self.bag: list[bytes] = []
        super().__init__(url)
        self.wendy, self.yannick = self.person("Wendy"), self.person("Yannick")

    def open_house(self) -> None:
        super().open_house()
        self.referee = PacedHouse(self.store, self.clock)

    def begin(self) -> None:
        """Start the sample game, as an umpire does."""
        sample = sample_game()
        seats = {"white": self.wendy, "yellow": self.yannick}
        self.starts(seats, first=sample.first, deal=sample.deal)

    def take(self, letter: RawLetter) -> Exchange:
        assert letter.content is not None
        self.bag.append(letter.content)
        return super().take(replace(letter, received=moment(len(self.bag))))


def prepare(url: str) -> None:
    """Bring an empty service to where the first letter of the bag finds it."""
    club = Recording(url)
    club.begin()
    club.close()


def record(url: str, most: int | None = None, *, battle: bool = False) -> list[bytes]:
    """Play in an empty service, and return the letters to it in their order. most: stop after so many; battle: those of
    a battle alone."""
    club = Recording(url)
    club.begin()
    others = itertools.chain(_passers_by(club), a_battle(club))
    talks = [a_battle(club)] if battle else [_an_acquaintance(club), others, _the_sample_game(club)]
    for _ in _in_turn(talks):
        if most is not None and len(club.bag) >= most:
            break
    club.close()
    return club.bag[:most]


def name_of(number: int) -> str:
    """Return what a letter's file is called."""
    return f"letter-{number:04d}"


def drop(letters: Iterable[bytes], inbox: Path) -> None:
    """Lay the letters into a Maildir, each with its time."""
    new = inbox / "new"
    new.mkdir(parents=True)
    for number, content in enumerate(letters, start=1):
        path = new / name_of(number)
        path.write_bytes(content)
        received = int(moment(number).timestamp())
        os.utime(path, (received, received))


def _in_turn(talks: Sequence[Iterator[None]]) -> Iterator[None]:
    """Take one letter of each talk after another, for as long as there are any."""
    going = list(talks)
    while going:
        for talk in list(going):
            try:
                next(talk)
            except StopIteration:
                going.remove(talk)
            else:
                yield


def _the_sample_game(club: Recording) -> Iterator[None]:
    """Both players write plain replies, to the very end; one has letters with a picture, the other plain ones.

    Both have the news once a day, each at an hour of his own, so that no two such letters come before the same one of
    the bag's.
    """
    sample = sample_game()
    seats = {"white": club.wendy, "yellow": club.yannick}
    club.yannick.replies("set reports text", "set letters daily", "set zone Azores")
    yield
    club.wendy.replies("set letters daily", "set zone Noronha")
    yield
    for turn in range(max(map(len, sample.moves.values()))):
        for seat in (sample.first, *(other for other in seats if other != sample.first)):
            if turn < len(sample.moves[seat]):
                seats[seat].replies(sample.moves[seat][turn], to=seats[seat].last_about(1))
                yield


def _an_acquaintance(club: Recording) -> Iterator[None]:
    """Two who find each other by letter, with all that can go wrong, until one gives up."""
    anna, bert = club.person("Anna"), club.person("Bert", "bert@example.com")
    anna.writes("register Anna", "set reports text")
    yield
    anna.replies("challenge bert@example.com confusion option colour=white option first=white")
    yield
    bert.replies("accept")
    yield
    game = anna.last.game
    assert game is not None

    def writes(who: Correspondent, *lines: str, vouched: bool = True) -> None:
        who.replies(*lines, to=who.last_about(game), vouched=vouched)

    move = anna.reply(anna.last_about(game), ["L-S2"])
    club.take(club.raw(move))
    yield
    club.take(club.raw(move))  # the same letter, delivered twice
    yield
    writes(anna, "L-S2")  # out of turn by now
    yield
    writes(bert, "C-N2", vouched=False)
    yield
    bert.replies("confirm")  # the held letter counts
    yield
    writes(anna, "L-S9", "C-SS")
    yield
    writes(anna, "Dear Bert,", "I am still thinking.")
    yield
    writes(anna, "L-E1", "draw", "status")
    yield
    writes(bert, "I am away until Monday.", vouched=False)
    yield
    writes(bert, "set reports json", "games", "C-NE2")
    yield
    writes(anna, "resign", "It was a pleasure.")
    yield
    anna.replies("confirm")
    yield
    bert.writes("open confusion")
    yield
    anna.writes("games", "join 3", "record 2")
    yield
    yield from _sealed_answers(anna, bert)


def _sealed_answers(red: Correspondent, white: Correspondent) -> Iterator[None]:
    """The same two at spies, where much is confided to the referee and each turn waits for the next."""
    red.writes(
        "challenge bert@example.com spies option colour=red option first=red option tokens.red=reveal,swap"
    )
    yield
    white.writes("accept")
    yield
    game = white.last.game
    assert game is not None
    for who, lines in (
        (white, ("agent always",)),
        (red, ("reveal K", "L-N1")),
        (white, ("agent ask", "status")),
        (white, ("#C",)),
        (white, ("L-S1", "allow")),
        (red, ("try E-N1; then L-N1", "agent never")),
        (white, ("A-S1",)),
        (red, ("A<>C",)),
        (red, ("resign",)),
    ):
        who.replies(*lines, to=who.last_about(game))
        yield


def _passers_by(club: Recording) -> Iterator[None]:
    """Strangers and machines."""
    someone = club.person("Someone", "someone@example.com")
    someone.writes("What is this?")
    yield
    someone.writes("V-NW2", headers=["Auto-Submitted: auto-replied"])
    yield
    someone.writes("register Someone", vouched=False)
    yield
    head = f"From: MAILER-DAEMON@mx.example.com\nTo: {SERVICE.address}\nSubject: Undelivered\n"
    club.take(club.raw((head + BOUNCE).replace("\n", "\r\n").encode()))
    yield
    someone.writes("And now?")
    yield
    someone.writes("L-S2", headers=['Content-Type: multipart/encrypted; boundary="b"', "MIME-Version: 1.0"])
    yield
    club.take(club.raw(b"\x00\xff no letter at all"))
    yield
    someone.writes("register Someone", "challenge Nobody confusion", "help")
    yield
