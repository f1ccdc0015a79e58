"""An officer's ruling on a case by letter: its effects are shown first, and `confirm` carries it out."""

from __future__ import annotations

from typing import Any

from referee.commands.command import Umpire
from referee.common.faults import Fault, Place
from referee.games.cases import Case, waiting
from referee.games.events import Verdict
from referee.games.game import Game
from referee.handlers import cases
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import InReplyTo
from referee.handlers.umpire_actions import check_ruling
from referee.reports.report import Note


def show(work: HandlerContext, command: Umpire, game: Game, *, stale: bool = False) -> str:
    """Show an officer the effects of a ruling on a case; return the state of the case.

    "" where the ruling is not possible, which is recorded.

    stale: the officer was asked before, and the case has changed.
    """
    case = _case(work, command, game)
    if case is None:
        return ""
    shown = cases.facts_of(work, game, case)
    facts = {each: shown[each] for each in ("lines", "deed", "ruling", "appeal")}
    facts |= {"stale": stale, **_facts(work, command, game, case)}
    work.outcome.accept(command, note=Note("case-asked", facts))
    work.outcome.of(None).kind = "receipt"
    _speaks_of_its_game(work, game, case)
    return stands_at(case)


def read_case(work: HandlerContext, command: Umpire, game: Game) -> None:
    """Show an officer a case that they may rule on, even if it was sent to somebody else."""
    case = _may_rule(
        work, command, cases.check_ruling(work, game, command.case or 0, work.request.player.number)
    )
    if case is not None:
        work.outcome.accept(command, note=cases.show_case(work, game, case))
        _speaks_of_its_game(work, game, case)


def _speaks_of_its_game(work: HandlerContext, game: Game, case: Case) -> None:
    """Record whom the words of a case may name, so that the letter is erased when one of them leaves."""
    work.outcome.of(None).speaks_of += {cases.player_of(game, case), *game.seats.values()}


def stands_at(case: Case) -> str:
    """Return a text of the state of a case, to check that a ruling still applies."""
    return f"case {case.number}, {case.state}, {len(case.decisions)}, {case.left is not None}"


def confirm(work: HandlerContext, command: Umpire, game: Game, letter: InReplyTo) -> None:
    """Rule on a case as it was shown; report where somebody has ruled meanwhile. letter: the confirming one."""
    case = _case(work, command, game)
    if case is None:
        return
    facts = _facts(work, command, game, case)
    cases.rule(
        work,
        game,
        case,
        _verdict(command),
        command.reason,
        work.request.player.number,
        unchanged=command.unchanged,
        letter=letter.number,
    )
    work.outcome.accept(command, note=Note("case-done", facts))
    work.outcome.of(None).kind = "receipt"


def tell_of_cases(work: HandlerContext, game: Game) -> None:
    """Tell an officer which cases of a game that they have ended still need a ruling."""
    left = tuple(
        cases.called(game.number, each.number) for each in waiting(work.unit.cases.of_game(game.number))
    )
    if game.status == "ended" and left:
        work.outcome.of(None).notes.append(Note("cases-left", {"cases": left}))


def is_as_shown(work: HandlerContext, command: Umpire, game: Game, stands: str | None) -> bool:
    """Return whether a case is in the state in which a ruling on it was shown.

    A ruling that was meant for a claim is not one on the appeal.

    stands: as returned by `show`.
    """
    case = cases.find_case(work, game, command.case or 0)
    return case is not None and stands == stands_at(case)


def _case(work: HandlerContext, command: Umpire, game: Game) -> Case | None:
    found = check_ruling(command.reason) or cases.check_ruling(
        work, game, command.case or 0, work.request.player.number, unchanged=command.unchanged
    )
    return _may_rule(work, command, found)


def _may_rule(work: HandlerContext, command: Umpire, found: Case | Fault) -> Case | None:
    if isinstance(found, Case):
        return found
    place = Place(command.line.number, 1)
    work.outcome.add_fault(
        Fault(found.code, found.message, found.facts, excerpt=command.line.text, place=place)
    )
    return None


def _verdict(command: Umpire) -> Verdict:
    match command.verdict:
        case "upheld":
            return "upheld"
        case "rejected":
            return "rejected"
    return ""


def _facts(work: HandlerContext, command: Umpire, game: Game, case: Case) -> dict[str, Any]:
    player = cases.player_of(game, case)
    return {
        "case": cases.called(game.number, case.number),
        "verdict": command.verdict,
        "unchanged": command.unchanged,
        "is_appeal": case.duty == "appeal",
        "answer": tuple(command.reason.splitlines()),
        "seat": case.seat,
        "name": work.composer.player(player).name,
    }
