"""What one letter of ours has to say, before it is put into words.

A report is made for one reader and holds only what he may know: a view and happenings he heard, never a
position. `typeset` turns it into subject, text, HTML, picture and JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from referee.faults import Fault
from referee.letters.letter import InlinePicture, Kind
from referee.reports.notes import check_note
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.rulebook import Happening, Question, Result, Rulebook, Seat

SheetForm = Literal["grid", "list", "picture"]
"""How a reader wants deduction sheets: a grid, a list, or a picture of struck-out movement diagrams."""

Form = Literal["text", "html", "json"]
"""How a reader wants his letters: text alone, with HTML and picture (the default), or with the JSON part too."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a letter is for. name: as he registered, "" while unknown. zone: IANA name."""

    address: str = field(repr=False)
    name: str = ""
    language: str = "en"
    zone: str = "UTC"
    form: Form = "html"
    sheets: SheetForm = "grid"


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
class GameFace:
    """What both players may know of a game besides the board.

    title: the part of the subject that never changes ("Confusion 17: Anna - Bert"). names: who sits where, as
    they are called ("White" until he gives a name). options: those agreed, as the commitment binds them.
    deal_by_umpire: the deal was set, not drawn. deal: as it was set, only once the game is over.
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
    deal_by_umpire: bool = False
    deal: str = field(default="", repr=False)
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """One letter's content.

    seat: the reader's, None for letters that concern no game of his. number: X-Referee-Number.
    news: the second bracket of the subject ("your move 22", "not accepted", "ended"); "" for a game's first letter.
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
    news: str = ""
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
    rulebooks: tuple[Rulebook[Any, Any, Any], ...] = RULEBOOKS
    first: bool = False
    draw_offered_by: Seat | None = None
    frozen: str = ""
    """Why the umpire has stopped the game for the time being; "" while it goes on."""


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
