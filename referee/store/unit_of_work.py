"""One transaction: all that a letter caused, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from referee.common.clock import Clock
from referee.common.errors import Contested
from referee.games.cases import Duty
from referee.games.clocks.leave import Leave
from referee.games.game import Status
from referee.games.player import Player
from referee.games.player_names import folded, skeleton
from referee.games.tournaments.officers import Office
from referee.games.tournaments.tournament import Competition
from referee.mail.message.message import OwnLine
from referee.rulebooks.rulebook import Json, Seat
from referee.store import erasure, letter_ordering, rate_counters
from referee.store.incoming import NEXT_LETTER
from referee.store.letter_ordering import Turn
from referee.store.outbox_queue import AT_ONCE
from referee.store.queries import RUNNING, Lookup, address_key
from referee.store.repositories import actions as pending_actions
from referee.store.repositories import cases, clocks, drafts, tournaments
from referee.store.repositories import letters as heard_letters
from referee.store.tables import (
    ADDRESSES,
    EVENTS,
    FORMER_SEATS,
    GAMES,
    GATHERED,
    HOUSE,
    LEAVES,
    LETTER_CONTENTS,
    LETTERS,
    NAMINGS,
    OUTGOING,
    OUTGOING_CONTENTS,
    PARTINGS,
    PERSONS,
    PLAYERS,
    SEATS,
    TAGS,
    THREADS,
    WATCHES,
    WRITINGS,
)
from referee.store.values import (
    AddressUse,
    AskedDeed,
    Errand,
    Gathered,
    Outcome,
    Parting,
    Purpose,
    QueuedLetter,
    StoredGame,
    Tag,
    Thread,
    WritingKind,
)

_PERSONAL: Mapping[str, Mapping[str, Callable[[str], str]]] = {
    "name": {"name_key": skeleton, "name_folded": folded},
    "address": {"address_key": address_key},
}
"""What lies in the row that can be erased, the columns by which it is found, and what stands there."""


MOST_COUNTED = 10_000
"""Letters of a player who leaves that are counted: more than any limit allows in an hour."""

# Statements that every letter needs are built once; see queries.

_CONCLUDE = (
    update(LETTERS)
    .where(
        LETTERS.c.number == bindparam("which"),
        or_(
            LETTERS.c.outcome.is_(None),
            LETTERS.c.outcome.in_((literal_column("'held'"), literal_column("'set-aside'"))),
        ),
    )
    .values(again=case((LETTERS.c.outcome.is_not(None), NEXT_LETTER), else_=LETTERS.c.again))
)
_UPDATE_GAME = update(GAMES).where(GAMES.c.number == bindparam("which"))
_APPEND = insert(EVENTS)
_QUEUE = insert(OUTGOING)
_QUEUE_CONTENT = insert(OUTGOING_CONTENTS)


def _save_thread(dialect: ModuleType) -> Any:
    """Return the statement that inserts a thread or changes it, in a database's own dialect."""
    inserting = dialect.insert(THREADS)
    changed = {
        name: inserting.excluded[name]
        for name in ("letters", "told", "tag", "root", "last", "resent", "entries", "entered")
    }
    return inserting.on_conflict_do_update(index_elements=["player", "game"], set_=changed)


_SAVE_THREAD = {"sqlite": _save_thread(sqlite), "postgresql": _save_thread(postgresql)}


class UnitOfWork(Lookup):
    """A transaction that writes. What it reads to change it, it locks; see the questions in Lookup."""

    def __init__(self, connection: Connection, key: bytes, clock: Clock, turn: Turn | None = None) -> None:
        """turn: of a letter that must not be heard before earlier ones; see letter_ordering."""
        super().__init__(connection, key, clock)
        self._turn = turn
        self._known_players: dict[int, Player] = {}
        self._known_partings: dict[str, Parting | None] = {}
        self.queued: list[QueuedLetter] = []
        """The letters that were put into the outbox here, in their order."""

    @property
    def locks(self) -> bool:
        """A letter that has to wait its turn must not wait for those that it waits for, so it locks nothing."""
        return self._turn is None or self._turn.free

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Do something that may fail by itself: nothing that was written in it is kept then, and all else is."""
        queued = len(self.queued)
        savepoint = self._connection.begin_nested()
        try:
            yield
        except BaseException:
            savepoint.rollback()
            del self.queued[queued:]
            self._known_players.clear()
            self._known_partings.clear()
            raise
        savepoint.commit()

    # whose turn it is

    def reserve(self, what: str) -> None:
        """Say what the letter in hand is about; see letter_ordering.

        Raises Contested when its turn was taken already, and this is reserved for another letter.
        """
        if self._turn is not None:
            self._turn.reserve(what)

    def take_turn(self, games: Iterable[int] = ()) -> None:
        """Say that all is known that the letter in hand is about, these games too, so that others may be looked at.

        Up to here nothing slow should be done. Raises Contested when the letter has to wait for an earlier one.
        """
        if self._turn is not None:
            for game in games:
                self._turn.reserve(letter_ordering.game(game))
            self._turn.take()

    def tag(self, text: str) -> Tag | None:
        """Return what a reply tag is about, its game reserved; see Lookup."""
        found = super().tag(text)
        if found is not None and found.game is not None:
            self.reserve(letter_ordering.game(found.game))
        return found

    def game_row(self, number: int) -> StoredGame | None:
        """Return a game without its events, reserved and locked; see Lookup."""
        self.reserve(letter_ordering.game(number))
        return super().game_row(number)

    # letters that came in

    def conclude(
        self,
        number: int,
        *,
        outcome: Outcome,
        reason: str = "",
        game: int | None = None,
        commands: Sequence[str] = (),
        sender: str = "",
        held_for: int | None = None,
    ) -> None:
        """Give a letter its outcome, once; only one that was held or set aside may be given another.

        held_for: the player in whose name it is, when it is held; he is to be asked about it.

        Raises Contested when another process has decided it meanwhile, or it has to wait its turn.
        """
        self.take_turn()
        concluded = self._connection.execute(
            _CONCLUDE,
            {
                "which": number,
                "outcome": outcome,
                "reason": reason,
                "game": game,
                "commands": json.dumps(list(commands)),
                "sender": address_key(sender),
            },
        )
        if concluded.rowcount != 1:
            raise Contested(f"letter {number} was decided already; nothing was kept")
        if held_for is not None:
            self._connection.execute(
                update(LETTERS).where(LETTERS.c.number == number).values(held_for=held_for)
            )

    def mark_about(self, letter: int, player: int) -> None:
        """Keep of which player a letter speaks that did not come from an address of his: it goes when he leaves."""
        self._connection.execute(update(LETTERS).where(LETTERS.c.number == letter).values(held_for=player))

    def mark_tagged(self, letter: int) -> None:
        """Keep that a letter which is held came to a reply tag of whom it is held for."""
        self._connection.execute(update(LETTERS).where(LETTERS.c.number == letter).values(tagged=True))

    def mark_asked(self, letters: Collection[int], tag: str) -> None:
        """Keep that a player was asked about letters that are held for him, by a tag."""
        self._connection.execute(update(LETTERS).where(LETTERS.c.number.in_(letters)).values(asked_by=tag))

    def mark_heard(
        self, letter: int, player: int, game: int, dated: datetime | None, lines: Sequence[OwnLine]
    ) -> None:
        """Keep that a letter of a player's did something in a game; see Lookup.heard."""
        heard_letters.keep(self._connection, letter, player, game, dated, lines)

    def failed(self, number: int, reason: str) -> int:
        """Keep that deciding a letter failed, and why; return how often it has by now."""
        attempts: int = self._connection.execute(
            update(LETTERS)
            .where(LETTERS.c.number == number)
            .values(attempts=LETTERS.c.attempts + 1, reason=reason)
            .returning(LETTERS.c.attempts)
        ).scalar_one()
        return attempts

    # players

    def player(self, number: int) -> Player:
        """Return a player, read once as long as nothing of him is changed; see Lookup."""
        if number not in self._known_players:
            self._known_players[number] = super().player(number)
        return self._known_players[number]

    def player_by_address(self, address: str) -> Player | None:
        """Return the player of a mail address, remembered for `player`; see Lookup."""
        found = super().player_by_address(address)
        if found is not None:
            self._known_players[found.number] = found
        return found

    def add_player(self, name: str, address: str, language: str) -> Player:
        """Register somebody; name "" until he gives one; address "" for nobody, who only has a place in a game.

        Raises Contested when the address is registered.
        """
        number = self._number_of(
            insert(PLAYERS),
            language=language,
            zone="UTC",
            form="html",
            sheets="grid",
            picture="on",
            compass="record",
            letters="each",
            joined=self._clock.now(),
        )
        if address:
            self._connection.execute(
                insert(PERSONS).values(
                    player=number,
                    name=name,
                    name_key=skeleton(name),
                    name_folded=folded(name),
                    address=address,
                    address_key=address_key(address),
                    returns=0,
                )
            )
        return Player(number=number, name=name, address=address, language=language)

    def change_player(self, number: int, **changes: str) -> None:
        """Change a player's name, address, language, or one of his choices (see `Player`).

        Whoever reads his letters at the old address must not confirm anything any more: with another address, the
        tags of questions that went to the old one count no more.
        """
        self._known_players.pop(number, None)
        if "address" in changes:
            self._revoke_tags(TAGS.c.player == number, TAGS.c.purpose.in_(("hold", "bye", "deed")))
        person: dict[str, Any] = {key: value for key, value in changes.items() if key in _PERSONAL}
        for what, keys in _PERSONAL.items():
            if what in person:
                person |= {column: key_of(person[what]) for column, key_of in keys.items()}
        ways = {key: value for key, value in changes.items() if key not in _PERSONAL}
        if person:
            self._connection.execute(update(PERSONS).where(PERSONS.c.player == number).values(person))
        if ways:
            self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == number).values(ways))

    def add_address(self, player: int, use: AddressUse, address: str, tag: str | None = None) -> None:
        """Keep a further address of a player's; one of the same use gives way, and its tag counts no more.

        Raises Contested when a second address is another player's.
        """
        self.drop_address(player, use)
        self._connection.execute(
            insert(ADDRESSES).values(
                player=player,
                use=use,
                address=address,
                address_key=address_key(address),
                tag=tag,
                created=self._clock.now(),
            )
        )

    def drop_address(self, player: int, use: AddressUse) -> None:
        """Keep a further address no more; its tag counts no more, either."""
        dropped = delete(ADDRESSES).where(ADDRESSES.c.player == player, ADDRESSES.c.use == use)
        tag = self._connection.execute(dropped.returning(ADDRESSES.c.tag)).scalar()
        if tag is not None:
            self.revoke_tag(tag)

    def forget_letters_from(self, address: str) -> None:
        """Erase what came from an address, and that it did: nobody will find it by a player any more.

        Nothing is erased while the address is a player's.
        """
        if self.player_by_address(address) is not None:
            return
        self._forget_letters(LETTERS.c.sender == address_key(address))

    def unlink_letters_from(self, address: str, player: int) -> None:
        """Keep no more from which address a player's letters came, which he has given up, but that they are his: they
        go when he leaves, like those that he will write.

        Nothing is done while the address is a player's. What came from there in another's name is erased.
        """
        if self.player_by_address(address) is not None:
            return
        there = LETTERS.c.sender == address_key(address)
        self._forget_letters(and_(there, LETTERS.c.held_for != player))
        self._connection.execute(update(LETTERS).where(there).values(sender="", held_for=player))

    def _forget_letters(self, which: ColumnElement[bool]) -> None:
        """Erase letters that came in: their bytes, from whom they came, and what was read in them."""
        numbers = select(LETTERS.c.number).where(which)
        self._connection.execute(delete(LETTER_CONTENTS).where(LETTER_CONTENTS.c.letter.in_(numbers)))
        self._connection.execute(update(LETTERS).where(which).values(sender="", commands="[]"))

    def forget_player(self, number: int, *, letter: int) -> None:
        """Erase who a player is: name and addresses, his letters, and ours to him that are no longer to be posted.

        His games, events and outcomes stay, under his number alone, and a `Parting` for each address. letter: his last
        one, by which he left. What is left for later (`erasing`): our letters that are still to be posted, and what
        others' letters and the titles of games say of him.
        """
        address = self.player(number).address
        if not address:
            return
        further = self.further_addresses(number)
        # What he only asked for need not be his.
        addresses = [address, *(each.address for each in further if each.use in ("second", "former"))]
        kept = self._parting(number, letter, addresses)
        self._known_players.pop(number, None)
        self._connection.execute(delete(PERSONS).where(PERSONS.c.player == number))
        self._connection.execute(delete(ADDRESSES).where(ADDRESSES.c.player == number))
        self.forget_writings(number)
        for each in addresses:
            if self.player_by_address(each) is not None:
                continue  # another player's by now
            self.forget_letters_from(each)
            named = GAMES.c.status == "proposed", func.lower(GAMES.c.invited) == each.lower()
            self._connection.execute(update(GAMES).where(*named).values(invited=""))
            who = self.unnamed(each)
            self._connection.execute(delete(PARTINGS).where(PARTINGS.c.who == who))
            self._connection.execute(insert(PARTINGS).values(who=who, **kept))
            self._known_partings.clear()
            # What was written there before he was a player, or on account of others, goes with the rest.
            there = OUTGOING.c.reader == address_key(each)
            self._connection.execute(update(OUTGOING).where(there).values(player=number))
        self._forget_letters(LETTERS.c.held_for == number)
        tournaments.dismiss_player(self._connection, number, self._clock.now())
        self._connection.execute(delete(GATHERED).where(GATHERED.c.player == number))
        # The clock of a seat that he gave up to another is added up from days on which he was away, too.
        goes_on = exists().where(
            FORMER_SEATS.c.player == number,
            FORMER_SEATS.c.game == GAMES.c.number,
            GAMES.c.status == "playing",
        )
        self._connection.execute(delete(LEAVES).where(LEAVES.c.player == number, ~goes_on))
        pending_actions.forget_player(self._connection, number)
        heard_letters.forget_player(self._connection, number)
        self.plan_digest(number, None)
        self.plan_overview(number, None)
        erasure.begin(self._connection, number)
        erasure.erase_posted(self._connection, OUTGOING.c.player == number)
        self._revoke_tags(TAGS.c.player == number)

    def parting(self, address: str) -> Parting | None:
        """Return what `Lookup.parting` does, asked once."""
        key = address_key(address)
        if key not in self._known_partings:
            self._known_partings[key] = super().parting(address)
        return self._known_partings[key]

    def _parting(self, number: int, letter: int, addresses: Sequence[str]) -> Mapping[str, Any]:
        """Return what is to be kept of a player who leaves, for each of his addresses."""
        now = self._clock.now()
        an_hour = now - timedelta(hours=1)
        seat = select(SEATS.c.game).where(SEATS.c.player == number).limit(1)
        return {
            "at": now,
            "letter": letter,
            "played": self._connection.execute(seat).first() is not None,
            "letters": 1 + sum(self.heard_since(each, an_hour, now, MOST_COUNTED) for each in addresses),
            "challenges": self.challenges_since(number, now - timedelta(days=1)),
        }

    def give_address_up(self, number: int) -> None:
        """Let a player who has done nothing yet have no address any more, since it is another's, and with it all that
        came from there or went there."""
        self._known_players.pop(number, None)
        self._connection.execute(delete(PERSONS).where(PERSONS.c.player == number))
        self._connection.execute(delete(ADDRESSES).where(ADDRESSES.c.player == number))
        self._revoke_tags(TAGS.c.player == number)

    def erase_letter(self, number: int) -> None:
        """Erase the bytes of a letter that came in."""
        self._connection.execute(delete(LETTER_CONTENTS).where(LETTER_CONTENTS.c.letter == number))

    # news that wait

    def plan_digest(self, player: int, at: datetime | None) -> None:
        """Keep when the next letter with the news of a day is due to a player; None for never."""
        self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == player).values(digest_at=at))

    def mark_digested(self, player: int, then: datetime) -> None:
        """Keep that a letter with the news of a day was just written to a player, and when the next is due."""
        said = {"digest_at": then, "digested": self._clock.now()}
        self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == player).values(said))

    def take_digest(self, player: int, due: datetime, then: datetime) -> bool:
        """Take on what was due to a player, and keep when it is due again; False when another process has done so."""
        taken = self._connection.execute(
            update(PLAYERS)
            .where(PLAYERS.c.number == player, PLAYERS.c.digest_at == due)
            .values(digest_at=then)
        )
        return taken.rowcount == 1

    def plan_overview(self, player: int, at: datetime | None) -> None:
        """Keep when the next overview is due to an officer; None for never."""
        self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == player).values(overview_at=at))

    def take_overview(self, player: int, due: datetime, then: datetime) -> bool:
        """Take on an overview that was due, and keep when the next is; see `take_digest`."""
        taken = self._connection.execute(
            update(PLAYERS)
            .where(PLAYERS.c.number == player, PLAYERS.c.overview_at == due)
            .values(overview_at=then)
        )
        return taken.rowcount == 1

    def mark_overviewed(self, player: int, then: datetime) -> None:
        """Keep that an overview was just written to an officer, and when the next is due."""
        said = {"overview_at": then, "overviewed": self._clock.now()}
        self._connection.execute(update(PLAYERS).where(PLAYERS.c.number == player).values(said))

    def gather(self, player: int, news: Gathered) -> None:
        """Keep news for a player's next letter."""
        facts = json.dumps({**news.facts, "who": news.who} if news.who is not None else dict(news.facts))
        self._connection.execute(
            insert(GATHERED).values(
                player=player, game=news.game, code=news.code, facts=facts, at=self._clock.now()
            )
        )

    def drop_gathered(self, player: int, game: int, code: str) -> None:
        """Keep news of a kind about a game for a player no longer: he does not want them."""
        which = GATHERED.c.player == player, GATHERED.c.game == game, GATHERED.c.code == code
        self._connection.execute(delete(GATHERED).where(*which))

    def tell_gathered(self, player: int, game: int | None = None) -> list[Gathered]:
        """Return what was gathered for a player, oldest first; it is not kept any more.

        game: about this one; 0 for all those that are not being played; None for all there are.
        """
        which = [GATHERED.c.player == player]
        if game:
            which.append(GATHERED.c.game == game)
        elif game is not None:
            over = select(GAMES.c.number).where(GAMES.c.status != "playing")
            which.append(GATHERED.c.game.in_(over))
        rows = self._connection.execute(
            select(GATHERED.c.game, GATHERED.c.code, GATHERED.c.facts)
            .where(*which)
            .order_by(GATHERED.c.number)
        ).all()
        if rows:
            self._connection.execute(delete(GATHERED).where(*which))
        told = []
        for about, code, written in rows:
            facts = json.loads(written)
            who = facts.pop("who") if isinstance(facts.get("who"), int) else None
            told.append(Gathered(about, code, facts, who))
        return told

    # games

    def new_game(
        self,
        rules: str,
        now: datetime,
        *,
        proposed_by: int | None = None,
        proposed_to: int | None = None,
        invited: str = "",
        competition: int | None = None,
    ) -> int:
        """Make a game that has not begun and return its number; its first event must follow in the same unit.

        proposed_by, proposed_to: players; proposed_to None lets anybody join. An umpire's game has neither.
        invited: the address by which the proposer named whom it is for. competition: the event that it belongs to.
        """
        return self._number_of(
            insert(GAMES),
            rules=rules,
            title="",
            status="proposed",
            last_event=0,
            proposed_by=proposed_by,
            proposed_to=proposed_to,
            created=now,
            invited=invited,
            competition=competition,
        )

    def turn_round(self, number: int, *, by: int, to: int) -> None:
        """Keep that a proposal is another's now, and waits for whoever made it."""
        turned = update(GAMES).where(GAMES.c.number == number)
        self._connection.execute(turned.values(proposed_by=by, proposed_to=to))

    def title_game(self, number: int, title: str) -> None:
        """Give a game the title that its letters' subjects bear."""
        self._connection.execute(update(GAMES).where(GAMES.c.number == number).values(title=title))

    def append(
        self,
        game: int,
        events: Sequence[tuple[int, str, Json]],
        *,
        at: datetime,
        letter: int | None = None,
    ) -> None:
        """Append events, each with its number, kind and body (plain data), to a game.

        Raises Contested when they do not follow the last event: another process has appended meanwhile.
        """
        self._connection.execute(
            _APPEND,
            [
                {
                    "game": game,
                    "number": number,
                    "kind": kind,
                    "at": at,
                    "body": json.dumps(body, separators=(",", ":")),
                    "letter": letter,
                }
                for number, kind, body in events
            ],
        )

    def update_game(
        self,
        number: int,
        *,
        status: Status,
        last_event: int,
        at: datetime,
        outline: str = "",
        turned: bool = False,
        result: str = "",
    ) -> None:
        """Keep how a game stands after its last event. When nothing more can happen it ended `at`.

        outline: as games.summary writes it. turned: somebody is to move since then. result: which end it has had, as
        games.results has it.
        """
        running = status in RUNNING
        ended = None if running else at
        values: dict[str, Any] = {
            "which": number,
            "status": status,
            "last_event": last_event,
            "ended": ended,
            "outline": outline,
        }
        if turned:
            values["turned"] = at
        if status != "proposed":
            values["invited"] = ""
        if not running:  # else the indexes of a search would be written for each letter
            values["result"] = result
        self._connection.execute(_UPDATE_GAME, values)
        if not running:
            self._connection.execute(update(SEATS).where(SEATS.c.game == number).values(done=True))
            self._connection.execute(update(WATCHES).where(WATCHES.c.game == number).values(over=True))

    def add_seat(self, game: int, seat: Seat, player: int) -> None:
        """Seat a player."""
        self._connection.execute(insert(SEATS).values(game=game, seat=seat, player=player, done=False))

    def replace_player(self, game: int, seat: Seat, player: int, before: int) -> None:
        """Seat another player where one sat, whose letters about the game have no reply tag any more; what was gathered
        for him of it is dropped."""
        pending_actions.replace_player(self._connection, game, seat, player, before, self._clock.now())
        which = TAGS.c.player == before, TAGS.c.game == game, TAGS.c.purpose == "seat"
        self._revoke_tags(*which)

    def mark_case_sent(self, game: int, number: int, duty: Duty, player: int) -> None:
        """Keep that a case was sent to somebody: an officer, or 0 for whoever runs the service."""
        cases.mark_sent(self._connection, game, number, duty, player)

    # what umpires do by letter

    def ask_about_deed(
        self, tag: str, player: int, line: str, stands: Mapping[int, str], newcomer: int | None = None
    ) -> None:
        """Keep what an umpire is to confirm by a tag; see AskedDeed."""
        pending_actions.ask(self._connection, tag, player, line, stands, newcomer, self._clock.now())

    def asked_deed(self, tag: str) -> AskedDeed | None:
        """Return what is to be confirmed by a tag, None when that is no longer so."""
        return pending_actions.asked(self._connection, tag)

    def drop_deed(self, tag: str) -> None:
        """Let nothing be confirmed by a tag any more."""
        pending_actions.drop(self._connection, tag)
        self.revoke_tag(tag)

    def begin_errand(self, competition: int, player: int, line: str) -> None:
        """Keep that a deed is to be done in all games of an event."""
        pending_actions.begin_errand(self._connection, competition, player, line, self._clock.now())

    def next_playing(self, competition: int, after: int) -> int | None:
        """Return the next game of an event that is being played, above a number; None behind the last."""
        return pending_actions.next_playing(self._connection, competition, after)

    def errand(self, player: int | None = None) -> Errand | None:
        """Return the oldest errand that is not at its end, locked. player: whose, None for anybody's."""
        return pending_actions.errand(self._connection, player)

    def go_on_with_errand(self, errand: Errand) -> None:
        """Keep how far an errand has come."""
        pending_actions.go_on(self._connection, errand)

    def end_errand(self, number: int) -> None:
        """Keep an errand no more: it is done."""
        pending_actions.end(self._connection, number)

    def keep_watch(self, game: int, player: int, *, over: bool) -> None:
        """Keep that a player watches a game from now on, or no more."""
        which = WATCHES.c.game == game, WATCHES.c.player == player
        known = self._connection.execute(update(WATCHES).where(*which).values(over=over))
        if not known.rowcount:
            self._connection.execute(insert(WATCHES).values(game=game, player=player, over=over))

    def hold_draft(self, game: int, seat: Seat, due: datetime) -> None:
        """Keep when a seat's draft is to be carried out, in place of what was kept before."""
        drafts.hold(self._connection, game, seat, due)

    def drop_draft(self, game: int, seat: Seat) -> None:
        """Keep no more that a seat's draft waits for a time."""
        drafts.drop(self._connection, game, seat)

    # time

    def set_clock(self, game: int, seat: Seat, player: int, due: datetime | None, *, anew: bool) -> None:
        """Keep when a seat's clock is to be looked at. anew: it is for another move than before."""
        clocks.set_clock(self._connection, game, seat, player, due, anew=anew)

    def put_clock_off(self, game: int, seat: Seat, until: datetime, why: str) -> None:
        """Keep that a seat's clock could not be looked at, and why: the kind of error; it is tried again later."""
        clocks.put_off(self._connection, game, seat, until, why)

    def promise(self, game: int, seat: Seat, deadline: datetime) -> None:
        """Keep that a player was told a deadline; an earlier one than he was told before changes nothing."""
        clocks.promise(self._connection, game, seat, deadline)

    def promise_no_more(self, game: int, seat: Seat) -> None:
        """Keep that what a player was told of his deadline holds no more: he has given back leave."""
        clocks.promise_no_more(self._connection, game, seat)

    def keep_reminded(self, game: int, seat: Seat, sent: tuple[tuple[timedelta, datetime], ...]) -> None:
        """Keep which reminders a player got for the move he is on: marks, and when."""
        clocks.keep_reminded(self._connection, game, seat, sent)

    def add_leave(self, player: int, competition: int | None, leave: Leave) -> None:
        """Keep leave that a player takes, for the games of an event, or of none."""
        clocks.add_leave(self._connection, player, competition, leave)

    def change_leave(self, player: int, competition: int | None, before: Leave, after: Leave | None) -> None:
        """Cut leave short, or drop it."""
        clocks.change_leave(self._connection, player, competition, before, after)

    def wake_clocks(self, player: int) -> None:
        """Let all clocks of a player's be looked at now, since something has changed for all of them."""
        clocks.wake(self._connection, player, self._clock.now())

    def wake_clocks_in(self, competition: int) -> None:
        """Let all clocks of an event's games be looked at now, since its terms have changed."""
        clocks.wake_in(self._connection, competition, self._clock.now())

    # events

    def add_competition(self, terms: Competition) -> int:
        """Make an event; return its number. Raises Contested when there is one of a name that looks like its name."""
        return tournaments.add(self._connection, terms, self._clock.now())

    def change_competition(self, number: int, terms: Competition, reason: str) -> None:
        """Give an event other terms from now on; the earlier ones stay."""
        tournaments.change(self._connection, number, terms, reason, self._clock.now())

    def appoint(self, competition: int, office: Office, player: int, at: datetime | None = None) -> None:
        """Give a player an office in an event; whoever held it holds it no more. at: now without it."""
        tournaments.appoint(self._connection, competition, office, player, at or self._clock.now())

    def dismiss(self, competition: int, office: Office, at: datetime | None = None) -> int | None:
        """Let nobody hold an office in an event any more; return who did. at: now without it."""
        return tournaments.dismiss(self._connection, competition, office, at or self._clock.now())

    # letters of ours

    def mark_returned(self, message_id: str) -> bool:
        """Keep that a letter did not arrive; tell whether that is news. message_id: as in `sent_message`."""
        marked = self._connection.execute(
            update(OUTGOING)
            .where(
                or_(OUTGOING.c.message_id == message_id, OUTGOING.c.renamed == message_id),
                OUTGOING.c.returned.is_(None),
            )
            .values(returned=self._clock.now())
        )
        return marked.rowcount > 0

    def post_again(self, message_id: str, at: datetime) -> None:
        """Queue a letter again that was refused or came back, to be tried `at`: the same bytes as before."""
        self._connection.execute(
            update(OUTGOING)
            .where(OUTGOING.c.message_id == message_id, OUTGOING.c.state.in_(("refused", "sent")))
            .values(state="queued", next_try=at, returned=None)
        )

    def count_return(self, player: int) -> datetime:
        """Count a letter to a player that came back; return when it came to be known of the first since he wrote last:
        of this one, where it is the first, or the clock that dated the first was ahead."""
        self._known_players.pop(player, None)
        now = self._clock.now()
        since = PERSONS.c.returns_since
        first = case((or_(since.is_(None), since > now), literal(now, since.type)), else_=since)
        known: datetime | None = self._connection.execute(
            update(PERSONS)
            .where(PERSONS.c.player == player)
            .values(returns=PERSONS.c.returns + 1, returns_since=first)
            .returning(since)
        ).scalar()
        return known or now

    def mark_unreachable(self, player: int) -> None:
        """Keep that letters to a player do not arrive."""
        self._known_players.pop(player, None)
        self._connection.execute(
            update(PERSONS).where(PERSONS.c.player == player).values(unreachable=self._clock.now())
        )

    def mark_reachable(self, player: int) -> None:
        """Keep that a player has written: what came back before no longer counts."""
        self._known_players.pop(player, None)
        self._connection.execute(
            update(PERSONS)
            .where(PERSONS.c.player == player)
            .values(returns=0, returns_since=None, unreachable=None)
        )

    def add_writing(self, game: int, player: int, kind: WritingKind, turn: int, text: str) -> int:
        """Keep what a player wrote during a game beside moves; return its number."""
        return self._number_of(
            insert(WRITINGS), game=game, player=player, kind=kind, turn=turn, at=self._clock.now(), text=text
        )

    def forget_writings(self, player: int) -> None:
        """Erase what a player wrote beside moves."""
        self._connection.execute(delete(WRITINGS).where(WRITINGS.c.player == player))

    def add_tag(
        self, text: str, purpose: Purpose, *, player: int, game: int | None = None, letter: int | None = None
    ) -> None:
        """Keep a new reply tag and what it is about."""
        self._connection.execute(
            insert(TAGS).values(
                tag=text, purpose=purpose, player=player, game=game, letter=letter, created=self._clock.now()
            )
        )

    def revoke_tag(self, text: str) -> None:
        """Let a reply tag count no more."""
        self._revoke_tags(TAGS.c.tag == text)

    def _revoke_tags(self, *which: ColumnElement[bool]) -> None:
        self._connection.execute(
            update(TAGS).where(TAGS.c.revoked.is_(None), *which).values(revoked=self._clock.now())
        )

    def save_thread(self, thread: Thread) -> None:
        """Keep where a player's letters about a game have come to."""
        self._connection.execute(
            _SAVE_THREAD[self._connection.dialect.name],
            {
                "player": thread.player,
                "game": thread.game,
                "letters": thread.letters,
                "told": thread.told,
                "tag": thread.tag,
                "root": thread.root,
                "last": " ".join(thread.last),
                "resent": thread.resent,
                "entries": thread.entries,
                "entered": thread.entered,
            },
        )

    def queue(self, letter: QueuedLetter) -> int:
        """Put a finished letter into the outbox; return its number there.

        Raises Contested when its Message-ID was used: another process wrote the same letter.
        """
        number = self._number_of(
            _QUEUE,
            message_id=letter.message_id,
            sender=letter.sender,
            recipient=letter.recipient,
            reader=address_key(letter.recipient),
            kind=letter.kind,
            subject=letter.subject,
            game=letter.game,
            player=letter.player,
            seat=letter.seat,
            number=letter.number,
            answers=letter.answers,
            state="queued",
            tries=0,
            uncertain=0,
            next_try=AT_ONCE,
            answer="",
            created=letter.sent or self._clock.now(),
            told=letter.told,
        )
        self._connection.execute(_QUEUE_CONTENT, {"id": number, "content": letter.content})
        self.queued.append(letter)
        return number

    def mark_naming(self, letter: int, players: Iterable[int]) -> None:
        """Keep of which players a letter of ours speaks to others that is not found by its game. letter: as `queue`
        returned it."""
        named = [{"player": player, "letter": letter} for player in players]
        if named:
            self._connection.execute(insert(NAMINGS), named)

    def mark_naming_as(self, letter: int, message_id: str) -> None:
        """Keep that a letter of ours is a copy of another, and so speaks of the same players."""
        first = select(OUTGOING.c.id).where(OUTGOING.c.message_id == message_id).scalar_subquery()
        named = select(NAMINGS.c.player).where(NAMINGS.c.letter == first)
        self.mark_naming(letter, self._connection.execute(named).scalars().all())

    def is_news(self, kind: str, every: timedelta) -> bool:
        """Tell whether the operator was told nothing of this kind for so long; if so he is now."""
        now = self._clock.now()
        name = f"told {kind}"
        before = self._connection.execute(
            select(HOUSE.c.value).where(HOUSE.c.name == name).with_for_update()
        ).scalar()
        if before is None:
            self._connection.execute(insert(HOUSE).values(name=name, value=now.isoformat()))
            return True
        # A time ahead of now was written by a clock that was wrong.
        if timedelta(0) <= now - datetime.fromisoformat(before) < every:
            return False
        self._connection.execute(update(HOUSE).where(HOUSE.c.name == name).values(value=now.isoformat()))
        return True

    def one_more(self, kind: str, most: int, within: timedelta) -> bool:
        """Count one more of something; False, and not counted, when there were `most` of it lately (see
        rate_counters)."""
        now = self._clock.now()
        if not rate_counters.left(self._connection, kind, most, within, now):
            return False
        rate_counters.add(self._connection, kind, 1, within, now)
        return True

    def has_room(self, kind: str, most: int, within: timedelta) -> bool:
        """Tell whether `one_more` would count one more of something; nothing is counted."""
        return rate_counters.left(self._connection, kind, most, within, self._clock.now()) > 0

    def _number_of(self, inserting: Insert, **values: Any) -> int:
        """Insert a row and return the number that the database gave it."""
        key: Any = self._connection.execute(inserting, values).inserted_primary_key
        return int(key[0])
