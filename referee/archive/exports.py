"""An operator's exports from the archive: a tournament's records, a game's log, the letters to a seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from referee.archive.bundle import Part
from referee.archive.event_log import Log, Logged, game_in, write_log
from referee.archive.mbox import Mailed, write_mbox
from referee.archive.pictures import draw
from referee.common.errors import GameUnreadable, UsageError
from referee.games.game import Game
from referee.rulebooks.rulebook import UMPIRE, Seat
from referee.service.bootstrap import Application
from referee.service.queries import Picture, write_record
from referee.store.values import StoredGame


@dataclass(frozen=True, slots=True)
class Mail:
    """The letters to a seat, oldest first. erased, unposted: the number of the others."""

    letters: tuple[Mailed, ...] = field(repr=False)
    erased: int = 0
    unposted: int = 0


def records_of(
    application: Application,
    event: str,
    viewer: str,
    *,
    rules: str = "",
    bare: bool = False,
    over: bool = False,
    unread: list[int] | None = None,
) -> Iterator[tuple[int, str]]:
    """Yield the records of a tournament's games, with their numbers, oldest first.

    Games that have not begun are left out.

    viewer, bare: as in write_record.
    rules: games of these rules only.
    over: finished games only.
    unread: receives the numbers of games that cannot be read.
    Raises UsageError for an unknown tournament, for games of several rulebooks without `rules` (one file is
    in one notation), and where there is no game to write.
    """
    with application.store.reading() as lookup:
        found = lookup.tournaments.find_named(event)
        statuses = ("ended",) if over else ("playing", "ended")
        games = [each for each in lookup.games.all(statuses, found.number) if rules in ("", each.rules)]
    several = sorted({each.rules for each in games})
    if len(several) > 1:
        raise UsageError(f"{found.name} has games of {' and '.join(several)}: say of which, with --rules.")
    if not games:
        raise UsageError(f"{found.name} has no game that {'is over' if over else 'has begun'}: no record.")
    return _records(application, games, viewer, bare, [] if unread is None else unread)


def _records(
    application: Application, games: list[StoredGame], viewer: str, bare: bool, unread: list[int]
) -> Iterator[tuple[int, str]]:
    for each in games:
        try:
            yield each.number, write_record(application, each.number, viewer, bare=bare)
        except GameUnreadable:
            unread.append(each.number)


def log_of(application: Application, number: int) -> tuple[Log, bool]:
    """Return a game's log, and whether it is final. Raises UsageError when there is no such game."""
    with application.store.reading() as lookup:
        row = _row(lookup.games.get(number), number)
        events = lookup.events.of_game(number)
        seats = {
            seat: {"player": player, "name": lookup.players.find(player).name or None}
            for seat, player in row.seats.items()
        }
        event = lookup.tournaments.find(row.competition).name if row.competition is not None else None
    about = {"rules": row.rules, "title": row.title, "event": event, "status": row.status, "seats": seats}
    logged = tuple(Logged(each.number, each.kind, each.at, each.letter, each.body) for each in events)
    return Log(number, logged, about), row.result is not None


def bundle_of(
    application: Application, event: str, *, letters: bool = False, unread: list[int] | None = None
) -> Iterator[Part]:
    """Yield the files of a tournament's bundle: of its finished games, oldest first, and of no others.

    letters: include the letters to both seats, and the comments.
    unread: receives the numbers of games that cannot be read.
    Raises UsageError for an unknown tournament, and where none of its games is over.
    """
    with application.store.reading() as lookup:
        found = lookup.tournaments.find_named(event)
        games = [each.number for each in lookup.games.all(("ended",), found.number)]
    if not games:
        raise UsageError(f"{found.name} has no game that is over: nothing to bundle.")
    return _parts(application, games, letters, [] if unread is None else unread)


def _parts(application: Application, games: list[int], letters: bool, unread: list[int]) -> Iterator[Part]:
    for number in games:
        try:
            record = write_record(application, number, UMPIRE, bare=not letters)
        except GameUnreadable:
            unread.append(number)
            continue
        log, _ = log_of(application, number)
        # A title may hold the address by which a player was invited.
        log = replace(log, about={key: said for key, said in log.about.items() if key != "title"})
        at = max(each.at for each in log.events)
        yield Part(f"games/{number}/log.jsonl", "".join(write_log(log)).encode("ascii"), at)
        yield Part(f"games/{number}/record.txt", record.encode(), at)
        for seat in sorted(game_of(application, number).seats) if letters else ():
            mail = mail_of(application, number, seat).letters
            yield Part(f"games/{number}/{seat}.mbox", b"".join(write_mbox(mail)), at)


def game_of(application: Application, number: int) -> Game:
    """Return a game from its events. Raises UsageError when there is none, or it has not begun."""
    log, _ = log_of(application, number)
    game = game_in(log, application.service.rulebooks.__getitem__)
    if not game.seats:
        raise UsageError(f"game {number} has not begun ({game.status}): nobody sits there yet")
    return game


def picture_of(
    application: Application, number: int, viewer: str, turn: int | None = None, *, sheets: bool = False
) -> Picture:
    """Return a game as a viewer saw it at the end of a turn; see `archive.pictures`. Raises UsageError."""
    game = game_of(application, number)
    if viewer not in (*game.seats, UMPIRE):
        raise UsageError(f"--as {viewer}: expected one of {', '.join((*game.seats, UMPIRE))}")
    return draw(game, Seat(viewer), turn, sheets=sheets)


def mail_of(application: Application, number: int, seat: str) -> Mail:
    """Return the letters about a game to a seat's present and former players, those before its start first.

    Raises UsageError when there is no such game or seat.
    """
    with application.store.reading() as lookup:
        row = _row(lookup.games.get(number), number)
        if not row.seats:
            raise UsageError(f"game {number} has not begun ({row.status}): nobody sits there yet")
        if seat not in row.seats:
            raise UsageError(f"--as {seat}: expected one of {', '.join(row.seats)}")
        kept = lookup.outbox.of_seat(number, Seat(seat))
    posted = [each for each in kept if each.sent is not None]
    letters = [
        Mailed(each.sender, each.sent, each.content)
        for each in posted
        if each.sent and each.content is not None
    ]
    return Mail(tuple(letters), len(posted) - len(letters), len(kept) - len(posted))


def _row(row: StoredGame | None, number: int) -> StoredGame:
    if row is None:
        raise UsageError(f"there is no game {number}")
    return row
