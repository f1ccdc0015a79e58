"""What may be asked of the store within one transaction. Asking changes nothing."""

from __future__ import annotations

import difflib
import hashlib
import hmac
import itertools
import json
import string
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    Select,
    bindparam,
    exists,
    func,
    literal_column,
    or_,
    select,
)

from referee.common.clock import Clock
from referee.common.errors import GameUnreadable, UsageError
from referee.games.cases import Case, Duty
from referee.games.events import (
    DAMAGED,
    Countered,
    EndOffered,
    OfferWithdrawn,
    Opened,
    PlanDropped,
    Planned,
    Proposed,
    ResignationAsked,
    ResignationDropped,
    Ruled,
    TakenBack,
    read_event,
)
from referee.games.evidence import CameIn, WentOut
from referee.games.game import AnyRulebook, Status
from referee.games.player import Player
from referee.games.player_names import skeleton
from referee.games.umpire_log import acts_beside_the_moves, rulings_among
from referee.mail.message.message import OwnLine
from referee.reports.comments import Comment, comments_on
from referee.rulebooks.rulebook import Seat
from referee.store import clock_regularity, exchanges, game_search
from referee.store import overview_values as overview_queries
from referee.store.exchanges import LetterHeard, LetterWritten
from referee.store.game_search import Search
from referee.store.overview_values import Docket, Passed, Proposal, RunningGame, Waits
from referee.store.repositories import cases, clocks, drafts, tournaments
from referee.store.repositories import letters as heard_letters
from referee.store.tables import (
    ADDRESSES,
    EVENTS,
    FORMER_SEATS,
    GAMES,
    GATHERED,
    LETTER_CONTENTS,
    LETTERS,
    OUTGOING,
    OUTGOING_CONTENTS,
    PARTINGS,
    PERSONS,
    PLAYERS,
    SEATS,
    TAGS,
    THREADS,
    WATCHES,
    WRITINGS,
)
from referee.store.undelivered import Unreached, unreached
from referee.store.values import (
    CLOCKS_APART,
    AddressUse,
    AnswerLine,
    Claim,
    Earlier,
    EarlyLetter,
    FurtherAddress,
    Heard,
    HeldLetter,
    LetterLine,
    MailedLetter,
    NumberedLetter,
    Outcome,
    Parting,
    Purpose,
    SentLetter,
    StoredClock,
    StoredCompetition,
    StoredEvent,
    StoredGame,
    StoredLeave,
    StoredLetter,
    StuckClock,
    Tag,
    TermsChanged,
    Thread,
    Writing,
    WritingKind,
)

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_KEYS_AT_A_TIME = 500
"""Names that are looked for in one question."""
RUNNING = ("proposed", "playing")
"""The statuses of games in which something can still happen."""

# Statements that a letter needs are built once, here: building one costs more than running it. `which` and the like
# are their parameters. Those with _LOCKED lock what they find until the end of the transaction.

_PROPOSED = GAMES.c.status == literal_column("'proposed'")
"""Written out, since the databases use an index of open rows only where they see its condition."""

_this, _other = LETTERS.alias("this"), LETTERS.alias("other")
_repeated = exists().where(
    LETTERS.c.digest != "", _other.c.digest == LETTERS.c.digest, _other.c.number != LETTERS.c.number
) | exists().where(
    LETTERS.c.words != "", _other.c.words == LETTERS.c.words, _other.c.number != LETTERS.c.number
)
_DECIDED = (
    select(
        LETTERS.c.number,
        LETTERS.c.received,
        LETTERS.c.size,
        LETTER_CONTENTS.c.content,
        LETTERS.c.outcome,
        LETTERS.c.attempts,
        LETTERS.c.digest,
        LETTERS.c.recorded,
        LETTERS.c.reason,
        or_(LETTERS.c.outcome.is_not(None), LETTERS.c.again.is_not(None)),
        _repeated,
    )
    .outerjoin_from(LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter)
    .where(LETTERS.c.number == bindparam("which"))
)
_DECIDED_LOCKED = _DECIDED.with_for_update(of=LETTERS, skip_locked=True, key_share=True)
_WAITING = _DECIDED.where(LETTERS.c.outcome.is_(None))
# FOR UPDATE, as nothing else locks a letter: see letter_ordering, where it is told from one that is only changed.
_WAITING_LOCKED = _WAITING.with_for_update(of=LETTERS, skip_locked=True)

_this_sent = OUTGOING.alias("this_sent")
_SAME = (
    select(func.min(_other.c.number))
    .join_from(_this, _other, _this.c.digest == _other.c.digest)
    .where(
        _this.c.number == bindparam("which"),
        _this.c.digest != "",
        _other.c.number != bindparam("which"),
        _other.c.outcome.in_(bindparam("outcomes", expanding=True)),
        func.coalesce(_other.c.reason, "").not_in(bindparam("besides", expanding=True)),
    )
)

_OF_THE_SAME_WORDS = (
    select(_other.c.number, _other.c.received, _other.c.recorded, LETTER_CONTENTS.c.content)
    .join_from(_this, _other, _this.c.words == _other.c.words)
    .outerjoin(LETTER_CONTENTS, _other.c.number == LETTER_CONTENTS.c.letter)
    .where(
        _this.c.number == bindparam("which"),
        _this.c.words != "",
        _other.c.number != bindparam("which"),
        _other.c.outcome.in_(bindparam("outcomes", expanding=True)),
        func.coalesce(_other.c.reason, "").not_in(bindparam("besides", expanding=True)),
    )
    .order_by(_other.c.number)
    .limit(bindparam("most"))
)

_HELD = select(
    LETTERS.c.number,
    LETTERS.c.received,
    LETTERS.c.game,
    LETTER_CONTENTS.c.content,
    LETTERS.c.outcome,
    LETTERS.c.sender,
    LETTERS.c.tagged,
    LETTERS.c.reason,
).outerjoin_from(LETTERS, LETTER_CONTENTS, LETTERS.c.number == LETTER_CONTENTS.c.letter)
_HELD_UNASKED = _HELD.where(
    LETTERS.c.outcome == literal_column("'held'"),
    LETTERS.c.held_for == bindparam("who"),
    LETTERS.c.asked_by.is_(None),
    LETTERS.c.tagged == bindparam("tagged"),
    LETTERS.c.recorded > bindparam("since"),
    LETTER_CONTENTS.c.letter.is_not(None),
).limit(bindparam("most"))
_OLDEST_UNASKED = _HELD_UNASKED.order_by(LETTERS.c.number)
_NEWEST_UNASKED = _HELD_UNASKED.order_by(LETTERS.c.number.desc())
_ASKED_ABOUT = _HELD.where(LETTERS.c.asked_by == bindparam("tag")).order_by(LETTERS.c.number)
_TO_BE_ASKED = (
    select(LETTERS.c.held_for)
    .join_from(LETTERS, PERSONS, LETTERS.c.held_for == PERSONS.c.player)
    .where(
        LETTERS.c.outcome == literal_column("'held'"),
        LETTERS.c.asked_by.is_(None),
        LETTERS.c.recorded > bindparam("since"),
    )
    .distinct()
)

_LETTER_LINES: Select[Any] = select(
    LETTERS.c.number,
    LETTERS.c.received,
    LETTERS.c.size,
    LETTERS.c.sender,
    LETTERS.c.outcome,
    LETTERS.c.reason,
    LETTERS.c.game,
    LETTERS.c.commands,
    LETTERS.c.attempts,
)

_PLAYERS = select(
    PLAYERS.c.number,
    PERSONS.c.name,
    PERSONS.c.address,
    PLAYERS.c.language,
    PLAYERS.c.zone,
    PLAYERS.c.form,
    PLAYERS.c.sheets,
    PLAYERS.c.picture,
    PLAYERS.c.compass,
    PLAYERS.c.letters,
    func.coalesce(PERSONS.c.returns, 0),
    PERSONS.c.unreachable.is_not(None),
    PLAYERS.c.calendar,
    PLAYERS.c.overview,
    PLAYERS.c.hold,
).outerjoin_from(PLAYERS, PERSONS, PLAYERS.c.number == PERSONS.c.player)
_PLAYER = _PLAYERS.where(PLAYERS.c.number == bindparam("which"))
_SECOND = ADDRESSES.c.use == literal_column("'second'")
_PLAYER_AT = _PLAYERS.where(
    # One after the other, each by its index; the second is looked for only where the first finds nobody.
    PLAYERS.c.number
    == func.coalesce(
        select(PERSONS.c.player).where(PERSONS.c.address_key == bindparam("which")).scalar_subquery(),
        select(ADDRESSES.c.player)
        .where(ADDRESSES.c.address_key == bindparam("which"), _SECOND)
        .scalar_subquery(),
    )
)
_WHO_LEFT = (
    select(ADDRESSES.c.player)
    .where(
        ADDRESSES.c.address_key == bindparam("which"),
        ADDRESSES.c.use == literal_column("'former'"),
        ADDRESSES.c.created.between(bindparam("since"), bindparam("until")),
    )
    .order_by(ADDRESSES.c.created)
    .limit(1)
)
_PLAYERS_NAMED = _PLAYERS.where(PERSONS.c.name_key == bindparam("which")).order_by(PLAYERS.c.number)

_GAMES = (
    select(GAMES, SEATS.c.seat, SEATS.c.player)
    .outerjoin_from(GAMES, SEATS, GAMES.c.number == SEATS.c.game)
    .order_by(GAMES.c.number)
)
_GAME = _GAMES.where(GAMES.c.number == bindparam("which"))
_GAME_LOCKED = _GAME.with_for_update(of=GAMES, key_share=True)

_SEATED = select(SEATS.c.game).where(SEATS.c.player == bindparam("who"))
_PROPOSED_BY = select(GAMES.c.number).where(GAMES.c.proposed_by == bindparam("who"), _PROPOSED)
_PROPOSED_TO = select(GAMES.c.number).where(GAMES.c.proposed_to == bindparam("who"), _PROPOSED)
_STATUSES: BindParameter[Any] = bindparam("statuses", expanding=True)
_GAMES_OF = _GAMES.where(
    GAMES.c.number.in_(_SEATED.union(_PROPOSED_BY, _PROPOSED_TO)), GAMES.c.status.in_(_STATUSES)
)
_RUNNING_GAMES_OF = _GAMES.where(
    GAMES.c.number.in_(_SEATED.where(~SEATS.c.done).union(_PROPOSED_BY, _PROPOSED_TO)),
    GAMES.c.status.in_(_STATUSES),
)
_OPEN_GAMES = _GAMES.where(_PROPOSED, GAMES.c.proposed_by.is_not(None), GAMES.c.proposed_to.is_(None))

_WATCHED_GAMES = _GAMES.where(
    GAMES.c.number.in_(select(WATCHES.c.game).where(WATCHES.c.player == bindparam("who"), ~WATCHES.c.over))
)
_WATCHES = select(WATCHES.c.game).where(
    WATCHES.c.player == bindparam("who"), WATCHES.c.game == bindparam("which")
)

_CHALLENGES = select(func.count()).where(
    GAMES.c.proposed_by == bindparam("who"),
    GAMES.c.proposed_to.is_not(None),
    GAMES.c.created.between(bindparam("since"), bindparam("until")),
)

_EVENTS = (
    select(EVENTS.c.number, EVENTS.c.kind, EVENTS.c.at, EVENTS.c.body, EVENTS.c.letter)
    .where(EVENTS.c.game == bindparam("which"), EVENTS.c.number > bindparam("after"))
    .order_by(EVENTS.c.number)
)

_WRITTEN = (
    select(
        WRITINGS.c.number,
        WRITINGS.c.game,
        WRITINGS.c.player,
        WRITINGS.c.kind,
        WRITINGS.c.turn,
        WRITINGS.c.at,
        WRITINGS.c.text,
    )
    .where(
        WRITINGS.c.game == bindparam("which"),
        WRITINGS.c.kind == bindparam("kind"),
        WRITINGS.c.at > bindparam("since"),
    )
    .order_by(WRITINGS.c.number)
)
_CLAIMS = (
    select(
        WRITINGS.c.number,
        WRITINGS.c.game,
        GAMES.c.title,
        PERSONS.c.name,
        WRITINGS.c.turn,
        WRITINGS.c.text,
        GAMES.c.ended,
        GAMES.c.competition,
        WRITINGS.c.player,
    )
    .join_from(WRITINGS, GAMES, WRITINGS.c.game == GAMES.c.number)
    .join(PERSONS, PERSONS.c.player == WRITINGS.c.player)
    .where(WRITINGS.c.kind == "claim")
    .order_by(WRITINGS.c.at, WRITINGS.c.game, WRITINGS.c.number)
)
_COMMENTS = (
    select(
        WRITINGS.c.number,
        WRITINGS.c.kind,
        func.coalesce(SEATS.c.seat, FORMER_SEATS.c.seat, "").label("seat"),
        WRITINGS.c.turn,
        WRITINGS.c.at,
        WRITINGS.c.text,
        SEATS.c.seat.is_(None).label("former"),
    )
    .outerjoin_from(
        WRITINGS, SEATS, (SEATS.c.game == WRITINGS.c.game) & (SEATS.c.player == WRITINGS.c.player)
    )
    .outerjoin(
        FORMER_SEATS,
        (FORMER_SEATS.c.game == WRITINGS.c.game) & (FORMER_SEATS.c.player == WRITINGS.c.player),
    )
    .where(WRITINGS.c.game == bindparam("which"), WRITINGS.c.kind.in_(("press", "diary", "ruling")))
    .order_by(WRITINGS.c.number)
)
_CAUSES = (
    select(EVENTS.c.letter)
    .where(EVENTS.c.game == bindparam("which"), EVENTS.c.letter.is_not(None))
    .group_by(EVENTS.c.letter)
    .order_by(func.max(EVENTS.c.number).desc())
    .limit(bindparam("most"))
)

_MOVED_SINCE = (
    select(EVENTS.c.number)
    .join_from(EVENTS, LETTERS, EVENTS.c.letter == LETTERS.c.number)
    .where(
        EVENTS.c.game == bindparam("which"),
        EVENTS.c.kind == literal_column(f"'{Ruled.__name__}'"),
        func.coalesce(LETTERS.c.again, LETTERS.c.number) > bindparam("letter"),
    )
    .limit(1)
)

_CHANGES = (
    Proposed,
    Countered,
    Opened,
    Ruled,
    EndOffered,
    OfferWithdrawn,
    Planned,
    PlanDropped,
    ResignationAsked,
    ResignationDropped,
)
"""After these events something else can be taken up or taken back than before."""
_CHANGED_SINCE = (
    select(EVENTS.c.number)
    .join_from(EVENTS, LETTERS, EVENTS.c.letter == LETTERS.c.number)
    .where(
        EVENTS.c.game == bindparam("which"),
        EVENTS.c.kind.in_([literal_column(f"'{kind.__name__}'") for kind in _CHANGES]),
        func.coalesce(LETTERS.c.again, LETTERS.c.number) > bindparam("letter"),
    )
    .limit(1)
)

_TURN_SINCE = (
    select(EVENTS.c.at)
    .where(
        EVENTS.c.game == bindparam("which"),
        EVENTS.c.kind.in_([literal_column(f"'{kind.__name__}'") for kind in (Ruled, TakenBack, Opened)]),
    )
    .order_by(EVENTS.c.number.desc())
    .limit(1)
)

_TAG = select(
    TAGS.c.tag,
    TAGS.c.purpose,
    TAGS.c.player,
    TAGS.c.game,
    TAGS.c.letter,
    TAGS.c.revoked.is_not(None),
    TAGS.c.created,
).where(TAGS.c.tag == bindparam("which"))
_TAGS_SINCE = select(func.count()).where(
    TAGS.c.player == bindparam("who"),
    TAGS.c.purpose == bindparam("purpose"),
    TAGS.c.created.between(bindparam("since"), bindparam("until")),
)
_QUESTIONS = select(func.count()).where(
    TAGS.c.player == bindparam("who"),
    TAGS.c.purpose.in_([literal_column(f"'{purpose}'") for purpose in ("hold", "address", "bye", "deed")]),
    TAGS.c.revoked.is_(None),
    TAGS.c.created.between(bindparam("since"), bindparam("until")),
)
_FURTHER = select(
    ADDRESSES.c.player, ADDRESSES.c.use, ADDRESSES.c.address, ADDRESSES.c.tag, ADDRESSES.c.created
).where(ADDRESSES.c.player == bindparam("who"))

_THREAD = select(
    THREADS.c.letters,
    THREADS.c.told,
    THREADS.c.tag,
    THREADS.c.root,
    THREADS.c.last,
    THREADS.c.resent,
    THREADS.c.entries,
    THREADS.c.entered,
).where(THREADS.c.player == bindparam("who"), THREADS.c.game == bindparam("which"))
_THREAD_LOCKED = _THREAD.with_for_update()

_NAMED_SO = or_(OUTGOING.c.message_id == bindparam("which"), OUTGOING.c.renamed == bindparam("which"))
_SENT = select(
    OUTGOING.c.message_id,
    OUTGOING.c.kind,
    OUTGOING.c.game,
    OUTGOING.c.player,
    OUTGOING.c.seat,
    OUTGOING.c.number,
    OUTGOING.c.recipient,
    OUTGOING.c.created,
).where(_NAMED_SO)
_SENT_CONTENT = (
    select(OUTGOING_CONTENTS.c.content)
    .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .where(_NAMED_SO)
)


def _about(asked: Select[Any]) -> Mapping[bool, Select[Any]]:
    """Return a question about letters of ours for those about a game, and for those about none: by an index either."""
    return {
        True: asked.where(OUTGOING.c.game == bindparam("which")),
        False: asked.where(OUTGOING.c.game.is_(None)),
    }


_NUMBERED = _about(
    select(
        OUTGOING.c.message_id,
        OUTGOING.c.kind,
        OUTGOING.c.subject,
        OUTGOING.c.seat,
        OUTGOING_CONTENTS.c.content,
    )
    .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.number == bindparam("number"),
    )
    .order_by(OUTGOING.c.id)
    .limit(1)
)
_TOLD = _about(
    select(OUTGOING.c.told)
    .where(OUTGOING.c.player == bindparam("who"), OUTGOING.c.number == bindparam("number"))
    .order_by(OUTGOING.c.id)
    .limit(1)
)
_NEWER = _about(
    select(OUTGOING.c.number)
    .join_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.number > bindparam("after"),
        OUTGOING.c.kind.in_(bindparam("kinds", expanding=True)),
    )
    .distinct()
    .order_by(OUTGOING.c.number.desc())
    .limit(20)
)
_seated = (
    select(SEATS.c.player)
    .where(SEATS.c.game == bindparam("which"), SEATS.c.seat == bindparam("seat"))
    .union(
        select(FORMER_SEATS.c.player).where(
            FORMER_SEATS.c.game == bindparam("which"), FORMER_SEATS.c.seat == bindparam("seat")
        )
    )
)
_OF_SEAT = (
    select(OUTGOING.c.sender, OUTGOING.c.created, OUTGOING.c.sent, OUTGOING_CONTENTS.c.content)
    .outerjoin_from(OUTGOING, OUTGOING_CONTENTS, OUTGOING.c.id == OUTGOING_CONTENTS.c.id)
    .where(
        OUTGOING.c.player.in_(_seated),
        OUTGOING.c.game == bindparam("which"),
        # Before the game began nobody sat there, and letters say no seat.
        or_(OUTGOING.c.seat == bindparam("seat"), OUTGOING.c.seat.is_(None)),
    )
    .order_by(OUTGOING.c.id)
)
_ANSWERS: Select[Any] = select(
    OUTGOING.c.message_id,
    OUTGOING.c.recipient,
    OUTGOING.c.kind,
    OUTGOING.c.game,
    OUTGOING.c.number,
    OUTGOING.c.state,
    OUTGOING.c.tries,
    OUTGOING.c.answer,
    OUTGOING.c.created,
    OUTGOING.c.sent,
).order_by(OUTGOING.c.id)
_COUNT_SENT = select(func.count()).where(
    OUTGOING.c.reader == bindparam("who"),
    OUTGOING.c.kind == bindparam("kind"),
    OUTGOING.c.created.between(bindparam("since"), bindparam("until")),
)

_INVITATIONS = (
    select(GAMES.c.proposed_by, GAMES.c.status)
    .join_from(OUTGOING, GAMES, OUTGOING.c.game == GAMES.c.number)
    .where(
        OUTGOING.c.reader == bindparam("who"),
        OUTGOING.c.kind == literal_column("'invitation'"),
        OUTGOING.c.created.between(bindparam("since"), bindparam("until")),
    )
)
_INVITED = (
    select(OUTGOING.c.id)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.game == bindparam("which"),
        OUTGOING.c.kind == literal_column("'invitation'"),
    )
    .limit(1)
)
_PARTING = select(
    PARTINGS.c.at, PARTINGS.c.letter, PARTINGS.c.played, PARTINGS.c.letters, PARTINGS.c.challenges
).where(PARTINGS.c.who == bindparam("who"))

_ANSWERED = select(OUTGOING.c.id).where(
    OUTGOING.c.player == bindparam("who"), OUTGOING.c.answers.is_not(None)
)
"""Whoever was answered has written."""
_HAS_WRITTEN = _ANSWERED.limit(1)
_SENT_ID = select(_this_sent.c.id).where(_this_sent.c.message_id == bindparam("which")).scalar_subquery()
_HAS_WRITTEN_SINCE = _ANSWERED.where(OUTGOING.c.id > _SENT_ID).limit(1)
_HEARD = select(func.count()).select_from(
    select(LETTERS.c.number)
    .where(
        LETTERS.c.sender == bindparam("who"),
        LETTERS.c.received > bindparam("since"),
        LETTERS.c.received <= bindparam("until"),
        LETTERS.c.outcome.in_(("ruled", "answered")),
    )
    .limit(bindparam("most"))
    .subquery()
)
_RETURNED = (
    select(OUTGOING.c.game, OUTGOING.c.number)
    .where(
        OUTGOING.c.player == bindparam("who"),
        OUTGOING.c.returned.is_not(None),
        OUTGOING.c.number.is_not(None),
    )
    .order_by(OUTGOING.c.id.desc())
    .limit(bindparam("most"))
)
_SENT_COLUMNS = (
    OUTGOING.c.message_id,
    OUTGOING.c.kind,
    OUTGOING.c.game,
    OUTGOING.c.player,
    OUTGOING.c.seat,
    OUTGOING.c.number,
    OUTGOING.c.recipient,
    OUTGOING.c.created,
)
"""What a SentLetter is made of, in its order."""
_REFUSED = (
    select(*_SENT_COLUMNS, OUTGOING.c.answer, OUTGOING.c.tries)
    .where(OUTGOING.c.state == literal_column("'refused'"), OUTGOING.c.returned.is_(None))
    .order_by(OUTGOING.c.id)
    .limit(bindparam("most"))
)
_PUT_OFF = (
    select(*_SENT_COLUMNS, OUTGOING.c.answer)
    .where(OUTGOING.c.state == literal_column("'queued'"), OUTGOING.c.tries >= bindparam("tries"))
    .order_by(OUTGOING.c.next_try, OUTGOING.c.id)
    .limit(bindparam("most"))
)
_PERHAPS_TAKEN = (
    select(*_SENT_COLUMNS)
    .where(OUTGOING.c.state == literal_column("'queued'"), OUTGOING.c.uncertain >= bindparam("times"))
    .order_by(OUTGOING.c.next_try, OUTGOING.c.id)
    .limit(bindparam("most"))
)
_newest = OUTGOING.alias("newest")
_RETURNED_ONCE = (
    select(OUTGOING.c.player, OUTGOING.c.game, OUTGOING.c.number, OUTGOING.c.message_id)
    .join_from(PERSONS, OUTGOING, OUTGOING.c.player == PERSONS.c.player)
    .where(
        PERSONS.c.returns > literal_column("0"),
        PERSONS.c.unreachable.is_(None),
        or_(OUTGOING.c.returned < bindparam("before"), OUTGOING.c.returned > bindparam("until")),
        OUTGOING.c.id
        == select(func.max(_newest.c.id)).where(_newest.c.player == PERSONS.c.player).scalar_subquery(),
        OUTGOING.c.number.is_not(None),
    )
    .limit(bindparam("most"))
)


_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def address_key(address: str) -> str:
    """Return what two spellings of a mail address have in common: the case of the letters A to Z does not count.

    Other alphabets stay as they are: U+212A, the sign for kelvin, is no k, whatever Unicode's lower case says.
    """
    return address.strip().translate(_SMALL)


class Lookup:
    """Questions to the store. They change nothing; whether they lock what they find, Unit says."""

    def __init__(self, connection: Connection, key: bytes, clock: Clock) -> None:
        self._connection = connection
        self._key = key
        self._clock = clock

    @property
    def locks(self) -> bool:
        """Whether what is found is locked until the end of the transaction."""
        return False

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def house_key(self) -> bytes:
        """Return the service's key: 32 bytes, drawn once for this database."""
        if not self._key:
            raise RuntimeError("the store was not opened")
        return self._key

    # letters that came in

    def letter(self, number: int, *, decided: bool = False) -> StoredLetter | None:
        """Return a letter that waits for its outcome; with `decided`, one that has it as well.

        None when there is none, or when another process has it in hand: in a Unit the letter is locked.
        """
        if decided:
            asked = _DECIDED_LOCKED if self.locks else _DECIDED
        else:
            asked = _WAITING_LOCKED if self.locks else _WAITING
        row = self._connection.execute(asked, {"which": number}).first()
        return None if row is None else StoredLetter(*row)

    def same_letter(
        self, number: int, outcomes: Sequence[Outcome] = ("ruled", "answered"), besides: Sequence[str] = ()
    ) -> int | None:
        """Return the number of another letter with the same content and one of these outcomes, None if there is none.

        Commonly only a letter that was ruled or answered counts: one that was held, ignored or set aside has had no
        effect, and may be sent or put into the mailbox again. besides: reasons for which one does not count, either.
        """
        asked = {"which": number, "outcomes": list(outcomes), "besides": list(besides)}
        return self._connection.execute(_SAME, asked).scalar()

    def of_the_same_words(
        self, number: int, outcomes: Sequence[Outcome], besides: Sequence[str], limit: int
    ) -> list[Earlier]:
        """Return the letters by the same writer with the same Date and the same text, oldest first, of those that
        `same_letter` would name."""
        asked = {"which": number, "outcomes": list(outcomes), "besides": list(besides), "most": limit}
        return [Earlier(*row) for row in self._connection.execute(_OF_THE_SAME_WORDS, asked)]

    def heard(
        self, player: int, game: int, dated: datetime | None, lines: Sequence[OwnLine], until: datetime
    ) -> Heard:
        """Return what is known of a player's letters that did something in a game.

        dated, lines: of the letter that is held against them. until: later Dates than this one do not count as the
        newest, since they were written by a clock that was wrong.
        """
        return heard_letters.look_up(self._connection, player, game, dated, lines, until)

    def held(self, player: int, since: datetime, limit: int) -> list[HeldLetter]:
        """Return letters, kept after a time, that are held for a player and that he was not asked about, oldest first.

        Those to a reply tag of his go before the others, to which a fifth is left; of either kind half are the oldest
        and half the newest. So no flood of forged ones, before it or after it, hides one of his own for long.
        """
        found = self._unasked(player, since, limit - limit // 5, tagged=True)
        found += self._unasked(player, since, limit - len(found), tagged=False)
        return sorted(found, key=lambda each: each.number)

    def _unasked(self, player: int, since: datetime, most: int, *, tagged: bool) -> list[HeldLetter]:
        asked = {"who": player, "since": since, "tagged": tagged}
        found = {}
        for ordered, share in ((_OLDEST_UNASKED, (most + 1) // 2), (_NEWEST_UNASKED, most // 2)):
            for row in self._connection.execute(ordered, {**asked, "most": share}):
                found[row.number] = HeldLetter(*row)
        return list(found.values())

    def asked_about(self, tag: Tag) -> list[HeldLetter]:
        """Return the letters that a player was asked about by a tag, oldest first; some may have been heard since."""
        return [HeldLetter(*row) for row in self._connection.execute(_ASKED_ABOUT, {"tag": tag.text})]

    def to_be_asked(self, since: datetime) -> list[int]:
        """Return the players for whom letters are held, kept after a time, that they were not asked about."""
        return list(self._connection.execute(_TO_BE_ASKED, {"since": since}).scalars())

    def letters(self, limit: int, outcome: Outcome | None = None) -> list[LetterLine]:
        """Return the newest letters, oldest of them first, without their bytes."""
        asked = _LETTER_LINES if outcome is None else _LETTER_LINES.where(LETTERS.c.outcome == outcome)
        rows = self._connection.execute(asked.order_by(LETTERS.c.number.desc()).limit(limit)).all()
        return [_read_letter_line(row) for row in reversed(rows)]

    def letter_line(self, number: int) -> LetterLine | None:
        """Return one letter without its bytes, None when there is none."""
        row = self._connection.execute(_LETTER_LINES.where(LETTERS.c.number == number)).first()
        return None if row is None else _read_letter_line(row)

    def answers_to(self, letter: LetterLine) -> list[AnswerLine]:
        """Return what was written to the sender of a letter in answer to it, oldest first: to the address it came
        from, or to the player's main one."""
        player = self.player_by_address(letter.sender)
        readers = {letter.sender, address_key(player.address) if player else letter.sender}
        asked = _ANSWERS.where(OUTGOING.c.reader.in_(sorted(readers)), OUTGOING.c.answers == letter.number)
        return [AnswerLine(*row) for row in self._connection.execute(asked)]

    # players

    def player(self, number: int) -> Player:
        """Return a player; one who has left has neither name nor address. Raises LookupError for none."""
        players = self._players(_PLAYER, number)
        if not players:
            raise LookupError(f"there is no player {number}")
        return players[0]

    def player_by_address(self, address: str) -> Player | None:
        """Return the player of a mail address, his main or his second, in whatever case it is written."""
        players = self._players(_PLAYER_AT, address_key(address))
        return players[0] if players else None

    def player_who_left(self, address: str, since: datetime) -> Player | None:
        """Return the player whose main address that was until he took another between then and now."""
        asked = {"which": address_key(address), "since": since, "until": self._present()}
        player = self._connection.execute(_WHO_LEFT, asked).scalar()
        return None if player is None else self.player(player)

    def further_address(self, player: int, use: AddressUse) -> FurtherAddress | None:
        """Return a player's further address of that use, None when there is none."""
        found = [each for each in self.further_addresses(player) if each.use == use]
        return found[0] if found else None

    def further_addresses(self, player: int) -> list[FurtherAddress]:
        """Return all addresses of a player's beside his main one, whatever they are."""
        return [FurtherAddress(*row) for row in self._connection.execute(_FURTHER, {"who": player})]

    def players_named(self, name: str) -> list[Player]:
        """Return the players of a name, however it is written: look-alikes are the same name, and none is nobody's."""
        alike = skeleton(name)
        return self._players(_PLAYERS_NAMED, alike) if alike else []

    def mentioned(
        self, games: Collection[int], names: Collection[str], addresses: Collection[str]
    ) -> set[int]:
        """Return the players who have to do with some games, or have one of these names or addresses."""
        found: set[int] = set()
        if games:
            numbers = sorted(games)
            seated = select(SEATS.c.player).where(SEATS.c.game.in_(numbers))
            proposed = select(GAMES.c.proposed_by, GAMES.c.proposed_to).where(GAMES.c.number.in_(numbers))
            found.update(self._connection.execute(seated).scalars())
            found.update(who for row in self._connection.execute(proposed) for who in row if who is not None)
        keys = sorted({each for each in map(skeleton, names) if each})
        for first in range(0, len(keys), _KEYS_AT_A_TIME):
            some = keys[first : first + _KEYS_AT_A_TIME]
            called = select(PERSONS.c.player).where(PERSONS.c.name_key.in_(some))
            found.update(self._connection.execute(called).scalars())
        if addresses:
            written = sorted(map(address_key, addresses))
            for table in (PERSONS, ADDRESSES):
                there = select(table.c.player).where(table.c.address_key.in_(written))
                found.update(self._connection.execute(there).scalars())
        return found

    def names(self) -> list[str]:
        """Return the names of all players who gave one."""
        asked = select(PERSONS.c.name).where(PERSONS.c.name != "").order_by(PERSONS.c.name_key)
        return list(self._connection.execute(asked).scalars())

    def digests_due(self, now: datetime, wrong: datetime, most: int) -> list[tuple[int, datetime]]:
        """Return the players to whom a letter with the news of a day is due, and when it was; and those to whom it
        would not be for so long that a clock must have been wrong. wrong: from then on."""
        due = or_(PLAYERS.c.digest_at <= now, PLAYERS.c.digest_at >= wrong)
        asked = select(PLAYERS.c.number, PLAYERS.c.digest_at).where(PLAYERS.c.digest_at.is_not(None), due)
        rows = self._connection.execute(asked.order_by(PLAYERS.c.digest_at, PLAYERS.c.number).limit(most))
        return [(number, at) for number, at in rows]

    def last_digest(self, player: int) -> datetime | None:
        """Return when the last letter with the news of a day was written to a player; None if none ever was."""
        asked = select(PLAYERS.c.digested).where(PLAYERS.c.number == player)
        at: datetime | None = self._connection.execute(asked).scalar()
        return at

    def overviews_due(self, now: datetime, wrong: datetime, most: int) -> list[tuple[int, datetime]]:
        """Return the officers to whom an overview is due, and when it was; see `digests_due`."""
        due = or_(PLAYERS.c.overview_at <= now, PLAYERS.c.overview_at >= wrong)
        asked = select(PLAYERS.c.number, PLAYERS.c.overview_at).where(PLAYERS.c.overview_at.is_not(None), due)
        rows = self._connection.execute(asked.order_by(PLAYERS.c.overview_at, PLAYERS.c.number).limit(most))
        return [(number, at) for number, at in rows]

    def last_overview(self, player: int) -> datetime | None:
        """Return when the last overview that came unasked was written to a player; None if none ever was."""
        asked = select(PLAYERS.c.overviewed).where(PLAYERS.c.number == player)
        at: datetime | None = self._connection.execute(asked).scalar()
        return at

    def _players(self, asked: Select[Any], which: int | str) -> list[Player]:
        return [
            Player(number, name or "", address or "", *ways)
            for number, name, address, *ways in self._connection.execute(asked, {"which": which})
        ]

    # games

    def game_row(self, number: int) -> StoredGame | None:
        """Return a game without its events, None when there is none. In a Unit it is locked, waiting for its turn."""
        games = self._games(_GAME_LOCKED if self.locks else _GAME, {"which": number})
        return games[0] if games else None

    def games_of(self, player: int, statuses: Collection[str] = RUNNING) -> list[StoredGame]:
        """Return the games in these statuses in which a player sits, which he proposed or is asked to play."""
        asked = _RUNNING_GAMES_OF if set(statuses) <= set(RUNNING) else _GAMES_OF
        return self._games(asked, {"who": player, "statuses": tuple(statuses)})

    def games_watched(self, player: int) -> list[StoredGame]:
        """Return the games that are being played and that a player watches."""
        return self._games(_WATCHED_GAMES, {"who": player})

    def has_watched(self, player: int, game: int) -> bool:
        """Tell whether a player watches a game or has watched it."""
        return self._connection.execute(_WATCHES, {"who": player, "which": game}).first() is not None

    def count_finished(self, player: int, most: int) -> int:
        """Return how many games a player has played to their end; no more than `most` are counted."""
        ended = (
            select(GAMES.c.number)
            .join_from(SEATS, GAMES, SEATS.c.game == GAMES.c.number)
            .where(SEATS.c.player == player, GAMES.c.status == "ended")
            .limit(most)
        )
        return self._connection.execute(select(func.count()).select_from(ended.subquery())).scalar_one()

    def open_games(self) -> list[StoredGame]:
        """Return the proposed games that anybody may join."""
        return self._games(_OPEN_GAMES)

    def challenges_since(self, player: int, since: datetime) -> int:
        """Return how many games a player offered to one other between then and now, whatever became of them: what he
        offered as another player, before he left, counts too."""
        asked = {"who": player, "since": since, "until": self._present()}
        offered: int = self._connection.execute(_CHALLENGES, asked).scalar_one()
        left = self.parting(self.player(player).address)
        return offered + (left.challenges if left is not None and since < left.at <= self._present() else 0)

    def games(
        self, statuses: Collection[str] | None = None, competition: int | None = None
    ) -> list[StoredGame]:
        """Return all games, or those in these statuses, or of an event."""
        asked = _GAMES if statuses is None else _GAMES.where(GAMES.c.status.in_(statuses))
        return self._games(asked if competition is None else asked.where(GAMES.c.competition == competition))

    def search(self, search: Search, most: int) -> tuple[list[StoredGame], int]:
        """Return the newest games that are looked for, at most so many, newest first; and how many there are."""
        numbers, count = game_search.find(self._connection, search, most)
        rows = {each.number: each for each in self._games(_GAMES.where(GAMES.c.number.in_(numbers)))}
        return [rows[number] for number in numbers], count

    def events(self, game: int, after: int = 0) -> list[StoredEvent]:
        """Return what happened in a game, oldest first; `after` leaves out the events up to that number.

        Raises GameUnreadable when one of them is damaged.
        """
        rows = self._connection.execute(_EVENTS, {"which": game, "after": after})
        try:
            return [
                StoredEvent(number, kind, at, json.loads(body), by) for number, kind, at, body, by in rows
            ]
        except (ValueError, RecursionError) as error:
            raise GameUnreadable(game, error) from error

    def written(self, game: int, kind: WritingKind, since: datetime | None = None) -> list[Writing]:
        """Return what was written in a game beside moves, by either player, oldest first. since: no older than that."""
        asked = {"which": game, "kind": kind, "since": since or _LONG_AGO}
        return [Writing(*row) for row in self._connection.execute(_WRITTEN, asked)]

    def causes(self, game: int, limit: int) -> list[int]:
        """Return the numbers of the newest letters by which something happened in a game, oldest of them first."""
        return list(self._connection.execute(_CAUSES, {"which": game, "most": limit}).scalars())[::-1]

    def gathered_texts(self, player: int, game: int) -> set[int]:
        """Return the numbers of the players' texts that wait to be told to somebody who watches a game."""
        which = GATHERED.c.player == player, GATHERED.c.game == game, GATHERED.c.code == "overheard"
        rows = self._connection.execute(select(GATHERED.c.facts).where(*which)).scalars()
        return {int(json.loads(facts)["text"]) for facts in rows}

    # time

    def outages(self, since: datetime) -> list[tuple[datetime, datetime]]:
        """Return when the house was out, as far as that ended after a time."""
        return clocks.outages(self._connection, since)

    def leaves(self, players: Collection[int]) -> list[StoredLeave]:
        """Return the leave that players have taken, in the order in which they did."""
        return clocks.leaves(self._connection, players)

    def has_asked_for(self, player: int, beginning: str, since: datetime) -> bool:
        """Tell whether a letter that a player was answered since then held a command that begins so."""
        return clocks.has_asked_for(self._connection, player, beginning, since)

    def last_look(self) -> datetime | None:
        """Return when the mailbox was last looked into, None for never."""
        return clocks.last_look(self._connection)

    def clocks(self, game: int) -> dict[Seat, StoredClock]:
        """Return what is kept of a game's clocks, by seats."""
        return clocks.clocks(self._connection, game)

    def clocks_stuck(self, before: datetime) -> list[StuckClock]:
        """Return the clocks that could not be looked at, and those that nobody has looked at though it was due."""
        return clocks.stuck(self._connection, before)

    def clocks_due(self, now: datetime, limit: int) -> list[tuple[int, Seat]]:
        """Return the clocks that are to be looked at by now, those first that wait longest."""
        return clocks.due(self._connection, now, limit)

    def drafts_due(self, now: datetime, limit: int) -> list[tuple[int, Seat]]:
        """Return the drafted turns that are to be carried out by now, those first that wait longest."""
        return drafts.due(self._connection, now, limit)

    def draft_waits(self, game: int, seat: Seat) -> datetime | None:
        """Return when a seat's draft is carried out by itself; None where it waits for no time."""
        return drafts.waiting(self._connection, game, seat)

    def asked(self, player: int, game: int, told: int) -> tuple[bool, datetime | None]:
        """Return whether a letter to a player has told so much of a game, and when the first that did was accepted for
        delivery."""
        return clocks.asked(self._connection, player, game, told)

    def unheard_by(self, until: datetime, player: int, since: datetime) -> list[EarlyLetter]:
        """Return the letters that came in by an instant and were not heard: see timekeeping."""
        return clocks.unheard_by(self._connection, until, player, since)

    def regular_by(self, now: datetime) -> timedelta:
        """Return how long the clock has gone regularly, as far as that is known; see clock_regularity."""
        return clock_regularity.known(self._connection, now)

    def moved_since(self, game: int, letter: int) -> bool:
        """Tell whether an order was ruled on in a game that came in, or was heard again, after a letter.

        The letters' numbers tell, since the mailbox has another clock than this machine, and either may be set.
        """
        return self._connection.execute(_MOVED_SINCE, {"which": game, "letter": letter}).first() is not None

    def changed_since(self, game: int, letter: int) -> bool:
        """Tell whether anything that can be taken up or taken back has become another in a game after a letter, as
        `moved_since` has it: its terms, its turn, an offer, a plan, a resignation that was asked about."""
        return self._connection.execute(_CHANGED_SINCE, {"which": game, "letter": letter}).first() is not None

    def accepted_since(self, player: int, game: int, since: datetime) -> tuple[bool, datetime | None]:
        """Return whether the first letter to a player about a game that was written since then waits to be posted, and
        when it was accepted for delivery, None where it was not, or there is none."""
        return clocks.accepted_since(self._connection, player, game, since)

    def turn_since(self, game: int) -> datetime | None:
        """Return since when somebody is to move in a game: the newest order was ruled on or taken back, or it
        began; None before."""
        at: datetime | None = self._connection.execute(_TURN_SINCE, {"which": game}).scalar()
        return at

    def lost_seats(self, player: int, since: datetime) -> list[int]:
        """Return the games in which another took the seat that a player had, later than a time."""
        lost = FORMER_SEATS.c.player == player, FORMER_SEATS.c.until > since
        asked = select(FORMER_SEATS.c.game).where(*lost).order_by(FORMER_SEATS.c.game)
        return list(self._connection.execute(asked).scalars())

    def comments(self, game: int) -> list[Comment]:
        """Return all that was written in a game beside its moves, by either player, and in its cases, oldest first; see
        `readable_by`."""
        return [comment for _, comment in self._comments(game)]

    def _comments(self, game: int) -> list[tuple[int, Comment]]:
        """Return the same, each with the number of what was written."""
        rows = self._connection.execute(_COMMENTS, {"which": game})
        found = [
            (number, Comment(kind, seat, turn, at, text, former=former))
            if kind != "ruling"  # by an officer, who sits nowhere
            else (number, Comment(kind, Seat(""), turn, at, text))
            for number, kind, seat, turn, at, text, former in rows
        ]
        found += cases.comments(self._connection, game)
        return sorted(found, key=lambda each: each[0])

    def beside_the_moves(self, game: int, rulebook: AnyRulebook) -> list[Comment]:
        """Return all that a game's record has beside its moves, oldest first: what was written, as `comments` does, and
        what umpires have done; see `readable_by`. Raises GameUnreadable."""
        try:
            events = [(each.at, read_event(each.kind, each.body)) for each in self.events(game)]
            acts, rulings = (
                comments_on(acts_beside_the_moves(events, rulebook)),
                rulings_among(events, rulebook),
            )
        except DAMAGED as error:
            raise GameUnreadable(game, error) from error
        written = [replace(each, heard=rulings.get(number, 0)) for number, each in self._comments(game)]
        return sorted([*written, *acts], key=lambda each: each.at)

    def claims(self) -> list[Claim]:
        """Return all cases whose claim is kept, oldest first: those of players who have left are not.

        Those of a damaged game are left out; `waiting_cases` names it.
        """
        rows = self._connection.execute(_CLAIMS).all()
        found = cases.cases_or_damage(self._connection, {row.game for row in rows})
        texts = {
            (game, case.text): case
            for game, some in found.items()
            if not isinstance(some, GameUnreadable)
            for case in some
        }
        return [
            Claim(texts[game, text], game, *others) for text, game, *others in rows if (game, text) in texts
        ]

    def cases(self, game: int) -> tuple[Case, ...]:
        """Return the cases of a game, in the order of their numbers, those of players who have left among them. Raises
        GameUnreadable."""
        return cases.cases(self._connection, game)

    def cases_to_change(self, game: int) -> tuple[Case, ...]:
        """Return the cases of a game that were upheld, and for which nobody has done anything in it since."""
        return cases.to_change(self._connection, game)

    def open_claims(self, game: int, player: int) -> tuple[int, ...]:
        """Return in which cases of a player's about a game somebody has yet to rule, by their numbers in it."""
        brought = {each.number for each in self.written(game, "claim") if each.player == player}
        return tuple(each.number for each in self.cases(game) if each.duty and each.text in brought)

    def case_sent_to(self, game: int, number: int, duty: Duty) -> tuple[int, ...]:
        """Return to whom a case was sent for a ruling, or for one on an appeal, whoever has it now last: officers, and
        0 for whoever runs the service."""
        return cases.sent_to(self._connection, game, number, duty)

    def came_in(
        self, game: int, seats: Mapping[Seat, int], most: int, asked_for: Collection[int] = ()
    ) -> list[CameIn]:
        """Return the newest letters of each seat about a game that were answered or are held, oldest of them first.
        asked_for: numbers of letters that are among them however old they are."""
        return cases.came_in(self._connection, game, seats, most, asked_for)

    def went_out(self, game: int, seats: Mapping[Seat, int], most: int) -> list[WentOut]:
        """Return the newest of our letters to each seat about a game, oldest of them first."""
        return cases.went_out(self._connection, game, seats, most)

    def _games(self, asked: Select[Any], parameters: Mapping[str, Any] | None = None) -> list[StoredGame]:
        return list(_read_games(self._connection.execute(asked, parameters)))

    # many games at once

    def running_games(self, competitions: Collection[int] | None) -> list[RunningGame]:
        """Return the games of some events that are being played, or all there are; see overseeing."""
        return overview_queries.running(self._connection, competitions)

    def waiting_cases(self, competitions: Collection[int] | None) -> Docket:
        """Return the cases in which somebody has to rule, or to change the game, of games of some events, or of all;
        and the games of which they cannot be read."""
        return overview_queries.open_cases(self._connection, competitions)

    def reached(self, players: Collection[int]) -> dict[int, tuple[str, bool]]:
        """Return what players are called, and whether letters to them arrive."""
        return overview_queries.reached(self._connection, players)

    def held_about(self, since: datetime, games: Collection[int] | None) -> list[Waits]:
        """Return the letters about games, these or any, that are held and were recorded after a time."""
        return overview_queries.held(self._connection, since, games)

    def events_of(
        self, dated: Collection[int], others: Collection[int], kinds: Collection[str]
    ) -> dict[int, list[StoredEvent]]:
        """Return events of these kinds of several games, oldest first: of `others` without what they say."""
        return overview_queries.events_of(self._connection, dated, others, kinds)

    def all_events_of(self, games: Collection[int]) -> dict[int, list[StoredEvent]]:
        """Return all events of several games, oldest first; none for one that is damaged."""
        return overview_queries.all_events_of(self._connection, games)

    def damaged_games(self, games: Collection[int]) -> set[int]:
        """Return those of several games of which an event cannot be read."""
        return overview_queries.damaged(self._connection, games)

    def letters_passed(self, games: Collection[int]) -> dict[tuple[int, int], Passed]:
        """Return the newest letters about several games, from their players and to them, by game and player."""
        return overview_queries.passed(self._connection, games)

    def proposals(self, most: int) -> tuple[int, list[Proposal]]:
        """Return how many games wait to be taken up, and the oldest of them."""
        return overview_queries.proposals(self._connection, most)

    # events

    def competition(self, number: int) -> StoredCompetition:
        """Return an event with its officers. Raises LookupError for none."""
        return tournaments.find(self._connection, number)

    def competition_named(self, name: str) -> StoredCompetition | None:
        """Return the event of a name, however it is written: look-alikes are the same name; None when there is none."""
        return tournaments.find_named(self._connection, name)

    def find_competition(self, name: str) -> StoredCompetition:
        """Return the event of a name, as `competition_named` does. Raises UsageError, naming the nearest, for none."""
        found = self.competition_named(name)
        if found is not None:
            return found
        names = {each.name.casefold(): each.name for each in self.competitions()}
        near = next(iter(difflib.get_close_matches(name.strip().casefold(), names, 1)), "")
        meant = f"did you mean {names[near]!r}?" if near else "`referee event list` lists all there are"
        raise UsageError(f"there is no event {name.strip()!r}; {meant}")

    def competitions(self) -> list[StoredCompetition]:
        """Return all events, oldest first."""
        return tournaments.all_of_them(self._connection)

    def competitions_of(self, player: int) -> list[StoredCompetition]:
        """Return the events in which a player holds an office or has a game that is being played, oldest first."""
        return tournaments.of_player(self._connection, player)

    def competitions_played(self, player: int) -> list[int]:
        """Return the numbers of the events that go on, in which a player has a game or has had one."""
        return tournaments.played(self._connection, player)

    def count_playing(self, competition: int) -> int:
        """Return how many games of an event are being played."""
        asked = select(func.count()).where(GAMES.c.competition == competition, GAMES.c.status == "playing")
        return self._connection.execute(asked).scalar_one()

    def terms_of(self, competition: int) -> list[TermsChanged]:
        """Return how an event came to its terms, oldest first."""
        return tournaments.history(self._connection, competition)

    def held_office(self, competition: int, player: int, *, since: datetime) -> bool:
        """Tell whether a player has held an office in an event at some time since then."""
        return tournaments.held_office(self._connection, competition, player, since)

    # letters of ours

    def tag(self, text: str) -> Tag | None:
        """Return what a reply tag is about, revoked or not; None when it is none of ours."""
        row = self._connection.execute(_TAG, {"which": text}).first()
        return None if row is None else Tag(*row)

    def own_tags(self, player: int, texts: Collection[str]) -> list[Tag]:
        """Return those of some reply tags that were made for a player, revoked or not; no game is reserved for it."""
        rows = [self._connection.execute(_TAG, {"which": text}).first() for text in texts]
        return [tag for tag in (Tag(*row) for row in rows if row is not None) if tag.player == player]

    def held_since(self, player: int, since: datetime) -> bool:
        """Tell whether a player was asked, between then and now, about a letter in his name."""
        return self.tags_since(player, "hold", since) > 0

    def tags_since(self, player: int, purpose: Purpose, since: datetime) -> int:
        """Return how many reply tags of a purpose were made for a player between then and now."""
        asked = {"who": player, "purpose": purpose, "since": since, "until": self._present()}
        return self._connection.execute(_TAGS_SINCE, asked).scalar_one()

    def awaits_confirmation(self, player: int, since: datetime) -> bool:
        """Tell whether a player was asked to confirm something, between then and now, that is about no game: letters in
        his name, an address, that he leaves."""
        asked = {"who": player, "since": since, "until": self._present()}
        return self._connection.execute(_QUESTIONS, asked).scalar_one() > 0

    def thread(self, player: int, game: int) -> Thread:
        """Return a player's letters about a game (0: about none); in a Unit they are locked."""
        asked = _THREAD_LOCKED if self.locks else _THREAD
        row = self._connection.execute(asked, {"who": player, "which": game}).first()
        if row is None:
            return Thread(player, game)
        letters, told, tag, root, last, *others = row
        return Thread(player, game, letters, told, tag, root, tuple(last.split()), *others)

    def sent_message(self, message_id: str) -> SentLetter | None:
        """Return what is known of a letter of ours, by our Message-ID or the one that the mail host gave it."""
        row = self._connection.execute(_SENT, {"which": message_id}).first()
        return None if row is None else SentLetter(*row)

    def sent_content(self, message_id: str) -> bytes | None:
        """Return the bytes of a letter of ours, found as by `sent_message`; None for none, or an erased one."""
        content: bytes | None = self._connection.execute(_SENT_CONTENT, {"which": message_id}).scalar()
        return content

    def numbered(self, player: int, game: int, number: int) -> NumberedLetter | None:
        """Return a player's letter about a game (0: about none) by its number, as first written; None for none."""
        asked = {"who": player, "which": game, "number": number}
        row = self._connection.execute(_NUMBERED[bool(game)], asked).first()
        return None if row is None else NumberedLetter(*row)

    def mail_of_seat(self, game: int, seat: Seat) -> list[MailedLetter]:
        """Return our letters about a game to whoever sits or sat in a seat, oldest first: those of before it began, and
        those that are still to be posted, among them."""
        rows = self._connection.execute(_OF_SEAT, {"which": game, "seat": seat})
        return [MailedLetter(*row) for row in rows]

    def told_by(self, player: int, game: int, number: int) -> int | None:
        """Return how many happenings of a game a player had heard by a letter of his about it; None if that is not
        known, or there is no such letter."""
        asked = {"who": player, "which": game, "number": number}
        told: int | None = self._connection.execute(_TOLD[bool(game)], asked).scalar()
        return told

    def newer(self, player: int, game: int, *, after: int, kinds: Collection[str]) -> list[int]:
        """Return the numbers, above another, of a player's letters of these kinds about a game: the newest twenty."""
        asked = {"who": player, "which": game, "after": after, "kinds": tuple(kinds)}
        return list(self._connection.execute(_NEWER[bool(game)], asked).scalars())[::-1]

    def last_sent(self, recipient: str, kind: str, *, since: datetime) -> int:
        """Return how many letters of a kind were written to an address between then and now."""
        asked = {"who": address_key(recipient), "kind": kind, "since": since, "until": self._present()}
        return self._connection.execute(_COUNT_SENT, asked).scalar_one()

    def invitations(self, recipient: str, since: datetime) -> list[tuple[int, Status]]:
        """Return the invitations written to an address between then and now: who sent each, and how the game stands."""
        asked = {"who": address_key(recipient), "since": since, "until": self._present()}
        return [(by, status) for by, status in self._connection.execute(_INVITATIONS, asked)]

    def was_invited(self, player: int, game: int) -> bool:
        """Tell whether an invitation to a game was written to a player."""
        return self._connection.execute(_INVITED, {"who": player, "which": game}).first() is not None

    def parting(self, address: str) -> Parting | None:
        """Return what is kept of the last player of an address who has left; None for none."""
        row = self._connection.execute(_PARTING, {"who": self.unnamed(address)}).first()
        return None if row is None else Parting(*row)

    def unnamed(self, address: str) -> str:
        """Return what stands for an address where it must not: only this house can tell that it is the same."""
        said = f"address {address_key(address)}".encode()
        return hmac.new(self.house_key(), said, hashlib.sha256).hexdigest()

    def has_written(self, player: int) -> bool:
        """Tell whether a letter of a player's ever counted."""
        return self._connection.execute(_HAS_WRITTEN, {"who": player}).first() is not None

    def has_written_since(self, player: int, message_id: str) -> bool:
        """Tell whether a letter of a player's counted after a letter of ours was written to him."""
        asked = {"who": player, "which": message_id}
        return self._connection.execute(_HAS_WRITTEN_SINCE, asked).first() is not None

    def heard_since(self, sender: str, since: datetime, until: datetime, most: int) -> int:
        """Return how many letters of an address that came in after `since` and up to `until` were heard.

        It is counted no further than `most`. Those of a player who has left count too.
        """
        asked = {"who": address_key(sender), "since": since, "until": until, "most": most}
        heard: int = self._connection.execute(_HEARD, asked).scalar_one()
        left = self.parting(sender)
        before = left.letters if left is not None and since < left.at <= self._present() else 0
        return min(most, heard + before)

    def heard_from(
        self, sender: str, before: int, until: datetime, reason: str, most: int
    ) -> Sequence[LetterHeard]:
        """Return the newest letters of an address from before another; see exchanges.heard."""
        key = address_key(sender)
        return exchanges.heard(self._connection, key, before=before, until=until, reason=reason, most=most)

    def written_to(
        self, recipient: str, since: datetime, until: datetime, most: int
    ) -> Sequence[LetterWritten]:
        """Return the newest letters of ours to an address; see exchanges.written."""
        return exchanges.written(self._connection, address_key(recipient), since, until, most)

    def returned(self, player: int, limit: int) -> list[tuple[int, int]]:
        """Return the newest letters to a player that did not arrive, oldest first: game (0: none) and number."""
        rows = self._connection.execute(_RETURNED, {"who": player, "most": limit})
        return [(game or 0, number) for game, number in rows][::-1]

    def refused(self, limit: int) -> list[tuple[SentLetter, str, int]]:
        """Return letters that a mail host refused for good and nobody has seen to: with its answer, and the tries."""
        rows = self._connection.execute(_REFUSED, {"most": limit})
        return [(SentLetter(*sent), answer, tries) for *sent, answer, tries in rows]

    def unreached(self) -> tuple[Unreached, ...]:
        """Return the games whose newest letters reached none of their players."""
        return unreached(self._connection)

    def perhaps_taken(self, times: int, limit: int) -> list[SentLetter]:
        """Return letters that wait for another try and were perhaps taken so often, the oldest first."""
        rows = self._connection.execute(_PERHAPS_TAKEN, {"times": times, "most": limit})
        return [SentLetter(*row) for row in rows]

    def put_off(self, tries: int, limit: int) -> list[tuple[SentLetter, str]]:
        """Return letters that a mail host has refused for now at least so many times, with its answer."""
        rows = self._connection.execute(_PUT_OFF, {"tries": tries, "most": limit})
        return [(SentLetter(*sent), answer) for *sent, answer in rows]

    def returned_once(self, before: datetime, limit: int) -> list[tuple[int, int, int, str]]:
        """Return the letters that came back before a time and were the last to players who are not given up:
        player, game (0: none), number and Message-ID."""
        asked = {"before": before, "until": self._present(), "most": limit}
        rows = self._connection.execute(_RETURNED_ONCE, asked)
        return [(player, game or 0, number, lost) for player, game, number, lost in rows]

    def _present(self) -> datetime:
        return self._clock.now() + CLOCKS_APART


def _read_letter_line(row: Row[Any]) -> LetterLine:
    """Return a row of a letter's columns as a value."""
    return LetterLine(**{**row._mapping, "commands": tuple(json.loads(row.commands))})


def _read_games(rows: Iterable[Row[Any]]) -> Iterable[StoredGame]:
    """Put together the games of `_GAMES`: a row for each seat, or one without seats."""
    for _, of_game in itertools.groupby(rows, key=lambda row: row.number):
        seats = {}
        for row in of_game:
            if row.seat is not None:
                seats[Seat(row.seat)] = row.player
        yield StoredGame(
            row.number,
            row.rules,
            row.title,
            row.status,
            row.last_event,
            row.proposed_by,
            row.proposed_to,
            row.created,
            row.ended,
            seats,
            row.invited,
            row.competition,
            row.outline,
            row.result,
        )
