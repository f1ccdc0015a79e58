"""Only the topmost results of a host that we name speak for a sender."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message.authentication import ONCE, Trust, Verdict, judge
from referee.mail.message.limits import FIELD_OCTETS
from referee.mail.message.mime_parts import open_header, open_letter

US = "referee@example.org"
PASS = "mx.example.org; dmarc=pass header.from=example.net"


def judged(
    *results: str,
    sender: str = "anna@example.net",
    hosts: tuple[str, ...] = ("MX.example.org",),
    trust: Trust = "verified",
    fields: str = f"To: {US}\r\n",
    aliases: tuple[str, ...] = (),
) -> Verdict:
    head = "".join(f"Authentication-Results: {result}\r\n" for result in results)
    return judge(
        open_letter(f"{head}{fields}\r\n".encode()).headers,
        sender,
        service_address=US,
        aliases=aliases,
        authserv_ids=hosts,
        trust=trust,
    )


@pytest.mark.parametrize(
    "results",
    [
        PASS,
        "MX.Example.ORG; dmarc=pass header.from=Example.NET",
        "mx.example.org 1; spf=none smtp.mailfrom=x.example; dmarc=pass (p=REJECT dis=NONE) header.from=example.net",
        "mx.example.org;\r\n dkim=pass header.i=@example.net header.b=Ab/+c1; dmarc=pass header.from=example.net",
        "mx.example.org; dkim=pass header.d=example.net",
        "mx.example.org; dkim=pass header.i=anna@example.net",
        "mx.example.org; dmarc=none; dkim=fail header.d=a.example; dkim=pass header.d=example.net",
        "mx.example.org; spf=pass smtp.mailfrom=bounces@example.net",
        "mx.example.org; spf=pass smtp.mailfrom=example.net",
    ],
)
def test_a_named_host_vouches_for_the_sender_s_domain(results: str) -> None:
    verdict = judged(results)
    assert verdict.verified, verdict.why
    assert verdict.why.startswith("mx.example.org says ")
    assert "example.net" not in verdict.why


@pytest.mark.parametrize(
    ("results", "why"),
    [
        (
            "mx.example.org; dmarc=fail header.from=example.net; dkim=pass header.d=example.net",
            "says dmarc=fail",
        ),
        (
            "mx.example.org; dkim=pass header.d=example.net; dmarc=temperror header.from=example.net",
            "temperror",
        ),
        ("mx.example.org; dmarc=bestguesspass header.from=example.net", "bestguesspass"),
        (f"{PASS}; dmarc=fail header.from=example.net", "says dmarc=fail"),
        ("mx.example.org; dmarc=pass header.from=elsewhere.example", "another domain"),
        ("mx.example.org; dmarc=pass header.from=notexample.net", "another domain"),
        ("mx.example.org; dmarc=pass", "another domain"),
        ("mx.example.org; dkim=pass header.d=mailer.example", "nothing that"),
        ("mx.example.org; dkim=pass header.d=net", "nothing that"),
        ("mx.example.org; dkim=pass header.d=sub.example.net", "nothing that"),
        ("mx.example.org; spf=pass smtp.mailfrom=example.net.evil.example", "nothing that"),
        ("mx.example.org; spf=pass smtp.helo=example.net", "nothing that"),
        ("mx.example.org; spf=softfail smtp.mailfrom=example.net", "nothing that"),
        ("mx.example.org; none", "nothing that"),
        ("mx.example.org; dmarc", "cannot be read"),
        ("mx.example.org", "cannot be read"),
        (f"mx.example.org; x={'y' * 5000}", "cannot be read"),
        ("mx.example.org(x); dmarc=pass header.from=example.net", "cannot be read"),
        ("(x) mx.example.org; dmarc=pass header.from=example.net", "cannot be read"),
        ('"mx.example.org"; dmarc=pass header.from=example.net', "cannot be read"),
        ('"mx.example.org; dmarc=pass header.from=example.net', "cannot be read"),
        ("mx.example.org/1; dmarc=pass header.from=example.net", "cannot be read"),
        ("mx.example.org\x0b; dmarc=pass header.from=example.net", "cannot be read"),
        ("\u00a0mx.example.org; dmarc=pass header.from=example.net", "cannot be read"),
        ("mx.example.org\r; dmarc=pass header.from=example.net", "no host named"),
        ("mx.exa\0mple.org; dmarc=pass header.from=example.net", "no host named"),
        ("mx.exa\rmple.org; dmarc=pass header.from=example.net", "no host named"),
        ("\ufeffmx.example.org; dmarc=pass header.from=example.net", "no host named"),
        ("mx.example.org.; dmarc=pass header.from=example.net", "no host named"),
        ("mx.example.org-x; dmarc=pass header.from=example.net", "no host named"),
        ("mx.example.org.evil.example; dmarc=pass header.from=example.net", "no host named"),
        ("mx.elsewhere.example; dmarc=pass header.from=example.net", "no host named"),
        ("spf=pass smtp.mailfrom=example.net; dmarc=pass header.from=example.net", "no host named"),
        ('mx.example.org; spf=fail smtp.mailfrom="a; dmarc=pass header.from=example.net"@evil.example', ""),
        ("mx.example.org; spf=fail (dmarc=pass header.from=example.net) smtp.mailfrom=evil.example", ""),
    ],
)
def test_what_does_not_speak_for_the_sender_is_refused_with_a_reason(results: str, why: str) -> None:
    verdict = judged(results)
    assert not verdict.verified
    assert why in verdict.why


def test_only_the_topmost_results_of_a_named_host_count() -> None:
    fail = "mx.example.org; dmarc=fail header.from=example.net"
    assert not judged(fail, PASS).verified
    assert judged(PASS, fail).verified
    assert judged("mx.elsewhere.example; dmarc=fail header.from=example.net", PASS).verified


def test_unreadable_results_on_top_are_not_stepped_over() -> None:
    assert not judged("mx.example.org; (((", PASS).verified


def test_a_name_with_something_glued_to_it_is_not_stepped_over() -> None:
    """Whatever forged name the host's own filter lets through, nothing below it becomes the topmost."""
    assert not judged("mx.example.org(x); dmarc=fail header.from=example.net", PASS).verified


@pytest.mark.parametrize("name", ["Authentication-Results", "AUTHENTICATION-RESULTS"])
def test_results_too_long_to_be_read_are_not_stepped_over(name: str) -> None:
    long = f"mx.example.org; dmarc=fail header.from=example.net ({'x' * FIELD_OCTETS})"
    letter = f"To: {US}\r\n{name}: {long}\r\nAuthentication-Results: {PASS}\r\n\r\n".encode()
    verdict = judge(
        open_header(letter).headers,
        "anna@example.net",
        service_address=US,
        authserv_ids=("mx.example.org",),
        trust="verified",
    )
    assert not verdict.verified
    assert "too long" in verdict.why


def test_a_signature_of_the_domain_above_speaks_for_the_one_below() -> None:
    assert judged("mx.example.org; dkim=pass header.d=example.net", sender="a@mail.example.net").verified


def test_a_domain_in_its_own_letters_is_the_same_as_in_ascii() -> None:
    assert judged(
        "mx.example.org; dmarc=pass header.from=xn--bcher-kva.example", sender="a@xn--bcher-kva.example"
    ).verified


def test_without_named_hosts_nobody_is_verified() -> None:
    assert judged(PASS, hosts=()) == Verdict(False, "no host named in the settings has checked the sender")
    assert not judged().verified


def test_the_settings_can_say_that_from_is_believed() -> None:
    assert judged(trust="header").verified
    assert not judged(sender="", trust="header").verified
    assert not judged(PASS, sender="").verified


@given(st.text(alphabet='abc.=;()"\\ @/1\u00e9\t', max_size=60))
def test_no_results_make_the_judge_fail(rest: str) -> None:
    verdict = judged(f"mx.example.org; {rest}".replace("\n", " "))
    assert not verdict.verified


# What a host has vouched for may have been written to somebody else, or have been added to


@pytest.mark.parametrize(
    "to",
    [
        US,
        "Referee@Example.ORG",
        "referee+ab12cd34ef56gh78@example.org",
        f"Referee <{US}>",
        f"Bert <bert@example.net>, Referee <{US}>",
        f'"Bert, or who?" <bert@example.net>,\r\n "The (one) \\" referee" <{US}>',
        f"(the umpire) {US} (here)",
        f"games: {US};",
    ],
)
def test_a_letter_that_names_us_in_to_is_written_to_us(to: str) -> None:
    verdict = judged(PASS, fields=f"To: {to}\r\n")
    assert verdict.verified, verdict.why


@pytest.mark.parametrize(
    "fields",
    [
        "",
        "To: bert@example.net\r\n",
        f"To: bert@example.net\r\nCc: {US}\r\n",
        f"To: {US} <bert@example.net>\r\n",
        f'To: "{US}" <bert@example.net>\r\n',
        f'To: "x, {US}" <bert@example.net>\r\n',
        f'To: "x \\", {US}, " <bert@example.net>\r\n',
        f"To: bert@example.net ({US})\r\n",
        f"To: bert@example.net (x, {US}, x)\r\n",
        f"To: bert@example.net (a (b), {US},)\r\n",
        f"To: bert@example.net (a (b (c), d), {US},)\r\n",
        f"To: bert@example.net (\\), {US}, \\()\r\n",
        f"To: bert@example.net (x, {US}\r\n",
        f"To: <{US}@example.net>\r\n",
        f"To: x{US}, {US}.example.net\r\n",
        f"Delivered-To: {US}\r\nX-Original-To: {US}\r\nTo: undisclosed-recipients:;\r\n",
    ],
)
def test_a_letter_that_was_written_to_others_alone_is_not_believed(fields: str) -> None:
    """Given a letter that a player really wrote to somebody else, who hands it on as it is, then it is held."""
    verdict = judged(PASS, fields=fields)
    assert not verdict.verified
    assert "not written to this mailbox" in verdict.why
    assert judged(PASS, fields=fields, trust="header").verified


def test_an_alias_is_an_address_of_ours() -> None:
    fields = "To: Umpire@Club.Example\r\n"
    assert judged(PASS, fields=fields, aliases=("umpire@club.example",)).verified
    assert not judged(PASS, fields=fields, aliases=("other@club.example",)).verified


@pytest.mark.parametrize("name", ONCE)
def test_a_field_that_stands_twice_was_vouched_for_once_at_most(name: str) -> None:
    """A signature covers the one that was there, and programs read the one that was put above it."""
    fields = f"{name.title()}: <{US}>\r\n" * 2 + (f"To: {US}\r\n" if name != "to" else "")
    verdict = judged(PASS, fields=fields)
    assert not verdict.verified
    assert name in verdict.why.lower()


@pytest.mark.parametrize(
    "results",
    [
        PASS,
        "mx.example.org; dmarc=fail header.from=example.net",
        "mx.example.org; dmarc=pass header.from=elsewhere.example",
        "mx.example.org; dkim=pass header.d=example.net",
        "mx.example.org; spf=pass smtp.mailfrom=example.net",
        "mx.example.org; dkim=pass header.d=elsewhere.example; spf=pass smtp.mailfrom=bounces@elsewhere.example",
        "mx.example.org; dmarc",
    ],
)
def test_no_reason_names_a_domain_of_the_writer_since_reasons_outlive_him(results: str) -> None:
    why = judged(results).why
    assert why and "example.net" not in why and "elsewhere" not in why


# A signature with a length leaves room for more text

SIGNED = "DKIM-Signature: v=1; a=rsa-sha256; d=example.net; s=k;\r\n h=From:To:Date; bh=x; b=y"


@pytest.mark.parametrize("length", ["; l=20", "; L=20", ";l=0", ";\r\n l = 20"])
@pytest.mark.parametrize("results", [PASS, "mx.example.org; dkim=pass header.d=example.net"])
def test_a_signature_of_a_part_of_the_text_speaks_for_nobody(length: str, results: str) -> None:
    fields = f"To: {US}\r\n{SIGNED}{length}\r\n"
    assert "covers only a part" in judged(results, fields=fields).why
    assert not judged(results, fields=fields).verified
    assert not judged(results, fields=f"{SIGNED}\r\n{fields}").verified
    sent_by_its_host = f"{results}; spf=pass smtp.mailfrom=example.net"
    assert judged(sent_by_its_host, fields=fields).verified
    assert not judged(f"{results}; spf=pass smtp.mailfrom=evil.example", fields=fields).verified


def test_a_signature_of_the_whole_text_speaks_for_its_domain() -> None:
    for tags in ("", "; i=@example.net; t=1; z=From:l=2", "; nl=2"):
        assert judged(PASS, fields=f"To: {US}\r\n{SIGNED}{tags}\r\n").verified
