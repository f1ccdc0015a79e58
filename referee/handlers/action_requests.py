"""An officer's request: the act that it asks for, the people concerned, and the question whether it is meant.

Officers are shown only what is public: who gets a letter, never what it says of pieces. They see the answer
to an order only after it was ruled on, since otherwise they could ask for as many as they like.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from referee.commands.command import Umpire
from referee.commands.umpire_grammar import read_action, read_whole
from referee.commands.vocabulary import vocabulary
from referee.common.faults import Fault, Place
from referee.games.events import TakenBack
from referee.games.game import Game
from referee.games.player_names import check_name, tidy_name
from referee.games.tournaments.officers import Office
from referee.games.umpire_actions import (
    Act,
    ActFor,
    AddTime,
    Adjudicate,
    Close,
    Correct,
    Pause,
    Replace,
    Restore,
    Resume,
    Rule,
    TakeBack,
    decide_act,
    stands_at,
)
from referee.handlers import participants, umpire_actions
from referee.handlers.former_addresses import who_left
from referee.handlers.handler_context import HandlerContext
from referee.handlers.notices import facts_of, undone_attempts
from referee.mail.message.addresses import is_service, read_address
from referee.mail.message.message import OwnLine
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from referee.store.values import AskedAction, StoredCompetition, Tag

ACTION_REQUEST_TTL = timedelta(days=7)
"""How long a request can be confirmed."""
UNKNOWN = 0
"""The number of a player who is not registered yet."""


# The requested act


def act_of(work: HandlerContext, command: Umpire, event: StoredCompetition | None) -> Act | Fault:
    """Return the act that a command asks for. A new player who is not registered yet is UNKNOWN."""
    seat = Seat(command.seat) if command.seat else None
    match command.action:
        case "pause":
            zone = event.terms.zone if event is not None else "UTC"
            return Pause(begin_of(command.until, zone) if command.until is not None else None)
        case "resume":
            return Resume()
        case "add":
            assert command.time is not None, "the grammar asks for it"
            return AddTime(command.time, seat)
        case "take back":
            assert command.turn is not None, "the grammar asks for it"
            return TakeBack(command.turn, seat)
        case "correct":
            return Correct(command.order, command.turn, seat)
        case "act":
            assert seat is not None, "the grammar asks for it"
            return ActFor(seat, command.order)
        case "rule":
            return Rule()
        case "replace":
            assert seat is not None, "the grammar asks for it"
            player = find_person(work, command.whom)
            return player if isinstance(player, Fault) else Replace(seat, player)
        case "close":
            return Close()
        case "adjudicate":
            return Adjudicate(command.end)
        case "restore":
            return Restore()


def begin_of(day: date, zone: str) -> datetime:
    """Return when a day begins in a zone, in UTC; the first day of the calendar begins no earlier than in UTC."""
    try:
        return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    except OverflowError:
        return datetime.combine(day, time(), UTC)


def find_person(work: HandlerContext, whom: str) -> int | Fault:
    """Return the number of the player with a name or address; UNKNOWN for one who can be registered."""
    read = read_whom(whom)
    if isinstance(read, Fault):
        return read
    name, address = read
    facts = {"whom": whom}
    if not address:
        found = work.unit.players.named(name)
        if len(found) == 1:
            return found[0].number
        message = "nobody is called {whom} here; who is not registered is written with his address"
        return Fault("no-person", message, facts, suggestion="help umpire")
    if is_service(address, work.service.address):
        return Fault("person-is-service", "{whom} is the referee's own address", facts)
    known = work.unit.players.by_address(address)
    if known is not None:
        return known.number
    if name and work.unit.players.named(name):
        message = "somebody else is called {name} here, or has a name that looks like it"
        return Fault("person-named-so", message, {"name": name})
    if (name and check_name(name)) or who_left(work.unit, address, work.request.now) is not None:
        return Fault("person-not-new", "{whom} cannot be registered so; name another address or name", facts)
    return UNKNOWN


_OF_ADDRESSES = frozenset("@<>\uff20\uff1c\uff1e\u2039\u203a\u27e8\u27e9\u3008\u3009")
"""Characters of addresses, or of failed attempts to write one: no name contains any of them."""
_WITH_ADDRESS = re.compile(r"(?P<name>[^<>]*)<\s*(?P<address>[^<>]*?)\s*>")


def read_whom(whom: str) -> tuple[str, str] | Fault:
    """Read "Carl", "carl@example.net" or "Carl <carl@example.net>": a name and an address, "" for a missing one.

    An address that cannot be read is a fault, even with a name, since somebody else may have that name.
    """
    said = whom.strip()
    if not _OF_ADDRESSES & set(said) and "mailto" not in said.casefold():
        return tidy_name(said), ""
    both = _WITH_ADDRESS.fullmatch(said)
    name, address = (
        (both["name"].strip(' "'), read_address(both["address"])) if both else ("", read_address(said))
    )
    if not address or _OF_ADDRESSES & set(name):
        message = (
            "the address in {whom} cannot be read; whoever is to play is named as in {carl}, by the address alone, or "
            "by the name that a player has here"
        )
        facts = {"whom": whom, "carl": "Carl <carl@example.net>"}
        return Fault("person-unreadable", message, facts, suggestion="help umpire")
    return tidy_name(name), address


def register_person(work: HandlerContext, whom: str) -> int | Fault:
    """Return the number of the named player, registering them if necessary."""
    found = find_person(work, whom)
    if found != UNKNOWN:
        return found
    read = read_whom(whom)
    assert not isinstance(read, Fault), "somebody was found by it"
    name, address = read
    return work.unit.players.add(name, address, work.service.language).number


def in_its_line(fault: Fault, command: Umpire) -> Fault:
    """Return the fault of an act as one of the line that asks for it."""
    meant = fault.suggestion
    if fault.code == "act-past" and meant:
        meant = replace(command, until=date.fromisoformat(meant)).write()
    elif meant and not meant.startswith("help"):
        # Text after the move may name its turn: a move alone would mean another one.
        beside = any(each.strip("@#,()").isdigit() for each in command.order.split()[1:])
        meant = "help umpire" if beside else replace(command, order=meant).write()
    return replace(fault, excerpt=command.line.text, place=Place(command.line.number, 1), suggestion=meant)


def write_line(command: Umpire) -> str:
    """Return a request in the form in which it is stored until it is confirmed; `read_line` reads it."""
    return f"{command.action_line}: {command.reason}"


def read_line(line: str) -> Umpire:
    """Read a request that `write_line` wrote."""
    spelt = vocabulary("en")
    own = OwnLine(1, line, line)
    begun = read_action(own, line.partition(" ")[2], spelt)
    whole = read_whole(begun, spelt) if isinstance(begun, Umpire) else begun
    assert isinstance(whole, Umpire), "it was written by the desk"
    return whole


# The people concerned


def seated(game: Game) -> tuple[int, ...]:
    """Return the present and former players of a game."""
    return (*game.seats.values(), *game.former)


def away(work: HandlerContext, event: StoredCompetition) -> Collection[int]:
    """Return the officers of an event who are on leave or unreachable."""
    return participants.away(work.unit, event, work.request.now)


# The question


def ask(
    work: HandlerContext,
    command: Umpire,
    games: Sequence[Game],
    told: Sequence[Mapping[str, Any]],
    left: Sequence[int] = (),
    *,
    stale: bool = False,
) -> None:
    """Ask whether the act that is shown is meant.

    left: games of the event in which the officer does not act.
    """
    work.outcome.reply_tag = work.composer.new_tag("deed", work.request.player.number)
    stands = {game.number: stands_at(game) for game in games}
    person = find_person(work, command.whom) if command.action == "replace" else UNKNOWN
    newcomer = person if isinstance(person, int) and person != UNKNOWN else None
    work.unit.pending_actions.ask(
        work.outcome.reply_tag, work.request.player.number, write_line(command), stands, newcomer
    )
    facts = {
        "acts": tuple(told[:1]) if command.event else tuple(told),
        "games": tuple(game.number for game in games),
        "event": command.event,
        "left": tuple(left),
        "stale": stale,
        "told": (*readers(work, games), *newcomers(work, command)) if not command.event else (),
    }
    work.outcome.accept(command, note=Note("deed-asked", facts))
    work.outcome.of(None).kind = "receipt"


def readers(work: HandlerContext, games: Sequence[Game]) -> tuple[dict[str, str], ...]:
    """Return who gets a letter: each with their side, or as an observer."""
    found: list[dict[str, str]] = []
    for game in games:
        for seat, player in game.seats.items():
            found.append({"name": work.composer.player(player).name, "seat": seat})
        at_once = [player for player, delay in game.watchers.items() if not delay]
        names = (work.composer.player(player).name for player in at_once)
        found += [{"name": name, "seat": ""} for name in names if name]
    return tuple(found)


def newcomers(work: HandlerContext, command: Umpire) -> tuple[dict[str, str], ...]:
    """Return the player who takes a seat by an act and so gets a letter too; nobody for any other act."""
    if command.action != "replace" or not (name := _comes(work, command.whom).name):
        return ()
    return ({"name": name, "seat": command.seat},)


class _Comes(NamedTuple):
    """The person found by what an officer has written.

    name: their name here or, where they have none or are to be registered, as written.
    plays: they are a player here already.
    """

    name: str = ""
    plays: bool = False


def _comes(work: HandlerContext, whom: str) -> _Comes:
    """Return the person who was found; nobody for a fault."""
    player, read = find_person(work, whom), read_whom(whom)
    if isinstance(player, Fault) or isinstance(read, Fault):
        return _Comes()
    name, address = read
    if player != UNKNOWN:
        return _Comes(work.composer.player(player).name or address, plays=True)
    return _Comes(f"{name} <{address}>" if name else address)


def shown_facts(
    work: HandlerContext, game: Game, act: Act, command: Umpire, office: Office
) -> dict[str, Any]:
    """Return what an officer is shown of an act: nothing that is not public."""
    comes = _comes(work, command.whom) if command.action == "replace" else _Comes()
    return facts_of(game, act, command.reason) | {
        "zone": work.request.player.zone,
        "whom": comes.name,
        "plays": comes.plays,
        "attempts": (),
        "sealed": game.rulebook.sealed is not None,
        "who": work.request.player.name,
        "office": office,
        "gone": _goes(work, game, act, command.reason),
        "settles": umpire_actions.cases_settled(work, game, act) if not command.event else (),
        **(
            umpire_actions.ends_with(work, game, act)
            if isinstance(act, AddTime) and not command.event
            else {}
        ),
    }


def _goes(work: HandlerContext, game: Game, act: Act, reason: str) -> tuple[dict[str, str], ...]:
    """Return the attempts, with their answers, that an act takes back and that all have heard."""
    if not isinstance(act, TakeBack | Correct | Restore):
        return ()
    found = decide_act(game, act, reason, work.request.player.number, work.request.now)
    events = () if isinstance(found, Fault) else found
    back = next((each for each in events if isinstance(each, TakenBack)), None)
    if back is None:
        return ()
    return undone_attempts(game, game.after(back).branches[-1])


def asked_by(work_tag: Tag | None, asked: AskedAction | None, player: int, now: datetime) -> bool:
    """Return whether a player can still answer a tag's question."""
    return (
        work_tag is not None
        and asked is not None
        and asked.player == player
        and work_tag.is_within(ACTION_REQUEST_TTL, now)
    )
