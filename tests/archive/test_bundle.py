"""The games of an event in one file: it proves itself unchanged, and a hostile one is refused and not unpacked."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.archive.bundle import MANIFEST, Part, check_bundle, whole_of, write_bundle
from referee.archive.event_log import read_log
from referee.archive.mbox import read_mbox
from referee.archive_room import bundle_of
from referee.competitions.competition import Competition
from referee.reading_room import write_record
from referee.secretary import Secretary
from tests.archive.made_up import premises, sample_game_played
from tests.operating import Desk
from tests.playing import Club

AT = datetime(2026, 3, 7, 9, 5, 1, tzinfo=UTC)
PARTS = [
    Part(f"games/{number}/{name}", f"{name} of game {number}".encode(), AT)
    for number in (2, 10)
    for name in ("log.jsonl", "record.txt", "white.mbox")
]


def bundled(parts: list[Part] = PARTS) -> bytes:
    file = io.BytesIO()
    write_bundle(file, "Spring League", parts)
    return file.getvalue()


def problems(content: bytes) -> tuple[str, ...]:
    return check_bundle(io.BytesIO(content)).problems


def files(content: bytes) -> dict[str, bytes]:
    """Return what another program unpacks."""
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        return {each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]


def remade(change: Callable[[dict[str, bytes]], None]) -> bytes:
    """Return a bundle of which the files were changed, and nothing else."""
    found = files(bundled())
    change(found)
    return tarred([(tarfile.TarInfo(name), content) for name, content in found.items()])


def tarred(members: list[tuple[tarfile.TarInfo, bytes]]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for head, content in members:
            head.size = len(content)
            tar.addfile(head, io.BytesIO(content))
    return file.getvalue()


def test_a_bundle_fits_and_its_number_follows_from_its_files_alone() -> None:
    checked = check_bundle(io.BytesIO(bundled()))
    assert checked.fits and (checked.event, checked.files) == ("Spring League", len(PARTS))
    lines = sorted((each.name, hashlib.sha256(each.content).hexdigest()) for each in PARTS)
    written = "".join(f"{digest}  {name}\n" for name, digest in lines)
    assert checked.whole == hashlib.sha256(written.encode()).hexdigest()
    said = json.loads(files(bundled())[MANIFEST])
    assert said["sha256"] == checked.whole and said["format"] == "referee bundle 1"


def test_the_same_games_give_the_same_bytes_and_any_tar_reads_them() -> None:
    assert bundled() == bundled([*PARTS])
    assert files(bundled())["games/10/record.txt"] == b"record.txt of game 10"
    with tarfile.open(fileobj=io.BytesIO(bundled())) as tar:
        assert {(each.uid, each.gid, each.uname, each.mode) for each in tar} == {(0, 0, "", 0o644)}
        assert {each.mtime for each in tar} == {int(AT.timestamp())}


def _changed(name: str, content: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda found: found.update({name: content})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_changed("games/2/record.txt", b"record.txt of game 3"), "games/2/record.txt: its SHA-256 is"),
        (
            _changed("games/2/record.txt", b"shorter"),
            "games/2/record.txt: it has 7 octets, by the manifest 20",
        ),
        (lambda found: found.pop("games/10/log.jsonl"), "games/10/log.jsonl: it is missing"),
        (lambda found: found.pop(MANIFEST), "there is no manifest.json"),
        (_changed("games/11/record.txt", b"x"), "games/11/record.txt: the manifest does not list it"),
        (_changed("games/11/record.txt", b"x"), "it stands behind the manifest"),
        (_changed(MANIFEST, b"{}"), "manifest.json is none of a bundle"),
        (_changed(MANIFEST, b"[" * 100_000), "manifest.json is none of a bundle"),
        (_changed(MANIFEST, b'{"format": "referee bundle 2"}'), "its format is not 'referee bundle 1'"),
    ],
)
def test_what_does_not_fit_is_named(change: Callable[[dict[str, bytes]], None], why: str) -> None:
    assert any(why in each for each in problems(remade(change))), problems(remade(change))


def test_a_manifest_whose_number_of_the_whole_is_another_does_not_fit() -> None:
    def change(found: dict[str, bytes]) -> None:
        said = json.loads(found[MANIFEST])
        found[MANIFEST] = json.dumps(said | {"sha256": whole_of([])}).encode()

    (problem,) = problems(remade(change))
    assert problem.startswith("manifest.json: the number of the whole is ")


def test_a_bundle_that_was_cut_short_anywhere_does_not_fit() -> None:
    whole = bundled()
    end = max(at for at in range(0, len(whole), 512) if whole[at : at + 512].strip(b"\0"))
    for length in range(0, end, 97):
        assert problems(whole[:length]), length


def test_a_changed_octet_is_found_wherever_it_is() -> None:
    """In a head of the tar, a file, the manifest; not in what fills a block up, which is of no file."""
    whole = bundled()
    for place in range(0, len(whole), 41):
        forged = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        if whole[place]:
            same = files_or_none(forged) == files(whole)
            assert problems(forged) or same, place


def files_or_none(content: bytes) -> dict[str, bytes] | None:
    try:
        return files(content)
    except (tarfile.TarError, AttributeError, OSError):
        return None


def _hostile() -> Iterator[tuple[str, tarfile.TarInfo]]:
    for name in (
        "/etc/passwd",
        "../games/1/record.txt",
        "games/../../x.txt",
        "games/1/../2/record.txt",
        "x" * 300,
    ):
        yield "is called so", tarfile.TarInfo(name)
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
        head = tarfile.TarInfo("games/1/record.txt")
        head.type, head.linkname = kind, "/etc/passwd"
        yield "plain files alone", head


@pytest.mark.parametrize(("why", "head"), list(_hostile()))
def test_a_hostile_file_is_refused(why: str, head: tarfile.TarInfo, tmp_path: Path) -> None:
    (first, *_) = problems(tarred([(head, b"")]))
    assert why in first
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_says_it_is_huge_is_not_read() -> None:
    head = tarfile.TarInfo("games/1/record.txt")
    head.size = 10**12
    said = problems(head.tobuf() + b"x" * 512)
    assert "it is larger than 1073741824 octets" in said[0]


def event(club: Club) -> None:
    Secretary(club.store, club.service, club.clock).make(Competition("Spring League", ("confusion",)))
    sample_game_played(club, event="Spring League")
    sample_game_played(club, ("Anna A", "Bert B"), attempts=9, event="Spring League")
    sample_game_played(club, ("Carl C", "Dora D"))
    club.posts()


def test_the_bundle_of_an_event_holds_its_games_that_are_over_and_nothing_of_others(club: Club) -> None:
    event(club)
    parts = {each.name: each.content for each in bundle_of(premises(club), "spring league")}
    assert sorted(parts) == ["games/1/log.jsonl", "games/1/record.txt"]
    assert parts["games/1/record.txt"].decode() == write_record(premises(club), 1, "umpire", bare=True)
    assert read_log(parts["games/1/log.jsonl"].decode().splitlines()).game == 1
    secret = club.game(2).secret.hex().encode()
    for letters in (False, True):
        content = bundled(list(bundle_of(premises(club), "Spring League", letters=letters)))
        assert problems(content) == () and secret not in content and b"anna" not in content.lower()
    with_letters = {
        each.name: each.content for each in bundle_of(premises(club), "Spring League", letters=True)
    }
    posted = [
        each.content for each in club.collect() if each.game == 1 and each.recipient == "wendy@example.net"
    ]
    assert posted and read_mbox(with_letters["games/1/white.mbox"]) == posted


def test_nothing_private_is_in_it_unless_it_is_asked_for(club: Club) -> None:
    """No press between two players, no diary, and no address, though a title may have one."""
    Secretary(club.store, club.service, club.clock).make(Competition("Spring League", ("confusion",)))
    anna, bert = club.member("Anna"), club.person("", "bert@example.net")
    number = club.starts({"white": anna, "yellow": bert}, event="Spring League")
    anna.replies("A-S1", "press Good luck!", "diary Is it a Rocket?", to=anna.last_about(number))
    club.house.adjudicate(number, "yellow", "Anna gives up.")
    club.posts()
    public = b"".join(each.content for each in bundle_of(premises(club), "Spring League"))
    whole = b"".join(each.content for each in bundle_of(premises(club), "Spring League", letters=True))
    for private in (b"Good luck", b"Is it a Rocket", b"@example.net"):
        assert private not in public and private in whole


def test_the_command_writes_a_bundle_and_checks_it(club: Club, tmp_path: Path) -> None:
    event(club)
    club.close()
    desk = Desk(tmp_path)
    whole = desk.done("bundle", "Spring League", "-o", tmp_path / "league.tar").out.strip()
    assert whole in desk.done("bundle", "--check", tmp_path / "league.tar").out
    again = desk.done("bundle", "Spring League", "-o", tmp_path / "again.tar", "--json").json
    assert again["sha256"] == whole and len(again["files"]) == 2
    assert (tmp_path / "again.tar").read_bytes() == (tmp_path / "league.tar").read_bytes()
    content = (tmp_path / "league.tar").read_bytes()
    (tmp_path / "forged.tar").write_bytes(content.replace(b"White wins", b"White lost", 1))
    said = desk.do("bundle", "--check", tmp_path / "forged.tar")
    assert said.status == 1 and "games/1/" in said.out
    assert not desk.do("bundle", "--check", tmp_path / "forged.tar", "--json").json["fits"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Spring League",), "into which file"),
        (("Cup", "-o", "cup.tar"), "there is no event 'Cup'"),
        (("Winter", "-o", "winter.tar"), "Winter has no game that is over"),
        (("Spring League", "-o", "referee.toml"), "is there already"),
        (("Spring League", "--check", "referee.toml"), "--check stands alone"),
    ],
)
def test_what_cannot_be_bundled_is_named(
    club: Club, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    event(club)
    Secretary(club.store, club.service, club.clock).make(Competition("Winter", ("confusion",)))
    club.close()
    desk = Desk(tmp_path)
    before = sorted(tmp_path.iterdir())
    placed = [str(tmp_path / each) if "." in each else each for each in words]
    said = desk.do("bundle", *placed)
    assert said.status == 2 and why in said.err
    assert [each for each in sorted(tmp_path.iterdir()) if each.suffix == ".tar"] == []
    assert (tmp_path / "referee.toml") in before or desk.config.exists()
