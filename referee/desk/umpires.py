"""The word `umpire`: an officer of an event acts in its games by letter.

He is shown first what would follow, with a reply tag of its own; his `confirm` to that does it, as long as the game
stands as it stood. What he is shown is public: an officer is told who gets a letter, never what that says of pieces,
and the answer to an order only once it was ruled on, since else he could ask for as many as he likes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from typing import Any
from zoneinfo import ZoneInfo

from referee.commands.command import Confirm, Umpire
from referee.commands.deeds import read_deed, read_whole
from referee.commands.names import check_name, tidy_name
from referee.commands.spellings import vocabulary
from referee.competitions.officers import Office, Officer, office_to_act
from referee.correspondence import Answered, Words
from referee.desk import acts, officers, rulings
from referee.desk.act_notes import facts_of, newest_attempts
from referee.desk.acts import Ruler
from referee.desk.old_addresses import who_left
from referee.desk.work import Work
from referee.faults import Fault, Place
from referee.games.acts import (
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
    left_to_do,
    stands_at,
)
from referee.games.game import Game
from referee.languages import N_
from referee.letters.addresses import is_service, read_address
from referee.letters.letter import OwnLine
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from referee.store.records import AskedDeed, Errand, StoredCompetition, Tag

CONFIRMED_WITHIN = timedelta(days=7)
"""How long what was shown can be confirmed."""
UNKNOWN = 0
"""The number of a player who is not registered yet."""
_NEAR = 0.75
"""So much alike are the name of an event and what may have been meant by it."""
_NEWCOMER = 0
"""Where a question keeps, beside how games stand, the number of the player who is to take a seat."""


def umpire(work: Work, command: Umpire) -> None:
    """Show an officer what would follow from what he asks for, and ask whether he means it."""
    if work.held:
        message = (
            "your letter was held, and nothing is done in a game by such a letter; please write it once more"
        )
        work.wrong(command, "deed-held", message)
        return
    if command.case is not None and not command.reason:
        found_there = _game_of_event(work, command)
        if found_there is not None:
            rulings.read_case(work, command, found_there[0])
        return
    if work.reply_tag:
        message = (
            "one letter can ask for one thing that is to be confirmed; this was left out, write it by itself"
        )
        work.wrong(command, "deed-two", message)
        return
    if command.event:
        _of_event(work, command)
        return
    if command.case is not None:
        _on_case(work, command)
        return
    found = _game_of(work, command)
    if found is None:
        return
    game, event, office = found
    ruler = _ruler(work, office)
    act = act_of(work, command, event)
    decided = act if isinstance(act, Fault) else foresee(work, game, act, command.reason, ruler)
    if isinstance(decided, Fault):
        work.fault(in_its_line(decided, command))
        return
    assert not isinstance(act, Fault), "it was decided on"
    _ask(work, command, (game,), (_facts(work, game, act, command, office),))


def _on_case(work: Work, command: Umpire) -> None:
    """Ask whether a ruling on a case is meant; see rulings."""
    found = _game_of_event(work, command)
    if found is not None:
        _ask_on_case(work, command, found[0])


def _ask_on_case(work: Work, command: Umpire, game: Game, *, stale: bool = False) -> None:
    stands = rulings.show(work, command, game, stale=stale)
    if stands:
        work.reply_tag = work.draws.tag()
        work.unit.add_tag(work.reply_tag, "deed", player=work.player.number)
        work.unit.ask_about_deed(work.reply_tag, work.player.number, _kept(command), {game.number: stands})


def foresee(work: Work, game: Game, act: Act, reason: str, ruler: Ruler) -> Fault | None:
    """Return why an act cannot be done in a game as it stands; None where it can."""
    if isinstance(act, Rule):
        return acts.check_ruling(reason)
    decided = decide_act(game, act, reason, ruler.player, work.now)
    if isinstance(decided, Fault):
        return decided
    newcomer = act.player if isinstance(act, Replace) else UNKNOWN
    return acts.check_newcomer(work, game, newcomer) if newcomer != UNKNOWN else None


def _ask(
    work: Work,
    command: Umpire,
    games: Sequence[Game],
    told: Sequence[Mapping[str, Any]],
    left: Sequence[int] = (),
    *,
    stale: bool = False,
) -> None:
    """Ask whether what is shown is to be done. left: games of the event in which he does not act himself."""
    work.reply_tag = work.draws.tag()
    work.unit.add_tag(work.reply_tag, "deed", player=work.player.number)
    stands = {game.number: stands_at(game) for game in games}
    if command.deed == "replace":
        stands[_NEWCOMER] = str(find_person(work, command.whom))
    work.unit.ask_about_deed(work.reply_tag, work.player.number, _kept(command), stands)
    facts = {
        "acts": tuple(told[:1]) if command.event else tuple(told),
        "games": tuple(game.number for game in games),
        "event": command.event,
        "left": tuple(left),
        "stale": stale,
        "told": (*_names(work, games), *_comes(work, command)) if not command.event else (),
    }
    work.took(command, note=Note("deed-asked", facts))
    work.part(None).kind = "receipt"


def _names(work: Work, games: Sequence[Game]) -> tuple[dict[str, str], ...]:
    """Return who gets a letter: each with his side, or as one who watches."""
    found: list[dict[str, str]] = []
    for game in games:
        for seat, player in game.seats.items():
            found.append({"name": work.post.player(player).name, "seat": seat})
        at_once = [player for player, delay in game.watchers.items() if not delay]
        names = (work.post.player(player).name for player in at_once)
        found += [{"name": name, "seat": ""} for name in names if name]
    return tuple(found)


def _comes(work: Work, command: Umpire) -> tuple[dict[str, str], ...]:
    """Return who takes a seat by a deed, and so gets a letter too, as `_names` does; nobody by any other deed."""
    player = find_person(work, command.whom) if command.deed == "replace" else None
    if player is None or isinstance(player, Fault):
        return ()
    name, address = read_whom(command.whom)
    known = work.post.player(player).name if player != UNKNOWN else ""
    return ({"name": known or name or address, "seat": command.seat},)


def _facts(work: Work, game: Game, act: Act, command: Umpire, office: Office) -> dict[str, Any]:
    """Return what an officer is shown of an act: nothing that is not public."""
    return facts_of(game, act, command.reason) | {
        "zone": work.player.zone,
        "whom": command.whom,
        "attempts": (),
        "who": work.player.name,
        "office": office,
        "lasts": acts.ends_with(work, game, act) if isinstance(act, AddTime) and not command.event else None,
    }


# Who may


def _ruler(work: Work, office: Office) -> Ruler:
    return Ruler(work.player.number, office, work.player.name)


def _game_of(work: Work, command: Umpire) -> tuple[Game, StoredCompetition, Office] | None:
    """Return the game that is meant, its event, and by which office the writer acts in it; or note why he does not."""
    found = _game_of_event(work, command)
    if found is None:
        return None
    game, event = found
    number, me = game.number, work.player.number
    office = office_to_act(event.officers, me, seated(game), away=away(work, event))
    if office == "appeals alone":
        message = "you hear appeals in {event}, and act in none of its games"
        work.wrong(command, "deed-appeals", message, event=event.name)
    elif office == "umpire there":
        message = (
            "the umpire of {event} can act in game {game}; the deputy does where the umpire plays in it or is "
            "away"
        )
        work.wrong(command, "deed-deputy", message, event=event.name, game=str(number))
    elif office != "no office" and office != "plays":  # noqa: PLR1714
        return game, event, office
    return None


def _game_of_event(work: Work, command: Umpire) -> tuple[Game, StoredCompetition] | None:
    """Return the game that is meant, in whose event the writer has an office, and its event; or note what is wrong.

    Whoever has no office in its event is told the same whether there is such a game or not.
    """
    number = command.game
    row = work.row(number) if number else None
    event = (
        work.unit.competition(row.competition) if row is not None and row.competition is not None else None
    )
    me = work.player.number
    if number is None or event is None or all(each.player != me for each in event.officers):
        _no_office(work, command)
        return None
    game = work.game(number)
    assert game is not None, "there is a row of it"
    if me in seated(game):
        message = "you play in game {game}, or have played in it, and do not act in it; somebody else does"
        work.wrong(command, "deed-own-game", message, game=str(number))
        return None
    return game, event


def _no_office(work: Work, command: Umpire) -> None:
    message = (
        "you are no officer of an event with a game {game}, so nothing was done; only the umpire of a game's event "
        "acts in it by letter, and in a game of no event nobody does. A player brings things before an umpire by "
        "{claim}"
    )
    spelt = vocabulary(work.player.language)
    work.wrong(command, "deed-no-office", message, game=str(command.game), claim=spelt.write("claim"))


def seated(game: Game) -> tuple[int, ...]:
    """Return the players who sit in a game, or have."""
    return (*game.seats.values(), *game.former)


def away(work: Work, event: StoredCompetition) -> Collection[int]:
    """Return which officers of an event are on leave, or cannot be reached."""
    return officers.away(work.unit, event, work.now)


# What is meant


def act_of(work: Work, command: Umpire, event: StoredCompetition | None) -> Act | Fault:
    """Return the act that a command asks for. Whoever is to take a seat and is not registered yet is UNKNOWN."""
    seat = Seat(command.seat) if command.seat else None
    match command.deed:
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
    """Return when a day begins in a zone, in UTC; the first day that there is begins no earlier than that in UTC."""
    try:
        return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    except OverflowError:
        return datetime.combine(day, time(), UTC)


def find_person(work: Work, whom: str) -> int | Fault:
    """Return the number of a player who is named, by name or address; UNKNOWN for one who can be registered."""
    name, address = read_whom(whom)
    facts = {"whom": whom}
    if not address:
        found = work.unit.players_named(name)
        if len(found) == 1:
            return found[0].number
        message = "nobody is called {whom} here; who is not registered is written with his address"
        return Fault("no-person", message, facts, suggestion="help umpire")
    if is_service(address, work.service.address):
        return Fault("person-is-service", "{whom} is the referee's own address", facts)
    known = work.unit.player_by_address(address)
    if known is not None:
        return known.number
    if name and work.unit.players_named(name):
        message = "somebody else is called {name} here, or has a name that looks like it"
        return Fault("person-named-so", message, {"name": name})
    if (name and check_name(name)) or who_left(work.unit, address, work.now) is not None:
        return Fault("person-not-new", "{whom} cannot be registered so; name another address or name", facts)
    return UNKNOWN


def read_whom(whom: str) -> tuple[str, str]:
    """Read "Carl", "carl@example.net" or "Carl <carl@example.net>": a name and an address, "" for what is not there."""
    head, angle, rest = whom.partition("<")
    if angle:
        return tidy_name(head.strip(' "')), read_address(rest.rstrip("> ")) or ""
    address = read_address(whom) if "@" in whom else ""
    return ("", address) if address else (tidy_name(whom), "")


def register_person(work: Work, whom: str) -> int | Fault:
    """Return the number of a player who is named, registered now if he was not."""
    found = find_person(work, whom)
    if found != UNKNOWN:
        return found
    name, address = read_whom(whom)
    return work.unit.add_player(name, address, work.service.language).number


def in_its_line(fault: Fault, command: Umpire) -> Fault:
    """Return what is wrong with a deed as a fault of the line that asks for it."""
    meant = fault.suggestion
    if fault.code == "act-past" and meant:
        meant = replace(command, until=date.fromisoformat(meant)).write()
    elif meant and not meant.startswith("help"):
        meant = replace(command, order=meant).write()
    return replace(fault, excerpt=command.line.text, place=Place(command.line.number, 1), suggestion=meant)


# Games of an event


@dataclass(frozen=True, slots=True)
class _InEvent:
    """What a deed comes to in an event. command: with the event as it is called. games: in which it can be done; left:
    in which its officer does not act himself."""

    command: Umpire
    event: StoredCompetition
    office: Office
    act: Act
    games: Sequence[Game]
    left: Sequence[int]


def _of_event(work: Work, command: Umpire, asked: AskedDeed | None = None) -> None:
    """Show what would follow in all games of an event that are being played; or have it done. asked: what was asked and
    is confirmed, None where it is still to be shown. It is shown anew where games have begun since.

    That they have gone on changes nothing: in an event that is played they always have.
    """
    found = _in_event(work, command)
    if found is None:
        return
    if asked is None or any(game.number not in asked.stands for game in found.games):
        told = (_facts(work, found.games[0], found.act, found.command, found.office),)
        _ask(work, found.command, found.games, told, found.left, stale=asked is not None)
        return
    work.unit.begin_errand(found.event.number, work.player.number, _kept(found.command))
    work.took(command, note=Note("errand-begun", {"event": found.event.name}))
    work.part(None).kind = "receipt"


def _in_event(work: Work, command: Umpire) -> _InEvent | None:
    """Return what a deed comes to in the games of an event; None where it cannot be done, which is noted."""
    event, command = _event_of(work, command)
    me = work.player.number
    office = "no office" if event is None else office_to_act(event.officers, me, (), away=away(work, event))
    if event is None or office == "no office":
        spelt = vocabulary(work.player.language)
        if event is None and any(spelt.read_deed(word) == "until" for word in command.event.split()):
            message = "until when is a day, written as in 2027-01-03"
            work.wrong(command, "deed-day", message, suggestion="help umpire")
            return None
        message = "you are no officer of an event called {event}, so nothing was done"
        mine = {
            each.name.casefold(): each.name
            for each in work.unit.competitions_of(me)
            if _holds(each.officers, me)
        }
        near = get_close_matches(command.event.casefold(), mine, 1, _NEAR)
        # Where no such name is meant, it may be a game: its umpire is not led to act in all games at once.
        meant = replace(command, event=mine[near[0]]).write() if near else "help umpire"
        work.wrong(command, "deed-no-event", message, suggestion=meant, event=command.event)
        return None
    if office not in ("umpire", "director", "deputy"):
        message = "by your office you act in no game of {event} at present"
        work.wrong(command, "deed-no-part", message, event=event.name)
        return None
    command = replace(command, event=event.name)
    act = act_of(work, command, event)
    if isinstance(act, Fault):
        work.fault(in_its_line(act, command))
        return None
    games, left, faults = [], [], []
    for row in work.unit.games(("playing",), competition=event.number):
        game = work.readable(row.number)
        if game is None or me in seated(game):
            left.append(row.number)
            continue
        decided = decide_act(game, act, command.reason, me, work.now)
        if isinstance(decided, Fault):
            faults.append(decided)
        else:
            games.append(game)
    if not games:
        message = "nothing of that can be done in any game of {event} that is being played and is not yours"
        fault = faults[0] if faults else Fault("deed-no-games", message, {"event": event.name})
        work.fault(in_its_line(fault, command))
        return None
    return _InEvent(command, event, office, act, games, left)


def _event_of(work: Work, command: Umpire) -> tuple[StoredCompetition | None, Umpire]:
    """Return the event that is meant, None for none, and what is asked for. What was read as a colour may be the last
    word of its name."""
    spelt = vocabulary(work.player.language)
    for side in (command.seat, spelt.write_end(command.seat)) if command.seat else ():
        event = work.unit.competition_named(f"{command.event} {side}")
        if event is not None:
            return event, replace(command, event=event.name, seat="")
    return work.unit.competition_named(command.event), command


def _holds(officers: Collection[Officer], player: int) -> bool:
    return any(each.player == player for each in officers)


# The answer


def asked_by(work_tag: Tag | None, asked: AskedDeed | None, player: int, now: datetime) -> bool:
    """Tell whether a tag's question can still be answered by a player."""
    return (
        work_tag is not None
        and asked is not None
        and asked.player == player
        and work_tag.is_within(CONFIRMED_WITHIN, now)
    )


def confirm(work: Work, tag: Tag, letter: Answered) -> None:
    """Do what the writer was asked about; or show it anew, where the game has gone on since. letter: his answer."""
    asked = work.unit.asked_deed(tag.text)
    if asked is None or not asked_by(tag, asked, work.player.number, work.now):
        work.part(None).notes.append(Note("deed-gone"))
        work.part(None).kind = "notice"
        return
    work.unit.drop_deed(tag.text)
    command = read_line(asked.line)
    if command.event:
        _of_event(work, command, asked)
        return
    if command.case is not None:
        found_there = _game_of_event(work, command)
        if found_there is None:
            return
        there = found_there[0]
        if rulings.is_as_shown(work, command, there, asked.stands.get(there.number)):
            rulings.confirm(work, command, there, letter)
        else:
            _ask_on_case(work, command, there, stale=True)
        return
    found = _game_of(work, command)
    if found is None:
        return
    game, event, office = found
    act = act_of(work, command, event)
    if isinstance(act, Replace) and asked.stands.get(_NEWCOMER) not in (str(UNKNOWN), str(act.player)):
        message = "{whom} is another player by now than when you were asked, so nothing was done; name whom you mean"
        place = Place(command.line.number, 1)
        fault = Fault(
            "person-changed", message, {"whom": command.whom}, excerpt=command.line.text, place=place
        )
        work.fault(fault)
        return
    if asked.stands.get(game.number) != stands_at(game):
        decided = (
            act if isinstance(act, Fault) else foresee(work, game, act, command.reason, _ruler(work, office))
        )
        if isinstance(act, Fault) or isinstance(decided, Fault):
            work.fault(in_its_line(decided, command))  # type: ignore[arg-type]
            return
        _ask(work, command, (game,), (_facts(work, game, act, command, office),), stale=True)
        return
    if isinstance(act, Replace) and act.player == UNKNOWN:
        newcomer = register_person(work, command.whom)
        act = newcomer if isinstance(newcomer, Fault) else replace(act, player=newcomer)
    told = (*_names(work, (game,)), *_comes(work, command))
    done = (
        act
        if isinstance(act, Fault)
        else acts.do(work, game, act, command.reason, _ruler(work, office), letter=letter.number)
    )
    if isinstance(act, Fault) or isinstance(done, Fault):
        work.fault(in_its_line(done, command))  # type: ignore[arg-type]
        return
    shown = _facts(work, done, act, command, office)
    if isinstance(act, ActFor | Correct | Restore):
        shown["attempts"] = newest_attempts(game, done)
    facts = {
        "acts": (shown,),
        "games": (game.number,),
        "event": "",
        "left": (),
        "told": told,
    }
    work.took(command, note=Note("deed-done", facts))
    work.part(None).kind = "receipt"
    rulings.tell_of_cases(work, done)


def _kept(command: Umpire) -> str:
    """Return a deed as it is kept until it is confirmed: `read_line` reads the same, the reason with its lines."""
    return f"{command.deed_line}: {command.reason}"


def confirm_nothing(work: Work, command: Confirm) -> None:
    """Say why `confirm` in an answer to the question whether a deed is meant confirms nothing."""
    if work.held:
        message = "your letter was held, and such a letter confirms nothing here; please answer the letter that asks"
        work.wrong(command, "confirm-held", message)
        return
    message = "`confirm` counts only as the first line of a letter; nothing was confirmed"
    work.wrong(command, "confirm-first", message)


def read_line(line: str) -> Umpire:
    """Read a deed as the desk has written it."""
    spelt = vocabulary("en")
    own = OwnLine(1, line, line)
    begun = read_deed(own, line.partition(" ")[2], spelt)
    whole = read_whole(begun, spelt) if isinstance(begun, Umpire) else begun
    assert isinstance(whole, Umpire), "it was written by the desk"
    return whole


def go_on(work: Work, errand: Errand) -> Errand | None:
    """Do an errand's deed in its next game, or write at the end what was done; return it as it is then, None at its
    end.

    Whatever was done is kept with how far the errand has come, so that nothing is done twice.
    """
    event = work.unit.competition(errand.competition)
    _, command = _event_of(work, read_line(errand.line))
    number = work.unit.next_playing(event.number, errand.after)
    act = act_of(work, command, event)
    if number is None or isinstance(act, Fault):
        rows = work.unit.games(("playing",), competition=event.number)
        facts = {
            "acts": (),
            "games": errand.done,
            "event": event.name,
            "left": tuple(row.number for row in rows if row.number not in errand.done),
            "told": (),
        }
        words = Words(kind="notice", news=N_("done"), notes=(Note("deed-done", facts),))
        work.post.to_player(errand.player, words)
        work.unit.end_errand(errand.number)
        return None
    done = errand.done
    game = work.readable(number)
    office = None
    if game is not None:
        office = office_to_act(event.officers, errand.player, seated(game), away=away(work, event))
    if game is not None and office in ("umpire", "director", "deputy"):
        ruler = Ruler(errand.player, office, work.post.player(errand.player).name)
        left = left_to_do(game, act, command.reason, errand.player, work.now)
        if left is not None and not isinstance(acts.do(work, game, left, command.reason, ruler), Fault):
            done = (*done, number)
    gone_on = replace(errand, after=number, done=done)
    work.unit.go_on_with_errand(gone_on)
    return gone_on


def finish_errands(work: Work) -> None:
    """Do at once what the writer has asked for in all games of an event and is not at its end: he leaves, and it would
    be done in some of them and not in others."""
    while (errand := work.unit.errand(work.player.number)) is not None:
        going: Errand | None = errand
        while going is not None:
            going = go_on(work, going)
