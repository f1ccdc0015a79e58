"""A token command is run without a shell, and its token is never shown."""

from __future__ import annotations

import os
import select
import shlex
import sys
from pathlib import Path

import pytest

from referee.common.errors import TokenRefused
from referee.mail.oauth import get_token


def python(code: str) -> str:
    """Return a command that runs this Python code."""
    return shlex.join([sys.executable, "-c", code])


def refusal(command: str, timeout: float = 30.0) -> str:
    with pytest.raises(TokenRefused) as caught:
        get_token(command, timeout=timeout)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 3
    return str(caught.value)


def test_the_token_is_what_the_command_prints() -> None:
    assert get_token(python("print('ya29.token~+/=')")) == "ya29.token~+/="


def test_words_in_quotes_stay_together_and_no_shell_reads_them() -> None:
    code = "import sys; print('|'.join(sys.argv[1:]).replace(' ', '_'))"

    assert get_token(f"{python(code)} 'two words' '$HOME;x'") == "two_words|$HOME;x"


def test_a_command_that_fails_is_quoted_by_its_last_line() -> None:
    said = refusal(python("import sys; print('first\\nno such account\\n', file=sys.stderr); sys.exit(3)"))

    assert said.endswith("failed (exit status 3): no such account")
    assert "first" not in said


def test_a_token_is_not_shown_when_the_command_fails() -> None:
    said = refusal(
        python("import sys; print('t0ken'); print('got t0ken, but', file=sys.stderr); sys.exit(1)")
    )

    assert "t0ken" not in said.rpartition("exit status")[2]
    assert said.endswith("got (hidden), but")


def test_a_consent_that_has_expired_is_explained() -> None:
    said = refusal(python('import sys; sys.exit(\'{"error": "invalid_grant"}\')'))

    assert "consent has expired" in said
    assert "Testing mode" in said


@pytest.mark.parametrize("printed", ["''", "'two words'", "'one\\ntwo'", "'t\\u00f6ken'"])
def test_what_is_no_token_is_refused_without_being_shown(printed: str) -> None:
    said = refusal(python(f"import sys; sys.stdout.buffer.write({printed}.encode('utf-8'))"))

    assert said.endswith("printed no token, expected one line with nothing else")


def test_a_command_that_is_not_there_is_named() -> None:
    said = refusal("/no/such/program --now")

    assert said == "token_command /no/such/program cannot be run: no such file or directory"


@pytest.mark.parametrize("command", ["", "   ", "tokens 'open"])
def test_a_command_that_is_none_is_refused(command: str) -> None:
    assert refusal(command).startswith("token_command ")


def test_a_command_that_hangs_is_given_up_with_all_its_children(tmp_path: Path) -> None:
    fifo = tmp_path / "held open by the command and its child"
    os.mkfifo(fifo)
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)

    said = refusal(shlex.join(["sh", "-c", 'exec 3>"$0"; sleep 60 & sleep 60', str(fifo)]), timeout=0.3)

    assert said == "token_command sh gave no token within 0.3 seconds"
    ready, _, _ = select.select([reading], [], [], 20)
    assert ready, "something still holds it open"
    assert os.read(reading, 1) == b""
    os.close(reading)
