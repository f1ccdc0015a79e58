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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.chance import Draws
from referee.commands.command import Challenge, Confirm, Help, Open, Register, SetPreference
from referee.commands.grammar import Grammar, Understanding
from referee.correspondence import Answered, Correspondence, Service, Words
from referee.desk import answers
from referee.desk.attending import attend
from referee.desk.work import Work
from referee.faults import Fault
from referee.games.events import CheckedIn, Ruled
from referee.games.game import Game
from referee.games.player import Player
from referee.letters.echo import text_of_ours, without_echo
from referee.letters.letter import Letter, Nature, OwnLine
from referee.letters.reading import read_letter
from referee.reports.report import Note
from referee.store.records import Outcome, StoredLetter, Tag
from referee.store.unit import Unit

HOLD_NOTICE_EVERY = timedelta(days=1)
"""How often, at most, a player is asked about letters in his name that nobody vouches for."""
STRANGER_HELP_EVERY = timedelta(days=7)
"""How often, at most, somebody who is not registered is told what this address is."""
MOST_SLIPS_A_DAY = 5
"""Slips of a stranger who tries to register that are answered in a day."""
MOST_HELP_A_DAY = 20
"""Letters in which nothing could be read that one address gets answers to in a day: a robot that does not say it is
one must not exchange letters with us for ever. Pages of help that were asked for count, too."""
SILENCING = "off-"
"""Before a reply tag in the address that mail programs write to when somebody wants fewer letters."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """An outcome on its way into the letter's row."""

    outcome: Outcome
    reason: str = ""
    game: int | None = None
    commands: tuple[str, ...] = ()


class Way:
    """One letter's way.

    letter: as read, once it was; games: as it leaves them; moves: orders ruled on; refused: nothing was taken.
    """

    def __init__(
        self,
        unit: Unit,
        service: Service,
        now: datetime,
        draws: Draws,
        grammar: Grammar,
        known: Mapping[int, Game],
        stored: StoredLetter,
    ) -> None:
        self._unit = unit
        self._service = service
        self._now = now
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
        outcomes: tuple[Outcome, ...] = ("ruled", "answered")
        if self._stored.too_large:
            outcomes = (*outcomes, "set-aside")  # it will not be smaller the second time
        if earlier := self._unit.same_letter(self._stored.number, outcomes):
            return Conclusion("ignored", f"the same letter as number {earlier}")
        if letter.nature is Nature.BOUNCE:
            return Conclusion("bounce", letter.reason)
        if letter.nature not in (Nature.PERSON, Nature.UNREADABLE):
            return Conclusion("ignored", letter.reason or letter.nature.value)
        if not letter.sender:
            return Conclusion("ignored", letter.sender_fault)
        if self._stored.too_large:
            limit = f"{self._service.size_limit / 1_000_000:g} MB"
            reason = f"too large to be read: {self._stored.size:,} octets"
            return self._set_aside(letter, reason, Note("too-large", {"limit": limit}))
        return self._hear_person(letter)

    def give_up(self, reason: str, *, tell: bool) -> Conclusion:
        """Set the letter aside, since it has made the house fail. tell: say so to a player who certainly wrote it."""
        if self._stored.content is None:
            return Conclusion("set-aside", reason)
        self.letter = letter = self._read(self._stored.content)
        if not tell or letter.nature is not Nature.PERSON:
            return Conclusion("set-aside", reason)
        return self._set_aside(letter, reason, Note("set-aside", {"letter": self._stored.number}))

    def _set_aside(self, letter: Letter, reason: str, note: Note) -> Conclusion:
        """Do nothing of a letter; a player who certainly wrote it is told so."""
        player = self._unit.player_by_address(letter.sender)
        tags = self._tags(letter)
        mine = player is not None and (not tags or any(tag.player == player.number for tag in tags))
        if player is None or not mine or not letter.verified or self._told_often(player.address):
            return Conclusion("set-aside", reason)
        work = self._work(player, ())
        game, _ = self._find_game(work, letter, tags)
        work.part(None).notes.append(note)
        answers.finish(work, game, self._answered(letter))
        return Conclusion("set-aside", reason, game)

    def _read(self, content: bytes) -> Letter:
        return read_letter(
            content,
            service_address=self._service.address,
            authserv_ids=self._service.authserv_ids,
            trust=self._service.trust,
        )

    # Who wrote

    def _hear_person(self, letter: Letter) -> Conclusion:
        """Settle who wrote: taken, held, or a stranger."""
        player = self._unit.player_by_address(letter.sender)
        tags = self._tags(letter)
        for tag in tags:
            if tag.purpose == "hold":
                return self._release(letter, tag)
        mine = [tag for tag in tags if player is not None and tag.player == player.number]
        if tags and not mine:
            return self._hold(letter, tags[0].player, tags[:1], "the reply tag is another player's")
        if player is None:
            if letter.verified:
                return self._hear_stranger(letter)
            return Conclusion("ignored", f"unknown sender, {letter.verdict}")
        if not letter.verified:
            return self._hold(letter, player.number, mine, letter.verdict)
        # Settled before, and now once more: the game may have gone on since it came in.
        came = self._stored.received if self._stored.outcome is not None else None
        return self._hear_player(letter, player, mine, held_at=came)

    def _tags(self, letter: Letter) -> list[Tag]:
        """Return the reply tags of ours that the letter was written to and that still count."""
        found = (self._unit.tag(text) for text in letter.tags if not text.startswith(SILENCING))
        return [tag for tag in found if tag is not None and not tag.revoked]

    def _hear_stranger(self, letter: Letter) -> Conclusion:
        """Register somebody who asks for it; tell anybody else, once a week, what this address is."""
        lines = self._own_lines(letter, None, ())
        read = self._grammar.read(lines)
        if any(isinstance(command, Register) for command in read.commands):
            player = self._unit.add_player("", letter.sender, self._service.language)
            return self._hear_player(letter, player, [])
        slips = tuple(fault for fault in read.faults if fault.excerpt.lower().startswith("register"))
        if slips and self._sent_today(letter.sender, "refusal") < MOST_SLIPS_A_DAY:
            words = Words(kind="refusal", faults=slips)
            self._post().to_stranger(letter.sender, words, answers=self._answered(letter))
            return Conclusion("answered", slips[0].code)
        if self._unit.last_sent(letter.sender, "help", since=self._now - STRANGER_HELP_EVERY):
            return Conclusion("ignored", "unknown sender, told this week what this address is")
        words = Words(kind="help", notes=(Note("stranger"),), pages=("help",))
        self._post().to_stranger(letter.sender, words, answers=self._answered(letter))
        return Conclusion("answered", "unknown sender", None, _written(read))

    # Letters that nobody vouches for

    def _hold(self, letter: Letter, player: int, tags: Sequence[Tag], reason: str) -> Conclusion:
        """Do nothing of what a letter says in a player's name; ask him, at most once a day. tags: his own."""
        read = self._grammar.read(letter.lines)
        game, _ = self._find_game(self._work(self._unit.player(player), ()), letter, tags)
        if not self._unit.held_since(player, self._now - HOLD_NOTICE_EVERY):
            tag = self._draws.tag()
            self._unit.add_tag(tag, "hold", player=player, game=game, letter=self._stored.number)
            facts = {"commands": _shown(read), "received": self._stored.received, "game": game}
            words = Words(kind="notice", notes=(Note("held", facts),))
            self._post().to_player(player, words, reply_tag=tag)
        return Conclusion("held", reason, game, _written(read))

    def _release(self, letter: Letter, tag: Tag) -> Conclusion:
        """Hear a held letter after all, when the player to whom the question went answers `confirm`.

        The question went to his registered address alone and its tag is used once, so that his answer proves
        that he reads that mailbox; no other vouching is asked for. `confirm` must be the first thing he wrote,
        since the question itself, which he may quote below, holds the word too.
        """
        player = self._unit.player(tag.player)
        read = self._grammar.read(letter.lines)
        if letter.sender.lower() != player.address.lower():
            return Conclusion("ignored", "a held letter's tag came from another address")
        held = self._unit.letter(tag.letter, decided=True) if tag.letter else None
        if held is None or held.content is None or held.outcome != "held":
            return Conclusion("ignored", "the held letter is no longer there", None, _written(read))
        if not _confirms(letter, read):
            if not self._told_often(player.address):
                words = Words(kind="help", notes=(Note("not-confirmed"),))
                answered = self._answered(letter)
                self._post().to_player(player.number, words, answers=answered, reply_tag=tag.text)
            return Conclusion("answered", "a held letter was not confirmed", None, _written(read))
        self._unit.revoke_tag(tag.text)
        if earlier := self._unit.same_letter(held.number):
            return Conclusion("ignored", f"the held letter came again and was heard as number {earlier}")
        meant = replace(self._read(held.content), sender=player.address, verified=True)
        mine = [each for each in self._tags(meant) if each.player == player.number]
        end = self._hear_player(meant, player, mine, held_at=held.received)
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

    # What a player's letter asks for

    def _hear_player(
        self, letter: Letter, player: Player, tags: Sequence[Tag], held_at: datetime | None = None
    ) -> Conclusion:
        """Read the letter's commands and do them. tags: the player's own. held_at: see Work."""
        if any(text.startswith(SILENCING) for text in letter.tags):
            return self._silence(letter, player)
        lines = self._own_lines(letter, player, tags)
        work = self._work(player, lines, held_at)
        answered = self._answered(letter)
        read = self._grammar.read(lines)
        if read.empty and self._told_often(player.address):
            return Conclusion("ignored", "nothing to read, and told so often enough today")
        game, fault = self._find_game(work, letter, tags)
        if fault is not None:
            work.fault(fault)
            self.refused = answers.finish(work, None, answered) == "refusal"
            return Conclusion("answered", fault.code, None, _written(read))
        if game is not None:
            _check_in(work, game)
        if letter.reason and not lines:
            work.part(None).notes.append(Note("unreadable", {"reason": letter.reason}))
        elif read.empty:
            passed_over = tuple(line.text for line in read.passed_over)
            work.part(None).notes.append(Note("nothing-read", {"lines": passed_over}))
        for fault in read.faults:
            work.fault(fault)
        for command in read.commands:
            attend(work, command, game)
        self.refused = answers.finish(work, game, answered) == "refusal"
        self.games.update(work.games)
        self.moves = sum(isinstance(event, Ruled) for part in work.parts.values() for event in part.events)
        reason = letter.reason if read.empty and not lines else ""
        return Conclusion("ruled" if self.moves else "answered", reason, game, _written(read))

    def _silence(self, letter: Letter, player: Player) -> Conclusion:
        """Take a letter to the address for fewer letters: it counts for nothing in any game, and is told so."""
        texts = (text.removeprefix(SILENCING) for text in letter.tags)
        tags = [tag for tag in map(self._unit.tag, texts) if tag is not None]
        if not any(tag.player == player.number for tag in tags):
            return Conclusion("ignored", "asked for fewer letters, by an address that is none of his")
        work = self._work(player, ())
        part = work.part(None)
        part.notes.append(Note("letters-off"))
        part.kind = "receipt"
        answers.finish(work, None, self._answered(letter))
        return Conclusion("answered", "asked for fewer letters")

    def _own_lines(self, letter: Letter, player: Player | None, tags: Sequence[Tag]) -> tuple[OwnLine, ...]:
        """Return what the writer wrote himself: without lines of our letter that his program repeats unmarked."""
        if len(letter.lines) < 2:
            return letter.lines
        answered = next((found for found in map(self._unit.sent_content, letter.thread) if found), None)
        if answered is None and player is not None:
            thread = self._unit.thread(player.number, tags[0].game or 0 if tags else 0)
            answered = next(
                (found for found in map(self._unit.sent_content, reversed(thread.last)) if found), None
            )
        return letter.lines if answered is None else without_echo(letter.lines, text_of_ours(answered))

    def _find_game(self, work: Work, letter: Letter, tags: Sequence[Tag]) -> tuple[int | None, Fault | None]:
        """Return the game that the letter is about: by tag, thread and subject, which must agree; else the only
        one in which it is the writer's turn; else the only one that he plays."""
        by_thread = next(
            (sent.game for sent in map(self._unit.sent_message, letter.thread) if sent and sent.game), None
        )
        named = [("reply address", tag.game) for tag in tags]
        named += [("thread", by_thread), ("subject", letter.subject_game)]
        numbers = {number for _, number in named if number}
        if len(numbers) > 1:
            said = ", ".join(f"the {what} says game {number}" for what, number in named if number)
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

    # Small things

    def _work(self, player: Player, lines: Sequence[OwnLine], held_at: datetime | None = None) -> Work:
        return Work(self._unit, self._service, self._now, player, self._known, self._draws, lines, held_at)

    def _post(self) -> Correspondence:
        return Correspondence(self._unit, self._service, self._now, self._draws)

    def _answered(self, letter: Letter) -> Answered:
        return Answered(self._stored.number, letter.message_id)

    def _sent_today(self, address: str, kind: str) -> int:
        return self._unit.last_sent(address, kind, since=self._now - timedelta(days=1))

    def _told_often(self, address: str) -> bool:
        return self._sent_today(address, "help") >= MOST_HELP_A_DAY


def _confirms(letter: Letter, read: Understanding) -> bool:
    """Tell whether a letter begins with `confirm`."""
    return any(
        isinstance(command, Confirm) and command.line.number == letter.lines[0].number
        for command in read.commands
    )


def _check_in(work: Work, number: int) -> None:
    """Keep that a seat's first letter about a game has arrived."""
    game = work.game(number)
    seat = game.seat_of(work.player.number) if game else None
    if game is not None and seat is not None and game.status == "playing" and seat not in game.checked_in:
        work.happen(game, CheckedIn(seat))


def _written(read: Understanding) -> tuple[str, ...]:
    return tuple(command.write() for command in read.commands)


def _shown(read: Understanding) -> tuple[str, ...]:
    """Return a held letter's commands as they may be shown: no text of a forger's own, which could be a message."""
    free = (Register, Challenge, Open, SetPreference, Help)
    return tuple(
        f"{command.word} ..." if isinstance(command, free) else command.write() for command in read.commands
    )
