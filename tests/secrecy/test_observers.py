"""Two truths that no public fact tells apart give whoever watches the same letters, byte for byte, until the end.

A game is drawn at random, and afterwards other deals for both sides that would have brought the same answers all along,
as different as can be. Both games are then played by letter, with everything beside them that players keep from each
other. Only the commitment may differ, since it binds the deal, and the receipts, which begin with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from referee.common.chance import Chance
from referee.rulebooks.confusion import Confusion
from referee.rulebooks.confusion.adjudicate import answer_to
from referee.rulebooks.confusion.compass import WHITE, YELLOW
from referee.rulebooks.confusion.deduction import sheet
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.options import write_deal
from referee.rulebooks.confusion.position import LETTERS, Deal, Position
from referee.rulebooks.confusion.possible import possible_moves
from referee.rulebooks.rulebook import OBSERVER, Result, Seat, heard_by_all
from tests.support.playing import Club, Delivered, new_database

pytestmark = pytest.mark.story

CONFUSION = Confusion()
NO_CHANCE = Chance(bytes(32))
Deals = Mapping[Seat, Deal]
SIXTY_FOUR_DIGITS = re.compile(rb"\b[0-9a-f]{64}\b")


def written(deals: Deals) -> str:
    return "; ".join(f"{seat.capitalize()}={write_deal(deal)}" for seat, deal in deals.items())


def drawn(random: Random, most: int) -> tuple[Deals, list[tuple[Seat, str]], Position]:
    """Draw deals and a game of at most so many attempts that has not ended."""
    deals = {
        seat: dict(zip(LETTERS, random.sample(range(1, 13), 12), strict=True)) for seat in (WHITE, YELLOW)
    }
    position: Position | None = None
    for happening in CONFUSION.rules.opening({"first": "white", "deal": written(deals)}, NO_CHANCE):
        position = CONFUSION.rules.fold(position, happening)
    assert position is not None
    moves: list[tuple[Seat, str]] = []
    while len(moves) < most:
        seat = position.board.to_move
        choices = random.choices(list(possible_moves(position.board, seat)), k=2)
        move = next((each for each in choices if answer_to(position, seat, each)[0]), choices[0])
        happenings = CONFUSION.rules.adjudicate(position, seat, move, NO_CHANCE)
        if any(each.code != "attempted" for each in happenings):
            break
        moves.append((seat, write_move(move)))
        position = CONFUSION.rules.fold(position, happenings[0])
    return deals, moves, position


def other_deal(random: Random, position: Position, seat: Seat) -> Deal:
    """Return a deal that explains all that was answered to a side, with as many other types as are found."""
    left = sheet(position.board.table, position.board.attempts, seat).open
    actual = position.deals[seat]
    letters = sorted(LETTERS, key=lambda letter: len(left[letter]))

    def fill(place: int, dealt: dict[str, int]) -> dict[str, int] | None:
        if place == len(letters):
            return dealt
        letter = letters[place]
        free = [number for number in left[letter] if number not in dealt.values()]
        random.shuffle(free)
        for number in sorted(free, key=lambda each: each == actual[letter]):
            if (found := fill(place + 1, {**dealt, letter: number})) is not None:
                return found
        return None

    found = fill(0, {})
    assert found is not None
    return {letter: found[letter] for letter in LETTERS}


def comparable(letter: Delivered) -> list[object]:
    """Return a letter's headers and the bytes of its parts, with commitment and receipts taken out."""
    parts: list[object] = [letter.message.items()]
    for part in letter.parts:
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        parts.append((part.items(), SIXTY_FOUR_DIGITS.sub(b"#", content)))
    return parts


def watched(url: str, deals: Deals, moves: list[tuple[Seat, str]], beside: int) -> list[Delivered]:
    """Play a game by letter before three who watch; return what these got. beside: a seed for what else is written."""
    club, random = Club(url), Random(beside)
    players = {WHITE: club.member("Anna"), YELLOW: club.member("Bert")}
    carl, dora, emil = club.member("Carl"), club.member("Dora"), club.member("Emil")
    for who in players.values():
        who.writes("set reports text")
    dora.writes("set reports json", "set language fr", "set compass own")
    game = club.starts({str(seat): who for seat, who in players.items()}, deal=written(deals), watchers="on")
    carl.writes(f"watch {game}")
    dora.writes(f"watch {game}")
    club.referee.umpire.watch(game, "", emil.address, 2)
    club.collect()
    for number, (seat, move) in enumerate(moves):
        who = players[seat]
        lines = {
            0: [f"press all Text {number}"],
            1: [f"preview {move}", "diary What is it?"],
            2: ["press This is between us.", "claim I wonder."],
            3: [f"try {move}; if yes {move}"],
            4: ["why A", "status", "games"],
        }.get(random.randrange(8), [])
        who.replies(*lines, move, to=who.last_about(game))
        if random.randrange(3) == 0:
            watcher = random.choice((carl, dora, emil))
            watcher.replies("status", "record", "games", move, "why A", to=watcher.last_about(game))
    emil.writes("set letters daily")
    club.later(timedelta(hours=24))
    club.strikes()
    letters = [*carl.letters, *dora.letters, *emil.letters]
    assert len([each for each in carl.letters if each.game == game]) > len(moves)
    club.close()
    return letters


CASES = [(0, 4), *((seed, 14) for seed in range(1, 40))]


@pytest.mark.full
@pytest.mark.parametrize(("seed", "most"), CASES)
def test_who_watches_cannot_tell_two_truths_apart(tmp_path: Path, seed: int, most: int) -> None:
    random = Random(seed)
    deals, moves, position = drawn(random, most)
    others = {seat: other_deal(random, position, seat) for seat in (WHITE, YELLOW)}
    assert sum(others[seat][each] != deals[seat][each] for seat in deals for each in LETTERS) >= 12
    one = watched(new_database(tmp_path, "one"), deals, moves, seed)
    other = watched(new_database(tmp_path, "other"), others, moves, seed)
    assert len(one) == len(other)
    for ours, theirs in zip(one, other, strict=True):
        assert comparable(ours) == comparable(theirs)


def test_what_is_shown_to_who_watches_is_added_up_from_what_all_have_heard() -> None:
    """The types of a game come into the view with the reveal at its end, and no sheet ever does."""
    deals, moves, position = drawn(Random(7), 12)
    happenings = list(CONFUSION.rules.opening({"first": "white", "deal": written(deals)}, NO_CHANCE))
    assert {each.code for each in heard_by_all(happenings, CONFUSION.seats)} == {"began"}
    before = CONFUSION.rules.view(heard_by_all(happenings, CONFUSION.seats), OBSERVER)
    assert (before.opponent_types, before.own_types, before.sheets) == ({}, None, False)
    assert CONFUSION.sheets.picture(before) is None and CONFUSION.sheets.svg(before) is None
    assert not set(CONFUSION.presentation.data(before)) & {
        "mine",
        "theirs",
        "opponent_types",
        "own_types",
        "assignments",
    }
    assert CONFUSION.presentation.data(before)["types"] is None
    svg = CONFUSION.presentation.picture_svg(before)
    assert svg is not None and "?" not in svg.partition("?>")[2] and "observer" in svg
    result = CONFUSION.rules.view(
        heard_by_all(
            [*happenings, *CONFUSION.rules.conclude(position, Result(WHITE, "by resignation"))],
            CONFUSION.seats,
        ),
        OBSERVER,
    )
    assert CONFUSION.presentation.data(result)["types"] == {
        str(seat): dict(deal) for seat, deal in deals.items()
    }
    assert moves
