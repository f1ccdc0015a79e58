"""Confusion: pieces whose movements are known to the opponent, but not to their owner.

- `table`, `table.toml`  how the twelve types move: data (CF-2)
- `compass`, `own_compass`  the board's directions, squares and sides (CF-1), and moves as a player sees them
- `edition`              the differences between the classic edition and that of thirteen spies
- `position`             the board, the truth, a view
- `notation`, `likeness` moves in text, read and written; lines that resemble moves (CF-8)
- `possible`             what may be attempted, by public facts (CF-4.2, CF-5)
- `options`, `happenings`, `adjudicate`, `fold`  a game: how it opens, what happens, the resulting state
- `assignments`, `deduction`  what can be known of the types from the answers (CF-7)
- `reasons`, `reach`, `knowledge`  why that is so, where a piece can go for all that is known, and how it is
  shown
- `orders`, `conditions`, `preview`, `view`, `scene`  what a player writes and is shown
- `picture`, `sheets_picture`  the same as pictures
- `record`, `score`, `retelling`, `replay`  a game as a file: written, read, checked against the rules
- `verify_game`          the program with which players check a record
- `sample`               the book's sample game (CF-9)
- `memory`               results that are cached for the very same values
- `rulebook`             all this behind the protocol of all rulebooks

RULES.md has the rules with the ids that code and tests cite.
"""

from referee.rulebooks.confusion.rulebook import Confusion

__all__ = ["Confusion"]
