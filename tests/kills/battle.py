"""A battle by letter, with all by which a turn can wait or be carried out.

A slip holds a turn, which `carry out` or the clock brings; plans play turns; a player wants to choose himself. Carla's
turns wait an hour, Dora's a quarter of one: so what Carla mends is still there, and what Dora leaves is carried out.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.rulebooks.cards.figures import BLUE, RED
from tests.support.playing import Club, Correspondent
from tests.transcripts.stories_of_cards import BLUE_SET_UP, RED_SET_UP, orders_of_a_captain

MARCH = "PLAN 2 MV {0}I1 A15; PLAN 2 MV {0}I2 A15; PLAN 2 MV {0}C1 A15; PLAN 2 MV {0}A1 A5; WAKE 20"
LONGEST = 12
"""Turns after which somebody must have been asked."""


def a_battle(club: Club) -> Iterator[None]:
    """Two who fight until one has chosen whom his units hit, and gives up."""
    carla, dora = club.person("Carla"), club.person("Dora", "dora@example.com")
    carla.writes("register Carla", "set reports text")
    yield
    dora.writes("register Dora", "set hold 15m")
    yield
    carla.replies("challenge Dora cards option colour=red option first=red option edition=en")
    yield
    dora.replies("accept")
    yield
    game = dora.last.game
    assert game is not None

    def writes(who: Correspondent, lines: str) -> None:
        who.replies(*lines.split("; "), to=who.last_about(game))

    def waits_for_the_clock() -> Iterator[None]:
        """Let Carla write three harmless letters: more than a quarter of an hour."""
        for lines in ("PR ALL FLEE HOME", "status", "PR RI1 FLEE AWAY"):
            writes(carla, lines)
            yield

    for who, lines in (
        (carla, "; ".join(RED_SET_UP)),
        (dora, "; ".join((*BLUE_SET_UP, "AT BI7 10,190 B0"))),  # BI7 is nobody: the set-up waits
    ):
        writes(who, lines)
        yield
    yield from waits_for_the_clock()
    for who, lines in (
        (carla, "MV RI1 A20; MV RI7 A20; FI RA1.1 > NEAR"),
        (carla, "MV RC1 A10; carry out"),
        (dora, "MV BI1 A20; MV BI1 A10; MV BC1 A20"),  # one line in another's place
    ):
        writes(who, lines)
        yield
    yield from waits_for_the_clock()
    for who, lines in (
        (carla, "CHECK; MV RI2 A10; MV RC1 A MAX"),
        (dora, MARCH.format("B") + "; PR ALL ASK ALWAYS KILL NEAR"),
        (carla, "CLEAR RC1; " + MARCH.format("R") + "; PR ALL ASK ALWAYS; carry out"),
    ):
        writes(who, lines)
        yield
    for _ in range(LONGEST):
        position = club.game(game).position
        if position.table.chooser is not None:
            break
        side = position.battle.active
        writes({RED: carla, BLUE: dora}[side], "; ".join(orders_of_a_captain(position.battle, side)))
        yield
    else:
        raise AssertionError("nobody was asked")
    chooser = {RED: carla, BLUE: dora}[position.table.chooser]
    for lines in ("CHOOSE KILL MAN 99; CHOOSE FLEE NOWHERE", "CHOOSE KILL NEAR CONF NEAR", "resign"):
        writes(chooser, lines)
        yield
