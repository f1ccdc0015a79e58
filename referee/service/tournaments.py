"""Creates and changes tournaments, and gives and takes offices, each in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from referee.common.chance import Draws, SystemDraws
from referee.common.clock import Clock
from referee.common.errors import UsageError
from referee.common.i18n import N_
from referee.games.player import Player
from referee.games.player_names import check_name, holds_word, skeleton
from referee.games.tournaments.changes import Change, changes_between
from referee.games.tournaments.officers import OFFICES, Office, office_called
from referee.games.tournaments.reading import check_title
from referee.games.tournaments.tournament import Competition, tidy_title
from referee.handlers.composer import Composer
from referee.handlers.former_addresses import who_left
from referee.handlers.letter_content import LetterContent
from referee.handlers.service_config import ServiceConfig
from referee.mail.message.addresses import is_service
from referee.reports.report import Note
from referee.store.database import Store
from referee.store.queries import Lookup
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import StoredCompetition


@dataclass(frozen=True, slots=True)
class Amendment:
    """What a new file changes in a tournament. running: how many of its games are being played."""

    event: str
    changes: tuple[Change, ...]
    running: int


@dataclass(frozen=True, slots=True)
class Appointment:
    """The new holder of an office.

    instead_of: the previous holder, "" for nobody.
    newcomer: the holder was registered for it.
    warnings: sentences about what is possible but seldom intended.
    """

    event: str
    office: Office
    name: str
    instead_of: str = ""
    newcomer: bool = False
    warnings: tuple[str, ...] = ()


class TournamentService:
    """Manages the tournaments of a service."""

    def __init__(
        self, store: Store, service: ServiceConfig, clock: Clock, draws: Draws | None = None
    ) -> None:
        self._store = store
        self._service = service
        self._clock = clock
        self._draws = draws or SystemDraws()

    def make(self, terms: Competition, *, dry_run: bool = False) -> None:
        """Create a tournament. dry_run: only check whether that is possible.

        Raises UsageError when the name is impossible, or when another tournament has it or one that looks
        like it.
        """
        terms = _titled(terms)
        with self._store.unit() as unit:
            _check_free(unit, terms.name)
            if not dry_run:
                unit.tournaments.add(terms)

    def change(self, name: str, terms: Competition, reason: str, *, dry_run: bool = False) -> Amendment:
        """Give a tournament other settings.

        reason: a sentence, stored with them.
        dry_run: only return what would change.

        Nothing is stored where nothing changes. Raises UsageError for an unknown tournament, or a name that
        is taken or impossible.
        """
        terms = _titled(terms)
        with self._store.unit() as unit:
            event = unit.tournaments.find_named(name)
            if skeleton(terms.name) != skeleton(event.name):
                _check_free(unit, terms.name)
            changes = changes_between(event.terms, terms)
            if changes and not dry_run:
                unit.tournaments.change(event.number, terms, reason)
                unit.clocks.wake_tournament(event.number)
            running = unit.games.count_playing(event.number)
        return Amendment(event.name, changes, running)

    def appoint(self, name: str, office: Office, who: tuple[str, str]) -> Appointment:
        """Give a person an office in a tournament; tell them and the previous holder.

        who: a name ("" where the person has one) and an address; an unregistered person is registered.
        Raises UsageError for an unknown tournament, and for a person who cannot hold the office.
        """
        with self._store.unit() as unit:
            event = unit.tournaments.find_named(name)
            player, newcomer = self._officer(unit, *who)
            held = {each.office: each.player for each in event.officers}
            if held.get(office) == player.number:
                raise UsageError(f"{player.name} is the {office_called(office)} of {event.name} already.")
            rival: Office | None = {"umpire": "deputy", "deputy": "umpire"}.get(office)  # type: ignore[assignment]
            if rival and held.get(rival) == player.number:
                raise UsageError(
                    f"{player.name} is the {rival} of {event.name}: the deputy stands in for the umpire, and must be "
                    "somebody else."
                )
            now = self._clock.now()
            unit.tournaments.appoint(event.number, office, player.number, now)
            post = self._post(unit, f"{event.number} {office}", now)
            beside = tuple(
                {"office": each, "name": unit.players.find(held[each]).name}
                for each in OFFICES
                if each in held and each != office and held[each] != player.number
            )
            told = {"name": player.name, "newcomer": newcomer, "beside": beside}
            self._tell(post, player.number, "office", event, office, told)
            before = held.get(office)
            if before is not None:
                self._tell(post, before, "office-over", event, office)
            instead = post.player(before).name if before is not None else ""
            warnings = _warnings(unit, event, office, player)
        return Appointment(event.name, office, player.name, instead, newcomer, warnings)

    def dismiss(self, name: str, office: Office, address: str) -> Appointment:
        """Take an office from its holder, and tell them.

        address: the holder's, so that nobody is dismissed by mistake.

        Raises UsageError when the person does not hold it.
        """
        with self._store.unit() as unit:
            event = unit.tournaments.find_named(name)
            holder = next((each.player for each in event.officers if each.office == office), None)
            if holder is None:
                raise UsageError(f"{event.name} has no {office_called(office)}.")
            player = unit.players.by_address(address)
            if player is None or player.number != holder:
                raise UsageError(
                    f"The {office_called(office)} of {event.name} is {unit.players.find(holder).name}, who has another "
                    f"address than {address}."
                )
            now = self._clock.now()
            unit.tournaments.dismiss(event.number, office, now)
            self._tell(
                self._post(unit, f"{event.number} {office}", now), holder, "office-over", event, office
            )
        return Appointment(event.name, office, player.name)

    def _post(self, unit: UnitOfWork, what: str, now: datetime) -> Composer:
        """Return the composer of letters about an office. now: the instant that is stored for the office, too."""
        return Composer(unit, self._service, now, self._draws, _at(now, what))

    def _tell(
        self,
        post: Composer,
        player: int,
        code: str,
        event: StoredCompetition,
        office: Office,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """Write to a player about their office."""
        facts = {"event": event.name, "office": office, **(more or {})}
        post.to_player(
            player, LetterContent(kind="notice", news=N_("your office"), notes=(Note(code, facts),))
        )

    def _officer(self, unit: UnitOfWork, name: str, address: str) -> tuple[Player, bool]:
        """Return the future officer, registered and named if needed, and whether they were registered now."""
        if is_service(address, self._service.address):
            raise UsageError(f"{address} is the referee's own address: it holds no office.")
        player = unit.players.by_address(address)
        if player is not None and player.name:
            if name and skeleton(name) != skeleton(player.name):
                raise UsageError(
                    f"{address} is registered as {player.name}, not {name}: name the one whom you mean."
                )
            return player, False
        if not name:
            known = "has given no name" if player else "is not registered"
            raise UsageError(
                f'{address} {known}: write "Name <{address}>", since players are told who umpires.'
            )
        if fault := check_name(name):
            raise UsageError(fault.sentence())
        if holds_word(name, (self._service.name,)):
            raise UsageError(f"Nobody can be called {name} here.")
        if any(player is None or each.number != player.number for each in unit.players.named(name)):
            raise UsageError(f"Somebody else is called {name} here, or has a name that looks like it.")
        if player is not None:
            unit.players.change(player.number, name=name)
            return unit.players.find(player.number), False
        if who_left(unit, address, self._clock.now()) is not None:
            raise UsageError(
                f"{address} was a player's until lately, who can go back to it for some days yet: name the new "
                "address, or wait."
            )
        return unit.players.add(name, address, self._service.language), True


def _titled(terms: Competition) -> Competition:
    """Return a tournament with its name as it is stored. Raises UsageError for an impossible name."""
    name = tidy_title(terms.name)
    if fault := check_title(name):
        raise UsageError(fault.sentence())
    return replace(terms, name=name)


def _check_free(lookup: Lookup, name: str) -> None:
    """Raise UsageError when a tournament has a name that looks like this one."""
    found = lookup.tournaments.named(name)
    if found is not None:
        alike = "of that name" if found.name == name else f"whose name looks like it: {found.name}"
        raise UsageError(
            f"There is an event {alike}. Two events need names that nobody takes for one another."
        )


def _warnings(lookup: Lookup, event: StoredCompetition, office: Office, player: Player) -> tuple[str, ...]:
    """Return warnings about an officer."""
    said = []
    held = {each.office for each in event.officers if each.player == player.number} | {office}
    if "appeals" in held and held & {"umpire", "deputy"}:
        said.append(f"{player.name} also rules: appeals against those rulings go to the director.")
    if player.unreachable:
        said.append(f"Letters to {player.name} come back: others act until a letter of his arrives.")
    plays = [
        row.number
        for row in lookup.games.of_player(player.number, ("playing",))
        if row.competition == event.number
    ]
    if plays:
        games = ", ".join(map(str, plays))
        said.append(
            f"{player.name} plays in the event (game {games}), and acts in no game of that player's own."
        )
    return tuple(said)


def _at(now: datetime, what: str) -> str:
    """Return the cause of letters about an office: no letter asked for it, and it is done once."""
    return f"the secretary, {what}, {now.isoformat()}"
