"""What an operator may look at: games, one game as a viewer sees it, records, letters. Nothing is changed here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, get_args

from referee.assembly import Premises
from referee.errors import GameUnreadable, UsageError
from referee.games.events import read_event
from referee.games.game import Game, fold_game
from referee.glance import glance
from referee.letters.headers import decode_words
from referee.letters.parts import open_header
from referee.reports.comments import Comment, CommentKind, readable_by, with_comments
from referee.reports.report import GameFace, Reader, Report
from referee.reports.typeset import typeset
from referee.rulebooks.rulebook import UMPIRE, Json, Seat
from referee.store.lookup import Lookup
from referee.store.records import LetterLine, Outcome, StoredGame
from referee.umpiring import rule_the_end

LONGEST_FIELD = 1000
"""Characters of a header field that are shown."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Something that can be seen, as a PNG's bytes and as an SVG document; None where there is nothing to see."""

    png: bytes | None = field(repr=False, default=None)
    svg: str | None = field(repr=False, default=None)


@dataclass(frozen=True, slots=True)
class Seen:
    """One game as a viewer may see it: in words, as plain data, and drawn.

    seat: the viewer's, None for the umpire, for whom nothing is drawn.
    """

    text: str = field(repr=False)
    data: Mapping[str, Json] = field(repr=False)
    seat: Seat | None = None
    board: Drawn = Drawn()
    sheets: Drawn = Drawn()


@dataclass(frozen=True, slots=True)
class _Found:
    game: Game
    row: StoredGame
    names: Mapping[Seat, str]
    event: str = ""
    written: Sequence[Comment] = ()


def list_games(premises: Premises, event: str | None = None) -> list[dict[str, Json]]:
    """Return all games, or those of an event, oldest first: number, title, names, rules, event, status, turn, who is to
    move, and what is wrong.

    names: what the players are called now, by their seats; the title, as the subjects of letters have it, stays. Raises
    UsageError for an event that is none.
    """
    called: dict[int, str] = {}
    with premises.store.reading() as lookup:
        events = {each.number: each.name for each in lookup.competitions()}
        which = lookup.find_competition(event).number if event is not None else None
        return [_line(premises, lookup, row, called, events) for row in lookup.games(competition=which)]


def _line(
    premises: Premises,
    lookup: Lookup,
    row: StoredGame,
    called: dict[int, str],
    events: Mapping[int, str],
) -> dict[str, Json]:
    """Return a game as a line of the list. called: the names of players, those that were read already."""
    for player in row.seats.values():
        if player not in called:
            called[player] = lookup.player(player).name
    try:
        state, fault = _state(_fold(premises, lookup, row.number)), None
    except GameUnreadable as error:  # the list is wanted then more than ever
        state, fault = {"frozen": None, "turn": None, "to_move": [], "result": None}, str(error)
    return {
        "game": row.number,
        "title": row.title,
        "names": {seat: called[player] or seat.capitalize() for seat, player in row.seats.items()},
        "rules": row.rules,
        "event": events.get(row.competition) if row.competition is not None else None,
        "status": row.status,
        **state,
        "started": row.created.isoformat(),
        "ended": row.ended.isoformat() if row.ended else None,
        "fault": fault,
    }


def _state(game: Game) -> dict[str, Json]:
    seat = next(iter(game.seats), None)
    return {
        "frozen": game.frozen or None,
        "turn": game.rulebook.turn(game.view(seat)) if seat else None,
        "to_move": sorted(game.due),
        "result": _result(game),
    }


def game_as(premises: Premises, number: int, viewer: str) -> Seen:
    """Return a game as a seat sees it, or as the umpire, who sees all. Raises UsageError for any other viewer."""
    found = _find(premises, number)
    game = found.game
    if viewer == UMPIRE:
        return _as_umpire(found)
    seat = _seat(game, viewer)
    report = Report(
        kind="result" if game.status == "ended" else "report",
        reader=Reader(address="", form="json"),
        sent=premises.clock.now(),
        service=premises.service.name,
        address=premises.service.address,
        game=_face(found),
        seat=seat,
        number=None,
        heard=game.heard(seat),
        told=len(game.heard(seat)),
        view=game.view(seat),
        due=game.due,
        result=game.result,
    )
    words = typeset(report)
    view = game.view(seat)
    written = _readable(found, seat)
    return Seen(
        text="\n".join([words.text, *_write_comments(written)]).rstrip("\n") + "\n",
        data={**json.loads(words.json or "{}"), **_comments(written)},
        seat=seat,
        board=Drawn(game.rulebook.picture(view), game.rulebook.picture_svg(view)),
        sheets=Drawn(game.rulebook.sheets_picture(view), game.rulebook.sheets_svg(view)),
    )


def _as_umpire(found: _Found) -> Seen:
    game = found.game
    data: dict[str, Any] = {
        "game": game.number,
        "rules": game.rulebook.name,
        "title": found.row.title,
        "event": found.event or None,
        "status": game.status,
        "frozen": game.frozen or None,
        "names": dict(found.names),
        "to_move": next(iter(sorted(game.due)), None),
        "commitment": game.commitment,
        "receipt": game.receipt or None,
        "result": _result(game),
    }
    lines = [found.row.title, *([f"Event: {found.event}"] if found.event else []), f"Status: {game.status}"]
    if game.frozen:
        lines.append(f"Frozen: {game.frozen}")
    if game.seats:
        data = {**game.rulebook.truth(game.position), **data}
        lines += [f"{seat.capitalize()}: {name}" for seat, name in found.names.items()]
        lines += [f"To move: {seat.capitalize()}" for seat in game.due]
        lines += ["", game.rulebook.write_record(game.happenings, {}, None)]
        data |= _comments(_readable(found, None))
        lines += _write_comments(_readable(found, None))
    return Seen("\n".join(lines).rstrip("\n"), data)


def _readable(found: _Found, seat: Seat | None) -> list[Comment]:
    return readable_by(seat, found.written, over=found.game.status == "ended")


def _comments(written: Sequence[Comment]) -> dict[str, Json]:
    """Return what was written beside the moves as plain data."""
    kinds: dict[str, CommentKind] = {"press": "press", "diary": "diary", "claims": "claim"}
    return {key: [each.plain() for each in written if each.kind == kind] for key, kind in kinds.items()}


def _write_comments(written: Sequence[Comment]) -> list[str]:
    """Return the same in lines, under a heading for each kind of which there is something."""
    lines: list[str] = []
    for kind, heading in (("press", "PRESS"), ("diary", "DIARIES"), ("claim", "CLAIMS")):
        some = [each for each in written if each.kind == kind]
        lines += [heading] if some else []
        for each in some:
            lines.append(f"Turn {each.turn}, {each.seat.capitalize()}, {_moment(each.at)}:")
            lines += [f"  {line}".rstrip() for line in each.lines]
        lines += [""] if some else []
    return lines


def list_claims(premises: Premises, *, all_of_them: bool) -> list[dict[str, Json]]:
    """Return the claims that wait, oldest first; all_of_them: those too whose game has ended since.

    state: "open" as long as the game goes on, "closed" by its end, "late" where the game was over already.
    """
    with premises.store.reading() as lookup:
        claims = lookup.claims()
    return [
        {
            "game": each.game,
            "title": each.title,
            "claim": each.number,
            "seat": each.seat,
            "name": each.name or each.seat.capitalize(),
            "turn": each.turn,
            "at": _moment(each.at),
            "text": each.text,
            "state": each.state,
        }
        for each in claims
        if all_of_them or each.state != "closed"
    ]


def foresee_ruling(premises: Premises, number: int, end: str, reason: str) -> dict[str, Json]:
    """Return what would follow if an umpire ended a game so, and do nothing. Raises UsageError as the ruling would.

    result: as in other documents; record: the result as the record has it; told: the players who get a letter.
    """
    found = _find(premises, number)
    event = rule_the_end(found.game, end, reason)
    return {
        "game": number,
        "title": found.row.title,
        "result": event.result.plain(),
        "record": next(
            filter(None, (found.game.rulebook.recorded(each).get("result") for each in event.happenings))
        ),
        "told": [found.names[seat] for seat in found.game.seats],
    }


def write_record(premises: Premises, number: int, viewer: str, *, bare: bool = False) -> str:
    """Return a game's record: the umpire's with both deals, or what a seat has heard.

    bare: without what was written beside the moves.
    """
    found = _find(premises, number)
    game = found.game
    if not game.seats:
        raise UsageError(f"game {number} has not begun ({game.status}): there is no record")
    head = {f"{seat.capitalize()}Name": name for seat, name in found.names.items() if name}
    head |= ({"Event": found.event} if found.event else {}) | dict(game.proof)
    seat = None if viewer == UMPIRE else _seat(game, viewer)
    heard = game.happenings if seat is None else game.heard(seat)
    record = game.rulebook.write_record(heard, head, seat)
    return record if bare else with_comments(record, _readable(found, seat))


def list_letters(premises: Premises, outcome: str | None, limit: int) -> list[dict[str, Json]]:
    """Return the newest letters taken in, oldest of them first. Raises UsageError for an outcome that is none."""
    outcomes: tuple[Outcome, ...] = get_args(Outcome)
    wanted = next((each for each in outcomes if each == outcome), None)
    if outcome is not None and wanted is None:
        raise UsageError(f"there is no outcome {outcome!r}; the outcomes are {', '.join(outcomes)}")
    with premises.store.reading() as lookup:
        lines = lookup.letters(limit, wanted)
    return [_listed(line) for line in lines]


def _listed(line: LetterLine) -> dict[str, Json]:
    return {
        "number": line.number,
        "received": _moment(line.received),
        "sender": line.sender,
        "game": line.game,
        "outcome": line.outcome,
        "reason": line.reason,
        "commands": list(line.commands),
    }


def _moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def letter_in_full(premises: Premises, number: int) -> dict[str, Any]:
    """Return all that is known of a letter: what became of it, its header, what the desk reads in it now, and the
    answers to it. Raises UsageError when there is none.

    header: a list of name and value, decoded. read: as `referee read --json`; None when its bytes are not here.
    """
    with premises.store.reading() as lookup:
        line = lookup.letter_line(number)
        stored = lookup.letter(number, decided=True)
        if line is None or stored is None:
            raise UsageError(f"there is no letter {number}")
        row = lookup.game_row(line.game) if line.game else None
        written = lookup.answers_to(line)
    content = stored.content
    rules = row.rules if row else next(iter(premises.service.rulebooks))
    fields = open_header(content).headers.fields if content else {}
    return {
        **_listed(line),
        "size": line.size,
        "attempts": line.attempts,
        "header": [
            [name.title(), decode_words(value, LONGEST_FIELD)]
            for name, values in fields.items()
            for value in values
        ],
        "read": None
        if content is None or stored.too_large
        else asdict(glance(content, premises.service, rules)),
        "answers": [
            {
                "number": each.number,
                "game": each.game,
                "kind": each.kind,
                "to": each.recipient,
                "state": each.state,
                "tries": each.tries,
                "said": each.said,
                "message_id": each.message_id,
                "written": _moment(each.created),
                "sent": _moment(each.sent) if each.sent else None,
            }
            for each in written
        ],
    }


def raw_letter(premises: Premises, number: int) -> bytes:
    """Return a letter's bytes as it lay in the mailbox, or its header alone if it was too large to be taken in.

    Raises UsageError when there is no such letter, or it is no longer here.
    """
    with premises.store.reading() as lookup:
        stored = lookup.letter(number, decided=True)
    if stored is None:
        raise UsageError(f"there is no letter {number}")
    if stored.content is None:
        raise UsageError(
            f"the bytes of letter {number} are not here: the mailbox did not hand them over, "
            "they were kept long enough, or somebody they name has left"
        )
    return stored.content


def _find(premises: Premises, number: int) -> _Found:
    with premises.store.reading() as lookup:
        row = lookup.game_row(number)
        if row is None:
            raise UsageError(f"there is no game {number}")
        game = _fold(premises, lookup, number)
        names = {seat: lookup.player(player).name or seat.capitalize() for seat, player in row.seats.items()}
        event = lookup.competition(row.competition).name if row.competition is not None else ""
        written = lookup.comments(number)
    return _Found(game, row, names, event, written)


def _fold(premises: Premises, lookup: Lookup, number: int) -> Game:
    events = (read_event(each.kind, each.body) for each in lookup.events(number))
    game = fold_game(number, events, premises.service.rulebooks.__getitem__)
    assert game is not None, "a game's first event is kept with it"
    return game


def _seat(game: Game, viewer: str) -> Seat:
    seats = [seat for seat in game.seats if seat == viewer]
    if not seats:
        known = ", ".join((*game.rulebook.seats, UMPIRE))
        if not game.seats and viewer in game.rulebook.seats:
            raise UsageError(f"game {game.number} has not begun ({game.status}): nobody sits there yet")
        raise UsageError(f"--as {viewer}: expected one of {known}")
    return seats[0]


def _face(found: _Found) -> GameFace:
    game = found.game
    return GameFace(
        number=game.number,
        title=found.row.title,
        rulebook=game.rulebook,
        names=found.names,
        options=game.options,
        commitment=game.commitment,
        secret=game.secret.hex() if game.status == "ended" else "",
        deal_by_umpire=game.deal_set,
        deal=game.deal if game.status == "ended" else "",
        receipt=game.receipt,
        event=found.event,
    )


def _result(game: Game) -> Json:
    result = game.result
    return result.plain() if result else None
