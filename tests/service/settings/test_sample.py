"""The sample file is written from the keys themselves, and can be loaded."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from referee.service.settings import load, sample_settings, where_from
from referee.service.settings.sections import all_keys, all_sections

PASSWORDS = {"REFEREE_INBOX__PASSWORD": "one", "REFEREE_OUTBOX__PASSWORD": "two"}


def test_the_sample_loads_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "referee.toml"
    path.write_text(sample_settings(), encoding="utf-8")

    settings = load(path, PASSWORDS)

    assert settings.inbox.host == "imap.example.org"
    assert (settings.inbox.port, settings.outbox.port) == (993, 587)
    assert settings.trust.authserv_id == ("mx.example.org",)


def test_the_sample_shows_every_key_once_and_no_other() -> None:
    section, shown = "", []
    for line in sample_settings().splitlines():
        if heading := re.fullmatch(r"\[(.+)\]", line):
            section = heading[1]
        elif key := re.match(r"#?(\w+) = ", line):
            shown.append(f"{section}.{key[1]}")

    assert shown == list(all_keys())


@pytest.mark.parametrize("key", all_keys())
def test_a_key_that_is_a_comment_can_be_put_in_force(tmp_path: Path, key: str) -> None:
    section, _, name = key.rpartition(".")
    text = sample_settings()
    start = text.index(f"[{section}]")
    line = re.compile(rf"^#{name} = ", re.MULTILINE).search(text, start)
    if line:
        text = text[: line.start()] + text[line.start() + 1 :]
    # What stands for a file or another way to the same password gives way, since this is about the key's form.
    for rival in ("password_file", "password", "token_command"):
        if name in {"password_file", "password", "token_command"} and rival != name:
            text = re.sub(rf"^{rival} = .*\n", "", text, flags=re.MULTILINE)
    text = text.replace('"/etc/referee/ca.pem"', f'"{__file__}"').replace('"my-table.toml"', f'"{__file__}"')
    path = tmp_path / "referee.toml"
    path.write_text(text, encoding="utf-8")

    sources = {entry.key: entry.source for entry in where_from(load(path, {}, complete=False))}

    assert sources[key].startswith(str(path))


def test_the_sample_is_toml_within_the_width_of_a_terminal() -> None:
    assert set(tomllib.loads(sample_settings())) == {name.split(".")[0] for name in all_sections()}
    assert max(len(line) for line in sample_settings().splitlines()) <= 100


def test_the_sample_s_defaults_are_the_defaults(tmp_path: Path) -> None:
    """What stands in a comment with a number, or in force without being an example, is what holds without it."""
    path = tmp_path / "referee.toml"
    path.write_text("", encoding="utf-8")
    nothing = {entry.key: entry.value for entry in where_from(load(path, {}, complete=False))}
    text = sample_settings()

    for key in (
        "service.keep_letters",
        "inbox.size_limit",
        "inbox.poll",
        "inbox.timeout",
        "outbox.timeout",
        "inbox.port",
        "outbox.port",
    ):
        section, name = key.split(".")
        assert f"#{name} = {nothing[key]}\n" in text[text.index(f"[{section}]") :]
