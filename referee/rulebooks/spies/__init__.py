"""Confusion with thirteen spies a side, one of them a double agent, and with sealed answers.

Everything that is the same uses Confusion's own code, which is given the edition; this folder holds what
differs:

- `edition`              seats, letters, variants, tokens (CF-10.1, CF-10.11)
- `orders`, `notation`, `words`, `likeness`, `own_compass`, `setting_up`  orders in text, read and written
  (CF-8, CF-10.12)
- `position`, `happenings`, `fold`  the table that all see, the truth, a view; what happens, and the state
  built from it
- `answering`            opening a seal: the outcome of a turn that waited (CF-10.2, CF-10.3, CF-10.8)
- `outlook`              the board that the side to move knows it will find
- `allowed`, `tries`, `reading`  what may be ordered, by public facts and by a view
- `questions`, `conditions`, `suggesting`  what is due, when a plan may do it, what it depends on, and
  examples
- `options`, `adjudicate`  how a game opens, and what an order does
- `deduction`, `knowledge`, `reasons`, `preview`, `sheets_picture`  what can be known, and how it is shown
  (CF-7)
- `scene`, `shown`, `picture`  what a player is shown
- `record`, `score`, `replay`, `view`  a game as a file and as plain data
- `verify_spies`         the program with which players check a record
- `rulebook`             all this behind the protocol of all rulebooks

RULES.md has the rules with the ids that code and tests cite.
"""

from referee.rulebooks.spies.rulebook import Spies

__all__ = ["Spies"]
