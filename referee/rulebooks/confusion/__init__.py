"""Confusion: pieces whose movements their owner does not know and his opponent does.

- `table`, `table.toml`  how the twelve types move: data (CF-2)
- `compass`              the board's directions, squares and sides (CF-1)
- `position`             the board, the truth, a view
- `notation`, `likeness` moves as text, both ways; what looks like one (CF-8)
- `possible`             what may be attempted, by public facts (CF-4.2, CF-5)
- `options`, `happenings`, `adjudicate`, `fold`  a game: how it opens, what comes to pass, what that adds up to
- `assignments`, `deduction`, `reasons`  what can be known of the types from the answers, and why (CF-7)
- `orders`, `view`, `scene`, `knowledge`, `picture`  what a player writes, and what he is shown
- `record`, `score`, `replay`  a game as a file: written, read, held against the rules
- `rulebook`             all this behind the protocol of all rulebooks

RULES.md has the rules with the ids that code and tests cite.
"""

from referee.rulebooks.confusion.rulebook import Confusion

__all__ = ["Confusion"]
