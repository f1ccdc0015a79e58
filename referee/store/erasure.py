"""Erases the traces of players who have left, and the bytes of letters that are old enough.

A player's name and address go at once (see departures). The rest is erased here, step by step, so that nobody
waits for
it: our unsent letters, and mentions of them in the letters of others and the titles of games. Events name
    players by number and stay.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from referee.common.errors import GameUnreadable
from referee.games.titles import write_title
from referee.rulebooks.catalogue import find_rulebook
from referee.store.repositories.cases import cases_or_damage
from referee.store.tables import (
    ADDRESSES,
    EVENTS,
    FORMER_SEATS,
    GAMES,
    HOUSE,
    LETTER_CONTENTS,
    LETTERS,
    NAMINGS,
    OFFICERS,
    OUTGOING,
    OUTGOING_CONTENTS,
    PERSONS,
    SEATS,
    THREADS,
    WATCHES,
    WRITINGS,
)
from referee.store.values import RUNNING

AT_A_TIME = 1000
"""Rows per step."""

_LEFT = "left "
"""With a player's number, the name of a service row as long as something of theirs is left to erase."""
_POSTED = OUTGOING.c.state.in_(("sent", "refused"))
_PENDING: ColumnElement[bool] = literal_column("outgoing.state IN ('queued', 'claimed')")
"""Written out as in the index of open rows."""


def begin(connection: Connection, player: int) -> None:
    """Record that something of a player is left to erase, once the letters queued by now have gone."""
    last = connection.execute(select(func.max(OUTGOING.c.id))).scalar() or 0
    connection.execute(insert(HOUSE).values(name=f"{_LEFT}{player}", value=f"{last} 0"))
    for game in connection.execute(select(SEATS.c.game).where(SEATS.c.player == player)).scalars().all():
        _name_anew(connection, game)


def erase_posted(connection: Connection, which: ColumnElement[bool]) -> None:
    """Erase the bytes and the recipients of our sent letters."""
    posted = and_(which, _POSTED, OUTGOING.c.reader != "")
    ours = select(OUTGOING.c.id).where(posted)
    connection.execute(delete(OUTGOING_CONTENTS).where(OUTGOING_CONTENTS.c.id.in_(ours)))
    blank = {"recipient": "", "reader": "", "subject": "", "answer": "", "renamed": None}
    connection.execute(update(OUTGOING).where(posted).values(blank))


def erase_left(connection: Connection) -> bool:
    """Erase a little more of the players who have left; return whether more can be done at once."""
    asked = select(HOUSE.c.name, HOUSE.c.value).where(HOUSE.c.name.startswith(_LEFT))
    more = False
    for name, value in connection.execute(asked.with_for_update(skip_locked=True)).all():
        player = int(name.removeprefix(_LEFT))
        last, after = map(int, value.split())
        erase_posted(connection, OUTGOING.c.player == player)
        if _awaits_posting(connection, player, last):
            continue
        _erase_naming(connection, player)
        until = after + AT_A_TIME
        for game in _games_of(connection, player, after, until):
            _erase_game(connection, game, player)
        _erase_office(connection, player, after, until)
        if until >= (connection.execute(select(func.max(GAMES.c.number))).scalar() or 0):
            connection.execute(delete(HOUSE).where(HOUSE.c.name == name))
            continue
        connection.execute(update(HOUSE).where(HOUSE.c.name == name).values(value=f"{last} {until}"))
        more = True
    return more


def _sits_in(player: int) -> ColumnElement[bool]:
    """Return the condition that a player is involved in a game."""
    seated = exists().where(SEATS.c.game == GAMES.c.number, SEATS.c.player == player)
    former = exists().where(FORMER_SEATS.c.game == GAMES.c.number, FORMER_SEATS.c.player == player)
    return or_(GAMES.c.proposed_by == player, GAMES.c.proposed_to == player, seated, former)


def _named_in(player: int) -> ColumnElement[bool]:
    """Return the condition that a player is, or was, an officer of a game's tournament.

    Letters about the game may name them.
    """
    office = exists().where(OFFICERS.c.competition == GAMES.c.competition, OFFICERS.c.player == player)
    return and_(GAMES.c.competition.is_not(None), office)


def _awaits_posting(connection: Connection, player: int, last: int) -> bool:
    """Return whether a letter that may name the player is still under way. last: the newest when they left."""
    naming = exists().where(NAMINGS.c.letter == OUTGOING.c.id, NAMINGS.c.player == player)
    waiting = (
        select(OUTGOING.c.id)
        .outerjoin_from(OUTGOING, GAMES, OUTGOING.c.game == GAMES.c.number)
        .where(
            _PENDING,
            OUTGOING.c.id <= last,
            or_(OUTGOING.c.player == player, naming, _sits_in(player), _named_in(player)),
        )
    )
    return connection.execute(waiting.limit(1)).first() is not None


def _erase_naming(connection: Connection, player: int) -> None:
    """Erase the bytes of letters to others that mention a player and are about none of their games.

    The letters that they answer are erased too, since their writers may have named the player. Letters that
    may still be processed stay.
    """
    named = select(NAMINGS.c.letter).where(NAMINGS.c.player == player)
    answered = select(OUTGOING.c.answers).where(OUTGOING.c.id.in_(named), OUTGOING.c.answers.is_not(None))
    for number in _settled(connection, connection.execute(answered).scalars().all()):
        connection.execute(delete(LETTER_CONTENTS).where(LETTER_CONTENTS.c.letter == number))
        _name_nobody(connection, number)
    connection.execute(delete(OUTGOING_CONTENTS).where(OUTGOING_CONTENTS.c.id.in_(named)))
    connection.execute(delete(NAMINGS).where(NAMINGS.c.player == player))


def _settled(connection: Connection, letters: Collection[int]) -> set[int]:
    """Return those of some letters, by number, that are never to be processed again."""
    asked = select(LETTERS.c.number).where(
        LETTERS.c.number.in_(letters), LETTERS.c.outcome.not_in(("held", "set-aside"))
    )
    return set(connection.execute(asked).scalars())


def _games_of(connection: Connection, player: int, after: int, until: int) -> list[int]:
    asked = select(GAMES.c.number).where(GAMES.c.number > after, GAMES.c.number <= until, _sits_in(player))
    return list(connection.execute(asked.order_by(GAMES.c.number)).scalars())


def _erase_game(connection: Connection, game: int, player: int) -> None:
    """Erase mentions of a departed player in the letters about a game, and remove their name from its title."""
    _name_anew(connection, game)
    row = connection.execute(
        select(GAMES.c.proposed_by, GAMES.c.proposed_to, GAMES.c.created, GAMES.c.ended).where(
            GAMES.c.number == game
        )
    ).one()
    seated = connection.execute(select(SEATS.c.player).where(SEATS.c.game == game)).scalars().all()
    watching = connection.execute(select(WATCHES.c.player).where(WATCHES.c.game == game)).scalars().all()
    once = connection.execute(select(FORMER_SEATS.c.player).where(FORMER_SEATS.c.game == game)).scalars()
    # Officers, who neither play nor watch, may have asked for it.
    asked = connection.execute(select(THREADS.c.player).where(THREADS.c.game == game)).scalars()
    concerned = (row.proposed_by, row.proposed_to, *seated, *watching, *once, *asked)
    others = {who for who in concerned if who not in (None, player)}
    # While the game went on, letters about no game may have named them too: a list of games, an open
    # challenge.
    until = None if player in seated else _sat_until(connection, game, player)
    last = row.ended if until is None else until
    meanwhile = and_(OUTGOING.c.game.is_(None), OUTGOING.c.created >= row.created)
    if last is not None:
        meanwhile = and_(meanwhile, OUTGOING.c.created <= last)
    to_others = OUTGOING.c.player.in_(others), or_(OUTGOING.c.game == game, meanwhile)
    to_umpires = OUTGOING.c.player.is_(None), OUTGOING.c.game == game
    ours = [or_(and_(*to_others), and_(*to_umpires)), _POSTED]
    # The others may have named them in whatever they wrote to or about them.
    caused = connection.execute(select(EVENTS.c.letter).where(EVENTS.c.game == game)).scalars().all()
    answered = connection.execute(select(OUTGOING.c.answers).where(*ours)).scalars().all()
    letters = {each for each in (*caused, *answered) if each is not None}
    written = [WRITINGS.c.game == game]
    if until is not None:  # the game has continued without them, and belongs to its players
        ours.append(OUTGOING.c.created <= until)
        written.append(WRITINGS.c.number.in_(_texts_of(connection, game, player)))
        letters = _settled(connection, letters)
    connection.execute(delete(WRITINGS).where(*written))
    connection.execute(
        delete(OUTGOING_CONTENTS).where(OUTGOING_CONTENTS.c.id.in_(select(OUTGOING.c.id).where(*ours)))
    )
    connection.execute(update(OUTGOING).where(*ours).values(subject=""))
    for number in letters:
        connection.execute(delete(LETTER_CONTENTS).where(LETTER_CONTENTS.c.letter == number))
        _name_nobody(connection, number)


def _sat_until(connection: Connection, game: int, player: int) -> datetime | None:
    """Return when another player took over the seat that a player had in a game; None where nobody did."""
    asked = select(FORMER_SEATS.c.until).where(FORMER_SEATS.c.game == game, FORMER_SEATS.c.player == player)
    until: datetime | None = connection.execute(asked).scalar()
    return until


def _texts_of(connection: Connection, game: int, player: int) -> set[int]:
    """Return the numbers of a player's comments in a game, and of the rulings on them.

    Where the cases are damaged, any ruling may have been on theirs.
    """
    wrote = select(WRITINGS.c.number).where(WRITINGS.c.game == game, WRITINGS.c.player == player)
    found = set(connection.execute(wrote).scalars())
    ruled_on = cases_or_damage(connection, (game,)).get(game, ())
    if isinstance(ruled_on, GameUnreadable):
        ruled = select(WRITINGS.c.number).where(WRITINGS.c.game == game, WRITINGS.c.kind == "answer")
        return found | set(connection.execute(ruled).scalars())
    for case in ruled_on:
        if case.player == player:
            found |= {each.text for each in case.decisions}
    return found


def _erase_office(connection: Connection, player: int, after: int, until: int) -> None:
    """Erase letters that name a departed officer, for the games of their tournaments with these numbers.

    These are the first letters, which say who umpires, and the bytes of letters about these games, which may
    quote one.
    """
    games = select(GAMES.c.number).where(GAMES.c.number > after, GAMES.c.number <= until)
    for game in connection.execute(games.where(_named_in(player))).scalars().all():
        seated = select(SEATS.c.player).where(SEATS.c.game == game)
        once = select(FORMER_SEATS.c.player).where(FORMER_SEATS.c.game == game)
        ours = OUTGOING.c.player.in_(seated.union(once)), OUTGOING.c.game == game
        first = select(OUTGOING.c.id).where(*ours, OUTGOING.c.number == 1, _POSTED)
        connection.execute(delete(OUTGOING_CONTENTS).where(OUTGOING_CONTENTS.c.id.in_(first)))
        for asked in (
            select(EVENTS.c.letter).where(EVENTS.c.game == game, EVENTS.c.letter.is_not(None)),
            select(OUTGOING.c.answers).where(*ours, OUTGOING.c.answers.is_not(None)),
        ):
            connection.execute(delete(LETTER_CONTENTS).where(LETTER_CONTENTS.c.letter.in_(asked)))


def _name_nobody(connection: Connection, letter: int) -> None:
    """Reduce a letter's recorded challenges to the fact that there were some, since they name the opponents."""
    commands = connection.execute(select(LETTERS.c.commands).where(LETTERS.c.number == letter)).scalar_one()
    said = json.loads(commands)
    unnamed = ["challenge ..." if each.startswith("challenge ") else each for each in said]
    if unnamed != said:
        connection.execute(
            update(LETTERS).where(LETTERS.c.number == letter).values(commands=json.dumps(unnamed))
        )


def _name_anew(connection: Connection, game: int) -> None:
    """Give a game a title with the names of the remaining players, and the colours of the others."""
    rules: str = connection.execute(select(GAMES.c.rules).where(GAMES.c.number == game)).scalar_one()
    rulebook = find_rulebook(rules)
    seats = connection.execute(
        select(SEATS.c.seat, PERSONS.c.name)
        .outerjoin_from(SEATS, PERSONS, SEATS.c.player == PERSONS.c.player)
        .where(SEATS.c.game == game)
    )
    called = {seat: name or seat.capitalize() for seat, name in seats}
    title = write_title(rulebook.title, game, [called[seat] for seat in rulebook.seats if seat in called])
    connection.execute(update(GAMES).where(GAMES.c.number == game).values(title=title))


def lapsed_addresses(
    connection: Connection, before: datetime, present: datetime
) -> list[tuple[int, Any, str]]:
    """Return addresses requested before a time and never confirmed, and main addresses given up before it.

    Each has player, use and address.

    present: a later record was made by a wrong clock, and is long past.
    """
    asked = select(ADDRESSES.c.player, ADDRESSES.c.use, ADDRESSES.c.address).where(
        ADDRESSES.c.use != "second", or_(ADDRESSES.c.created < before, ADDRESSES.c.created > present)
    )
    return [(player, use, address) for player, use, address in connection.execute(asked)]


def erase_letters_in(connection: Connection, after: int, before: datetime) -> int:
    """Erase the bytes of processed letters that arrived before a time; not those held or set aside.

    after: letters up to this number were visited. Return the last number visited; 0 at the end, to start
        over.
    """
    here = LETTER_CONTENTS.c.letter
    rows = connection.execute(
        select(here, LETTERS.c.recorded, LETTERS.c.outcome)
        .join_from(LETTER_CONTENTS, LETTERS, here == LETTERS.c.number)
        .where(here > after)
        .order_by(here)
        .limit(AT_A_TIME)
    ).all()
    kept = (None, "held", "set-aside")
    old = [row.letter for row in rows if row.recorded < before and row.outcome not in kept]
    connection.execute(delete(LETTER_CONTENTS).where(here.in_(old)))
    return rows[-1].letter if len(rows) == AT_A_TIME and rows[-1].recorded < before else 0


def erase_letters_out(connection: Connection, after: int, before: datetime) -> int:
    """Erase the bytes of our sent letters written before a time, about finished games or none.

    after, and the result: as in `erase_letters_in`.
    """
    here = OUTGOING_CONTENTS.c.id
    rows = connection.execute(
        select(here, OUTGOING.c.created, OUTGOING.c.state, GAMES.c.status)
        .join_from(OUTGOING_CONTENTS, OUTGOING, here == OUTGOING.c.id)
        .outerjoin(GAMES, OUTGOING.c.game == GAMES.c.number)
        .where(here > after)
        .order_by(here)
        .limit(AT_A_TIME)
    ).all()
    old = [
        row.id
        for row in rows
        if row.created < before and row.state in ("sent", "refused") and row.status not in RUNNING
    ]
    connection.execute(delete(OUTGOING_CONTENTS).where(here.in_(old)))
    return rows[-1].id if len(rows) == AT_A_TIME and rows[-1].created < before else 0
