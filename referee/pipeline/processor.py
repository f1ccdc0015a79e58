"""Takes letters in and settles them, one transaction each. `stages` shows what happens to one letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from referee.commands.command_table import TOPICS
from referee.commands.grammar import Grammar
from referee.common.errors import UsageError
from referee.handlers.deadlines import OLD
from referee.handlers.private_orders import is_confided
from referee.mail.message.message import RawLetter
from referee.mail.message.outline import read_outline
from referee.pipeline import held
from referee.pipeline.arrival import give_up
from referee.pipeline.game_resolver import seems_about
from referee.pipeline.letter_context import Disposition, LetterContext
from referee.pipeline.runtime import Runtime
from referee.pipeline.stages import process_letter
from referee.store.letter_ordering import PassedOver
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import Outcome, StoredLetter

MOST_ENDS = 5
"""The number of crashes with a letter in hand after which it is no longer heard, but set aside."""


@dataclass(frozen=True, slots=True)
class ProcessingResult:
    """The outcome of a letter. moves: orders ruled on. refused: nothing in it was accepted."""

    number: int
    outcome: Outcome
    reason: str = ""
    game: int | None = None
    moves: int = 0
    refused: bool = False


class LetterProcessor:
    """Takes letters in and settles them, one at a time."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._store = runtime.store
        self._service = runtime.service
        self._clock = runtime.clock
        self._passed_over = PassedOver()
        self._failed: dict[int, frozenset[str]] = {}
        """Letters that have just made the service fail, and what each is about."""
        self._grammar = Grammar(
            looks_like_order=self._looks_like_order,
            rules=tuple(self._service.rulebooks),
            topics=TOPICS,
            is_confided=self._is_confided,
        )

    def _looks_like_order(self, text: str) -> bool:
        return any(rulebook.notation.looks_like_order(text) for rulebook in self._service.rulebooks.values())

    def _is_confided(self, text: str) -> bool:
        return any(is_confided(rulebook, text) for rulebook in self._service.rulebooks.values())

    def take_in(self, letters: Sequence[RawLetter]) -> int:
        """Record letters from the mailbox, each once; return how many are new."""
        return len(self._store.incoming.record(letters))

    def waiting(self, most: int) -> Iterator[list[int]]:
        """Yield the numbers of the letters to be settled, in their order, up to `most` at a time."""
        numbers = self._store.incoming.waiting(most)
        suspected = {number: self._seems_about(number) for number in self._store.incoming.suspects()}
        self._passed_over.begin(min(numbers, default=0), suspected | self._failed)
        while numbers:
            yield numbers
            numbers = self._store.incoming.waiting(most, after=numbers[-1])

    @property
    def has_passed_over(self) -> bool:
        """Whether letters had to wait for what another process has in hand since `waiting` was called."""
        return self._passed_over.contested

    def waits_its_turn(self, number: int) -> bool:
        """Return whether a letter had to wait for earlier ones about the same, since `waiting` was called."""
        return self._passed_over.has(number)

    def put_off(self, number: int) -> None:
        """Postpone a letter that has just made the service fail; later ones about the same wait for it."""
        self._failed[number] = about = self._seems_about(number)
        self._passed_over.add(number, about)

    def is_put_off(self, number: int) -> bool:
        """Return whether a letter is postponed."""
        return number in self._failed

    def take_up_again(self) -> bool:
        """Let postponed letters be tried again; return whether any letter waits for others."""
        self._failed.clear()
        return self._passed_over.any_waits

    def _seems_about(self, number: int) -> frozenset[str]:
        """Return what a letter is about that cannot be heard now, as far as that can be determined."""
        about: frozenset[str] = frozenset()
        with self._runtime.apart("what a letter is about cannot be told", letter=number):
            outline = read_outline(self._store.incoming.head(number), self._service.address)
            with self._store.reading() as lookup:
                about = seems_about(lookup, outline)
        return about

    def settle(self, number: int) -> ProcessingResult | None:
        """Settle a recorded letter. None when it is settled already, or another process has it in hand.

        Raises Contested when it has to wait for an earlier one about the same that is postponed, or that
        another process has in hand.
        """
        return self._settle(number, process_letter)

    def suspects(self) -> list[int]:
        """Return the numbers of letters that may have crashed the service several times; `waiting` excludes these."""
        return self._store.incoming.suspects()

    def settle_suspect(self, number: int) -> ProcessingResult | None:
        """Settle a letter that may crash the service; it is set aside when it has done so too often.

        For the rest see `settle`.
        """
        with self._store.incoming.trying(number) as ends:
            if ends is None:
                return None
            if ends <= MOST_ENDS:
                return self.settle(number)
            reason = f"the service has ended {ends - 1} times with it in hand"
            is_tried = ends == MOST_ENDS + 1
            return self.give_up(number, reason, tell=is_tried, read=is_tried)

    def give_up(self, number: int, reason: str, *, tell: bool, read: bool = True) -> ProcessingResult | None:
        """Set a letter aside that has made the service fail too often.

        tell: tell its writer, if they are known.
        read: False if not even the header can be read.
        """
        return self._settle(number, lambda context: give_up(context, reason, tell=tell, read=read))

    def settle_again(self, number: int) -> ProcessingResult:
        """Settle a letter again that was held or set aside, now that the cause is repaired.

        It is heard as if it arrived now, except that no move in it counts when its game has gone on. Raises
        UsageError for a letter with which that cannot be done, Contested when one about the same is being
        heard.
        """
        with self._store.settling(number, PassedOver()) as unit:
            stored = unit.letters.get(number, decided=True)
            if stored is None:
                raise UsageError(f"There is no letter {number}, or it is just being settled.")
            _check_unsettled(stored, ("set-aside", "held"), "settled again")
            if not stored.digest:
                raise UsageError(
                    f"The mailbox does not hand letter {number} over; see what is wrong with it there. It is asked for "
                    "again each hour, and when the service starts."
                )
            if stored.content is None or stored.too_large:
                raise UsageError(
                    f"Letter {number} was never taken in as a whole; see `referee letters show {number}`, "
                    "mend the cause and put the letter back into the mailbox."
                )
            context = self.hear(unit, stored)
            end = self._bring(unit, context, number, process_letter)
        return self._settled(number, context, end)

    def drop(self, number: int, reason: str) -> None:
        """Give up a letter that was set aside.

        It remains recorded, as ignored, with the operator's reason and the old one. Raises UsageError for a
        letter that was not set aside, unless it may have crashed the service.
        """
        is_suspect = number in self._store.incoming.suspects()
        with self._store.unit() as unit:
            stored = unit.letters.get(number, decided=True)
            line = unit.letters.summary(number)
            if stored is None or line is None:
                raise UsageError(f"There is no letter {number}, or it is just being settled.")
            if not is_suspect:
                _check_unsettled(stored, ("set-aside",), "given up")
            before = (
                f"it was set aside: {line.reason}" if stored.outcome else "the service may have ended by it"
            )
            unit.letters.conclude(
                number,
                outcome="ignored",
                reason=f"given up by the operator: {reason}; {before}",
                game=line.game,
                commands=line.commands,
                sender=line.sender,
            )

    def looked(self, at: datetime | None = None) -> None:
        """Record that the mailbox was read and everything in it was taken in; until then, nobody's time runs.

        at: when that reading began; None for now.
        """
        self._store.looked(self._service.time.outage_after, at)

    def _settle(self, number: int, end_of: Callable[[LetterContext], Disposition]) -> ProcessingResult | None:
        with self._store.settling(number, self._passed_over) as unit:
            stored = unit.letters.get(number)
            if stored is None:
                self._passed_over.in_hand_elsewhere(number)
                return None
            context = self.hear(unit, stored)
            end = self._bring(unit, context, number, end_of)
        return self._settled(number, context, end)

    def hear(self, unit: UnitOfWork, stored: StoredLetter) -> LetterContext:
        now = self._clock.now()
        return LetterContext(
            unit, self._service, now, self._runtime.draws, self._grammar, self._runtime.games, stored
        )

    def _bring(
        self,
        unit: UnitOfWork,
        context: LetterContext,
        number: int,
        end_of: Callable[[LetterContext], Disposition],
    ) -> Disposition:
        """Settle a letter, within a unit."""
        end = end_of(context)
        unit.letters.conclude(
            number,
            outcome=end.outcome,
            reason=end.reason,
            game=end.game,
            commands=end.commands,
            sender=context.sender,
            held_for=end.held_for,
        )
        if end.held_for is not None:
            held.ask_owner(context, end.held_for, certain=end.reason in OLD)
        return end

    def _settled(self, number: int, context: LetterContext, end: Disposition) -> ProcessingResult:
        """Return the outcome of a letter; only after the commit."""
        self._runtime.remember(context.effects.games)
        return ProcessingResult(
            number, end.outcome, end.reason, end.game, context.effects.moves, context.effects.refused
        )


def _check_unsettled(letter: StoredLetter, outcomes: Sequence[Outcome], what: str) -> None:
    """Raise UsageError for a letter that has none of these outcomes. what: the action that was wanted."""
    if letter.outcome not in outcomes:
        state = letter.outcome or "waiting to be settled by the service"
        raise UsageError(
            f"Letter {letter.number} is {state}: only one that is {' or '.join(outcomes)} can be {what}."
        )
