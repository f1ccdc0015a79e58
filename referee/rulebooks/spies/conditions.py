"""The conditions of plans: what a player knows of the outcome of their own turn (`if no`, `if captured`).

The player's own turn was answered with the other side's order; its outcome is known to them before they are
told (`outlook`).
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.rulebooks.confusion import conditions as shared
from referee.rulebooks.confusion.happenings import read_attempt
from referee.rulebooks.rulebook import Happening
from referee.rulebooks.spies.happenings import ATTEMPTED, SEALED, UNMASKED, read_sealed, read_unmasked
from referee.rulebooks.spies.orders import Unmask
from referee.rulebooks.spies.outlook import outlook
from referee.rulebooks.spies.position import View

CONDITIONS = shared.CONDITIONS
"""yes: every attempt of the turn was allowed; no: one was refused.

captured, promoted, z: as in Confusion, by any attempt of the turn. lost: a spy of the player was captured or
    removed since.
"""


def heard_conditions(heard: Sequence[Happening], view: View) -> frozenset[str]:
    """Return the conditions that hold. heard: what the player has heard since an order of theirs that closed a turn."""
    given = next((place for place, each in enumerate(heard) if each.code == SEALED), None)
    if given is None:
        return frozenset()
    seat = read_sealed(heard[given]).seat
    since = (*heard[given + 1 :], *outlook(view).brings)
    attempts = [read_attempt(each) for each in since if each.code == ATTEMPTED]
    own = [each for each in attempts if each.seat == seat]
    if not own:
        return frozenset()
    removed = [read_sealed(each) for each in since if each.code == SEALED]
    unmasked = [read_unmasked(each)[0] for each in since if each.code == UNMASKED]
    met = {
        "yes": all(each.answer for each in own),
        "no": not all(each.answer for each in own),
        "captured": any(each.captured for each in own),
        "lost": any(each.captured and each.seat != seat for each in attempts)
        or any(each.seat != seat and isinstance(each.action, Unmask) for each in removed)
        or seat in unmasked,
        "promoted": any(each.promoted for each in own),
        "z": any(each.took_z for each in own),
    }
    return frozenset(condition for condition, holds in met.items() if holds)
