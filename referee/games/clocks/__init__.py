"""Time: how long a player has, what of it runs, and when it is up. Pure; the rules are numbered in RULES.md.

    durations   days and hours, as they are written and said
    controls    how much time there is: `time=3d/move`, and what happens when it is up
    spans       sets of times, and their sums
    calendar    days on which no time runs, in any zone
    leave       days off that a player takes, and how many are his
    consent     a pause that both players agree on
    ledger      the clocks of one game, added up from what happened
    reminders   when to remind whom
    telling     a deadline in the reader's zone and UTC
    icalendar   a deadline for a calendar program

All times are aware UTC, spans of time are half-open: the start belongs to them, the end does not.
"""
