"""Letters of ours in smaller forms: the same letter, cut from itself."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from referee.common.i18n import translate
from referee.mail.message.message import Attachment, InlinePicture, OutgoingLetter
from referee.mail.message.mime_writer import write_letter
from referee.reports import smaller
from referee.reports.smaller import smaller_forms
from tests.pipeline.test_processor import DEAL, MOVES
from tests.support.playing import Club, new_database

FORMS = ["without pictures", "as text alone", "in brief"]
SENTENCES = (
    smaller.NO_PICTURE,
    smaller.TEXT_ALONE,
    smaller.TOO_LARGE,
    smaller.STATUS,
    smaller.RESEND,
    smaller.SMALLER,
)
LETTER = OutgoingLetter(
    message_id="17.w.5.abcdefghijkl@example.org",
    recipient="anna@example.net",
    recipient_name="Anna",
    kind="report",
    subject="Re: [game 17] [your move 22] Confusion 17: Anna - Bert",
    sent=datetime(2026, 11, 27, 17, 0, 5, tzinfo=UTC),
    text="Your move, turn 22.\n" * 50,
    html='<html lang="en"><p>Your move, turn 22.</p><p><img src="cid:x@referee" alt="A &gt; B"></p></html>\n'
    * 40,
    pictures=(InlinePicture("board.png", bytes(range(256)) * 40, "A > B"),),
    attachments=(Attachment("game-17.txt", "text/plain", "1 | P-S2xZ\n" * 100),),
    game=17,
    number=5,
    reply_tag="abcd1234efgh5678ijkl",
)


def written(letter: OutgoingLetter) -> bytes:
    return write_letter(letter, service_name="Referee", service_address="referee@example.org")


def read(content: bytes) -> EmailMessage:
    return email.message_from_bytes(content, policy=email.policy.default)


def text_of(content: bytes, kind: str = "plain") -> str:
    body = read(content).get_body((kind,))
    return str(body.get_content()) if body is not None else ""


def types_of(content: bytes) -> list[str]:
    return [part.get_content_type() for part in read(content).walk() if not part.is_multipart()]


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[\w'-]+", unescape(re.sub(r"<[^>]*>", " ", text))))


def header_of(content: bytes) -> bytes:
    return content.partition(b"\r\nMIME-Version")[0]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    club.open_house()
    yield club
    club.close()


@pytest.fixture
def letters(club: Club) -> list[tuple[bytes, str]]:
    """Letters of a game, to readers of both languages and of all three forms, each with its reader's language."""
    club.begins(
        lambda club: club.starts({"white": club.member("Wendy"), "yellow": club.member("Yannick")}, deal=DEAL)
    )
    wendy, yannick = club.reader("wendy@example.net"), club.reader("yannick@example.net")
    in_english = len(yannick.letters)
    yannick.writes("set language fr")
    wendy.replies(MOVES[0])
    for form in ("text", "json", "html"):
        for who in (wendy, yannick):
            who.writes(f"set reports {form}")
            who.writes("status 1")
    wendy.writes("set sheets picture")
    wendy.writes("status 1")
    return [
        *((each.content, "en") for each in wendy.letters),
        *((each.content, "fr") for each in yannick.letters[in_english:]),
    ]


def test_a_letter_is_first_without_its_picture_then_its_text_alone_then_a_few_lines() -> None:
    content = written(LETTER)
    forms = [*smaller_forms(content, "en")]
    assert [form.name for form in forms] == FORMS
    first, text, brief = (form.content for form in forms)
    assert types_of(content) == ["text/plain", "text/html", "image/png", "text/plain"]
    assert types_of(first) == ["text/plain", "text/html", "text/plain"]
    assert types_of(text) == types_of(brief) == ["text/plain"]
    assert text_of(first) == text_of(content)
    assert "cid:" not in text_of(first, "html") and "A &gt; B" in text_of(first, "html")
    assert text_of(text).startswith(text_of(content))
    assert "status 17" in text_of(brief) and "resend 5" in text_of(brief)


def test_every_form_is_the_same_letter_and_smaller_than_the_one_before(
    letters: list[tuple[bytes, str]],
) -> None:
    seen = set()
    for content, language in letters:
        before = content
        for form in smaller_forms(content, language):
            seen.add(form.name)
            assert header_of(form.content) == header_of(content)
            assert len(form.content) < len(before)
            assert not read(form.content).defects
            assert all(len(line) < 998 for line in form.content.split(b"\r\n"))
            before = form.content
        assert types_of(before) == ["text/plain"]
    assert seen == set(FORMS)


def test_nothing_is_in_a_form_that_is_not_in_the_letter_but_for_fixed_sentences(
    letters: list[tuple[bytes, str]],
) -> None:
    for content, language in letters:
        said = words_of(" ".join(map(translate(language), SENTENCES)))
        said |= words_of(
            "set reports text set picture off status resend régler rapports texte image non état renvoyer"
        )
        said |= {str(read(content)[name]) for name in ("X-Referee-Game", "X-Referee-Number")}
        held = words_of(text_of(content)) | words_of(text_of(content, "html"))
        held |= words_of(" ".join(re.findall(r'alt="([^"]*)"', text_of(content, "html"))))
        for form in smaller_forms(content, language):
            told = words_of(text_of(form.content)) | words_of(text_of(form.content, "html"))
            assert told <= held | said, (form.name, told - held - said)


def test_the_smallest_form_has_none_below_it_and_each_goes_on_where_it_stands(
    letters: list[tuple[bytes, str]],
) -> None:
    """A copy of a form that came back as too large is tried in the next one."""
    for content, language in letters:
        forms = [form.content for form in smaller_forms(content, language)]
        for number, form in enumerate(forms):
            assert [each.content for each in smaller_forms(form, language)] == forms[number + 1 :]


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"pictures": ()}, FORMS[1:]),
        ({"pictures": (), "html": None}, FORMS[1:]),
        ({"pictures": (), "html": None, "attachments": ()}, FORMS[2:]),
        ({"pictures": (), "html": None, "attachments": (), "text": "Done.\n"}, []),
    ],
)
def test_a_form_that_would_be_no_smaller_is_left_out(changes: dict[str, Any], names: list[str]) -> None:
    assert [form.name for form in smaller_forms(written(replace(LETTER, **changes)), "en")] == names


def test_the_sentences_are_in_the_language_of_the_letter() -> None:
    french = replace(LETTER, html=LETTER.html and LETTER.html.replace('"en"', '"fr"'))
    for letter, language in ((french, "en"), (replace(LETTER, html=None, pictures=()), "fr")):
        *_, brief = smaller_forms(written(letter), language)
        assert "Rien n'est perdu" in text_of(brief.content)
        assert "renvoyer 5" in text_of(brief.content)
