"""One letter, one transaction: what the service promises whatever the letters say and whenever it is interrupted."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.decisions import Decision, ReadOrder, decide_read_order
from referee.games.game import Game
from referee.handlers import orders
from referee.handlers.composer import Composer
from referee.mail.message.message import RawLetter
from referee.mail.outbox.sender import Poster
from referee.mail.outbox.transport import Posting
from referee.rulebooks.rulebook import Seat
from referee.service.daemon import MOST_ATTEMPTS, Daemon
from referee.service.referee import Referee
from referee.store.repositories.events import Events
from referee.store.repositories.games import Games
from referee.store.repositories.letters import Letters
from referee.store.repositories.outbox import Outbox
from referee.store.repositories.repository import Repository
from referee.store.repositories.tags import Threads
from referee.store.values import Outcome
from tests.support.playing import Club, Correspondent, Delivered, furnish, new_database
from tests.support.telling import telling

pytestmark = pytest.mark.telling

MOVES = ("L-S2", "C-N2", "L-E1", "C-NE2", "L-S2", "E-NW1", "L-S4", "C-W1", "V-SW1", "V-NE1", "C-SW1", "V-NW2")
"""How the sample game begins; White's and Yellow's in turn."""
DEAL = "White=A6 C8 E10 H11 K2 L1 N3 O9 P7 S5 T12 V4; Yellow=A4 C8 E12 H11 K10 L2 N1 O3 P7 S6 T5 V9"


OpenClub = Callable[[str], Club]


@contextmanager
def clubs(new_url: Callable[[str], str]) -> Iterator[OpenClub]:
    """Give a way to open clubs by name, and close them all at the end."""
    opened: list[Club] = []

    def open_one(name: str) -> Club:
        opened.append(Club(new_url(name)))
        return opened[-1]

    yield open_one
    for club in opened:
        club.close()


@pytest.fixture
def open_club(tmp_path: Path) -> Iterator[OpenClub]:
    with clubs(partial(new_database, tmp_path)) as opening:
        yield opening


@pytest.fixture
def club(open_club: OpenClub) -> Club:
    return open_club("club")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def open_club_anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenClub]:
    """The same on both databases: for what depends on transactions."""

    def new_url(name: str) -> str:
        if request.param == "sqlite":
            return new_database(tmp_path, name)
        url: str = request.getfixturevalue("postgres_server").new_database()
        return furnish(url)

    with clubs(new_url) as opening:
        yield opening


@pytest.fixture
def club_anywhere(open_club_anywhere: OpenClub) -> Club:
    return open_club_anywhere("club")


def two_players(club: Club) -> tuple[Correspondent, Correspondent, int]:
    game = club.begins(begin)
    return club.reader("anna@example.net"), club.reader("bert@example.com"), game


def begin(club: Club) -> int:
    seats = {"white": club.member("Anna"), "yellow": club.member("Bert", "bert@example.com")}
    return club.starts(seats, deal=DEAL)


def contents(letters: Sequence[Delivered]) -> list[bytes]:
    return [letter.content for letter in letters]


LINES = st.sampled_from(
    (
        "L-S2", "L-N2", "K-SS1", "2: L-S1", "game 1 L-S2", "status", "status 9", "games", "help", "draw", "cancel",
        "confirm", "resign", "resign 1", "record", "accept", "join 1", "decline 2", "challenge Bert confusion",
        "challenge nobody@example.org confusion option colour=white", "open confusion", "register Bert",
        "register Zoë", "set reports json", "set reports text", "Hello!", "", "> L-S2", "-- ", "x" * 3000,
        "\x00\x1b", "V-NW2 ≤≥ 🎲",
    )
)  # fmt: skip
HEADERS = st.sampled_from(
    (
        "Auto-Submitted: auto-replied", "Subject: [game 1]", "Subject: [game 99]", "In-Reply-To: <nobody@example.org>",
        "Content-Type: text/html", "Content-Type: multipart/mixed; boundary=b", "Content-Transfer-Encoding: base64",
        "To: referee+tag00000000000000001@example.org", "To: referee+off-tag00000000000000001@example.org",
        "List-Id: <a.b>", "Precedence: junk", "From: another@example.net", "Return-Path: <>",
    )
)  # fmt: skip


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=300),
            st.tuples(
                st.booleans(), st.booleans(), st.lists(HEADERS, max_size=3), st.lists(LINES, max_size=5)
            ),
        ),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=6, deadline=None)
def test_every_letter_ends_in_exactly_one_outcome(
    tmp_path_factory: pytest.TempPathFactory, letters: list[Any]
) -> None:
    """Given whatever letters, when they are settled, then each has one outcome and at most one answer of its own."""
    club = Club(new_database(tmp_path_factory.mktemp("club")))
    anna, bert, _ = two_players(club)
    for letter in letters:
        content = letter
        if isinstance(letter, tuple):
            by_anna, vouched, headers, lines = letter
            writer = anna if by_anna else bert
            content = writer.letter(lines, headers=headers, vouched=vouched)
        exchange = club.take(club.raw(content))
        assert exchange.settled is not None
        assert exchange.settled.outcome in get_args(Outcome)
        assert club.referee.letters.settle(exchange.settled.number) is None
    with club.store.reading() as lookup:
        lines = lookup.letters.newest(1000)
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert all(line.outcome in get_args(Outcome) for line in lines)
    assert not club.store.incoming.waiting()
    check_numbers(club.letters)
    club.close()


def check_numbers(letters: Sequence[Delivered]) -> None:
    """Letters are numbered for each player and game from 1 without gaps; no two bear the same Message-ID.

    One that was sent again has the number of the first, and says the same.
    """
    bodies: dict[tuple[str, int | None], dict[int, bytes]] = defaultdict(dict)
    for letter in letters:
        if letter["X-Referee-Number"]:
            said = letter.content.partition(b"\r\n\r\n")[2]
            assert bodies[letter.recipient, letter.game].setdefault(letter.number, said) == said
    for found in bodies.values():
        assert list(found) == list(range(1, len(found) + 1))
    identities = [letter["Message-ID"] for letter in letters]
    assert len(set(identities)) == len(identities)


def test_a_letter_that_is_read_twice_counts_once(club_anywhere: Club) -> None:
    """Given a letter that comes again, when it is read, then nothing happens and nothing goes out."""
    club = club_anywhere
    anna, _, game = two_players(club)
    content = anna.reply(anna.last, ["L-S2"])
    again: dict[str, dict[str, Any]] = {
        "the same place": {"uid": "7"},
        "another place": {"uid": "8"},
        "a mailbox made anew": {"uid": "7", "uidvalidity": 2},
        "another mailbox": {"uid": "7", "mailbox": "Junk"},
    }
    assert len(club.take(club.raw(content, uid="7")).sent) == 2
    for where in again.values():
        assert not club.take(club.raw(content, **where)).sent
    traced = b"Received: from mx.example.org\r\nDelivered-To: referee@example.org\r\n" + content
    assert not club.take(club.raw(traced, uid="9")).sent
    assert len(club.game(game).view(Seat("white")).board.attempts) == 1


@pytest.mark.parametrize(
    "delivered",
    [
        "Received: from a by b id Q{n}\r\n{letter}",
        "DKIM-Filter: OpenDKIM Filter v2.11.0 mx.example.org 4X{n}\r\nReceived: from a by b id Q{n}\r\n{letter}",
        "Received: by c id R{n}\r\nX-Virus-Scanned: at c\r\nReceived: by b id Q{n}\r\n{letter}",
        "{head}\r\nX-Rspamd-Queue-Id: 4X{n}\r\n\r\n{text}",
        "X-Envelope-From: <w{n}@example.net>\r\nX-UIDL: {n}\r\n{letter}\r\n",
    ],
)
def test_a_letter_that_mail_hosts_deliver_twice_counts_once(club: Club, delivered: str) -> None:
    """Given a letter that lies there twice, with other traces of its way on it, then the second is ignored."""
    wendy = club.member("Wendy")
    club.member("Yannick")
    letter = wendy.letter(["challenge Yannick confusion"]).decode()
    head, _, words = letter.partition("\r\n\r\n")
    first, second = (
        club.take(club.raw(delivered.format(n=n, letter=letter, head=head, text=words).encode()))
        for n in (1, 2)
    )
    assert len(first.sent) == 2
    assert second.settled and second.settled.reason == f"the same letter as number {first.settled.number}"  # type: ignore[union-attr]
    assert not second.sent


@pytest.mark.parametrize(("later", "outcome"), [(0, "ignored"), (1, "answered")])
def test_a_letter_without_date_or_message_id_is_known_when_the_mailbox_numbers_anew(
    club: Club, later: int, outcome: str
) -> None:
    wendy = club.member("Wendy")
    letter = wendy.letter(["games"])
    bare = b"\r\n".join(
        line for line in letter.split(b"\r\n") if not line.startswith((b"Date:", b"Message-ID:"))
    )
    first = club.raw(bare)
    again = club.raw(bare, uidvalidity=2, received=first.received + timedelta(seconds=later))
    assert club.take(first).settled.outcome == "answered"  # type: ignore[union-attr]
    assert club.take(again).settled.outcome == outcome  # type: ignore[union-attr]


def test_the_same_move_in_another_letter_is_another_attempt(club: Club) -> None:
    """A duplicate is told by the letter, not by what it says."""
    anna, bert, game = two_players(club)
    anna.replies("L-S1")
    bert.replies("C-N2")
    anna.replies("L-S1", to=anna.letters[1])
    assert [each.text for each in club.game(game).view(Seat("white")).board.attempts] == [
        "L-S1",
        "C-N2",
        "L-S1",
    ]


@pytest.mark.slow
def test_the_same_letters_give_the_same_letters_to_a_house_that_remembers_nothing(
    open_club: OpenClub,
) -> None:
    """Games kept in memory are the games that their events make: forgetting them changes nothing."""
    told = []
    for forgetful in (False, True):
        club = open_club(f"forgetful-{forgetful}")
        anna, bert, game = two_players(club)
        players = (anna, bert)
        for turn, move in enumerate(MOVES):
            if forgetful:
                club.store.close()
                club.open_house()
            players[turn % 2].replies(move, *(("draw", "status") if turn % 5 == 0 else ()))
        told.append((contents(club.letters), club.game(game)))
    assert told[0] == told[1]
    assert len(told[0][0]) > 2 * len(MOVES)


class Killed(BaseException):
    """The process ends here: nothing catches this."""


def dies(*args: object, **kwargs: object) -> None:
    raise Killed


@pytest.mark.parametrize(
    ("kind", "step"),
    telling(
        [(Outbox, "queue"), (Letters, "conclude")],
        others=[(Events, "append"), (Threads, "save"), (Games, "update")],
    ),
)
def test_a_kill_at_any_step_loses_nothing_and_repeats_nothing(
    kind: type[Repository], step: str, open_club: OpenClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a process that dies while it has a letter in hand, when another one takes over, then all letters that
    go out are those of an undisturbed service, their Message-IDs included."""
    undisturbed, killed = open_club("undisturbed"), open_club("killed")
    for club in (undisturbed, killed):
        anna, bert, _ = two_players(club)
        for turn, move in enumerate(MOVES[:4]):
            writer = (anna, bert)[turn % 2]
            letter = club.raw(writer.reply(writer.last, [move]))
            if club is killed:
                # Recorded, and dead before it was settled; then dead in the middle of settling it.
                club.referee.letters.take_in([letter])
                club.open_house()
                with monkeypatch.context() as dying:
                    dying.setattr(kind, step, dies)
                    with pytest.raises(Killed):
                        club.referee.letters.settle(club.last_letter())
                club.open_house()
                assert club.store.incoming.waiting() == [club.last_letter()]
                assert not club.collect()
                club.referee.letters.settle(club.last_letter())
                # Settled, and dead before the mailbox heard of it: the letter lies there still.
                club.open_house()
            club.take(letter)
            club.collect()
        assert not club.store.incoming.waiting()
    assert contents(killed.letters) == contents(undisturbed.letters)
    check_numbers(killed.letters)


class ListMailbox:
    """A mailbox in memory. It keeps the promises of the door."""

    def __init__(self) -> None:
        self.letters: list[RawLetter] = []

    def unread(self, limit: int = 50, besides: Collection[RawLetter] = ()) -> list[RawLetter]:
        left_out = {letter.uid for letter in besides}
        return [letter for letter in self.letters if letter.uid not in left_out][:limit]

    def handled(self, letters: Sequence[RawLetter]) -> None:
        gone = {letter.uid for letter in letters}
        self.letters = [letter for letter in self.letters if letter.uid not in gone]

    def wait(self, seconds: float) -> bool:
        return False

    def interrupt(self) -> None:
        pass

    def close(self) -> None:
        pass


class ListPost:
    """Takes every letter. lanes: one at a time."""

    lanes = 1

    def __init__(self) -> None:
        self.sent: list[Posting] = []

    async def send(self, posting: Posting) -> str:
        self.sent.append(posting)
        return "250 2.0.0 OK"

    async def close(self) -> None:
        pass


def daemon_of(club: Club, mailbox: ListMailbox, post: ListPost) -> Daemon:
    return Daemon(
        referee=club.referee,
        store=club.store,
        mailbox=mailbox,
        poster=Poster(club.store.outbox, post, club.clock),
        clock=club.clock,
        poll=0.0,
    )


def test_a_letter_that_makes_the_house_fail_is_set_aside_alone(
    club_anywhere: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a letter on which the service fails, when it has been tried three times, then it is set aside; the letters
    before and behind it are ruled on, and nothing of its own is kept."""
    club = club_anywhere

    def fails_on_nines(
        game: Game, seat: Seat, read: ReadOrder, earlier: Sequence[ReadOrder] = ()
    ) -> Decision:
        if "9" in read.line.text:
            raise RuntimeError(f"a slip of ours, and here is a secret: {game.position}")
        return decide_read_order(game, seat, read, earlier)

    anna, bert, first = two_players(club)
    carl = club.member("Carl")
    second = club.starts({"white": carl, "yellow": bert})
    monkeypatch.setattr(orders, "decide_read_order", fails_on_nines)
    mailbox, post = ListMailbox(), ListPost()
    bad = club.raw(anna.reply(anna.last_about(first), ["draw", "L-S9"]))
    mailbox.letters = [bad, club.raw(carl.reply(carl.last_about(second), ["L-S2"]))]
    referee = daemon_of(club, mailbox, post)
    for attempt in range(1, MOST_ATTEMPTS + 1):
        while referee.round():  # what has failed is tried again when all others are done
            pass
        with club.store.reading() as lookup:
            (line,) = (
                line for line in lookup.letters.newest(9) if line.sender == "" or line.outcome == "set-aside"
            )
        assert line.attempts == attempt
        assert (line.outcome, bad in mailbox.letters) == (
            ("set-aside", False) if attempt == MOST_ATTEMPTS else (None, True)
        )
    assert "secret" not in line.reason
    assert line.reason == "RuntimeError in the service"
    assert club.game(first).offer is None
    assert club.game(first).last_event == 1
    assert len(club.game(second).view(Seat("white")).board.attempts) == 1
    referee.run_once()
    assert {posting.recipient for posting in post.sent} >= {"carl@example.net", "bert@example.com"}
    (told,) = [letter for letter in club.collect() if letter.game == first]
    assert (told.recipient, told.number) == ("anna@example.net", 2)
    assert "could not be handled" in told.text and "secret" not in told.text


def fails_the_second_time(function: Callable[..., None]) -> Callable[..., None]:
    calls = itertools.count(1)

    def fails(*args: Any, **more: Any) -> None:
        if next(calls) == 2:
            raise ValueError("no second letter today")
        function(*args, **more)

    return fails


def test_a_letter_that_failed_is_settled_when_the_fault_is_mended(
    open_club_anywhere: OpenClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given an exception after half of the work, then nothing of it is kept; tried again, the letter is settled as if
    nothing had been."""
    undisturbed, disturbed = open_club_anywhere("undisturbed"), open_club_anywhere("disturbed")
    for club in (undisturbed, disturbed):
        anna, bert, _ = two_players(club)
        mailbox, post = ListMailbox(), ListPost()
        mailbox.letters = [club.raw(anna.reply(anna.last, ["L-S2", "draw"]))]
        referee = daemon_of(club, mailbox, post)
        if club is disturbed:
            with monkeypatch.context() as broken:
                broken.setattr(Composer, "to_player", fails_the_second_time(Composer.to_player))
                referee.run_once()
            assert mailbox.letters
            assert not club.collect()
        assert referee.run_once().moves == 1
        assert not mailbox.letters
        club.collect()
        assert bert.last["X-Referee-Number"] == "2"
    assert contents(disturbed.letters) == contents(undisturbed.letters)


def check_addressees(letters: Sequence[Delivered], seats: dict[int, dict[str, Correspondent]]) -> None:
    """Every letter about a game goes to who sits in it, and shows the board from his seat."""
    for letter in letters:
        if letter.game is None:
            continue
        seat = letter.json["seat"]
        assert letter.recipient == seats[letter.game][seat].address
        assert letter["To"].endswith(f"<{letter.recipient}>")
        if letter.kind in ("report", "result") or "BOARD" in letter.text:
            assert f"You play {seat.capitalize()}" in letter.text
        own_types = letter.json["own_types"]
        assert (own_types is not None) == (letter.kind == "result" or letter.json["result"] is not None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", telling([0], others=range(1, 3)))
def test_no_report_ever_goes_to_the_wrong_address(seed: int, club: Club) -> None:
    """Given four players who write about two games at random, then each gets what is for his seat alone."""
    random = Random(seed)
    people = [club.member(name) for name in ("Anna", "Bert", "Carl", "Dora")]
    for person in people:
        person.replies("set reports json")
    anna, bert, carl, dora = people
    seats: dict[int, dict[str, Correspondent]] = {}
    for seated in (
        {"white": anna, "yellow": bert},
        {"white": bert, "yellow": carl},
        {"white": dora, "yellow": anna},
    ):
        seats[club.starts(seated)] = seated
    lines = (
        "{0}-{1}1",
        "{0}-{1}2",
        "{0}-{1}E1",
        "status",
        "1: {0}-{1}1",
        "2: {0}-{1}1",
        "game 3 {0}-{1}1",
        "draw",
    )
    for _ in range(40):
        writer = random.choice(people)
        said = random.choice(lines).format(random.choice("ACEHKL"), random.choice("NS"))
        about = random.choice([letter for letter in writer.letters if letter.game] or [writer.last])
        if random.random() < 0.7:
            writer.replies(said, random.choice(("", "games", "record", "hello")), to=about)
        else:
            writer.writes(said, subject=random.choice(("", "[game 1]", "[game 2]", "[game 3]")))
    check_addressees(club.letters, seats)
    check_numbers(club.letters)
    assert {letter.game for letter in club.letters} == {None, 1, 2, 3}


def test_a_stranger_who_knows_a_tag_hears_nothing_of_the_game(club: Club) -> None:
    """Given a stranger who writes to a player's reply address, then it is held, and the player alone is asked."""
    anna, _, game = two_players(club)
    eve = club.person("Eve", "eve@example.org")
    exchange = eve.writes("status", "L-S2", to=anna.last_about(game)["Reply-To"])
    assert exchange.settled is not None
    assert exchange.settled.outcome == "held"
    assert {letter.recipient for letter in exchange.sent} <= {anna.address}
    assert not eve.letters


def test_an_opponent_who_knows_a_tag_speaks_for_himself(club: Club) -> None:
    """Given a player who writes to his opponent's reply address, then he is answered himself, and she hears nothing."""
    anna, bert, game = two_players(club)
    exchange = bert.writes("status", to=anna.last_about(game)["Reply-To"])
    assert exchange.settled is not None
    assert exchange.settled.outcome == "answered"
    assert {letter.recipient for letter in exchange.sent} == {bert.address}


def test_two_houses_on_one_database_settle_a_letter_once(club_anywhere: Club) -> None:
    """Given two processes, when both are told of a letter, then one settles it."""
    club = club_anywhere
    anna, _, _ = two_players(club)
    other = Referee(club.store, club.service, club.clock, club.draws)
    club.referee.letters.take_in([club.raw(anna.reply(anna.last, ["L-S2"]))])
    number = club.last_letter()
    assert club.referee.letters.settle(number) is not None
    assert other.letters.settle(number) is None
    assert len(club.collect()) == 2


def test_another_house_goes_on_with_a_game_that_this_one_has_in_memory(club: Club) -> None:
    """Given two houses that take turns, then neither rules on a game that has gone on meanwhile."""
    anna, bert, game = two_players(club)
    houses = (club.referee, Referee(club.store, club.service, club.clock, club.draws))
    for turn, move in enumerate(MOVES):
        club.referee = houses[turn % 3 % 2]
        (anna, bert)[turn % 2].replies(move)
    assert [each.text for each in club.game(game).view(Seat("white")).board.attempts][:3] == list(MOVES[:3])
    assert len(club.game(game).view(Seat("white")).board.attempts) == len(MOVES)


def test_what_an_umpire_agrees_is_bound_as_a_letter_would_have_bound_it(club: Club) -> None:
    """Whoever checks the deal types the options as they stand in the last letter."""
    anna, bert = club.person("Anna"), club.person("Bert")
    seats = {Seat("white"): ("Anna", anna.address), Seat("yellow"): ("Bert", bert.address)}
    number = club.referee.umpire.new_game("confusion", seats, {"Sheets": "OFF", "first": "White"})
    assert club.game(number).options == {"sheets": "off", "first": "white"}
