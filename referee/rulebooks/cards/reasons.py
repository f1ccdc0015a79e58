"""Why a unit can do what it can: its row of the report, as the answer to `why RI1`."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from referee.common.faults import Fault
from referee.common.i18n import N_
from referee.rulebooks.cards.figures import id_order
from referee.rulebooks.cards.position import View
from referee.rulebooks.cards.report import UnitRow, unit_row
from referee.rulebooks.cards.scene import as_seen


@dataclass(frozen=True, slots=True)
class Explained:
    """The answer about a unit, one's own or the enemy's."""

    row: UnitRow


def explain(view: View, subject: str) -> Explained | Fault:
    """Return how a unit stands and what that lets it do; a Fault for what is no unit on the table."""
    battle = as_seen(view)
    # A unit's name says its side, so a colour before it says nothing new.
    asked = subject.rsplit(maxsplit=1)[-1].upper()
    unit = battle.units.get(asked)
    if unit is not None:
        return Explained(unit_row(battle, unit))
    if asked in view.battle.fallen:
        return Fault("fallen", N_("{unit} has no living man any more"), {"unit": asked}, rule="CC-7.28")
    known = sorted(battle.units, key=id_order)
    near = get_close_matches(asked, known, 1, 0.5)
    return Fault(
        "no-unit",
        N_("there is no unit {unit} on the table; there are {known}"),
        {"unit": asked, "known": ", ".join(known)},
        suggestion=near[0] if near else "",
    )
