"""Publishes a site from beginning to end: goes through the archive game by game and writes what has changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from referee.archive.site.folder import Folder, open_folder
from referee.archive.site.page_data import Archive, Entry, Person
from referee.archive.site.pages import (
    LISTED,
    Pages,
    Site,
    edition,
    event_page,
    game_files,
    game_page,
    list_page,
    player_page,
    shared_files,
)
from referee.common.errors import GameUnreadable
from referee.service.bootstrap import Application

FIRST, PLAYERS, EVENTS = FRONT = ("index.html", "players.html", "events.html")
Progress = Callable[[int, int], None]
"""Called with the number of games done, and the total."""


@dataclass(frozen=True, slots=True)
class Published:
    """The result of publishing.

    games: those on the site.
    playing: how many of them are running.
    made: how many games had their pages written now; the others' were up to date.
    left: obsolete files that stay, since somebody has changed them.
    size: bytes.
    unread: games that could not be read.
    """

    folder: str
    games: int
    playing: int
    made: int
    players: int
    events: int
    written: int
    unchanged: int
    removed: int
    left: int
    size: int
    seconds: float
    unread: list[int] = field(default_factory=list)


def publish(
    application: Application,
    path: Path,
    *,
    event: str | None = None,
    writings: Collection[str] = (),
    progress: Progress = lambda done, of: None,
) -> Published:
    """Write the site into a folder; unchanged files are left alone.

    event: only the games of this tournament.
    writings: see Archive.
    Raises UsageError for an unknown tournament, and for a folder in which somebody else's files are in the
    way. Nothing in it has been changed then.
    """
    begin = time.perf_counter()
    archive = Archive(application, event, writings)
    pages = Pages(Site(application.service.name))
    with open_folder(path) as folder:
        folder.expect([*FRONT, *shared_files()])
        entries, unread, made = _games(archive, pages, folder, progress)
        _lists(entries, pages, folder)
        people = _people(entries, pages, folder)
        events = _events(entries, pages, folder)
        for name, content in shared_files().items():
            folder.put(name, content)
        folder.close()
        return Published(
            folder=str(path),
            games=len(entries),
            playing=sum(each.late is not None for each in entries),
            made=made,
            players=people,
            events=events,
            written=folder.written,
            unchanged=folder.unchanged,
            removed=folder.removed,
            left=folder.left,
            size=folder.size,
            seconds=round(time.perf_counter() - begin, 3),
            unread=unread,
        )


def _games(
    archive: Archive, pages: Pages, folder: Folder, progress: Progress
) -> tuple[list[Entry], list[int], int]:
    """Write the files of all games.

    Return the games as in lists, newest first, the numbers of unreadable ones, and how many were written now.
    """
    entries: list[Entry] = []
    unread: list[int] = []
    made = 0
    for done, row in enumerate(archive.rows):
        progress(done, len(archive.rows))
        try:
            entry, anew = _game(archive, row.number, pages, folder)
        except GameUnreadable:
            unread.append(row.number)
            continue
        made += anew
        if entry is not None:
            entries.append(entry)
    progress(len(archive.rows), len(archive.rows))
    return entries[::-1], unread, made


def _game(archive: Archive, number: int, pages: Pages, folder: Folder) -> tuple[Entry | None, bool]:
    """Write a game's files.

    Return the game as in lists, None where nothing of it is shown, and whether its files were written now.
    """
    looked = archive.look_at(number)
    if looked is None:
        return None, False
    stamp, names = looked.stamp(edition()), game_files(number)
    if (entry := looked.listed()) is not None and folder.stands(stamp, str(number), names):
        return entry, False
    game = looked.shown()
    if game is None:
        return None, False
    folder.put(game_page(number), pages.game(game))
    _, record, svg, png = names
    if game.record is not None:
        folder.put(record, game.record.encode())
    if game.drawn is not None and game.drawn.svg is not None:
        folder.put(svg, game.drawn.svg.encode())
    if game.drawn is not None and game.drawn.png is not None:
        folder.put(png, game.drawn.png)
    folder.stamp(str(number), stamp)
    return game.entry, True


def _lists(entries: list[Entry], pages: Pages, folder: Folder) -> None:
    """Write the first page and those of the whole list. entries: newest first."""
    oldest_first = entries[::-1]
    parts = [oldest_first[begin : begin + LISTED] for begin in range(0, len(entries), LISTED)]
    folder.put(FIRST, pages.first(entries, len(parts)))
    for place, part in enumerate(parts, 1):
        folder.put(list_page(place), pages.list_of(part[::-1], place, len(parts)))


def _people(entries: list[Entry], pages: Pages, folder: Folder) -> int:
    """Write the pages of all players with a name; return how many there are."""
    games: dict[int, tuple[Person, list[Entry]]] = {}
    for entry in entries:
        for number, person in {each.number: each for each in entry.players}.items():
            if number is not None:
                games.setdefault(number, (person, []))[1].append(entry)
    folder.put(PLAYERS, pages.players(entries))
    for number, (person, own) in games.items():
        folder.put(player_page(number), pages.player(person, own))
    return len(games)


def _events(entries: list[Entry], pages: Pages, folder: Folder) -> int:
    """Write the pages of all tournaments with a game; return how many there are."""
    events: dict[int, tuple[str, list[Entry]]] = {}
    for entry in entries:
        if entry.event is not None:
            number, name = entry.event
            events.setdefault(number, (name, []))[1].append(entry)
    told = [(number, name, own) for number, (name, own) in sorted(events.items(), reverse=True)]
    folder.put(EVENTS, pages.events(told))
    for number, name, own in told:
        folder.put(event_page(number), pages.event(number, name, own))
    return len(told)
