"""Why one of our letters was refused, by a mail server's answer or a bounce: what it concerns, and the cure.

One table serves both. Only refusals that concern the reader's address count against a player. Those that
concern this service, its domain, its host, its login or what it sends are for the operator. So is a letter
that is too large.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from referee.common.i18n import N_

Matter = Literal["address", "size", "content", "service"]
"""What a refusal concerns: the reader's address, the letter (a smaller one may be accepted), or this service.

The way to our own mail host counts as this service.
"""

LONGEST_ANSWER = 2_000
"""Most characters of a server's answer that are read."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a refusal means.

    status: RFC 3463's three numbers, "" where none were given.
    cure: for the operator, "" where none is known.
    """

    status: str
    matter: Matter
    cure: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    """One kind of refusal, recognised by its status or by words.

    Words count where the status says no more than "refused", or that some policy forbids it.
    """

    matter: Matter
    cure: str
    status: re.Pattern[str] | None = None
    words: re.Pattern[str] | None = None

    def applies(self, status: str, words: str) -> bool:
        """Return whether an answer is of this kind."""
        if self.words is not None and _VAGUE.fullmatch(status) and self.words.search(words):
            return True
        return self.status is not None and self.status.fullmatch(status) is not None


_VAGUE = re.compile(r"|[45]\.(?:\d\.0|5\.\d|7\.\d{1,3})")


def _row(matter: Matter, cure: str, status: str = "", words: str = "", *, classes: str = "45") -> _Row:
    """Return a row. status: the part after the first digit. classes: which first digits apply."""
    return _Row(
        matter,
        cure,
        re.compile(rf"[{classes}]\.(?:{status})") if status else None,
        re.compile(words, re.IGNORECASE) if words else None,
    )


_LOGIN = N_(
    "The mail server does not take this login. Microsoft 365 no longer takes passwords: let [outbox] token_command"
    " print an access token (deploy/README.md, section 2). Elsewhere an app password may be needed."
)
_SENDER = N_(
    "The account may not send as the service's address, or is blocked: set [service] address to what it may send as,"
    " and ask the provider whether it was blocked."
)
_SPF = N_(
    "The domain's SPF record does not name the host that sends: add it, or what the provider asks you to include."
    " There may be one SPF record only."
)
_DKIM = N_(
    "Letters are not signed with DKIM for the service's domain, or the signature does not hold: switch signing on, and"
    " publish the key."
)
_DMARC = N_(
    "The domain is not authenticated: SPF or DKIM must pass for the domain in From, and a DMARC record is needed, at"
    " least v=DMARC1; p=none."
)
_PTR = N_(
    "The address of the sending host has no name that leads back to it: ask whoever gives you the address to set its"
    " PTR record, and let that name lead to the address."
)
_TLS = N_(
    "The host takes letters over TLS alone: let your mail server send with TLS (Postfix: smtp_tls_security_level)."
)
_LISTED = N_(
    "The sending host, or the domain, is on a list of spammers or has a bad name: look at the page that the answer"
    " names, ask there to be taken off, or send by another provider."
)
_TOO_MANY = N_(
    "The account sends more than its provider allows: wait a day, or take one with a higher limit."
)

_TABLE: tuple[_Row, ...] = (
    _row(
        "service",
        _LOGIN,
        r"7\.(?:57|139)",
        r"basic auth|authentication (?:is )?required|log ?in to your",
    ),
    _row(
        "service",
        _SENDER,
        r"1\.[78]|2\.252|7\.(?:60|64|705)",
        r"send ?as ?denied|send as this|sender address rejected",
    ),
    _row("service", _SPF, r"7\.(?:23|24|27)", r"\bspf\b"),
    _row("service", _DMARC, r"7\.(?:26|509|515)", r"\bdmarc\b"),
    _row("service", _DKIM, r"7\.(?:20|21|22|30)", r"\bdkim\b"),
    _row(
        "service", _DMARC, "", r"unauthenticated|not authenticated|authentication (?:check|level|information)"
    ),
    _row(
        "service",
        _PTR,
        r"7\.25",
        r"\bptr\b|reverse (?:dns|host|lookup)|\br?dns (?:entry|record|name)\b|\bfcrdns\b",
    ),
    _row(
        "service",
        _TLS,
        r"7\.(?:10|29)",
        r"starttls|\btls (?:is )?required|encryption (?:is )?(?:required|needed)",
    ),
    _row(
        "service",
        _TOO_MANY,
        r"4\.5",
        r"(?:sending|message|submission) (?:limit|quota|rate)|rate.limit|too many messages",
    ),
    _row(
        "service",
        _LISTED,
        r"7\.(?:28|5\d\d|6\d\d|7\d\d)",
        r"spam|block ?list|black ?list|\b[dr]?nsbl\b|\brbl\b|barracuda|reputation|\bbanned\b|unsolicited|\blisted\b",
    ),
    _row(
        "address",
        "",
        "",
        r"no such (?:user|person|mailbox|recipient)|(?:user|recipient|mailbox|account)\b.{0,60}"
        r"(?:unknown|not found|not exist|n't exist|unavailable|disabled|inactive|rejected)"
        r"|(?:unknown|invalid) (?:user|recipient|mailbox)",
    ),
    _row("size", "", r"2\.3|3\.4"),
    _row("content", "", r"6\.\d+"),
    _row("service", "", r"4\.2", classes="4"),  # the connection to our own mail host was lost
    _row("service", "", r"[357]\.\d+"),
)
"""The first row that applies decides; where none does, the refusal concerns the address.

Codes without a standard: 7.1xx and 7.5xx to 7.7xx are Microsoft's (7.515: a domain without SPF, DKIM and
DMARC), 7.24 to 7.32 Google's.
"""


def read_refusal(words: str, status: str = "") -> Refusal:
    """Read a mail server's answer.

    status: a delivery report's, where there is one. A status among the words takes precedence over one that
        says nothing.
    """
    words = words[:LONGEST_ANSWER]
    said = status_among_words(words)
    if not status or (status.endswith(".0.0") and said[:1] == status[:1]):
        status = said or status
    found = next((row for row in _TABLE if row.applies(status, words)), None)
    return Refusal(status, found.matter, found.cure) if found else Refusal(status, "address")


_ENHANCED = re.compile(r"(?<![\d.])([45]\.[0-7]\.\d{1,3})(?![\d.])")
_CODE = re.compile(r"(?<![\d.])([45])[05]\d(?=[ -])")
"""A status, or a mail server's code, among words: mail programs write it like this for people."""


def status_among_words(text: str) -> str:
    """Return the first status in a text; a mail server's code alone as 5.0.0 or 4.0.0, "" for none."""
    if found := _ENHANCED.search(text):
        return found.group(1)
    found = _CODE.search(text)
    return f"{found.group(1)}.0.0" if found else ""
