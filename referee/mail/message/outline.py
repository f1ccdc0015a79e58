"""What a letter's header alone says about the letter, for one that cannot be processed now.

It reads only what is read of every letter before it is recorded (`store.content_hash`). So a letter that
crashes the service when it is read in full can be put off.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.mail.message.addresses import find_tags, read_sender
from referee.mail.message.headers import read_headers
from referee.mail.message.mime_parts import header_alone
from referee.mail.message.threading import read_subject_game, read_thread


@dataclass(frozen=True, slots=True)
class Outline:
    """Who wrote a letter, by its own header, and what it answers. sender: "" when it is unclear."""

    sender: str
    tags: tuple[str, ...]
    thread: tuple[str, ...]
    subject_game: int | None


def read_outline(head: bytes, service_address: str) -> Outline:
    """Read the header at the start of a letter. Never raises. service_address: ours, without a tag."""
    headers, _ = read_headers(header_alone(head))
    return Outline(
        read_sender(headers).address,
        find_tags(headers, service_address),
        read_thread(headers),
        read_subject_game(headers.first("subject")),
    )
