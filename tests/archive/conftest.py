"""What tests of the archive have in common."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playing import Club, new_database


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()
