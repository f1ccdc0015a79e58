"""Finds the game that a letter is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.commands.command import Appeal, Command, Umpire
from referee.commands.headings import Heading, read_headings
from referee.common.faults import Fault, Place
from referee.common.i18n import N_, Phrase, listed
from referee.handlers.handler_context import HandlerContext
from referee.handlers.parts import has_part
from referee.handlers.private_orders import is_confided
from referee.mail.message.message import Letter
from referee.mail.message.outline import Outline
from referee.pipeline.letter_context import Disposition, LetterContext
from referee.rulebooks.rulebook import Rulebook
from referee.store import letter_ordering
from referee.store.queries import Lookup
from referee.store.values import SentLetter, Tag


def find_game(context: LetterContext) -> Disposition | None:
    """Find the game that a letter is about, and take its turn; an ambiguity is stored as a fault."""
    work, understood = context.work, context.understood
    context.game = context.fault = context.lost_seat = None
    besides = context.named_in_lines = [each.game for each in understood.commands if each.game]
    if understood.commands and all(isinstance(each, Umpire) for each in understood.commands):
        # An officer need not play in the game that the letter is about: each line names its own.
        work.unit.take_turn(besides)
        return None
    context.game, context.fault = resolve_game(
        work,
        context.letter,
        context.tags,
        besides,
        lost=context.letter_tags.names_a_lost_one(context.letter),
        asked=context.asked,
        headings=(headings := read_headings(understood.passed_over)),
    )
    if context.game is not None:
        context.fault = contradicted(work, context.game, headings)
    appeals = bool(understood.commands) and all(isinstance(each, Appeal) for each in understood.commands)
    if appeals and context.fault is not None and context.fault.code == "not-your-game":
        # A player who lost the seat answers an earlier letter and means that game, whatever else they play.
        context.lost_seat, context.fault = int(str(context.fault.facts["game"])), None
    return None


def resolve_game(
    work: HandlerContext,
    letter: Letter,
    tags: Sequence[Tag],
    besides: Sequence[int] = (),
    *,
    lost: bool = False,
    asked: int | None = None,
    headings: Sequence[Heading] = (),
) -> tuple[int | None, Fault | None]:
    """Return the game that a letter is about, and take its turn.

    Tag, thread, subject and headings name it, and must agree; otherwise it is the writer's only game, or the
    only one in which it is their turn.

    besides: other games that its lines name.
    lost: it was sent to an unknown reply address, so that the number in its subject may by now be another
        game's.
    asked: for a letter that was held, the game named in the question about it, 0 for none: what was confirmed
        is done there and nowhere else, whatever has happened to tags and turns.
    """
    if lost:
        return None, _lost_address(work)
    answered = next((sent for sent in map(work.unit.outbox.get, letter.thread) if sent and sent.game), None)
    named = _named_games(letter, tags, answered, asked, headings)
    numbers = {number for _, number in named}
    if _answers_anothers(work, tags, answered, (*numbers, *besides)):
        return None, _anothers_letter(work)
    if len(numbers) > 1:
        return None, _disagreement(named)
    if numbers:
        (number,) = numbers
        work.unit.take_turn((number, *besides))
        if not has_part(work, number):
            return None, Fault("not-your-game", "you do not sit in game {game}", {"game": str(number)})
        work.request.target_game = number
        return number, None
    if asked is not None:
        work.unit.take_turn(besides)
        return None, None  # the question named no game in which it would count
    return _likely_game(work, besides), None


def _named_games(
    letter: Letter,
    tags: Sequence[Tag],
    answered: SentLetter | None,
    asked: int | None,
    headings: Sequence[Heading],
) -> list[tuple[str, int]]:
    """Return the games that a letter names, each with the way it does so. answered: the letter in its thread."""
    named: list[tuple[str, int | None]] = [
        *((N_("the reply address says game {game}"), tag.game) for tag in tags),
        (N_("the thread says game {game}"), answered.game if answered is not None else None),
        (N_("the subject says game {game}"), letter.subject_game),
        (N_("the question about it said game {game}"), asked),
        *(
            (N_("the heading says game {game}"), game)
            for game in dict.fromkeys(each.game for each in headings)
        ),
    ]
    return [(said, number) for said, number in named if number]


def _likely_game(work: HandlerContext, besides: Sequence[int]) -> int | None:
    """Return the writer's only game, otherwise the only one in which it is their turn; None for no such game."""
    playing = [row.number for row in work.unit.games.of_player(work.request.player.number, ("playing",))]
    if len(playing) == 1:
        work.unit.take_turn((playing[0], *besides))
        return playing[0]
    to_move = []
    for number in playing:
        game = work.games.readable(number)
        if game is not None and game.seat_of(work.request.player.number) in game.due:
            to_move.append(number)
    work.unit.take_turn(besides)
    return to_move[0] if len(to_move) == 1 else None


def _lost_address(work: HandlerContext) -> Fault:
    return Fault(
        "lost-address",
        "your letter went to a reply address that is not known here, perhaps of a game that was lost; nothing was "
        "done, please answer the newest letter of the game that you mean, or write to {address}",
        {"address": work.service.address},
    )


def _anothers_letter(work: HandlerContext) -> Fault:
    return Fault(
        "anothers-letter",
        "your letter answers one that went to somebody else, or went to a reply address that is not yours; nothing "
        "was done, please answer the newest letter of the game that you mean, or write to {address}",
        {"address": work.service.address},
    )


def _disagreement(named: Sequence[tuple[str, int]]) -> Fault:
    """Return the fault of a letter that names several games. named: each with the way the letter does so."""
    return Fault(
        "games-disagree",
        "I cannot tell which game you mean: {said}; nothing was done, please answer the game's own letter",
        {"said": listed([Phrase(what, {"game": number}) for what, number in named])},
    )


def seems_about(lookup: Lookup, outline: Outline) -> frozenset[str]:
    """Return everything that a letter may be about, by its header; later letters about the same wait for it.

    Its lines are not known. It may therefore be about every game in which its writer, or the owner of the
    reply tag, has a part or could get one: as a player, as an officer, or by joining.
    """
    tags = [tag for text in outline.tags if (tag := lookup.tags.get(text)) is not None]
    sender = lookup.players.by_address(outline.sender) if outline.sender else None
    players = {tag.player for tag in tags} | ({sender.number} if sender is not None else set())
    answered = [sent.game for sent in map(lookup.outbox.get, outline.thread) if sent is not None]
    games = {outline.subject_game, *(tag.game for tag in tags), *answered}
    rows = lookup.games.open()
    for number in players:
        rows += lookup.games.of_player(number)
        for event in lookup.tournaments.of_player(number):
            if any(officer.player == number for officer in event.officers):
                rows += lookup.games.all(("playing",), competition=event.number)
    games |= {row.number for row in rows}
    about = {letter_ordering.game(number) for number in games if number is not None}
    if sender is not None:
        further = [each.address for each in lookup.addresses.of_player(sender.number)]
        about |= {letter_ordering.writer(address) for address in (sender.address, *further) if address}
    return frozenset(about | {letter_ordering.writer(outline.sender)})


def _answers_anothers(
    work: HandlerContext, tags: Sequence[Tag], answered: SentLetter | None, games: Sequence[int]
) -> bool:
    """Return whether a letter answers one to somebody else, about a game in which its writer has no part.

    Somebody who has only obtained that letter's addresses need not know which game it is, and is not told.

    answered: the letter about a game in its thread.
    games: all that the letter names, whose turn is taken.
    """
    me = work.request.player.number
    named = [tag.game for tag in tags if tag.game is not None and tag.player != me]
    if answered is not None and answered.game is not None and answered.player != me:
        named.append(answered.game)
    if not named:
        return False
    work.unit.take_turn(games)
    return not all(has_part(work, number) for number in named)


def contradicted(work: HandlerContext, number: int, headings: Sequence[Heading]) -> Fault | None:
    """Return the fault of the first heading with a turn or side that the writer cannot mean (E2).

    None where all agree. A player who is not to move may also give the coming turn.

    number: the game that they name, in which the writer has a part.
    """
    game = work.games.readable(number) if headings else None
    seat = game.seat_of(work.request.player.number) if game is not None else None
    if game is None or seat is None or game.status != "playing":
        return None
    turn = game.rulebook.rules.turn(game.view(seat))
    set_up = any(question.kind == "set-up" for question in game.due.values())
    turns = (turn,) if seat in game.due or set_up else (turn, turn + 1)
    suggestion = f"GAME {number} {'SETUP' if set_up else f'TURN {turn}'} {seat}".upper()
    for each in headings:
        facts: dict[str, str | Phrase] = {"game": str(number), "turn": str(turn)}
        if each.side not in ("", seat):
            message = N_("the heading says {side}, and in game {game} you are {seat}; nothing was done")
            facts |= {"side": Phrase(each.side.capitalize()), "seat": Phrase(seat.capitalize())}
        elif each.turn is not None and each.turn not in turns:
            message = N_(
                "the heading says turn {said}, and turn {turn} of game {game} is being played; nothing was done"
            )
            facts |= {"said": str(each.turn)}
        elif each.set_up and not set_up:
            message = N_(
                "the heading says that this is a set-up, and game {game} has begun; nothing was done"
            )
        else:
            continue
        place = Place(each.line.number, 1)
        return Fault("heading", message, facts, "ambiguous", each.line.text, place, suggestion)
    return None


def orders_of(work: HandlerContext, game: int | None) -> Callable[[int | None], Callable[[str], bool]]:
    """Return the test for orders in lines that name a game, or none: that of its rulebook alone.

    game: what the letter is about; None for any game that the writer plays.
    """

    def looks(named: int | None) -> Callable[[str], bool]:
        rulebooks = _rulebooks_of(work, game if named is None else named)
        return lambda text: any(rulebook.notation.looks_like_order(text) for rulebook in rulebooks)

    return looks


def framed_in(work: HandlerContext, game: int | None) -> Callable[[Command], bool]:
    """Return the test whether a command is for a game with framed orders (E2), in which a turn has many lines.

    game: what the letter is about, for a line that names none.
    """

    def is_framed(command: Command) -> bool:
        row = work.games.row(meant) if (meant := command.game or game) else None
        rulebook = work.service.rulebooks.get(row.rules) if row is not None else None
        return rulebook is not None and rulebook.drafts is not None

    return is_framed


def confided_by(work: HandlerContext) -> Callable[[str], bool]:
    """Return the test whether a line is an order that nobody else may hear, in any game that the writer plays.

    They may have answered another game's letter.
    """
    return lambda text: any(is_confided(rulebook, text) for rulebook in _rulebooks_played(work))


def _rulebooks_of(work: HandlerContext, number: int | None) -> Sequence[Rulebook]:
    """Return the rulebooks that may be meant; all where the writer has no part in the game."""
    me, known = work.request.player.number, work.service.rulebooks
    if number is None:
        return _rulebooks_played(work) or list(known.values())
    row = work.games.row(number)
    rules = {row.rules} if row is not None and row.concerns(me) else set()
    return [known[each] for each in rules if each in known] or list(known.values())


def _rulebooks_played(work: HandlerContext) -> Sequence[Rulebook]:
    """Return the rulebooks of the games that the writer plays."""
    rules = {row.rules for row in work.unit.games.of_player(work.request.player.number, ("playing",))}
    return [work.service.rulebooks[each] for each in sorted(rules) if each in work.service.rulebooks]
