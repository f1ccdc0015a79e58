"""Battles as readers of the site have them: in Chromium, from a folder, on a desk and on a telephone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.archive.site.pages import shared_files
from referee.rulebooks.rulebook import Result
from referee.rulebooks.stages.battle import MM, BattleStage
from tests.archive.site.browser import DESK, TELEPHONE, Chromium, faults_found
from tests.archive.site.made_up import published
from tests.archive.site.test_battles import CARDS, finished, shown, stage
from tests.support.playing import Club, new_database
from tests.support.telling import telling
from tests.transcripts.stories_of_cards import a_battle_by_the_english_rules

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL: Any = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def battles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[int, BattleStage]]]:
    """Game 1 is a battle by letter, on a wide table; 2 is one by lot, on a high one, with many units."""
    folder = tmp_path_factory.mktemp("battles")
    club = Club(new_database(folder))
    a_battle_by_the_english_rules(club)
    published(club, folder / "pages")
    told = {1: stage(CARDS, club.game(1).happenings, over=True)}
    club.close()
    told[2] = stage(CARDS, finished(0, "cc-standard", 10), over=True)
    (folder / "pages" / "games" / "2.html").write_bytes(shown(told[2], Result(None, "by agreement")))
    for name, content in shared_files().items():
        (folder / "pages" / name).parent.mkdir(exist_ok=True)
        (folder / "pages" / name).write_bytes(content)
    yield folder / "pages", told


def drawn(page: Page) -> dict[str, list[float]]:
    """Return where everything is drawn that is seen, by id: x, y, the bearing that it looks to, men of each kind."""
    found: dict[str, list[float]] = page.evaluate(
        """() => {
            const board = document.getElementById("board");
            const ids = JSON.parse(document.getElementById("battle").textContent).ids;
            const squares = (path) => (path?.getAttribute("d").match(/M/g) || []).length;
            return Object.fromEntries([...document.getElementById("things").children].flatMap((each, number) => {
                if (!each.getClientRects().length) return [];
                const m = board.getScreenCTM().inverse().multiply(each.getScreenCTM());
                const bearing = (Math.atan2(m.b, m.a) * 180 / Math.PI + 360) % 360;
                const men = ["men", "loose", "dead"].map((name) => squares(each.querySelector(`.${name}`)));
                return [[ids[number], [m.e, m.f, bearing, ...men]]];
            }));
        }"""
    )
    return found


def tabled(page: Page) -> dict[str, list[str]]:
    """Return the rows of both armies' tables, by id."""
    rows = page.evaluate(
        """() => [...document.querySelectorAll(".army tbody tr")].map(
            (row) => [...row.cells].map((cell) => cell.textContent))"""
    )
    return {row[0]: row[1:] for row in rows}


def is_shown(page: Page, told: BattleStage, key: str) -> None:
    """Hold a page against a step."""
    place = [event.key for event in told.steps].index(key)
    event, frame = told.steps[place], told.frames[place]
    wanted = {thing.id: stood for thing, stood in zip(told.things, frame.things, strict=True) if stood}
    found = drawn(page)
    assert {*found} == {*wanted}
    for id, stood in wanted.items():
        x, y, bearing, *men = found[id]
        assert abs(x - stood.x) < 0.5 and abs(y - stood.y) < 0.5
        assert abs((bearing - stood.bearing + 180) % 360 - 180) < 0.05
        assert men == [*map(stood.look.states.count, "rck")]
    rows = tabled(page)
    for thing in told.things:
        if thing.kind != "unit":
            continue
        stood_now = wanted.get(thing.id)
        if stood_now is None:
            assert rows[thing.id] == ["off", "", "0", "0", "0", str(thing.size)]
            continue
        counts = [*map(stood_now.look.states.count, "rck")]
        at = f"({stood_now.x / MM:g},{(told.land.height - stood_now.y) / MM:g})"
        lost = thing.size - counts[0] - counts[1]
        assert rows[thing.id] == [at, f"{stood_now.bearing:g}°", *map(str, (*counts, lost))]
    holders = page.locator(".held .holder").all_inner_texts()
    assert holders == [each.capitalize() or "Nobody" for each in frame.holders]
    for number, deck in enumerate(page.locator(".deck").all()):
        assert deck.locator(".left").inner_text() == str(frame.left[number])
        assert deck.locator("b").count() == len(frame.turned[number])
    assert page.locator(".marker b").all_inner_texts() == [*map(str, frame.markers)]
    said = page.locator("#said").inner_text().replace("\u2011", "-")
    assert event.said.rstrip(".") in said and all(rule in said for rule in event.rules)
    assert page.locator(".list .here").count() == 1
    assert page.locator("#shot").get_attribute("d") or event.shot is None


@pytest.mark.parametrize("width", [360, 390, 1280])
@pytest.mark.parametrize("number", [1, 2])
def test_names_on_the_map_are_read_without_another_one_upon_them(
    browser: Chromium, battles: Any, number: int, width: int
) -> None:
    """As their letters are drawn, from the first step on, at which all stand in rows; and none is left out."""
    site, stages = battles
    told = stages[number]
    size: Any = {"width": width, "height": 844}
    with browser.page(site / "games" / f"{number}.html", "#start", size=size) as page:
        for step in range(0, len(told.steps), 4):
            page.locator("#step").fill(str(step))
            # The letters fill the middle three quarters of the height of their boxes.
            names = page.evaluate(
                """() => [...document.querySelectorAll("#tags text")].filter((each) => each.getClientRects().length)
                    .map((each) => [each.textContent, each.getBoundingClientRect()])
                    .map(([name, box]) => [name, box.left, box.top + box.height / 5, box.right,
                                           box.bottom - box.height / 5])"""
            )
            frame = told.frames[step]
            wanted = [
                thing.id
                for thing, stood in zip(told.things, frame.things, strict=True)
                if stood is not None and thing.kind != "gun"
            ]
            assert [name for name, *_ in names] == wanted
            for (one, *first), (other, *second) in combinations(names, 2):
                across = min(first[2], second[2]) - max(first[0], second[0])
                down = min(first[3], second[3]) - max(first[1], second[1])
                assert across < 1.5 or down < 1.5, (told.steps[step].key, one, other)


@pytest.mark.parametrize("size", [SMALL, DESK], ids=["telephone", "desk"])
@pytest.mark.parametrize("number", [1, 2])
def test_each_step_shows_the_table_as_the_stage_has_it(
    browser: Chromium, battles: Any, number: int, size: Any
) -> None:
    site, stages = battles
    told = stages[number]
    keys = [event.key for event in told.steps]
    with browser.page(site / "games" / f"{number}.html", f"#{keys[len(keys) // 2]}", size=size) as page:
        is_shown(page, told, keys[len(keys) // 2])
        page.keyboard.press("Home")
        for key in keys:
            if keys.index(key) % (1 if size is DESK and number == 1 else 7) == 0 or key == keys[-1]:
                is_shown(page, told, key)
            page.keyboard.press("ArrowRight")


def test_the_page_before_any_script_has_run_shows_the_end(browser: Chromium, battles: Any) -> None:
    """The map, the tables and all that happened; the script then draws the very same."""
    site, stages = battles
    for number, told in stages.items():
        page_of: list[Any] = []
        for script in (False, True):
            with browser.page(site / "games" / f"{number}.html", java_script_enabled=script) as page:
                assert page.locator(".controls").first.is_visible() == script
                paths = page.locator("#things path, #engaged").all()
                page_of.append(
                    (
                        [path.get_attribute("d") or "" for path in paths],
                        page.locator(".army, .held, .deck").all_inner_texts(),
                        page.locator("#board text").all_text_contents(),
                    )
                )
                assert page.locator("#board").is_visible() and page.locator(".log li").count() > 20
        assert page_of[0] == page_of[1], number
        assert told.steps[-1].key == "end"


def test_a_reader_goes_through_a_battle_by_buttons_keys_links_swipes_and_the_slider(
    browser: Chromium, battles: Any
) -> None:
    site, stages = battles
    keys = [event.key for event in stages[1].steps]
    with browser.page(site / "games" / "1.html", size=TELEPHONE, has_touch=True) as page:

        def now() -> str:
            return str(page.evaluate("location.hash")).lstrip("#")

        page.keyboard.press("Home")
        assert now() == "start" and page.locator("[data-go=back]").is_disabled()
        page.click("[data-go=turn-on]")
        assert now() == "1r"
        page.click("[data-go=on]")
        assert now() == "1r1"
        page.click("[data-go=turn-on]")
        assert now() == "1b"
        page.click("[data-go=turn-back]")
        assert now() == "1r"
        page.locator(".log a", has_text="Turn 3").first.click()
        assert now() == "3r"
        page.locator(".log li a", has_text="It is a tie").click()
        assert "It is a tie" in page.locator("#said").inner_text() and page.locator("#engaged[d^=M]").count()
        tie = now()
        page.evaluate(
            """() => {
                const board = document.getElementById("board");
                const touch = (name, x) => {
                    const at = new Touch({ identifier: 1, target: board, clientX: x, clientY: 300 });
                    board.dispatchEvent(new TouchEvent(name, {
                        touches: name === "touchend" ? [] : [at], changedTouches: [at], bubbles: true }));
                };
                touch("touchstart", 250);
                touch("touchend", 120);
            }"""
        )
        assert now() == keys[keys.index(tie) + 1]
        page.locator("#step").fill("3")
        assert now() == keys[3]
        page.evaluate("location.hash = '#2'")
        page.wait_for_function("document.querySelector('.list .here').dataset.key.startsWith('2b')")
        page.keyboard.press("End")
        assert now() == "end" and page.locator("[data-go=turn-on]").is_disabled()


def test_a_battle_plays_by_itself_until_it_is_touched(browser: Chromium, battles: Any) -> None:
    site, _ = battles
    with browser.page(site / "games" / "1.html") as page:
        page.clock.install()
        page.click("[data-go=play]")
        page.clock.run_for(12_000)
        assert page.locator("[data-go=play]").get_attribute("aria-pressed") == "true"
        page.click("[data-go=play]")
        reached = int(
            page.locator("#step").input_value()
        )  # only now: until then the clock goes on by itself, too
        assert 3 < reached < 15
        page.clock.run_for(12_000)
        assert int(page.locator("#step").input_value()) == reached
        page.click("[data-go=play]")
        page.clock.run_for(400_000)
        assert page.evaluate("location.hash") == "#end"
        assert page.locator("[data-go=play]").get_attribute("aria-pressed") == "false"


def test_things_move_there_the_shorter_way_round_where_motion_is_wanted(
    browser: Chromium, battles: Any
) -> None:
    site, _ = battles
    turned = """() => [...document.querySelectorAll("#things > *")].map(
        (each) => Number((each.style.transform.match(/rotate\\(([-0-9.e]+)deg/) || [0, 0])[1]))"""
    for motion, lasts in (("no-preference", "0.45s"), ("reduce", "0s")):
        with browser.page(site / "games" / "2.html", reduced_motion=motion) as page:
            page.keyboard.press("Home")
            before = page.evaluate(turned)
            for _ in range(60):
                page.keyboard.press("ArrowRight")
                after = page.evaluate(turned)
                assert all(abs(one - other) <= 180 for one, other in zip(before, after, strict=True))
                before = after
            style = "getComputedStyle(document.querySelector('#things > *')).transitionDuration"
            assert page.evaluate(style) == lasts


@pytest.mark.parametrize(
    ("scheme", "size"),
    telling([("dark", DESK), ("light", TELEPHONE)], others=[("light", DESK), ("dark", TELEPHONE)]),
)
def test_axe_finds_nothing_wrong(browser: Chromium, battles: Any, scheme: Any, size: Any) -> None:
    site, _ = battles
    for number in (1, 2):
        with browser.page(site / "games" / f"{number}.html", size=size, color_scheme=scheme) as page:
            assert not faults_found(page)
            page.keyboard.press("ArrowLeft")
            page.locator("details summary").first.click()
            assert not faults_found(page)


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_nothing_is_too_small_or_too_wide(browser: Chromium, battles: Any, width: int) -> None:
    site, _ = battles
    for number in (1, 2):
        size: Any = {"width": width, "height": 800}
        with browser.page(site / "games" / f"{number}.html", size=size) as page:
            assert page.evaluate("document.documentElement.scrollWidth") == width
            small = page.evaluate(
                """() => [...document.querySelectorAll("#main *")].filter((each) => each.getClientRects().length
                    && [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
                    && !["desc", "title", "script"].includes(each.tagName.toLowerCase()))
                    .map((each) => {
                        const drawn = each.ownerSVGElement;
                        const scale = drawn ? drawn.getBoundingClientRect().width / drawn.viewBox.baseVal.width : 1;
                        return [each.textContent.slice(0, 20), parseFloat(getComputedStyle(each).fontSize) * scale];
                    }).filter(([, size]) => size < 11.9)"""
            )
            assert not small, small[:5]
            for button in page.locator("button, #step").all():
                box = button.bounding_box()
                assert box and box["height"] >= 44 and box["width"] >= 44


def test_the_map_and_what_leads_through_it_are_seen_together(browser: Chromium, battles: Any) -> None:
    """On a desk, on a wide table and on a high one: whoever steps through a battle sees what moves."""
    site, _ = battles
    for number in (1, 2):
        with browser.page(site / "games" / f"{number}.html") as page:
            box = page.locator("#board").bounding_box()
            button = page.locator("[data-go=on]").bounding_box()
            assert box and button
            assert max(box["y"] + box["height"], button["y"] + button["height"]) - box["y"] < 900


def test_a_battle_prints_with_all_that_happened_and_all_orders(browser: Chromium, battles: Any) -> None:
    site, _ = battles
    with browser.page(site / "games" / "1.html") as page:
        page.emulate_media(media="print")
        assert page.locator(".controls").first.is_hidden() and page.locator("nav").is_hidden()
        assert page.locator(".orders").first.is_visible() and page.locator(".army").last.is_visible()
        hidden = "(each) => each.scrollHeight > each.clientHeight + 2"
        assert not page.locator(".list").evaluate(hidden), "nothing of the list is cut off"
        assert page.pdf().count(b"/Type /Page\n") <= 4
