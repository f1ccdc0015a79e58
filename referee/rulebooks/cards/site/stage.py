"""Cards and Confusion on its page: what happened, step by step, from what all hear alone.

The table lies open, so there is one viewer: the observer. Players' confidential information is in nothing
that all hear, except the orders, which are published when the battle is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.rulebooks.branches import TAKEN_BACK, read_taken_back
from referee.rulebooks.cards.battle import CHANGES
from referee.rulebooks.cards.event_report import ReportedEvent, report_events
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.fold import fold_table
from referee.rulebooks.cards.happenings import FIRST_SETTLED, REVEALED, SHOWN, read_revealed
from referee.rulebooks.cards.position import Ordered as OrdersGiven
from referee.rulebooks.cards.position import Table
from referee.rulebooks.cards.site.frames import Watching
from referee.rulebooks.cards.site.table_map import land_of
from referee.rulebooks.cards.switches import Switches
from referee.rulebooks.cards.turn import PHASE, TURN
from referee.rulebooks.cards.victory import ENDED
from referee.rulebooks.rulebook import OBSERVER, Happening, Rulebook, heard_by_all
from referee.rulebooks.stages.battle import BattleStage, Chapter, Event, Frame, Ordered
from referee.rulebooks.stages.board import Back
from referee.rulebooks.stages.wording import Wording

_BEFORE = "Both sides set up, out of each other’s sight."
_ABOUT = ("unit", "enemy", "target", "commander", "fleeing", "by", "cannon")
"""Facts that name one thing that a happening is about."""


def stage(rulebook: Rulebook, happenings: Sequence[Happening], *, over: bool, words: Wording) -> BattleStage:
    """Return a battle. over: it has ended; otherwise the happenings are an observer's."""
    happenings = heard_by_all(happenings, rulebook.seats)
    standing = rulebook.rules.standing(happenings)
    tables = _tables(standing)
    last = tables[-1]
    shown = any(each.code == SHOWN for each in standing)
    watching = Watching(last.battle if shown else None, tables)
    told = _told(standing, last.battle.switches)
    sentences = iter(_sentences(rulebook, standing, [each for each in told if each is not None], words))
    writing = _Writing(watching, words)
    frames: list[Frame] = []
    for happening, event, table in zip(standing, told, tables, strict=True):
        writing.hear(happening, event, table, next(sentences) if event is not None else "")
        frames += [watching.frame(table)] * (writing.count - len(frames))
    if not frames:
        writing.begins_with(Event("start", _BEFORE))
        frames.append(watching.frame(last))
    published = standing[-1] if over and standing[-1].code == REVEALED else None
    return BattleStage(
        sides=(str(SIDES[0]), str(SIDES[1])),
        land=land_of(last.battle.ground, str(last.scenario["title"]), watching.titles),
        things=watching.things,
        markers=watching.markers,
        chapters=tuple(writing.chapters(read_revealed(published.facts) if published else ())),
        frames=tuple(frames),
        wished=_wished(published.facts) if published else (),
        backs=tuple(_backs(happenings)),
    )


def _tables(standing: Iterable[Happening]) -> list[Table]:
    """Return the table after each happening."""
    tables: list[Table] = []
    for happening in standing:
        tables.append(fold_table(tables[-1] if tables else None, happening))
    return tables


# --- events


def _told(standing: Sequence[Happening], switches: Switches) -> list[ReportedEvent | None]:
    """Return the told event of each happening, None for happenings without one."""
    found: list[ReportedEvent | None] = []
    part: list[Happening] = []
    for happening in standing:
        if happening.code == TURN:
            found += [*_told_in(part, switches), None]
            part = []
            continue
        part.append(happening)
        if happening.code == FIRST_SETTLED:
            found += _told_in(part, switches)
            part = []
    return found + _told_in(part, switches)


def _told_in(part: Sequence[Happening], switches: Switches) -> list[ReportedEvent | None]:
    """Return the same for the happenings of one turn: told events are in their order, and have their facts."""
    told = [*report_events(part, OBSERVER, switches)]
    found: list[ReportedEvent | None] = []
    for happening in part:
        facts = {name: value for name, value in happening.facts.items() if name != CHANGES}
        is_told = bool(told) and (told[0].code, told[0].facts) == (happening.code, facts)
        found.append(told.pop(0) if is_told else None)
    assert not told, "all that is told has happened"
    return found


def _sentences(
    rulebook: Rulebook, standing: Sequence[Happening], told: Sequence[ReportedEvent], words: Wording
) -> Sequence[str]:
    """Return the letters' sentence for each event, in English."""
    scene = rulebook.presentation.scene(rulebook.rules.view(standing, OBSERVER), standing, len(standing))
    said = words.part("said", told=told, scene=scene).splitlines()
    return said if told else ()


# --- the chapters


@dataclass
class _Draft:
    """A chapter being written."""

    turn: int = 0
    side: str = ""
    begins: Event | None = None
    rows: list[Event | str] = field(default_factory=list)


@dataclass
class _Writing:
    """Turns happenings into chapters, event by event. count: steps up to now."""

    watching: Watching
    words: Wording
    count: int = 0
    _drafts: list[_Draft] = field(default_factory=lambda: [_Draft()])

    def begins_with(self, event: Event) -> None:
        """Begin the present chapter with a step of its own."""
        self._drafts[-1].begins = event
        self.count += 1

    def hear(self, happening: Happening, told: ReportedEvent | None, table: Table, said: str) -> None:
        """Add a happening. told, said: its event and sentence. table: the table after it."""
        match happening.code:
            case c if c == SHOWN:
                self.begins_with(Event("start", said, (happening.rule,)))
            case c if c == TURN:
                self._turn(table)
            case c if c == PHASE and told is not None:
                self._drafts[-1].rows.append(said)
            case c if c == ENDED and table.battle.result is not None:
                self._row(Event("end", f"{self.words.result(table.battle.result)}.", _rules(told)))
            case c if told is not None:
                self._row(self._event(told, said))
        if happening.code == FIRST_SETTLED:
            self._turn(table)

    def _turn(self, table: Table) -> None:
        battle = table.battle
        side = str(battle.active)
        self._drafts.append(_Draft(battle.turn, side))
        self.begins_with(Event(f"{battle.turn}{side[0]}", f"Turn {battle.turn}, {side.capitalize()}."))

    def _row(self, event: Event) -> None:
        self._drafts[-1].rows.append(event)
        self.count += 1

    def _event(self, told: ReportedEvent, said: str) -> Event:
        draft = self._drafts[-1]
        number = sum(isinstance(row, Event) for row in draft.rows) + 1
        key = f"{draft.turn}{draft.side[0]}{number}" if draft.side else told.code
        facts = told.facts
        about = [str(facts[name]) for name in _ABOUT if facts.get(name)]
        about += [*facts.get("targets", ()), *facts.get("units", ())]
        shot = (str(facts["cannon"]), str(facts["target"])) if told.code == "fired" else None
        return Event(
            key,
            said,
            _rules(told),
            self.watching.line(*shot) if shot else None,
            self.watching.places(about),
        )

    def chapters(self, orders: Sequence[OrdersGiven]) -> Iterator[Chapter]:
        """Yield all chapters, each with its orders, where they are published."""
        given: dict[tuple[int, str], list[OrdersGiven]] = {}
        for each in orders:
            # A turn of two letters has orders twice.
            given.setdefault((each.turn, str(each.side)), []).append(each)
        for draft in self._drafts:
            own = given.get((draft.turn, draft.side), ())
            yield Chapter(
                draft.turn,
                draft.side,
                draft.begins,
                tuple(draft.rows),
                tuple(line for each in own for line in _lines(each)),
            )


def _rules(told: ReportedEvent | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(told.rules)) if told is not None else ()


def _lines(orders: OrdersGiven) -> Iterator[Ordered]:
    for text in orders.orders:
        yield Ordered(text, "plan" if text in orders.planned else "")
    for seat, text in orders.answers:
        yield Ordered(text, str(seat))


def _wished(published: Mapping[str, Mapping[str, Sequence[str]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((str(side), tuple(published["wishes"][side])) for side in SIDES)


def _backs(happenings: Iterable[Happening]) -> Iterator[Back]:
    for happening in happenings:
        if happening.code == TAKEN_BACK:
            back = read_taken_back(happening)
            yield Back(back.turn, str(back.seat), back.reason, ())
