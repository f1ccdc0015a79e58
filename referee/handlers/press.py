"""What players write besides moves: to each other, and in their diaries. `claims` has texts to the umpire.

A text is stored in a table of its own and is erased with its writer; the game's event refers to it by number.
It is never read as a command, and other people's letters set it apart, so that nobody takes it for the
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
"""The most characters of one text."""
MOST_A_DAY: dict[WritingKind, int] = {"press": 10, "diary": 50, "claim": 3, "appeal": 3}
"""The most texts of one player in one game within a day."""
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
    reader = work.composer.player(game.seats[other])
    about, who = game.number, opponent(work, game, seat)
    manner = press_of(game.options)
    if manner == "off":
        message = "it was agreed that no press is passed on in game {game}"
        work.outcome.reject(command, "press-off", message, about=about, game=str(about))
    elif not reader.address:
        message = "nobody sits on the other side of game {game} any more"
        work.outcome.reject(command, "press-to-nobody", message, about=about, game=str(about))
    elif other in game.muted:
        message = "{who} wants no press in this game at present, so nothing was passed on"
        work.outcome.reject(command, "press-muted", message, about=about, who=who)
    elif (text := kept(work, command, game, seat, "press")) is not None:
        work.apply_events(game, Pressed(seat, "all" if command.to_all else "opponent", text))
        facts = {"game": about, "who": who, "all": command.to_all, "signed": manner == "named"}
        work.outcome.accept(command, about, Note("pressed", {**facts, **shown(command)}))


def mute(work: HandlerContext, command: Mute, number: int | None) -> None:
    """Stop or resume passing on the opponent's press."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if command.off and seat in game.muted:
        work.apply_events(game, Unmuted(seat))
    elif not command.off and seat not in game.muted:
        work.apply_events(game, Muted(seat))
        work.unit.news.drop(work.request.player.number, game.number, "press")
    other = other_seat(game.seats, seat)
    who = work.composer.player(game.seats[other]).name or other.capitalize()
    work.outcome.accept(
        command,
        game.number,
        Note("unmuted" if command.off else "muted", {"who": who, "game": game.number}),
    )


def diary(work: HandlerContext, command: Diary, number: int | None) -> None:
    """Store a diary entry for its writer alone, or show them all of them."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    me = work.request.player.number
    if not command.text:
        entries = [each for each in work.unit.writings.of_kind(game.number, "diary") if each.player == me]
        noted = tuple({"turn": each.turn, "lines": each.lines} for each in entries)
        work.outcome.accept(
            command, game.number, Note("diary", {"noted": noted, "over": game.status == "ended"})
        )
    elif game.status == "ended":
        message = "game {game} is over, and the diaries were shown; nothing was noted"
        work.outcome.reject(command, "diary-closed", message, about=game.number, game=str(game.number))
    elif (text := kept(work, command, game, seat, "diary")) is not None:
        work.apply_events(game, Noted(seat, text))
        facts = {"turn": game.rulebook.rules.turn(game.view(seat)), **shown(command)}
        work.outcome.accept(command, game.number, Note("noted", facts))


def shown(command: Written) -> dict[str, Any]:
    """Return the facts that show a text back to its writer."""
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
    """Store a text and return its number; None, with the fault recorded, for one too long or too many.

    counted: the kind whose daily limit applies, where that is another.
    """
    signs, counted = len(command.text), counted or kind
    most = MOST_A_DAY[counted]
    me = work.request.player.number
    if signs > LONGEST_TEXT:
        message = "a text has at most {most} signs, and this one has {signs}; nothing of it was taken"
        work.outcome.reject(
            command,
            "text-too-long",
            message,
            about=game.number,
            most=str(LONGEST_TEXT),
            signs=str(signs),
        )
        return None
    if not work.unit.limits.count(f"{counted} of {me} in {game.number}", most, DAY):
        work.outcome.reject(command, "texts-a-day", _TOO_MANY[counted], about=game.number, most=str(most))
        return None
    turn = game.rulebook.rules.turn(game.view(seat))
    return work.unit.writings.add(game.number, me, kind, turn, command.text)
