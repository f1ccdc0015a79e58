"""The Maildir way out."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.errors import DeliveryRefused
from referee.mail.message.delivery_status import speaks_of
from referee.mail.message.refusals import status_among_words
from referee.mail.outbox.maildir import MaildirPost, file_name
from referee.mail.outbox.transport import PostClosed
from tests.mail.outbox.fakes import Waiting


def post(path: Path, letter: Waiting) -> str:
    return asyncio.run(MaildirPost(path).send(letter))


def test_a_letter_becomes_a_file_in_new_byte_for_byte(tmp_path: Path) -> None:
    answer = post(tmp_path / "mail" / "out", Waiting.make(1, content=b"\x00\xff\n\r\n"))
    assert answer == "written to new/letter1@example.org"
    (file,) = (tmp_path / "mail" / "out" / "new").iterdir()
    assert file.name == "letter1@example.org"
    assert file.read_bytes() == b"\x00\xff\n\r\n"
    assert sorted(path.name for path in (tmp_path / "mail" / "out").iterdir()) == ["cur", "new", "tmp"]
    assert list((tmp_path / "mail" / "out" / "tmp").iterdir()) == []


def test_a_repeat_overwrites(tmp_path: Path) -> None:
    post(tmp_path, Waiting.make(1))
    post(tmp_path, Waiting.make(1))
    post(tmp_path, Waiting.make(2))
    assert len(list((tmp_path / "new").iterdir())) == 2


@given(st.text(max_size=300))
def test_any_message_id_gives_a_safe_name(message_id: str) -> None:
    name = file_name(message_id)
    assert 1 <= len(name) <= 200
    assert not name.startswith((".", "-"))
    assert not set(name) & set("/:\0")
    assert name.isascii()


@given(st.text(max_size=40), st.text(max_size=40))
def test_different_message_ids_give_different_names(one: str, other: str) -> None:
    assert (file_name(one) == file_name(other)) == (one == other)


@pytest.mark.parametrize("odd", ["../../etc/passwd", "a:2,S", ".hidden", "", "x" * 201])
def test_odd_message_ids_are_hashed(odd: str) -> None:
    assert file_name(odd).startswith("sha256-")


def test_a_place_that_cannot_be_written_closes_the_post(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(PostClosed, match=r"cannot be written.*may write there"):
        post(tmp_path / "file", Waiting.make(1))
    with pytest.raises(PostClosed, match="cannot be written"):
        MaildirPost(tmp_path / "file").probe()


def test_a_full_disk_closes_the_post_and_leaves_no_half_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(PostClosed, match=r"No space left on device.*room on the disk"):
        post(tmp_path, Waiting.make(1))
    assert list((tmp_path / "new").iterdir()) == []


ERRORS = [
    (errno.ENOSPC, "room on the disk"),
    (errno.EDQUOT, "may take of the disk"),
    (errno.EROFS, "be written again"),
    (errno.EIO, "the system's log"),
    (errno.EACCES, "the right to write there"),
]


def failing(monkeypatch: pytest.MonkeyPatch, step: str, number: int) -> None:
    """Let a step of writing a letter fail: the opening of its file, the writing, its confirmation, or the renaming."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    class Full(io.BytesIO):
        write = fail  # type: ignore[assignment]

    match step:
        case "open":
            monkeypatch.setattr(Path, "open", fail)
        case "write":
            monkeypatch.setattr(Path, "open", lambda path, mode: path.touch() or Full())
        case "fsync":
            monkeypatch.setattr(os, "fsync", fail)
        case "rename":
            monkeypatch.setattr(Path, "replace", fail)


@pytest.mark.parametrize(("number", "cure"), ERRORS)
@pytest.mark.parametrize("step", ["open", "write", "fsync", "rename"])
def test_what_keeps_a_letter_from_being_written_closes_the_post_and_says_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int, cure: str
) -> None:
    with monkeypatch.context() as failure:
        failing(failure, step, number)
        with pytest.raises(PostClosed) as closed:
            post(tmp_path, Waiting.make(1))
    assert os.strerror(number) in str(closed.value) and cure in str(closed.value)
    assert list((tmp_path / "new").iterdir()) == []
    assert step == "rename" or list((tmp_path / "tmp").iterdir()) == [], "half a letter takes room"
    assert post(tmp_path, Waiting.make(1)).startswith("written")


@pytest.mark.parametrize(("number", "cure"), ERRORS)
@pytest.mark.parametrize("step", ["open", "write", "fsync"])
def test_probing_finds_what_would_keep_a_letter_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int, cure: str
) -> None:
    failing(monkeypatch, step, number)
    with pytest.raises(PostClosed, match=cure):
        MaildirPost(tmp_path).probe()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def folder_fails(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let the confirmation of a folder fail, and that of a file not."""
    usual = os.fsync

    def fsync(opened: int) -> None:
        if stat.S_ISDIR(os.fstat(opened).st_mode):
            raise OSError(number, os.strerror(number))
        usual(opened)

    monkeypatch.setattr(os, "fsync", fsync)


def test_a_letter_that_lies_there_but_may_be_lost_with_the_power_was_perhaps_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reads the Maildir may have it by now: written again without end, it would come without end."""
    folder_fails(monkeypatch, errno.EIO)
    with pytest.raises(DeliveryRefused) as refused:
        post(tmp_path, Waiting.make(1))
    assert not isinstance(refused.value, PostClosed)
    assert (refused.value.temporary, refused.value.uncertain) == (True, True)
    assert speaks_of(status_among_words(str(refused.value))) == "service"


def test_a_file_system_that_confirms_no_folders_takes_letters_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder_fails(monkeypatch, errno.EINVAL)
    assert post(tmp_path, Waiting.make(1)).startswith("written")


def test_probing_leaves_nothing_behind(tmp_path: Path) -> None:
    MaildirPost(tmp_path).probe()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
