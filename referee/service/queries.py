"""What an operator may read: games, one game as a viewer sees it, records, letters. Nothing is changed here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, get_args

from referee.common.errors import UsageError
from referee.common.timestamps import for_people, for_programs
from referee.games.cases import waiting
from referee.games.clocks.controls import lapse_phrase
from referee.games.clocks.durations import duration_phrase
from referee.games.events import read_event
from referee.games.game import Game
from referee.games.game_options import control_of, lapse_of, record_head
from referee.games.results import DRAW, NONE, ruling_of
from referee.games.tournaments.officers import Officer, office_called
from referee.games.umpire_log import Done, acts_among
from referee.handlers.game_clocks import GameClocks
from referee.handlers.participants import who_hears
from referee.mail.message.headers import decode_words
from referee.mail.message.mime_parts import open_header
from referee.pipeline.dry_run import dry_run
from referee.reports.comments import Comment, CommentKind, readable_by, with_comments
from referee.reports.renderer import typeset
from referee.reports.report import ClockFace, GameFace, Reader, Report
from referee.rulebooks.catalogue import CATALOGUE
from referee.rulebooks.rulebook import UMPIRE, Json, Result, Rulebook, Seat
from referee.service.bootstrap import Application
from referee.service.game_list import fold_events, plain_result
from referee.service.umpiring import rule_the_end
from referee.store.overview_values import OpenCase
from referee.store.queries import Lookup
from referee.store.values import LetterLine, Outcome, StoredGame

LONGEST_FIELD = 1000
"""Characters of a header field that are shown."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as a PNG's bytes and as an SVG document; None where there is nothing to see."""

    png: bytes | None = field(repr=False, default=None)
    svg: str | None = field(repr=False, default=None)


@dataclass(frozen=True, slots=True)
class GameView:
    """One game as a viewer may see it: in words, as plain data, and drawn.

    seat: the viewer's, None for the umpire, for whom nothing is drawn.
    """

    text: str = field(repr=False)
    data: Mapping[str, Json] = field(repr=False)
    seat: Seat | None = None
    board: Picture = Picture()
    sheets: Picture = Picture()


@dataclass(frozen=True, slots=True)
class _Found:
    game: Game
    row: StoredGame
    names: Mapping[Seat, str]
    event: str = ""
    written: Sequence[Comment] = ()
    watchers: Sequence[tuple[str, int]] = ()
    """The observers' names and delays in turns."""
    clocks: Mapping[Seat, _Clock] = field(default_factory=dict)
    """Of both seats, where time is counted."""
    acts: Sequence[tuple[Done, str]] = ()
    """Umpires' actions, each with the officer's name, "" for the operator."""
    beside: Sequence[Comment] = ()
    """Comments in the game's record: all that was written, and umpires' actions."""


@dataclass(frozen=True, slots=True)
class _Clock:
    """A seat's clock: time used, time left, and what it shows while the seat is to move."""

    used: timedelta
    left: timedelta
    face: ClockFace | None

    def plain(self) -> dict[str, Json]:
        """Return the clock as plain data, with durations in seconds."""
        return {
            "used": int(self.used.total_seconds()),
            "left": int(self.left.total_seconds()),
            "deadline": for_programs(self.face.deadline) if self.face and self.face.deadline else None,
        }

    def write(self) -> str:
        """Return the clock in words: "1 day used, 2 days left, until 2026-12-03T17:49:00Z"."""
        said = f"{_said(self.used)} used, {_said(self.left)} left"
        if self.face is None:
            return said
        if self.face.deadline is None:
            return f"{said}; no time runs at present"
        return f"{said}, {'up since' if self.face.up else 'until'} {for_people(self.face.deadline)}"


def _said(time: timedelta) -> str:
    return str(duration_phrase(time))


def game_as(application: Application, number: int, viewer: str) -> GameView:
    """Return a game as a seat sees it, or as the umpire, who sees all. Raises UsageError for any other viewer."""
    found = _find(application, number)
    game = found.game
    if viewer == UMPIRE:
        return _as_umpire(found)
    seat = _seat(game, viewer)
    report = Report(
        kind="result" if game.status == "ended" else "report",
        reader=Reader(address="", form="json"),
        sent=application.clock.now(),
        service=application.service.name,
        address=application.service.address,
        game=_face(found),
        seat=seat,
        number=None,
        heard=game.heard(seat),
        told=len(game.heard(seat)),
        view=game.view(seat),
        due=game.due,
        result=game.result,
        clocks={seat: clock.face for seat, clock in found.clocks.items() if clock.face is not None},
    )
    words = typeset(report)
    view = game.view(seat)
    written = _readable(found, seat)
    return GameView(
        text="\n".join([words.text, *_write_comments(written)]).rstrip("\n") + "\n",
        data={**json.loads(words.json or "{}"), **_comments(written)},
        seat=seat,
        board=picture_of_board(game.rulebook, view),
        sheets=picture_of_sheets(game.rulebook, view),
    )


def picture_of_board(rulebook: Rulebook, view: Any) -> Picture:
    return Picture(rulebook.presentation.picture(view), rulebook.presentation.picture_svg(view))


def picture_of_sheets(rulebook: Rulebook, view: Any) -> Picture:
    sheets = rulebook.sheets
    return Picture(sheets.picture(view), sheets.svg(view)) if sheets is not None else Picture()


def _as_umpire(found: _Found) -> GameView:
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
        "options": dict(game.options),
        "clocks": {seat: clock.plain() for seat, clock in found.clocks.items()},
        "offer": {"by": game.offer.by, "end": game.offer.end} if game.offer else None,
        "watchers": [{"name": name, "late": late} for name, late in found.watchers],
        "result": plain_result(game),
    }
    lines = [found.row.title, *([f"Event: {found.event}"] if found.event else []), f"Status: {game.status}"]
    if game.result:
        lines.append(f"Result: {write_result(game.result)}")
    if game.options:
        lines.append(f"Options: {', '.join(_option(*each) for each in sorted(game.options.items()))}")
    if game.offer:
        lines.append(
            f"Proposed by {game.offer.by.capitalize()}: {_PROPOSED.get(game.offer.end, game.offer.end)}"
        )
    if found.watchers:
        lines.append(f"Watched by: {', '.join(_watcher(*each) for each in found.watchers)}")
    if game.frozen:
        lines.append(f"Frozen: {game.frozen}")
    if game.seats:
        data = {**game.rulebook.presentation.truth(game.position), **data}
        lines += [f"{seat.capitalize()}: {name}" for seat, name in found.names.items()]
        lines += [f"To move: {seat.capitalize()}" for seat in game.due]
        lines += _time_lines(found)
        lines += ["", game.rulebook.records.write(game.happenings, {}, None)]
        data |= _comments(_readable(found, None)) | {"acts": [done.plain() for done, _ in found.acts]}
        lines += [*_write_acts(found.acts), *_write_comments(_readable(found, None))]
    return GameView("\n".join(lines).rstrip("\n"), data)


def _option(key: str, value: str) -> str:
    """Return an option on one line; of a whole file, such as a scenario, only its length."""
    return f"{key}=(a file of {len(value):,} signs)" if "\n" in value else f"{key}={value}"


def _watcher(name: str, late: int) -> str:
    """Return an observer with the delay."""
    return f"{name} ({late} turn{'s' if late > 1 else ''} late)" if late else name


def _write_acts(acts: Sequence[tuple[Done, str]]) -> list[str]:
    """Return umpires' actions in lines, under a heading; nothing where there are none."""
    lines = ["ACTS"] if acts else []
    for done, name in acts:
        who = name or "whoever runs the service"
        lines.append(f"{for_people(done.at)}, {who}: {done.what}{f' ({done.reason})' if done.reason else ''}")
    return [*lines, ""] if lines else []


def _time_lines(found: _Found) -> list[str]:
    """Return the time control and both clocks; nothing where no time is counted."""
    if not found.clocks:
        return []
    options = found.game.options
    clocks = (f"Clock of {seat.capitalize()}: {clock.write()}" for seat, clock in found.clocks.items())
    return [f"Time: {control_of(options).phrase()}; {lapse_phrase(lapse_of(options))}", *clocks]


_PROPOSED: dict[str, str] = {
    DRAW: "a draw",
    NONE: "to give the game up without a result",
    **{str(seat): f"that {seat.capitalize()} has won" for entry in CATALOGUE for seat in entry.seats},
}
"""What an offer proposes, by its end."""


def write_result(result: Result) -> str:
    """Return how a game ended, for an operator: "White wins by ruling: no letter since May"."""
    won = (
        "no result"
        if result.void
        else "a draw"
        if result.winner is None
        else f"{result.winner.capitalize()} wins"
    )
    reason = ruling_of(result)
    said = f"{won} by ruling: {reason}" if reason else f"{won}, {result.how}"
    return said[:1].upper() + said[1:]


def _readable(found: _Found, seat: Seat | None) -> list[Comment]:
    return readable_by(seat, found.written, over=found.game.status == "ended")


def _comments(written: Sequence[Comment]) -> dict[str, Json]:
    """Return the comments as plain data."""
    kinds: dict[str, CommentKind] = {
        "press": "press",
        "diary": "diary",
        "claims": "claim",
        "rulings": "ruling",
    }
    return {key: [each.plain() for each in written if each.kind == kind] for key, kind in kinds.items()}


def _write_comments(written: Sequence[Comment]) -> list[str]:
    """Return the comments in lines, under a heading for each kind that occurs."""
    lines: list[str] = []
    for kind, heading in (
        ("press", "PRESS"),
        ("diary", "DIARIES"),
        ("claim", "CASES"),
        ("ruling", "RULINGS"),
    ):
        some = [each for each in written if each.kind == kind]
        lines += [heading] if some else []
        for each in some:
            who = each.seat.capitalize() or "the umpire"
            who += " (an earlier player)" if each.former else ""
            step = f", {each.heading}" if each.case is not None else ""
            lines.append(f"Turn {each.turn}, {who}{step}, {for_people(each.at)}:")
            lines += [f"  {line}".rstrip() for line in each.lines]
        lines += [""] if some else []
    return lines


def list_claims(application: Application, *, all_of_them: bool) -> list[dict[str, Json]]:
    """Return the cases that wait for a ruling, oldest first. all_of_them: the others, too.

    state: "open", "game over" where it waits all the same, "appealed", "to change" where it was upheld and
        nobody has changed the game since, or "answered".
    since: when it entered that state. days: whole days since then.
    letter: the letter that brought it.
    with: who is to rule, None for the operator. office: theirs.
    against: the umpire's action that an appeal is against.
    steps: its comments, oldest first, as in `show`.

    A damaged game has one entry, "unread", with game and title alone, at the end.
    """
    now = application.clock.now()
    listed: list[dict[str, Json]] = []
    written: dict[int, list[Comment]] = {}
    with application.store.reading() as lookup:
        docket = lookup.cases.waiting(None)
        waits = {(each.game, each.number): each for each in docket.waiting}
        for each in lookup.cases.claims():
            open_case = waits.get((each.game, each.number))
            if not all_of_them and open_case is None:
                continue
            hearer = _hearer(lookup, open_case, now) if open_case is not None else None
            if each.game not in written:
                written[each.game] = lookup.comments.of_game(each.game)
            steps = [step.plain() for step in written[each.game] if step.case == each.number]
            listed.append(
                {
                    "game": each.game,
                    "title": each.title,
                    "claim": each.number,
                    "seat": each.case.seat,
                    "name": each.name or each.case.seat.capitalize(),
                    "turn": each.turn,
                    "at": for_programs(each.case.at),
                    "letter": each.case.letter,
                    "text": each.text,
                    "state": "to change" if open_case is not None and open_case.to_change else each.state,
                    "since": for_programs(each.case.since),
                    "days": max(0, (now - each.case.since).days),
                    "with": lookup.players.find(hearer.player).name if hearer else None,
                    "office": hearer.office if hearer else None,
                    "against": each.case.against.what if each.case.against else None,
                    "steps": steps,
                }
            )
    return [*listed, *({"game": each.game, "title": each.title, "state": "unread"} for each in docket.unread)]


def _hearer(lookup: Lookup, case: OpenCase, now: datetime) -> Officer | None:
    """Return the officer who is to rule on a case, or their substitute; None for the operator."""
    return who_hears(lookup, case.competition, case.players, now, case.duty, case.ruled)


def write_claim(claim: Mapping[str, Json]) -> list[str]:
    """Return an entry of that list in lines, for an operator."""
    if claim["state"] == "unread":
        return [f"game {claim['game']}: its cases cannot be read; see `referee show {claim['game']}`"]
    who = f"{claim['seat'].capitalize()} ({claim['name']})"
    head = (
        f"case {claim['game']}/{claim['claim']}: {who}, turn {claim['turn']}, {claim['at']}, {claim['state']}"
    )
    if claim["state"] != "answered":
        office = f" ({office_called(claim['office'])})" if claim["office"] else ""
        age = f"{claim['days']} day{'' if claim['days'] == 1 else 's'}"
        head += f", for {age} with {claim['with'] or 'whoever runs the service'}{office}"
    lines = [head]
    for step in claim["steps"]:
        if step["step"] != "claim":
            by, verdict = step.get("by") or "", step.get("verdict") or ""
            lines.append(f"  {step['step']}{f' by {by}' if by else ''}{f' ({verdict})' if verdict else ''}:")
        lines += [f"  {line}" for line in step["text"].splitlines()]
    return lines


def foresee_ruling(
    application: Application, number: int, end: str, reason: str, settles: int | None = None
) -> dict[str, Json]:
    """Return what would follow if an umpire ended a game like this, and do nothing.

    Raises UsageError as the ruling would.

    settles: a case that the ruling settles.
    result: as in other documents.
    record: the result as the record has it.
    said: the result in words.
    told: the players who get a letter.
    cases: those that still wait for a ruling.
    """
    with application.store.reading() as lookup:
        left = [each.number for each in waiting(lookup.cases.of_game(number))]
    if settles is not None and settles not in left:
        raise UsageError(
            f"Case {number}/{settles} does not wait for a ruling; `referee claims` lists those that do."
        )
    found = _find(application, number)
    event = rule_the_end(found.game, end, reason)
    return {
        "game": number,
        "title": found.row.title,
        "result": event.result.plain(),
        "record": next(
            filter(
                None, (found.game.rulebook.records.recorded(each).get("result") for each in event.happenings)
            )
        ),
        "said": write_result(event.result),
        "told": [found.names[seat] for seat in found.game.seats],
        "cases": [f"{number}/{each}" for each in left if each != settles],
    }


def write_record(application: Application, number: int, viewer: str, *, bare: bool = False) -> str:
    """Return a game's record: the umpire's with both deals, or what a seat has heard.

    bare: without the comments.
    """
    found = _find(application, number)
    game = found.game
    if not game.seats:
        raise UsageError(f"game {number} has not begun ({game.status}): there is no record")
    head = head_of(game, found.names, found.event)
    seat = None if viewer == UMPIRE else _seat(game, viewer)
    heard = game.happenings if seat is None else game.heard(seat)
    record = game.rulebook.records.write(heard, head, seat)
    return (
        record
        if bare
        else with_comments(record, readable_by(seat, found.beside, over=game.status == "ended"))
    )


def head_of(game: Game, names: Mapping[Seat, str], event: str) -> dict[str, str]:
    """Return the lines of a record's head that its rulebook does not fill in.

    event: the tournament's name, "" for none.
    """
    head = {f"{seat.capitalize()}Name": name for seat, name in names.items() if name}
    head |= {"Event": event} if event else {}
    return {**head, **record_head(game.options), **game.proof}


def list_letters(application: Application, outcome: str | None, limit: int) -> list[dict[str, Json]]:
    """Return the newest letters received, oldest first. Raises UsageError for an unknown outcome."""
    outcomes: tuple[Outcome, ...] = get_args(Outcome)
    wanted = next((each for each in outcomes if each == outcome), None)
    if outcome is not None and wanted is None:
        raise UsageError(f"there is no outcome {outcome!r}; the outcomes are {', '.join(outcomes)}")
    with application.store.reading() as lookup:
        lines = lookup.letters.newest(limit, wanted)
    return [_listed(line) for line in lines]


def _listed(line: LetterLine) -> dict[str, Json]:
    return {
        "number": line.number,
        "received": for_programs(line.received),
        "sender": line.sender,
        "game": line.game,
        "outcome": line.outcome,
        "reason": line.reason,
        "commands": list(line.commands),
    }


def letter_in_full(application: Application, number: int) -> dict[str, Any]:
    """Return everything known about a letter: outcome, header, what is read in it now, and answers.

    header: a list of name and value, decoded.
    read: as `referee read --json`; None when its bytes are not here.
    Raises UsageError for an unknown letter.
    """
    with application.store.reading() as lookup:
        line = lookup.letters.summary(number)
        stored = lookup.letters.get(number, decided=True)
        if line is None or stored is None:
            raise UsageError(f"there is no letter {number}")
        row = lookup.games.get(line.game) if line.game else None
        writer = lookup.players.by_address(line.sender) if line.sender else None
        written = lookup.outbox.answers_to(line)
    content = stored.content
    rules = row.rules if row else next(iter(application.service.rulebooks))
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
        else asdict(dry_run(content, application.service, rules, writer.language if writer else "")),
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
                "written": for_programs(each.created),
                "sent": for_programs(each.sent) if each.sent else None,
            }
            for each in written
        ],
    }


def raw_letter(application: Application, number: int) -> bytes:
    """Return a letter's original bytes, or only its header if it was too large.

    Raises UsageError when the letter does not exist, or its bytes are no longer here.
    """
    with application.store.reading() as lookup:
        stored = lookup.letters.get(number, decided=True)
    if stored is None:
        raise UsageError(f"there is no letter {number}")
    if stored.content is None:
        raise UsageError(
            f"the bytes of letter {number} are not here: the mailbox did not hand them over, "
            "they were kept long enough, or somebody they name has left"
        )
    return stored.content


def _find(application: Application, number: int) -> _Found:
    with application.store.reading() as lookup:
        row = lookup.games.get(number)
        if row is None:
            raise UsageError(f"there is no game {number}")
        stored = lookup.events.of_game(number)
        game = fold_events(application, number, stored)
        acts = [
            (done, "" if done.by is None else lookup.players.find(done.by).name or f"player {done.by}")
            for done in acts_among((each.at, read_event(each.kind, each.body)) for each in stored)
        ]
        names = {
            seat: lookup.players.find(player).name or seat.capitalize() for seat, player in row.seats.items()
        }
        event = lookup.tournaments.find(row.competition).name if row.competition is not None else ""
        written = lookup.comments.of_game(number)
        beside = lookup.comments.beside_the_moves(number, game.rulebook)
        watchers = [
            (lookup.players.find(who).name or f"player {who}", late) for who, late in game.watchers.items()
        ]
        clocks = _clocks(game, GameClocks(lookup, application.service.time, application.clock.now()))
    return _Found(game, row, names, event, written, watchers, clocks, acts, beside)


def _clocks(game: Game, keeper: GameClocks) -> Mapping[Seat, _Clock]:
    """Return the clocks of a game's seats; none where no time is counted."""
    found = {}
    for seat in game.seats if game.timed else ():
        sums, face = keeper.ledger(game).account(seat), keeper.face(game, seat)
        if sums.left is not None:
            left = face.left if face else sums.left
            found[seat] = _Clock(sums.used + sums.left - left, left, face)
    return found


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
