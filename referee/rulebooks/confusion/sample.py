"""The book's sample game, which is in the package (CF-9)."""

from __future__ import annotations

from importlib import resources

from referee.rulebooks.confusion.replay import replay
from referee.rulebooks.confusion.table import default_table
from referee.rulebooks.sample_game import SampleGame


def sample_game() -> SampleGame:
    """Return the sample game."""
    text = resources.files("referee.rulebooks.confusion").joinpath("sample-game.txt").read_text("utf-8")
    replayed = replay(text, default_table())
    began, *rest = replayed.happenings
    moves: dict[str, list[str]] = {"white": [], "yellow": []}
    for happening in rest:
        if happening.code == "attempted":
            moves[happening.facts["seat"]].append(happening.facts["text"])
    deals = {each.facts["seat"]: each.facts["types"] for each in rest if each.code == "dealt"}
    deal = "; ".join(
        f"{seat.capitalize()}={' '.join(f'{letter}{number}' for letter, number in types.items())}"
        for seat, types in deals.items()
    )
    return SampleGame(began.facts["first"], deal, moves)
