"""When each letter that came in was heard, and how it came by its outcome: a part of the course of a house.

Most are heard once, by the house. One that made the house fail was set aside, and one that is held or set aside may be
settled again by the operator, or given up by him: that is done again, too, and as far as it is known when it was.
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
"""What a letter has brought about within this time was brought about at once."""
_GIVEN_UP = "given up by the operator: "
_BY_THE_HOUSE = ("confirmed by letter ", "the same letter as number ")
"""How reasons begin of letters that were held and have another outcome by a letter, not by the operator."""
_NEVER_HEARD = "the service may have ended by it"
_NO_REASON = "it made the house fail"

What = Literal["settled", "set aside", "settled again", "given up"]


@dataclass(frozen=True, slots=True)
class Heard:
    """That a letter was heard. told: of one that was set aside, whether its writer was told so. early: before whatever
    came to pass at the same instant."""

    at: datetime
    letter: CameIn
    what: What
    told: bool = False
    early: bool = False

    def do(self, house: Referee) -> None:
        """Do it again, in a house that has taken the letter in."""
        number, reason = self.letter.number, self.letter.reason or _NO_REASON
        match self.what:
            case "settled":
                house.letters.settle(number)
            case "set aside":
                house.letters.give_up(number, reason, tell=self.told, read=self.letter.read)
            case "settled again":
                house.letters.settle_again(number)
            case "given up":
                house.letters.drop(number, reason.removeprefix(_GIVEN_UP))


def hearings(kept: Kept) -> list[Heard]:
    """Return how all letters were heard that are still here."""
    wrought = _wrought(kept)
    recorded = {each.number: each.recorded for each in kept.letters}
    return [
        heard
        for letter in kept.letters
        if letter.outcome is not None and not letter.erased
        for heard in _hearings(letter, wrought.get(letter.number, ()), recorded, kept)
    ]


def _wrought(kept: Kept) -> Mapping[int, Sequence[datetime]]:
    """Return when letters have brought something about: for each the begin of what came at once."""
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
    """Return the begin of each group of instants; the time of an event is the one that the house has reckoned with."""
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
        # If nothing came of it, it was not before the last letter that was here already.
        earliest = max(recorded.get(letter.again - 1, letter.recorded), first)
        yield Heard(max(last, earliest), letter, "settled again")
    elif letter.outcome == "set-aside" and letter.whole:
        yield Heard(last, letter, "set aside", told=bool(wrought))
    else:
        yield Heard(last, letter, "settled")


def _given_up_at(letter: CameIn, again: int, recorded: Mapping[int, datetime], kept: Kept) -> datetime:
    """Return when the operator may have given a letter up: as late as can be, but before the next letter came in, and
    before anything came to pass in its game without a letter, which may have waited for that."""
    since = recorded.get(again - 1, letter.recorded)
    passed = (
        each.at
        for each in kept.events
        if each.game == letter.game and each.letter is None and each.at > since
    )
    last = max((each.created for each in kept.outgoing), default=since)
    return min(recorded.get(again, last), next(passed, last))
