"""What an umpire does in a game by hand: he ends it, takes it back, or corrects an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.correspondence import Words
from referee.desk import answers
from referee.desk.back_notes import back_note
from referee.desk.work import Work
from referee.errors import UsageError
from referee.faults import Fault
from referee.games.decide import adjudicate_game
from referee.games.ends import DRAW, LONGEST_REASON, NONE, tidy_reason
from referee.games.events import Ended, Event, Ruled, TakenBack
from referee.games.game import Game
from referee.games.taking_back import correct_order, take_back
from referee.languages import N_
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat


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


@dataclass(frozen=True, slots=True)
class Told:
    """A letter that follows from what an umpire does. player: whose, by his number."""

    player: int
    name: str
    subject: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Act:
    """What an umpire has done to a game, or would do. game: as it is then."""

    game: Game
    told: tuple[Told, ...]


def back_to(work: Work, number: int, turn: int, seat: Seat | None, reason: str, by: int | None) -> Game:
    """Take a game back to the beginning of a turn, and tell whoever plays it; see games.taking_back.

    by: the number of the officer who does it, None for whoever runs the service. Raises UsageError where it cannot be.
    """
    game = work.games[number]
    event = take_back(game, turn, seat, reason, by)
    if isinstance(event, Fault):
        raise UsageError(event.sentence())
    return _go_on(work, game, [event], by)


def correct(
    work: Work, number: int, order: str, reason: str, by: int | None, turn: int | None, seat: Seat | None
) -> Game:
    """Put another order in the place of one that was ruled on, and tell whoever plays; see games.taking_back.

    turn, seat: as there. Raises UsageError where it cannot be.
    """
    game = work.games[number]
    done = correct_order(game, order, reason, by, turn, seat)
    if isinstance(done, Fault):
        raise UsageError(done.sentence())
    return _go_on(work, game, done, by, order=done[1].order)


def _go_on(
    work: Work, before: Game, events: Sequence[TakenBack | Ruled], by: int | None, order: str = ""
) -> Game:
    """Let a game go on from an earlier turn. order: that was ruled on there instead of another."""
    office, who = _officer(work, before, by)
    happened: list[Event] = list(events)
    game = work.happen(before, *happened)
    answers.keep_events(work, game, happened, None)
    for seat, player in game.seats.items():
        note = back_note(
            game,
            len(game.branches) - 1,
            office=office,
            who=who,
            corrected=order,
            plan=seat in before.plans,
            offer=before.offer is not None,
        )
        words = Words(kind="report", news=answers.news_of(game, seat), notes=(note,))
        if game.status == "ended":
            words = Words(kind="result", news=N_("ended"), notes=(note,))
        work.post.to_player(player, words, game=game, title=work.titles[game.number])
    return game


def _officer(work: Work, game: Game, by: int | None) -> tuple[str, str]:
    """Return the office and the name of who acts in a game; both "" for whoever runs the service.

    Raises UsageError for who has no office in the game's event, or plays in the game.
    """
    if by is None:
        return "", ""
    event = work.unit.competition(game.competition) if game.competition is not None else None
    office = next((each.office for each in event.officers if each.player == by), None) if event else None
    if office is None:
        raise UsageError(f"Player {by} has no office in the event of game {game.number}.")
    if by in game.seats.values():
        raise UsageError(f"Player {by} plays in game {game.number}, and does not rule in it.")
    return office, work.post.player(by).name
