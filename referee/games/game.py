"""A game in play: built by folding its events, and never changed in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, singledispatch
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


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's plan.

    plan: in canonical form (see conditional_orders).
    since: the number of happenings in the game when the plan's first order was tried; None before that.
    waits_for: the other seat's proposal that the plan's owner had not read when leaving the plan; None for
        none.
    """

    plan: str = field(repr=False)
    since: int | None = None
    waits_for: Offer | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """An order that was ruled on, or an opening of sealed answers. before: how many happenings preceded it."""

    event: Ruled | Confided | SealOpened
    before: int


@dataclass(frozen=True, slots=True)
class Undone:
    """Turns that an umpire took back.

    back: the event that did so.
    happenings, given: what no longer counts, oldest first.
    """

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
        """Whether sealed answers were opened after the last of these orders."""
        public = [each.event for each in self.given if not isinstance(each.event, Confided)]
        return bool(public) and isinstance(public[-1], SealOpened)


@dataclass(frozen=True)
class Game:
    """A game of a rulebook, as of its last event.

    `position` is the whole truth and is given to the rulebook alone; `view` is what a seat may know.
    """

    number: int
    rulebook: Rulebook = field(repr=False)
    status: Status
    proposed_by: int | None = None
    proposed_to: int | None = None
    colour: Seat | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    seats: Mapping[Seat, int] = field(default_factory=dict)
    commitment: str = ""
    deal_set: bool = False
    deal: str = field(default="", repr=False)
    """As set by an umpire; "" where everything was drawn."""
    secret: bytes = field(default=b"", repr=False)
    chain: str = ""
    """The last link of its chain of receipts; before the first receipt, the commitment that starts the chain."""
    position: Any = field(default=None, repr=False)
    happenings: tuple[Happening, ...] = field(default=(), repr=False)
    """Everything that has happened, including what was taken back: it only grows."""
    branches: tuple[Undone, ...] = field(default=(), repr=False)
    """What was taken back, oldest first."""
    orders: tuple[Given, ...] = field(default=(), repr=False)
    """The orders that count, including those that only one seat has heard of, and openings of seals, oldest first."""
    stands: int = 0
    """The number of its happenings that count."""
    views: Mapping[Seat, Any] = field(default_factory=dict, repr=False)
    """What each seat knows: built happening by happening from what it heard and counts, and from nothing else."""
    offer: Offer | None = None
    """The proposed end that awaits an answer; None for none."""
    resigning: frozenset[Seat] = frozenset()
    checked_in: frozenset[Seat] = frozenset()
    frozen: str = ""
    """The umpire's reason for freezing the game; "" while it is not frozen."""
    unreachable: frozenset[Seat] = frozenset()
    """Seats whose mail bounces."""
    muted: frozenset[Seat] = frozenset()
    """Seats that have muted their opponent's press."""
    rematch_of: int | None = None
    """The game of which this proposal is a rematch with colours swapped."""
    conditions: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Conditions for joining, while the game is open to all; see join_conditions."""
    rounds: int = 0
    """How often the terms were countered before the game began."""
    terms_after: int = 0
    """The number of letters about it that the invited player had been sent before the terms were these."""
    plans: Mapping[Seat, Standing] = field(default_factory=dict, repr=False)
    """The seats' plans for their coming turns. Each is secret from the other seat."""
    watchers: Mapping[int, int] = field(default_factory=dict, repr=False)
    """Numbers of the players who watch, and by how many turns each one's reports are delayed; kept at the end."""
    delays: Mapping[int, int] = field(default_factory=dict, repr=False)
    """By how many turns reports were delayed for everyone who ever watched, as last agreed."""
    newcomers: tuple[int, ...] = ()
    """Players who began to watch since the last order that was ruled on."""
    to_all: Mapping[int, int] = field(default_factory=dict, repr=False)
    """Press to all readers: text numbers, oldest first, with the number of happenings that everyone had heard by then.
    """
    competition: int | None = None
    """The number of the event that it belongs to."""
    brought: int | None = None
    """For a game that was played elsewhere before: the number of attempts in its record."""
    times: Facts = field(default=(), repr=False)
    """The facts that affect its clocks."""
    _reckoned: Reckoned = field(default_factory=Reckoned, repr=False, compare=False)
    """The clocks as last computed; shared with the games that later events make of this one."""
    consent: Consent = field(default_factory=Consent)
    """The state of its players' pause by consent."""
    time_up: frozenset[Seat] = frozenset()
    """Seats whose time is up, so that their opponent was told that they may claim the game."""
    paused: Paused | None = None
    """The latest pause by an umpire; it may have ended by itself."""
    added: tuple[TimeAdded, ...] = field(default=(), repr=False)
    """The times that umpires added, oldest first."""
    given: tuple[TimeAdded, ...] = ()
    """Those of the added times that are for moves yet to be made."""
    former: Mapping[int, Seat] = field(default_factory=dict, repr=False)
    """Numbers of former players, and their seats."""
    replaced: tuple[Replaced, ...] = field(default=(), repr=False)
    """The replacements of players, oldest first."""
    last_event: int = 0

    @property
    def chance(self) -> Chance:
        """The game's own random draws."""
        return Chance(self.secret)

    @property
    def result(self) -> Result | None:
        """The result; None before the end."""
        return self.rulebook.rules.result(self.position) if self.position is not None else None

    @property
    def receipt(self) -> str:
        """The latest receipt: 64 hex digits, "" before the first ruling."""
        return "" if self.chain == self.commitment else self.chain

    @property
    def proof(self) -> Mapping[str, str]:
        """The lines of a finished game's record by which anybody can check deal and answers; empty before the end."""
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
        """The question that each seat has to answer."""
        return self.rulebook.rules.due(self.position) if self.status == "playing" else {}

    @cached_property
    def timed(self) -> bool:
        """Whether time is counted."""
        return is_timed(self.options)

    def clocks(
        self,
        calendar: Calendar = EVERY_DAY,
        outside: Iterable[Fact] = (),
        now: datetime | None = None,
    ) -> Ledger:
        """Return the game's clocks; see clock_events.clocks_of. Where no time is counted, nobody's time runs out."""
        control = control_of(self.options)
        return clocks_of(
            control, self.seats, self.times, calendar=calendar, outside=outside, now=now, last=self._reckoned
        )

    def seat_of(self, player: int) -> Seat | None:
        """Return a player's seat, None for no seat."""
        return next((seat for seat, who in self.seats.items() if who == player), None)

    def concerns(self, player: int) -> bool:
        """Return whether a player has a seat in the game or, before it begins, proposed it or is asked to play it."""
        return player in (self.seats.values() or (self.proposed_by, self.proposed_to))

    def heard(self, seat: Seat) -> tuple[Happening, ...]:
        """Return what a seat has heard, oldest first; OBSERVER has heard what every seat has.

        What was taken back remains heard: the list only grows.
        """
        if seat == OBSERVER:
            return heard_by_all(self.happenings, self.rulebook.seats)
        return tuple(each for each in self.happenings if seat in each.heard_by)

    def view(self, seat: Seat) -> Any:
        """Return what a seat knows. Raises LookupError for a seat that has heard nothing.

        An observer's view is built only on demand, so that a game that nobody watches doesn't pay for it.
        """
        return self._public[1] if seat == OBSERVER else self.views[seat]

    @cached_property
    def _public(self) -> tuple[tuple[Happening, ...], Any]:
        heard = self.heard(OBSERVER)
        return heard, self.rulebook.rules.view(heard, OBSERVER)

    def heard_late(self, delay: int) -> tuple[Happening, ...]:
        """Return what an observer with a delay has heard by now; everything once the game is over.

        They have heard what had happened when the turn began that lies `delay` turns before the present one, so
        nothing of the last `delay` turns and the present one. Turns that were taken back count like others, and
        news of a take-back is delayed as well.
        """
        heard, _ = self._public
        if not delay or self.status != "playing":
            return heard
        return heard[: self._late(heard, delay)]

    def _late(self, heard: tuple[Happening, ...], delay: int) -> int:
        """Return how many of these had been heard when the turn began that lies `delay` turns before their last.

        All of them where no turn has begun yet, as during the set-up.
        """
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
        """Return the latest receipt as of the moment when an observer had heard only these; "" before the first."""
        chain = last_receipt(self.commitment, self.secret, map(self.rulebook.records.recorded, heard))
        return "" if chain == self.commitment else chain

    def after(self, event: Event) -> Game:
        """Return the game after one more event."""
        changes = changes_by(event, self)
        if self.timed:
            ended = changes.get("status") == "ended"
            changes["times"] = facts_after(self.times, event, self.seats, ended=ended)
        changes["last_event"] = self.last_event + 1
        return self._with(changes)

    def _with(self, changes: Changes) -> Game:
        """Return this game with some fields changed.

        A game is added up from hundreds of events, and has more than forty fields: `replace` would take longer than the
        rules do.
        """
        other = object.__new__(Game)
        values = self.__dict__ | changes
        for name in _WORKED_OUT:
            values.pop(name, None)
        other.__dict__.update(values)
        return other


_WORKED_OUT = tuple(name for name, value in vars(Game).items() if isinstance(value, cached_property))
"""What a game works out of its fields when it is first asked."""
Changes = dict[str, Any]
"""The fields of a game that an event changes, by name."""


@singledispatch
def changes_by(event: object, game: Game) -> Changes:
    """Return what an event changes in a game. Every kind of event has its own function below."""
    raise TypeError(f"no event: {type(event).__name__}")


@changes_by.register
def _(
    event: ClockStarted | Stated | Noted | Claimed | ClaimAnswered | Appealed,
    game: Game,
) -> Changes:
    return {}


# --- before the game begins


@changes_by.register
def _(event: Proposed, game: Game) -> Changes:
    return {
        "status": "proposed",
        "proposed_by": event.by,
        "proposed_to": event.to,
        "colour": event.colour,
        "options": event.options,
        "rematch_of": event.rematch_of,
        "conditions": event.conditions,
    }


@changes_by.register
def _(event: Countered, game: Game) -> Changes:
    return {
        "proposed_by": event.by,
        "proposed_to": game.proposed_by,
        "colour": event.colour,
        "options": event.options,
        "rounds": game.rounds + 1,
        "terms_after": event.after,
    }


@changes_by.register
def _(event: Declined, game: Game) -> Changes:
    return {"status": "declined"}


@changes_by.register
def _(event: Withdrawn, game: Game) -> Changes:
    return {"status": "withdrawn"}


@changes_by.register
def _(event: Opened, game: Game) -> Changes:
    opened: Changes = {
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
    return opened | _heard(replace(game, **opened), event.happenings)


# --- play


@changes_by.register
def _(event: Ruled, game: Game) -> Changes:
    lapses = game.offer is not None and game.offer.by != event.seat
    ruled: Changes = {
        "offer": None if lapses else game.offer,
        "resigning": game.resigning - {event.seat},
        "newcomers": (),
        "given": _given_after(game, event),
    }
    plan = Standing(event.plan, len(game.happenings)) if event.plan else None
    ruled["plans"] = _plans_with(game, event.seat, plan)
    ruled["orders"] = (*game.orders, Given(event, game.stands))
    if game.timed:
        ruled |= {"consent": game.consent.moved(), "time_up": game.time_up - {event.seat}}
    return ruled | _heard(game, event.happenings)


@changes_by.register
def _(event: Confided, game: Game) -> Changes:
    """Change nothing that the opponent or an observer could notice, not even the latest receipt."""
    confided: Changes = {"orders": (*game.orders, Given(event, game.stands))}
    if event.moved and not event.again:
        confided["given"] = tuple(each for each in game.given if each.seat != event.seat)
    if event.moved:
        confided["time_up"] = game.time_up - {event.seat}
    return confided | _heard(game, event.happenings) | {"chain": game.chain}


@changes_by.register
def _(event: SealOpened, game: Game) -> Changes:
    return {"orders": (*game.orders, Given(event, game.stands))} | _heard(game, event.happenings)


@changes_by.register
def _(event: TakenBack, game: Game) -> Changes:
    # Plans, proposals and unconfirmed resignations referred to what no longer counts.
    dropped: Changes = {"offer": None, "resigning": frozenset(), "plans": {}}
    if game.timed:
        dropped |= {"consent": game.consent.moved(), "time_up": frozenset()}
    rulebook, happenings = game.rulebook, (*game.happenings, *event.happenings)
    before, stands = rulebook.rules.standing(game.happenings), rulebook.rules.standing(happenings)
    gone = tuple(each for each in game.orders if each.before >= len(stands))
    position = None
    for happening in stands:
        position = rulebook.rules.fold(position, happening)
    views = {
        seat: rulebook.rules.view(tuple(each for each in happenings if seat in each.heard_by), seat)
        for seat in game.views
    }
    return dropped | {
        "position": position,
        "happenings": happenings,
        "views": views,
        "branches": (*game.branches, Undone(event, before[len(stands) :], gone)),
        "orders": game.orders[: len(game.orders) - len(gone)],
        "stands": len(stands),
        "chain": last_receipt(game.chain, game.secret, map(rulebook.records.recorded, event.happenings)),
    }


@changes_by.register
def _(event: Ended, game: Game) -> Changes:
    return _heard(game, event.happenings)


# --- plans, proposals and resignations


@changes_by.register
def _(event: Planned, game: Game) -> Changes:
    offer = game.offer
    unread = offer is not None and offer.by != event.seat and event.seen <= offer.after
    standing = Standing(event.plan, waits_for=offer if unread else None)
    return {"plans": _plans_with(game, event.seat, standing)}


@changes_by.register
def _(event: PlanDropped, game: Game) -> Changes:
    return {"plans": _plans_with(game, event.seat, None)}


@changes_by.register
def _(event: EndOffered, game: Game) -> Changes:
    return {"offer": Offer(event.seat, event.end, event.after, event.told)}


@changes_by.register
def _(event: OfferWithdrawn, game: Game) -> Changes:
    return {"offer": None}


@changes_by.register
def _(event: ResignationAsked, game: Game) -> Changes:
    return {"resigning": game.resigning | {event.seat}}


@changes_by.register
def _(event: ResignationDropped, game: Game) -> Changes:
    return {"resigning": game.resigning - {event.seat}}


# --- pauses and time


@changes_by.register
def _(event: PauseOffered, game: Game) -> Changes:
    consent, _ = game.consent.want(event.seat, game.seats, event.at, event.until)
    return {"consent": consent}


@changes_by.register
def _(event: PauseWithdrawn, game: Game) -> Changes:
    return {"consent": Consent()}


@changes_by.register
def _(event: Paused, game: Game) -> Changes:
    if event.cause == CONSENT:
        return {"consent": Consent(frozenset(game.seats), event.until, paused=True)}
    return {"paused": event} if event.cause == BY_UMPIRE else {}


@changes_by.register
def _(event: Resumed, game: Game) -> Changes:
    if event.cause == CONSENT:
        return {"consent": replace(game.consent, ends=event.at)}
    return {"paused": None} if event.cause == BY_UMPIRE else {}


@changes_by.register
def _(event: TimeAdded, game: Game) -> Changes:
    return {
        "added": (*game.added, event),
        "given": (*game.given, event),
        "time_up": game.time_up - {event.seat},
    }


@changes_by.register
def _(event: TimeUp, game: Game) -> Changes:
    return {"time_up": game.time_up | {event.seat}}


@changes_by.register
def _(event: Frozen, game: Game) -> Changes:
    return {"frozen": event.reason}


@changes_by.register
def _(event: Thawed, game: Game) -> Changes:
    return {"frozen": ""}


# --- its people


@changes_by.register
def _(event: CheckedIn, game: Game) -> Changes:
    return {"checked_in": game.checked_in | {event.seat}}


@changes_by.register
def _(event: Unreachable, game: Game) -> Changes:
    return {"unreachable": game.unreachable | {event.seat}}


@changes_by.register
def _(event: Reachable, game: Game) -> Changes:
    return {"unreachable": game.unreachable - {event.seat}}


@changes_by.register
def _(event: Muted, game: Game) -> Changes:
    return {"muted": game.muted | {event.seat}}


@changes_by.register
def _(event: Unmuted, game: Game) -> Changes:
    return {"muted": game.muted - {event.seat}}


@changes_by.register
def _(event: Pressed, game: Game) -> Changes:
    return {"to_all": {**game.to_all, event.text: len(game.heard(OBSERVER))}} if event.to == "all" else {}


@changes_by.register
def _(event: Watched, game: Game) -> Changes:
    return {
        "watchers": {**game.watchers, event.player: event.delay},
        "delays": {**game.delays, event.player: event.delay},
        "newcomers": (*game.newcomers, event.player),
    }


@changes_by.register
def _(event: Unwatched, game: Game) -> Changes:
    left = {who: delay for who, delay in game.watchers.items() if who != event.player}
    newcomers = tuple(who for who in game.newcomers if who != event.player)
    return {"watchers": left, "newcomers": newcomers}


@changes_by.register
def _(event: Replaced, game: Game) -> Changes:
    """Drop the former player's plans, proposals and wishes; what the seat has heard remains."""
    seat = event.seat
    former = {who: where for who, where in game.former.items() if who != event.player}
    return {
        "seats": {**game.seats, seat: event.player},
        "former": {**former, event.before: seat},
        "replaced": (*game.replaced, event),
        "plans": _plans_with(game, seat, None),
        "offer": None if game.offer is not None and game.offer.by == seat else game.offer,
        "resigning": game.resigning - {seat},
        "checked_in": game.checked_in - {seat},
        "unreachable": game.unreachable - {seat},
        "muted": game.muted - {seat},
        "time_up": game.time_up - {seat},
        "consent": game.consent if game.consent.paused else Consent(),
    }


def _given_after(game: Game, event: Ruled) -> tuple[TimeAdded, ...]:
    """Return the added times that remain: a move uses up those of its seat, and a replaced order does not (TM-1.8)."""
    if not is_a_move(game.times, event):
        return game.given
    return tuple(each for each in game.given if each.seat != event.seat)


def _plans_with(game: Game, seat: Seat, plan: Standing | None) -> dict[Seat, Standing]:
    others = {each: standing for each, standing in game.plans.items() if each != seat}
    return others if plan is None else {**others, seat: plan}


def _heard(game: Game, happenings: Sequence[Happening]) -> Changes:
    position, views = game.position, dict(game.views)
    for happening in happenings:
        position = game.rulebook.rules.fold(position, happening)
        for seat in happening.heard_by:
            views[seat] = game.rulebook.rules.hear(views.get(seat), happening, seat)
    heard = {
        "position": position,
        "happenings": (*game.happenings, *happenings),
        "stands": game.stands + len(happenings),
        "views": views,
        "chain": last_receipt(game.chain, game.secret, map(game.rulebook.records.recorded, happenings)),
    }
    if position is None or game.rulebook.rules.result(position) is None:
        return heard
    # A plan that the end cuts short remains, so that its owner can be told.
    return heard | {"status": "ended", "offer": None, "resigning": frozenset(), "frozen": ""}


def fold_game(
    number: int,
    events: Iterable[Event],
    find_rulebook: Callable[[str], Rulebook],
    before: Game | None = None,
) -> Game | None:
    """Return the game that these events make; None when there are none.

    before: the game that these events continue; None where they are all of its events.
    Raises GameUnreadable when no game can be made of them.
    """
    game = before
    try:
        for event in events:
            game = (game or _begun(number, event, find_rulebook)).after(event)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise GameUnreadable(number, error) from error
    return game


def _begun(number: int, event: Event, find_rulebook: Callable[[str], Rulebook]) -> Game:
    if not isinstance(event, Proposed | Opened):
        raise TypeError(f"game {number} begins with {type(event).__name__}")
    return Game(number=number, rulebook=find_rulebook(event.rules), status="proposed")


def happenings_of(event: Event) -> tuple[Happening, ...]:
    """Return the happenings of an event; empty for most kinds."""
    ruled = Opened | Ruled | Confided | SealOpened | TakenBack | Ended
    return event.happenings if isinstance(event, ruled) else ()


def turn_for_all(rulebook: Rulebook, happenings: Iterable[Happening]) -> int:
    """Return the turn that was being played after some happenings, as everybody could tell."""
    return rulebook.rules.turn(rulebook.rules.view(heard_by_all(happenings, rulebook.seats), OBSERVER))
