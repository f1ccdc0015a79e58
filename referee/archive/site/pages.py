"""Pages from plain values, through the templates in `templates/site`. The same values give the same bytes.

The templates escape everything in a page. The data for a page's script is in it as JSON without any character
that could end a script. No page requests anything except the two files next to it, and its policy forbids
anything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from referee import __version__
from referee.archive.site.battle_page import battle_shown
from referee.archive.site.page_data import Entry, Person, ShownGame
from referee.archive.site.programs import checked_by, example, program_file, programs
from referee.common.timestamps import for_people, for_programs
from referee.reports.compiled_templates import compiled_templates
from referee.rulebooks.rulebook import OBSERVER, Json
from referee.rulebooks.stages.battle import BattleStage
from referee.rulebooks.stages.board import CLEAR, Eyes, Frame, Stage

STYLE, SCRIPT = "site.css", "site.js"
NEWEST = 50
"""Games on the first page."""
LISTED = 500
"""Games on a page of the whole list. They are counted from the oldest on, so that full pages do not change."""
_ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@\w[\w.-]*\w")
_ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&'\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's results: in the games of a tournament, or in all. void: without a result. playing: not over."""

    person: Person
    played: int
    won: int
    drawn: int
    lost: int
    void: int = 0
    playing: int = 0


@dataclass(frozen=True, slots=True)
class Site:
    """What every page says. service: the name of the service."""

    service: str


def game_files(number: int) -> tuple[str, str, str, str]:
    """Return the paths of a game's page, its record, and the pictures of its board as SVG and PNG."""
    return game_page(number), f"games/{number}.txt", f"games/{number}.svg", f"games/{number}.png"


def game_page(number: int) -> str:
    """Return the path of a game's page."""
    return f"games/{number}.html"


def player_page(number: int) -> str:
    """Return the path of a player's page."""
    return f"players/{number}.html"


def event_page(number: int) -> str:
    """Return the path of a tournament's page."""
    return f"events/{number}.html"


def list_page(place: int) -> str:
    """Return the path of a page of the whole list. place: from 1."""
    return f"lists/{place}.html"


def standings(entries: Iterable[Entry]) -> list[Standing]:
    """Return the results of all players of these games, the most successful first."""
    counted: dict[int, list[Any]] = {}
    for entry in entries:
        for person in entry.players:
            if person.number is None:
                continue
            sums = counted.setdefault(person.number, [person, 0, 0, 0, 0, 0, 0])
            sums[1] += 1
            sums[_way_of_ending(entry, person)] += 1
    found = [Standing(*sums) for sums in counted.values()]
    return sorted(
        found, key=lambda each: (-each.won, -each.drawn, each.person.name.casefold(), each.person.number)
    )


def _way_of_ending(entry: Entry, person: Person) -> int:
    """Return the position in a standing at which a game counts for one of its players."""
    if entry.late is not None:
        return 6
    if entry.result is None or entry.result.void:
        return 5
    return 3 if entry.result.winner is None else 2 if entry.result.winner == person.seat else 4


def index_data(entries: Sequence[Entry]) -> dict[str, Json]:
    """Return the data that the first page searches.

    people and events: by number and name.
    games: newest first, each with its number, day, players (a number, or a colour), event, result and rules.
    seats: by rules.
    """
    people: dict[int, str] = {}
    events: dict[int, str] = {}
    seats: dict[str, Json] = {}
    games = []
    for entry in entries:
        people |= {each.number: each.name for each in entry.players if each.number is not None}
        if entry.event is not None:
            events[entry.event[0]] = entry.event[1]
        seats[entry.title] = [each.seat for each in entry.players]
        who = [each.number if each.number is not None else each.name for each in entry.players]
        event = entry.event[0] if entry.event else 0
        games.append([entry.number, f"{entry.begun:%Y-%m-%d}", who, event, entry.outcome, entry.title])
    return {
        "people": sorted(people.items()),
        "events": sorted(events.items()),
        "seats": dict(sorted(seats.items())),
        "games": games,
    }


def without_addresses(shown: Any) -> Any:
    """Return the data of a page without any mail address.

    Texts that people write to each other, and records from elsewhere, may hold some. Text that is already
    markup has been through here.
    """
    match shown:
        case Markup():
            return shown
        case str():
            return _ADDRESS.sub("(address)", shown)
        case Mapping():
            return {key: without_addresses(each) for key, each in shown.items()}
        case list() | tuple():
            return [without_addresses(each) for each in shown]
    return shown


def for_script(data: Json) -> Markup:
    """Return plain data as JSON that is safe in a page's script, whatever it holds."""
    said = without_addresses(data)
    written = json.dumps(said, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)
    return Markup(written)  # noqa: S704  (no character is left that means anything to a page)


class Pages:
    """Writes a site's pages."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def first(self, entries: Sequence[Entry], lists: int) -> bytes:
        """Return the first page. entries: of all games, newest first. lists: pages of the whole list."""
        return self._page(
            "index",
            "",
            newest=entries[:NEWEST],
            count=len(entries),
            lists=lists,
            data=index_data(entries),
            checked=checked_by(entries),
            example=example(entries),
        )

    def list_of(self, entries: Sequence[Entry], place: int, lists: int) -> bytes:
        """Return a page of the whole list."""
        return self._page("list", "../", entries=entries, place=place, lists=lists)

    def players(self, entries: Sequence[Entry]) -> bytes:
        """Return the page of all players."""
        found = sorted(standings(entries), key=lambda each: (each.person.name.casefold(), each.person.number))
        return self._page("players", "", standings=found)

    def player(self, person: Person, entries: Sequence[Entry]) -> bytes:
        """Return a player's page. entries: of their games, newest first."""
        (own,) = (each for each in standings(entries) if each.person.number == person.number)
        return self._page("player", "../", person=person, own=own, entries=entries)

    def events(self, events: Sequence[tuple[int, str, Sequence[Entry]]]) -> bytes:
        """Return the page of all tournaments: number, name and games of each."""
        return self._page("events", "", events=events)

    def event(self, number: int, name: str, entries: Sequence[Entry]) -> bytes:
        """Return a tournament's page. entries: of its games, newest first."""
        return self._page(
            "event", "../", number=number, name=name, entries=entries, standings=standings(entries)
        )

    def game(self, game: ShownGame) -> bytes:
        """Return a game's page."""
        stage = game.stage
        board = stage if isinstance(stage, Stage) else None
        last = board.eyes[0].frames[-1] if board is not None else None
        return self._page(
            "game",
            "../",
            game=game,
            entry=game.entry,
            stage=stage,
            frame=last,
            pieces=_placed(board, last) if board is not None and last is not None else (),
            battle=battle_shown(stage) if isinstance(stage, BattleStage) else None,
            data=stage.plain() if stage is not None else None,
            program=program_file(game.entry.rules),
        )

    def _page(self, template: str, root: str, **shown: Any) -> bytes:
        written = _environment().get_template(f"site/{template}.html.j2")
        text = written.render(site=self._site, root=root, **shown)
        return text.encode()


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece as the board is drawn before any script has run. x, y: the middle of its square, in tenths of one."""

    place: int
    seat: str
    letter: str
    sign: str
    x: int
    y: int
    gone: bool


def _placed(stage: Stage, frame: Frame) -> tuple[Placed, ...]:
    found = []
    for place, ((seat, letter), where) in enumerate(zip(stage.pieces, frame.pieces, strict=True)):
        number = frame.types[place]
        sign = next((kind.sign for kind in stage.kinds if kind.number == number), "")
        promoted = where.endswith("+")
        on_board = "," in where
        x, y = _middle(where.rstrip("+")) if on_board else (0, 0)
        sign = "+" if promoted else sign
        found.append(Placed(place, seat, letter, sign, x, y, not on_board))
    return tuple(found)


def _middle(square: str) -> tuple[int, int]:
    file, rank = map(int, square.split(","))
    return 10 * file + 3, 10 * (12 - rank) + 3


@cache
def _squares(files: tuple[int, int], *, dark: bool) -> str:
    """Return the outlines of the dark squares of the files in play, or of all squares of the others."""
    wanted = (
        (file, rank)
        for file in range(1, 12)
        for rank in range(1, 12)
        if (files[0] <= file <= files[1]) == dark and (not dark or (file + rank) % 2 == 0)
    )
    return "".join(f"M{10 * file - 2} {118 - 10 * rank}h10v10h-10z" for file, rank in wanted)


def _in_words(frame: Frame, stage: Stage) -> str:
    """Return where everything is: "yellow: C 1,3; …. white: …. Z: 6,1"."""
    said = ""
    for side in stage.sides:
        own = (
            f"{letter} {where}"
            for (seat, letter), where in zip(stage.pieces, frame.pieces, strict=True)
            if seat == side and "," in where
        )
        said += f"{side}: {'; '.join(own)}. "
    return f"{said}Z: {frame.z}."


def _eyes_called(eyes: Eyes) -> str:
    if eyes.name == CLEAR:
        return "In the clear"
    return "As those who watch see it" if eyes.name == OBSERVER else f"As {eyes.name.capitalize()} knew it"


def shared_files() -> Mapping[str, bytes]:
    """Return the files that all pages share: style, script, and the programs that check records."""
    return {
        **{name: (_folder() / "site" / name).read_bytes() for name in (STYLE, SCRIPT)},
        **programs(),
    }


@cache
def edition() -> str:
    """Return a value that changes whenever pages of the same games would."""
    own = Path(str(resources.files("referee.archive.site")))
    files = [*sorted((_folder() / "site").iterdir()), *sorted(own.glob("*.py"))]
    digest = sha256(__version__.encode())
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_folder(), encoding="utf-8"),
        autoescape=True,
        finalize=lambda said: without_addresses(said) if isinstance(said, str) else said,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=compiled_templates("site", "en"),
    )
    environment.filters |= {
        "for_script": for_script,
        "moment": for_people,
        "instant": for_programs,
        "eyes_called": _eyes_called,
        "file_name": lambda path: PurePosixPath(path).name,
        "middle": _middle,
        "in_words": _in_words,
        "squares": _squares,
    }
    environment.globals |= {
        "game_page": game_page,
        "player_page": player_page,
        "event_page": event_page,
        "list_page": list_page,
        "program_file": program_file,
    }
    return environment


def _folder() -> Path:
    """Return the templates' folder: in the installed package, else in the checkout's root."""
    installed = Path(str(resources.files("referee"))) / "templates"
    return installed if installed.is_dir() else installed.parent.parent / "templates"
