"""The layout of a record: a head, then numbered rows of two cells, Red's turn and Blue's. No rule is checked here.

A cell has several lines. First come the orders, as a player writes them. Behind `-` stand their effects, and behind `/`
the consequences of these:

    3. Red   MV RI1 TO BI1 A20
             - RI1 B12.5 A20 to 115.18,23.32 / K1 to Red
    3. Blue  PASS
             - nothing

Row 0 holds the set-ups. A line of the other side's, or an order that went on by plan, says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.rulebooks.branches import Return, trimmed
from referee.rulebooks.record_text import head_line, no_line, record_lines, too_long, without_comments
from referee.rulebooks.rulebook import RecordError, Seat

BACK = "taken back to"
NOTHING = "nothing"
HEADING = "Turn Side  Orders, and behind - what came of them"
WIDTH = 100
"""Maximum width of a line of effects."""

_CELL_LINE = re.compile(r"\s*(\d{1,6}|end)\s*[.):]\s*([^\W\d]+)\b[\s:]*(.*)$", re.IGNORECASE)
_BACK_LINE = re.compile(
    r"\s*\[?\s*taken\s+back\s+to\s+(\d{1,6})\s+([^\W\d]+)\s*(?::(.*)|[\].]*$)", re.IGNORECASE
)
_HEADING = re.compile(r"\s*turn\s+side(?:\s+orders\b[^\d/]*)?$", re.IGNORECASE)
_SAYING = re.compile(r"[-‐‑‒–—−]\s*(.*)")
_FURTHER = re.compile(r"/\s*(.*)")
_BY_PLAN = re.compile(r"\s*\(\s*plan\s*\)\s*$", re.IGNORECASE)
_SIDES: Mapping[str, Seat] = {
    word: Seat(side)
    for side, words in (("red", ("red", "rouge", "rouges")), ("blue", ("blue", "bleu", "bleus")))
    for word in words
}


@dataclass(frozen=True, slots=True)
class WrittenOrder:
    """An order line in a cell, and its side. by_plan: it comes from a plan (E3)."""

    side: Seat
    text: str
    by_plan: bool = False


Effects = list[str]
"""The texts of an action and its consequences, or of what happens by itself."""


@dataclass
class Cell:
    """One turn in the record. row: None for the wishes and plans at the end of the battle."""

    row: int | None
    side: Seat
    lines: list[WrittenOrder | Effects] = field(default_factory=list)

    @property
    def orders(self) -> list[WrittenOrder]:
        return [each for each in self.lines if isinstance(each, WrittenOrder)]

    @property
    def effects(self) -> list[str]:
        return [said for each in self.lines if not isinstance(each, WrittenOrder) for said in each]


@dataclass
class Score:
    """A record as read: its head, its cells, and the lines that take turns back, in their order."""

    head: dict[str, str] = field(default_factory=dict)
    parts: list[Cell | Return] = field(default_factory=list)


class Mismatch(Exception):
    """The first place where a record does not agree with the rules. It brings the error to the top of the replay."""

    def __init__(self, row: int, seat: Seat | None, text: str, reason: str) -> None:
        super().__init__(reason)
        self.error = RecordError(row, seat, text, reason)


def side_in(word: str) -> Seat | None:
    """Return the side that a word names, None for none."""
    return _SIDES.get(word.strip().lower())


# --- writing


def write_parts(parts: Iterable[Cell | Return]) -> list[str]:
    """Return the heading and the rows, as lines."""
    lines = ["", HEADING]
    for part in parts:
        if isinstance(part, Return):
            lines.append(f"{BACK} {write_back(part)}")
        else:
            lines += _write_cell(part)
    return lines


def write_back(back: Return) -> str:
    """Write what stands behind `taken back to` in a line of its own: `12 Red: the order was misread`."""
    turn = f"{back.turn} {back.seat.capitalize()}"
    return f"{turn}: {back.reason}" if back.reason else turn


def _write_cell(cell: Cell) -> list[str]:
    number = "end" if cell.row is None else cell.row
    start = f"{number:>4}. {cell.side.capitalize():<5} "
    texts = [text for line in cell.lines for text in _texts(cell, line)] or [""]
    return [f"{start if place == 0 else ' ' * len(start)}{text}".rstrip() for place, text in enumerate(texts)]


def _texts(cell: Cell, line: WrittenOrder | Effects) -> list[str]:
    if isinstance(line, WrittenOrder):
        whose = "" if line.side == cell.side else f"{line.side.capitalize()} "
        return [f"{whose}{line.text}{' (plan)' if line.by_plan else ''}"]
    texts = [f"- {line[0]}"]
    for saying in line[1:]:
        if len(texts[-1]) + len(saying) + 3 > WIDTH:
            texts.append(f"  / {saying}")
        else:
            texts[-1] += f" / {saying}"
    return texts


# --- reading


def read_score(text: str) -> Score:
    """Read a record file. Raises Mismatch where a line is none of its kinds; errors in the head have row 0."""
    if why := too_long(text):
        raise Mismatch(0, None, "", why)
    score = Score()
    for number, line in enumerate(record_lines(text), 1):
        said = without_comments(line)
        if not said or _HEADING.match(said):
            continue
        if not score.parts and (entry := head_line(line)):
            _keep_head(score, entry[0].lower(), entry[1], line)
        elif found := _CELL_LINE.match(said):
            _begin_cell(score, found, line)
        elif found := _BACK_LINE.match(whole := line.split(";", 1)[0].rstrip()):
            side = side_in(found[2])
            if side is None:
                raise Mismatch(int(found[1]), None, line.strip(), f"{found[2]} is neither Red nor Blue")
            score.parts.append(Return(int(found[1]), side, _reason(found[3] or "", whole)))
        elif score.parts and isinstance(score.parts[-1], Cell):
            _add_line(score.parts[-1], said.strip())
        else:
            raise Mismatch(0, None, line.strip(), no_line(number, line))
    if not score.head and not score.parts:
        raise Mismatch(0, None, "", "there is no record here: no line of a head and no row")
    return score


def _keep_head(score: Score, key: str, said: str, line: str) -> None:
    if key in score.head:
        raise Mismatch(0, None, line.strip(), f"{key.capitalize()} is given twice")
    score.head[key] = said


def _reason(said: str, line: str) -> str:
    reason = " ".join(said.split())
    return trimmed(reason.removesuffix("]") if line.lstrip().startswith("[") else reason)


def _begin_cell(score: Score, found: re.Match[str], line: str) -> None:
    row = None if found[1].lower() == "end" else int(found[1])
    side = side_in(found[2])
    if side is None:
        raise Mismatch(row or 0, None, line.strip(), "behind the number of a row stands Red or Blue")
    cell = Cell(row, side)
    score.parts.append(cell)
    if found[3].strip():
        _add_line(cell, found[3].strip())


def _add_line(cell: Cell, text: str) -> None:
    if found := _SAYING.fullmatch(text):
        cell.lines.append(_split(found[1]))
    elif (found := _FURTHER.fullmatch(text)) and cell.lines and not isinstance(cell.lines[-1], WrittenOrder):
        cell.lines[-1].extend(_split(found[1]))
    else:
        word, _, rest = text.partition(" ")
        side = side_in(word.rstrip(":"))
        order = rest if side is not None else text
        by_plan = bool(_BY_PLAN.search(order))
        cell.lines.append(WrittenOrder(side or cell.side, _BY_PLAN.sub("", order).strip(), by_plan))


def _split(said: str) -> Effects:
    return [" ".join(each.split()) for each in re.split(r"\s/(?:\s|$)", f" {said} ") if each.strip()]


def further_lines(head: Mapping[str, str], own: Sequence[str]) -> list[str]:
    """Return the lines of the head that the game does not write itself. own: the keys of those that it does."""
    return [f"{key} = {' '.join(value.split())}" for key, value in head.items() if key not in own]
