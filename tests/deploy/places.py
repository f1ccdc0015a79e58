"""Where the files lie that these tests are about."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
DEPLOY = PROJECT / "deploy"
EVERY_FILE = sorted(
    path for path in DEPLOY.rglob("*") if path.is_file() and not {"private", "pictures"} & set(path.parts)
)
