"""What an umpire does about turns that should not have been played so: he takes the game back, or corrects an order.

A game that is over is not taken back (CF-11.5): its end has shown both deals to both players, and no ruling takes
that knowledge back. So an end that nobody meant is prevented beforehand (resignations are confirmed, rulings are tried
first), or the game is played anew with another deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.faults import Fault
from referee.games.decide import decide_order
from referee.games.ends import LONGEST_REASON, tidy_reason
from referee.games.events import Ruled, TakenBack
from referee.games.game import Game, turn_for_all
from referee.languages import N_, Phrase
from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.rulebook import Happening, OrderLine, Seat


def take_back(
    game: Game, turn: int, seat: Seat | None, reason: str, by: int | None = None
) -> TakenBack | Fault:
    """Return how a game goes back to the beginning of a turn, or why it cannot.

    seat: whose turn, None for whoever was first in it. reason: the umpire's words, which both players read and the
    record keeps. by: the number of the officer, None for whoever runs the service. The fault says nothing that is not
    public.
    """
    said = tidy_reason(reason)
    if not said or len(said) > LONGEST_REASON:
        message = "a reason is a sentence of at most {most} signs; both players read it, and it stands in the record"
        return Fault("back-reason", message, {"most": str(LONGEST_REASON)})
    facts: dict[str, str | Phrase] = {"game": str(game.number), "turn": str(turn)}
    if game.status == "ended":
        message = (
            "game {game} is over, and its end has shown all types to both sides, so it cannot be played on; "
            "what can be had is a new game"
        )
        return Fault("back-over", message, facts, rule="CF-11.5" if game.rulebook.name == "confusion" else "")
    if game.status != "playing":
        return Fault("back-not-playing", "game {game} is not being played", facts)
    if seat is not None and seat not in game.seats:
        message = "there is no seat {seat}; the seats are {seats}"
        return Fault("back-seat", message, {"seat": seat, "seats": ", ".join(game.seats)})
    rulebook, happenings = game.rulebook, game.happenings
    seats = game.rulebook.seats if seat is None else (seat,)
    came = [
        (count, each) for each in seats if (count := rulebook.turn_of(happenings, each, turn)) is not None
    ]
    if not came:
        message = "turn {turn} has not come in game {game}" if seat is None else _NO_SUCH_TURN
        return Fault("back-no-turn", message, facts | _side(seat))
    _, whose = min(came)
    facts |= _side(whose)
    happening = taken_back(Return(turn, whose, said), rulebook.seats)
    event = TakenBack(turn, whose, said, (happening,), by)
    if not game.after(event).branches[-1].happenings:
        return Fault("back-nothing", "it is {side}'s turn {turn} in game {game} already", facts)
    question = rulebook.due(game.after(event).position).get(whose)
    if question is None or not question.forms:
        message = (
            "{side} had nothing to try in turn {turn} and passed, so nothing else can be played from there"
        )
        return Fault("back-passed", message, facts)
    return event


_NO_SUCH_TURN = N_("{side} has had no turn {turn} in game {game}")


def _side(seat: Seat | None) -> dict[str, str | Phrase]:
    return {} if seat is None else {"side": Phrase(seat.capitalize())}


def correct_order(
    game: Game,
    order: str,
    reason: str,
    by: int | None = None,
    turn: int | None = None,
    seat: Seat | None = None,
) -> tuple[TakenBack, Ruled] | Fault:
    """Return how another order takes the place of one that was ruled on, or why it cannot.

    The game is taken back to the turn, and the order is ruled on there in its seat's name. turn, seat: whose order;
    turn None for the last that was ruled on.
    """
    if turn is None:
        last = last_order(game)
        if last is None:
            message = "no order has been ruled on in game {game}"
            return Fault("back-nothing-ruled", message, {"game": str(game.number)})
        turn, seat = last
    back = take_back(game, turn, seat, reason, by)
    if isinstance(back, Fault):
        return back
    decision = decide_order(replace(game.after(back), frozen=""), back.seat, OrderLine(1, order))
    if decision.fault is not None:
        return decision.fault
    (ruled,) = decision.events
    if not isinstance(ruled, Ruled):
        raise TypeError(f"an order is ruled on, not {type(ruled).__name__}")
    return back, Ruled(ruled.seat, ruled.order, ruled.happenings, by=by or 0)


def put_back(game: Game, reason: str, by: int | None = None) -> tuple[TakenBack | Ruled, ...] | Fault:
    """Return how what was taken back last takes its place again, or why it cannot.

    What has been played since is taken back, if anything has; then the orders of the branch are ruled on once more, in
    their order and in their seats' names. Both branches stay in the record, so this can be put back in its turn.
    """
    facts = {"game": str(game.number)}
    if game.status == "playing" and not game.branches:
        return Fault("restore-nothing", "nothing was taken back in game {game}", facts)
    found = game.branches[-1] if game.branches else None
    event = take_back(game, found.back.turn if found else 1, found.back.seat if found else None, reason, by)
    done: list[TakenBack | Ruled] = []
    if not isinstance(event, Fault):
        done.append(event)
    elif event.code != "back-nothing":
        return event
    assert found is not None, "a game of which nothing was taken back cannot be taken back to there"
    orders = _orders(game, found.happenings)
    after = game
    for each in done:
        after = after.after(each)
    if done and _orders(game, after.branches[-1].happenings)[: len(orders)] == orders:
        return Fault("restore-stands", "what was taken back last in game {game} stands again already", facts)
    after = replace(after, frozen="")
    for seat, order in orders:
        decision = decide_order(after, seat, OrderLine(1, order))
        if decision.fault is not None:
            return decision.fault
        for ruled in decision.events:
            if isinstance(ruled, Ruled):
                again = replace(ruled, by=by or 0, reason=tidy_reason(reason), again=True)
                done.append(again)
                after = after.after(again)
    return tuple(done)


def _orders(game: Game, happenings: Sequence[Happening]) -> list[tuple[Seat, str]]:
    """Return the orders among happenings that seats gave, oldest first; whoever passed gave none."""
    said = map(game.rulebook.recorded, happenings)
    return [
        (Seat(each["seat"]), each["order"]) for each in said if each.get("order") and each["answer"] != "pass"
    ]


def last_order(game: Game) -> tuple[int, Seat] | None:
    """Return the turn and the seat of the last order that was ruled on and stands; None where there is none."""
    stands = game.rulebook.standing(game.happenings)
    for place in range(len(stands) - 1, -1, -1):
        said = game.rulebook.recorded(stands[place])
        if said.get("order") and said["answer"] != "pass":
            return turn_for_all(game.rulebook, stands[:place]), Seat(said["seat"])
    return None
