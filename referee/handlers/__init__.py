"""What each word of a letter does, within one unit of work.

- `dispatcher`       finds the handler of each command
- `handler_context`  what one letter has brought about so far: games as they now stand, what to say, to whom
- `orders`, `account`, `proposals`, `press`, `umpire` and others: the handlers, by what their commands are about
- `replies`          keeps the events, and says what the writer and others are to hear
- `composer`         makes a letter of it; `outgoing_queue` puts it into the outbox, `waiting_news` keeps what can wait
- `game_clocks`      the clocks of games, beside the composer
"""
