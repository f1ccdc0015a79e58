"""One game being played: built by folding its events, never changed in place."""

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
        changes = changes_by(event, self)
        if self.timed:
            ended = changes.get("status") == "ended"
            changes["times"] = facts_after(self.times, event, self.seats, ended=ended)
        return replace(self, last_event=self.last_event + 1, **changes)


Changes = dict[str, Any]
"""The fields of a game that an event changes, by their names."""


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


# --- before it begins


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


# --- what is played


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
    """What nobody else hears of changes nothing that anybody else might notice, not even the newest receipt."""
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
    # What was planned, proposed or asked was meant for what stands no more.
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


# --- what is planned, proposed and asked


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
    """What players have planned, proposed or wished for themselves goes with them; what their seat has heard stays."""
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
    """What was given for a move is used up with it, and not with an order that is no further move (TM-1.8)."""
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
