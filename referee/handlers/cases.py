"""Cases: who hears one and gets a letter, what is stored with it, and the effects of a ruling.

The player who brought a case and the officers concerned are told each step; nobody else learns that there is
one, since a claim may contain its writer's secret thoughts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.games.cases import Case, Decision, Happened, UmpireAction, cases_of, next_number, sat_before
from referee.games.events import Appealed, ClaimAnswered, Claimed, Verdict, read_event
from referee.games.evidence import MOST_LETTERS, ClockRead, Evidence, brought_by, gather
from referee.games.game import Game
from referee.games.tournaments.officers import Duty, Officer
from referee.handlers import participants, replies
from referee.handlers.action_history import account_of, letters_in_question
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from referee.store.queries import Lookup

NO_OFFICER = 0
"""The service's operator, among those to whom a case was sent."""
PRESS_IN_QUESTION = timedelta(days=30)
"""How far back press is included with a claim about press."""

_ABOUT_PRESS = re.compile(r"\b(?:presse?|messages?|mute|sourdine)\b", re.IGNORECASE)


def cases_in(work: HandlerContext, game: Game) -> tuple[Case, ...]:
    """Return the cases of a game, including the effects of this letter."""
    events = work.outcome.of(game.number).events
    first = game.last_event - len(events) + 1
    new = (Happened(number, work.request.now, None, event) for number, event in enumerate(events, first))
    return cases_of(new, work.unit.cases.of_game(game.number))


def happened_in(work: HandlerContext, game: Game) -> list[Happened]:
    """Return the events of a game before this letter, oldest first."""
    return [
        Happened(each.number, each.at, each.letter, read_event(each.kind, each.body))
        for each in work.unit.events.of_game(game.number)
    ]


def find_case(work: HandlerContext, game: Game, number: int) -> Case | None:
    """Return a case of a game by its number, None where there is none."""
    return next((each for each in cases_in(work, game) if each.number == number), None)


def called(game: int, case: int) -> str:
    """Return the name of a case: "17/1"."""
    return f"{game}/{case}"


# Who hears it


def who_hears(work: HandlerContext, game: Game, duty: Duty, ruled: Collection[int] = ()) -> Officer | None:
    """Return the officer who is to rule in a game, or on an appeal; None for the service's operator.

    ruled: those who ruled on what is appealed against.
    """
    seats = (*game.seats.values(), *game.former)
    return participants.who_hears(work.unit, game.competition, seats, work.request.now, duty, ruled)


def named(work: HandlerContext, game: Game, by: int | None) -> dict[str, str]:
    """Return the office and name of an officer who acts or has acted in a game; both "" for the service's operator."""
    if by is None or game.competition is None:
        return {"office": "", "who": ""}
    event = work.unit.tournaments.find(game.competition)
    held = {each.player: each.office for each in reversed(event.officers)}
    return {"office": held.get(by, "umpire"), "who": work.composer.player(by).name}


# What is stored with it


def evidence_now(
    work: HandlerContext, game: Game, seat: Seat, player: int, against: UmpireAction | None = None
) -> Evidence:
    """Return the state of a game and its letters as evidence for a case.

    seat, player: of the player who brought it, who has that seat or had it.
    against: the umpire's act appealed against.
    """
    players, happened = {**game.seats, seat: player}, happened_in(work, game)
    asked_for = letters_in_question(game, against, happened)
    came_in = work.unit.cases.came_in(game.number, players, MOST_LETTERS, asked_for)
    return gather(
        game,
        work.request.now,
        [replace(each, brought=brought_by(happened, each.number, each.seat)) for each in came_in],
        work.unit.cases.went_out(game.number, players, MOST_LETTERS),
        _clocks(work, game) if game.timed else (),
    )


def _clocks(work: HandlerContext, game: Game) -> list[ClockRead]:
    ledger = work.games.clocks.ledger(game)
    clocks = []
    for seat in game.seats:
        stands = ledger.standing(seat, work.request.now)
        if stands.left is not None:
            deadline = work.games.clocks.deadline(game, seat)
            clocks.append(ClockRead(seat, stands.used, stands.left, deadline))
    return clocks


def is_about_press(text: str) -> bool:
    """Return whether the press is included with a claim."""
    return _ABOUT_PRESS.search(text) is not None


def press_before(work: HandlerContext, game: Game, at: datetime) -> tuple[dict[str, Any], ...]:
    """Return the press that is included with a claim about it, oldest first. at: when the claim was brought."""
    return tuple(
        {
            "seat": game.seat_of(each.player) or game.former.get(each.player, ""),
            "turn": each.turn,
            "at": each.at,
            "lines": each.lines,
        }
        for each in work.unit.writings.of_kind(game.number, "press", at - PRESS_IN_QUESTION)
        if each.at <= at
    )


def facts_of(work: HandlerContext, game: Game, case: Case) -> dict[str, Any]:
    """Return the facts of a case for its hearer: its words, and what was stored with it."""
    lines = written(work, game, case.text)
    first, action = case.decisions[0] if case.decisions else None, case.against
    about_press = action is None and first is None and is_about_press("\n".join(lines))
    ruling: dict[str, Any] = {}
    if first is not None:
        said = written(work, game, first.text)
        ruling = {"verdict": first.verdict, "at": first.at, "lines": said, **named(work, game, first.by)}
    return {
        "case": called(game.number, case.number),
        "seat": case.seat,
        "lines": lines,
        "evidence": Evidence.read(case.evidence)
        or evidence_now(work, game, case.seat, player_of(game, case), action),
        "deed": {} if action is None else told_in_full(work, game, action),
        "ruling": ruling,
        "appeal": written(work, game, case.appeal.text) if case.appeal else (),
        "press": press_before(work, game, case.at) if about_press else (),
        "with_press": about_press,
    }


def told_of_action(work: HandlerContext, game: Game, action: UmpireAction) -> dict[str, Any]:
    """Return the facts of an umpire's act: what, when, and by whom."""
    return {"what": action.what, "at": action.at, "account": {}, **named(work, game, action.by)}


def told_in_full(work: HandlerContext, game: Game, action: UmpireAction) -> dict[str, Any]:
    """Return the facts of an umpire's act in full, as the players saw it, for the officer who hears the appeal."""
    account = account_of(work, game, action, happened_in(work, game))
    return told_of_action(work, game, action) | {"account": account}


def player_of(game: Game, case: Case) -> int:
    """Return the player who brought a case."""
    return case.player or game.seats[case.seat]


# The steps


@dataclass(frozen=True, slots=True)
class Opened:
    """A case that was just opened, or appealed.

    number: in its game.
    hearer: see `named`.
    sent: the hearer got a letter.
    """

    number: int
    hearer: Mapping[str, str]
    sent: bool
    evidence: Evidence


def open_case(
    work: HandlerContext,
    game: Game,
    seat: Seat,
    text: int,
    lines: Collection[str],
    *,
    against: UmpireAction | None = None,
    press: tuple[dict[str, Any], ...] | None = None,
) -> Opened:
    """Open a case, and write to its hearer.

    text: the number of the stored text.
    lines: of that text.
    against: the umpire's act appealed against.
    press: included with the case, None where it is not about press.
    """
    before = sat_before(happened_in(work, game), seat, work.request.player.number) if game.former else 0
    number = next_number(cases_in(work, game), seat, game.seats, before)
    evidence = evidence_now(work, game, seat, work.request.player.number, against)
    plain = {} if against is None else against.plain()
    work.apply_events(game, Claimed(seat, text, plain, evidence.plain(), work.request.player.number, number))
    ruled = () if against is None or against.by is None else (against.by,)
    hearer = who_hears(work, game, "ruling" if against is None else "appeal", ruled)
    action = {} if against is None else told_in_full(work, game, against)
    facts = {
        "case": called(game.number, number),
        "seat": seat,
        "lines": tuple(lines),
        "evidence": evidence,
        "deed": action,
        "ruling": {},
        "appeal": (),
        "press": press or (),
        "with_press": press is not None,
    }
    duty: Duty = "ruling" if against is None else "appeal"
    sent = _write_to(work, game, hearer, facts, f"claim {text}", (number, duty))
    return Opened(number, named(work, game, hearer.player if hearer else None), sent, evidence)


def appeal_case(work: HandlerContext, game: Game, case: Case, text: int, lines: Collection[str]) -> Opened:
    """Appeal against the ruling on a case, and write to the appeal's hearer. text, lines: as in open_case."""
    work.apply_events(game, Appealed(case.number, text))
    hearer = who_hears(work, game, "appeal", case.ruled)
    facts = facts_of(work, game, case) | {"appeal": tuple(lines)}
    sent = _write_to(work, game, hearer, facts, f"appeal {text}", (case.number, "appeal"))
    by = named(work, game, hearer.player if hearer else None)
    return Opened(case.number, by, sent, facts["evidence"])


def show_case(work: HandlerContext, game: Game, case: Case) -> Note:
    """Return the note on a case that waits for an officer, like that in the letter to its first hearer."""
    event = "" if game.competition is None else work.unit.tournaments.find(game.competition).name
    facts = {"game": game.number, "event": event, "by_letter": True, "handed_on": False}
    facts |= facts_of(work, game, case)
    return Note("case", facts, about=game.number)


def hand_on(work: HandlerContext, game: Game, number: int) -> None:
    """Send a waiting case to its present hearer, as when an officer has left office or now plays in the game.

    It is not sent again to somebody who had it before; its hearer in between is told that they no longer have
    it. Nothing is sent of a case that was erased with its writer.
    """
    case = find_case(work, game, number)
    if case is None or case.duty is None:
        return
    hearer = who_hears(work, game, case.duty, case.ruled)
    whom = hearer.player if hearer is not None else NO_OFFICER
    before = work.unit.cases.sent_to(game.number, number, case.duty)
    if whom in before:
        if before[-1] != whom:
            work.unit.cases.mark_sent(game.number, number, case.duty, whom)
            _tell_of_return(work, game, case, before[-1], whom)
        return
    facts = facts_of(work, game, case)
    if facts["lines"]:
        said = f"case {number} {case.duty} handed on"
        _write_to(work, game, hearer, facts | {"handed_on": True}, said, (number, case.duty))
    else:
        work.unit.cases.mark_sent(game.number, number, case.duty, whom)


def _tell_of_return(work: HandlerContext, game: Game, case: Case, had: int, whom: int) -> None:
    """Tell an officer that a case they had is back with somebody who had it before.

    The operator sees that in the list.
    """
    if had == NO_OFFICER:
        return
    called_so = called(game.number, case.number)
    facts = {"case": called_so, **named(work, game, whom if whom != NO_OFFICER else None)}
    note, news = Note("case-back", facts, about=game.number), Phrase(N_("case {case}"), {"case": called_so})
    work.composer.to_player(had, LetterContent(kind="notice", news=news, notes=(note,)))


def _write_to(
    work: HandlerContext,
    game: Game,
    hearer: Officer | None,
    facts: dict[str, Any],
    what: str,
    which: tuple[int, Duty],
) -> bool:
    """Write about a case to its hearer, and record that it was sent; return whether a letter is sent.

    which: the case's number, and what has to be ruled on.
    """
    about = game.number
    news = Phrase(N_("case {case}"), {"case": facts["case"]})
    event = "" if game.competition is None else work.unit.tournaments.find(game.competition).name
    facts = {"game": about, "event": event, "by_letter": hearer is not None, "handed_on": False, **facts}
    if hearer is None:
        note = Note("case", facts)
        sent = work.composer.to_operator(note, every=None, about=about, what=what, news=news)
    else:
        note = Note("case", facts, about=about)
        work.composer.to_player(hearer.player, LetterContent(kind="notice", news=news, notes=(note,)))
        sent = True
    if sent:
        work.unit.cases.mark_sent(about, *which, hearer.player if hearer is not None else NO_OFFICER)
    return sent


def written(work: HandlerContext, game: Game, text: int) -> tuple[str, ...]:
    """Return the lines of a text of a case; empty where they are erased."""
    for kind in ("claim", "answer", "appeal"):
        for each in work.unit.writings.of_kind(game.number, kind):
            if each.number == text:
                return each.lines
    return ()


def check_ruling(
    work: HandlerContext, game: Game, number: int, by: int | None, *, unchanged: bool = False
) -> Case | Fault:
    """Return the case that somebody wants to rule on, or why they cannot.

    by: an officer of the game's event who does not play in it, None for the service's operator.
    unchanged: nothing has to change for it, which anybody who may act in the game may add later to a case
        that was upheld.
    """
    case = find_case(work, game, number)
    facts: dict[str, Any] = {"case": called(game.number, number)}
    if case is None:
        return Fault("no-case", "there is no case {case}", facts)
    if unchanged and any(each.number == number for each in work.unit.cases.to_change(game.number)):
        if by is None or by in _judges(work, game, who_hears(work, game, "ruling")):
            return case
        return Fault("case-not-yours", "somebody else rules on case {case}", facts)
    if case.state == "settled":
        return Fault("case-settled", "the ruling on case {case} is final", facts)
    if case.state == "ruled":
        message = "case {case} was ruled on before; only whoever has brought it may appeal"
        return Fault("case-ruled", message, facts)
    hearer = who_hears(work, game, case.duty or "ruling", case.ruled)
    if case.duty == "appeal":
        return _check_appeal(case, hearer, by, facts)
    if by is not None and by not in _judges(work, game, hearer):
        return Fault("case-not-yours", "somebody else rules on case {case}", facts)
    return case


def _judges(work: HandlerContext, game: Game, hearer: Officer | None) -> set[int]:
    """Return who may rule on a claim: its hearer, and the umpire and director, who act in every game of the event."""
    if game.competition is None:
        return set()
    event = work.unit.tournaments.find(game.competition)
    found = {each.player for each in event.officers if each.office in ("umpire", "director")}
    return (found | ({hearer.player} if hearer else set())) - {*game.seats.values(), *game.former}


def _check_appeal(case: Case, hearer: Officer | None, by: int | None, facts: dict[str, Any]) -> Case | Fault:
    judged = (case.against, *case.decisions)
    ruled = {each.by for each in judged if each is not None}
    if by in ruled and hearer is not None:
        message = "case {case} is an appeal against what you have ruled yourself; somebody else hears it"
        return Fault("appeal-against-you", message, facts)
    if by is not None and (hearer is None or hearer.player != by):
        return Fault("appeal-not-yours", "somebody else hears the appeal in case {case}", facts)
    return case


def rule(
    work: HandlerContext,
    game: Game,
    case: Case,
    verdict: Verdict,
    said: str,
    by: int | None,
    *,
    unchanged: bool = False,
    letter: int | None = None,
) -> Game:
    """Rule on a case, tell those concerned, and return the game. `check_ruling` must have allowed it.

    The player who brought it is told, its hearer if that is somebody else, and after an appeal the officer
    whose ruling it was.

    said: the umpire's words.
    unchanged: nothing in the game has to change for it.
    letter: the one that confirmed it, None for none.
    """
    hearer = who_hears(work, game, case.duty or "ruling", case.ruled)
    number, player = game.number, player_of(game, case)
    turn = game.rulebook.rules.turn(game.view(case.seat))
    text = work.unit.writings.add(number, player if by is None else by, "answer", turn, said)
    event = ClaimAnswered(case.number, text, verdict, by, unchanged)
    game = work.apply_events(game, event)
    work.outcome.by_game.pop(number)
    replies.keep_events(work, game, [event], letter)
    afterwards = case.duty is None
    decision = Decision(work.request.now, text, verdict, by, unchanged)
    ruled = (
        replace(case, left=decision) if afterwards else replace(case, decisions=(*case.decisions, decision))
    )
    answer = {
        "case": called(number, case.number),
        "verdict": verdict,
        "unchanged": unchanged,
        "answer": tuple(said.splitlines()),
        **named(work, game, by),
    }
    _tell_claimant(work, game, ruled, answer)
    if hearer is not None and hearer.player != by and not afterwards:
        facts = {**answer, "is_appeal": case.duty == "appeal"}
        called_so = Phrase(N_("case {case}"), {"case": answer["case"]})
        note = Note("case-taken", facts, about=number)
        work.composer.to_player(hearer.player, LetterContent(kind="notice", news=called_so, notes=(note,)))
    if ruled.until is None and not afterwards:
        _tell_judge(work, case, answer, by)
    return game


def _tell_claimant(work: HandlerContext, game: Game, case: Case, answer: Mapping[str, Any]) -> None:
    """Tell the player who brought a case how it was ruled on."""
    player = player_of(game, case)
    told = {
        **answer,
        "lines": written(work, game, case.text),
        "appeal": written(work, game, case.appeal.text) if case.appeal else (),
        "deed": {} if case.against is None else {"what": case.against.what},
        "until": case.until,
        "elsewhere": who_hears(work, game, "appeal", case.ruled) is not None,
        "zone": work.composer.player(player).zone,
    }
    news = N_("your claim") if case.appeal is None and case.against is None else N_("your appeal")
    words = LetterContent(kind="notice", news=news, notes=(Note("case-ruled", told),))
    if game.seat_of(player) is None:
        work.composer.to_player(player, words)
    else:
        work.composer.to_player(player, words, game=game, title=work.games.titles[game.number])


def _tell_judge(work: HandlerContext, case: Case, answer: Mapping[str, Any], by: int | None) -> None:
    """Tell the officer who ruled, or acted, how the appeal against that was ruled on."""
    judge = case.against.by if case.against is not None else case.decisions[0].by
    note = Note(
        "appeal-ruled", {**answer, "deed": {} if case.against is None else {"what": case.against.what}}
    )
    news = Phrase(N_("case {case}"), {"case": answer["case"]})
    if judge is not None:
        work.composer.to_player(judge, LetterContent(kind="notice", news=news, notes=(note,)))
    elif by is not None:
        game = int(answer["case"].partition("/")[0])
        work.composer.to_operator(note, every=None, about=game, what=f"appeal {answer['case']}", news=news)


def unsent(lookup: Lookup, now: datetime, *, operator: bool) -> list[tuple[int, int]]:
    """Return the waiting cases that were not last sent to their present hearer, as games and case numbers.

    Officers change, go on leave or come to play, and games are moved to other events.

    operator: the service's operator gets letters.
    """
    found = []
    for case in lookup.cases.waiting(None).waiting:
        if case.to_change:
            continue
        hearer = participants.who_hears(lookup, case.competition, case.players, now, case.duty, case.ruled)
        if hearer is None and not operator:
            continue
        whom = hearer.player if hearer is not None else NO_OFFICER
        if lookup.cases.sent_to(case.game, case.number, case.duty)[-1:] != (whom,):
            found.append((case.game, case.number))
    return found
