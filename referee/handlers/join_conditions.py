"""Conditions for joining an open game: read when it is opened, checked when somebody joins."""

from __future__ import annotations

from dataclasses import replace

from referee.commands.command import Command, Open
from referee.common.faults import Fault, Place
from referee.games.game import Game
from referee.games.join_conditions import (
    FINISHED,
    KEYS,
    NOT,
    PLAYING,
    Conditions,
    names_of,
    read_conditions,
    read_number,
)
from referee.handlers.handler_context import HandlerContext
from referee.reports.report import Note


def split_conditions(work: HandlerContext, command: Open) -> tuple[Open, Conditions] | None:
    """Split a command to open a game from its conditions; None, with the faults recorded, for invalid conditions."""
    said = {key: value for key, value in command.options.items() if key in KEYS}
    bare = replace(command, options={key: value for key, value in command.options.items() if key not in KEYS})
    finished = read_number(FINISHED, said[FINISHED], 1) if FINISHED in said else 0
    playing = read_number(PLAYING, said[PLAYING], 0) if PLAYING in said else None
    for number in (finished, playing):
        if isinstance(number, Fault):
            work.outcome.add_fault(replace(number, place=_place(command, number.excerpt)))
    others = _others(work, command, said.get(NOT, ""))
    if isinstance(finished, Fault) or isinstance(playing, Fault) or others is None:
        return None
    return bare, Conditions(finished, playing, others)


def _others(work: HandlerContext, command: Open, said: str) -> tuple[int, ...] | None:
    """Return the players named as excluded; None, with the fault recorded, when one is unknown."""
    found = []
    for name in names_of(said):
        player = next(iter(work.unit.players.named(name)), None)
        if player is None:
            work.outcome.reject(
                command, "no-such-player", "nobody called {whom} is registered here", whom=name
            )
            return None
        found.append(player.number)
    return tuple(dict.fromkeys(found))


def _place(command: Command, excerpt: str) -> Place:
    return Place(command.line.number, max(1, command.line.text.lower().find(excerpt.lower()) + 1))


def told(work: HandlerContext, game: Game) -> Note | None:
    """Return the note on the opener's conditions, None where there are none."""
    conditions = read_conditions(game.conditions)
    if not conditions:
        return None
    names = tuple(work.composer.player(number).name for number in conditions.others_than)
    facts = {"finished": conditions.finished, "playing": conditions.playing, "names": names}
    return Note("opened-to", facts)


def may_join(work: HandlerContext, command: Command, game: Game) -> bool:
    """Return whether the writer may join an open game; record the fault if not."""
    fault = refusal(work, game)
    if fault is None:
        return True
    work.outcome.reject(command, fault.code, fault.message, game=str(game.number), **fault.facts)
    return False


def is_shut_out(work: HandlerContext, game: Game) -> bool:
    """Return whether the writer is excluded by name from a game that was open to others."""
    return work.request.player.number in read_conditions(game.conditions).others_than and not game.concerns(
        work.request.player.number
    )


def refusal(work: HandlerContext, game: Game) -> Fault | None:
    """Return why the writer may not join an open game, None where they may."""
    conditions = read_conditions(game.conditions)
    if not conditions or game.proposed_by == work.request.player.number:
        return None
    me = work.request.player.number
    finished = work.unit.games.count_finished(me, conditions.finished) if conditions.finished else 0
    playing = len(work.unit.games.of_player(me, ("playing",))) if conditions.playing is not None else 0
    return conditions.refuses(me, finished, playing)
