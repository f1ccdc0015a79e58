"""Who wrote a letter, and which of our tags it was sent to.

The sender is read strictly. A header that can be read as two addresses gives no sender: the mail host that
authenticated the domain may have read the other one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from referee.common.i18n import N_
from referee.mail.message.headers import Headers, decode_words
from referee.mail.message.limits import ADDRESS_CHARACTERS, NAME_CHARACTERS, STRUCTURED_FIELD_CHARACTERS

_TOKEN = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|[()<>,;:@\[\]\\"]|[^\s()<>,;:@\[\]\\"]+')
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_DELIVERED = ("delivered-to", "x-original-to")
_ESCAPED = re.compile(r"\\(.)")
_SIGN = re.compile(r"\\.|[^\\\"()]+|.", re.DOTALL)
"""A sign that has a meaning in a list of mailboxes, or text between such signs; what a backslash precedes has none."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The one address of a From header, or why there is none."""

    address: str
    name: str
    fault: str


def read_sender(headers: Headers) -> Sender:
    """Read the writer: exactly one From field with exactly one address.

    The domain is in lower case and, where it is international, in its ASCII form; the local part is
    unchanged.
    """
    if headers.lacks("from"):
        return Sender("", "", "a From header is too long to be read")
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
        return Sender("", "", why_no_address(written).format(whom="the address in the From header"))
    return Sender(address, decode_words(name, NAME_CHARACTERS), "")


def read_address(text: str) -> str:
    """Return `local@domain` with the domain in lower case and ASCII form, "" for an unusable one.

    Every stored address has passed through here. Characters beyond ASCII before the @ need mail servers that
    support SMTPUTF8 all the way, so such an address is refused.
    """
    local, at, domain = text.rpartition("@")
    if not at or len(text) > ADDRESS_CHARACTERS or not text.isprintable():
        return ""
    if not _LOCAL.fullmatch(local) or local.startswith("=?"):
        return ""
    domain = read_domain(domain)
    address = f"{local}@{domain}"
    return address if domain and len(address) <= ADDRESS_CHARACTERS else ""


def why_no_address(text: str) -> str:
    """Return why `read_address` refuses a text: a sentence with {whom} for the text."""
    local, at, _ = text.rpartition("@")
    if at and "@" not in local and not local.isascii() and local.isprintable():
        return N_("{whom} has signs beyond ASCII before the @; such addresses cannot be written to yet")
    return N_("{whom} is no mail address")


def read_domain(text: str) -> str:
    """Return a domain in lower case and ASCII form, "" when it is not one.

    Names that only a closed network knows (club.local, a bare host) are domains too.
    """
    if len(text) > ADDRESS_CHARACTERS:
        return ""
    labels = text.lower().removesuffix(".").split(".")
    text = ".".join(label if label.isascii() else _ascii_label(label) for label in labels)
    return text if all(_LABEL.fullmatch(label) for label in text.split(".")) else ""


def _ascii_label(label: str) -> str:
    """Return one label of an international domain as IDNA 2008 writes it, "" for none."""
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415 - few labels are beyond ASCII

    try:
        checked = validate_email(f"x@{label}", check_deliverability=False, globally_deliverable=False)
    except EmailNotValidError:
        return ""
    return checked.ascii_domain or ""


def find_tags(headers: Headers, service_address: str) -> tuple[str, ...]:
    """Return the reply tags that a letter was sent to, in lower case, nearest delivery first, each once.

    They are taken from To, which the writer wrote and their host has signed. Where To names none, they are
    taken from Delivered-To and X-Original-To. Cc is never read, since it would hold other people's tags.
    Anybody with a copy of a letter can have it delivered to any tag that they know, before the letter itself
    arrives. It must count there as here.
    """
    pattern = _tagged(service_address.lower())
    written = [tag for value in headers.all("to") for tag in pattern.findall(value.lower())]
    delivered = [
        tag for name in _DELIVERED for value in headers.all(name) for tag in pattern.findall(value.lower())
    ]
    return tuple(dict.fromkeys(written or delivered))


def is_written_to(headers: Headers, service_address: str, aliases: Sequence[str] = ()) -> bool:
    """Return whether a letter's To has the service's address, with or without a tag, or one of its aliases.

    A name in a comment or a display name does not count, since the person being answered chooses it.
    """
    known = {alias.lower() for alias in aliases}
    for value in headers.all("to"):
        for mailbox in _without_names(value).split(","):
            address = _mailbox_address(mailbox)
            if is_service(address, service_address) or address.lower() in known:
                return True
    return False


def _without_names(value: str) -> str:
    """Return a list of mailboxes without names in quotes and comments, which may lie in one another.

    What is not closed goes on to the end.
    """
    kept, depth, quoted = [], 0, False
    for sign in _SIGN.findall(value):
        if quoted:
            quoted = sign != '"'
        elif sign == "(":
            depth += 1
        elif depth:
            depth -= sign == ")"
        elif sign == '"':
            quoted = True
        else:
            kept.append(sign)
            continue
        kept.append(" ")
    return "".join(kept)


def _mailbox_address(mailbox: str) -> str:
    """Return the address of one mailbox of a list: in angle brackets, or bare, perhaps as a group's first or last."""
    if "<" in mailbox:
        return mailbox.rpartition("<")[2].partition(">")[0].strip()
    return mailbox.rpartition(":")[2].strip(" \t\r\n;")


def is_service(address: str, service_address: str) -> bool:
    """Return whether an address is the service's own, with or without a tag; False where the service has none."""
    if not service_address:
        return False
    address, service_address = address.lower(), service_address.lower()
    return address == service_address or bool(_tagged(service_address).fullmatch(address))


def is_same_mailbox(one: str, other: str) -> bool:
    """Return whether two addresses are probably one person's mailbox.

    They may differ in case, in the part after a plus sign, or in dots at the one great host that ignores
    them.
    """
    return _mailbox(one) == _mailbox(other)


def _mailbox(address: str) -> tuple[str, str]:
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in ("gmail.com", "googlemail.com"):
        return local.replace(".", ""), "gmail.com"
    return local, domain


_OFFICES = frozenset(("abuse", "hostmaster", "root", "security", "webmaster"))
"""Local parts of offices (RFC 2142, and custom), which a person may read."""
_PROGRAMS = frozenset(
    (
        *("postmaster", "mailer-daemon", "mailer_daemon", "mailerdaemon"),
        *("listserv", "majordomo", "mailman", "sympa"),
    )
)
"""Local parts of programs, or of the addresses that programs put below their letters."""
_UNANSWERED = """
    no_repl(?:y|ies) not_reply never_reply do_not_reply do_not_respond dont_reply no_response unattended unmonitored
    ne_pas_repondre pas_de_reponse nicht_antworten keine_antwort no_responder no_contestar nao_respond(?:a|er)
    non_rispondere niet_beantwoorden geen_antwoord svara_ej ei_vastata bez_odpowiedzi
""".replace("_", "[._-]?").split()
_UNREAD = re.compile(
    rf"(?<![a-z])(?:{'|'.join(_UNANSWERED)})(?![a-z])|(?<![a-z])(?:dmarc|tls-?rpt)(?![a-z])|dmarc[._-]?reports?"
)
"""Part of a local part that says that nobody reads answers, or that the address sends reports."""
_OF_A_LIST = re.compile(
    r".+-(?:request|owner|subscribe|unsubscribe|join|leave|admin)|owner-.+|(?:.+-)?bounces?(?:[-+=].*)?"
)
"""Local parts by which a mailing list is run, or to which bounces go."""


def is_unread(address: str) -> bool:
    """Return whether nobody reads an address: a program's, one that says so, or one that runs a list."""
    local = address.lower().rpartition("@")[0]
    named = local.partition("+")[0]
    return named in _PROGRAMS or bool(_UNREAD.search(local) or _OF_A_LIST.fullmatch(local))


def is_nobodys(address: str) -> bool:
    """Return whether nobody plays by an address unless they say so: an unread one, or an office's."""
    return is_unread(address) or address.lower().rpartition("@")[0].partition("+")[0] in _OFFICES


@lru_cache(maxsize=8)
def _tagged(service_address: str) -> re.Pattern[str]:
    """Return the pattern of this service's tagged addresses, in lower case, with the tag as its group."""
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
        # A bare second address before the bracket is accepted only where it is the same.
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
    """Split a value into its tokens, without comments; None when brackets or quotes do not close."""
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
