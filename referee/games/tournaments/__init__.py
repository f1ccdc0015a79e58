"""Events: tournaments and seasons of a club, whose games share their terms, their calendar and their officers.

Players, settings, records and the command line call it an *event*; the code calls it `Competition`, since an
event is something that happens in a game.

- `tournament`  an event as a value and as plain data
- `reading`     from its file (TOML) to the value, or all faults of the file
- `writing`     from the value to its file
- `changes`     what a new file changes, and the consequences for running games
- `officers`    who acts for an event, and who rules in one of its games
"""
