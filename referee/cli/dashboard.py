"""The operator's overview: as plain data, and as lines for a terminal of 80 columns."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rich.console import Console
from rich.table import Table

from referee.common.timestamps import for_programs
from referee.games.titles import who_plays
from referee.handlers.overview_builder import Audience, build_overview
from referee.reports.overview import LATE, CaseOver, GameSeen, Line, Matter, Overview, SeatSeen, Unread
from referee.rulebooks.rulebook import Json
from referee.service.bootstrap import Application
from referee.store.overview_values import Proposal

WIDTH = 80
MOST_LISTED = 200
"""How many games are listed by default."""
MOST_NAMED = 5
"""How many proposals and letters are named; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What needs the operator besides running games.

    set_aside: letters of `referee letters`, the newest, each with its reason; held ones appear with their
        games.
    proposals: how many are open.
    oldest: the oldest proposals.
    """

    set_aside: tuple[tuple[int, str], ...] = ()
    proposals: int = 0
    oldest: tuple[Proposal, ...] = ()

    def plain(self) -> dict[str, Json]:
        """Return the values as plain data."""
        return {
            "set_aside": [{"letter": number, "reason": reason} for number, reason in self.set_aside],
            "proposals": self.proposals,
            "oldest_proposals": [
                {"game": each.game, "open": each.is_open, "since": _instant(each.since)}
                for each in self.oldest
            ],
        }


def look_over(
    application: Application, event: str | None = None, *, late: bool = False, most: int = MOST_LISTED
) -> tuple[Overview, Beside]:
    """Return the overview of all games, or of a tournament's, and what else needs the operator.

    late: late games only.
    Raises UsageError for an unknown tournament.
    """
    service = application.service
    with application.store.reading() as lookup:
        which = (lookup.tournaments.find_named(event),) if event is not None else None
        whose = Audience(which)
        overview = build_overview(
            lookup,
            service.time,
            service.rulebooks,
            application.clock.now(),
            whose,
            most=most,
            late=late,
        )
        if event is not None or late:
            return overview, Beside()
        aside = tuple(
            (each.number, each.reason) for each in reversed(lookup.letters.newest(MOST_NAMED, "set-aside"))
        )
        count, oldest = lookup.games.proposals(MOST_NAMED)
    return overview, Beside(aside, count, tuple(oldest))


# As plain data


def plain(overview: Overview, beside: Beside) -> dict[str, Json]:
    """Return the overview as plain data: times as ISO 8601 in UTC, durations in seconds."""
    return {
        "now": _instant(overview.now),
        "playing": overview.playing,
        "needs": [_game(line) for line in overview.needs],
        "events": [
            {"event": section.event or None, "games": [_game(line) for line in section.lines]}
            for section in overview.sections
        ],
        "cases_of_games_over": [
            {"game": each.game, "case": each.case.number, "since": _instant(each.case.since)}
            for each in overview.cases
        ],
        "unread": [{"event": each.event or None, "game": each.game or None} for each in overview.unread],
        "left_out": overview.left_out,
        **beside.plain(),
    }


def late_games(overview: Overview) -> list[dict[str, Json]]:
    """Return the late games as `list_games` does, each with the overview's own facts."""
    return [
        {
            "game": game.number,
            "title": game.title,
            "names": {each.seat: each.name or each.seat.capitalize() for each in game.seats},
            "rules": game.rules,
            "event": game.event or None,
            "status": "playing",
            "frozen": game.frozen.said if game.frozen else None,
            "turn": game.turn,
            "to_move": [each.seat for each in game.due],
            "time": game.time or None,
            "deadline": _instant(next((each.deadline for each in game.due), None)),
            "result": None,
            "started": _instant(game.started),
            "ended": None,
            "fault": game.unread or None,
            "since": _instant(game.since),
            "seats": {each.seat: _side(each) for each in game.seats},
            "needs": [_matter(each, game) for each in line.matters],
        }
        for line in overview.needs
        for game in (line.game,)
    ]


def _game(line: Line) -> dict[str, Json]:
    game = line.game
    return {
        "game": game.number,
        "event": game.event or None,
        "rules": game.rules,
        "turn": game.turn,
        "to_move": [each.seat for each in game.due],
        "since": _instant(game.since),
        "time": game.time or None,
        "lapse": game.lapse if game.time else None,
        "frozen": game.frozen.said if game.frozen else None,
        "offer": {"by": game.offer.seat, "end": game.offer.said, "since": _instant(game.offer.since)}
        if game.offer
        else None,
        "pause_offers": [{"by": each.seat, "since": _instant(each.since)} for each in game.pauses],
        "seats": {each.seat: _side(each) for each in game.seats},
        "needs": [_matter(each, game) for each in line.matters],
        "fault": game.unread or None,
    }


def _side(side: SeatSeen) -> dict[str, Json]:
    return {
        "name": side.name,
        "to_move": side.due,
        "used": _seconds(side.used),
        "left": _seconds(side.left),
        "deadline": _instant(side.deadline),
        "rests": side.rests,
        "rests_until": _instant(side.until),
        "letter_in": _instant(side.letter_in),
        "letter_out": _instant(side.letter_out),
        "posted": side.posted,
        "on_leave": side.on_leave.isoformat() if side.on_leave else None,
    }


def _matter(matter: Matter, game: GameSeen) -> dict[str, Json]:
    what = matter.what
    return {
        "what": matter.code,
        "since": _instant(what.since),
        "seat": what.seat,
        "number": what.number or None,
        "said": what.said or None,
        "cure": _cure(matter, game),
    }


def _instant(at: datetime | None) -> str | None:
    return for_programs(at) if at is not None else None


def _seconds(time: timedelta | None) -> int | None:
    return int(time.total_seconds()) if time is not None else None


# As lines


def write_overview(overview: Overview, beside: Beside) -> Iterator[str]:
    """Yield the overview in lines: what needs attention with the possible actions, then the rest as a table."""
    if overview.empty and not (beside.set_aside or beside.proposals):
        yield "No game is being played, and nothing waits for you."
        return
    yield f"Games being played: {overview.playing}. Times are in UTC; it is {overview.now:%Y-%m-%d %H:%M}."
    if overview.needs or overview.cases or overview.unread or beside.set_aside:
        yield from ("", "NEEDS SOMEBODY")
        for line in overview.needs:
            yield from _needs(line, overview.now)
        for case in overview.cases:
            yield from _case_over(case, overview.now)
        for what in overview.unread:
            yield from _indented(_unread(what))
        for number, reason in beside.set_aside:
            show = f"`referee letters show {number}`"
            yield from _indented(f"Letter {number} was set aside: {reason}. Look at it with {show}.")
    else:
        yield "Nothing needs you."
    for section in overview.sections:
        yield from ("", (section.event or "No event").upper())
        yield from _table(section.lines, overview.now)
    if beside.proposals:
        yield from ("", f"Proposals that wait for an answer: {beside.proposals}")
        for each in beside.oldest:
            asked = "anybody may join" if each.is_open else who_plays(each.title, each.game)
            yield from _indented(f"{each.game}: {asked}, since {_brief(each.since, overview.now)}")
    if overview.left_out:
        yield ""
        yield f"Not listed: {overview.left_out} more, which need less; --limit lists more, --event one event."


def write_late(overview: Overview) -> Iterator[str]:
    """Yield a line for each late game."""
    for line in overview.needs:
        game = line.game
        matter = next(each for each in line.matters if each.code in LATE)
        side = next((each for each in game.seats if each.seat == matter.what.seat), game.seats[0])
        said = (
            f"{game.number:5}  {textwrap.shorten(_players(game), 30, placeholder='...')}: turn {game.turn}, "
        )
        left = f"left {_span(side.left)}, " if side.left is not None else ""
        yield (
            f"{said}{_said(matter, game, overview.now)}; {left}last letter in "
            f"{_brief(side.letter_in, overview.now)}"
        )


def _needs(line: Line, now: datetime) -> Iterator[str]:
    game = line.game
    event = f", {game.event}" if game.event else ""
    yield from textwrap.wrap(
        f"{game.number:5}  {_players(game)}, turn {game.turn}{event}",
        WIDTH,
        subsequent_indent=" " * 7,
        drop_whitespace=True,
    )
    for matter in line.matters:
        said = _said(matter, game, now)
        yield from _indented(f"{said[:1].upper()}{said[1:]}. {_cure(matter, game)}")
    if not game.unread:
        for side in sorted(game.seats, key=lambda each: not each.due):
            yield from _indented(_side_line(side, game, now))
    if waits := _waits(game, now):
        yield from _indented(f"Waits for an answer: {waits}.")


def _case_over(case: CaseOver, now: datetime) -> Iterator[str]:
    which = f"{case.game}/{case.case.number}"
    since = _brief(case.case.since, now)
    if case.case.to_change:
        what = f"The appeal in case {which}" if case.case.appealed else f"Case {which}"
        yield from _indented(f"{what} was upheld {since}. {_change(which)}")
        return
    yield from _indented(f"Case {which} is open since {since}, and its game is over. {_settle(which)}")


def _unread(what: Unread) -> str:
    if what.event:
        return f"The terms of {what.event} cannot be read. See `referee doctor`."
    return f"The cases of game {what.game}, which is over, cannot be read. See `referee show {what.game}`."


def _said(matter: Matter, game: GameSeen, now: datetime) -> str:
    """Return what needs attention, as a clause."""
    what = matter.what
    side, since = (what.seat or "").capitalize(), _brief(what.since, now)
    match matter.code:
        case "late":
            return f"{side} is late since {since}"
        case "time-up":
            return f"{side}'s time is up since {since}; it may be claimed"
        case "case" if what.to_change:
            case = f"{'the appeal in ' if what.appealed else ''}case {game.number}/{what.number}"
            return f"{case} was upheld {since}, for {what.said or 'you'} to act"
        case "case":
            how = "appealed against" if what.appealed else f"brought by {side}"
            return f"case {game.number}/{what.number}, {how}, waits since {since} for {what.said or 'you'}"
        case "unreachable":
            return f"letters to {side} come back since {since}"
        case "frozen":
            return f"frozen since {since}: {what.said.rstrip('.')}"
        case "held":
            return f"letter {what.number} in the name of {side or 'a player'} is held since {since}"
        case "silent":
            return f"{side} has not moved since {since}, and there is no deadline"
    return what.said or "it cannot be read"


def _cure(matter: Matter, game: GameSeen) -> str:
    """Return a sentence on the possible actions."""
    n, seat = game.number, matter.what.seat
    gives_time = f"`referee umpire add-time {n} --seat {seat}` gives time."
    match matter.code:
        case "late" if game.lapse == "hard":
            return f"The game ends as soon as no letter can be in time; {gives_time}"
        case "late" | "time-up":
            return gives_time
        case "case" if matter.what.to_change:
            return _change(f"{n}/{matter.what.number}")
        case "case":
            return _settle(f"{n}/{matter.what.number}")
        case "unreachable":
            return f"Ask {seat} by another way; `referee umpire replace {n} {seat}` seats somebody else."
        case "frozen":
            return f"`referee thaw {n}` lets it go on."
        case "held":
            return (
                f"Its player is asked whether it is theirs; see `referee letters show {matter.what.number}`."
            )
        case "silent":
            return f"Ask whether it goes on; `referee adjudicate {n}` ends it."
    return f"See `referee show {n}`."


def _change(which: str) -> str:
    return (
        f"No umpire has done anything in the game since: change it by `referee umpire`, or say why not by "
        f"`referee claims --settle {which} --upheld --unchanged --answer TEXT`."
    )


def _settle(which: str) -> str:
    return f"`referee claims --settle {which}` rules on it."


def _waits(game: GameSeen, now: datetime) -> str:
    """Return the players' open offers as a list."""
    offers = []
    if game.offer is not None:
        end = "a draw" if game.offer.said == "draw" else f"the end {game.offer.said}"
        offers.append(f"{end}, by {game.offer.seat} since {_brief(game.offer.since, now)}")
    offers += [f"a pause, by {each.seat} since {_brief(each.since, now)}" for each in game.pauses]
    return "; ".join(offers)


def _side_line(side: SeatSeen, game: GameSeen, now: datetime) -> str:
    said = f"{side.seat.capitalize()}"
    said += f" to move since {_brief(game.since, now)}" if side.due else " waits"
    if side.left is not None:
        said += f"; used {_span(side.used)}, left {_span(side.left)}"
    if side.deadline is not None:
        said += f", until {_brief(side.deadline, now)}"
    if side.rests:
        said += f"; no time runs ({side.rests})"
    if side.on_leave:
        said += f"; on leave until {side.on_leave:%m-%d}"
    out = _brief(side.letter_out, now) + ("" if side.posted else " (not posted)")
    return f"{said}; last letter in {_brief(side.letter_in, now)}, out {out}."


def _table(lines: Sequence[Line], now: datetime) -> Iterator[str]:
    """Yield games as a table: the letters and time of the side to move, or of the first side."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    for heading, right in _COLUMNS.items():
        flexible = heading == "Players"
        table.add_column(
            heading,
            justify="right" if right else "left",
            no_wrap=True,
            overflow="ellipsis",
            ratio=1 if flexible else None,
        )
    for line in lines:
        game = line.game
        side = next(iter(game.due), game.seats[0])
        rests = side.rests or ("" if side.left is not None else "no clock")
        until = _brief(side.deadline, now) if side.deadline else rests
        table.add_row(
            str(game.number),
            _players(game),
            str(game.turn),
            "/".join(each.seat.capitalize() for each in game.due),
            _span(side.used),
            _span(side.left),
            until,
            _brief(side.letter_in, now, day=True),
            _brief(side.letter_out, now, day=True),
        )
    page = io.StringIO()
    Console(file=page, width=WIDTH, color_system=None, highlight=False, markup=False, emoji=False).print(
        table
    )
    heading, *rows = (row.rstrip() for row in page.getvalue().splitlines())
    yield heading
    for line, row in zip(lines, rows, strict=True):
        yield row
        if waits := _waits(line.game, now):
            yield from _indented(f"Waits for an answer: {waits}.")


_COLUMNS: Mapping[str, bool] = {
    "Game": True,
    "Players": False,
    "Turn": True,
    "To move": False,
    "Used": True,
    "Left": True,
    "Until": False,
    "In": False,
    "Out": False,
}
"""The columns, and which are aligned to the right."""


def _players(game: GameSeen) -> str:
    return " - ".join(each.name or each.seat.capitalize() for each in game.seats)


def _indented(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * 7, subsequent_indent=" " * 9, break_long_words=False
    )


def _brief(at: datetime | None, now: datetime, *, day: bool = False) -> str:
    """Write an instant: "11-29 18:10", with the year where it is half a year away. day: the day alone."""
    if at is None:
        return "-"
    date = f"{at:%m-%d}" if abs((at - now).days) < 180 else f"{at:%Y-%m-%d}"
    return date if day else f"{date} {at:%H:%M}"


def _span(time: timedelta | None) -> str:
    """Write a duration, rounded down: "2d23h", "5h20m"."""
    if time is None:
        return "-"
    minutes = int(time.total_seconds()) // 60
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days}d{hours}h" if hours else f"{days}d"
    return f"{hours}h{minutes:02}m" if hours else f"{minutes}m"
