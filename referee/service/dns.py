"""What the DNS says about the service's domain, as other mail hosts see it: MX, PTR, SPF, DMARC.

Players' mail hosts query these records before they deliver one of our letters or treat it as spam.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

LIFETIME = 3.0
"""Seconds after which a query is given up."""
PRIVATE = frozenset(
    (
        "example",
        "test",
        "invalid",
        "localhost",
        "local",
        "internal",
        "lan",
        "home",
        "corp",
        "mail",
        "onion",
        "arpa",
    )
)
"""Top-level names that no public server knows (RFC 6761, RFC 6762, RFC 8375, and common habit)."""
EXAMPLES = frozenset(("example.org", "example.com", "example.net"))


MOST_HOSTS = 3
"""Most hosts, or names of one host, that are checked."""
LABELS_WALKED = 7
OBSOLETE = ("pct", "rf", "ri")
"""Tags of DMARC records that RFC 9989 has removed."""


class NoSuchName(Exception):
    """The name does not exist at all."""


class NoAnswer(Exception):
    """No server could be asked, or none answered in time; the text says why."""


Records = Callable[[str, str], Sequence[str]]
"""Queries the records of a name and a type (MX, TXT, A, AAAA, PTR), in text form.

The result may be empty. Raises NoSuchName and NoAnswer.
"""


@dataclass(frozen=True, slots=True)
class DomainFinding:
    """One finding in sentences, with the cure where it is not good."""

    text: str
    good: bool


def ask_resolver(name: str, sort: str) -> Sequence[str]:
    """Ask this machine's resolver; see Records."""
    import dns.exception  # noqa: PLC0415 - slow to load, and only needed here
    import dns.resolver  # noqa: PLC0415

    try:
        answer = dns.resolver.resolve(name, sort, lifetime=LIFETIME, search=False, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN as error:
        raise NoSuchName(name) from error
    except (dns.exception.DNSException, OSError) as error:
        raise NoAnswer(f"{type(error).__name__} for {name}") from error
    if answer.rrset is None:
        return ()
    if sort == "TXT":
        return tuple(b"".join(each.strings).decode("utf-8", "replace") for each in answer.rrset)
    return tuple(each.to_text() for each in answer.rrset)


def look_up(address: str, records: Records = ask_resolver) -> Iterator[DomainFinding]:
    """Yield what the records say about an address's domain. A failed query is a finding, and no error."""
    domain = address.rpartition("@")[2].lower()
    if is_private(domain):
        yield DomainFinding(f"{domain} is no public name: its records were not looked up.", True)
        return
    try:
        yield _mx(domain, records)
        yield from _ptr(domain, records)
        yield _spf(domain, records)
        yield _dmarc(domain, records)
    except NoSuchName:
        yield DomainFinding(
            f"The domain name system does not know {domain}, so that nobody can answer; see whether [service] address "
            "is spelt right and the domain is still yours.",
            False,
        )
        return
    except NoAnswer as error:
        yield DomainFinding(f"The records of {domain} could not be looked up ({error}).", True)
        return
    yield DomainFinding(
        "Signatures (DKIM) cannot be looked up by the domain alone: write to a mailbox of yours at another provider "
        "(a game with yourself will do) and see that Authentication-Results there says dkim=pass.",
        True,
    )


def is_private(domain: str) -> bool:
    """Return whether public servers do not know a domain."""
    parts = domain.rstrip(".").split(".")
    return len(parts) < 2 or parts[-1] in PRIVATE or ".".join(parts[-2:]) in EXAMPLES


def _mx(domain: str, records: Records) -> DomainFinding:
    hosts = sorted(
        (int(preference), host.rstrip("."))
        for preference, _, host in (record.partition(" ") for record in records(domain, "MX"))
    )
    if any(host for _, host in hosts):
        named = ", ".join(host for _, host in hosts[:3] if host)
        return DomainFinding(f"Letters for {domain} go to {named} (MX).", True)
    if hosts:
        return DomainFinding(
            f"{domain} says that it takes no letters (a null MX), so that answers cannot come; take that record away.",
            False,
        )
    if records(domain, "A") or records(domain, "AAAA"):
        return DomainFinding(f"{domain} has no MX record; letters for it go to the host of that name.", True)
    return DomainFinding(
        f"{domain} has neither an MX record nor an address, so that answers cannot come; add an MX record that names "
        "your mail host.",
        False,
    )


def _ptr(domain: str, records: Records) -> Iterator[DomainFinding]:
    """Check whether the domain's own mail hosts have PTR names that lead back to their addresses.

    These hosts probably send as well. The names of a provider's hosts are the provider's business.
    """
    for host in _mail_hosts(domain, records)[:MOST_HOSTS]:
        if host != domain and not host.endswith(f".{domain}"):
            continue
        for address in (*_records_or_none(records, host, "A"), *_records_or_none(records, host, "AAAA")):
            names = [name.rstrip(".") for name in _records_or_none(records, _reverse(address), "PTR")]
            back = any(
                address in (*_records_or_none(records, name, "A"), *_records_or_none(records, name, "AAAA"))
                for name in names[:MOST_HOSTS]
            )
            if back:
                yield DomainFinding(
                    f"The address {address} of {host} has a name that leads back to it (PTR).", True
                )
                continue
            why = (
                f"is called {names[0]}, which does not lead back to it"
                if names
                else "has no name (no PTR record)"
            )
            yield DomainFinding(
                f"The address {address} of {host} {why}, so that large providers refuse what it sends; ask "
                f"whoever gives you the address to set its PTR record to {host}.",
                False,
            )


def _mail_hosts(domain: str, records: Records) -> list[str]:
    """Return the hosts that a domain's MX records name."""
    return [
        host.rstrip(".").lower() for _, _, host in (each.partition(" ") for each in records(domain, "MX"))
    ]


def _records_or_none(records: Records, name: str, sort: str) -> Sequence[str]:
    """Return a name's records; none where the name does not exist."""
    try:
        return records(name, sort)
    except NoSuchName:
        return ()


def _reverse(address: str) -> str:
    """Return the name that holds an address's PTR record."""
    return ip_address(address).reverse_pointer


def _spf(domain: str, records: Records) -> DomainFinding:
    found = [text for text in records(domain, "TXT") if re.match(r"v=spf1(\s|$)", text, re.IGNORECASE)]
    if not found:
        return DomainFinding(
            f"{domain} has no SPF record, so that letters of yours may land among spam; add a TXT record such as "
            '"v=spf1 mx -all", or the one that your mail provider names.',
            False,
        )
    if len(found) > 1:
        return DomainFinding(
            f"{domain} has {len(found)} SPF records, and then none counts; make one of them.", False
        )
    terms = found[0].lower().split()[1:]
    policy = next((term for term in terms if re.fullmatch(r"[-~?+]?all", term)), "")
    if policy in ("all", "+all"):
        return DomainFinding(
            f'The SPF record of {domain} lets anybody send for it ("{policy}"); end it in "-all" or "~all".',
            False,
        )
    if not policy and not any(term.startswith("redirect=") for term in terms):
        return DomainFinding(
            f'The SPF record of {domain} says nothing of other hosts; let it end in "-all" or "~all".', False
        )
    return DomainFinding(f"{domain} has an SPF record: {found[0]}", True)


def _dmarc(domain: str, records: Records) -> DomainFinding:
    """Find the DMARC record of a domain: its own, or that of a parent (RFC 9989, section 4.10)."""
    for above in _tree_walk(domain):
        try:
            texts = records(f"_dmarc.{above}", "TXT")
        except NoSuchName:
            continue
        found = [text for text in texts if re.match(r"v\s*=\s*dmarc1\s*(;|$)", text, re.IGNORECASE)]
        if len(found) > 1:
            return DomainFinding(
                f"_dmarc.{above} has {len(found)} DMARC records, and then none counts.", False
            )
        gone = [tag for tag in OBSOLETE if found and re.search(rf";\s*{tag}\s*=", found[0], re.IGNORECASE)]
        if gone:
            return DomainFinding(
                f"The DMARC record of {above} has {' and '.join(gone)}, which RFC 9989 no longer knows: {found[0]}; "
                'take that out (to try a policy first, "t=y").',
                False,
            )
        if found:
            return DomainFinding(f"{above} has a DMARC record: {found[0]}", True)
    return DomainFinding(
        f"{domain} has no DMARC record; large providers want one from those who send much: add a TXT record for "
        f'_dmarc.{domain}, to begin with "v=DMARC1; p=none".',
        False,
    )


def _tree_walk(domain: str) -> Iterator[str]:
    """Yield the names that may hold a domain's policy, the domain itself first.

    Of a long domain, these are the last seven labels and their parents.
    """
    parts = domain.split(".")
    yield domain
    for first in range(max(1, len(parts) - LABELS_WALKED), len(parts)):
        yield ".".join(parts[first:])
