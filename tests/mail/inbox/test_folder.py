"""The Maildir door."""

from __future__ import annotations

import os
import shutil
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.common.clock import FixedClock
from referee.common.errors import MailboxClosed
from referee.mail.inbox.mailbox import when_it_came
from referee.mail.inbox.maildir import MaildirMailbox
from referee.mail.message.message import RawLetter
from tests.support.waiting import FOR_EVER, PATIENCE

LETTER = b"From: anna@example.net\r\n\r\nV-NW2\r\n"


def put(box: Path, name: str, content: bytes = LETTER, *, at: int = 1_800_000_000, into: str = "new") -> Path:
    """Lay a letter into a Maildir. at: seconds since 1970."""
    folder = box / into
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(content)
    os.utime(path, (at, at))
    return path


def test_missing_folders_are_made(tmp_path: Path) -> None:
    box = MaildirMailbox(tmp_path / "mail" / "in")
    assert box.unread() == []
    made = {str(path.relative_to(tmp_path / "mail" / "in")) for path in (tmp_path / "mail" / "in").rglob("*")}
    assert made == {
        *("cur", "new", "tmp", ".Done", ".Done/cur", ".Done/new", ".Done/tmp", ".Done/maildirfolder")
    }


def test_letters_of_new_and_cur_come_oldest_first(tmp_path: Path) -> None:
    put(tmp_path, "third", at=1_800_000_030)
    put(tmp_path, "second:2,S", at=1_800_000_020, into="cur")
    put(tmp_path, "first-b", at=1_800_000_010)
    put(tmp_path, "first-a", at=1_800_000_010)
    names = [letter.uid.partition("@")[0] for letter in MaildirMailbox(tmp_path).unread()]
    assert names == ["first-a", "first-b", "second", "third"]


def test_a_letter_carries_its_bytes_size_time_and_place(tmp_path: Path) -> None:
    put(tmp_path, "one")
    (letter,) = MaildirMailbox(tmp_path).unread()
    assert letter.content == LETTER
    assert letter.size == len(LETTER)
    assert letter.received == datetime(2027, 1, 15, 8, 0, tzinfo=UTC)
    assert letter.uidvalidity == 0
    assert letter.mailbox == f"maildir:{tmp_path}"


@pytest.mark.parametrize("at", [-62_135_596_801, -1, 253_402_300_799, 253_402_300_800, 2**55])
def test_a_file_whose_time_is_no_date_counts_as_come_now_and_hides_no_other(tmp_path: Path, at: int) -> None:
    """A file's time can be set to anything that the file system takes, which may be centuries that no calendar has."""
    odd = put(tmp_path, "odd")
    try:
        os.utime(odd, (at, at))
    except OverflowError:
        pytest.skip("no file has such a time here")
    if at > 0 and odd.stat().st_mtime < at:
        pytest.skip("this file system has no such time")
    put(tmp_path, "common")
    now = datetime(2026, 11, 28, tzinfo=UTC)
    came = {
        letter.uid.partition("@")[0]: letter.received
        for letter in MaildirMailbox(tmp_path, FixedClock(now)).unread()
    }
    assert came == {"odd": now, "common": datetime(2027, 1, 15, 8, 0, tzinfo=UTC)}


ZONES = UTC, timezone(timedelta(hours=14)), timezone(-timedelta(hours=12))


@pytest.mark.parametrize(
    "told",
    [
        *(None, -1.0, -1e300, 1e300, float("nan"), float("inf"), 253_402_300_799.9),
        *(datetime(1, 1, 1, tzinfo=zone) for zone in ZONES),
        *(datetime(9999, 12, 31, tzinfo=zone) for zone in ZONES),
    ],
)
def test_what_is_no_date_counts_as_now(told: datetime | float | None) -> None:
    now = datetime(2026, 11, 28, tzinfo=UTC)
    assert when_it_came(told, now) == now


def test_a_date_is_told_in_utc() -> None:
    now = datetime(2026, 11, 28, tzinfo=UTC)
    then = datetime(1970, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    assert when_it_came(then, now) == datetime(1970, 1, 1, tzinfo=UTC) == when_it_came(0.0, now)


def test_whatever_is_wrong_with_one_file_the_others_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes

    def fail_at_odd(path: Path) -> bytes:
        if path.name == "odd":
            raise ValueError("embedded null byte")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", fail_at_odd)
    put(tmp_path, "odd", at=1_800_000_000)
    put(tmp_path, "common", at=1_800_000_010)
    assert [letter.content for letter in MaildirMailbox(tmp_path).unread()] == [None, LETTER]


@settings(max_examples=30, deadline=None)
@given(content=st.binary(max_size=200))
def test_any_bytes_come_out_as_they_went_in(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    box = tmp_path_factory.mktemp("box")
    put(box, "one", content)
    assert [letter.content for letter in MaildirMailbox(box).unread()] == [content]


def test_a_letter_keeps_its_uid_when_a_mail_program_marks_it(tmp_path: Path) -> None:
    path = put(tmp_path, "one")
    box = MaildirMailbox(tmp_path)
    (before,) = box.unread()
    path.rename(tmp_path / "cur" / "one:2,S")
    (after,) = box.unread()
    assert before == after


def test_a_name_used_again_is_another_letter(tmp_path: Path) -> None:
    box = MaildirMailbox(tmp_path)
    put(tmp_path, "reply.eml", b"first", at=1_800_000_000)
    first = box.unread()
    box.handled(first)
    put(tmp_path, "reply.eml", b"second", at=1_800_000_001)
    second = box.unread()
    assert first[0].uid != second[0].uid
    box.handled(second)
    kept = sorted(path.read_bytes() for path in (tmp_path / ".Done" / "cur").iterdir())
    assert kept == [b"first", b"second"]


def test_a_name_used_again_in_the_same_instant_is_another_letter(tmp_path: Path) -> None:
    """Not even the size tells A-S1 from A-S2; each is read, and each is kept."""
    box = MaildirMailbox(tmp_path)
    uids = set()
    for content in (b"A-S1", b"A-S2", b"A-S3"):
        put(tmp_path, "reply.eml", content)
        (letter,) = box.unread()
        assert letter.content == content
        uids.add(letter.uid)
        box.handled([letter])
        assert box.unread() == []
    assert len(uids) == 3
    kept = sorted(path.read_bytes() for path in (tmp_path / ".Done" / "cur").iterdir())
    assert kept == [b"A-S1", b"A-S2", b"A-S3"]


def test_a_letter_put_in_anothers_place_meanwhile_is_not_put_away_unread(tmp_path: Path) -> None:
    box = MaildirMailbox(tmp_path)
    put(tmp_path, "reply.eml", b"A-S1")
    first = box.unread()
    put(tmp_path, "reply.eml", b"A-S2")
    box.handled(first)
    (second,) = box.unread()
    assert second.content == b"A-S2"


def test_letters_in_new_and_cur_of_one_name_are_two(tmp_path: Path) -> None:
    put(tmp_path, "one", b"A-S1")
    put(tmp_path, "one:2,S", b"A-S2", into="cur")
    box = MaildirMailbox(tmp_path)
    letters = box.unread()
    assert len({letter.uid for letter in letters}) == 2
    box.handled(letters)
    assert len(list((tmp_path / ".Done" / "cur").iterdir())) == 2


def test_a_letter_brought_back_as_it_was_keeps_its_uid(tmp_path: Path) -> None:
    """After a restored backup, letters that are in it are recognised, though their files are new ones."""
    box = MaildirMailbox(tmp_path)
    put(tmp_path, "one")
    before = box.unread()
    box.handled(before)
    done = tmp_path / ".Done" / "cur" / "one:2,S"
    shutil.copy2(done, tmp_path / "new" / "one:2,S")
    done.unlink()
    assert [letter.uid for letter in box.unread()] == [letter.uid for letter in before]


def test_handled_letters_go_to_done_and_others_stay(tmp_path: Path) -> None:
    put(tmp_path, "one")
    put(tmp_path, "two:2,", into="cur", at=1_800_000_001)
    put(tmp_path, "three", at=1_800_000_002)
    box = MaildirMailbox(tmp_path)
    box.handled(box.unread()[:2])
    assert sorted(path.name for path in (tmp_path / ".Done" / "cur").iterdir()) == ["one:2,S", "two:2,S"]
    assert [letter.uid.partition("@")[0] for letter in box.unread()] == ["three"]


def test_letters_not_handled_come_again(tmp_path: Path) -> None:
    put(tmp_path, "one")
    box = MaildirMailbox(tmp_path)
    assert box.unread() == box.unread() != []


def test_no_more_come_than_were_asked_for(tmp_path: Path) -> None:
    for number in range(5):
        put(tmp_path, str(number))
    assert len(MaildirMailbox(tmp_path).unread(limit=2)) == 2


def test_a_letter_that_was_moved_away_meanwhile_is_no_trouble(tmp_path: Path) -> None:
    path = put(tmp_path, "one")
    box = MaildirMailbox(tmp_path)
    letters = box.unread()
    path.unlink()
    box.handled(letters)
    assert box.unread() == []


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_of_a_letter_over_the_limit_only_the_header_is_read(tmp_path: Path, end: bytes) -> None:
    header = b"Subject: huge" + end + end
    put(tmp_path, "huge", header + b"x" * 101)
    put(tmp_path, "just", b"x" * 100, at=1_800_000_001)
    huge, just = MaildirMailbox(tmp_path, size_limit=100).unread()
    assert (huge.size, huge.content) == (101 + len(header), header)
    assert just.content == b"x" * 100


def test_a_header_without_end_is_not_read_to_the_end(tmp_path: Path) -> None:
    put(tmp_path, "endless", b"x" * 1_000_000)
    (letter,) = MaildirMailbox(tmp_path, size_limit=100).unread()
    assert letter.content is not None
    assert len(letter.content) < 100_000


def test_a_letter_of_no_octets_has_empty_content(tmp_path: Path) -> None:
    put(tmp_path, "empty", b"")
    (letter,) = MaildirMailbox(tmp_path).unread()
    assert (letter.size, letter.content) == (0, b"")


def test_a_letter_that_is_just_being_written_is_left_until_it_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, "one", LETTER[:9])
    box = MaildirMailbox(tmp_path)
    read = Path.read_bytes

    def while_it_is_written(path: Path) -> bytes:
        found = read(path)
        path.write_bytes(LETTER)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", while_it_is_written)
        assert box.unread() == []
    assert [letter.content for letter in box.unread()] == [LETTER]
    assert path.exists()


def test_an_empty_file_is_left_for_a_moment_to_whoever_has_just_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, "one", b"")
    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", lambda _: path.write_bytes(LETTER))
        assert MaildirMailbox(tmp_path).unread() == []
    assert [letter.content for letter in MaildirMailbox(tmp_path).unread()] == [LETTER]


def test_a_file_that_cannot_be_read_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "locked")
    put(tmp_path, "open", at=1_800_000_001)
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "locked":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    locked, other = MaildirMailbox(tmp_path).unread()
    assert locked.content is None
    assert other.content == LETTER


def test_folders_and_hidden_files_are_no_letters(tmp_path: Path) -> None:
    put(tmp_path, ".hidden")
    (tmp_path / "new" / "folder").mkdir()
    assert MaildirMailbox(tmp_path).unread() == []


@pytest.mark.parametrize("target", ["secret", "nowhere", "folder"])
def test_a_link_is_no_letter_wherever_it_leads(tmp_path: Path, target: str) -> None:
    (tmp_path / "secret").write_bytes(b"root:x:0:0\n")
    (tmp_path / "folder").mkdir()
    box = MaildirMailbox(tmp_path / "in", poll=0.01)
    put(tmp_path / "in", "one")
    (tmp_path / "in" / "new" / "link").symlink_to(tmp_path / target)
    letters = box.unread()
    assert [letter.content for letter in letters] == [LETTER]
    box.handled(letters)
    assert not box.wait(0.03)
    assert (tmp_path / "in" / "new" / "link").is_symlink()


def test_a_pipe_is_no_letter(tmp_path: Path) -> None:
    put(tmp_path, "one")
    os.mkfifo(tmp_path / "new" / "pipe")
    assert [letter.content for letter in MaildirMailbox(tmp_path).unread()] == [LETTER]


def test_letters_that_cannot_be_moved_are_passed_over_and_moved_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "one")
    box = MaildirMailbox(tmp_path)
    letters = box.unread()

    def refuse(path: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuse)
        box.handled(letters)
    assert box.unread() == []
    box.handled([])
    assert [path.name for path in (tmp_path / ".Done" / "cur").iterdir()] == ["one:2,S"]


def test_a_place_where_nothing_can_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(MailboxClosed, match=r"file/in cannot be used.*may write in it"):
        MaildirMailbox(tmp_path / "file" / "in").unread()


def test_probing_leaves_nothing_behind(tmp_path: Path) -> None:
    MaildirMailbox(tmp_path).probe()
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["maildirfolder"]


def test_the_letters_that_lie_there_are_counted(tmp_path: Path) -> None:
    box = MaildirMailbox(tmp_path)
    assert box.waiting() == 0
    put(tmp_path, "one")
    put(tmp_path, "two")
    assert box.waiting() == 2
    box.handled(box.unread(limit=1))
    assert box.waiting() == 1


def test_waiting_ends_when_a_letter_comes(tmp_path: Path) -> None:
    box = MaildirMailbox(tmp_path, poll=0.01)
    box.unread()
    threading.Timer(0.05, put, [tmp_path, "one"]).start()
    assert box.wait(PATIENCE)


def test_waiting_ends_at_once_for_a_letter_beyond_the_last_look(tmp_path: Path) -> None:
    put(tmp_path, "one")
    put(tmp_path, "two")
    box = MaildirMailbox(tmp_path, poll=0.01)
    box.unread(limit=1)
    assert box.wait(0.05)
    box.unread()
    assert not box.wait(0.05)  # all have been shown: whoever left them there has a reason


def test_waiting_ends_after_its_time(tmp_path: Path) -> None:
    assert not MaildirMailbox(tmp_path, poll=0.01).wait(0.03)


def test_waiting_can_be_interrupted_and_the_door_used_again(tmp_path: Path) -> None:
    box = MaildirMailbox(tmp_path, poll=30)
    threading.Timer(0.05, box.interrupt).start()
    assert not box.wait(FOR_EVER)
    assert not box.wait(FOR_EVER)
    box.close()
    put(tmp_path, "one")
    assert box.wait(PATIENCE)


@pytest.mark.parametrize("length", [250, 251, 252, 255])
def test_a_letter_whose_name_is_as_long_as_can_be_is_put_away(tmp_path: Path, length: int) -> None:
    """Two of them, whose names differ only at the end, and one of the same name that comes later."""
    box = MaildirMailbox(tmp_path)
    names = [f"{'n' * (length - 1)}{end}" for end in "ab"]
    for name in names:
        put(tmp_path, name, name.encode())
    box.handled(box.unread())
    put(tmp_path, names[0], b"once more", at=1_800_000_100)
    box.handled(box.unread())
    assert box.waiting() == 0
    kept = {path.read_bytes() for path in (tmp_path / ".Done" / "cur").iterdir()}
    assert kept == {*map(str.encode, names), b"once more"}
    assert all(path.name.endswith(":2,S") for path in (tmp_path / ".Done" / "cur").iterdir())


def test_letters_seen_before_can_be_left_out_and_still_be_put_away(tmp_path: Path) -> None:
    for number in range(5):
        put(tmp_path, str(number), b"%d" % number, at=1_800_000_000 + number)
    box = MaildirMailbox(tmp_path)
    first = [replace(letter, content=None) for letter in box.unread(2)]
    second = box.unread(2, first)
    assert [letter.content for letter in second] == [b"2", b"3"]
    assert [letter.content for letter in box.unread(2, [*first, *second])] == [b"4"]
    assert box.unread(2, box.unread()) == []
    assert not box.wait(0), "what is left out is no news"
    box.handled(first)
    assert [letter.content for letter in box.unread()] == [b"2", b"3", b"4"]


def test_no_more_letters_are_read_together_than_the_memory_bears(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.mail.inbox.maildir.TOGETHER", 100)
    for number, size in enumerate((40, 60, 1, 150, 20, 9000, 70)):
        put(tmp_path, str(number), b"x" * size, at=1_800_000_000 + number)
    box = MaildirMailbox(tmp_path, size_limit=200)
    together, seen = [], list[RawLetter]()
    while letters := box.unread(besides=seen):
        together.append([letter.size for letter in letters])
        seen += letters
    assert together == [[40, 60], [1], [150], [20], [9000], [70]]


def test_a_letter_for_which_the_memory_does_not_suffice_comes_without_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "large", at=1_800_000_000)
    put(tmp_path, "small", at=1_800_000_001)
    read = Path.read_bytes

    def fail(path: Path) -> bytes:
        if path.name == "large":
            raise MemoryError
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", fail)
    assert [letter.content for letter in MaildirMailbox(tmp_path).unread()] == [None, LETTER]
