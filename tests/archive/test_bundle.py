"""The games of an event in one file: it proves itself unchanged, and a hostile one is refused and not unpacked."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.archive.bundle import MANIFEST, Part, check_bundle, whole_of, write_bundle
from referee.archive.event_log import read_log
from referee.archive.exports import bundle_of
from referee.archive.mbox import read_mbox
from referee.games.tournaments.tournament import Competition
from referee.service.queries import write_record
from referee.service.tournaments import TournamentService
from tests.archive.site.made_up import application, sample_game_played
from tests.support.operating import Desk
from tests.support.playing import Club

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


def test_a_bundle_fits_and_its_number_follows_from_its_files_and_its_event() -> None:
    checked = check_bundle(io.BytesIO(bundled()))
    assert checked.fits and (checked.event, checked.files) == ("Spring League", len(PARTS))
    lines = sorted((each.name, hashlib.sha256(each.content).hexdigest()) for each in PARTS)
    written = "event  Spring League\n" + "".join(f"{digest}  {name}\n" for name, digest in lines)
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
        found[MANIFEST] = json.dumps(said | {"sha256": whole_of("", [])}).encode()

    (problem,) = problems(remade(change))
    assert problem.startswith("manifest.json: the number of the whole is ")


def test_a_bundle_that_was_cut_short_anywhere_does_not_fit() -> None:
    whole = bundled()
    for length in range(0, len(whole), 97):
        assert problems(whole[:length]), length
    assert problems(whole + bytes(512)) and problems(whole + b"x") and problems(whole + whole)


def regions(content: bytes) -> dict[str, list[int]]:
    """Return the places of a bundle by what stands there."""
    found: dict[str, list[int]] = {"the end": []}
    end = 0
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        for each in tar:
            begin, end = each.offset_data, each.offset_data + each.size + -each.size % 512
            for what, first, behind in (
                *(("name", 0, 100), ("mode, owner", 100, 124), ("size", 124, 136), ("date", 136, 148)),
                *(("checksum", 148, 156), ("kind", 156, 157), ("link", 157, 257), ("form", 257, 500)),
                ("head's filling", 500, 512),
            ):
                found.setdefault(what, []).extend(range(begin - 512 + first, begin - 512 + behind))
            what = "manifest" if each.name == MANIFEST else "content"
            found.setdefault(what, []).extend(range(begin, begin + each.size))
            found.setdefault("filling", []).extend(range(begin + each.size, end))
    found["the end"].extend(range(end, len(content)))
    return found


REGIONS = regions(bundled())


@pytest.mark.telling(region=["form"])
@pytest.mark.parametrize("region", REGIONS)
def test_a_changed_octet_is_found_wherever_it_is(region: str) -> None:
    whole, random = bundled(), Random(region)
    places = REGIONS[region]
    for place in places if len(places) < 600 else random.sample(places, 600):
        for sign in {whole[place] ^ 1, whole[place] ^ 0x80, random.randrange(256)} - {whole[place]}:
            assert problems(whole[:place] + bytes([sign]) + whole[place + 1 :]), (place, sign)


@pytest.mark.telling(region=["form"])
@pytest.mark.parametrize("region", REGIONS)
def test_octets_that_are_put_in_or_taken_out_are_found(region: str) -> None:
    whole, random = bundled(), Random(region)
    for place in random.sample(REGIONS[region], min(60, len(REGIONS[region]))):
        for octets in (1, 511, 512, 10_240):
            assert problems(whole[:place] + bytes(octets) + whole[place:]), (place, octets)
            assert problems(whole[:place] + whole[place + octets :]), (place, octets)


def _headed(change: Callable[[tarfile.TarInfo], None]) -> bytes:
    """Return a bundle with other heads in the tar, and the checksums that go with them."""
    members = []
    for name, content in files(bundled()).items():
        head = tarfile.TarInfo(name)
        head.mtime = int(AT.timestamp())
        change(head)
        members.append((head, content))
    return tarred(members)


@pytest.mark.parametrize(
    "change", [{"mode": 0o755}, {"uid": 1}, {"gid": 1}, {"uname": "x"}, {"gname": "x"}, {"linkname": "x"}]
)
def test_a_head_that_says_more_does_not_fit(change: dict[str, Any]) -> None:
    assert problems(_headed(lambda head: None)) == ()

    def say_more(head: tarfile.TarInfo) -> None:
        for key, value in change.items():
            setattr(head, key, value)

    said = problems(_headed(say_more))
    assert said and all("its head in the tar is written otherwise" in each for each in said)


def test_dates_and_an_order_that_manifest_and_tar_share_are_without_meaning() -> None:
    assert problems(_headed(lambda head: setattr(head, "mtime", 1))) == ()
    assert check_bundle(io.BytesIO(bundled(PARTS[::-1]))).whole == check_bundle(io.BytesIO(bundled())).whole


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda said: said | {"event": "Spring Leagua"}, "the number of the whole is"),
        (lambda said: said | {"note": "hidden"}, "is written otherwise"),
        (lambda said: dict(reversed(said.items())), "is written otherwise"),
        (lambda said: said | {"files": said["files"][::-1]}, "is written otherwise"),
        (lambda said: said | {"files": [*said["files"], said["files"][0]]}, "a file is listed twice"),
        (lambda said: said | {"files": [each | {"at": 1} for each in said["files"]]}, "is written otherwise"),
    ],
)
def test_a_manifest_that_says_it_otherwise_does_not_fit(
    change: Callable[[dict[str, Any]], dict[str, Any]], why: str
) -> None:
    def forge(found: dict[str, bytes]) -> None:
        found[MANIFEST] = (json.dumps(change(json.loads(found[MANIFEST])), indent=1) + "\n").encode()

    assert any(why in each for each in problems(remade(forge)))


@pytest.mark.telling(parts=[1, 3], filled=[0, 511, 512])
@pytest.mark.parametrize("filled", [0, 1, 511, 512])
@pytest.mark.parametrize("parts", range(1, 8))
def test_a_bundle_of_any_length_fits(parts: int, filled: int) -> None:
    """Also where the tar is just full."""
    for whole in range(19, 23):
        made = [
            Part(f"games/{number}/record.txt", b"x" * (512 * whole + filled), AT)
            for number in range(1, parts)
        ]
        assert problems(bundled(made)) == ()


def plainly(kind: bytes, size: int, name: str = "a") -> bytes:
    """Return a head of a kind that stands before others, such as one that holds the name of the next."""
    head = tarfile.TarInfo(name)
    head.type, head.size = kind, size
    return head.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.telling(content=[b"11 path=a\n"], kind=[*b"1xgLKS"])
@pytest.mark.parametrize("kind", [*b"123456789xgLKSVMDNAZ\x00\xff"])
@pytest.mark.parametrize("content", [b"11 path=a\n", b"1" * 100_000, b"\0" * 100_000, b"n\0"])
def test_heads_of_other_kinds_are_refused_however_many_there_are(kind: int, content: bytes) -> None:
    """Names and sizes that stand in a file of their own, as other tars have them: nothing of them is looked at."""
    filled = content + bytes(-len(content) % 512)
    for count in (1, 3000 if len(content) < 100 else 3):
        said = problems((plainly(bytes([kind]), len(content)) + filled) * count + bundled())
        assert said[0] == "'a': no file of a bundle is called so"
        assert count <= len(said) < count + 3 or len(said) == 1002
        named = plainly(bytes([kind]), len(content), "games/1/record.txt") + filled
        assert problems(named * count + bundled())[0].endswith(
            "plain files alone, no folders, links or devices"
        )


@pytest.mark.parametrize("kind", [*b"0LKxgXS"])
def test_a_file_of_no_size_that_there_is_takes_no_time_and_no_room(kind: int, tmp_path: Path) -> None:
    """Of six thousand million empty octets, of less than none; the file is large, but takes no room on the disk."""
    for size in (6 * 2**30, 2**62, -512, -1024, -1):
        place = tmp_path / f"{size}.tar"
        with place.open("wb") as file:
            file.write(plainly(bytes([kind]), size))
            file.truncate(min(max(size, 0), 6 * 2**30) + 10_240)
        with place.open("rb") as file:
            tracemalloc.start()
            said = check_bundle(file).problems
            assert said and tracemalloc.get_traced_memory()[1] < 2**24
            tracemalloc.stop()


@pytest.mark.parametrize("sign", ["\ud800", "\x1b[31m", "\u202e", "\n", "\u2028"])
def test_an_event_or_a_number_with_signs_that_steer_is_none(sign: str, tmp_path: Path) -> None:
    for key in ("event", "sha256", "format"):

        def forge(found: dict[str, bytes], key: str = key) -> None:
            said = json.loads(found[MANIFEST]) | {key: f"x{sign}"}
            found[MANIFEST] = (json.dumps(said, indent=1) + "\n").encode()

        (tmp_path / "forged.tar").write_bytes(remade(forge))
        for form in ((), ("--json",)):
            said = Desk(tmp_path).do("bundle", "--check", tmp_path / "forged.tar", *form)
            assert (said.status, said.err) == (1, "") and "none of a bundle" in said.out
            assert sign not in said.out.replace("\n", "", 0 if sign != "\n" else -1)


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
    said = problems(head.tobuf(tarfile.GNU_FORMAT) + b"x" * 512)
    assert "it is larger than 268435456 octets" in said[0]


def event(club: Club) -> None:
    TournamentService(club.store, club.service, club.clock).make(Competition("Spring League", ("confusion",)))
    sample_game_played(club, event="Spring League")
    sample_game_played(club, ("Anna A", "Bert B"), attempts=9, event="Spring League")
    sample_game_played(club, ("Carl C", "Dora D"))
    club.posts()


def test_the_bundle_of_an_event_holds_its_games_that_are_over_and_nothing_of_others(club: Club) -> None:
    event(club)
    parts = {each.name: each.content for each in bundle_of(application(club), "spring league")}
    assert sorted(parts) == ["games/1/log.jsonl", "games/1/record.txt"]
    assert parts["games/1/record.txt"].decode() == write_record(application(club), 1, "umpire", bare=True)
    assert read_log(parts["games/1/log.jsonl"].decode().splitlines()).game == 1
    secret = club.game(2).secret.hex().encode()
    for letters in (False, True):
        content = bundled(list(bundle_of(application(club), "Spring League", letters=letters)))
        assert problems(content) == () and secret not in content and b"anna" not in content.lower()
    with_letters = {
        each.name: each.content for each in bundle_of(application(club), "Spring League", letters=True)
    }
    posted = [
        each.content for each in club.collect() if each.game == 1 and each.recipient == "wendy@example.net"
    ]
    assert posted and read_mbox(with_letters["games/1/white.mbox"]) == posted


def test_nothing_private_is_in_it_unless_it_is_asked_for(club: Club) -> None:
    """No press between two players, no diary, and no address, though a title may have one."""
    TournamentService(club.store, club.service, club.clock).make(Competition("Spring League", ("confusion",)))
    anna, bert = club.member("Anna"), club.person("", "bert@example.net")
    number = club.starts({"white": anna, "yellow": bert}, event="Spring League")
    anna.replies("A-S1", "press Good luck!", "diary Is it a Rocket?", to=anna.last_about(number))
    club.referee.umpire.adjudicate(number, "yellow", "Anna gives up.")
    club.posts()
    public = b"".join(each.content for each in bundle_of(application(club), "Spring League"))
    whole = b"".join(each.content for each in bundle_of(application(club), "Spring League", letters=True))
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
    TournamentService(club.store, club.service, club.clock).make(Competition("Winter", ("confusion",)))
    club.close()
    desk = Desk(tmp_path)
    before = sorted(tmp_path.iterdir())
    placed = [str(tmp_path / each) if "." in each else each for each in words]
    said = desk.do("bundle", *placed)
    assert said.status == 2 and why in said.err
    assert [each for each in sorted(tmp_path.iterdir()) if each.suffix == ".tar"] == []
    assert (tmp_path / "referee.toml") in before or desk.config.exists()
