# ruff: noqa: E501  (the sums stand behind their lines)
"""The clocks of a game, told as small stories that can be checked by hand. See stories.py for how they are read."""

from __future__ import annotations

import gc
import sys
from datetime import timedelta

import pytest

from referee.games.clocks.controls import Fischer, PerMove, Total
from referee.games.clocks.ledger import (
    Added,
    Fact,
    Moved,
    Started,
    fold,
    open_ledger,
)
from referee.games.clocks.spans import Span
from tests.games.clocks.running import excluded_between, running_between
from tests.games.clocks.stories import duration, tell, utc

CONTROLS = {
    "days per move (TM-2.1, TM-1.1, TM-1.2)": """
        3d/move
        2027-01-04 10:00  white starts  : left=3d move=0h deadline=2027-01-07T10:00  # 4 + 3 = 7
        2027-01-05 22:00  look          : left=1d12h used=1d12h move=1d12h           # 3 d - 36 h
        2027-01-06 09:00  white moves   : used=1d23h left=3d lapsed=1d1h runs=no     # 72 - 47 = 25 h lapse; 3 d again
        2027-01-06 09:00  yellow starts : deadline=2027-01-09T09:00
        2027-01-09 09:00  yellow moves  : used=3d left=3d lapsed=0h overs=0h         # to the minute: in time
        2027-01-09 10:00  white starts  : deadline=2027-01-12T10:00 moves=1 to=-     # 9 + 3
    """,
    "a report that is sent again starts nothing (TM-1.1)": """
        3d/move
        2027-01-04 10:00  white starts  : deadline=2027-01-07T10:00
        2027-01-06 10:00  white starts  : deadline=2027-01-07T10:00 left=1d
    """,
    "forty days for ten moves, carried over (TM-2.2)": """
        10d/3
        2027-01-01 00:00  white starts  : left=10d to=3 deadline=2027-01-11T00:00
        2027-01-03 00:00  white moves   : left=8d used=2d to=2                       # 10 - 2
        2027-01-04 00:00  white starts  : left=8d deadline=2027-01-12T00:00          # 4 + 8
        2027-01-07 00:00  white moves   : left=5d used=5d to=1                       # 8 - 3
        2027-01-10 00:00  white starts  : deadline=2027-01-15T00:00                  # 10 + 5
        2027-01-11 00:00  white moves   : left=14d used=6d to=3 lapsed=0h            # 5 - 1 + 10: the third move
        2027-01-11 00:00  white starts  : deadline=2027-01-25T00:00                  # 11 + 14
        2027-01-11 01:00  white moves   : left=13d23h to=2
        2027-01-12 00:00  white moves   : left=13d23h to=1                           # planned ahead: no time
        2027-01-13 00:00  white starts
        2027-01-14 23:00  white moves   : left=22d to=3 moves=6 used=8d              # 13 d 23 h - 47 h + 10 d
    """,
    "Fischer (TM-2.3)": """
        20d+2d
        2027-01-01 12:00  white starts  : left=20d deadline=2027-01-21T12:00
        2027-01-06 12:00  white moves   : left=17d used=5d to=-                      # 20 - 5 + 2
        2027-01-07 12:00  white starts  : deadline=2027-01-24T12:00                  # 7 + 17
        2027-01-08 00:00  white moves   : left=18d12h                                # 17 d - 12 h + 2 d
        2027-01-09 00:00  white moves   : left=20d12h used=5d12h                     # no time used, 2 d more (TM-1.6)
    """,
    "Fischer with a cap (TM-2.4)": """
        8d+2d,max9d
        2027-01-01 00:00  white starts  : left=8d
        2027-01-01 12:00  white moves   : left=9d used=12h lapsed=0h                 # 7 d 12 h, and 1 d 12 h to the cap
        2027-01-02 00:00  white starts
        2027-01-02 00:00  white gets 3d : left=12d deadline=2027-01-14T00:00         # an umpire may give beyond it
        2027-01-03 00:00  white moves   : left=11d                                   # 12 - 1: above 9, nothing more
        2027-01-04 00:00  white starts
        2027-01-07 00:00  white moves   : left=9d                                    # 11 - 3 = 8, and 1 to the cap
        2027-01-08 00:00  white starts
        2027-01-11 00:00  white moves   : left=8d                                    # 9 - 3 + 2
    """,
    "a total (TM-2.5)": """
        60d
        2027-01-01 00:00  white starts  : left=60d deadline=2027-03-02T00:00         # 30 d to 31 Jan, 28 d Feb, 2 d more
        2027-01-31 00:00  white moves   : left=30d used=30d
        2027-02-01 00:00  white starts  : deadline=2027-03-03T00:00                  # 28 days of February, 2 of March
        2027-02-03 06:00  white moves   : left=27d18h to=-
        2028-02-20 00:00  white starts  : deadline=2028-03-18T18:00                  # 29 Feb is a day: 9 to 29 Feb, 17 d 18 h
    """,
    "none (TM-2.5)": """
        none
        2027-01-01 00:00  white starts  : left=- deadline=- runs=yes
        2027-02-01 00:00  white moves   : left=- used=31d moves=1 to=- overs=0h
        2027-02-01 00:00  white gets 3d : left=- used=31d
    """,
    "hours (TM-2.6)": """
        1d12h/move
        2027-01-01 18:30  white starts  : deadline=2027-01-03T06:30                  # 2 Jan 18:30, and 12 h
    """,
    "time that is added when none is left (TM-2.9)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-10 00:00  white gets 2d : deadline=2027-01-12T00:00 left=2d used=6d overs=3d  # up on the 7th
        2027-01-11 00:00  white moves   : left=3d used=7d overs=3d lapsed=1d
    """,
    "time that is added when none is left, and a move that had come in before (TM-2.9, TM-1.2)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-10 00:00  white gets 2d
        2027-01-11 00:00  white gets 1d
        2027-01-06 00:00  white moves   : used=2d overs=0h lapsed=4d left=3d          # 3 + 2 + 1 - 2
    """,
    "time that is added (TM-2.9)": """
        3d/move
        2027-01-04 00:00  white gets 1d : left=4d                                    # for the next move
        2027-01-04 10:00  white starts  : deadline=2027-01-08T10:00
        2027-01-05 10:00  white gets 2d : deadline=2027-01-10T10:00 left=5d used=1d  # 3 + 1 + 2 - 1
        2027-01-06 10:00  white moves   : left=3d lapsed=4d                          # 6 - 2 lapse, 3 again
    """,
}

RUNNING = {
    "a start in excluded time (TM-1.4)": """
        1d/move weekend=67
        2027-01-02 15:00  white starts  : left=1d deadline=2027-01-05T00:00          # Saturday; Monday 0:00 + 1 d
        2027-01-03 15:00  look          : left=1d move=0h
        2027-01-04 06:00  white moves   : used=6h
    """,
    "a clock that goes backwards (TM-1.5)": """
        20d+1d
        2027-01-10 12:00  white starts
        2027-01-10 11:00  white moves   : used=0h left=21d                           # nothing, not less; 20 + 1
        2027-01-10 13:00  white starts  : deadline=2027-01-31T13:00
    """,
    "a clock that is started before it stopped counts no hour twice (TM-1.9)": """
        20d+1d
        2027-01-04 00:00  white starts
        2027-01-10 00:00  white moves   : used=6d left=15d                           # 20 - 6 + 1
        2027-01-08 00:00  white starts  : used=4d left=17d deadline=2027-01-25T00:00 # it moved by the 8th: 20 - 4 + 1; 8 + 17
        2027-01-11 00:00  white moves   : used=7d left=15d                           # 4 to 11 January; 17 - 3 + 1
    """,
    "the end of the game (TM-1.7)": """
        20d+1d
        2027-01-10 12:00  white starts
        2027-01-12 12:00  ends          : used=2d left=18d moves=0 runs=no deadline=-
        2027-01-13 12:00  look          : used=2d left=18d
    """,
    "turns are taken back while White thinks, each move having its own time (TM-1.8)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  white moves   : used=1d left=3d lapsed=2d
        2027-01-05 00:00  yellow starts
        2027-01-06 00:00  yellow moves
        2027-01-06 00:00  white starts  : deadline=2027-01-09T00:00
        2027-01-08 00:00  turns are taken back : used=3d left=3d lapsed=3d moves=1 runs=no deadline=-  # 2 of 3 used, 1 lapses; 3 anew
        2027-01-08 06:00  white starts  : used=3d left=3d deadline=2027-01-11T06:00 to=-  # 8 Jan 6:00 + 3
        2027-01-08 06:00  yellow        : left=3d used=1d moves=1                    # not on a move then
    """,
    "turns are taken back, and what was given for the move that waits stays given, however often (TM-1.8)": """
        3d/move
        2027-01-04 00:00  white starts  : deadline=2027-01-07T00:00
        2027-01-05 00:00  white gets 2d : left=4d
        2027-01-05 12:00  white gets 2d : left=5d12h deadline=2027-01-11T00:00
        2027-01-06 00:00  turns are taken back : used=2d left=7d lapsed=1d runs=no   # 3 anew, and the 4 that were given
        2027-01-06 00:00  white starts  : deadline=2027-01-13T00:00
        2027-01-12 00:00  turns are taken back : left=7d lapsed=1d                   # 6 of 7 used; the last was given
        2027-01-12 00:00  white starts  : deadline=2027-01-19T00:00
        2027-01-13 00:00  white moves   : left=3d lapsed=7d moves=1                  # 6 that were left lapse with the move
        2027-01-13 00:00  turns are taken back : left=3d lapsed=7d                   # no clock ran; what was given is used
    """,
    "turns are taken back, and time is for all moves (TM-1.8)": """
        20d+1d
        2027-01-04 00:00  white starts
        2027-01-06 00:00  white moves   : used=2d left=19d                           # 20 - 2 + 1
        2027-01-06 00:00  yellow starts
        2027-01-09 00:00  turns are taken back
        2027-01-09 00:00  yellow        : used=3d left=17d moves=0                   # used stays used, and nothing is given
        2027-01-09 00:00  white         : used=2d left=19d moves=1                   # what was given stays given
        2027-01-09 00:00  white starts  : deadline=2027-01-28T00:00                  # 9 + 19
        2027-01-10 00:00  white moves   : used=3d left=19d moves=2                   # another attempt: - 1 + 1
    """,
    "turns are taken back, and an outage before becomes known (TM-1.8, TM-3.6)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-08 00:00  turns are taken back : used=4d overs=1d left=3d lapsed=0h
        2027-01-08 00:00  white starts  : deadline=2027-01-11T00:00
        2027-01-09 00:00  out from 2027-01-05T00:00 to 2027-01-07T00:00 : used=3d overs=0h lapsed=1d left=2d deadline=2027-01-11T00:00  # 2 of 3, 1 lapses; 1 of 3
    """,
    "turns are taken back in a pause, which goes on (TM-1.8, TM-3.2)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  pause umpire
        2027-01-06 00:00  turns are taken back : used=1d
        2027-01-06 00:00  yellow starts
        2027-01-06 00:00  yellow        : deadline=- left=3d
        2027-01-08 00:00  resume umpire
        2027-01-08 00:00  yellow        : deadline=2027-01-11T00:00                  # 8 + 3
    """,
    "a pause across a weekend counts no hour twice (TM-3.1, TM-3.2)": """
        3d/move weekend=67
        2027-01-07 00:00  white starts  : deadline=2027-01-12T00:00                  # Thu, Fri, Mon
        2027-01-08 00:00  pause consent : deadline=-
        2027-01-11 12:00  resume consent : deadline=2027-01-13T12:00                 # Thu; Mon 12 h, Tue, Wed 12 h
        2027-01-11 12:00  look          : left=2d
    """,
    "a pause that ends in a weekend ends with it (TM-3.1, TM-3.2)": """
        3d/move weekend=67
        2027-01-07 00:00  white starts
        2027-01-08 00:00  pause consent
        2027-01-10 12:00  resume consent : deadline=2027-01-13T00:00                 # Thu; Mon, Tue
    """,
    "a holiday in a leave counts no hour twice (TM-3.1, TM-7.4)": """
        3d/move holidays=2027-01-06
        2027-01-04 00:00  white starts  : deadline=2027-01-08T00:00                  # 4, 5, 7
        2027-01-04 06:00  white leaves 2027-01-05T00:00/2027-01-08T00:00 : deadline=2027-01-10T00:00  # 4; off 5-7; 8, 9
    """,
    "a weekend and a holiday, one of them twice (TM-3.1, TM-4.2, TM-4.3)": """
        3d/move weekend=67 holidays=2027-01-01,2027-01-02
        2026-12-30 12:00  white starts  : deadline=2027-01-05T12:00                  # 30: 12 h, 31: 1 d, 1-3 off, 4: 1 d, 5: 12 h
        2027-01-03 12:00  look          : left=1d12h used=1d12h
    """,
    "used up exactly as the weekend begins (TM-5.1)": """
        1d/move weekend=67
        2027-01-01 00:00  white starts  : deadline=2027-01-04T00:00                  # up on Friday at 24:00: Monday 0:00
        2027-01-04 00:00  look          : left=0h over=0h
        2027-01-04 00:01  look          : left=0h over=1m
    """,
    "a pause for all (TM-3.2)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  pause umpire  : deadline=- left=2d
        2027-01-15 00:00  look          : deadline=- left=2d
        2027-01-15 00:00  resume umpire : deadline=2027-01-17T00:00 left=2d          # 15 + 2
        2027-01-16 00:00  white moves   : used=2d
    """,
    "the time was up before the pause (TM-3.2)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-07 00:01  pause umpire  : deadline=2027-01-07T00:00 over=1m
    """,
    "two pauses at once end with the later (TM-3.1, TM-3.2)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  pause umpire
        2027-01-06 00:00  pause consent until=2027-01-10T00:00
        2027-01-08 00:00  resume umpire : deadline=2027-01-12T00:00                  # off 5 to 10; 10 + 2
        2027-01-09 00:00  resume consent : deadline=2027-01-11T00:00                 # off 5 to 9; 9 + 2
        2027-01-09 00:00  resume other  : deadline=2027-01-11T00:00
    """,
    "a second pause of the same cause goes on with the first (TM-3.2)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  pause a until=2027-01-06T00:00
        2027-01-05 12:00  pause a until=2027-01-08T00:00 : deadline=2027-01-10T00:00 # off 5 to 8; 8 + 2
        2027-01-06 12:00  pause a until=2027-01-07T00:00 : deadline=2027-01-10T00:00 # the later end counts
        2027-01-09 00:00  pause a until=2027-01-10T00:00 : deadline=2027-01-11T00:00 # a new one: 5-8 and 9-10; 10 + 1
        2027-01-09 12:00  pause a       : deadline=-
        2027-01-12 00:00  resume a      : deadline=2027-01-13T00:00                  # off 5-8 and 9-12; 12 + 1
    """,
    "a pause that has ended by itself is not made longer by ending it (TM-3.2)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  pause a until=2027-01-06T00:00 : deadline=2027-01-08T00:00
        2027-01-07 00:00  resume a      : deadline=2027-01-08T00:00 left=1d          # off 5 to 6, and no longer
    """,
    "a pause for all widens one for a seat (TM-3.2)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  pause a for=yellow : deadline=2027-01-07T00:00
        2027-01-06 00:00  pause a       : deadline=-
        2027-01-07 00:00  resume a      : deadline=2027-01-09T00:00                  # off 5 to 7, the whole of it
    """,
    "the end of a pause is not dated back (TM-3.3)": """
        20d+1d
        2027-01-04 00:00  pause umpire
        2027-01-04 00:00  white starts
        2027-01-09 00:00  white moves   : used=0h left=21d
        2027-01-10 00:00  resume umpire 2027-01-05T00:00 : used=0h left=21d          # those days were off, and stay so
        2027-01-10 00:00  white starts  : deadline=2027-01-31T00:00
    """,
    "letters to Yellow come back: White's time rests, his own runs (TM-3.4)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-04 00:00  yellow starts
        2027-01-05 00:00  pause unreachable-yellow for=white : deadline=-
        2027-01-05 00:00  yellow        : deadline=2027-01-07T00:00
        2027-01-06 00:00  resume unreachable-yellow : deadline=2027-01-08T00:00      # one day off
        2027-01-06 00:00  yellow        : deadline=2027-01-07T00:00 left=1d
    """,
    "an outage, on the move and not (TM-3.5)": """
        20d+1d
        2027-01-04 00:00  white starts
        2027-01-08 00:00  out from 2027-01-05T00:00 to 2027-01-07T00:00 : used=2d left=18d deadline=2027-01-26T00:00  # 4 - 2
        2027-01-08 12:00  white moves   : used=2d12h left=18d12h                     # 20 - 2.5 + 1
    """,
    "a letter that came during an outage (TM-1.2, TM-3.5)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-09 00:00  out from 2027-01-06T12:00 to 2027-01-09T00:00 : deadline=2027-01-09T12:00  # 2.5 d before it, 0.5 after
        2027-01-07 06:00  white moves   : used=2d12h overs=0h                        # received on the 7th, ruled on the 9th
    """,
    "an outage that is known after the move counts as well, once (TM-3.6, TM-3.1)": """
        20d+1d
        2027-01-04 00:00  white starts
        2027-01-08 00:00  white moves   : used=4d left=17d
        2027-01-09 00:00  white starts  : deadline=2027-01-26T00:00                  # 9 + 17
        2027-01-10 00:00  out from 2027-01-07T00:00 to 2027-01-09T12:00 : used=3d12h left=17d12h deadline=2027-01-27T12:00
                          # used 4 - 1, and half a day of this move; 18 left, 9 Jan 12:00 + 18
        2027-01-10 00:00  out from 2027-01-06T00:00 to 2027-01-08T00:00 : used=2d12h deadline=2027-01-28T12:00   # one day more
        2027-01-10 00:00  out from 2027-01-06T06:00 to 2027-01-06T12:00 : used=2d12h deadline=2027-01-28T12:00   # nothing new
    """,
    "an outage that reaches over three moves counts for each of them (TM-3.6)": """
        10d+1d,max11d
        2027-01-04 00:00  white starts
        2027-01-06 00:00  white moves   : used=2d left=9d                            # 10 - 2 + 1
        2027-01-06 00:00  white starts
        2027-01-08 00:00  white moves   : used=4d left=8d                            # 9 - 2 + 1
        2027-01-08 00:00  white starts
        2027-01-10 00:00  white moves   : used=6d left=7d                            # 8 - 2 + 1
        2027-01-11 00:00  out from 2027-01-05T00:00 to 2027-01-09T00:00 : used=2d left=11d  # 10 - 1 + 1, - 0 + 1, - 1 + 1
    """,
    "what is known later undoes a lost move's excess, too (TM-3.6, TM-5.4)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-08 00:00  white moves   : used=4d overs=1d lapsed=0h
        2027-01-09 00:00  out from 2027-01-05T00:00 to 2027-01-07T00:00 : used=2d overs=0h lapsed=1d left=3d  # 2 of 3 used
    """,
    "an outage for one seat alone": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-04 00:00  yellow starts
        2027-01-05 00:00  out from 2027-01-04T12:00 to 2027-01-05T00:00 white : deadline=2027-01-07T12:00
        2027-01-05 00:00  yellow        : deadline=2027-01-07T00:00
    """,
    "the clock set a year ahead, noticed after two moves (TM-3.7)": """
        20d+1d
        2027-01-04 00:00  white starts
        2028-01-05 00:00  white moves                                                # in truth on 5 Jan 2027
        2028-01-05 06:00  white starts
        2028-01-06 00:00  clock fails at 2027-01-04T18:00 : used=18h left=20d6h      # 20 d - 18 h + 1 d; the new run: nothing
        2028-01-06 12:00  white moves   : used=18h left=21d6h                        # as on the 4th at 18:00
        2028-01-06 12:00  white starts
        2027-01-06 00:00  clock mended  : deadline=2027-01-27T06:00 left=21d6h       # 6 Jan 0:00 + 21 d 6 h
        2027-01-07 00:00  white moves   : used=1d18h left=21d6h                      # 18 h + 1 d; - 1 + 1
    """,
    "a clock that was started at a wrong time runs from when the house's is right (TM-3.7)": """
        3d/move
        2028-01-04 00:00  white starts                                               # in truth on 4 Jan 2027
        2028-01-04 06:00  clock fails at 2027-01-03T18:00
        2027-01-05 00:00  clock mended  : deadline=2027-01-08T00:00                  # 5 + 3
    """,
    "a pause ends on its day, though a date of the next year was seen meanwhile (TM-3.7, TM-3.3)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  pause umpire
        2028-01-05 00:00  yellow moves
        2028-01-05 00:00  clock fails at 2027-01-05T06:00
        2027-01-06 00:00  clock mended
        2027-01-07 00:00  resume umpire : deadline=2027-01-09T00:00                  # off 5 to 7; 7 + 2
    """,
    "a pause that was dated ahead and lasts counts from the last right instant (TM-3.7)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-12 00:00  pause consent                                              # in truth on the 5th
        2027-01-12 06:00  clock fails at 2027-01-05T00:00
        2027-01-06 00:00  clock mended  : deadline=- left=2d                         # off from the 5th on
        2027-01-10 00:00  resume consent : deadline=2027-01-12T00:00                 # 10 + 2
    """,
    "a pause that was dated ahead, and its end with it, stays as it was told (TM-3.7, TM-3.3)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-12 00:00  pause consent                                              # in truth on the 5th
        2027-01-12 06:00  resume consent 2027-01-13T06:00
        2027-01-12 12:00  clock fails at 2027-01-05T00:00
        2027-01-06 00:00  clock mended  : deadline=2027-01-08T00:00                  # 6 + 2
        2027-01-06 00:00  yellow starts
        2027-01-10 00:00  yellow moves
        2027-01-11 00:00  yellow starts : runs=yes
        2027-01-11 00:00  yellow        : deadline=2027-01-15T06:00                  # 11 + 3, and 1 d 6 h off
    """,
    "while the clock is wrong nobody's time is up (TM-3.7)": """
        1d/move
        2027-01-04 00:00  white starts
        2028-01-05 00:00  clock fails at 2027-01-04T18:00 : deadline=- left=6h over=0h
        2028-01-05 00:00  yellow starts
        2027-01-06 00:00  clock mended  : deadline=2027-01-06T06:00
        2027-01-06 00:00  yellow        : deadline=2027-01-07T00:00
    """,
    "the clock set back, and nothing else (TM-3.7)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  clock fails at 2027-01-05T00:00 : left=2d
        2026-01-05 00:00  white moves   : used=1d left=3d
        2026-01-05 00:00  white starts  : left=3d
        2027-01-05 00:00  clock mended  : deadline=2027-01-08T00:00
        2027-01-05 00:00  clock mended  : deadline=2027-01-08T00:00
    """,
    "time that a wrong clock gave when none was left, and turns taken back at an earlier hour of it (TM-3.10, TM-1.8)": """
        3d/move
        2027-01-04 00:00  white starts  : deadline=2027-01-07T00:00
        2027-01-12 00:00  white gets 2d : used=8d overs=5d left=2d                   # 8 - 3: five days late
        2027-01-08 12:00  turns are taken back : used=4d12h overs=0h left=5d lapsed=0h  # as if given before: 4 d 12 h of 3 + 2; 3 + 2 anew
        2027-01-12 06:00  clock fails at 2027-01-08T00:00 : used=4d overs=1d left=5d lapsed=0h  # both as on the 8th: 4 - 3 late, then given 2; 3 + 2 anew
    """,
    "time that a wrong clock gave when none was left, and a move at an earlier hour of it (TM-3.10, TM-2.9)": """
        7d
        2027-01-04 00:00  white starts  : deadline=2027-01-11T00:00
        2027-01-14 00:00  white gets 2d : used=10d overs=3d left=2d                  # 10 - 7: three days late
        2027-01-12 00:00  white moves   : used=8d overs=0h left=1d                   # as if given before: 7 + 2 - 8
        2027-01-14 06:00  clock fails at 2027-01-11T12:00 : used=7d12h overs=12h left=2d  # 12 h late, not owed; then given 2
    """,
    "time that a wrong clock gave when none seemed to be left (TM-3.7, TM-2.9)": """
        3d/move
        2027-01-04 00:00  white starts
        2028-01-06 00:00  white gets 2d : left=2d overs=364d                         # 365 + 2 - 3
        2028-01-06 06:00  clock fails at 2027-01-06T00:00 : left=3d move=2d overs=0h # 2 of 3 used; 1 + 2
        2027-01-08 00:00  clock mended  : left=3d deadline=2027-01-11T00:00          # 8 + 3
    """,
    "time that was given twice when none was left, and a move that had come in between (TM-2.9, TM-1.2)": """
        7d
        2027-01-04 00:00  white starts
        2027-01-16 00:00  white gets 1d : used=12d overs=5d left=1d                  # 12 - 7
        2027-01-14 00:00  white gets 2d : overs=5d left=3d                           # known later: 1 + 2
        2027-01-15 00:00  white moves   : used=11d overs=2d left=1d                  # 1 d before it; by the 14th 10 - 7 - 1 late; 2 - 1
    """,
    "a move after the time was up, nobody claimed (TM-5.3, TM-5.4)": """
        5d/2
        2027-01-01 00:00  white starts
        2027-01-07 12:00  look          : left=0h over=1d12h deadline=2027-01-06T00:00
        2027-01-07 12:00  white moves   : left=0h overs=1d12h used=6d12h             # nothing left, nothing owed
        2027-01-08 00:00  white starts  : deadline=2027-01-08T00:00
        2027-01-08 06:00  white moves   : left=5d overs=1d18h                        # the second move: 5 d in full
    """,
    "leave, once under way not undone (TM-7.6)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-04 12:00  white leaves 2027-01-05T00:00/2027-01-12T00:00 : deadline=2027-01-14T00:00  # 1 d before, 2 after
        2027-01-08 15:00  white leaves 2027-01-05T00:00/2027-01-09T00:00 : deadline=2027-01-11T00:00  # cut short: 9 + 2
        2027-01-10 00:00  white leaves  : deadline=2027-01-11T00:00 used=2d          # what is past stays
        2027-01-10 00:00  white leaves 2027-01-01T00:00/2027-01-10T12:00 : deadline=2027-01-11T12:00  # and none is made
    """,
    "leave over a weekend and an outage counts no hour twice (TM-3.1)": """
        3d/move weekend=67
        2027-01-07 00:00  white starts  : deadline=2027-01-12T00:00                  # Thu, Fri, Mon
        2027-01-07 01:00  white leaves 2027-01-08T00:00/2027-01-12T00:00 : deadline=2027-01-14T00:00  # Thu; off 8-11; Tue, Wed
        2027-01-12 06:00  out from 2027-01-10T00:00 to 2027-01-12T06:00 : deadline=2027-01-14T06:00  # 6 h more alone
    """,
    "a refused letter stops nothing (TM-1.3)": """
        3d/move
        2027-01-04 00:00  white starts
        2027-01-05 00:00  look          : left=2d deadline=2027-01-07T00:00 runs=yes
    """,
}

CLOCKS = {
    "summer time begins: a day off of 23 hours (TM-4.1, TM-4.4)": """
        1d/move weekend=67 zone=Europe/Paris
        2027-03-26 11:00  white starts  : deadline=2027-03-29T10:00      # Fri 12:00; 12 h to 23:00 UTC; Mon 22:00 UTC + 12 h
    """,
    "winter time begins: a day off of 25 hours (TM-4.1, TM-4.4)": """
        1d/move weekend=67 zone=Europe/Paris
        2027-10-29 10:00  white starts  : deadline=2027-11-01T11:00      # Fri 12:00; 12 h; Sunday ends at 23:00 UTC; + 12 h
    """,
    "a day is 24 hours on the eve of summer time (TM-4.4)": """
        1d/move zone=Europe/Paris
        2027-03-27 17:00  white starts  : deadline=2027-03-28T17:00      # Sat 18:00 in Paris; Sun 19:00 there
    """,
    "a day is 24 hours on the eve of winter time (TM-4.4)": """
        1d/move zone=Europe/Paris
        2027-10-30 16:00  white starts  : deadline=2027-10-31T16:00      # Sat 18:00 in Paris; Sun 17:00 there
    """,
    "summer time begins in the south, in September: a day off of 23 hours (TM-4.1, TM-4.4)": """
        1d/move weekend=7 zone=Pacific/Auckland
        2027-09-25 00:00  white starts  : deadline=2027-09-26T23:00      # Sat 12:00; 12 h to 12:00 UTC; 23 h off; Sun 11:00 + 12 h
    """,
    "winter time begins in the south, in April: a day off of 25 hours (TM-4.1, TM-4.4)": """
        1d/move weekend=7 zone=Pacific/Auckland
        2027-04-02 23:00  white starts  : deadline=2027-04-05T00:00      # Sat 12:00; 12 h to 11:00 UTC; 25 h off; Sun 12:00 + 12 h
    """,
    "a change of clocks of half an hour (TM-4.1)": """
        1d/move weekend=7 zone=Australia/Lord_Howe
        2027-04-02 23:00  white starts  : deadline=2027-04-04T23:30      # Sat 10:00; 14 h to 13:00 UTC; 24 h 30 min off; Sun 13:30 + 10 h
    """,
    "a zone without summer time (TM-4.1, TM-4.4)": """
        1d/move weekend=67 zone=America/Regina
        2027-03-12 18:00  white starts  : deadline=2027-03-15T18:00      # Fri 12:00; 12 h to Sat 6:00 UTC; 48 h off; Mon 6:00 + 12 h
        2027-03-12 18:00  white moves
        2027-11-05 18:00  white starts  : deadline=2027-11-08T18:00      # as in March
    """,
    "a leap day is a day": """
        3d/move
        2028-02-28 12:00  white starts  : deadline=2028-03-02T12:00      # 29 Feb, 1 Mar, 2 Mar
    """,
    "a holiday on a leap day": """
        3d/move holidays=2028-02-29
        2028-02-28 12:00  white starts  : deadline=2028-03-03T12:00
    """,
    "no leap day": """
        3d/move
        2027-02-27 12:00  white starts  : deadline=2027-03-02T12:00
    """,
    "midnight left out in Santiago (TM-4.1)": """
        1d/move zone=America/Santiago holidays=2026-09-06
        2026-09-05 16:00  white starts  : deadline=2026-09-07T15:00      # 12 h to 4:00 UTC; 23 h off; 7 Sep 3:00 + 12 h
    """,
    "midnight twice in Beirut (TM-4.1)": """
        1d/move zone=Asia/Beirut holidays=2026-10-24
        2026-10-23 09:00  white starts  : deadline=2026-10-25T10:00      # 12 h to 21:00 UTC; 25 h off; 24 Oct 22:00 + 12 h
    """,
    "midnight left out in Cairo (TM-4.1)": """
        1d/move zone=Africa/Cairo weekend=5
        2026-04-23 10:00  white starts  : deadline=2026-04-25T09:00      # 12 h to 22:00 UTC; 23 h off; 21:00 + 12 h
    """,
    "the day that Samoa left out (TM-4.1)": """
        1d/move zone=Pacific/Apia holidays=2011-12-30
        2011-12-29 22:00  white starts  : deadline=2011-12-30T22:00      # it had no hours, so nothing is off
    """,
    "its weekend had one day (TM-4.1, TM-4.2)": """
        1d/move zone=Pacific/Apia weekend=567
        2011-12-29 22:00  white starts  : deadline=2012-01-01T22:00      # 12 h to 30 Dec 10:00; 48 h off; 1 Jan 10:00 + 12 h
    """,
}


@pytest.mark.parametrize("story", [pytest.param(story, id=name) for name, story in CONTROLS.items()])
def test_each_time_control_is_kept(story: str) -> None:
    tell(story)


@pytest.mark.parametrize("story", [pytest.param(story, id=name) for name, story in RUNNING.items()])
def test_time_runs_when_it_should(story: str) -> None:
    tell(story)


@pytest.mark.parametrize("story", [pytest.param(story, id=name) for name, story in CLOCKS.items()])
def test_changed_clocks_and_long_months_are_reckoned_with(story: str) -> None:
    tell(story)


def test_a_letter_at_the_very_instant_of_the_deadline_is_in_time_and_a_moment_later_it_is_not() -> None:
    """TM-5.1, TM-5.2."""
    ledger = tell("""
        3d/move
        2027-01-04 10:00  white starts
    """)
    last = utc("2027-01-07T10:00")
    assert ledger.in_time("white", last)
    assert not ledger.in_time("white", last + timedelta(microseconds=1))
    assert ledger.in_time("yellow", last + timedelta(days=400)), "his clock does not run"


def test_whose_time_was_up_before_the_clock_failed_is_late_whatever_his_letter_is_dated() -> None:
    """TM-3.7."""
    late = tell("""
        1d/move
        2027-01-04 00:00  white starts
        2028-01-05 00:00  clock fails at 2027-01-05T00:01 : deadline=2027-01-05T00:00 over=1m
    """)
    assert not late.in_time("white", utc("2026-01-01T00:00"))
    not_late = tell("""
        1d/move
        2027-01-04 00:00  white starts
        2028-01-05 00:00  clock fails at 2027-01-05T00:00
    """)
    assert not_late.in_time("white", utc("2028-01-05T00:00"))


def test_a_deadline_keeps_its_fractions_of_a_second() -> None:
    at = utc("2027-01-04T10:00:00.250001")
    ledger = fold(open_ledger(PerMove(duration("3d")), ["white"]), [Started("white", at)])
    assert ledger.deadline("white") == at + timedelta(days=3)


def test_time_that_would_run_beyond_the_calendar_never_runs_out() -> None:
    ledger = fold(
        open_ledger(Total(timedelta(days=3_000_000)), ["white"]), [Started("white", utc("2027-01-04T10:00"))]
    )
    assert ledger.deadline("white") is None
    assert ledger.in_time("white", utc("2400-01-01T00:00"))


def test_when_no_time_ran_and_when_it_did_can_be_told() -> None:
    ledger = tell("""
        3d/move weekend=67
        2027-01-07 00:00  white starts
        2027-01-07 12:00  out from 2027-01-07T06:00 to 2027-01-07T12:00
    """)
    start, end = utc("2027-01-07T00:00"), utc("2027-01-09T12:00")
    off = (
        Span(utc("2027-01-07T06:00"), utc("2027-01-07T12:00")),
        Span(utc("2027-01-09T00:00"), utc("2027-01-09T12:00")),
    )
    assert excluded_between(ledger, "white", start, end) == off
    assert running_between(ledger, "white", start, end) == (
        Span(start, utc("2027-01-07T06:00")),
        Span(utc("2027-01-07T12:00"), utc("2027-01-09T00:00")),
    )
    assert running_between(ledger, "white", end, start) == ()


@pytest.mark.parametrize("time", [timedelta(0), timedelta(days=-1)])
def test_time_is_given_and_never_taken(time: timedelta) -> None:
    """TM-2.9."""
    with pytest.raises(ValueError, match="given, not taken"):
        Added("white", utc("2027-01-04T10:00"), time)


def test_a_fact_whose_time_is_not_utc_is_not_reckoned_with() -> None:
    ledger = open_ledger(PerMove(duration("3d")), ["white"])
    with pytest.raises(ValueError, match="not in UTC"):
        fold(ledger, [Started("white", utc("2027-01-04T10:00").replace(tzinfo=None))])


def _operations(work: object) -> int:
    """Count the calls that some work makes, of Python and of C, and not those of whoever watches memory freed."""
    count = 0

    def counted(_frame: object, event: str, _about: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    gc.disable()
    sys.setprofile(counted)
    try:
        work()  # type: ignore[operator]
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def test_a_deadline_and_a_fact_cost_no_more_after_a_thousand_moves_than_after_ten() -> None:
    costs = {}
    for moves in (5, 500):
        control = Fischer(duration("20d"), duration("1d"), duration("30d"))
        ledger = open_ledger(control, ["white", "yellow"])
        at, facts = utc("2027-01-01T00:00"), list[Fact]()
        for _ in range(moves):
            for seat in ("white", "yellow"):
                facts += [Started(seat, at), Moved(seat, at + timedelta(hours=5))]
                at += timedelta(hours=5)
        ledger = fold(ledger, [*facts, Started("white", at)])
        ledger.deadline("white")  # what is made once a process is made
        late = at + timedelta(hours=1)
        costs[moves] = (
            _operations(lambda ledger=ledger: ledger.deadline("white")),
            _operations(lambda ledger=ledger, late=late: ledger.standing("white", late)),
            _operations(lambda ledger=ledger, late=late: fold(ledger, [Moved("white", late)])),
        )
    assert costs[5] == costs[500]
    assert all(costs[5])
