"""Confusion: pieces whose movements their owner does not know and his opponent does.

- `table`, `table.toml`  how the twelve types move: data (CF-2)
- `compass`              the board's directions, squares and sides (CF-1)
- `position`             the board, the truth, a view
- `notation`, `likeness` moves as text, both ways; what looks like one (CF-8)
- `possible`             what may be attempted, by public facts (CF-4.2, CF-5)
- `options`, `happenings`, `adjudicate`, `fold`  a game: how it opens, what comes to pass, what that adds up to
- `assignments`, `deduction`  what can be known of the types from the answers (CF-7)
- `reasons`, `reach`, `knowledge`  why that is so, where a piece can go for all that is known, and how it is told
- `orders`, `view`, `scene`  what a player writes, and what he is shown
- `drawing`, `picture`, `sheets_picture`  the same as pictures
- `record`, `score`, `retelling`, `replay`  a game as a file: written, read, held against the rules
- `memory`               answers that are remembered for the very same values
- `rulebook`             all this behind the protocol of all rulebooks

RULES.md has the rules with the ids that code and tests cite.
"""

from referee.rulebooks.confusion.rulebook import Confusion

__all__ = ["Confusion"]
