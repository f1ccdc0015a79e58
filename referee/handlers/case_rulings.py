"""An officer rules on a case by letter: he is shown first what follows, and his `confirm` to that does it."""

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
    """Show an officer of a game's event what his ruling on a case brings about; return how the case stands for it, ""
    where it cannot be, which is noted. stale: he was asked before, and the case has gone on."""
    case = _case(work, command, game)
    if case is None:
        return ""
    shown = cases.facts_of(work, game, case)
    facts = {each: shown[each] for each in ("lines", "deed", "ruling", "appeal")}
    facts |= {"stale": stale, **_facts(work, command, game, case)}
    work.took(command, note=Note("case-asked", facts))
    work.part(None).kind = "receipt"
    _speaks_of_its_game(work, game, case)
    return stands_at(case)


def read_case(work: HandlerContext, command: Umpire, game: Game) -> None:
    """Show an officer a case that he may rule on, whoever it went to when it was brought."""
    case = _may_rule(work, command, cases.check_ruling(work, game, command.case or 0, work.player.number))
    if case is not None:
        work.took(command, note=cases.show_case(work, game, case))
        _speaks_of_its_game(work, game, case)


def _speaks_of_its_game(work: HandlerContext, game: Game, case: Case) -> None:
    """Note whom the words of a case may name, so that the letter that shows them is erased when one of them leaves."""
    work.part(None).speaks_of += {cases.player_of(game, case), *game.seats.values()}


def stands_at(case: Case) -> str:
    """Return how a case stands for whoever is asked about a ruling on it."""
    return f"case {case.number}, {case.state}, {len(case.decisions)}, {case.left is not None}"


def confirm(work: HandlerContext, command: Umpire, game: Game, letter: InReplyTo) -> None:
    """Rule on a case as it was shown; where somebody has ruled meanwhile, say so. letter: that confirms it."""
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
        work.player.number,
        unchanged=command.unchanged,
        letter=letter.number,
    )
    work.took(command, note=Note("case-done", facts))
    work.part(None).kind = "receipt"


def tell_of_cases(work: HandlerContext, game: Game) -> None:
    """Tell an officer which cases of a game that he has ended still wait for a ruling."""
    left = tuple(
        cases.called(game.number, each.number) for each in waiting(work.unit.cases.of_game(game.number))
    )
    if game.status == "ended" and left:
        work.part(None).notes.append(Note("cases-left", {"cases": left}))


def is_as_shown(work: HandlerContext, command: Umpire, game: Game, stands: str | None) -> bool:
    """Return whether a case stands as it did when a ruling on it was shown: what was meant for a claim is no ruling on
    the appeal. stands: as `show` returned it."""
    case = cases.find_case(work, game, command.case or 0)
    return case is not None and stands == stands_at(case)


def _case(work: HandlerContext, command: Umpire, game: Game) -> Case | None:
    found = check_ruling(command.reason) or cases.check_ruling(
        work, game, command.case or 0, work.player.number, unchanged=command.unchanged
    )
    return _may_rule(work, command, found)


def _may_rule(work: HandlerContext, command: Umpire, found: Case | Fault) -> Case | None:
    if isinstance(found, Case):
        return found
    place = Place(command.line.number, 1)
    work.fault(Fault(found.code, found.message, found.facts, excerpt=command.line.text, place=place))
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
        "name": work.post.player(player).name,
    }
