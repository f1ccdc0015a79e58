"""`referee demo`: the book's sample game by letter, from the first word to White's win."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner
from filelock import FileLock

from referee.cli.demo import MARK, UNFINISHED, prepare, put_in_place, sample_game, shown_before
from referee.cli.demo import Shown as Given
from referee.cli.main import main
from referee.common.errors import RefereeError
from tests.games.played import chain_of
from tests.support.operating import read_mail, text_of, type_words


@dataclass(frozen=True)
class Shown:
    """A demonstration that has been given: its own words, its process group, and its folder."""

    status: int
    told: dict[str, Any]
    terminal: str
    group: int
    folder: Path


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """Give the demonstration once, before a terminal, in a session of its own."""
    folder = tmp_path_factory.mktemp("demo") / "here"
    ours, its = pty.openpty()
    seen: list[bytes] = []

    def look() -> None:
        try:
            while part := os.read(ours, 4096):
                seen.append(part)
        except OSError:  # the other end is closed
            return

    running = subprocess.Popen(
        [sys.executable, "-m", "referee", "demo", "--json", "--folder", str(folder)],
        stdout=subprocess.PIPE,
        stderr=its,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(its)
    eyes = threading.Thread(target=look)
    eyes.start()
    out, _ = running.communicate(timeout=100)
    eyes.join(10)
    os.close(ours)
    terminal = b"".join(seen).decode(errors="replace")
    assert running.returncode == 0, terminal
    return Shown(running.returncode, json.loads(out), terminal, running.pid, folder)


@pytest.mark.subprocess
def test_the_sample_game_is_played_to_whites_win(shown: Shown) -> None:
    assert shown.status == 0
    assert shown.told["result"].startswith("White wins, by holding Z")
    assert shown.told["moves"] == 76


@pytest.mark.subprocess
def test_a_progress_bar_goes_to_the_last_move(shown: Shown) -> None:
    assert "76/76" in shown.terminal


@pytest.mark.parametrize(
    ("terminal", "told"),
    [("", ""), ("dumb", "The book's sample game, by letter: 10/76\n"), ("xterm", "11/76")],
)
def test_its_progress_is_a_bar_or_lines_where_there_is_no_bar_and_nothing_for_what_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, terminal: str, told: str
) -> None:
    def plays(folder: Path, progress: Callable[[int, int], None]) -> NoReturn:
        for done in (9, 10, 11):
            progress(done, 76)
        raise RefereeError("That is enough.")

    monkeypatch.setattr("referee.cli.demo.run_demo", plays)
    monkeypatch.setenv("TERM", terminal or "xterm")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    said = CliRunner().invoke(main, ["demo", "--folder", str(tmp_path / "here")]).stderr
    if terminal == "dumb":
        assert told in said and "9/76" not in said
    else:
        assert (told in said) if terminal else "/76" not in said


@pytest.mark.subprocess
def test_the_places_that_are_told_hold_letters_pictures_and_the_record(shown: Shown) -> None:
    for place in shown.told["letters"].values():
        letters = sorted(Path(place).glob("*.eml"))
        assert len(letters) == 77  # the first letter, and one for each attempt
        assert letters[0].name == "01-report.eml"
        assert letters[-1].name == "77-result.eml"
        last = read_mail(letters[-1].read_bytes())
        assert last["X-Referee-Kind"] == "result"
        assert text_of(last).replace("\r\n", "\n") == letters[-1].with_suffix(".txt").read_text()
    pictures = list(Path(shown.told["pictures"]).iterdir())
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    assert sum(picture.name.endswith("-board.png") for picture in pictures) == 2 * 77


@pytest.mark.subprocess
def test_yellow_wishes_for_a_picture_of_his_sheets_with_his_first_move_and_has_it_from_then_on(
    shown: Shown,
) -> None:
    place = Path(shown.told["letters"]["yellow"])
    assert "Your deduction sheets come as a picture from now on." in (place / "03-report.txt").read_text()
    sheets = sorted(path.name for path in Path(shown.told["pictures"]).glob("*-sheets.png"))
    assert sheets == [f"yellow-{number:02d}-report-sheets.png" for number in range(3, 77)]


@pytest.mark.subprocess
def test_the_record_replays(shown: Shown) -> None:
    said = type_words("replay", shown.told["record"], "--json")
    assert (said.status, said.json["attempts"], said.json["result"]["winner"]) == (0, 76, "white")


@pytest.mark.subprocess
def test_the_record_alone_gives_the_receipt_that_the_last_letters_say(shown: Shown) -> None:
    record = Path(shown.told["record"]).read_text()
    receipt = chain_of(record)
    assert f"\nChain = {receipt}\n" in record
    for seat in ("white", "yellow"):
        (last,) = Path(shown.told["letters"][seat]).glob("*-result.txt")
        assert f"\nReceipt: {receipt}\n" in last.read_text()


@pytest.mark.subprocess
def test_nothing_is_left_running(shown: Shown) -> None:
    with pytest.raises(ProcessLookupError):
        os.killpg(shown.group, 0)


@pytest.mark.subprocess
def test_the_service_that_ran_had_no_trouble(shown: Shown) -> None:
    log = (shown.folder / "referee.log").read_text()
    assert log.count("letter settled") == 76
    assert "level=warning" not in log
    assert "level=error" not in log


def test_a_folder_that_is_somebody_elses_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    said = type_words("demo", "--folder", str(tmp_path))
    assert (said.status, said.out) == (2, "")
    assert "not made by `referee demo`" in said.err
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = type_words("demo", "--folder", str(tmp_path / "file" / "demo"))
    assert (said.status, said.out) == (3, "")
    assert str(tmp_path / "file") in said.err


@pytest.mark.parametrize(
    "name",
    [
        "thesis.txt",
        "record.txt.old",
        "Letters",
        "referee.db.backup-of-my-club",
        "referee.db-notes",
        "mail",
        "pictures",
    ],
)
def test_an_earlier_demonstration_is_left_as_it_is_where_anything_else_lies_beside_it(
    tmp_path: Path, name: str
) -> None:
    prepare(tmp_path)
    for each in ("record.txt", name):
        (tmp_path / each).write_text("years of work")
    said = type_words("demo", "--folder", str(tmp_path))
    assert (said.status, said.out) == (2, "")
    assert f"{name!r} beside an earlier demonstration" in said.err and "replaces" not in said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([MARK, UNFINISHED, "record.txt", name])


@pytest.mark.parametrize(
    "name", ["pictures/family.jpg", "letters/thesis.txt", "letters/of-my-own/thesis.txt"]
)
def test_what_a_stranger_put_into_its_folders_is_named_and_left(tmp_path: Path, name: str) -> None:
    prepare(tmp_path)
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text("years of work")
    assert (
        f"{str(Path(name).parent if name.count('/') > 1 else name)!r} beside"
        in type_words("demo", "--folder", str(tmp_path)).err
    )
    assert (tmp_path / name).read_text() == "years of work"


def test_a_folder_is_no_mark_of_an_earlier_demonstration(tmp_path: Path) -> None:
    (tmp_path / MARK).mkdir()
    (tmp_path / MARK / "thesis.txt").write_text("years of work")
    assert type_words("demo", "--folder", str(tmp_path)).status == 2
    assert (tmp_path / MARK / "thesis.txt").exists()


def test_a_mark_that_is_no_text_lists_nothing(tmp_path: Path) -> None:
    (tmp_path / MARK).write_bytes(b"\xff\xfe")
    (tmp_path / "letters").touch()
    said = type_words("demo", "--folder", str(tmp_path))
    assert (said.status, "'letters' beside an earlier demonstration" in said.err) == (2, True)
    assert (tmp_path / "letters").exists()


@pytest.mark.subprocess
def test_a_demonstration_that_somebody_has_continued_with_is_left(shown: Shown, tmp_path: Path) -> None:
    """Looking at it is no continuing: its games can be listed, shown and recorded."""
    folder = tmp_path / "here"
    shutil.copytree(shown.folder, folder)
    settings = folder / "referee.toml"
    for words in (("games",), ("show", "1"), ("record", "1"), ("log", "1"), ("overview",), ("letters",)):
        assert type_words("--config", str(settings), *words).status == 0, words
    assert shown_before(folder)
    lately = folder / "referee.db-wal"
    lately.write_bytes(b"written by a service that is at work")
    assert "'referee.db' in" in type_words("demo", "--folder", str(folder)).err
    lately.unlink()
    with FileLock(folder / "referee.db.lock"):
        assert f"a service is at work in {folder}" in type_words("demo", "--folder", str(folder)).err
    seats = ("--seat", "white=Anna <anna@example.org>", "--seat", "yellow=Bert <bert@example.org>")
    assert type_words("--config", str(settings), "new", "confusion", *seats).status == 0
    said = type_words("demo", "--folder", str(folder))
    assert (said.status, said.out) == (2, "")
    assert f"'referee.db' in {folder} has changed since the demonstration" in said.err
    settings.write_text(settings.read_text().replace('"Referee"', '"My club"'))
    assert "'referee.toml' in" in type_words("demo", "--folder", str(folder)).err
    assert "My club" in settings.read_text()


@pytest.mark.subprocess
@pytest.mark.parametrize("name", ["referee.toml", "referee.db"])
def test_what_an_unfinished_demonstration_has_not_made_is_left(tmp_path: Path, name: str) -> None:
    prepare(tmp_path)
    (tmp_path / name).write_text("years of work")
    assert f"{name!r} in {tmp_path} has changed" in type_words("demo", "--folder", str(tmp_path)).err
    assert (tmp_path / name).read_text() == "years of work"


def test_an_earlier_demonstration_is_replaced_in_its_folder(shown: Shown, tmp_path: Path) -> None:
    """What a demonstration leaves is known as its own. Who stands in the folder, or has a link to it, still does."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    shutil.copytree(shown.folder, folder, dirs_exist_ok=True)
    link = tmp_path / "link"
    link.symlink_to(folder)
    same = folder.stat().st_ino
    unfinished = prepare(link)
    assert list(unfinished.iterdir()) == [] and (folder / "record.txt").exists()
    for name in (MARK, "record.txt"):
        (unfinished / name).write_text("")
    assert put_in_place(unfinished) == folder
    assert sorted(path.name for path in folder.iterdir()) == [MARK, "record.txt"]
    assert (folder / "record.txt").read_text() == ""
    assert (link.is_symlink(), folder.stat().st_ino) == (True, same)


@pytest.mark.subprocess
def test_an_earlier_demonstration_stays_where_the_next_one_does_not_end(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice, since an unfinished one is no obstacle for the next."""
    folder = tmp_path / "here"
    shutil.copytree(shown.folder, folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def breaks_off(*given: object) -> NoReturn:
        raise RefereeError("The daemon stopped; its log says why.")

    monkeypatch.setattr("referee.cli.demo.play", breaks_off)
    for _ in range(2):
        said = type_words("demo", "--folder", str(folder))
        assert said.status == 3
        assert f"its log says why. It is {folder / UNFINISHED / 'referee.log'}." in said.err
        assert {path: path.read_bytes() for path in before} == before
    assert (folder / UNFINISHED / "referee.log").exists()


@pytest.mark.subprocess
def test_a_whole_demonstration_leaves_no_unfinished_one(shown: Shown) -> None:
    assert not (shown.folder / UNFINISHED).exists()
    assert all(Path(place).parent.parent == shown.folder for place in shown.told["letters"].values())


@pytest.mark.subprocess
def test_the_end_says_which_file_to_open_first(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Given(
        folder=shown.folder,
        letters={seat: Path(place) for seat, place in shown.told["letters"].items()},
        pictures=Path(shown.told["pictures"]),
        record=Path(shown.told["record"]),
        moves=76,
        seconds=9.0,
        result="White wins",
    )
    monkeypatch.setattr("referee.cli.demo.run_demo", lambda folder, progress: given)
    last = type_words("demo", "--folder", str(tmp_path / "here")).out.splitlines()[-1]
    (named,) = re.findall(r"Open first (\S+\.txt),", last)
    assert Path(named).read_text().startswith("Your move, turn 1: you play White")
    assert Path(named).with_suffix(".eml").name in last and Path(named).with_suffix(".eml").exists()


def test_that_an_earlier_demonstration_is_replaced_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def plays(folder: Path, progress: Callable[[int, int], None]) -> NoReturn:
        prepare(folder)
        raise RefereeError("That is enough.")

    monkeypatch.setattr("referee.cli.demo.run_demo", plays)
    said = [type_words("demo", "--folder", str(tmp_path / "here")).err for _ in range(2)]
    assert [
        "holds an earlier demonstration, which this one replaces when it is whole" in each for each in said
    ] == [
        False,
        True,
    ]


def test_the_sample_game_that_is_played_is_the_books() -> None:
    sample = sample_game()
    assert sample.first == "white"
    assert {seat: len(moves) for seat, moves in sample.moves.items()} == {"white": 38, "yellow": 38}
    assert sample.deal.startswith("White=A6 C8 E10")
