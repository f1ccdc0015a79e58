"""A letter is opened into its parts, within limits."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message import limits
from referee.mail.message.limits import LimitExceeded
from referee.mail.message.mime_parts import open_letter, read_body


def multipart(*parts: bytes, boundary: bytes = b"b") -> bytes:
    body = b"".join(b"--" + boundary + b"\r\n\r\n" + part + b"\r\n" for part in parts)
    return (
        b"Content-Type: multipart/mixed; boundary="
        + boundary
        + b"\r\n\r\n"
        + body
        + b"--"
        + boundary
        + b"--\r\n"
    )


def bodies(content: bytes) -> list[bytes]:
    return [part.body for part in open_letter(content).walk() if not part.media_type.startswith("multipart/")]


def test_parts_lie_between_boundaries_and_nothing_else_counts() -> None:
    content = multipart(b"one", b"two").replace(b"--b\r\n", b"preamble\r\n--b\r\n", 1) + b"epilogue"
    assert bodies(content) == [b"one", b"two"]


def test_a_boundary_that_begins_like_another_is_another() -> None:
    inner = multipart(b"one", b"two", boundary=b"b1")
    outer = (
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + inner + b"\r\n--b\r\n\r\nthree\r\n--b--"
    )
    assert bodies(outer) == [b"one", b"two", b"three"]


def test_the_outer_boundary_ends_an_inner_part_that_was_not_closed() -> None:
    content = (
        b"Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/mixed; boundary=i\n\n"
        b"--i\n\none\n--o\n\ntwo\n--o--\n"
    )
    assert bodies(content) == [b"one", b"two"]


@pytest.mark.parametrize(
    "said",
    [b'"b"', b'"b" ', b"b; x=y", b'"b"; charset="x\\"y"', b'"b'],
)
def test_a_boundary_is_read_in_every_spelling(said: bytes) -> None:
    content = multipart(b"one").replace(b"boundary=b", b"Boundary = " + said)
    assert bodies(content) == [b"one"]


def test_a_multipart_without_boundary_has_no_parts() -> None:
    assert bodies(b"Content-Type: multipart/mixed\r\n\r\n--b\r\n\r\none\r\n--b--") == []


def test_a_letter_without_the_empty_line_begins_where_its_header_ends() -> None:
    letter = open_letter(b"From: a@b\r\nSubject: x\r\nA-N1 is my move\r\nand more\r\n")
    assert letter.headers.first("subject") == "x"
    assert letter.body == b"A-N1 is my move\r\nand more\r\n"


def test_an_attached_letter_is_not_walked_into() -> None:
    content = b"Content-Type: message/rfc822\r\n\r\n" + multipart(b"one")
    assert [part.media_type for part in open_letter(content).walk()] == ["message/rfc822"]


@pytest.mark.parametrize("said", [b"", b"text", b"nonsense; charset=x", b"text/plain/x", b"a b/c", b"; x=y"])
def test_a_part_of_no_sensible_type_is_plain_text(said: bytes) -> None:
    head = b"Content-Type: " + said + b"\r\n" if said else b""
    assert open_letter(head + b"\r\nx").media_type == "text/plain"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a" * (limits.LETTER_OCTETS + 1), "larger than 10 MB"),
        (b"X: " + b"a" * (limits.FIELD_OCTETS + 1) + b"\r\n\r\n", "the header X is longer"),
        (b"X: aaaaaaaa\r\n" * 15_000 + b"\r\n", "header of the letter is longer"),
        (b"X: y\r\n" * (limits.HEADER_LINES + 1) + b"\r\n", "header lines"),
        (multipart(*[b"x"] * limits.PARTS), "more than 200 parts"),
        (multipart(*[b"x"] * (limits.BOUNDARY_LINES + 1)), "begin with dashes"),
        (multipart(b"X: y\r\n" * 3).replace(b"\r\n\r\nX", b"\r\nX: " + b"a" * 9000 + b"\r\nX", 1), ""),
    ],
    ids=["size", "field", "header", "lines", "parts", "dashes", "part header"],
)
def test_more_than_is_read_is_named(content: bytes, words: str) -> None:
    if not words:
        content = (
            b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nX: "
            + b"a" * 9000
            + b"\r\n\r\nx\r\n--b--"
        )
        words = "longer than 8 KB"
    with pytest.raises(LimitExceeded, match=words):
        open_letter(content)


def test_parts_within_parts_end_at_the_limit() -> None:
    def nested(depth: int) -> bytes:
        head = b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
            for level in range(depth)
        )
        return head + b"\r\nx"

    assert bodies(nested(limits.PART_DEPTH)) == [b"x"]
    for depth in (limits.PART_DEPTH + 1, 1200):
        with pytest.raises(LimitExceeded, match="deep"):
            open_letter(nested(depth))


@pytest.mark.parametrize(
    ("encoding", "body", "octets"),
    [
        ("7bit", b"A-N1", b"A-N1"),
        ("BASE64", base64.encodebytes(b"A-N1 and more text" * 9), b"A-N1 and more text" * 9),
        ("base64", b"QS1OMQ==\r\n-- \r\nfooter", b"A-N1"),
        ("base64", b"QS1OM", b"A-N"),
        ("base64", b"!!!", b""),
        ("quoted-printable", b"A-N=\r\n1=3D=E9=", b"A-N1=\xe9"),
        ("quoted-printable ; x", b"=ZZ=", b"=ZZ"),
        ("x-uuencode", b"A-N1", b"A-N1"),
        ("", b"A-N1", b"A-N1"),
    ],
)
def test_a_body_s_encoding_is_undone(encoding: str, body: bytes, octets: bytes) -> None:
    part = open_letter(f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + body)
    assert read_body(part, 1000) == (octets, False)


@pytest.mark.parametrize("encoding", ["8bit", "base64", "quoted-printable"])
def test_a_long_body_is_cut_and_says_so(encoding: str) -> None:
    text = b"abcdefgh" * 1000
    body = base64.encodebytes(text) if encoding == "base64" else text
    part = open_letter(f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + body)
    assert read_body(part, 80) == (text[:80], True)


@given(
    st.lists(
        st.binary(max_size=30).filter(
            lambda body: b"-" not in body and b"\n" not in body and b"\r" not in body
        ),
        max_size=8,
    )
)
def test_what_was_put_into_parts_is_found_there(texts: list[bytes]) -> None:
    assert bodies(multipart(*texts)) == texts
