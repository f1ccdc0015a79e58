"""What comes of a turn as the record writes it: one short saying for each thing that happens on the table (E2, E6).

A saying holds all that cannot be worked out again: how far a unit came and what stopped it, who was hit, which card lay
on top. The rest follows by the rules, and `retelling` lets it happen again. Nothing here asks a rule, and nothing is
said but what both sides hear.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from referee.rulebooks.cards.battle import BOTH, CHANGES
from referee.rulebooks.cards.decks import SHUFFLED, TURNED
from referee.rulebooks.cards.engagements import PARTED
from referee.rulebooks.cards.fighting import DECLARED, FOUGHT
from referee.rulebooks.cards.figures import BLUE, RED, id_order
from referee.rulebooks.cards.firing import FIRED
from referee.rulebooks.cards.forming import DRESSED, FORMED
from referee.rulebooks.cards.happenings import FIRST, WAITING
from referee.rulebooks.cards.mobs import FLED, LOST, MOB_MOVED
from referee.rulebooks.cards.moving import COMMANDER_CLEARED, COMMANDER_MOVED, MOVED
from referee.rulebooks.cards.notation import write_order
from referee.rulebooks.cards.orders import Station, StationCommander
from referee.rulebooks.cards.rallying import RALLIED, WALKED
from referee.rulebooks.cards.settling import TAKEN_OFF
from referee.rulebooks.cards.turn import HALFWAY
from referee.rulebooks.cards.victory import (
    AS_MANY_OBJECTIVES,
    BOTH_DESTROYED,
    BY_DESTRUCTION,
    BY_MORE_OBJECTIVES,
    BY_OBJECTIVES,
    ENDED,
    HELD,
)
from referee.rulebooks.rulebook import Happening, Json, Result, Seat

BODIES_REMOVED = "bodies-removed"
NO_RESULT = "No result"
STOPS: Mapping[str, str] = {
    "face-to-face": "face to face with",
    "belt": "not past",
    "enemy": "stopped by",
    "edge": "at the edge",
    "water": "at the water",
    "friends": "among friends",
}
"""Why something ended before its time; behind most of these stands because of whom."""
PHASES: Mapping[int, str] = {2: "artillery", 3: "combats"}
"""How a phase is called, where the record must say that it has begun: before a question (E4)."""
HALFWAY_SAID = "phase 1 ends"
"""What is said of a turn of two letters where the second one is waited for (E3)."""
ON_THE_TABLE = (BY_OBJECTIVES, BY_DESTRUCTION, BOTH_DESTROYED, BY_MORE_OBJECTIVES, AS_MANY_OBJECTIVES)
"""Ends that the rules themselves bring."""
AGREED, BY_LOT = "as agreed", "by lot"
"""How it was settled who is first, where no cards were cut."""
OF_SIDE: Mapping[str, Seat] = {"R": RED, "B": BLUE}

Facts = Mapping[str, Json]


def say(happening: Happening) -> str:
    """Return the saying of something on the table that both sides hear; "" of all else, and where it goes unsaid."""
    if not happening.heard_by >= BOTH:
        return ""
    if happening.code == ENDED:
        result = result_in(happening)
        # Of an end off the table the head of the record says how it came.
        return write_result(result if result.how in ON_THE_TABLE else replace(result, how=""))
    write = _SAYINGS.get(happening.code)
    return write(happening.facts) if write is not None else ""


def result_in(happening: Happening) -> Result:
    """Return the result that an end has brought."""
    facts = happening.facts
    plain = facts.get(CHANGES, {}).get("result", facts)
    winner = plain["winner"]
    return Result(Seat(winner) if winner else None, plain["how"], bool(plain.get("void", False)))


def doer(happening: Happening) -> Seat | None:
    """Return whose deed something on the table is; None for what only follows from another.

    A deed begins a line of the record, what follows from it stands behind it.
    """
    if happening.code not in _DEEDS:
        return None
    facts = happening.facts
    return OF_SIDE[str(facts.get("unit") or facts.get("commander"))[0]]


def set_up_lines(happening: Happening) -> dict[Seat, tuple[str, ...]]:
    """Return where the armies were set up otherwise than the scenario has them, as orders (CC-1.13)."""
    changes = happening.facts.get(CHANGES, {})
    lines: dict[Seat, tuple[str, ...]] = {RED: (), BLUE: ()}
    for id in sorted(changes.get("units", ()), key=id_order):
        plain = changes["units"][id]
        x, y, bearing = plain["place"]
        station = Station(id, x, y, bearing, plain["files"] or None)
        lines[OF_SIDE[id[0]]] += (write_order(station),)
    for id in sorted(changes.get("commanders", ())):
        x, y = changes["commanders"][id]["place"]
        lines[OF_SIDE[id[0]]] += (write_order(StationCommander(id, x, y)),)
    return lines


def write_result(result: Result) -> str:
    """Write how a battle ended: `Red wins: by three objectives`, `Draw: by agreement`, `No result: …`."""
    outcome = f"{result.winner.capitalize()} wins" if result.winner else NO_RESULT if result.void else "Draw"
    return f"{outcome}: {result.how}" if result.how else outcome


def alike(saying: str) -> str:
    """Return a saying so that the ways of writing the same are equal."""
    return "".join(saying.split()).casefold()


# --- one saying each


def _moved(facts: Facts) -> str:
    words = [facts["unit"], f"B{cm(facts['place'][2])}"]
    if facts["gone"] or _stopped(facts):
        words.append(f"A{cm(facts['gone'])}")
    return " ".join([*words, "to", point(facts["place"])]) + _stopped(facts)


def _mob_moved(facts: Facts) -> str:
    run = f"B{cm(facts['bearing'])} D{cm(facts['gone'])}"
    return f"{facts['unit']} as a mob {run} to {point(facts['place'])}{_stopped(facts)}"


def _stopped(facts: Facts) -> str:
    """Why it ended before its time; that its own order kept it off somebody is nobody else's business (E7)."""
    stop = facts["stop"]
    if not stop or stop["code"] not in STOPS:
        return ""
    return f": {STOPS[stop['code']]} {stop['by'] or ''}".rstrip()


def _fled(facts: Facts) -> str:
    run = f"B{cm(facts['bearing'])} D{cm(facts['gone'])}"
    return f"{facts['unit']} flees {facts['fleeing']} {run} to {point(facts['place'])}"


def _commander_moved(facts: Facts) -> str:
    return f"{facts['commander']} A{cm(facts['gone'])} to {point(facts['place'])}{_stopped(facts)}"


def _formed(facts: Facts) -> str:
    if facts["origin"] == facts["place"]:
        return f"{facts['unit']} forms W{facts['files'][1]}"
    return f"{facts['unit']} turns about to {point(facts['place'])} B{cm(facts['place'][2])}"


def _rallied(facts: Facts) -> str:
    words = [facts["unit"], "rallies", numbers(facts["men"])]
    if facts["bearing"] is not None:
        words.append(f"B{cm(facts['bearing'])}")
    if facts["helped"]:
        words.append(f"by {' and '.join(facts['helped'])}")
    return " ".join(words)


def _walked(facts: Facts) -> str:
    still = ", ".join(f"{number} {cm(left)}" for number, left in facts["to_go"].items())
    return f"{facts['unit']} gunners go back" + (f": {still}" if still else "")


def _fired(facts: Facts) -> str:
    markers = "marker" if facts["cost"] == 1 else "markers"
    return (
        f"{facts['cannon']} fires at {facts['target']}: kills {facts['killed']} for {facts['cost']} {markers}"
    )


def _fought(facts: Facts) -> str:
    mine, theirs = facts["totals"]
    flank = " on the flank" if facts["flank"] else ""
    losses = " + ".join(map(_loss, facts["losses"]))
    return f"{facts['unit']} {mine} to {facts['enemy']} {theirs}{flank}: {losses}"


def _loss(loss: Facts) -> str:
    confused = f" confused {numbers(loss['confused'])}" if loss["confused"] else ""
    return f"{loss['unit']} killed {loss['killed']}{confused}"


def _first(facts: Facts) -> str:
    cuts = ", ".join(f"{red} to {blue}" for red, blue in facts["cuts"])
    how = {"lot": BY_LOT, "set": AGREED}.get(facts["how"], cuts)
    return f"{facts['side'].capitalize()} is first: {how}"


def cm(number: float) -> str:
    """Write a length or an angle, to two digits behind the point and none too many."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def point(place: Sequence[float]) -> str:
    """Write a point: `115.18,23.32`."""
    return f"{cm(place[0])},{cm(place[1])}"


def numbers(men: Sequence[int]) -> str:
    """Write men by their numbers: `3,4`."""
    return ",".join(map(str, men))


_DEEDS: Mapping[str, Callable[[Facts], str]] = {
    MOVED: _moved,
    MOB_MOVED: _mob_moved,
    FLED: _fled,
    LOST: lambda facts: f"{facts['unit']} flees {facts['fleeing']} and is lost",
    COMMANDER_MOVED: _commander_moved,
    FORMED: _formed,
    RALLIED: _rallied,
    WALKED: _walked,
    FIRED: _fired,
    DECLARED: lambda facts: f"{facts['unit']} fights {' & '.join(facts['targets'])}",
}
_SAYINGS: Mapping[str, Callable[[Facts], str]] = {
    **_DEEDS,
    FIRST: _first,
    HALFWAY: lambda facts: HALFWAY_SAID,
    WAITING: lambda facts: f"{facts['side'].capitalize()} chooses",
    SHUFFLED: lambda facts: f"{facts['side'].capitalize()} shuffles",
    TURNED: lambda facts: f"{facts['side'].capitalize()} turns {facts['card']}",
    FOUGHT: _fought,
    PARTED: lambda facts: " and ".join(facts["units"]) + " part",
    BODIES_REMOVED: lambda facts: f"{facts['unit']} bodies removed",
    TAKEN_OFF: lambda facts: f"{facts['unit']} taken off",
    DRESSED: lambda facts: f"{facts['unit']} closes up",
    COMMANDER_CLEARED: lambda facts: (
        f"{facts['commander']} clear of {facts['by']} at {point(facts['place'])}"
    ),
    HELD: lambda facts: f"{facts['objective']} to {facts['side'].capitalize()}",
}
