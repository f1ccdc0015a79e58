"""A whole turn: actions, then artillery, then combats, in this order however they are written (CC-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.rulebooks.cards.actions import Resolution, gone, phase_one
from referee.rulebooks.cards.asking import Asking, Deciding, Unanswered
from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.choices import Choices
from referee.rulebooks.cards.decks import Deck, Decks
from referee.rulebooks.cards.fighting import (
    FOUGHT,
    combat_distance,
    fight,
    may_not_declare,
    may_not_fight,
    may_not_strike,
)
from referee.rulebooks.cards.figures import Unit, other_side
from referee.rulebooks.cards.firing import aimed_first, shoot
from referee.rulebooks.cards.measuring import faces
from referee.rulebooks.cards.moving import Refusal, refused
from referee.rulebooks.cards.orders import ALL, ANY, NEAR, Action, Choose, Fight, Fire, Guard
from referee.rulebooks.cards.preferences import Wishes
from referee.rulebooks.cards.victory import at_limit, end
from referee.rulebooks.rulebook import Happening, Seat

PHASE, HALFWAY, TURN = "phase", "halfway", "turn"


@dataclass(frozen=True)
class Played:
    """What a turn has brought. asked: the choice at which it stopped, None where it is over."""

    battle: Battle
    happenings: tuple[Happening, ...]
    asked: Asking | None = None


def play(
    battle: Battle,
    orders: Sequence[Action | Fire | Fight],
    decks: Decks,
    *,
    first: Seat,
    wishes: Mapping[Seat, Wishes] | None = None,
    answers: Sequence[Choose] = (),
    halfway: bool = False,
) -> Played:
    """Return what the active side's orders bring, until the other side's turn begins or the battle is over.

    halfway: it stops where phase 1 is over, and its second letter is waited for (E3); a battle that is in phase 2 goes
    on from there.

    orders: in the order of the letter, which counts only inside a phase (CC-2.1). first: who moved first in the battle.
    wishes: of both sides, as the turn begins. answers: to the questions that have come up in it so far, in their order.
    With more answers the same happens up to where it stopped. As soon as there is a result nothing more happens
    (CC-8.6).
    """
    resolution = Resolution(battle)
    choices = Deciding(wishes or {}, answers)
    try:
        carry_out(resolution, orders, decks, choices, first=first, halfway=halfway)
    except Unanswered as stopped:
        return Played(resolution.battle, tuple(resolution.happenings), stopped.asked)
    return Played(resolution.battle, tuple(resolution.happenings))


def carry_out(
    resolution: Resolution,
    orders: Sequence[Action | Fire | Fight],
    deck: Deck,
    choices: Choices,
    *,
    first: Seat,
    halfway: bool = False,
) -> None:
    """Let a turn, or the half of one, go on to its end; see `play`. What `deck` and `choices` raise stops it there.

    Every order that is come to is a step of the resolution: in each phase in the order of the letter.
    """
    if resolution.battle.phase == 1:
        phase_one(resolution, [order for order in orders if not isinstance(order, Fire | Fight)], choices)
    if not halfway:
        _fire_and_fight(resolution, orders, deck, first, choices)
    elif not resolution.over:
        resolution.begin("turn")
        resolution.take(stop_halfway(resolution.battle))


def _fire_and_fight(
    resolution: Resolution,
    orders: Sequence[Action | Fire | Fight],
    deck: Deck,
    first: Seat,
    choices: Choices,
) -> None:
    _phase(resolution, 2)
    for order in orders:
        if isinstance(order, Fire) and not resolution.over:
            resolution.begin(order)
            _fire(resolution, order, choices)
    _phase(resolution, 3)
    fights = [order for order in orders if isinstance(order, Fight)]
    for order in fights:
        if resolution.over:
            break
        resolution.begin(order)
        for id in fighters(resolution.battle, order, fights):
            if not resolution.over:
                _fight(resolution, id, order, deck, choices)
    if not resolution.over:
        resolution.begin("turn")
        resolution.take(end_turn(resolution.battle, first))


def _phase(resolution: Resolution, number: int) -> None:
    if not resolution.over:
        resolution.begin("turn")
        resolution.take(begin_phase(resolution.battle, number))


def begin_phase(battle: Battle, number: int) -> Outcome:
    """Begin a phase of the turn (CC-2.1)."""
    then = replace(battle, phase=number)
    return then, (happened(battle, then, PHASE, "CC-2.1", phase=number),)


def stop_halfway(battle: Battle) -> Outcome:
    """End phase 1 of a turn that takes two letters: shots and combats wait for the second one (E3)."""
    then = replace(battle, phase=2)
    return then, (happened(battle, then, HALFWAY, "CC-2.1", side=battle.active),)


def end_turn(battle: Battle, first: Seat) -> Outcome:
    """Pass the turn to the other side, or end the battle at its limit (CC-1.1, CC-8.11). first: who moved first."""
    if battle.active != first and (decision := at_limit(battle)):
        return end(battle, decision)
    after = other_side(battle.active)
    then = begin_turn(battle, after, battle.turn + (after == first))
    return then, (happened(battle, then, TURN, "CC-1.1", side=after, turn=then.turn),)


def begin_turn(battle: Battle, side: Seat, number: int) -> Battle:
    """Return a battle in which a side's turn begins: nobody has acted, fought or fired in it yet."""
    fresh = {
        unit.id: replace(
            unit,
            acted=False,
            fought=False,
            cannons=tuple(replace(cannon, fired=False) for cannon in unit.cannons),
        )
        for unit in battle.units.values()
    }
    return replace(battle, units=fresh, active=side, turn=number, phase=1)


# --- artillery


def _fire(resolution: Resolution, order: Fire, choices: Choices) -> None:
    battle = resolution.battle
    unit = battle.units.get(order.cannon.partition(".")[0])
    if unit is None:
        resolution.take(gone(battle, order.cannon, order.cannon))
        return
    shot = aimed_first(battle, order.cannon, order.targets)
    if isinstance(shot, Refusal):
        resolution.take(refused(battle, unit, shot))
    elif shot is not None:
        resolution.take(shoot(battle, shot, choices.shot(battle, shot)))


# --- combats


def fighters(battle: Battle, order: Fight, orders: Sequence[Fight]) -> Iterator[str]:
    """Yield whom an order speaks of; ALL are those whom none names, in the order of their ids."""
    if order.unit != ALL:
        yield order.unit
        return
    named = {each.unit for each in orders}
    for unit in battle.of(battle.active):
        if unit.id not in named and may_not_declare(unit) is None:
            yield unit.id


def _fight(resolution: Resolution, id: str, order: Fight, deck: Deck, choices: Choices) -> None:
    """A unit declares the first combat that is possible and that its guards let pass (A-63)."""
    unit = resolution.battle.units.get(id)
    if unit is None:
        if order.unit != ALL:
            resolution.take(gone(resolution.battle, id, id))
        return
    refusal = next((held for guard in order.guards if (held := _held(resolution, unit, guard))), None)
    refusals: list[Refusal] = [refusal] if refusal else []
    for targets, why_not in tried(resolution.battle, unit, order) if not refusal else ():
        if why_not is None:
            fight(resolution, id, targets, deck, choices)
            return
        refusals.append(why_not)
    # To ALL it is no news that some of them have nobody to fight.
    if order.unit != ALL and refusals:
        resolution.take(refused(resolution.battle, unit, refusals[0]))


def tried(battle: Battle, unit: Unit, order: Fight) -> Iterator[tuple[tuple[str, ...], Refusal | None]]:
    """Yield whom a unit is to fight by each group of its order, and why it may not; None where it may (A-63)."""
    for group in order.groups:
        targets = targets_of(battle, unit, group)
        if isinstance(targets, Refusal):
            yield (), targets
        else:
            why_not = may_not_fight(battle, unit.id, targets)
            yield targets, why_not or _no_flank(battle, unit, targets, order.guards)


def targets_of(battle: Battle, unit: Unit, group: Sequence[str]) -> tuple[str, ...] | Refusal:
    """Return the enemies that a group names, NEAR and ANY found on the table, or why there is none (E2)."""
    found: list[str] = []
    for target in group:
        if target not in (NEAR, ANY):
            found.append(target)
            continue
        legal = [
            enemy
            for enemy in battle.enemies(unit)
            if enemy.id not in (*group, *found)
            and (target == ANY or enemy.in_ranks)
            and may_not_strike(battle, unit, enemy.id) is None
        ]
        if not legal:
            return Refusal("no-target", "CC-7.1", {})
        found.append(min(legal, key=lambda enemy: combat_distance(unit, enemy)).id)
    return tuple(found)


def _held(resolution: Resolution, unit: Unit, guard: Guard) -> Refusal | None:
    """Return why a guard holds a unit back, whoever the enemy; None where it lets it pass."""
    match guard.kind:
        case "min":
            if len(unit.in_ranks) < guard.number:
                return Refusal("guard-min", "CC-2.2", {"min": guard.number, "ranks": len(unit.in_ranks)})
        case "won" | "lost":
            if how_it_went(resolution, guard.unit) != guard.kind:
                return Refusal(f"guard-{guard.kind}", "CC-2.2", {"other": guard.unit})
        case "flank":
            pass
    return None


def how_it_went(resolution: Resolution, id: str) -> str | None:
    """Return how a unit's combat went this turn: "won", "lost", or None for neither. Of several none may be lost."""
    winners = [
        told.facts["winner"]
        for told in resolution.happenings
        if told.code == FOUGHT and told.facts["unit"] == id
    ]
    if any(winner not in (id, None) for winner in winners):
        return "lost"
    return "won" if id in winners else None


def _no_flank(battle: Battle, unit: Unit, targets: Sequence[str], guards: Sequence[Guard]) -> Refusal | None:
    """Return that a win would not be one on flank or rear, where a guard asks for that (CC-7.25)."""
    if any(guard.kind == "flank" for guard in guards):
        for target in targets:
            enemy = battle.units[target]
            if enemy.mob or faces(enemy, unit):
                return Refusal("guard-flank", "CC-2.2", {"target": target})
    return None
