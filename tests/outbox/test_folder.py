"""The Maildir way out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.outbox.door import PostClosed
from referee.outbox.folder import MaildirPost, file_name
from tests.outbox.fakes import Waiting


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


def test_probing_leaves_nothing_behind(tmp_path: Path) -> None:
    MaildirPost(tmp_path).probe()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
