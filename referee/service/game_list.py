"""The list of games, and an operator's search in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from referee.common.errors import GameUnreadable
from referee.common.timestamps import for_programs
from referee.games.clocks.controls import TIME
from referee.games.events import DAMAGED, read_event
from referee.games.game import Game, fold_game
from referee.games.results import result_of
from referee.games.summary import read_outline
from referee.handlers.game_clocks import GameClocks
from referee.rulebooks.rulebook import Json
from referee.service.bootstrap import Application
from referee.store.game_search import Search
from referee.store.queries import Lookup
from referee.store.values import StoredEvent, StoredGame

LISTED = 200
"""How many games are listed by default."""
_ANY = Search()


@dataclass(frozen=True, slots=True)
class GameList:
    """The games found: lines of the newest, newest first, and the number of older ones."""

    games: list[dict[str, Json]] = field(repr=False)
    left_out: int


def list_games(
    application: Application, wanted: Search = _ANY, limit: int = LISTED, *, event: str | None = None
) -> GameList:
    """Return the newest games found, newest first.

    A line holds number, title, names, rules, event, status, turn, who is to move, and what is wrong. names:
    the players' present names by seat. The title stays as in the subjects of letters.

    event: the name of their tournament.
    Raises UsageError for an unknown tournament.
    """
    called: dict[int, str] = {}
    events: dict[int, str] = {}
    with application.store.reading() as lookup:
        if event is not None:
            wanted = replace(wanted, competition=lookup.tournaments.find_named(event).number)
        rows, count = lookup.games.search(wanted, limit)
        for number in {row.competition for row in rows if row.competition is not None}:
            events[number] = lookup.tournaments.find(number).name
        keeper = GameClocks(lookup, application.service.time, application.clock.now())
        lines = [_line(application, lookup, row, called, events, keeper) for row in rows]
    return GameList(lines, count - len(lines))


def _line(
    application: Application,
    lookup: Lookup,
    row: StoredGame,
    called: dict[int, str],
    events: Mapping[int, str],
    keeper: GameClocks,
) -> dict[str, Json]:
    """Return a game as a line of the list. called: names of players that were read already."""
    for player in row.seats.values():
        if player not in called:
            called[player] = lookup.players.find(player).name
    try:
        state, fault = _ended(row) or _state(_fold(application, lookup, row.number), keeper), None
    except (GameUnreadable, *DAMAGED) as error:  # the list is wanted then more than ever
        state = {"frozen": None, "turn": None, "to_move": [], "time": None, "deadline": None, "result": None}
        fault = str(error if isinstance(error, GameUnreadable) else GameUnreadable(row.number, error))
    return {
        "game": row.number,
        "title": row.title,
        "names": {seat: called[player] or seat.capitalize() for seat, player in row.seats.items()},
        "rules": row.rules,
        "event": events.get(row.competition) if row.competition is not None else None,
        "status": row.status,
        **state,
        "started": for_programs(row.created),
        "ended": for_programs(row.ended) if row.ended else None,
        "fault": fault,
    }


def _ended(row: StoredGame) -> dict[str, Json]:
    """Return what `_state` returns for a finished game, from its row alone; nothing where the row does not say it."""
    outline = read_outline(row.outline) if row.status == "ended" and row.result else None
    if outline is None or row.result is None or outline.last_event != row.last_event:
        return {}
    return {
        "frozen": None,
        "turn": outline.turn,
        "to_move": [],
        "time": outline.time or None,
        "deadline": None,
        "result": result_of(row.result, outline.how).plain(),
    }


def _state(game: Game, keeper: GameClocks) -> dict[str, Json]:
    seat = next(iter(game.seats), None)
    due = next(iter(sorted(game.due)), None)
    deadline = keeper.deadline(game, due) if due and game.timed else None
    return {
        "frozen": game.frozen or None,
        "turn": game.rulebook.rules.turn(game.view(seat)) if seat else None,
        "to_move": sorted(game.due),
        "time": game.options.get(TIME) if game.timed else None,
        "deadline": for_programs(deadline) if deadline else None,
        "result": plain_result(game),
    }


def _fold(application: Application, lookup: Lookup, number: int) -> Game:
    return fold_events(application, number, lookup.events.of_game(number))


def fold_events(application: Application, number: int, stored: Iterable[StoredEvent]) -> Game:
    """Return the game that results from these events."""
    events = (read_event(each.kind, each.body) for each in stored)
    game = fold_game(number, events, application.service.rulebooks.__getitem__)
    assert game is not None, "a game's first event is kept with it"
    return game


def plain_result(game: Game) -> Json:
    """Return the result of a game as plain data, None while there is none."""
    result = game.result
    return result.plain() if result else None
