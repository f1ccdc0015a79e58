"""Each command goes to the word that does it."""

from __future__ import annotations

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


def dispatch(work: HandlerContext, command: Command, game: int | None) -> None:
    """Do what a command asks. game: the letter's own; a number in the line itself goes before it."""
    number = command.game if command.game is not None else game
    match command:
        case Order():
            orders.order(work, command, number)
        case Preview():
            conditional_orders.preview(work, command, number)
        case Try():
            conditional_orders.leave_plan(work, command, number)
        case Register():
            account.register(work, command)
        case SetPreference():
            account.set_preference(work, command)
        case ShowChoices():
            account.show_choices(work, command)
        case SetAddress():
            addresses.set_address(work, command)
        case Bye():
            account_deletion.ask_to_leave(work, command)
        case Help():
            account.show_help(work, command, number)
        case Games():
            account.list_games(work, command)
        case Events():
            tournaments.list_events(work, command)
        case Overview():
            overview_mails.overview(work, command)
        case Challenge():
            proposals.challenge(work, command)
        case Open():
            proposals.open_seat(work, command)
        case Accept(options=options) if options:
            counter_offers.accept_with(work, command, number)
        case Rematch():
            rematches.rematch(work, command, number)
        case Press():
            press.press(work, command, number)
        case Mute():
            press.mute(work, command, number)
        case Diary():
            press.diary(work, command, number)
        case Claim():
            claims.claim(work, command, number)
        case Appeal():
            claims.appeal(work, command, number)
        case Accept() | Join():
            proposals.accept(work, command, number)
        case Umpire():
            umpire.umpire(work, command)
        case Watch():
            observers.watch(work, command, number)
        case Leave():
            leave.leave(work, command)
        case Pause():
            pauses.pause(work, command, number)
        case Resume():
            pauses.resume(work, command, number)
        case Decline():
            proposals.decline(work, command, number)
        case Status():
            orders.status(work, command, number)
        case Record():
            orders.record(work, command, number)
        case Why():
            orders.why(work, command, number)
        case NewTag():
            reply_tags.new_tag(work, command, number)
        case Resend():
            resending.resend(work, command, number)
        case Resign():
            orders.resign(work, command, number)
        case Draw() | Agree():
            draw_offers.agree(work, command, number)
        case Confirm():
            orders.confirm(work, command, number)
        case Cancel():
            cancel.cancel(work, command, number)
        case _:
            raise AssertionError(f"no desk for {command.word}")
