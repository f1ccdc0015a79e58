"""`referee init` posts a letter to itself, and says of everything that it shows whether it is as it should be."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.mail.message.probe_mark import find_mark, is_genuine, write_mark, write_subject
from referee.mail.outbox.smtp import SmtpPost
from referee.mail.outbox.transport import Posting
from referee.service import mail_probe
from referee.service.dns import DomainFinding
from tests.servers.mail import MailServers
from tests.servers.small_imap import SmallImap
from tests.servers.small_smtp import SmallSmtp, Taken
from tests.support.operating import HOST, REFEREE, SERVICE, Desk, Said, imap, smtp, write_mail

Change = Callable[[str], str]
STAMP = f"Authentication-Results: {HOST}; dmarc=pass header.from=example.org\r\n"


class Route(list[Taken]):
    """What the small mail server took, carried on into the small mailbox.

    change: what the provider does to a letter on the way; stamp: what it puts on top. only: the recipients to
    whom anything arrives.
    """

    def __init__(self, mailbox: SmallImap) -> None:
        super().__init__()
        self.mailbox = mailbox
        self.change: Change = str
        self.stamp = STAMP
        self.only: Callable[[str], bool] = lambda recipient: True

    def append(self, taken: Taken) -> None:
        super().append(taken)
        if self.only(taken.recipient):
            content = f"{self.stamp}Delivered-To: {taken.recipient.strip('<>')}\r\n{taken.content.decode()}"
            now = f"{datetime.now(UTC):%d-%b-%Y %H:%M:%S} +0000"
            self.mailbox.deliver(self.change(content).encode(), date=now)


@dataclass
class Provider:
    """A mail provider: both servers and the way between them, and the operator who uses it."""

    desk: Desk
    imap: SmallImap
    smtp: SmallSmtp
    route: Route

    def init(self) -> Said:
        return self.desk.do("init", "--json")


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[Provider]:
    mailbox, post = SmallImap(), SmallSmtp()
    with mailbox.running(), post.running():
        route = Route(mailbox)
        post.taken = route
        yield Provider(Desk(tmp_path, SERVICE + imap(mailbox.port) + smtp(post.port)), mailbox, post, route)


def complaints(said: Said) -> list[str]:
    """Return the findings that are not as they should be."""
    return [finding["text"] for finding in said.json["findings"] if not finding["good"]]


def month() -> str:
    return f"{datetime.now(UTC):%Y-%m}"


def test_where_all_is_well_every_finding_is_good_and_the_letter_lies_in_the_done_folder(
    provider: Provider,
) -> None:
    said = provider.init()
    assert said.status == 0
    assert complaints(said) == []
    assert said.json["ready"] is True
    assert provider.imap.folders["INBOX"] == {}
    (done,) = provider.imap.folders[f"Done/{month()}"].values()
    assert b"Subject: Referee probe " in done
    assert provider.desk.done("letters", "--json").json == []
    for part in ("log in", "came back", "reply tag", "Message-ID", "Reply-To", REFEREE, HOST, "Done"):
        assert any(part in finding["text"] for finding in said.json["findings"]), part


def test_what_the_domain_name_system_says_of_the_domain_is_told(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests' own domain is no public one; here it is taken for one whose DMARC record is of another time."""
    told = [DomainFinding("The DMARC record has pct.", False), DomainFinding("There is an SPF record.", True)]
    monkeypatch.setattr(mail_probe, "look_up", lambda address, records: told if address == REFEREE else [])
    said = provider.init()
    assert said.status == 0 and complaints(said) == ["The DMARC record has pct."]
    assert "There is an SPF record." in [each["text"] for each in said.json["findings"]]


@pytest.mark.parametrize(
    "answer",
    [
        "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.",
        "550 5.7.30 Basic authentication is not supported for Client Submission.",
    ],
)
def test_a_server_that_takes_no_passwords_is_named_with_what_helps(provider: Provider, answer: str) -> None:
    provider.smtp.answers["AUTH"] = [answer]
    said = provider.init()
    assert (said.status, said.json["ready"]) == (3, False)
    (complaint,) = complaints(said)
    assert answer in complaint and "let [outbox] token_command print an access token" in complaint


def test_the_letter_is_written_as_letters_of_the_service_are(provider: Provider) -> None:
    provider.init()
    (taken,) = provider.route
    assert re.fullmatch(r"<referee\+probe-[a-z0-9]{32}@example\.org>", taken.recipient)
    assert taken.sender == f"<{REFEREE}>"
    for header in (
        rb"Auto-Submitted: auto-generated",
        rb"Reply-To: .*referee\+[a-z0-9]{32}@example\.org",
        rb"Message-ID: <",
    ):
        assert re.search(rb"^" + header, taken.content, re.MULTILINE), header


def without_tag(content: str) -> str:
    return re.sub(r"\+probe-\w+@", "@", content)


def renamed(content: str) -> str:
    return re.sub(r"Message-ID: <.*>", "Message-ID: <new@elsewhere.example>", content)


CHANGES: dict[str, tuple[Change, str]] = {
    "tag": (without_tag, "plus-addressing"),
    "Message-ID": (renamed, "new@elsewhere.example"),
    "Reply-To": (lambda text: re.sub(r"Reply-To: .*\r\n( .*\r\n)*", "", text), "Reply-To was changed (to nothing)"),
    "From": (lambda text: re.sub(r"From: .*", "From: account@example.org", text), "account@example.org"),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_what_the_provider_rewrites_is_said_with_its_cure_and_blocks_nothing(
    provider: Provider, what: str
) -> None:
    provider.route.change, words = CHANGES[what]
    said = provider.init()
    assert said.status == 0
    (complaint,) = complaints(said)
    assert words in complaint
    assert what.lower() in complaint.lower() or what == "From"


def test_a_host_that_the_settings_do_not_name_is_suggested_as_a_line_to_put_in(provider: Provider) -> None:
    provider.route.stamp = STAMP.replace(HOST, "mx.provider.example")
    (complaint,) = complaints(provider.init())
    assert 'authserv_id = ["mx.provider.example"]' in complaint


def test_a_letter_without_stamp_is_no_trouble_where_a_host_is_named(provider: Provider) -> None:
    provider.route.stamp = ""
    said = provider.init()
    assert complaints(said) == []
    assert any("no Authentication-Results" in finding["text"] for finding in said.json["findings"])
    provider.desk.write_settings(provider.desk.settings.replace(f'"{HOST}"', ""))
    (complaint,) = complaints(provider.init())
    assert "authserv_id names none" in complaint


def test_a_club_that_believes_from_headers_needs_no_host(provider: Provider) -> None:
    provider.route.stamp = ""
    provider.desk.write_settings(provider.desk.settings.replace("[trust]", '[trust]\nsender = "header"'))
    assert complaints(provider.init()) == []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter to an address with a tag is not waited for as long."""
    monkeypatch.setattr(mail_probe, "PATIENCE_FOR_TAG", 0.3)


@pytest.mark.usefixtures("impatient")
def test_a_letter_that_does_not_come_back_blocks_the_service(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_probe, "PATIENCE", 0.6)
    provider.route.only = lambda recipient: False
    said = provider.init()
    assert said.status == 3
    assert said.json["ready"] is False
    (complaint,) = complaints(said)
    assert "did not come into the folder INBOX" in complaint
    assert said.err.strip().splitlines()[-1] == f"referee: {complaint}"


@pytest.mark.usefixtures("impatient")
def test_where_only_tagged_addresses_get_lost_plus_addressing_is_named(provider: Provider) -> None:
    provider.route.only = lambda recipient: "+" not in recipient
    said = provider.init()
    assert said.status == 3
    (complaint,) = complaints(said)
    assert "switch plus-addressing on" in complaint
    assert provider.imap.folders["INBOX"] == {}


def test_where_tagged_addresses_are_refused_plus_addressing_is_named(provider: Provider) -> None:
    provider.smtp.answers["RCPT"] = ["550 5.1.1 no such user"]
    said = provider.init()
    assert said.status == 3
    (complaint,) = complaints(said)
    assert "switch plus-addressing on" in complaint
    assert "no such user" in complaint


@pytest.mark.usefixtures("impatient")
def test_a_folder_that_cannot_be_made_is_named(provider: Provider) -> None:
    provider.imap.refused = {"CREATE": "no folders for you", "UID MOVE": "no such folder"}
    said = provider.init()
    assert said.status == 0
    (complaint,) = complaints(said)
    assert "[inbox] done" in complaint


def test_a_folder_that_is_missing_is_named_with_those_that_exist(provider: Provider) -> None:
    provider.imap.folders["Games"] = {}
    provider.desk.write_settings(
        SERVICE + imap(provider.imap.port, more='folder = "Gmes"\n') + smtp(provider.smtp.port)
    )
    said = provider.init()
    assert said.status == 3
    assert "Games, INBOX" in complaints(said)[0]


@pytest.mark.parametrize(
    ("mailbox", "post", "words"),
    [
        ({"port": 1}, {}, "127.0.0.1:1 refuses connections"),
        ({}, {"port": 1}, "127.0.0.1:1 refuses connections"),
        ({"password": "hunter2"}, {}, "correct [inbox] username or password"),
        ({}, {"password": "hunter2"}, "correct [outbox] username or password"),
    ],
)
def test_servers_out_of_reach_and_wrong_passwords_are_one_sentence_and_status_3(
    provider: Provider, mailbox: dict[str, Any], post: dict[str, Any], words: str
) -> None:
    provider.desk.write_settings(
        SERVICE
        + imap(**{"port": provider.imap.port, **mailbox})
        + smtp(**{"port": provider.smtp.port, **post})
    )
    said = provider.init()
    assert said.status == 3
    (complaint,) = complaints(said)
    assert words in complaint
    assert said.err == f"referee: {complaint}\n"
    assert "hunter2" not in complaint
    assert list(provider.route) == []


def test_a_maildir_on_one_side_is_tried_by_reading_and_writing_alone(provider: Provider) -> None:
    provider.desk.write_settings(
        SERVICE + imap(provider.imap.port) + '[outbox]\nkind = "maildir"\npath = "out"\n'
    )
    said = provider.init()
    assert (said.status, complaints(said)) == (0, [])
    assert [path for path in (provider.desk.folder / "out").rglob("*") if path.is_file()] == []
    assert set(provider.imap.folders) == {"INBOX"}


# A probe letter is nobody's letter


def test_a_mark_is_genuine_under_its_own_key_alone() -> None:
    mark = write_mark("abcdefghij12", b"k" * 32)
    assert is_genuine(mark, b"k" * 32)
    assert not is_genuine(mark, b"l" * 32)
    assert not is_genuine(mark[:-1], b"k" * 32)
    assert not is_genuine(f"x{mark[1:]}", b"k" * 32)


def test_a_mark_is_found_in_the_subject_of_the_header_alone() -> None:
    mark = write_mark("abcdefghij12", b"k" * 32)
    assert find_mark(f"From: a\r\nSubject: {write_subject(mark)}\r\n\r\n".encode()) == mark
    assert find_mark(f"From: a\nSUBJECT: [External] {write_subject(mark)}\n\n".encode()) == mark
    assert find_mark(f"From: a\n\nSubject: {write_subject(mark)}\n".encode()) == ""
    assert find_mark(b"") == ""
    assert find_mark(None) == ""


def interrupted_probe(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return the letter of a probe that was broken off before it came back."""
    caught: list[bytes] = []

    async def break_off(post: SmtpPost, posting: Posting) -> str:
        caught.append(posting.content)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(SmtpPost, "send", break_off)
        desk.do("init")
    return caught[0]


def test_a_probe_letter_that_was_left_behind_is_put_away_by_the_service_and_never_recorded(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = interrupted_probe(provider.desk, monkeypatch)
    desk = Desk(provider.desk.folder)
    desk.put(content, "fresh")
    desk.put(content, "forgotten")
    old = (datetime.now(UTC) - timedelta(minutes=11)).timestamp()
    os.utime(desk.folder / "mail/in/new/forgotten", (old, old))
    desk.put(write_mail("help", sender="anna@example.net"), "other")
    said = desk.done("run", "--once", "--json")
    assert said.json["letters"] == 1
    assert [letter["sender"] for letter in desk.done("letters", "--json").json] == ["anna@example.net"]
    assert [path.name for path in (desk.folder / "mail/in/new").iterdir()] == ["fresh"]
    assert sorted(path.name for path in (desk.folder / "mail/in/.Done/cur").iterdir()) == [
        "forgotten:2,S",
        "other:2,S",
    ]


def test_a_letter_that_only_looks_like_a_probe_is_recorded(desk_with_maildirs: Desk) -> None:
    forged = write_mail("V-NW2", sender="anna@example.net", subject=f"Referee probe {'a' * 32}")
    desk_with_maildirs.put(forged)
    desk_with_maildirs.done("run", "--once")
    assert len(desk_with_maildirs.done("letters", "--json").json) == 1


@pytest.fixture
def desk_with_maildirs(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.subprocess
def test_a_probe_succeeds_while_the_service_runs(provider: Provider) -> None:
    provider.desk.done("init", "--offline")
    with provider.desk.process("run") as service:
        provider.imap.wait_for("IDLE")
        said = provider.init()
        assert (said.status, complaints(said)) == (0, [])
        service.terminate()
        assert service.wait(10) == 0
    assert provider.desk.done("letters", "--json").json == []


@pytest.mark.servers
def test_dovecot_and_postfix_pass_the_probe(mail_servers: MailServers, tmp_path: Path) -> None:
    address = "prober@example.org"
    mailbox = (
        f'[inbox]\nhost = "localhost"\nport = {mail_servers.imaps}\nsecurity = "tls"\nca_file = "{mail_servers.ca}"\n'
        f'username = "{address}"\npassword = "{mail_servers.password}"\n'
    )
    post = (
        f'[outbox]\nhost = "localhost"\nport = {mail_servers.submission}\nsecurity = "starttls"\n'
        f'ca_file = "{mail_servers.ca}"\nusername = "{address}"\npassword = "{mail_servers.password}"\n'
    )
    desk = Desk(tmp_path, SERVICE.replace(REFEREE, address) + mailbox + post)
    said = desk.do("init", "--json")
    assert said.status == 0, said
    assert complaints(said) == []
    box = mail_servers.maildir(address)
    assert [path.name for path in [*(box / "new").iterdir(), *(box / "cur").iterdir()]] == []
    assert len(list((box / f".Done.{month()}").rglob("*.*"))) >= 1
    wrong = Desk(tmp_path, desk.settings.replace(f'"{mail_servers.password}"', '"wrong"'))
    refused = wrong.do("init")
    assert refused.status == 3
    assert refused.err.startswith("referee: The mailbox server localhost")
