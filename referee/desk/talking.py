"""What players write beside moves: to each other, to themselves, and to the umpire.

A text lies in a table of its own and is erased with its writer; the game's event names it by number. It is never read
as anything that the desk might do, and in other people's letters it stands set apart, so that nobody takes it for the
referee's own words.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from referee.commands.command import Claim, Diary, Mute, Press, Written
from referee.desk import clocks
from referee.desk.play import find_seat
from referee.desk.work import Work
from referee.games.agreements import lapse_of, press_of
from referee.games.events import Claimed, Muted, Noted, Pressed, Unmuted
from referee.games.game import Game
from referee.languages import N_, Phrase
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from referee.store.records import WritingKind

LONGEST_TEXT = 2000
"""Signs of one text."""
MOST_A_DAY: dict[WritingKind, int] = {"press": 10, "diary": 50, "claim": 3}
"""Texts of one player in one game within a day."""
_TOO_MANY: dict[WritingKind, str] = {
    "press": N_("{most} texts of yours were passed on in this game within a day; write again tomorrow"),
    "diary": N_("you have noted {most} things in this game within a day; write again tomorrow"),
    "claim": N_("you have brought {most} claims about this game within a day; write again tomorrow"),
}
A_DAY = timedelta(days=1)
PRESS_IN_QUESTION = timedelta(days=30)
"""Press that goes with a claim about press."""
LETTERS_IN_QUESTION = 10
"""The game's last letters, of which a claim names the numbers."""

_ABOUT_PRESS = re.compile(r"\b(?:presse?|messages?|mute|sourdine)\b", re.IGNORECASE)


_ABOUT_TIME = re.compile(r"(?:time|temps)[ .!]*", re.IGNORECASE)


def _claim_time(work: Work, command: Claim, game: Game, seat: Seat) -> None:
    """End a game whose other player is late, where they have agreed that it may be claimed (TM-5.3)."""
    late = _other(game, seat)
    who = work.post.player(game.seats[late]).name or Phrase(late.capitalize())
    about, number = game.number, str(game.number)
    deadline = work.post.clocks.deadline(game, late)
    if game.status != "playing":
        work.wrong(command, "game-over", "game {game} is over", about=about, game=number)
    elif late not in game.due or deadline is None or deadline >= work.received:
        message = "the time of {who} in game {game} is not up"
        work.wrong(command, "time-left", message, about=about, who=who, game=number)
    elif lapse_of(game.options) == "hard":
        message = "game {game} needs no claim: it ends by itself when somebody's time is up"
        work.wrong(command, "time-hard", message, about=about, game=number)
    elif not clocks.may_be_over(work, game, late):
        message = "it is not certain yet that nothing of {who} came in time in game {game}: claim it once more in a day"
        work.wrong(command, "time-uncertain", message, about=about, who=who, game=number)
    else:
        work.happen(game, clocks.over_on_time(game, late))
        work.took(command, about)


def press(work: Work, command: Press, number: int | None) -> None:
    """Pass a text on to the other player; it is shown back to its writer."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    other = _other(game, seat)
    reader = work.post.player(game.seats[other])
    about, who = game.number, reader.name or other.capitalize()
    manner = press_of(game.options)
    if manner == "off":
        message = "it was agreed that no press is passed on in game {game}"
        work.wrong(command, "press-off", message, about=about, game=str(about))
    elif not reader.address:
        message = "nobody sits on the other side of game {game} any more"
        work.wrong(command, "press-to-nobody", message, about=about, game=str(about))
    elif other in game.muted:
        message = "{who} wants no press in this game at present, so nothing was passed on"
        work.wrong(command, "press-muted", message, about=about, who=reader.name or Phrase(who))
    elif (text := _kept(work, command, game, seat, "press")) is not None:
        work.happen(game, Pressed(seat, "all" if command.to_all else "opponent", text))
        facts = {"who": who, "all": command.to_all, "signed": manner == "named", **_shown(command)}
        work.took(command, about, Note("pressed", facts))


def mute(work: Work, command: Mute, number: int | None) -> None:
    """Have the opponent's press passed on no more, or again."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if command.off and seat in game.muted:
        work.happen(game, Unmuted(seat))
    elif not command.off and seat not in game.muted:
        work.happen(game, Muted(seat))
    other = _other(game, seat)
    who = work.post.player(game.seats[other]).name or other.capitalize()
    work.took(
        command,
        game.number,
        Note("unmuted" if command.off else "muted", {"who": who, "game": game.number}),
    )


def diary(work: Work, command: Diary, number: int | None) -> None:
    """Keep a note for its writer alone, or show him all of them."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    me = work.player.number
    if not command.text:
        entries = [each for each in work.unit.written(game.number, "diary") if each.player == me]
        noted = tuple({"turn": each.turn, "lines": each.lines} for each in entries)
        work.took(command, game.number, Note("diary", {"noted": noted, "over": game.status == "ended"}))
    elif game.status == "ended":
        message = "game {game} is over, and the diaries were shown; nothing was noted"
        work.wrong(command, "diary-closed", message, about=game.number, game=str(game.number))
    elif (text := _kept(work, command, game, seat, "diary")) is not None:
        work.happen(game, Noted(seat, text))
        facts = {"turn": game.rulebook.turn(game.view(seat)), **_shown(command)}
        work.took(command, game.number, Note("noted", facts))


def claim(work: Work, command: Claim, number: int | None) -> None:
    """Bring something before whoever runs the service; the claimant gets a receipt, and the opponent hears of it."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if game.timed and _ABOUT_TIME.fullmatch(command.text):
        _claim_time(work, command, game, seat)
        return
    text = _kept(work, command, game, seat, "claim")
    if text is None:
        return
    work.happen(game, Claimed(seat, text))
    with_press = _ABOUT_PRESS.search(command.text) is not None
    # Counted in this game alone: what others write elsewhere, or for themselves, must not show in it.
    which = len(work.unit.written(game.number, "claim"))
    facts: dict[str, Any] = {
        "claim": which,
        "game": game.number,
        "seat": seat,
        "lines": tuple(command.text.splitlines()),
        "numbers": tuple(work.unit.causes(game.number, LETTERS_IN_QUESTION)),
        "press": _press_of_late(work, game) if with_press else (),
        "with_press": with_press,
    }
    sent = work.post.to_operator(Note("claim", facts), every=None, about=game.number, what=f"claim {text}")
    receipt = {
        "claim": which,
        "game": game.number,
        "over": game.status == "ended",
        "sent": sent,
        "with_press": with_press,
        **_shown(command),
    }
    work.took(command, game.number, Note("claimed", receipt))


def _shown(command: Written) -> dict[str, Any]:
    """Return what shows a text back to its writer."""
    return {"lines": tuple(command.text.splitlines()), "unread": command.unread}


def _other(game: Game, seat: Seat) -> Seat:
    return next(each for each in game.seats if each != seat)


def _kept(work: Work, command: Written, game: Game, seat: Seat, kind: WritingKind) -> int | None:
    """Keep a text and return its number; None, and what is wrong noted, for one that is too long or too many."""
    signs, most = len(command.text), MOST_A_DAY[kind]
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
    if not work.unit.one_more(f"{kind} of {me} in {game.number}", most, A_DAY):
        work.wrong(command, "texts-a-day", _TOO_MANY[kind], about=game.number, most=str(most))
        return None
    turn = game.rulebook.turn(game.view(seat))
    return work.unit.add_writing(game.number, me, kind, turn, command.text)


def _press_of_late(work: Work, game: Game) -> tuple[dict[str, Any], ...]:
    """Return the press that goes with a claim about it, oldest first."""
    return tuple(
        {"seat": game.seat_of(each.player) or "", "turn": each.turn, "at": each.at, "lines": each.lines}
        for each in work.unit.written(game.number, "press", work.now - PRESS_IN_QUESTION)
    )
