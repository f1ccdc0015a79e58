"""A game's log: all of its events as lines of JSON, and reading such a log.

The first line says what it is, and which game's. Each further line is an event: its number, kind, when it was
stored, the letter that caused it, and its facts as plain data (see games.events). Folding them gives the
whole game, with its secret and both deals. So while the game is being played, its log is for the umpire
alone. Players' texts other than moves are in it by number only, since they are erased when their writers
leave.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from referee.games.events import read_event
from referee.games.game import Game, fold_game
from referee.rulebooks.rulebook import Json, Rulebook

FORMAT = "referee event log 1"


@dataclass(frozen=True, slots=True)
class Logged:
    """An event. number: from 1, without gaps. at: aware UTC. letter: its cause, None for none."""

    number: int
    kind: str
    at: datetime
    letter: int | None
    facts: Mapping[str, Json] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Log:
    """A game's events. about: what the first line says besides the game's number: rules, title, seats."""

    game: int
    events: tuple[Logged, ...]
    about: Mapping[str, Json] = field(default_factory=dict, repr=False)


def write_log(log: Log) -> Iterator[str]:
    """Yield the lines of a log, in pure ASCII."""
    yield _line({"format": FORMAT, "game": log.game, **log.about})
    for each in log.events:
        yield _line(
            {
                "number": each.number,
                "kind": each.kind,
                "at": each.at.astimezone(UTC).isoformat(timespec="microseconds"),
                "letter": each.letter,
                "facts": dict(each.facts),
            }
        )


def _line(said: Mapping[str, Json]) -> str:
    return json.dumps(said, separators=(",", ":")) + "\n"


def read_log(lines: Iterable[str]) -> Log:
    """Return the log that `write_log` wrote; empty lines do not count. Raises ValueError, which names the line."""
    log: Log | None = None
    events: list[Logged] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            said = json.loads(line)
            if log is None:
                log = _begin(said)
            else:
                events.append(_event(said, len(events) + 1))
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            why = error if type(error) is ValueError else f"it is no line of a log ({type(error).__name__})"
            raise ValueError(f"line {number}: {why}") from error
    if log is None:
        raise ValueError("line 1: there is no log here")
    return Log(log.game, tuple(events), log.about)


def _begin(said: Mapping[str, Json]) -> Log:
    if said.get("format") != FORMAT:
        raise ValueError(f'a log begins with {{"format": "{FORMAT}", "game": …}}')
    about = {key: value for key, value in said.items() if key not in ("format", "game")}
    return Log(int(said["game"]), (), about)


def _event(said: Mapping[str, Json], number: int) -> Logged:
    if said["number"] != number:
        raise ValueError(f"event {number} was to stand here, not event {said['number']}")
    at = datetime.fromisoformat(said["at"])
    if at.utcoffset() is None:
        raise ValueError("its time is of no zone")
    return Logged(number, said["kind"], at, said["letter"], said["facts"])


def game_in(log: Log, find_rulebook: Callable[[str], Rulebook]) -> Game:
    """Return the game that results from a log's events. Raises ValueError for a log without any; see fold_game."""
    events = (read_event(each.kind, each.facts) for each in log.events)
    game = fold_game(log.game, events, find_rulebook)
    if game is None:
        raise ValueError("there is no event in the log")
    return game
