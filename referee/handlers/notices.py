"""Facts for notes on an umpire's act; all of them are public, or will be once it is done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile
from typing import Any

from referee.common.i18n import N_, Phrase, listed
from referee.games.clocks.durations import duration_phrase
from referee.games.events import Event, Ruled, SealOpened
from referee.games.game import Game, Undone
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
    attempts_in,
)
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat

ACTIONS: dict[type[Act], str] = {
    Pause: "pause",
    Resume: "resume",
    AddTime: "add",
    TakeBack: "take back",
    Correct: "correct",
    ActFor: "act",
    Rule: "rule",
    Replace: "replace",
    Close: "close",
    Adjudicate: "adjudicate",
    Restore: "restore",
}
"""The name of each act, in letters and on the command line."""


_ACTED: dict[str, str] = {
    "pause": N_("the umpire has stopped the clocks"),
    "resume": N_("the umpire lets the clocks run"),
    "add": N_("the umpire has given time"),
    "take back": N_("the umpire has taken the game back"),
    "correct": N_("the umpire has corrected a move"),
    "act": N_("the umpire has moved"),
    "rule": N_("the umpire has ruled"),
    "replace": N_("the umpire has replaced a player"),
    "restore": N_("the umpire has put moves back"),
}
"""The subject's text for an act that does not end the game."""


def news_of(act: Act, news: str | Phrase, *, due: bool) -> str | Phrase:
    """Return the subject's news of a letter about an act.

    news: what the subject would say otherwise.
    due: its reader is to move.
    """
    said = Phrase(_ACTED[ACTIONS[type(act)]])
    return listed((said, news)) if due else said


def facts_of(game: Game, act: Act, reason: str) -> dict[str, Any]:
    """Return the facts of an act in a game, for any reader; all are public, or will be once it is done."""
    until = act.until if isinstance(act, Pause) else None
    return {
        "act": ACTIONS[type(act)],
        "game": game.number,
        "seat": getattr(act, "seat", None) or "",
        "until": until,
        "zone": "UTC",
        "time": duration_phrase(act.time) if isinstance(act, AddTime) else "",
        "lasts": None,
        "then_left": "",
        "mine": "",
        "turn": getattr(act, "turn", None) or 0,
        "orders": (act.order,) if isinstance(act, ActFor | Correct) else (),
        "end": act.end if isinstance(act, Adjudicate) else "none" if isinstance(act, Close) else "",
        "lines": tuple(reason.strip().splitlines()) if isinstance(act, Rule) else (),
        "reason": "" if isinstance(act, Rule) else reason,
    }


def attempts_of(game: Game, events: Sequence[Event], seat: Seat | None = None) -> tuple[dict[str, str], ...]:
    """Return the attempts that an act ruled on, with answers that all have heard. seat: only those of one seat."""
    ruled = (event for event in events if isinstance(event, Ruled | SealOpened))
    happenings = [each for event in ruled for each in event.happenings]
    return tuple(
        {"seat": each.seat, "order": each.order, "answer": each.answer}
        for each in attempts_in(game, happenings)
        if seat in (None, each.seat)
    )


def undone_attempts(game: Game, undone: Undone) -> tuple[dict[str, str], ...]:
    """Return the attempts that were taken back, oldest first, with their answers.

    An answer that nobody was told yet is "sealed". An order that was only answered after that turn began
    still counts, and is sealed again, so it is left out. An action before an attempt, taken back with it,
    precedes it: "#K V-N2".
    """
    before: dict[str, str] = {}
    found: list[dict[str, str]] = []
    for each in map(game.rulebook.records.recorded, undone.happenings):
        if "sealed" in each:
            before[each["seat"]] = _action_in(each["seat"], each["sealed"], undone)
        if "order" in each:
            found.append(dict(each) | {"order": f"{before.pop(each['seat'], '')} {each['order']}".lstrip()})
    if game.rulebook.sealed is not None:
        found = list(dropwhile(lambda each: each["seat"] != undone.back.seat, found))
    if game.rulebook.sealed is not None and undone.turns and not undone.opened:
        seat, order = undone.turns[-1]
        found.append({"seat": seat, "order": f"{before.get(seat, '')} {order}".lstrip(), "answer": "sealed"})
    return tuple(found)


def _action_in(seat: str, sealed: str, undone: Undone) -> str:
    """Return the action before the attempts of a sealed turn, in effect since then: "#K"; "" for none.

    sealed: the turn as in the record, ending with its attempts.
    """
    attempts = [order for mover, order in undone.turns if mover == seat and sealed.endswith(order)]
    return sealed.removesuffix(max(attempts, key=len, default=sealed)).strip()


def newest_attempts(before: Game, game: Game) -> tuple[dict[str, str], ...]:
    """Return the attempts that an act ruled on and that all have heard by now."""
    news = game.happenings[len(before.happenings) :]
    found = (
        {"seat": each.seat, "order": each.order, "answer": each.answer} for each in attempts_in(game, news)
    )
    return tuple(each for each in found if each["answer"] != "pass")


def of_an_order(game: Game, ruled: Ruled, who: str) -> Note:
    """Return the note for observers on an order that an umpire gave in a seat's name.

    who: the umpire's name, "" for the service's operator.
    """
    facts = facts_of(game, ActFor(ruled.seat, ruled.order), ruled.reason) | {
        "who": who,
        "office": "",
        "attempts": attempts_of(game, (ruled,), ruled.seat),
        "plan": False,
        "mine": "",
        "comes": "",
        "left_by": "",
        "offer": False,
        "pause": False,
        "confided": (),
    }
    return Note("umpired", facts)
