"""Repeats what an umpire or the operator did without a letter, from the events that it left.

It is a part of the history of a service, see rebuild_history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from email.parser import BytesParser
from email.policy import default
from typing import Any

from referee.common.errors import UsageError
from referee.games import umpire_actions
from referee.games.clock_events import BY_UMPIRE
from referee.games.events import (
    ClaimAnswered,
    Ended,
    Event,
    Frozen,
    Opened,
    Paused,
    Replaced,
    Resumed,
    Ruled,
    Stated,
    TakenBack,
    Thawed,
    TimeAdded,
    Unwatched,
    Watched,
    Withdrawn,
    read_event,
)
from referee.games.game import fold_game
from referee.games.results import end_of, ruling_of
from referee.games.titles import names_in
from referee.rulebooks.rulebook import Seat
from referee.service.bootstrap import Application
from referee.service.referee import Referee
from referee.store.database import Store
from referee.store.history import Kept

_ALWAYS = (
    *(Frozen, Thawed, TakenBack, TimeAdded, Stated, Replaced),
    *(ClaimAnswered, Watched, Unwatched, Withdrawn),
)
"""Events that only a letter or a person can cause."""


class ByHand:
    """Repeats the umpire's actions. before: the store of the service whose history is repeated."""

    def __init__(self, kept: Kept, application: Application, store: Store, referee: Referee) -> None:
        self._kept = kept
        self._before = application.store
        self._rulebooks = application.service.rulebooks
        self._store = store
        self._referee = referee

    def do(
        self, game: int, kept: Sequence[tuple[str, dict[str, Any]]], errands: Callable[[], object]
    ) -> bool:
        """Repeat the action behind these events of a game; False, and nothing done, where nobody has acted.

        errands: continues officers' bulk actions in all games of a tournament.
        """
        events = [read_event(kind, body) for kind, body in kept]
        first = events[0]
        if isinstance(first, Opened):
            self._open(first, events, game)
        elif getattr(first, "in_all", False):
            errands()
            with suppress(UsageError):  # where the bulk action did it already
                self._act(game, events)
        elif any(map(_is_by_hand, events)):
            self._act(game, events)
        else:
            return False
        return True

    def person(self, player: int) -> tuple[str, str]:
        """Return the name and the address by which the new service knows a person, or will.

        Raises LookupError for a departed player.
        """
        name, address = self._kept.persons[player]
        try:
            with self._store.reading() as lookup:
                known = lookup.players.find(player)
        except LookupError:
            known = None
        if known is not None and known.name and known.address:
            return known.name, known.address
        return self._first_called(player) or (name, address)

    def _first_called(self, player: int, game: int | None = None) -> tuple[str, str] | None:
        """Return the name and the address of a person's first letter, perhaps about one game; None for none."""
        for each in self._kept.outgoing:
            if each.player == player and not each.erased and game in (None, each.game):
                head = self._before.history.sent_bytes(each.id).partition(b"\r\n\r\n")[0]
                said = BytesParser(policy=default).parsebytes(head, headersonly=True)["To"]
                return next((to.display_name for to in said.addresses), ""), each.recipient
        return None

    def _open(self, opened: Opened, events: Sequence[Event], number: int) -> None:
        record = ""
        if opened.brought is not None:
            game = fold_game(number, events, self._rulebooks.__getitem__)
            assert game is not None
            notes = [self._before.history.writing(each.text) for each in events if isinstance(each, Stated)]
            comments = "".join(f"; {line}\n" for note in notes for line in note.splitlines())
            record = game.rulebook.records.write(game.happenings, {}, None) + comments
        called = names_in(self._kept.titles[number], number)
        seats = {}
        for (seat, player), name in zip(opened.seats.items(), called, strict=False):
            _, address = self._kept.persons.get(player, ("", ""))
            _, first = self._first_called(player, number) or ("", address)
            seats[seat] = ("" if name == seat.capitalize() else name, first)
        event = ""
        if opened.competition is not None:
            with self._store.reading() as lookup:
                event = lookup.tournaments.find(opened.competition).name
        deal = "" if record else opened.deal
        self._referee.umpire.new_game(opened.rules, seats, opened.options, deal, event, record)

    def _act(self, game: int, events: Sequence[Event]) -> None:
        event, done = events[0], events[-1]
        by = getattr(event, "by", None) or None
        put_back = next((each for each in events if isinstance(each, Ruled) and each.again), None)
        match event:
            case _ if put_back is not None:
                self._referee.umpire.act(
                    game, umpire_actions.Restore(), put_back.reason, by=put_back.by or None
                )
            case Frozen(reason=reason):
                self._referee.umpire.freeze(game, reason)
            case Thawed():
                self._referee.umpire.thaw(game)
            case TakenBack(turn, seat, reason):
                self._take_back(game, turn, seat, reason, by, events)
            case Paused(until=until, reason=reason):
                self._referee.umpire.act(game, umpire_actions.Pause(until), reason, by=by, once=event.in_all)
            case Resumed(reason=reason):
                self._referee.umpire.act(game, umpire_actions.Resume(), reason, by=by, once=event.in_all)
            case TimeAdded(seconds=seconds, reason=reason):
                whom = event.seat if len(events) == 1 else None
                time = timedelta(seconds=seconds)
                self._referee.umpire.act(
                    game, umpire_actions.AddTime(time, whom), reason, by=by, once=event.in_all
                )
            case Stated(text=text):
                self._referee.umpire.act(
                    game, umpire_actions.Rule(), self._before.history.writing(text), by=by
                )
            case Replaced(seat=seat, player=player, reason=reason):
                self._referee.umpire.replace_player(game, seat, self.person(player), reason, by=by)
            case ClaimAnswered(claim=claim, text=text, verdict=verdict, unchanged=unchanged):
                said = self._before.history.writing(text)
                self._referee.umpire.rule_on_case(game, claim, said, verdict, by=by, unchanged=unchanged)
            case Watched(player=player, delay=delay):
                name, address = self.person(player)
                self._referee.umpire.watch(game, name, address, delay)
            case Unwatched(player=player):
                self._referee.umpire.watch_no_more(game, self.person(player)[1])
            case Withdrawn(reason=reason):
                self._referee.umpire.act(game, umpire_actions.Close(), reason)
            case _ if isinstance(done, Ruled):
                self._referee.umpire.act(
                    game, umpire_actions.ActFor(done.seat, done.order), done.reason, by=done.by or None
                )
            case _ if isinstance(done, Ended):
                end = umpire_actions.Adjudicate(end_of(done.result))
                self._referee.umpire.act(game, end, ruling_of(done.result), by=done.by, once=done.in_all)
            case _:
                raise ValueError(f"game {game}: nobody knows how {type(event).__name__} was done")

    def _take_back(
        self, game: int, turn: int, seat: Seat, reason: str, by: int | None, events: Sequence[Event]
    ) -> None:
        ruled = [each for each in events if isinstance(each, Ruled)]
        if not ruled:
            self._referee.umpire.take_back(game, turn, reason, seat=seat, by=by)
        else:
            self._referee.umpire.correct(game, ruled[0].order, reason, turn=turn, seat=seat, by=by)


def _is_by_hand(event: Event) -> bool:
    return (
        isinstance(event, _ALWAYS)
        or (isinstance(event, Paused | Resumed) and event.cause == BY_UMPIRE)
        or (isinstance(event, Ruled) and event.by is not None)
        or (isinstance(event, Ended) and bool(ruling_of(event.result)))
    )
