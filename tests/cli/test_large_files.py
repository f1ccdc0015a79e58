"""Files that never end, or are larger than such a file can be: refused in a sentence, before they are read."""

from __future__ import annotations

import io
import os
import pty
import subprocess
from pathlib import Path

import pytest

from referee.common.errors import UsageError
from referee.common.files import read_file, read_stream
from referee.rulebooks.catalogue import RULEBOOKS
from referee.rulebooks.record_text import LARGEST_RECORD, MOST_RETURNS
from referee.rulebooks.rulebook import Rulebook
from tests.support.operating import SEATS, Desk, type_words

ENDLESS = "/dev/zero"


class Counted(io.RawIOBase):
    """An endless file that counts what is taken of it."""

    name = "endless"

    def __init__(self) -> None:
        self.taken = 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "an endless file is not read to its end"
        self.taken += size
        return b"x" * size


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture(params=["400 MB", "endless"])
def large(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A file of 400 MB that takes no room on the disk, or one that never ends."""
    if request.param == "endless":
        return ENDLESS
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(400_000_000)
    return str(path)


def test_no_more_is_read_than_such_a_file_can_have() -> None:
    file = Counted()
    with pytest.raises(
        UsageError, match="endless: this has more than 1,000 bytes, and a record never has so many"
    ):
        read_stream(file, 1000, "a record")  # type: ignore[arg-type]
    assert file.taken == 1001


def test_a_file_that_is_just_large_enough_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 1000)
    assert read_file(path, 1000, "a record") == b"x" * 1000
    with pytest.raises(UsageError, match="999"):
        read_file(path, 999, "a record")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("replay", "FILE"), 2),
        (("verify", "FILE"), 2),
        (("verify", "--script", "--", "FILE"), 2),
        (("replay", __file__, "--table", "FILE"), 2),
        (("verify", __file__, "--table", "FILE"), 2),
        (("read", "FILE"), 2),
        (("event", "new", "FILE", "--dry-run"), 2),
        (("new", "confusion", *SEATS, "--from", "FILE"), 2),
        (("--config", "FILE", "check"), 2),
        (("scenario", "check", "FILE"), 1),
        (("bundle", "--check", "FILE"), 1),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "",
)
def test_a_large_file_is_refused_in_a_sentence(
    desk: Desk, large: str, words: tuple[str, ...], status: int
) -> None:
    typed = [large if word == "FILE" else word for word in words]
    said = type_words(*typed) if "--config" in typed else desk.do(*typed)
    assert said.status == status, said
    told = said.err + said.out
    assert "Traceback" not in told and len(told) < 1000
    assert large in told or status == 1


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.name)
def test_a_record_that_is_taken_back_too_often_is_not_played(rulebook: Rulebook) -> None:
    seat = rulebook.seats[0].capitalize()
    record = f"1. x\ntaken back to 1 {seat}: x\n" * 60_000
    (error,) = rulebook.records.replay(record).errors
    assert (error.row, error.reason) == (
        0,
        f"by line {2 * MOST_RETURNS + 2} it is taken back more than {MOST_RETURNS} times, and no game is",
    )
    (error,) = rulebook.records.replay("x" * (LARGEST_RECORD + 1)).errors
    assert f"{LARGEST_RECORD:,}" in error.reason


@pytest.mark.subprocess
def test_a_letter_shown_on_a_terminal_cannot_steer_it_and_goes_into_a_file_as_it_is(
    desk: Desk, tmp_path: Path
) -> None:
    letter = b"From: a@example.net\r\nSubject: \x1b]0;x\x07\r\n\r\n\x1b[2J caf\xc3\xa9 \xff\r\n"
    desk.put(letter)
    desk.done("run", "--once")
    shown = _on_a_terminal(desk.command("letters", "show", "1", "--raw"))
    assert b"\x1b" not in shown and b"\x07" not in shown
    assert b"\\x1b[2J caf\xc3\xa9 \\xff" in shown
    desk.done("letters", "show", "1", "--raw", "--to", str(tmp_path / "letter.eml"))
    assert (tmp_path / "letter.eml").read_bytes() == letter
    assert desk.do("letters", "show", "1", "--to", "x").status == 2


def _on_a_terminal(command: list[str]) -> bytes:
    """Return what a command writes to a terminal."""
    ours, its = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        process = subprocess.run(command, stdout=its, stderr=subprocess.PIPE, check=False, timeout=60)
        os.close(its)
        assert process.returncode == 0, process.stderr
        pieces = []
        try:
            while piece := terminal.read(65536):
                pieces.append(piece)
        except OSError:  # the other end is closed, and all of it is read
            pass
        return b"".join(pieces)
