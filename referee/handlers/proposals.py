"""Finding a game: challenge, open, join, accept, decline; and withdrawing a proposal."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from referee.commands.command import Accept, Challenge, Command, Decline, Join, Open, Rematch
from referee.commands.options import LOT
from referee.commands.vocabulary import vocabulary
from referee.common.faults import Fault
from referee.common.i18n import N_, both
from referee.games.clocks.controls import LAPSE, TIME
from referee.games.decisions import draw_seats, open_game
from referee.games.events import CheckedIn, Declined, Proposed, Withdrawn
from referee.games.game import Game
from referee.games.game_options import PRESS, WATCHERS, check_agreements, of_the_rules
from referee.games.join_conditions import KEYS, Conditions
from referee.games.player_names import tidy_name
from referee.games.titles import write_title
from referee.handlers import invitation_limits, join_conditions, stale_offers
from referee.handlers.former_addresses import who_left
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.parts import named_game
from referee.mail.message.addresses import (
    is_nobodys,
    is_same_mailbox,
    is_service,
    read_address,
    why_no_address,
)
from referee.reports.report import Note
from referee.rulebooks.rulebook import Rulebook, Seat
from referee.store.values import StoredGame

MOST_PROPOSALS = 10
"""The most proposals of one player that may wait at a time: more would only flood others."""
NO_CONDITIONS = Conditions()
PROPOSED_LATELY = timedelta(days=7)
"""A player who proposed a game within this time counts as present when it begins."""
MOST_SENT_A_DAY = 10
"""The most challenges of one player in a day, whatever their outcome."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a proposal. options: without the colour. colour: the proposer's seat, None for lots."""

    rulebook: Rulebook
    options: Mapping[str, str]
    colour: Seat | None


@dataclass(frozen=True, slots=True)
class Invited:
    """The player to be invited. number: None for an address that is not known yet. name: "" for a newcomer."""

    number: int | None
    name: str
    address: str


def challenge(work: HandlerContext, command: Challenge) -> None:
    """Propose a game to one player, registered or not.

    A player named by address remains unnamed until they accept, since a challenge must not reveal whose an
    address is. The answer therefore also does not say whether an invitation was written, or why not.
    """
    if not may_propose(work, command) or not may_send(work, command) or not _can_be_played(work, command):
        return
    other = _find_invited(work, command)
    if other is None or _waits_already(work, command, other) or not _may_name_address(work, command):
        return
    told = is_told(work, other)
    number = other.number
    if number is None:
        # A player who gets no letter must not become known by it: the game's place stays empty.
        number = work.unit.players.add("", other.address if told else "", work.service.language).number
    named = "" if "@" in command.whom else other.name
    address = read_address(command.whom.strip("<>")) or "" if "@" in command.whom else ""
    game = propose(work, _terms(work, command), number, named, address=address)
    facts = {"whom": command.whom, **_asked_for(game, command)}
    work.outcome.accept(command, game.number, Note("challenged", {**facts, "game": game.number}))
    if told:
        seats = tuple(map(str, game.rulebook.seats))
        invited = Note(
            "invitation",
            {**facts, "who": work.request.player.name, "newcomer": not other.name, "seats": seats},
        )
        work.outcome.others.append((game.number, number, LetterContent(kind="invitation", notes=(invited,))))


def open_seat(work: HandlerContext, command: Open) -> None:
    """Propose a game to the first player who joins."""
    if not may_propose(work, command):
        return
    split = join_conditions.split_conditions(work, command)
    if split is None:
        return
    bare, conditions = split
    if not _can_be_played(work, bare):
        return
    game = propose(work, _terms(work, bare), None, "", conditions=conditions)
    work.outcome.accept(command, game.number, Note("opened", {"game": game.number, **_asked_for(game, bare)}))
    if (note := join_conditions.told(work, game)) is not None:
        work.outcome.of(game.number).notes.append(note)


def accept(
    work: HandlerContext, command: Accept | Join | Rematch, number: int | None, *, named: bool = False
) -> None:
    """Accept a proposal: seats and deal are drawn, and the game begins. named: the letter states its terms."""
    offered = find_offer(work, command, number)
    if offered is None:
        return
    game, proposer = offered
    if not work.request.player.name and game.proposed_to is None:
        work.outcome.reject(
            command,
            "no-name",
            "your opponent will want to know what to call you: write `register YOUR NAME` first",
        )
        return
    if game.proposed_to is None and not join_conditions.may_join(work, command, game):
        return
    if not (named or stale_offers.has_read(work, game)):
        who = work.composer.player(proposer).name or address_given(work, game, work.request.player.number)
        stale_offers.show_again(work, command, game, who)
        return
    secret = work.games.draw_secret()
    seats = draw_seats(game.rulebook, proposer, work.request.player.number, game.colour, secret)
    begun = work.apply_events(game, open_game(game.number, game.rulebook, game.options, seats, secret))
    work.apply_events(begun, *(CheckedIn(seat) for seat in _present(work, begun, proposer)))
    work.outcome.accept(command, game.number)


def _present(work: HandlerContext, game: Game, proposer: int) -> list[Seat]:
    """Return the seats that have checked in when a letter of the writer's begins a game.

    The writer has, since the letter is about the game; and so has the proposer, if they proposed it recently.
    """
    row = work.games.row(game.number)
    lately = row is not None and work.request.now - row.created <= PROPOSED_LATELY
    return [
        seat
        for seat, who in game.seats.items()
        if who == work.request.player.number or (who == proposer and lately)
    ]


def decline(work: HandlerContext, command: Decline, number: int | None) -> None:
    """Decline a challenge; the challenger is told."""
    game = find_proposal(work, command, number)
    if game is None or game.proposed_by is None or stale_offers.changed_meanwhile(work, command, game):
        return
    if game.proposed_by == work.request.player.number and game.rounds:
        withdraw(work, command, game)  # the challenge that they decline is by now their own, on other terms
        return
    if game.proposed_to != work.request.player.number:
        work.outcome.reject(
            command, "not-challenged", "game {game} was not offered to you", game=str(game.number)
        )
        return
    turn_down(work, game, game.proposed_by)
    work.outcome.accept(command, game.number, Note("declined", {"game": game.number}))


def turn_down(work: HandlerContext, game: Game, challenger: int) -> None:
    """Decline a challenge to the writer; the challenger is told."""
    work.apply_events(game, Declined(work.request.player.number))
    # A player invited by address remains unnamed: the title shows whether they were named.
    named = work.games.titles[game.number].endswith(f" - {work.request.player.name}")
    known = named or game.rounds or game.rematch_of is not None
    note = Note("was-declined", {"game": game.number, "who": work.request.player.name if known else ""})
    by = work.request.player.number if note.facts["who"] else None
    words = LetterContent(kind="notice", weight="turn", by=by, news=N_("declined"), notes=(note,))
    work.outcome.others.append((game.number, challenger, words))


def address_given(work: HandlerContext, game: Game, reader: int) -> str:
    """Return the address by which a reader invited the other player, which only they may see; "" where they did not."""
    row = work.games.row(game.number)
    inviter = game.proposed_to if game.rounds % 2 else game.proposed_by
    return row.invited if row is not None and reader == inviter else ""


def terms_of(game: Game) -> dict[str, str]:
    """Return the options of a proposal, including its proposer's colour."""
    return {**game.options, **({"colour": game.colour} if game.colour else {})}


def whom_invited(work: HandlerContext, game: Game, reader: int) -> Note | None:
    """Return the note on the opponent in a new game, if its reader only knows an address."""
    other = next(seat for seat, who in game.seats.items() if who != reader)
    address = address_given(work, game, reader)
    if not address or work.composer.player(game.seats[other]).name:
        return None
    return Note("whom-invited", {"address": address, "colour": other})


def withdraw(work: HandlerContext, command: Command, game: Game) -> None:
    """Withdraw the writer's proposal."""
    take_back(work, game)
    work.outcome.accept(command, game.number, Note("withdrawn", {"game": game.number}))


def take_back(work: HandlerContext, game: Game) -> None:
    """Withdraw a proposal of the writer's; the invited player is told.

    Two kinds of people are not: those who were sent no invitation, and newcomers, who got one letter that
    they did not ask for and must not get another.
    """
    work.apply_events(game, Withdrawn(work.request.player.number))
    work.outcome.others[:] = [each for each in work.outcome.others if each[0] != game.number]
    if game.proposed_to is None or not work.unit.outbox.was_invited(game.proposed_to, game.number):
        return
    if _takes_part(work, game.proposed_to):
        note = Note("was-withdrawn", {"game": game.number, "who": work.request.player.name})
        by = work.request.player.number
        words = LetterContent(kind="notice", weight="news", by=by, news=N_("withdrawn"), notes=(note,))
        work.outcome.others.append((game.number, game.proposed_to, words))


def _asked_for(game: Game, command: Challenge | Open) -> Mapping[str, Any]:
    """Return the facts of the proposed game."""
    said = {key: value for key, value in command.options.items() if key in terms_of(game)}
    return {"rules": game.rulebook.title, "rulebook": game.rulebook.name, "options": said}


def may_propose(work: HandlerContext, command: Command) -> bool:
    if not work.request.player.name:
        work.outcome.reject(
            command,
            "no-name",
            "your opponent will want to know what to call you: write `register YOUR NAME` first",
        )
        return False
    mine = work.unit.games.of_player(work.request.player.number, ("proposed",))
    if sum(row.proposed_by == work.request.player.number for row in mine) >= MOST_PROPOSALS:
        work.outcome.reject(
            command,
            "many-proposals",
            "{most} of your proposals wait for an answer; take one back first",
            most=str(MOST_PROPOSALS),
            suggestion=f"cancel {mine[0].number}",
        )
        return False
    return True


def may_send(work: HandlerContext, command: Command) -> bool:
    since = work.request.now - timedelta(days=1)
    if work.unit.games.count_challenges(work.request.player.number, since) < MOST_SENT_A_DAY:
        return True
    work.outcome.reject(
        command,
        "many-challenges",
        "you have sent {most} challenges within a day; write again tomorrow",
        most=str(MOST_SENT_A_DAY),
    )
    return False


def _waits_already(work: HandlerContext, command: Challenge, other: Invited) -> bool:
    """Return whether the two have a proposal between them, with the fault recorded, if the writer gave a name.

    Proposals to an address do not count, even if it is that player's.
    """
    if "@" in command.whom:
        return False
    for row in waiting_proposals(work):
        if row.proposed_by == other.number:
            work.outcome.reject(
                command,
                "challenges-you",
                "{whom} challenges you already: game {game}",
                suggestion=f"accept {row.number}",
                whom=other.name,
                game=str(row.number),
            )
            return True
        if row.proposed_to == other.number and _shows_whom(row.title):
            message = "your challenge to {whom} still waits for its answer: game {game}"
            work.outcome.reject(command, "challenged-already", message, whom=other.name, game=str(row.number))
            return True
    return False


def waiting_proposals(work: HandlerContext) -> list[StoredGame]:
    """Return the proposals by and to the writer, without those that this letter has dealt with."""
    rows = work.unit.games.of_player(work.request.player.number, ("proposed",))
    return [
        row
        for row in rows
        if row.number not in work.games.by_number or work.games.by_number[row.number].status == "proposed"
    ]


def _shows_whom(title: str) -> bool:
    """Return whether a proposal's title names the invited player; no name contains a dash between blanks."""
    return " - " in title


def _may_name_address(work: HandlerContext, command: Challenge) -> bool:
    """Count the challenges to addresses, whether or not they are players': a refusal reveals nothing of the address."""
    if "@" not in command.whom or invitation_limits.one_more(work.unit):
        return True
    work.outcome.reject(
        command,
        "many-strangers",
        "too many people were written to within the hour; challenge {whom} again later",
        whom=command.whom,
    )
    return False


def is_told(work: HandlerContext, other: Invited) -> bool:
    """Return whether an invitation is written; if not, the proposal waits all the same."""
    me = work.request.player.number
    if any(reader == other.number and said.kind == "invitation" for _, reader, said in work.outcome.others):
        return False
    if other.number is None or not _takes_part(work, other.number):
        return invitation_limits.may_invite_stranger(work.unit, other.address, work.request.now)
    if any(row.proposed_by == me and row.proposed_to == other.number for row in waiting_proposals(work)):
        return False
    return invitation_limits.may_invite_player(work.unit, other.address, me, work.request.now)


def _takes_part(work: HandlerContext, player: int) -> bool:
    """Return whether somebody has a name or has played a game: otherwise we know only what others wrote of them."""
    return bool(work.composer.player(player).name or work.unit.games.of_player(player, ("playing", "ended")))


def _find_invited(work: HandlerContext, command: Challenge) -> Invited | None:
    """Return the player whom a challenge names; None, with the fault recorded, for nobody who may be challenged."""
    whom = command.whom.strip("<>")
    if "@" not in whom:
        return _find_named(work, command, whom)
    address = read_address(whom)
    if not address:
        work.outcome.reject(command, "no-address", why_no_address(whom), whom=whom)
        return None
    if is_service(address, work.service.address):
        work.outcome.reject(command, "challenged-referee", "I umpire, I do not play")
        return None
    if any(is_same_mailbox(address, mine) for mine in _own_addresses(work)):
        work.outcome.reject(command, "challenged-self", "you cannot challenge yourself")
        return None
    if is_nobodys(address):
        # Whether a player has it does not matter: the refusal reveals nothing of the address.
        message = "{whom} is no person's address, and an invitation to it would go to nobody who plays"
        work.outcome.reject(command, "nobodys-address", message, whom=whom)
        return None
    found = work.unit.players.by_address(address) or who_left(work.unit, address, work.request.now)
    if found is None:
        return Invited(None, "", address)
    return _not_self(work, command, Invited(found.number, found.name, found.address))


def _own_addresses(work: HandlerContext) -> list[str]:
    """Return the addresses that the writer's letters come from."""
    second = work.unit.addresses.get(work.request.player.number, "second")
    return [work.request.player.address, *([second.address] if second is not None else [])]


def _find_named(work: HandlerContext, command: Challenge, whom: str) -> Invited | None:
    """Return the player with a name. For one that is only similar the writer is asked, and nobody is invited."""
    alike = work.unit.players.named(whom)
    for player in alike:
        if tidy_name(player.name).casefold() == tidy_name(whom).casefold():
            return _not_self(work, command, Invited(player.number, player.name, player.address))
    near = [player.name for player in alike] or difflib.get_close_matches(
        whom, work.unit.players.names(), 1, 0.7
    )
    work.outcome.reject(
        command,
        "no-player",
        "nobody called {whom} is registered here; a mail address would do as well",
        whom=whom,
        suggestion=f"challenge {near[0]} {command.rules}" if near else "",
    )
    return None


def _not_self(work: HandlerContext, command: Challenge, other: Invited) -> Invited | None:
    if other.number != work.request.player.number:
        return other
    work.outcome.reject(command, "challenged-self", "you cannot challenge yourself")
    return None


def _can_be_played(work: HandlerContext, command: Challenge | Open) -> bool:
    """Return whether a proposal's options are possible by the rules; record the faults if not."""
    rulebook = work.service.rulebooks[command.rules]
    if not has_seat(work, command, rulebook, _colour(command)):
        return False
    return check_terms(work, command, rulebook, _options(command, rulebook))


def has_seat(work: HandlerContext, command: Command, rulebook: Rulebook, colour: str | None) -> bool:
    """Return whether a game has the seat of that colour, None for any; record the fault if not."""
    if colour is None or colour in rulebook.seats:
        return True
    work.outcome.reject(
        command,
        "no-seat",
        "there is no seat {seat}; {rules} has {seats}",
        seat=colour,
        rules=rulebook.title,
        seats=both(rulebook.seats),
        suggestion=f"option colour={rulebook.seats[0]}",
    )
    return False


def check_terms(
    work: HandlerContext, command: Command, rulebook: Rulebook, options: Mapping[str, str]
) -> bool:
    """Return whether a game can be played with these options, without the colour; record the faults if not."""
    if "deal" in options:
        work.outcome.reject(command, "no-deal", "the deal is drawn by lot; only an umpire may set it")
        return False
    faults = [*rulebook.rules.check_options(of_the_rules(options)), *check_agreements(options)]
    for fault in faults:
        if fault.code == "unknown-option":
            work.outcome.add_fault(_with_all_keys(fault, command, work.request.player.language))
        else:
            work.outcome.add_fault(fault)
    return not faults


def _with_all_keys(fault: Fault, command: Command, language: str) -> Fault:
    """Return the fault of an unknown option with all known ones: of the rules, of every game and of open games."""
    key, _, value = fault.excerpt.partition("=")
    known = ("colour", *str(fault.facts["known"]).split(", "), PRESS, WATCHERS, TIME, LAPSE)
    known = (*known, *KEYS) if isinstance(command, Open) else known
    ways = {each: each for each in known}
    for english, spellings in vocabulary(language).tables.options.items():
        ways |= {said: english for said in spellings if english in known}
    near = difflib.get_close_matches(key, ways, 1) or [each for each in known if each == fault.suggestion]
    written = re.search(rf"(?<!\S){re.escape(key)}=\S+", command.line.text, re.IGNORECASE)
    facts = {**fault.facts, "known": ", ".join(known)}
    meant = f"option {ways[near[0]]}={value}" if near else ""
    if "=" in fault.suggestion:  # the rules know what the whole was meant to be
        meant = f"option {fault.suggestion}"
    return replace(fault, facts=facts, excerpt=written[0] if written else fault.excerpt, suggestion=meant)


def _options(command: Challenge | Open, rulebook: Rulebook) -> dict[str, str]:
    """Return the options of the rules, without the colour."""
    return without_lots({key: value for key, value in command.options.items() if key != "colour"}, rulebook)


def without_lots(options: Mapping[str, str], rulebook: Rulebook) -> dict[str, str]:
    """Return options without those that only state the default of drawing lots."""
    return {
        key: value for key, value in options.items() if value != LOT or key not in rulebook.rules.left_to_lot
    }


def _colour(command: Challenge | Open) -> str | None:
    """Return the proposer's colour, None for lots."""
    said = command.options.get("colour")
    return None if said == LOT else said


def _terms(work: HandlerContext, command: Challenge | Open) -> Terms:
    colour = _colour(command)
    rulebook = work.service.rulebooks[command.rules]
    return Terms(rulebook, _options(command, rulebook), Seat(colour) if colour else None)


def propose(
    work: HandlerContext,
    terms: Terms,
    to: int | None,
    other: str,
    *,
    rematch_of: int | None = None,
    conditions: Conditions = NO_CONDITIONS,
    address: str = "",
) -> Game:
    """Create the proposed game.

    other: the name of the invited player, "" where it must not be known.
    address: by which the writer has named them.
    """
    rulebook = terms.rulebook
    me = work.request.player.number
    number = work.unit.games.add(
        rulebook.name, work.request.now, proposed_by=me, proposed_to=to, invited=address
    )
    # The title stays while nobody leaves, so it must not name anybody who is not known yet.
    names = (work.request.player.name, other) if other else (work.request.player.name,)
    work.games.titles[number] = write_title(rulebook.title, number, names)
    work.unit.games.set_title(number, work.games.titles[number])
    proposed = Proposed(
        by=work.request.player.number,
        to=to,
        rules=rulebook.name,
        options=terms.options,
        colour=terms.colour,
        rematch_of=rematch_of,
        conditions=conditions.plain(),
    )
    return work.apply_events(Game(number=number, rulebook=rulebook, status="proposed"), proposed)


def was_open(game: Game) -> bool:
    """Return whether a game was open to everybody and has begun: it is no secret."""
    begun = game.status in ("playing", "ended")
    return begun and game.proposed_by is not None and game.proposed_to is None


def find_offer(work: HandlerContext, command: Command, number: int | None) -> tuple[Game, int] | None:
    """Return the proposal by somebody else that is meant, and who made it last."""
    game = find_proposal(work, command, number)
    if game is None:
        return None
    proposer = game.proposed_by
    if proposer is None or proposer == work.request.player.number:
        work.outcome.reject(
            command, "own-proposal", "the proposal is your own; it waits for the other player"
        )
        return None
    return game, proposer


def find_proposal(work: HandlerContext, command: Command, number: int | None) -> Game | None:
    """Return the proposal that is meant: the one named, otherwise the only one made to the writer."""
    if number is None:
        waiting = [
            row.number
            for row in work.unit.games.of_player(work.request.player.number, ("proposed",))
            if row.proposed_by != work.request.player.number
        ]
        if len(waiting) != 1:
            message = (
                "several games are offered to you; say which" if waiting else "no game is offered to you"
            )
            suggestion = f"{command.word} {waiting[0]}" if waiting else ""
            work.outcome.reject(command, "which-proposal", message, suggestion=suggestion)
            return None
        (number,) = waiting
    game = named_game(work, number)
    if game is not None and join_conditions.is_shut_out(work, game):
        game = None  # an excluded player must not learn of it, either
    open_to_all = game is not None and game.status == "proposed" and game.proposed_to is None
    if game is not None and not game.concerns(work.request.player.number) and was_open(game):
        message = "game {game} was open to all, and somebody else was first"
        work.outcome.reject(command, "taken", message, game=str(number))
        return None
    if game is None or not (open_to_all or game.concerns(work.request.player.number)):
        work.outcome.reject(command, "no-game", "there is no game {game} on offer to you", game=str(number))
        return None
    if game.status != "proposed":
        message = {
            "playing": "game {game} has begun already",
            "ended": "game {game} is over",
            "declined": "the proposal of game {game} was declined",
            "withdrawn": "the proposal of game {game} was taken back",
        }[game.status]
        where = number if game.concerns(work.request.player.number) else None
        code = f"no-proposal-{game.status}"
        work.outcome.reject(command, code, message, about=where, game=str(number))
        return None
    return game
