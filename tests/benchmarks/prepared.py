"""Games in a database as they may stand in a club, the replies to be played in them, and the reports to come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from referee.cli.demo import sample_game
from referee.common.clock import SystemClock
from referee.games.decisions import decide_order, open_game
from referee.games.events import CheckedIn, Event, read_event, write_event
from referee.games.game import Game, fold_game
from referee.mail.message.message import RawLetter
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.rulebook import OrderLine, Seat
from referee.rulebooks.sample_game import SampleGame
from referee.service.bootstrap import service_of
from referee.service.referee import Referee
from referee.service.settings import Settings
from referee.store.database import Store
from tests.servers.mail import AUTHSERV_ID

SERVICE = "referee@example.org"
BOXES = 10
"""Mailboxes of each colour: many players share one, each under an address of his own, so that to look into all of
them costs next to nothing."""

FIRST_WRITTEN = datetime(2026, 11, 27, 17, tzinfo=UTC)
QUOTED = "\n".join(f"> {number:2}.  V-NW2xZ yes     (C-SW2) no      line {number}" for number in range(1, 15))


@dataclass(frozen=True, slots=True)
class Reply:
    """A player's reply, as his mail program hands it over."""

    sender: str
    recipient: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ReadyReport:
    """A report as finished bytes."""

    recipient: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Prepared:
    """A database with games under way, and replies that can be played in them.

    waves: in each, one legal move for every game. They may overtake each other on their way, as letters do, but the
    next wave is to be sent only when the one before was answered. reports: what answers the first wave.
    greeting: a letter that brings a single report, to its sender. players: all their addresses.
    """

    database: Path
    waves: tuple[tuple[Reply, ...], ...]
    reports: tuple[ReadyReport, ...]
    greeting: Reply
    players: tuple[str, ...]

    def database_copy(self, path: Path) -> None:
        """Write a fresh copy of the database."""
        path.write_bytes(self.database.read_bytes())


def prepare_games(folder: Path, games: int, waves: int = 1) -> Prepared:
    """Start games, play each of them up to another row of the sample game, and write the replies that follow.

    The games stand at rows all over the sample game, so that reports of all lengths occur. The reports are
    made by playing the first wave once in the database, after it was copied.
    """
    sample = sample_game()
    turns = turns_of(sample)
    store, referee = _open(folder / "prepared.db")
    rulings = _rulings(sample, turns)
    started = []
    for place in range(games):
        played = place * (len(turns) - waves) // games
        started.append(_start(store, referee, place, sample, rulings[:played]))
    greeted = _start(store, referee, games, sample, rulings[:10])
    _post_everything(store)
    replies = tuple(
        tuple(game.reply(*turns[game.played + wave], wave) for game in started) for wave in range(waves)
    )
    ready = folder / "ready.db"
    store.backup(ready)
    referee.letters.take_in([delivered(number, reply) for number, reply in enumerate(replies[0], 1)])
    for letter in _waiting(store):
        settled = referee.letters.settle(letter)
        if settled is None or not settled.moves:
            raise RuntimeError(f"a prepared reply was not ruled on: {settled}")
    reports = tuple(_post_everything(store))
    store.close()
    players = tuple(address for game in (*started, greeted) for address in game.addresses.values())
    return Prepared(ready, replies, reports, greeted.reply("white", "status", 0), players)


@dataclass(frozen=True, slots=True)
class _Started:
    """A game under way. tags: the reply tag of each seat. played: attempts so far."""

    addresses: dict[str, str]
    tags: dict[str, str]
    played: int

    def reply(self, seat: str, line: str, number: int) -> Reply:
        """Write a reply; number: how many this game has had."""
        return write_reply(self.addresses[seat], self.tags[seat], line, number)


def write_reply(sender: str, tag: str, line: str, number: int) -> Reply:
    """Write a reply as web mail does: the line on top, the report quoted, the same in HTML.

    number: how many the writer has written about this game, so that no two letters are the same.
    """
    written = FIRST_WRITTEN + number * timedelta(minutes=1)
    local, _, domain = SERVICE.partition("@")
    recipient = f"{local}+{tag}@{domain}"
    quoted = QUOTED.replace("\n", "<br>\n")
    text = (
        f"From: Player <{sender}>\n"
        f"To: Referee <{recipient}>\n"
        "Subject: Re: Confusion\n"
        f"Message-ID: <reply.{number}.{sender}>\n"
        f"Date: {format_datetime(written)}\n"
        "MIME-Version: 1.0\n"
        'Content-Type: multipart/alternative; boundary="b1"\n\n'
        f"--b1\nContent-Type: text/plain; charset=utf-8\n\n{line}\n\n"
        f"On Fri, 27 Nov 2026 at 16:00, Referee <{SERVICE}> wrote:\n{QUOTED}\n\n"
        f'--b1\nContent-Type: text/html; charset=utf-8\n\n<div dir="ltr">{line}</div>\n'
        f'<div class="gmail_quote"><blockquote class="gmail_quote">{quoted}</blockquote></div>\n\n--b1--\n'
    )
    return Reply(sender, recipient, text.replace("\n", "\r\n").encode())


def turns_of(sample: SampleGame) -> list[tuple[str, str]]:
    """Return the sample game's attempts in the order in which they are made, each with its seat."""
    first, second = sample.moves[sample.first], list(sample.moves.values())
    other = next(moves for moves in second if moves is not first)
    seats = (sample.first, next(seat for seat in sample.moves if seat != sample.first))
    in_turn = []
    for place in range(max(len(first), len(other))):
        for seat, moves in zip(seats, (first, other), strict=True):
            if place < len(moves):
                in_turn.append((seat, moves[place]))
    return in_turn


def _rulings(sample: SampleGame, turns: list[tuple[str, str]]) -> list[Event]:
    """Return what happens in the sample game, attempt by attempt; its deal makes it the same in every game."""
    rulebook = find_rulebook("confusion")
    seats = {seat: number for number, seat in enumerate(rulebook.seats, 1)}
    opened = open_game(1, rulebook, {"first": sample.first}, seats, bytes(32), sample.deal)
    game = Game(number=1, rulebook=rulebook, status="proposed").after(opened)
    rulings = []
    for seat, line in turns:
        (ruled,) = decide_order(game, Seat(seat), OrderLine(1, line)).events
        game = game.after(ruled)
        rulings.append(ruled)
    return rulings


def _open(path: Path) -> tuple[Store, Referee]:
    settings = Settings.model_validate(
        {"service": {"address": SERVICE}, "trust": {"authserv_id": (AUTHSERV_ID,)}}
    )
    clock = SystemClock()
    store = Store(f"sqlite:///{path}", clock)
    store.open()
    return store, Referee(store, service_of(settings), clock)


def _start(store: Store, referee: Referee, place: int, sample: SampleGame, rulings: list[Event]) -> _Started:
    """Start a game and play in it, without letters: the events alone, and how far letters would have told."""
    box = place % BOXES
    addresses = {
        "white": f"white{box}+{place}@example.net",
        "yellow": f"yellow{box}+{place}@example.com",
    }
    seats = {Seat(seat): (f"{seat.capitalize()} {place}", address) for seat, address in addresses.items()}
    number = referee.umpire.new_game("confusion", seats, {"first": sample.first}, sample.deal)
    now = datetime.now(UTC)
    with store.unit() as unit:
        game = fold_game(
            number, [read_event(each.kind, each.body) for each in unit.events.of_game(number)], find_rulebook
        )
        assert game is not None
        first = game.last_event + 1
        events = [*map(CheckedIn, game.seats), *rulings]
        for event in events:
            game = game.after(event)
        written = [(at, *write_event(event)) for at, event in enumerate(events, first)]
        unit.events.append(number, written, at=now)
        unit.games.update(number, status=game.status, last_event=game.last_event, at=now)
        tags = {}
        for seat, player in game.seats.items():
            thread = unit.threads.get(player, number)
            tags[str(seat)] = thread.tag
            letters = thread.letters + len(rulings)
            unit.threads.save(replace(thread, letters=letters, told=len(game.heard(seat))))
    return _Started(addresses, tags, len(rulings))


def delivered(number: int, reply: Reply) -> RawLetter:
    """Return a reply as it would lie in the mailbox."""
    domain = reply.sender.partition("@")[2]
    stamp = f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from={domain}\r\n"
    content = f"Delivered-To: {reply.recipient}\r\n{stamp}".encode() + reply.content
    return RawLetter("prepared", 1, str(number), datetime.now(UTC), len(content), content)


def _waiting(store: Store) -> Iterator[int]:
    while letters := store.incoming.waiting():
        yield from letters


def _post_everything(store: Store) -> list[ReadyReport]:
    """Take all letters from the outbox as if they had been posted."""
    taken = []
    while postings := store.outbox.claim(datetime.now(UTC), 200):
        store.outbox.accepted([(each.id, "250 ok") for each in postings])
        taken += [ReadyReport(each.recipient, each.content) for each in postings]
    return taken
