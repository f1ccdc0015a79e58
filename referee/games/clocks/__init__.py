"""Time: how much a player has, when it runs, and when it is up. Pure; the numbered rules are in RULES.md.

    durations       days and hours in text
    controls        time controls (`time=3d/move`), and what happens when the time is up
    spans           sets of instants, and operations on them
    calendar        days on which no time runs, in any zone
    leave           a player's leave, and how many days they have
    consent         a pause by both players' consent
    ledger          the clocks of one game, computed from facts
    reminders       when to remind whom
    formatting      instants in the reader's zone and in UTC
    calendar_entry  a deadline in a player's calendar
    icalendar       the file for a calendar program
    time_zones      the names of time zones

All times are aware UTC. Spans of time are half-open: they include their start and exclude their end.
"""
