"""When a game is taken back, two truths that a seat cannot tell apart still give it the same letters, byte for byte."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from referee.rulebooks.confusion.compass import WHITE, YELLOW
from tests.secrecy.test_observers import comparable
from tests.secrecy.truths import TwoTruths, two_truths
from tests.support.playing import Club, Delivered, new_database
from tests.support.telling import telling

pytestmark = pytest.mark.story


def letters(url: str, truths: TwoTruths, deal: str, seed: int) -> list[Delivered]:
    """Play one truth by letter, and let the umpire take it back at times; return what the watched player got."""
    club, random = Club(url), Random(seed)
    players = {WHITE: club.member("Anna"), YELLOW: club.member("Bert")}
    players[truths.watched].writes("set reports json", "set compass own")
    game = club.starts({str(seat): who for seat, who in players.items()}, deal=deal)
    moves, at, returns = truths.turns, 0, 0
    while at < len(moves):
        seat, move = moves[at]
        who = players[seat]
        beside = {0: ["preview A-N1"], 1: ["why A"], 2: [f"try {move}; if no {move}"]}.get(
            random.randrange(5), []
        )
        if beside and beside[0].startswith("try"):
            who.replies(*beside, to=who.last_about(game))
        else:
            who.replies(*beside, move, to=who.last_about(game))
        at += 1
        if returns < 3 and random.random() < 0.4:
            to = random.randrange(at)
            turn, whose = 1 + (to + 1) // 2, moves[to][0]
            if random.random() < 0.5:
                players[truths.watched].replies("draw", to=players[truths.watched].last_about(game))
            club.referee.umpire.take_back(game, turn, "A slip.", seat=whose, dry=True)
            club.referee.umpire.take_back(game, turn, "A slip.", seat=whose)
            club.collect()
            at, returns = to, returns + 1
            for each in players.values():
                each.replies("status", "record", "games", to=each.last_about(game))
        club.later(timedelta(hours=1))
    assert returns or len(moves) < 4
    found = players[truths.watched].letters
    club.close()
    return found


@pytest.mark.parametrize("seed", telling([0], others=range(1, 40)))
def test_a_seat_cannot_tell_two_truths_apart_by_what_is_taken_back(tmp_path: Path, seed: int) -> None:
    truths = two_truths(seed, 7)
    one, other = (
        letters(new_database(tmp_path, f"truth-{place}"), truths, deal, seed)
        for place, deal in enumerate(truths.deals)
    )
    assert len(one) == len(other) > len(truths.turns)
    for ours, theirs in zip(one, other, strict=True):
        if ours.kind == "result":
            break
        assert comparable(ours) == comparable(theirs)
