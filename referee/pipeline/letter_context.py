"""What a letter is settled with, and what the stages have found out about it so far."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from referee.commands.command import (
    Accept,
    Cancel,
    Challenge,
    Command,
    Confirm,
    Open,
    Register,
    SetAddress,
    Written,
)
from referee.commands.grammar import Grammar, Understanding
from referee.commands.line_reader import Looks
from referee.common.chance import Draws
from referee.common.durations import DAY
from referee.common.faults import Fault
from referee.common.i18n import LANGUAGES
from referee.games.game import Game
from referee.games.player import Player
from referee.handlers.composer import Composer
from referee.handlers.deadlines import OLD, counts_until
from referee.handlers.handler_context import HandlerContext, open_context
from referee.handlers.letter_content import InReplyTo
from referee.handlers.request import Request
from referee.handlers.service_config import ServiceConfig
from referee.mail.message.echo import text_of_ours, without_echo
from referee.mail.message.limits import OWN_LINES
from referee.mail.message.message import Letter, OwnLine
from referee.mail.message.reader import read_letter
from referee.mail.message.rewrapped_quotations import without_pieces
from referee.pipeline.letter_tags import LetterTags
from referee.pipeline.readings import OrdersOf, Readings
from referee.reports.report import Note
from referee.store.unit_of_work import UnitOfWork
from referee.store.values import Outcome, Purpose, StoredLetter, Tag, address_key

MOST_HELP_A_DAY = 20
"""How many unreadable letters of an address are answered in a day, including requests for help pages.

This stops an endless exchange with a robot that doesn't say that it is one.
"""
_MOST_QUOTED = 4
"""The most of our letters that are compared with one that quotes them."""
_ASKS: frozenset[Purpose] = frozenset(("hold", "address", "former", "bye", "deed"))
"""The purposes of tags by which a question is answered."""
_SENTENCE = re.compile(r"(?P<said>[^.!]{1,40}?)\s?[.!]+\s+(?P<rest>\S.*)")
"""A line whose first sentence is short and followed by more."""
_DENIES = re.compile(
    r"\b(?:not|never|no|nothing|(?:did|was|does|is)n['’]?t|pas|jamais|non|rien)\b", re.IGNORECASE
)
"""Words that may revoke the word before them: the line is then prose, and the question is asked again."""


@dataclass(frozen=True, slots=True)
class Disposition:
    """The outcome of a letter, before it is stored."""

    outcome: Outcome
    reason: str = ""
    game: int | None = None
    commands: tuple[str, ...] = ()
    held_for: int | None = None
    """For a held letter, the number of the player in whose name it is, who is to be asked."""


@dataclass(slots=True)
class Effects:
    """The effects of a letter so far, including those of held letters that it releases.

    games: as the letter leaves them.
    moves: orders ruled on.
    refused: nothing was accepted.
    erased: its writer left by it.
    besides: notes on further lines in the answer to a question, for the next letter to its writer.
    """

    games: dict[int, Game] = field(default_factory=dict)
    moves: int = 0
    refused: bool = False
    erased: bool = False
    besides: tuple[Note, ...] = ()


class LetterContext:
    """A letter on its way through the stages; each sets what the later ones need.

    known: games as last committed, by number.
    """

    letter: Letter
    """The letter as it is read."""
    player: Player
    """The writer."""
    tags: Sequence[Tag]
    """The tags that name what the letter is about; see LetterTags.naming."""
    lines: Sequence[OwnLine]
    """The writer's own lines, without quotations."""
    work: HandlerContext
    """The handlers' context, which collects their effects."""
    understood: Understanding
    """What the lines ask for."""

    def __init__(
        self,
        unit: UnitOfWork,
        service: ServiceConfig,
        now: datetime,
        draws: Draws,
        grammar: Grammar,
        known: Mapping[int, Game],
        stored: StoredLetter,
    ) -> None:
        self.unit = unit
        self.service = service
        self.now = now
        self.draws = draws
        self.grammar = grammar
        self.stored = stored
        self.effects = Effects()
        self.refused_before: int | None = None
        """The number of an earlier, same letter that had no effect and was answered accordingly."""
        self.last_of_its_kind = False
        """A program seems to write, and this is the last of its letters that is answered (pipeline.autoresponders)."""
        self.cut_below = 0
        """As in Letter, once its own lines are known."""
        self.repeats: int | None = None
        """The number of an earlier letter with the same words. Only the writer knows whether it is the same letter."""
        self.held: int | None = None
        """The letter's number, if it was held or set aside and is heard only now."""
        self.asked: int | None = None
        """The game named in the question about a held letter, 0 for none."""
        self.confirmed: Sequence[Command] = ()
        """Commands that are processed before the others."""
        self.game: int | None = None
        """The game that the letter is about."""
        self.named_in_lines: Sequence[int] = ()
        """The games that single lines name."""
        self.fault: Fault | None = None
        """Why it is not clear what the letter is about."""
        self.lost_seat: int | None = None
        """The game about which a player appeals who no longer has a seat in it."""
        self._sender = ""
        self.letter_tags = LetterTags(unit.tags)
        self._known = known
        self._readings = Readings(grammar)

    def for_held(
        self, letter: Letter, player: Player, tags: Sequence[Tag], held: int, asked: int
    ) -> LetterContext:
        """Return the context of a held letter that this one releases; its effects are this one's, too."""
        other = copy.copy(self)
        other.letter, other.player, other.tags = letter, player, tags
        other.held, other.asked = held, asked
        return other

    def read_commands(
        self,
        lines: Sequence[OwnLine],
        writer: Player | None = None,
        orders: OrdersOf | None = None,
        confided: Looks | None = None,
    ) -> Understanding:
        """Return the commands in a player's lines, which may be in their language.

        A player without a name has not chosen a language yet: every language is read.

        writer: None for a stranger.
        orders: the test for orders in lines that name a game, or none; None for any rulebook's.
        confided: see Grammar.is_confided; None for any rulebook's.
        """
        language = writer.language if writer else self.service.language
        others = () if writer and writer.name else tuple(LANGUAGES)
        return self._readings.read(lines, language, others, orders, confided)

    def registers_in(self, lines: Sequence[OwnLine]) -> str:
        """Return the language in which a stranger's lines ask for registration, "" for none.

        The service's own language is tried first.
        """
        for language in (self.service.language, *LANGUAGES):
            read = self.grammar.in_language(language).read(lines)
            if any(isinstance(command, Register) for command in read.commands):
                return language
        return ""

    @property
    def sender(self) -> str:
        """The sender for the records; "" when they have just left."""
        return "" if self.effects.erased else self._sender

    def open(self, content: bytes) -> None:
        """Read the letter's own bytes."""
        self.letter = self.read(content)
        self._sender = self.letter.sender

    def read(self, content: bytes) -> Letter:
        """Read a letter's bytes. In the answer to a question the word that it asks for gets a line of its own."""
        letter = read_letter(
            content,
            service_address=self.service.address,
            aliases=self.service.aliases,
            authserv_ids=self.service.authserv_ids,
            trust=self.service.trust,
        )
        return replace(letter, lines=self._word_apart(letter))

    def _word_apart(self, letter: Letter) -> tuple[OwnLine, ...]:
        """Return a letter's own lines, with the word of an answer on a line of its own.

        Where the first line contains the word, a full stop, and more (`confirm. A-S2`), it becomes two lines
        with the same number.
        """
        first = letter.lines[0] if letter.lines else None
        sentence = _SENTENCE.fullmatch(first.text) if first is not None else None
        asked = (
            next((tag for tag in self.letter_tags.all(letter) if tag.purpose in _ASKS), None)
            if sentence
            else None
        )
        if first is None or sentence is None or asked is None:
            return letter.lines
        word, rest = (
            replace(first, text=sentence[part], written=sentence[part]) for part in ("said", "rest")
        )
        read = self.read_commands((word,), self.unit.players.find(asked.player))
        is_word = any(isinstance(each, Confirm | Cancel) for each in read.commands)
        return (word, rest, *letter.lines[1:]) if is_word and not _DENIES.search(rest.text) else letter.lines

    def own_lines(self, letter: Letter, player: Player | None, tags: Sequence[Tag]) -> tuple[OwnLine, ...]:
        """Return the writer's own lines, up to the limit, without unmarked quotations of our letter."""
        own, self.cut_below = letter.lines, letter.cut_below
        if len(own) > 1:
            answered = next(self._letters_to(letter, player, self._thread(letter, player, tags)), None)
            own = own if answered is None else without_echo(own, text_of_ours(answered))
        if len(own) > OWN_LINES:
            own = own[:OWN_LINES]
            self.cut_below = own[-1].number
        return own

    def without_pieces(self, letter: Letter, reader: Player | None = None) -> Letter:
        """Return a letter without the lines that are parts of a quotation of ours; see `rewrapped_quotations`.

        reader: the player whose letters may be quoted; None for the sender.
        """
        if not letter.marked:
            return letter
        if reader is None:
            reader = self.unit.players.by_address(letter.sender)
        tags = [] if reader is None else self.letter_tags.naming(letter, reader)
        quotable = islice(self._letters_to(letter, reader, self._thread(letter, reader, tags)), _MOST_QUOTED)
        return replace(letter, lines=without_pieces(letter.lines, letter.marked, map(text_of_ours, quotable)))

    def _thread(self, letter: Letter, player: Player | None, tags: Sequence[Tag]) -> Iterator[str]:
        """Yield the Message-IDs of letters that a letter may answer, the likeliest first.

        The player's latest are looked up only when needed.
        """
        yield from letter.thread
        if player is not None:
            game = (tags[0].game if tags else letter.subject_game) or 0
            yield from reversed(self.unit.threads.get(player.number, game).last)

    def _letters_to(
        self, letter: Letter, player: Player | None, message_ids: Iterable[str]
    ) -> Iterator[bytes]:
        """Yield those of these letters that are stored and went to the writer.

        An answer must not reveal whether the writer's lines are in somebody else's letter.
        """
        for message_id in dict.fromkeys(message_ids):
            sent = self.unit.outbox.get(message_id)
            if sent is None:
                continue
            his = player is not None and sent.player == player.number
            if not his and address_key(sent.recipient) != address_key(letter.sender):
                continue
            if content := self.unit.outbox.content(message_id):
                yield content

    def is_his(self, letter: Letter, player: Player) -> bool:
        """Return whether a letter is from a player's main address, or certainly from their second."""
        if address_key(letter.sender) == address_key(player.address):
            return True
        found = self.unit.players.by_address(letter.sender)
        return letter.verified and found is not None and found.number == player.number

    def work_for(
        self,
        player: Player,
        lines: Sequence[OwnLine] = (),
        held: int | None = None,
        thread: Sequence[str] = (),
    ) -> HandlerContext:
        """Return a handlers' context for a player; see HandlerContext."""
        # A move in a letter that nobody vouched for counts from its own arrival, not from that of the confirming
        # letter, unless confirmation took long; everything else counts from when it is heard.
        meant = self.unit.letters.get(held, decided=True) if held is not None else None
        heard = self.now if held == self.stored.number else self.stored.arrived
        received = (meant or self.stored).arrived
        if meant is not None and meant.outcome != "set-aside":
            received = heard if meant.reason in OLD or heard > counts_until(self.unit, received) else received
        request = Request(self.unit, self.now, player, received, heard, lines, held, thread)
        return open_context(self.unit, self.service, request, self._known, self.draws, self.stored.digest)

    def take_besides(self) -> tuple[Note, ...]:
        """Return the notes on further lines, once."""
        taken, self.effects.besides = self.effects.besides, ()
        return taken

    def composer(self) -> Composer:
        """Return the composer of letters in this transaction."""
        return Composer(self.unit, self.service, self.now, self.draws, self.stored.digest)

    def answered(self, letter: Letter) -> InReplyTo:
        """Return a letter in the form of one that is answered."""
        return InReplyTo(self.stored.number, letter.message_id)

    def sent_today(self, address: str, kind: str) -> int:
        """Return how many letters of a kind an address was sent within a day."""
        return self.unit.outbox.count_sent(address, kind, since=self.now - DAY)

    def told_often(self, address: str) -> bool:
        """Return whether an address was told often enough today what could not be read."""
        return self.sent_today(address, "help") >= MOST_HELP_A_DAY


def begins_with(word: type[Command], letter: Letter, read: Understanding) -> bool:
    """Return whether a word is in the first line of a letter."""
    return any(
        isinstance(command, word) and command.line.number == letter.lines[0].number
        for command in read.commands
    )


def commands_for_log(read: Understanding) -> tuple[str, ...]:
    """Return the commands for the letter's row, without names and addresses, which must not outlive their owners."""
    naming = (Register, Challenge, SetAddress, Written)
    return tuple(
        f"{command.word} ..." if isinstance(command, naming) or _shuts_out(command) else command.write()
        for command in read.commands
    )


def _shuts_out(command: Command) -> bool:
    """Return whether a command names somebody who may not join."""
    return isinstance(command, Open | Accept) and "not" in command.options
