"""The systemd unit is one that systemd takes, and gives the service as few rights as it can do with."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from referee.common.errors import RefereeError, SettingsError
from referee.service.settings import load
from referee.service.settings.sources import SECRETS
from tests.deploy.places import DEPLOY
from tests.service.settings.files import COMPLETE, write

UNIT = DEPLOY / "referee.service"

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def said(name: str) -> list[str]:
    """Return the values of a directive in the unit, in order."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.MULTILINE)


@pytest.mark.subprocess
@needs_systemd
def test_the_unit_is_hardened() -> None:
    result = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(UNIT)],
        capture_output=True,
        text=True,
        check=False,
    )

    level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", result.stdout)
    assert level, result.stdout + result.stderr
    assert float(level[1]) <= 2.0


@pytest.mark.subprocess
@needs_systemd
def test_systemd_understands_every_line_of_the_unit(tmp_path: Path) -> None:
    """The program itself is not installed here, so another stands in for it."""
    unit = tmp_path / "referee.service"
    unit.write_text(UNIT.read_text().replace("/opt/referee/bin/referee", "/bin/true"))

    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )

    ours = [line for line in result.stderr.splitlines() if "referee" in line]
    assert (result.returncode, ours) == (0, [])


def test_wrong_settings_do_not_start_the_service_again() -> None:
    assert said("RestartPreventExitStatus") == [str(SettingsError.exit_status)]
    assert said("Restart") == ["on-failure"]
    assert RefereeError.exit_status != SettingsError.exit_status


def test_the_service_has_time_to_finish_its_letter() -> None:
    assert said("KillSignal") == ["SIGTERM"]
    assert said("TimeoutStopSec") == ["30s"]


def test_the_credentials_of_the_unit_are_those_that_the_settings_look_for(tmp_path: Path) -> None:
    names = [credential.partition(":")[0] for credential in said("LoadCredential")]
    assert set(names) < {group[0].replace(".", "__") for group in SECRETS}
    for name in names:
        (tmp_path / name).write_text(f"secret of {name}\n")

    without = COMPLETE.replace('password = "drowssap"', "") + 'username = "referee"\n'
    settings = load(write(tmp_path, without), {"CREDENTIALS_DIRECTORY": str(tmp_path)})

    assert settings.inbox.password is not None
    assert settings.outbox.password is not None
    assert settings.inbox.password.get_secret_value() == "secret of inbox__password"
    assert settings.outbox.password.get_secret_value() == "secret of outbox__password"


def test_the_service_runs_as_the_user_that_is_made_for_it() -> None:
    made = (DEPLOY / "referee.sysusers").read_text()

    assert re.search(rf"^u {said('User')[0]} ", made, re.MULTILINE)
    assert f"/var/lib/{said('StateDirectory')[0]}" in made
