"""One letter's way through all rooms, in one transaction. Read this first.

A letter was taken from the mailbox and recorded (`take_in`); `settle` then brings it to exactly one outcome:

1. a machine's letter is recorded with the reason, and never answered (letters.screening);
2. who wrote is settled from the sender, what his mail host vouches for, and the reply tag; a letter in somebody's
   name that nobody vouches for is held, and the person it speaks for is asked; a new address is taken when the word
   comes from there;
3. which game it is about is settled from tag, thread and subject, which must agree;
4. its own lines become commands (commands.grammar), and each does its work (desk);
5. events, outgoing letters and the letter's own outcome are committed together, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.chance import Draws
from referee.commands.command import (
    Cancel,
    Challenge,
    Command,
    Confirm,
    Help,
    Open,
    Register,
    SetAddress,
    SetPreference,
)
from referee.commands.grammar import Grammar, Understanding
from referee.correspondence import Answered, Correspondence, Service, Words
from referee.desk import addresses, answers, leaving, unseen
from referee.desk import tags as reply_tags
from referee.desk.addresses import CONFIRMED_WITHIN
from referee.desk.attending import attend
from referee.desk.returns import came_back, welcome_back
from referee.desk.work import Work
from referee.errors import GameUnreadable
from referee.faults import Fault
from referee.games.events import CheckedIn, Ruled
from referee.games.game import Game
from referee.games.player import Player
from referee.letters.echo import text_of_ours, without_echo
from referee.letters.letter import Letter, Nature, OwnLine
from referee.letters.reading import read_letter
from referee.reports.report import Note
from referee.store.lookup import address_key
from referee.store.records import Outcome, StoredLetter, Tag
from referee.store.unit import Unit

HOLD_NOTICE_EVERY = timedelta(days=1)
"""How often, at most, a player is asked about letters in his name that nobody vouches for."""
STRANGER_HELP_EVERY = timedelta(days=7)
"""How often, at most, somebody who is not registered is told what this address is."""
AN_HOUR = timedelta(hours=1)
MOST_STRANGERS_AN_HOUR = 100
"""Letters to people who are not registered, all of them together: nobody may make the house write to the world."""
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
        self._erased = False
        self.letter: Letter | None = None
        self.games: dict[int, Game] = {}
        self.moves = 0
        self.refused = False

    @property
    def sender(self) -> str:
        """Whose the letter is, for the records; "" when its writer has just left."""
        return self.letter.sender if self.letter and not self._erased else ""

    def walk(self) -> Conclusion:
        """Settle the letter."""
        if self._stored.content is None:
            return Conclusion(
                "set-aside", f"the mailbox could not hand it over: {self._stored.size:,} octets"
            )
        self.letter = letter = self._read(self._stored.content)
        self._unit.reserve(f"writer {letter.sender.lower()}")
        outcomes: tuple[Outcome, ...] = ("ruled", "answered")
        if self._stored.too_large:
            outcomes = (*outcomes, "set-aside")  # it will not be smaller the second time
        if earlier := self._unit.same_letter(self._stored.number, outcomes):
            return Conclusion("ignored", f"the same letter as number {earlier}")
        if letter.nature is Nature.BOUNCE:
            return self._hear_bounce(letter)
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
        try:
            game, _ = self._find_game(work, letter, tags)
        except GameUnreadable:
            game = None
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

    # What came back

    def _hear_bounce(self, letter: Letter) -> Conclusion:
        """Find the letter of ours that did not arrive: by its Message-ID, which nobody can guess, or else by the
        reply tag that the bounce was sent to, as that player's newest letter."""
        sent = next(filter(None, map(self._unit.sent_message, letter.bounced)), None)
        for tag in self._tags(letter) if sent is None else ():
            thread = self._unit.thread(tag.player, tag.game or 0)
            sent = next(filter(None, map(self._unit.sent_message, reversed(thread.last))), None)
        if sent is None or sent.player is None:
            return Conclusion("bounce", f"{letter.reason}; no player's letter is named")
        if not letter.bounce_permanent:
            return Conclusion("bounce", f"{letter.reason}; it counts for nothing", sent.game)
        work = self._work(self._unit.player(sent.player), ())
        said = came_back(work, sent, letter.bounce_status, letter=self._stored.number)
        self.games.update(work.games)
        return Conclusion("bounce", f"{letter.reason}; {said}", sent.game)

    # Who wrote

    def _hear_person(self, letter: Letter) -> Conclusion:
        """Settle who wrote: taken, held, or a stranger."""
        if limited := self._writes_too_often(letter):
            return limited
        player = self._unit.player_by_address(letter.sender)
        tags = self._tags(letter)
        for tag in tags:
            match tag.purpose:
                case "hold":
                    return self._release(letter, tag)
                case "address":
                    return self._confirm_address(letter, tag)
                case "former":
                    return self._take_address_back(letter, tag)
        mine = [tag for tag in tags if player is not None and tag.player == player.number]
        if tags and not mine:
            reason = "the reply tag is another player's"
            return self._hold(letter, tags[0].player, tags[:1], reason, leaked=True)
        if player is None:
            if letter.verified:
                return self._hear_stranger(letter)
            return Conclusion("ignored", f"unknown sender, {letter.verdict}")
        if not letter.verified:
            return self._hold(letter, player.number, mine, letter.verdict)
        # Settled before, and now once more: the game may have gone on since it came in.
        came = self._stored.received if self._stored.outcome is not None else None
        return self._hear_player(letter, player, mine, held_at=came)

    def _writes_too_often(self, letter: Letter) -> Conclusion | None:
        """Hear nothing of an address that writes more than any person does, and tell a player so once an hour."""
        most, came = self._service.letters_an_hour, self._stored.received
        if self._unit.heard_since(letter.sender, came - AN_HOUR, came, most) < most:
            return None
        reason = f"more than {most} letters in an hour"
        player = self._unit.player_by_address(letter.sender)
        if player is None or not letter.verified:
            return Conclusion("ignored", reason)
        if self._unit.one_more(f"letters too often, player {player.number}", 1, AN_HOUR):
            note = Note("too-often", {"most": most, "letter": self._stored.number})
            words = Words(kind="refusal", notes=(note,))
            self._post().to_player(player.number, words, answers=self._answered(letter))
        return Conclusion("ignored", reason)

    def _tags(self, letter: Letter) -> list[Tag]:
        """Return the reply tags of ours that the letter was written to and that still count."""
        found = (self._unit.tag(text) for text in letter.tags if not text.startswith(SILENCING))
        return [tag for tag in found if tag is not None and not tag.revoked]

    def _hear_stranger(self, letter: Letter) -> Conclusion:
        """Register somebody who asks for it; tell anybody else, once a week, what this address is."""
        if any(text.startswith(SILENCING) for text in letter.tags):
            return Conclusion("ignored", "asked for fewer letters, by somebody who is not registered")
        lines = self._own_lines(letter, None, ())
        read = self._grammar.read(lines)
        if any(isinstance(command, Register) for command in read.commands):
            player = self._unit.add_player("", letter.sender, self._service.language)
            return self._hear_player(letter, player, [])
        slips = tuple(fault for fault in read.faults if fault.excerpt.lower().startswith("register"))
        if slips and self._sent_today(letter.sender, "refusal") < MOST_SLIPS_A_DAY:
            if not self._may_write_to_strangers():
                return Conclusion("ignored", "unknown sender, when too many were written to")
            words = Words(kind="refusal", faults=slips)
            self._post().to_stranger(letter.sender, words, answers=self._answered(letter))
            return Conclusion("answered", slips[0].code)
        if self._unit.last_sent(letter.sender, "help", since=self._now - STRANGER_HELP_EVERY):
            return Conclusion("ignored", "unknown sender, told this week what this address is")
        if not self._may_write_to_strangers():
            return Conclusion("ignored", "unknown sender, when too many were written to")
        words = Words(kind="help", notes=(Note("stranger"),), pages=("help",))
        self._post().to_stranger(letter.sender, words, answers=self._answered(letter))
        return Conclusion("answered", "unknown sender", None, _written(read))

    def _may_write_to_strangers(self) -> bool:
        return self._unit.one_more("letters to strangers", MOST_STRANGERS_AN_HOUR, AN_HOUR)

    # Letters that nobody vouches for

    def _hold(
        self, letter: Letter, player: int, tags: Sequence[Tag], reason: str, *, leaked: bool = False
    ) -> Conclusion:
        """Do nothing of what a letter says in a player's name; ask him, at most once a day.

        tags: his own. leaked: it came from another address than his, to one of them: if that is certain, somebody has
        a letter that was meant for him, or he writes from a second mailbox of his own. The first gets him another tag.
        """
        read = self._grammar.read(letter.lines)
        work = self._work(self._unit.player(player), ())
        game, _ = self._find_game(work, letter, tags)
        if not self._unit.held_since(player, self._now - HOLD_NOTICE_EVERY):
            tag = self._draws.tag()
            self._unit.add_tag(tag, "hold", player=player, game=game, letter=self._stored.number)
            facts = {"commands": _shown(read), "received": self._stored.received, "game": game}
            from_another = leaked and letter.verified
            notes = (Note("held", facts), *((Note("second-mailbox"),) if from_another else ()))
            self._post().to_player(player, Words(kind="notice", notes=notes), reply_tag=tag)
            if from_another and not self._is_former(player, letter.sender):
                reply_tags.renew(work, tags[0])
        return Conclusion("held", reason, game, _written(read))

    def _is_former(self, player: int, address: str) -> bool:
        former = self._unit.further_address(player, "former")
        return former is not None and address_key(former.address) == address_key(address)

    def _release(self, letter: Letter, tag: Tag) -> Conclusion:
        """Hear a held letter after all, when the player to whom the question went answers `confirm`.

        The question went to his registered address alone and its tag is used once, so that his answer proves
        that he reads that mailbox; no other vouching is asked for, unless it comes from his second address. `confirm`
        must be the first thing he wrote, since the question itself, which he may quote below, holds the word too.
        """
        player = self._unit.player(tag.player)
        read = self._grammar.read(letter.lines)
        if not self._is_his(letter, player):
            return Conclusion("ignored", "a held letter's tag came from another address")
        held = self._unit.letter(tag.letter, decided=True) if tag.letter else None
        if held is None or held.content is None or held.outcome != "held":
            return Conclusion("ignored", "the held letter is no longer there", None, _written(read))
        if not _begins_with(Confirm, letter, read):
            if not self._told_often(player.address):
                words = Words(kind="help", notes=(Note("not-confirmed"),))
                answered = self._answered(letter)
                self._post().to_player(player.number, words, answers=answered, reply_tag=tag.text)
            return Conclusion("answered", "a held letter was not confirmed", None, _written(read))
        self._unit.revoke_tag(tag.text)
        if earlier := self._unit.same_letter(held.number):
            return Conclusion("ignored", f"the held letter came again and was heard as number {earlier}")
        came = self._read(held.content)
        mine = [each for each in self._tags(came) if each.player == player.number]
        if asked := next((each for each in mine if each.purpose == "address"), None):
            of = came.sender
            end = self._confirm_address(replace(came, verified=True), asked)
        else:
            of = player.address
            meant = replace(came, sender=of, verified=True)
            end = self._hear_player(meant, player, mine, held_at=held.received)
        if self._erased:
            self._unit.erase_letter(held.number)
        self._unit.conclude(
            held.number,
            outcome=end.outcome,
            reason=f"confirmed by letter {self._stored.number}",
            game=end.game,
            commands=end.commands,
            sender="" if self._erased else of,
        )
        return replace(
            end, outcome="answered", reason=f"confirmed letter {held.number}", commands=("confirm",)
        )

    def _is_his(self, letter: Letter, player: Player) -> bool:
        """Tell whether a letter is from a player's main address, or certainly from his second."""
        if address_key(letter.sender) == address_key(player.address):
            return True
        found = self._unit.player_by_address(letter.sender)
        return letter.verified and found is not None and found.number == player.number

    # Other addresses of a player's

    def _confirm_address(self, letter: Letter, tag: Tag) -> Conclusion:
        """Take an address as a player's, when the word comes from there, to the tag that only was written there."""
        player = self._unit.player(tag.player)
        read = self._grammar.read(letter.lines)
        further = self._unit.further_addresses(tag.player)
        asked = next((each for each in further if each.tag == tag.text), None)
        if asked is None or self._now - asked.created > CONFIRMED_WITHIN:
            return Conclusion("ignored", "a new address was confirmed too late", None, _written(read))
        if address_key(letter.sender) != address_key(asked.address):
            if not letter.verified or not self._is_his(letter, player) or self._told_often(player.address):
                return Conclusion("ignored", "a new address was confirmed from another")
            words = Words(kind="help", notes=(Note("address-from-there", {"address": asked.address}),))
            self._post().to_player(player.number, words, answers=self._answered(letter), reply_tag=tag.text)
            return Conclusion("answered", "a new address was confirmed from another", None, _written(read))
        owner = self._unit.player_by_address(letter.sender)
        if owner is not None and owner.number != player.number:
            return Conclusion("ignored", "a new address has become another player's meanwhile")
        if not _begins_with(Confirm, letter, read):
            return self._not_the_word(letter, tag, "confirm")
        if not letter.verified:
            return self._hold(letter, player.number, (), letter.verdict)
        addresses.confirm(self._work(player, ()), asked, self._answered(letter))
        return Conclusion("answered", "", None, _written(read))

    def _take_address_back(self, letter: Letter, tag: Tag) -> Conclusion:
        """Set a player's old address back, when it says so. That it has the tag proves who reads that mailbox, so no
        other vouching is asked for."""
        player = self._unit.player(tag.player)
        read = self._grammar.read(letter.lines)
        former = self._unit.further_address(tag.player, "former")
        if former is None or former.tag != tag.text or self._now - former.created > CONFIRMED_WITHIN:
            return Conclusion("ignored", "a change of address was taken back too late", None, _written(read))
        if address_key(letter.sender) != address_key(former.address):
            return Conclusion("ignored", "a change of address was taken back from another")
        if self._unit.player_by_address(letter.sender) is not None:
            return Conclusion("ignored", "an old address has become another player's meanwhile")
        if not _begins_with(Cancel, letter, read):
            return self._not_the_word(letter, tag, "cancel")
        addresses.take_back(self._work(player, ()), former, self._answered(letter))
        return Conclusion("answered", "", None, _written(read))

    def _not_the_word(self, letter: Letter, tag: Tag, word: str) -> Conclusion:
        """Tell whoever was asked for one word and wrote others that nothing was done; a few times at most."""
        reason = f"it did not begin with {word}"
        if self._sent_today(letter.sender, "help") >= MOST_SLIPS_A_DAY:
            return Conclusion("ignored", reason)
        words = Words(kind="help", notes=(Note("address-as-before", {"word": word}),))
        self._post().to_stranger(letter.sender, words, answers=self._answered(letter), reply_tag=tag.text)
        return Conclusion("answered", reason)

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
        if self._leaves(letter, read, tags):
            leaving.leave(work, answered)
            self._erased = True
            self.games.update(work.games)
            return Conclusion("answered", "has left")
        if player.returns:
            welcome_back(work)
        besides = [command.game for command in read.commands if command.game]
        game, fault = self._find_game(work, letter, tags, besides)
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
        if held_at is None:  # else it was written before the game went on, and answered a letter of that time
            unseen.send_again(work, letter.thread)
        self.refused = answers.finish(work, game, answered) == "refusal"
        self.games.update(work.games)
        self.moves = sum(isinstance(event, Ruled) for part in work.parts.values() for event in part.events)
        reason = letter.reason if read.empty and not lines else ""
        return Conclusion("ruled" if self.moves else "answered", reason, game, _written(read))

    def _leaves(self, letter: Letter, read: Understanding, tags: Sequence[Tag]) -> bool:
        """Tell whether a letter confirms that its writer leaves: it answers the question, not too late, and no old
        address can take back that he has another."""
        asked = next((each for each in tags if each.purpose == "bye"), None)
        if asked is None or self._now - asked.created > CONFIRMED_WITHIN:
            return False
        if self._unit.further_address(asked.player, "former") is not None:
            return False
        return _begins_with(Confirm, letter, read)

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

    def _find_game(
        self, work: Work, letter: Letter, tags: Sequence[Tag], besides: Sequence[int] = ()
    ) -> tuple[int | None, Fault | None]:
        """Return the game that the letter is about: by tag, thread and subject, which must agree; else the only
        one in which it is the writer's turn; else the only one that he plays.

        besides: other games that its lines name. With that it is known what it is about, and its turn is taken.
        """
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
            self._unit.take_turn((number, *besides))
            game = work.game(number)
            if game is None or not game.concerns(work.player.number):
                return None, Fault("not-your-game", "you do not sit in game {game}", {"game": str(number)})
            return number, None
        playing = [row.number for row in self._unit.games_of(work.player.number, ("playing",))]
        if len(playing) == 1:
            self._unit.take_turn((playing[0], *besides))
            return playing[0], None
        to_move = []
        for number in playing:
            game = work.readable(number)
            if game is not None and game.seat_of(work.player.number) in game.due:
                to_move.append(number)
        self._unit.take_turn(besides)
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


def _begins_with(word: type[Command], letter: Letter, read: Understanding) -> bool:
    """Tell whether a word stands in the first line of a letter."""
    return any(
        isinstance(command, word) and command.line.number == letter.lines[0].number
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
    free = (Register, Challenge, Open, SetPreference, SetAddress, Help)
    return tuple(
        f"{command.word} ..." if isinstance(command, free) else command.write() for command in read.commands
    )
