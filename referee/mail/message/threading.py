"""Which letter a letter answers: Message-IDs, and the game in its subject."""

from __future__ import annotations

import re

from referee.common.characters import visible
from referee.mail.message.headers import Headers
from referee.mail.message.limits import MESSAGE_ID_CHARACTERS, THREAD_IDS

_BRACKETED = re.compile(r"<([^<>\s]+)>")
_GAME = re.compile(r"\[\s?game\s?(\d{1,9})\s?\]", re.IGNORECASE)


def read_message_ids(value: str) -> list[str]:
    """Return the Message-IDs of a field, without angle brackets; without any brackets, the words with an `@`."""
    found = _BRACKETED.findall(value) or [word.strip("<>,;") for word in value.split() if "@" in word]
    return [name for name in map(visible, found) if 0 < len(name) <= MESSAGE_ID_CHARACTERS]


def read_message_id(headers: Headers) -> str:
    """Return the letter's own Message-ID without brackets, "" when it has none."""
    value = visible(headers.first("message-id")).strip()
    found = read_message_ids(value)
    return found[0] if found else value.strip("<> ")[:MESSAGE_ID_CHARACTERS]


def read_thread(headers: Headers) -> tuple[str, ...]:
    """Return what a letter answers, nearest first: In-Reply-To, then References from their end.

    Of very long threads only the nearest and the root are returned.
    """
    nearest = [name for value in headers.all("in-reply-to") for name in read_message_ids(value)]
    chain = [name for value in headers.all("references") for name in read_message_ids(value)]
    thread = list(dict.fromkeys([*nearest, *reversed(chain)]))
    return tuple(thread if len(thread) <= THREAD_IDS else [*thread[: THREAD_IDS - 1], thread[-1]])


def read_subject_game(subject: str) -> int | None:
    """Return the number in `[game 17]`, None when the subject names no game."""
    found = _GAME.search(subject)
    return int(found.group(1)) if found else None
