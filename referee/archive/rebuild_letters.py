"""When each incoming letter was processed, and how it got its outcome: a part of the history of a service.

Most are processed once, by the service. One that made the service fail was set aside. The operator may have a
held or set-aside letter processed again, or give it up. That is repeated, too, at the time when it was done,
as far as it is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from referee.service.referee import Referee
from referee.store.history import CameIn, Kept

_APART = timedelta(seconds=2)
"""The effects of a letter within this time belong to one processing."""
_GIVEN_UP = "given up by the operator: "
_BY_THE_HOUSE = ("confirmed by letter ", "the same letter as number ")
"""How reasons begin of letters that were held and got another outcome by a letter, not by the operator."""
_NEVER_HEARD = "the service may have ended by it"
_NO_REASON = "it made the service fail"

What = Literal["settled", "set aside", "settled again", "given up"]


@dataclass(frozen=True, slots=True)
class Heard:
    """The processing of a letter.

    told: of one that was set aside, whether its writer was told.
    early: before anything else at the same instant.
    """

    at: datetime
    letter: CameIn
    what: What
    told: bool = False
    early: bool = False

    def do(self, referee: Referee) -> None:
        """Repeat it, in a service that has recorded the letter."""
        number, reason = self.letter.number, self.letter.reason or _NO_REASON
        match self.what:
            case "settled":
                referee.letters.settle(number)
            case "set aside":
                referee.letters.give_up(number, reason, tell=self.told, read=self.letter.read)
            case "settled again":
                referee.letters.settle_again(number)
            case "given up":
                referee.letters.drop(number, reason.removeprefix(_GIVEN_UP))


def hearings(kept: Kept) -> list[Heard]:
    """Return how all remaining letters were processed."""
    wrought = _wrought(kept)
    recorded = {each.number: each.recorded for each in kept.letters}
    return [
        heard
        for letter in kept.letters
        if letter.outcome is not None and not letter.erased
        for heard in _hearings(letter, wrought.get(letter.number, ()), recorded, kept)
    ]


def _wrought(kept: Kept) -> Mapping[int, Sequence[datetime]]:
    """Return when letters have had effects: for each letter the beginning of each group of effects."""
    times: defaultdict[int, set[datetime]] = defaultdict(set)
    for sent in kept.outgoing:
        if sent.answers is not None:
            times[sent.answers].add(sent.created)
    events: dict[int, datetime] = {}
    for event in kept.events:
        if event.letter is not None:
            times[event.letter].add(event.at)
            events[event.letter] = event.at
    return {letter: _begins(at, events.get(letter)) for letter, at in times.items()}


def _begins(times: set[datetime], event: datetime | None) -> list[datetime]:
    """Return the beginning of each group of instants; an event's time is the one that the service has used."""
    begins: list[datetime] = []
    last = None
    for at in sorted(times):
        if last is None or at > last + _APART:
            begins.append(at)
        if at == event:
            begins[-1] = at
        last = at
    return begins


def _hearings(
    letter: CameIn, wrought: Sequence[datetime], recorded: Mapping[int, datetime], kept: Kept
) -> Iterator[Heard]:
    last = wrought[-1] if wrought else letter.recorded
    dropped = letter.reason.startswith(_GIVEN_UP)
    if dropped and letter.reason.endswith(_NEVER_HEARD):
        at = _given_up_at(letter, letter.number + 1, recorded, kept)
        yield Heard(at, letter, "set aside", early=True)
        yield Heard(at, letter, "given up", early=True)
    elif dropped:
        yield Heard(last, letter, "set aside", told=bool(wrought))
        assert letter.again is not None, "it had an outcome before"
        at = _given_up_at(letter, letter.again, recorded, kept)
        yield Heard(max(at, last), letter, "given up", early=at > last)
    elif letter.again is not None and not letter.reason.startswith(_BY_THE_HOUSE):
        told = len(wrought) > 1 or (bool(wrought) and letter.outcome in ("ignored", "set-aside"))
        first = wrought[0] if told else letter.recorded
        yield Heard(first, letter, "settled" if letter.held_for else "set aside", told=told)
        # Without effects, it was not before the last letter that was here already.
        earliest = max(recorded.get(letter.again - 1, letter.recorded), first)
        yield Heard(max(last, earliest), letter, "settled again")
    elif letter.outcome == "set-aside" and letter.whole:
        yield Heard(last, letter, "set aside", told=bool(wrought))
    else:
        yield Heard(last, letter, "settled")


def _given_up_at(letter: CameIn, again: int, recorded: Mapping[int, datetime], kept: Kept) -> datetime:
    """Return when the operator may have given a letter up: as late as possible.

    It was before the next letter arrived, and before anything happened in its game without a letter, since
    that may have waited for it.
    """
    since = recorded.get(again - 1, letter.recorded)
    passed = (
        each.at
        for each in kept.events
        if each.game == letter.game and each.letter is None and each.at > since
    )
    last = max((each.created for each in kept.outgoing), default=since)
    return min(recorded.get(again, last), next(passed, last))
