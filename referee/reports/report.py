"""The content of one outgoing letter, before it is rendered.

A report is made for one reader and holds only what that reader may know: a view and the happenings they
heard, never a position. `typeset` turns it into subject, text, HTML, picture and JSON.
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
"""How a reader wants letters: text only, with HTML and picture (the default), or with the JSON part too."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The person a letter is for.

    name: as registered, "" while unknown.
    zone: IANA name.
    picture: "off" for pages without pictures.
    compass: "own" to see each move's direction from their own side as well.
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
        """Whether the reader's letters hold pictures."""
        return self.form != "text" and self.picture == "on"


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the service did or has to say, by a code that the templates put into words.

    For instance Note("registered", {"name": "Anna"}). The codes and their facts are in `notes`, the text in
    templates/notes.j2.

    about: the number of the game concerned, where it is not the letter's own.
    Raises ValueError for a note that has no text.
    """

    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    about: int | None = None

    def __post_init__(self) -> None:
        check_note(self.code, self.facts)


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    """A player's diary entry.

    turn: when it was written.
    former: its writer had the seat earlier, and another player has it now.
    """

    seat: Seat
    turn: int
    text: str = field(repr=False)
    former: bool = False


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What both players may know about the clock of a seat that is to move.

    deadline: its last instant, None while the clock is stopped.
    left: the time until then, by the clock.
    up: the deadline has passed.
    rests: both players have agreed on a pause.
    out: how long the service was down since the clock was started.
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
    """The days on which no time runs in a game.

    weekdays: of each week, 1 for Monday.
    holidays: the next ones.
    further: there are more.
    zone: where they are days, an IANA name.
    """

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
    """What both players may know about a game besides the board.

    title: the part of the subject that never changes ("Confusion 17: Anna - Bert").
    names: the players by seat, as they are called ("White" until they give a name).
    options: as agreed and bound by the commitment.
    by_umpire: an umpire set the game up, and neither player requested it.
    deal_by_umpire: the deal was set, not drawn.
    deal: as set, only once the game is over.
    lots: what else was drawn from the secret.
    secret: hex, only once the game is over.
    commitment: 64 hex digits.
    receipt: the newest, 64 hex digits, "" before any adjudication.
    """

    number: int
    title: str
    rulebook: Rulebook
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
    """The name of the game's tournament, for the first letter and the record. "" for none."""
    brought: int | None = None
    """How many attempts were made elsewhere before the game moved here; None where it began here."""
    umpire: str = ""
    """The tournament's umpire for the game; "" where the operator umpires it."""
    days_off: DaysOff | None = None
    """None where time is counted every day, or not at all."""


@dataclass(frozen=True, slots=True)
class Report:
    """The content of one letter.

    seat: the reader's, OBSERVER for observers, None for letters about none of the reader's games.
    number: X-Referee-Number.
    news: the second bracket of the subject, in the source language ("your move 22", "ended"); "" for a first
        letter.
    heard: everything the seat has heard, oldest first.
    told: how many of these earlier letters have told.
    due: who owes what (public).
    understood: accepted lines, in canonical form.
    faults: lines that were not accepted.
    notes: what else the service did.
    pages: names of help pages to print.
    listing: the reader's games for `games`, each with game, rules, who, state and turn (states:
        templates/listing.j2).
    rulebooks: the games that can be played here, for the help pages.
    first: this is the first letter of the thread.
    """

    kind: Kind
    reader: Reader
    sent: datetime
    service: str
    """The service's name ("Referee")."""
    address: str
    """The service's address, for text such as 'write to …'."""
    game: GameFace | None = None
    seat: Seat | None = None
    number: int | None = None
    news: str | Phrase = ""
    heard: tuple[Happening, ...] = field(default=(), repr=False)
    told: int = 0
    view: Any = field(default=None, repr=False)
    """What the seat knows: everything it heard, added up. None: it is added up from `heard` here."""
    due: Mapping[Seat, Question] = field(default_factory=dict)
    result: Result | None = None
    understood: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[Note, ...] = ()
    pages: tuple[str, ...] = ()
    listing: tuple[Mapping[str, Any], ...] = ()
    rulebooks: Collection[Rulebook] = RULEBOOKS
    first: bool = False
    elsewhere: bool = False
    """What was refused has nothing to do with the letter's game."""
    joins: bool = False
    """The reader has taken a seat in a running game."""
    awaited: bool = False
    """The reader has not yet written about the game."""
    days: tuple[Report, ...] = ()
    """For a daily digest: each of the reader's games, as a report of its own."""
    since: datetime | None = None
    """Since when the other side has been to move, for a reader who waits; None where it is obvious."""
    offer: Offer | None = None
    """The proposed end of the game, while the proposal stands."""
    frozen: str = ""
    """Why the umpire has stopped the game; "" while it goes on."""
    diary: tuple[DiaryEntry, ...] = field(default=(), repr=False)
    """Both players' diary entries, oldest first: only once the game is over."""
    beside: tuple[Comment, ...] = field(default=(), repr=False)
    """Umpires' rulings in words and actions, oldest first, for the record: only once the game is over."""
    clocks: Mapping[Seat, ClockFace] = field(default_factory=dict)
    """The clocks of seats that are to move, in a game with time control."""
    entries: tuple[Entry, ...] = ()
    """The reader's deadlines for the calendar file; empty where they want no such file."""
    late: int = 0
    """The delay in turns for an observer."""
    by_office: bool = False
    """The reader sees the game as an officer of its tournament, not as an observer."""

    @property
    def observed(self) -> bool:
        """Whether the reader only watches the game."""
        return self.seat == OBSERVER


@dataclass(frozen=True, slots=True)
class Typeset:
    """A rendered report: the parts of an OutgoingLetter.

    pictures: those that the HTML shows, each with its alt text.
    json: the application/json part, if requested.
    record: the whole record of a finished game, to be attached.
    """

    subject: str
    text: str = field(repr=False)
    html: str | None = field(repr=False, default=None)
    pictures: tuple[InlinePicture, ...] = ()
    json: str | None = field(repr=False, default=None)
    record: str | None = field(repr=False, default=None)
    diary: str | None = field(repr=False, default=None)
    """Both players' diaries, to be attached."""
    calendar: str | None = field(repr=False, default=None)
    """The reader's deadlines for their calendar program, to be attached."""
