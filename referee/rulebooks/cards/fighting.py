"""Combats: who may declare one, what cards and covers bring, who is killed and who is confused (CC-7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.rulebooks.cards.actions import Resolution
from referee.rulebooks.cards.battle import Battle, Outcome, happened
from referee.rulebooks.cards.casualties import Hit, Loss, choose_hit, hit
from referee.rulebooks.cards.choices import BY_THE_RULES, Choices
from referee.rulebooks.cards.decks import Deck, value
from referee.rulebooks.cards.engagements import bind
from referee.rulebooks.cards.figures import ARTILLERY, CAVALRY, Unit
from referee.rulebooks.cards.measuring import distance, distance_with_bodies, faces
from referee.rulebooks.cards.mobs import flee
from referee.rulebooks.cards.moving import Refusal, refused
from referee.rulebooks.cards.sight import STRONG, behind_wall, covers, in_woods, nearest_eye
from referee.rulebooks.cards.switches import EN
from referee.rulebooks.rulebook import Json, Seat

FOUGHT, DECLARED = "fought", "declared"
COVER_BONUS = 3
"""What a card of foot or artillery counts more in cover (CC-7.11)."""
FLANK_MORE = 4
"""How many more a win on flank or rear confuses (CC-7.25)."""
CAVALRY_MORE = 1
"""How many more a win by cavalry confuses (CC-7.24)."""
COURT_CARDS = 4
"""How many artillery confuses with a jack, queen or king (CC-7.21, CC-7.22)."""


# --- who may fight whom


def may_not_fight(battle: Battle, id: str, targets: Sequence[str]) -> Refusal | None:
    """Return why a unit may not declare a combat against these enemies together; None where it may."""
    unit = battle.units[id]
    if refusal := may_not_declare(unit):
        return refusal
    if len(targets) > 1 and battle.switches.enemies_per_combat == "one":
        return Refusal("one-enemy", "CC-7.5", {"targets": list(targets)})
    if len(set(targets)) < len(targets):
        return Refusal("same-enemy", "CC-7.6", {"targets": list(targets)})
    for target in targets:
        if refusal := may_not_strike(battle, unit, target):
            return refusal
    return None


def may_not_declare(unit: Unit) -> Refusal | None:
    """Return why a unit may declare no combat at all now (CC-7.4, CC-7.8)."""
    if unit.fought:
        return Refusal("fought", "CC-7.4")
    if not unit.in_ranks:
        return Refusal("none-in-ranks", "CC-7.8")
    return None


def may_not_strike(battle: Battle, unit: Unit, target: str) -> Refusal | None:
    """Return why a unit may not attack this enemy (CC-7.1 to CC-7.3, CC-7.7)."""
    if target in battle.commanders:
        return Refusal("commander", "CC-3.26", {"target": target})
    enemy = battle.units.get(target)
    if enemy is None:
        return Refusal("gone", "CC-7.28", {"target": target})
    if enemy.side == unit.side:
        return Refusal("friend", "CC-7.5", {"target": target})
    apart = combat_distance(unit, enemy)
    below = battle.switches.combat_below
    if apart >= below:
        rule = "CC-7.1" if below >= EN.combat_below else "CC-7.2"
        return Refusal("too-far", rule, {"target": target, "distance": apart, "below": below})
    if not faces(unit, enemy) and not faces(enemy, unit):
        return Refusal("neither-faces", "CC-7.3", {"target": target})
    if unit.arm == CAVALRY:
        eye = nearest_eye(unit, enemy)
        if behind_wall(battle.ground, enemy, eye):
            return Refusal("horse-at-wall", "CC-7.7", {"target": target})
        if in_woods(battle.ground, enemy):
            return Refusal("horse-in-woods", "CC-7.7", {"target": target})
    return None


def combat_distance(one: Unit, other: Unit) -> float:
    """Return the distance of two units for combat; between engaged ones the bodies count as well (A-91)."""
    return distance_with_bodies(one, other) if other.id in one.bound_to else distance(one, other)


# --- cards


def cover_bonus(battle: Battle, unit: Unit, enemy: Unit) -> int:
    """Return what a unit's card counts more against this enemy: covers do not add up (CC-7.11 to CC-7.13)."""
    if unit.arm == CAVALRY:
        return 0
    return COVER_BONUS if covers(battle.ground, unit, nearest_eye(enemy, unit)) & STRONG else 0


def confused_by_artillery(card: str, how: str) -> int:
    """Return how many artillery confuses that wins with this card: by the printed card (CC-7.21 to CC-7.23)."""
    number = value(card)
    if number > 10:
        return COURT_CARDS
    return (number + 1) // 2 if how == "half_up" else number


@dataclass(frozen=True, slots=True)
class Verdict:
    """What two cards bring. totals: of attacker and defender. winner: None for a tie. losses: what each suffers."""

    totals: tuple[int, int]
    bonuses: tuple[int, int]
    winner: str | None
    losses: tuple[Loss, ...]
    flank: bool = False


def judged(battle: Battle, attacker: str, defender: str, cards: tuple[str, str]) -> Verdict:
    """Return what the cards of attacker and defender bring, in the battle as it is before the combat."""
    one, other = battle.units[attacker], battle.units[defender]
    bonuses = cover_bonus(battle, one, other), cover_bonus(battle, other, one)
    totals = value(cards[0]) + bonuses[0], value(cards[1]) + bonuses[1]
    if totals[0] == totals[1]:
        return Verdict(totals, bonuses, None, (Loss(attacker, defender), Loss(defender, attacker)))
    won = totals[0] > totals[1]
    winner, loser, card = (one, other, cards[0]) if won else (other, one, cards[1])
    flank = not faces(loser, winner)
    count = (
        confused_by_artillery(card, battle.switches.artillery_confuses) if winner.arm == ARTILLERY else None
    )
    more = (CAVALRY_MORE if winner.arm == CAVALRY else 0) + (FLANK_MORE if flank else 0)
    return Verdict(totals, bonuses, winner.id, (Loss(loser.id, winner.id, count, more),), flank)


# --- a combat


def clash(
    battle: Battle,
    attacker: str,
    defender: str,
    cards: tuple[str, str],
    choices: Choices = BY_THE_RULES,
) -> Outcome:
    """Two units fight with the cards that were turned for them; from now on they are engaged (CC-7.10, CC-7.27)."""
    verdict = judged(battle, attacker, defender, cards)
    # Both choose on the position before the combat, also when each hits the other (CC-7.18).
    facts: dict[str, Json] = {
        "unit": attacker,
        "enemy": defender,
        "cards": list(cards),
        "bonuses": list(verdict.bonuses),
        "totals": list(verdict.totals),
        "winner": verdict.winner,
        "flank": verdict.flank,
    }
    hits = [choose_hit(battle, loss, choices.casualties(battle, loss, facts)) for loss in verdict.losses]
    then = bind(hit(battle, *hits), attacker, defender)
    rule = "CC-7.18" if verdict.winner is None else "CC-7.10"
    happening = happened(
        battle,
        then,
        FOUGHT,
        rule,
        **facts,
        losses=[_loss_facts(battle, loss, each) for loss, each in zip(verdict.losses, hits, strict=True)],
    )
    return then, (happening,)


def _loss_facts(battle: Battle, loss: Loss, suffered: Hit) -> dict[str, Json]:
    unit = battle.units[loss.unit]
    return {
        "unit": loss.unit,
        "killed": suffered.killed,
        "role": unit.man(suffered.killed).role,
        "confused": list(suffered.confused),
        "n": suffered.n,
        "by_card": loss.count,
        "more": loss.more,
    }


def fight(
    resolution: Resolution,
    id: str,
    targets: Sequence[str],
    deck: Deck,
    choices: Choices = BY_THE_RULES,
) -> None:
    """A unit declares a combat and fights it: mobs run from it, the others answer with a card each (CC-7, CC-4.12).

    targets: enemies taken on together, in the order in which it is settled (CC-7.6, A-62). A combat that is not
    possible is refused.
    """
    battle = resolution.battle
    if refusal := may_not_fight(battle, id, targets):
        resolution.take(refused(battle, battle.units[id], refusal))
        return
    declared = battle.with_units(replace(battle.units[id], fought=True))
    told = happened(battle, declared, DECLARED, "CC-7.4", unit=id, targets=list(targets))
    resolution.take((declared, (told,)))
    mobs = [target for target in targets if battle.units[target].mob]
    for mob in mobs:
        if not resolution.over:
            resolution.take(flee(resolution.battle, mob, id, choices.flight(resolution.battle, mob, id)))
    steady = [target for target in targets if target not in mobs]
    if not steady or resolution.over:
        return
    mine = _turn(resolution, deck, battle.units[id].side)
    theirs = {target: _turn(resolution, deck, battle.units[target].side) for target in steady}
    for target, card in theirs.items():
        if resolution.over or not _can_go_on(resolution.battle, id, target):
            return
        resolution.take(clash(resolution.battle, id, target, (mine, card), choices))


def _turn(resolution: Resolution, deck: Deck, side: Seat) -> str:
    told = deck.turn(resolution.battle, side)
    resolution.take(told)
    return str(told[1][-1].facts["card"])


def _can_go_on(battle: Battle, id: str, target: str) -> bool:
    """Return whether the next of several enemies can still be settled with: both have men in ranks (A-62, CC-7.8)."""
    both = battle.units.get(id), battle.units.get(target)
    return all(unit is not None and bool(unit.in_ranks) for unit in both)
