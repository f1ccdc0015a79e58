"""Postfix and Dovecot understand the sample files for a mail server of one's own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.places import DEPLOY

SAMPLES = DEPLOY / "postfix-dovecot"
SBIN = "/usr/sbin:/usr/bin:/sbin:/bin"


def program(name: str) -> str:
    found = shutil.which(name, path=SBIN)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture
def postfix(tmp_path: Path) -> Path:
    """A folder of Postfix settings: the samples, and what a distribution brings along."""
    stock = "lmtp unix - - y - - lmtp\n"
    (tmp_path / "main.cf").write_text("compatibility_level = 3.6\n" + (SAMPLES / "main.cf").read_text())
    (tmp_path / "master.cf").write_text(stock + (SAMPLES / "master.cf").read_text())
    return tmp_path


@pytest.mark.subprocess
def test_postfix_knows_every_setting_and_leaves_the_tag_on_the_address(postfix: Path) -> None:
    result = subprocess.run(
        [program("postconf"), "-c", str(postfix), "-n"], capture_output=True, text=True, check=False
    )

    assert (result.returncode, result.stderr) == (0, "")
    assert "recipient_delimiter = +\n" in result.stdout
    assert "virtual_transport = lmtp:unix:private/dovecot-lmtp\n" in result.stdout


@pytest.mark.subprocess
def test_postfix_knows_the_port_for_handing_letters_in(postfix: Path) -> None:
    result = subprocess.run(
        [program("postconf"), "-c", str(postfix), "-M", "submission/inet"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, "")
    assert "smtpd_sasl_auth_enable=yes" in result.stdout


@pytest.mark.subprocess
def test_only_results_forged_in_our_name_are_thrown_away(postfix: Path) -> None:
    forged = [
        "Authentication-Results: mx.example.org; dmarc=pass header.from=bank.example",
        "authentication-results:\tMX.example.org 1; dmarc=pass",
        "Original-Authentication-Results: mx.example.org; none",
        "Authentication-Results: mx.example.org",
        "Authentication-Results: mx.example.org(x); dmarc=pass header.from=bank.example",
        'Authentication-Results: "mx.example.org"; dmarc=pass header.from=bank.example',
        "Authentication-Results: mx.example.org/1; dmarc=pass header.from=bank.example",
        "Authentication-Results : mx.example.org; dmarc=pass header.from=bank.example",
        "Authentication-Results: (x) mx.example.org; dmarc=pass header.from=bank.example",
        "Authentication-Results:mx.example.org_; dmarc=pass header.from=bank.example",
    ]
    others = [
        "Authentication-Results: mx.example.organic; dmarc=pass",
        "Authentication-Results: mx.elsewhere.example; dmarc=pass",
        "Authentication-Results: mx.example.org.elsewhere.example; dmarc=pass",
        "Authentication-Results: mx.example.org-mail.example; dmarc=pass",
        "Authentication-Results: old-mx.example.org; dmarc=pass",
        "Subject: Authentication-Results: mx.example.org; dmarc=pass",
    ]

    result = subprocess.run(
        [program("postmap"), "-c", str(postfix), "-q", "-", f"regexp:{SAMPLES / 'forged_results'}"],
        input="\n".join(forged + others) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.stderr == ""
    answers = [line.rpartition("\t") for line in result.stdout.splitlines()]
    assert [(header, answer) for header, _, answer in answers] == [(header, "IGNORE") for header in forged]


@pytest.mark.subprocess
def test_dovecot_knows_every_setting(tmp_path: Path) -> None:
    """Dovecot 2.4 has other names for some; the sample is for 2.3 and says so."""
    doveconf = program("doveconf")
    version = subprocess.run(
        [program("dovecot"), "--version"], capture_output=True, text=True, check=True
    ).stdout
    if not version.startswith("2.3"):
        pytest.skip(f"the sample is for Dovecot 2.3, here is {version.split()[0]}")

    result = subprocess.run(
        [
            doveconf,
            "-c",
            str(SAMPLES / "dovecot.conf"),
            "-h",
            "recipient_delimiter",
            "lmtp_save_to_detail_mailbox",
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.split() == ["+", "no"]


def test_all_samples_speak_of_the_same_host() -> None:
    for name in ("main.cf", "forged_results", "opendkim.conf", "opendmarc.conf"):
        text = (SAMPLES / name).read_text().replace("\\.", ".")
        assert "mx.example.org" in text, name


def test_the_checkers_listen_where_postfix_asks() -> None:
    main = (SAMPLES / "main.cf").read_text()
    for name in ("opendkim", "opendmarc"):
        socket = f"/run/{name}/{name}.sock"
        assert f"local:{socket}" in (SAMPLES / f"{name}.conf").read_text()
        assert f"unix:{socket}" in main
