"""An umpire's actions and rulings in a game from the command line; see handlers.umpire_actions."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.common.errors import UsageError
from referee.common.faults import Fault
from referee.games import umpire_actions
from referee.games.decisions import adjudicate_game
from referee.games.events import Ended, Verdict
from referee.games.game import Game
from referee.games.results import DRAW, LONGEST_REASON, NONE, tidy_reason
from referee.games.tournaments.officers import office_to_act
from referee.games.umpire_actions import Adjudicate
from referee.handlers.action_requests import away, seated
from referee.handlers.cases import check_ruling, rule
from referee.handlers.handler_context import HandlerContext
from referee.handlers.press import LONGEST_TEXT
from referee.handlers.umpire_actions import Ruler, do


def rule_the_end(game: Game, end: str, reason: str) -> Ended:
    """Return how a game ends by an umpire's ruling; nothing is done yet.

    end: the seat whose side has won, "draw", or "none" for no result.
    reason: a sentence that both players read and the record stores.
    Raises UsageError for a game that is not being played, and for an impossible end or reason.
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


def adjudicate(work: HandlerContext, number: int, end: str, reason: str) -> Game:
    """End a game by an umpire's ruling, and tell its players; return the ended game. See `rule_the_end`."""
    rule_the_end(work.games.by_number[number], end, reason)
    return act(work, number, Adjudicate(end), reason, None)


def rule_on_case(
    work: HandlerContext,
    number: int,
    case: int,
    verdict: Verdict,
    answer: str,
    by: int | None = None,
    *,
    unchanged: bool = False,
) -> Game:
    """Rule on a case; tell the player who brought it and the officer in charge; return the game.

    case: its number in the list.
    by: the number of the officer in whose name the ruling is made, None for the operator.
    unchanged: nothing is to be changed in the game for it.
    Raises UsageError where that is impossible, and for an answer that is empty or too long.
    """
    before = work.games.by_number[number]
    if by is not None:
        _check_officer(work, before, by)
    found = check_ruling(work, before, case, by, unchanged=unchanged)
    if isinstance(found, Fault):
        raise UsageError(f"{found.sentence()} `referee claims --all` lists all cases.")
    said = answer.strip()
    if not said or len(said) > LONGEST_TEXT:
        raise UsageError(
            f"--answer: expected a text of at most {LONGEST_TEXT} signs, which the player reads."
        )
    return rule(work, before, found, verdict, said, by, unchanged=unchanged)


def _called(work: HandlerContext, player: int) -> str:
    """Return a player's name for the operator; their number where they have none."""
    return work.composer.player(player).name or f"Player {player}"


def _no_office(work: HandlerContext, game: Game, player: int) -> str:
    """Return why a person does not act in a game: it has a tournament, or none."""
    if game.competition is None:
        return f"Game {game.number} belongs to no event, so {_called(work, player)} has no office there."
    return f"{_called(work, player)} has no office in the event of game {game.number}."


def _check_officer(work: HandlerContext, game: Game, by: int) -> None:
    """Raise UsageError for a person who has no office in a game's tournament, or plays in it."""
    event = work.unit.tournaments.find(game.competition) if game.competition is not None else None
    if event is None or all(each.player != by for each in event.officers):
        raise UsageError(_no_office(work, game, by))
    if by in seated(game):
        raise UsageError(f"{_called(work, by)} plays in game {game.number}, and does not rule in it.")


@dataclass(frozen=True, slots=True)
class Told:
    """A letter that results from an umpire's action. player: the reader's number."""

    player: int
    name: str
    subject: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Act:
    """An umpire's action on a game, done or proposed.

    game: the game after it.
    settles: upheld cases of the game that waited for it.
    """

    game: Game
    told: tuple[Told, ...]
    settles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InEvent:
    """The result of an action in one game of a tournament. refused: why it was not done, "" where it was."""

    game: int
    refused: str
    told: tuple[Told, ...] = ()


def act(
    work: HandlerContext,
    number: int,
    what: umpire_actions.Act,
    reason: str,
    by: int | None,
    *,
    once: bool = False,
) -> Game:
    """Execute an action in a game, and tell everyone concerned; return the changed game.

    by: the number of the acting officer, None for the operator.
    once: skip it where it was done recently.
    Raises UsageError where it is impossible.
    """
    game = work.games.by_number[number]
    left = umpire_actions.left_to_do(game, what, reason, by, work.request.now) if once else what
    if left is None:
        raise UsageError(f"That was done in game {number} already.")
    done = do(work, game, left, reason, ruler_of(work, game, by), in_all=once)
    if isinstance(done, Fault):
        cure = f" `referee thaw {number}` lets it go on." if done.code == "act-frozen" else ""
        raise UsageError(f"{done.sentence()}{cure}")
    return done


def ruler_of(work: HandlerContext, game: Game, by: int | None) -> Ruler:
    """Return the person who acts in a game. by: the number of an officer, None for the operator.

    Raises UsageError for a person without an office in the game's tournament, or one who plays in it.
    """
    if by is None:
        return Ruler()
    event = work.unit.tournaments.find(game.competition) if game.competition is not None else None
    name = work.composer.player(by).name
    office = office_to_act(event.officers, by, seated(game), away=away(work, event)) if event else "no office"
    match office:
        case "no office":
            raise UsageError(_no_office(work, game, by))
        case "plays":
            raise UsageError(f"{_called(work, by)} plays in game {game.number}, and does not rule in it.")
        case "appeals alone":
            raise UsageError(
                f"{_called(work, by)} hears appeals in the event of game {game.number}, and does not act."
            )
        case "umpire there":
            raise UsageError(
                f"{_called(work, by)} is the deputy, and the umpire can act in game {game.number}."
            )
    return Ruler(by, office, name)
