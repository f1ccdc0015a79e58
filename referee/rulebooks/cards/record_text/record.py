"""The record file: a battle in the players' notation, with the effects of each turn. `replay` reads it back.

While it is played everybody's record has what lies open, and of what is confided to the referee his own alone; after
the end all orders are published, and every record of the battle has the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.rulebooks.branches import TAKEN_BACK, read_taken_back
from referee.rulebooks.cards.decks import read_deal
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.happenings import DEALT, FIRST_SETTLED, OPENED, REVEALED, SHOWN, read_revealed
from referee.rulebooks.cards.options import SPLIT, set_first
from referee.rulebooks.cards.record_text.cells import CellWriter
from referee.rulebooks.cards.record_text.effects import acting_side, effect_text, result_in, set_up_orders
from referee.rulebooks.cards.record_text.layout import further_lines, write_back, write_parts
from referee.rulebooks.cards.record_text.templates import write_result
from referee.rulebooks.cards.switches import BASE, CUSTOM, EDITION, SWITCH_FORMATS
from referee.rulebooks.cards.victory import ENDED
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Happening, Json, Seat

SCENARIO_KEY, FIRST_KEY, VIEW_KEY, RESULT_KEY, DEAL_KEY = "Scenario", "First", "View", "Result", "Deal"
OPTIONS = (EDITION, SPLIT, BASE, *(name for name in SWITCH_FORMATS if name != FIRST_KEY.lower()))
"""The options that stand in the head, besides the scenario and who is first."""
OWN_KEYS = (
    *(SCENARIO_KEY, FIRST_KEY, VIEW_KEY, RESULT_KEY),
    *(side.capitalize() for side in SIDES),
    *(each.capitalize() for each in OPTIONS),
)
"""Lines of the head that the game writes itself."""


def write_record(happenings: Sequence[Happening], head: Mapping[str, str], seat: Seat | None = None) -> str:
    """Write the battle that these happenings tell. head: further lines.

    happenings: those that `seat` has heard, or all of them for the umpire (None).
    """
    if not happenings:
        raise ValueError("a record needs a game that began")
    lines = [
        "; Cards and Confusion. Places in cm from the south-west corner, bearings in degrees; men by their numbers.",
        *(f"{key:<8} = {value}" for key, value in _head(happenings, seat, head.get(DEAL_KEY, ""))),
        *further_lines(head, OWN_KEYS),
        *write_parts(CellWriter(happenings).parts()),
    ]
    return "\n".join(lines) + "\n"


def _head(happenings: Sequence[Happening], seat: Seat | None, deal: str) -> list[tuple[str, str]]:
    """Return the lines of the head that the game writes itself, as keys and values. deal: as its proof has it."""
    opened = next(each for each in happenings if each.code == OPENED)
    options = opened.facts["options"]
    lines = [(SCENARIO_KEY, str(opened.facts["scenario"]["id"]))]
    shown = OPTIONS if options[EDITION] == CUSTOM else (EDITION, SPLIT)
    lines += [(key.capitalize(), options[key]) for key in shown if key in options]
    settled = [each.facts["side"] for each in happenings if each.code == FIRST_SETTLED]
    # How it is to be settled is no side: the line waits until it is.
    if first := (settled[-1] if settled else set_first(options)):
        lines.append((FIRST_KEY, str(first).capitalize()))
    cards = _dealt(happenings, deal)
    lines += [(side.capitalize(), " ".join(cards[side])) for side in SIDES if cards.get(side)]
    if seat in SIDES and not any(each.code == REVEALED for each in happenings):
        lines.append((VIEW_KEY, seat.capitalize()))
    lines += [(RESULT_KEY, write_result(result_in(each))) for each in happenings if each.code == ENDED]
    return lines


def _dealt(happenings: Sequence[Happening], deal: str) -> Mapping[Seat, Sequence[str]]:
    """Return the cards that an umpire has set: as they were dealt, or, for players after the end, as proved."""
    for happening in happenings:
        if happening.code == DEALT:
            return {Seat(side): cards for side, cards in happening.facts["cards"].items()}
    cards = read_deal(deal)
    return cards if isinstance(cards, Mapping) else {}


def recorded(happening: Happening) -> dict[str, str]:
    """Return what the record says of something that both sides hear, for the receipts; nothing of what is confided.

    A deed on the table is an order that was answered with yes; what follows from it is told behind it. All orders,
    wishes and answers are bound when they are published, after the end.
    """
    match happening.code:
        case c if c == TAKEN_BACK:
            return {"taken_back": write_back(read_taken_back(happening))}
        case c if c == ENDED:
            return {"result": write_result(result_in(happening))}
        case c if c == SHOWN:
            stations = set_up_orders(happening)
            lines = [write_order(each) for side in SIDES for each in stations[side]]
            return {"set_up": "; ".join(lines) or "as in the scenario"}
        case c if c == REVEALED:
            return {"revealed": _revealed(happening.facts)}
    said = effect_text(happening)
    if not said:
        return {}
    side = acting_side(happening)
    return {"told": said} if side is None else {"seat": str(side), "order": said, "answer": "yes"}


def _revealed(facts: Mapping[str, Json]) -> str:
    """Write all orders, plans, wishes and answers on one line."""
    said: list[str] = []
    for each in read_revealed(facts):
        said += [f"{each.turn} {each.side}", *each.orders]
        said += [f"plan {line}" for line in each.planned]
        said += [f"{side} {line}" for side in SIDES for line in each.wishes.get(side, ())]
        said += [f"{side} {answer}" for side, answer in each.answers]
    said += [f"{side} {line}" for side in SIDES for line in facts["wishes"][side]]
    return "; ".join(said)
