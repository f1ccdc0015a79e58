"""What hills, woods, villages and streams of made-up scenarios are called; none is meant to be a real place."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from referee.rulebooks.cards.ground import TerrainKind
from referee.rulebooks.cards.scenarios.generated_shapes import Lots

_STEMS = (
    "Alder", "Ash", "Barrow", "Birch", "Black", "Bram", "Clover", "Cold", "Elder", "Fern", "Hare", "Hazel", "Heron",
    "Holly", "Kings", "Larch", "Long", "Maple", "Marl", "Oak", "Otter", "Raven", "Rook", "Sallow", "Stone", "Thorn",
    "Wether", "White", "Winter", "Wren",
)  # fmt: skip
_ENDS: Mapping[TerrainKind, tuple[str, ...]] = {
    "village": ("by", "cote", "ham", "ley", "stead", "thorpe", "ton", "wick"),
    "hill": (" Hill", " Knoll", " Down", " Ridge"),
    "woods": (" Wood", " Copse", " Spinney", " Holt"),
    "field": (" Acre", " Field", " Croft", " Close"),
    "wall": (" Dyke", " Garth Wall", " Lane Wall"),
    "fence": (" Rails", " Paling", " Lane Fence"),
    "redoubt": (" Redoubt", " Battery"),
    "water": (" Beck", " Brook", " Burn", " Water"),
    "bridge": (" Bridge",),
    "ford": (" Ford",),
}


class Names:
    """Names that are given once. On a table no two begin alike, as long as there are enough beginnings."""

    def __init__(self, lots: Lots) -> None:
        self._lots = lots
        self._stems = list(lots.shuffled(_STEMS))
        self._given: set[str] = set()

    def of(self, kind: TerrainKind) -> str:
        """Return a new name for a piece of this kind."""
        if self._stems:
            name = self._stems.pop() + self._lots.one(_ENDS[kind])
        else:
            free = [stem + end for stem, end in product(_STEMS, _ENDS[kind]) if stem + end not in self._given]
            name = self._lots.one(free)
        self._given.add(name)
        return name
