"""Nobody learns another player's address from a letter: not from its text, its headers, its picture or its data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from referee.games.player import Player
from referee.handlers.composer import Composer
from tests.support.playing import Club, Correspondent, Delivered, new_database

MAIN = {"Anna": "anna.main@one.example", "Bert": "bert.main@two.example", "Carl": "carl.main@three.example"}
SPARE = {"Anna": "anna.spare@four.example", "Bert": "bert.spare@five.example", "Carl": "carl.new@six.example"}
STRANGER = "otto@seven.example"
ALL = (*MAIN.values(), *SPARE.values(), STRANGER)


def said_in(letter: Delivered) -> str:
    """Return all that a letter says, decoded and not, in lower case."""
    decoded = [bytes(part.get_payload(decode=True)).decode("utf-8", "replace") for part in letter.parts]
    return "\n".join(
        [letter.content.decode("utf-8", "replace"), *map(str, letter.message.values()), *decoded]
    ).lower()


class Story:
    """A club in which everything happens that could give an address away, in an order drawn by lot."""

    def __init__(self, database: str, seed: int) -> None:
        self.random = Random(seed)
        self.club = Club(database)
        self.written: dict[str, str] = {}
        self.boxes: dict[str, list[Correspondent]] = {}
        for name, address in MAIN.items():
            self.boxes[name] = [self.club.member(name, address), self.club.person(name, SPARE[name])]
            self.says(name, self.random.choice(("set reports json", "set reports html", "set reports text")))
        self.otto = self.club.person("Otto", STRANGER)
        self.second("Bert")
        self.games = [
            self.club.starts({"white": self.main(a), "yellow": self.main(b)}) for a, b in self.pairs()
        ]

    def pairs(self) -> tuple[tuple[str, str], ...]:
        return (("Anna", "Bert"), ("Bert", "Carl"), ("Carl", "Anna"))

    def main(self, name: str) -> Correspondent:
        return self.boxes[name][0]

    def says(self, name: str, *lines: str, vouched: bool = True) -> None:
        """Write, from one's main address or, where it counts, the second; as a reply or not."""
        self.written[name] = self.written.get(name, "") + "\n".join(lines).lower()
        box = self.random.choice(
            [box for box in self.boxes[name] if box is self.main(name) or name == "Bert"]
        )
        if self.main(name).letters and self.random.random() < 0.7:
            box.replies(*lines, to=self.random.choice(self.main(name).letters[-4:]), vouched=vouched)
        else:
            box.writes(*lines, vouched=vouched)

    def second(self, name: str) -> None:
        self.says(name, f"set second {SPARE[name]}")
        self.boxes[name][1].replies("confirm")

    def moves(self, name: str) -> None:
        about = self.random.choice(self.games)
        letter, way = self.random.choice("ACEHKLNOPSTV"), self.random.choice(("N1", "S1", "W1", "E2", "N9"))
        self.says(name, f"{about}: {letter}-{way}")

    def asks(self, name: str) -> None:
        words = ("games", "help", "record", "resend", "why A", "draw", "new tag", "resign, perhaps")
        self.says(name, *(f"{about}: {self.random.choice(words)}" for about in self.games))

    def challenges(self, name: str) -> None:
        """Challenge somebody by name; Anna knows the others' addresses besides."""
        other = self.random.choice([each for each in MAIN if each != name])
        whom = self.random.choice((other, MAIN[other], SPARE[other], STRANGER)) if name == "Anna" else other
        self.says(name, f"challenge {whom} confusion")

    def answers(self, name: str) -> None:
        self.says(
            name, self.random.choice(("accept", "decline", "cancel", "confirm", "open confusion", "join 4"))
        )

    def forges(self, name: str) -> None:
        self.says(name, "resign", vouched=False)

    def leaks(self, name: str) -> None:
        """Write to a reply address of somebody else's."""
        writer = self.random.choice((self.otto, *(self.main(each) for each in MAIN if each != name)))
        writer.replies("A-S1", to=self.random.choice(self.main(name).letters))

    def renames(self, name: str) -> None:
        """Want an address that is somebody else's, as one who knows it."""
        if name == "Anna":
            self.says(name, f"set address {self.random.choice([*MAIN.values(), *SPARE.values()])}")

    def play(self, letters: int) -> None:
        actions: tuple[Callable[[str], None], ...] = (
            self.moves, self.moves, self.moves, self.asks, self.challenges, self.answers, self.forges, self.leaks,
            self.renames,
        )  # fmt: skip
        for _ in range(letters):
            self.random.choice(actions)(self.random.choice([*MAIN]))
        self.moves_house("Carl")
        self.leaves("Anna")

    def moves_house(self, name: str) -> None:
        box, there = self.boxes[name]
        self.club.later(timedelta(days=2))
        box.writes(f"set address {there.address}")
        there.replies("confirm")
        there.replies("status")

    def leaves(self, name: str) -> None:
        box = self.main(name)
        box.writes("bye")
        box.replies("confirm")

    def owners(self) -> Mapping[str, str]:
        """Return whose an address is."""
        return {address: name for each in (MAIN, SPARE) for name, address in each.items()}

    def betrayals(self) -> list[str]:
        """Return the letters that hold an address which is not their reader's, and which he has not named himself."""
        found = []
        owners = self.owners()
        for letter in self.club.letters:
            reader = owners.get(letter.recipient.lower(), "")
            said = said_in(letter)
            for address in ALL:
                his_own = owners.get(address, "Otto") == (reader or "Otto")
                if address in said and not his_own and address not in self.written.get(reader, ""):
                    found.append(f"{address} in {letter['Subject']} to {letter.recipient}")
        return found


@pytest.mark.story
def test_no_letter_holds_the_address_of_anybody_but_its_reader(tmp_path: Path) -> None:
    story = Story(new_database(tmp_path), 1)
    story.play(60)
    story.club.close()
    assert len(story.club.letters) > 60
    assert {letter.kind for letter in story.club.letters} >= {
        "report",
        "refusal",
        "receipt",
        "notice",
        "invitation",
    }
    assert story.betrayals() == []
    assert not any("@" in each.settled.reason for each in story.club.exchanges if each.settled)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 140))
def test_no_letter_of_forty_clubs_holds_the_address_of_anybody_but_its_reader(
    seed: int, tmp_path: Path
) -> None:
    story = Story(new_database(tmp_path), seed)
    story.play(150)
    story.club.close()
    assert story.betrayals() == []


@pytest.mark.slow
def test_an_address_that_stood_in_a_letter_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search can fail: players are called by their addresses here."""
    player = Composer.player

    def by_address(post: Composer, number: int) -> Player:
        found = player(post, number)
        return replace(found, name=found.address)

    monkeypatch.setattr(Composer, "player", by_address)
    story = Story(new_database(tmp_path), 1)
    story.moves("Anna")
    story.club.close()
    assert story.betrayals()
