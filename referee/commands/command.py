"""What a letter may ask for: frozen values with imperative names.

Each command keeps the line it was read from, and writes itself canonically (`write`), which is how the desk
shows back what it understood and what the list of letters keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from referee.games.clocks.durations import write_duration
from referee.mail.message.message import OwnLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One line that asks for something. game: the number the line itself names, if it does (`18: V-NW2`)."""

    line: OwnLine
    game: int | None = None

    @property
    def word(self) -> str:
        """The desk's word for it."""
        return type(self).__name__.lower()

    def write(self) -> str:
        """Return the command as the desk understood it, canonically."""
        return self.word if self.game is None else f"{self.word} {self.game}"


@dataclass(frozen=True, slots=True)
class Guard:
    """Up to when a move was meant to count: in a turn, or as long as nothing is newer than a letter of ours.

    number: the turn's, or the letter's in its game, as its last line says.
    """

    what: Literal["turn", "letter"]
    number: int

    def write(self) -> str:
        """Write it as it stands behind a move."""
        return f"@{self.number}" if self.what == "turn" else f"@letter {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Command):
    """A line for the rulebook: a move. text: normalised, without the game's number and the guard."""

    text: str
    guard: Guard | None = None

    def write(self) -> str:
        said = self.text if self.guard is None else f"{self.text} {self.guard.write()}"
        return said if self.game is None else f"{self.game}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Command):
    """Ask what is known of a move, without making it. text: the move, normalised."""

    text: str

    def write(self) -> str:
        said = f"{self.word} {self.text}"
        return said if self.game is None else f"{self.game}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Try(Command):
    """Leave a plan for one's coming turns. text: what stands behind the word, wrapped lines put together by blanks.

    starts: of each line that it was put together of, where it starts in the text (from 0), its number in the letter,
    and the column there, from 1.
    """

    text: str
    starts: tuple[tuple[int, int, int], ...]

    def place(self, column: int) -> tuple[int, int]:
        """Return the line and the column in the letter of a column in the text, all from 1."""
        at, line, first = max(start for start in self.starts if start[0] < max(column, 1))
        return line, first + column - 1 - at

    def write(self) -> str:
        said = f"{self.word} {self.text}"
        return said if self.game is None else f"{self.game}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Command):
    """Give one's name, and a language if it is not the service's."""

    name: str
    language: str = ""

    def write(self) -> str:
        return f"register {self.name} {self.language}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(Command):
    """Ask for a help page. topic: one that exists, "" for the first page, "rules" for that of the letter's game,
    "sheets" for what that one says of them."""

    topic: str = ""

    def write(self) -> str:
        return f"help {self.topic}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Games(Command):
    """Ask for the list of one's games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Events(Command):
    """Ask for the events with which one has to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview(Command):
    """Ask how the games stand that one runs as an officer. late: only what is late. event: its name, "" for all of
    one's own."""

    late: bool = False
    event: str = ""

    def write(self) -> str:
        return " ".join(filter(None, (self.word, "late" if self.late else "", self.event)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Command):
    """Ask how a game stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(Command):
    """Propose a game to somebody. whom: his name or address."""

    whom: str
    rules: str
    options: Mapping[str, str] = field(default_factory=dict)

    def write(self) -> str:
        return f"challenge {self.whom} {self.rules}{write_options(self.options)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Command):
    """Propose a game to whoever joins first."""

    rules: str
    options: Mapping[str, str] = field(default_factory=dict)

    def write(self) -> str:
        return f"open {self.rules}{write_options(self.options)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(Command):
    """Take the free seat of an open game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept(Command):
    """Take up a challenge; with options that are not those proposed, answer it with terms of one's own."""

    options: Mapping[str, str] = field(default_factory=dict)

    def write(self) -> str:
        said = self.word if self.game is None else f"{self.word} {self.game}"
        return f"{said}{write_options(self.options)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(Command):
    """Turn down a challenge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Command):
    """Give up a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Command):
    """Offer a draw, or agree to one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agree(Command):
    """Propose how a game is to end, or agree to what is proposed. end: as in games.results; "" for what is proposed."""

    end: str = ""

    def write(self) -> str:
        said = f"{self.word} {self.end}".rstrip()
        return said if self.game is None else f"{said} {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written(Command):
    """A text of the writer's own. text: as he wrote it, of one line or several. unread: lines of it that look like
    something for the desk to do, and are nothing but text."""

    text: str
    unread: tuple[str, ...] = ()

    def write(self) -> str:
        said = " ".join([self.word, *self.text.split()])
        return said if self.game is None else f"{self.game}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(Written):
    """Write to the other player; to_all: to all who may read."""

    to_all: bool = False

    @property
    def word(self) -> str:
        return "press all" if self.to_all else "press"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diary(Written):
    """Note something for oneself, to be shown at the end; text "": ask for what one has noted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Written):
    """Bring something before the umpire."""


Deed = Literal[
    "pause",
    "resume",
    "add",
    "take back",
    "correct",
    "act",
    "rule",
    "replace",
    "close",
    "adjudicate",
    "restore",
]
"""What an umpire may do by letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Umpire(Written):
    """Act in a game as its umpire, or in all that are being played in an event. text: all behind the word.

    deed: what is to be done; with what it needs of the rest. event: its name, "" for a game. seat, turn, order: whose
    and which. until: the day on which a pause ends. time: that is given. whom: a name or an address. end: as in
    Agree. case: of the game's, that is ruled on, and the verdict on it; unchanged: it is upheld, and nothing is to be
    changed in the game for it. reason: the writer's words, "" where he asks to
    see a case.
    """

    deed: Deed
    event: str = ""
    seat: str = ""
    turn: int | None = None
    order: str = ""
    until: date | None = None
    time: timedelta | None = None
    whom: str = ""
    end: str = ""
    case: int | None = None
    verdict: str = ""
    unchanged: bool = False
    reason: str = ""

    @property
    def deed_line(self) -> str:
        """All that stands before the colon, canonically."""
        which = self.event or f"{self.game}" + (f"/{self.case}" if self.case is not None else "")
        said = [
            self.word,
            self.deed,
            which,
            f"to {self.turn}" if self.deed == "take back" else f"{self.turn or ''}",
            self.seat,
            self.order,
            self.whom,
            self.end,
            self.verdict,
            "unchanged" if self.unchanged else "",
            f"until {self.until.isoformat()}" if self.until else "",
            write_duration(self.time) if self.time is not None else "",
        ]
        return " ".join(filter(None, said))

    def write(self) -> str:
        return f"{self.deed_line}: {' '.join(self.reason.split())}" if self.reason else self.deed_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeal(Written):
    """Appeal against a ruling, or what an umpire has done. case: the number of a case of the game, None where none is
    named. act: which of the umpires' acts in the game, from 1; day: on which it was done; None where that is not said.
    """

    case: int | None = None
    act: int | None = None
    day: date | None = None

    def write(self) -> str:
        which = (
            "" if self.game is None else f"{self.game}" if self.case is None else f"{self.game}/{self.case}"
        )
        act = f"act {self.act}" if self.act is not None else ""
        day = self.day.isoformat() if self.day is not None else ""
        return " ".join([self.word, *filter(None, (which, act, day)), *self.text.split()])


@dataclass(frozen=True, slots=True, kw_only=True)
class Mute(Command):
    """Have no press of one's opponent's any more; off: have it again."""

    off: bool = False

    def write(self) -> str:
        said = "mute off" if self.off else "mute"
        return said if self.game is None else f"{said} {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch(Command):
    """Hear of a game what both players hear; off: hear no more of it."""

    off: bool = False

    def write(self) -> str:
        said = "watch off" if self.off else "watch"
        return said if self.game is None else f"{said} {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch(Command):
    """Propose a game that is over once more, with the colours exchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Command):
    """Say that one meant it: a resignation, or a letter that was held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel(Command):
    """Take back what still waits: a challenge of one's own, a proposal to end a game, a resignation to be confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Command):
    """Ask for the game's record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(Command):
    """Ask why a piece is known to be what it is. subject: its letter, with a side before it: "H", "white H"."""

    subject: str

    def write(self) -> str:
        return f"why {self.subject}" if self.game is None else f"why {self.subject} {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resend(Command):
    """Ask for a letter once more. number: which, as its last line says; None for the newest."""

    number: int | None = None

    def write(self) -> str:
        said = self.word if self.number is None else f"{self.word} {self.number}"
        return said if self.game is None else f"{self.game}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTag(Command):
    """Ask for another reply tag, because a letter that held the old one went astray."""

    @property
    def word(self) -> str:
        return "new tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowChoices(Command):
    """Ask what one has chosen so far of all that can be set."""

    @property
    def word(self) -> str:
        return "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPreference(Command):
    """Choose how one's letters look."""

    key: str
    value: str

    @property
    def word(self) -> str:
        return "set"

    def write(self) -> str:
        return f"{self.word} {self.key} {self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAddress(Command):
    """Have letters sent to another address (use main), or letters from a second one counted as one's own.

    address: "" to have no second one any more.
    """

    use: Literal["main", "second"]
    address: str

    @property
    def word(self) -> str:
        return "set address" if self.use == "main" else "set second"

    def write(self) -> str:
        return f"{self.word} {self.address or 'none'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Command):
    """Take days off, both included; off: end that. Without either, ask what was taken."""

    first: date | None = None
    last: date | None = None
    off: bool = False

    def write(self) -> str:
        said = (
            ["off"]
            if self.off
            else [each.isoformat() for each in (self.first, self.last) if each is not None]
        )
        return " ".join(["leave", *said])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(Command):
    """Want no time to run in a game for a while."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Command):
    """Want time to run again in a game that rests by consent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye(Command):
    """Leave for good, and be forgotten."""


def write_options(options: Mapping[str, str]) -> str:
    """Write options as a line ends with them: ' option sheets=off option colour=white'."""
    return "".join(f" option {key}={value}" for key, value in options.items())
