"""What a monitoring system can fetch from a service at work, from where, and what stands in it."""

from __future__ import annotations

import re
import signal
import socket
import sqlite3
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from referee import __version__
from referee.common.clock import FixedClock
from referee.common.health import Count, Door, Health
from referee.service.bootstrap import open_application
from referee.service.metrics import Figures, serve_metrics
from referee.service.running import measured, working
from referee.service.settings import load
from referee.store.database import Store
from tests.servers.launching import free_port
from tests.service.test_daemon import MOVE
from tests.store.scenery import NOON, letter, report, start_game
from tests.support.operating import MAILDIR_IN, MAILDIR_OUT, SERVICE, WENDY, YANNICK, Desk, answer, write_mail
from tests.support.waiting import PATIENCE, until


def fetch(port: int, host: str = "127.0.0.1") -> str:
    with urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=PATIENCE) as answered:
        assert answered.headers["Content-Type"].startswith("text/plain")
        return str(answered.read().decode())


def figures_in(text: str) -> dict[str, float]:
    """Return every figure as a monitoring system reads it, by name and labels: `referee_games{status="playing"}`."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
            found[sample.name + (f"{{{labels}}}" if labels else "")] = sample.value
    return found


def desk_with(folder: Path, port: int) -> Desk:
    return Desk(folder, SERVICE + MAILDIR_IN + MAILDIR_OUT + f"\n[metrics]\nport = {port}\n")


# A service at work


@pytest.mark.subprocess
def test_a_service_at_work_tells_what_it_has_done_and_what_waits(tmp_path: Path) -> None:
    port = free_port()
    desk = desk_with(tmp_path, port)
    desk.sample_game_begun()
    desk.done("run", "--once")
    desk.put(answer(desk.last_to(WENDY), MOVE))
    desk.put(write_mail("V-N1", sender=YANNICK, domain="evil.example"))
    with desk.process("run") as running:
        until(lambda: len(desk.posted()) == 5)

        def scraped() -> dict[str, float]:
            try:
                return figures_in(fetch(port))
            except urllib.error.URLError:
                return {}

        until(lambda: scraped().get('referee_letters_posted_total{result="accepted"}') == 3)
        seen = scraped()
        text = fetch(port)
        assert WENDY.partition("@")[0] not in text.lower()
        assert "yannick" not in text.lower()
        running.send_signal(signal.SIGTERM)
        assert running.wait(PATIENCE) == 0
        with pytest.raises(urllib.error.URLError):
            fetch(port)
    assert seen['referee_letters_total{outcome="ruled"}'] == 1
    assert seen['referee_letters_total{outcome="held"}'] == 1
    assert seen['referee_letters_total{outcome="set-aside"}'] == 0
    assert seen["referee_orders_ruled_total"] == 1
    assert seen["referee_letters_failed_total"] == 0
    assert seen["referee_letters_waiting"] == seen["referee_letters_queued"] == 0
    assert seen["referee_mailbox_up"] == seen["referee_post_up"] == seen["referee_database_up"] == 1
    assert 0 <= seen["referee_mailbox_silent_seconds"] < 60
    assert seen["referee_round_seconds_count"] >= 1
    assert seen['referee_games{status="playing"}'] == 1
    assert seen["referee_database_size_bytes"] > 10_000
    assert seen["referee_disk_free_bytes"] > 0
    (build,) = (line for line in seen if line.startswith("referee_build_info"))
    assert f'version="{__version__}"' in build


def test_without_a_port_nothing_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    monkeypatch.setitem(sys.modules, "referee.service.metrics", None)  # whoever asks for it fails
    with open_application(load(desk.config, {})) as application, working(application) as daemon:
        threads = threading.active_count()
        with measured(application, daemon):
            assert threading.active_count() == threads


def test_a_port_that_is_taken_is_one_sentence_and_status_3(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = desk_with(tmp_path, port).do("run")
    assert (said.status, said.out) == (3, "")
    (sentence,) = (line for line in said.err.splitlines() if line.startswith("referee: "))
    assert f"127.0.0.1:{port}" in sentence
    assert "[metrics] port" in sentence


def test_one_round_by_command_needs_no_port(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        desk_with(tmp_path, taken.getsockname()[1]).done("run", "--once")


# From where


class Served:
    """Figures served in this process."""

    def __init__(self, store: Store) -> None:
        self.health = Health(
            mailbox=Door(), post=Door(), letters=Count(("ruled", "held")), posted=Count(("accepted",))
        )
        self.store = store
        self.figures = Figures(self.health, store, FixedClock(NOON + timedelta(hours=1)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path}/referee.db", FixedClock(NOON))
    store.open()
    yield store
    store.close()


def test_only_this_machine_can_fetch_them(store: Store) -> None:
    served = Served(store)
    port = free_port()
    with serve_metrics(port, served.health, store, FixedClock(NOON)):
        assert "referee_build_info" in fetch(port)
        elsewhere = outward_address()
        for host in (elsewhere, "[::1]"):
            if host:
                with pytest.raises(urllib.error.URLError):
                    fetch(port, host)


def outward_address() -> str:
    """Return this machine's address on its network, "" when it has none; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address = str(asked.getsockname()[0])
    return "" if address.startswith("127.") else address


# What stands in them


def scrape(served: Served) -> str:
    registry = CollectorRegistry()
    registry.register(served.figures)
    return generate_latest(registry).decode()


def test_every_figure_has_a_meaning_a_sort_and_a_name_by_the_conventions(store: Store) -> None:
    text = scrape(Served(store))
    helped = re.findall(r"^# HELP (\S+) (.+)$", text, re.MULTILINE)
    sorts = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    assert set(sorts) == {name for name, _ in helped}
    assert all(re.fullmatch(r"[A-Z0-9].*\.", about) for _, about in helped)
    for name, sort in sorts.items():
        assert re.fullmatch(r"referee(_[a-z]+)+", name), name
        assert name.endswith("_total") is (sort == "counter"), name
    assert len(helped) == len(sorts) > 15


def test_what_is_open_is_counted_with_its_age(store: Store) -> None:
    start_game(store)
    with store.unit() as unit:
        unit.games.add("confusion", NOON, proposed_by=1)
        unit.outbox.queue(report("m1"))
        unit.outbox.queue(report("m2", "bert@example.com"))
    store.incoming.record([letter(str(uid), b"Subject: %d\r\n\r\n" % uid) for uid in range(4)])
    with store.unit() as unit:
        unit.letters.conclude(1, outcome="set-aside")
        unit.letters.conclude(2, outcome="ruled")
    served = Served(store)
    served.health.letters.one("ruled")
    served.health.moves = 2
    served.health.rounds, served.health.round_seconds = 4, 0.5
    seen = figures_in(scrape(served))
    assert (seen["referee_letters_waiting"], seen["referee_letters_waiting_oldest_seconds"]) == (2, 3600)
    assert (seen["referee_letters_queued"], seen["referee_letters_queued_oldest_seconds"]) == (2, 3600)
    assert seen["referee_letters_set_aside"] == 1
    assert seen['referee_games{status="playing"}'] == 1
    assert seen['referee_games{status="proposed"}'] == 1
    assert seen["referee_players_unreachable"] == 0
    assert seen['referee_letters_total{outcome="ruled"}'] == 1
    assert seen["referee_orders_ruled_total"] == 2
    assert (seen["referee_round_seconds_count"], seen["referee_round_seconds_sum"]) == (4, 0.5)


def test_a_player_whose_letters_come_back_is_counted(store: Store) -> None:
    start_game(store)
    with closing(sqlite3.connect(store.place)) as database, database:
        database.execute(
            "UPDATE person SET returns = 2, unreachable = '2026-03-01 00:00:00.000000' WHERE player = 1"
        )
    assert figures_in(scrape(Served(store)))["referee_players_unreachable"] == 1


def test_doors_that_are_lost_and_doors_that_never_answered(store: Store) -> None:
    served = Served(store)
    served.health.mailbox.lost("gone")
    served.health.post.answered()
    seen = figures_in(scrape(served))
    assert (seen["referee_mailbox_up"], seen["referee_post_up"]) == (0, 1)
    assert "referee_mailbox_silent_seconds" not in seen
    assert seen["referee_post_silent_seconds"] >= 0


@pytest.mark.parametrize("instead", [None, b"", b"no database"])
def test_a_database_whose_file_has_gone_or_was_replaced_is_out_of_reach(
    store: Store, instead: bytes | None
) -> None:
    served = Served(store)
    assert figures_in(scrape(served))["referee_database_up"] == 1
    place = Path(store.place)
    place.rename(place.with_name("elsewhere.db"))
    if instead is not None:
        place.write_bytes(instead)
    seen = figures_in(scrape(served))
    assert seen["referee_database_up"] == 0
    assert "referee_disk_free_bytes" not in seen
    assert place.exists() is (instead is not None)


def test_a_database_out_of_reach_leaves_the_other_figures(store: Store) -> None:
    served = Served(store)
    store.close()
    Path(store.place).unlink()
    Path(store.place).mkdir()
    seen = figures_in(scrape(served))
    assert seen["referee_database_up"] == 0
    assert seen["referee_mailbox_up"] == 1
    assert not any(name.startswith("referee_letters_waiting") for name in seen)
