"""Stories of Cards and Confusion, a battle of miniatures. Pages as in `stories`, in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.figures import BLUE, INITIALS, RED
from referee.rulebooks.rulebook import Seat
from tests.support.playing import Club, Correspondent
from tests.transcripts.stories_of_time import HOUR

RED_SET_UP = (
    "AT RI1 95,22 B345 W6",
    "AT RI2 165,22 B0 W6",
    "AT RC1 205,24 B15 W4",
    "AT RA1 135,15 B0",
    "AT RG 165,10",
)
BLUE_SET_UP = (
    "AT BI1 205,178 B180 W6",
    "AT BI2 130,178 B180 W6",
    "AT BC1 245,176 B190 W4",
    "AT BA1 165,185 B180",
)
AIMS: Mapping[Seat, Mapping[str, tuple[tuple[int, str], ...]]] = {
    RED: {
        "RI1": ((1, "K1"), (6, "K2")),
        "RI2": ((1, "K3"), (5, "K2")),
        "RC1": ((1, "K4"), (3, "K2")),
    },
    BLUE: {"BI1": ((1, "K4"),), "BI2": ((1, "K2"),), "BC1": ((1, "K4"), (4, "K3"))},
}
"""Whither two bold captains send their units, and from which turn on."""


def anna_and_bert(
    club: Club, *, set_up: bool = True, **options: Any
) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on red, who moves first, and Bert on blue, before the story begins. set_up: both have set up, too."""
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    chosen = {"edition": "en", "first": "red", **options}
    game = club.starts({"red": anna, "blue": bert}, rules="cards", **chosen)
    if set_up:
        anna.replies(*RED_SET_UP, to=anna.last_about(game))
        bert.replies(*BLUE_SET_UP, to=bert.last_about(game))
    club.exchanges.clear()
    return anna, bert, game


def rounds(game: int, *turns: tuple[Correspondent, str]) -> None:
    """Play turns by letter, each in answer to the letter of this game that its player had last. A turn is one letter's
    lines, with semicolons between."""
    for who, lines in turns:
        who.replies(*lines.split("; "), to=who.last_about(game))


def orders_of_a_captain(battle: Battle, side: Seat) -> list[str]:
    """Return what a bold captain orders: forward to his aims, fire at the nearest, fight whoever is near."""
    lines: list[str] = []
    for unit in battle.of(side):
        aim = next((k for turn, k in reversed(AIMS[side].get(unit.id, ())) if battle.turn >= turn), "")
        there = aim and any(
            battle.ground.objective(aim).holds(each) for each in unit.formation.centres(unit.in_ranks)
        )
        if unit.mob:
            lines.append(f"MV {unit.id} B{battle.ground.homeward(side):g} D30")
        elif unit.mixed:
            lines.append(f"RL {unit.id}")
        elif aim and not there and not unit.bound_to:
            # On the back line a unit cannot turn on the spot: its corners would stand over the edge.
            turn = "" if battle.switches.deploy == "line" and battle.turn == 1 else f" TO {aim}"
            lines.append(f"MV {unit.id}{turn} A MAX")
    return [*lines, f"FI {INITIALS[side]}A1.1 > NEAR", "CO ALL > ANY"]


def a_battle(club: Club, edition: str, *, most: int, set_ups: Sequence[Sequence[str]]) -> None:
    """Play a battle to its end, by two bold captains. most: turns of each side."""
    anna, bert, game = anna_and_bert(club, set_up=False, edition=edition)
    anna.replies(*set_ups[0], to=anna.last_about(game))
    bert.replies(*set_ups[1], to=bert.last_about(game))
    players = {RED: anna, BLUE: bert}
    for _ in range(2 * most):
        played = club.game(game)
        if played.status != "playing":
            return
        battle = played.position.battle
        who = players[battle.active]
        who.replies(*orders_of_a_captain(battle, battle.active), to=who.last_about(game))


def a_battle_by_the_english_rules(club: Club) -> None:
    """A battle by the English rules

    Anna and Bert set their armies up in secret, and play until one of them holds three objectives. All
    orders of a turn stand in one letter: moves, fire, combats.
    """
    a_battle(club, "en", most=14, set_ups=(RED_SET_UP, BLUE_SET_UP))


def a_battle_by_the_french_rules(club: Club) -> None:
    """A battle by the French rules

    By the French sheet units begin on their back line, halt at 20 cm, and fight below 8; four shot markers do
    for all the cannons of a side.
    """
    red = ("AT RI1 95,4 B0 W6", "AT RI2 165,4 B0 W6", "AT RC1 205,9 B0 W4", "AT RA1 135,5 B0")
    blue = (
        "AT BI1 205,196 B180 W6",
        "AT BI2 130,196 B180 W6",
        "AT BC1 245,191 B180 W4",
        "AT BA1 165,195 B180",
    )
    a_battle(club, "fr", most=20, set_ups=(red, blue))


def two_strangers_fight_a_battle(club: Club) -> None:
    """Two strangers fight a battle

    Anna invites somebody who has never heard of the referee by `challenge`, and he answers `accept`. Both set
    up, Anna by lines of her own and Bert as the scenario has it, by `carry out` alone. Two turns, and Anna writes
    `resign`.
    """
    anna = club.person("Anna")
    bert = club.person("Bert", "bert@example.com")
    anna.writes("register Anna", subject="Hello")
    anna.replies("challenge bert@example.com cards option colour=red option first=red option edition=en")
    bert.replies("accept")
    rounds(
        1,
        (anna, "Let us see.; ; AT RI1 100,20 B0 W6; at rg 150 10"),
        (bert, "carry out"),
        (anna, "MV RI1 A20; GO RG BY RI1; MV RC1 A MAX"),
        (bert, "mv bi1 a15; move BC1 right 10 ahead 30"),
        (anna, "resign"),
    )


def a_turn_with_a_slip_waits(club: Club) -> None:
    """A turn with a slip waits

    Two of Anna's five lines cannot be read or name nobody: the others are drafted, the answer shows what would be
    done, and after an hour it is. The next time she mends the line, and says `carry out`.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(game, (anna, "MV RI1 A20; MV RI3 A20; MV RI2 A; FI RA1.1 > NEAR; GO RG BY RI1"))
    club.later(timedelta(minutes=30))
    club.carries_drafts_out("Half an hour passes.")
    club.later(HOUR)
    club.carries_drafts_out("An hour passes.")
    rounds(
        game,
        (bert, "MV BI1 A20"),
        (anna, "MV RI1 A20; MV RC1 A40 R15"),
        (anna, "MV RC1 R15 A40"),
        (bert, "MV BI1 A10; MV BI1 A20; MV BC1 A20"),
        (bert, "carry out"),
    )


def a_draft_is_looked_at_first(club: Club) -> None:
    """A draft is looked at first

    With the line CHECK nothing is carried out: Anna reads what her lines would bring, measured on the table. She
    drops one by CLEAR, and has the rest done by `carry out`. `preview` shows a single order at any time.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(
        game,
        (anna, "CHECK; MV RI1 TO K1 A MAX; MV RC1 A MAX; FI RA1.1 > NEAR; CO RC1 > NEAR"),
        (anna, "CLEAR RC1; CHECK"),
        (anna, "carry out"),
        (anna, "preview MV RI2 A20; preview FI RA1.1 > BI2; preview MV RI9 A1"),
        (bert, "PASS"),
    )


def plans_play_turns(club: Club) -> None:
    """Plans play turns

    Both sides plan three turns of marching: so two letters play six of them. Bert's guns, which have no plan,
    would wait; so he plans that they stand.
    """
    anna, bert, game = anna_and_bert(club)
    march = "PLAN 3 MV {0}I1 A10; PLAN 3 MV {0}I2 A10; PLAN 3 MV {0}C1 A10; PLAN 3 MV {0}A1 A5; WAKE 60"
    rounds(
        game,
        (bert, march.format("B")),
        (anna, march.format("R") + "; PASS"),
        (anna, "PLAN 0 RI1; MV RI1 A20"),
    )


def a_turn_of_two_letters(club: Club) -> None:
    """A turn of two letters

    Anna proposes a battle in which each turn takes two letters. The first one moves; its shots and combats wait in
    the draft. Both read what has come of it, and then the second one fires and fights, or lets the rest go by. Some
    turns later it comes to blows.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    anna.writes("challenge Bert cards option split=true option colour=red option first=red option edition=en")
    bert.replies("accept")
    rounds(
        1,
        (anna, "; ".join(RED_SET_UP)),
        (bert, "; ".join(BLUE_SET_UP)),
        (anna, "CHECK; MV RI1 TO K1 A MAX; MV RC1 TO K4 A MAX; FI RA1.1 > NEAR"),
        (anna, "carry out"),
        (anna, "MV RI2 A20; preview FI RA1.1 > BI1"),
        (anna, "PASS"),
        (bert, "MV BC1 TO K4 A MAX; MV BI2 TO K2 A MAX"),
        (bert, "PASS"),
    )
    shown = len(club.exchanges)
    for who, side in ((anna, RED), (bert, BLUE)):
        del club.exchanges[shown:]
        lines = orders_of_a_captain(club.game(1).position.battle, side)
        rounds(1, (who, "; ".join(lines)), (who, "carry out"))
    rounds(1, (anna, "record"), (bert, "resign"))


def a_player_who_wants_to_be_asked(club: Club) -> None:
    """A player who wants to be asked

    Bert has said that he wants to choose himself whom his units hit. So the turn stops at his choice, Anna
    reads only that it does, and it goes on with his answer.
    """
    anna, bert, game = anna_and_bert(club, deal="Red=2C 3C 4C; Blue=KH QH JH")
    rounds(game, (bert, "PR ALL ASK ALWAYS KILL NEAR; PR BI1 FLEE HOME"), (anna, "PR ALL ASK NEVER"))
    for number in range(1, 9):
        battle = club.game(game).position.battle
        if club.game(game).position.table.chooser is not None:
            break
        who = {RED: anna, BLUE: bert}[battle.active]
        if number < 5:
            club.exchanges.clear()
        who.replies(*orders_of_a_captain(battle, battle.active), to=who.last_about(game))
    rounds(
        game,
        (anna, "MV RI1 A1"),
        (bert, "CHOOSE FLEE AWAY; CHOOSE KILL MAN 99"),
        (bert, "CHOOSE KILL FAR CONF FAR"),
    )


def what_a_battle_is_played_with(club: Club) -> None:
    """What a battle is played with

    Scenario and edition are options, and in a custom edition each of its switches: `open cards` says them. What
    is not known, or does not go together, is named at once.
    """
    anna, _ = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    anna.writes(
        "open cards option scenario=cc-skirmsh",
        "open cards option edition=french",
        "open cards option halt=20 option edition=en",
        "open cards option edition=custom option base=fr option close_in=none option first=lot",
    )
    anna.writes("help cards", subject="How does one play?")


def what_is_known_of_a_battle(club: Club) -> None:
    """What is known of a battle

    `status` shows the table, `why` what a unit can do and what hinders it, `record` the battle so far as its reader
    may know it.
    """
    anna, _, game = anna_and_bert(club)
    rounds(
        game,
        (anna, "MV RI1 A20; PR ALL FLEE HOME"),
        (anna, "status; why RI1; why BC1; why RI7; record; MAP ARCS"),
    )


STORIES_OF_CARDS: tuple[Callable[[Club], None], ...] = (
    two_strangers_fight_a_battle,
    a_turn_with_a_slip_waits,
    a_draft_is_looked_at_first,
    plans_play_turns,
    a_turn_of_two_letters,
    a_player_who_wants_to_be_asked,
    what_a_battle_is_played_with,
    what_is_known_of_a_battle,
    a_battle_by_the_english_rules,
    a_battle_by_the_french_rules,
)
