"""Decides what a command does to a game: (game, player, command) → events and faults. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from referee.common.chance import Chance, commitment
from referee.common.faults import Fault, Place
from referee.common.i18n import Phrase, both
from referee.games.events import (
    Confided,
    Ended,
    EndOffered,
    Event,
    OfferWithdrawn,
    Opened,
    PlanDropped,
    ResignationAsked,
    ResignationDropped,
    Ruled,
)
from referee.games.game import Game
from referee.games.game_options import of_the_rules
from referee.games.results import DRAW, NONE, RESIGNATION, Offer, adjudicated, agreed
from referee.rulebooks.rulebook import Order, OrderLine, Result, Rulebook, Seat, other_seat


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of a command: events to store, or the fault that explains why there are none."""

    events: tuple[Event, ...] = ()
    fault: Fault | None = None
    order: str = ""
    """The order that was ruled on, in canonical form."""


def open_game(
    number: int,
    rulebook: Rulebook,
    options: Mapping[str, str],
    seats: Mapping[Seat, int],
    secret: bytes,
    deal: str = "",
    competition: int | None = None,
) -> Opened:
    """Return the opening of a game.

    options: checked already; those of the rules and those that every game has. What they leave open is drawn
        from `secret`.
    deal: set by an umpire, "" to draw it. The commitment binds it in canonical form, but it is no option,
        since both players see the options.
    competition: the number of the event that it belongs to.
    """
    deal = rulebook.rules.tidy_deal(deal) if deal else ""
    ruled = of_the_rules(options)
    return Opened(
        rules=rulebook.name,
        version=rulebook.version,
        options=dict(options),
        seats={seat: seats[seat] for seat in rulebook.seats},
        secret=secret,
        commitment=commitment(
            secret,
            game=number,
            rules=rulebook.name,
            version=rulebook.version,
            options=options,
            deal=deal,
        ),
        deal_set=bool(deal),
        happenings=rulebook.rules.opening({**ruled, "deal": deal} if deal else ruled, Chance(secret)),
        deal=deal,
        competition=competition,
    )


def draw_seats(
    rulebook: Rulebook, proposer: int, other: int, colour: Seat | None, secret: bytes
) -> dict[Seat, int]:
    """Return the players' seats: the proposer has the seat they asked for, otherwise the game's secret decides."""
    if colour is None:
        seats = Chance(secret).shuffle(rulebook.seats, "seats")
        return dict(zip(seats, (proposer, other), strict=True))
    return {colour: proposer, other_seat(rulebook.seats, colour): other}


@dataclass(frozen=True, slots=True)
class ReadOrder:
    """A line that is meant as an order, and the order that the notation reads in it."""

    line: OrderLine
    order: Order


def read_order(game: Game, line: OrderLine) -> ReadOrder | Fault:
    """Read a line by the notation of a game alone."""
    order = game.rulebook.notation.read(line)
    return order if isinstance(order, Fault) else ReadOrder(line, order)


def decide_order(game: Game, seat: Seat, line: OrderLine) -> Decision:
    """Read a line that is meant as an order, and rule on it; see decide_read_order."""
    read = read_order(game, line)
    return Decision(fault=read) if isinstance(read, Fault) else decide_read_order(game, seat, read)


def decide_read_order(game: Game, seat: Seat, read: ReadOrder, earlier: Sequence[ReadOrder] = ()) -> Decision:
    """Rule on an order. Refusals depend on the seat's view alone.

    An order that repeats an earlier one does nothing more. A second order that makes a turn is refused, even
    when the turn has come back meanwhile, since its writer could not know that; the rules limit how many
    orders may leave the turn open.

    earlier: orders of the same letter that were ruled on.
    """
    rulebook, line = game.rulebook, read.line
    if any(each.order == read.order for each in earlier):
        return Decision()
    turns = [each.line for each in earlier if rulebook.rules.is_turn(each.order)]
    if turns and rulebook.rules.is_turn(read.order):
        return Decision(fault=_before_the_start(game, seat, line) or _one_too_many(game, line, turns[-1]))
    if game.status != "playing":
        return Decision(fault=_too_late(game, line))
    if game.frozen:
        return Decision(fault=frozen_fault(game, line.text, Place(line.number, 1)))
    if seat not in game.due and not rulebook.rules.at_any_time(read.order):
        return Decision(fault=_before_the_start(game, seat, line) or _out_of_turn(game, line, read.order))
    order = _playable(game, seat, read, earlier)
    if isinstance(order, Fault):
        return Decision(fault=order)
    happenings = rulebook.rules.adjudicate(game.position, seat, order, game.chance)
    text = rulebook.notation.write(order)
    if any(each.heard_by - {seat} for each in happenings):
        return Decision((Ruled(seat, text, happenings),), order=text)
    due = rulebook.rules.due(reduce(rulebook.rules.fold, happenings, game.position))
    return Decision(
        (Confided(seat, text, happenings, moved=seat in game.due and seat not in due),), order=text
    )


def _playable(game: Game, seat: Seat, read: ReadOrder, earlier: Sequence[ReadOrder]) -> Order | Fault:
    """Return an order as it may be ruled on, or why it may not; the seat's view alone is asked.

    Where orders are carried out together, one line of a letter may conflict with another.
    """
    view, drafts = game.view(seat), game.rulebook.drafts
    if drafts is not None:
        return drafts.check_further(view, read.line, read.order, [each.order for each in earlier])
    reading = game.rulebook.rules.read_orders(view, [read.line])
    return reading.faults[-1] if reading.faults else reading.orders[-1]


def _one_too_many(game: Game, line: OrderLine, earlier: OrderLine) -> Fault:
    return Fault(
        "one-attempt",
        "a turn is one attempt, and {move} was taken",
        {"move": earlier.text},
        excerpt=line.text,
        place=Place(line.number, 1),
        rule=game.rulebook.rule_ids.get("one-attempt", ""),
    )


def _too_late(game: Game, line: OrderLine) -> Fault:
    return Fault(
        "game-over",
        "game {game} is over",
        {"game": str(game.number)},
        excerpt=line.text,
        place=Place(line.number, 1),
    )


def frozen_fault(game: Game, excerpt: str, place: Place) -> Fault:
    """Return the fault for a command in a frozen game, with the umpire's reason."""
    return Fault(
        "game-frozen",
        "game {game} is frozen by the umpire ({why}), so nothing was done; you will hear when it goes on",
        {"game": str(game.number), "why": game.frozen.rstrip(".")},
        excerpt=excerpt,
        place=place,
    )


def _before_the_start(game: Game, seat: Seat, line: OrderLine) -> Fault | None:
    """Return the rulebook's own fault for an order while the opponent's set-up is awaited.

    There is no turn yet, and none that an order could be kept for. None where the rulebook has no such fault.
    """
    if all(question.kind != "set-up" for question in game.due.values()):
        return None
    return next(iter(game.rulebook.rules.read_orders(game.view(seat), [line]).faults), None)


def _out_of_turn(game: Game, line: OrderLine, order: Order) -> Fault:
    planned = game.rulebook.rules.is_turn(order)
    message = "it is {seat}'s turn now; with the word `try` before it, your move is kept until it is yours"
    if not planned:
        message = "it is {seat}'s turn now, and this belongs to a turn of yours; send it with your next move"
    return Fault(
        "out-of-turn",
        message,
        {"seat": both([Phrase(each.capitalize()) for each in game.due])},
        excerpt=line.text,
        place=Place(line.number, 1),
        suggestion=f"try {game.rulebook.notation.write(order)}" if planned else "",
        rule=game.rulebook.rule_ids.get("out-of-turn", ""),
    )


def decide_resign(game: Game, seat: Seat, *, whole_letter: bool) -> Decision:
    """Resign: at once when the letter says nothing else, otherwise after `confirm`."""
    if whole_letter:
        return Decision((_end(game, Result(other_seat(game.seats, seat), RESIGNATION)),))
    return Decision((ResignationAsked(seat),))


def decide_confirm(game: Game, seat: Seat) -> Decision:
    """Confirm a resignation that awaits confirmation."""
    if seat in game.resigning:
        return Decision((_end(game, Result(other_seat(game.seats, seat), RESIGNATION)),))
    return Decision(fault=Fault("nothing-to-confirm", "there is nothing to confirm"))


def decide_offer(game: Game, seat: Seat, end: str, after: int = 0, told: int = 0) -> Decision:
    """Propose an end in place of any earlier proposal, or agree to it where the other seat has proposed the same.

    end, after, told: as in Offer.
    """
    offer = game.offer
    if offer is not None and offer.end == end:
        if offer.by != seat:
            return Decision((_end(game, agreed(end)),))
        if end == DRAW:
            return Decision(fault=Fault("offered-already", "you have offered a draw already; it stands"))
        return Decision(fault=Fault("offered-already", "you have proposed that already; it stands"))
    return Decision((EndOffered(seat, end, after, told),))


def decide_agree(game: Game, seat: Seat, *, seen: bool) -> Decision:
    """Agree to whatever the other seat has proposed. seen: the writer has read the present proposal."""
    offer = game.offer
    if offer is None or offer.by == seat:
        message = "nothing is proposed to you that you could agree to; a result behind the word proposes one"
        return Decision(fault=Fault("nothing-to-agree", message))
    if not seen:
        return Decision(fault=_other_offer(offer))
    return Decision((_end(game, agreed(offer.end)),))


def _other_offer(offer: Offer) -> Fault:
    """Return the fault that asks a writer who may not have read the proposal to name what they agree to."""
    facts: dict[str, str | Phrase] = {"side": Phrase(offer.by.capitalize())}
    message = "what {side} proposes now, that {winner} has won, is not in the letter that you answer; nothing was done"
    if offer.end == DRAW:
        message = "what {side} proposes now, a draw, is not in the letter that you answer; nothing was done"
    elif offer.end == NONE:
        message = (
            "what {side} proposes now, to give the game up without a result, is not in the letter that you answer; "
            "nothing was done"
        )
    else:
        facts["winner"] = Phrase(offer.end.capitalize())
    return Fault("other-offer", message, facts, suggestion=f"agree {offer.end}")


def adjudicate_game(game: Game, end: str, reason: str) -> Ended:
    """Return the end of a game by an umpire's ruling.

    end: as in Offer.
    reason: the umpire's words, which both players read.
    """
    return _end(game, adjudicated(end, reason))


def decide_cancel(game: Game, seat: Seat, *, offer_only: bool = False) -> Decision:
    """Withdraw the seat's proposal and, unless offer_only, its unconfirmed resignation and its plan."""
    taken_back: list[Event] = []
    if game.offer is not None and game.offer.by == seat:
        taken_back.append(OfferWithdrawn(seat, game.offer.end))
        if offer_only:
            return Decision(tuple(taken_back))
    if seat in game.resigning:
        taken_back.append(ResignationDropped(seat))
    if seat in game.plans:
        taken_back.append(PlanDropped(seat, "cancelled"))
    if taken_back:
        return Decision(tuple(taken_back))
    return Decision(fault=Fault("nothing-to-cancel", "there is nothing of yours that could be cancelled"))


def _end(game: Game, result: Result) -> Ended:
    return Ended(result, game.rulebook.rules.conclude(game.position, result))
