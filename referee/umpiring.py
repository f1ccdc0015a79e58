"""What an umpire rules in a game by hand: how it ends."""

from __future__ import annotations

from referee.correspondence import Words
from referee.desk import answers
from referee.desk.work import Work
from referee.errors import UsageError
from referee.games.decide import adjudicate_game
from referee.games.ends import DRAW, LONGEST_REASON, NONE, tidy_reason
from referee.games.events import Ended
from referee.games.game import Game
from referee.languages import N_
from referee.reports.report import Note


def rule_the_end(game: Game, end: str, reason: str) -> Ended:
    """Return how a game ends by an umpire's ruling; nothing is done yet.

    end: the seat whose side has won, "draw", or "none" for no result. reason: a sentence that both players read, and
    the record keeps. Raises UsageError for a game that is not being played, and for an end or a reason that cannot be.
    """
    if game.status != "playing":
        raise UsageError(f"Game {game.number} is not being played ({game.status}).")
    ends = (*game.seats, DRAW, NONE)
    if end not in ends:
        raise UsageError(f"--winner {end}: expected one of {', '.join(ends)}.")
    said = tidy_reason(reason)
    if not said or len(said) > LONGEST_REASON:
        raise UsageError(
            f"--reason: expected a sentence of at most {LONGEST_REASON} signs; it stands in the record."
        )
    return adjudicate_game(game, end, said)


def adjudicate(work: Work, number: int, end: str, reason: str) -> Game:
    """End a game by an umpire's ruling, and tell whoever plays it; return it as it is then. See `rule_the_end`."""
    before = work.games[number]
    event = rule_the_end(before, end, reason)
    game = work.happen(before, event)
    answers.keep_events(work, game, [event], None)
    for seat, player in game.seats.items():
        notes = (Note("plan-over"),) if seat in game.plans else ()
        words = Words(kind="result", news=N_("ended"), notes=notes)
        work.post.to_player(player, words, game=game, title=work.titles[number])
    return game
