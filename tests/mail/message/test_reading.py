"""Bytes become a Letter, whatever they are."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message import limits
from referee.mail.message.message import Letter, Nature
from referee.mail.message.reader import read_letter
from tests.mail.message.test_corpus import CORPUS

FILES = sorted(CORPUS.glob("*.eml"))
HEAD = b"From: anna@example.net\r\nTo: referee+abcdefghijklmnop@example.org\r\n"


def read(content: bytes) -> Letter:
    return read_letter(content, service_address="referee@example.org", authserv_ids=["mx.example.org"])


def lines(content: bytes) -> list[str]:
    return [line.text for line in read(content).lines]


def parts(subtype: str, *inner: str) -> bytes:
    body = "".join(f"--b-{subtype}\r\n{part}\r\n" for part in inner)
    return (
        f"Content-Type: multipart/{subtype}; boundary=b-{subtype}\r\n\r\n{body}--b-{subtype}--\r\n".encode()
    )


def check_can_be_kept(letter: Letter) -> None:
    """Every text of a letter can be stored: valid Unicode, no NUL, no line ends where one line is meant."""
    texts = [letter.sender, letter.sender_name, letter.sender_fault, letter.verdict, letter.message_id]
    texts += [letter.subject, str(letter.reason), *letter.tags, *letter.thread, *letter.bounced]
    texts += [text for line in letter.lines for text in (line.text, line.written)]
    for text in texts:
        text.encode("utf-8")
        assert not set(text) & {"\0", "\n", "\r"}
    assert letter.nature is Nature.PERSON or not letter.lines
    assert bool(letter.sender) != bool(letter.sender_fault)
    numbers = [line.number for line in letter.lines]
    assert numbers == sorted(set(numbers))


@given(st.binary(max_size=400))
def test_any_bytes_give_a_letter(content: bytes) -> None:
    check_can_be_kept(read(content))


@given(
    st.sampled_from(
        [
            "From",
            "To",
            "Subject",
            "Message-ID",
            "References",
            "Content-Type",
            "Return-Path",
            "Content-Disposition",
            "Content-Transfer-Encoding",
            "Auto-Submitted",
            "Authentication-Results",
        ]
    ),
    st.binary(max_size=60),
)
def test_any_bytes_in_any_header_give_a_letter(name: str, value: bytes) -> None:
    check_can_be_kept(read(HEAD + name.encode() + b": " + value + b"\r\n\r\nA-N1\r\n"))


@given(st.data())
def test_a_damaged_letter_is_still_a_letter(data: st.DataObject) -> None:
    """Given a letter of the corpus, when some of it is lost, doubled or changed, then it can be read and kept."""
    content = data.draw(st.sampled_from(FILES)).read_bytes()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 80)))
        change = data.draw(st.sampled_from([b"", b"\0", b"\xff", b"\r\n\r\n", b"--", content[start:end] * 2]))
        content = content[:start] + change + content[end:]
    check_can_be_kept(read(content))


@given(st.text(max_size=200))
def test_any_text_gives_lines_that_can_be_kept(text: str) -> None:
    for kind in ("plain", "html", "plain; format=flowed; delsp=yes"):
        head = HEAD + f"Content-Type: text/{kind}; charset=utf-8\r\n\r\n".encode()
        check_can_be_kept(read(head + text.encode("utf-8", "surrogatepass")))


def test_a_letter_of_zero_bytes_is_a_letter_from_nobody() -> None:
    letter = read(b"")
    assert (letter.nature, letter.lines, letter.sender_fault) == (
        Nature.PERSON,
        (),
        "there is no From header",
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (parts("mixed", "\r\nA-N1", "\r\nC-N1"), ["A-N1", "C-N1"]),
        (parts("mixed", "\r\nA-N1", "Content-Disposition: attachment\r\n\r\nC-N1"), ["A-N1"]),
        (parts("mixed", "\r\nA-N1", "Content-Type: text/plain; name=x\r\n\r\nC-N1"), ["A-N1"]),
        (parts("mixed", "\r\nA-N1", "Content-Disposition: inline; filename*=x\r\n\r\nC-N1"), ["A-N1"]),
        (parts("mixed", "\r\nA-N1\r\n-- ", "\r\nC-N1"), ["A-N1"]),
        (parts("alternative", "Content-Type: text/html\r\n\r\n<p>C-N1</p>", "\r\nA-N1"), ["A-N1"]),
        (parts("alternative", "\r\n \u200b", "Content-Type: text/html\r\n\r\n<p>A-N1</p>"), ["A-N1"]),
        (
            parts(
                "alternative",
                "\r\n",
                parts("related", "Content-Type: text/html\r\n\r\nA-N1", "\r\nC-N1").decode(),
            ),
            ["A-N1"],
        ),
        (
            parts("mixed", parts("alternative", "\r\nA-N1", "Content-Type: text/html\r\n\r\nC-N1").decode()),
            ["A-N1"],
        ),
        (parts("signed", "\r\nA-N1", "\r\nC-N1"), ["A-N1"]),
        (parts("digest", "\r\nC-N1"), []),
        (parts("mixed", "Content-Type: message/rfc822\r\n\r\nFrom: x\r\n\r\nC-N1"), []),
        (b"Content-Type: text/calendar-like\r\n\r\nC-N1", []),
        (b"Content-Disposition: attachment; filename=x\r\n\r\nA-N1", ["A-N1"]),
        (b"Content-Type: application/octet-stream\r\n\r\nC-N1", []),
    ],
)
def test_the_parts_that_a_reader_sees_are_read(body: bytes, expected: list[str]) -> None:
    assert lines(HEAD + body) == expected


@pytest.mark.parametrize("kind", ["plain", "html", "plain; format=flowed"])
def test_a_move_that_was_cut_off_is_not_half_read(kind: str) -> None:
    """Given a text of which the last line read would be cut, then that line is left out and whole ones stay."""
    end = "<br>" if kind == "html" else "\n"
    limit = limits.MARKUP_OCTETS if kind == "html" else limits.TEXT_OCTETS
    line = "x" * 300 + end
    text = ("A-N1" + end + line * (limit // len(line) + 2)).encode()
    read_lines = lines(HEAD + f"Content-Type: text/{kind}\r\n\r\n".encode() + text)
    assert read_lines[0] == "A-N1"
    assert set(read_lines[1:]) == {"x" * 300}


def test_all_texts_of_a_letter_together_have_one_limit() -> None:
    text = "\r\n" + "x" * 63 + "\r\n"
    content = HEAD + parts("mixed", *[text * 600] * 100)
    assert sum(len(line) for line in lines(content)) <= limits.TEXT_OCTETS


def test_the_tags_of_all_parts_together_have_one_limit() -> None:
    page = "Content-Type: text/html\r\n\r\n<p>A-N1</p>" + "<b></b>" * (limits.MARKUP_TAGS // 5)
    assert lines(HEAD + parts("mixed", *[page] * 5)) == ["A-N1"] * 3


@pytest.mark.parametrize(
    ("head", "nature", "reason"),
    [
        (b"", Nature.UNREADABLE, "the letter is larger than 10 MB"),
        (b"Auto-Submitted: auto-replied\r\n", Nature.AUTO_REPLY, "auto-reply"),
        (b"Return-Path: <>\r\n", Nature.BOUNCE, "bounce"),
    ],
)
def test_a_letter_that_is_too_large_is_known_by_its_header(head: bytes, nature: Nature, reason: str) -> None:
    letter = read(head + HEAD + b"\r\n" + b"A-N1\r\n" * 2_000_000)
    assert (letter.nature, str(letter.reason), letter.lines) == (nature, reason, ())
    assert letter.sender == "anna@example.net"
    assert letter.tags == ("abcdefghijklmnop",)


def test_a_header_without_end_is_read_as_far_as_it_goes() -> None:
    letter = read(HEAD + b"X-Long: " + b"a" * (limits.FIELD_OCTETS + 1) + b"\r\n\r\nA-N1\r\n")
    assert letter.nature is Nature.UNREADABLE
    assert str(letter.reason) == "the header X-Long is longer than 32 KB"
    assert letter.sender == "anna@example.net"


@pytest.mark.parametrize("name", [b"From", b"FROM"])
@pytest.mark.parametrize("above", [True, False])
def test_a_sender_too_long_to_be_read_leaves_the_letter_nobody_s(name: bytes, above: bool) -> None:
    """Given a From header that is left out for its length, then no second one becomes the sender."""
    long = name + b": other@example.com (" + b"x" * limits.FIELD_OCTETS + b")\r\n"
    letter = read((long + HEAD if above else HEAD + long) + b"\r\nA-N1\r\n")
    assert (letter.sender, letter.verified) == ("", False)
    assert letter.sender_fault == "a From header is too long to be read"


@pytest.mark.parametrize("cut", [b"\r", b"\0"])
@pytest.mark.parametrize("value", [b"an%bna@example.net", b"anna@exam%bple.net", b"anna@example.net%b"])
def test_an_address_that_a_control_sign_cuts_in_two_is_not_made_whole(value: bytes, cut: bytes) -> None:
    letter = read(b"From: " + value % cut + b"\nSubject: x\n\nA-N1\n")
    assert letter.sender in ("", "anna@example.net")
    assert (letter.sender == "") == (not value.endswith(b"%b") or cut != b"\r")


def test_the_same_bytes_give_the_same_letter() -> None:
    for path in FILES:
        content = path.read_bytes()
        assert dataclasses.astuple(read(content)) == dataclasses.astuple(read(content))


def test_trust_in_headers_is_a_setting() -> None:
    letter = read_letter(
        HEAD + b"\r\nA-N1", service_address="referee@example.org", authserv_ids=[], trust="header"
    )
    assert letter.verified
    assert not read(HEAD + b"\r\nA-N1").verified
