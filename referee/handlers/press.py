"""What players write beside moves: to each other, and to themselves. What they write to the umpire is in `claims`.

A text lies in a table of its own and is erased with its writer; the game's event names it by number. It is never read
as anything that the desk might do, and in other people's letters it stands set apart, so that nobody takes it for the
referee's own words.
"""

from __future__ import annotations

from typing import Any

from referee.commands.command import Diary, Mute, Press, Written
from referee.common.durations import DAY
from referee.common.i18n import N_
from referee.games.events import Muted, Noted, Pressed, Unmuted
from referee.games.game import Game
from referee.games.game_options import press_of
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import find_seat, opponent
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat, other_seat
from referee.store.values import WritingKind

LONGEST_TEXT = 2000
"""Signs of one text."""
MOST_A_DAY: dict[WritingKind, int] = {"press": 10, "diary": 50, "claim": 3, "appeal": 3}
"""Texts of one player in one game within a day."""
_TOO_MANY: dict[WritingKind, str] = {
    "press": N_("{most} texts of yours were passed on in this game within a day; write again tomorrow"),
    "diary": N_("you have noted {most} things in this game within a day; write again tomorrow"),
    "claim": N_("you have brought {most} claims about this game within a day; write again tomorrow"),
    "appeal": N_("you have appealed {most} times in this game within a day; write again tomorrow"),
}


def press(work: HandlerContext, command: Press, number: int | None) -> None:
    """Pass a text on to the other player; it is shown back to its writer."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    other = other_seat(game.seats, seat)
    reader = work.post.player(game.seats[other])
    about, who = game.number, opponent(work, game, seat)
    manner = press_of(game.options)
    if manner == "off":
        message = "it was agreed that no press is passed on in game {game}"
        work.wrong(command, "press-off", message, about=about, game=str(about))
    elif not reader.address:
        message = "nobody sits on the other side of game {game} any more"
        work.wrong(command, "press-to-nobody", message, about=about, game=str(about))
    elif other in game.muted:
        message = "{who} wants no press in this game at present, so nothing was passed on"
        work.wrong(command, "press-muted", message, about=about, who=who)
    elif (text := kept(work, command, game, seat, "press")) is not None:
        work.happen(game, Pressed(seat, "all" if command.to_all else "opponent", text))
        facts = {"game": about, "who": who, "all": command.to_all, "signed": manner == "named"}
        work.took(command, about, Note("pressed", {**facts, **shown(command)}))


def mute(work: HandlerContext, command: Mute, number: int | None) -> None:
    """Have the opponent's press passed on no more, or again."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if command.off and seat in game.muted:
        work.happen(game, Unmuted(seat))
    elif not command.off and seat not in game.muted:
        work.happen(game, Muted(seat))
        work.unit.news.drop(work.player.number, game.number, "press")
    other = other_seat(game.seats, seat)
    who = work.post.player(game.seats[other]).name or other.capitalize()
    work.took(
        command,
        game.number,
        Note("unmuted" if command.off else "muted", {"who": who, "game": game.number}),
    )


def diary(work: HandlerContext, command: Diary, number: int | None) -> None:
    """Keep a note for its writer alone, or show him all of them."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    me = work.player.number
    if not command.text:
        entries = [each for each in work.unit.writings.of_kind(game.number, "diary") if each.player == me]
        noted = tuple({"turn": each.turn, "lines": each.lines} for each in entries)
        work.took(command, game.number, Note("diary", {"noted": noted, "over": game.status == "ended"}))
    elif game.status == "ended":
        message = "game {game} is over, and the diaries were shown; nothing was noted"
        work.wrong(command, "diary-closed", message, about=game.number, game=str(game.number))
    elif (text := kept(work, command, game, seat, "diary")) is not None:
        work.happen(game, Noted(seat, text))
        facts = {"turn": game.rulebook.rules.turn(game.view(seat)), **shown(command)}
        work.took(command, game.number, Note("noted", facts))


def shown(command: Written) -> dict[str, Any]:
    """Return what shows a text back to its writer."""
    return {"lines": tuple(command.text.splitlines()), "unread": command.unread}


def kept(
    work: HandlerContext,
    command: Written,
    game: Game,
    seat: Seat,
    kind: WritingKind,
    *,
    counted: WritingKind | None = None,
) -> int | None:
    """Keep a text and return its number; None, and what is wrong noted, for one that is too long or too many.

    counted: as what it counts for the limit of a day, where that is not its kind.
    """
    signs, counted = len(command.text), counted or kind
    most = MOST_A_DAY[counted]
    me = work.player.number
    if signs > LONGEST_TEXT:
        message = "a text has at most {most} signs, and this one has {signs}; nothing of it was taken"
        work.wrong(
            command,
            "text-too-long",
            message,
            about=game.number,
            most=str(LONGEST_TEXT),
            signs=str(signs),
        )
        return None
    if not work.unit.limits.count(f"{counted} of {me} in {game.number}", most, DAY):
        work.wrong(command, "texts-a-day", _TOO_MANY[counted], about=game.number, most=str(most))
        return None
    turn = game.rulebook.rules.turn(game.view(seat))
    return work.unit.writings.add(game.number, me, kind, turn, command.text)
