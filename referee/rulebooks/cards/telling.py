"""What a report tells of what happened, event by event, with the rules that ruled (E6). Plain values, no prose.

A happening carries the whole of what it changed; told is only what a person wants to hear of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.rulebooks.cards.battle import CHANGES
from referee.rulebooks.cards.decks import TURNED
from referee.rulebooks.cards.fighting import CAVALRY_MORE, DECLARED, FLANK_MORE, FOUGHT
from referee.rulebooks.cards.figures import BODY, CONFUSED, INITIALS, RANKS, SIDES
from referee.rulebooks.cards.firing import FIRED
from referee.rulebooks.cards.happenings import (
    ASKED,
    CHECKED,
    CHOSEN,
    CLEARED,
    DEALT,
    DRAFTED,
    OPENED,
    ORDERED,
    REVEALED,
    STATIONED,
    WAITING,
    WISHED,
)
from referee.rulebooks.cards.happenings import FIRST as FIRST_SETTLED
from referee.rulebooks.cards.switches import Switches
from referee.rulebooks.cards.turn import HALFWAY, PHASE, TURN
from referee.rulebooks.cards.victory import ENDED
from referee.rulebooks.rulebook import Happening, Json, Seat

OF_THE_DESK = frozenset(
    (OPENED, DEALT, DRAFTED, CLEARED, CHECKED, WISHED, STATIONED, ORDERED, ASKED, CHOSEN, REVEALED)
)
"""Happenings that are no events of the battle: a letter says what has come of them where it speaks of drafts, wishes,
questions and orders."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event. rules: the ids of those that ruled. side: whose doing it was, None for nobody's.

    facts: as the happening has them, without what changed. after: of units that lost or won back men, how they are now,
    "k2/c3/r7". own: it was the reader's own doing, or concerns an order of his.
    """

    code: str
    rules: tuple[str, ...]
    side: Seat | None
    facts: Mapping[str, Json] = field(repr=False)
    after: Mapping[str, str] = field(default_factory=dict)
    own: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """What happened in one side's turn. side: None before the first turn. told: nothing where it was let go by, or
    where its rest was, of which the first half was told before."""

    side: Seat | None
    turn: int
    told: tuple[Told, ...]
    rest: bool = False


def sections(
    heard: Sequence[Happening], news_from: int, seat: Seat, switches: Switches
) -> tuple[Section, ...]:
    """Return what is news to a seat, by turns, the oldest first; turns of which there is nothing to tell are left out.

    heard: all that stands of what it heard; the first `news_from` of them are no news.
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
                news = tuple(telling(heard[max(started, news_from) : ends], seat, switches))
                let_go = side is not None and not any(telling(heard[started:place], seat, switches))
                rest = any(each.code == HALFWAY for each in heard[started:news_from])
                found += [Section(side, turn, news, rest)] if news or let_go or rest else []
            side, turn = Seat(happening.facts["side"]), happening.facts.get("turn", 1)
            started = place + 1
    news = tuple(telling(heard[max(started, news_from) :], seat, switches))
    found += [Section(side, turn, news)] if news else []
    return tuple(found)


def telling(happenings: Sequence[Happening], seat: Seat, switches: Switches) -> Iterator[Told]:
    """Yield what is told of happenings of one turn: cards are named with the combat that they were turned for, phases
    where something happened in them, and that a choice or a second letter is waited for as long as it is."""
    events = [each for each in happenings if each.code not in OF_THE_DESK]
    for place, happening in enumerate(events):
        later = events[place + 1 :]
        if not (
            (happening.code == TURNED and _is_fought_with(happening, later))
            or (happening.code == DECLARED and _says_itself(happening, later))
            or (happening.code == PHASE and (not later or later[0].code in (PHASE, ENDED)))
            or (happening.code in (WAITING, HALFWAY) and later)
        ):
            yield tell(happening, seat, switches)


def _is_fought_with(card: Happening, later: Sequence[Happening]) -> bool:
    return any(each.code == FOUGHT and card.facts["card"] in each.facts["cards"] for each in later)


def _says_itself(declared: Happening, later: Sequence[Happening]) -> bool:
    """Return whether a combat against one enemy is told by what came of it."""
    unit, targets = declared.facts["unit"], declared.facts["targets"]
    return len(targets) == 1 and any(
        each.code == FOUGHT and each.facts["unit"] == unit and each.facts["enemy"] == targets[0]
        for each in later
    )


def tell(happening: Happening, seat: Seat, switches: Switches) -> Told:
    """Return what is told of one happening to a seat."""
    facts = {name: value for name, value in happening.facts.items() if name != CHANGES}
    side = side_of(facts)
    rules = tuple(rule for rule in (happening.rule,) if rule)
    if happening.code == FOUGHT:
        rules = (happening.rule, *_rules_of(facts, switches))
    if happening.code == FIRED:
        rules = (happening.rule, facts["cost_rule"], "CC-6.8" if facts["body"] else "CC-6.9")
    return Told(happening.code, rules, side, facts, _counts(happening), side == seat)


def side_of(facts: Mapping[str, Json]) -> Seat | None:
    """Return the side that a happening's facts name, by itself or by an id of its."""
    if facts.get("side"):
        return Seat(facts["side"])
    id = str(facts.get("unit") or facts.get("commander") or "")
    return next((side for side in SIDES if id.startswith(INITIALS[side])), None)


def _rules_of(fought: Mapping[str, Json], switches: Switches) -> Iterator[str]:
    """Yield the rules that a combat's numbers come from, beside that of its cards."""
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
    """Return how the men of units stand after a happening that changed them."""
    changes = happening.facts.get(CHANGES) or {}
    return {id: _count(unit["men"]) for id, unit in (changes.get("units") or {}).items() if unit is not None}


def _count(men: Sequence[Sequence[Json]]) -> str:
    places = [man[2] for man in men]
    return f"k{places.count(BODY)}/c{places.count(CONFUSED)}/r{places.count(RANKS)}"
