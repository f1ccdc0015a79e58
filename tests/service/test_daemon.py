"""The daemon: goes round by itself, survives what breaks around it, stops when told, and is silent about secrets."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest

from referee import __version__
from referee.cli.demo import sample_game
from referee.common.errors import Contested, MailboxClosed, RefereeError
from referee.mail.inbox.maildir import MaildirMailbox
from referee.mail.message.message import RawLetter
from referee.mail.outbox.sender import Poster
from referee.mail.outbox.transport import Posting
from referee.pipeline.letter_context import LetterContext
from referee.pipeline.processor import MOST_ENDS, LetterProcessor
from referee.service import daemon as daemon_module
from referee.service import logging_setup
from referee.service.bootstrap import Application, open_application
from referee.service.daemon import Daemon
from referee.service.mail_connections import open_mailbox, open_post
from referee.service.settings import load
from referee.store.values import Outcome
from tests.servers.mail import MailServers
from tests.servers.small_imap import SmallImap
from tests.servers.small_smtp import HANG_UP, SILENCE, SmallSmtp
from tests.support.operating import (
    MAILDIR_IN,
    SERVICE,
    WENDY,
    YANNICK,
    Desk,
    answer,
    imap,
    smtp,
    text_of,
    write_mail,
)
from tests.support.telling import telling
from tests.support.waiting import PATIENCE, stays_as_it_is, until

SAMPLE = sample_game()
MOVE = SAMPLE.moves["white"][0]
POLL = 0.2
"""Seconds between the looks of a service to which nothing happens."""


class ListPost:
    """A way out that only remembers. closed: raised for every letter, while it is set."""

    lanes = 1

    def __init__(self) -> None:
        self.sent: list[Posting] = []
        self.closed: Exception | None = None

    async def send(self, posting: Posting) -> str:
        if self.closed:
            raise self.closed
        self.sent.append(posting)
        return "ok"

    async def close(self) -> None:
        """There is nothing to let go of."""


class Moody(MaildirMailbox):
    """A Maildir whose looks fail so many times with what `moods` says.

    waits: for how many seconds, and after how many looks.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, poll=0.01)
        self.moods: list[Exception] = []
        self.looks = 0
        self.waits: list[tuple[float, int]] = []

    def unread(self, limit: int = 50, besides: Collection[RawLetter] = ()) -> list[RawLetter]:
        self.looks += 1
        if self.moods:
            raise self.moods.pop(0)
        return super().unread(limit, besides)

    def wait(self, seconds: float) -> bool:
        self.waits.append((seconds, self.looks))
        return super().wait(seconds)

    def looks_between_waits(self) -> int:
        """Return the most looks of a round, while nothing stirs, over some rounds."""
        begun = len(self.waits)
        until(lambda: len(self.waits) >= begun + 4)
        return max(after - before for (_, before), (_, after) in pairwise(self.waits[begun:]))


class Working:
    """A daemon at work in a thread: between a Maildir and a list, or between the doors that the settings name."""

    def __init__(self, desk: Desk, application: Application, *, doors: bool = False) -> None:
        self.desk = desk
        self.application = application
        self.mailbox = Moody(desk.folder / "mail" / "in")
        self.post = ListPost()
        settings = application.settings
        post = open_post(settings.outbox) if doors else self.post
        self.poster = Poster(application.store.outbox, post, application.clock, poll=0.05)
        self.daemon = Daemon(
            referee=application.referee,
            store=application.store,
            mailbox=open_mailbox(settings.inbox, application.clock) if doors else self.mailbox,
            poster=self.poster,
            clock=application.clock,
            poll=5.0 if doors else POLL,
        )
        self.ended: list[BaseException | None] = []
        self.thread = threading.Thread(target=self._work)

    def _work(self) -> None:
        try:
            self.daemon.run()
        except RefereeError as error:
            self.ended.append(error)
        else:
            self.ended.append(None)

    def letters(self) -> list[Any]:
        with self.application.store.reading() as lookup:
            return lookup.letters.newest(100, None)

    def settled(self) -> list[Any]:
        return [letter for letter in self.letters() if letter.outcome]


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daemon_module, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(daemon_module, "LONGEST_PAUSE", 0.05)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@contextmanager
def at_work(desk: Desk, *, doors: bool = False) -> Iterator[Working]:
    """Let a daemon work, and see that it ends when it is told."""
    with open_application(load(desk.config, {})) as application:
        working = Working(desk, application, doors=doors)
        working.thread.start()
        try:
            yield working
        finally:
            working.daemon.stop()
            working.thread.join(PATIENCE)
            assert not working.thread.is_alive()


@pytest.fixture
def working(desk: Desk, brisk: None) -> Iterator[Working]:
    with at_work(desk) as working:
        yield working


# In this process


def test_a_letter_that_comes_is_settled_and_its_answer_posted(working: Working) -> None:
    working.desk.put(write_mail("help", sender="anna@example.net"))
    (sent,) = until(lambda: working.post.sent)
    assert sent.recipient == "anna@example.net"
    assert [letter.outcome for letter in working.letters()] == ["answered"]
    until(lambda: not list((working.desk.folder / "mail/in/new").iterdir()))


def test_it_does_not_look_again_and_again_while_nothing_stirs(working: Working) -> None:
    assert working.mailbox.looks_between_waits() <= 2
    assert {seconds for seconds, _ in working.mailbox.waits} == {POLL}


@pytest.mark.slow
@pytest.mark.parametrize(
    "mood",
    telling(
        [MailboxClosed("gone"), OSError(36, "File name too long"), MemoryError()],
        others=[Contested("another was faster"), OSError("no reason")],
    ),
)
def test_a_mailbox_that_is_lost_is_tried_again_until_it_is_back(working: Working, mood: Exception) -> None:
    working.mailbox.moods = [mood] * 5
    until(lambda: not working.mailbox.moods)
    working.desk.put(write_mail("help", sender="anna@example.net"))
    until(lambda: working.post.sent)
    assert working.ended == []


def test_letters_taken_in_before_are_settled_while_the_mailbox_is_lost(desk: Desk, brisk: None) -> None:
    with open_application(load(desk.config, {})) as application:
        working = Working(desk, application)
        desk.put(write_mail("help", sender="anna@example.net"))
        application.referee.letters.take_in(working.mailbox.unread())
        working.mailbox.moods = [MailboxClosed("gone")] * 1_000_000
        working.thread.start()
        until(working.settled)
        working.daemon.stop()
        working.thread.join(PATIENCE)
    assert working.ended == [None]


def test_what_becomes_of_letters_and_doors_is_counted_in_passing(working: Working) -> None:
    health = working.daemon.health
    working.desk.put(write_mail("help", sender="anna@example.net"))
    until(lambda: health.posted.so_far()["accepted"])
    assert health.letters.so_far() == dict.fromkeys(get_args(Outcome), 0) | {"answered": 1}
    assert (health.mailbox.trouble, health.post.trouble) == ("", "")
    until(lambda: health.rounds > 0)  # a round ends behind its letters
    assert health.round_seconds > 0
    working.mailbox.moods = [MailboxClosed("the mailbox server is away")] * 20
    until(lambda: health.mailbox.trouble == "the mailbox server is away")
    until(lambda: health.mailbox.trouble == "")


def test_the_operator_is_told_of_a_mailbox_out_of_reach_while_it_lasts(
    desk: Desk, brisk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.monitor.OUT_OF_REACH", timedelta(0))
    desk.write_settings(desk.settings.replace("[service]", '[service]\noperator = "postmaster@example.org"'))
    with open_application(load(desk.config, {})) as application:
        working = Working(desk, application)
        working.mailbox.moods = [MailboxClosed("gone")] * 1_000_000
        working.thread.start()
        (sent,) = until(lambda: working.post.sent)
        working.daemon.stop()
        working.thread.join(PATIENCE)
    assert sent.recipient == "postmaster@example.org"
    assert b"The mailbox is out of reach" in sent.content


@pytest.mark.slow
def test_a_post_that_is_closed_is_tried_again_until_it_is_back(working: Working) -> None:
    working.post.closed = OSError("no route")
    working.desk.put(write_mail("help", sender="anna@example.net"))
    until(working.settled)
    assert working.post.sent == []
    assert working.ended == []


def test_a_letter_that_makes_the_house_fail_is_set_aside_alone(
    working: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle = LetterProcessor.settle

    def fail(referee: LetterProcessor, number: int) -> Any:
        if number == 1:
            raise ZeroDivisionError("the letter said: V-NW2")
        return settle(referee, number)

    monkeypatch.setattr(LetterProcessor, "settle", fail)
    working.desk.put(write_mail("V-NW2", sender="anna@example.net"), "1")
    until(working.letters)
    working.desk.put(write_mail("help", sender="bert@example.net"), "2")
    until(lambda: len(working.settled()) == 2)
    first, second = working.letters()
    assert (first.outcome, first.reason, first.attempts) == (
        "set-aside",
        "ZeroDivisionError in the service",
        3,
    )
    assert second.outcome == "answered"


def fail_over(monkeypatch: pytest.MonkeyPatch, error: Exception, numbers: Collection[int]) -> None:
    """Let the service fail over letters."""
    settle = LetterProcessor.settle

    def fail(referee: LetterProcessor, number: int) -> Any:
        if number in numbers:
            raise error
        return settle(referee, number)

    monkeypatch.setattr(LetterProcessor, "settle", fail)


@pytest.mark.slow
@pytest.mark.parametrize(
    "error", telling([ZeroDivisionError()], others=[MemoryError(), Contested("another was faster")])
)
def test_letters_that_fail_for_whatever_reason_keep_no_others_waiting_and_are_set_aside(
    desk: Desk, brisk: None, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Given more of them than are taken in at a time, twice, and one behind them, when the service works, it is
    answered; on SQLite nobody can be faster, so that Contested is a failure, too."""
    monkeypatch.setattr(daemon_module, "BATCH", 3)
    fail_over(monkeypatch, error, range(1, 8))
    for number in range(1, 8):
        desk.put(write_mail("V-NW2", sender=f"p{number}@example.net"), str(number))
    desk.put(write_mail("help", sender="anna@example.net"), "8")
    with at_work(desk) as working:
        until(lambda: len(working.settled()) == 8)
        until(lambda: not list((desk.folder / "mail/in/new").iterdir()))
    assert [letter.outcome for letter in working.letters()] == ["set-aside"] * 7 + ["answered"]
    assert [letter.attempts for letter in working.letters()] == [3] * 7 + [0]


@pytest.mark.full
def test_on_postgresql_a_letter_may_be_contested_for_a_while_but_not_for_ever(
    desk: Desk, brisk: None, monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    """Given a letter over which others are faster twenty times, it counts as failed once; thrice, and it is set aside.
    The letter behind it is answered meanwhile."""
    desk.write_settings(re.sub('database = ".*"', f'database = "{postgres_url}"', desk.settings))
    desk.done("init")
    tries: list[int] = []
    settle = LetterProcessor.settle

    def others_are_faster(referee: LetterProcessor, number: int) -> Any:
        if number == 1:
            tries.append(number)
            raise Contested("another was faster")
        return settle(referee, number)

    monkeypatch.setattr(LetterProcessor, "settle", others_are_faster)
    desk.put(write_mail("V-NW2", sender="bert@example.net"), "1")
    desk.put(write_mail("help", sender="anna@example.net"), "2")
    with at_work(desk) as working:
        until(lambda: len(working.settled()) == 2)
        letters = {letter.number: (letter.outcome, letter.attempts) for letter in working.letters()}
    assert letters == {1: ("set-aside", 3), 2: ("answered", 0)}
    assert len(tries) == 3 * daemon_module.MOST_CONTESTS


@pytest.mark.slow
def test_letters_that_wait_for_ever_keep_no_others_waiting(
    desk: Desk, brisk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given letters that nobody settles and nobody counts, when others come behind them, these are answered, even by a
    service that finds the first ones taken in already."""
    monkeypatch.setattr(daemon_module, "BATCH", 3)
    settle = LetterProcessor.settle
    monkeypatch.setattr(
        LetterProcessor, "settle", lambda referee, number: None if number <= 7 else settle(referee, number)
    )
    for number in range(1, 8):
        desk.put(write_mail("V-NW2", sender=f"p{number}@example.net"), str(number))
    with at_work(desk) as working:
        until(lambda: len(working.letters()) == 7)
    desk.put(write_mail("help", sender="anna@example.net"), "8")
    with at_work(desk) as working:
        until(working.settled)
        assert working.mailbox.looks_between_waits() <= 4, "it does not go round in vain"
    assert [letter.number for letter in working.settled()] == [8]
    assert len(list((desk.folder / "mail/in/new").iterdir())) == 7


def test_a_letter_too_large_for_the_memory_is_set_aside_although_its_writer_cannot_be_told(
    working: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(context: LetterContext, content: bytes) -> Any:
        raise MemoryError

    monkeypatch.setattr(LetterContext, "read", fail)
    working.desk.put(write_mail("V-NW2", sender="anna@example.net"))
    until(working.settled)
    (letter,) = working.letters()
    assert (letter.outcome, letter.reason) == ("set-aside", "MemoryError in the service")
    assert working.ended == []


POISON = """
import os, signal
from referee.pipeline.letter_context import LetterContext
read = LetterContext.read
def fatal(context, content):
    if b"POISON" in content:
        os.kill(os.getpid(), signal.SIGKILL)
    return read(context, content)
LetterContext.read = fatal
from referee.cli.main import main
main()
"""


def poisoned(desk: Desk) -> list[str]:
    """Return the command of a service that a letter kills which says so, whenever it is read."""
    program = desk.folder / "poisoned.py"
    program.write_text(POISON)
    return [sys.executable, str(program), "--config", str(desk.config), "run", "--once"]


def lives(command: list[str], most: int) -> int:
    """Let a service live until it ends well; return how often it died, `most` times at most."""
    for died in range(most):
        ended = subprocess.run(command, capture_output=True, check=False).returncode
        if ended == 0:
            return died
        assert ended == -signal.SIGKILL
    return most


@pytest.mark.subprocess
@pytest.mark.full
def test_a_letter_by_which_the_service_dies_is_heard_last_and_named(desk: Desk) -> None:
    """Given a letter that kills whoever reads it, when the service is started again and again, then from the fourth
    time on all others are answered first, the operator is told, and he can give it up."""
    desk.write_settings(desk.settings.replace("[service]", '[service]\noperator = "postmaster@example.org"'))
    desk.put(write_mail("V-NW2\n\nPOISON", sender="anna@example.net"), "1")
    desk.put(write_mail("help", sender="bert@example.net"), "2")
    command = poisoned(desk)
    assert lives(command, 3) == 3
    assert desk.posted() == []
    assert lives(command, 1) == 1
    assert [letter["To"] for letter in desk.posted()] == ["postmaster@example.org", "bert@example.net"]
    assert "with letter 1 in hand" in desk.last_to("postmaster@example.org").as_string()
    assert "Letter 1 was in hand" in desk.do("doctor", "--offline").out
    desk.done("letters", "drop", "1", "--reason", "it kills")
    assert lives(command, 1) == 0
    assert [letter["outcome"] for letter in desk.done("letters", "--json").json] == ["ignored", "answered"]
    assert "Letter 1 was" not in desk.do("doctor", "--offline").out


@pytest.mark.subprocess
@pytest.mark.full
def test_a_letter_by_which_the_service_dies_is_set_aside_in_the_end_and_its_game_goes_on(desk: Desk) -> None:
    """Given such a letter of a game, when nobody does anything about it, then what comes later in the game waits, until
    after so many deaths it is set aside, and its writer is told."""
    desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), f"{MOVE}\n\nPOISON"), "1")
    desk.put(answer(desk.last_to(YANNICK), "status"), "2")
    desk.put(write_mail("help", sender="bert@example.net"), "3")
    assert lives(poisoned(desk), 9) == MOST_ENDS
    assert [letter["outcome"] for letter in desk.done("letters", "--json").json] == [
        *("set-aside", "answered", "answered")
    ]
    assert "Your letter could not be handled" in text_of(desk.last_to(WENDY))
    last_three = [letter["To"].partition("<")[2].strip(">") or letter["To"] for letter in desk.posted()][-3:]
    assert last_three == ["bert@example.net", WENDY, YANNICK]


# Whatever cannot be heard, no later letter of its game overtakes it.


@pytest.fixture
def both_moves(desk: Desk) -> Desk:
    """A desk to which both players have written their first moves, and somebody else."""
    desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), MOVE), "1")
    desk.put(answer(desk.last_to(YANNICK), SAMPLE.moves["yellow"][0]), "2")
    desk.put(write_mail("help", sender="bert@example.net"), "3")
    return desk


def fail_at_first(monkeypatch: pytest.MonkeyPatch, number: int, times: int) -> list[int]:
    """Let the service fail over a letter so many times; return what becomes the order in which letters are tried."""
    settle, tried = LetterProcessor.settle, list[int]()

    def fail(referee: LetterProcessor, which: int) -> Any:
        tried.append(which)
        if which == number and tried.count(number) <= times:
            raise ZeroDivisionError
        return settle(referee, which)

    monkeypatch.setattr(LetterProcessor, "settle", fail)
    return tried


def let_be_suspected(desk: Desk) -> None:
    """Take the letters in, and let the first have been in hand at three unclean ends."""
    with open_application(load(desk.config, {})) as application:
        application.referee.letters.take_in(MaildirMailbox(desk.folder / "mail" / "in").unread())
    with closing(sqlite3.connect(desk.database)) as database:
        database.execute("UPDATE letter SET interrupted = 3 WHERE number = 1")
        database.commit()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "outcomes"), [(2, "ruled ruled answered"), (3, "set-aside answered answered")]
)
def test_a_letter_over_which_the_house_fails_is_not_overtaken_in_its_game(
    both_moves: Desk, brisk: None, monkeypatch: pytest.MonkeyPatch, times: int, outcomes: str
) -> None:
    fail_at_first(monkeypatch, 1, times)
    with at_work(both_moves) as working:
        until(lambda: len(working.settled()) == 3)
        assert [letter.outcome for letter in working.letters()] == outcomes.split()
    assert working.post.sent[0].recipient == "bert@example.net", "others do not wait"


def test_single_runs_do_not_let_a_letter_be_overtaken_over_which_the_house_failed(
    both_moves: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run tries it once more."""
    tried = fail_at_first(monkeypatch, 1, 2)
    for run, outcomes in enumerate((" answered", " answered", "ruled ruled answered"), start=1):
        both_moves.done("run", "--once")
        found = [letter["outcome"] for letter in both_moves.done("letters", "--json").json]
        assert [each for each in found if each] == outcomes.split(), run
    assert tried.count(1) == 3


def test_a_single_run_hears_what_waits_for_a_suspect_after_it(both_moves: Desk) -> None:
    let_be_suspected(both_moves)
    assert both_moves.done("run", "--once", "--json").json["moves"] == 2
    assert [each["outcome"] for each in both_moves.done("letters", "--json").json] == [
        "ruled",
        "ruled",
        "answered",
    ]


def test_a_service_at_work_hears_a_suspect_before_long_and_then_what_waits_for_it(
    both_moves: Desk, brisk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daemon_module, "PUT_OFF_FOR", 0.2)
    let_be_suspected(both_moves)
    with at_work(both_moves) as working:
        until(lambda: len(working.settled()) == 3)
        assert [letter.outcome for letter in working.letters()] == ["ruled", "ruled", "answered"]


def test_when_posting_has_ended_the_service_ends_so_that_somebody_notices(working: Working) -> None:
    working.poster.failure = RuntimeError("a fault in the program")
    until(lambda: working.ended)
    assert isinstance(working.ended[0], RefereeError)


@pytest.mark.parametrize("instead", [None, b""])
def test_when_the_database_has_gone_the_service_ends_and_puts_nothing_more_away(
    desk: Desk, brisk: None, instead: bytes | None
) -> None:
    box = desk.folder / "mail" / "in"
    with at_work(desk) as working:
        desk.put(write_mail("help", sender=WENDY), "first")
        until(lambda: list(box.glob(".Done/cur/*")))
        desk.database.rename(desk.folder / "elsewhere.db")
        if instead is not None:
            desk.database.write_bytes(instead)
        desk.put(write_mail("help", sender=YANNICK), "second")
        working.thread.join(PATIENCE)
        (error,) = working.ended
        assert isinstance(error, RefereeError)
        assert error.exit_status == 3
        assert "the database" in str(error)
        assert [path.name for path in (box / "new").iterdir()] == ["second"]
        assert desk.database.exists() is (instead is not None)


def test_where_a_service_was_at_work_no_empty_database_is_made_but_by_init(desk: Desk) -> None:
    desk.put(write_mail("help", sender=WENDY))
    desk.done("run", "--once")
    desk.database.unlink()
    for words in (("run", "--once"), ("letters",)):
        said = desk.do(*words)
        assert said.status == 3
        assert "is not there; put it back, or restore the last backup" in said.err
    assert not desk.database.exists()
    desk.done("init", "--offline")
    desk.done("run", "--once")


def test_a_letter_read_twice_counts_once(working: Working) -> None:
    letter = write_mail("help", sender="anna@example.net")
    working.desk.put(letter, "1")
    working.desk.put(letter, "2")
    until(lambda: len(working.settled()) == 2)
    assert [letter.outcome for letter in working.letters()] == ["answered", "ignored"]


# As a process of its own


@pytest.fixture
def mailbox() -> Iterator[SmallImap]:
    with SmallImap().running() as server:
        yield server


@pytest.fixture
def post() -> Iterator[SmallSmtp]:
    with SmallSmtp().running() as server:
        yield server


def stop(service: subprocess.Popen[str]) -> str:
    """Stop a service as systemd does; return what it wrote to standard error."""
    service.send_signal(signal.SIGTERM)
    out, err = service.communicate(timeout=PATIENCE)
    assert (service.returncode, out) == (0, ""), err
    return err


def context_switches(service: subprocess.Popen[str]) -> int:
    """Return how often the threads of a process have gone to sleep so far."""
    tasks = Path(f"/proc/{service.pid}/task").glob("*/status")
    found = (
        re.search(r"^voluntary_ctxt_switches:\s*(\d+)", task.read_text(), re.MULTILINE) for task in tasks
    )
    return sum(int(each.group(1)) for each in found if each)


@pytest.mark.subprocess
@pytest.mark.full
def test_an_idle_service_asks_nothing_costs_nothing_wakes_for_a_letter_and_stops_when_told(
    tmp_path: Path, mailbox: SmallImap, post: SmallSmtp
) -> None:
    desk = Desk(tmp_path, SERVICE + imap(mailbox.port) + smtp(post.port))
    with desk.process("run") as service:
        mailbox.wait_for("IDLE")
        until(
            lambda: "UID SEARCH" in mailbox.words()[mailbox.words().index("IDLE") :],
            "the look after IDLE has begun",
        )
        slept = context_switches(service)
        assert stays_as_it_is(lambda: len(mailbox.said), 2.0)
        assert context_switches(service) - slept < 20
        mailbox.deliver(write_mail("help", sender="anna@example.net").replace(b"\n", b"\r\n"))
        until(lambda: post.taken)
        until(lambda: not mailbox.folders["INBOX"])
        assert "letter settled" in stop(service)
    assert (mailbox.connections, post.connections) == (2, 1)


def unreachable(mailbox: SmallImap, post: SmallSmtp) -> tuple[str, str]:
    return imap(1), smtp(1)


def silent_at_login(mailbox: SmallImap, post: SmallSmtp) -> tuple[str, str]:
    mailbox.silent_at.add("LOGIN")
    return imap(mailbox.port), smtp(1)


def silent_at_search(mailbox: SmallImap, post: SmallSmtp) -> tuple[str, str]:
    mailbox.silent_at.add("UID SEARCH")
    return imap(mailbox.port), smtp(1)


def silent_after_the_letter(mailbox: SmallImap, post: SmallSmtp) -> tuple[str, str]:
    post.answers["END"] = [SILENCE] * 9
    return imap(mailbox.port), smtp(post.port)


def silent_at_connecting(mailbox: SmallImap, post: SmallSmtp) -> tuple[str, str]:
    post.answers["CONNECT"] = [SILENCE] * 9
    return imap(mailbox.port), smtp(post.port)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("servers", "sign"),
    [
        (unreachable, lambda mailbox, post: True),
        (silent_at_login, lambda mailbox, post: "LOGIN" in mailbox.words()),
        (silent_at_search, lambda mailbox, post: "UID SEARCH" in mailbox.words()),
        (silent_after_the_letter, lambda mailbox, post: "END" in post.words),
        (silent_at_connecting, lambda mailbox, post: "CONNECT" in post.words),
    ],
)
def test_a_service_whose_servers_are_gone_or_silent_stops_all_the_same(
    tmp_path: Path,
    mailbox: SmallImap,
    post: SmallSmtp,
    servers: Callable[[SmallImap, SmallSmtp], tuple[str, str]],
    sign: Callable[[SmallImap, SmallSmtp], bool],
) -> None:
    """Every wait here would last half a minute and more, if it were waited out."""
    desk = Desk(tmp_path, SERVICE + "".join(servers(mailbox, post)))
    desk.new_game()
    with at_work(desk, doors=True) as working:
        until(lambda: sign(mailbox, post))
        if servers is unreachable:
            until(lambda: working.poster.trouble)
    assert working.ended == [None]
    assert states(desk) == {"queued"}


def states(desk: Desk) -> set[str]:
    """Return the states of the letters in the outbox."""
    with closing(sqlite3.connect(desk.database)) as database:
        return {state for (state,) in database.execute("SELECT DISTINCT state FROM outgoing")}


@pytest.mark.subprocess
def test_a_service_says_what_it_watches_and_that_it_has_stopped(desk: Desk) -> None:
    desk.new_game()
    with desk.process("run") as service:
        until(lambda: list(desk.folder.glob("*.daemon")))
        until(lambda: not {"queued", "posting"} & states(desk))
        first, *_, last = stop(service).splitlines()
    assert "event=watching" in first
    for told in (f"mailbox={desk.folder}/mail/in", f"database={desk.database}", "games=1", __version__):
        assert told in first
    assert "event=stopped" in last
    assert "withheld" not in first + last


@pytest.mark.subprocess
@pytest.mark.full
def test_a_busy_service_stops_between_two_letters_and_leaves_nothing_half_done(desk: Desk) -> None:
    desk.sample_game_begun()
    desk.done("run", "--once")
    first = desk.last_to(WENDY)
    for number in range(60):
        desk.put(answer(first, f"status\n\nfor the {number}th time"), f"{number:03}")
    with desk.process("run") as service:
        assert service.stderr is not None
        for line in service.stderr:
            if "letter=3 " in line:
                break
        stop(service)
    done = desk.done("letters", "--json").json
    open_letters = [letter for letter in done if letter["outcome"] is None]
    assert open_letters, "it was stopped too late to show anything"
    first_open = open_letters[0]["number"]
    assert [letter["number"] for letter in open_letters] == list(range(first_open, len(done) + 1))
    said = desk.done("run", "--once", "--json").json
    assert said["letters"] == 60 - (first_open - 1)
    numbers = [int(letter["X-Referee-Number"]) for letter in desk.posted() if WENDY in letter["To"]]
    assert sorted(numbers) == list(range(1, 62))
    assert {letter["outcome"] for letter in desk.done("letters", "--json").json} == {"answered"}
    assert states(desk) == {"sent"}


@pytest.mark.subprocess
@pytest.mark.full
def test_a_second_service_is_refused_until_the_first_is_gone_and_takes_up_what_that_left(desk: Desk) -> None:
    desk.sample_game_begun()
    desk.done("run", "--once")
    with desk.process("run") as service:
        until(lambda: list(desk.folder.glob("*.daemon")))
        said = desk.do("run")
        assert said.status == 3
        assert f"process {service.pid}" in said.err
        assert len(desk.done("games", "--json").json) == 1
        desk.done("backup", desk.folder / "copy.db")
        desk.put(answer(desk.last_to(WENDY), MOVE))
        assert service.stderr is not None
        for event in ("watching", "letter settled"):
            assert event in service.stderr.readline()
        service.kill()
        service.wait()
    desk.done("run", "--once")
    (game,) = desk.done("games", "--json").json
    assert game["to_move"] == ["yellow"]
    assert desk.done("run", "--once", "--json").json["letters"] == 0
    for who in (WENDY, YANNICK):
        numbers = [int(letter["X-Referee-Number"]) for letter in desk.posted() if who in letter["To"]]
        assert numbers == [1, 2]


@pytest.mark.slow
@pytest.mark.usefixtures("brisk")
def test_lost_servers_are_taken_up_again_when_they_are_back(
    tmp_path: Path, mailbox: SmallImap, post: SmallSmtp
) -> None:
    desk = Desk(tmp_path, SERVICE + imap(mailbox.port) + smtp(post.port))
    with at_work(desk, doors=True) as working:
        mailbox.wait_for("IDLE")
        mailbox.hang_up_at.add("LOGIN")
        post.answers["CONNECT"] = [HANG_UP]
        mailbox.lose_connections()
        mailbox.wait_for("LOGIN", 4)
        mailbox.deliver(write_mail("help", sender="anna@example.net").replace(b"\n", b"\r\n"))
        mailbox.hang_up_at.clear()
        until(lambda: post.taken)
        until(lambda: not mailbox.folders["INBOX"])
        until(lambda: states(desk) == {"sent"})
    assert working.ended == [None]
    assert len(post.taken) == 1


@pytest.mark.subprocess
@pytest.mark.full
@pytest.mark.servers
def test_dovecot_and_postfix_may_go_and_come_back(mail_servers: MailServers, tmp_path: Path) -> None:
    address = "survivor@example.org"
    account = f'ca_file = "{mail_servers.ca}"\nusername = "{address}"\npassword = "{mail_servers.password}"\n'
    desk = Desk(
        tmp_path,
        SERVICE.replace("referee@example.org", address)
        + f'[inbox]\nhost = "localhost"\nport = {mail_servers.imaps}\n{account}'
        + f'[outbox]\nhost = "localhost"\nport = {mail_servers.submission}\n{account}',
    )
    anna = mail_servers.maildir("survivors-friend@example.net")

    def answers() -> int:
        return len([*(anna / "new").glob("*")]) if anna.exists() else 0

    def write(number: int) -> None:
        letter = write_mail(f"help\n\n{number}", sender="survivors-friend@example.net", to=address)
        mail_servers.put(address, letter, f"{number}.letter")

    desk.done(
        "new",
        "confusion",
        "--seat",
        "white=survivors-friend@example.net",
        "--seat",
        "yellow=nobody@example.net",
    )
    with desk.process("run") as service:
        until(answers, "the first letter")
        mail_servers.stop_dovecot()
        mail_servers.stop_postfix()
        try:
            assert service.stderr is not None
            until(lambda: "server lost" in str(service.stderr and service.stderr.readline()), "the loss")
        finally:
            mail_servers.start_dovecot()
            mail_servers.start_postfix()
        write(1)
        until(lambda: answers() == 2, "the answer")
        stop(service)


# What the log never says


def spoken(desk: Desk, *moves: tuple[str, str]) -> str:
    """Play moves, each by somebody who answers his last letter; return the log."""
    log = ""
    for who, text in moves:
        desk.put(answer(desk.last_to(who), text))
        log += desk.do("run", "--once", before=["--verbose"]).err
    return log


def secrets_of(desk: Desk) -> list[str]:
    """Return what no log may hold: reply tags, the game's secret, the service's key."""
    with closing(sqlite3.connect(desk.database)) as database:
        tags = [tag for (tag,) in database.execute("SELECT tag FROM tag")]
        keys = [value for (value,) in database.execute("SELECT value FROM house WHERE name = 'key'")]
        events = " ".join(body for (body,) in database.execute("SELECT body FROM event"))
    return [*tags, *keys, *re.findall(r"[0-9a-f]{64}", events)]


@contextmanager
def failing(error: Exception) -> Iterator[None]:
    """Within this, the service fails over every letter."""

    def fail(referee: LetterProcessor, number: int) -> Any:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LetterProcessor, "settle", fail)
        yield


@pytest.mark.slow
def test_no_log_holds_a_hidden_type_a_tag_a_password_or_what_a_letter_said(
    tmp_path: Path, mailbox: SmallImap, post: SmallSmtp
) -> None:
    desk = Desk(tmp_path)
    desk.sample_game_begun()
    log = desk.do("run", "--once", before=["--verbose"]).err
    log += spoken(
        desk, (WENDY, MOVE), (YANNICK, SAMPLE.moves["yellow"][0]), (WENDY, "Q-N77"), (YANNICK, "status")
    )
    deal = re.findall(r"\b[A-Z]\d+\b", SAMPLE.deal)
    tag = desk.last_to(WENDY)["Reply-To"].addresses[0].addr_spec

    # A fault in the program whose text quotes a letter, a deal and a tag; three times, until it is set aside.
    with failing(ValueError(f"{tag}: {SAMPLE.deal} in {MOVE}")):
        log += spoken(desk, (WENDY, "preview A-N1"))
        for _ in range(3):
            log += desk.do("run", "--once", before=["--verbose"]).err

    # Logins that fail, and servers that repeat what they were told.
    mailbox.refused["LOGIN"] = "[AUTHENTICATIONFAILED] no"
    desk.write_settings(
        SERVICE + imap(mailbox.port, password="hunter2") + smtp(post.port, password="tr0ub4dor")
    )
    desk.new_game()
    log += desk.do("run", "--once", before=["--verbose"]).err
    log += desk.do("init", before=["--verbose"]).err
    desk.write_settings(SERVICE + MAILDIR_IN + smtp(post.port))
    post.answers["RCPT"] = ["550 5.1.1 no such user", "450 4.2.0 later"]
    log += desk.do("run", "--once", before=["--verbose"]).err

    assert log.count("letter settled") >= 4
    assert "letter failed" in log
    assert "refused the login" in log
    for secret in (
        *secrets_of(desk),
        "hunter2",
        "tr0ub4dor",
        "secret",
        SAMPLE.deal,
        MOVE,
        "Q-N77",
        "preview",
    ):
        assert secret not in log, secret
    for dealt in deal:
        assert not re.search(rf"\b{dealt}\b", log), dealt


@pytest.mark.usefixtures("brisk")
def test_the_log_of_a_service_at_work_holds_no_password_when_a_login_fails(
    tmp_path: Path, mailbox: SmallImap, post: SmallSmtp, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(
        tmp_path, SERVICE + imap(mailbox.port, password="hunter2") + smtp(post.port, password="tr0ub4dor")
    )
    desk.new_game()
    logging_setup.set_up(verbose=True)
    with at_work(desk, doors=True) as working:
        mailbox.wait_for("LOGIN", 3)
        until(lambda: working.poster.trouble)
    log = capsys.readouterr().err
    assert log.count("refused the login") >= 2
    for secret in ("hunter2", "tr0ub4dor", *secrets_of(desk)):
        assert secret not in log


def test_a_key_that_is_not_known_to_be_harmless_is_withheld() -> None:
    assert logging_setup.withhold(None, "info", {"event": "x", "letter": 3, "deal": "A6"}) == {
        "event": "x",
        "letter": 3,
        "deal": "(withheld)",
    }


def test_the_mailbox_counts_as_looked_into_only_when_nothing_was_left_in_it(desk: Desk) -> None:
    """Else a move that lay there in time could be behind those that were taken in, and its game be ended."""
    box = MaildirMailbox(desk.folder / "mail" / "in", poll=0.01)
    for number in range(daemon_module.BATCH + 1):
        desk.put(write_mail("help", sender=f"player{number}@example.net"))
    with open_application(load(desk.config, {})) as application:
        poster = Poster(application.store.outbox, ListPost(), application.clock, poll=0.05)
        daemon = Daemon(
            referee=application.referee,
            store=application.store,
            mailbox=box,
            poster=poster,
            clock=application.clock,
            poll=0.2,
        )
        looked = []
        for _ in range(3):
            daemon._take_in()
            with application.store.reading() as lookup:
                looked.append((len(lookup.letters.newest(100, None)), lookup.clocks.last_look() is not None))
    most = daemon_module.BATCH
    assert looked == [(most, False), (most + 1, False), (most + 1, True)]
