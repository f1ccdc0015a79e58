"""Happenings as a report shows them, event by event, with the rules that applied (E6). Plain values, no prose.

A happening has all that it changed; a reported event has only what a reader wants to know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.rulebooks.cards.battle import CHANGES
from referee.rulebooks.cards.decks import TURNED
from referee.rulebooks.cards.fighting import CAVALRY_MORE, DECLARED, FLANK_MORE, FOUGHT
from referee.rulebooks.cards.figures import BODY, CONFUSED, RANKS, SIDE_OF
from referee.rulebooks.cards.firing import FIRED
from referee.rulebooks.cards.happenings import (
    ASKED,
    CHECKED,
    CHOSEN,
    CLEARED,
    DEALT,
    DRAFTED,
    FIRST_SETTLED,
    OPENED,
    ORDERED,
    REVEALED,
    STATIONED,
    WAITING,
    WISHED,
)
from referee.rulebooks.cards.switches import Switches
from referee.rulebooks.cards.turn import HALFWAY, PHASE, TURN
from referee.rulebooks.cards.victory import ENDED
from referee.rulebooks.rulebook import Happening, Json, Seat

UNREPORTED = frozenset(
    (OPENED, DEALT, DRAFTED, CLEARED, CHECKED, WISHED, STATIONED, ORDERED, ASKED, CHOSEN, REVEALED)
)
"""Happenings that are no events of the battle. Letters show them among drafts, wishes, questions and orders."""


@dataclass(frozen=True, slots=True)
class ReportedEvent:
    """An event.

    rules: the ids of the rules that applied.
    side: the side that acted; None for neither.
    facts: those of the happening, without what changed.
    after: the men of each unit that lost or won back some, such as "k2/c3/r7".
    own: the reader's side acted, or an order of it is concerned.
    """

    code: str
    rules: tuple[str, ...]
    side: Seat | None
    facts: Mapping[str, Json] = field(repr=False)
    after: Mapping[str, str] = field(default_factory=dict)
    own: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """What happened in one side's turn.

    side: None before the first turn.
    told: empty where the turn was passed, or where the rest of a turn was whose first half was reported before.
    rest: the first half of the turn was reported before.
    """

    side: Seat | None
    turn: int
    told: tuple[ReportedEvent, ...]
    rest: bool = False


def sections(
    heard: Sequence[Happening], news_from: int, seat: Seat, switches: Switches
) -> tuple[Section, ...]:
    """Return the news for a seat by turns, the oldest first, without turns that have nothing to report.

    heard: what it heard, without what was taken back. The first `news_from` of it are no news.
    """
    found: list[Section] = []
    side: Seat | None = None
    turn = 0
    started = 0
    for place, happening in enumerate(heard):
        if happening.code in (FIRST_SETTLED, TURN):
            # How it was settled who moves first belongs to what came before the first turn.
            ends = place + (happening.code == FIRST_SETTLED)
            if place >= news_from:
                news = tuple(report_events(heard[max(started, news_from) : ends], seat, switches))
                let_go = side is not None and not any(report_events(heard[started:place], seat, switches))
                rest = any(each.code == HALFWAY for each in heard[started:news_from])
                found += [Section(side, turn, news, rest)] if news or let_go or rest else []
            side, turn = Seat(happening.facts["side"]), happening.facts.get("turn", 1)
            started = place + 1
    news = tuple(report_events(heard[max(started, news_from) :], seat, switches))
    found += [Section(side, turn, news)] if news else []
    return tuple(found)


def report_events(happenings: Sequence[Happening], seat: Seat, switches: Switches) -> Iterator[ReportedEvent]:
    """Yield the events of one turn.

    Cards are left out where a combat names them, phases where nothing happened in them. That a choice or a second
    letter is due is an event as long as it is true.
    """
    events = [each for each in happenings if each.code not in UNREPORTED]
    for place, happening in enumerate(events):
        later = events[place + 1 :]
        if not (
            (happening.code == TURNED and _is_of_a_combat(happening, later))
            or (happening.code == DECLARED and _goes_without_saying(happening, later))
            or (happening.code == PHASE and (not later or later[0].code in (PHASE, ENDED)))
            or (happening.code in (WAITING, HALFWAY) and later)
        ):
            yield report_event(happening, seat, switches)


def _is_of_a_combat(card: Happening, later: Sequence[Happening]) -> bool:
    return any(each.code == FOUGHT and card.facts["card"] in each.facts["cards"] for each in later)


def _goes_without_saying(declared: Happening, later: Sequence[Happening]) -> bool:
    """Return whether a combat was against one enemy, and its result is reported."""
    unit, targets = declared.facts["unit"], declared.facts["targets"]
    return len(targets) == 1 and any(
        each.code == FOUGHT and each.facts["unit"] == unit and each.facts["enemy"] == targets[0]
        for each in later
    )


def report_event(happening: Happening, seat: Seat, switches: Switches) -> ReportedEvent:
    """Return a happening as it is reported to a seat."""
    facts = {name: value for name, value in happening.facts.items() if name != CHANGES}
    side = side_of(facts)
    rules = tuple(rule for rule in (happening.rule,) if rule)
    if happening.code == FOUGHT:
        rules = (happening.rule, *_rules_of(facts, switches))
    if happening.code == FIRED:
        rules = (happening.rule, facts["cost_rule"], "CC-6.8" if facts["body"] else "CC-6.9")
    return ReportedEvent(happening.code, rules, side, facts, _counts(happening), side == seat)


def side_of(facts: Mapping[str, Json]) -> Seat | None:
    """Return the side that a happening's facts name, directly or by the id of a unit or commander."""
    if facts.get("side"):
        return Seat(facts["side"])
    id = str(facts.get("unit") or facts.get("commander") or "")
    return SIDE_OF.get(id[:1])


def _rules_of(fought: Mapping[str, Json], switches: Switches) -> Iterator[str]:
    """Yield the rules of a combat's numbers, without the rule of its cards."""
    if any(fought["bonuses"]):
        yield "CC-7.11"
    for loss in fought["losses"]:
        if loss["by_card"] is None:
            yield "CC-7.14"
        else:
            yield "CC-7.21" if switches.artillery_confuses == "half_up" else "CC-7.22"
        if loss["more"] % FLANK_MORE == CAVALRY_MORE:
            yield "CC-7.24"
        if fought["flank"]:
            yield "CC-7.25"
        break


def _counts(happening: Happening) -> dict[str, str]:
    """Return the men of each unit that a happening changed."""
    changes = happening.facts.get(CHANGES) or {}
    return {id: _count(unit["men"]) for id, unit in (changes.get("units") or {}).items() if unit is not None}


def _count(men: Sequence[Sequence[Json]]) -> str:
    places = [man[2] for man in men]
    return f"k{places.count(BODY)}/c{places.count(CONFUSED)}/r{places.count(RANKS)}"
