"""Every setting: its meaning, its form, its default, and how the sample file shows it.

This is the one place where a setting is described. The sample file and the sentences about wrong values are
made from it, and the sources know no other keys.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin
from zoneinfo import available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    create_model,
    model_validator,
)
from pydantic.fields import FieldInfo

from referee.common.i18n import LANGUAGES
from referee.rulebooks.catalogue import CATALOGUE
from referee.rulebooks.entry import Entry, RulebookSettings

Security = Literal["tls", "starttls", "none"]

IMAP_PORTS: Mapping[str, int] = {"tls": 993, "starttls": 143, "none": 143}
SMTP_PORTS: Mapping[str, int] = {"tls": 465, "starttls": 587, "none": 25}

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
EXAMPLE_ADDRESS = "referee@example.org"


@dataclass(frozen=True, slots=True)
class Form:
    """The form that a value must have, as a phrase: "a port number from 1 to 65535".

    readable: the value names a file that must exist and be readable when the settings are loaded.
    """

    phrase: str
    readable: bool = False


def _plain_address(text: str) -> str:
    """Accept `local@domain`; raise ValueError for a display name, several addresses or none."""
    if not re.fullmatch(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", text):
        raise ValueError("not one plain address")
    return text


def _database_url(text: str) -> str:
    """Accept the URLs of SQLite and of PostgreSQL by psycopg; raise ValueError for any other."""
    if not re.fullmatch(r"sqlite:///.+|postgresql(\+psycopg)?://\S+", text):
        raise ValueError("not a database this service can use")
    return text


def _zone(text: str) -> str:
    """Accept the names of time zones."""
    if text not in available_timezones():
        raise ValueError("not a time zone")
    return text


def _weekday(text: str) -> str:
    if text not in WEEKDAYS:
        raise ValueError("not a day of the week")
    return text


def _day(text: str) -> str:
    return date.fromisoformat(text).isoformat()


def _marks(text: str) -> str:
    """Accept reminder times as a tournament's file writes them, at most ten."""
    said = [] if text == "none" else text.split(",")
    form = re.compile(r"\s*(?=[1-9])([1-9][0-9]{0,2}d)?([1-9][0-9]{0,2}h)?\s*")
    if len(said) > 10 or not all(map(form.fullmatch, said)):
        raise ValueError("not times with commas between")
    return text


Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$"), Form("a text on one line")]
Address = Annotated[str, AfterValidator(_plain_address), Form(f"one plain address such as {EXAMPLE_ADDRESS}")]
Database = Annotated[
    str,
    AfterValidator(_database_url),
    Form('a database, "sqlite:///referee.db" or "postgresql+psycopg://user@host/name"'),
]
Language = Annotated[
    str,
    Field(pattern=rf"^({'|'.join(LANGUAGES)})$"),
    Form(f"one of the languages that letters are written in: {', '.join(LANGUAGES)}"),
]
Port = Annotated[int, Field(strict=True, ge=1, le=65535), Form("a port number from 1 to 65535")]
PortOrNone = Annotated[
    int, Field(strict=True, ge=0, le=65535), Form("a port number from 1 to 65535, or 0 for none")
]
Seconds = Annotated[int, Field(strict=True, ge=1, le=86_400), Form("whole seconds from 1 to 86400")]
Hour = Annotated[int, Field(strict=True, ge=0, le=23), Form("an hour of the day from 0 to 23")]
Octets = Annotated[int, Field(strict=True, ge=1_000), Form("a whole number of octets, at least 1000")]
Days = Annotated[int, Field(strict=True, ge=0, le=36_500), Form("whole days from 0 to 36500")]
Count = Annotated[int, Field(strict=True, ge=1, le=1_000_000), Form("a whole number from 1 to 1000000")]
Folder = Annotated[Path, Form("the path of a folder")]
ReadableFile = Annotated[Path, Form("the path of a file that can be read", readable=True)]
SecretFile = Annotated[Path, Form("the path of a file that holds the password alone")]
Password = Annotated[SecretStr, Field(min_length=1), Form("a password that is not empty")]
Addresses = Annotated[tuple[Address, ...], Form('a list of plain addresses, ["umpire@club.example"]')]
Zone = Annotated[str, AfterValidator(_zone), Form('a time zone, "Europe/Paris"')]
Weekday = Annotated[str, AfterValidator(_weekday)]
Weekdays = Annotated[
    tuple[Weekday, ...],
    Field(max_length=6),
    Form('a list of days of the week, not of all seven, ["saturday", "sunday"]'),
]
Day = Annotated[str, AfterValidator(_day)]
Dates = Annotated[tuple[Day, ...], Form('a list of dates, ["2027-12-25"]')]
Marks = Annotated[str, AfterValidator(_marks), Form('times with commas between, "7d,2d,12h", or "none"')]
DaysOfLeave = Annotated[int, Field(strict=True, ge=0, le=365), Form("whole days from 0 to 365")]
Hosts = Annotated[tuple[Text, ...], Form('a list of host names, ["mx.example.org"]')]


def key(default: Any, about: str, *, sample: Any = None, shown: bool = False) -> Any:
    """Describe one key.

    about: sentences for the operator.
    sample: the value in the sample file where it is not the default.
    shown: the sample file has it as a line in force; otherwise as a comment.
    """
    value = default if sample is None else sample
    return Field(default=default, description=about, examples=[value], json_schema_extra={"shown": shown})


class Section(BaseModel):
    """A section of the file: frozen, with no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Service(Section):
    """Who the referee is, and where it keeps its books."""

    name: Text = key("Referee", "The name in the From header and in letters.", shown=True)
    address: Address = key(
        "",
        "The address that players write to. Replies come to the same with a tag: referee+TAG@example.org. "
        "The mail account must be allowed to send under it.",
        sample=EXAMPLE_ADDRESS,
        shown=True,
    )
    operator: Address = key(
        "",
        "Where to write when something needs you: a letter was set aside, a mail server is out of reach for an hour, "
        "the disk is nearly full, the clock is wrong. At most one letter an hour about each; none, when this is left "
        "out.",
        sample="postmaster@example.org",
    )
    database: Database = Field(
        default="sqlite:///referee.db",
        repr=False,
        description="Where games and letters are kept: a file (sqlite:////var/lib/referee/referee.db is an absolute "
        "path) or PostgreSQL (postgresql+psycopg://referee@localhost/referee).",
        examples=["sqlite:///referee.db"],
        json_schema_extra={"shown": True},
    )
    database_password: Password | None = key(
        None,
        "PostgreSQL's password, if it asks for one. Better in a file of its own.",
        sample="secret",
    )
    database_password_file: SecretFile | None = key(
        None, "The same in a file, which holds nothing else.", sample="/etc/referee/database.secret"
    )
    language: Language = key(
        "en", "The language of letters to people who have chosen none: en or fr.", shown=True
    )
    digest_hour: Hour = key(
        18,
        "At this hour, by a player's own clock, the news of a day are written to whoever has asked for one letter a "
        "day.",
    )
    keep_letters: Days = key(
        400,
        "After so many days letters are erased: those that came in, once they are settled, and those that went out, "
        "once their game is over. Games, records and what became of a letter stay. 400 days are a year and a month, to "
        "look into a complaint; 0 keeps letters for ever.",
    )


class Inbox(Section):
    """Where letters come in."""

    kind: Literal["imap", "maildir"] = key(
        "imap", 'An account on a mail server ("imap") or a folder on this machine ("maildir").', shown=True
    )
    host: Text = key("", "The IMAP server.", sample="imap.example.org", shown=True)
    port: Port = key(
        0,
        "Left out, it follows from the security: 993 for tls, 143 for starttls and none.",
        sample=993,
    )
    security: Security = key(
        "tls",
        'Encrypted from the first byte ("tls"), from the login on ("starttls"), or not at all ("none": only '
        "for a server on this machine).",
        shown=True,
    )
    ca_file: ReadableFile | None = key(
        None,
        "Certificates to trust instead of the system's, for a server of your own with an authority of its own.",
        sample="/etc/referee/ca.pem",
    )
    username: Text = key("", "The account's login, often the whole address.", sample="referee", shown=True)
    password: Password | None = key(
        None, "One of three ways to log in; a password in this file is the least safe.", sample="secret"
    )
    password_file: SecretFile | None = key(
        None,
        "A file that holds the password and nothing else: make it, since nothing starts without it. Under systemd "
        "the credential inbox__password goes before it, REFEREE_INBOX__PASSWORD before both.",
        sample="/etc/referee/imap.secret",
        shown=True,
    )
    token_command: Text = key(
        "",
        "For accounts that want OAuth2: a command, run without a shell, that prints an access token.",
        sample="oama access referee@example.org",
    )
    folder: Text = key("INBOX", "The folder that letters arrive in.", shown=True)
    done: Text = key(
        "Done",
        "Letters go here once they are recorded, refused ones too: on IMAP into a subfolder for each month, in a "
        "Maildir into .Done.",
        shown=True,
    )
    path: Folder | None = key(None, 'The folder, with kind = "maildir".', sample="mail/in")
    size_limit: Octets = key(10_000_000, "Larger letters (in octets) are not fetched but set aside.")
    letters_an_hour: Count = key(
        200,
        "So many letters of one sender are heard in an hour; of the rest he is told once that they were not. A person "
        "never writes as many, a program that runs wild does.",
    )
    poll: Seconds = key(
        60, "Look for letters at least this often, in seconds, whatever the server announces by itself."
    )
    timeout: Seconds = key(30, "Give a silent server up after so many seconds, and connect again later.")

    @model_validator(mode="before")
    @classmethod
    def _port_follows_security(cls, values: Any) -> Any:
        return _with_port(values, IMAP_PORTS, "tls")


class Outbox(Section):
    """How letters go out."""

    kind: Literal["smtp", "maildir"] = key(
        "smtp",
        'Through a mail server ("smtp"), or one file for each letter and recipient in a folder on this machine '
        '("maildir").',
        shown=True,
    )
    host: Text = key("", "The SMTP server.", sample="smtp.example.org", shown=True)
    port: Port = key(
        0,
        "Left out, it follows from the security: 465 for tls, 587 for starttls, 25 for none.",
        sample=587,
    )
    security: Security = key("starttls", "As in [inbox].", shown=True)
    ca_file: ReadableFile | None = key(None, "As in [inbox].", sample="/etc/referee/ca.pem")
    username: Text = key(
        "",
        "The account's login. Leave it out for a server that takes letters without one.",
        sample="referee",
        shown=True,
    )
    password: Password | None = key(None, "As in [inbox].", sample="secret")
    password_file: SecretFile | None = key(
        None,
        "As in [inbox]: make this file too. The credential is outbox__password, the variable REFEREE_OUTBOX__PASSWORD.",
        sample="/etc/referee/smtp.secret",
        shown=True,
    )
    token_command: Text = key("", "As in [inbox].", sample="oama access referee@example.org")
    path: Folder | None = key(None, 'The folder, with kind = "maildir".', sample="mail/out")
    letters_an_hour: Count | None = key(
        None,
        "Post no more letters than so many in an hour, where the mail host sets a limit; the others wait.",
        sample=400,
    )
    timeout: Seconds = key(30, "Give a silent server up after so many seconds, and try again later.")

    @model_validator(mode="before")
    @classmethod
    def _port_follows_security(cls, values: Any) -> Any:
        return _with_port(values, SMTP_PORTS, "starttls")


class Trust(Section):
    """Whom to believe that a letter is from whom it says."""

    sender: Literal["verified", "header"] = key(
        "verified",
        'Only what the mail host has checked ("verified"), or whatever the From header says ("header": for a closed '
        "club behind its own mail server, and for tests).",
        shown=True,
    )
    authserv_id: Hosts = key(
        (),
        "The hosts whose Authentication-Results headers count: the first word of such a header in a letter that "
        "came in. Without one nobody is verified: a player's letter is held until the player confirms it, and "
        "anybody else's is ignored.",
        sample=("mx.example.org",),
        shown=True,
    )
    aliases: Addresses = key(
        (),
        "Other addresses whose mail comes into this mailbox (a forward, an alias). A letter that has neither one of "
        "these nor the service's address in To may have been written to somebody else, and is held until its sender "
        "confirms it.",
        sample=("umpire@club.example",),
    )


class Time(Section):
    """How time is counted in games that belong to no event; an event's file says it for its own."""

    zone: Zone = key("UTC", "The time zone in which days off and holidays are days.", sample="Europe/Paris")
    days_off: Weekdays = key((), "Days of the week on which no time runs.", sample=("saturday", "sunday"))
    holidays: Dates = key((), "Days on which no time runs.", sample=("2027-01-01", "2027-12-25"))
    reminders: Marks = key(
        "7d,2d,1d", "Players are reminded when so much time is left, in days and hours; none is not at all."
    )
    leave: DaysOfLeave = key(30, "So many days of leave a player may take in a year.")
    outage_after: Seconds = key(
        3600,
        "When the mailbox was not looked into for so many seconds the service was out, and nobody's time has run. "
        "Where `referee run --once` is started now and then, it needs to be more than what lies between.",
    )


class Metrics(Section):
    """Figures for a monitoring system that fetches them (Prometheus)."""

    port: PortOrNone = key(
        0,
        "Serve them at http://127.0.0.1:PORT/metrics while `referee run` works; 0 is not at all. Only this machine can "
        "fetch them, and they name no player.",
        sample=9464,
    )


def _section_of(entry: Entry, settings: RulebookSettings) -> type[Section]:
    """Return the section about one game's rules."""
    table = key(None, settings.table, sample="my-table.toml")
    return create_model(
        entry.title, __base__=Section, __doc__=settings.about, table=(ReadableFile | None, table)
    )


_SECTIONS = {
    entry.name: _section_of(entry, entry.settings) for entry in CATALOGUE if entry.settings is not None
}


class _Rules(Section):
    """What the rulebooks let an operator choose: a section for each that has settings; see `catalogue.Entry`."""

    def tables(self) -> Mapping[str, Path]:
        """Return the files of the operator's own movement tables, by the dotted names of their keys."""
        files = {f"rules.{name}.table": getattr(self, name).table for name in _SECTIONS}
        return {name: file for name, file in files.items() if file is not None}


if TYPE_CHECKING:
    Rules = _Rules  # its fields are known only once the catalogue is read
else:
    Rules = create_model(
        "Rules",
        __base__=_Rules,
        **{name: (section, Field(default_factory=section)) for name, section in _SECTIONS.items()},
    )


class Settings(Section):
    """All settings.

    Paths are absolute, passwords are read, and a server's port is never 0. `service.database` holds the
    database's password where there is one, so it is hidden in repr.
    """

    service: Service = Field(default_factory=Service)
    inbox: Inbox = Field(default_factory=Inbox)
    outbox: Outbox = Field(default_factory=Outbox)
    trust: Trust = Field(default_factory=Trust)
    time: Time = Field(default_factory=Time)
    metrics: Metrics = Field(default_factory=Metrics)
    rules: Rules = Field(default_factory=Rules)

    _origins: Mapping[str, str] = PrivateAttr(default_factory=dict)
    """For each key that was set, where: "referee.toml line 4". See `loading.where_from`."""


def _with_port(values: Any, ports: Mapping[str, int], security: str) -> Any:
    """Return a section's values with the default port for its security, unless they hold a port."""
    if not isinstance(values, Mapping) or "port" in values:
        return values
    return {**values, "port": ports.get(str(values.get("security", security)), 0) or ports[security]}


@cache
def all_keys() -> Mapping[str, FieldInfo]:
    """Return every key with its description, by dotted name ("inbox.port"), in the order of the sample file."""

    def walk(section: type[BaseModel], before: str) -> dict[str, FieldInfo]:
        keys: dict[str, FieldInfo] = {}
        for name, field in section.model_fields.items():
            inner = field.annotation
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                keys |= walk(inner, f"{before}{name}.")
            else:
                keys[before + name] = field
        return keys

    return walk(Settings, "")


def all_sections() -> Mapping[str, str]:
    """Return every section that holds keys, by dotted name ("inbox"), with its description."""
    return {
        "service": Service.__doc__ or "",
        "inbox": Inbox.__doc__ or "",
        "outbox": Outbox.__doc__ or "",
        "trust": Trust.__doc__ or "",
        "time": Time.__doc__ or "",
        "metrics": Metrics.__doc__ or "",
        **{f"rules.{name}": section.__doc__ or "" for name, section in _SECTIONS.items()},
    }


def form_of(name: str) -> Form:
    """Return the form that a value of this key must have."""
    field = all_keys()[name]
    for note in (*field.metadata, *_notes(field.annotation)):
        if isinstance(note, Form):
            return note
    choices = ", ".join(f'"{choice}"' for choice in get_args(field.annotation))
    return Form(f"one of {choices}")


def is_a(name: str, wanted: type) -> bool:
    """Return whether values of this key are of type `wanted` (int, Path, tuple, SecretStr)."""
    return wanted in _types(all_keys()[name].annotation)


def _notes(annotation: Any) -> tuple[Any, ...]:
    """Return the annotations within a type, as in `Annotated[Path, Form(…)] | None`."""
    own = tuple(getattr(annotation, "__metadata__", ()))
    return own + tuple(note for part in get_args(annotation) for note in _notes(part))


def _types(annotation: Any) -> set[Any]:
    """Return the plain types that a type is made of."""
    if annotation is None:
        return set()
    if get_origin(annotation) is tuple:
        return {tuple}
    parts = get_args(annotation)
    return {annotation} if not parts else {plain for part in parts for plain in _types(part)}
