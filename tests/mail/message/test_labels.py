"""What a letter says of its own text is believed as far as the text bears it out."""

from __future__ import annotations

import base64
import codecs
import quopri
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from referee.mail.message.message import Letter, Nature
from referee.mail.message.reader import read_letter
from tests.support.begun import begun, said, tried
from tests.support.playing import Club, new_database

HEAD = b"From: anna@example.net\r\nTo: referee@example.org\r\nMIME-Version: 1.0\r\n"
MARKED = {
    "utf-8": (codecs.BOM_UTF8, "utf-8"),
    "utf-16-le": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be": (codecs.BOM_UTF16_BE, "utf-16-be"),
    "utf-32-le": (codecs.BOM_UTF32_LE, "utf-32-le"),
    "utf-32-be": (codecs.BOM_UTF32_BE, "utf-32-be"),
}
LABELS = (
    "",
    "unicode",
    "utf-8",
    "us-ascii",
    "iso-8859-1",
    "windows-1252",
    "gb2312",
    "koi8-r",
    "utf-16",
    "utf-7",
    "x-?",
)
ENCODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "base64": base64.encodebytes,
    "8bit": bytes,
    "quoted-printable": quopri.encodestring,
}


def read(content: bytes) -> Letter:
    return read_letter(content, service_address="referee@example.org", authserv_ids=["mx.example.org"])


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("media_type", ["text/plain", "text/html"])
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("marked", MARKED)
def test_a_byte_order_mark_is_believed_before_the_label(
    marked: str, label: str, media_type: str, encoding: str
) -> None:
    mark, codec = MARKED[marked]
    text = (
        "V-NW2xZ\r\nÉté – 日本\r\n"
        if media_type == "text/plain"
        else "<p>V-NW2xZ</p>\r\n<p>Été – 日本</p>\r\n"
    )
    said_of_it = f"Content-Type: {media_type}{f'; charset={label}' if label else ''}\r\n"
    content = HEAD + f"{said_of_it}Content-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    letter = read(content + ENCODINGS[encoding](mark + text.encode(codec)))
    assert [line.text for line in letter.lines] == ["V-NW2xZ", "Été - 日本"]


def test_a_text_that_is_cut_within_a_character_is_read_up_to_there() -> None:
    content = HEAD + b"\r\n" + codecs.BOM_UTF16_LE + "A-N1\nst".encode("utf-16-le")[:-1]
    assert read(content).lines[0].text == "A-N1"


def test_a_text_without_any_tag_is_plain_though_it_says_that_it_is_html() -> None:
    content = HEAD + b"Content-Type: text/html; charset=unicode\r\n\r\n"
    letter = read(content + codecs.BOM_UTF16_LE + "status\r\nA-N1\r\n> L-S2".encode("utf-16-le"))
    assert [line.text for line in letter.lines] == ["status", "A-N1"]


TWO = [
    ("Content-Type", "text/plain; charset=utf-8", "text/html"),
    ("Content-Type", "text/plain", "multipart/mixed; boundary=b"),
    ("Content-Type", "multipart/mixed; boundary=a", "multipart/mixed; boundary=b"),
    ("Content-Type", "text/plain; charset=utf-7", "text/plain; charset=utf-8"),
    ("Content-Type", "text/plain; format=flowed", "text/plain"),
    ("Content-Transfer-Encoding", "base64", "7bit"),
    ("Content-Transfer-Encoding", "quoted-printable", "8bit"),
]


@pytest.mark.parametrize(("name", "one", "other"), TWO)
def test_a_letter_that_says_two_things_of_its_text_is_not_read(name: str, one: str, other: str) -> None:
    """The upper one may have been put over a letter that somebody signed."""
    for first, second in ((one, other), (other, one)):
        letter = read(HEAD + f"{name}: {first}\r\n{name}: {second}\r\n\r\nA-N1\r\n".encode())
        assert (letter.nature, letter.lines) == (Nature.UNREADABLE, ())
        assert f"the header {name} stands in the letter twice" in str(letter.reason)


def test_a_letter_that_says_the_same_of_its_text_twice_is_read() -> None:
    twice = b"Content-Type: text/plain; charset=utf-8\r\nContent-Type: text/plain;\r\n charset=UTF-8\r\n"
    assert [line.text for line in read(HEAD + twice + b"\r\nA-N1\r\n").lines] == ["A-N1"]


@pytest.mark.slow
def test_its_writer_is_told_that_it_says_two_things_of_its_text(tmp_path: Path) -> None:
    club = Club(new_database(tmp_path))
    anna, _, game = begun(club)
    headers = ["Content-Type: text/html", "Content-Type: text/plain"]
    anna.writes("L-S2", to=anna.last_about(game)["Reply-To"], headers=headers)
    assert tried(club, game) == []
    told = "the header Content-Type stands in the letter twice, and says different things"
    assert f"It could not be read: {told}." in said(anna.last), "nobody vouches for the upper one"
    anna.replies("confirm")
    assert tried(club, game) == []
    assert told[1:] in said(anna.last)
    club.close()
