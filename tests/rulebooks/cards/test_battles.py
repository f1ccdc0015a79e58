"""Whole battles by lot, to their end, and what must hold after each event in them (E8), whatever is ordered."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
import shapely

from referee.common.chance import Chance
from referee.rulebooks.cards.asking import Asking, unfit
from referee.rulebooks.cards.battle import Battle, after, read_battle, write_battle
from referee.rulebooks.cards.checking import check_order
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.figures import ARTILLERY, GONE, SIDES, Unit
from referee.rulebooks.cards.measuring import distance
from referee.rulebooks.cards.moving import no_room
from referee.rulebooks.cards.notation import read_order
from referee.rulebooks.cards.orders import (
    Choice,
    Choose,
    Fight,
    Fire,
    Flight,
    Guard,
    Move,
    Order,
    Plan,
    Prefer,
    Wake,
)
from referee.rulebooks.cards.plans import NO_PLANS, Plans
from referee.rulebooks.cards.preferences import NO_WISHES
from referee.rulebooks.cards.tracks import overlap
from referee.rulebooks.cards.turn import Played, play
from referee.rulebooks.cards.victory import occupants
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Happening, Json, OrderLine, Seat
from tests.rulebooks.cards.battles import battle_by_lot, random_answer, random_orders, random_wish

pytestmark = pytest.mark.story

FOLLOWING = {"parted", "bodies-removed", "taken-off", "dressed", "commander-cleared", "held"}
"""What follows at once from an event, which is settled when all of it has happened."""


class Fought:
    """A battle by lot, played turn by turn, with all that is held against it."""

    def __init__(self, seed: int, *, each: int = 5, turn_limit: int = 6) -> None:
        self.split = seed % 3 == 1
        self.lot = random.Random(f"orders {seed}")
        self.battle = battle_by_lot(seed, each=each, turn_limit=turn_limit)
        self.decks = Decks(Chance(random.Random(seed).randbytes(32)))
        self.first = self.battle.active
        self.wishes = {side: NO_WISHES.with_wish(random_wish(self.battle, side, self.lot)) for side in SIDES}
        self.plans: dict[Seat, Plans] = dict.fromkeys(SIDES, NO_PLANS)
        self.seen: Counter[str] = Counter()

    def fight_out(self) -> Counter[str]:
        """Play to the end; return what happened, and by which rules."""
        while self.battle.result is None:
            self.one_turn()
        return self.seen

    def one_turn(self) -> None:
        before, side = self.battle, self.battle.active
        orders = random_orders(before, side, self.lot)
        for order in orders:
            _written_and_read(before, side, order)
            match order:
                case Prefer():
                    self.wishes[side] = self.wishes[side].with_wish(order)
                case Plan() | Wake():
                    self.plans[side] = self.plans[side].with_plan(order)
        direct = _doers(orders)
        busy = {*direct, *before.fallen}
        done = [each for each in orders if not isinstance(each, Prefer | Plan | Wake)]
        orders = [*done, *self.plans[side].orders(busy)]
        self.plans[side] = self.plans[side].after_turn(busy)
        happenings = self._by_two_letters(orders) if self.split else self._by_one_letter(orders)
        held_all(before, happenings)
        self.seen.update(each.code for each in happenings)
        self.seen.update(each.rule for each in happenings)
        assert self.battle.result is not None or self.battle.active != side

    def _by_one_letter(self, orders: list[Order]) -> tuple[Happening, ...]:
        played = self._played(orders)
        if played.happenings[-1].code == "turn" and self.lot.random() < 0.2:
            self._heard_alike(orders)
        self.battle = played.battle
        return played.happenings

    def _by_two_letters(self, orders: list[Order]) -> tuple[Happening, ...]:
        """Play a turn by two letters (E3): who wishes otherwise and orders anew between them fires and fights so."""
        side = self.battle.active
        first = self._played(orders, halfway=True)
        self.battle = first.battle
        assert not {"phase", "fired", "card", "fought", "turn"} & {each.code for each in first.happenings}
        if self.battle.result is not None:
            return first.happenings
        assert (first.happenings[-1].code, self.battle.phase, self.battle.active) == ("halfway", 2, side)
        if self.lot.random() < 0.3:
            self.wishes[side] = self.wishes[side].with_wish(random_wish(self.battle, side, self.lot))
        again = random_orders(self.battle, side, self.lot)
        second = self._played([each for each in again if isinstance(each, Fire | Fight)])
        self.battle = second.battle
        assert not {"moved", "formed", "rallied", "gunners-walked"} & {
            each.code for each in second.happenings
        }
        return first.happenings + second.happenings

    def _heard_alike(self, orders: list[Order]) -> None:
        """E7: orders and wishes that come to the same are heard alike by the other side, whatever they say."""
        side = self.battle.active
        other = {each for each in SIDES if each != side}
        silent = dict.fromkeys(SIDES, NO_WISHES)
        said = {**silent, side: silent[side].with_wish(Prefer("RI99", Choice("FAR"), flee=Flight("HOME")))}
        heard = [
            [
                each
                for each in play(
                    self.battle,
                    each_way,  # type: ignore[arg-type]
                    self.decks,
                    first=self.first,
                    wishes=wishes,
                ).happenings
                if other <= each.heard_by
            ]
            for each_way, wishes in ((orders, silent), ([*map(otherwise, orders)], said))
        ]
        assert heard[0] == heard[1]

    def _played(self, orders: list[Order], *, halfway: bool = False) -> Played:
        """Play a turn, answering its questions; each answer leads on from where it stopped (E4)."""
        answers: list[Choose] = []
        told: tuple[Happening, ...] = ()
        tried: list[tuple[int, Asking, Mapping[str, Json]]] = []
        while True:
            played = play(
                self.battle,
                orders,  # type: ignore[arg-type]
                self.decks,
                first=self.first,
                wishes=self.wishes,
                answers=answers,
                halfway=halfway,
            )
            assert played.happenings[: len(told)] == told
            if (asked := played.asked) is None:
                for before, question, effect in tried:
                    _as_tried(played.happenings[before:], question, effect)
                return played
            told = played.happenings
            assert json.loads(json.dumps(asked.plain())) == asked.plain()
            self.seen[f"asked {asked.what}"] += 1
            if self.lot.random() < 0.5:
                form, effect = self.lot.choice([*zip(asked.forms, asked.facts["trials"], strict=True)])
                tried.append((len(told), asked, effect))
                answers.append(read_order(OrderLine(1, form)))  # type: ignore[arg-type]
            else:
                answers.append(random_answer(asked, self.lot))
            assert unfit(asked.plain(), answers[-1]) is None or answers[-1] == Choose()


def otherwise(order: Order) -> Order:
    """Return an order that comes to the same: farther than one may go, more alternatives, a guard that always holds."""
    match order:
        case Move(_, _, cm, None) if cm is None or cm > 40:
            return replace(order, cm=99.0)
        case Fire(_, targets) if targets:
            return replace(order, targets=(*targets, targets[0]))
        case Fight(_, groups, guards):
            return replace(order, groups=(*groups, groups[0]), guards=(*guards, Guard("min", 1)))
    return order


def _as_tried(happenings: Sequence[Happening], asked: Asking, effect: Mapping[str, Json]) -> None:
    """See that an answer that was given as a form did what it was said to do (E4)."""
    codes = {"casualties": "fought", "shot": "fired", "flight": "fled", "rally": "rallied"}
    happening = next(each for each in happenings if each.code in (codes[asked.what], "mob-lost"))
    facts = happening.facts
    if asked.what == "casualties":
        facts = next(loss for loss in facts["losses"] if loss["unit"] == asked.facts["unit"])
        facts = {**facts, "confused": sorted(facts["confused"])}
    assert {name: facts[name] for name in effect} == effect


def _written_and_read(battle: Battle, side: Seat, order: Order) -> None:
    line = OrderLine(1, write_order(order))
    assert read_order(line) == order
    assert check_order(battle, side, order, line) is None


def _doers(orders: Iterable[Order]) -> set[str]:
    """Return who has an order for phase 1."""
    others = Fire | Fight | Prefer | Plan | Wake
    return {
        getattr(each, "unit", getattr(each, "commander", ""))
        for each in orders
        if not isinstance(each, others)
    }


# --- what must hold


def held_all(before: Battle, happenings: tuple[Happening, ...]) -> None:
    """Hold everything that must hold against the events of a turn (E8.1 to E8.8)."""
    pinned = {unit.id: unit for unit in before.of(before.active) if unit.mixed or unit.bound_to}
    there, path = before, [before]
    for happening in happenings:
        there = after(there, happening)
        path.append(there)
    for number, ((was, now), happening) in enumerate(zip(pairwise(path), happenings, strict=True)):
        _men(was, now)
        _cards(now)
        _markers(was, now, happening)
        _officers(now)
        _standing(now, happening)
        _holders(was, now, happening, happenings[:number])
        following = number + 1 < len(happenings) and happenings[number + 1].code in FOLLOWING
        if not following:
            _bodies(now)
        if happening.code == "phase" and happening.facts["phase"] == 2:
            _pinned(pinned, now)
    _apart(there)
    assert read_battle(write_battle(there)) == there
    assert json.loads(json.dumps(write_battle(there))) == write_battle(there)


def _everybody(battle: Battle) -> dict[str, Unit]:
    return {**battle.fallen, **battle.units}


def _men(was: Battle, now: Battle) -> None:
    """E8.1: nobody is lost or made, and nobody comes back from the dead."""
    assert set(_everybody(was)) == set(_everybody(now))
    for id, unit in _everybody(now).items():
        for old, new in zip(_everybody(was)[id].men, unit.men, strict=True):
            assert (old.number, old.role) == (new.number, new.role)
            assert old.living or not new.living
            assert old.place != GONE or new.place == GONE
    assert all(man.place == GONE for unit in now.fallen.values() for man in unit.men)


def _bodies(now: Battle) -> None:
    """E8.2: bodies lie in units that are bound to somebody alone; those on the table live (CC-7.28)."""
    for unit in now.units.values():
        assert unit.living
        assert unit.bound_to or not unit.bodies
        assert all(unit.id in now.units[id].bound_to for id in unit.bound_to)
        assert unit.in_ranks or not unit.bound_to


def _cards(now: Battle) -> None:
    """E8.3: no card twice, and 52 in all."""
    for cards in now.cards.values():
        assert cards.left + len(cards.discards) == 52
        assert len(set(cards.discards)) == len(cards.discards)


def _standing(now: Battle, happening: Happening) -> None:
    """E8.4: who has moved stands dry, clear of enemies, and on no friend."""
    if happening.code in ("moved", "formed", "dressed"):
        unit = now.units[happening.facts["unit"]]
        assert no_room(now, unit) is None
        assert not any(
            overlap(unit.formation.footprint, friend.formation.footprint) for friend in now.friends(unit)
        )
    if happening.code == "fled" and happening.rule == "CC-4.5":
        unit = now.units[happening.facts["unit"]]
        assert min((distance(unit, enemy) for enemy in now.enemies(unit)), default=15.0) >= 15.0


def _apart(now: Battle) -> None:
    """E8.4: no enemies nearer than 1.0, and nobody's living men off the dry ground."""
    for unit in now.units.values():
        for enemy in now.enemies(unit):
            assert distance(unit, enemy) >= 1.0
        assert shapely.covers(now.ground.footing, unit.formation.living_shape)


def _pinned(pinned: dict[str, Unit], now: Battle) -> None:
    """E8.5: who began the turn mixed or bound has not moved in phase 1, but for gunners who walk."""
    for id, was in pinned.items():
        unit = _everybody(now)[id]
        if was.arm != ARTILLERY:
            assert (unit.place, unit.files) == (was.place, was.files)


def _markers(was: Battle, now: Battle, happening: Happening) -> None:
    """E8.6: a shot spends one, two or three markers, nothing else spends any, and none is owed."""
    spent = _markers_in(was) - _markers_in(now)
    assert spent == (happening.facts["cost"] if happening.code == "fired" else 0)
    assert happening.code != "fired" or spent in (1, 2, 3)
    assert min(now.markers.values(), default=0) >= 0
    assert all(cannon.markers >= 0 for unit in _everybody(now).values() for cannon in unit.cannons)


def _markers_in(battle: Battle) -> int:
    own = sum(cannon.markers for unit in _everybody(battle).values() for cannon in unit.cannons)
    return own + sum(battle.markers.values())


def _officers(now: Battle) -> None:
    """E8.7: where officers go last, none is dead while an ordinary man of his unit lives (CC-7.19)."""
    for unit in now.units.values() if now.switches.officers_last else ():
        dead = any(man.role != "o" and not man.living for man in unit.men)
        assert not dead or not any(man.role == "o" for man in unit.living)


def _holders(was: Battle, now: Battle, happening: Happening, before: tuple[Happening, ...]) -> None:
    """E8.8: an objective changes hands only to a side that has a man in ranks inside, or has passed through."""
    if was.holders == now.holders:
        return
    assert happening.code == "held"
    objective = now.ground.objective(happening.facts["objective"])
    inside = happening.facts["side"] in occupants(now, objective)
    last = next(each for each in reversed(before) if each.code not in {*FOLLOWING, "as-ordered"})
    assert inside or objective.id in last.facts["through"]
    assert inside == (happening.rule == "CC-8.2")


# --- battles


def fight_out(seeds: Iterable[int], **how: int) -> Counter[str]:
    return sum((Fought(seed, **how).fight_out() for seed in seeds), Counter[str]())


@pytest.mark.parametrize("block", range(5))
def test_e8_battles_by_lot_to_their_end(block: int) -> None:
    """E8.1 to E8.8, in both editions and in games that mix them."""
    seen = fight_out(range(block * 4, block * 4 + 4), each=4, turn_limit=4)
    assert {"moved", "turn", "phase", "ended"} <= set(seen)


@pytest.mark.full
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("block", range(20))
def test_e8_a_thousand_battles(block: int) -> None:
    """E8.1 to E8.8."""
    seen = fight_out(range(1000 + block * 50, 1050 + block * 50), each=6, turn_limit=8)
    codes = {
        "moved",
        "formed",
        "rallied",
        "fled",
        "mob-lost",
        "fired",
        "fought",
        "parted",
        "taken-off",
        "held",
    }
    assert codes <= set(seen)
    assert {"asked casualties", "asked flight", "asked rally"} <= set(seen)
