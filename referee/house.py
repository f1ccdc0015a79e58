"""One letter's way through all rooms, in one transaction. Read this first.

A letter was taken from the mailbox and recorded (`take_in`); `settle` then brings it to exactly one outcome:

1. a machine's letter is recorded with the reason, and never answered (letters.screening);
2. who wrote is settled from the sender, what his mail host vouches for, and the reply tag; a letter in somebody's
   name that nobody vouches for is held, and the person it speaks for is asked;
3. which game it is about is settled from tag, thread and subject, which must agree;
4. its own lines become commands (commands.grammar), and each does its work (desk);
5. events, outgoing letters and the letter's own outcome are committed together, or not at all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from referee.chance import Draws, SystemDraws
from referee.clock import Clock
from referee.commands.command import (
    Accept,
    Cancel,
    Challenge,
    Command,
    Confirm,
    Decline,
    Draw,
    Games,
    Help,
    Join,
    Open,
    Order,
    Record,
    Register,
    Resign,
    SetPreference,
    Status,
)
from referee.commands.grammar import Grammar, Understanding
from referee.commands.words import TOPICS
from referee.correspondence import Answered, Correspondence, Service, Words
from referee.desk import answers, play, players, proposals
from referee.desk.work import Work
from referee.errors import UsageError
from referee.faults import Fault
from referee.games.decide import open_game
from referee.games.events import CheckedIn, Ruled
from referee.games.game import Game
from referee.games.player import Player
from referee.letters.letter import Letter, Nature, RawLetter
from referee.letters.reading import read_letter
from referee.reports.report import Note
from referee.rulebooks.rulebook import Seat
from referee.store.records import Outcome, StoredLetter, Tag
from referee.store.store import Store
from referee.store.unit import Unit

HOLD_NOTICE_EVERY = timedelta(days=1)
"""How often, at most, a player is asked about letters in his name that nobody vouches for."""
STRANGER_HELP_EVERY = timedelta(days=7)
"""How often, at most, somebody who is not registered is told what this address is."""
MOST_HELP_A_DAY = 5
"""Letters without a word or move that one address gets answers to in a day: a robot that does not say it is one
must not exchange letters with us for ever."""
GAMES_KEPT = 2000
"""Games kept in memory as last committed, so that a move need not fold its game anew."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a letter. moves: orders ruled on. refused: nothing in it could be taken."""

    number: int
    outcome: Outcome
    reason: str = ""
    game: int | None = None
    moves: int = 0
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Conclusion:
    """An outcome on its way into the letter's row."""

    outcome: Outcome
    reason: str = ""
    game: int | None = None
    commands: tuple[str, ...] = ()


class House:
    """The referee's house: takes letters in and settles them, one at a time."""

    def __init__(self, store: Store, service: Service, clock: Clock, draws: Draws | None = None) -> None:
        self._store = store
        self._service = service
        self._clock = clock
        self._draws = draws or SystemDraws()
        self._games: OrderedDict[int, Game] = OrderedDict()
        self._grammar = Grammar(
            looks_like_order=self._looks_like_order, rules=tuple(service.rulebooks), topics=TOPICS
        )

    def _looks_like_order(self, text: str) -> bool:
        return any(rulebook.looks_like_order(text) for rulebook in self._service.rulebooks.values())

    def take_in(self, letters: Sequence[RawLetter]) -> None:
        """Record letters as they lay in the mailbox, each once."""
        self._store.record(letters)

    def settle(self, number: int) -> Settled | None:
        """Bring a recorded letter to its outcome. None when it has one already, or another process has it in hand."""
        with self._store.unit() as unit:
            stored = unit.letter(number)
            if stored is None:
                return None
            way = _Way(unit, self._service, self._clock, self._draws, self._grammar, self._games, stored)
            end = way.walk()
            unit.conclude(
                number,
                outcome=end.outcome,
                reason=end.reason,
                game=end.game,
                commands=end.commands,
                sender=way.letter.sender if way.letter else "",
            )
        self._remember(way.games)
        return Settled(number, end.outcome, end.reason, end.game, way.moves, way.refused)

    def _remember(self, games: Mapping[int, Game]) -> None:
        """Keep games as committed; only after the commit."""
        for number, game in games.items():
            self._games[number] = game
            self._games.move_to_end(number)
        while len(self._games) > GAMES_KEPT:
            self._games.popitem(last=False)

    def new_game(
        self,
        rules: str,
        seats: Mapping[Seat, tuple[str, str]],
        options: Mapping[str, str],
        deal: str = "",
    ) -> int:
        """Start a game for an umpire; return its number.

        seats: for every seat of the rulebook a name ("" when he has none yet) and an address.
        Raises UsageError for seats, options or a deal that cannot be.
        """
        rulebook = self._service.rulebooks[rules]
        _check_seats(rulebook.seats, seats)
        faults = rulebook.check_options({**options, "deal": deal} if deal else options)
        if faults:
            raise UsageError(" ".join(fault.sentence() for fault in faults))
        now = self._clock.now()
        with self._store.unit() as unit:
            seated = {seat: self._seat_player(unit, *seats[seat]) for seat in rulebook.seats}
            work = Work(unit, self._service, now, next(iter(seated.values())), self._games, self._draws)
            number = unit.new_game(rules, now)
            names = [player.name or seat.capitalize() for seat, player in seated.items()]
            title = f"{rulebook.title} {number}: {' - '.join(names)}"
            unit.title_game(number, title)
            opened = open_game(
                number,
                rulebook,
                options,
                {seat: player.number for seat, player in seated.items()},
                self._draws.secret(),
                deal,
            )
            game = Game(number=number, rulebook=rulebook, status="proposed").after(opened)
            answers.keep_events(work, game, [opened], None)
            for seat, player in seated.items():
                words = Words(kind="report", news=answers.news_of(game, seat))
                work.post.to_player(player.number, words, game=game, title=title)
        self._remember({number: game})
        return number

    def _seat_player(self, unit: Unit, name: str, address: str) -> Player:
        player = unit.player_by_address(address)
        if player is None:
            return unit.add_player(name, address, self._service.language)
        if name and not player.name:
            unit.change_player(player.number, name=name)
            return unit.player(player.number)
        return player


def _check_seats(wanted: Sequence[Seat], seats: Mapping[Seat, tuple[str, str]]) -> None:
    for seat in seats:
        if seat not in wanted:
            raise UsageError(f"There is no seat {seat}; the seats are {' and '.join(wanted)}.")
    for seat in wanted:
        if seat not in seats:
            raise UsageError(f"Nobody sits on {seat}: add --seat {seat}=ADDRESS.")
    addresses = [address.lower() for _, address in seats.values()]
    if len(set(addresses)) < len(addresses):
        raise UsageError(f"{addresses[0]} cannot sit on two seats: he would see both sides.")


class _Way:
    """One letter's way.

    letter: as read, once it was; games: as it leaves them; moves: orders ruled on; refused: nothing was taken.
    """

    def __init__(
        self,
        unit: Unit,
        service: Service,
        clock: Clock,
        draws: Draws,
        grammar: Grammar,
        known: Mapping[int, Game],
        stored: StoredLetter,
    ) -> None:
        self._unit = unit
        self._service = service
        self._now = clock.now()
        self._draws = draws
        self._grammar = grammar
        self._known = known
        self._stored = stored
        self.letter: Letter | None = None
        self.games: dict[int, Game] = {}
        self.moves = 0
        self.refused = False

    def walk(self) -> Conclusion:
        """Settle the letter."""
        if self._stored.content is None:
            return Conclusion(
                "set-aside", f"the mailbox could not hand it over: {self._stored.size:,} octets"
            )
        self.letter = letter = self._read(self._stored.content)
        if earlier := self._unit.same_letter(self._stored.number):
            return Conclusion("ignored", f"the same letter as number {earlier}")
        if letter.nature is Nature.BOUNCE:
            return Conclusion("bounce", letter.reason)
        if letter.nature not in (Nature.PERSON, Nature.UNREADABLE):
            return Conclusion("ignored", letter.reason or letter.nature.value)
        if not letter.sender:
            return Conclusion("ignored", letter.sender_fault)
        if self._stored.too_large:
            return self._set_aside_too_large(letter)
        return self._hear_person(letter)

    def _read(self, content: bytes) -> Letter:
        return read_letter(
            content,
            service_address=self._service.address,
            authserv_ids=self._service.authserv_ids,
            trust=self._service.trust,
        )

    def _hear_person(self, letter: Letter) -> Conclusion:
        """Settle who wrote: taken, held, or a stranger."""
        player = self._unit.player_by_address(letter.sender)
        tag = self._find_tag(letter)
        if tag is not None and tag.purpose == "hold":
            return self._release(letter, tag)
        if tag is not None and (player is None or player.number != tag.player):
            return self._hold(letter, tag.player, tag.game, "the reply tag is another player's")
        if player is None:
            if letter.verified:
                return self._hear_stranger(letter)
            return Conclusion("ignored", f"unknown sender, {letter.verdict}")
        if not letter.verified:
            return self._hold(letter, player.number, tag.game if tag else None, letter.verdict)
        return self._hear_player(letter, player, tag)

    def _set_aside_too_large(self, letter: Letter) -> Conclusion:
        """Set a letter aside of which only the header was taken in; a player who certainly wrote it is told so."""
        reason = f"too large to be read: {self._stored.size:,} octets"
        player = self._unit.player_by_address(letter.sender)
        tag = self._find_tag(letter)
        mine = player is not None and (tag is None or tag.player == player.number)
        if player is None or not mine or not letter.verified or self._told_often(player.address):
            return Conclusion("set-aside", reason)
        work = Work(self._unit, self._service, self._now, player, self._known, self._draws)
        game, _ = self._find_game(work, letter, tag)
        limit = f"{self._service.size_limit / 1_000_000:g} MB"
        work.part(None).notes.append(Note("too-large", {"limit": limit}))
        answers.finish(work, game, Answered(self._stored.number, letter.message_id))
        return Conclusion("set-aside", reason, game)

    def _find_tag(self, letter: Letter) -> Tag | None:
        for text in letter.tags:
            tag = self._unit.tag(text)
            if tag is not None and not tag.revoked:
                return tag
        return None

    def _hear_player(self, letter: Letter, player: Player, tag: Tag | None) -> Conclusion:
        """Read the letter's commands and do them."""
        work = Work(self._unit, self._service, self._now, player, self._known, self._draws)
        answered = Answered(self._stored.number, letter.message_id)
        if any(text.startswith("off-") for text in letter.tags):
            part = work.part(None)
            part.notes.append(Note("letters-off"))
            part.kind = "receipt"
            answers.finish(work, None, answered)
            return Conclusion("answered", "asked for fewer letters")
        read = self._grammar.read(letter.lines)
        if read.empty and self._told_often(player.address):
            return Conclusion("ignored", "nothing to read, and told so often enough today")
        game, fault = self._find_game(work, letter, tag)
        if fault is not None:
            work.fault(fault)
            self.refused = answers.finish(work, None, answered) == "refusal"
            return Conclusion("answered", fault.code, None, _written(read))
        if game is not None:
            _check_in(work, game)
        if letter.reason and not letter.lines:
            work.part(None).notes.append(Note("unreadable", {"reason": letter.reason}))
        elif read.empty:
            lines = tuple(line.text for line in read.passed_over)
            work.part(None).notes.append(Note("nothing-read", {"lines": lines}))
        for fault in read.faults:
            work.fault(fault)
        whole = len(letter.lines) == 1
        for command in read.commands:
            attend(work, command, game, whole_letter=whole)
        self.refused = answers.finish(work, game, answered) == "refusal"
        self.games.update(work.games)
        self.moves = sum(isinstance(event, Ruled) for part in work.parts.values() for event in part.events)
        return Conclusion("ruled" if self.moves else "answered", "", game, _written(read))

    def _told_often(self, address: str) -> bool:
        since = self._now - timedelta(days=1)
        return self._unit.last_sent(address, "help", since=since) >= MOST_HELP_A_DAY

    def _find_game(self, work: Work, letter: Letter, tag: Tag | None) -> tuple[int | None, Fault | None]:
        """Return the game that the letter is about: by tag, thread and subject, which must agree; else the only
        one in which it is the writer's turn; else the only one that he plays."""
        by_thread = next(
            (sent.game for sent in map(self._unit.sent_message, letter.thread) if sent and sent.game), None
        )
        named = {
            "reply address": tag.game if tag else None,
            "thread": by_thread,
            "subject": letter.subject_game,
        }
        numbers = {number for number in named.values() if number}
        if len(numbers) > 1:
            said = ", ".join(f"the {what} says game {number}" for what, number in named.items() if number)
            return None, Fault(
                "games-disagree",
                "I cannot tell which game you mean: {said}; nothing was done, please answer the game's own letter",
                {"said": said},
            )
        if numbers:
            (number,) = numbers
            game = work.game(number)
            if game is None or not game.concerns(work.player.number):
                return None, Fault("not-your-game", "you do not sit in game {game}", {"game": str(number)})
            return number, None
        playing = [row.number for row in self._unit.games_of(work.player.number, ("playing",))]
        if len(playing) == 1:
            return playing[0], None
        to_move = []
        for number in playing:
            game = work.game(number)
            if game is not None and game.seat_of(work.player.number) in game.due:
                to_move.append(number)
        return (to_move[0] if len(to_move) == 1 else None), None

    def _hear_stranger(self, letter: Letter) -> Conclusion:
        """Register somebody who asks for it; tell anybody else, once a week, what this address is."""
        read = self._grammar.read(letter.lines)
        if any(isinstance(command, Register) for command in read.commands):
            player = self._unit.add_player("", letter.sender, self._service.language)
            return self._hear_player(letter, player, None)
        if self._unit.last_sent(letter.sender, "help", since=self._now - STRANGER_HELP_EVERY):
            return Conclusion("ignored", "unknown sender, told this week what this address is")
        words = Words(kind="help", notes=(Note("stranger"),), pages=("help",))
        answered = Answered(self._stored.number, letter.message_id)
        Correspondence(self._unit, self._service, self._now, self._draws).to_stranger(
            letter.sender, words, answers=answered
        )
        return Conclusion("answered", "unknown sender", None, _written(read))

    def _hold(self, letter: Letter, player: int, game: int | None, reason: str) -> Conclusion:
        """Do nothing of what a letter says in a player's name; ask him, at most once a day."""
        read = self._grammar.read(letter.lines)
        since = self._now - HOLD_NOTICE_EVERY
        if not self._unit.held_since(player, since):
            tag = self._draws.tag()
            self._unit.add_tag(tag, "hold", player=player, game=game, letter=self._stored.number)
            post = Correspondence(self._unit, self._service, self._now, self._draws)
            note = Note("held", {"commands": _written(read), "received": self._stored.received})
            post.to_player(player, Words(kind="notice", notes=(note,)), reply_tag=tag)
        return Conclusion("held", reason, game, _written(read))

    def _release(self, letter: Letter, tag: Tag) -> Conclusion:
        """Hear a held letter after all, when the player to whom the question went answers `confirm`.

        The question went to his registered address alone and its tag is used once, so that his answer
        proves that he reads that mailbox; no other vouching is asked for.
        """
        player = self._unit.player(tag.player)
        read = self._grammar.read(letter.lines)
        if letter.sender.lower() != player.address.lower():
            return Conclusion("ignored", "a held letter's tag came from another address")
        held = self._unit.letter(tag.letter, decided=True) if tag.letter else None
        if held is None or held.content is None:
            return Conclusion("ignored", "the held letter is no longer there", None, _written(read))
        if not any(isinstance(command, Confirm) for command in read.commands):
            if not self._told_often(player.address):
                words = Words(kind="help", notes=(Note("not-confirmed"),))
                post = Correspondence(self._unit, self._service, self._now, self._draws)
                answered = Answered(self._stored.number, letter.message_id)
                post.to_player(player.number, words, answers=answered, reply_tag=tag.text)
            return Conclusion("answered", "a held letter was not confirmed", None, _written(read))
        self._unit.revoke_tag(tag.text)
        meant = replace(self._read(held.content), sender=player.address, verified=True)
        game_tag = self._find_tag(meant)
        if game_tag is not None and game_tag.player != player.number:
            game_tag = None
        end = self._hear_player(meant, player, game_tag)
        self._unit.conclude(
            held.number,
            outcome=end.outcome,
            reason=f"confirmed by letter {self._stored.number}",
            game=end.game,
            commands=end.commands,
            sender=player.address,
        )
        return replace(
            end, outcome="answered", reason=f"confirmed letter {held.number}", commands=("confirm",)
        )


def attend(work: Work, command: Command, game: int | None, *, whole_letter: bool) -> None:
    """Do what a command asks. game: the letter's own, unless the line names another."""
    number = command.game if command.game is not None else game
    match command:
        case Order():
            play.order(work, command, number)
        case Register():
            players.register(work, command)
        case SetPreference():
            players.set_preference(work, command)
        case Help():
            players.show_help(work, command)
        case Games():
            players.list_games(work, command)
        case Challenge():
            proposals.challenge(work, command)
        case Open():
            proposals.open_seat(work, command)
        case Accept() | Join():
            proposals.accept(work, command, number)
        case Decline():
            proposals.decline(work, command, number)
        case Status():
            play.status(work, command, number)
        case Record():
            play.record(work, command, number)
        case Resign():
            play.resign(work, command, number, whole_letter=whole_letter)
        case Draw():
            play.draw(work, command, number)
        case Confirm():
            play.confirm(work, command, number)
        case Cancel():
            play.cancel(work, command, number)
        case _:
            raise AssertionError(f"no desk for {command.word}")


def _check_in(work: Work, number: int) -> None:
    """Keep that a seat's first letter about a game has arrived."""
    game = work.game(number)
    seat = game.seat_of(work.player.number) if game else None
    if game is not None and seat is not None and game.status == "playing" and seat not in game.checked_in:
        work.happen(game, CheckedIn(seat))


def _written(read: Understanding) -> tuple[str, ...]:
    return tuple(command.write() for command in read.commands)
