"""Games of spies that are over, drawn at random with all that they can be played with, and their records with proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import NamedTuple

from referee.common.chance import Chance, commitment
from referee.games.game_options import record_head
from referee.games.proof import proof_lines
from referee.games.receipts import receipt
from referee.games.results import tidy_reason
from referee.rulebooks.branches import Return, taken_back
from referee.rulebooks.confusion.adjudicate import arrives
from referee.rulebooks.confusion.compass import heading
from referee.rulebooks.confusion.options import write_deals
from referee.rulebooks.confusion.possible import mover, possible_moves, refusal
from referee.rulebooks.confusion.table import MovementTable
from referee.rulebooks.rulebook import Happening, Result, Seat
from referee.rulebooks.spies.adjudicate import conclude, unsealed
from referee.rulebooks.spies.allowed import after_yes
from referee.rulebooks.spies.edition import BOTH, SEATS, TOKENS
from referee.rulebooks.spies.fold import COURSE
from referee.rulebooks.spies.notation import write_order
from referee.rulebooks.spies.options import VARIANTS
from referee.rulebooks.spies.orders import Double, Move
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import Position
from referee.rulebooks.spies.questions import due
from referee.rulebooks.spies.rulebook import Spies
from tests.rulebooks.spies.games import deals_by, going_on, ruled
from tests.rulebooks.spies.tables import after, folded, play, view_of
from tests.rulebooks.spies.test_record import turns_that_came

REASONS = ("", "a slip: read amiss", "misread (twice)", "x = y; 12 White: no", "#xH V-N1 & [H-E1]")
RESULTS = (
    ("white", "by resignation"),
    ("red", "on time"),
    (None, "by agreement"),
    ("red", "adjudicated: late (very)"),
)


SPIES = Spies()


class Whole(NamedTuple):
    """A game that is over: what it was played with, and all that came to pass. deal: as an umpire set it, or ""."""

    secret: bytes
    options: Mapping[str, str]
    deal: str
    happenings: tuple[Happening, ...]

    @property
    def commitment(self) -> str:
        return commitment(
            self.secret, game=17, rules="spies", version="1", options=self.options, deal=self.deal
        )

    @property
    def receipts(self) -> list[str]:
        """Return all receipts, oldest first."""
        links = [self.commitment]
        for said in filter(None, map(SPIES.records.recorded, self.happenings)):
            links.append(receipt(links[-1], self.secret, said))
        return links[1:]

    def record(self, seat: Seat | None = None, **head: str) -> str:
        """Return the record as the umpire or a seat has it. head: further lines."""
        heard = [each for each in self.happenings if seat is None or seat in each.heard_by]
        proof = proof_lines(
            game=17,
            rules="spies",
            version="1",
            options=self.options,
            deal=self.deal,
            commitment=self.commitment,
            secret=self.secret.hex(),
            chain=[self.commitment, *self.receipts][-1],
        )
        return SPIES.records.write(heard, {**record_head(self.options), **head, **proof}, seat)


def options_by(random: Random) -> dict[str, str]:
    """Draw what a game is played with."""
    options = {option: "on" for option in VARIANTS if random.random() < 0.3}
    for seat in SEATS:
        if named := [each for each in TOKENS if random.random() < 0.7]:
            options[f"tokens.{seat}"] = ",".join(named)
    if random.random() < 0.3:
        options["first"] = random.choice(SEATS)
    if random.random() < 0.2:
        options["time"] = "3d/move"
    return options


def random_game_of_spies(
    seed: int, turns: int = 60, table: MovementTable | None = None, **agreed: str
) -> Whole:
    """Play a game at random, taken back now and then, up to an end on the board or off it.

    table: another one than the usual. agreed: options that are not left to the dice; `-` stands for `_` in their names.
    """
    random, rulebook = Random(seed), Spies(table)
    secret = random.randbytes(32)
    options = options_by(random) | {key.replace("_", "-"): said for key, said in agreed.items()}
    said = {key: value for key, value in options.items() if key != "time"}
    deal = ""
    if random.random() < 0.3:
        variants = folded(rulebook.rules.opening(said, Chance(secret))).table.variants
        deals, chosen = deals_by(random, variants), random.choice((SEATS, SEATS[:1], SEATS[1:]))
        deal = write_deals({seat: deals[seat] for seat in chosen}, variants.edition)
    opened = rulebook.rules.opening(said | ({"deal": deal} if deal else {}), Chance(secret))
    most = random.choice((0, 1, 4, turns, turns, turns))
    happenings = _going_on(random, list(opened), most)
    for _ in range(random.choice((0, 0, 1, 3))):
        came = list(turns_that_came(happenings))
        if not came or _over(happenings):
            break
        seat, turn = random.choice(came[-4:] if random.random() < 0.5 else came)
        happenings.append(taken_back(Return(turn, seat, tidy_reason(random.choice(REASONS))), BOTH))
        happenings = _going_on(random, happenings, random.choice((0, 1, 5, most)))
    if not _over(happenings):
        winner, how = random.choice(RESULTS)
        position = folded(COURSE.standing(happenings))
        happenings += conclude(position, Result(Seat(winner) if winner else None, how))
    return Whole(secret, options, deal, tuple(happenings))


AGENT_A = "A? C1 E2 H3 K4 L5 N6 O7 P8 S9 T10 V11 X12"
OTHERS = "A1 C2 E3 H4 K5 L6 N7 O8 P9 S10 T11 V12 X?"


def scripted(
    options: Mapping[str, str], deal: str, turns: Iterable[str], result: Result | None = None
) -> Whole:
    """Play turns of both sides alternately, as tables.play has them; and end the game off the board if it goes on.

    deal: as an umpire sets it, "" for one that is drawn.
    """
    secret = bytes(range(32))
    opened = SPIES.rules.opening({**options, **({"deal": deal} if deal else {})}, Chance(secret))
    where, heard = play(folded(opened), *turns)
    ends = conclude(where, result) if result else ()
    return Whole(secret, options, deal, (*opened, *heard, *ends))


def an_agent_unmasked(answer: str, **variants: str) -> Whole:
    """Play a game in which Red's double agent A would be promoted. answer: White's, with or without Z."""
    return scripted(
        {"first": "red", "comrade": "on", **variants},
        f"White={OTHERS}; Red={AGENT_A}",
        ("A-N4", "agent always; A-S1", "A-N4", "A-S1", "A-N1xV+", f"{answer}; A-S1", "C-N1"),
        Result(Seat("red"), "on time"),
    )


def answered(agent: str, *, letters: int = 3) -> Whole:
    """Play a game whose second answer is for Red's double agent A. agent: `allow` or `deny`; letters: turns in it."""
    turns = ("C-N1", "A-S1", "A-N2", f"{agent}; C-S1", "E-N1", "E-S1")
    options = {"first": "red"}
    return scripted(
        options, f"White={OTHERS}; Red={AGENT_A}", turns[: letters + 1], Result(Seat("red"), "on time")
    )


def _going_on(random: Random, happenings: list[Happening], turns: int) -> list[Happening]:
    """Play on at random: half of the games as people play who think, half as people who want to see everything."""
    if random.random() < 0.4:
        return going_on(random, happenings, turns)
    where = folded(COURSE.standing(happenings))
    for _ in range(turns):
        for seat, question in due(where).items():
            for line in (*_eager(random, where, seat), *question.forms[:1]):
                if seat in due(where):
                    where, found = ruled(where, seat, line)
                    happenings += found
            if random.random() < 0.05 and (by_time := list(unsealed(where))):
                where = after(where, by_time)
                happenings += by_time
            break
    return happenings


def _eager(random: Random, where: Position, seat: Seat) -> Iterator[str]:
    """Yield what somebody writes who plays his tokens, removes spies, and runs for the far rank."""
    view = view_of(where, seat)
    one, other = random.sample(view.board.edition.letters, 2)
    yield random.choice(("allow", "allow", "allow without Z", "deny"))
    if random.random() < 0.15:
        yield random.choice((f"?{one}", f"{one}<>{other}", f"#{one}", "#x?"))
    if not view.table.set_up:
        return
    board = outlook(view).acted.board
    moves = list(possible_moves(board, seat))
    if not moves:
        return
    likings = [_eagerness(where, seat, move) for move in moves]
    first, second, third = random.choices(moves, likings, k=3)
    if random.random() < 0.5:
        # Rather one that the first makes impossible, so that it lapses.
        then = after_yes(board, seat, first)
        lapsing = [each for each in moves if each.letter and refusal(then, seat, each) is not None]
        yield write_order(Double(first, random.choice(lapsing or [second])))
    for move in (first, second, third):
        yield write_order(replace(move, promotes=arrives(board, seat, move) and random.random() < 0.8))
        yield write_order(move)


def _eagerness(where: Position, seat: Seat, move: Move) -> int:
    way = heading(seat, move.direction)
    piece = mover(where.table.board, seat, move)
    table = where.table.board.table
    number = where.deals[seat][piece.letter] if piece else table.agent_number
    agent = number == table.agent_number
    lucky = agent or table.row(number).can(way, move.length)
    liking = 1 + 4 * (way in ("F", "FD")) * move.length + 6 * (move.with_z or move.takes_z)
    return liking * (40 if agent else 20 if lucky else 1)


def _over(happenings: Iterable[Happening]) -> bool:
    return folded(COURSE.standing(tuple(happenings))).table.board.result is not None
