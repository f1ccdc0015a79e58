"""What an umpire rules in a game by hand: how it ends, and what follows from a claim."""

from __future__ import annotations

from referee.correspondence import Words
from referee.desk import answers
from referee.desk.talking import LONGEST_TEXT
from referee.desk.work import Work
from referee.errors import UsageError
from referee.games.decide import adjudicate_game
from referee.games.ends import DRAW, LONGEST_REASON, NONE, tidy_reason
from referee.games.events import ClaimAnswered, Ended
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


def answer_claim(work: Work, number: int, claim: int, answer: str) -> Game:
    """Answer a player's claim about a game, by a letter to him alone, so that it waits no more; return the game.

    claim: as its list numbers it. Raises UsageError when there is no such claim, it was answered before, or the answer
    says nothing or too much.
    """
    found = next((each for each in work.unit.claims() if (each.game, each.number) == (number, claim)), None)
    if found is None:
        raise UsageError(f"There is no claim {claim} about game {number}; `referee claims` lists what waits.")
    if found.answered:
        raise UsageError(f"Claim {claim} about game {number} was answered already.")
    said = answer.strip()
    if not said or len(said) > LONGEST_TEXT:
        raise UsageError(
            f"--answer: expected a text of at most {LONGEST_TEXT} signs, which the player reads."
        )
    before = work.games[number]
    text = work.unit.add_writing(number, found.player, "answer", found.turn, said)
    event = ClaimAnswered(claim, text)
    game = work.happen(before, event)
    answers.keep_events(work, game, [event], None)
    facts = {
        "claim": claim,
        "game": number,
        "lines": tuple(found.text.splitlines()),
        "answer": tuple(said.splitlines()),
    }
    words = Words(kind="notice", news=N_("your claim"), notes=(Note("claim-answered", facts),))
    work.post.to_player(found.player, words, game=game, title=work.titles[number])
    return game
