"""The soak itself: players play, others write what they should not, faults come; then all is brought to its end."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path

from sqlalchemy import ColumnElement, func, select

from referee.store.tables import LETTERS, OUTGOING
from tests.soak.ending import MARK, Ending, growth, look_back
from tests.soak.noise import Noise, kinds
from tests.soak.players import Player, Reply
from tests.soak.town import ADDRESS, Town, town
from tests.soak.troubles import Troubles

NOISY = 0.3
"""The share of letters that are no plain answers."""
TWICE = 0.03
"""The share of letters that are delivered twice."""
BACKLOG = 60
"""More letters do not wait for the service at a time."""
KILLED_FOR = 0.3
"""In this first part of the letters the service is killed; then one process lives on and its memory is watched."""
SILENCE = 60.0
"""Seconds without a letter from the service, after which players who wait write `status`."""
PATIENCE = 60.0
"""Seconds in which something must stir, after the last fault, while anything is left to do."""


@dataclass
class Figures:
    """What a soak came to. rate: letters a second; growth: see `growth`; the rest speaks for itself."""

    letters: int
    kinds: Counter[str]
    troubles: Counter[str]
    starts: int
    seconds: float
    rate: float
    memory: int
    growth: float
    ending: Ending = field(repr=False)

    def plain(self) -> dict[str, object]:
        """As one JSON document tells it."""
        plain = {**vars(self), "ending": None, **vars(self.ending)}
        del plain["ending"]
        return {name: len(found) if isinstance(found, list) else found for name, found in plain.items()} | {
            "named": {name: found[:20] for name, found in self.ending.faults.items()}
        }


class Soak:
    """One soak in a town. letters: at least so many are written, unless `minutes` are over before.

    every: seconds between two faults. told: hears how many letters were written.
    """

    def __init__(
        self,
        built: Town,
        *,
        letters: int,
        players: int,
        minutes: float,
        every: float,
        seed: int,
        told: Callable[[int], None],
    ) -> None:
        self._town = built
        self._letters = letters
        self._until = time.monotonic() + minutes * 60
        self._every = every
        self._chance = random.Random(seed)
        self._told = told
        self.players = [
            Player(address, built.servers.maildir(address), random.Random(seed + number))
            for number in range(players)
            for address in [f"player{number}@example.net"]
        ]
        self.strangers: dict[str, Player] = {}
        self.written: dict[int, str] = {}
        self._copies: Counter[str] = Counter()

    def run(self) -> Figures:
        """Play, and look how it ended. Raises RuntimeError when the service ends by itself, or Postfix stays away."""
        began = time.monotonic()
        addresses = [player.address for player in self.players]
        self._town.seat([*zip(addresses[::2], addresses[1::2], strict=True)])
        self._town.start()
        troubles = Troubles(self._town, self._every, lambda: len(self.written) < KILLED_FOR * self._letters)
        with troubles.running():
            self._play(troubles)
        seconds = time.monotonic() - began
        samples = self._town.samples[-1]
        troubles.kill()
        troubles.counts["killed"] += 1
        self._come_to_the_end()
        self._town.end(signal.SIGTERM)
        self._let_arrive()
        received = {reader.address: reader.letters for reader in self._readers()}
        ending = look_back(self._town, self.written, received)
        return Figures(
            letters=len(self.written),
            kinds=Counter(self.written.values()),
            troubles=troubles.counts,
            starts=self._town.starts,
            seconds=round(seconds, 1),
            rate=round(len(self.written) / seconds, 2),
            memory=max(sample.octets for life in self._town.samples for sample in life),
            growth=round(growth(samples), 3),
            ending=ending,
        )

    def _play(self, troubles: Troubles) -> None:
        looked = news = time.monotonic()
        self._challenge()
        while len(self.written) < self._letters and time.monotonic() < self._until:
            if troubles.failure is not None:
                raise troubles.failure
            if time.monotonic() - looked > 1.0:
                looked = time.monotonic()
                self._town.look_after()
            replies = [(player, reply) for player in self.players for reply in player.look()]
            if replies:
                news = time.monotonic()
            for player, reply in replies:
                self._write(player, reply, "reply")
                if self._chance.random() < NOISY / (1 - NOISY):
                    self._disturb(self._chance.choice(self.players))
            if time.monotonic() - news > SILENCE:
                news = time.monotonic()
                self._disturb(self._chance.choice(self.players))
            self._told(len(self.written))
            self._wait_for_the_service()

    def _wait_for_the_service(self) -> None:
        time.sleep(0.05)
        while time.monotonic() < self._until and self._waiting() > BACKLOG:
            time.sleep(0.2)
            self._town.look_after()

    def _waiting(self) -> int:
        """Return how many letters the service has not settled."""
        return self._copies.total() - self._count(LETTERS.c.outcome.is_not(None))

    def _count(self, condition: ColumnElement[bool]) -> int:
        """Return for how many letters that came in something is so."""
        return int(self._town.ask(select(func.count()).select_from(LETTERS).where(condition))[0][0])

    # Letters to the service

    def _readers(self) -> list[Player]:
        return [*self.players, *self.strangers.values()]

    def _challenge(self) -> None:
        """Let some players begin a second game, with somebody else."""
        for number, player in enumerate(self.players[::5]):
            other = self.players[(5 * number + 3) % len(self.players)]
            text = f"challenge {other.address} confusion\n"
            self._post(Noise(player.address, player.address, (), text.encode()), "challenge")

    def _write(self, player: Player, reply: Reply, kind: str) -> None:
        quoted = f"{reply.text}\n\nOn some day the Referee wrote:\n> Your move.\n"
        headers = (f"In-Reply-To: {reply.thread}", f"Subject: {reply.subject}")
        self._post(Noise(player.address, player.address, headers, quoted.encode(), reply.to), kind)

    def _disturb(self, player: Player) -> None:
        said = player.says("")
        found = kinds(player.address, said.to if said else ADDRESS, self._chance)
        name = self._chance.choice(sorted(found))
        noise = found[name]()
        if noise.sender.startswith("stranger"):
            box = self._town.servers.maildir(noise.sender)
            self.strangers[noise.sender] = Player(noise.sender, box, self._chance)
        self._post(noise, name)

    def _post(self, noise: Noise, kind: str) -> None:
        mark = len(self.written) + 1
        message_id = f"<{mark}.soak@example.net>" if noise.message_id is None else noise.message_id
        lines = [
            f"From: {noise.author}",
            f"To: {noise.to}",
            f"Date: {formatdate()}",
            *([f"Message-ID: {message_id}"] if message_id else []),
            f"{MARK}: {mark}",
            *noise.headers,
        ]
        content = (
            b"\r\n".join(each.encode() for each in lines) + b"\r\n\r\n" + noise.body.replace(b"\n", b"\r\n")
        )
        self.written[mark] = kind
        for _ in range(2 if self._chance.random() < TWICE else 1):
            self._town.post(noise.sender, noise.to, content)
            self._copies[kind] += 1

    # The end

    def _come_to_the_end(self) -> None:
        """Let the service do all that is left, until nothing is left or nothing stirs; `look_back` names it."""
        before, since = self._left(), time.monotonic()
        while any(before.values()) and time.monotonic() - since < PATIENCE:
            time.sleep(0.5)
            self._town.look_after()
            for reader in self._readers():
                reader.look()
            left = self._left()
            if left != before:
                before, since = left, time.monotonic()

    def _let_arrive(self) -> None:
        """Let what the service wrote unasked, while it was told to end, come to its readers."""
        since = time.monotonic()
        while self._left()["answers on their way"] and time.monotonic() - since < PATIENCE:
            time.sleep(0.5)
            for reader in self._readers():
                reader.look()

    def _left(self) -> dict[str, int]:
        answers = self._town.ask(select(OUTGOING.c.reader, OUTGOING.c.message_id, OUTGOING.c.state))
        arrived = {(reader.address, came.message_id) for reader in self._readers() for came in reader.letters}
        return {
            "letters that were not taken in": max(
                0, self._copies.total() - self._count(LETTERS.c.number > 0)
            ),
            "letters without outcome": self._count(LETTERS.c.outcome.is_(None)),
            "letters in the inbox": self._town.lying(),
            "answers to be posted": sum(row.state in ("queued", "claimed") for row in answers),
            "answers on their way": sum(
                row.state == "sent" and (row.reader, row.message_id) not in arrived for row in answers
            ),
        }


def soak(
    folder: Path,
    *,
    letters: int,
    players: int,
    minutes: float,
    database: str,
    every: float,
    seed: int,
    told: Callable[[int], None] = lambda _: None,
) -> Figures:
    """Build a town and soak it. Raises ServerAbsent, RuntimeError."""
    with town(folder, database) as built:
        return Soak(
            built, letters=letters, players=players, minutes=minutes, every=every, seed=seed, told=told
        ).run()
