"""Confusion with thirteen spies a side, one of them a double agent, and with sealed answers.

What is the same is Confusion's own code, which is told the edition; this folder has what differs:

- `edition`              seats, letters, variants, tokens (CF-10.1, CF-10.11)
- `orders`, `notation`, `words`, `likeness`, `own_compass`, `setting_up`  orders as text, both ways (CF-8, CF-10.12)
- `position`, `happenings`, `fold`  the table that all see, the truth, a view; what comes to pass and adds up to them
- `answering`            opening a seal: what a turn that waited brings (CF-10.2, CF-10.3, CF-10.8)
- `outlook`              the board that the side to move knows it will find
- `allowed`, `tries`, `reading`  what may be ordered: by what all see, and by a view
- `questions`, `conditions`  what is owed, when a plan may do it, and what it depends on
- `options`, `adjudicate`  how a game opens, and what an order brings about
- `deduction`, `knowledge`, `reasons`, `preview`, `sheets_picture`  what can be known, and how it is told (CF-7)
- `scene`, `shown`, `picture`  what a player is shown
- `record`, `score`, `replay`, `view`  a game as a file and as plain data
- `rulebook`             all this behind the protocol of all rulebooks

RULES.md has the rules with the ids that code and tests cite.
"""

from referee.rulebooks.spies.rulebook import Spies

__all__ = ["Spies"]
