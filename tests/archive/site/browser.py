"""The system's own Chromium, driven over pages in a folder; and what tests read off a game's page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.servers.launching import ServerAbsent

if TYPE_CHECKING:  # it takes a while to import, and most tests need no browser
    from playwright.sync_api import Browser, Page, ViewportSize

NAMES = ("chromium", "chromium-browser", "google-chrome")
DESK: ViewportSize = {"width": 1280, "height": 900}
TELEPHONE: ViewportSize = {"width": 360, "height": 740}
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


class Chromium:
    """A browser without a window. pages that were looked at may ask for nothing but files beside them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @contextmanager
    def page(self, place: Path, after: str = "", *, size: ViewportSize = DESK, **how: Any) -> Iterator[Page]:
        """Open a page from its file. after: the end of its address. how: of a context, such as color_scheme.

        Nothing moves there unless that is asked for, so that all is where it belongs as soon as it is looked at.

        At the end it must have had no error, and have asked for no file but those of its site.
        """
        site = place.parent if place.name in _ON_TOP else place.parent.parent
        wrong: list[str] = []
        how = {"reduced_motion": "reduce", **how}
        with self._browser.new_context(viewport=size, **how) as context, context.new_page() as page:
            page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
            page.on("console", lambda said: wrong.append(f"console: {said.text}"))
            page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
            page.on(
                "request",
                lambda asked: None if asked.url.startswith(site.as_uri()) else wrong.append(asked.url),
            )
            page.goto(f"{place.as_uri()}{after}")
            yield page
        assert not wrong, wrong


_ON_TOP = ("index.html", "players.html", "events.html")


@contextmanager
def chromium() -> Iterator[Chromium]:
    """Start the browser, and end it. Raises ServerAbsent where there is none."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise ServerAbsent("Chromium is not installed")
    arguments = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with sync_playwright() as driver, driver.chromium.launch(executable_path=path, args=arguments) as browser:
        yield Chromium(browser)


def faults_found(page: Page) -> list[str]:
    """Return what axe finds wrong with a page as it is now."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"runOnly": {"type": "tag", "values": list(RULES)}, "preload": False}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


def standing(page: Page) -> dict[tuple[str, str], tuple[int, int]]:
    """Return where the pieces stand that are seen on the board, by side and letter, as a reader finds them: by the
    numbers at its edges."""
    found = page.evaluate(
        """() => {
            const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
            const edge = (name, axis) => [...document.querySelectorAll(name)].map(
                (each) => [Number(each.textContent), middle(each.getBoundingClientRect())[axis]]);
            const near = (all, at) => all.reduce((a, b) => Math.abs(a[1] - at) < Math.abs(b[1] - at) ? a : b)[0];
            const [files, ranks] = [edge(".file", 0), edge(".rank", 1)];
            const place = (each) => {
                const [x, y] = middle(each.getBoundingClientRect());
                return [near(files, x), near(ranks, y)];
            };
            const pieces = [...document.querySelectorAll(".piece")].filter((each) => each.getClientRects().length);
            return [
                ...pieces.map((each) => [each.classList[1], each.querySelector(".letter").textContent, ...place(each)]),
                ["", "Z", ...place(document.getElementById("z"))],
            ];
        }"""
    )
    return {(side, letter): (file, rank) for side, letter, file, rank in found}


def signs(page: Page) -> dict[tuple[str, str], str]:
    """Return the signs of types that stand on the pieces on the board."""
    found = page.evaluate(
        """() => [...document.querySelectorAll(".piece")].filter((each) => each.getClientRects().length).map(
            (each) => [each.classList[1], each.querySelector(".letter").textContent,
                       each.querySelector(".sign").textContent])"""
    )
    return {(side, letter): sign for side, letter, sign in found if sign}


def sheet(page: Page, side: str) -> tuple[int, dict[str, list[int]]]:
    """Return a side's sheet as it stands on the page: the deals left, and the types that each letter can still be."""
    table = page.locator(f".sheet[data-side={side}]")
    left = int(table.locator(".left").inner_text().replace(",", ""))
    rows = table.evaluate(
        """(table) => [...table.tBodies[0].rows].map((row) => [row.cells[0].textContent.replace(/[()+\\[\\]]/g, ""),
            [...row.cells].slice(1).flatMap((cell, kind) => cell.classList.contains("open") ? [kind + 1] : [])])"""
    )
    return left, dict(rows)
