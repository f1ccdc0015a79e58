"""Stories of games in which time is counted. Pages as in `stories`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from tests.support.playing import Club, Correspondent
from tests.transcripts.stories_in_french import DEAL

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def clocks_start(club: Club) -> None:
    """Let the mail server take what lies in the outbox; whoever is asked for a move by it has his clock started."""
    club.posts()
    club.referee.letters.looked()
    club.referee.jobs.see_to_clocks()


def passes(club: Club, time: timedelta, said: str) -> None:
    """Let time pass, and the service do what is due."""
    club.posts()
    club.waits(time)
    club.looks_at_clocks(said)


def anna_and_bert(club: Club, time: str, lapse: str = "hard") -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on white, who begins, and Bert on yellow, in a game with time control, before the story begins."""
    club.waits(2 * DAY)
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    game = club.starts({"white": anna, "yellow": bert}, deal=DEAL, time=time, lapse=lapse)
    clocks_start(club)
    club.exchanges.clear()
    return anna, bert, game


def a_time_for_each_move(club: Club) -> None:
    """A time for each move

    Anna challenges Bert with `option time=7d/move`, and he answers with less. From then on each letter says until when
    its reader has, by his own clock, too. He is reminded, and when his time is up the game is over.
    """
    club.waits(2 * DAY)
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    bert.writes("set zone Paris")
    club.exchanges.clear()
    anna.writes("challenge Bert confusion option time=7d/move option colour=white option first=white")
    bert.replies("accept option time=3d/move option colour=yellow option first=white")
    anna.replies("accept")
    clocks_start(club)
    club.waits(DAY)
    anna.replies("L-S2", to=anna.last_about(1))
    clocks_start(club)
    passes(club, DAY + HOUR, "A day has gone by: less than two days are left to Bert.")
    passes(club, DAY, "Another day has gone by.")
    passes(club, DAY, "Bert's three days are over.")


def ways_to_count_time(club: Club) -> None:
    """Other ways to count time

    A time for so many moves, a time at the start and more with each move, a time for the whole game: an `open` game
    says how it is counted, and so does the list of those that may be joined. What cannot be meant is sent back.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    anna.writes("open confusion option time=40d/10")
    anna.writes(
        "open confusion option time=20d+2d,max30d option lapse=soft", "open confusion option time=60d"
    )
    anna.writes(
        "open confusion option time=5",
        "open confusion option time=3/move",
        "open confusion option time=60d option lapse=maybe",
        "challenge Bert confusion option time=2000d",
    )
    bert.writes("games", "help options")
    bert.writes("join 1")


def time_that_is_claimed(club: Club) -> None:
    """Time that is claimed

    With `option lapse=soft` nobody loses by being late alone: the other may end the game by `claim time`, as long as
    no move has come. Anna moves in time to keep it once, and then does not.
    """
    anna, bert, game = anna_and_bert(club, time="2d/move", lapse="soft")
    bert.replies("claim time", to=bert.last_about(game))
    passes(club, 2 * DAY + HOUR, "Anna's two days are over.")
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("claim time", to=bert.last_about(game))
    bert.replies("C-N2", to=bert.last_about(game))
    clocks_start(club)
    club.waits(DAY)
    passes(club, DAY + HOUR, "Anna's two days are over once more.")
    bert.replies("claim time", to=bert.last_about(game))


def days_off(club: Club) -> None:
    """Days off

    `leave` takes days in which none of Anna's time runs, in all of her games. Bert is told. She may not take more than
    there are in a year, and none that have begun; `leave off` gives back what she does not need.
    """
    anna, bert, game = anna_and_bert(club, time="5d/move")
    anna.writes("leave")
    anna.writes("leave 2026-12-24 2027-01-02")
    anna.replies("status", to=anna.last_about(game))
    anna.writes("leave 2026-11-29 2026-12-04", "leave 2026-12-01 2026-12-23", "leave in summer")
    anna.writes("leave 2026-12-01 2026-12-03")
    club.waits(2 * DAY)
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("C-N2", "leave off", to=bert.last_about(game))
    anna.writes("leave off")


def a_pause(club: Club) -> None:
    """A pause that both want

    `pause` offers that no time runs for a while; it begins when the other wants it, too. Either of them ends it by
    `resume`, a day ahead.
    """
    anna, bert, game = anna_and_bert(club, time="5d/move")
    anna.replies("pause", to=anna.last_about(game))
    anna.replies("resume", "pause", "pause", to=anna.last_about(game))
    bert.writes(f"pause {game}")
    bert.replies("status", "pause", to=bert.last_about(game))
    passes(club, 20 * DAY, "Twenty days go by.")
    anna.replies("L-S2", to=anna.last_about(game))
    bert.writes(f"resume {game}")
    bert.replies("resume", to=bert.last_about(game))
    club.waits(2 * DAY)
    anna.replies("resume", "status", to=anna.last_about(game))
    other = club.starts({"white": bert, "yellow": anna}, deal=DEAL)
    bert.replies("pause", to=bert.last_about(other))


def deadlines_in_a_calendar(club: Club) -> None:
    """Deadlines in a calendar

    After `set calendar on` each letter that says until when Anna has to move brings a file for her calendar program.
    When she has moved, the next one says that nothing is due any more.
    """
    anna, bert, game = anna_and_bert(club, time="5d/move")
    anna.writes("set calendar on")
    anna.replies("L-S2", to=anna.last_about(game))
    bert.replies("C-N2", to=bert.last_about(game))
    clocks_start(club)
    anna.writes("leave 2026-12-01 2026-12-03")
    anna.writes("set calendar off")


def an_outage(club: Club) -> None:
    """The service stands still

    For two days and a half nothing reaches the referee. No time of anybody's has run: the next letter says until when
    Anna has now.
    """
    anna, _bert, game = anna_and_bert(club, time="3d/move")
    anna.replies("status", to=anna.last_about(game))
    club.waits(DAY)
    club.clock.at += 2 * DAY + 12 * HOUR
    passes(club, HOUR, "Two days and a half later the service is there again.")
    anna.replies("status", to=anna.last_about(game))
    anna.replies("L-S2", to=anna.last_about(game))


STORIES_OF_TIME: tuple[Callable[[Club], None], ...] = (
    a_time_for_each_move,
    ways_to_count_time,
    time_that_is_claimed,
    days_off,
    a_pause,
    deadlines_in_a_calendar,
    an_outage,
)
