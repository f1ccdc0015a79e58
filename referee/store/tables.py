"""The present tables. `migrations` describes how they evolved; a test compares the two.

Rows never leave this package: other code sees the values in `values`. Two habits serve speed. Large data (a
letter's bytes) has a table of its own, so that changing or listing a row does not touch it. Data needed for
every letter has an index that holds only the open rows, so that an archive costs nothing.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from sqlalchemy import BigInteger, Dialect, Index, MetaData, Text, UniqueConstraint, false, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

LONGEST_ADDRESS = 320
"""Most characters of a mail address: 64 before the @ and 255 after it."""
LONGEST_NAME = 200
LONGEST_MESSAGE_ID = 500
LONGEST_PLACE = 1000
"""Most bytes of a mailbox's name, and of a letter's name in it: an index allows little more for both together."""
LONGEST_REASON = 4000


def clean(words: str, limit: int | None = None) -> str:
    """Return `words` as every database accepts them: no NUL, no lone surrogates, at most `limit` characters.

    Letters may contain anything, and one such character would make the same letter fail for ever. Such
    characters are escaped (`\\x00`, `\\udc80`), so that two different file names stay different.
    """
    kept = words.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")
    return kept if limit is None else kept[:limit]


def clean_place(words: str) -> str:
    """Return the name of a mailbox, or of a letter in it, as every database accepts it: see `clean`.

    A name that is too long is cut and ends with a digest of the whole, so that two such names stay different.
    """
    kept = clean(words).encode()
    if len(kept) <= LONGEST_PLACE:
        return kept.decode()
    ending = f"~{hashlib.sha256(kept).hexdigest()}"
    return kept[: LONGEST_PLACE - len(ending)].decode(errors="ignore") + ending


class Words(TypeDecorator[str]):
    """Text from outside, cleaned when it is written or compared."""

    impl = Text
    cache_ok = True

    def __init__(self, limit: int | None = None) -> None:
        super().__init__()
        self.limit = limit

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean(value, self.limit)


class Place(Words):
    """The name of a mailbox, or of a letter in it."""

    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean_place(value)


class Row(SQLModel):
    """What all tables share: their catalogue, and a fixed naming of constraints."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def _open_index(
    name: str, *columns: str, where: str, sqlite: str | None = None, unique: bool = False
) -> Index:
    """Return an index of only the rows that `where` picks; `sqlite` is SQLite's form where it differs."""
    return Index(
        name, *columns, unique=unique, sqlite_where=text(sqlite or where), postgresql_where=text(where)
    )


class LetterRow(Row, table=True):
    """An incoming letter.

    outcome: NULL until it is decided.
    sender: in lower case.
    digest, words: see store.content_hash; "" where the content was not available.
    again: for a held or set-aside letter that was processed later, the next letter's number at that time.
    held_for: the player in whose name a letter is, or was, held. Also the player whom another letter
        concerns: a bounce, an answer from an address that was to be theirs, or a letter from an address that
        is no longer theirs.
    asked_by: the tag by which the player was asked about it.
    tagged: a held letter came to one of the player's reply tags.
    interrupted: how often it was in hand when a service crashed.
    """

    __tablename__ = "letter"
    __table_args__ = (
        UniqueConstraint("mailbox", "uidvalidity", "uid"),
        _open_index("ix_letter_waiting", "number", where="outcome IS NULL"),
        _open_index("ix_letter_suspect", "number", where="outcome IS NULL AND interrupted >= 3"),
        _open_index("ix_letter_set_aside", "number", where="outcome = 'set-aside'"),
        _open_index("ix_letter_held_for", "held_for", where="held_for IS NOT NULL"),
        _open_index("ix_letter_asked_by", "asked_by", where="asked_by IS NOT NULL"),
        _open_index(
            "ix_letter_unasked",
            "held_for",
            "tagged",
            "number",
            where="outcome = 'held' AND asked_by IS NULL",
        ),
        Index("ix_letter_sender", "sender", "received"),
        Index("ix_letter_digest", "digest", "outcome"),
        Index("ix_letter_words", "words", "outcome"),
    )

    number: int = Field(primary_key=True)
    mailbox: str = Field(sa_type=Place)
    uidvalidity: int = Field(sa_type=BigInteger)
    uid: str = Field(sa_type=Place)
    received: datetime
    recorded: datetime
    size: int = Field(sa_type=BigInteger)
    digest: str = Field(sa_type=Text)
    words: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    sender: str = Field(sa_type=Words(LONGEST_ADDRESS))
    outcome: str | None = Field(sa_type=Text)
    reason: str = Field(sa_type=Words(LONGEST_REASON))
    game: int | None = Field(foreign_key="game.number")
    commands: str = Field(sa_type=Text)
    attempts: int
    again: int | None
    held_for: int | None
    asked_by: str | None = Field(sa_type=Text)
    tagged: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    interrupted: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class LetterContentRow(Row, table=True):
    """The bytes of a letter, as they were in the mailbox; none for a letter that was too large."""

    __tablename__ = "letter_content"

    letter: int = Field(primary_key=True, foreign_key="letter.number")
    content: bytes


class HeardRow(Row, table=True):
    """A player's letter that had an effect in a game.

    It exposes letters that were written earlier, or that say the same again.

    dated: its Date, NULL where that was unreadable.
    lines: the SHA-256 of the writer's own lines.
    """

    __tablename__ = "heard"
    __table_args__ = (
        Index("ix_heard_dated", "player", "game", "dated"),
        Index("ix_heard_lines", "player", "game", "lines", "dated"),
    )

    letter: int = Field(primary_key=True, foreign_key="letter.number")
    game: int = Field(primary_key=True, foreign_key="game.number")
    player: int = Field(foreign_key="player.number")
    dated: datetime | None
    lines: str = Field(sa_type=Text)


class PlayerRow(Row, table=True):
    """A player as games know them: a number, and the preferred form of letters and deduction sheets.

    digest_at: when the next daily digest is due, NULL where the player wants none.
    digested: when the last one was written.
    hold: how long a drafted turn waits.
    overview: how often an officer wants an overview of their tournaments.
    overview_at, overviewed: likewise.
    """

    __tablename__ = "player"
    __table_args__ = (
        _open_index("ix_player_digest", "digest_at", where="digest_at IS NOT NULL"),
        _open_index("ix_player_overview", "overview_at", where="overview_at IS NOT NULL"),
    )

    number: int = Field(primary_key=True)
    language: str = Field(sa_type=Words(40))
    zone: str = Field(sa_type=Words(80))
    form: str = Field(sa_type=Words(40))
    sheets: str = Field(sa_type=Words(40), sa_column_kwargs={"server_default": "grid"})
    joined: datetime
    picture: str = Field(sa_type=Words(40), sa_column_kwargs={"server_default": "on"})
    compass: str = Field(sa_type=Words(40), sa_column_kwargs={"server_default": "record"})
    letters: str = Field(sa_type=Words(40), sa_column_kwargs={"server_default": "each"})
    calendar: str = Field(default="off", sa_type=Words(40), sa_column_kwargs={"server_default": "off"})
    digest_at: datetime | None
    digested: datetime | None
    hold: str = Field(default="1h", sa_type=Words(40), sa_column_kwargs={"server_default": "1h"})
    overview: str = Field(default="off", sa_type=Words(40), sa_column_kwargs={"server_default": "off"})
    overview_at: datetime | None
    overviewed: datetime | None


class GatheredRow(Row, table=True):
    """News of a game that wait, since the player wants fewer letters; see values.Gathered."""

    __tablename__ = "gathered"
    __table_args__ = (Index("ix_gathered_player", "player", "number"),)

    number: int = Field(primary_key=True)
    player: int = Field(foreign_key="player.number")
    game: int = Field(foreign_key="game.number")
    code: str = Field(sa_type=Text)
    facts: str = Field(sa_type=Text)
    at: datetime


class PersonRow(Row, table=True):
    """Who a player is; erased when they leave, while games and events keep naming the number.

    name_folded: the name in the form for searches by part.
    returns: bounced letters since the player's last letter.
    returns_since: when the first of them became known.
    unreachable: since when their letters no longer count as arriving.
    """

    __tablename__ = "person"
    __table_args__ = (_open_index("ix_person_returns", "player", where="returns > 0"),)

    player: int = Field(primary_key=True, foreign_key="player.number")
    name: str = Field(sa_type=Words(LONGEST_NAME))
    name_key: str = Field(sa_type=Words(LONGEST_NAME), index=True)
    name_folded: str = Field(default="", sa_type=Words(), sa_column_kwargs={"server_default": ""})
    address: str = Field(sa_type=Words(LONGEST_ADDRESS))
    address_key: str = Field(sa_type=Words(LONGEST_ADDRESS), unique=True)
    returns: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    returns_since: datetime | None
    unreachable: datetime | None


class AddressRow(Row, table=True):
    """A further address of a player; erased with them.

    use: second (letters from it are the player's, too); asked-main or asked-second, which were requested and
        not yet confirmed from there by `tag`; or former, the recent main one, which can be restored by `tag`.
    """

    __tablename__ = "address"
    __table_args__ = (
        _open_index("ix_address_second", "address_key", where="use = 'second'", unique=True),
        _open_index("ix_address_former", "address_key", where="use = 'former'"),
    )

    player: int = Field(primary_key=True, foreign_key="player.number")
    use: str = Field(primary_key=True, sa_type=Text)
    address: str = Field(sa_type=Words(LONGEST_ADDRESS))
    address_key: str = Field(sa_type=Words(LONGEST_ADDRESS))
    tag: str | None = Field(sa_type=Text)
    created: datetime


class CompetitionRow(Row, table=True):
    """A tournament, or a season of a club.

    name_key: the common form of all names that look like its name.
    version: the valid version of its terms.
    """

    __tablename__ = "competition"

    number: int = Field(primary_key=True)
    name: str = Field(sa_type=Words(LONGEST_NAME))
    name_key: str = Field(sa_type=Words(LONGEST_NAME), unique=True)
    version: int
    created: datetime


class TermsRow(Row, table=True):
    """A version of a tournament's terms; earlier ones stay.

    version: from 1, without gaps.
    body: plain data.
    reason: why they were changed, "" for the first.
    at: when they became valid.
    """

    __tablename__ = "terms"

    competition: int = Field(primary_key=True, foreign_key="competition.number")
    version: int = Field(primary_key=True)
    body: str = Field(sa_type=Text)
    reason: str = Field(sa_type=Words(LONGEST_REASON))
    at: datetime


class OfficerRow(Row, table=True):
    """An office in a tournament and its holder, present or past.

    A departed player holds none, but the number stays, and leads to the letters that named them.

    until: NULL for a present holder.
    """

    __tablename__ = "officer"
    __table_args__ = (
        _open_index("ix_officer_office", "competition", "office", where="until IS NULL", unique=True),
        Index("ix_officer_player", "player", "competition"),
    )

    number: int = Field(primary_key=True)
    competition: int = Field(foreign_key="competition.number")
    office: str = Field(sa_type=Text)
    player: int = Field(foreign_key="player.number")
    since: datetime
    until: datetime | None


class GameRow(Row, table=True):
    """One game. Everything that happened in it is in its events; last_event is the number of the newest.

    The other columns only serve to find it:
    proposed_by, proposed_to: players; proposed_to is NULL when anybody may join.
    competition: its tournament, NULL for none.
    invited: the address by which a challenge named the opponent, while it waits.
    outline: its state, as in games.summary.
    turned: since when the side to move has been due.
    result: its end, as in games.results; "" where it was never played, NULL while something can still happen.
    """

    __tablename__ = "game"
    __table_args__ = (
        _open_index("ix_game_proposed_by", "proposed_by", where="status = 'proposed'"),
        _open_index("ix_game_proposed_to", "proposed_to", where="status = 'proposed'"),
        _open_index("ix_game_challenges", "proposed_by", "created", where="proposed_to IS NOT NULL"),
        _open_index("ix_game_competition", "competition", "number", where="competition IS NOT NULL"),
        Index("ix_game_search", "result", "rules", "number", "created", "competition"),
        Index("ix_game_created", "created", "number"),
    )

    number: int = Field(primary_key=True)
    rules: str = Field(sa_type=Text)
    title: str = Field(sa_type=Words())
    status: str = Field(sa_type=Text)
    last_event: int
    proposed_by: int | None = Field(foreign_key="player.number")
    proposed_to: int | None = Field(foreign_key="player.number")
    created: datetime
    ended: datetime | None
    invited: str = Field(default="", sa_type=Words(), sa_column_kwargs={"server_default": ""})
    competition: int | None = Field(foreign_key="competition.number")
    outline: str = Field(default="", sa_type=Words(), sa_column_kwargs={"server_default": ""})
    turned: datetime | None
    result: str | None = Field(default=None, sa_type=Text)


class SeatRow(Row, table=True):
    """A seat and its player. done: nothing more can happen there, so that a long career costs no search."""

    __tablename__ = "seat"
    __table_args__ = (_open_index("ix_seat_playing", "player", "game", where="NOT done", sqlite="done = 0"),)

    game: int = Field(primary_key=True, foreign_key="game.number")
    seat: str = Field(primary_key=True, sa_type=Text)
    player: int = Field(foreign_key="player.number", index=True)
    done: bool


class WatchRow(Row, table=True):
    """A present or former observer of a game. over: they no longer watch, or nothing more can happen there."""

    __tablename__ = "watch"
    __table_args__ = (
        _open_index("ix_watch_going_on", "player", "game", where="NOT over", sqlite="over = 0"),
    )

    game: int = Field(primary_key=True, foreign_key="game.number")
    player: int = Field(primary_key=True, foreign_key="player.number")
    over: bool


class NamingRow(Row, table=True):
    """A letter to others that mentions a player or one of their games, and is not about that game.

    It is erased when the player leaves. Letters about the game are found by it, except those to observers.
    """

    __tablename__ = "naming"

    player: int = Field(primary_key=True, foreign_key="player.number")
    letter: int = Field(primary_key=True, foreign_key="outgoing.id")


class ThreadRow(Row, table=True):
    """A player's letters about one game; game 0 stands for those about none.

    entries: number of calendar files in letters about the player's moves in it.
    entered: the deadline in the last of them, NULL for none.
    """

    __tablename__ = "thread"

    player: int = Field(primary_key=True, foreign_key="player.number")
    game: int = Field(primary_key=True)
    letters: int
    told: int
    tag: str = Field(sa_type=Text)
    root: str = Field(sa_type=Words(LONGEST_MESSAGE_ID))
    last: str = Field(sa_type=Words())
    resent: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    entries: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    entered: datetime | None


class EventRow(Row, table=True):
    """An event of a game. Append only: triggers of the database refuse to change or remove a row."""

    __tablename__ = "event"
    __table_args__ = (_open_index("ix_event_claimed", "game", where="kind = 'Claimed'"),)

    game: int = Field(primary_key=True, foreign_key="game.number")
    number: int = Field(primary_key=True)
    kind: str = Field(sa_type=Text)
    at: datetime
    body: str = Field(sa_type=Text)
    letter: int | None = Field(foreign_key="letter.number")


class WritingRow(Row, table=True):
    """A player's text during a game that is no move: press, a diary entry, a claim.

    Events refer to it by number, so that it can be erased.

    turn: the turn being played then.
    kind: as in values.
    """

    __tablename__ = "writing"
    __table_args__ = (Index("ix_writing_game", "game", "number"),)

    number: int = Field(primary_key=True)
    game: int = Field(foreign_key="game.number")
    player: int = Field(foreign_key="player.number", index=True)
    kind: str = Field(sa_type=Text)
    turn: int
    at: datetime
    text: str = Field(sa_type=Words())


class OutgoingRow(Row, table=True):
    """A finished letter to one reader.

    state: queued, claimed, sent or refused.
    reader: the recipient in lower case.
    next_try: long ago for an untried letter.
    claimed_by: the name of the process that has it in hand, see service_runs.
    renamed: the Message-ID that the mail host gave it instead of ours.
    answers: the letter that it answers.
    returned: when it became known that it did not arrive.
    told: how much of the game its reader had heard by then, None where unknown.
    """

    __tablename__ = "outgoing"
    __table_args__ = (
        _open_index("ix_outgoing_due", "next_try", "id", where="state = 'queued'"),
        _open_index("ix_outgoing_claimed", "claimed_at", where="state = 'claimed'"),
        _open_index("ix_outgoing_pending", "reader", "id", where="state IN ('queued', 'claimed')"),
        _open_index("ix_outgoing_renamed", "renamed", where="renamed IS NOT NULL"),
        _open_index("ix_outgoing_refused", "id", where="state = 'refused' AND returned IS NULL"),
        _open_index("ix_outgoing_returned", "player", "id", where="returned IS NOT NULL"),
        Index("ix_outgoing_reader", "reader", "kind", "created"),
        Index("ix_outgoing_player", "player", "id"),
        Index("ix_outgoing_numbered", "player", "game", "number"),
    )

    id: int = Field(primary_key=True)
    message_id: str = Field(sa_type=Words(LONGEST_MESSAGE_ID), unique=True)
    renamed: str | None = Field(sa_type=Words(LONGEST_MESSAGE_ID))
    sender: str = Field(sa_type=Words(LONGEST_ADDRESS))
    recipient: str = Field(sa_type=Words(LONGEST_ADDRESS))
    reader: str = Field(sa_type=Words(LONGEST_ADDRESS))
    kind: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Words())
    game: int | None = Field(foreign_key="game.number")
    player: int | None = Field(foreign_key="player.number")
    seat: str | None = Field(sa_type=Text)
    number: int | None
    answers: int | None = Field(foreign_key="letter.number")
    state: str = Field(sa_type=Text)
    tries: int
    uncertain: int
    next_try: datetime
    claimed_at: datetime | None
    answer: str = Field(sa_type=Words(LONGEST_REASON))
    created: datetime
    sent: datetime | None
    returned: datetime | None
    told: int | None
    claimed_by: str | None = Field(sa_type=Text)


class OutgoingContentRow(Row, table=True):
    """The bytes of one of our letters, the same through every try."""

    __tablename__ = "outgoing_content"

    id: int = Field(primary_key=True, foreign_key="outgoing.id")
    content: bytes


class TagRow(Row, table=True):
    """A reply tag: what a letter to referee+TAG@… is about, and the player for whom it was made."""

    __tablename__ = "tag"
    __table_args__ = (Index("ix_tag_player", "player", "purpose", "created"),)

    tag: str = Field(primary_key=True, sa_type=Words())
    purpose: str = Field(sa_type=Text)
    game: int | None = Field(foreign_key="game.number")
    player: int = Field(foreign_key="player.number")
    letter: int | None = Field(foreign_key="letter.number")
    created: datetime
    revoked: datetime | None


class AskedActionRow(Row, table=True):
    """An umpire's request by letter, to be confirmed by a tag; gone when it is confirmed, or too old.

    line: the action as the service writes it.
    stands: the state of each game for it (see games.umpire_actions), by number, as plain data.
    """

    __tablename__ = "asked_deed"

    tag: str = Field(primary_key=True, sa_type=Words())
    player: int = Field(foreign_key="player.number", index=True)
    line: str = Field(sa_type=Words())
    stands: str = Field(sa_type=Text)
    newcomer: int | None = Field(default=None, foreign_key="player.number")
    created: datetime


class ErrandRow(Row, table=True):
    """An action in all games of a tournament, one after the other.

    after: the games up to this number are done or skipped.
    done: numbers of the games in which it was done, as plain data.
    """

    __tablename__ = "errand"

    number: int = Field(primary_key=True)
    competition: int = Field(foreign_key="competition.number")
    player: int = Field(foreign_key="player.number", index=True)
    line: str = Field(sa_type=Words())
    after: int
    done: str = Field(sa_type=Text)
    created: datetime


class HeldDraftRow(Row, table=True):
    """A drafted turn, and when it is executed automatically."""

    __tablename__ = "held_draft"
    __table_args__ = (Index("ix_held_draft_due", "due"),)

    game: int = Field(primary_key=True, foreign_key="game.number")
    seat: str = Field(primary_key=True, sa_type=Text)
    due: datetime


class FormerSeatRow(Row, table=True):
    """A former player of a seat, until another took it: letters about the game name them, and theirs the other."""

    __tablename__ = "former_seat"

    game: int = Field(primary_key=True, foreign_key="game.number")
    player: int = Field(primary_key=True, foreign_key="player.number", index=True)
    seat: str = Field(sa_type=Text)
    until: datetime


class BriefRow(Row, table=True):
    """A recipient of a waiting case.

    number: of the case in its game.
    duty: what was to be ruled on; see games.cases.
    player: an officer, 0 for the operator.
    place: the present recipient has the highest.
    """

    __tablename__ = "brief"

    game: int = Field(primary_key=True, foreign_key="game.number")
    number: int = Field(primary_key=True)
    duty: str = Field(primary_key=True, sa_type=Text)
    player: int = Field(primary_key=True)
    place: int


class ClockRow(Row, table=True):
    """When a seat's clock is due for a check, to start it, to remind its player, or to end its time.

    next: NULL while there is nothing to check.
    promised: the latest deadline that the player was told for the present move.
    reminded: the reminders for that move.
    failed: the kind of error in the last check, "" for none.
    """

    __tablename__ = "clock"
    __table_args__ = (
        _open_index("ix_clock_next", "next", where="next IS NOT NULL"),
        Index("ix_clock_player", "player"),
    )

    game: int = Field(primary_key=True, foreign_key="game.number")
    seat: str = Field(primary_key=True, sa_type=Text)
    player: int = Field(foreign_key="player.number")
    next: datetime | None
    promised: datetime | None
    reminded: str = Field(sa_type=Text)
    failed: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})


class OutageRow(Row, table=True):
    """When the service was down: nobody's time ran."""

    __tablename__ = "outage"
    __table_args__ = (Index("ix_outage_ended", "ended"),)

    number: int = Field(primary_key=True)
    began: datetime
    ended: datetime


class LeaveRow(Row, table=True):
    """A player's leave.

    competition: the tournament for whose games it holds, NULL for games of none.
    first, last: dates, both included, in the player's zone at that time.
    """

    __tablename__ = "leave"
    __table_args__ = (Index("ix_leave_player", "player"),)

    number: int = Field(primary_key=True)
    player: int = Field(foreign_key="player.number")
    competition: int | None = Field(foreign_key="competition.number")
    first: str = Field(sa_type=Text)
    last: str = Field(sa_type=Text)
    zone: str = Field(sa_type=Words(80))


class PartingRow(Row, table=True):
    """What is stored for a year of a departed player; see values. who: the pseudonym of one of their addresses."""

    __tablename__ = "parting"

    who: str = Field(primary_key=True, sa_type=Text)
    at: datetime
    letter: int
    played: bool
    letters: int
    challenges: int


class HouseRow(Row, table=True):
    """The service's own memory: its key, in hex, and when the operator was told of what."""

    __tablename__ = "house"

    name: str = Field(primary_key=True, sa_type=Text)
    value: str = Field(sa_type=Text)


CATALOGUE = Row.metadata
LETTERS = CATALOGUE.tables["letter"]
LETTER_CONTENTS = CATALOGUE.tables["letter_content"]
PLAYERS = CATALOGUE.tables["player"]
GATHERED = CATALOGUE.tables["gathered"]
PERSONS = CATALOGUE.tables["person"]
ADDRESSES = CATALOGUE.tables["address"]
COMPETITIONS = CATALOGUE.tables["competition"]
TERMS = CATALOGUE.tables["terms"]
OFFICERS = CATALOGUE.tables["officer"]
GAMES = CATALOGUE.tables["game"]
SEATS = CATALOGUE.tables["seat"]
WATCHES = CATALOGUE.tables["watch"]
NAMINGS = CATALOGUE.tables["naming"]
THREADS = CATALOGUE.tables["thread"]
EVENTS = CATALOGUE.tables["event"]
WRITINGS = CATALOGUE.tables["writing"]
OUTGOING = CATALOGUE.tables["outgoing"]
OUTGOING_CONTENTS = CATALOGUE.tables["outgoing_content"]
TAGS = CATALOGUE.tables["tag"]
ASKED_ACTIONS = CATALOGUE.tables["asked_deed"]
ERRANDS = CATALOGUE.tables["errand"]
FORMER_SEATS = CATALOGUE.tables["former_seat"]
BRIEFS = CATALOGUE.tables["brief"]
CLOCKS = CATALOGUE.tables["clock"]
OUTAGES = CATALOGUE.tables["outage"]
LEAVES = CATALOGUE.tables["leave"]
PARTINGS = CATALOGUE.tables["parting"]
HOUSE = CATALOGUE.tables["house"]
HEARD = CATALOGUE.tables["heard"]
HELD_DRAFTS = CATALOGUE.tables["held_draft"]
