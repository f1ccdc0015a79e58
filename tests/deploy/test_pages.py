"""What the operator's pages say is true."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from referee.service.settings import load, sample_settings
from referee.service.settings.sections import all_keys
from referee.service.settings.sources import CONFIG_VARIABLE, PREFIX, variable_of
from tests.deploy.places import DEPLOY, EVERY_FILE, PROJECT

README = (DEPLOY / "README.md").read_text()
CONTRIBUTING = (PROJECT / "CONTRIBUTING.md").read_text()
TOML_BLOCKS = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
BY_HAND, *ACCOUNTS = TOML_BLOCKS


def test_the_sample_settings_are_those_that_init_writes() -> None:
    assert (DEPLOY / "referee.toml").read_text(encoding="utf-8") == sample_settings()


def test_the_sample_settings_load_once_there_are_passwords() -> None:
    passwords = {"REFEREE_INBOX__PASSWORD": "one", "REFEREE_OUTBOX__PASSWORD": "two"}

    assert load(DEPLOY / "referee.toml", passwords).service.address == "referee@example.org"


@pytest.mark.subprocess
def test_the_command_that_writes_the_sample_writes_it() -> None:
    code = re.search(r'uv run python -c "(.*)" > deploy/referee.toml', CONTRIBUTING)
    assert code

    written = subprocess.run(
        [sys.executable, "-c", code[1]], capture_output=True, text=True, check=True
    ).stdout

    assert written == sample_settings()


@pytest.mark.parametrize("text", ACCOUNTS)
def test_the_settings_in_the_page_load(tmp_path: Path, text: str) -> None:
    (tmp_path / "referee.toml").write_text(text)
    (tmp_path / "imap.secret").write_text("abcd efgh ijkl mnop\n")

    settings = load(
        tmp_path / "referee.toml",
        {} if "[service]" in text else {"REFEREE_SERVICE__ADDRESS": "referee@example.org"},
    )

    assert settings.inbox.username
    assert (settings.inbox.port, settings.outbox.port) == (993, 587)


def test_there_are_settings_for_a_password_and_for_a_token() -> None:
    assert len(ACCOUNTS) == 2


@pytest.mark.subprocess
@pytest.mark.full
def test_the_referee_can_be_tried_by_hand_as_the_page_says(tmp_path: Path) -> None:
    block = README.partition("### Trying it by hand")[2].partition("```sh\n")[2].partition("```")[0]
    (tmp_path / "referee.toml").write_text(BY_HAND)
    referee = f'referee() {{ {shlex.quote(sys.executable)} -m referee "$@"; }}\n'

    done = subprocess.run(
        ["bash", "-euc", referee + block], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    letters = [path.read_text() for path in (tmp_path / "mail/out/new").iterdir()]
    assert sum("wendy@example.net" in letter.partition("\n\n")[0] for letter in letters) == 2
    assert len(letters) == 3
    assert re.search(r"answered +game 1 +wendy@example.net +status", done.stdout)


def test_every_place_that_contributors_are_sent_to_is_there() -> None:
    named = re.findall(r"`((?:referee|templates|tests)/[\w./-]+)`", CONTRIBUTING)
    named = [path for path in named if "NAME" not in path]

    assert len(named) > 10
    assert [path for path in named if not (PROJECT / path).exists()] == []


@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_every_variable_named_is_a_setting(path: Path) -> None:
    known = {CONFIG_VARIABLE, *(variable_of(key) for key in all_keys())}

    assert set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", path.read_text())) <= known | {PREFIX}


def test_every_setting_named_in_the_page_exists() -> None:
    named = re.findall(r"`\[(\w+)\] (\w+)", README) + re.findall(
        r"`(service|inbox|outbox|trust)\.(\w+)`", README
    )

    assert named
    assert {f"{section}.{name}" for section, name in named} <= set(all_keys())


def test_every_file_named_in_the_page_is_there() -> None:
    named = set(re.findall(r"\bdeploy/([\w./-]+\w)", README))
    samples = set(re.findall(r"^\| (`[^|]+`) \|", README, re.MULTILINE))
    listed = {name for cell in samples for name in re.findall(r"`([\w.]+)`", cell)}

    for name in named - {"private", *(name for name in named if name.startswith("private/"))}:
        assert (DEPLOY / name).exists(), name
    for name in listed:
        assert (DEPLOY / "postfix-dovecot" / name).is_file() or name in tomllib.loads(sample_settings()), name
    for name in (path.name for path in (DEPLOY / "postfix-dovecot").iterdir()):
        assert name in listed, f"{name} is explained nowhere"


def test_every_anchor_in_the_page_leads_somewhere() -> None:
    headings = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", README, re.MULTILINE)
    }

    assert set(re.findall(r"\]\(#([^)]+)\)", README)) <= headings


def test_the_unit_lies_where_the_page_puts_the_program() -> None:
    unit = (DEPLOY / "referee.service").read_text()

    for path in ("/opt/referee/bin/referee", "/etc/referee/referee.toml"):
        assert path in unit
    assert "python3 -m venv /opt/referee" in README
    assert "sqlite:////var/lib/referee/referee.db" in README
