"""Whether a mail host that we name authenticates the domain in a letter's From header.

Hosts write their findings into Authentication-Results headers. Anybody can write such a header, so only the
topmost one by a named host counts. It counts alone, even when it is too long or too oddly spelt to be read. A
DMARC verdict in it is final, whatever else passed. Only where the domain has none does an aligned DKIM
signature or SPF count.

Hosts authenticate a letter, not its destination: anybody who has received one may send it on as it is. So To
must name this service. No field that may occur once may occur twice, since only one of them was
authenticated. A signature with a length (`l=`) does not cover the text below it: it does not count, and only
an aligned SPF does.
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
"""Fields that a letter has at most once (RFC 5322 section 3.6, RFC 2045). From is checked where it is read."""

UNCHECKED = "no host named in the settings has checked the sender"
_PARTLY = "a signature in it covers only a part of the text (l=), and nothing else speaks for the sender"
_LENGTH = re.compile(r"(?:^|;)\s*l\s*=", re.IGNORECASE)
"""The tag of a DKIM signature that says how much of the text it covers (RFC 6376 section 3.5)."""
_METHODS = authres.FeatureContext(authres.dmarc)
_SERVER = re.compile(r'(?:\([^()]*\)|[\s"])*([^\s;"()/]+)')
"""The host that the results claim to be from, however it is spelt."""
_NAMED = re.compile(r'[^\s;"()/]+(?=[ \t;]|$)')
"""How a host itself writes its name. Characters attached to it let a forged name pass the host's own filter."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the sender is trusted, and why.

    why: in words, for the records and the log. They stay there after a player has left, so they name none of
        their domains.
    by_signature: the host may have relied on a signature alone.
    """

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

    service_address, aliases: our addresses; To must hold one of them.
    authserv_ids: names of the trusted hosts, in any case.
    trust: "header" trusts the From header.
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
    return Verdict(False, UNCHECKED)


def name_of_server(value: str) -> str:
    """Return the host that an Authentication-Results value claims to be from, in lower case; "" for none."""
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
    """Return whether any signature leaves room for more text."""
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
    """Return whether a checked domain is that of the From header or a parent of it (but not a bare `net`)."""
    return "." in checked and (checked == domain or domain.endswith("." + checked))
