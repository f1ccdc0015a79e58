"""What a letter may ask for: frozen values with imperative names.

Each command keeps the line it was read from and has a canonical text (`write`), which confirms to the writer
what was understood and is stored with the letter.
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
    """One line that asks for something. game: the number in the line itself, if any (`18: V-NW2`)."""

    line: OwnLine
    game: int | None = None

    @property
    def word(self) -> str:
        """The command's word in English."""
        return type(self).__name__.lower()

    def write(self) -> str:
        """Return the command in canonical text."""
        return self.word if self.game is None else f"{self.word} {self.game}"


@dataclass(frozen=True, slots=True)
class Guard:
    """How long a move is meant to apply: in one turn only, or until a newer letter about the game is sent.

    number: the turn's, or that of a letter about the game, as in the letter's last line.
    """

    what: Literal["turn", "letter"]
    number: int

    def write(self) -> str:
        """Return the guard as written after a move."""
        return f"@{self.number}" if self.what == "turn" else f"@letter {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Command):
    """Make a move: a line for the rulebook. text: normalised, without the game's number and the guard."""

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
    """Leave a plan for the writer's coming turns.

    text: the part after the command word, with wrapped lines joined by blanks.
    starts: for each of the joined lines its start in the text (from 0), its number in the letter, and the
        column there (from 1).
    """

    text: str
    starts: tuple[tuple[int, int, int], ...]

    def place(self, column: int) -> tuple[int, int]:
        """Return the line and column in the letter for a column in the text, all from 1."""
        at, line, first = max(start for start in self.starts if start[0] < max(column, 1))
        return line, first + column - 1 - at

    def write(self) -> str:
        said = f"{self.word} {self.text}"
        return said if self.game is None else f"{self.game}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Command):
    """Give the writer's name, and a language if it is not the service's."""

    name: str
    language: str = ""

    def write(self) -> str:
        return f"register {self.name} {self.language}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(Command):
    """Ask for a help page.

    topic: an existing one; "" for the first page, "rules" for the page of the letter's game, "sheets" for
        that page's part on sheets.
    """

    topic: str = ""

    def write(self) -> str:
        return f"help {self.topic}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Games(Command):
    """Ask for the list of the writer's games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Events(Command):
    """Ask for the events that the writer has a part in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview(Command):
    """Ask how the games stand in which the writer is an officer.

    late: only those that are late.
    event: its name, "" for all of the writer's events.
    """

    late: bool = False
    event: str = ""

    def write(self) -> str:
        return " ".join(filter(None, (self.word, "late" if self.late else "", self.event)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Command):
    """Ask how a game stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(Command):
    """Propose a game to someone. whom: their name or address."""

    whom: str
    rules: str
    options: Mapping[str, str] = field(default_factory=dict)

    def write(self) -> str:
        return f"challenge {self.whom} {self.rules}{write_options(self.options)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Command):
    """Propose a game to the first player who joins."""

    rules: str
    options: Mapping[str, str] = field(default_factory=dict)

    def write(self) -> str:
        return f"open {self.rules}{write_options(self.options)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(Command):
    """Take the free seat of an open game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept(Command):
    """Accept a challenge; options that differ from those proposed counter it with the writer's terms."""

    options: Mapping[str, str] = field(default_factory=dict)

    def write(self) -> str:
        said = self.word if self.game is None else f"{self.word} {self.game}"
        return f"{said}{write_options(self.options)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(Command):
    """Decline a challenge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Command):
    """Resign a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Command):
    """Offer a draw, or agree to one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agree(Command):
    """Propose how a game is to end, or agree to a proposal. end: as in games.results; "" to agree."""

    end: str = ""

    def write(self) -> str:
        said = f"{self.word} {self.end}".rstrip()
        return said if self.game is None else f"{said} {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written(Command):
    """A text by the writer.

    text: as written, of one line or several.
    unread: those of its lines that look like commands and are read as text only.
    """

    text: str
    unread: tuple[str, ...] = ()

    def write(self) -> str:
        said = " ".join([self.word, *self.text.split()])
        return said if self.game is None else f"{self.game}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(Written):
    """Write to the other player; to_all: to all readers."""

    to_all: bool = False

    @property
    def word(self) -> str:
        return "press all" if self.to_all else "press"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diary(Written):
    """Write in the writer's diary, which is shown at the end; text "": ask for the diary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Written):
    """Bring a claim to the umpire."""


ActionName = Literal[
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
"""The acts that an umpire may do by letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Umpire(Written):
    """Act as umpire in a game, or in all running games of an event. The fields hold what the action needs.

    text: everything after the command word.
    action: what is to be done.
    event: its name, "" for a game.
    seat, turn, order: whose move, and which.
    until: the day on which a pause ends.
    time: the time to be given.
    whom: a name or an address.
    end: as in Agree.
    case: the number of the game's case to be ruled on.
    verdict: on the case.
    unchanged: the case is upheld, but nothing in the game has to change for it.
    reason: the writer's words, "" where they ask to see a case.
    """

    action: ActionName
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
    def action_line(self) -> str:
        """The canonical text before the colon."""
        which = self.event or f"{self.game}" + (f"/{self.case}" if self.case is not None else "")
        said = [
            self.word,
            self.action,
            which,
            f"to {self.turn}" if self.action == "take back" else f"{self.turn or ''}",
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
        return f"{self.action_line}: {' '.join(self.reason.split())}" if self.reason else self.action_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeal(Written):
    """Appeal against a ruling, or against an umpire's act.

    case: the number of a case of the game, None where none is named.
    act: the number of the umpires' act in the game, from 1, None where none is named.
    day: the day of the act, None where none is named.
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
    """Mute the opponent's press; off: receive it again."""

    off: bool = False

    def write(self) -> str:
        said = "mute off" if self.off else "mute"
        return said if self.game is None else f"{said} {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch(Command):
    """Watch a game, hearing what both players hear; off: stop watching."""

    off: bool = False

    def write(self) -> str:
        said = "watch off" if self.off else "watch"
        return said if self.game is None else f"{said} {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch(Command):
    """Propose a finished game again with colours swapped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Command):
    """Confirm a resignation, or a letter that was held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel(Command):
    """Cancel what still waits: the writer's challenge, plan, proposal to end a game, or unconfirmed resignation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Command):
    """Ask for the game's record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(Command):
    """Ask why a piece is known to be what it is.

    subject: its letter, with or without a side before it: "H", "white H".
    """

    subject: str

    def write(self) -> str:
        return f"why {self.subject}" if self.game is None else f"why {self.subject} {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resend(Command):
    """Ask for a letter again. number: as in the letter's last line; None for the latest."""

    number: int | None = None

    def write(self) -> str:
        said = self.word if self.number is None else f"{self.word} {self.number}"
        return said if self.game is None else f"{self.game}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTag(Command):
    """Ask for another reply tag, because a letter with the old one was seen by someone else."""

    @property
    def word(self) -> str:
        return "new tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowChoices(Command):
    """Ask for the writer's present preferences."""

    @property
    def word(self) -> str:
        return "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPreference(Command):
    """Choose how the writer's letters look."""

    key: str
    value: str

    @property
    def word(self) -> str:
        return "set"

    def write(self) -> str:
        return f"{self.word} {self.key} {self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAddress(Command):
    """Change where the writer's letters are sent (use main), or which second address counts as the writer's.

    address: "" to have no second address any more.
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
    """Take days off, first and last included; off: end the leave. With neither, ask for what was taken."""

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
    """Ask for a pause by consent in a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Command):
    """Ask for time to run again in a game that is paused by consent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye(Command):
    """Leave for good and have one's data erased."""


def write_options(options: Mapping[str, str]) -> str:
    """Return options as at the end of a line: ' option sheets=off option colour=white'."""
    return "".join(f" option {key}={value}" for key, value in options.items())
