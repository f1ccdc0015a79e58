"""The folder of a site: whatever is in it, and whenever a run is killed, only what is ours is written or removed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.archive.site import disk
from referee.archive.site.disk import opened
from referee.archive.site.folder import LIST, open_folder
from referee.common.errors import RefereeError, UsageError

Pages = Mapping[str, bytes]

FIRST = {
    "index.html": b"two games",
    "site.css": b"",
    "games/1.html": b"one",
    "games/1.txt": b"of Anna",
    "games/2.html": b"2",
}
SECOND = {
    "index.html": b"another game",
    "site.css": b"",
    "games/1.html": b"one",
    "games/3.html": b"three",
    "players/1.html": b"Bert",
}
STAMPS = {"1": "games/1.", "2": "games/2.", "3": "games/3."}


def publish(site: Path, pages: Pages) -> tuple[int, int, int, int]:
    """Write pages as `publishing` does, games by their stamps; return how many were written, unchanged, removed and
    left."""
    with open_folder(site) as folder:
        folder.expect(["index.html", "site.css"])
        for key, begin in STAMPS.items():
            own = {name: content for name, content in pages.items() if name.startswith(begin)}
            stamp = repr(own) if own else ""
            if own and not folder.stands(
                stamp, key, [f"{begin}{end}" for end in ("html", "txt", "svg", "png")]
            ):
                for name, content in own.items():
                    folder.put(name, content)
                folder.stamp(key, stamp)
        for name, content in pages.items():
            if not name.startswith("games/"):
                folder.put(name, content)
        folder.close()
        return folder.written, folder.unchanged, folder.removed, folder.left


def all_in(site: Path) -> dict[str, bytes | str | None]:
    """Return all that a folder holds: files with their bytes, links with where they lead, folders."""
    found: dict[str, bytes | str | None] = {}
    for path in sorted(site.rglob("*")):
        name = str(path.relative_to(site))
        if path.is_symlink():
            found[name] = str(path.readlink())
        else:
            found[name] = path.read_bytes() if path.is_file() else None
    return found


def files_in(site: Path) -> dict[str, bytes | str | None]:
    """Return all but folders; and those aside, which are to be gone."""
    return {name: said for name, said in all_in(site).items() if said is not None or name.startswith(".")}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


# runs that are killed


class Killed(BaseException):
    """The process is no more."""


class Steps:
    """What changes anything on the disk, counted; before step number `last`, or half way through it, all ends."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.done = 0

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in ("open", "write", "mkdir", "replace", "unlink", "rmdir"):
            return real

        def step(*said: Any, **more: Any) -> Any:
            if name == "open" and not said[1] & os.O_CREAT:
                return real(*said, **more)
            self.done += 1
            if self.done == self.last and name == "write":
                real(said[0], said[1][: len(said[1]) // 2])
            if self.done >= self.last:
                raise Killed
            return real(*said, **more)

        return step


def killed(site: Path, pages: Pages, last: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Publish up to a step; tell whether there was such a step."""
    with monkeypatch.context() as patched:
        patched.setattr(disk, "os", Steps(last))
        try:
            publish(site, pages)
        except Killed:
            return True
    return False


def clean(folder: Path, pages: Pages) -> dict[str, bytes | str | None]:
    if not folder.exists():
        publish(folder, pages)
    return files_in(folder)


@pytest.mark.parametrize("then", [FIRST, SECOND])
@pytest.mark.parametrize("begun", [FIRST, SECOND])
@pytest.mark.parametrize("before", [None, FIRST, SECOND])
def test_after_a_run_that_was_killed_at_any_step_the_next_makes_the_site_that_it_would_be(
    tmp_path: Path, before: Pages | None, begun: Pages, then: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the first run is left that does not belong to the second, aside or in its place."""
    wanted = clean(tmp_path / "clean", then)
    last = 0
    while True:
        last += 1
        site = tmp_path / f"killed at {last}"
        if before is not None:
            publish(site, before)
        was_killed = killed(site, begun, last, monkeypatch)
        publish(site, then)
        assert files_in(site) == wanted, last
        if not was_killed:
            break
    assert last == 1 if before is begun else last > 10, "where all stands already, nothing is done at all"


@pytest.mark.slow
def test_a_run_that_is_killed_once_more_and_again_changes_nothing_of_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {id(pages): clean(tmp_path / str(id(pages)), pages) for pages in (FIRST, SECOND)}
    for first in range(1, 40, 3):
        for second in range(1, 40, 3):
            site = tmp_path / f"{first} {second}"
            publish(site, FIRST)
            killed(site, SECOND, first, monkeypatch)
            killed(site, FIRST, second, monkeypatch)
            for pages in (SECOND, FIRST):
                publish(site, pages)
                assert files_in(site) == wanted[id(pages)], (first, second)


def test_what_somebody_puts_there_after_a_run_was_killed_is_his(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by a name that the run was going to write: it is not written over, and not removed."""
    for last in range(1, 40):
        for pages in (FIRST, SECOND):
            site = tmp_path / f"{last} {id(pages)}"
            if not killed(site, FIRST, last, monkeypatch):
                continue
            ours = json.loads((site / LIST).read_text())["files"] if (site / LIST).exists() else {}
            (site / "games").mkdir(exist_ok=True)
            his = [name for name in ("games/2.html", "index.html", "site.css") if not (site / name).exists()]
            for name in his:
                (site / name).write_bytes(b"mine")
            if {*his} & {*pages}:
                with pytest.raises(UsageError, match="was not written by"):
                    publish(site, pages)
            else:
                publish(site, pages)
            assert not {*his} & {*ours}
            assert all((site / name).read_bytes() == b"mine" for name in his)


def test_the_list_of_a_run_that_was_killed_names_no_page_that_is_none_of_the_site(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for last in range(1, 40):
        shutil.rmtree(site, ignore_errors=True)
        killed(site, FIRST, last, monkeypatch)
        if (site / LIST).exists():
            said = json.loads((site / LIST).read_text())
            assert {*said["files"], *said.get("coming", ())} == {*FIRST}


def test_what_a_killed_run_has_left_aside_is_for_nobody_else_to_read(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert killed(site, FIRST, 6, monkeypatch)
    (aside,) = site.iterdir()
    assert aside.name.startswith(".referee-site-") and aside.stat().st_mode & 0o777 == 0o700
    (aside / "notes.txt").write_text("mine")
    publish(site, FIRST)
    assert [each.name for each in aside.iterdir()] == ["notes.txt"], "what is not ours is left where it is"


# what is not ours


def _link(to: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(to)


def _file(path: Path) -> None:
    path.write_bytes(b"mine")


FOREIGN: dict[str, Callable[[Path], None]] = {
    "a file": _file,
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a link to a file": _link("victim"),
    "a link to a folder": _link("elsewhere"),
    "a link to nowhere": _link("nowhere"),
    "a link out of it": _link("../outside/victim"),
    "a link to a folder out of it": _link("../outside"),
}


@pytest.fixture
def among_others(site: Path) -> Path:
    """Return a folder in which there are other things, and beside which there are."""
    for folder in (site, site.parent / "outside"):
        (folder / "elsewhere").mkdir(parents=True)
        (folder / "victim").write_bytes(b"victim")
    return site


@pytest.mark.parametrize("what", FOREIGN)
@pytest.mark.parametrize("name", ["index.html", "games", "games/1.html", LIST])
def test_what_is_in_the_way_is_named_and_nothing_is_written(among_others: Path, name: str, what: str) -> None:
    """No link is followed, and nothing of somebody else's changes, there or outside."""
    if name == "games" and what == "a folder":
        return
    place = among_others / name
    place.parent.mkdir(exist_ok=True)
    FOREIGN[what](place)
    before = all_in(among_others.parent)
    with pytest.raises(UsageError, match=name.replace(".", r"\.")):
        publish(among_others, FIRST)
    assert all_in(among_others.parent) == before


@pytest.mark.parametrize("what", [what for what in FOREIGN if what != "a file"])
@pytest.mark.parametrize("name", ["index.html", "games", "games/1.html", LIST])
def test_what_has_taken_the_place_of_ours_is_named_and_left(among_others: Path, name: str, what: str) -> None:
    """Where the page would be written again; one that is only to be removed is left."""
    publish(among_others, FIRST)
    place = among_others / name
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()
    FOREIGN[what](place)
    before = all_in(among_others.parent)
    if name != "games" or what != "a folder":
        with pytest.raises(UsageError, match=name.replace(".", r"\.")):
            publish(among_others, SECOND)
        assert all_in(among_others.parent) == before
    if name == "games/1.html":
        publish(among_others, {"index.html": b"none", "site.css": b""})
        kept = all_in(among_others.parent)
        assert {
            name: said for name, said in before.items() if "victim" in name or name.endswith("1.html")
        }.items() <= (kept.items())


@pytest.mark.parametrize("what", FOREIGN)
@pytest.mark.parametrize(
    "name",
    [
        ".index.html.new",
        ".referee-site.json.new",
        "games/.1.html.new",
        ".referee-site-original",
        f".referee-site-{'0' * 32}",
    ],
)
def test_what_is_called_like_something_of_ours_and_is_not_stays(
    among_others: Path, name: str, what: str
) -> None:
    if name.endswith("0") and what == "a folder":
        return  # an empty one of that name is what a killed run leaves
    place = among_others / name
    place.parent.mkdir(exist_ok=True)
    FOREIGN[what](place)
    before = all_in(among_others.parent)
    publish(among_others, FIRST)
    publish(among_others, SECOND)
    after = all_in(among_others.parent)
    assert {name: after.get(name) for name in before} == before


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "games",
        "games/",
        "../x.html",
        "/etc/passwd",
        "//x.html",
        "a/b/c.html",
        "games/../x.html",
        "\0",
        LIST,
        ".x.html",
        "games/.x.html",
        "x" * 300 + ".html",
        "\ud800.html",
        "C:\\x.html",
        "x.html\n",
        "games/1.html/x.html",
    ],
)
@pytest.mark.parametrize("where", ["files", "coming"])
def test_a_list_with_a_name_that_no_page_has_is_none(site: Path, name: str, where: str) -> None:
    site.mkdir()
    said = {"format": "referee site 1", "files": {}, "stamps": {}, "coming": {}} | {where: {name: "0" * 64}}
    (site / LIST).write_text(json.dumps(said))
    with pytest.raises(UsageError, match="is no list of a site's files"):
        publish(site, FIRST)


@pytest.mark.parametrize("digest", ["", None, 1, "0" * 63, "\u0660" * 64, "0" * 64 + "\n"])
def test_a_list_with_a_digest_that_is_none_is_no_list(site: Path, digest: object) -> None:
    """Else it could say of a file of somebody's that it is ours, whatever is in it."""
    site.mkdir()
    (site / "mine.html").write_text("mine")
    said = {"format": "referee site 1", "files": {"mine.html": digest}, "stamps": {}}
    (site / LIST).write_text(json.dumps(said))
    with pytest.raises(UsageError, match="is no list of a site's files"):
        publish(site, FIRST)
    assert (site / "mine.html").read_text() == "mine"


# two at once


def test_while_somebody_publishes_nobody_else_does(site: Path) -> None:
    with opened(site), pytest.raises(RefereeError, match="somebody else is publishing into"):
        publish(site, FIRST)
    assert all_in(site) == {}
    publish(site, FIRST)
    assert publish(site, SECOND) == (3, 2, 2, 0)
