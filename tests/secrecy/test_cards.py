"""What a player of Cards and Confusion has confided, and in which order the cards lie, shows in nothing that reaches
anybody else (E7).

A battle is fought twice, with the same moves and the same cards at the same hours. The watched player's opponent
confides other things in the one than in the other: other drafts, wishes, plans, guards and alternatives that come to
nothing, other questions; and behind the cards that are turned the decks lie in another order. The letters to the
watched player and to whoever watches are the same, byte for byte, but for the commitment, the receipts, and what is
drawn by lot for every letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.rulebooks.cards.decks import PACK
from referee.rulebooks.cards.figures import SIDES, other_side
from referee.rulebooks.cards.orders import Action, Fight, Fire
from referee.rulebooks.cards.rulebook import CardsRules
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import OBSERVER, Happening, Seat
from tests.rulebooks.cards.battles import random_orders
from tests.secrecy.agents import renamed
from tests.secrecy.comparing import hold_against_each_other, hold_receipts_apart, masked
from tests.support.playing import Club, Correspondent, Delivered, new_database

SCENARIOS = ("cc-skirmish", "cc-standard")


def deal_by(lot: Random) -> str:
    """Return decks of which the upper halves are set."""
    halves = {side: lot.sample(PACK, 26) for side in SIDES}
    return "; ".join(f"{side.capitalize()}={' '.join(cards)}" for side, cards in halves.items())


@dataclass
class Room:
    """One of the two battles. which: 0 or 1."""

    club: Club
    which: int
    watched: Seat
    people: dict[Seat, Correspondent] = field(default_factory=dict)
    game: int = 0
    commitment: str = ""

    def open(self, options: dict[str, Any], deal: str) -> None:
        wendy, otto = self.club.member("Wendy"), self.club.member("Otto", "otto@example.com")
        carl = self.club.member("Carl", "carl@example.org")
        self.people = {self.watched: wendy, other_side(self.watched): otto, OBSERVER: carl}
        for _ in range(self.which):
            self.club.draws.secret()  # so that this battle has another one
        seats = {side: self.people[side] for side in SIDES}
        self.game = self.club.starts(
            {str(side): who for side, who in seats.items()},
            rules="cards",
            deal=deal,
            watchers="on",
            **options,
        )
        self.commitment = self.club.game(self.game).commitment
        carl.writes(f"watch {self.game}")

    def writes(self, seat: Seat, lines: Sequence[str]) -> None:
        who = self.people[seat]
        who.replies(*lines, to=who.last_about(self.game))

    def letters_to(self, seat: Seat) -> list[Delivered]:
        return self.people[seat].letters


def confided(lot: Random, which: int, mine: Seat) -> list[str]:
    """Return lines that come to nothing: what the opponent says to the referee alone before his turn is carried out."""
    initial = "R" if mine == "red" else "B"
    unit = f"{initial}{lot.choice(('I1', 'I2', 'C1'))}"
    ways: tuple[tuple[list[str], list[str]], ...] = (
        ([f"MV {unit} A5", "CHECK"], [f"FM {unit} W2", f"FI {initial}A1.1 > NEAR", "check"]),
        ([f"preview MV {unit} A3"], ["PR ALL KILL FAR", f"preview FM {unit} ABOUT"]),
        ([f"MV {unit} A1", f"MV {initial}X9 A1"], [f"CO {unit} > NEAR", f"MV {unit} A3 R20"]),
        ([f"PLAN 3 MV {unit} A5", "WAKE 80"], ["why RI1", f"GO {initial}G 10,10", "CHECK"]),
        (["set hold 1d", f"MV {unit} A2", "CHECK"], ["status"]),
        ([f"PR {unit} FLEE HOME ASK ALWAYS"], [f"PLAN 2 FM {unit} W3", f"PLAN 1 MV {unit} A1"]),
    )
    return lot.choice(ways)[which]


UNDONE = ("PR ALL KILL NEAR CONF NEAR FLEE AWAY ASK NEVER", "CLEAR")
"""What takes back what was confided."""


def unplanned(mine: Seat) -> list[str]:
    initial = "R" if mine == "red" else "B"
    lines = [f"PLAN 0 {initial}{unit}" for unit in ("I1", "I2", "C1")]
    return [*lines, *(f"PR {initial}{unit} FLEE AWAY ASK NEVER" for unit in ("I1", "I2", "C1"))]


def as_confided(line: str, which: int) -> str:
    """Return an order in which something is written that comes to nothing: a guard that holds, a longer way."""
    if which == 0:
        return line
    if line.startswith("CO ") and " MIN " not in line:
        return f"{line} MIN 1"
    if line.startswith("FI ") and line.endswith("NEAR"):
        return f"{line} | NEAR"
    if line.startswith("MV ") and line.endswith(" A MAX"):
        return f"{line[:-3]}99"
    return line


def side_by_side(seed: int, folder: Path, turns: int) -> list[Room]:
    """Fight the two battles by lot."""
    lot = Random(f"cards {seed}")
    watched = lot.choice(SIDES)
    options = {
        "first": str(lot.choice(SIDES)),
        "edition": lot.choice(("en", "fr")),
        "scenario": SCENARIOS[seed % len(SCENARIOS)],
        "split": ("off", "on")[seed % 3 == 0],
    }
    deal = deal_by(lot)
    rooms = []
    for which in (0, 1):
        place = folder / str(which)
        place.mkdir()
        room = Room(Club(new_database(place)), which, watched)
        room.open(options, deal)
        rooms.append(room)
    other = other_side(watched)
    draft = [["AT RG 150,9", "CHECK"], ["preview AT RI1 100,5 B0", "PR ALL ASK ALWAYS"]]
    for room in rooms:
        lines = draft[room.which] if other == "red" else ["CHECK"]
        room.writes(other, lines)
        room.writes(other, [*UNDONE, "PASS"])
        room.writes(watched, ["PASS"])
    for _ in range(turns):
        games = [room.club.game(room.game) for room in rooms]
        assert games[0].position.battle == games[1].position.battle
        if games[0].status != "playing":
            break
        table = games[0].position.table
        seat = table.chooser or table.battle.active
        state = lot.getstate()
        for room in rooms:
            lot.setstate(state)
            _plays(room, seat, lot)
    return rooms


def _plays(room: Room, seat: Seat, lot: Random) -> None:
    """Play a turn in one of the two battles; the lot falls alike in both."""
    game = room.club.game(room.game)
    battle = game.position.battle
    if game.position.table.chooser is not None:
        asked = game.view(seat).own.asked
        room.writes(seat, [asked["forms"][0]])
        return
    orders = [
        write_order(each)
        for each in random_orders(battle, seat, lot)
        if isinstance(each, (Fire | Fight) if game.position.table.halfway else (Action | Fire | Fight))
    ]
    if seat == room.watched:
        room.writes(seat, [*orders, "carry out"] if orders else ["PASS"])
        return
    room.writes(seat, confided(lot, room.which, seat))
    room.writes(seat, [*UNDONE, *unplanned(seat), "CHECK"])
    orders = [as_confided(line, room.which) for line in orders]
    room.writes(seat, [*orders, "carry out"] if orders else ["PASS"])


def compare(rooms: Sequence[Room]) -> int:
    """Hold all letters to the watched player and to whoever watches against each other; return how many there are."""
    commitments = [room.commitment for room in rooms]
    assert commitments[0] != commitments[1]
    count = 0
    for seat in (rooms[0].watched, OBSERVER):
        ours, theirs = (room.letters_to(seat) for room in rooms)
        assert [each["Subject"] for each in ours] == [each["Subject"] for each in theirs]
        names: tuple[dict[bytes, bytes], dict[bytes, bytes]] = ({}, {})
        for one, other in zip(ours, theirs, strict=True):
            if one.kind == "result":
                break
            contents = [
                renamed(masked(letter.content, commitment), seen)
                for letter, commitment, seen in zip((one, other), commitments, names, strict=True)
            ]
            hold_against_each_other(one, contents[0], contents[1])
            if one.game == rooms[0].game:
                hold_receipts_apart(one.content, other.content)
            count += 1
    return count


def compare_looks(rooms: Sequence[Room]) -> None:
    """Hold what is shown beside letters against each other; after the end all orders and wishes are published."""
    if rooms[0].club.game(rooms[0].game).status == "playing":
        assert seen(rooms[0]) == seen(rooms[1])


def seen(room: Room) -> dict[str, object]:
    """Return what is shown of a battle beside letters, to the watched seat and to an observer."""
    game = room.club.game(room.game)
    found: dict[str, object] = {}
    for seat in (room.watched, OBSERVER):
        view, heard = game.view(seat), game.heard(seat)
        rulebook = game.rulebook
        found |= {
            f"data {seat}": rulebook.presentation.data(view),
            f"record {seat}": rulebook.records.write(heard, {}, seat),
            f"picture {seat}": rulebook.presentation.picture(view),
            f"svg {seat}": rulebook.presentation.picture_svg(view),
            f"scene {seat}": rulebook.presentation.scene(view, heard, 0),
        }
    return found


@pytest.mark.story
@pytest.mark.parametrize("seed", range(2000, 2004))
def test_what_is_confided_shows_in_no_letter(seed: int, tmp_path: Path) -> None:
    rooms = side_by_side(seed, tmp_path, turns=6)
    assert compare(rooms) > 6
    compare_looks(rooms)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(60))
def test_what_is_confided_shows_in_no_letter_of_sixty_battles(seed: int, tmp_path: Path) -> None:
    rooms = side_by_side(seed, tmp_path, turns=24)
    assert compare(rooms) > 10
    compare_looks(rooms)


# what tells of it is found


@pytest.mark.story
@pytest.mark.parametrize("what", ["drafted", "wished", "as-ordered"])
def test_what_is_told_to_both_is_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were both to hear what one of them has confided, the letters would differ."""
    ruled = CardsRules.adjudicate

    def leaking(*given: Any) -> tuple[Happening, ...]:
        return tuple(
            replace(each, heard_by=frozenset(SIDES)) if each.code == what else each for each in ruled(*given)
        )

    monkeypatch.setattr(CardsRules, "adjudicate", leaking)
    with pytest.raises((AssertionError, RuntimeError)):
        rooms = side_by_side(2001, tmp_path, turns=8)
        compare(rooms)
        assert seen(rooms[0]) == seen(rooms[1])
