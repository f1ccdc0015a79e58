"""CF-10.13: with the five variants in any combination a game is begun by letter, and played by letters to its end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.rulebooks.rulebook import Seat
from referee.rulebooks.spies.answering import ON_THE_BOARD
from referee.rulebooks.spies.options import TOKENS_OF, VARIANTS
from tests.rulebooks.spies.games import thoughts
from tests.support.playing import Club, new_database

MOST_LETTERS = 300
"""After so many, few pieces are left and wander about: then one player gives up."""
EVERY_TOKEN = "reveal,move,swap"
NAMES = ("code-of-honour", "small-world", "late-contact", "variable-setup", "comrade")
"""The options as CF-10.13 has them."""
COMBINATIONS = [
    frozenset(name for name, on in zip(NAMES, switches, strict=True) if on)
    for switches in product((False, True), repeat=len(NAMES))
]
QUICK = (frozenset(NAMES),)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(new_database(tmp_path))
    yield club
    club.close()


def begin(club: Club, way: int, options: dict[str, str]) -> None:
    """Let a game begin with these options: by a challenge, by an open seat, by an umpire, by terms of one's own."""
    anna, bert = club.member("Anna"), club.member("Bert")
    for who in (anna, bert):
        who.writes("set reports text", "set picture off")
    said = "".join(f" option {key}={value}" for key, value in options.items())
    match way:
        case 0:
            anna.writes(f"challenge {bert.address} spies{said}")
            bert.replies("accept")
        case 1:
            anna.writes(f"open spies{said}")
            bert.writes("join 1")
        case 2:
            agreed: dict[str, Any] = {**options}
            club.starts({"white": anna, "red": bert}, rules="spies", **agreed)
        case _:
            anna.writes(f"challenge {bert.address} spies")
            bert.replies(f"accept{said}")
            anna.replies("accept")


def play(club: Club, random: Random) -> int:
    """Let both write what comes to their minds until the game is over; return how many letters that took."""
    game, letters = club.game(1), 0
    # They have registered in this order.
    players = {number: club.reader(f"{name}@example.net") for number, name in ((1, "anna"), (2, "bert"))}
    while game.status == "playing" and letters < MOST_LETTERS:
        seat = random.choice(list(game.due))
        lines = [*thoughts(random, game.position, seat)]
        if not lines or random.random() < 0.3:
            lines += game.due[seat].forms[:1]
        writer = players[game.seats[seat]]
        writer.replies(*lines, to=writer.last_about(1))
        letters += 1
        game = club.game(1)
    return letters


@pytest.mark.story
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("number", "combination"),
    [
        pytest.param(
            number,
            each,
            id=" ".join(sorted(each)) or "none",
            marks=() if each in QUICK else pytest.mark.full,
        )
        for number, each in enumerate(COMBINATIONS)
    ],
)
def test_cf_10_13_every_combination_is_played_to_its_end_by_letter(
    club: Club, number: int, combination: frozenset[str]
) -> None:
    assert [*VARIANTS] == [*NAMES] and [*TOKENS_OF] == ["tokens.white", "tokens.red"]
    options = {name: "on" for name in NAMES if name in combination}
    options |= dict.fromkeys(TOKENS_OF, EVERY_TOKEN)
    begin(club, number % 4, options)
    game = club.game(1)
    assert {key: game.options[key] for key in options} == options
    variants = game.position.table.variants
    assert {name for name in NAMES if getattr(variants, VARIANTS[name])} == combination
    letters = play(club, Random(number))
    game = club.game(1)
    if game.status == "ended":
        assert game.result is not None and game.result.how in ON_THE_BOARD
        return
    turns = game.rulebook.rules.turn(game.view(Seat("white")))
    assert letters / 5 < turns < letters, "nobody was stuck"
    anna = club.reader("anna@example.net")
    anna.replies("resign", to=anna.last_about(1))
    assert club.game(1).status == "ended"
