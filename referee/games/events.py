"""What happened in a game, in the past tense. A game is the list of its events, and nothing else.

Where time is counted, what bears on it is dated: `at`, aware UTC, and of an order `received`. It is None where no time
is counted, and in logs of earlier releases.

Events name players by number. They are kept as a kind (the class's name) and plain data; `write_event` and
`read_event` go both ways. Events are never changed or removed: what was wrong is put right by another event.
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
"""What becomes of a claim; "" where the umpire only answers it."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A player proposed a game.

    to: a player's number, None when anybody may join.
    colour: the seat that the player wants, None for a draw by lot.
    rematch_of: the number of the game that is to be played once more.
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
    """Whoever was asked would play on other terms: the proposal is his from here on, and the other is asked.

    options, colour: all of the new terms, as in Proposed. after: so many letters about the game the other had been
    written before; each later one says what the terms are.
    """

    by: int
    options: Mapping[str, str] = field(default_factory=dict)
    colour: Seat | None = None
    after: int = 0


@dataclass(frozen=True, slots=True)
class Declined:
    """The challenge was turned down."""

    by: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The proposer took his proposal back, or an umpire did for him. reason: the umpire's words, "" where it was he."""

    by: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """The game began.

    version: of the rules that rule it, for ever. commitment: binds `secret` (see chance). deal_set: an umpire
    set the deal; what was dealt stands in the happenings, each part heard by whom it may concern. deal: as it was set
    and the commitment binds it, to be published with the secret. competition: the number of the event that the game
    belongs to. brought: None for a game that began here; for one that was played elsewhere before, by its record, how
    many attempts were (see importing).
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
    """An order was ruled on. order: canonical. What the other seat had proposed has lapsed.

    plan: what is left of the seat's plan, which begins with this order (see plans); "" where it was no planned one.
    received: when the letter came in by which it was given; the seat's clock stops then (TM-1.2).
    by: the number of the officer who gave the order in the seat's name, 0 for whoever runs the service; None where the
    seat gave it. reason: the officer's words. again: it was ruled on before, and what was taken back is put back.
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
    """An order was ruled on of which nobody else hears: its seat's turn goes on, no clock stops, and nothing lapses.

    order, received, again: as in Ruled, but that its date is kept where no time is counted, too. moved: nothing is due
    from the seat any more, as after the set-up that comes in first: that stops its clock.
    """

    seat: Seat
    order: str = field(repr=False)
    happenings: tuple[Happening, ...] = field(repr=False)
    moved: bool = False
    received: datetime | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class SealOpened:
    """Answers that were sealed were opened, since whoever was to open them by his turn was late, or an umpire gave an
    order in his name."""

    happenings: tuple[Happening, ...] = field(repr=False)
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The game goes on from the beginning of a seat's turn; what had happened since stands no more, and stays known.

    reason: of one line, which both players read and the record keeps. by: the number of the officer who has taken it
    back, None for whoever runs the service. happenings: that all seats hear of it (see rulebooks.branches).
    """

    turn: int
    seat: Seat
    reason: str
    happenings: tuple[Happening, ...] = field(repr=False)
    by: int | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class EndOffered:
    """A seat proposed how the game is to end, in place of what was proposed before; see results.Offer.

    It lapses with the other seat's next move. end: "draw", "none", or the seat that would have won. told: the number of
    the seat's own letter about the game that says so.
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
    """A seat took back what it had proposed. end: as in EndOffered."""

    seat: Seat
    end: str


@dataclass(frozen=True, slots=True)
class ResignationDropped:
    """A seat took back a resignation that it had not confirmed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended off the board: resignation, agreement, an umpire's ruling, or somebody's time was up. by: of the
    officer who ruled so, None for whoever runs the service, and where nobody has. in_all: as in Paused."""

    result: Result
    happenings: tuple[Happening, ...] = field(repr=False)
    at: datetime | None = None
    by: int | None = None
    in_all: bool = False


@dataclass(frozen=True, slots=True)
class Frozen:
    """The umpire stopped the game for the time being. reason: his words, which both players read."""

    reason: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Thawed:
    """The umpire let the game go on."""

    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Letters to a seat come back. No time of its opponent's runs from here on."""

    seat: Seat
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reachable:
    """A seat whose letters came back has written again."""

    seat: Seat
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ClockStarted:
    """The letter that asks a seat for its move was accepted for delivery (TM-1.1).

    It may be said once more, where a clock that was wrong had dated it: then this date counts.
    """

    seat: Seat
    at: datetime


@dataclass(frozen=True, slots=True)
class PauseOffered:
    """A seat wants a pause by consent. at: when its letter was recorded. until: its end, None where none is named."""

    seat: Seat
    at: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class PauseWithdrawn:
    """A seat takes back that it wants a pause."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Paused:
    """No time of either seat runs from here on.

    cause: by which the pause is ended, one at a time: "consent" of both players, or what an umpire calls it. until:
    when it ends by itself. by: the number of the officer who has done it; reason: his words, which both players read;
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
    """A pause ends. at: when; it lies ahead where notice is due (TM-6.3). by, reason, in_all: as in Paused."""

    cause: str
    at: datetime
    by: int | None = None
    reason: str = ""
    in_all: bool = False


@dataclass(frozen=True, slots=True)
class TimeAdded:
    """A seat was given time, for the move that it is on or else its next one. seconds: above zero. by, reason, in_all:
    as in Paused."""

    seat: Seat
    seconds: int
    at: datetime
    by: int | None = None
    reason: str = ""
    in_all: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """An umpire ruled in words, which changes nothing else. text: the number of what he wrote, which can be erased. by:
    as in Paused."""

    text: int
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Replaced:
    """Another player took a seat. player, before: numbers. His clock starts anew for the move in hand, with what the
    seat had left when it was asked for. by, reason: as in Paused."""

    seat: Seat
    player: int
    before: int
    reason: str = ""
    by: int | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TimeUp:
    """A seat's time is up, and the game goes on until its opponent claims it (TM-5.3)."""

    seat: Seat
    at: datetime


@dataclass(frozen=True, slots=True)
class Pressed:
    """A seat wrote to the other, or to all who may read. text: the number of what was written, which can be erased."""

    seat: Seat
    to: Literal["opponent", "all"]
    text: int


@dataclass(frozen=True, slots=True)
class Muted:
    """A seat wants no press of its opponent's any more."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Unmuted:
    """A seat wants its opponent's press again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Noted:
    """A seat noted something in its diary, which nobody else sees before the end. text: as in Pressed."""

    seat: Seat
    text: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A seat brought something before the umpire, which opens a case (see cases). text: as in Pressed.

    against: what an umpire has done in the game, for an appeal against that (see cases.Deed); empty for a claim.
    evidence: how the game and its letters stood then (see evidence); hidden, since it tells of the letters of both
    seats. Both are plain data, and name nobody but by numbers. player: who it was, since another may sit there by now;
    number: of the case. They are None and 0 in logs of earlier releases, where cases are numbered as they come.
    """

    seat: Seat
    text: int
    against: Mapping[str, Json] = field(default_factory=dict)
    evidence: Mapping[str, Json] = field(default_factory=dict, repr=False)
    player: int | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class ClaimAnswered:
    """A case was ruled on: a second time after an appeal, and finally. claim: its number in the game, from 1. text: as
    in Pressed.

    verdict: "upheld", "rejected", or "" for an answer that is neither. by: the number of the officer who ruled, None
    for whoever runs the service. unchanged: the player is right, and nothing is to be changed in the game for it; on a
    case that was upheld already, that is said afterwards.
    """

    claim: int
    text: int
    verdict: Verdict = ""
    by: int | None = None
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class Appealed:
    """Whoever has brought a case appealed against the ruling on it. claim, text: as in ClaimAnswered."""

    claim: int
    text: int


@dataclass(frozen=True, slots=True)
class Planned:
    """A seat left a plan for its coming turns, in place of an earlier one. plan: canonical (see plans).

    Nobody else hears of it: not even that there is one. seen: the number of the letter about the game that its owner
    answered by it, 0 for none.
    """

    seat: Seat
    plan: str = field(repr=False)
    seen: int = 0


@dataclass(frozen=True, slots=True)
class PlanDropped:
    """A seat's plan ended before it was used up. why: "by-hand", "cancelled", "nothing-fits", "refused", "draw",
    "offer"."""

    seat: Seat
    why: str


@dataclass(frozen=True, slots=True)
class Watched:
    """Somebody who does not play began to watch. player: his number. delay: so many turns late he hears of them."""

    player: int
    delay: int = 0


@dataclass(frozen=True, slots=True)
class Unwatched:
    """Somebody watches no more."""

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
"""Facts that are instants."""
_EARLIER_KINDS = {"DrawOffered": EndOffered.__name__, "DrawWithdrawn": OfferWithdrawn.__name__}
"""Kinds of events that are kept from before, when a draw was all that could be proposed."""


def write_event(event: Event) -> tuple[str, dict[str, Json]]:
    """Return an event's kind and its facts as plain data."""
    facts = {name: _plain(getattr(event, name)) for name in event.__dataclass_fields__}
    return type(event).__name__, facts


DAMAGED = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What is raised where an event is read, or gone by, that was changed from outside, or is of another release."""


def read_event(kind: str, facts: Mapping[str, Json]) -> Event:
    """Return the event that write_event wrote. Raises KeyError for a kind of another release, one of DAMAGED for what
    it never wrote."""
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
    """Return of what types the facts of a kind of event are."""
    return {name: tuple(_types(hint)) for name, hint in get_type_hints(_KINDS[kind]).items()}


def _types(hint: Any) -> Iterator[type[Any]]:
    """Yield the types of what an annotation allows, whatever they hold."""
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
