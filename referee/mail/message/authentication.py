"""Whether a mail host that we name vouches for the domain a letter says it is from.

Hosts write what they found into Authentication-Results headers. Anybody can write such a header, so only
the topmost one by a named host counts, and it counts alone, even when it is spelt so oddly or is so long that
nothing can be read from it. A DMARC verdict in it is final, whatever
else passed; only where the domain has none do an aligned DKIM signature or SPF speak for it.

Hosts vouch for a letter, not for where it goes: whoever has got one may hand it on as it is. So it must be written to
this service by its To, and no field that may stand once may stand twice, for then only one of them was vouched for.
A signature with a length (`l=`) says nothing of what stands below it: it speaks for nobody, only an aligned SPF does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import authres
import authres.dmarc

from referee.mail.message.addresses import is_written_to, read_domain
from referee.mail.message.headers import Headers
from referee.mail.message.limits import RESULTS_CHARACTERS

Trust = Literal["verified", "header"]

ONCE = (
    "to",
    "cc",
    "reply-to",
    "sender",
    "subject",
    "date",
    "message-id",
    "in-reply-to",
    "references",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
)
"""Fields that a letter has once at most (From is seen to where it is read; RFC 5322 section 3.6, RFC 2045)."""

_PARTLY = "a signature in it covers only a part of the text (l=), and nothing else speaks for the sender"
_LENGTH = re.compile(r"(?:^|;)\s*l\s*=", re.IGNORECASE)
"""The tag of a DKIM signature that says how much of the text it covers (RFC 6376 section 3.5)."""
_METHODS = authres.FeatureContext(authres.dmarc)
_SERVER = re.compile(r'(?:\([^()]*\)|[\s"])*([^\s;"()/]+)')
"""Whose results they are meant to be, however it is spelt."""
_NAMED = re.compile(r'[^\s;"()/]+(?=[ \t;]|$)')
"""How a host itself writes its name. What is glued to it is what gets a forged name past the host's own filter."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the sender is believed, and why, in words: they go to the records and the log, where they stay when he
    has left, so that they name no domain of his. by_signature: a signature alone may be what the host relied on."""

    verified: bool
    why: str
    by_signature: bool = False


def judge(
    headers: Headers,
    sender: str,
    *,
    service_address: str,
    aliases: Sequence[str] = (),
    authserv_ids: Sequence[str],
    trust: Trust,
) -> Verdict:
    """Judge whether `sender` (one address, "" for none) really wrote a letter with these headers.

    service_address, aliases: of ours, one of which must stand in To. authserv_ids: names of the hosts that are
    believed, in any case. trust "header" believes the From header.
    """
    if not sender:
        return Verdict(False, "there is no sender to verify")
    if trust == "header":
        return Verdict(True, "the settings say that From headers are believed")
    for name in ONCE:
        if len(headers.all(name)) > 1:
            return Verdict(False, f"it has more than one {name.title()} header, and only one was vouched for")
    if not is_written_to(headers, service_address, aliases):
        return Verdict(False, "it was not written to this mailbox: the service's address is not in To")
    if headers.lacks("authentication-results"):
        return Verdict(False, "results of a host are too long to be read, and may be those that count")
    named = {name.lower() for name in authserv_ids}
    for value in headers.all("authentication-results"):
        server = name_of_server(value)
        if server in named:
            verdict = _judge_results(value, server, sender.rpartition("@")[2])
            return Verdict(False, _PARTLY) if verdict.by_signature and _is_partly_signed(headers) else verdict
    return Verdict(False, "no host named in the settings has checked the sender")


def name_of_server(value: str) -> str:
    """Return whose results an Authentication-Results value is meant to hold, in lower case; "" for nobody's."""
    server = _SERVER.match(value)
    return server.group(1).lower() if server else ""


def _judge_results(value: str, server: str, domain: str) -> Verdict:
    """Judge one header's results about a From header of `domain`."""
    unreadable = Verdict(False, f"the results of {server} cannot be read")
    if len(value) > RESULTS_CHARACTERS or not _NAMED.match(value):
        return unreadable
    try:
        results = _METHODS.parse_value(value).results
    except (authres.AuthResError, SyntaxError, ValueError, RecursionError):
        # authres raises its own errors for odd headers, and Python's for some.
        return unreadable

    verdicts = [result for result in results if result.method == "dmarc" and result.result != "none"]
    for result in verdicts:
        if result.result != "pass":
            return Verdict(False, f"{server} says dmarc={result.result}")
        if _domain_of(result, "header", "from") != domain:
            return Verdict(False, f"{server} says dmarc=pass, but for another domain")
    passed = [result for result in results if result.result == "pass"]
    sent = any(r.method == "spf" and _is_aligned(_domain_of(r, "smtp", "mailfrom"), domain) for r in passed)
    if verdicts:
        return Verdict(True, f"{server} says dmarc=pass", by_signature=not sent)
    signed = any(r.method == "dkim" and _is_aligned(_signer(r), domain) for r in passed)
    if sent or signed:
        what = "spf=pass" if sent else "dkim=pass"
        return Verdict(True, f"{server} says {what} for the sender's domain", by_signature=not sent)
    return Verdict(False, f"nothing that {server} checked speaks for the sender's domain")


def _is_partly_signed(headers: Headers) -> bool:
    """Say whether any signature leaves room for more text."""
    return any(_LENGTH.search(value) for value in headers.all("dkim-signature"))


def _signer(result: Any) -> str:
    return _domain_of(result, "header", "d") or _domain_of(result, "header", "i")


def _domain_of(result: Any, kind: str, name: str) -> str:
    """Return the domain in a property like `header.from=…` (an address or a domain), "" when it is missing."""
    for found in result.properties:
        if (found.type, found.name) == (kind, name):
            return read_domain(str(found.value or "").rpartition("@")[2])
    return ""


def _is_aligned(checked: str, domain: str) -> bool:
    """Return whether a checked domain is that of the From header or stands above it (but is no bare `net`)."""
    return "." in checked and (checked == domain or domain.endswith("." + checked))
