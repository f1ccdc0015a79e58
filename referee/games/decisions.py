"""What a command does to a game: (game, who, command) → events and faults. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

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
from referee.games.game import AnyRulebook, Game
from referee.games.game_options import of_the_rules
from referee.games.results import DRAW, NONE, RESIGNATION, Offer, adjudicated, agreed
from referee.rulebooks.rulebook import OrderLine, Result, Seat, other_seat


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows: events to be kept, or a fault that says why there are none."""

    events: tuple[Event, ...] = ()
    fault: Fault | None = None
    order: str = ""
    """The order that was ruled on, canonically."""


def open_game(
    number: int,
    rulebook: AnyRulebook,
    options: Mapping[str, str],
    seats: Mapping[Seat, int],
    secret: bytes,
    deal: str = "",
    competition: int | None = None,
) -> Opened:
    """Return the opening of a game.

    options: checked before, those of the rules and those that every game has; what they leave open is drawn from
    `secret`. deal: set by an umpire, "" to draw it; it is bound by the commitment, in one way of writing it, but is no
    option, since options are told to both players. competition: the event that it belongs to.
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
    rulebook: AnyRulebook, proposer: int, other: int, colour: Seat | None, secret: bytes
) -> dict[Seat, int]:
    """Return who sits where: the proposer on the seat he asked for, else by lot from the game's secret."""
    if colour is None:
        seats = Chance(secret).shuffle(rulebook.seats, "seats")
        return dict(zip(seats, (proposer, other), strict=True))
    return {colour: proposer, other_seat(rulebook.seats, colour): other}


def decide_order(game: Game, seat: Seat, line: OrderLine, earlier: Sequence[OrderLine] = ()) -> Decision:
    """Rule on a line meant as an order. Refusals come from the seat's view alone.

    earlier: lines of the same letter that were ruled on. The same order again asks for nothing more. Another one that
    makes a turn is too many, also when the turn has come back meanwhile, for its writer could not know that; orders
    that leave the turn open may be as many as the rules allow.
    """
    rulebook = game.rulebook
    read = rulebook.notation.read(line)
    if isinstance(read, Fault):
        return Decision(fault=read)
    taken = [(each, rulebook.notation.read(each)) for each in earlier]
    if any(order == read for _, order in taken):
        return Decision()
    turns = [each for each, order in taken if rulebook.rules.is_turn(order)]
    if turns and rulebook.rules.is_turn(read):
        return Decision(fault=_before_the_start(game, seat, line) or _one_too_many(game, line, turns[-1]))
    if game.status != "playing":
        return Decision(fault=_too_late(game, line))
    if game.frozen:
        return Decision(fault=frozen_fault(game, line.text, Place(line.number, 1)))
    if seat not in game.due and not rulebook.rules.at_any_time(read):
        return Decision(fault=_before_the_start(game, seat, line) or _out_of_turn(game, line, read))
    # Where orders are carried out together, one line of a letter may go against another.
    reading = rulebook.rules.read_orders(
        game.view(seat), [*earlier, line] if rulebook.drafts is not None else [line]
    )
    if faults := [each for each in reading.faults if each.place is None or each.place.line == line.number]:
        return Decision(fault=faults[-1])
    order = reading.orders[-1]
    happenings = rulebook.rules.adjudicate(game.position, seat, order, game.chance)
    text = rulebook.notation.write(order)
    if any(each.heard_by - {seat} for each in happenings):
        return Decision((Ruled(seat, text, happenings),), order=text)
    due = rulebook.rules.due(reduce(rulebook.rules.fold, happenings, game.position))
    return Decision(
        (Confided(seat, text, happenings, moved=seat in game.due and seat not in due),), order=text
    )


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
    """Say that nothing is done in a game which the umpire has stopped, and why he has."""
    return Fault(
        "game-frozen",
        "game {game} is frozen by the umpire ({why}), so nothing was done; you will hear when it goes on",
        {"game": str(game.number), "why": game.frozen.rstrip(".")},
        excerpt=excerpt,
        place=place,
    )


def _before_the_start(game: Game, seat: Seat, line: OrderLine) -> Fault | None:
    """Return what the rulebook itself says of an order while the other side's set-up is waited for: there is no turn
    yet, and none that an order could be kept for. None where it says nothing."""
    if all(question.kind != "set-up" for question in game.due.values()):
        return None
    return next(iter(game.rulebook.rules.read_orders(game.view(seat), [line]).faults), None)


def _out_of_turn(game: Game, line: OrderLine, order: Any) -> Fault:
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
    """Give up: at once when the letter said nothing else, else after `confirm`."""
    if whole_letter:
        return Decision((_end(game, Result(other_seat(game.seats, seat), RESIGNATION)),))
    return Decision((ResignationAsked(seat),))


def decide_confirm(game: Game, seat: Seat) -> Decision:
    """Confirm a resignation that waits for it."""
    if seat in game.resigning:
        return Decision((_end(game, Result(other_seat(game.seats, seat), RESIGNATION)),))
    return Decision(fault=Fault("nothing-to-confirm", "there is nothing to confirm"))


def decide_offer(game: Game, seat: Seat, end: str, after: int = 0, told: int = 0) -> Decision:
    """Propose an end, in place of whatever was proposed before; or agree to it, where the other seat has proposed it.

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
    """Agree to what the other seat has proposed, whatever it is. seen: the writer knew what it is now."""
    offer = game.offer
    if offer is None or offer.by == seat:
        message = "nothing is proposed to you that you could agree to; a result behind the word proposes one"
        return Decision(fault=Fault("nothing-to-agree", message))
    if not seen:
        return Decision(fault=_other_offer(offer))
    return Decision((_end(game, agreed(offer.end)),))


def _other_offer(offer: Offer) -> Fault:
    """Ask whoever agrees by the bare word, and may not have seen to what, to name it."""
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
    """Return the end of a game that an umpire ends. end: as in Offer. reason: his words, which both players read."""
    return _end(game, adjudicated(end, reason))


def decide_cancel(game: Game, seat: Seat, *, offer_only: bool = False) -> Decision:
    """Take back what one has proposed, and unless that alone was meant, one's unconfirmed resignation and plan."""
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
