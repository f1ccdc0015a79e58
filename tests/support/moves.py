"""Games whose letters are all written beforehand: each a move of the sample game, in reply to the first letter."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from referee.cli.demo import sample_game
from tests.support.playing import Club

A_SECOND = timedelta(seconds=1)


def begin(club: Club, games: int, moves: int) -> list[list[bytes]]:
    """Start games with the sample game's deal; return the letters of each in their order, `moves` of each seat."""
    sample = sample_game()
    written: list[list[bytes]] = []
    for game in range(games):
        white, yellow = (club.person(f"{seat}{game}") for seat in ("White", "Yellow"))
        seats = {"white": white, "yellow": yellow}
        club.starts(seats, first=sample.first, deal=sample.deal)
        order = [sample.first, *(seat for seat in seats if seat != sample.first)]
        written.append([])
        for turn in range(moves):
            for seat in order:
                club.clock.at += A_SECOND  # each letter has a date of its own
                written[-1].append(seats[seat].reply(seats[seat].letters[0], [sample.moves[seat][turn]]))
    return written


def in_turn(written: Sequence[Sequence[bytes]]) -> list[bytes]:
    """Return the letters of all games as they came in: two of one, two of the next, and so on."""
    most = max(map(len, written))
    return [each for at in range(0, most, 2) for game in written for each in game[at : at + 2]]
