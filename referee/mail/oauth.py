"""Access tokens for mail accounts that require OAuth2: a command of the operator prints them."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess

from referee.common.errors import TokenRefused

TIMEOUT = 30.0
"""Seconds that a token command may take."""


def get_token(command: str, *, timeout: float = TIMEOUT) -> str:
    """Run a command without a shell and return the access token that it prints on one line.

    timeout: seconds.
    Raises TokenRefused with the last line that the command wrote to standard error. No message holds a token.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise TokenRefused(f"token_command cannot be split into words: {error}") from error
    if not words:
        raise TokenRefused("token_command is empty: expected a command that prints an access token")
    program = words[0]
    try:
        running = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TokenRefused(f"token_command {program} cannot be run: {reason}") from error
    with running:
        try:
            output, complaints = running.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            # Its children too, or one of them could keep the pipes open for ever.
            os.killpg(running.pid, signal.SIGKILL)
            raise TokenRefused(f"token_command {program} gave no token within {timeout:g} seconds") from None
    token = output.decode("utf-8", "replace").strip()
    said = _last_line(complaints.decode("utf-8", "replace"), token)
    if running.returncode:
        raise TokenRefused(f"token_command {program} failed (exit status {running.returncode}){said}")
    if not token or not token.isascii() or len(token.split()) != 1:
        raise TokenRefused(
            f"token_command {program} printed no token, expected one line with nothing else{said}"
        )
    return token


def _last_line(complaints: str, token: str) -> str:
    """Return a command's last line on standard error, as the end of a sentence, without the token.

    The usual reason is an expired refresh token, and the provider's word for it tells nobody what to do.
    """
    lines = [line.strip() for line in complaints.splitlines() if line.strip()]
    if not lines:
        return ""
    last = lines[-1]
    for word in token.split():
        last = last.replace(word, "(hidden)")
    cure = (
        "; the consent has expired, give it again (at Google it lasts a week while the app is in Testing mode)"
        if "invalid_grant" in complaints
        else ""
    )
    return f": {last}{cure}"
