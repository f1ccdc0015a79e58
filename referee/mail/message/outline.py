"""What a letter's header alone tells of what the letter is about: for one that cannot be heard now.

Nothing is read here that is not read of every letter before it is recorded (`store.content_hash`), so that a letter by
whose reading the service ends can be put off.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.mail.message.addresses import find_tags, read_sender
from referee.mail.message.headers import read_headers
from referee.mail.message.mime_parts import header_alone
from referee.mail.message.threading import read_subject_game, read_thread


@dataclass(frozen=True, slots=True)
class Outline:
    """Who wrote, as his letter says, and what it answers. sender: "" when that cannot be told."""

    sender: str
    tags: tuple[str, ...]
    thread: tuple[str, ...]
    subject_game: int | None


def read_outline(head: bytes, service_address: str) -> Outline:
    """Read the header in the beginning of a letter. Never raises. service_address: ours, without a tag."""
    headers, _ = read_headers(header_alone(head))
    return Outline(
        read_sender(headers).address,
        find_tags(headers, service_address),
        read_thread(headers),
        read_subject_game(headers.first("subject")),
    )
