"""Questions in the middle of a turn, for players who want to choose themselves (E4, A-78).

A turn that comes to such a choice stops there, and is played again from its beginning with the answer: everything in
it follows from the battle, the orders, the cards, the wishes and the answers, so it comes to the same point. Where
nobody wants to be asked, and where nothing is left to choose, the standing wishes settle it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from referee.common.faults import Fault
from referee.rulebooks.cards.battle import Battle
from referee.rulebooks.cards.casualties import Loss, Taste
from referee.rulebooks.cards.figures import Man, Unit
from referee.rulebooks.cards.firing import Shot
from referee.rulebooks.cards.mobs import away_from
from referee.rulebooks.cards.orders import Choice, Choose, Flight
from referee.rulebooks.cards.preferences import NO_WISHES, Wishes
from referee.rulebooks.cards.rallying import returning
from referee.rulebooks.cards.trials import (
    Trial,
    casualties_tried,
    flight_tried,
    matters,
    rally_tried,
    shot_tried,
)
from referee.rulebooks.cards.writing import write_order
from referee.rulebooks.rulebook import Json, Seat

ChoiceKind = Literal["casualties", "shot", "flight", "rally"]

PARTS: Mapping[ChoiceKind, tuple[str, ...]] = {
    "casualties": ("kill", "confuse"),
    "shot": ("kill",),
    "flight": ("flee",),
    "rally": ("rally",),
}
"""What an answer to each question may say; what it leaves out is settled by the standing wish."""


@dataclass(frozen=True)
class Asking:
    """A choice that a player wants to make himself.

    facts: plain data. Of all: `unit`, which is hit, runs or rallies; `trials`, what each form would do. casualties:
    `by`; `kill` and `confuse`, the men among whom he chooses; `count`, how many are confused if so many are left in
    ranks; `combat`, what is known of it. shot: `by`, `cannon`, `kill`. flight: `fleeing`, `away`. rally: `rally`, the
    men, and `count`. Men are {number, role, place}.
    forms: lines that answer it; the first is what the standing wish would do.
    """

    seat: Seat
    what: ChoiceKind
    facts: Mapping[str, Json]
    forms: tuple[str, ...]

    def plain(self) -> dict[str, Json]:
        """Return it as the facts of a happening."""
        return {"what": self.what, **self.facts, "forms": list(self.forms)}


class Unanswered(Exception):
    """The turn stops here: a player is to choose, and there is no answer of his yet."""

    def __init__(self, asked: Asking) -> None:
        super().__init__(asked.what)
        self.asked = asked


@dataclass
class Deciding:
    """Settles each choice of a turn: by an answer where the chooser wants to be asked, else by his standing wishes.

    answers: to the turn's questions in the order in which they come up, whoever they are for.
    """

    wishes: Mapping[Seat, Wishes] = field(default_factory=dict)
    answers: Sequence[Choose] = ()
    used: int = 0

    def _of(self, seat: Seat) -> Wishes:
        return self.wishes.get(seat, NO_WISHES)

    def casualties(self, battle: Battle, loss: Loss, combat: Mapping[str, Json]) -> Taste:
        """Return whom the owner of the unit that strikes wants hit (CC-7.17)."""
        unit, by = battle.units[loss.unit], battle.units[loss.by]
        taste = self._of(by.side).taste(by.id)
        kill = _killable(battle, unit, unit.living)
        count = (len(unit.bodies) + 1 if loss.count is None else loss.count) + loss.more
        facts: dict[str, Json] = {
            "unit": unit.id,
            "by": by.id,
            "kill": _men(kill),
            "confuse": _men(unit.in_ranks),
            "count": count,
            "combat": dict(combat),
        }
        trials = (
            casualties_tried(battle, loss, taste) if len(kill) > 1 or len(unit.in_ranks) > count else None
        )
        answer = self._answer(by.side, by.id, "casualties", facts, trials)
        return Taste(answer.kill or taste.kill, answer.confuse or taste.confuse)

    def shot(self, battle: Battle, shot: Shot) -> Choice:
        """Return whom the firing player wants hit (CC-6.17)."""
        unit = battle.units[shot.unit]
        wished = self._of(unit.side).taste(unit.id).kill
        kill = _killable(battle, battle.units[shot.target], shot.exposed)
        facts: dict[str, Json] = {
            "unit": shot.target,
            "by": unit.id,
            "cannon": unit.cannons[shot.gun].id,
            "kill": _men(kill),
        }
        trials = shot_tried(battle, shot, wished) if len(kill) > 1 else None
        answer = self._answer(unit.side, unit.id, "shot", facts, trials)
        return answer.kill or wished

    def flight(self, battle: Battle, mob: str, approaching: str) -> Flight:
        """Return whither a mob's owner wants it to run (CC-4.9)."""
        unit = battle.units[mob]
        wished = self._of(unit.side).flight(mob)
        facts: dict[str, Json] = {
            "unit": mob,
            "fleeing": approaching,
            "away": away_from(battle.units[approaching], unit),
        }
        # Where a mob runs the same way whatever one wishes, there is nothing to choose.
        trials = (
            _told_apart(flight_tried(battle, mob, approaching, wished)) if self._asks(unit.side, mob) else []
        )
        answer = self._answer(unit.side, mob, "flight", facts, trials if len(trials) > 1 else None)
        return answer.flee or wished

    def rally(self, battle: Battle, unit: str) -> Choice | None:
        """Return who of a unit is to return first (CC-5.9). Asked only where some do not return."""
        rallying = battle.units[unit]
        wished = self._of(rallying.side).rally(unit)
        facts: dict[str, Json] = {
            "unit": unit,
            "rally": _men(rallying.confused),
            "count": returning(battle, rallying),
        }
        answer = self._answer(rallying.side, unit, "rally", facts, rally_tried(battle, unit, wished))
        return answer.rally or wished

    def _asks(self, seat: Seat, id: str) -> bool:
        """Return whether the owner of a unit may have to be asked about it."""
        return self._of(seat).ask(id) != "NEVER"

    def _answer(
        self, seat: Seat, id: str, what: ChoiceKind, facts: Mapping[str, Json], trials: Iterable[Trial] | None
    ) -> Choose:
        """Return the answer to a question; one that says nothing where it is not asked. Raises Unanswered.

        id: whose owner's wish says when to ask. trials: the standing wish first; None where nothing is left to choose.
        """
        if trials is None or not self._asks(seat, id):
            return Choose()
        tried = _told_apart(trials)
        if self._of(seat).ask(id) == "MATTER" and not matters(tried, facts["unit"]):
            return Choose()
        if self.used < len(self.answers):
            self.used += 1
            return self.answers[self.used - 1]
        effects = {"trials": [trial.effect for trial in tried]}
        forms = tuple(write_order(_among(trial.choice, facts)) for trial in tried)
        raise Unanswered(Asking(seat, what, {**facts, **effects}, forms))


def _told_apart(trials: Iterable[Trial]) -> list[Trial]:
    """Return one trial for each effect, the first that has it."""
    tried: list[Trial] = []
    for trial in trials:
        if all(trial.effect != other.effect for other in tried):
            tried.append(trial)
    return tried


def _among(choice: Choose, facts: Mapping[str, Json]) -> Choose:
    """Return a choice that names no man who cannot be chosen, as a standing wish may: what it does stays the same."""
    return replace(
        choice,
        kill=_only(choice.kill, facts.get("kill", ())),
        confuse=_only(choice.confuse, facts.get("confuse", ())),
    )


def _only(choice: Choice | None, men: Sequence[Mapping[str, Json]]) -> Choice | None:
    if choice is None or choice.how != "MAN":
        return choice
    there = {man["number"] for man in men}
    listed = tuple(number for number in choice.men if number in there)
    return Choice("MAN", listed) if listed else Choice("NEAR")


def _killable(battle: Battle, unit: Unit, men: Sequence[Man]) -> tuple[Man, ...]:
    """Return those of these men among whom one may be killed: ordinary ones first, where the edition has it so.

    None where an ordinary man dies who is not among them (CC-6.17, CC-7.19).
    """
    if not battle.switches.officers_last or all(man.role != "o" for man in unit.living):
        return tuple(men)
    return tuple(man for man in men if man.role == "o")


def _men(men: Iterable[Man]) -> list[Json]:
    return [{"number": man.number, "role": man.role, "place": man.place} for man in men]


def unfit(asked: Mapping[str, Json], answer: Choose) -> Fault | None:
    """Return why an answer does not answer a question, or names a man who cannot be chosen; None where it does.

    asked: the question as `Asking.plain` tells it.
    """
    parts = PARTS[asked["what"]]
    example = asked["forms"][0]
    if all(getattr(answer, part) is None for part in parts):
        message = "that is no answer to what was asked; one is {example}"
        return Fault("other-choice", message, {"example": example}, suggestion=example, rule="CC-7.17")
    for part in parts:
        choice = getattr(answer, part)
        men = {man["number"] for man in asked.get(part, ())}
        for number in choice.men if isinstance(choice, Choice) else ():
            if number not in men:
                message = "man {number} of {unit} cannot be chosen; there are {men}"
                known = ", ".join(map(str, sorted(men)))
                facts = {"number": number, "unit": asked["unit"], "men": known}
                return Fault("no-such-man", message, facts, suggestion=example, rule="CC-7.17")
    return None
