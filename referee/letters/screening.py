"""People are told from machines: a letter's nature, by its header and its parts, never by its words.

The checks are asked in order and the first that applies decides. Headers that many people's letters bear as well
(X-Auto-Response-Suppress, Precedence bulk or list, words in the subject) decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from referee.languages import Phrase
from referee.letters.addresses import is_service
from referee.letters.charsets import decode_text
from referee.letters.headers import Headers, read_headers
from referee.letters.letter import Nature
from referee.letters.limits import PART_HEADER_OCTETS, TEXT_OCTETS, THREAD_IDS
from referee.letters.parts import Part, read_body
from referee.letters.threads import read_message_ids, read_thread


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the checks look at: the opened letter, who wrote it ("" for nobody), who we are, its parts in order."""

    letter: Part
    sender: str
    service_address: str
    parts: tuple[Part, ...]

    def word(self, name: str) -> str:
        """Return a header's first word in lower case, without comment and parameters."""
        return re.split(r"[;(]", self.letter.headers.first(name).lower(), maxsplit=1)[0].strip()


@dataclass(frozen=True, slots=True)
class Check:
    """One row: a name for the operator, the nature it gives, and when it applies."""

    name: str
    nature: Nature
    applies: Callable[[Envelope], bool]


@dataclass(frozen=True, slots=True)
class Screening:
    """A letter's nature, why, and for a bounce what bounced (Message-IDs) and whether for good."""

    nature: Nature
    reason: str | Phrase = ""
    bounced: tuple[str, ...] = ()
    permanent: bool = False
    status: str = ""
    """RFC 3463's three numbers, "" where none were given."""


def _has_part(*media_types: str) -> Callable[[Envelope], bool]:
    return lambda envelope: any(part.media_type in media_types for part in envelope.parts)


def _is_report(envelope: Envelope) -> bool:
    return envelope.letter.media_type == "multipart/report"


def _is_report_of(*kinds: str) -> Callable[[Envelope], bool]:
    """Ask for a report of one of these kinds: by the letter's own type (RFC 6522), or where a machine has it among
    other parts. A report that a person sends on, beside what he writes, is none."""
    has_part = _has_part(*(f"message/{kind}" for kind in kinds))

    def applies(envelope: Envelope) -> bool:
        if _is_report(envelope) and envelope.letter.parameters.get("report-type", "").lower() in kinds:
            return True
        by_person = envelope.letter.parts and not _is_report(envelope) and not _is_by_machine(envelope)
        return not by_person and has_part(envelope)

    return applies


def _says(name: str, *words: str) -> Callable[[Envelope], bool]:
    return lambda envelope: envelope.word(name) in words


def _says_other_than_no(name: str) -> Callable[[Envelope], bool]:
    return lambda envelope: envelope.word(name) not in ("", "no")


def _bears(*names: str) -> Callable[[Envelope], bool]:
    return lambda envelope: any(envelope.letter.headers.all(name) for name in names)


def _is_ours(envelope: Envelope) -> bool:
    return is_service(envelope.sender, envelope.service_address)


def _is_from_mailer(envelope: Envelope) -> bool:
    return envelope.sender.lower().startswith("mailer-daemon@")


def _has_null_sender(envelope: Envelope) -> bool:
    return envelope.letter.headers.first("return-path").replace(" ", "") == "<>"


_submits_itself = _says_other_than_no("auto-submitted")


def _is_by_machine(envelope: Envelope) -> bool:
    return _is_from_mailer(envelope) or _has_null_sender(envelope) or _submits_itself(envelope)


def _is_invitation(envelope: Envelope) -> bool:
    """Tell whether a calendar program wrote; a calendar file that a person attached is none of its letters."""
    return any(
        part.media_type == "text/calendar"
        and part.disposition != "attachment"
        and ("method" in part.parameters or part is envelope.letter)
        for part in envelope.parts
    )


CHECKS: tuple[Check, ...] = (
    Check("delivery report", Nature.BOUNCE, _is_report_of("delivery-status", "global-delivery-status")),
    Check("read receipt", Nature.RECEIPT, _is_report_of("disposition-notification")),
    Check("failed recipients", Nature.BOUNCE, _bears("x-failed-recipients")),
    Check("the mailer's daemon", Nature.BOUNCE, _is_from_mailer),
    Check("a letter of this service's kind", Nature.OWN, _bears("x-referee-kind")),
    Check("the service's own address", Nature.OWN, _is_ours),
    Check("another report by a machine", Nature.AUTO_REPLY, _is_report),
    Check("Auto-Submitted", Nature.AUTO_REPLY, _submits_itself),
    Check("X-Autoreply", Nature.AUTO_REPLY, _says_other_than_no("x-autoreply")),
    Check("X-Autorespond", Nature.AUTO_REPLY, _says_other_than_no("x-autorespond")),
    Check("Precedence", Nature.AUTO_REPLY, _says("precedence", "auto_reply", "auto-reply", "junk")),
    Check("null return path", Nature.BOUNCE, _has_null_sender),
    Check("calendar", Nature.CALENDAR, _is_invitation),
    Check("reaction", Nature.REACTION, _has_part("text/vnd.google.email-reaction+json")),
    Check("mailing list", Nature.LIST, _bears("list-id", "list-post", "mailing-list", "x-mailing-list")),
)


def screen(letter: Part, *, sender: str, service_address: str) -> Screening:
    """Return a letter's nature by the first check that applies; a person's when none does."""
    envelope = Envelope(letter, sender, service_address, tuple(letter.walk()))
    for check in CHECKS:
        if check.applies(envelope):
            if check.nature is Nature.BOUNCE:
                return _read_bounce(envelope)
            return Screening(check.nature, str(check.nature))
    return Screening(Nature.PERSON)


_STATUS = re.compile(rb"^status:\s*([245]\.\d{1,3}\.\d{1,3})", re.IGNORECASE | re.MULTILINE)
_FAILED = re.compile(rb"^action:\s*failed\b", re.IGNORECASE | re.MULTILINE)
_TOLD = re.compile(
    r"(?<![\d.])(?:[45][05]\d[ -])?([45]\.\d{1,3}\.\d{1,3})(?![\d.])|(?<![\d.])([45])[05]\d(?=[ -])"
)
"""A status, or a mail server's code, among words: how mailers say it that write to people alone."""
_BLOCK_END = re.compile(rb"\r?\n\r?\n")
_QUOTED_ID = re.compile(r"^[> \t]*message-id:[ \t]*(<[^<>\s]+>)", re.IGNORECASE | re.MULTILINE)
_RETURNED = frozenset({"message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers"})
_STATUSES = frozenset({"message/delivery-status", "message/global-delivery-status"})
_TELLING = _RETURNED | _STATUSES | {"text/plain"}


def _read_bounce(envelope: Envelope) -> Screening:
    """Read what bounced and whether for good: only a failure with a status of 5.x.x (RFC 3463) is. Where no
    machine can read one it is looked for among the words.

    All parts together are read as far as the text of a person's letter would be, statuses first.
    """
    statuses: list[tuple[str, bool]] = []
    bounced: list[str] = []
    told = ""
    room = TEXT_OCTETS
    for part in sorted(envelope.parts, key=lambda part: part.media_type not in _STATUSES):
        if part.media_type not in _TELLING:
            continue
        octets = read_body(part, min(room, PART_HEADER_OCTETS if part.media_type in _RETURNED else room))[0]
        room -= len(octets)
        if part.media_type in _STATUSES:
            for block in _BLOCK_END.split(octets):
                status = _STATUS.search(block)
                if status:
                    statuses.append((status.group(1).decode("ascii"), bool(_FAILED.search(block))))
        elif part.media_type in _RETURNED:
            bounced += read_message_ids(_returned_headers(octets).first("message-id"))
        else:
            text = decode_text(octets, part.parameters.get("charset", ""))
            told = told or status_among_words(text)
            bounced += [name for found in _QUOTED_ID.findall(text) for name in read_message_ids(found)]
    bounced += read_thread(envelope.letter.headers)
    if not statuses and told:
        statuses.append((told, True))
    permanent = [status for status, failed in statuses if failed and status.startswith("5")]
    reason = "bounce"
    if permanent:
        reason = f"bounce: permanent, {permanent[0]}"
    elif statuses:
        first = statuses[0][0]
        reason = f"bounce: {'delivered' if first.startswith('2') else 'transient'}, {first}"
    return Screening(
        Nature.BOUNCE,
        reason,
        tuple(dict.fromkeys(bounced))[:THREAD_IDS],
        bool(permanent),
        permanent[0] if permanent else statuses[0][0] if statuses else "",
    )


def status_among_words(text: str) -> str:
    """Return the first status in a text; a mail server's code alone as 5.0.0 or 4.0.0, "" for none."""
    found = _TOLD.search(text)
    if found is None:
        return ""
    return found.group(1) or f"{found.group(2)}.0.0"


def _returned_headers(octets: bytes) -> Headers:
    """Return the header of the letter that came back, from its first octets."""
    block = _BLOCK_END.split(octets.lstrip(), maxsplit=1)[0]
    return read_headers(block)[0]
