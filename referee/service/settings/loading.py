"""Combines and checks the sources, and remembers each value's origin.

The file comes first, systemd's credentials override it, and the environment overrides both. Several keys
stand for one secret (password, password_file, token_command): the highest source that has any of them
decides. So a password in the environment replaces a password file, which is then not read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import SecretStr, ValidationError

from referee.common.errors import SettingsError
from referee.service.settings.sections import Settings, all_keys, form_of, is_a
from referee.service.settings.sources import (
    CONFIG_VARIABLE,
    SECRETS,
    Found,
    from_credentials,
    from_environment,
    from_file,
    read_secret,
    reason_of,
    variable_of,
)

DEFAULT_FILE = Path("referee.toml")

NEEDED: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("service.address", {}),
    ("inbox.host", {"inbox.kind": "imap"}),
    ("inbox.username", {"inbox.kind": "imap"}),
    ("inbox.path", {"inbox.kind": "maildir"}),
    ("outbox.host", {"outbox.kind": "smtp"}),
    ("outbox.path", {"outbox.kind": "maildir"}),
)
"""Keys without which the service cannot work, and the setting under which each is needed."""


@dataclass(frozen=True, slots=True)
class Effective:
    """One setting in force, fit for showing.

    value: text, number, list, or None when it is not set; "(hidden)" for a secret.
    source: "default", "referee.toml line 9", "environment REFEREE_INBOX__PORT", "credential inbox__password",
        "file /etc/referee/imap.secret".
    """

    key: str
    value: str | int | list[str] | None
    source: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What an operator wants to see of their settings, whether or not the service could work with them.

    settings: as from `where_from`; empty for a file that cannot be understood.
    warnings: sentences about settings that are possible but seldom intended.
    fault: why the service cannot work with them.
    """

    settings: tuple[Effective, ...]
    warnings: tuple[str, ...]
    fault: SettingsError | None = None


def load(path: Path | None, environ: Mapping[str, str], *, complete: bool = True) -> Settings:
    """Read the settings: from `path`, REFEREE_CONFIG or ./referee.toml, overridden by the environment.

    complete: everything that the service needs must be set. Without it (for commands that work on a file
        alone) no file is needed, nothing is required, and no file that the settings name is read.
    Raises SettingsError with one sentence that names the key, its place, what was expected, and for an
    unknown key the nearest one.
    """
    environment = from_environment(environ)
    file = _find_file(path, environ)
    if file is None and complete and not environment:
        raise SettingsError(
            f"there are no settings: expected --config FILE, {CONFIG_VARIABLE} or a file {DEFAULT_FILE} in this folder "
            "(`referee init --write-config` writes one)"
        )
    in_file = from_file(file) if file else {}
    found = _lay_over(in_file, from_credentials(environ), environment)
    found = _with_absolute_paths(found, file.absolute().parent if file else Path.cwd(), on_trial=complete)
    if complete:
        found = _with_secrets(found)
    settings = _validate(found)
    if complete:
        _miss_nothing(settings, found, file)
        _keep_apart(settings, found)
    settings._origins = {key: value.place for key, value in found.items()}
    return settings


def where_from(settings: Settings) -> tuple[Effective, ...]:
    """Return every setting in force, in the order of the sample file, with its source and secrets hidden."""
    shown = []
    for key in all_keys():
        value = _showable(_value(settings, key))
        if key.endswith("token_command") and isinstance(value, str):
            value = re.sub(r"\s.*", " (hidden)", value)  # the program's arguments may be secret, too
        shown.append(Effective(key, value, settings._origins.get(key, "default")))
    return tuple(shown)


def survey(path: Path | None, environ: Mapping[str, str]) -> Survey:
    """Return the settings as `load` finds them, and report a fault instead of raising it."""
    try:
        settings = load(path, environ)
    except SettingsError as fault:
        try:
            settings = load(path, environ, complete=False)
        except SettingsError:
            return Survey((), (), fault)
        return Survey(where_from(settings), warnings_about(settings), fault)
    return Survey(where_from(settings), warnings_about(settings))


def warnings_about(settings: Settings) -> tuple[str, ...]:
    """Return a sentence for each setting that works but is seldom intended."""
    if settings.trust.sender == "header":
        return (
            '[trust] sender = "header": anybody is believed to be whoever the From header of his letter names; '
            "this is for a closed club behind its own mail server.",
        )
    if not settings.trust.authserv_id:
        return (
            "[trust] authserv_id is empty: nobody is verified. A player's letter is held until the player confirms "
            "it, and anybody else's is ignored. Put in the first word after Authentication-Results: in a letter that "
            "came in.",
        )
    return ()


def _find_file(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """Return the settings file, None when none was named and there is none here."""
    if path is not None:
        return path
    if named := environ.get(CONFIG_VARIABLE):
        return Path(named)
    return DEFAULT_FILE if DEFAULT_FILE.exists() else None


def _lay_over(*sources: Mapping[str, Found]) -> dict[str, Found]:
    """Combine the sources; later ones override earlier ones."""
    found: dict[str, Found] = {}
    for source in sources:
        for group in SECRETS:
            given = [key for key in group if key in source]
            if len(given) > 1:
                first, second = given[0], given[1]
                raise SettingsError(
                    f"{first} ({source[first].place}) and {second} ({source[second].place}) are both set: "
                    f"expected only one of {', '.join(group)}"
                )
            if given:
                for key in group:
                    found.pop(key, None)
        found |= source
    return found


def _with_absolute_paths(found: Mapping[str, Found], folder: Path, *, on_trial: bool) -> dict[str, Found]:
    """Resolve relative paths against the settings file's folder, wherever the command was run.

    on_trial: files that must be readable are opened as a test.
    """
    absolute = dict(found)
    for key, given in found.items():
        if not isinstance(given.value, str) or not given.value:
            continue
        if is_a(key, Path):
            path = folder / _from_home(given.value, f"{key} in {given.place}")
            if on_trial and form_of(key).readable:
                _read_on_trial(path, f"{key} in {given.place}")
            absolute[key] = Found(path, given.place)
        elif key == "service.database" and (match := re.fullmatch(r"sqlite:///([^/:].*)", given.value)):
            absolute[key] = Found(f"sqlite:///{folder / match[1]}", given.place)
    if "service.database" not in absolute:
        absolute["service.database"] = Found(f"sqlite:///{folder / 'referee.db'}", "default")
    return absolute


def _from_home(text: str, named_by: str) -> Path:
    """Return a written path, with a leading ~ expanded to the home folder."""
    if "\0" in text:
        raise SettingsError(f"{named_by}: expected a path, not one with a NUL in it")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise SettingsError(
            f"{named_by}: there is no home folder for {text.partition('/')[0]}, expected a path"
        ) from error


def _read_on_trial(path: Path, named_by: str) -> None:
    """Raise SettingsError when a file cannot be read, now rather than in the middle of a game."""
    try:
        path.open("rb").close()
    except OSError as error:
        reason = reason_of(error)
        raise SettingsError(f"{named_by}: the file {path} cannot be read: {reason}") from error


def _with_secrets(found: Mapping[str, Found]) -> dict[str, Found]:
    """Read the password files, and put the database's password into its URL."""
    read = dict(found)
    for secret, file, *_ in SECRETS:
        if file in read and isinstance(path := read[file].value, Path) and not _in_a_folder(secret, found):
            read[secret] = Found(read_secret(path, f"{file} in {read[file].place}"), f"file {path}")
    database, password = read["service.database"], read.get("service.database_password")
    if password and isinstance(database.value, str) and isinstance(password.value, str):
        url = re.fullmatch(r"(postgresql(?:\+psycopg)?://)([^/@:]+)(@.*)", database.value)
        if not url:
            raise SettingsError(
                f"service.database_password is set ({password.place}), but service.database in {database.place} has no "
                "place for it: expected postgresql+psycopg://user@host/name"
            )
        read["service.database"] = Found(
            f"{url[1]}{url[2]}:{quote(password.value, safe='')}{url[3]}", database.place
        )
    return read


def _in_a_folder(secret: str, found: Mapping[str, Found]) -> bool:
    """Return whether a box's letters are in a Maildir, so that its password is useless."""
    kind = found.get(f"{secret.partition('.')[0]}.kind")
    return kind is not None and kind.value == "maildir"


def _validate(found: Mapping[str, Found]) -> Settings:
    """Check the values' forms; raises SettingsError for the first one that is wrong."""
    document: dict[str, Any] = {}
    for key, given in found.items():
        *sections, name = key.split(".")
        table = document
        for section in sections:
            table = table.setdefault(section, {})
        table[name] = given.value
    try:
        return Settings.model_validate(document)
    except ValidationError as error:
        location = [str(part) for part in error.errors(include_input=False, include_url=False)[0]["loc"]]
        key = next(known for known in all_keys() if known.split(".") == location[: known.count(".") + 1])
        given = found[key]
        written = (
            "" if _is_secret(key) else f", not {json.dumps(given.value, ensure_ascii=False, default=str)}"
        )
        # The library's own words are left out on purpose: they may hold the value, and no operator knows
        # them.
        raise SettingsError(f"{key} in {given.place}: expected {form_of(key).phrase}{written}") from None


def _miss_nothing(settings: Settings, found: Mapping[str, Found], file: Path | None) -> None:
    """Raise SettingsError for the first required key that is not set."""
    for key, condition in NEEDED:
        if key not in found and all(_value(settings, other) == value for other, value in condition.items()):
            because = "".join(f' with {other} = "{value}"' for other, value in condition.items())
            raise SettingsError(_missing(key, because, file))
    for box, logs_in in (
        ("inbox", settings.inbox.kind == "imap"),
        ("outbox", settings.outbox.kind == "smtp" and bool(settings.outbox.username)),
    ):
        if (
            logs_in
            and not _value(settings, f"{box}.password")
            and not _value(settings, f"{box}.token_command")
        ):
            raise SettingsError(
                f"{box}.password_file is missing: expected password_file, token_command or password in [{box}] of "
                f"{file or DEFAULT_FILE}, a credential {box}__password, or {variable_of(f'{box}.password')}"
            )
    if settings.outbox.kind == "smtp" and not settings.outbox.username:
        for key in SECRETS[2]:
            if key in found:
                raise SettingsError(_missing("outbox.username", f" beside {key} ({found[key].place})", file))


def _keep_apart(settings: Settings, found: Mapping[str, Found]) -> None:
    """Raise SettingsError when incoming and outgoing letters share a folder."""
    inbox, outbox = settings.inbox, settings.outbox
    if inbox.kind != "maildir" or outbox.kind != "maildir" or inbox.path is None or outbox.path is None:
        return
    if os.path.realpath(inbox.path) == os.path.realpath(outbox.path):
        raise SettingsError(
            f"outbox.path in {found['outbox.path'].place}: expected another folder than that of inbox.path in "
            f"{found['inbox.path'].place}, or the service would read its own letters, not {outbox.path}"
        )


def _missing(key: str, because: str, file: Path | None) -> str:
    form, there = form_of(key).phrase, file or DEFAULT_FILE
    return f"{key} is missing: expected {form}{because}, in {there} or as {variable_of(key)}"


def _value(settings: Settings, key: str) -> Any:
    value: Any = settings
    for name in key.split("."):
        value = getattr(value, name)
    return value


def _is_secret(key: str) -> bool:
    return is_a(key, SecretStr) or key in {"service.database", "inbox.token_command", "outbox.token_command"}


def _showable(value: Any) -> str | int | list[str] | None:
    """Return a value as it may be shown when others can see the operator's screen."""
    if isinstance(value, SecretStr):
        return "(hidden)"
    if isinstance(value, tuple):
        return [str(entry) for entry in value]
    if isinstance(value, str) and "://" in value:
        return re.sub(r"(://[^:/@]*):.*@|(password=)[^&]*", _hide, value)
    if isinstance(value, int) or value is None:
        return value
    return str(value) or None


def _hide(match: re.Match[str]) -> str:
    return f"{match[1]}:(hidden)@" if match[1] else f"{match[2]}(hidden)"
