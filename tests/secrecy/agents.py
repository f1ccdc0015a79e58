"""Two games of spies side by side, which differ only in who is the watched player's double agent.

Two of his spies have their types exchanged, one of which is the double agent. His opponent answers for that one as the
other of the two types would be answered, whichever he is asked about; so he confides other things in the one game than
in the other, at other times and in other letters. All that others may hear of is written at the same hours in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, cast

from referee.games.game import Game
from referee.games.tournaments.tournament import Competition
from referee.rulebooks.confusion.compass import square_after
from referee.rulebooks.confusion.options import write_deal
from referee.rulebooks.confusion.position import Deal
from referee.rulebooks.confusion.possible import mover, possible_moves
from referee.rulebooks.rulebook import Happening, OrderLine, Seat
from referee.rulebooks.spies.adjudicate import adjudicate
from referee.rulebooks.spies.answering import answer_by, asked_about, opened
from referee.rulebooks.spies.edition import SEATS, TOKENS, Variants
from referee.rulebooks.spies.happenings import CONFIDED, REVEALED, SEALED
from referee.rulebooks.spies.notation import read_order, write_order
from referee.rulebooks.spies.options import VARIANTS
from referee.rulebooks.spies.orders import Answer, Double, Instruct, Move, SetUp
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import Position
from referee.rulebooks.spies.questions import due
from referee.rulebooks.spies.reading import is_turn, read_orders
from referee.rulebooks.spies.setting_up import usual
from referee.service.bootstrap import Application
from referee.service.game_list import list_games
from referee.service.queries import game_as, write_record
from referee.service.tournaments import TournamentService
from tests.rulebooks.spies.games import thoughts
from tests.rulebooks.spies.tables import after, view_of
from tests.secrecy.comparing import (
    hold_against_each_other,
    hold_looks_against_each_other,
    hold_receipts_apart,
    masked,
)
from tests.secrecy.privately import NAMES
from tests.secrecy.table import Look
from tests.secrecy.umpiring import umpire_acts
from tests.support.playing import SERVICE, Club, Correspondent, Delivered, new_database

THE_GAME = 1
WATCHED, OTHER, THIRD, UMPIRE = "Wendy", "Otto", "Carl", "Olga"
COMES_FOR = {WATCHED: "Nora", OTHER: "Nina"}
"""Who takes a seat, if an umpire replaces its player."""
READERS = (WATCHED, COMES_FOR[WATCHED], THIRD, UMPIRE)
"""Whoever is to learn nothing: the watched seat's players, whoever watches, and an officer, but for the evidence."""
EVENT = "Spring League"
APART = timedelta(minutes=9)
"""From one letter that is nobody else's affair to the next."""
HOUR = timedelta(hours=1)
OFTEN = timedelta(minutes=40)
"""So often the service looks at its clock and its mailbox, where time is counted; an hour and more is an outage."""
TIME = "3d/move"
UNANSWERED = timedelta(days=4)
"""So long whoever lets his time go by writes nothing."""
TRIES = 40
"""How often a turn is drawn anew before the game is given up."""

OF_THE_PAIR = 0.75
"""How often one of the two spies is tried that may be the double agent."""

Deals = Mapping[Seat, Deal]


@dataclass(frozen=True)
class TwoAgents:
    """What is dealt in the two games. pair: the letters that are exchanged. number: the type that is not the double
    agent's. agreed: options."""

    watched: Seat
    pair: tuple[str, str]
    number: int
    deals: tuple[Deals, Deals]
    variants: Variants
    agreed: Mapping[str, str]
    umpired: bool = False
    """It is a game of an event, in which one officer acts by letter."""
    in_office: bool = False
    """The watched player holds an office in it, too."""
    watchers: str = "on"

    @property
    def other(self) -> Seat:
        (other,) = (seat for seat in SEATS if seat != self.watched)
        return other

    @property
    def as_type(self) -> Instruct:
        """How the double agent is answered, whoever he is."""
        return Instruct("as", self.number)


def two_agents(seed: int, *, timed: bool = False) -> TwoAgents:
    """Draw what is played with and what is dealt."""
    beside = Random(f"{seed} beside")
    umpired = beside.random() < 0.5
    random = Random(f"{seed} dealt")
    watched = random.choice(SEATS)
    switches = {option: random.random() < 0.25 for option in VARIANTS if option != "code-of-honour"}
    tokens = {seat: frozenset(each for each in TOKENS if random.random() < 0.6) for seat in SEATS}
    named = {VARIANTS[option]: on for option, on in switches.items()}
    variants = Variants(tokens=tokens, **named)
    letters = variants.edition.letters
    one = {
        seat: dict(zip(letters, random.sample(range(1, len(letters) + 1), len(letters)), strict=True))
        for seat in SEATS
    }
    agent = next(letter for letter, number in one[watched].items() if number == len(letters))
    double = random.choice([letter for letter in letters if letter != agent])
    number = one[watched][double]
    other = {**one, watched: {**one[watched], agent: number, double: len(letters)}}
    agreed = {
        **{option: "on" for option, on in switches.items() if on},
        **{f"tokens.{seat}": ",".join(each for each in TOKENS if each in tokens[seat]) or "none" for seat in SEATS},
        **({"time": TIME, "lapse": beside.choice(("soft", "hard"))} if timed else {}),
        **({"sheets": "off"} if random.random() < 0.3 else {}),
    }  # fmt: skip
    return TwoAgents(
        watched,
        (agent, double),
        number,
        (one, other),
        variants,
        agreed,
        umpired,
        in_office=umpired and beside.random() < 0.3,
        watchers=beside.choice(("on", "on", "2")),
    )


class Room:
    """One of the two games, in a service of its own. own: the dice for what nobody else hears of."""

    def __init__(self, told: TwoAgents, deals: Deals, url: str, own: Random, first: Seat) -> None:
        self.told, self.own = told, own
        self.club = Club(url)
        self.heard: list[tuple[datetime, Delivered]] = []
        """All letters with the times at which they were written."""
        self.looks: list[Look] = []
        self.listed: list[object] = []
        """The games as they are listed for an operator, whenever he looks."""
        self.confided = 0
        """How often the opponent had to say himself what the double agent is answered."""
        self._stood: tuple[int, Game] | None = None
        self.mailboxes = {name: self.club.person(name) for name in (*READERS, OTHER, COMES_FOR[OTHER])}
        for name in (WATCHED, OTHER, THIRD, *([UMPIRE] if told.umpired else [])):
            self.mailboxes[name].writes(f"register {name}")
        self.people = {name: self.mailboxes[name] for name in (WATCHED, OTHER, THIRD, UMPIRE)}
        """Who plays what part by now."""
        if "time" in told.agreed:
            self.club.waits(timedelta(days=2))
        seats = {str(told.watched): self.people[WATCHED], str(told.other): self.people[OTHER]}
        deal = "; ".join(
            f"{seat.capitalize()}={write_deal(deals[seat], told.variants.edition)}" for seat in SEATS
        )
        agreed: dict[str, Any] = {**told.agreed}
        event = self._found_event() if told.umpired else ""
        self.club.starts(
            seats, rules="spies", first=first, deal=deal, watchers=told.watchers, event=event, **agreed
        )
        self.people[THIRD].writes(f"watch {THE_GAME}")
        self._keep(self.club.clock.at)

    def _found_event(self) -> str:
        """Let there be an event whose umpire writes; it is his own affair how often he has an overview, which tells who
        has written when."""
        secretary = TournamentService(self.club.store, self.club.service, self.club.clock, self.club.draws)
        agreed = {key: self.told.agreed[key] for key in ("time", "lapse") if key in self.told.agreed}
        terms: dict[str, Any] = {**agreed, "watchers": self.told.watchers}
        secretary.make(Competition(EVENT, rules=("spies",), leave=30, **terms))
        for name in (UMPIRE, *([WATCHED] if self.told.in_office else [])):
            secretary.appoint(EVENT, "umpire", ("", self.people[name].address))
        self.people[UMPIRE].writes("set overview off")
        return EVENT

    @property
    def game(self) -> Game:
        """The game as it stands."""
        now = len(self.club.exchanges)
        if self._stood is None or self._stood[0] != now:
            self._stood = (now, self.club.game(THE_GAME))
        return self._stood[1]

    @property
    def position(self) -> Position:
        return cast(Position, self.game.position)

    def does(self, at: datetime, how: Callable[[], object]) -> None:
        """Let something happen at an hour, and keep the letters that come of it."""
        self.until(at)
        how()
        self._keep(at)

    def until(self, at: datetime) -> None:
        """Let the time go by; where it is counted, the service looks at its clock all the while."""
        clock = self.club.clock
        assert clock.at <= at
        while "time" in self.told.agreed and clock.at < at:
            self.club.referee.letters.looked()
            self.club.store.retention.regular_for()
            clock.at = min(clock.at + OFTEN, at)
        clock.at = at

    def _keep(self, at: datetime) -> None:
        self.heard += [(at, letter) for letter in self.club.letters[len(self.heard) :]]

    def writes(self, at: datetime, name: str, *lines: str) -> None:
        """Let somebody answer the newest letter to him about the game."""
        who = self.people[name]
        self.does(at, lambda: who.replies(*lines, to=_about(who)))

    # what umpires and operators do

    def umpire_writes(self, at: datetime, line: str, *, means_it: bool) -> None:
        """Let the umpire ask what would follow, and perhaps say that he means it."""

        def how() -> None:
            asked = self.people[UMPIRE].writes(line)
            if means_it and asked.sent:
                self.people[UMPIRE].replies("confirm", to=asked.sent[-1])

        self.does(at, how)

    def seated_anew(self) -> None:
        """See who plays by now."""
        for name, comes in COMES_FOR.items():
            seat = self.told.watched if name == WATCHED else self.told.other
            if self.mailboxes[comes].letters and self.game.seats[seat] == self.number_of(comes):
                self.people[name] = self.mailboxes[comes]

    def comes(self, name: str) -> None:
        """Let somebody register who was not known before."""
        self.mailboxes[name].writes(f"register {name}")

    def number_of(self, name: str) -> int:
        """Return a player's number."""
        with self.club.store.reading() as lookup:
            found = lookup.players.by_address(self.mailboxes[name].address)
        assert found is not None
        return found.number

    def freezes(self) -> None:
        if self.game.status == "playing":
            self.club.referee.umpire.freeze(THE_GAME, "The deal is looked at.")
        self.club.noted("The game is frozen.")

    def thaws(self) -> None:
        if self.game.frozen:
            self.club.referee.umpire.thaw(THE_GAME)
        self.club.noted("The game goes on.")

    def alone(self, after: datetime, *letters: Sequence[str]) -> None:
        """Let the opponent write letters of which nobody else is to hear."""
        for number, lines in enumerate(letters, 1):
            self.writes(after + number * APART, OTHER, *lines)

    def look(self) -> None:
        """Keep what an operator is shown of the game as the watched player sees it."""
        application = Application(cast(Any, None), SERVICE, self.club.store, self.club.clock)
        seat = self.told.watched
        self.looks.append(
            Look(game_as(application, THE_GAME, seat), write_record(application, THE_GAME, seat))
        )
        self.listed.append(list_games(application))

    # what the opponent confides

    @property
    def wanted(self) -> bool | None:
        """What the double agent's attempt is to be answered; None where he makes none of those that wait."""
        table = self.position.table
        move = asked_about(table, self.position.deals[self.told.watched])
        if move is None or table.sealed is None or table.sealed.seat != self.told.watched:
            return None
        answer = answer_by(self.told.as_type, table, table.sealed.seat, move)
        assert answer is not None
        return answer.allow

    def by_default(self) -> bool:
        """Return what is answered if the opponent says nothing more and time opens the seal."""
        own, table = self.position.confided[self.told.other], self.position.table
        move = asked_about(table, self.position.deals[self.told.watched])
        assert move is not None
        answer = own.answer or answer_by(own.instruction, table, self.told.watched, move)
        return answer is not None and answer.allow

    def _is_said(self) -> bool:
        own = self.position.confided[self.told.other]
        return own.answer is not None or own.instruction.how != "ask"

    def answers(self, *, by_time: bool = False) -> list[str]:
        """Return what the opponent has to say so that the double agent is answered like the other type, in one way or
        another; () where there is nothing to be said. by_time: nobody asks, time opens the seal."""
        wanted, random = self.wanted, self.own
        if wanted is None:
            return [random.choice(INSTRUCTIONS)] if random.random() < 0.2 else []
        right = self.by_default() == wanted and (by_time or self._is_said())
        if right and random.random() < 0.7:
            return []
        self.confided += 1
        if self.position.confided[self.told.other].answer is None and random.random() < 0.4:
            return [random.choice(list(self._instructions(wanted)))]
        return [random.choice(("allow", "allow without Z")) if wanted else "deny"]

    def _instructions(self, wanted: bool) -> Iterator[str]:
        """Yield the instructions that answer like this."""
        table = self.position.table
        move = asked_about(table, self.position.deals[self.told.watched])
        assert move is not None
        for order in map(instruction, INSTRUCTIONS):
            answer = answer_by(order, table, self.told.watched, move)
            if answer is not None and answer.allow == wanted:
                yield write_order(order)


INSTRUCTIONS = ("agent always", "agent never", "agent ask", *(f"agent as {each}" for each in range(1, 13)))


def instruction(line: str) -> Instruct:
    order = read_order(OrderLine(1, line))
    assert isinstance(order, Instruct)
    return order


def _about(who: Correspondent) -> Delivered:
    return who.last_about(THE_GAME)


# what is asked meanwhile


def questions(random: Random, letters: str) -> list[tuple[str, ...]]:
    """Return letters of a player's that ask, or are wrong; none of them is a turn."""
    one, other = random.choice(letters), random.choice(letters)
    return [
        ("status",),
        ("games", "overview"),
        (f"why {one}", f"why red {other}", f"why white {one} 1"),
        ("record",),
        (f"preview {one}-N1", f"preview {other}-S2", f"preview {one}-SE1xZ", "preview VZ-N1"),
        ("resend", "resend 2", "resend 900"),
        ("help spies", "help try"),
        (f"{one}-NN9", f"{other}<>{other}", "#B", "?", "agent perhaps", "agent as 77"),
        (f"{one}-W9", "status"),
        ("diary Who is it?", "", "diary"),
        ("mute", "mute off"),
        ("set reports json", "set"),
        ("set language fr", "état", "set language en"),
        (random.choice(INSTRUCTIONS),),
        (random.choice(INSTRUCTIONS), "status"),
        ("agent",),
        ("leave",),
        ("cancel",),
        ("prevue K-N1", "alow", "denny"),
        ("set sheets list", "status", "set sheets grid"),
        ("claim Was that answered rightly?", "status"),
        ("claim time",),
        ("new tag", "status"),
        ("events",),
        ("set calendar on", "status"),
    ]


def watching(random: Random) -> tuple[str, ...]:
    return random.choice(
        [
            ("status",),
            ("record",),
            ("games", "resend"),
            ("allow", "deny", "agent always"),
            ("why K", "status"),
            ("new tag", "record"),
            ("watch off",),
            (f"watch {THE_GAME}",),
        ]
    )


def openly(random: Random) -> tuple[str, ...]:
    """Return a letter of which the other player hears."""
    return random.choice(
        [
            ("press What could it be?",),
            ("press all Well done.",),
            ("draw",),
            ("draw", "cancel"),
            ("pause",),
            ("resume",),
            ("agree none",),
            ("leave 2026-12-20 2026-12-23",),
        ]
    )


# the two of them


class Parted(Exception):
    """What both players see is not the same in the two games: something that was told must show it."""


class SideBySide:
    """Both games, played in step. dice: for all that others hear of, in both alike."""

    def __init__(self, told: TwoAgents, folder: Path, seed: int) -> None:
        self.told = told
        self.dice = Random(f"{seed} openly")
        first = self.dice.choice(SEATS)
        self.rooms = [
            Room(told, deals, new_database(folder, f"truth-{number}"), Random(f"{seed} in {number}"), first)
            for number, deals in enumerate(told.deals)
        ]
        self.at = max(room.club.clock.at for room in self.rooms) + HOUR
        self.turns = 0
        self.parted = False
        self.acts: list[str] = []
        """What umpires have done, by its kind."""
        self.commitments: Sequence[str] = ()
        for room in self.rooms:
            room.people[OTHER].writes("set reports text", "set picture off")
        for lines in (["set reports json"], ["set reports text"], ["set letters daily"])[
            : self.dice.randint(0, 3)
        ]:
            self._both(WATCHED, *lines)
        for line in ("set compass own", "set language fr", "set calendar on"):
            if self.dice.random() < 0.25:
                self._both(WATCHED, line)
        if self.dice.random() < 0.25:
            self._both(OTHER, "set language fr")

    @property
    def one(self) -> Room:
        """By which what is played is drawn; in the other it must do as well."""
        return self.rooms[0]

    # steps

    an_hour = HOUR
    comes_for = COMES_FOR

    def _both(self, name: str, *lines: str) -> None:
        self.at += timedelta(minutes=self.dice.randint(20, 50))
        for room in self.rooms:
            room.writes(self.at, name, *lines)

    def _time_goes_by(self, time: timedelta | None = None) -> None:
        """Let time pass in which the opponent does this and that on his own, and the service what it does unasked."""
        since = self.at
        self.at += time or timedelta(minutes=self.dice.randint(100, 30 * 60))
        for room in self.rooms:
            busy = [self._alone(room) for _ in range(room.own.choice((0, 0, 1, 2)))]
            room.alone(since, *busy)
        looks = self.dice.random() < 0.3
        for room in self.rooms:
            room.does(self.at, lambda room=room: self._unasked(room))  # type: ignore[misc]
            if looks:
                room.look()
        self.at += HOUR

    def _alone(self, room: Room) -> tuple[str, ...]:
        letters = self.told.variants.edition.letters
        lines = room.own.choice(questions(room.own, letters))
        if self.told.umpired and lines[0].startswith("claim"):
            lines = ("status",)  # of a claim an officer hears
        if self.told.other not in room.game.due and room.own.random() < 0.2:
            lines = ("try K-N1; if no (A-N1)", "cancel", "status")
        if room.game.offer is not None:  # to take that back is not for himself alone
            lines = tuple(line for line in lines if line != "cancel") or ("status",)
        return lines

    def _unasked(self, room: Room) -> None:
        room.club.posts()
        room.club.looks_round()
        room.club.looks_at_clocks()
        room.club.strikes()

    def asks(self) -> None:
        """Let the watched player ask."""
        letters = self.told.variants.edition.letters
        self._both(WATCHED, *self.dice.choice(questions(self.dice, letters)))

    def talk(self) -> None:
        """Let the watched player ask, the third watch, and somebody say something."""
        for _ in range(self.dice.choice((0, 0, 1, 1, 2))):
            self.asks()
        if self.dice.random() < 0.15:
            self._both(THIRD, *watching(self.dice))
        if self.dice.random() < 0.1:
            self.says_what_is_answered()
            self._both(self.dice.choice((WATCHED, OTHER)), *openly(self.dice))

    # turns

    def play(self, turns: int) -> None:
        """Play so many turns, or to the end, and then let the opponent give up."""
        self.commitments = [room.game.commitment for room in self.rooms]
        try:
            self._play(turns)
            self._end()
        except Parted:
            self.parted = True
        for room in self.rooms:
            room.club.close()

    def _play(self, turns: int) -> None:
        if not self.one.position.table.set_up:
            self._set_up()
        while self.turns < turns and self.one.game.status == "playing":
            self._same_for_all()
            self.turns += 1
            self._time_goes_by(UNANSWERED if self._lets_time_go_by() else None)
            self.talk()
            if self.dice.random() < 0.25 and self.one.game.status == "playing":
                umpire_acts(self)
            if self.one.game.status == "playing" and not self._moves():
                break

    def _end(self) -> None:
        self._time_goes_by()
        for room in self.rooms:
            room.look()
        if self.one.game.status == "playing":
            self.says_what_is_answered()
            self._both(OTHER, "resign")
        self._same_for_all()

    def _lets_time_go_by(self) -> bool:
        """Decide whether whoever is due is late this time."""
        often = 0.3 if self.told.agreed.get("lapse") == "soft" else 0.1
        late = "time" in self.told.agreed and self.dice.random() < often
        if late:
            self.says_what_is_answered()
        return late

    def instructs(self) -> None:
        """Let the opponent say what is to hold from now on, in each game as he likes."""
        for room in self.rooms:
            room.alone(self.at, [room.own.choice(INSTRUCTIONS)])
        self.at += HOUR

    def says_what_is_answered(self) -> None:
        """Let the opponent see to it that the double agent is answered like the other type also where nobody asks: the
        seal is opened by time, and by a game's end."""
        if self.told.other not in self.one.game.due:
            return
        for room in self.rooms:
            if lines := room.answers(by_time=True):
                room.alone(self.at, lines)
        self.at += HOUR
        for room in self.rooms:
            assert room.wanted is None or room.wanted == room.by_default()

    def _moves(self) -> bool:
        seat = self.told.watched if self.told.watched in self.one.game.due else self.told.other
        if seat == self.told.other:
            return self._opponent_moves()
        if not (turn := self._drawn()):
            return False
        if self.dice.random() < 0.3:
            self._opponent_plans(turn)
        early = [line for line in turn if not _closes(line)] if self.dice.random() < 0.3 else []
        if early:
            self._both(WATCHED, *early)
        self._both(WATCHED, *turn)
        return True

    def _set_up(self) -> None:
        """Both arrange their spies, the watched player first or last."""
        names = self.dice.sample((WATCHED, OTHER), 2)
        for name in names:
            stands = usual(self.told.variants.edition).squares
            mixed = dict(zip(stands, self.dice.sample(list(stands.values()), len(stands)), strict=True))
            self._time_goes_by()
            self._both(WATCHED, "status")
            self._both(name, write_order(SetUp(mixed)))
        assert self.one.position.table.set_up

    def _drawn(self) -> list[str]:
        """Draw a turn of the watched player's that brings the same answers whoever is the double agent."""
        watched = self.told.watched
        for _ in range(TRIES):
            where = self.one.position
            lines = [*thoughts(self.dice, where, watched)]
            if self.dice.random() < OF_THE_PAIR:
                lines = [*(line for line in lines if not _closes(line)), *self._of_the_pair(where)]
            lines += due(where)[watched].forms[:1] if self.dice.random() < 0.2 else ()
            played = [self._foreseen(room.position, lines) for room in self.rooms]
            if played[0] is not None and played[0] == played[1]:
                return lines
        return []

    def _of_the_pair(self, where: Position) -> list[str]:
        """Return an attempt of one of the two spies that may be the double agent, or of both by a token."""
        board = outlook(view_of(where, self.told.watched)).acted.board
        found: dict[str, list[Move]] = {letter: [] for letter in self.told.pair}
        for move in possible_moves(board, self.told.watched):
            piece = mover(board, self.told.watched, move)
            if piece is not None and piece.letter in found:
                found[piece.letter].append(move)
        able = [letter for letter in self.told.pair if found[letter]]
        chosen = [self.dice.choice(found[letter]) for letter in self.dice.sample(able, len(able))]
        lines = [write_order(move) + ("+" if self.dice.random() < 0.2 else "") for move in chosen]
        if len(chosen) == 2 and self.dice.random() < 0.3:
            return [write_order(Double(*chosen)), *lines]
        return lines[:1]

    def _foreseen(self, where: Position, lines: Sequence[str]) -> list[Happening] | None:
        """Return what the watched player hears of his turn and then of its answers; None if that is no turn."""
        watched = self.told.watched
        found = simulated(where, watched, lines)
        if found is None:
            return None
        where, heard = found
        heard += opened(where.table, where.deals[watched], None, self.told.as_type)
        return self._as_heard(heard)

    def answers_to(self, where: Position) -> list[Happening]:
        """Return what the watched player hears when the turn that waits is answered."""
        watched = self.told.watched
        if (
            where.table.sealed is None
            or where.table.sealed.seat != watched
            or where.table.board.result is not None
        ):
            return []
        return self._as_heard(opened(where.table, where.deals[watched], None, self.told.as_type))

    def seat_of(self, name: str) -> Seat:
        return self.told.watched if name == WATCHED else self.told.other

    def _as_heard(self, happenings: Iterable[Happening]) -> list[Happening]:
        """Return what the watched player hears of these, but for the deals that are shown at the end."""
        seat = self.told.watched
        return [each for each in happenings if seat in each.heard_by and each.code != REVEALED]

    def settled(self, where: Position) -> Position:
        """Return the truth when the opponent has said what he is to say."""
        own = replace(where.confided[self.told.other], instruction=self.told.as_type)
        return replace(where, confided={**where.confided, self.told.other: own})

    def _opponent_moves(self) -> bool:
        """Let the opponent close his turn, in one letter or several, once he has answered."""
        other = self.told.other
        lines = self._opponents_turn()
        if not lines:
            return False
        if self.dice.random() < 0.3:
            self._watched_plans()
        since, closed = self.at, self._closed_by(other)
        self.at += 6 * APART
        for room in self.rooms:
            answers = room.answers()
            first = [line for line in lines if not _closes(line)]
            if answers and room.own.random() < 0.4:
                room.alone(since, answers)
                answers = []
            elif first and room.own.random() < 0.4:
                room.alone(since, answers, [room.own.choice(("status", "games"))], first)
                answers = []
            whole = [*answers, *lines] if first or room.own.random() < 0.5 else [*lines, *answers]
            room.writes(self.at, OTHER, *whole)
        assert self._closed_by(other) > closed or self.one.game.status == "ended", "a turn was not closed"
        return True

    def _closed_by(self, seat: Seat) -> int:
        """Return how many turns a seat has closed."""
        return sum(each.code == SEALED and each.facts["seat"] == seat for each in self.one.game.happenings)

    def _opponents_turn(self) -> list[str]:
        other = self.told.other
        where = [self.settled(room.position) for room in self.rooms]
        for _ in range(TRIES):
            lines = [
                line
                for line in thoughts(self.dice, where[0], other)
                if not isinstance(read_order(OrderLine(1, line)), Answer | Instruct) and "#x" not in line
            ]
            lines += due(where[0])[other].forms[:1] if self.dice.random() < 0.2 else ()
            found = [each for each in (simulated(truth, other, lines) for truth in where) if each is not None]
            if len(found) == len(where):
                heard = [
                    [each for each in self._as_heard(told) if each.code not in CONFIDED] for _, told in found
                ]
                if heard[0] != heard[1]:
                    raise Parted
                return lines
        return []

    def _opponent_plans(self, turn: Sequence[str]) -> None:
        """Let the opponent leave a plan for his answer to a turn, and the instruction that goes with it; or none, and
        then the plan is refused to him."""
        move = None
        refused = self.dice.random() < 0.3
        for room in self.rooms:
            found = simulated(room.position, self.told.watched, turn)
            assert found is not None
            where = self.settled(found[0])
            if where.table.board.result is not None:
                return
            seen = outlook(view_of(where, self.told.other))
            moves = [] if seen.over else list(possible_moves(seen.acted.board, self.told.other))
            if not moves:
                return
            move = move or write_order(self.dice.choice(moves))
            answer = asked_about(where.table, where.deals[self.told.watched])
            said = [str(write_order(self.told.as_type))] if answer is not None else list(INSTRUCTIONS[:2])
            said = ["agent ask"] if refused else said
            room.alone(self.at, [room.own.choice(said), f"try {move}", "status"])
        self.at += HOUR

    def _watched_plans(self) -> None:
        """Let the watched player leave a plan: a move of a spy who stays away from the far rank, where the answer may
        depend on who is the double agent."""
        watched = self.told.watched
        board = outlook(view_of(self.settled(self.one.position), self.told.other)).table.board
        moves = list(possible_moves(board, watched))
        if not moves:
            return
        move = self.dice.choice(moves)
        piece = mover(board, watched, move)
        assert piece is not None
        if square_after(piece.square, move.direction, move.length)[1] in (1, 11):
            return
        line = write_order(move)
        self._both(WATCHED, self.dice.choice(("agent always", "agent never", "agent as 6")), f"try {line}")

    def _same_for_all(self) -> None:
        """Stop where the two games have parted in what both players see."""
        tables = [room.position.table for room in self.rooms]
        if tables[0] != tables[1]:
            raise Parted


def simulated(where: Position, seat: Seat, lines: Iterable[str]) -> tuple[Position, list[Happening]] | None:
    """Return the truth after a letter of a seat's, and what it has made happen; None if the letter closes no turn."""
    numbered = [OrderLine(number, line) for number, line in enumerate(lines, 1)]
    reading = read_orders(view_of(where, seat), numbered)
    if not any(is_turn(order) for order in reading.orders):
        return None
    heard: list[Happening] = []
    for order in reading.orders:
        found = adjudicate(where, seat, order)
        where = after(where, found)
        heard += found
    return where, heard


def _closes(line: str) -> bool:
    order = read_order(OrderLine(1, line))
    return is_turn(order)  # type: ignore[arg-type]


# comparing

OF_A_CASE = "umpire rule 1/"
"""Stands in the letters that bring a case before an officer, with evidence of when both sides have written."""


def compare(both: SideBySide) -> int:
    """Hold all letters to the watched player and to whoever watches against each other, and what an operator is shown;
    return how many letters they are."""
    one, other = both.rooms
    count = 0
    for name in READERS:
        ours, theirs = letters_to(one, name), letters_to(other, name)
        _compare(ours, theirs, both.commitments)
        count += len(ours)
    assert one.listed == other.listed, "an operator's list of games"
    for mine, its in zip(one.looks, other.looks, strict=True):
        hold_looks_against_each_other(mine, its, both.commitments)
    assert not both.parted, "the games have parted, and no letter shows it"
    return count


def letters_to(room: Room, name: str) -> list[tuple[datetime, Delivered]]:
    """Return one reader's letters, with the times at which they were written; without the evidence of cases."""
    address = room.mailboxes[name].address
    return [
        (at, letter)
        for at, letter in room.heard
        if letter.recipient == address and not (name == UMPIRE and OF_A_CASE in letter.text)
    ]


def _compare(
    ours: Sequence[tuple[datetime, Delivered]],
    theirs: Sequence[tuple[datetime, Delivered]],
    commitments: Sequence[str],
) -> None:
    """Hold one reader's letters against each other: their times, and their bytes but for what binds the deal and what
    was drawn by lot. Of those that end the game, or come behind, the headers alone, since they show the deal."""
    for (at, first), (when, second) in zip(ours, theirs, strict=False):
        assert (at, first["Subject"]) == (when, second["Subject"]), "letters came at other times"
    assert len(ours) == len(theirs), "there are more letters in one of the two games"
    names: tuple[dict[bytes, bytes], dict[bytes, bytes]] = ({}, {})
    over = False
    for (_, first), (_, second) in zip(ours, theirs, strict=True):
        over = over or first.kind == "result"
        contents = [
            renamed(masked(letter.content, commitment), seen)
            for letter, commitment, seen in zip((first, second), commitments, names, strict=True)
        ]
        if over:
            contents = [content.partition(b"\r\n\r\n")[0] for content in contents]
        hold_against_each_other(first, contents[0], contents[1])
        if first.game == THE_GAME and not over:
            hold_receipts_apart(first.content, second.content)


def renamed(content: bytes, seen: dict[bytes, bytes]) -> bytes:
    """Return a letter in which what was drawn for it is called by the order in which its reader has seen it."""
    return NAMES.sub(lambda found: seen.setdefault(found[0], b"%0*d" % (len(found[0]), len(seen))), content)
