"""A case that waits is sent to whoever hears it by now, once: offices change hands, officers go on leave or come to
play, and games are moved to other events."""

from __future__ import annotations

from datetime import datetime

from referee.handlers.cases import NO_OFFICER
from referee.handlers.participants import who_hears
from referee.store.queries import Lookup


def unsent(lookup: Lookup, now: datetime, *, operator: bool) -> list[tuple[int, int]]:
    """Return the cases that wait and were not sent last to whoever hears them now: games, and numbers there.

    operator: letters go to whoever runs the service.
    """
    found = []
    for case in lookup.cases.waiting(None).waiting:
        if case.to_change:
            continue
        hearer = who_hears(lookup, case.competition, case.players, now, case.duty, case.ruled)
        if hearer is None and not operator:
            continue
        whom = hearer.player if hearer is not None else NO_OFFICER
        if lookup.cases.sent_to(case.game, case.number, case.duty)[-1:] != (whom,):
            found.append((case.game, case.number))
    return found
