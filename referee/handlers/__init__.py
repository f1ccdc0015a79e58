"""The desk: what each word of a letter does, within one unit of work.

- `work`       what one letter has brought about so far: games as they now stand, what to say, to whom
- `attending`  each command goes to the word that does it
- `players`    register, set, games, help
- `proposals`  challenge, open, join, accept, decline
- `play`       orders, resign, draw, confirm, cancel, status, record, why
- `addresses`  set address, set second; what a letter from a new address or an old one confirms
- `leaving`    bye
- `answers`    all of it becomes letters: one answer to the writer, and what others are to hear
"""
