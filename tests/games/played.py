"""Whole games with all their receipts, for tests: the sample game, and games drawn at random, ended in every way."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from referee.games.decisions import Decision, decide_offer, decide_order, decide_resign, open_game
from referee.games.events import Ended, EndOffered, Ruled, TakenBack
from referee.games.game import Game
from referee.games.receipts import last_receipt, receipt
from referee.games.take_backs import take_back
from referee.rulebooks.confusion.adjudicate import answer_to
from referee.rulebooks.confusion.compass import far_rank, square_after
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.position import Position
from referee.rulebooks.confusion.possible import mover, possible_moves
from referee.rulebooks.rulebook import OrderLine, Seat
from tests.reports.material import CONFUSION, WHITE, YELLOW, sample_game

ENDS = ("on the board", "by resignation", "by agreement")
SEATS = {WHITE: 1, YELLOW: 2}
SECRET = bytes(range(32))


class Played(NamedTuple):
    """A game that is over. receipts: all of them, oldest first."""

    game: Game
    receipts: list[str]


@dataclass
class _Going:
    """A game that is being played, with its receipts so far, made here one by one."""

    game: Game
    receipts: list[str] = field(default_factory=list)

    def take(self, decision: Decision) -> None:
        """Let a ruling or an end happen, and find its receipts where the game has them."""
        assert decision.fault is None, decision.fault
        (event,) = decision.events
        assert isinstance(event, Ruled | Ended)
        self.happens(event)

    def happens(self, event: Ruled | Ended | TakenBack) -> None:
        for happening in event.happenings:
            if said := CONFUSION.records.recorded(happening):
                before = self.receipts[-1] if self.receipts else self.game.commitment
                self.receipts.append(receipt(before, self.game.secret, said))
        self.game = self.game.after(event)
        assert self.game.receipt == self.receipts[-1]

    def tries(self, text: str) -> None:
        (seat,) = self.game.due
        self.take(decide_order(self.game, seat, OrderLine(1, text)))

    def goes_back(self, random: Random) -> None:
        """Take the game back to a turn at random, if there is one: rather a late one."""
        now = CONFUSION.rules.turn(self.game.view(WHITE))
        turn = max(1, now - random.choice((0, 0, 1, 2, 5)))
        seat = random.choice((None, WHITE, YELLOW))
        event = take_back(self.game, turn, seat, f"reason {len(self.receipts)}")
        if isinstance(event, TakenBack):
            self.happens(event)

    def over(self, ends: str) -> Played:
        """End it off the board, if it goes on."""
        if self.game.status == "playing" and ends == "by resignation":
            self.take(decide_resign(self.game, WHITE, whole_letter=True))
        elif self.game.status == "playing":
            self.take(decide_offer(self.game.after(EndOffered(YELLOW, "draw")), WHITE, "draw"))
        assert self.game.status == "ended"
        return Played(self.game, self.receipts)


def _begin(options: dict[str, str], secret: bytes, deal: str = "") -> _Going:
    opened = open_game(17, CONFUSION, options, SEATS, secret, deal)
    return _Going(Game(17, CONFUSION, "proposed").after(opened))


def sample_game_played(ends: str) -> Played:
    """Play the sample game: whole, or its first forty attempts and then an end off the board."""
    deals = {each.facts["seat"]: each.facts["types"] for each in sample_game() if each.code == "dealt"}
    written = (
        f"{seat.capitalize()}={' '.join(f'{letter}{number}' for letter, number in types.items())}"
        for seat, types in deals.items()
    )
    going = _begin({"first": "white"}, SECRET, "; ".join(written))
    attempts = [each.facts["text"] for each in sample_game() if each.code == "attempted"]
    for text in attempts if ends == "on the board" else attempts[:40]:
        going.tries(text.rstrip("+"))
    return going.over(ends)


def _far_from_winning(position: Position, seat: Seat, move: Move) -> tuple[bool, int]:
    """Return how little a move does for its side: by its answer, then by the way that is left to Z or with it."""
    board = position.board
    piece = mover(board, seat, move)
    assert piece is not None
    no = not answer_to(position, seat, move)[0]
    file, rank = square_after(piece.square, move.direction, move.length)
    if move.with_z or not move.letter:
        return no, abs(far_rank(seat) - rank)
    return no, 20 + max(abs(board.z[0] - file), abs(board.z[1] - rank))


def random_game_played(seed: int, *, taken_back: float = 0) -> Played:
    """Play a game at random, up to an end on the board in one of three, else one off the board.

    taken_back: how likely an umpire takes the game back before an attempt.
    """
    random = Random(seed)
    ends = ENDS[seed % 3]
    going = _begin({}, random.randbytes(32))
    most = 400 if ends == "on the board" else random.randrange(60)
    if taken_back:
        most, ends = random.randrange(60), ENDS[1 + seed % 2]
    while going.game.status == "playing" and len(going.receipts) < most:
        if taken_back and random.random() < taken_back:
            going.goes_back(random)
        position = going.game.position
        (seat,) = going.game.due
        choices = random.choices(list(possible_moves(position.board, seat)), k=6)
        move = min(choices, key=lambda each: _far_from_winning(position, seat, each))
        going.tries(write_move(move))
    return going.over(ends)


def chain_of(record: str) -> str:
    """Return the last receipt as it follows from a record's text and nothing else."""
    head = dict(re.findall(r"^(\w+) *= *(.*)$", record, re.MULTILINE))
    replayed = CONFUSION.records.replay(record)
    assert replayed.consistent, replayed.errors
    said = map(CONFUSION.records.recorded, replayed.happenings)
    return last_receipt(head["Commitment"], bytes.fromhex(head["Secret"]), said)
