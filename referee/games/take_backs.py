"""How an umpire undoes turns: by taking the game back, or by correcting an order.

A finished game is not taken back (CF-11.5): its end has shown both deals to both players, and no ruling can
undo that. An unintended end is therefore prevented beforehand (resignations are confirmed, rulings are tried
out first), or the game is replayed with another deal.

Where a turn has several orders, those that nobody else hears of are taken back and restored with their turn.
Orders that a seat gave for any time belong to no turn: they are restored at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.common.faults import Fault
from referee.common.i18n import N_, Phrase
from referee.games.decisions import decide_order
from referee.games.events import Confided, Ruled, SealOpened, TakenBack
from referee.games.game import Game, Given, turn_for_all
from referee.games.results import LONGEST_REASON, tidy_reason
from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.record_text import MOST_RETURNS
from referee.rulebooks.rulebook import OrderLine, Seat, heard_by_all

Back = TakenBack | Ruled | Confided | SealOpened
"""The events of take-backs, corrections and restorations."""


def take_back(
    game: Game, turn: int, seat: Seat | None, reason: str, by: int | None = None
) -> TakenBack | Fault:
    """Return the event that takes a game back to the beginning of a turn, or why that cannot be done.

    The fault states nothing that is not public.

    seat: whose turn, None for the seat that was first in it.
    reason: the umpire's words, which both players read and the record holds.
    by: the number of the officer, None for the service's operator.
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
        return Fault("back-over", message, facts, rule=game.rulebook.rule_ids.get("back-over", ""))
    if game.status != "playing":
        return Fault("back-not-playing", "game {game} is not being played", facts)
    if len(game.branches) >= MOST_RETURNS:
        message = "game {game} was taken back {most} times, and its record holds no more"
        return Fault("back-often", message, {**facts, "most": str(MOST_RETURNS)})
    if seat is not None and seat not in game.seats:
        message = "there is no seat {seat}; the seats are {seats}"
        return Fault("back-seat", message, {"seat": seat, "seats": ", ".join(game.seats)})
    rulebook, happenings = game.rulebook, game.happenings
    seats = game.rulebook.seats if seat is None else (seat,)
    came = [
        (count, each)
        for each in seats
        if (count := rulebook.rules.turn_of(happenings, each, turn)) is not None
    ]
    if not came:
        message = "turn {turn} has not come in game {game}" if seat is None else _NO_SUCH_TURN
        return Fault("back-no-turn", message, facts | _side(seat))
    _, whose = min(came)
    facts |= _side(whose)
    happening = taken_back(Return(turn, whose, said), rulebook.seats)
    event = TakenBack(turn, whose, said, (happening,), by)
    # This doesn't reveal whether a seat has given orders that nobody else hears of.
    if not heard_by_all(game.after(event).branches[-1].happenings, rulebook.seats):
        return Fault("back-nothing", "it is {side}'s turn {turn} in game {game} already", facts)
    question = rulebook.rules.due(game.after(event).position).get(whose)
    if question is None or not question.forms:
        message = (
            "{side} had nothing to try in turn {turn} and passed, so nothing else can be played from there"
        )
        return Fault("back-passed", message, facts)
    return event


_NO_SUCH_TURN = N_("{side} has had no turn {turn} in game {game}")


def _side(seat: Seat | None) -> dict[str, str | Phrase]:
    return {} if seat is None else {"side": Phrase(seat.capitalize())}


def take_back_to(
    game: Game, turn: int, seat: Seat | None, reason: str, by: int | None = None
) -> tuple[Back, ...] | Fault:
    """Return all events of a take-back to the beginning of a turn, or why it cannot be done; see take_back."""
    back = take_back(game, turn, seat, reason, by)
    if isinstance(back, Fault):
        return back
    after = game.after(back)
    again, _ = _said_for_any_time(after, after.branches[-1].given)
    return back, *again


def correct_order(
    game: Game,
    order: str,
    reason: str,
    by: int | None = None,
    turn: int | None = None,
    seat: Seat | None = None,
) -> tuple[Back, ...] | Fault:
    """Return the events by which another order replaces one that was ruled on, or why that cannot be done.

    The game is taken back to the turn, and the order is ruled on there in its seat's name. Orders at the
    beginning of the turn that nobody else hears of stay as they were.

    turn, seat: of the order; turn None for the last that was ruled on.
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
    after = replace(game.after(back), frozen="")
    gone = after.branches[-1].given
    closed = next((place for place, each in enumerate(gone) if isinstance(each.event, Ruled)), len(gone))
    again, after = _once_more(after, gone[:closed])
    ruled = order_in_a_name(after, back.seat, order)
    if isinstance(ruled, Fault):
        return ruled
    ruled = replace(ruled, by=by or 0)
    later, _ = _said_for_any_time(after.after(ruled), gone[closed:])
    return back, *again, ruled, *later


def order_in_a_name(game: Game, seat: Seat, order: str) -> Ruled | Fault:
    """Return the ruling on an order that makes a turn and is given in a seat's name, or why it cannot be given.

    Where answers are sealed, the fault gives no reason, which the seat alone may know.
    """
    rulebook = game.rulebook
    line = OrderLine(1, order)
    read = rulebook.notation.read(line)
    if isinstance(read, Fault):
        return read
    if not rulebook.rules.is_turn(read):
        message = (
            "{order} makes no turn, and only the players themselves give orders that nobody else hears of"
        )
        return Fault("act-no-turn", message, {"order": rulebook.notation.write(read)})
    decision = decide_order(game, seat, line)
    if decision.fault is None and isinstance(decision.events[0], Ruled):
        return decision.events[0]
    if decision.fault is not None and rulebook.sealed is None:
        return decision.fault
    message = "{order} cannot be tried in the name of {side} as game {game} stands"
    facts = {"order": rulebook.notation.write(read), "game": str(game.number)} | _side(seat)
    return Fault("act-order", message, facts)


def put_back(game: Game, reason: str, by: int | None = None) -> tuple[Back, ...] | Fault:
    """Return the events by which the last take-back is undone, or why that cannot be done.

    What has been played since, if anything, is taken back; then the orders of the branch are restored in
    their order, with their happenings. Orders that a seat has since given for any time remain in force. Both
    branches remain in the record, so this can be undone in turn.
    """
    facts = {"game": str(game.number)}
    if game.status == "playing" and not game.branches:
        return Fault("restore-nothing", "nothing was taken back in game {game}", facts)
    found = game.branches[-1] if game.branches else None
    event = take_back(game, found.back.turn if found else 1, found.back.seat if found else None, reason, by)
    done: list[Back] = []
    since: tuple[Given, ...] = ()
    after = game
    if not isinstance(event, Fault):
        done.append(event)
        after = game.after(event)
        since = after.branches[-1].given
    elif event.code != "back-nothing":
        return event
    assert found is not None, "a game of which nothing was taken back cannot be taken back to there"
    if not done:
        since = game.after(found.back).branches[-1].given
    orders = found.turns
    if done and after.branches[-1].turns[: len(orders)] == orders:
        return Fault("restore-stands", "what was taken back last in game {game} stands again already", facts)
    stands, after = _once_more(replace(after, frozen=""), found.given)
    said = tidy_reason(reason)
    done += (
        replace(each, by=by or 0, reason=said, again=True) if isinstance(each, Ruled) else each
        for each in stands
    )
    newest, _ = _said_for_any_time(after, since)
    return (*done, *newest)


def _once_more(game: Game, given: Sequence[Given]) -> tuple[list[Back], Game]:
    """Return the events that restore earlier orders, and the game after them.

    Each has the happenings that it had before. It is not ruled on again: its seat may meanwhile have given
    orders for any time, and a different answer or a refusal would reveal that to those who hear of the turn
    (CF-10.8).
    """
    found: list[Back] = []
    for each in given:
        event: Back
        match each.event:
            case SealOpened(happenings=happenings):
                event = SealOpened(happenings)
            case Confided(seat=seat, order=order, happenings=happenings, moved=moved):
                event = Confided(seat, order, happenings, moved=moved, again=True)
            case Ruled(seat=seat, order=order, happenings=happenings):
                event = Ruled(seat, order, happenings)
        found.append(event)
        game = game.after(event)
    return found, game


def _said_for_any_time(game: Game, given: Sequence[Given]) -> tuple[list[Confided], Game]:
    """Return those of these orders that belong to no turn, to be given again, and the game after them."""
    found: list[Confided] = []
    rulebook = game.rulebook
    for each in given:
        if not isinstance(each.event, Confided) or game.status != "playing":
            continue
        line = OrderLine(1, each.event.order)
        read = rulebook.notation.read(line)
        if isinstance(read, Fault) or not rulebook.rules.at_any_time(read):
            continue
        for event in decide_order(replace(game, frozen=""), each.event.seat, line).events:
            if isinstance(event, Confided):
                found.append(again := replace(event, again=True))
                game = game.after(again)
    return found, game


def last_order(game: Game) -> tuple[int, Seat] | None:
    """Return the turn and the seat of the last order that made a turn and counts; None where there is none."""
    stands = game.rulebook.rules.standing(game.happenings)
    for each in reversed(game.orders):
        if isinstance(each.event, Ruled):
            return turn_for_all(game.rulebook, stands[: each.before]), each.event.seat
    return None
