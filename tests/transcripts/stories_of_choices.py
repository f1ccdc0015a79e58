"""Stories about what a player sets for himself, and what a word means that stands alone. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.playing import Club
from tests.transcripts.stories_in_french import DEAL


def all_that_can_be_set(club: Club) -> None:
    """Everything that can be set

    One letter may hold all of Anna's wishes; `set` alone shows what holds now. Letters that ask nothing of her stay
    away, and what she was not told stands in the next one. Then she sets things back.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    club.exchanges.clear()
    anna.writes(
        "set reports html",
        "set sheets list",
        "set picture off",
        "set compass own",
        "set letters urgent",
        "set hold wait",
        "set language en",
        "set zone Paris",
    )
    anna.writes("set")
    anna.replies("L-F2", to=anna.last_about(game))
    bert.replies("press Let me think about that.", to=bert.last_about(game))
    bert.replies("C-N2", to=bert.last_about(game))
    anna.writes(
        "set sheets grid", "set picture on", "set compass record", "set letters each", "set reports json"
    )
    anna.writes(
        "set pictures off", "set letters weekly", "set compass north", "set colours red", "set hold 2h"
    )
    anna.writes("set hold 15m", "set hold 6h", "set hold 1h")


def the_number_behind_the_word(club: Club) -> None:
    """The number behind the word

    Who has several games says which one a word is about: `why L 1`. The number may stand in front of the line as well:
    `2: L-S2`.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    carl, dora = club.member("Carl"), club.member("Dora")
    club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    club.starts({"white": carl, "yellow": anna}, deal=DEAL)
    club.exchanges.clear()
    anna.writes("challenge Dora confusion")
    bert.writes("challenge Anna confusion option sheets=off")
    anna.writes("status", "decline", "why L")
    anna.writes("1: L-S2", "why L 1", "why yellow C 1", "status 2", "record 2", "decline 4", "cancel 3")
    carl.writes("2: L-S2", "2: press Good luck!", "draw 2")
    anna.writes("draw 2", "mute 1", "2: press A pleasure.")
    bert.writes("1: press Anna?", "resign 1")
    bert.writes("confirm 1")
    anna.writes("mute off 1", "rematch 2", "rematch 1")
    bert.writes("accept 6")
    dora.writes("accept 3")


def letters_once_more(club: Club) -> None:
    """Letters once more, and another reply address

    `resend` brings the newest letter again, `resend 1` the one with that number. Anna has handed a letter on, and
    whoever reads it can write to its reply address: `new tag` gives her letters another one.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.starts({"white": anna, "yellow": bert}, deal=DEAL)
    club.exchanges.clear()
    handed_on = anna.last
    anna.replies("L-S2")
    bert.replies("C-N2")
    anna.replies("resend")
    anna.replies("resend 1", "resend 99")
    anna.replies("new tag")
    eve = club.person("Eve")
    eve.replies("L-E1", to=handed_on)
    anna.replies("L-E1", to=handed_on)
    anna.writes("new tag 1", "new tag 7")


STORIES_OF_CHOICES: tuple[Callable[[Club], None], ...] = (
    all_that_can_be_set,
    the_number_behind_the_word,
    letters_once_more,
)
