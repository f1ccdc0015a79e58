"""Shows both editions of Confusion on their pages, step by step, from happenings and views alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.rulebooks.branches import TAKEN_BACK, read_taken_back
from referee.rulebooks.confusion import deduction
from referee.rulebooks.confusion.assignments import count_total, open_types
from referee.rulebooks.confusion.compass import WHITE, square_after
from referee.rulebooks.confusion.happenings import (
    ATTEMPTED,
    BEGAN,
    ENDED,
    PASS,
    PASSED,
    read_attempt,
)
from referee.rulebooks.confusion.notation import Move, write_move
from referee.rulebooks.confusion.position import Attempt, Board
from referee.rulebooks.confusion.table import Row
from referee.rulebooks.rulebook import OBSERVER, Happening, Rulebook, Seat, heard_by_all
from referee.rulebooks.spies import deduction as deduction_of_spies
from referee.rulebooks.spies.happenings import (
    ANSWERING,
    INTENDED,
    LAPSED,
    SEALED,
    SET_UP,
    SHOWN,
    UNMASKED,
    read_sealed,
    read_unmasked,
)
from referee.rulebooks.spies.notation import in_words, write_order
from referee.rulebooks.spies.position import Sealed, Table
from referee.rulebooks.spies.shown import as_shown
from referee.rulebooks.stages.board import CLEAR, Back, Eyes, Frame, Kind, Line, Sheet, Square, Stage, Step
from referee.rulebooks.stages.wording import Wording

_OF_SPIES: Mapping[str, Any] = {"called": ("spy", "spies"), "removes": True}
_NOBODY: Mapping[Seat, Sequence[str]] = {}
_BEGINS_A_STEP = frozenset((BEGAN, ATTEMPTED, PASSED, ENDED, SEALED, LAPSED, SET_UP))
_SAID_FOR_A_TURN = frozenset((ANSWERING, INTENDED, SHOWN))
"""What a seat says and is shown before it closes its turn: the page shows it with that turn, not the one before."""
_WAYS = {
    "F": "forward",
    "FD": "diagonally forward",
    "S": "sideways",
    "BD": "diagonally backward",
    "B": "straight back",
}


def stage(rulebook: Rulebook, happenings: Sequence[Happening], *, over: bool, words: Wording) -> Stage:
    """Return the stage of a game of either edition.

    over: the happenings are all of a finished game, shown with all types and from both seats' views.
        Otherwise only what an observer hears is shown.
    """
    seats = rulebook.seats
    if not over:
        happenings = heard_by_all(happenings, seats)
    standing = rulebook.rules.standing(happenings)
    watching = _Watching(rulebook, (CLEAR, *seats) if over else (OBSERVER,))
    south = next(seat for seat in seats if seat != WHITE)
    steps: list[Step] = []
    frames: list[list[Frame]] = [[] for _ in watching.names]
    telling = _Telling(words)
    taken = True
    for happening in standing:
        if happening.code in _BEGINS_A_STEP or happening.code in _SAID_FOR_A_TURN:
            if not taken:
                watching.take(frames)
            taken = happening.code in _SAID_FOR_A_TURN
        watching.hear(happening)
        if happening.code in _BEGINS_A_STEP:
            steps.append(telling.step(happening, watching.board))
        elif happening.code == UNMASKED:
            steps[-1] = telling.with_unmasked(steps[-1], happening)
    if not taken:
        watching.take(frames)
    board = watching.board
    return Stage(
        sides=(str(south), str(WHITE)),
        pieces=tuple((str(seat), letter) for seat in (south, WHITE) for letter in board.edition.letters),
        kinds=tuple(_kinds(board)),
        files=board.edition.files,
        steps=tuple(steps),
        eyes=tuple(
            Eyes(str(name), str(WHITE if name == WHITE else south), tuple(seen))
            for name, seen in zip(watching.names, frames, strict=True)
        ),
        backs=tuple(_backs(rulebook, happenings)),
        **(_OF_SPIES if rulebook.name == "spies" else {}),
    )


def _kinds(board: Board) -> Iterator[Kind]:
    table = board.table
    for number, row in enumerate(table.rows, 1):
        promoted = ". It is promoted on the far rank" if row.promotes else ""
        yield Kind(number, row.number, row.name(), f"{_way(row)}{promoted}.")
    if board.edition.double_agent and table.double_agent is not None:
        agent = table.double_agent
        yield Kind(table.agent_number, agent.number, agent.name(), "As the other side likes.")


def _way(row: Row) -> str:
    count = "1 square" if row.reach == 1 else f"Up to {row.reach} squares"
    ways = (
        "any direction"
        if len(row.headings) == len(_WAYS)
        else ", ".join(_WAYS[each] for each in row.headings)
    )
    return f"{count}, {ways}"


def _backs(rulebook: Rulebook, happenings: Sequence[Happening]) -> Iterator[Back]:
    """Yield the take-backs, with the attempts of the turns that no longer count."""
    for place, happening in enumerate(happenings):
        if happening.code == TAKEN_BACK:
            back = read_taken_back(happening)
            before = rulebook.rules.standing(happenings[:place])
            left = rulebook.rules.standing(happenings[: place + 1])
            tried: dict[int, tuple[str, ...]] = {}
            for each in before[len(left) :]:
                if each.code in (ATTEMPTED, PASSED):
                    attempt = read_attempt(each)
                    tried[attempt.row] = (*tried.get(attempt.row, ()), _cell(attempt))
            yield Back(back.turn, str(back.seat), back.reason, tuple(tried.items()))


def _cell(attempt: Attempt) -> str:
    return attempt.text if attempt.answer or attempt.text == PASS else f"({attempt.text})"


@dataclass
class _Watching:
    """The viewers that follow a game.

    With all types shown, the game is folded from everything that happens; for a seat, from what it hears; for
    an observer, from what all hear. Each view has no other source.
    """

    rulebook: Rulebook
    names: tuple[Any, ...]
    _seen: dict[Any, Any] = field(default_factory=dict)
    _known: dict[tuple[Any, ...], Sheet] = field(default_factory=dict)
    _counted: dict[tuple[int, ...], Sheet] = field(default_factory=dict)
    _last: tuple[Board, Mapping[Seat, Sequence[str]], tuple[str, ...]] | None = None

    def hear(self, happening: Happening) -> None:
        for name in self.names:
            before = self._seen.get(name)
            if name == CLEAR:
                self._seen[name] = self.rulebook.rules.fold(before, happening)
            elif name == OBSERVER or name in happening.heard_by:
                self._seen[name] = self.rulebook.rules.hear(before, happening, name)

    @property
    def board(self) -> Board:
        """The board as all see it."""
        board: Board = _public(self._seen[self.names[0]])
        return board

    def take(self, frames: Sequence[list[Frame]]) -> None:
        """Record what each viewer sees now."""
        for name, taken in zip(self.names, frames, strict=True):
            seen = self._seen[name]
            sheets = (
                ()
                if name == OBSERVER
                else tuple(self._sheet(name, seen, seat) for seat in _sides(_public(seen)))
            )
            taken.append(Frame(*self._pieces(name, seen), types=_types(name, seen), sheets=sheets))

    def _pieces(self, name: Any, seen: Any) -> tuple[tuple[str, ...], str]:
        """Return the squares of the pieces, and of Z. Several viewers often see the very same board."""
        board, removed, set_up = _board_shown(name, seen)
        if self._last is None or self._last[0] is not board or self._last[1] is not removed:
            self._last = board, removed, _places(board, removed, set_up=set_up)
        return self._last[2], _written(board.z)

    def _sheet(self, name: Any, seen: Any, seat: Seat) -> Sheet:
        """Return what a side can know of its pieces, as far as this viewer can tell.

        It changes only when the side is answered, or a piece is removed or shown.
        """
        board, table = _public(seen), _table(seen)
        shown = _shown(name, seen, seat)
        answered = sum(attempt.seat == seat for attempt in board.attempts)
        heard = (
            seat,
            answered,
            len(table.taken) if table else 0,
            len(table.unmasked) if table else 0,
            *shown.items(),
        )
        if heard not in self._known:
            if table is None:
                known = deduction.sheet(board.table, board.attempts, seat)
            else:
                known = deduction_of_spies.evidence(table, seat, shown).sheet
            own = tuple(known.own.values())
            if own not in self._counted:
                self._counted[own] = Sheet(count_total(own), open_types(own))
            self._known[heard] = self._counted[own]
        return self._known[heard]


def _sides(board: Board) -> tuple[Seat, Seat]:
    return board.edition.south, WHITE


def _table(seen: Any) -> Table | None:
    """Return the table of the edition of spies, None for the classic edition."""
    return getattr(seen, "table", None)


def _public(seen: Any) -> Board:
    board: Board = seen.board if _table(seen) is None else seen.table.board
    return board


def _board_shown(name: Any, seen: Any) -> tuple[Board, Mapping[Seat, Sequence[str]], bool]:
    """Return the board as a viewer sees it, the removed pieces, and whether both sides are set up.

    A seat that is to move knows the sealed answer to the turn before it, and sees the board accordingly
    (CF-10.8). Before both sides are set up, a seat sees its own placements, and all others see nothing.
    """
    table = _table(seen)
    if table is None:
        return _public(seen), _NOBODY, True
    if name in (CLEAR, OBSERVER):
        board = table.board if table.set_up else replace(table.board, pieces={})
        return board, table.removed, table.set_up
    shown = as_shown(seen).table
    return shown.board, shown.removed, table.set_up


def _places(board: Board, removed: Mapping[Seat, Sequence[str]], *, set_up: bool) -> tuple[str, ...]:
    standing = {
        (piece.seat, piece.letter): f"{_written(piece.square)}{'+' if piece.promoted else ''}"
        for piece in board.pieces.values()
    }
    return tuple(
        standing.get((seat, letter))
        or ("" if not set_up else "r" if letter in removed.get(seat, ()) else "x")
        for seat in _sides(board)
        for letter in board.edition.letters
    )


def _written(square: Square) -> str:
    return f"{square[0]},{square[1]}"


def _types(name: Any, seen: Any) -> tuple[int, ...]:
    """Return the types that a viewer knows, side by side."""
    board, table = _public(seen), _table(seen)
    known: dict[Seat, Mapping[str, int]] = {}
    if name == CLEAR:
        known = dict(seen.deals)
    else:
        side = seen.side
        shown = seen.own.shown if table is not None else {}
        known[side] = seen.own_types if seen.own_types is not None else shown
        known[board.edition.other(side)] = seen.opponent_types
    if table is not None and name != CLEAR:
        for seat, letter in table.unmasked.items():
            known[seat] = {**known.get(seat, {}), letter: board.table.agent_number}
    return tuple(
        known.get(seat, {}).get(letter, 0) for seat in _sides(board) for letter in board.edition.letters
    )


def _shown(name: Any, seen: Any, seat: Seat) -> Mapping[str, int]:
    """Return which of its own types a side was shown, as far as this viewer can tell (CF-10.9)."""
    if _table(seen) is None:
        return {}
    if name == CLEAR:
        shown: Mapping[str, int] = seen.confided[seat].shown
        return shown
    return deduction_of_spies.shown_to(seen, seat)


@dataclass
class _Telling:
    """Turns happenings into steps. _told: how many attempts of a turn were shown, by its key."""

    words: Wording
    _told: dict[str, int] = field(default_factory=dict)
    _action: str = ""

    def step(self, happening: Happening, board: Board) -> Step:
        """Return a step. board: after it, as all see it."""
        match happening.code:
            case c if c == BEGAN:
                first = str(happening.facts["first"]).capitalize()
                return Step("start", 0, "", "", f"The start. {first} has the first turn.")
            case c if c == SET_UP:
                return Step("set-up", 0, "", "", "Both sides are set up, and see each other.")
            case c if c == SEALED:
                return self._sealed(read_sealed(happening), board)
            case c if c == LAPSED:
                facts = happening.facts
                said = f"{facts['text']} has become impossible by the answer before, and lapses."
                text = f"[{facts['text']}]"
                return self._turn(facts["row"], Seat(facts["seat"]), text, said, None)
            case c if c == ENDED and board.result is not None:
                return Step("end", 0, "", "", f"{self.words.result(board.result)}.")
        return self._attempt(read_attempt(happening), board)

    def with_unmasked(self, step: Step, happening: Happening) -> Step:
        """Return the step of an arrival that has unmasked a double agent (CF-10.11)."""
        seat, letter, taken_by = read_unmasked(happening)
        said = f"{step.said} {letter} was {seat.capitalize()}'s double agent, and is removed."
        if taken_by:
            said += f" The briefcase goes to {taken_by}."
        text = f"{step.text}?>{taken_by}" if taken_by else f"{step.text}?"
        return replace(step, text=text, said=said)

    def _turn(
        self, turn: int, seat: Seat, text: str, said: str, answer: bool | None, lines: tuple[Line, ...] = ()
    ) -> Step:
        key = f"{turn}{seat[0]}"
        count = self._told[key] = self._told.get(key, 0) + 1
        if count == 1:
            text, self._action = f"{self._action}{text}", ""
        said = f"Turn {turn}, {seat.capitalize()}: {said}"
        return Step(key if count == 1 else f"{key}{count}", turn, str(seat), text, said, answer, lines)

    def _attempt(self, attempt: Attempt, board: Board) -> Step:
        if attempt.text == PASS:
            said = "nothing can be tried, and the turn is passed."
            return self._turn(attempt.row, attempt.seat, PASS, said, None)
        said = f"{attempt.text}, {'yes' if attempt.answer else 'no'}.{_what_came(attempt, board)}"
        lines = (Line(attempt.start, attempt.end, attempt.answer),) if attempt.start and attempt.end else ()
        return self._turn(attempt.row, attempt.seat, _cell(attempt), said, attempt.answer, lines)

    def _sealed(self, turn: Sealed, board: Board) -> Step:
        """Return the step of an ordered turn: what precedes its move is done, the rest waits (CF-10.8)."""
        seat = turn.seat
        action = "" if turn.action is None else f"{in_words(turn.action)}, then "
        self._action = f"{write_order(turn.action)} " if turn.action is not None else ""
        tries = [*map(write_move, turn.tries)]
        order = " and ".join(tries) or "a turn passed"
        said = f"Turn {turn.row}, {seat.capitalize()}: {action}{order}. The answer is sealed."
        text = self._action + " & ".join(f"[{each}]" for each in tries or [PASS])
        lines = _waiting(turn, board)
        return Step(f"{turn.row}{seat[0]}-sealed", turn.row, str(seat), text, said, lines=lines, sealed=True)


def _waiting(turn: Sealed, board: Board) -> tuple[Line, ...]:
    tried = ((move, _start(move, turn.seat, board)) for move in turn.tries)
    return tuple(
        Line(start, square_after(start, move.direction, move.length), None) for move, start in tried if start
    )


def _start(move: Move, seat: Seat, board: Board) -> Square | None:
    """Return the square of the piece that a move tries, as far as all see it."""
    if not move.letter:
        return board.z
    piece = board.piece(seat, move.letter)
    return piece.square if piece is not None else None


def _what_came(attempt: Attempt, board: Board) -> str:
    """Return the effects of an answer, in short sentences that each begin with a blank."""
    if not attempt.answer:
        return ""
    said = ""
    other = board.edition.other(attempt.seat).capitalize()
    if attempt.captured:
        said += f" It captures {other}'s {attempt.captured}."
    if attempt.took_z:
        said += " It takes Z."
    if attempt.passes_z:
        to = (
            f"{(attempt.passed_seat or '').capitalize()}'s {attempt.passed_to}"
            if attempt.passed_to
            else "nobody"
        )
        said += f" Z goes to {to}."
    if attempt.promoted is not None:
        said += " It is promoted." if attempt.promoted else " It is not promoted."
    return said
