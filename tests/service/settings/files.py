"""Settings files for these tests."""

from __future__ import annotations

from pathlib import Path

from referee.service.settings import Settings, load

COMPLETE = """\
[service]
address = "referee@example.org"

[inbox]
host = "imap.example.org"
username = "referee"
password = "drowssap"

[outbox]
host = "smtp.example.org"
"""

FOLDERS = """\
[service]
address = "referee@example.org"

[inbox]
kind = "maildir"
path = "mail/in"

[outbox]
kind = "maildir"
path = "mail/out"
"""


def write(folder: Path, text: str) -> Path:
    """Write a settings file and return its path."""
    path = folder / "referee.toml"
    path.write_text(text, encoding="utf-8")
    return path


def loaded(folder: Path, text: str, **environ: str) -> Settings:
    """Load a settings file with this text under this environment."""
    return load(write(folder, text), environ)
