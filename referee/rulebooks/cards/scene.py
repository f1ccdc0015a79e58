"""What the templates of a letter show of a view: what happened, the armies, objectives, cards and the map, and what the
reader has told the referee alone (E6). Plain values, no prose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.rulebooks.branches import TAKEN_BACK
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.event_report import Section, sections
from referee.rulebooks.cards.examples import examples, set_up_examples
from referee.rulebooks.cards.figures import SIDES, other_side
from referee.rulebooks.cards.fold import COURSE, own_after
from referee.rulebooks.cards.grammar import FORMS
from referee.rulebooks.cards.happenings import (
    CHECKED,
    CLEARED,
    DRAFTED,
    ORDERED,
    SHOWN,
    STATIONED,
    WISHED,
    read_ordered,
)
from referee.rulebooks.cards.position import NOTHING_SAID, Ordered, View
from referee.rulebooks.cards.preview import OrderText, Rehearsed, rehearsed
from referee.rulebooks.cards.rehearsal import rehearse_draft
from referee.rulebooks.cards.report import (
    CommanderRow,
    DeckRow,
    ObjectiveRow,
    UnitRow,
    commander_rows,
    deck_rows,
    objective_rows,
    unit_rows,
)
from referee.rulebooks.cards.setting_up import SetUp, set_up
from referee.rulebooks.cards.switches import Switches
from referee.rulebooks.cards.text_map import text_map
from referee.rulebooks.cards.writing import write_orders
from referee.rulebooks.rulebook import OBSERVER, Happening, Json, Result, Seat

CONFIDED = frozenset((DRAFTED, CLEARED, CHECKED, WISHED, STATIONED))
"""What the reader has told the referee alone."""


@dataclass(frozen=True, slots=True)
class Army:
    """One side as a report tables it. held: how many objectives it holds. markers: those that its guns share."""

    side: Seat
    units: tuple[UnitRow, ...]
    commanders: tuple[CommanderRow, ...]
    held: tuple[str, ...]
    markers: int | None


@dataclass(frozen=True, slots=True)
class Mine:
    """What the reader has told the referee alone.

    draft: lines of the coming turn. rehearsed: what they would bring, where he has drafted something or asked since the
    last letter. placed: his set-up is in. wishes, plans: those that stand. carried: orders of his that were carried out
    since the last letter. dropped: what he had drafted and has let go by with his turn since then. asked: the choice
    that he owes. told: what he has confided since then, by its code.
    """

    draft: tuple[OrderText, ...] = ()
    rehearsed: Rehearsed | None = None
    placed: bool = False
    wishes: tuple[OrderText, ...] = ()
    plans: tuple[OrderText, ...] = ()
    show: tuple[str, ...] = ()
    carried: tuple[Ordered, ...] = ()
    dropped: tuple[str, ...] = ()
    asked: Mapping[str, Json] | None = None
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A view as a letter shows it to its reader.

    seat: his, OBSERVER for who watches; side: whose army comes first. to_move: whose turn it is, None before the first
    and after the last. waits: the side whose choice the turn waits for. news: what happened and no earlier letter told.
    split: each turn takes two letters; halfway: the second one is due.
    begun: among the news is that both set-ups were shown. log: the orders of all turns, after the end.
    """

    seat: Seat
    side: Seat
    opponent: Seat
    first: Seat | None
    to_move: Seat | None
    turn: int
    turn_limit: int
    setting_up: bool
    waits: Seat | None
    result: Result | None
    news: tuple[Section, ...]
    begun: bool
    armies: tuple[Army, ...]
    objectives: tuple[ObjectiveRow, ...]
    decks: tuple[DeckRow, ...]
    map: tuple[str, ...]
    switches: Switches
    scenario: Mapping[str, Json]
    size: tuple[float, float]
    homeward: float
    examples: tuple[str, ...]
    own: Mine | None = None
    log: tuple[Ordered, ...] = ()
    split: bool = False
    halfway: bool = False
    knowledge: None = None
    """In games of deduction, what a side can know: there is nothing of the kind here."""
    just_sealed: bool = False

    @property
    def observed(self) -> bool:
        """Whether its reader only watches."""
        return self.seat == OBSERVER

    @property
    def army(self) -> Army:
        """The army that comes first: the reader's own."""
        return self.armies[0]

    @property
    def enemy(self) -> Army:
        return self.armies[1]

    @property
    def second_line(self) -> str:
        """What is written below the first line of an answer, so that it can be sent as it stands."""
        return ""

    @property
    def further_words(self) -> tuple[str, ...]:
        """Words that help in a turn, beside those of every game."""
        return () if self.setting_up else ("why", "preview")

    @property
    def several_lines(self) -> bool:
        """Whether an answer is of several orders: not where a choice is owed, or all that is due is drafted."""
        return self.own is not None and self.own.asked is None and not self.own.draft

    def against(self, seat: Seat) -> Seat:
        """Return the opponent of a side."""
        return other_side(seat)


@dataclass(frozen=True, slots=True)
class Guide:
    """What the help page shows beside its own words. forms: every kind of order, with an example."""

    forms: Mapping[str, str] = field(default_factory=dict)


def make_guide() -> Guide:
    """Return what the help page shows."""
    return Guide(FORMS)


def make_scene(view: View, heard: Sequence[Happening], told: int) -> Scene:
    """Return what a letter shows. heard: all the seat heard, of which the first `told` are no news."""
    table, battle = view.table, view.battle
    side = SIDES[0] if view.observed else view.seat
    standing = COURSE.standing(heard)
    news_from = _news_from(heard, told)
    news = standing[news_from:]
    playing = table.stage == "playing" and battle.result is None
    seen = as_seen(view)
    return Scene(
        seat=view.seat,
        side=side,
        opponent=other_side(side),
        first=table.first,
        to_move=battle.active if playing else None,
        turn=battle.turn,
        turn_limit=battle.turn_limit,
        setting_up=table.stage == "set-up",
        waits=table.chooser if playing else None,
        result=battle.result,
        news=sections(standing, news_from, view.seat, battle.switches),
        begun=any(each.code == SHOWN for each in news),
        armies=tuple(_army(battle if each != side else seen, each) for each in (side, other_side(side))),
        objectives=objective_rows(battle),
        decks=deck_rows(battle),
        map=tuple(text_map(seen).splitlines()),
        switches=battle.switches,
        scenario=table.scenario,
        size=(battle.ground.width, battle.ground.height),
        homeward=battle.ground.homeward(side),
        examples=_examples(view),
        own=None if view.observed else _mine(view, standing, news_from),
        log=view.log,
        split=table.split,
        halfway=table.halfway,
    )


def _news_from(heard: Sequence[Happening], told: int) -> int:
    """Return from which place on what stands is news: all from where the game was last taken back to, if it was."""
    backs = (place for place, each in enumerate(heard[told:], told + 1) if each.code == TAKEN_BACK)
    return min(len(COURSE.standing(heard[:until])) for until in (told, *backs))


def as_seen(view: View) -> Battle:
    """Return the battle as it may be shown. While both set up, nobody sees anything of the other's army (CC-1.13), and
    one's own stands where it was ordered to, as far as that can be; who watches sees neither."""
    battle = view.battle
    if view.table.stage != "set-up":
        return battle
    mine = {unit.id: unit for unit in battle.of(view.seat)}
    commanders = {id: each for id, each in battle.commanders.items() if each.side == view.seat}
    standing = set_up(battle, view.seat, view.own.placed)
    if isinstance(standing, SetUp):
        mine, commanders = {**standing.units}, {**standing.commanders}
    return replace(battle, units=mine, commanders=commanders)


def _army(battle: Battle, side: Seat) -> Army:
    held = tuple(each.id for each in battle.ground.objectives if battle.holders.get(each.id) == side)
    return Army(side, unit_rows(battle, side), commander_rows(battle, side), held, battle.markers.get(side))


def _examples(view: View) -> tuple[str, ...]:
    if not view.is_due:
        return ()
    if view.table.stage == "set-up":
        return set_up_examples(view.battle, view.seat)
    if view.own.asked is not None:
        return tuple(view.own.asked["forms"])
    return examples(view.battle, view.seat, split=view.table.split)


def _mine(view: View, standing: Sequence[Happening], news_from: int) -> Mine:
    own, news = view.own, standing[news_from:]
    told = tuple(each.code for each in news if each.code in CONFIDED)
    playing = view.table.stage == "playing"
    # What a draft would bring is worked out where it has changed, or was asked for.
    wanted = playing and own.draft and any(code in (DRAFTED, CLEARED, CHECKED) for code in told)
    return Mine(
        draft=tuple(map(OrderText, own.draft)),
        rehearsed=rehearsed(view, rehearse_draft(view)) if wanted else None,
        placed=own.stations is not None,
        wishes=tuple(map(OrderText, own.wishes.given())),
        plans=tuple(map(OrderText, own.plans.given())),
        show=own.show,
        carried=tuple(read_ordered(each.facts) for each in news if each.code == ORDERED),
        dropped=_dropped(standing, news_from),
        asked=own.asked,
        told=told,
    )


def _dropped(standing: Sequence[Happening], news_from: int) -> tuple[str, ...]:
    """Return the drafted lines that a seat has let go by with its turn or set-up, as far as that is news to it."""
    own = NOTHING_SAID
    found: list[str] = []
    for place, happening in enumerate(standing):
        after = own_after(own, happening)
        if place >= news_from and happening.code in (ORDERED, STATIONED):
            kept = {*write_orders(after.draft), *happening.facts["orders"]}
            found += [line for line in write_orders(own.draft) if line not in kept]
        own = after
    return tuple(found)
