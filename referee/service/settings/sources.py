"""Where settings come from: the file, systemd's credentials, the environment.

Each source gives plain values by dotted key ("inbox.port"), each with words for its place ("referee.toml line
9"). An unknown name is an error here, where its place is known.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.common.errors import SettingsError
from referee.common.files import read_file
from referee.common.long_keys import MOST_DOTS, line_of_dots
from referee.service.settings.sections import all_keys, all_sections, is_a

PREFIX = "REFEREE_"
CONFIG_VARIABLE = "REFEREE_CONFIG"
"""Names the settings file; the only variable with our prefix that is no setting."""

LARGEST_FILE = 1_000_000
LARGEST_SECRET = 64_000
"""Largest settings file, and largest file with a password, in bytes."""

LIKENESS_OF_VARIABLES = 0.82
"""How similar an unknown variable must be to a known one to be taken for it; all of them share our prefix."""

SECRETS: tuple[tuple[str, ...], ...] = (
    ("service.database_password", "service.database_password_file"),
    ("inbox.password", "inbox.password_file", "inbox.token_command"),
    ("outbox.password", "outbox.password_file", "outbox.token_command"),
)
"""Keys that stand for the same secret: the password itself comes first."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value as it was found, unchecked. place: words for its place, such as "referee.toml line 9"."""

    value: Any = field(repr=False)
    place: str


def variable_of(key: str) -> str:
    """Return the environment variable of a dotted key: REFEREE_INBOX__PORT for "inbox.port"."""
    return PREFIX + key.upper().replace(".", "__")


def from_file(path: Path) -> dict[str, Found]:
    """Read a TOML file. Raises SettingsError for a missing or unreadable file, wrong TOML, or an unknown key."""
    try:
        text = read_file(path, LARGEST_FILE, "a settings file").decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(
            f"the settings file {path} cannot be read: {reason_of(error)}; expected a TOML file"
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"the settings file {path} is not UTF-8 text (octet {error.start + 1})"
        ) from error
    if (line := line_of_dots(text)) is not None:
        raise SettingsError(
            f"the settings file {path} has more than {MOST_DOTS} dots outside of texts and numbers in line {line}"
        )
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"the settings file {path} is not valid TOML: {_lower_first(str(error))}"
        ) from error
    lines = _lines_of_keys(text)
    return dict(_walk(document, "", path, lines))


def from_credentials(environ: Mapping[str, str]) -> dict[str, Found]:
    """Read the passwords that systemd passes as files: inbox__password in $CREDENTIALS_DIRECTORY, and so on."""
    directory = environ.get("CREDENTIALS_DIRECTORY")
    if not directory:
        return {}
    found = {}
    for group in SECRETS:
        name = group[0].replace(".", "__")
        path = Path(directory) / name
        if path.exists():
            place = f"credential {name}"
            found[group[0]] = Found(read_secret(path, place), place)
    return found


def from_environment(environ: Mapping[str, str]) -> dict[str, Found]:
    """Read the variables REFEREE_SECTION__KEY. An empty one counts as not set; lists are written with commas."""
    known = {variable_of(key): key for key in all_keys()}
    found = {}
    for name in sorted(environ):
        if not name.upper().startswith(PREFIX) or name == CONFIG_VARIABLE:
            continue
        if name not in known:
            meant = _nearest(name.upper(), known, LIKENESS_OF_VARIABLES)
            raise SettingsError(
                f"the environment variable {name} is no setting: expected {PREFIX}SECTION__KEY{_did_you_mean(meant)}"
            )
        if text := environ[name]:
            key = known[name]
            found[key] = Found(_from_text(key, text), f"environment {name}")
    return found


def read_secret(path: Path, named_by: str) -> str:
    """Return the secret in a file, without the line end.

    named_by: the key and its place, for error messages.
    Raises SettingsError for a missing, unreadable or empty file, or one with several lines.
    """
    try:
        secret = read_file(path, LARGEST_SECRET, "a password").decode("utf-8")
    except OSError as error:
        raise SettingsError(f"{named_by}: the file {path} cannot be read: {reason_of(error)}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{named_by}: the file {path} is not UTF-8 text, expected a password") from error
    secret = secret.rstrip("\r\n")
    if not secret.strip():
        raise SettingsError(f"{named_by}: the file {path} is empty, expected a password")
    if "\n" in secret:
        raise SettingsError(f"{named_by}: the file {path} has several lines, expected a password alone")
    return secret


def _from_text(key: str, text: str) -> Any:
    """Convert an environment variable's text to the value that a file would hold for this key."""
    if is_a(key, int) and re.fullmatch(r"[+-]?[0-9]{1,18}", text.strip()):
        return int(text)
    if is_a(key, tuple):
        return [entry.strip() for entry in text.split(",") if entry.strip()]
    return text


def _walk(
    table: Mapping[str, Any], before: str, path: Path, lines: Mapping[str, int]
) -> Iterator[tuple[str, Found]]:
    """Yield dotted keys with their values from a TOML table and its subtables."""
    for name, value in table.items():
        key = before + name
        place = _place(path, key, lines)
        if key in all_keys():
            yield key, Found(value, place)
        elif any(section == key or section.startswith(key + ".") for section in all_sections()):
            if not isinstance(value, dict):
                raise SettingsError(f"{key} in {place}: expected a section [{key}]")
            yield from _walk(value, key + ".", path, lines)
        else:
            raise SettingsError(_unknown(key, value, place))


def _unknown(key: str, value: Any, place: str) -> str:
    """Return a sentence that a key or section is unknown, with the nearest known one."""
    section, _, name = key.rpartition(".")
    if isinstance(value, dict):
        meant = _nearest(key, all_sections())
        sections = ", ".join(f"[{known}]" for known in all_sections())
        return f"unknown section [{key}] in {place}: expected one of {sections}{_did_you_mean(meant and f'[{meant}]')}"
    siblings = [known.rpartition(".")[2] for known in all_keys() if known.rpartition(".")[0] == section]
    elsewhere = [known for known in all_keys() if known.rpartition(".")[2] == name]
    meant = _nearest(name, siblings) or (elsewhere[0] if elsewhere else "") or _nearest(key, all_keys())
    expected = (
        f"expected one of {', '.join(siblings)}" if siblings else "expected a section such as [service]"
    )
    return f"unknown key {key} in {place}: {expected}{_did_you_mean(meant)}"


def _nearest(name: str, known: Mapping[str, Any] | list[str], likeness: float = 0.6) -> str:
    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=likeness)), "")


def _did_you_mean(meant: str) -> str:
    return f"; did you mean {meant}?" if meant else ""


def _place(path: Path, key: str, lines: Mapping[str, int]) -> str:
    """Return words for a key's place; a key within an inline table has the table's line."""
    while key and key not in lines:
        key = key.rpartition(".")[0]
    return f"{path} line {lines[key]}" if key else str(path)


def _lines_of_keys(text: str) -> dict[str, int]:
    """Return the line, from 1, at which each dotted key and section begins.

    It is good enough to lead a person to the right place; the text is known to be valid TOML.
    """
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if heading := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
            section = _bare(heading[1])
            lines.setdefault(section, number)
            section += "."
        elif assignment := re.match(r"""\s*([A-Za-z0-9_."' \t-]+?)\s*=""", line):
            lines.setdefault(section + _bare(assignment[1]), number)
    return lines


def _bare(key: str) -> str:
    """Return a written key without the quotes and spaces that TOML allows."""
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def reason_of(error: OSError) -> str:
    """Return why a file could not be read, in the system's words: "no such file or directory"."""
    return _lower_first(error.strerror or str(error))


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
