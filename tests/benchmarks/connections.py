"""How many connections the service makes to its servers while it rules on many moves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.figures import Goal, Progress, Reading
from tests.benchmarks.mail import Deliveries, Tap, post
from tests.benchmarks.prepared import prepare_games
from tests.benchmarks.service import running
from tests.servers.mail import MailServers

WAVES = 10
"""Moves in each game."""


class Connections:
    """Connections counted by taps in front of both servers."""

    name = "connections"
    once = True

    def __init__(self, servers: MailServers, moves: int) -> None:
        self._servers = servers
        self._waves = min(moves, WAVES)
        self._games = moves // self._waves
        self._moves = self._games * self._waves

    def prepare(self, folder: Path, progress: Progress) -> None:
        progress("games are prepared")
        self._folder = folder
        self._prepared = prepare_games(folder, self._games, self._waves)

    def measure(self, progress: Progress) -> Sequence[Reading]:
        progress(f"{self._moves} moves are counted")
        imap, smtp = Tap(self._servers.imap), Tap(self._servers.mx)
        try:
            with running(
                self._folder / "service", self._servers, self._prepared, imap=imap.port, smtp=smtp.port
            ):
                deliveries = Deliveries(self._servers, self._prepared.players)
                for number, wave in enumerate(self._prepared.waves, 1):
                    post(self._servers, wave)
                    deliveries.wait_for(2 * len(wave) * number)
        finally:
            for tap in (imap, smtp):
                tap.close()
        return [
            Reading(f"SMTP, {self._moves} moves", "connections", Goal("value", 10, 4), smtp.connections),
            Reading(f"IMAP, {self._moves} moves", "connections", Goal("value", 2, 2), imap.connections),
        ]
