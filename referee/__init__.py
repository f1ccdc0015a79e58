"""Referee: an umpire that lives in a mailbox.

The rooms, from the bottom up; a room imports only from those above it in this list:

- `common`     chance, clock, faults and errors
- `mail`       reading and writing email (`message`), taking it in (`inbox`) and sending it (`outbox`)
- `rulebooks`  the pure rules of each game, one folder each, behind one protocol
- `games`      one game being played: its events, its clocks, and what a command does to it
- `commands`   the words of a letter, and the grammar that turns them into commands and faults
- `reports`    turns what a reader may know into words, pictures and JSON
- `store`      letters, players, games, events and the outbox, in a database
- `handlers`   what each command does, and to whom the service writes
- `pipeline`   the stages of processing one letter: read `pipeline.stages` first
- `service`    what keeps running: the daemon, scheduled jobs and the umpire's service
- `archive`    checks records, exports games and writes them as web pages
- `cli`        the operator's commands, and the demo

README.md follows a letter from the inbox to the outbox.
"""

__version__ = "0.1.0"
