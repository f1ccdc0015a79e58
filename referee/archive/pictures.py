"""Draws a game as it stood at the end of a turn: the board, and the deduction sheets with it. Pure.

A seat's picture is made of its view, which is added up from what that seat had heard by then and from nothing
else. The umpire's picture is an observer's, with both deals shown, as the end shows them to everybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from referee.common.errors import UsageError
from referee.games.game import Game
from referee.rulebooks.rulebook import OBSERVER, UMPIRE, Happening, Result, Rulebook, Seat, heard_by_all
from referee.service.queries import Picture, picture_of_board, picture_of_sheets

_SVG_NAMESPACE = "http://www.w3.org/2000/svg"
_SIZE = re.compile(r'<svg [^>]*?\bwidth="(\d+)" height="(\d+)"')
_BETWEEN = 24
"""Pixels between the board and the sheets."""
_PAPER = "#ffffff"


def draw(game: Game, viewer: Seat, turn: int | None = None, *, sheets: bool = False) -> Picture:
    """Return the board as a viewer saw it at the end of a turn, with their sheets below it on request.

    viewer: a seat, or UMPIRE.
    turn: a row of the record; 0 is the start, None is now.
    Raises UsageError for a turn that the game does not have, and for sheets where there are none.
    """
    rulebook = game.rulebook
    view = _in_the_clear(game, turn) if viewer == UMPIRE else _of_a_seat(game, viewer, turn)
    board = picture_of_board(rulebook, view)
    if not sheets:
        return board
    if viewer == UMPIRE:
        raise UsageError("the sheets are drawn as one side reads them: say which, with --as COLOUR")
    below = picture_of_sheets(rulebook, view)
    if below.png is None or below.svg is None:
        raise UsageError(
            f"game {game.number} is played without deduction sheets: there is no picture of them"
        )
    if board.png is None or board.svg is None:
        return below
    return Picture(_one_png(board.png, below.png), _one_svg(board.svg, below.svg))


def heard_by(rulebook: Rulebook, heard: Sequence[Happening], turn: int) -> tuple[Happening, ...] | None:
    """Return what had been heard at the end of a turn and not taken back; None for an impossible turn.

    The end of the last turn includes everything, the end of the game too.
    """
    stands = rulebook.rules.standing(heard)
    last = last_turn(rulebook, stands)
    if not 0 <= turn <= last:
        return None
    came = _came(rulebook, stands, turn + 1) if turn < last else None
    return stands if came is None else stands[:came]


def last_turn(rulebook: Rulebook, heard: Sequence[Happening]) -> int:
    """Return the number of the latest turn; of a finished game, the last one in which something was tried.

    heard: what a viewer has heard and was not taken back.
    """
    number = rulebook.rules.turn(rulebook.rules.view(heard_by_all(heard, rulebook.seats), OBSERVER))
    if not any("result" in rulebook.records.recorded(each) for each in heard):
        return number
    came = _came(rulebook, heard, number)
    tried = came is not None and any("order" in rulebook.records.recorded(each) for each in heard[came:])
    return number if tried else number - 1


def _came(rulebook: Rulebook, heard: Sequence[Happening], turn: int) -> int | None:
    """Return how much had been heard when the first of a turn's seats was due to move, None where none was."""
    came = (rulebook.rules.turn_of(heard, seat, turn) for seat in rulebook.seats)
    return min((count for count in came if count is not None), default=None)


def _of_a_seat(game: Game, seat: Seat, turn: int | None) -> object:
    heard = game.heard(seat)
    return game.rulebook.rules.view(heard if turn is None else _up_to(game, heard, turn), seat)


def _in_the_clear(game: Game, turn: int | None) -> object:
    """Return an observer's view with what the end shows: both deals."""
    rulebook = game.rulebook
    truth = rulebook.rules.standing(game.happenings)
    truth = truth if turn is None else _up_to(game, truth, turn)
    position = None
    for happening in truth:
        position = rulebook.rules.fold(position, happening)
    public = heard_by_all(truth, rulebook.seats)
    # Where the game is over by then, its end has shown the deals already, and there is nothing to add.
    *_, reveal = (None, *rulebook.rules.conclude(position, Result(None, "", void=True)))
    return rulebook.rules.view(public if reveal is None else (*public, reveal), OBSERVER)


def _up_to(game: Game, heard: Sequence[Happening], turn: int) -> tuple[Happening, ...]:
    found = heard_by(game.rulebook, heard, turn)
    if found is None:
        turns = last_turn(game.rulebook, game.rulebook.rules.standing(heard))
        raise UsageError(f"--turn {turn}: game {game.number} has {turns} turn{'' if turns == 1 else 's'}")
    return found


def _one_svg(*drawings: str) -> str:
    """Return a document with drawings one below the other, each with its own title for screen readers."""
    sizes = [(int(found[1]), int(found[2])) for found in map(_SIZE.match, drawings) if found]
    width = max(across for across, _ in sizes)
    inner, top = [], 0
    for drawing, (across, down) in zip(drawings, sizes, strict=True):
        inner.append(drawing.strip().replace("<svg ", f'<svg x="{(width - across) // 2}" y="{top}" ', 1))
        top += down + _BETWEEN
    height = top - _BETWEEN
    head = f'<svg xmlns="{_SVG_NAMESPACE}" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    return "\n".join((head, *inner, "</svg>")) + "\n"


def _one_png(*drawings: bytes) -> bytes:
    """Return a picture with pictures one below the other, on white paper."""
    pictures = [Image.open(BytesIO(each)).convert("RGB") for each in drawings]
    width = max(each.width for each in pictures)
    height = sum(each.height + _BETWEEN for each in pictures) - _BETWEEN
    page, top = Image.new("RGB", (width, height), _PAPER), 0
    for each in pictures:
        page.paste(each, ((width - each.width) // 2, top))
        top += each.height + _BETWEEN
    written = BytesIO()
    page.save(written, "PNG", optimize=True)
    return written.getvalue()
