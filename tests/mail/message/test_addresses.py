"""Who wrote, and which tags a letter was written to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message.addresses import (
    find_tags,
    is_nobodys,
    is_same_mailbox,
    is_service,
    is_unread,
    read_address,
    read_sender,
    why_no_address,
)
from referee.mail.message.headers import read_headers

SERVICE = "referee@example.org"


def sender(value: str) -> tuple[str, str]:
    found = read_sender(read_headers(f"From: {value}\r\n".encode())[0])
    assert bool(found.address) != bool(found.fault)
    return found.address, found.name


@pytest.mark.parametrize(
    ("value", "address", "name"),
    [
        ("anna@example.net", "anna@example.net", ""),
        ("<anna@example.net>", "anna@example.net", ""),
        ("Anna Brandt <anna@example.net>", "anna@example.net", "Anna Brandt"),
        ("Anna B. Brandt <Anna.Brandt@EXAMPLE.Net>", "Anna.Brandt@example.net", "Anna B. Brandt"),
        ('"Brandt, Anna" <anna@example.net>', "anna@example.net", "Brandt, Anna"),
        ('"A \\"quoted\\" Anna" <anna@example.net>', "anna@example.net", 'A "quoted" Anna'),
        ('"victim@example.com" <other@example.net>', "other@example.net", "victim@example.com"),
        ("anna@example.net (Anna (at home))", "anna@example.net", ""),
        ("Anna (victim@example.com) <anna@example.net>", "anna@example.net", "Anna"),
        ("anna@example.net <anna@example.net>", "anna@example.net", "anna@example.net"),
        ("=?utf-8?q?J=C3=B6rg?= <j@example.net>", "j@example.net", "Jörg"),
        ("=?utf-8?q?=3Cvictim=40example=2Ecom=3E?= <j@example.net>", "j@example.net", "<victim@example.com>"),
        ("Jörg <j@bücher.example>", "j@xn--bcher-kva.example", "Jörg"),
        ("Anna\r\n <anna@example.net>", "anna@example.net", "Anna"),
    ],
)
def test_one_address_is_read_whatever_stands_around_it(value: str, address: str, name: str) -> None:
    assert sender(value) == (address, name)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Anna",
        "a@example.net, b@example.net",
        "a@example.net b@example.net",
        "Anna <a@example.net>, Bert <b@example.net>",
        "Anna <a@example.net> <b@example.net>",
        "victim@example.com <other@example.com>",
        "Anna <a@example.net> b@example.net",
        "Anna <<a@example.net>>",
        "Anna <a@example.net",
        "Anna a@example.net>",
        "friends: a@example.net;",
        "friends: Anna <a@example.net>;",
        "<@relay.example:a@example.net>",
        "a@b@example.net",
        "a@[192.0.2.1]",
        '"a b"@example.net',
        "=?utf-8?q?a=40example=2Enet?=",
        "=?utf-8?q?a?=@example.net",
        "a@example..net",
        "a@-example.net",
        'Anna "B <a@example.net>',
        "(Anna <a@example.net>",
        "a\0@example\u200b.net",
        "(" * 3000 + "a@example.net",
    ],
)
def test_what_could_be_two_addresses_or_none_is_nobody_s(value: str) -> None:
    assert sender(value) == ("", "")


def test_two_from_headers_are_nobody_s() -> None:
    headers, _ = read_headers(b"From: a@example.net\r\nFrom: a@example.net\r\n")
    assert read_sender(headers).fault == "there is more than one From header"


@given(st.one_of(st.text(max_size=80), st.builds("{}@{}".format, st.text(max_size=20), st.text(max_size=60))))
def test_any_text_is_an_address_or_none(text: str) -> None:
    address = read_address(text)
    assert address == "" or read_address(address) == address
    assert address.isascii() and len(address) <= 254
    assert address or why_no_address(text)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Anna.B@Bücher.Example", "Anna.B@xn--bcher-kva.example"),
        ("anna@BU\u0308CHER.example", "anna@xn--bcher-kva.example"),
        ("anna@straße.example", "anna@xn--strae-oqa.example"),
        ("anna@bücher.local", "anna@xn--bcher-kva.local"),
        ("anna@club.test", "anna@club.test"),
        ("anna@localhost", "anna@localhost"),
        ("anna@例え.example.", "anna@xn--r8jz45g.example"),
        ("a..b@docomo.example", "a..b@docomo.example"),
    ],
)
def test_a_domain_is_kept_in_ascii_and_may_be_one_that_only_a_closed_network_knows(
    text: str, address: str
) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize("text", ["jörg@example.com", "アンナ@example.com", "jo\u0308rg@bücher.example"])
def test_an_address_beyond_ascii_before_the_at_is_none_and_the_reason_is_told(text: str) -> None:
    assert read_address(text) == ""
    assert "beyond ASCII before the @" in why_no_address(text)
    found = read_sender(read_headers(f"From: {text}\r\n".encode())[0])
    assert found.address == "" and "beyond ASCII before the @" in found.fault


@pytest.mark.parametrize(
    "text", ["", "anna", "@", "a@", "@b", "a@b@c", "a b@c", "a@☃.example", "a@" + "ü." * 150 + "de"]
)
def test_what_is_no_address_at_all_is_called_so(text: str) -> None:
    assert read_address(text) == ""
    assert why_no_address(text) == "{whom} is no mail address"


@pytest.mark.parametrize(
    ("headers", "tags"),
    [
        ("To: referee+abc@example.org", ("abc",)),
        ("To: Referee <REFEREE+ABC@Example.Org>", ("abc",)),
        ("To: x@y.example, <referee+a1@example.org>, referee+b2@example.org", ("a1", "b2")),
        (
            "To: referee+b@example.org\r\nDelivered-To: referee+a@example.org\r\nX-Original-To: referee+c@example.org",
            ("b",),
        ),
        (
            "To: referee@example.org\r\nX-Original-To: referee+c@example.org\r\nDelivered-To: referee+a@example.org",
            ("a", "c"),
        ),
        ("To: x@y.example\r\nDelivered-To: referee+a@example.org", ("a",)),
        ("Delivered-To: a@b\r\nDelivered-To: referee+a@example.org\r\nTo: referee+a@example.org", ("a",)),
        ("Cc: referee+abc@example.org\r\nBcc: referee+abc@example.org", ()),
        ("To: referee@example.org", ()),
        ("To: referee+@example.org", ()),
        ("To: xreferee+abc@example.org", ()),
        ("To: x.referee+abc@example.org", ()),
        ("To: referee+abc@example.org.evil.example", ()),
        ("To: referee+abc@exampleXorg", ()),
        ("To: referee+off-abc@example.org", ("off-abc",)),
    ],
)
def test_tags_are_found_where_the_letter_was_delivered_and_never_in_cc(
    headers: str, tags: tuple[str, ...]
) -> None:
    assert find_tags(read_headers(headers.encode())[0], SERVICE) == tags


def test_the_service_knows_its_own_address_with_and_without_a_tag() -> None:
    assert is_service("Referee@Example.org", SERVICE)
    assert is_service("referee+abc@example.org", "Referee@Example.org")
    assert not is_service("referees@example.org", SERVICE)
    assert not is_service("", SERVICE)
    assert not is_service("", "") and not is_service("anna@example.net", "")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("anna@example.com", "Anna@EXAMPLE.com", True),
        ("anna+chess@example.com", "anna@example.com", True),
        ("anna+a@example.com", "anna+b@example.com", True),
        ("an.na@gmail.com", "anna+x@googlemail.com", True),
        ("an.na@example.com", "anna@example.com", False),
        ("anna@example.com", "anna@example.net", False),
        ("anna@example.com", "hanna@example.com", False),
        ("+a@example.com", "+b@example.com", False),
    ],
)
def test_two_addresses_that_are_likely_to_be_one_mailbox_are_known(one: str, other: str, same: bool) -> None:
    assert is_same_mailbox(one, other) == is_same_mailbox(other, one) == same


UNREAD = str.split("""
    postmaster Postmaster postmaster+17 MAILER-DAEMON mailer-daemon listserv majordomo mailman
    noreply NoReply no-reply no.reply no_reply no-reply+17 noreply-17 shop-noreply shop.no-reply noreply.shop
    donotreply do-not-reply do-not-reply+17 do_not_reply dont-reply notifications-noreply no-replies
    ne-pas-repondre nepasrepondre nicht-antworten nichtantworten keine-antwort no-responder noresponder nao-responda
    noreply-dmarc-support dmarc dmarcreport dmarc-report dmarc_reports dmarc-noreply tlsrpt tls-rpt smtp-tls-rpt
    chess-request owner-chess chess-bounces chess-bounces+anna=example.net bounces+anna=example.com bounce bounces
    bounce-17 chess-unsubscribe chess-admin
""")
OFFICES = ("webmaster", "abuse", "hostmaster", "security", "root", "Webmaster", "webmaster+17")
PEOPLE = str.split("""
    anna request anna.owner owner replyto.anna arno.reply arnoreply nora.ply reply noel noreplyers tom.bounce bouncer
    dom admarco dmarco admin postmasters hostmasters info office contact chess.club donot reply-no nobody
""")


@pytest.mark.parametrize("local", UNREAD)
def test_an_address_that_nobody_reads_is_known(local: str) -> None:
    assert is_unread(f"{local}@example.com") and is_nobodys(f"{local}@example.com")


@pytest.mark.parametrize("local", OFFICES)
def test_an_office_s_address_is_nobody_s_who_plays_and_may_be_read(local: str) -> None:
    assert not is_unread(f"{local}@example.com") and is_nobodys(f"{local}@example.com")


@pytest.mark.parametrize("local", PEOPLE)
def test_what_a_person_may_be_called_is_no_such_address(local: str) -> None:
    assert not is_unread(f"{local}@noreply.example.com") and not is_nobodys(f"{local}@example.com")
