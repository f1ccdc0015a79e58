"""Referee: an umpire that lives in a mailbox.

The rooms, in the order a letter walks through them:

- `mailbox`    letters are taken in here, without being marked (IMAP, Maildir)
- `house`      letters are settled here, one transaction each
- `way`        one letter's way through all rooms: read this first
- `letters`    bytes become a `Letter`: own lines, sender, thread; machines are told from people
- `commands`   the own lines become commands, and faults where they do not
- `rulebooks`  the games: pure rules, one folder each
- `games`      one game being played: its events, and what a command does to it
- `desk`       what each word of a letter does, with a game or without
- `reports`    what each reader may know becomes his letter: words, picture, MIME
- `correspondence`  what is to be said becomes a letter in the outbox: numbers, threads, tags
- `store`      everything is kept here: letters, players, games, events, outgoing letters
- `outbox`     finished letters are posted (SMTP, Maildir)

`daemon` goes round, `cli` takes the operator's commands, `demo` shows it all in half a minute.
"""

__version__ = "0.1.0"
