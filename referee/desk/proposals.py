"""Getting a game: challenge, open, join, accept, decline; and taking a proposal back."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from email_validator import EmailNotValidError, validate_email

from referee.commands.command import Accept, Challenge, Command, Decline, Join, Open
from referee.correspondence import Words
from referee.desk.work import Work
from referee.games.decide import draw_seats, open_game
from referee.games.events import Declined, Proposed, Withdrawn
from referee.games.game import Game
from referee.games.player import Player
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat

MOST_PROPOSALS = 10
"""Proposals of one player that may wait at a time: more would only flood others."""


def challenge(work: Work, command: Challenge) -> None:
    """Propose a game to one player, registered or not."""
    if not _may_propose(work, command):
        return
    other = _find_player(work, command)
    if other is None:
        return
    if other.number == work.player.number:
        work.wrong(command, "challenged-self", "you cannot challenge yourself")
        return
    newcomer = not other.name
    if newcomer and work.unit.games_of(other.number, ("proposed",)):
        work.wrong(
            command,
            "invited-already",
            "{whom} has an invitation already and has not answered it; a newcomer gets one at a time",
            whom=command.whom,
        )
        return
    game = _propose(work, command, other.number, other.name)
    if game is not None:
        facts = {"whom": command.whom, "rules": game.rulebook.title}
        mine = {**facts, "options": _told(command.options, "you play"), "game": game.number}
        work.took(command, game.number, Note("challenged", mine))
        his = {**facts, "options": _told(command.options, f"{work.player.name} plays")}
        invited = Note("invitation", {**his, "who": work.player.name, "newcomer": newcomer})
        invitation = Words(kind="invitation", notes=(invited,))
        work.others.append((game.number, other.number, invitation))


def open_seat(work: Work, command: Open) -> None:
    """Propose a game to whoever joins first."""
    if not _may_propose(work, command):
        return
    game = _propose(work, command, None, "")
    if game is not None:
        options = _told(command.options, "you play")
        facts = {"game": game.number, "rules": game.rulebook.title, "options": options}
        work.took(command, game.number, Note("opened", facts))


def accept(work: Work, command: Accept | Join, number: int | None) -> None:
    """Take up a proposal: seats and deal are drawn, and the game begins."""
    game = _find_proposal(work, command, number)
    if game is None:
        return
    proposer = game.proposed_by
    if proposer is None or proposer == work.player.number:
        work.wrong(command, "own-proposal", "the proposal is your own; it waits for the other player")
        return
    if not work.player.name and game.proposed_to is None:
        work.wrong(
            command,
            "no-name",
            "your opponent will want to know what to call you: register a name first",
            suggestion="register Anna",
        )
        return
    secret = work.draws.secret()
    seats = draw_seats(game.rulebook, proposer, work.player.number, game.colour, secret)
    work.happen(game, open_game(game.number, game.rulebook, game.options, seats, secret))
    work.took(command, game.number)


def decline(work: Work, command: Decline, number: int | None) -> None:
    """Turn a challenge down; the challenger is told."""
    game = _find_proposal(work, command, number)
    if game is None or game.proposed_by is None:
        return
    if game.proposed_to != work.player.number:
        work.wrong(command, "not-challenged", "game {game} was not offered to you", game=str(game.number))
        return
    work.happen(game, Declined(work.player.number))
    work.took(command, game.number, Note("declined", {"game": game.number}))
    note = Note("was-declined", {"game": game.number, "who": work.player.name})
    work.others.append((game.number, game.proposed_by, Words(kind="notice", news="declined", notes=(note,))))


def withdraw(work: Work, command: Command, game: Game) -> None:
    """Take one's own proposal back; whoever was invited is told."""
    work.happen(game, Withdrawn(work.player.number))
    work.took(command, game.number, Note("withdrawn", {"game": game.number}))
    if game.proposed_to is not None:
        note = Note("was-withdrawn", {"game": game.number, "who": work.player.name})
        words = Words(kind="notice", news="withdrawn", notes=(note,))
        work.others.append((game.number, game.proposed_to, words))


def _told(options: Mapping[str, str], proposer: str) -> str:
    """Return options in words. proposer: who plays the colour that was asked for, as in "you play"."""
    return ", ".join(
        f"{proposer} {value.capitalize()}" if key == "colour" else f"{key}={value}"
        for key, value in options.items()
    )


def _may_propose(work: Work, command: Command) -> bool:
    if not work.player.name:
        work.wrong(
            command,
            "no-name",
            "your opponent will want to know what to call you: register a name first",
            suggestion="register Anna",
        )
        return False
    mine = work.unit.games_of(work.player.number, ("proposed",))
    if sum(row.proposed_by == work.player.number for row in mine) >= MOST_PROPOSALS:
        work.wrong(
            command,
            "many-proposals",
            "{most} of your proposals wait for an answer; take one back first",
            most=str(MOST_PROPOSALS),
            suggestion=f"cancel {mine[0].number}",
        )
        return False
    return True


def _find_player(work: Work, command: Challenge) -> Player | None:
    whom = command.whom.strip("<>")
    if "@" not in whom:
        named = work.unit.players_named(whom)
        if named:
            return named[0]
        near = difflib.get_close_matches(whom, work.unit.names(), 1, 0.7)
        work.wrong(
            command,
            "no-player",
            "nobody called {whom} is registered here; his mail address would do as well",
            whom=whom,
            suggestion=f"challenge {near[0]} {command.rules}" if near else "",
        )
        return None
    try:
        address = validate_email(whom, check_deliverability=False).normalized
    except EmailNotValidError:
        work.wrong(command, "no-address", "{whom} is no mail address", whom=whom)
        return None
    if address.lower() == work.service.address.lower():
        work.wrong(command, "challenged-referee", "I umpire, I do not play")
        return None
    found = work.unit.player_by_address(address)
    return found or work.unit.add_player("", address, work.service.language)


def _propose(work: Work, command: Challenge | Open, to: int | None, other: str) -> Game | None:
    rulebook = work.service.rulebooks[command.rules]
    options = {key: value for key, value in command.options.items() if key != "colour"}
    colour = command.options.get("colour")
    if colour is not None and colour not in rulebook.seats:
        work.wrong(
            command,
            "no-seat",
            "there is no seat {seat}; {rules} has {seats}",
            seat=colour,
            rules=rulebook.title,
            seats=" and ".join(rulebook.seats),
            suggestion=f"option colour={rulebook.seats[0]}",
        )
        return None
    if "deal" in options:
        work.wrong(command, "no-deal", "the deal is drawn by lot; only an umpire may set it")
        return None
    faults = rulebook.check_options(options)
    for fault in faults:
        work.fault(fault)
    if faults:
        return None
    number = work.unit.new_game(command.rules, work.now, proposed_by=work.player.number, proposed_to=to)
    # The title never changes, so it names nobody who is not known yet.
    names = f"{work.player.name} - {other}" if other else work.player.name
    work.titles[number] = f"{rulebook.title} {number}: {names}"
    work.unit.title_game(number, work.titles[number])
    proposed = Proposed(
        by=work.player.number,
        to=to,
        rules=command.rules,
        options=options,
        colour=Seat(colour) if colour else None,
    )
    return work.happen(Game(number=number, rulebook=rulebook, status="proposed"), proposed)


def _find_proposal(work: Work, command: Command, number: int | None) -> Game | None:
    """Return the proposal that is meant: the one named, else the only one made to the writer."""
    if number is None:
        waiting = [
            row.number
            for row in work.unit.games_of(work.player.number, ("proposed",))
            if row.proposed_by != work.player.number
        ]
        if len(waiting) != 1:
            what = "several games are offered to you; say which" if waiting else "no game is offered to you"
            work.wrong(
                command, "which-proposal", what, suggestion=f"{command.word} {waiting[0]}" if waiting else ""
            )
            return None
        (number,) = waiting
    game = work.game(number)
    if game is None or not (game.proposed_to is None or game.concerns(work.player.number)):
        work.wrong(command, "no-game", "there is no game {game} on offer to you", game=str(number))
        return None
    if game.status != "proposed":
        states = {
            "playing": "game {game} has begun already",
            "ended": "game {game} is over",
            "declined": "the proposal of game {game} was declined",
            "withdrawn": "the proposal of game {game} was taken back",
        }
        where = number if game.concerns(work.player.number) else None
        code = f"no-proposal-{game.status}"
        work.wrong(command, code, states[game.status], about=where, game=str(number))
        return None
    return game
