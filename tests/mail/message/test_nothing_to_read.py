"""A person's letter in which nothing can be read is answered once: why, and what to do; a machine's is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mail.message.test_corpus import CORPUS, ROWS
from tests.support.playing import Club, Correspondent, Exchange, new_database

UNREADABLE = [row for row in ROWS if row.get("reason") and row.get("nature", "unreadable") == "unreadable"]
MACHINES = [row for row in ROWS if row.get("nature") in ("calendar", "reaction", "receipt", "auto-reply")]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    opened = Club(new_database(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def players(club: Club) -> dict[str, Correspondent]:
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.starts({"white": anna, "yellow": bert})
    return {who.address: who for who in (anna, bert)}


def send(club: Club, players: dict[str, Correspondent], name: str) -> tuple[Correspondent, Exchange]:
    """Send a letter of the corpus as if it were about the players' game; return its writer and what became of it."""
    content = (CORPUS / name).read_bytes()
    writer = next(
        who for address, who in players.items() if f"<{address}>".encode() in content.split(b"Subject:")[0]
    )
    tag = writer.last["Reply-To"].partition("+")[2].partition("@")[0]
    content = content.replace(b"t4m2q8x6w0r5y7k1", tag.encode()).replace(b"[game 12]", b"[game 1]")
    return writer, club.take(club.raw(content))


def test_every_way_of_saying_nothing_has_its_letter() -> None:
    assert {row["file"] for row in UNREADABLE} >= {
        "winmail.eml",
        "pgp-encrypted.eml",
        "pgp-inline-encrypted.eml",
        "smime-encrypted.eml",
        "smime-opaque.eml",
        "picture-alone.eml",
        "letter-alone.eml",
        "empty.eml",
        "quotations-alone.eml",
        "too-deep.eml",
        "many-parts.eml",
    }


@pytest.mark.parametrize("row", UNREADABLE, ids=[row["file"] for row in UNREADABLE])
def test_a_letter_without_readable_text_is_told_why_and_what_to_do(
    club: Club, players: dict[str, Correspondent], row: dict[str, str]
) -> None:
    writer, came = send(club, players, row["file"])
    assert came.settled is not None
    assert (came.settled.outcome, came.settled.moves) == ("answered", 0)
    answer = came.only
    assert (answer.recipient, answer.kind, answer.game) == (writer.address, "help", 1)
    head, _, why, *_ = answer.text.splitlines()
    assert head == "Your letter could not be read."
    said = row["reason"][0].upper() + row["reason"][1:]
    assert why == (
        f"{said}. Nothing in it has counted; send the line again as plain text, not encrypted, "
        "not attached, and above what is quoted."
    )


@pytest.mark.parametrize("row", MACHINES, ids=[row["file"] for row in MACHINES])
def test_what_a_program_sent_by_itself_is_not_answered(
    club: Club, players: dict[str, Correspondent], row: dict[str, str]
) -> None:
    _, came = send(club, players, row["file"])
    assert came.settled is not None
    assert (came.settled.outcome, came.settled.reason, came.sent) == ("ignored", row["reason"], ())
