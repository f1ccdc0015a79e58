"""A turn happens again as its record tells it, saying by saying, each held against the rules (E5, E8).

What a player chose is taken from the record; all else is worked out: what stopped a unit, what a shot cost, who won a
combat, what follows from it. So a saying that the rules do not bear out is found where it stands, and no secret is
needed for that. Whether the cards lay so in the decks is asked of the decks where they are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from referee.rulebooks.cards.actions import Course
from referee.rulebooks.cards.battle import Battle, Told, happened
from referee.rulebooks.cards.combat_again import CARD, COMBAT, DECLARES, SIDE, CombatAgain, side_of
from referee.rulebooks.cards.decks import Decks
from referee.rulebooks.cards.deeds import DEEDS, UNIT, Deed, Impossible, must_be_active, pattern
from referee.rulebooks.cards.effects import HALFWAY_SAID, ON_THE_TABLE, PHASES, alike, say
from referee.rulebooks.cards.figures import SIDES
from referee.rulebooks.cards.happenings import waiting
from referee.rulebooks.cards.moving import STOOD
from referee.rulebooks.cards.rallying import walk_gunners
from referee.rulebooks.cards.turn import PHASE, end_turn, stop_halfway
from referee.rulebooks.cards.victory import end, off_the_table
from referee.rulebooks.rulebook import Happening, Result, Seat

HALFWAY = pattern(HALFWAY_SAID)
WALKED = pattern(rf"(?P<unit>{UNIT}) gunners go back\b.*")
CHOOSES = pattern(rf"{SIDE} chooses")
PHASE_BEGINS = pattern("|".join(PHASES.values()))
END = pattern(rf"(?:{SIDE} wins|Draw|No result)(?:: (?P<how>.*))?")


class Untrue(Exception):
    """A saying and the rules part. saying: as the record has it, "" where one is missing."""

    def __init__(self, saying: str, reason: str) -> None:
        super().__init__(reason)
        self.saying, self.reason = saying, reason


class Retelling:
    """One side's turn, or a half of one that takes two letters. decks: None where their order is not known. split:
    whether turns take two letters; the second is due where phase 1 of the battle is over.

    Every method raises Untrue at the first saying that cannot be.
    """

    def __init__(
        self, battle: Battle, first: Seat, decks: Decks | None = None, *, split: bool = False
    ) -> None:
        self._course = Course(battle)
        self._first = first
        self._left: list[str] = []
        self._split, self._halfway = split, False
        self._phase = 1
        self._walked = battle.phase > 1
        self._combat = CombatAgain(decks)

    @property
    def battle(self) -> Battle:
        return self._course.battle

    def tell(self, sayings: Sequence[str], how: str = "") -> tuple[Happening, ...]:
        """Let these things happen; return what happens. how: how the battle ended, where it did not on the table."""
        told = len(self._course.happenings)
        self._left = list(sayings)
        while self._left:
            self._next(how)
        return tuple(self._course.happenings[told:])

    def pass_on(self) -> tuple[Happening, ...]:
        """Let the turn come to its end: what was not done in it, and then the other side's begins."""
        told = len(self._course.happenings)
        self._left = []
        self._end_turn()
        return tuple(self._course.happenings[told:])

    # --- one saying

    def _next(self, how: str) -> None:
        saying = self._left[0]
        if self._course.over:
            raise Untrue(saying, "the battle was over before")
        if self._halfway:
            raise Untrue(saying, "the second letter of the turn is waited for, and has a row of its own")
        try:
            for form, (phase, deed) in DEEDS.items():
                if found := form.fullmatch(saying):
                    self._do(phase, deed, found)
                    return
            for form, tell in self._others.items():
                if found := form.fullmatch(saying):
                    tell(found)
                    return
            if found := END.fullmatch(saying):
                self._end(found, how)
                return
        except Impossible as why:
            raise Untrue(saying, str(why)) from None
        raise Untrue(saying, "nothing brings this about here, or it cannot be read")

    @property
    def _others(self) -> Mapping[re.Pattern[str], Callable[[re.Match[str]], None]]:
        """What is no deed by itself, and how it comes about again."""
        return {
            WALKED: self._gunners_walk,
            DECLARES: self._declared,
            CARD: self._card,
            COMBAT: self._fought,
            CHOOSES: self._chooses,
            HALFWAY: self._stop_halfway,
            PHASE_BEGINS: self._phase_begins,
        }

    def _do(self, phase: int, deed: Deed, found: re.Match[str]) -> None:
        # The phase comes first, for what happens as it begins may change what can be done in it; whose deed it is
        # comes before that, so that nobody's phase begins by the other's deed.
        for name in ("unit", "commander", "cannon"):
            if phase and name in found.groupdict():
                self._must_be_active(found[name].upper())
        if phase:
            self._come_to(phase)
        self._take(deed(self.battle, found))

    def _take(self, told: Told) -> None:
        """Let a thing happen with what follows from it, and hold that against the sayings that come next."""
        before, saying = len(self._course.happenings), self._left[0] if self._left else ""
        self._course.go_on(told)
        for happening in self._course.happenings[before:]:
            if happening.code == STOOD:
                raise Untrue(saying, f"by the rules this cannot be done here ({happening.rule})")
            self._expect(say(happening))

    def _expect(self, said: str) -> None:
        if not said:
            return
        if not self._left:
            raise Untrue("", f"by the rules `{said}` follows here")
        if alike(self._left[0]) != alike(said):
            raise Untrue(self._left[0], f"by the rules it is `{said}`")
        del self._left[0]

    # --- the phases

    def _must_be_active(self, id: str) -> None:
        must_be_active(self.battle, next(side for side in SIDES if side[0].upper() == id[0]), id)

    def _come_to(self, phase: int) -> None:
        """Let the earlier phases end (CC-2.1)."""
        if self._phase > phase or (phase == 1 and self._walked):
            raise Impossible(f"phase {phase} of the turn was over before (CC-2.1)")
        self._to_phase(phase)

    def _to_phase(self, phase: int) -> None:
        while self._phase < phase and not self._course.over:
            if not self._walked:
                self._walk()
                continue
            battle, self._phase = self.battle, self._phase + 1
            then = replace(battle, phase=self._phase)
            self._take((then, (happened(battle, then, PHASE, "CC-2.1", phase=self._phase),)))

    def _walk(self) -> None:
        self._walked = True
        for unit in self.battle.of(self.battle.active):
            if not self._course.over and unit.id in self.battle.units:
                self._take(walk_gunners(self.battle, unit.id))

    def _stop_halfway(self, found: re.Match[str]) -> None:
        if not self._split:
            raise Impossible("the turns of this battle take one letter, by its head (E3)")
        if self._phase > 1 or self.battle.phase > 1:
            raise Impossible("phase 1 of the turn was over before (CC-2.1)")
        if not self._walked:
            self._walk()
        self._take(stop_halfway(self.battle))
        self._halfway = True

    def _end_turn(self) -> None:
        self._to_phase(3)
        if not self._course.over:
            self._take(end_turn(self.battle, self._first))

    def _gunners_walk(self, found: re.Match[str]) -> None:
        self._must_be_active(found["unit"].upper())
        self._come_to(1)
        before = len(self._left)
        self._walk()
        if len(self._left) == before:
            raise Impossible("by the rules no gunners go back here (CC-5.10)")

    def _phase_begins(self, found: re.Match[str]) -> None:
        phase = next(number for number, word in PHASES.items() if word == found[0].lower())
        del self._left[0]
        self._to_phase(phase)

    # --- combats

    def _declared(self, found: re.Match[str]) -> None:
        self._must_be_active(found["unit"].upper())
        self._come_to(3)
        self._take(self._combat.declare(self.battle, found))

    def _card(self, found: re.Match[str]) -> None:
        card = found["card"]
        if card is None and len(self._left) > 1 and (behind := CARD.fullmatch(self._left[1])):
            card = behind["card"]
        self._take(self._combat.turn_card(self.battle, side_of(found), card))

    def _fought(self, found: re.Match[str]) -> None:
        self._take(self._combat.fight(self.battle, found))

    # --- a choice, and the end

    def _chooses(self, found: re.Match[str]) -> None:
        told = waiting(side_of(found))
        self._expect(say(told))
        self._course.happenings.append(told)

    def _end(self, found: re.Match[str], how: str) -> None:
        said = (found["how"] or "").strip()
        if said in ON_THE_TABLE:
            before = len(self._left)
            self._end_turn()
            if len(self._left) == before:
                raise Impossible("by the rules nobody has won here, and it is no draw")
            return
        if said or not how or how in ON_THE_TABLE:
            raise Impossible(
                "if it ended off the table, the head must say how, as in `Result = Red wins: by resignation`"
            )
        winner = side_of(found) if found["side"] else None
        void = found[0].lower().startswith("no")
        self._take(end(self.battle, off_the_table(Result(winner, how, void))))
