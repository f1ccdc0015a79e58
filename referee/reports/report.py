"""What one letter of ours has to say, before it is put into words.

A report is made for one reader and holds only what he may know: a view and happenings he heard, never a
position. `typeset` turns it into subject, text, HTML, picture and JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal

from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase, both
from referee.games.clocks.calendar_entry import Entry
from referee.games.results import Offer
from referee.mail.message.message import InlinePicture, Kind
from referee.reports.comments import Comment
from referee.reports.notes import check_note
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import OBSERVER, Happening, Question, Result, Rulebook, Seat

SheetForm = Literal["grid", "list", "picture"]
"""How a reader wants deduction sheets: a grid, a list, or a picture of struck-out movement diagrams."""

Form = Literal["text", "html", "json"]
"""How a reader wants his letters: text alone, with HTML and picture (the default), or with the JSON part too."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a letter is for. name: as he registered, "" while unknown. zone: IANA name.

    picture: "off" for pages without pictures. compass: "own" to have each move's direction as he sees it beside it.
    """

    address: str = field(repr=False)
    name: str = ""
    language: str = "en"
    zone: str = "UTC"
    form: Form = "html"
    sheets: SheetForm = "grid"
    picture: Literal["on", "off"] = "on"
    compass: Literal["record", "own"] = "record"

    @property
    def sees_pictures(self) -> bool:
        """Whether letters to him hold pictures."""
        return self.form != "text" and self.picture == "on"


@dataclass(frozen=True, slots=True)
class Note:
    """Something the desk did or has to say, named by a code that the templates put into words.

    For instance Note("registered", {"name": "Anna"}); the codes and their facts are in `notes`, the words in
    templates/notes.j2. about: the number of the game it is about, where that is not the letter's own. Raises ValueError
    for a note that has no words.
    """

    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    about: int | None = None

    def __post_init__(self) -> None:
        check_note(self.code, self.facts)


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    """Something that a player has noted for himself during a game. turn: at which. former: he sat there once, and
    another does now."""

    seat: Seat
    turn: int
    text: str = field(repr=False)
    former: bool = False


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What both players may know of the clock of a seat that is to move.

    deadline: its last instant, None while no time of the seat's runs. left: until then, by the clock. up: it has
    passed. rests: both players have agreed on a pause. out: so long the service was out since the clock was started.
    """

    deadline: datetime | None
    left: timedelta
    up: bool = False
    rests: bool = False
    out: timedelta = timedelta(0)


_EVERY = (
    N_("Mondays"),
    N_("Tuesdays"),
    N_("Wednesdays"),
    N_("Thursdays"),
    N_("Fridays"),
    N_("Saturdays"),
    N_("Sundays"),
)


@dataclass(frozen=True, slots=True)
class DaysOff:
    """On which days no time runs in a game. weekdays: of each week, 1 for Monday; holidays: the next ones that are to
    come, further: there are more; zone: where they are days, an IANA name."""

    weekdays: tuple[int, ...]
    holidays: tuple[date, ...]
    further: bool
    zone: str

    @property
    def names(self) -> str | Phrase:
        """The days of the week in words: "Saturdays and Sundays"; "" for none."""
        return both([Phrase(_EVERY[day - 1]) for day in self.weekdays]) if self.weekdays else ""


@dataclass(frozen=True, slots=True)
class GameFace:
    """What both players may know of a game besides the board.

    title: the part of the subject that never changes ("Confusion 17: Anna - Bert"). names: who sits where, as
    they are called ("White" until he gives a name). options: those agreed, as the commitment binds them.
    by_umpire: an umpire set the game up, and neither player asked for it. deal_by_umpire: the deal was set, not drawn.
    deal: as it was set, only once the game is over. lots: what else was drawn from the secret.
    secret: hex, only once the game is over; commitment: 64 hex digits; receipt: the newest, likewise, "" before
    anything was ruled.
    """

    number: int
    title: str
    rulebook: Rulebook[Any, Any, Any]
    names: Mapping[Seat, str]
    options: Mapping[str, str] = field(default_factory=dict)
    commitment: str = ""
    secret: str = field(default="", repr=False)
    by_umpire: bool = False
    deal_by_umpire: bool = False
    deal: str = field(default="", repr=False)
    receipt: str = ""
    lots: tuple[Literal["colours", "first"], ...] = ()
    event: str = ""
    """What the event is called that it belongs to; told once, and in the record. "" for none."""
    brought: int | None = None
    """How many attempts were made in it elsewhere, before it went on here; None where it began here."""
    umpire: str = ""
    """Who umpires it for the event; "" where it is whoever runs the service."""
    days_off: DaysOff | None = None
    """None where time is counted on every day, or not at all."""


@dataclass(frozen=True, slots=True)
class Report:
    """One letter's content.

    seat: the reader's, OBSERVER for who watches, None for letters that concern no game of his.
    number: X-Referee-Number.
    news: the second bracket of the subject, in the source language ("your move 22", "ended"); "" for a first letter.
    heard: everything his seat has heard, oldest first; told: how many of these earlier letters have told.
    due: who owes what (public). understood: lines that were taken, canonically. faults: lines that were not.
    notes: what the desk did besides. pages: names of help pages to print. listing: the reader's games, for `games`
    (each with game, rules, who, state and turn; the states are in templates/listing.j2). rulebooks: the games that are
    played here, for the help pages. first: the first letter of the thread.
    """

    kind: Kind
    reader: Reader
    sent: datetime
    service: str
    """The service's name ("Referee")."""
    address: str
    """The service's address, for words like 'write to …'."""
    game: GameFace | None = None
    seat: Seat | None = None
    number: int | None = None
    news: str | Phrase = ""
    heard: tuple[Happening, ...] = field(default=(), repr=False)
    told: int = 0
    view: Any = field(default=None, repr=False)
    """What his seat knows: all that it heard, added up. None: it is added up from `heard` here."""
    due: Mapping[Seat, Question] = field(default_factory=dict)
    result: Result | None = None
    understood: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[Note, ...] = ()
    pages: tuple[str, ...] = ()
    listing: tuple[Mapping[str, Any], ...] = ()
    rulebooks: Collection[Rulebook[Any, Any, Any]] = RULEBOOKS
    first: bool = False
    elsewhere: bool = False
    """What is refused has nothing to do with the game that the letter is about."""
    joins: bool = False
    """The reader has taken a seat in a game that was being played already."""
    awaited: bool = False
    """The reader has written nothing about the game yet."""
    days: tuple[Report, ...] = ()
    """For the letter with the news of a day: each game that the reader plays, as a report of its own."""
    since: datetime | None = None
    """Since when the other side has been to move, for an answer to whoever waits; None where it goes without saying."""
    offer: Offer | None = None
    """How a seat has proposed to end the game, as long as it stands."""
    frozen: str = ""
    """Why the umpire has stopped the game for the time being; "" while it goes on."""
    diary: tuple[DiaryEntry, ...] = field(default=(), repr=False)
    """What both players have noted, oldest first: only once the game is over."""
    beside: tuple[Comment, ...] = field(default=(), repr=False)
    """What umpires have ruled in words and done, oldest first, for the record: only once the game is over."""
    clocks: Mapping[Seat, ClockFace] = field(default_factory=dict)
    """Of seats that are to move, in a game with time control."""
    entries: tuple[Entry, ...] = ()
    """What a file for the reader's calendar program is to tell of his deadlines; none where he wants no such file."""
    late: int = 0
    """So many turns late is the game told to somebody who watches."""
    by_office: bool = False
    """Its reader does not watch either: he sees it by an office in its event."""

    @property
    def observed(self) -> bool:
        """Whether its reader only watches the game."""
        return self.seat == OBSERVER


@dataclass(frozen=True, slots=True)
class Typeset:
    """A report in words: what goes into an OutgoingLetter.

    pictures: those that the HTML shows, each with its alt text. json: the application/json part, if asked for.
    record: the whole record of a game that is over, to be attached.
    """

    subject: str
    text: str = field(repr=False)
    html: str | None = field(repr=False, default=None)
    pictures: tuple[InlinePicture, ...] = ()
    json: str | None = field(repr=False, default=None)
    record: str | None = field(repr=False, default=None)
    diary: str | None = field(repr=False, default=None)
    """What both players have noted in their diaries, to be attached."""
    calendar: str | None = field(repr=False, default=None)
    """The reader's deadlines for his calendar program, to be attached."""
