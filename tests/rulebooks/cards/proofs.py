"""Battles played to their end, with their records and what proves them, for the tests."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from referee.common.chance import Chance, commitment
from referee.games.proof import proof_lines
from referee.games.receipts import last_receipt
from referee.rulebooks.cards.adjudicate import conclude
from referee.rulebooks.cards.figures import RED
from referee.rulebooks.cards.record_text.record import recorded, write_record
from referee.rulebooks.rulebook import Happening, Result, Seat
from tests.rulebooks.cards.games import SECRET, Play, random_game

GAME = 17


def finished(seed: int, options: Mapping[str, str], turns: int = 4) -> tuple[Play, dict[str, str]]:
    """Return a game by lot, ended by resignation where there is no end sooner, and the lines of its proof."""
    play = random_game(seed, options, turns)
    end(play)
    return play, proof(play, options, random.Random(seed).randbytes(32))


def end(play: Play, result: Result | None = None) -> None:
    """End a game off the table, where it is not over."""
    if play.position.battle.result is None:
        told(play, conclude(play.position, result or Result(Seat("red"), "by resignation")))


def told(play: Play, news: Sequence[Happening]) -> None:
    """Let things happen in a game that no order has brought."""
    play.told(news)


def proof(play: Play, options: Mapping[str, str], secret: bytes = SECRET) -> dict[str, str]:
    """Return the lines of the head that prove a game. options: with the deal, where one was set."""
    bound = {key: said for key, said in options.items() if key != "deal"}
    deal = options.get("deal", "")
    start = commitment(secret, game=GAME, rules="cards", version="1", options=bound, deal=deal)
    assert play.chance.lot(range(1000), "which secret") == Chance(secret).lot(range(1000), "which secret")
    return proof_lines(
        game=GAME,
        rules="cards",
        version="1",
        options=bound,
        deal=deal,
        commitment=start,
        secret=secret.hex(),
        chain=last_receipt(start, secret, map(recorded, play.happenings)),
    )


def asked_game(options: Mapping[str, str] | None = None) -> Play:
    """Play a battle to the first question in it: RC1 has beaten BI1, and Red wants to choose who is hit."""
    play = Play(
        options or {"scenario": "cc-skirmish", "edition": "en", "first": "red", "deal": "Red=KH; Blue=5C"}
    )
    play.begin()
    play.say(RED, "PR RC1 ASK ALWAYS", "PLAN 2 MV RI1 A5")
    for blue in (("MV BI1 A20",), ("MV BI1 A20",), ("MV BI1 A20",), ()):
        play.turn("MV RC1 TO BI1 A MAX")
        play.turn(*blue)
    play.turn("MV RC1 TO BI1 A MAX", "CO RC1 > BI1")
    assert play.position.table.chooser == RED
    return play


def close_game() -> tuple[Play, dict[str, str]]:
    """Play a battle in which cards are turned and a player is asked, and end it; return it with its proof."""
    options = {"scenario": "cc-skirmish", "edition": "en", "first": "red", "deal": "Red=KH 9S; Blue=5C 8D"}
    play = asked_game(options)
    while play.position.battle.result is None and play.position.battle.turn < 9:
        side = play.due[0]
        asked = play.view(side).own.asked
        if asked is not None:
            play.say(side, asked["forms"][-1])
        elif side == RED:
            play.turn("MV RC1 TO BI1 A MAX", "CO RC1 > BI1")
        else:
            play.turn()
    end(play)
    return play, proof(play, options)


def record(play: Play, head: Mapping[str, str] | None = None, seat: Seat | None = None) -> str:
    """Return a game's record as the umpire has it, or as a seat has."""
    heard = play.happenings if seat is None else play.heard(seat)
    return write_record(heard, head or {}, seat)


def rows(text: str) -> list[str]:
    """Return a record without its head."""
    lines = text.splitlines()
    return lines[next(place for place, line in enumerate(lines) if line.startswith("Turn")) + 1 :]
