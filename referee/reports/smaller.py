"""Smaller forms of an outgoing letter, for mail hosts that refuse it as too large.

There are three: without pictures, as text alone, and a few lines that say how to get the rest. They are cut
from the letter itself: apart from fixed sentences they hold nothing that the letter lacks, and no view is
read again. The header stays the same, Message-ID, number and thread included. It is the same letter, tried in
another form, and the host accepts at most one of its forms.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import escape

from referee.commands.vocabulary import vocabulary
from referee.common.i18n import N_, translate
from referee.mail.message.mime_writer import text_part

NO_PICTURE = N_(
    "The picture is left out: your mail provider refused this letter as too large with it. To have what it shows "
    "drawn in every letter, write {command}."
)
TEXT_ALONE = N_(
    "This letter comes as plain text: your mail provider refused it as too large with what else belongs to it. To have "
    "all letters so, write {command}."
)
TOO_LARGE = N_("Your mail provider refused this letter as too large, even as plain text. Nothing is lost.")
STATUS = N_("To see how the game stands, write {command}.")
RESEND = N_("To have this letter once more, when your mailbox takes larger ones, answer it with {command}.")
SMALLER = N_("To have smaller letters, write {command}.")

_BODY = b"\r\nMIME-Version: 1.0\r\n"
_MULTIPART = re.compile(rb'Content-Type: multipart/([a-z]+);[^\r\n]*\r\n boundary="(=_[0-9a-f]+)"\r\n\r\n')
_IMAGE = re.compile(r'<img src="cid:[^"]*"[^>]*?\balt="([^"]*)"[^>]*>')
_LANGUAGE = re.compile(r'<html lang="([a-z]+)"')
_GAME = re.compile(rb"^X-Referee-Game: (\d+)\r$", re.MULTILINE)
_NUMBER = re.compile(rb"^X-Referee-Number: (\d+)\r$", re.MULTILINE)
_PLAIN, _HTML = "text/plain; charset=utf-8", "text/html; charset=utf-8"


class Form(NamedTuple):
    """A letter in a smaller form. name: for the log and the operator."""

    name: str
    content: bytes


def smaller_forms(content: bytes, language: str) -> Iterator[Form]:
    """Yield an outgoing letter in ever smaller forms, as bytes; nothing where it is in the smallest already.

    language: the reader's, for a letter without HTML.
    """
    head, _, body = content.partition(_BODY)
    pages = [_read(part) for part in _leaves(body) if part.startswith(b"Content-Type: text/html")]
    found = _LANGUAGE.search(pages[0]) if pages else None
    say = _Say(found.group(1) if found else language)
    smallest = len(content)
    for name, write, what in (
        ("without pictures", _without_pictures, body),
        ("as text alone", _text_alone, body),
        ("in brief", _in_brief, head),
    ):
        form = head + _BODY + write(what, say)
        if len(form) < smallest:
            yield Form(name, form)
            smallest = len(form)


class _Say:
    """Writes sentences in a reader's language."""

    def __init__(self, language: str) -> None:
        self._words = vocabulary(language)
        self._translate = translate(language)

    def __call__(self, message: str, command: str = "") -> str:
        return self._translate(message).format(command=self._words.writer.write(command))


def _opened(part: bytes) -> tuple[bytes, bytes, bytes, list[bytes]] | None:
    """Return the kind, head, boundary line and parts of a multipart; None for any other part."""
    found = _MULTIPART.match(part)
    if found is None:
        return None
    line = b"--" + found.group(2)
    _, *pieces = part[found.end() :].removesuffix(line + b"--\r\n").split(line + b"\r\n")
    return found.group(1), found.group(), line, [piece.removesuffix(b"\r\n") for piece in pieces]


def _leaves(part: bytes) -> Iterator[bytes]:
    opened = _opened(part)
    if opened is None:
        yield part
        return
    for each in opened[3]:
        yield from _leaves(each)


def _read(leaf: bytes) -> str:
    """Return the text of a part."""
    return binascii.a2b_qp(leaf.partition(b"\r\n\r\n")[2]).decode()


def _without_pictures(part: bytes, say: _Say) -> bytes:
    opened = _opened(part)
    if opened is None:
        return part
    kind, head, line, parts = opened
    if kind != b"related":
        parts = [_without_pictures(each, say) for each in parts]
        return head + b"".join(line + b"\r\n" + each + b"\r\n" for each in parts) + line + b"--\r\n"
    said = escape(say(NO_PICTURE, "set picture off"))
    page = _IMAGE.sub(lambda shown: f"{shown.group(1)}<br>{said}", _read(parts[0]), count=1)
    return text_part(_HTML, _IMAGE.sub(r"\1", page))


def _text_alone(body: bytes, say: _Say) -> bytes:
    text = _read(next(_leaves(body))).replace("\r\n", "\n")
    return text_part(_PLAIN, f"{text}\n{say(TEXT_ALONE, 'set reports text')}\n")


def _in_brief(head: bytes, say: _Say) -> bytes:
    said = [say(TOO_LARGE)]
    if game := _GAME.search(head + b"\r\n"):
        said.append(say(STATUS, f"status {game.group(1).decode()}"))
    if number := _NUMBER.search(head + b"\r\n"):
        said.append(say(RESEND, f"resend {number.group(1).decode()}"))
        said.append(say(SMALLER, "set reports text"))
    return text_part(_PLAIN, "\n\n".join(said) + "\n")
