"""How a record tells what happened on the table: one short text for each effect (E2, E6).

An effect is a code with its values. It holds what cannot be calculated again: how far a unit went, what stopped it, who
was hit, which card lay on top. The rest follows by the rules. One template for each code writes the text and reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.rulebooks.cards.battle import BOTH, CHANGES
from referee.rulebooks.cards.decks import SHUFFLED, TURNED
from referee.rulebooks.cards.engagements import BODIES_REMOVED, PARTED
from referee.rulebooks.cards.fighting import DECLARED, FOUGHT
from referee.rulebooks.cards.figures import BLUE, RED, SIDE_OF, id_order
from referee.rulebooks.cards.firing import FIRED
from referee.rulebooks.cards.forming import DRESSED, FORMED
from referee.rulebooks.cards.happenings import FIRST_SETTLED, WAITING
from referee.rulebooks.cards.mobs import FLED, LOST, MOB_MOVED
from referee.rulebooks.cards.moving import COMMANDER_CLEARED, COMMANDER_MOVED, MOVED
from referee.rulebooks.cards.orders import Placing, Station, StationCommander
from referee.rulebooks.cards.rallying import RALLIED, WALKED
from referee.rulebooks.cards.record_text.templates import FIRST_WITHOUT_CARDS, STOPS, Template, Values
from referee.rulebooks.cards.settling import TAKEN_OFF
from referee.rulebooks.cards.turn import HALFWAY, PHASE
from referee.rulebooks.cards.victory import (
    AS_MANY_OBJECTIVES,
    BOTH_DESTROYED,
    BY_DESTRUCTION,
    BY_MORE_OBJECTIVES,
    BY_OBJECTIVES,
    ENDED,
    HELD,
)
from referee.rulebooks.rulebook import Happening, Result, Seat

ON_THE_TABLE = (BY_OBJECTIVES, BY_DESTRUCTION, BOTH_DESTROYED, BY_MORE_OBJECTIVES, AS_MANY_OBJECTIVES)
"""Ends that the rules themselves bring."""
TURNED_ABOUT = "turned-about"
"""The code of a formation change that turns a unit about; as a happening it is FORMED as well."""


class Effect(NamedTuple):
    """Something that happened on the table, as far as a record tells it."""

    code: str
    values: Values


def effect_of(happening: Happening) -> Effect | None:
    """Return the effect that a happening is; None for what not both sides hear, and for what goes without saying."""
    code, facts = happening.code, happening.facts
    if code not in TEMPLATES or code == PHASE or not happening.heard_by >= BOTH:
        return None
    if code == FORMED and facts["origin"] != facts["place"]:
        code = TURNED_ABOUT
    values = dict(facts)
    if code in (MOVED, TURNED_ABOUT):
        values["bearing"] = facts["place"][2]
    if "stop" in facts:
        stop = facts["stop"] or {"code": None, "by": None}
        values["stop"], values["by"] = stop["code"], stop["by"]
    if code == MOVED and not facts["gone"] and values["stop"] not in STOPS:
        values["gone"] = None
    if code == FOUGHT:
        values["mine"], values["theirs"] = facts["totals"]
    if code == FIRST_SETTLED and facts["how"] not in FIRST_WITHOUT_CARDS:
        values["how"] = facts["cuts"]
    if code == ENDED:
        result = result_in(happening)
        # The head of the record says how a battle ended that did not end on the table.
        values["result"] = result if result.how in ON_THE_TABLE else replace(result, how="")
    return Effect(code, values)


def read_effect(text: str) -> Effect | None:
    """Return the effect that a text tells; None where it tells none."""
    for code, template in TEMPLATES.items():
        if (values := template.read(text)) is not None:
            return Effect(code, values)
    return None


def effect_text(happening: Happening) -> str:
    """Return the text of a happening; "" where a record does not tell it."""
    effect = effect_of(happening)
    return TEMPLATES[effect.code].write(effect.values) if effect is not None else ""


def code_of(text: str) -> str:
    """Return the code of the effect that a text tells; "" where it tells none."""
    effect = read_effect(text)
    return effect.code if effect is not None else ""


def acting_side(happening: Happening) -> Seat | None:
    """Return the side that acts in a happening; None for a consequence of another happening.

    An action begins a line of the record, its consequences stand behind it.
    """
    if happening.code not in _ACTIONS:
        return None
    facts = happening.facts
    return SIDE_OF[str(facts.get("unit") or facts.get("commander"))[0]]


def result_in(happening: Happening) -> Result:
    """Return the result that an end has brought."""
    facts = happening.facts
    plain = facts.get(CHANGES, {}).get("result", facts)
    winner = plain["winner"]
    return Result(Seat(winner) if winner else None, plain["how"], bool(plain.get("void", False)))


def set_up_orders(happening: Happening) -> Mapping[Seat, Sequence[Placing]]:
    """Return where the armies were set up otherwise than the scenario has them, as orders (CC-1.13)."""
    changes = happening.facts.get(CHANGES, {})
    orders: dict[Seat, list[Placing]] = {RED: [], BLUE: []}
    for id, unit in sorted(changes.get("units", {}).items(), key=lambda each: id_order(each[0])):
        x, y, bearing = unit["place"]
        orders[SIDE_OF[id[0]]].append(Station(id, x, y, bearing, unit["files"] or None))
    for id, commander in sorted(changes.get("commanders", {}).items()):
        x, y = commander["place"]
        orders[SIDE_OF[id[0]]].append(StationCommander(id, x, y))
    return orders


# --- the template of each effect

_ACTIONS: Mapping[str, Template] = {
    MOVED: Template("{unit} B{bearing:cm}[ A{gone:cm}] to {place}[: {stop}[ {by:unit}]]"),
    MOB_MOVED: Template("{unit} as a mob B{bearing:cm} D{gone:cm} to {place}[: {stop}[ {by:unit}]]"),
    FLED: Template("{unit} flees {fleeing:unit} B{bearing:cm} D{gone:cm} to {place}"),
    LOST: Template("{unit} flees {fleeing:unit} and is lost"),
    COMMANDER_MOVED: Template("{commander} A{gone:cm} to {place}[: {stop}[ {by:unit}]]"),
    FORMED: Template("{unit} forms W{files}"),
    RALLIED: Template("{unit} rallies {men}[ B{bearing:cm}][ by {helped}]"),
    WALKED: Template("{unit} gunners go back[: {to_go}]"),
    FIRED: Template("{cannon} fires at {target:unit}: kills {killed:number} for {cost:markers}"),
    DECLARED: Template("{unit} fights {targets:units}"),
}
TEMPLATES: Mapping[str, Template] = {
    **_ACTIONS,
    TURNED_ABOUT: Template("{unit} turns about to {place} B{bearing:cm}"),
    FIRST_SETTLED: Template("{side:first} is first: {how}"),
    HALFWAY: Template("phase 1 ends"),
    PHASE: Template("{phase}"),
    WAITING: Template("{side} chooses"),
    SHUFFLED: Template("{side} shuffles"),
    TURNED: Template("{side} turns {card}"),
    FOUGHT: Template("{unit} {mine:number} to {enemy:unit} {theirs:number}[ {flank}]: {losses}"),
    PARTED: Template("{units:parted} part"),
    BODIES_REMOVED: Template("{unit} bodies removed"),
    TAKEN_OFF: Template("{unit} taken off"),
    DRESSED: Template("{unit} closes up"),
    COMMANDER_CLEARED: Template("{commander} clear of {by:unit} at {place}"),
    HELD: Template("{objective} to {side}"),
    ENDED: Template("{result}"),
}
