"""Given a busy club, bad letters and one fault after the other, when it is over, then nothing is lost or doubled."""

from __future__ import annotations

from functools import partial

import pytest

from tests.servers.mail import MailServers
from tests.soak.ending import MOST_GROWTH, growth
from tests.soak.town import Sample
from tests.support.harnesses import figures_of

pytestmark = pytest.mark.subprocess

soaked = partial(figures_of, "tests.soak")


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_short_soak_loses_and_doubles_nothing(mail_servers: MailServers) -> None:
    figures = soaked("--letters", "150", "--players", "20", "--minutes", "4", "--every", "1.5")
    assert figures["named"] == {}
    assert figures["troubles"]["killed"] > 1
    assert sum(figures["troubles"].values()) >= 5
    assert figures["moves"] > 5
    assert figures["turns_of_battles"] > 0


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_soak_of_5000_letters_loses_and_doubles_nothing_and_takes_no_more_memory(
    mail_servers: MailServers, database: str
) -> None:
    figures = soaked("--letters", "5000", "--players", "200", "--database", database)
    assert figures["named"] == {}
    assert figures["letters"] >= 5000
    assert figures["growth"] <= MOST_GROWTH
    assert figures["turns_of_battles"] > 100


def test_growth_is_the_last_quarter_against_the_second() -> None:
    samples = [Sample(float(second), 100 + second) for second in range(100)]
    assert growth(samples) == pytest.approx(187 / 137, rel=0.01)
    assert growth([Sample(0.0, 1)] * 3 + [Sample(0.0, 9)]) == 1.0
