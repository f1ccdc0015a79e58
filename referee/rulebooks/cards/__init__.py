"""Cards and Confusion: the card-driven battle of miniatures, two armies on one table (rules CC-1 to CC-8).

In the order in which a turn needs them: `switches` is what an edition decides; `shapes`, `figures`, `ground` are what
lies on the table; `measuring` is the umpire's ruler, `battle` all that both players see. Then what units do: `moving`,
`forming`, `mobs`, `rallying`. `RULES.md` states every rule under its id.
"""

from referee.rulebooks.cards.rulebook import Cards

__all__ = ["Cards"]
