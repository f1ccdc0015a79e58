"""Who wrote a letter, and which of our tags it was written to.

The sender is read strictly: what can be taken for two addresses is nobody's, because a mail host that vouched
for a domain may have read the other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from referee.letters.headers import Headers, decode_words
from referee.letters.limits import ADDRESS_CHARACTERS, NAME_CHARACTERS, STRUCTURED_FIELD_CHARACTERS

_TOKEN = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|[()<>,;:@\[\]\\"]|[^\s()<>,;:@\[\]\\"]+')
_LOCAL = re.compile(r"[^\s()<>\[\],;:@\\\"]{1,64}")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_TAGGED_FIELDS = ("delivered-to", "x-original-to", "to")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Sender:
    """The one address of a From header, or why there is none."""

    address: str
    name: str
    fault: str


def read_sender(headers: Headers) -> Sender:
    """Read who wrote: exactly one From field with exactly one address.

    The domain is in lower case and, where it is international, in its ASCII form; the local part is as it came.
    """
    values = headers.all("from")
    if not values or not values[0]:
        return Sender("", "", "there is no From header")
    if len(values) > 1:
        return Sender("", "", "there is more than one From header")
    parsed = _read_mailbox(values[0]) if len(values[0]) <= STRUCTURED_FIELD_CHARACTERS else None
    if parsed is None:
        return Sender("", "", "the From header is not exactly one address")
    name, written = parsed
    address = read_address(written)
    if not address:
        return Sender("", "", "the address in the From header is not well formed")
    return Sender(address, decode_words(name, NAME_CHARACTERS), "")


def read_address(text: str) -> str:
    """Return `local@domain` with the domain in lower case (ASCII form), "" when it is not an address we can answer."""
    local, at, domain = text.rpartition("@")
    if not at or len(text) > ADDRESS_CHARACTERS or not text.isprintable():
        return ""
    if not _LOCAL.fullmatch(local) or local.startswith("=?"):
        return ""
    domain = read_domain(domain)
    return f"{local}@{domain}" if domain else ""


def read_domain(text: str) -> str:
    """Return a domain in lower case and ASCII form, "" when it is none."""
    text = text.lower().removesuffix(".")
    if not text.isascii():
        try:
            text = text[:ADDRESS_CHARACTERS].encode("idna").decode("ascii").lower()
        except UnicodeError:
            return ""
    labels = text.split(".")
    return text if all(_LABEL.fullmatch(label) for label in labels) else ""


def find_tags(headers: Headers, service_address: str) -> tuple[str, ...]:
    """Return the reply tags that a letter was sent to, in lower case, nearest delivery first, each once.

    Looked for in Delivered-To, X-Original-To and To; never in Cc, where others' tags would stand.
    """
    pattern = _tagged(service_address.lower())
    return tuple(dict.fromkeys(tag for value in _tagged_values(headers) for tag in pattern.findall(value)))


def is_service(address: str, service_address: str) -> bool:
    """Tell whether an address is the service's own, with a tag or without."""
    address, service_address = address.lower(), service_address.lower()
    return address == service_address or bool(_tagged(service_address).fullmatch(address))


def _tagged_values(headers: Headers) -> Iterable[str]:
    for name in _TAGGED_FIELDS:
        for value in headers.all(name):
            yield value.lower()


@lru_cache(maxsize=8)
def _tagged(service_address: str) -> re.Pattern[str]:
    """The pattern of a tagged address of this service, in lower case, with the tag as its group."""
    local, _, domain = service_address.rpartition("@")
    before, after = r"(?<![a-z0-9._+-])", r"(?![a-z0-9._-])"
    return re.compile(rf"{before}{re.escape(local)}\+([a-z0-9._-]{{1,64}})@{re.escape(domain)}{after}")


def _read_mailbox(value: str) -> tuple[str, str] | None:
    """Split a From value into display name and address; None when it is not plainly one mailbox."""
    tokens = _without_comments(value)
    if tokens is None:
        return None
    if "<" in tokens:
        opening = tokens.index("<")
        phrase, rest = tokens[:opening], tokens[opening + 1 :]
        if ">" not in rest:
            return None
        closing = rest.index(">")
        inner, after = rest[:closing], "".join(rest[closing + 1 :]).strip()
        address = "".join(inner).strip()
        # A bare second address in front of the bracket is tolerated only where it says the same.
        signs = {token for token in phrase if token in set('()<>,;:@[]\\"')}
        bare = "".join(phrase).strip()
        if after or (signs and bare.lower() != address.lower()):
            return None
        name = "".join(_unquoted(token) for token in phrase).strip()
        return name, address
    address = "".join(tokens).strip()
    return "", address


def _unquoted(token: str) -> str:
    """Return a quoted string's content; other tokens as they are."""
    return _ESCAPED.sub(r"\1", token[1:-1]) if token.startswith('"') and len(token) > 1 else token


def _without_comments(value: str) -> list[str] | None:
    """Cut a value into its tokens, leaving out comments; None when brackets or quotes do not close."""
    tokens: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(value):
        piece = match.group()
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
            if depth < 0:
                return None
        elif not depth:
            if piece in ('"', "\\"):
                return None
            tokens.append(piece)
    return None if depth else tokens
