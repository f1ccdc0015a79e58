"""An overview of games for whoever runs them: what needs somebody first, then the rest, event by event.

It is drawn up from plain values, which hold what an umpire may know who does not play: whose turn it is, time, and when
letters came and went. No type, deal, sheet, plan or diary is among them, so that none can get into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Literal, get_args

from referee.games.clocks.controls import Lapse
from referee.rulebooks.rulebook import Seat

Code = Literal["late", "time-up", "case", "unreachable", "frozen", "unread", "held", "silent"]
"""What needs somebody: a deadline has passed; time was up and the opponent may claim; a case is open; letters come
back; the umpire has stopped the game; what was kept of it cannot be read; a letter waits for its writer's word; nobody
has moved for long where no time is counted."""
CODES: tuple[Code, ...] = get_args(Code)
"""The most urgent first."""
LATE: frozenset[Code] = frozenset(("late", "time-up", "silent"))
"""What is late."""
SILENT_AFTER = timedelta(days=30)
"""So long nobody has moved in a game without deadlines before it is listed as silent."""

Rest = Literal["frozen", "unreachable", "pause", "leave", "day off"]
"""Why no time of a seat's runs: also since the opponent cannot be reached."""


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One side of a game. name: "" while its player has given none.

    due: it is to move. used, left: of its time in all, None where none is counted. deadline: None while none of it
    runs, and for whoever waits. rests: why, until: when that ends, None for not known. letter_in: when the last letter
    of its player's about the game came in; letter_out: when the last one to him was written, posted: and accepted for
    delivery. on_leave: until when its player is, that day included.
    """

    seat: Seat
    name: str = ""
    due: bool = False
    used: timedelta | None = None
    left: timedelta | None = None
    deadline: datetime | None = None
    rests: Rest | None = None
    until: datetime | None = None
    letter_in: datetime | None = None
    letter_out: datetime | None = None
    posted: bool = True
    on_leave: date | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that stands in a game. since: None where that is not known. seat: whose, None for nobody's. number: of
    a case or a letter. said: a reason, or how a game is to end (see games.results), or who is to rule on a case, "" for
    whoever runs the service. yours: that is the reader. appealed: somebody has appealed there; to_change:
    that was upheld, and nobody has changed the game for it."""

    since: datetime | None
    seat: Seat | None = None
    number: int = 0
    said: str = ""
    yours: bool = False
    appealed: bool = False
    to_change: bool = False


@dataclass(frozen=True, slots=True)
class GameSeen:
    """A game that is being played. event: its name, "" for none. since: somebody is to move since then.

    rules: name of the rulebook. title: of its letters, started: when it was made. time: its time control as an option
    has it, "" where none is counted. offer: how a seat has proposed to end it; pauses: seats that want one. unread: why
    it cannot be read, "" where it can. yours: the reader may act there.
    """

    number: int
    event: str
    turn: int
    seats: tuple[SeatSeen, ...]
    since: datetime | None = None
    time: str = ""
    lapse: Lapse = "hard"
    frozen: Happened | None = None
    offer: Happened | None = None
    pauses: tuple[Happened, ...] = ()
    unreachable: tuple[Happened, ...] = ()
    time_up: tuple[Happened, ...] = ()
    cases: tuple[Happened, ...] = ()
    held: tuple[Happened, ...] = ()
    unread: str = ""
    rules: str = ""
    title: str = field(default="", repr=False)
    started: datetime | None = None
    yours: bool = True

    @property
    def due(self) -> tuple[SeatSeen, ...]:
        """The sides that are to move."""
        return tuple(each for each in self.seats if each.due)


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that needs somebody; see Code. what: its facts."""

    code: Code
    what: Happened


@dataclass(frozen=True, slots=True)
class Line:
    """A game in the overview. matters: what needs somebody in it, the most urgent first."""

    game: GameSeen
    matters: tuple[Matter, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game that the reader plays himself, as his list of games has it. due: he is to move."""

    number: int
    event: str
    who: str
    turn: int
    due: bool


@dataclass(frozen=True, slots=True)
class Section:
    """The games of an event that need nobody. event: its name, "" for those of none."""

    event: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class CaseOver:
    """A case that waits though its game is over."""

    game: int
    case: Happened


@dataclass(frozen=True, slots=True)
class Unread:
    """Something beside a game that is being played of which what was kept cannot be read: the terms of an event, or the
    cases of a game that is over. event: its name, game: its number; "" and 0 for the other."""

    event: str = ""
    game: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """What whoever runs games is shown. events: of which; playing: how many games are being played in them.

    left_out: so many are not listed, which need less than those that are. late: only what is late was asked for. own:
    that the reader plays. unread: what needs somebody since it is damaged, and is no game that is listed.
    """

    now: datetime
    events: tuple[str, ...] = ()
    playing: int = 0
    needs: tuple[Line, ...] = ()
    sections: tuple[Section, ...] = ()
    cases: tuple[CaseOver, ...] = ()
    own: tuple[OwnGame, ...] = ()
    left_out: int = 0
    late: bool = False
    unread: tuple[Unread, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return not (self.needs or self.sections or self.cases or self.own or self.left_out or self.unread)

    @property
    def lines(self) -> tuple[Line, ...]:
        """All games in it that the reader does not play, in their order."""
        return (*self.needs, *(line for section in self.sections for line in section.lines))


def matters_of(game: GameSeen, now: datetime) -> tuple[Matter, ...]:
    """Return what needs somebody in a game, the most urgent first."""
    rests = {side.seat for side in game.due if game.frozen is not None or side.rests == "pause"}
    found = [Matter("time-up", each) for each in game.time_up if each.seat not in rests]
    for side in game.due:
        up = side.seat in rests or any(each.seat == side.seat for each in game.time_up)
        if side.deadline is not None and side.deadline < now and not up:
            found.append(Matter("late", Happened(side.deadline, side.seat)))
    found += [Matter("case", each) for each in game.cases]
    found += [Matter("unreachable", each) for each in game.unreachable]
    if game.frozen is not None:
        found.append(Matter("frozen", game.frozen))
    if game.unread:
        found.append(Matter("unread", Happened(None, said=game.unread)))
    found += [Matter("held", each) for each in game.held]
    waits = not (game.time or game.frozen or game.unreachable) and game.since is not None
    if waits and game.due and game.since is not None and now - game.since >= SILENT_AFTER:
        found.append(Matter("silent", Happened(game.since, game.due[0].seat)))
    return tuple(sorted(found, key=lambda each: _urgency(each, now)))


def _urgency(matter: Matter, now: datetime) -> tuple[int, datetime, int]:
    return (CODES.index(matter.code), matter.what.since or now, matter.what.number)


def by_urgency(games: Iterable[GameSeen], now: datetime) -> list[Line]:
    """Return games in the order in which they need somebody: those first in which something is to be done, then by
    their deadlines, and last those without any, the one that waits longest first."""
    lines = [Line(game, matters_of(game, now)) for game in games]
    return sorted(lines, key=lambda line: _place(line, now))


def _place(line: Line, now: datetime) -> tuple[int, int, float, int]:
    game = line.game
    if line.matters:
        code, since, _ = _urgency(line.matters[0], now)
        return (0, code, since.timestamp(), game.number)
    deadlines = [each.deadline for each in game.due if each.deadline is not None]
    if deadlines:
        return (1, 0, min(deadlines).timestamp(), game.number)
    return (2, 0, (game.since or now).timestamp(), game.number)


def draw_up(
    games: Sequence[GameSeen],
    now: datetime,
    *,
    events: Sequence[str] = (),
    playing: int = 0,
    cases: Sequence[CaseOver] = (),
    own: Sequence[OwnGame] = (),
    left_out: int = 0,
    late: bool = False,
    unread: Sequence[Unread] = (),
) -> Overview:
    """Draw up the overview. events: whose games they are, in their order. late: of what is late alone."""
    lines = by_urgency(games, now)
    if late:
        wanted = [line for line in lines if any(each.code in LATE for each in line.matters)]
        return Overview(now, tuple(events), playing, tuple(wanted), late=True)
    rest = [line for line in lines if not line.matters]
    names = dict.fromkeys((*events, *(line.game.event for line in rest if line.game.event), ""))
    sections = (Section(name, tuple(line for line in rest if line.game.event == name)) for name in names)
    return Overview(
        now,
        tuple(events),
        playing,
        tuple(line for line in lines if line.matters),
        tuple(section for section in sections if section.lines),
        tuple(sorted(cases, key=lambda each: (each.case.since or now, each.game, each.case.number))),
        tuple(own),
        left_out,
        unread=tuple(unread),
    )
