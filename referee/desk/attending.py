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
from referee.desk import (
    absences,
    addresses,
    agreeing,
    claims,
    copies,
    events,
    leaving,
    overviews,
    pausing,
    planning,
    play,
    players,
    proposals,
    rematches,
    tags,
    taking_back,
    talking,
    terms,
    umpires,
    watching,
)
from referee.desk.work import Work


def attend(work: Work, command: Command, game: int | None) -> None:
    """Do what a command asks. game: the letter's own; a number in the line itself goes before it."""
    number = command.game if command.game is not None else game
    match command:
        case Order():
            play.order(work, command, number)
        case Preview():
            planning.preview(work, command, number)
        case Try():
            planning.leave_plan(work, command, number)
        case Register():
            players.register(work, command)
        case SetPreference():
            players.set_preference(work, command)
        case ShowChoices():
            players.show_choices(work, command)
        case SetAddress():
            addresses.set_address(work, command)
        case Bye():
            leaving.ask_to_leave(work, command)
        case Help():
            players.show_help(work, command, number)
        case Games():
            players.list_games(work, command)
        case Events():
            events.list_events(work, command)
        case Overview():
            overviews.overview(work, command)
        case Challenge():
            proposals.challenge(work, command)
        case Open():
            proposals.open_seat(work, command)
        case Accept(options=options) if options:
            terms.accept_with(work, command, number)
        case Rematch():
            rematches.rematch(work, command, number)
        case Press():
            talking.press(work, command, number)
        case Mute():
            talking.mute(work, command, number)
        case Diary():
            talking.diary(work, command, number)
        case Claim():
            claims.claim(work, command, number)
        case Appeal():
            claims.appeal(work, command, number)
        case Accept() | Join():
            proposals.accept(work, command, number)
        case Umpire():
            umpires.umpire(work, command)
        case Watch():
            watching.watch(work, command, number)
        case Leave():
            absences.leave(work, command)
        case Pause():
            pausing.pause(work, command, number)
        case Resume():
            pausing.resume(work, command, number)
        case Decline():
            proposals.decline(work, command, number)
        case Status():
            play.status(work, command, number)
        case Record():
            play.record(work, command, number)
        case Why():
            play.why(work, command, number)
        case NewTag():
            tags.new_tag(work, command, number)
        case Resend():
            copies.resend(work, command, number)
        case Resign():
            play.resign(work, command, number)
        case Draw() | Agree():
            agreeing.agree(work, command, number)
        case Confirm():
            play.confirm(work, command, number)
        case Cancel():
            taking_back.cancel(work, command, number)
        case _:
            raise AssertionError(f"no desk for {command.word}")
