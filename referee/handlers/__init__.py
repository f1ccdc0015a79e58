"""What each command of a letter does, within one unit of work.

- `dispatcher`       finds the handler of each command
- `handler_context`  what a handler works with: the `request`, the `loaded_games`, and the `letter_outcome`,
  which is the effects so far
- `orders`, `account`, `proposals`, `press`, `umpire` and others: the handlers, by subject
- `replies`          stores the events, and determines what the writer and others are told
- `composer`         makes letters of it; `outgoing_queue` puts them into the outbox, `waiting_news` keeps
  what can wait
- `game_clocks`      the clocks of games, for the composer and the handlers
"""
