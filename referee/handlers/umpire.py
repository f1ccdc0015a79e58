"""The command `umpire`: an officer of an event acts in its games by letter.

The officer is first shown the consequences, with a reply tag of its own; their `confirm` to that carries out
the act, if the game has not changed. `action_requests` contains the question, `bulk_actions` the acts in all
games of an event.
"""

from __future__ import annotations

from dataclasses import replace

from referee.commands.command import Confirm, Umpire
from referee.commands.vocabulary import vocabulary
from referee.common.faults import Fault, Place
from referee.games.game import Game
from referee.games.tournaments.officers import Office, office_to_act
from referee.games.umpire_actions import Act, ActFor, Correct, Replace, Restore, Rule, decide_act, stands_at
from referee.handlers import bulk_actions, case_rulings, umpire_actions
from referee.handlers.action_requests import (
    UNKNOWN,
    act_of,
    ask,
    asked_by,
    away,
    in_its_line,
    newcomers,
    read_line,
    readers,
    register_person,
    seated,
    shown_facts,
    write_line,
)
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import InReplyTo
from referee.handlers.notices import newest_attempts
from referee.handlers.umpire_actions import Ruler
from referee.reports.report import Note
from referee.store.values import AskedAction, StoredCompetition, Tag


def umpire(work: HandlerContext, command: Umpire) -> None:
    """Show an officer the consequences of a request, and ask whether they mean it."""
    if work.request.held is not None:
        message = (
            "your letter was held, and nothing is done in a game by such a letter; please write it once more"
        )
        work.outcome.reject(command, "deed-held", message)
        return
    if command.case is not None and not command.reason:
        found_there = _game_of_event(work, command)
        if found_there is not None:
            case_rulings.read_case(work, command, found_there[0])
        return
    if work.outcome.reply_tag:
        message = (
            "one letter can ask for one thing that is to be confirmed; this was left out, write it by itself"
        )
        work.outcome.reject(command, "deed-two", message)
        return
    if command.event:
        bulk_actions.ask_or_begin(work, command)
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
        work.outcome.add_fault(in_its_line(decided, command))
        return
    assert not isinstance(act, Fault), "it was decided on"
    ask(work, command, (game,), (shown_facts(work, game, act, command, office),))


def _on_case(work: HandlerContext, command: Umpire) -> None:
    """Ask whether a ruling on a case is meant; see case_rulings."""
    found = _game_of_event(work, command)
    if found is not None:
        _ask_on_case(work, command, found[0])


def _ask_on_case(work: HandlerContext, command: Umpire, game: Game, *, stale: bool = False) -> None:
    stands = case_rulings.show(work, command, game, stale=stale)
    if stands:
        work.outcome.reply_tag = work.composer.new_tag("deed", work.request.player.number)
        work.unit.pending_actions.ask(
            work.outcome.reply_tag, work.request.player.number, write_line(command), {game.number: stands}
        )


def foresee(work: HandlerContext, game: Game, act: Act, reason: str, ruler: Ruler) -> Fault | None:
    """Return why an act cannot be done in a game as it is; None where it can."""
    if isinstance(act, Rule):
        return umpire_actions.check_ruling(reason)
    decided = decide_act(game, act, reason, ruler.player, work.request.now)
    if isinstance(decided, Fault):
        return decided
    newcomer = act.player if isinstance(act, Replace) else UNKNOWN
    return umpire_actions.check_newcomer(work, game, newcomer) if newcomer != UNKNOWN else None


# Who may


def _ruler(work: HandlerContext, office: Office) -> Ruler:
    return Ruler(work.request.player.number, office, work.request.player.name)


def _game_of(work: HandlerContext, command: Umpire) -> tuple[Game, StoredCompetition, Office] | None:
    """Return the game that is meant, its event, and the writer's office in it; or record why they do not act."""
    found = _game_of_event(work, command)
    if found is None:
        return None
    game, event = found
    number, me = game.number, work.request.player.number
    office = office_to_act(event.officers, me, seated(game), away=away(work, event))
    if office == "appeals alone":
        message = "you hear appeals in {event}, and act in none of its games"
        work.outcome.reject(command, "deed-appeals", message, event=event.name)
    elif office == "umpire there":
        message = (
            "the umpire of {event} can act in game {game}; the deputy does where the umpire plays in it or is "
            "away"
        )
        work.outcome.reject(command, "deed-deputy", message, event=event.name, game=str(number))
    elif office != "no office" and office != "plays":  # noqa: PLR1714
        return game, event, office
    return None


def _game_of_event(work: HandlerContext, command: Umpire) -> tuple[Game, StoredCompetition] | None:
    """Return the game that is meant and its event, in which the writer has an office; or record the fault.

    A writer without an office in its event is told the same whether or not there is such a game.
    """
    number = command.game
    row = work.games.row(number) if number else None
    event = (
        work.unit.tournaments.find(row.competition)
        if row is not None and row.competition is not None
        else None
    )
    me = work.request.player.number
    if number is None or event is None or all(each.player != me for each in event.officers):
        _no_office(work, command)
        return None
    game = work.games.load(number)
    assert game is not None, "there is a row of it"
    if me in seated(game):
        message = "you play in game {game}, or have played in it, and do not act in it; somebody else does"
        work.outcome.reject(command, "deed-own-game", message, game=str(number))
        return None
    return game, event


def _no_office(work: HandlerContext, command: Umpire) -> None:
    message = (
        "you are no officer of an event with a game {game}, so nothing was done; only the umpire of a game's event "
        "acts in it by letter, and in a game of no event nobody does. A player brings things before an umpire by "
        "{claim}"
    )
    spelt = vocabulary(work.request.player.language)
    work.outcome.reject(
        command, "deed-no-office", message, game=str(command.game), claim=spelt.writer.write("claim")
    )


# The answer


def confirm(work: HandlerContext, tag: Tag, letter: InReplyTo) -> None:
    """Do what the writer was asked about; or show it again, if the game has changed since. letter: their answer."""
    asked = work.unit.pending_actions.get(tag.text)
    if asked is None or not asked_by(tag, asked, work.request.player.number, work.request.now):
        work.outcome.of(None).notes.append(Note("deed-gone"))
        work.outcome.of(None).kind = "notice"
        return
    work.unit.pending_actions.drop(tag.text)
    command = read_line(asked.line)
    if command.event:
        bulk_actions.ask_or_begin(work, command, asked)
        return
    if command.case is not None:
        _confirm_on_case(work, command, asked, letter)
        return
    if (found := _game_of(work, command)) is None:
        return
    game, event, office = found
    act = act_of(work, command, event)
    if isinstance(act, Fault):
        work.outcome.add_fault(in_its_line(act, command))
    elif isinstance(act, Replace) and asked.newcomer not in (None, act.player):
        message = "{whom} is another player by now than when you were asked, so nothing was done; name whom you mean"
        place = Place(command.line.number, 1)
        facts = {"whom": command.whom}
        work.outcome.add_fault(
            Fault("person-changed", message, facts, excerpt=command.line.text, place=place)
        )
    elif asked.stands.get(game.number) == stands_at(game):
        _carry_out(work, command, act, game, office, letter)
    elif (fault := foresee(work, game, act, command.reason, _ruler(work, office))) is not None:
        work.outcome.add_fault(in_its_line(fault, command))
    else:
        ask(work, command, (game,), (shown_facts(work, game, act, command, office),), stale=True)


def _confirm_on_case(work: HandlerContext, command: Umpire, asked: AskedAction, letter: InReplyTo) -> None:
    """Rule on a case as the writer was asked about it; or show it again, if it has changed."""
    found = _game_of_event(work, command)
    if found is None:
        return
    game, _ = found
    if case_rulings.is_as_shown(work, command, game, asked.stands.get(game.number)):
        case_rulings.confirm(work, command, game, letter)
    else:
        _ask_on_case(work, command, game, stale=True)


def _carry_out(
    work: HandlerContext, command: Umpire, act: Act, game: Game, office: Office, letter: InReplyTo
) -> None:
    """Do an act in a game, and add a note on the game after it, and on who hears of it."""
    if isinstance(act, Replace) and act.player == UNKNOWN:
        newcomer = register_person(work, command.whom)
        if isinstance(newcomer, Fault):
            work.outcome.add_fault(in_its_line(newcomer, command))
            return
        act = replace(act, player=newcomer)
    told = (*readers(work, (game,)), *newcomers(work, command))
    settles = umpire_actions.cases_settled(work, game, act)
    done = umpire_actions.do(work, game, act, command.reason, _ruler(work, office), letter=letter.number)
    if isinstance(done, Fault):
        work.outcome.add_fault(in_its_line(done, command))
        return
    shown = shown_facts(work, done, act, command, office) | {"settles": settles}
    if isinstance(act, ActFor | Correct | Restore):
        shown["attempts"] = newest_attempts(game, done)
    facts = {"acts": (shown,), "games": (game.number,), "event": "", "left": (), "told": told}
    work.outcome.accept(command, note=Note("deed-done", facts))
    work.outcome.of(None).kind = "receipt"
    case_rulings.tell_of_cases(work, done)


def confirm_nothing(work: HandlerContext, command: Confirm) -> None:
    """Record why `confirm` in an answer to a question about an act confirms nothing."""
    if work.request.held is not None:
        message = "your letter was held, and such a letter confirms nothing here; please answer the letter that asks"
        work.outcome.reject(command, "confirm-held", message)
        return
    message = "`confirm` counts only as the first line of a letter; nothing was confirmed"
    work.outcome.reject(command, "confirm-first", message)
