"""A letter of ours as bytes: what any mail program reads back from it, and the traps in headers."""

from __future__ import annotations

import base64
import email
import email.header
import email.policy
import email.utils
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message.message import Attachment, InlinePicture, OutgoingLetter
from referee.mail.message.mime_writer import picture_cid, write_copy, write_letter

PICTURE = InlinePicture("board.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 3, "the board")

LETTER = OutgoingLetter(
    message_id="17.w.5.abcdefghijkl@example.org",
    recipient="anna@example.net",
    recipient_name="Anna",
    kind="report",
    subject="Re: [game 17] [your move 22] Confusion 17: Anna - Bert",
    sent=datetime(2026, 11, 27, 17, 0, 5, tzinfo=UTC),
    text="Your move, turn 22.\n\nReply with one line.\n",
    html="<p>Your move, turn 22.</p>\n",
    pictures=(PICTURE,),
    game=17,
    number=5,
    in_reply_to="her-letter@mail.example.net",
    references=("root@example.org", "b@example.org", "her-letter@mail.example.net"),
    reply_tag="abcd1234efgh5678ijkl",
    thread_topic="Confusion 17: Anna - Bert",
    thread_key="17 white",
)


def written(letter: OutgoingLetter) -> bytes:
    return write_letter(letter, service_name="Referee", service_address="referee@example.org")


def read_back(letter: OutgoingLetter) -> EmailMessage:
    return email.message_from_bytes(written(letter), policy=email.policy.default)


def text_of(part: Any) -> str:
    return str(part.get_content()).replace("\r\n", "\n")


def header_lines(letter: OutgoingLetter) -> list[str]:
    return written(letter).partition(b"\r\n\r\n")[0].decode("ascii").split("\r\n")


def test_a_mail_program_finds_every_header() -> None:
    message = read_back(LETTER)
    assert message["From"] == "Referee <referee@example.org>"
    assert message["To"] == "Anna <anna@example.net>"
    assert message["Subject"] == LETTER.subject
    assert message["Date"].datetime == LETTER.sent
    assert message["Message-ID"] == "<17.w.5.abcdefghijkl@example.org>"
    assert message["In-Reply-To"] == "<her-letter@mail.example.net>"
    assert message["References"] == "<root@example.org> <b@example.org> <her-letter@mail.example.net>"
    reply_to = message["Reply-To"].addresses[0]
    assert (reply_to.display_name, reply_to.addr_spec) == (
        "Referee, game 17",
        "referee+abcd1234efgh5678ijkl@example.org",
    )
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["List-Id"] == "Game 17 <game-17.referee.example.org>"
    assert message["List-Unsubscribe"] == "<mailto:referee+off-abcd1234efgh5678ijkl@example.org>"
    assert (message["X-Referee-Game"], message["X-Referee-Kind"], message["X-Referee-Number"]) == (
        "17",
        "report",
        "5",
    )
    assert message["Thread-Topic"] == "Confusion 17: Anna - Bert"
    assert message["MIME-Version"] == "1.0"
    assert message["List-Post"] is None
    assert message["Precedence"] is None


def test_the_thread_index_has_the_shape_that_outlook_reads_and_is_constant_for_a_seat() -> None:
    index = base64.b64decode(read_back(LETTER)["Thread-Index"])
    later = read_back(replace(LETTER, message_id="other@example.org", number=6))
    assert len(index) == 22
    assert index[0] == 1
    assert base64.b64decode(later["Thread-Index"]) == index
    assert base64.b64decode(read_back(replace(LETTER, thread_key="17 yellow"))["Thread-Index"]) != index


def test_the_same_letter_gives_the_same_bytes() -> None:
    assert written(LETTER) == written(replace(LETTER))


def test_every_line_ends_with_crlf_and_is_ascii_and_short() -> None:
    raw = written(replace(LETTER, text="é" * 3000 + "\nlong " + "x" * 5000))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 78


def test_text_html_and_picture_nest_as_alternative_and_related() -> None:
    message = read_back(LETTER)
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    plain, related = message.iter_parts()
    page, picture = cast(EmailMessage, related).iter_parts()
    assert related.get_param("type") == "text/html"
    assert text_of(plain) == LETTER.text
    assert text_of(page) == LETTER.html
    assert plain["Content-Type"].params["charset"] == "utf-8"
    assert picture.get_payload(decode=True) == PICTURE.png
    assert picture["Content-ID"] == f"<{picture_cid(PICTURE)}>"
    assert picture["Content-Disposition"] == 'inline; filename="board.png"'


def test_every_picture_stands_beside_the_html_under_its_own_name_and_content_id() -> None:
    sheets = replace(PICTURE, filename="sheets.png")
    other = replace(sheets, png=PICTURE.png + b"more")
    _, related = read_back(replace(LETTER, pictures=(PICTURE, sheets))).iter_parts()
    page, *shown = cast(EmailMessage, related).iter_parts()
    assert page.get_content_type() == "text/html"
    assert [part.get_filename() for part in shown] == ["board.png", "sheets.png"]
    assert [part["Content-ID"] for part in shown] == [f"<{picture_cid(each)}>" for each in (PICTURE, sheets)]
    assert picture_cid(PICTURE).startswith("board-")
    assert len({picture_cid(each) for each in (PICTURE, sheets, other)}) == 3


def test_there_is_a_mixed_part_only_when_there_is_a_third_thing() -> None:
    with_json = replace(LETTER, attachments=(Attachment("report.json", "application/json", '{"a": "=é"}\n'),))
    message = read_back(with_json)
    assert message.get_content_type() == "multipart/mixed"
    _, attached = message.iter_parts()
    assert attached.get_content_type() == "application/json"
    assert attached.get_filename() == "report.json"
    assert cast(bytes, attached.get_payload(decode=True)).decode() == '{"a": "=é"}\r\n'


def test_a_letter_of_text_alone_has_one_part() -> None:
    message = read_back(replace(LETTER, html=None, pictures=()))
    assert message.get_content_type() == "text/plain"
    assert text_of(message) == LETTER.text


def test_a_calendar_keeps_its_method_outside() -> None:
    calendar = Attachment("deadline.ics", "text/calendar; method=PUBLISH", "BEGIN:VCALENDAR\n")
    _, attached = read_back(replace(LETTER, attachments=(calendar,))).iter_parts()
    assert attached["Content-Type"].params == {"method": "PUBLISH", "charset": "utf-8"}


def test_long_identifiers_stay_whole_so_that_threads_hold() -> None:
    long_id = "x" * 78 + "@example.org"
    longer = "y" * 200 + "@mail.example.net"
    letter = replace(
        LETTER, message_id=long_id, in_reply_to=longer, references=("r@example.org", longer, long_id)
    )
    message = read_back(letter)
    assert len(long_id) == 90
    assert message["Message-ID"] == f"<{long_id}>"
    assert message["In-Reply-To"] == f"<{longer}>"
    assert str(message["References"]).split() == ["<r@example.org>", f"<{longer}>", f"<{long_id}>"]
    assert b"=?" not in written(letter)


def test_a_long_tag_and_domain_keep_list_unsubscribe_whole() -> None:
    domain = "a-rather-long-name-for-a-mail-host.department.university.example.org"
    raw = write_letter(LETTER, service_name="Referee", service_address=f"referee@{domain}")
    assert f"<mailto:referee+off-{LETTER.reply_tag}@{domain}>".encode() in raw


def test_a_long_accented_subject_is_folded_into_encoded_words_of_at_most_75() -> None:
    subject = "Re: [game 17] [your move 22] Confusion 17: " + "Žofie Žlutoučká Příšerná " * 6 + "- Bert"
    letter = replace(LETTER, subject=subject)
    words = re.findall(r"=\?.*?\?=", "\n".join(header_lines(letter)))
    assert len(words) > 2
    assert max(map(len, words)) <= 75
    assert max(map(len, header_lines(letter))) <= 78
    assert read_back(letter)["Subject"] == subject
    assert any(
        line.startswith("Subject: Re: [game 17] [your move 22] Confusion 17:")
        for line in header_lines(letter)
    )


def test_a_foreign_identifier_that_cannot_be_written_is_left_out() -> None:
    message = read_back(
        replace(LETTER, in_reply_to="a b@\x00", references=("root@example.org", "<x>", "é@x"))
    )
    assert message["In-Reply-To"] is None
    assert message["References"] == "<root@example.org>"


@pytest.mark.parametrize("field", ["subject", "recipient_name", "thread_topic"])
@pytest.mark.parametrize("ending", ["\r\nBcc: all@example.org", "\n", "\x00", "\x85", "\u2028"])
def test_no_line_break_gets_into_a_header(field: str, ending: str) -> None:
    with pytest.raises(ValueError, match="no header may"):
        written(replace(LETTER, **{field: "Anna" + ending}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "address", ["", "anna", "@x", "anna@", "a b@x", "a@x\r\nBcc: b@x", "a@x, b@x", "<a@x>", 'a"@x', "é@x"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="mail address"):
        written(replace(LETTER, recipient=address))


def test_a_naive_date_a_bad_tag_and_a_bad_file_name_are_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        written(replace(LETTER, sent=datetime(2026, 11, 27)))  # noqa: DTZ001
    with pytest.raises(ValueError, match="reply tag"):
        written(replace(LETTER, reply_tag="a b"))
    with pytest.raises(ValueError, match="file name"):
        written(replace(LETTER, attachments=(Attachment('a"b', "text/plain", ""),)))
    with pytest.raises(ValueError, match="file name"):
        written(replace(LETTER, pictures=(replace(PICTURE, filename="a\r\nb.png"),)))
    with pytest.raises(ValueError, match="Message-ID"):
        written(replace(LETTER, message_id="a b"))


def test_letters_without_a_game_have_their_own_list_and_no_tag() -> None:
    letter = replace(
        LETTER, game=None, number=None, reply_tag="", thread_topic="", thread_key="", answers=False
    )
    message = read_back(letter)
    assert message["List-Id"] == "Referee <desk.referee.example.org>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Reply-To"] == "Referee <referee@example.org>"
    for absent in ("List-Unsubscribe", "X-Referee-Game", "X-Referee-Number", "Thread-Topic", "Thread-Index"):
        assert message[absent] is None


def test_a_boundary_never_occurs_in_a_part() -> None:
    raw = written(LETTER)
    boundary = re.findall(rb'boundary="([^"]+)"', raw)[0].decode()
    letter = replace(LETTER, text=f"--{boundary}\n--{boundary}--\n")
    plain, _ = read_back(letter).iter_parts()
    assert text_of(plain) == letter.text


@pytest.mark.parametrize(
    "text", [".\n", "..\n", "trailing \t \n", "From me\n", "=3D\n", "no end", "\n\n\n", ""]
)
def test_awkward_lines_come_back(text: str) -> None:
    plain, _ = read_back(replace(LETTER, text=text)).iter_parts()
    assert text_of(plain).removesuffix("\n") == text.removesuffix("\n")


header_text = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=120)
body_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


@given(header_text)
def test_any_subject_comes_back(subject: str) -> None:
    value = email.message_from_bytes(written(replace(LETTER, subject=subject)), policy=email.policy.compat32)[
        "Subject"
    ]
    # Other blanks than the space at the edge of an encoded word are the reader's affair, not lost on the way.
    decoded = email.header.make_header(email.header.decode_header(value))
    assert str(decoded) == subject


@given(header_text.filter(lambda name: name == name.strip()))
def test_any_name_comes_back_and_the_address_stands_alone(name: str) -> None:
    raw = written(replace(LETTER, recipient_name=name))
    value = email.message_from_bytes(raw, policy=email.policy.compat32)["To"]
    written_name, address = email.utils.parseaddr(" ".join(value.split("\r\n ")))
    assert address == "anna@example.net"
    assert str(email.header.make_header(email.header.decode_header(written_name))) == name


@given(body_text, body_text)
def test_any_text_comes_back(text: str, html: str) -> None:
    plain, related = read_back(replace(LETTER, text=text, html=html)).iter_parts()
    page = next(cast(EmailMessage, related).iter_parts())
    for part, sent in ((plain, text), (page, html)):
        wanted = sent.replace("\r\n", "\n").replace("\r", "\n")
        got = cast(bytes, part.get_payload(decode=True)).decode().replace("\r\n", "\n")
        assert got == (wanted if wanted.endswith("\n") else wanted + "\n")


def test_a_copy_differs_from_its_letter_in_its_own_sending_alone() -> None:
    letter = replace(LETTER, references=tuple(f"{'x' * 60}{n}@example.org" for n in range(3)))
    first = write_letter(letter, service_name="Referee", service_address="referee@example.org")
    copy = write_copy(
        first,
        message_id="copy@example.org",
        recipient="anna@new.example.net",
        recipient_name="Anna Ångström",
        sent=letter.sent + timedelta(days=2),
        in_reply_to="wish@example.net",
    )
    (one, other) = (email.message_from_bytes(each, policy=email.policy.default) for each in (first, copy))
    own = {"To", "Date", "Message-ID", "In-Reply-To", "Auto-Submitted"}
    assert {key: value for key, value in one.items() if key not in own} == {
        key: value for key, value in other.items() if key not in own
    }
    assert first.partition(b"\r\n\r\n")[2] == copy.partition(b"\r\n\r\n")[2]
    assert other["Message-ID"] == "<copy@example.org>"
    assert other["In-Reply-To"] == "<wish@example.net>"
    assert other["To"].addresses[0].addr_spec == "anna@new.example.net"
    assert other["To"].addresses[0].display_name == "Anna Ångström"
    assert [len(other.get_all(name, [])) for name in sorted(own)] == [1] * 5
    assert max(map(len, copy.split(b"\r\n"))) <= 998


def test_a_copy_with_a_break_in_a_header_is_refused() -> None:
    first = write_letter(LETTER, service_name="Referee", service_address="referee@example.org")
    for wrong in (
        {"message_id": "a b@c"},
        {"recipient_name": "Anna\r\nBcc: x@y"},
        {"recipient": "no address"},
    ):
        facts = {"message_id": "copy@example.org", "recipient": "anna@example.net", "recipient_name": ""}
        with pytest.raises(ValueError):
            write_copy(first, **(facts | wrong), sent=LETTER.sent, in_reply_to="")
