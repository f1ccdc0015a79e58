"""What surrounds a battle of Cards and Confusion: who watches it, its umpire, its time, a table of one's own. Pages as
in `stories`, beside those of `stories_of_cards`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from referee.rulebooks.cards.figures import BLUE
from referee.rulebooks.cards.scenarios.making import ScenarioSettings, make_scenario
from tests.support.playing import Club
from tests.transcripts.stories_of_cards import anna_and_bert, rounds
from tests.transcripts.stories_of_time import DAY, HOUR, clocks_start, passes


def watching_a_battle(club: Club) -> None:
    """Watching a battle

    Carl has written `watch`, and hears what both players hear: all that happens on the table. He reads neither what
    Anna drafts and prefers, nor how she has worded her orders.
    """
    anna, bert, game = anna_and_bert(club, watchers="on")
    carl = club.member("Carl")
    club.exchanges.clear()
    carl.writes(f"watch {game}")
    rounds(
        game,
        (anna, "PR ALL FLEE HOME; CHECK; MV RC1 A55"),
        (anna, "carry out"),
        (bert, "MV BI1 A20 KEEP 100"),
        (carl, "status; record; MV BI1 A20"),
    )


def an_umpire_takes_a_turn_back(club: Club) -> None:
    """An umpire takes a turn back

    A part of Bert's letter was lost: the umpire takes the battle back to the beginning of his turn. Bert reads which of
    his own orders are gone with it, and gives them anew.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(game, (anna, "MV RI1 A20; MV RC1 A20"), (bert, "MV BA1 A20; MV BI1 A20"))
    club.referee.umpire.take_back(game, 1, "Blue's letter was cut short on its way.", seat=BLUE)
    club.noted("The umpire takes the battle back to Blue's turn 1.")
    rounds(game, (bert, "MV BI1 A20; MV BC1 A20"), (anna, "record"))


def a_held_draft_and_the_clock(club: Club) -> None:
    """A held draft and the clock

    Each side has a day for a turn, and Anna has written `set hold 1d`. Her letter has a slip in it: what was good in it
    waits, but no longer than until five minutes before her time is up. Then Bert's time runs, and nothing saves him.
    """
    club.waits(2 * DAY)
    anna, _, game = anna_and_bert(club, time="1d/move", lapse="hard")
    clocks_start(club)
    anna.writes("set hold 1d")
    rounds(game, (anna, "MV RI1 A20; MV RI9 A20"))
    club.later(timedelta(hours=23, minutes=45))
    club.carries_drafts_out("Anna's day is nearly over.")
    clocks_start(club)
    passes(club, DAY + HOUR, "Bert's day is over.")


def a_table_of_one_s_own(club: Club) -> None:
    """A table of one's own

    The umpire starts a battle on a table that was made by lot: the first letters show the ground, and tell what both
    armies have. Anna and Bert let their armies stand as they are proposed, by `carry out`.
    """
    text = make_scenario(ScenarioSettings(seed="a stream and a bridge", units=3, guns=1))
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    game = club.starts({"red": anna, "blue": bert}, rules="cards", first="red", scenario=text)
    rounds(game, (anna, "carry out"), (bert, "carry out"))


STORIES_OF_BATTLES: tuple[Callable[[Club], None], ...] = (
    watching_a_battle,
    an_umpire_takes_a_turn_back,
    a_held_draft_and_the_clock,
    a_table_of_one_s_own,
)
