"""An overview of games for their organisers.

Games that need attention come first, then the rest, tournament by tournament. It is built from plain values
that an umpire who does not play may know: whose turn it is, times, and when letters came and went. No type,
deal, sheet, plan or diary is among them, so none can get into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Literal, get_args

from referee.games.clocks.controls import Lapse
from referee.rulebooks.rulebook import Seat

Code = Literal["late", "time-up", "case", "unreachable", "frozen", "unread", "held", "silent"]
"""Why a game needs attention.

late: a deadline has passed.
time-up: time has run out, and the opponent may claim.
case: a case is open.
unreachable: letters bounce.
frozen: the umpire has stopped the game.
unread: its stored events cannot be read.
held: a letter waits for its writer to confirm it.
silent: no time is counted, and nobody has moved for long.
"""
CODES: tuple[Code, ...] = get_args(Code)
"""The most urgent first."""
LATE: frozenset[Code] = frozenset(("late", "time-up", "silent"))
"""The codes of games that are late."""
SILENT_AFTER = timedelta(days=30)
"""A game without deadlines is listed as silent after this long without a move."""

Rest = Literal["frozen", "unreachable", "pause", "leave", "day off"]
"""Why a seat's clock is stopped; one reason is that the opponent is unreachable."""


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One side of a game.

    name: "" while the player has given none.
    due: it is to move.
    used, left: of its total time, None where none is counted.
    deadline: None while its clock is stopped, and for a side that waits.
    rests, until: why its clock is stopped, and until when, None for unknown.
    letter_in: when the player's last letter about the game arrived.
    letter_out, posted: when the last letter to the player was written, and whether it was accepted for
        delivery.
    on_leave: last day of the player's leave.
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
    """Something that a game has pending.

    since: None where unknown.
    seat: its owner's, None for nobody's.
    number: of a case or a letter.
    said: a reason, a proposed end (see games.results), or who is to rule on a case, "" for the operator.
    yours: the reader is the one to act.
    appealed: the case was appealed.
    to_change: the claim was upheld, and nobody has changed the game for it yet.
    """

    since: datetime | None
    seat: Seat | None = None
    number: int = 0
    said: str = ""
    yours: bool = False
    appealed: bool = False
    to_change: bool = False


@dataclass(frozen=True, slots=True)
class GameSeen:
    """A game that is being played.

    event: name of its tournament, "" for none.
    since: when the side to move became due.
    rules: name of the rulebook.
    title: of its letters. started: when it was created.
    time: its time control as an option writes it, "" where none is counted.
    offer: how a seat has proposed to end it. pauses: seats that want a pause.
    unread: why it cannot be read, "" where it can.
    yours: the reader may act in it.
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
    """Something that needs attention; see Code. what: its facts."""

    code: Code
    what: Happened


@dataclass(frozen=True, slots=True)
class Line:
    """A game in the overview. matters: what needs attention in it, most urgent first."""

    game: GameSeen
    matters: tuple[Matter, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game that the reader plays, as in their list of games. due: the reader is to move."""

    number: int
    event: str
    who: str
    turn: int
    due: bool


@dataclass(frozen=True, slots=True)
class Section:
    """The games of a tournament that need no attention. event: its name, "" for games of none."""

    event: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class CaseOver:
    """A case that is open though its game is over."""

    game: int
    case: Happened


@dataclass(frozen=True, slots=True)
class Unread:
    """Stored data that cannot be read: a tournament's settings, or the cases of a game that is over.

    event: its name. game: its number. The other one is "" or 0.
    """

    event: str = ""
    game: int = 0


@dataclass(frozen=True, slots=True)
class Overview:
    """What an organiser is shown.

    events: names of the tournaments shown.
    playing: how many games are being played in them.
    left_out: number of games left out, which need less attention than those listed.
    late: only late games were asked for.
    own: games that the reader plays.
    unread: damaged data that belongs to no listed game.
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
        """All games in it that the reader does not play, in order."""
        return (*self.needs, *(line for section in self.sections for line in section.lines))


def matters_of(game: GameSeen, now: datetime) -> tuple[Matter, ...]:
    """Return what needs attention in a game, most urgent first."""
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
    """Return games by urgency.

    First come games that need attention, then games by deadline, then those without a deadline, longest wait
    first.
    """
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
    """Build the overview.

    events: names of the tournaments, in order.
    late: list late games only.
    """
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
