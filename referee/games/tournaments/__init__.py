"""Events: tournaments and seasons of a club, whose games share their terms, their calendar and their officers.

To players, in settings, records and on the command line it is an *event*; in the code `Competition`, since an event is
something that happens in a game.

- `competition`  what an event is, as a value and as plain data
- `reading`      its file (TOML) → the value, or all that is wrong with it
- `writing`      the value → its file
- `changes`      what another file changes, and what follows for games that are being played
- `officers`     who acts for an event, and who rules in one of its games
"""
