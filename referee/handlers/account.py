"""Commands about the writer: register, set, games, help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import chain
from typing import Any

from referee.commands.command import Games, Help, Register, SetPreference, ShowChoices
from referee.commands.command_table import THE_GAME, THE_SHEETS
from referee.commands.preferences import PREFERENCES
from referee.games.game import Game
from referee.games.join_conditions import read_conditions
from referee.games.player_names import check_name, holds_word
from referee.games.titles import who_plays
from referee.handlers import digests, join_conditions, overview_mails, participants
from referee.handlers.handler_context import HandlerContext
from referee.handlers.letter_content import LetterContent
from referee.handlers.proposals import address_given, terms_of
from referee.reports.report import Note


def register(work: HandlerContext, command: Register) -> None:
    """Give the writer a name or, as the only line of a letter, another name, so that prose never renames them."""
    if work.request.player.name and not work.request.whole_letter:
        work.outcome.reject(
            command,
            "rename-alone",
            "you are called {name} already; another name must be the only line of a letter",
            name=work.request.player.name,
        )
        return
    if holds_word(command.name, (work.service.name,)):
        work.outcome.reject(command, "name-reserved", "nobody can be called {name} here", name=command.name)
        return
    named = work.unit.players.named(command.name)
    if any(each.number != work.request.player.number for each in named):
        work.outcome.reject(
            command,
            "name-taken",
            "somebody else is called {name} here, or has a name that looks like it",
            name=command.name,
            suggestion=f"register {free}" if (free := _free_name(work, command.name)) else "",
        )
        return
    code = "renamed" if work.request.player.name else "registered"
    work.change_player(name=command.name, language=command.language or work.request.player.language)
    facts: dict[str, Any] = {"name": command.name}
    if code == "registered":
        facts["plays"] = bool(work.unit.games.of_player(work.request.player.number, ("playing", "proposed")))
        facts["played_here"] = tuple((each.name, each.title) for each in work.service.rulebooks.values())
    work.outcome.accept(command, note=Note(code, facts))


def _free_name(work: HandlerContext, name: str) -> str:
    """Return a taken name with an addition that distinguishes the writer; "" where nothing is free.

    The addition is an initial after a single word, otherwise a number.
    """
    numbers = map(str, range(2, 100))
    for end in chain("BCDEFGHJKLMNOPRSTVW" if " " not in name else "", numbers):
        free = f"{name} {end}"
        if check_name(free) is None and not work.unit.players.named(free):
            return free
    return ""


KEPT_AS = {
    "reports": "form",
    "sheets": "sheets",
    "picture": "picture",
    "compass": "compass",
    "letters": "letters",
    "calendar": "calendar",
    "overview": "overview",
    "hold": "hold",
    "zone": "zone",
    "language": "language",
}
"""The keys of `set`, and the fields of `Player` in which the choices are stored."""


MOST_OPEN_LISTED = 10
"""The most open games of others in a list: each is read to see whether it may be joined."""


def set_preference(work: HandlerContext, command: SetPreference) -> None:
    """Change how the writer's letters look; this answer is the first to follow it.

    The answer states the final choices after the whole letter, each once.
    """
    if command.key == "overview" and not overview_mails.may_have(work, command):
        return
    if command.key == "letters":
        digests.change(work, command.value)
    work.change_player(**{KEPT_AS[command.key]: command.value})
    if command.key in ("letters", "zone"):
        digests.plan(work)
    if command.key in ("overview", "zone"):
        overview_mails.plan(work)
    if command.key == "calendar":
        rows = work.unit.games.of_player(work.request.player.number, ("playing",))
        timed = (
            game.number for game in (work.games.readable(row.number) for row in rows) if game and game.timed
        )
        work.outcome.of(None).rescheduled += timed
    work.outcome.accept(command)
    notes = work.outcome.of(None).notes
    before = [note for note in notes if note.code in ("preference", "zone", "letters", "overview")]
    keys = dict.fromkeys((*(note.facts.get("key", note.code) for note in before), command.key))
    notes[:] = [note for note in notes if note not in before]
    notes += [_chosen(work, key) for key in keys]


def fall_silent(work: HandlerContext) -> None:
    """Send only what needs something from the writer from now on, without reminders and digests.

    The writer and the directors of their events are told. The games are not affected. News that waited for a
    digest goes into the next letter about its game.
    """
    if work.request.player.letters != "quiet":
        _tell_directors(work)
    work.change_player(letters="quiet", overview="off")
    digests.plan(work)
    overview_mails.plan(work)
    part = work.outcome.of(None)
    part.notes.append(Note("letters-off"))
    part.kind = "receipt"
    rows = work.unit.games.of_player(work.request.player.number, ("playing", "proposed"))
    work.outcome.listing = [
        listing_line(work, game) for game in (work.games.readable(row.number) for row in rows) if game
    ]


def _tell_directors(work: HandlerContext) -> None:
    """Tell the director of each event that the writer plays in.

    Where the director plays against the writer, the officer who rules there is told instead.
    """
    me, unit = work.request.player.number, work.unit
    games = [
        game
        for row in unit.games.of_player(me, ("playing",))
        if (game := work.games.readable(row.number)) is not None
    ]
    for competition in dict.fromkeys(game.competition for game in games if game.competition is not None):
        mine = [game for game in games if game.competition == competition]
        seated = {player for game in mine for player in game.seats.values()}
        event = unit.tournaments.find(competition)
        told = next(
            (each for each in event.officers if each.office == "director" and each.player not in seated), None
        )
        told = told or participants.who_hears(unit, competition, seated, work.request.now)
        if told is None:
            continue
        who = work.request.player.name or str(mine[0].seat_of(me)).capitalize()
        facts = {"who": who, "event": event.name, "games": tuple(game.number for game in mine)}
        words = LetterContent(kind="notice", notes=(Note("silenced", facts),), speaks_of=(me,))
        work.composer.to_player(told.player, words)


def _chosen(work: HandlerContext, key: str) -> Note:
    """Return the note on a choice, as it is now."""
    player = work.request.player
    if key == "zone":
        return Note("zone", {"zone": player.zone, "now": work.request.now})
    if key == "letters":
        hour = work.service.digest_hour
        facts = {
            "value": player.letters,
            "hour": hour,
            "zone": player.zone,
            "in_games": _hears_of_games(work),
        }
        return Note("letters", facts)
    if key == "overview":
        hour = work.service.digest_hour
        return Note("overview", {"value": player.overview, "hour": hour, "zone": player.zone})
    return Note(
        "preference", {"key": key, "value": getattr(player, KEPT_AS[key]), "no_picture": _lacks_picture(work)}
    )


def _hears_of_games(work: HandlerContext) -> bool:
    """Return whether the writer plays or watches a game, so that a letter about it is still to come."""
    me, unit = work.request.player.number, work.unit
    return bool(unit.games.of_player(me, ("playing",)) or unit.games.watched_by(me))


def _lacks_picture(work: HandlerContext) -> bool:
    """Return whether the writer wants sheets as a picture, but letters without pictures."""
    player = work.request.player
    return player.sheets == "picture" and (player.form == "text" or player.picture == "off")


def show_choices(work: HandlerContext, command: ShowChoices) -> None:
    """List all present preferences."""
    player = work.request.player
    second = work.unit.addresses.get(player.number, "second")
    facts = {
        **{key: getattr(player, KEPT_AS[key]) for key in PREFERENCES if key in KEPT_AS},
        "zone": player.zone,
        "now": work.request.now,
        "hour": work.service.digest_hour,
        "no_picture": _lacks_picture(work),
        "address": player.address,
        "second": second.address if second else "",
    }
    if player.overview == "off" and not overview_mails.events_run(work):
        del facts["overview"]  # that is for officers
    notes = work.outcome.of(None).notes
    notes[:] = [note for note in notes if note.code != "choices"]
    work.outcome.accept(command, note=Note("choices", {"choices": facts}))


def show_help(work: HandlerContext, command: Help, number: int | None) -> None:
    """Send a help page, once. number: the game that the letter is about, if any."""
    row = work.games.row(number) if command.topic in (THE_GAME, THE_SHEETS) and number is not None else None
    played = row.rules if row is not None and row.concerns(work.request.player.number) else ""
    for page in pages_about(command.topic, [played] if played else work.service.rulebooks):
        if page not in work.outcome.pages:
            work.outcome.pages.append(page)


def pages_about(topic: str, rules: Iterable[str]) -> list[str]:
    """Return the help pages on a topic. rules: the games that may be meant where it does not name one."""
    if topic == THE_SHEETS:
        return [f"{game} {THE_SHEETS}" for game in rules]
    return list(rules) if topic == THE_GAME else [topic or "help"]


def list_games(work: HandlerContext, command: Games) -> None:
    """List the writer's games and proposals, and the open games of others that they may join."""
    mine = work.unit.games.of_player(work.request.player.number, ("playing", "proposed"))
    listed: list[Mapping[str, Any]] = []
    more = False
    watched = work.unit.games.watched_by(work.request.player.number)
    for row in (*mine, *watched, *work.unit.games.open()):
        if any(each["game"] == row.number for each in listed):
            continue
        if more := sum(each["state"] == "open" for each in listed) == MOST_OPEN_LISTED:
            break
        game = work.games.readable(row.number)
        if game is None:
            continue
        refused = join_conditions.refusal(work, game) if game.status == "proposed" else None
        if refused is None or refused.code != "not-open-to-you":
            listed.append(listing_line(work, game))
    work.outcome.listing = listed
    free = tuple(each["game"] for each in listed if each["state"] == "open")
    work.outcome.accept(
        command, note=Note("games", {"count": len(mine), "watched": len(watched), "open": free, "more": more})
    )


def listing_line(work: HandlerContext, game: Game) -> Mapping[str, Any]:
    """Return a game as a line of the list; templates/listing.j2 has the words for the states."""
    seat = game.seat_of(work.request.player.number)
    if work.request.player.number in game.watchers:
        return _watched(work, game)
    if game.status == "proposed" and game.proposed_by == work.request.player.number:
        state = "yours-open" if game.proposed_to is None else "you-challenged"
    elif game.status == "proposed":
        state = "open" if game.proposed_to is None else "challenged-you"
    else:
        state = "your-move" if seat in game.due else "waiting"
    turn = game.rulebook.rules.turn(game.view(seat)) if seat else None
    who = _other(work, game)
    absent = [each for each in game.seats if each not in game.checked_in] if game.status == "playing" else []
    return {
        "game": game.number,
        "rules": game.rulebook.title,
        "rulebook": game.rulebook.name,
        "options": terms_of(game) if game.status == "proposed" else game.options,
        "who": who,
        "state": state,
        "turn": turn,
        "until": _until(work, game),
        "conditions": read_conditions(game.conditions) if game.status == "proposed" else None,
        "absent": ("you" if seat in absent else "") or ("other" if absent else ""),
        "offered": game.offer.end if game.offer is not None and game.offer.by != seat else "",
        "invited": next(
            (each for each in (game.proposed_by, game.proposed_to) if each != work.request.player.number),
            None,
        )
        if state in ("you-challenged", "challenged-you")
        else None,
    }


def _until(work: HandlerContext, game: Game) -> datetime | None:
    """Return the deadline of the player to move, None where no time of theirs runs or is left."""
    if not game.timed or game.status != "playing" or not work.games.clocks.can_read(game):
        return None
    faces = [work.games.clocks.face(game, seat) for seat in game.due]
    return next((face.deadline for face in faces if face is not None and not face.up), None)


def _watched(work: HandlerContext, game: Game) -> Mapping[str, Any]:
    """Return a game that the writer watches as a line of the list, with the turn they have heard of."""
    here = work.composer.standpoint(game, work.request.player.number)
    return {
        "game": game.number,
        "rules": game.rulebook.title,
        "rulebook": game.rulebook.name,
        "options": game.options,
        "who": who_plays(work.games.titles[game.number], game.number),
        "state": "watching",
        "turn": game.rulebook.rules.turn(here.view),
        "until": None,
        "conditions": None,
        "absent": "",
        "offered": "",
        "invited": None,
    }


def _other(work: HandlerContext, game: Game) -> str:
    """Return the other player's name; "" where there is none, or none whom the writer knows by name."""
    me = work.request.player.number
    for seat, player in game.seats.items():
        if player != me:
            return work.composer.player(player).name or seat.capitalize()
    if game.proposed_by is not None and game.proposed_by != me:
        return work.composer.player(game.proposed_by).name or address_given(work, game, me)
    if game.proposed_to is None:
        return ""
    # A player invited by address remains unnamed until they answer: the title shows whether they were named.
    name = work.composer.player(game.proposed_to).name
    known = (
        game.rounds > 0
        or game.rematch_of is not None
        or work.games.titles[game.number].endswith(f" - {name}")
    )
    return (name if known else "") or address_given(work, game, me)
