"""What the doctor finds in the domain name system: asked of records in a table, never of the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import dns.exception
import dns.resolver
import pytest
from dns.name import from_text
from dns.rdataclass import IN
from dns.rdatatype import TXT
from dns.rrset import RRset, from_text_list

from referee.service import dns as domain
from referee.service.dns import (
    DomainFinding,
    NoAnswer,
    NoSuchName,
    Records,
    ask_resolver,
    is_private,
    look_up,
)

ADDRESS = "referee@Play.chess-club.se"
GOOD: Mapping[tuple[str, str], Sequence[str]] = {
    ("play.chess-club.se", "MX"): ("20 b.chess-club.se.", "10 a.chess-club.se."),
    ("play.chess-club.se", "TXT"): ("google-site-verification=x", "v=spf1 mx -all"),
    ("_dmarc.play.chess-club.se", "TXT"): ("v=DMARC1; p=reject",),
}
OWN: Mapping[tuple[str, str], Sequence[str]] = {
    ("chess-club.se", "MX"): ("10 mx.chess-club.se.",),
    ("chess-club.se", "TXT"): ("v=spf1 mx -all",),
    ("_dmarc.chess-club.se", "TXT"): ("v=DMARC1; p=none",),
    ("mx.chess-club.se", "A"): ("192.0.2.7",),
    ("mx.chess-club.se", "AAAA"): ("2001:db8::7",),
    ("7.2.0.192.in-addr.arpa", "PTR"): ("mx.chess-club.se.",),
    ("7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa", "PTR"): (
        "mx.chess-club.se.",
    ),
}
"""What is said of a domain with a mail host of its own."""


def table(**changes: Sequence[str] | None) -> Records:
    """Return records that answer as a sound domain's do, save for the sorts named: MX, SPF, DMARC, A."""
    places = {
        "MX": ("play.chess-club.se", "MX"),
        "SPF": ("play.chess-club.se", "TXT"),
        "DMARC": ("_dmarc.play.chess-club.se", "TXT"),
        "A": ("play.chess-club.se", "A"),
        "ABOVE": ("_dmarc.chess-club.se", "TXT"),
        "TOP": ("_dmarc.se", "TXT"),
    }
    known = dict(GOOD)
    for sort, texts in changes.items():
        known.pop(places[sort], None)
        if texts is not None:
            known[places[sort]] = texts

    def records(name: str, sort: str) -> Sequence[str]:
        if name.startswith("_dmarc") and (name, sort) not in known:
            raise NoSuchName(name)
        return known.get((name, sort), ())

    return records


def look(records: Records) -> list[DomainFinding]:
    return list(look_up(ADDRESS, records))


def test_a_sound_domain_is_told_with_what_it_says() -> None:
    mx, spf, dmarc, dkim = look(table())
    assert mx == DomainFinding(
        "Letters for play.chess-club.se go to a.chess-club.se, b.chess-club.se (MX).", True
    )
    assert spf == DomainFinding("play.chess-club.se has an SPF record: v=spf1 mx -all", True)
    assert dmarc == DomainFinding("play.chess-club.se has a DMARC record: v=DMARC1; p=reject", True)
    assert dkim.good
    assert "dkim=pass" in dkim.text


@pytest.mark.parametrize(
    ("changes", "good", "words"),
    [
        ({"MX": None}, False, "neither an MX record nor an address"),
        ({"MX": None, "A": ("192.0.2.1",)}, True, "has no MX record; letters for it go to the host of that name"),
        ({"MX": ("0 .",)}, False, "a null MX"),
        ({"SPF": None}, False, 'no SPF record, so that letters of yours may land among spam; add a TXT record such as'),
        ({"SPF": ("v=spf10 -all",)}, False, "no SPF record"),
        ({"SPF": ("v=spf1 mx -all", "V=SPF1 a ~all")}, False, "2 SPF records"),
        ({"SPF": ("v=spf1 mx",)}, False, "says nothing of other hosts"),
        ({"SPF": ("v=spf1 mx +all",)}, False, "lets anybody send"),
        ({"SPF": ("v=spf1 ALL",)}, False, "lets anybody send"),
        ({"SPF": ("v=spf1 mx ~ALL",)}, True, "has an SPF record"),
        ({"SPF": ("v=spf1 redirect=_spf.google.com",)}, True, "has an SPF record"),
        ({"DMARC": None}, False, 'no DMARC record; large providers want one'),
        ({"DMARC": ("a note",)}, False, "no DMARC record"),
        ({"DMARC": None, "ABOVE": ("v=DMARC1;p=none",)}, True, "chess-club.se has a DMARC record: v=DMARC1;p=none"),
        ({"DMARC": ("v=DMARC1; p=none", "v=DMARC1; p=reject")}, False, "2 DMARC records"),
        ({"DMARC": ("v=DMARC1; p=reject; t=y; np=reject",)}, True, "has a DMARC record"),
        ({"DMARC": ("v=DMARC1; rua=mailto:a@b.se",)}, True, "has a DMARC record"),
        ({"DMARC": ("v=DMARC1; p=reject; pct=50",)}, False, "has pct, which RFC 9989 no longer knows"),
        ({"DMARC": ("v=DMARC1;p=reject;RI=86400 ; rf=afrf",)}, False, "has rf and ri, which"),
        ({"DMARC": None, "ABOVE": None, "TOP": ("v=DMARC1; p=none; psd=y",)}, True, "se has a DMARC record"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_domain_is_told_with_its_cure(
    changes: Mapping[str, Sequence[str] | None], good: bool, words: str
) -> None:
    (found,) = (each for each in look(table(**changes)) if words in each.text)
    assert found.good is good


def own(**changes: Sequence[str]) -> list[DomainFinding]:
    """Return what is found of a domain with a mail host of its own. changes: other PTR or A records of IPv4."""
    places = {"PTR": ("7.2.0.192.in-addr.arpa", "PTR"), "A": ("mx.chess-club.se", "A")}
    known = {**OWN, **{places[sort]: texts for sort, texts in changes.items()}}

    def records(name: str, sort: str) -> Sequence[str]:
        if not any(each == name for each, _ in known):
            raise NoSuchName(name)
        return known.get((name, sort), ())

    return [each for each in look_up("referee@chess-club.se", records) if "address" in each.text]


def test_the_addresses_of_an_own_mail_host_are_looked_up_backwards() -> None:
    assert own() == [
        DomainFinding(
            f"The address {address} of mx.chess-club.se has a name that leads back to it (PTR).", True
        )
        for address in ("192.0.2.7", "2001:db8::7")
    ]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ((), "has no name (no PTR record)"),
        (("host7.isp.example.",), "is called host7.isp.example, which does not lead"),
    ],
)
def test_an_address_whose_name_does_not_lead_back_is_told_with_its_cure(
    names: Sequence[str], words: str
) -> None:
    (found,) = [each for each in own(PTR=names) if not each.good]
    assert words in found.text and "set its PTR record to mx.chess-club.se" in found.text


def test_a_long_name_is_walked_up_in_eight_questions() -> None:
    """RFC 9989, section 4.10: itself, then its last seven labels and what stands above them."""
    asked = []

    def records(name: str, sort: str) -> Sequence[str]:
        if name.startswith("_dmarc"):
            asked.append(name)
            raise NoSuchName(name)
        return ("10 mx.example.com.",) if sort == "MX" else ()

    list(look_up("referee@a.b.c.d.e.f.g.h.i.mail.se", records))
    assert len(asked) == 8
    assert (
        asked[:2] == ["_dmarc.a.b.c.d.e.f.g.h.i.mail.se", "_dmarc.e.f.g.h.i.mail.se"]
        and asked[-1] == "_dmarc.se"
    )


def test_a_domain_that_is_not_known_is_told_once() -> None:
    def nothing(name: str, sort: str) -> Sequence[str]:
        raise NoSuchName(name)

    (found,) = look(nothing)
    assert not found.good
    assert "does not know play.chess-club.se" in found.text


def test_where_nobody_answers_one_question_is_asked_and_no_fault_is_found() -> None:
    asked = []

    def silence(name: str, sort: str) -> Sequence[str]:
        asked.append(sort)
        raise NoAnswer("LifetimeTimeout")

    (found,) = look(silence)
    assert found == DomainFinding(
        "The records of play.chess-club.se could not be looked up (LifetimeTimeout).", True
    )
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("name", "private"),
    [
        ("localhost", True),
        ("mail", True),
        ("example.org", True),
        ("mail.example.com", True),
        ("club.test", True),
        ("club.local", True),
        ("club.home.arpa", True),
        ("an-example.org", False),
        ("club.se", False),
    ],
)
def test_names_that_no_public_server_knows_are_not_asked_for(name: str, private: bool) -> None:
    assert is_private(name) is private
    if private:
        (found,) = look_up(f"referee@{name}", pytest.fail)  # type: ignore[arg-type]
        assert found == DomainFinding(f"{name} is no public name: its records were not looked up.", True)


# The resolver itself


class Said:
    """An answer as the library gives it."""

    def __init__(self, rrset: RRset | None) -> None:
        self.rrset = rrset


def resolver(monkeypatch: pytest.MonkeyPatch, answer: Said | Exception) -> list[tuple[str, str, float]]:
    """Put an answer into the library's mouth; return the list of what it is asked."""
    asked: list[tuple[str, str, float]] = []

    def resolve(name: str, sort: str, *, lifetime: float, search: bool, raise_on_no_answer: bool) -> Said:
        asked.append((name, sort, lifetime))
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(dns.resolver, "resolve", resolve)
    return asked


def test_texts_in_several_parts_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rrset = from_text_list(from_text("club.se."), 60, IN, TXT, ['"v=spf1 include:a.se " "-all"', '"x"'])
    asked = resolver(monkeypatch, Said(rrset))
    assert sorted(ask_resolver("club.se", "TXT")) == ["v=spf1 include:a.se -all", "x"]
    assert asked == [("club.se", "TXT", domain.LIFETIME)]


def test_other_records_are_given_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver(monkeypatch, Said(from_text_list(from_text("club.se."), 60, IN, "MX", ["10 a.club.se."])))
    assert list(ask_resolver("club.se", "MX")) == ["10 a.club.se."]
    resolver(monkeypatch, Said(None))
    assert list(ask_resolver("club.se", "MX")) == []


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (dns.resolver.NXDOMAIN, NoSuchName),
        (dns.resolver.NoResolverConfiguration, NoAnswer),
        (dns.exception.Timeout, NoAnswer),
        (OSError, NoAnswer),
    ],
)
def test_what_the_resolver_cannot_do_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, sort: type[Exception], expected: type[Exception]
) -> None:
    resolver(monkeypatch, sort())
    with pytest.raises(expected):
        ask_resolver("club.se", "TXT")
