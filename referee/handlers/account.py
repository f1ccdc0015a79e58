"""Words about oneself: register, set, games, help."""

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
    """Give the writer a name, or another one: then the letter must say nothing else, so that no prose renames him."""
    if work.player.name and not work.whole_letter:
        work.wrong(
            command,
            "rename-alone",
            "you are called {name} already; another name must be the only line of a letter",
            name=work.player.name,
        )
        return
    if holds_word(command.name, (work.service.name,)):
        work.wrong(command, "name-reserved", "nobody can be called {name} here", name=command.name)
        return
    named = work.unit.players.named(command.name)
    if any(each.number != work.player.number for each in named):
        work.wrong(
            command,
            "name-taken",
            "somebody else is called {name} here, or has a name that looks like it",
            name=command.name,
            suggestion=f"register {free}" if (free := _free_name(work, command.name)) else "",
        )
        return
    code = "renamed" if work.player.name else "registered"
    work.change_player(name=command.name, language=command.language or work.player.language)
    facts: dict[str, Any] = {"name": command.name}
    if code == "registered":
        facts["plays"] = bool(work.unit.games.of_player(work.player.number, ("playing", "proposed")))
        facts["played_here"] = tuple((each.name, each.title) for each in work.service.rulebooks.values())
    work.took(command, note=Note(code, facts))


def _free_name(work: HandlerContext, name: str) -> str:
    """Return a name that is taken with something behind it by which the writer is told apart; "" where nothing fits.

    An initial behind a single word, else a number.
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
"""What `set` knows, and as what a player's choice is kept (`Player`)."""


MOST_OPEN_LISTED = 10
"""Open games of others that a list holds: each is read to see whether it may be joined."""


def set_preference(work: HandlerContext, command: SetPreference) -> None:
    """Choose how one's letters look; this answer is the first that does.

    What is told is what holds once the whole letter was read, each thing once.
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
        rows = work.unit.games.of_player(work.player.number, ("playing",))
        timed = (game.number for game in (work.readable(row.number) for row in rows) if game and game.timed)
        work.part(None).rescheduled += timed
    work.took(command)
    notes = work.part(None).notes
    before = [note for note in notes if note.code in ("preference", "zone", "letters", "overview")]
    keys = dict.fromkeys((*(note.facts.get("key", note.code) for note in before), command.key))
    notes[:] = [note for note in notes if note not in before]
    notes += [_chosen(work, key) for key in keys]


def fall_silent(work: HandlerContext) -> None:
    """Write only what needs something from the writer, from now on, without reminders and digests, and tell what goes
    on: the writer, and who directs the events of the writer's games. Nothing comes to pass in these.

    What waited for the letter of the day stands in the next letter about its game.
    """
    if work.player.letters != "quiet":
        _tell_directors(work)
    work.change_player(letters="quiet", overview="off")
    digests.plan(work)
    overview_mails.plan(work)
    part = work.part(None)
    part.notes.append(Note("letters-off"))
    part.kind = "receipt"
    rows = work.unit.games.of_player(work.player.number, ("playing", "proposed"))
    work.listing = [_listed(work, game) for game in (work.readable(row.number) for row in rows) if game]


def _tell_directors(work: HandlerContext) -> None:
    """Tell the director of each event that the writer plays in, who may know why; in one in which the director plays
    against the writer, whoever rules there instead."""
    me, unit = work.player.number, work.unit
    games = [
        game
        for row in unit.games.of_player(me, ("playing",))
        if (game := work.readable(row.number)) is not None
    ]
    for competition in dict.fromkeys(game.competition for game in games if game.competition is not None):
        mine = [game for game in games if game.competition == competition]
        seated = {player for game in mine for player in game.seats.values()}
        event = unit.tournaments.find(competition)
        told = next(
            (each for each in event.officers if each.office == "director" and each.player not in seated), None
        )
        told = told or participants.who_hears(unit, competition, seated, work.now)
        if told is None:
            continue
        who = work.player.name or str(mine[0].seat_of(me)).capitalize()
        facts = {"who": who, "event": event.name, "games": tuple(game.number for game in mine)}
        words = LetterContent(kind="notice", notes=(Note("silenced", facts),), speaks_of=(me,))
        work.post.to_player(told.player, words)


def _chosen(work: HandlerContext, key: str) -> Note:
    """Return what is told of a choice, as it is now."""
    player = work.player
    if key == "zone":
        return Note("zone", {"zone": player.zone, "now": work.now})
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
    """Return whether the writer plays a game or watches one, so that a letter about it is still to come."""
    me, unit = work.player.number, work.unit
    return bool(unit.games.of_player(me, ("playing",)) or unit.games.watched_by(me))


def _lacks_picture(work: HandlerContext) -> bool:
    """Return whether the writer wants his sheets as a picture, and letters that hold none."""
    player = work.player
    return player.sheets == "picture" and (player.form == "text" or player.picture == "off")


def show_choices(work: HandlerContext, command: ShowChoices) -> None:
    """Tell all that can be set as it stands now, in one list."""
    player = work.player
    second = work.unit.addresses.get(player.number, "second")
    facts = {
        **{key: getattr(player, KEPT_AS[key]) for key in PREFERENCES if key in KEPT_AS},
        "zone": player.zone,
        "now": work.now,
        "hour": work.service.digest_hour,
        "no_picture": _lacks_picture(work),
        "address": player.address,
        "second": second.address if second else "",
    }
    if player.overview == "off" and not overview_mails.events_run(work):
        del facts["overview"]  # that is for officers
    notes = work.part(None).notes
    notes[:] = [note for note in notes if note.code != "choices"]
    work.took(command, note=Note("choices", {"choices": facts}))


def show_help(work: HandlerContext, command: Help, number: int | None) -> None:
    """Print a help page, once. number: the game that the letter is about, if any."""
    row = work.row(number) if command.topic in (THE_GAME, THE_SHEETS) and number is not None else None
    played = row.rules if row is not None and row.concerns(work.player.number) else ""
    for page in pages_about(command.topic, [played] if played else work.service.rulebooks):
        if page not in work.pages:
            work.pages.append(page)


def pages_about(topic: str, rules: Iterable[str]) -> list[str]:
    """Return the help pages on a topic. rules: the games that may be meant where it does not name one."""
    if topic == THE_SHEETS:
        return [f"{game} {THE_SHEETS}" for game in rules]
    return list(rules) if topic == THE_GAME else [topic or "help"]


def list_games(work: HandlerContext, command: Games) -> None:
    """List the writer's games and proposals, and the open games of others that he may join."""
    mine = work.unit.games.of_player(work.player.number, ("playing", "proposed"))
    listed: list[Mapping[str, Any]] = []
    more = False
    watched = work.unit.games.watched_by(work.player.number)
    for row in (*mine, *watched, *work.unit.games.open()):
        if any(each["game"] == row.number for each in listed):
            continue
        if more := sum(each["state"] == "open" for each in listed) == MOST_OPEN_LISTED:
            break
        game = work.readable(row.number)
        if game is None:
            continue
        refused = join_conditions.refusal(work, game) if game.status == "proposed" else None
        if refused is None or refused.code != "not-open-to-you":
            listed.append(_listed(work, game))
    work.listing = listed
    free = tuple(each["game"] for each in listed if each["state"] == "open")
    work.took(
        command, note=Note("games", {"count": len(mine), "watched": len(watched), "open": free, "more": more})
    )


def _listed(work: HandlerContext, game: Game) -> Mapping[str, Any]:
    """Return a game as a line of the list; the states have their words in templates/listing.j2."""
    seat = game.seat_of(work.player.number)
    if work.player.number in game.watchers:
        return _watched(work, game)
    if game.status == "proposed" and game.proposed_by == work.player.number:
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
            (each for each in (game.proposed_by, game.proposed_to) if each != work.player.number), None
        )
        if state in ("you-challenged", "challenged-you")
        else None,
    }


def _until(work: HandlerContext, game: Game) -> datetime | None:
    """Return until when whoever is to move has, None where no time of his runs or is left."""
    if not game.timed or game.status != "playing" or not work.clocks.can_read(game):
        return None
    faces = [work.clocks.face(game, seat) for seat in game.due]
    return next((face.deadline for face in faces if face is not None and not face.up), None)


def _watched(work: HandlerContext, game: Game) -> Mapping[str, Any]:
    """Return a game that the writer watches as a line of the list, with the turn of which he has heard."""
    here = work.post.standpoint(game, work.player.number)
    return {
        "game": game.number,
        "rules": game.rulebook.title,
        "rulebook": game.rulebook.name,
        "options": game.options,
        "who": who_plays(work.titles[game.number], game.number),
        "state": "watching",
        "turn": game.rulebook.rules.turn(here.view),
        "until": None,
        "conditions": None,
        "absent": "",
        "offered": "",
        "invited": None,
    }


def _other(work: HandlerContext, game: Game) -> str:
    """Return what the other player is called; "" where there is none, or none whom the writer knows by name."""
    me = work.player.number
    for seat, player in game.seats.items():
        if player != me:
            return work.post.player(player).name or seat.capitalize()
    if game.proposed_by is not None and game.proposed_by != me:
        return work.post.player(game.proposed_by).name or address_given(work, game, me)
    if game.proposed_to is None:
        return ""
    # Who was invited by his address remains unnamed until he answers: the title tells how he was called.
    name = work.post.player(game.proposed_to).name
    known = game.rounds > 0 or game.rematch_of is not None or work.titles[game.number].endswith(f" - {name}")
    return (name if known else "") or address_given(work, game, me)
