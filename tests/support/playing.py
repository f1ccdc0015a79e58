"""A club that plays by letter, for tests: the service over a real store, a clock that is set, draws that are counted.

Players write plain mail text and read what the service has put into its outbox; nothing else of the service is known
to them. Two clubs that are told the same write the same letters, byte for byte.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import hashlib
import json
import sqlite3
import tempfile
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Dialect, Engine, create_engine, select, update

from referee.common.clock import FixedClock
from referee.games.events import read_event
from referee.games.game import Game, fold_game
from referee.handlers.service_config import ServiceConfig
from referee.mail.message.message import RawLetter
from referee.pipeline.processor import ProcessingResult
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import Seat
from referee.service.referee import Referee
from referee.store.database import Store
from referee.store.tables import HOUSE, OUTGOING, OUTGOING_CONTENTS

REFEREE = "referee@example.org"
HOST = "mx.example.org"
"""The mail host that vouches for senders."""
START = datetime(2026, 11, 27, 17, 0, tzinfo=UTC)
BETWEEN_LETTERS = timedelta(minutes=7)
KEY = hashlib.sha256(b"the key of the tests").hexdigest()
RULES = {rulebook.name: rulebook for rulebook in RULEBOOKS}
SERVICE = ServiceConfig(
    name="Referee", address=REFEREE, language="en", trust="verified", authserv_ids=(HOST,), rulebooks=RULES
)


@dataclass
class CountedDraws:
    """Secrets and tags in a fixed sequence."""

    secrets: int = 0
    tags: int = 0

    def secret(self) -> bytes:
        self.secrets += 1
        return hashlib.sha256(f"secret {self.secrets}".encode()).digest()

    def tag(self) -> str:
        self.tags += 1
        return f"tag{self.tags:017d}"


@dataclass(frozen=True)
class Delivered:
    """A letter of the service's, as it lies in its reader's mailbox."""

    recipient: str
    content: bytes = field(repr=False)

    @cached_property
    def message(self) -> EmailMessage:
        """The letter as a mail program reads it."""
        message = email.message_from_bytes(self.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        return message

    def __getitem__(self, name: str) -> str:
        """Return a header, "" when it is missing."""
        value = self._headers[name]
        return "" if value is None else str(value)

    @cached_property
    def _headers(self) -> Message:
        """The headers alone: letters are looked for by them, and most are never read."""
        return BytesHeaderParser(policy=email.policy.default).parsebytes(self.content)

    @property
    def parts(self) -> list[EmailMessage]:
        """Every part that is not made of others, in order."""
        return [part for part in self.message.walk() if not part.is_multipart()]

    @property
    def text(self) -> str:
        """The text part."""
        return str(self.parts[0].get_content())

    @property
    def json(self) -> Any:
        """The part for programs."""
        return json.loads(self._only("application/json").get_content())

    @property
    def media_types(self) -> list[str]:
        """What the parts are."""
        return [part.get_content_type() for part in self.parts]

    @property
    def picture(self) -> bytes:
        """The board."""
        (content,) = (part.get_content() for part in self.parts if part.get_filename() == "board.png")
        assert isinstance(content, bytes)
        return content

    def _only(self, media_type: str) -> EmailMessage:
        (part,) = (part for part in self.parts if part.get_content_type() == media_type)
        return part

    @property
    def kind(self) -> str:
        return self["X-Referee-Kind"]

    @property
    def game(self) -> int | None:
        return int(self["X-Referee-Game"]) if self["X-Referee-Game"] else None

    @property
    def number(self) -> int:
        return int(self["X-Referee-Number"])


@dataclass(frozen=True)
class Exchange:
    """One letter that came in, what became of it, and what went out. raw: None for an umpire's doing."""

    raw: bytes | None
    settled: ProcessingResult | None
    sent: tuple[Delivered, ...]
    said: str = ""
    """What was done, where there was no letter."""

    @property
    def only(self) -> Delivered:
        """The one letter that went out."""
        (letter,) = self.sent
        return letter


@cache
def _empty_database() -> bytes:
    """Return an SQLite database with its tables and the tests' key."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "referee.db"
        _make_tables(f"sqlite:///{path}")
        return path.read_bytes()


def _make_tables(url: str) -> None:
    store = Store(url, FixedClock(START))
    store.upgrade()
    store.close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(update(HOUSE).where(HOUSE.c.name == "key").values(value=KEY))
    engine.dispose()


def new_database(folder: Path, name: str = "referee") -> str:
    """Make an SQLite database with its tables; return its URL."""
    path = folder / f"{name}.db"
    path.write_bytes(_empty_database())
    return f"sqlite:///{path}"


def furnish(url: str) -> str:
    """Make the tables in an empty database of another kind; return its URL."""
    _make_tables(url)
    return url


COMPILED: dict[Any, Any] = {}
"""The statements that were put into SQLite's words, for every engine: it takes longer than to carry them out."""


@cache
def _sqlite() -> Dialect:
    """Return the dialect of all engines, made ready by a connection."""
    engine = create_engine("sqlite://")
    engine.connect().close()
    engine.dispose()
    return engine.dialect


def compile_once(engine: Engine) -> None:
    """Let an SQLite engine use what others have compiled, as one that has been at work for a while does its own."""
    if engine.dialect.name == "sqlite":
        engine.dialect = _sqlite()
        engine.update_execution_options(compiled_cache=COMPILED)


Result = TypeVar("Result")
Scene = TypeVar("Scene", bound=Callable[..., Any])
Step = tuple[Callable[..., Any], tuple[Hashable, ...], tuple[tuple[str, Hashable], ...]]
"""A function that does something to a club, and what it is given beside."""


class Club:
    """A service and the people who write to it."""

    def __init__(self, url: str, *, service: ServiceConfig = SERVICE) -> None:
        self.url = url
        self.service = service
        self.clock = FixedClock(START)
        self.draws = CountedDraws()
        self.exchanges: list[Exchange] = []
        self.letters: list[Delivered] = []
        self._people: dict[str, Correspondent] = {}
        self._letters_in = 0
        self.seen = 0
        """The last of the letters sent that was collected."""
        self._reading: Engine = create_engine(url)
        self._stores: list[Store] = []
        self._steps: tuple[Step, ...] = ()
        self.open_house()

    def open_house(self) -> None:
        """Open the service, anew if it was open: whatever it had in memory is gone, as when its process has died."""
        self.store = Store(self.url, self.clock)
        compile_once(self.store.connections.engine)
        self._stores.append(self.store)
        self.store.open(create=False)
        self.referee = Referee(self.store, self.service, self.clock, self.draws)

    def copy(self, folder: Path) -> Club:
        """Return another club that goes on from here, in a database of its own; this one's is SQLite as well."""
        path = folder / "copy.db"
        with (
            contextlib.closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as here,
            contextlib.closing(sqlite3.connect(path)) as there,
        ):
            here.backup(there)
        other = Club(f"sqlite:///{path}", service=self.service)
        other._go_on_from(self)
        return other

    def begins(self, how: Callable[..., Result], *facts: Hashable, **named: Hashable) -> Result:
        """Let that have happened which a function does to a club, and return what that returned.

        It is done once, and other clubs that stand where this one stood go on from there, with people of their own;
        where something else has happened before, it is done here.
        """
        if not self._stands_where_it_was_set():
            return how(self, *facts, **named)
        self._steps = (*self._steps, (how, facts, tuple(sorted(named.items()))))
        begun = _begun(self._steps)
        self.close()
        path = Path(self.url.removeprefix("sqlite:///"))
        for beside in ("-wal", "-shm"):
            path.with_name(f"{path.name}{beside}").unlink(missing_ok=True)
        path.write_bytes(begun.database)
        self.open_house()
        self._go_on_from(begun.club)
        result: Result = self._of_this_club(begun.result)
        return result

    def _stands_where_it_was_set(self) -> bool:
        """Return whether nothing has happened since this club was new, or since a beginning was put here."""
        if self.service is not SERVICE or not self.url.startswith("sqlite:"):
            return False
        path = Path(self.url.removeprefix("sqlite:///"))
        beside = path.with_name(f"{path.name}-wal")
        if beside.exists() and beside.stat().st_size:
            return False
        if not self._steps:
            new = self.clock.at == START and not (self.exchanges or self._people or self.draws.tags)
            return new and path.read_bytes() == _empty_database()
        begun = _begun(self._steps)
        return begun.club.outside == self.outside and path.read_bytes() == begun.database

    @property
    def outside(self) -> tuple[Any, ...]:
        """What a club is beside its database."""
        people = tuple((who.name, who.address) for who in self._people.values())
        drawn = (self.draws.secrets, self.draws.tags)
        return self.clock, drawn, len(self.exchanges), len(self.letters), self._letters_in, self.seen, people

    def _of_this_club(self, result: Any) -> Any:
        """Return what a beginning returned, with the people of this club."""
        match result:
            case Correspondent():
                return self.reader(result.address)
            case tuple():
                return tuple(map(self._of_this_club, result))
            case _:
                return result

    def _go_on_from(self, other: Club) -> None:
        """Take over all of another club that is not in the database."""
        self.clock.at, self.clock.step = other.clock.at, other.clock.step
        self.draws.secrets, self.draws.tags = other.draws.secrets, other.draws.tags
        self.exchanges, self.letters = [*other.exchanges], [*other.letters]
        self._letters_in, self.seen = other._letters_in, other.seen
        for who in other._people.values():
            again = self._people.get(who.address.lower()) or self.person(who.name, who.address)
            again.letters, again._written = [*who.letters], who._written

    def close(self) -> None:
        for store in self._stores:
            store.close()
        self._reading.dispose()

    def person(self, name: str, address: str = "") -> Correspondent:
        """Return somebody with a mailbox; nobody has heard of him yet."""
        address = address or f"{name.lower()}@example.net"
        who = Correspondent(self, name, address)
        self._people[address.lower()] = who
        return who

    def member(self, name: str, address: str = "") -> Correspondent:
        """Return somebody who is registered."""
        who = self.person(name, address)
        who.writes(f"register {name}")
        return who

    def reader(self, address: str) -> Correspondent:
        """Return whose mailbox an address is."""
        return self._people[address.lower()]

    def raw(self, content: bytes, *, uid: str = "", **changes: Any) -> RawLetter:
        """Return a letter as the mailbox would give it."""
        self._letters_in += 1
        facts: dict[str, Any] = {
            "mailbox": "INBOX",
            "uidvalidity": 1,
            "received": self.clock.at,
            "size": len(content),
            **changes,
        }
        return RawLetter(uid=uid or str(self._letters_in), content=content, **facts)

    def take(self, letter: RawLetter) -> Exchange:
        """Take a letter in and settle it."""
        before = self.last_letter()
        self.referee.letters.take_in([letter])
        after = self.last_letter()
        settled = self.referee.letters.settle(after) if after > before else None
        return self._note(Exchange(letter.content, settled, self.collect()))

    def last_letter(self) -> int:
        """Return the number of the newest letter that was taken in, 0 before the first."""
        with self.store.reading() as lookup:
            newest = lookup.letters.newest(1)
        return newest[0].number if newest else 0

    def collect(self) -> tuple[Delivered, ...]:
        """Bring the outbox's new letters into their readers' mailboxes; return them, in their order."""
        asked = (
            select(OUTGOING.c.id, OUTGOING.c.recipient, OUTGOING_CONTENTS.c.content)
            .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
            .where(OUTGOING.c.id > self.seen)
            .order_by(OUTGOING.c.id)
        )
        with self._reading.connect() as connection:
            rows = connection.execute(asked).all()
        found = tuple(Delivered(recipient, bytes(content)) for _, recipient, content in rows)
        if rows:
            self.seen = rows[-1].id
        for letter in found:
            self.letters.append(letter)
            if reader := self._people.get(letter.recipient.lower()):
                reader.letters.append(letter)
        return found

    def _note(self, exchange: Exchange) -> Exchange:
        self.exchanges.append(exchange)
        self.clock.at += BETWEEN_LETTERS
        return exchange

    def noted(self, said: str) -> tuple[Delivered, ...]:
        """Note what was done without a letter; return what the service wrote on account of it."""
        return self._note(Exchange(None, None, self.collect(), said)).sent

    def posts(self, said: str = "The mail server takes the letters.") -> None:
        """Let the mail server accept all that lies in the outbox, now."""
        while claimed := self.store.outbox.claim(self.clock.now(), 100):
            self.store.outbox.accepted([(each.id, "250 OK") for each in claimed])

    def looks_at_clocks(self, said: str = "A minute passes.") -> tuple[Delivered, ...]:
        """Let the service look into the mailbox and at the clocks that are due; return what it wrote."""
        self.referee.letters.looked()
        self.referee.jobs.see_to_clocks()
        return self._note(Exchange(None, None, self.collect(), said)).sent

    def waits(self, time: timedelta) -> None:
        """Let time pass in which the service looks into the mailbox, and at its clock, every hour."""
        until = self.clock.at + time
        while self.clock.at < until:
            self.referee.letters.looked()
            self.store.retention.regular_for()
            self.clock.at = min(self.clock.at + timedelta(hours=1), until)
        self.referee.letters.looked()

    def carries_drafts_out(self, said: str = "A minute passes.") -> tuple[Delivered, ...]:
        """Let the service carry out the drafted turns whose time has come; return what it wrote."""
        self.referee.jobs.carry_drafts_out()
        return self._note(Exchange(None, None, self.collect(), said)).sent

    def looks_round(self, said: str = "Time passes.") -> tuple[Delivered, ...]:
        """Let the service see to what did not arrive, as it does now and then; return what it wrote."""
        self.referee.jobs.see_to_returns()
        return self._note(Exchange(None, None, self.collect(), said)).sent

    def strikes(self, said: str = "It is evening.") -> tuple[Delivered, ...]:
        """Let the service write what it writes once a day; return that."""
        self.referee.jobs.write_days()
        self.referee.jobs.write_overviews()
        return self._note(Exchange(None, None, self.collect(), said)).sent

    def later(self, time: timedelta) -> None:
        """Let time pass, with a look at the clock every day, as the service has it; or set the clock back."""
        if time < timedelta(0):
            self.clock.at += time
        while time > timedelta(0):
            self.store.retention.regular_for()
            self.clock.at += min(time, timedelta(days=1))
            time -= timedelta(days=1)

    def starts(
        self,
        seats: Mapping[str, Correspondent],
        *,
        first: str = "white",
        deal: str = "",
        rules: str = "confusion",
        names: bool = True,
        sheets: str = "on",
        watchers: str = "off",
        event: str = "",
        **agreed_on: str,
    ) -> int:
        """Start a game for an umpire; return its number. names: whether he knows what the players are called.
        agreed_on: further options."""
        agreed = agreed_on if sheets == "on" else agreed_on | {"sheets": sheets}
        agreed |= {} if watchers == "off" else {"watchers": watchers}
        seated = {Seat(seat): (who.name if names else "", who.address) for seat, who in seats.items()}
        game = self.referee.umpire.new_game(rules, seated, {"first": first} | agreed, deal, event)
        said = "The umpire starts a game: " + ", ".join(
            f"{seat} is {who.address}" for seat, who in seats.items()
        )
        self._note(Exchange(None, None, self.collect(), f"{said}; {first} begins."))
        return game

    def game(self, number: int) -> Game:
        """Return a game as its stored events make it."""
        with self.store.reading() as lookup:
            events = [read_event(each.kind, each.body) for each in lookup.events.of_game(number)]
        game = fold_game(number, events, RULES.__getitem__)
        assert game is not None
        return game


@dataclass(frozen=True)
class Begun:
    """What a function has done to a new club: its database, the club itself, closed, and what was returned."""

    database: bytes
    club: Club
    result: Any


@cache
def _begun(steps: tuple[Step, ...]) -> Begun:
    *before, (how, facts, named) = steps
    with tempfile.TemporaryDirectory() as folder:
        club = Club(new_database(Path(folder)))
        for earlier, its_facts, its_named in before:
            club.begins(earlier, *its_facts, **dict(its_named))
        result = how(club, *facts, **dict(named))
        club.close()
        return Begun((Path(folder) / "referee.db").read_bytes(), club, result)


def once(how: Scene) -> Scene:
    """Let what a function does to a new club be done once, as `Club.begins` says."""

    @wraps(how)
    def begins(club: Club, *facts: Hashable, **named: Hashable) -> Any:
        return club.begins(how, *facts, **named)

    return cast(Scene, begins)


class Correspondent:
    """Somebody with a mailbox and a mail program.

    letters: all that came, oldest first. domain: what his mail host is vouched for as; another one than his
    address's where he forges.
    """

    def __init__(self, club: Club, name: str, address: str) -> None:
        self.club = club
        self.name = name
        self.address = address
        self.letters: list[Delivered] = []
        self._written = 0

    @property
    def last(self) -> Delivered:
        """The letter that came last."""
        return self.letters[-1]

    def last_about(self, game: int) -> Delivered:
        """The letter about a game that came last."""
        return next(letter for letter in reversed(self.letters) if letter.game == game)

    def writes(
        self,
        *lines: str,
        to: str = REFEREE,
        subject: str = "A letter",
        headers: Sequence[str] = (),
        vouched: bool = True,
    ) -> Exchange:
        """Write to an address. headers: further ones. vouched: the mail host vouches for the sender."""
        return self.club.take(self.club.raw(self.letter(lines, to, subject, headers, vouched)))

    def replies(
        self,
        *lines: str,
        to: Delivered | None = None,
        headers: Sequence[str] = (),
        vouched: bool = True,
        address: str = "",
        subject: str = "",
    ) -> Exchange:
        """Answer a letter, that which came last unless another is named, quoting it as mail programs do.

        address, subject: others than the reply would have.
        """
        answered = to or self.last
        return self.club.take(
            self.club.raw(self.reply(answered, lines, headers, vouched, address=address, subject=subject))
        )

    def reply(
        self,
        answered: Delivered,
        lines: Sequence[str],
        headers: Sequence[str] = (),
        vouched: bool = True,
        *,
        address: str = "",
        subject: str = "",
    ) -> bytes:
        """Return the bytes of an answer to a letter."""
        references = f"{answered['References']} {answered['Message-ID']}".strip()
        threaded = [f"In-Reply-To: {answered['Message-ID']}", f"References: {references}", *headers]
        quotation = ("", f"On {answered['Date']}, Referee wrote:", f"> {answered.text.splitlines()[0]}")
        subject = subject or f"Re: {answered['Subject'].removeprefix('Re: ')}"
        return self.letter((*lines, *quotation), address or answered["Reply-To"], subject, threaded, vouched)

    def letter(
        self,
        lines: Sequence[str],
        to: str = REFEREE,
        subject: str = "A letter",
        headers: Sequence[str] = (),
        vouched: bool = True,
    ) -> bytes:
        """Return the bytes of a letter, as the mail host hands it over."""
        self._written += 1
        local, _, domain = self.address.partition("@")
        verdict = f"dmarc={'pass' if vouched else 'fail'} header.from={domain}"
        head = [
            f"Authentication-Results: {HOST}; {verdict}",
            f"From: {self.name} <{self.address}>",
            f"To: {to}",
            f"Subject: {subject}",
            f"Date: {format_datetime(self.club.clock.at)}",
            f"Message-ID: <{local}.{self._written}@{domain}>",
            *headers,
        ]
        return "\r\n".join([*head, "", *lines, ""]).encode()
