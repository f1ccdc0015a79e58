"""Players' matters for an umpire: the commands `claim` and `appeal`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from referee.commands.command import Appeal, Claim
from referee.games.cases import APPEALED_WITHIN, Case, UmpireAction, actions_of
from referee.games.events import Replaced
from referee.games.game import Game
from referee.games.game_options import lapse_of
from referee.handlers import cases, deadlines
from referee.handlers.handler_context import HandlerContext
from referee.handlers.orders import LONGEST_SUGGESTION, find_seat, opponent
from referee.handlers.press import kept, shown
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat, other_seat

_ABOUT_TIME = re.compile(
    r"(?:the |on |victory on |le |au |du )?"
    r"(?:time|temps)"
    r"(?: is (?:up|over)| has run out| est (?:écoulé|dépassé)| écoulé| dépassé)?"
    r"(?:,? (?:please|svp|s'il vous pla[iî]t))?[ .!]*",
    re.IGNORECASE,
)
"""Claims that say only that the opponent's time is up."""


def claim(work: HandlerContext, command: Claim, number: int | None) -> None:
    """Open a case, which goes to the umpire; the claimant gets a receipt, and nobody else hears of it."""
    seated = find_seat(work, command, number)
    if seated is None:
        return
    game, seat = seated
    if game.timed and _ABOUT_TIME.fullmatch(command.text):
        _claim_time(work, command, game, seat)
        return
    text = kept(work, command, game, seat, "claim")
    if text is None:
        return
    press = cases.press_before(work, game, work.request.now) if cases.is_about_press(command.text) else None
    opened = cases.open_case(work, game, seat, text, command.text.splitlines(), press=press)
    receipt = {
        "game": game.number,
        "opponent": opponent(work, game, seat),
        "case": cases.called(game.number, opened.number),
        "over": game.status == "ended",
        "sent": opened.sent,
        "with_press": press is not None,
        "late": _may_claim_time(work, game, seat),
        "evidence": opened.evidence.seen_by(seat),
        **opened.hearer,
        **shown(command),
    }
    work.outcome.accept(command, game.number, Note("claimed", receipt))


def _may_claim_time(work: HandlerContext, game: Game, seat: Seat) -> bool:
    """Return whether a seat may claim the game because the opponent's time is up, as far as its player is told."""
    if game.status != "playing" or not game.timed or lapse_of(game.options) == "hard":
        return False
    late = other_seat(game.seats, seat)
    deadline = work.games.clocks.deadline(game, late)
    return late in game.due and deadline is not None and deadline < work.request.heard


def _claim_time(work: HandlerContext, command: Claim, game: Game, seat: Seat) -> None:
    """End a game whose other player is late, if that was agreed to be claimable (TM-5.3)."""
    late = other_seat(game.seats, seat)
    who = opponent(work, game, seat)
    about, number = game.number, str(game.number)
    deadline = work.games.clocks.deadline(game, late)
    if game.status != "playing":
        work.outcome.reject(command, "game-over", "game {game} is over", about=about, game=number)
    elif late not in game.due or deadline is None or deadline >= work.request.heard:
        message = "the time of {who} in game {game} is not up"
        work.outcome.reject(command, "time-left", message, about=about, who=who, game=number)
    elif lapse_of(game.options) == "hard":
        message = "game {game} needs no claim: it ends by itself when somebody's time is up"
        work.outcome.reject(command, "time-hard", message, about=about, game=number)
    elif not deadlines.may_be_over(work, game, late, work.request.heard):
        message = "it is not certain yet that nothing of {who} came in time in game {game}: claim it once more in a day"
        work.outcome.reject(command, "time-uncertain", message, about=about, who=who, game=number)
    else:
        work.apply_events(game, deadlines.over_on_time(game, late))
        work.outcome.accept(command, about)


# Appeals


def appeal(work: HandlerContext, command: Appeal, number: int | None) -> None:
    """Appeal against the ruling on the writer's case, or against an umpire's act; somebody else hears the appeal."""
    sat = _sat(work, command, number)
    if sat is None:
        return
    game, seat = sat
    mine = _mine(work, game)
    if command.case is not None:
        case = next((each for each in mine if each.number == command.case), None)
        if case is None and (own := [each for each in mine if each.state != "settled"]):
            message = "you have brought no case {case}; your last one in this game is {own}"
            which, last = (cases.called(game.number, each) for each in (command.case, own[-1].number))
            work.outcome.reject(command, "no-case", message, about=_about(work, game), case=which, own=last)
            return
        if _may_appeal(work, command, game, case) and case is not None:
            _appeal_case(work, command, game, seat, case)
        return
    actions = _open_actions(work, game, mine)
    if command.act is not None or command.day is not None:
        action = _named_action(work, command, game, actions)
        if action is not None:
            _appeal_action(work, command, game, seat, action, [each for each in actions if each != action])
        return
    open_to_it = [each for each in mine if each.until is not None and work.request.received <= each.until]
    if actions and (command.game is not None or not open_to_it):
        _appeal_action(work, command, game, seat, actions[-1], actions[:-1])
    elif not actions and len(open_to_it) == 1:
        _appeal_case(work, command, game, seat, open_to_it[0])
    elif open_to_it:
        _ask_which(work, command, game, open_to_it[-1])
    else:
        _nothing_to_appeal(work, command, game)


def _nothing_to_appeal(work: HandlerContext, command: Appeal, game: Game) -> None:
    message = (
        "in game {game} an umpire has ruled or done nothing within {days} days that you could appeal against"
    )
    days = str(APPEALED_WITHIN.days)
    fresh = command.game is None and work.request.target_game is None
    elsewhere = _games_in_question(work) if fresh else []
    work.outcome.reject(
        command,
        "nothing-to-appeal",
        message,
        about=_about(work, game),
        suggestion=_shortly(replace(command, game=elsewhere[-1])) if elsewhere else "",
        game=str(game.number),
        days=days,
    )


def _named_action(work: HandlerContext, command: Appeal, game: Game, actions: Sequence[Act]) -> Act | None:
    """Return the act that is appealed against, by its number or day; None where that is not one act, which is recorded.

    actions: what the writer may appeal against, oldest first.
    """
    zone = ZoneInfo(work.request.player.zone)
    days = [{each.action.at.astimezone(zone).date(), each.action.at.date()} for each in actions]
    found = [
        each
        for each, on in zip(actions, days, strict=True)
        if each.number == command.act or (command.day is not None and command.day in on)
    ]
    if len(found) == 1:
        return found[0]
    if not actions:
        _nothing_to_appeal(work, command, game)
        return None
    meant = found or actions
    named = (f"{each.number} ({each.action.at.astimezone(zone):%Y-%m-%d})" for each in meant)
    message = (
        "on that day umpires have acted more than once in game {game}: name the act by its number; they are {acts}"
        if found
        else "that is no act in game {game} that you can appeal against; those that you can are {acts}"
    )
    again = _shortly(replace(command, game=game.number, act=meant[-1].number, day=None))
    work.outcome.reject(
        command,
        "appeal-act",
        message,
        about=_about(work, game),
        suggestion=again,
        game=str(game.number),
        acts=", ".join(named),
    )
    return None


def _shortly(command: Appeal) -> str:
    """Return an appeal in the form for sending it again; a long text is left to its writer, who has it."""
    said = command.write()
    return said if len(said) <= LONGEST_SUGGESTION else replace(command, text="TEXT").write()


def _sat(work: HandlerContext, command: Appeal, number: int | None) -> tuple[Game, Seat] | None:
    """Return the game that is meant, and the seat that the writer has or had in it."""
    me = work.request.player.number
    if command.game is None and work.request.target_game is None and not _is_to_move(work, number):
        # The letter names no game, or only the one that they play: an earlier one may be meant.
        meant = _games_in_question(work)
        if len(meant) > 1:
            games = ", ".join(map(str, meant))
            message = (
                "there is something that you could appeal against in several games, {games}: say in which"
            )
            again = _shortly(replace(command, game=meant[-1]))
            work.outcome.reject(command, "appeal-game", message, suggestion=again, games=games)
            return None
        number = meant[0] if meant else number
    game = work.games.readable(number) if number is not None else None
    if game is not None and me in game.former and not game.concerns(me):
        return game, game.former[me]
    return find_seat(work, command, number)


def _is_to_move(work: HandlerContext, number: int | None) -> bool:
    """Return whether it is the writer's turn in a game: a letter that names none is about that one."""
    game = work.games.readable(number) if number is not None else None
    return game is not None and game.seat_of(work.request.player.number) in game.due


def _games_in_question(work: HandlerContext) -> list[int]:
    """Return the numbers of the writer's games in which there is anything that they could appeal against."""
    me, since = work.request.player.number, work.request.received - APPEALED_WITHIN
    rows = work.unit.games.of_player(me, ("playing", "ended"))
    sat = {row.number for row in rows if row.ended is None or row.ended >= since}
    found = []
    for number in sorted({*sat, *work.unit.games.lost_by(me, since)}):
        game = work.games.readable(number)
        if game is None:
            continue
        mine = _mine(work, game)
        if _open_actions(work, game, mine) or any(
            each.until and work.request.received <= each.until for each in mine
        ):
            found.append(number)
    return found


def _mine(work: HandlerContext, game: Game) -> list[Case]:
    """Return the cases of a game that the writer has brought."""
    me = work.request.player.number
    return [each for each in cases.cases_in(work, game) if (each.player or game.seats[each.seat]) == me]


def _about(work: HandlerContext, game: Game) -> int | None:
    """Return the game that an answer belongs to; None for a former player, who gets no letters about it."""
    return game.number if game.concerns(work.request.player.number) else None


def _may_appeal(work: HandlerContext, command: Appeal, game: Game, case: Case | None) -> bool:
    """Return whether the writer may appeal in a case of theirs; if not, record why.

    case: None where it is not theirs.
    """
    about, which = _about(work, game), cases.called(game.number, command.case or 0)
    if case is None:
        work.outcome.reject(command, "no-case", "you have brought no case {case}", about=about, case=which)
    elif case.state == "open":
        message = "nobody has ruled on case {case} yet; you will get an answer"
        work.outcome.reject(command, "case-open", message, about=about, case=which)
    elif case.state == "appealed":
        message = "your appeal in case {case} waits already; you will get an answer"
        work.outcome.reject(command, "case-appealed", message, about=about, case=which)
    elif case.until is None:
        message = "the ruling on case {case} is final"
        work.outcome.reject(command, "case-settled", message, about=about, case=which)
    elif work.request.received > case.until:
        message = "case {case} was ruled on more than {days} days ago: it is too late for an appeal"
        days = str(APPEALED_WITHIN.days)
        work.outcome.reject(command, "appeal-too-late", message, about=about, case=which, days=days)
    else:
        return True
    return False


def _ask_which(work: HandlerContext, command: Appeal, game: Game, case: Case) -> None:
    message = "there is more than one ruling in game {game} that you could appeal against: name the case"
    again = _shortly(replace(command, game=game.number, case=case.number))
    about = _about(work, game)
    work.outcome.reject(
        command, "appeal-which", message, about=about, suggestion=again, game=str(game.number)
    )


@dataclass(frozen=True, slots=True)
class Act:
    """An umpire's act. number: among the umpires' acts in its game, from 1."""

    number: int
    action: UmpireAction


def _open_actions(work: HandlerContext, game: Game, mine: Sequence[Case]) -> Sequence[Act]:
    """Return the umpires' acts in a game that the writer may appeal against, oldest first.

    They are not too old, and the writer has not appealed against them.
    """
    happened = cases.happened_in(work, game)
    me, until = work.request.player.number, game.last_event
    for each in happened:
        if isinstance(each.event, Replaced) and each.event.before == me and not game.concerns(me):
            until = each.number
    appealed = {case.against.number for case in mine if case.against is not None}
    return [
        Act(number, each)
        for number, each in enumerate(actions_of(happened), 1)
        if each.number <= until
        and each.number not in appealed
        and work.request.received <= each.at + APPEALED_WITHIN
    ]


def _appeal_action(
    work: HandlerContext, command: Appeal, game: Game, seat: Seat, action: Act, others: Sequence[Act]
) -> None:
    """Appeal against an umpire's act. others: further acts that the writer may appeal against."""
    text = kept(work, command, game, seat, "claim", counted="appeal")
    if text is not None:
        opened = cases.open_case(work, game, seat, text, command.text.splitlines(), against=action.action)
        _took(work, command, game, seat, opened, action, others)


def _appeal_case(work: HandlerContext, command: Appeal, game: Game, seat: Seat, case: Case) -> None:
    text = kept(work, command, game, seat, "appeal")
    if text is not None:
        opened = cases.appeal_case(work, game, case, text, command.text.splitlines())
        _took(work, command, game, seat, opened)


def _took(
    work: HandlerContext,
    command: Appeal,
    game: Game,
    seat: Seat,
    opened: cases.Opened,
    action: Act | None = None,
    others: Sequence[Act] = (),
) -> None:
    facts = {
        "case": cases.called(game.number, opened.number),
        "deed": _told(work, game, action) if action is not None else {},
        "others": tuple(_told(work, game, each) for each in reversed(others)),
        "game": game.number,
        # A former player need not know who the opponent is now.
        "opponent": opponent(work, game, seat) if _about(work, game) else "",
        "sent": opened.sent,
        **opened.hearer,
        **shown(command),
    }
    work.outcome.accept(command, _about(work, game), Note("appealed", facts))


def _told(work: HandlerContext, game: Game, act: Act) -> dict[str, Any]:
    """Return what a player reads about an act that they can appeal against."""
    return {**cases.told_of_action(work, game, act.action), "number": act.number}
