"""Every letter of the corpus is read as its index says.

Each file is one thing that goes wrong in letters; all people and addresses are invented.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.mail.message.message import Letter
from referee.mail.message.reader import read_letter

CORPUS = Path(__file__).parent / "corpus"
ROWS: list[dict[str, Any]] = tomllib.loads((CORPUS / "index.toml").read_text(encoding="utf-8"))["letter"]


def read(name: str) -> Letter:
    content = (CORPUS / name).read_bytes()
    return read_letter(content, service_address="referee@example.org", authserv_ids=["mx.example.org"])


@pytest.mark.parametrize("row", ROWS, ids=[row["file"] for row in ROWS])
def test_a_letter_is_read_as_the_index_says(row: dict[str, Any]) -> None:
    letter = read(row["file"])
    nature = row.get("nature", "person")
    verified = row.get("verified", True)

    assert (letter.nature, str(letter.reason)) == (nature, row.get("reason", ""))
    assert [line.text for line in letter.lines] == row.get("lines", [])
    if "numbers" in row:
        assert [line.number for line in letter.lines] == row["numbers"]
    assert letter.verified == verified, letter.verdict
    if "sender" in row:
        assert letter.sender == row["sender"]
    elif nature == "person":
        assert letter.sender in ("anna@example.net", "bert@example.com")
    assert bool(letter.sender_fault) == row.get("fault", False)
    if "name" in row:
        assert letter.sender_name == row["name"]
    assert letter.tags == tuple(row.get("tags", ["t4m2q8x6w0r5y7k1"]))
    assert letter.thread == tuple(row.get("thread", ["g12.4.anna@example.org", "g12.1.anna@example.org"]))
    assert letter.subject_game == (12 if row.get("subject_game", True) else None)
    domain = letter.sender.rpartition("@")[2] or "example.com"
    assert letter.message_id == row.get("message_id", f"{Path(row['file']).stem}@{domain}")
    if nature == "bounce":
        assert letter.bounced[0] == row["bounced"][0]
        assert letter.bounce_permanent == row.get("permanent", False)


def test_every_letter_of_the_folder_stands_in_the_index() -> None:
    assert sorted(path.name for path in CORPUS.glob("*.eml")) == sorted(row["file"] for row in ROWS)


def test_a_letter_reads_the_same_with_every_kind_of_line_end() -> None:
    """Given the letters with CRLF, when they come with LF or CR alone, then nothing else is read from them."""
    for row in ROWS:
        content = (CORPUS / row["file"]).read_bytes()
        assert b"\r\n" in content
        as_it_came = read(row["file"])
        for end in (b"\n", b"\r"):
            again = read_letter(
                content.replace(b"\r\n", end),
                service_address="referee@example.org",
                authserv_ids=["mx.example.org"],
            )
            assert again.lines == as_it_came.lines, row["file"]
            assert again.nature == as_it_came.nature
