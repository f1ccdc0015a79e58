"""One game being played: built by folding its events, never changed in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from referee.common.chance import Chance
from referee.common.errors import GameUnreadable
from referee.games.clock_events import BY_UMPIRE, Facts, Reckoned, clocks_of, facts_after, is_a_move
from referee.games.clocks.calendar import EVERY_DAY, Calendar
from referee.games.clocks.consent import CAUSE as CONSENT
from referee.games.clocks.consent import Consent
from referee.games.clocks.ledger import Fact, Ledger
from referee.games.events import (
    Appealed,
    CheckedIn,
    ClaimAnswered,
    Claimed,
    ClockStarted,
    Confided,
    Countered,
    Declined,
    Ended,
    EndOffered,
    Event,
    Frozen,
    Muted,
    Noted,
    OfferWithdrawn,
    Opened,
    Paused,
    PauseOffered,
    PauseWithdrawn,
    PlanDropped,
    Planned,
    Pressed,
    Proposed,
    Reachable,
    Replaced,
    ResignationAsked,
    ResignationDropped,
    Resumed,
    Ruled,
    SealOpened,
    Stated,
    TakenBack,
    Thawed,
    TimeAdded,
    TimeUp,
    Unmuted,
    Unreachable,
    Unwatched,
    Watched,
    Withdrawn,
)
from referee.games.game_options import control_of, is_timed
from referee.games.proof import proof_lines
from referee.games.receipts import last_receipt
from referee.games.results import Offer
from referee.rulebooks.branches import TAKEN_BACK, read_taken_back
from referee.rulebooks.rulebook import (
    OBSERVER,
    Happening,
    Question,
    Result,
    Rulebook,
    Seat,
    heard_by_all,
)

Status = Literal["proposed", "playing", "ended", "declined", "withdrawn"]
AnyRulebook = Rulebook


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's plan as it stands. plan: canonical (see plans).

    since: its first order was tried, and the game's happenings began so many before; None while it is still to come.
    waits_for: what the other seat had proposed when the plan was left, and its owner had not read; None for nothing.
    """

    plan: str = field(repr=False)
    since: int | None = None
    waits_for: Offer | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """An order that was ruled on, or an opening of sealed answers. before: so many happenings stood before it."""

    event: Ruled | Confided | SealOpened
    before: int


@dataclass(frozen=True, slots=True)
class Undone:
    """Turns that an umpire has taken back. back: by what event. happenings, given: what stands no more, oldest
    first."""

    back: TakenBack
    happenings: tuple[Happening, ...] = field(repr=False)
    given: tuple[Given, ...] = field(default=(), repr=False)

    @property
    def turns(self) -> tuple[tuple[Seat, str], ...]:
        """The orders among them that made turns, each with its seat."""
        return tuple(
            (each.event.seat, each.event.order) for each in self.given if isinstance(each.event, Ruled)
        )

    @property
    def opened(self) -> bool:
        """Whether sealed answers were opened behind the last of these."""
        public = [each.event for each in self.given if not isinstance(each.event, Confided)]
        return bool(public) and isinstance(public[-1], SealOpened)


@dataclass(frozen=True)
class Game:
    """A play of a rulebook, as of its last event.

    position is the whole truth and goes to the rulebook alone; `view` is what a seat may know.
    """

    number: int
    rulebook: AnyRulebook = field(repr=False)
    status: Status
    proposed_by: int | None = None
    proposed_to: int | None = None
    colour: Seat | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    seats: Mapping[Seat, int] = field(default_factory=dict)
    commitment: str = ""
    deal_set: bool = False
    deal: str = field(default="", repr=False)
    """As an umpire set it; "" where all was drawn."""
    secret: bytes = field(default=b"", repr=False)
    chain: str = ""
    """The last link of its receipts; before the first, the commitment they begin with."""
    position: Any = field(default=None, repr=False)
    happenings: tuple[Happening, ...] = field(default=(), repr=False)
    """All that has happened, what was taken back as well: it only ever grows."""
    branches: tuple[Undone, ...] = field(default=(), repr=False)
    """What was taken back, oldest first."""
    orders: tuple[Given, ...] = field(default=(), repr=False)
    """The orders that stand, those which one seat alone has heard of as well, and what was opened, oldest first."""
    stands: int = 0
    """So many of its happenings stand."""
    views: Mapping[Seat, Any] = field(default_factory=dict, repr=False)
    """What each seat knows: added up, happening by happening, from what it heard and stands, and from nothing else."""
    offer: Offer | None = None
    """How a seat has proposed to end it; None where nothing of the kind waits."""
    resigning: frozenset[Seat] = frozenset()
    checked_in: frozenset[Seat] = frozenset()
    frozen: str = ""
    """Why the umpire has stopped it for the time being; "" while it goes on."""
    unreachable: frozenset[Seat] = frozenset()
    """Seats whose letters come back."""
    muted: frozenset[Seat] = frozenset()
    """Seats that want no press of their opponent's."""
    rematch_of: int | None = None
    """The game that this one, proposed, is to repeat with the colours exchanged."""
    conditions: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """On whoever joins, as long as it is open to all; see join_conditions."""
    rounds: int = 0
    """How often its terms were answered with others before it began."""
    terms_after: int = 0
    """So many letters about it had been written to whom it is offered to, before the terms were these."""
    plans: Mapping[Seat, Standing] = field(default_factory=dict, repr=False)
    """What seats have planned for their coming turns. Secret, each from the other."""
    watchers: Mapping[int, int] = field(default_factory=dict, repr=False)
    """Players who watch, by their numbers, and how many turns late each hears; those at the end stay."""
    delays: Mapping[int, int] = field(default_factory=dict, repr=False)
    """How many turns late each heard who ever watched, when he began to last."""
    newcomers: tuple[int, ...] = ()
    """Who began to watch since the last order that was ruled on."""
    to_all: Mapping[int, int] = field(default_factory=dict, repr=False)
    """What players wrote to all who may read, by numbers, oldest first: how many happenings all had heard by then."""
    competition: int | None = None
    """The event that it belongs to."""
    brought: int | None = None
    """For a game that was played elsewhere before: how many attempts were, by its record."""
    times: Facts = field(default=(), repr=False)
    """What has happened in it that bears on its clocks."""
    _reckoned: Reckoned = field(default_factory=Reckoned, repr=False, compare=False)
    """Its clocks as reckoned last, for what it becomes as well."""
    consent: Consent = field(default_factory=Consent)
    """How far its players have come with a pause."""
    time_up: frozenset[Seat] = frozenset()
    """Seats whose time was up, so that their opponent was told that he may claim the game."""
    paused: Paused | None = None
    """The newest pause by an umpire; it may be over by its own end."""
    added: tuple[TimeAdded, ...] = field(default=(), repr=False)
    """What time umpires gave, oldest first."""
    given: tuple[TimeAdded, ...] = ()
    """What of it is for moves that have yet to be made."""
    former: Mapping[int, Seat] = field(default_factory=dict, repr=False)
    """Players who sat in it once, by their numbers, and where."""
    replaced: tuple[Replaced, ...] = field(default=(), repr=False)
    """How players gave up their seats to others, oldest first."""
    last_event: int = 0

    @property
    def chance(self) -> Chance:
        """The game's own dice."""
        return Chance(self.secret)

    @property
    def result(self) -> Result | None:
        """How it ended; None before."""
        return self.rulebook.rules.result(self.position) if self.position is not None else None

    @property
    def receipt(self) -> str:
        """The newest receipt: 64 hex digits, "" before anything was ruled."""
        return "" if self.chain == self.commitment else self.chain

    @property
    def proof(self) -> Mapping[str, str]:
        """What its record says, once it is over, so that anybody can check deal and answers; empty before."""
        if self.status != "ended":
            return {}
        return proof_lines(
            game=self.number,
            rules=self.rulebook.name,
            version=self.rulebook.version,
            options=self.options,
            deal=self.deal,
            commitment=self.commitment,
            secret=self.secret.hex(),
            chain=self.chain,
            brought=self.brought,
        )

    @cached_property
    def due(self) -> Mapping[Seat, Question]:
        """Who owes what."""
        return self.rulebook.rules.due(self.position) if self.status == "playing" else {}

    @cached_property
    def timed(self) -> bool:
        """Whether time is counted in it."""
        return is_timed(self.options)

    def clocks(
        self,
        calendar: Calendar = EVERY_DAY,
        outside: Iterable[Fact] = (),
        now: datetime | None = None,
    ) -> Ledger:
        """Return how its clocks stand; see clocks.clocks_of. Where no time is counted, nobody's is ever up."""
        control = control_of(self.options)
        return clocks_of(
            control, self.seats, self.times, calendar=calendar, outside=outside, now=now, last=self._reckoned
        )

    def seat_of(self, player: int) -> Seat | None:
        """Return where a player sits, None when he does not."""
        return next((seat for seat, who in self.seats.items() if who == player), None)

    def concerns(self, player: int) -> bool:
        """Return whether a player sits in the game; before it begins, whether he proposed it or is asked to play it."""
        return player in (self.seats.values() or (self.proposed_by, self.proposed_to))

    def heard(self, seat: Seat) -> tuple[Happening, ...]:
        """Return what a seat has heard, oldest first; OBSERVER has heard what every seat has.

        What was taken back stays heard: it only ever grows.
        """
        if seat == OBSERVER:
            return heard_by_all(self.happenings, self.rulebook.seats)
        return tuple(each for each in self.happenings if seat in each.heard_by)

    def view(self, seat: Seat) -> Any:
        """Return what a seat knows. Raises LookupError for a seat that has heard nothing.

        An observer's view is added up when somebody asks for it, so that a game that nobody watches has no cost of it.
        """
        return self._public[1] if seat == OBSERVER else self.views[seat]

    @cached_property
    def _public(self) -> tuple[tuple[Happening, ...], Any]:
        heard = self.heard(OBSERVER)
        return heard, self.rulebook.rules.view(heard, OBSERVER)

    def heard_late(self, delay: int) -> tuple[Happening, ...]:
        """Return what an observer has heard by now who hears so many turns late: all that had happened when the turn
        came that lies so many before the present one. Once the game is over, he hears all.

        So of the last `delay` turns, and of the one that is being played, he has heard nothing. Turns that were taken
        back count as any others, and that they were he hears as late.
        """
        heard, _ = self._public
        if not delay or self.status != "playing":
            return heard
        return heard[: self._late(heard, delay)]

    def _late(self, heard: tuple[Happening, ...], delay: int) -> int:
        """Return how many of these had been heard when the turn came that lies so many before the one they end in; all
        where none has come yet, as while sides are set up."""
        rulebook = self.rulebook
        turn = rulebook.rules.turn(rulebook.rules.view(heard, OBSERVER)) - delay
        back = max((place for place, each in enumerate(heard) if each.code == TAKEN_BACK), default=None)
        if back is not None:
            begins = read_taken_back(heard[back]).turn
            if turn == begins:
                return back + 1
            if turn < begins:
                return self._late(heard[:back], begins - turn)
        came = (rulebook.rules.turn_of(heard, seat, max(1, turn)) for seat in rulebook.seats)
        return min((count for count in came if count is not None), default=len(heard))

    def receipt_of(self, heard: Iterable[Happening]) -> str:
        """Return the newest receipt when no more than this had been heard by an observer; "" before the first."""
        chain = last_receipt(self.commitment, self.secret, map(self.rulebook.records.recorded, heard))
        return "" if chain == self.commitment else chain

    def after(self, event: Event) -> Game:
        """Return the game after one more event."""
        changes = self._changes(event)
        if self.timed:
            ended = changes.get("status") == "ended"
            changes["times"] = facts_after(self.times, event, self.seats, ended=ended)
        return replace(self, last_event=self.last_event + 1, **changes)

    def _changes(self, event: Event) -> dict[str, Any]:
        match event:
            case Proposed():
                return {
                    "status": "proposed",
                    "proposed_by": event.by,
                    "proposed_to": event.to,
                    "colour": event.colour,
                    "options": event.options,
                    "rematch_of": event.rematch_of,
                    "conditions": event.conditions,
                }
            case Countered():
                return {
                    "proposed_by": event.by,
                    "proposed_to": self.proposed_by,
                    "colour": event.colour,
                    "options": event.options,
                    "rounds": self.rounds + 1,
                    "terms_after": event.after,
                }
            case Declined():
                return {"status": "declined"}
            case Withdrawn():
                return {"status": "withdrawn"}
            case Opened():
                opened: dict[str, Any] = {
                    "status": "playing",
                    "options": event.options,
                    "seats": event.seats,
                    "commitment": event.commitment,
                    "deal_set": event.deal_set,
                    "deal": event.deal,
                    "secret": event.secret,
                    "chain": event.commitment,
                    "competition": event.competition,
                    "brought": event.brought,
                }
                return opened | replace(self, **opened)._heard_changes(event.happenings)
            case CheckedIn():
                return {"checked_in": self.checked_in | {event.seat}}
            case Ruled():
                lapses = self.offer is not None and self.offer.by != event.seat
                ruled: dict[str, Any] = {
                    "offer": None if lapses else self.offer,
                    "resigning": self.resigning - {event.seat},
                    "newcomers": (),
                    "given": self._given_after(event),
                }
                plan = Standing(event.plan, len(self.happenings)) if event.plan else None
                ruled["plans"] = self._plans_with(event.seat, plan)
                ruled["orders"] = (*self.orders, Given(event, self.stands))
                if self.timed:
                    ruled |= {"consent": self.consent.moved(), "time_up": self.time_up - {event.seat}}
                return ruled | self._heard_changes(event.happenings)
            case Confided():
                return self._confided(event)
            case SealOpened():
                opened_by = {"orders": (*self.orders, Given(event, self.stands))}
                return opened_by | self._heard_changes(event.happenings)
            case TakenBack():
                # What was planned, proposed or asked was meant for what stands no more.
                dropped: dict[str, Any] = {"offer": None, "resigning": frozenset(), "plans": {}}
                if self.timed:
                    dropped |= {"consent": self.consent.moved(), "time_up": frozenset()}
                return dropped | self._taken_back(event)
            case Planned():
                return {
                    "plans": self._plans_with(event.seat, Standing(event.plan, waits_for=self._unread(event)))
                }
            case PlanDropped():
                return {"plans": self._plans_with(event.seat, None)}
            case EndOffered():
                return {"offer": Offer(event.seat, event.end, event.after, event.told)}
            case ResignationAsked():
                return {"resigning": self.resigning | {event.seat}}
            case OfferWithdrawn():
                return {"offer": None}
            case ResignationDropped():
                return {"resigning": self.resigning - {event.seat}}
            case Frozen():
                return {"frozen": event.reason}
            case Thawed():
                return {"frozen": ""}
            case Unreachable():
                return {"unreachable": self.unreachable | {event.seat}}
            case Reachable():
                return {"unreachable": self.unreachable - {event.seat}}
            case PauseOffered():
                consent, _ = self.consent.want(event.seat, self.seats, event.at, event.until)
                return {"consent": consent}
            case PauseWithdrawn():
                return {"consent": Consent()}
            case Paused(cause=cause) if cause == CONSENT:
                agreed = frozenset(self.seats)
                return {"consent": Consent(agreed, event.until, paused=True)}
            case Resumed(cause=cause) if cause == CONSENT:
                return {"consent": replace(self.consent, ends=event.at)}
            case TimeUp():
                return {"time_up": self.time_up | {event.seat}}
            case Paused(cause=cause) if cause == BY_UMPIRE:
                return {"paused": event}
            case Resumed(cause=cause) if cause == BY_UMPIRE:
                return {"paused": None}
            case TimeAdded():
                return {
                    "added": (*self.added, event),
                    "given": (*self.given, event),
                    "time_up": self.time_up - {event.seat},
                }
            case Replaced():
                return self._replaced(event)
            case ClockStarted() | Paused() | Resumed() | Stated():
                return {}
            case Muted():
                return {"muted": self.muted | {event.seat}}
            case Unmuted():
                return {"muted": self.muted - {event.seat}}
            case Pressed(to="all"):
                return {"to_all": {**self.to_all, event.text: len(self.heard(OBSERVER))}}
            case Pressed() | Noted() | Claimed() | ClaimAnswered() | Appealed():
                return {}
            case Watched():
                return {
                    "watchers": {**self.watchers, event.player: event.delay},
                    "delays": {**self.delays, event.player: event.delay},
                    "newcomers": (*self.newcomers, event.player),
                }
            case Unwatched():
                left = {who: delay for who, delay in self.watchers.items() if who != event.player}
                newcomers = tuple(who for who in self.newcomers if who != event.player)
                return {"watchers": left, "newcomers": newcomers}
            case Ended():
                return self._heard_changes(event.happenings)

    def _given_after(self, event: Ruled) -> tuple[TimeAdded, ...]:
        """What was given for a move is used up with it, and not with an order that is no further move (TM-1.8)."""
        if not is_a_move(self.times, event):
            return self.given
        return tuple(each for each in self.given if each.seat != event.seat)

    def _confided(self, event: Confided) -> dict[str, Any]:
        """What nobody else hears of changes nothing that anybody else might notice, not even the newest receipt."""
        confided: dict[str, Any] = {"orders": (*self.orders, Given(event, self.stands))}
        if event.moved and not event.again:
            confided["given"] = tuple(each for each in self.given if each.seat != event.seat)
        if event.moved:
            confided["time_up"] = self.time_up - {event.seat}
        return confided | self._heard_changes(event.happenings) | {"chain": self.chain}

    def _unread(self, left: Planned) -> Offer | None:
        offer = self.offer
        return offer if offer is not None and offer.by != left.seat and left.seen <= offer.after else None

    def _plans_with(self, seat: Seat, plan: Standing | None) -> dict[Seat, Standing]:
        others = {each: standing for each, standing in self.plans.items() if each != seat}
        return others if plan is None else {**others, seat: plan}

    def _replaced(self, event: Replaced) -> dict[str, Any]:
        """What a player has planned, proposed or wished for himself goes with him; what his seat has heard stays."""
        seat = event.seat
        former = {who: where for who, where in self.former.items() if who != event.player}
        return {
            "seats": {**self.seats, seat: event.player},
            "former": {**former, event.before: seat},
            "replaced": (*self.replaced, event),
            "plans": self._plans_with(seat, None),
            "offer": None if self.offer is not None and self.offer.by == seat else self.offer,
            "resigning": self.resigning - {seat},
            "checked_in": self.checked_in - {seat},
            "unreachable": self.unreachable - {seat},
            "muted": self.muted - {seat},
            "time_up": self.time_up - {seat},
            "consent": self.consent if self.consent.paused else Consent(),
        }

    def _taken_back(self, event: TakenBack) -> dict[str, Any]:
        rulebook, happenings = self.rulebook, (*self.happenings, *event.happenings)
        before, stands = rulebook.rules.standing(self.happenings), rulebook.rules.standing(happenings)
        gone = tuple(each for each in self.orders if each.before >= len(stands))
        position = None
        for happening in stands:
            position = rulebook.rules.fold(position, happening)
        views = {
            seat: rulebook.rules.view(tuple(each for each in happenings if seat in each.heard_by), seat)
            for seat in self.views
        }
        return {
            "position": position,
            "happenings": happenings,
            "views": views,
            "branches": (*self.branches, Undone(event, before[len(stands) :], gone)),
            "orders": self.orders[: len(self.orders) - len(gone)],
            "stands": len(stands),
            "chain": last_receipt(self.chain, self.secret, map(rulebook.records.recorded, event.happenings)),
        }

    def _heard_changes(self, happenings: Sequence[Happening]) -> dict[str, Any]:
        position, views = self.position, dict(self.views)
        for happening in happenings:
            position = self.rulebook.rules.fold(position, happening)
            for seat in happening.heard_by:
                views[seat] = self.rulebook.rules.hear(views.get(seat), happening, seat)
        heard = {
            "position": position,
            "happenings": (*self.happenings, *happenings),
            "stands": self.stands + len(happenings),
            "views": views,
            "chain": last_receipt(self.chain, self.secret, map(self.rulebook.records.recorded, happenings)),
        }
        if position is None or self.rulebook.rules.result(position) is None:
            return heard
        # A plan that the end has cut short stays: its owner is told.
        return heard | {"status": "ended", "offer": None, "resigning": frozenset(), "frozen": ""}


def fold_game(
    number: int,
    events: Iterable[Event],
    find_rulebook: Callable[[str], AnyRulebook],
    before: Game | None = None,
) -> Game | None:
    """Return the game that these events made; None when there are none.

    before: the game as it was, which these events follow; None where they are all. Raises GameUnreadable when no game
    can be made of them.
    """
    game = before
    try:
        for event in events:
            game = (game or _begun(number, event, find_rulebook)).after(event)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise GameUnreadable(number, error) from error
    return game


def _begun(number: int, event: Event, find_rulebook: Callable[[str], AnyRulebook]) -> Game:
    if not isinstance(event, Proposed | Opened):
        raise TypeError(f"game {number} begins with {type(event).__name__}")
    return Game(number=number, rulebook=find_rulebook(event.rules), status="proposed")


def happenings_of(event: Event) -> tuple[Happening, ...]:
    """Return what an event has made happen by the rules: nothing for most of them."""
    ruled = Opened | Ruled | Confided | SealOpened | TakenBack | Ended
    return event.happenings if isinstance(event, ruled) else ()


def turn_for_all(rulebook: AnyRulebook, happenings: Iterable[Happening]) -> int:
    """Return the turn that was being played after some happenings, as everybody could tell."""
    return rulebook.rules.turn(rulebook.rules.view(heard_by_all(happenings, rulebook.seats), OBSERVER))
