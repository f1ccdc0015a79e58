"""A club in which a given game is played, with whatever its players write besides, drawn from a seed.

What is written depends on the seed and on what the players have heard, so that it is the same whichever of two truths
the game has: where it is not, something was told that should not have been.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any, cast

from sqlalchemy import func, select

from referee.games.game import Game
from referee.rulebooks.confusion.compass import WHITE, YELLOW, opponent
from referee.rulebooks.confusion.conditions import heard_conditions
from referee.rulebooks.confusion.notation import write_move
from referee.rulebooks.confusion.position import LETTERS
from referee.rulebooks.rulebook import OrderLine, Seat
from referee.service.bootstrap import Application
from referee.service.queries import GameView, game_as, write_record
from referee.store.tables import GAMES
from tests.secrecy.truths import CONFUSION, NUMBERS, TwoTruths, attempt_at_random, written
from tests.support.bounces import bounce
from tests.support.playing import SERVICE, Club, Correspondent, Delivered

WATCHED, OTHER, THIRD = "Wendy", "Otto", "Carl"
THE_GAME = 1
A_PLAN = re.compile(r"(?:1: )?(?:try|essayer) ([^;]+)")
"""With its first move."""
"""The game that two deals explain; of the two others that are played nothing is secret here."""
MOST_PLANNED = 4
"""Own moves ahead of one plan."""


@dataclass(frozen=True)
class Heard:
    """A letter that somebody got. when: behind how many exchanges."""

    when: int
    letter: Delivered


@dataclass(frozen=True)
class Look:
    """What `referee show` and `referee record` print of a game as one seat sees it."""

    seen: GameView
    record: str


class Sitting:
    """Who plays on a seat. second, third: other mailboxes of his."""

    def __init__(self, table: Table, seat: Seat, me: Correspondent) -> None:
        self.table = table
        self.seat = seat
        self.me = me
        self.second = table.club.person(me.name, f"{me.name.lower()}.away@example.com")
        self.third = table.club.person(me.name, f"{me.name.lower()}.new@example.com")
        self.lines: list[str] = []
        """All that he has written."""
        self._about: list[Delivered] = []
        self._looked_through = 0

    @property
    def other(self) -> Sitting:
        return self.table.sittings[opponent(self.seat)]

    @property
    def name(self) -> str:
        """What he is called now."""
        with self.table.club.store.reading() as lookup:
            player = lookup.players.by_address(self.me.address)
        assert player is not None
        return player.name

    @property
    def about(self) -> list[Delivered]:
        """The letters to him about the game."""
        self._about += [each for each in self.me.letters[self._looked_through :] if each.game == THE_GAME]
        self._looked_through = len(self.me.letters)
        return self._about

    @property
    def is_due(self) -> bool:
        """Whether it is his turn in the game."""
        return self.seat in self.table.game.due

    def would_try(self, line: str) -> bool:
        """Return whether a line leaves a plan whose first move would be made at once, if it is his turn."""
        found = A_PLAN.match(line)
        move = [OrderLine(1, found[1])] if found else []
        return bool(CONFUSION.rules.read_orders(self.table.game.view(self.seat), move).orders)

    def offers_draw(self) -> bool:
        return self.table.game.offer is not None and self.table.game.offer.by == self.seat

    @property
    def newest_game(self) -> int:
        return self.table.newest_game

    def letter(
        self,
        *lines: str,
        desk: bool = False,
        second: bool = False,
        vouched: bool = True,
        to: Delivered | None = None,
    ) -> bytes:
        """Return a letter of his: to the desk, or in answer to one about the game, not always the newest."""
        lines = tuple(map(self.table.fill_in(self), lines))
        self.lines += lines
        who = self.second if second else self.me
        if desk:
            return who.letter(lines, vouched=vouched)
        about = self.about
        random = self.table.random
        answered = to or random.choice((about[0], about[-1], about[-1], random.choice(about)))
        return who.reply(answered, lines, vouched=vouched)

    def writes(self, *lines: str, **how: Any) -> tuple[Delivered, ...]:
        """Write a letter; return what the service writes because of it."""
        return self.table.takes(self.letter(*lines, **how))

    def answers(self, word: str, *, to: Sequence[Delivered]) -> tuple[Delivered, ...]:
        """Answer a question of the desk's from the mailbox that it came to; nothing where there was none."""
        mailboxes = {who.address: who for who in (self.me, self.second, self.third)}
        asked = [
            each for each in to if each.recipient in mailboxes and "+" in each["Reply-To"] and not each.game
        ]
        if not asked:
            return ()
        self.lines.append(word)
        return self.table.takes(mailboxes[asked[-1].recipient].reply(asked[-1], [word]))

    def returns(self) -> None:
        """Let the newest letter to him come back; what the service makes of it, it sees the day after."""
        self.table.takes(bounce(self.about[-1]))
        self.table.club.looks_round()


class Table:
    """Two who play, a third, who watches, and three games, in the last of which time is counted.

    deal: of the game that two deals explain. seed: of all that is written. sheets, watchers: as the game's options have
    them. beside: there are two other games, and something is written behind the end. watched: whose letters are held
    against those of another table; other: who plays against him.
    """

    def __init__(
        self,
        told: TwoTruths,
        deal: str,
        url: str,
        seed: int,
        *,
        sheets: str = "on",
        watchers: str = "on",
        beside: bool = True,
    ) -> None:
        self.told = told
        self.random = Random(seed)
        self.club = Club(url)
        self.by_hand = 0
        """Moves that were not made by a plan which somebody had left."""
        self._stood: tuple[int, Game] | None = None
        self.seen: list[Look] = []
        """What an operator was shown of the watched seat, from time to time."""
        people = {told.watched: self.club.member(WATCHED), told.other: self.club.member(OTHER)}
        self.third = self.club.member(THIRD)
        self.sittings: dict[Seat, Sitting] = {}
        for seat, who in people.items():
            self.sittings[seat] = Sitting(self, seat, who)
        self.watched, self.other = self.sittings[told.watched], self.sittings[told.other]
        agreed = {} if sheets == "on" else {"sheets": sheets}
        self._start(people[WHITE], people[YELLOW], deal, {**agreed, "watchers": watchers})
        self.beside = beside
        if beside:
            self._start(self.third, self.watched.me, self._a_deal(), agreed)
            self._start(self.watched.me, self.other.me, self._a_deal(), {**agreed, "time": "90d+1d"})

    def _start(
        self, white: Correspondent, yellow: Correspondent, deal: str, agreed: Mapping[str, str]
    ) -> None:
        """Start a game, as an umpire does."""
        seated = {WHITE: (white.name, white.address), YELLOW: (yellow.name, yellow.address)}
        self.club.referee.umpire.new_game("confusion", seated, {"first": "white", **agreed}, deal)
        self.club.looks_round("The umpire starts a game.")

    def _a_deal(self) -> str:
        random = Random("of the games beside")
        return written(
            {seat: dict(zip(LETTERS, random.sample(NUMBERS, 12), strict=True)) for seat in (WHITE, YELLOW)}
        )

    @property
    def game(self) -> Game:
        """The game that two deals explain, as it stands."""
        now = len(self.club.exchanges)
        if self._stood is None or self._stood[0] != now:
            self._stood = (now, self.club.game(THE_GAME))
        return self._stood[1]

    @property
    def made(self) -> int:
        """How many of its attempts were made; fails where others were made than those that were told."""
        made = [each.facts for each in self.game.happenings if each.code == "attempted"]
        for facts, (seat, move) in zip(made, self.told.turns, strict=False):
            assert (facts["seat"], facts["text"].rstrip("+")) == (seat, move), "another move was made"
        assert len(made) <= len(self.told.turns), "a further move was made"
        return len(made)

    @property
    def commitment(self) -> str:
        """What binds the game's deal."""
        return self.game.commitment

    @property
    def newest_game(self) -> int:
        with self.club._reading.connect() as connection:
            return connection.scalar(select(func.max(GAMES.c.number))) or 0

    def takes(self, content: bytes) -> tuple[Delivered, ...]:
        """Take a letter in; return what was written because of it."""
        return self.club.take(self.club.raw(content)).sent

    def fill_in(self, who: Sitting) -> Any:
        """Return what fills names and coming moves into a line."""
        made, turns = self.made, self.told.turns
        coming = {
            seat: next((move for mover, move in turns[made:] if mover == seat), "K-N1")
            for seat in self.sittings
        }
        return lambda line: (
            line.replace("{mine}", coming[who.seat])
            .replace("{theirs}", coming[who.other.seat])
            .replace("{me}", who.me.name)
        )

    # moves

    def move(self, who: Sitting, move: str) -> None:
        """Write the move whose turn it is, in one way or another; plainly, where that was refused."""
        made, random, turn = self.made, self.random, CONFUSION.rules.turn(self.game.view(who.seat))
        newest = who.about[-1]
        ways: list[tuple[tuple[str, ...], dict[str, Any]]] = [
            ((move,), {}),
            ((move, "preview K-N1", "status"), {}),
            ((f"{move} @{turn}", "Good luck!"), {}),
            ((f"{move} @letter {newest['X-Referee-Number']}",), {"to": newest}),
            ((f"{THE_GAME}: {move}", "games"), {"desk": True}),
            ((*self._elsewhere(who), f"{THE_GAME}: {move}"), {"desk": True}),
            ((CONFUSION.oriented.to_own(move, who.seat),), {}),
            ((f"try {move}; if lost (K-N9); if yes K-N9",), {}),
            ((move, "V-NN2"), {}),
        ]
        lines, how = random.choice(ways)
        self.by_hand += 1
        who.writes(*lines, **how)
        if self.made == made:
            who.writes(move)
        assert self.made > made or self.game.status == "ended", "a move was not made"

    def _elsewhere(self, who: Sitting) -> Iterator[str]:
        """Yield attempts for the other games in which it is somebody's turn."""
        for number in (2, 3) if self.beside else ():
            game = self.club.game(number)
            seat = next((each for each, name in self._names(game).items() if name == who.me.name), None)
            if seat is not None and seat in game.due:
                yield f"{number}: {write_move(attempt_at_random(self.random, game.position))}"

    def _names(self, game: Game) -> dict[Seat, str]:
        names = {2: (THIRD, WATCHED), 3: (WATCHED, OTHER)}[game.number]
        return {WHITE: names[0], YELLOW: names[1]}

    def third_moves(self) -> None:
        """Let the third player make a move, if it is his turn."""
        if not self.beside:
            return
        game = self.club.game(2)
        if WHITE in game.due:
            self.third.writes(f"2: {write_move(attempt_at_random(self.random, game.position))}", "games")

    def plan(self, who: Sitting) -> str:
        """Return a plan of somebody's for his own coming moves: whatever does not come true leads astray."""
        made, turns = self.made, self.told.turns
        places = [place for place in range(made, len(turns)) if turns[place][0] == who.seat]
        return self._planned(who.seat, places[:MOST_PLANNED]) if places else ""

    def _planned(self, seat: Seat, places: Sequence[int]) -> str:
        first, *rest = places
        move = self.told.turns[first][1]
        if not rest or self.random.random() < 0.25:
            return move
        heard = [
            each for ruled in self.told.ruled[first : rest[0]] for each in ruled if seat in each.heard_by
        ]
        holds = heard_conditions(heard)
        if self.random.random() < 0.3:
            return f"{move}; then {self._planned(seat, rest)}"
        steps = [
            f"if {condition} (A-N1; if yes (K-N1; then A-N1); if captured L-S1)"
            for condition in CONFUSION.planning.conditions
            if condition not in holds and self.random.random() < 0.5
        ]
        right = f"if {self.random.choice(sorted(holds))} ({self._planned(seat, rest)})"
        steps.insert(self.random.randint(0, len(steps)), right)
        return "; ".join((move, *steps))

    # looking

    def look(self) -> None:
        """Keep what an operator is shown of the watched seat, in words, for programs and drawn."""
        application = Application(cast(Any, None), SERVICE, self.club.store, self.club.clock)
        seat = self.watched.seat
        self.seen.append(
            Look(game_as(application, THE_GAME, seat), write_record(application, THE_GAME, seat))
        )

    def heard(self, *people: Correspondent) -> list[Heard]:
        """Return all letters to these mailboxes, in their order."""
        addresses = {who.address for who in people}
        return [
            Heard(when, letter)
            for when, exchange in enumerate(self.club.exchanges)
            for letter in exchange.sent
            if letter.recipient in addresses
        ]

    def passes(self, time: timedelta) -> None:
        """Let some time go by, and the service do what it does unasked."""
        self.club.clock.at += time
        self.club.referee.jobs.ask_about_held()
        self.club.looks_round()
        self.club.strikes()
