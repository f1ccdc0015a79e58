"""The service before small servers and before real ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.outages.settings import RealSetting, SmallSetting, real_setting, small_setting
from tests.servers.mail import MailServers


@pytest.fixture
def small(tmp_path: Path) -> Iterator[SmallSetting]:
    with small_setting(tmp_path) as setting:
        yield setting


@pytest.fixture
def real(mail_servers: MailServers, tmp_path: Path) -> Iterator[RealSetting]:
    with real_setting(mail_servers, tmp_path) as setting:
        yield setting
