"""What is told of a game that was taken back: by whom, why, and what counts no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.desk.act_notes import undone_attempts
from referee.games.game import Game
from referee.reports.report import Note


def back_note(
    game: Game,
    branch: int,
    *,
    office: str = "",
    who: str = "",
    corrected: str = "",
    plan: bool = False,
    offer: bool = False,
    restored: Sequence[Mapping[str, str]] = (),
) -> Note:
    """Return a note on what was taken back. branch: which of the game's, from 0.

    office, who: of the officer who has done it, "" for whoever runs the service. corrected: the order that was ruled on
    instead. plan, offer: of the reader's, and about the game's end, that have lapsed. restored: attempts that were put
    back in their place, with their answers.
    """
    undone = game.branches[branch]
    return Note(
        "taken-back",
        {
            "turn": undone.back.turn,
            "seat": undone.back.seat,
            "moves": list(undone_attempts(game, undone)),
            "reason": undone.back.reason,
            "who": who,
            "office": office,
            "corrected": corrected,
            "plan": plan,
            "offer": offer,
            "restored": tuple(map(dict, restored)),
        },
    )
