"""The values that the store returns and accepts: frozen, never rows."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from referee.common.errors import EventUnreadable
from referee.common.i18n import SOURCE
from referee.games.cases import Case
from referee.games.clocks.leave import Leave
from referee.games.game import Status
from referee.games.tournaments.officers import Officer
from referee.games.tournaments.tournament import Competition
from referee.mail.message.message import Kind, RawLetter
from referee.reports.smaller import smaller_forms
from referee.rulebooks.rulebook import Seat

Outcome = Literal["ruled", "answered", "ignored", "held", "bounce", "set-aside"]
"""The outcome of a letter; every letter ends in exactly one."""

Purpose = Literal["seat", "watch", "hold", "address", "former", "bye", "deed"]
"""The purpose of a reply tag.

seat: playing in a game.
watch: watching one.
hold: confirming a held letter.
address: confirming an address from there.
former: reverting a change of address from the old one.
bye: confirming that one leaves.
action: confirming an umpire's action.
"""

AddressUse = Literal["second", "asked-main", "asked-second", "former"]
"""What a further address of a player is.

second: letters from it are the player's, too. asked-main, asked-second: requested as such, and not confirmed.
former: the main one until recently; the change can still be reverted from there.
"""

WritingKind = Literal["press", "diary", "claim", "answer", "appeal", "ruling"]
"""A player's text that is no move: to the other player, to themselves, or to the umpire."""

CLOCK_SKEW_TOLERANCE = timedelta(minutes=5)
"""A time later than this from now was written by a wrong clock, and keeps nobody waiting.

A smaller difference may be another machine's clock.
"""
CLOCK_PROVED = timedelta(days=1)
"""How long the clock must have run regularly before a player loses by it, or anything is erased by age."""

RUNNING = ("proposed", "playing")
"""The statuses of games in which something can still happen."""

Identity = tuple[str, int, str]
"""A letter's place: mailbox, UIDVALIDITY and UID."""


def lately(at: datetime, time: timedelta, now: datetime) -> bool:
    """Return whether something happened no longer ago than `time`.

    A future time counts as long ago, since a wrong clock wrote it.
    """
    return -CLOCK_SKEW_TOLERANCE <= now - at <= time


_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def address_key(address: str) -> str:
    """Return the common form of a mail address's spellings: the case of the letters A to Z does not count.

    Other alphabets stay as they are: U+212A, the kelvin sign, is no k, whatever Unicode's lower case says.
    """
    return address.strip().translate(_SMALL)


def identity(letter: RawLetter) -> Identity:
    """Return a letter's place."""
    return (letter.mailbox, letter.uidvalidity, letter.uid)


def is_same(one: str, other: str) -> bool:
    """Return whether two letters seen in the same place are one: unless both digests are known and differ."""
    return not one or not other or one == other


@dataclass(frozen=True, slots=True)
class Known:
    """A letter that was recorded before.

    decided: it has its outcome, so the mailbox may put it away.
    digest: of its content, "" where unknown.
    """

    number: int
    decided: bool
    received: datetime
    digest: str

    def is_same(self, digest: str) -> bool:
        """Return whether a letter in the same place is still this one; see `is_same`."""
        return is_same(self.digest, digest)


@dataclass(frozen=True, slots=True)
class StoredLetter:
    """A letter with its bytes.

    number: as in `referee letters`.
    size: bytes of the whole letter.
    content: only the header when the letter was too large; None when it was unavailable, or erased with its
        writer.
    outcome: None until it is decided.
    attempts: how often deciding it has failed.
    digest: see content_hash.
    recorded: when the service recorded it.
    reason: of its outcome, or of the delay.
    again: it had an outcome, and is decided once more.
    repeated: there are others with this content; see LetterQueries.duplicate.
    """

    number: int
    received: datetime
    size: int
    content: bytes | None = field(repr=False)
    outcome: Outcome | None
    attempts: int
    digest: str
    recorded: datetime
    reason: str = ""
    again: bool = False
    repeated: bool = False

    @property
    def arrived(self) -> datetime:
        """When the letter counts as arrived: as its mail host says, but no later than it was recorded (TM-1.2)."""
        return min(self.received, self.recorded)

    @property
    def too_large(self) -> bool:
        """Whether only the header was recorded."""
        return self.content is not None and len(self.content) < self.size


@dataclass(frozen=True, slots=True)
class Earlier:
    """A processed letter with the same words as another. content: None when it was erased."""

    number: int
    received: datetime
    recorded: datetime
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a letter is compared with: its writer's letters that had an effect in a game.

    newest: their latest Date.
    same: the number of one with the same lines and the same Date, None for none.
    said: one had the same lines, and a Date.
    undated: one had the same lines, and none.
    """

    newest: datetime | None
    same: int | None
    said: bool
    undated: bool


@dataclass(frozen=True, slots=True)
class StoredClock:
    """What is stored of a seat's clock; see tables. reminded: marks, and when the player was reminded."""

    next: datetime | None
    promised: datetime | None
    reminded: tuple[tuple[timedelta, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class StuckClock:
    """A clock whose check failed (why: the kind of error), or is overdue (why: "")."""

    game: int
    seat: Seat
    due: datetime
    why: str


@dataclass(frozen=True, slots=True)
class EarlyLetter:
    """A letter that may have arrived in time and was not processed: it waits, is held, or was set aside.

    arrived: as in StoredLetter.
    game: the game it concerns, if known.
    commands: those read in it.
    sender: as a key of addresses, "" where the writer is unknown.
    reason: why it is held.
    """

    number: int
    outcome: Outcome | None
    arrived: datetime
    recorded: datetime
    game: int | None
    commands: tuple[str, ...]
    sender: str
    reason: str


@dataclass(frozen=True, slots=True)
class StoredLeave:
    """A player's leave.

    competition: the tournament for whose games it holds, None for games of none.
    kept: the leave, None where it cannot be read.
    """

    player: int
    competition: int | None
    kept: Leave | None

    @property
    def leave(self) -> Leave:
        """The leave. Raises ValueError where it cannot be read: it is then unknown when no time ran."""
        if self.kept is None:
            raise ValueError(f"leave of player {self.player} cannot be read")
        return self.kept


@dataclass(frozen=True, slots=True)
class HeldLetter:
    """A letter in a player's name that may not be theirs, or not new.

    reason: why it is held.
    game: the game it concerns, if known.
    content: None when it was erased.
    outcome: other than "held" once it was processed.
    sender: "" for an address that the player has given up.
    tagged: it came to one of the player's reply tags that was valid then.
    """

    number: int
    received: datetime
    game: int | None
    content: bytes | None = field(repr=False)
    outcome: Outcome
    sender: str
    tagged: bool
    reason: str

    @property
    def is_held(self) -> bool:
        """Whether it can still be processed."""
        return self.outcome == "held" and self.content is not None


@dataclass(frozen=True, slots=True)
class LetterLine:
    """A line of `referee letters`: a letter without its bytes. sender: "" until it is decided."""

    number: int
    received: datetime
    size: int
    sender: str
    outcome: Outcome | None
    reason: str
    game: int | None
    commands: tuple[str, ...]
    attempts: int


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One of our answers, as an operator sees it: without its bytes.

    number: X-Referee-Number.
    state: queued, claimed, sent or refused.
    tries: how often sending was tried.
    said: the mail host's answer at the last try.
    """

    message_id: str
    recipient: str = field(repr=False)
    kind: Kind
    game: int | None
    number: int | None
    state: str
    tries: int
    said: str
    created: datetime
    sent: datetime | None


@dataclass(frozen=True, slots=True)
class Stuck:
    """Something that needs help to continue. which: a letter's or a game's number, or a letter's recipient."""

    which: str
    why: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What waits and what is stuck. Only the newest few are named.

    newest: when the newest letter, in or out, was recorded.
    waiting: letters without an outcome.
    failing: those of them that have made the service fail.
    untried: outgoing letters that were not tried yet.
    delayed: those that were refused temporarily.
    held, refused: of the last days only.
    unchecked: letters of the last days that bear no result of a host named in the settings.
    unreachable: players whose letters do not arrive.
    standing_still: processes that do nothing and block others.
    suspects: letters that were in hand at several unclean ends.
    unreached: games whose newest letters reached none of their players.
    notices: undelivered letters to the operator.
    """

    newest: datetime | None
    waiting: int
    waiting_since: datetime | None
    failing: tuple[Stuck, ...]
    set_aside: int
    set_aside_newest: tuple[Stuck, ...]
    held: int
    unchecked: int
    untried: int
    untried_since: datetime | None
    delayed: int
    delayed_since: datetime | None
    delayed_newest: tuple[Stuck, ...]
    refused: int
    refused_newest: tuple[Stuck, ...]
    frozen: tuple[Stuck, ...]
    standing_still: tuple[Stuck, ...]
    suspects: tuple[Stuck, ...]
    unreachable: int
    unreachable_newest: tuple[Stuck, ...]
    unreached: tuple[Stuck, ...]
    notices: tuple[Stuck, ...]


@dataclass(frozen=True, slots=True)
class Load:
    """How much is open at one instant: only counts, nobody is named.

    newest: when the newest letter, in or out, was recorded.
    waiting, waiting_since: letters without an outcome, and when the oldest was recorded.
    queued, queued_since: unsent letters, and when the oldest was written.
    games: those being played, and those proposed.
    unreachable: players.
    unreached: games whose newest letters reached none of their players.
    octets: the size of the database in bytes.
    """

    newest: datetime | None
    waiting: int
    waiting_since: datetime | None
    set_aside: int
    queued: int
    queued_since: datetime | None
    games: Mapping[Literal["playing", "proposed"], int]
    unreachable: int
    unreached: int
    octets: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game without its events.

    last_event: number of the newest, 0 before the first.
    proposed_by, proposed_to: players, while it is only proposed (to None: anybody may join).
    seats: the players by seat, once it has begun.
    invited: the address by which its first proposer named the opponent. Only the proposer may see it. ""
        where they did not, and once it waits no more.
    """

    number: int
    rules: str
    title: str
    status: Status
    last_event: int
    proposed_by: int | None
    proposed_to: int | None
    created: datetime
    ended: datetime | None
    seats: Mapping[Seat, int]
    invited: str = field(default="", repr=False)
    competition: int | None = None
    """The game's tournament."""
    outline: str = field(default="", repr=False)
    """Its state, as games.summary writes it; "" where that was never stored."""
    result: str | None = None
    """Its end, as in games.results; "" where it was never played, None while something can happen."""

    def concerns(self, player: int) -> bool:
        """Return whether a player has a seat; before the game begins, whether they proposed it or are invited."""
        return player in (self.seats.values() or (self.proposed_by, self.proposed_to))


@dataclass(frozen=True, slots=True)
class AskedAction:
    """An umpire's request by letter, to be confirmed.

    line: the action as the service writes it.
    stands: the state of each game for it, by number.
    newcomer: the number of the player who is to take a seat; None for nobody, and for a person not registered
        yet.
    """

    player: int
    line: str = field(repr=False)
    stands: Mapping[int, str]
    created: datetime
    newcomer: int | None = None


@dataclass(frozen=True, slots=True)
class Errand:
    """An action in progress in all games of a tournament.

    after: the games up to this number are done or skipped.
    done: the games in which it was done.
    player: the officer who requested it.
    line: as in AskedDeed.
    """

    number: int
    competition: int
    player: int
    line: str = field(repr=False)
    after: int
    done: tuple[int, ...]
    created: datetime


@dataclass(frozen=True, slots=True)
class StoredCompetition:
    """A tournament with its present officers.

    version: of its terms.
    kept: the terms, or why they cannot be read; name and officers are known all the same.
    """

    number: int
    kept: Competition | EventUnreadable
    version: int
    created: datetime
    officers: tuple[Officer, ...] = ()

    @property
    def name(self) -> str:
        """The tournament's name."""
        return self.kept.name

    @property
    def unread(self) -> bool:
        """Whether its terms cannot be read."""
        return isinstance(self.kept, EventUnreadable)

    @property
    def terms(self) -> Competition:
        """Its terms. Raises EventUnreadable where they cannot be read."""
        if isinstance(self.kept, EventUnreadable):
            raise self.kept
        return self.kept


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """When and why a tournament got a version of its terms."""

    version: int
    at: datetime
    reason: str
    terms: Competition


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event of a game.

    number: from 1, without gaps.
    body: plain data, hidden facts included.
    letter: the number of the letter that caused it, None for the service or the umpire.
    """

    number: int
    kind: str
    at: datetime
    body: Mapping[str, Any] = field(repr=False)
    letter: int | None


@dataclass(frozen=True, slots=True)
class Thread:
    """A player's letters about one game (0: about none).

    letters: how many were written to the player.
    told: how many of the seat's happenings they have told.
    tag: the reply tag that they carry.
    root: Message-ID of the first. last: those of the newest, oldest first.
    resent: those up to this number were sent again automatically, or need not be.
    entries: number of calendar files about the player's moves in the game.
    entered: the deadline in the last of them, None for none.
    """

    player: int
    game: int
    letters: int = 0
    told: int = 0
    tag: str = field(default="", repr=False)
    root: str = ""
    last: tuple[str, ...] = ()
    resent: int = 0
    entries: int = 0
    entered: datetime | None = None

    def after(self, message_id: str) -> Thread:
        """Return the thread after one more letter."""
        root, last = self.root or message_id, (*self.last, message_id)[-2:]
        return replace(self, letters=self.letters + 1, root=root, last=last)


@dataclass(frozen=True, slots=True)
class Gathered:
    """News of a game that wait for a player's next letter about it, or for the daily digest.

    code, facts: of a note (see reports.notes), without the person it names.
    who: that person's player number, None for nobody. A number, so that a departed player is no longer named.
    """

    game: int
    code: str
    facts: Mapping[str, Any]
    who: int | None


@dataclass(frozen=True, slots=True)
class Tag:
    """A reply tag: what letters to it are about. It may be used by somebody other than its player.

    letter: the newest of the held letters that it confirms; of a tag for an address, the earlier answer from
        there.
    """

    text: str = field(repr=False)
    purpose: Purpose
    player: int
    game: int | None
    letter: int | None
    revoked: bool
    created: datetime

    def is_within(self, time: timedelta, now: datetime) -> bool:
        """Return whether it was made within this time; see `lately`."""
        return lately(self.created, time, now)


@dataclass(frozen=True, slots=True)
class FurtherAddress:
    """An address of a player besides the main one. tag: its reply tag, if any."""

    player: int
    use: AddressUse
    address: str = field(repr=False)
    tag: str | None = field(repr=False)
    created: datetime

    def is_within(self, time: timedelta, now: datetime) -> bool:
        """Return whether it was stored within this time; see `lately`."""
        return lately(self.created, time, now)


@dataclass(frozen=True, slots=True)
class LetterHeard:
    """A letter that was answered, or ignored for a requested reason. content: None when it was erased."""

    number: int
    received: datetime
    recorded: datetime
    reason: str
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class LetterWritten:
    """One of our letters. at: when it was sent, or written if it was not. answers: the letter that it answers."""

    at: datetime
    written: datetime
    answers: int | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class Parting:
    """What is stored of a departed player, so that leaving ends no limit.

    It is found by the player's address and does not contain it.

    letter: the number of their last one.
    played: they had a seat in a game.
    letters: those processed in the last hour.
    challenges: those made in the last day.
    """

    at: datetime
    letter: int
    played: bool
    letters: int
    challenges: int


@dataclass(frozen=True, slots=True)
class QueuedLetter:
    """An outgoing letter as finished bytes.

    message_id: without angle brackets.
    sender, recipient: envelope addresses.
    number: X-Referee-Number.
    answers: the number of the letter it answers.
    told: how many happenings of its game the reader had heard by then.
    sent: when it was written, as in its Date; None for now.
    """

    message_id: str
    sender: str
    recipient: str = field(repr=False)
    kind: Kind
    subject: str
    content: bytes = field(repr=False)
    game: int | None = None
    player: int | None = None
    seat: Seat | None = None
    number: int | None = None
    answers: int | None = None
    told: int | None = None
    sent: datetime | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """A letter claimed for sending.

    tries: number of earlier tries.
    uncertain: how many of these may have succeeded after all.
    language: the reader's, None for a reader who is no player.
    """

    id: int
    message_id: str
    sender: str
    recipient: str = field(repr=False)
    content: bytes = field(repr=False)
    tries: int
    uncertain: int
    language: str | None = None

    def smaller(self) -> Iterator[tuple[str, Posting]]:
        """Yield the same letter in ever smaller forms, each with a name."""
        for name, content in smaller_forms(self.content, self.language or SOURCE):
            yield name, replace(self, content=content)


@dataclass(frozen=True, slots=True)
class Writing:
    """A player's text during a game. turn: the turn being played then. text: may have several lines."""

    number: int
    game: int
    player: int
    kind: WritingKind
    turn: int
    at: datetime
    text: str = field(repr=False)

    @property
    def lines(self) -> tuple[str, ...]:
        """The text's lines, as they were written."""
        return tuple(self.text.splitlines())


@dataclass(frozen=True, slots=True)
class Claim:
    """A case with its player's text.

    name: the player's, "" where they have given none.
    turn: as in Writing.
    ended: when the game was over, None while it is not.
    competition: the game's tournament.
    player: the player's number.
    """

    case: Case
    game: int
    title: str
    name: str = field(repr=False)
    turn: int
    text: str = field(repr=False)
    ended: datetime | None
    competition: int | None
    player: int

    @property
    def number(self) -> int:
        """The case's number in the game, from 1."""
        return self.case.number

    @property
    def state(self) -> Literal["open", "game over", "appealed", "answered"]:
        """Whether it waits for a ruling, and whether its game is over."""
        if self.case.state == "appealed":
            return "appealed"
        if self.case.decisions:
            return "answered"
        return "open" if self.ended is None else "game over"


@dataclass(frozen=True, slots=True)
class NumberedLetter:
    """One of our letters as first written, found by its number."""

    message_id: str
    kind: Kind
    subject: str
    seat: Seat | None
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class MailedLetter:
    """One of our letters as written.

    sent: when it was accepted for delivery, None where it was not.
    content: None where it was erased.
    """

    sender: str
    created: datetime
    sent: datetime | None
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class SentLetter:
    """What one of our letters was about, and its recipient, found by its Message-ID."""

    message_id: str
    kind: Kind
    game: int | None
    player: int | None
    seat: Seat | None
    number: int | None
    recipient: str = field(repr=False)
    created: datetime
