"""How the command line prints what others have written, and instants."""

from __future__ import annotations

import sys
import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest

from referee.cli.context import say_plainly
from referee.common.timestamps import for_people, for_programs

BLANKS = [chr(code) for code in range(sys.maxunicode) if unicodedata.category(chr(code)) == "Zs"]


def test_every_kind_of_blank_is_printed_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    """French sets a narrow or a no-break one before a colon, and nothing of that is to be marked as unprintable."""
    assert {" ", "\u00a0", "\u202f", "\u3000"} <= {*BLANKS}
    for blank in (*BLANKS, "\t"):
        say_plainly(f"Pause{blank}: oui")
        assert capsys.readouterr().out == "Pause : oui\n"


@pytest.mark.parametrize("sign", ["\x1b", "\r", "\n", "\x07", "\u202e", "\u2028", "\x00", "\x9b"])
def test_what_might_steer_the_terminal_is_not_printed(sign: str, capsys: pytest.CaptureFixture[str]) -> None:
    say_plainly(f"a{sign}b")
    assert capsys.readouterr().out == "a\N{REPLACEMENT CHARACTER}b\n"


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=2))])
def test_an_instant_has_one_form_for_programs_and_one_for_people(zone: timezone) -> None:
    at = datetime(2026, 11, 27, 17, 0, 59, 400, UTC).astimezone(zone)
    assert for_programs(at) == "2026-11-27T17:00:59Z"
    assert for_people(at) == for_people(for_programs(at)) == "2026-11-27 17:00 UTC"
