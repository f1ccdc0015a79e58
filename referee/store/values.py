"""What the store hands out and takes in: frozen values, never rows."""

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
"""What became of a letter; every letter ends in exactly one."""

Purpose = Literal["seat", "watch", "hold", "address", "former", "bye", "deed"]
"""What a reply tag is for: playing in a game, watching one, confirming a held letter, confirming an address from there,
taking a change of address back from the old one, or confirming that one leaves, or what one does as an umpire."""

AddressUse = Literal["second", "asked-main", "asked-second", "former"]
"""What a further address of a player's is: letters from it are his, too; it was asked for as such or as the main one
and is not confirmed; or it was the main one and the change can still be taken back from there."""

WritingKind = Literal["press", "diary", "claim", "answer", "appeal", "ruling"]
"""What a player wrote that is no move: to the other player, to himself, or to the umpire."""

CLOCKS_APART = timedelta(minutes=5)
"""What was written later than this from now was written by a clock that was wrong, and keeps nobody waiting.
Less than this may be another machine's clock."""

RUNNING = ("proposed", "playing")
"""The statuses of games in which something can still happen."""

Identity = tuple[str, int, str]
"""Where a letter lies: mailbox, UIDVALIDITY and UID."""


def lately(at: datetime, time: timedelta, now: datetime) -> bool:
    """Return whether something happened no longer ago than `time`; what lies in the future has happened long ago, since
    it was written by a clock that was wrong."""
    return -CLOCKS_APART <= now - at <= time


_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def address_key(address: str) -> str:
    """Return what two spellings of a mail address have in common: the case of the letters A to Z does not count.

    Other alphabets stay as they are: U+212A, the sign for kelvin, is no k, whatever Unicode's lower case says.
    """
    return address.strip().translate(_SMALL)


def identity(letter: RawLetter) -> Identity:
    """Return where a letter lies."""
    return (letter.mailbox, letter.uidvalidity, letter.uid)


def is_same(one: str, other: str) -> bool:
    """Return whether two letters that were seen in the same place are one, by their digests: they are, unless both are
    known and differ."""
    return not one or not other or one == other


@dataclass(frozen=True, slots=True)
class Known:
    """A letter that was recorded before.

    decided: it has its outcome, so the mailbox may put it away. digest: of its content, "" where that is not known.
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

    number: that of `referee letters`. size: octets of the whole letter. content is the header alone when the
    letter was too large to be taken in; None when it could not be had, or when its writer has left and was
    erased. outcome: None until it is decided. attempts: how often deciding it has failed. digest: see content_hash.
    recorded: when the house took it in. reason: of its outcome, or of what keeps it from one. again: it had an outcome,
    and is decided once more. repeated: there are others with this content; see LetterQueries.duplicate.
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
        """When it came in, as far as clocks are concerned: its mail host says so, but it was not later than the house
        took it in (TM-1.2)."""
        return min(self.received, self.recorded)

    @property
    def too_large(self) -> bool:
        """Whether only the header was taken in."""
        return self.content is not None and len(self.content) < self.size


@dataclass(frozen=True, slots=True)
class Earlier:
    """A letter that was heard, of the same words as another. content: None when it was erased."""

    number: int
    received: datetime
    recorded: datetime
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a letter is held against: its writer's letters that did something in a game.

    newest: the latest Date of them. same: the number of one with the same lines and the same Date, None for none. said:
    one had the same lines, and a Date; undated: one had the same lines, and none.
    """

    newest: datetime | None
    same: int | None
    said: bool
    undated: bool


@dataclass(frozen=True, slots=True)
class StoredClock:
    """What is kept of a seat's clock; see tables. reminded: marks, and when the player got a reminder of each."""

    next: datetime | None
    promised: datetime | None
    reminded: tuple[tuple[timedelta, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class StuckClock:
    """A clock that could not be looked at (why: the kind of error), or that nobody has looked at in time (why: "")."""

    game: int
    seat: Seat
    due: datetime
    why: str


@dataclass(frozen=True, slots=True)
class EarlyLetter:
    """A letter that may have come in in time and that was not heard: it waits, is held, or was set aside.

    arrived: as in StoredLetter. game: that it is about, if that is known. commands: what was read in it. sender: as a
    key of addresses, "" where nobody could read whose it is.
    """

    number: int
    outcome: Outcome | None
    arrived: datetime
    recorded: datetime
    game: int | None
    commands: tuple[str, ...]
    sender: str


@dataclass(frozen=True, slots=True)
class StoredLeave:
    """Leave that a player has taken. competition: the event for whose games, None for those of none. kept: the leave,
    None where it cannot be read."""

    player: int
    competition: int | None
    kept: Leave | None

    @property
    def leave(self) -> Leave:
        """The leave. Raises ValueError where it cannot be read: nobody knows then when no time of the player's ran."""
        if self.kept is None:
            raise ValueError(f"leave of player {self.player} cannot be read")
        return self.kept


@dataclass(frozen=True, slots=True)
class HeldLetter:
    """A letter in a player's name that may not be theirs, or not new. reason: why it is held. game: that it is about,
    if that is known. content: None when it was erased. outcome: another than "held" once it was heard. sender: "" where
    that was an address of his that he has given up. tagged: it came to a reply tag of his that counted then."""

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
        """Whether it can still be heard."""
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
    """A letter of ours that answers one, as an operator sees it: without its bytes.

    number: X-Referee-Number. state: queued, claimed, sent or refused. tries: how often posting it was tried;
    said: the mail host's words at the last try.
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
    """Something that does not go on by itself. which: a letter's or a game's number, or whom a letter is for."""

    which: str
    why: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What waits and what is stuck.

    newest: when the newest letter, in or out, was kept. waiting: letters without an outcome; failing: those of them
    that have made the house fail. untried: letters of ours that nobody has tried to post yet; delayed: those that
    were refused for now. held, refused: of the last days only. unreachable: players to whom letters do not arrive.
    standing_still: processes that do nothing, and keep others from going on meanwhile. suspects: letters that were in
    hand at several unclean ends. unreached: games whose newest letters reached none of their players. notices: letters
    to whoever runs the service that did not arrive. What is named is the newest few.
    """

    newest: datetime | None
    waiting: int
    waiting_since: datetime | None
    failing: tuple[Stuck, ...]
    set_aside: int
    set_aside_newest: tuple[Stuck, ...]
    held: int
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
    """How much is open at one instant: counts alone, nobody is named.

    newest: when the newest letter, in or out, was kept. waiting: letters without an outcome; queued: letters of ours
    that are not posted; each with when the oldest of them was kept. games: those being played, and those proposed.
    unreachable: players. unreached: games whose newest letters reached none of their players. octets: what the database
    takes.
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

    last_event: number of the newest, 0 before the first. proposed_by, proposed_to: players, while it is only
    proposed (to None: anybody may join). seats: who sits where, once it has begun. invited: the address by which its
    first proposer named whom it is for, which is for him alone to see; "" where he did not, and once it waits no more.
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
    """The event that it belongs to."""
    outline: str = field(default="", repr=False)
    """How it stands, as games.summary writes it; "" where that was never kept."""
    result: str | None = None
    """Which end it has had, as games.results has it; "" where it was never played, None while something can happen."""

    def concerns(self, player: int) -> bool:
        """Return whether a player sits in the game; before it begins, whether he proposed it or is asked to play it."""
        return player in (self.seats.values() or (self.proposed_by, self.proposed_to))


@dataclass(frozen=True, slots=True)
class AskedDeed:
    """What an umpire has asked for by letter and is to confirm. line: as the desk writes it. stands: how each game
    stood for it, by its number. newcomer: the number of the player who is to take a seat; None where nobody is, and for
    one who is not registered yet."""

    player: int
    line: str = field(repr=False)
    stands: Mapping[int, str]
    created: datetime
    newcomer: int | None = None


@dataclass(frozen=True, slots=True)
class Errand:
    """A deed that is being done in all games of an event. after: those up to this number are dealt with. done: those in
    which it was done. player: who has asked for it. line: as in AskedDeed."""

    number: int
    competition: int
    player: int
    line: str = field(repr=False)
    after: int
    done: tuple[int, ...]
    created: datetime


@dataclass(frozen=True, slots=True)
class StoredCompetition:
    """An event with those who hold an office in it now. version: of its terms. kept: those, or why they cannot be read;
    its name and its officers are known all the same."""

    number: int
    kept: Competition | EventUnreadable
    version: int
    created: datetime
    officers: tuple[Officer, ...] = ()

    @property
    def name(self) -> str:
        """What it is called."""
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
    """When an event got the terms of a version, and why."""

    version: int
    at: datetime
    reason: str
    terms: Competition


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """Something that happened in a game.

    number: from 1, without gaps. body: plain data, hidden facts and all. letter: the number of the letter that
    caused it, None for what the house or the umpire did.
    """

    number: int
    kind: str
    at: datetime
    body: Mapping[str, Any] = field(repr=False)
    letter: int | None


@dataclass(frozen=True, slots=True)
class Thread:
    """A player's letters about one game (0: about none).

    letters: how many he was written. told: how many of the happenings that his seat heard they have told.
    tag: the reply tag that they carry. root: Message-ID of the first; last: those of the newest, oldest first.
    resent: those up to this number were sent again unasked, or need not be. entries: files for his calendar program
    that told of his moves in the game; entered: the deadline that the last of them has put there, None for none.
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
        """Return it after one more letter."""
        root, last = self.root or message_id, (*self.last, message_id)[-2:]
        return replace(self, letters=self.letters + 1, root=root, last=last)


@dataclass(frozen=True, slots=True)
class Gathered:
    """News of a game that waits for a player's next letter about it, or for that with the news of his day.

    code and facts: of a note (see reports.notes); whom it names is not among the facts, but a number, so that whoever
    leaves is named no more. who: that player, None where nobody is named.
    """

    game: int
    code: str
    facts: Mapping[str, Any]
    who: int | None


@dataclass(frozen=True, slots=True)
class Tag:
    """A reply tag: what letters to it are about. Whoever uses it need not be the player it was made for.

    letter: the newest of the held letters that it confirms; of a tag for an address, the answer that came from there
    before.
    """

    text: str = field(repr=False)
    purpose: Purpose
    player: int
    game: int | None
    letter: int | None
    revoked: bool
    created: datetime

    def is_within(self, time: timedelta, now: datetime) -> bool:
        """Return whether it was made so lately; see `lately`."""
        return lately(self.created, time, now)


@dataclass(frozen=True, slots=True)
class FurtherAddress:
    """An address of a player's beside the one that letters go to. tag: the reply tag that stands for it, if any."""

    player: int
    use: AddressUse
    address: str = field(repr=False)
    tag: str | None = field(repr=False)
    created: datetime

    def is_within(self, time: timedelta, now: datetime) -> bool:
        """Return whether it has been so for no longer; see `lately`."""
        return lately(self.created, time, now)


@dataclass(frozen=True, slots=True)
class LetterHeard:
    """A letter that was answered, or passed over for a reason that was asked for. content: None when it was erased."""

    number: int
    received: datetime
    recorded: datetime
    reason: str
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class LetterWritten:
    """A letter of ours. at: when it went out, or was written where it has not. answers: the letter that it answers."""

    at: datetime
    written: datetime
    answers: int | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class Parting:
    """What is kept of a player who has left, found by his address and naming it nowhere, so that leaving ends no limit.

    letter: the number of his last one. played: he has sat in a game. letters: those heard of him in the last hour;
    challenges: those he made in the last day.
    """

    at: datetime
    letter: int
    played: bool
    letters: int
    challenges: int


@dataclass(frozen=True, slots=True)
class QueuedLetter:
    """A letter of ours as finished bytes, to be posted.

    sender and recipient: envelope addresses. message_id without angle brackets. number: X-Referee-Number.
    answers: the number of the letter it answers. told: how many happenings of its game the reader had heard by then.
    sent: the instant at which it was written, which its Date tells; None for the present one.
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
    """A letter claimed for posting.

    tries: how often posting it was tried before; uncertain: how many of these may have succeeded all the same.
    language: the reader's, None for one who is no player.
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
    """Something that a player wrote during a game. turn: what was being played then. text: may have several lines."""

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
    """A case with what its player wrote. name: his, "" where he has given none. turn: as in Writing.

    ended: when the game was over, None while it is not. competition: the event that it belongs to. player: his number.
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
        """Which of the game's cases it is, from 1."""
        return self.case.number

    @property
    def state(self) -> Literal["open", "game over", "appealed", "answered"]:
        """Whether it waits for somebody to rule, and whether its game is over meanwhile."""
        if self.case.state == "appealed":
            return "appealed"
        if self.case.decisions:
            return "answered"
        return "open" if self.ended is None else "game over"


@dataclass(frozen=True, slots=True)
class NumberedLetter:
    """A letter of ours as it was first written, found by its number."""

    message_id: str
    kind: Kind
    subject: str
    seat: Seat | None
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class MailedLetter:
    """A letter of ours as it was written. sent: when it was accepted for delivery, None where it was not; content: None
    where it was erased."""

    sender: str
    created: datetime
    sent: datetime | None
    content: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class SentLetter:
    """What a letter of ours was about and for whom, found by its Message-ID."""

    message_id: str
    kind: Kind
    game: int | None
    player: int | None
    seat: Seat | None
    number: int | None
    recipient: str = field(repr=False)
    created: datetime
