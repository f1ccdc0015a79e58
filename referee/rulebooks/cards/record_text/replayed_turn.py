"""A turn, replayed from its record effect by effect, each compared with the rules (E5, E8).

What a player chose is taken from the record. All else is calculated: what stopped a unit, what a shot cost, who won a
combat, what follows from it. So an effect that the rules do not confirm is found where it stands, and no secret is
needed for that. Whether the cards lay so in the decks is checked where the decks are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.rulebooks.cards.actions import Resolution
from referee.rulebooks.cards.battle import Battle, Outcome
from referee.rulebooks.cards.decks import SHUFFLED, TURNED, Decks
from referee.rulebooks.cards.fighting import DECLARED, FOUGHT
from referee.rulebooks.cards.happenings import WAITING, waiting
from referee.rulebooks.cards.moving import STOOD
from referee.rulebooks.cards.rallying import WALKED, walk_gunners
from referee.rulebooks.cards.record_text.effects import ON_THE_TABLE, effect_text, read_effect
from referee.rulebooks.cards.record_text.replayed_actions import ACTIONS, Impossible, must_be_active
from referee.rulebooks.cards.record_text.replayed_combat import ReplayedCombat
from referee.rulebooks.cards.record_text.templates import Values, same_text
from referee.rulebooks.cards.turn import HALFWAY, PHASE, begin_phase, end_turn, stop_halfway
from referee.rulebooks.cards.victory import ENDED, end, off_the_table
from referee.rulebooks.rulebook import Happening, Result, Seat


class WrongEffect(Exception):
    """An effect does not agree with the rules. text: as the record has it, "" where one is missing."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(reason)
        self.text, self.reason = text, reason


class ReplayedTurn:
    """One side's turn, or a half of one that takes two letters.

    decks: None where their order is not known.
    split: whether turns take two letters. The second letter is due where phase 1 of the battle is over.

    Every method raises Untrue at the first effect that cannot be.
    """

    def __init__(
        self, battle: Battle, first: Seat, decks: Decks | None = None, *, split: bool = False
    ) -> None:
        self._resolution = Resolution(battle)
        self._first = first
        self._left: list[str] = []
        self._split, self._halfway = split, False
        self._phase = 1
        self._walked = battle.phase > 1
        self._combat = ReplayedCombat(decks)
        self._how = ""
        self._steps: Mapping[str, Callable[[Values], None]] = {
            WALKED: self._gunners_walk,
            DECLARED: self._declare,
            SHUFFLED: self._turn_card,
            TURNED: self._turn_card,
            FOUGHT: lambda told: self._take(self._combat.fight(self.battle, told)),
            WAITING: self._wait,
            HALFWAY: self._stop_halfway,
            PHASE: self._begin_phase,
            ENDED: self._end,
        }
        """How each effect that is no action by itself is replayed."""

    @property
    def battle(self) -> Battle:
        return self._resolution.battle

    def replay(self, texts: Sequence[str], how: str = "") -> tuple[Happening, ...]:
        """Replay these effects; return what happens. how: how the battle ended, where it did not on the table."""
        before = len(self._resolution.happenings)
        self._left, self._how = list(texts), how
        while self._left:
            self._next()
        return tuple(self._resolution.happenings[before:])

    def pass_on(self) -> tuple[Happening, ...]:
        """Bring the turn to its end: what was not done in it, and then the other side's begins."""
        before = len(self._resolution.happenings)
        self._left = []
        self._end_turn()
        return tuple(self._resolution.happenings[before:])

    # --- one effect

    def _next(self) -> None:
        text = self._left[0]
        if self._resolution.over:
            raise WrongEffect(text, "the battle was over before")
        if self._halfway:
            raise WrongEffect(text, "the second letter of the turn is waited for, and has a row of its own")
        code, told = read_effect(text) or ("", {})
        try:
            if code in ACTIONS:
                self._act(code, told)
                return
            if code in self._steps:
                self._steps[code](told)
                return
        except Impossible as why:
            raise WrongEffect(text, str(why)) from None
        raise WrongEffect(text, "nothing brings this about here, or it cannot be read")

    def _act(self, code: str, told: Values) -> None:
        phase, act = ACTIONS[code]
        if phase:
            self._come_to(phase, str(told.get("unit") or told.get("commander") or told.get("cannon")))
        self._take(act(self.battle, told))

    def _take(self, outcome: Outcome) -> None:
        """Take what a rule brings with what follows from it, and compare that with the effects that come next."""
        before, text = len(self._resolution.happenings), self._left[0] if self._left else ""
        self._resolution.take(outcome)
        for happening in self._resolution.happenings[before:]:
            if happening.code == STOOD:
                raise WrongEffect(text, f"by the rules this cannot be done here ({happening.rule})")
            self._expect(happening)

    def _expect(self, happening: Happening) -> None:
        if not (text := effect_text(happening)):
            return
        if not self._left:
            raise WrongEffect("", f"by the rules `{text}` follows here")
        if not same_text(self._left[0], text):
            raise WrongEffect(self._left[0], f"by the rules it is `{text}`")
        del self._left[0]

    # --- the phases

    def _come_to(self, phase: int, id: str) -> None:
        """Let the earlier phases end for an action of a unit, a commander or a cannon (CC-2.1).

        Whose action it is comes first, so that no phase begins by an action of the other side. The phase comes before
        the action, for what happens as it begins may change what can be done in it.
        """
        must_be_active(self.battle, id)
        if self._phase > phase or (phase == 1 and self._walked):
            raise Impossible(f"phase {phase} of the turn was over before (CC-2.1)")
        self._to_phase(phase)

    def _to_phase(self, phase: int) -> None:
        while self._phase < phase and not self._resolution.over:
            if not self._walked:
                self._walk()
                continue
            self._phase += 1
            self._take(begin_phase(self.battle, self._phase))

    def _walk(self) -> None:
        self._walked = True
        for unit in self.battle.of(self.battle.active):
            if not self._resolution.over and unit.id in self.battle.units:
                self._take(walk_gunners(self.battle, unit.id))

    def _gunners_walk(self, told: Values) -> None:
        self._come_to(1, told["unit"])
        before = len(self._left)
        self._walk()
        if len(self._left) == before:
            raise Impossible("by the rules no gunners go back here (CC-5.10)")

    def _begin_phase(self, told: Values) -> None:
        del self._left[0]
        self._to_phase(told["phase"])

    def _stop_halfway(self, told: Values) -> None:
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
        if not self._resolution.over:
            self._take(end_turn(self.battle, self._first))

    # --- combats

    def _declare(self, told: Values) -> None:
        self._come_to(3, told["unit"])
        self._take(self._combat.declare(self.battle, told))

    def _turn_card(self, told: Values) -> None:
        card = told.get("card")
        if card is None and len(self._left) > 1 and (behind := read_effect(self._left[1])):
            card = behind.values.get("card")
        self._take(self._combat.turn_card(self.battle, told["side"], card))

    # --- a choice, and the end

    def _wait(self, told: Values) -> None:
        happening = waiting(told["side"])
        self._expect(happening)
        self._resolution.happenings.append(happening)

    def _end(self, told: Values) -> None:
        result: Result = told["result"]
        if result.how in ON_THE_TABLE:
            before = len(self._left)
            self._end_turn()
            if len(self._left) == before:
                raise Impossible("by the rules nobody has won here, and it is no draw")
            return
        if result.how or not self._how or self._how in ON_THE_TABLE:
            raise Impossible(
                "if it ended off the table, the head must say how, as in `Result = Red wins: by resignation`"
            )
        self._take(end(self.battle, off_the_table(Result(result.winner, self._how, result.void))))
