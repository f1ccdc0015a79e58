"""Battles on the site: what their pages play is what the rules say, and nothing that is anybody's alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from referee.archive.site.page_data import Entry, Person, ShownGame
from referee.archive.site.pages import Pages, Site
from referee.archive.site.stagers import stage_of
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.cards.adjudicate import conclude
from referee.rulebooks.cards.figures import BLUE, GONE, RED, SIDES
from referee.rulebooks.cards.fold import fold_table
from referee.rulebooks.cards.marks import Box
from referee.rulebooks.cards.position import Table
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.rulebook import Happening, Result, Rulebook, heard_by_all
from referee.rulebooks.stages.battle import OFF, BattleStage, Event, Frame, Look, Stood, type_for
from referee.service.tournaments import TournamentService
from tests.archive.site.made_up import published
from tests.rulebooks.cards.games import Play, random_game
from tests.support.playing import Club, new_database
from tests.support.telling import telling
from tests.transcripts import stories_of_cards

CARDS = find_rulebook("cards")
SCENARIOS = ("cc-skirmish", "cc-standard", "cc-guns")
BOUND = 80_000
"""Bytes of the page of a battle of ten turns."""


def stage(rulebook: Rulebook, happenings: Sequence[Happening], *, over: bool) -> BattleStage:
    """Return a battle as its page plays it."""
    found = stage_of(rulebook, happenings, over=over)
    assert isinstance(found, BattleStage)
    return found


@cache
def finished(
    seed: int, scenario: str = "cc-skirmish", turns: int = 8, edition: str = "en", split: str = "off"
) -> Sequence[Happening]:
    """Return what happens in a game by lot, agreed to be a draw where it has no end."""
    play = random_game(seed, {"scenario": scenario, "edition": edition, "split": split}, turns)
    return [*play.happenings, *conclude(play.position, Result(None, "by agreement"))]


def shown(told: BattleStage, result: Result | None = None) -> bytes:
    """Return the page of a battle."""
    people = (Person("red", "Anna", 1), Person("blue", "Bert", 2))
    begun = datetime(2026, 11, 1, tzinfo=UTC)
    entry = Entry(
        1, "cards", CARDS.title, people, begun, begun if result else None, None, result, None if result else 1
    )
    return Pages(Site("Referee")).game(ShownGame(entry, told, ()))


def played_by(page: bytes) -> Any:
    """Return what the script of a battle's page plays."""
    (block,) = re.findall(rb'<script type="application/json" id="battle">(.*?)</script>', page)
    return json.loads(block)


# what the pages play is what the rules say


def seen(told: BattleStage, frame: Frame) -> Any:
    """Return what a frame shows, by ids: where all stand, how many men are what, who holds what, what was turned."""
    things = {
        thing.id: (stood.x, stood.y, stood.bearing, *map(stood.look.states.count, "rck"))
        for thing, stood in zip(told.things, frame.things, strict=True)
        if stood is not None
    }
    held = dict(zip((each.id for each in told.land.objectives), frame.holders, strict=True))
    return things, held, frame.turned, frame.left, dict(zip(told.markers, frame.markers, strict=True))


def lies(table: Table, names: Sequence[str]) -> Any:
    """Return the same of a table by the rules."""
    battle = table.battle
    south = battle.ground.height

    def at(x: float, y: float) -> tuple[int, int]:
        return int(x * 10 + 0.500001), int((south - y) * 10 + 0.500001)

    things: dict[str, tuple[Any, ...]] = {}
    for unit in (*battle.units.values(), *battle.fallen.values()):
        for index, gun in enumerate(unit.cannons):
            place = unit.battery.cannon_place(index)
            things[gun.id] = (*at(place.x, place.y), place.bearing, 0, 0, 0)
        if unit.id in battle.units:
            counts = len(unit.in_ranks), len(unit.confused), len(unit.bodies)
            things[unit.id] = (*at(unit.x, unit.y), unit.bearing, *counts)
    for each in battle.commanders.values():
        things[each.id] = (*at(each.x, each.y), 0, 0, 0, 0)
    held = {each.id: str(battle.holders.get(each.id, "")) for each in battle.ground.objectives}
    cards = (
        tuple(battle.cards[side].discards for side in SIDES),
        tuple(battle.cards[side].left for side in SIDES),
    )
    own = {
        gun.id: gun.markers
        for unit in (*battle.units.values(), *battle.fallen.values())
        for gun in unit.cannons
    }
    shared = {str(side): battle.markers.get(side, 0) for side in SIDES}
    return things, held, *cards, {name: {**own, **shared}[name] for name in names}


def frames_against_tables(happenings: Sequence[Happening]) -> BattleStage:
    """Hold every step against how the table lies by the rules then, from the set-up to the end."""
    told = stage(CARDS, happenings, over=True)
    assert len(told.steps) == len(told.frames)
    tables: list[Table] = []
    began: dict[str, Table] = {}
    for happening in CARDS.rules.standing(happenings):
        tables.append(fold_table(tables[-1] if tables else None, happening))
        if happening.code in ("turn", "first"):
            battle = tables[-1].battle
            began[f"{battle.turn}{battle.active[0]}"] = tables[-1]
    place = next(number for number, table in enumerate(tables) if table.stage == "playing") - 1
    for event, frame in zip(told.steps, told.frames, strict=True):
        wanted = seen(told, frame)
        if event.key in began:
            assert wanted == lies(began.pop(event.key), told.markers)
        while lies(tables[place], told.markers) != wanted:
            place += 1
    assert not began, "every turn has a step that shows how it began"
    assert seen(told, told.frames[-1]) == lies(tables[-1], told.markers)
    return told


@pytest.mark.story
@pytest.mark.parametrize(
    ("seed", "scenario"),
    telling(
        [(0, "cc-skirmish"), (1, "cc-standard")],
        others=[(seed, SCENARIOS[seed % 3]) for seed in range(2, 12)],
    ),
)
def test_every_step_shows_the_table_as_the_rules_have_it(seed: int, scenario: str) -> None:
    told = frames_against_tables(finished(seed, scenario, 10, ("en", "fr")[seed % 2]))
    keys = [event.key for event in told.steps]
    assert len({*keys}) == len(keys) and keys[0] == "start" and keys[-1] == "end"
    assert all(re.fullmatch(r"CC-\d+\.\d+", rule) for event in told.steps for rule in event.rules)
    assert all(event.said.endswith(".") and "\n" not in event.said for event in told.steps)


@pytest.mark.telling(seed=[0])
@pytest.mark.parametrize("seed", range(2))
def test_a_turn_of_two_letters_is_one_chapter_with_the_orders_of_both(seed: int) -> None:
    """E3.4: while the second one is waited for, the page says so; later it does not."""
    happenings = finished(seed, turns=6, split="on")
    told = frames_against_tables(happenings)
    revealed = happenings[-1].facts["orders"]
    ordered: dict[tuple[int, str], list[str]] = {}
    for turn, side, orders, *_ in revealed:
        ordered.setdefault((turn, side), []).extend(orders)
    assert any(len([each for each in revealed if tuple(each[:2]) == key]) == 2 for key in ordered)
    given = {
        (each.turn, each.side): [line.text for line in each.orders if line.by in ("", "plan")]
        for each in told.chapters
        if each.side
    }
    assert {key: lines for key, lines in given.items() if lines} == {
        key: lines for key, lines in ordered.items() if lines
    }
    halfway = next(place for place, each in enumerate(happenings, 1) if each.code == "halfway")
    said = [event.said for event in stage(CARDS, happenings[:halfway], over=False).steps]
    assert "the next letter of" in said[-1]
    assert not any("the next letter of" in event.said for event in told.steps)


STORIES = [stories_of_cards.a_battle_by_the_english_rules, stories_of_cards.a_battle_by_the_french_rules]


@pytest.mark.story
@pytest.mark.parametrize(
    "story",
    telling(
        [stories_of_cards.a_battle_by_the_english_rules],
        others=[stories_of_cards.a_battle_by_the_french_rules],
    ),
    ids=lambda story: story.__name__,
)
def test_a_battle_by_letter_is_played_on_its_page(club: Club, tmp_path: Path, story: Any) -> None:
    """With the orders that were published, sentences as letters have them, and in no more bytes than that."""
    story(club)
    told = frames_against_tables(club.game(1).happenings)
    published(club, tmp_path / "site")
    page = (tmp_path / "site" / "games" / "1.html").read_bytes()
    assert len(page) < BOUND, len(page)
    revealed = club.game(1).happenings[-1].facts["orders"]
    given = {
        (each.turn, each.side): [line.text for line in each.orders] for each in told.chapters if each.side
    }
    assert {key: lines for key, lines in given.items() if lines} == {
        (turn, side): orders for turn, side, orders, *_ in revealed if orders
    }
    letters = " ".join(" ".join(letter.text.split()) for letter in club.letters)
    assert sum(event.said in letters for event in told.steps) > len(told.steps) / 2
    text = page.decode()
    for event in told.steps[:-1]:
        assert event.said in text.replace("&#39;", "'") or event.key in ("1r", "1b") or "Turn" in event.said


@pytest.mark.slow
@pytest.mark.parametrize("seed", telling([0], others=range(1, 3)))
def test_the_page_of_ten_turns_is_no_larger_than_it_may_be(seed: int) -> None:
    told = stage(CARDS, finished(seed, "cc-standard", turns=10), over=True)
    assert len(shown(told, Result(None, "by agreement"))) < BOUND


def from_plain(plain: Any) -> list[Any]:
    """Return the frames that a page's script comes to when it goes through all steps."""
    things: list[Any] = [None] * len(plain["things"])
    found: list[Any] = []
    said: dict[str, Any] = {"e": []}
    for step in plain["steps"]:
        for place, *stood in step.get("t", ()):
            things[place] = None
            if stood:
                x, y, bearing, look, *tag = stood
                layout, states, *front = plain["looks"][look]
                numbers = [*map(int, plain["layouts"][layout].split())]
                men = tuple(zip(numbers[::2], numbers[1::2], strict=True))
                looks: Any = Look(men, states, tuple(front) or None)
                things[place] = Stood(x, y, bearing, looks, tuple(tag) or None)
        said |= {name: step[name] for name in "hcme" if name in step}
        cards = [tuple(cards.split()) for _, cards in said["c"]]
        found.append(
            Frame(
                tuple(things),
                tuple(said["h"]),
                (cards[0], cards[1]),
                (said["c"][0][0], said["c"][1][0]),
                tuple(said["m"]),
                tuple(map(tuple, said["e"])),
            )
        )
    return found


@pytest.mark.parametrize("seed", telling([1], others=[4]))
def test_what_a_page_says_of_each_step_adds_up_to_all_that_lies_open(seed: int) -> None:
    told = stage(CARDS, finished(seed), over=True)
    assert from_plain(json.loads(json.dumps(told.plain()))) == list(told.frames)


def test_a_battle_that_was_taken_back_shows_what_stands_and_says_so() -> None:
    play = Play()
    play.begin()
    side = play.position.battle.active
    play.turn(f"MV {side[0].upper()}I1 A10")
    play.turn()
    back = taken_back(Return(1, side, "misread"), frozenset(SIDES))
    told = stage(CARDS, [*play.happenings, back], over=False)
    assert told.steps[-1].key == f"1{side[0]}"
    assert [(each.turn, each.seat, each.reason) for each in told.backs] == [(1, side, "misread")]
    assert "misread" in shown(told).decode()


@pytest.mark.story
def test_the_last_man_of_a_unit_may_fall() -> None:
    """Between his fall and the unit's leaving the table it has neither men nor bodies, and is engaged perhaps."""
    happenings = finished(7, "cc-guns", 10)
    assert any(each.code == "taken-off" for each in happenings), "another seed is wanted"
    frames_against_tables(happenings)


# games that are being played


@pytest.mark.slow
def test_of_a_battle_that_is_being_played_there_is_only_what_all_have_heard() -> None:
    """Drafts, wishes, plans, set-ups and orders leave no trace; nor does an army before both are shown."""
    play = random_game(3, turns=4)
    heard = heard_by_all(play.happenings, SIDES)
    told = stage(CARDS, play.happenings, over=False)
    assert told == stage(CARDS, heard, over=False)
    assert not told.wished and not any(chapter.orders for chapter in told.chapters)
    confided = {
        line
        for each in play.happenings
        if not each.heard_by >= frozenset(SIDES)
        for line in (each.facts.get("order"), *each.facts.get("orders", ()))
        if isinstance(line, str)
    }
    page = shown(told).decode()
    assert len(confided) > 5 and not [line for line in confided if line in page.replace("&gt;", ">")]


def test_nobody_is_seen_before_both_have_set_up() -> None:
    play = Play({"edition": "en"})
    play.say(RED, "AT RI1 95,22 B345 W6", "CARRY OUT")
    told = stage(CARDS, play.happenings, over=False)
    assert [event.key for event in told.steps] == ["start"] and not told.things
    page = shown(told).decode()
    assert "RI1" not in page and "out of each other" in page
    ended = stage(
        CARDS, [*play.happenings, *conclude(play.position, Result(BLUE, "by resignation"))], over=True
    )
    assert ended.steps[-1].said == "Blue wins, by resignation." and "RI1" not in shown(ended).decode()


def test_an_event_that_lets_others_watch_shows_its_battles_late(club: Club, tmp_path: Path) -> None:
    TournamentService(club.store, club.service, club.clock).make(
        Competition("Open Cup", ("cards",), watchers="1")
    )
    anna, bert, game = stories_of_cards.anna_and_bert(club, event="Open Cup")
    turns = [
        (anna, "MV RI1 A20; PR RI1 ASK; carry out"),
        (bert, "MV BI1 A20; carry out"),
        (anna, "MV RC1 A33; carry out"),
        (bert, "MV BC1 A31; carry out"),
    ]
    stories_of_cards.rounds(game, *turns)
    bert.replies("MV BI2 A17", to=bert.last_about(game))
    assert published(club, tmp_path / "site").playing == 1
    page = (tmp_path / "site" / "games" / f"{game}.html").read_bytes()
    text = page.decode()
    assert "shown 1 turn late" in text and "BI1 advances 20.0" in text
    assert "RC1 advances" not in text and "33.0" not in text and "MV " not in text and "ASK" not in text
    assert [path.name for path in (tmp_path / "site" / "games").iterdir()] == [f"{game}.html"]
    steps = played_by(page)["steps"]
    assert len(steps) == text.count("<li><a id=") + text.count('<a class="turn"')


@pytest.mark.story
def test_two_truths_that_nobody_can_tell_apart_give_the_same_page(tmp_path: Path) -> None:
    """Byte for byte, though in one of them plans, wishes and a draft were confided."""
    pages = []
    for number, lines in enumerate(((), ("PR RI2 ASK", "PLAN RI2: MV RI2 A20", "MV RI2 A15", "check"))):
        club = Club(new_database(tmp_path, f"truth-{number}"))
        TournamentService(club.store, club.service, club.clock).make(
            Competition("Open Cup", ("cards",), watchers="1")
        )
        anna, bert, game = stories_of_cards.anna_and_bert(club, event="Open Cup")
        stories_of_cards.rounds(game, (anna, "MV RI1 A20; carry out"), (bert, "MV BI1 A20; carry out"))
        if lines:
            anna.replies(*lines, to=anna.last_about(game))
        published(club, tmp_path / f"site-{number}")
        club.close()
        pages.append((tmp_path / f"site-{number}" / "games" / f"{game}.html").read_bytes())
    assert pages[0] == pages[1]


def test_nothing_that_a_scenario_is_called_breaks_out_of_the_page() -> None:
    told = stage(CARDS, finished(1), over=True)
    hostile = "</script><script>x()</script>"
    land = replace(
        told.land,
        title=hostile,
        objectives=tuple(replace(each, name=hostile) for each in told.land.objectives),
    )
    chapters = (replace(told.chapters[0], rows=(Event("x", hostile),)), *told.chapters[1:])
    steps = sum(1 for chapter in chapters for _ in chapter.events())
    page = shown(
        replace(told, land=land, chapters=chapters, frames=told.frames[:steps]), Result(None, "by agreement")
    )
    assert b"<script>x" not in page and page.count(b"</script>") == 2


@pytest.mark.story
def test_men_who_are_gone_are_drawn_nowhere() -> None:
    happenings = finished(7, "cc-guns", 10)
    told = stage(CARDS, happenings, over=True)
    table: Table | None = None
    for happening in CARDS.rules.standing(happenings):
        table = fold_table(table, happening)
    assert table is not None
    for thing, stood in zip(told.things, told.frames[-1].things, strict=True):
        if thing.kind == "unit" and stood is not None:
            unit = table.battle.units[thing.id]
            assert len(stood.look.men) == sum(man.place != GONE for man in unit.men)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "seed"),
    telling(
        [(each, 0) for each in SCENARIOS], others=[(each, seed) for seed in range(1, 6) for each in SCENARIOS]
    ),
)
def test_no_name_on_the_map_lies_on_another_one(scenario: str, seed: int) -> None:
    """Reckoned as for a telephone, where names are largest: neither where all have set up in a row, nor in a crowd."""
    told = stage(CARDS, finished(seed, scenario, 10), over=True)
    letters = type_for(told.land.width)
    table = Box(0, 0, told.land.width, told.land.height)
    for frame in told.frames:
        boxes: dict[str, Box] = {}
        for thing, stood in zip(told.things, frame.things, strict=True):
            assert (stood is not None and stood.tag is not None) == (
                stood is not None and thing.kind != "gun"
            )
            if stood is not None and stood.tag is not None:
                x, y, beside = stood.tag
                side = beside.removesuffix(f" {OFF}")
                wide, high = 0.78 * letters.size * len(thing.id), 0.8 * letters.size
                left = {"n": x - wide / 2, "s": x - wide / 2, "e": x, "w": x - wide}[side]
                top = {"n": y - high, "s": y, "e": y - high / 2, "w": y - high / 2}[side]
                boxes[thing.id] = Box(left, top, left + wide, top + high)
                assert boxes[thing.id].shared(table) > 0.97 * wide * high, f"{thing.id} is cut off"
        for (one, box), (other, another) in combinations(boxes.items(), 2):
            assert box.shared(another) < 0.03 * wide * high, f"{one} and {other}"
