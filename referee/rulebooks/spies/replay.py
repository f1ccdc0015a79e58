"""Checks a record of this edition against the rules, up to the first place where they differ.

What is the same in Confusion is done by its code. A double agent is answered as the opponent decides, so any
answer to it in the record is accepted; all other answers are checked (CF-10.3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.common.faults import Fault
from referee.rulebooks.branches import Return, Trail, taken_back
from referee.rulebooks.confusion.adjudicate import arrives
from referee.rulebooks.confusion.compass import WHITE, Square, heading
from referee.rulebooks.confusion.deduction import agreeing
from referee.rulebooks.confusion.happenings import PASS, read_attempt
from referee.rulebooks.confusion.knowledge import SheetShown
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.options import SHEETS, read_deal
from referee.rulebooks.confusion.position import Board, Deal, Piece
from referee.rulebooks.confusion.possible import mover, possible_moves, refusal
from referee.rulebooks.confusion.record_turns import Turn
from referee.rulebooks.confusion.retelling import (
    Retelling,
    called,
    contradiction,
    nothing_to_take_back,
    told,
    wrongly_promoted,
)
from referee.rulebooks.confusion.score import Back, Cell, End, Parting, Score, Tried
from referee.rulebooks.confusion.table import DOUBLE_AGENT, MovementTable, Row
from referee.rulebooks.rulebook import Branch, Happening, Json, Replay, Seat
from referee.rulebooks.spies.allowed import action_fault, barred, turn_fault
from referee.rulebooks.spies.answering import ON_THE_BOARD, Said, unfold, with_reveal
from referee.rulebooks.spies.edition import BOTH, SEATS, TOKENS, Variants
from referee.rulebooks.spies.fold import COURSE, fold_table, with_action
from referee.rulebooks.spies.happenings import (
    ATTEMPTED,
    ENDED,
    UNMASKED,
    began,
    dealt,
    placed,
    read_unmasked,
    sealed,
    set_up,
    shown,
)
from referee.rulebooks.spies.knowledge import sheets_after
from referee.rulebooks.spies.notation import read_action
from referee.rulebooks.spies.options import VARIANTS
from referee.rulebooks.spies.orders import Action, Reveal, Unmask
from referee.rulebooks.spies.position import Sealed, Table
from referee.rulebooks.spies.record import PLAYED_WITH, SET_UP_OF, SHOWN_TO, TOKENS_OF
from referee.rulebooks.spies.score import LAYOUT
from referee.rulebooks.spies.setting_up import on_the_board, read_set_up
from referee.rulebooks.spies.tries import completed
from referee.rulebooks.spies.view import table_data

_SHOWN = re.compile(r"([^\W\d_])[\s:=-]*(\d{1,4}|\?)")


def replay(text: str, table: MovementTable, row: int | None = None) -> Replay:
    """Replay a record; see Records.replay. Errors in the head have row 0."""
    return told(_Game(table), text, row)


@dataclass(frozen=True, slots=True)
class _Told:
    """A turn that counts, and its row in the record."""

    row: int
    turn: Sealed


class _Game(Retelling):
    """A game of this edition as far as its record was checked."""

    layout = LAYOUT
    on_the_board = ON_THE_BOARD

    def __init__(self, table: MovementTable) -> None:
        super().__init__(table)
        self.variants = Variants()
        self.columns = (LAYOUT.edition.south, WHITE)
        self.squares: dict[Seat, dict[str, Square]] = {}
        """The squares of sides that were set up by their players, on the board."""
        self.shown: dict[Seat, dict[str, int]] = {}
        """The types that a player was shown, according to the record, where it has no deal of that player."""
        self.standing: list[_Told] = []
        self.reopened = False
        """Whether a take-back has sealed the last of those again, so that its cell is repeated."""
        self.now = fold_table(None, self._began(WHITE))
        self._trail = Trail(COURSE)

    @property
    def board(self) -> Board:
        return self.now.board

    @property
    def rows_told(self) -> int:
        return self.standing[-1].row if self.standing else 0

    @property
    def more(self) -> Mapping[str, Json]:
        return table_data(self.now)

    def sheets_after(self, row: int | None) -> Mapping[Seat, SheetShown]:
        table = self.now if row is None else self._table_after(row)
        return sheets_after(table, {seat: self._shown_by(table, seat) for seat in SEATS})

    def _table_after(self, row: int) -> Table:
        """Return the table at the end of a row of the record, with its turns answered as far as they are.

        Row 0 is the start.
        """
        behind = next((each.turn for each in self.standing if each.row > row), None)
        after: Table | None = None
        for happening in COURSE.standing(self.happenings):
            further = fold_table(after, happening)
            if behind is not None and further.sealed == behind:
                break
            after = further
        return after or self.now

    def _shown_by(self, table: Table, seat: Seat) -> dict[str, int]:
        """Return what a player has been shown of their own spies, as far as the record states it."""
        letters = (
            taken.action.letter
            for taken in table.taken
            if taken.seat == seat and isinstance(taken.action, Reveal)
        )
        known = self.deals.get(seat) or self.shown.get(seat, {})
        return {letter: known[letter] for letter in letters if letter in known}

    # The head

    def read_head(self, head: Mapping[str, str]) -> None:
        self.variants = replace(
            _read_variants(head.get(PLAYED_WITH.lower(), "")),
            tokens={seat: _read_tokens(head, seat) for seat in SEATS},
        )
        super().read_head(head)
        for seat in SEATS:
            key = f"{seat.capitalize()}{SET_UP_OF}"
            if (said := head.get(key.lower())) is not None:
                self.squares[seat] = _read_set_up(self.variants, seat, key, said)
            key = f"{seat.capitalize()}{SHOWN_TO}"
            if (said := head.get(key.lower())) is not None:
                self.shown[seat] = _read_shown(self, seat, key, said)

    def read_deal(self, text: str) -> Deal | Fault:
        return read_deal(text, self.variants.edition)

    # The beginning

    def _began(self, first: Seat) -> Happening:
        return began(first, self.table, self.variants, {SHEETS: "on"}, deal_set=bool(self.deals))

    def begin(self, first: Seat, score: Score) -> None:
        self.columns = score.columns
        self.happenings = []
        self.take(
            (
                self._began(first),
                *(dealt(seat, self.deals[seat]) for seat in SEATS if seat in self.deals),
            )
        )
        if len(self.squares) == len(SEATS):
            self.take((set_up(self.squares),))
        else:
            self.take(tuple(placed(seat, squares) for seat, squares in self.squares.items()))

    def take(self, happenings: tuple[Happening, ...]) -> None:
        for happening in with_reveal(happenings, self.deals):
            self.happenings.append(happening)
            self.now = fold_table(self.now, happening)

    def play(self, score: Score) -> None:
        super().play(score)
        for seat, types in self.shown.items():
            for letter in types:
                if letter not in self._shown_by(self.now, seat):
                    key = f"{seat.capitalize()}{SHOWN_TO}"
                    reason = f"no turn of {seat.capitalize()}'s that stands shows {letter}"
                    raise Parting(0, seat, f"{key} = {score.head[key.lower()]}", reason)

    # A turn

    def tell(self, turn: Turn, seat: Seat) -> None:
        if self.reopened:
            self._tell_again(turn, seat)
            return
        self.hold_against_turn(turn, seat)
        if not self.now.set_up:
            missing = " and ".join(each.capitalize() for each in SEATS if each not in self.squares)
            raise turn.parting(f"nobody moves before both sides are set up; {missing} is not")
        if self.now.sealed is not None:
            raise turn.parting("the turn before this one is not answered, so there is none behind it")
        action = read_action(turn.cell.action) if turn.cell.action else None
        ordered = Sealed(self.board.row, seat, action, self._tries(turn, seat, action))
        order = (*self._shown(turn, seat, action), sealed(ordered))
        answers = self._answers(turn, ordered, fold_table(self.now, order[-1]))
        self.take(order)
        self.take(answers)
        self.standing.append(_Told(turn.row, ordered))

    def _tries(self, turn: Turn, seat: Seat, action: Action | None) -> tuple[Move, ...]:
        """Check an order against the rules, and return its attempts in canonical form."""
        table = self.now
        if action is not None:
            if (fault := action_fault(table, seat, action)) is not None:
                raise turn.parting(self.compass.as_written(fault).reason())
            if isinstance(action, Unmask):
                self._hold_against_unmasking(turn, table.board.edition.other(seat), action.letter)
            table = with_action(table, seat, action, table.board.row)
        tries = tuple(self.compass.as_played(tried.move) for tried in turn.cell.tries)
        if turn.cell.passes and (
            instead := next(possible_moves(table.board, seat, barred(table, seat, action)), None)
        ):
            reason = f"{seat.capitalize()} may not pass, he could try {write_move(instead)} (CF-11.3)"
            raise turn.parting(reason)
        any_length = len(tries) == 1 and turn.cell.tries[0].refused
        if (fault := turn_fault(table, seat, action, tries, any_length=any_length)) is not None:
            if fault.code == "barred" and isinstance(action, Reveal):
                reason = f"{action.letter} was shown to its player in this turn, so another spy moves"
                raise turn.parting(reason)
            raise turn.parting(self.compass.as_written(fault).reason())
        return completed(table.board, seat, tries, wishes=self.variants.comrade)

    def _hold_against_unmasking(self, turn: Turn, owner: Seat, letter: str) -> None:
        """Check that a spy removed by the opponent can be the double agent (CF-10.5)."""
        agent = self.table.agent_number
        if owner not in self.deals:
            self.open_types.hold_against(turn, self.board.edition, owner, letter, 1 << agent - 1)
        elif self.deals[owner][letter] != agent:
            piece = self.board.piece(owner, letter)
            assert piece is not None  # action_fault has checked this
            who = called(self.table.row(self.deals[owner][letter]), replace(piece, promoted=False))
            raise turn.parting(f"{who} is no double agent, so his opponent cannot remove him")

    def _shown(self, turn: Turn, seat: Seat, action: Action | None) -> tuple[Happening, ...]:
        """Return the happening of a spy shown to its player, where the record states its type (CF-10.9)."""
        known = self.deals.get(seat) or self.shown.get(seat, {})
        if not isinstance(action, Reveal) or action.letter not in known:
            return ()
        number = known[action.letter]
        if seat not in self.deals:
            self.open_types.hold_against(turn, self.board.edition, seat, action.letter, 1 << number - 1)
        return (shown(seat, action.letter, number),)

    def _tell_again(self, turn: Turn, seat: Seat) -> None:
        """Check the repeated cell of a turn that a take-back has sealed again; its answer may differ."""
        ordered = self.standing[-1].turn
        cell = turn.cell
        if seat == ordered.seat and _is_again(self, cell, ordered):
            self.take(self._answers(turn, ordered, self.now))
            self.reopened = False
            return
        written = " & ".join(write_move(self.compass.as_played(move)) for move in ordered.tries) or PASS
        whose = ordered.seat.capitalize()
        reason = f"behind what was taken back {whose}'s turn before it stands again, which was {written}"
        raise turn.parting(reason)

    def _answers(self, turn: Turn, ordered: Sealed, table: Table) -> tuple[Happening, ...]:
        """Check the answers to a turn against the rules, and return their happenings. table: with the turn sealed."""
        cell = turn.cell
        if cell.unanswered or (cell.tries and cell.tries[0].unanswered):
            if any(not tried.unanswered for tried in cell.tries):
                raise turn.parting("an attempt is answered behind one that is not")
            return ()
        answers = _Answers(self, turn, ordered.seat)
        happenings = unfold(table, answers.say)
        answers.hold_against(happenings)
        return happenings

    def end(self, turn: Turn, end: End) -> None:
        if self.board.result is None and self.now.sealed is not None:
            raise turn.parting("the turn before is not answered, and no game ends before that is done")
        super().end(turn, end)

    # What was taken back

    def take_back(self, back: Back) -> tuple[int, Seat]:
        turns = [(each.row, each.turn.seat, each.turn.row) for each in self.standing]
        turns.append((self._row_now(), self.board.to_move, self.board.row))
        place = next(
            (at for at, (row, seat, _) in enumerate(turns) if row == back.row and back.seat in (None, seat)),
            None,
        )
        taken = self.standing[place:] if place is not None else []
        nothing = place == len(turns) - 1 and (self.now.sealed is not None or not self.standing)
        if place is None or nothing:
            raise Parting(back.row, back.seat, back.text, nothing_to_take_back(back))
        _, seat, number = turns[place]
        attempts = sum(len(each.turn.tries) for each in taken)
        self.branches.append(Branch(back.row, seat, attempts, back.reason))
        self.happenings.append(taken_back(Return(number, seat, back.reason), BOTH))
        self.now = self._trail.follow(self.happenings)
        del self.standing[place:]
        self.reopened = self.now.sealed is not None
        if self.reopened:
            return self.standing[-1].row, self.standing[-1].turn.seat
        return back.row, seat

    def _row_now(self) -> int:
        """Return the row in which the record would have the present turn."""
        if not self.standing:
            return 1
        last = self.standing[-1]
        return last.row + (last.turn.seat == self.columns[1])


class _Answers:
    """The answers in a cell, given one after the other as its attempts are opened."""

    def __init__(self, game: _Game, turn: Turn, seat: Seat) -> None:
        self.game = game
        self.turn = turn
        self.deal = game.deals.get(seat)
        self.asked = 0
        self.unpromoted: list[bool] = []
        """For each attempt that was answered, whether its spy was not promoted before."""

    def say(self, table: Table, seat: Seat, move: Move) -> Said:
        """Return the record's answer to an attempt. Raises Parting where that answer is not possible."""
        tried = self.turn.cell.tries[self.asked]
        self.asked += 1
        if tried.unanswered:
            reason = f"{self._written(tried)} can be attempted behind the first, so it has an answer"
            raise self.turn.parting(reason)
        written = self.game.compass.as_played(tried.move)
        if (fault := refusal(table.board, seat, written, any_length=tried.refused)) is not None:
            raise self.turn.parting(self.game.compass.as_written(fault).reason())
        piece = mover(table.board, seat, move)
        assert piece is not None  # refusal has checked this
        self.unpromoted.append(not piece.promoted)
        agent, row = self._is_agent(table, piece), self._row(table, piece)
        if row is not None:
            yes = row.can(heading(seat, move.direction), move.length)
            if yes == tried.refused:
                raise self.turn.parting(contradiction(row, piece, tried.move, refused=tried.refused))
        arriving = not tried.refused and arrives(table.board, seat, move)
        wished = arriving and table.variants.comrade and move.promotes
        if tried.unmasked and not (wished and table.variants.double_agent):
            raise self.turn.parting(f"{piece.letter} was offered no promotion here that would unmask it")
        if tried.unmasked and row is not None:
            raise self.turn.parting(
                f"{called(row, piece)} is no double agent, but the record has it unmasked"
            )
        unmasked = tried.unmasked or (agent and wished)
        if table.variants.comrade:
            promoted = True if wished and not unmasked else None
        else:
            promoted = self._promoted(row, piece, written, agent=agent) if arriving else None
        return Said(not tried.refused, promoted, unmasked, bool(tried.taken_by))

    def _is_agent(self, table: Table, piece: Piece) -> bool:
        """Return whether a spy is the double agent according to the record. A promoted one is not."""
        number = None if self.deal is None or piece.promoted else self.deal[piece.letter]
        return number == table.board.table.agent_number

    def _row(self, table: Table, piece: Piece) -> Row | None:
        """Return the row of the movement table that answers for a spy.

        None where the record does not state the type, and for the double agent.
        """
        if piece.promoted:
            return table.board.table.promoted
        if self.deal is None or self._is_agent(table, piece):
            return None
        return table.board.table.row(self.deal[piece.letter])

    def _promoted(self, row: Row | None, piece: Piece, written: Move, *, agent: bool) -> bool:
        """Return whether an arrival promotes by the classic rule; where the deal is known, a `+` may be missing."""
        if agent and written.promotes:
            reason = (
                f"{piece.letter} is the double agent, who is not promoted, but the record has him promoted"
            )
            raise self.turn.parting(reason)
        if row is None:
            return written.promotes
        if written.promotes and not row.promotes:
            raise self.turn.parting(wrongly_promoted(row, piece))
        return row.promotes

    def hold_against(self, happenings: Sequence[Happening]) -> None:
        """Check the consequences of the answers against the rest of the cell: who took Z, and which attempt lapses.

        Where the record has no deal, check them against all earlier answers as well.
        """
        ends = any(each.code == ENDED for each in happenings)
        for tried in self.turn.cell.tries[self.asked :]:
            if not tried.unanswered:
                why = "the game was over before" if ends else "the first attempt has made it impossible"
                raise self.turn.parting(f"{self._written(tried)} has no answer, since {why}")
        attempts = [read_attempt(each) for each in happenings if each.code == ATTEMPTED]
        for attempt, unpromoted in zip(attempts, self.unpromoted, strict=True):
            if self.deal is None and unpromoted:
                variants = self.game.variants
                agrees = agreeing(
                    self.game.table, attempt, double_agent=variants.double_agent, comrade=variants.comrade
                )
                self.game.open_types.hold_against(
                    self.turn, self.game.board.edition, attempt.seat, attempt.letter, agrees
                )
        self._hold_against_unmasking([each for each in happenings if each.code == UNMASKED])

    def _hold_against_unmasking(self, unmasked: Sequence[Happening]) -> None:
        """Check that a double agent that accepts promotion is unmasked, unless the game ends first (CF-10.11)."""
        marked = [tried for tried in self.turn.cell.tries if tried.unmasked]
        if marked and not unmasked:
            raise self.turn.parting(
                "the game was over before promotion was offered that would unmask anybody"
            )
        for happening in unmasked:
            _, letter, taken_by = read_unmasked(happening)
            if not marked:
                reason = (
                    f"{letter} is the double agent, who is unmasked and not promoted, which is written +?"
                )
                raise self.turn.parting(reason)
            if marked[0].taken_by != (taken_by or ""):
                who = (
                    f"{taken_by}, the first of the other side's spies, takes" if taken_by else "nobody takes"
                )
                raise self.turn.parting(f"{who} Z here, not {marked[0].taken_by}")

    def _written(self, tried: Tried) -> str:
        return write_move(tried.move)


def _bare(move: Move) -> Move:
    """Return a move without the tails that follow from the board, and without a `+`, which may be an answer."""
    return replace(move, captures="", takes_z=False, passed_to="", promotes=False)


def _is_again(game: _Game, cell: Cell, ordered: Sealed) -> bool:
    """Return whether a cell repeats an order; tails may be left out."""
    action = read_action(cell.action) if cell.action else None
    written = [game.compass.as_played(tried.move) for tried in cell.tries]
    wishes = [move.promotes for move in written] if game.variants.comrade else None
    return (
        action == ordered.action
        and cell.passes == (not ordered.tries)
        and list(map(_bare, written)) == list(map(_bare, ordered.tries))
        and wishes in (None, [move.promotes for move in ordered.tries])
    )


def _read_set_up(variants: Variants, seat: Seat, key: str, said: str) -> dict[str, Square]:
    """Read the line of the head that tells where a side was set up."""
    if not variants.variable_setup:
        reason = "without the variant variable-setup, everybody begins where the book has it"
        raise Parting(0, seat, f"{key} = {said}", reason)
    read = read_set_up(said, variants.edition)
    if isinstance(read, Fault):
        raise Parting(0, seat, f"{key} = {said}", read.reason())
    return on_the_board(variants.edition, seat, read.squares)


def _read_shown(game: _Game, seat: Seat, key: str, said: str) -> dict[str, int]:
    """Read the line of the head that tells which types a player was shown."""
    types: dict[str, int] = {}
    agent = game.table.agent_number
    for pair in said.split():
        found = _SHOWN.fullmatch(pair)
        number = (agent if found[2] == DOUBLE_AGENT else int(found[2])) if found else 0
        letter = found[1].upper() if found else ""
        known = agent if game.variants.double_agent else agent - 1
        if letter not in game.variants.edition.letters or not 1 <= number <= known or letter in types:
            reason = f"what a player was shown is written as in `H4 X?`; {pair} is not"
            raise Parting(0, seat, f"{key} = {said}", reason)
        types[letter] = number
    if seat in game.deals and any(game.deals[seat][letter] != types[letter] for letter in types):
        reason = f"{seat.capitalize()}'s deal says otherwise"
        raise Parting(0, seat, f"{key} = {said}", reason)
    return types


def _read_variants(said: str) -> Variants:
    """Read `Variants = small-world comrade`."""
    named = [name.lower() for name in re.split(r"[\s,;]+", said) if name]
    for name in named:
        if name not in VARIANTS:
            reason = f"there is no variant {name}; they are {', '.join(VARIANTS)}"
            raise Parting(0, None, f"{PLAYED_WITH} = {said}", reason)
    played: dict[str, Any] = {VARIANTS[name]: True for name in named}
    return Variants(**played)


def _read_tokens(head: Mapping[str, str], seat: Seat) -> frozenset[str]:
    """Read `WhiteTokens = reveal move swap`."""
    key = f"{seat.capitalize()}{TOKENS_OF}"
    said = head.get(key.lower(), "")
    named = [name.lower() for name in re.split(r"[\s,;]+", said) if name]
    for name in named:
        if name not in TOKENS:
            raise Parting(
                0, seat, f"{key} = {said}", f"there is no token {name}; they are {', '.join(TOKENS)}"
            )
    return frozenset(named)
