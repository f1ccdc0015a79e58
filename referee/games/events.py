"""The events of a game, named in the past tense. A game is the list of its events, and nothing else.

Where time is counted, the events that affect it are dated: `at`, aware UTC, and `received` for an order. The
date is None where no time is counted, and in logs of earlier releases.

Events name players by number. They are stored as a kind (the class's name) and plain data; `write_event` and
`read_event` convert both ways. Events are never changed or removed: another event corrects a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from referee.rulebooks.rulebook import Happening, Json, Result, Seat

Verdict = Literal["upheld", "rejected", ""]
"""The verdict on a claim; "" where the umpire only answers it."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A player proposed a game.

    to: a player's number, None when anybody may join.
    colour: the seat that the player wants, None to draw lots.
    rematch_of: the number of the game that this is a rematch of.
    conditions: what a player must meet to join, as plain data (see join_conditions).
    """

    by: int
    to: int | None
    rules: str
    options: Mapping[str, str] = field(default_factory=dict)
    colour: Seat | None = None
    rematch_of: int | None = None
    conditions: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Countered:
    """The player who was asked proposed other terms: the proposal is now theirs, and the other player is asked.

    options, colour: all of the new terms, as in Proposed.
    after: how many letters about the game the other player had been sent before; each later one states the
        terms.
    """

    by: int
    options: Mapping[str, str] = field(default_factory=dict)
    colour: Seat | None = None
    after: int = 0


@dataclass(frozen=True, slots=True)
class Declined:
    """The challenge was declined."""

    by: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The proposer withdrew the proposal, or an umpire did. reason: the umpire's words, "" if it was the proposer."""

    by: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """The game began.

    version: of the rules that apply to the game throughout.
    commitment: binds `secret` (see chance).
    deal_set: an umpire set the deal; what was dealt is in the happenings, each part heard by those whom it
        concerns.
    deal: as it was set and as the commitment binds it, to be published with the secret.
    competition: the number of the event that the game belongs to.
    brought: the number of attempts in the record of a game that was played elsewhere before (see importing);
        None for a game that began here.
    """

    rules: str
    version: str
    options: Mapping[str, str]
    seats: Mapping[Seat, int]
    secret: bytes = field(repr=False)
    commitment: str
    deal_set: bool
    happenings: tuple[Happening, ...] = field(repr=False)
    deal: str = field(default="", repr=False)
    competition: int | None = None
    brought: int | None = None


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """A seat's first letter about the game arrived."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Ruled:
    """An order was ruled on. The other seat's proposal, if any, has lapsed.

    order: in canonical form.
    plan: what is left of the seat's plan, beginning with this order (see conditional_orders); "" for an order
        that was not planned.
    received: when the letter with the order was received; the seat's clock stops then (TM-1.2).
    by: the number of the officer who gave the order in the seat's name, 0 for the service's operator, None
        where the seat gave it.
    reason: the officer's words.
    again: an order that was ruled on before and taken back is restored.
    """

    seat: Seat
    order: str
    happenings: tuple[Happening, ...] = field(repr=False)
    plan: str = field(default="", repr=False)
    received: datetime | None = None
    by: int | None = None
    reason: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class Confided:
    """An order was ruled on that nobody else hears of: the seat's turn goes on, no clock stops, and nothing lapses.

    order, received, again: as in Ruled, but the date is stored even where no time is counted.
    moved: nothing more is due from the seat, as after the set-up that arrives first; this stops its clock.
    """

    seat: Seat
    order: str = field(repr=False)
    happenings: tuple[Happening, ...] = field(repr=False)
    moved: bool = False
    received: datetime | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class SealOpened:
    """Sealed answers were opened: the player whose turn would open them was late, or an umpire gave their order."""

    happenings: tuple[Happening, ...] = field(repr=False)
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The game was taken back to the beginning of a seat's turn; what had happened since no longer counts, but is kept.

    reason: one line, which both players read and the record holds.
    by: the number of the officer who took it back, None for the service's operator.
    happenings: what all seats hear of it (see rulebooks.branches).
    """

    turn: int
    seat: Seat
    reason: str
    happenings: tuple[Happening, ...] = field(repr=False)
    by: int | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class EndOffered:
    """A seat proposed how the game is to end, in place of any earlier proposal; see results.Offer.

    It lapses with the other seat's next move.

    end: "draw", "none", or the winning seat.
    after: as in Offer.
    told: the number of the seat's own letter about the game that states the proposal.
    """

    seat: Seat
    end: str
    after: int = 0
    told: int = 0


@dataclass(frozen=True, slots=True)
class ResignationAsked:
    """A seat wrote `resign` among other things, and was asked to confirm it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OfferWithdrawn:
    """A seat withdrew its proposal. end: as in EndOffered."""

    seat: Seat
    end: str


@dataclass(frozen=True, slots=True)
class ResignationDropped:
    """A seat withdrew a resignation that it had not confirmed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended off the board: by resignation, agreement, an umpire's ruling or lack of time.

    by: the number of the officer who ruled so; None for the service's operator, and where nobody ruled.
    in_all: as in Paused.
    """

    result: Result
    happenings: tuple[Happening, ...] = field(repr=False)
    at: datetime | None = None
    by: int | None = None
    in_all: bool = False


@dataclass(frozen=True, slots=True)
class Frozen:
    """The umpire froze the game. reason: the umpire's words, which both players read."""

    reason: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Thawed:
    """The umpire let the game continue."""

    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Mail to a seat bounces. Its opponent's time stops from here on."""

    seat: Seat
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reachable:
    """A seat whose mail bounced has written again."""

    seat: Seat
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ClockStarted:
    """The letter that asks a seat for its move was accepted for delivery (TM-1.1).

    A second event for the same move corrects the date of one that a wrong clock had dated.
    """

    seat: Seat
    at: datetime


@dataclass(frozen=True, slots=True)
class PauseOffered:
    """A seat asked for a pause by consent.

    at: when its letter was recorded.
    until: the end of the pause, None where none is named.
    """

    seat: Seat
    at: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class PauseWithdrawn:
    """A seat withdrew its wish for a pause."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Paused:
    """A pause began: no time of either seat runs from here on.

    cause: what ends the pause again refers to it by this; each cause has one pause at a time. "consent" of
        both players, or the umpire's cause.
    until: when it ends by itself.
    by: the number of the officer who paused the game.
    reason: the officer's words, which both players read.
    in_all: it was done in all games of the event at once.
    """

    cause: str
    at: datetime
    until: datetime | None = None
    by: int | None = None
    reason: str = ""
    in_all: bool = False


@dataclass(frozen=True, slots=True)
class Resumed:
    """A pause ended.

    at: when; in the future where notice is due (TM-6.3).
    by, reason, in_all: as in Paused.
    """

    cause: str
    at: datetime
    by: int | None = None
    reason: str = ""
    in_all: bool = False


@dataclass(frozen=True, slots=True)
class TimeAdded:
    """A seat was given time, for its present move or else its next one.

    seconds: above zero.
    by, reason, in_all: as in Paused.
    """

    seat: Seat
    seconds: int
    at: datetime
    by: int | None = None
    reason: str = ""
    in_all: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """An umpire made a statement, which changes nothing else.

    text: the number of the stored text, which can be erased.
    by: as in Paused.
    """

    text: int
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Replaced:
    """Another player took a seat.

    The seat's clock starts afresh for the present move, with the time it had left when the move was asked
    for.

    player, before: numbers of the new and the former player.
    by, reason: as in Paused.
    """

    seat: Seat
    player: int
    before: int
    reason: str = ""
    by: int | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TimeUp:
    """A seat's time ran out; the game continues until its opponent claims it (TM-5.3)."""

    seat: Seat
    at: datetime


@dataclass(frozen=True, slots=True)
class Pressed:
    """A seat wrote to the other, or to all readers. text: the number of the stored text, which can be erased."""

    seat: Seat
    to: Literal["opponent", "all"]
    text: int


@dataclass(frozen=True, slots=True)
class Muted:
    """A seat muted its opponent's press."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Unmuted:
    """A seat wants its opponent's press again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Noted:
    """A seat wrote in its diary, which nobody else sees before the end. text: as in Pressed."""

    seat: Seat
    text: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat brought a claim or an appeal to the umpire, which opens a case (see cases).

    The dictionaries are plain data and name people by numbers only. Logs of earlier releases lack player and
    number, and number their cases in the order of arrival.

    text: as in Pressed.
    against: the umpire's act that is appealed against (see cases.Action); empty for a claim.
    evidence: how the game and its letters stood then (see evidence); hidden, since it covers the letters of
        both seats.
    player: the number of the player, since another may have the seat by now.
    number: of the case.
    """

    seat: Seat
    text: int
    against: Mapping[str, Json] = field(default_factory=dict)
    evidence: Mapping[str, Json] = field(default_factory=dict, repr=False)
    player: int | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class ClaimAnswered:
    """A case was ruled on; a second ruling, after an appeal, is final.

    claim: the case's number in the game, from 1.
    text: as in Pressed.
    verdict: "upheld", "rejected", or "" for an answer that is neither.
    by: the number of the officer who ruled, None for the service's operator.
    unchanged: the player is right, but nothing in the game has to change; on a case that was upheld already,
        this is said afterwards.
    """

    claim: int
    text: int
    verdict: Verdict = ""
    by: int | None = None
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class Appealed:
    """The player who brought a case appealed against the ruling. claim, text: as in ClaimAnswered."""

    claim: int
    text: int


@dataclass(frozen=True, slots=True)
class Planned:
    """A seat left a plan for its coming turns, in place of any earlier one. Nobody else learns that there is one.

    plan: in canonical form (see conditional_orders).
    seen: the number of the letter about the game that the plan answered, 0 for none.
    """

    seat: Seat
    plan: str = field(repr=False)
    seen: int = 0


@dataclass(frozen=True, slots=True)
class PlanDropped:
    """A seat's plan ended before it was used up.

    why: "by-hand", "cancelled", "nothing-fits", "refused", "draw", "offer".
    """

    seat: Seat
    why: str


@dataclass(frozen=True, slots=True)
class Watched:
    """Someone who does not play began to watch.

    player: their number.
    delay: by how many turns their reports are delayed.
    """

    player: int
    delay: int = 0


@dataclass(frozen=True, slots=True)
class Unwatched:
    """Someone stopped watching."""

    player: int


Event = (
    Proposed
    | Countered
    | Declined
    | Withdrawn
    | Opened
    | CheckedIn
    | Ruled
    | Confided
    | SealOpened
    | TakenBack
    | EndOffered
    | OfferWithdrawn
    | ResignationAsked
    | ResignationDropped
    | Ended
    | Frozen
    | Thawed
    | Unreachable
    | Reachable
    | ClockStarted
    | PauseOffered
    | PauseWithdrawn
    | Paused
    | Resumed
    | TimeAdded
    | Stated
    | Replaced
    | TimeUp
    | Pressed
    | Muted
    | Unmuted
    | Noted
    | Claimed
    | ClaimAnswered
    | Appealed
    | Planned
    | PlanDropped
    | Watched
    | Unwatched
)

_KINDS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        Proposed,
        Countered,
        Declined,
        Withdrawn,
        Opened,
        CheckedIn,
        Ruled,
        Confided,
        SealOpened,
        TakenBack,
        EndOffered,
        OfferWithdrawn,
        ResignationAsked,
        ResignationDropped,
        Ended,
        Frozen,
        Thawed,
        Unreachable,
        Reachable,
        ClockStarted,
        PauseOffered,
        PauseWithdrawn,
        Paused,
        Resumed,
        TimeAdded,
        Stated,
        Replaced,
        TimeUp,
        Pressed,
        Muted,
        Unmuted,
        Noted,
        Claimed,
        ClaimAnswered,
        Appealed,
        Planned,
        PlanDropped,
        Watched,
        Unwatched,
    )
}

_INSTANTS = ("at", "received", "until")
"""The names of fields that hold times."""
_EARLIER_KINDS = {"DrawOffered": EndOffered.__name__, "DrawWithdrawn": OfferWithdrawn.__name__}
"""Old kinds of events, from when a draw was the only end that could be proposed."""


def write_event(event: Event) -> tuple[str, dict[str, Json]]:
    """Return an event's kind and its fields as plain data."""
    facts = {name: _plain(getattr(event, name)) for name in event.__dataclass_fields__}
    return type(event).__name__, facts


DAMAGED = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Raised when a stored event was changed from outside, or comes from another release, and cannot be read or applied."""


def read_event(kind: str, facts: Mapping[str, Json]) -> Event:
    """Return the event that write_event wrote.

    Raises KeyError for a kind of another release, one of DAMAGED for data that write_event never wrote.
    """
    if not isinstance(facts, Mapping):
        raise TypeError(f"the facts of {kind} are a {type(facts).__name__}")
    if kind in _EARLIER_KINDS:
        kind, facts = _EARLIER_KINDS[kind], {**facts, "end": "draw"}
    made = dict(facts)
    if "happenings" in made:
        made["happenings"] = tuple(_happening(each) for each in made["happenings"])
    if "secret" in made:
        made["secret"] = bytes.fromhex(made["secret"])
    if "result" in made:
        made["result"] = Result(**made["result"])
    for name in _INSTANTS:
        if isinstance(made.get(name), str):
            made[name] = datetime.fromisoformat(made[name])
    for name, forms in _forms(kind).items():
        if name in made and not isinstance(made[name], forms):
            raise TypeError(f"{name} of {kind} is a {type(made[name]).__name__}")
    event: Event = _KINDS[kind](**made)
    return event


@cache
def _forms(kind: str) -> Mapping[str, tuple[type[Any], ...]]:
    """Return the allowed types of each field of a kind of event."""
    return {name: tuple(_types(hint)) for name, hint in get_type_hints(_KINDS[kind]).items()}


def _types(hint: Any) -> Iterator[type[Any]]:
    """Yield the types that an annotation allows, without their parameters."""
    if origin := get_origin(hint):
        if origin is Literal:
            yield str
        elif origin in (Union, UnionType):
            for each in get_args(hint):
                yield from _types(each)
        else:
            yield origin
    else:
        yield getattr(hint, "__supertype__", hint)


def _plain(value: Any) -> Json:
    match value:
        case bytes():
            return value.hex()
        case datetime():
            return value.isoformat()
        case Result():
            return value.plain()
        case Happening():
            return {
                "code": value.code,
                "heard_by": sorted(value.heard_by),
                "facts": dict(value.facts),
                "rule": value.rule,
            }
        case tuple():
            return [_plain(each) for each in value]
        case Mapping():
            return dict(value)
    return value


def _happening(data: Mapping[str, Json]) -> Happening:
    return Happening(data["code"], frozenset(data["heard_by"]), data["facts"], data["rule"])
