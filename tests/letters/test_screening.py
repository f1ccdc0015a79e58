"""People are told from machines by header and parts, never by words."""

from __future__ import annotations

import pytest

from referee.letters import limits
from referee.letters.letter import Nature
from referee.letters.parts import open_letter
from referee.letters.screening import CHECKS, Screening, screen

SERVICE = "referee@example.org"


def screened(*headers: str, sender: str = "anna@example.net", body: str = "A-N1\n") -> Screening:
    letter = open_letter("\r\n".join([f"From: {sender}", *headers, "", body]).encode())
    return screen(letter, sender=sender, service_address=SERVICE)


def parted(subtype: str, *media_types: str) -> tuple[str, str]:
    """Return the header and the body of a multipart whose parts have these types."""
    parts = "".join(f"--b\r\nContent-Type: {media_type}\r\n\r\nx\r\n" for media_type in media_types)
    return f"Content-Type: multipart/{subtype}; boundary=b", parts + "--b--\r\n"


ROWS: list[tuple[str, Nature, Screening]] = [
    (
        "delivery report",
        Nature.BOUNCE,
        screened("Content-Type: multipart/report; report-type=delivery-status; boundary=b"),
    ),
    (
        "read receipt",
        Nature.RECEIPT,
        screened("Content-Type: multipart/report; report-type=Disposition-Notification; boundary=b"),
    ),
    ("failed recipients", Nature.BOUNCE, screened("X-Failed-Recipients: bert@example.com")),
    ("the mailer's daemon", Nature.BOUNCE, screened(sender="MAILER-DAEMON@mx.example.net")),
    (
        "a letter of this service's kind",
        Nature.OWN,
        screened("X-Referee-Kind: report", "Auto-Submitted: auto-replied"),
    ),
    ("the service's own address", Nature.OWN, screened(sender="Referee+abc123@Example.org")),
    (
        "another report by a machine",
        Nature.AUTO_REPLY,
        screened("Content-Type: multipart/report; report-type=feedback-report; boundary=b"),
    ),
    ("Auto-Submitted", Nature.AUTO_REPLY, screened("auto-submitted: Auto-Generated; owner=x")),
    ("X-Autoreply", Nature.AUTO_REPLY, screened("X-Autoreply: yes")),
    ("X-Autorespond", Nature.AUTO_REPLY, screened("X-Autorespond: vacation")),
    ("Precedence", Nature.AUTO_REPLY, screened("Precedence: JUNK")),
    ("null return path", Nature.BOUNCE, screened("Return-Path: < >")),
    ("calendar", Nature.CALENDAR, screened("Content-Type: text/calendar")),
    ("mailing list", Nature.LIST, screened("List-Id: <club.example.com>")),
]


@pytest.mark.parametrize(("check", "nature", "found"), ROWS, ids=[row[0] for row in ROWS])
def test_each_check_gives_its_nature(check: str, nature: Nature, found: Screening) -> None:
    assert check in {row.name for row in CHECKS}
    assert found.nature is nature
    assert found.reason == nature.value


def test_every_check_has_a_row_here() -> None:
    """The check for reactions needs parts and has a test of its own."""
    assert {row[0] for row in ROWS} | {"reaction"} == {check.name for check in CHECKS}


@pytest.mark.parametrize(
    "header",
    [
        "X-Auto-Response-Suppress: All",
        "Precedence: bulk",
        "Precedence: list",
        "Subject: Automatic reply: out of office",
        "Auto-Submitted: no",
        "Auto-Submitted: No (a person)",
        "Auto-Submitted:",
        "X-Autoreply: no",
        "Return-Path: <anna@example.net>",
        "List-Unsubscribe: <mailto:leave@alias.example.net>",
    ],
)
def test_headers_that_people_s_letters_bear_decide_nothing(header: str) -> None:
    assert screened(header) == Screening(Nature.PERSON)


def test_a_reaction_is_told_by_its_part() -> None:
    header, body = parted("alternative", "text/plain", "text/vnd.google.email-reaction+json")
    assert screened(header, body=body).nature is Nature.REACTION


@pytest.mark.parametrize("kind", ["delivery-status", "global-delivery-status", "disposition-notification"])
@pytest.mark.parametrize("subtype", ["mixed", "alternative", "signed"])
def test_a_person_who_sends_a_machine_s_report_on_beside_own_lines_is_a_person(
    subtype: str, kind: str
) -> None:
    header, body = parted(subtype, "text/plain", f"message/{kind}", "text/rfc822-headers")
    assert screened(header, body=body).nature is Nature.PERSON
    inner, inside = parted("report", "text/plain", f"message/{kind}")
    wrapped = f"--c\r\n\r\nresign\r\n--c\r\n{inner}\r\n\r\n{inside}--c--\r\n"
    outer = f"Content-Type: multipart/{subtype}; boundary=c"
    assert screened(outer, body=wrapped).nature is Nature.PERSON


@pytest.mark.parametrize(
    ("sender", "header"),
    [
        ("postmaster@example.net", "Return-Path: <>"),
        ("postmaster@example.net", "Auto-Submitted: auto-replied"),
        ("MAILER-DAEMON@example.net", "X-Mailer: x"),
    ],
)
@pytest.mark.parametrize(
    ("kind", "nature"),
    [("delivery-status", Nature.BOUNCE), ("disposition-notification", Nature.RECEIPT)],
)
def test_a_report_that_a_machine_has_among_other_parts_is_a_report(
    sender: str, header: str, kind: str, nature: Nature
) -> None:
    of_parts, body = parted("mixed", "text/plain", f"message/{kind}")
    assert screened(of_parts, header, sender=sender, body=body).nature is nature


@pytest.mark.parametrize(
    ("kind", "nature"),
    [("delivery-status", Nature.BOUNCE), ("disposition-notification", Nature.RECEIPT)],
)
def test_a_letter_that_is_nothing_but_a_report_is_a_report(kind: str, nature: Nature) -> None:
    assert screened(f"Content-Type: message/{kind}", body="Status: 5.1.1\r\n").nature is nature
    header, body = parted("report", "text/plain", f"message/{kind}")  # that does not say of which kind
    assert screened(header, body=body).nature is nature


def test_a_calendar_program_s_letter_has_a_method_and_an_attached_calendar_is_a_person_s() -> None:
    header, body = parted("alternative", "text/plain", "text/calendar; method=REPLY")
    assert screened(header, body=body).nature is Nature.CALENDAR
    header, body = parted(
        "mixed", "text/plain", "text/calendar; method=PUBLISH\r\nContent-Disposition: attachment"
    )
    assert screened(header, body=body).nature is Nature.PERSON


def test_a_vacation_note_with_a_null_sender_is_a_note_and_no_bounce() -> None:
    assert screened("Return-Path: <>", "Auto-Submitted: auto-replied").nature is Nature.AUTO_REPLY


@pytest.mark.parametrize(
    ("action", "status", "permanent", "reason"),
    [
        ("failed", "5.1.1", True, "bounce: permanent, 5.1.1"),
        ("failed", "4.4.7", False, "bounce: transient, 4.4.7"),
        ("delayed", "5.0.0", False, "bounce: transient, 5.0.0"),
        ("delivered", "2.0.0", False, "bounce: delivered, 2.0.0"),
        ("failed", "none", False, "bounce"),
    ],
)
def test_only_a_failure_with_a_status_of_five_is_for_good(
    action: str, status: str, permanent: bool, reason: str
) -> None:
    body = (
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        f"Reporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; x@y\r\nAction: {action}\r\nStatus: {status}\r\n"
        "--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <ours@example.org>\r\nX: y\r\n--b--\r\n"
    )
    found = screened("Content-Type: multipart/report; boundary=b", "In-Reply-To: <other@x>", body=body)
    assert (found.nature, found.permanent, found.reason) == (Nature.BOUNCE, permanent, reason)
    assert found.bounced == ("ours@example.org", "other@x")


def test_a_status_of_another_recipient_does_not_make_a_delay_final() -> None:
    body = (
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: delayed\r\nStatus: 4.4.1\r\n\r\n"
        "Action: relayed\r\nStatus: 5.0.0\r\n--b--\r\n"
    )
    assert not screened("Content-Type: multipart/report; boundary=b", body=body).permanent


def test_a_long_explanation_above_does_not_hide_the_report_that_machines_read() -> None:
    explained = "sorry " * (limits.TEXT_OCTETS // 6 + 1)
    status = "Reporting-MTA: dns; mx.example.com\r\n\r\nAction: failed\r\nStatus: 5.1.1"
    body = (
        f"--b\r\n\r\n{explained}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n{status}\r\n--b--\r\n"
    )
    found = screened("Content-Type: multipart/report; boundary=b", body=body)
    assert (found.nature, found.reason, found.permanent) == (Nature.BOUNCE, "bounce: permanent, 5.1.1", True)


@pytest.mark.parametrize(
    ("words", "status", "permanent"),
    [
        ("<x@y>: mailbox unknown (#5.1.1)", "5.1.1", True),
        ("host mx said: 550 no such user", "5.0.0", True),
        ("SMTP error from remote mail server: 554 5.7.1 refused", "5.7.1", True),
        ("450 4.2.1 try again; 550 later on", "4.2.1", False),
        ("421 no, 450 not now", "4.0.0", False),
        ("Sorry. It was 5.1.1999 and version 1.5.1.1 and 15.1.1; room 550.", "", False),
        ("Deine Nachricht kam nicht an.", "", False),
    ],
)
def test_a_bounce_in_words_is_for_good_only_when_a_code_says_so(
    words: str, status: str, permanent: bool
) -> None:
    found = screened("Return-Path: <>", body=f"{words}\r\n\r\nMessage-ID: <ours@example.org>\r\n")
    assert (found.nature, found.status, found.permanent) == (Nature.BOUNCE, status, permanent)
    assert found.bounced == ("ours@example.org",)
