"""Finds the handler of each command.

A handler gets the letter's context, the command and the number of the game that is meant, None for none. It
carries out the command, and records in the context what has happened, what to report and any faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.commands.command import (
    Accept,
    Agree,
    Appeal,
    Bye,
    Cancel,
    Challenge,
    Claim,
    Command,
    Confirm,
    Decline,
    Diary,
    Draw,
    Events,
    Games,
    Help,
    Join,
    Leave,
    Mute,
    NewTag,
    Open,
    Order,
    Overview,
    Pause,
    Press,
    Preview,
    Record,
    Register,
    Rematch,
    Resend,
    Resign,
    Resume,
    SetAddress,
    SetPreference,
    ShowChoices,
    Status,
    Try,
    Umpire,
    Watch,
    Why,
)
from referee.handlers import (
    account,
    account_deletion,
    addresses,
    cancel,
    claims,
    conditional_orders,
    counter_offers,
    draw_offers,
    leave,
    observers,
    orders,
    overview_mails,
    pauses,
    press,
    proposals,
    rematches,
    reply_tags,
    resending,
    tournaments,
    umpire,
)
from referee.handlers.handler_context import HandlerContext

Handler = Callable[[HandlerContext, Any, int | None], None]
"""Carries out a command. The last argument is the game that is meant."""


def _about_no_game(handler: Callable[[HandlerContext, Any], None]) -> Handler:
    """Return the handler of a command that needs no game."""
    return lambda work, command, game: handler(work, command)


HANDLERS: Mapping[type[Command], Handler] = {
    Accept: counter_offers.accept_or_counter,
    Agree: draw_offers.agree,
    Appeal: claims.appeal,
    Bye: _about_no_game(account_deletion.ask_to_leave),
    Cancel: cancel.cancel,
    Challenge: _about_no_game(proposals.challenge),
    Claim: claims.claim,
    Confirm: orders.confirm,
    Decline: proposals.decline,
    Diary: press.diary,
    Draw: draw_offers.agree,
    Events: _about_no_game(tournaments.list_events),
    Games: _about_no_game(account.list_games),
    Help: account.show_help,
    Join: proposals.accept,
    Leave: _about_no_game(leave.leave),
    Mute: press.mute,
    NewTag: reply_tags.new_tag,
    Open: _about_no_game(proposals.open_seat),
    Order: orders.order,
    Overview: _about_no_game(overview_mails.overview),
    Pause: pauses.pause,
    Press: press.press,
    Preview: conditional_orders.preview,
    Record: orders.record,
    Register: _about_no_game(account.register),
    Rematch: rematches.rematch,
    Resend: resending.resend,
    Resign: orders.resign,
    Resume: pauses.resume,
    SetAddress: _about_no_game(addresses.set_address),
    SetPreference: _about_no_game(account.set_preference),
    ShowChoices: _about_no_game(account.show_choices),
    Status: orders.status,
    Try: conditional_orders.leave_plan,
    Umpire: _about_no_game(umpire.umpire),
    Watch: observers.watch,
    Why: orders.why,
}
"""The handler of each command."""


def dispatch(work: HandlerContext, command: Command, game: int | None) -> None:
    """Carry out a command. game: the letter's own; a number in the line itself takes precedence."""
    HANDLERS[type(command)](work, command, command.game if command.game is not None else game)
