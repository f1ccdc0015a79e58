"""Long letters of people are read whole; what is longer is cut, said to be, and costs no more than so many lines."""

from __future__ import annotations

import base64

import pytest

from referee.mail.message import quoting
from referee.mail.message.limits import LARGE_MARKUP_OCTETS, OWN_LINES, QUOTED_OCTETS, TEXT_LINES, TEXT_OCTETS
from referee.mail.message.plain_text import SeenLine
from referee.mail.message.reader import read_letter

HEAD = b"From: anna@example.net\r\nTo: referee@example.org\r\n"
PLAIN = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"


def read(content: bytes) -> tuple[list[str], int]:
    letter = read_letter(content, service_address="referee@example.org", authserv_ids=())
    return [line.text for line in letter.lines], letter.cut_below


def thread(turns: int) -> bytes:
    """Return what stands below the answer after so many turns: each letter quotes those before it."""
    rows = [
        f"{'> ' * depth}Turn {turns - depth}, line {row} of a report of ours"
        for depth in range(1, turns + 1)
        for row in range(40)
    ]
    return "\r\n".join(rows).encode() + b"\r\n"


def test_a_letter_of_three_hundred_orders_is_read_whole() -> None:
    orders = [f"MV RI{n} R15 A20" for n in range(1, OWN_LINES + 1)]
    said = "\r\n".join(orders).encode()
    assert read(PLAIN + said + b"\r\n\r\n-- \r\nAnna\r\n") == (orders, 0)


def test_a_long_text_is_read_whole() -> None:
    text = "press " + "and so on " * 3_000
    assert read(PLAIN + text.encode() + b"\r\n") == ([text.strip()], 0)


def test_a_letter_with_a_photo_of_a_megabyte_is_read_whole() -> None:
    photo = base64.encodebytes(bytes(range(256)) * 2_800)
    parts = (
        b"--b\r\nContent-Type: text/plain\r\n\r\nA-N1\r\n",
        b"--b\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n" + photo,
    )
    assert read(HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"".join(parts)) == (
        ["A-N1"],
        0,
    )


def test_an_answer_above_and_below_a_thread_of_sixty_turns_is_read() -> None:
    """Given our letters of sixty turns quoted within one another, longer than a text may be, then the answer counts."""
    quoted = thread(60)
    assert TEXT_OCTETS < len(quoted) < QUOTED_OCTETS
    assert quoted.count(b"\n") > TEXT_LINES
    assert read(PLAIN + b"A-N1\r\n\r\n" + quoted + b"\r\nC-N1\r\n") == (["A-N1", "C-N1"], 0)


@pytest.mark.parametrize(
    ("body", "last"),
    [
        (PLAIN + b"A-N1\r\n" * (OWN_LINES + 1), OWN_LINES),
        (PLAIN + b"A-N1\r\n" + b"\r\n" * TEXT_LINES + b"C-N1\r\n", TEXT_LINES),
        (PLAIN + b"A-N1\r\n" + b"x" * 63_000 + b"\r\n" + b"y" * 63_000 + b"\r\nC-N1\r\n", 2),
        (HEAD + b"Content-Type: text/html\r\n\r\n<p>A-N1</p>" + b"<b></b>" * 9_000 + b"<p>C-N1</p>", 1),
        (HEAD + b"Content-Type: text/html\r\n\r\n<p>A-N1</p><p>" + b"x" * 300_000 + b"</p><p>C-N1</p>", 1),
    ],
)
def test_a_letter_that_is_cut_says_where(body: bytes, last: int) -> None:
    lines, cut_below = read(body)
    assert lines[0] == "A-N1"
    assert "C-N1" not in lines
    assert cut_below == last


HTML = HEAD + b"Content-Type: text/html; charset=utf-8\r\n"
PICTURE = b'<img alt="us" src="data:image/png;base64,' + b"iVBOR" * 60_000 + b'" width=1>'
STYLE = b'<style type="text/css">' + b"p{a:b}" * 50_000 + b"</style>"
COMMENT = b"<!--[if gte mso 9]><xml>" + b"<w:a/>" * 50_000 + b"</xml><![endif]-->"


@pytest.mark.parametrize(
    "large", [PICTURE, PICTURE.replace(b'"', b"'"), PICTURE * 5, STYLE, COMMENT, COMMENT + STYLE]
)
@pytest.mark.parametrize("encoding", ["8bit", "base64"])
def test_what_is_no_text_costs_no_room(large: bytes, encoding: str) -> None:
    """Given a picture within the text, a style or a comment of 300 KB, then the lines above and below it are read."""
    body = (
        b"<html><body><div>A-N1</div>"
        + large
        + b"<div>status</div>"
        + large
        + b"<div>C-N1</div></body></html>"
    )
    if encoding == "base64":
        body = base64.encodebytes(body)
    head = HTML + f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    fits = len(large) * 2 < LARGE_MARKUP_OCTETS
    assert read(head + body) == ((["A-N1", "status", "C-N1"], 0) if fits else (["A-N1", "status"], 2))


@pytest.mark.parametrize("large", [PICTURE, STYLE, COMMENT])
def test_large_pieces_of_many_parts_have_one_limit(large: bytes) -> None:
    page = b"--b\r\nContent-Type: text/html\r\n\r\n<p>A-N1</p>" + large + b"\r\n"
    lines, cut_below = read(HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + page * 20)
    most = LARGE_MARKUP_OCTETS // len(large)
    assert (set(lines), most <= len(lines) <= most + 1, cut_below) == ({"A-N1"}, True, len(lines))


@pytest.mark.parametrize(
    "text",
    [
        b"<p>A-N1</p><img alt='" + b"x" * 300_000 + b"'><p>C-N1</p>",
        b'<p>A-N1</p><div title="<!-- "></div>' + b"<i title=x></i>" * 25_000 + b"<!-- -->",
        b"<div>A-N1</div><!-- is never closed <p>C-N1</p>",
        b"<div>A-N1</div><a title='is never closed><p>C-N1</p>",
    ],
)
def test_a_move_above_the_cut_is_read_and_the_cut_told(text: bytes) -> None:
    assert read(HTML + b"\r\n" + text) == (["A-N1"], 1)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (PLAIN + b"x" * 70_000 + b"\r\nA-N1\r\n", "the letter is too long to be read"),
        (
            HEAD
            + b"Content-Type: text/plain; format=flowed\r\n\r\n"
            + b"and so on \r\n" * 6_000
            + b"A-N1\r\n",
            "the letter is too long to be read",
        ),
        (HTML + b"\r\n<img alt='" + b"x" * 300_000 + b"'><p>A-N1</p>", "the letter is too long to be read"),
        (HTML + b"\r\n" + b"x" * 70_000 + b"<p>A-N1</p>", "the letter is too long to be read"),
        (
            HTML + b"\r\n<!-- <p>A-N1</p>",
            "the text is hidden by a tag or comment of its HTML that is not closed",
        ),
        (HTML + b"\r\n<p></p>", "there is no text in the letter"),
    ],
    ids=["a long line", "flowed", "attribute", "HTML", "not closed", "empty"],
)
def test_where_nothing_can_be_read_above_the_cut_the_writer_is_told_why(body: bytes, why: str) -> None:
    letter = read_letter(body, service_address="referee@example.org", authserv_ids=())
    assert (str(letter.reason), letter.lines) == (why, ())


@pytest.mark.parametrize(
    "below",
    [
        b"-- \r\n" + b"Anna\r\n" * 20_000,
        b"\r\n-----Original Message-----\r\nFrom: a@b.example\r\nSent: today\r\n\r\n"
        + b"our letter\r\n" * 20_000,
    ],
)
def test_what_is_cut_below_the_writers_own_text_is_not_spoken_of(below: bytes) -> None:
    assert read(PLAIN + b"A-N1\r\n" + below) == (["A-N1"], 0)


@pytest.mark.parametrize(
    "line", [b"a\r\n", b"> a\r\n\r\n", b"From: a\r\n", b"On Sun 1 at 1 a <b@c> \r\n", b"a:\r\n"]
)
def test_a_megabyte_has_no_more_lines_looked_at_than_a_text_may_have(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = 0
    find = quoting.header_meaning

    def counted(line: SeenLine) -> str:
        nonlocal seen
        seen += 1
        return find(line)

    monkeypatch.setattr(quoting, "header_meaning", counted)
    lines, _ = read(PLAIN + line * (1_000_000 // len(line)))
    assert seen <= TEXT_LINES
    assert len(lines) <= OWN_LINES
