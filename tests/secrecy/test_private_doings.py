"""What a player does in private shows in nobody else's letters: neither that he does it, nor how often, nor when.

One game is played twice, with the same moves and the same open words at the same hours. In one of the two, a player
looks at previews, leaves plans and takes them back, keeps a diary, changes all that can be set and the addresses that
he writes from, has letters held, and lets moves be made by plans; the others' letters are the same, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.games.game import Game
from referee.handlers import account, conditional_orders, plan_notices
from referee.handlers.game_faces import GameFaces
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from tests.secrecy.privately import compare_privacy, play_privately
from tests.secrecy.table import Table
from tests.secrecy.truths import two_truths
from tests.support.playing import new_database
from tests.support.telling import telling

pytestmark = pytest.mark.story


def compare(seed: int, most: int, folder: Path, **how: Any) -> int:
    """Play a game quietly and busily; return how many letters of the opponent's were held against each other."""
    told = two_truths(seed, most)
    tables = []
    for privately in (False, True):
        table = Table(told, told.deals[0], new_database(folder, f"privately-{privately}"), seed, **how)
        play_privately(table, seed, privately=privately)
        tables.append(table)
    quiet, busy = tables
    assert len(busy.other.lines) > 3 * len(quiet.other.lines)
    return compare_privacy(quiet, busy)


@pytest.mark.parametrize(("seed", "most"), telling([(1, 5)], others=[(seed, 14) for seed in range(2, 40)]))
def test_what_a_player_does_in_private_shows_in_nobody_else_s_letters(
    seed: int, most: int, tmp_path: Path
) -> None:
    assert compare(seed, most, tmp_path) >= most


# what does not keep it is found


def whispers_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a plan to its owner alone is told to the other seat."""

    def whisper(work: HandlerContext, game: Game, seat: Seat, note: Note) -> None:
        for each in game.seats:
            plan_notices.whisper(work, game, each, note)

    monkeypatch.setattr(conditional_orders, "whisper", whisper)


def tells_of_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of games says in which zone the other player lives."""
    real = account.listing_line

    def listed(work: HandlerContext, game: Game) -> Mapping[str, Any]:
        zones = {work.composer.player(player).zone for player in game.seats.values()}
        return {**real(work, game), "turn": len(zones)}

    monkeypatch.setattr(account, "listing_line", listed)


def numbers_happenings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter tells how many things have happened, plans and diaries among them."""
    real = GameFaces.face

    def face(faces: GameFaces, game: Game, title: str, *others: Any, **named: Any) -> Any:
        return real(faces, game, f"{title} ({game.last_event})", *others, **named)

    monkeypatch.setattr(GameFaces, "face", face)


@pytest.mark.parametrize("leak", telling([numbers_happenings], others=[whispers_aloud, tells_of_settings]))
def test_what_tells_of_private_doings_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first of some games in which what would show it happens to be done."""
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(5, 15):
            (folder := tmp_path / str(seed)).mkdir()
            compare(seed, 4 if leak is numbers_happenings else 12, folder, beside=False)
