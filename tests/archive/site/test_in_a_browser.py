"""The site as its readers have it: in Chromium, from a folder, on a desk and on a telephone."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from referee.games.tournaments.tournament import Competition
from referee.rulebooks.catalogue import find_rulebook
from referee.rulebooks.rulebook import Replay
from referee.service.tournaments import TournamentService
from tests.archive.site.browser import DESK, TELEPHONE, Chromium, faults_found, sheet, signs, standing
from tests.archive.site.made_up import SAMPLE, play, published, sample_game_played, sample_moves
from tests.support.playing import Club, new_database
from tests.support.telling import telling
from tests.transcripts.stories_of_spies import a_whole_game_of_spies

CONFUSION = find_rulebook("confusion")
RECORD = resources.files("referee.rulebooks.confusion").joinpath("sample-game.txt").read_text("utf-8")
HOSTILE = (
    "</script><script>window.broken=1</script>",
    "<img src=x onerror=window.broken=1>",
    "\"'><svg onload=window.broken=1>",
    "{{ 7 * 7 }} ${7*7} <!-- ]]>",
    "\u202egnorw si siht\u2066",
    "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd",
    "\U0001f469\u200d\U0001f680 \U0001f3f3\ufe0f",
    "W" * 300,
)
"""What would break out of a page that is put together carelessly, or make it read otherwise than it is."""


def replayed(row: int) -> Replay:
    """Return what the rules say of the sample game as of the end of a row."""
    lines = RECORD.splitlines()
    rows = [place for place, line in enumerate(lines) if line.lstrip()[:1].isdigit()]
    return CONFUSION.records.replay("\n".join(lines[: rows[row - 1] + 1]))


def pieces(replay: Replay) -> dict[tuple[str, str], tuple[int, int]]:
    """Return where the rules say that all stands."""
    board = {(each["seat"], each["letter"]): tuple(each["square"]) for each in replay.summary["board"]}
    return {**board, ("", "Z"): tuple(replay.summary["z"])}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Game 1 is the sample game, 2 is being played and shown two turns late, 3 is of spies. Press beside the first."""
    folder = tmp_path_factory.mktemp("site")
    club = Club(new_database(folder))
    TournamentService(club.store, club.service, club.clock).make(
        Competition("Spring League", ("confusion",), watchers="2")
    )
    wendy, yannick = club.member("Wendy"), club.member("Yannick", "yannick@example.com")
    number = club.starts({"white": wendy, "yellow": yannick}, first=SAMPLE.first, deal=SAMPLE.deal)
    play(club, number, sample_moves()[:20])
    wendy.writes("press all A difficult beginning.")
    play(club, number, sample_moves()[20:])
    sample_game_played(club, ("Zoë", "Ümit"), attempts=31, event="Spring League")
    a_whole_game_of_spies(club)
    published(club, folder / "pages")
    club.close()
    yield folder / "pages"


@pytest.mark.parametrize("row", [8, 22, 38])
@pytest.mark.parametrize("size", [TELEPHONE, DESK], ids=["telephone", "desk"])
def test_a_move_of_the_sample_game_shows_the_board_and_both_sheets_as_the_rules_have_them(
    browser: Chromium, site: Path, row: int, size: Any
) -> None:
    """By its link alone. From White's eyes the board is turned, and what he sees is Yellow's types."""
    said = replayed(row)
    types = CONFUSION.records.replay(RECORD)
    deals = {each.facts["seat"]: each.facts["types"] for each in types.happenings if each.code == "dealt"}
    with browser.page(site / "games" / "1.html", f"#{row}", size=size) as page:
        assert standing(page) == pieces(said)
        for side in ("white", "yellow"):
            assert sheet(page, side) == (said.summary["assignments"][side], said.summary["sheets"][side])
        shown = signs(page)
        for (side, letter), sign in shown.items():
            assert sign in ("+", str(deals[side][letter]))
        assert len(shown) == len(said.summary["board"])
        page.check("[name=eyes] >> nth=1")
        assert standing(page) == pieces(said)
        assert {side for side, _ in signs(page)} - {"white"} == {"yellow"}
        assert [sign for (side, _), sign in signs(page).items() if side == "white"] in ([], ["+"])
        boxes = [page.locator(f".rank[data-at='{rank}']").bounding_box() for rank in (1, 11)]
        assert boxes[0] and boxes[1] and boxes[0]["y"] < boxes[1]["y"], "White's first rank is below"


def test_the_sample_game_ends_as_the_rules_have_it(browser: Chromium, site: Path) -> None:
    whole = CONFUSION.records.replay(RECORD)
    with browser.page(site / "games" / "1.html") as page:
        assert standing(page) == pieces(whole)
        assert sheet(page, "white")[0] == 480 and sheet(page, "yellow")[0] == 552
        assert page.locator("#said").inner_text() == "White wins, by holding Z on the opponent's first rank."
        page.check("[name=eyes] >> nth=2")
        assert len(signs(page)) == len(whole.summary["board"]), "the end has shown him all types"


def test_a_reader_goes_through_a_game_by_buttons_keys_links_swipes_and_the_slider(
    browser: Chromium, site: Path
) -> None:
    with browser.page(site / "games" / "1.html", size=TELEPHONE, has_touch=True) as page:

        def now() -> str:
            return str(page.evaluate("location.hash"))

        page.click("[data-go=first]")
        assert now() == "#start" and "White has the first turn" in page.locator("#said").inner_text()
        assert page.locator("[data-go=back]").is_disabled()
        page.click("[data-go=on]")
        assert now() == "#1w"
        page.keyboard.press("End")
        assert now() == "#end"
        page.locator("h1").click(position={"x": 2, "y": 2})
        page.keyboard.press("ArrowLeft")
        assert now() == "#39y" and page.locator("#lines path").count() == 2, (
            "a line, and a cross: it was refused"
        )
        page.locator(".record a", has_text="V-NW2xZ").click()
        assert now() == "#8y"
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
        assert now() == "#8w"
        page.locator("#step").fill("3")
        assert now() == "#2w"
        page.evaluate("location.hash = '#22'")
        page.wait_for_function("document.querySelector('#said').textContent.startsWith('Turn 22, White')")
        assert page.locator(".record a.here").inner_text() == "H-SE1xT"
        page.go_back()
        page.wait_for_function("document.querySelector('#said').textContent.startsWith('Turn 2, White')")


def test_whoever_has_chosen_eyes_with_a_pointer_goes_on_by_keys(browser: Chromium, site: Path) -> None:
    """With the keyboard, arrows lead through the choices, as they do everywhere."""
    with browser.page(site / "games" / "1.html", "#5w") as page:
        page.locator("[name=eyes]").nth(1).click()
        assert page.locator("[name=eyes]").nth(1).is_checked()
        page.keyboard.press("ArrowRight")
        assert page.url.endswith("#6y") and page.locator("[name=eyes]").nth(1).is_checked()
        page.locator("[name=eyes]").nth(1).focus()
        page.keyboard.press("ArrowDown")
        assert page.locator("[name=eyes]").nth(2).is_checked() and page.url.endswith("#6y")


def test_at_a_desk_the_moves_stand_beside_the_board(browser: Chromium, site: Path) -> None:
    for number in (1, 2, 3):
        with browser.page(site / "games" / f"{number}.html") as page:
            board, moves = (page.locator(each).bounding_box() for each in ("#board", ".moves"))
            assert board and moves
            assert moves["x"] >= board["x"] + board["width"] and moves["y"] < board["y"] + 60
            wide = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert wide == 0
            if number != 2:
                sheets = page.locator(".sheets").bounding_box()
                assert sheets and sheets["x"] + sheets["width"] <= moves["x"]


def test_a_mark_and_the_name_behind_it_stand_on_one_line(browser: Chromium, site: Path) -> None:
    with browser.page(site / "index.html", size=TELEPHONE) as page:
        for player in page.locator(".player").all():
            mark, name = (player.locator(each).bounding_box() for each in (".side", "a, bdi >> nth=0"))
            assert mark and name and name["y"] - 4 < mark["y"] < name["y"] + name["height"]


def test_what_is_ruled_out_by_a_step_is_marked_there(browser: Chromium, site: Path) -> None:
    with browser.page(site / "games" / "1.html", "#2y") as page:
        marked = page.locator(".sheet[data-side=yellow] .now")
        assert marked.count() > 0 and page.locator(".sheet[data-side=white] .now").count() == 0
        assert page.locator(".record a.here").get_attribute("aria-label") == "(C-N2), refused"


def test_a_game_of_spies_is_played_from_all_eyes(browser: Chromium, site: Path) -> None:
    with browser.page(site / "games" / "3.html", "#start") as page:
        assert not [key for key in standing(page) if key[0]], "nobody has set up yet"
        page.keyboard.press("End")
        assert page.locator(".sheet th[scope=col]").count() == 26
        page.keyboard.press("Home")
        steps = int(page.locator("#step").get_attribute("max") or 0)
        for eyes in range(3):
            page.check(f"[name=eyes] >> nth={eyes}")
            page.locator("h1").click(position={"x": 2, "y": 2})
            for _ in range(steps):
                page.keyboard.press("ArrowRight")
            assert page.evaluate("location.hash") == "#end"
            page.keyboard.press("Home")


def test_a_game_that_is_being_played_shows_a_board_and_no_types_or_sheets(
    browser: Chromium, site: Path
) -> None:
    with browser.page(site / "games" / "2.html") as page:
        assert "2 turns late" in page.locator(".facts").inner_text()
        assert not signs(page) and not page.locator(".sheet, [name=eyes], .record-file").count()
        assert standing(page) == pieces(replayed(14)), "turn 17 is being played: 15 and 16 are not told"


KINDS = (
    *("index.html", "players.html", "events.html", "lists/1.html", "players/1.html", "events/1.html"),
    *("games/1.html", "games/2.html", "games/3.html"),
)
"""A page of every kind."""


@pytest.mark.parametrize(
    ("scheme", "size"),
    telling([("light", TELEPHONE)], others=[("dark", DESK), ("dark", TELEPHONE), ("light", DESK)]),
)
def test_axe_finds_nothing_wrong(browser: Chromium, site: Path, scheme: Any, size: Any) -> None:
    for name in KINDS:
        with browser.page(site / name, size=size, color_scheme=scheme) as page:
            assert not faults_found(page), (name, scheme)
            if name == "index.html":
                page.fill("#wanted", "we")
                assert not faults_found(page)
            if name == "games/1.html":
                page.keyboard.press("Home")
                page.keyboard.press("ArrowRight")
                page.click("summary")
                assert not faults_found(page)


def test_nothing_is_too_small_or_too_wide_on_a_telephone(browser: Chromium, site: Path) -> None:
    for name in KINDS:
        with browser.page(site / name, size=TELEPHONE) as page:
            assert page.evaluate("document.documentElement.scrollWidth") == 360, name
            small = page.evaluate(
                """() => [...document.querySelectorAll("body *")].filter((each) => each.getClientRects().length
                    && [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
                    && !["desc", "title", "script", "option"].includes(each.tagName.toLowerCase()))
                    .map((each) => {
                        const drawn = each.ownerSVGElement;
                        const scale = drawn ? drawn.getBoundingClientRect().width / drawn.viewBox.baseVal.width : 1;
                        return [each.textContent.slice(0, 20), parseFloat(getComputedStyle(each).fontSize) * scale];
                    }).filter(([, size]) => size < 11.9)"""
            )
            assert not small, (name, small[:5])
            for button in page.locator("button, .eyes label, #step").all():
                box = button.bounding_box()
                assert box and box["height"] >= 44


def test_games_players_and_events_are_looked_for(browser: Chromium, site: Path) -> None:
    with browser.page(site / "index.html") as page:
        assert page.locator("#plain").is_visible()
        for words, games, others in (
            ("wendy", ["Confusion 1"], ["Wendy (player)"]),
            ("umit ZOE", ["Confusion 2"], []),
            ("spring", ["Confusion 2"], ["Spring League (event)"]),
            ("white won", ["Confusion: Spies 3", "Confusion 1"], []),
            ("2026-11 in play", ["Confusion 2"], []),
            ("nobody at all", [], []),
        ):
            page.fill("#wanted", words)
            assert page.locator("#found td:first-child a").all_inner_texts() == games, words
            assert page.locator("#found li").all_inner_texts() == others, words
            assert page.locator("#plain").is_hidden()
            marks = page.locator("#found .player .side").evaluate_all(
                "all => all.map((each) => each.className)"
            )
            assert len(marks) == 2 * len(games) and {*marks} <= {"side white", "side yellow", "side red"}
        assert page.locator("#count").inner_text() == "Nothing is found."
        page.fill("#wanted", "yannick")
        page.click("#found li a")
        assert page.locator("h1").inner_text() == "Yannick"
        page.click("text=Confusion 1")
        assert page.locator("#board").is_visible()


def test_without_scripts_lists_records_and_the_last_position_are_there(browser: Chromium, site: Path) -> None:
    with browser.page(site / "index.html", java_script_enabled=False) as page:
        assert page.locator("#plain td:first-child a").count() == 3
        assert page.locator("#wanted").is_hidden()
    with browser.page(site / "games" / "1.html", "#22", java_script_enabled=False) as page:
        assert page.locator("#board .piece:not(.gone)").first.is_visible()
        assert page.locator("tr:target th").inner_text() == "22"
        assert page.locator(".controls").is_hidden() and page.locator(".sheet").first.is_visible()
        assert "480 deals" in page.locator(".sheet caption").first.inner_text()


def test_it_prints_without_controls_and_moves_nothing_where_that_is_not_wanted(
    browser: Chromium, site: Path
) -> None:
    with browser.page(site / "games" / "1.html", reduced_motion="reduce") as page:
        assert page.evaluate("getComputedStyle(document.querySelector('.piece')).transitionDuration") == "0s"
        page.emulate_media(media="print")
        assert page.locator(".controls").is_hidden() and page.locator("nav").is_hidden()
        assert page.locator(".record").is_visible() and page.locator(".sheet").last.is_visible()
        assert page.pdf().count(b"/Type /Page\n") <= 4


def test_nothing_that_people_have_written_breaks_out_of_a_page(
    browser: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names that the desk would refuse, as a database may hold them that somebody else has filled; press; an event."""
    club = Club(new_database(tmp_path))
    for number in range(0, len(HOSTILE), 2):
        game = sample_game_played(club, ("Anna", "Bert"), attempts=8)
        anna = club.person("Anna", "anna@example.net")
        anna.writes(f"press {game} all {HOSTILE[number]}")
        club.referee.umpire.adjudicate(game, "white", HOSTILE[number + 1][:60])
    with club.store.unit() as unit:
        for number, name in enumerate(HOSTILE):
            unit.players.add(name, f"x{number}@example.net", "en")
    hostile_names(club)
    published(club, tmp_path / "site", writings=("press",))
    club.close()
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 8
    for path in pages:
        with browser.page(path, size=TELEPHONE) as page:
            assert page.evaluate("window.broken") is None
            assert page.locator("body script:not([type])").count() == 0 and page.locator("img").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth") == 360, path
    with browser.page(tmp_path / "site" / "index.html") as page:
        for name in HOSTILE[:4]:
            assert page.locator("#plain bdi", has_text=name).count() > 0
            page.fill("#wanted", name.split()[0])
            assert page.locator("#found li bdi", has_text=name).count() == 1
            page.fill("#wanted", "")
        assert page.evaluate("window.broken") is None
    assert b"\xe2\x80\xae" not in b"".join(path.read_bytes() for path in pages), (
        "nothing turns what stands behind"
    )


def hostile_names(club: Club) -> None:
    """Call the players, and an event, as nobody could call himself."""
    from sqlalchemy import create_engine, text

    engine = create_engine(club.url)
    with engine.begin() as connection:
        people = list(connection.execute(text("SELECT player FROM person ORDER BY player")).scalars())
        seats = list(connection.execute(text("SELECT game, seat FROM seat ORDER BY game, seat")).all())
        named = people[-len(HOSTILE) :]
        for place, name in enumerate(HOSTILE):
            connection.execute(
                text("UPDATE person SET name = :name WHERE player = :who"),
                {"name": name, "who": named[place]},
            )
        for place, (game, seat) in enumerate(seats):
            connection.execute(
                text("UPDATE seat SET player = :who WHERE game = :game AND seat = :seat"),
                {"who": named[place % len(named)], "game": game, "seat": seat},
            )
    engine.dispose()
